"""The rulebook, clause by clause, on loaded dice.

Letters: B Y G R colours, * raccoon, S skull; B2 a medium blue treasure.
"""

from dataclasses import replace
from itertools import permutations

import pytest

from sims.tschakka_lakka import board
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.events import Busted, Idle, LastRound, Offered, Placed, Rolled, Scored, Stopped, TempleShown
from sims.tschakka_lakka.kernel import _score_towers
from sims.tschakka_lakka.reference import Game, tower_points
from sims.tschakka_lakka.rules import Rules, Treasure
from sims.tschakka_lakka.tables import build_tables

STOP, ON = True, False

# The raccoon of the pictures: a medium blue treasure above him, a small green one on his left, more behind that.
PICTURE = "(3,4) B2  (4,3) G1  (4,2) Y1  (5,3) R3  (8,4) B1"
FIRST_ROLL, SECOND_ROLL = "SSYRRRB", "GGYB"


def kinds(events):
    return [type(event) for event in events]


# -- 1. Move Raccoon Jones


def full_temple():
    return {at: Treasure("blue", 1) for at in board.load("temple").chambers}


def test_at_the_start_only_the_four_entrances_are_free():
    assert Game(Rules(), 2, full_temple()).places() == [(1, 1), (1, 8), (8, 1), (8, 8)]


def test_an_empty_chamber_beside_a_filled_one_is_free_and_no_other_square_is(some_temple):
    game = Game(Rules(), 2, some_temple("(1,2) B1  (4,4) R2"))
    assert game.places() == [(1, 1), (1, 3), (2, 2), (3, 4), (4, 3), (4, 5), (5, 4)]


@pytest.mark.parametrize("place", [(4, 4), (0, 4), (3, 3), (8, 8)])
def test_filled_outside_diagonal_and_lonely_squares_are_refused(turn, place):
    with pytest.raises(ValueError, match="the raccoon may not go"):
        turn("(4,4) R2", "RRRRRRR", place, [((4, 4), 2, STOP)])


def test_he_may_stay_where_he_is(game):
    found, _, _ = game(
        "(4,4) R1  (4,6) G1",
        "RSSSSSS GSSSSSS",
        ([(4, 5)], [((4, 4), 1, STOP)]),
        ([(4, 5)], [((4, 6), 1, STOP)]),
    )
    assert [event.square for event in found if isinstance(event, Placed)] == [(4, 5), (4, 5)]


# -- 2. Roll and place dice: the two illustrated rolls


def test_first_illustrated_roll_one_die_on_the_medium_blue_treasure_does_not_release_it(turn):
    found, record, player = turn(PICTURE, FIRST_ROLL, (4, 4), [((3, 4), 1, STOP)])
    assert found[2] == Offered(0, 0, (3, 4), Treasure("blue", 2), 1, 1)
    assert found[3] == Stopped(0, 0, (), (), 0, 4)
    # five dice were no skulls; only blue can be placed there, for yellow and red are out of reach
    assert player.seen[1] == ([(3, 4), (4, 3)], [(3, 4)], 5)
    assert (record["score_1"], record["stops_1"], record["dice_left_1"]) == (0, 1, 4)


def test_second_illustrated_roll_stopping_brings_only_the_small_green_treasure(turn):
    found, record, _ = turn(PICTURE, f"{FIRST_ROLL} {SECOND_ROLL}", (4, 4), [((3, 4), 1, ON), ((4, 3), 1, STOP)])
    assert kinds(found) == [Placed, Rolled, Offered, Rolled, Offered, Stopped]
    assert found[-1] == Stopped(0, 0, (Treasure("green", 1),), (), 1, 3)
    assert (record["score_1"], record["tower_green_1"], record["tower_blue_1"]) == (1, 1, 0)


def test_after_the_green_release_its_neighbours_are_within_reach_and_blue_still_is(turn):
    _, record, player = turn(
        PICTURE,
        f"{FIRST_ROLL} {SECOND_ROLL} YRB RB",
        (4, 4),
        [((3, 4), 1, ON), ((4, 3), 1, ON), ((4, 2), 1, ON), ((3, 4), 1, STOP)],
    )
    assert player.seen[3] == ([(3, 4), (4, 2), (5, 3)], [(3, 4), (4, 2), (5, 3)], 3)
    assert (record["small_1"], record["medium_1"], record["rolls_1"], record["dice_left_1"]) == (2, 2, 4, 1)


def test_the_marked_chamber_behind_an_unreleased_one_is_not_within_reach(turn):
    _, _, player = turn("(4,3) G2  (4,2) Y1", "GYYYYYY", (4, 4), [((4, 3), 1, STOP)])
    assert player.seen[1][0] == [(4, 3)]


# -- 2c. Place dice


@pytest.mark.parametrize(
    ("offer", "why"),
    [
        (((3, 4), 3, STOP), "more than needed"),
        (((3, 4), 0, STOP), "none"),
        (((4, 3), 1, STOP), "no green die"),
        (((5, 3), 1, STOP), "out of reach"),
        (((4, 5), 1, STOP), "empty"),
    ],
)
def test_dice_must_match_lie_within_reach_and_not_exceed_the_need(turn, offer, why):
    with pytest.raises(ValueError, match="is not allowed with"):
        turn(PICTURE, "BBBRRRR", (4, 4), [offer])


@pytest.mark.parametrize(("size", "needed"), [(1, 1), (2, 2), (3, 3)])
def test_a_treasure_is_released_by_as_many_dice_as_its_size(turn, size, needed):
    found, record, _ = turn(f"(1,2) R{size}", "RRRRSSS", (1, 1), [((1, 2), needed, STOP)])
    assert found[2].missing == 0
    assert record["score_1"] == size


def test_a_raccoon_is_a_joker_for_any_colour_alone_or_with_matching_dice(turn):
    for colour in "BYGR":
        _, record, _ = turn(f"(4,3) {colour}1", "*SSSSSS", (4, 4), [((4, 3), 1, STOP)])
        assert record["small_1"] == 1
    _, record, player = turn("(4,3) R3  (4,5) B3", "R**SSSS", (4, 4), [((4, 3), 3, STOP)])
    assert record["large_1"] == 3
    assert player.seen[1][1] == [(4, 3), (4, 5)]


def test_offerings_add_up_over_rolls(turn):
    _, record, _ = turn("(4,3) R3", "RSSBBBB RBBB *BB", (4, 4), [((4, 3), 1, ON)] * 2 + [((4, 3), 1, STOP)])
    assert (record["large_1"], record["rolls_1"], record["dice_left_1"]) == (3, 3, 2)


def test_partial_offerings_are_lost_at_a_stop(game):
    _, record, _ = game(
        "(4,3) R2  (4,2) B1",
        "RSSSSSS RSSSSSS RRSSSSS",
        ([(4, 4), (4, 4)], [((4, 3), 1, STOP), ((4, 3), 2, STOP)]),
        ([(4, 4)], [((4, 3), 1, STOP)]),
        max_turns=3,
    )
    # the last roll finds both dice still missing
    assert (record["medium_1"], record["medium_2"]) == (2, 0)


def test_a_chamber_emptied_in_an_earlier_turn_does_not_widen_the_reach(game):
    _, _, players = game(
        "(4,3) R1  (4,2) B1  (4,5) G1",
        "RSSSSSS GSSSSSS",
        ([(4, 4)], [((4, 3), 1, STOP)]),
        ([(4, 4)], [((4, 5), 1, STOP)]),
        max_turns=2,
    )
    assert players[1].seen[1][0] == [(4, 5)]


# -- 2b, 2d. Skulls, continue or stop


def test_skulls_and_placed_dice_are_not_rolled_again(turn):
    # 7 - 2 skulls - 1 placed = 4, then 4 - 1 - 1 = 2: loaded dice refuse another number
    found, _, _ = turn("(4,3) R3", "RSSBBBB RSBB BB", (4, 4), [((4, 3), 1, ON)] * 2)
    assert found[-1] == Busted(0, 0, 0, False)


def test_a_roll_without_a_placeable_die_ends_the_turn_and_leaves_everything(turn):
    found, record, _ = turn("(2,1) R1  (2,2) B3", "RGGGGGG GYYYYR", (1, 1), [((2, 1), 1, ON)])
    assert found[-1] == Busted(0, 0, 1, False)
    assert (record["score_1"], record["busts_1"], record["lost_1"], record["stops_1"]) == (0, 1, 1, 0)


def test_after_a_bust_treasures_and_gems_lie_where_they_were(game):
    found, _, _ = game("(4,3) R1  (3,3) B1", "RGGGGGG GGGGGG", ([(4, 4)], [((4, 3), 1, ON)]), ([], []), max_turns=1)
    before, after = (event for event in found if isinstance(event, TempleShown))
    assert (before.treasures, before.gems) == (after.treasures, after.gems)
    assert after.hoards[0].treasures == ()


def test_the_next_player_has_all_seven_dice_again(game):
    found, _, _ = game("(4,3) R3", "SSSSSSS RRRSSSS", ([(4, 4)], []), ([(4, 4)], [((4, 3), 3, STOP)]), max_turns=2)
    assert [len(event.faces) for event in found if isinstance(event, Rolled)] == [7, 7]


def test_without_dice_left_the_turn_ends_by_itself(turn):
    found, record, _ = turn("(4,3) R1", "RSSSSSS", (4, 4), [((4, 3), 1, ON)])
    assert isinstance(found[-1], Stopped)
    assert (record["small_1"], record["dice_left_1"]) == (1, 0)


def test_ruling_skull_limit_counts_the_skulls_of_the_turn(turn):
    throws, offers = "RSSGGGG GSSB", [((2, 1), 1, ON), ((2, 2), 1, STOP)]
    found, _, _ = turn("(2,1) R1  (2,2) G1", throws, (1, 1), offers, skull_limit=5)
    assert found[-1].points == 2
    found, record, _ = turn("(2,1) R1  (2,2) G1", throws, (1, 1), offers, skull_limit=4)
    assert found[-1] == Busted(0, 0, 1, True)
    assert record["lost_1"] == 1


# -- 3. Collect treasures and gems


def test_ruling_gem_needs_all_the_last_of_four_chambers_brings_the_gem(game):
    _, record, _ = game(
        "(3,3) R1  (3,4) G1  (8,4) B1",
        "RGSSSSS GSSSSSS",
        ([(4, 3)], [((3, 3), 1, STOP)]),
        ([(4, 4)], [((3, 4), 1, STOP)]),
        max_turns=2,
    )
    assert (record["pink_1"], record["pink_2"], record["score_2"]) == (0, 3, 4)


def test_ruling_gem_needs_any_the_first_of_four_chambers_brings_the_gem(game):
    chambers = "(3,3) R1  (3,4) G1  (4,3) B1  (4,4) B2"
    _, record, _ = game(chambers, "RSSSSSS", ([(2, 3)], [((3, 3), 1, STOP)]), ([], []), gem_needs="any", max_turns=1)
    assert (record["pink_1"], record["score_1"]) == (3, 4)
    _, record, _ = game(chambers, "RSSSSSS", ([(2, 3)], [((3, 3), 1, STOP)]), ([], []), max_turns=1)
    assert (record["pink_1"], record["score_1"]) == (0, 1)


def test_ruling_gem_needs_any_a_gem_beside_an_emptied_chamber_went_with_it(game):
    # (3,4), (4,3) and (4,4) are empty, so the gem among them is gone; the one at (5,5) falls with the first of its four
    chambers, script = "(3,3) R1  (6,6) G1  (6,5) B1  (5,5) B1  (5,6) B1", ([(4, 6)], [((5, 6), 1, STOP)])
    found, record, _ = game(chambers, "BSSSSSS", script, ([], []), gem_needs="any", max_turns=1)
    before, after = (event for event in found if isinstance(event, TempleShown))
    assert [(gem.row, gem.column) for gem in before.gems] == [(5, 5)]
    assert (after.gems, record["pink_1"]) == ((), 3)


def test_gems_are_worth_two_and_three(turn):
    _, record, _ = turn("(1,3) R1", "RSSSSSS", (1, 2), [((1, 3), 1, STOP)])
    assert (record["yellow_1"], record["pink_1"]) == (2, 0)


# -- End of the game


ENDING = "(3,3) R1  (5,5) G1  (7,3) B1"  # three chambers with a gem each


def test_the_round_is_played_to_its_end_and_all_take_the_same_number_of_turns(game):
    found, record, _ = game(
        ENDING,
        "RSSSSSS SSSSSSS GSSSSSS",
        ([(3, 4)], [((3, 3), 1, STOP)]),
        ([(5, 4)], []),
        ([(5, 4)], [((5, 5), 1, STOP)]),
        end_gems=2,
    )
    assert (record["turns"], record["rounds"], record["gems_left"]) == (3, 1, 1)
    assert [kind for kind in kinds(found) if kind in (LastRound, Scored)] == [LastRound, Scored]
    assert kinds(found).index(LastRound) < kinds(found).index(Busted)


def test_with_one_gem_more_the_next_round_begins(game):
    _, record, _ = game(
        ENDING,
        "SSSSSSS SSSSSSS RSSSSSS SSSSSSS",
        ([(3, 4), (3, 4)], [((3, 3), 1, STOP)]),
        ([(5, 4), (5, 4)], []),
        end_gems=2,
    )
    assert (record["turns"], record["rounds"]) == (4, 2)


def test_a_seat_that_finds_an_empty_temple_in_the_last_round_has_an_idle_turn(game):
    found, record, _ = game("(3,3) R1", "RSSSSSS", ([(3, 4)], [((3, 3), 1, STOP)]), ([], []))
    assert Idle(0, 1) in found
    assert (record["turns"], record["rolls_2"], record["busts_2"], record["stops_2"]) == (2, 0, 0, 0)


def test_a_game_that_meets_the_limit_has_no_winner_and_no_majorities(game):
    _, record, _ = game(
        "(3,3) R1  (5,5) G1", "RSSSSSS", ([(3, 4)], [((3, 3), 1, STOP)]), ([], []), max_turns=1, end_gems=0
    )
    assert (record["unfinished"], record["winners"], record["majority_1"], record["score_1"]) == (1, 0, 0, 4)


# -- Scoring


TOWERS = [
    # two players: only the highest tower scores
    ([5, 3], [5, 0]),
    ([4, 4], [3, 3]),
    ([4, 0], [5, 0]),
    ([0, 0], [0, 0]),
    # three
    ([5, 4, 3], [5, 3, 0]),
    ([5, 4, 4], [5, 2, 2]),
    ([5, 5, 4], [3, 3, 0]),
    ([5, 5, 5], [3, 3, 3]),
    ([5, 4, 0], [5, 3, 0]),
    ([5, 5, 0], [3, 3, 0]),
    ([5, 0, 0], [5, 0, 0]),
    # four
    ([6, 5, 4, 3], [5, 3, 0, 0]),
    ([6, 5, 5, 4], [5, 2, 2, 0]),
    ([6, 5, 4, 4], [5, 3, 0, 0]),
    ([6, 5, 5, 5], [5, 2, 2, 2]),
    ([6, 6, 5, 4], [3, 3, 0, 0]),
    ([6, 6, 5, 5], [3, 3, 0, 0]),
    ([6, 6, 6, 5], [3, 3, 3, 0]),
    ([6, 6, 6, 6], [3, 3, 3, 3]),
    ([6, 5, 5, 0], [5, 2, 2, 0]),
    ([6, 6, 0, 0], [3, 3, 0, 0]),
    ([6, 5, 0, 0], [5, 3, 0, 0]),
    ([6, 0, 0, 0], [5, 0, 0, 0]),
    ([0, 0, 0, 0], [0, 0, 0, 0]),
]


@pytest.mark.parametrize(("towers", "points"), TOWERS)
def test_majorities_in_every_combination_of_ties_and_seats(towers, points):
    players = len(towers)
    rules = build_tables(Rules(), players).rules[0]
    for order in permutations(range(players)):
        mixed, expected = [towers[seat] for seat in order], [points[seat] for seat in order]
        assert tower_points(Rules(), mixed) == expected
        work = W.new_work()[0]
        work["seats"][:players, W.TOWERS + 2] = mixed
        _score_towers(rules, work, players)
        assert work["seats"][:players, W.SEAT.majority].tolist() == expected
        assert work["seats"][:players, W.SEAT.score].tolist() == expected


def test_towers_are_compared_by_height_or_by_number(game):
    seats = (
        ([(3, 4)], [((3, 3), 3, STOP)]),
        ([(5, 5)], [((5, 6), 1, ON), ((5, 7), 1, STOP)]),
    )
    arguments = ("(3,3) R3  (5,6) R1  (5,7) R1", "RRRSSSS RBBBBBB RBBBBB", *seats)
    _, by_height, _ = game(*arguments, end_gems=12)
    _, by_count, _ = game(*arguments, end_gems=12, tower="count")
    assert (by_height["majority_1"], by_height["majority_2"]) == (5, 0)
    assert (by_count["majority_1"], by_count["majority_2"]) == (0, 5)


def test_seats_with_equal_points_all_win(game):
    found, record, _ = game(
        "(3,3) R1  (5,3) B1",
        "RSSSSSS BSSSSSS",
        ([(3, 4)], [((3, 3), 1, STOP)]),
        ([(5, 4)], [((5, 3), 1, STOP)]),
    )
    # a small treasure, its pink gem and the only tower of a colour each
    assert (record["score_1"], record["score_2"]) == (1 + 3 + 5, 1 + 3 + 5)
    assert record["winners"] == 0b11
    assert found[-1] == Scored(0, 1, (9, 9), (5, 5), (0, 1))


def test_the_leader_before_the_majorities_can_lose(game):
    _, record, _ = game(
        "(1,2) R3  (7,8) G1  (7,7) B1",
        "RRRSSSS GBBBBBB BBBBBB",
        ([(1, 1)], [((1, 2), 3, STOP)]),
        ([(8, 8)], [((7, 8), 1, ON), ((7, 7), 1, STOP)]),
    )
    # 3 points and one tower against 2 points and two towers
    assert (record["score_1"], record["score_2"], record["winners"]) == (3 + 5, 2 + 10, 0b10)
    assert (record["leader_lost"], record["majorities_decided"], record["lead_changes"]) == (1, 1, 0)


def test_the_lead_changes_when_another_seat_leads_alone(game):
    _, record, _ = game(
        "(1,2) R1  (2,1) R2  (7,8) G1  (7,7) B1  (4,4) Y1",
        "RSSSSSS GSSSSSS SSSSSSS BBBBBBB RRSSSSS SSSSSSS",
        ([(1, 1)] * 3, [((1, 2), 1, STOP), ((2, 1), 2, STOP)]),
        ([(8, 8), (7, 8), (4, 3)], [((7, 8), 1, STOP), ((7, 7), 1, STOP)]),
        max_turns=6,
    )
    # 1:0, 1:1, 1:1, 1:2, 3:2, 3:2
    assert record["lead_changes"] == 2


def test_points_of_every_size_and_gem_are_rules():
    points = replace(Rules(), small_points=4, medium_points=5, large_points=6, yellow_points=7, pink_points=8)
    game = Game(points, 2, full_temple())
    assert [game.worth(Treasure("red", size)) for size in (1, 2, 3)] == [4, 5, 6]
    assert {gem.kind: game.worth(gem) for gem in game.gems} == {"yellow": 7, "pink": 8}
