"""Intervals, and stopping rules that stay honest.

Every function takes counts or exact integer sums, as a batch keeps them, and returns plain floats.
"""

import math
from dataclasses import dataclass

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
