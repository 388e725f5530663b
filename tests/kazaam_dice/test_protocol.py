"""What both writings must share: where dice and coins fall, who is asked what and when; and what events say."""

from sims.engine.dice import CHOICE
from sims.kazaam_dice.reference import play
from sims.kazaam_dice.state import MoveAmbrosius, Place, Tip


class Spy:
    """Loaded dice that note at which address each word is asked for."""

    def __init__(self, throws):
        self.throws, self.thrown, self.tossed = list(throws), [], []

    def throw(self, count, *, turn, seat=0, roll=0):
        self.thrown.append((turn, seat, roll))
        return self.throws.pop(0)

    def below(self, bound, *, turn, seat=0, roll=0, purpose=CHOICE):
        self.tossed.append((turn, seat, roll, purpose))
        return 0


class Tosser:
    """Tosses a coin for every decision and then does as the script says."""

    def __init__(self, script):
        self.script = script

    def use(self, state, moves, coin):
        coin(len(moves))
        return self.script.use(state, moves, coin)

    def reroll(self, state, coin):
        coin(2)
        return self.script.reroll(state, coin)

    def extra(self, state, coin):
        coin(2)
        return self.script.extra(state, coin)

    def take(self, state, seat, field, coin):
        coin(2)
        return self.script.take(state, seat, field, coin)


def spied(state, throws, *scripts):
    dice = Spy(throws)
    events = []
    try:
        for event in play(state, [Tosser(script) for script in scripts], dice):
            events.append(event)
    except IndexError:  # the throws are used up
        pass
    return dice, events


def test_throws_belong_to_the_seat_its_round_and_count_on_within_the_turn(on_board, script):
    state = on_board.state(favourite=[1], others=[1], max_turns=3)
    first = script(*(Place(value, on_board.at(1, value), 0) for value in (2, 3)), Place(1, on_board.at(5, 2), 0))
    first.rerolls, first.extras = [True], [True]
    second = script(Place(2, on_board.at(7, 6), 0))
    dice, _ = spied(state, [(5, 6), (2, 1), (3, 1), (2, 1), (1, 2)], first, second)
    assert dice.thrown == [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 0), (1, 0, 0)]


def test_each_decision_tosses_its_own_coin(on_board, script):
    # Seat 1 completes seat 2's chain to (5,5) and (5,4), after rolling again; he has an extra move.
    fields = ((7, 7), (7, 5), (6, 5), (5, 5), (5, 4))
    state = on_board.state(*fields, favourite=[1], others=[1])
    mover = script(Place(2, on_board.at(7, 6), 0), reroll=[True], extra=[False])
    owner = script(take=[True, False])
    dice, _ = spied(state, [(5, 6), (2, 3)], mover, owner)
    assert dice.tossed == [
        (0, 0, 128 * 0 + 1, CHOICE),  # roll the first throw again?
        (0, 0, 128 * 1 + 0, CHOICE),  # which use of the second throw
        (0, 4 * 1 + 0, 128 * 1 + 64 + on_board.at(5, 4), CHOICE),  # seat 2, asked on seat 1's turn
        (0, 4 * 1 + 0, 128 * 1 + 64 + on_board.at(5, 5), CHOICE),
        (0, 0, 128 * 1 + 2, CHOICE),  # the extra move
    ]


def test_nobody_is_asked_for_chips_after_a_pass(on_board, script):
    fields_of_1 = [(1, 1), (1, 7), (2, 3), (3, 6), (5, 2), (6, 5), (7, 1), (7, 7)]
    fields_of_2 = [(1, 2), (2, 4), (2, 7), (4, 2), (4, 6), (6, 1), (6, 4), (7, 6)]
    chain = [(1, 3), (3, 3)]  # with the fields of 1 and 2: from (1,1) to the chip on (3,3)
    state = on_board.state(dice=dict.fromkeys(fields_of_1 + fields_of_2 + chain, "3^1"))
    assert state.reached(0) == [on_board.at(3, 3)]
    owner = script()
    on_board.play(state, [(1, 2)], owner)
    assert owner.asked == []


def test_every_event_says_what_happened(on_board, script):
    fields = ((1, 1), (1, 3), (2, 3), (3, 3))
    state = on_board.state(*fields, seat=1, others=[0, 1], dice={(2, 1): "2^1", (6, 1): "2^6"}, max_turns=3)
    mover = script(Place(2, on_board.at(1, 2), 0), Tip(2, on_board.at(6, 1), 1), reroll=[True], extra=[True])
    owner = script(MoveAmbrosius(on_board.at(2, 2)), take=[True])
    state.favourite[1] = 1
    _, events = spied(state, [(5, 6), (2, 3), (2, 3), (4, 4), (1, 4)], owner, mover)
    said = [str(event) for event in events if not hasattr(event, "position")]
    assert said[:10] == [
        "round 1, seat 2 rolls 5 and 6",
        "round 1, seat 2 spends a chip to roll again",
        "round 1, seat 2 rolls 2 and 3",
        "round 1, seat 2 places 2 on (1,2), 1 facing north",
        "round 1, seat 2 moved, and seat 1 takes the favourite chip of alchemist 4 on (3,3) and its die",
        "round 1, seat 2 spends the own favourite chip on an extra move",
        "round 1, seat 2 rolls 2 and 3",
        # 2 up, 1 south: 1-2-3 run counter-clockwise, so 3 looks west and comes up; water refuses it.
        "round 1, seat 2 tips the 2 on (6,1) east, it now shows 3: it drowns",
        "round 2, seat 1 rolls 4 and 4",
        "round 2, seat 1 moves Ambrosius to (2,2)",
    ]
    drawn = [str(event) for event in events if hasattr(event, "position")]
    assert len(drawn) == 3
    assert " 2 |[2^1]| (M) |[1^2]|     |     |     |     |" in drawn[-1].splitlines()
