"""Every exact answer under every rule: it moves as brute force or simulated games do, is refused, or cannot matter."""

import dataclasses
import random
import tomllib
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from analysis.chapter import Study
from analysis.chapters.kazaam_dice import odds
from sims.engine.errors import InputError
from sims.engine.game import encode
from sims.engine.variant import Variant
from sims.kazaam_dice import GAME, position
from sims.kazaam_dice.die import die
from sims.kazaam_dice.exact import Others, Turn
from sims.kazaam_dice.rules import SEVERAL, Rules
from sims.kazaam_dice.scatter import chain_chances
from sims.kazaam_dice.state import State, Tip
from sims.kazaam_dice.whole import Whole

#: The duel's board with three pictures exchanged.
OTHER_PICTURES = '''
title = "Other pictures"
seating = [[1, 2]]
map = """
A1 f  T2
v2 M  v1
T1 w  A2
"""
creatures = """
3 1 4
5 M 6
2 4 2
"""
'''
#: Two by two for one: a die beside both ends connects, and Ambrosius stands on one of the two fields for it.
TINY = '''
title = "Two by two"
seating = [[1]]
map = """
A1 .
M  T1
"""
creatures = """
1 2
M 3
"""
'''
#: Two by three for two, without chips: one die connects seat 1, whoever places it.
FOR_TWO = '''
title = "Two by three"
seating = [[1, 2]]
map = """
A1 .  T1
A2 M  T2
"""
creatures = """
1 2 3
4 M 5
"""
'''

ENDED = "the game is over then, and so is the question"
POINTS = "the answer is a chance, not points"
LATER = "the guards act after a turn, the answer is about this one"
NO_CHIPS = "boards with chips are refused"
SCATTERED = "dice are scattered, nobody plays"
NET = "only the net and the creatures' rights decide what a tip does"

#: For every rule and every exact answer, another value that moves it, or why it cannot matter. The answers: ``turn``
#: (chance to connect within this turn), ``whole`` (whole games), ``connect`` (scattered dice), ``elements`` (fatal tips).
HANDLED = {
    "board": {"turn": ("other pictures",), "whole": ("water",), "connect": ("standard",), "elements": NET},
    "die": {"turn": ("134562",), "whole": ("134562",), "connect": SCATTERED, "elements": ("134562",)},
    "fire": {"turn": ("2",), "whole": ("13",), "connect": SCATTERED, "elements": ("12",)},
    "water": {"turn": ("5",), "whole": ("56",), "connect": SCATTERED, "elements": ("4",)},
    "supply": {"turn": (5,), "whole": (2,), "connect": "any number of dice is counted, to the full board", "elements": NET},
    "placing": {"turn": ("any",), "whole": ("any",), "connect": SCATTERED, "elements": NET},
    "double_placing": {"turn": ("any",), "whole": ("any",), "connect": SCATTERED, "elements": NET},
    "fire_water": {"turn": ("no_suicide",), "whole": ("no_suicide",), "connect": SCATTERED, "elements": ("no_suicide",)},
    "chain_ends": {"turn": ("beside",), "whole": ("on",), "connect": ("beside",), "elements": NET},
    "taking": {"turn": ("own_turn",), "whole": NO_CHIPS, "connect": SCATTERED, "elements": NET},
    "favourites": {"turn": ("on_target",), "whole": NO_CHIPS, "connect": SCATTERED, "elements": NET},
    "end_takes_chips": {"turn": ENDED, "whole": NO_CHIPS, "connect": SCATTERED, "elements": NET},
    "points_connection": {"turn": POINTS, "whole": (7,), "connect": SCATTERED, "elements": NET},
    "points_also": {
        "turn": POINTS, "whole": "in the games solved here no move connects two seats", "connect": SCATTERED, "elements": NET
    },
    "connected_by_other": {"turn": POINTS, "whole": (5,), "connect": SCATTERED, "elements": NET},
    "points_last_die": {"turn": POINTS, "whole": (4,), "connect": SCATTERED, "elements": NET},
    "points_favourite": {"turn": POINTS, "whole": NO_CHIPS, "connect": SCATTERED, "elements": NET},
    "points_chip": {"turn": POINTS, "whole": NO_CHIPS, "connect": SCATTERED, "elements": NET},
    "max_passes": {"turn": LATER, "whole": (1,), "connect": SCATTERED, "elements": NET},
    "max_turns": {"turn": LATER, "whole": (2,), "connect": SCATTERED, "elements": NET},
}  # fmt: skip
ANSWERS = ("turn", "whole", "connect", "elements")


def moved(answer):
    return [(name, row[answer][0]) for name, row in HANDLED.items() if isinstance(row[answer], tuple)]


def unmoved(answer):
    return [name for name, row in HANDLED.items() if isinstance(row[answer], str)]


def other_value(rules, name):
    """Some other allowed value of a rule."""
    spec = next(field for field in dataclasses.fields(Rules) if field.name == name).metadata["spec"]
    now = getattr(rules, name)
    if spec.parse:
        return {"board": "standard", "die": "134562", "fire": "12", "water": "4"}[name]
    return next(value for value in spec.allowed or (spec.low, spec.high) if value != now)


def test_every_rule_is_handled_for_every_answer():
    assert list(HANDLED) == [field.name for field in dataclasses.fields(Rules)]
    assert all(tuple(row) == ANSWERS for row in HANDLED.values())


# -- this turn -------------------------------------------------------------------------------------------------

DUEL = Rules(board="duel", supply=8)


def drawn(seed, rules):
    """A position with a roll on a board of three by three, drawn at random; None if no game can be there."""
    rng, state = random.Random(seed), State.start(rules, 2)
    fields = list(state.board.fields)
    state.ambrosius = rng.choice([f for f in fields if f not in (0, 2, 6, 8)])
    for field in rng.sample(fields, rng.randrange(3, 7)):
        orientation = rng.randrange(24)
        if field != state.ambrosius and state.may_enter(state.die.top(orientation), field):
            state.dice[field] = orientation
    state.favourite[0] = rng.randrange(2)
    if state.favourite[0]:
        state.chips = {field: chip for field, chip in state.chips.items() if chip != 1}
    state.roll = rng.randrange(1, 7), rng.randrange(1, 7)
    return state if state.supply >= 2 and not state.connected() else None


def solved(state):
    """The chances of the best use of the roll, if the other seat takes nothing, or what hurts, or what helps."""
    turn = Turn(state)
    return tuple(turn.under(others).choices()[0].chance for others in Others)


def walked(state, plain_turn, modes=3):
    """The same by a plain walk, or the first of them."""
    return tuple(plain_turn(pick).best_of_roll(state, state.roll) for pick in (None, min, max)[:modes])


def drawn_pairs(changes, number):
    """Positions with the same pieces under the duel's rules and under other ones."""
    # a die that burns matters by going back to a supply that is nearly used up
    base = dataclasses.replace(DUEL, supply=6) if "fire_water" in changes else DUEL
    for seed in range(number):
        one, other = (drawn(seed, rules) for rules in (base, dataclasses.replace(base, **changes)))
        if one and other:
            yield one, other


def differ(one, other, name):
    """Whether the answers differ; only the question who takes chips needs all three."""
    if name == "taking":
        return solved(one) != solved(other)
    return Turn(one).choices()[0].chance != Turn(other).choices()[0].chance


@pytest.mark.parametrize(("name", "value"), moved("turn"))
def test_a_turn_moves_with_the_rule_as_a_plain_walk_does(name, value, plain_turn, tmp_path):
    if name == "board":
        value = str(tmp_path / "pictures.toml")
        (tmp_path / "pictures.toml").write_text(OTHER_PICTURES, encoding="utf-8")
    for one, other in drawn_pairs({name: value}, 1000):
        if differ(one, other, name):
            for state in (one, other):
                modes = 3 if name == "taking" else 1
                assert solved(state)[:modes] == walked(state, plain_turn, modes)
            return
    pytest.fail("no position tells the two apart")


@pytest.mark.parametrize("name", unmoved("turn"))
def test_what_cannot_matter_moves_no_turn(name):
    for one, other in drawn_pairs({name: other_value(DUEL, name)}, 12):
        assert solved(one) == solved(other)


def test_a_die_that_the_other_seat_gives_back_can_save_the_turn(plain_turn):
    # Six dice, four of them on the board: placing one more ends the game by the last die. A 2-2 moves only Ambrosius or
    # the obstacle; if then seat 2 takes the chip on (2,3), which its chain from (3,3) reaches, the extra move may place
    # a 5 on (3,1), 11 of 36 rolls.
    state = State.start(dataclasses.replace(DUEL, supply=6), 2)
    state.dice = {field: state.die.number(top, 1 if top != 1 else 2) for field, top in {0: 1, 3: 4, 5: 3, 8: 1}.items()}
    state.chips, state.favourite[0], state.roll = {5: 2}, 1, (2, 2)
    assert solved(state) == walked(state, plain_turn) == (0, 0, Fraction(11, 36))


#: Seat 1 needs two more dice and holds its favourite chip; the chain of seat 2 reaches the chip on (3,4), whose die
#: seat 1 needs too.
CROSSED = """
players = 2
pieces = '''
1^2 .   .   .   .   .   .
5^1 .   .   .   .   .   .
3^1 4^1 5^1 6^2 5^1 1^2 .
.   .   .   M   6^2 .   .
.   .   .   .   5^1 .   .
.   .   .   .   1^2 .   .
.   .   .   .   3^1 2^1 1^2
'''
chips = [[3, 3], [3, 4]]
held = [{ favourite = true }, {}]
roll = [1, 3]
"""


def test_what_the_other_seat_takes_can_make_a_turn_hopeless():
    # with 1 and 3 the player places the 3 on (3,7); then a 4 on the target (4,7) is missing, 11 of 36 rolls
    state = position.parse(Rules(), tomllib.loads(CROSSED), "crossed.toml")
    assert solved(state) == (Fraction(11, 36), 0, Fraction(11, 36))
    alone = position.parse(Rules(taking="own_turn"), tomllib.loads(CROSSED), "crossed.toml")
    assert solved(alone) == (Fraction(11, 36),) * 3


# -- whole games -----------------------------------------------------------------------------------------------


@pytest.fixture
def tiny_board(tmp_path):
    def write(name, text):
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def tiny_rules(name, board):
    """Rules under which another value of the rule shows, and the number of players."""
    if name in ("connected_by_other", "points_also"):
        return Rules(board=board("two", FOR_TWO), supply=3, chain_ends="beside"), 2
    kind = {"fire": "f", "fire_water": "f", "die": "f", "water": "w"}.get(name, ".")
    return Rules(board=board("tiny", TINY.replace("A1 .", f"A1 {kind}")), supply=3, chain_ends="beside"), 1


def agrees_with_games(rules, players, found):
    """Whether random games of the kernel end as often in each way, with the same points."""
    games = 20_000
    out = np.empty((games, len(GAME.columns(players))), np.int32)
    GAME.play_games(GAME.build_tables(rules, players), encode([GAME.policy("random")] * players), 3, 0, out)
    column = dict(zip(GAME.columns(players), out.T.astype(float), strict=True))
    pairs = [(column["end"] == end, chance) for end, chance in enumerate(found.ends)]
    pairs += [(column[f"score_{seat + 1}"], points) for seat, points in enumerate(found.points)]
    pairs.append((column["turns"], found.turns))
    return all(abs(values.mean() - exact) <= 5 * values.std() / sqrt(games) + 1e-3 for values, exact in pairs)


@pytest.mark.parametrize(("name", "value"), moved("whole"))
def test_a_whole_game_moves_with_the_rule_as_played_games_do(name, value, tiny_board):
    rules, players = tiny_rules(name, tiny_board)
    if name == "board":
        value = tiny_board("water", TINY.replace("A1 .", "A1 w"))
    changed = dataclasses.replace(rules, **{name: value})
    one, other = (Whole(each, players).uniform for each in (rules, changed))
    differ = [*(one.ends - other.ends), *(one.points - other.points), one.turns - other.turns]
    assert max(map(abs, differ)) > 0.005
    assert agrees_with_games(rules, players, one)
    assert agrees_with_games(changed, players, other)


def test_whole_games_with_chips_are_refused_whatever_the_rules_of_chips():
    for name in unmoved("whole"):
        if name != "points_also":
            with pytest.raises(InputError, match="board: duel has chips; whole games are solved on boards without"):
                Whole(dataclasses.replace(DUEL, **{name: other_value(DUEL, name)}), 2)


def test_no_move_of_a_solved_game_connects_two_seats(tiny_board):
    rules, players = tiny_rules("points_also", tiny_board)
    assert Whole(rules, players).uniform.ends[SEVERAL] == 0


# -- scattered dice --------------------------------------------------------------------------------------------


def connected_by_hand(rules, dice):
    state, found = State.start(rules, 2), 0
    free = [field for field in state.board.fields if field != state.board.centre]
    for fields in combinations(free, dice):
        state.dice = dict.fromkeys(fields, 0)
        found += 0 in state.connected()
    return Fraction(found, comb(len(free), dice))


def test_scattered_dice_move_with_the_board_and_the_ends_of_chains():
    (_, board), (_, ends) = moved("connect")
    beside = dataclasses.replace(DUEL, chain_ends=ends)
    assert chain_chances(DUEL, 1)[4] == connected_by_hand(DUEL, 4)
    assert chain_chances(beside, 1)[4] == connected_by_hand(beside, 4) != chain_chances(DUEL, 1)[4]
    # ten dice on the printed board: a shortest way past the centre, and nothing else
    assert chain_chances(dataclasses.replace(DUEL, board=board), 1)[10] == Fraction(
        comb(9, 3) - comb(6, 3), comb(48, 10)
    )


@pytest.mark.parametrize("name", unmoved("connect"))
def test_what_cannot_matter_moves_no_scattered_dice(name):
    assert chain_chances(dataclasses.replace(DUEL, **{name: other_value(DUEL, name)}), 1) == chain_chances(DUEL, 1)


# -- fire and water --------------------------------------------------------------------------------------------


def elements(rules):
    study = Study(GAME, Variant("x", "x", "x", rules), GAME.lineup([], 2), 2, 1, 1)
    kinds = odds.kinds_of(study)
    return odds.elements(study).frame[list(kinds)].to_numpy(), kinds


def tipped_by_hand(rules):
    """For each way a die lies: the directions in which it is lost, and those in which it may not go."""
    board = Rules(board="duel").load_board()
    lost, closed = np.zeros((24, 2)), np.zeros((24, 2))
    for kind, name in enumerate(("fire", "water")):
        everywhere = {"fire": frozenset(), "water": frozenset()} | {name: frozenset(board.fields)}
        for number in range(24):
            for direction in range(4):
                state = State.start(rules, 2)
                state.board, state.die = dataclasses.replace(board, **everywhere), die(rules.die)
                state.ambrosius, state.dice = 0, {4: number}
                if not state.may_tip(4, direction):
                    closed[number, kind] += 1 / 4
                elif state.apply(Tip(state.top(4), 4, direction)):
                    lost[number, kind] += 1 / 4
    return lost, closed


@pytest.mark.parametrize(("name", "value"), [("supply", 8), *moved("elements")])
def test_fatal_tips_are_those_that_the_position_knows(name, value):
    rules = dataclasses.replace(DUEL, **{name: value})
    lost, closed = tipped_by_hand(rules)
    found, kinds = elements(rules)
    if value == "no_suicide":
        assert (kinds, lost.any()) == (("closed_by_fire", "closed_by_water"), False)
        assert (found == closed).all()
    else:
        assert (kinds, closed.any()) == (("burns", "drowns"), False)
        assert (found == lost).all()
    assert name in ("supply", "fire_water") or (found != elements(DUEL)[0]).any()


@pytest.mark.parametrize("name", unmoved("elements"))
def test_what_cannot_matter_moves_no_tip(name):
    assert (elements(dataclasses.replace(DUEL, **{name: other_value(DUEL, name)}))[0] == elements(DUEL)[0]).all()
