"""The balance sheet of Kazaam Dice: is it fair, how does it go, what is worth what, which rules and parts matter."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

from analysis import compare, frames
from analysis.balance import PLAYERS, POLICY, WIN_RATE, common, label, metrics, quantities, seats, winners_of
from analysis.chapter import Metric, Once, Sheet, Study
from analysis.chapters.kazaam_dice import fortune, kings
from analysis.chapters.kazaam_dice.games import kept_games, logged, numbers_of_players, played_by
from analysis.chapters.kazaam_dice.words import ENDINGS
from analysis.measures import Column, Measure, Measured, mean, of_field, of_seats, per, ratio, share_of_games
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.variant import Variant, other_readings
from sims.kazaam_dice import changed
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
#: Part of the study's games that each changed rule or component gets, and each policy that plays itself.
CHANGED = 0.3
#: The same for each order of play in which corners are compared.
CORNERS = 0.5


@dataclass(frozen=True)
class Played:
    """The games behind the sheet, by number of players.

    Attributes
    ----------
    batches, logs
        The study's policy at every seat, with records; and the uses of the first of these games.
    equal
        Several policies, each against itself.
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


def batch(study: Study, players: int) -> Batch:
    """Games of the study's variant for a number of players, with their records."""
    return study.play(f"playing {players} players", lineup=compare.lineup(study, players), records=True)


def equal_tables(study: Study, players: int) -> list[Batch]:
    """Games in which all seats play alike: random, runner, and the study's own policy."""
    policies = dict.fromkeys([*(study.game.policy(name) for name in EQUAL), study.lineup[0]])
    games = part(study, CHANGED)
    return [
        study.play(f"{players} times {label(chosen)}", lineup=(chosen,) * players, games=games, records=True)
        for chosen in policies
    ]


def part(study: Study, share: float) -> int:
    """A part of the study's games, at least 20."""
    return max(min(20, study.games), round(share * study.games))


def balance(study: Study) -> Sheet:
    """All tables and metrics."""
    return sheet(study, play(study))


def sheet(study: Study, played: Played) -> Sheet:
    """All tables and metrics from games played."""
    batches, board = played.batches, study.variant.rules.load_board()
    course, chips, king = measures(study), fortune.measures(study, played.logs), kings.found(study)
    finders: dict[str, Callable[[], Table]] = {
        "seats": lambda: seats(batches.values(), turning(study)),
        "corners": lambda: corners(study),
        "course": lambda: quantities("course", "How does a game go?", course, batches.values()),
        "ends": lambda: quantities("ends", "How do games end?", ENDED, batches.values()),
        "seats_by_policy": lambda: seats_by_policy(played.equal),
        "by_others": lambda: connected_by_others(played.equal),
        "chips": lambda: quantities("chips", "What are chips used for?", chips, batches.values(), fortune.CHIPS),
        "chips_taken": lambda: fortune.takers(batches),
        "doubles_worth": lambda: fortune.early_doubles(batches, played.logs, kept_games(study)),
    }
    if king:
        finders["kingmaking"] = lambda: kings.kingmaking(study, king)
    if 2 in board.seating:
        finders["ladder"] = lambda: ladder(study)
    finders |= {"rulings": lambda: rulings(study), "parts": lambda: reconstruction(study)}
    tables = Once(finders)
    found = metrics((*course, *ENDED, *chips), batches)
    found |= {f"{name}_{n}": partial(_king, king, name, n) for name in kings.MEANINGS for n in king}
    if "ladder" in tables:
        steps = pairwise(name for name, _ in LADDER)
        found |= {f"skill_{better}": partial(_skill, study, tables, better, below) for below, better in steps}
    return Sheet(tables, Once(found))


def _king(king: Mapping[int, Mapping[str, Measured]], name: str, players: int) -> Metric:
    return Metric(king[players][name], f"{players} players: {kings.MEANINGS[name]}")


def _skill(study: Study, tables: Mapping[str, Table], name: str, below: str) -> Metric:
    """A step of the ladder as a metric."""
    lead = mean(tables["ladder"].evidence[name, below], study.seed, -1, 1)
    return Metric(lead, f"2 players: wins of {name} minus those of {below}")


# -- who is favoured -------------------------------------------------------------------------------------------


def turning(study: Study) -> str:
    """What to expect of the seats where board and policies turn alike."""
    alike = changed.is_symmetric(study.variant.rules.load_board()) and len(set(study.lineup)) == 1
    told = "The board and all policies turn alike, so seats differ only through the order of play and their place."
    return told if alike else ""


def seats_by_policy(tables: Mapping[int, list[Batch]]) -> Table:
    """Win rate of each seat under different policies, the same for all seats."""
    batches = [played for row in tables.values() for played in row]
    return seats(batches, "All seats play alike.", "seats_by_policy", "Does the seat matter to other policies?")


def corners(study: Study) -> Table:
    """Win rate of each corner when every corner begins equally often.

    Orders of play that are turned against each other meet the same dice, and on a board that turns onto itself they are the same
    game: the unit is the game number, of which a corner wins a share over the orders.
    """
    rows: list[dict[str, object]] = []
    board, games = study.variant.rules.load_board(), part(study, CORNERS)
    for players in numbers_of_players(study):
        seating = board.seats(players)
        wins = {alchemist: np.zeros(games, np.int64) for alchemist in sorted(seating)}
        for turn in range(players):
            alchemists = seating[turn:] + seating[:turn]
            with changed.on_board(study.variant, changed.seated(board, alchemists)) as variant:
                what, lineup = f"alchemist {alchemists[0]} of {players} begins", compare.lineup(study, players)
                winners = winners_of(study.play(what, variant=variant, lineup=lineup, games=games, records=True))
            for seat, alchemist in enumerate(alchemists):
                wins[alchemist] += winners == 1 << seat
        policy = played_by(study, players)
        for alchemist, won in wins.items():
            rate = mean(won / players, study.seed, 0, 1)
            rows.append({"players": players, "policy": policy, "alchemist": alchemist, "win_rate": rate})
    remark = "Each game is played once from every corner on the same dice. What differs is the place among the occupied corners."
    columns = (PLAYERS, POLICY, Column("alchemist", kind="key"), WIN_RATE)
    return Table.of("corners", "Does the corner matter?", columns, rows, remark=remark)


# -- how it goes -----------------------------------------------------------------------------------------------


def _end(code: int, name: str) -> Measure:
    return share_of_games(f"end_{name}", ENDINGS[name], lambda records: records["end"] == code)


#: How games end.
ENDED = tuple(_end(code, name) for code, name in enumerate(ENDS))


def measures(study: Study) -> tuple[Measure, ...]:
    """Length, board, leads and losses."""
    return (
        *common(study),
        of_field("turns", "turns in a game"),
        of_field("dice", "dice on the board at the end"),
        of_field("longest_chain", "dice of the largest linked group at the end"),
        *(of_field(name, f"dice {name}") for name in ("placed", "tipped", "burnt", "drowned")),
        per("restricted", "rolls that have no use", lambda records: records["passes"], rolls, high=1),
    )


def rolls(records: pd.DataFrame) -> "pd.Series[float]":
    """Rolls of a game: one a turn, and one for each chip spent."""
    return records["turns"] + of_seats(records, "extra") + of_seats(records, "rerolls")


BY_OTHERS = (
    PLAYERS,
    POLICY,
    Column("only_others", kind="share", digits=1, meaning="games whose last move connects others, not its player"),
    Column("also_others", kind="share", digits=1, meaning="games whose last move connects its player and others"),
    Column("by_another", "by another", "connections that earn points and are another player's doing", kind="share"),
)


def connected_by_others(tables: Mapping[int, list[Batch]]) -> Table:
    """How often a connection is another player's doing, under different policies."""
    rows = []
    for players, batches in tables.items():
        for played in batches:
            records = frames.records(played)
            own, helped = ((records.filter(like=f"points_{how}_") > 0).sum(axis=1) for how in ("own", "other"))
            row = {"players": players, "policy": label(played.lineup[0])}
            row |= {"only_others": (records["end"] == OTHER).mean(), "also_others": (records["end"] == SEVERAL).mean()}
            rows.append(row | {"by_another": ratio(helped, own + helped, played.seed, 0, 1)})
    return Table.of("by_others", "How often does another player make your connection?", BY_OTHERS, rows)


# -- what matters ----------------------------------------------------------------------------------------------


def ladder(study: Study) -> Table:
    """Each policy of the roster against the one below it."""
    return compare.ladder(study, [(study.game.policy(text), part(study, share)) for text, share in LADDER])


#: What is told of a change beside the length: how it is called, and how it is found in records.
EFFECTS: Mapping[Column, compare.Quantity] = {
    Column("first_seat", kind="share", digits=1, meaning="its outright wins"): lambda records: records["winners"] == 1,
    Column("others", kind="share", digits=1, meaning="games whose last move connects others, alone or too"): (
        lambda records: records["end"].isin([SEVERAL, OTHER])
    ),
    Column("chips", digits=2, meaning="chips taken in a game"): lambda records: of_seats(records, "taken"),
}


def effects(
    study: Study, name: str, title: str, changes: Callable[[], Iterable[tuple[str, object, Variant]]], rule: Column
) -> Table:
    """What changes of the rules do, for the smallest and the largest number of players."""
    games, found = part(study, CHANGED), {column.name: quantity for column, quantity in EFFECTS.items()}
    rows = [
        row
        for players in numbers_of_players(study, (2, 4))
        for row in compare.effects(study, changes(), players, games, found)
    ]
    return compare.readings(name, title, rows, *EFFECTS, rule=rule)


def rulings(study: Study) -> Table:
    """What each other reading of an ambiguous rule changes."""
    title = "Do the ambiguous rules matter?"
    return effects(study, "rulings", title, lambda: other_readings(study.variant), compare.RULE)


def reconstruction(study: Study) -> Table:
    """What each reconstructed component would change if it were otherwise."""
    title, rule = "Do the reconstructed parts matter?", replace(compare.RULE, heading="part")
    return effects(study, "parts", title, lambda: changed.components(study.variant), rule)
