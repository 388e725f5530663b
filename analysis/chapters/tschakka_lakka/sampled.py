"""Samples of positions, temples and turns, found in threads; and how many games each kind of work can afford."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.chapter import Study
from sims.engine import memory
from sims.engine.batch import default_threads
from sims.engine.game import Chosen, encode
from sims.tschakka_lakka import board, exact, survey
from sims.tschakka_lakka.board import Board, Square
from sims.tschakka_lakka.kernel import map_games
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
    study: Study, players: int, games: int, limits: Mapping[int, int] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Decisions and turns of games in which every seat plays the exact turn.

    Parameters
    ----------
    limits : dict, optional
        By dice left: stop with at least so many points at stake, else roll, whatever the exact turn says.

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

    def work(first: int, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rows = 64 * count
        while True:
            decided = np.empty((8 * rows, len(survey.DECISION_COLUMNS)))
            turned = np.empty((rows, len(survey.TURN_COLUMNS)))
            used, turns = survey.survey(tables, players, stop_from, study.seed, first, count, decided, turned)
            if used >= 0:
                decided[:used, 0] += first
                turned[:turns, 0] += first
                return decided[:used].copy(), turned[:turns].copy()
            rows *= 4

    found = in_chunks(study, "positions met in play", games, work)
    made = pd.DataFrame(np.concatenate([decided for decided, _ in found]), columns=list(survey.DECISION_COLUMNS))
    turns = pd.DataFrame(np.concatenate([turned for _, turned in found]), columns=list(survey.TURN_COLUMNS))
    counted = ["game", "dice", "skulls", "colours", "stake"]
    made[counted] = made[counted].round().astype(int)

    @cache
    def bust(dice: int, colours: int, skulls: int) -> float:
        return float(exact.bust_chance(dice, colours, skulls, rules.skull_limit))

    made["bust"] = [bust(*row) for row in zip(made["dice"], made["colours"], made["skulls"], strict=True)]
    return made, turns


def contest(study: Study, players: int, contenders: Sequence[Chosen], games: int) -> pd.DataFrame:
    """Turns that several policies play from the same positions on the same dice.

    Returns
    -------
    DataFrame
        One row a turn, with its ``game``; columns ``points_0``, ``bust_0``, ``points_1``, ... by number of the contender.
        The positions are those of games that the first contender plays.
    """
    tables, lineup = study.game.build_tables(study.variant.rules, players), encode(contenders)

    def work(first: int, count: int) -> NDArray[np.int64]:
        rows = 64 * count
        while True:
            turns = np.empty((rows, 1 + 2 * len(lineup)), np.int64)
            used = survey.contest(tables, lineup, players, study.seed, first, count, turns)
            if used >= 0:
                turns[:used, 0] += first
                return turns[:used].copy()
            rows *= 4

    columns = [f"{name}_{number}" for number in range(len(contenders)) for name in ("points", "bust")]
    found = in_chunks(study, "the same turns by every policy", games, work)
    return pd.DataFrame(np.concatenate(found), columns=["game", *columns])


def used_entrances(plan: Board) -> list[Square]:
    """Entrances next to a chamber: where the first turn can begin."""
    return [entrance for entrance in plan.entrances if plan.neighbours(entrance)]


def openings(study: Study, temples: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Exact value of the first turn from each entrance of random temples, and what lies next to it.

    Returns
    -------
    (float64[temple, entrance], int64[temple, entrance, neighbour])
        As :func:`sims.tschakka_lakka.survey.openings` fills them, for the entrances next to a chamber.
    """
    tables = study.game.build_tables(study.variant.rules, 2)
    plan = board.load(study.variant.rules.board)
    entrances, used = len(plan.entrances), [plan.entrances.index(at) for at in used_entrances(plan)]

    def work(first: int, count: int) -> tuple[Any, Any]:
        values, around = np.empty((count, entrances)), np.empty((count, entrances, 4), np.int64)
        survey.openings(tables, study.seed, first, values, around)
        return values[:, used], around[:, used]

    found = in_chunks(study, "entrances of random temples", temples, work)
    return np.concatenate([values for values, _ in found]), np.concatenate([around for _, around in found])


def emptied(study: Study, lineup: Sequence[Chosen], games: int, rounds: int) -> tuple[NDArray[np.float64], ...]:
    """When chambers are emptied and gems taken.

    Returns
    -------
    (float64[square, round], float64[square, round])
        Share of games in which the treasure of a chamber, the gem of a crossing, is gone after so many rounds, 0 to
        ``rounds``. Squares as numbers of the board module; rows of squares without treasure or gem are zero.
    """
    tables, coded = study.game.build_tables(study.variant.rules, len(lineup)), encode(lineup)

    def work(first: int, count: int) -> NDArray[np.int64]:
        # column 0 is what stays, the last one what goes later
        gone = np.zeros((2, 64, rounds + 2), np.int64)
        map_games(tables, coded, study.seed, first, count, gone[0], gone[1])
        return gone

    total = np.sum(in_chunks(study, "where treasures go first", games, work), axis=0)[:, :, : rounds + 1]
    total[:, :, 0] = 0
    treasures, gems = total.cumsum(axis=2) / games
    return treasures, gems
