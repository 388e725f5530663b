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


def mean(total: int, squares: int, count: int) -> Estimate:
    """Mean of ``count`` whole numbers from their exact sum and sum of squares, with its t interval."""
    from scipy import special

    if count < 2:
        return Estimate(total / count if count else math.nan, -math.inf, math.inf)
    average = total / count
    spread = special.stdtrit(count - 1, 0.975) * standard_deviation(total, squares, count) / math.sqrt(count)
    return Estimate(average, average - spread, average + spread)


def mean_of(values: ArrayLike) -> Estimate:
    """Mean of one number a game, with its t interval; of nothing it is not a number."""
    from scipy import special

    given = np.asarray(values, float)
    count = len(given)
    if count < 2:
        return Estimate(float(given[0]) if count else math.nan, -math.inf, math.inf)
    average = float(given.mean())
    spread = float(special.stdtrit(count - 1, 0.975) * given.std(ddof=1) / math.sqrt(count))
    return Estimate(average, average - spread, average + spread)


def ratio_of(totals: ArrayLike, counts: ArrayLike) -> Estimate:
    """Sum of ``totals`` by sum of ``counts``, one of each a game: the mean of things of which a game has many.

    Things of one game are not independent, games are: the interval is that of the mean of ``total - ratio * count``
    over games (delta method).

    Examples
    --------
    >>> ratio_of([2, 4, 6], [1, 2, 3])
    Estimate(value=2.0, low=2.0, high=2.0)
    """
    total, count = np.asarray(totals, float), np.asarray(counts, float)
    if count.sum() == 0:
        return Estimate(math.nan, -math.inf, math.inf)
    ratio = float(total.sum() / count.sum())
    half = mean_of((total - ratio * count) / count.mean()).half_width
    return Estimate(ratio, ratio - half, ratio + half)


def share_of(parts: ArrayLike, wholes: ArrayLike) -> Estimate:
    """Share of ``parts`` in ``wholes`` (``0 <= part <= whole`` in each game), as :func:`ratio_of`, and never beyond 0 and 1.

    A share of 0 or 1 has the Wilson interval of as many trials as there are games with a whole: what never happened in
    these games may still happen.
    """
    part, whole = np.asarray(parts, float), np.asarray(wholes, float)
    trials = int((whole > 0).sum())
    if not trials:
        return proportion(0, 0)
    share = float(part.sum() / whole.sum())
    if share in (0, 1):
        return proportion(int(share) * trials, trials)
    found = ratio_of(part, whole)
    return Estimate(share, max(0.0, found.low), min(1.0, found.high))


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
