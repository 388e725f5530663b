"""Tschakka Lakka: roll, place dice on the temple's treasures, and stop in time (2-4 players)."""

from pathlib import Path

from sims.engine.game import Game
from sims.tschakka_lakka.fields import FIELDS, LOG_COLUMNS
from sims.tschakka_lakka.kernel import log_games, play_games
from sims.tschakka_lakka.players import replay
from sims.tschakka_lakka.policies import ROSTER
from sims.tschakka_lakka.rules import Rules
from sims.tschakka_lakka.tables import build_tables

GAME = Game(
    name="tschakka-lakka",
    title="Tschakka Lakka",
    summary="Push your luck for the treasures of a temple; at the end the towers of each colour count too.",
    folder=Path(__file__).parent,
    seats=(2, 3, 4),
    rules=Rules,
    roster=ROSTER,
    default_policy="card",
    fields=FIELDS,
    build_tables=build_tables,
    play_games=play_games,
    replay=replay,
    log_columns=LOG_COLUMNS,
    log_games=log_games,
    files={
        "board": "title; squares: rows of E entrance, . chamber, # no square; gems: a list of { kind = 'pink' or 'yellow', "
        "at = [row, column] }, on the crossing with the next row and column",
        "position": "board: rows of E, .. or a treasure as B2; raccoon: [row, column]; dice: how many are left; placed: a "
        "list of { chamber, dice }; released and gems_taken: lists of places; roll: faces B Y G R, * raccoon, S skull",
    },
)
