"""Tiny players for the tests: by coin, or by script. Positions, and a turn walked through in plain loops."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from sims.engine.dice import LoadedDice, SeededDice
from sims.engine.game import Event
from sims.engine.variant import replace
from sims.kazaam_dice.reference import Coin, play, replay
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import Move, Place, State


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


def at(row: int, column: int, columns: int = 7) -> int:
    """The field at (row, column), counted from 1."""
    return (row - 1) * columns + column - 1


class Situations:
    """Positions on the printed board, and games that go on from them."""

    at = staticmethod(at)

    #: Two full ways on the printed board, over plain fields only: alchemist 1 to target 1, alchemist 3 to target 3.
    WAY_1 = tuple((1, c) for c in range(1, 8)) + tuple((r, 7) for r in range(2, 5))
    WAY_3 = tuple((7, c) for c in range(1, 8)) + tuple((r, 1) for r in range(4, 7))

    def state(
        self,
        *fields: tuple[int, int],
        dice: Mapping[tuple[int, int], str] | None = None,
        ambrosius: tuple[int, int] = (4, 4),
        obstacle: tuple[tuple[int, int], tuple[int, int]] | None = None,
        seat: int = 0,
        players: int = 2,
        favourite: Sequence[int] = (),
        others: Sequence[int] = (),
        **rules: Any,
    ) -> State:
        """Dice showing 1 on ``fields``, dice written ``top^north`` on those of ``dice``."""
        state = State.start(replace(Rules(), rules), players)
        for place, shown in {**dict.fromkeys(fields, "1^2"), **(dice or {})}.items():
            number = state.die.number(int(shown[0]), int(shown[2]))
            assert number is not None
            state.dice[at(*place)] = number
        state.ambrosius, state.seat = at(*ambrosius), seat
        state.obstacle = None if obstacle is None else (at(*obstacle[0]), at(*obstacle[1]))
        state.favourite[: len(favourite)], state.others[: len(others)] = favourite, others
        return state

    def play(
        self, state: State, throws: Sequence[tuple[int, int]], *players: Script
    ) -> tuple[list[Event], dict[str, int] | None]:
        """Events until the game ends or the throws are used up, and the record if it ended."""
        events: list[Event] = []
        playthrough = play(state, list(players) + [Script()] * (state.players - len(players)), LoadedDice(throws))
        while True:
            try:
                events.append(next(playthrough))
            except StopIteration as end:
                return events, end.value
            except IndexError:
                return events, None


@pytest.fixture
def on_board() -> Situations:
    return Situations()


class PlainTurn:
    """The chance to connect in the rest of a turn, by trying everything in the order of play.

    ``others`` picks among the chances that the other seats' choices of chips leave: ``min`` or ``max``; None: they take
    nothing.
    """

    def __init__(self, others: Callable[[list[Fraction]], Fraction] | None = None) -> None:
        self.others, self.memory = others, {}

    def chance(self, state: State) -> Fraction:
        seat = state.seat
        key = (
            frozenset(state.dice.items()), frozenset(state.chips), state.ambrosius, state.obstacle,
            state.favourite[seat], state.others[seat],
        )  # fmt: skip
        if key not in self.memory:
            rolls = itertools.product(range(1, 7), repeat=2)
            self.memory[key] = sum(self.best_of_roll(state, roll) for roll in rolls) / 36
        return self.memory[key]

    def best_of_roll(self, state: State, roll: tuple[int, int]) -> Fraction:
        moves = state.uses(roll)
        options = [self.after_move(state, move) for move in moves] or [self.play_on(state)]
        if state.others[state.seat]:
            spent = state.copy()
            spent.others[state.seat] -= 1
            options.append(self.chance(spent))
        return max(options)

    def after_move(self, state: State, move: Move) -> Fraction:
        after = state.copy()
        after.apply(move)
        if isinstance(move, Place) and after.supply == 1:
            return Fraction(0)
        if after.connected():
            return Fraction(after.seat in after.connected())
        return self.asked(after, after.from_turn())

    def asked(self, state: State, seats: Sequence[int]) -> Fraction:
        """The seats still to be asked take, in turn, any of the chips that they reach when they are asked."""
        if not seats:
            return self.play_on(state)
        seat, *rest = seats
        options = []
        mine = seat == state.seat
        reached = state.reached(seat) if mine or (self.others and state.rules.taking == "any_turn") else []
        for taken in itertools.product([False, True], repeat=len(reached)):
            after = state.copy()
            for field in itertools.compress(reached, taken):
                after.take(seat, field)
            options.append(self.asked(after, rest))
        return max(options) if mine or not self.others else self.others(options)

    def play_on(self, state: State) -> Fraction:
        if not state.favourite[state.seat]:
            return Fraction(0)
        spent = state.copy()
        spent.favourite[state.seat] -= 1
        return self.chance(spent)


@pytest.fixture
def plain_turn() -> type[PlainTurn]:
    return PlainTurn
