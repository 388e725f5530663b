"""Positions met in play are those of whole games, and what is said of them is what the solver says."""

import numpy as np
import pytest

from sims import game
from sims.engine.batch import run
from sims.engine.dice import SeededDice
from sims.engine.game import encode
from sims.tschakka_lakka import board, exact, layout, samples, survey
from sims.tschakka_lakka.events import Offered, Placed, Rolled, TempleShown
from sims.tschakka_lakka.position import Position
from sims.tschakka_lakka.rules import COLOURS, Rules
from sims.tschakka_lakka.tables import build_tables

GAME = game("tschakka-lakka")
EXACTLY = np.full(8, -1)
SMALL = GAME.variant("small-4x4")


def whole_games(variant, policy, players, games, seed):
    """Records of games in which all seats play one policy, summed over the seats."""
    batch = run(GAME, variant, GAME.lineup([policy], players), games, seed, records=True)
    columns = {name: batch.records[:, i].astype(int) for i, name in enumerate(batch.columns)}

    def total(name):
        return sum(columns[f"{name}_{seat + 1}"] for seat in range(players))

    return columns["turns"], total("score") - total("majority"), total("busts")


def by_game(games, turns, values):
    return np.bincount(turns.astype(int), weights=values, minlength=games)


#: The first round is the last one; a game is cut off.
ENDINGS = [(GAME.variant("small-4x4", {"end_gems": 3}), 3), (GAME.variant("small-4x4", {"max_turns": 5}), 2)]


@pytest.mark.parametrize(
    ("variant", "players"), [(GAME.variant(), 4), (SMALL, 2), (GAME.variant("tiny-3x3"), 3), *ENDINGS]
)
def test_surveyed_turns_are_those_of_games_by_the_optimal_policy(variant, players):
    games, seed = 6, 11
    decisions, turns = np.empty((5000, len(survey.DECISION_COLUMNS))), np.empty((1000, len(survey.TURN_COLUMNS)))
    tables = build_tables(variant.rules, players)
    _, turned = survey.survey(tables, players, EXACTLY, seed, 0, games, decisions, turns)
    number, _, points, bust = turns[:turned].T
    taken, collected, busts = whole_games(variant, "optimal", players, games, seed)
    # in an emptied temple a seat only passes, which is no turn here
    passed = taken - by_game(games, number, np.ones(turned))
    assert ((passed >= 0) & (passed < players)).all()
    assert by_game(games, number, points).tolist() == collected.tolist()
    assert by_game(games, number, bust).tolist() == busts.tolist()


@pytest.mark.parametrize(("variant", "players"), [(GAME.variant(), 2), (SMALL, 3)])
def test_decisions_are_those_of_the_same_games_told_by_the_reference(variant, players):
    games, seed = 4, 13
    decisions, turns = np.empty((2000, len(survey.DECISION_COLUMNS))), np.empty((500, len(survey.TURN_COLUMNS)))
    decided, _ = survey.survey(build_tables(variant.rules, players), players, EXACTLY, seed, 0, games, decisions, turns)
    told = []
    for number in range(games):
        temple, raccoon, released, dice, skulls = {}, None, set(), 0, 0
        for event in GAME.replay(variant.rules, GAME.lineup(["optimal"], players), SeededDice(seed, number)):
            match event:
                case TempleShown():
                    temple = dict(event.treasures)
                case Placed():
                    raccoon, released, skulls = event.square, set(), 0
                case Rolled():
                    dice = sum(face != 6 for face in event.faces)
                    skulls += len(event.faces) - dice
                case Offered():
                    dice -= event.dice
                    released |= set() if event.missing else {event.chamber}
                    near = [
                        treasure.colour
                        for (row, column), treasure in temple.items()
                        if (row, column) not in released
                        and any(abs(row - i) + abs(column - j) == 1 for i, j in {raccoon, *released})
                    ]
                    if dice:
                        told.append([number, dice, skulls, len(set(near))])
    assert decisions[:decided, :4].tolist() == told
    assert {colours for *_, colours in told} >= {1, 2, 3}


def test_an_optimal_turn_stops_exactly_where_rolling_brings_no_more():
    decisions, turns = np.empty((2000, len(survey.DECISION_COLUMNS))), np.empty((500, len(survey.TURN_COLUMNS)))
    decided, turned = survey.survey(build_tables(Rules(), 4), 4, EXACTLY, 3, 0, 8, decisions, turns)
    *_, stake, roll = decisions[:decided].T
    stops = stake[roll <= stake + 1e-9]
    # every stop with dice left is a decision, in the order of the turns; other turns end in a bust or without dice
    collected = iter(turns[:turned, 2].tolist())
    assert len(stops) > 20
    assert all(stop in collected for stop in stops.tolist())


def test_a_stop_rule_is_followed_and_costs_what_its_decisions_cost():
    limits = np.array([-1, 2, 3, 5, -1, -1, -1, -1])
    decisions, turns = np.empty((60_000, len(survey.DECISION_COLUMNS))), np.empty((20_000, len(survey.TURN_COLUMNS)))
    decided, turned = survey.survey(build_tables(SMALL.rules, 2), 2, limits, 3, 0, 600, decisions, turns)
    game, dice, _, reach, stake, roll = decisions[:decided].T
    limit = limits[dice.astype(int)]
    on = np.where(limit < 0, roll > stake + 1e-9, (stake < limit) & (reach > 0))
    # whoever decides wrongly loses the difference, everybody else is as lucky as the value says, on average
    lost = np.maximum(roll, stake) - np.where(on, roll, stake)
    assert lost.sum() > 50
    number, value, points, _ = turns[:turned].T
    surplus = by_game(600, number, points - value) + by_game(600, game, lost)
    assert abs(surplus.mean()) < 4 * surplus.std() / 600**0.5


def test_too_few_rows_are_told():
    small = build_tables(SMALL.rules, 2)
    decisions, turns = np.empty((500, len(survey.DECISION_COLUMNS))), np.empty((2, len(survey.TURN_COLUMNS)))
    assert survey.survey(small, 2, EXACTLY, 1, 0, 5, decisions, turns) == (-1, -1)
    lineup = encode(GAME.lineup(["timid"], 2)[:1])
    assert survey.contest(small, lineup, 2, 1, 0, 5, np.empty((2, 3), np.int64)) == -1


def test_samples_find_room_for_every_row(monkeypatch):
    tables, contenders = build_tables(SMALL.rules, 2), GAME.lineup(["timid", "odds"], 2)
    whole = samples.decisions(tables, 2, EXACTLY, 1, 3, 5), samples.contest(tables, 2, contenders, 1, 3, 5)
    # games 3 to 7, told apart; and the same where a single row is tried first
    assert sorted(set(whole[0][1][:, 0])) == sorted(set(whole[1][:, 0])) == [3, 4, 5, 6, 7]
    monkeypatch.setattr(samples, "TURNS", 1)
    monkeypatch.setattr(samples, "DECISIONS", 1)
    again = samples.decisions(tables, 2, EXACTLY, 1, 3, 5), samples.contest(tables, 2, contenders, 1, 3, 5)
    for one, other in zip((*whole[0], whole[1]), (*again[0], again[1]), strict=True):
        assert one.tolist() == other.tolist()


def test_what_lies_beside_is_told_by_size_and_colours():
    # a large blue and a small red treasure; two medium yellow ones; nothing
    around = np.array([[[3, 13, 0, 0], [6, 6, 0, 0], [0, 0, 0, 0]]])
    sizes, colours = samples.beside(around)
    assert sizes.tolist() == [[[0, 0, 1, 3], [0, 0, 2, 2], [0, 0, 0, 0]]]
    assert colours.tolist() == [[2, 1, 0]]


@pytest.mark.parametrize("policy", ["timid", "hold:points=3", "optimal"])
def test_the_first_contender_plays_the_games(policy):
    games, seed, players = 6, 5, 3
    lineup = encode([GAME.lineup([name], 2)[0] for name in (policy, "odds", policy)])
    turns = np.empty((2000, 1 + 2 * len(lineup)), np.int64)
    used = survey.contest(build_tables(SMALL.rules, players), lineup, players, seed, 0, games, turns)
    number, points, bust, *_, points_again, bust_again = turns[:used].T
    _, collected, busts = whole_games(SMALL, policy, players, games, seed)
    assert by_game(games, number, points).tolist() == collected.tolist()
    assert by_game(games, number, bust).tolist() == busts.tolist()
    # the same policy does the same from the same position on the same dice
    assert points.tolist() == points_again.tolist()
    assert bust.tolist() == bust_again.tolist()


@pytest.mark.parametrize("name", ["standard", "small-4x4", "tiny-2x2"])
def test_openings_are_solved_positions_of_the_temples_that_the_reference_draws(name):
    rules, seed = GAME.variant(name).rules, 9
    plan = board.load(rules.board)
    values = np.empty((3, len(plan.entrances)))
    around = np.empty((3, len(plan.entrances), 4), np.int64)
    survey.openings(build_tables(rules, 2), seed, 20, values, around)
    for temple in range(3):
        drawn = layout.draw(rules, SeededDice(seed, 20 + temple))
        treasures = {at: (COLOURS.index(drawn[at].colour), drawn[at].size) for at in plan.chambers}
        for entrance, at in enumerate(plan.entrances):
            solved = exact.solve(Position(rules, treasures, plan.gems, at, rules.dice, {}, None))
            assert values[temple, entrance] == pytest.approx(solved["value"], abs=1e-9)
            beside = [4 * treasures[chamber][0] + treasures[chamber][1] for chamber in plan.neighbours(at)]
            assert around[temple, entrance].tolist() == beside + [0] * (4 - len(beside))
