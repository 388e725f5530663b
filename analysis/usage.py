"""How a call of the program is read: numbers as people write them, and what is said of names that do not exist."""

import difflib
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sims import GAMES
from sims.engine.errors import InputError
from sims.engine.numbers import read_real, read_whole, shown

_COUNT = re.compile(r"([0-9]{1,30}(?:_[0-9]{1,30}){0,9}(?:\.[0-9]{1,30})?)(?:[eE]\+?([0-9]{1,3}))?([kMG]?)")
_FACTORS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}


def count(text: str) -> int:
    """Read a number of games as people write it: ``1000000``, ``1_000_000``, ``1e6``, ``2M``, ``50k``; never rounded."""
    from sims.engine.batch import check_games

    found = _COUNT.fullmatch(text.strip())
    if not found:
        raise InputError(f"games: {shown(text)} is not a number of games; write 50000, 1e6 or 2M")
    digits, power, factor = found.groups()
    games = Fraction(digits.replace("_", "")) * 10 ** int(power or 0) * _FACTORS[factor]
    if games.denominator > 1 or games < 1:
        raise InputError(f"games: {shown(text)} is not allowed; a whole number of at least 1")
    return check_games(games.numerator, said=text)


def whole(text: str) -> int:
    """Read a whole number; the message names what was given."""
    # Typer hands the default over too, which is a number already
    found = read_whole(str(text))
    if found is None:
        raise typer.BadParameter(f"{shown(text)} is not a whole number")
    return found


def real(text: str) -> float:
    """Read a number; the message names what was given."""
    found = read_real(str(text))
    if found is None:
        raise typer.BadParameter(f"{shown(text)} is not a number")
    return found


def unknown(what: str, name: str, allowed: Iterable[str]) -> InputError:
    """The error for a name that does not exist: the nearest one, and all there are."""
    names = list(allowed)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    meant = f", perhaps {near[0]}" if near else ""
    return InputError(f"{what}: {shown(name)} is unknown{meant}; allowed: {', '.join(names)}")


class Command(TyperCommand):
    """A command that takes each option once, unless it says otherwise, and knows what else could have been meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; what Typer would let pass or say too little about is an ``InputError``."""
        params: list[Any] = self.params
        options = [param for param in params if param.param_type_name == "option"]
        try:
            # the parser takes the list apart
            values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        except typer.TyperException as error:
            if hasattr(error, "possibilities"):
                names = [name for option in options for name in option.opts if name.startswith("--")]
                raise unknown("option", vars(error)["option_name"], [*names, "--help"]) from None
            raise
        for option in options:
            if not option.multiple and not option.is_flag and given.count(option) > 1:
                raise InputError(f"{option.opts[0].lstrip('-')}: {option.opts[0]} is given twice; once is allowed")
        for param in params:
            wanted = param.param_type_name == "argument" and param.required and values.get(param.name) is None
            if wanted and "--help" not in args and "-h" not in args:
                raise InputError(f"{param.name}: is missing; {param.help[0].lower()}{param.help[1:].rstrip('.')}")
        return super().parse_args(ctx, args)


class Program(TyperGroup):
    """The program itself: commands that do not exist are answered with those that do."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; an unknown one is an ``InputError``."""
        name = args[0] if args else ""
        if name in GAMES:
            raise InputError(f"command: {name} is a game; the command comes first, as 'oddsmith play {name}'")
        if name not in self.commands:
            raise unknown("command", name, self.commands)
        return super().resolve_command(ctx, args)
