"""What is written and what is read: real files only, each once, whole or not at all, whatever they are called."""

import os
import socket
import stat
import sys
import unicodedata
from pathlib import Path

import pandas as pd
import pytest

import sims
from analysis import cli, files, playing, tables
from analysis.measures import Column
from sims.engine import variant
from sims.engine.errors import InputError
from sims.engine.text import printable, unseen

ODD_NAME = os.fsdecode(b"caf\xe9")
PLAY = ["play", "tacatuca", "--variant", "tiny", "--games", "5"]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def refused(run):
    """The one line that a wrong call gets."""

    def call(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert err.startswith("oddsmith: ")
        assert err.count("\n") == 1
        return err

    return call


@pytest.fixture
def no_work(monkeypatch):
    """Fails if a game is played."""

    def work(*_, **__):
        raise AssertionError("played before the files were checked")

    monkeypatch.setattr(playing, "run", work)
    monkeypatch.setattr(playing, "log", work)


def listed(folder):
    return sorted(path.name for path in folder.iterdir())


# --- outputs ---


def test_a_read_only_file_is_refused_and_stays(refused, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("old")
    path.chmod(0o444)
    assert "x.csv is read-only" in refused(*PLAY, "--output", path)
    with pytest.raises(InputError, match="read-only"):
        files.write(path, "new")
    assert path.read_text() == "old"
    path.chmod(0o644)
    files.write(path, "new")
    assert path.read_text() == "new"


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("way", ["{}/inner/file.csv", "inner/file.csv"])
def test_a_link_is_followed_and_stays(run, tmp_path, way, there):
    target, link = tmp_path / "inner" / "file.csv", tmp_path / "x.csv"
    target.parent.mkdir()
    if there:
        target.write_text("old")
    link.symlink_to(way.format(tmp_path))
    assert run(*PLAY, "--output", link)[0] == 0
    assert link.is_symlink()
    assert len(pd.read_csv(target)) == 5
    assert listed(target.parent) == ["file.csv"]


def test_a_link_that_leads_nowhere_at_all_is_refused(refused, tmp_path):
    (tmp_path / "x.csv").symlink_to("y.csv")
    (tmp_path / "y.csv").symlink_to("x.csv")
    assert "x.csv: cannot be written: " in refused(*PLAY, "--output", "x.csv")
    (tmp_path / "z.csv").symlink_to("missing/folder/z.csv")
    files.write(tmp_path / "z.csv", "made")
    assert (tmp_path / "missing" / "folder" / "z.csv").read_text() == "made"


def test_what_is_no_file_is_refused(refused, tmp_path, no_work):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "device.csv").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.csv")
        before = listed(tmp_path)
        for name in ("pipe.csv", "device.csv", "socket.csv"):
            assert f"{name} is a device, a pipe or a socket; name a regular file" in refused(*PLAY, "-o", name)
            assert "is a device" in refused("odds", "tacatuca", "--table", "throws", "-o", name)
        assert "folder.csv is a folder" in refused(*PLAY, "-o", "folder.csv")
        assert listed(tmp_path) == before


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_permissions_and_a_new_one_follows_the_umask(tmp_path, mode):
    path = tmp_path / "x.txt"
    path.write_text("old")
    path.chmod(mode)
    with files.whole_file(path) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) & ~mode == 0, "a private file is private while it grows"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    mask = os.umask(0o027)
    try:
        files.write(tmp_path / "new.txt", "")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_a_refused_run_makes_no_folder(refused, tmp_path):
    assert "unknown" in refused("odds", "tacatuca", "--table", "nope", "-o", "new/deep/x.csv")
    long = "x" * 300 + ".csv"
    for place in (long, f"new/{long}", f"new/{'y' * 300}/x.csv", "/".join(["z" * 200] * 30) + "/x.csv"):
        assert "cannot be written: File name too long" in refused("odds", "tacatuca", "--table", "throws", "-o", place)
    assert listed(tmp_path) == []


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path):
    path = tmp_path / ("x" * 251 + ".csv")
    files.write(path, "content")
    assert path.read_text() == "content"


def test_an_error_while_writing_is_one_line_and_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("old")
    with pytest.raises(InputError, match=r"x\.csv: cannot be written: No space left"), files.whole_file(path):
        raise OSError(28, "No space left on device")
    assert path.read_text() == "old"
    assert listed(tmp_path) == ["x.csv"]


# --- one file for two purposes ---


@pytest.mark.parametrize(
    "other", ["s.csv", "./s.csv", "{}/s.csv", "deep/../s.csv", "way/s.csv", "link.csv", "twin.csv"]
)
def test_records_and_decisions_in_one_file_are_refused(refused, tmp_path, no_work, other):
    (tmp_path / "deep").mkdir()
    (tmp_path / "way").symlink_to(tmp_path)
    (tmp_path / "link.csv").symlink_to("s.csv")
    if other == "twin.csv":
        (tmp_path / "s.csv").write_text("old")
        (tmp_path / "twin.csv").hardlink_to(tmp_path / "s.csv")
    before = listed(tmp_path)
    call = ["play", "tschakka-lakka", "--variant", "tiny-2x2", "--games", "5"]
    line = refused(*call, "--output", "s.csv", "--log", other.format(tmp_path))
    assert line.endswith("is the same file as that of --output; name another\n")
    assert listed(tmp_path) == before


def test_records_and_decisions_in_two_files_are_written(run, tmp_path):
    (tmp_path / "deep").mkdir()
    call = ["play", "tschakka-lakka", "--variant", "tiny-2x2", "--games", "5"]
    assert run(*call, "--output", "s.csv", "--log", "deep/s.csv")[0] == 0
    assert len(pd.read_csv("s.csv")) == 5
    assert pd.read_csv("deep/s.csv")["game"].nunique() == 5


@pytest.mark.parametrize("role", ["variant", "board", "position"])
def test_no_output_replaces_what_the_run_reads(refused, tmp_path, no_work, role):
    shipped = sims.game("tschakka-lakka").folder
    (tmp_path / "board.toml").write_text((shipped / "boards" / "small-4x4.toml").read_text())
    rules = (shipped / "variants" / "small-4x4.toml").read_text()
    (tmp_path / "variant.toml").write_text(rules.replace('"small-4x4"', '"board.toml"'))
    (tmp_path / "position.toml").write_text("board = []")
    game = ["tschakka-lakka", "--variant", "variant.toml"]
    calls = [["solve", *game, "--position", "position.toml"]]
    if role != "position":
        calls += [["play", *game], ["odds", *game, "--table", "turn"], ["balance", *game, "--table", "metrics"]]
    (tmp_path / "x.csv").hardlink_to(tmp_path / f"{role}.toml")
    (tmp_path / "y.csv").symlink_to(f"{role}.toml")
    (tmp_path / "tschakka-lakka.html").symlink_to(f"{role}.toml")
    before = (tmp_path / f"{role}.toml").read_text()
    for call in calls:
        for name in ("x.csv", "y.csv"):
            line = refused(*call, "--output", name)
            assert f"output: {name} is the same file as " in line
            assert f"{role}.toml, which is read" in line
    if role != "position":
        assert f"{role}.toml, which is read" in refused("report", *game, "--output", tmp_path)
    assert (tmp_path / f"{role}.toml").read_text() == before


# --- the folder of a report ---


@pytest.mark.parametrize("name", ["page.html", "PAGE.HTML", "report.pdf", "x.md", "new/page.html"])
def test_the_folder_of_a_report_does_not_look_like_a_file(refused, tmp_path, no_work, name):
    assert f"output: {name} looks like a file; the pages are named after the games, so name a folder" in refused(
        "report", "-o", name
    )
    assert listed(tmp_path) == []


def test_the_folder_of_a_report_is_no_file_and_its_pages_can_be_written(refused, tmp_path):
    (tmp_path / "pages").write_text("old")
    assert "output: pages is a file; name a folder, as -o reports" in refused("report", "-o", "pages")
    (tmp_path / "page.html").mkdir()
    files.check_folder(tmp_path / "page.html")
    files.check_folder(tmp_path / "v1.2")
    for name in ("kazaam-dice.html", "kazaam-dice.json"):
        page = tmp_path / name
        page.write_text("old")
        page.chmod(0o444)
        # every game, before the first is played
        assert f"{name} is read-only" in refused("report", "-o", tmp_path)
        page.unlink()
    (tmp_path / "tacatuca-pictures").write_text("")
    assert "tacatuca-pictures is a file" in refused("report", "tacatuca", "--pictures", "-o", tmp_path)


# --- what killed runs leave ---


def left_behind(folder, name):
    path = folder / name
    path.write_text("half")
    return path


def test_the_next_run_removes_what_a_killed_one_left_and_nothing_else(tmp_path):
    ours = left_behind(tmp_path, f"{files.PREFIX}0123456789abcdef{files.SUFFIX}")
    kept = [
        left_behind(tmp_path, f".oddsmith-another-host-0123456789abcdef{files.SUFFIX}"),
        left_behind(tmp_path, f"{files.PREFIX}notes"),
        left_behind(tmp_path, f"notes{files.SUFFIX}"),
        left_behind(tmp_path, ".x.csv.part"),
    ]
    (tmp_path / "elsewhere").write_text("theirs")
    link = tmp_path / f"{files.PREFIX}link{files.SUFFIX}"
    link.symlink_to("elsewhere")
    folder = tmp_path / f"{files.PREFIX}folder{files.SUFFIX}"
    folder.mkdir()
    files.write(tmp_path / "x.csv", "new")
    assert not ours.exists()
    assert all(path.exists() for path in (*kept, link, folder))


def test_a_file_of_another_user_stays(tmp_path, monkeypatch):
    theirs = left_behind(tmp_path, f"{files.PREFIX}0123456789abcdef{files.SUFFIX}")
    owner = theirs.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    files.write(tmp_path / "x.csv", "new")
    assert theirs.exists()
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    files.write(tmp_path / "x.csv", "new")
    assert not theirs.exists()


def test_a_file_of_a_run_that_lives_stays(tmp_path):
    with files.whole_file(tmp_path / "long.csv") as growing:
        assert growing.name.startswith(files.PREFIX)
        assert growing.name.endswith(files.SUFFIX)
        growing.write_text("half")
        files.write(tmp_path / "short.csv", "whole")
        assert growing.read_text() == "half"
    assert (tmp_path / "long.csv").read_text() == "half"
    assert listed(tmp_path) == ["long.csv", "short.csv"]


def test_a_file_that_another_run_clears_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    lock, seen = files.fcntl.flock, []

    def late(handle, how):
        if not seen:
            seen.extend(tmp_path.iterdir())
            seen[0].unlink()
        lock(handle, how)

    monkeypatch.setattr(files.fcntl, "flock", late)
    files.write(tmp_path / "x.csv", "whole")
    assert seen
    assert (tmp_path / "x.csv").read_text() == "whole"


def test_a_folder_that_knows_no_locks_can_be_written_and_is_not_cleared(tmp_path, monkeypatch):
    unknown = left_behind(tmp_path, f"{files.PREFIX}0123456789abcdef{files.SUFFIX}")

    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(files.fcntl, "flock", refuse)
    files.write(tmp_path / "x.csv", "whole")
    assert (tmp_path / "x.csv").read_text() == "whole"
    assert unknown.exists()


# --- inputs ---


def reads(text, path=Path("mine.toml")):
    path.write_text(text, encoding="utf-8")
    return variant.read_toml(path)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_only_regular_files_are_read(refused, tmp_path):
    os.mkfifo("pipe.toml")
    Path("folder.toml").mkdir()
    Path("zero.toml").symlink_to("/dev/zero")
    Path("rules.toml").write_text('[rules]\nboard = "pipe.toml"\n')
    for name, why in (("pipe", "not a regular file"), ("zero", "not a regular file"), ("folder", "a folder")):
        line = f"{name}.toml: cannot be read: it is {why}"
        assert line in refused("play", "tacatuca", "--variant", f"{name}.toml")
        for game in ("tschakka-lakka", "kazaam-dice"):
            assert line in refused("play", game, "--set", f"board={name}.toml")
            assert line in refused("solve", game, "--position", f"{name}.toml")
    for game in ("tschakka-lakka", "kazaam-dice"):
        assert "pipe.toml: cannot be read" in refused("play", game, "--variant", "rules.toml")
    assert "missing.toml: cannot be read: No such file" in refused("play", "tacatuca", "--variant", "missing.toml")


def test_a_pipe_that_took_the_place_of_a_file_does_not_hang(here, monkeypatch):
    Path("file.toml").write_text("")
    os.mkfifo("pipe.toml")
    regular = os.stat("file.toml")
    monkeypatch.setattr(os, "stat", lambda _: regular)
    with pytest.raises(InputError, match=r"pipe\.toml: cannot be read: it is not a regular file"):
        variant.read_toml(Path("pipe.toml"))


def test_a_file_has_at_most_a_million_bytes(here):
    assert reads("#" * 1_000_000) == {}
    with pytest.raises(InputError, match=r"mine\.toml: cannot be read: it has more than 1,000,000 bytes"):
        reads("#" * 1_000_001)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no files that hide their size")
def test_a_file_that_hides_its_size_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(variant, "LARGEST_FILE", 10)
    with pytest.raises(InputError, match="it has more than 10 bytes"):
        variant.read_toml(Path("/proc/self/status"))


@pytest.mark.parametrize("letter", ["\\u001b", "\\u0000", "\\u007f", "\\u009b", "\\u202e", "\\u2066", "\\ufffe", "\\r"])
@pytest.mark.parametrize("template", ['title = "{}"', 'summary = "{}"', '[[rules.cards]]\nname = "{}"', '"{}" = 1'])
def test_characters_that_cannot_be_seen_are_refused_in_names(here, template, letter):
    with pytest.raises(InputError, match=r"mine\.toml: .*, which cannot be seen") as error:
        reads(template.format("a" + letter))
    assert str(error.value).isprintable()


def test_line_breaks_are_for_maps_and_not_for_names(here):
    text = '"""\n. .\n.\tM\n"""'
    assert reads(f"map = {text}") == {"map": ". .\n.\tM\n"}
    for key in ("title", "summary", "name"):
        with pytest.raises(InputError, match=f"{key}: the text holds .n, which cannot be seen"):
            reads(f"{key} = {text}")
    with pytest.raises(InputError, match=r"map: the text holds .x1b"):
        reads('map = ["x", "\\u001b"]')


def test_texts_that_can_be_seen_are_read(here):
    text = "Zwölf 駒 العربية 👩‍🚀 $\\frac{1}$ <b>|_^"
    assert reads(f"title = '{text}'") == {"title": text}


def test_names_numbers_and_levels_have_an_end(here):
    assert reads(f'title = "{"x" * 500}"')
    with pytest.raises(InputError, match="title: 501 characters; at most 500 are allowed"):
        reads(f'title = "{"x" * 501}"')
    assert reads(f"pins = {2**63 - 1}\nq = {-(2**63)}")
    for number in (2**63, -(2**63) - 1, f"0x{'f' * 5000}"):
        with pytest.raises(InputError, match=r"pins: a number of \d+ bits; at most 64 are allowed"):
            reads(f"pins = {number}")
    assert reads("a = " + "[" * 19 + "]" * 19)
    with pytest.raises(InputError, match="more than 20 levels"):
        reads("a = " + "[" * 20 + "1" + "]" * 20)
    with pytest.raises(InputError, match="more than 20 levels"):
        reads(".".join("a" * 500) + " = 1")
    with pytest.raises(InputError, match="a line has more than 1,000 dots"):
        reads(".".join("a" * 400_000) + " = 1")


def test_a_file_whose_name_cannot_be_shown_is_refused(refused):
    for name in (f"{ODD_NAME}.toml", "\x1b[31m.toml", "two\nlines.toml"):
        Path(name).write_text("[rules]\n")
        assert "rename it" in refused("play", "tacatuca", "--variant", name)
        assert "rename it" in refused("play", "kazaam-dice", "--set", f"board={name}")
        line = refused("solve", "tschakka-lakka", "--position", name)
        assert line.rstrip("\n").isprintable()


# --- names and texts on their way out ---


def test_every_character_that_cannot_be_seen_is_written_out_and_no_other_is_touched():
    directions = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    marks = {"LEFT-TO-RIGHT MARK", "RIGHT-TO-LEFT MARK", "ARABIC LETTER MARK"}
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        kind = unicodedata.category(letter)
        steers = kind == "Cf" and (
            unicodedata.bidirectional(letter) in directions or unicodedata.name(letter, "") in marks
        )
        hidden = steers or kind in ("Cc", "Cs", "Zl", "Zp") or code in (0xFFFE, 0xFFFF)
        if hidden:
            assert letter not in printable(letter)
            assert printable(letter).isascii()
            assert unseen(f"ab{letter}c") == ascii(letter)[1:-1]
        else:
            assert printable(letter) == letter
            assert unseen(letter) == ""


def test_what_stands_for_characters_that_cannot_be_seen():
    assert printable("a\x1bb\u202ec\x00\x9b") == "a\\x1bb\\u202ec\\x00\\x9b"
    assert printable("a\nb\tc\u2028d\x85e\rf") == "a b c d e f"
    assert printable(ODD_NAME) == "caf\\xe9"
    assert unseen("a\nb", allowed="\n") == ""


@pytest.mark.parametrize("kind", ["text", "markdown", "latex"])
def test_no_cell_title_or_note_steers_a_terminal_or_breaks_a_row(kind, tmp_path):
    bad = "one\x1b[31m\ntwo\u202e"
    frame = pd.DataFrame({"name": [bad, "plain"], bad: [1, 2]})
    path = tmp_path / {"text": "x.txt", "markdown": "x.md", "latex": "x.tex"}[kind]
    tables.write_tables(path, [tables.Table("t", bad, frame, (Column("name"), Column(bad)), remark=bad)])
    text = path.read_text()
    assert all(line.isprintable() for line in text.split("\n"))
    # title, headings, a row and the note; LaTeX has title and note in one caption
    assert sum("two" in line for line in text.split("\n")) == (3 if kind == "latex" else 4)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json", ".txt"])
def test_outputs_may_have_any_name(run, ending):
    for name in (f"{ODD_NAME}{ending}", f"\x1b[31m{ending}", f"two\nlines{ending}"):
        call = PLAY if ending in (".csv", ".parquet") else ["odds", "tacatuca", "--table", "exchange"]
        status, _, err = run(*call, "--output", name)
        assert status == 0
        assert err == f"wrote {printable(name)}\n"
        assert Path(name).stat().st_size > 50
    Path(ODD_NAME).mkdir()
    assert run(*call, "--output", f"{ODD_NAME}/x{ending}")[0] == 0


def test_no_error_line_steers_a_terminal(refused):
    bad = "\x1b[31m\u202e\n\udcff"
    for call in (
        ["play", bad],
        [bad],
        ["play", "tacatuca", f"--{bad}"],
        ["play", "tacatuca", "--variant", bad],
        ["play", "tacatuca", "--set", f"{bad}=1"],
        ["play", "tacatuca", "--set", f"pins={bad}"],
        ["play", "tacatuca", "--lineup", bad],
        ["play", "tacatuca", "--games", bad],
        ["play", "tacatuca", "--output", f"/dev/null/{bad}.csv"],
        ["odds", "tacatuca", "--table", bad],
        ["report", "--output", f"/dev/null/{bad}"],
    ):
        assert refused(*call).rstrip("\n").isprintable()


def test_an_error_line_has_an_end(refused):
    Path("mine.toml").write_text(f'[rules]\nshortage = "{"x" * 900_000}"')
    line = refused("play", "tacatuca", "--variant", "mine.toml")
    assert len(line) < 1_100
    assert "mine.toml: shortage: 'xxx" in line
    assert "allowed; clockwise, one_each, proportional" in line
