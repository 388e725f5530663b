"""What happens where: dice placed, chains of decided games and chips taken, field by field, from the log."""

from collections import deque
from collections.abc import Collection

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import compare
from analysis.chapter import Study
from sims.engine.dice import SeededDice
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.kernel import CHIP_TAKEN
from sims.kazaam_dice.moves import OBSTACLE, PLACE, TIP
from sims.kazaam_dice.reference import Standing
from sims.kazaam_dice.rules import OTHER, Rules
from sims.kazaam_dice.state import State

#: More than any number of steps on a board.
FAR = 99


def placed(log: pd.DataFrame, board: Board, games: int) -> NDArray[np.float64]:
    """Dice placed on each field in a game, on average; NaN where none may be placed."""
    counts = np.bincount(log.loc[log["kind"] == PLACE, "end"], minlength=len(board.fields)) / games
    counts[board.centre] = np.nan
    return counts


def taken(log: pd.DataFrame, board: Board, chips: Collection[int], games: int) -> NDArray[np.float64]:
    """Share of games in which the chip on a field is taken; NaN where none lies."""
    shares = np.full(len(board.fields), np.nan)
    counts = np.bincount(log.loc[log["kind"] == CHIP_TAKEN, "start"], minlength=len(board.fields))
    for field in chips:
        shares[field] = counts[field] / games
    return shares


def final_dice(log: pd.DataFrame, board: Board, games: int) -> NDArray[np.bool_]:
    """Where dice lie when a game ends: ``bool[game, field]``.

    Every die that comes to a field is one more, every die that leaves it one less.
    """
    held = np.zeros((games, len(board.fields)), np.int64)
    comes = log[(log["kind"] == PLACE) | ((log["kind"] == TIP) & (log["lost"] == 0))]
    leaves = log[(log["kind"] == TIP) | (log["kind"] == CHIP_TAKEN)]
    np.add.at(held, (comes["game"].to_numpy(), comes["end"].to_numpy()), 1)
    np.add.at(held, (leaves["game"].to_numpy(), leaves["start"].to_numpy()), -1)
    return held.astype(bool)


def chain_share(
    log: pd.DataFrame, rules: Rules, alchemist: int, records: pd.DataFrame
) -> tuple[NDArray[np.float64], int]:
    """How often a field is on a shortest chain of an alchemist, among the games that connect him.

    Returns
    -------
    float64[field], int
        The shares, and the number of games that connect him.
    """
    board, games = rules.load_board(), len(records)
    held = final_dice(log, board, games)
    start, goal = board.alchemists[alchemist], board.targets[alchemist]
    if rules.chain_ends == "beside":
        held[:, [start, goal]] = True
    ways = open_ways(log, board, games)
    there, back = steps(board, held, ways, start), steps(board, held, ways, goal)
    joined = (there[:, goal] < FAR) & (records["end"] <= OTHER).to_numpy()
    on_way = there + back == there[:, [goal]]
    number = int(joined.sum())
    return (on_way[joined].mean(axis=0) if number else np.zeros(len(board.fields))), number


def open_ways(log: pd.DataFrame, board: Board, games: int) -> NDArray[np.bool_]:
    """Where the obstacle leaves the way open at the end: ``bool[direction, game, field]``."""
    ways = np.ones((4, games, len(board.fields)), bool)
    last = log[log["kind"] == OBSTACLE].groupby("game").last()
    for game, one, other in zip(last.index, last["start"], last["end"], strict=True):
        for field, near in ((one, other), (other, one)):
            ways[board.steps[field].index(near), game, field] = False
    return ways


def steps(board: Board, held: NDArray[np.bool_], ways: NDArray[np.bool_], start: int) -> NDArray[np.int64]:
    """Links from ``start`` to each die over dice, ``int64[game, field]``; ``FAR`` if there is no chain."""
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


def example(study: Study, records: pd.DataFrame, players: int) -> tuple[int, list[State]]:
    """A game that somebody's connection ends, of typical length: its number, and its positions after each use.

    The first of the games whose number of turns is the median of such games; -1 and the start if there is none.
    """
    connected = records[records["end"] <= OTHER]
    start = State.start(study.variant.rules, players)
    if not len(connected):
        return -1, [start]
    typical = int(connected["turns"].quantile(0.5, interpolation="lower"))
    number = int((connected["turns"] == typical).idxmax())
    told = study.game.replay(study.variant.rules, compare.lineup(study, players), SeededDice(study.seed, number))
    return number, [start, *(event.position for event in told if isinstance(event, Standing))]


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
