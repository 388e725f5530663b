"""``play`` and ``show``: batches described, written to files, and single games told."""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis import estimates, frames
from analysis.chapter import Study
from analysis.files import check_apart, check_file, files_of, whole_file
from analysis.tables import Table
from sims.engine.batch import Batch, log, run
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import encode

#: Chance that any of the intervals of a run with a target error ever misses the truth.
ALPHA = 0.05
#: Games between two looks at the intervals of such a run: at first, and at most.
FIRST_LOOK, LARGEST_STEP = 10_000, 100_000_000
#: The finest error that a run can reach in a lifetime: some 10**13 games.
FINEST = 1e-6
#: The tables of a batch.
TABLES = ("seats", "means", "seat_means")
#: Games whose records, or whose decisions, are in memory at a time.
RECORDS_AT_ONCE, DECISIONS_AT_ONCE = 500_000, 5_000


def check_files(study: Study, records: Path | None, decisions: Path | None) -> None:
    """Refuse files of records or decisions that cannot be written, before the work starts."""
    if decisions and study.game.log_games is None:
        raise InputError(f"game: {study.game.name} has no decisions to log")
    for path in (records, decisions):
        if path:
            if path.suffix not in (".parquet", ".csv"):
                raise InputError(f"output: {path.name!r} has no known ending; records go to .parquet or .csv")
            check_file(path)
    check_apart({"output": records, "log": decisions}, files_of(study.variant))


def play(study: Study, target_error: float | None, path: Path | None = None) -> Batch:
    """Play the study's games, or as many as it takes to know every win rate to within ``target_error``.

    With ``path`` the records go there, one row per game, a piece at a time: memory does not grow with games.
    """
    if target_error is not None and not FINEST <= target_error < 0.5:
        raise InputError(f"target-error: {target_error:g} is not allowed; a number from {FINEST:g} to 0.5, as 0.001")
    label, total = f"playing {study.game.title}", study.games
    if target_error is not None:
        # about four times p (1 - p) / error**2 games: the interval must hold at every look
        label, total = f"{label} (at most about)", int(3 / target_error**2)
    batch = None
    with ExitStack() as stack:
        rows = stack.enter_context(row_file(path)) if path else None
        progress = stack.enter_context(study.watch.task(label, total))
        while batch is None or (batch.games < total if target_error is None else widest(batch) > target_error):
            done = batch.games if batch else 0
            step = total - done if target_error is None else min(max(FIRST_LOOK, done // 8), LARGEST_STEP)
            more = run(
                study.game,
                study.variant,
                study.lineup,
                min(step, RECORDS_AT_ONCE) if rows else step,
                study.seed,
                first=done,
                threads=study.threads,
                records=rows is not None,
                progress=progress,
            )
            if rows:
                rows.add(frames.records(more))
                more = dataclasses.replace(more, records=None)
            batch = batch + more if batch else more
        if rows:
            rows.provenance = batch.provenance
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
    note = (
        f"Simulated: {batch.games:,} games, seed {batch.seed}, {batch.unfinished:,} unfinished; "
        f"low and high: {interval}."
    )
    title = f"{batch.game.title}, {batch.players} players, {batch.variant.name}: who wins"
    winners = Table("seats", title, seats, False, note, percent=("win_rate",))
    rows, by_seat = [], []
    for field in batch.game.fields:
        if field.code or field.name == "unfinished":
            continue
        if not field.per_seat:
            rows.append(
                {"quantity": field.name, **frames.summary(batch, field.name), **counts(batch, field.name, field.doc)}
            )
        for seat, chosen in enumerate(batch.lineup if field.per_seat else ()):
            column = f"{field.name}_{seat + 1}"
            about = {"quantity": field.name, "seat": seat + 1, "policy": str(chosen)}
            by_seat.append({**about, **frames.summary(batch, column), **counts(batch, column, field.doc)})
    whole = {"median": "Int64", "p95": "Int64"}
    happened = Table(
        "means",
        "What happened, per game",
        pd.DataFrame(rows).astype(whole),
        False,
        note_of(batch, rows),
        decimals={"sd": 2},
    )
    of_seats = Table(
        "seat_means",
        "What each seat did, per game",
        pd.DataFrame(by_seat).astype(whole),
        False,
        note_of(batch, by_seat),
        decimals={"sd": 2},
    )
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
    return [winners, happened, of_seats], content


def counts(batch: Batch, column: str, meaning: str) -> dict[str, Any]:
    """The last columns of a row about a column of records."""
    return {"meaning": meaning, "games": frames.counted(batch, column), "seed": batch.seed}


def note_of(batch: Batch, rows: Sequence[dict[str, Any]]) -> str:
    """The note below a table of means."""
    some = any(row["games"] < batch.games for row in rows)
    return f"{batch.games:,} games, seed {batch.seed}; low and high: 95 % interval of the mean." + (
        " 'games' are those in which there is a value." if some else ""
    )


def write_log(path: Path, study: Study) -> None:
    """One row per decision, a piece at a time."""
    with row_file(path) as rows, study.watch.task("decisions", study.games) as progress:
        for first in range(0, study.games, DECISIONS_AT_ONCE):
            games = min(DECISIONS_AT_ONCE, study.games - first)
            found = log(study.game, study.variant, study.lineup, games, study.seed, first=first)
            rows.add(pd.DataFrame(found, columns=list(study.game.log_columns)))
            progress(games)
        rows.provenance = {"game": study.game.name, "seed": study.seed, "games": study.games}


class Rows:
    """A file that grows by frames: CSV, or Parquet with provenance as metadata under the key ``oddsmith``."""

    def __init__(self, path: Path, parquet: bool) -> None:
        self.path, self.parquet = path, parquet
        self.provenance: dict[str, Any] = {}
        self._writer: Any = None

    def add(self, frame: pd.DataFrame) -> None:
        """Append rows; the first frame settles the columns."""
        if not self.parquet:
            frame.to_csv(self.path, index=False, mode="a", header=self._writer is None)
            self._writer = self.path
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pandas(frame, preserve_index=False)
        if self._writer is None:
            # opened here, since the library takes no name that is not UTF-8
            self._file = self.path.open("wb")
            self._writer = pq.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        """Finish the file."""
        if self.parquet and self._writer:
            self._writer.add_key_value_metadata({"oddsmith": json.dumps(self.provenance)})
            self._writer.close()
            self._file.close()


@contextmanager
def row_file(path: Path) -> Iterator[Rows]:
    """A file of rows, whole or not at all: it has its name only after everything is in it."""
    with whole_file(path) as temporary:
        rows = Rows(temporary, path.suffix == ".parquet")
        try:
            yield rows
        finally:
            rows.close()


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
