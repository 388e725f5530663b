"""What a log tells of the board, field by field: dice placed, chips taken, and where chains run when games end.

A log comes as its columns by name (:data:`sims.kazaam_dice.kernel.LOG_COLUMNS`), each one number a row.
"""

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.kazaam_dice.board import Board
from sims.kazaam_dice.kernel import CHIP_TAKEN
from sims.kazaam_dice.moves import OBSTACLE, PLACE, TIP
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import State

Log = Mapping[str, NDArray[Any]]
#: More than any number of links on a board.
FAR = 99


def placed(log: Log, board: Board, games: int) -> NDArray[np.float64]:
    """Dice placed on each field in a game, on average; NaN where none may be placed."""
    counts = np.bincount(log["end"][log["kind"] == PLACE], minlength=len(board.fields)) / games
    counts[board.centre] = np.nan
    return counts


def taken(log: Log, board: Board, chips: Collection[int], games: int) -> NDArray[np.float64]:
    """Share of games in which the chip on a field is taken; NaN where none lies."""
    shares = np.full(len(board.fields), np.nan)
    counts = np.bincount(log["start"][log["kind"] == CHIP_TAKEN], minlength=len(board.fields))
    for field in chips:
        shares[field] = counts[field] / games
    return shares


def final_dice(log: Log, board: Board, games: int) -> NDArray[np.bool_]:
    """Where dice lie when a game ends: ``bool[game, field]``.

    Every die that comes to a field is one more, every die that leaves it one less.
    """
    held, kind = np.zeros((games, len(board.fields)), np.int64), log["kind"]
    comes = (kind == PLACE) | ((kind == TIP) & (log["lost"] == 0))
    leaves = (kind == TIP) | (kind == CHIP_TAKEN)
    np.add.at(held, (log["game"][comes], log["end"][comes]), 1)
    np.add.at(held, (log["game"][leaves], log["start"][leaves]), -1)
    return held.astype(bool)


def chain_share(log: Log, rules: Rules, alchemist: int, connects: NDArray[np.bool_]) -> tuple[NDArray[np.float64], int]:
    """How often a field is on a shortest chain of an alchemist, among the games that connect him.

    Parameters
    ----------
    connects : bool[game]
        Whether a game ends by a connection; after a last die no chain counts.

    Returns
    -------
    float64[field], int
        The shares, and the number of games that connect him.
    """
    board, games = rules.load_board(), len(connects)
    held = final_dice(log, board, games)
    start, goal = board.alchemists[alchemist], board.targets[alchemist]
    if rules.chain_ends == "beside":
        held[:, [start, goal]] = True
    ways = open_ways(log, board, games)
    there, back = links(board, held, ways, start), links(board, held, ways, goal)
    joined = (there[:, goal] < FAR) & connects
    on_way = there + back == there[:, [goal]]
    number = int(joined.sum())
    return (on_way[joined].mean(axis=0) if number else np.zeros(len(board.fields))), number


def open_ways(log: Log, board: Board, games: int) -> NDArray[np.bool_]:
    """Where the obstacle leaves the way open at the end: ``bool[direction, game, field]``."""
    ways = np.ones((4, games, len(board.fields)), bool)
    moved = log["kind"] == OBSTACLE
    # of several places in a game the last one stays
    edges = zip(log["start"][moved].tolist(), log["end"][moved].tolist(), strict=True)
    last = dict(zip(log["game"][moved].tolist(), edges, strict=True))
    for game, (one, other) in last.items():
        for field, near in ((one, other), (other, one)):
            ways[board.steps[field].index(near), game, field] = False
    return ways


def links(board: Board, held: NDArray[np.bool_], ways: NDArray[np.bool_], start: int) -> NDArray[np.int64]:
    """Links from ``start`` to each die over dice, ``int64[game, field]``; ``FAR`` if there is no chain.

    Parameters
    ----------
    held : bool[game, field]
        Where dice lie.
    ways : bool[direction, game, field]
        Where no obstacle stands, or ``bool[direction, 1, 1]`` if none does anywhere.
    """
    near = np.array([[-1 if step is None else step for step in row] for row in board.steps]).T
    found = np.full(held.shape, FAR)
    found[held[:, start], start] = 0
    while True:
        padded = np.hstack([found, np.full((len(found), 1), FAR)])
        new: NDArray[np.int64] = found.copy()
        for direction in range(4):
            reach = np.where(ways[direction], padded[:, near[direction]] + 1, FAR)
            np.minimum(new, reach, out=new)
        new[~held] = FAR
        np.minimum(new, FAR, out=new)
        if (new == found).all():
            return new
        found = new


def scattered_share(rules: Rules, alchemist: int, dice: int, boards: int, seed: int) -> float:
    """Share of boards with so many dice on random free fields on which they connect an alchemist."""
    board = rules.load_board()
    free = np.array([field for field in board.fields if field != board.centre])
    order = np.random.default_rng(seed).random((boards, len(free))).argsort(axis=1)[:, :dice]
    held = np.zeros((boards, len(board.fields)), bool)
    np.put_along_axis(held, free[order], True, axis=1)
    start, goal = board.alchemists[alchemist], board.targets[alchemist]
    if rules.chain_ends == "beside":
        held[:, [start, goal]] = True
    return float((links(board, held, np.ones((4, 1, 1), bool), start)[:, goal] < FAR).mean())


def connection(state: State) -> set[int]:
    """The fields of a shortest chain of every connected seat."""
    fields: set[int] = set()
    for seat in state.connected():
        start, goal = state.ends(seat)
        before, queue = {start: start}, deque([start])
        while goal not in before:
            field = queue.popleft()
            for near in state.ways(field):
                if near not in before and (near in state.dice or near == goal):
                    before[near] = field
                    queue.append(near)
        field = goal
        while field != start:
            fields.add(field)
            field = before[field]
        fields.add(start)
    return fields
