"""Addressable dice: a die is a pure function of (seed, game, where in the game it falls).

Nothing is drawn "next": a kernel, the readable reference and a test that asks for one throw all name it by its
address (turn, seat, roll, purpose). Hence the same records for any number of threads and chunks, any game can be
replayed alone, and two policies or two rule sets meet the same dice (common random numbers), because dice belong
to the seat and its turn.

This is the face in plain Python, which the readable references and the tests throw; :mod:`sims.engine.words` is the compiled
one. Both give the same numbers.

How. One Philox4x64-10 block with counter ``game`` and key ``seed`` gives each game a key of 127 bits
``(start, step | 1)``. The word at address ``a`` is ``mix64(start + step * a)``, SplitMix64 with a step of the
game's own. A number below ``bound`` is the high half of ``word * bound``; the few words that would bias it are
replaced (Lemire). A throw of n dice is one number below ``6**n``, its base-6 digits, last die least significant.

References
----------
Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 (Philox).
Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64; mix: variant 13).
Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
"""

from collections.abc import Sequence
from typing import Protocol

from sims.engine.numbers import whole

#: What a word is for: dice of a seat, the set-up of the game, a policy's own coin.
DICE, SETUP, CHOICE = 0, 1, 2

MASK = (1 << 64) - 1
MAX_SEED = (1 << 63) - 1
PHILOX_M0, PHILOX_M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
PHILOX_W0, PHILOX_W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
MIX_A, MIX_B, REDRAW = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15


class Dice(Protocol):
    """What a reference game asks for."""

    def throw(self, count: int, *, turn: int, seat: int = 0, roll: int = 0) -> tuple[int, ...]:
        """``count`` dice, each 1 to 6, in order."""

    def below(self, bound: int, *, turn: int, seat: int = 0, roll: int = 0, purpose: int = CHOICE) -> int:
        """A uniform whole number, 0 to ``bound - 1``."""


def _mix64(z: int) -> int:
    z = (z ^ (z >> 30)) * MIX_A & MASK
    z = (z ^ (z >> 27)) * MIX_B & MASK
    return z ^ (z >> 31)


class SeededDice:
    """The dice of one game, in plain Python integers: the same throws as the compiled face.

    Parameters
    ----------
    seed : int
        0 to 2**63 - 1.
    game : int
        Game number, 0 to 2**63 - 1.
    """

    def __init__(self, seed: int, game: int) -> None:
        c0, c1, c2, c3 = whole("game", game, 0, MAX_SEED), 0, 0, 0
        k0, k1 = check_seed(seed), 0
        for _ in range(10):
            p0, p1 = PHILOX_M0 * c0, PHILOX_M1 * c2
            c0, c1, c2, c3 = (p1 >> 64) ^ c1 ^ k0, p1 & MASK, (p0 >> 64) ^ c3 ^ k1, p0 & MASK
            k0, k1 = (k0 + PHILOX_W0) & MASK, (k1 + PHILOX_W1) & MASK
        self.key = (c0, c1 | 1)

    def word(self, *, turn: int, seat: int = 0, roll: int = 0, purpose: int = DICE) -> int:
        """The 64 random bits at an address."""
        where = (((turn << 4) | seat) << 2 | purpose) << 14 | roll
        return _mix64((self.key[0] + self.key[1] * where) & MASK)

    def below(self, bound: int, *, turn: int, seat: int = 0, roll: int = 0, purpose: int = CHOICE) -> int:
        """A uniform whole number, 0 to ``bound - 1``."""
        z = self.word(turn=turn, seat=seat, roll=roll, purpose=purpose)
        threshold = (1 << 64) % bound
        while (z * bound) & MASK < threshold:
            z = _mix64((z + REDRAW) & MASK)
        return z * bound >> 64

    def throw(self, count: int, *, turn: int, seat: int = 0, roll: int = 0) -> tuple[int, ...]:
        """``count`` dice, each 1 to 6, in order."""
        number = self.below(6**count, turn=turn, seat=seat, roll=roll, purpose=DICE)
        digits = []
        for _ in range(count):
            number, digit = divmod(number, 6)
            digits.append(digit + 1)
        return tuple(reversed(digits))


class LoadedDice:
    """Dice that fall as a test says: throws and choices are handed out in the order in which they are asked for.

    Parameters
    ----------
    throws : sequence of tuples of int
        One tuple per throw, each die 1 to 6.
    choices : sequence of int
        Answers to :meth:`below`.
    """

    def __init__(self, throws: Sequence[Sequence[int]], choices: Sequence[int] = ()) -> None:
        self.throws, self.choices = list(throws), list(choices)

    def throw(self, count: int, *, turn: int, seat: int = 0, roll: int = 0) -> tuple[int, ...]:
        """The next loaded throw; ``ValueError`` if it has another number of dice, ``IndexError`` if none is left."""
        dice = tuple(self.throws.pop(0))
        if len(dice) != count:
            raise ValueError(f"loaded throw {dice} has {len(dice)} dice, the game rolls {count}")
        return dice

    def below(self, bound: int, *, turn: int, seat: int = 0, roll: int = 0, purpose: int = CHOICE) -> int:
        """The next loaded choice; ``ValueError`` if it is not below ``bound``."""
        choice = self.choices.pop(0)
        if not 0 <= choice < bound:
            raise ValueError(f"loaded choice {choice} is not below {bound}")
        return choice


def check_seed(seed: int) -> int:
    """The seed, if it is one; otherwise one clear line."""
    return whole("seed", seed, 0, MAX_SEED)
