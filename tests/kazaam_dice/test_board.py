"""Boards: the printed one turns onto itself, and every kind of slip in a file gets one clear line."""

import dataclasses
import tomllib

import pytest

from sims.engine.errors import InputError
from sims.engine.variant import replace
from sims.kazaam_dice import board as boards
from sims.kazaam_dice.rules import Rules

GOOD = '''
title = "Test"
seating = [[1], [1, 2]]
map = """
A1 f  T2
n  M  .
T1 w  A2
"""
creatures = """
1 2 3
4 M 6
5 4 2
"""
'''


@pytest.fixture
def board_file(tmp_path):
    def write(*changes):
        text = GOOD
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("name", boards.names())
def test_every_shipped_board_can_be_read(name):
    board = boards.load(name)
    assert board.name == name
    assert len(board.edges) == board.rows * (board.columns - 1) + board.columns * (board.rows - 1)


@pytest.mark.parametrize("name", ["standard", "small"])
def test_a_quarter_turn_maps_the_board_onto_itself_and_each_alchemist_to_the_next(name):
    board = boards.load(name)
    size = board.rows

    def turn(field):
        row, column = divmod(field, size)
        return column * size + size - 1 - row

    assert all(board.creatures[turn(field)] == board.creatures[field] for field in board.fields)
    for fields in (board.fire, board.water, board.normal):
        assert {turn(field) for field in fields} == set(fields)
    for places in (board.alchemists, board.targets, board.favourites):
        assert {alchemist % 4 + 1: turn(field) for alchemist, field in places.items()} == places


def test_the_printed_board_has_what_the_box_has():
    board = boards.load("standard")
    assert (board.rows, board.columns, board.centre) == (7, 7, 24)
    assert (len(board.alchemists), len(board.targets), len(board.favourites), len(board.normal)) == (4, 4, 4, 4)
    assert board.seating == {2: (1, 3), 3: (1, 2, 3), 4: (1, 2, 3, 4)}
    assert set(board.creatures) == {0, 1, 2, 3, 4, 5, 6}


def test_edges_come_by_field_the_eastern_before_the_southern(board_file):
    edges = boards.load(board_file()).edges
    assert edges == ((0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 6), (4, 5), (4, 7), (5, 8), (6, 7), (7, 8))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([('title = "Test"', "")], "title: is missing"),
        ([('title = "Test"', "title = 3")], "title: 3 is not a text"),
        ([('title = "Test"', 'title = "Test"\ncolour = 1')], "colour: no such key; allowed: title, seating, map"),
        ([("n  M  .", "n  M  . .")], "map: row 2 has 4 fields, row 1 has 3"),
        ([("A1 f  T2\nn  M  .\nT1 w  A2\n", "A1 M T1\n")], "map: 1 x 3 fields; 2 to 8 rows and columns"),
        ([("\n5 4 2", "")], "creatures: 2 x 3 fields, but the map has 3 x 3"),
        ([("n  M  .", "n  M  x")], "map: 'x' is not a mark"),
        ([("n  M  .", "n  M  A5")], "map: 'A5' is not a mark"),
        ([("n  M  .", "n  M  M")], "map: M is there 2 times"),
        ([("n  M  .", "n  .  .")], "map: M is missing"),
        ([("n  M  .", "A1 M  .")], "map: A1 is there 2 times"),
        ([("n  M  .", "n  M  v3")], "map: A3 is missing; v3 needs it"),
        ([("T1 w  A2", ".  w  A2")], "map: T1 is missing; A1 needs it"),
        ([("4 M 6", "4 M 7")], "creatures: '7' is not a creature"),
        ([("4 M 6", "4 5 6")], "M must stand where the map has M"),
        ([("4 M 6", "M M 6")], "field 4: M must stand where the map has M"),
        ([("A1 f  T2", "f  A1 T2")], "A1 stands at (1,2); it must be in a corner"),
        ([("n  M  .", "T1 M  ."), ("T1 w  A2", ".  w  A2")], "T1 is next to A1"),
        ([("[[1], [1, 2]]", "3")], "seating: 3 is not a list"),
        ([("[[1], [1, 2]]", "[[1], [1, 3]]")], "different alchemists of this board: 1, 2"),
        ([("[[1], [1, 2]]", "[[1, 1]]")], "seating: [1, 1] is not allowed"),
        ([("[[1], [1, 2]]", "[[1], [2]]")], "seating: two lines for 1 players"),
        ([('map = """', 'map = "'), ('\nA1 f  T2\nn  M  .\nT1 w  A2\n"""', 'A1"')], "map: 1 x 1 fields"),
        ([('map = """\nA1 f  T2\nn  M  .\nT1 w  A2\n"""', "map = 7")], "map: 7 is not a text of rows"),
        ([("seating", "seating =")], "broken TOML"),
    ],
)  # fmt: skip
def test_a_bad_board_gets_one_clear_line(board_file, changes, says):
    path = board_file(*changes)
    with pytest.raises(InputError) as caught:
        boards.load(path)
    assert says in str(caught.value)
    assert str(caught.value).startswith("mine.toml: ") or says == "broken TOML"
    assert "\n" not in str(caught.value)


def test_a_board_may_be_as_small_as_two_by_two(board_file):
    tiny = [("A1 f  T2\nn  M  .\nT1 w  A2\n", "A1 .\nM T1\n"), ("1 2 3\n4 M 6\n5 4 2\n", "1 2\nM 3\n")]
    board = boards.load(board_file(*tiny, ("[[1], [1, 2]]", "[[1]]")))
    assert (board.rows, board.columns, board.edges) == (2, 2, ((0, 1), (0, 2), (1, 3), (2, 3)))


def test_unknown_and_unreadable_boards_get_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"board: 'round' is unknown; allowed: standard, duel, pair, small, or"):
        boards.load("round")
    with pytest.raises(InputError, match=r"cannot be read"):
        boards.load(str(tmp_path / "none.toml"))


def test_a_board_seats_only_the_players_it_lists(board_file):
    board = boards.load(board_file())
    assert board.seats(2) == (1, 2)
    with pytest.raises(InputError, match="players: 4 is not allowed; board mine seats 1, 2"):
        board.seats(4)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("board", "round", "board: 'round' is unknown"),
        ("board", 3, "board: 3 is not allowed"),
        ("die", "123450", "die: '123450' is not allowed; creatures 1 to 6 once each"),
        ("die", 123456, "die: 123456 is not allowed"),
        ("fire", "1237", "fire: '1237' is not allowed; the creatures let in"),
        ("water", "44", "water: '44' is not allowed"),
        ("supply", 1, "supply: '1' is not allowed; a whole number from 2 to 64"),
        ("placing", "anywhere", "placing: 'anywhere' is not allowed; picture, any"),
    ],
)
def test_bad_rules_get_one_clear_line(key, value, says):
    with pytest.raises(InputError) as caught:
        replace(Rules(), {key: value})
    assert str(caught.value).startswith(says)


def test_rules_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().supply = 3  # type: ignore[misc]


WRONG = (7, -1, 2.5, True, "", [], [[]], [1], {}, {"x": 1}, [[7]], [["a"]], [[1.0]], [[True]], [[1, 1]], [[1], [1]])


@pytest.mark.parametrize("key", boards.KEYS)
def test_a_value_of_any_wrong_type_or_size_is_one_line_that_names_the_key(key):
    content = tomllib.loads(GOOD)
    for value in WRONG:
        if key == "title" and value == "":
            continue
        with pytest.raises(InputError) as caught:
            boards.parse(content | {key: value}, "mine.toml")
        assert str(caught.value).startswith(f"mine.toml: {key}: "), value
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=f"mine.toml: {key}: is missing; a board has title, seating, map, creatures"):
        boards.parse({name: value for name, value in content.items() if name != key}, "mine.toml")


@pytest.mark.parametrize("name", ["board", "die", "fire", "water"])
def test_a_component_of_any_wrong_type_is_one_line_that_names_it(name):
    for value in (7, 2.5, True, [], [1], {}, ["123456"], "0", "12345", "1234567", "123455", "none.toml", "\N{SNOWMAN}"):
        if name in ("fire", "water") and value == "12345":
            continue
        with pytest.raises(InputError) as caught:
            replace(Rules(), {name: value})
        told = str(caught.value)
        assert told.startswith(f"{name}: ") or "none.toml" in told, (value, told)
        assert "\n" not in told
