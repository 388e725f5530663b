"""Intervals against textbook values, their defining equations, and their promised coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from analysis import estimates


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 10), (1, 10), (5, 10), (81, 263), (10, 10), (500_000, 1_000_000)]
)
def test_wilson_bounds_solve_the_score_equation(successes, trials):
    found = estimates.proportion(successes, trials)
    for bound in (found.low, found.high):
        if 0 < bound < 1:
            score = (successes / trials - bound) / math.sqrt(bound * (1 - bound) / trials)
            assert abs(score) == pytest.approx(1.959963984540054, rel=1e-9)


def test_wilson_value_of_the_literature():
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81/263 gives 0.2553 to 0.3662
    found = estimates.proportion(81, 263)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)


def test_mean_and_deviation_are_those_of_the_raw_values():
    values = np.random.default_rng(1).integers(0, 50, 40)
    found = estimates.mean(int(values.sum()), int((values**2).sum()), len(values))
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high))
    spread = estimates.standard_deviation(int(values.sum()), int((values**2).sum()), len(values))
    assert spread == pytest.approx(values.std(ddof=1))


def test_deviation_does_not_cancel_where_floats_would():
    # a million values of 10**9 and one of 10**9 + 1: the variance is that of one success in a million and one
    count = 10**6 + 1
    total, squares = 10**6 * 10**9 + 10**9 + 1, 10**6 * 10**18 + (10**9 + 1) ** 2
    share = 1 / count
    assert estimates.standard_deviation(total, squares, count) ** 2 == pytest.approx(
        share * (1 - share) * count / (count - 1), rel=1e-12
    )


@pytest.mark.parametrize(("successes", "trials"), [(3, 10), (0, 20), (20, 20), (400, 1000)])
def test_sequential_bounds_are_where_the_posterior_density_is_alpha(successes, trials):
    found = estimates.sequential_proportion(successes, trials)
    posterior = stats.beta(successes + 1, trials - successes + 1)
    for bound in (found.low, found.high):
        if 0 < bound < 1:
            assert posterior.pdf(bound) == pytest.approx(0.05, rel=1e-6)
    assert found.low <= successes / trials <= found.high


def test_peeking_at_every_game_breaks_the_fixed_interval_but_not_the_sequential_one():
    rng = np.random.default_rng(7)
    runs, games, truth = 400, 1000, 0.3
    looks = np.arange(10, games + 1, 10)
    wins = (rng.random((runs, games)) < truth).cumsum(axis=1)[:, looks - 1]
    fixed = sequential = 0
    for row in wins:
        found = [estimates.proportion(int(k), int(n)) for k, n in zip(row, looks, strict=True)]
        fixed += any(not one.low <= truth <= one.high for one in found)
        found = [estimates.sequential_proportion(int(k), int(n)) for k, n in zip(row, looks, strict=True)]
        sequential += any(not one.low <= truth <= one.high for one in found)
    assert sequential <= 0.05 * runs + 3 * math.sqrt(runs * 0.05 * 0.95)
    assert fixed > 0.2 * runs
