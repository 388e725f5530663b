"""Progress on stderr: a bar with rate and time left at a terminal, silence in a pipe."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from sims.engine.batch import Progress

if TYPE_CHECKING:
    from rich.progress import ProgressColumn, Task

#: Widths of a terminal from which the bar itself, and all figures, have room beside a label.
ROOM_FOR_BAR, ROOM_FOR_ALL = 100, 76
#: Seconds after which work of unknown length says in a pipe that it goes on.
PATIENCE = 3.0


def columns(width: int) -> "list[ProgressColumn]":
    """What a bar shows on a terminal of that many letters: a figure is whole or not there, the label is cut."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column
    from rich.text import Text

    class Label(TextColumn):
        def render(self, task: "Task") -> Text:
            return Text(task.description, no_wrap=True, overflow="ellipsis")

    def whole() -> Column:
        return Column(no_wrap=True)

    bar = [BarColumn(bar_width=24, table_column=whole())] if width >= ROOM_FOR_BAR else []
    figures = [
        MofNCompleteColumn(table_column=whole()),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(table_column=whole()),
    ]
    return [
        SpinnerColumn(table_column=whole()),
        # the only column that may wrap is the only one that gives way
        Label("", table_column=Column()),
        *bar,
        TaskProgressColumn(table_column=whole()),
        *(figures if width >= ROOM_FOR_ALL else []),
        TextColumn("left"),
        TimeRemainingColumn(table_column=whole()),
    ]


class Bars:
    """Progress bars of one command; use as a context manager around the work.

    Parameters
    ----------
    notice : str
        Said once, even in a pipe, when the first work starts: why the first run takes longer.
    """

    def __init__(self, notice: str = "") -> None:
        from rich.console import Console
        from rich.progress import Progress as Display

        self._notice = notice
        console = Console(stderr=True)
        self._display = Display(
            *columns(console.width),
            console=console,
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
