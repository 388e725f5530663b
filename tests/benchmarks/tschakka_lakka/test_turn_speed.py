"""How fast the turn is solved: against the same algorithm in C, and how long the slowest position takes.

Run with ``python -m pytest tests/benchmarks/tschakka_lakka/test_turn_speed.py -s``; needs gcc.
"""

import ctypes
import subprocess
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from sims.engine.dice import SeededDice
from sims.tschakka_lakka import board, layout, position, terms, turn
from sims.tschakka_lakka.exact import temple_of, terms_of
from sims.tschakka_lakka.rules import COLOURS, Rules

RULES = Rules()
ODDS = terms.build_odds()


@numba.njit  # not cached: the cache of a kernel in this folder does not see an edit of the solver
def solve_all(temples, raccoons, chambers, worth, odds, solver, rounds, found, states):
    """Solve turns from their start, ``rounds`` times over."""
    for _ in range(rounds):
        for i in range(len(raccoons)):
            worth.chamber[:] = chambers[i]
            states[i] = turn.solve(temples[i], worth, odds, raccoons[i], np.uint64(0), np.uint64(0), 7, 0, solver)
            found[i] = solver.values[0, 7]


def emptied(seed, filled):
    """A drawn temple of which chambers are emptied from the entrances inwards until ``filled`` are left."""
    rng = np.random.default_rng(seed)
    plan = board.load(RULES.board)
    drawn = layout.draw(RULES, SeededDice(seed, 0))
    treasures = {at: (COLOURS.index(drawn[at].colour), drawn[at].size) for at in sorted(drawn)}
    open_squares = set(plan.entrances)
    while len(treasures) > filled:
        edge = sorted({near for at in open_squares for near in plan.neighbours(at)} & set(treasures))
        gone = edge[rng.integers(len(edge))]
        del treasures[gone]
        open_squares.add(gone)
    gems = tuple(gem for gem in plan.gems if set(plan.around(gem)) & set(treasures))
    return position.Position(RULES, treasures, gems, None, 7, {}, None)


@pytest.fixture(scope="module")
def turns():
    """Every raccoon place of 240 temples, 4 to 60 chambers filled."""
    temples, raccoons, chambers, first = [], [], [], []
    for seed in range(240):
        found = emptied(seed, 4 + seed * 57 // 240)
        temple = temple_of(found)
        first.append(len(raccoons))
        for place in found.places():
            temples.append(temple)
            chambers.append(terms_of(RULES, temple).chamber)
            raccoons.append(board.number(place))
    return np.array(temples), np.array(raccoons), np.array(chambers), np.array(first)


def best_of(call, times=5):
    seconds = []
    for _ in range(times):
        began = time.thread_time()
        call()
        seconds.append(time.thread_time() - began)
    return min(seconds)


def test_the_turn_runs_at_the_speed_of_c(turns, tmp_path):
    temples, raccoons, chambers, _ = turns
    library = tmp_path / "turn.so"
    source = Path(__file__).with_name("turn.c")
    # without fused multiply-add, which would round differently
    flags = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", str(library), str(source)], check=True)
    native = ctypes.CDLL(str(library)).solve_all
    native.restype = ctypes.c_int64
    worth, solver = terms.build_terms(RULES), terms.new_solver()
    ours, theirs = np.zeros(len(raccoons)), np.zeros(len(raccoons))
    states = np.zeros(len(raccoons), np.int64)
    arrays = [temples, raccoons, chambers, worth.gem]
    tables = [ODDS.starts, ODDS.picks, ODDS.chances, ODDS.ranks, ODDS.binomial]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    pointers += [ctypes.c_int64(0), ctypes.c_int64(0)]
    pointers += [ctypes.c_void_p(array.ctypes.data) for array in [*tables, theirs]]

    def in_c():
        return native(ctypes.c_int64(len(raccoons)), ctypes.c_int64(1), *pointers)

    def compiled():
        solve_all(temples, raccoons, chambers, worth, ODDS, solver, 1, ours, states)

    compiled()
    assert in_c() == states.sum()
    assert (ours == theirs).all()
    pairs = [(best_of(in_c, 2), best_of(compiled, 2)) for _ in range(6)]
    c_time, our_time = (min(times) for times in zip(*pairs, strict=True))
    micro = 1e6 / len(raccoons)
    print(f"\n{len(raccoons)} turns: C {c_time * micro:.1f} us each, compiled {our_time * micro:.1f} us")
    print(f"ratio C / compiled {c_time / our_time:.2f}")
    assert c_time / our_time > 0.85


def test_microseconds_for_most_positions_milliseconds_for_none(turns):
    temples, raccoons, chambers, first = turns
    worth, solver = terms.build_terms(RULES), terms.new_solver()
    found, states = np.zeros(1), np.zeros(1, np.int64)
    spent = np.array(
        [
            best_of(
                lambda i=i: solve_all(
                    temples[i : i + 1], raccoons[i : i + 1], chambers[i : i + 1], worth, ODDS, solver, 10, found, states
                ),
                2,
            )
            / 10
            for i in range(len(raccoons))
        ]
    )
    per_turn = np.add.reduceat(spent, first)
    median, high, worst = np.median(spent), np.quantile(spent, 0.99), spent.max()
    print(f"\na place: median {median * 1e6:.1f} us, 99 % below {high * 1e3:.2f} ms, worst {worst * 1e3:.2f} ms")
    print(f"every place of a turn: mean {per_turn.mean() * 1e3:.2f} ms")
    assert median < 50e-6
    assert high < 1e-3
    assert worst < 10e-3


@pytest.mark.parametrize("sizes", ["small", "small near, medium beyond"])
def test_the_worst_temples_take_less_than_ten_milliseconds(sizes):
    # search found nothing with more states than a raccoon amid small treasures on all sides
    def size(at):
        return 1 if sizes == "small" or abs(at[0] - 4) + abs(at[1] - 4) <= 3 else 2

    rng = np.random.default_rng(1)
    plan = board.load(RULES.board)
    treasures = {at: (int(rng.integers(4)), size(at)) for at in plan.chambers if at != (4, 4)}
    temple = temple_of(position.Position(RULES, treasures, plan.gems, (4, 4), 7, {}, None))
    worth, solver = terms_of(RULES, temple), terms.new_solver()
    found, states = np.zeros(1), np.zeros(1, np.int64)
    raccoons, chambers = np.array([board.number((4, 4))]), worth.chamber[None].copy()
    arguments = temple[None], raccoons, chambers, worth, ODDS, solver, 1, found, states
    solve_all(*arguments)
    spent = best_of(lambda: solve_all(*arguments))
    print(f"\n{sizes}: {states[0]} states, {spent * 1e3:.2f} ms")
    assert spent < 10e-3
