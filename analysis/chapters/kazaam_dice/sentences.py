"""Sentences of the report, made from the numbers of the tables."""

from fractions import Fraction

import pandas as pd

from analysis.verdicts import WORDS, listed

#: The distance whose chances the summary tells.
NEAR = 1


def percent(value: float | Fraction, decimals: int = 0) -> str:
    """A share for people; what is not 0 or 1 is not shown as 0 or 100 %.

    Examples
    --------
    >>> percent(0.1234, 1), percent(0.0004), percent(0.9996, 1), percent(0), percent(1)
    ('12.3 %', 'less than 1 %', 'more than 99.9 %', '0 %', '100 %')
    """
    shown, step = f"{100 * float(value):.{decimals}f}", 10.0**-decimals
    if value > 0 and float(shown) == 0:
        return f"less than {step:.{decimals}f} %"
    if value < 1 and float(shown) == 100:
        return f"more than {100 - step:.{decimals}f} %"
    return f"{shown} %"


def between(low: float, high: float, decimals: int = 0) -> str:
    """Two shares for people, or one if they look alike."""
    ends = percent(low, decimals), percent(high, decimals)
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def dice(count: int) -> str:
    """``count`` dice in words."""
    return f"{count} {'die' if count == 1 else 'dice'}"


def lengths(course: pd.DataFrame, who: str) -> str:
    """Mean rounds by number of players."""
    rounds = course[course["quantity"] == "rounds"]
    means = [f"{row.value:.1f} with {WORDS[row.players]}" for row in rounds.itertuples()]
    return f"Rounds in a game, on average, played by {who}: {listed(means)} players."


def last_die(use: pd.DataFrame) -> str:
    """How many rolls offer the last step."""
    near = use[use["distance"] == NEAR]
    if not len(near):
        return ""
    row = near.iloc[0]
    return (
        f"With one die missing, {percent(row.unequal)} of the unequal rolls offer the step that connects you and "
        f"{percent(row.double)} of the doubles: a double shows one creature, other rolls show two."
    )


def survivors(frame: pd.DataFrame) -> str:
    """What other choices of the reconstructed parts give: numbers, no verdict."""
    parts = []
    for players, rows in frame.groupby("players"):
        ours = rows.iloc[0]
        length = " to ".join(dict.fromkeys(f"{bound:.0f}" for bound in (rows["rounds"].min(), rows["rounds"].max())))
        wins, word = rows["first_seat"], WORDS[int(str(players))]
        parts.append(
            f"with {word} players a game takes {length} rounds (on our board {ours.rounds:.0f}) and the first seat wins "
            f"{between(wins.min(), wins.max())} of {ours.games:,} games (on ours {percent(ours.first_seat)})"
        )
    return (
        "Which of this would survive the true board? The map of pictures, the net of the die, the creatures' rights and the "
        "places of chips and elements are reconstructed, not read from the box. Over "
        f"{len(set(frame['reading'])) - 1} other choices of them, {listed(parts)}."
    )
