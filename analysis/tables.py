"""A result table: the frame, what it says, how it was found, and its faces on screen, on paper and in files."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from analysis.files import write
from sims.engine.errors import InputError
from sims.engine.text import printable

FORMATS = ("text", "csv", "json", "markdown", "latex")
#: File endings that ``-o`` understands.
ENDINGS = {".txt": "text", ".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex", ".parquet": "parquet"}


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
    exact : bool or None
        Whether the numbers are exact or simulated; None if the table holds both.
    note : str
        How the numbers were found, and what the columns mean where it is not plain.
    percent : tuple of str
        Columns that hold shares and are shown in percent.
    headings : dict
        Column name to the heading shown to people.
    provenance : dict
        What it takes to find the numbers again: game, variant, rules, lineup, seed, games, version.
    decimals : dict
        Column name to the decimals shown to people, where no interval says how many are known.
    """

    name: str
    title: str
    frame: pd.DataFrame
    exact: bool | None
    note: str = ""
    percent: tuple[str, ...] = ()
    headings: Mapping[str, str] = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

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
        told = f"Rules: {provenance['variant']}; oddsmith {provenance['version']}."
        return replace(self, provenance=provenance, note=f"{self.note} {told}".strip())

    def display(self) -> pd.DataFrame:
        """The frame as texts: only digits that are known, percent signs, readable headings.

        ``games`` and ``seed`` are left out where they are the same in all rows, since the note says them. A row
        whose ``unit`` is "share" is shown in percent; the unit itself is for machines.
        """
        frame, shown = self.frame, {}
        rows = frame.to_dict("records")
        for column in self.shown_columns():
            shown[self.heading(column)] = [self._cell(column, row) for row in rows]
        return pd.DataFrame(shown)

    def shown_columns(self) -> list[str]:
        """The columns that people see."""
        said = {"games", "seed"} if self.note else set()
        return [
            column
            for column in self.frame.columns
            if column != "unit" and (column not in said or len(set(self.frame[column].dropna())) > 1)
        ]

    def heading(self, column: str) -> str:
        """What people see above a column."""
        return printable(self.headings.get(column, column.replace("_", " ")))

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
        of_interval = column in (estimated, "low", "high")
        named = estimated if of_interval else column
        percent = named in self.percent or (row.get("unit") == "share" and (of_interval or not estimated))
        decimals = self.decimals.get(column, 1 if percent and not self.exact else 3)
        if of_interval and math.isfinite(row["high"] - row["low"]) and row["high"] > row["low"]:
            decimals = known_decimals((row["high"] - row["low"]) / 2 * (100 if percent else 1))
        # adding 0.0 turns a rounded -0.0 into 0.0
        rounded = round(100 * value if percent else value, decimals) + 0.0
        return f"{rounded:,.{decimals}f}" + (" %" if percent else "")

    def to_markdown(self) -> str:
        """A Markdown table with title and note."""
        frame = self.display()
        lines = [f"**{printable(self.title)}**", "", "| " + " | ".join(frame.columns) + " |"]
        lines.append("|" + "|".join("---:" if numeric else "---" for numeric in self.numeric()) + "|")
        lines += ["| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in _rows(frame)]
        return "\n".join([*lines, "", *([f"*{printable(self.note)}*", ""] if self.note else [])])

    def to_latex(self) -> str:
        """A LaTeX table (needs the package booktabs)."""
        frame = self.display()
        columns = "".join("r" if numeric else "l" for numeric in self.numeric())
        lines = [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{_latex(printable(self.title))}. {_latex(printable(self.note))}}}",
            f"\\begin{{tabular}}{{{columns}}}",
            "\\toprule",
            " & ".join(map(_latex, frame.columns)) + " \\\\",
            "\\midrule",
        ]
        lines += [" & ".join(map(_latex, row)) + " \\\\" for row in _rows(frame)]
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])


def known_decimals(half_width: float) -> int:
    """Decimals worth showing for a value known to within ``half_width``: its first digit, and one more.

    Examples
    --------
    >>> known_decimals(0.1), known_decimals(0.04), known_decimals(12)
    (2, 3, 0)
    """
    return max(0, min(6, 1 - math.floor(math.log10(half_width))))


def _rows(frame: pd.DataFrame) -> list[list[str]]:
    rows: list[list[str]] = frame.to_numpy().tolist()
    return rows


def _latex(text: str) -> str:
    for plain, escaped in (("\\", "\\textbackslash "), ("%", "\\%"), ("&", "\\&"), ("_", "\\_"), ("#", "\\#")):
        text = text.replace(plain, escaped)
    return text.replace("±", "$\\pm$").replace("≥", "$\\geq$").replace("≤", "$\\leq$")


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
    """Tables in one of ``FORMATS``, except ``text``, which needs a terminal (:func:`print_tables`).

    JSON is the one table, or ``{**extra, "tables": [...]}`` if there are several or ``extra`` is given.
    """
    if kind == "json":
        if extra is None and len(tables) == 1:
            return json_text(tables[0].to_json())
        return json_text({**(extra or {}), "tables": [table.to_json() for table in tables]})
    if kind == "csv":
        if len(tables) == 1:
            return str(tables[0].frame.to_csv(index=False))
        return "\n".join(f"# {table.name}: {table.title}\n{table.frame.to_csv(index=False)}" for table in tables)
    if kind == "markdown":
        return "\n".join(table.to_markdown() for table in tables)
    return "\n".join(table.to_latex() for table in tables)


def print_tables(tables: Sequence[Table], stream: TextIO) -> None:
    """Tables for a person at a terminal; piped, they are as wide as they need to be."""
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console(file=stream, highlight=False, width=None if stream.isatty() else 200)
    for table in tables:
        frame = table.display()
        console.print(Text(printable(table.title), style="bold"))
        grid = Grid(box=None, pad_edge=False)
        for heading, numeric in zip(frame.columns, table.numeric(), strict=True):
            grid.add_column(Text(heading), justify="right" if numeric else "left", style=None)
        for row in _rows(frame):
            grid.add_row(*map(Text, row))
        console.print(grid)
        if table.note:
            console.print(Text(printable(table.note), style="dim"))
        console.print()


def write_tables(path: Path, tables: Sequence[Table], extra: Mapping[str, Any] | None = None) -> None:
    """Write tables to a file; its ending names the format. Parquet takes one table, with provenance as metadata."""
    kind = ENDINGS[path.suffix]
    if kind == "parquet":
        if len(tables) != 1:
            names = ", ".join(table.name for table in tables)
            raise InputError(f"output: {path.name} holds one table; choose with --table: {names}")
        write(
            path,
            parquet(
                tables[0].frame,
                {"title": tables[0].title, "note": tables[0].note, **tables[0].provenance, **(extra or {})},
            ),
        )
    elif kind == "text":
        import io

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
