"""The command line: what it prints, what it refuses, and that nothing is left half-written."""

import io
import itertools
import json
import math
import os
import re
import stat
import subprocess
import sys
from collections import Counter

import pandas as pd
import pyarrow.parquet as pq
import pytest

import sims
from analysis import cli, playing, screen
from sims import GAMES

SECOND_ROLL = str(sims.game("tschakka-lakka").folder / "positions" / "second-roll.toml")
BLOCKED = str(sims.game("kazaam-dice").folder / "positions" / "blocked.toml")


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = cli.main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def refused(run, *arguments):
    """The one line that a wrong call gets."""
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("oddsmith: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "chess"], "game: 'chess' is unknown; allowed: tacatuca"),
        (
            ["odds", "tacatuca", "--table", "nope"],
            "table: 'nope' is unknown; allowed: exchange, throws, step, win, length",
        ),
        (["play", "tacatuca", "--set", "colour=red"], "--set colour: no such rule; allowed: pins, cards"),
        (["play", "tacatuca", "--set", "shortage=never"], "allowed; clockwise, one_each, proportional"),
        (["play", "tacatuca", "--set", "pins"], "--set: 'pins' is not key=value"),
        (["play", "tacatuca", "--set", "pins=0"], "pins: '0' is not allowed; a whole number from 1 to 1000"),
        (["play", "tacatuca", "--set", "pins=-3"], "pins: '-3' is not allowed; a whole number from 1 to 1000"),
        (["play", "tacatuca", "--set", "pins=many"], "pins: 'many' is not allowed; a whole number from 1 to 1000"),
        (["play", "tacatuca", "--set", "cards=none"], "--set cards: only a variant file can change this"),
        (["play", "tacatuca", "--players", "5"], "players: 5 is not allowed; tacatuca seats 2, 3, 4"),
        (["play", "tacatuca", "--players", "1"], "players: 1 is not allowed"),
        (["play", "tacatuca", "--players", "two"], "'two' is not a whole number"),
        (["play", "tacatuca", "--target-error", "small"], "'small' is not a number"),
        (["play", "tacatuca", "--lineup", "clever"], "policy: 'clever' is unknown; allowed: chance"),
        (["play", "tacatuca", "--lineup", "chance:x=1"], "policy chance: 'x' is not a parameter"),
        (["play", "kazaam-dice", "--lineup", "balanced:own=1:own=2"], "policy balanced: 'own' is given twice"),
        (["play", "tacatuca", "--lineup", "chance,chance", "--players", "3"], "lineup: 2 policies for 3 players"),
        (["play", "tacatuca", "--variant", "huge"], "variant: 'huge' is unknown; allowed: standard"),
        (["play", "tacatuca", "--variant", "none.toml"], "none.toml: cannot be read: No such file"),
        (["play", "tacatuca", "--games", "0"], "games: '0' is not allowed; a whole number of at least 1"),
        (["play", "tacatuca", "--games", "lots"], "games: 'lots' is not a number"),
        (["play", "tacatuca", "--games", "1.5"], "games: '1.5' is not allowed"),
        (["play", "tacatuca", "--games", "10", "--target-error", "0.1"], "give --games or --target-error, not both"),
        (["play", "tacatuca", "--target-error", "0"], "target-error: 0 is not allowed; a number from 1e-06 to 0.5"),
        (["play", "tacatuca", "--target-error", "1e-200"], "target-error: 1e-200 is not allowed"),
        (["play", "tacatuca", "--target-error", "nan"], "target-error: nan is not allowed"),
        (["play", "tacatuca", "--games", ""], "games: '' is not a number"),
        (["play", "tacatuca", "--games", "1,5"], "games: '1,5' is not a number"),
        (["play", "tacatuca", "--lineup", ","], "policy: '' is unknown; allowed: chance"),
        (["play", "tacatuca", "--set", "pins=3", "--set", "pins=4"], "--set pins: is given twice"),
        (["show", "tacatuca", "--game", str(2**64)], f"game: {2**64} is not allowed; a whole number from 0"),
        (["solve", "tacatuca", "--pins", "9" * 5000 + ",1"], "is not allowed; a whole number of at least 1"),
        (["balance", "tacatuca", "--limit", "rounds_2=inf"], "write metric=max or metric=min..max"),
        (["balance", "tacatuca", "--table", "nope"], "table: 'nope' is unknown; allowed: metrics, seats, tension"),
        (["balance", "tacatuca", "--limit", "nope=1"], "limit: unknown metric 'nope'; allowed: seat_gap_2"),
        (["play", "tacatuca", "--table", "nope"], "table: 'nope' is unknown; allowed: seats, means, seat_means"),
        (["games", "--table", "nope"], "table: 'nope' is unknown; allowed: games, variants"),
        (["solve", "tacatuca", "--table", "nope"], "table: 'nope' is unknown; allowed: solve"),
        (["play", "tacatuca", "--seed", "-1"], "seed: -1 is not allowed; a whole number from 0"),
        (["play", "tacatuca", "--threads", "0"], "threads: 0 is not allowed; a whole number from 1"),
        (
            ["play", "tacatuca", "--format", "xml"],
            "format: 'xml' is unknown; allowed: text, csv, json, markdown, latex",
        ),
        (["play", "tacatuca", "--output", "x.doc"], "records go to .parquet or .csv"),
        (["play", "tacatuca", "--log", "x.csv"], "game: tacatuca has no decisions to log"),
        (["odds", "tacatuca", "--table", "step", "--output", "x.doc"], "'x.doc' has no known ending"),
        (["solve", "tacatuca", "--pins", "20"], "pins: '20' names 1 seat; write pins for 2 to 4 seats"),
        (["solve", "tacatuca", "--pins", "1,1,1,1,1"], "names 5 seats"),
        (["solve", "tacatuca", "--pins", "0,20"], "pins: '0' is not allowed; a whole number of at least 1"),
        (["solve", "tacatuca", "--pins", "20,-4"], "pins: '-4' is not allowed"),
        (["solve", "tacatuca", "--pins", "20,x"], "pins: 'x' is not allowed"),
        (["solve", "tacatuca", "--position", "p.toml"], "tacatuca is not solved from --position; it takes --pins"),
        (["solve", "tacatuca", "--format", "xml"], "format: 'xml' is unknown"),
        (["show", "tacatuca", "--format", "csv"], "format: 'csv' is not allowed here"),
        (["show", "tacatuca", "--game", "-1"], "game: -1 is not allowed"),
        (["balance", "tacatuca", "--limit", "rounds_2"], "limit: 'rounds_2' is not allowed; write metric=max"),
        (["balance", "tacatuca", "--limit", "rounds_2=9..3"], "write metric=max or metric=min..max"),
        (["play"], "game: is missing; one of: tacatuca, tschakka-lakka, kazaam-dice"),
        (["play", "tacatuca", "--colour"], "option: '--colour' is unknown; allowed: --players, --lineup"),
        (["play", "tacatuca", "--player", "3"], "option: '--player' is unknown, perhaps --players; allowed: --players"),
        (["dance"], "command: 'dance' is unknown; allowed: games, play, odds, balance, solve, show, report, validate"),
        (["blance"], "command: 'blance' is unknown, perhaps balance; allowed: games, play"),
        (["tacatuca"], "command: tacatuca is a game; the command comes first, as 'oddsmith play tacatuca'"),
    ],
)
def test_bad_input_gets_one_clear_line_and_status_2(run, arguments, says):
    assert says in refused(run, *arguments)


def test_a_broken_variant_file_is_named_with_its_line(run, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[rules\npins = 3")
    assert "mine.toml: broken TOML" in refused(run, "play", "tacatuca", "--variant", str(path))
    path.write_text("[rules]\npinz = 3")
    assert "mine.toml: pinz: no such rule; allowed: pins" in refused(run, "play", "tacatuca", "--variant", str(path))


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "tacatuca", "--games", "10", "--output", "{}/x.parquet"],
        ["odds", "tacatuca", "--table", "step", "--output", "{}/x.csv"],
        ["report", "tacatuca", "--output", "{}"],
    ],
)
def test_an_output_folder_that_cannot_be_written_is_refused_before_the_work(run, tmp_path, arguments):
    (tmp_path / "file").write_text("")
    place = str(tmp_path / "file" / "folder")
    line = refused(run, *[argument.format(place) for argument in arguments])
    assert "cannot be written" in line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_files_that_toml_cannot_read_or_that_name_a_wrong_card(run, tmp_path):
    path = tmp_path / "mine.toml"
    for text in ("a = " + "[" * 3000, "[rules]\npins = " + "9" * 5000):
        path.write_text(text)
        assert "mine.toml: broken TOML" in refused(run, "play", "tacatuca", "--variant", str(path))
    path.write_text("[rules]\ncards = [3]")
    assert "mine.toml: cards" in refused(run, "play", "tacatuca", "--variant", str(path))
    path.write_text("\ufeff[rules]\npins = 2", encoding="utf-8")
    assert run("play", "tacatuca", "--variant", str(path), "--games", "5")[0] == 0


def test_folders_where_files_should_be_are_refused_before_the_work(run, tmp_path):
    for name in ("games.parquet", "tacatuca.html", "table.csv"):
        (tmp_path / name).mkdir()
    for arguments in (
        ["play", "tacatuca", "--games", "10", "--output", str(tmp_path / "games.parquet")],
        ["report", "tacatuca", "--output", str(tmp_path)],
        ["odds", "tacatuca", "--table", "step", "--output", str(tmp_path / "table.csv")],
    ):
        assert "is a folder" in refused(run, *arguments)


def test_records_are_written_in_pieces_that_make_one_file(run, tmp_path, monkeypatch):
    whole, pieces = tmp_path / "whole.parquet", tmp_path / "pieces.parquet"
    run("play", "tacatuca", "--games", "50", "--output", str(whole))
    monkeypatch.setattr(playing, "RECORDS_AT_ONCE", 7)
    run("play", "tacatuca", "--games", "50", "--output", str(pieces))
    pd.testing.assert_frame_equal(pd.read_parquet(whole), pd.read_parquet(pieces))
    run("play", "tacatuca", "--games", "50", "--output", str(tmp_path / "pieces.csv"))
    pd.testing.assert_frame_equal(pd.read_parquet(whole), pd.read_csv(tmp_path / "pieces.csv"), check_dtype=False)


def test_decisions_are_written_in_pieces_that_make_one_file(run, tmp_path, monkeypatch):
    call = ["play", "tschakka-lakka", "--variant", "tiny-2x2", "--lineup", "timid", "--games", "20", "--log"]
    run(*call, str(tmp_path / "whole.csv"))
    monkeypatch.setattr(playing, "DECISIONS_AT_ONCE", 6)
    run(*call, str(tmp_path / "pieces.csv"))
    assert (tmp_path / "whole.csv").read_text() == (tmp_path / "pieces.csv").read_text()


def test_every_number_can_be_cited(run, tmp_path):
    change = ["--set", "shortage=one_each"]
    _, out, _ = run("odds", "tacatuca", "--table", "throws", *change, "--format", "json")
    found = json.loads(out)["provenance"]
    assert (found["variant"], found["rules"]["shortage"]) == ("standard shortage=one_each", "one_each")
    _, out, _ = run("solve", "tacatuca", "--pins", "2,2", *change, "--format", "json")
    assert json.loads(out)["provenance"]["rules"]["shortage"] == "one_each"
    for kind in ("text", "markdown", "latex"):
        out = run("solve", "tacatuca", "--pins", "2,2", *change, "--format", kind)[1]
        assert "Rules: standard shortage=one" in out.replace("\\_", "_")
    path = tmp_path / "throws.parquet"
    run("odds", "tacatuca", "--table", "throws", *change, "--output", str(path))
    assert json.loads(pq.read_metadata(path).metadata[b"oddsmith"])["rules"]["shortage"] == "one_each"


def test_the_version_is_told(run):
    assert run("--version")[1].startswith("oddsmith ")


def test_numbers_that_json_cannot_say_are_null(run):
    def refuse(text):
        raise AssertionError(text)

    _, out, _ = run("play", "tacatuca", "--games", "1", "--format", "json")
    content = json.loads(out, parse_constant=refuse)
    assert content["rounds"]["low"] == 0
    assert content["rounds"]["high"] is None


def test_unfinished_games_count_in_no_mean_that_needs_an_end(run):
    _, out, _ = run("play", "tacatuca", "--games", "100", "--set", "max_rounds=1", "--format", "json")
    content = json.loads(out)
    assert content["unfinished"] == 100
    assert content["columns"]["comeback"]["mean"] is None
    assert content["rounds"]["mean"] == 1


def test_quantiles_reach_as_far_as_the_games(run, tmp_path):
    path = tmp_path / "games.csv"
    call = ["play", "tacatuca", "--games", "60", "--set", "pins=200", "--output", str(path)]
    found = json.loads(run(*call, "--format", "json")[1])["rounds"]
    rounds = sorted(pd.read_csv(path)["rounds"])
    assert (found["median"], found["p95"]) == (rounds[29], rounds[56])
    assert found["p95"] > 1024
    assert f"{rounds[56]:,}" in run(*call)[1]


def test_play_json_has_the_promised_shape(run):
    status, out, _ = run("play", "tacatuca", "--games", "2000", "--seed", "7", "--format", "json")
    content = json.loads(out)
    assert status == 0
    assert (content["games"], content["unfinished"], content["seed"]) == (2000, 0, 7)
    assert [row["seat"] for row in content["seats"]] == [1, 2]
    for row in content["seats"]:
        assert set(row) == {"seat", "policy", "wins", "shared_wins", "win_rate", "low", "high"}
        assert row["low"] < row["win_rate"] == row["wins"] / 2000 < row["high"]
    assert sum(row["wins"] for row in content["seats"]) == 2000
    assert content["rounds"]["low"] < content["rounds"]["mean"] < content["rounds"]["high"]
    assert content["provenance"]["rules"]["pins"] == 20


def test_target_error_is_reached(run):
    _, out, _ = run("play", "tacatuca", "--target-error", "0.02", "--format", "json")
    for row in json.loads(out)["seats"]:
        assert (row["high"] - row["low"]) / 2 <= 0.02


def test_odds_json_has_the_promised_shape(run):
    _, out, _ = run("odds", "tacatuca", "--table", "exchange", "--format", "json")
    content = json.loads(out)
    assert (content["table"], content["exact"], len(content["rows"])) == ("exchange", True, 441)
    pins = {(row["throw"], row["opponent"]): row["pins"] for row in content["rows"]}
    # King: difference 12 - 3 and five more; truce of Super Power with 6-5
    assert (pins["6-6", "2-1"], pins["2-1", "6-6"], pins["6-5", "5-5"]) == (14, -14, 0)
    _, out, _ = run("odds", "tacatuca", "--table", "step", "--players", "2", "--format", "json")
    rows = json.loads(out)["rows"]
    assert set(rows[0]) == {"players", "pins", "probability"}
    assert sum(row["probability"] for row in rows) == pytest.approx(1)


def test_solve_json_has_the_promised_shape(run):
    _, out, _ = run("solve", "tacatuca", "--pins", "20,20", "--format", "json")
    content = json.loads(out)
    assert content["exact"] is True
    assert content["pins"] == [20, 20]
    assert content["win_probability"] == pytest.approx([0.5, 0.5], abs=1e-11)
    assert {"mean", "sd", "median", "p95"} <= set(content["rounds"])
    assert sum(row["probability"] for row in content["distribution"]) == pytest.approx(1)


def test_show_tells_the_game_that_a_batch_played(run, tmp_path):
    path = tmp_path / "games.parquet"
    run("play", "tacatuca", "--players", "3", "--games", "50", "--seed", "7", "--output", str(path))
    _, out, _ = run("show", "tacatuca", "--players", "3", "--seed", "7", "--game", "42", "--format", "json")
    told = json.loads(out)
    row = pd.read_parquet(path).set_index("game").loc[42]
    assert told["kernel_agrees"] is True
    assert told["record"] == row.to_dict()
    _, out, _ = run("show", "tacatuca", "--players", "3", "--seed", "7", "--game", "42")
    assert out.count("\nRound ") == len(told["events"])


def test_records_carry_their_provenance(run, tmp_path):
    path = tmp_path / "games.parquet"
    run("play", "tacatuca", "--games", "5", "--seed", "9", "--set", "pins=3", "--output", str(path))
    found = json.loads(pq.read_metadata(path).metadata[b"oddsmith"])
    assert (found["seed"], found["rules"]["pins"], found["variant"]) == (9, 3, "standard pins=3")


def test_a_limit_that_is_not_met_gives_status_1(run):
    small = ["balance", "tacatuca", "--variant", "tiny", "--players", "2", "--games", "500"]
    assert run(*small, "--limit", "rounds_2=1..100")[0] == 0
    status, _, err = run(*small, "--limit", "rounds_2=1")
    assert status == 1
    assert "limit NOT met: rounds_2" in err
    assert "limit: unknown metric 'speed'; allowed: seat_gap_2" in run(*small, "--limit", "speed=1")[2]


@pytest.mark.parametrize("kind", ["text", "csv", "json", "markdown", "latex"])
def test_every_verb_speaks_every_format(run, kind):
    for arguments in (["games"], ["odds", "tacatuca", "--table", "throws"], ["play", "tacatuca", "--games", "100"]):
        status, out, _ = run(*arguments, "--format", kind)
        assert status == 0
        assert len(out) > 150


def test_help_has_an_example_for_every_command(run):
    for command in ("games", "play", "odds", "balance", "solve", "show", "report", "validate"):
        status, out, _ = run(command, "--help")
        assert status == 0
        assert "Example" in out


def test_validate_of_the_tiny_variant_and_status_1_when_a_check_fails(run, monkeypatch):
    from dataclasses import replace

    from analysis import chapter

    right = chapter.Check("two and two", "arithmetic", 4.0, 4.0)
    whole = chapter.chapter("tacatuca")
    for got, status in ((4.0, 0), (5.0, 1)):
        patched = replace(whole, checks=lambda study, got=got: [replace(right, got=got)])
        monkeypatch.setattr(chapter, "chapter", lambda game, patched=patched: patched)
        assert run("validate", "tacatuca")[0] == status


def test_report_is_one_page_that_needs_nothing_else_and_its_verdicts(run, tmp_path):
    status, out, _ = run(
        "report", "tacatuca", "--variant", "tiny", "--games", "2000", "--output", str(tmp_path / "new")
    )
    assert status == 0
    assert "wrote the report on" in out
    page = (tmp_path / "new" / "tacatuca.html").read_text()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["tacatuca.html", "tacatuca.json"]
    told = json.loads((tmp_path / "new" / "tacatuca.json").read_text())["provenance"]
    assert (told["variant"], told["rules"]["pins"]) == ("tiny", sims.game("tacatuca").variant("tiny").rules.pins)
    assert page.count("<figcaption>") == page.count("<svg") >= 8
    assert "src=" not in page
    assert 'rel="stylesheet"' not in page
    assert "oddsmith report tacatuca --seed 1 --games 2000 --variant tiny" in page


def test_report_hands_out_its_pictures_for_articles(run, tmp_path):
    run("report", "tacatuca", "--variant", "tiny", "--games", "500", "--pictures", "--output", str(tmp_path))
    pictures = sorted(path.name for path in (tmp_path / "tacatuca-pictures").iterdir())
    assert pictures[:2] == ["01-who-pays-whom.png", "01-who-pays-whom.svg"]
    page = (tmp_path / "tacatuca.html").read_text()
    assert len(pictures) == 2 * page.count("<figcaption>")


def test_an_interrupt_leaves_no_file(run, tmp_path, monkeypatch):
    from analysis import report

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "page", interrupt)
    status, _, _ = run("report", "tacatuca", "--variant", "tiny", "--games", "100", "--output", str(tmp_path))
    assert status == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "call", ["games --format csv --table rules", "odds tacatuca --table exchange", "show tacatuca"]
)
def test_a_closed_pipe_is_no_error(call):
    command = f"{sys.executable} -m analysis.cli {call} | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_one_line():
    command = f"{sys.executable} -m analysis.cli odds tacatuca --table exchange --format csv > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "oddsmith: output: No space left on device\n"


def test_the_first_run_says_that_it_compiles(run, tmp_path, monkeypatch):
    small = ["play", "tacatuca", "--variant", "tiny", "--games", "10"]
    run(*small)
    assert "compiling" not in run(*small)[2]
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    assert run(*small)[2].startswith("compiling Tacatuca (once")


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission(run, tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert "cannot be written" in refused(run, "report", "tacatuca", "--output", str(tmp_path / "new"))


# -- faces of tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "first", "others"),
    [
        (["play", "tacatuca", "--games", "50"], "seats", "means, seat_means"),
        (["games"], "games", "variants, rules, policies, files, records"),
        (["solve", "tschakka-lakka", "--position", SECOND_ROLL], "options", "distribution"),
        (
            ["balance", "tacatuca", "--variant", "tiny", "--players", "2", "--games", "50"],
            "metrics",
            "seats, tension, snowball, cards, drama, rulings",
        ),
    ],
)
def test_csv_holds_one_table_and_says_which_others_there_are(run, arguments, first, others):
    status, out, err = run(*arguments, "--format", "csv")
    assert status == 0
    assert f"csv holds one table, here {first}; choose with --table: {others}\n" in err
    whole = pd.read_csv(io.StringIO(out))
    assert out == run(*arguments, "--format", "csv", "--table", first)[1]
    last = others.split(", ")[-1]
    other = pd.read_csv(io.StringIO(run(*arguments, "--format", "csv", "--table", last)[1]))
    assert list(other) != list(whole)


def test_a_csv_of_play_holds_only_numbers(run):
    for name in ("seats", "means", "seat_means"):
        call = ["play", "tacatuca", "--games", "50", "--set", "max_rounds=1", "--table", name]
        frame = pd.read_csv(io.StringIO(run(*call, "--format", "csv")[1]))
        numbers = frame.drop(columns=["policy", "quantity", "meaning"], errors="ignore")
        assert all(pd.api.types.is_numeric_dtype(kind) for kind in numbers.dtypes)
        assert not numbers.isin([math.inf, -math.inf]).any(axis=None)
    # nobody leaves in the first round of twenty pins
    assert frame.set_index(["quantity", "seat"])[["mean", "median"]].isna().all(axis=None)


def test_play_tells_what_each_seat_did(run, tmp_path):
    path = tmp_path / "games.csv"
    call = ["play", "tschakka-lakka", "--variant", "tiny-3x3", "--games", "60", "--output", str(path)]
    content = json.loads(run(*call, "--format", "json")[1])
    table = json.loads(run(*call, "--format", "json", "--table", "seat_means")[1])
    records = pd.read_csv(path)
    rows = {(row["quantity"], row["seat"]): row for row in table["rows"]}
    for name, seat in (("score", 1), ("busts", 2), ("rolls", 1)):
        values = records[f"{name}_{seat}"]
        for found in (rows[name, seat], content["columns"][f"{name}_{seat}"]):
            assert found["mean"] == pytest.approx(values.mean())
            assert 0 <= found["low"] < found["mean"] < found["high"]
            assert found["median"] == sorted(values)[29]
    assert "points that ended" not in run(*call)[1]
    assert "score" in run(*call)[1]


def test_a_small_exact_chance_keeps_its_digits(run):
    call = ["solve", "tacatuca", "--pins", "1,1,150"]
    last = pd.read_csv(io.StringIO(run(*call, "--format", "csv")[1]))["place_3"][2]
    assert 5e-5 < last < 6e-5
    shown = run(*call)[1]
    assert f" {100 * last:.4f} %\n" in shown
    assert "add up to more than 100 %" in shown


def test_a_drawing_keeps_its_lines(run):
    for game, position in (("tschakka-lakka", SECOND_ROLL), ("kazaam-dice", BLOCKED)):
        variant = ["--variant", "small"] if game == "kazaam-dice" else []
        call = ["solve", game, "--position", position, *variant]
        lines = run(*call)[1].splitlines()
        assert any(line.split() == list("12345678") or line.split() == list("12345") for line in lines)


PRINTED = [
    ["games"],
    *(["play", name, "--games", "200"] for name in GAMES),
    *(["odds", "tacatuca", "--variant", "tiny", "--table", name] for name in ("exchange", "throws", "step", "win", "length")),
    *(["odds", "tschakka-lakka", "--variant", "tiny-3x3", "--games", "40", "--table", name]
      for name in ("bust", "release", "turn", "opening", "thumb")),
    *(["odds", "kazaam-dice", "--variant", "pair", "--games", "40", "--table", name]
      for name in ("use", "finish", "doubles", "elements", "connect")),
    ["balance", "tacatuca", "--variant", "tiny", "--games", "200"],
    ["balance", "tschakka-lakka", "--variant", "tiny-2x2", "--games", "40"],
    ["balance", "kazaam-dice", "--variant", "duel", "--games", "20"],
    ["solve", "tacatuca", "--pins", "5,6,7"],
    ["validate", "tschakka-lakka", "--games", "200"],
    ["solve", "tschakka-lakka", "--position", SECOND_ROLL],
    ["solve", "kazaam-dice", "--variant", "small", "--position", BLOCKED],
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("arguments", PRINTED, ids=" ".join)
def test_every_number_of_every_table_is_whole_at_any_width(run, arguments, monkeypatch):
    printed = []
    monkeypatch.setattr(screen, "print_tables", lambda tables, stream: printed.extend(tables))
    assert run(*arguments)[0] == 0
    monkeypatch.undo()
    assert printed
    for width, table in itertools.product((40, 80, 200), printed):
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("TERM", "xterm")
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        screen.print_tables([table], terminal)
        text = re.sub(r"\x1b\[\d*m", "", terminal.getvalue())
        assert max(map(len, text.splitlines())) <= width
        words = Counter(text.split())
        for column, numeric in zip(table.display(), table.numeric(), strict=True):
            cells = table.display()[column]
            # a number and its percent sign are two words
            pieces = Counter(
                word for cell in cells for word in cell.split() if numeric or re.fullmatch(r"[\d.,]+", word)
            )
            assert not pieces - words, (width, table.name, column)


def test_pictures_without_a_home_are_drawn_without_a_word(tmp_path):
    # matplotlib would tell at length that it cannot keep its list of fonts
    (tmp_path / "file").write_text("")
    nowhere = {"HOME": str(tmp_path / "file"), "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "MPLCONFIGDIR": ""}
    code = "import analysis.cli; from analysis import figures; figures.svg(lambda: figures.new().figure)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | nowhere, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
