"""Comparisons on common dice, on games small enough to see through."""

import numpy as np
import pandas as pd
import pytest

import sims
from analysis import compare, frames
from analysis.chapter import Study
from sims.engine.variant import other_readings


@pytest.fixture
def study():
    game = sims.game("kazaam-dice")
    return Study(game, game.variant("duel"), game.lineup(["runner"], 2), None, 60, 3)


def test_a_lineup_is_kept_if_it_fits_and_its_first_policy_repeated_otherwise(study):
    assert compare.lineup(study, 2) == study.lineup
    assert compare.lineup(study, 4) == study.lineup[:1] * 4


def test_seat_spread_is_best_minus_worst_and_never_below_nothing(study):
    batch = study.play("", games=60)
    rates = frames.seats(batch)["win_rate"]
    found = compare.seat_spread(batch).value
    assert found.value == pytest.approx(rates.max() - rates.min())
    # two equal seats: difference of two shares of one half
    assert found.high - found.value == pytest.approx(1.959964 * np.sqrt(2 * 0.5 / 60), rel=1e-6)
    assert found.low == pytest.approx(max(0.0, 2 * found.value - found.high))


def test_a_duel_counts_every_game_once_and_turns_round_with_its_policies(study):
    first, second = study.game.policy("runner"), study.game.policy("random")
    row, turned = compare.duel(study, first, second, 50), compare.duel(study, second, first, 50)
    assert row["games"] == 100
    assert row["low"] < row["advantage"] < row["high"]
    assert (turned["advantage"], turned["wins"]) == pytest.approx((-row["advantage"], row["other_wins"]))
    played = {}
    for order in ((first, second), (second, first)):
        masks = frames.records(study.play("", lineup=order, games=50, records=True))["winners"]
        for seat, chosen in enumerate(order):
            played[chosen.policy.name] = played.get(chosen.policy.name, 0) + int((masks == 1 << seat).sum())
    assert row["wins"] == pytest.approx(played["runner"] / 100)
    assert row["other_wins"] == pytest.approx(played["random"] / 100)
    assert row["wins"] + row["other_wins"] + row["shared"] <= 1


def test_the_ladder_plays_each_policy_against_the_one_before(study):
    steps = [(study.game.policy(name), games) for name, games in (("random", 1), ("runner", 20), ("collector", 10))]
    frame = compare.ladder(study, steps).frame
    assert frame[["policy", "against", "games"]].to_numpy().tolist() == [
        ["runner", "random", 40],
        ["collector", "runner", 20],
    ]


def test_effects_are_differences_game_by_game(study):
    rows = compare.effects(study, other_readings(study.variant), 2, 40, {"dice": lambda records: records["dice"]})
    frame = pd.DataFrame(rows).set_index("rule")
    unchanged = frame.loc["(as set)"]
    assert (unchanged["other_winners"], unchanged["change_in_rounds"], unchanged["low"]) == (0, 0, 0)
    before = frames.records(study.play("", games=40, records=True))
    beside = study.variant.changed(chain_ends="beside")
    after = frames.records(study.play("", variant=beside, games=40, records=True))
    found = frame.loc["chain_ends"]
    change = after["rounds"] - before["rounds"]
    assert found["change_in_rounds"] == pytest.approx(change.mean())
    assert found["other_winners"] == pytest.approx((after["winners"] != before["winners"]).mean())
    assert found["dice"] == pytest.approx(after["dice"].mean())
    # half-width of a t interval: quantile 2.0227 with 39 degrees of freedom
    assert found["high"] - found["change_in_rounds"] == pytest.approx(2.0227 * change.std() / np.sqrt(40), rel=1e-4)


def test_seats_show_the_policy_only_where_there_are_several(study):
    alike = [study.play("", lineup=compare.lineup(study, 2)), study.play("", lineup=study.game.lineup(["runner"], 2))]
    table = compare.seats(study, alike, "All alike.")
    assert list(table.frame) == ["players", "seat", "win_rate", "low", "high", "games", "seed"]
    assert table.frame["seat"].tolist() == [1, 2, 1, 2]
    assert table.note.endswith("All alike.")
    several = [*alike, study.play("", lineup=study.game.lineup(["random", "runner"], 2))]
    assert compare.seats(study, several, "").frame["policy"].tolist() == ["runner"] * 4 + ["random", "runner"]


def test_notes_say_how_many_games(study):
    assert "60 games" in study.simulated()
    assert "90 games" in study.simulated([90, 90])
    assert "games by row" in study.simulated([90, 9000])


def test_metrics_are_named_after_the_batch(study):
    batch = study.play("")
    found = [("rounds", "", frames.mean(batch, "rounds"), "rounds in a game")]
    metrics = compare.metrics_of([(batch, found)], lambda played: str(played.players))
    assert list(metrics) == ["rounds_2"]
    assert metrics["rounds_2"].number == batch.sums["rounds"] / 60
    assert metrics["rounds_2"].games == 60
