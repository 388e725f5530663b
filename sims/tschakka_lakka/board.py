"""The temple's plan, read from ``boards/*.toml``: entrances, chambers, and gems on crossings.

A board file::

    title = "Two by two chambers"
    squares = ["E..", "#.."]                    # E entrance, . treasure chamber, # no square
    gems = [{ kind = "pink", at = [1, 2] }]     # the crossing between rows 1, 2 and columns 2, 3

Squares are ``(row, column)``, 1-based, (1, 1) top left. In int tables a square is a number (:func:`number`) and a set
of squares a 64-bit mask (:func:`mask`); every row takes eight bits whatever the width of the board, so that the
neighbours of a whole set are four shifts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

from sims.engine.errors import InputError
from sims.engine.numbers import shown
from sims.engine.text import counted
from sims.engine.variant import file_content

Square = tuple[int, int]

FOLDER = Path(__file__).parent / "boards"
MAX_SIDE = 8
GEM_KINDS = ("yellow", "pink")


@dataclass(frozen=True)
class Gem:
    """A gem on the crossing between rows ``row``, ``row + 1`` and columns ``column``, ``column + 1``."""

    kind: str
    row: int
    column: int


@dataclass(frozen=True)
class Board:
    """A temple without its treasures.

    Attributes
    ----------
    entrances, chambers : tuple of Square
        In reading order.
    gems : tuple of Gem
        In the order of the file.
    """

    title: str
    entrances: tuple[Square, ...]
    chambers: tuple[Square, ...]
    gems: tuple[Gem, ...]

    @property
    def height(self) -> int:
        """Number of rows."""
        return max(row for row, _ in (*self.entrances, *self.chambers))

    @property
    def width(self) -> int:
        """Number of columns."""
        return max(column for _, column in (*self.entrances, *self.chambers))

    def neighbours(self, square: Square) -> tuple[Square, ...]:
        """The chambers horizontally or vertically next to a square, never diagonally."""
        row, column = square
        beside = {(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)}
        return tuple(chamber for chamber in self.chambers if chamber in beside)

    def around(self, gem: Gem) -> tuple[Square, ...]:
        """The chambers around a gem: four in the printed temple."""
        rows, columns = (gem.row, gem.row + 1), (gem.column, gem.column + 1)
        return tuple(chamber for chamber in self.chambers if chamber[0] in rows and chamber[1] in columns)

    @property
    def openings(self) -> tuple[Square, ...]:
        """The entrances next to a chamber: where the first turn can begin."""
        return tuple(entrance for entrance in self.entrances if self.neighbours(entrance))

    @property
    def rings(self) -> list[list[Square]]:
        """The chambers by their distance from the middle of all, row or column, whichever is farther; the innermost first."""
        middle = [sum(parts) / len(self.chambers) for parts in zip(*self.chambers, strict=True)]
        rings: dict[float, list[Square]] = {}
        for row, column in self.chambers:
            rings.setdefault(max(abs(row - middle[0]), abs(column - middle[1])), []).append((row, column))
        return [rings[distance] for distance in sorted(rings)]

    def alike(self, one: Square, other: Square) -> bool:
        """Whether a turn or a mirror image of the board carries one square to the other and the board to itself."""

        def moved(at: tuple[float, float], flip: bool, down: bool, across: bool) -> tuple[float, float]:
            row, column = at[::-1] if flip else at
            return self.height + 1 - row if down else row, self.width + 1 - column if across else column

        # the crossing between rows i and i + 1 lies half a square further down
        crossings = {(gem.kind, (gem.row + 0.5, gem.column + 0.5)) for gem in self.gems}
        for flip, down, across in product((False, True), repeat=3):
            if flip and self.height != self.width:
                continue
            turned = partial(moved, flip=flip, down=down, across=across)
            if (
                turned(one) == other
                and set(map(turned, self.entrances)) == set(self.entrances)
                and set(map(turned, self.chambers)) == set(self.chambers)
                and {(kind, turned(at)) for kind, at in crossings} == crossings
            ):
                return True
        return False


def number(square: Square) -> int:
    """The number of a square in int tables, 0 to 63.

    >>> number((1, 1)), number((2, 3))
    (0, 10)
    """
    row, column = square
    return 8 * (row - 1) + column - 1


def square(number: int) -> Square:
    """The square of a number.

    >>> square(10)
    (2, 3)
    """
    return number // 8 + 1, number % 8 + 1


def mask(squares: Iterable[Square]) -> int:
    """A set of squares as 64 bits: bit :func:`number` is set for every square."""
    return sum(1 << number(each) for each in set(squares))


def shipped() -> list[str]:
    """Names of the shipped boards."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Board:
    """Read a shipped board by name, or a user's file by path (anything that ends in ``.toml``).

    Raises
    ------
    InputError
        Unknown board, unreadable or broken file, or a plan that is no temple.
    """
    if not name.endswith(".toml"):
        if name not in shipped():
            raise InputError(
                f"board: {shown(name)} is unknown; allowed: {', '.join(shipped())}, or the path of a .toml file"
            )
        return _shipped(name)
    return parse(file_content(name), Path(name).name)


@cache
def _shipped(name: str) -> Board:
    path = FOLDER / f"{name}.toml"
    return parse(file_content(str(path)), path.name)


def parse(content: dict[str, Any], where: str) -> Board:
    """A board from the content of its file; ``where`` begins every error line."""
    for key in content:
        if key not in ("title", "squares", "gems"):
            raise InputError(f"{where}: {key}: no such key; allowed: title, squares, gems")
    title = content.get("title", Path(where).stem)
    if not isinstance(title, str):
        raise InputError(f"{where}: title: {shown(title)} is not a text")
    signs = _signs(_needed(content, "squares", where), where)
    entrances = tuple(place for place, sign in signs.items() if sign == "E")
    chambers = tuple(place for place, sign in signs.items() if sign == ".")
    if not entrances or not chambers:
        raise InputError(f"{where}: squares: a temple needs an entrance (E) and a treasure chamber (.)")
    plain = Board(title, entrances, chambers, ())
    cut_off = set(chambers) - _reachable(plain)
    if cut_off:
        raise InputError(f"{where}: squares: chamber {list(min(cut_off))} cannot be reached from an entrance")
    return Board(title, entrances, chambers, _gems(_needed(content, "gems", where), plain, where))


def _needed(content: dict[str, Any], key: str, where: str) -> Any:
    if key not in content:
        raise InputError(f"{where}: {key}: is missing")
    return content[key]


def _signs(rows: Any, where: str) -> dict[Square, str]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row for row in rows):
        raise InputError(f'{where}: squares: {shown(rows)} is not a list of rows such as "E......E"')
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise InputError(
            f"{where}: squares: {counted(len(rows), 'row')} of {len(rows[0])}; at most {MAX_SIDE} by {MAX_SIDE}"
        )
    for row in rows:
        if len(row) != len(rows[0]):
            raise InputError(f"{where}: squares: row {shown(row)} is not as long as the first, {len(rows[0])}")
        for sign in row:
            if sign not in "E.#":
                raise InputError(f"{where}: squares: {sign!r} is not allowed; E entrance, . chamber, # no square")
    return {(i, j): sign for i, row in enumerate(rows, 1) for j, sign in enumerate(row, 1)}


def _reachable(board: Board) -> set[Square]:
    found: set[Square] = set()
    fresh = set(board.entrances)
    while fresh:
        fresh = {chamber for place in fresh for chamber in board.neighbours(place)} - found
        found |= fresh
    return found


def _gems(entries: Any, board: Board, where: str) -> tuple[Gem, ...]:
    form = 'gems such as { kind = "pink", at = [3, 3] }'
    if not isinstance(entries, list):
        raise InputError(f"{where}: gems: {shown(entries)} is not a list of {form}")
    if not entries:
        raise InputError(f"{where}: gems: a temple needs at least one gem; list {form}")
    gems: list[Gem] = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise InputError(f"{where}: gems: {shown(entry, 70)} is not allowed; list {form}")
        for key in entry:
            if key not in ("kind", "at"):
                raise InputError(f"{where}: gems: {key}: no such key; allowed: kind, at")
        for key in ("kind", "at"):
            if key not in entry:
                raise InputError(f"{where}: gems: {key}: is missing in {shown(entry, 70)}")
        kind, at = entry["kind"], entry["at"]
        if kind not in GEM_KINDS:
            raise InputError(f"{where}: gems: kind: {shown(kind)} is not allowed; {' or '.join(GEM_KINDS)}")
        if not isinstance(at, list) or len(at) != 2 or not all(type(part) is int for part in at):
            raise InputError(f"{where}: gems: at: {shown(at)} is not a crossing [row, column]")
        gem = Gem(kind, at[0], at[1])
        if not (1 <= gem.row < board.height and 1 <= gem.column < board.width and board.around(gem)):
            raise InputError(f"{where}: gems: at: {shown(at)} is not a crossing inside the temple beside a chamber")
        if any((gem.row, gem.column) == (other.row, other.column) for other in gems):
            raise InputError(f"{where}: gems: at: {shown(at)} holds two gems")
        gems.append(gem)
    return tuple(gems)
