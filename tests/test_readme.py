"""What the documents show is what the program prints, loads and runs, and every name in them exists."""

import ast
import importlib
import json
import re
import tomllib
from pathlib import Path

import pytest
import typer

import sims
from analysis import cli
from sims.engine.batch import run, toolkit_version
from sims.kazaam_dice import board as kazaam_boards
from sims.kazaam_dice import position as kazaam_positions
from sims.tschakka_lakka import board as temples
from sims.tschakka_lakka import position as temple_positions

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
SHOWN = re.findall(r"^\$ oddsmith (.+)\n((?:.+\n|\n(?!```))*?)```", README, flags=re.M)
COMMANDS = typer.main.get_command(cli.app).commands


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", README, flags=re.M | re.S)


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_the_output_shown_is_the_output_printed(command, shown, capsys):
    assert cli.main(command.split()) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
    # a checkout that is not installed has no version
    shown = shown.replace("oddsmith 0.1.0", f"oddsmith {toolkit_version()}")
    assert printed == [line.rstrip() for line in shown.strip().splitlines()]


def test_something_is_shown():
    assert SHOWN


def test_every_command_named_exists():
    named = set(re.findall(r"`oddsmith (\w+)", README))
    assert named == set(COMMANDS)


def test_every_file_shown_can_be_read(tmp_path):
    """The kinds of files by their keys; a variant finds the board that it names beside itself."""
    found = []
    shown = {tuple(tomllib.loads(text)): text for text in blocks("toml")}
    (tmp_path / "my-temple.toml").write_text(next(text for keys, text in shown.items() if "squares" in keys))
    for text in blocks("toml"):
        content, path = tomllib.loads(text), tmp_path / "shown.toml"
        path.write_text(text)
        if "rules" in content:
            name = "tschakka-lakka" if "board" in content["rules"] else "tacatuca"
            rules = sims.game(name).variant(path).rules
            assert rules != sims.game(name).rules()
            found.append(f"{name} variant" + (" with cards" if "cards" in content["rules"] else ""))
        elif "squares" in content:
            assert len(temples.load(str(path)).chambers) == 12
            found.append("temple")
        elif "seating" in content:
            assert set(kazaam_boards.load(str(path)).alchemists) == {1, 2}
            found.append("map")
        elif "pieces" in content:
            state = kazaam_positions.load(sims.game("kazaam-dice").rules(), path)
            assert (len(state.dice), state.roll) == (len(re.findall(r"\d\^\d", text)), (4, 6))
            found.append("Kazaam position")
        else:
            assert temple_positions.read(path, sims.game("tschakka-lakka").rules()).roll is not None
            found.append("temple position")
    assert sorted(found) == [
        "Kazaam position",
        "map",
        "tacatuca variant",
        "tacatuca variant with cards",
        "temple",
        "temple position",
        "tschakka-lakka variant",
    ]


def test_what_is_said_of_cards_is_so(tmp_path, capsys):
    """The one card of the example, by the words beside it."""
    path = tmp_path / "card.toml"
    path.write_text(next(text for text in blocks("toml") if "Mild power" in text))
    assert cli.main(f"odds tacatuca --table exchange --format json --variant {path}".split()) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    pins = {(row["throw"], row["opponent"]): row["pins"] for row in rows}
    # truce; difference of sums and bonus; not on the card: plain; and 6-6, whose card is gone: plain
    assert (pins["5-5", "6-5"], pins["5-5", "1-1"]) == (0, 10 - 2 + 1)
    assert (pins["5-5", "6-6"], pins["6-6", "2-1"]) == (10 - 12, 12 - 3)


def test_python_shown_runs_and_a_pair_of_runs_is_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pair, library = blocks("python")
    games = 3000
    for command in re.findall(r"^oddsmith (play .+ --output .+)$", README, flags=re.M):
        assert cli.main(command.replace("1e5", str(games)).split()) == 0
    capsys.readouterr()
    exec(pair, {})
    told = float(capsys.readouterr().out.split()[0])
    game = sims.game("tacatuca")
    plain, changed = (
        run(game, game.variant("standard", changes), game.lineup(players=3), games, 1)
        for changes in ({}, {"shortage": "one_each"})
    )
    assert told == pytest.approx((changed.sums["rounds"] - plain.sums["rounds"]) / games, abs=1e-4)
    assert told != 0, "two players never split a debt, so a pair of their runs would show nothing"
    exec(library, {})
    rounds, *_, exact = capsys.readouterr().out.splitlines()
    # 10 pins each: three players play longer than two, and neither as long as the 53 rounds from 20 pins
    assert 5 < float(exact) < float(rounds) < 53


# -- names -----------------------------------------------------------------------------------------------------


def names_of_the_sources():
    """Whatever the sources define, use or quote."""
    found = set()
    for path in [*(ROOT / "sims").rglob("*.py"), *(ROOT / "analysis").rglob("*.py")]:
        found |= {path.stem, path.parent.name}
        for node in ast.walk(ast.parse(path.read_text())):
            for field in ("name", "id", "attr", "arg", "asname", "module"):
                value = getattr(node, field, None)
                if isinstance(value, str):
                    found |= set(value.split("."))
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
                text = node.value.decode() if isinstance(node.value, bytes) else node.value
                found |= {text} if re.fullmatch(r"\w+", text) else set()
    return found


#: Ours, and Numba's name for the plain function behind a kernel.
KNOWN = names_of_the_sources() | {"py_func"}
OPTIONS = {name for command in COMMANDS.values() for param in command.params for name in param.opts} | {"--help"}
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.M))
EXAMPLES = {"mine.toml", "short.toml", "table.parquet", ".toml", "turn.toml"}


def wrong_in(code):
    """What a piece of inline code names that does not exist; empty if all does."""
    first, *rest = code.split()
    if first == "oddsmith":
        command = COMMANDS.get(rest[0]) if rest else None
        options = {name for param in command.params for name in param.opts} if command else set()
        return [word for word in rest if word.startswith("-") and word not in options] if command or not rest else rest
    if first == "make":
        return [word for word in rest if word not in TARGETS and "=" not in word]
    if first.startswith("--"):
        return [] if first in OPTIONS else [first]
    if code in EXAMPLES:
        return []
    if re.fullmatch(r"[\w<>./*-]+", code) and ("/" in code or re.search(r"\.(py|toml|md|html|lock)$", code)):
        pattern = re.sub(r"<\w+>", "*", code).rstrip("/")
        places = ("", "*/", "*/*/", "analysis/chapters/*/")
        return [] if any(any(ROOT.glob(place + pattern)) for place in places) or "-pictures" in code else [code]
    if re.fullmatch(r"(sims|analysis)(\.\w+)+", code):
        module, _, name = code.rpartition(".")
        return [] if hasattr(importlib.import_module(module), name) else [code]
    outside = re.match(r"(pyarrow(?:\.\w+)+)", code)
    if outside:
        module, _, name = outside[1].rpartition(".")
        return [] if hasattr(importlib.import_module(module), name) else [code]
    # one or two letters are marks on a map
    return [word for word in re.findall(r"[A-Za-z_]\w\w+", code) if word not in KNOWN]


@pytest.mark.parametrize("document", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_name_in_backticks_exists(document):
    text = re.sub(r"^```.*?^```", "", document, flags=re.M | re.S)
    codes = re.findall(r"`([^`\n]+)`", text)
    assert len(codes) > 20
    assert {code: wrong for code in codes if (wrong := wrong_in(code))} == {}


@pytest.mark.parametrize(
    "code",
    ["oddsmith play --colour", "make tea", "--colour", "sims/nothing.py", "deal_cards", "sims.tacatuca.kernel.offer"],
)
def test_a_name_that_does_not_exist_is_noticed(code):
    assert wrong_in(code)
