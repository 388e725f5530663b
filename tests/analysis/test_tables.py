"""A table's faces: only known digits, five formats, whole files or none."""

import csv
import io
import json
import math
import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis import files, tables
from analysis.estimates import Estimate
from analysis.measures import Column, Measured, exactly
from sims.engine.errors import InputError


@pytest.fixture
def simulated():
    frame = pd.DataFrame(
        {
            "seat": [1, 2],
            "rate": [0.51234, 0.48766],
            "low": [0.50234, 0.47766],
            "high": [0.52234, 0.49766],
            "mean": [12.3456, 1.0],
            "games": [1000, 1000],
            "seed": [7, 7],
        }
    )
    columns = (Column("seat", kind="key"), Column("rate", kind="share"), Column("mean"))
    return tables.Table("t", "Who wins_it", frame, columns, False)


def plain(frame, exact, kind="number"):
    """A table of which all columns are of one kind."""
    ends = (*tables.ENDS, *tables.BEHIND, tables.UNIT)
    return tables.Table("t", "T", frame, tuple(Column(name, kind=kind) for name in frame if name not in ends), exact)


def test_digits_shown_are_digits_known(simulated):
    # half-width 1 %: the value is known to one decimal of a percent
    assert simulated.display().to_dict("list") == {
        "seat": ["1", "2"],
        "rate": ["51.2 %", "48.8 %"],
        "low": ["50.2 %", "47.8 %"],
        "high": ["52.2 %", "49.8 %"],
        "mean": ["12.346", "1.000"],
    }


def test_shares_without_an_interval_have_one_decimal_unless_they_are_exact():
    frame = pd.DataFrame({"share": [0.123456]})
    shown = [plain(frame, exact, "share").display() for exact in (False, True)]
    assert [table["share"].tolist() for table in shown] == [["12.3 %"], ["12.346 %"]]


def test_json_has_full_precision_and_every_row_its_interval_games_and_seed(simulated):
    content = json.loads(tables.render([simulated], "json"))
    assert content["table"] == "t"
    assert content["exact"] is False
    assert content["rows"][0] == {
        "seat": 1,
        "rate": 0.51234,
        "low": 0.50234,
        "high": 0.52234,
        "mean": 12.3456,
        "games": 1000,
        "seed": 7,
    }


def test_markdown_and_latex_escape_what_they_must(simulated):
    markdown = tables.render([simulated], "markdown")
    assert "| seat | rate | low | high | mean |" in markdown
    assert "|---:|---:|---:|---:|---:|" in markdown
    latex = tables.render([simulated], "latex")
    assert "51.2 \\%" in latex
    assert "Who wins\\_it" in latex
    assert latex.count("\\\\") == 3


@pytest.mark.parametrize("ending", [".csv", ".json", ".md", ".tex", ".txt", ".parquet"])
def test_every_ending_writes_its_format(simulated, tmp_path, ending):
    path = tmp_path / f"new/table{ending}"
    files.check_output(path, tables.ENDINGS)
    tables.write_tables(path, [simulated])
    assert path.stat().st_size > 50
    assert [entry.name for entry in path.parent.iterdir()] == [path.name], "no temporary file is left"
    if ending == ".csv":
        pd.testing.assert_frame_equal(pd.read_csv(path), simulated.frame)
    if ending == ".parquet":
        pd.testing.assert_frame_equal(pd.read_parquet(path), simulated.frame)


def test_files_of_numbers_hold_plain_numbers_and_nothing_where_nothing_is_known(tmp_path):
    frame = pd.DataFrame(
        {
            "name": ["a, b", None],
            "value": [1234567.25, math.nan],
            "low": [-math.inf, 0.5],
            "high": [math.inf, 1e-9],
            "games": pd.array([1322, None], "Int64"),
        }
    )
    table = plain(frame, False)
    rows = list(csv.reader(io.StringIO(tables.render([table], "csv"))))
    assert rows == [list(frame), ["a, b", "1234567.25", "", "", "1322"], ["", "", "0.5", "1e-09", ""]]
    tables.write_tables(tmp_path / "t.parquet", [table])
    found = pd.read_parquet(tmp_path / "t.parquet")
    assert found["low"].isna().tolist() == [True, False]
    assert found["high"].isna().tolist() == [True, False]
    assert found["games"].dtype == "Int64"


def test_a_file_of_numbers_holds_one_table(simulated):
    with pytest.raises(ValueError, match="one table is wanted, not t, t"):
        tables.render([simulated, simulated], "csv")


def test_an_unknown_ending_and_a_folder_that_cannot_be_made_are_one_line(tmp_path):
    with pytest.raises(InputError, match=r"'x.doc' has no known ending; allowed: .txt, .csv"):
        files.check_output(tmp_path / "x.doc", tables.ENDINGS)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        files.check_output(tmp_path / "file" / "x.csv", tables.ENDINGS)


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text("old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        files.write(path, "new")
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(("half_width", "decimals"), [(0.5, 2), (0.05, 3), (5, 1), (50, 0), (500, 0)])
def test_known_decimals(half_width, decimals):
    assert tables.known_decimals(half_width) == decimals


def test_nothing_is_shown_as_minus_zero():
    table = plain(pd.DataFrame({"change": [-1e-9, 0.25]}), True, "share")
    assert table.display()["change"].tolist() == ["0.000 %", "25.000 %"]


@pytest.mark.parametrize(
    ("value", "exact", "simulated"),
    [
        (0.0, "0.000 %", "0.0 %"),
        (1.0, "100.000 %", "100.0 %"),
        (0.25, "25.000 %", "25.0 %"),
        (0.000004, "0.00040 %", "0.0004 %"),
        (0.0000961, "0.0096 %", "0.010 %"),
        (0.0004, "0.040 %", "0.04 %"),
        (0.9999996, "99.999960 %", "99.99996 %"),
        (0.9996, "99.960 %", "99.96 %"),
        (0.99951, "99.951 %", "99.95 %"),
        (3e-9, "<0.000001 %", "<0.000001 %"),
        (1 - 3e-9, ">99.999999 %", ">99.999999 %"),
        (1.5, "150.000 %", "150.0 %"),
        (-0.000004, "-0.00040 %", "-0.0004 %"),
    ],
)
def test_a_chance_is_shown_as_0_or_100_percent_only_if_it_is(value, exact, simulated):
    shown = [plain(pd.DataFrame({"chance": [value]}), kind, "share").display() for kind in (True, False)]
    assert [table["chance"].tolist() for table in shown] == [[exact], [simulated]]


def test_the_ends_of_an_interval_are_shown_as_0_only_if_they_are():
    frame = pd.DataFrame({"chance": [0.01, 0.0], "low": [0.0003, 0.0], "high": [0.05, 0.03]})
    table = plain(frame, False, "share").display()
    # half-widths of 2.5 and 1.5 points
    assert table.to_numpy().tolist() == [["1.0 %", "0.03 %", "5.0 %"], ["0.0 %", "0.0 %", "3.0 %"]]


def test_games_and_seed_are_shown_where_they_differ(simulated):
    assert "games" not in simulated.display()
    assert simulated.note == "Simulated: 1,000 games, seed 7; low and high bound the 95 % interval."
    frame = simulated.frame.assign(games=[1000, 2000])
    assert replace(simulated, frame=frame).display()["games"].tolist() == ["1,000", "2,000"]
    assert "seed" not in replace(simulated, frame=frame).display()
    assert "games by row, seed 7" in replace(simulated, frame=frame).note


def test_an_interval_without_width_leaves_the_usual_decimals():
    frame = pd.DataFrame({"change": [0.0], "low": [0.0], "high": [0.0]})
    assert plain(frame, False).display().to_numpy().tolist() == [["0.000"] * 3]


def test_rows_that_are_shares_are_shown_in_percent():
    frame = pd.DataFrame(
        {
            "value": [0.25, 12.5],
            "low": [0.2, 12.0],
            "high": [0.3, 13.0],
            "sd": [0.5, 0.5],
            "unit": ["share", ""],
        }
    )
    shown = plain(frame, False).display()
    assert shown.to_dict("list") == {
        "value": ["25.0 %", "12.50"],
        "low": ["20.0 %", "12.00"],
        "high": ["30.0 %", "13.00"],
        "sd": ["0.500", "0.500"],
    }
    # without an interval every number of such a row is a share
    alone = plain(frame[["value", "unit"]], True).display()
    assert alone["value"].tolist() == ["25.000 %", "12.500"]


# --- declared columns ---

WHO, RATE = Column("who", kind="key"), Column("rate", "win rate", "outright wins", "share")


def measured(value, units=None):
    return Measured(Estimate(value, value - 0.1, value + 0.1), 50, 3, units)


def test_a_measured_cell_brings_its_interval_games_seed_and_evidence():
    units = np.array([0.0, 1.0])
    rows = [{"who": "a", "rate": measured(0.5, units), "odd": 1}, {"who": "b", "rate": measured(0.25), "odd": 2}]
    table = tables.Table.of("t", "T", (WHO, RATE), rows, remark="No more.")
    assert list(table.frame) == ["who", "rate", "low", "high", "games", "seed"]
    assert table.frame.iloc[1].tolist() == ["b", 0.25, 0.15, 0.35, 50, 3]
    assert table.exact is False
    assert list(table.evidence) == [("a",)]
    assert table.evidence["a",] is units
    found = "Simulated: 50 games, seed 3; low and high bound the 95 % interval."
    assert table.note == f"{found} No more. win rate: outright wins."


def test_exact_rows_have_no_interval_and_a_table_of_both_says_so():
    rows = [{"who": "a", "rate": exactly(1 / 6)}, {"who": "b", "rate": measured(0.25)}]
    both = tables.Table.of("t", "T", (WHO, RATE), rows)
    assert both.exact is None
    assert both.display()["low"].tolist() == ["", "15 %"]
    assert both.frame["games"].isna().tolist() == [True, False]
    assert both.note.startswith("Exact where there is no interval. Simulated: 50 games, seed 3;")
    alone = tables.Table.of("t", "T", (WHO, RATE), rows[:1], method="Exact: counted.")
    assert (alone.exact, list(alone.frame)) == (True, ["who", "rate"])
    assert alone.note == "Exact: counted. win rate: outright wins."


def test_a_legend_speaks_of_no_column_that_is_not_there():
    rows = [{"who": "a", "rate": 0.5}]
    table = tables.Table.of("t", "T", (WHO, RATE), rows)
    assert "outright wins" in table.note
    assert "outright wins" not in table.showing(table.frame[["who"]]).note


def test_columns_and_declarations_must_agree():
    frame = pd.DataFrame({"who": ["a"], "rate": [0.5]})
    with pytest.raises(ValueError, match="table t: columns"):
        tables.Table("t", "T", frame, (WHO,))
    with pytest.raises(KeyError, match="rate"):
        tables.Table.of("t", "T", (WHO, RATE), [{"who": "a"}])


def test_a_policy_that_all_seats_play_is_said_once():
    columns = (Column("policy", kind="policy"), RATE)
    rows = [{"policy": "card", "rate": measured(0.5)}, {"policy": "card", "rate": measured(0.25)}]
    table = tables.Table.of("t", "T", columns, rows)
    assert "Every seat plays 'card'." in table.note
    assert "policy" not in table.display()
    mixed = tables.Table.of("t", "T", columns, [rows[0], {**rows[1], "policy": "hold"}])
    assert "Every seat plays" not in mixed.note
    assert mixed.display()["policy"].tolist() == ["card", "hold"]


def test_whole_numbers_of_which_one_is_missing_stay_whole():
    rows = [{"who": "a", "rate": 3}, {"who": "b", "rate": None}]
    assert tables.Table.of("t", "T", (WHO, Column("rate")), rows).display()["rate"].tolist() == ["3", ""]
