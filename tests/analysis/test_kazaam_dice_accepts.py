"""Kazaam Dice: what play accepts gets a sheet and a page, without a warning, and solve says what its answer rests on."""

import json
import re
from dataclasses import replace

import pytest

from analysis import cli
from analysis import page as skeleton
from analysis.chapter import Check, Study, chapter
from analysis.chapters.kazaam_dice import balance
from analysis.report import page, settled
from sims import GAMES, game
from sims.engine import variant
from sims.kazaam_dice import GAME

#: Seats only three, on a board that is not square, with one target beside another alchemist.
FOR_THREE = '''
title = "For three"
seating = [[3, 1, 2]]
map = """
A1 .  A2
T2 .  T3
M  f  T1
A3 .  .
"""
creatures = """
1 2 3
1 2 3
M 2 3
4 5 6
"""
'''
#: Far corners: nobody is within twelve dice when the first turn begins.
FAR = '''
title = "Far"
seating = [[1, 2]]
map = """
A1 . . . . . . A2
. . . . . . . .
. . . . . . . .
. . . M . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
T2 . . . . . . T1
"""
creatures = """
1 2 3 4 5 6 1 2
1 2 3 4 5 6 1 2
1 2 3 4 5 6 1 2
1 2 3 M 5 6 1 2
1 2 3 4 5 6 1 2
1 2 3 4 5 6 1 2
1 2 3 4 5 6 1 2
1 2 3 4 5 6 1 2
"""
'''


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = cli.main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.mark.parametrize(
    ("name", "shipped"), [(name, shipped) for name in GAMES for shipped in variant.names(game(name).folder)]
)
def test_every_shipped_variant_of_every_game_can_be_played(run, name, shipped):
    status, out, err = run("play", name, "-v", shipped, "-n", "2")
    assert (status, err.count("Traceback")) == (0, 0)
    assert "2 games" in out
    assert shipped in run("games")[1]


def built(monkeypatch, shipped, changes, players, number, policies=("runner",)):
    """A page, as text; known answers are checked elsewhere."""
    known = replace(chapter("kazaam-dice"), checks=lambda study: [Check("two and two", "arithmetic", 4.0, 4.0)])
    monkeypatch.setattr(skeleton, "chapter", lambda name: known)
    asked = Study(GAME, GAME.variant(shipped, changes), GAME.lineup(policies, players), None, number, 1)
    sections = list(skeleton.sections(asked))
    return page(asked, sections, settled(sections), "oddsmith report")


SLOW = pytest.mark.slow
EXTREMES = [
    ("pair", {}, 2, 1),
    ("duel", {"supply": 2}, 2, 1),
    pytest.param("duel", {"max_turns": 1}, 2, 2, marks=SLOW),
    pytest.param("small", {"supply": 16, "max_passes": 1}, 2, 2, marks=SLOW),
    (
        "duel",
        {"fire": "", "water": "", "fire_water": "no_suicide", "points_connection": 0, "points_also": 0,
         "connected_by_other": 0, "points_last_die": 0},
        2,
        2,
    ),
    pytest.param("standard", {"board": "three"}, 3, 2, marks=SLOW),
    pytest.param("standard", {"board": "far", "max_turns": 1}, 2, 1, marks=SLOW),
]  # fmt: skip


@pytest.mark.parametrize(("shipped", "changes", "players", "number"), EXTREMES, ids=str)
def test_every_accepted_variant_gives_a_page(monkeypatch, tmp_path, shipped, changes, players, number):
    for name, text in (("three", FOR_THREE), ("far", FAR)):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    if changes.get("board") in ("three", "far"):
        changes = changes | {"board": str(tmp_path / f"{changes['board']}.toml")}
    text = re.sub(r"<svg.*?</svg>", "", built(monkeypatch, shipped, changes, players, number), flags=re.DOTALL)
    assert "Do the ambiguous rules matter?" in text
    assert re.search(r"\bnan\b|\binf\b", text) is None
    if changes.get("supply") == 2 or changes.get("max_turns") == 1:
        assert "In these games no connection earns points." in text
        assert "chain that decided it" not in text


@pytest.mark.parametrize("name", ["placing", "taking", "favourites", "end_takes_chips", "chain_ends"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_reading_gives_a_sheet_for_every_number_of_players(name, players):
    (value,) = variant.rulings(GAME.rules)[name].alternatives
    chosen = GAME.variant("small", {name: value, "max_turns": 8})
    tables = balance.balance(Study(GAME, chosen, GAME.lineup(["runner"], players), players, 1, 1)).tables
    assert set(tables) >= {"seats", "corners", "course", "ends", "by_others", "rulings", "parts"}
    assert all(len(table.frame) for name, table in tables.items() if name not in ("doubles_worth", "kingmaking"))


def test_solve_says_what_rests_on_the_other_seats(run, tmp_path):
    # seat 2 reaches the chip on (3,4), whose die seat 1 needs: with 1 and 3 it goes on to 11 of 36, or to nothing
    path = tmp_path / "crossed.toml"
    path.write_text(
        '''
players = 2
roll = [1, 3]
pieces = """
1^2 .   .   .   .   .   .
5^1 .   .   .   .   .   .
3^1 4^1 5^1 6^2 5^1 1^2 .
.   .   .   M   6^2 .   .
.   .   .   .   5^1 .   .
.   .   .   .   1^2 .   .
.   .   .   .   3^1 2^1 1^2
"""
chips = [[3, 3], [3, 4]]
held = [{ favourite = true }, {}]
''',
        encoding="utf-8",
    )
    call = ("solve", "kazaam-dice", "--position", str(path))
    text, content = run(*call)[1], json.loads(run(*call, "--format", "json")[1])
    assert "exactly" not in text
    assert "Exact" not in text
    assert (
        "(11/27) if no other seat takes a chip meanwhile; whatever they take, the chance is at least 0.00 % (0)."
        in text
    )
    assert content["exact"] is False
    assert content["condition"] == "if no other seat takes a chip meanwhile"
    assert (content["fraction"], content["at_least"]["fraction"], content["at_most"]["fraction"]) == (
        "11/27",
        "0",
        "11/27",
    )
    best = content["choices"][0]
    assert (best["fraction"], best["at_least"], best["at_most"]) == ("11/36", 0, 11 / 36)
    alone = json.loads(run(*call, "--set", "taking=own_turn", "--format", "json")[1])
    assert (alone["exact"], alone["fraction"], "at_least" in alone) == (True, "11/27", False)
    assert "condition" not in alone
