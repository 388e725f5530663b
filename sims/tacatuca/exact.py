"""Tacatuca solved instead of sampled: absorbing Markov chains from any pins, for 2, 3 and 4 players.

Nobody decides anything, so the pins after a round depend on the pins before it and on the dice only. The dice enter
as counted outcomes out of ``36**players``, so that the one source of error, besides the rounding of float64, is where
an iteration stops; both iterations below say what they guarantee. ``Rules.max_rounds`` plays no part: a chain
is followed to its end.

:func:`solve` moves the mass of one start forward, round by round, until at most ``TOLERANCE`` of it is still in play.
Every chance it returns is too small by at most ``remaining <= TOLERANCE``.

:func:`win_table` solves ``v = P v`` for all states of a total backward by Gauss-Seidel, phase by phase. If the last
sweep changed no value by more than ``d``, then ``|v - P v| <= d``, and the error is at most ``d`` times the largest
expected number of rounds in the phase, plus the error of the phases below; the tables carry that bound.

References
----------
Kemeny, Snell, "Finite Markov Chains", 1960, chapter 3 (absorbing chains: expected visits, time to absorption).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sims.engine import kept
from sims.engine.errors import InputError
from sims.engine.jit import source_key
from sims.engine.kept import Expected
from sims.engine.variant import as_dict
from sims.tacatuca.ring import MAX_TOTAL, Chain, Floats, Phase, Progress, chain_of, spreads
from sims.tacatuca.rules import Rules

#: Forward: the mass that may be left in play.
TOLERANCE = 1e-12
#: Backward: the largest change in the last sweep, of win chances, and of rounds relative to the longest expected.
SETTLED = 1e-14
#: What a sum over a row may lose, relative to the largest value.
ROUNDING = float(np.finfo(np.float64).eps)
#: Results on so many states or more are kept on disk; smaller ones are found again sooner than read.
KEEP_FROM = 1000


@dataclass(frozen=True, eq=False)
class Solution:
    """What becomes of one start.

    Attributes
    ----------
    pins : tuple of int
        The start, by seat.
    places : float64[seat, place]
        Chance to end on a place (0: wins). Seats that leave in the same round share the better place: one more than
        the seats still in after the round.
    leaves_first : float64[seat]
        Chance to be the first to leave, or among the first.
    ended : float64[round]
        Chance that the game ends in that round, from round 0 (always 0) on.
    remaining : float
        Chance of games longer than ``ended`` tells: the guaranteed error of every chance here.
    longest : float
        Bound on the expected number of rounds from any state of the same total, which makes ``remaining`` a bound
        on the error of the mean.
    """

    pins: tuple[int, ...]
    places: Floats
    leaves_first: Floats
    ended: Floats
    remaining: float
    longest: float

    @property
    def win(self) -> Floats:
        """Chance to win: float64[seat]."""
        return self.places[:, 0]

    @property
    def rounds_mean(self) -> float:
        """Expected number of rounds."""
        return self._moment(1)

    @property
    def rounds_mean_error(self) -> float:
        """Guaranteed error of ``rounds_mean``: games that remain were counted as ending in the last round."""
        return self.remaining * (len(self.ended) + self.longest)

    @property
    def rounds_sd(self) -> float:
        """Standard deviation of the number of rounds."""
        return float(np.sqrt(max(0.0, self._moment(2) - self._moment(1) ** 2)))

    @property
    def rounds_median(self) -> int:
        """The first round by which half of the games are over."""
        return self.rounds_quantile(0.5)

    @property
    def rounds_p95(self) -> int:
        """The first round by which 95 % of the games are over."""
        return self.rounds_quantile(0.95)

    @property
    def over_by(self) -> Floats:
        """Chance that the game is over by the end of a round: float64[round]."""
        return np.cumsum(self.ended)

    def rounds_quantile(self, share: float) -> int:
        """The first round by which this share of the games is over, ``0 < share <= 1 - TOLERANCE``."""
        return int(np.searchsorted(self.over_by, share - self.remaining))

    def _moment(self, power: int) -> float:
        rounds = np.arange(len(self.ended), dtype=np.float64)
        return float(self.ended @ rounds**power + self.remaining * rounds[-1] ** power)


@dataclass(frozen=True, eq=False)
class WinTable:
    """The chances from every state of one total in which all seats have pins.

    Attributes
    ----------
    pins : int64[state, seat]
        In lexical order.
    win : float64[state, seat]
        Chance to win.
    rounds : float64[state]
        Expected rounds to the end.
    win_error, rounds_error : float
        Guaranteed largest error.
    """

    pins: NDArray[np.int64]
    win: Floats
    rounds: Floats
    win_error: float
    rounds_error: float

    def row(self, pins: Sequence[int]) -> int:
        """The row of a state.

        Raises
        ------
        InputError
            If the table has no such state.
        """
        seats, total = self.pins.shape[1], int(self.pins[0].sum())
        if len(pins) != seats or sum(pins) != total or min(pins) < 1:
            raise InputError(f"pins: {list(pins)} is not in this table; {seats} seats, at least 1 each, {total} in all")
        return int(np.flatnonzero((self.pins == np.asarray(pins)).all(axis=1))[0])


def solve(rules: Rules, pins: Sequence[int], progress: Progress | None = None) -> Solution:
    """Follow a game from ``pins`` to its end.

    Parameters
    ----------
    pins : sequence of int
        By seat, 2 to 4 seats, at least 1 each; ``rules.pins`` plays no part.
    progress : callable, optional
        ``progress(done, what)``: the share of the present stage that is done, and the stage.

    Raises
    ------
    InputError
        Pins out of range, or more of them than can be solved in reasonable time or memory.

    Examples
    --------
    >>> solve(Rules(), (3, 3)).win.round(9).tolist()
    [0.5, 0.5]
    """
    start = check_pins(pins)
    tell = progress or _silent

    def work() -> dict[str, Floats]:
        with chain_of(rules, len(start), sum(start), tell) as chain:
            return _forward(chain, start, tell)

    seats = len(start)
    expected = {
        "places": Expected((seats, seats), high=1),
        "leaves_first": Expected((seats,), high=1),
        "ended": Expected((None,), high=1),
        "bounds": Expected((2,)),
    }
    found = _kept(rules, ("solve", *start), _states(seats, sum(start)), expected, work)
    remaining, longest = map(float, found["bounds"])
    return Solution(start, found["places"], found["leaves_first"], found["ended"], remaining, longest)


def win_table(rules: Rules, players: int, total: int, progress: Progress | None = None) -> WinTable:
    """Win chance and expected rounds for every way to spread ``total`` pins over ``players`` seats, all in play.

    Raises
    ------
    InputError
        As :func:`solve`.
    """
    check_total(players, total)
    tell = progress or _silent

    def work() -> dict[str, Floats]:
        with chain_of(rules, players, total, tell) as chain:
            return _backward(chain, tell)

    states = _states(players, total)
    expected = {"win": Expected((states, players), high=1), "rounds": Expected((states,)), "bounds": Expected((2,))}
    found = _kept(rules, ("win_table", players, total), states, expected, work)
    win_error, rounds_error = map(float, found["bounds"])
    return WinTable(spreads(players, total, least=1), found["win"], found["rounds"], win_error, rounds_error)


def check_pins(pins: Sequence[int]) -> tuple[int, ...]:
    """The start by seat, if it can be solved; otherwise one clear line."""
    for mine in pins:
        if isinstance(mine, bool) or not isinstance(mine, int | np.integer) or mine < 1:
            raise InputError(f"pins: {mine!r} is not allowed; a whole number of at least 1 for each seat")
    check_total(len(pins), sum(pins))
    return tuple(int(mine) for mine in pins)


def check_total(players: int, total: int) -> None:
    """Whether so many players and pins in all can be solved; otherwise one clear line."""
    if players not in MAX_TOTAL:
        raise InputError(f"pins: {players} seats are not allowed; 2 to 4")
    if not players <= total <= MAX_TOTAL[players]:
        raise InputError(
            f"pins: a total of {total} is not solved exactly; {players} to {MAX_TOTAL[players]} for {players} players"
        )


def _states(players: int, total: int) -> int:
    """Number of ways to spread the pins, everybody in play."""
    return comb(total - 1, players - 1)


def _silent(_done: float, _what: str) -> None:
    """Report nothing."""


def _forward(chain: Chain, start: tuple[int, ...], progress: Progress) -> dict[str, Floats]:
    """Mass by state and round. A phase that holds next to nothing rests: its mass stays in play, and in the bound."""
    mass = np.zeros((len(chain.states.alive), 4))
    mass[chain.states.find(np.array(start))] = 1.0
    visits = np.zeros_like(mass)
    ended = [0.0]
    in_play = 1.0
    while in_play > TOLERANCE:
        out = np.zeros_like(mass)
        for phase in chain.phases:
            if mass[phase.rows].sum() <= TOLERANCE / 4:
                out[phase.rows] += mass[phase.rows]
            else:
                visits[phase.rows] += mass[phase.rows]
                chain.forward(phase, mass, out)
        ended.append(float(out[chain.over].sum()))
        out[chain.over] = 0.0
        mass, in_play = out, float(out.sum())
        progress(min(1.0, float(np.log(max(in_play, TOLERANCE)) / np.log(TOLERANCE))), "rounds")
    flows = [_flow(phase, visits[phase.rows]) for phase in chain.phases]
    bounds = [in_play, sum(phase.stay for phase in chain.phases)]
    return {
        "places": np.sum(flows, axis=0),
        "leaves_first": flows[0][:, 1:].sum(axis=1),
        "ended": np.array(ended),
        "bounds": np.array(bounds),
    }


def _flow(phase: Phase, visits: Floats) -> Floats:
    """Chance that seats take places by leaving (or winning) out of a phase: float64[seat, place]."""
    seats = phase.leaving.shape[1]
    turned = np.einsum("cr,csp->rsp", visits[:, :seats], phase.leaving)
    flow: Floats = np.sum([np.roll(turned[rotation], rotation, axis=0) for rotation in range(seats)], axis=0)
    return flow


def _backward(chain: Chain, progress: Progress) -> dict[str, Floats]:
    states = chain.states
    win = np.zeros((len(states.alive), 4))
    win[chain.over, : states.players] = states.canonical[chain.over] > 0
    rounds = np.zeros(len(states.alive))
    errors, longest = np.zeros(2), 0.0
    for phase in reversed(chain.phases):
        # the share of the pins is near the chance to win; the iteration finds it from anywhere
        win[phase.rows, : states.players] = states.canonical[phase.rows] / states.total
        seats = int(states.alive[phase.rows.start])
        longest += phase.stay
        unsettled = 1.0
        while unsettled > SETTLED:
            change, slower = chain.backward(phase, win, rounds)
            unsettled = max(change, slower / longest)
            done = float(np.log(max(unsettled, SETTLED)) / np.log(SETTLED))
            progress(min(max(done, 0.0), 1.0), f"values with {seats} seats")
        # a sweep that changes nothing still rounds
        errors += np.maximum([change, slower], [ROUNDING, ROUNDING * longest]) * phase.stay
    pins = spreads(states.players, states.total, least=1)
    classes, rotations = states.find(pins)
    seats_of = (np.arange(states.players) - rotations[:, None]) % states.players
    return {"win": win[classes[:, None], seats_of], "rounds": rounds[classes], "bounds": errors}


def _kept(
    rules: Rules,
    question: tuple[str | int, ...],
    states: int,
    expected: dict[str, Expected],
    work: Callable[[], dict[str, Floats]],
) -> dict[str, Floats]:
    """The result of ``work``, read from the cache if it was found before under the same rules and sources."""
    if states < KEEP_FROM:
        return work()
    asked = {name: value for name, value in as_dict(rules).items() if name not in ("pins", "max_rounds")}
    return kept.result(json.dumps([question, asked, source_key(Path(__file__).resolve().parent)]), expected, work)
