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


@pytest.mark.parametrize(("low", "high"), [(-math.inf, math.inf), (0, math.inf), (-math.inf, 9), (0, 1), (-1, 1)])
def test_one_game_tells_only_what_is_possible(low, high):
    value = min(4.0, high)
    for found in (estimates.mean_of([value], low, high), estimates.ratio_of([0, value], [0, 1], low, high)):
        assert (found.value, found.low, found.high) == (value, low, high)
    for found in (estimates.mean_of([], low, high), estimates.mean(0, 0, 0, low, high)):
        assert math.isnan(found.value)
        assert (found.low, found.high) == (low, high)


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


def test_a_share_that_never_or_always_comes_is_not_known_exactly():
    wholes = np.array([3.0, 0.0, 5.0])
    assert estimates.share_of(0 * wholes, wholes) == estimates.proportion(0, 2)
    assert estimates.share_of(wholes, wholes).low == pytest.approx(estimates.proportion(2, 2).low)
    assert np.isnan(estimates.share_of([0.0], [0.0]).value)


# -- intervals inside what is possible -------------------------------------------------------------------------


def t_interval(values):
    return stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))


def test_the_bounds_of_a_mean_of_shares_solve_wilsons_equation():
    values = np.array([0.0, 0.0, 0.25, 0.1, 0.0, 0.9])
    found = estimates.mean_of(values, 0, 1)
    # trials that would give a share of this size this standard error
    trials = found.value * (1 - found.value) / stats.sem(values) ** 2
    for bound in (found.low, found.high):
        assert 0 < bound < 1
        score = abs(found.value - bound) / math.sqrt(bound * (1 - bound) / trials)
        assert score == pytest.approx(stats.t.ppf(0.975, 5))


def test_the_bounds_of_a_mean_count_solve_the_score_equation_of_poisson():
    values = np.array([0, 0, 3, 0, 1, 0, 0, 2])
    found = estimates.mean_of(values, 0)
    dispersion = values.var(ddof=1) / values.mean()
    for bound in (found.low, found.high):
        assert bound > 0
        score = abs(values.mean() - bound) / math.sqrt(dispersion * bound / 8)
        assert score == pytest.approx(stats.t.ppf(0.975, 7))
    total, squares = int(values.sum()), int((values**2).sum())
    again = estimates.mean(total, squares, 8, 0)
    assert (again.value, again.low, again.high) == pytest.approx((found.value, found.low, found.high))


def test_a_range_moved_scaled_or_mirrored_moves_the_interval():
    values = np.array([0.0, 0.0, 0.2, 1.0, 0.0])
    found = estimates.mean_of(values, 0, 1)
    wide = estimates.mean_of(2 * values - 1, -1, 1)
    assert (wide.low, wide.high) == pytest.approx((2 * found.low - 1, 2 * found.high - 1))
    mirrored = estimates.mean_of(1 - values, 0, 1)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - found.high, 1 - found.low))
    counts = estimates.mean_of(values, 0)
    upside_down = estimates.mean_of(9 - values, -math.inf, 9)
    assert (upside_down.low, upside_down.high) == pytest.approx((9 - counts.high, 9 - counts.low))


@pytest.mark.parametrize(("low", "high"), [(0, math.inf), (-math.inf, 1000), (0, 1000)])
def test_far_from_the_ends_of_the_range_it_is_the_t_interval(low, high):
    values = np.random.default_rng(4).normal(500, 1, 400)
    found = estimates.mean_of(values, low, high)
    assert (found.low, found.high) == pytest.approx(t_interval(values), rel=1e-6)


def test_draws_all_alike_are_no_certainty():
    # Wilson's bound for what never happened in 20 trials
    rare = 1.959963984540054**2 / (20 + 1.959963984540054**2)
    for value, low, high, below, above in [
        (0.0, 0, 1, 0, rare),
        (1.0, 0, 1, rare, 0),
        (0.25, 0, 1, 0.25 * rare, 0.75 * rare),
        (-0.5, -1, 1, 0.5 * rare, 1.5 * rare),
        (0.0, 0, math.inf, 0, rare),
        (7.0, 0, math.inf, 7 * rare, rare),
        (0.1, -math.inf, math.inf, rare, rare),
    ]:
        expected = pytest.approx((value, value - below, value + above))
        for found in (
            estimates.mean_of([value] * 20, low, high),
            estimates.ratio_of([3 * value] * 20, [3] * 20, low, high),
        ):
            assert (found.value, found.low, found.high) == expected
    assert estimates.mean_of([0.0] * 20, 0, 1) == estimates.proportion(0, 20)
    assert estimates.mean(0, 0, 20, 0).high == pytest.approx(rare)


def test_no_interval_leaves_the_range_or_misses_its_value():
    rng = np.random.default_rng(5)
    for games in (2, 3, 5, 30):
        for _ in range(100):
            low, high = sorted(rng.normal(0, 3, 2))
            values = low + (high - low) * rng.random(games) ** rng.choice([0.01, 1, 30])
            counts = rng.integers(1, 5, games)
            for bottom, top in [(low, high), (low, math.inf), (-math.inf, high)]:
                for found in (
                    estimates.mean_of(values, bottom, top),
                    estimates.ratio_of(values * counts, counts, bottom, top),
                ):
                    assert bottom <= found.low <= found.value <= found.high <= top


def covered(draws, truth, low, high):
    found = [estimates.mean_of(values, low, high) for values in draws]
    return np.mean([one.low <= truth <= one.high for one in found])


@pytest.mark.parametrize("games", [5, 10, 20, 50])
def test_shares_are_covered_as_often_as_promised(games):
    """Summed over all outcomes, not sampled. Wilson's interval itself dips below 95 % near 0 and 1, and so does this."""
    found = [estimates.mean_of([1] * wins + [0] * (games - wins), 0, 1) for wins in range(games + 1)]
    coverage = []
    for share in (0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.99, 0.995):
        chances = stats.binom.pmf(range(games + 1), games, share)
        coverage.append(sum(chances[i] for i, one in enumerate(found) if one.low <= share <= one.high))
    assert min(coverage) > 0.9
    assert np.mean(coverage) > 0.95


@pytest.mark.parametrize("games", [10, 50])
def test_rare_counts_and_differences_of_shares_are_covered_too(games):
    rng = np.random.default_rng(6)
    for mean in (0.02, 0.05, 0.1, 0.5, 3):
        assert covered(rng.poisson(mean, (600, games)), mean, 0, math.inf) > 0.9 - 0.02
    for more, less in [(0.02, 0), (0.5, 0.02), (0.9, 0.02), (0.98, 0)]:
        draws = (rng.random((600, games)) < more) * 1.0 - (rng.random((600, games)) < less)
        assert covered(draws, more - less, -1, 1) > 0.9 - 0.02


@pytest.mark.parametrize("share", [0.01, 0.97])
def test_shares_of_things_of_which_a_game_has_many_are_covered_too(share):
    rng = np.random.default_rng(8)
    wholes = rng.poisson(3, (600, 25))
    parts = rng.binomial(wholes, share)
    found = [estimates.share_of(part, whole) for part, whole in zip(parts, wholes, strict=True)]
    assert all(0 <= one.low <= one.value <= one.high <= 1 for one in found)
    assert np.mean([one.low <= share <= one.high for one in found]) > 0.9


def test_cutting_to_what_is_possible_leaves_the_value():
    found = estimates.Estimate(-0.2, -0.5, 0.1)
    assert found.within(0, math.inf) == estimates.Estimate(-0.2, 0, 0.1)
    assert found.within(-1, 1) == found
    assert estimates.Estimate(-0.2, -0.5, -0.1).within(0, 1) == estimates.Estimate(-0.2, 0, 0)
    assert estimates.Estimate(1.2, 1.1, 1.3).within(0, 1) == estimates.Estimate(1.2, 1, 1)
