"""Rules of Tacatuca as integers, for the kernel and the exact chains.

A round of three or four seats is one look-up. The throws of all seats together form a class (21 throws and
"absent" for each seat); for each class the tables hold what every seat gives and takes as 16-bit lanes of one
uint64, seat 0 in the lowest lane. Pins are kept in the same lanes, so that a round in which everybody can pay is an
addition and a subtraction. Lanes never meet: a seat holds at most 4 * 1000 pins and gives at most 3 * 40 in a round.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.variant import carry
from sims.tacatuca.rules import THROW_NAMES, THROWS, Rules

#: Throw number of an ordered pair of dice: int64[first die - 1, second die - 1].
THROW_OF = np.array([[THROWS.index((max(a, b), min(a, b))) for b in range(1, 7)] for a in range(1, 7)], np.int64)
#: Of the 36 ordered pairs, how many show the throw: int64[throw].
WAYS = np.array([1 if high == low else 2 for high, low in THROWS], np.int64)
#: Sum of the dice: int64[throw].
SUMS = np.array([high + low for high, low in THROWS], np.int64)

#: The throw number of a seat that has left, and how many throw numbers there are with it.
ABSENT, CLASSES = 21, 22
#: Bits of a lane, and of the reciprocals that stand for a division by a power of 36.
LANE, SCALE_BITS = 16, 40

#: Readings of the ruling, in the order in which ``rules.Rules`` declares them.
SHORTAGE_CLOCKWISE, SHORTAGE_ONE_EACH, SHORTAGE_PROPORTIONAL = range(3)

#: Rules that are not spelled out in the tables; they stand there under their own names.
RULES = np.dtype([("pins", np.int64), ("shortage", np.int64), ("max_rounds", np.int64)], align=True)


class Tables(NamedTuple):
    """What the kernel reads. A pair is the number (0..35) of a seat's two dice, the first die leading.

    Attributes
    ----------
    rules : RULES[1]
        One record.
    throw : int64[pair]
        Throw number of a pair.
    demand : int64[highest, throw, opponent]
        As :func:`demands`, with zeros for an absent seat.
    upper, lower : uint32[present (pairs)]
        Place in ``joint`` from the pairs of seats 0 and 1, and from those of seats 2 and 3 (or 2 alone, or nobody).
        The two bits of ``present`` say who of them is still in the game. The place is the sum of both.
    joint : uint64[class]
        What every seat gives (low byte of its lane) and takes (high byte), when everybody can pay. Two players:
        the class is the number that their four dice show, and ``upper`` and ``lower`` play no part.
    split : uint64[3]
        What parts the pairs of seats 0 and 1 from the rest: the bound of a throw of all dice, the divisor as a
        reciprocal (``number * split[1] >> 40`` is the quotient for every number below 36**4), the divisor.
    """

    rules: NDArray[np.void]
    throw: NDArray[np.int64]
    demand: NDArray[np.int64]
    upper: NDArray[np.uint32]
    lower: NDArray[np.uint32]
    joint: NDArray[np.uint64]
    split: NDArray[np.uint64]


def demands(rules: Rules) -> NDArray[np.int64]:
    """Pins that a thrower may ask of one opponent, before anyone runs short.

    Returns
    -------
    int64[highest, throw, opponent]
        ``highest`` is 1 if the thrower's sum is the highest of the round (shared or not), else 0. The highest
        thrower takes the difference from lower throwers; a card adds its own demand, in place of the plain one or
        on top (``double_replaces_plain``), against anybody or only when highest (``doubles_collect``); a truce
        forbids either. A difference is never negative.
    """
    difference = np.maximum(SUMS[:, None] - SUMS[None, :], 0)
    plain = np.stack([np.zeros_like(difference), difference])
    asked = np.zeros_like(plain)
    truce = np.zeros_like(difference, dtype=bool)
    for card in rules.cards:
        double = THROW_NAMES.index(f"{card.double}-{card.double}")
        for name in card.truce:
            truce[THROW_NAMES.index(name), double] = True
        for take in card.takes:
            for name in take.throws:
                opponent = THROW_NAMES.index(name)
                amount = abs(SUMS[double] - SUMS[opponent]) + take.bonus
                asked[0 if rules.doubles_collect == "always" else 1 :, double, opponent] = amount
                if rules.double_replaces_plain:
                    plain[:, double, opponent] = 0
                    if rules.doubles_collect == "always":
                        # tells only where a card names a throw of a higher sum, which no printed card does
                        plain[:, opponent, double] = 0
    # truces last: whatever another card says, nothing is given
    return np.where(truce, 0, plain + asked)


def build_tables(rules: Rules, players: int) -> Tables:
    """Everything the kernel reads, for 2 to 4 seats."""
    throw = THROW_OF.ravel()
    demand = np.zeros((2, CLASSES, CLASSES), np.int64)
    demand[:, :ABSENT, :ABSENT] = demands(rules)

    carried = np.zeros(1, RULES)
    carry(rules, carried[0])
    rest = players - 2
    joint, upper = _joint(demand, players), _classes_of_pairs(throw, 2)
    return Tables(
        rules=carried,
        throw=throw,
        demand=demand,
        upper=upper.ravel() * np.uint32(CLASSES**rest),
        lower=_classes_of_pairs(throw, rest).ravel(),
        joint=joint if rest else joint[upper[0b11]],
        split=np.array([36**players, -(-(1 << SCALE_BITS) // 36**rest), 36**rest], np.uint64),
    )


def _classes_of_pairs(throw: NDArray[np.int64], seats: int) -> NDArray[np.uint32]:
    """Class number of the throws of neighbouring seats: ``uint32[present, pairs]``, earlier seats leading."""
    pairs = np.arange(36**seats)
    classes = np.zeros((1 << seats, 36**seats), np.uint32)
    for present in range(1 << seats):
        for seat in range(seats):
            own = throw[pairs // 36 ** (seats - 1 - seat) % 36] if present >> seat & 1 else ABSENT
            classes[present] = classes[present] * CLASSES + own
    return classes


def _joint(demand: NDArray[np.int64], players: int) -> NDArray[np.uint64]:
    """What all seats give and take for every class of throws: ``uint64[class]``."""
    throws = np.indices((CLASSES,) * players).reshape(players, -1)
    sums = np.append(SUMS, 0)[throws]
    highest = (sums == sums.max(axis=0)).astype(np.int64)
    joint = np.zeros(throws.shape[1], np.uint64)
    for taker in range(players):
        for giver in range(players):
            if giver != taker:
                amount = demand[highest[taker], throws[taker], throws[giver]].astype(np.uint64)
                joint += amount << np.uint64(LANE * giver)
                joint += amount << np.uint64(LANE * taker + LANE // 2)
    return joint
