"""The vocabulary of balance: what is measured of all games alike, each quantity defined once.

A chapter's sheet is made of these measures and of its own; what a game cannot be asked for is left out, never guessed.

References
----------
Browne, "Automatic Generation and Evaluation of Recombination Games", PhD thesis, 2008 (completion, drawishness, lead changes,
drama, decisiveness).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import frames
from analysis.chapter import Metric, Study, chapter
from analysis.estimates import Estimate
from analysis.measures import Column, Floats, Measure, Measured, mean, of_field, share, share_of_games
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.game import Chosen, Game

Key = TypeVar("Key", bound=Hashable)

# -- columns of many tables ------------------------------------------------------------------------------------

PLAYERS = Column("players", kind="key")
SEAT = Column("seat", kind="key")
POLICY = Column("policy", kind="policy")
QUANTITY = Column("quantity", kind="key")
MEANING = Column("meaning", kind="text")
VALUE = Column("value")
WIN_RATE = Column("win_rate", kind="share", meaning="outright wins; a shared win counts for nobody")


# -- who plays -------------------------------------------------------------------------------------------------


def label(chosen: Chosen) -> str:
    """A policy as people type it: its parameters are told only where they are not the usual ones."""
    pairs = zip(chosen.policy.parameters, chosen.values, strict=True)
    told = [f":{parameter.name}={value}" for parameter, value in pairs if value != parameter.default]
    return chosen.policy.name + "".join(told)


def policies(batch: Batch) -> str:
    """Who plays: one name if all seats play alike."""
    return who(batch.lineup)


def who(lineup: Sequence[Chosen]) -> str:
    """The same for a lineup."""
    names = [label(chosen) for chosen in lineup]
    return names[0] if len(set(names)) == 1 else ", ".join(names)


def called(game: Game, text: str) -> str:
    """What people call the policies of a lineup, as ``label`` and ``who`` write them.

    Examples
    --------
    >>> import sims
    >>> called(sims.game("tschakka-lakka"), "hold:points=6, card")
    'the point counter (points 6) and the five-line card'
    """
    told = []
    for each in text.split(", "):
        name, *pairs = each.split(":")
        values = ", ".join(pair.replace("=", " ") for pair in pairs)
        told.append(game.roster[name].title + (f" ({values})" if values else ""))
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)


# -- seats -----------------------------------------------------------------------------------------------------


def winners_of(batch: Batch) -> NDArray[np.int32]:
    """Bit mask of the winners of each game, of a batch that kept its records."""
    masks: NDArray[np.int32] = frames.records(batch)["winners"].to_numpy()
    return masks


def wins_of_seats(batch: Batch) -> Floats:
    """Outright wins, 0 or 1: ``float64[game, seat]``."""
    wins: Floats = (winners_of(batch)[:, None] == 1 << np.arange(batch.players)).astype(float)
    return wins


def several(winners: "pd.Series[int] | NDArray[np.int32]") -> NDArray[np.bool_]:
    """Whether a game has more than one winner."""
    masks = np.asarray(winners)
    found: NDArray[np.bool_] = (masks & (masks - 1)) > 0
    return found


def seat_gap(batch: Batch) -> Measured:
    """Win rate of the best seat minus that of the worst, without the bias of choosing both by the games they are measured on.

    The largest of several equal rates minus the smallest is positive by luck alone. So the first half of the games says which
    seats are best and worst, and the second by how much: the mean is 0 for seats of equal strength, and may come out below.
    """
    wins = wins_of_seats(batch)
    chosen, measured = np.split(wins, [len(wins) // 2])
    rates = chosen.sum(axis=0)
    return mean(measured[:, int(rates.argmax())] - measured[:, int(rates.argmin())], batch.seed, -1, 1)


def first_seat_edge(batch: Batch) -> Measured:
    """Win rate of the first seat minus the mean of the others."""
    wins = wins_of_seats(batch)
    return mean(wins[:, 0] - wins[:, 1:].mean(axis=1), batch.seed, -1, 1)


def seats(batches: Iterable[Batch], remark: str, name: str = "seats", title: str = "Does the seat matter?") -> Table:
    """Win rate of each seat; ``remark`` says what to expect."""
    rows = []
    for batch in batches:
        wins = wins_of_seats(batch) if batch.records is not None else None
        for seat, row in enumerate(frames.seats(batch).to_dict("records")):
            units = None if wins is None else wins[:, seat]
            rate = Measured(Estimate(row["win_rate"], row["low"], row["high"]), batch.games, batch.seed, units)
            rows.append(
                {"players": batch.players, "policy": label(batch.lineup[seat]), "seat": seat + 1, "win_rate": rate}
            )
    return Table.of(name, title, (PLAYERS, POLICY, SEAT, WIN_RATE), rows, remark=remark)


# -- quantities of a game --------------------------------------------------------------------------------------

ROUNDS = of_field("rounds", "rounds in a game")
COMPLETION = Measure(
    "completion",
    meaning="games that come to an end before they are cut off",
    kind="share",
    find=lambda batch: share(batch.games - batch.unfinished, batch.games, batch.games, batch.seed),
    source="Browne 2008",
)
SHARED = share_of_games("shared", "games with several winners", lambda records: several(records["winners"]))
LEAD_CHANGES = of_field("lead_changes", "times the sole lead passes to another seat")
SEAT_GAP = Measure(
    "seat_gap",
    meaning="win rate of the best seat minus that of the worst, both named by the first half of the games and measured on the "
    "second",
    kind="share",
    find=seat_gap,
)
FIRST_SEAT = Measure(
    "first_seat",
    meaning="win rate of the first seat minus the mean of the others",
    kind="share",
    find=first_seat_edge,
)


def minutes(study: Study) -> Measure:
    """How long a game takes at the table, if a turn takes so many seconds."""
    told = chapter(study.game.name)
    seconds = told.seconds if study.seconds is None else study.seconds
    each = told.turns.rstrip("s")

    def find(batch: Batch) -> Measured:
        return Measured(frames.mean(batch, told.turns), batch.games, batch.seed).times(seconds / 60)

    return Measure("minutes", meaning=f"minutes in a game if a {each} takes {seconds:g} seconds", find=find)


def common(study: Study) -> tuple[Measure, ...]:
    """What every game is asked for."""
    return (SEAT_GAP, FIRST_SEAT, ROUNDS, minutes(study), COMPLETION, SHARED, LEAD_CHANGES)


def quantities(name: str, title: str, measures: Sequence[Measure], batches: Iterable[Batch], remark: str = "") -> Table:
    """One row for each measure of each batch."""
    rows: list[dict[str, Any]] = [
        {
            "players": batch.players,
            "policy": policies(batch),
            "quantity": measure.name,
            "value": measure.find(batch),
            "meaning": measure.told,
            "unit": measure.unit,
        }
        for batch in batches
        for measure in measures
    ]
    return Table.of(name, title, (PLAYERS, POLICY, QUANTITY, VALUE, MEANING), rows, remark=remark)


def metrics(
    measures: Sequence[Measure], batches: Mapping[Key, Batch], name: Callable[[Key], str] = str
) -> dict[str, Callable[[], Metric]]:
    """A metric for each measure of each batch, ``rounds_4`` if ``name(key)`` is ``4``; batches are played when asked for."""

    def find(measure: Measure, key: Key) -> Metric:
        batch = batches[key]
        return Metric(measure.find(batch), f"{batch.players} players: {measure.told}")

    return {f"{measure.name}_{name(key)}": partial(find, measure, key) for measure in measures for key in batches}


# -- skill -----------------------------------------------------------------------------------------------------

#: One-sided 90 % normal quantile.
Z90 = 1.2815515655446004
#: Columns of :func:`to_tell`.
TO_TELL = (
    Column(
        "to_tell",
        "games to tell",
        "games after which the better player is ahead with a chance of 90 %, with the ends of its 95 % interval",
        digits=0,
    ),
    Column("to_tell_low", "at least", digits=0),
    Column("to_tell_high", "at most", digits=0),
)


def to_tell(lead: Floats, games: int) -> dict[str, float]:
    """Games needed to be 90 % sure who is the better of two players, as cells of ``TO_TELL``.

    The sum of n independent leads with mean m and standard deviation s is above 0 with chance ``Phi(m sqrt(n) / s)``; that is
    0.9 for ``n = (Z90 s / m)**2``. The interval takes m at the ends of its own: without end if that holds 0.

    Parameters
    ----------
    lead : float64[unit]
        What one player gets more than the other, one number for each unit of ``games`` games.
    """
    if len(lead) < 2:
        return dict.fromkeys((column.name for column in TO_TELL), np.nan)
    found, spread = mean(lead, 0).estimate, float(np.std(lead, ddof=1))

    def after(lead: float) -> float:
        return games * max(1.0, float(np.ceil((Z90 * spread / lead) ** 2))) if lead else np.inf

    ends = sorted((after(found.low), after(found.high)))
    if found.low <= 0 <= found.high:
        ends = [min(ends), np.inf]
    return {"to_tell": after(found.value), "to_tell_low": ends[0], "to_tell_high": ends[1]}
