"""Random variants, boards, dice and positions of every game, as the files and arguments that a user would give.

What a number or a ruling may be is read from the declarations of the rules (:func:`sims.engine.variant.specs`), so that a
new rule is tried without a line here; only structured data need a maker of their own.
"""

import dataclasses
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import exp, log
from pathlib import Path
from typing import Any

import sims
from sims.engine import variant
from sims.kazaam_dice import board as kazaam_boards
from sims.tacatuca.rules import THROW_NAMES
from sims.tschakka_lakka import board as temples

#: Texts that have broken a table, a picture, a page or a terminal somewhere.
TEXTS = (
    "Plain",
    "",
    " ",
    "50 % & more_of #it ~ ^",
    "$x$",
    "$\\frac{1}$",
    "\\alpha {brace",
    "<script>alert(1)</script>",
    "a | b",
    "[bold]rich[/bold] [/]",
    "\"quoted\" and 'single'",
    "a,b;c\td",
    "Tacatucä € ß",
    "日本語",
    "🎲",
    "e\u0301 \u202eright to left",
    "two\nlines",
    "escape \x1b[31m red",
    "long " * 40,
)


@dataclass
class Case:
    """One variant of one game: its files, and the arguments that name it.

    Attributes
    ----------
    files : dict of str
        Content by file name; arguments name them by a path that begins with ``{}``, the folder they will lie in.
    arguments : list of str
        ``--variant`` and ``--set``.
    players : tuple of int
        Numbers of players that the board seats.
    pair : tuple
        The rule, and its value, that this case is about.
    """

    game: str
    files: dict[str, str] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    players: tuple[int, ...] = ()
    pair: tuple[str, Any] | None = None
    rules: dict[str, Any] = field(default_factory=dict)


def toml(value: Any) -> str:
    """A value as TOML writes it; JSON texts and lists are TOML too, tables are not."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_file(content: dict[str, Any]) -> str:
    """A file of one level of tables."""
    plain = [f"{key} = {toml(value)}" for key, value in content.items() if not isinstance(value, dict)]
    tables = [
        "\n".join([f"[{key}]", *(f"{name} = {toml(each)}" for name, each in value.items())])
        for key, value in content.items()
        if isinstance(value, dict)
    ]
    return "\n".join([*plain, *tables]) + "\n"


# -- rules -----------------------------------------------------------------------------------------------------


def extremes(game: str) -> Iterator[tuple[str, Any]]:
    """Every rule with its least, its greatest, and each other value that a ruling names."""
    rules = sims.game(game).rules
    for key, spec in variant.specs(rules).items():
        named = list(spec.alternatives) if spec.alternatives else []
        if not spec.parse and not spec.allowed:
            named += [spec.low, spec.high]
        default = next(each.default for each in dataclasses.fields(rules) if each.name == key)
        yield from (
            (key, value) for value in dict.fromkeys(named) if value != default or type(value) is not type(default)
        )


def some_value(spec: variant.Spec, default: Any, rng: random.Random) -> Any:
    """A value that the declaration allows: extremes often, wide ranges evenly by magnitude."""
    if spec.allowed:
        return rng.choice(spec.allowed)
    low, high, kind = spec.low, spec.high, rng.random()
    if kind < 0.25:
        return rng.choice([low, min(low + 1, high), max(high - 1, low), high])
    if kind < 0.4:
        return default
    if high - low < 100:
        return rng.randint(low, high)
    return min(high, low - 1 + int(exp(rng.uniform(0, log(high - low + 1)))))


def some_rules(game: str, rng: random.Random) -> dict[str, Any]:
    """Changes of some numbers and rulings."""
    rules = sims.game(game).rules
    share = rng.choice([0.0, 0.15, 0.4, 1.0])
    return {
        key: some_value(spec, getattr(rules(), key), rng)
        for key, spec in variant.specs(rules).items()
        if not spec.parse and rng.random() < share
    }


def some_text(rng: random.Random) -> str:
    """A plain text more often than not."""
    return rng.choice(TEXTS) if rng.random() < 0.4 else "Plain"


# -- Tacatuca ----------------------------------------------------------------------------------------------------


def some_cards(rng: random.Random) -> list[dict[str, Any]]:
    """Cards for some doubles: every throw in at most one sentence."""
    cards = []
    for double in rng.sample(range(1, 7), rng.randint(0, 6)):
        others = [name for name in THROW_NAMES if name != f"{double}-{double}"]
        rng.shuffle(others)
        cuts = sorted(rng.randint(0, len(others)) for _ in range(rng.randint(0, 4)))
        parts = [others[low:high] for low, high in pairwise(cuts)]
        truce = others[: rng.choice([0, 0, 1, cuts[0]])] if cuts else []
        takes = [{"bonus": rng.choice([0, 1, rng.randint(0, 20), 20]), "from": part} for part in parts]
        cards.append({"name": some_text(rng), "double": double, "truce": truce, "takes": takes})
    return cards


def tacatuca(rng: random.Random, pair: tuple[str, Any] | None) -> Case:
    """Own cards, and pins whose whole game is solved in a moment, or not at all: what lies between takes up to a minute."""
    rules = some_rules("tacatuca", rng)
    if rng.random() < 0.7 or rules.get("pins", 20) in range(10, 100):
        rules["pins"] = rng.randint(1, 9)
    if rng.random() < 0.6:
        rules["cards"] = some_cards(rng)
    return finish(Case("tacatuca", players=(2, 3, 4), pair=pair), rules, rng)


# -- Tschakka Lakka ----------------------------------------------------------------------------------------------


def some_temple(rng: random.Random, least: int) -> tuple[dict[str, Any], int]:
    """A plan whose chambers number a multiple of four (treasures come in four colours), and that number.

    At least ``least`` gems lie in it.
    """
    while True:
        rows, columns = (rng.choice([1, 2, 3, 4, rng.randint(1, 8), 8]) for _ in range(2))
        weights = rng.choice([(1, 8, 0), (2, 6, 2), (1, 3, 1), (1, 30, 3)])
        if least > 12:
            rows, columns, weights = 8, 8, (1, 30, 0)
        signs = [rng.choices("E.#", weights, k=columns) for _ in range(rows)]
        places = list(product(range(rows), range(columns)))
        surplus = sum(row.count(".") for row in signs) % 4
        for row, column in rng.sample([place for place in places if signs[place[0]][place[1]] == "."], surplus):
            signs[row][column] = rng.choice("E#")
        squares = ["".join(row) for row in signs]
        crossings = [[i, j] for i in range(1, rows) for j in range(1, columns)]
        rng.shuffle(crossings)
        wanted = max(least, rng.choice([1, 2, 3, 6, 12, 48]))
        gems: list[dict[str, Any]] = []
        for at in crossings[:wanted]:
            trial = [*gems, {"kind": rng.choice(temples.GEM_KINDS), "at": at}]
            try:
                temples.parse({"squares": squares, "gems": trial}, "plan")
            except sims.engine.errors.InputError:
                continue
            gems = trial
        if len(gems) >= least:
            chambers = len(temples.parse({"squares": squares, "gems": gems}, "plan").chambers)
            return {"title": some_text(rng), "squares": squares, "gems": gems}, chambers


def some_sizes(rng: random.Random, each: int) -> str:
    """``each`` treasures of every colour dealt to three sizes; no size has more than 15."""
    while True:
        low, high = sorted(rng.choice([0, each, rng.randint(0, each)]) for _ in range(2))
        if max(low, high - low, each - high) <= 15:
            return f"{low}/{high - low}/{each - high}"


def tschakka_lakka(rng: random.Random, pair: tuple[str, Any] | None) -> Case:
    """Own temples more often than not, most of them small, so that games are over soon."""
    case, rules = Case("tschakka-lakka", players=(2, 3, 4), pair=pair), some_rules("tschakka-lakka", rng)
    least = int(pair[1]) if pair and pair[0] == "end_gems" else 1
    if rng.random() < 0.6 or least > 12:
        board, chambers = some_temple(rng, max(1, least))
        case.files["board.toml"] = toml_file(board)
        rules |= {"board": "{}/board.toml", "sizes": some_sizes(rng, chambers // 4)}
        if "end_gems" not in rules or rng.random() < 0.7:
            rules["end_gems"] = rng.choice([0, len(board["gems"]) - 1, rng.randrange(len(board["gems"]))])
    elif rng.random() < 0.3:
        rules["sizes"] = some_sizes(rng, 15)
    return finish(case, rules, rng)


# -- Kazaam Dice -------------------------------------------------------------------------------------------------


def some_board(rng: random.Random) -> tuple[dict[str, Any], tuple[int, ...]]:
    """A map with alchemists in corners, and the numbers of players that it seats."""
    while True:
        rows, columns = (
            rng.choice([3, 3, 4, 5, 7, rng.randint(kazaam_boards.SMALLEST, kazaam_boards.LARGEST)]) for _ in "rc"
        )
        marks = [[rng.choices(".fwn", rng.choice([(6, 1, 1, 1), (1, 1, 1, 1), (1, 0, 0, 0)]))[0] for _ in range(columns)]
                 for _ in range(rows)]  # fmt: skip
        corners = [(0, 0), (0, columns - 1), (rows - 1, columns - 1), (rows - 1, 0)]
        alchemists = sorted(rng.sample(range(1, 5), rng.choice([2, 2, 3, 4, 4])))
        rng.shuffle(corners)
        free = [place for place in product(range(rows), range(columns)) if place not in corners[: len(alchemists)]]
        rng.shuffle(free)
        for k, corner in zip(alchemists, corners, strict=False):
            marks[corner[0]][corner[1]] = f"A{k}"
        special = ["M", *(f"T{k}" for k in alchemists), *(f"v{k}" for k in alchemists if rng.random() < 0.7)]
        if len(special) > len(free):
            continue
        for mark, (row, column) in zip(special, free, strict=False):
            marks[row][column] = mark
        pictures = [["M" if mark == "M" else rng.choice("123456") for mark in row] for row in marks]
        seating = [rng.sample(alchemists, n) for n in range(1, len(alchemists) + 1) if n > 1 or rng.random() < 0.3]
        board = {
            "title": some_text(rng),
            "seating": seating,
            "map": "\n".join(map(" ".join, marks)) + "\n",
            "creatures": "\n".join(map(" ".join, pictures)) + "\n",
        }
        if seats(map(len, board["seating"])):
            return board, seats(map(len, board["seating"]))


def seats(counts: Iterable[int]) -> tuple[int, ...]:
    """Numbers of players that both the board and the game know."""
    return tuple(sorted(set(counts) & set(sims.game("kazaam-dice").seats)))


def kazaam_dice(rng: random.Random, pair: tuple[str, Any] | None) -> Case:
    """Own boards, dice and creatures' rights; games of few turns more often than not."""
    case, rules = Case("kazaam-dice", players=(2, 3, 4), pair=pair), some_rules("kazaam-dice", rng)
    if rng.random() < 0.6:
        board, case.players = some_board(rng)
        case.files["board.toml"] = toml_file(board)
        rules["board"] = "{}/board.toml"
    if rng.random() < 0.3:
        rules["die"] = "".join(rng.sample("123456", 6))
    for key in ("fire", "water"):
        if rng.random() < 0.3:
            rules[key] = "".join(rng.sample("123456", rng.randint(0, 6)))
    if rng.random() < 0.6:
        rules["max_turns"] = rng.choice([1, 2, 10, 60])
    return finish(case, rules, rng)


# -- all games ---------------------------------------------------------------------------------------------------


def finish(case: Case, rules: dict[str, Any], rng: random.Random) -> Case:
    """Put the rules into a file, into ``--set``, or into both; the pair of the case goes over what was drawn."""
    if case.pair:
        rules |= dict([case.pair])
    case.rules = rules
    structured = "cards" in rules
    how = rng.random()
    if not structured and how < 0.35:
        if how < 0.2 and not case.files:
            game = sims.game(case.game)
            name = rng.choice(variant.names(game.folder))
            case.arguments += ["--variant", name]
            if case.game == "kazaam-dice":
                case.players = seats(game.variant(name).rules.load_board().seating)
        for key, value in rules.items():
            case.arguments += ["--set", f"{key}={variant.show(value)}"]
        return case
    told = {"title": some_text(rng), "summary": some_text(rng)} if rng.random() < 0.7 else {}
    case.files["variant.toml"] = toml_file({**told, "rules": rules})
    case.arguments += ["--variant", "{}/variant.toml"]
    return case


MAKERS: dict[str, Callable[[random.Random, tuple[str, Any] | None], Case]] = {
    "tacatuca": tacatuca,
    "tschakka-lakka": tschakka_lakka,
    "kazaam-dice": kazaam_dice,
}


def alone(game: str, pair: tuple[str, Any]) -> Case:
    """The boxed game with one rule changed."""
    return Case(game, {}, ["--set", f"{pair[0]}={variant.show(pair[1])}"], (2, 3, 4), pair, dict([pair]))


# -- policies and positions --------------------------------------------------------------------------------------


def some_lineup(game: str, players: int, rng: random.Random) -> str:
    """Policies with parameters, one for all or one for each seat; none of those that look far ahead (they are slow)."""

    def one() -> str:
        policy = rng.choice([each for each in sims.game(game).roster.values() if each.name != "rollout"])
        told = [
            f"{each.name}={rng.choice([each.low, each.high, rng.randint(each.low, each.high)])}"
            for each in policy.parameters
            if rng.random() < 0.5
        ]
        return ":".join([policy.name, *told])

    return ",".join(one() for _ in range(rng.choice([1, players])))


def some_pins(rng: random.Random) -> str:
    """Pins of two to four seats, few enough to be solved soon."""
    seats = rng.choice([2, 2, 3, 4])
    most = {2: 200, 3: 25, 4: 8}[seats]
    return ",".join(str(rng.choice([1, most, rng.randint(1, most)])) for _ in range(seats))


def some_temple_position(case: Case, plan: temples.Board, sizes: str, dice: int, rng: random.Random) -> str:
    """Treasures of the game on some of its chambers; perhaps a raccoon, a roll, and dice that lie there."""
    treasures = [
        f"{c}{s}" for c in "BYGR" for s, n in zip("123", map(int, sizes.split("/")), strict=True) for _ in range(n)
    ]
    rng.shuffle(treasures)
    chambers = list(plan.chambers)
    rng.shuffle(chambers)
    filled = dict(zip(chambers[: max(1, int(len(chambers) * rng.choice([1, rng.random(), rng.random() ** 2])))], treasures,
                      strict=False))  # fmt: skip
    lines = [
        " ".join("E" if at in plan.entrances else filled.get(at, "..") for at in ((row, column) for column in
                 range(1, plan.width + 1)))
        for row in range(1, plan.height + 1)
    ]  # fmt: skip
    content: dict[str, Any] = {"board": lines}
    places = [
        at for at in (*plan.entrances, *plan.chambers) if at not in filled and set(plan.neighbours(at)) & set(filled)
    ]
    if places and rng.random() < 0.8:
        at = rng.choice(places)
        content["raccoon"] = list(at)
        left = rng.randint(1, dice)
        content["dice"] = left
        near = [chamber for chamber in plan.neighbours(at) if chamber in filled]
        if dice > left and rng.random() < 0.5:
            chamber = rng.choice(near)
            size = int(filled[chamber][1])
            paid = rng.randint(1, min(size, dice - left))
            if paid == size:
                content["released"] = [list(chamber)]
            else:
                content["placed"] = [{"chamber": list(chamber), "dice": paid}]
        if rng.random() < 0.6:
            content["roll"] = "".join(rng.choice("BYGR*S") for _ in range(left))
    if rng.random() < 0.2:
        gem = rng.choice(plan.gems)
        content["gems_taken"] = [[gem.row, gem.column]]
    return toml_file(content)


def some_kazaam_position(case: Case, plan: kazaam_boards.Board, net: str, supply: int, rng: random.Random) -> str:
    """Dice on some fields, Ambrosius where he may stand; perhaps an obstacle, a roll and chips."""
    from sims.kazaam_dice.die import die

    share = rng.random() ** 2
    homes = {*plan.alchemists.values(), *plan.targets.values()}
    ambrosius = rng.choice([plan.centre, rng.choice([each for each in plan.fields if each not in homes])])
    marks, laid = [], 0
    for each in plan.fields:
        if each == ambrosius:
            marks.append("M")
        elif rng.random() < share and laid < supply - 2:
            laid += 1
            lies = rng.choice(die(net).orientations)
            marks.append(f"{lies.top}^{lies.north}")
        else:
            marks.append(".")
    rows = [" ".join(marks[start : start + plan.columns]) for start in range(0, len(marks), plan.columns)]
    players = rng.choice(sorted(plan.seating))
    content: dict[str, Any] = {"players": players, "on_turn": rng.randint(1, players), "pieces": "\n".join(rows) + "\n"}
    if rng.random() < 0.5:
        content["obstacle"] = [[at // plan.columns + 1, at % plan.columns + 1] for at in rng.choice(plan.edges)]
    if rng.random() < 0.6:
        content["roll"] = [rng.randint(1, 6), rng.randint(1, 6)]
    if rng.random() < 0.3:
        content["chips"] = []
        content["held"] = [{"others": rng.randint(0, 2)}, *({} for _ in range(players - 1))]
    return toml_file(content)


def rules_of(case: Case, folder: Path) -> Any:
    """The rules object of an accepted case whose files lie in ``folder``."""
    game = sims.game(case.game)
    name, changes = "standard", []
    words = iter(case.arguments)
    for option in words:
        value = next(words).replace("{}", str(folder))
        if option == "--variant":
            name = value
        else:
            changes.append(value)
    chosen = game.variant(name)
    return chosen.changed(**variant.from_text(chosen.rules, changes)).rules


def some_question(case: Case, folder: Path, rng: random.Random) -> list[str]:
    """What ``solve`` is asked: pins, or a position file put beside the others."""
    if case.game == "tacatuca":
        return rng.choice([[], ["--pins", some_pins(rng)]])
    rules = rules_of(case, folder)
    if case.game == "tschakka-lakka":
        text = some_temple_position(case, temples.load(rules.board), rules.sizes, rules.dice, rng)
    else:
        text = some_kazaam_position(case, rules.load_board(), rules.die, rules.supply, rng)
    name = f"position{sum(each.startswith('position') for each in case.files)}.toml"
    case.files[name] = text
    return ["--position", f"{{}}/{name}"]
