"""Sets of squares as 64-bit masks (see :func:`sims.tschakka_lakka.board.number`), compiled.

Every row takes eight bits, so the neighbours of a whole set are four shifts.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from sims.engine.jit import helper

ZERO, ONE, TWO, EIGHT = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(8)
_NOT_FIRST_COLUMN = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_LAST_COLUMN = np.uint64(0x7F7F7F7F7F7F7F7F)


@intrinsic
def count(_context: Any, _mask: Any) -> Any:
    """How many squares a mask holds: int64."""

    def build(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), build


@intrinsic
def first(_context: Any, _mask: Any) -> Any:
    """The first square of a mask in reading order: int64; the mask holds at least one."""

    def build(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


@helper
def bit(square):
    """The mask of one square."""
    return ONE << np.uint64(square)


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


@helper
def nth(mask, position):
    """The square at a position, from 0, of a mask in reading order."""
    for _ in range(position):
        mask &= mask - ONE
    return first(mask)
