"""Pictures of Kazaam Dice: the board with dice and chains, maps of what happens where, and charts of the tables."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from analysis import figures
from analysis.balance import called
from analysis.chapters.kazaam_dice.words import DOUBLES, ENDINGS, READINGS
from sims.engine.batch import Batch
from sims.engine.game import Game
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.draw import marks
from sims.kazaam_dice.state import State
from sims.kazaam_dice.traces import connection

#: Grounds of the special fields, light enough for dark type.
FIRE, WATER, PLAIN, SHADE = "#f7c6a3", "#bcdcf2", "#fbfaf7", "#b9c2cb"
#: Chains and the obstacle; type in the background.
LINK, SOFT = figures.COLOURS[5], "#5c6b7a"
#: Colours of alchemists 1 to 4, as of seats everywhere in the report.
OWNER = dict(zip((1, 2, 3, 4), figures.COLOURS, strict=False))
NORMAL_CHIP = "#8a6d3b"
MARKERS = "os^D"
#: How many distances, the smallest ones, a map of chances shows.
NEAREST = 12
#: Width of the interval up to which a rate is drawn.
KNOWN = 0.2

# -- boards ----------------------------------------------------------------------------------------------------


def board_axes(board: Board, ax: Axes | None = None, title: str = "") -> Axes:
    """Empty axes on which field (row, column) is the unit square around ``(column, row)``, with the printed board."""
    ax = ax or figures.new(5.2 * board.columns / board.rows, 5.2)
    ax.set(xlim=(-0.62, board.columns - 0.38), ylim=(board.rows - 0.38, -0.62), aspect="equal")
    ax.grid(visible=False)
    ax.set_xticks(range(board.columns), [str(column + 1) for column in range(board.columns)])
    ax.set_yticks(range(board.rows), [str(row + 1) for row in range(board.rows)])
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    if title:
        ax.set_title(title, pad=24, fontsize=11)
    return ax


def centre(board: Board, field: int) -> tuple[float, float]:
    """Where the middle of a field lies: x, y."""
    return field % board.columns, field // board.columns


def _write(ax: Axes, x: float, y: float, text: object, size: float, layer: int, **style: Any) -> None:
    """A text about a point."""
    ax.text(x, y, str(text), **{"fontsize": size, "ha": "center", "va": "center", "zorder": layer, **style})


def _box(ax: Axes, x: float, y: float, width: float, height: float, layer: int, **style: Any) -> None:
    """A rectangle about a point."""
    ax.add_patch(Rectangle((x - width / 2, y - height / 2), width, height, zorder=layer, **style))


def draw_board(state: State, chain: Collection[int] = (), ax: Axes | None = None, title: str = "") -> Axes:
    """A position; the links of ``chain``, the fields of a connection, are drawn as a thick line under its dice."""
    board, printed = state.board, marks(state.board)
    ax = board_axes(board, ax, title)
    for field in board.fields:
        _ground(ax, board, field, printed[field])
    for field, owner in state.chips.items():
        place, colour = centre(board, field), OWNER.get(owner, NORMAL_CHIP)
        ax.add_patch(Circle(place, 0.27, facecolor=colour, edgecolor="white", linewidth=1.2, zorder=2))
        _write(ax, *place, f"v{owner}" if owner else "n", 9, 3, color="white")
    place = centre(board, state.ambrosius)
    ax.add_patch(Circle(place, 0.33, facecolor=figures.INK, edgecolor="white", linewidth=1.5, zorder=4))
    _write(ax, *place, "M", 12, 5, fontweight="bold", color="white")
    for field in chain:
        for near in state.ways(field):
            if near in chain and near > field:
                (x, y), (right, down) = centre(board, field), centre(board, near)
                ax.plot([x, right], [y, down], color=LINK, linewidth=9, solid_capstyle="round", zorder=3)
    for field in state.dice:
        _die(ax, state, field, field in chain)
    if state.obstacle:
        (x, y), (right, down) = (centre(board, field) for field in state.obstacle)
        size = (0.13, 1.0) if x != right else (1.0, 0.13)
        _box(ax, (x + right) / 2, (y + down) / 2, *size, 6, facecolor=LINK, edgecolor="white")
    return ax


def _ground(ax: Axes, board: Board, field: int, mark: str) -> None:
    """The printed field: element, picture, alchemist and target."""
    x, y = centre(board, field)
    colour = {"f": FIRE, "w": WATER}.get(mark, PLAIN)
    _box(ax, x, y, 1, 1, 0, facecolor=colour, edgecolor=SHADE, linewidth=0.8)
    _write(ax, x + 0.4, y + 0.38, board.creatures[field] or "", 8, 1, ha="right", color=SOFT)
    if mark[:1] in ("A", "T"):
        _box(ax, x, y, 0.9, 0.9, 1, facecolor="none", edgecolor=OWNER[int(mark[1])], linewidth=2.6)
        _write(ax, x - 0.41, y - 0.37, mark, 7, 1, ha="left", fontweight="bold")


def _die(ax: Axes, state: State, field: int, linked: bool) -> None:
    """A die: its creature large, the creature that faces north small."""
    x, y = centre(state.board, field)
    edge, width = (LINK, 2.2) if linked else (figures.INK, 1.2)
    box = FancyBboxPatch((x - 0.21, y - 0.21), 0.42, 0.42, boxstyle="round,pad=0.07", zorder=4)
    box.set(facecolor="#ffffff", edgecolor=edge, linewidth=width)
    ax.add_patch(box)
    _write(ax, x, y + 0.05, state.top(field), 13, 5, fontweight="bold")
    _write(ax, x, y - 0.2, state.die.north(state.dice[field]), 6.5, 5, color=SOFT)


def start(state: State) -> Figure:
    """The empty board, and what the marks on a drawn board mean below it."""
    ax = draw_board(state)
    text = (
        "white squares: dice, with the creature that faces north small above; M: Master Ambrosius; orange bar: obstacle\n"
        "framed: field of alchemist A and target T of each colour; discs: chips, v1-v4 favourites, n normal\n"
        "orange ground: fire; blue ground: water; small number: picture printed on the field"
    )
    ax.set_xlabel(text, fontsize=8.5, labelpad=8)
    return figures.figure_of(ax)


def game(positions: Sequence[State]) -> Figure:
    """A game half-way and at its end, side by side."""
    figure = Figure(figsize=(10.4, 4.9), layout="constrained")
    left, right = figure.subplots(1, 2)
    half = len(positions) // 2
    draw_board(positions[half], (), left, f"after {half} uses")
    draw_board(positions[-1], connection(positions[-1]), right, "the end")
    return figure


def field_map(ax: Axes, board: Board, values: NDArray[np.float64], label: str, write: Callable[[float], str]) -> None:
    """A number for each field as colour and text, with corners, targets, elements and chips marked; NaN stays blank."""
    most, printed = float(np.nanmax(values)) or 1.0, marks(board)
    shades = colormaps["YlGnBu"].with_extremes(bad="#eceff2")
    grid = np.ma.masked_invalid(values.reshape(board.rows, board.columns))
    image = ax.imshow(grid, cmap=shades, vmin=0, vmax=most, zorder=0)
    for field in board.fields:
        (x, y), value = centre(board, field), float(values[field])
        colour = "white" if value >= 0.55 * most else figures.INK
        _write(ax, x, y, "" if np.isnan(value) else write(value), 9, 3, color=colour)
        mark = {"f": "fire", "w": "water"}.get(printed[field], printed[field])
        _write(ax, x - 0.44, y - 0.34, mark, 7, 3, ha="left", fontweight="bold", color=colour)
    figures.figure_of(ax).colorbar(image, ax=ax, label=label, shrink=0.75)


def maps_of(board: Board, values: list[tuple[str, NDArray[np.float64]]], label: str, write: str) -> Figure:
    """Field maps side by side, each under its title."""
    figure = Figure(figsize=(5.2 * len(values), 4.9), layout="constrained")
    for ax, (title, numbers) in zip(figure.subplots(1, len(values), squeeze=False)[0], values, strict=True):
        field_map(board_axes(board, ax, title), board, numbers, label, write.format)
    return figure


# -- charts ----------------------------------------------------------------------------------------------------


def seats(frame: pd.DataFrame) -> Figure:
    """Win rate of every seat beside an equal share, for each number of players."""
    figure, cases = figures.panels(frame, 3.2, 2.6)
    for ax, players, rows in cases:
        figures.interval_bars(
            [f"seat {seat}" for seat in rows["seat"]], rows["win_rate"], rows["low"], rows["high"],
            xlabel="outright wins", reference=1 / players, ax=ax,
        )  # fmt: skip
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return figure


def rounds(batches: Mapping[int, Batch]) -> Figure:
    """Distribution of rounds."""
    ax = figures.new()
    most = 0
    for players, played in batches.items():
        counts = played.histograms["rounds"]
        most = max(most, int(np.searchsorted(np.cumsum(counts), 0.99 * played.games)))
        figures.step_distribution(
            range(len(counts)), counts / played.games, xlabel="rounds in a game", label=f"{players} players", ax=ax
        )
    ax.set_xlim(0, most + 1)
    return figures.figure_of(ax)


def shares(rows: Sequence[str], parts: Mapping[str, NDArray[np.float64]], xlabel: str, columns: int) -> Figure:
    """Shares, ``part[row]``, of which those are left out that no row shows."""
    shown = {text: part.tolist() for text, part in parts.items() if part.max() >= 0.001}
    colours = [number for number, text in enumerate(parts) if text in shown]

    def write(share: float) -> str:
        return f"{100 * share:.0f} %" if share >= 0.06 else ""

    ax = figures.stacked_bars(rows, shown, colours=colours, xlabel=xlabel, write=write, columns=columns)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    return figures.figure_of(ax)


def ends(frame: pd.DataFrame) -> Figure:
    """How games end, for each number of players."""
    wide = frame.pivot_table(index="players", columns="quantity", values="value")
    parts = {text: wide[f"end_{end}"].to_numpy() for end, text in ENDINGS.items()}
    return shares([f"{players} players" for players in wide.index], parts, "share of games", 1)


def use(frame: pd.DataFrame) -> Figure:
    """Chance of a useful roll by distance, unequal rolls and doubles apart."""
    rows = frame[frame["distance"] < frame["distance"].iloc[0] + 20]
    series = {"unequal": "unequal roll", "double": "double", "useful": "any roll"}
    xlabel, ylabel = "dice still missing before the roll", "rolls that offer a step closer"
    ax = figures.lines(rows, "distance", series, xlabel=xlabel, ylabel=ylabel)
    ax.set_ylim(0, 1.03)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    return figures.figure_of(ax)


def finish(frame: pd.DataFrame) -> Figure:
    """Chance to be connected within some turns, by distance, for the smallest and the largest number of players."""
    shown = frame[frame["players"].isin([frame["players"].min(), frame["players"].max()])]
    figure, cases = figures.panels(shown, 5.0, 4.4)
    for ax, _, rows in cases:
        near = rows[rows["distance"].isin(sorted(set(rows["distance"]))[:NEAREST])]
        wide = near.pivot_table(index="distance", columns="turns", values="connected")
        figures.heat_map(
            100 * wide.to_numpy(), [str(distance) for distance in wide.index], [str(turns) for turns in wide.columns],
            xlabel="within so many own turns", ylabel="dice still missing", label="connected, %",
            write=lambda value: f"{value:.0f}", ax=ax,
        )  # fmt: skip
    return figure


def doubles(frame: pd.DataFrame, of: Game) -> Figure:
    """What policies use doubles for."""
    # a policy that rolled no double has no bar
    wide = frame.pivot_table(index="policy", columns="double", values="share", sort=False, dropna=False).fillna(0)
    parts = {text: wide[text].to_numpy() for text in dict.fromkeys([*DOUBLES.values(), *frame["double"]])}
    rows = [called(of, policy) for policy in wide.index]
    return shares(rows, parts, "share of doubles", 2)


def by_number(frame: pd.DataFrame, xlabel: str) -> Figure:
    """Win rate by a number, one line for each number of players; only what :func:`is_known`."""
    ax = figures.new()
    for number, (players, rows) in enumerate(frame.groupby("players")):
        known = rows[is_known(rows)]
        place = known["number"].str.slice(0, 1).astype(int) + 0.06 * (number - 1)
        error = [known["win_rate"] - known["low"], known["high"] - known["win_rate"]]
        ax.errorbar(
            place, known["win_rate"], yerr=error, marker=MARKERS[number], color=figures.COLOURS[number], capsize=3,
            linewidth=1.6, label=f"{players} players",
        )  # fmt: skip
    numbers = list(dict.fromkeys(frame["number"]))
    ax.set_xticks(range(len(numbers)), numbers)
    ax.set(xlabel=xlabel, ylabel="outright wins")
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend()
    return figures.figure_of(ax)


def is_known(frame: pd.DataFrame) -> "pd.Series[bool]":
    """Which rates are known to within ten points."""
    return frame["high"] - frame["low"] < KNOWN


def ladder(frame: pd.DataFrame, of: Game) -> Figure:
    """Advantage of each policy over the one below."""
    labels = [f"{called(of, row.policy)}\nover {called(of, row.against)}" for row in frame.itertuples()]
    percent = frame[["advantage", "low", "high"]] * 100
    ax = figures.interval_bars(
        labels, percent["advantage"], percent["low"], percent["high"], reference=0,
        xlabel="wins minus wins of the other, points of a hundred games",
    )  # fmt: skip
    return figures.figure_of(ax)


def effects(frame: pd.DataFrame) -> Figure:
    """Change of the mean length under each changed rule, for each number of players."""
    height = 1.1 + 0.5 * len(frame) / len(set(frame["players"]))
    figure, cases = figures.panels(frame, 4.5, height, sharey=True)
    for ax, _, rows in cases:
        labels = [
            figures.wrapped(READINGS.get((row.rule, row.reading), f"{row.rule} = {row.reading}"))
            for row in rows.itertuples()
        ]
        figures.interval_bars(
            labels, rows["change_in_rounds"], rows["low"], rows["high"], xlabel="change in rounds", reference=0, ax=ax
        )
    # the panels share the axis that each of them turned round
    if len(figure.axes) % 2 == 0:
        figure.axes[0].invert_yaxis()
    return figure


def connect(frame: pd.DataFrame, supply: int) -> Figure:
    """Chance of a chain by number of scattered dice."""
    xlabel, ylabel = "dice on random fields", "the alchemist is connected"
    ax = figures.lines(frame, "dice", {"connected": ""}, xlabel=xlabel, ylabel=ylabel)
    if supply - 1 <= frame["dice"].max():
        ax.axvline(supply - 1, color=figures.COLOURS[5], linestyle="--", label="the game ends by the last die but one")
        ax.legend()
    ax.set_ylim(0, 1.03)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    return figures.figure_of(ax)
