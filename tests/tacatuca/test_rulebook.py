"""Rulebook and rulings, clause by clause, on loaded dice. Amounts are worked out by hand in the comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims import game
from sims.engine.dice import LoadedDice, SeededDice
from sims.tacatuca.reference import Leaves, Round, Wins, replay, share
from sims.tacatuca.rules import Card, Rules

GAME = game("tacatuca")


def dice(text):
    """``"31 22"`` as the dice of one round, seat by seat."""
    return tuple(int(face) for face in text.replace(" ", ""))


def play(*rounds, **changes):
    """Events of a game whose rounds fall as given; it is broken off when they are used up."""
    players = len(dice(rounds[0])) // 2
    rules = Rules(**{"max_rounds": len(rounds), **changes})
    return list(replay(rules, GAME.lineup(players=players), LoadedDice([dice(text) for text in rounds])))


def pins_after(*rounds, **changes):
    return [event for event in play(*rounds, **changes) if isinstance(event, Round)][-1].pins


# -- how to play the game -------------------------------------------------------------------------------------


def test_each_player_starts_with_twenty_pins():
    # the same throw for all: no pin moves
    assert pins_after("21 12 21 21") == (20, 20, 20, 20)


def test_the_highest_sum_takes_the_difference_of_sums():
    assert pins_after("41 32", "52 21") == (24, 16)  # 5 and 5: nothing; 7 - 3 = 4


def test_the_highest_sum_takes_from_every_opponent_his_own_difference():
    assert pins_after("54 43 21") == (28, 18, 14)  # 9 takes 2 and 6


def test_the_lower_players_exchange_nothing_among_themselves():
    assert pins_after("64 43 52 31") == (32, 17, 17, 14)  # 10 takes 3, 3 and 6; 7 takes nothing from 4


def test_several_highest_each_take_from_every_lower_player():
    assert pins_after("54 63 31 41") == (29, 29, 10, 12)  # 9 and 9 take 5 from 4 and 4 from 5, each


def test_if_all_throw_the_same_no_pin_moves():
    for throw in ("66 66 66", "65 56 65", "11 11 11"):
        assert pins_after(throw) == (20, 20, 20)


def test_equal_sums_of_different_dice_exchange_nothing_by_the_plain_rule():
    assert pins_after("51 42 42") == (20, 20, 20)


def test_the_order_of_the_two_dice_does_not_matter():
    assert pins_after("13 12 22") == pins_after("31 21 22")


# -- game cards instructions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("throw", ["21 11", "32 22", "43 33", "54 44", "65 55"])
def test_truces_guard_saver_strong_commander_super_power(throw):
    assert pins_after(throw) == (20, 20)


def test_king_has_no_truce():
    assert pins_after("66 65") == (26, 14)  # 12 - 11 + 5


def test_a_truce_binds_only_the_pair_in_a_larger_game():
    # 2-1 is highest with 3, but gets nothing from the Guard; the other 1-1 likewise
    assert pins_after("21 11 11") == (20, 20, 20)
    # 5-4 takes 9 - 7 = 2 from 4-3, nothing from the Commander, who takes 8 - 7 + 3 = 4 from 4-3
    assert pins_after("54 44 43") == (22, 24, 14)


@pytest.mark.parametrize(
    ("throw", "gain"),
    [
        ("22 11", 2),  # Saver: 4 - 2
        ("22 31", 1),  # Saver: 4 - 4 + 1
        ("22 21", 2),  # Saver: 4 - 3 + 1
        ("33 11", 4),
        ("33 22", 2),
        ("33 42", 2),  # Strong: 6 - 6 + 2
        ("33 41", 3),
        ("33 32", 3),
        ("33 31", 4),
        ("33 21", 5),
        ("44 33", 2),
        ("44 53", 3),  # Commander: 8 - 8 + 3
        ("44 51", 5),
        ("44 21", 8),
        ("55 44", 2),
        ("55 64", 4),  # Super Power: 10 - 10 + 4
        ("55 61", 7),
        ("55 21", 11),
        ("66 11", 12),  # King: 12 - 2 + 2
        ("66 55", 4),
        ("66 64", 7),
        ("66 21", 14),
        ("33 51", 0),  # not on the Strong card, equal sums
        ("44 61", 1),  # not on the Commander card: 8 - 7 by the plain rule
        ("44 62", 0),
        ("61 33", 1),  # plain rule against a double
        ("63 44", 1),
        ("11 41", -3),
    ],
)
def test_cards(throw, gain):
    assert pins_after(throw) == (20 + gain, 20 - gain)


def test_a_double_that_is_not_highest_still_follows_its_card():
    # ruling doubles_collect = always: 6-5 takes 7 from the Saver and 8 from 2-1; the Saver takes 1 + 1 from 2-1
    assert pins_after("65 22 21") == (35, 15, 10)


def test_doubles_collect_highest_only():
    assert pins_after("65 22 21", doubles_collect="highest_only") == (35, 13, 12)
    # among the highest is enough: 5-5 and 6-4 share 10, the card still takes 0 + 4; both take 5 (+ 4) from 4-1
    assert pins_after("55 64 41", doubles_collect="highest_only") == (33, 21, 6)


def test_double_replaces_plain():
    assert pins_after("44 31") == (27, 13)  # 8 - 4 + 3
    assert pins_after("44 31", double_replaces_plain=False) == (31, 9)  # and the plain 4 on top
    # a double that is not highest has no plain amount to add
    assert pins_after("65 22 21", double_replaces_plain=False) == (35, 15, 10)


def test_a_truce_stands_against_every_card():
    # a card that takes from 4-4 meets the 4-4 that spares it
    cards = (Card("Lender", 4, ("6-6",), ()), *(card for card in Rules().cards if card.double != 4))
    assert pins_after("66 44", cards=cards) == (20, 20)
    assert pins_after("66 44", cards=cards[::-1]) == (20, 20)


# -- shortage -------------------------------------------------------------------------------------------------

# Seats 1 to 4; 6-6 and 5-5 and 4-4 against 2-1 ask 12 - 3 + 5 = 14, 10 - 3 + 4 = 11, 8 - 3 + 3 = 8: 33 pins.
# Besides, 6-6 asks 12 - 10 + 2 = 4 from 5-5 and 12 - 8 + 2 = 6 from 4-4, and 5-5 asks 10 - 8 = 2 from 4-4.


def test_shortage_clockwise_pays_whole_demands_from_the_left():
    # seat 2 owes: seat 3 (5-5) 11, seat 4 (4-4) 8, seat 1 (6-6) 14. He has 20: 11, 8, 1.
    assert pins_after("66 21 55 44") == (20 + 1 + 4 + 6, 0, 20 + 11 - 4 + 2, 20 + 8 - 6 - 2)
    # the same throws one seat on: the order goes with the table
    assert pins_after("44 66 21 55") == (20, 31, 0, 29)


def test_shortage_one_each_pays_one_pin_at_a_time():
    # 20 pins over 11, 8, 14: seven rounds of one each are 18 with 6 each ... 6, 6, 6, then 7, 7, 6
    assert pins_after("66 21 55 44", shortage="one_each") == (20 + 6 + 10, 0, 20 + 7 - 2, 20 + 7 - 8)


def test_shortage_proportional_pays_by_largest_remainder():
    # 20/33 of 11, 8, 14 is 6.67, 4.85, 8.48: 6, 4, 8 and the two left over to the largest remainders: 7, 5, 8
    assert pins_after("66 21 55 44", shortage="proportional") == (20 + 8 + 10, 0, 20 + 7 - 2, 20 + 5 - 8)


@pytest.mark.parametrize(
    ("shortage", "held", "owed", "paid"),
    [
        ("clockwise", 5, [3, 0, 4], [3, 0, 2]),
        ("clockwise", 2, [3, 0, 4], [2, 0, 0]),
        ("one_each", 5, [1, 9, 2], [1, 2, 2]),  # 1 1 1, then 2 and 2
        ("one_each", 2, [0, 9, 2], [0, 1, 1]),
        ("proportional", 1, [2, 2, 2], [1, 0, 0]),  # three equal remainders: clockwise
        ("proportional", 2, [2, 2, 2], [1, 1, 0]),
        ("proportional", 5, [6, 3, 1], [3, 2, 0]),  # 3, 1.5, 0.5: one left over, a tie, clockwise
        ("proportional", 7, [4, 4, 2], [3, 3, 1]),  # 2.8, 2.8, 1.4
        ("proportional", 6, [2, 2, 2], [2, 2, 2]),  # no shortage
    ],
)
def test_shares_of_a_debtor(shortage, held, owed, paid):
    assert share(Rules(shortage=shortage), held, owed) == paid


def test_pins_received_this_round_are_not_usable_to_pay_this_round():
    # two pins each: 2-1 owes 8 to 4-4, on his left, and pays 2; 4-4 owes the King 6, pays the 2 he held at the
    # start, keeps the 2 received, and so stays
    assert pins_after("44 66 21", pins=2) == (2, 4, 0)
    assert not any(isinstance(event, Leaves) and event.seat == 0 for event in play("44 66 21", pins=2))


# -- leaving and winning --------------------------------------------------------------------------------------


def test_a_player_without_pins_leaves_and_no_longer_counts():
    events = play("63 61 21", "31 21 66", "31 21 66", pins=6, max_rounds=3)
    assert [event.seat for event in events if isinstance(event, Leaves)] == [2]
    # round 1: 9 takes 2 and 6; rounds 2 and 3: the 6-6 of seat 3 is not heeded, 4 takes 1 from 3
    assert [event.pins for event in events if isinstance(event, Round)] == [(14, 4, 0), (15, 3, 0), (16, 2, 0)]


def test_the_last_player_with_pins_wins():
    events = play("63 61 21", "66 21 11", pins=6, max_rounds=9)
    assert isinstance(events[-1], Wins)
    assert (events[-1].seat, events[-1].turn) == (0, 1)


def record_of(*rounds, **changes):
    rules = Rules(**changes)
    players = len(dice(rounds[0])) // 2
    playthrough = replay(rules, GAME.lineup(players=players), LoadedDice([dice(text) for text in rounds]))
    while True:
        try:
            next(playthrough)
        except StopIteration as end:
            return end.value


def test_record_of_a_game_worked_by_hand():
    # 6 pins each. Pins after each round, sole leader:
    # 1  9 against 7 and 3: 2 and 6    14  4  0  seat 1, seat 3 leaves
    # 2  same throw                    14  4  0  seat 1, idle
    # 3  3-1 against 3-3: 2 + 2        10  8  0  seat 1
    # 4  5-2 against 5-4: 2             8 10  0  seat 2
    # 5  4-1 against 5-2: 2             6 12  0  seat 2
    # 6  6-6 against 5-5: 2 + 2        10  8  0  seat 1
    # 7  6-6 against 2-1: 9 + 5 of 8   18  0  0  seat 1, seat 2 leaves
    rounds = ("63 61 21", "31 31 66", "31 33 11", "52 54 11", "41 52 11", "66 55 11", "66 21 11")
    assert record_of(*rounds, pins=6) == {
        "winners": 0b001,
        "unfinished": 0,
        "rounds": 7,
        "place_1": 1,
        "place_2": 2,
        "place_3": 3,
        "left_round_1": 0,
        "left_round_2": 7,
        "left_round_3": 1,
        "comeback": 6,
        "lead_changes": 2,
        "leads_since": 6,
        "idle_rounds": 1,
        "pins_moved": 8 + 0 + 4 + 2 + 2 + 4 + 8,
        "quarter_leader_1": 1,  # after round 1
        "quarter_leader_2": 1,  # after round 3
        "quarter_leader_3": 2,  # after round 5
        "quarter_pins_1": 14,
        "quarter_pins_2": 10,
        "quarter_pins_3": 12,
    }


def test_players_who_leave_in_the_same_round_share_a_place():
    found = record_of("66 21 21 21", pins=2)  # all at once: second place three times
    assert [found[f"place_{seat}"] for seat in (1, 2, 3, 4)] == [1, 2, 2, 2]
    found = record_of("21 65 64 21", "11 54 41 11", "11 54 41 11", pins=6)
    assert [found[f"left_round_{seat}"] for seat in (1, 2, 3, 4)] == [1, 0, 3, 1]
    assert [found[f"place_{seat}"] for seat in (1, 2, 3, 4)] == [3, 1, 2, 3]


def test_an_unfinished_game_has_no_winner_and_open_places():
    found = record_of("63 61 21", "31 21 66", pins=6, max_rounds=2)
    expected = {"winners": 0, "unfinished": 1, "rounds": 2, "comeback": 0, "leads_since": 0}
    assert {name: found[name] for name in expected} == expected
    assert [found[f"place_{seat}"] for seat in (1, 2, 3)] == [0, 0, 3]


def test_a_tie_in_the_lead_is_no_lead_change():
    # 1: 21 19 | 2: 20 20 | 3: 21 19 (no change) | 4: 20 20 | 5: 19 21 (change)
    found = record_of("31 21", "21 31", "31 21", "21 31", "21 31", max_rounds=5)
    assert found["lead_changes"] == 1
    assert found["quarter_leader_2"] == 0  # after round 2
    assert found["quarter_pins_2"] == 20


# -- the story that `show` tells ------------------------------------------------------------------------------


def test_a_round_reads_like_a_sentence():
    assert str(play("31 22")[0]) == (
        "Round 1 | Seat 1 throws 3-1 (4), Seat 2 throws 2-2 (Saver) | "
        "Seat 2 takes 1 from Seat 1: Saver, difference 0 + 1 | pins 19 21"
    )
    assert str(play("54 44")[0]).split(" | ")[2] == (
        "Seat 1 takes nothing from Seat 2: Commander, truce: gives nothing to 5-4"
    )
    assert str(play("41 41")[0]).split(" | ")[2] == "no exchange"
    rounds = [str(event) for event in play("66 21", pins=2)]
    assert rounds[0].split(" | ")[2] == "Seat 1 takes 2 from Seat 2: King, difference 9 + 5 (owed 14, shortage)"
    assert rounds[1:] == ["Round 1 | Seat 2 has no pins left and leaves", "Round 1 | Seat 1 holds every pin and wins"]


@given(
    seed=st.integers(0, 2**63 - 1),
    number=st.integers(0, 2**63 - 1),
    players=st.integers(2, 4),
    pins=st.integers(1, 30),
    doubles_collect=st.sampled_from(["always", "highest_only"]),
    replaces=st.booleans(),
    shortage=st.sampled_from(["clockwise", "one_each", "proportional"]),
)
def test_pins_are_conserved_and_never_negative(seed, number, players, pins, doubles_collect, replaces, shortage):
    rules = Rules(pins, doubles_collect=doubles_collect, double_replaces_plain=replaces, shortage=shortage)
    before = (pins,) * players
    for event in replay(rules, GAME.lineup(players=players), SeededDice(seed, number)):
        if isinstance(event, Round):
            assert sum(event.pins) == players * pins
            assert min(event.pins) >= 0
            change = [0] * players
            for transfer in event.transfers:
                assert 0 <= transfer.paid <= transfer.owed
                change[transfer.taker] += transfer.paid
                change[transfer.giver] -= transfer.paid
            paid = [sum(t.paid for t in event.transfers if t.giver == seat) for seat in range(players)]
            owed = [sum(t.owed for t in event.transfers if t.giver == seat) for seat in range(players)]
            # whoever can pay pays all, whoever cannot pays everything he had
            assert paid == [min(due, held) for due, held in zip(owed, before, strict=True)]
            assert event.pins == tuple(held + gain for held, gain in zip(before, change, strict=True))
            before = event.pins
