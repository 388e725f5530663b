"""A position of the temple, read from a TOML file.

::

    board = [                      # eight lines of eight tokens, or one text of eight lines
      "E  B1 .. .. .. .. .. E",    # E entrance, .. empty chamber, # no square, else colour B Y G R and size 1 2 3
      ...
    ]
    raccoon = [1, 1]               # row, column, 1-based; absent: where should he go?
    dice = 4                       # dice left to throw (or thrown, if there is a roll); by default all
    released = [[1, 2]]            # chambers released this turn, their treasures still on the board
    placed = [{ chamber = [2, 1], dice = 1 }]    # chambers partly paid this turn
    roll = "BYR*"                  # the dice thrown: a colour's letter, * raccoon, S skull
    gems_taken = [[3, 3]]          # crossings; a gem is there while its chambers hold it, unless listed

The lines have the form of the board that the rules name, whose entrances and gems also hold here. A gem is held while
any chamber around it is filled; where the first emptied chamber frees it (``gem_needs = "any"``), while all are.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sims.engine.errors import InputError
from sims.engine.numbers import shown
from sims.engine.text import counted
from sims.engine.variant import as_path, read_toml
from sims.tschakka_lakka import board as plans
from sims.tschakka_lakka.board import Board, Gem, Square
from sims.tschakka_lakka.rules import COLOURS, LETTERS, SIZE_NAMES, Rules

KEYS = ("board", "raccoon", "dice", "released", "placed", "roll", "gems_taken")
FACES = LETTERS + "*S"
HINT = "(for another temple name its variant: --variant)"


@dataclass(frozen=True)
class Position:
    """Where a turn stands.

    Attributes
    ----------
    treasures : dict
        Filled chambers, in reading order, with colour (0-3) and size (1-3); treasures released this turn included.
    gems : tuple of Gem
        Gems that are there.
    raccoon : Square or None
        His place; None before he is moved.
    dice : int
        Dice to throw next, or just thrown if there is a roll.
    paid : dict
        Dice placed this turn by chamber; as many as its size: released.
    roll : tuple of int or None
        Dice thrown that show blue, yellow, green, red, raccoon, skull.
    """

    rules: Rules
    treasures: Mapping[Square, tuple[int, int]]
    gems: tuple[Gem, ...]
    raccoon: Square | None
    dice: int
    paid: Mapping[Square, int]
    roll: tuple[int, ...] | None

    @property
    def released(self) -> frozenset[Square]:
        """Chambers released this turn."""
        return frozenset(chamber for chamber, dice in self.paid.items() if dice == self.treasures[chamber][1])

    @property
    def skulls(self) -> int:
        """Skulls set aside before the next throw: the dice that are neither left nor placed."""
        return self.rules.dice - self.dice - sum(self.paid.values())

    def reach(self) -> tuple[Square, ...]:
        """Chambers on which dice may be placed, in reading order (rulebook, 2c)."""
        plan, released = plans.load(self.rules.board), self.released
        sources = [*([self.raccoon] if self.raccoon else []), *released]
        near = {chamber for source in sources for chamber in plan.neighbours(source)}
        return tuple(chamber for chamber in self.treasures if chamber in near - released)

    def places(self) -> tuple[Square, ...]:
        """Where the raccoon may be put: entrances and empty chambers next to a filled one (rulebook, 1)."""
        plan = plans.load(self.rules.board)
        open_squares = [*plan.entrances, *(chamber for chamber in plan.chambers if chamber not in self.treasures)]
        return tuple(sorted(at for at in open_squares if set(plan.neighbours(at)) & set(self.treasures)))


def read(path: str | Path, rules: Rules) -> Position:
    """Read a position file.

    Raises
    ------
    InputError
        Unreadable or broken file, unknown key, or anything that cannot be so at the table.
    """
    found = as_path("position", path)
    return parse(read_toml(found), rules, found.name)


def parse(content: Mapping[str, Any], rules: Rules, where: str = "position") -> Position:
    """A position from the content of its file; ``where`` begins every error line."""
    for key in content:
        if key not in KEYS:
            raise InputError(f"{where}: {key}: no such key; allowed: {', '.join(KEYS)}")
    try:
        return _position(content, rules)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _position(content: Mapping[str, Any], rules: Rules) -> Position:
    plan = plans.load(rules.board)
    if "board" not in content:
        raise InputError(f"board: is missing; {_form(plan)}")
    treasures = _treasures(content["board"], rules, plan)
    dice = content.get("dice", rules.dice)
    if type(dice) is not int or not 1 <= dice <= rules.dice:
        raise InputError(f"dice: {shown(dice)} is not allowed; a whole number from 1 to {rules.dice}")
    raccoon = _raccoon(content["raccoon"], plan, treasures) if "raccoon" in content else None
    if raccoon is None:
        for key in ("released", "placed", "roll"):
            if key in content:
                raise InputError(f"{key}: not before the raccoon has his place; give raccoon too")
    paid = _paid(content, treasures)
    gems = _gems(content, rules, plan, treasures)
    position = Position(rules, treasures, gems, raccoon, dice, paid, _roll(content, dice))
    _check_turn(position, plan)
    return position


def _square(key: str, value: Any) -> Square:
    if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int for part in value):
        raise InputError(f"{key}: {shown(value)} is not a square; write [row, column]")
    return value[0], value[1]


def _list(content: Mapping[str, Any], key: str) -> list[Any]:
    entries = content.get(key, [])
    if not isinstance(entries, list):
        raise InputError(f"{key}: {shown(entries)} is not a list")
    return entries


def _form(plan: Board) -> str:
    return f"{counted(plan.height, 'line')} of {counted(plan.width, 'token')} such as E, .. or B2"


def _treasures(value: Any, rules: Rules, plan: Board) -> dict[Square, tuple[int, int]]:
    lines = [line for line in value.splitlines() if line.strip()] if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise InputError(f"board: {shown(value)} is not a text; {_form(plan)}")
    if len(lines) != plan.height:
        raise InputError(f"board: {counted(len(lines), 'line')}; the temple has {plan.height} {HINT}")
    treasures: dict[Square, tuple[int, int]] = {}
    for row, line in enumerate(lines, 1):
        tokens = line.split()
        if len(tokens) != plan.width:
            raise InputError(
                f"board: line {row} has {counted(len(tokens), 'token')}; the temple is {plan.width} wide {HINT}"
            )
        for column, token in enumerate(tokens, 1):
            at = (row, column)
            if len(token) == 2 and token[0] in LETTERS and token[1] in "123":
                if at not in plan.chambers:
                    raise InputError(f"board: {list(at)}: {shown(token)} is a treasure where there is no chamber")
                treasures[at] = (LETTERS.index(token[0]), int(token[1]))
            elif token not in ("E", "..", "#"):
                raise InputError(
                    f"board: {list(at)}: {shown(token)} is not allowed; E, .., or {LETTERS} with 1 to 3, as B2"
                )
            elif token == "#" and at in (*plan.entrances, *plan.chambers):
                raise InputError(f"board: {list(at)}: there is a square; # is for places outside the temple")
            elif token == "E" and at not in plan.entrances:
                raise InputError(f"board: {list(at)}: there is no entrance; entrances are {_list_of(plan.entrances)}")
    if not treasures:
        raise InputError("board: no chamber holds a treasure")
    for (colour, size), found in Counter(treasures.values()).items():
        if found > (have := rules.size_counts[size - 1]):
            raise InputError(
                f"board: {found} of {LETTERS[colour]}{size} ({SIZE_NAMES[size]} {COLOURS[colour]}); "
                f"there are {have} (sizes = {rules.sizes})"
            )
    return treasures


def _list_of(squares: tuple[Square, ...]) -> str:
    return ", ".join(str(list(square)) for square in squares)


def _raccoon(value: Any, plan: Board, treasures: Mapping[Square, Any]) -> Square:
    at = _square("raccoon", value)
    if at in treasures:
        raise InputError(f"raccoon: {list(at)} holds a treasure; allowed are entrances and empty chambers")
    if at not in (*plan.entrances, *plan.chambers):
        raise InputError(f"raccoon: {list(at)} is outside the temple")
    if not set(plan.neighbours(at)) & set(treasures):
        raise InputError(f"raccoon: {list(at)} is next to no filled chamber")
    return at


def _paid(content: Mapping[str, Any], treasures: Mapping[Square, tuple[int, int]]) -> dict[Square, int]:
    paid: dict[Square, int] = {}

    def pay(key: str, chamber: Square, dice: int | None) -> None:
        if chamber not in treasures:
            raise InputError(f"{key}: {list(chamber)} holds no treasure")
        if chamber in paid:
            raise InputError(f"{key}: {list(chamber)} is named twice")
        size = treasures[chamber][1]
        if dice is not None and not 1 <= dice <= size:
            raise InputError(
                f"{key}: {list(chamber)}: {counted(dice, 'die is', 'dice are')} not allowed; it takes 1 to {size}"
            )
        paid[chamber] = size if dice is None else dice

    for entry in _list(content, "released"):
        pay("released", _square("released", entry), None)
    for entry in _list(content, "placed"):
        if not isinstance(entry, dict) or set(entry) != {"chamber", "dice"} or type(entry["dice"]) is not int:
            raise InputError(
                f"placed: {shown(entry, 70)} is not allowed; write {{ chamber = [row, column], dice = n }}"
            )
        pay("placed", _square("placed: chamber", entry["chamber"]), entry["dice"])
    return paid


def _gems(content: Mapping[str, Any], rules: Rules, plan: Board, treasures: Mapping[Square, Any]) -> tuple[Gem, ...]:
    crossings = [(gem.row, gem.column) for gem in plan.gems]
    taken: set[Square] = set()
    for entry in _list(content, "gems_taken"):
        at = _square("gems_taken", entry)
        if at not in crossings:
            raise InputError(
                f"gems_taken: {list(at)} is not where a gem lies; gems lie at {_list_of(tuple(crossings))}"
            )
        if at in taken:
            raise InputError(f"gems_taken: {list(at)} is named twice")
        taken.add(at)
    held = any if rules.gem_needs == "all" else all
    return tuple(
        gem
        for gem in plan.gems
        if (gem.row, gem.column) not in taken and held(at in treasures for at in plan.around(gem))
    )


def _roll(content: Mapping[str, Any], dice: int) -> tuple[int, ...] | None:
    if "roll" not in content:
        return None
    roll = content["roll"]
    if not isinstance(roll, str) or not set(roll) <= set(FACES):
        raise InputError(f"roll: {shown(roll)} is not allowed; one letter a die: {LETTERS}, * raccoon, S skull")
    if len(roll) != dice:
        raise InputError(f"roll: {shown(roll)} shows {counted(len(roll), 'face')} on {counted(dice, 'die', 'dice')}")
    return tuple(roll.count(face) for face in FACES)


def _check_turn(position: Position, plan: Board) -> None:
    """Whether the dice can lie there: enough of them, every chamber in reach when it was paid, no limit met."""
    total, hand = sum(position.paid.values()), position.rules.dice
    if position.skulls < 0:
        raise InputError(f"dice: {position.dice} left and {total} on chambers are more than {hand}")
    limit = position.rules.skull_limit
    if 0 < limit <= position.skulls:
        raise InputError(
            f"dice: {position.dice} left and {total} on chambers mean {position.skulls} skulls; {limit} end the turn"
        )
    if position.raccoon is None:
        return
    released, joined = position.released, set(plan.neighbours(position.raccoon))
    while more := {near for chamber in joined & released for near in plan.neighbours(chamber)} - joined:
        joined |= more
    for chamber in position.paid:
        if chamber not in joined:
            key = "released" if chamber in released else "placed"
            raise InputError(f"{key}: {list(chamber)} was never in reach of the raccoon and the chambers released")
