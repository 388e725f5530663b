"""Games played by the million.

The data flows one way::

    variants/*.toml -> Rules -> Tables -> kernel -> records -> (analysis) frame -> odds | balance | ... -> report

``engine`` knows no game; each game folder has the same inner shape (see ``CONTRIBUTING.md``); the readable
``reference`` of a game shares nothing with its ``kernel`` but the rules and the dice.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sims.engine.game import Game

#: Command-line name -> package below ``sims``. Registering a game is one line here.
GAMES = {"tacatuca": "tacatuca", "tschakka-lakka": "tschakka_lakka", "kazaam-dice": "kazaam_dice"}


def game(name: str) -> "Game":
    """The game of that name, imported when it is asked for.

    Raises
    ------
    InputError
        If there is no such game; the message lists those there are.
    """
    from sims.engine.errors import InputError
    from sims.engine.numbers import shown

    if not isinstance(name, str) or name not in GAMES:
        raise InputError(f"game: {shown(name)} is unknown; allowed: {', '.join(GAMES)}")
    found: Game = import_module(f"sims.{GAMES[name]}").GAME
    return found
