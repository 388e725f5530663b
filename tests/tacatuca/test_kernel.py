"""The kernel against the reference: the same record, column by column, from the same dice."""

import itertools

import numpy as np
import pytest

from sims import game
from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.engine.game import encode
from sims.tacatuca.rules import Card, Rules, Take

GAME = game("tacatuca")
READINGS = [
    {"doubles_collect": doubles, "double_replaces_plain": replaces, "shortage": shortage}
    for doubles, replaces, shortage in itertools.product(
        ("always", "highest_only"), (True, False), ("clockwise", "one_each", "proportional")
    )
]
#: What no printed card does: two cards that name each other, a truce with a double that takes, higher throws named.
ODD_CARDS = (
    Card("Upstart", 1, ("6-5", "2-2"), (Take(0, ("6-6", "5-5")), Take(20, ("2-1", "6-1", "3-1")))),
    Card("Thief", 2, (), (Take(7, ("1-1", "3-3", "6-4")), Take(1, ("4-1",)))),
    Card("Giant", 6, ("5-5", "1-1"), (Take(20, ("2-2", "3-2", "5-4", "6-5", "3-3")),)),
    Card("Monk", 5, ("6-6", "6-1", "2-1", "4-4"), ()),
)


def told(rules, players, seed, number):
    """The record that the reference returns."""
    playthrough = GAME.replay(rules, GAME.lineup(players=players), SeededDice(seed, number))
    while True:
        try:
            next(playthrough)
        except StopIteration as end:
            return end.value


def records(rules, players, games, seed, first=0):
    """The records that the kernel writes."""
    out = np.full((games, len(GAME.columns(players))), -1, np.int32)
    GAME.play_games(GAME.build_tables(rules, players), encode(GAME.lineup(players=players)), seed, first, out)
    return out


def assert_agreement(rules, players, games, seed=7):
    columns = GAME.columns(players)
    for number, row in enumerate(records(rules, players, games, seed).tolist()):
        record = told(rules, players, seed, number)
        assert tuple(record) == columns
        assert dict(zip(columns, row, strict=True)) == record, f"game {number}"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: "-".join(map(str, reading.values())))
def test_every_reading(reading, players):
    assert_agreement(Rules(**reading), players, 50)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: "-".join(map(str, reading.values())))
def test_every_reading_a_thousand_games(reading, players):
    assert_agreement(Rules(**reading), players, 1000, seed=11)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("pins", [1, 2, 3])
@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: "-".join(map(str, reading.values())))
def test_tiny_games_where_shortage_is_the_rule(reading, pins, players):
    assert_agreement(Rules(pins=pins, **reading), players, 150)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("pins", [2, 3])
@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: "-".join(map(str, reading.values())))
def test_a_thousand_tiny_games(reading, pins, players):
    assert_agreement(Rules(pins=pins, **reading), players, 1000, seed=12)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reading", READINGS[::4], ids=lambda reading: "-".join(map(str, reading.values())))
def test_cards_that_nobody_printed(reading, players):
    assert_agreement(Rules(pins=9, cards=ODD_CARDS, **reading), players, 300)
    assert_agreement(Rules(pins=9, cards=ODD_CARDS[::-1], **reading), players, 300)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_cards_at_all(players):
    assert_agreement(Rules(pins=6, cards=()), players, 300)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_thousand_pins_do_not_run_over_into_the_next_lane(players):
    # four seats: the winner ends with 4000 pins; with the largest bonus, and everything added up
    everything = Card("Everything", 6, (), (Take(20, ("1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "5-5", "6-5")),))
    assert_agreement(Rules(pins=1000, cards=(everything,), double_replaces_plain=False), players, 4)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("limit", [1, 2, 13, 40])
def test_games_that_meet_the_limit_of_rounds(limit, players):
    rules = Rules(max_rounds=limit)
    assert_agreement(rules, players, 200)
    unfinished = records(rules, players, 200, 7)[:, GAME.columns(players).index("unfinished")]
    assert unfinished.any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_show_tells_the_game_of_the_batch(players):
    variant, lineup = GAME.variant(), GAME.lineup(players=players)
    played = batch.run(GAME, variant, lineup, 30, 5, first=10**12, records=True, block=7)
    for position in (0, 13, 29):
        record = told(variant.rules, players, 5, 10**12 + position)
        assert list(record.values()) == played.records[position].tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_threads_and_blocks_change_nothing(players):
    variant, lineup = GAME.variant(), GAME.lineup(players=players)
    alone = batch.run(GAME, variant, lineup, 1000, 3, threads=1, records=True)
    for threads, block in [(2, None), (2, 1), (1, 999), (3, 64)]:
        other = batch.run(GAME, variant, lineup, 1000, 3, threads=threads, block=block, records=True)
        assert np.array_equal(alone.records, other.records)
        assert alone.sums == other.sums
        assert alone.squares == other.squares


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_more_game_leaves_the_earlier_ones_as_they_were(players):
    rules = Rules()
    assert np.array_equal(records(rules, players, 200, 9), records(rules, players, 201, 9)[:200])
    assert np.array_equal(records(rules, players, 1, 9, first=200), records(rules, players, 201, 9)[200:])


CHANGES = {
    "pins": 19,
    "cards": (),
    "doubles_collect": "highest_only",
    "double_replaces_plain": False,
    "shortage": "proportional",
    "max_rounds": 20,
}


def test_every_rules_field_changes_some_record():
    before = records(Rules(), 3, 500, 1)
    assert list(CHANGES) == list(Rules.__dataclass_fields__)
    for key, value in CHANGES.items():
        after = records(Rules(**{key: value}), 3, 500, 1)
        assert not np.array_equal(before, after), key


def test_one_compiled_signature_for_all_rules_and_seats():
    for players in (2, 3, 4):
        for reading in READINGS[::5]:
            records(Rules(pins=2, **reading), players, 5, 1)
    assert len(GAME.play_games.signatures) == 1
