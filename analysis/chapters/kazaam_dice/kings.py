"""Kingmaking: moves that decide between others while their maker gains nothing.

A turn of a table of three or more *hands over the lead* if all of this holds:

- its player is at least ``BEHIND`` dice further from his target than the nearest other, before the turn and after;
- his own distance does not shrink, and the smallest distance among the others does not grow (nobody is held up, so
  he gains no time);
- the others who are nearest are not the same before and after.

It *holds up the leader* if the first holds before the turn, his own distance does not shrink, and the smallest
distance among the others grows: that may help him, by time, but it decides between the others too.

Distances are taken before each turn, so what chips change is part of the turn.
"""

import numpy as np
import pandas as pd

from analysis import estimates
from analysis.chapter import Study
from analysis.chapters.kazaam_dice.games import Turns, kept_games, numbers_of_players, surveyed
from analysis.tables import Table
from sims.kazaam_dice.rules import PASSES

#: Dice that a player is behind the nearest other if he is out of the race for the moment.
BEHIND = 2
#: Names of what :func:`measured` measures.
MEASURES = ("hands_over", "holds_up", "handed_games", "crowned", "loser_ends")


def kingmaking(study: Study) -> Table:
    """How often games are decided by somebody who gains nothing."""
    rows = []
    for players in numbers_of_players(study):
        if players < 3:
            continue
        turns = surveyed(study, players)
        for name, meaning, estimate in measured(turns):
            rows.append(
                {
                    "players": players,
                    "quantity": name,
                    "value": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                    "meaning": meaning,
                    "games": turns.games,
                    "seed": study.seed,
                }
            )
    return Table(
        "kingmaking",
        "Do players out of the race decide it?",
        pd.DataFrame(rows),
        False,
        f"Simulated: {kept_games(study):,} games, seed {study.seed}; low and high bound the 95 % interval. Out of the race: "
        f"{BEHIND} or more dice behind the nearest other. A turn hands over the lead if its player is out of the race before and "
        "after, comes no closer, holds nobody up, and yet others are nearest than before; it holds up the leader if the nearest "
        "other is further away after it.",
        percent=("value",),
    )


def measured(turns: Turns) -> list[tuple[str, str, estimates.Estimate]]:
    """Name, meaning and value of each measure."""
    frame, records = turns.frame, turns.records
    hands, holds, nearest = _turns(turns)
    game = frame["game"].to_numpy()
    every = np.ones(len(frame), bool)
    finished = (records["end"] < PASSES).to_numpy()
    winners = records["winners"].to_numpy()
    # the seat that made the last move, and whether the last hand-over went to the sole winner
    last = frame.groupby("game")["seat"].last().to_numpy()
    lost = finished & (winners >> last & 1 == 0)
    crowned = np.zeros(turns.games, bool)
    handed = np.flatnonzero(hands)
    last_handed = pd.Series(handed, index=game[handed]).groupby(level=0).last()
    heirs, won = nearest[last_handed.to_numpy()], winners[last_handed.index]
    crowned[last_handed.index] = (heirs == won) & (heirs & (heirs - 1) == 0)
    return [
        ("hands_over", "turns that hand over the lead", turns.share(every, hands.astype(float))),
        ("holds_up", "turns out of the race that hold up the leader", turns.share(every, holds.astype(float))),
        (
            "handed_games",
            "games in which the lead is handed over",
            estimates.proportion(len(last_handed), turns.games),
        ),
        (
            "crowned",
            "games won alone by the seat to which the lead was handed over last",
            estimates.proportion(int(crowned.sum()), turns.games),
        ),
        (
            "loser_ends",
            "games ended by a seat that does not win",
            estimates.proportion(int(lost.sum()), turns.games),
        ),
    ]


def _turns(turns: Turns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each turn: whether it hands over the lead, whether it holds up the leader, and who is nearest after it."""
    frame = turns.frame
    before = frame[[f"distance_{seat + 1}" for seat in range(turns.players)]].to_numpy()
    after = np.vstack([before[1:], before[-1:]])
    game, row, seat = frame["game"].to_numpy(), np.arange(len(frame)), frame["seat"].to_numpy()
    goes_on = np.append(game[1:] == game[:-1], False)
    own, own_after = before[row, seat], after[row, seat]
    far = np.iinfo(np.int32).max
    others, others_after = before.copy(), after.copy()
    others[row, seat] = others_after[row, seat] = far
    best, best_after = others.min(axis=1), others_after.min(axis=1)
    bits = 1 << np.arange(turns.players)
    nearest = ((others == best[:, None]) * bits).sum(axis=1)
    nearest_after = ((others_after == best_after[:, None]) * bits).sum(axis=1)
    idle = goes_on & (own - best >= BEHIND) & (own_after >= own)
    hands = idle & (own_after - best_after >= BEHIND) & (best_after <= best) & (nearest_after != nearest)
    return hands, idle & (best_after > best), nearest_after
