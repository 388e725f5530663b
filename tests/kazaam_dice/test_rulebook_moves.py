"""The rulebook's sentences on special fields and on the course of play, one test for each, on loaded dice."""

import pytest

from sims.kazaam_dice.die import EAST, NORTH, SOUTH, WEST
from sims.kazaam_dice.reference import Passed, Rolled, Used
from sims.kazaam_dice.state import MoveAmbrosius, Place, SetObstacle, Tip

#: Fields of the printed board by picture, copied from the map by hand.
FIELDS_OF_1 = {(1, 1), (1, 7), (2, 3), (3, 6), (5, 2), (6, 5), (7, 1), (7, 7)}
FIELDS_OF_6 = {(2, 2), (2, 6), (3, 4), (4, 3), (4, 5), (5, 4), (6, 2), (6, 6)}


def kinds(moves, kind):
    return [move for move in moves if isinstance(move, kind)]


def fields(moves, kind):
    return {(move.field // 7 + 1, move.field % 7 + 1) for move in kinds(moves, kind)}


# -- setup and rolling -----------------------------------------------------------------------------------------


def test_setup_ambrosius_stands_in_the_centre_and_everything_else_lies_beside_the_board(on_board):
    state = on_board.state()
    assert (state.ambrosius, state.obstacle, state.dice, state.supply) == (on_board.at(4, 4), None, {}, 32)
    assert len(state.chips) == 8
    assert sorted(state.chips.values()) == [0, 0, 0, 0, 1, 2, 3, 4]
    assert state.alchemists == (1, 3)
    assert on_board.state(players=3).alchemists == (1, 2, 3)


def test_only_one_of_the_two_dice_is_used(on_board, script):
    state = on_board.state()
    events, _ = on_board.play(state, [(1, 2)], script(Place(2, on_board.at(1, 2), 0)))
    assert len(state.dice) == 1
    assert [type(event) for event in events][:2] == [Rolled, Used]
    assert state.seat == 1


# -- two different creatures -----------------------------------------------------------------------------------


def test_place_on_a_free_field_that_shows_the_creature(on_board):
    moves = on_board.state().uses((6, 1))
    assert fields(moves, Place) == FIELDS_OF_1 | FIELDS_OF_6
    assert {move.value for move in moves if move.field == on_board.at(1, 1)} == {1}


def test_place_on_any_field_by_ruling_where_the_creature_may_enter(on_board):
    everywhere = {(row, column) for row in range(1, 8) for column in range(1, 8)} - {(4, 4)}
    fire = {(2, 4), (4, 2), (4, 6), (6, 4)}
    water = {(2, 2), (2, 6), (6, 2), (6, 6)}
    moves = on_board.state(placing="any").uses((1, 6))
    assert fields([move for move in moves if move.value == 1], Place) == everywhere - water
    assert fields([move for move in moves if move.value == 6], Place) == everywhere - fire


def test_it_does_not_matter_which_way_the_creature_faces(on_board):
    state = on_board.state()
    facings = [move for move in state.uses((1, 6)) if move.field == on_board.at(1, 1)]
    assert len(facings) == 4
    norths = []
    for move in facings:
        after = state.copy()
        after.apply(move)
        assert after.top(on_board.at(1, 1)) == 1
        norths.append(after.die.north(after.dice[on_board.at(1, 1)]))
    assert norths == [2, 3, 4, 5]


def test_a_field_with_a_die_or_with_ambrosius_is_not_free_and_a_field_with_a_chip_is(on_board):
    state = on_board.state((1, 1), ambrosius=(2, 3))
    assert fields(state.uses((1, 2)), Place) & FIELDS_OF_1 == FIELDS_OF_1 - {(1, 1), (2, 3)}
    assert on_board.at(3, 4) in state.chips
    assert (3, 4) in fields(state.uses((6, 2)), Place)


def test_tip_a_die_that_shows_a_rolled_creature_onto_a_free_neighbour_but_not_diagonally(on_board):
    state = on_board.state(dice={(5, 6): "4^1", (5, 5): "2^1", (6, 5): "3^1"})
    tips = kinds(state.uses((4, 1)), Tip)
    assert tips == [Tip(4, on_board.at(5, 6), direction) for direction in (NORTH, EAST, SOUTH)]
    state.apply(tips[1])
    assert set(state.dice) == {on_board.at(5, 7), on_board.at(5, 5), on_board.at(6, 5)}


def test_tipping_does_not_rotate_the_die_about_its_own_axis(on_board):
    state = on_board.state(dice={(5, 6): "4^1"})
    before = state.die.orientations[state.dice[on_board.at(5, 6)]]
    state.apply(Tip(4, on_board.at(5, 6), EAST))
    after = state.die.orientations[state.dice[on_board.at(5, 7)]]
    assert (after.north, after.south, after.east) == (before.north, before.south, 4)


def test_dice_on_the_board_may_be_used_by_every_player(on_board, script):
    state = on_board.state()
    corner = on_board.at(1, 1)
    players = script(Place(1, corner, 0)), script(Tip(1, corner, EAST))
    on_board.play(state, [(1, 2), (1, 2)], *players)
    assert set(state.dice) == {on_board.at(1, 2)}


def test_no_dice_are_tipped_over_the_obstacle_or_onto_ambrosius(on_board):
    state = on_board.state((5, 3), ambrosius=(5, 4), obstacle=((4, 3), (5, 3)))
    assert [tip.direction for tip in kinds(state.uses((1, 2)), Tip)] == [SOUTH, WEST]


def test_the_centre_is_never_placed_on_but_tipped_onto_once_ambrosius_has_left(on_board):
    state = on_board.state((4, 3), placing="any")
    assert Tip(1, on_board.at(4, 3), EAST) not in state.uses((1, 2))
    state.ambrosius = on_board.at(6, 3)
    assert (4, 4) not in fields(state.uses((1, 2)), Place)
    assert (4, 4) not in fields(state.uses((1, 1)), Place)
    assert Tip(1, on_board.at(4, 3), EAST) in state.uses((1, 2))
    state.apply(Tip(1, on_board.at(4, 3), EAST))
    assert set(state.dice) == {on_board.at(4, 4)}


def test_two_different_creatures_move_neither_ambrosius_nor_the_obstacle(on_board):
    moves = on_board.state().uses((1, 2))
    assert not kinds(moves, MoveAmbrosius)
    assert not kinds(moves, SetObstacle)


def test_a_player_passes_only_if_nothing_is_possible(on_board, script):
    # Every field of 1 and of 2 holds a die that shows 3, so neither can be placed nor tipped.
    fields_of_2 = [(1, 2), (2, 4), (2, 7), (4, 2), (4, 6), (6, 1), (6, 4), (7, 6)]
    state = on_board.state(dice=dict.fromkeys([*FIELDS_OF_1, *fields_of_2], "3^1"))
    state.dice.pop(on_board.at(7, 6))
    assert len(state.uses((1, 2))) == 4  # the one free field of 2, four facings
    state.dice[on_board.at(7, 6)] = state.dice[on_board.at(1, 1)]
    events, _ = on_board.play(state, [(1, 2)], script())
    assert [type(event) for event in events] == [Rolled, Passed]


# -- doubles ---------------------------------------------------------------------------------------------------


def test_double_a_place_a_die(on_board):
    assert fields(on_board.state().uses((6, 6)), Place) == FIELDS_OF_6
    anywhere = on_board.state(double_placing="any")
    assert len(fields(anywhere.uses((1, 1)), Place)) == 49 - 1 - 4  # not the centre, not the four of water
    assert fields(anywhere.uses((1, 6)), Place) == FIELDS_OF_1 | FIELDS_OF_6


def test_double_b_tip_a_corresponding_die(on_board):
    state = on_board.state(dice={(5, 2): "1^2", (1, 6): "6^2"})
    assert fields(state.uses((1, 1)), Tip) == {(5, 2)}
    assert len(kinds(state.uses((1, 1)), Tip)) == 4


def test_double_c_ambrosius_to_any_free_field_but_alchemists_and_targets(on_board):
    state = on_board.state((3, 3), (5, 6))
    printed = {(1, 1), (1, 7), (7, 1), (7, 7), (1, 4), (4, 1), (4, 7), (7, 4)}
    everywhere = {(row, column) for row in range(1, 8) for column in range(1, 8)}
    assert fields(state.uses((2, 2)), MoveAmbrosius) == everywhere - printed - {(3, 3), (5, 6), (4, 4)}
    state.apply(MoveAmbrosius(on_board.at(2, 4)))
    assert state.ambrosius == on_board.at(2, 4)
    assert (4, 4) in fields(state.uses((2, 2)), MoveAmbrosius)


def test_double_d_the_obstacle_between_any_two_fields_from_the_supply_or_the_board(on_board):
    state = on_board.state((3, 3))
    edges = [move.edge for move in kinds(state.uses((2, 2)), SetObstacle)]
    assert len(edges) == len(set(edges)) == 2 * 7 * 6
    assert all(two - one in (1, 7) for one, two in edges)
    state.apply(SetObstacle((on_board.at(3, 3), on_board.at(3, 4))))
    again = [move.edge for move in kinds(state.uses((2, 2)), SetObstacle)]
    assert set(edges) - set(again) == {(on_board.at(3, 3), on_board.at(3, 4))}


@pytest.mark.parametrize("players", [2, 4])
def test_an_alchemists_field_may_not_be_blocked_on_both_sides(on_board, players):
    # Ambrosius stands beside alchemist 2's corner (1,7): the obstacle may not close the other side of it.
    state = on_board.state(ambrosius=(1, 6), players=players)
    edges = {move.edge for move in kinds(state.uses((2, 2)), SetObstacle)}
    assert (on_board.at(1, 7), on_board.at(2, 7)) not in edges
    assert (on_board.at(1, 6), on_board.at(1, 7)) in edges  # the same side twice is allowed
    assert len(edges) == 83
    # The obstacle closes one side of alchemist 4's corner (7,1): Ambrosius may not stand on the other.
    state = on_board.state(obstacle=((7, 1), (7, 2)), players=players)
    assert (6, 1) not in fields(state.uses((2, 2)), MoveAmbrosius)
    assert (7, 2) in fields(state.uses((2, 2)), MoveAmbrosius)


# -- fire and water --------------------------------------------------------------------------------------------


def test_fire_a_creature_that_may_not_enter_burns_and_its_die_returns_to_the_supply(on_board, script):
    # 1 up, 3 north: 1-2-3 run counter-clockwise, so 2 looks east and 5 west; tipped east, 5 comes up.
    state = on_board.state(dice={(4, 1): "1^3"})
    events, _ = on_board.play(state, [(1, 2)], script(Tip(1, on_board.at(4, 1), EAST)))
    assert [event.lost for event in events if isinstance(event, Used)] == ["burnt"]
    assert (state.dice, state.supply) == ({}, 32)


def test_fire_a_creature_that_may_enter_stays(on_board):
    state = on_board.state(dice={(4, 1): "1^4"})  # the other way round: 2 looks west and comes up
    assert state.apply(Tip(1, on_board.at(4, 1), EAST)) is None
    assert state.top(on_board.at(4, 2)) == 2


def test_water_a_creature_that_may_not_enter_drowns_and_its_die_returns_to_the_supply(on_board, script):
    state = on_board.state(dice={(2, 1): "1^4"})  # 2 in the west comes up
    events, _ = on_board.play(state, [(1, 2)], script(Tip(1, on_board.at(2, 1), EAST)))
    assert [event.lost for event in events if isinstance(event, Used)] == ["drowned"]
    assert (state.dice, state.supply) == ({}, 32)


def test_water_a_creature_that_may_enter_stays(on_board):
    state = on_board.state(dice={(2, 1): "1^3"})  # 5 in the west comes up
    assert state.apply(Tip(1, on_board.at(2, 1), EAST)) is None
    assert state.top(on_board.at(2, 2)) == 5


def test_a_die_is_placed_on_fire_or_water_only_if_its_creature_may_enter(on_board):
    # The picture on (2,2) is 6 and water lets 6 in; with the rights exchanged nobody can be placed there.
    assert (2, 2) in fields(on_board.state().uses((6, 1)), Place)
    assert (2, 2) not in fields(on_board.state(fire="456", water="123").uses((6, 1)), Place)


def test_no_suicide_by_ruling(on_board):
    burns, stays = Tip(1, on_board.at(4, 1), EAST), Tip(1, on_board.at(4, 1), NORTH)
    moves = on_board.state(dice={(4, 1): "1^3"}, fire_water="no_suicide").uses((1, 2))
    assert burns not in moves
    assert stays in moves
    assert burns in on_board.state(dice={(4, 1): "1^3"}).uses((1, 2))


# -- the common order ------------------------------------------------------------------------------------------


def test_uses_come_in_the_common_order(on_board):
    def key(move):
        match move:
            case Place():
                return 0, move.value, move.field, move.facing
            case Tip():
                return 1, move.value, move.field, move.direction
            case MoveAmbrosius():
                return 2, move.field
            case SetObstacle():
                return 3, *move.edge

    state = on_board.state((3, 3), (5, 5), dice={(1, 2): "2^1", (6, 1): "2^3"})
    for roll in ((2, 1), (1, 2), (1, 1)):
        moves = state.uses(roll)
        assert moves == sorted(moves, key=key)
        assert {type(move) for move in moves} >= {Place, Tip}
    assert state.uses((2, 1)) == state.uses((1, 2))
