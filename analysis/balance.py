"""What the balance sheets of all games measure alike: seats, and quantities of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from analysis import frames
from analysis.chapter import Metric, Study
from analysis.estimates import Estimate
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.game import Chosen

Key = TypeVar("Key")


def ends(estimate: Estimate, batch: Batch) -> dict[str, Any]:
    """The last columns of a simulated row."""
    return {"low": estimate.low, "high": estimate.high, "games": batch.games, "seed": batch.seed}


# -- tables ----------------------------------------------------------------------------------------------------


def label(chosen: Chosen) -> str:
    """A policy as people call it: its parameters are told only where they are not the usual ones."""
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


def seats(study: Study, batches: Sequence[Batch], remark: str) -> Table:
    """Win rate of each seat; ``remark`` says what to expect."""
    shares = [
        frames.seats(batch).assign(players=batch.players, policy=list(map(label, batch.lineup))) for batch in batches
    ]
    frame = pd.concat(shares, ignore_index=True)
    columns = ["players", "policy", "seat", "win_rate", "low", "high", "games", "seed"]
    if len(set(frame["policy"])) == 1:
        columns.remove("policy")
    note = f"{study.simulated(frame['games'])} {remark}"
    return Table("seats", "Does the seat matter?", frame[columns], False, note, percent=("win_rate",))


def seat_spread(batch: Batch) -> Metric:
    """How far the win rates of the seats lie apart, with how far chance brings seats of equal strength apart.

    The range of several rates is wider than the difference of two: its 95 % bound is a quantile of the studentized
    range (Tukey), in units of the standard error of one rate.
    """
    from scipy.stats import studentized_range

    shares = frames.seats(batch)["win_rate"]
    spread = float(shares.max() - shares.min())
    share = 1 / batch.players
    chance = float(studentized_range.ppf(0.95, batch.players, np.inf)) * float(np.sqrt(share / batch.games))
    doc = f"{batch.players} players: win rate of the best seat minus that of the worst"
    return Metric(Estimate(spread, spread - chance, spread + chance).within(0, 1), doc, batch.games)


def spread(batches: Mapping[Key, Batch], key: Key) -> Metric:
    """The same of a batch that is played when it is asked for."""
    return seat_spread(batches[key])


#: A quantity of a balance sheet: name, unit ("" or "share"), estimate, meaning.
Quantity = tuple[str, str, Estimate, str]


def quantities(study: Study, name: str, title: str, measured: Sequence[tuple[Batch, Sequence[Quantity]]]) -> Table:
    """One row for each quantity of each batch."""
    several = len({policies(batch) for batch, _ in measured}) > 1
    rows = [
        {"players": batch.players}
        | ({"policy": policies(batch)} if several else {})
        | {"quantity": quantity, "value": estimate.value, "low": estimate.low, "high": estimate.high}
        | {"unit": unit, "meaning": meaning, "games": batch.games, "seed": batch.seed}
        for batch, found in measured
        for quantity, unit, estimate, meaning in found
    ]
    return Table(name, title, pd.DataFrame(rows), False, study.simulated([batch.games for batch, _ in measured]))


def metrics_of(measured: Sequence[tuple[Batch, Sequence[Quantity]]], name: Callable[[Batch], str]) -> dict[str, Metric]:
    """A metric for each quantity of each batch: ``rounds_4`` if ``name(batch)`` is ``4``."""
    return {
        f"{quantity}_{name(batch)}": Metric(estimate, f"{batch.players} players: {meaning}", batch.games)
        for batch, found in measured
        for quantity, _, estimate, meaning in found
    }
