"""Pictures of Tacatuca: who pays whom, what a throw and a card are worth, win chances, lengths, leads."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from analysis import figures
from analysis.chapters.tacatuca.words import READINGS
from sims.tacatuca.exact import Solution
from sims.tacatuca.rules import THROW_NAMES


def exchange_map(frame: pd.DataFrame) -> Figure:
    """The exchange table as a heat map."""
    matrix = frame.pivot_table(index="throw", columns="opponent", values="pins").loc[
        list(THROW_NAMES), list(THROW_NAMES)
    ]
    ax = figures.heat_map(
        matrix.to_numpy(float), THROW_NAMES, THROW_NAMES, xlabel="opponent's throw", ylabel="your throw",
        label="pins you gain", diverging=True, write=lambda pins: f"{pins:+.0f}" if pins else "0", ax=figures.new(8.4, 7.6),
    )  # fmt: skip
    ax.tick_params(axis="x", rotation=90)
    return figures.figure_of(ax)


def throw_chart(frame: pd.DataFrame) -> Figure:
    """Net pins of each throw for two, three and four players."""
    ax = figures.new(7.6, 4.4)
    rows = np.arange(len(frame))
    for number, players in enumerate((2, 3, 4)):
        ax.plot(rows, frame[f"net_pins_{players}"], marker="os^"[number], linestyle="none", label=f"{players} players")
    ax.axhline(0, color=figures.INK, linewidth=1)
    ax.set_xticks(rows, frame["throw"], rotation=90)
    ax.set(xlabel="throw", ylabel="net pins in a round")
    ax.legend()
    return figures.figure_of(ax)


def win_chart(curves: dict[int, pd.DataFrame]) -> Figure:
    """Win chance against the share of the pins, and how far it lies from a fair walk."""
    figure = Figure(figsize=(8.4, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    for (players, curve), line in zip(curves.items(), ("-", "--", "-."), strict=False):
        left.plot(curve["share"], curve["win"], linestyle=line, linewidth=2, label=f"{players} players")
        right.plot(curve["share"], curve["above"], linestyle=line, linewidth=2)
    left.plot([0, 1], [0, 1], color=figures.INK, linewidth=1, linestyle=":", label="fair walk")
    left.legend()
    left.set_ylabel("chance to win")
    right.set_ylabel("points above a fair walk")
    right.axhline(0, color=figures.INK, linewidth=1, linestyle=":")
    left.yaxis.set_major_formatter(PercentFormatter(1.0))
    for ax in (left, right):
        ax.set_xlabel("share of all pins held")
        ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    return figure


def triangle(pins: np.ndarray, win: np.ndarray) -> Figure:
    """Win chance of seat 1 over all divisions of the pins of three players, in barycentric coordinates."""
    share = pins / pins.sum(axis=1, keepdims=True)
    corners = np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])
    x, y = (share @ corners).T
    ax = figures.new(6.4, 5.4)
    filled = ax.tricontourf(x, y, win, levels=np.linspace(0, 1, 21), cmap=figures.SHARE_MAP)
    lines = ax.tricontour(x, y, win, levels=np.arange(0.1, 1.0, 0.1), colors="white", linewidths=0.7)
    ax.clabel(lines, fmt=lambda level: f"{100 * level:.0f} %", fontsize=8)
    for (right, up), name, place in zip(
        corners, ("seat 1", "seat 2", "seat 3"), ((0, 8), (-8, -14), (8, -14)), strict=True
    ):
        ax.annotate(
            f"{name} holds all", (right, up), place, textcoords="offset points", ha="center", annotation_clip=False
        )
    ax.set_aspect("equal")
    ax.margins(0.14)
    ax.axis("off")
    figures.figure_of(ax).colorbar(
        filled, ax=ax, label="chance of seat 1 to win", format=PercentFormatter(1.0), shrink=0.8
    )
    return figures.figure_of(ax)


def length_chart(solved: Mapping[int, Solution]) -> Figure:
    """Distribution of rounds."""
    ax = figures.new()
    for players, found in solved.items():
        figures.step_distribution(
            range(len(found.ended)),
            found.ended,
            xlabel="round in which the game ends",
            label=f"{players} players",
            ax=ax,
        )
    ax.set_xlim(0, max(found.rounds_quantile(0.97) for found in solved.values()))
    return figures.figure_of(ax)


def snowball_chart(frame: pd.DataFrame) -> Figure:
    """Leader's win rate after each quarter."""
    ax = figures.new()
    for number, (players, rows) in enumerate(frame.groupby("players")):
        place, colour = np.arange(len(rows)) + 0.08 * (number - 1), figures.COLOURS[number]
        error = [rows["leader_wins"] - rows["low"], rows["high"] - rows["leader_wins"]]
        label = f"{players} players"
        ax.errorbar(place, rows["leader_wins"], yerr=error, fmt="os^"[number], color=colour, label=label, capsize=3)
    ax.set_xticks(range(3), ["a quarter", "half", "three quarters"])
    ax.set(xlabel="of the game is played", ylabel="the leader wins")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend(loc="lower right", fontsize=9)
    return figures.figure_of(ax)


def comeback_chart(counts: dict[int, np.ndarray], unfinished: dict[int, int]) -> Figure:
    """Distribution of the fewest pins that the winner ever held."""
    ax = figures.new()
    for players, count in counts.items():
        # unfinished games hold 0, which no winner ever does
        shares = count[1:] / (count.sum() - unfinished[players])
        last = int(np.flatnonzero(count)[-1])
        figures.step_distribution(
            range(1, last + 1),
            shares[:last],
            xlabel="fewest pins the winner ever held",
            label=f"{players} players",
            ax=ax,
        )
    return figures.figure_of(ax)


def card_chart(frame: pd.DataFrame) -> Figure:
    """Worth of each card."""
    labels = [f"{row.card} ({row.throw})" for row in frame.itertuples()]
    ax = figures.interval_bars(labels, 100 * frame["worth"], xlabel="points of win chance, two players")
    return figures.figure_of(ax)


def reading_chart(frame: pd.DataFrame) -> Figure:
    """Change of length by reading."""
    labels = [
        figures.wrapped(READINGS.get((row.rule, row.reading), f"{row.rule} = {row.reading}"))
        for row in frame.itertuples()
    ]
    ax = figures.interval_bars(labels, 100 * frame["change"], xlabel="change of the mean length in %", reference=0)
    return figures.figure_of(ax)
