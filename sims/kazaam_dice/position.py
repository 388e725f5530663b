"""Positions from TOML files, read strictly into a :class:`State`.

A position file, here on a board of three by three::

    players = 2                  # the seating is the board's
    on_turn = 1                  # the seat that rolls next; 1 if left out
    roll = [3, 5]                # optional: the roll to be used now
    pieces = '''
    3^1 .  .
    M   .  6^2
    .   .  .
    '''
    obstacle = [[1, 1], [1, 2]]  # optional: the two fields it lies between
    chips = [[2, 3]]             # optional: the fields whose chips still lie there; all if left out
    held = [{ favourite = true, others = 0 }, { others = 0 }]   # optional: chips of each seat

``pieces`` shows every field: ``.`` nothing, ``M`` Master Ambrosius, ``3^1`` a die with creature 3 on top and
creature 1 facing north (towards the first row), as the drawn board writes it. Fields are ``[row, column]`` from 1.
``others`` counts chips other than the seat's own favourite. Chips that neither lie nor are held have been used.
"""

import re
from pathlib import Path
from typing import Any

from sims.engine.errors import InputError
from sims.engine.variant import as_path, read_toml
from sims.kazaam_dice.board import grid
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import State

KEYS = ("players", "on_turn", "roll", "pieces", "obstacle", "chips", "held")


def load(rules: Rules, path: str | Path) -> State:
    """The position in a file.

    Raises
    ------
    InputError
        The first thing that does not fit, in one line.
    """
    found = as_path("position", path)
    return parse(rules, read_toml(found), found.name)


def parse(rules: Rules, content: dict[str, Any], where: str) -> State:
    """The position in the content of a file called ``where``."""
    for key in content:
        if key not in KEYS:
            raise InputError(f"{where}: {key}: no such key; allowed: {', '.join(KEYS)}")
    for key in ("players", "pieces"):
        if key not in content:
            raise InputError(f"{where}: {key}: is missing; a position needs players and pieces")
    players = _whole(where, "players", content["players"], 1, 4)
    state = State.start(rules, players)
    state.seat = _whole(where, "on_turn", content.get("on_turn", 1), 1, players) - 1
    _read_pieces(state, where, content["pieces"])
    if "obstacle" in content:
        _read_obstacle(state, where, content["obstacle"])
    if state.shuts_corner(state.ambrosius, state.obstacle):
        raise InputError(f"{where}: obstacle: it and Ambrosius close both sides of an alchemist's field; move one")
    if "chips" in content:
        _read_chips(state, where, content["chips"])
    _read_held(state, where, content.get("held", [{}] * players))
    if "roll" in content:
        roll = content["roll"]
        if not (isinstance(roll, list) and len(roll) == 2):
            raise InputError(f"{where}: roll: {roll!r} is not allowed; two dice, such as [3, 5]")
        first, second = (_whole(where, "roll", value, 1, 6) for value in roll)
        state.roll = (first, second)
    for seat in state.connected():
        raise InputError(f"{where}: pieces: seat {seat + 1} is connected already; the game is over")
    return state


def _read_pieces(state: State, where: str, text: Any) -> None:
    """Dice and Ambrosius from the map."""
    board, die = state.board, state.die
    marks, columns = grid(where, "pieces", text)
    if (len(marks) // columns, columns) != (board.rows, board.columns):
        shape = f"{len(marks) // columns} x {columns}"
        raise InputError(f"{where}: pieces: {shape} fields, but the board has {board.rows} x {board.columns}")
    if marks.count("M") != 1:
        raise InputError(f"{where}: pieces: M is there {marks.count('M')} times; Ambrosius stands on one field")
    state.ambrosius = marks.index("M")
    if state.ambrosius in {*board.alchemists.values(), *board.targets.values()}:
        place = board.place(state.ambrosius)
        raise InputError(f"{where}: pieces: Ambrosius on {place}; never on an alchemist's or target field")
    for field, mark in enumerate(marks):
        if mark in (".", "M"):
            continue
        if not re.fullmatch(r"[1-6]\^[1-6]", mark):
            raise InputError(f"{where}: pieces: {mark!r} is not a piece; allowed: . M, and dice such as 3^1")
        top, north = int(mark[0]), int(mark[2])
        number = die.number(top, north)
        if number is None:
            raise InputError(f"{where}: pieces: {mark}: no die has {top} on top and {north} facing north")
        if not state.may_enter(top, field):
            kind = "fire" if field in board.fire else "water"
            raise InputError(f"{where}: pieces: {mark} on {board.place(field)}: {kind} does not let in creature {top}")
        state.dice[field] = number
    if state.supply < 2:
        most = state.rules.supply - 2
        raise InputError(f"{where}: pieces: {len(state.dice)} dice; the game goes on with at most {most} on the board")


def _read_obstacle(state: State, where: str, value: Any) -> None:
    """The edge between two neighbouring fields."""
    if not (isinstance(value, list) and len(value) == 2):
        raise InputError(f"{where}: obstacle: {value!r} is not allowed; two fields, such as [[1, 1], [1, 2]]")
    one, other = sorted(_field(state, where, "obstacle", place) for place in value)
    if (one, other) not in state.board.edges:
        between = f"{state.board.place(one)} and {state.board.place(other)}"
        raise InputError(f"{where}: obstacle: {between} are not neighbours; it lies between two that are")
    state.obstacle = (one, other)


def _read_chips(state: State, where: str, value: Any) -> None:
    """The chips that still lie where they began."""
    if not isinstance(value, list):
        raise InputError(f"{where}: chips: {value!r} is not a list of fields")
    fields = [_field(state, where, "chips", place) for place in value]
    for field in fields:
        if field not in state.chips or fields.count(field) > 1:
            allowed = ", ".join(map(state.board.place, sorted(state.chips)))
            raise InputError(f"{where}: chips: {state.board.place(field)} is not allowed; each once of {allowed}")
    state.chips = {field: chip for field, chip in state.chips.items() if field in fields}


def _read_held(state: State, where: str, value: Any) -> None:
    """Chips held, as far as they can have come from the board."""
    if not (isinstance(value, list) and len(value) == state.players and all(isinstance(row, dict) for row in value)):
        raise InputError(f"{where}: held: {value!r} is not allowed; one table for each of the {state.players} seats")
    start = State.start(state.rules, state.players).chips
    gone = [chip for field, chip in start.items() if field not in state.chips]
    for seat, row in enumerate(value):
        for key in row:
            if key not in ("favourite", "others"):
                raise InputError(f"{where}: held: {key}: no such key; allowed: favourite, others")
        favourite = row.get("favourite", False)
        if not isinstance(favourite, bool):
            raise InputError(f"{where}: held: favourite: {favourite!r} is not allowed; true or false")
        if favourite and state.alchemists[seat] not in gone:
            raise InputError(
                f"{where}: held: seat {seat + 1} cannot hold its favourite chip: it is on the board or none"
            )
        state.favourite[seat] = int(favourite)
        state.others[seat] = _whole(where, "held: others", row.get("others", 0), 0, 64)
    # The rest goes to anyone but its own alchemist; by Hall's theorem that works out if nobody holds more than he
    # alone could have, and all together no more than there are.
    rest = [
        chip
        for chip in gone
        if not any(chip == k and f for k, f in zip(state.alchemists, state.favourite, strict=True))
    ]
    for seat, alchemist in enumerate(state.alchemists):
        possible = sum(chip != alchemist for chip in rest)
        if state.others[seat] > possible:
            held = state.others[seat]
            raise InputError(f"{where}: held: seat {seat + 1} holds {held} other chips; only {possible} can be his")
    if sum(state.others) > len(rest):
        raise InputError(f"{where}: held: {sum(state.others)} other chips are held; only {len(rest)} have been taken")


def _field(state: State, where: str, key: str, value: Any) -> int:
    """``[row, column]`` as a field."""
    board = state.board
    if not (isinstance(value, list) and len(value) == 2):
        raise InputError(f"{where}: {key}: {value!r} is not a field; write [row, column]")
    row = _whole(where, f"{key}: row", value[0], 1, board.rows)
    column = _whole(where, f"{key}: column", value[1], 1, board.columns)
    return (row - 1) * board.columns + column - 1


def _whole(where: str, key: str, value: Any, low: int, high: int) -> int:
    """A whole number in its range."""
    if type(value) is not int or not low <= value <= high:
        raise InputError(f"{where}: {key}: {value!r} is not allowed; a whole number from {low} to {high}")
    return value
