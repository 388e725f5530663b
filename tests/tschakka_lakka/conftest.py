"""A scripted player, and one turn in a prepared temple."""

from dataclasses import replace

import pytest

from sims.engine.dice import LoadedDice
from sims.tschakka_lakka import events
from sims.tschakka_lakka.reference import Offer, play
from sims.tschakka_lakka.rules import COLOURS, LETTERS, Rules, Treasure

FACES = LETTERS + "*S"


class Script:
    """Says what a test tells it to say."""

    def __init__(self, places, offers):
        self.places, self.offers = list(places), list(offers)
        self.seen = []

    def place(self, turn):
        self.seen.append(turn.game.places())
        return self.places.pop(0)

    def offer(self, turn):
        self.seen.append((turn.reach(), turn.targets(), turn.dice))
        return Offer(*self.offers.pop(0))


def treasure(token):
    return Treasure(COLOURS[LETTERS.index(token[0])], int(token[1]))


def temple(text):
    """``"(3,4) B2  (4,3) G1"`` as an arrangement."""
    words = text.split()
    return {
        tuple(map(int, at[1:-1].split(","))): treasure(token) for at, token in zip(words[::2], words[1::2], strict=True)
    }


@pytest.fixture
def script():
    return Script


@pytest.fixture
def some_temple():
    return temple


@pytest.fixture
def game():
    """Play a prepared temple: ``game(text, throws, *(places, offers) of every seat)``."""

    def run(text, throws, *seats, **changes):
        players = [Script(*seat) for seat in seats]
        dice = LoadedDice([[FACES.index(letter) + 1 for letter in throw] for throw in throws.split()])
        rules = replace(Rules(), **({"end_gems": 0} | changes))
        found, playing = [], play(rules, players, dice, temple(text))
        try:
            while True:
                found.append(next(playing))
        except StopIteration as end:
            return found, end.value, players

    return run


@pytest.fixture
def turn(game):
    """The events of seat 0's first turn, and the player; the second seat is not asked."""

    def run(text, throws, place, offers, **changes):
        found, record, players = game(text, throws, ([place], offers), ([], []), **({"max_turns": 1} | changes))
        around = events.TempleShown | events.Unfinished | events.LastRound
        first = [event for event in found if not isinstance(event, around)]
        return first, record, players[0]

    return run
