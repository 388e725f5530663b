"""Pictures: what is drawn is seen."""

import numpy as np
import pandas as pd
import pytest

from analysis import figures


@pytest.mark.parametrize("tops", [(0.2, 0.5, 0.3), (0.5, 0.2, 0.1)])
def test_every_distribution_fits_into_the_axes(tops):
    ax = figures.new()
    for top in tops:
        figures.step_distribution([1, 2, 3], [0.1, top, 0.1], xlabel="rounds", ax=ax)
    low, high = ax.get_ylim()
    assert low == 0
    assert max(tops) < high < 1.2 * max(tops)


def drawn_intervals(ax):
    """Ends of the error bars, by row."""
    (bars,) = [line for line in ax.collections if hasattr(line, "get_segments")]
    return [(segment[0][0], segment[1][0]) for segment in bars.get_segments()]


def test_bars_show_the_interval_even_beside_the_value():
    values, low, high = [0.5, -0.2, 0.0], [0.4, 0.0, 0.0], [0.8, 0.1, 0.3]
    ax = figures.interval_bars(["a", "b", "c"], values, low, high, xlabel="loss", reference=0.25)
    assert drawn_intervals(ax) == [pytest.approx(pair) for pair in zip(low, high, strict=True)]
    assert [bar.get_width() for bar in ax.patches] == values
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    assert any(line.get_xdata()[0] == 0.25 for line in ax.lines)
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the first label is on top"


def test_a_map_writes_into_every_cell_that_has_a_value():
    values = np.array([[1.0, -4.0], [np.nan, 2.0]])
    ax = figures.heat_map(
        values, ["r", "s"], ["c", "d"], xlabel="x", ylabel="y", label="gain", diverging=True, write="{:.0f}".format
    )
    assert {text.get_position(): text.get_text() for text in ax.texts} == {(0, 0): "1", (1, 0): "-4", (1, 1): "2"}
    # losses and gains of one size are as dark
    assert ax.images[0].get_clim() == (-4, 4)
    assert figures.heat_map(values, ["r", "s"], ["c", "d"], xlabel="x", ylabel="y", label="").images[0].get_clim() == (
        -4,
        2,
    )


def test_a_picture_is_the_same_each_time():
    def draw():
        return figures.figure_of(figures.interval_bars(["a"], [1.0], [0.5], [2.0], xlabel="x"))

    assert figures.svg(draw) == figures.svg(draw)
    assert figures.svg(draw).startswith("<svg")
    assert figures.png(draw)[:8] == b"\x89PNG\r\n\x1a\n"


def test_letters_that_the_font_lacks_are_drawn_without_a_warning():
    def draw():
        ax = figures.new()
        ax.set_title("\u65e5\u672c \U0001f3b2")
        return figures.figure_of(ax)

    assert figures.png(draw).startswith(b"\x89PNG")  # warnings are errors here
    assert "\u65e5\u672c \U0001f3b2" in figures.svg(draw)  # SVG keeps the text for a reader that has the letters


def test_every_number_of_players_has_a_panel_with_its_rows():
    frame = pd.DataFrame({"players": [3, 2, 3], "value": [1, 2, 3]})
    figure, cases = figures.panels(frame, 3, 2)
    assert [(ax.get_title(), number, rows["value"].tolist()) for ax, number, rows in cases] == [
        ("2 players", 2, [2]),
        ("3 players", 3, [1, 3]),
    ]
    assert len(figure.axes) == 2
