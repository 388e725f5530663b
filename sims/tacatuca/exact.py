"""Tacatuca solved instead of sampled: absorbing Markov chains from any pins, for 2, 3 and 4 players.

Nobody decides anything, so the pins after a round depend on the pins before it and on the dice only. The dice enter
as counted outcomes out of ``36**players``, so that the one source of error, besides the rounding of float64, is where
an iteration stops; both iterations below say what they guarantee. Every rule is obeyed, ``max_rounds`` too: a game
still open then has no winner, its leavers keep their places, and it lasted ``max_rounds`` rounds, as in a record.

:func:`solve` moves the mass of one start forward, round by round, until ``max_rounds`` or until at most ``TOLERANCE``
of it is still in play. Every chance it returns is too small by at most ``remaining <= TOLERANCE``.

:func:`win_table` solves ``v = P v`` for all states of a total backward by Gauss-Seidel, phase by phase. If the last
sweep changed no value by more than ``d``, then ``|v - P v| <= d``, and the error is at most ``d`` times the largest
expected number of rounds in the phase, plus the error of the phases below; the tables carry that bound, and the chance
that a game lasts longer than ``max_rounds``. Where that chance may be above ``TOLERANCE``, ``max_rounds`` matters, and
the values are found by as many steps of one round each, ``v(n + 1) = P v(n)``, from what they are with none left.

References
----------
Kemeny, Snell, "Finite Markov Chains", 1960, chapter 3 (absorbing chains: expected visits, time to absorption).
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sims.engine import kept
from sims.engine.errors import InputError
from sims.engine.jit import source_key
from sims.engine.kept import Expected
from sims.engine.numbers import as_whole, shown, whole
from sims.engine.text import counted
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
KEEP_FROM = 150


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
        Chance that the round is the last one played, from round 0 (always 0) on; the games that ``max_rounds`` cuts
        off are among those of that round.
    unfinished : float
        Chance that ``max_rounds`` cuts the game off.
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
    unfinished: float
    remaining: float
    longest: float

    @property
    def win(self) -> Floats:
        """Chance to win: float64[seat]."""
        return self.places[:, 0]

    @property
    def rounds_mean(self) -> float:
        """Expected number of rounds played."""
        return float(self._chances @ np.arange(len(self.ended)))

    @property
    def rounds_mean_error(self) -> float:
        """Guaranteed error of ``rounds_mean``: games that remain were counted as ending in the last round."""
        return self.remaining * (len(self.ended) + self.longest)

    @property
    def rounds_sd(self) -> float:
        """Standard deviation of the number of rounds."""
        return float(np.sqrt(self._chances @ (np.arange(len(self.ended)) - self.rounds_mean) ** 2))

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

    @property
    def _chances(self) -> Floats:
        """``ended``, with what remains counted as ending in the last round."""
        chances = self.ended.copy()
        chances[-1] += self.remaining
        return chances


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
        Expected rounds still to be played.
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

    @property
    def unfinished(self) -> Floats:
        """Chance that ``max_rounds`` cuts the game off: float64[state]."""
        # what every number left open, or rounding, is no such chance
        open_games = 1.0 - self.win.sum(axis=1)
        return np.where(open_games > self.win_error * self.pins.shape[1], open_games, 0.0)


def solve(rules: Rules, pins: Sequence[int], progress: Progress | None = None) -> Solution:
    """Follow a game from ``pins`` to its end, or to ``rules.max_rounds``.

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
    check_rules(rules)
    start = check_pins(pins)
    tell = progress or _silent

    def work() -> dict[str, Floats]:
        with chain_of(rules, len(start), sum(start), tell) as chain:
            return _forward(chain, start, rules.max_rounds, tell)

    seats = len(start)
    expected = {
        "places": Expected((seats, seats), high=1),
        "leaves_first": Expected((seats,), high=1),
        "ended": Expected((None,), high=1),
        "bounds": Expected((3,)),
    }
    found = _kept(rules, ("solve", *start), _states(seats, sum(start)), expected, work)
    unfinished, remaining, longest = map(float, found["bounds"])
    return Solution(start, found["places"], found["leaves_first"], found["ended"], unfinished, remaining, longest)


def win_table(rules: Rules, players: int, total: int, progress: Progress | None = None) -> WinTable:
    """Win chance and expected rounds for every way to spread ``total`` pins over ``players`` seats, all in play.

    Every division is a start: ``rules.max_rounds`` rounds may still be played.

    Raises
    ------
    InputError
        As :func:`solve`.
    """
    check_rules(rules)
    players, total = (whole(key, value, 0, 10**9) for key, value in (("players", players), ("total", total)))
    check_total(players, total)
    tell = progress or _silent

    def work() -> dict[str, Floats]:
        with chain_of(rules, players, total, tell) as chain:
            bound = chain.unfinished_bound(rules.max_rounds)
            if bound <= TOLERANCE:
                return _backward(chain, bound, tell)
            return _round_by_round(chain, rules.max_rounds, tell)

    states = _states(players, total)
    expected = {"win": Expected((states, players), high=1), "rounds": Expected((states,)), "bounds": Expected((2,))}
    found = _kept(rules, ("win_table", players, total), states, expected, work)
    win_error, rounds_error = map(float, found["bounds"])
    return WinTable(spreads(players, total, least=1), found["win"], found["rounds"], win_error, rounds_error)


def check_pins(pins: Sequence[int]) -> tuple[int, ...]:
    """The start by seat, if it can be solved; otherwise one clear line."""
    if isinstance(pins, str) or not isinstance(pins, Iterable):
        raise InputError(f"pins: {shown(pins)} is not allowed; the pins of each seat, as (20, 20)")
    start = []
    for mine in pins:
        found = as_whole(mine)
        if found is None or found < 1:
            raise InputError(f"pins: {shown(mine)} is not allowed; a whole number of at least 1 for each seat")
        start.append(found)
    check_total(len(start), sum(start))
    return tuple(start)


def check_rules(rules: Rules) -> Rules:
    """Rules, not the variant that holds them; otherwise one clear line."""
    if not isinstance(rules, Rules):
        raise InputError(f"rules: {shown(rules)} is not a Rules; write variant.rules")
    return rules


def check_total(players: int, total: int) -> None:
    """Whether so many players and pins in all can be solved; otherwise one clear line."""
    if players not in MAX_TOTAL:
        raise InputError(f"pins: {counted(players, 'seat')} cannot be solved; 2 to 4 can")
    if not players <= total <= MAX_TOTAL[players]:
        raise InputError(
            f"pins: a total of {total} is not solved exactly; {players} to {MAX_TOTAL[players]} for {players} players"
        )


def _states(players: int, total: int) -> int:
    """Number of ways to spread the pins, everybody in play."""
    return comb(total - 1, players - 1)


def _silent(_done: float, _what: str) -> None:
    """Report nothing."""


def _forward(chain: Chain, start: tuple[int, ...], limit: int, progress: Progress) -> dict[str, Floats]:
    """Mass by state and round.

    A phase rests as soon as it and all before it hold next to nothing, so that nothing moves into a resting phase: its
    mass stays in play, and in the bound.
    """
    mass = np.zeros((len(chain.states.alive), 4))
    mass[chain.states.find(np.array(start))] = 1.0
    visits = np.zeros_like(mass)
    ended = [0.0]
    in_play, resting = 1.0, 0.0
    while in_play > TOLERANCE and len(ended) <= limit:
        out = np.zeros_like(mass)
        resting = 0.0
        for phase in chain.phases:
            if mass[: phase.rows.stop].sum() <= TOLERANCE / 4:
                out[phase.rows] += mass[phase.rows]
                resting += float(mass[phase.rows].sum())
            else:
                visits[phase.rows] += mass[phase.rows]
                chain.forward(phase, mass, out)
        ended.append(float(out[chain.over].sum()))
        out[chain.over] = 0.0
        mass, in_play = out, float(out.sum())
        done = float(np.log(max(in_play, TOLERANCE)) / np.log(TOLERANCE))
        progress(min(1.0, max(done, (len(ended) - 1) / limit)), "rounds")
    cut, remaining = (in_play - resting, resting) if in_play > TOLERANCE else (0.0, in_play)
    ended[-1] += cut
    flows = [_flow(phase, visits[phase.rows]) for phase in chain.phases]
    return {
        "places": np.sum(flows, axis=0),
        "leaves_first": flows[0][:, 1:].sum(axis=1),
        "ended": np.array(ended),
        "bounds": np.array([cut, remaining, chain.longest]),
    }


def _flow(phase: Phase, visits: Floats) -> Floats:
    """Chance that seats take places by leaving (or winning) out of a phase: float64[seat, place]."""
    seats = phase.leaving.shape[1]
    turned = np.einsum("cr,csp->rsp", visits[:, :seats], phase.leaving)
    flow: Floats = np.sum([np.roll(turned[rotation], rotation, axis=0) for rotation in range(seats)], axis=0)
    return flow


def _backward(chain: Chain, unfinished: float, progress: Progress) -> dict[str, Floats]:
    """Values of games without a limit; no more than ``unfinished`` of any is left at the limit."""
    win, rounds = _values_of_the_end(chain)
    states = chain.states
    errors, longest = np.array([unfinished, unfinished * chain.longest]), 0.0
    for phase in reversed(chain.phases):
        # the share of the pins is near the chance to win; the iteration finds it from anywhere
        win[phase.rows, : states.players] = states.canonical[phase.rows] / states.total
        seats = int(states.alive[phase.rows.start])
        longest += phase.stay
        unsettled = 1.0
        while unsettled > SETTLED:
            change, slower = chain.backward(phase, win, rounds)
            unsettled = max(change, slower / longest)
            progress(_settled(unsettled), f"values with {seats} seats")
        # a sweep that changes nothing still rounds
        errors += np.maximum([change, slower], [ROUNDING, ROUNDING * longest]) * phase.stay
    return _by_state(chain, win, rounds, errors)


def _round_by_round(chain: Chain, limit: int, progress: Progress) -> dict[str, Floats]:
    """Values with ``limit`` rounds to play, each from those with one round less."""
    win, rounds = _values_of_the_end(chain)
    change, slower = 1.0, 1.0
    for number in range(limit):
        # a step never changes a value by more than the step before, so that all that are left add up to at most
        # the last change times the longest game
        if max(change, slower / chain.longest) <= SETTLED:
            break
        win, rounds, change, slower = chain.one_round_back(win, rounds)
        progress(max(_settled(max(change, slower / chain.longest)), (number + 1) / limit), "rounds")
    else:
        change, slower = 0.0, 0.0
    errors = np.maximum([change, slower], [ROUNDING, ROUNDING * chain.longest]) * chain.longest
    return _by_state(chain, win, rounds, errors)


def _values_of_the_end(chain: Chain) -> tuple[Floats, Floats]:
    """``win : float64[class, slot]`` and ``rounds : float64[class]`` when no round is left to play."""
    states = chain.states
    win = np.zeros((len(states.alive), 4))
    win[chain.over, : states.players] = states.canonical[chain.over] > 0
    return win, np.zeros(len(states.alive))


def _settled(unsettled: float) -> float:
    """How far the last change has come down, as a share of the way: for the eye only."""
    return float(np.clip(np.log(max(unsettled, SETTLED)) / np.log(SETTLED), 0.0, 1.0))


def _by_state(chain: Chain, win: Floats, rounds: Floats, errors: Floats) -> dict[str, Floats]:
    """From classes to all states in lexical order, everybody in play."""
    states = chain.states
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
    asked = {name: value for name, value in as_dict(rules).items() if name != "pins"}
    return kept.result(json.dumps([question, asked, source_key(Path(__file__).resolve().parent)]), expected, work)
