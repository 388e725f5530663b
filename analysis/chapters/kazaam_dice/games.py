"""Games of a study, surveyed before every turn and logged use by use: what the tables and pictures are made of."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis import compare
from analysis.balance import called, who
from analysis.chapter import Study
from analysis.measures import Measured, ratio
from sims.engine import batch
from sims.kazaam_dice.survey import COLUMNS, survey

PLAYERS = (2, 3, 4)
#: Rows of turns and uses are kept in memory, so no more games than this are surveyed or logged.
MOST_KEPT = 20_000
#: Standing in for a connection that never comes.
NEVER = 10**6


def numbers_of_players(study: Study, default: tuple[int, ...] = PLAYERS) -> tuple[int, ...]:
    """The number of players that the user named, or those of the default that the board seats."""
    able = [players for players in PLAYERS if players in study.variant.rules.load_board().seating]
    shown = [players for players in default if players in able] or able or [len(study.lineup)]
    return study.numbers_of_players(tuple(shown))


def played_by(study: Study, players: int) -> str:
    """Who plays, as people type it."""
    return who(compare.lineup(study, players))


def players_called(study: Study, players: int) -> str:
    """Who plays, as people call them."""
    return called(study.game, played_by(study, players))


@dataclass(frozen=True)
class Turns:
    """Surveyed games.

    Attributes
    ----------
    frame : DataFrame
        One row per turn: ``game``, ``turn``, ``seat`` (from 0), ``unequal`` and ``doubles`` (useful rolls of 30 and of 6),
        ``distance`` (of the player), ``distance_1 ..`` (of all seats) and ``within`` (in how many of their turns, this one
        included, the player is connected, by whomever; ``NEVER`` if not).
    records : DataFrame
        One row per game.
    """

    frame: pd.DataFrame
    records: pd.DataFrame
    players: int
    seed: int

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.records)

    def share(self, chosen: NDArray[np.bool_], part: ArrayLike) -> Measured:
        """Mean of ``part``, 0 to 1 for each turn, over the chosen turns; games are the draws."""
        game = self.frame["game"].to_numpy()[chosen]
        parts = np.bincount(game, np.asarray(part, float)[chosen], self.games)
        return ratio(parts, np.bincount(game, minlength=self.games), self.seed, 0, 1)


def surveyed(study: Study, players: int) -> Turns:
    """Games of the study's lineup, looked at before every turn."""
    lineup, names = compare.lineup(study, players), study.game.columns(players)
    with study.watch.task(f"looking at every turn of {players} players", 1) as progress:
        found = survey(study.variant.rules, lineup, kept_games(study), study.seed, len(names))
        progress(1)
    records = pd.DataFrame(found.records, columns=list(names))
    frame = pd.DataFrame(found.turns, columns=list(COLUMNS))
    game, seats = frame["game"].to_numpy(), frame["seat"].to_numpy()
    of_seats = frame[[f"distance_{seat + 1}" for seat in range(players)]].to_numpy()
    frame["distance"] = of_seats[np.arange(len(frame)), seats]
    last = records["turns"].to_numpy()[game] - 1
    connected = (found.joined[game] >> seats & 1).astype(bool)
    frame["within"] = np.where(connected, (last - frame["turn"]) // players + 1, NEVER)
    return Turns(frame, records, players, study.seed)


def logged(study: Study, players: int) -> pd.DataFrame:
    """Every use, chip taken and chip spent; ``game``, ``round`` and ``seat`` count from 0."""
    with study.watch.task(f"logging games of {players} players", 1) as progress:
        rows = batch.log(study.game, study.variant, compare.lineup(study, players), kept_games(study), study.seed)
        progress(1)
    return pd.DataFrame(rows, columns=list(study.game.log_columns))


def kept_games(study: Study) -> int:
    """How many games are surveyed or logged."""
    return min(study.games, MOST_KEPT)
