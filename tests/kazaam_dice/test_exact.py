"""The solved turn against closed forms and against a plain walk through everything that can happen."""

from fractions import Fraction

import pytest

from sims.kazaam_dice.exact import Turn
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import MoveAmbrosius, SetObstacle, State


def tiny(dice, *, board="duel", players=2, favourite=0, others=0, **rest):
    state = State.start(Rules(board=board, supply=8), players)
    state.dice = {field: state.die.number(int(shown[0]), int(shown[2])) for field, shown in dice.items()}
    state.favourite[0], state.others[0] = favourite, others
    for name, value in rest.items():
        setattr(state, name, value)
    return state


#: On the board of the duel, seat 1 joins fields 0 and 6; 1 is fire, 7 water, 3 and 5 hold the chips of 2 and 1.
TINY = {
    "two missing, nothing held": tiny({0: "1^2", 8: "2^1", 1: "2^1"}),
    "one missing": tiny({0: "1^2", 3: "4^1", 8: "2^1", 7: "4^2"}),
    "one missing, a chip to roll again": tiny({0: "1^2", 3: "4^1", 2: "3^1", 8: "4^2", 7: "5^1"}, others=1),
    "two missing, an extra move": tiny({0: "1^2", 2: "3^1", 5: "6^2", 8: "2^1", 7: "5^1"}, favourite=1, chips={3: 2}),
    "an extra move and a chip": tiny(
        {0: "1^2", 2: "3^1", 1: "3^2", 8: "2^1", 7: "5^1"}, favourite=1, others=1, chips={}, ambrosius=5
    ),
    "a chip on the way rolls again": tiny({0: "1^2", 1: "2^1", 2: "3^1", 5: "6^2"}, favourite=1, chips={5: 2}),
    "a pass and the extra move": tiny({0: "2^1", 2: "2^3", 3: "4^1"}, favourite=1, chips={}),
    "the own favourite within reach": tiny({0: "1^2", 1: "2^1", 5: "6^2", 3: "4^1", 7: "5^1"}, obstacle=(1, 2)),
    "the obstacle in the way": tiny({0: "1^2", 3: "4^1", 6: "5^1", 1: "2^1", 2: "3^1", 7: "4^1"}, obstacle=(3, 6)),
    "the last die near": tiny({0: "1^2", 3: "4^1", 2: "3^1", 1: "3^2", 7: "5^1", 8: "2^3"}, others=1),
}


@pytest.mark.parametrize("case", TINY)
def test_the_solved_turn_is_what_a_plain_walk_finds(case, plain_turn):
    state, plain = TINY[case], plain_turn()
    assert Turn(state).chance == plain.chance(state)
    for roll in ((1, 5), (5, 6), (1, 3), (3, 3), (5, 5)):
        rolled = state.copy()
        rolled.roll = roll
        choices = Turn(rolled).choices()
        assert choices[0].chance == plain.best_of_roll(state, roll)
        assert [choice.chance for choice in choices] == sorted((choice.chance for choice in choices), reverse=True)
        for choice in choices:
            if choice.move:
                assert choice.chance == plain.after_move(state, choice.move)


def test_the_cases_are_neither_all_sure_nor_all_hopeless():
    chances = {Turn(state).chance for state in TINY.values()}
    assert 0 in chances
    assert len(chances) > 5


def test_one_die_missing_is_closed_form(on_board):
    # (1,7) shows 1 and joins (1,6) with (2,7); so does (2,6), which shows 6: a 1 or a 6 finishes, 20 of 36 rolls.
    way = [field for field in on_board.WAY_1 if field != (1, 7)]
    miss = Fraction(16, 36)
    for rerolls in range(3):
        state = on_board.state(*way, others=[rerolls])
        state.chips.clear()
        # Dice showing 1 themselves could be tipped; turn all of them to show 3.
        state.dice = dict.fromkeys(state.dice, state.die.number(3, 1))
        state.ambrosius = on_board.at(2, 5)
        assert Turn(state).chance == 1 - miss ** (rerolls + 1)


def test_only_a_double_removes_the_obstacle(on_board):
    state = on_board.state(*on_board.WAY_1, obstacle=((1, 3), (1, 4)))
    state.chips.clear()
    state.dice = dict.fromkeys(state.dice, state.die.number(2, 1))
    assert Turn(state).chance == Fraction(6, 36)
    state.roll = (4, 4)
    best = [choice.move for choice in Turn(state).choices() if choice.chance == 1]
    # 84 edges but the present one and the 8 others that the chain crosses.
    assert len(best) == 84 - 1 - 8
    assert all(isinstance(move, SetObstacle) for move in best)


def test_ambrosius_on_the_last_gap_must_go_first(on_board):
    # A double moves him away; only the extra move can then fill (1,3), which shows 3, 11 of 36 rolls, or by tipping.
    way = [field for field in on_board.WAY_1 if field != (1, 3)]
    state = on_board.state(*way, ambrosius=(1, 3))
    state.chips.clear()
    assert Turn(state).chance == 0
    state.favourite[0], state.roll = 1, (5, 5)
    best = Turn(state).choices()[0]
    assert isinstance(best.move, MoveAmbrosius)
    assert best.chance >= Fraction(11, 36)


def test_choices_need_a_roll():
    with pytest.raises(ValueError, match="no roll"):
        Turn(TINY["one missing"]).choices()
