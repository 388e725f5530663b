"""Two players with cards of their own: what a single card is worth to its owner.

With two players a round is a number: the net pins of the first seat, as far as the loser has them. The pins of the
first seat are then a small absorbing chain whatever cards each side holds, which :mod:`sims.tacatuca.exact` does not ask.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sims.tacatuca.rules import THROW_NAMES, Rules
from sims.tacatuca.tables import SUMS, WAYS, demands


@dataclass(frozen=True)
class Duel:
    """The first seat's chance to win, the expected number of rounds, and the chance to be cut off."""

    win: float
    rounds: float
    unfinished: float


def net_pins(rules: Rules) -> NDArray[np.int64]:
    """What the first seat gains when both can pay in full: int64[own throw, opponent's throw]."""
    demand = demands(rules)
    highest = (SUMS[:, None] >= SUMS[None, :]).astype(np.int64)
    own, other = np.indices(highest.shape)
    claims: NDArray[np.int64] = demand[highest, own, other]
    return np.subtract(claims, claims.T)


def net_without_my_card(rules: Rules, name: str) -> NDArray[np.int64]:
    """The same when only the first seat's card ``name`` has lost its text."""
    net = net_pins(rules)
    for card in rules.cards:
        if card.name == name:
            row = THROW_NAMES.index(f"{card.double}-{card.double}")
            net[row] = net_pins(rules.without_card(name))[row]
    return net


def solve(net: NDArray[np.int64], pins: int, total: int, max_rounds: int) -> Duel:
    """Follow the first seat from ``pins`` of ``total``, through at most ``max_rounds`` rounds.

    Without a limit the values ``x`` of the states 1 .. total - 1 obey ``(I - Q) x = r``. A game that is still open after
    the limit would gain ``x`` more, so that the values with a limit of N rounds are ``x - Q**N x``.

    Parameters
    ----------
    net : int64[own throw, opponent's throw]
        What the first seat gains in a round if both can pay.
    """
    weights = np.outer(WAYS, WAYS) / 36**2
    states = np.arange(1, total)
    step = np.zeros((total - 1, total + 1))
    for state in states:
        after = np.clip(state + net, 0, total)
        np.add.at(step[state - 1], after.ravel(), weights.ravel())
    stay = step[:, 1:total]
    values = np.linalg.solve(np.eye(total - 1) - stay, np.column_stack([step[:, total], np.ones(total - 1)]))
    left = np.linalg.matrix_power(stay, max_rounds)[pins - 1]
    win, rounds = values[pins - 1] - left @ values
    return Duel(float(win), float(rounds), float(left.sum()))
