"""Questions that all pages ask, put to tables whose truth is known."""

import re

import numpy as np
import pandas as pd
import pytest

import sims
from analysis import verdicts
from analysis.chapter import Study
from analysis.claims import UNCLEAR, settle
from analysis.tables import Table


def table(evidence):
    return Table("t", "T", pd.DataFrame(), (), False, evidence=evidence)


@pytest.fixture
def study():
    """A study whose policies stand for those of the tables here."""
    game = sims.game("tschakka-lakka")
    return Study(game, game.variant("tiny-2x2"), game.lineup("card", 2), None, 10, 1)


def seats(games=20_000, **chances):
    """A table of seats: for each policy the chance of seat 1 in two-player games without ties."""
    rng = np.random.default_rng(3)
    evidence = {}
    for policy, chance in chances.items():
        first = rng.random(games) < chance
        evidence[2, policy, 1], evidence[2, policy, 2] = first * 1.0, ~first * 1.0
    return table(evidence)


def settled(question):
    return settle([question])[question.name]


def test_what_all_policies_say_is_said_of_the_game(study):
    claim = settled(verdicts.seats(seats(timid=0.54, card=0.55), 2, study))
    assert claim.verdict == "seat 1 over seat 2"
    said = "With two players seat 1 is better off than seat 2 under every policy asked, by at least "
    assert claim.short.startswith(said)
    gap = float(re.search(r"at least ([\d.]+) ± 2.0 points", claim.short)[1])
    assert abs(gap - 8) < 4
    assert claim.sentence.startswith(claim.short)
    assert "layed by the cautious player, seat 1 wins 5" in claim.sentence


def test_policies_that_contradict_each_other_make_it_depend_on_them(study):
    claim = settled(verdicts.seats(seats(timid=0.54, card=0.46), 2, study))
    assert claim.verdict == "depends"
    assert "depends on the policy" in claim.sentence


def test_a_verdict_that_one_policy_leaves_open_is_open(study):
    claim = settled(verdicts.seats(seats(games=3000, timid=0.58, card=0.5), 2, study))
    assert claim.verdict == UNCLEAR
    assert "layed by the five-line card, too close to call" in claim.sentence
    # what is clear under some policies is told of them
    said = "With two players seat 1 is better off than seat 2 under the cautious player, by "
    assert re.fullmatch(
        re.escape(said) + r"[\d.]+ ± [\d.]+ points; the other policies asked do not show it\.", claim.short
    )
    none = settled(verdicts.seats(seats(games=300, timid=0.5, card=0.5), 2, study))
    assert none.short == "With two players it is open whether the game favours a seat: not every policy shows it."


def test_seats_that_are_shown_to_be_alike_are_called_so(study):
    claim = settled(verdicts.seats(seats(games=400_000, timid=0.5, card=0.5), 2, study))
    assert claim.verdict == "same"
    assert verdicts.seats(seats(card=0.5), 3, study) is None


def test_a_ladder_asks_for_each_step(study):
    rng = np.random.default_rng(4)
    lead = rng.choice([-1.0, -0.5, 0, 0.5, 1], 2000, p=[0.1, 0.1, 0.3, 0.2, 0.3])
    questions = verdicts.steps(
        table({("timid", "random"): lead, ("hold", "timid"): -lead, ("card", "hold"): lead[:60]}), study
    )
    claims = settle(questions)
    assert [claim.verdict for claim in claims.values()] == ["above", "below", UNCLEAR]
    half = 1.961 * lead.std(ddof=1) / 2000**0.5
    assert claims["timid against random"].sentence == (
        f"The cautious player beats the random player by {100 * lead.mean():.1f} ± {100 * half:.1f} points."
    )
    assert "in 120 games" in claims["card against hold"].sentence


def test_a_ladder_is_climbed_only_if_every_step_is(study):
    rng = np.random.default_rng(4)
    lead = rng.choice([-1.0, -0.5, 0, 0.5, 1], 2000, p=[0.1, 0.1, 0.3, 0.2, 0.3])

    def verdict(*steps):
        names = ["random", "timid", "hold", "card"]
        evidence = {(names[number + 1], names[number]): step for number, step in enumerate(steps)}
        return settle([asked := verdicts.ladder(table(evidence), study)])[asked.name]

    up = verdict(lead, lead + rng.normal(0, 0.01, 2000))
    assert up.verdict == "every step"
    assert up.short.startswith("Every policy beats the one below it, by at least ")
    assert verdict(lead, -lead).verdict == "not every step"
    half_way = verdict(lead, lead[:60])
    assert half_way.verdict == UNCLEAR
    assert half_way.short.startswith("1 of 2 steps up the ladder of policies is clear, by at least ")
    assert half_way.short.endswith("; the rest is too close to call.")


def test_the_reading_that_matters_most_is_named_with_its_direction(study):
    rng = np.random.default_rng(5)
    changes = {
        ("x", "true"): -2 + rng.normal(0, 3, 2000),
        ("y", "any"): 1 + rng.normal(0, 3, 2000),
        ("z", "no"): np.zeros(2000),
    }
    asked = table({(players, "card", *key): change for key, change in changes.items() for players in (2, 3)})
    found = settled(verdicts.farthest_change(asked, 3, study, "reading", {("x", "true"): "Counting both"}))
    assert found.verdict == "x=true"
    fresh = -changes["x", "true"][1000:].mean()
    assert found.sentence.startswith(
        f"Counting both shortens three-player games of the five-line card by {fresh:.1f} ± 0.2 rounds, more than any"
    )
    assert verdicts.farthest_change(asked, 4, study, "reading", {}) is None


def test_two_readings_that_matter_alike_leave_it_open(study):
    rng = np.random.default_rng(6)
    up, down = 1 + rng.normal(0, 3, 2000), -1 + rng.normal(0, 3, 2000)
    asked = table({(2, "card", "x", "a"): up, (2, "card", "y", "b"): down})
    claim = settled(verdicts.farthest_change(asked, 2, study, "reading", {}))
    assert claim.verdict == UNCLEAR
    assert "two-player games of the five-line card" in claim.sentence
    assert f"x = a lengthens them by {up[1000:].mean():.1f} ± 0.2 rounds" in claim.sentence
    assert f"y = b shortens them by {-down[1000:].mean():.1f} ± 0.2 rounds" in claim.sentence
    none = table({(2, "card", "x", "a"): rng.normal(0, 3, 200), (2, "card", "y", "b"): rng.normal(0, 3, 200)})
    assert "not ruled out" in settled(verdicts.farthest_change(none, 2, study, "reading", {})).sentence


@pytest.mark.parametrize(("mean", "word"), [(2, "lengthens"), (-2, "shortens"), (0, "too close to call")])
def test_a_single_reading_has_no_rival(mean, word, study):
    change = mean + np.random.default_rng(7).normal(0, 3, 2000)
    asked = table({(2, "card", "x", "a"): change})
    assert word in settled(verdicts.farthest_change(asked, 2, study, "reading", {})).sentence
