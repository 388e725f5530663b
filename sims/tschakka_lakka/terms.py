"""What the compiled turn (:mod:`sims.tschakka_lakka.turn`) works with: its terms, the odds of throws, its memory."""

from itertools import combinations_with_replacement
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.jit import kernel
from sims.tschakka_lakka.bits import ZERO, bit
from sims.tschakka_lakka.rules import Rules

#: Most dice of a turn, largest treasure, colours.
DICE, LARGEST, COLOURS = 7, 3, 4
TIE = 1e-9

#: Columns of ``temple : uint64[8 or more]``, sets of squares: the filled chambers of each colour first (0 to 3), then
#: two planes of the sizes, and the gems that are there, each under the number of the square above and left of it.
SIZE_LOW, SIZE_HIGH, YELLOW, PINK = 4, 5, 6, 7


class Terms(NamedTuple):
    """What a released set is worth, and the rulings on the turn; see :mod:`sims.tschakka_lakka.turn`.

    Attributes
    ----------
    rulings : int64[(ANY_GEM, SKULL_LIMIT, COUNT_TOWERS)]
        Whether one chamber is enough for a gem (0 or 1); skulls that end the turn (0: no limit); whether a treasure
        adds 1 to its tower instead of its size (0 or 1).
    chamber : float64[64]
        Worth of the treasure on each square.
    gem : float64[(yellow, pink)]
        Worth of a gem.
    tower : float64[colour, 8]
        Worth of what this turn adds to the tower of a colour, by its height.
    prize : float64[score] or float64[0]
        Worth by total score, which must be a whole number then; empty if the score is the worth.
    """

    rulings: NDArray[np.int64]
    chamber: NDArray[np.float64]
    gem: NDArray[np.float64]
    tower: NDArray[np.float64]
    prize: NDArray[np.float64]


ANY_GEM, SKULL_LIMIT, COUNT_TOWERS = 0, 1, 2


class Odds(NamedTuple):
    """What throws can show: constants, built by :func:`build_odds`.

    Attributes
    ----------
    starts : int64[q, u]
        First class of u dice with q colours in reach; the next entry, ``[q, u + 1]``, ends it.
    picks : uint64[class]
        One byte for each of the q colours: ``4 * rank + min(3, dice + jokers)``, a place in a row of ``best``.
    chances : float64[class]
        Probability of the class among u five-faced dice.
    ranks : int64[present, colour]
        Rank of a colour among those present (bit mask).
    binomial : float64[n, u]
        Chance that u of n dice show no skull.
    """

    starts: NDArray[np.int64]
    picks: NDArray[np.uint64]
    chances: NDArray[np.float64]
    ranks: NDArray[np.int64]
    binomial: NDArray[np.float64]


class Solver(NamedTuple):
    """The memory of one solve: allocate once with :func:`new_solver`, one for each thread.

    Few arrays with named columns, because an array costs a call more than a column.

    Attributes
    ----------
    heads : int64[8]
        First state with so many dice; ``links[state, AFTER]`` leads to the next.
    nodes : uint64[state, (LOW, HIGH, REACH, LEFT)]
        Dice on the chambers; chambers in reach; the dice left if no more skulls fall, and above them (``>> 8``) the
        heights added to the four towers, four bits each.
    links : int64[state, (AFTER, FIRST, LAST)]
        Next state with as many dice, first placement, the one after the last.
    values : float64[state, (0 .. 7, SCORE, STOP)]
        Worth of throwing n dice, score, worth of stopping.
    moves : int64[placement]
        ``square + 64 * dice + 256 * colour``, and above them (``>> 16``) the state after it, or -1 if no die is left.
    finals : float64[placement]
        Worth of stopping where no die is left.
    slots : int64[slot]
        Hash table: ``epoch << 32 | state``.
    best : float64[128]
        ``[u, rank of colour, dice]``.
    facts : int64[(EPOCH, STATES, SKULLS, LIMIT)]
        Number of this solve, its states, skulls before its root, skulls that end the turn.
    depends : uint64[1]
        Every chamber that the last solve looked at: while none of them is emptied, its values stand.
    values_at, depends_at : float64[64], uint64[64]
        What :func:`sims.tschakka_lakka.decide.best_place` remembers of each place; :func:`forget` it when a game begins
        or the terms change.
    """

    heads: NDArray[np.int64]
    nodes: NDArray[np.uint64]
    links: NDArray[np.int64]
    values: NDArray[np.float64]
    moves: NDArray[np.int64]
    finals: NDArray[np.float64]
    slots: NDArray[np.int64]
    best: NDArray[np.float64]
    facts: NDArray[np.int64]
    depends: NDArray[np.uint64]
    values_at: NDArray[np.float64]
    depends_at: NDArray[np.uint64]


LOW, HIGH, REACH, LEFT = 0, 1, 2, 3
AFTER, FIRST, LAST = 0, 1, 2
SCORE, STOP = 8, 9
EPOCH, STATES, SKULLS, LIMIT = 0, 1, 2, 3


def classes(count: int, colours: int) -> dict[tuple[int, ...], float]:
    """Outcomes of ``count`` five-faced dice by ``min(3, dice + jokers)`` of each of the first ``colours`` colours.

    >>> len(classes(7, 4)), classes(1, 1)
    (163, {(1,): 0.4, (0,): 0.6})
    """
    found: dict[tuple[int, ...], int] = {}
    for faces in combinations_with_replacement(range(COLOURS + 1), count):
        counts = [faces.count(face) for face in range(COLOURS + 1)]
        ways = factorial(count)
        for number in counts:
            ways //= factorial(number)
        key = tuple(min(LARGEST, number + counts[COLOURS]) for number in counts[:colours])
        found[key] = found.get(key, 0) + ways
    return {key: ways / 5**count for key, ways in found.items()}


def build_odds() -> Odds:
    """The odds tables: the same for all rules."""
    starts = np.zeros((COLOURS + 1, DICE + 2), np.int64)
    picks: list[int] = []
    chances: list[float] = []
    for colours in range(1, COLOURS + 1):
        for count in range(1, DICE + 1):
            starts[colours, count] = len(picks)
            for key, chance in classes(count, colours).items():
                picks.append(sum((4 * rank + number) << (8 * rank) for rank, number in enumerate(key)))
                chances.append(chance)
        starts[colours, DICE + 1] = len(picks)
    ranks = [[(present & ((1 << c) - 1)).bit_count() for c in range(COLOURS)] for present in range(1 << COLOURS)]
    binomial = [[comb(n, u) * 5**u / 6**n for u in range(DICE + 1)] for n in range(DICE + 1)]
    return Odds(
        starts, np.array(picks, np.uint64), np.array(chances), np.array(ranks, np.int64), np.array(binomial, np.float64)
    )


def build_terms(rules: Rules) -> Terms:
    """Points for treasures and gems, nothing for towers; ``chamber`` is zero until :func:`price` fills it."""
    return Terms(
        np.array([rules.gem_needs == "any", rules.skull_limit, rules.tower == "count"], np.int64),
        np.zeros(64),
        np.array([rules.yellow_points, rules.pink_points], np.float64),
        np.zeros((COLOURS, DICE + 1)),
        np.zeros(0),
    )


@kernel
def new_solver():
    """Memory for one thread. The largest solves found by search have 6,600 states and 76,000 placements."""
    states = 1 << 14
    return Solver(
        np.zeros(DICE + 1, np.int64),
        np.zeros((states, 4), np.uint64),
        np.zeros((states, 3), np.int64),
        np.zeros((states, 10)),
        np.zeros(16 * states, np.int64),
        np.zeros(16 * states),
        np.zeros(states, np.int64),
        np.zeros(16 * (DICE + 1)),
        np.zeros(4, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(64),
        np.zeros(64, np.uint64),
    )


@kernel
def own_terms(terms):
    """A copy that a thread may write to."""
    return Terms(terms.rulings.copy(), terms.chamber.copy(), terms.gem.copy(), terms.tower.copy(), terms.prize.copy())


@kernel
def price(temple, terms, points):
    """Set the worth of every chamber to ``points : float64[size]`` of its treasure."""
    for square in range(64):
        here = bit(square)
        size = np.int64(temple[SIZE_LOW] & here != ZERO) + 2 * np.int64(temple[SIZE_HIGH] & here != ZERO)
        terms.chamber[square] = points[size]


@kernel
def forget(solver):
    """Make :func:`sims.tschakka_lakka.decide.best_place` solve every place afresh."""
    solver.depends_at[:] = ZERO
