"""The same game with other components or other seats, and boards that turn onto themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sims.engine.variant import Variant
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.draw import as_file

#: How often the pictures of the board are dealt again.
DEALS = 3


@contextmanager
def on_board(variant: Variant, board: Board) -> Iterator[Variant]:
    """The variant on another board, which exists as a file while the context lasts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "board.toml"
        path.write_text(as_file(board), encoding="utf-8")
        yield variant.changed(board=str(path))


def seated(board: Board, alchemists: tuple[int, ...]) -> Board:
    """The board with these alchemists at the seats of so many players."""
    return replace(board, seating={**board.seating, len(alchemists): alchemists})


def dealt_again(board: Board, seed: int) -> Board:
    """The board with its pictures dealt anew: as many of each, and still its own image under a quarter turn if it was."""
    groups = orbits(board) if is_symmetric(board) else [[field] for field in board.fields]
    groups = [group for group in groups if board.centre not in group]
    dealt = np.random.default_rng(seed).permutation([board.creatures[group[0]] for group in groups])
    creatures = list(board.creatures)
    for group, creature in zip(groups, dealt, strict=True):
        for field in group:
            creatures[field] = int(creature)
    return replace(board, creatures=tuple(creatures))


def turned_inside_out(board: Board) -> Board | None:
    """The printed board with the elements where the chips were, near the centre, and the chips where they were.

    None for a board without as many water fields as favourite chips, or fire fields as normal ones, or without any.
    """
    if len(board.water) != len(board.favourites) or len(board.fire) != len(board.normal):
        return None
    if not board.water and not board.fire:
        return None
    # each favourite chip goes to the water field nearest to where it was
    near = {
        alchemist: min((_apart(board, water, field), water) for water in board.water)[1]
        for alchemist, field in board.favourites.items()
    }
    if len(set(near.values())) < len(near):
        return None
    return replace(
        board,
        water=frozenset(board.favourites.values()),
        fire=frozenset(board.normal),
        favourites=near,
        normal=tuple(sorted(board.fire)),
    )


def is_symmetric(board: Board) -> bool:
    """Whether a quarter turn maps the board onto itself: pictures, elements and chips, each alchemist onto another."""
    if board.rows != board.columns:
        return False
    same = all(board.creatures[field] == board.creatures[_turned(board, field)] for field in board.fields)
    kinds = all(
        {_turned(board, field) for field in kind} == set(kind) for kind in (board.fire, board.water, board.normal)
    )
    places = {
        tuple(named[alchemist] for named in (board.alchemists, board.targets, board.favourites) if alchemist in named)
        for alchemist in board.alchemists
    }
    return same and kinds and {tuple(_turned(board, field) for field in fields) for fields in places} == places


def _turned(board: Board, field: int) -> int:
    """Where a quarter turn of a square board brings a field."""
    row, column = divmod(field, board.rows)
    return column * board.rows + board.rows - 1 - row


def orbits(board: Board) -> list[list[int]]:
    """Fields that quarter turns map onto each other; every field alone on a board that is not square."""
    if board.rows != board.columns:
        return [[field] for field in board.fields]
    found: list[list[int]] = []
    seen: set[int] = set()
    for field in board.fields:
        group = []
        while field not in seen:
            seen.add(field)
            group.append(field)
            field = _turned(board, field)
        if group:
            found.append(group)
    return found


def _apart(board: Board, one: int, other: int) -> int:
    return abs(one // board.columns - other // board.columns) + abs(one % board.columns - other % board.columns)


def components(variant: Variant) -> Iterator[tuple[str, str, Variant]]:
    """What the reconstruction chose, chosen otherwise: rule, reading, variant. A board lives until the next is asked for."""
    rules = variant.rules
    yield "fire and water", "rights exchanged", variant.changed(fire=rules.water, water=rules.fire)
    for fire, water in (("135", "246"), ("124", "356")):
        yield "fire and water", f"fire {fire}, water {water}", variant.changed(fire=fire, water=water)
    top, north, east, south, west, bottom = rules.die
    yield "die", "mirror image", variant.changed(die=top + north + west + south + east + bottom)
    yield "die", "other opposites", variant.changed(die=top + north + bottom + south + west + east)
    board: Board = rules.load_board()
    for deal in range(1, DEALS + 1):
        with on_board(variant, dealt_again(board, deal)) as changed:
            yield "pictures", f"dealt again ({deal})", changed
    inside_out = turned_inside_out(board)
    if inside_out:
        with on_board(variant, inside_out) as changed:
            yield "places", "elements inside, chips outside", changed
