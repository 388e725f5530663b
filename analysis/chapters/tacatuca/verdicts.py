"""What the page on Tacatuca claims: mostly exact, over all positions that a sentence speaks of."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.chapter import Study
from analysis.chapters.tacatuca.words import READINGS
from analysis.claims import Claim, Question, always, exact, exact_largest
from analysis.tables import Table
from analysis.verdicts import WORDS, farthest_change, listed
from sims.engine.variant import show
from sims.tacatuca.exact import Solution, WinTable

#: A change of the mean length below this share is none that a table would notice.
NOTICED = 0.0005


def fair(solved: Mapping[int, Solution]) -> list[Claim]:
    """Whether all seats have the same chance from the start."""
    if not solved:
        return []
    gaps = {players: float(np.ptp(found.win)) for players, found in solved.items()}
    error = 1e-9 + 2 * max(found.remaining for found in solved.values())
    if max(gaps.values()) <= error:
        return [exact("seats", "seats", "same", "Every seat has the same chance to win (exact).", max(gaps.values()))]
    worst = max(gaps, key=gaps.__getitem__)
    told = f"The seats differ by up to {100 * gaps[worst]:.2f} points of win chance, with {WORDS[worst]} players."
    return [exact("seats", "seats", "differ", told, gaps[worst])]


def throws(net_pins: pd.Series) -> list[Claim]:
    """The best and the worst throw of two players: ``net_pins`` by throw, exact."""
    by_throw = {str(name): float(pins) for name, pins in net_pins.items()}

    def best(name: str, pins: float) -> str:
        return f"Between two players, {name} is the best throw: it is worth {pins:+.2f} pins per round (exact)."

    def worst(name: str, pins: float) -> str:
        return f"The worst is {name}, at {-pins:+.2f} pins."

    opposite = {name: -pins for name, pins in by_throw.items()}
    return [
        exact_largest("best throw", "throws", by_throw, best, "No single throw is the best."),
        exact_largest("worst throw", "throws", opposite, worst, "No single throw is the worst."),
    ]


def doubles(throws: pd.DataFrame) -> Claim:
    """From which double on a card makes up for a low sum, between two players."""
    two = throws[(throws["players"] == 2) & (throws["card"] != "")].sort_values("sum")
    pays = two["net_pins"].to_numpy() > 0
    names = two["throw"].tolist()
    if not pays.any():
        return exact(
            "doubles", "throws", "none", "No double with a card makes up for its low sum.", two["net_pins"].max()
        )
    first = names[int(np.argmax(pays))]
    told = f"The doubles that gain pins on average are {listed([name for name, good in zip(names, pays, strict=True) if good])}."
    return exact("doubles", "throws", first, told, float(two["net_pins"].max()))


def half_the_pins(table: WinTable) -> list[Claim]:
    """What half of the starting pins are still worth between two players."""
    pins = int(table.pins[0].sum()) // 2
    half = pins // 2
    if not half:
        return []
    chance, share = float(table.win[table.row([half, 2 * pins - half]), 0]), half / (2 * pins)
    verdict = "above" if chance - share > table.win_error else "below" if share - chance > table.win_error else "equal"
    words = {"above": "more than", "below": "less than", "equal": "exactly"}
    told = (
        f"With {half} of {2 * pins} pins you still win {100 * chance:.1f} % of two-player games, {words[verdict]} your share of "
        f"the pins ({100 * share:.1f} %, exact)."
    )
    return [exact("half the pins", "positions", verdict, told, chance - share)]


def underdogs(players: int, table: WinTable) -> list[Claim]:
    """Whether who holds less than an equal share of the pins always wins more often than that share, and the others less often.

    Asked of every seat in every position in which all hold pins.
    """
    share = table.pins / table.pins.sum(axis=1, keepdims=True)
    above = table.win - share
    even = 1 / players
    claims = []
    for name, seats, sign, who, more in (
        ("short of pins", share < even - 1e-12, 1, "fewer pins than an equal share", "more"),
        ("rich in pins", share > even + 1e-12, -1, "more pins than an equal share", "less"),
    ):
        if not seats.any():
            continue
        states, columns = np.nonzero(seats)
        excess = sign * above[states, columns]
        game = f"{WORDS[players]}-player games"

        def but(
            failing: NDArray[np.int64],
            states: NDArray[np.intp] = states,
            columns: NDArray[np.intp] = columns,
            who: str = who,
            more: str = more,
            game: str = game,
        ) -> str:
            state, seat = states[failing[0]], columns[failing[0]]
            held = ", ".join(map(str, table.pins[state]))
            return (
                f"In {game}, a player with {who} wins {more} often than their share of the pins says in "
                f"{len(states) - len(failing):,} of {len(states):,} cases. The largest exception: with {held} pins, "
                f"seat {seat + 1} holds {100 * share[state, seat]:.1f} % of the pins and wins "
                f"{100 * table.win[state, seat]:.1f} %."
            )

        claims.append(
            always(
                f"{name}, {players} players",
                "positions",
                excess,
                f"In {game}, a player with {who} wins {more} often than their share of the pins says, in every position.",
                but,
                table.win_error,
            )
        )
    return claims


def cards(frame: pd.DataFrame) -> list[Claim]:
    """Which card is worth most and least to its owner."""
    worth = {str(row.card): float(row.worth) for row in frame.itertuples()}
    without = {str(row.card): float(row.you_win_without) for row in frame.itertuples()}
    claims = [
        exact_largest(
            "best card",
            "cards",
            worth,
            lambda card, points: (
                f"The card to have is {card}: without its text you would win {100 * without[card]:.1f} % of two-player games "
                "(exact)."
            ),
            "No single card is worth more than the others.",
        )
    ]
    if len(worth) > 1:
        claims.append(
            exact_largest(
                "weakest card",
                "cards",
                {card: -points for card, points in worth.items()},
                lambda card, points: f"{card} is worth least, {-100 * points:.1f} points of win chance.",
                "No single card is worth less than the others.",
            )
        )
    return claims


def card_length(frame: pd.DataFrame) -> Claim:
    """Which card changes the length of a two-player game most."""
    change = {str(row.card): float(row.rounds - row.rounds_without) for row in frame.itertuples()}
    rounds = {str(row.card): (float(row.rounds), float(row.rounds_without)) for row in frame.itertuples()}

    def told(card: str, size: float) -> str:
        word = "longer" if change[card] > 0 else "shorter"
        now, before = rounds[card]
        return (
            f"{card} changes the length most: it makes two-player games {word}, {now:.2f} rounds instead of {before:.2f} without "
            "its text."
        )

    sizes = {card: abs(rounds) for card, rounds in change.items()}
    return exact_largest("card and length", "cards", sizes, told, "No single card changes the length most.")


def readings(frame: pd.DataFrame) -> Claim:
    """Which other reading changes the exact length most, with the most players that are solved."""
    players = int(frame["players"].max())
    others = frame[(frame["players"] == players) & (frame["rule"] != "(as set)")]
    change = {(row.rule, row.reading): float(row.change) for row in others.itertuples()}
    game = f"{WORDS[players]}-player games"
    if max(map(abs, change.values())) < NOTICED:
        told = f"No other reading changes the mean length of {game} by more than {100 * NOTICED:.2f} %."
        return exact("reading and length", "readings", "none", told, max(map(abs, change.values())))
    names = {f"{ruling}={reading}": (ruling, reading) for ruling, reading in change}

    def told_of(name: str, size: float) -> str:
        key = names[name]
        verb = "lengthens" if change[key] > 0 else "shortens"
        rest = max((abs(value) for other, value in change.items() if other != key), default=0.0)
        sentence = (
            f"{READINGS.get(key, ' = '.join(key))} {verb} {game} by {100 * size:.1f} %, more than any other reading."
        )
        return sentence + (
            f" The others change the length by at most {ceiling(100 * rest)} %." if len(change) > 1 else ""
        )

    sizes = {name: abs(change[key]) for name, key in names.items()}
    return exact_largest("reading and length", "readings", sizes, told_of, "Two readings change the length alike.")


def ceiling(percent: float) -> str:
    """The percentage rounded up to one decimal, so that "at most" is true."""
    return f"{max(0.0, np.ceil(10 * percent - 1e-9) / 10):.1f}"


def readings_of_four(table: Table, study: Study) -> Question | None:
    """Which other reading changes the length of simulated four-player games most."""
    return farthest_change(table, 4, study, "reading and length, 4 players", READINGS)


def other_winners(table: Table) -> str:
    """What other readings do to the winners of four-player games, and what luck alone would do: numbers, no verdict."""
    rows = table.frame[table.frame["rule"] != "(as set)"]
    told = [
        f"{READINGS.get((row.rule, row.reading), f'{row.rule} = {show(row.reading)}')}: {100 * row.other_winners:.1f} %"
        for row in rows.itertuples()
    ]
    luck = rows["redealt"].mean() if len(rows) else 0.0
    return (
        f"Share of four-player games that end with another winner, on the same dice: {'; '.join(told)}. Fresh dice alone would "
        f"change the winner in {100 * luck:.0f} %."
    )


def sizes(words: Sequence[str]) -> str:
    """``Two-player games``, ``Two- and three-player games``: how a sentence on them begins."""
    return f"{listed([*(f'{word}-' for word in words[:-1]), words[-1]]).capitalize()}-player games"
