"""Quantities, declared once, and what was found of them.

A :class:`Column` says what a number is called and what it means; a :class:`Measure` is one that any batch of games can be asked
for. What comes out is a :class:`Measured`: it knows its estimate, its interval, the independent units behind it, their seed, and
whether it is exact. Tables (:mod:`analysis.tables`) and claims (:mod:`analysis.claims`) are two views of it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from analysis import estimates, frames
from analysis.estimates import Estimate
from sims.engine.batch import Batch

Floats = NDArray[np.float64]
#: What a column holds: what names a row, a text, a number, a share (shown in percent), a policy, or a change of the rules.
Kind = Literal["key", "text", "number", "share", "policy", "rule"]
#: Kinds that name a row.
NAMING = ("key", "policy", "rule")


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        Of the frame's column, and of the key in JSON.
    heading : str
        What people see above it; the name unless told otherwise.
    meaning : str
        For the legend below the table; empty where the heading says it all.
    digits : int or None
        Decimals shown to people where no interval says how many are known.
    """

    name: str
    heading: str = ""
    meaning: str = ""
    kind: Kind = "number"
    digits: int | None = None

    @property
    def title(self) -> str:
        """What people see above the column."""
        return self.heading or self.name.replace("_", " ")

    @property
    def names_row(self) -> bool:
        """Whether the column says which case a row is."""
        return self.kind in NAMING


@dataclass(frozen=True)
class Measured:
    """What was found of a quantity.

    Attributes
    ----------
    estimate : Estimate
        The value with its 95 % interval; of an exact value, the value thrice.
    games : int or None
        Independent units behind it: games, or pairs of games on the same dice, never turns. None if it is exact.
    units : float64[game] or None
        One number for each of them, of which the estimate is the mean: what a verdict can be made from.
    """

    estimate: Estimate
    games: int | None = None
    seed: int | None = None
    units: Floats | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> float:
        """The plain value."""
        return self.estimate.value

    @property
    def exact(self) -> bool:
        """Whether nothing was rolled."""
        return self.games is None

    def times(self, factor: float) -> "Measured":
        """The same in another unit."""
        low, high = sorted((factor * self.estimate.low, factor * self.estimate.high))
        units = None if self.units is None else factor * self.units
        return replace(self, estimate=Estimate(factor * self.value, low, high), units=units)


def exactly(value: float) -> Measured:
    """A value of which nothing was rolled."""
    return Measured(Estimate(value, value, value))


def mean(units: ArrayLike, seed: int, low: float = -math.inf, high: float = math.inf) -> Measured:
    """The mean of one number for each game, each between ``low`` and ``high``."""
    values = np.asarray(units, float)
    return Measured(estimates.mean_of(values, low, high), len(values), seed, values)


def share(successes: int, trials: int, games: int, seed: int) -> Measured:
    """A share of ``trials`` things of which a game has at most one."""
    return Measured(estimates.proportion(successes, trials), games, seed)


def ratio(totals: ArrayLike, counts: ArrayLike, seed: int, low: float = -math.inf, high: float = math.inf) -> Measured:
    """The mean of things of which a game has many: one total and one count for each game."""
    return Measured(estimates.ratio_of(totals, counts, low, high), len(np.asarray(totals)), seed)


@dataclass(frozen=True)
class Measure(Column):
    """A quantity that a batch of games can be asked for.

    Attributes
    ----------
    meaning : str
        What it is, with its formula where the words leave a choice.
    source : str
        The paper that defined it, if one did.
    find : callable
        ``find(batch) -> Measured``.
    """

    find: Callable[[Batch], Measured] = field(default=lambda batch: exactly(math.nan), repr=False, compare=False)
    source: str = ""

    @property
    def unit(self) -> str:
        """``"share"`` if it is shown in percent, otherwise nothing."""
        return "share" if self.kind == "share" else ""

    @property
    def told(self) -> str:
        """The meaning with its source."""
        return f"{self.meaning} ({self.source})" if self.source else self.meaning


#: One number for each game, from the records of a batch.
OfRecords = Callable[[pd.DataFrame], ArrayLike]


def of_field(name: str, meaning: str, column: str | None = None) -> Measure:
    """The mean of a record's column, over the games in which it has a value; a share if the column is yes or no."""

    def find(batch: Batch) -> Measured:
        return Measured(frames.mean(batch, column or name), frames.counted(batch, column or name), batch.seed)

    return Measure(name, meaning=meaning, find=find)


def share_of_games(name: str, meaning: str, yes: OfRecords, source: str = "") -> Measure:
    """The share of games of which ``yes`` holds."""

    def find(batch: Batch) -> Measured:
        found = np.asarray(yes(frames.records(batch)), bool)
        return share(int(found.sum()), len(found), len(found), batch.seed)

    return Measure(name, meaning=meaning, kind="share", find=find, source=source)


def per(
    name: str, meaning: str, total: OfRecords, count: OfRecords, low: float = 0.0, high: float = math.inf
) -> Measure:
    """A mean of things of which a game has many: sums of ``total`` by sums of ``count``; a share if it ends at 1."""

    def find(batch: Batch) -> Measured:
        records = frames.records(batch)
        totals, counts = (np.asarray(of(records), float) for of in (total, count))
        return ratio(
            np.broadcast_to(totals, len(records)), np.broadcast_to(counts, len(records)), batch.seed, low, high
        )

    return Measure(name, meaning=meaning, kind="share" if high == 1 else "number", find=find)


def of_seats(records: pd.DataFrame, column: str) -> "pd.Series[float]":
    """A column of every seat, summed over the seats of each game."""
    return records.filter(regex=rf"^{column}_\d+$").sum(axis=1)
