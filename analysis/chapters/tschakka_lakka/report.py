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
from sims.tschakka_lakka import board
from sims.tschakka_lakka.card import CARD

PLAYERS = 4
#: Columns of the readings on the page, in this order.
SHOWN = ["rule", "reading", "rounds", "change_in_rounds", "low", "high", "points", "busts", "majorities_decide"]
SHOWN += ["other_winners", "games", "seed"]
WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}


def sections(study: Study) -> Iterator[Section]:
    """All sections of the page, in order."""
    games = odds.solved_games(study)
    made, _ = sampled.decisions(study, PLAYERS, games)
    turn, limits = odds.turn_table(study, made, games, PLAYERS), odds.stop_limits(made)
    rule = odds.stop_rule(study, limits, *sampled.decisions(study, PLAYERS, max(sampled.MIN_GAMES, games // 4), limits))
    thumb = odds.thumb(study)
    batches = balance.whole_games(study)
    tables = dict(balance.sheet_of(study, batches).tables)
    best = {batch.players: batch for batch in batches.values() if policies(batch) == sampled.STRONGEST}

    yield in_short(study, rule, thumb, tables)
    yield temple_section(study, best[PLAYERS])
    yield bust_section(study)
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
    exact, shy = thumb.frame.iloc[0], thumb.frame.set_index("policy").loc["timid"]
    course = strongest(tables["course"]).set_index(["players", "quantity"])["value"]
    skill = tables["skill"].frame.set_index(["players", "against"])["win_rate"]
    luck = tables["luck"].frame.set_index(["field", "result"])["dice_share"]
    most, change = largest_change(tables["rulings"])
    return Section(
        "In short",
        (
            f"Roll again or stop? {stop_sentence(rule)} Gems and the colours in reach can turn the verdict, but who decides by "
            f"this alone and places his dice best loses only {rule.frame['costs'].sum():.2f} points a turn.",
            f"Best play collects {exact.points:.2f} points a turn and busts in {100 * exact.bust:.0f} % of its turns. Who stops "
            f"at the first treasure busts in {100 * shy.bust:.0f} % and collects {shy.points:.2f}: too much caution costs more "
            "than bad luck.",
            f"Five lines to remember, the card below, come within {card_row(thumb).loss:.2f} points a turn of best play.",
            f"Skill counts: the policy that wins most, '{sampled.STRONGEST}', plays the exact turn and counts the towers too; in "
            f"games of two it beats the card in {100 * skill[2, 'card']:.0f} % and one who stops at the first treasure in "
            f"{100 * skill[2, 'timid']:.0f} %. Yet among sensible players the dice make "
            f"{100 * luck['sensible', 'win']:.0f} % of the variance of winning.",
            f"The towers matter: in games of four, majorities change who wins in "
            f"{100 * course[PLAYERS, 'majorities_decide']:.0f} % of the games.",
            f"Of the unclear sentences the one on {most['rule']} matters most: read as '{most['reading']}', it makes a "
            f"game of four {longer(change)}.",
            "The places of the gems are a reconstruction, the only regular one that fits the rulebook, and so are the numbers of "
            "small, medium and large treasures, of which two others are measured below; the owner of a box can correct both.",
        ),
    )


def stop_sentence(rule: Table) -> str:
    """The best rule by dice and points, in words."""
    limits = [(row.dice, row.stop_from) for row in rule.frame.itertuples() if row.stop_from != "never"]
    said = [f"with {WORDS.get(dice, dice)} at {points}" for dice, points in limits]
    if not said:
        return "Always roll."
    first, *rest = said
    first = first.replace(" at ", " die left at " if limits[0][0] == 1 else " dice left at ") + " points or more"
    return f"Stop {', '.join([first, *rest])}; otherwise roll."


def changed_rounds(readings: Table) -> pd.DataFrame:
    """The other readings, with what they change in the length of a game of the strongest policy."""
    rows = strongest(readings)
    return rows[rows["rule"] != "(as set)"]


def largest_change(readings: Table) -> tuple[Any, float]:
    """The reading that changes the length most, and by how many rounds."""
    rounds = changed_rounds(readings)
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
    half = max(1, round(frames.mean(batch, "rounds").value / 2))
    treasures, gems = sampled.emptied(study, batch.lineup, games, last)
    gone = {
        kind: np.mean([gems[board.number((gem.row, gem.column)), half] for gem in plan.gems if gem.kind == kind])
        for kind in board.GEM_KINDS
        if any(gem.kind == kind for gem in plan.gems)
    }
    return Section(
        "Where treasures go first",
        (
            f"{spot(plan, treasures[:, half])} After round {half}, about half of a game of {batch.players}, "
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
    order = "The middle goes first" if inner > outer else "The edge goes first"
    return f"{order}: {100 * inner:.0f} % of its innermost treasures are gone against {100 * outer:.0f} % of the outermost."


def bust_section(study: Study) -> Section:
    """The closed forms."""
    bust, release = odds.bust(study), odds.release(study)
    return Section(
        "How likely is a bust?",
        (
            "A roll is a bust if no die can be placed. What helps is colours in reach, and every die helps: the chance is a "
            "product over the dice.",
        ),
        (
            Picture("Chance that a roll is a bust.", partial(pictures.bust_map, bust.frame)),
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
    price = f"{priced.points:.2f} points a turn; best play has {thumb.frame['points'].iloc[0]:.2f}"
    return Section(
        "What is a rule of thumb worth?",
        (
            "All policies play the same turns with the same dice. The card holds five lines found by search among rules that "
            f"one can apply at the table; it collects {priced.points:.2f} points a turn, {priced.loss:.2f} less than best play, "
            f"and busts in {100 * priced.bust:.0f} % of its turns.",
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
    best, worst = cases.loc[cases["value"].idxmax()], cases.loc[cases["value"].idxmin()]
    return Section(
        "Where to begin?",
        (
            f"Beside the best entrances lie {best.beside}{colours(best)}: {best.value:.2f} points. Beside the worst lie "
            f"{worst.beside}{colours(worst)}: {worst.value:.2f}. Choosing the best entrance of a temple brings "
            f"{opening.frame['value'].iloc[0] - opening.frame['value'].iloc[1]:.2f} points more than taking any.",
        ),
        (
            Picture(
                "Expected points of the first turn under best play, by the treasures beside the entrance.",
                partial(pictures.opening_chart, opening.frame),
            ),
        ),
        (opening,),
    )


def colours(case: Any) -> str:
    """How the treasures beside an entrance are coloured."""
    return "" if "+" not in case.beside else " of one colour" if case.colours == "1" else " of different colours"


def skill_section(tables: dict[str, Table]) -> Section:
    """Luck and skill."""
    luck = tables["luck"].frame.set_index(["field", "result"])
    return Section(
        "Luck or skill?",
        (
            f"Among players of any strength, who plays explains {100 * luck.loc[('any', 'win'), 'who_plays']:.0f} % of the "
            f"variance of winning; among sensible ones only {100 * luck.loc[('sensible', 'win'), 'who_plays']:.0f} %. The rest "
            "is the dice and the temple; part of that helps whoever sits there, part only the one who knows how to use it.",
        ),
        (
            Picture(
                "How often one seat with the strongest policy wins against others that all play the same weaker one; dashed: a "
                "fair share.",
                partial(pictures.skill_chart, tables["skill"].frame),
            ),
            Picture(
                "Games of two, every pair of players on the same dice: what the result depends on.",
                partial(pictures.luck_chart, tables["luck"].frame),
            ),
        ),
        (tables["skill"], tables["exact_turn"], tables["luck"]),
    )


def course_section(tables: dict[str, Table], best: dict[int, Batch]) -> Section:
    """Points, length, tension."""
    course = strongest(tables["course"]).set_index(["players", "quantity"])["value"]
    sources = strongest(tables["sources"]).set_index(["players", "source"])["share"]
    return Section(
        "The course of a game",
        (
            f"Treasures bring most of the points, but of the points of a seat in a game of four "
            f"{100 * sources[PLAYERS, 'majorities']:.0f} % come from majorities and "
            f"{100 * (sources[PLAYERS, 'yellow gems'] + sources[PLAYERS, 'pink gems']):.0f} % from gems. A game of two takes "
            f"{course[2, 'rounds']:.1f} rounds, of three {course[3, 'rounds']:.1f}, of four {course[4, 'rounds']:.1f}.",
            f"It is not over before the towers are counted: in {100 * course[4, 'leader_loses']:.0f} % of the games of four, "
            "nobody who led before the majorities wins.",
        ),
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


def reading_section(study: Study, readings: Table) -> Section:
    """What the unclear sentences change."""
    (most, change), shown = largest_change(readings), of_strongest(readings)
    rounds = changed_rounds(readings)
    others = rounds[rounds["rule"] != most["rule"]]["change_in_rounds"].abs()
    sentence = f"{most['rule']} = {most['reading']} changes the length most: a game of four gets {longer(change)}."
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
    who = f"(all play '{policy}')" if policy else ""
    return Section(
        "Does the seat matter?",
        (
            f"Hardly. Of four players {who} the first wins {100 * first.win_rate:.1f} %, the last "
            f"{100 * last.win_rate:.1f} %; all "
            "have the same number of turns.",
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
