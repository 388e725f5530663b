"""Sets of up to 64 fields as one ``uint64`` word, bit ``f`` for field ``f``, compiled."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from sims.engine.jit import helper

ZERO, ONE = np.uint64(0), np.uint64(1)


@intrinsic
def count(_context: Any, _word: Any) -> Any:
    """How many fields a word holds: int64."""

    def build(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), build


@intrinsic
def lowest(_context: Any, _word: Any) -> Any:
    """The first field of a word: int64; the word holds at least one."""

    def build(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


@helper
def bit(field):
    """The word of one field."""
    return ONE << np.uint64(field)


@helper
def nth(word, position):
    """The field at a position, from 0, of a word in order."""
    for _ in range(position):
        word &= word - ONE
    return lowest(word)
