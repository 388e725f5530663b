"""Variants are read strictly: one clear line for everything that is not allowed."""

from dataclasses import dataclass

import numpy as np
import pytest

import sims
from sims.engine import variant
from sims.engine.errors import InputError


@dataclass(frozen=True)
class Rules:
    stones: int = variant.number(5, "stones", low=1, high=9)
    tie: str = variant.ruling("share", "who wins a tie", alternatives=("nobody",))
    swap: bool = variant.ruling(True, "seats are swapped", alternatives=(False,))


def write(folder, text):
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path):
    found = variant.load(
        tmp_path, Rules, write(tmp_path, 'title = "T"\nsummary = "S"\n[rules]\nstones = 7\nswap = false\n')
    )
    assert (found.title, found.summary, found.rules) == ("T", "S", Rules(7, "share", False))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[rules]\nstone = 3", "mine.toml: stone: no such rule; allowed: stones, tie, swap"),
        ("[rules]\nstones = 0", "mine.toml: stones: '0' is not allowed; a whole number from 1 to 9"),
        ("[rules]\nstones = 10", "mine.toml: stones: '10' is not allowed; a whole number from 1 to 9"),
        ("[rules]\nstones = 2.5", "mine.toml: stones: '2.5' is not allowed; a whole number from 1 to 9"),
        ("[rules]\nstones = true", "mine.toml: stones: 'true' is not allowed; a whole number from 1 to 9"),
        ('[rules]\ntie = "me"', "mine.toml: tie: 'me' is not allowed; share, nobody"),
        ("[rules]\nswap = 1", "mine.toml: swap: '1' is not allowed; true, false"),
        ("colour = 1", "mine.toml: colour: no such key; allowed: title, summary, rules"),
        ("title = 1", "mine.toml: title: 1 is not a text"),
        ("rules = 3", "mine.toml: rules: 3 is not a table"),
        ("[rules\nstones = 1", "broken TOML"),
    ],
)
def test_one_line_says_what_where_and_what_is_allowed(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as error:
        variant.load(tmp_path, Rules, path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_kernels_carry_a_word_by_its_place_and_all_else_as_it_is():
    record = np.zeros(1, [("swap", np.int64), ("tie", np.int64), ("other", np.int64)])[0]
    variant.carry(Rules(stones=7, tie="nobody", swap=True), record)
    assert record.item() == (1, 1, 0)
    variant.carry(Rules(swap=False), record)
    assert record.item() == (0, 0, 0)
    assert variant.coded(Rules(stones=7), "stones") == 7


def test_a_file_that_is_missing_or_no_text(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        variant.load(tmp_path, Rules, str(tmp_path / "none.toml"))
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text in UTF-8"):
        variant.load(tmp_path, Rules, str(tmp_path / "mine.toml"))


def test_other_readings_leave_out_what_the_variant_sets_and_nothing_else():
    standard = variant.Variant("standard", "", "", Rules())
    changed = standard.changed(tie="nobody")
    assert [(name, reading) for name, reading, _ in variant.other_readings(standard)] == [
        ("tie", "nobody"),
        ("swap", False),
    ]
    assert [(name, reading) for name, reading, _ in variant.other_readings(changed)] == [
        ("tie", "share"),
        ("swap", False),
    ]
    assert [other.rules for *_, other in variant.other_readings(changed)] == [Rules(), Rules(tie="nobody", swap=False)]


def test_other_readings_leave_out_what_the_other_rules_do_not_allow():
    @dataclass(frozen=True)
    class Narrow(Rules):
        def __post_init__(self):
            if self.tie == "nobody":
                raise InputError("tie: not on this board")

    chosen = variant.Variant("narrow", "", "", Narrow())
    assert [(name, reading) for name, reading, _ in variant.other_readings(chosen)] == [("swap", False)]


def test_assignments_on_the_command_line_are_typed_like_the_defaults():
    assert variant.from_text(Rules(), ["stones=3", "swap=false", "tie=nobody"]) == {
        "stones": 3,
        "swap": False,
        "tie": "nobody",
    }
    with pytest.raises(InputError, match="'stones' is not key=value"):
        variant.from_text(Rules(), ["stones"])
    with pytest.raises(InputError, match="no such rule"):
        variant.from_text(Rules(), ["x=1"])


@pytest.mark.parametrize("name", sims.GAMES)
def test_every_shipped_variant_loads_and_has_title_and_summary(name):
    game = sims.game(name)
    for stem in variant.names(game.folder):
        found = game.variant(stem)
        assert found.title
        assert found.summary
    assert variant.names(game.folder)[0] == "standard"
    assert game.variant().rules == game.rules(), "the defaults are the boxed game"


def test_a_users_file_is_its_path_and_what_it_held():
    import copy
    import json
    import pickle

    one, same, other = (variant.UserFile("b.toml", {"rows": rows}) for rows in (1, 1, 2))
    assert one == same != other
    assert one == "b.toml"
    assert len({one, same, other}) == 2
    for again in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert (again, again.content) == ("b.toml", {"rows": 1})
    assert json.dumps(one) == '"b.toml"'


def test_a_file_is_looked_for_beside_then_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    beside = tmp_path / "mine"
    beside.mkdir()
    with pytest.raises(InputError) as error:
        variant.find("board", "b.toml", beside)
    assert str(error.value) == (f"board: 'b.toml' is not there; tried {beside / 'b.toml'} and {tmp_path / 'b.toml'}")
    (tmp_path / "b.toml").write_text("")
    assert variant.find("board", "b.toml", beside).absolute() == tmp_path / "b.toml"
    (beside / "b.toml").write_text("")
    assert variant.find("board", "b.toml", beside) == beside / "b.toml"
    # an absolute path is one place, and named once
    with pytest.raises(InputError, match=r"tried \S+$"):
        variant.find("board", str(tmp_path / "c.toml"), beside)


def test_what_a_game_file_says_together_is_told_with_its_name(tmp_path):
    """Rules that do not go together name the file, as a single wrong rule does."""

    @dataclass(frozen=True)
    class Narrow(Rules):
        def __post_init__(self):
            if self.stones == 9 and not self.swap:
                raise InputError("stones: 9 only with swap")

    path = write(tmp_path, "[rules]\nstones = 9\nswap = false")
    with pytest.raises(InputError, match=r"^mine.toml: stones: 9 only with swap$"):
        variant.load(tmp_path, Narrow, path)
