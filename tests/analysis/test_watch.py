"""Progress bars: figures that can be read on every terminal."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from analysis.watch import columns

LABEL = "playing Tschakka Lakka with five players, all of them careful"


@pytest.mark.parametrize(
    ("width", "shows"),
    [
        (30, [" 37%", "left", "-:--:--"]),
        (40, [" 37%", "left", "-:--:--"]),
        (80, [" 37%", "370000/1000000", "123,456/s", "0:00:0", "left", "-:--:--"]),
        (140, ["━━━", " 37%", "370000/1000000", "123,456/s", "0:00:0", "left", "-:--:--"]),
    ],
)
def test_a_narrow_terminal_cuts_the_label_and_no_figure(width, shows):
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None)
    display = Progress(*columns(width), console=console)
    display.add_task(LABEL, total=1_000_000, completed=370_000, rate="123,456/s")
    console.print(display.get_renderable())
    (line,) = stream.getvalue().splitlines()
    assert len(line.rstrip()) <= width
    for figure in shows:
        assert figure in line
        line = line.partition(figure)[2]
    assert stream.getvalue()[2:10] == LABEL[:8]
    assert ("…" in stream.getvalue()) == (LABEL not in stream.getvalue())
