"""Kingmaking: moves that decide between others while their maker gains nothing; ``REMARK`` says when a turn is one.

A player who hands over the lead holds nobody up and so gains no time. Holding up the leader may help its maker, by time, but
it decides between the others too. Distances are taken before each turn, so what chips change is part of the turn.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.balance import MEANING, PLAYERS, POLICY, QUANTITY, VALUE
from analysis.chapter import Once, Study
from analysis.chapters.kazaam_dice.games import Turns, numbers_of_players, played_by, surveyed
from analysis.measures import Measured, share
from analysis.tables import Table
from sims.kazaam_dice.rules import PASSES

#: Dice that a player is behind the nearest other if they are out of the race for the moment.
BEHIND = 2
#: What is measured, all of it shares.
MEANINGS = {
    "hands_over": "turns that hand over the lead",
    "holds_up": "turns out of the race that hold up the leader",
    "handed_games": "games in which the lead is handed over",
    "crowned": "games won alone by the seat to which the lead was handed over last",
    "loser_ends": "games ended by a seat that does not win",
}
REMARK = (
    f"Out of the race: {BEHIND} or more dice behind the nearest other. A turn hands over the lead if its player is out of the "
    "race before and after, comes no closer, holds nobody up, and yet others are nearest than before; it holds up the leader if "
    "the nearest other is further away after it."
)


def found(study: Study) -> Mapping[int, dict[str, Measured]]:
    """Each measure by number of players, three and more."""
    many = [players for players in numbers_of_players(study) if players > 2]
    return Once.over(many, lambda players: measured(surveyed(study, players)))


def kingmaking(study: Study, kings: Mapping[int, dict[str, Measured]]) -> Table:
    """How often games are decided by somebody who gains nothing."""
    rows = [
        {"players": n, "policy": played_by(study, n), "quantity": name, "value": value, "unit": "share"}
        | {"meaning": MEANINGS[name]}
        for n, measures in kings.items()
        for name, value in measures.items()
    ]
    title, columns = "Do players out of the race decide it?", (PLAYERS, POLICY, QUANTITY, VALUE, MEANING)
    return Table.of("kingmaking", title, columns, rows, remark=REMARK)


def measured(turns: Turns) -> dict[str, Measured]:
    """Each of ``MEANINGS``."""
    frame, records = turns.frame, turns.records
    hands, holds, nearest = _turns(turns)
    game, every = frame["game"].to_numpy(), np.ones(len(frame), bool)
    finished, winners = (records["end"] < PASSES).to_numpy(), records["winners"].to_numpy()
    # the seat that made the last move, and whether the last hand-over went to the sole winner
    last = frame.groupby("game")["seat"].last().to_numpy()
    lost = finished & (winners >> last & 1 == 0)
    handed = np.flatnonzero(hands)
    last_handed = pd.Series(handed, index=game[handed]).groupby(level=0).last()
    heirs, won = nearest[last_handed.to_numpy()], winners[last_handed.index]
    crowned = (heirs == won) & (heirs & (heirs - 1) == 0)

    def of_games(count: int) -> Measured:
        return share(count, turns.games, turns.games, turns.seed)

    return {
        "hands_over": turns.share(every, hands),
        "holds_up": turns.share(every, holds),
        "handed_games": of_games(len(last_handed)),
        "crowned": of_games(int(crowned.sum())),
        "loser_ends": of_games(int(lost.sum())),
    }


def _turns(turns: Turns) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
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
