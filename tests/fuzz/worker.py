"""A process that runs commands of the program one after another: JSON lines in, JSON lines out.

Compiled kernels stay loaded from one command to the next; a command that hangs or kills the process costs only this one.
"""

import io
import json
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from analysis import cli, figures


class Stream(io.TextIOWrapper):
    """A text stream in UTF-8 that keeps what is written."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        """All that was written."""
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


def call(arguments: list[str]) -> dict[str, Any]:
    """Run one command as the shell would, and tell what came of it."""
    out, err, started, worked = Stream(), Stream(), time.perf_counter(), time.process_time()
    status: int | None = None
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            status = cli.main(arguments)
        except BaseException:
            traceback.print_exc()
    seconds, work = time.perf_counter() - started, time.process_time() - worked
    return {"status": status, "out": out.text(), "err": err.text(), "seconds": seconds, "work": work}


def drawn_only(draw: Callable[[], Any]) -> str:
    """A picture composed, which is where data of a variant can fail, but not written, which takes most of a report's time."""
    with figures.style():
        draw()
    return "<svg></svg>"


def main() -> None:
    """Answer until stdin ends; what libraries write to the descriptors of stdout and stderr is told too."""
    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    stray = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(stray, 1)
    os.dup2(stray, 2)
    written = figures.svg
    for line in questions:
        question = json.loads(line)
        figures.svg = written if question["pictures"] else drawn_only
        answer = call(question["arguments"])
        size = os.lseek(stray, 0, os.SEEK_END)
        answer["stray"] = os.pread(stray, size, 0).decode(errors="replace")
        os.ftruncate(stray, 0)
        os.lseek(stray, 0, os.SEEK_SET)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
