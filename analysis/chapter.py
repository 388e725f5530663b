"""The contract of a chapter: what the analysis of one game offers, on one page.

The package ``analysis/chapters/<package>`` holds ``CHAPTER = Chapter(...)``. The command line and the report know a game's
analysis only through that object.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeVar

import sims
from analysis.claims import Sentence
from analysis.estimates import Z95, Estimate
from analysis.measures import Measured
from analysis.tables import Table
from sims.engine import memory
from sims.engine.batch import Batch, Progress, check_count, check_games, check_played, run, toolkit_version
from sims.engine.dice import check_seed
from sims.engine.errors import InputError
from sims.engine.game import Chosen, Game
from sims.engine.numbers import shown
from sims.engine.variant import Variant

#: Seconds that a turn may be said to take: an hour.
MOST_SECONDS = 3600
#: Bytes that a balance sheet takes for each byte of a record: batches of two, three and four players, and their frames.
KEPT = 5

Key = TypeVar("Key")
Found = TypeVar("Found")


class Watch(Protocol):
    """Who is told how far the work is. The command line shows a bar; a library caller may pass ``Silent()``."""

    def task(self, label: str, total: int | None) -> AbstractContextManager[Progress]:
        """Announce a piece of work of ``total`` steps (None: unknown); call the result with the steps just done."""

    def say(self, sentence: str) -> None:
        """Tell something about the work, such as how long it will take."""


class Silent:
    """Nobody watches."""

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Progress]:
        """Announce nothing."""
        yield lambda done: None

    def say(self, sentence: str) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Study:
    """What the user asked about: a game, a variant, a lineup, how many games, which seed.

    Attributes
    ----------
    players : int or None
        The number of players if the user named one; ``None`` means that the chapter shows all that are instructive.
    seconds : float or None
        What a turn takes at the table, for lengths in minutes; ``None``: as long as the chapter says.

    Raises
    ------
    InputError
        If a number is none or out of range, or game, variant or lineup are only names.
    """

    game: Game
    variant: Variant
    lineup: tuple[Chosen, ...]
    players: int | None
    games: int
    seed: int
    threads: int | None = None
    watch: Watch = field(default_factory=Silent)
    seconds: float | None = None

    def __post_init__(self) -> None:
        check_played(self.game, self.variant, self.lineup)
        checked: dict[str, Any] = {"lineup": tuple(self.lineup)}
        checked |= {"games": check_games(self.games), "seed": check_seed(self.seed)}
        if self.players is not None:
            checked["players"] = len(self.game.lineup((), self.players))
        if self.threads is not None:
            checked["threads"] = check_count("threads", self.threads, high=1024)
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:
            raise InputError(f"seconds: {shown(self.seconds)} is not allowed; above 0, at most {MOST_SECONDS}")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def check_memory(self) -> None:
        """Refuse games whose records, kept for several numbers of players, do not fit into memory."""
        columns = len(self.game.columns(max(self.game.seats)))
        memory.check("games", self.games, KEPT * 4 * columns, "their records and the tables made of them")

    def play(
        self,
        label: str,
        *,
        variant: Variant | None = None,
        lineup: Sequence[Chosen] | None = None,
        games: int | None = None,
        seed: int | None = None,
        records: bool = False,
    ) -> Batch:
        """Play a batch, the study's own unless told otherwise, and show ``label`` while it runs."""
        count = games or self.games
        with self.watch.task(label, count) as progress:
            return run(
                self.game,
                variant or self.variant,
                lineup or self.lineup,
                count,
                self.seed if seed is None else seed,
                threads=self.threads,
                records=records,
                progress=progress,
            )

    @property
    def provenance(self) -> dict[str, Any]:
        """What it takes to find the study's numbers again."""
        return {
            "game": self.game.name,
            **self.variant.provenance,
            "lineup": [str(chosen) for chosen in self.lineup],
            "seed": self.seed,
            "games": self.games,
            **({} if self.seconds is None else {"seconds": self.seconds}),
            "version": toolkit_version(),
        }

    def numbers_of_players(self, default: tuple[int, ...]) -> tuple[int, ...]:
        """The number of players that the user named, or those that a table shows by default."""
        return (self.players,) if self.players else default


@dataclass(frozen=True)
class OddsTable:
    """One table of ``oddsmith odds``: the question it answers, and how to build it."""

    question: str
    build: Callable[[Study], Table]


@dataclass(frozen=True)
class Metric:
    """A number of the balance sheet that ``--limit`` can hold to a limit."""

    found: Measured
    doc: str

    @property
    def number(self) -> float:
        """The plain value."""
        return self.found.value


class Once(Mapping[Key, Found]):
    """What can be found, by name: found when it is first asked for, and kept.

    Examples
    --------
    >>> squares = Once({3: lambda: print("three times three") or 9})
    >>> list(squares), squares[3], squares[3]
    three times three
    ([3], 9, 9)
    """

    def __init__(self, finders: Mapping[Key, Callable[[], Found]]) -> None:
        self._finders = finders
        self._found: dict[Key, Found] = {}

    @classmethod
    def over(cls, keys: Iterable[Key], find: Callable[[Key], Found]) -> "Once[Key, Found]":
        """What ``find`` makes of each key."""
        return cls({key: partial(find, key) for key in keys})

    def __getitem__(self, key: Key) -> Found:
        if key not in self._found:
            self._found[key] = self._finders[key]()
        return self._found[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._finders)

    def __len__(self) -> int:
        return len(self._finders)

    def __contains__(self, key: object) -> bool:
        return key in self._finders


@dataclass(frozen=True)
class Sheet:
    """A balance sheet: tables by name, and the metrics that can be limited.

    The names are known at once; tables and metrics are found, and games played, when they are asked for
    (:class:`Once`). A table may turn out to have no rows.
    """

    tables: Mapping[str, Table]
    metrics: Mapping[str, Metric]


@dataclass(frozen=True)
class Answer:
    """An exact answer: the JSON object, and the same as sentences and tables for people."""

    content: Mapping[str, Any]
    sentences: tuple[str, ...]
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Check:
    """A known answer: what must come out, what came out.

    Attributes
    ----------
    source : str
        Where the expected value comes from.
    standard_error : float
        Of a simulated ``got``; 0 for exact comparisons, which must agree to ``tolerance``.
    games : int or None
        Games behind a simulated value.
    tolerance : float
        What the exact methods guarantee.
    between : (float, float)
        Where the value can lie: 0 and 1 for a chance.
    """

    name: str
    source: str
    expected: float
    got: float
    standard_error: float = 0.0
    games: int | None = None
    tolerance: float = 1e-9
    between: tuple[float, float] = (0.0, math.inf)

    @property
    def interval(self) -> Estimate:
        """What came out, with its 95 % interval if it is simulated."""
        half = Z95 * self.standard_error or math.nan
        return Estimate(self.got, self.got - half, self.got + half).within(*self.between)

    @property
    def z(self) -> float:
        """Standard errors between expected and got; for exact comparisons 0 or infinite."""
        if self.standard_error == 0:
            return 0.0 if abs(self.got - self.expected) <= self.tolerance else float("inf")
        return (self.got - self.expected) / self.standard_error

    @property
    def passed(self) -> bool:
        """Within 4 standard errors."""
        return abs(self.z) <= 4


@dataclass(frozen=True)
class Picture:
    """A figure of a report: ``draw()`` returns a matplotlib figure."""

    caption: str
    draw: Callable[[], Any]


@dataclass(frozen=True)
class Section:
    """A section of a report: a heading, sentences, pictures and tables, in that order.

    Attributes
    ----------
    sentences : tuple of str, Claim or Question
        A plain text explains or tells numbers and holds no verdict; a verdict is a claim, or a question that the page settles
        together with all its others.
    """

    heading: str = ""
    sentences: tuple[Sentence, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Page:
    """What a chapter tells in a report; the skeleton (:mod:`analysis.page`) puts it into the order of all pages.

    Attributes
    ----------
    short : tuple of Sentence
        At most five answers for the first box.
    own : tuple of Section
        What only this game has.
    length, readings, seats : Section
        How long a game takes, what the ambiguous rules change, and whether the seat matters; headings come from the skeleton.
    """

    short: tuple[Sentence, ...]
    own: tuple[Section, ...]
    length: Section
    readings: Section
    seats: Section


@dataclass(frozen=True)
class Chapter:
    """The analysis of one game.

    Attributes
    ----------
    odds : dict of OddsTable
        By the name that ``--table`` takes.
    balance : callable
        ``balance(study) -> Sheet``, before a game is played.
    solve : callable
        ``solve(study, **what) -> Answer``; ``what`` are the options named in ``solve_takes``.
    solve_takes : tuple of str
        Which of ``pins`` and ``position`` the game's exact answers start from.
    page : callable
        ``page(study) -> Page``.
    readings : mapping of (ruling, reading) to str
        What people call a reading, to stand before a verb: "Letting every double collect".
    checks : callable
        ``checks(study) -> iterable of Check`` for the validate page.
    turns : str
        The column of a record that counts what people wait for: turns, or rounds if everybody acts at once.
    seconds : float
        What one of them takes at the table unless the user says otherwise: a guess, said as one.
    report_games : int
        Games that a report plays for each batch unless told otherwise.
    table_games : int
        The same for ``oddsmith odds`` and ``oddsmith balance``, which should answer within about a minute.
    check_games : int
        The same for ``oddsmith validate``.
    """

    odds: Mapping[str, OddsTable]
    balance: Callable[[Study], Sheet]
    solve: Callable[..., Answer]
    solve_takes: tuple[str, ...]
    page: Callable[[Study], Page]
    readings: Mapping[tuple[str, str], str]
    checks: Callable[[Study], Iterable[Check]]
    report_games: int
    turns: str = "turns"
    seconds: float = 30.0
    table_games: int = 200_000
    check_games: int = 1_000_000

    def table(self, name: str) -> OddsTable:
        """The odds table of that name, or one clear line."""
        if not isinstance(name, str) or name not in self.odds:
            raise InputError(f"table: {shown(name)} is unknown; allowed: {', '.join(self.odds)}")
        return self.odds[name]


def later(module: str, name: str) -> Callable[[Study], Any]:
    """A function of a module that is imported when it is called: a warm odds table needs no pictures."""

    def call(study: Study) -> Any:
        return getattr(import_module(module), name)(study)

    return call


def chapter(game: str) -> Chapter:
    """The chapter of a game, imported when it is asked for; one clear line if there is no such game."""
    sims.game(game)
    found: Chapter = import_module(f"analysis.chapters.{sims.GAMES[game]}").CHAPTER
    return found
