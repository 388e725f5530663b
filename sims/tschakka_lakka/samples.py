"""What is met in play, as arrays: the compiled games of :mod:`.survey` and :mod:`.kernel`, given as much room as they need.

Each function takes games ``first`` to ``first + count - 1`` of a seed and may run in threads.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sims.engine.game import Chosen, encode
from sims.tschakka_lakka import board, survey
from sims.tschakka_lakka.kernel import map_games
from sims.tschakka_lakka.rules import Rules
from sims.tschakka_lakka.tables import Tables

#: Turns and decisions of a game for which there is room at first.
TURNS, DECISIONS = 64, 512


def decisions(
    tables: Tables, players: int, stop_from: NDArray[np.int64], seed: int, first: int, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Decisions and turns of games in which every turn is solved.

    Parameters
    ----------
    stop_from : int64[dice left]
        As ``limits`` of :func:`sims.tschakka_lakka.survey.survey`.

    Returns
    -------
    (float64[decision, DECISION_COLUMNS], float64[turn, TURN_COLUMNS])
    """
    room = count
    while True:
        decided = np.empty((DECISIONS * room, len(survey.DECISION_COLUMNS)))
        turned = np.empty((TURNS * room, len(survey.TURN_COLUMNS)))
        used, turns = survey.survey(tables, players, stop_from, seed, first, count, decided, turned)
        if used >= 0:
            decided[:used, 0] += first
            turned[:turns, 0] += first
            return decided[:used].copy(), turned[:turns].copy()
        room *= 4


def contest(
    tables: Tables, players: int, contenders: Sequence[Chosen], seed: int, first: int, count: int
) -> NDArray[np.int64]:
    """Turns that several policies play from the same positions on the same dice: ``int64[turn, 1 + 2 * policy]``.

    The columns are those of :func:`sims.tschakka_lakka.survey.contest`.
    """
    lineup, room = encode(contenders), count
    while True:
        turns = np.empty((TURNS * room, 1 + 2 * len(lineup)), np.int64)
        used = survey.contest(tables, lineup, players, seed, first, count, turns)
        if used >= 0:
            turns[:used, 0] += first
            return turns[:used].copy()
        room *= 4


def openings(
    tables: Tables, rules: Rules, seed: int, first: int, count: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Exact value of the first turn from each entrance next to a chamber, and what lies beside it, as :func:`beside` tells.

    Returns
    -------
    (float64[temple, entrance], int64[temple, entrance, neighbour], int64[temple, entrance])
    """
    plan = board.load(rules.board)
    used = [plan.entrances.index(at) for at in plan.openings]
    values, around = np.empty((count, len(plan.entrances))), np.empty((count, len(plan.entrances), 4), np.int64)
    survey.openings(tables, seed, first, values, around)
    return values[:, used], *beside(around[:, used])


def beside(around: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sizes of the treasures around each entrance, smallest first and 0 where there is none; and how many colours they have.

    Parameters
    ----------
    around : int64[temple, entrance, neighbour]
        As :func:`sims.tschakka_lakka.survey.openings` fills it.
    """
    sizes = np.sort(np.where(around > 0, around & 3, 0), axis=2)
    colours = np.bitwise_or.reduce(np.where(around > 0, 1 << (around >> 2), 0), axis=2)
    return sizes, np.bitwise_count(colours).astype(np.int64)


def emptied(
    tables: Tables, lineup: Sequence[Chosen], rounds: int, seed: int, first: int, count: int
) -> NDArray[np.int64]:
    """Games in which chambers are emptied and gems taken by each round.

    Returns
    -------
    int64[2, square, round]
        Games in which the treasure of a chamber [0], the gem of a crossing [1], is gone after so many rounds, 0 to ``rounds``.
        Squares as numbers of the board module.
    """
    # column 0 is what stays, the last one what goes later
    gone = np.zeros((2, 64, rounds + 2), np.int64)
    map_games(tables, encode(lineup), seed, first, count, gone[0], gone[1])
    gone = gone[:, :, : rounds + 1]
    gone[:, :, 0] = 0
    return gone.cumsum(axis=2)
