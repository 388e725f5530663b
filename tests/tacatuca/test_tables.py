"""What the kernel reads, against the plain meaning."""

import itertools

import numpy as np
import pytest

from sims import game
from sims.engine.errors import InputError
from sims.tacatuca.reference import Throw, claim
from sims.tacatuca.rules import Rules
from sims.tacatuca.tables import LANE, SCALE_BITS, build_tables

GAME = game("tacatuca")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_reciprocal_divides_every_throw_exactly(players):
    bound, reciprocal, divisor = map(int, build_tables(Rules(), players).split)
    numbers = np.arange(bound, dtype=np.int64)
    assert (bound, divisor) == (36**players, 36 ** (players - 2))
    assert np.array_equal(numbers * reciprocal >> SCALE_BITS, numbers // divisor)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("changes", [{}, {"doubles_collect": "highest_only", "double_replaces_plain": False}])
def test_joint_lanes_are_the_claims_of_the_reference(players, changes):
    rules = Rules(**changes)
    tables = build_tables(rules, players)
    random = np.random.default_rng(5)
    for number in random.integers(0, 36**players, 300):
        faces = [int(number) // 6**power % 6 + 1 for power in reversed(range(2 * players))]
        throws = [Throw.of(rules, *faces[2 * seat : 2 * seat + 2]) for seat in range(players)]
        present = list(range(players))
        if players > 2 and number % 2:
            present.remove(int(number) // 2 % players)
        mask = sum(1 << seat for seat in present)
        place = int(number)
        if players > 2:
            upper, lower = divmod(int(number), 36 ** (players - 2))
            place = int(tables.upper[(mask & 3) * 1296 + upper])
            place += int(tables.lower[(mask >> 2) * 36 ** (players - 2) + lower])
        highest = max(throws[seat].sum for seat in present)
        gives, takes = [0] * players, [0] * players
        for taker, giver in itertools.permutations(present, 2):
            amount = claim(rules, throws[taker], throws[giver], highest).amount
            gives[giver] += amount
            takes[taker] += amount
        lanes = [int(tables.joint[place]) >> LANE * seat & 0xFFFF for seat in range(players)]
        assert lanes == [take << 8 | give for give, take in zip(gives, takes, strict=True)]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"pins": 0}, "pins: '0' is not allowed; a whole number from 1 to 1000"),
        ({"pins": -3}, "pins: '-3' is not allowed; a whole number from 1 to 1000"),
        ({"pins": 1001}, "pins: '1001' is not allowed; a whole number from 1 to 1000"),
        ({"pins": "many"}, "pins: 'many' is not allowed; a whole number from 1 to 1000"),
        ({"pins": True}, "pins: 'true' is not allowed; a whole number from 1 to 1000"),
        ({"max_rounds": 0}, "max_rounds: '0' is not allowed; a whole number from 1 to 1000000"),
        ({"doubles_collect": "sometimes"}, "doubles_collect: 'sometimes' is not allowed; always, highest_only"),
        ({"double_replaces_plain": 1}, "double_replaces_plain: '1' is not allowed; true, false"),
        ({"shortage": "never"}, "shortage: 'never' is not allowed; clockwise, one_each, proportional"),
        ({"pin": 5}, "pin: no such rule; allowed: pins, cards, doubles_collect"),
    ],
)
def test_bad_rules_are_told_in_one_line(changes, line):
    with pytest.raises(InputError, match=line) as told:
        GAME.variant(changes=changes)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["standard", "no_cards", "tiny"])
def test_shipped_variants_can_be_played_to_the_end(name):
    from sims.engine import batch

    variant = GAME.variant(name)
    assert variant.title
    assert variant.summary
    assert batch.run(GAME, variant, GAME.lineup(players=4), 200, 1).unfinished == 0


def test_seats_and_policies():
    with pytest.raises(InputError, match="players: 5 is not allowed; tacatuca seats 2, 3, 4"):
        GAME.lineup(players=5)
    with pytest.raises(InputError, match="policy: 'hold' is unknown; allowed: chance"):
        GAME.policy("hold")
