"""The exact answer for a position: whether the player on turn can finish now, and what they should do with their roll."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.chapter import Answer, Study
from analysis.measures import Column
from analysis.tables import Table
from analysis.verdicts import percent
from sims.engine.errors import InputError
from sims.engine.text import counted, legend
from sims.engine.variant import as_path
from sims.kazaam_dice import exact
from sims.kazaam_dice import position as positions
from sims.kazaam_dice.draw import draw, signs
from sims.kazaam_dice.state import State

#: Choices shown to people; the JSON object has all.
SHOWN = 12
#: What the answer rests on where the other seats may take chips between the player's two moves.
CONDITION = "if no other seat takes a chip meanwhile"
CHOICES = (
    Column("choice", kind="key"),
    Column("finishes", kind="share", digits=3),
    Column("fraction", kind="text"),
    Column("at_least", kind="share", digits=3, meaning="whatever the others take"),
)


def solve(study: Study, position: str | Path | None = None) -> Answer:
    """The chance to finish this turn from a position file, and what each use of its roll leaves of it."""
    if position is None:
        raise InputError("position: is missing; give --position FILE, see sims/kazaam_dice/positions for examples")
    position = as_path("position", position)
    state = positions.load(study.variant.rules, position)
    solved = exact.solve(state)
    found, certain = solved.found, solved.certain
    content: dict[str, Any] = {
        "exact": certain,
        "game": study.game.name,
        "variant": study.variant.name,
        "board": state.board.name,
        "players": state.players,
        "on_turn": state.seat + 1,
        "alchemist": state.alchemists[state.seat],
        "distance": state.distance(state.seat),
        "chips_held": {"favourite": state.favourite[state.seat], "others": state.others[state.seat]},
        **plain(found.chance),
        "drawing": draw(state).splitlines(),
    }
    if not certain:
        content |= {"condition": CONDITION, "at_least": plain(found.least), "at_most": plain(found.most)}
    missing, chance = counted(state.distance(state.seat), "die", "dice"), in_full(found.chance)
    sentences = [
        f"Kazaam Dice ({study.variant.name}), {position.name}{', exactly' if certain else ''}:",
        draw(state),
        *legend(signs(state)),
        f"Seat {state.seat + 1} misses {missing} and finishes this turn with a chance of {chance}{under(solved)}.",
    ]
    if state.roll is None:
        return Answer(content, tuple(sentences))
    content["roll"] = list(state.roll)
    content["choices"] = [
        {"told": choice.told, "take": [state.board.place(field) for field in choice.take], **plain(each.chance)}
        | ({} if certain else {"at_least": float(each.least), "at_most": float(each.most)})
        for choice, each in solved.choices
    ]
    table = choices_table(state, solved)
    shown = replace(table, frame=table.frame.head(SHOWN), exact=True if certain else None)
    return Answer(content, (*sentences, advice(state, table.frame)), (shown,))


def plain(chance: Fraction) -> dict[str, float | str]:
    """A chance for machines."""
    return {"chance": float(chance), "fraction": str(chance)}


def in_full(chance: Fraction) -> str:
    """A chance for people, with its fraction."""
    return f"{percent(chance, 2)} ({chance})"


def under(solved: exact.Solved) -> str:
    """What the chance rests on, and how far the other seats can change it."""
    found = solved.found
    more = f" and at most {in_full(found.most)}" if found.most > found.chance else ""
    told = f" {CONDITION}; whatever they take, the chance is at least {in_full(found.least)}{more}"
    return "" if solved.certain else told


def choices_table(state: State, solved: exact.Solved) -> Table:
    """One row for each choice, best first; placements that differ only in the facing, not in the chances, together."""
    rows = []
    for group in solved.alike():
        chance, told = group[0][1], exact.told_together(state, [choice for choice, _ in group])
        row = {"choice": told, "finishes": float(chance.chance), "fraction": str(chance.chance)}
        rows.append(row if solved.certain else row | {"at_least": float(chance.least)})
    method = (
        f"{'Exact: all' if solved.certain else 'All'} rolls that may follow are counted, chips included"
        f"{'' if solved.certain else f', {CONDITION}'}. {len(rows)} different choices; placements that differ only in the facing "
        f"and lead to the same chance are one row{f'; the {SHOWN} best are shown, JSON has all' * (len(rows) > SHOWN)}."
    )
    columns = [column for column in CHOICES if column.name in rows[0]]
    title = f"What to do with {' and '.join(map(str, state.roll or ()))}"
    return Table.of("choices", title, columns, rows, method=method)


def advice(state: State, choices: pd.DataFrame) -> str:
    """The best choice in a sentence."""
    rolled, best = " and ".join(map(str, state.roll or ())), choices.iloc[0]
    equal = int((choices["finishes"] == best["finishes"]).sum()) - 1
    if not best["finishes"]:
        return f"With {rolled} nothing finishes this turn."
    more = f", or one of {equal} as good" if equal else ""
    condition = f" {CONDITION}" if "at_least" in choices else ""
    return f"With {rolled}, best{condition}: seat {state.seat + 1} {best['choice']}{more}. Chance: {best['fraction']}."
