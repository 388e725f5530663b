"""Rules and board as integers: one record that every kernel reads.

A set of fields is one ``uint64`` word, bit ``f`` for field ``f``. The tables are one structured record, so that a
kernel is handed a pointer instead of forty arrays, every entry has one type for all variants, and every offset is
a constant of the compiled code. A rule that is not spelled out in sets and tables stands there under its own name.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.variant import carry
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.die import Die, die
from sims.kazaam_dice.rules import Rules

SEATS, FIELDS, EDGES, ORIENTATIONS = 4, 64, 112, 24
#: An upper limit of the uses of one roll: 2 values on any field in 4 facings, every die in 4 directions, a double's.
USES = 2 * 4 * FIELDS + 4 * FIELDS + FIELDS + EDGES

#: Readings of the rulings, in the order in which ``rules.Rules`` declares them.
FIRE_WATER_BURNS, FIRE_WATER_NO_SUICIDE = range(2)
CHAIN_ENDS_ON, CHAIN_ENDS_BESIDE = range(2)
TAKING_ANY_TURN, TAKING_OWN_TURN = range(2)

RULES = np.dtype(
    [
        # Geometry. ``ways[obstacle]`` holds, for north, east, south, west, the fields with an open way to that side;
        # ``obstacle`` is 0 while the marker is beside the board and 1 + edge on it.
        ("players", "i8"),
        ("fields", "i8"),
        ("columns", "i8"),
        ("edges", "i8"),
        ("ways", "u8", (EDGES + 1, 4)),
        ("edge_fields", "i8", (EDGES, 2)),
        # The die: ``tips[orientation, direction]``.
        ("tips", "i8", (ORIENTATIONS, 4)),
        # Fields by top creature, 1 to 6; ``places[double, creature]``.
        ("places", "u8", (2, 7)),
        ("loses", "u8", 7),
        ("fire_fields", "u8"),
        ("fire_water", "i8"),
        # Ambrosius and the obstacle. ``shuts[obstacle]``: where Ambrosius would complete the block of a corner.
        ("centre", "u8"),
        ("stands", "u8"),
        ("shuts", "u8", EDGES + 1),
        # Seats.
        ("home", "u8", SEATS),
        ("goal", "u8", SEATS),
        ("favourite", "u8", SEATS),
        ("chips", "u8"),
        # Rulings.
        ("chain_ends", "i8"),
        ("taking", "i8"),
        ("end_takes_chips", "i8"),
        # Numbers.
        ("supply", "i8"),
        ("points_connection", "i8"),
        ("points_also", "i8"),
        ("connected_by_other", "i8"),
        ("points_last_die", "i8"),
        ("points_favourite", "i8"),
        ("points_chip", "i8"),
        ("max_passes", "i8"),
        ("max_turns", "i8"),
        # Each seat's own order of fields, edges and facings, for ties; ``quarter`` turns bring his corner to (1,1).
        ("quarter", "i8", SEATS),
        ("field_rank", "i8", (SEATS, FIELDS)),
        ("edge_rank", "i8", (SEATS, EDGES)),
        ("facing_rank", "i8", (SEATS, ORIENTATIONS)),
    ],
    align=True,
)


class Tables(NamedTuple):
    """The rules as arrays.

    Attributes
    ----------
    rules : record[1]
        One record of the type ``RULES``.
    """

    rules: NDArray[np.void]


def mask(fields: Iterable[int]) -> np.uint64:
    """The word of some fields."""
    return np.uint64(sum(1 << field for field in set(fields)))


def build_tables(rules: Rules, players: int) -> Tables:
    """All that a kernel knows of ``rules``; it is only to be read.

    Raises
    ------
    InputError
        If the board cannot be read or does not seat so many players.
    """
    # a user's file may have changed under the same name
    return _build(rules, players) if rules.board.endswith(".toml") else _kept(rules, players)


@lru_cache(maxsize=32)  # a report plays many batches, and single turns, under few rules
def _kept(rules: Rules, players: int) -> Tables:
    return _build(rules, players)


def _build(rules: Rules, players: int) -> Tables:
    board, cube = rules.load_board(), die(rules.die)
    seats = board.seats(players)
    made = np.zeros(1, RULES)
    t = made[0]
    t["players"], t["fields"], t["columns"], t["edges"] = players, len(board.fields), board.columns, len(board.edges)
    t["tips"] = cube.tips
    _geometry(t, board)
    _creatures(t, rules, board)
    _blocks(t, board)
    _seats(t, rules, board, seats)
    for seat, alchemist in enumerate(seats):
        _order(t, seat, board, cube, board.alchemists[alchemist])
    carry(rules, t)
    return Tables(made)


def _geometry(t: np.void, board: Board) -> None:
    """Where each field has an open way, without and with the obstacle."""
    t["edge_fields"][: len(board.edges)] = board.edges
    t["ways"][: len(board.edges) + 1] = [
        mask(field for field in board.fields if board.steps[field][direction] is not None) for direction in range(4)
    ]
    # an obstacle shuts two ways: over its edge and back
    for number, (one, other) in enumerate(board.edges, 1):
        for field, near in ((one, other), (other, one)):
            t["ways"][number, board.steps[field].index(near)] &= ~mask({field})


def _creatures(t: np.void, rules: Rules, board: Board) -> None:
    """Where each creature may be placed and where it burns or drowns."""
    t["fire_fields"] = mask(board.fire)
    for creature in range(1, 7):
        burns = board.fire if str(creature) not in rules.fire else frozenset()
        drowns = board.water if str(creature) not in rules.water else frozenset()
        t["loses"][creature] = mask(burns | drowns)
        allowed = set(board.fields) - burns - drowns - {board.centre}
        pictured = {field for field in allowed if board.creatures[field] == creature}
        t["places"][0, creature] = mask(allowed if rules.placing == "any" else pictured)
        double = rules.placing if rules.double_placing == "same" else rules.double_placing
        t["places"][1, creature] = mask(allowed if double == "any" else pictured)


def _blocks(t: np.void, board: Board) -> None:
    """Where Ambrosius may stand, and which of his fields complete the block of a corner."""
    corners, targets = set(board.alchemists.values()), set(board.targets.values())
    t["centre"] = mask({board.centre})
    t["stands"] = mask(set(board.fields) - corners - targets)
    for number, edge in enumerate(board.edges, 1):
        t["shuts"][number] = mask(
            near for corner in corners & set(edge) for near in board.neighbours[corner] if near not in edge
        )


def _seats(t: np.void, rules: Rules, board: Board, seats: tuple[int, ...]) -> None:
    """Homes, goals and chips."""
    lie = board.targets if rules.favourites == "on_target" else board.favourites
    favourites = {alchemist: lie[alchemist] for alchemist in board.favourites}
    t["chips"] = mask([*board.normal, *favourites.values()])
    for seat, alchemist in enumerate(seats):
        t["home"][seat] = mask({board.alchemists[alchemist]})
        t["goal"][seat] = mask({board.targets[alchemist]})
        if alchemist in favourites:
            t["favourite"][seat] = mask({favourites[alchemist]})


def _order(t: np.void, seat: int, board: Board, cube: Die, corner: int) -> None:
    """The order in which a seat reads fields, edges and facings: turned so that his corner lies at (1,1)."""
    last_row, last_column = corner >= board.columns, corner % board.columns > 0
    quarter = ((0, 1), (3, 2))[last_row][last_column]
    t["quarter"][seat] = quarter

    def rank(field: int) -> int:
        row, column, rows, columns = *divmod(field, board.columns), board.rows, board.columns
        for _ in range(quarter):
            row, column, rows, columns = columns - 1 - column, row, columns, rows
        return row * columns + column

    ranks = [rank(field) for field in board.fields]
    t["field_rank"][seat, : len(ranks)] = ranks
    edges = [tuple(sorted((ranks[one], ranks[other]))) for one, other in board.edges]
    t["edge_rank"][seat, : len(edges)] = [sorted(edges).index(edge) for edge in edges]
    for orientation in range(ORIENTATIONS):
        turned = orientation
        for _ in range(-quarter % 4):
            turned = cube.turns[turned]
        t["facing_rank"][seat, orientation] = turned
