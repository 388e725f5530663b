"""Boards: read from ``boards/*.toml``, strictly, so that the owner of a box can correct one in minutes.

A board file::

    title = "The printed board"
    seating = [[1, 3], [1, 2, 3], [1, 2, 3, 4]]
    map = '''
    A1 .  T1
    n  M  f
    w  v1 .
    '''
    creatures = '''
    1 2 3
    4 M 1
    5 6 2
    '''

``map`` shows every field: ``.`` plain, ``AK`` field of alchemist K, ``TK`` the target field with the favourite
ingredient of alchemist K, ``f`` fire, ``w`` water, ``n`` normal chip, ``vK`` favourite chip of alchemist K, ``M``
where Master Ambrosius starts. ``creatures`` shows the picture on every field, 1 to 6, and ``M`` again. ``seating``
lists for each number of players whose alchemists sit in, in turn order.

Fields are numbered row by row from 0; people read them as (row, column) from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from sims.engine.errors import InputError
from sims.engine.text import counted
from sims.engine.variant import file_content
from sims.kazaam_dice.die import STEPS

FOLDER = Path(__file__).parent / "boards"
KEYS = ("title", "seating", "map", "creatures")
#: Smallest and largest number of rows and of columns; 64 fields fit one machine word.
SMALLEST, LARGEST = 2, 8
ALCHEMISTS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Board:
    """A board, ``fields = rows * columns``.

    Attributes
    ----------
    creatures : tuple of int
        Picture of each field, 1 to 6; 0 on the field where Ambrosius starts.
    fire, water : frozenset of int
        Their fields.
    alchemists, targets : mapping of alchemist to field
        The printed fields of each alchemist on this board.
    favourites : mapping of alchemist to field
        Where each favourite chip lies when it lies apart from its target field.
    normal : tuple of int
        Where the normal chips lie.
    centre : int
        Where Ambrosius starts; no die is ever placed there directly.
    seating : mapping of players to alchemists
        Whose alchemist each seat has, in turn order.
    """

    name: str
    title: str
    rows: int
    columns: int
    creatures: tuple[int, ...]
    fire: frozenset[int]
    water: frozenset[int]
    alchemists: Mapping[int, int]
    targets: Mapping[int, int]
    favourites: Mapping[int, int]
    normal: tuple[int, ...]
    centre: int
    seating: Mapping[int, tuple[int, ...]]

    @property
    def fields(self) -> range:
        """All fields, row by row."""
        return range(self.rows * self.columns)

    @cached_property
    def steps(self) -> tuple[tuple[int | None, ...], ...]:
        """``steps[field][direction]``: the neighbour on that side, or None beyond the rim."""
        return tuple(tuple(self.step(field, direction) for direction in range(4)) for field in self.fields)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """``neighbours[field]``: the two to four orthogonal neighbours."""
        return tuple(tuple(near for near in row if near is not None) for row in self.steps)

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The places of the obstacle: pairs of neighbours, smaller field first.

        Field by field; for each field first the edge to its eastern, then the edge to its southern neighbour.
        """
        return tuple((field, near) for field in self.fields for near in self.steps[field][1:3] if near is not None)

    def step(self, field: int, direction: int) -> int | None:
        """The field next to ``field`` in that direction, or None beyond the rim."""
        row, column = field // self.columns + STEPS[direction][0], field % self.columns + STEPS[direction][1]
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def place(self, field: int) -> str:
        """The field for people, ``(row,column)``."""
        return f"({field // self.columns + 1},{field % self.columns + 1})"

    def seats(self, players: int) -> tuple[int, ...]:
        """The alchemist of each seat.

        Raises
        ------
        InputError
            If this board does not seat so many players.
        """
        if players not in self.seating:
            allowed = ", ".join(map(str, sorted(self.seating)))
            raise InputError(f"players: {players} is not allowed; board {self.name} seats {allowed}")
        return self.seating[players]


def names() -> list[str]:
    """The shipped boards, ``standard`` first."""
    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "standard", name))


def load(name: str) -> Board:
    """A shipped board by name, or a user's file by path (anything that ends in ``.toml``).

    Raises
    ------
    InputError
        Unknown board, or the first thing in the file that does not fit, in one line.
    """
    if not name.endswith(".toml"):
        if name not in names():
            raise InputError(f"board: {name!r} is unknown; allowed: {', '.join(names())}, or the path of a .toml file")
        return _shipped(name)
    return parse(file_content(name), Path(name).name)


@cache
def _shipped(name: str) -> Board:
    path = FOLDER / f"{name}.toml"
    return parse(file_content(str(path)), path.name)


def parse(content: dict[str, Any], where: str) -> Board:
    """A board from the content of its file, every line of it checked; ``where`` begins every error line."""
    for key in content:
        if key not in KEYS:
            raise InputError(f"{where}: {key}: no such key; allowed: {', '.join(KEYS)}")
    for key in KEYS:
        if key not in content:
            raise InputError(f"{where}: {key}: is missing; a board has {', '.join(KEYS)}")
    marks, columns = grid(where, "map", content["map"])
    pictures, width = grid(where, "creatures", content["creatures"])
    rows = len(marks) // columns
    if (len(pictures) // width, width) != (rows, columns):
        shape = f"{len(pictures) // width} x {width}"
        raise InputError(f"{where}: creatures: {shape} fields, but the map has {rows} x {columns}")
    if not isinstance(content["title"], str):
        raise InputError(f"{where}: title: {content['title']!r} is not a text")

    def found(mark: str) -> tuple[int, ...]:
        return tuple(field for field, shown in enumerate(marks) if shown == mark)

    def numbered(letter: str) -> dict[int, int]:
        return {k: found(f"{letter}{k}")[0] for k in ALCHEMISTS if found(f"{letter}{k}")}

    _check_marks(where, marks, pictures)
    board = Board(
        name=Path(where).stem,
        title=content["title"],
        rows=rows,
        columns=columns,
        creatures=tuple(0 if shown == "M" else int(shown) for shown in pictures),
        fire=frozenset(found("f")),
        water=frozenset(found("w")),
        alchemists=numbered("A"),
        targets=numbered("T"),
        favourites=numbered("v"),
        normal=found("n"),
        centre=found("M")[0],
        seating=_seating(where, content["seating"], numbered("A")),
    )
    _check_places(where, board)
    return board


def grid(where: str, key: str, text: Any) -> tuple[list[str], int]:
    """A text map as its marks, row by row, and the number of columns."""
    if not isinstance(text, str):
        raise InputError(f"{where}: {key}: {text!r} is not a text of rows")
    lines = [line.split() for line in text.strip().splitlines()]
    columns = len(lines[0]) if lines else 0
    for number, line in enumerate(lines, 1):
        if len(line) != columns:
            raise InputError(f"{where}: {key}: row {number} has {counted(len(line), 'field')}, row 1 has {columns}")
    if not (SMALLEST <= len(lines) <= LARGEST and SMALLEST <= columns <= LARGEST):
        size = f"{len(lines)} x {columns} fields"
        raise InputError(f"{where}: {key}: {size}; {SMALLEST} to {LARGEST} rows and columns are allowed")
    return [mark for line in lines for mark in line], columns


def _check_marks(where: str, marks: list[str], pictures: list[str]) -> None:
    """Known marks, unique places once, creatures 1 to 6 everywhere but under Ambrosius."""
    unique = {f"{letter}{k}" for letter in "ATv" for k in ALCHEMISTS} | {"M"}
    for mark in marks:
        if mark not in unique and mark not in (".", "f", "w", "n"):
            raise InputError(f"{where}: map: {mark!r} is not a mark; allowed: . f w n M, and A T v with 1 to 4")
        if mark in unique and marks.count(mark) > 1:
            raise InputError(f"{where}: map: {mark} is there {marks.count(mark)} times; once is allowed")
    if "M" not in marks:
        raise InputError(f"{where}: map: M is missing; Master Ambrosius needs a field to start on")
    for k in ALCHEMISTS:
        here = [f"{letter}{k}" for letter in "ATv" if f"{letter}{k}" in marks]
        for needed in ("A", "T"):
            if here and f"{needed}{k}" not in here:
                raise InputError(f"{where}: map: {needed}{k} is missing; {here[0]} needs it")
    for field, (mark, picture) in enumerate(zip(marks, pictures, strict=True)):
        if (mark == "M") != (picture == "M"):
            raise InputError(f"{where}: creatures: field {field + 1}: M must stand where the map has M, and only there")
        if picture not in ("1", "2", "3", "4", "5", "6", "M"):
            raise InputError(f"{where}: creatures: {picture!r} is not a creature; allowed: 1 to 6, and M for Ambrosius")


def _check_places(where: str, board: Board) -> None:
    """Alchemists in corners, apart from their targets.

    Each can reach his target past Ambrosius: no single field cuts a board of two or more rows and columns in two.
    """
    for alchemist, field in board.alchemists.items():
        target = board.targets[alchemist]
        if len(board.neighbours[field]) != 2:
            raise InputError(f"{where}: map: A{alchemist} stands at {board.place(field)}; it must be in a corner")
        if target in board.neighbours[field]:
            raise InputError(f"{where}: map: T{alchemist} is next to A{alchemist}; a chain needs a field between them")


def _seating(where: str, table: Any, alchemists: Mapping[int, int]) -> dict[int, tuple[int, ...]]:
    """``[[1, 3], [1, 2, 3]]`` as players -> alchemists."""
    present = ", ".join(map(str, alchemists))
    if not isinstance(table, list) or not table:
        raise InputError(f"{where}: seating: {table!r} is not a list of lists of alchemists")
    seating: dict[int, tuple[int, ...]] = {}
    for row in table:
        fits = isinstance(row, list) and row and all(type(k) is int and k in alchemists for k in row)
        if not fits or len(set(row)) != len(row):
            raise InputError(f"{where}: seating: {row!r} is not allowed; different alchemists of this board: {present}")
        if len(row) in seating:
            raise InputError(f"{where}: seating: two lines for {len(row)} players; one is allowed")
        seating[len(row)] = tuple(row)
    return seating
