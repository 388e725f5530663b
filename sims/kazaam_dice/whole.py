"""Whole games solved: every position of a tiny board without chips, under uniform play and under best play.

All positions that can come up are listed with all uses of all rolls. A quantity of the rest of the game, seen from a
position, is then the mean over the 36 rolls of its mean (uniform play) or maximum (best play) over the uses, where a
use leads to another position or to an end. Sweep k gives the worth with k turns left before ``max_turns`` cuts the game
off; sweeps go on to ``max_turns``, or until the largest change is below ``TOLERANCE``, after which no further turn
matters. A position is swept once for each number of turns just passed in a row, so that ``max_passes`` is honoured too.

References
----------
Howard, "Dynamic Programming and Markov Processes", MIT Press 1960 (value iteration).
Shapley, "Stochastic games", PNAS 39, 1953 (for two seats; here one seat moves at a time).
"""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sims.engine.errors import InputError
from sims.engine.jit import source_key
from sims.engine.kept import Arrays, Expected, result
from sims.engine.variant import as_dict
from sims.kazaam_dice.draw import as_file
from sims.kazaam_dice.exact import uses_of
from sims.kazaam_dice.rules import ENDS, LAST_DIE, PASSES, TURNS, Rules
from sims.kazaam_dice.state import Move, MoveAmbrosius, SetObstacle, State

#: The most positions listed before giving up.
LIMIT = 60_000
#: The most positions, counted once for each number of passes in a row.
PASSED_LIMIT = 20_000_000
TOLERANCE = 1e-13
#: Groups of uses of a position: 0-5 one die of an unequal roll, 6-11 the dice of a double, 12 Ambrosius and the
#: obstacle with any double.
GROUPS, FIGURES = 13, 12
#: How many of the 36 rolls may use the same groups, and which.
ROLLS = [(1, [6 + a, FIGURES]) for a in range(6)] + [(2, [a, b]) for a in range(6) for b in range(a + 1, 6)]

Key = tuple[frozenset[tuple[int, int]], int, tuple[int, int] | None]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Uniform:
    """What becomes of a game in which every use is picked uniformly.

    Attributes
    ----------
    ends : float64[end]
        Probability of each way to end, cut off included, in the order of ``rules.ENDS``.
    turns : float
        Mean number of turns.
    points : float64[seat]
        Mean points.
    """

    ends: Values
    turns: float
    points: Values


def uniform_play(rules: Rules, players: int) -> Uniform:
    """What becomes of a game of uniform picks from its start; kept on disk, since every page asks it of the same tiny game.

    Raises
    ------
    InputError
        As :class:`Whole`.
    """
    asked = [
        "uniform",
        players,
        as_dict(rules),
        as_file(rules.load_board()),
        source_key(Path(__file__).resolve().parent),
    ]
    expected = {"ends": Expected((len(ENDS),), high=1), "turns": Expected((1,)), "points": Expected((players,))}

    def work() -> Arrays:
        found = Whole(rules, players).uniform
        return {"ends": found.ends, "turns": np.array([found.turns]), "points": found.points}

    found = result(json.dumps(asked), expected, work)
    return Uniform(found["ends"], float(found["turns"][0]), found["points"])


class Whole:
    """Every position of a variant for ``players`` seats.

    Raises
    ------
    InputError
        If the board has chips, or if there are more than ``LIMIT`` positions or ``PASSED_LIMIT`` with passes.
    """

    def __init__(self, rules: Rules, players: int) -> None:
        start = State.start(rules, players)
        if start.chips:
            raise InputError(f"board: {rules.board} has chips; whole games are solved on boards without")
        self.players, self.max_turns = players, rules.max_turns
        #: How games end and every seat's points then, by code.
        self.ended: dict[tuple[int, tuple[int, ...]], int] = {}
        # Dice belong to nobody, so the uses of a board are listed once for all seats.
        self._boards: dict[Key, int] = {_key(start): 0}
        self._ends: dict[tuple[int, ...], tuple[int, State]] = {}
        leads: list[int] = []
        counts: list[int] = []
        self._new = deque([start])
        while self._new:
            state = self._new.popleft()
            for group in _groups(state):
                leads += [self._lead(state, move) for move in group]
                counts.append(len(group))
            if self.positions > LIMIT:
                raise InputError(f"supply: {rules.supply} dice make more than {LIMIT} positions; fewer can be solved")
        follows = [(seat + 1) % players for seat in range(players)]
        #: Where each use leads by seat, as :meth:`_code`, and where a pass leads.
        self._codes = np.array([self._code(lead, seat) for seat in range(players) for lead in leads], np.int64)
        self._passes = np.array(
            [seat * len(self._boards) + board for seat in follows for board in range(len(self._boards))]
        )
        #: Number of uses, ``int64[position, group]``, and of each use its position and group as one row number.
        self._counts = np.tile(np.array(counts, np.int64), players).reshape(-1, GROUPS)
        self._rows = np.repeat(np.arange(self._counts.size), self._counts.reshape(-1))
        self._seats = np.repeat(np.arange(players), len(self._boards))
        # Numbers of turns passed in a row after which the game goes on; one if no roll is ever without a use.
        self._idle = players * rules.max_passes if self._passed_rolls.any() else 1
        if self._idle * self.positions > PASSED_LIMIT:
            most = PASSED_LIMIT // (players * self.positions)
            raise InputError(f"max_passes: {rules.max_passes} is too large for whole games; at most {most} here")

    @property
    def positions(self) -> int:
        """How many positions there are in which a seat rolls: each board for each seat, seat after seat."""
        return self.players * len(self._boards)

    @cached_property
    def _passed_rolls(self) -> Values:
        """How many of the 36 rolls have no use, by position."""
        passed: Values = np.zeros(self.positions)
        for rolls, groups in ROLLS:
            passed += rolls * (self._counts[:, groups].sum(axis=1) == 0)
        return passed

    def _lead(self, state: State, move: Move) -> int:
        """Where a move leads: the number of a board, or ``-1 - number`` of a way in which the dice end the game."""
        after = state.copy()
        after.apply(move)
        end = after.ending()
        if end is not None:
            way = () if end == LAST_DIE else tuple(after.connected())
            return -1 - self._ends.setdefault(way, (len(self._ends), after))[0]
        key = _key(after)
        if key not in self._boards:
            self._boards[key] = len(self._boards)
            self._new.append(after)
        return self._boards[key]

    def _code(self, lead: int, seat: int) -> int:
        """Where a move of a seat leads: the number of a position, or ``-1 - code`` of an end."""
        if lead >= 0:
            return (seat + 1) % self.players * len(self._boards) + lead
        return -1 - self._end_codes[seat][-1 - lead]

    @cached_property
    def _end_codes(self) -> list[list[int]]:
        """The code in ``ended`` of each way to end, by the seat that brings it about."""
        codes: list[list[int]] = []
        for seat in range(self.players):
            codes.append([])
            for _, state in self._ends.values():
                after, points = replace(state, seat=seat), [0] * self.players
                end = after.ending()
                assert end is not None
                for owner, _, amount in after.awards(end):
                    points[owner] += amount
                codes[seat].append(self.ended.setdefault((end, tuple(points)), len(self.ended)))
        return codes

    # -- uniform play --------------------------------------------------------------------------------------

    @cached_property
    def uniform(self) -> Uniform:
        """The game from its start when every seat picks uniformly among the uses of its roll."""
        goals = np.zeros((len(self.ended) + 2, len(ENDS) + self.players))
        for (end, points), code in self.ended.items():
            goals[code, end] = 1
            goals[code, len(ENDS) :] = points
        # a game cut off is worth no points, since there are no chips
        goals[-2, PASSES] = goals[-1, TURNS] = 1
        values = np.array([self._mean(goals[:, goal], 0.0) for goal in range(goals.shape[1])])
        return Uniform(values[: len(ENDS)], self._mean(np.zeros(len(goals)), 1.0), values[len(ENDS) :])

    def _mean(self, ends: Values, each_turn: float) -> float:
        """Mean, from the start, of the worth of the end plus ``each_turn`` for every turn; ``ends`` as in ``_solve``."""

        def totals(worth: Values) -> Values:
            sums = np.bincount(self._rows, worth[self._codes], self._counts.size)
            return sums.astype(np.float64).reshape(-1, GROUPS)

        def of_roll(total: Values, groups: list[int]) -> Values:
            one, other = groups
            uses = self._counts[:, one] + self._counts[:, other]
            return np.where(uses > 0, (total[:, one] + total[:, other]) / np.maximum(uses, 1), np.nan)

        return float(self._solve(totals, of_roll, ends, each_turn)[0])

    # -- best play -----------------------------------------------------------------------------------------

    @cached_property
    def best(self) -> float:
        """Mean points of the first seat under best play, less those of the second if there is one.

        Raises
        ------
        InputError
            For more than two seats, whose interests are not opposed.
        """
        return float(self._worth[0])

    def worth(self, state: State, move: Move) -> float:
        """Mean margin of the player on turn over the other after a move, under best play with ``max_turns`` to come."""
        code = self._code(self._lead(state, move), state.seat)
        return float(self._worth[code]) * (1 if state.seat == 0 else -1)

    @cached_property
    def _worth(self) -> Values:
        """Mean margin of the first seat under best play: by position, then by end in reverse, as codes find them."""
        if self.players > 2:
            raise InputError(f"players: {self.players} is not allowed; best play is solved for 1 or 2")
        margins = np.array([points[0] - sum(points[1:]) for _, points in self.ended], float)
        cut_off = np.zeros(2)
        # The first seat looks for the largest margin, the second for the smallest.
        sign = np.where(self._seats == 0, 1.0, -1.0)
        signs = np.repeat(sign, self._counts.sum(axis=1))

        def maxima(worth: Values) -> Values:
            best = np.full(self._counts.size, -np.inf)
            np.maximum.at(best, self._rows, signs * worth[self._codes])
            return best.reshape(-1, GROUPS)

        def of_roll(best: Values, groups: list[int]) -> Values:
            most = best[:, groups].max(axis=1)
            return np.where(np.isneginf(most), np.nan, sign * most)

        solved = self._solve(maxima, of_roll, np.concatenate([margins, cut_off]), 0.0)
        return np.concatenate([solved, margins[::-1]])

    def _solve(
        self,
        of_groups: Callable[[Values], Values],
        of_roll: Callable[[Values, list[int]], Values],
        ends: Values,
        each_turn: float,
    ) -> Values:
        """Iterate "worth = ``each_turn`` + mean over the rolls of what follows", one sweep for each turn left.

        Parameters
        ----------
        of_groups : callable
            Worth by code, what a code leads to -> float64[position, group].
        of_roll : callable
            That and the groups of a roll -> float64[position]; nan where the roll has no use, so that it is passed.
        ends : float64[code + 2]
            What each end is worth; last, what a game is worth that ``max_passes`` and ``max_turns`` cut off.

        Returns
        -------
        float64[position]
        """
        ends, passes, turns = ends[:-2], ends[-2], ends[-1]
        # worth : float64[turns passed in a row so far, position]
        values = np.full((self._idle, self.positions), turns)
        for _ in range(self.max_turns):
            grouped = of_groups(np.concatenate([values[0], ends[::-1]]))
            used = np.full(self.positions, each_turn)
            for rolls, groups in ROLLS:
                used += np.nan_to_num(of_roll(grouped, groups), nan=0.0) * rolls / 36
            passed = np.vstack([values[1:, self._passes], np.full(self.positions, passes)])
            new = used + passed * self._passed_rolls / 36
            change, values = np.max(np.abs(new - values)), new
            if change < TOLERANCE:
                break
        worth: Values = values[0]
        return worth


def _groups(state: State) -> list[list[Move]]:
    """The uses of a position by group."""
    groups: list[list[Move]] = [[] for _ in range(GROUPS)]
    for value in range(1, 7):
        for double in (False, True):
            for move in uses_of(state, value, double):
                if not isinstance(move, MoveAmbrosius | SetObstacle):
                    groups[value - 1 + 6 * double].append(move)
                elif value == 1:
                    groups[FIGURES].append(move)
    return groups


def _key(state: State) -> Key:
    """What tells boards without chips apart."""
    return frozenset(state.dice.items()), state.ambrosius, state.obstacle
