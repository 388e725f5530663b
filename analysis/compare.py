"""Comparisons on the same dice: two policies with their seats exchanged, and rules or components changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np
import pandas as pd

from analysis import frames
from analysis.balance import label
from analysis.chapter import Study
from analysis.estimates import Estimate, mean_of
from analysis.tables import Table
from sims.engine.game import Chosen
from sims.engine.variant import Variant, show

#: A quantity of one game: a record's column or a formula over columns.
Quantity = Callable[[pd.DataFrame], "pd.Series[float]"]


def lineup(study: Study, players: int) -> tuple[Chosen, ...]:
    """The study's own lineup if it has that many seats, otherwise its first policy at every seat."""
    return study.lineup if len(study.lineup) == players else study.lineup[:1] * players


# -- policies --------------------------------------------------------------------------------------------------


def duel(study: Study, better: Chosen, other: Chosen, games: int) -> dict[str, object]:
    """Two policies at a table of two, every game played twice with the seats exchanged, on the same dice.

    Returns
    -------
    dict
        ``wins`` and ``other_wins`` are sole wins per game; ``advantage`` is their difference, its interval from the
        pairs of games, so that the luck of the dice that both had in turn cancels.
    """
    wins = {better: np.zeros(games), other: np.zeros(games)}
    shared = np.zeros(games)
    for order in ((better, other), (other, better)):
        played = study.play(f"{label(better)} against {label(other)}", lineup=order, games=games, records=True)
        winners = frames.records(played)["winners"].to_numpy()
        shared += winners == 0b11
        for seat, chosen in enumerate(order):
            wins[chosen] += winners == 1 << seat
    advantage = mean_of((wins[better] - wins[other]) / 2, -1, 1)
    return {
        "policy": label(better),
        "against": label(other),
        "wins": float(wins[better].mean() / 2),
        "other_wins": float(wins[other].mean() / 2),
        "shared": float(shared.mean() / 2),
        "advantage": advantage.value,
        "low": advantage.low,
        "high": advantage.high,
        "games": 2 * games,
        "seed": study.seed,
    }


def ladder(study: Study, steps: Sequence[tuple[Chosen, int]]) -> Table:
    """Each policy against the one before it; ``steps`` holds the policies, weakest first, and games of each pair."""
    rows = [duel(study, better, other, games) for (other, _), (better, games) in pairwise(steps)]
    return Table(
        "ladder",
        "How much does skill matter?",
        pd.DataFrame(rows),
        False,
        f"Simulated with two players, seed {study.seed}: every game twice on the same dice, the seats exchanged. "
        "'wins', 'other wins' and 'shared' are of all games, unfinished ones included; low and high bound the 95 % "
        "interval of the difference ('advantage').",
        percent=("wins", "other_wins", "shared", "advantage"),
        decimals={"wins": 1, "other_wins": 1, "shared": 1},
    )


# -- rules -----------------------------------------------------------------------------------------------------


def effects(
    study: Study,
    changes: Iterable[tuple[str, object, Variant]],
    players: int,
    games: int,
    quantities: Mapping[str, Quantity],
) -> list[dict[str, object]]:
    """What a change of the rules does to games on the same dice, one row for each change, the present rules first.

    Parameters
    ----------
    changes : iterable of (rule, reading, variant)
        As :func:`sims.engine.variant.other_readings` lists them.
    quantities : mapping of name to quantity
        Further means per game to show beside the length.

    Returns
    -------
    list of dict
        ``other_winners``: share of games that end with other winners; ``change_in_rounds`` with its paired interval.
    """
    before = None
    rows: list[dict[str, object]] = []
    for rule, reading, variant in chain([("(as set)", "", study.variant)], changes):
        what = f"{rule} = {show(reading)}, {players} players"
        played = study.play(what, variant=variant, lineup=lineup(study, players), games=games, records=True)
        records = frames.records(played)
        if before is None:
            before, change = records, Estimate(0.0, 0.0, 0.0)
        else:
            change = mean_of(records["rounds"] - before["rounds"])
        rows.append(
            {
                "players": players,
                "rule": rule,
                "reading": show(reading),
                "other_winners": float((records["winners"] != before["winners"]).mean()),
                **{name: float(quantity(records).mean()) for name, quantity in quantities.items()},
                "rounds": float(records["rounds"].mean()),
                "change_in_rounds": change.value,
                "low": change.low,
                "high": change.high,
                "unfinished": float(records["unfinished"].mean()),
                "games": games,
                "seed": study.seed,
            }
        )
    return rows
