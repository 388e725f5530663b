"""Kazaam Dice: chains of tipping dice between alchemists and their favourite ingredients."""

from pathlib import Path

from sims.engine.game import Game
from sims.kazaam_dice.fields import FIELDS, LOG_COLUMNS
from sims.kazaam_dice.kernel import log_games, play_games
from sims.kazaam_dice.players import replay
from sims.kazaam_dice.policies import ROSTER
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.tables import build_tables

GAME = Game(
    name="kazaam-dice",
    title="Kazaam Dice",
    summary="Chains of tipping dice between alchemists and their favourite ingredients.",
    folder=Path(__file__).parent,
    seats=(2, 3, 4),
    rules=Rules,
    roster=ROSTER,
    default_policy="balanced",
    fields=FIELDS,
    build_tables=build_tables,
    play_games=play_games,
    replay=replay,
    log_columns=LOG_COLUMNS,
    log_games=log_games,
    files={
        "board": "title; seating: alchemists for each number of players, as [[1, 3]]; map: rows of A1 alchemist, T1 target, "
        "v1 favourite chip, n chip, f fire, w water, M Ambrosius, . plain; creatures: rows of 1 to 6, and M",
        "position": "players; on_turn: a seat; pieces: rows of ., M or a die as 3^1 (3 on top, 1 faces north); obstacle: two "
        "fields; chips: fields; held: for each seat { favourite, others }; roll: as [4, 6]",
    },
)
