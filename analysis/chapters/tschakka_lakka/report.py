"""The report on Tschakka Lakka: the answers first, then tables and pictures."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis import frames
from analysis.balance import policies
from analysis.catalogue import checks_table, readings_table
from analysis.chapter import Picture, Section, Study
from analysis.chapters.tschakka_lakka import balance, odds, pictures, sampled
from analysis.chapters.tschakka_lakka.answers import checks
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.variant import other_readings
from sims.tschakka_lakka import board
from sims.tschakka_lakka.card import CARD
from sims.tschakka_lakka.rules import Rules

PLAYERS = 4
#: Columns of the readings on the page, in this order.
SHOWN = ["rule", "reading", "rounds", "change_in_rounds", "low", "high", "points", "busts", "majorities_decide"]
SHOWN += ["other_winners", "games", "seed"]
WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
#: Win rates of two seats that lie no further apart make hardly a difference.
LITTLE = 0.02


def sections(study: Study) -> Iterator[Section]:
    """All sections of the page, in order."""
    games = odds.solved_games(study)
    made, _ = sampled.decisions(study, PLAYERS, games)
    turn, limits = odds.turn_table(study, made, games, PLAYERS), odds.stop_limits(made)
    by_rule = sampled.decisions(study, PLAYERS, max(sampled.MIN_GAMES, games // 4), limits)
    rule = odds.stop_rule(study, limits, *by_rule)
    thumb = odds.thumb(study)
    batches = balance.whole_games(study)
    tables = dict(balance.sheet_of(study, batches).tables)
    best = {batch.players: batch for batch in batches.values() if policies(batch) == sampled.STRONGEST}

    yield in_short(study, rule, thumb, tables)
    yield temple_section(study, best[PLAYERS])
    yield bust_section(study)
    if not turn.frame.empty and not rule.frame.empty:
        yield stop_section(turn, rule)
    yield thumb_section(thumb)
    yield opening_section(study)
    yield skill_section(tables)
    yield course_section(tables, best)
    yield reading_section(study, tables["rulings"])
    yield seat_section(tables["seats"])
    yield trust_section(study)


def strongest(table: Table) -> pd.DataFrame:
    """The rows of the strongest policy."""
    return table.frame[table.frame["policy"] == sampled.STRONGEST] if "policy" in table.frame else table.frame


def of_strongest(table: Table) -> Table:
    """The table with the rows of the strongest policy only."""
    frame = strongest(table)
    note = table.note.replace("games by row", f"{frame['games'].max():,} games")
    return replace(
        table,
        frame=frame.drop(columns="policy", errors="ignore"),
        note=f"{note} All seats play '{sampled.STRONGEST}'.",
    )


def in_short(study: Study, rule: Table, thumb: Table, tables: dict[str, Table]) -> Section:
    """The answers, in sentences made from the numbers."""
    sentences = (
        stop_advice(study, rule),
        caution_sentence(thumb),
        f"Five lines to remember, the card below, come within {card_row(thumb).loss:.2f} points per turn of best play.",
        skill_sentence(tables),
        tower_sentence(tables),
        reading_sentence(tables["rulings"]),
        origin_sentence(study),
    )
    return Section("In short", tuple(filter(None, sentences)))


def stop_advice(study: Study, rule: Table) -> str:
    """When to stop, and what it costs to look at nothing else."""
    if rule.frame.empty:
        why = odds.no_decisions(study, odds.solved_games(study))
        return f"Roll again or stop? There is nothing to tell: {why}."
    return (
        f"Roll again or stop? {stop_sentence(rule)} Gems and the colours in reach can change the answer, but a player who "
        f"decides by this alone and places their dice best loses only {rule.frame['costs'].sum():.2f} points per turn."
    )


def caution_sentence(thumb: Table) -> str:
    """Best play against stopping at the first treasure."""
    exact, shy = thumb.frame.iloc[0], thumb.frame.set_index("policy").loc["timid"]
    said = (
        f"Best play collects {exact.points:.2f} points per turn and busts in {100 * exact.bust:.0f} % of its turns. A player "
        f"who stops at the first treasure busts in {100 * shy.bust:.0f} % and collects {shy.points:.2f}"
    )
    return f"{said}: too much caution costs points." if shy.low > 0 else f"{said}."


def skill_sentence(tables: dict[str, Table]) -> str:
    """How often the strongest policy wins, and what the dice leave to it."""
    won = tables["skill"].frame.set_index(["players", "against"]).loc[2]
    luck = tables["luck"].frame.set_index(["field", "result"])["dice_share"]
    said = (
        f"'{sampled.STRONGEST}' plays the exact turn and counts the towers too; in two-player games it wins "
        f"{100 * won.loc['card', 'win_rate']:.0f} % against the card and {100 * won.loc['timid', 'win_rate']:.0f} % against a "
        "player who stops at the first treasure."
    )
    if won.loc["timid", "low"] > 1 / 2:
        said = f"Skill counts: {said}"
    if luck.notna()["sensible", "win"]:
        said += (
            f" Among sensible players the dice make {100 * luck['sensible', 'win']:.0f} % of the variance of winning."
        )
    return said


def tower_sentence(tables: dict[str, Table]) -> str:
    """How often the majorities change who wins."""
    share = quantity(tables, PLAYERS, "majorities_decide")
    if share == 0:
        return "In these four-player games the towers never change who wins."
    return f"The towers matter: in four-player games, majorities change who wins in {100 * share:.0f} % of the games."


def quantity(tables: dict[str, Table], players: int, name: str) -> float:
    """A quantity of the games of the strongest policy."""
    return float(strongest(tables["course"]).set_index(["players", "quantity"])["value"][players, name])


def reading_sentence(readings: Table) -> str:
    """The unclear sentence that matters most."""
    found = largest_change(readings)
    if found is None:
        return "None of the unclear sentences changes the length of a four-player game by more than chance does here."
    most, change = found
    return (
        f"Of the unclear sentences the one on {most['rule']} matters most: read as '{most['reading']}', it makes a "
        f"four-player game {longer(change)}."
    )


def origin_sentence(study: Study) -> str:
    """What is known of the boxed game's temple, and what is guessed."""
    if study.variant.rules.board != Rules().board:
        return (
            "This temple is not that of the box, where the places of the gems are a reconstruction: what is said here holds "
            "for this one only."
        )
    said = "The places of the gems are a reconstruction, the only regular one that fits the rulebook"
    measured = {reading for name, reading, _ in other_readings(study.variant) if name == "sizes"}
    if study.variant.rules.sizes == Rules().sizes:
        said += (
            ", and so are the numbers of small, medium and large treasures, of which "
            f"{WORDS[len(measured)]} others are measured below; the owner of a box can correct both"
        )
    return f"{said}."


def stop_sentence(rule: Table) -> str:
    """The best rule by dice and points, in words."""
    limits = [(row.dice, row.stop_from) for row in rule.frame.itertuples() if row.stop_from != "never"]
    said = [f"with {WORDS.get(dice, dice)} at {points}" for dice, points in limits]
    if not said:
        return "Always roll."
    first, *rest = said
    unit = "point" if limits[0][1] == "1" else "points"
    first = first.replace(" at ", " die left at " if limits[0][0] == 1 else " dice left at ") + f" {unit} or more"
    return f"Stop {', '.join([first, *rest])}; otherwise roll."


def changed_rounds(readings: Table) -> pd.DataFrame:
    """The other readings, with what they change in the length of a game of the strongest policy."""
    rows = strongest(readings)
    return rows[rows["rule"] != "(as set)"]


def largest_change(readings: Table) -> tuple[Any, float] | None:
    """The reading that changes the length most, and by how many rounds; None if none does so beyond its interval."""
    rounds = changed_rounds(readings)
    rounds = rounds[(rounds["low"] > 0) | (rounds["high"] < 0)]
    if rounds.empty:
        return None
    row = rounds.loc[rounds["change_in_rounds"].abs().idxmax()]
    return row, float(row["change_in_rounds"])


def longer(rounds: float) -> str:
    """``1.2 rounds longer``."""
    return f"{abs(rounds):.1f} rounds {'longer' if rounds > 0 else 'shorter'}"


def temple_section(study: Study, batch: Batch) -> Section:
    """Where treasures go first, and when gems go."""
    plan = board.load(study.variant.rules.board)
    games = max(sampled.MIN_GAMES, batch.games // 2)
    last = frames.quantile(batch, "rounds", 0.95) or 1
    mean = frames.mean(batch, "rounds").value
    # with a few very long games half of the mean may lie beyond nearly all games
    half = min(max(1, round(mean / 2)), last)
    when = f"After round {half}, about half of a {WORDS[batch.players]}-player game," if mean >= 2 else "After round 1,"
    treasures, gems = sampled.emptied(study, batch.lineup, games, last)
    gone = {
        kind: np.mean([gems[board.number((gem.row, gem.column)), half] for gem in plan.gems if gem.kind == kind])
        for kind in board.GEM_KINDS
        if any(gem.kind == kind for gem in plan.gems)
    }
    return Section(
        "Where treasures go first",
        (
            f"{spot(plan, treasures[:, half])} {when} "
            f"{100 * np.mean([treasures[board.number(at), half] for at in plan.chambers]):.0f} % of the treasures are gone, "
            + " and ".join(f"{100 * share:.0f} % of the {kind} gems" for kind, share in gone.items())
            + ".",
        ),
        (
            Picture(
                f"Share of games, in percent, in which a treasure (square) or a gem (diamond) is gone after round {half}; "
                f"{batch.players} players, all '{policies(batch)}', {games:,} games.",
                partial(pictures.temple, plan, treasures[:, half], gems[:, half]),
            ),
            Picture(
                "What is still in the temple after each round; games that are over count with what they left.",
                partial(pictures.emptying, plan, treasures, gems),
            ),
        ),
    )


def spot(plan: board.Board, gone: Any) -> str:
    """Whether the middle of the temple is emptied before its edge, by ring around the centre."""
    middle = np.mean(plan.chambers, axis=0)
    rings: dict[float, list[float]] = {}
    for at in plan.chambers:
        ring = float(np.max(np.abs(np.array(at) - middle)))
        rings.setdefault(ring, []).append(gone[board.number(at)])
    if len(rings) < 2:
        return ""
    shares = {ring: float(np.mean(found)) for ring, found in rings.items()}
    inner, outer = shares[min(shares)], shares[max(shares)]
    if inner == outer:
        return ""
    order = "The middle goes first" if inner > outer else "The edge goes first"
    return f"{order}: {100 * inner:.0f} % of its innermost treasures are gone against {100 * outer:.0f} % of the outermost."


def bust_section(study: Study) -> Section:
    """The closed forms."""
    bust, release, limit = odds.bust(study), odds.release(study), study.variant.rules.skull_limit
    said = "A roll is a bust if no die can be placed. "
    if limit:
        said += f"And {odds.skulls_end(limit)}. What helps is colours in reach; a further die helps, but may show a skull too."
    else:
        said += "What helps is colours in reach, and every die helps: the chance is a product over the dice."
    aside = ", with no skull set aside before it" if limit else ""
    return Section(
        "How likely is a bust?",
        (said,),
        (
            Picture(f"Chance that a roll is a bust{aside}.", partial(pictures.bust_map, bust.frame)),
            Picture(
                "Chance to release a treasure if all effort goes to it alone.",
                partial(pictures.release_chart, release.frame),
            ),
        ),
        (release_by_dice(release),),
    )


def release_by_dice(release: Table) -> Table:
    """The table with a row for each number of dice."""
    frame = pd.DataFrame({"dice": sorted(set(release.frame["dice"]))})
    for treasure, rows in release.frame.groupby("treasure", sort=False):
        if rows["needs"].iloc[0] > 1:
            frame[f"{treasure}, one roll"] = rows["one_roll"].to_numpy()
        frame[str(treasure)] = rows["several_rolls"].to_numpy()
    return replace(release, frame=frame, percent=tuple(frame.columns[1:]))


def stop_section(turn: Table, rule: Table) -> Section:
    """Stop or roll."""
    return Section(
        "Roll again or stop?",
        (
            "Each cell gathers positions that best play meets. Rolling is right where it brings more than it risks, everything "
            "counted: the chance to bust, what can still be released, the gems that come along. A percentage means that it "
            "depends on the colours and treasures in reach.",
        ),
        (
            Picture(
                "Colour: expected points that rolling gains over stopping. In the cells: in how many of the positions rolling is "
                "right.",
                partial(pictures.stop_or_roll, turn.frame),
            ),
        ),
        (rule, turn),
    )


def thumb_section(thumb: Table) -> Section:
    """What each policy makes of a turn, and the card."""
    priced = card_row(thumb)
    price = f"{priced.points:.2f} points per turn; best play has {thumb.frame['points'].iloc[0]:.2f}"
    return Section(
        "What is a rule of thumb worth?",
        (
            "All policies play the same turns with the same dice. The card holds five lines found by search among rules that "
            f"one can apply at the table; it collects {priced.points:.2f} points per turn, {priced.loss:.2f} less than best "
            f"play, and busts in {100 * priced.bust:.0f} % of its turns.",
        ),
        (
            Picture(
                "The card, to print and cut out: where the raccoon goes, what to pay for, when to stop.",
                partial(pictures.playing_card, "Tschakka Lakka in five lines", CARD, price),
            ),
            Picture("Points of a turn by policy, with 95 % intervals.", partial(pictures.policy_chart, thumb.frame)),
        ),
        (replace(thumb, frame=thumb.frame.drop(columns=["points_low", "points_high"])),),
    )


def card_row(thumb: Table) -> Any:
    """What the card makes of a turn."""
    names = thumb.frame["policy"].str.split(":").str[0]
    return next(thumb.frame[names == "card"].itertuples())


def opening_section(study: Study) -> Section:
    """Where to begin."""
    opening = odds.opening(study)
    cases = opening.frame[opening.frame["colours"] != ""]
    return Section(
        "Where to begin?",
        (opening_sentence(opening, cases),),
        (
            Picture(
                "Expected points of the first turn under best play, by the treasures beside the entrance.",
                partial(pictures.opening_chart, opening.frame),
            ),
        ),
        (opening,),
    )


def opening_sentence(opening: Table, cases: pd.DataFrame) -> str:
    """What lies beside the best and the worst entrances, and what a choice among them is worth."""
    best, worst = cases.loc[cases["value"].idxmax()], cases.loc[cases["value"].idxmin()]
    if best.value == worst.value:
        said = f"The first turn is worth {best.value:.2f} points."
    else:
        said = (
            f"Beside the best entrances lie {best.beside}{colours(best)}: {best.value:.2f} points. Beside the worst lie "
            f"{worst.beside}{colours(worst)}: {worst.value:.2f}."
        )
    gain = opening.frame["value"].iloc[0] - opening.frame["value"].iloc[1]
    if gain:
        said += f" Choosing the best entrance of a temple brings {gain:.2f} points more than taking any."
    return said


def colours(case: Any) -> str:
    """How the treasures beside an entrance are coloured."""
    return "" if "+" not in case.beside else " of one colour" if case.colours == "1" else " of different colours"


def skill_section(tables: dict[str, Table]) -> Section:
    """Luck and skill."""
    told = tables["luck"].frame.dropna(subset="who_plays")
    luck = told.set_index(["field", "result"])["who_plays"].to_dict()
    sentences, pictures_shown = (
        [],
        [
            Picture(
                "How often one seat with the strongest policy wins against others that all play the same weaker one; dashed: a "
                "fair share.",
                partial(pictures.skill_chart, tables["skill"].frame),
            )
        ],
    )
    if ("any", "win") in luck and ("sensible", "win") in luck:
        sentences.append(
            f"Among players of any strength, who plays explains {100 * luck['any', 'win']:.0f} % of the variance of winning; "
            f"among sensible ones {100 * luck['sensible', 'win']:.0f} %. The rest is the dice and the temple; part of that "
            "helps whoever sits there, part only those who know how to use it."
        )
    if not told.empty:
        pictures_shown.append(
            Picture(
                "Two-player games, every pair of players on the same dice: what the result depends on.",
                partial(pictures.luck_chart, told),
            )
        )
    return Section(
        "Luck or skill?",
        tuple(sentences),
        tuple(pictures_shown),
        (tables["skill"], tables["exact_turn"], tables["luck"]),
    )


def course_section(tables: dict[str, Table], best: dict[int, Batch]) -> Section:
    """Points, length, tension."""
    return Section(
        "The course of a game",
        tuple(filter(None, (source_sentence(tables), length_sentence(tables), ending_sentence(tables)))),
        (
            Picture("Points of a seat by source.", partial(pictures.source_chart, strongest(tables["sources"]))),
            Picture(
                "How long games last.",
                partial(
                    pictures.length_chart,
                    {players: frames.distribution(batch, "rounds") for players, batch in best.items()},
                ),
            ),
        ),
        tuple(of_strongest(tables[name]) for name in ("sources", "course", "most")),
    )


def source_sentence(tables: dict[str, Table]) -> str:
    """Where the points of four-player games come from."""
    frame = strongest(tables["sources"])
    shares = frame[frame["players"] == PLAYERS].set_index("source")["share"]
    if shares.isna().any():
        return "Nobody collects a point."
    towers = float(shares["majorities"])
    gems = float(shares[[f"{kind} gems" for kind in board.GEM_KINDS if f"{kind} gems" in shares]].sum())
    said = f"of a seat's points in a four-player game {100 * towers:.0f} % come from majorities and {100 * gems:.0f} % from gems."
    most = towers + gems < 1 / 2
    return f"Treasures bring most of the points, but {said}" if most else f"{said[0].upper()}{said[1:]}"


def length_sentence(tables: dict[str, Table]) -> str:
    """How long games are, and how many are cut off."""
    two, three, four = (quantity(tables, players, "rounds") for players in balance.PLAYERS)
    said = f"A two-player game takes {two:.1f} rounds, a three-player game {three:.1f}, a four-player game {four:.1f}."
    unfinished = max(quantity(tables, players, "unfinished") for players in balance.PLAYERS)
    if unfinished:
        said += f" Up to {100 * unfinished:.1f} % of the games are cut off by max_turns and have no winner."
    return said


def ending_sentence(tables: dict[str, Table]) -> str:
    """How often the towers turn a game."""
    share = quantity(tables, PLAYERS, "leader_loses")
    if not share:
        return ""
    return (
        f"It is not over before the towers are counted: in {100 * share:.0f} % of the four-player games, nobody who led before "
        "the majorities wins."
    )


def reading_section(study: Study, readings: Table) -> Section:
    """What the unclear sentences change."""
    found, shown = largest_change(readings), of_strongest(readings)
    rounds, sentence = changed_rounds(readings), reading_sentence(readings)
    if found:
        most, change = found
        others = rounds[rounds["rule"] != most["rule"]]["change_in_rounds"].abs()
        sentence = (
            f"{most['rule']} = {most['reading']} changes the length most: a four-player game gets {longer(change)}."
        )
        if len(others):
            sentence += f" Readings of other sentences change it by at most {others.max():.1f} rounds."
    return Section(
        "Do the unclear sentences matter?",
        (sentence,),
        (
            Picture(
                f"Change of the mean number of rounds, {PLAYERS} players, same dice.",
                partial(pictures.reading_chart, rounds),
            ),
        ),
        (readings_table(study.variant), replace(shown, frame=shown.frame[SHOWN])),
    )


def seat_section(seats: Table) -> Section:
    """Whether the seat matters."""
    frame = seats.frame[seats.frame["players"] == PLAYERS]
    policy = frame.loc[frame["games"].idxmax(), "policy"] if "policy" in frame else None
    many = frame[frame["policy"] == policy] if policy else frame
    first, last = many.iloc[0], many.iloc[-1]
    who = f" (all play '{policy}')" if policy else ""
    apart = many["low"].max() > many["high"].min() and many["win_rate"].max() - many["win_rate"].min() > LITTLE
    return Section(
        "Does the seat matter?",
        (
            f"{'Yes' if apart else 'Hardly'}. Of four players{who} the first wins {100 * first.win_rate:.1f} %, the last "
            f"{100 * last.win_rate:.1f} %.",
        ),
        (),
        (seats,),
    )


def trust_section(study: Study) -> Section:
    """The known answers."""
    found = [(study.game.name, check) for check in checks(study)]
    passed = sum(check.passed for _, check in found)
    return Section(
        "Can these numbers be trusted?",
        (
            f"{passed} of {len(found)} known answers are met: exact values found by two methods agree to nine digits, simulated "
            "ones lie within four standard errors of the exact ones.",
        ),
        (),
        (checks_table(found, study.seed),),
    )
