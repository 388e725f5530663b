"""The Markov chain of a game: its states up to rotation, and its transitions phase by phase.

A state is the pins of every seat; their total never changes, and nothing but the pins matters. Turning the table
turns the next states with it (the round of creditors starts at the debtor's left, so every shortage ruling commutes
with a rotation), hence one row of transitions serves a state and its rotations. Seats without pins are out: a phase
is the set of states with the same number of seats alive, and phases are left downward only.

Memory: 6 bytes for each transition. With 4 players of 20 pins, 19,780 rows hold 289 million of them, 1.7 GB.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.batch import default_threads
from sims.engine.errors import InputError
from sims.engine.variant import coded
from sims.tacatuca.chains import SLOTS, linger, merge_rows, payments, pull, push
from sims.tacatuca.joint import Signatures, signatures
from sims.tacatuca.rules import Rules

#: ``progress(done, what)``: the share of the present stage that is done, 0 to 1, and the stage in words.
Progress = Callable[[float, str], None]

#: Largest total of pins by number of players: beyond, time (2, 3) or memory (4) is out of proportion.
MAX_TOTAL = {2: 1000, 3: 200, 4: 88}
#: 6 bytes each. Only cards far from the printed ones come near it.
MAX_TRANSITIONS = 550_000_000
#: Rows are dealt to so many parts, whatever the machine, so that sums come out the same to the last bit.
PARTS = 4
#: Rows are built in blocks of at most so many transitions before merging.
BLOCK = 4_000_000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class States:
    """The ways to spread ``total`` pins over ``players`` seats, up to rotation.

    Attributes
    ----------
    canonical : int64[class, seat]
        One state of each class, those with most seats alive first.
    alive : int64[class]
        Seats with pins.
    codes : int32[key]
        ``class * SLOTS + rotation`` by key: the pins of all seats but the last, as digits to base ``total + 1``.
    """

    players: int
    total: int
    canonical: NDArray[np.int64]
    alive: NDArray[np.int64]
    codes: NDArray[np.int32]

    @property
    def base(self) -> int:
        """Base of the digits of a key."""
        return self.total + 1

    def find(self, pins: NDArray[np.int64]) -> tuple[Any, Any]:
        """Class and rotation of ``pins : int64[..., seat]``."""
        codes = self.codes[pins @ _strides(self.players, self.base)]
        return codes // SLOTS, codes % SLOTS


def _strides(players: int, base: int) -> NDArray[np.int64]:
    return np.array([*(base**power for power in range(players - 2, -1, -1)), 0], np.int64)


def spreads(players: int, total: int, least: int = 0) -> NDArray[np.int64]:
    """All ways to spread ``total`` pins, at least ``least`` each, in lexical order: int64[state, seat]."""
    free = total - players * least
    some = np.indices((free + 1,) * (players - 1)).reshape(players - 1, -1)
    some = some[:, some.sum(axis=0) <= free]
    return np.vstack([some, free - some.sum(axis=0)]).T.astype(np.int64) + least


def states_of(players: int, total: int) -> States:
    """Number the states; the canonical one of a class has the least key."""
    states, strides = spreads(players, total), _strides(players, total + 1)
    keys = np.stack([np.roll(states, -rotation, axis=1) @ strides for rotation in range(players)], axis=1)
    least, rotation = keys.min(axis=1), keys.argmin(axis=1)
    heads = np.flatnonzero(rotation == 0)
    alive = (states[heads] > 0).sum(axis=1)
    heads = heads[np.argsort(-alive, kind="stable")]
    number = np.full((total + 1) ** (players - 1), -1, np.int32)
    number[keys[heads, 0]] = np.arange(len(heads))
    codes = np.full_like(number, -1)
    codes[keys[:, 0]] = number[least] * SLOTS + rotation
    return States(players, total, states[heads], (states[heads] > 0).sum(axis=1), codes)


class Block(NamedTuple):
    """Transitions of neighbouring rows, as the kernels of ``chains`` take them."""

    first: int
    starts: NDArray[np.int64]
    classes: NDArray[np.uint16]
    weights: NDArray[np.float32]
    scale: float


@dataclass(frozen=True)
class Phase:
    """The rows of all classes with the same number of seats alive.

    Attributes
    ----------
    rows : slice
        Its classes.
    parts : tuple of lists of Block
        The transitions, dealt out for threads.
    leaving : float64[row, seat, place]
        Chance that in the next round a seat takes a place: 0 for the winner, else the number of seats still in after
        the round.
    stay : float
        No state of the phase has more expected rounds in the phase than this.
    halving : int
        From every state of the phase, at least half of the games leave it within so many rounds.
    """

    rows: slice
    parts: tuple[list[Block], ...]
    leaving: Floats
    stay: float
    halving: int


@dataclass(frozen=True)
class Chain:
    """States and phases, the phase with all seats alive first; ``pool`` runs the parts of a phase."""

    states: States
    phases: tuple[Phase, ...]
    pool: ThreadPoolExecutor

    @property
    def over(self) -> slice:
        """The classes with one seat alive."""
        return slice(self.phases[-1].rows.stop, None)

    @property
    def longest(self) -> float:
        """No state has more expected rounds to the end than this."""
        return sum(phase.stay for phase in self.phases)

    def unfinished_bound(self, rounds: int) -> float:
        """No state leaves a game unfinished after so many rounds with a chance above this.

        With ``m = rounds // (sum of halvings)``, a game that is still open spent more than ``m`` halvings in at least
        one of its phases, which has a chance of at most ``2**-m`` for each.
        """
        halvings = rounds // sum(phase.halving for phase in self.phases)
        return min(1.0, len(self.phases) * 0.5 ** min(halvings, 1000))

    def forward(self, phase: Phase, mass: Floats, out: Floats) -> None:
        """Add to ``out`` where the mass of a phase goes in one round: both float64[class, slot]."""

        def work(part: list[Block]) -> Floats:
            mine = np.zeros_like(out)
            for block in part:
                push(*block, mass, mine)
            return mine

        for share in self._each(work, phase):
            out += share

    def backward(self, phase: Phase, win: Floats, rounds: Floats) -> tuple[float, float]:
        """One sweep over the rows of a phase, in place: Gauss-Seidel inside a part, Jacobi between parts.

        Returns
        -------
        tuple
            Largest change of ``win : float64[class, slot]`` and of ``rounds : float64[class]``. Since every new value
            is a mean over values that changed by no more than that, it also bounds the residual of the new values.
        """

        def work(part: list[Block]) -> tuple[Floats, Floats, float, float]:
            mine, longer = win.copy(), rounds.copy()
            changes = [pull(*block, mine, longer, mine, longer) for block in part]
            return mine, longer, max(change[0] for change in changes), max(change[1] for change in changes)

        most, longest = 0.0, 0.0
        for part, (mine, longer, change, slower) in zip(phase.parts, self._each(work, phase), strict=True):
            for block in part:
                rows = slice(block.first, block.first + len(block.starts))
                win[rows], rounds[rows] = mine[rows], longer[rows]
            most, longest = max(most, change), max(longest, slower)
        return most, longest

    def one_round_back(self, win: Floats, rounds: Floats) -> tuple[Floats, Floats, float, float]:
        """The values with one more round to play: new ``win`` and ``rounds``, and the largest change of either."""
        more, longer = win.copy(), rounds.copy()

        def work(part: list[Block]) -> list[tuple[float, float]]:
            return [pull(*block, win, rounds, more, longer) for block in part]

        changes = [change for phase in self.phases for part_of in self._each(work, phase) for change in part_of]
        return more, longer, max(change[0] for change in changes), max(change[1] for change in changes)

    def _each(self, work: Callable[[list[Block]], Any], phase: Phase) -> list[Any]:
        return _each(self.pool, work, phase.parts)


def _each(pool: ThreadPoolExecutor, work: Callable[[list[Block]], Any], parts: tuple[list[Block], ...]) -> list[Any]:
    return [work(parts[0])] if len(parts) == 1 else list(pool.map(work, parts))


@contextmanager
def chain_of(rules: Rules, players: int, total: int, progress: Progress) -> Iterator[Chain]:
    """Build the chain of a game; its threads end with the context.

    Raises
    ------
    InputError
        If the cards lead to so many different transitions that memory would not hold them.
    """
    states = states_of(players, total)
    pool = ThreadPoolExecutor(min(PARTS, default_threads()))
    try:
        phases = tuple(_phase(rules, states, alive, pool, progress) for alive in range(players, 1, -1))
        yield Chain(states, phases, pool)
    finally:
        pool.shutdown(cancel_futures=True)


def _phase(rules: Rules, states: States, alive: int, pool: ThreadPoolExecutor, progress: Progress) -> Phase:
    rows = slice(int((states.alive > alive).sum()), int((states.alive >= alive).sum()))
    stage = f"transitions with {alive} seats"
    progress(0.0, stage)
    joint = signatures(rules, alive)
    paid = payments(joint.bills, states.total, coded(rules, "shortage"))
    size = max(1, BLOCK // len(joint.ways))
    firsts = list(range(rows.start, rows.stop, size))
    leaving = np.zeros((rows.stop - rows.start, states.players, states.players))

    def build(first: int) -> Block:
        some = states.canonical[first : min(first + size, rows.stop)]
        mine = leaving[first - rows.start : first - rows.start + len(some)]
        return _block(states, joint, paid, some, first, rows.stop, mine, 1 / 36**alive)

    blocks: list[Block] = []
    transitions = 0
    for block in pool.map(build, firsts):
        blocks.append(block)
        transitions += len(block.classes)
        progress(len(blocks) / len(firsts), stage)
        if transitions > MAX_TRANSITIONS:
            pool.shutdown(cancel_futures=True)
            raise InputError(
                f"cards: too many different transfers to solve {states.total} pins of {states.players} players "
                "exactly; use fewer pins"
            )
    leaving /= 36**alive
    parts = tuple(blocks[part::PARTS] for part in range(min(PARTS, len(blocks))))
    return Phase(rows, parts, leaving, *_stay(rows, parts, len(states.alive), pool))


def _block(
    states: States,
    joint: Signatures,
    paid: NDArray[np.int64],
    some: NDArray[np.int64],
    first: int,
    fewer: int,
    leaving: Floats,
    scale: float,
) -> Block:
    most = len(some) * len(joint.ways)
    starts = np.zeros((len(some), states.players + 1), np.int64)
    classes, weights = np.empty(most, np.uint16), np.empty(most, np.float32)
    count = merge_rows(
        *(some, paid, joint.signatures, joint.ways, states.codes, states.base, fewer),
        *(starts, classes, weights, leaving),
    )
    return Block(first, starts, classes[:count].copy(), weights[:count].copy(), scale)


def _stay(rows: slice, parts: tuple[list[Block], ...], classes: int, pool: ThreadPoolExecutor) -> tuple[float, int]:
    """Bound the expected rounds in a phase, and tell the ``k`` below.

    If no state keeps its game in the phase for ``k`` rounds with a chance above ``q``, the expected number of rounds
    is at most ``k + k q + k q**2 + ... = k / (1 - q)``. Some ``k`` with ``q <= 1/2`` exists: non-doubles of
    different sums always exchange pins, whatever the cards say, so a long run of luck ends every game.
    """
    before = np.zeros(classes)
    before[rows] = 1.0
    count = 0
    while before[rows].max() > 0.5:
        after = np.zeros(classes)

        def work(part: list[Block], before: Floats = before, after: Floats = after) -> None:
            for block in part:
                linger(*block, before, after)

        _each(pool, work, parts)
        before = after
        count += 1
    return count / (1.0 - float(before[rows].max())), count
