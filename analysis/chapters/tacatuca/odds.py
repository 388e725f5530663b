"""Odds tables of Tacatuca, all exact: nothing here is rolled."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from math import comb

from analysis.balance import PLAYERS
from analysis.chapter import OddsTable, Study
from analysis.measures import Column
from analysis.tables import Table
from sims.engine.batch import Progress
from sims.engine.errors import InputError
from sims.tacatuca import exact, joint, reference, ring
from sims.tacatuca.rules import THROW_NAMES, THROWS, Rules

EXACT, CHAIN = "Exact: every joint throw is counted.", "Exact: absorbing Markov chain."
#: What a chain may cost that nobody asked for by name, in states times rounds (about 5 million a second): so much in
#: any case, and more for each game that is asked for, since who waits for many games waits for a chain too.
WORK, WORK_PER_GAME = 21_500_000, 300
#: Rounds that take as long as it takes to find out where a round leads.
SETTING_UP = 1000
#: A share of games that is worth a word: no table tells a smaller one from 0.
SHOWN = 1e-6


def solvable(pins: int) -> list[int]:
    """The numbers of players whose whole game from so many pins each is solved exactly."""
    return [players for players, most in ring.MAX_TOTAL.items() if players * pins <= most]


def quick(study: Study, solutions: int = 1) -> list[int]:
    """The solvable numbers of players for which so many solutions take no longer than is in proportion."""
    rules: Rules = study.variant.rules
    most = max(WORK, WORK_PER_GAME * study.games)
    return [players for players in solvable(rules.pins) if solutions * work(rules, players) <= most]


def work(rules: Rules, players: int) -> int:
    """About what a chain costs: the ways to spread the pins, times the rounds until next to nothing is in play."""
    total = players * rules.pins
    return comb(total - 1, players - 1) * (SETTING_UP + min(rules.max_rounds, 2 * total**2 // 5))


def limit_note(unfinished: float, rules: Rules) -> str:
    """What the note of a table must say if a share of the games is cut off that its numbers show."""
    if unfinished <= SHOWN:
        return ""
    return f" A game still open after {rules.max_rounds:,} rounds ends there, without a winner."


def asked_or_quick(study: Study) -> tuple[int, ...]:
    """The number of players asked for, or two and three as far as they are quick; one clear line if there is none."""
    if study.players:
        return (study.players,)
    found = tuple(players for players in quick(study) if players < 4)
    if not found:
        # the refusal of the solver says what can be solved
        ring_most = ring.MAX_TOTAL[2] // 2
        raise InputError(
            f"pins: {study.variant.rules.pins} is too many to be solved exactly; at most {ring_most} with two players"
        )
    return found


EXCHANGE = (
    Column("throw", kind="key"),
    Column("opponent", kind="key"),
    Column("pins", meaning="what the thrower gains, negative if they pay"),
    Column("rule", kind="text"),
)


def exchange(study: Study) -> Table:
    """Pins the thrower takes from the opponent for all 21 x 21 throws of two players."""
    pairs = [(throw, opponent) for throw in THROW_NAMES for opponent in THROW_NAMES]
    found = [(*pair, reference.exchange(study.variant.rules, *pair)) for pair in pairs]
    rows = [{"throw": own, "opponent": other, "pins": each.pins, "rule": each.rule} for own, other, each in found]
    title, remark = "Pins that change hands, throw against throw", "Two players who can pay in full."
    return Table.of("exchange", title, EXCHANGE, rows, method="Exact.", remark=remark)


WORTH = (
    PLAYERS,
    Column("throw", kind="key"),
    Column("sum"),
    Column("card", kind="text"),
    Column("probability", kind="share"),
    Column("highest", kind="share", meaning="chance to be the highest alone, given the throw"),
    Column("shared", kind="share", meaning="chance to share the highest"),
    Column("net_pins", meaning="mean pins gained in the round, everybody able to pay in full"),
)


def throws(study: Study) -> Table:
    """Worth of each of the 21 throws."""
    cards = {card.double: card.name for card in study.variant.rules.cards}
    rows = []
    for players in study.numbers_of_players((2, 3, 4)):
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
    return Table.of("throws", "What a throw is worth", WORTH, rows, method=EXACT)


def step(study: Study) -> Table:
    """Net pins of one seat in one round."""
    rows = [
        {"players": players, "pins": pins, "probability": float(chance)}
        for players in study.numbers_of_players((2, 3, 4))
        for pins, chance in joint.step_distribution(study.variant.rules, players).items()
    ]
    columns = (
        PLAYERS,
        Column("pins", kind="key", meaning="net pins of one seat when everybody can pay in full"),
        Column("probability", kind="share"),
    )
    return Table.of("step", "One round: how many pins you win or lose", columns, rows, method=EXACT)


UNFINISHED = Column("unfinished", kind="share")
WINS = (
    PLAYERS,
    Column("pins", kind="key"),
    Column("others", kind="key", meaning="pins of the seats clockwise from yours"),
    Column("win_probability", kind="share"),
    Column("share_of_pins", kind="share", meaning="your part of all pins: the chance in a fair walk"),
    Column("rounds", meaning="mean number still to play"),
)


def win(study: Study) -> Table:
    """Chance to win by pins held."""
    rows, cut = [], 0.0
    for players in asked_or_quick(study):
        total = study.variant.rules.pins * players
        found = every_state(study, players)
        cut = max(cut, float(found.unfinished.max()))
        for pins, chance, rounds, left in zip(found.pins, found.win, found.rounds, found.unfinished, strict=True):
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
                    "unfinished": float(left),
                }
            )
    columns = (*WINS, UNFINISHED) if cut > SHOWN else WINS
    remark = "Two and three players, or --players 4." + limit_note(cut, study.variant.rules)
    return Table.of("win", "Chance to win by pins held", columns, rows, method=CHAIN, remark=remark)


LENGTH = (
    PLAYERS,
    Column("round", kind="key"),
    Column("ends", kind="share", meaning="chance that the game ends in this round"),
    Column("over", kind="share", meaning="chance that it is over by then"),
)


def length(study: Study) -> Table:
    """Rounds to the end."""
    rows, cut = [], 0.0
    for players in asked_or_quick(study):
        found = solution(study, study.variant.rules, (study.variant.rules.pins,) * players)
        cut = max(cut, found.unfinished)
        for number, (ends, over) in enumerate(zip(found.ended, found.over_by, strict=True)):
            if number and (ends > 5e-7 or over < 0.5):
                rows.append({"players": players, "round": number, "ends": float(ends), "over": float(over)})
    remark = "Rounds rarer than one in two million are left out. Two and three players, or --players 4."
    remark += limit_note(cut, study.variant.rules)
    return Table.of("length", "Rounds to the end of the game", LENGTH, rows, method=CHAIN, remark=remark)


@contextmanager
def watched(study: Study) -> Iterator[Callable[[float, str], None]]:
    """What the exact chains report to: ``progress(share done, stage)``, shown as one bar a stage."""
    with ExitStack() as stack:
        stage, done = "", 0
        advance: Progress

        def progress(share: float, what: str) -> None:
            nonlocal stage, done, advance
            if what != stage:
                stack.close()
                stage, done = what, 0
                advance = stack.enter_context(study.watch.task(f"exact chains: {what}", 100))
            now = int(100 * share)
            if now > done:
                advance(now - done)
                done = now

        yield progress


def solution(study: Study, rules: Rules, pins: tuple[int, ...]) -> exact.Solution:
    """A game followed from these pins to its end, or to the limit of rounds."""
    with watched(study) as progress:
        return exact.solve(rules, pins, progress)


def every_state(study: Study, players: int, rules: Rules | None = None) -> exact.WinTable:
    """Win chance and mean rounds for every division of the pins."""
    chosen = rules or study.variant.rules
    with watched(study) as progress:
        return exact.win_table(chosen, players, chosen.pins * players, progress)


ODDS = {
    "exchange": OddsTable("Who pays how much to whom, for every pair of throws, and which rule says so?", exchange),
    "throws": OddsTable("How likely is a throw, how often is it the highest, what is it worth?", throws),
    "step": OddsTable("How many pins do I win or lose in a round?", step),
    "win": OddsTable("How likely do I win with the pins that I hold?", win),
    "length": OddsTable("How long does a game take?", length),
}
