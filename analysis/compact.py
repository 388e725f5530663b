"""Long tables as a page shows them: one column for each number of players (or policy), values with their error."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.measures import Column
from analysis.tables import BOUNDS, ENDS, UNIT, Table, known_decimals, legend

#: What a note says instead of ``BOUNDS`` when a cell holds value and error together.
ERROR = "± is half of the 95 % interval"


def with_error(value: float, low: float, high: float, share: bool) -> str:
    """``16.94 ± 0.08``, ``58.9 ± 1.1 %``; the interval itself where that would leave what is possible.

    What never, or always, happened has one bound. A value without an interval is
    told alone. Spaces are such that no line breaks there.

    Examples
    --------
    >>> cells = [with_error(16.94, 16.86, 17.02, False), with_error(0.589, 0.578, 0.6, True)]
    >>> cells += [with_error(0.0, 0.0, 0.000479, True), with_error(0.0005, 0.0001, 0.0014, True)]
    >>> cells += [with_error(1.0, 0.96, 1.0, True), with_error(0.98, 0.91, 0.99, True), with_error(0.1, 0.02, 0.5, False)]
    >>> cells += [with_error(0.25, 0.25, 0.25, True)]
    >>> [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in cells]
    ['16.940 ± 0.080', '58.9 ± 1.1 %', '< 0.048 %', '0.010 to 0.140 %', '> 96.0 %', '91.0 to 99.0 %', '0.02 to 0.50', '25.0 %']
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


def across(
    table: Table,
    value: str,
    rows: Sequence[str],
    beside: Sequence[str] = (),
    over: str = "players",
    call: Callable[[str], str] = str,
) -> Table:
    """A table in long form as one with a column of ``value`` with its error for each number of players.

    Parameters
    ----------
    rows : sequence of str
        Columns that name a row.
    beside : sequence of str
        Plain columns to show for each number of players too.
    over : str
        What the columns stand for: ``"players"`` or ``"policy"``.
    call : callable
        What people call a policy that a column stands for.
    """
    shown: dict[tuple[Any, ...], dict[str, str]] = {}
    named: dict[str, Column] = {}
    declared, others = table.column(value), [table.column(name) for name in beside]
    for row in table.frame.to_dict("records"):
        cells = shown.setdefault(tuple(row[name] for name in rows), {})
        group = f"{row[over]} players" if over == "players" else call(str(row[over]))
        at = group if not beside else f"{declared.title}, {group}"
        share = declared.kind == "share" or row.get(UNIT) == "share"
        cells[at] = with_error(row[value], row["low"], row["high"], share)
        named[at] = Column(at, kind="text")
        for plain in others:
            at = f"{plain.title}, {group}"
            number = row[plain.name] * (100 if plain.kind == "share" else 1)
            cells[at] = (
                f"{number:.{1 if plain.digits is None else plain.digits}f}{' %' if plain.kind == 'share' else ''}"
            )
            named[at] = Column(at, kind="text")
    # texts keep the order in which they come, numbers ascend
    seen = [list(dict.fromkeys(names)) for names in zip(*shown, strict=True)]
    order = sorted(
        shown,
        key=lambda names: [seen[i].index(name) if isinstance(name, str) else name for i, name in enumerate(names)],
    )
    content = [dict(zip(rows, names, strict=True)) | shown[names] for names in order]
    frame = pd.DataFrame(content, columns=[*rows, *named]).fillna("")
    columns = (*(table.column(name) for name in rows), *named.values())
    # who plays, and what the cells are, was told by columns that are no longer there
    played = table.played if "policy" not in (*rows, over) else ""
    remark = " ".join(filter(None, [played, table.remark, legend([declared, *others])]))
    return replace(table, frame=frame, columns=columns, method=table.found.replace(BOUNDS, ERROR), remark=remark)


def quantities(table: Table) -> Table:
    """A table with a quantity a row, across the numbers of players; the meaning names a row."""
    shown = across(table, "value", ["meaning"])
    return replace(shown, columns=(replace(shown.columns[0], heading="measure"), *shown.columns[1:]))


def folded(table: Table) -> Table:
    """A table with the interval of each value in the value's own cell."""
    names = list(table.frame)
    value = table.column(names[names.index("low") - 1])
    cells = [
        with_error(row[value.name], row["low"], row["high"], value.kind == "share")
        for row in table.frame.to_dict("records")
    ]
    frame = table.frame.drop(columns=list(ENDS)).assign(**{value.name: cells})
    return table.showing(frame, replace(value, kind="text"), method=table.found.replace(BOUNDS, ERROR))
