"""The page on Tacatuca: what only this game has, mostly exact."""

from collections.abc import Container, Mapping
from contextlib import suppress
from functools import partial

import numpy as np
import pandas as pd

from analysis import compact
from analysis.chapter import Page, Picture, Section, Study
from analysis.chapters.tacatuca import balance, odds, pictures, verdicts
from analysis.chapters.tacatuca.answers import in_percent
from analysis.claims import Sentence
from analysis.estimates import Estimate
from analysis.measures import Column
from analysis.tables import Table
from analysis.verdicts import WORDS, give_or_take, listed, minutes
from sims.engine.batch import Batch
from sims.engine.errors import InputError
from sims.tacatuca.exact import Solution, WinTable
from sims.tacatuca.rules import THROW_NAMES


def page(study: Study) -> Page:
    """What the page tells."""
    solved, tables = solutions(study)
    throws, exchange = odds.throws(study).frame, odds.exchange(study).frame
    batches = balance.batches(study)
    sheet = dict(balance.sheet(study, batches).tables)
    return Page(
        short=in_short(solved, tables, throws, sheet),
        own=(
            exchange_section(exchange, bool(study.variant.rules.cards)),
            throw_section(throws),
            win_section(study, tables),
            lead_section(batches, sheet),
            card_section(study, sheet.get("cards")),
        ),
        length=length_section(study, solved, sheet["tension"].frame),
        readings=reading_section(study, sheet),
        seats=seat_section(sheet["seats"], solved),
    )


def solutions(study: Study) -> tuple[dict[int, Solution], dict[int, WinTable]]:
    """What is solved exactly, by number of players: as much as is in proportion to the games asked for."""
    rules = study.variant.rules
    solved: dict[int, Solution] = {}
    tables: dict[int, WinTable] = {}
    for players in odds.quick(study):
        # cards far from the printed ones may ask for more memory than the solver takes
        with suppress(InputError):
            found = odds.solution(study, rules, (rules.pins,) * players), odds.every_state(study, players)
            solved[players], tables[players] = found
    return solved, tables


def not_solved(study: Study, solved: Container[int]) -> list[str]:
    """The sentence that names the numbers of players whose games are not solved exactly on this page, if there are any."""
    pins = study.variant.rules.pins
    missing = [players for players in balance.SIZES if players not in solved]
    if not missing:
        return []
    known = odds.solvable(pins)
    later = [WORDS[players] for players in missing if players in known]
    never = [WORDS[players] for players in missing if players not in known]
    told = []
    if later:
        told.append(f"{verdicts.sizes(later)} take long to solve exactly; run with more games (-n) to include them.")
    if never:
        told.append(f"{verdicts.sizes(never)} with {pins} pins each are too large to solve exactly.")
    return told


def in_short(
    solved: Mapping[int, Solution],
    tables: Mapping[int, WinTable],
    throws: pd.DataFrame,
    sheet: Mapping[str, Table],
) -> tuple[Sentence, ...]:
    """The answers."""
    played = sheet["tension"].frame
    rows = played[played["quantity"] == "rounds"].set_index("players")
    lengths = {n: f"{solved[n].rounds_mean:.1f}" for n in solved}
    for players, row in rows.iterrows():
        found = give_or_take(Estimate(row["value"], row["low"], row["high"]))
        lengths.setdefault(players, f"{found} (simulated)")
    told = listed([f"{lengths[n]} with {WORDS[n]}" for n in sorted(lengths)])
    cards = verdicts.cards(sheet["cards"].frame) if "cards" in sheet and len(sheet["cards"].frame) else []
    return (
        f"Nobody decides anything in Tacatuca. Rounds in a game, on average: {told} players.",
        *verdicts.fair(solved),
        *verdicts.throws(throws[throws["players"] == throws["players"].min()].set_index("throw")["net_pins"])[:1],
        *(verdicts.half_the_pins(tables[2]) if 2 in tables else []),
        *cards[:1],
    )


def exchange_section(exchange: pd.DataFrame, has_cards: bool) -> Section:
    """Who pays whom."""
    told = "Read a row as your throw and a column as the opponent's: the number is what you gain, negative if you pay."
    if has_cards:
        told += " The rows of the doubles show their cards; a zero away from the diagonal is a truce or an equal sum."
    caption = "Pins gained by the thrower of the row from the thrower of the column, two players."
    return Section("Who pays whom", (told,), (Picture(caption, partial(pictures.exchange_map, exchange)),))


def throw_section(throws: pd.DataFrame) -> Section:
    """What each throw is worth."""
    wide = throws.pivot_table(index="throw", columns="players", values="net_pins").reindex(THROW_NAMES).reset_index()
    sizes = list(wide.columns[1:])
    wide.columns = ["throw", *(f"net_pins_{players}" for players in sizes)]
    fewest = throws[throws["players"] == throws["players"].min()]
    frame = fewest[["throw", "sum", "card", "probability"]].merge(wide, on="throw")
    frame = frame.sort_values(f"net_pins_{sizes[0]}", ascending=False)
    columns = (
        *(column for column in odds.WORTH if column.name in ("throw", "sum", "card", "probability")),
        *(Column(f"net_pins_{n}", f"net pins of {n}", "mean for one seat of as many, given the throw") for n in sizes),
    )
    table = Table("throws", "Worth of the 21 throws, best first", frame, columns, method=odds.EXACT)
    caption = "Expected net pins of a round, given the throw, when everybody can pay."
    told = verdicts.throws(fewest.set_index("throw")["net_pins"])
    if (throws["card"] != "").any():
        told.append(verdicts.doubles(throws))
    return Section(
        "What a throw is worth", tuple(told), (Picture(caption, partial(pictures.throw_chart, wide)),), (table,)
    )


CURVE = (
    *(column for column in odds.WINS if column.name == "players"),
    Column("pins", kind="key"),
    Column("others", kind="key", meaning="pins of each of the others; only divisions in which they hold exactly alike"),
    Column("share", kind="share", meaning="your part of all pins: the chance in a fair walk"),
    Column("win", kind="share"),
    Column("above", meaning="how much more you win than your share, in points", digits=2),
)


def win_section(study: Study, tables: Mapping[int, WinTable]) -> Section:
    """Win chance by pins."""
    heading = "How likely do I win with my pins?"
    if not tables:
        return Section(heading, tuple(not_solved(study, tables)))
    if study.variant.rules.pins == 1:
        return Section(heading, ("With one pin each there is only one way to hold the pins of all who are in.",))
    curves = {players: win_curve(table) for players, table in tables.items()}
    rows = pd.concat([curve.assign(players=players) for players, curve in curves.items()])
    rows = rows[[column.name for column in CURVE]]
    cut = max(float(table.unfinished.max()) for table in tables.values())
    step = max(1, len(rows) // 40)
    thinned = rows[rows.groupby("players").cumcount() % step == 0]
    thinning = f"Every {ordinal(step)} row of each number of players." if step > 1 else ""
    remark = thinning + odds.limit_note(cut, study.variant.rules)
    title = "Chance to win by pins held, the others holding the same"
    table = Table("win", title, thinned, CURVE, method=odds.CHAIN, remark=remark.strip())
    drawn = [Picture(f"{title.replace('pins held', 'the share of all pins')}.", partial(pictures.win_chart, curves))]
    if 3 in tables and len(tables[3].pins) > 20:
        caption = "Three players: chance of seat 1 to win for every division of the pins. At a corner one seat holds nearly all."
        drawn.append(Picture(caption, partial(pictures.triangle, tables[3].pins, tables[3].win[:, 0])))
    gaps = [np.abs(table.win - table.pins / table.pins.sum(axis=1, keepdims=True)).max() for table in tables.values()]
    told: list[Sentence] = [
        f"Your chance to win lies within {verdicts.ceiling(100 * float(max(gaps)))} points of your share of the pins, in every "
        f"position that is solved ({listed([WORDS[players] for players in tables])} players).",
        *(claim for players, table in tables.items() for claim in verdicts.underdogs(players, table)),
    ]
    if 2 in tables:
        told += verdicts.half_the_pins(tables[2])
    if cut > odds.SHOWN:
        told.append(f"From some divisions up to {in_percent(cut)} of the games are cut off and won by nobody.")
    return Section(heading, tuple(told), tuple(drawn), (table,))


def ordinal(number: int) -> str:
    """``second``, ``third``, ``4th``."""
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def win_curve(table: WinTable) -> pd.DataFrame:
    """Win chance of a seat for every division in which all others hold the same."""
    others = table.pins[:, 1:]
    alike = others.max(axis=1) == others.min(axis=1)
    share = table.pins[alike, 0] / table.pins[0].sum()
    win = table.win[alike, 0]
    cells = {"pins": table.pins[alike, 0], "others": others[alike, 0], "share": share, "win": win}
    return pd.DataFrame({**cells, "above": 100 * (win - share)})


def lead_section(batches: Mapping[int, Batch], sheet: Mapping[str, Table]) -> Section:
    """Leads, comebacks, suspense."""
    frame = sheet["snowball"].frame
    half = frame[(frame["after"] == "2/4") & frame["leader_wins"].notna()]
    told = [
        f"Half-way through a {WORDS[row.players]}-player game, the leader holds {100 * row.leader_holds:.0f} % of the pins and "
        f"goes on to win {100 * row.leader_wins:.1f} % of the games."
        for row in half.itertuples()
    ] or ["No finished game had a sole leader half-way through."]
    told.append(
        "Nobody at the table knows when half-way is, so these numbers describe finished games. For what a lead is worth during "
        "play, see the exact win chances above."
    )
    back = sheet["tension"].frame
    back = back[(back["quantity"] == "comeback_half") & back["value"].notna()]
    if len(back):
        shares = listed([f"{100 * row.value:.0f} % with {WORDS[row.players]}" for row in back.itertuples()])
        told.append(f"The winner had once been down to half of the starting pins or fewer in {shares} players.")
    caption = "How often the sole leader after each quarter of a game wins it."
    drawn = [Picture(caption, partial(pictures.snowball_chart, frame))]
    counts = {n: played.histograms["comeback"] for n, played in batches.items() if played.unfinished < played.games}
    if counts:
        unfinished = {n: batches[n].unfinished for n in counts}
        caption = "Fewest pins that the later winner ever held: how deep winners fall."
        drawn.append(Picture(caption, partial(pictures.comeback_chart, counts, unfinished)))
    shown = [sheet["snowball"], compact.quantities(sheet["tension"]), *([sheet["drama"]] if "drama" in sheet else [])]
    return Section("Leads and comebacks", tuple(told), tuple(drawn), tuple(shown))


def card_section(study: Study, table: Table | None) -> Section:
    """What the cards are worth."""
    heading = "What the cards are worth"
    if not study.variant.rules.cards:
        return Section(heading, ("This variant has no cards.",))
    if table is None:
        told = f"With more than {balance.CARDS_PINS} pins each, what a single card is worth is not solved."
        return Section(heading, (told,))
    caption = "What it costs you, in points of win chance, if your card alone has no text."
    drawn = Picture(caption, partial(pictures.card_chart, table.frame))
    return Section(heading, (*verdicts.cards(table.frame), verdicts.card_length(table.frame)), (drawn,), (table,))


ROUNDS = (
    *(column for column in odds.WINS if column.name == "players"),
    *(Column(name) for name in ("mean", "sd", "median", "p95")),
)


def length_section(study: Study, solved: Mapping[int, Solution], tension: pd.DataFrame) -> Section:
    """How long a game takes."""
    rules = study.variant.rules
    played = tension[(tension["quantity"] == "rounds") & ~tension["players"].isin(list(solved))]
    told = [
        f"Half of {WORDS[players]}-player games are over by round {found.rounds_median}, "
        + (
            f"one in twenty goes on past round {found.rounds_p95}."
            if found.rounds_p95 < rules.max_rounds
            else f"{in_percent(found.unfinished)} are cut off after round {rules.max_rounds:,}."
        )
        for players, found in solved.items()
    ]
    told += [
        f"Simulated {WORDS[row.players]}-player games last {row.value:,.1f} rounds on average."
        for row in played.itertuples()
    ]
    said = (" ".join(told), *minutes(tension), *cut_off(study, solved, tension), *not_solved(study, solved))
    if not solved:
        return Section(sentences=said)
    rows = [
        {
            "players": players,
            "mean": found.rounds_mean,
            "sd": found.rounds_sd,
            "median": found.rounds_median,
            "p95": found.rounds_p95,
            "unfinished": found.unfinished,
        }
        for players, found in solved.items()
    ]
    cut = max(found.unfinished for found in solved.values())
    worst = max(1e-12, *(found.rounds_mean_error for found in solved.values()))
    method = f"{odds.CHAIN[:-1]}, error of the mean below {worst:.0e}."
    columns = (*ROUNDS, odds.UNFINISHED) if cut > odds.SHOWN else ROUNDS
    remark = odds.limit_note(cut, rules).strip()
    table = Table.of("length", "Rounds to the end", columns, rows, method=method, remark=remark)
    caption = "Chance that the game ends in a round, by number of players."
    return Section("", said, (Picture(caption, partial(pictures.length_chart, solved)),), (table,))


def cut_off(study: Study, solved: Mapping[int, Solution], tension: pd.DataFrame) -> list[str]:
    """How many games meet the limit of rounds, if any do."""
    cut = tension[(tension["quantity"] == "completion") & (tension["value"] < 1)]
    return [
        f"With {WORDS[row.players]} players {in_percent(1 - row.value)} of the simulated games were cut off after "
        f"{study.variant.rules.max_rounds:,} rounds and had no winner"
        + (f" (exactly: {in_percent(solved[row.players].unfinished)})" if row.players in solved else "")
        + ". Exact and simulated numbers count them alike."
        for row in cut.itertuples()
    ]


def reading_section(study: Study, sheet: Mapping[str, Table]) -> Section:
    """What the ambiguous rules change."""
    shown = tuple(sheet[name] for name in ("rulings", "rulings_4") if name in sheet)
    if "rulings" not in sheet:
        told = "Other readings of this variant take too long to solve exactly; four-player games on the same dice tell."
        return Section("", (told, *of_four(study, sheet)), (), shown)
    frame = sheet["rulings"].frame
    most = frame["players"].max()
    others = frame[(frame["players"] == most) & (frame["rule"] != "(as set)")]
    caption = f"Change of the mean length under each other reading, {WORDS[most]} players."
    drawn = Picture(caption, partial(pictures.reading_chart, others))
    return Section("", (verdicts.readings(frame), *of_four(study, sheet)), (drawn,), shown)


def of_four(study: Study, sheet: Mapping[str, Table]) -> list[Sentence]:
    """What the simulated four-player games say of the readings, if there are any."""
    if "rulings_4" not in sheet:
        return []
    asked = verdicts.readings_of_four(sheet["rulings_4"], study)
    return [*([asked] if asked else []), verdicts.other_winners(sheet["rulings_4"])]


def seat_section(table: Table, solved: Mapping[int, Solution]) -> Section:
    """Seat shares, and whether chance explains how they differ."""
    frame = table.frame
    fair = 1 / frame["players"]
    outside = int(((frame["low"] > fair) | (frame["high"] < fair)).sum())
    told = (
        "Everybody throws at once, and the rules turn with the table. Of the simulated 95 % intervals, "
        f"{outside} of {len(frame)} miss the even share; about one in twenty is expected to."
    )
    return Section("", (*verdicts.fair(solved), told), (), (table,))
