"""The block runner, on a toy game whose records are known: one throw of two dice for each seat, the higher wins."""

import itertools
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from sims.engine import batch, dice, words
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import Field, Game, Policy
from sims.engine.jit import kernel
from sims.engine.variant import Variant, number


@dataclass(frozen=True)
class ToyRules:
    """Points that each throw is worth on top."""

    extra: int = number(0, "added to each throw", low=0, high=100)


class ToyTables(NamedTuple):
    """What the toy kernel reads."""

    numbers: np.ndarray


@kernel
def play_toys(tables, lineup, seed, first, out):
    for game in range(out.shape[0]):
        key = words.game_key(seed, first + game)
        winners, best = 0, -1
        for seat in range(lineup.shape[0]):
            throw = np.int64(words.below(key, words.address(0, seat, 0, dice.DICE), np.uint64(36)))
            points = throw // 6 + throw % 6 + 2 + tables.numbers[0]
            out[game, 3 + seat] = points
            winners = (winners if points == best else 0) | 1 << seat if points >= best else winners
            best = max(best, points)
        out[game, 0], out[game, 1], out[game, 2] = winners, winners == 3, 1


TOY = Game(
    name="toy",
    title="Toy",
    summary="Highest throw wins.",
    folder=Path(__file__).parent,
    seats=(2, 3),
    rules=ToyRules,
    roster={"chance": Policy("chance", 0, "chance", "none", "none"), "luck": Policy("luck", 1, "luck", "none", "none")},
    default_policy="chance",
    fields=(
        Field("winners", 8, "bit mask"),
        Field("unfinished", 2, "a tie, say"),
        Field("rounds", 2, "always one"),
        Field("points", 11, "eleven and twelve are beyond its bins", per_seat=True),
    ),
    build_tables=lambda rules, players: ToyTables(np.array([rules.extra], np.int64)),
    play_games=play_toys,
    replay=lambda rules, lineup, dice: iter(()),
)
TOY_BINS = {name: field.bins for name, field in TOY.column_fields(2)}
VARIANT = Variant("standard", "Toy", "", ToyRules())
PAIR = TOY.lineup(players=2)


def expected_records(games, seed, first=0, players=2, extra=0):
    """Worked out from the Python face of the dice."""
    rows = []
    for game in range(first, first + games):
        points = [sum(SeededDice(seed, game).throw(2, turn=0, seat=seat)) + extra for seat in range(players)]
        winners = sum(1 << seat for seat in range(players) if points[seat] == max(points))
        rows.append([winners, int(winners == 3), 1, *points])
    return np.array(rows)


@pytest.mark.parametrize("players", [2, 3])
def test_records_sums_squares_and_histograms(players):
    found = batch.run(TOY, VARIANT, TOY.lineup(players=players), 300, 4, records=True)
    rows = expected_records(300, 4, players=players)
    assert found.columns == ("winners", "unfinished", "rounds", *(f"points_{seat + 1}" for seat in range(players)))
    assert found.records.dtype == np.int32
    assert np.array_equal(found.records, rows)
    for column, name in enumerate(found.columns):
        values = rows[:, column]
        assert found.sums[name] == values.sum()
        assert found.squares[name] == (values**2).sum()
        bins = {"winners": 8, "unfinished": 2, "rounds": 2}.get(name, 11)
        assert found.histograms[name].tolist() == np.bincount(values, minlength=bins).tolist()
    assert found.unfinished == rows[:, 1].sum()
    assert (found.players, found.games, found.first, found.seed) == (players, 300, 0, 4)


@pytest.mark.parametrize("extra", [1, 20, 100])
def test_a_histogram_holds_any_value(extra):
    found = batch.run(TOY, VARIANT.changed(extra=extra), PAIR, 50, 1, threads=3, block=3)
    points = expected_records(50, 1, extra=extra)[:, 3]
    assert found.histograms["points_1"].tolist() == np.bincount(points, minlength=11).tolist()
    assert (found.sums["points_1"], found.squares["points_1"]) == (points.sum(), (points**2).sum())


@pytest.mark.parametrize(("threads", "block"), list(itertools.product([1, 2, 5], [None, 1, 7, 1000])))
def test_threads_and_blocks_change_nothing(threads, block):
    found = batch.run(TOY, VARIANT, PAIR, 200, 8, first=31, threads=threads, block=block, records=True)
    rows = expected_records(200, 8, first=31)
    assert np.array_equal(found.records, rows)
    assert list(found.sums.values()) == rows.sum(axis=0).tolist()
    assert list(found.squares.values()) == (rows**2).sum(axis=0).tolist()
    for column, name in enumerate(found.columns):
        assert found.histograms[name].tolist() == np.bincount(rows[:, column], minlength=TOY_BINS[name]).tolist()


def test_sums_and_squares_do_not_overflow():
    totals = batch._Totals([2])
    for _ in range(5):
        totals.add(np.full((8192, 1), 2**24, np.int32))
    assert (totals.sums, totals.squares) == ([5 * 8192 * 2**24], [5 * 8192 * 2**48])
    assert totals.squares[0] > 2**63


def test_histograms_of_any_length_add_up():
    low = batch.run(TOY, VARIANT.changed(extra=100), PAIR, 1, 6)
    high = batch.run(TOY, VARIANT.changed(extra=100), PAIR, 60, 6, first=1)
    points = expected_records(61, 6, extra=100)[:, 3]
    assert len(low.histograms["points_1"]) != len(high.histograms["points_1"])
    assert (low + high).histograms["points_1"].tolist() == np.bincount(points).tolist()


def test_without_records_the_totals_are_the_same():
    with_records = batch.run(TOY, VARIANT, PAIR, 20_000, 2, records=True)
    without = batch.run(TOY, VARIANT, PAIR, 20_000, 2)
    assert without.records is None
    assert without.sums == with_records.sums
    assert without.squares == with_records.squares
    assert all(np.array_equal(without.histograms[name], with_records.histograms[name]) for name in without.columns)


@pytest.mark.parametrize("block", [None, 64])
def test_progress_adds_up(block):
    lock, seen = threading.Lock(), []

    def progress(games):
        with lock:
            seen.append(games)

    batch.run(TOY, VARIANT, PAIR, 5000, 2, threads=2, block=block, progress=progress)
    assert sum(seen) == 5000
    assert len(seen) == 79 if block else len(seen) < 5000


def test_an_interrupt_stops_every_thread_and_reaches_the_caller():
    calls = []

    def progress(games):
        calls.append(games)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.run(TOY, VARIANT, PAIR, 10**9, 2, threads=2, block=10, progress=progress)
    assert len(calls) <= 4


def test_a_later_batch_extends_an_earlier_one():
    whole = batch.run(TOY, VARIANT, PAIR, 500, 6, records=True)
    parts = batch.run(TOY, VARIANT, PAIR, 123, 6, records=True) + batch.run(
        TOY, VARIANT, PAIR, 377, 6, first=123, records=True
    )
    assert (parts.first, parts.games) == (0, 500)
    assert np.array_equal(parts.records, whole.records)
    assert parts.sums == whole.sums
    assert parts.squares == whole.squares
    assert all(np.array_equal(parts.histograms[name], whole.histograms[name]) for name in whole.columns)
    assert parts.provenance == whole.provenance


def test_batches_that_do_not_follow_each_other_do_not_add_up():
    start = batch.run(TOY, VARIANT, PAIR, 10, 6)
    for stranger in (
        batch.run(TOY, VARIANT, PAIR, 10, 6, first=11),
        batch.run(TOY, VARIANT, PAIR, 10, 7, first=10),
        batch.run(TOY, VARIANT.changed(extra=1), PAIR, 10, 6, first=10),
        batch.run(TOY, VARIANT, TOY.lineup(["chance", "luck"]), 10, 6, first=10),
    ):
        with pytest.raises(ValueError, match="only batches that follow each other add up"):
            start + stranger


def test_provenance_says_how_to_play_the_batch_again():
    found = batch.run(TOY, VARIANT.changed(extra=3), TOY.lineup(["luck", "chance"]), 10, 6, first=5).provenance
    assert found.pop("version")
    assert found == {
        "game": "toy",
        "variant": "standard extra=3",
        "rules": {"extra": 3},
        "lineup": ["luck", "chance"],
        "seed": 6,
        "first": 5,
        "games": 10,
    }


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ({"games": 0}, "games: 0 is not allowed; a whole number from 1 to"),
        ({"games": -5}, "games: -5 is not allowed; a whole number from 1 to"),
        ({"seed": -1}, "seed: -1 is not allowed; a whole number from 0 to"),
        ({"seed": 2**63}, f"seed: {2**63} is not allowed; a whole number from 0 to"),
        ({"threads": 0}, "threads: 0 is not allowed; a whole number from 1 to 1024"),
        ({"threads": 1025}, "threads: 1025 is not allowed; a whole number from 1 to 1024"),
        ({"block": 0}, "block: 0 is not allowed; a whole number from 1 to"),
        ({"first": -1}, "first: -1 is not allowed; a whole number from 0 to"),
        ({"first": 2**63 - 1}, f"first: {2**63 - 1} is not allowed; a whole number from 0 to {2**63 - 10}"),
    ],
)
def test_counts_out_of_range_are_told_in_one_line(wrong, line):
    with pytest.raises(InputError, match=line):
        batch.run(TOY, VARIANT, PAIR, **({"games": 10, "seed": 0} | wrong))


def test_the_last_possible_games_can_be_played():
    found = batch.run(TOY, VARIANT, PAIR, 10, 0, first=2**63 - 10, records=True)
    assert np.array_equal(found.records, expected_records(10, 0, first=2**63 - 10))


def test_a_game_without_decisions_has_no_log():
    with pytest.raises(InputError, match="toy has no decisions to log"):
        batch.log(TOY, VARIANT, PAIR, 10, 0)


def log_toys(tables, lineup, seed, first, out, log):
    """700 decisions in each game: the game's number, the decision's, the seed."""
    games, needed = len(out), 700 * len(out)
    if len(log) < needed:
        return -1
    log[:needed, 0] = np.repeat(first + np.arange(games), 700)
    log[:needed, 1] = np.tile(np.arange(700), games)
    log[:needed, 2] = seed
    return needed


LOGGED = replace(TOY, log_columns=("game", "decision", "seed"), log_games=log_toys)


def test_a_log_grows_until_every_decision_fits():
    found = batch.log(LOGGED, VARIANT, PAIR, 3, 5, first=8)
    assert found.dtype == np.int32
    assert found.tolist() == [[game, decision, 5] for game in (8, 9, 10) for decision in range(700)]


def test_the_last_possible_games_can_be_logged_and_none_beyond():
    def last(_tables, _lineup, _seed, first, _out, _log):
        assert first == 2**63 - 10
        return 0

    game = replace(LOGGED, log_games=last)
    assert batch.log(game, VARIANT, PAIR, 10, 5, first=2**63 - 10).shape == (0, 3)
    for first in (-1, 2**63 - 9):
        with pytest.raises(InputError, match=f"first: {first} is not allowed; a whole number from 0 to {2**63 - 10}"):
            batch.log(game, VARIANT, PAIR, 10, 5, first=first)


def test_what_a_log_takes_at_first_is_held_against_memory(monkeypatch):
    taken = []

    def measure(_tables, _lineup, _seed, _first, out, log):
        taken.append(out.nbytes + log.nbytes)
        return 0

    game = replace(LOGGED, log_games=measure)
    batch.log(game, VARIANT, PAIR, 100, 5)
    monkeypatch.setattr(batch.memory, "available", lambda: taken[0])
    batch.log(game, VARIANT, PAIR, 100, 5)
    monkeypatch.setattr(batch.memory, "available", lambda: taken[0] - 1)
    with pytest.raises(InputError, match="games: 100 is too many: their decisions would take"):
        batch.log(game, VARIANT, PAIR, 100, 5)
