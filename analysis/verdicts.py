"""Questions that the pages of all games ask: who is favoured, who is stronger, which reading matters most.

Each is made from the evidence of a table (:attr:`analysis.tables.Table.evidence`): the numbers, one for each game, of which the
table shows means and intervals. Sentence and table are two views of the same games.
"""

import math
from collections.abc import Mapping, Sequence

from analysis.claims import UNCLEAR, Claim, Combined, Compared, Floats, Largest, Question, Spread, Units
from analysis.estimates import Estimate
from analysis.tables import Table

#: Win rates this close are the same for a game's designer.
CLOSE = 0.01
WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}


# -- words -----------------------------------------------------------------------------------------------------


def share(found: Estimate, decimals: int = 1) -> str:
    """``23.1 ± 0.4 %``."""
    return f"{give_or_take(found, decimals, 100)} %"


def amount(found: Estimate, decimals: int = 1, times: float = 1) -> str:
    """``4.2 ± 0.3``, without its sign."""
    return give_or_take(found, decimals, times).lstrip("-+")


def give_or_take(found: Estimate, decimals: int = 1, times: float = 1, sign: str = "") -> str:
    """``-4.2 ± 0.3``; a single game tells no interval, and none no value.

    Examples
    --------
    >>> give_or_take(Estimate(1.5, 1.25, 1.75), 2), give_or_take(Estimate(1.5, -math.inf, math.inf))
    ('1.50 ± 0.25', '1.5 ± ?')
    """
    value, half = times * found.value, times * found.half_width
    told = f"{value:{sign}.{decimals}f}" if math.isfinite(value) else "?"
    return f"{told} ± {half:.{decimals}f}" if math.isfinite(half) else f"{told} ± ?"


def listed(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def wins_of(found: Mapping[str, Estimate], *named: str) -> str:
    """``seat 1 wins 51.0 ± 0.4 % and seat 2 wins 49.0 ± 0.4 %``: of those named, or of all."""
    return listed([f"{who} wins {share(found[who])}" for who in named or found])


# -- seats -----------------------------------------------------------------------------------------------------


def seats(table: Table, players: int, seed: int) -> Combined | None:
    """Whether the seat matters with so many players.

    Every policy of the table is asked, since the habit of one is none of the game's.

    Parameters
    ----------
    table : Table
        With evidence ``(players, policy, seat) -> float64[game]``: 1 for an outright win.
    """
    panel: dict[str, dict[str, Floats]] = {}
    for (number, policy, seat), wins in table.evidence.items():
        if number == players:
            panel.setdefault(policy, {})[f"seat {seat}"] = wins
    if not panel:
        return None
    parts = tuple(_seats_of(policy, wins, players, seed) for policy, wins in panel.items())
    return Combined(f"seats of {players}", "seats", parts, lambda claims: _panel(claims, list(panel), players))


def _seats_of(policy: str, wins: Mapping[str, Floats], players: int, seed: int) -> Question:
    return Spread(
        name=f"seats of {players} with {policy}",
        family="seats",
        seed=seed,
        units=wins,
        margin=CLOSE,
        sentence=lambda high, low, found: f"with '{policy}' at every seat, {wins_of(found, high, low)}",
        same=lambda found: f"with '{policy}' at every seat, all are within a point ({wins_of(found)})",
        unclear=lambda found: f"with '{policy}' at every seat, too close to call ({wins_of(found)})",
    )


def _panel(claims: Sequence[Claim], policies: Sequence[str], players: int) -> tuple[str, str]:
    table = f"With {WORDS[players]} players"
    detail = "; ".join(claim.sentence for claim in claims) + "."
    detail = detail[:1].upper() + detail[1:]
    verdicts = {claim.verdict for claim in claims}
    told = [tuple(claim.verdict.split(" over ")) for claim in claims if " over " in claim.verdict]
    if any((low, high) in told for high, low in told):
        return "depends", f"{table} it depends on the policy which seat is better off. {detail}"
    if verdicts == {"same"}:
        return "same", f"{table} the seat makes no difference worth a point. {detail}"
    if len(verdicts) == 1 and told:
        (high, low), who = told[0], "the one policy asked" if len(policies) == 1 else "every policy asked"
        return f"{high} over {low}", f"{table} {high} is better off than {low} under {who}. {detail}"
    return UNCLEAR, f"{table} it is open whether the game favours a seat: not every policy shows it. {detail}"


# -- policies --------------------------------------------------------------------------------------------------


def steps(table: Table, seed: int) -> list[Question]:
    """Whether each policy of a ladder is better than the one below it.

    Parameters
    ----------
    table : Table
        With evidence ``(policy, against) -> float64[pair of games]``: outright wins of the policy minus those of the other,
        halved, both seats.
    """
    return [_step(better, other, lead, seed) for (better, other), lead in table.evidence.items()]


def _step(better: str, other: str, lead: Floats, seed: int) -> Question:
    return Compared(
        name=f"{better} against {other}",
        family="policies",
        seed=seed,
        units=Units(lead, between=(-1.0, 1.0)),
        sentences={
            "above": lambda found: f"'{better}' beats '{other}' by {amount(found, times=100)} points.",
            "below": lambda found: f"'{better}' loses to '{other}' by {amount(found, times=100)} points.",
            UNCLEAR: lambda found: f"'{better}' and '{other}' are too close to call in {2 * len(lead):,} games.",
        },
    )


# -- readings --------------------------------------------------------------------------------------------------


def farthest_change(
    table: Table,
    players: int,
    seed: int,
    name: str,
    calls: Mapping[tuple[str, str], str],
    policy: str | None = None,
    what: str = "reading",
) -> Question | None:
    """Which change of the rules moves the length of a game most.

    Parameters
    ----------
    table : Table
        With evidence ``(players, rule, reading) -> float64[game]``: rounds more than as set, on the same dice; with the
        policy after the players if the table holds several.
    calls : mapping
        What people call a change, to stand before a verb; default ``rule = reading``.
    what : str
        What is changed, in a word.
    """
    units = {
        f"{rule}={reading}": change
        for (*who, rule, reading), change in table.evidence.items()
        if who == ([players] if policy is None else [players, policy])
    }
    if not units:
        return None
    called = {f"{rule}={reading}": words for (rule, reading), words in calls.items()}
    games = f"{WORDS[players]}-player games"

    def call(key: str) -> str:
        return called.get(key, key.replace("=", " = "))

    def longer(key: str, found: Estimate) -> str:
        verb = "lengthens" if found.value > 0 else "shortens"
        return f"{call(key)} {verb} {games} by {amount(found)} rounds"

    def open_(found: Mapping[str, Estimate]) -> str:
        clear = [longer(key, change) for key, change in found.items() if not change.low <= 0 <= change.high]
        if not clear:
            return f"No other {what} is seen to change the length of {games}; a small change is not ruled out."
        return f"Which {what} changes the length of {games} most is too close to call: {'; '.join(clear)}."

    if len(units) == 1:
        ((key, change),) = units.items()
        unclear = f"Whether {uncapitalised(call(key))} changes the length of {games} is too close to call."
        sentences = {verdict: lambda found: f"{longer(key, found)}." for verdict in ("above", "below")}
        return Compared(
            name=name,
            family="readings",
            seed=seed,
            units=Units.of(change),
            sentences={**sentences, UNCLEAR: lambda found: unclear},
        )
    return Largest(
        name=name,
        family="readings",
        seed=seed,
        units=units,
        absolute=True,
        sentence=lambda key, found: f"{longer(key, found)}, more than any other {what}.",
        unclear=open_,
    )


def uncapitalised(text: str) -> str:
    """The text with a small first letter, to stand inside a sentence."""
    return text[:1].lower() + text[1:]
