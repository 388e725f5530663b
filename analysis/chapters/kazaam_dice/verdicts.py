"""What the page on Kazaam Dice claims about corners, policies, doubles, elements and rules."""

from collections.abc import Mapping, Sequence

from analysis.claims import UNCLEAR, Claim, Combined, Compared, Question, Spread, Units, exact
from analysis.tables import Table
from analysis.verdicts import CLOSE, WORDS, amount, farthest_change, give_or_take, listed, steps, wins_of

#: What people call a reading; the key stands beside it in the tables.
READINGS = {
    ("placing", "picture"): "Placing a die only on its picture",
    ("placing", "any"): "Placing a die on any field",
    ("double_placing", "picture"): "Placing a double only on its picture",
    ("double_placing", "any"): "Placing a double on any field",
    ("fire_water", "burns"): "Letting dice be tipped to their loss",
    ("fire_water", "no_suicide"): "Forbidding tips that lose the die",
    ("chain_ends", "on"): "Asking for dice on both ends of a chain",
    ("chain_ends", "beside"): "Letting a chain end beside its fields",
    ("taking", "any_turn"): "Letting every owner take chips",
    ("taking", "own_turn"): "Letting only the player on turn take chips",
    ("favourites", "apart"): "Keeping favourite chips apart from the targets",
    ("favourites", "on_target"): "Putting favourite chips on the targets",
    ("end_takes_chips", "true"): "Taking the last chips before the game ends",
    ("end_takes_chips", "false"): "Leaving the last chips on the board",
    ("connected_by_other", "3"): "Giving three points for being connected by another",
    ("connected_by_other", "5"): "Giving five points for being connected by another",
}


def corners(table: Table, players: int, who: str, seed: int) -> Question | None:
    """Whether a corner is better than another once every corner begins equally often."""
    wins = {f"corner {corner}": won for (number, corner), won in table.evidence.items() if number == players}
    if len(wins) < 2:
        return None
    table_of = f"With {WORDS[players]} players ({who}), every corner going first equally often,"

    return Spread(
        name=f"corners of {players}",
        family="corners",
        seed=seed,
        units=wins,
        margin=CLOSE,
        sentence=lambda high, low, found: f"{table_of} {high} is better off than {low}: {wins_of(found, high, low)}.",
        same=lambda found: f"{table_of} all corners lie within a point: {wins_of(found)}.",
        unclear=lambda found: f"{table_of} the corners are too close to call: {wins_of(found)}.",
    )


def ladder(table: Table, seed: int) -> Combined:
    """Whether every policy beats the one below it."""
    asked = tuple(steps(table, seed))

    def decide(claims: Sequence[Claim]) -> tuple[str, str]:
        told = " ".join(claim.sentence for claim in claims)
        if all(claim.verdict == "above" for claim in claims):
            return "every step", f"Every policy beats the one below it. {told}"
        if any(claim.verdict == "below" for claim in claims):
            return "not every step", f"Not every policy beats the one below it. {told}"
        return UNCLEAR, f"Whether every policy beats the one below it is open. {told}"

    return Combined("skill ladder", "policies", asked, decide)


def doubles(table: Table, players: int, seed: int) -> Question | None:
    """Whether a seat with two early doubles wins more often than one with none."""
    found = {key[1:]: values for key, values in table.evidence.items() if key[0] == players}
    if not found or not all(found[number, "seats"].sum() for number in (0, 2)):
        return None
    games = f"{WORDS[players]}-player games"
    units = Units.difference(found[2, "wins"], found[2, "seats"], found[0, "wins"], found[0, "seats"])
    open_ = f"Whether two early doubles help a seat in {games} is too close to call"
    return Compared(
        name=f"early doubles of {players}",
        family="doubles",
        seed=seed,
        units=units,
        sentences={
            "above": lambda gap: (
                f"In {games} two early doubles raise a seat's win rate by {amount(gap, times=100)} points."
            ),
            "below": lambda gap: (
                f"In {games} two early doubles lower a seat's win rate by {amount(gap, times=100)} points."
            ),
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
    most = listed([str(creature) for creature, value in by_creature.items() if high - value < 1e-9])
    told = (
        f"Of the directions in which a die can be tipped, up to {100 * high:.0f} % {said}, with creature {most} on top."
    )
    return exact(name, "elements", f"creature {most}", told, high)


def readings(table: Table, sizes: Sequence[int], seed: int) -> list[Question]:
    """Which other reading changes the length of games most, for each number of players measured."""
    asked = [
        farthest_change(table, players, seed, f"reading and length, {players} players", READINGS) for players in sizes
    ]
    return [question for question in asked if question]


def parts(table: Table, sizes: Sequence[int], seed: int) -> list[Question]:
    """Which reconstructed part, chosen otherwise, changes the length of games most."""
    calls = {(rule, reading): f"Changing the {rule} ({reading})" for _, rule, reading in table.evidence}
    asked = [
        farthest_change(table, players, seed, f"part and length, {players} players", calls, what="part")
        for players in sizes
    ]
    return [question for question in asked if question]
