"""What the program says: of files it cannot find, names it does not know, counts it cannot play, and how long it takes."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import sims
from analysis import cli, playing, usage
from analysis.chapter import Silent, Study, chapter
from sims.engine import memory, variant
from sims.engine.batch import run as play_games
from sims.engine.errors import InputError
from sims.kazaam_dice import board as maps
from sims.kazaam_dice import position as kazaam_positions
from sims.tacatuca import exact
from sims.tschakka_lakka import board as temples
from sims.tschakka_lakka import position as temple_positions

SMALL_TEMPLE = """
title = "A user's temple"
squares = ["E..E", "....", "....", "E..E"]
gems = [{ kind = "pink", at = [2, 2] }]
"""
ITS_VARIANT = '[rules]\nboard = "temple.toml"\nsizes = "1/1/1"\nend_gems = 0\n'


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def refused(run, *arguments):
    """The one line that a wrong call gets."""
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("oddsmith: ")
    assert err.count("\n") == 1
    return err.removeprefix("oddsmith: ").rstrip()


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder of a user's files, seen from another folder."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "temple.toml").write_text(SMALL_TEMPLE)
    (folder / "short.toml").write_text(ITS_VARIANT)
    return folder


# -- files -----------------------------------------------------------------------------------------------------


def test_a_board_is_looked_for_beside_the_variant_then_here(run, mine, tmp_path):
    call = ["play", "tschakka-lakka", "--variant", mine / "short.toml", "--games", "5"]
    assert run(*call)[0] == 0
    found = sims.game("tschakka-lakka").variant(mine / "short.toml").rules.board
    assert found == str(mine / "temple.toml")
    (mine / "temple.toml").rename(tmp_path / "here" / "temple.toml")
    assert run(*call)[0] == 0
    (tmp_path / "here" / "temple.toml").unlink()
    line = refused(run, *call)
    beside, current = mine / "temple.toml", tmp_path / "here" / "temple.toml"
    assert line == f"short.toml: board: 'temple.toml' is not there; tried {beside} and {current}"


def test_beside_comes_before_here(mine, tmp_path):
    (tmp_path / "here" / "temple.toml").write_text("title = 3")
    assert sims.game("tschakka-lakka").variant(mine / "short.toml").rules.board == str(mine / "temple.toml")


@pytest.mark.parametrize("name", ["tschakka-lakka", "kazaam-dice"])
def test_a_board_named_with_set_is_looked_for_here_only(run, mine, tmp_path, name):
    line = refused(run, "play", name, "--set", "board=temple.toml", "--games", "5")
    assert line == f"board: 'temple.toml' is not there; tried {tmp_path / 'here' / 'temple.toml'}"


def test_rules_keep_the_board_they_were_read_with(mine):
    """An edit while games are played changes neither the games nor what is told of them."""
    game = sims.game("tschakka-lakka")
    chosen = game.variant(mine / "short.toml")
    before = play_games(game, chosen, game.lineup(players=2), 20, 1)
    (mine / "temple.toml").write_text("title = 3")
    after = play_games(game, chosen, game.lineup(players=2), 20, 1)
    assert after.sums == before.sums
    assert after.provenance == before.provenance
    assert after.provenance["files"]["board"]["squares"] == ["E..E", "....", "....", "E..E"]


def test_rules_of_another_board_under_the_same_path_are_other_rules(mine):
    game = sims.game("tschakka-lakka")
    before, again = (game.variant(mine / "short.toml").rules for _ in range(2))
    (mine / "temple.toml").write_text(SMALL_TEMPLE.replace("pink", "yellow"))
    after = game.variant(mine / "short.toml").rules
    assert before == again != after
    assert replace(before, dice=6).board.content == before.board.content


def test_provenance_everywhere_tells_a_users_board_in_full(run, mine):
    content = {
        "title": "A user's temple",
        "squares": ["E..E", "....", "....", "E..E"],
        "gems": [{"kind": "pink", "at": [2, 2]}],
    }
    call = ["tschakka-lakka", "--variant", mine / "short.toml"]
    run("play", *call, "--games", "5", "--output", mine / "games.parquet", "--log", mine / "log.parquet")
    for path in ("games.parquet", "log.parquet"):
        told = json.loads(pq.read_metadata(mine / path).metadata[b"oddsmith"])
        assert told["files"] == {"board": content}
        assert told["rules"]["sizes"] == "1/1/1"
    for command in (["play", "--games", "5"], ["odds", "--table", "bust"]):
        told = json.loads(run(command[0], *call, *command[1:], "--format", "json")[1])["provenance"]
        assert told["files"] == {"board": content}
    assert json.loads(run("show", *call, "--format", "json")[1])["files"] == {"board": content}
    shipped = json.loads(run("play", "tschakka-lakka", "--games", "5", "--format", "json")[1])["provenance"]
    assert "files" not in shipped


def test_help_and_list_of_games_name_every_key_of_a_file(run):
    """What ``games`` tells of a kind of file names every key that the file's reader knows."""
    keys = {
        ("kazaam-dice", "board"): maps.KEYS,
        ("kazaam-dice", "position"): kazaam_positions.KEYS,
        ("tschakka-lakka", "board"): ("title", "squares", "gems"),
        ("tschakka-lakka", "position"): temple_positions.KEYS,
        ("tacatuca", "cards"): ("name", "double", "truce", "takes", "bonus", "from"),
    }
    for (name, kind), known in keys.items():
        told = sims.game(name).files[kind]
        assert not [key for key in known if not re.search(rf"\b{key}\b", told)]
        out = " ".join(run("games", name)[1].split())
        assert told.split(";")[0] in out
    for command in ("play", "odds", "balance", "solve", "show", "report"):
        out = " ".join(run(command, "--help")[1].split())
        for told in ("[rules]", "oddsmith games GAME", "looked for beside that file first"):
            assert told in out, command


# -- names -----------------------------------------------------------------------------------------------------


def test_report_asks_for_the_game_that_rules_are_meant_for(run, mine):
    path = mine / "short.toml"
    ask = f"game: name the game that {path} is meant for"
    assert refused(run, "report", "--variant", path) == f"{ask}; tschakka-lakka accepts it"
    path.write_text('title = "Nothing changed"')
    assert refused(run, "report", "--variant", path) == (
        f"{ask}; tacatuca and tschakka-lakka and kazaam-dice accept it"
    )
    path.write_text("[rules]\npins = 0")
    assert refused(run, "report", "--variant", path) == (
        f"{ask}; none accepts it: tacatuca: short.toml: pins: '0' is not allowed; a whole number from 1 to 1000"
    )
    path.write_text("[rules]\npinz = 0")
    assert refused(run, "report", "--variant", path) == f"{ask}; none accepts it, for none has all of these rules"
    path.unlink()
    assert refused(run, "report", "--variant", path) == f"{path}: cannot be read: No such file or directory"
    assert refused(run, "report", "--set", "pins=3") == (
        "game: name the game that --set pins=3 is meant for; tacatuca accepts it"
    )
    assert not list(mine.parent.rglob("*.html"))


def test_report_into_a_page_is_refused(run, mine):
    line = refused(run, "report", "tacatuca", "--output", mine / "page.html")
    assert "page.html looks like a file; the pages are named after the games, so name a folder" in line
    assert not (mine / "page.html").exists()


@pytest.mark.parametrize(
    ("game", "lineup", "says"),
    [
        ("tschakka-lakka", "hold:4", "policy hold: '4' is not name=value; write hold:points=4"),
        ("tschakka-lakka", "hold:points", "policy hold: 'points' is not name=value; write hold:points=4"),
        ("tschakka-lakka", "hold:", "policy hold: '' is not name=value; write hold:points=4"),
        ("tschakka-lakka", "dice:x", "policy dice: 'x' is not name=value; write dice:left=2"),
        ("tschakka-lakka", "card:3", "write card:gem=3; its parameters: gem, die, nerve"),
        ("tschakka-lakka", "card:nerve", "write card:nerve=2; its parameters: gem, die, nerve"),
        ("tschakka-lakka", "timid:3", "policy timid: '3' is not a parameter; allowed: no parameters"),
        ("tschakka-lakka", "card:nerve=--2", "'--2' is not allowed; a whole number from -20 to 20"),
        ("tschakka-lakka", "card:nerve=-", "'-' is not allowed; a whole number from -20 to 20"),
        ("tschakka-lakka", "card:nerve=\uff12", "is not allowed; a whole number from -20 to 20"),
        ("tschakka-lakka", "hold:points=" + "9" * 5000, "..' is not allowed"),
        ("kazaam-dice", "rollout:8", "write rollout:games=8; its parameters: games, tries"),
    ],
)
def test_a_policy_shows_how_its_parameters_are_written(run, game, lineup, says):
    line = refused(run, "play", game, "--lineup", lineup)
    assert says in line
    assert len(line) < 200


def test_a_negative_parameter_is_still_one():
    assert str(sims.game("tschakka-lakka").policy("card:nerve=-2")).endswith(":nerve=-2")


ONCE = [
    (command.name, option.opts[0])
    for command in usage.typer.main.get_command(cli.app).commands.values()
    for option in command.params
    if option.param_type_name == "option" and not option.multiple and not option.is_flag
]


@pytest.mark.parametrize(("command", "option"), ONCE)
def test_no_option_silently_takes_the_last_of_two(run, command, option):
    line = refused(run, command, "tacatuca", option, "1", f"{option}=1")
    assert line == f"{option.removeprefix('--')}: {option} is given twice; once is allowed"


def test_short_and_long_name_are_one_option_and_set_may_be_repeated(run):
    assert len(ONCE) > 40
    assert "--variant is given twice" in refused(run, "play", "tacatuca", "-v", "tiny", "--variant", "tiny")
    call = ["play", "tacatuca", "--games", "5", "--set", "pins=3", "--set", "shortage=one_each"]
    assert run(*call)[0] == 0


# -- what --set takes ------------------------------------------------------------------------------------------


def examples(game):
    """Every rule with values that ``games`` says it takes, or none if it says that it needs a file."""
    defaults = game.rules()
    for key, spec in variant.specs(defaults).items():
        says = spec.says()
        if variant.IN_A_FILE in says:
            yield key, []
        elif spec.parse:
            # the form ends in an example; a list of names begins with them
            yield key, [re.search(r", as (\S+)$", says)[1], getattr(defaults, key)]
        elif spec.allowed:
            yield key, [variant.show(value) for value in spec.allowed]
        else:
            low, high = re.fullmatch(r"a whole number from (-?\d+) to (-?\d+)", says).groups()
            assert (int(low), int(high)) == (spec.low, spec.high)
            yield key, [str(getattr(defaults, key)), *([low, high] if key not in ("supply", "end_gems") else [])]


@pytest.mark.parametrize("name", sims.GAMES)
def test_games_tells_truly_what_set_takes(run, name):
    game = sims.game(name)
    rows = {row["rule"]: row for row in json.loads(run("games", name, "--format", "json")[1])["tables"][2]["rows"]}
    found = dict(examples(game))
    assert list(rows) == list(found)
    for key, values in found.items():
        if not values:
            assert rows[key]["allowed"] == "only in a variant file"
            assert "only a variant file can change this" in refused(run, "play", name, "--set", f"{key}=1")
        for value in values:
            changes = variant.from_text(game.rules(), [f"{key}={value}"])
            changed = game.variant().changed(**changes).rules
            assert variant.show(getattr(changed, key)) == value


# -- counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("50000", 50_000),
        ("1e6", 10**6),
        ("1.5e3", 1500),
        ("2M", 2_000_000),
        ("0.5k", 500),
        ("1_000", 1000),
        ("1E3", 1000),
        ("1e+3", 1000),
        ("1G", 10**9),
        ("1e12", 10**12),
        # floats would make 999999999999.9999 of it
        ("999999999999", 999_999_999_999),
        ("0.000000000003e12", 3),
    ],
)
def test_counts_are_exact(text, games):
    assert usage.count(text) == games


@pytest.mark.parametrize(
    "text", ["9007199254740993", "1e13", "1e300", "1e999", "1000000000001", "1001G", "9" * 30, "0.5", "1.5", "0", "0e5"]
)
def test_counts_that_are_none_or_too_many(run, text):
    line = refused(run, "odds", "tacatuca", "--table", "throws", "--games", text)
    assert line.startswith(f"games: '{text}' is not allowed; a whole number")


@pytest.mark.parametrize(
    "text", ["", "-5", "1e-3", "1e9999", "nan", "inf", "\uff12", "1k2", "9" * 5000, "1e", "0x10", "1__"]
)
def test_texts_that_are_no_counts(run, text):
    assert "is not a number of games; write 50000, 1e6 or 2M" in refused(run, "play", "tacatuca", f"--games={text}")


@pytest.mark.parametrize("option", ["--seed", "--threads", "--players"])
@pytest.mark.parametrize("value", ["--2", "1_0", "\uff12", "\N{SUPERSCRIPT TWO}", "9" * 5000, "1e3", ""])
def test_whole_numbers_are_plain_digits(run, option, value):
    assert "is not a whole number" in refused(run, "play", "tacatuca", f"{option}={value}")


@pytest.mark.parametrize("value", ["1_0", "\uff12", "nan", "inf", "1..x", "..", "1e", "9..3", ""])
def test_limits_are_plain_numbers(run, value):
    line = refused(run, "balance", "tacatuca", "--limit", f"rounds_2={value}")
    assert line == f"limit: {f'rounds_2={value}'!r} is not allowed; write metric=max or metric=min..max"


def test_games_that_do_not_fit_into_memory_are_refused_before_the_work(run, monkeypatch, tmp_path):
    def work(*_, **__):
        raise AssertionError("games were played")

    monkeypatch.setattr("analysis.chapter.run", work)
    monkeypatch.setattr(memory, "available", lambda: 20_000_000_000)
    for call in (["balance", "tacatuca"], ["report", "tacatuca", "-o", tmp_path / "pages"], ["report", "-o", tmp_path]):
        line = refused(run, *call, "--games", "1e11")
        assert re.search(r"^games: 100,000,000,000 is too many: .* would take \d+ TB .* about [\d,]+ would fit$", line)
    assert not (tmp_path / "pages").exists()


def test_memory_that_runs_out_all_the_same_is_one_line(run, monkeypatch):
    def work(*_, **__):
        raise MemoryError

    monkeypatch.setattr("analysis.chapter.run", work)
    line = refused(run, "balance", "tacatuca", "--games", "500")
    assert line == "games: memory is too small for 500; try a tenth of them"


# -- how long it takes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "games"),
    [
        (1e9, 1_000_000),
        (50_000, 1_000_000),
        (49_999, 500_000),
        (10_000, 200_000),
        (9_999, 100_000),
        (25, 500),
        (5, 100),
        (0.001, 100),
    ],
)
def test_as_many_games_as_fit_into_twenty_seconds(speed, games):
    assert playing.fitting(speed, 1_000_000) == games


@pytest.fixture
def slow(monkeypatch):
    """A machine that seems to play so many games a second."""

    def pretend(speed):
        monkeypatch.setattr(playing, "measured", lambda played, most: played.add(min(3, most)) and speed)

    return pretend


def test_play_chooses_its_games_by_the_speed_and_says_so(run, slow):
    slow(0.862)
    status, out, err = run("play", "tacatuca", "--format", "json")
    assert (status, json.loads(out)["games"]) == (0, 100)
    assert err.splitlines()[-1] == (
        "playing 100 games takes about 116 seconds at 0.86 a second; 1,000,000 would take about 13 days "
        "(--games sets another number)"
    )
    slow(1e6)
    status, out, err = run("play", "tacatuca", "--format", "json")
    assert (status, json.loads(out)["games"]) == (0, 1_000_000)
    assert "playing" not in err


def test_the_games_chosen_are_those_of_a_plain_run(run, slow, tmp_path):
    slow(6)
    run("play", "tacatuca", "--output", tmp_path / "chosen.parquet")
    status, _, err = run("play", "tacatuca", "--games", "100", "--output", tmp_path / "plain.parquet")
    assert (status, "playing" in err) == (0, False)
    plain = pd.read_parquet(tmp_path / "plain.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "chosen.parquet"), plain)
    game = sims.game("tacatuca")
    kept = play_games(game, game.variant(), game.lineup(players=2), 100, 1, records=True)
    assert np.array_equal(plain.drop(columns="game").to_numpy(), kept.records)


def test_a_long_run_says_its_length_first(run, slow):
    slow(10)
    assert "playing 700 games takes about 70 seconds at 10 a second\n" in run("play", "tacatuca", "-n", "700")[2]
    assert "playing" not in run("play", "tacatuca", "-n", "600")[2]
    _, out, err = run("play", "tacatuca", "--target-error", "0.04", "--format", "json")
    # 3 / 0.04**2 = 1875 games at worst, about four times p (1 - p) / error**2
    assert "playing at most about 1,875 games takes about 3 minutes at 10 a second\n" in err
    assert json.loads(out)["games"] == playing.FIRST_LOOK


def test_no_speed_changes_the_looks_of_a_run_to_a_target(monkeypatch):
    game = sims.game("tacatuca")
    study = Study(game, game.variant("tiny"), game.lineup(players=2), None, 10, 3)
    results = []
    for first in (1, 777, playing.FIRST_LOOK):
        monkeypatch.setattr(playing, "measured", lambda played, most, first=first: played.add(min(first, most)) and 1e9)
        results.append(playing.play(study, 0.01).games)
    assert len(set(results)) == 1


def test_the_speed_is_measured_on_the_first_games():
    game = sims.game("tacatuca")
    study = Study(game, game.variant("tiny"), game.lineup(players=2), None, 10**6, 3, threads=2)
    played = playing.Growing(study, None)
    speed = playing.measured(played, 10**6)
    assert speed > 0
    assert 2 <= played.games <= 10**6
    alone = play_games(game, study.variant, study.lineup, played.games, 3)
    assert played.batch.sums == alone.sums
    few = playing.Growing(study, None)
    playing.measured(few, 1)
    assert few.games == 1


# -- from Python -----------------------------------------------------------------------------------------------


def test_the_python_face_takes_what_people_write(tmp_path):
    game = sims.game("tschakka-lakka")
    study = Study(game, game.variant(), game.lineup("card,timid", np.int64(2)), 2.0, 1e3, np.int32(4), threads=1.0)
    assert [type(value) for value in (study.players, study.games, study.seed, study.threads)] == [int] * 4
    assert isinstance(study.watch, Silent)
    assert game.lineup(["card", "timid"]) == study.lineup
    assert game.variant("standard", {"dice": np.int64(6)}).rules.dice == 6
    shipped = game.folder / "positions" / "first-roll.toml"
    answers = [chapter("tschakka-lakka").solve(study, position=path).content for path in (shipped, str(shipped))]
    assert answers[0] == answers[1]
    kazaam = sims.game("kazaam-dice")
    study = Study(kazaam, kazaam.variant(), kazaam.lineup(players=2), 2, 10, 1)
    shipped = str(kazaam.folder / "positions" / "one_to_go.toml")
    assert chapter("kazaam-dice").solve(study, position=shipped).content["exact"]


def test_pins_are_taken_as_people_write_them():
    game = sims.game("tacatuca")
    study = Study(game, game.variant(), game.lineup(players=2), 2, 10, 1)
    starts = ("4,3", (4, 3), [4.0, 3.0], np.array([4, 3]))
    found = [chapter("tacatuca").solve(study, pins=pins).content["win_probability"] for pins in starts]
    assert all(answer == found[0] for answer in found)
    assert exact.solve(game.rules(), np.array([4.0, 3.0])).win.tolist() == found[0]
    assert exact.win_table(game.rules(), 2.0, np.int64(7)).win.shape == (6, 2)


def wrong_calls():
    game = sims.game("tacatuca")
    made = {
        "game": game,
        "variant": game.variant(),
        "lineup": game.lineup(players=2),
        "players": 2,
        "games": 10,
        "seed": 1,
    }
    study = Study(**made)
    yield "game", lambda: sims.game(None)
    yield "game", lambda: sims.game(["tacatuca"])
    yield "game", lambda: chapter(3)
    yield "variant", lambda: game.variant(3)
    yield "variant", lambda: game.variant(None)
    yield "changes", lambda: game.variant("standard", ["pins=3"])
    yield "changes", lambda: game.variant("standard", {3: 3})
    yield "pins", lambda: game.variant("standard", {"pins": "3"})
    yield "pins", lambda: game.variant("standard", {"pins": 3.5})
    yield "policy", lambda: game.policy(3)
    yield "policy", lambda: game.lineup([3])
    yield "lineup", lambda: game.lineup(3)
    yield "players", lambda: game.lineup(players="2")
    yield "players", lambda: game.lineup(players=True)
    yield "players", lambda: game.lineup(players=2.5)
    yield "table", lambda: chapter("tacatuca").table(["throws"])
    yield "pins", lambda: chapter("tacatuca").solve(study, pins=20)
    yield "pins", lambda: chapter("tacatuca").solve(study, pins=(20, "20"))
    yield "rules", lambda: exact.solve(game.variant(), (3, 3))
    yield "pins", lambda: exact.solve(game.rules(), "3,3")
    yield "total", lambda: exact.win_table(game.rules(), 2, "7")
    for key, value in (
        ("game", "tacatuca"),
        ("variant", "standard"),
        ("lineup", "chance"),
        ("players", 9),
        ("games", 1.5),
        ("games", "1e5"),
        ("seed", None),
        ("threads", 0),
    ):
        yield key, lambda key=key, value=value: Study(**{**made, key: value})
    for name in ("tschakka-lakka", "kazaam-dice"):
        other = sims.game(name)
        asked = Study(other, other.variant(), other.lineup(players=2), 2, 10, 1)
        yield "position", lambda name=name, asked=asked: chapter(name).solve(asked, position=3)
        yield "board", lambda other=other: other.variant("standard", {"board": 3})


@pytest.mark.parametrize(
    ("key", "call"), [pytest.param(*each, id=f"{i}-{each[0]}") for i, each in enumerate(wrong_calls())]
)
def test_the_python_face_says_what_it_wants(key, call):
    with pytest.raises(InputError, match=f"^{key}: ") as error:
        call()
    assert "\n" not in str(error.value)


def test_a_board_from_python_may_be_a_path(mine):
    game = sims.game("tschakka-lakka")
    changes = {"board": mine / "temple.toml", "sizes": "1/1/1", "end_gems": 0}
    assert game.variant("standard", changes).rules.board == str(mine / "temple.toml")
    assert temples.load(str(mine / "temple.toml")).title == "A user's temple"
