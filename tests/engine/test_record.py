"""Columns by name, against the columns that a game lists."""

import numpy as np
import pytest

import sims
from sims.engine.jit import kernel
from sims.engine.record import column, numbered, places

AT = places(sims.game("kazaam-dice").fields)


@kernel
def write(out, players):
    """A field before those of the seats, one of theirs, and one behind."""
    out[column(AT.turns, players)] = 1
    for seat in range(players):
        out[column(AT.kept, players) + seat] = 2 + seat
    out[column(AT.passes, players)] = 9


@pytest.mark.parametrize("name", sims.GAMES)
def test_every_field_begins_at_the_column_of_its_name(name):
    game = sims.game(name)
    at = places(game.fields)
    for players in game.seats:
        columns = game.columns(players)
        for field in game.fields:
            begin = column.py_func(getattr(at, field.name), players)
            found = columns[begin : begin + (players if field.per_seat else 1)]
            seats = [f"{field.name}_{seat}" for seat in range(1, players + 1)]
            assert list(found) == (seats if field.per_seat else [field.name])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_kernel_writes_by_name(players):
    columns = sims.game("kazaam-dice").columns(players)
    out = np.zeros(len(columns), np.int64)
    write(out, players)
    written = {name: value for name, value in zip(columns, out.tolist(), strict=True) if value}
    assert written == {"turns": 1, "passes": 9} | {f"kept_{seat + 1}": 2 + seat for seat in range(players)}


def test_columns_of_a_log_are_numbered_in_order():
    log = numbered(("game", "turn", "seat"))
    assert (log.game, log.turn, log.seat) == (0, 1, 2)
