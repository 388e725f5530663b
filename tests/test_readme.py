"""What the README shows is what the program prints, and every command it names is one."""

import re
from pathlib import Path

import pytest

from analysis import cli
from sims.engine.batch import toolkit_version

README = (Path(__file__).resolve().parent.parent / "README.md").read_text()
SHOWN = re.findall(r"^\$ oddsmith (.+)\n((?:.+\n|\n(?!```))*?)```", README, flags=re.M)


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
    known = {command.callback.__name__ for command in cli.app.registered_commands}
    assert named == known
