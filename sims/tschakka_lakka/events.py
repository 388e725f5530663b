"""What happens in a reference game, told in one line each; the temple is drawn after every turn."""

from dataclasses import dataclass

from sims.engine.game import Event
from sims.engine.text import counted
from sims.tschakka_lakka.board import Board, Gem, Square
from sims.tschakka_lakka.draw import draw, signs
from sims.tschakka_lakka.rules import LETTERS, Treasure

#: How a roll is written: colour letters, * the raccoon, S a skull.
FACES = LETTERS + "*S"

#: What the signs of a drawing mean.
LEGEND = "E entrance, B2 medium blue treasure, .. empty chamber, @ raccoon; between the rows y yellow gem, p pink gem"


@dataclass(frozen=True)
class Collected:
    """What a seat has collected so far."""

    treasures: tuple[Treasure, ...]
    gems: tuple[Gem, ...]


@dataclass(frozen=True)
class TempleShown(Event):
    """The temple and everyone's collection, at the start and after every turn."""

    board: Board
    treasures: tuple[tuple[Square, Treasure], ...]
    gems: tuple[Gem, ...]
    raccoon: Square | None
    hoards: tuple[Collected, ...]

    def __str__(self) -> str:
        return draw(self.board, dict(self.treasures), self.gems, self.raccoon)

    @property
    def signs(self) -> dict[str, str]:
        """The signs of the drawing that occur."""
        return signs(self.board, dict(self.treasures), self.gems, self.raccoon)


@dataclass(frozen=True)
class Placed(Event):
    """The raccoon was placed (1)."""

    square: Square

    def __str__(self) -> str:
        return f"Turn {self.turn + 1}, player {self.seat + 1}: the raccoon goes to {_at(self.square)}."


@dataclass(frozen=True)
class Rolled(Event):
    """Dice were rolled (2a, 2b)."""

    faces: tuple[int, ...]

    def __str__(self) -> str:
        return f"  Rolled {''.join(FACES[face - 1] for face in sorted(self.faces))}."


@dataclass(frozen=True)
class Offered(Event):
    """Dice were placed on a chamber (2c); ``missing`` more release its treasure."""

    chamber: Square
    treasure: Treasure
    dice: int
    missing: int

    def __str__(self) -> str:
        then = f"{self.missing} missing" if self.missing else "released"
        return f"  {self.dice} on the {self.treasure} at {_at(self.chamber)}: {then}."


@dataclass(frozen=True)
class Busted(Event):
    """Nothing could be placed, or too many skulls: the turn brings nothing (2d)."""

    lost: int
    skulls: bool

    def __str__(self) -> str:
        why = "Too many skulls" if self.skulls else "Nothing can be placed"
        return f"  {why}: {_points(self.lost)} lost."


@dataclass(frozen=True)
class Stopped(Event):
    """A turn ended by stopping, or because no die was left to roll, with what was collected (3)."""

    treasures: tuple[Treasure, ...]
    gems: tuple[Gem, ...]
    points: int
    dice_left: int

    def __str__(self) -> str:
        taken = [str(treasure) for treasure in self.treasures] + [f"{gem.kind} gem" for gem in self.gems]
        why = "Stops" if self.dice_left else "No die is left: the turn ends"
        return f"  {why} with {', '.join(taken) or 'nothing'}: {_points(self.points)}."


@dataclass(frozen=True)
class Idle(Event):
    """A turn in a temple without treasures."""

    def __str__(self) -> str:
        return f"Turn {self.turn + 1}, player {self.seat + 1}: nothing is left to collect."


@dataclass(frozen=True)
class LastRound(Event):
    """So few gems are left that the round is the last."""

    gems: int

    def __str__(self) -> str:
        return f"Gems left: {self.gems}. This round is the last."


@dataclass(frozen=True)
class Scored(Event):
    """The end: points of every seat, those for towers among them, and the seats that win."""

    scores: tuple[int, ...]
    majority: tuple[int, ...]
    winners: tuple[int, ...]

    def __str__(self) -> str:
        each = [
            f"player {seat + 1} {_points(score)} ({tower} for towers)"
            for seat, (score, tower) in enumerate(zip(self.scores, self.majority, strict=True))
        ]
        winners = " and ".join(f"player {seat + 1}" for seat in self.winners)
        return f"Scoring: {'; '.join(each)}. Won by {winners}."


@dataclass(frozen=True)
class Unfinished(Event):
    """The game met the turn limit."""

    def __str__(self) -> str:
        return "The game met its turn limit and is left unfinished."


def _at(square: Square) -> str:
    return f"({square[0]}, {square[1]})"


def _points(points: int) -> str:
    return counted(points, "point")
