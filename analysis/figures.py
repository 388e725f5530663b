"""Pictures: a frame to axes, in one style that stays readable for colour-blind readers, on paper and on a phone.

Every function takes ``ax=None`` and returns the axes, so that a notebook can compose them; the report wraps them in
:class:`analysis.chapter.Picture`.
"""

import io
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

#: Okabe and Ito's palette, in the order in which series take it (seat 1, seat 2, ...).
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
INK, PALE = "#1f2933", "#d5dbe1"
#: Diverging map for losses and gains, sequential map for shares; both safe for colour-blind readers.
GAIN_MAP, SHARE_MAP = "PuOr_r", "cividis"

STYLE: Any = {
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e7ebef",
    "text.color": INK,
    # names are the user's: a dollar sign is a dollar sign
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.family": "sans-serif",
    "font.size": 11,
    "figure.figsize": (7.2, 4.2),
    "figure.dpi": 110,
    "legend.frameon": False,
    "savefig.bbox": "tight",
    "svg.fonttype": "none",
    "svg.hashsalt": "oddsmith",
}


@contextmanager
def style() -> Iterator[None]:
    """Draw in the toolkit's style inside this context."""
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # a user's name may hold letters that the font lacks: an SVG keeps them as text, a PNG shows an empty box
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from font", category=UserWarning)
        yield


def new(width: float = 7.2, height: float = 4.2) -> Axes:
    """Axes of a figure of its own, in inches; no window, no global state."""
    axes: Axes = Figure(figsize=(width, height), layout="constrained").subplots()
    return axes


def svg(draw: Callable[[], Figure]) -> str:
    """The SVG element that a drawing function makes, for pasting into a page."""
    with style():
        figure = draw()
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def png(draw: Callable[[], Figure], dpi: int = 144) -> bytes:
    """The same as PNG."""
    with style():
        figure = draw()
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=dpi, metadata={"Software": None})
    return stream.getvalue()


def figure_of(ax: Axes) -> Figure:
    """The figure that holds the axes."""
    figure = ax.get_figure()
    if not isinstance(figure, Figure):
        raise TypeError("axes belong to a figure")
    return figure


def wrapped(label: str, width: int = 30) -> str:
    """A label of several words, folded to stand beside a bar."""
    return "\n".join(textwrap.wrap(label, width))


def lines(
    frame: pd.DataFrame, x: str, series: dict[str, str], *, xlabel: str, ylabel: str, ax: Axes | None = None
) -> Axes:
    """One line for each column in ``series`` (column -> label), told apart by colour and dashes."""
    ax = ax or new()
    styles = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
    for number, (column, label) in enumerate(series.items()):
        ax.plot(frame[x], frame[column], label=label, linestyle=styles[number % len(styles)], linewidth=2)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if len(series) > 1:
        ax.legend()
    return ax


def interval_bars(
    labels: Sequence[str],
    values: Sequence[float],
    low: Sequence[float] | None = None,
    high: Sequence[float] | None = None,
    *,
    xlabel: str,
    reference: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Horizontal bars with intervals, first label on top, and a line at ``reference`` to compare with."""
    # a folded label takes the room of its lines
    ax = ax or new(height=0.9 + 0.36 * len(labels) * max(1, *(0.6 * (1 + label.count("\n")) for label in labels)))
    rows = np.arange(len(labels))
    ax.barh(rows, values, color=COLOURS[0], height=0.65)
    if low is not None and high is not None:
        # drawn by its own middle: an interval cut to what is possible may lie beside the value
        middle, half = (np.asarray(high) + np.asarray(low)) / 2, (np.asarray(high) - np.asarray(low)) / 2
        ax.errorbar(middle, rows, xerr=half, fmt="none", ecolor=INK, capsize=3)
    if reference is not None:
        ax.axvline(reference, color=COLOURS[5], linestyle="--", linewidth=1.5)
    ax.set_yticks(rows, labels)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(xlabel)
    return ax


def stacked_bars(
    labels: Sequence[str],
    parts: Mapping[Any, Sequence[float]],
    *,
    colours: Sequence[int],
    xlabel: str,
    write: Callable[[float], str],
    columns: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Horizontal bars made of parts, first label on top; ``colours`` are of ``COLOURS``, ``write`` puts a text into a part."""
    lines = max(1 + label.count("\n") for label in labels)
    ax = ax or new(8.0, 1.3 + (0.3 + 0.22 * lines) * len(labels))
    left = np.zeros(len(labels))
    for (part, values), colour in zip(parts.items(), colours, strict=False):
        ax.barh(labels, values, left=left, color=COLOURS[colour], label=part, height=0.65)
        ink = INK if _is_light(mpl.colors.to_rgba(COLOURS[colour])) else "white"
        for place, (start, value) in enumerate(zip(left, values, strict=True)):
            if told := write(value):
                ax.text(start + value / 2, place, told, ha="center", va="center", fontsize=9, color=ink)
        left = left + np.asarray(values)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(xlabel)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, fontsize=9)
    return ax


def _is_light(colour: Sequence[float]) -> bool:
    red, green, blue, *_ = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue > 0.55


def heat_map(
    values: NDArray[Any],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    xlabel: str,
    ylabel: str,
    label: str,
    diverging: bool = False,
    write: Callable[[float], str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A matrix ``values[row, column]`` as coloured cells; ``write`` puts a text into every cell that is not NaN."""
    ax = ax or new(7.2, 6.4)
    bound = float(np.nanmax(np.abs(values))) or 1.0
    image = ax.imshow(
        values,
        cmap=GAIN_MAP if diverging else SHARE_MAP,
        vmin=-bound if diverging else None,
        vmax=bound if diverging else None,
        aspect="auto",
    )
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(visible=False)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if write:
        for row, column in np.ndindex(values.shape):
            value = float(values[row, column])
            if not np.isnan(value):
                light = _is_light(image.to_rgba(np.array([value]))[0])
                ax.text(
                    column, row, write(value), ha="center", va="center", fontsize=8, color=INK if light else "white"
                )
    figure_of(ax).colorbar(image, ax=ax, label=label, shrink=0.8)
    return ax


def step_distribution(
    values: Iterable[float], shares: Iterable[float], *, xlabel: str, label: str = "", ax: Axes | None = None
) -> Axes:
    """A distribution over whole numbers as a filled step line."""
    ax = ax or new()
    values, shares = list(values), list(shares)
    top = ax.get_ylim()[1] if ax.lines else 0.0
    line = ax.step(values, shares, where="mid", linewidth=1.8, label=label)[0]
    ax.fill_between(values, shares, step="mid", alpha=0.18, color=line.get_color())
    ax.set(xlabel=xlabel, ylabel="share of games")
    ax.set_ylim(0, max(top, 1.06 * max(shares)))
    ax.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0))
    if label:
        ax.legend()
    return ax


def panels(
    frame: pd.DataFrame, width: float, height: float, *, sharey: bool = False
) -> tuple[Figure, Iterator[tuple[Axes, int, pd.DataFrame]]]:
    """A figure with axes for each number of players of a frame, side by side, with their rows."""
    players = sorted(set(frame["players"]))
    figure = Figure(figsize=(width * len(players) + 0.6, height), layout="constrained")
    axes = figure.subplots(1, len(players), squeeze=False, sharey=sharey)[0]
    for ax, number in zip(axes, players, strict=True):
        ax.set_title(f"{number} players", fontsize=11)
    return figure, ((ax, n, frame[frame["players"] == n]) for ax, n in zip(axes, players, strict=True))
