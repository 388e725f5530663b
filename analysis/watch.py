"""Progress on stderr: a bar with rate and time left at a terminal, silence in a pipe."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from sims.engine.batch import Progress

#: Seconds after which work of unknown length says in a pipe that it goes on.
PATIENCE = 3.0


class Bars:
    """Progress bars of one command; use as a context manager around the work.

    Parameters
    ----------
    notice : str
        Said once, even in a pipe, when the first work starts: why the first run takes longer.
    """

    def __init__(self, notice: str = "") -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            SpinnerColumn,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Display

        self._notice = notice
        self._display = Display(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )

    def __enter__(self) -> "Bars":
        self._display.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.stop()

    def say(self, sentence: str) -> None:
        """A sentence on stderr, also in a pipe, above the bar if there is one."""
        self._display.console.print(sentence, style="dim", highlight=False, markup=False, soft_wrap=True)

    @contextmanager
    def task(self, label: str, total: int | None) -> Iterator[Progress]:
        """Show a bar while the work goes on; it disappears when the work is done.

        Work whose end nobody knows (``total`` is None) says even in a pipe that it goes on, once.
        """
        if self._notice:
            self.say(self._notice)
            self._notice = ""
        task = self._display.add_task(label, total=total, rate="")

        patient_until = time.monotonic() + PATIENCE if total is None and self._display.disable else float("inf")

        def advance(done: int) -> None:
            nonlocal patient_until
            if time.monotonic() > patient_until:
                self._display.console.print(f"{label}: this takes a while ...", style="dim", highlight=False)
                patient_until = float("inf")
            self._display.update(task, advance=done)
            speed = self._display.tasks[self._display.task_ids.index(task)].speed
            if speed:
                self._display.update(task, rate=f"{speed:,.0f}/s")

        try:
            yield advance
        finally:
            self._display.remove_task(task)
