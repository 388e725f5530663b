"""What the page on Tacatuca claims, against positions counted one by one."""

import numpy as np
import pandas as pd
import pytest

from analysis.chapters.tacatuca import verdicts
from analysis.measures import Column
from analysis.tables import Table
from sims.tacatuca import exact
from sims.tacatuca.rules import Rules


@pytest.fixture(scope="module")
def three():
    return exact.win_table(Rules(), 3, 60)


def test_a_player_with_few_pins_does_not_always_do_better_than_their_share(three):
    # counted seat by seat: 219 of 2,793; one of them is seat 1 of 19, 1, 40
    poor, failing = 0, []
    for pins, win in zip(three.pins.tolist(), three.win.tolist(), strict=True):
        for held, chance in zip(pins, win, strict=True):
            if 3 * held < 60:
                poor += 1
                failing += [(chance - held / 60, pins)] if chance <= held / 60 else []
    assert (len(failing), poor) == (219, 2793)
    few, many = verdicts.underdogs(3, three)
    assert (few.verdict, few.exact) == ("with exceptions", True)
    assert "in 2,574 of 2,793 cases" in few.sentence
    assert f"with {', '.join(map(str, min(failing)[1]))} pins" in few.sentence
    assert few.estimate.value == pytest.approx(min(failing)[0])
    too_little = [
        held / 60 - chance
        for pins, win in zip(three.pins, three.win, strict=True)
        for held, chance in zip(pins, win, strict=True)
        if 3 * held > 60
    ]
    assert min(too_little) > 0
    assert (many.verdict, many.estimate.value) == ("always", pytest.approx(min(too_little)))


def test_two_players_have_no_exceptions():
    few, many = verdicts.underdogs(2, exact.win_table(Rules(), 2, 40))
    assert (few.verdict, many.verdict) == ("always", "always")


def test_half_the_pins_against_the_share_of_the_pins():
    (claim,) = verdicts.half_the_pins(exact.win_table(Rules(), 2, 40))
    chance = exact.solve(Rules(), (10, 30)).win[0]
    assert chance > 0.25
    assert (claim.verdict, claim.estimate.value) == ("above", pytest.approx(chance - 0.25))
    assert f"you still win {100 * chance:.1f} %" in claim.sentence
    assert verdicts.half_the_pins(exact.win_table(Rules(), 2, 2)) == []


def test_seats_are_alike_from_the_start():
    solved = {2: exact.solve(Rules(), (20, 20)), 3: exact.solve(Rules(), (4, 4, 4))}
    assert verdicts.fair(solved)[0].verdict == "same"
    # where debts are paid clockwise, a start with unlike pins favours seats unlike
    uneven = {3: exact.solve(Rules(), (4, 5, 6))}
    assert verdicts.fair(uneven)[0].verdict == "differ"
    assert verdicts.fair({}) == []


def test_throws_and_cards_by_hand():
    best, worst = verdicts.throws(pd.Series({"6-6": 9.0, "6-5": 4.0, "1-1": -5.0}))
    assert (best.verdict, worst.verdict) == ("6-6", "1-1")
    assert "+9.00 pins" in best.sentence
    assert "-5.00 pins" in worst.sentence
    frame = pd.DataFrame(
        {
            "card": ["A", "B"],
            "worth": [0.08, 0.01],
            "you_win_without": [0.42, 0.49],
            "rounds": [20.0, 20.0],
            "rounds_without": [21.0, 17.5],
        }
    )
    most, least = verdicts.cards(frame)
    assert (most.verdict, least.verdict) == ("A", "B")
    assert "42.0 %" in most.sentence
    longest = verdicts.card_length(frame)
    assert (longest.verdict, longest.estimate.value) == ("B", 2.5)
    assert "makes two-player games longer, 20.00 rounds instead of 17.50" in longest.sentence
    alike = frame.assign(worth=0.05, rounds_without=[21.0, 19.0])
    assert [claim.verdict for claim in (*verdicts.cards(alike), verdicts.card_length(alike))] == ["tied"] * 3


def test_doubles_that_pay_are_named_each():
    throws = pd.DataFrame(
        {
            "players": 2,
            "throw": ["1-1", "2-2", "3-3"],
            "card": ["a", "b", "c"],
            "sum": [2, 4, 6],
            "net_pins": [-1.0, 0.5, -0.1],
        }
    )
    claim = verdicts.doubles(throws)
    assert claim.sentence == "The doubles that gain pins on average are 2-2."
    assert verdicts.doubles(throws.assign(net_pins=-1.0)).verdict == "none"


def test_readings_by_hand():
    frame = pd.DataFrame(
        {
            "players": 3,
            "rule": ["(as set)", "shortage", "double_replaces_plain"],
            "reading": ["", "one_each", "false"],
            "change": [0.0, 0.0031, -0.383],
        }
    )
    claim = verdicts.readings(frame)
    assert claim.verdict == "double_replaces_plain=false"
    assert claim.sentence == (
        "Adding a card's amount to the difference shortens three-player games by 38.3 %, more than any other reading. The others "
        "change the length by at most 0.4 %."
    )
    assert verdicts.readings(frame.assign(change=[0, 0.0001, 0.0])).verdict == "none"
    assert verdicts.readings(frame.assign(change=[0, 0.2, -0.2])).verdict == "tied"


@pytest.mark.parametrize(("percent", "told"), [(0.31, "0.4"), (0.3, "0.3"), (0.0, "0.0"), (12.01, "12.1")])
def test_at_most_is_never_rounded_down(percent, told):
    assert verdicts.ceiling(percent) == told


def test_other_winners_are_told_beside_what_luck_would_change():
    frame = pd.DataFrame(
        {
            "rule": ["(as set)", "doubles_collect"],
            "reading": ["", "highest_only"],
            "other_winners": [0.0, 0.11],
            "redealt": [0.75, 0.7501],
        }
    )
    told = verdicts.other_winners(Table("t", "T", frame, tuple(Column(name) for name in frame)))
    assert "collect on a double: 11.0 %" in told
    assert told.endswith("Fresh dice alone would change the winner in 75 %.")
    assert np.isfinite(frame["redealt"]).all()
