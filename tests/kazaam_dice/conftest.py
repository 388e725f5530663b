"""Tiny players for the tests: one that tosses a coin for everything, one that does what a script says."""

from collections.abc import Callable, Sequence

import pytest

from sims.engine.dice import SeededDice
from sims.kazaam_dice.reference import Coin, replay
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import Move, State


class RandomPlayer:
    """Every decision by the coin."""

    def use(self, state: State, moves: Sequence[Move], coin: Coin) -> int:
        return coin(len(moves))

    def reroll(self, state: State, coin: Coin) -> bool:
        return coin(4) == 0

    def extra(self, state: State, coin: Coin) -> bool:
        return coin(4) == 0

    def take(self, state: State, seat: int, field: int, coin: Coin) -> bool:
        return coin(2) == 0


class Script:
    """Makes the moves given, in order; takes, rerolls and plays on as told."""

    def __init__(
        self, *moves: Move, take: Sequence[bool] = (), reroll: Sequence[bool] = (), extra: Sequence[bool] = ()
    ) -> None:
        self.moves, self.takes, self.rerolls, self.extras = list(moves), list(take), list(reroll), list(extra)
        self.asked: list[tuple[int, int]] = []

    def use(self, state: State, moves: Sequence[Move], coin: Coin) -> int:
        return moves.index(self.moves.pop(0))

    def reroll(self, state: State, coin: Coin) -> bool:
        return self.rerolls.pop(0) if self.rerolls else False

    def extra(self, state: State, coin: Coin) -> bool:
        return self.extras.pop(0) if self.extras else False

    def take(self, state: State, seat: int, field: int, coin: Coin) -> bool:
        self.asked.append((seat, field))
        return self.takes.pop(0) if self.takes else False


def random_records(rules: Rules, players: int, games: int, seed: int = 1) -> list[dict[str, int]]:
    """The records of random games."""
    records = []
    for game in range(games):
        playthrough = replay(rules, [RandomPlayer()] * players, SeededDice(seed, game))
        while True:
            try:
                next(playthrough)
            except StopIteration as end:
                records.append(end.value)
                break
    return records


@pytest.fixture
def coin_player() -> RandomPlayer:
    return RandomPlayer()


@pytest.fixture
def script() -> Callable[..., Script]:
    return Script


@pytest.fixture
def play_random() -> Callable[..., list[dict[str, int]]]:
    return random_records
