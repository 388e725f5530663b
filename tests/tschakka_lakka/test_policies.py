"""Policies: each does what its line says, on positions met in play, and the counted odds are those of all throws."""

from itertools import product

import pytest

import sims
from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.tschakka_lakka import reference
from sims.tschakka_lakka.players import RosterPlayer
from sims.tschakka_lakka.rules import COLOURS, RACCOON, SKULL
from sims.tschakka_lakka.tables import build_tables

GAME = sims.game("tschakka-lakka")


class Watched:
    """A policy of the roster whose answers are kept with what it saw."""

    def __init__(self, rules, lineup, seat, dice):
        self.policy = RosterPlayer(rules, lineup, seat, dice.key)
        self.places, self.offers = [], []

    def place(self, turn):
        answer = self.policy.place(turn)
        self.places.append((answer, turn.game.places(), beside(turn.game)))
        return answer

    def offer(self, turn):
        answer = self.policy.offer(turn)
        self.offers.append((answer, after(turn, answer)))
        return answer


def beside(game):
    """Colours beside every legal place, counted plainly."""
    return {
        place: len({game.treasures[n].colour for n in game.board.neighbours(place) if n in game.treasures})
        for place in game.places()
    }


def after(turn, answer):
    """What the table looks like once the dice are placed."""
    treasures = turn.game.treasures
    placed = dict(turn.placed)
    placed[answer.chamber] = placed.get(answer.chamber, 0) + answer.dice
    released = {at for at, dice in placed.items() if dice == treasures[at].size}
    near = {n for at in (turn.raccoon, *released) for n in turn.game.board.neighbours(at)}
    needs = {at: treasures[at].size - turn.placed.get(at, 0) for at in treasures}
    return {
        "choices": {at: (treasures[at].size, turn.most(at), needs[at]) for at in turn.targets()},
        "dice": turn.dice - answer.dice,
        "skulls": turn.skulls,
        "released": released,
        "stake": sum(treasures[at].size for at in released) + sum(map(turn.game.worth, turn.game.freed(released))),
        "reach": [
            (treasures[at].colour, treasures[at].size, treasures[at].size - placed.get(at, 0))
            for at in near
            if at in treasures and at not in released
        ],
    }


def watch(policy, games=6, name="standard", **changes):
    rules, lineup = GAME.variant(name, changes).rules, GAME.lineup([policy], 2)
    watched = []
    for game in range(games):
        dice = SeededDice(31, game)
        players = [Watched(rules, lineup, seat, dice) for seat in range(2)]
        for _ in reference.play(rules, players, dice):
            pass
        watched += players
    places = [place for player in watched for place in player.places]
    offers = [offer for player in watched for offer in player.offers]
    return places, offers


SIMPLE = ["timid", "hold:points=3", "dice:left=2", "odds"]


@pytest.mark.parametrize("policy", SIMPLE)
def test_simple_placing_is_beside_the_most_colours_first_in_reading_order(policy):
    for answer, legal, colours in watch(policy, games=2)[0]:
        most = max(colours.values())
        assert answer == min(place for place in legal if colours[place] == most)


@pytest.mark.parametrize("policy", SIMPLE)
def test_simple_choice_releases_the_largest_or_leaves_the_fewest_missing(policy):
    for answer, seen in watch(policy, games=3)[1]:
        # most dice, then what is missing after them; the larger treasure; the first in reading order
        def worth(at, choices=seen["choices"]):
            size, most, need = choices[at]
            return (need - most if need > most else 0, -size, at)

        assert answer.chamber == min(seen["choices"], key=worth)
        assert answer.dice == seen["choices"][answer.chamber][1]


def stops(policy, wanted, **arguments):
    """The policy stops exactly where ``wanted`` says, apart from the two common-sense cases."""
    decisions = [(answer, seen) for answer, seen in watch(policy, **arguments)[1] if seen["dice"] > 0]
    said = set()
    for answer, seen in decisions:
        expected = bool(seen["released"]) and (not seen["reach"] or wanted(seen))
        assert answer.stop == expected, seen
        said.add(expected)
    assert said == {True, False}


def test_timid_stops_as_soon_as_anything_is_released():
    stops("timid", lambda seen: True)


@pytest.mark.parametrize("points", [2, 5])
def test_hold_stops_with_so_many_points_at_stake(points):
    stops(f"hold:points={points}", lambda seen: seen["stake"] >= points)


@pytest.mark.parametrize("left", [1, 4])
def test_dice_stops_when_so_few_are_left(left):
    stops(f"dice:left={left}", lambda seen: seen["dice"] <= left)


def roll_brings(seen, limit):
    """Won and lost over all throws of the dice left, one more roll and then a stop: plain enumeration."""
    won = lost = 0
    for throw in product(range(1, 7), repeat=seen["dice"]):
        fitting = {colour: throw.count(face) + throw.count(RACCOON) for face, colour in enumerate(COLOURS, 1)}
        too_many = limit and seen["skulls"] + throw.count(SKULL) >= limit
        if too_many or not any(fitting[colour] for colour, _, _ in seen["reach"]):
            lost += seen["stake"]
        else:
            won += max([size for colour, size, need in seen["reach"] if fitting[colour] >= need], default=0)
    return won, lost


@pytest.mark.parametrize("limit", [0, 3])
def test_odds_rolls_where_one_more_roll_brings_more_than_it_risks(limit):
    def stop(seen):
        if seen["dice"] > 4:  # too many throws for a plain enumeration of every position
            return None
        won, lost = roll_brings(seen, limit)
        return won <= lost

    said = []
    for answer, seen in watch("odds", games=4, skull_limit=limit)[1]:
        expected = stop(seen) if seen["dice"] and seen["released"] and seen["reach"] else None
        if expected is not None:
            assert answer.stop == expected, seen
            said.append(expected)
    assert len(said) > 40
    assert set(said) == {True, False}


def test_misses_are_counted_over_all_throws():
    misses = build_tables(GAME.variant().rules, 2).rules[0]["misses"]
    for dice in range(5):
        throws = [[throw.count(face) for face in range(1, 7)] for throw in product(range(1, 7), repeat=dice)]
        for skulls in range(8):
            for needs in range(0, 256, 5):
                wanted = [needs >> 2 * colour & 3 for colour in range(4)]
                missed = sum(
                    counts[5] > skulls
                    or not any(need and counts[colour] + counts[4] >= need for colour, need in enumerate(wanted))
                    for counts in throws
                )
                assert misses[dice, skulls, needs] == missed


def test_busts_of_all_dice_are_the_closed_form():
    misses = build_tables(GAME.variant().rules, 2).rules[0]["misses"]
    for dice in range(1, 8):
        for colours, needs in enumerate((0, 1, 5, 21, 85)):
            # every die shows a skull or one of the other colours; without a colour in reach jokers fit nowhere
            assert misses[dice, 7, needs] == (6 if colours == 0 else 5 - colours) ** dice


# -- Traits


def test_random_takes_every_legal_choice_and_only_those():
    places, offers = watch("random", games=40, name="tiny-3x3")
    assert all(answer in legal for answer, legal, _ in places)
    free = [(answer, legal) for answer, legal, _ in places if len(legal) > 1]
    ranks = {legal.index(answer) / (len(legal) - 1) for answer, legal in free}
    assert {0.0, 1.0} <= ranks
    for pick in (
        lambda answer, seen: sorted(seen["choices"]).index(answer.chamber),
        lambda answer, seen: (answer.dice, seen["choices"][answer.chamber][1]),
        lambda answer, seen: answer.stop,
    ):
        assert len({pick(answer, seen) for answer, seen in offers}) >= 2
    assert 0.4 < sum(answer.stop for answer, _ in offers) / len(offers) < 0.6


def test_declared_traits_hold():
    """A deterministic policy tosses no coin: other words with purpose CHOICE change nothing."""
    for name, policy in GAME.roster.items():
        rules, lineup = GAME.variant("small-4x4").rules, GAME.lineup([name], 2)
        records = []
        for key in ((1, 3), (5, 7)):
            dice = SeededDice(3, 3)
            players = [RosterPlayer(rules, lineup, seat, key) for seat in range(2)]
            playing = reference.play(rules, players, dice)
            try:
                while True:
                    next(playing)
            except StopIteration as end:
                records.append(end.value)
        assert (records[0] == records[1]) == ("deterministic" in policy.traits), name
        assert set(policy.traits) <= {"deterministic", "random"}


def test_better_policies_win_more():
    lineups = (["timid", "random"], ["hold:points=3", "timid"], ["odds", "timid"])
    for better, worse in lineups:
        played = batch.run(GAME, GAME.variant(), GAME.lineup([better, worse]), 4000, 6, records=True)
        winners = played.records[:, 0]
        assert (winners == 1).sum() > 1.2 * (winners == 2).sum(), (better, worse)
