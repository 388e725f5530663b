"""What all balance sheets share: seats, the vocabulary, and how many games tell who is better."""

import math
from dataclasses import replace

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


def test_seats_tell_the_policy_once_where_all_play_the_same(study):
    batches = [study.play("", lineup=study.game.lineup((), players)) for players in (2, 3)]
    table = balance.seats(batches, "All alike.")
    assert list(table.frame) == ["players", "policy", "seat", "win_rate", "low", "high", "games", "seed"]
    assert table.frame["players"].tolist() == [2, 2, 3, 3, 3]
    assert list(table.display()) == ["players", "seat", "win rate", "low", "high"]
    assert "Every seat plays 'chance'. All alike." in table.note


def test_seats_keep_who_won_each_game_as_evidence(study):
    batch = study.play("", records=True)
    masks = frames.records(batch)["winners"]
    table = balance.seats([batch], "")
    for seat in (1, 2, 3):
        assert table.evidence[3, "chance", seat].tolist() == [float(mask == 1 << seat - 1) for mask in masks]


def test_metrics_are_named_after_the_batch(study):
    batch = study.play("")
    metrics = balance.metrics([balance.ROUNDS, balance.COMPLETION], {3: batch})
    assert list(metrics) == ["rounds_3", "completion_3"]
    found = metrics["rounds_3"]()
    assert found.number == batch.sums["rounds"] / 400
    assert (found.found.games, found.found.seed, found.doc) == (400, 7, "3 players: rounds in a game")
    assert metrics["completion_3"]().number == 1 - batch.unfinished / 400


def test_minutes_are_turns_of_so_many_seconds(study):
    batch = study.play("")
    mean = batch.sums["rounds"] / 400
    assert balance.minutes(study).find(batch).value == pytest.approx(mean * 15 / 60)
    slow = balance.minutes(replace(study, seconds=40))
    assert slow.find(batch).value == pytest.approx(mean * 40 / 60)
    assert "if a round takes 40 seconds" in slow.meaning


def winners(masks, players):
    """A batch of which only the winners matter."""
    game = sims.game("tacatuca")
    played = run(game, game.variant("tiny"), game.lineup((), players), len(masks), 1, records=True)
    records = played.records.copy()
    records[:, list(played.columns).index("winners")] = masks
    return replace(played, records=records)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_gap_of_equal_seats_is_0_on_average_and_its_interval_holds_0_nineteen_times_in_twenty(players):
    rng, runs = np.random.default_rng(players), 400
    found = [balance.seat_gap(winners(1 << rng.integers(0, players, 200), players)) for _ in range(runs)]
    values = np.array([each.value for each in found])
    assert abs(values.mean()) < 4 * values.std() / np.sqrt(runs)
    missed = np.mean([not each.estimate.low <= 0 <= each.estimate.high for each in found])
    assert missed < 0.05 + 4 * np.sqrt(0.05 * 0.95 / runs)


def test_the_gap_of_unequal_seats_is_their_difference():
    rng = np.random.default_rng(5)
    gap = balance.seat_gap(winners(rng.choice([1, 2, 4], 20_000, p=[0.5, 0.3, 0.2]), 3))
    assert gap.estimate.low < 0.3 < gap.estimate.high
    assert gap.games == 10_000
    # by hand: seat 2 wins both games of the first half, and none of the second
    reversed_ = balance.seat_gap(winners([2, 2, 1, 1], 2))
    assert (reversed_.value, reversed_.estimate.low) == (-1.0, -1.0)
    assert balance.seat_gap(winners([1, 1, 1, 1], 2)).estimate.high == 1.0


def test_a_shared_win_is_nobodys_outright_win():
    batch = winners([1, 3, 2, 1], 2)
    assert balance.wins_of_seats(batch).tolist() == [[1, 0], [0, 0], [0, 1], [1, 0]]
    assert balance.first_seat_edge(batch).value == pytest.approx((1 + 0 - 1 + 1) / 4)
    assert balance.SHARED.find(batch).value == 1 / 4


def test_games_to_tell_the_better_player_are_what_a_normal_approximation_needs():
    # +1 with 0.6, -1 with 0.4: mean 0.2, variance 0.96; 0.9 = Phi(1.28155) needs (1.28155)^2 * 0.96 / 0.04 = 39.4 games
    lead = np.repeat([1.0, -1.0], [6000, 4000])
    found = balance.to_tell(lead, 1)
    assert found["to_tell"] == 40
    assert found["to_tell_low"] < 40 < found["to_tell_high"] < 60
    # 40 games of this kind are won on balance (a tie counted half) with about that chance: the exact binomial says so
    chance = sum(
        math.comb(40, wins) * 0.6**wins * 0.4 ** (40 - wins) * (1 if wins > 20 else 0.5) for wins in range(20, 41)
    )
    assert chance == pytest.approx(0.9, abs=0.01)
    # a pair of games is two games
    assert balance.to_tell(lead, 2)["to_tell"] == 80
    assert balance.to_tell(np.repeat([1.0, -1.0], 500), 1)["to_tell_high"] == math.inf
    assert math.isnan(balance.to_tell(np.ones(1), 1)["to_tell"])


def test_policies_are_called_what_people_call_them():
    game = sims.game("tschakka-lakka")
    assert balance.called(game, balance.label(game.policy("hold:points=6"))) == "the point counter (points 6)"
    assert balance.called(game, "card") == "the five-line card"
    assert balance.called(game, "card, timid, hold") == "the five-line card, the cautious player and the point counter"
