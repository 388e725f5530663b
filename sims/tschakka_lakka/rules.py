"""Rules of Tschakka Lakka: every number of the rulebook and every ruling on an unclear sentence.

Clauses are cited by the headings of the rulebook (*Game Setup*, *How to Play*, *End of the Game*, *Scoring*).
"""

from dataclasses import dataclass
from typing import Any

from sims.engine.errors import InputError
from sims.engine.numbers import read_whole, shown
from sims.engine.text import counted
from sims.engine.variant import data, number, ruling
from sims.tschakka_lakka import board

COLOURS = ("blue", "yellow", "green", "red")
LETTERS = "BYGR"
SIZE_NAMES = ("", "small", "medium", "large")

#: Faces of a die: 1 to 4 the colours in this order, then the joker and the trap.
RACCOON, SKULL = 5, 6


@dataclass(frozen=True)
class Treasure:
    """A wooden disc: one of four colours, size 1 (small) to 3 (large). The size is also the dice it needs (2c)."""

    colour: str
    size: int

    def __str__(self) -> str:
        return f"{SIZE_NAMES[self.size]} {self.colour} treasure"


def _board(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"board: {value!r} is not the name of a board")
    board.load(value)
    return value


def parse_sizes(value: Any) -> tuple[int, int, int]:
    """``"5/5/5"`` as the numbers of small, medium and large treasures of each colour."""
    parts = value.split("/") if isinstance(value, str) else []
    counts = [count for part in parts if (count := read_whole(part)) is not None and 0 <= count <= 15]
    if not len(parts) == len(counts) == 3:
        raise InputError(f"sizes: {shown(value)} is not allowed; small/medium/large of each colour, as 5/5/5")
    small, medium, large = counts
    return small, medium, large


def _sizes(value: Any) -> str:
    return "/".join(map(str, parse_sizes(value)))


@dataclass(frozen=True)
class Rules:
    """One set of rules.

    Raises
    ------
    InputError
        If the treasures do not fill the chambers of the board exactly (*Game Setup*), or the last round would come
        with more gems left than the board has.
    """

    board: str = data(
        "temple",
        "plan of the temple (Game Setup)",
        parse=_board,
        form=f"{', '.join(board.shipped())}, or the path of a .toml file, as temple",
        file=True,
    )
    sizes: str = data(
        "5/5/5",
        "small/medium/large treasures of each colour (Components)",
        parse=_sizes,
        form="three whole numbers, together a quarter of the board's chambers, as 5/5/5",
        alternatives=("6/5/4", "7/5/3"),
    )
    layout: str = ruling(
        "pairs",
        "Game Setup, note: 'pairs' no connected group of one colour above two; 'no_line' no three in a line; 'free'",
        alternatives=("no_line", "free"),
    )
    gem_needs: str = ruling(
        "all",
        "a gem is taken when 'all' chambers around it are empty, or 'any' one of them (3. Collect)",
        alternatives=("any",),
    )
    tower: str = ruling(
        "height",
        "towers are compared by 'height' (sizes added up) or by 'count' of treasures (Scoring)",
        alternatives=("count",),
    )
    skull_limit: int = ruling(
        0,
        "this many skulls set aside in one turn end it as a bust (Game Objective); 0: no limit",
        alternatives=(4, 3),
        low=0,
        high=7,
    )
    dice: int = number(7, "dice at the start of a turn (2a)", low=1, high=7)
    small_points: int = number(1, "victory points of a small treasure (Scoring)", low=0, high=20)
    medium_points: int = number(2, "victory points of a medium treasure (Scoring)", low=0, high=20)
    large_points: int = number(3, "victory points of a large treasure (Scoring)", low=0, high=20)
    yellow_points: int = number(2, "victory points of a yellow gem (Scoring)", low=0, high=20)
    pink_points: int = number(3, "victory points of a pink gem (Scoring)", low=0, high=20)
    highest_points: int = number(5, "for the highest tower of a colour (Scoring)", low=0, high=20)
    highest_tied_points: int = number(3, "for each of several highest towers (Scoring)", low=0, high=20)
    second_points: int = number(3, "for the second-highest tower of a colour (Scoring)", low=0, high=20)
    second_tied_points: int = number(2, "for each of several second-highest towers (Scoring)", low=0, high=20)
    second_players: int = number(3, "second-highest towers score from this many players on (Scoring)", low=2, high=5)
    end_gems: int = number(3, "with this many gems left, or fewer, the round is the last (End)", low=0, high=48)
    max_turns: int = number(1000, "a game still open after this many turns counts as unfinished", low=1, high=100_000)

    def __post_init__(self) -> None:
        plan = board.load(self.board)
        treasures, chambers = 4 * sum(parse_sizes(self.sizes)), len(plan.chambers)
        if treasures != chambers:
            raise InputError(
                f"sizes: {self.sizes!r} is {counted(treasures, 'treasure')}; "
                f"board {self.board!r} has {counted(chambers, 'chamber')}"
            )
        if self.end_gems > len(plan.gems):
            have = counted(len(plan.gems), "gem")
            raise InputError(f"end_gems: {self.end_gems} is not allowed; board {self.board!r} has {have}")

    @property
    def size_counts(self) -> tuple[int, int, int]:
        """Numbers of small, medium and large treasures of each colour."""
        return parse_sizes(self.sizes)
