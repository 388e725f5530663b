"""Rules of Tacatuca as integers, for the kernel and the exact chains."""

import numpy as np
from numpy.typing import NDArray

from sims.tacatuca.rules import THROW_NAMES, THROWS, Rules

#: Throw number of an ordered pair of dice: int64[first die - 1, second die - 1].
THROW_OF = np.array([[THROWS.index((max(a, b), min(a, b))) for b in range(1, 7)] for a in range(1, 7)], np.int64)
#: Of the 36 ordered pairs, how many show the throw: int64[throw].
WAYS = np.array([1 if high == low else 2 for high, low in THROWS], np.int64)
#: Sum of the dice: int64[throw].
SUMS = np.array([high + low for high, low in THROWS], np.int64)


def demands(rules: Rules) -> NDArray[np.int64]:
    """Pins that a thrower may ask of one opponent, before anyone runs short.

    Returns
    -------
    int64[highest, throw, opponent]
        ``highest`` is 1 if the thrower's sum is the highest of the round (shared or not), else 0. The highest
        thrower takes the difference from lower throwers; a truce forbids it; a card adds its own demand, in place
        of the plain one or on top (``double_replaces_plain``), against anybody or only when highest
        (``doubles_collect``). A difference is never negative.
    """
    difference = np.maximum(SUMS[:, None] - SUMS[None, :], 0)
    demand = np.stack([np.zeros_like(difference), difference])
    for card in rules.cards:
        double = THROW_NAMES.index(f"{card.double}-{card.double}")
        for name in card.truce:
            demand[:, THROW_NAMES.index(name), double] = 0
        for take in card.takes:
            for name in take.throws:
                opponent = THROW_NAMES.index(name)
                amount = abs(SUMS[double] - SUMS[opponent]) + take.bonus
                collects = (0, 1) if rules.doubles_collect == "always" else (1,)
                for highest in collects:
                    if rules.double_replaces_plain:
                        demand[highest, double, opponent] = amount
                    else:
                        demand[highest, double, opponent] += amount
                if rules.double_replaces_plain and rules.doubles_collect == "always":
                    # only tells where a card names a throw of a higher sum, which no printed card does
                    demand[:, opponent, double] = 0
    return demand
