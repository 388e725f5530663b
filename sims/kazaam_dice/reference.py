"""Kazaam Dice in plain Python, clause by clause: the writing that people check against the rulebook.

:func:`replay` plays one game and yields what happens; :func:`play` does so from any position. Decisions come from
:class:`Player` objects; what is asked when, and at which address a policy's coin falls, stands in
:mod:`sims.kazaam_dice.rules`.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sims.engine.dice import CHOICE, Dice
from sims.engine.game import Event
from sims.kazaam_dice.draw import draw, signs
from sims.kazaam_dice.fields import FIELDS
from sims.kazaam_dice.rules import ENDS, LAST_DIE, PASSES, TURNS, Rules
from sims.kazaam_dice.state import Move, MoveAmbrosius, Place, SetObstacle, State, Tip

Playthrough = Generator[Event, None, dict[str, int]]

#: ``coin(bound)``: a uniform whole number below ``bound``, the same each time within one decision.
Coin = Callable[[int], int]

#: Slots of the decisions in the addresses of coins.
USE, REROLL, EXTRA, TAKE = 0, 1, 2, 64
#: The record's name of what a double was used for.
DOUBLE_USES = {
    Place: "double_place",
    Tip: "double_tip",
    MoveAmbrosius: "double_ambrosius",
    SetObstacle: "double_obstacle",
}


class Player(Protocol):
    """What a seat decides. The state is the game's own: look, copy, do not change."""

    def use(self, state: State, moves: Sequence[Move], coin: Coin) -> int:
        """The index of the move to make with ``state.roll``."""

    def reroll(self, state: State, coin: Coin) -> bool:
        """Whether to spend a chip on cancelling ``state.roll`` and rolling again."""

    def extra(self, state: State, coin: Coin) -> bool:
        """Whether to spend the own favourite chip on one more move."""

    def take(self, state: State, seat: int, field: int, coin: Coin) -> bool:
        """Whether ``seat``, which this player holds, takes the chip on ``field`` with its die."""


@dataclass(frozen=True)
class Told(Event):
    """Something told in one sentence."""

    text: str

    def __str__(self) -> str:
        return f"round {self.turn + 1}, seat {self.seat + 1} {self.text}"


@dataclass(frozen=True)
class Rolled(Told):
    """Two dice were rolled."""

    roll: tuple[int, int]


@dataclass(frozen=True)
class Cancelled(Told):
    """A chip was spent to roll again."""


@dataclass(frozen=True)
class Used(Told):
    """A roll was used; ``lost`` is ``"burnt"`` or ``"drowned"`` if that cost the die."""

    move: Move
    lost: str | None


@dataclass(frozen=True)
class Passed(Told):
    """The roll had no use."""


@dataclass(frozen=True)
class Took(Told):
    """A seat, not always the one on turn, took a chip with its die."""

    field: int


@dataclass(frozen=True)
class Extra(Told):
    """The own favourite chip was spent on one more move."""


@dataclass(frozen=True)
class Standing(Event):
    """The position after a use and the taking of chips; its text is the drawn board."""

    position: State

    def __str__(self) -> str:
        return draw(self.position)

    @property
    def signs(self) -> dict[str, str]:
        """The signs of the drawing that occur."""
        return signs(self.position)

    def plain(self) -> dict[str, Any]:
        """Places as (row, column) from 1: each die with its creature and the one that looks north, chips with their alchemist."""
        state, columns = self.position, self.position.board.columns

        def at(field: int) -> list[int]:
            return [field // columns + 1, field % columns + 1]

        north = {field: state.die.north(way) for field, way in state.dice.items()}
        return {
            "turn": self.turn,
            "seat": self.seat,
            "dice": [{"at": at(field), "top": state.top(field), "north": north[field]} for field in sorted(state.dice)],
            "chips": [{"at": at(field), "alchemist": state.chips[field]} for field in sorted(state.chips)],
            "ambrosius": at(state.ambrosius),
            "obstacle": [at(field) for field in state.obstacle or ()],
            "favourite": list(state.favourite),
            "others": list(state.others),
        }


@dataclass(frozen=True)
class Ended(Told):
    """The game is over."""

    end: int
    scores: tuple[int, ...]


def replay(rules: Rules, players: Sequence[Player], dice: Dice) -> Playthrough:
    """One game from the start, ``players[seat]`` deciding for each seat.

    Raises
    ------
    InputError
        If the board does not seat so many players.
    """
    return play(State.start(rules, len(players)), players, dice)


def play(state: State, players: Sequence[Player], dice: Dice) -> Playthrough:
    """The game from a position, which is played on and so changed, to its end."""
    return _Table(state, players, dice).game()


class _Table:
    """One game in progress: the position, the players, and the tally of the record."""

    def __init__(self, state: State, players: Sequence[Player], dice: Dice) -> None:
        self.state, self.players, self.dice = state, players, dice
        self.tally: Counter[str] = Counter()
        self.leader: int | None = None

    def count(self, name: str, amount: int = 1, seat: int | None = None) -> None:
        """Add to a column of the record."""
        self.tally[name if seat is None else f"{name}_{seat + 1}"] += amount

    def coin(self, slot: int, seat: int | None = None) -> Coin:
        """The coin of one decision."""
        state = self.state
        address = state.seat if seat is None else 4 * seat + state.seat
        where = 128 * (state.throws - 1) + slot

        def below(bound: int) -> int:
            return self.dice.below(bound, turn=state.round, seat=address, roll=where, purpose=CHOICE)

        return below

    # -- the course of play --------------------------------------------------------------------------------

    def game(self) -> Playthrough:
        state, passed, end = self.state, 0, None
        while end is None:
            uses = self.tally["uses"]
            self.count("turns")
            state.throws = 0
            end = yield from self.turn()
            self.look_at_lead()
            passed = passed + 1 if self.tally["uses"] == uses else 0
            if end is None and passed == state.players * state.rules.max_passes:
                end = PASSES
            if end is None and self.tally["turns"] == state.rules.max_turns:
                end = TURNS
            if end is None:
                state.round += (state.seat + 1) // state.players
                state.seat = (state.seat + 1) % state.players
        return (yield from self.finish(end))

    def turn(self) -> Generator[Event, None, int | None]:
        """One turn with all its extra moves; returns how the game ended, if it did."""
        state, seat = self.state, self.state.seat
        while True:
            roll = yield from self.rolled()
            moves = state.uses(roll)
            if moves:
                move = moves[self.players[seat].use(state, moves, self.coin(USE))]
                yield self.used(move)
                state.roll = None
                end = state.ending()
                if end is not None:
                    return end
                yield from self.take_chips()
                yield Standing(state.round, seat, state.copy())
            else:
                self.count("passes")
                state.roll = None
                yield Passed(state.round, seat, "has no use for the roll and passes")
            if not state.favourite[seat] or not self.players[seat].extra(state, self.coin(EXTRA)):
                return None
            state.favourite[seat] -= 1
            self.count("extra", seat=seat)
            yield Extra(state.round, seat, "spends the own favourite chip on an extra move")

    def rolled(self) -> Generator[Event, None, tuple[int, int]]:
        """Roll two dice, and again for every chip spent on it."""
        state, seat = self.state, self.state.seat
        while True:
            first, second = self.dice.throw(2, turn=state.round, seat=seat, roll=state.throws)
            state.roll = (first, second)
            state.throws += 1
            self.count("doubles", int(first == second))
            yield Rolled(state.round, seat, f"rolls {first} and {second}", state.roll)
            if not state.others[seat] or not self.players[seat].reroll(state, self.coin(REROLL)):
                return state.roll
            state.others[seat] -= 1
            self.count("rerolls", seat=seat)
            yield Cancelled(state.round, seat, "spends a chip to roll again")

    def used(self, move: Move) -> Used:
        """Make the move and count it."""
        state = self.state
        assert state.roll is not None
        text = move.told(state)
        lost = state.apply(move)
        self.count("uses")
        self.count("placed", int(isinstance(move, Place)))
        self.count("tipped", int(isinstance(move, Tip)))
        if lost:
            self.count(lost)
            text += ": it burns" if lost == "burnt" else ": it drowns"
        if state.roll[0] == state.roll[1]:
            self.count(DOUBLE_USES[type(move)])
        return Used(state.round, state.seat, text, move, lost)

    def take_chips(self) -> Iterator[Event]:
        """Seats in turn order are asked for each chip that their chain reaches when it is their turn to be asked."""
        state = self.state
        for seat in self.takers():
            for field in state.reached(seat):
                if self.players[seat].take(state, seat, field, self.coin(TAKE + field, seat)):
                    yield self.took(seat, field)

    def takers(self) -> list[int]:
        """Who may take chips now, in order."""
        state = self.state
        return state.from_turn() if state.rules.taking == "any_turn" else [state.seat]

    def took(self, seat: int, field: int) -> Took:
        """A chip and its die leave the board."""
        state = self.state
        chip = state.chips[field]
        kind = f"favourite chip of alchemist {chip}" if chip else "chip"
        state.take(seat, field)
        self.count("taken", seat=seat)
        who = "" if seat == state.seat else f"moved, and seat {seat + 1} "
        return Took(state.round, state.seat, f"{who}takes the {kind} on {state.board.place(field)} and its die", field)

    def look_at_lead(self) -> None:
        """A new sole leader by distance is a change of lead; shared leads leave it where it was."""
        distances = [self.state.distance(seat) for seat in range(self.state.players)]
        if distances.count(min(distances)) > 1:
            return
        leader = distances.index(min(distances))
        if self.leader is not None:
            self.count("lead_changes", int(leader != self.leader))
        self.leader = leader

    # -- the end -------------------------------------------------------------------------------------------

    def last_chips(self, end: int) -> Iterator[Event]:
        """Chips that the last move reached, except those whose dice hold up a connection just made."""
        state = self.state
        for seat in self.takers():
            for field in state.reached(seat):
                without = state.copy()
                without.take(seat, field)
                if end == LAST_DIE or without.connected() == state.connected():
                    yield self.took(seat, field)

    def finish(self, end: int) -> Playthrough:
        """Count chips, find the winners, return the record."""
        state, rules, unfinished = self.state, self.state.rules, end in (PASSES, TURNS)
        for seat, column, points in state.awards(end):
            self.count(column, points, seat)
        if not unfinished:
            if rules.end_takes_chips:
                yield from self.last_chips(end)
            yield Standing(state.round, state.seat, state.copy())
        for seat in range(state.players):
            self.count("points_favourite", rules.points_favourite * state.favourite[seat], seat)
            self.count("points_chips", rules.points_chip * state.others[seat], seat)
            self.count("kept", state.favourite[seat] + state.others[seat], seat)
        sources = ("points_own", "points_other", "points_last", "points_favourite", "points_chips")
        scores = [sum(self.tally[f"{source}_{seat + 1}"] for source in sources) for seat in range(state.players)]
        for seat, score in enumerate(scores):
            self.count("score", score, seat)
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        self.count("winners", 0 if unfinished else sum(1 << seat for seat in best))
        self.count("unfinished", int(unfinished))
        self.count("rounds", state.round + 1)
        self.count("end", end)
        self.count("dice", len(state.dice))
        self.count("longest_chain", state.longest_chain())
        told = f"ends the game ({ENDS[end]}); points: {', '.join(map(str, scores))}"
        yield Ended(state.round, state.seat, told, end, tuple(scores))
        return {
            column: self.tally[column]
            for entry in FIELDS
            for column in (
                [f"{entry.name}_{seat + 1}" for seat in range(state.players)] if entry.per_seat else [entry.name]
            )
        }
