"""The search that found the numbers of ``card``: ``python -m sims.tschakka_lakka.search``, some minutes.

Every card of the family plays the same turns, each from the same position on the same dice, in games that ``optimal``
plays. The best few are compared again on fresh seeds, and the winner is measured once more on fresh ones, since the
best of many looks better than it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from sims.engine.game import encode
from sims.tschakka_lakka import GAME, survey
from sims.tschakka_lakka.rules import Rules

#: The family: every gem, die and nerve.
FAMILY = tuple(product((0, 2, 3, 4, 6, 8), (1, 2, 3), range(-3, 7)))
#: Games of the three rounds, cards that survive each of the first two, and the seed of the first.
ROUNDS, KEPT, SEED = (100, 1000, 4000), (12, 1), 20_000
_CHUNK = 20
#: More turns than a game of optimal has.
_TURNS = 200


@dataclass(frozen=True)
class Rated:
    """A card's loss against ``optimal``, in points per turn on the same positions, and its standard error."""

    card: tuple[int, int, int]
    loss: float
    error: float


def rate(cards: Iterable[tuple[int, int, int]], games: int, seed: int, players: int = 4) -> list[Rated]:
    """Measure cards on the turns of ``games`` games that ``optimal`` plays, the best card first.

    The standard error takes games, not turns, as independent.
    """
    cards = list(cards)
    texts = ["optimal", *(f"card:gem={gem}:die={die}:nerve={nerve}" for gem, die, nerve in cards)]
    tables, lineup = GAME.build_tables(Rules(), players), encode([GAME.policy(text) for text in texts])
    losses, turns = np.zeros((games, len(cards))), np.zeros(games)
    for first in range(0, games, _CHUNK):
        count = min(_CHUNK, games - first)
        rows = np.empty((count * _TURNS, 1 + 2 * len(lineup)), np.int64)
        used = survey.contest(tables, lineup, players, seed, first, count, rows)
        game, points = rows[:used, 0] + first, rows[:used, 1::2]
        np.add.at(losses, game, points[:, :1] - points[:, 1:])
        np.add.at(turns, game, 1)
    loss = losses.sum(axis=0) / turns.sum()
    spread = np.sqrt(((losses - turns[:, None] * loss) ** 2).sum(axis=0)) / turns.sum()
    rated = [Rated(card, float(mine), float(error)) for card, mine, error in zip(cards, loss, spread, strict=True)]
    return sorted(rated, key=lambda one: one.loss)


def main() -> None:
    """Search, and print the best cards of every round."""
    cards: Iterable[tuple[int, int, int]] = FAMILY
    for step, (games, kept) in enumerate(zip(ROUNDS, (*KEPT, 1), strict=True)):
        rated = rate(cards, games, SEED + step)
        print(f"{len(rated)} cards, {games} games, seed {SEED + step}")
        for one in rated[:5]:
            gem, die, nerve = one.card
            print(
                f"  gem {gem}  die {die}  nerve {nerve:2}   loses {one.loss:.3f} +- {1.96 * one.error:.3f} points a turn"
            )
        cards = [one.card for one in rated[:kept]]


if __name__ == "__main__":
    main()
