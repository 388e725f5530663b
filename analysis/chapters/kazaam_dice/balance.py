"""The balance sheet of Kazaam Dice: is it fair, how does it go, what is worth what, which rules and parts matter."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd

from analysis import compare, estimates, frames
from analysis.balance import label, seats, spread, winners_of
from analysis.chapter import Metric, Once, Sheet, Study, together
from analysis.chapters.kazaam_dice import changed, fortune, kings
from analysis.chapters.kazaam_dice.games import logged, numbers_of_players
from analysis.claims import Floats
from analysis.estimates import Estimate, mean_of, share_of
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.variant import Variant, other_readings
from sims.kazaam_dice.rules import ENDS, OTHER, SEVERAL

#: The skill ladder, weakest first, and the part of the study's games that a duel of that policy gets.
LADDER = (
    ("random", 1.0),
    ("collector", 0.5),
    ("runner", 1.0),
    ("blocker", 0.5),
    ("balanced", 0.5),
    ("lookahead", 0.1),
    ("rollout", 0.00375),
)
#: Policies that are played against themselves beside the study's own.
EQUAL = ("random", "runner")
#: Part of the study's games that each changed rule or component gets.
CHANGED = 0.3
#: The same for each order of play in which corners are compared.
CORNERS = 0.5
ENDINGS = {
    "own": "the mover connects only their own alchemist",
    "several": "the mover connects their own alchemist and others",
    "other": "the mover connects only other alchemists",
    "last_die": "the last die but one is placed",
    "passes": "unfinished: nobody can move",
    "turns": "unfinished: too many turns",
}


#: What is said of the course of a game: means, shares of games, and a share of rolls.
MEANS = {
    "rounds": "rounds in a game",
    "turns": "turns in a game",
    "dice": "dice on the board at the end",
    "longest_chain": "dice of the largest linked group at the end",
    "lead_changes": "times another seat becomes the one nearest to its target",
    "placed": "dice placed",
    "tipped": "dice tipped",
    "burnt": "dice burnt",
    "drowned": "dice drowned",
}
SHARES = {
    "shared": "games whose win is shared",
    "unfinished": "games cut off by max_passes or max_turns",
}
PASSED = "passed"


@dataclass(frozen=True)
class Played:
    """The games behind the sheet, by number of players.

    Attributes
    ----------
    batches : mapping of players to Batch
        The study's policy at every seat, with records.
    logs : mapping of players to DataFrame
        The uses of the first of these games.
    equal : mapping of players to list of Batch
        Other policies against themselves.
    """

    batches: Mapping[int, Batch]
    logs: Mapping[int, pd.DataFrame]
    equal: Mapping[int, list[Batch]]


def play(study: Study) -> Played:
    """For the number of players the user named, or 2, 3 and 4; played when they are asked for."""
    players = numbers_of_players(study)
    return Played(
        Once.over(players, partial(batch, study)),
        Once.over(players, partial(logged, study)),
        Once.over(players, partial(equal_tables, study)),
    )


def balance(study: Study) -> Sheet:
    """All tables and metrics."""
    return sheet(study, play(study))


def sheet(study: Study, played: Played) -> Sheet:
    """All tables and metrics from games played."""
    batches = played.batches
    alike = changed.is_symmetric(study.variant.rules.load_board()) and len(set(study.lineup)) == 1
    note = "The board and all policies turn alike, so seats differ only through the order of play and their place."
    chips = cache(lambda: fortune.chips(study, batches, played.logs))
    finders: dict[str, Callable[[], Table]] = {
        "seats": lambda: seats(study, list(batches.values()), note if alike else "Outright wins."),
        "corners": lambda: corners(study),
        "course": lambda: course(study, batches),
        "ends": lambda: ends(study, batches),
        "seats_by_policy": lambda: seats_by_policy(study, played.equal),
        "by_others": lambda: connected_by_others(study, played.equal),
        "chips": lambda: chips()[0],
        "chips_taken": lambda: chips()[1],
        "doubles_worth": lambda: fortune.double_luck(study, batches, played.logs),
    }
    with_two = 2 in study.variant.rules.load_board().seating
    many = [players for players in batches if players > 2]
    if with_two:
        finders["ladder"] = lambda: ladder(study)
    if many:
        finders["kingmaking"] = lambda: kings.kingmaking(study)
    finders |= {"rulings": lambda: rulings(study), "parts": lambda: reconstruction(study)}
    tables = Once(finders)
    metrics: dict[str, Callable[[], Metric]] = {
        f"seat_spread_{players}": partial(spread, batches, players) for players in batches
    }
    for quantity, players in product((*MEANS, *SHARES, PASSED), batches):
        metrics[f"{quantity}_{players}"] = _metric(tables, "course", "quantity", quantity, players)
    for end, players in product(ENDS, batches):
        metrics[f"end_{end}_{players}"] = _metric(tables, "ends", "end", end, players)
    for quantity, players in product(kings.MEASURES, many):
        metrics[f"{quantity}_{players}"] = _metric(tables, "kingmaking", "quantity", quantity, players)
    if with_two:
        names = [f"skill_{name}" for name, _ in LADDER[1:]]
        metrics |= together(names, lambda: dict(zip(names, _skill(tables["ladder"]), strict=True)))
    return Sheet(tables, Once(metrics))


def _metric(tables: Mapping[str, Table], table: str, column: str, name: str, players: int) -> Callable[[], Metric]:
    """The metric that a row of a table tells, by the row's name and number of players."""

    def find() -> Metric:
        frame = tables[table].frame
        (row,) = frame[(frame[column] == name) & (frame["players"] == players)].to_dict("records")
        return Metric(
            Estimate(row["value"], row["low"], row["high"]), f"{players} players: {row['meaning']}", row["games"]
        )

    return find


def _skill(table: Table) -> list[Metric]:
    """The steps of the ladder as metrics."""
    return [
        Metric(
            Estimate(row.advantage, row.low, row.high),
            f"2 players: wins of {row.policy} minus those of {row.against}",
            row.games,
        )
        for row in table.frame.itertuples()
    ]


def batch(study: Study, players: int) -> Batch:
    """Games of the study's variant for a number of players, with their records."""
    return study.play(f"playing {players} players", lineup=compare.lineup(study, players), records=True)


def part(study: Study, share: float) -> int:
    """A part of the study's games, at least 20."""
    return max(min(20, study.games), round(share * study.games))


# -- who is favoured -------------------------------------------------------------------------------------------


def corners(study: Study) -> Table:
    """Win rate of each corner when every corner begins equally often.

    Orders of play that are turned against each other meet the same dice, and on a board that turns onto itself they are the same
    game: the unit is the game number, of which a corner wins a share over the orders.
    """
    rows: list[dict[str, object]] = []
    evidence: dict[tuple[int, int], Floats] = {}
    board, games = study.variant.rules.load_board(), part(study, CORNERS)
    for players in numbers_of_players(study):
        seating = board.seats(players)
        wins = {alchemist: np.zeros(games, np.int64) for alchemist in sorted(seating)}
        for turn in range(players):
            alchemists = seating[turn:] + seating[:turn]
            with changed.on_board(study.variant, changed.seated(board, alchemists)) as variant:
                label, lineup = f"alchemist {alchemists[0]} of {players} begins", compare.lineup(study, players)
                winners = winners_of(study.play(label, variant=variant, lineup=lineup, games=games, records=True))
            for seat, alchemist in enumerate(alchemists):
                wins[alchemist] += winners == 1 << seat
        for alchemist, won in wins.items():
            evidence[players, alchemist] = won / players
            rate = mean_of(won / players, 0, 1)
            rows.append(
                {
                    "players": players,
                    "alchemist": alchemist,
                    "win_rate": rate.value,
                    "low": rate.low,
                    "high": rate.high,
                    "games": games,
                    "seed": study.seed,
                }
            )
    return Table(
        "corners",
        "Does the corner matter?",
        pd.DataFrame(rows),
        False,
        f"Simulated, seed {study.seed}: {games:,} games, each played once from every corner on the same dice; outright wins, low "
        "and high bound the 95 % interval over games. What differs is the place among the occupied corners.",
        percent=("win_rate",),
        evidence=evidence,
    )


# -- how it goes -----------------------------------------------------------------------------------------------


def course(study: Study, batches: Mapping[int, Batch]) -> Table:
    """Length, board, leads and losses."""
    rows = []
    for players, played in batches.items():
        shared = sum(int(count) for mask, count in enumerate(played.histograms["winners"]) if mask.bit_count() > 1)
        counts = {"shared": shared, "unfinished": played.unfinished}
        records = frames.records(played)
        rolls = records["turns"] + records.filter(regex=r"^(extra|rerolls)_").sum(axis=1)
        passed = share_of(records["passes"].to_numpy(float), rolls.to_numpy(float))
        found = [(name, "", frames.mean(played, name), meaning) for name, meaning in MEANS.items()]
        found += [
            (name, "share", estimates.proportion(counts[name], played.games), meaning)
            for name, meaning in SHARES.items()
        ]
        found.append((PASSED, "share", passed, "rolls that have no use"))
        rows += [
            {
                "players": players,
                "quantity": name,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "unit": unit,
                "meaning": meaning,
                "games": played.games,
                "seed": played.seed,
            }
            for name, unit, estimate, meaning in found
        ]
    return Table("course", "How does a game go?", pd.DataFrame(rows), False, study.simulated())


def ends(study: Study, batches: Mapping[int, Batch]) -> Table:
    """How games end."""
    rows = []
    for players, played in batches.items():
        for code, name in enumerate(ENDS):
            found = estimates.proportion(int(played.histograms["end"][code]), played.games)
            rows.append(
                {
                    "players": players,
                    "end": name,
                    "value": found.value,
                    "low": found.low,
                    "high": found.high,
                    "meaning": ENDINGS[name],
                    "games": played.games,
                    "seed": played.seed,
                }
            )
    return Table("ends", "How do games end?", pd.DataFrame(rows), False, study.simulated(), percent=("value",))


def equal_tables(study: Study, players: int) -> list[Batch]:
    """Games in which all seats play alike: random, runner, and the study's own policy."""
    policies = dict.fromkeys([*(study.game.policy(name) for name in EQUAL), study.lineup[0]])
    return [
        study.play(
            f"{players} times {label(chosen)}", lineup=(chosen,) * players, games=part(study, CHANGED), records=True
        )
        for chosen in policies
    ]


def seats_by_policy(study: Study, tables: Mapping[int, list[Batch]]) -> Table:
    """Win rate of each seat under different policies, the same for all seats."""
    found = seats(study, [played for row in tables.values() for played in row], "Outright wins.")
    return replace(found, name="seats_by_policy", title="Does the seat matter to other policies?")


def connected_by_others(study: Study, tables: Mapping[int, list[Batch]]) -> Table:
    """How often a connection is another player's doing, under different policies."""
    rows = []
    for players, row in tables.items():
        for played in row:
            records = frames.records(played)
            connected = (records.filter(like="points_own_") > 0).sum(axis=1)
            helped = (records.filter(like="points_other_") > 0).sum(axis=1)
            found = share_of(helped.to_numpy(float), (connected + helped).to_numpy(float))
            rows.append(
                {
                    "players": players,
                    "policy": label(played.lineup[0]),
                    "only_others": float((records["end"] == OTHER).mean()),
                    "also_others": float((records["end"] == SEVERAL).mean()),
                    "by_another": found.value,
                    "low": found.low,
                    "high": found.high,
                    "games": played.games,
                    "seed": study.seed,
                }
            )
    return Table(
        "by_others",
        "How often does another player make your connection?",
        pd.DataFrame(rows),
        False,
        study.simulated([part(study, CHANGED)])
        + " 'only others' and 'also others' are shares of all games; 'by another' is the "
        "share of all connections that earn points which the owner did not make.",
        percent=("only_others", "also_others", "by_another"),
        headings={"by_another": "connections made by another"},
        decimals={"only_others": 1, "also_others": 1},
    )


# -- what matters ----------------------------------------------------------------------------------------------


def ladder(study: Study) -> Table:
    """Each policy of the roster against the one below it."""
    return compare.ladder(study, [(study.game.policy(text), part(study, share)) for text, share in LADDER])


QUANTITIES: dict[str, compare.Quantity] = {
    "first_seat": lambda records: records["winners"] == 1,
    "others": lambda records: records["end"].isin([SEVERAL, OTHER]),
    "chips": lambda records: records.filter(like="taken_").sum(axis=1),
}
EFFECT_NOTE = (
    " Both meet the same dice. 'other winners': share of games that end with other winners than as set; 'first "
    "seat': its outright wins; 'others': games whose last move connects others, alone or too; "
    "'chips': chips taken in a game; the interval is that of the paired change in rounds."
)
DECIMALS = {"other_winners": 1, "redealt": 1, "first_seat": 1, "others": 1, "unfinished": 1, "chips": 2, "rounds": 1}
PERCENT = ("other_winners", "redealt", "first_seat", "others", "unfinished")


def table_sizes(study: Study) -> tuple[int, ...]:
    """Numbers of players for which changes are measured."""
    return numbers_of_players(study, (2, 4))


def effects(
    study: Study, changes: Callable[[], Iterable[tuple[str, object, Variant]]], games: int
) -> tuple[pd.DataFrame, dict[tuple[int, str, str], Floats]]:
    """What changes of the rules do, for each number of players: rows and their evidence."""
    found = [compare.effects(study, changes(), players, games, QUANTITIES) for players in table_sizes(study)]
    evidence = {key: change for _, each in found for key, change in each.items()}
    return pd.DataFrame([row for rows, _ in found for row in rows]), evidence


def rulings(study: Study) -> Table:
    """What each other reading of an ambiguous rule changes."""
    games = part(study, CHANGED)
    frame, evidence = effects(study, lambda: other_readings(study.variant), games)
    title, note = "Do the ambiguous rules matter?", study.simulated([games]) + EFFECT_NOTE
    headings = {"rule": "ruling", "change_in_rounds": "rounds more"}
    return Table("rulings", title, frame, False, note, PERCENT, headings, DECIMALS, evidence=evidence)


def reconstruction(study: Study) -> Table:
    """What each reconstructed component would change if it were otherwise."""
    games = part(study, CHANGED)
    frame, evidence = effects(study, lambda: changed.components(study.variant), games)
    title, note = "Do the reconstructed parts matter?", study.simulated([games]) + EFFECT_NOTE
    headings = {"rule": "part", "change_in_rounds": "rounds more"}
    return Table("parts", title, frame, False, note, PERCENT, headings, DECIMALS, evidence=evidence)
