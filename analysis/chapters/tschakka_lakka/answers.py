"""The exact turn of a position for people, and the known answers that the simulation must meet."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.chapter import Answer, Check, Study
from analysis.chapters.tschakka_lakka import sampled
from analysis.estimates import mean_of, ratio_of
from analysis.measures import Column
from analysis.tables import Table, number_text
from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.text import legend
from sims.tschakka_lakka import board, exact, layout
from sims.tschakka_lakka import position as positions
from sims.tschakka_lakka.draw import draw, signs
from sims.tschakka_lakka.position import Position
from sims.tschakka_lakka.rules import COLOURS, SIZE_NAMES, Rules, Treasure

EXACT = "Exact: dynamic programming over every throw of the turn."
#: Busts to be expected of a cell of the log before it is held against the closed form; games that are logged.
ENOUGH, LOGGED = 100, 20_000
#: Temples and games that a check takes at least.
CHECKED = 100


# -- a position ------------------------------------------------------------------------------------------------


def solve(study: Study, position: str | Path | None = None) -> Answer:
    """Best play of the turn from a position file."""
    if position is None:
        raise InputError("position: missing; write --position FILE (samples: sims/tschakka_lakka/positions)")
    where = positions.read(position, study.variant.rules)
    found = exact.solve(where)
    temple = {at: Treasure(COLOURS[colour], size) for at, (colour, size) in where.treasures.items()}
    shown = board.load(where.rules.board), temple, where.gems, where.raccoon
    picture = "\n".join([draw(*shown), "", *legend(signs(*shown))])
    content = {"game": study.game.name, "variant": study.variant.name, **found}
    if "places" in found:
        return Answer(content, (picture, "", *place_sentences(found)), (places_table(found),))
    tables = [distribution_table(found)]
    if found.get("options"):
        tables.insert(0, options_table(where, found))
    return Answer(content, (picture, "", *turn_sentences(where, found)), tuple(tables))


def place_sentences(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the raccoon should go."""
    best, *others = found["places"]
    more = f" The next best place is worth {best['value'] - others[0]['value']:.3f} less." if others else ""
    return (f"Best place for the raccoon: {square(best['place'])}, worth {points(best['value'])} this turn.{more}",)


def turn_sentences(where: Position, found: Mapping[str, Any]) -> tuple[str, ...]:
    """What the turn is worth, and what to do."""
    dice = f"{where.dice} {'die' if where.dice == 1 else 'dice'}"
    value = points(found["value"])
    if found["bust_probability"] == 0:  # every throw can be a bust, so nothing is thrown
        opinion = f"Before the throw of {dice}: stop, and collect {value}; rolling on would not bring more."
    else:
        opinion = (
            f"Before the throw of {dice}, the turn is worth {value} under best play; it ends in a bust with "
            f"{percent(found['bust_probability'])}, the next roll alone with {percent(found['first_roll_bust'])}."
        )
        if where.released:
            opinion += f" Stopping instead would bring {points(found['stop'])}."
    if "options" not in found:
        return (opinion,)
    if not found["options"]:
        return (opinion, f"This roll is a bust: {bust_reason(where, found)}.")
    best = found["options"][0]
    dice = f"{best['dice']} {'die' if best['dice'] == 1 else 'dice'}"
    then = "stop" if best["then"] == "stop" else "roll again"
    return (
        opinion,
        f"Best after this roll: {dice} on the {treasure(where, best['chamber'])} at {square(best['chamber'])}, then "
        f"{then}: {points(best['value'])}.",
    )


def bust_reason(where: Position, found: Mapping[str, Any]) -> str:
    """Why the roll ends the turn."""
    if found["roll_busts"] != "skulls":
        return "nothing can be placed"
    assert where.roll is not None
    skulls = where.skulls + where.roll[-1]
    aside = f"{skulls} skulls are set aside" if skulls > 1 else "1 skull is set aside"
    return f"{aside}, the limit is {where.rules.skull_limit}"


VALUE = Column("value", meaning="expected points of the whole turn")
BEHIND = Column("behind", meaning="how much less than the best")


def options_table(where: Position, found: Mapping[str, Any]) -> Table:
    """What can be done with the roll, best first."""
    rows = [
        {
            "chamber": square(option["chamber"]),
            "treasure": treasure(where, option["chamber"]),
            "dice": option["dice"],
            "then": option["then"],
            "value": option["value"],
            "behind": found["options"][0]["value"] - option["value"],
        }
        for option in found["options"]
    ]
    named = Column("chamber", kind="key"), Column("treasure", kind="text"), Column("dice"), Column("then", kind="text")
    return Table.of("options", "What to do with this roll", (*named, VALUE, BEHIND), rows, method=EXACT)


def distribution_table(found: Mapping[str, Any]) -> Table:
    """How many points the turn brings, as before the throw."""
    columns = Column("points", kind="key"), Column("probability", kind="share")
    remark = "As before the throw; 0 points as a rule means a bust."
    title, rows = "Points that the turn brings", found["distribution"]
    return Table.of("distribution", title, columns, rows, method=EXACT, remark=remark)


def places_table(found: Mapping[str, Any]) -> Table:
    """Places of the raccoon, best first."""
    best = found["places"][0]["value"]
    rows = [
        {"place": square(entry["place"]), "value": entry["value"], "behind": best - entry["value"]}
        for entry in found["places"]
    ]
    columns = Column("place", kind="key"), VALUE, BEHIND
    return Table.of("places", "Where to put the raccoon", columns, rows, method=EXACT)


def square(at: Any) -> str:
    """``(3, 5)``."""
    return f"({at[0]}, {at[1]})"


def treasure(where: Position, at: Any) -> str:
    """``medium blue``."""
    colour, size = where.treasures[at[0], at[1]]
    return f"{SIZE_NAMES[size]} {COLOURS[colour]}"


def points(value: float) -> str:
    """``4.812 points``, ``1 point``."""
    return "1 point" if value == 1 else number_text(value, 3, digits=2).rstrip("0").rstrip(".") + " points"


def percent(chance: float) -> str:
    """``17.98 %``."""
    return number_text(chance, 2, percent=True, digits=2)


# -- known answers ---------------------------------------------------------------------------------------------


def checks(study: Study) -> Iterator[Check]:
    """Closed forms against counts and games, the exact turn by two methods and against turns played."""
    rules: Rules = study.variant.rules
    yield from counted(study, rules)
    yield from solved_twice(rules)
    yield from entrances_alike(study)
    yield from turns_played(study)
    yield from busts_rolled(study)


def counted(study: Study, rules: Rules) -> Iterator[Check]:
    """The closed form of a bust against a count over all throws."""
    misses = study.game.build_tables(rules, 2).rules[0]["misses"]
    limit = rules.skull_limit
    for dice in sorted({1, min(4, rules.dice), rules.dice}):
        for colours in (1, 3):
            needs = sum(1 << 2 * colour for colour in range(colours))
            wrong = misses[dice, limit - 1 if limit else 7, needs] / 6**dice
            right = float(exact.bust_chance(dice, colours, 0, limit))
            yield Check(f"bust: dice {dice}, colours in reach {colours}", "all throws counted", wrong, right)


def lone(rules: Rules, size: int) -> Position:
    """A temple that holds one treasure and no gem, with the raccoon next to it."""
    plan = board.load(rules.board)
    entrance = plan.openings[0]
    return Position(rules, {plan.neighbours(entrance)[0]: (0, size)}, (), entrance, rules.dice, {}, None)


def solved_twice(rules: Rules) -> Iterator[Check]:
    """The dynamic programme against a recursion for one chamber, and values against distributions."""
    worth = (0, rules.small_points, rules.medium_points, rules.large_points)
    for size in (1, 2, 3):
        alone = exact.solve(lone(rules, size))
        chance = float(exact.release_chance(size, rules.dice, 0, rules.skull_limit))
        name = f"turn for a lone {SIZE_NAMES[size]} treasure"
        yield Check(name, "recursion for one chamber", worth[size] * chance, alone["value"])
    plan = board.load(rules.board)
    entrance = plan.openings[0]
    for number in range(3):
        drawn = layout.draw(rules, SeededDice(0, number))
        treasures = {at: (COLOURS.index(drawn[at].colour), drawn[at].size) for at in plan.chambers}
        found = exact.solve(Position(rules, treasures, plan.gems, entrance, rules.dice, {}, None))
        total = sum(row["points"] * row["probability"] for row in found["distribution"])
        name = f"first turn in random temple {number}: mean of its distribution"
        yield Check(name, "value solved backward = outcomes followed forward", found["value"], total)


def entrances_alike(study: Study) -> Iterator[Check]:
    """Two entrances that a symmetry of the board exchanges have the same value on average."""
    plan = board.load(study.variant.rules.board)
    entrances = plan.openings
    if len(entrances) < 2 or not plan.alike(entrances[0], entrances[-1]):
        return
    values, *_ = sampled.openings(study, max(CHECKED, study.games // 100))
    difference = mean_of(values[:, 0] - values[:, -1])
    error = cautious(float(np.std(values[:, 0] - values[:, -1], ddof=1) / len(values) ** 0.5), len(values))
    yield Check(
        "first entrance minus last, value of the first turn",
        "symmetry",
        0.0,
        difference.value,
        error,
        len(values),
        between=(-math.inf, math.inf),
    )


def cautious(error: float, count: int) -> float:
    """A standard error from few values, widened so that a limit of four of it is as rarely broken as with many.

    Student's t instead of the normal distribution: 1.00 times from a thousand values, 1.09 from fifty, 8.15 from four.
    """
    from scipy import special

    return error * float(special.stdtrit(count - 1, special.ndtr(4.0))) / 4


def turns_played(study: Study) -> Iterator[Check]:
    """Turns played best against their exact values."""
    _, turns = sampled.decisions(study, 4, max(sampled.MIN_GAMES, study.games // 200))
    by_game = turns.groupby("game").agg(value=("value", "sum"), points=("points", "sum"), turns=("points", "size"))
    surplus = by_game["points"] - by_game["value"]
    error = cautious(float(surplus.std() * len(surplus) ** 0.5 / by_game["turns"].sum()), len(surplus))
    expected = ratio_of(by_game["value"], by_game["turns"]).value
    got = ratio_of(by_game["points"], by_game["turns"]).value
    yield Check(
        f"points of {len(turns):,} turns played best",
        "exact value before each turn",
        expected,
        got,
        error,
        len(by_game),
    )


def busts_rolled(study: Study) -> Iterator[Check]:
    """How often the next roll is a bust in games, by dice and colours in reach, against the closed form."""
    if study.variant.rules.skull_limit:
        return  # the log does not tell how many skulls lie aside
    games = max(CHECKED, min(study.games, LOGGED))
    with study.watch.task("decisions of logged games", games) as progress:
        lineup = sampled.alike(study, "odds", 4)
        rows = batch.log(study.game, study.variant, lineup, games, study.seed)
        progress(games)
    log = pd.DataFrame(rows, columns=list(study.game.log_columns))
    # a roll was a bust if its turn ended in one and shows no further decision
    last = ~log.duplicated(["game", "seat", "turn"], keep="last")
    rolled = log[log["choice"] == 1].assign(busted=last & (log["bust"] == 1))
    for (dice, colours), group in rolled.groupby(["dice", "colours"]):
        chance = float(exact.bust_chance(dice, colours))
        if len(group) * chance >= ENOUGH:
            error = (chance * (1 - chance) / len(group)) ** 0.5
            name = f"next roll a bust: dice {dice}, colours in reach {colours} ({len(group):,} rolls)"
            yield Check(name, "closed form", chance, float(group["busted"].mean()), error, games, between=(0, 1))
