"""Play many games: blocks handed to threads, exact integer sums, one record per game only when asked for.

A kernel fills a small block of records that stays in the processor's cache; the block is then added to integer
histograms, sums and sums of squares. Integers add up to the same totals in any order, so the result does not
depend on threads or blocks, and a billion games need the memory of a thousand. A histogram reaches as far as the
largest value that occurred.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.engine import memory
from sims.engine.dice import MAX_SEED, check_seed
from sims.engine.errors import InputError
from sims.engine.game import Chosen, Game, encode
from sims.engine.jit import kernel
from sims.engine.numbers import as_whole, shown, whole
from sims.engine.variant import Variant

#: A block grows until it takes about this long, which keeps progress smooth and overhead small.
BLOCK_SECONDS = 0.02
MAX_BLOCK = 8192
#: More games than anybody can wait for.
MOST_GAMES = 10**12
#: Bytes that are taken for each byte of records kept: the records, and as much for what is made of them.
RECORD_SHARE = 2

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Batch:
    """Many games of one variant, one lineup, one seed.

    Attributes
    ----------
    first, games : int
        The games ``first .. first + games - 1`` of the seed.
    histograms : dict of int64[value]
        Per column, how many games have each value; as long as the field's ``bins``, or as the largest value asks for.
    sums, squares : dict of int
        Exact sums of values and of their squares, per column.
    records : int32[game, column] or None
        One record per game, if it was asked for.
    seconds : float
        Time spent playing.
    """

    game: Game
    variant: Variant
    lineup: tuple[Chosen, ...]
    seed: int
    first: int
    games: int
    histograms: dict[str, NDArray[np.int64]]
    sums: dict[str, int]
    squares: dict[str, int]
    records: NDArray[np.int32] | None = field(default=None, repr=False)
    seconds: float = 0.0

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.lineup)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the record's columns."""
        return self.game.columns(self.players)

    @property
    def unfinished(self) -> int:
        """Games that met the turn limit."""
        return self.sums["unfinished"]

    @property
    def provenance(self) -> dict[str, Any]:
        """All that is needed to play the batch again."""
        return {
            "game": self.game.name,
            **self.variant.provenance,
            "lineup": [str(chosen) for chosen in self.lineup],
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
            "version": toolkit_version(),
        }

    def __add__(self, other: "Batch") -> "Batch":
        """This batch followed by the games right after it."""
        place = {"first": 0, "games": 0}
        same = self.provenance | place == other.provenance | place
        if not same or other.first != self.first + self.games:
            raise ValueError("only batches that follow each other add up")
        both = self.records is not None and other.records is not None
        return Batch(
            self.game,
            self.variant,
            self.lineup,
            self.seed,
            self.first,
            self.games + other.games,
            {name: _joined([counts, other.histograms[name]]) for name, counts in self.histograms.items()},
            {name: total + other.sums[name] for name, total in self.sums.items()},
            {name: total + other.squares[name] for name, total in self.squares.items()},
            np.concatenate([self.records, other.records]) if both else None,
            self.seconds + other.seconds,
        )


def toolkit_version() -> str:
    """Version of the installed toolkit."""
    try:
        return version("oddsmith")
    except PackageNotFoundError:
        return "uninstalled"


def default_threads() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@kernel
def accumulate(block, starts, sizes, counts, sums, squares, largest):
    """Add ``block : int32[game, column]`` to histograms laid end to end, sums and sums of squares.

    A value beyond its histogram is not counted there; ``largest``, 0 before, tells of it.
    """
    for g in range(block.shape[0]):
        for c in range(block.shape[1]):
            value = np.int64(block[g, c])
            if value < sizes[c]:
                counts[starts[c] + value] += 1
            elif value > largest[c]:
                largest[c] = value
            sums[c] += value
            squares[c] += value * value


class _Totals:
    """What one thread adds up."""

    def __init__(self, bins: Sequence[int]) -> None:
        self.bins = bins
        self.sizes = np.array(bins, np.int64)
        self.counts = np.zeros(int(self.sizes.sum()), np.int64)
        # Python's integers: squares of a million long games may not fit 64 bits
        self.sums, self.squares = [0] * len(bins), [0] * len(bins)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the histogram of each column starts."""
        return np.cumsum(self.sizes) - self.sizes

    def add(self, block: NDArray[np.int32]) -> None:
        """Add records; histograms that are too short for them grow."""
        sums, squares, largest = np.zeros((3, len(self.sizes)), np.int64)
        accumulate(block, self.starts, self.sizes, self.counts, sums, squares, largest)
        self.sums = [total + more for total, more in zip(self.sums, sums.tolist(), strict=True)]
        self.squares = [total + more for total, more in zip(self.squares, squares.tolist(), strict=True)]
        if largest.any():
            self._count_beyond(block, largest)

    def _count_beyond(self, block: NDArray[np.int32], largest: NDArray[np.int64]) -> None:
        histograms = np.split(self.counts, self.starts[1:])
        for column in np.flatnonzero(largest):
            short = histograms[column]
            # twice as long at least, so that values that creep up seldom ask for a copy
            grown = np.zeros(max(int(largest[column]) + 1, 2 * len(short)), np.int64)
            grown[: len(short)] = short
            values = block[:, column]
            np.add.at(grown, values[values >= len(short)], 1)
            histograms[column] = grown
        self.sizes = np.array([len(counts) for counts in histograms], np.int64)
        self.counts = np.concatenate(histograms)

    def histograms(self) -> list[NDArray[np.int64]]:
        """One per column, as long as the largest value or the field asks for."""
        found = []
        for counts, least in zip(np.split(self.counts, self.starts[1:]), self.bins, strict=True):
            beyond = np.flatnonzero(counts[least:])
            found.append(counts[: least + (int(beyond[-1]) + 1 if len(beyond) else 0)])
        return found


def _joined(histograms: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The sum of histograms of any lengths."""
    total = np.zeros(max(map(len, histograms)), np.int64)
    for counts in histograms:
        total[: len(counts)] += counts
    return total


class _Blocks:
    """Hands out the games of a batch in blocks whose size follows the measured speed."""

    def __init__(self, first: int, games: int, block: int | None) -> None:
        self.next, self.end, self.fixed = first, first + games, block
        self.size = block or 1
        self.lock = threading.Lock()
        self.stopped = False

    def take(self) -> tuple[int, int] | None:
        with self.lock:
            if self.stopped or self.next >= self.end:
                return None
            first = self.next
            self.next = min(self.end, first + self.size)
            return first, self.next

    def took(self, seconds: float) -> None:
        with self.lock:
            if self.fixed is None and seconds < BLOCK_SECONDS / 2:
                self.size = min(MAX_BLOCK, self.size * 2)


def run(
    game: Game,
    variant: Variant,
    lineup: Sequence[Chosen],
    games: int,
    seed: int,
    *,
    first: int = 0,
    threads: int | None = None,
    block: int | None = None,
    records: bool = False,
    progress: Progress | None = None,
) -> Batch:
    """Play ``games`` games and add up their records.

    Parameters
    ----------
    lineup : sequence of Chosen
        One policy for each seat.
    seed : int
        0 to 2**63 - 1.
    first : int
        Number of the first game: a later call with ``first`` set to where this one ended extends it.
    threads : int, optional
        Default: every processor this process may use.
    block : int, optional
        Games per kernel call; by default it follows the measured speed. Never changes a record.
    records : bool
        Keep one record per game: ``int32[game, column]``.
    progress : callable, optional
        Called with the number of games just finished, from any thread.

    Raises
    ------
    InputError
        If ``games``, ``seed``, ``threads``, ``block`` or ``first`` is out of range, if the records would not fit into
        memory, or if ``variant`` or ``lineup`` is not what the game makes of a name.
    """
    check_played(game, variant, lineup)
    games, seed = check_games(games), check_seed(seed)
    first = check_count("first", first, low=0, high=MAX_SEED - games + 1)
    if block is not None:
        block = check_count("block", block)
    if threads is not None:
        threads = check_count("threads", threads, high=1024)
    players, names = len(lineup), game.columns(len(lineup))
    if records:
        memory.check("games", games, RECORD_SHARE * 4 * len(names), "their records")
    tables = game.build_tables(variant.rules, players)
    coded = encode(lineup)
    bins = [field.bins for _, field in game.column_fields(players)]
    kept = np.empty((games, len(names)), np.int32) if records else None
    blocks = _Blocks(first, games, block)

    def work() -> _Totals:
        totals = _Totals(bins)
        scratch = np.empty((0, len(names)), np.int32)
        while (bounds := blocks.take()) is not None:
            low, high = bounds
            began = time.perf_counter()
            if kept is not None:
                out = kept[low - first : high - first]
            else:
                if len(scratch) < high - low:
                    scratch = np.empty((high - low, len(names)), np.int32)
                out = scratch[: high - low]
            game.play_games(tables, coded, seed, low, out)
            totals.add(out)
            blocks.took(time.perf_counter() - began)
            if progress:
                progress(high - low)
        return totals

    # Compile, or load from the cache, before threads start and the clock runs.
    warm = np.zeros((0, len(names)), np.int32)
    game.play_games(tables, coded, seed, first, warm)
    _Totals(bins).add(warm)

    began = time.perf_counter()
    totals: list[_Totals] = list(_in_threads(work, threads or default_threads(), blocks))
    histograms = zip(*(total.histograms() for total in totals), strict=True)
    sums = map(sum, zip(*(total.sums for total in totals), strict=True))
    squares = map(sum, zip(*(total.squares for total in totals), strict=True))
    return Batch(
        game,
        variant,
        tuple(lineup),
        seed,
        first,
        games,
        dict(zip(names, map(_joined, histograms), strict=True)),
        dict(zip(names, sums, strict=True)),
        dict(zip(names, squares, strict=True)),
        kept,
        time.perf_counter() - began,
    )


def _in_threads(work: Callable[[], Any], threads: int, blocks: _Blocks) -> Iterator[Any]:
    """Run ``work`` in every thread; an interrupt stops all of them at their next block."""
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work) for _ in range(threads)]
        try:
            for future in futures:
                yield future.result()
        except BaseException:
            blocks.stopped = True
            raise


def log(
    game: Game, variant: Variant, lineup: Sequence[Chosen], games: int, seed: int, *, first: int = 0
) -> NDArray[np.int32]:
    """One row per decision of ``games`` games: ``int32[row, column]`` with the game's ``log_columns``.

    Raises
    ------
    InputError
        If the game has no decisions to log.
    """
    check_played(game, variant, lineup)
    if game.log_games is None:
        raise InputError(f"game: {game.name} has no decisions to log")
    games, seed = check_games(games), check_seed(seed)
    first = check_count("first", first, low=0, high=MAX_SEED - games + 1)
    tables, coded = game.build_tables(variant.rules, len(lineup)), encode(lineup)
    width, rows = len(game.columns(len(lineup))), 256 * games
    memory.check("games", games, 4 * (width + 256 * len(game.log_columns)), "their decisions")
    out = np.empty((games, width), np.int32)
    while True:
        table = np.empty((rows, len(game.log_columns)), np.int32)
        written = game.log_games(tables, coded, seed, first, out, table)
        if written >= 0:
            return table[:written].copy()
        rows *= 2


def check_count(key: str, value: int, *, low: int = 1, high: int = MAX_SEED) -> int:
    """A whole number from ``low`` to ``high``, or one clear line."""
    return whole(key, value, low, high)


def check_games(value: int, said: str | None = None) -> int:
    """A number of games that can be waited for, or one clear line that quotes ``said`` if the user wrote it so."""
    games = as_whole(value)
    if games is None or not 1 <= games <= MOST_GAMES:
        raise InputError(
            f"games: {shown(value if said is None else said)} is not allowed; a whole number from 1 to {MOST_GAMES:,} "
            "(those take twelve days at a million games per second)"
        )
    return games


def check_played(game: Game, variant: Variant, lineup: Sequence[Chosen]) -> None:
    """Whether these are a game, its variant and its policies, not their names; otherwise one clear line."""
    if not isinstance(game, Game):
        raise InputError(f"game: {shown(game)} is not a game; write sims.game(name)")
    if not isinstance(variant, Variant) or not isinstance(variant.rules, game.rules):
        raise InputError(f"variant: {shown(variant)} is not a variant of {game.name}; write game.variant(name)")
    if isinstance(lineup, str) or not all(isinstance(chosen, Chosen) for chosen in lineup):
        raise InputError(f"lineup: {shown(lineup)} is not a lineup; write game.lineup(policies, players)")
