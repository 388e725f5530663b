"""Whole tiny games solved: against value iteration written plainly here, and against games played by the reference."""

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import encode
from sims.kazaam_dice import GAME, whole
from sims.kazaam_dice.reference import replay
from sims.kazaam_dice.rules import LAST_DIE, OWN, PASSES, TURNS, Rules
from sims.kazaam_dice.state import Place, State
from sims.kazaam_dice.whole import Whole

#: Three by three without chips, three dice, chains that end beside: for one, and for two.
LONE = Rules(board=str(Path(__file__).parent / "boards" / "lone.toml"), supply=3, chain_ends="beside")
PAIR = GAME.variant("pair").rules

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
    # so many passes in a row do not happen, so the guard never ends a game
    return Rules(board=str(path), supply=3, chain_ends="beside", max_passes=200)


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
    assert solved.uniform.ends == pytest.approx([owns, 0, 0, 1 - owns, 0, 0], abs=1e-7)
    assert solved.uniform.points == pytest.approx([5 * owns + 3 * (1 - owns)], abs=1e-7)
    assert solved.uniform.turns == pytest.approx(plainly(tiniest, mean, lambda end: 0.0, 1.0)[0], abs=1e-6)


def test_uniform_play_is_kept_and_read_again(tiniest, tmp_path, monkeypatch):
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    solved = Whole(tiniest, 1).uniform
    for _ in range(2):
        found = whole.uniform_play(tiniest, 1)
        assert found.ends.tolist() == solved.ends.tolist()
        assert (found.turns, found.points.tolist()) == (solved.turns, solved.points.tolist())
        # the second time nothing is solved
        monkeypatch.setattr(whole, "Whole", None)
    monkeypatch.undo()
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    longer = whole.uniform_play(replace(tiniest, max_passes=tiniest.max_passes + 1, max_turns=1), 1)
    assert longer.turns == 1.0


def test_best_play_is_what_plain_loops_find(tiniest):
    points = {OWN: 5.0, LAST_DIE: 3.0}
    best, _ = plainly(tiniest, max, points.__getitem__, 0.0)
    assert Whole(tiniest, 1).best == pytest.approx(best, abs=1e-7)
    assert best > Whole(tiniest, 1).uniform.points[0]


def follow(state, known):
    """For each of the 36 rolls, what each use leads to: an end, or a position."""
    if key(state) not in known:
        known[key(state)] = rolls = []
        for roll in itertools.product(range(1, 7), repeat=2):
            rolls.append(outcomes := [])
            for move in state.uses(roll):
                after = state.copy()
                after.apply(move)
                last = isinstance(move, Place) and after.supply == 1
                outcomes.append(LAST_DIE if last else OWN if after.connected() else after)
    return known[key(state)]


def with_guards(rules, pick, worth_of_end, each_turn, known):
    """The worth of a game in plain recursion that counts turns and passes in a row, as the guards do."""
    found = {}

    def worth(state, turns, passed):
        at = key(state), turns, passed
        if at not in found:
            rolls = follow(state, known)
            found[at] = each_turn + sum(best_of(state, outcomes, turns + 1, passed) for outcomes in rolls) / 36
        return found[at]

    def best_of(state, outcomes, turns, passed):
        if not outcomes:
            if passed + 1 == rules.max_passes:
                return worth_of_end(PASSES)
            return worth_of_end(TURNS) if turns == rules.max_turns else worth(state, turns, passed + 1)
        return pick([
            worth_of_end(after) if isinstance(after, int)
            else worth_of_end(TURNS) if turns == rules.max_turns else worth(after, turns, 0)
            for after in outcomes
        ])  # fmt: skip

    return worth(State.start(rules, 1), 0, 0)


@pytest.mark.parametrize(("max_passes", "max_turns"), [(1, 4), (2, 4), (10, 1), (10, 3)])
def test_the_guards_cut_whole_games_off_as_they_do_at_the_table(tiniest, max_passes, max_turns):
    rules = replace(tiniest, max_passes=max_passes, max_turns=max_turns)
    solved = Whole(rules, 1)
    known = {}
    ends = [with_guards(rules, mean, lambda end, n=n: float(end == n), 0.0, known) for n in range(6)]
    assert sum(ends) == pytest.approx(1)
    assert solved.uniform.ends == pytest.approx(ends, abs=1e-9)
    assert solved.uniform.points == pytest.approx([5 * ends[OWN] + 3 * ends[LAST_DIE]], abs=1e-9)
    assert solved.uniform.turns == pytest.approx(with_guards(rules, mean, lambda end: 0.0, 1.0, known), abs=1e-9)
    points = {OWN: 5.0, LAST_DIE: 3.0, PASSES: 0.0, TURNS: 0.0}
    assert solved.best == pytest.approx(with_guards(rules, max, points.__getitem__, 0.0, known), abs=1e-9)


def test_what_cannot_be_solved_whole_gets_one_clear_line(tiniest, monkeypatch):
    with pytest.raises(InputError, match="board: duel has chips; whole games are solved on boards without"):
        Whole(Rules(board="duel", supply=3), 2)
    monkeypatch.setattr(whole, "LIMIT", 10)
    with pytest.raises(InputError, match="supply: 3 dice make more than 10 positions; fewer can be solved"):
        Whole(tiniest, 1)
    monkeypatch.undo()
    many = Whole(tiniest, 1).positions
    monkeypatch.setattr(whole, "PASSED_LIMIT", 7 * many)
    Whole(replace(tiniest, max_passes=7), 1)
    with pytest.raises(InputError, match="max_passes: 8 is too large for whole games; at most 7 here"):
        Whole(replace(tiniest, max_passes=8), 1)


# -- against games that are played -----------------------------------------------------------------------------


class Best:
    """Makes the move with the largest solved worth."""

    def __init__(self, solved):
        self.solved = solved

    def use(self, state, moves, coin):
        worths = [self.solved.worth(state, move) for move in moves]
        return worths.index(max(worths))


@pytest.fixture(scope="module", params=[(LONE, 1), (PAIR, 2)], ids=["lone", "pair"])
def solved(request):
    rules, players = request.param
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
    # what never happened may have a chance that rounding leaves
    return abs(centre - expected) <= 4 * error + 1e-12


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
        assert abs(values.mean() - mean) <= 4 * values.std() / math.sqrt(games) + 1e-12


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
