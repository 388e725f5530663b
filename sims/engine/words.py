"""Addressable dice inside kernels: what :mod:`sims.engine.dice` explains, compiled."""

import numpy as np

from sims.engine.dice import MIX_A, MIX_B, PHILOX_M0, PHILOX_M1, PHILOX_W0, PHILOX_W1, REDRAW
from sims.engine.jit import helper, kernel, mulhi

_M0, _M1, _W0, _W1 = np.uint64(PHILOX_M0), np.uint64(PHILOX_M1), np.uint64(PHILOX_W0), np.uint64(PHILOX_W1)
_A, _B, _REDRAW = np.uint64(MIX_A), np.uint64(MIX_B), np.uint64(REDRAW)
_27, _30, _31, _ONE = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(1)


@kernel
def game_key(seed, game):
    """Key of one game: ``(start, step)``, two uint64, shared by no other (seed, game)."""
    c0, c1, c2, c3 = np.uint64(game), np.uint64(0), np.uint64(0), np.uint64(0)
    k0, k1 = np.uint64(seed), np.uint64(0)
    for _ in range(10):
        h0, l0 = mulhi(_M0, c0), _M0 * c0
        h1, l1 = mulhi(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = h1 ^ c1 ^ k0, l1, h0 ^ c3 ^ k1, l0
        k0 += _W0
        k1 += _W1
    return c0, c1 | _ONE


@helper
def address(turn, seat, roll, purpose):
    """Where a word falls: ``roll`` below 2**14, ``purpose`` below 4, ``seat`` below 16, ``turn`` below 2**43."""
    return np.uint64((((turn << 4) | seat) << 2 | purpose) << 14 | roll)


@helper
def word(key, where):
    """The 64 random bits at an address."""
    z = key[0] + key[1] * where
    z = (z ^ (z >> _30)) * _A
    z = (z ^ (z >> _27)) * _B
    return z ^ (z >> _31)


@kernel
def _redraw(z, low, bound):
    threshold = (np.uint64(0) - bound) % bound
    high = mulhi(z, bound)
    while low < threshold:
        z += _REDRAW
        z = (z ^ (z >> _30)) * _A
        z = (z ^ (z >> _27)) * _B
        z ^= z >> _31
        low = z * bound
        high = mulhi(z, bound)
    return high


@helper
def below(key, where, bound):
    """Uniform uint64 below ``bound`` (uint64) at an address. ``below(key, where, 6**n)`` is a throw of n dice."""
    z = word(key, where)
    low = z * bound
    high = mulhi(z, bound)
    if low < bound:
        high = _redraw(z, low, bound)
    return high
