"""Scattered dice: the counted chains against every subset of a small board, and against paths counted by hand."""

from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.scatter import chain_chances
from sims.kazaam_dice.state import State

#: A board for one, which no shipped variant has.
SOLO = str(Path(__file__).parent / "boards" / "solo.toml")


@pytest.mark.parametrize("chain_ends", ["on", "beside"])
@pytest.mark.parametrize(("board", "players"), [("duel", 2), (SOLO, 1)], ids=["duel", "solo"])
def test_every_way_to_lay_the_dice_is_counted_once(board, players, chain_ends):
    rules = Rules(board=board, supply=9, chain_ends=chain_ends)
    state = State.start(rules, players)
    free = [field for field in state.board.fields if field != state.board.centre]
    for seat, alchemist in enumerate(state.alchemists):
        found = chain_chances(rules, alchemist)
        assert len(found) == len(free) + 1
        for dice, chance in enumerate(found):
            connected = 0
            for fields in combinations(free, dice):
                state.dice = dict.fromkeys(fields, 0)
                connected += seat in state.connected()
            assert chance == Fraction(connected, comb(len(free), dice))


def test_ten_dice_on_the_printed_board_are_a_shortest_way_and_nothing_else():
    found = chain_chances(Rules(), 1)
    # 3 steps down and 6 to the right; of C(9, 3) orders, C(6, 3) pass the centre and end along its row
    assert found[9] == 0
    assert found[10] == Fraction(comb(9, 3) - comb(6, 3), comb(48, 10))
    assert found[48] == 1
    assert found == sorted(found)


def test_all_four_alchemists_of_a_turned_board_are_alike():
    assert len({tuple(chain_chances(Rules(board="small"), alchemist)) for alchemist in (1, 2, 3, 4)}) == 1
