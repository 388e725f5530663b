"""Samples of positions, temples and turns, found in threads; and how many games each kind of work can afford."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.chapter import Study
from sims.engine import memory
from sims.engine.batch import default_threads
from sims.engine.game import Chosen
from sims.tschakka_lakka import exact, samples, survey
from sims.tschakka_lakka.rules import Rules
from sims.tschakka_lakka.solver_memory import DICE

#: The policy that plays every turn as the exact solution says, and the one that wins most games.
EXACT, STRONGEST = "optimal", "majority"
#: Policies that solve every turn exactly, and how many times fewer games they are given than the others.
SOLVERS, FEWER = ("optimal", "majority"), 200
#: Fewer games give no interval.
MIN_GAMES = 4
#: Memory that a surveyed game takes: some 30 turns and 60 decisions of up to a dozen numbers, and their copies.
GAME_BYTES = 20_000
#: Games of a thread between two looks at the clock.
CHUNK = 16

Found = TypeVar("Found")


def affordable(study: Study, lineup: Sequence[Chosen], share: float = 1.0) -> int:
    """Games for a lineup: a share of the study's own, fewer if anybody solves every turn."""
    solves = any(chosen.policy.name in SOLVERS for chosen in lineup)
    return max(MIN_GAMES, min(study.games, int(study.games * share / (FEWER if solves else 1))))


def alike(study: Study, policy: str, players: int) -> tuple[Chosen, ...]:
    """Every seat plays the same policy."""
    return study.game.lineup((policy,), players)


def in_chunks(study: Study, label: str, games: int, work: Callable[[int, int], Found]) -> list[Found]:
    """``work(first, count)`` for chunks of ``games`` games, in threads, in order; refused if they do not fit into memory."""
    memory.check("games", study.games, max(1, GAME_BYTES * games // study.games), "the positions met in them")
    with study.watch.task(label, games) as progress:

        def chunk(first: int) -> Found:
            count = min(CHUNK, games - first)
            found = work(first, count)
            progress(count)
            return found

        chunk_one = chunk(0)  # compiles, before threads start
        with ThreadPoolExecutor(study.threads or default_threads()) as pool:
            return [chunk_one, *pool.map(chunk, range(CHUNK, games, CHUNK))]


def decisions(
    study: Study, players: int, games: int, limits: Mapping[int, int] | None = None, first: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Decisions and turns of games in which every seat plays the exact turn.

    Parameters
    ----------
    limits : dict, optional
        By dice left: stop with at least so many points at stake, else roll, whatever the exact turn says.
    first : int
        Number of the first game.

    Returns
    -------
    (DataFrame, DataFrame)
        ``survey.DECISION_COLUMNS`` and, from a closed form, ``bust``: the chance that the next roll ends the turn; and
        ``survey.TURN_COLUMNS``.
    """
    rules: Rules = study.variant.rules
    tables = study.game.build_tables(rules, players)
    stop_from = np.full(DICE + 1, -1, np.int64)
    for dice, limit in (limits or {}).items():
        stop_from[dice] = limit

    def work(start: int, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return samples.decisions(tables, players, stop_from, study.seed, first + start, count)

    decided, turned = map(np.concatenate, zip(*in_chunks(study, "positions met in play", games, work), strict=True))
    made = pd.DataFrame(decided, columns=list(survey.DECISION_COLUMNS))
    counted = ["game", "dice", "skulls", "colours", "stake"]
    made[counted] = made[counted].round().astype(int)

    @cache
    def bust(dice: int, colours: int, skulls: int) -> float:
        return float(exact.bust_chance(dice, colours, skulls, rules.skull_limit))

    made["bust"] = [bust(*row) for row in zip(made["dice"], made["colours"], made["skulls"], strict=True)]
    return made, pd.DataFrame(turned, columns=list(survey.TURN_COLUMNS))


def contest(study: Study, players: int, contenders: Sequence[Chosen], games: int) -> pd.DataFrame:
    """Turns that several policies play from the same positions on the same dice.

    Returns
    -------
    DataFrame
        One row a turn, with its ``game``; columns ``points_0``, ``bust_0``, ``points_1``, ... by number of the contender.
        The positions are those of games that the first contender plays.
    """
    tables = study.game.build_tables(study.variant.rules, players)

    def work(first: int, count: int) -> NDArray[np.int64]:
        return samples.contest(tables, players, contenders, study.seed, first, count)

    columns = [f"{name}_{number}" for number in range(len(contenders)) for name in ("points", "bust")]
    found = in_chunks(study, "the same turns by every policy", games, work)
    return pd.DataFrame(np.concatenate(found), columns=["game", *columns])


def openings(study: Study, temples: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """What :func:`sims.tschakka_lakka.samples.openings` finds of random temples."""
    rules: Rules = study.variant.rules
    work = partial(samples.openings, study.game.build_tables(rules, 2), rules, study.seed)
    values, sizes, colours = zip(*in_chunks(study, "entrances of random temples", temples, work), strict=True)
    return np.concatenate(values), np.concatenate(sizes), np.concatenate(colours)


def emptied(study: Study, lineup: Sequence[Chosen], games: int, rounds: int) -> NDArray[np.float64]:
    """Shares of games in which treasures [0] and gems [1] are gone: ``float64[2, square, round]``."""
    tables = study.game.build_tables(study.variant.rules, len(lineup))
    work = partial(samples.emptied, tables, lineup, rounds, study.seed)
    shares: NDArray[np.float64] = np.sum(in_chunks(study, "where treasures go first", games, work), axis=0) / games
    return shares
