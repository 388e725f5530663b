"""What there is, and the validate page."""

import math

import pytest

import sims
from analysis import catalogue
from analysis.chapter import Check
from sims.engine import variant


def test_the_catalogue_lists_everything():
    found = {table.name: table for table in catalogue.tables(list(sims.GAMES))}
    games, variants, rules, policies, records = (
        found[name] for name in ("games", "variants", "rules", "policies", "records")
    )
    assert games.frame["game"].tolist() == list(sims.GAMES)
    for name in sims.GAMES:
        game = sims.game(name)
        own = [table.frame[table.frame["game"] == name] for table in (games, variants, rules, policies, records)]
        assert own[0]["players"].tolist() == [f"{game.seats[0]}-{game.seats[-1]}"]
        assert own[1]["variant"].tolist() == variant.names(game.folder)
        assert own[2]["rule"].tolist() == list(variant.specs(game.rules()))
        assert own[3]["policy"].tolist() == list(game.roster)
        assert own[4]["column"].tolist() == [field.name + ("_1, .." if field.per_seat else "") for field in game.fields]


def test_a_chance_that_came_out_has_an_interval_of_chances():
    found = Check("rare", "closed form", 0.02, 0.01, 0.02, 50, between=(0, 1)).interval
    # the standard error times the normal quantile on both sides
    assert (found.low, found.high) == (0, pytest.approx(0.01 + 1.959963984540054 * 0.02))
    length = Check("length", "exact chain", 30.0, 31.0, 2.0, 50).interval
    assert (length.low, length.high) == pytest.approx((31 - 3.919927969, 31 + 3.919927969))
    exact = Check("two", "arithmetic", 2.0, 2.0).interval
    assert math.isnan(exact.low)
    assert math.isnan(exact.high)


def test_a_check_passes_within_four_standard_errors_or_the_tolerance():
    for got, passed in ((10.39, True), (10.41, False), (9.61, True), (9.59, False)):
        check = Check("x", "y", 10.0, got, 0.1, 50)
        assert check.passed is passed
        assert check.z == pytest.approx((got - 10) / 0.1)
    for got, passed in ((1.0 + 5e-10, True), (1.0 - 5e-10, True), (1.0 + 2e-9, False)):
        assert Check("x", "y", 1.0, got).passed is passed
    assert Check("x", "y", 1.0, 1.5, tolerance=0.5).passed


def test_the_validate_page_shows_intervals_games_and_seed_of_what_is_simulated():
    checks = [
        ("g", Check("rare", "closed form", 0.02, 0.01, 0.02, 50, between=(0, 1))),
        ("g", Check("two", "a", 2.0, 2.0)),
    ]
    frame = catalogue.checks_table(checks, 7).frame
    assert frame["low"].isna().tolist() == [False, True]
    assert frame["low"][0] == 0
    assert frame["games"].isna().tolist() == [False, True]
    assert frame["seed"].dropna().tolist() == [7]
    assert frame["passed"].tolist() == [True, True]
