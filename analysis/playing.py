"""``play`` and ``show``: batches described, written to files, and single games told."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis import estimates, frames
from analysis.chapter import Study
from analysis.tables import Table, check_folder, parquet, write
from sims.engine.batch import Batch, log, run
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import encode

#: Chance that any of the intervals of a run with a target error ever misses the truth.
ALPHA = 0.05
FIRST_LOOK, LARGEST_STEP = 10_000, 100_000_000


def check_files(*paths: Path | None) -> None:
    """Refuse files of records that cannot be written, before the work starts."""
    for path in paths:
        if path:
            if path.suffix not in (".parquet", ".csv"):
                raise InputError(f"output: {path.name!r} has no known ending; records go to .parquet or .csv")
            check_folder(path.parent)


def play(study: Study, target_error: float | None, keep: bool) -> Batch:
    """Play the study's games, or as many as it takes to know every win rate to within ``target_error``."""
    if target_error is None:
        return study.play(f"playing {study.game.title}", records=keep)
    if not 0 < target_error < 0.5:
        raise InputError(f"target-error: {target_error:g} is not allowed; a number between 0 and 0.5, as 0.001")
    batch = None
    # about four times p (1 - p) / error**2 games: the interval must hold at every look
    guess = int(3 / target_error**2)
    with study.watch.task(f"playing {study.game.title} (at most about)", guess) as progress:
        while batch is None or widest(batch) > target_error:
            done = batch.games if batch else 0
            more = run(
                study.game,
                study.variant,
                study.lineup,
                min(max(FIRST_LOOK, done // 8), LARGEST_STEP),
                study.seed,
                first=done,
                threads=study.threads,
                records=keep,
                progress=progress,
            )
            batch = batch + more if batch else more
    return batch


def sequential_rates(batch: Batch) -> list[estimates.Estimate]:
    """Win rates by seat whose intervals all hold at once and at every number of games."""
    rates = []
    for seat in range(batch.players):
        wins = int(batch.histograms["winners"][1 << seat])
        rates.append(estimates.sequential_proportion(wins, batch.games, ALPHA / batch.players))
    return rates


def widest(batch: Batch) -> float:
    """Largest half-width of the seats' sequential intervals."""
    return max(rate.half_width for rate in sequential_rates(batch))


def describe(batch: Batch, target_error: float | None) -> tuple[list[Table], dict[str, Any]]:
    """A batch as tables for people and as one object for machines."""
    seats = frames.seats(batch)
    interval = "95 % Wilson interval"
    if target_error is not None:
        rates = sequential_rates(batch)
        seats["low"], seats["high"] = [rate.low for rate in rates], [rate.high for rate in rates]
        interval = "95 % for all seats together, valid at any stopping time"
    speed = f" {batch.games / batch.seconds:,.0f} games/s." if batch.seconds else ""
    note = (
        f"Simulated: {batch.games:,} games, seed {batch.seed}, {batch.unfinished:,} unfinished; "
        f"low and high: {interval}.{speed}"
    )
    title = f"{batch.game.title}, {batch.players} players, {batch.variant.name}: who wins"
    winners = Table("seats", title, seats, False, note, percent=("win_rate",))
    rows = []
    for field in batch.game.fields:
        if not field.per_seat and not field.code and field.name != "unfinished":
            rows.append({"quantity": field.name, **frames.summary(batch, field.name), "meaning": field.doc})
    happened = Table("means", "What happened, per game", pd.DataFrame(rows), False, "low and high: 95 % t interval.")
    amounts = [name for name, field in batch.game.column_fields(batch.players) if not field.code]
    columns = {name: frames.summary(batch, name) for name in amounts}
    content = {
        "game": batch.game.name,
        "games": batch.games,
        "unfinished": batch.unfinished,
        "seed": batch.seed,
        "exact": False,
        "interval": interval,
        "seats": seats.drop(columns=["games", "seed"]).to_dict("records"),
        "rounds": frames.summary(batch, "rounds"),
        "columns": columns,
        "provenance": batch.provenance,
    }
    return [winners, happened], content


def write_records(path: Path, batch: Batch) -> None:
    """One row per game."""
    _write_frame(path, frames.records(batch), batch.provenance)


def write_log(path: Path, study: Study) -> None:
    """One row per decision."""
    rows = log(study.game, study.variant, study.lineup, study.games, study.seed)
    frame = pd.DataFrame(rows, columns=list(study.game.log_columns))
    _write_frame(path, frame, {"game": study.game.name, "seed": study.seed, "games": study.games})


def _write_frame(path: Path, frame: pd.DataFrame, metadata: dict[str, Any]) -> None:
    write(path, parquet(frame, metadata) if path.suffix == ".parquet" else frame.to_csv(index=False))


@dataclass(frozen=True)
class Told:
    """A game told: lines for people, an object for machines."""

    lines: Sequence[str]
    content: dict[str, Any]


def tell(study: Study, number: int) -> Told:
    """Play one game by the readable reference, and check its record against the kernel's."""
    replay = study.game.replay(study.variant.rules, study.lineup, SeededDice(study.seed, number))
    events = []
    while True:
        try:
            events.append(next(replay))
        except StopIteration as end:
            record: dict[str, int] = end.value
            break
    columns = study.game.columns(len(study.lineup))
    out = np.empty((1, len(columns)), np.int32)
    tables = study.game.build_tables(study.variant.rules, len(study.lineup))
    study.game.play_games(tables, encode(study.lineup), study.seed, number, out)
    agrees = [record[name] for name in columns] == out[0].tolist()
    winners = [str(seat + 1) for seat in range(len(study.lineup)) if record["winners"] >> seat & 1]
    outcome = "unfinished" if record["unfinished"] else f"won by seat {' and '.join(winners)}"
    lineup = ", ".join(map(str, study.lineup))
    lines = [
        f"{study.game.title}, {study.variant.name}, game {number} of seed {study.seed} ({lineup})",
        "",
        *map(str, events),
        "",
        f"After {record['rounds']} rounds: {outcome}.",
        "The compiled kernel plays the same game." if agrees else "THE COMPILED KERNEL DISAGREES: please report this.",
    ]
    content = {
        "game": study.game.name,
        "variant": study.variant.name,
        "seed": study.seed,
        "number": number,
        "lineup": list(map(str, study.lineup)),
        "events": [
            {"event": type(event).__name__, **dataclasses.asdict(event), "text": str(event)} for event in events
        ],
        "record": record,
        "kernel_agrees": agrees,
    }
    return Told(lines, content)
