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
from analysis.balance import MEANING, POLICY, QUANTITY, SEAT, WIN_RATE
from analysis.chapter import Study
from analysis.files import check_apart, check_file, files_of, whole_file
from analysis.measures import Column, Measured
from analysis.tables import Table
from sims.engine.batch import Batch, Progress, default_threads, log, run
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.engine.game import Event, encode
from sims.engine.text import counted, legend

#: Chance that any of the intervals of a run with a target error ever misses the truth.
ALPHA = 0.05
#: Columns of the tables that describe a batch.
SEATS = (SEAT, POLICY, Column("wins"), Column("shared_wins"), WIN_RATE)
HAPPENED = (Column("mean"), Column("sd", digits=2), Column("median"), Column("p95"), MEANING)
#: Games between two looks at the intervals of such a run: at first, and at most.
FIRST_LOOK, LARGEST_STEP = 10_000, 100_000_000
#: The finest error that a run can reach in a lifetime: some 10**13 games.
FINEST = 1e-6
#: The tables of a batch.
TABLES = ("seats", "means", "seat_means")
#: Games played by default: as many as take about so many seconds, and the fewest and the most of them.
SECONDS, FEWEST, MOST = 20, 100, 1_000_000
#: Seconds that measure the speed; a run of more than ``LONG`` seconds says its length first.
MOMENT, LONG = 0.1, 60
#: Games whose records, or whose decisions, are in memory at a time.
RECORDS_AT_ONCE, DECISIONS_AT_ONCE = 500_000, 5_000
#: Events of a game told between two signs of life.
EVENTS_AT_ONCE = 500


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


def play(study: Study, target_error: float | None, path: Path | None = None, *, fit: bool = False) -> Batch:
    """Play the study's games, or as many as it takes to know every win rate to within ``target_error``.

    With ``path`` the records go there, one row per game, a piece at a time: memory does not grow with games. With
    ``fit`` and no ``target_error`` no more games are played than fit into about ``SECONDS`` on this machine, and the
    watch is told so. The watch is told, too, how long a run of more than a minute will take.
    """
    if target_error is not None and not FINEST <= target_error < 0.5:
        raise InputError(f"target-error: {target_error:g} is not allowed; a number from {FINEST:g} to 0.5, as 0.001")
    # about four times p (1 - p) / error**2 games: the interval must hold at every look
    total = study.games if target_error is None else int(3 / target_error**2)
    label = f"playing {study.game.title}" + ("" if target_error is None else " (at most about)")
    with ExitStack() as stack:
        played = Growing(study, stack.enter_context(row_file(path)) if path else None)
        with study.watch.task("measuring the speed", 1):
            speed = measured(played, total if target_error is None else FIRST_LOOK)
        usual = None
        if fit and target_error is None and fitting(speed, total) < total:
            usual, total = total, fitting(speed, total)
        told = length(total, speed, usual, at_most=target_error is not None)
        if told:
            study.watch.say(told)
        progress = stack.enter_context(study.watch.task(label, total))
        progress(played.games)
        if target_error is None:
            played.add(total - played.games, progress)
        else:
            # looks at fixed numbers of games, so that no machine's speed decides the result
            played.add(FIRST_LOOK - played.games, progress)
            while widest(played.batch) > target_error:
                played.add(min(max(FIRST_LOOK, played.games // 8), LARGEST_STEP), progress)
        if played.rows:
            played.rows.provenance = played.batch.provenance
    return played.batch


class Growing:
    """A batch that grows by the games after it; if there are ``rows``, they get the records."""

    def __init__(self, study: Study, rows: "Rows | None") -> None:
        self.study, self.rows = study, rows
        self._batch: Batch | None = None

    @property
    def batch(self) -> Batch:
        """All games so far; there must be one."""
        assert self._batch is not None
        return self._batch

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self._batch.games if self._batch else 0

    def add(self, games: int, progress: Progress | None = None) -> float:
        """Play more games, and return the seconds they took."""
        seconds = 0.0
        while games > 0:
            step = min(games, RECORDS_AT_ONCE) if self.rows else games
            more = run(
                self.study.game,
                self.study.variant,
                self.study.lineup,
                step,
                self.study.seed,
                first=self.games,
                threads=self.study.threads,
                records=self.rows is not None,
                progress=progress,
            )
            if self.rows:
                self.rows.add(frames.records(more))
                more = dataclasses.replace(more, records=None)
            self._batch = self._batch + more if self._batch else more
            seconds += more.seconds
            games -= step
        return seconds


def measured(played: Growing, most: int) -> float:
    """Games per second, from the first games of a batch: enough of them for a moment, and at most ``most``."""
    step = min(played.study.threads or default_threads(), FEWEST)
    while True:
        step = min(step, most - played.games)
        seconds = played.add(step)
        if seconds >= MOMENT or played.games >= most:
            return step / max(seconds, 1e-9)
        step *= 4


def fitting(speed: float, most: int) -> int:
    """The largest of 1, 2, 5, 10, .. games that takes about ``SECONDS`` at this speed, from ``FEWEST`` to ``most``.

    Examples
    --------
    >>> fitting(1e9, 1_000_000), fitting(300.0, 1_000_000), fitting(0.9, 1_000_000)
    (1000000, 5000, 100)
    """
    rounded = [digit * power for power in (10**2, 10**3, 10**4, 10**5, 10**6) for digit in (1, 2, 5)]
    return max([FEWEST, *(games for games in rounded if games <= min(most, speed * SECONDS))])


def length(games: int, speed: float, usual: int | None = None, *, at_most: bool = False) -> str:
    """How long so many games take, if that has to be said: it is over a minute, or fewer games than usual are played."""
    seconds = games / speed
    if usual is None and seconds <= LONG:
        return ""
    pace = f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
    played = f"{'at most about ' if at_most else ''}{counted(games, 'game')}"
    told = f"playing {played} takes about {duration(seconds)} at {pace} a second"
    if usual is None:
        return told
    return f"{told}; {usual:,} would take about {duration(usual / speed)} (--games sets another number)"


def duration(seconds: float) -> str:
    """A time for people.

    Examples
    --------
    >>> duration(20), duration(600), duration(1_160_000), duration(4e9)
    ('20 seconds', '10 minutes', '13 days', '127 years')
    """
    units = ((365.25 * 86400, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"))
    unit, name = next(((unit, name) for unit, name in units if seconds >= 2 * unit), (1, "seconds"))
    return f"{max(1, round(seconds / unit)):,} {name}"


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
    remark = f"Unfinished: {batch.unfinished:,}. The interval: {interval}."
    title = f"{batch.game.title}, {batch.players} players, {batch.variant.name}: who wins"
    winners = Table("seats", title, seats, SEATS, False, remark=remark)
    rows, by_seat = [], []
    for field in batch.game.fields:
        if field.code or field.name == "unfinished":
            continue
        if not field.per_seat:
            rows.append({"quantity": field.name} | happened(batch, field.name, field.doc))
        for seat, chosen in enumerate(batch.lineup if field.per_seat else ()):
            about = {"quantity": field.name, "seat": seat + 1, "policy": str(chosen)}
            by_seat.append(about | happened(batch, f"{field.name}_{seat + 1}", field.doc))
    tables = [
        winners,
        Table.of("means", "What happened, per game", (QUANTITY, *HAPPENED), rows, remark=remark_of(batch, rows)),
        Table.of(
            "seat_means",
            "What each seat did, per game",
            (QUANTITY, SEAT, POLICY, *HAPPENED),
            by_seat,
            remark=remark_of(batch, by_seat),
        ),
    ]
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
    return tables, content


def happened(batch: Batch, column: str, meaning: str) -> dict[str, Any]:
    """Mean, spread and quantiles of a column of records."""
    found = frames.summary(batch, column)
    return {
        "mean": Measured(frames.mean(batch, column), frames.counted(batch, column), batch.seed),
        **{name: found[name] for name in ("sd", "median", "p95")},
        "meaning": meaning,
    }


def remark_of(batch: Batch, rows: Sequence[dict[str, Any]]) -> str:
    """What the note below a table of means adds."""
    some = any(row["mean"].games < batch.games for row in rows)
    return "Games are those in which there is a value." if some else ""


def write_log(path: Path, study: Study) -> None:
    """One row per decision, a piece at a time."""
    with row_file(path) as rows, study.watch.task("decisions", study.games) as progress:
        for first in range(0, study.games, DECISIONS_AT_ONCE):
            games = min(DECISIONS_AT_ONCE, study.games - first)
            found = log(study.game, study.variant, study.lineup, games, study.seed, first=first)
            rows.add(pd.DataFrame(found, columns=list(study.game.log_columns)))
            progress(games)
        rows.provenance = study.provenance


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

    study: Study
    number: int
    events: Sequence[Event]
    record: dict[str, int]
    kernel_agrees: bool

    @property
    def lines(self) -> Iterator[str]:
        """The game for people; an event may take several lines."""
        study, record = self.study, self.record
        winners = [str(seat + 1) for seat in range(len(study.lineup)) if record["winners"] >> seat & 1]
        outcome = "unfinished" if record["unfinished"] else f"won by seat {' and '.join(winners)}"
        lineup = ", ".join(map(str, study.lineup))
        yield f"{study.game.title}, {study.variant.name}, game {self.number} of seed {study.seed} ({lineup})"
        yield ""
        if signs := {sign: meaning for event in self.events for sign, meaning in event.signs.items()}:
            yield from legend(signs)
            yield ""
        yield from map(str, self.events)
        yield ""
        yield f"After {counted(record['rounds'], 'round')}: {outcome}."
        if self.kernel_agrees:
            yield "The compiled kernel plays the same game."
        else:
            yield "THE COMPILED KERNEL DISAGREES: please report this."

    @property
    def content(self) -> dict[str, Any]:
        """The game for machines."""
        return {
            "game": self.study.game.name,
            **self.study.variant.provenance,
            "seed": self.study.seed,
            "number": self.number,
            "lineup": list(map(str, self.study.lineup)),
            "events": [{"event": type(event).__name__, **event.plain(), "text": str(event)} for event in self.events],
            "record": self.record,
            "kernel_agrees": self.kernel_agrees,
        }


def tell(study: Study, number: int) -> Told:
    """Play one game by the readable reference, and check its record against the kernel's."""
    replay = study.game.replay(study.variant.rules, study.lineup, SeededDice(study.seed, number))
    events: list[Event] = []
    # nobody knows how long a game will be
    with study.watch.task(f"playing game {number} of {study.game.title} move by move", None) as progress:
        while True:
            try:
                events.append(next(replay))
            except StopIteration as end:
                record: dict[str, int] = end.value
                break
            if len(events) % EVENTS_AT_ONCE == 0:
                progress(EVENTS_AT_ONCE)
    columns = study.game.columns(len(study.lineup))
    out = np.empty((1, len(columns)), np.int32)
    tables = study.game.build_tables(study.variant.rules, len(study.lineup))
    study.game.play_games(tables, encode(study.lineup), study.seed, number, out)
    return Told(study, number, events, record, [record[name] for name in columns] == out[0].tolist())
