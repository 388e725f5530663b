"""A batch as frames: what counts in which column."""

import math

import numpy as np
import pytest

import sims
from analysis import frames
from sims.engine.batch import run

TACATUCA = sims.game("tacatuca")


def played(games, **changes):
    return run(
        TACATUCA, TACATUCA.variant("standard", changes), TACATUCA.lineup(players=3), games, 5, threads=1, records=True
    )


@pytest.mark.parametrize("probability", [0.05, 0.5, 0.95, 1.0])
def test_a_quantile_is_the_smallest_value_that_so_many_games_do_not_exceed(probability):
    batch = played(40)
    for column in ("rounds", "lead_changes", "pins_moved", "comeback"):
        values = np.sort(frames.records(batch)[column])
        assert frames.quantile(batch, column, probability) == values[math.ceil(round(probability * 40, 9)) - 1]


def test_what_only_finished_games_have_counts_in_those():
    batch = played(400, max_rounds=60)
    records = frames.records(batch)
    finished = records[records["unfinished"] == 0]
    assert 50 < len(finished) < 350
    assert frames.counted(batch, "comeback") == len(finished)
    assert frames.mean(batch, "comeback").value == pytest.approx(finished["comeback"].mean())
    assert frames.quantile(batch, "comeback", 0.5) == np.sort(finished["comeback"])[math.ceil(len(finished) / 2) - 1]
    told = frames.summary(batch, "comeback")
    assert told["sd"] == pytest.approx(finished["comeback"].std())
    shares = frames.distribution(batch, "comeback")
    expected = finished["comeback"].value_counts(normalize=True).sort_index()
    assert shares["value"].tolist() == expected.index.tolist()
    assert shares["share"].tolist() == pytest.approx(expected.tolist())
    assert set(shares["games"]) == {len(finished)}


def test_of_no_finished_game_nothing_is_known():
    batch = played(50, max_rounds=1)
    assert batch.unfinished == 50
    told = frames.summary(batch, "comeback")
    assert told["median"] is None
    assert told["p95"] is None
    assert math.isnan(told["mean"])
    assert math.isnan(told["sd"])
    assert frames.distribution(batch, "comeback").empty
