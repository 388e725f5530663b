"""The same game with other components: boards dealt anew, turned inside out, and whether they turn onto themselves."""

from dataclasses import replace

import numpy as np
import pytest

from sims.kazaam_dice import GAME, changed
from sims.kazaam_dice.board import load
from sims.kazaam_dice.draw import as_file


@pytest.mark.parametrize("name", ["standard", "small", "duel"])
def test_a_board_written_and_read_is_the_same_board(tmp_path, name):
    path = tmp_path / f"{name}.toml"
    path.write_text(as_file(load(name)), encoding="utf-8")
    assert load(str(path)) == load(name)


def test_pictures_dealt_again_keep_their_numbers_and_the_symmetry():
    board = load("standard")
    dealt = changed.dealt_again(board, 1)
    assert dealt.creatures != board.creatures
    assert sorted(dealt.creatures) == sorted(board.creatures)
    assert all(len({dealt.creatures[field] for field in group}) == 1 for group in changed.orbits(board))
    assert replace(dealt, creatures=board.creatures) == board
    unsymmetric = load("duel")
    assert sorted(changed.dealt_again(unsymmetric, 2).creatures) == sorted(unsymmetric.creatures)


def test_places_turned_inside_out_swap_elements_and_chips():
    board = load("standard")
    other = changed.turned_inside_out(board)
    assert (other.water, other.fire) == (set(board.favourites.values()), set(board.normal))
    assert (set(other.favourites.values()), set(other.normal)) == (board.water, board.fire)
    # v1 lay at (3,5); the nearest water is (2,6)
    assert other.favourites[1] == 7 + 5
    assert changed.turned_inside_out(load("duel")) is None


def test_boards_are_symmetric_or_not():
    standard, duel = (GAME.variant(name).rules.load_board() for name in ("standard", "duel"))
    assert changed.is_symmetric(standard)
    assert not changed.is_symmetric(duel)
    # pictures alone do not make a board turn onto itself
    moved = np.array(sorted(standard.fire))[1:]
    assert not changed.is_symmetric(replace(standard, fire=frozenset(moved.tolist())))


def test_places_turn_inside_out_if_either_element_is_printed():
    board = GAME.variant("standard").rules.load_board()
    dry = replace(board, water=frozenset(), favourites={})
    cold = replace(board, fire=frozenset(), normal=())
    turn = changed.turned_inside_out
    assert (turn(dry).fire, set(turn(dry).normal)) == (frozenset(board.normal), set(board.fire))
    assert turn(cold).water == frozenset(board.favourites.values())
    assert turn(replace(dry, fire=frozenset(), normal=())) is None
