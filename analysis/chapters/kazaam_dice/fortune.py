"""What chips and doubles are worth."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import estimates, frames
from analysis.chapter import Study
from analysis.chapters.kazaam_dice.games import kept_games
from analysis.claims import Floats
from analysis.estimates import Estimate, mean_of, share_of
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.kazaam_dice.kernel import CHIP_EXTRA, CHIP_REROLL, CHIP_TAKEN
from sims.kazaam_dice.rules import OTHER, PASSES

#: Own turns at the start of a game in which doubles are counted: nearly every game lasts as long.
EARLY = 6
#: Larger numbers of chips and of doubles are one row.
MANY = 4


def chips(study: Study, batches: Mapping[int, Batch], logs: Mapping[int, pd.DataFrame]) -> tuple[Table, Table]:
    """Chips taken, used and kept, and the win rate by chips taken."""
    rows, by_number = [], []
    for players, played in batches.items():
        records = frames.records(played)
        for name, meaning, estimate in [
            *_kept(records, players),
            *_used(logs[players], records[: kept_games(study)]),
        ]:
            rows.append(
                {
                    "players": players,
                    "quantity": name,
                    "value": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                    "unit": "" if name in ("taken", "rerolls", "extras", "points") else "share",
                    "meaning": meaning,
                    "games": played.games if name in ("taken", "points", "kept", "decides") else kept_games(study),
                    "seed": study.seed,
                }
            )
        taken = records[[f"taken_{seat + 1}" for seat in range(players)]].to_numpy()
        for row in _win_rates(taken, records["winners"].to_numpy()):
            by_number.append({"players": players, **row, "games": played.games, "seed": study.seed})
    worth = Table(
        "chips",
        "Are chips better used or kept?",
        pd.DataFrame(rows),
        False,
        study.simulated()
        + f" What chips are used for comes from {kept_games(study):,} games. Players use a chip when one "
        "die is missing and the roll does not bring it.",
    )
    numbers = Table(
        "chips_taken",
        "Do those who take chips win?",
        pd.DataFrame(by_number),
        False,
        study.simulated() + " Outright wins of seats by the number of chips they took; games are the draws.",
        percent=("seats", "win_rate"),
        decimals={"seats": 1},
    )
    return worth, numbers


def _kept(records: pd.DataFrame, players: int) -> list[tuple[str, str, Estimate]]:
    """Chips taken, kept, and what kept chips decide: the same games counted without their points."""
    seats = range(1, players + 1)
    taken = records[[f"taken_{seat}" for seat in seats]].sum(axis=1)
    kept = records[[f"kept_{seat}" for seat in seats]].sum(axis=1)
    of_chips = records[[f"points_favourite_{seat}" for seat in seats]].to_numpy()
    of_chips = of_chips + records[[f"points_chips_{seat}" for seat in seats]].to_numpy()
    without = records[[f"score_{seat}" for seat in seats]].to_numpy() - of_chips
    winners = ((without == without.max(axis=1)[:, None]) * (1 << np.arange(players))).sum(axis=1)
    finished = (records["end"] < PASSES).to_numpy()
    decided = finished & (winners != records["winners"].to_numpy())
    return [
        ("taken", "chips taken in a game, all seats together", mean_of(taken, 0)),
        ("points", "points for kept chips in a game, all seats together", mean_of(of_chips.sum(axis=1), 0)),
        ("kept", "chips taken that are kept to the end", share_of(kept.to_numpy(float), taken.to_numpy(float))),
        (
            "decides",
            "games with other winners if kept chips counted nothing",
            estimates.proportion(int(decided.sum()), len(records)),
        ),
    ]


def _used(log: pd.DataFrame, records: pd.DataFrame) -> list[tuple[str, str, Estimate]]:
    """Chips spent on another roll or move, and how often that brings the connection in the same turn."""
    found, total = [], len(records)
    # a last die ends the game without connections, however the dice lie
    counts = (records["end"] <= OTHER).to_numpy()
    for kind, name, plural, text in (
        (CHIP_REROLL, "reroll", "rerolls", "on another roll"),
        (CHIP_EXTRA, "extra", "extras", "on another move"),
    ):
        spent = log[log["kind"] == kind]
        per_game = np.bincount(spent["game"], minlength=total).astype(float)
        # the turn's last use connects its player
        uses = log[(log["kind"] < CHIP_TAKEN) & (log["distance_after"] == 0) & counts[log["game"]]]
        uses = uses[["game", "round", "seat"]]
        brought = spent.merge(uses.drop_duplicates(), on=["game", "round", "seat"])
        found += [
            (plural, f"chips spent {text} in a game", mean_of(per_game, 0)),
            (
                f"{name}_connects",
                f"chips spent {text} whose turn connects their player",
                share_of(np.bincount(brought["game"], minlength=total).astype(float), per_game),
            ),
        ]
    return found


def _by_game(numbers: NDArray[np.int64], winners: NDArray[np.int64], number: int) -> tuple[Floats, Floats]:
    """Outright wins of the seats that have a number, and those seats: ``float64[game]`` each."""
    won = winners[:, None] == 1 << np.arange(numbers.shape[1])
    here = numbers >= MANY if number == MANY else numbers == number
    return (here & won).sum(axis=1).astype(float), here.sum(axis=1).astype(float)


def _win_rates(numbers: NDArray[np.int64], winners: NDArray[np.int64]) -> list[dict[str, object]]:
    """Outright wins of seats by a number that each has (``numbers[game, seat]``), those of ``MANY`` or more together."""
    rows: list[dict[str, object]] = []
    for number in range(min(int(numbers.max(initial=0)), MANY) + 1):
        wins, seats = _by_game(numbers, winners, number)
        rate = share_of(wins, seats)
        rows.append(
            {
                "number": f"{MANY} or more" if number == MANY else str(number),
                "seats": float(seats.mean()) / numbers.shape[1],
                "win_rate": rate.value,
                "low": rate.low,
                "high": rate.high,
            }
        )
    return rows


def double_luck(study: Study, batches: Mapping[int, Batch], logs: Mapping[int, pd.DataFrame]) -> Table:
    """Win rate by the doubles that a seat rolled early on: luck of the dice, so the difference is what doubles bring."""
    rows: list[dict[str, object]] = []
    evidence: dict[tuple[int, int, str], Floats] = {}
    total = kept_games(study)
    for players, log in logs.items():
        # a row of a chip taken names its taker, but the dice of the seat on turn
        thrown = log[(log["round"] < EARLY) & (log["low"] == log["high"]) & (log["throw"] == 0)]
        thrown = thrown[thrown["kind"] != CHIP_TAKEN].drop_duplicates(["game", "round", "seat"])
        numbers = np.zeros((total, players), np.int64)
        np.add.at(numbers, (thrown["game"].to_numpy(), thrown["seat"].to_numpy()), 1)
        records = frames.records(batches[players])[:total]
        lasted = (records["rounds"] >= EARLY).to_numpy()
        if not lasted.any():
            continue
        winners = records["winners"].to_numpy()[lasted]
        for row in _win_rates(numbers[lasted], winners):
            rows.append({"players": players, **row, "games": int(lasted.sum()), "seed": study.seed})
        for number in (0, 2):
            wins, seats = _by_game(numbers[lasted], winners, number)
            evidence[players, number, "wins"], evidence[players, number, "seats"] = wins, seats
    return Table(
        "doubles_worth",
        "Do early doubles win games?",
        pd.DataFrame(rows),
        False,
        f"Simulated: {kept_games(study):,} games, seed {study.seed}. Doubles among a seat's first rolls of the first {EARLY} "
        "rounds, in games that last so long; outright wins, low and high bound the 95 % interval.",
        percent=("seats", "win_rate"),
        decimals={"seats": 1},
        headings={"number": "doubles"},
        evidence=evidence,
    )
