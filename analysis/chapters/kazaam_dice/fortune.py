"""What chips and doubles are worth."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import frames
from analysis.balance import PLAYERS, POLICY, WIN_RATE, policies
from analysis.chapter import Study
from analysis.chapters.kazaam_dice.games import kept_games
from analysis.measures import Column, Floats, Measure, Measured, of_seats, per, ratio, share_of_games
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.kazaam_dice.kernel import CHIP_EXTRA, CHIP_REROLL, CHIP_TAKEN
from sims.kazaam_dice.rules import OTHER, PASSES

#: Own turns at the start of a game in which doubles are counted: nearly every game lasts as long.
EARLY = 6
#: Larger numbers of chips and of doubles are one row.
MANY = 4
#: What must be said below the table of chips.
CHIPS = "Policies spend a chip when one die is missing and the roll does not bring it."


# -- chips -----------------------------------------------------------------------------------------------------


def measures(study: Study, logs: Mapping[int, pd.DataFrame]) -> tuple[Measure, ...]:
    """Chips taken, spent and kept, and what they bring."""

    def connects(name: str, kind: int, text: str) -> Measure:
        def find(played: Batch) -> Measured:
            records = frames.records(played)[: kept_games(study)]
            brought, spent = spent_well(logs[played.players], records, kind)
            return ratio(brought, spent, played.seed, 0, 1)

        meaning = f"chips spent {text} whose turn connects their player"
        return Measure(f"{name}_connects", kind="share", meaning=meaning, find=find)

    def in_a_game(name: str, meaning: str, *columns: str) -> Measure:
        def total(records: pd.DataFrame) -> Floats:
            found: Floats = np.sum([of_seats(records, column) for column in columns], axis=0)
            return found

        return per(name, f"{meaning} in a game, all seats together", total, lambda records: 1)

    kept, taken = (partial(of_seats, column=column) for column in ("kept", "taken"))
    return (
        in_a_game("taken", "chips taken", "taken"),
        in_a_game("points", "points for kept chips", "points_favourite", "points_chips"),
        per("kept", "chips taken that are kept to the end", kept, taken, high=1),
        share_of_games("decides", "games with other winners if kept chips counted nothing", decided_by_chips),
        in_a_game("rerolls", "chips spent on another roll", "rerolls"),
        connects("reroll", CHIP_REROLL, "on another roll"),
        in_a_game("extras", "chips spent on another move", "extra"),
        connects("extra", CHIP_EXTRA, "on another move"),
    )


def decided_by_chips(records: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether a game would have other winners if kept chips had no points."""
    scores, favourites, others = (
        records.filter(regex=rf"^{name}_\d+$").to_numpy() for name in ("score", "points_favourite", "points_chips")
    )
    without = scores - favourites - others
    winners = ((without == without.max(axis=1)[:, None]) * (1 << np.arange(scores.shape[1]))).sum(axis=1)
    decided: NDArray[np.bool_] = (records["end"] < PASSES).to_numpy() & (winners != records["winners"].to_numpy())
    return decided


def spent_well(log: pd.DataFrame, records: pd.DataFrame, kind: int) -> tuple[Floats, Floats]:
    """Chips spent in each game whose turn connects their player, and chips spent: ``float64[game]`` each."""
    spent = log[log["kind"] == kind]
    # a last die ends the game without connections, however the dice lie
    counts = (records["end"] <= OTHER).to_numpy()
    # the turn's last use connects its player
    uses = log[(log["kind"] < CHIP_TAKEN) & (log["distance_after"] == 0) & counts[log["game"]]]
    turn = ["game", "round", "seat"]
    brought = spent.merge(uses[turn].drop_duplicates(), on=turn)
    per_game = [np.bincount(rows["game"], minlength=len(records)).astype(float) for rows in (brought, spent)]
    return per_game[0], per_game[1]


# -- win rates by a number -------------------------------------------------------------------------------------


def by_number(number: str, meaning: str) -> tuple[Column, ...]:
    """Columns of a table of win rates by a number of chips or doubles."""
    seats = Column("seats", kind="share", digits=1, meaning="part of the seats that have the number")
    return PLAYERS, POLICY, Column("number", number, meaning, kind="key"), seats, WIN_RATE


def takers(batches: Mapping[int, Batch]) -> Table:
    """Win rate by chips taken."""
    rows = []
    for played in batches.values():
        records = frames.records(played)
        taken = records.filter(regex=r"^taken_\d+$").to_numpy()
        rows += _win_rates(played, taken, records["winners"].to_numpy())
    columns = by_number("chips", "chips that the seat took")
    return Table.of("chips_taken", "Do those who take chips win?", columns, rows)


def early_doubles(batches: Mapping[int, Batch], logs: Mapping[int, pd.DataFrame], games: int) -> Table:
    """Win rate by the doubles that a seat rolled early on: luck of the dice, so the difference is what doubles bring.

    The evidence ``(players, policy, number, "wins" or "seats")`` is for 0 and 2 doubles.
    """
    rows: list[dict[str, Any]] = []
    evidence: dict[tuple[Any, ...], Floats] = {}
    for players, log in logs.items():
        # a row of a chip taken names its taker, but the dice of the seat on turn
        thrown = log[(log["round"] < EARLY) & (log["low"] == log["high"]) & (log["throw"] == 0)]
        thrown = thrown[thrown["kind"] != CHIP_TAKEN].drop_duplicates(["game", "round", "seat"])
        numbers = np.zeros((games, players), np.int64)
        np.add.at(numbers, (thrown["game"].to_numpy(), thrown["seat"].to_numpy()), 1)
        records = frames.records(batches[players])[:games]
        lasted = (records["rounds"] >= EARLY).to_numpy()
        if not lasted.any():
            continue
        winners = records["winners"].to_numpy()[lasted]
        rows += _win_rates(batches[players], numbers[lasted], winners)
        for number in (0, 2):
            wins, seats = _by_game(numbers[lasted], winners, number)
            key = (players, policies(batches[players]), number)
            evidence[*key, "wins"], evidence[*key, "seats"] = wins, seats
    meaning = f"among a seat's first rolls of the first {EARLY} rounds, in games that last as long"
    columns = by_number("doubles", meaning)
    return replace(Table.of("doubles_worth", "Do early doubles win games?", columns, rows), evidence=evidence)


def _by_game(numbers: NDArray[np.int64], winners: NDArray[np.int64], number: int) -> tuple[Floats, Floats]:
    """Outright wins of the seats that have a number, and those seats: ``float64[game]`` each."""
    won = winners[:, None] == 1 << np.arange(numbers.shape[1])
    here = numbers >= MANY if number == MANY else numbers == number
    return (here & won).sum(axis=1).astype(float), here.sum(axis=1).astype(float)


def _win_rates(played: Batch, numbers: NDArray[np.int64], winners: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Outright wins of seats by a number that each has (``numbers[game, seat]``), those of ``MANY`` or more together."""
    rows = []
    for number in range(min(int(numbers.max(initial=0)), MANY) + 1):
        wins, seats = _by_game(numbers, winners, number)
        row = {"players": played.players, "policy": policies(played), "seats": float(seats.mean()) / played.players}
        row["number"] = f"{MANY} or more" if number == MANY else str(number)
        rows.append(row | {"win_rate": ratio(wins, seats, played.seed, 0, 1)})
    return rows
