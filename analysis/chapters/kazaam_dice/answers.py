"""The exact answer for a position: whether the player on turn can finish now, and what he should do with his roll."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.chapter import Answer, Study
from analysis.chapters.kazaam_dice.sentences import dice, percent
from analysis.tables import Table
from sims.engine.errors import InputError
from sims.engine.text import legend
from sims.engine.variant import as_path
from sims.kazaam_dice import position as positions
from sims.kazaam_dice.draw import draw, signs
from sims.kazaam_dice.exact import Choice, Others, Turn
from sims.kazaam_dice.state import Place, State

#: Choices shown to people; the JSON object has all.
SHOWN = 12
#: What the answer rests on where the other seats may take chips between the player's two moves.
CONDITION = "if no other seat takes a chip meanwhile"


def solve(study: Study, position: str | Path | None = None) -> Answer:
    """The chance to finish this turn from a position file, and what each use of its roll leaves of it."""
    if position is None:
        raise InputError("position: is missing; give --position FILE, see sims/kazaam_dice/positions for examples")
    position = as_path("position", position)
    state = positions.load(study.variant.rules, position)
    turn = Turn(state)
    hindered, helped = turn.under(Others.HINDER), turn.under(Others.HELP)
    place = state.board.place
    # The turn has one answer only if the other seats cannot change it.
    certain = hindered.chance == turn.chance == helped.chance
    choices: list[Choice] = []
    if state.roll is not None:
        choices = turn.choices()
        worst = {_name(choice): choice.chance for choice in hindered.choices()}
        best = {_name(choice): choice.chance for choice in helped.choices()}
        certain &= all(worst[_name(choice)] == choice.chance == best[_name(choice)] for choice in choices)
    content = {
        "exact": certain,
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
    if not certain:
        content |= {
            "condition": CONDITION,
            "at_least": {"chance": float(hindered.chance), "fraction": str(hindered.chance)},
            "at_most": {"chance": float(helped.chance), "fraction": str(helped.chance)},
        }
    sentences = [
        f"Kazaam Dice ({study.variant.name}), {position.name}{', exactly' if certain else ''}:",
        draw(state),
        *legend(signs(state)),
        f"Seat {state.seat + 1} misses {dice(state.distance(state.seat))} and finishes this turn with a chance of "
        f"{in_full(turn.chance)}" + ("." if certain else range_told(turn.chance, hindered.chance, helped.chance)),
    ]
    if state.roll is None:
        return Answer(content, tuple(sentences))
    content["roll"] = list(state.roll)
    content["choices"] = [
        {
            "told": choice.told,
            "take": [place(field) for field in choice.take],
            "chance": float(choice.chance),
            "fraction": str(choice.chance),
        }
        | ({} if certain else {"at_least": float(worst[_name(choice)]), "at_most": float(best[_name(choice)])})
        for choice in choices
    ]
    rows = grouped(state, choices, None if certain else worst)
    sentences.append(advice(state, state.roll, rows))
    table = Table(
        "choices",
        f"What to do with {state.roll[0]} and {state.roll[1]}",
        pd.DataFrame(rows[:SHOWN]),
        True if certain else None,
        f"{'Exact: all' if certain else 'All'} rolls that may follow are counted, chips included"
        f"{'' if certain else f', {CONDITION}; at least: whatever the others take'}. {len(rows)} different choices; "
        "placements that differ only in the facing and lead to the same chance are one row"
        + (f"; the {SHOWN} best are shown, JSON has all." if len(rows) > SHOWN else "."),
        percent=("finishes", "at_least"),
        decimals={"finishes": 3, "at_least": 3},
    )
    return Answer(content, tuple(sentences), (table,))


def _name(choice: Choice) -> object:
    """What tells a choice apart from the others."""
    return choice.move or choice.told


def in_full(chance: Fraction) -> str:
    """A chance for people, with its fraction."""
    return f"{percent(chance, 2)} ({chance})"


def range_told(chance: Fraction, worst: Fraction, best: Fraction) -> str:
    """What the chance rests on, and how far the other seats can change it."""
    more = f" and at most {in_full(best)}" if best > chance else ""
    return f" {CONDITION}; whatever they take, the chance is at least {in_full(worst)}{more}."


def advice(state: State, roll: tuple[int, int], rows: list[dict[str, Any]]) -> str:
    """The best choice in a sentence."""
    best = rows[0]
    equal = sum(row["finishes"] == best["finishes"] for row in rows) - 1
    if not best["finishes"]:
        return f"With {roll[0]} and {roll[1]} nothing finishes this turn."
    more = f", or one of {equal} as good" if equal else ""
    condition = f" {CONDITION}" if "at_least" in best else ""
    return (
        f"With {roll[0]} and {roll[1]}, best{condition}: seat {state.seat + 1} {best['choice']}{more}. "
        f"Chance: {best['fraction']}."
    )


def grouped(state: State, choices: list[Choice], worst: dict[object, Fraction] | None = None) -> list[dict[str, Any]]:
    """One row for each choice, best first; placements that differ only in the facing, not in the chances, together.

    Parameters
    ----------
    worst : dict, optional
        The chance of each choice if the other seats take what hurts most, for a column of its own.
    """
    rows: dict[tuple[object, tuple[int, ...], Fraction, Fraction | None], list[Choice]] = {}
    for choice in choices:
        move = choice.move
        same = (move.value, move.field) if isinstance(move, Place) else choice.told
        least = None if worst is None else worst[_name(choice)]
        rows.setdefault((same, choice.take, choice.chance, least), []).append(choice)
    return [
        {"choice": in_words(state, group), "finishes": float(chance), "fraction": str(chance)}
        | ({} if least is None else {"at_least": float(least)})
        for (_, _, chance, least), group in rows.items()
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
