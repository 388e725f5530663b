"""The exact answer for a position: whether the player on turn can finish now, and what he should do with his roll."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.chapter import Answer, Study
from analysis.tables import Table
from sims.engine.errors import InputError
from sims.engine.variant import as_path
from sims.kazaam_dice import position as positions
from sims.kazaam_dice.draw import draw
from sims.kazaam_dice.exact import Choice, Turn
from sims.kazaam_dice.state import Place, State

#: Choices shown to people; the JSON object has all.
SHOWN = 12


def solve(study: Study, position: str | Path | None = None) -> Answer:
    """The chance to finish this turn from a position file, and what each use of its roll leaves of it."""
    if position is None:
        raise InputError("position: is missing; give --position FILE, see sims/kazaam_dice/positions for examples")
    position = as_path("position", position)
    state = positions.load(study.variant.rules, position)
    turn = Turn(state)
    place = state.board.place
    content = {
        "exact": True,
        "game": study.game.name,
        "variant": study.variant.name,
        "board": state.board.name,
        "players": state.players,
        "on_turn": state.seat + 1,
        "alchemist": state.alchemists[state.seat],
        "distance": state.distance(state.seat),
        "chips_held": {"favourite": state.favourite[state.seat], "others": state.others[state.seat]},
        "chance": float(turn.chance),
        "fraction": str(turn.chance),
        "drawing": draw(state).splitlines(),
    }
    sentences = [
        f"Kazaam Dice ({study.variant.name}), {position.name}, exactly:",
        draw(state),
        f"Seat {state.seat + 1} misses {dice(state.distance(state.seat))} and finishes this turn with a chance of "
        f"{percent(turn.chance)} ({turn.chance}).",
    ]
    if state.roll is None:
        return Answer(content, tuple(sentences))
    choices = turn.choices()
    content["roll"] = list(state.roll)
    content["choices"] = [
        {
            "told": choice.told,
            "take": [place(field) for field in choice.take],
            "chance": float(choice.chance),
            "fraction": str(choice.chance),
        }
        for choice in choices
    ]
    rows = grouped(state, choices)
    sentences.append(advice(state, state.roll, rows))
    table = Table(
        "choices",
        f"What to do with {state.roll[0]} and {state.roll[1]}",
        pd.DataFrame(rows[:SHOWN]),
        True,
        f"Exact: all rolls that may follow are counted, chips included. {len(rows)} different choices; placements that differ "
        "only in the facing and lead to the same chance are one row"
        + (f"; the {SHOWN} best are shown, JSON has all." if len(rows) > SHOWN else "."),
        percent=("finishes",),
    )
    return Answer(content, tuple(sentences), (table,))


def advice(state: State, roll: tuple[int, int], rows: list[dict[str, Any]]) -> str:
    """The best choice in a sentence."""
    best = rows[0]
    equal = sum(row["finishes"] == best["finishes"] for row in rows) - 1
    if not best["finishes"]:
        return f"With {roll[0]} and {roll[1]} nothing finishes this turn."
    more = f", or one of {equal} as good" if equal else ""
    return (
        f"With {roll[0]} and {roll[1]}, best: seat {state.seat + 1} {best['choice']}{more}. Chance: {best['fraction']}."
    )


def grouped(state: State, choices: list[Choice]) -> list[dict[str, Any]]:
    """One row for each choice, best first; placements that differ only in the facing, not in the chance, together."""
    rows: dict[tuple[object, tuple[int, ...], Fraction], list[Choice]] = {}
    for choice in choices:
        move = choice.move
        same = (move.value, move.field) if isinstance(move, Place) else choice.told
        rows.setdefault((same, choice.take, choice.chance), []).append(choice)
    return [
        {"choice": in_words(state, group), "finishes": float(chance), "fraction": str(chance)}
        for (_, _, chance), group in rows.items()
    ]


def in_words(state: State, group: list[Choice]) -> str:
    """Choices that differ at most in the facing of a placed die, as one, with the chips to take after it."""
    first, take = group[0], group[0].take
    told = first.told
    if isinstance(first.move, Place):
        facings = [str(state.die.north(choice.move.orientation)) for choice in group if isinstance(choice.move, Place)]
        told = told.rpartition(", ")[0] + ", "
        told += "facing any way" if len(facings) == 4 else f"{' or '.join(facings)} facing north"
    chips = " and ".join(state.board.place(field) for field in take)
    return f"{told}, then takes the chip{'s' if len(take) > 1 else ''} on {chips}" if take else told


def dice(count: int) -> str:
    """``count`` dice in words."""
    return f"{count} {'die' if count == 1 else 'dice'}"


def percent(chance: Fraction) -> str:
    """A chance for people."""
    return f"{100 * float(chance):.2f} %"
