"""Addressable dice: the compiled face, the Python face, numpy's Philox, and uniformity."""

import numpy as np
import pytest
from scipy import stats

from sims.engine import dice, words
from sims.engine.errors import InputError
from sims.engine.jit import kernel


@kernel
def throws(seed, game, count, turns, seat, roll, purpose):
    key = words.game_key(seed, game)
    found = np.empty(turns, np.uint64)
    for turn in range(turns):
        found[turn] = words.below(key, words.address(turn, seat, roll, purpose), np.uint64(6) ** np.uint64(count))
    return found


def face_number(faces):
    return sum((face - 1) * 6**power for power, face in enumerate(reversed(faces)))


@pytest.mark.parametrize(("seed", "game"), [(0, 0), (1, 2), (2**63 - 1, 2**40 + 3)])
def test_key_is_the_philox_block_that_numpy_computes(seed, game):
    # numpy raises the counter by one before it computes a block
    counter = np.array([game - 1 if game else 2**64 - 1] + [0 if game else 2**64 - 1] * 3, np.uint64)
    block = np.random.Philox(key=seed, counter=counter).random_raw(4)
    assert dice.SeededDice(seed, game).key == (int(block[0]), int(block[1]) | 1)
    start, step = words.game_key(np.int64(seed), np.int64(game))
    assert (int(start) % 2**64, int(step) % 2**64) == (int(block[0]), int(block[1]) | 1)


@pytest.mark.parametrize("count", [1, 2, 7, 8])
def test_compiled_and_python_faces_agree(count):
    compiled = throws(7, 123456, count, 200, 3, 5, dice.DICE)
    plain = dice.SeededDice(7, 123456)
    assert [face_number(plain.throw(count, turn=turn, seat=3, roll=5)) for turn in range(200)] == compiled.tolist()


def test_an_address_has_room_of_its_own_for_turn_seat_purpose_and_roll():
    # 14 bits for the roll, 2 for the purpose, 4 for the seat, the turn above; the largest of each but the last
    places = [(0, 0, 0, 0), (0, 0, 2**14 - 1, 0), (0, 0, 0, 3), (0, 15, 0, 0), (2**43 - 1, 15, 2**14 - 1, 3)]
    expected = [0, 2**14 - 1, 3 * 2**14, 15 * 2**16, 2**63 - 1]

    @kernel
    def address(turn, seat, roll, purpose):
        return words.address(turn, seat, roll, purpose)

    assert [int(address(*place)) for place in places] == expected


def test_what_is_not_said_of_an_address_is_0_and_what_a_word_is_for_follows_the_question():
    plain = dice.SeededDice(5, 6)
    assert (dice.DICE, dice.SETUP, dice.CHOICE) == (0, 1, 2)
    assert plain.word(turn=3) == plain.word(turn=3, seat=0, roll=0, purpose=0)
    assert plain.below(2**32, turn=3) == plain.below(2**32, turn=3, seat=0, roll=0, purpose=2)
    assert plain.throw(8, turn=3) == plain.throw(8, turn=3, seat=0, roll=0)
    assert plain.below(6**8, turn=3, purpose=dice.DICE) == face_number(plain.throw(8, turn=3))
    different = [
        plain.word(turn=turn, seat=seat, roll=roll, purpose=purpose)
        for turn in (3, 4)
        for seat in (0, 1)
        for roll in (0, 1)
        for purpose in (0, 1, 2)
    ]
    assert len(set(different)) == 24


def test_redraws_agree_where_they_are_common():
    # two bounds just above a half of 2**64: about every second word must be drawn again
    @kernel
    def many(seed, bound):
        key = words.game_key(seed, 9)
        found = np.empty(64, np.uint64)
        for turn in range(64):
            found[turn] = words.below(key, words.address(turn, 0, 0, 2), bound)
        return found

    bound = 2**63 + 12345
    plain = dice.SeededDice(1, 9)
    assert [plain.below(bound, turn=turn) for turn in range(64)] == many(1, np.uint64(bound)).tolist()


def test_the_word_on_the_edge_is_kept():
    # 2**64 mod bound words would favour some numbers: those whose low half is below that; the next one is fair
    bound = 2**63 + 12345
    edge = 2**64 % bound
    word = edge * pow(bound, -1, 2**64) % 2**64
    before = (edge - 1) * pow(bound, -1, 2**64) % 2**64

    class Fixed(dice.SeededDice):
        def word(self, **_where):
            return self.fixed

    plain = Fixed(1, 1)
    plain.fixed = word
    assert plain.below(bound, turn=0) == word * bound >> 64
    plain.fixed = before
    assert plain.below(bound, turn=0) != before * bound >> 64

    def compiled(z):
        return int(words._redraw(np.uint64(z), np.uint64(z * bound % 2**64), np.uint64(bound))) % 2**64

    assert compiled(word) == word * bound >> 64
    assert compiled(before) == plain.below(bound, turn=0)


def test_two_dice_are_uniform_over_turns_seats_and_games():
    found = np.concatenate([throws(1, game, 2, 2000, game % 4, 0, 0) for game in range(180)])
    assert stats.chisquare(np.bincount(found.astype(np.int64), minlength=36)).pvalue > 1e-4


def test_neighbouring_addresses_are_independent():
    found = throws(3, 0, 1, 200_000, 0, 0, 0).astype(np.int64)
    pairs = np.bincount(found[:-1] * 6 + found[1:], minlength=36)
    assert stats.chisquare(pairs).pvalue > 1e-4


def test_loaded_dice_refuse_a_throw_of_another_size():
    loaded = dice.LoadedDice([(1, 2)], choices=[5])
    with pytest.raises(ValueError, match="has 2 dice, the game rolls 3"):
        loaded.throw(3, turn=0)
    with pytest.raises(ValueError, match="not below 5"):
        loaded.below(5, turn=0)


def test_loaded_dice_fall_in_order():
    loaded = dice.LoadedDice([(1, 2), [3, 4, 5]], choices=[0, 4, 9])
    assert (loaded.throw(2, turn=9), loaded.throw(3, turn=0, seat=1, roll=2)) == ((1, 2), (3, 4, 5))
    assert [loaded.below(bound, turn=0) for bound in (1, 5, 10)] == [0, 4, 9]
    with pytest.raises(IndexError):
        loaded.throw(1, turn=0)
    with pytest.raises(ValueError, match="not below 5"):
        dice.LoadedDice([], choices=[-1]).below(5, turn=0)


def test_a_seed_out_of_range_is_told_in_one_line():
    with pytest.raises(InputError, match=r"seed: -1 is not allowed; a whole number from 0 to \d+"):
        dice.SeededDice(-1, 0)
