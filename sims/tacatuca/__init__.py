"""Tacatuca: two dice each, the highest sum takes the difference, six doubles carry cards; the last player with pins wins."""

from sims.engine.game import Game
from sims.tacatuca.fields import FIELDS
from sims.tacatuca.kernel import play_games
from sims.tacatuca.policies import ROSTER
from sims.tacatuca.reference import replay
from sims.tacatuca.rules import FOLDER, Rules
from sims.tacatuca.tables import build_tables

GAME = Game(
    name="tacatuca",
    title="Tacatuca",
    summary="Two dice each, all at once: the highest sum takes pins, doubles carry cards, the last player with pins wins.",
    folder=FOLDER,
    seats=(2, 3, 4),
    rules=Rules,
    roster=ROSTER,
    default_policy="chance",
    fields=FIELDS,
    build_tables=build_tables,
    play_games=play_games,
    replay=replay,
    files={
        "cards": "in a variant file: [[rules.cards]] for each card, with name, double (1 to 6), truce (throws, as '3-2') and "
        "takes (a list of { bonus, from = [throws] })",
    },
)
