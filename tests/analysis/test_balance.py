"""What all balance sheets share: intervals, seats, and what a reading changes on the same dice."""

import numpy as np
import pytest

import sims
from analysis import balance, frames
from analysis.chapter import Study
from sims.engine.batch import run


@pytest.fixture
def study():
    game = sims.game("tacatuca")
    return Study(game, game.variant("tiny"), game.lineup((), 3), 3, 400, 7)


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


def test_a_spread_of_win_rates_is_at_most_1():
    game = sims.game("tacatuca")
    lucky = next(
        played
        for seed in range(20)
        if (played := run(game, game.variant("tiny"), game.lineup((), 2), 2, seed)).sums["winners"] in (2, 4)
    )
    spread = balance.seat_spread(lucky).value
    assert (spread.value, spread.high) == (1, 1)
    assert 0 <= spread.low < 1
