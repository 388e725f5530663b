"""Commands driven over cases, and the verdict on what they answer."""

import csv
import io
import json
import os
import random
import re
import selectors
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from fuzz import hostile, inputs
from fuzz.inputs import Case

import sims
from analysis.chapter import Study, chapter

#: What a command may take, in seconds; and the share of a processor below which a silent worker waits for something.
SECONDS, IDLE = 20.0, 0.02
#: What no answer holds: numbers that are none, and what Python says of itself.
FORBIDDEN = re.compile(r"(?<![\w$\\])(nan|NaN|inf|-inf|Infinity|None(?! of)|Traceback|KeyError|<NA>|NaT)(?!\w)")
FORMATS = ("text", "json", "csv", "markdown", "latex")
#: Lines on stderr that the program says beside an answer.
MEANT = re.compile(r"wrote |compiling |playing game |.* holds one table, here ")
#: How often a rule's value is tried with other rules before it is tried alone.
TRIALS = 30


@dataclass
class Fault:
    """An answer that should not have been, as a person can try it again."""

    game: str
    says: str
    line: str
    files: dict[str, str]
    detail: str
    seconds: float = 0.0

    @property
    def key(self) -> str:
        """The same for faults that look alike."""
        where = re.findall(r'File "[^"]*?((?:sims|analysis)/[^"]+)", line (\d+)', self.detail)
        last = self.detail.strip().splitlines()[-1] if self.detail.strip() else ""
        last = re.sub("[0-9]+", "N", last)[:60] if where else self.line.split()[1]
        return " ".join([self.says.split(":")[0], *map(":".join, where[-1:]), last])

    def __str__(self) -> str:
        texts = "".join(f"cat > {name} <<'EOF'\n{text}EOF\n" for name, text in self.files.items())
        return f"{self.says}\n{texts}{self.line}\n{self.detail[-1500:]}"


@dataclass
class Tally:
    """What was tried, and what came of it; ``seconds`` are of processors, ``never`` was not accepted in any variant."""

    commands: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pairs: set[tuple[str, str, Any]] = field(default_factory=set)
    never: set[tuple[str, str, Any]] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    seconds: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Count another's tries too."""
        for name in ("commands", "answered", "accepted", "refused", "seconds"):
            getattr(self, name).update(getattr(other, name))
        self.pairs |= other.pairs
        self.never |= other.never
        self.faults += other.faults
        for kind, slow in other.slowest.items():
            self.slowest[kind] = max(slow, self.slowest.get(kind, (0.0, "")))

    def distinct(self) -> dict[str, Fault]:
        """One fault, the shortest to type, of those that look alike."""
        found: dict[str, Fault] = {}
        for fault in sorted(self.faults, key=lambda fault: len(str(fault))):
            found.setdefault(fault.key, fault)
        return found

    def __str__(self) -> str:
        lines = [f"{sum(self.commands.values())} commands, {sum(self.answered.values())} answered, "
                 f"{len(self.faults)} faults of {len(self.distinct())} kinds"]  # fmt: skip
        for game in self.accepted | self.refused:
            lines.append(f"{game}: {self.accepted[game]} variants accepted, {self.refused[game]} refused")
        for kind in sorted(self.commands):
            slow, line = self.slowest.get(kind, (0.0, ""))
            lines.append(f"{kind}: {self.commands[kind]} tried, {self.answered[kind]} answered, "
                         f"{self.seconds[kind]:.0f} s, slowest {slow:.1f} s: {line}")  # fmt: skip
        return "\n".join(lines)


class Shell:
    """A worker process that answers commands; one that does not answer in time is ended and replaced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Shell":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _start(self) -> "subprocess.Popen[str]":
        paths = os.pathsep.join(map(os.path.abspath, sys.path))
        # a terminal's width and colours are no part of the question
        environment = {
            **os.environ,
            "COLUMNS": "200",
            "PYTHONPATH": paths,
            "PYTHONUTF8": "1",
        }
        return subprocess.Popen(
            [sys.executable, "-m", "fuzz.worker", str(self.folder / "stray")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=self.folder,
            text=True,
            encoding="utf-8",
        )

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def run(self, arguments: list[str], pictures: bool = True) -> dict[str, Any]:
        """What the program answers: status (None if it raised, or did not end), out, err, stray, seconds, work.

        Without ``pictures`` a page's pictures are composed, but not written.

        Seconds that other processes take are no fault of the program: what counts is its own work, or that it idles.
        """
        self._process = process = self._process or self._start()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps({"arguments": arguments, "pictures": pictures}) + "\n")
        process.stdin.flush()
        started, worked = time.monotonic(), processor_time(process.pid)
        seconds = work = 0.0
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while not (answered := bool(ready.select(1))) and work < 3 * SECONDS:
                seconds, work = time.monotonic() - started, processor_time(process.pid) - worked
                if seconds > SECONDS and work < IDLE * seconds:
                    break
        line = process.stdout.readline() if answered else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        says = (
            f"the process died ({process.wait()})"
            if answered
            else f"ended after {work:.0f} s of work in {seconds:.0f} s"
        )
        self._end()
        return {"status": None, "out": "", "err": says, "stray": "", "seconds": seconds, "work": work}


def processor_time(process: int) -> float:
    """Seconds of all processors that a process has used, as Linux tells them; the clock where it does not."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- commands ----------------------------------------------------------------------------------------------------


def commands(case: Case, number: int, folder: Path, rng: random.Random, thorough: bool) -> Iterator[list[str]]:
    """Every command over one accepted case; formats and tables go round by its ``number``.

    ``thorough`` asks for every odds table, the whole balance sheet and the files of pictures.
    """
    game, base = case.game, case.arguments
    tables, sheet = list(chapter(game).odds), balance_tables(game)

    def few() -> list[str]:
        return ["-n", str(rng.choice([1, 1, 2, 3, 5, 20])), "-s", str(rng.choice([1, rng.randrange(2**32)]))]

    def style(turn: int) -> list[str]:
        return ["-f", FORMATS[(number + turn) % len(FORMATS)]]

    def seats() -> list[str]:
        return rng.choice([[], ["-p", str(rng.choice(case.players))]])

    for turn, players in enumerate(case.players):
        yield ["play", game, *base, "-p", str(players), *few(), *style(turn)]
    players = rng.choice(case.players)
    yield ["play", game, *base, "-p", str(players), "-l", inputs.some_lineup(game, players, rng), *few(), *style(3)]
    ending = ("csv", "parquet")[number % 2]
    files = ["-o", f"{{}}/records.{ending}"]
    if sims.game(game).log_games:
        files += ["--log", f"{{}}/log.{ending}"]
    yield ["play", game, *base, "-p", str(players), *few(), *files]
    told = str(rng.choice([0, rng.randrange(2**40)]))
    yield ["show", game, *base, "-p", str(rng.choice(case.players)), "-g", told, "-f", ("text", "json")[number % 2]]
    for turn in range(len(tables) if thorough else 1):
        table = tables[(number + turn) % len(tables)]
        yield ["odds", game, *base, "-t", table, *seats(), *few(), *style(turn + number // len(FORMATS))]
    for _ in range(2):
        yield ["solve", game, *base, *inputs.some_question(case, folder, rng), *style(rng.randrange(5))]
    one = ["-t", sheet[number % len(sheet)]]
    yield ["balance", game, *base, *seats(), *few(), *one, *style(1 + number // len(sheet))]
    if thorough:
        yield ["balance", game, *base, *seats(), *few(), *style(2 + number // len(sheet))]
    yield ["report", game, *base, *few(), "-o", "{}/page", *(["--pictures"] if thorough and number % 5 == 0 else [])]


def balance_tables(game: str) -> list[str]:
    """The tables of a game's balance sheet; none of them is found before it is asked for."""
    found = sims.game(game)
    study = Study(found, found.variant(), found.lineup(), None, 1, 1)
    return ["metrics", *chapter(game).balance(study).tables]


def once(game: str) -> Iterator[list[str]]:
    """What knows no variant, or is shipped: asked once for each game."""
    for style in FORMATS:
        yield ["games", game, "-f", style]
        yield ["odds", game, "-f", style]
    yield ["validate", game, "-n", "1", "-f", "json"]
    yield ["validate", game, "-n", "50", "-f", "csv"]
    folder = sims.game(game).folder
    for path in sorted((folder / "positions").glob("*.toml")):
        for name in sorted((folder / "variants").glob("*.toml")):
            yield ["solve", game, "--variant", name.stem, "--position", str(path)]
    for name in sorted((folder / "variants").glob("*.toml")):
        yield ["play", game, "--variant", name.stem, "-n", "3"]
        yield ["show", game, "--variant", name.stem]
        yield ["balance", game, "--variant", name.stem, "-n", "2"]


# -- the verdict -------------------------------------------------------------------------------------------------


def complaint(arguments: list[str], answer: dict[str, Any], folder: Path) -> tuple[str, str] | None:
    """What is wrong with an answer, and the text that shows it; None if nothing is."""
    status, out, err, stray = (answer[key] for key in ("status", "out", "err", "stray"))
    if status is None:
        return "no answer: " + err.strip().splitlines()[-1][:200], err
    if min(answer["seconds"], answer["work"]) > SECONDS:
        return "slow: more than 20 seconds", f"{answer['seconds']:.1f} s, {answer['work']:.1f} s of all processors"
    if stray:
        return "a library writes past the program", stray
    if "Traceback" in err or "Warning" in err:
        return "traceback or warning on stderr", err
    if status == 2:
        fine = err.startswith("oddsmith: ") and err.count("\n") == 1 and len(err) > 20 and not out
        return None if fine else ("refused, but not in one line alone", out[:500] + err)
    if status != 0 and not (status == 1 and arguments[0] == "validate"):
        return f"status {status}", err
    odd = [line for line in err.splitlines() if not MEANT.match(line)]
    if odd:
        return "says something on stderr", err
    return wrong(arguments, out, folder)


def wrong(arguments: list[str], out: str, folder: Path) -> tuple[str, str] | None:
    """What is wrong with the text of an answer with status 0."""
    if not out and not {"-o", "--output"} & set(arguments):
        return "no answer: nothing printed", ""
    found = FORBIDDEN.search(out)
    if found:
        return f"prints {found[0]}", out[max(0, found.start() - 200) : found.end() + 200]
    if "\x1b" in out:
        return "prints a control character", repr(out[max(0, out.index("\x1b") - 100) :][:200])
    style = arguments[arguments.index("-f") + 1] if "-f" in arguments else "text"
    try:
        if style == "json":
            ordered(json.loads(out, parse_constant=forbid))
        if style == "csv":
            for block in re.split(r"^# .*\n|\n\n", out.replace("\r\n", "\n"), flags=re.MULTILINE):
                widths = {len(row) for row in csv.reader(io.StringIO(block), strict=True) if row}
                if len(widths) > 1:
                    return "rows of several widths in one CSV", out[:500]
        if arguments[0] == "report" and str(folder / "page") in arguments:
            return page((folder / "page" / f"{arguments[1]}.html").read_text(encoding="utf-8"))
    except (ValueError, csv.Error, ElementTree.ParseError) as error:
        return f"not well formed: {error}", out[:500]
    return None


def forbid(name: str) -> None:
    """JSON knows no such number."""
    raise ValueError(f"{name} in JSON")


def ordered(content: Any, path: str = "") -> None:
    """Intervals hold their values, shares lie between 0 and 1."""
    if isinstance(content, list):
        for each in content:
            ordered(each, path)
    if not isinstance(content, dict):
        return
    for key, each in content.items():
        ordered(each, f"{path}/{key}")
    low, high = content.get("low"), content.get("high")
    if isinstance(low, int | float) and isinstance(high, int | float):
        if low > high:
            raise ValueError(f"interval upside down at {path}: {content}")
        value = next((content[key] for key in ("value", "win_rate", "mean", "got") if key in content), None)
        if isinstance(value, int | float) and not low - 1e-9 <= value <= high + 1e-9:
            raise ValueError(f"value outside of its interval at {path}: {content}")
        if ("win_rate" in content or content.get("unit") == "share") and not -1.0 <= low <= high <= 1.0:
            raise ValueError(f"share beyond 1 at {path}: {content}")
    for key in ("win_rate", "probability", "win_probability", "p_value"):
        value = content.get(key)
        if isinstance(value, int | float) and not -1e-9 <= value <= 1 + 1e-9:
            raise ValueError(f"no probability at {path}: {content}")


def page(html: str) -> tuple[str, str] | None:
    """What is wrong with a page."""
    found = FORBIDDEN.search(html)
    if found:
        return f"page says {found[0]}", html[max(0, found.start() - 300) : found.end() + 200]
    if "<script>alert" in html or "\x1b" in html:
        return "a name goes raw into the page", ""
    for picture in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        ElementTree.fromstring(picture)
    return None


# -- driving -----------------------------------------------------------------------------------------------------


def attempt(
    shell: Shell, game: str, case: Case, template: list[str], tally: Tally, pictures: bool = True
) -> int | None:
    """Run one command of a case and judge it; returns its status, or None if that was no answer."""
    arguments = [word.replace("{}", str(shell.folder)) for word in template]
    for name, text in case.files.items():
        (shell.folder / name).write_text(text.replace("{}", str(shell.folder)), encoding="utf-8")
    answer = shell.run(arguments, pictures)
    kind, line = arguments[0], "oddsmith " + shlex.join(word.replace("{}", ".") for word in template)
    tally.commands[kind] += 1
    tally.answered[kind] += answer["status"] in (0, 1)
    tally.seconds[kind] += answer["work"]
    tally.slowest[kind] = max(tally.slowest.get(kind, (0.0, "")), (answer["work"], line))
    wrongly = complaint(arguments, answer, shell.folder)
    if wrongly:
        used = {name: text.replace("{}", ".") for name, text in case.files.items()
                if not name.startswith("position") or any(name in word for word in template)}  # fmt: skip
        tally.faults.append(Fault(game, wrongly[0], line, used, wrongly[1], answer["seconds"]))
        return None
    status: int = answer["status"]
    return status


def accepted(shell: Shell, game: str, number: int, seed: int, tally: Tally) -> tuple[Case, random.Random]:
    """A case that ``play`` accepts: rule and value by its number, the rest drawn anew until it is."""
    pairs = list(inputs.extremes(game))
    pair: tuple[str, Any] | None = pairs[number % len(pairs)]
    for trial in range(4 * TRIALS):
        rng = random.Random(f"{seed} {game} {number} {trial}")
        case = inputs.alone(game, pair) if pair and trial == TRIALS else inputs.MAKERS[game](rng, pair)
        players = str(case.players[0])
        status = attempt(shell, game, case, ["play", game, *case.arguments, "-p", players, "-n", "2"], tally)
        if status == 0:
            tally.accepted[game] += 1
            if pair:
                tally.pairs.add((game, *pair))
            return case, rng
        tally.refused[game] += status == 2
        if pair and trial == TRIALS:
            tally.never.add((game, *pair))
            pair = None
    raise RuntimeError(f"{game}: nothing drawn was accepted\n{tally.faults[-1] if tally.faults else ''}")


def drive(
    game: str,
    numbers: Sequence[int] | Iterator[int],
    seed: int,
    tally: Tally | None = None,
    thin: tuple[int, int] | None = None,
) -> Tally:
    """Every command over accepted cases of one game, in one worker.

    ``thin`` saves time: one odds table and one of the balance sheet for each case, a report for one case in so many, and
    its pictures written for one in so many; the others are only composed.
    """
    tally = Tally() if tally is None else tally
    reports, pictures = thin or (1, 1)
    with tempfile.TemporaryDirectory() as name, Shell(Path(name)) as shell:
        for turn, number in enumerate(numbers):
            case, rng = accepted(shell, game, number, seed, tally)
            for template in commands(case, number, shell.folder, rng, thin is None):
                if template[0] != "report" or turn % reports == 0:
                    attempt(shell, game, case, template, tally, pictures=turn % pictures == 0)
    return tally


def drive_once(game: str) -> Tally:
    """What is asked once for each game, in one worker."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name, Shell(Path(name)) as shell:
        for template in once(game):
            attempt(shell, game, Case(game), template, tally)
    return tally


def drive_hostile(numbers: Iterable[int], seed: int) -> Tally:
    """Argument lists that nobody should give, in one worker."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name, Shell(Path(name)) as shell:
        for number in numbers:
            hostile.files(shell.folder)
            rng = random.Random(f"{seed} hostile {number}")
            attempt(shell, "hostile", Case("hostile"), hostile.line(rng), tally)
    return tally


def in_parallel(work: Iterable[tuple[Any, ...]], workers: int) -> Tally:
    """Tallies of ``(function, arguments..)``, a few at a time, added up."""
    total = Tally()
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(function, *arguments) for function, *arguments in work]:
            total.add(done.result())
    return total
