"""Position files: what they say, and one clear line for everything that cannot be so at the table."""

import dataclasses
from pathlib import Path

import pytest

from sims.engine.errors import InputError
from sims.tschakka_lakka import position
from sims.tschakka_lakka.rules import Rules

RULES = Rules()
SHIPPED = Path(position.__file__).parent / "positions"


def board(**tokens):
    """Eight lines with entrances in the corners and ``r3c4="B2"`` where named."""
    lines = [[".."] * 8 for _ in range(8)]
    for row, column in ((1, 1), (1, 8), (8, 1), (8, 8)):
        lines[row - 1][column - 1] = "E"
    for at, token in tokens.items():
        lines[int(at[1]) - 1][int(at[3]) - 1] = token
    return [" ".join(line) for line in lines]


#: A raccoon on (3, 3) between a small blue, a medium yellow and, behind the blue one, a large green treasure.
PLAIN = {"board": board(r3c4="B1", r4c3="Y2", r3c5="G3"), "raccoon": [3, 3]}


def parsed(**changes):
    return position.parse({**PLAIN, **changes}, RULES)


def test_a_position_says_what_lies_where():
    found = parsed(dice=3, released=[[3, 4]], placed=[{"chamber": [3, 5], "dice": 2}], roll="B*S")
    assert found.treasures == {(3, 4): (0, 1), (3, 5): (2, 3), (4, 3): (1, 2)}
    assert found.paid == {(3, 4): 1, (3, 5): 2}
    assert found.released == {(3, 4)}
    assert found.roll == (1, 0, 0, 0, 1, 1)
    assert found.skulls == 1
    assert found.reach() == ((3, 5), (4, 3))


def test_reach_is_next_to_the_raccoon_until_something_is_released():
    assert parsed().reach() == ((3, 4), (4, 3))


def test_seven_dice_and_nothing_placed_unless_told_otherwise():
    found = parsed()
    assert (found.dice, found.paid, found.roll, found.skulls) == (7, {}, None, 0)


def test_the_board_may_be_one_text():
    assert parsed(board="\n" + "\n".join(PLAIN["board"]) + "\n").treasures == parsed().treasures


def test_a_chamber_placed_in_full_is_released():
    assert parsed(dice=5, placed=[{"chamber": [3, 4], "dice": 1}]).released == {(3, 4)}


def test_gems_are_there_while_a_chamber_around_them_is_filled_unless_taken():
    # crossings (3, 3) and (3, 5) touch the treasures; (3, 5) touches (3, 5)
    assert [(gem.row, gem.column) for gem in parsed().gems] == [(3, 3), (3, 5)]
    assert [(gem.row, gem.column) for gem in parsed(gems_taken=[[3, 3]]).gems] == [(3, 5)]


def test_places_are_entrances_and_empty_chambers_next_to_a_filled_one():
    found = position.parse({"board": board(r1c2="R1", r2c2="B1")}, RULES)
    assert found.raccoon is None
    assert found.places() == ((1, 1), (1, 3), (2, 1), (2, 3), (3, 2))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_positions_are_read(path):
    assert position.read(path, RULES).treasures


WRONG = {
    "raccoon on a filled chamber": ({"raccoon": [3, 4]}, "raccoon: [3, 4] holds a treasure"),
    "raccoon next to none": ({"raccoon": [7, 7]}, "raccoon: [7, 7] is next to no filled chamber"),
    "raccoon outside": ({"raccoon": [0, 3]}, "raccoon: [0, 3] is outside the temple"),
    "raccoon is no square": ({"raccoon": 3}, "raccoon: 3 is not a square; write [row, column]"),
    "eight dice": ({"dice": 8}, "dice: 8 is not allowed; a whole number from 1 to 7"),
    "no dice": ({"dice": 0}, "dice: 0 is not allowed"),
    "dice true": ({"dice": True}, "dice: True is not allowed"),
    "five faces on four dice": ({"dice": 4, "roll": "BBYR*"}, "roll: 'BBYR*' shows 5 faces on 4 dice"),
    "unknown face": ({"dice": 2, "roll": "BX"}, "roll: 'BX' is not allowed; one letter a die: BYGR, * raccoon, S"),
    "roll is not a text": ({"roll": 7}, "roll: 7 is not allowed"),
    "paid above its size": (
        {"dice": 4, "placed": [{"chamber": [4, 3], "dice": 3}]},
        "placed: [4, 3]: 3 dice are not allowed; it takes 1 to 2",
    ),
    "paid nothing": ({"dice": 4, "placed": [{"chamber": [4, 3], "dice": 0}]}, "placed: [4, 3]: 0 dice are not allowed"),
    "placed is no list": ({"placed": 3}, "placed: 3 is not a list"),
    "placed without dice": ({"placed": [{"chamber": [4, 3]}]}, "write { chamber = [row, column], dice = n }"),
    "placed on nothing": ({"dice": 4, "placed": [{"chamber": [5, 5], "dice": 1}]}, "placed: [5, 5] holds no treasure"),
    "placed out of reach": (
        {"dice": 4, "placed": [{"chamber": [3, 5], "dice": 1}]},
        "placed: [3, 5] was never in reach",
    ),
    "released not connected": ({"dice": 4, "released": [[3, 5]]}, "released: [3, 5] was never in reach"),
    "released twice": ({"dice": 4, "released": [[3, 4], [3, 4]]}, "released: [3, 4] is named twice"),
    "released and placed": (
        {"dice": 4, "released": [[3, 4]], "placed": [{"chamber": [3, 4], "dice": 1}]},
        "placed: [3, 4] is named twice",
    ),
    "released nothing": ({"dice": 4, "released": [[1, 1]]}, "released: [1, 1] holds no treasure"),
    "more than seven dice in all": (
        {"dice": 6, "released": [[3, 4], [4, 3]]},
        "dice: 6 left and 3 on chambers are more than 7",
    ),
    "no gem there": ({"gems_taken": [[2, 2]]}, "gems_taken: [2, 2] is not where a gem lies; gems lie at [1, 3]"),
    "gem taken twice": ({"gems_taken": [[3, 3], [3, 3]]}, "gems_taken: [3, 3] is named twice"),
    "unknown key": ({"racoon": [3, 3]}, "racoon: no such key; allowed: board, raccoon, dice"),
    "board is not a text": ({"board": 3}, "board: 3 is not a text; 8 lines of 8 tokens such as E, .. or B2"),
    "a line is not a text": ({"board": [3]}, "board: [3] is not a text"),
    "raccoon is half a square": ({"raccoon": [3]}, "raccoon: [3] is not a square; write [row, column]"),
    "raccoon true": ({"raccoon": [True, 3]}, "raccoon: [True, 3] is not a square"),
    "raccoon on a fraction": ({"raccoon": [3.0, 3]}, "raccoon: [3.0, 3] is not a square"),
    "dice is no number": ({"dice": "4"}, "dice: '4' is not allowed; a whole number from 1 to 7"),
    "released is no list": ({"released": 3}, "released: 3 is not a list"),
    "released is no square": ({"released": [3]}, "released: 3 is not a square"),
    "placed on no square": ({"placed": [{"chamber": 3, "dice": 1}]}, "placed: chamber: 3 is not a square"),
    "placed with more": (
        {"placed": [{"chamber": [4, 3], "dice": 1, "colour": "Y"}]},
        "placed: {'chamber': [4, 3], 'dice': 1, 'colour': 'Y'} is not allowed; write",
    ),
    "placed true": ({"placed": [{"chamber": [4, 3], "dice": True}]}, "'dice': True} is not allowed; write"),
    "gems taken is no list": ({"gems_taken": 3}, "gems_taken: 3 is not a list"),
    "roll with a blank": ({"dice": 2, "roll": "B "}, "roll: 'B ' is not allowed"),
    "empty roll": ({"dice": 2, "roll": ""}, "roll: '' shows 0 faces on 2 dice"),
    "no square inside": ({"board": board(r3c4="#")}, "board: [3, 4]: there is a square; # is for places outside"),
    "no square in a corner": ({"board": board(r1c1="#")}, "board: [1, 1]: there is a square"),
    "six large yellow treasures": (
        {"board": board(**{f"r2c{column}": "Y3" for column in range(1, 7)}, r3c4="B1")},
        "board: 6 of Y3 (large yellow); there are 5 (sizes = 5/5/5)",
    ),
    "seven lines": ({"board": board(r3c4="B1")[:7]}, "board: 7 lines; the temple has 8"),
    "nine tokens": ({"board": [*board(r3c4="B1")[:7], "E .. .. .. .. .. .. .. E"]}, "board: line 8 has 9 tokens"),
    "bad colour": ({"board": board(r3c4="P1")}, "board: [3, 4]: 'P1' is not allowed; E, .., or BYGR with 1 to 3"),
    "bad size": ({"board": board(r3c4="B4")}, "board: [3, 4]: 'B4' is not allowed"),
    "treasure on an entrance": ({"board": board(r1c1="B1")}, "board: [1, 1]: 'B1' is a treasure where there is no"),
    "entrance inside": (
        {"board": board(r3c4="E")},
        "board: [3, 4]: there is no entrance; entrances are [1, 1], [1, 8]",
    ),
    "empty temple": ({"board": board()}, "board: no chamber holds a treasure"),
}


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_so_gets_one_line(changes, message):
    with pytest.raises(InputError) as caught:
        parsed(**changes)
    line = str(caught.value)
    assert line.startswith("position: ")
    assert message in line
    assert "\n" not in line


def test_as_many_treasures_as_the_rules_have_may_lie_there():
    five = board(**{f"r2c{column}": "Y3" for column in range(1, 6)}, r3c3="Y1")
    assert len(position.parse({"board": five}, RULES).treasures) == 6
    with pytest.raises(InputError, match=r"5 of Y3 \(large yellow\); there are 4 \(sizes = 6/5/4\)"):
        position.parse({"board": five}, dataclasses.replace(RULES, sizes="6/5/4"))


def test_the_board_is_needed():
    with pytest.raises(InputError, match=r"^position: board: is missing; 8 lines of 8 tokens such as E, .. or B2$"):
        position.parse({"raccoon": [3, 3]}, RULES)


def test_where_one_emptied_chamber_frees_a_gem_it_is_there_only_while_all_are_filled():
    literal = dataclasses.replace(RULES, gem_needs="any")
    assert position.parse(PLAIN, literal).gems == ()
    whole = board(r3c3="B1", r3c4="B2", r4c3="Y2", r4c4="G3")
    assert [(gem.row, gem.column) for gem in position.parse({"board": whole}, literal).gems] == [(3, 3)]
    # the yellow gem of the small temple touches two chambers, an entrance and no square
    tiny = dataclasses.replace(literal, board="tiny-2x2", sizes="1/0/0", end_gems=0)
    found = position.parse({"board": ["E B1 R1", "# Y1 .."]}, tiny)
    assert [gem.kind for gem in found.gems] == ["yellow"]


@pytest.mark.parametrize("key", ["roll", "released", "placed"])
def test_nothing_is_placed_before_the_raccoon(key):
    value = {"roll": "BBBBBBB", "released": [[3, 4]], "placed": [{"chamber": [3, 4], "dice": 1}]}[key]
    with pytest.raises(InputError, match=f"{key}: not before the raccoon has his place"):
        position.parse({"board": PLAIN["board"], key: value}, RULES)


def test_a_turn_that_the_skulls_have_ended_is_no_position():
    harsh = dataclasses.replace(RULES, skull_limit=3)
    assert position.parse({**PLAIN, "dice": 4, "released": [[3, 4]]}, harsh).skulls == 2
    with pytest.raises(InputError, match="dice: 3 left and 1 on chambers mean 3 skulls; 3 end the turn"):
        position.parse({**PLAIN, "dice": 3, "released": [[3, 4]]}, harsh)


def test_the_rules_say_how_many_dice_and_which_board():
    six = dataclasses.replace(RULES, dice=6)
    with pytest.raises(InputError, match="dice: 7 is not allowed; a whole number from 1 to 6"):
        position.parse({**PLAIN, "dice": 7}, six)
    tiny = dataclasses.replace(RULES, board="tiny-2x2", sizes="1/0/0", end_gems=2)
    found = position.parse({"board": ["E B1 R1", ".. Y1 G1"]}, tiny)
    assert len(found.gems) == 2
    # what lies outside the temple may be written as in a board's file
    assert position.parse({"board": ["E B1 R1", "# Y1 G1"]}, tiny) == found
    with pytest.raises(InputError, match=r"board: \[2, 1\]: 'B1' is a treasure where there is no chamber"):
        position.parse({"board": ["E B1 R1", "B1 Y1 G1"]}, tiny)


def test_broken_files_are_told_in_one_line(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("board = [")
    with pytest.raises(InputError, match=r"mine.toml: broken TOML"):
        position.read(path, RULES)
    path.write_text('board = ["E"]')
    with pytest.raises(
        InputError,
        match=r"^mine.toml: board: 1 line; the temple has 8 \(for another temple name its variant: --variant\)$",
    ):
        position.read(path, RULES)
    with pytest.raises(InputError, match=r"cannot be read"):
        position.read(tmp_path / "none.toml", RULES)
