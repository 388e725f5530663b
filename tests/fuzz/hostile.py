"""Argument lists and files that nobody should give, and somebody will: each gets an answer or one line."""

import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import typer
from fuzz import inputs

import sims
from analysis import cli
from analysis.chapter import chapter
from sims.engine import variant

NUMBERS = ("0", "-1", "-0", "1", "2", "1e300", "-1e300", "1e309", "nan", "inf", "-inf", "", " ", "1_0", "\u0663", "\u00bd",
           "1e-300", "9" * 5000, "-" + "9" * 400, str(2**63), str(2**64), str(2**31), "0x10", "1,5", "+3", " 7 ", "1.0",
           "--2", "2-", "1e", "\u221e", "true", "None")  # fmt: skip
#: Counts that are refused, or over in a moment: a billion games is a long answer, not a wrong one.
COUNTS = (*(text for text in NUMBERS if text not in ("-0", str(2**31))), "1e13", "1e15", "3k", "k", "1e1")
WORDS = (*inputs.TEXTS, "nope", "standard", "-", "--", "-x", "=", ":", ",", ",,", "a=b", "../..", "~", "*", "A" * 5000,
         "\udcff\udcfe", "\u0000x".strip("\u0000"), "\x7f", "\u2028", "card:gem", "hold:4", "hold:points=--2", "NONE.toml",
         "pins=0", "dice=1", "board=board.toml", "cards=1")  # fmt: skip
#: What ``files`` makes, by name.
FILES = ("fifo.toml", "zero.toml", "huge.toml", "folder.toml", "folder", "loop.toml", "binary.toml", "empty.toml",
         "deep.toml", "missing.toml", "missing/a.toml", "nul.toml", "good.toml", "bad\udcff.toml",
         "x" * 300 + ".toml")  # fmt: skip
OUTPUTS = ("out.csv", "out.json", "out.md", "out.tex", "out.txt", "out.parquet", "out", "out.xyz", ".csv", "folder.csv",
           "missing/out.csv", "fifo.csv", "link.csv", "locked.csv", "good.toml/out.csv", "bad\udcff.csv", "x" * 300 + ".csv",
           "new\nline.csv", "esc\x1b[31m.csv", "folder", "", ".")  # fmt: skip


def files(folder: Path) -> None:
    """Put the files of ``FILES`` and ``OUTPUTS`` that can exist into a folder, afresh."""
    for name in ("fifo.toml", "fifo.csv"):
        if not (folder / name).exists():
            os.mkfifo(folder / name)
    for name, target in (("zero.toml", "/dev/zero"), ("loop.toml", "loop.toml"), ("link.csv", "linked.csv")):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(target)
    for name in ("folder.toml", "folder", "folder.csv"):
        (folder / name).mkdir(exist_ok=True)
    with (folder / "huge.toml").open("wb") as file:
        file.truncate(2**33)
    (folder / "linked.csv").write_text("")
    (folder / "locked.csv").write_text("")
    (folder / "locked.csv").chmod(0o444)
    (folder / "binary.toml").write_bytes(bytes(range(256)))
    (folder / "empty.toml").write_text("")
    (folder / "deep.toml").write_text("a = " + "[" * 5000)
    (folder / "nul.toml").write_text('[rules]\nboard = "a\\u0000b.toml"\n')
    (folder / "good.toml").write_text("[rules]\n")


@cache
def options(kind: str) -> tuple[tuple[str, bool], ...]:
    """The options of a command, and whether each is a flag."""
    command: Any = typer.main.get_command(cli.app)
    found = command.commands[kind].params
    return tuple((each.opts[0], bool(each.is_flag)) for each in found if each.param_type_name == "option")


def good(option: str, game: str, rng: random.Random) -> str | None:
    """Something that the option may well take, where that is quickly over; None if this has none to offer."""
    found = sims.game(game)
    if option == "--set":
        key, wanted = rng.choice(list(inputs.extremes(game)))
        return f"{key}={variant.show(wanted)}"
    choices = {
        "--variant": variant.names(found.folder),
        "--players": list(map(str, found.seats)),
        "--lineup": [name for name in found.roster],
        "--table": list(chapter(game).odds),
        "--seed": ["0", "7", str(2**63)],
        "--threads": ["1", "2", "3"],
        "--game": ["0", "9", str(2**40)],
        "--format": ["text", "json", "csv", "markdown", "latex"],
        "--pins": ["1,1", "9,30", "3,4,5", "1,2,1,2"],
    }
    return rng.choice(choices[option]) if option in choices else None


def value(kind: str, option: str, game: str, rng: random.Random) -> str:
    """Something for an option: good as often as bad, and then most often of the kind that it wants."""
    fine = good(option, game, rng) if game in sims.GAMES and rng.random() < 0.5 else None
    if fine is not None:
        return fine
    if rng.random() < 0.12:
        return rng.choice((*WORDS, *NUMBERS[:-2], *FILES)) if option not in ("--games", "--target-error") else "nope"
    if option in ("--variant", "--position"):
        return rng.choice([*FILES, *WORDS])
    if option == "--output":
        return (
            rng.choice(("folder", "good.toml", "fifo.csv", "", "page.html"))
            if kind == "report"
            else rng.choice(OUTPUTS)
        )
    if option == "--log":
        return rng.choice(OUTPUTS)
    if option == "--games":
        return rng.choice(COUNTS)
    if option == "--target-error":
        return rng.choice(("0", "-1", "nan", "inf", "1e300", "1", "0.5", "0.3", "1e-300", "", "x", "0.2"))
    if option == "--set":
        rules = sims.game(game).rules if game in sims.GAMES else sims.game("tacatuca").rules
        key = rng.choice([*variant.specs(rules), "nope", ""])
        return f"{key}={rng.choice([*NUMBERS, *WORDS, *FILES])}"
    if option == "--table":
        return rng.choice([*(chapter(game).odds if game in sims.GAMES else []), "metrics", "seats", *WORDS])
    if option == "--limit":
        return rng.choice([*(f"{name}={bound}" for name in ("seat_gap_2", "nope", "") for bound in NUMBERS), *WORDS])
    if option == "--lineup" and game in sims.GAMES:
        policy = rng.choice(list(sims.game(game).roster.values()))
        keys = [each.name for each in policy.parameters] or ["x"]
        return f"{policy.name}:{rng.choice([*keys, 'nope', ''])}={rng.choice(NUMBERS)}"
    if option == "--pins":
        return ",".join(rng.choice(("1", "2", "5", *NUMBERS)) for _ in range(rng.choice([1, 2, 2, 3, 4, 5])))
    if option == "--format":
        return rng.choice(("text", "json", "csv", "markdown", "latex", "", "JSON", "xml"))
    return rng.choice((*NUMBERS, *WORDS[:8]))


def line(rng: random.Random) -> list[str]:
    """A command with a few bad arguments; counts stay small unless they are the bad thing."""
    kinds = ["games", "play", "odds", "solve", "show"] * 3
    kind = rng.choice([*kinds, "balance", "report", "validate"])
    game = rng.choice([*sims.GAMES] * 12 + [*WORDS[:6], "", "chess"])
    words = [kind, *([game] if rng.random() < 0.95 else [])]
    known = options(kind)
    chosen = rng.sample(known, min(len(known), rng.choice([1, 1, 2, 3])))
    for option, flag in chosen:
        words += [option] if flag else [option, value(kind, option, game, rng)]
    if rng.random() < 0.1:
        words += rng.choice(
            [[rng.choice(WORDS)], ["--nope"], ["-n"], ["--variant", "standard", "--variant", "good.toml"]]
        )
    given = {option for option, _ in chosen}
    if ("--games", False) in known and not given & {"--games", "--target-error"}:
        words += ["-n", "2"]
    if kind == "report" and "--output" not in given:
        words += ["-o", "page"]
    return words
