"""Limits on the metrics of a balance sheet: what CI of a game in development holds."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.chapter import Metric
from analysis.measures import Column
from analysis.tables import Table
from sims.engine.errors import InputError
from sims.engine.numbers import read_real


@dataclass(frozen=True)
class Limit:
    """A metric must lie between ``low`` and ``high``."""

    metric: str
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """A limit held against the number."""

    limit: Limit
    number: float

    @property
    def met(self) -> bool:
        """Whether the number keeps the limit."""
        return self.limit.low <= self.number <= self.limit.high

    @property
    def content(self) -> dict[str, Any]:
        """The verdict for JSON; an open end is null."""
        low, high = (bound if math.isfinite(bound) else None for bound in (self.limit.low, self.limit.high))
        return {"metric": self.limit.metric, "value": self.number, "low": low, "high": high, "met": self.met}

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        bounds = f"at most {self.limit.high:g}"
        if math.isfinite(self.limit.low):
            bounds = f"{self.limit.low:g} to {self.limit.high:g}"
        return f"limit {'met' if self.met else 'NOT met'}: {self.limit.metric} is {self.number:.4g}, allowed {bounds}"


def parse(texts: Sequence[str]) -> list[Limit]:
    """Read ``metric=max`` or ``metric=min..max``; anything else is one clear line."""
    limits = []
    for text in texts:
        metric, equals, bounds = text.partition("=")
        low, dots, high = bounds.partition("..")
        numbers = (read_real(low), read_real(high)) if dots else (-math.inf, read_real(bounds))
        least, most = (math.nan if number is None else number for number in numbers)
        if not equals or not metric or not least <= most < math.inf:
            raise InputError(f"limit: {text!r} is not allowed; write metric=max or metric=min..max")
        limits.append(Limit(metric, least, most))
    return limits


def check(limits: Sequence[Limit], metrics: Iterable[str]) -> None:
    """Refuse a limit of a metric that does not exist, before a game is played."""
    known = list(metrics)
    for limit in limits:
        if limit.metric not in known:
            raise InputError(f"limit: unknown metric {limit.metric!r}; allowed: {', '.join(known)}")


def judge(limits: Sequence[Limit], metrics: Mapping[str, Metric]) -> list[Verdict]:
    """Hold every limit against its metric."""
    return [Verdict(limit, metrics[limit.metric].number) for limit in limits]


METRICS = (Column("metric", kind="key"), Column("value"), Column("meaning", kind="text"))


def metrics_table(metrics: Mapping[str, Metric]) -> Table:
    """All metrics that ``--limit`` knows, with their intervals where they are simulated."""
    rows = [{"metric": name, "value": metric.found, "meaning": metric.doc} for name, metric in metrics.items()]
    return Table.of("metrics", "Metrics (for --limit)", METRICS, rows)
