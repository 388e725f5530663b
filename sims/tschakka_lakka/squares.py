"""Squares beside squares: whole sets at once, as 64-bit masks (see :func:`sims.tschakka_lakka.board.number`), compiled.

Every row takes eight bits, so the neighbours of a whole set are four shifts.
"""

import numpy as np

from sims.engine.bits import ONE
from sims.engine.jit import helper

TWO, EIGHT = np.uint64(2), np.uint64(8)
_NOT_FIRST_COLUMN = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_LAST_COLUMN = np.uint64(0x7F7F7F7F7F7F7F7F)


@helper
def eastward(mask):
    """Every square of a set moved one column on."""
    return (mask << ONE) & _NOT_FIRST_COLUMN


@helper
def westward(mask):
    """Every square of a set moved one column back."""
    return (mask >> ONE) & _NOT_LAST_COLUMN


@helper
def near(mask):
    """The squares next to any square of a set."""
    return eastward(mask) | westward(mask) | (mask << EIGHT) | (mask >> EIGHT)


@helper
def near_twice(mask):
    """The squares next to at least two squares of a set."""
    east, west, down, up = eastward(mask), westward(mask), mask << EIGHT, mask >> EIGHT
    return (east & west) | (down & up) | ((east | west) & (down | up))


@helper
def makes_line(mask):
    """The squares that would make a line of three or more with squares of a set."""
    east, west, down, up = eastward(mask), westward(mask), mask << EIGHT, mask >> EIGHT
    across = (east & west) | (east & eastward(east)) | (west & westward(west))
    return across | (down & up) | (down & (down << EIGHT)) | (up & (up >> EIGHT))


@helper
def crossings(mask):
    """The crossings, each under the number of the square above and left of it, that touch a set."""
    rows = mask | (mask >> EIGHT)
    return rows | westward(rows)
