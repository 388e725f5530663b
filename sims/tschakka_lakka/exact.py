"""What needs no dice: the turn solved for people, and the odds that a formula gives.

:func:`solve` answers a position by the dynamic programme of :mod:`sims.tschakka_lakka.solver`; its numbers are floats,
right to about twelve digits. The closed forms below it are exact fractions.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.tschakka_lakka import board, decide, solver, solver_memory
from sims.tschakka_lakka.board import Square
from sims.tschakka_lakka.position import Position
from sims.tschakka_lakka.solver_memory import COLOURS, DICE, STATES, STOP, TIE, WORTH
from sims.tschakka_lakka.tables import build_tables
from sims.tschakka_lakka.work import new_work

#: Chances of one die: a skull; a given colour or the raccoon.
SKULL, HIT = Fraction(1, 6), Fraction(1, 3)


# -- the turn --------------------------------------------------------------------------------------------------


def set_up(position: Position, work: Any) -> None:
    """Write the position's treasures and gems into a ``WORK`` record: all that the solver reads there."""
    treasures = position.treasures.items()
    work["colours"] = [board.mask(at for at, (of, _) in treasures if of == colour) for colour in range(COLOURS)]
    work["size_low"] = board.mask(at for at, (_, size) in treasures if size & 1)
    work["size_high"] = board.mask(at for at, (_, size) in treasures if size & 2)
    for kind in board.GEM_KINDS:
        work[f"{kind}_gems"] = board.mask((gem.row, gem.column) for gem in position.gems if gem.kind == kind)


class TurnSolver:
    """The solved turn of one temple.

    Parameters
    ----------
    position : Position

    Attributes
    ----------
    worth : record WORTH
        What a stop is worth: its points, unless the caller writes something else here before :meth:`run`.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.rules = build_tables(position.rules, 2).rules[0]
        self.work, self.memory = new_work()[0], solver_memory.new_memory()[0]
        self.worth, self.points = np.zeros(2, WORTH)
        set_up(position, self.work)
        solver_memory.count_points(self.rules, self.work, self.worth)
        solver_memory.count_points(self.rules, self.work, self.points)

    def run(self, place: Square, paid: Mapping[Square, int], dice: int) -> int:
        """Solve from a raccoon's place, dice placed and dice left; returns the number of states."""
        low = board.mask(chamber for chamber, lying in paid.items() if lying & 1)
        high = board.mask(chamber for chamber, lying in paid.items() if lying & 2)
        skulls = self.position.rules.dice - dice - sum(paid.values())
        raccoon = np.uint64(board.mask([place]))
        planes = np.uint64(low), np.uint64(high)
        return int(solver.solve(self.rules, self.work, self.worth, self.memory, raccoon, *planes, dice, skulls))

    def values(self, dice: int) -> tuple[float, float]:
        """Worth of stopping and of throwing ``dice`` dice at the root of the last run."""
        return float(self.memory["values"][0, STOP]), float(self.memory["values"][0, dice])

    def play_out(self, dice: int) -> tuple[float, NDArray[np.float64]]:
        """Chance of a bust, and ``float64[points]`` the chances to stop with so many, when throwing at the root."""
        rules = self.position.rules
        most = DICE * max(rules.small_points, rules.medium_points, rules.large_points)
        most += len(self.position.gems) * max(rules.yellow_points, rules.pink_points)
        reached, chances = np.zeros((STATES, DICE + 1)), np.zeros(most + 1)
        bust = decide.outcomes(self.rules, self.work, self.points, self.memory, dice, reached, chances)
        return float(bust), chances


def solve(position: Position) -> dict[str, Any]:
    """The optimal turn of a position, as plain values.

    Without a raccoon: ``places``, best first, each with ``place`` and ``value``, the expected points of the turn
    from there. With one: ``value``, expected points of the turn under best play, ``stop``, points that stopping at
    once would bring, ``bust_probability`` of all that is left of the turn, ``first_roll_bust`` of the next throw
    alone, ``distribution`` of the turn's points (0 points: a bust as a rule), ``states`` that the solver valued. They
    are told as before the throw, and best play may be to stop at once if dice lie on chambers. With a roll too:
    ``roll_busts``, why it ends the turn ("skulls": they reach the limit; "nothing fits") or None; and ``options`` after
    it, best first, each with ``chamber``, ``dice`` to place there, ``then`` ("stop" or "roll") and ``value``; none if
    the roll is a bust.

    Ties are settled as in :mod:`sims.tschakka_lakka.solver`.
    """
    solver, dice, place = TurnSolver(position), position.dice, position.raccoon
    if place is None:
        places = []
        for at in position.places():
            solver.run(at, {}, dice)
            places.append({"place": list(at), "value": solver.values(dice)[1]})
        return {"exact": True, "places": sorted(places, key=lambda entry: (-round(entry["value"], 9), entry["place"]))}
    states = solver.run(place, position.paid, dice)
    stop, throw = solver.values(dice)
    bust, chances = solver.play_out(dice)
    chances[0] += bust
    if position.paid and throw <= stop + TIE:
        bust, throw = 0.0, stop
        chances[:] = 0.0
        chances[round(stop)] = 1.0
    answer: dict[str, Any] = {
        "exact": True,
        "value": throw,
        "stop": stop,
        "bust_probability": bust,
        "first_roll_bust": float(first_roll_bust(position)),
        "distribution": [
            {"points": points, "probability": float(chance)} for points, chance in enumerate(chances) if chance > 0
        ],
        "states": states,
    }
    if position.roll is not None:
        answer["options"] = _options(position, solver)
        answer["roll_busts"] = None if answer["options"] else "skulls" if _too_many_skulls(position) else "nothing fits"
    return answer


def _too_many_skulls(position: Position) -> bool:
    """Whether the skulls of the roll reach the limit."""
    assert position.roll is not None
    return _ends(position.skulls + position.roll[-1], position.rules.skull_limit)


def _options(position: Position, solver: TurnSolver) -> list[dict[str, Any]]:
    """Every legal placement of the roll, to stop or to roll on after it, best first."""
    assert position.roll is not None
    assert position.raccoon is not None
    *colours, jokers, skulls = position.roll
    if _too_many_skulls(position):
        return []
    found = []
    for chamber in position.reach():
        colour, size = position.treasures[chamber]
        lies = position.paid.get(chamber, 0)
        for dice in range(1, min(size - lies, colours[colour] + jokers) + 1):
            paid = {**position.paid, chamber: lies + dice}
            left = position.dice - skulls - dice
            solver.run(position.raccoon, paid, left)
            stop, throw = solver.values(left)
            found.append({"chamber": list(chamber), "dice": dice, "then": "stop", "value": stop})
            if left:
                found.append({"chamber": list(chamber), "dice": dice, "then": "roll", "value": throw})
    return sorted(found, key=lambda option: -round(option["value"], 9))


def first_roll_bust(position: Position) -> Fraction:
    """Chance that no die of the next throw can be placed, or that it brings one skull too many."""
    colours = {position.treasures[chamber][0] for chamber in position.reach()}
    return bust_chance(position.dice, len(colours), position.skulls, position.rules.skull_limit)


# -- closed forms ----------------------------------------------------------------------------------------------


def bust_chance(dice: int, colours: int, skulls: int = 0, limit: int = 0) -> Fraction:
    """Chance that a throw ends the turn: no die can be placed, or the skulls reach a limit.

    A die cannot be placed if it is a skull or one of the ``4 - colours`` colours out of reach: 5 - colours faces of
    six. Dice are independent, so the chance is ``((5 - colours) / 6) ** dice``. With no colour in reach the raccoon
    has no chamber to go to either, and the chance is 1. With a limit the number s of skulls thrown is summed over:
    ``Binomial(dice, 1/6)(s)`` times 1 where ``skulls + s`` reaches it, else ``((4 - colours) / 5) ** (dice - s)``.

    Parameters
    ----------
    dice : int
        Dice thrown.
    colours : int
        Colours in reach, 0 to 4.
    skulls, limit : int
        Skulls set aside before the throw, skulls that end the turn (0: no limit).

    >>> bust_chance(2, 3), bust_chance(7, 0)
    (Fraction(1, 9), Fraction(1, 1))
    """
    useless = Fraction(COLOURS - colours, 5) if colours else Fraction(1)
    total = Fraction(0)
    for thrown in range(dice + 1):
        chance = comb(dice, thrown) * SKULL**thrown * (1 - SKULL) ** (dice - thrown)
        total += chance * (1 if _ends(skulls + thrown, limit) else useless ** (dice - thrown))
    return total


def release_at_once(need: int, dice: int, skulls: int = 0, limit: int = 0) -> Fraction:
    """Chance that one throw of ``dice`` dice shows at least ``need`` of a colour, raccoons included, and is no bust.

    Without a limit a die fits with chance 2/6, so the fitting dice are Binomial(dice, 1/3). With one, only throws count
    that leave the skulls below it. Parameters as in :func:`bust_chance`.

    >>> release_at_once(1, 2), release_at_once(1, 2, limit=1)
    (Fraction(5, 9), Fraction(4, 9))
    """
    return sum(
        (chance for hits, thrown, chance in _throws(dice) if hits >= need and not _ends(skulls + thrown, limit)),
        Fraction(0),
    )


@cache
def release_chance(need: int, dice: int, skulls: int = 0, limit: int = 0) -> Fraction:
    """Chance to release a treasure that needs ``need`` more dice, throwing on as long as the rules allow.

    No other chamber is touched. A throw of n dice shows h that fit (1/3 each), s skulls (1/6) and n - h - s others
    (1/2): a trinomial. Without a fitting die it is a bust, and with skulls that reach a limit too. Otherwise k of the h
    are placed, and n - s - k dice go for the rest, with S skulls set aside so far::

        f(0, n, S) = 1
        f(need, n, S) = sum over h >= 1, s of Trinomial(n; h, s) * max over k of f(need - k, n - s - k, S + s)

    where the sum leaves out every s with ``S + s >= limit``. Parameters as in :func:`bust_chance`.

    >>> release_chance(1, 3), release_chance(2, 2), release_chance(1, 1, limit=1)
    (Fraction(19, 27), Fraction(2, 9), Fraction(1, 3))
    """
    if need == 0:
        return Fraction(1)
    total = Fraction(0)
    for hits, thrown, chance in _throws(dice):
        if hits and not _ends(skulls + thrown, limit):
            total += chance * max(
                release_chance(need - placed, dice - thrown - placed, skulls + thrown, limit)
                for placed in range(1, min(hits, need) + 1)
            )
    return total


def _throws(dice: int) -> Iterator[tuple[int, int, Fraction]]:
    """Every ``(dice that fit one colour, skulls, chance)`` of a throw."""
    for hits in range(dice + 1):
        for skulls in range(dice - hits + 1):
            others = dice - hits - skulls
            yield hits, skulls, comb(dice, hits) * comb(dice - hits, skulls) * HIT**hits * SKULL**skulls / 2**others


def _ends(skulls: int, limit: int) -> bool:
    """Whether so many skulls set aside end the turn."""
    return 0 < limit <= skulls


def expected_skulls(dice: int) -> Fraction:
    """Skulls to expect in a throw: a sixth of the dice, since expectations add up."""
    return dice * SKULL


def bust_table(limit: int = 0) -> list[tuple[int, int, Fraction]]:
    """Rows ``(dice, colours in reach, chance of a bust)``: 1 to 7 dice, 0 to 4 colours, no skull set aside yet."""
    hands = range(1, DICE + 1)
    return [(dice, colours, bust_chance(dice, colours, 0, limit)) for dice in hands for colours in range(COLOURS + 1)]


def release_table(limit: int = 0) -> list[tuple[int, int, Fraction, Fraction]]:
    """Rows ``(size, dice, chance in one throw, chance in as many throws as it takes)``: 1 to 7 dice, no skull set aside."""
    return [
        (size, dice, release_at_once(size, dice, 0, limit), release_chance(size, dice, 0, limit))
        for size in (1, 2, 3)
        for dice in range(1, DICE + 1)
    ]
