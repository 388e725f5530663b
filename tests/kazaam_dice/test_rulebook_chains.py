"""The rulebook's sentences on chains, chips, the end of the game and victory points, one test for each."""

import pytest

from sims.kazaam_dice.die import EAST, NORTH, SOUTH
from sims.kazaam_dice.reference import Cancelled, Extra, Passed, Rolled, Standing, Took, Used
from sims.kazaam_dice.rules import LAST_DIE, OTHER, OWN, PASSES, SEVERAL, TURNS, Rules
from sims.kazaam_dice.state import MoveAmbrosius, Place, SetObstacle, State, Tip

#: From the corner of alchemist 1 straight to the chips on (3,4) and (3,3), over plain fields and fire.
TO_CHIPS = ((1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (3, 4))

#: Alchemist 2 straight down to the corner of alchemist 3 and on to target 2.
WAY_2 = (*((row, 7) for row in range(1, 8)), (7, 6), (7, 5), (7, 4))


def without(fields, *gone):
    return tuple(field for field in fields if field not in gone)


# -- the object of the game ------------------------------------------------------------------------------------


def test_an_unbroken_chain_connects_alchemist_and_favourite_ingredient(on_board):
    state = on_board.state(*on_board.WAY_1)
    assert state.connected() == [0]
    # Seat 2 at (7,7) needs (7,7) (6,7) (5,7) to meet that chain, and from its other end (2,1) (3,1) (4,1).
    assert (state.distance(0), state.distance(1)) == (0, 6)
    assert state.longest_chain() == 10


def test_a_missing_die_breaks_the_chain(on_board):
    for field in on_board.WAY_1:
        state = on_board.state(*without(on_board.WAY_1, field))
        assert state.connected() == []
        assert state.distance(0) == 1


def test_dice_that_touch_only_diagonally_are_not_connected(on_board):
    # (1,6) and (2,7) touch at a corner; the die that joins them may lie on (1,7) or on (2,6).
    diagonal = without(on_board.WAY_1, (1, 7))
    assert on_board.state(*diagonal).connected() == []
    assert on_board.state(*diagonal, (2, 6)).connected() == [0]


def test_ambrosius_breaks_the_chain(on_board):
    # On (1,3): round him over (2,2) (2,3) (2,4), three dice.
    state = on_board.state(*without(on_board.WAY_1, (1, 3)), ambrosius=(1, 3))
    assert state.connected() == []
    assert state.distance(0) == 3


def test_the_obstacle_breaks_the_chain(on_board):
    # Between (1,3) and (1,4): round it over (2,3) (2,4), two dice.
    state = on_board.state(*on_board.WAY_1, obstacle=((1, 3), (1, 4)))
    assert state.connected() == []
    assert state.distance(0) == 2
    assert state.longest_chain() == 7


def test_chain_ends_beside_by_ruling(on_board):
    inner = on_board.WAY_1[1:-1]
    assert on_board.state(*inner, chain_ends="beside").connected() == [0]
    assert on_board.state(*inner).connected() == []
    assert (on_board.state(*inner).distance(0), on_board.state(chain_ends="beside").distance(0)) == (2, 8)
    blocked = on_board.state(*inner, chain_ends="beside", obstacle=((1, 1), (1, 2)))
    assert blocked.connected() == []
    assert blocked.distance(0) == 2  # (2,1) and (2,2)


def test_no_open_way_is_farther_than_any_way(on_board):
    # Target 1 of the tiny board is (3,1), with Ambrosius north of it; the obstacle may close its only other side.
    tiny = State.start(Rules(board="duel"), 2)
    tiny.ambrosius, tiny.obstacle = 3, (7, 8)
    assert tiny.distance(0) == 5
    tiny.obstacle = (6, 7)
    assert tiny.distance(0) == 9


# -- chips: how to get them ------------------------------------------------------------------------------------


def chips_reached(on_board, **rules):
    """Seat 1 places the last die of a chain to two chips."""
    state = on_board.state(*without(TO_CHIPS, (1, 2)), **rules)
    return state, Place(2, on_board.at(1, 2), 0)


def test_chips_reached_by_a_chain_may_be_taken_with_their_dice_which_return_to_the_supply(on_board, script):
    state, move = chips_reached(on_board)
    player = script(move, take=[True, True])
    events, _ = on_board.play(state, [(2, 3)], player)
    assert player.asked == [(0, on_board.at(3, 3)), (0, on_board.at(3, 4))]
    assert len([event for event in events if isinstance(event, Took)]) == 2
    assert state.others == [2, 0]  # (3,3) is alchemist 4's favourite, (3,4) a normal one
    assert {on_board.at(3, 3), on_board.at(3, 4)}.isdisjoint(state.dice.keys() | state.chips.keys())
    assert state.supply == 32 - 4


def test_the_player_decides_for_each_chip_and_is_asked_again_after_the_next_move(on_board, script):
    state, move = chips_reached(on_board)
    mine = script(move, take=[False, True, False])
    other = script(Place(2, on_board.at(4, 2), 0))
    on_board.play(state, [(2, 3), (2, 3)], mine, other)
    assert mine.asked == [(0, on_board.at(3, 3)), (0, on_board.at(3, 4)), (0, on_board.at(3, 3))]
    assert (state.others, len(state.chips)) == ([1, 0], 7)


def test_the_own_favourite_is_kept_apart_from_other_chips(on_board, script):
    way = ((1, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5))
    state = on_board.state(*without(way, (1, 2)))
    on_board.play(state, [(2, 3)], script(Place(2, on_board.at(1, 2), 0), take=[False, True]))
    assert (state.favourite, state.others) == ([1, 0], [0, 0])


def test_a_chain_made_by_another_player_lets_the_owner_take_by_default(on_board, script):
    state, move = chips_reached(on_board)
    state.seat = 1
    owner, mover = script(take=[True, True]), script(move)
    on_board.play(state, [(2, 3)], owner, mover)
    assert (state.others, mover.asked) == ([2, 0], [])


def test_only_the_player_on_turn_takes_by_ruling(on_board, script):
    state, move = chips_reached(on_board, taking="own_turn")
    state.seat = 1
    owner, mover = script(Place(2, on_board.at(4, 2), 0), take=[True, True]), script(move)
    on_board.play(state, [(2, 3)], owner, mover)
    assert owner.asked == []
    state.seat = 0
    on_board.play(state, [(2, 3)], owner, mover)
    assert state.others == [2, 0]


def test_owners_decide_from_the_player_on_turn_and_a_taken_die_breaks_the_chain_for_the_next(on_board, script):
    # Both chains run through the chips (3,4) and (3,3); seat 2's is alchemist 3's, from (7,7) up and to the left.
    second = ((7, 7), (7, 6), (7, 5), (6, 5), (5, 5), (4, 5), (3, 5), (3, 4))
    fields = {*without(TO_CHIPS, (1, 2)), *second}
    for seat, first_asked in ((0, [0, 0, 0, 0, 0]), (1, [1, 1, 1, 1, 1])):
        state = on_board.state(*fields, seat=seat)
        players = [script(take=[False] * 9), script(take=[False] * 9)]
        players[seat].moves = [Place(2, on_board.at(1, 2), 0)]
        # The mover takes (3,4), where the two chains meet.
        players[seat].takes = [field == (3, 4) for field in ((3, 3), (3, 4), (3, 5), (4, 5), (5, 5))]
        on_board.play(state, [(2, 3)], *players)
        assert [who for who, _ in players[seat].asked] == first_asked
        reached_after = {0: [(3, 5), (4, 5), (5, 5)], 1: [(3, 3)]}[seat]
        assert players[1 - seat].asked == [(1 - seat, on_board.at(*field)) for field in reached_after]


def test_favourite_chips_lie_on_the_target_fields_by_ruling(on_board):
    state = on_board.state(favourites="on_target")
    assert {chip: field for field, chip in state.chips.items() if chip} == {
        1: on_board.at(4, 7),
        2: on_board.at(7, 4),
        3: on_board.at(4, 1),
        4: on_board.at(1, 4),
    }
    assert len(state.chips) == 8


# -- chips: how to use them ------------------------------------------------------------------------------------


def test_the_own_favourite_buys_an_additional_move_with_a_new_roll(on_board, script):
    state = on_board.state(favourite=[1])
    player = script(Place(2, on_board.at(1, 2), 0), Place(3, on_board.at(1, 3), 0), extra=[True])
    events, _ = on_board.play(state, [(2, 1), (3, 4)], player)
    assert [type(e) for e in events if not hasattr(e, "position")] == [Rolled, Used, Extra, Rolled, Used]
    assert len(state.dice) == 2
    assert (state.favourite, len(state.chips)) == ([0, 0], 8)  # used, so neither held nor back on the board


def test_an_additional_move_is_possible_after_a_pass(on_board, script):
    fields_of_1 = [(1, 1), (1, 7), (2, 3), (3, 6), (5, 2), (6, 5), (7, 1), (7, 7)]
    fields_of_2 = [(1, 2), (2, 4), (2, 7), (4, 2), (4, 6), (6, 1), (6, 4), (7, 6)]
    state = on_board.state(dice=dict.fromkeys(fields_of_1 + fields_of_2, "3^1"), favourite=[1])
    player = script(Place(4, on_board.at(1, 4), 0), extra=[True])
    events, _ = on_board.play(state, [(1, 2), (4, 1)], player)
    assert [type(e) for e in events if not hasattr(e, "position")] == [Rolled, Passed, Extra, Rolled, Used]


def test_any_other_chip_cancels_the_roll_before_it_is_used_and_gives_no_additional_move(on_board, script):
    state = on_board.state(others=[2])
    player = script(Place(3, on_board.at(1, 3), 0), reroll=[True, True])
    events, _ = on_board.play(state, [(1, 1), (2, 2), (3, 4)], player)
    assert [type(e) for e in events if not hasattr(e, "position")] == [
        Rolled, Cancelled, Rolled, Cancelled, Rolled, Used,
    ]  # fmt: skip
    assert len(state.dice) == 1
    assert (state.others, len(state.chips)) == ([0, 0], 8)


def test_the_own_favourite_does_not_reroll_and_another_chip_does_not_move_again(on_board, script):
    own = script(Place(3, on_board.at(1, 3), 0), reroll=[True])
    other = script(Place(3, on_board.at(1, 5), 0), extra=[True])
    state = on_board.state(favourite=[1], others=[0, 1])
    on_board.play(state, [(3, 4), (3, 4)], own, other)
    assert (state.favourite, state.others, own.rerolls, other.extras) == ([1, 0], [0, 1], [True], [True])


# -- the end of the game ---------------------------------------------------------------------------------------


def test_connecting_the_own_alchemist_ends_the_game_at_once_with_five_points(on_board, script):
    state = on_board.state(*without(on_board.WAY_1, (1, 7)))
    _, record = on_board.play(state, [(1, 2)], script(Place(1, on_board.at(1, 7), 0)))
    assert (record["end"], record["winners"], record["score_1"], record["score_2"]) == (OWN, 0b01, 5, 0)
    assert (record["points_own_1"], record["turns"], record["longest_chain"]) == (5, 1, 10)


def test_tipping_a_die_may_connect(on_board, script):
    state = on_board.state(*without(on_board.WAY_1, (1, 6)), (2, 6), ambrosius=(3, 6))
    assert state.connected() == []
    _, record = on_board.play(state, [(1, 2)], script(Tip(1, on_board.at(2, 6), NORTH)))
    assert (record["end"], record["tipped"]) == (OWN, 1)


def test_moving_the_obstacle_away_may_connect(on_board, script):
    state = on_board.state(*on_board.WAY_1, obstacle=((1, 3), (1, 4)))
    _, record = on_board.play(state, [(4, 4)], script(SetObstacle((on_board.at(6, 6), on_board.at(6, 7)))))
    assert (record["end"], record["double_obstacle"]) == (OWN, 1)


def test_a_fellow_player_connected_by_the_same_move_receives_three_points(on_board, script):
    # Alchemist 3's chain lacks only the obstacle's removal, alchemist 1's too: it lies where both chains run.
    # Ways over one common link (3,3)-(4,3): 1 comes from above to the right side, 3 from below to the left side.
    way_1 = ((1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (5, 4), (5, 5), (5, 6), (5, 7), (4, 7))
    way_3 = ((7, 7), (6, 7), (5, 7), (3, 2), (3, 1), (4, 1))
    state = on_board.state(*way_1, *way_3, obstacle=((3, 3), (4, 3)))
    assert state.connected() == []
    _, record = on_board.play(state, [(4, 4)], script(SetObstacle((on_board.at(6, 6), on_board.at(7, 6)))))
    assert (record["end"], record["score_1"], record["score_2"], record["winners"]) == (SEVERAL, 5, 3, 0b01)
    assert (record["points_own_1"], record["points_other_2"]) == (5, 3)


@pytest.mark.parametrize("points", [3, 5])
def test_connected_by_another_player_who_is_not_connected(on_board, script, points):
    state = on_board.state(*without(on_board.WAY_1, (1, 7)), seat=1, connected_by_other=points)
    _, record = on_board.play(state, [(1, 2)], script(), script(Place(1, on_board.at(1, 7), 0)))
    assert (record["end"], record["score_1"], record["score_2"], record["winners"]) == (OTHER, points, 0, 0b01)


def test_a_corner_without_an_owner_connects_nobody(on_board, script):
    # Alchemist 2, target (7,4), has no owner with two players and one with three.
    assert on_board.state(*WAY_2).connected() == []
    assert on_board.state(*WAY_2, players=3).connected() == [1]


def test_placing_the_second_to_last_die_ends_the_game_with_three_points_and_chips_only(on_board, script):
    # The placement also connects seat 1, which then does not count.
    state = on_board.state(*without(on_board.WAY_1, (1, 7)), supply=11, others=[0, 1], favourite=[0, 1])
    _, record = on_board.play(state, [(1, 2)], script(Place(1, on_board.at(1, 7), 0)))
    assert (record["end"], record["score_1"], record["score_2"], record["winners"]) == (LAST_DIE, 3, 3, 0b11)
    assert (record["points_last_1"], record["points_own_1"], record["dice"]) == (3, 0, 10)


def test_only_a_placement_ends_the_game_by_the_last_die(on_board, script):
    state = on_board.state((5, 2), (5, 6), (6, 5), supply=5)
    player = script(Tip(1, on_board.at(5, 6), EAST))
    _, record = on_board.play(state, [(1, 2)], player)
    assert record is None
    assert state.supply == 2


def test_end_takes_chips_by_ruling(on_board, script):
    # The chain reaches chip (3,4) besides the target; the chip on the way to the target stays.
    fields = {*on_board.WAY_1, (2, 4), (3, 4)} - {(1, 7)}
    for takes, score in ((False, 5), (True, 6)):
        state = on_board.state(*fields, end_takes_chips=takes)
        _, record = on_board.play(state, [(1, 2)], script(Place(1, on_board.at(1, 7), 0)))
        assert (record["score_1"], record["taken_1"], record["dice"]) == (score, int(takes), 12 - takes)


def test_end_takes_no_chip_whose_die_holds_the_connection(on_board, script):
    inner = ((1, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (3, 6), (3, 7), (4, 7))
    state = on_board.state(*without(inner, (1, 2)), end_takes_chips=True)
    _, record = on_board.play(state, [(2, 3)], script(Place(2, on_board.at(1, 2), 0)))
    assert (record["end"], record["taken_1"], record["score_1"]) == (OWN, 0, 5)


def test_a_chip_needs_the_die_on_it_even_where_ends_need_none(on_board, script):
    # The chain ends beside target (4,7), whose favourite chip lies there without a die.
    state = on_board.state(
        *without(on_board.WAY_1, (1, 6), (4, 7)), chain_ends="beside", favourites="on_target", end_takes_chips=True
    )
    _, record = on_board.play(state, [(5, 6)], script(Place(5, on_board.at(1, 6), 0)))
    assert (record["end"], record["taken_1"], record["score_1"], record["dice"]) == (OWN, 0, 5, 9)


def test_chips_are_taken_before_a_last_die_end_by_ruling(on_board, script):
    state = on_board.state(*without(TO_CHIPS, (1, 2)), supply=7, end_takes_chips=True)
    _, record = on_board.play(state, [(2, 3)], script(Place(2, on_board.at(1, 2), 0)))
    assert (record["end"], record["taken_1"], record["score_1"]) == (LAST_DIE, 2, 3 + 1 + 1)


def test_before_a_last_die_end_even_chips_on_a_connection_are_taken_by_ruling(on_board, script):
    inner = ((1, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (3, 6), (3, 7), (4, 7))
    state = on_board.state(*without(inner, (1, 2)), supply=11, end_takes_chips=True)
    _, record = on_board.play(state, [(2, 3)], script(Place(2, on_board.at(1, 2), 0)))
    # (3,4) is a normal chip; once its die is gone, the favourite on (3,5) is still his: it was reached before.
    assert (record["end"], record["taken_1"], record["score_1"]) == (LAST_DIE, 2, 3 + 1 + 2)


# -- victory points --------------------------------------------------------------------------------------------


def test_scoring_example_six_seven_and_four_points(on_board, script):
    """The mover has connected himself and holds one chip; by his move also the second, who holds his favourite and
    two others; the third is not connected and holds the same.
    """
    state = on_board.state(
        *without((*on_board.WAY_1, *WAY_2), (1, 7)), players=3, favourite=[0, 1, 1], others=[1, 2, 2]
    )
    _, record = on_board.play(state, [(1, 2)], script(Place(1, on_board.at(1, 7), 0)))
    assert [record[f"score_{seat}"] for seat in (1, 2, 3)] == [5 + 1, 3 + 2 + 1 + 1, 0 + 2 + 1 + 1] == [6, 7, 4]
    assert (record["end"], record["winners"]) == (SEVERAL, 0b010)


def test_all_players_with_the_most_points_win(on_board, script):
    state = on_board.state(*without(on_board.WAY_1, (1, 7)), favourite=[0, 1], others=[0, 3])
    _, record = on_board.play(state, [(1, 2)], script(Place(1, on_board.at(1, 7), 0)))
    assert (record["score_1"], record["score_2"], record["winners"]) == (5, 5, 0b11)


def test_used_chips_give_no_points(on_board, script):
    state = on_board.state(*without(on_board.WAY_1, (1, 7)), others=[2])
    _, record = on_board.play(state, [(3, 4), (1, 2)], script(Place(1, on_board.at(1, 7), 0), reroll=[True]))
    assert (record["score_1"], record["rerolls_1"], record["kept_1"]) == (5 + 1, 1, 1)


# -- guards and counts -----------------------------------------------------------------------------------------


def test_a_game_in_which_all_pass_for_max_passes_rounds_is_unfinished(on_board, script):
    fields_of_1 = [(1, 1), (1, 7), (2, 3), (3, 6), (5, 2), (6, 5), (7, 1), (7, 7)]
    fields_of_2 = [(1, 2), (2, 4), (2, 7), (4, 2), (4, 6), (6, 1), (6, 4), (7, 6)]
    state = on_board.state(dice=dict.fromkeys(fields_of_1 + fields_of_2, "3^1"), max_passes=2, others=[0, 4])
    move = Place(4, on_board.at(1, 4), 0)
    throws = [(1, 2)] * 3 + [(4, 1)] + [(1, 2)] * 4
    _, record = on_board.play(state, throws, script(), script(move))
    assert (record["end"], record["unfinished"], record["winners"]) == (PASSES, 1, 0)
    assert (record["passes"], record["turns"], record["rounds"], record["score_2"]) == (7, 8, 4, 4)


def test_a_game_that_passes_max_turns_is_unfinished(on_board, script):
    state = on_board.state(max_turns=3)
    moves = [
        script(Place(2, on_board.at(1, 2), 0), Place(2, on_board.at(2, 7), 0)),
        script(Place(3, on_board.at(1, 3), 0)),
    ]
    _, record = on_board.play(state, [(2, 1), (3, 1), (2, 1)], *moves)
    assert (record["end"], record["unfinished"], record["turns"], record["rounds"]) == (TURNS, 1, 3, 2)


def test_lead_changes_count_sole_leaders_by_distance(on_board, script):
    away, back = MoveAmbrosius(on_board.at(4, 3)), MoveAmbrosius(on_board.at(4, 4))
    first = script(
        away, back, *(Place(value, on_board.at(1, value), 0) for value in (2, 3)), Place(5, on_board.at(1, 6), 0)
    )
    second = script(Place(2, on_board.at(7, 6), 0), away, Place(3, on_board.at(7, 5), 0), back)
    state = on_board.state(max_turns=9)
    distances = [
        (10, 10),
        (10, 9),  # seat 2 is the first leader
        (10, 9),
        (10, 9),
        (9, 9),  # shared: the lead stays
        (9, 8),
        (8, 8),
        (8, 8),
        (7, 8),  # the one change
    ]
    throws = [(6, 6), (2, 1), (6, 6), (6, 6), (2, 1), (3, 1), (3, 1), (6, 6), (5, 1)]
    events, record = on_board.play(state, throws, first, second)
    seen = [tuple(event.position.distance(seat) for seat in (0, 1)) for event in events if isinstance(event, Standing)]
    assert seen == distances
    assert record["lead_changes"] == 1


def test_doubles_are_counted_by_their_use(on_board, script):
    first = script(Place(1, on_board.at(1, 1), 0), Tip(1, on_board.at(1, 1), SOUTH))
    second = script(MoveAmbrosius(on_board.at(2, 3)), SetObstacle((0, 1)))
    state = on_board.state(max_turns=4, others=[1])
    first.rerolls = [True]
    _, record = on_board.play(state, [(6, 6), (1, 1), (3, 3), (1, 1), (4, 4)], first, second)
    names = ("doubles", "double_place", "double_tip", "double_ambrosius", "double_obstacle", "placed", "tipped")
    assert [record[name] for name in names] == [5, 1, 1, 1, 1, 1, 1]
