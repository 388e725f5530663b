"""Charts of the report: a frame of numbers to a matplotlib figure."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from analysis import figures
from sims.engine.batch import Batch

MARKERS = "os^D"
#: How many distances, the smallest ones, a map of chances shows.
NEAREST = 12
#: Width of the interval up to which a rate is drawn.
KNOWN = 0.2


def shares(frame: pd.DataFrame, name: str, label: str, xlabel: str) -> Figure:
    """A share with its interval for every case, one panel for each number of players, beside an equal share."""
    players = sorted(set(frame["players"]))
    figure = Figure(figsize=(3.2 * len(players) + 0.6, 2.6), layout="constrained")
    panels = figure.subplots(1, len(players), squeeze=False)[0]
    for ax, number in zip(panels, players, strict=True):
        rows = frame[frame["players"] == number]
        figures.interval_bars(
            [f"{label} {case}" for case in rows[name]], rows["win_rate"], rows["low"], rows["high"],
            xlabel=xlabel, reference=1 / number, ax=ax,
        )  # fmt: skip
        ax.set_title(f"{number} players", fontsize=11)
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return figure


def rounds(batches: Mapping[int, Batch]) -> Figure:
    """Distribution of rounds."""
    ax = figures.new()
    most, highest = 0, 0.0
    for players, played in batches.items():
        counts = played.histograms["rounds"]
        most = max(most, int(np.searchsorted(np.cumsum(counts), 0.99 * played.games)))
        highest = max(highest, float(counts.max()) / played.games)
        figures.step_distribution(
            range(len(counts)), counts / played.games, xlabel="rounds in a game", label=f"{players} players", ax=ax
        )
    ax.set(xlim=(0, most + 1), ylim=(0, 1.06 * highest))
    return figures.figure_of(ax)


def ends(frame: pd.DataFrame, words: Mapping[str, str]) -> Figure:
    """How games end, as parts of a bar for each number of players."""
    players = sorted(set(frame["players"]))
    ax = figures.new(7.6, 1.4 + 0.5 * len(players))
    left = np.zeros(len(players))
    for number, (end, text) in enumerate(words.items()):
        values = frame[frame["end"] == end].set_index("players")["value"].reindex(players).to_numpy()
        if values.max() >= 0.001:
            colour = figures.COLOURS[number]
            ax.barh([f"{count} players" for count in players], values, left=left, color=colour, label=text, height=0.6)
        left += values
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.grid(axis="y", visible=False)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.18), ncols=1)
    ax.set_xlabel("")
    return figures.figure_of(ax)


def use(frame: pd.DataFrame) -> Figure:
    """Chance of a useful roll by distance, unequal rolls and doubles apart."""
    rows = frame[frame["distance"] < frame["distance"].iloc[0] + 20]
    ax = figures.new()
    for marker, (column, label) in zip(MARKERS, (("unequal", "unequal roll"), ("double", "double")), strict=False):
        ax.plot(rows["distance"], rows[column], marker=marker, linewidth=2, label=label)
    ax.plot(rows["distance"], rows["useful"], color=figures.INK, linestyle=":", linewidth=2, label="any roll")
    ax.set(xlabel="dice still missing before the roll", ylabel="rolls that offer a step closer", ylim=(0, 1.03))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend()
    return figures.figure_of(ax)


def finish(frame: pd.DataFrame) -> Figure:
    """Chance to be connected within some turns, by distance, for the smallest and the largest number of players."""
    players = sorted({min(frame["players"]), max(frame["players"])})
    figure = Figure(figsize=(5.0 * len(players), 4.4), layout="constrained")
    for ax, number in zip(figure.subplots(1, len(players), squeeze=False)[0], players, strict=True):
        rows = frame[frame["players"] == number]
        rows = rows[rows["distance"].isin(sorted(set(rows["distance"]))[:NEAREST])]
        wide = rows.pivot_table(index="distance", columns="turns", values="connected")
        figures.heat_map(
            100 * wide.to_numpy(), [str(distance) for distance in wide.index], [str(turns) for turns in wide.columns],
            xlabel="within so many own turns", ylabel="dice still missing", label="connected, %",
            write=lambda value: f"{value:.0f}", ax=ax,
        )  # fmt: skip
        ax.set_title(f"{number} players", fontsize=11)
    return figure


def doubles(frame: pd.DataFrame) -> Figure:
    """What policies use doubles for, as parts of a bar."""
    rows = frame[frame["policy"] != "(any)"]
    policies = list(dict.fromkeys(rows["policy"]))
    ax = figures.new(7.6, 1.2 + 0.45 * len(policies))
    left = np.zeros(len(policies))
    for number, (text, part) in enumerate(rows.groupby("double", sort=False)):
        # a policy that rolled no double has no bar
        values = part.set_index("policy")["share"].reindex(policies).fillna(0).to_numpy()
        ax.barh(policies, values, left=left, color=figures.COLOURS[number], label=str(text), height=0.6)
        left += values
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.grid(axis="y", visible=False)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.12), ncols=2)
    return figures.figure_of(ax)


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


def ladder(frame: pd.DataFrame) -> Figure:
    """Advantage of each policy over the one below."""
    labels = [f"{row.policy} over {row.against}" for row in frame.itertuples()]
    percent = frame[["advantage", "low", "high"]] * 100
    ax = figures.interval_bars(
        labels, percent["advantage"], percent["low"], percent["high"], reference=0,
        xlabel="more wins than the other, points of a hundred games",
    )  # fmt: skip
    return figures.figure_of(ax)


def effects(frame: pd.DataFrame) -> Figure:
    """Change of the mean length under each changed rule, for each number of players."""
    players = sorted(set(frame["players"]))
    changed = frame[frame["rule"] != "(as set)"]
    cases = len(changed) // len(players)
    figure = Figure(figsize=(9.6, 1.1 + 0.34 * cases), layout="constrained")
    panels = figure.subplots(1, len(players), squeeze=False, sharey=True)[0]
    for ax, number in zip(panels, players, strict=True):
        rows = changed[changed["players"] == number]
        figures.interval_bars(
            [f"{row.rule}: {row.reading}" for row in rows.itertuples()],
            rows["change_in_rounds"], rows["low"], rows["high"], xlabel="change in rounds", reference=0, ax=ax,
        )  # fmt: skip
        ax.set_title(f"{number} players", fontsize=11)
    # the panels share the axis that each of them turned round
    if len(players) % 2 == 0:
        panels[0].invert_yaxis()
    return figure


def connect(frame: pd.DataFrame, supply: int) -> Figure:
    """Chance of a chain by number of scattered dice."""
    ax = figures.new()
    ax.plot(frame["dice"], frame["connected"], linewidth=2)
    if supply - 1 <= frame["dice"].max():
        ax.axvline(supply - 1, color=figures.COLOURS[5], linestyle="--", label="the game ends by the last die but one")
        ax.legend()
    ax.set(xlabel="dice on random fields", ylabel="the alchemist is connected", ylim=(0, 1.03))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    return figures.figure_of(ax)
