"""Comparisons on common dice, on games small enough to see through."""

import numpy as np
import pytest

import sims
from analysis import compare, estimates, frames
from analysis.chapter import Study
from analysis.measures import Column
from sims.engine.variant import other_readings


@pytest.fixture
def study():
    game = sims.game("kazaam-dice")
    return Study(game, game.variant("duel"), game.lineup(["runner"], 2), None, 60, 3)


def test_a_lineup_is_kept_if_it_fits_and_its_first_policy_repeated_otherwise(study):
    assert compare.lineup(study, 2) == study.lineup
    assert compare.lineup(study, 4) == study.lineup[:1] * 4


def test_a_duel_counts_every_game_once_and_turns_round_with_its_policies(study):
    first, second = study.game.policy("runner"), study.game.policy("random")
    row, turned = compare.duel(study, first, second, 50), compare.duel(study, second, first, 50)
    lead = row["advantage"]
    assert (lead.games, lead.seed, len(lead.units)) == (50, study.seed, 50)
    assert lead.value == pytest.approx(lead.units.mean())
    assert (turned["advantage"].value, turned["wins"]) == pytest.approx((-lead.value, row["other_wins"]))
    played, ahead, shared = {}, np.zeros(50), 0
    for order in ((first, second), (second, first)):
        masks = frames.records(study.play("", lineup=order, games=50, records=True))["winners"]
        for seat, chosen in enumerate(order):
            won = (masks == 1 << seat).to_numpy(float)
            played[chosen.policy.name] = played.get(chosen.policy.name, 0) + int(won.sum())
            ahead += won / 2 if chosen == first else -won / 2
        shared += int((masks == 3).sum())
    assert row["wins"] == pytest.approx(played["runner"] / 100)
    assert row["other_wins"] == pytest.approx(played["random"] / 100)
    assert row["shared"] == pytest.approx(shared / 100)
    paired = estimates.mean_of(ahead, -1, 1)
    assert lead.estimate == paired
    assert lead.units.tolist() == ahead.tolist()


def test_the_ladder_plays_each_policy_against_the_one_before(study):
    steps = [(study.game.policy(name), games) for name, games in (("random", 1), ("runner", 20), ("collector", 10))]
    frame = compare.ladder(study, steps).frame
    assert frame[["policy", "against", "games"]].to_numpy().tolist() == [
        ["runner", "random", 20],
        ["collector", "runner", 10],
    ]


def test_effects_are_differences_game_by_game(study):
    rows = compare.effects(study, other_readings(study.variant), 2, 40, {"dice": lambda records: records["dice"]})
    table = compare.readings("rulings", "T", rows, Column("dice"))
    frame, evidence = table.frame.set_index("rule"), table.evidence
    unchanged = frame.loc["(as set)"]
    assert (unchanged["other_winners"], unchanged["change_in_rounds"], unchanged["low"]) == (0, 0, 0)
    before = frames.records(study.play("", games=40, records=True))
    beside = study.variant.changed(chain_ends="beside")
    after = frames.records(study.play("", variant=beside, games=40, records=True))
    found = frame.loc["chain_ends"]
    change = after["rounds"] - before["rounds"]
    assert found["change_in_rounds"] == pytest.approx(change.mean())
    assert evidence[2, "runner", "chain_ends", "beside"].tolist() == change.tolist()
    assert "(as set)" not in {rule for _, _, rule, _ in evidence}
    pairs = [(one, other) for one in before["winners"] for other in after["winners"]]
    assert found["redealt"] == pytest.approx(sum(one != other for one, other in pairs) / 1600)
    assert found["other_winners"] == pytest.approx((after["winners"] != before["winners"]).mean())
    assert found["dice"] == pytest.approx(after["dice"].mean())
    # half-width of a t interval: quantile 2.0227 with 39 degrees of freedom
    assert found["high"] - found["change_in_rounds"] == pytest.approx(2.0227 * change.std() / np.sqrt(40), rel=1e-4)
