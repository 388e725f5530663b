"""What every game's chapter measures in the same way: seats, balance sheets, policies, and rules on the same dice."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np
import pandas as pd

from analysis import estimates, frames
from analysis.chapter import Metric, Study
from analysis.estimates import Estimate
from analysis.tables import Table
from sims.engine.batch import Batch
from sims.engine.game import Chosen
from sims.engine.variant import Variant, show

#: A quantity of one game: a record's column or a formula over columns.
Quantity = Callable[[pd.DataFrame], "pd.Series[float]"]


def lineup(study: Study, players: int) -> tuple[Chosen, ...]:
    """The study's own lineup if it has that many seats, otherwise its first policy at every seat."""
    return study.lineup if len(study.lineup) == players else study.lineup[:1] * players


def label(chosen: Chosen) -> str:
    """A policy as people call it: its parameters are told only where they are not the usual ones."""
    pairs = zip(chosen.policy.parameters, chosen.values, strict=True)
    told = [f":{parameter.name}={value}" for parameter, value in pairs if value != parameter.default]
    return chosen.policy.name + "".join(told)


def policies(batch: Batch) -> str:
    """Who plays: one name if all seats play alike."""
    names = [label(chosen) for chosen in batch.lineup]
    return names[0] if len(set(names)) == 1 else ", ".join(names)


def seats(study: Study, batches: Iterable[Batch], note: str) -> Table:
    """Win rate of each seat of each batch; ``note`` says what to expect."""
    shares = [
        frames.seats(batch).assign(players=batch.players, policy=list(map(label, batch.lineup))) for batch in batches
    ]
    frame = pd.concat(shares, ignore_index=True)
    columns = ["players", "policy", "seat", "win_rate", "low", "high", "games", "seed"]
    if len(set(frame["policy"])) == 1:
        columns.remove("policy")
    note = f"{study.simulated(frame['games'])} {note}"
    return Table("seats", "Does the seat matter?", frame[columns], False, note, percent=("win_rate",))


def seat_spread(played: Batch) -> Metric:
    """Win rate of the best seat minus that of the worst, with how far two equal seats come apart by chance."""
    rates = frames.seats(played)["win_rate"]
    spread, share = float(rates.max() - rates.min()), 1 / played.players
    chance = estimates.Z95 * float(np.sqrt(2 * share / played.games))
    return Metric(
        Estimate(spread, max(0.0, spread - chance), spread + chance),
        f"{played.players} players: win rate of the best seat minus that of the worst",
        played.games,
    )


# -- balance sheets --------------------------------------------------------------------------------------------


#: A number of a balance sheet: name, unit ("" or "share"), estimate, meaning.
Measured = tuple[str, str, Estimate, str]


def quantities(study: Study, name: str, title: str, measured: Sequence[tuple[Batch, Sequence[Measured]]]) -> Table:
    """One row for each number of each batch."""
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


def metrics_of(measured: Sequence[tuple[Batch, Sequence[Measured]]], name: Callable[[Batch], str]) -> dict[str, Metric]:
    """A metric for each number of each batch: ``rounds_4`` if ``name(batch)`` is ``4``."""
    return {
        f"{quantity}_{name(batch)}": Metric(estimate, f"{batch.players} players: {meaning}", batch.games)
        for batch, found in measured
        for quantity, _, estimate, meaning in found
    }


# -- policies --------------------------------------------------------------------------------------------------


def duel(study: Study, better: Chosen, other: Chosen, games: int) -> dict[str, object]:
    """Two policies at a table of two, every game played twice with the seats exchanged, on the same dice.

    Returns
    -------
    dict
        ``wins`` and ``other_wins`` are sole wins per game; ``advantage`` is their difference, its interval from the
        pairs of games (t interval), so that the luck of the dice that both had in turn cancels.
    """
    wins = {better: np.zeros(games), other: np.zeros(games)}
    shared = np.zeros(games)
    for order in ((better, other), (other, better)):
        played = study.play(f"{better} against {other}", lineup=order, games=games, records=True)
        winners = frames.records(played)["winners"].to_numpy()
        shared += winners == 0b11
        for seat, chosen in enumerate(order):
            wins[chosen] += winners == 1 << seat
    advantage = estimates.mean_of((wins[better] - wins[other]) / 2)
    return {
        "policy": str(better),
        "against": str(other),
        "wins": float(wins[better].mean() / 2),
        "other_wins": float(wins[other].mean() / 2),
        "shared": float(shared.mean() / 2),
        "advantage": advantage.value,
        "low": advantage.low,
        "high": advantage.high,
        "games": 2 * games,
        "seed": study.seed,
    }


def ladder(study: Study, steps: Sequence[tuple[Chosen, int]]) -> Table:
    """Each policy against the one before it; ``steps`` holds the policies, weakest first, and games of each pair."""
    rows = [duel(study, better, other, games) for (other, _), (better, games) in pairwise(steps)]
    return Table(
        "ladder",
        "How much does skill matter?",
        pd.DataFrame(rows),
        False,
        f"Simulated with two players, seed {study.seed}: every game twice on the same dice, the seats exchanged. "
        "'wins', 'other wins' and 'shared' are of all games, unfinished ones included; low and high bound the 95 % "
        "interval of the difference ('advantage').",
        percent=("wins", "other_wins", "shared", "advantage"),
        decimals={"wins": 1, "other_wins": 1, "shared": 1},
    )


# -- rules -----------------------------------------------------------------------------------------------------


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
    list of dict
        ``other_winners``: share of games that end with other winners; ``change_in_rounds`` with its paired interval.
    """
    before = None
    rows: list[dict[str, object]] = []
    for rule, reading, variant in chain([("(as set)", "", study.variant)], changes):
        what = f"{rule} = {show(reading)}, {players} players"
        played = study.play(what, variant=variant, lineup=lineup(study, players), games=games, records=True)
        records = frames.records(played)
        if before is None:
            before = records
        change = estimates.mean_of(records["rounds"] - before["rounds"])
        rows.append(
            {
                "players": players,
                "rule": rule,
                "reading": show(reading),
                "other_winners": float((records["winners"] != before["winners"]).mean()),
                **{name: float(quantity(records).mean()) for name, quantity in quantities.items()},
                "rounds": float(records["rounds"].mean()),
                "change_in_rounds": change.value,
                "low": change.low,
                "high": change.high,
                "unfinished": float(records["unfinished"].mean()),
                "games": games,
                "seed": study.seed,
            }
        )
    return rows
