"""The contract of a game, on one page.

A game is a package beside this one whose ``__init__`` holds ``GAME = Game(...)``. The engine, the command line and
the reports know a game only through that object; see ``CONTRIBUTING.md`` for the recipe.
"""

import dataclasses
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.engine import variant
from sims.engine.dice import Dice
from sims.engine.errors import InputError
from sims.engine.numbers import as_whole, read_whole, shown

#: Columns of a lineup handed to a kernel: the policy's kind and up to three parameters.
LINEUP_WIDTH = 4


@dataclass(frozen=True)
class Parameter:
    """A whole-number parameter of a policy, written ``policy:name=value``."""

    name: str
    default: int
    low: int
    high: int
    doc: str


@dataclass(frozen=True)
class Policy:
    """A decision rule that a game ships.

    Attributes
    ----------
    kind : int
        What the compiled ``decide`` functions dispatch on.
    title : str
        What people call who plays so: "the five-line card".
    idea, source : str
        One line each: what it does, and where it comes from.
    traits : tuple of str
        Declared properties that tests verify (``"deterministic"``, ``"random"``, ...).
    """

    name: str
    kind: int
    title: str
    idea: str
    source: str
    traits: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """A policy with its parameters: one seat of a lineup."""

    policy: Policy
    values: tuple[int, ...] = ()

    def __str__(self) -> str:
        pairs = zip(self.policy.parameters, self.values, strict=True)
        return self.policy.name + "".join(f":{parameter.name}={value}" for parameter, value in pairs)


@dataclass(frozen=True)
class Field:
    """One number of a record, never negative.

    Attributes
    ----------
    bins : int
        Its histogram starts with room for 0 .. bins - 1, and grows if a larger value occurs. Choose it so that this
        is rare.
    per_seat : bool
        Whether there is one column per seat (``name_1``, ``name_2``, ...).
    code : bool
        Whether the values are names rather than amounts, so that a mean says nothing.
    zero_is_none : bool
        Whether 0 says that the game has no value: such a game counts in no mean and no quantile.
    most : int or None
        The largest value possible under any rules, where there is one: 1 for a yes or no.
    """

    name: str
    bins: int
    doc: str
    per_seat: bool = False
    code: bool = False
    zero_is_none: bool = False
    most: int | None = None


@dataclass(frozen=True)
class Event:
    """Something that happened in a reference game; games derive their own, with a ``__str__`` for people."""

    turn: int
    seat: int

    def plain(self) -> dict[str, Any]:
        """What happened as numbers, texts and lists, for machines; an event that holds more says how to tell it."""
        return dataclasses.asdict(self)

    @property
    def signs(self) -> dict[str, str]:
        """The signs of the drawing in its text, each with what it means; none without a drawing."""
        return {}


#: A reference game: yields what happens, returns the record by column name.
Playthrough = Generator[Event, None, dict[str, int]]


@dataclass(frozen=True)
class Game:
    """Everything the rest of the toolkit knows about a game.

    Attributes
    ----------
    seats : tuple of int
        The allowed numbers of players.
    fields : tuple of Field
        What a record holds. Three names are common to all games: ``winners`` (16 bins; bit mask of the seats
        that won or share the win, 0 if unfinished), ``unfinished`` (0 or 1) and ``rounds``.
    build_tables : callable
        ``build_tables(rules, players) -> NamedTuple`` of arrays, the only place where rules become integers. Its
        ``rules`` is one record, in which a rule that is not spelled out in other tables has its own name.
    play_games : compiled
        ``play_games(tables, lineup, seed, first, out)``: fills ``out : int32[game, column]`` with the records
        of the games ``first, first + 1, ...``; ``lineup : int64[seat, 4]``.
    replay : callable
        ``replay(rules, lineup, dice) -> Playthrough``: one game by the readable reference.
    log_columns, log_games : optional
        One row per decision: ``log_games(tables, lineup, seed, first, out, log) -> rows`` fills
        ``log : int32[row, column]`` too (its first column is the number of the game) and returns the rows written,
        or -1 if they did not fit.
    files : mapping of str to str
        What users' files of this game hold beside rules, for people: the kind of file and its keys.
    """

    name: str
    title: str
    summary: str
    folder: Path
    seats: tuple[int, ...]
    rules: type
    roster: Mapping[str, Policy]
    default_policy: str
    fields: tuple[Field, ...]
    build_tables: Callable[[Any, int], Any]
    play_games: Callable[..., Any]
    replay: Callable[[Any, Sequence[Chosen], Dice], Playthrough]
    log_columns: tuple[str, ...] = ()
    log_games: Callable[..., int] | None = None
    files: Mapping[str, str] = field(default_factory=dict)

    def variant(
        self, name: str | os.PathLike[str] = "standard", changes: Mapping[str, Any] | None = None
    ) -> variant.Variant:
        """A shipped variant by name or a user's by path, with changes on top, such as ``{"pins": 10}``.

        Raises
        ------
        InputError
            Anything that the game does not know or allow, in one line.
        """
        changes = {} if changes is None else changes
        if not isinstance(changes, Mapping) or not all(isinstance(key, str) for key in changes):
            raise InputError(f"changes: {shown(changes)} is not a table of rules; write {{'rule': value}}")
        return variant.load(self.folder, self.rules, name).changed(**changes)

    def columns(self, players: int) -> tuple[str, ...]:
        """Names of the columns of a record, in order."""
        return tuple(name for name, _ in self.column_fields(players))

    def column_fields(self, players: int) -> list[tuple[str, Field]]:
        """Columns of a record with the fields they belong to."""
        return [
            (f"{field.name}_{seat + 1}" if field.per_seat else field.name, field)
            for field in self.fields
            for seat in range(players if field.per_seat else 1)
        ]

    def policy(self, text: str) -> Chosen:
        """``"hold:points=5"`` as a policy with its parameters.

        Raises
        ------
        InputError
            Unknown policy or parameter, value that is no whole number or out of range.
        """
        if not isinstance(text, str):
            raise InputError(f"policy: {shown(text)} is not a policy; write name or name:parameter=value")
        name, *pairs = text.split(":")
        if name not in self.roster:
            raise InputError(f"policy: {shown(name)} is unknown; allowed: {', '.join(self.roster)}")
        policy = self.roster[name]
        values = {parameter.name: parameter.default for parameter in policy.parameters}
        keys = [pair.partition("=")[0] for pair in pairs]
        for pair in pairs:
            key, equals, value = pair.partition("=")
            if keys.count(key) > 1:
                raise InputError(f"policy {name}: {shown(key)} is given twice")
            spec = next((parameter for parameter in policy.parameters if parameter.name == key), None)
            if values and not equals:
                # hold:4, or hold:points: show how it is written
                named = spec or policy.parameters[0]
                example = f"{name}:{named.name}={named.default if spec or read_whole(pair) is None else pair}"
                raise InputError(f"policy {name}: {shown(pair)} is not name=value; write {example}{_among(values)}")
            if spec is None:
                allowed = ", ".join(values) or "no parameters"
                raise InputError(f"policy {name}: {shown(key)} is not a parameter; allowed: {allowed}")
            number = read_whole(value)
            if number is None or not spec.low <= number <= spec.high:
                raise InputError(
                    f"policy {name}: {key}: {shown(value)} is not allowed; a whole number from {spec.low} to {spec.high}"
                )
            values[key] = number
        return Chosen(policy, tuple(values.values()))

    def lineup(self, policies: str | Sequence[str] = (), players: int | None = None) -> tuple[Chosen, ...]:
        """The policies in seat order, as ``["card", "timid"]`` or ``"card,timid"``.

        One policy is played by every seat, none means the default policy.

        Raises
        ------
        InputError
            A number of players that the game does not allow, or that does not match the policies given.
        """
        if isinstance(policies, str):
            policies = policies.split(",") if policies else ()
        if not isinstance(policies, Sequence):
            raise InputError(f"lineup: {shown(policies)} is not a list of policies")
        given = [self.policy(text) for text in policies] or [self.policy(self.default_policy)]
        count = max(len(given), self.seats[0]) if players is None else as_whole(players)
        if count is None or count not in self.seats:
            allowed = ", ".join(map(str, self.seats))
            raise InputError(
                f"players: {shown(count if players is None else players)} is not allowed; {self.name} seats {allowed}"
            )
        if len(given) == 1:
            given *= count
        if len(given) != count:
            raise InputError(f"lineup: {len(given)} policies for {count} players; give one, or one for each seat")
        return tuple(given)


def _among(names: Mapping[str, int]) -> str:
    """The parameters of a policy, where there are several."""
    return f"; its parameters: {', '.join(names)}" if len(names) > 1 else ""


def encode(lineup: Sequence[Chosen]) -> NDArray[np.int64]:
    """A lineup for a kernel: ``int64[seat, (kind, parameter, parameter, parameter)]``."""
    coded = np.zeros((len(lineup), LINEUP_WIDTH), np.int64)
    for row, chosen in zip(coded, lineup, strict=True):
        row[0] = chosen.policy.kind
        row[1 : 1 + len(chosen.values)] = chosen.values
    return coded
