"""Sentences of the report, made from the numbers of the tables."""

from fractions import Fraction

import pandas as pd

from analysis.chapter import Section
from analysis.tables import Table

WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}
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


def listed(parts: list[str]) -> str:
    """``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def dice(count: int) -> str:
    """``count`` dice in words."""
    return f"{count} {'die' if count == 1 else 'dice'}"


def in_short(tables: dict[str, Table], use: Table, who: str) -> Section:
    """The answers, in sentences made from the numbers."""
    course = tables["course"].frame
    rounds = course[course["quantity"] == "rounds"]
    lengths = [f"{row.value:.1f} with {WORDS[row.players]}" for row in rounds.itertuples()]
    sentences = [f"A game takes so many rounds on average, played by {who}: {listed(lengths)} players."]
    sentences.append(first_seat(tables["seats"].frame))
    if "ladder" in tables:
        steps = tables["ladder"].frame
        pays = "Skill pays. " if steps.loc[steps["against"] != "random", "low"].max() > 0 else ""
        sentences.append(f"{pays}{largest_step(steps)}")
    near = use.frame[use.frame["distance"] == NEAR]
    if len(near):
        row = near.iloc[0]
        fewer = ", since a double shows one creature instead of two" if row.double < row.unequal else ""
        sentences.append(
            f"With one die missing, {percent(row.unequal)} of the unequal rolls offer the step that connects you and "
            f"{percent(row.double)} of the doubles{fewer}."
        )
    sentences.append(survivors(tables["parts"].frame))
    return Section("In short", tuple(sentences))


def largest_step(frame: pd.DataFrame) -> str:
    """The largest step of the skill ladder above random play."""
    steps = frame[frame["against"] != "random"]
    step = steps.loc[steps["advantage"].idxmax()]
    return (
        f"The largest step above random play is from {step.against} to {step.policy}, who wins "
        f"{percent(step.wins)} of the games between them and loses {percent(step.other_wins)}."
    )


def first_seat(frame: pd.DataFrame) -> str:
    """Who is favoured by the order of play."""
    parts = []
    for players, rows in frame.groupby("players"):
        rows = rows.set_index("seat")
        best, worst = rows["win_rate"].idxmax(), rows["win_rate"].idxmin()
        if rows.loc[best, "low"] > rows.loc[worst, "high"]:
            rates = f"{percent(rows.loc[best, 'win_rate'])} against {percent(rows.loc[worst, 'win_rate'])}"
            parts.append(f"with {WORDS[int(str(players))]} players, seat {best} wins {rates} for seat {worst}")
        else:
            parts.append(f"with {WORDS[int(str(players))]} players, no seat is clearly ahead")
    return f"Is it fair? {'; '.join(parts).capitalize()}."


def other_policies(frame: pd.DataFrame) -> str:
    """Where policies differ most in whom the seat favours."""
    spread = frame.groupby(["players", "policy"])["win_rate"].agg(lambda rates: rates.max() - rates.min())
    if not spread.max():
        return "In these games all seats win equally often, whatever the policy."
    players, policy = spread.idxmax()
    rows = frame[(frame["players"] == players) & (frame["policy"] == policy)]
    rates = listed([percent(rate) for rate in rows["win_rate"]])
    return f"The seats lie furthest apart among {policy} players at a table of {WORDS[players]}: they win {rates} of the games."


def survivors(frame: pd.DataFrame) -> str:
    """What does not depend on the reconstructed parts."""
    parts = []
    for players, rows in frame.groupby("players"):
        ours = rows.iloc[0]
        length = " to ".join(dict.fromkeys(f"{bound:.0f}" for bound in (rows["rounds"].min(), rows["rounds"].max())))
        share, wins = 1 / int(str(players)), rows["first_seat"]
        verdict = "always more than" if wins.min() > share else "always less than" if wins.max() < share else "around"
        word, won = WORDS[int(str(players))], between(wins.min(), wins.max())
        parts.append(
            f"with {word} players a game takes {length} rounds (on our board {ours.rounds:.0f}) and the first "
            f"seat wins {won} (on ours {percent(ours.first_seat)} of {ours.games:,} games), {verdict} its equal share"
        )
    return (
        "Which of this would survive the true board? The map of pictures, the net of the die, the creatures' rights and the "
        "places of chips and elements are reconstructed, not read from the box. Over "
        f"{len(set(frame['reading'])) - 1} other choices of them, {listed(parts)}."
    )
