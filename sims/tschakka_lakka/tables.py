"""Rules as integers, for the kernel: the only place where they are turned into numbers.

They sit in one structured record, which compiled functions hand on as a single pointer: passing many arrays costs time. A
rule that is not spelled out in sets and tables stands there under its own name.
"""

from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.dice import SeededDice
from sims.engine.variant import carry
from sims.tschakka_lakka import board, layout
from sims.tschakka_lakka.rules import RACCOON, SKULL, Rules

MAX_DICE = 7

#: Readings of the rulings, in the order in which ``rules.Rules`` declares them.
LAYOUT_PAIRS, LAYOUT_NO_LINE, LAYOUT_FREE = range(3)
GEM_NEEDS_ALL, GEM_NEEDS_ANY = range(2)
TOWER_HEIGHT, TOWER_COUNT = range(2)

RULES = np.dtype(
    [
        # Sets of squares; a gem is under the number of the square above and left of it.
        ("entrances", np.uint64),
        ("chambers", np.uint64),
        ("yellow_gems", np.uint64),
        ("pink_gems", np.uint64),
        ("squares", np.int64, 64),  # [i] the number of chamber i in reading order
        ("chamber_count", np.int64),
        ("size_counts", np.int64, 3),  # [size - 1] treasures of that size in each colour
        ("layout", np.int64),
        ("dice", np.int64),
        ("skull_limit", np.int64),  # 0: none
        ("gem_needs", np.int64),
        ("tower", np.int64),
        ("points", np.int64, 4),  # [size] of a treasure
        ("yellow_points", np.int64),
        ("pink_points", np.int64),
        ("highest_points", np.int64),
        ("highest_tied_points", np.int64),
        ("second_points", np.int64),
        ("second_tied_points", np.int64),
        ("second_players", np.int64),
        ("end_gems", np.int64),
        ("max_turns", np.int64),
        ("powers", np.uint64, MAX_DICE + 1),  # [n] throws of n dice, 6**n
        ("faces", np.int64, 6**4),  # [x] faces of four dice with the digits of x: four bits a face, face 1 lowest
        ("misses", np.int64, (MAX_DICE + 1, MAX_DICE + 1, 4**4)),  # [dice, skulls, needs], see _misses
    ],
    align=True,
)


class Tables(NamedTuple):
    """Rules and board for the kernel.

    Attributes
    ----------
    rules : RULES[1]
        One record.
    """

    rules: NDArray[np.void]


def build_tables(rules: Rules, _players: int) -> Tables:
    """Build the tables of one set of rules, which are only to be read; the number of seats changes nothing in them.

    Raises
    ------
    InputError
        If the layout's restriction cannot be met on the board.
    """
    # two readings of one changing file are equal rules: the plan tells them apart
    return _build(rules, board.load(rules.board))


@lru_cache(maxsize=32)  # a report plays many batches under few rules
def _build(rules: Rules, plan: board.Board) -> Tables:
    layout.draw(rules, SeededDice(0, 0))  # no kernel is sent to look for an arrangement that does not exist
    tables = np.zeros(1, RULES)
    one = tables[0]
    one["entrances"], one["chambers"] = board.mask(plan.entrances), board.mask(plan.chambers)
    for kind in board.GEM_KINDS:
        one[f"{kind}_gems"] = board.mask((gem.row, gem.column) for gem in plan.gems if gem.kind == kind)
    one["squares"][: len(plan.chambers)] = [board.number(chamber) for chamber in plan.chambers]
    one["chamber_count"] = len(plan.chambers)
    one["size_counts"] = rules.size_counts
    carry(rules, one)
    one["points"] = 0, rules.small_points, rules.medium_points, rules.large_points
    one["powers"] = [6**count for count in range(MAX_DICE + 1)]
    one["faces"] = [sum(1 << 4 * face for face in faces) for faces in product(range(6), repeat=4)]
    one["misses"] = _misses()
    return Tables(tables)


@cache
def _misses() -> NDArray[np.int64]:
    """Count the throws that help nothing: ``int64[dice, skulls, needs]``.

    Of all throws of ``dice`` dice (0 to 7), those with more than ``skulls`` (0 to 7) skulls, or with too few matching
    dice and jokers in every colour. ``needs`` has four base-4 digits, colour 0 lowest: 1 to 3 dice needed in that
    colour, 0 the colour does not matter. With 1 for every colour in reach these are the busts.
    """
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
