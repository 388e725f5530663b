"""What every game must keep, whoever wrote it: a game that is registered is held to all of this without a further line."""

import functools
import json
import shlex
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import sims
from analysis import cli
from sims.engine import variant
from sims.engine.batch import run
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import encode

SEED = 20
TRANSCRIPTS = Path(__file__).resolve().parent / "transcripts"
GAMES = [sims.game(name) for name in sims.GAMES]
TABLES = [(game, seats) for game in GAMES for seats in game.seats]


def named(value):
    return getattr(value, "name", str(value))


@functools.cache
def smallest(name, seats):
    """The shipped variant for so many players whose games are over soonest: rare things happen often in it."""
    game = sims.game(name)
    lengths = {}
    for stem in variant.names(game.folder):
        with suppress(InputError):
            played = run(game, game.variant(stem), game.lineup(players=seats), 20, SEED)
            lengths[stem] = played.sums["rounds"]
    return game.variant(min(lengths, key=lengths.__getitem__))


def told(game, rules, lineup, number):
    """The record that the reference returns."""
    playthrough = game.replay(rules, lineup, SeededDice(SEED, number))
    while True:
        try:
            next(playthrough)
        except StopIteration as end:
            return end.value


def assert_agreement(game, rules, lineup, games):
    columns = game.columns(len(lineup))
    out = np.full((games, len(columns)), -1, np.int32)
    game.play_games(game.build_tables(rules, len(lineup)), encode(lineup), SEED, 0, out)
    for number, row in enumerate(out.tolist()):
        assert dict(zip(columns, row, strict=True)) == told(game, rules, lineup, number), f"game {number}"


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=named)
def test_kernel_and_reference_tell_the_same_games_under_every_reading(game, seats):
    small = smallest(game.name, seats)
    for found in [small, *(changed for _, _, changed in variant.other_readings(small))]:
        assert_agreement(game, found.rules, game.lineup(players=seats), 6)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=named)
def test_kernel_and_reference_tell_the_same_games_with_every_policy(game, seats):
    small = smallest(game.name, seats)
    for policy in game.roster:
        assert_agreement(game, small.rules, game.lineup([policy], seats), 2)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=named)
def test_threads_and_blocks_change_no_record_and_any_game_can_be_played_alone(game, seats):
    lineup, small = game.lineup(players=seats), smallest(game.name, seats)
    whole = run(game, small, lineup, 60, SEED, threads=1, block=60, records=True)
    parts = run(game, small, lineup, 60, SEED, threads=3, block=7, records=True)
    assert np.array_equal(whole.records, parts.records)
    assert whole.sums == parts.sums
    alone = run(game, small, lineup, 1, SEED, first=41, records=True)
    assert np.array_equal(alone.records[0], whole.records[41])
    longer = run(game, small, lineup, 41, SEED, records=True) + run(
        game, small, lineup, 19, SEED, first=41, records=True
    )
    assert np.array_equal(longer.records, whole.records)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=named)
def test_a_record_names_winners_or_says_that_the_game_is_unfinished(game, seats):
    columns = game.columns(seats)
    assert {"winners", "unfinished", "rounds"} <= set(columns)
    played = run(game, smallest(game.name, seats), game.lineup(players=seats), 200, SEED, records=True)
    records = dict(zip(columns, played.records.T, strict=True))
    assert (played.records >= 0).all()
    assert ((records["winners"] == 0) == (records["unfinished"] == 1)).all()
    assert (records["winners"] < 1 << seats).all()


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_every_shipped_variant_can_be_played(game):
    for name in variant.names(game.folder):
        played = 0
        for seats in game.seats:
            with suppress(InputError):
                played += run(game, game.variant(name), game.lineup(players=seats), 2, SEED).games
        assert played, f"nobody can play {name}"


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_a_game_told_for_machines_is_plain(game, capsys):
    small = smallest(game.name, game.seats[0])
    assert cli.main(["show", game.name, "--variant", small.source, "--game", "3", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kernel_agrees"]
    assert {"event", "turn", "seat", "text"} <= set(told["events"][0])


# -- rules and tables -------------------------------------------------------------------------------------------

#: Rules that no kernel reads under their own names, by what the tables make of them.
SPELT_OUT = {
    "tacatuca": {
        "what each throw takes from each other": {"cards", "doubles_collect", "double_replaces_plain"},
    },
    "tschakka-lakka": {
        "sets and lists of squares": {"board"},
        "numbers by size": {"sizes", "small_points", "medium_points", "large_points"},
    },
    "kazaam-dice": {
        "sets of fields": {"board", "fire", "water", "placing", "double_placing", "favourites"},
        "how a die tips": {"die"},
    },
}


def carried(game):
    """The rules that stand in the tables under their own names."""
    small = smallest(game.name, game.seats[-1])
    return set(variant.specs(game.rules)) & set(game.build_tables(small.rules, game.seats[-1]).rules.dtype.names)


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_a_rule_has_one_name_from_the_file_to_the_kernel(game):
    spelt_out = set().union(*SPELT_OUT[game.name].values())
    assert set(variant.specs(game.rules)) - carried(game) == spelt_out


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_a_kernel_names_every_reading_that_it_tells_apart(game):
    tables = import_module(f"sims.{sims.GAMES[game.name]}.tables")
    for name, spec in variant.specs(game.rules).items():
        if name in carried(game) and isinstance(getattr(game.rules(), name), str):
            readings = [f"{name}_{reading}".upper() for reading in (getattr(game.rules(), name), *spec.alternatives)]
            assert [getattr(tables, reading) for reading in readings] == list(range(len(readings)))


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=named)
def test_tables_carry_each_reading_by_its_place_and_each_number_as_it_is(game, seats):
    small, names = smallest(game.name, seats), carried(game)
    numbers = [name for name in sorted(names) if type(getattr(small.rules, name)) is int]
    steps = [(name, getattr(small.rules, name) + step) for name in numbers for step in (-1, 1)]
    chosen = [small, *(changed for _, _, changed in variant.other_readings(small))]
    for name, value in steps:
        with suppress(InputError):
            chosen.append(small.changed(**{name: value}))
    assert len(chosen) > len(numbers)
    for found in chosen:
        record = game.build_tables(found.rules, seats).rules[0]
        for name in names:
            value, spec = getattr(found.rules, name), variant.specs(game.rules)[name]
            readings = [getattr(game.rules(), name), *spec.alternatives]
            assert record[name] == (readings.index(value) if isinstance(value, str) else value), name


# -- transcripts -----------------------------------------------------------------------------------------------


def test_no_game_lacks_a_transcript():
    assert {path.stem for path in TRANSCRIPTS.glob("*.txt")} == set(sims.GAMES)


@pytest.mark.parametrize("name", sims.GAMES)
def test_the_transcript_is_what_the_game_tells(name, capsys):
    """Each transcript was read against the rulebook, move by move, before it was kept."""
    command, _, kept = (TRANSCRIPTS / f"{name}.txt").read_text().partition("\n")
    assert command.startswith(f"$ oddsmith show {name} ")
    assert cli.main(shlex.split(command)[2:]) == 0
    printed = capsys.readouterr().out
    assert printed == kept
    assert printed.rstrip().endswith("The compiled kernel plays the same game.")
