"""Rules and boards: what is shipped, and one clear line for what is not allowed."""

import pytest

import sims
from sims.engine import variant
from sims.engine.errors import InputError
from sims.tschakka_lakka import board
from sims.tschakka_lakka.rules import Rules

GAME = sims.game("tschakka-lakka")


def test_the_printed_temple():
    temple = board.load("temple")
    assert temple.entrances == ((1, 1), (1, 8), (8, 1), (8, 8))
    assert len(temple.chambers) == 60
    assert sorted(gem.kind for gem in temple.gems) == ["pink"] * 4 + ["yellow"] * 8


def test_the_temple_is_symmetric_and_no_two_gems_share_a_chamber():
    temple = board.load("temple")
    gems = {(gem.kind, gem.row, gem.column) for gem in temple.gems}
    # quarter turn and mirror image of the crossings (i, j) of eight rows and columns
    assert {(kind, column, 8 - row) for kind, row, column in gems} == gems
    assert {(kind, row, 8 - column) for kind, row, column in gems} == gems
    around = [chamber for gem in temple.gems for chamber in temple.around(gem)]
    assert len(around) == len(set(around)) == 48


def test_neighbours_are_horizontal_and_vertical_chambers():
    temple = board.load("temple")
    assert temple.neighbours((4, 4)) == ((3, 4), (4, 3), (4, 5), (5, 4))
    assert temple.neighbours((1, 1)) == ((1, 2), (2, 1))
    assert temple.neighbours((1, 2)) == ((1, 3), (2, 2))
    assert temple.neighbours((3, 8)) == ((2, 8), (3, 7), (4, 8))


def test_every_shipped_board_has_a_variant():
    used = {GAME.variant(name).rules.board for name in variant.names(GAME.folder)}
    assert used == set(board.shipped())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 1", "mine.toml: colour: no such key; allowed: title, squares, gems"),
        ("title = 3", "mine.toml: title: 3 is not a text"),
        ("gems = []", "mine.toml: squares: is missing$"),
        ('squares = "E."', "mine.toml: squares: 'E.' is not a list of rows"),
        ("squares = []", r"mine.toml: squares: \[\] is not a list of rows"),
        ('squares = ["E........"]', "mine.toml: squares: 1 row of 9; at most 8 by 8"),
        ('squares = ["E..", ".."]', "mine.toml: squares: row '..' is not as long as the first, 3"),
        ('squares = ["E.x"]', "mine.toml: squares: 'x' is not allowed; E entrance, . chamber, # no square"),
        ('squares = ["..."]', "mine.toml: squares: a temple needs an entrance"),
        ('squares = ["EEE"]', r"mine.toml: squares: a temple needs an entrance \(E\) and a treasure chamber"),
        ('squares = ["E.#."]', r"mine.toml: squares: chamber \[1, 4\] cannot be reached from an entrance"),
        ('squares = ["E.", ".."]', "mine.toml: gems: is missing$"),
        ('squares = ["E.", ".."]\ngems = 3', "mine.toml: gems: 3 is not a list of gems such as { kind"),
        (
            'squares = ["E.", ".."]\ngems = []',
            "mine.toml: gems: a temple needs at least one gem; list gems such as { kind",
        ),
        ('squares = ["E.", ".."]\ngems = [3]', "mine.toml: gems: 3 is not allowed; list gems such as { kind"),
        ('squares = ["E.", ".."]\ngems = [{ at = [1, 1] }]', r"mine.toml: gems: kind: is missing in {'at': \[1, 1\]}"),
        ('squares = ["E.", ".."]\ngems = [{ kind = "pink" }]', "mine.toml: gems: at: is missing in {'kind': 'pink'}"),
        (
            'squares = ["E.", ".."]\ngems = [{ kind = "pink", at = [1, 1], worth = 3 }]',
            "mine.toml: gems: worth: no such key; allowed: kind, at",
        ),
        (
            'squares = ["E.", ".."]\ngems = [{ kind = "pink", at = [1.0, 1] }]',
            r"mine.toml: gems: at: \[1.0, 1\] is not a crossing",
        ),
        ('squares = [["E", "."]]', r"mine.toml: squares: \[\['E', '.'\]\] is not a list of rows"),
        ("squares = [" + "'E.', " * 9 + "]", "mine.toml: squares: 9 rows of 2; at most 8 by 8"),
        (
            'squares = ["E.", ".."]\ngems = [{ kind = "blue", at = [1, 1] }]',
            "mine.toml: gems: kind: 'blue' is not allowed; yellow or pink",
        ),
        (
            'squares = ["E.", ".."]\ngems = [{ kind = "pink", at = [1] }]',
            r"mine.toml: gems: at: \[1\] is not a crossing \[row, column\]",
        ),
        (
            'squares = ["E.", ".."]\ngems = [{ kind = "pink", at = [2, 1] }]',
            r"mine.toml: gems: at: \[2, 1\] is not a crossing inside the temple beside a chamber",
        ),
        (
            'squares = ["E.", ".."]\ngems = [{ kind = "pink", at = [1, 1] }, { kind = "yellow", at = [1, 1] }]',
            r"mine.toml: gems: at: \[1, 1\] holds two gems",
        ),
        ("squares = [", "mine.toml: broken TOML"),
    ],
)
def test_a_bad_board_gets_one_line(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as error:
        board.load(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('board = "moon"', "board: 'moon' is unknown; allowed: small-4x4, temple, tiny-2x2, tiny-3x3, or the path"),
        ("board = 3", "board: 3 is not the name of a board"),
        ('sizes = "5/5"', "sizes: '5/5' is not allowed; small/medium/large of each colour, as 5/5/5"),
        ('sizes = "5/5/x"', "sizes: '5/5/x' is not allowed"),
        ("sizes = 15", "sizes: 15 is not allowed"),
        (f"sizes = '{'9' * 5000}/0/0'", "sizes: '9+[.][.]' is not allowed; small/medium/large of each colour"),
        ("end_gems = 13", "end_gems: 13 is not allowed; board 'temple' has 12 gems"),
        ("board = 'tiny-2x2'\nsizes = '0/0/1'", "end_gems: 3 is not allowed; board 'tiny-2x2' has 2 gems"),
        ('sizes = "5/5/4"', "sizes: '5/5/4' is 56 treasures; board 'temple' has 60 chambers"),
        ('board = "tiny-2x2"', "sizes: '5/5/5' is 60 treasures; board 'tiny-2x2' has 4 chambers"),
        ('layout = "threes"', "layout: 'threes' is not allowed; pairs, no_line, free"),
        ('gem_needs = "none"', "gem_needs: 'none' is not allowed; all, any"),
        ('tower = "weight"', "tower: 'weight' is not allowed; height, count"),
        ("skull_limit = 8", "skull_limit: '8' is not allowed; a whole number from 0 to 7"),
        ("dice = 8", "dice: '8' is not allowed; a whole number from 1 to 7"),
        ("dice = true", "dice: 'true' is not allowed"),
        ("colours = 5", "colours: no such rule; allowed: board, sizes, layout"),
    ],
)
def test_a_bad_variant_gets_one_line(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(f"[rules]\n{text}\n")
    with pytest.raises(InputError, match=message) as error:
        variant.load(GAME.folder, Rules, str(path))
    assert "\n" not in str(error.value)


def test_a_users_board_is_played(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('squares = ["E....", "....."]\ngems = [{ kind = "pink", at = [1, 2] }]')
    with pytest.raises(InputError, match="has 9 chambers"):
        Rules(board=str(path), sizes="1/1/0")
    path.write_text('squares = ["E....", "#...."]\ngems = [{ kind = "pink", at = [1, 2] }]')
    rules = Rules(board=str(path), sizes="1/1/0", end_gems=0)
    assert GAME.build_tables(rules, 2).rules[0]["chamber_count"] == 8
    with pytest.raises(InputError, match=r"end_gems: 2 is not allowed; board '.*mine.toml' has 1 gem$"):
        Rules(board=str(path), sizes="1/1/0", end_gems=2)


def test_variants_differ_from_the_boxed_game_in_what_they_say():
    assert GAME.variant("standard").rules == Rules()
    assert GAME.variant("harsh").rules == Rules(skull_limit=4)
    assert GAME.variant("quick-gems").rules == Rules(gem_needs="any")
