"""What all balance sheets share: intervals, seats, and what a reading changes on the same dice."""

import numpy as np
import pytest
from scipy import stats

import sims
from analysis import balance, estimates, frames
from analysis.chapter import Study
from sims.engine.batch import run


@pytest.fixture
def study():
    game = sims.game("tacatuca")
    return Study(game, game.variant("tiny"), game.lineup((), 3), 3, 400, 7)


def test_mean_of_has_the_t_interval():
    values = np.random.default_rng(1).normal(3, 2, 12)
    found = balance.mean_of(values)
    low, high = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high))


def test_one_game_gives_no_interval():
    assert balance.mean_of([4.0]).low == -np.inf
    assert np.isnan(balance.mean_of([]).value)


def test_ratio_of_counts_games_not_the_things_in_them():
    rng = np.random.default_rng(2)
    counts = rng.integers(5, 15, 400)
    luck = rng.normal(0, 1, 400)  # of a whole game
    found = balance.ratio_of(counts * (2 + luck), counts)
    # as many games, one thing each: dependent things must not look like independent ones
    assert found.half_width == pytest.approx(balance.mean_of(luck).half_width, rel=0.1)
    assert found.low < 2 < found.high


def test_ratio_of_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    counts = rng.poisson(8, (2000, 60)) + 1
    totals = rng.binomial(counts, 0.3)
    ratios = [balance.ratio_of(total, count) for total, count in zip(totals, counts, strict=True)]
    covered = sum(found.low < 0.3 < found.high for found in ratios)
    # binomial with p = 0.95: standard deviation 10 of 2000
    assert abs(covered - 1900) < 60


def test_seats_show_the_policy_only_where_there_are_several(study):
    batches = [study.play("", lineup=study.game.lineup((), players)) for players in (2, 3)]
    table = balance.seats(study, batches, "All alike.")
    assert list(table.frame) == ["players", "seat", "win_rate", "low", "high", "games", "seed"]
    assert table.frame["players"].tolist() == [2, 2, 3, 3, 3]
    assert table.note.endswith("All alike.")


def test_notes_say_how_many_games(study):
    assert "400 games" in study.simulated()
    assert "90 games" in study.simulated([90, 90])
    assert "games by row" in study.simulated([90, 9000])


def test_metrics_are_named_after_the_batch(study):
    batch = study.play("")
    found = [("rounds", "", frames.mean(batch, "rounds"), "rounds in a game")]
    metrics = balance.metrics_of([(batch, found)], lambda played: str(played.players))
    assert list(metrics) == ["rounds_3"]
    assert metrics["rounds_3"].number == batch.sums["rounds"] / 400
    assert metrics["rounds_3"].games == 400


def test_a_share_of_games_is_a_ratio_within_0_and_1():
    parts, wholes = np.tile([1.0, 0.0, 2.0, 1.0], 9), np.tile([2.0, 1.0, 2.0, 3.0], 9)
    assert balance.share_of(parts, wholes) == balance.ratio_of(parts, wholes)
    rare = balance.share_of(np.array([1.0, 0.0, 0.0]), np.array([9.0, 9.0, 9.0]))
    assert rare.low == 0 > balance.ratio_of([1.0, 0.0, 0.0], [9.0, 9.0, 9.0]).low


def test_a_share_that_never_or_always_comes_is_not_known_exactly():
    wholes = np.array([3.0, 0.0, 5.0])
    assert balance.share_of(0 * wholes, wholes) == estimates.proportion(0, 2)
    assert balance.share_of(wholes, wholes) == estimates.proportion(2, 2)
    assert np.isnan(balance.share_of([0.0], [0.0]).value)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_of_equal_strength_lie_further_apart_in_one_batch_of_twenty(players):
    game = sims.game("tacatuca")
    played = run(game, game.variant("tiny"), game.lineup((), players), 2000, 1)
    spread = balance.seat_spread(played).value
    limit = spread.high - spread.value
    runs = 4000
    wins = np.random.default_rng(players).multinomial(played.games, np.full(players, 1 / players), runs)
    apart = (wins.max(axis=1) - wins.min(axis=1)) / played.games
    # the wins are whole numbers, so the limit may fall between two of them
    assert abs((apart > limit).mean() - 0.05) < 4 * np.sqrt(0.05 * 0.95 / runs) + 0.004
