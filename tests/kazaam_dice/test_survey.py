"""The survey before every turn against the readable game: distances, useful rolls and connections counted by hand."""

from itertools import product

import numpy as np
import pytest

from sims.engine.dice import SeededDice
from sims.kazaam_dice import GAME
from sims.kazaam_dice.players import RosterPlayer
from sims.kazaam_dice.reference import replay
from sims.kazaam_dice.rules import OTHER
from sims.kazaam_dice.survey import survey


class Watcher(RosterPlayer):
    """Plays as the roster does and notes each turn's position when its first throw is to be used."""

    def __init__(self, chosen, seen):
        super().__init__(chosen)
        self.seen = seen

    def use(self, state, moves, coin):
        if state.throws == 1:
            self.seen.setdefault(state.round * state.players + state.seat, state.copy())
        return super().use(state, moves, coin)


def useful(state):
    """How many unequal rolls and how many doubles offer a use that leaves a smaller distance."""
    before, counts = state.distance(state.seat), [0, 0]
    for roll in product(range(1, 7), repeat=2):
        for move in state.uses(roll):
            after = state.copy()
            after.apply(move)
            if after.distance(state.seat) < before:
                counts[roll[0] == roll[1]] += 1
                break
    return counts


@pytest.mark.parametrize(("name", "players", "changes"), [
    ("duel", 2, {}),
    ("duel", 2, {"chain_ends": "beside", "double_placing": "any", "fire_water": "no_suicide"}),
    ("small", 3, {"favourites": "on_target"}),
])  # fmt: skip
def test_every_turn_is_seen_as_the_readable_game_sees_it(name, players, changes):
    rules = GAME.variant(name, changes).rules
    lineup = GAME.lineup(["balanced"], players)
    found = survey(rules, lineup, 2, 5, len(GAME.columns(players)))
    for game in range(2):
        seen = {}
        record = exhaust(replay(rules, [Watcher(chosen, seen) for chosen in lineup], SeededDice(5, game)))
        assert found.records[game].tolist() == [record[column] for column in GAME.columns(players)]
        turns = found.turns[found.turns[:, 0] == game]
        assert turns[:, 1].tolist() == list(range(record["turns"]))
        for turn in list(seen)[-8:]:
            state = seen[turn]
            row = turns[turn]
            assert row[2] == state.seat
            assert row[3:5].tolist() == useful(state)
            assert row[5 : 5 + players].tolist() == [state.distance(seat) for seat in range(players)]
            assert (row[5 + players :] == -1).all()


def test_joined_seats_are_those_that_score_for_a_connection():
    rules = GAME.variant("duel").rules
    found = survey(rules, GAME.lineup(["random"], 2), 300, 1, len(GAME.columns(2)))
    column = dict(zip(GAME.columns(2), found.records.T, strict=True))
    paid = [(column[f"points_own_{seat}"] + column[f"points_other_{seat}"] > 0) << (seat - 1) for seat in (1, 2)]
    assert (found.joined == np.sum(paid, axis=0)).all()
    assert {0, 1, 2} <= set(found.joined)
    assert (found.joined[column["end"] > OTHER] == 0).all()


def exhaust(playthrough):
    """The record of a game played to its end."""
    while True:
        try:
            next(playthrough)
        except StopIteration as end:
            return end.value
