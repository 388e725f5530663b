"""Odds tables of Tacatuca, all exact: nothing here is rolled."""

import pandas as pd

from analysis.chapter import OddsTable, Study
from analysis.tables import Table
from sims.tacatuca import exact, joint, reference
from sims.tacatuca.rules import THROW_NAMES, THROWS

EXACT = "Exact: every joint throw is counted."


def numbers_of_players(study: Study, default: tuple[int, ...]) -> tuple[int, ...]:
    """The number of players that the user named, or those that the table shows by default."""
    return (study.players,) if study.players else default


def exchange(study: Study) -> Table:
    """Pins the thrower takes from the opponent for all 21 x 21 throws of two players."""
    rows = []
    for throw in THROW_NAMES:
        for opponent in THROW_NAMES:
            found = reference.exchange(study.variant.rules, throw, opponent)
            rows.append({"throw": throw, "opponent": opponent, "pins": found.pins, "rule": found.rule})
    note = "Exact. Two players who can pay in full; pins are what the thrower gains, negative if he pays."
    return Table("exchange", "Pins that change hands, throw against throw", pd.DataFrame(rows), True, note)


def throws(study: Study) -> Table:
    """Worth of each of the 21 throws."""
    cards = {card.double: card.name for card in study.variant.rules.cards}
    rows = []
    for players in numbers_of_players(study, (2, 3, 4)):
        for (high, low), value in zip(THROWS, joint.throw_values(study.variant.rules, players), strict=True):
            rows.append(
                {
                    "players": players,
                    "throw": value.throw,
                    "sum": high + low,
                    "card": cards.get(high, "") if high == low else "",
                    "probability": float(value.probability),
                    "highest": float(value.highest),
                    "shared": float(value.shared),
                    "net_pins": float(value.net),
                }
            )
    return Table(
        "throws",
        "What a throw is worth",
        pd.DataFrame(rows),
        True,
        EXACT + " Highest alone, shared highest and net pins are given the throw, everybody able to pay in full.",
        percent=("probability", "highest", "shared"),
    )


def step(study: Study) -> Table:
    """Net pins of one seat in one round."""
    rows = [
        {"players": players, "pins": pins, "probability": float(chance)}
        for players in numbers_of_players(study, (2, 3, 4))
        for pins, chance in joint.step_distribution(study.variant.rules, players).items()
    ]
    note = EXACT + " Net pins of one seat in one round when everybody can pay in full."
    return Table("step", "One round: how many pins you win or lose", pd.DataFrame(rows), True, note, percent=("probability",))


def win(study: Study) -> Table:
    """Chance to win by pins held."""
    rows = []
    for players in numbers_of_players(study, (2, 3)):
        total = study.variant.rules.pins * players
        values = values_of_all_states(study, players)
        for pins, chance, rounds in zip(values.pins, values.win, values.rounds, strict=True):
            own, *others = (int(pin) for pin in pins)
            # with four players the others hold alike, as far as the pins divide
            if players == 4 and max(others) - min(others) > 1:
                continue
            rows.append(
                {
                    "players": players,
                    "pins": own,
                    "others": "-".join(map(str, others)),
                    "win_probability": float(chance[0]),
                    "share_of_pins": own / total,
                    "rounds": float(rounds),
                }
            )
    return Table(
        "win",
        "Chance to win by pins held",
        pd.DataFrame(rows),
        True,
        "Exact: absorbing Markov chain. 'others' are the pins of the seats clockwise from yours; 'share of pins' is the "
        "chance in a fair walk; 'rounds' the mean number still to play. Two and three players, or --players 4.",
        percent=("win_probability", "share_of_pins"),
    )


def length(study: Study) -> Table:
    """Rounds to the end."""
    rows = []
    for players in numbers_of_players(study, (2, 3)):
        chances = from_the_start(study, players).distribution
        over = 0.0
        for number, chance in enumerate(chances):
            over += float(chance)
            if number and (chance > 5e-7 or over < 0.5):
                rows.append({"players": players, "round": number, "ends": float(chance), "over": over})
    return Table(
        "length",
        "Rounds to the end of the game",
        pd.DataFrame(rows),
        True,
        "Exact: absorbing Markov chain. 'ends' is the chance that the game ends in this round, 'over' that it is over by "
        "then; rounds rarer than one in two million are left out. Two and three players, or --players 4.",
        percent=("ends", "over"),
    )


def from_the_start(study: Study, players: int) -> exact.Solution:
    """The whole game from the rules' own start."""
    return solution(study, (study.variant.rules.pins,) * players)


def solution(study: Study, pins: tuple[int, ...]) -> exact.Solution:
    """An exact solution, with progress."""
    with study.watch.task(f"solving {len(pins)} players exactly", 100) as progress:
        return exact.solve(study.variant.rules, pins, progress)


def values_of_all_states(study: Study, players: int) -> exact.Values:
    """Win chance and mean rounds for every division of the pins."""
    with study.watch.task(f"solving {players} players exactly", 100) as progress:
        return exact.win_table(study.variant.rules, players, study.variant.rules.pins * players, progress)


ODDS = {
    "exchange": OddsTable("Who pays how much to whom, for every pair of throws, and which rule says so?", exchange),
    "throws": OddsTable("How likely is a throw, how often is it the highest, what is it worth?", throws),
    "step": OddsTable("How many pins do I win or lose in a round?", step),
    "win": OddsTable("How likely do I win with the pins that I hold?", win),
    "length": OddsTable("How long does a game take?", length),
}
