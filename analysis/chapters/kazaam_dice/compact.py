"""Tables of the sheet as a page shows them: one column for each number of players, values with their error."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.tables import Table, known_decimals

ERROR = " ± is half of the 95 % interval."


def with_error(value: float, low: float, high: float, share: bool) -> str:
    """``16.94 ± 0.08``, ``58.9 ± 1.1 %``, or ``< 0.05 %`` for what never happened.

    Examples
    --------
    >>> with_error(0.589, 0.578, 0.6, True), with_error(0.0, 0.0, 0.000479, True), with_error(3.0, 3.0, 3.0, False)
    ('58.9 ± 1.1 %', '< 0.05 %', '3.0')
    """
    factor, unit = (100, " %") if share else (1, "")
    half = (high - low) / 2 * factor
    if math.isnan(value):
        return ""
    if share and value == 0 and high > 0:
        return f"< {high * factor:.{known_decimals(high * factor)}f}{unit}"
    if half == 0 or not math.isfinite(half):
        return f"{value * factor:.1f}{unit}"
    decimals = known_decimals(half)
    return f"{value * factor:.{decimals}f} ± {half:.{decimals}f}{unit}"


def by_players(table: Table, value: str, rows: Sequence[str], beside: Sequence[str] = ()) -> Table:
    """A table in long form as one with a column of ``value`` with its error for each number of players.

    Parameters
    ----------
    rows : sequence of str
        Columns that name a row.
    beside : sequence of str
        Plain columns to show for each number of players too.
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
    named = [dict(zip(rows, names, strict=True)) | cells for names, cells in shown.items()]
    content = pd.DataFrame(named).fillna("")
    return Table(table.name, table.title, content, table.exact, table.note + ERROR, headings=table.headings)


def by_policy(doubles: Table) -> Table:
    """The uses of doubles, one column for each policy."""
    frame = doubles.frame[doubles.frame["policy"] != "(any)"]
    shown = Table(
        doubles.name,
        "What doubles are used for",
        frame.assign(players=frame["policy"]),
        doubles.exact,
        doubles.note,
        doubles.percent,
    )
    found = by_players(shown, "share", ["double"])
    headings = {f"{policy} players": policy.partition(":")[0] for policy in set(frame["policy"])}
    return replace(found, headings={**headings, "double": "a double"})


def by_top(elements: Table) -> Table:
    """Which sides are fatal, for each creature on top: the facings differ only in the direction."""
    rows = []
    for creature, lying in elements.frame.groupby("creature"):
        first = lying.iloc[0]
        row: dict[str, object] = {"creature": creature}
        for name in ("burns", "drowns"):
            sides = sorted(int(first[direction]) for direction in first[f"{name}_to"].split(", ") if direction)
            row[name], row[f"{name}_as"] = float(first[name]), ", ".join(map(str, sides))
        rows.append(row)
    return Table(
        "elements",
        "Tipped onto fire or water, by the creature on top before",
        pd.DataFrame(rows),
        True,
        "Exact: share of the four directions that lose the die if fire (water) lies there, and the creatures that come up then. "
        "All 24 ways to lie: oddsmith odds kazaam-dice --table elements.",
        percent=("burns", "drowns"),
        headings={"creature": "creature on top", "burns_as": "burns as", "drowns_as": "drowns as"},
        decimals={"burns": 0, "drowns": 0},
    )
