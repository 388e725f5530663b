"""A look at the board before every turn: distances, and how many of the 36 rolls would bring the player closer.

The look is exact in the rolls: it asks what every roll would offer, not what the next one happens to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sims.engine.game import Chosen, encode
from sims.engine.jit import kernel
from sims.engine.record import numbered
from sims.engine.words import game_key
from sims.kazaam_dice.kernel import ask
from sims.kazaam_dice.policies import least_by_blocks, least_by_value
from sims.kazaam_dice.rules import LAST_DIE, Rules
from sims.kazaam_dice.tables import SEATS, build_tables
from sims.kazaam_dice.turn import OVER, ROLL, joined_seats, new_game, step, throw, write_record
from sims.kazaam_dice.work import SCRATCH, STATE, distance, wanted

#: What a row tells of a turn: ``unequal`` of the 30 unequal rolls and ``doubles`` of the 6 doubles have a use that
#: leaves the player a smaller distance; ``distance_1 ..`` are the distances of all seats, -1 where nobody sits.
COLUMNS = ("game", "turn", "seat", "unequal", "doubles", *(f"distance_{seat + 1}" for seat in range(SEATS)))
ROW = numbered(COLUMNS)


@dataclass(frozen=True)
class Survey:
    """Games looked at before every turn.

    Attributes
    ----------
    turns : int32[row, column]
        One row per turn, in order, with ``COLUMNS``.
    records : int32[game, column]
        As a batch keeps them.
    joined : int64[game]
        Bit mask of the seats that were connected when the game ended; 0 after a last die.
    """

    turns: NDArray[np.int32]
    records: NDArray[np.int32]
    joined: NDArray[np.int64]


def survey(rules: Rules, lineup: Sequence[Chosen], games: int, seed: int, width: int) -> Survey:
    """Look at the games ``0 .. games - 1`` of a seed; ``width`` is the number of a record's columns."""
    tables, coded = build_tables(rules, len(lineup)), encode(lineup)
    records, joined = np.empty((games, width), np.int32), np.zeros(games, np.int64)
    rows = 64 * games
    while True:
        turns = np.full((rows, len(COLUMNS)), -1, np.int32)
        written = survey_games(tables, coded, seed, 0, records, joined, turns)
        if written >= 0:
            return Survey(turns[:written], records, joined)
        rows *= 2


@kernel
def survey_games(tables, lineup, seed, first, out, joined, rows):
    """Play games ``first, first + 1, ...`` and fill ``out``, ``joined`` and ``rows``; -1 if the rows do not fit."""
    t = tables.rules[0]
    states, scratches = np.zeros(2, STATE), np.zeros(2, SCRATCH)
    g, scratch, row = states[0], scratches[0], 0
    for game in range(out.shape[0]):
        key = game_key(seed, first + game)
        new_game(t, g)
        while g.due != OVER:
            if g.due != ROLL:
                step(t, g, scratch, ask(t, states, scratches, key, lineup))
                continue
            if g.throw < 0:
                if row == rows.shape[0]:
                    return -1
                rows[row, ROW.game] = first + game
                _look(t, g, scratch, rows[row])
                row += 1
            throw(t, g, scratch, key)
        write_record(t, g, out[game])
        joined[game] = joined_seats(t, g.obstacle, g.tops[0]) if g.end < LAST_DIE else 0
    return row


@kernel
def _look(t, g, scratch, row):
    """Note the turn that begins, every seat's distance, and what each roll would offer the player."""
    row[ROW.turn], row[ROW.seat] = g.turn, g.seat
    for seat in range(t.players):
        row[ROW.distance_1 + seat] = distance(t, g.tops[0], g.ambrosius, g.obstacle, seat)
    missing, fields = wanted(t, scratch, g.tops[0], g.ambrosius, g.obstacle, g.seat)
    blocks, single, double = least_by_blocks(t, g, missing) < missing, 0, 0
    for value in range(1, 7):
        single += least_by_value(t, g, value, np.int64(0), missing, fields) < missing
        double += blocks or least_by_value(t, g, value, np.int64(1), missing, fields) < missing
    row[ROW.unequal], row[ROW.doubles] = 30 - (6 - single) * (5 - single), double
