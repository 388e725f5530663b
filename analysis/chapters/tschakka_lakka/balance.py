"""The balance sheet of Tschakka Lakka: fair, how long, where points come from, luck and skill, what a reading changes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import compare, estimates, frames
from analysis.balance import Quantity, ends, label, metrics_of, policies, quantities, seats, spread, who
from analysis.chapter import Metric, Once, Sheet, Study, together
from analysis.chapters.tschakka_lakka import sampled, skill
from analysis.estimates import Estimate, mean_of, ratio_of, share_of
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.game import Chosen
from sims.engine.variant import other_readings
from sims.tschakka_lakka import board
from sims.tschakka_lakka.rules import COLOURS, Rules

PLAYERS = (2, 3, 4)
SOURCES = {
    "small": "small treasures",
    "medium": "medium treasures",
    "large": "large treasures",
    "yellow": "yellow gems",
    "pink": "pink gems",
    "majority": "majorities",
}
HEADINGS = {
    "rule": "ruling",
    "change_in_rounds": "change",
    "majorities_decide": "majorities",
    "other_winners": "others win",
}
#: What a seat may have most of, besides.
TOWERS = {f"tower_{colour}": f"the {colour} tower" for colour in COLOURS}

#: A number of players, and the policies in seat order.
Seating = tuple[int, tuple[Chosen, ...]]


def balance(study: Study) -> Sheet:
    """All tables and metrics; the numbers of players the user named, or 2, 3 and 4."""
    return sheet_of(study, whole_games(study))


def sheet_of(study: Study, batches: Mapping[Seating, Batch]) -> Sheet:
    """The balance sheet of whole games already played."""

    def every() -> list[Batch]:
        return list(batches.values())

    measured = Once.over(batches, lambda seating: course(batches[seating]))
    tables: Once[str, Table] = Once(
        {
            "seats": lambda: seats_table(study, every()),
            "course": lambda: quantities(
                study,
                "course",
                "Length, busts and tension",
                [(batches[seating], found) for seating, found in measured.items()],
            ),
            "sources": lambda: sources(study, every()),
            "most": lambda: hoards(study, every()),
            "skill": lambda: skill.wins(study),
            "exact_turn": lambda: skill.wins_of_exact_turns(study),
            "luck": lambda: skill.luck(study),
            "rulings": lambda: readings(study),
        }
    )
    names = {seating: named(study, seating) for seating in batches}
    metrics: dict[str, Callable[[], Metric]] = {
        f"seat_spread_{name}": partial(spread, batches, seating) for seating, name in names.items()
    }
    for seating, name in names.items():

        def found(seating: Seating = seating) -> dict[str, Metric]:
            return metrics_of(
                [(batches[seating], measured[seating])], lambda batch: names[len(batch.lineup), batch.lineup]
            )

        metrics |= together([f"{quantity}_{name}" for quantity in COURSE], found)
    for prefix, table, others in (
        ("wins", "skill", skill.others(study)),
        ("exact_turn_wins", "exact_turn", skill.SIMPLE),
    ):
        for players, against in product(study.numbers_of_players(skill.PLAYERS), others):
            metrics[f"{prefix}_against_{against}_{players}"] = partial(_wins, tables, table, against, players)
    for field in skill.FIELDS:
        metrics[f"dice_share_{field}"] = partial(_dice_share, tables, field)
    return Sheet(tables, Once(metrics))


def named(study: Study, seating: Seating) -> str:
    """How metrics call a seating: by the number of players, and by the policies if they are not the study's own."""
    players, lineup = seating
    return f"{players}" if lineup == lineups(study, players)[0] else f"{players}_{who(lineup)}"


def _wins(tables: Mapping[str, Table], table: str, against: str, players: int) -> Metric:
    """A row of a table of duels as a metric."""
    frame = tables[table].frame
    (row,) = frame[(frame["against"] == against) & (frame["players"] == players)].to_dict("records")
    return Metric(
        Estimate(row["win_rate"], row["low"], row["high"]),
        f"{players} players: win rate of {row['policy']} against {against}, seats rotated",
        row["games"],
    )


def _dice_share(tables: Mapping[str, Table], field: str) -> Metric:
    """A row of the table of luck as a metric."""
    frame = tables["luck"].frame
    (row,) = frame[(frame["field"] == field) & (frame["result"] == "win")].to_dict("records")
    return Metric(
        Estimate(row["dice_share"], row["low"], row["high"]),
        f"2 players, {row['players']}: share of the variance of winning that the dice make",
        row["games"],
    )


def lineups(study: Study, players: int) -> list[tuple[Chosen, ...]]:
    """The study's own lineup, its first policy on every seat for another number of players; and the strongest policy."""
    return list(dict.fromkeys([compare.lineup(study, players), sampled.alike(study, sampled.STRONGEST, players)]))


def whole_games(study: Study) -> Mapping[Seating, Batch]:
    """Games of each lineup for each number of players, with their records; played when they are asked for."""

    def play(seating: Seating) -> Batch:
        players, lineup = seating
        return study.play(
            f"{players} players, {', '.join(dict.fromkeys(map(label, lineup)))}",
            lineup=lineup,
            games=sampled.affordable(study, lineup),
            records=True,
        )

    asked = study.numbers_of_players(PLAYERS)
    return Once.over(((players, lineup) for players in asked for lineup in lineups(study, players)), play)


def seats_table(study: Study, batches: Sequence[Batch]) -> Table:
    """Win rates by seat."""
    remark = (
        "A shared win counts for nobody. In a finished game everybody has the same number of turns; what differs is who comes "
        "first."
    )
    return seats(study, batches, remark)


#: Names of what :func:`course` measures.
COURSE = (
    "rounds",
    "points",
    "turn_points",
    "busts",
    "rolls",
    "dice_left",
    "lost",
    "lead_changes",
    "majorities_decide",
    "leader_loses",
    "shared",
    "gems_left",
    "unfinished",
)


def course(batch: Batch) -> list[Quantity]:
    """Length, busts, tension, what the majorities decide."""
    records = frames.records(batch)

    def total(column: str) -> "pd.Series[int]":
        return records[[f"{column}_{seat + 1}" for seat in range(batch.players)]].sum(axis=1)

    def share(column: str) -> Estimate:
        return estimates.proportion(batch.sums[column], batch.games)

    winners = records["winners"].to_numpy()
    several = int(((winners & (winners - 1)) > 0).sum())
    turns, stops = records["turns"], total("stops")
    return [
        ("rounds", "", frames.mean(batch, "rounds"), "rounds in a game"),
        ("points", "", ratio_of(total("score"), np.full(batch.games, batch.players), 0), "points of a seat"),
        ("turn_points", "", ratio_of(total("score") - total("majority"), turns, 0), "points collected per turn"),
        ("busts", "share", share_of(total("busts"), turns), "turns that end in a bust"),
        ("rolls", "", ratio_of(total("rolls"), turns, 0), "rolls per turn"),
        ("dice_left", "", ratio_of(total("dice_left"), stops, 0), "dice left at a stop"),
        ("lost", "", ratio_of(total("lost"), total("busts"), 0), "points at stake that a bust loses"),
        ("lead_changes", "", frames.mean(batch, "lead_changes"), "times the sole lead passes to another seat"),
        ("majorities_decide", "share", share("majorities_decided"), "games whose winners the majorities change"),
        ("leader_loses", "share", share("leader_lost"), "games that no leader before the majorities wins"),
        ("shared", "share", estimates.proportion(several, batch.games), "games with several winners"),
        ("gems_left", "", frames.mean(batch, "gems_left"), "gems left in the temple"),
        ("unfinished", "share", share("unfinished"), "games cut off by max_turns"),
    ]


def sources_of(study: Study) -> dict[str, str]:
    """Sources of points that the temple has: sizes of treasures, kinds of gems, and the towers."""
    rules: Rules = study.variant.rules
    there = dict(zip(("small", "medium", "large"), rules.size_counts, strict=True))
    there |= {kind: sum(gem.kind == kind for gem in board.load(rules.board).gems) for kind in board.GEM_KINDS}
    return {source: title for source, title in SOURCES.items() if there.get(source, 1)}


def sources(study: Study, batches: Sequence[Batch]) -> Table:
    """Points by source, and how much more of each the winner has."""
    rows = []
    for batch in batches:
        records = frames.records(batch)
        winner = sole_winner(records, batch.players)
        won = winner >= 0
        whole = sum(batch.sums[f"score_{seat + 1}"] for seat in range(batch.players))
        for source, title in sources_of(study).items():
            points = records[[f"{source}_{seat + 1}" for seat in range(batch.players)]].to_numpy()
            each = mean_of(points.mean(axis=1), 0)
            mine = points[won, winner[won]]
            rest = (points[won].sum(axis=1) - mine) / (batch.players - 1)
            rows.append(
                {
                    "players": batch.players,
                    "policy": policies(batch),
                    "source": title,
                    "share": float(points.sum() / whole) if whole else math.nan,
                    "winner_more": float((mine - rest).mean()) if won.any() else math.nan,
                    "points": each.value,
                    **ends(each, batch),
                }
            )
    note = study.simulated([batch.games for batch in batches]) + (
        " 'points' of a seat, 'share' of all points; 'winner more': what a sole winner has more of it than the others on average."
    )
    return Table("sources", "Where the points come from", pd.DataFrame(rows), False, note, percent=("share",))


def hoards(study: Study, batches: Sequence[Batch]) -> Table:
    """How often the seat that alone has most of something wins."""
    rows = []
    for batch in batches:
        records = frames.records(batch)
        winner = sole_winner(records, batch.players)
        for column, title in {**sources_of(study), **TOWERS}.items():
            held = records[[f"{column}_{seat + 1}" for seat in range(batch.players)]].to_numpy()
            most = held.max(axis=1)
            alone = (held == most[:, None]).sum(axis=1) == 1
            wins = int((held.argmax(axis=1) == winner)[alone].sum())
            rate = estimates.proportion(wins, int(alone.sum()))
            rows.append(
                {
                    "players": batch.players,
                    "policy": policies(batch),
                    "most_of": title,
                    "mean": float(held.mean()),
                    "spread": float(held.std()),
                    "happens": float(alone.mean()),
                    "win_rate": rate.value,
                    **ends(rate, batch),
                }
            )
    note = study.simulated([batch.games for batch in batches]) + (
        " 'win rate' of the seat that alone has most of it, in the games in which one seat has ('happens'); 'mean' and 'spread' "
        "(standard deviation) are points of a seat, for towers their heights."
    )
    return Table("most", "What goes with winning", pd.DataFrame(rows), False, note, percent=("happens", "win_rate"))


def sole_winner(records: pd.DataFrame, players: int) -> NDArray[np.int64]:
    """Seat (from 0) of the sole winner of each game, -1 if there is none."""
    alone = {1 << seat: seat for seat in range(players)}
    return np.array(records["winners"].map(alone).fillna(-1), np.int64)


def readings(study: Study) -> Table:
    """What each other reading of an ambiguous rule changes, for each lineup."""
    players = study.numbers_of_players((4,))[-1]

    def of_seats(column: str) -> compare.Quantity:
        return lambda records: records[[f"{column}_{seat + 1}" for seat in range(players)]].sum(axis=1)

    points, busts = of_seats("score"), of_seats("busts")
    shown: dict[str, compare.Quantity] = {
        "points": lambda records: points(records) / players,
        "busts": lambda records: busts(records) / records["turns"],
        "majorities_decide": lambda records: records["majorities_decided"],
    }
    rows: list[dict[str, object]] = []
    evidence: dict[tuple[int, str, str, str], NDArray[np.float64]] = {}
    for lineup in lineups(study, players):
        games = sampled.affordable(study, lineup, 0.2)
        changes = other_readings(study.variant)
        found, changed = compare.effects(replace(study, lineup=lineup), changes, players, games, shown)
        who = ", ".join(dict.fromkeys(map(label, lineup)))
        rows += [{"players": players, "policy": who, **row} for row in found]
        evidence |= {(number, who, rule, reading): change for (number, rule, reading), change in changed.items()}
    frame = pd.DataFrame(rows)
    note = study.simulated(frame["games"]) + (
        " Both readings meet the same dice; the interval is that of the paired change in rounds. 'points' of a seat; 'busts': "
        "share of the turns; 'majorities': share of games in which they change who wins; 'others win': share of games that "
        "end with other winners than as set."
    )
    percent = ("other_winners", "redealt", "busts", "majorities_decide", "unfinished")
    title = "Do the ambiguous rules matter?"
    return Table("rulings", title, frame, False, note, percent, HEADINGS, evidence=evidence)
