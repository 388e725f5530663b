"""The board in pictures: positions with their dice and chains, and maps of what happens where."""

from collections.abc import Callable, Collection

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from numpy.typing import NDArray

from analysis import figures
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.state import State

#: Grounds of the special fields, light enough for dark type.
FIRE, WATER, PLAIN, DIE, SHADE = "#f7c6a3", "#bcdcf2", "#fbfaf7", "#ffffff", "#b9c2cb"
#: Colours of alchemists 1 to 4, as of seats everywhere in the report.
OWNER = dict(zip((1, 2, 3, 4), figures.COLOURS, strict=False))
NORMAL_CHIP = "#8a6d3b"


def board_axes(board: Board, ax: Axes | None = None, title: str = "", side: float = 5.2) -> Axes:
    """Empty axes on which field (row, column) is the unit square around ``(column, row)``, with the printed board."""
    ax = ax or figures.new(side * board.columns / board.rows, side)
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


def draw_board(state: State, chain: Collection[int] = (), ax: Axes | None = None, title: str = "") -> Axes:
    """A position; the links of ``chain``, the fields of a connection, are drawn as a thick line under its dice."""
    board = state.board
    ax = board_axes(board, ax, title)
    for field in board.fields:
        _ground(ax, board, field)
    for field, owner in state.chips.items():
        _chip(ax, centre(board, field), owner)
    x, y = centre(board, state.ambrosius)
    ax.add_patch(Circle((x, y), 0.33, facecolor=figures.INK, edgecolor="white", linewidth=1.5, zorder=4))
    ax.text(x, y, "M", color="white", ha="center", va="center", fontsize=12, fontweight="bold", zorder=5)
    _links(ax, state, chain)
    for field in state.dice:
        _die(ax, state, field, field in chain)
    if state.obstacle:
        (x, y), (right, down) = (centre(board, field) for field in state.obstacle)
        middle, across = ((x + right) / 2, (y + down) / 2), x != right
        width, height = (0.13, 1.0) if across else (1.0, 0.13)
        corner = (middle[0] - width / 2, middle[1] - height / 2)
        ax.add_patch(Rectangle(corner, width, height, facecolor=figures.COLOURS[5], edgecolor="white", zorder=6))
    return ax


def _ground(ax: Axes, board: Board, field: int) -> None:
    """The printed field: element, picture, alchemist and target."""
    x, y = centre(board, field)
    colour = FIRE if field in board.fire else WATER if field in board.water else PLAIN
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=SHADE, linewidth=0.8, zorder=0))
    if board.creatures[field]:
        ax.text(
            x + 0.4,
            y + 0.38,
            str(board.creatures[field]),
            ha="right",
            va="center",
            fontsize=8,
            color="#5c6b7a",
            zorder=1,
        )
    for letter, places in (("A", board.alchemists), ("T", board.targets)):
        for alchemist, place in places.items():
            if place == field:
                colour = OWNER[alchemist]
                ax.add_patch(
                    Rectangle(
                        (x - 0.45, y - 0.45), 0.9, 0.9, facecolor="none", edgecolor=colour, linewidth=2.6, zorder=1
                    )
                )
                ax.text(
                    x - 0.41, y - 0.37, f"{letter}{alchemist}", ha="left", va="center", fontsize=7, color=figures.INK,
                    fontweight="bold", zorder=1,
                )  # fmt: skip


def _chip(ax: Axes, place: tuple[float, float], owner: int) -> None:
    """A chip: the alchemist whose favourite it is, or a plain disc."""
    x, y = place
    colour = OWNER[owner] if owner else NORMAL_CHIP
    ax.add_patch(Circle((x, y), 0.27, facecolor=colour, edgecolor="white", linewidth=1.2, zorder=2))
    ax.text(x, y, f"v{owner}" if owner else "n", color="white", ha="center", va="center", fontsize=9, zorder=3)


def _links(ax: Axes, state: State, chain: Collection[int]) -> None:
    for field in chain:
        for near in state.ways(field):
            if near in chain and near > field:
                (x, y), (right, down) = centre(state.board, field), centre(state.board, near)
                ax.plot([x, right], [y, down], color=figures.COLOURS[5], linewidth=9, solid_capstyle="round", zorder=3)


def _die(ax: Axes, state: State, field: int, linked: bool) -> None:
    """A die: its creature large, the creature that faces north small."""
    x, y = centre(state.board, field)
    edge = figures.COLOURS[5] if linked else figures.INK
    box = FancyBboxPatch(
        (x - 0.21, y - 0.21), 0.42, 0.42, boxstyle="round,pad=0.07", facecolor=DIE, edgecolor=edge,
        linewidth=2.2 if linked else 1.2, zorder=4,
    )  # fmt: skip
    ax.add_patch(box)
    ax.text(x, y + 0.05, str(state.top(field)), ha="center", va="center", fontsize=13, fontweight="bold", zorder=5)
    ax.text(
        x,
        y - 0.2,
        str(state.die.north(state.dice[field])),
        ha="center",
        va="center",
        fontsize=6.5,
        color="#5c6b7a",
        zorder=5,
    )


def key(ax: Axes) -> None:
    """What the marks on a drawn board mean, below it."""
    text = (
        "white squares: dice, with the creature that faces north small above; M: Master Ambrosius; orange bar: obstacle\n"
        "framed: field of alchemist A and target T of each colour; discs: chips, v1-v4 favourites, n normal\n"
        "orange ground: fire; blue ground: water; small number: picture printed on the field"
    )
    ax.set_xlabel(text, fontsize=8.5, labelpad=8)


def field_map(
    board: Board,
    values: NDArray[np.float64],
    label: str,
    write: Callable[[float], str],
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """A number for each field as colour and text, with corners, targets, elements and chips marked; NaN stays blank."""
    ax = board_axes(board, ax, title)
    grid = values.reshape(board.rows, board.columns)
    most = float(np.nanmax(values)) or 1.0
    shades = colormaps["YlGnBu"].with_extremes(bad="#eceff2")
    image = ax.imshow(np.ma.masked_invalid(grid), cmap=shades, vmin=0, vmax=most, zorder=0)
    for field in board.fields:
        x, y = centre(board, field)
        value = float(values[field])
        light = np.isnan(value) or value < 0.55 * most
        colour = figures.INK if light else "white"
        if not np.isnan(value):
            ax.text(x, y, write(value), ha="center", va="center", fontsize=9, color=colour)
        for mark in printed(board, field):
            ax.text(x - 0.44, y - 0.34, mark, ha="left", va="center", fontsize=7, color=colour, fontweight="bold")
    figures.figure_of(ax).colorbar(image, ax=ax, label=label, shrink=0.75)
    return ax


def printed(board: Board, field: int) -> list[str]:
    """What is printed on a field, in a word."""
    named = (("A", board.alchemists), ("T", board.targets), ("v", board.favourites))
    marks = [
        f"{letter}{alchemist}" for letter, places in named for alchemist, place in places.items() if place == field
    ]
    kinds = (("fire", board.fire), ("water", board.water), ("n", board.normal), ("M", {board.centre}))
    return marks + [mark for mark, fields in kinds if field in fields]


def pair_of_maps(draw: Callable[[Axes, Axes], None]) -> Figure:
    """A figure with two boards side by side."""
    figure = Figure(figsize=(10.4, 4.9), layout="constrained")
    draw(*figure.subplots(1, 2))
    return figure


def maps_of(board: Board, values: list[tuple[str, NDArray[np.float64]]], label: str, write: str) -> Figure:
    """Field maps side by side, each under its title."""
    figure = Figure(figsize=(5.2 * len(values), 4.9), layout="constrained")
    for ax, (title, numbers) in zip(figure.subplots(1, len(values), squeeze=False)[0], values, strict=True):
        field_map(board, numbers, label, write.format, title, ax)
    return figure
