"""Comparisons on the same dice: two policies with their seats exchanged, and rules or components changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np
import pandas as pd

from analysis import frames
from analysis.balance import PLAYERS, POLICY, TO_TELL, label, several, to_tell, who, winners_of
from analysis.chapter import Study
from analysis.estimates import Estimate
from analysis.measures import Column, Measured, mean
from analysis.tables import Table
from sims.engine.game import Chosen
from sims.engine.variant import Variant, show

#: A quantity of one game: a record's column or a formula over columns.
Quantity = Callable[[pd.DataFrame], "pd.Series[float]"]


def lineup(study: Study, players: int) -> tuple[Chosen, ...]:
    """The study's own lineup if it has that many seats, otherwise its first policy at every seat."""
    return study.lineup if len(study.lineup) == players else study.lineup[:1] * players


# -- policies --------------------------------------------------------------------------------------------------


#: What a step of a ladder says.
STEP = (
    Column("policy", kind="policy"),
    Column("against", kind="policy"),
    Column("wins", kind="share", digits=1, meaning="outright wins of all games, unfinished ones included"),
    Column("other_wins", kind="share", digits=1),
    Column("shared", kind="share", digits=1),
    *TO_TELL,
    Column("advantage", kind="share", meaning="wins minus other wins"),
)


def duel(study: Study, better: Chosen, other: Chosen, games: int) -> dict[str, object]:
    """Two policies in two-player games, every game played twice with the seats exchanged, on the same dice.

    Returns
    -------
    row : dict
        Cells of ``STEP``; ``advantage`` has one number for each pair of games, so that the luck of the dice that both had in
        turn cancels.
    """
    wins = {better: np.zeros(games), other: np.zeros(games)}
    shared = np.zeros(games)
    for order in ((better, other), (other, better)):
        played = study.play(f"{label(better)} against {label(other)}", lineup=order, games=games, records=True)
        winners = winners_of(played)
        shared += several(winners)
        for seat, chosen in enumerate(order):
            wins[chosen] += winners == 1 << seat
    pairs = (wins[better] - wins[other]) / 2
    return {
        "policy": label(better),
        "against": label(other),
        "wins": float(wins[better].mean() / 2),
        "other_wins": float(wins[other].mean() / 2),
        "shared": float(shared.mean() / 2),
        **to_tell(pairs, 2),
        "advantage": mean(pairs, study.seed, -1, 1),
    }


def ladder(study: Study, steps: Sequence[tuple[Chosen, int]]) -> Table:
    """Each policy against the one before it; ``steps`` holds the policies, weakest first, and pairs of games of each step."""
    rows = [duel(study, better, other, games) for (other, _), (better, games) in pairwise(steps)]
    remark = "Two players; every game is played twice on the same dice, the seats exchanged, and games count in pairs."
    return Table.of("ladder", "How much does skill matter?", STEP, rows, remark=remark)


# -- rules -----------------------------------------------------------------------------------------------------


RULE = Column("rule", "ruling", kind="rule")
READING = Column("reading", kind="rule")
#: What a change of the rules does to a game: the first and the last columns of such a table.
CHANGED = (
    PLAYERS,
    POLICY,
    RULE,
    READING,
    Column("other_winners", kind="share", digits=1, meaning="games that end with other winners than as set"),
    Column("redealt", kind="share", digits=1, meaning="what that share would be with fresh dice, which is all luck"),
)
LONGER = (
    Column("rounds", digits=1),
    Column("unfinished", kind="share", digits=1),
    Column("change_in_rounds", "rounds more", "the paired change on the same dice"),
)


def effects(
    study: Study,
    changes: Iterable[tuple[str, object, Variant]],
    players: int,
    games: int,
    quantities: Mapping[str, Quantity],
) -> list[dict[str, object]]:
    """What a change of the rules does to games on the same dice, one row for each change, the present rules first.

    Parameters
    ----------
    changes : iterable of (rule, reading, variant)
        As :func:`sims.engine.variant.other_readings` lists them.
    quantities : mapping of name to quantity
        Further means per game to show beside the length.

    Returns
    -------
    rows : list of dict
        Cells of ``CHANGED``, the quantities, and ``LONGER``; the change in rounds has one number for each game.
    """
    before = None
    rows: list[dict[str, object]] = []
    seats = lineup(study, players)
    for rule, reading, variant in chain([("(as set)", "", study.variant)], changes):
        what = f"{rule} = {show(reading)}, {players} players"
        played = study.play(what, variant=variant, lineup=seats, games=games, records=True)
        records = frames.records(played)
        if before is None:
            before, change = records, Measured(Estimate(0.0, 0.0, 0.0), games, study.seed)
        else:
            change = mean((records["rounds"] - before["rounds"]).to_numpy(float), study.seed)
        rows.append(
            {
                "players": players,
                "policy": who(seats),
                "rule": rule,
                "reading": show(reading),
                "other_winners": float((records["winners"] != before["winners"]).mean()),
                "redealt": redealt(before["winners"], records["winners"]),
                **{name: float(quantity(records).mean()) for name, quantity in quantities.items()},
                "rounds": float(records["rounds"].mean()),
                "unfinished": float(records["unfinished"].mean()),
                "change_in_rounds": change,
            }
        )
    return rows


def readings(
    name: str, title: str, rows: Sequence[Mapping[str, object]], *columns: Column, rule: Column = RULE
) -> Table:
    """A table of what changes do; ``columns`` are the quantities shown besides."""
    first = [rule if column is RULE else column for column in CHANGED]
    return Table.of(name, title, (*first, *columns, *LONGER), rows, remark="All changes meet the same dice.")


def redealt(winners: "pd.Series[int]", others: "pd.Series[int]") -> float:
    """Share of games with other winners if each game of the one were held against any game of the other.

    Examples
    --------
    >>> redealt(pd.Series([1, 1, 2, 4]), pd.Series([1, 2, 2, 2]))
    0.6875
    """
    first, second = (found.value_counts(normalize=True) for found in (winners, others))
    return 1.0 - float(first.mul(second, fill_value=0.0).sum())
