"""Intervals, and stopping rules that stay honest.

Functions take counts or exact integer sums, as a batch keeps them, or one number a game where records were kept.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

#: Two-sided 95 % normal quantile.
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A simulated value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def within(self, low: float, high: float) -> "Estimate":
        """The interval cut to where the truth can lie; the value stays as it was found."""
        return Estimate(self.value, min(max(self.low, low), high), max(min(self.high, high), low))


def proportion(successes: int, trials: int, z: float = Z95) -> Estimate:
    """Share of successes with its Wilson score interval.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.

    Examples
    --------
    >>> round(proportion(0, 10).high, 6)
    0.277533
    """
    if trials == 0:
        return Estimate(math.nan, 0.0, 1.0)
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else centre - spread
    return Estimate(share, low, 1.0 if successes == trials else centre + spread)


def interval(value: float, error: float, draws: int, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """A mean of independent draws with a 95 % interval that holds only what is possible.

    Far from the ends of the range this is the t interval. Near an end the mean varies as that end allows: where both
    ends are known it is Wilson's interval for as many trials as explain the standard error, where one is known its
    limit for counts (the score interval of a Poisson mean). It always holds the value and never leaves the range.

    Draws that are all alike are no certainty: another value may come with a chance up to Wilson's bound for what never
    happened in so many trials, and may then lie anywhere in the range; beyond a side without an end, one away.

    Parameters
    ----------
    value, error : float
        The mean and its standard error.
    draws : int
        Independent draws behind it; fewer than two tell nothing but the range.
    low, high : float
        The range of a draw's value.

    References
    ----------
    Dean and Pagano, "Evaluating confidence interval methods for binomial proportions in clustered surveys", Journal of
    Survey Statistics and Methodology 3, 2015: Wilson's interval with the effective number of trials.

    Examples
    --------
    >>> found = interval(0.5, 0.01, 10_000, 0, 1)
    >>> round(found.low, 4), round(found.high, 4)
    (0.4804, 0.5196)
    >>> interval(0.0, 0.0, 10, 0, 1) == proportion(0, 10)
    True
    """
    from scipy import special

    if draws < 2 or math.isnan(value):
        return Estimate(value, low, high)
    if math.isinf(low) and math.isfinite(high):
        mirrored = interval(-value, error, draws, -high)
        return Estimate(value, -mirrored.high, -mirrored.low)
    below = value - low if math.isfinite(low) else 1.0
    above = high - value if math.isfinite(high) else 1.0
    if error <= 1e-12 * max(1.0, abs(value)) or min(below, above) <= 0:
        rare = proportion(0, draws).high
        return Estimate(value, value - rare * max(0.0, below), value + rare * max(0.0, above))
    reach = float(special.stdtrit(draws - 1, 0.975)) * error
    if math.isinf(low):
        return Estimate(value, value - reach, value + reach)
    if math.isinf(high):
        shift = reach * reach / (2 * below)
        spread = math.hypot(reach, shift)
        # the same as below + shift - spread, without cancellation
        return Estimate(value, low + below * below / (below + shift + spread), value + shift + spread)
    width = high - low
    share = below / width
    more = (reach / width) ** 2 / (share * (1 - share))
    centre = (share + more / 2) / (1 + more)
    spread = math.sqrt(more * share * (1 - share) + more * more / 4) / (1 + more)
    return Estimate(value, max(low, low + width * (centre - spread)), min(high, low + width * (centre + spread)))


def mean(total: int, squares: int, count: int, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """Mean of ``count`` whole numbers from their exact sum and sum of squares, as :func:`interval`."""
    if not count:
        return interval(math.nan, math.nan, 0, low, high)
    error = standard_deviation(total, squares, count) / math.sqrt(count)
    return interval(total / count, error, count, low, high)


def mean_of(values: ArrayLike, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """Mean of one number a game, each from ``low`` to ``high``, as :func:`interval`; of nothing it is not a number."""
    given = np.asarray(values, float)
    count = len(given)
    if count < 2:
        return interval(float(given[0]) if count else math.nan, math.nan, count, low, high)
    # numbers that are all alike have no spread, whatever rounding says
    error = float(given.std(ddof=1)) / math.sqrt(count) if np.ptp(given) else 0.0
    return interval(float(given.mean()), error, count, low, high)


def ratio_of(totals: ArrayLike, counts: ArrayLike, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """Sum of ``totals`` by sum of ``counts``, one of each a game: the mean of things of which a game has many.

    Things of one game are not independent, games are: the standard error is that of the mean of ``total - ratio * count``
    over games (delta method), the interval that of :func:`interval` with the games that have a thing as draws.

    Parameters
    ----------
    low, high : float
        The range of a thing's value.

    Examples
    --------
    >>> ratio_of([2, 4, 6], [1, 1, 2]).value
    3.0
    """
    total, count = np.asarray(totals, float), np.asarray(counts, float)
    draws = int((count > 0).sum())
    if not draws:
        return interval(math.nan, math.nan, 0, low, high)
    ratio = float(total.sum() / count.sum())
    if draws < 2:
        return interval(ratio, math.nan, draws, low, high)
    rest = total - ratio * count
    error = float(rest.std(ddof=1)) / math.sqrt(len(rest)) / float(count.mean())
    return interval(ratio, error, draws, low, high)


def share_of(parts: ArrayLike, wholes: ArrayLike) -> Estimate:
    """Share of ``parts`` in ``wholes`` (``0 <= part <= whole`` in each game), as :func:`ratio_of`."""
    return ratio_of(parts, wholes, 0.0, 1.0)


def standard_deviation(total: int, squares: int, count: int) -> float:
    """Sample standard deviation from exact integer sums (no cancellation: the difference is taken in integers)."""
    if count < 2:
        return math.nan
    return math.sqrt((count * squares - total * total) / (count * (count - 1)))


def sequential_proportion(successes: int, trials: int, alpha: float = 0.05) -> Estimate:
    """Share with an interval that holds at every number of trials at once, so one may stop whenever one likes.

    The set of p whose uniform prior over posterior odds stay below 1/alpha: ``{p : Beta(p; k+1, n-k+1) > alpha}``.
    By Ville's inequality the truth leaves it at any time with chance at most ``alpha``.

    References
    ----------
    Waudby-Smith and Ramdas, "Confidence sequences for sampling without replacement", NeurIPS 2020 (prior-posterior
    ratio); Robbins, "Statistical methods related to the law of the iterated logarithm", Ann. Math. Stat. 41, 1970.
    """
    from scipy import optimize, special

    if trials == 0:
        return Estimate(math.nan, 0.0, 1.0)
    failures = trials - successes
    share = successes / trials

    def excess(p: float) -> float:
        log_density = (
            special.xlogy(successes, p) + special.xlog1py(failures, -p) - special.betaln(successes + 1, failures + 1)
        )
        return float(log_density - math.log(alpha))

    low = 0.0 if excess(0.0) > 0 else optimize.brentq(excess, 0.0, share, xtol=1e-13)
    high = 1.0 if excess(1.0) > 0 else optimize.brentq(excess, share, 1.0, xtol=1e-13)
    return Estimate(share, low, high)
