"""Whole numbers from text and from Python: exact or refused, and memory asked before it is taken."""

import fractions
import math

import numpy as np
import pytest

import sims
from sims.engine import batch, memory, numbers
from sims.engine.dice import SeededDice, check_seed
from sims.engine.errors import InputError

TACATUCA = sims.game("tacatuca")
VARIANT, LINEUP = TACATUCA.variant("tiny"), TACATUCA.lineup(players=2)


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("-12", -12), ("+7", 7), ("9" * 30, int("9" * 30))])
def test_text_that_is_a_whole_number(text, number):
    assert numbers.read_whole(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "--2",
        "2-",
        "1_0",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "9" * 5000,
        "\N{SUPERSCRIPT TWO}",
        "\uff12",
        "\u0662",
    ],
)
def test_text_that_is_none(text):
    assert numbers.read_whole(text) is None


@pytest.mark.parametrize("value", [100_000, 1e5, np.int32(100_000), np.uint64(100_000), np.float64(1e5)])
def test_what_people_write_for_a_number_is_one(value):
    found = numbers.whole("games", value, 1, 10**6)
    assert (found, type(found)) == (100_000, int)


@pytest.mark.parametrize(
    "value",
    [
        True,
        np.True_,
        "100",
        b"1",
        None,
        1.5,
        math.nan,
        math.inf,
        -math.inf,
        2.0**60,
        1j,
        [1],
        np.array([1, 2]),
        0,
        -1,
        10**7,
        10**5000,
        fractions.Fraction(1, 2),
    ],
    ids=lambda value: str(type(value)),
)
def test_anything_else_is_one_short_line(value):
    with pytest.raises(InputError, match=r"^games: .* is not allowed; a whole number from 1 to 1000000$") as error:
        numbers.whole("games", value, 1, 10**6)
    assert len(str(error.value)) < 150


# -- the Python face of the engine -----------------------------------------------------------------------------


def test_run_takes_numbers_as_people_write_them():
    plain = batch.run(TACATUCA, VARIANT, LINEUP, 300, 5, first=10, threads=2, block=7)
    for kind in (float, np.int64, np.float64, np.uint32):
        other = batch.run(TACATUCA, VARIANT, LINEUP, kind(300), kind(5), first=kind(10), threads=kind(2), block=kind(7))
        assert other.sums == plain.sums
        assert other.provenance == plain.provenance
        assert all(type(other.provenance[key]) is int for key in ("seed", "games", "first"))


@pytest.mark.parametrize("key", ["games", "seed", "first", "threads", "block"])
@pytest.mark.parametrize("value", [True, "3", 1.5, math.nan, -1, 2**63])
def test_run_refuses_what_is_no_number(key, value):
    given = {"games": 10, "seed": 1, key: value}
    with pytest.raises(InputError, match=f"^{key}: "):
        batch.run(TACATUCA, VARIANT, LINEUP, **given)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "tacatuca"),
        ("variant", "standard"),
        ("variant", VARIANT.rules),
        ("variant", sims.game("kazaam-dice").variant()),
        ("lineup", "chance"),
        ("lineup", ["chance", "chance"]),
    ],
)
@pytest.mark.parametrize("function", [batch.run, batch.log])
def test_names_instead_of_things_are_one_line(function, key, value):
    given = {"game": TACATUCA, "variant": VARIANT, "lineup": LINEUP, "games": 10, "seed": 1, key: value}
    with pytest.raises(InputError, match=f"^{key}: .* write (sims.game|game.variant|game.lineup)") as error:
        function(**given)
    assert "\n" not in str(error.value)


def test_dice_take_the_same_numbers():
    plain = SeededDice(7, 3).throw(2, turn=0)
    assert SeededDice(np.int64(7), 3.0).throw(2, turn=0) == plain
    for seed in (True, "7", 1.5):
        with pytest.raises(InputError, match=r"^seed: "):
            check_seed(seed)


def test_more_games_than_anybody_can_wait_for():
    assert batch.check_games(10**12) == 10**12
    for games in (10**12 + 1, 2**53 + 1, 1e300):
        with pytest.raises(InputError, match=r"^games: .* 1 to 1,000,000,000,000 .those take twelve days"):
            batch.check_games(games)


# -- memory ----------------------------------------------------------------------------------------------------


def test_what_fits_is_said_and_never_more_than_that(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1_239_000)
    memory.check("games", 1239, 1000, "their records")
    with pytest.raises(InputError) as error:
        memory.check("games", 1240, 1000, "their records")
    assert str(error.value) == (
        "games: 1,240 is too many: their records would take 1.2 MB and 1.2 MB of memory are free; about 1,200 would fit"
    )


def test_records_are_held_against_memory_before_they_are_made(monkeypatch):
    """Two bytes for each: 100 games of Tacatuca's columns, four bytes a column."""
    width = len(TACATUCA.columns(2))
    monkeypatch.setattr(memory, "available", lambda: 2 * 100 * 4 * width)
    assert len(batch.run(TACATUCA, VARIANT, LINEUP, 100, 1, records=True).records) == 100
    with pytest.raises(InputError, match=r"games: 101 is too many: their records would take .* about 100 would fit"):
        batch.run(TACATUCA, VARIANT, LINEUP, 101, 1, records=True)
    assert batch.run(TACATUCA, VARIANT, LINEUP, 5000, 1).games == 5000


def test_decisions_are_held_against_memory(monkeypatch):
    game = sims.game("kazaam-dice")
    monkeypatch.setattr(memory, "available", lambda: 10_000_000)
    with pytest.raises(InputError, match=r"games: 1,000,000 is too many: their decisions"):
        batch.log(game, game.variant("small"), game.lineup(players=2), 1e6, 1)


def test_memory_is_at_least_what_this_process_runs_in():
    assert memory.available() > 10_000_000
