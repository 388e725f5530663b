"""The process around the program: its streams, the signals that end it, and its exit status.

Only modules of Python itself are imported here, so that an interrupt finds its handler before the slow imports start.
"""

import io
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

#: Seconds that a stopped run gets to unwind; a compiled loop may run on for hours before Python hears of the signal.
GRACE = 3.0
#: Seconds until a signal is sent again whose exception fell into a callback from C, which Python can only print and drop.
AGAIN = 0.05
#: What is said on stderr, by signal. A closed terminal hears nothing, but ``nohup`` and ``script`` do.
SAID = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "the terminal was closed"}
#: Temporary files of this process, removed by hand if there is no time to unwind.
temporaries: set[str] = set()

_received: list[int] = []
_swallowed: list[int] = []


class Stopped(BaseException):
    """A signal asked the run to end: no ``Exception``, so that nothing but clearing up happens on its way."""


class _Stderr(io.FileIO):
    """Stderr without the power to fail: a closed pipe or a full disk there must not stop the work."""

    def write(self, content: Any) -> int:
        try:
            written = super().write(content)
        except OSError:
            written = None
        return len(content) if written is None else written


def open_streams() -> None:
    """Give every closed stream a place of its own, and let none fail on a letter that its encoding lacks.

    What is written to a closed stdout fails, as on a full disk, since the answer would be lost.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # otherwise the next file opened would take the number, and what is written to the stream
            os.open(os.devnull, os.O_RDONLY if number == 1 else os.O_RDWR)
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    encoding = sys.stderr.encoding if sys.stderr else "utf-8"
    raw = io.BufferedWriter(_Stderr(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(raw, encoding, errors="backslashreplace", line_buffering=True)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def guarded(run: Callable[[], int]) -> int:
    """Run the program; signals that end a process unwind it first.

    Returns
    -------
    int
        What ``run`` returned, or 128 and the number of the signal.
    """
    open_streams()
    sys.unraisablehook = _hear_again
    done = threading.Event()
    watched: list[int] = []
    status = 0
    try:
        try:
            for name in SAID:
                number = getattr(signal, name, None)
                # what nohup or a shell's & has set to be ignored stays ignored
                if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                    watched.append(number)
                    signal.signal(number, _handle)
            if sys.platform != "win32":
                _watch(done)
            status = run()
        finally:
            for number in watched:
                signal.signal(number, signal.SIG_IGN)
            done.set()
    except BaseException:
        if not _received:
            raise
    if not _received:
        return status
    done.set()
    drop_output()
    _say(_received[0])
    return 128 + _received[0]


def drop_output() -> None:
    """Throw away what stdout still holds, so that nothing fails when the process ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # not a stream of the system, as in a test


def _handle(number: int, frame: object) -> None:
    """Unwind at the first signal that is heard; later ones must not cut the clearing up short."""
    _received.append(number)
    if len(_received) == 1 or _swallowed:
        _swallowed.clear()
        raise Stopped


def _hear_again(unraisable: Any) -> None:
    """Send a signal again that arrived while C called Python, as the compiler does; nothing can unwind through C."""
    if unraisable.exc_type is not Stopped:
        sys.__unraisablehook__(unraisable)
        return
    _swallowed.append(_received[0])
    again = threading.Timer(AGAIN, os.kill, (os.getpid(), _received[0]))
    again.daemon = True
    again.start()


def _say(number: int) -> None:
    sys.stderr.write(f"oddsmith: {SAID[signal.Signals(number).name]}; no file was left half-written\n")
    sys.stderr.flush()


def _watch(done: threading.Event) -> None:
    """End the process ``GRACE`` seconds after a signal that the main thread has not obeyed by then."""
    heard, hear = os.pipe()
    os.set_blocking(hear, False)
    signal.set_wakeup_fd(hear, warn_on_full_buffer=False)

    def wait() -> None:
        number = os.read(heard, 1)[0]
        if done.wait(GRACE):
            return
        for name in list(temporaries):
            with suppress(OSError):
                os.unlink(name)
        if sys.stderr.isatty():
            sys.stderr.write("\x1b[?25h")  # a progress bar hides the cursor
        _say(number)
        os._exit(128 + number)

    threading.Thread(target=wait, daemon=True).start()
