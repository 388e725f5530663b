"""The contract of a game, on a toy with two policies: what is read from names, and what is refused in one line."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from sims.engine import game as engine
from sims.engine.errors import InputError
from sims.engine.game import Field, Game, Parameter, Policy
from sims.engine.variant import number

HOLD = Policy("hold", 3, "", "", "", (), (Parameter("points", 5, 2, 9, ""), Parameter("rolls", -1, -4, 4, "")))
FLEE = Policy("flee", 7, "", "", "", (), (Parameter("at", 1, 0, 3, ""),))
CHANCE = Policy("chance", 4, "", "", "")


@dataclass(frozen=True)
class Rules:
    stones: int = number(5, "stones", low=1, high=9)


GAME = Game(
    name="toy",
    title="Toy",
    summary="",
    folder=Path(__file__).parent,
    seats=(2, 3, 4),
    rules=Rules,
    roster={policy.name: policy for policy in (HOLD, FLEE, CHANCE)},
    default_policy="chance",
    fields=(Field("winners", 16, ""), Field("rounds", 9, ""), Field("points", 50, "", per_seat=True)),
    build_tables=lambda rules, players: None,
    play_games=lambda *arguments: None,
    replay=lambda *arguments: iter(()),
)


def refusal(work, *arguments):
    with pytest.raises(InputError) as error:
        work(*arguments)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("hold", (5, -1)),
        ("hold:points=2", (2, -1)),
        ("hold:rolls=4:points=9", (9, 4)),
        ("hold:rolls=-4", (5, -4)),
        ("flee:at=0", (0,)),
        ("chance", ()),
    ],
)
def test_a_policy_with_its_parameters(text, values):
    chosen = GAME.policy(text)
    assert (chosen.policy.name, chosen.values) == (text.partition(":")[0], values)
    assert GAME.policy(str(chosen)) == chosen


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("bold", "policy: 'bold' is unknown; allowed: hold, flee, chance"),
        (5, "policy: 5 is not a policy; write name or name:parameter=value"),
        ("hold:points=1", "policy hold: points: '1' is not allowed; a whole number from 2 to 9"),
        ("hold:points=10", "policy hold: points: '10' is not allowed; a whole number from 2 to 9"),
        ("hold:points=--2", "policy hold: points: '--2' is not allowed; a whole number from 2 to 9"),
        ("hold:points=", "policy hold: points: '' is not allowed; a whole number from 2 to 9"),
        ("hold:points=2:points=3", "policy hold: 'points' is given twice"),
        ("hold:stones=2", "policy hold: 'stones' is not a parameter; allowed: points, rolls"),
        ("chance:stones=2", "policy chance: 'stones' is not a parameter; allowed: no parameters"),
        ("chance:4", "policy chance: '4' is not a parameter; allowed: no parameters"),
        ("hold:4", "policy hold: '4' is not name=value; write hold:points=4; its parameters: points, rolls"),
        ("hold:rolls", "policy hold: 'rolls' is not name=value; write hold:rolls=-1; its parameters: points, rolls"),
        ("flee:2", "policy flee: '2' is not name=value; write flee:at=2"),
        ("flee:now", "policy flee: 'now' is not name=value; write flee:at=1"),
    ],
)
def test_a_policy_that_is_none(text, line):
    assert refusal(GAME.policy, text) == line


@pytest.mark.parametrize("digits", [31, 5000])
def test_a_parameter_of_many_digits(digits):
    assert "is not allowed; a whole number from 2 to 9" in refusal(GAME.policy, f"hold:points={'9' * digits}")


@pytest.mark.parametrize(
    ("policies", "players", "names"),
    [
        ((), None, ["chance"] * 2),
        ((), 4, ["chance"] * 4),
        ("", 3, ["chance"] * 3),
        ("flee", None, ["flee"] * 2),
        (["flee"], 3, ["flee"] * 3),
        ("flee,hold", None, ["flee", "hold"]),
        ("flee,hold,flee", None, ["flee", "hold", "flee"]),
        (("hold", "flee"), 2, ["hold", "flee"]),
        ("flee", 3.0, ["flee"] * 3),
        ("flee", np.int64(3), ["flee"] * 3),
    ],
)
def test_a_lineup(policies, players, names):
    assert [chosen.policy.name for chosen in GAME.lineup(policies, players)] == names


@pytest.mark.parametrize(
    ("policies", "players", "line"),
    [
        ((), 1, "players: 1 is not allowed; toy seats 2, 3, 4"),
        ((), 5, "players: 5 is not allowed; toy seats 2, 3, 4"),
        ((), 2.5, "players: 2.5 is not allowed; toy seats 2, 3, 4"),
        ((), "two", "players: 'two' is not allowed; toy seats 2, 3, 4"),
        ("flee,flee,flee,flee,flee", None, "players: 5 is not allowed; toy seats 2, 3, 4"),
        ("flee,hold", 3, "lineup: 2 policies for 3 players; give one, or one for each seat"),
        ("flee,hold,flee", 2, "lineup: 3 policies for 2 players; give one, or one for each seat"),
        (7, None, "lineup: 7 is not a list of policies"),
    ],
)
def test_a_lineup_that_is_none(policies, players, line):
    assert refusal(GAME.lineup, policies, players) == line


def test_columns_are_one_for_each_seat_or_one():
    assert GAME.columns(2) == ("winners", "rounds", "points_1", "points_2")
    assert [field.bins for _, field in GAME.column_fields(3)] == [16, 9, 50, 50, 50]


def test_a_lineup_for_a_kernel():
    coded = engine.encode(GAME.lineup("hold:points=9,chance,flee:at=3"))
    assert coded.dtype == np.int64
    assert coded.tolist() == [[3, 9, -1, 0], [4, 0, 0, 0], [7, 3, 0, 0]]


def test_changes_are_a_table_of_rules(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[rules]\nstones = 3\n")
    assert GAME.variant(path).rules == Rules(3)
    assert GAME.variant(path, {"stones": 4}).rules == Rules(4)
    assert refusal(GAME.variant, path, "stones=4") == (
        "changes: 'stones=4' is not a table of rules; write {'rule': value}"
    )
    assert refusal(GAME.variant, path, {4: 5}) == "changes: {4: 5} is not a table of rules; write {'rule': value}"
