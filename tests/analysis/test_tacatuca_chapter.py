"""The numbers of Tacatuca's balance sheet and report against derivations, brute force and hand-made records."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

import sims
from analysis.chapter import Study
from analysis.chapters.tacatuca import answers, balance, odds, report
from sims.tacatuca import duel, exact, tables
from sims.tacatuca.rules import Rules


@pytest.fixture
def study():
    game = sims.game("tacatuca")
    return Study(game, game.variant(), game.lineup(), None, 2000, 1)


def king_only():
    rules = Rules()
    return Rules(pins=2, cards=tuple(card for card in rules.cards if card.name == "King"))


def duel_by_fractions(mine_has_text):
    """Chance of the first of two players with 2 pins each, King the only card, solved by hand-written elimination."""

    def asks(taker, giver, text):
        difference = sum(taker) - sum(giver)
        if text and taker == (6, 6) and giver != (6, 6):
            return difference + (2 if giver[0] == giver[1] else 5)
        return max(difference, 0)

    throws = list(product(range(1, 7), repeat=2))
    step = {state: [Fraction(0)] * 5 for state in (1, 2, 3)}
    for mine, yours in product(throws, repeat=2):
        gain = asks(mine, yours, mine_has_text) - asks(yours, mine, True)
        for state in step:
            step[state][min(4, max(0, state + gain))] += Fraction(1, 36**2)
    # value = P value + P(4): three unknowns, eliminated in order
    rows = [[Fraction(i == j) - step[i][j] for j in (1, 2, 3)] + [step[i][4]] for i in (1, 2, 3)]
    for pivot in range(3):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for other in range(3):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[pivot], strict=True)]
    return float(rows[1][3])


@pytest.mark.parametrize("mine_has_text", [True, False])
def test_what_the_king_is_worth_to_its_owner(mine_has_text):
    rules = king_only()
    net = duel.net_pins(rules) if mine_has_text else duel.net_without_my_card(rules, "King")
    assert duel.solve(net, 2, 4, 10_000).win == pytest.approx(duel_by_fractions(mine_has_text), abs=1e-12)


def test_cards_table_is_about_the_standard_duel(study):
    frame = balance.cards(study).frame.set_index("card")
    assert frame["rounds"].to_numpy() == pytest.approx(exact.solve(Rules(), (20, 20)).rounds_mean)
    assert frame["you_win_without"].to_numpy() + frame["worth"].to_numpy() == pytest.approx(0.5)
    nobody = exact.solve(Rules().without_card("King"), (20, 20)).rounds_mean
    assert frame.loc["King", "rounds_without"] == pytest.approx(nobody)


def test_tension_of_unfinished_games_is_about_the_finished_ones(study):
    played = study.play("", variant=study.variant.changed(max_rounds=40), lineup=study.game.lineup((), 2), records=True)
    found = {measure.name: measure.find(played) for measure in balance.measures(study)}
    frame = pd.DataFrame(played.records, columns=list(played.columns))
    closed = frame[frame["unfinished"] == 0]
    assert 0 < len(closed) < len(frame)
    assert found["comeback"].value == pytest.approx(closed["comeback"].mean())
    assert found["comeback_half"].value == pytest.approx((closed["comeback"] <= 10).mean())
    assert found["decisive"].value == pytest.approx((closed["leads_since"] / closed["rounds"]).mean())
    assert found["completion"].value == pytest.approx(len(closed) / len(frame))


def test_two_players_never_feel_the_shortage_rulings(study):
    frame = balance.effects(study).frame
    two = frame[(frame["players"] == 2) & (frame["rule"] == "shortage")]
    assert two["change"].to_numpy() == pytest.approx([0, 0], abs=1e-12)
    added = frame[frame["rule"] == "double_replaces_plain"]
    assert (added["change"] < -0.2).all(), "more pins move, so games are shorter"


def test_the_chance_with_half_of_the_pins_is_that_of_the_solver(study):
    assert balance.poor_chance(study, Rules(), 2) == pytest.approx(exact.solve(Rules(), (10, 30)).win[0])
    assert balance.poor_chance(study, Rules(), 3) == pytest.approx(exact.solve(Rules(), (10, 25, 25)).win[0])


def test_win_curves_hold_only_divisions_in_which_the_others_hold_alike():
    curve = report.win_curve(exact.win_table(Rules(), 3, 12))
    assert curve["pins"].tolist() == [2, 4, 6, 8, 10]
    assert curve["others"].tolist() == [5, 4, 3, 2, 1]
    assert curve["above"].to_numpy() == pytest.approx(100 * (curve["win"] - curve["pins"] / 12))


def test_known_answers_are_those_of_the_games_that_are_played(study):
    limited = Study(study.game, study.game.variant("tiny", {"max_rounds": 2}), study.lineup, None, 4000, 1)
    found = {check.name: check for check in answers.checks(limited)}
    assert all(check.passed for check in found.values())
    assert 0.05 < found["2 players: cut off by max_rounds"].expected < 0.9


@pytest.mark.parametrize(("pins", "players"), [(20, [2, 3, 4]), (30, [2, 3]), (100, [2]), (1000, [])])
def test_what_is_too_large_to_solve_is_left_out(pins, players):
    assert odds.solvable(pins) == players


def test_a_page_about_games_that_are_cut_off_says_so(study):
    variant = study.game.variant("tiny", {"max_rounds": 3})
    page = report.page(Study(study.game, variant, study.lineup, None, 1000, 1))
    assert any("cut off after 3 rounds" in str(sentence) for sentence in page.length.sentences)


def test_suspense_and_surprise_of_a_game_that_can_be_followed_by_hand():
    """Two pins, a fair coin for one of them: from 1 pin each the game ends in the first round, from 1/2 to 0 or 1."""
    coin = np.where(np.arange(21)[:, None] > np.arange(21)[None, :], 1, np.where(np.eye(21, dtype=bool), 0, -1))
    weights = np.outer(tables.WAYS, tables.WAYS) / 36**2
    still = float((weights * np.eye(21)).sum())
    found = duel.drama(coin, 1, 2)
    # a round without a transfer changes nothing: on average 1 / (1 - still) rounds until the one that decides
    moves = 1 - still
    assert found.swings == pytest.approx(0.25)
    assert found.surprise == pytest.approx(0.5)
    assert found.suspense == pytest.approx(np.sqrt(0.25 * moves) / moves)


@pytest.mark.parametrize(("pins", "total"), [(20, 40), (5, 40), (3, 7)])
def test_squared_swings_add_up_to_p_times_one_minus_p(pins, total):
    net = duel.net_pins(Rules())
    win = duel.solve(net, pins, total, 10_000).win
    found = duel.drama(net, pins, total)
    assert found.swings == pytest.approx(win * (1 - win))
    # a change of at most 1 squared is at most its size; the mean size of a change at most its standard deviation
    assert found.swings < found.surprise < found.suspense


def test_suspense_is_told_only_where_the_limit_of_rounds_is_not_felt():
    game = sims.game("tacatuca")

    def metrics(**changes):
        return balance.balance(Study(game, game.variant("tiny", changes), game.lineup((), 2), 2, 10, 1)).metrics

    assert "suspense_2" in metrics()
    assert metrics()["swings_2"].number == pytest.approx(0.25)
    assert "suspense_2" not in metrics(max_rounds=3)
