"""The balance sheet of Tacatuca: fair, how long, how tense, what a card is worth, what an ambiguous rule changes."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import compare, frames
from analysis.balance import PLAYERS, common, metrics, quantities, seats
from analysis.chapter import Metric, Once, Sheet, Study
from analysis.chapters.tacatuca.odds import CHAIN, SHOWN, every_state, limit_note, quick, solution
from analysis.measures import Column, Measure, Measured, exactly, mean, of_field, per, share
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.variant import other_readings, show
from sims.tacatuca import duel
from sims.tacatuca.rules import Rules

SIZES = (2, 3, 4)
#: With four players an exact solution takes too long to ask for every reading.
EXACT_READINGS = (2, 3)
#: A dozen duels are solved for the worth of the cards, by dense matrices of twice so many pins.
CARDS_PINS = 100


def balance(study: Study) -> Sheet:
    """All tables and metrics; the numbers of players the user named, or 2, 3 and 4."""
    return sheet(study, batches(study))


def batches(study: Study) -> Mapping[int, Batch]:
    """Games of the study's variant by number of players, with their records."""

    def play(players: int) -> Batch:
        label = f"playing Tacatuca with {players} players"
        return study.play(label, lineup=study.game.lineup((), players), records=True)

    return Once.over(study.numbers_of_players(SIZES), play)


def sheet(study: Study, batches: Mapping[int, Batch]) -> Sheet:
    """What the batches show, beside what is exact."""
    alike = "The rules treat all seats alike up to rotation, so the exact share is 1 / players."
    measured = measures(study)
    tables: dict[str, Callable[[], Table]] = {
        "seats": lambda: seats(batches.values(), alike),
        "tension": lambda: quantities("tension", "Length and tension", measured, batches.values()),
        "snowball": lambda: snowball(study, batches),
    }
    found = metrics(measured, batches)
    if study.variant.rules.pins <= CARDS_PINS:
        tables["cards"] = lambda: cards(study)
        # where the limit of rounds is felt, the win chance depends on the round too
        if 2 in batches and two(study.variant.rules).unfinished <= SHOWN:
            swings = Once.over(DRAMA, lambda name: drama(study)[name])
            tables["drama"] = lambda: drama_table(study)
            found |= {f"{name}_2": partial(swings.__getitem__, name) for name in DRAMA}
    if exact_readings(study):
        tables["rulings"] = lambda: effects(study)
    if 4 in batches:
        tables["rulings_4"] = lambda: effects_of_four(study)
    return Sheet(Once(tables), Once(found))


# -- quantities of a game --------------------------------------------------------------------------------------


def measures(study: Study) -> tuple[Measure, ...]:
    """Length, lead changes, comebacks, decisiveness."""

    def closed(batch: Batch) -> pd.DataFrame:
        records = frames.records(batch)
        return records[records["unfinished"] == 0]

    def half(batch: Batch) -> Measured:
        fewest = closed(batch)["comeback"]
        return share(int((fewest * 2 <= study.variant.rules.pins).sum()), len(fewest), batch.games, batch.seed)

    def decisive(batch: Batch) -> Measured:
        games = closed(batch)
        return mean(games["leads_since"] / games["rounds"], batch.seed, 0, 1)

    return (
        *common(study),
        of_field("comeback", "fewest pins the winner ever held"),
        Measure(
            "comeback_half",
            meaning="finished games whose winner once held half of their starting pins or fewer",
            kind="share",
            find=half,
        ),
        Measure(
            "decisive",
            meaning="part of a finished game after which the winner leads for good",
            kind="share",
            find=decisive,
            source="Browne 2008",
        ),
        per(
            "restricted",
            "rounds in which no pin moves",
            lambda records: records["idle_rounds"],
            lambda records: records["rounds"],
            high=1,
        ),
    )


#: What suspense and surprise are (:class:`sims.tacatuca.duel.Drama`).
DRAMA = {
    "swings": "expected sum of the squared changes of a player's win chance p: p (1 - p) at the start, in any game whatever",
    "suspense": "expected sum, over the rounds, of the standard deviation of the win chance after the round",
    "surprise": "expected sum, over the rounds, of the size of the change of the win chance",
}


def drama(study: Study) -> dict[str, Metric]:
    """How the win chance moves in a two-player game, exactly."""
    rules: Rules = study.variant.rules
    found = duel.drama(duel.net_pins(rules), rules.pins, 2 * rules.pins)
    return {
        name: Metric(exactly(getattr(found, name)), f"2 players: {meaning} (exact)") for name, meaning in DRAMA.items()
    }


def drama_table(study: Study) -> Table:
    """The same as a table."""
    rows = [{"quantity": name, "value": metric.number, "meaning": DRAMA[name]} for name, metric in drama(study).items()]
    columns = (Column("quantity", kind="key"), Column("value"), Column("meaning", kind="text"))
    remark = "Two players, without a limit of rounds. After Ely, Frankel and Kamenica, Suspense and surprise, 2015."
    return Table.of("drama", "Suspense and surprise", columns, rows, method=CHAIN, remark=remark)


SNOWBALL = (
    PLAYERS,
    Column("after", kind="key", meaning="a part of each game's own length, which nobody at the table knows"),
    Column("leader_holds", kind="share", meaning="mean share of all pins that the sole leader holds"),
    Column("leader_wins", kind="share", meaning="finished games with a sole leader whom that leader wins"),
)


def snowball(study: Study, batches: Mapping[int, Batch]) -> Table:
    """Win rate of the sole leader after each quarter of the game."""
    rows = []
    for players, played in batches.items():
        records = frames.records(played)
        records = records[records["unfinished"] == 0]
        winner = records["winners"].map({1 << seat: seat + 1 for seat in range(players)}).fillna(0)
        for quarter in (1, 2, 3):
            leader, pins = records[f"quarter_leader_{quarter}"], records[f"quarter_pins_{quarter}"]
            led = leader > 0
            wins = share(int((leader == winner)[led].sum()), int(led.sum()), played.games, played.seed)
            holds = float(pins[led].mean()) / (study.variant.rules.pins * players) if led.any() else np.nan
            rows.append({"players": players, "after": f"{quarter}/4", "leader_holds": holds, "leader_wins": wins})
    return Table.of("snowball", "How often does the leader win?", SNOWBALL, rows)


# -- cards -----------------------------------------------------------------------------------------------------

CARDS = (
    Column("card", kind="key"),
    Column("throw", kind="text"),
    Column("you_win_without", kind="share", meaning="your chance if your card had no text while your opponent's has"),
    Column("worth", kind="share", meaning="what that costs you against the full cards"),
    Column("rounds"),
    Column("rounds_without", meaning="mean length if nobody's card has the text"),
)


def two(rules: Rules, net: NDArray[np.int64] | None = None) -> duel.Duel:
    """A two-player game from the start, with what the first seat gains by ``net`` if that is not what the rules say."""
    gains = duel.net_pins(rules) if net is None else net
    return duel.solve(gains, rules.pins, 2 * rules.pins, rules.max_rounds)


def cards(study: Study) -> Table:
    """What each card is worth to its owner, and to the game."""
    rules: Rules = study.variant.rules
    base = two(rules)
    rows = []
    for card in rules.cards:
        alone = two(rules, duel.net_without_my_card(rules, card.name))
        nobody = two(rules.without_card(card.name))
        rows.append(
            {
                "card": card.name,
                "throw": f"{card.double}-{card.double}",
                "you_win_without": alone.win,
                "worth": base.win - alone.win,
                "rounds": base.rounds,
                "rounds_without": nobody.rounds,
            }
        )
    remark = f"Two players.{limit_note(base.unfinished, rules)}"
    return Table.of("cards", "What a card is worth", CARDS, rows, method=CHAIN, remark=remark)


# -- readings --------------------------------------------------------------------------------------------------

EFFECTS = (
    PLAYERS,
    compare.RULE,
    compare.READING,
    Column("rounds", meaning="mean length"),
    Column("change", kind="share"),
    Column(
        "half_pins_win",
        kind="share",
        meaning="chance of a player who holds half of the starting pins while the others hold alike",
    ),
    Column("difference", kind="share"),
)


def exact_readings(study: Study) -> list[int]:
    """The numbers of players asked for whose readings are solved exactly."""
    readings = 1 + len(list(other_readings(study.variant)))
    asked = set(study.numbers_of_players(SIZES)) & set(quick(study, readings))
    return [players for players in EXACT_READINGS if players in asked]


def effects(study: Study) -> Table:
    """What each other reading of an ambiguous rule changes, exactly for two and three players."""
    rows = []
    cut = 0.0
    for players in exact_readings(study):
        start = (study.variant.rules.pins,) * players
        base = solution(study, study.variant.rules, start)
        cut = max(cut, base.unfinished)
        base_poor = poor_chance(study, study.variant.rules, players)
        for name, other, variant in [("(as set)", "", study.variant), *other_readings(study.variant)]:
            rules: Rules = variant.rules
            rounds, poor = solution(study, rules, start).rounds_mean, poor_chance(study, rules, players)
            rows.append(
                {
                    "players": players,
                    "rule": name,
                    "reading": show(other),
                    "rounds": rounds,
                    "change": rounds / base.rounds_mean - 1,
                    "half_pins_win": poor,
                    "difference": poor - base_poor,
                }
            )
    remark = limit_note(cut, study.variant.rules).strip()
    return Table.of("rulings", "Do the ambiguous rules matter?", EFFECTS, rows, method=CHAIN, remark=remark)


def poor_chance(study: Study, rules: Rules, players: int) -> float:
    """Chance to win with half of the starting pins while the others share the rest alike."""
    table = every_state(study, players, rules)
    own = max(1, rules.pins // 2)
    missing = rules.pins * players - own
    others = [missing // (players - 1) + (seat < missing % (players - 1)) for seat in range(players - 1)]
    return float(table.win[table.row([own, *others]), 0])


def effects_of_four(study: Study) -> Table:
    """What each other reading changes for four players: the same dice under both, differences game by game."""
    rows = compare.effects(study, other_readings(study.variant), 4, study.games, {})
    return compare.readings("rulings_4", "Do they matter with four players?", rows)
