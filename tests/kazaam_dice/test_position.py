"""Position files: the shipped ones, what they mean, and one clear line for every inconsistency; the drawn board."""

import tomllib
from pathlib import Path

import pytest

from sims.engine.errors import InputError
from sims.engine.variant import load as load_variant
from sims.kazaam_dice import position
from sims.kazaam_dice import rules as rules_module
from sims.kazaam_dice.draw import draw
from sims.kazaam_dice.rules import Rules

FOLDER = Path(rules_module.__file__).parent
#: Shipped position -> the variant it is played with.
SHIPPED = {"opening": "standard", "one_to_go": "standard", "blocked": "small"}

DUEL = Rules(board="duel", supply=8)
GOOD = '''
players = 2
on_turn = 2
roll = [3, 5]
pieces = """
1^2 .   3^1
.   .   M
.   4^1 2^3
"""
obstacle = [[2, 1], [1, 1]]
chips = [[2, 3]]
held = [{ others = 1 }, {}]
'''


def parse(text, rules=DUEL):
    return position.parse(rules, tomllib.loads(text), "here.toml")


def test_every_shipped_position_can_be_read():
    assert {path.stem for path in (FOLDER / "positions").glob("*.toml")} == set(SHIPPED)
    for name, variant in SHIPPED.items():
        state = position.load(load_variant(FOLDER, Rules, variant).rules, FOLDER / "positions" / f"{name}.toml")
        assert not state.connected()


def test_the_example_one_to_go_is_one_die_short_and_holds_both_kinds_of_chips():
    state = position.load(Rules(), FOLDER / "positions" / "one_to_go.toml")
    assert (state.distance(0), state.favourite, state.others) == (1, [1, 0], [1, 0])


def test_what_a_position_file_means():
    state = parse(GOOD)
    assert (state.players, state.seat, state.roll, state.supply) == (2, 1, (3, 5), 4)
    assert {field: (state.top(field), state.die.north(state.dice[field])) for field in state.dice} == {
        0: (1, 2), 2: (3, 1), 7: (4, 1), 8: (2, 3),
    }  # fmt: skip
    assert (state.ambrosius, state.obstacle) == (5, (0, 3))
    assert (state.chips, state.favourite, state.others) == ({5: 1}, [0, 0], [1, 0])


def test_what_may_be_left_out():
    state = parse('players = 2\npieces = """\n. . .\n. M .\n. . .\n"""')
    assert (state.seat, state.roll, state.obstacle, state.dice) == (0, None, None, {})
    assert (state.chips, state.favourite, state.others) == ({3: 2, 5: 1}, [0, 0], [0, 0])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("players = 2", "", "players: is missing"),
        ("players = 2", "player = 2", "player: no such key; allowed: players, on_turn"),
        ("players = 2", "players = 5", "players: 5 is not allowed; a whole number from 1 to 4"),
        ("players = 2", "players = 3", "players: 3 is not allowed; board duel seats 2"),
        ("on_turn = 2", "on_turn = 3", "on_turn: 3 is not allowed; a whole number from 1 to 2"),
        ("on_turn = 2", "on_turn = true", "on_turn: True is not allowed"),
        ("[3, 5]", "[3, 7]", "roll: 7 is not allowed; a whole number from 1 to 6"),
        ("[3, 5]", "[3]", "roll: [3] is not allowed; two dice"),
        ("1^2 .   3^1\n", "", "pieces: 2 x 3 fields, but the board has 3 x 3"),
        ("1^2 .   3^1", "1^2 .", "pieces: row 2 has 3 fields, row 1 has 2"),
        ("1^2", "12", "pieces: '12' is not a piece"),
        ("1^2", "1^6", "pieces: 1^6: no die has 1 on top and 6 facing north"),
        ("1^2", "7^1", "pieces: '7^1' is not a piece"),
        (".   .   M", ".   .   .", "pieces: M is there 0 times"),
        (".   .   M", "M   .   M", "pieces: M is there 2 times"),
        ("1^2 .   3^1\n.   .   M", "M . 3^1\n. . .", "Ambrosius on (1,1); never on an alchemist's or target field"),
        ("4^1 2^3", "1^2 2^3", "pieces: 1^2 on (3,2): water does not let in creature 1"),
        ("1^2 .   3^1", "1^2 4^1 3^1", "pieces: 4^1 on (1,2): fire does not let in creature 4"),
        ("[[2, 1], [1, 1]]", "[[2, 1], [1, 2]]", "obstacle: (1,2) and (2,1) are not neighbours"),
        ("[[2, 1], [1, 1]]", "[[2, 1]]", "obstacle: [[2, 1]] is not allowed; two fields"),
        ("[[2, 1], [1, 1]]", "[[2, 1], [0, 1]]", "obstacle: row: 0 is not allowed; a whole number from 1 to 3"),
        ("[[2, 1], [1, 1]]", "[[3, 2], [3, 3]]", "close both sides of an alchemist's field"),
        ("[[2, 3]]", "[[2, 2]]", "chips: (2,2) is not allowed; each once of (2,1), (2,3)"),
        ("[[2, 3]]", "[[2, 3], [2, 3]]", "chips: (2,3) is not allowed; each once"),
        ("[[2, 3]]", "[4]", "chips: 4 is not a field; write [row, column]"),
        ("[[2, 3]]", "3", "chips: 3 is not a list of fields"),
        ("{ others = 1 }, {}", "{}", "held: [{}] is not allowed; one table for each of the 2 seats"),
        ("others = 1", "other = 1", "held: other: no such key; allowed: favourite, others"),
        ("others = 1", "favourite = 1", "held: favourite: 1 is not allowed; true or false"),
        ("others = 1", "favourite = true", "held: seat 1 cannot hold its favourite chip"),
        ("others = 1", "others = -1", "held: others: -1 is not allowed"),
        ("others = 1", "others = 2", "held: seat 1 holds 2 other chips; only 1 can be his"),
        ("{ others = 1 }, {}", "{}, { others = 1 }", "held: seat 2 holds 1 other chips; only 0 can be his"),
        (".   M\n.   4^1 2^3", "M   4^1\n.   4^1 2^3", "pieces: seat 2 is connected already; the game is over"),
    ],
)  # fmt: skip
def test_an_inconsistent_position_gets_one_clear_line(old, new, says):
    assert old in GOOD
    text = GOOD.replace(old, new)
    with pytest.raises(InputError) as caught:
        parse(text)
    assert says in str(caught.value)
    assert str(caught.value).startswith("here.toml: ") or says.startswith("players: 3")
    assert "\n" not in str(caught.value)


def test_the_obstacle_alone_may_keep_a_seat_from_being_connected():
    full = GOOD.replace(".   .   M\n.   4^1", "1^2 .   M\n1^2 4^1")
    assert parse(full).distance(0) > 0
    with pytest.raises(InputError, match="seat 1 is connected already"):
        parse(full.replace("obstacle", "# "))


def test_too_many_dice_and_too_many_chips_held_get_one_clear_line():
    with pytest.raises(InputError, match="4 dice; the game goes on with at most 3 on the board"):
        parse(GOOD, Rules(board="duel", supply=5))
    both_gone = GOOD.replace("[[2, 3]]", "[]").replace("{ others = 1 }, {}", "{ others = 1 }, { others = 2 }")
    with pytest.raises(InputError, match="seat 2 holds 2 other chips; only 1 can be his"):
        parse(both_gone)
    kept = GOOD.replace("[[2, 3]]", "[]").replace(
        "{ others = 1 }, {}", "{ favourite = true, others = 1 }, { others = 1 }"
    )
    with pytest.raises(InputError, match="seat 2 holds 1 other chips; only 0 can be his"):
        parse(kept)


def test_one_chip_is_not_held_by_two_seats():
    # All chips lie but the normal one on (2,3): either seat may hold it, not both.
    text = """
players = 2
pieces = '''
. . . . .
. . . . .
. . M . .
. . . . .
. . . . .
'''
chips = [[2, 2], [2, 4], [3, 2], [3, 4], [4, 2], [4, 3], [4, 4]]
held = [{ others = 1 }, { others = 0 }]
"""
    small = Rules(board="small")
    assert parse(text, small).others == [1, 0]
    with pytest.raises(InputError, match="held: 2 other chips are held; only 1 have been taken"):
        parse(text.replace("others = 0", "others = 1"), small)


def test_the_drawn_board_shows_every_thing_of_a_position():
    assert draw(parse(GOOD)).splitlines() == [
        "      1     2     3",
        "   +-----+-----+-----+",
        " 1 |[1^2]|     |[3^1]|",
        "   |A1  1|f   2|T2  3|",
        "   +#####+-----+-----+",
        " 2 |     |     | (M) |",
        "   |v2  4|M    |v1* 6|",
        "   +-----+-----+-----+",
        " 3 |     |[4^1]|[2^3]|",
        "   |T1  5|w   4|A2  2|",
        "   +-----+-----+-----+",
        "   seat 1, alchemist 1: 3 dice to go; chips: 1 other",
        "   seat 2, alchemist 2 (on turn): 2 dice to go; chips: 0 other",
    ]
    sideways = parse(GOOD.replace("[[2, 1], [1, 1]]", "[[2, 1], [2, 2]]"))
    assert " 2 |     #     | (M) |" in draw(sideways).splitlines()


WRONG = (7, -1, 2.5, True, "x", "", [], [[]], [1], {}, {"x": 1}, [[1, 2, 3]], [["a", "b"]], [[1.0, 1.0]], "\n")


@pytest.mark.parametrize("key", position.KEYS)
def test_a_value_of_any_wrong_type_or_size_is_one_line_that_names_the_key(key):
    content = tomllib.loads(GOOD)
    for value in WRONG:
        if key == "chips" and value == []:
            continue
        with pytest.raises(InputError) as caught:
            position.parse(DUEL, content | {key: value}, "here.toml")
        told = str(caught.value)
        assert f"here.toml: {key}: " in told or told.startswith(f"{key}: "), (value, told)
        assert "\n" not in told


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[3, 5]", "[3, 5, 1]", "roll: [3, 5, 1] is not allowed; two dice"),
        ("[3, 5]", "[]", "roll: [] is not allowed; two dice"),
        ("[3, 5]", "[0, 5]", "roll: 0 is not allowed; a whole number from 1 to 6"),
        ("[3, 5]", "[3.0, 5]", "roll: 3.0 is not allowed"),
        # no die can lie where another one does, or Ambrosius
        ("1^2 .   3^1", "1^23^1 . .", "pieces: '1^23^1' is not a piece"),
        ("[[2, 1], [1, 1]]", "[[1, 1], [1, 1]]", "obstacle: (1,1) and (1,1) are not neighbours"),
        ("[[2, 1], [1, 1]]", "[[1, 3], [2, 1]]", "obstacle: (1,3) and (2,1) are not neighbours"),
        # its own favourite lies on (2,3), so nobody holds it
        ("{ others = 1 }, {}", "{ favourite = true, others = 1 }, {}", "held: seat 1 cannot hold its favourite chip"),
        ("[[2, 3]]", "[[2, 1], [2, 3]]", "held: seat 1 holds 1 other chips; only 0 can be"),
        ("{ others = 1 }, {}", "{ others = true }, {}", "held: others: True is not allowed"),
        ("{ others = 1 }, {}", "{ others = 1 }, 3", "held: [{'others': 1}, 3] is not allowed; one table for each"),
        ("on_turn = 2", "on_turn = 0", "on_turn: 0 is not allowed; a whole number from 1 to 2"),
        ("players = 2", "players = 1", "players: 1 is not allowed; board duel seats 2"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_gets_one_clear_line(old, new, says):
    assert old in GOOD
    with pytest.raises(InputError) as caught:
        parse(GOOD.replace(old, new))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_as_many_dice_as_the_game_can_go_on_with_are_allowed():
    assert parse(GOOD, Rules(board="duel", supply=6)).supply == 2
    with pytest.raises(InputError, match="pieces: 4 dice; the game goes on with at most 3 on the board"):
        parse(GOOD, Rules(board="duel", supply=5))
