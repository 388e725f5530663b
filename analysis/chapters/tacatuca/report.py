"""The report on Tacatuca: the answers first, then tables and pictures."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from analysis import figures
from analysis.catalogue import checks_table
from analysis.chapter import Picture, Section, Study
from analysis.chapters.tacatuca import balance, odds
from analysis.chapters.tacatuca.answers import checks
from analysis.tables import Table
from sims.tacatuca.exact import Solution, WinTable
from sims.tacatuca.rules import THROW_NAMES

WORDS = {2: "two", 3: "three", 4: "four"}


def sections(study: Study) -> Iterator[Section]:
    """All sections of the page, in order."""
    rules = study.variant.rules
    solved = {n: odds.solution(study, rules, (rules.pins,) * n) for n in (2, 3, 4)}
    tables = {n: odds.every_state(study, n) for n in (2, 3, 4)}
    throws, exchange = odds.throws(study).frame, odds.exchange(study).frame
    sheet = {table.name: table for table in balance.balance(study).tables}

    yield in_short(study, solved, tables, throws, sheet)
    yield Section(
        "Who pays whom",
        (
            "Read a row as your throw and a column as the opponent's: the number is what you gain, negative if you pay. "
            "Without cards the map would be a smooth slope; the doubles are the ridges, and their truces the notches.",
        ),
        (
            Picture(
                "Pins gained by the thrower of the row from the thrower of the column, two players.",
                partial(exchange_map, exchange),
            ),
        ),
    )
    yield throw_section(throws)
    yield win_section(study, tables)
    yield length_section(solved)
    yield Section(
        "Leads and comebacks",
        lead_sentences(sheet["snowball"].frame),
        (
            Picture(
                "How often the sole leader after each quarter of a game wins it, beside a driftless walk measured alike.",
                partial(snowball_chart, sheet["snowball"].frame),
            ),
        ),
        (sheet["snowball"], sheet["tension"]),
    )
    yield card_section(sheet["cards"])
    yield ruling_section(sheet)
    yield Section(
        "Does the seat matter?",
        ("Everybody throws at once, so it cannot; the simulation agrees.",),
        (),
        (sheet["seats"],),
    )
    found = [(study.game.name, check) for check in checks(study)]
    passed = sum(check.passed for _, check in found)
    yield Section(
        "Can these numbers be trusted?",
        (
            f"{passed} of {len(found)} known answers are met: exact values found by two methods agree to nine digits, and "
            f"simulated ones lie within four standard errors of the exact ones ({study.games:,} games each).",
        ),
        (),
        (checks_table(found, study.seed),),
    )


def in_short(
    study: Study,
    solved: dict[int, Solution],
    tables: dict[int, WinTable],
    throws: pd.DataFrame,
    sheet: dict[str, Table],
) -> Section:
    """The answers, in sentences made from the numbers."""
    pins = study.variant.rules.pins
    two = throws[throws["players"] == 2].set_index("throw")["net_pins"]
    half = float(tables[2].win[tables[2].row([pins // 2 or 1, 2 * pins - (pins // 2 or 1)]), 0])
    sentences = [
        "Nobody decides anything in Tacatuca, so its odds can be counted instead of guessed. Everybody starts alike and "
        f"everybody has the same chance; a game of two lasts {solved[2].rounds_mean:.1f} rounds on average, of three "
        f"{solved[3].rounds_mean:.1f}, of four {solved[4].rounds_mean:.1f}.",
        f"The best throw is {two.idxmax()}, worth {two.max():+.2f} pins a round between two players; the worst is "
        f"{two.idxmin()} with {two.min():+.2f}.",
        f"A lead is worth less than it looks: a player down to {pins // 2 or 1} of {2 * pins} pins still wins "
        f"{100 * half:.1f} % of the games, where a fair walk would give {100 * (pins // 2 or 1) / (2 * pins):.1f} %. The "
        "poor cannot lose more than they have, and that protects them.",
    ]
    cards = sheet["cards"].frame
    if len(cards):
        best, least = cards.loc[cards["worth"].idxmax()], cards.loc[cards["worth"].idxmin()]
        sentences.append(
            f"The card that matters is {best.card}: without its text you would win {100 * best.you_win_without:.1f} % instead "
            f"of 50 %. {least.card} hardly matters ({100 * least.worth:.1f} points)."
        )
    return Section("In short", tuple(sentences))


def throw_section(throws: pd.DataFrame) -> Section:
    """What each throw is worth."""
    wide = throws.pivot_table(index="throw", columns="players", values="net_pins").reindex(THROW_NAMES).reset_index()
    wide.columns = ["throw", *(f"net_pins_{players}" for players in wide.columns[1:])]
    first = throws[throws["players"] == throws["players"].min()][["throw", "sum", "card", "probability"]]
    frame = first.merge(wide, on="throw").sort_values("net_pins_2", ascending=False)
    low = throws[(throws["players"] == 2) & (throws["card"] != "")].set_index("throw")["net_pins"]
    turning = [name for name in low.index if low[name] > 0]
    sentence = (
        f"A double with a card pays from {turning[0]} on; smaller ones do not make up for their low sum."
        if turning
        else "No double makes up for its sum."
    )
    table = Table(
        "throws",
        "Worth of the 21 throws, best first",
        frame,
        True,
        odds.EXACT + " Net pins of one seat among two, three and four, given the throw.",
        percent=("probability",),
        headings={f"net_pins_{n}": f"net pins of {n}" for n in (2, 3, 4)},
    )
    picture = Picture(
        "Expected net pins of a round, given the throw, when everybody can pay.", partial(throw_chart, wide)
    )
    return Section("What a throw is worth", (sentence,), (picture,), (table,))


def win_section(study: Study, tables: dict[int, WinTable]) -> Section:
    """Win chance by pins."""
    curve = odds_curve(tables)
    rows = curve[curve["share"].isin(np.round(np.arange(0.1, 1.0, 0.1), 3))]
    table = Table(
        "win", "Chance to win by the share of the pins held, the others holding alike", rows, True,
        "Exact: absorbing Markov chains. A fair walk would win exactly its share.",
        percent=("share", "win_2", "win_3", "win_4"),
        headings={"share": "share of pins", **{f"win_{n}": f"{n} players" for n in (2, 3, 4)}},
    )  # fmt: skip
    return Section(
        "How likely do I win with my pins?",
        (
            "Nearly as likely as your share of the pins, as in a fair walk. The poor do a little better than that and the rich "
            "a little worse: who has few pins cannot lose more than these, while he can still win as much as anybody.",
        ),
        (
            Picture(
                "Chance to win by the share of all pins held, the others holding alike.", partial(win_chart, curve)
            ),
            Picture(
                "Three players: chance of seat 1 to win for every division of the pins. At a corner one seat holds nearly all.",
                partial(triangle, tables[3].pins, tables[3].win[:, 0]),
            ),
        ),
        (table,),
    )


def odds_curve(tables: dict[int, WinTable]) -> pd.DataFrame:
    """Win chance of a seat by its share of the pins, the others alike (interpolated between divisions that exist)."""
    share = np.round(np.arange(0.025, 0.976, 0.025), 3)
    frame = pd.DataFrame({"share": share})
    for players, table in tables.items():
        others = table.pins[:, 1:]
        alike = others.max(axis=1) - others.min(axis=1) <= 1
        points = pd.DataFrame({"own": table.pins[alike, 0], "win": table.win[alike, 0]}).groupby("own")["win"].mean()
        total = table.pins[0].sum()
        frame[f"win_{players}"] = np.interp(share, points.index / total, points)
    return frame


def length_section(solved: dict[int, Solution]) -> Section:
    """How long a game takes."""
    rows = [
        {
            "players": players,
            "mean": found.rounds_mean,
            "sd": found.rounds_sd,
            "median": found.rounds_median,
            "p95": found.rounds_p95,
            "error": found.rounds_mean_error,
        }
        for players, found in solved.items()
    ]
    frame = pd.DataFrame(rows).drop(columns="error")
    worst = max(row["error"] for row in rows)
    table = Table(
        "length",
        "Rounds to the end",
        frame,
        True,
        f"Exact: absorbing Markov chains, error below {max(worst, 1e-12):.0e}.",
    )
    two, four = solved[2], solved[4]
    return Section(
        "How long does it take?",
        (
            f"Half of the games of two are over by round {two.rounds_median}, but one in twenty goes beyond round "
            f"{two.rounds_p95}. With four players the long tail is longer still: one in twenty goes beyond round "
            f"{four.rounds_p95}.",
        ),
        (
            Picture(
                "Chance that the game ends in a round, for two, three and four players.", partial(length_chart, solved)
            ),
        ),
        (table,),
    )


def lead_sentences(frame: pd.DataFrame) -> tuple[str, ...]:
    """What the snowball table says."""
    two = frame[frame["players"] == frame["players"].min()].set_index("after")
    gap = two.loc["2/4", "leader_wins"] - two.loc["2/4", "walk"]
    verdict = "less often than" if gap < 0 else "more often than"
    return (
        f"Half-way through a game of {WORDS[two['players'].iloc[0]]}, the leader goes on to win "
        f"{100 * two.loc['2/4', 'leader_wins']:.1f} % of the time, {verdict} in a driftless walk "
        f"({100 * two.loc['2/4', 'walk']:.1f} %).",
    )


def card_section(table: Table) -> Section:
    """What the cards are worth."""
    if not len(table.frame):
        return Section("What the cards are worth", ("This variant has no cards.",))
    longest = table.frame.loc[table.frame["rounds_without"].idxmax()]
    return Section(
        "What the cards are worth",
        (
            f"Cards make the game shorter: without {longest.card} it would take {longest.rounds_without:.1f} rounds instead of "
            f"{longest.rounds:.1f}.",
        ),
        (
            Picture(
                "What it costs you, in points of win chance, if your card alone has no text.",
                partial(card_chart, table.frame),
            ),
        ),
        (table,),
    )


def ruling_section(sheet: dict[str, Table]) -> Section:
    """What the unclear sentences change."""
    frame = sheet["rulings"].frame
    three = frame[(frame["players"] == 3) & (frame["ruling"] != "(as set)")]
    most = three.loc[three["change"].abs().idxmax()]
    rest = three[three["ruling"] != most.ruling]["change"].abs().max()
    return Section(
        "Do the unclear sentences matter?",
        (
            f"One does: {most.ruling} = {most.reading} changes the length of a game of three by {100 * most.change:+.0f} %. "
            f"All others change it by at most {100 * rest:.1f} %.",
        ),
        (Picture("Change of the mean length under each other reading, three players.", partial(ruling_chart, three)),),
        (sheet["rulings"], sheet["rulings_4"]),
    )


# -- pictures --------------------------------------------------------------------------------------------------


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
        ax.plot(rows, frame[f"net_pins_{players}"], marker="os^"[number], linewidth=1.4, label=f"{players} players")
    ax.axhline(0, color=figures.INK, linewidth=1)
    ax.set_xticks(rows, frame["throw"], rotation=90)
    ax.set(xlabel="throw", ylabel="net pins in a round")
    ax.legend()
    return figures.figure_of(ax)


def win_chart(curve: pd.DataFrame) -> Figure:
    """Win chance against the share of the pins, and how far it lies from a fair walk."""
    figure = Figure(figsize=(8.4, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    names = {f"win_{n}": f"{n} players" for n in (2, 3, 4)}
    figures.lines(curve, "share", names, xlabel="share of all pins held", ylabel="chance to win", ax=left)
    left.plot([0, 1], [0, 1], color=figures.INK, linewidth=1, linestyle=":", label="fair walk")
    left.legend()
    apart = curve[list(names)].sub(curve["share"], axis=0).mul(100).assign(share=curve["share"])
    figures.lines(apart, "share", names, xlabel="share of all pins held", ylabel="points above a fair walk", ax=right)
    right.axhline(0, color=figures.INK, linewidth=1, linestyle=":")
    right.get_legend().remove()
    left.yaxis.set_major_formatter(PercentFormatter(1.0))
    for ax in (left, right):
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


def length_chart(solved: dict[int, Solution]) -> Figure:
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
    ax.set_xlim(0, int(solved[4].rounds_quantile(0.97)))
    return figures.figure_of(ax)


def snowball_chart(frame: pd.DataFrame) -> Figure:
    """Leader's win rate after each quarter, game against walk."""
    ax = figures.new()
    for number, (players, rows) in enumerate(frame.groupby("players")):
        place = np.arange(len(rows)) + 0.16 * (number - 1)
        ax.errorbar(
            place, rows["leader_wins"], yerr=[rows["leader_wins"] - rows["low"], rows["high"] - rows["leader_wins"]],
            fmt="os^"[number], color=figures.COLOURS[number], label=f"{players} players", capsize=3,
        )  # fmt: skip
        ax.scatter(
            place, rows["walk"], marker="os^"[number], facecolors="none", edgecolors=figures.COLOURS[number], s=60
        )
    ax.scatter(
        [], [], marker="o", facecolors="none", edgecolors=figures.INK, s=60, label="the same in a driftless walk"
    )
    ax.set_xticks(range(3), ["a quarter", "half", "three quarters"])
    ax.set(xlabel="of the game is played", ylabel="the leader wins")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.legend()
    return figures.figure_of(ax)


def card_chart(frame: pd.DataFrame) -> Figure:
    """Worth of each card."""
    labels = [f"{row.card} ({row.throw})" for row in frame.itertuples()]
    ax = figures.interval_bars(labels, 100 * frame["worth"], xlabel="points of win chance, two players")
    return figures.figure_of(ax)


def ruling_chart(frame: pd.DataFrame) -> Figure:
    """Change of length by reading."""
    labels = [f"{row.ruling} = {row.reading}" for row in frame.itertuples()]
    ax = figures.interval_bars(labels, 100 * frame["change"], xlabel="change of the mean length in %", reference=0)
    return figures.figure_of(ax)
