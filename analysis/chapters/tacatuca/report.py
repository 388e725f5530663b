"""The report on Tacatuca: the answers first, then tables and pictures."""

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from analysis import figures
from analysis.catalogue import checks_table, readings_table
from analysis.chapter import Picture, Section, Study
from analysis.chapters.tacatuca import balance, odds, verdicts
from analysis.chapters.tacatuca.answers import checks, in_percent
from analysis.claims import Sentence
from analysis.tables import Table
from analysis.verdicts import WORDS
from sims.engine.batch import Batch
from sims.engine.errors import InputError
from sims.tacatuca.exact import Solution, WinTable
from sims.tacatuca.rules import THROW_NAMES


def sections(study: Study) -> Iterator[Section]:
    """All sections of the page, in order."""
    solved, tables = solutions(study)
    throws, exchange = odds.throws(study).frame, odds.exchange(study).frame
    batches = balance.batches(study)
    sheet = dict(balance.sheet(study, batches).tables)

    yield in_short(study, solved, tables, throws, sheet)
    yield exchange_section(exchange, bool(study.variant.rules.cards))
    yield throw_section(throws)
    yield win_section(study, tables)
    yield length_section(study, solved, sheet["tension"].frame)
    yield lead_section(batches, sheet)
    yield card_section(study, sheet.get("cards"))
    yield ruling_section(study, sheet)
    yield seat_section(sheet["seats"], solved)
    yield trust_section(study)


def solutions(study: Study) -> tuple[dict[int, Solution], dict[int, WinTable]]:
    """What is solved exactly, by number of players: as much as is in proportion to the games asked for."""
    rules = study.variant.rules
    solved, tables = {}, {}
    for players in odds.quick(study):
        # cards far from the printed ones may ask for more memory than the solver takes
        with suppress(InputError):
            found = odds.solution(study, rules, (rules.pins,) * players), odds.every_state(study, players)
            solved[players], tables[players] = found
    return solved, tables


def not_solved(study: Study, solved: Container[int]) -> list[str]:
    """The sentence that names the numbers of players whose games are not solved exactly on this page, if there are any."""
    pins = study.variant.rules.pins
    missing = [players for players in balance.PLAYERS if players not in solved]
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
    study: Study,
    solved: dict[int, Solution],
    tables: dict[int, WinTable],
    throws: pd.DataFrame,
    sheet: dict[str, Table],
) -> Section:
    """The answers, in sentences made from the numbers."""
    pins = study.variant.rules.pins
    tension = sheet["tension"].frame
    played = tension[tension["quantity"] == "rounds"].set_index("players")["value"]
    means = {n: solved[n].rounds_mean if n in solved else played[n] for n in sorted({*solved, *played.index})}
    lengths = verdicts.spoken([f"{mean:.1f} with {WORDS[players]}" for players, mean in means.items()])
    simulated = verdicts.spoken([WORDS[n] for n in means if n not in solved]) if means.keys() - solved.keys() else ""
    sentences: list[Sentence] = [
        "Nobody decides anything in Tacatuca, so its odds can be counted instead of guessed. Rounds in a game, on average: "
        f"{lengths} players" + (f" (simulated for {simulated})." if simulated else "."),
        *verdicts.fair(solved),
        *verdicts.throws(throws[throws["players"] == 2].set_index("throw")["net_pins"]),
        *(verdicts.half_the_pins(tables[2], pins) if 2 in tables else []),
        *(verdicts.cards(sheet["cards"].frame) if "cards" in sheet and len(sheet["cards"].frame) else []),
    ]
    cut = tension[(tension["quantity"] == "unfinished") & (tension["value"] > 0)]
    for row in cut.itertuples():
        sentences.append(
            f"With {WORDS[row.players]} players {in_percent(row.value)} of the simulated games were cut off after "
            f"{study.variant.rules.max_rounds:,} rounds and had no winner"
            + (f" (exactly: {in_percent(solved[row.players].unfinished)})" if row.players in solved else "")
            + ". Exact and simulated numbers count them alike."
        )
    return Section("In short", (*sentences, *not_solved(study, solved)))


def exchange_section(exchange: pd.DataFrame, has_cards: bool) -> Section:
    """Who pays whom."""
    sentence = (
        "Read a row as your throw and a column as the opponent's: the number is what you gain, negative if you pay."
    )
    if has_cards:
        sentence += (
            " The rows of the doubles show their cards; a zero away from the diagonal is a truce or an equal sum."
        )
    caption = "Pins gained by the thrower of the row from the thrower of the column, two players."
    return Section("Who pays whom", (sentence,), (Picture(caption, partial(exchange_map, exchange)),))


def lead_section(batches: Mapping[int, Batch], sheet: dict[str, Table]) -> Section:
    """Leads, comebacks, decisiveness."""
    frame = sheet["snowball"].frame
    half = frame[(frame["after"] == "2/4") & frame["leader_wins"].notna()]
    sentences = [
        f"Half-way through a {WORDS[row.players]}-player game, the leader holds {100 * row.leader_holds:.0f} % of the pins and "
        f"goes on to win {100 * row.leader_wins:.1f} % of the games."
        for row in half.itertuples()
    ] or ["No finished game had a sole leader half-way through."]
    sentences.append(
        "Nobody at the table knows when half-way is, so these numbers describe finished games. For what a lead is worth during "
        "play, see the exact win chances above."
    )
    back = sheet["tension"].frame
    back = back[(back["quantity"] == "comeback_half") & back["value"].notna()]
    if len(back):
        told = verdicts.spoken([f"{100 * row.value:.0f} % with {WORDS[row.players]}" for row in back.itertuples()])
        sentences.append(f"The winner had once been down to half of the starting pins or fewer in {told} players.")
    counts = {n: played.histograms["comeback"] for n, played in batches.items() if played.unfinished < played.games}
    pictures = [
        Picture(
            "How often the sole leader after each quarter of a game wins it.",
            partial(snowball_chart, frame),
        )
    ]
    if counts:
        unfinished = {n: batches[n].unfinished for n in counts}
        pictures.append(
            Picture(
                "Fewest pins that the later winner ever held: how deep winners fall.",
                partial(comeback_chart, counts, unfinished),
            )
        )
    return Section("Leads and comebacks", tuple(sentences), tuple(pictures), (sheet["snowball"], sheet["tension"]))


def seat_section(table: Table, solved: Mapping[int, Solution]) -> Section:
    """Seat shares, and whether chance explains how they differ."""
    frame = table.frame
    fair = 1 / frame["players"]
    outside = int(((frame["low"] > fair) | (frame["high"] < fair)).sum())
    sentence = (
        "Everybody throws at once, and the rules turn with the table. Of the simulated 95 % intervals, "
        f"{outside} of {len(frame)} miss the even share; about one in twenty is expected to."
    )
    return Section("Does the seat matter?", (*verdicts.fair(solved), sentence), (), (table,))


def trust_section(study: Study) -> Section:
    """Known answers."""
    heading = "Can these numbers be trusted?"
    found = [(study.game.name, check) for check in checks(study)]
    if not found:
        return Section(
            heading, ("No game of this variant is solved exactly, so that there is no known answer to meet.",)
        )
    passed = sum(check.passed for _, check in found)
    verdict = (
        f"All {passed} known answers are met"
        if passed == len(found)
        else f"Only {passed} of {len(found)} known answers are met"
    )
    return Section(
        heading,
        (
            f"{verdict}: exact values found by two methods must agree within what both guarantee, simulated ones must lie "
            "within four standard errors of the exact ones.",
        ),
        (),
        (checks_table(found, study.seed),),
    )


def throw_section(throws: pd.DataFrame) -> Section:
    """What each throw is worth."""
    wide = throws.pivot_table(index="throw", columns="players", values="net_pins").reindex(THROW_NAMES).reset_index()
    wide.columns = ["throw", *(f"net_pins_{players}" for players in wide.columns[1:])]
    with_cards = bool((throws["card"] != "").any())
    first = throws[throws["players"] == throws["players"].min()][["throw", "sum", "card", "probability"]]
    frame = first.merge(wide, on="throw").sort_values("net_pins_2", ascending=False)
    table = Table(
        "throws",
        "Worth of the 21 throws, best first",
        frame,
        True,
        odds.EXACT + " Net pins of one seat among two, three and four, given the throw.",
        percent=("probability",),
        headings={f"net_pins_{n}": f"net pins of {n}" for n in (2, 3, 4)},
    )
    picture = Picture(
        "Expected net pins of a round, given the throw, when everybody can pay.", partial(throw_chart, wide)
    )
    return Section("What a throw is worth", (verdicts.doubles(throws),) if with_cards else (), (picture,), (table,))


def win_section(study: Study, tables: dict[int, WinTable]) -> Section:
    """Win chance by pins."""
    heading = "How likely do I win with my pins?"
    if not tables:
        return Section(heading, tuple(not_solved(study, tables)))
    if study.variant.rules.pins == 1:
        return Section(heading, ("With one pin each there is only one way to hold the pins of all who are in.",))
    curves = {players: win_curve(table) for players, table in tables.items()}
    rows = pd.concat([curve.assign(players=players) for players, curve in curves.items()])
    rows = rows[["players", "pins", "others", "share", "win", "above"]]
    cut = max(float(table.unfinished.max()) for table in tables.values())
    # every second pin of a long list is enough to read
    thinned = rows[rows.groupby("players").cumcount() % max(1, len(rows) // 40) == 0]
    table = Table(
        "win",
        "Chance to win by pins held, the others holding alike",
        thinned,
        True,
        "Exact: absorbing Markov chains. Only divisions in which the others hold exactly alike. 'share' is your part of all "
        "pins, the chance in a fair walk; 'above' how much you win beyond it, in points."
        + odds.limit_note(cut, study.variant.rules),
        percent=("share", "win"),
        decimals={"above": 2},
    )
    pictures = [
        Picture("Chance to win by the share of all pins held, the others holding alike.", partial(win_chart, curves))
    ]
    if 3 in tables and len(tables[3].pins) > 20:
        pictures.append(
            Picture(
                "Three players: chance of seat 1 to win for every division of the pins. At a corner one seat holds nearly all.",
                partial(triangle, tables[3].pins, tables[3].win[:, 0]),
            )
        )
    most = max(
        float(np.abs(table.win - table.pins / table.pins.sum(axis=1, keepdims=True)).max()) for table in tables.values()
    )
    sentences: list[Sentence] = [
        f"Your chance to win lies within {verdicts.ceiling(100 * most)} points of your share of the pins, in every position that "
        f"is solved ({verdicts.spoken([WORDS[players] for players in tables])} players).",
        *(claim for players, table in tables.items() for claim in verdicts.underdogs(players, table)),
    ]
    if cut > odds.SHOWN:
        sentences.append(f"From some divisions up to {in_percent(cut)} of the games are cut off and won by nobody.")
    return Section(heading, tuple(sentences), tuple(pictures), (table,))


def win_curve(table: WinTable) -> pd.DataFrame:
    """Win chance of a seat for every division in which all others hold alike."""
    others = table.pins[:, 1:]
    alike = others.max(axis=1) == others.min(axis=1)
    share = table.pins[alike, 0] / table.pins[0].sum()
    win = table.win[alike, 0]
    return pd.DataFrame(
        {
            "pins": table.pins[alike, 0],
            "others": others[alike, 0],
            "share": share,
            "win": win,
            "above": 100 * (win - share),
        }
    )


def length_section(study: Study, solved: dict[int, Solution], tension: pd.DataFrame) -> Section:
    """How long a game takes."""
    heading, rules = "How long does it take?", study.variant.rules
    played = tension[(tension["quantity"] == "rounds") & ~tension["players"].isin(list(solved))]
    sentences = [
        f"Half of {WORDS[players]}-player games are over by round {found.rounds_median}, "
        + (
            f"one in twenty goes on past round {found.rounds_p95}."
            if found.rounds_p95 < rules.max_rounds
            else f"{in_percent(found.unfinished)} are cut off after round {rules.max_rounds:,}."
        )
        for players, found in solved.items()
    ]
    sentences += [
        f"Simulated {WORDS[row.players]}-player games last {row.value:,.1f} rounds on average."
        for row in played.itertuples()
    ]
    told = (" ".join(sentences), *not_solved(study, solved))
    if not solved:
        return Section(heading, told)
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
    frame, cut = pd.DataFrame(rows), max(found.unfinished for found in solved.values())
    worst = max(1e-12, *(found.rounds_mean_error for found in solved.values()))
    note = f"Exact: absorbing Markov chains, error of the mean below {worst:.0e}." + odds.limit_note(cut, rules)
    shown = frame if cut > odds.SHOWN else frame.drop(columns="unfinished")
    table = Table("length", "Rounds to the end", shown, True, note, percent=("unfinished",))
    picture = Picture("Chance that the game ends in a round, by number of players.", partial(length_chart, solved))
    return Section(heading, told, (picture,), (table,))


def card_section(study: Study, table: Table | None) -> Section:
    """What the cards are worth."""
    if not study.variant.rules.cards:
        return Section("What the cards are worth", ("This variant has no cards.",))
    if table is None:
        told = f"With more than {balance.CARDS_PINS} pins each, what a single card is worth is not solved."
        return Section("What the cards are worth", (told,))
    return Section(
        "What the cards are worth",
        (verdicts.card_length(table.frame),),
        (
            Picture(
                "What it costs you, in points of win chance, if your card alone has no text.",
                partial(card_chart, table.frame),
            ),
        ),
        (table,),
    )


def ruling_section(study: Study, sheet: dict[str, Table]) -> Section:
    """What the ambiguous rules change."""
    heading = "Do the ambiguous rules matter?"
    if "rulings" not in sheet:
        told = "Other readings of this variant take too long to solve exactly; four-player games on the same dice tell."
        shown = [readings_table(study.variant), *([sheet["rulings_4"]] if "rulings_4" in sheet else [])]
        return Section(heading, (told, *of_four(study, sheet)), (), tuple(shown))
    frame = sheet["rulings"].frame
    most_players = frame["players"].max()
    others = frame[(frame["players"] == most_players) & (frame["ruling"] != "(as set)")]
    picture = Picture(
        f"Change of the mean length under each other reading, {WORDS[most_players]} players.",
        partial(ruling_chart, others),
    )
    tables = [readings_table(study.variant), sheet["rulings"], *([sheet["rulings_4"]] if "rulings_4" in sheet else [])]
    said = (verdicts.readings(frame), *of_four(study, sheet))
    return Section(heading, said, (picture,), tuple(tables))


def of_four(study: Study, sheet: Mapping[str, Table]) -> list[Sentence]:
    """What the simulated four-player games say of the readings, if there are any."""
    if "rulings_4" not in sheet:
        return []
    asked = verdicts.readings_of_four(sheet["rulings_4"], study.seed)
    return [*([asked] if asked else []), verdicts.other_winners(sheet["rulings_4"])]


# -- pictures --------------------------------------------------------------------------------------------------


def exchange_map(frame: pd.DataFrame) -> Figure:
    """The exchange table as a heat map."""
    matrix = frame.pivot_table(index="throw", columns="opponent", values="pins").loc[
        list(THROW_NAMES), list(THROW_NAMES)
    ]
    ax = figures.heat_map(
        matrix.to_numpy(float), THROW_NAMES, THROW_NAMES, xlabel="opponent's throw", ylabel="your throw",
        label="pins you gain", diverging=True, write=lambda pins: f"{pins:+.0f}" if pins else "0", ax=figures.new(8.4, 7.6),
    )  # fmt: skip
    ax.tick_params(axis="x", rotation=90)
    return figures.figure_of(ax)


def throw_chart(frame: pd.DataFrame) -> Figure:
    """Net pins of each throw for two, three and four players."""
    ax = figures.new(7.6, 4.4)
    rows = np.arange(len(frame))
    for number, players in enumerate((2, 3, 4)):
        ax.plot(rows, frame[f"net_pins_{players}"], marker="os^"[number], linestyle="none", label=f"{players} players")
    ax.axhline(0, color=figures.INK, linewidth=1)
    ax.set_xticks(rows, frame["throw"], rotation=90)
    ax.set(xlabel="throw", ylabel="net pins in a round")
    ax.legend()
    return figures.figure_of(ax)


def win_chart(curves: dict[int, pd.DataFrame]) -> Figure:
    """Win chance against the share of the pins, and how far it lies from a fair walk."""
    figure = Figure(figsize=(8.4, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    for (players, curve), line in zip(curves.items(), ("-", "--", "-."), strict=False):
        left.plot(curve["share"], curve["win"], linestyle=line, linewidth=2, label=f"{players} players")
        right.plot(curve["share"], curve["above"], linestyle=line, linewidth=2)
    left.plot([0, 1], [0, 1], color=figures.INK, linewidth=1, linestyle=":", label="fair walk")
    left.legend()
    left.set_ylabel("chance to win")
    right.set_ylabel("points above a fair walk")
    right.axhline(0, color=figures.INK, linewidth=1, linestyle=":")
    left.yaxis.set_major_formatter(PercentFormatter(1.0))
    for ax in (left, right):
        ax.set_xlabel("share of all pins held")
        ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    return figure


def triangle(pins: np.ndarray, win: np.ndarray) -> Figure:
    """Win chance of seat 1 over all divisions of the pins of three players, in barycentric coordinates."""
    share = pins / pins.sum(axis=1, keepdims=True)
    corners = np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])
    x, y = (share @ corners).T
    ax = figures.new(6.4, 5.4)
    filled = ax.tricontourf(x, y, win, levels=np.linspace(0, 1, 21), cmap=figures.SHARE_MAP)
    lines = ax.tricontour(x, y, win, levels=np.arange(0.1, 1.0, 0.1), colors="white", linewidths=0.7)
    ax.clabel(lines, fmt=lambda level: f"{100 * level:.0f} %", fontsize=8)
    for (right, up), name, place in zip(
        corners, ("seat 1", "seat 2", "seat 3"), ((0, 8), (-8, -14), (8, -14)), strict=True
    ):
        ax.annotate(
            f"{name} holds all", (right, up), place, textcoords="offset points", ha="center", annotation_clip=False
        )
    ax.set_aspect("equal")
    ax.margins(0.14)
    ax.axis("off")
    figures.figure_of(ax).colorbar(
        filled, ax=ax, label="chance of seat 1 to win", format=PercentFormatter(1.0), shrink=0.8
    )
    return figures.figure_of(ax)


def length_chart(solved: dict[int, Solution]) -> Figure:
    """Distribution of rounds."""
    ax = figures.new()
    for players, found in solved.items():
        figures.step_distribution(
            range(len(found.ended)),
            found.ended,
            xlabel="round in which the game ends",
            label=f"{players} players",
            ax=ax,
        )
    ax.set_xlim(0, max(found.rounds_quantile(0.97) for found in solved.values()))
    return figures.figure_of(ax)


def snowball_chart(frame: pd.DataFrame) -> Figure:
    """Leader's win rate after each quarter."""
    ax = figures.new()
    for number, (players, rows) in enumerate(frame.groupby("players")):
        place, colour = np.arange(len(rows)) + 0.08 * (number - 1), figures.COLOURS[number]
        error = [rows["leader_wins"] - rows["low"], rows["high"] - rows["leader_wins"]]
        label = f"{players} players"
        ax.errorbar(place, rows["leader_wins"], yerr=error, fmt="os^"[number], color=colour, label=label, capsize=3)
    ax.set_xticks(range(3), ["a quarter", "half", "three quarters"])
    ax.set(xlabel="of the game is played", ylabel="the leader wins")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend(loc="lower right", fontsize=9)
    return figures.figure_of(ax)


def comeback_chart(counts: dict[int, np.ndarray], unfinished: dict[int, int]) -> Figure:
    """Distribution of the fewest pins that the winner ever held."""
    ax = figures.new()
    for players, count in counts.items():
        # unfinished games hold 0, which no winner ever does
        shares = count[1:] / (count.sum() - unfinished[players])
        last = int(np.flatnonzero(count)[-1])
        figures.step_distribution(
            range(1, last + 1),
            shares[:last],
            xlabel="fewest pins the winner ever held",
            label=f"{players} players",
            ax=ax,
        )
    return figures.figure_of(ax)


def card_chart(frame: pd.DataFrame) -> Figure:
    """Worth of each card."""
    labels = [f"{row.card} ({row.throw})" for row in frame.itertuples()]
    ax = figures.interval_bars(labels, 100 * frame["worth"], xlabel="points of win chance, two players")
    return figures.figure_of(ax)


def ruling_chart(frame: pd.DataFrame) -> Figure:
    """Change of length by reading."""
    labels = [f"{row.ruling} = {row.reading}" for row in frame.itertuples()]
    ax = figures.interval_bars(labels, 100 * frame["change"], xlabel="change of the mean length in %", reference=0)
    return figures.figure_of(ax)
