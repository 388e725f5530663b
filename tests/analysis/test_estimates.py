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


def test_the_ratio_of_things_that_never_happened_is_not_a_number():
    found = estimates.ratio_of([0, 0], [0, 0])
    assert math.isnan(found.value)
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_mean_of_has_the_t_interval():
    values = np.random.default_rng(1).normal(3, 2, 12)
    found = estimates.mean_of(values)
    low, high = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high))


def test_one_game_gives_no_interval():
    assert estimates.mean_of([4.0]).low == -np.inf
    assert np.isnan(estimates.mean_of([]).value)


def test_ratio_of_counts_games_not_the_things_in_them():
    rng = np.random.default_rng(2)
    counts = rng.integers(5, 15, 400)
    luck = rng.normal(0, 1, 400)  # of a whole game
    found = estimates.ratio_of(counts * (2 + luck), counts)
    # as many games, one thing each: dependent things must not look like independent ones
    assert found.half_width == pytest.approx(estimates.mean_of(luck).half_width, rel=0.1)
    assert found.low < 2 < found.high


def test_ratio_of_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    counts = rng.poisson(8, (2000, 60)) + 1
    totals = rng.binomial(counts, 0.3)
    ratios = [estimates.ratio_of(total, count) for total, count in zip(totals, counts, strict=True)]
    covered = sum(found.low < 0.3 < found.high for found in ratios)
    # binomial with p = 0.95: standard deviation 10 of 2000
    assert abs(covered - 1900) < 60


def test_a_share_of_games_is_a_ratio_within_0_and_1():
    parts, wholes = np.tile([1.0, 0.0, 2.0, 1.0], 9), np.tile([2.0, 1.0, 2.0, 3.0], 9)
    assert estimates.share_of(parts, wholes) == estimates.ratio_of(parts, wholes)
    rare = estimates.share_of(np.array([1.0, 0.0, 0.0]), np.array([9.0, 9.0, 9.0]))
    assert rare.low == 0 > estimates.ratio_of([1.0, 0.0, 0.0], [9.0, 9.0, 9.0]).low


def test_a_share_that_never_or_always_comes_is_not_known_exactly():
    wholes = np.array([3.0, 0.0, 5.0])
    assert estimates.share_of(0 * wholes, wholes) == estimates.proportion(0, 2)
    assert estimates.share_of(wholes, wholes) == estimates.proportion(2, 2)
    assert np.isnan(estimates.share_of([0.0], [0.0]).value)
