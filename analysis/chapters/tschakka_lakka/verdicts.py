"""What the page on Tschakka Lakka claims: of busts, of what a turn is worth, of who beats whom."""

import math
from typing import Any

import pandas as pd

from analysis.chapter import Study
from analysis.chapters.tschakka_lakka import sampled
from analysis.chapters.tschakka_lakka.words import READINGS, player
from analysis.claims import UNCLEAR, Claim, Compared, Floats, Question, Units, always
from analysis.estimates import Estimate
from analysis.tables import Table
from analysis.verdicts import amount, capitalised, farthest_change, share


def busts(frame: pd.DataFrame) -> list[Claim]:
    """Whether every further colour in reach, and every further die, makes a bust less likely: all cells of the table ``bust``."""
    chances = frame[frame["colours"] > 0].pivot_table(index="colours", columns="dice", values="bust")
    drops = {"colour in reach": -chances.diff(axis=0).iloc[1:], "die": -chances.diff(axis=1).iloc[:, 1:]}
    return [_less_likely(what, drop) for what, drop in drops.items() if drop.size]


def _less_likely(what: str, drop: pd.DataFrame) -> Claim:
    values, cases = drop.to_numpy().ravel(), [(colours, dice) for colours in drop.index for dice in drop.columns]

    def but(failing: Any) -> str:
        colours, dice = cases[failing[0]]
        return (
            f"A further {what} makes a bust less likely in {len(cases) - len(failing)} of {len(cases)} cases; the largest "
            f"exception is the step to {dice} {'die' if dice == 1 else 'dice'} with {colours} "
            f"{'colour' if colours == 1 else 'colours'} in reach, which adds {-100 * values[failing[0]]:.2g} points (exact)."
        )

    return always(f"bust, {what}", "turns", values, f"Every further {what} makes a bust less likely (exact).", but)


def card(thumb: Table, study: Study) -> Question:
    """Whether the card loses points to best play."""
    who = capitalised(player("card"))
    return _price(
        thumb,
        study,
        "card",
        lambda found: f"{who}, printed below, loses {amount(found, 2)} points per turn against best play.",
        lambda found: f"What {player('card')} loses against best play is open: {amount(found, 2)} points per turn.",
    )


def caution(thumb: Table, study: Study) -> Question:
    """Whether stopping at the first treasure loses points to best play."""
    rows = thumb.frame.set_index("policy")
    best, shy = rows.loc[sampled.EXACT], rows.loc["timid"]
    said = (
        f"Best play collects {best.points:.2f} points per turn and busts in {100 * best.bust:.0f} % of its turns. "
        f"{capitalised(player('timid'))}, who stops at the first treasure, busts in {100 * shy.bust:.0f} % and collects "
        f"{shy.points:.2f}"
    )
    return _price(
        thumb,
        study,
        "timid",
        lambda found: f"{said}: such caution costs {amount(found, 2)} points per turn.",
        lambda found: f"{said}; whether such caution costs points is open.",
    )


def _price(thumb: Table, study: Study, policy: str, loses: Any, open_: Any) -> Question:
    """Whether a policy loses points to the exact turn, by turns of the same games."""
    return Compared(
        name=f"{policy} against best play",
        family="turns",
        seed=study.seed,
        units=Units(thumb.evidence[policy,], thumb.evidence["turns",]),
        # no policy beats the exact turn: a verdict that way would be an error of the solver
        sentences={"above": loses, "below": open_, UNCLEAR: open_},
    )


def skill(table: Table, study: Study) -> list[Question]:
    """Whether the strongest policy wins more than its share of two-player games against the card and a cautious player."""
    rows = table.frame[table.frame["players"] == 2].set_index("against")
    return [
        _beats(rival, rows.loc[rival], table.evidence[2, sampled.STRONGEST, rival], study)
        for rival in ("card", "timid")
        if rival in rows.index
    ]


def _beats(rival: str, row: Any, won: Floats, study: Study) -> Question:
    hero, games = capitalised(player(sampled.STRONGEST)), "two-player games (a shared win counts half)"
    return Compared(
        name=f"{sampled.STRONGEST} against {rival}",
        family="policies",
        seed=study.seed,
        units=Units(won, between=(0.0, 1.0)),
        null=1 / 2,
        sentences={
            "above": lambda found: (
                f"{hero} beats {player(rival)}, with {share(found)} of {games}. {games_to_tell(row)}"
            ),
            "below": lambda found: f"{hero} loses to {player(rival)}, with {share(found)} of {games}.",
            UNCLEAR: lambda found: (
                f"{hero} and {player(rival)} are too close to call, with {share(found)} of {games} for the former."
            ),
        },
    )


def games_to_tell(row: Any) -> str:
    """How long a table must play until the better player is ahead."""
    if not math.isfinite(row.to_tell_high):
        return f"It takes {row.to_tell_low:,.0f} games or more to be 90 % sure who is better."
    if row.to_tell_high == row.to_tell_low:
        return f"It takes {row.to_tell:,.0f} games to be 90 % sure who is better."
    return (
        f"It takes {row.to_tell:,.0f} games ({row.to_tell_low:,.0f} to {row.to_tell_high:,.0f}) to be 90 % sure who is "
        "better."
    )


def luck(frame: pd.DataFrame) -> list[str]:
    """How much of winning is explained by who plays, for each field of players: numbers, no verdict."""
    rows = frame[(frame["result"] == "win") & frame["who_plays"].notna()]
    return [
        f"Among {player(row.population)}, who plays explains {share(Estimate(row.who_plays, 1 - row.high, 1 - row.low))} of the "
        "variance of winning."
        for row in rows.itertuples()
    ]


def reading(readings: Table, players: int, study: Study) -> Question | None:
    """Which ambiguous rule matters most to the length of games of the strongest policy."""
    return farthest_change(readings, players, study, "reading and length", READINGS, sampled.STRONGEST)
