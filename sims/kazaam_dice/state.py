"""A position of Kazaam Dice in plain objects: what lies where, what may be done, what is connected.

Part of the readable reference: clear before fast. The order of uses, chain and distance are defined in
:mod:`sims.kazaam_dice.rules`.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sims.kazaam_dice.board import Board
from sims.kazaam_dice.die import DIRECTIONS, Die, die
from sims.kazaam_dice.rules import LAST_DIE, OTHER, OWN, SEVERAL, Rules


@dataclass(frozen=True)
class Place:
    """Put a die from the supply on ``field``, ``value`` on top, facing 0 to 3."""

    value: int
    field: int
    facing: int

    def told(self, state: "State") -> str:
        """The move in words, as seen before it is made."""
        north = state.die.north(self.orientation)
        return f"places {self.value} on {state.board.place(self.field)}, {north} facing north"

    @property
    def orientation(self) -> int:
        """Number of the orientation in which the die is placed."""
        return 4 * (self.value - 1) + self.facing


@dataclass(frozen=True)
class Tip:
    """Tip the die on ``field``, which shows ``value``, in ``direction``."""

    value: int
    field: int
    direction: int

    def told(self, state: "State") -> str:
        """The move in words, as seen before it is made."""
        shows = state.die.top(state.die.tips[state.dice[self.field]][self.direction])
        place = state.board.place(self.field)
        return f"tips the {self.value} on {place} {DIRECTIONS[self.direction]}, it now shows {shows}"


@dataclass(frozen=True)
class MoveAmbrosius:
    """Put Master Ambrosius on ``field``."""

    field: int

    def told(self, state: "State") -> str:
        """The move in words, as seen before it is made."""
        return f"moves Ambrosius to {state.board.place(self.field)}"


@dataclass(frozen=True)
class SetObstacle:
    """Put the obstacle between two neighbouring fields, the smaller one first."""

    edge: tuple[int, int]

    def told(self, state: "State") -> str:
        """The move in words, as seen before it is made."""
        one, other = map(state.board.place, self.edge)
        return f"sets the obstacle between {one} and {other}"


Move = Place | Tip | MoveAmbrosius | SetObstacle


@dataclass
class State:
    """One position.

    Attributes
    ----------
    alchemists : tuple of int
        The alchemist of each seat.
    dice : dict of field to orientation
        The dice on the board; so there can never be two on a field.
    chips : dict of field to alchemist
        The chips on the board: whose favourite ingredient each is, 0 for a normal one.
    ambrosius : int
        His field.
    obstacle : (field, field) or None
        The edge it closes, smaller field first; None while it lies beside the board.
    favourite, others : list of int, one per seat
        Chips held: the seat's own favourite (0 or 1), and all others.
    seat, round : int
        Who is on turn, and in which round, both from 0.
    throws : int
        Throws made in this turn.
    roll : (int, int) or None
        The roll to be used.
    """

    rules: Rules
    board: Board
    die: Die
    alchemists: tuple[int, ...]
    dice: dict[int, int]
    chips: dict[int, int]
    ambrosius: int
    obstacle: tuple[int, int] | None
    favourite: list[int]
    others: list[int]
    seat: int = 0
    round: int = 0
    throws: int = 0
    roll: tuple[int, int] | None = field(default=None)

    @classmethod
    def start(cls, rules: Rules, players: int) -> "State":
        """Set up the game.

        Raises
        ------
        InputError
            If the board does not seat so many players.
        """
        board = rules.load_board()
        lie = board.targets if rules.favourites == "on_target" else board.favourites
        return cls(
            rules,
            board,
            die(rules.die),
            board.seats(players),
            dice={},
            chips={place: 0 for place in board.normal} | {lie[k]: k for k in board.favourites},
            ambrosius=board.centre,
            obstacle=None,
            favourite=[0] * players,
            others=[0] * players,
        )

    def copy(self) -> "State":
        """The same position, to be changed independently."""
        return replace(
            self,
            dice=dict(self.dice),
            chips=dict(self.chips),
            favourite=list(self.favourite),
            others=list(self.others),
        )

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.alchemists)

    @property
    def supply(self) -> int:
        """Dice that are not on the board."""
        return self.rules.supply - len(self.dice)

    def from_turn(self) -> list[int]:
        """All seats in turn order, beginning with the one on turn."""
        return [(self.seat + i) % self.players for i in range(self.players)]

    def top(self, place: int) -> int:
        """The creature on top of the die on a field."""
        return self.die.top(self.dice[place])

    # -- what may be done ----------------------------------------------------------------------------------

    def uses(self, roll: tuple[int, int]) -> list[Move]:
        """Every use of a roll, in the common order; empty if the player must pass."""
        values, double = sorted(set(roll)), roll[0] == roll[1]
        moves: list[Move] = [
            Place(value, place, facing)
            for value in values
            for place in self.board.fields
            if self.may_place(value, place, double)
            for facing in range(4)
        ]
        moves += [
            Tip(value, place, direction)
            for value in values
            for place in sorted(self.dice)
            if self.top(place) == value
            for direction in range(4)
            if self.may_tip(place, direction)
        ]
        if double:
            moves += [MoveAmbrosius(place) for place in self.board.fields if self.may_stand(place)]
            moves += [SetObstacle(edge) for edge in self.board.edges if self.may_close(edge)]
        return moves

    def free(self, place: int) -> bool:
        """Neither a die nor Ambrosius is there; chips do not matter."""
        return place not in self.dice and place != self.ambrosius

    def may_enter(self, creature: int, place: int) -> bool:
        """Fire and water let in only their creatures."""
        if place in self.board.fire:
            return str(creature) in self.rules.fire
        if place in self.board.water:
            return str(creature) in self.rules.water
        return True

    def may_place(self, value: int, place: int, double: bool) -> bool:
        """Use a: never in the centre, only where the creature may be, and on its picture if the rules say so."""
        anywhere = self.rules.placing == "any" or (double and self.rules.double_placing == "any")
        return (
            self.free(place)
            and place != self.board.centre
            and self.may_enter(value, place)
            and (anywhere or self.board.creatures[place] == value)
        )

    def may_tip(self, place: int, direction: int) -> bool:
        """Use b: onto a free neighbour, not across the obstacle; burning or drowning is allowed or not by ruling."""
        onto = self.board.steps[place][direction]
        if onto is None or not self.free(onto) or not self.open(place, onto):
            return False
        survives = self.may_enter(self.die.top(self.die.tips[self.dice[place]][direction]), onto)
        return survives or self.rules.fire_water == "burns"

    def may_stand(self, place: int) -> bool:
        """Use c: Ambrosius goes to a free field that is no alchemist's and no target, unless it shuts a corner."""
        printed = place in self.board.alchemists.values() or place in self.board.targets.values()
        return self.free(place) and not printed and not self.shuts_corner(place, self.obstacle)

    def may_close(self, edge: tuple[int, int]) -> bool:
        """Use d: the obstacle goes to another edge than its present one, unless it shuts a corner."""
        return edge != self.obstacle and not self.shuts_corner(self.ambrosius, edge)

    def shuts_corner(self, ambrosius: int, obstacle: tuple[int, int] | None) -> bool:
        """Whether the two would close both sides of an alchemist's field."""
        for corner in self.board.alchemists.values():
            one, other = self.board.neighbours[corner]
            for beside, opposite in ((one, other), (other, one)):
                if ambrosius == beside and obstacle == (min(corner, opposite), max(corner, opposite)):
                    return True
        return False

    def apply(self, move: Move) -> str | None:
        """Make a move; ``"burnt"`` or ``"drowned"`` if the tipped die went back to the supply."""
        match move:
            case Place():
                self.dice[move.field] = move.orientation
            case Tip():
                orientation = self.die.tips[self.dice.pop(move.field)][move.direction]
                onto = self.board.steps[move.field][move.direction]
                assert onto is not None
                if not self.may_enter(self.die.top(orientation), onto):
                    return "burnt" if onto in self.board.fire else "drowned"
                self.dice[onto] = orientation
            case MoveAmbrosius():
                self.ambrosius = move.field
            case SetObstacle():
                self.obstacle = move.edge
        return None

    def ending(self) -> int | None:
        """How the move just made by the player on turn ended the game; None if it did not."""
        if self.supply == 1:  # there were two or more before, and only a placement takes one away
            return LAST_DIE
        connected = self.connected()
        if not connected:
            return None
        if self.seat not in connected:
            return OTHER
        return OWN if connected == [self.seat] else SEVERAL

    def awards(self, end: int) -> Iterator[tuple[int, str, int]]:
        """Seat, column of the record and points for each award that goes with an end on this position."""
        rules = self.rules
        if end == LAST_DIE:
            yield self.seat, "points_last", rules.points_last_die
        elif end in (OWN, SEVERAL, OTHER):
            for seat in self.connected():
                if seat == self.seat:
                    yield seat, "points_own", rules.points_connection
                else:
                    yield seat, "points_other", rules.connected_by_other if end == OTHER else rules.points_also

    # -- chains --------------------------------------------------------------------------------------------

    def open(self, one: int, other: int) -> bool:
        """Whether the obstacle leaves the way between two neighbours open."""
        return self.obstacle != (min(one, other), max(one, other))

    def ways(self, place: int) -> Iterator[int]:
        """The neighbours of a field to which the obstacle leaves the way open."""
        return (near for near in self.board.neighbours[place] if self.open(place, near))

    def ends(self, seat: int) -> tuple[int, int]:
        """The two fields that a seat's chain must join: its alchemist's and its target."""
        alchemist = self.alchemists[seat]
        return self.board.alchemists[alchemist], self.board.targets[alchemist]

    def group(self, start: int, holds: set[int]) -> set[int]:
        """The fields among ``holds`` linked to ``start``, which is one of them."""
        found, new = {start}, [start]
        while new:
            near = [place for place in self.ways(new.pop()) if place in holds and place not in found]
            found.update(near)
            new.extend(near)
        return found

    def chain(self, seat: int) -> set[int]:
        """The fields of a seat's chain, including the ends that count as held under ``beside``; may be empty."""
        begin, target = self.ends(seat)
        holds = set(self.dice) | ({begin, target} if self.rules.chain_ends == "beside" else set())
        return self.group(begin, holds) if begin in holds else set()

    def connected(self) -> list[int]:
        """The seats whose chain joins alchemist and target."""
        return [seat for seat in range(self.players) if self.ends(seat)[1] in self.chain(seat)]

    def reached(self, seat: int) -> list[int]:
        """The fields whose chips lie on dice of a seat's chain, in order."""
        return sorted(place for place in self.chain(seat) if place in self.chips and place in self.dice)

    def take(self, seat: int, place: int) -> None:
        """A chip and its die leave the board: the chip to the seat, the die to the supply."""
        del self.dice[place]
        if self.chips.pop(place) == self.alchemists[seat]:
            self.favourite[seat] += 1
        else:
            self.others[seat] += 1

    def distance(self, seat: int) -> int:
        """The fewest dice still missing in a seat's chain; rows * columns if no way is open."""
        begin, target = self.ends(seat)
        held = set(self.dice) | ({begin, target} if self.rules.chain_ends == "beside" else set())
        missing = {begin: int(begin not in held)}
        queue = deque([begin])  # 0-1 search: fields that cost nothing are looked at first
        while queue:
            place = queue.popleft()
            for near in self.ways(place):
                cost = missing[place] + (near not in held)
                if near != self.ambrosius and cost < missing.get(near, len(self.board.fields)):
                    missing[near] = cost
                    if near in held:
                        queue.appendleft(near)
                    else:
                        queue.append(near)
        return missing.get(target, len(self.board.fields))

    def longest_chain(self) -> int:
        """Dice of the largest linked group on the board, whoever's it is."""
        return max((len(self.group(place, set(self.dice))) for place in self.dice), default=0)
