"""Whole tiny games solved: against value iteration written plainly here, and against games played by the reference."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from sims.engine import variant
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import encode
from sims.kazaam_dice import GAME, whole
from sims.kazaam_dice import rules as rules_module
from sims.kazaam_dice.reference import replay
from sims.kazaam_dice.rules import LAST_DIE, OWN, Rules
from sims.kazaam_dice.state import Place, State
from sims.kazaam_dice.whole import Whole

FOLDER = Path(rules_module.__file__).parent

#: One die beside both ends connects; Ambrosius stands on one of the two fields for it.
TINIEST = '''
title = "Two by two"
seating = [[1]]
map = """
A1 .
M  T1
"""
creatures = """
1 2
M 3
"""
'''


@pytest.fixture
def tiniest(tmp_path):
    path = tmp_path / "tiniest.toml"
    path.write_text(TINIEST, encoding="utf-8")
    return Rules(board=str(path), supply=3, chain_ends="beside")


def key(state):
    return frozenset(state.dice.items()), state.ambrosius, state.obstacle


def plainly(rules, pick, worth_of_end, each_turn):
    """Value iteration in plain loops: ``pick`` is max, or the mean, over the uses of each of the 36 rolls."""
    start = State.start(rules, 1)
    states, follow = {key(start): start}, {}
    for state in (listed := [start]):
        follow[key(state)] = rolls = []
        for roll in itertools.product(range(1, 7), repeat=2):
            outcomes = []
            for move in state.uses(roll):
                after = state.copy()
                after.apply(move)
                if isinstance(move, Place) and after.supply == 1:
                    outcomes.append(worth_of_end(LAST_DIE))
                elif after.connected():
                    outcomes.append(worth_of_end(OWN))
                else:
                    outcomes.append(key(after))
                    if key(after) not in states:
                        states[key(after)] = after
                        listed.append(after)
            rolls.append(outcomes or [key(state)])
    values = dict.fromkeys(states, 0.0)
    while True:
        new = {
            place: each_turn
            + sum(pick([o if isinstance(o, float) else values[o] for o in roll]) for roll in follow[place]) / 36
            for place in states
        }
        if max(abs(new[place] - values[place]) for place in states) < 1e-9:
            return new[key(start)], len(states)
        values = new


def mean(values):
    return sum(values) / len(values)


def test_uniform_play_is_what_plain_loops_find(tiniest):
    solved = Whole(tiniest, 1)
    owns, positions = plainly(tiniest, mean, lambda end: float(end == OWN), 0.0)
    assert solved.positions == positions
    assert solved.uniform.ends == pytest.approx([owns, 0, 0, 1 - owns], abs=1e-7)
    assert solved.uniform.points == pytest.approx([5 * owns + 3 * (1 - owns)], abs=1e-7)
    assert solved.uniform.turns == pytest.approx(plainly(tiniest, mean, lambda end: 0.0, 1.0)[0], abs=1e-6)


def test_best_play_is_what_plain_loops_find(tiniest):
    points = {OWN: 5.0, LAST_DIE: 3.0}
    best, _ = plainly(tiniest, max, points.__getitem__, 0.0)
    assert Whole(tiniest, 1).best == pytest.approx(best, abs=1e-7)
    assert best > Whole(tiniest, 1).uniform.points[0]


def test_what_cannot_be_solved_whole_gets_one_clear_line(tiniest, monkeypatch):
    with pytest.raises(InputError, match="board: duel has chips; whole games are solved on boards without"):
        Whole(Rules(board="duel", supply=3), 2)
    monkeypatch.setattr(whole, "LIMIT", 10)
    with pytest.raises(InputError, match="supply: 3 dice make more than 10 positions; fewer can be solved"):
        Whole(tiniest, 1)


# -- against games that are played -----------------------------------------------------------------------------


class Best:
    """Makes the move with the largest solved worth."""

    def __init__(self, solved):
        self.solved = solved

    def use(self, state, moves, coin):
        worths = [self.solved.worth(state, move) for move in moves]
        return worths.index(max(worths))


@pytest.fixture(scope="module", params=[("lone", 1), ("pair", 2)], ids=["lone", "pair"])
def solved(request):
    name, players = request.param
    rules = variant.load(FOLDER, Rules, name).rules
    return rules, players, Whole(rules, players)


def records(rules, players, games):
    for game in range(games):
        playthrough = replay(rules, players, SeededDice(11, game))
        while True:
            try:
                next(playthrough)
            except StopIteration as end:
                yield end.value
                break


def agree(values, expected):
    """Whether a sample's mean lies within four standard errors."""
    centre = mean(values)
    error = math.sqrt(mean([(value - centre) ** 2 for value in values]) / len(values))
    return abs(centre - expected) <= 4 * error


@pytest.mark.slow
def test_random_games_agree_with_uniform_play(solved, coin_player):
    rules, players, exact = solved
    played = list(records(rules, [coin_player] * players, 4000))
    assert not any(record["unfinished"] for record in played)
    for end, share in enumerate(exact.uniform.ends):
        assert agree([record["end"] == end for record in played], share)
    for seat in range(players):
        assert agree([record[f"score_{seat + 1}"] for record in played], exact.uniform.points[seat])
    assert agree([record["turns"] for record in played], exact.uniform.turns)


@pytest.mark.slow
def test_random_games_of_the_kernel_agree_with_uniform_play(solved):
    rules, players, exact = solved
    lineup, games = [GAME.policy("random")] * players, 200_000
    out = np.empty((games, len(GAME.columns(players))), np.int32)
    GAME.play_games(GAME.build_tables(rules, players), encode(lineup), 5, 0, out)
    column = {name: out[:, i].astype(float) for i, name in enumerate(GAME.columns(players))}
    assert not column["unfinished"].any()
    expected = [(column["end"] == end, share) for end, share in enumerate(exact.uniform.ends)]
    expected += [(column[f"score_{seat + 1}"], points) for seat, points in enumerate(exact.uniform.points)]
    for values, mean in [*expected, (column["turns"], exact.uniform.turns)]:
        assert abs(values.mean() - mean) <= 4 * values.std() / math.sqrt(games)


@pytest.mark.slow
def test_games_played_best_by_both_agree_with_the_solved_margin(solved):
    rules, players, exact = solved
    played = list(records(rules, [Best(exact)] * players, 1000))
    margins = [record["score_1"] - (record["score_2"] if players == 2 else 0) for record in played]
    assert agree(margins, exact.best)


@pytest.mark.slow
def test_best_play_earns_more_than_it_promises_against_a_random_player(solved, coin_player):
    rules, players, exact = solved
    if players == 2:
        played = list(records(rules, [Best(exact), coin_player], 500))
        margins = [record["score_1"] - record["score_2"] for record in played]
        assert mean(margins) > exact.best
