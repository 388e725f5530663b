"""What the compiled turn (:mod:`sims.tschakka_lakka.solver`) works with: the worth of a stop, the odds of throws, its memory.

Structured records, which compiled functions hand on as single pointers (as :mod:`sims.tschakka_lakka.work` does).
"""

from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any

import numpy as np

from sims.engine.bits import ZERO, bit
from sims.engine.jit import kernel

#: Most dice of a turn, largest treasure, colours.
DICE, LARGEST, COLOURS = 7, 3, 4
#: Values closer than this are equal.
TIE = 1e-9
#: Scores that a table of prizes can hold.
PRIZES = 256
#: Room for a solve. The largest found by search have 6,600 states and 76,000 placements.
STATES, PLACEMENTS = 1 << 14, 1 << 18

#: What a released set is worth; see :mod:`sims.tschakka_lakka.solver`.
WORTH = np.dtype(
    [
        ("chamber", np.float64, 64),  # of the treasure on each square
        ("gem", np.float64, 2),  # yellow, pink
        ("tower", np.float64, (COLOURS, DICE + 1)),  # [colour, height that this turn adds to its tower]
        ("prizes", np.int64),  # 0: the score is the worth; 1: the worth is prize[score], scores being whole numbers
        ("prize", np.float64, PRIZES),
    ],
    align=True,
)

# Columns of ``nodes``, ``links``, ``values``
LOW, HIGH, REACH, LEFT = 0, 1, 2, 3
AFTER, FIRST, LAST = 0, 1, 2
SCORE, STOP = 8, 9

#: The memory of one solve, one for each thread.
MEMORY = np.dtype(
    [
        ("epoch", np.int64),  # number of this solve
        ("states", np.int64),  # that it found
        ("skulls", np.int64),  # set aside before its root
        ("limit", np.int64),  # skulls that end the turn; 0: none
        ("depends", np.uint64),  # chambers it looked at: while none of them is emptied, its values stand
        # What best_place remembers of each square as the raccoon's place
        ("values_at", np.float64, 64),
        ("depends_at", np.uint64, 64),
        ("best", np.float64, 16 * (DICE + 1)),  # [u, rank of colour, dice]
        ("heads", np.int64, DICE + 1),  # first state with so many dice; links[state, AFTER] leads to the next
        ("slots", np.int64, STATES),  # hash table: epoch << 32 | state
        # [state, (LOW, HIGH, REACH, LEFT)]: dice on the chambers; chambers in reach; the dice left if no more skulls
        # fall, and above them (>> 8) the heights added to the four towers, four bits each
        ("nodes", np.uint64, (STATES, 4)),
        # [state, (AFTER, FIRST, LAST)]: next state with as many dice; first placement, the one after the last
        ("links", np.int64, (STATES, 3)),
        # [state, (0 .. 7, SCORE, STOP)]: worth of throwing n dice; score, worth of stopping
        ("values", np.float64, (STATES, 10)),
        # [placement]: square + 64 * dice + 256 * colour, and above them (>> 16) the state after it, -1 if no die is left
        ("moves", np.int64, PLACEMENTS),
        ("finals", np.float64, PLACEMENTS),  # [placement]: worth of stopping where no die is left
    ],
    align=True,
)


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


def _throws() -> tuple[Any, Any, Any]:
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
    return starts, np.array(picks, np.uint64), np.array(chances)


#: ``STARTS : int64[q, u]`` first class of u dice with q colours in reach; the next entry, ``[q, u + 1]``, ends it.
#: ``PICKS : uint64[class]`` one byte for each of the q colours, ``4 * rank + min(3, dice + jokers)``: a place in ``best``.
#: ``CHANCES : float64[class]`` probability of the class among u five-faced dice.
STARTS, PICKS, CHANCES = _throws()
#: ``int64[present, colour]`` rank of a colour among those present (bit mask).
RANKS = np.array(
    [[(present & ((1 << c) - 1)).bit_count() for c in range(COLOURS)] for present in range(1 << COLOURS)], np.int64
)
#: ``float64[n, u]`` chance that u of n dice show no skull.
BINOMIAL = np.array([[comb(n, u) * 5**u / 6**n for u in range(DICE + 1)] for n in range(DICE + 1)])


@kernel
def new_memory():
    """Allocate the memory of the solver, as ``MEMORY[1]``: once for many games.

    Compiled code must keep using the array, see :func:`sims.tschakka_lakka.work.new_work`.
    """
    memories = np.empty(1, MEMORY)
    memory = memories[0]
    memory.epoch = 0
    memory.slots[:] = 0
    memory.depends_at[:] = ZERO
    return memories


@kernel
def forget(memory):
    """Make the best place be sought afresh: when a game begins, or the worth of anything changes."""
    memory.depends_at[:] = ZERO


@kernel
def count_points(rules, work, worth):
    """Make a stop worth its points: those of the treasures in the temple and of gems; towers nothing, no prizes.

    Stays right while the temple empties.
    """
    for square in range(64):
        here = bit(square)
        size = np.int64(work.size_low & here != ZERO) + 2 * np.int64(work.size_high & here != ZERO)
        worth.chamber[square] = rules.points[size]
    worth.gem[0], worth.gem[1] = rules.yellow_points, rules.pink_points
    worth.tower[:] = 0.0
    worth.prizes = 0
