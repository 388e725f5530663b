"""Tables of the sheet as a page shows them: one column for each number of players, values with their error."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.chapters.kazaam_dice.odds import LOST
from analysis.tables import Table, known_decimals

#: What a note says of columns, and what it says when a cell holds value and error together.
BOUNDS, ERROR = "low and high bound the 95 % interval", "± is half of the 95 % interval"


def with_error(value: float, low: float, high: float, share: bool) -> str:
    """``16.94 ± 0.08``, ``58.9 ± 1.1 %``; the interval itself where that would leave what is possible.

    What never, or always, happened has one bound. Spaces are such that no line breaks there.

    Examples
    --------
    >>> cells = [with_error(16.94, 16.86, 17.02, False), with_error(0.589, 0.578, 0.6, True)]
    >>> cells += [with_error(0.0, 0.0, 0.000479, True), with_error(0.0005, 0.0001, 0.0014, True)]
    >>> cells += [with_error(1.0, 0.96, 1.0, True), with_error(0.98, 0.91, 0.99, True), with_error(0.1, 0.02, 0.5, False)]
    >>> [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in cells]
    ['16.940 ± 0.080', '58.9 ± 1.1 %', '< 0.048 %', '0.010 to 0.140 %', '> 96.0 %', '91.0 to 99.0 %', '0.02 to 0.50']
    """
    if math.isnan(value):
        return ""
    factor, unit = (100, " %") if share else (1, "")
    half = (high - low) / 2 * factor
    if half == 0 or not math.isfinite(half):
        text = f"{value * factor:.1f}"
    elif share and value == low == 0:
        text = f"< {high * factor:.{known_decimals(high * factor)}f}"
    elif share and value == high == 1:
        text = f"> {low * factor:.{known_decimals((1 - low) * factor)}f}"
    elif (low >= 0 and value * factor < half) or (share and high <= 1 and value * factor + half > factor):
        text = " to ".join(f"{bound * factor:.{known_decimals(half)}f}" for bound in (low, high))
    else:
        text = f"{value * factor:.{known_decimals(half)}f} ± {half:.{known_decimals(half)}f}"
    return f"{text}{unit}".replace(" ", "\N{NO-BREAK SPACE}")


def told(note: str) -> str:
    """The note of a table whose ``low`` and ``high`` went into the cell of the value.

    Examples
    --------
    >>> told("Ten games; low and high bound the 95 % interval.")
    'Ten games; ± is half of the 95 % interval.'
    """
    return note.replace(BOUNDS, ERROR) if BOUNDS in note else f"{note} {ERROR[0].upper()}{ERROR[1:]}."


def by_players(
    table: Table, value: str, rows: Sequence[str], beside: Sequence[str] = (), note: str | None = None
) -> Table:
    """A table in long form as one with a column of ``value`` with its error for each number of players.

    Parameters
    ----------
    rows : sequence of str
        Columns that name a row.
    beside : sequence of str
        Plain columns to show for each number of players too.
    note : str, optional
        The note, if not the table's own.
    """
    frame = table.frame
    shown: dict[tuple[Any, ...], dict[str, str]] = {}
    for row in frame.to_dict("records"):
        cells = shown.setdefault(tuple(row[name] for name in rows), {})
        players = f"{row['players']} players"
        share = value in table.percent or row.get("unit") == "share"
        cells[players if not beside else f"{table.heading(value)}, {players}"] = with_error(
            row[value], row["low"], row["high"], share
        )
        for name in beside:
            decimals = table.decimals[name]
            number = f"{100 * row[name]:.{decimals}f} %" if name in table.percent else f"{row[name]:.{decimals}f}"
            cells[f"{table.heading(name)}, {players}"] = number
    # texts keep the order in which they come, numbers ascend
    seen = [list(dict.fromkeys(names)) for names in zip(*shown, strict=True)]
    order = sorted(
        shown,
        key=lambda names: [seen[i].index(name) if isinstance(name, str) else name for i, name in enumerate(names)],
    )
    content = pd.DataFrame([dict(zip(rows, names, strict=True)) | shown[names] for names in order]).fillna("")
    headings = {"meaning": "measure", **table.headings}
    text = told(table.note if note is None else note)
    return Table(table.name, table.title, content, table.exact, text, headings=headings)


def duels(ladder: Table) -> Table:
    """The skill ladder with the interval of the advantage in one cell."""
    rows = [
        {
            "policy": row.policy,
            "against": row.against,
            "wins": row.wins,
            "other_wins": row.other_wins,
            "shared": row.shared,
            "advantage": with_error(row.advantage, row.low, row.high, True),
            "games": row.games,
        }
        for row in ladder.frame.itertuples()
    ]
    return replace(ladder, frame=pd.DataFrame(rows), note=told(ladder.note))


def by_policy(doubles: Table) -> Table:
    """The uses of doubles, one column for each policy."""
    frame = doubles.frame[doubles.frame["policy"] != "(any)"]
    shown = Table(
        doubles.name,
        "What doubles are used for",
        frame.assign(players=frame["policy"]),
        False,
        doubles.note,
        doubles.percent,
    )
    found = by_players(shown, "share", ["double"])
    headings = {f"{policy} players": policy for policy in set(frame["policy"])}
    return replace(found, headings={**headings, "double": "a double"})


def by_top(elements: Table) -> Table:
    """Which sides are fatal, for each creature on top: the facings differ only in the direction."""
    rows = []
    for creature, lying in elements.frame.groupby("creature"):
        first = lying.iloc[0]
        row: dict[str, object] = {"creature": creature}
        for name in elements.percent:
            sides = sorted(int(first[direction]) for direction in first[f"{name}_to"].split(", ") if direction)
            row[name], row[f"{name}_as"] = float(first[name]), ", ".join(map(str, sides))
        rows.append(row)
    lost = "lose the die" if elements.percent == LOST else "are closed"
    return Table(
        "elements",
        "Tipped onto fire or water, by the creature on top before",
        pd.DataFrame(rows),
        True,
        f"Exact: share of the four directions that {lost} if fire (water) lies there, and the creatures that come up then. "
        "All 24 ways to lie: oddsmith odds kazaam-dice --table elements.",
        percent=elements.percent,
        headings={"creature": "creature on top"}
        | {f"{name}_as": f"{elements.heading(name)} as" for name in elements.percent},
        decimals=dict.fromkeys(elements.percent, 0),
    )
