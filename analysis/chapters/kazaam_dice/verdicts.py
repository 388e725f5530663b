"""What the page on Kazaam Dice claims about corners, doubles, elements, rules and parts."""

from collections.abc import Mapping

from analysis.chapter import Study
from analysis.chapters.kazaam_dice.fortune import EARLY
from analysis.chapters.kazaam_dice.words import READINGS
from analysis.claims import UNCLEAR, Claim, Compared, Question, Units, exact
from analysis.tables import Table
from analysis.verdicts import WORDS, amount, farthest_change, give_or_take, listed, played_by, spread


def corners(table: Table, players: int, study: Study) -> Question | None:
    """Whether a corner is better than another once every corner begins equally often."""
    wins = {f"corner {key[2]}": won for key, won in table.evidence.items() if key[0] == players}
    if len(wins) < 2:
        return None
    who = played_by(table, players, study)
    games = f"With {WORDS[players]} players, every corner going first equally often and played by {who},"
    return spread(f"corners of {players}", "corners", wins, games, study)


def doubles(table: Table, players: int, study: Study) -> Question | None:
    """Whether a seat with two early doubles wins more often than one with none."""
    found = {key[2:]: values for key, values in table.evidence.items() if key[0] == players}
    if not found or not all(found[number, "seats"].sum() for number in (0, 2)):
        return None
    games = f"{WORDS[players]}-player games of {played_by(table, players, study)} that last {EARLY} rounds"
    units = Units.difference(found[2, "wins"], found[2, "seats"], found[0, "wins"], found[0, "seats"])

    def points(verb: str, gap: str) -> str:
        return f"In {games} two early doubles {verb} a seat's win rate by {gap} points."

    open_ = f"Whether two early doubles help a seat in {games} is too close to call"
    return Compared(
        name=f"early doubles of {players}",
        family="doubles",
        seed=study.seed,
        units=units,
        sentences={
            "above": lambda gap: points("raise", amount(gap, times=100)),
            "below": lambda gap: points("lower", amount(gap, times=100)),
            UNCLEAR: lambda gap: f"{open_}: {give_or_take(gap, 1, 100, '+')} points.",
        },
    )


def elements(by_creature: Mapping[int, float], name: str, said: str) -> Claim:
    """Whether a tip does the same to every creature: exact shares of all directions."""
    low, high = min(by_creature.values()), max(by_creature.values())
    if high - low < 1e-9:
        return exact(
            name, "elements", "same", f"Whatever shows on top, {100 * high:.0f} % of the directions {said}.", high
        )
    worst = listed([str(creature) for creature, value in by_creature.items() if high - value < 1e-9])
    told = f"Of the directions in which a die can be tipped, up to {100 * high:.0f} % {said}, with creature {worst} on top."
    return exact(name, "elements", f"creature {worst}", told, high)


def lengths(table: Table, study: Study, what: str) -> list[Question]:
    """Which other reading of the rules, or other part, changes the length of games most, for each number of players measured."""
    sizes = sorted(set(table.frame["players"]))
    names = {players: f"{what} and length, {players} players" for players in sizes}
    asked = [farthest_change(table, players, study, names[players], READINGS, what=what) for players in sizes]
    return [question for question in asked if question]
