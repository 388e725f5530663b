"""Rules as integers, for the kernel: the only place where they are turned into numbers.

Two flat arrays with constant offsets, because passing many arrays between compiled functions costs time.
"""

from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.dice import SeededDice
from sims.tschakka_lakka import board, layout
from sims.tschakka_lakka.rules import RACCOON, SKULL, Rules

MAX_DICE = 7

# Offsets into ``numbers``
PLAYERS, DICE, SKULL_LIMIT, LAYOUT, ANY_GEM, COUNT_TOWERS, SECOND_SCORES, END_GEMS, MAX_TURNS, CHAMBER_COUNT = range(10)
#: ``POINTS + size``, size 1 to 3.
POINTS = 9
YELLOW_POINTS, PINK_POINTS, HIGHEST, HIGHEST_TIED, SECOND, SECOND_TIED = range(13, 19)
#: ``SIZE_COUNTS + size - 1``: treasures of that size in each colour.
SIZE_COUNTS = 19
#: ``SQUARES + i``: the number of chamber i in reading order.
SQUARES = 22
#: ``POWERS + n``: ``6**n``, the throws of n dice.
POWERS = SQUARES + 64
#: ``FACES + x``: the faces of four dice, x below 6**4 their digits: four bits for each face, face 1 lowest.
FACES = POWERS + MAX_DICE + 1
NUMBERS = FACES + 6**4

# Offsets into ``masks``
ENTRANCES, CHAMBERS, YELLOW_GEMS, PINK_GEMS = range(4)
MASKS = 4

#: Values of ``numbers[LAYOUT]``.
FREE, PAIRS, NO_LINE = range(3)
LAYOUTS = {"free": FREE, "pairs": PAIRS, "no_line": NO_LINE}


class Tables(NamedTuple):
    """Rules, board and number of seats for the kernel.

    Attributes
    ----------
    numbers : int64[NUMBERS]
        See the offsets above.
    masks : uint64[MASKS]
        Sets of squares; a gem is under the number of the square above and left of it.
    misses : int64[dice, skulls, needs]
        How many throws of ``dice`` dice (0 to 7) help nothing: more than ``skulls`` (0 to 7) skulls, or in no
        colour as many matching dice and jokers as needed. ``needs`` is a number of four base-4 digits, colour 0
        lowest: 1 to 3 dice needed in that colour, 0 the colour does not matter. With 1 for every colour in reach
        these are the busts.
    """

    numbers: NDArray[np.int64]
    masks: NDArray[np.uint64]
    misses: NDArray[np.int64]


def build_tables(rules: Rules, players: int) -> Tables:
    """The tables of one set of rules for a number of seats.

    Raises
    ------
    InputError
        If the layout's restriction cannot be met on the board.
    """
    layout.draw(rules, SeededDice(0, 0))  # no kernel is sent to look for an arrangement that does not exist
    plan = board.load(rules.board)
    numbers = np.zeros(NUMBERS, np.int64)
    numbers[PLAYERS] = players
    numbers[DICE] = rules.dice
    numbers[SKULL_LIMIT] = rules.skull_limit
    numbers[LAYOUT] = LAYOUTS[rules.layout]
    numbers[ANY_GEM] = rules.gem_needs == "any"
    numbers[COUNT_TOWERS] = rules.tower == "count"
    numbers[SECOND_SCORES] = players >= rules.second_players
    numbers[END_GEMS] = rules.end_gems
    numbers[MAX_TURNS] = rules.max_turns
    numbers[CHAMBER_COUNT] = len(plan.chambers)
    numbers[POINTS + 1 : POINTS + 4] = rules.small_points, rules.medium_points, rules.large_points
    numbers[YELLOW_POINTS], numbers[PINK_POINTS] = rules.yellow_points, rules.pink_points
    numbers[HIGHEST], numbers[HIGHEST_TIED] = rules.highest_points, rules.highest_tied_points
    numbers[SECOND], numbers[SECOND_TIED] = rules.second_points, rules.second_tied_points
    numbers[SIZE_COUNTS : SIZE_COUNTS + 3] = rules.size_counts
    numbers[SQUARES : SQUARES + len(plan.chambers)] = [board.number(chamber) for chamber in plan.chambers]
    numbers[POWERS : POWERS + MAX_DICE + 1] = [6**count for count in range(MAX_DICE + 1)]
    numbers[FACES:] = [sum(1 << 4 * face for face in faces) for faces in product(range(6), repeat=4)]
    masks = np.zeros(MASKS, np.uint64)
    masks[ENTRANCES], masks[CHAMBERS] = board.mask(plan.entrances), board.mask(plan.chambers)
    for offset, kind in ((YELLOW_GEMS, "yellow"), (PINK_GEMS, "pink")):
        masks[offset] = board.mask((gem.row, gem.column) for gem in plan.gems if gem.kind == kind)
    return Tables(numbers, masks, _misses())


@cache
def _misses() -> NDArray[np.int64]:
    found = np.zeros((MAX_DICE + 1, MAX_DICE + 1, 4**4), np.int64)
    needs = np.array([digits[::-1] for digits in product(range(4), repeat=4)])
    for dice in range(MAX_DICE + 1):
        for throw in combinations_with_replacement(range(1, 7), dice):
            counts = [throw.count(face) for face in range(1, 7)]
            ways = factorial(dice)
            for count in counts:
                ways //= factorial(count)
            fitting = np.array(counts[:4]) + counts[RACCOON - 1]
            missed = ~((needs > 0) & (fitting >= needs)).any(axis=1)
            skulls = counts[SKULL - 1]
            found[dice, skulls:] += ways * missed
            found[dice, :skulls] += ways
    return found
