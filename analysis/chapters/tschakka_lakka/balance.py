"""The balance sheet of Tschakka Lakka: fair, how long, where points come from, luck and skill, what a reading changes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import compare, frames
from analysis.balance import PLAYERS, POLICY, WIN_RATE, common, label, metrics, policies, quantities, seats, who
from analysis.chapter import Metric, Once, Sheet, Study
from analysis.chapters.tschakka_lakka import sampled, skill
from analysis.estimates import Estimate
from analysis.measures import Column, Measure, Measured, mean, of_field, of_seats, per, share, share_of_games
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.game import Chosen
from sims.engine.variant import other_readings
from sims.tschakka_lakka import board
from sims.tschakka_lakka.rules import COLOURS, Rules

SIZES = (2, 3, 4)
SOURCES = {
    "small": "small treasures",
    "medium": "medium treasures",
    "large": "large treasures",
    "yellow": "yellow gems",
    "pink": "pink gems",
    "majority": "majorities",
}
#: What a seat may have most of, besides.
TOWERS = {f"tower_{colour}": f"the {colour} tower" for colour in COLOURS}

#: A number of players, and the policies in seat order.
Seating = tuple[int, tuple[Chosen, ...]]


def balance(study: Study) -> Sheet:
    """All tables and metrics; the numbers of players the user named, or 2, 3 and 4."""
    return sheet(study, batches(study))


def batches(study: Study) -> Mapping[Seating, Batch]:
    """Games of each lineup for each number of players, with their records; played when they are asked for."""

    def play(seating: Seating) -> Batch:
        players, lineup = seating
        names = f"{players} players, {', '.join(dict.fromkeys(map(label, lineup)))}"
        return study.play(names, lineup=lineup, games=sampled.affordable(study, lineup), records=True)

    asked = study.numbers_of_players(SIZES)
    return Once.over(((players, lineup) for players in asked for lineup in lineups(study, players)), play)


def lineups(study: Study, players: int) -> list[tuple[Chosen, ...]]:
    """The study's own lineup, its first policy on every seat for another number of players; and the strongest policy."""
    return list(dict.fromkeys([compare.lineup(study, players), sampled.alike(study, sampled.STRONGEST, players)]))


def sheet(study: Study, batches: Mapping[Seating, Batch]) -> Sheet:
    """What the batches show, and who beats whom."""
    remark = "In a finished game everybody has the same number of turns; what differs is who comes first."
    measured = measures(study)
    tables: Once[str, Table] = Once(
        {
            "seats": lambda: seats(batches.values(), remark),
            "course": lambda: quantities("course", "Length, busts and tension", measured, batches.values()),
            "sources": lambda: sources(study, list(batches.values())),
            "most": lambda: hoards(study, list(batches.values())),
            "skill": lambda: skill.wins(study),
            "exact_turn": lambda: skill.wins_of_exact_turns(study),
            "luck": lambda: skill.luck(study),
            "rulings": lambda: readings(study),
        }
    )
    found = metrics(measured, batches, partial(named, study))
    told = "{players} players: win rate of {policy} against {against}, seats rotated"
    for prefix, table, others in (
        ("wins", "skill", skill.others(study)),
        ("exact_turn_wins", "exact_turn", skill.SIMPLE),
    ):
        for players, rival in product(study.numbers_of_players(skill.PLAYERS), others):
            where = {"players": players, "against": rival}
            found[f"{prefix}_against_{rival}_{players}"] = partial(of_row, tables, table, "win_rate", told, where)
    told = "2 players, {population}: share of the variance of winning that the dice make"
    for field in skill.FIELDS:
        where = {"field": field, "result": "win"}
        found[f"dice_share_{field}"] = partial(of_row, tables, "luck", "dice_share", told, where)
    return Sheet(tables, Once(found))


def named(study: Study, seating: Seating) -> str:
    """How metrics call a seating: by the number of players, and by the policies if they are not the study's own."""
    players, lineup = seating
    return f"{players}" if lineup == lineups(study, players)[0] else f"{players}_{who(lineup)}"


def of_row(tables: Mapping[str, Table], table: str, value: str, told: str, where: Mapping[str, object]) -> Metric:
    """The measured value of one row of a table as a metric."""
    (row,) = (row for row in tables[table].frame.to_dict("records") if where.items() <= row.items())
    found = Measured(Estimate(row[value], row["low"], row["high"]), row["games"], row["seed"])
    return Metric(found, told.format(**row))


# -- quantities of a game --------------------------------------------------------------------------------------


def seats_in(records: pd.DataFrame) -> int:
    """Number of players, of the records of a batch."""
    return len(records.filter(regex=r"^score_\d+$").columns)


def collected(records: pd.DataFrame) -> "pd.Series[float]":
    """Points collected in turns, by all seats."""
    return of_seats(records, "score") - of_seats(records, "majority")


def measures(study: Study) -> tuple[Measure, ...]:
    """Length, busts, tension, what the majorities decide."""

    def turns(records: pd.DataFrame) -> "pd.Series[float]":
        return records["turns"]

    def total(column: str) -> Callable[[pd.DataFrame], "pd.Series[float]"]:
        return lambda records: of_seats(records, column)

    return (
        *common(study),
        per("points", "points of a seat", total("score"), seats_in),
        per("turn_points", "points collected per turn", collected, turns),
        per("busts", "turns that end in a bust", total("busts"), turns, high=1),
        per("restricted", "rolls with which nothing can be done", total("busts"), total("rolls"), high=1),
        per("rolls", "rolls per turn", total("rolls"), turns),
        per("dice_left", "dice left at a stop", total("dice_left"), total("stops")),
        per("lost", "points at stake that a bust loses", total("lost"), total("busts")),
        share_of_games(
            "majorities_decide",
            "games whose winners the majorities change, ties made or broken included",
            lambda records: records["majorities_decided"],
        ),
        share_of_games(
            "leader_loses", "games that no leader before the majorities wins", lambda records: records["leader_lost"]
        ),
        of_field("gems_left", "gems left in the temple"),
    )


def sources_of(study: Study) -> dict[str, str]:
    """Sources of points that the temple has: sizes of treasures, kinds of gems, and the towers."""
    rules: Rules = study.variant.rules
    there = dict(zip(("small", "medium", "large"), rules.size_counts, strict=True))
    there |= {kind: sum(gem.kind == kind for gem in board.load(rules.board).gems) for kind in board.GEM_KINDS}
    return {source: title for source, title in SOURCES.items() if there.get(source, 1)}


def held(records: pd.DataFrame, column: str) -> NDArray[np.int64]:
    """A column of every seat: ``int64[game, seat]``."""
    return np.array(records[[f"{column}_{seat + 1}" for seat in range(seats_in(records))]], np.int64)


SOURCE = (
    PLAYERS,
    POLICY,
    Column("source", kind="key"),
    Column("share", "share of all", kind="share"),
    Column("winner_more", meaning="what a sole winner has more of it than the others on average", digits=1),
    Column("points", meaning="of a seat"),
)


def sources(study: Study, batches: Sequence[Batch]) -> Table:
    """Points by source, and how much more of each the winner has."""
    rows = []
    for batch in batches:
        records = frames.records(batch)
        winner = sole_winner(records, batch.players)
        won = winner >= 0
        whole = int(held(records, "score").sum())
        for source, title in sources_of(study).items():
            points = held(records, source)
            mine = points[won, winner[won]]
            rest = (points[won].sum(axis=1) - mine) / (batch.players - 1)
            rows.append(
                {
                    "players": batch.players,
                    "policy": policies(batch),
                    "source": title,
                    "share": float(points.sum() / whole) if whole else math.nan,
                    "winner_more": float((mine - rest).mean()) if won.any() else math.nan,
                    "points": mean(points.mean(axis=1), batch.seed, 0),
                }
            )
    return Table.of("sources", "Where the points come from", SOURCE, rows)


MOST = (
    PLAYERS,
    POLICY,
    Column("most_of", kind="key"),
    Column("mean", meaning="points of a seat; of a tower its height", digits=1),
    Column("spread", meaning="standard deviation of these", digits=1),
    Column("happens", kind="share", meaning="games in which one seat alone has most of it"),
    replace(WIN_RATE, meaning="that seat's outright wins of these games"),
)


def hoards(study: Study, batches: Sequence[Batch]) -> Table:
    """How often the seat that alone has most of something wins."""
    rows: list[dict[str, Any]] = []
    for batch in batches:
        records = frames.records(batch)
        winner = sole_winner(records, batch.players)
        for column, title in {**sources_of(study), **TOWERS}.items():
            has = held(records, column)
            most = has.max(axis=1)
            alone = (has == most[:, None]).sum(axis=1) == 1
            wins = int((has.argmax(axis=1) == winner)[alone].sum())
            rows.append(
                {
                    "players": batch.players,
                    "policy": policies(batch),
                    "most_of": title,
                    "mean": float(has.mean()),
                    "spread": float(has.std()),
                    "happens": float(alone.mean()),
                    "win_rate": share(wins, int(alone.sum()), batch.games, batch.seed),
                }
            )
    return Table.of("most", "What goes with winning", MOST, rows)


def sole_winner(records: pd.DataFrame, players: int) -> NDArray[np.int64]:
    """Seat (from 0) of the sole winner of each game, -1 if there is none."""
    alone = {1 << seat: seat for seat in range(players)}
    return np.array(records["winners"].map(alone).fillna(-1), np.int64)


# -- readings --------------------------------------------------------------------------------------------------


def readings(study: Study) -> Table:
    """What each other reading of an ambiguous rule changes, for each lineup."""
    players = study.numbers_of_players((4,))[-1]
    shown: dict[str, compare.Quantity] = {
        "points": lambda records: of_seats(records, "score") / players,
        "busts": lambda records: of_seats(records, "busts") / records["turns"],
        "majorities_decide": lambda records: records["majorities_decided"],
    }
    columns = (
        Column("points", meaning="of a seat", digits=1),
        Column("busts", kind="share", meaning="turns that end in one"),
        Column("majorities_decide", "majorities", kind="share", meaning="games whose winners they change"),
    )
    rows = [
        row
        for lineup in lineups(study, players)
        for row in compare.effects(
            replace(study, lineup=lineup),
            other_readings(study.variant),
            players,
            sampled.affordable(study, lineup, 0.2),
            shown,
        )
    ]
    return compare.readings("rulings", "Do the ambiguous rules matter?", rows, *columns)
