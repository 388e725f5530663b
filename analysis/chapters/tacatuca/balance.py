"""The balance sheet of Tacatuca: fair, how long, how tense, what a card is worth, what an ambiguous rule changes."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import compare, estimates, frames
from analysis.balance import Quantity, metrics_of, quantities, seats, spread
from analysis.chapter import Metric, Once, Sheet, Study, together
from analysis.chapters.tacatuca.odds import every_state, limit_note, quick, solution
from analysis.estimates import Estimate, mean_of, share_of
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.variant import other_readings, show
from sims.tacatuca import duel
from sims.tacatuca.rules import Rules

PLAYERS = (2, 3, 4)
#: With four players an exact solution takes too long to ask for every reading.
EXACT_READINGS = (2, 3)
#: Names of what :func:`tension` measures.
TENSION = ("rounds", "lead_changes", "comeback", "comeback_half", "decisive", "idle", "unfinished")
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

    return Once.over(study.numbers_of_players(PLAYERS), play)


def sheet(study: Study, batches: Mapping[int, Batch]) -> Sheet:
    """What the batches show, beside what is exact."""
    measured = Once.over(batches, lambda players: tension(study, batches[players]))
    alike = "The rules treat all seats alike up to rotation, so the exact share is 1 / players."
    tables: dict[str, Callable[[], Table]] = {
        "seats": lambda: seats(study, list(batches.values()), alike),
        "tension": lambda: quantities(
            study, "tension", "Length and tension", [(batches[players], found) for players, found in measured.items()]
        ),
        "snowball": lambda: snowball(study, batches),
    }
    if study.variant.rules.pins <= CARDS_PINS:
        tables["cards"] = lambda: cards(study)
    if exact_readings(study):
        tables["rulings"] = lambda: effects(study)
    if 4 in batches:
        tables["rulings_4"] = lambda: effects_of_four(study)
    metrics: dict[str, Callable[[], Metric]] = {
        f"seat_spread_{players}": partial(spread, batches, players) for players in batches
    }
    for players in batches:

        def found(players: int = players) -> dict[str, Metric]:
            return metrics_of([(batches[players], measured[players])], lambda played: str(played.players))

        metrics |= together([f"{quantity}_{players}" for quantity in TENSION], found)
    return Sheet(Once(tables), Once(metrics))


def tension(study: Study, played: Batch) -> list[Quantity]:
    """Length, lead changes, comebacks, decisiveness."""
    records = frames.records(played)
    closed = records[records["unfinished"] == 0]
    decisive = closed["leads_since"] / closed["rounds"]
    half = estimates.proportion(int((closed["comeback"] * 2 <= study.variant.rules.pins).sum()), len(closed))
    unfinished = estimates.proportion(played.unfinished, played.games)
    return [
        ("rounds", "", frames.mean(played, "rounds"), "rounds in a game"),
        ("lead_changes", "", frames.mean(played, "lead_changes"), "times the sole lead passes to another seat"),
        ("comeback", "", frames.mean(played, "comeback"), "fewest pins the winner ever held"),
        ("comeback_half", "share", half, "finished games whose winner once held half of their starting pins or fewer"),
        ("decisive", "share", mean_of(decisive, 0, 1), "part of a finished game after which the winner leads for good"),
        ("idle", "share", share_of(records["idle_rounds"], records["rounds"]), "rounds in which no pin moves"),
        ("unfinished", "share", unfinished, "games cut off by max_rounds"),
    ]


def snowball(study: Study, batches: Mapping[int, Batch]) -> Table:
    """Win rate of the sole leader after each quarter of the game."""
    rows = []
    for players, played in batches.items():
        records = frames.records(played)
        seats_of_masks = {1 << seat: seat + 1 for seat in range(players)}
        records = records[records["unfinished"] == 0]
        games = pd.DataFrame({"winner": records["winners"].map(seats_of_masks).fillna(0)}).join(
            records.filter(like="quarter")
        )
        for quarter in (1, 2, 3):
            real = leader_wins(games, quarter)
            total = study.variant.rules.pins * players
            rows.append(
                {
                    "players": players,
                    "after": f"{quarter}/4",
                    "leader_holds": holds(games, quarter, total),
                    "leader_wins": real.value,
                    "low": real.low,
                    "high": real.high,
                    "games": played.games,
                    "seed": played.seed,
                }
            )
    return Table(
        "snowball",
        "How often does the leader win?",
        pd.DataFrame(rows),
        False,
        study.simulated()
        + " Finished games with a sole leader. Quarters are of each game's own length, which nobody at "
        "the table knows: the chances of a position are in the table 'win'.",
        percent=("leader_holds", "leader_wins"),
    )


def holds(games: pd.DataFrame, quarter: int, total: int) -> float:
    """Mean share of all pins that the sole leader after a quarter holds."""
    leading = games.loc[games[f"quarter_leader_{quarter}"] > 0, f"quarter_pins_{quarter}"]
    return float(leading.mean()) / total if len(leading) else np.nan


def leader_wins(games: pd.DataFrame, quarter: int) -> Estimate:
    """Share of games with a sole leader after a quarter that this leader wins."""
    leader = games[f"quarter_leader_{quarter}"]
    led = leader > 0
    return estimates.proportion(int((leader == games["winner"])[led].sum()), int(led.sum()))


def cards(study: Study) -> Table:
    """What each card is worth to its owner, and to the game."""
    rules: Rules = study.variant.rules

    def two(net: NDArray[np.int64]) -> duel.Duel:
        return duel.solve(net, rules.pins, 2 * rules.pins, rules.max_rounds)

    base = two(duel.net_pins(rules))
    rows = []
    for card in rules.cards:
        alone = two(duel.net_without_my_card(rules, card.name))
        nobody = two(duel.net_pins(rules.without_card(card.name)))
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
    return Table(
        "cards",
        "What a card is worth",
        pd.DataFrame(rows),
        True,
        "Exact, two players. 'you win without': your chance if your card had no text while your opponent's has; 'worth' is "
        "what it costs you against the full cards. 'rounds without': mean length if nobody's card has the text."
        + limit_note(base.unfinished, rules),
        percent=("you_win_without", "worth"),
    )


def exact_readings(study: Study) -> list[int]:
    """The numbers of players asked for whose readings are solved exactly."""
    readings = 1 + len(list(other_readings(study.variant)))
    asked = set(study.numbers_of_players(PLAYERS)) & set(quick(study, readings))
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
                    "ruling": name,
                    "reading": show(other),
                    "rounds": rounds,
                    "change": rounds / base.rounds_mean - 1,
                    "half_pins_win": poor,
                    "difference": poor - base_poor,
                }
            )
    return Table(
        "rulings",
        "Do the ambiguous rules matter?",
        pd.DataFrame(rows),
        True,
        "Exact: absorbing Markov chains. 'rounds' is the mean length, 'half pins win' the chance of a player who holds half "
        "of the starting pins while the others hold alike." + limit_note(cut, study.variant.rules),
        percent=("change", "half_pins_win", "difference"),
    )


def poor_chance(study: Study, rules: Rules, players: int) -> float:
    """Chance to win with half of the starting pins while the others share the rest alike."""
    table = every_state(study, players, rules)
    own = max(1, rules.pins // 2)
    missing = rules.pins * players - own
    others = [missing // (players - 1) + (seat < missing % (players - 1)) for seat in range(players - 1)]
    return float(table.win[table.row([own, *others]), 0])


def effects_of_four(study: Study) -> Table:
    """What each other reading changes for four players: the same dice under both, differences game by game."""
    rows, evidence = compare.effects(study, other_readings(study.variant), 4, study.games, {})
    note = study.simulated() + (
        " Both readings meet the same dice. 'other winners': share of games that end with other winners than as set, "
        "'redealt': what fresh dice alone would make it; the interval is that of the paired change in rounds."
    )
    percent, headings = ("other_winners", "redealt", "unfinished"), {"rule": "ruling"}
    return Table(
        "rulings_4",
        "Do they matter with four players?",
        pd.DataFrame(rows),
        False,
        note,
        percent,
        headings,
        evidence=evidence,
    )
