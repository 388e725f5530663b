"""A batch as pandas frames."""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import estimates
from sims.engine.batch import Batch
from sims.engine.game import Field


def records(batch: Batch) -> pd.DataFrame:
    """One row per game, with its number; the batch must have kept its records."""
    if batch.records is None:
        raise ValueError("the batch kept no records; play it with records=True")
    frame = pd.DataFrame(batch.records, columns=list(batch.columns))
    frame.insert(0, "game", np.arange(batch.first, batch.first + batch.games))
    return frame


def seats(batch: Batch) -> pd.DataFrame:
    """One row per seat: sole wins, shared wins, and the win rate with its Wilson interval.

    A shared win is a win of nobody alone: it counts in ``shared_wins`` of every seat that shares it and in no
    ``win_rate``. Unfinished games are games.
    """
    masks = batch.histograms["winners"]
    rows = []
    for seat, chosen in enumerate(batch.lineup):
        wins = int(masks[1 << seat])
        shared = sum(int(n) for mask, n in enumerate(masks) if mask >> seat & 1) - wins
        rate = estimates.proportion(wins, batch.games)
        rows.append(
            {
                "seat": seat + 1,
                "policy": str(chosen),
                "wins": wins,
                "shared_wins": shared,
                "win_rate": rate.value,
                "low": rate.low,
                "high": rate.high,
                "games": batch.games,
                "seed": batch.seed,
            }
        )
    return pd.DataFrame(rows)


def field_of(batch: Batch, column: str) -> Field:
    """The field that a column belongs to."""
    return dict(batch.game.column_fields(batch.players))[column]


def counted(batch: Batch, column: str) -> int:
    """Games in which a column has a value: all, or those that do not hold 0 (:class:`sims.engine.game.Field`)."""
    return int(counts(batch, column).sum())


def mean(batch: Batch, column: str) -> estimates.Estimate:
    """Mean of a record's column with its interval, over the games in which it has a value."""
    most = field_of(batch, column).most
    high = math.inf if most is None else most
    return estimates.mean(batch.sums[column], batch.squares[column], counted(batch, column), 0, high)


def counts(batch: Batch, column: str) -> NDArray[np.int64]:
    """How many games have each value of a column: ``int64[value]``, of the games in which it has one."""
    found = batch.histograms[column].copy()
    if field_of(batch, column).zero_is_none:
        found[0] = 0
    return found


def distribution(batch: Batch, column: str) -> pd.DataFrame:
    """How often each value of a column occurred: ``value``, ``share`` with its Wilson interval."""
    found, games = counts(batch, column), counted(batch, column)
    values = np.flatnonzero(found)
    shares = [estimates.proportion(int(found[value]), games) for value in values]
    return pd.DataFrame(
        {
            "value": values,
            "share": [estimate.value for estimate in shares],
            "low": [estimate.low for estimate in shares],
            "high": [estimate.high for estimate in shares],
            "games": games,
            "seed": batch.seed,
        }
    )


def quantile(batch: Batch, column: str, probability: float) -> int | None:
    """Smallest value that at least this share of the games do not exceed; None if no game has a value."""
    found, games = counts(batch, column), counted(batch, column)
    return int(np.searchsorted(np.cumsum(found), probability * games)) if games else None


def summary(batch: Batch, column: str) -> dict[str, Any]:
    """Mean with interval, standard deviation, median and 95th percentile of a column."""
    estimate = mean(batch, column)
    return {
        "mean": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "sd": estimates.standard_deviation(batch.sums[column], batch.squares[column], counted(batch, column)),
        "median": quantile(batch, column, 0.5),
        "p95": quantile(batch, column, 0.95),
    }
