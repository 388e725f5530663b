"""Two players with cards of their own: what a single card is worth to its owner.

With two players a round is a number: the net pins of the first seat, as far as the loser has them. The pins of the
first seat are then a small absorbing chain whatever cards each side holds, which :mod:`sims.tacatuca.exact` does not ask.

References
----------
Ely, Frankel, Kamenica, "Suspense and surprise", Journal of Political Economy 123, 2015.
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


@dataclass(frozen=True)
class Drama:
    """How the first seat's win chance p moves in a game, expected sums over its rounds.

    Attributes
    ----------
    swings : float
        Of the squared changes of p. Since p is a martingale that ends at 0 or 1, this is p (1 - p) at the start, in every game.
    suspense : float
        Of the standard deviation of p after the round, as it is before the dice fall.
    surprise : float
        Of the changes of p, without their sign.
    """

    swings: float
    suspense: float
    surprise: float


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
    step = _step(net, total)
    stay = step[:, 1:total]
    values = np.linalg.solve(np.eye(total - 1) - stay, np.column_stack([step[:, total], np.ones(total - 1)]))
    left = np.linalg.matrix_power(stay, max_rounds)[pins - 1]
    win, rounds = values[pins - 1] - left @ values
    return Duel(float(win), float(rounds), float(left.sum()))


def drama(net: NDArray[np.int64], pins: int, total: int) -> Drama:
    """Suspense and surprise of a game without a limit of rounds, as :func:`solve` takes it."""
    step = _step(net, total)
    to_play = np.eye(total - 1) - step[:, 1:total]
    win = np.concatenate([[0.0], np.linalg.solve(to_play, step[:, total]), [1.0]])
    change = win[None, :] - win[1:total, None]
    squares, sizes = (step * change**2).sum(axis=1), (step * np.abs(change)).sum(axis=1)
    found = np.linalg.solve(to_play, np.column_stack([squares, np.sqrt(squares), sizes]))[pins - 1]
    return Drama(*map(float, found))


def _step(net: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """Chances of the first seat's pins after a round: ``float64[pins before - 1, pins after]``."""
    weights = np.outer(WAYS, WAYS) / 36**2
    step = np.zeros((total - 1, total + 1))
    for state in range(1, total):
        after = np.clip(state + net, 0, total)
        np.add.at(step[state - 1], after.ravel(), weights.ravel())
    return step
