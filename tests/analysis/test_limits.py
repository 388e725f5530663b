"""Limits on metrics: what is met, what is said, and what is refused."""

import math

import pytest

from analysis import limits
from analysis.chapter import Metric
from analysis.estimates import Estimate
from analysis.measures import Measured, exactly
from sims.engine.errors import InputError

METRICS = {
    "rounds_2": Metric(Measured(Estimate(30.5, 30, 31), 500, 9), "rounds in a game"),
    "worth": Metric(exactly(0.25), "a card (exact)"),
}


@pytest.mark.parametrize(
    ("text", "metric", "low", "high"),
    [("a=3", "a", -math.inf, 3), ("b=1..2.5", "b", 1, 2.5), ("c=-2..-2", "c", -2, -2), ("d=-1", "d", -math.inf, -1)],
)
def test_limits_are_read(text, metric, low, high):
    assert limits.parse([text]) == [limits.Limit(metric, low, high)]


@pytest.mark.parametrize("text", ["a", "=3", "a=", "a=x", "a=2..1", "a=1..", "a=inf", "a=nan", "a=nan..3", "a=1..inf"])
def test_what_is_no_limit_is_one_line(text):
    with pytest.raises(InputError, match=r"is not allowed; write metric=max or metric=min\.\.max"):
        limits.parse([text])


@pytest.mark.parametrize(
    ("text", "met"),
    [("rounds_2=30.5", True), ("rounds_2=30.49", False), ("rounds_2=30.5..40", True), ("rounds_2=30.51..40", False)],
)
def test_the_value_must_lie_between_the_ends(text, met):
    (verdict,) = limits.judge(limits.parse([text]), METRICS)
    assert verdict.met is met
    assert verdict.content["met"] is met
    assert verdict.content["value"] == 30.5
    assert verdict.sentence.startswith("limit met: rounds_2 is 30.5" if met else "limit NOT met: rounds_2 is 30.5")


def test_an_open_end_is_null_and_said():
    (verdict,) = limits.judge(limits.parse(["worth=1"]), METRICS)
    assert (verdict.content["low"], verdict.content["high"]) == (None, 1)
    assert verdict.sentence == "limit met: worth is 0.25, allowed at most 1"
    (verdict,) = limits.judge(limits.parse(["worth=0.3..1"]), METRICS)
    assert verdict.sentence == "limit NOT met: worth is 0.25, allowed 0.3 to 1"


def test_an_unknown_metric_is_one_line():
    limits.check(limits.parse(["worth=1"]), METRICS)
    with pytest.raises(InputError, match="limit: unknown metric 'speed'; allowed: rounds_2, worth"):
        limits.check(limits.parse(["worth=1", "speed=2"]), METRICS)


def test_the_table_of_metrics_tells_exact_from_simulated():
    table = limits.metrics_table(METRICS)
    rounds, worth = table.frame.to_dict("records")
    assert (rounds["value"], rounds["low"], rounds["high"], rounds["games"], rounds["seed"]) == (30.5, 30, 31, 500, 9)
    assert worth["value"] == 0.25
    assert math.isnan(worth["low"])
    assert worth["meaning"] == "a card (exact)"
    assert table.frame["games"].isna().tolist() == [False, True]
    assert table.exact is None
    assert "Simulated: 500 games, seed 9" in table.note
    assert limits.metrics_table({"worth": METRICS["worth"]}).exact
