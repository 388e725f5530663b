"""Variants: TOML files turned into a frozen ``Rules``, strictly.

A game's ``Rules`` is a frozen dataclass whose fields are declared with :func:`number`, :func:`ruling` or
:func:`data`; the declaration holds default, doc and what is allowed, so that the reader, the command line, the
report on rulings and the check of a user's file all speak from one place.

A variant file::

    title = "Short game"
    summary = "Five pins each."
    [rules]
    pins = 5
    shortage = "one_each"

A rule may name a file of its own, such as a board. It is looked for beside the variant file, then in the current folder;
the rules keep what it held, so that an edit while games are played changes nothing and provenance can tell all of it.
"""

import dataclasses
import os
import stat
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sims.engine.errors import InputError
from sims.engine.numbers import read_whole, shown
from sims.engine.text import BLANKS, printable, unseen

Scalar = bool | int | str
#: What a rule that no text can hold says of itself.
IN_A_FILE = "only in a variant file"


class UserFile(str):
    """The path of a user's file as the value of a rule, with what the file held when the rules were read."""

    content: dict[str, Any]

    def __new__(cls, path: str, content: dict[str, Any]) -> "UserFile":
        """Keep the content with the path."""
        made = super().__new__(cls, path)
        made.content = content
        return made

    def __getnewargs__(self) -> tuple[str, dict[str, Any]]:  # type: ignore[override]
        return str(self), self.content

    def __eq__(self, other: object) -> bool:
        same = not isinstance(other, UserFile) or self.content == other.content
        return same and str.__eq__(self, str(other)) if isinstance(other, str) else False

    def __ne__(self, other: object) -> bool:
        # text has one of its own, which would not ask for the content
        return not self == other

    __hash__ = str.__hash__


@dataclass(frozen=True)
class Spec:
    """What one rules field allows.

    Attributes
    ----------
    doc : str
        One line for people.
    allowed : tuple
        The allowed values, or empty if ``low <= value <= high`` decides.
    alternatives : tuple
        For a ruling: the other readings that reports measure, in order. Empty for plain numbers and data.
    parse : callable or None
        For structured data: ``parse(value from TOML) -> value``, raising ``InputError``.
    form : str
        For structured data: what is allowed, in words, with an example after "as" if ``--set`` takes it.
    file : bool
        For structured data: whether a value that ends in ``.toml`` is the path of a file.
    """

    doc: str
    allowed: tuple[Scalar, ...] = ()
    low: int = 0
    high: int = 0
    alternatives: tuple[Scalar, ...] = ()
    parse: Callable[[Any], Any] | None = None
    form: str = IN_A_FILE
    file: bool = False

    def says(self) -> str:
        """What is allowed, in words."""
        if self.parse:
            return self.form
        if self.allowed:
            return ", ".join(show(value) for value in self.allowed)
        return f"a whole number from {self.low} to {self.high}"


def number(default: int, doc: str, *, low: int, high: int) -> Any:
    """A number of the game: a whole number from ``low`` to ``high``."""
    return dataclasses.field(default=default, metadata={"spec": Spec(doc, low=low, high=high)})


def ruling(
    default: Scalar,
    doc: str,
    *,
    alternatives: Sequence[Scalar],
    low: int | None = None,
    high: int | None = None,
) -> Any:
    """A settled reading of an unclear sentence, with the other readings that reports measure.

    Allowed are the default and the alternatives, or, if ``low`` and ``high`` are given, any whole number between.
    """
    if low is None or high is None:
        spec = Spec(doc, allowed=(default, *alternatives), alternatives=tuple(alternatives))
    else:
        spec = Spec(doc, low=low, high=high, alternatives=tuple(alternatives))
    return dataclasses.field(default=default, metadata={"spec": spec})


def data(
    default: Any,
    doc: str,
    *,
    parse: Callable[[Any], Any],
    form: str = Spec.form,
    file: bool = False,
    alternatives: Sequence[Scalar] = (),
) -> Any:
    """Structured data (a table of cards, the name of a board), read by ``parse``.

    With ``file`` a value that ends in ``.toml`` is the path of a user's file; ``parse`` gets a :class:`UserFile`. With
    alternatives it is a ruling as well.
    """
    spec = Spec(doc, parse=parse, form=form, file=file, alternatives=tuple(alternatives))
    return dataclasses.field(default=default, metadata={"spec": spec})


def show(value: Any) -> str:
    """A value as TOML writes it (without quotes)."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def specs(rules: Any) -> dict[str, Spec]:
    """The declared fields of a ``Rules`` class or instance, in order."""
    return {field.name: field.metadata["spec"] for field in dataclasses.fields(rules)}


def rulings(rules: Any) -> dict[str, Spec]:
    """Only the fields that settle an unclear sentence."""
    return {name: spec for name, spec in specs(rules).items() if spec.alternatives}


def coded(rules: Any, name: str) -> int:
    """A rule as the integer that kernels carry: the place of a word among the declared readings, else the value itself."""
    value = getattr(rules, name)
    return specs(rules)[name].allowed.index(value) if isinstance(value, str) else int(value)


def carry(rules: Any, record: np.void) -> None:
    """Write every rule that has a field of its own name in a kernel's record there, as :func:`coded` says it."""
    for name in specs(rules):
        if name in (record.dtype.names or ()):
            record[name] = coded(rules, name)


def other_readings(chosen: "Variant") -> list[tuple[str, Scalar, "Variant"]]:
    """Every ruling with every reading other than the variant's own: name, reading, the variant changed to it.

    Readings that the variant's other rules do not allow, such as other numbers of pieces on a small board, are left out.
    """
    defaults = type(chosen.rules)()
    found = []
    for name, spec in rulings(defaults).items():
        for reading in (getattr(defaults, name), *spec.alternatives):
            if reading != getattr(chosen.rules, name):
                with suppress(InputError):
                    found.append((name, reading, chosen.changed(**{name: reading})))
    return found


def as_path(key: str, value: str | os.PathLike[str]) -> Path:
    """A path from Python, given as text or as a path; anything else is one clear line."""
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{key}: {shown(value)} is not a path")
    return Path(value)


def find(key: str, name: str, beside: Path | None = None) -> Path:
    """The file of that name: in the folder ``beside``, if it is there, otherwise in the current folder.

    Raises
    ------
    InputError
        If there is none; the message names every place that was tried.
    """
    tried = dict.fromkeys([*([beside / name] if beside else []), Path(name)])
    for path in tried:
        if path.exists():
            return path
    raise InputError(f"{key}: {shown(name)} is not there; tried {' and '.join(str(path.absolute()) for path in tried)}")


def file_content(name: str) -> dict[str, Any]:
    """What a user's file holds, as it was when the rules were read, or as it is now for a plain path."""
    return name.content if isinstance(name, UserFile) else read_toml(Path(name))


def check(key: str, value: Any, spec: Spec, default: Any, beside: Path | None = None) -> Any:
    """``value``, parsed if it is structured; ``InputError`` naming key, value and what is allowed.

    ``beside`` is the folder where a file that ``value`` names is looked for first.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if spec.parse:
        if spec.file:
            value = os.fspath(value) if isinstance(value, os.PathLike) else value
            if isinstance(value, str) and value.endswith(".toml") and not isinstance(value, UserFile):
                path = find(key, value, beside)
                value = UserFile(str(path), read_toml(path))
        return spec.parse(value)
    fits = type(value) is type(default)
    if fits and (value in spec.allowed if spec.allowed else spec.low <= value <= spec.high):
        return value
    raise InputError(f"{key}: {shown(show(value))} is not allowed; {spec.says()}")


def replace(rules: Any, changes: Mapping[str, Any], where: str = "", beside: Path | None = None) -> Any:
    """A copy of ``rules`` with checked changes; unknown keys are an ``InputError``."""
    known = specs(rules)
    checked = {}
    try:
        for key, value in changes.items():
            if key not in known:
                raise InputError(f"{key}: no such rule; allowed: {', '.join(known)}")
            default = next(f.default for f in dataclasses.fields(rules) if f.name == key)
            checked[key] = check(key, value, known[key], default, beside)
        # the rules check themselves whether their values go together
        return dataclasses.replace(rules, **checked)
    except InputError as error:
        raise InputError(f"{where}{error}") from None


def from_text(rules: Any, assignments: Sequence[str]) -> dict[str, Scalar]:
    """``["pins=3", "shortage=one_each"]`` as typed values (``--set`` on the command line)."""
    known, values = specs(rules), {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise InputError(f"--set: {assignment!r} is not key=value")
        if key not in known:
            raise InputError(f"--set {key}: no such rule; allowed: {', '.join(known)}")
        if key in values:
            raise InputError(f"--set {key}: is given twice")
        default = getattr(rules, key)
        value: Scalar = text
        if known[key].parse and not isinstance(default, str):
            raise InputError(f"--set {key}: only a variant file can change this; see 'oddsmith games'")
        if isinstance(default, bool):
            value = {"true": True, "false": False}.get(text.lower(), text)
        elif isinstance(default, int):
            number = read_whole(text)
            value = text if number is None else number
        values[key] = value
    return values


@dataclass(frozen=True)
class Variant:
    """A named set of rules.

    Attributes
    ----------
    source : str
        The name of a shipped variant or the path of a file, as the user gave it.
    changes : tuple of str
        What was changed since, each as ``key=value``.
    """

    source: str
    title: str
    summary: str
    rules: Any
    changes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The source and the changes, for people."""
        return " ".join([self.source, *self.changes])

    def changed(self, **changes: Any) -> "Variant":
        """The same variant with some rules changed, named after the changes."""
        told = tuple(f"{key}={show(value)}" for key, value in changes.items())
        return dataclasses.replace(self, changes=self.changes + told, rules=replace(self.rules, changes))

    @property
    def provenance(self) -> dict[str, Any]:
        """Name and rules in full; ``files`` holds the content of the users' files that rules name, if there are any."""
        named = files(self.rules)
        return {"variant": self.name, "rules": as_dict(self.rules)} | ({"files": named} if named else {})


def as_dict(rules: Any) -> dict[str, Any]:
    """All rules as plain values, for provenance."""
    return {
        key: str(value) if isinstance(value, UserFile) else value for key, value in dataclasses.asdict(rules).items()
    }


def files(rules: Any) -> dict[str, dict[str, Any]]:
    """The content of the users' files that rules name, by rule."""
    named = {key: getattr(rules, key) for key, spec in specs(rules).items() if spec.file}
    return {key: file_content(value) for key, value in named.items() if value.endswith(".toml")}


def names(folder: Path) -> list[str]:
    """The shipped variants of a game, ``standard`` first."""
    found = sorted(path.stem for path in (folder / "variants").glob("*.toml"))
    return sorted(found, key=lambda name: name != "standard")


def load(folder: Path, rules_type: Any, name: str | os.PathLike[str] = "standard") -> Variant:
    """Read a shipped variant by name, or a user's file by path (anything that ends in ``.toml``).

    A file that a rule names is looked for beside the variant file, then in the current folder.

    Raises
    ------
    InputError
        Unknown variant, unreadable or broken file, unknown key, wrong type, value out of range.
    """
    name = os.fspath(name) if isinstance(name, os.PathLike) else name
    if not isinstance(name, str):
        raise InputError(f"variant: {shown(name)} is not a name; allowed: {', '.join(names(folder))}, or a path")
    if name.endswith(".toml"):
        path = Path(name)
    elif name in names(folder):
        path = folder / "variants" / f"{name}.toml"
    else:
        raise InputError(
            f"variant: {name!r} is unknown; allowed: {', '.join(names(folder))}, or the path of a .toml file"
        )
    content = read_toml(path)
    for key, value in content.items():
        if key not in ("title", "summary", "rules"):
            raise InputError(f"{path.name}: {key}: no such key; allowed: title, summary, rules")
        if key != "rules" and not isinstance(value, str):
            raise InputError(f"{path.name}: {key}: {value!r} is not a text")
    changes = content.get("rules", {})
    if not isinstance(changes, dict):
        raise InputError(f"{path.name}: rules: {changes!r} is not a table; write [rules]")
    rules = replace(rules_type(), changes, where=f"{path.name}: ", beside=path.parent)
    return Variant(name, content.get("title", path.stem), content.get("summary", ""), rules)


#: Bytes, characters of a name, levels and dots in a line that no file of ours comes near; time and memory grow with them.
LARGEST_FILE, LONGEST_NAME, DEEPEST, MOST_DOTS = 1_000_000, 500, 20, 1_000
#: Keys whose texts are shown as a line: titles and names.
NAMES = ("title", "summary", "name")


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a user's TOML file: variant, board or position; the only reader of such files.

    Raises
    ------
    InputError
        What is no regular file of a sensible size is refused before it is opened, since a pipe or a device may never
        end; texts that steer a terminal are refused too, so that no name has to be mistrusted later.
    """
    shown = printable(str(path))
    if shown != str(path):
        raise InputError(f"{shown}: cannot be read: its name holds control characters or is no UTF-8; rename it")
    try:
        text = _read(path).decode("utf-8-sig")
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            # a key of many parts takes tomllib time in their square
            raise InputError(f"{path}: cannot be read: a line has more than {MOST_DOTS:,} dots")
        content = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text in UTF-8") from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        # TOMLDecodeError is a ValueError; so is a number with thousands of digits
        raise InputError(f"{path}: broken TOML: {error}") from None
    _check_texts(f"{path}: ", content)
    return content


def _read(path: Path) -> bytes:
    """The bytes of a regular file, checked before it is opened and again when it is open."""

    def check(found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):
            raise InputError(f"{path}: cannot be read: it is a folder")
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path}: cannot be read: it is not a regular file")
        if found.st_size > LARGEST_FILE:
            raise InputError(f"{path}: cannot be read: it has more than {LARGEST_FILE:,} bytes")

    check(os.stat(path))
    # should it have become a pipe since, opening must not wait for a writer
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        check(os.fstat(file.fileno()))
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise InputError(f"{path}: cannot be read: it has more than {LARGEST_FILE:,} bytes")
    return content


def _check_texts(where: str, value: Any, key: str = "", depth: int = 0) -> None:
    """No control characters in keys and texts, no line breaks in names, no number beyond the 64 bits of TOML."""
    if depth > DEEPEST:
        raise InputError(f"{where}more than {DEEPEST} levels of lists and tables")
    if isinstance(value, dict):
        for name, inside in value.items():
            if unseen(name):
                raise InputError(f"{where}{printable(name)}: the key holds {unseen(name)}, which cannot be seen")
            _check_texts(f"{where}{name}: ", inside, name, depth + 1)
    elif isinstance(value, list):
        for inside in value:
            _check_texts(where, inside, key, depth + 1)
    elif isinstance(value, str):
        hidden = unseen(value, "" if key in NAMES else BLANKS)
        if hidden:
            raise InputError(f"{where}the text holds {hidden}, which cannot be seen; leave it out")
        if key in NAMES and len(value) > LONGEST_NAME:
            raise InputError(f"{where}{len(value):,} characters; at most {LONGEST_NAME} are allowed")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(f"{where}a number of {value.bit_length()} bits; at most 64 are allowed")
