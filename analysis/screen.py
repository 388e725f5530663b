"""Tables on a terminal of any width: numbers stay whole, texts wrap, and what is still too wide is told row by row."""

from collections.abc import Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from analysis.tables import Table
from sims.engine.text import printable

#: Width where nothing tells it: output that goes to a pipe or a file.
PIPED = 200
#: Blanks between two columns.
GAP = 2
#: Words up to this length are not folded.
WORD = 20


def print_tables(tables: Sequence[Table], stream: TextIO) -> None:
    """Tables with titles and notes, as wide as the terminal allows."""
    console = Console(file=stream, highlight=False, width=None if stream.isatty() else PIPED)
    for table in tables:
        console.print(Text(printable(table.title), style="bold"))
        _print_rows(table, console)
        if table.note:
            console.print(Text(printable(table.note), style="dim"))
        console.print()


def _print_rows(table: Table, console: Console) -> None:
    frame, numeric = table.display(), table.numeric()
    headings, rows = list(frame.columns), frame.to_numpy().tolist()
    columns = [[heading, *(row[number] for row in rows)] for number, heading in enumerate(headings)]
    widest = [max(map(cell_len, column)) for column in columns]
    least = [_least(column, number) for column, number in zip(columns, numeric, strict=True)]
    widths = fitted(widest, least, console.width - GAP * (len(columns) - 1))
    if widths is None:
        _print_stacked(headings, rows, console)
        return
    grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for heading, number, width in zip(headings, numeric, widths, strict=True):
        grid.add_column(Text(heading), justify="right" if number else "left", overflow="fold", width=width)
    for row in rows:
        grid.add_row(*map(Text, row))
    console.print(grid)


def _least(column: Sequence[str], number: bool) -> int:
    """The width that a column needs: whole numbers, and words that are not too long; the heading comes first."""
    least = 1
    for word in (word for text in (column[:1] if number else column) for word in text.split()):
        long = cell_len(word)
        least = max(least, long if any(map(str.isdigit, word)) else min(long, WORD))
    return max([least, *map(cell_len, column[1:])]) if number else least


def fitted(widest: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Widths of columns between ``least`` and ``widest`` that fit into ``room``; None if there are none.

    The widest column gives way first.

    Examples
    --------
    >>> fitted([30, 5, 12], [4, 5, 6], 30)
    [13, 5, 12]
    """
    widths = list(widest)
    while sum(widths) > room:
        wide = [number for number, width in enumerate(widths) if width > least[number]]
        if not wide:
            return None
        widths[max(wide, key=lambda number: widths[number])] -= 1
    return widths


def _print_stacked(headings: Sequence[str], rows: Sequence[Sequence[str]], console: Console) -> None:
    """Each row as lines of heading and value, what is empty left out."""
    for number, row in enumerate(rows):
        if number:
            console.print()
        for heading, text in zip(headings, row, strict=True):
            if text:
                console.print(Text(f"{heading}: {text}"))
