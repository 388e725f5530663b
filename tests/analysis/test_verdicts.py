"""Questions that all pages ask, put to tables whose truth is known."""

import numpy as np
import pandas as pd
import pytest

from analysis import verdicts
from analysis.claims import UNCLEAR, settle
from analysis.tables import Table


def table(evidence):
    return Table("t", "T", pd.DataFrame(), False, evidence=evidence)


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


def test_what_all_policies_say_is_said_of_the_game():
    claim = settled(verdicts.seats(seats(weak=0.54, strong=0.55), 2, 1))
    assert claim.verdict == "seat 1 over seat 2"
    assert "With two players seat 1 is better off than seat 2 under every policy asked." in claim.sentence
    assert "'weak' at every seat, seat 1 wins 5" in claim.sentence


def test_policies_that_contradict_each_other_make_it_depend_on_them():
    claim = settled(verdicts.seats(seats(careful=0.54, bold=0.46), 2, 1))
    assert claim.verdict == "depends"
    assert "depends on the policy" in claim.sentence


def test_a_verdict_that_one_policy_leaves_open_is_open():
    claim = settled(verdicts.seats(seats(games=3000, careful=0.58, bold=0.5), 2, 1))
    assert claim.verdict == UNCLEAR
    assert "'bold' at every seat, too close to call" in claim.sentence


def test_seats_that_are_shown_to_be_alike_are_called_so():
    claim = settled(verdicts.seats(seats(games=400_000, one=0.5, two=0.5), 2, 1))
    assert claim.verdict == "same"
    assert verdicts.seats(seats(one=0.5), 3, 1) is None


def test_a_ladder_asks_for_each_step():
    rng = np.random.default_rng(4)
    lead = rng.choice([-1.0, -0.5, 0, 0.5, 1], 2000, p=[0.1, 0.1, 0.3, 0.2, 0.3])
    questions = verdicts.steps(table({("b", "a"): lead, ("c", "b"): -lead, ("d", "c"): lead[:60]}), 1)
    claims = settle(questions)
    assert [claim.verdict for claim in claims.values()] == ["above", "below", UNCLEAR]
    half = 1.961 * lead.std(ddof=1) / 2000**0.5
    assert claims["b against a"].sentence == f"'b' beats 'a' by {100 * lead.mean():.1f} ± {100 * half:.1f} points."
    assert "in 120 games" in claims["d against c"].sentence


def test_the_reading_that_matters_most_is_named_with_its_direction():
    rng = np.random.default_rng(5)
    changes = {
        ("x", "true"): -2 + rng.normal(0, 3, 2000),
        ("y", "any"): 1 + rng.normal(0, 3, 2000),
        ("z", "no"): np.zeros(2000),
    }
    asked = table({(players, *key): change for key, change in changes.items() for players in (2, 3)})
    found = settled(verdicts.farthest_change(asked, 3, 1, "reading", {("x", "true"): "Counting both"}))
    assert found.verdict == "x=true"
    fresh = -changes["x", "true"][1000:].mean()
    assert found.sentence.startswith(
        f"Counting both shortens three-player games by {fresh:.1f} ± 0.2 rounds, more than any"
    )
    assert verdicts.farthest_change(asked, 4, 1, "reading", {}) is None


def test_two_readings_that_matter_alike_leave_it_open():
    rng = np.random.default_rng(6)
    up, down = 1 + rng.normal(0, 3, 2000), -1 + rng.normal(0, 3, 2000)
    asked = table({(2, "x", "a"): up, (2, "y", "b"): down})
    claim = settled(verdicts.farthest_change(asked, 2, 1, "reading", {}))
    assert claim.verdict == UNCLEAR
    assert f"x = a lengthens two-player games by {up[1000:].mean():.1f} ± 0.2 rounds" in claim.sentence
    assert f"y = b shortens two-player games by {-down[1000:].mean():.1f} ± 0.2 rounds" in claim.sentence
    none = table({(2, "x", "a"): rng.normal(0, 3, 200), (2, "y", "b"): rng.normal(0, 3, 200)})
    assert "not ruled out" in settled(verdicts.farthest_change(none, 2, 1, "reading", {})).sentence


@pytest.mark.parametrize(("mean", "word"), [(2, "lengthens"), (-2, "shortens"), (0, "too close to call")])
def test_a_single_reading_has_no_rival(mean, word):
    change = mean + np.random.default_rng(7).normal(0, 3, 2000)
    assert word in settled(verdicts.farthest_change(table({(2, "x", "a"): change}), 2, 1, "reading", {})).sentence
