"""Tables on terminals of any width: every number in one piece."""

import io
import re

import pandas as pd
import pytest

from analysis import screen, tables
from analysis.measures import Column


class Terminal(io.StringIO):
    """Says that it is a terminal."""

    def isatty(self):
        return True


def printed(table, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    screen.print_tables([table], stream)
    return re.sub(r"\x1b\[\d*m", "", stream.getvalue())


def numbers(text):
    return re.findall(r"[<>-]?\d[\d,]*\.?\d*(?: %)?", text)


@pytest.fixture
def wide():
    rows = 12
    frame = pd.DataFrame(
        {
            "policy": ["hold:points=15, a rather long name of a policy that wraps"] * rows,
            **{f"column_{number}": [123456.789 * (number + 1)] * rows for number in range(8)},
            "meaning": ["what the number of 1,000 games means, in a sentence of many words, 3.5 times over"] * rows,
        }
    )
    columns = tuple(Column(name) for name in frame)
    return tables.Table("wide", "A wide table", frame, columns, False, "Simulated: 1,000,000 games, seed 123456789.")


@pytest.mark.parametrize("width", [20, 40, 80, 120, 200])
def test_no_number_is_cut_or_broken(wide, width, monkeypatch):
    found = printed(wide, width, monkeypatch)
    expected = [number for row in wide.display().to_numpy().tolist() for cell in row for number in numbers(cell)]
    shown = numbers(found)
    for number in set(expected):
        assert shown.count(number) >= expected.count(number), number
    assert max(map(len, found.splitlines())) <= width


def test_a_table_that_fits_is_a_table_and_texts_wrap_first(wide, monkeypatch):
    narrow = wide.showing(wide.frame[["policy", "column_0", "meaning"]], name="t", title="T")
    lines = printed(narrow, 60, monkeypatch).splitlines()
    assert lines[1].split() == ["policy", "column", "0", "meaning"]
    assert "123,456.789" in lines[2]
    assert all(len(line) <= 60 for line in lines)


def test_what_does_not_fit_is_told_row_by_row(wide, monkeypatch):
    lines = printed(wide, 60, monkeypatch).splitlines()
    assert lines[0] == "A wide table"
    assert "column 0: 123,456.789" in lines
    assert lines.count("column 7: 987,654.312") == 12


@pytest.mark.parametrize(
    ("widest", "least", "room", "widths"),
    [
        ([3, 4], [1, 1], 7, [3, 4]),
        ([3, 9], [1, 1], 7, [3, 4]),
        ([9, 9], [9, 1], 12, [9, 3]),
        ([9, 9], [5, 4], 9, [5, 4]),
        ([9, 9], [5, 4], 8, None),
    ],
)
def test_widths(widest, least, room, widths):
    assert screen.fitted(widest, least, room) == widths
