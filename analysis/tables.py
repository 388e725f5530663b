"""A result table: the frame, what it says, how it was found, and its faces on screen, on paper and in files."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import escape
from analysis.files import write
from analysis.measures import Column, Measured
from sims.engine.text import counted, printable

FORMATS = ("text", "csv", "json", "markdown", "latex")
#: Of which these hold one table.
SINGLE = ("csv", "parquet")
#: Decimals shown to people at most.
MOST_DECIMALS = 6
#: File endings that ``-o`` understands.
ENDINGS = {".txt": "text", ".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex", ".parquet": "parquet"}


#: Columns that every simulated table has: the ends of the interval of the column before them, and what is behind it.
ENDS, BEHIND = ("low", "high"), ("games", "seed")
#: What a note says of the ends.
BOUNDS = "low and high bound the 95 % interval"
#: In tables with a quantity a row: whether the row's number is a share. For machines and for the percent sign.
UNIT = "unit"


@dataclass(frozen=True)
class Table:
    """A result for people and machines.

    Attributes
    ----------
    name : str
        What ``--table`` calls it.
    title : str
        What it says, in a few words.
    frame : DataFrame
        One row per case, full precision. A simulated row has ``low``, ``high`` (95 %), ``games`` and ``seed``.
    columns : tuple of Column
        What the frame's other columns are called and what they mean, in their order.
    exact : bool or None
        Whether the numbers are exact or simulated; None if the table holds both.
    method : str
        How exact numbers were found; empty for a list of texts. For simulated ones, what to say instead of the usual.
    remark : str
        What else must be said below it. Columns are explained by themselves.
    provenance : dict
        What it takes to find the numbers again: game, variant, rules, lineup, seed, games, version.
    evidence : dict of tuple to float64[game]
        The numbers of which rows show means, one for each independent game (or pair of games), by what names a row: what
        verdicts are made from. No face of the table shows it.

    Raises
    ------
    ValueError
        If the frame has a column that is not declared, or lacks one that is.
    """

    name: str
    title: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    exact: bool | None = True
    method: str = ""
    remark: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[tuple[Any, ...], NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        given = [column for column in self.frame.columns if column not in (*ENDS, *BEHIND, UNIT)]
        declared = [column.name for column in self.columns]
        if given != declared:
            raise ValueError(f"table {self.name}: columns {given} are not those declared, {declared}")

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[Mapping[str, Any]],
        *,
        method: str = "",
        remark: str = "",
    ) -> "Table":
        """Make a table from rows of plain values, of which one may be a :class:`Measured`.

        The measured value brings its interval, games and seed, and its units as evidence. A row may have a ``unit`` besides.
        """
        declared, evidence, kinds, cells = tuple(columns), {}, set(), []
        keys = [column.name for column in declared if column.names_row]
        for row in rows:
            cell: dict[str, Any] = {}
            behind: dict[str, Any] = {}
            for column in declared:
                value = row[column.name]
                if isinstance(value, Measured):
                    kinds.add(value.exact)
                    low, high = (math.nan, math.nan) if value.exact else (value.estimate.low, value.estimate.high)
                    cell |= {column.name: value.value, "low": low, "high": high}
                    behind = {"games": value.games, "seed": None if value.exact else value.seed}
                    if value.units is not None:
                        evidence[tuple(row[key] for key in keys)] = value.units
                else:
                    cell[column.name] = value
            unit = {UNIT: row[UNIT]} if UNIT in row else {}
            cells.append(cell | unit | behind)
        frame = pd.DataFrame(cells) if cells else pd.DataFrame(columns=[column.name for column in declared])
        if kinds == {True}:
            frame = frame.drop(columns=[*ENDS, *BEHIND])
        elif kinds:
            frame = frame.astype(dict.fromkeys(BEHIND, "Int64" if True in kinds else "int64"))
        for each in declared:
            values = [cell[each.name] for cell in cells]
            if None in values and all(value is None or type(value) is int for value in values):
                frame[each.name] = frame[each.name].astype("Int64")
        exact = None if len(kinds) == 2 else False not in kinds
        return cls(name, title, frame, declared, exact, method, remark, evidence=evidence)

    @property
    def note(self) -> str:
        """How the numbers were found, what the columns mean where it is not plain, and by which rules."""
        return " ".join(filter(None, [self.found, self.played, self.remark, self._legend(), self._cited()]))

    @property
    def found(self) -> str:
        """How the numbers were found."""
        if self.exact or "games" not in self.frame or (self.exact is False and self.method):
            return self.method
        behind = {name: self.frame[name].dropna() for name in BEHIND if name in self.frame}
        games, seeds = (sorted({int(number) for number in behind.get(name, ())}) for name in BEHIND)
        played = counted(games[0], "game") if len(games) == 1 else "games by row"
        told = f"imulated: {played}, seed {', '.join(map(str, seeds))}; {BOUNDS}."
        return f"{self.method or 'Exact where there is no interval.'} S{told}" if self.exact is None else f"S{told}"

    @property
    def played(self) -> str:
        """Who plays, if all rows say the same."""
        if not self._all_play_one():
            return ""
        policy = self.frame["policy"].iloc[0]
        return f"{'The seats play' if ', ' in policy else 'Every seat plays'} '{policy}'."

    def _all_play_one(self) -> bool:
        same = (
            any(column.name == column.kind == "policy" for column in self.columns)
            and len(set(self.frame["policy"])) == 1
        )
        return same and not any(column.name == "against" for column in self.columns) and len(self.frame) > 1

    def _legend(self) -> str:
        shown = set(self.shown_columns())
        return legend([column for column in self.columns if column.name in shown])

    def _cited(self) -> str:
        if not self.provenance:
            return ""
        return f"Rules: {self.provenance['variant']}; oddsmith {self.provenance['version']}."

    def to_json(self) -> dict[str, Any]:
        """``{"table", "exact", "title", "note", "rows", "provenance"}`` with plain values."""
        rows = json.loads(self.frame.to_json(orient="records", double_precision=15))
        return {
            "table": self.name,
            "exact": self.exact,
            "title": self.title,
            "note": self.note,
            "rows": rows,
            "provenance": dict(self.provenance),
        }

    def cited(self, provenance: Mapping[str, Any]) -> "Table":
        """The same table with its provenance, of which the note tells the rules and the version."""
        return replace(self, provenance=provenance)

    def showing(self, frame: pd.DataFrame, *columns: Column, **changed: Any) -> "Table":
        """The same table with another frame made of it: its columns are those declared, or given anew.

        ``changed`` are attributes to change besides.
        """
        known = {column.name: column for column in (*self.columns, *columns)}
        shown = [known[name] for name in frame.columns if name in known]
        return replace(self, frame=frame, columns=tuple(shown), **changed)

    def display(self) -> pd.DataFrame:
        """The frame as texts: only digits that are known, percent signs, readable headings.

        ``games`` and ``seed`` are left out where they are the same in all rows, and so is the policy that all seats play, since
        the note says them. A row whose ``unit`` is "share" is shown in percent; the unit itself is for machines.
        """
        rows = self.frame.to_dict("records")
        return pd.DataFrame(
            {self.heading(column): [self._cell(column, row) for row in rows] for column in self.shown_columns()}
        )

    def shown_columns(self) -> list[str]:
        """The columns that people see."""
        said = {UNIT, *BEHIND} if self.exact is not True else {UNIT}
        if self._all_play_one():
            said.add("policy")
        return [
            column
            for column in self.frame.columns
            if column not in said or (column in BEHIND and len(set(self.frame[column].dropna())) > 1)
        ]

    def column(self, name: str) -> Column:
        """What is declared of a column of the frame."""
        return next((column for column in self.columns if column.name == name), Column(name))

    def heading(self, column: str) -> str:
        """What people see above a column."""
        return printable(self.column(column).title)

    def numeric(self) -> list[bool]:
        """Which shown columns hold numbers, in order."""
        return [pd.api.types.is_numeric_dtype(self.frame[column]) for column in self.shown_columns()]

    def _cell(self, column: str, row: Mapping[Any, Any]) -> str:
        value = row[column]
        if value is None or value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return str(value) if column == "seed" else f"{value:,}"
        if not isinstance(value, float):
            return printable(str(value))
        columns = list(self.frame.columns)
        # an interval belongs to the column before it
        estimated = columns[columns.index("low") - 1] if "low" in columns else ""
        of_interval = column in (estimated, *ENDS)
        declared = self.column(estimated if of_interval else column)
        percent = declared.kind == "share" or (row.get(UNIT) == "share" and (of_interval or not estimated))
        decimals = declared.digits if declared.digits is not None else 1 if percent and not self.exact else 3
        if of_interval and math.isfinite(row["high"] - row["low"]) and row["high"] > row["low"]:
            decimals = known_decimals((row["high"] - row["low"]) / 2 * (100 if percent else 1))
        return number_text(value, decimals, percent=percent, digits=2 if self.exact and not of_interval else 1)

    def to_markdown(self) -> str:
        """A Markdown table with title and note."""
        frame = self.display()
        lines = [f"**{escape.markdown(self.title)}**", "", _markdown_row(frame.columns)]
        lines.append("|" + "|".join("---:" if numeric else "---" for numeric in self.numeric()) + "|")
        lines += map(_markdown_row, frame.to_numpy().tolist())
        return "\n".join([*lines, "", *([f"*{escape.markdown(self.note)}*", ""] if self.note else [])])

    def to_latex(self) -> str:
        """A LaTeX table (needs the package booktabs)."""
        frame = self.display()
        columns = "".join("r" if numeric else "l" for numeric in self.numeric())
        lines = [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{escape.latex(f'{self.title}. {self.note}'.strip())}}}",
            f"\\begin{{tabular}}{{{columns}}}",
            "\\toprule",
            _latex_row(frame.columns),
            "\\midrule",
        ]
        lines += map(_latex_row, frame.to_numpy().tolist())
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])


def legend(columns: Iterable[Column]) -> str:
    """What the columns mean where it is not plain."""
    told = [f"{column.title}: {column.meaning}" for column in columns if column.meaning]
    return f"{'; '.join(told)}." if told else ""


def known_decimals(half_width: float) -> int:
    """Decimals worth showing for a value known to within ``half_width``: its first digit, and one more.

    Examples
    --------
    >>> known_decimals(0.1), known_decimals(0.04), known_decimals(12)
    (2, 3, 0)
    """
    return max(0, min(MOST_DECIMALS, 1 - math.floor(math.log10(half_width))))


def number_text(value: float, decimals: int, *, percent: bool = False, digits: int = 1) -> str:
    """A number for people with so many decimals, more if it would look like 0, or like 100 %, and is not.

    Parameters
    ----------
    digits : int
        Digits that tell it from 0 or from 100 %.

    Examples
    --------
    >>> number_text(0.5, 1, percent=True), number_text(0.000004, 3, percent=True), number_text(0.99998, 1, percent=True)
    ('50.0 %', '0.0004 %', '99.998 %')
    >>> number_text(1e-9, 1, percent=True), number_text(1 - 1e-9, 1, percent=True)
    ('<0.000001 %', '>99.999999 %')
    """
    shown, sign = (100 * value, " %") if percent else (value, "")
    for end in (0.0, 100.0) if percent else (0.0,):
        gap = abs(shown - end)
        # what rounding leaves of a difference is nothing
        if 1e-12 < gap < 1:
            wanted = digits - 1 - math.floor(math.log10(gap))
            if gap < 10.0**-MOST_DECIMALS and shown > 0:
                near = end + math.copysign(10.0**-MOST_DECIMALS, shown - end)
                return f"{'<' if shown < near else '>'}{near:,.{MOST_DECIMALS}f}{sign}"
            if gap >= 10.0**-MOST_DECIMALS and (digits > 1 or round(gap, decimals) == 0):
                decimals = min(max(decimals, wanted), MOST_DECIMALS)
    # adding 0.0 turns a rounded -0.0 into 0.0
    return f"{round(shown, decimals) + 0.0:,.{decimals}f}{sign}"


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(escape.markdown, cells)) + " |"


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(map(escape.latex, cells)) + " \\\\"


def json_text(content: Any) -> str:
    """JSON with null for what is not a finite number, which JSON cannot say."""

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: clean(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [clean(each) for each in value]
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return value

    return json.dumps(clean(content), indent=1, allow_nan=False) + "\n"


def render(tables: Sequence[Table], kind: str, extra: Mapping[str, Any] | None = None) -> str:
    """Tables in one of ``FORMATS``, except ``text``, which needs a terminal (:mod:`analysis.screen`).

    JSON is the one table, or ``{**extra, "tables": [...]}`` if there are several or ``extra`` is given; CSV is one table.
    """
    if kind == "json":
        if extra is None and len(tables) == 1:
            return json_text(tables[0].to_json())
        return json_text({**(extra or {}), "tables": [table.to_json() for table in tables]})
    if kind == "csv":
        return str(plain(one(tables).frame).to_csv(index=False))
    if kind == "markdown":
        return "\n".join(table.to_markdown() for table in tables)
    return "\n".join(table.to_latex() for table in tables)


def one(tables: Sequence[Table]) -> Table:
    """The only table."""
    if len(tables) != 1:
        raise ValueError(f"one table is wanted, not {', '.join(table.name for table in tables)}")
    return tables[0]


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame for a file of numbers: what is not known, or has no end, is missing."""
    return frame.replace([math.inf, -math.inf], math.nan)


def write_tables(path: Path, tables: Sequence[Table], extra: Mapping[str, Any] | None = None) -> None:
    """Write tables to a file; its ending names the format. Parquet takes one table, with provenance as metadata."""
    kind = ENDINGS[path.suffix]
    if kind == "parquet":
        table = one(tables)
        metadata = {"title": table.title, "note": table.note, **table.provenance, **(extra or {})}
        write(path, parquet(plain(table.frame), metadata))
    elif kind == "text":
        import io

        from analysis.screen import print_tables

        stream = io.StringIO()
        print_tables(tables, stream)
        write(path, stream.getvalue())
    else:
        write(path, render(tables, kind, extra))


def parquet(frame: pd.DataFrame, metadata: Mapping[str, Any]) -> bytes:
    """A frame as a Parquet file in memory, with ``metadata`` as JSON under the key ``oddsmith``."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    merged = {**(table.schema.metadata or {}), b"oddsmith": json.dumps(metadata, default=str).encode()}
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(merged), stream)
    return stream.getvalue()
