"""Questions that the pages of all games ask: who is favoured, who is stronger, which reading matters most.

Each is made from the evidence of a table (:attr:`analysis.tables.Table.evidence`): the numbers, one for each game, of which the
table shows means and intervals. Sentence and table are two views of the same games.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pandas as pd

from analysis.balance import called
from analysis.chapter import Study
from analysis.claims import UNCLEAR, Claim, Combined, Compared, Floats, Largest, Question, Spread, Units
from analysis.estimates import Estimate
from analysis.tables import MOST_DECIMALS, Table

#: Win rates this close are the same for a game's designer.
CLOSE = 0.01
WORDS = {1: "one", 2: "two", 3: "three", 4: "four"}


# -- words -----------------------------------------------------------------------------------------------------


def percent(value: float | Fraction, decimals: int = 0) -> str:
    """A share for people; what is not 0 or 1 is not shown as 0 or 100 %.

    Examples
    --------
    >>> percent(0.1234, 1), percent(0.0004), percent(0.9996, 1), percent(0), percent(1)
    ('12.3 %', 'less than 1 %', 'more than 99.9 %', '0 %', '100 %')
    """
    shown, step = f"{100 * float(value):.{decimals}f}", 10.0**-decimals
    if value > 0 and float(shown) == 0:
        return f"less than {step:.{decimals}f} %"
    if value < 1 and float(shown) == 100:
        return f"more than {100 - step:.{decimals}f} %"
    return f"{shown} %"


def between(low: str, high: str) -> str:
    """``15 to 21``, or one of them if they look alike."""
    return low if low == high else f"{low} to {high}"


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
    >>> give_or_take(Estimate(1.5, 1.496, 1.504))
    '1.500 ± 0.004'
    """
    value, half = times * found.value, times * found.half_width
    while 0 < half < 0.5 * 10.0**-decimals and decimals < MOST_DECIMALS:
        decimals += 1
    told = f"{value:{sign}.{decimals}f}" if math.isfinite(value) else "?"
    return f"{told} ± {half:.{decimals}f}" if math.isfinite(half) else f"{told} ± ?"


def listed(parts: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def by_players(found: Mapping[int, str]) -> str:
    """``9 % with two and 24 % with four players``: a text for each number of players."""
    return f"{listed([f'{told} with {WORDS[players]}' for players, told in found.items()])} players"


def minutes(course: pd.DataFrame) -> list[str]:
    """How long a game takes by the clock, from the rows of a table of quantities."""
    rows = course[course["quantity"] == "minutes"].drop_duplicates("players")
    if not len(rows):
        return []
    means = [f"{value:.0f}" if value >= 10 else f"{value:.1f}" for value in rows["value"]]
    means[0] += " minutes"
    told = by_players(dict(zip(rows["players"], means, strict=True)))
    return [f"If {rows['meaning'].iloc[0].partition(' if ')[2]}, a game takes {told}."]


def wins_of(found: Mapping[str, Estimate], *named: str) -> str:
    """``seat 1 wins 51.0 ± 0.4 % and seat 2 wins 49.0 ± 0.4 %``: of those named, or of all."""
    return listed([f"{who} wins {share(found[who])}" for who in named or found])


def played_by(table: Table, players: int, study: Study) -> str:
    """Who plays the games behind a table with the evidence ``(players, policy, ..)``, as people call them."""
    return called(study.game, next(key[1] for key in table.evidence if key[0] == players))


def spread(name: str, family: str, wins: Mapping[str, Floats], games: str, study: Study) -> Question:
    """Whether some win more often than others in the ``games``, words that begin each sentence and end with a comma."""
    every = next(iter(wins)).split()[0]
    return Spread(
        name=name,
        family=family,
        seed=study.seed,
        units=wins,
        margin=CLOSE,
        sentence=lambda high, low, found: f"{games} {high} is better off than {low}: {wins_of(found, high, low)}.",
        same=lambda found: f"{games} every {every} wins within a point of any other: {wins_of(found)}.",
        unclear=lambda found: f"{games} it is too close to call which {every} is better off: {wins_of(found)}.",
    )


def in_short(name: str, asked: Sequence[Combined]) -> Combined:
    """The headlines of several verdicts of a family as one answer."""

    def decide(claims: Sequence[Claim]) -> tuple[str, str, str]:
        found, left = [], list(claims)
        for each in asked:
            found.append(each.decide([left.pop(0) for _ in each.parts]))
        verdicts = [verdict for verdict, _, _ in found]
        verdict = UNCLEAR if UNCLEAR in verdicts else ", ".join(verdicts)
        return verdict, " ".join(headline for _, headline, _ in found), ""

    return Combined(name, asked[0].family, tuple(part for each in asked for part in each.parts), decide)


# -- seats -----------------------------------------------------------------------------------------------------


def seats(table: Table, players: int, study: Study) -> Combined | None:
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
    parts = tuple(_seats_of(policy, wins, players, study) for policy, wins in panel.items())
    names = [called(study.game, policy) for policy in panel]
    return Combined(f"seats of {players}", "seats", parts, lambda claims: _panel(claims, names, players))


def _seats_of(policy: str, wins: Mapping[str, Floats], players: int, study: Study) -> Question:
    played = f"played by {called(study.game, policy)}"
    return Spread(
        name=f"seats of {players} with {policy}",
        family="seats",
        seed=study.seed,
        units=wins,
        margin=CLOSE,
        sentence=lambda high, low, found: f"{played}, {wins_of(found, high, low)}",
        same=lambda found: f"{played}, all are within a point ({wins_of(found)})",
        unclear=lambda found: f"{played}, too close to call ({wins_of(found)})",
    )


def _panel(claims: Sequence[Claim], policies: Sequence[str], players: int) -> tuple[str, str, str]:
    table = f"With {WORDS[players]} players"
    detail = "; ".join(claim.sentence for claim in claims) + "."
    detail = detail[:1].upper() + detail[1:]
    verdicts = {claim.verdict for claim in claims}
    seen = [claim for claim in claims if " over " in claim.verdict]
    told = [tuple(claim.verdict.split(" over ")) for claim in seen]
    if any((low, high) in told for high, low in told):
        return "depends", f"{table} it depends on the policy which seat is better off.", detail
    if verdicts == {"same"}:
        return "same", f"{table} the seat makes no difference worth a point.", detail
    if len(set(told)) == 1:
        (high, low), gaps = told[0], [claim.estimate for claim in seen]
        least = amount(min(gaps, key=lambda gap: gap.value), times=100)
        by = f"by {'' if len(gaps) == 1 else 'at least '}{least} points"
        better = f"{table} {high} is better off than {low} under"
        if len(verdicts) == 1:
            asked = "the one policy asked" if len(policies) == 1 else "every policy asked"
            return f"{high} over {low}", f"{better} {asked}, {by}.", detail
        shown = listed([name for name, claim in zip(policies, claims, strict=True) if claim in seen])
        return UNCLEAR, f"{better} {shown}, {by}; the other policies asked do not show it.", detail
    return UNCLEAR, f"{table} it is open whether the game favours a seat: not every policy shows it.", detail


# -- policies --------------------------------------------------------------------------------------------------


def steps(table: Table, study: Study) -> list[Question]:
    """Whether each policy of a ladder is better than the one below it.

    Parameters
    ----------
    table : Table
        With evidence ``(policy, against) -> float64[pair of games]``: outright wins of the policy minus those of the other,
        halved, both seats.
    """
    return [_step(better, other, lead, study) for (better, other), lead in table.evidence.items()]


def _step(better: str, other: str, lead: Floats, study: Study) -> Question:
    mine, theirs = capitalised(called(study.game, better)), called(study.game, other)
    return Compared(
        name=f"{better} against {other}",
        family="policies",
        seed=study.seed,
        units=Units(lead, between=(-1.0, 1.0)),
        sentences={
            "above": lambda found: f"{mine} beats {theirs} by {amount(found, times=100)} points.",
            "below": lambda found: f"{mine} loses to {theirs} by {amount(found, times=100)} points.",
            UNCLEAR: lambda found: f"{mine} and {theirs} are too close to call in {2 * len(lead):,} games.",
        },
    )


def ladder(table: Table, study: Study) -> Combined:
    """Whether every policy beats the one below it."""

    def decide(claims: Sequence[Claim]) -> tuple[str, str, str]:
        told = " ".join(claim.sentence for claim in claims)
        if any(claim.verdict == "below" for claim in claims):
            return "not every step", "Not every policy beats the one below it.", told
        gains = [claim.estimate for claim in claims if claim.verdict == "above"]
        if not gains:
            return UNCLEAR, "Whether every policy beats the one below it is open.", told
        by = f"by at least {amount(min(gains, key=lambda found: found.value), times=100)} points"
        if len(gains) == len(claims):
            return "every step", f"Every policy beats the one below it, {by}.", told
        clear = f"{len(gains)} of {len(claims)} steps up the ladder of policies {'is' if len(gains) == 1 else 'are'} clear, {by}"
        return UNCLEAR, f"{clear}; the rest is too close to call.", told

    return Combined("skill ladder", "policies", tuple(steps(table, study)), decide)


# -- readings --------------------------------------------------------------------------------------------------


def farthest_change(
    table: Table,
    players: int,
    study: Study,
    name: str,
    calls: Mapping[tuple[str, str], str],
    policy: str | None = None,
    what: str = "reading",
) -> Question | None:
    """Which change of the rules moves the length of a game most, as one policy plays it.

    Parameters
    ----------
    table : Table
        With evidence ``(players, policy, rule, reading) -> float64[game]``: rounds more than as set, on the same dice.
    calls : mapping
        What people call a change, to stand before a verb; default ``rule = reading``.
    policy : str or None
        Of several in the table; None: the only one.
    what : str
        What is changed, in a word.
    """
    found = {key: change for key, change in table.evidence.items() if key[0] == players and policy in (None, key[1])}
    if not found:
        return None
    seed, (_, who, _, _) = study.seed, next(iter(found))
    units = {f"{rule}={reading}": change for (_, _, rule, reading), change in found.items()}
    named = {f"{rule}={reading}": words for (rule, reading), words in calls.items()}
    games = f"{WORDS[players]}-player games"
    if len(study.game.roster) > 1:
        games += f" of {called(study.game, who)}"

    def call(key: str) -> str:
        return named.get(key, key.replace("=", " = "))

    def longer(key: str, found: Estimate, which: str = games) -> str:
        verb = "lengthens" if found.value > 0 else "shortens"
        return f"{call(key)} {verb} {which} by {amount(found)} rounds"

    def open_(found: Mapping[str, Estimate]) -> str:
        clear = [
            uncapitalised(longer(key, change, "them"))
            for key, change in found.items()
            if not change.low <= 0 <= change.high
        ]
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


def capitalised(text: str) -> str:
    """The text with a capital first letter, to begin a sentence."""
    return text[:1].upper() + text[1:]


def uncapitalised(text: str) -> str:
    """The text with a small first letter, to stand inside a sentence."""
    return text[:1].lower() + text[1:]
