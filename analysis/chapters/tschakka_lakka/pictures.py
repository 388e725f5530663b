"""Pictures of the report on Tschakka Lakka: frames to figures."""

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from analysis import figures
from analysis.chapters.tschakka_lakka.words import READINGS, player
from sims.tschakka_lakka.board import Board
from sims.tschakka_lakka.board import number as number_of

#: Gems as they look on the board; large dots of treasure colours would say nothing about when they go.
GEM_COLOURS = {"yellow": "#F0E442", "pink": "#CC79A7"}


def temple(plan: Board, treasures: NDArray[np.float64], gems: NDArray[np.float64]) -> Figure:
    """The temple with the shares ``[square]`` of games in which each treasure, each gem is gone."""
    shares = np.full((plan.height, plan.width), np.nan)
    for row, column in plan.chambers:
        shares[row - 1, column - 1] = treasures[number_of((row, column))]
    ax = figures.heat_map(
        shares, [str(row + 1) for row in range(plan.height)], [str(column + 1) for column in range(plan.width)],
        xlabel="column", ylabel="row", label="treasure gone", write=lambda share: f"{100 * share:.0f}",
        ax=figures.new(7.4, 6.6),
    )  # fmt: skip
    for row, column in plan.entrances:
        ax.text(column - 1, row - 1, "entrance", ha="center", va="center", fontsize=8, color=figures.INK)
    for gem in plan.gems:
        # the crossing lies half a square down and right of its square
        x, y, half = gem.column - 0.5, gem.row - 0.5, 0.29
        diamond = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
        ax.add_patch(Polygon(diamond, facecolor=GEM_COLOURS[gem.kind], edgecolor="white", linewidth=1.5, zorder=3))
        share = f"{100 * gems[number_of((gem.row, gem.column))]:.0f}"
        ax.text(x, y, share, ha="center", va="center", fontsize=8, color="black", weight="bold", zorder=4)
    for edge in ("left", "bottom"):
        ax.spines[edge].set_visible(False)
    ax.tick_params(length=0)
    ax.set_aspect("equal")
    ax.figure.axes[-1].yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return figures.figure_of(ax)


def emptying(plan: Board, treasures: NDArray[np.float64], gems: NDArray[np.float64]) -> Figure:
    """Share of treasures and gems still in the temple after each round, from shares ``[square, round]`` gone."""
    frame = pd.DataFrame({"round": range(treasures.shape[1])})
    frame["treasures"] = 1 - np.mean([treasures[number_of(chamber)] for chamber in plan.chambers], axis=0)
    series = {"treasures": f"{len(plan.chambers)} treasures"}
    for kind in ("yellow", "pink"):
        places = [number_of((gem.row, gem.column)) for gem in plan.gems if gem.kind == kind]
        if places:
            frame[kind] = 1 - np.mean(gems[places], axis=0)
            series[kind] = f"{len(places)} {kind} gems"
    ax = figures.lines(frame, "round", series, xlabel="after round", ylabel="still in the temple")
    for line, what in zip(ax.lines, series, strict=True):
        line.set_color({"yellow": figures.COLOURS[1], "pink": GEM_COLOURS["pink"]}.get(what, figures.COLOURS[0]))
    ax.legend()
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set_ylim(0, 1.02)
    return figures.figure_of(ax)


def bust_map(frame: pd.DataFrame) -> Figure:
    """Chance of a bust by dice and colours in reach."""
    seen = frame[frame["colours"] > 0]
    matrix = seen.pivot_table(index="colours", columns="dice", values="bust").sort_index(ascending=False)
    ax = figures.heat_map(
        matrix.to_numpy(float), [str(colours) for colours in matrix.index], [str(dice) for dice in matrix.columns],
        xlabel="dice rolled", ylabel="colours in reach", label="nothing can be placed", write=percent,
        ax=figures.new(7.4, 3.6),
    )  # fmt: skip
    ax.figure.axes[-1].yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return figures.figure_of(ax)


def percent(share: float) -> str:
    """Two digits."""
    if share < 1e-4:
        return "< 0.01 %"
    return f"{100 * share:.{0 if share >= 0.095 else 1 if share >= 0.0095 else 2}f} %"


def release_chart(frame: pd.DataFrame) -> Figure:
    """Chance to release a treasure by dice: at once, and in several rolls."""
    ax = figures.new()
    for index, (treasure, rows) in enumerate(frame.groupby("treasure", sort=False)):
        colour = figures.COLOURS[index]
        ax.plot(rows["dice"], rows["several_rolls"], marker="o", color=colour, label=f"{treasure}, rolling on")
        ax.plot(rows["dice"], rows["one_roll"], marker="o", color=colour, linestyle=":", label=f"{treasure}, one roll")
    ax.set(xlabel="dice", ylabel="chance to release it", ylim=(0, 1))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.legend(ncols=1, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figures.figure_of(ax)


def stop_or_roll(frame: pd.DataFrame) -> Figure:
    """Gain of rolling by dice left and points at stake; in the cells how often rolling is right."""
    order = sorted(set(frame["stake"]), key=lambda stake: int(stake.split()[0]))
    gain = frame.pivot_table(index="dice", columns="stake", values="gain")[order].sort_index(ascending=False)
    right = frame.pivot_table(index="dice", columns="stake", values="rolling_right").reindex_like(gain)
    ax = figures.heat_map(
        gain.to_numpy(float), [str(dice) for dice in gain.index], [name.replace(" or more", "+") for name in order],
        xlabel="points at stake", ylabel="dice left", label="points that rolling gains", diverging=True,
        ax=figures.new(8.4, 4.2),
    )  # fmt: skip
    for row, column in np.ndindex(right.shape):
        share, value = right.iloc[row, column], gain.iloc[row, column]
        if not np.isnan(share):
            word = "roll" if share >= 0.995 else "stop" if share < 0.005 else f"{100 * share:.0f} %"
            strong = abs(value) > 0.62 * float(np.nanmax(np.abs(gain)))
            ax.text(column, row, word, ha="center", va="center", fontsize=9, color="white" if strong else figures.INK)
    return figures.figure_of(ax)


def policy_chart(frame: pd.DataFrame) -> Figure:
    """Points of a turn by policy, best first."""
    ordered = frame.sort_values("points", ascending=False)
    ax = figures.interval_bars(
        [figures.wrapped(player(policy), 24) for policy in ordered["policy"]], ordered["points"].tolist(),
        ordered["points_low"].tolist(), ordered["points_high"].tolist(), xlabel="points per turn",
    )  # fmt: skip
    for place, row in enumerate(ordered.itertuples()):
        ax.text(
            0.01, place, f"{row.points:.2f}, {100 * row.bust:.0f} % busts", va="center", fontsize=9, color="white",
            transform=ax.get_yaxis_transform(),
        )  # fmt: skip
    return figures.figure_of(ax)


def playing_card(title: str, rules: Sequence[str], below: str) -> Figure:
    """A rule of thumb as a card to print and cut out."""
    wrapped = ["\n".join(wrap(line, 44)) for line in rules]
    heights = [1 + line.count("\n") for line in wrapped]
    width, line = 4.6, 0.21
    height = 1.35 + line * sum(heights) + 0.14 * len(rules)
    figure = Figure(figsize=(width, height))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(0, height))
    ax.axis("off")
    edge = FancyBboxPatch(
        (0.12, 0.12), width - 0.24, height - 0.24, boxstyle="round,pad=0,rounding_size=0.22", linewidth=1.6,
        edgecolor=figures.INK, facecolor="#fffdf5",
    )  # fmt: skip
    ax.add_patch(edge)
    ax.text(width / 2, height - 0.45, title, ha="center", va="center", fontsize=14, weight="bold")
    ax.plot([0.4, width - 0.4], [height - 0.72] * 2, color=figures.COLOURS[5], linewidth=2)
    top = height - 0.9
    for number, (text, lines) in enumerate(zip(wrapped, heights, strict=True), start=1):
        ax.text(
            0.55, top - 0.03, f"{number}", ha="center", va="top", fontsize=11, weight="bold", color=figures.COLOURS[5]
        )
        ax.text(0.8, top, text, va="top", fontsize=11, linespacing=1.3)
        top -= line * lines + 0.14
    ax.text(width / 2, 0.34, below, ha="center", va="center", fontsize=9, color="#5c6b7a")
    return figure


def opening_chart(frame: pd.DataFrame) -> Figure:
    """Value of the first turn by what lies beside the entrance."""
    cases = frame[frame["colours"] != ""].sort_values("value", ascending=False)
    labels = [
        f"{row.beside}{', one colour' if row.colours == '1' and '+' in row.beside else ''}"
        for row in cases.itertuples()
    ]
    ax = figures.new(height=1.0 + 0.34 * len(labels))
    rows = np.arange(len(labels))
    error = [cases["value"] - cases["low"], cases["high"] - cases["value"]]
    ax.errorbar(cases["value"], rows, xerr=error, fmt="o", color=figures.COLOURS[0], ecolor=figures.INK, capsize=3)
    ax.axvline(frame["value"].iloc[1], color=figures.COLOURS[5], linestyle="--", linewidth=1.5, label="all entrances")
    ax.axvline(
        frame["value"].iloc[0], color=figures.COLOURS[2], linestyle=":", linewidth=2, label="best of each temple"
    )
    ax.set_yticks(rows, labels)
    ax.invert_yaxis()
    ax.set_xlabel("expected points of the first turn")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return figures.figure_of(ax)


def skill_chart(frame: pd.DataFrame) -> Figure:
    """Win rate of the strongest policy against each other one."""
    numbers = sorted(set(frame["players"]))
    figure = Figure(figsize=(8.4, 1.2 + 0.34 * len(frame) / len(numbers)))
    figure.set_layout_engine("constrained", wspace=0.1)
    axes = np.atleast_1d(figure.subplots(1, len(numbers), sharey=True))
    for ax, players in zip(axes, numbers, strict=True):
        rows = frame[frame["players"] == players].sort_values("win_rate", ascending=False)
        figures.interval_bars(
            list(map(player, rows["against"])), rows["win_rate"].tolist(), rows["low"].tolist(), rows["high"].tolist(),
            xlabel=f"wins, {players} players", reference=1 / players, ax=ax,
        )  # fmt: skip
        ax.set_xlim(0, 1)
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    for ax in axes[1:]:
        ax.invert_yaxis()  # shared axes were turned once more
    return figure


def luck_chart(frame: pd.DataFrame) -> Figure:
    """Shares of the variance of a result."""
    labels = [
        figures.wrapped(f"{'the win' if row.result == 'win' else 'the points'} among {player(row.population)}", 46)
        for row in frame.itertuples()
    ]
    parts = {
        "who plays": "who_plays",
        "dice and temple, whoever plays": "same_dice",
        "dice and temple, for this pair": "rest",
    }
    ax = figures.stacked_bars(
        labels, {part: frame[column] for part, column in parts.items()}, colours=(0, 1, 4), xlabel="share of the variance",
        write=lambda part: f"{100 * part:.0f} %" if part > 0.06 else "",
    )  # fmt: skip
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    return figures.figure_of(ax)


def source_chart(frame: pd.DataFrame) -> Figure:
    """Points of a seat by source, for each number of players."""
    wide = frame.pivot_table(index="players", columns="source", values="points", sort=False)
    ax = figures.stacked_bars(
        [f"{players} players" for players in wide.index], dict(wide.items()), colours=(4, 0, 2, 6, 3, 5),
        xlabel="points of a seat", write=lambda points: f"{points:.0f}",
    )  # fmt: skip
    return figures.figure_of(ax)


def length_chart(rounds: dict[int, pd.DataFrame]) -> Figure:
    """Distribution of rounds by number of players."""
    ax = figures.new()
    for players, found in rounds.items():
        figures.step_distribution(
            found["value"], found["share"], xlabel="rounds in a game", label=f"{players} players", ax=ax
        )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figures.figure_of(ax)


def reading_chart(frame: pd.DataFrame) -> Figure:
    """Change of the mean number of rounds under each reading."""
    keys = [(row.rule, row.reading) for row in frame.itertuples()]
    ax = figures.interval_bars(
        [figures.wrapped(READINGS.get(key, " ".join(key)), 36) for key in keys], frame["change_in_rounds"].tolist(),
        frame["low"].tolist(), frame["high"].tolist(), xlabel="rounds more (or fewer) in a game", reference=0,
    )  # fmt: skip
    return figures.figure_of(ax)
