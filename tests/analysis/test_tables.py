"""A table's faces: only known digits, five formats, whole files or none."""

import csv
import io
import json
import math
import os

import pandas as pd
import pytest

from analysis import files, tables
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
    return tables.Table("t", "Who wins_it", frame, False, "Simulated: 1,000 games, seed 7.", percent=("rate",))


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
    shown = [tables.Table("t", "", frame, exact, percent=("share",)).display() for exact in (False, True)]
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
    table = tables.Table("t", "T", frame, False)
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
    table = tables.Table("t", "T", pd.DataFrame({"change": [-1e-9, 0.25]}), True, percent=("change",))
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
    shown = [
        tables.Table("t", "T", pd.DataFrame({"chance": [value]}), kind, percent=("chance",)).display()
        for kind in (True, False)
    ]
    assert [table["chance"].tolist() for table in shown] == [[exact], [simulated]]


def test_the_ends_of_an_interval_are_shown_as_0_only_if_they_are():
    frame = pd.DataFrame({"chance": [0.01, 0.0], "low": [0.0003, 0.0], "high": [0.05, 0.03]})
    table = tables.Table("t", "T", frame, False, percent=("chance",)).display()
    # half-widths of 2.5 and 1.5 points
    assert table.to_numpy().tolist() == [["1.0 %", "0.03 %", "5.0 %"], ["0.0 %", "0.0 %", "3.0 %"]]


def test_games_and_seed_are_shown_where_they_differ_or_nothing_says_them(simulated):
    from dataclasses import replace

    assert "games" not in simulated.display()
    assert "games" in replace(simulated, note="").display()
    frame = simulated.frame.assign(games=[1000, 2000])
    assert replace(simulated, frame=frame).display()["games"].tolist() == ["1,000", "2,000"]
    assert "seed" not in replace(simulated, frame=frame).display()


def test_an_interval_without_width_leaves_the_usual_decimals():
    frame = pd.DataFrame({"change": [0.0], "low": [0.0], "high": [0.0]})
    assert tables.Table("t", "T", frame, False).display().to_numpy().tolist() == [["0.000"] * 3]


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
    shown = tables.Table("t", "T", frame, False).display()
    assert shown.to_dict("list") == {
        "value": ["25.0 %", "12.50"],
        "low": ["20.0 %", "12.00"],
        "high": ["30.0 %", "13.00"],
        "sd": ["0.500", "0.500"],
    }
    # without an interval every number of such a row is a share
    alone = tables.Table("t", "T", frame[["value", "unit"]], True).display()
    assert alone["value"].tolist() == ["25.000 %", "12.500"]
