"""The process: signals that end it, streams that are closed, full or of another encoding."""

import errno
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

from analysis import files

PROGRAM = [sys.executable, "-m", "analysis"]
ENDLESS = [*PROGRAM, "play", "tacatuca", "--variant", "tiny", "--games", "1e12"]
LEFT = "no file was left half-written\n"


@pytest.fixture(autouse=True)
def heard():
    """Let programs that a test starts hear signals, even where the tests run in the background of a shell that ignores them."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number in before:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@contextmanager
def running(command, **settings):
    """A program that does not outlive its test, whatever fails."""
    with subprocess.Popen(command, **settings) as process:
        try:
            yield process
        finally:
            process.kill()


def script(body, *prelude):
    """A Python program that calls ``guarded(run)``, ``run`` being the body."""
    lines = ["import os, signal, sys", "from analysis import files, process", *prelude, "def run():"]
    lines += [f"    {line}" for line in body.strip().splitlines()]
    return [sys.executable, "-c", "\n".join([*lines, "sys.exit(process.guarded(run))"])]


def finished(command, **settings):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **settings)


def until_it_writes(process, folder):
    """Wait for the temporary file of a run."""
    for _ in range(600):
        assert process.poll() is None
        found = list(folder.glob(f"{files.PREFIX}*"))
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("no file after 30 seconds")


# --- signals ---


@pytest.mark.parametrize(
    ("name", "status", "ending", "says"),
    [
        ("SIGINT", 130, ".csv", "interrupted"),
        ("SIGTERM", 143, ".parquet", "terminated"),
        ("SIGHUP", 129, ".csv", "the terminal was closed"),
    ],
)
def test_a_signal_ends_a_run_with_one_line_and_no_file(tmp_path, name, status, ending, says):
    with running([*ENDLESS, "-o", tmp_path / f"x{ending}"], stderr=subprocess.PIPE, text=True) as process:
        until_it_writes(process, tmp_path)
        process.send_signal(getattr(signal, name))
        _, err = process.communicate(timeout=30)
    # before the signal, the run may have said that it compiles, and how long it will play
    told = [line for line in err.splitlines(keepends=True) if not line.startswith(("compiling ", "playing "))]
    assert (process.returncode, told) == (status, [f"oddsmith: {says}; {LEFT}"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_that_falls_into_a_callback_is_heard_again(name):
    body = f"""
import ctypes, time
def called():
    os.kill(os.getpid(), signal.{name})
    for _ in range(1000):
        pass
ctypes.CFUNCTYPE(None)(called)()
time.sleep(20)
print("never")
"""
    done = finished(script(body, "process.GRACE = 60"))
    status = 128 + getattr(signal, name)
    says = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "the terminal was closed"}[name]
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"oddsmith: {says}; {LEFT}")


def test_a_closed_terminal_leaves_no_file(tmp_path):
    ours, theirs = pty.openpty()

    def take_terminal():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [*ENDLESS, "-o", tmp_path / "x.csv"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=take_terminal,
    )
    os.close(theirs)
    try:
        until_it_writes(process, tmp_path)
        os.close(ours)
        assert process.wait(30) == 129
    finally:
        process.kill()
        process.wait()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_removed_by_the_next_that_writes_there(tmp_path):
    with running([*ENDLESS, "-o", tmp_path / "x.csv"]) as process:
        left = until_it_writes(process, tmp_path)
        files.write(tmp_path / "first.txt", "it lives")
        assert all(path.exists() for path in left)
        process.kill()
    assert all(path.exists() for path in left)
    files.write(tmp_path / "second.txt", "it is gone")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.txt", "second.txt"]


@pytest.mark.parametrize("module", ["analysis.cli", "typer", "rich", "numba", "pandas"])
def test_an_interrupt_during_the_imports_is_clean(module):
    interrupt = f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[1:] = ["odds", "tacatuca", "--table", "exchange"]
from analysis.__main__ import main
sys.exit(main())
"""
    done = finished([sys.executable, "-c", interrupt])
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"oddsmith: interrupted; {LEFT}")


def test_an_interrupt_before_the_handlers_stand_has_no_traceback():
    done = finished([sys.executable, "-c", "import os, signal, analysis.__main__\nos.kill(os.getpid(), signal.SIGINT)"])
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_more_signals_do_not_cut_the_clearing_up_short():
    body = """
try:
    os.kill(os.getpid(), signal.SIGTERM)
finally:
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        os.kill(os.getpid(), number)
    os.write(1, b"cleared")
"""
    done = finished(script(body))
    assert (done.returncode, done.stdout, done.stderr) == (143, "cleared", f"oddsmith: terminated; {LEFT}")


def test_a_signal_that_is_caught_on_its_way_still_ends_the_run():
    done = finished(script("try:\n    os.kill(os.getpid(), signal.SIGTERM)\nexcept BaseException:\n    return 0"))
    assert (done.returncode, done.stderr) == (143, f"oddsmith: terminated; {LEFT}")


def test_a_compiled_loop_that_does_not_end_is_left_after_the_grace(tmp_path):
    body = f"""
import hashlib, threading, pathlib
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
with files.whole_file(pathlib.Path({str(tmp_path / "x.csv")!r})) as temporary:
    temporary.write_text("half")
    os.write(1, temporary.name.encode())
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)
"""
    done = finished(script(body, "process.GRACE = 0.3"))
    assert (done.returncode, done.stderr) == (143, f"oddsmith: terminated; {LEFT}")
    assert done.stdout.startswith(files.PREFIX)
    assert list(tmp_path.iterdir()) == []


def test_signals_that_are_ignored_stay_ignored():
    done = finished(
        script("os.kill(os.getpid(), signal.SIGHUP)\nreturn 0", "signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fault_of_the_program_is_no_signal():
    done = finished(script("raise RuntimeError('fault')"))
    assert done.returncode == 1
    assert "RuntimeError: fault" in done.stderr


# --- streams ---


def closing(*numbers):
    return lambda: [os.close(number) for number in numbers]


def test_wrong_usage_is_status_2_without_stderr_too():
    wrong = [*PROGRAM, "play", "chess"]
    assert finished(wrong, preexec_fn=closing(2)).returncode == 2
    assert finished(wrong, preexec_fn=closing(0, 1, 2)).returncode == 2
    with open("/dev/full", "w") as full:
        assert subprocess.run(wrong, stderr=full, check=False).returncode == 2
    ours, theirs = os.pipe()
    os.close(ours)
    assert subprocess.run(wrong, stderr=theirs, check=False).returncode == 2
    os.close(theirs)


@pytest.mark.parametrize("closed", [(1,), (0, 1, 2)])
def test_a_file_does_not_take_the_place_of_a_closed_stream(tmp_path, closed):
    call = [*PROGRAM, "play", "tacatuca", "--variant", "tiny", "--games", "50", "-o", tmp_path / "x.csv"]
    done = finished(call, preexec_fn=closing(*closed))
    # the file is whole, but the summary for stdout is lost
    says = f"wrote {tmp_path}/x.csv\noddsmith: output: {os.strerror(errno.EBADF)}\n"
    assert (done.returncode, done.stderr) == (2, "" if 2 in closed else says)
    assert len(pd.read_csv(tmp_path / "x.csv")) == 50


def test_a_reader_of_stderr_who_left_does_not_stop_the_work(tmp_path):
    ours, theirs = os.pipe()
    os.close(ours)
    call = [*PROGRAM, "play", "tacatuca", "--variant", "tiny", "--games", "50", "-o", tmp_path / "x.csv"]
    done = subprocess.run(call, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    assert done.returncode == 0
    assert b"Tacatuca" in done.stdout
    assert len(pd.read_csv(tmp_path / "x.csv")) == 50


@pytest.mark.parametrize("call", ["show tacatuca --variant tiny", "--help"])
def test_a_full_disk_at_stdout_is_one_line(call):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, *call.split()], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"oddsmith: output: {os.strerror(errno.ENOSPC)}\n")


@pytest.mark.parametrize("call", ["show tacatuca --variant tiny", "--help", "games -f json"])
def test_a_closed_stdout_is_one_line(call):
    done = finished([*PROGRAM, *call.split()], preexec_fn=closing(1))
    assert (done.returncode, done.stderr) == (2, f"oddsmith: output: {os.strerror(errno.EBADF)}\n")


def test_a_closed_stdout_that_nobody_writes_to_is_no_fault(tmp_path):
    call = [*PROGRAM, "odds", "tacatuca", "--table", "exchange", "-o", tmp_path / "x.csv"]
    done = finished(call, preexec_fn=closing(1))
    assert (done.returncode, done.stderr) == (0, f"wrote {tmp_path}/x.csv\n")


@pytest.mark.parametrize(
    ("settings", "encoding"),
    [
        ({"PYTHONIOENCODING": "ascii"}, "ascii"),
        ({"PYTHONIOENCODING": "cp1252"}, "cp1252"),
        ({"LC_ALL": "C"}, "utf-8"),
    ],
)
def test_letters_that_a_stream_lacks_are_replaced(tmp_path, settings, encoding):
    (tmp_path / "zwölf駒.toml").write_text('title = "Zwölf 駒"\n[rules]\npins = 2\n', encoding="utf-8")
    root = Path(files.__file__).parents[1]
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    environment = {**plain, "PYTHONPATH": str(root), **settings}
    shown = "zwölf駒.toml".encode(encoding, "replace")

    def call(*arguments):
        return subprocess.run([*PROGRAM, *arguments], cwd=tmp_path, env=environment, capture_output=True, check=False)

    done = call("show", "tacatuca", "--variant", "zwölf駒.toml")
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown in done.stdout
    done = call("play", "tacatuca", "--variant", "missing-駒.toml")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "missing-駒.toml".encode(encoding, "backslashreplace") in done.stderr
    assert b"Traceback" not in done.stderr
    if encoding == "ascii":
        # a table of rich, which asks the stream for its encoding
        done = call("play", "tacatuca", "--variant", "zwölf駒.toml", "--games", "5")
        assert (done.returncode, done.stderr) == (0, b"")
        assert shown in done.stdout
