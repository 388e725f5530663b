"""How fast the turn is solved: against the same algorithm in C, and how long the slowest position takes.

Run with ``python tests/benchmarks/tschakka_lakka/solver_speed.py``; needs gcc.
"""

import ctypes
import subprocess
import time
from functools import partial
from pathlib import Path

import numba
import numpy as np
import pytest

from sims.engine.dice import SeededDice
from sims.tschakka_lakka import board, layout, position, solver, solver_memory
from sims.tschakka_lakka.exact import set_up
from sims.tschakka_lakka.rules import COLOURS, Rules
from sims.tschakka_lakka.tables import build_tables
from sims.tschakka_lakka.work import new_work

RULES = Rules()
TABLES = build_tables(RULES, 4).rules[0]


@numba.njit  # not cached: the cache of a kernel in this folder does not see an edit of the solver
def solve_all(rules, works, raccoons, worths, memory, rounds, found, states):
    """Solve turns from their start, ``rounds`` times over."""
    dice, skulls = np.int64(7), np.int64(0)
    for _ in range(rounds):
        for i in range(len(raccoons)):
            raccoon = np.uint64(1) << np.uint64(raccoons[i])
            states[i] = solver.solve(
                rules, works[i], worths[i], memory, raccoon, np.uint64(0), np.uint64(0), dice, skulls
            )
            found[i] = memory.values[0, 7]


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
    """Every raccoon place of 240 temples, 4 to 60 chambers filled; where each temple begins."""
    works, worths, raccoons, first = [], [], [], []
    for seed in range(240):
        found = emptied(seed, 4 + seed * 57 // 240)
        work, worth = new_work(), np.zeros(1, solver_memory.WORTH)
        set_up(found, work[0])
        solver_memory.count_points(TABLES, work[0], worth[0])
        first.append(len(raccoons))
        raccoons += [board.number(place) for place in found.places()]
        works += [work] * len(found.places())
        worths += [worth] * len(found.places())
    return np.concatenate(works), np.concatenate(worths), np.array(raccoons), np.array(first)


def best_of(call, times=5):
    seconds = []
    for _ in range(times):
        began = time.thread_time()
        call()
        seconds.append(time.thread_time() - began)
    return min(seconds)


def test_the_turn_runs_at_the_speed_of_c(turns, tmp_path):
    works, worths, raccoons, _ = turns
    library = tmp_path / "turn.so"
    source = Path(__file__).with_name("solver.c")
    # without fused multiply-add, which would round differently
    flags = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", str(library), str(source)], check=True)
    native = ctypes.CDLL(str(library)).solve_all
    native.restype = ctypes.c_int64
    memory = solver_memory.new_memory()
    ours, theirs = np.zeros(len(raccoons)), np.zeros(len(raccoons))
    states = np.zeros(len(raccoons), np.int64)
    temples = np.column_stack(
        [works["colours"], works["size_low"], works["size_high"], works["yellow_gems"], works["pink_gems"]]
    )
    chambers, gems = np.ascontiguousarray(worths["chamber"]), np.ascontiguousarray(worths["gem"][0])
    arrays = [np.ascontiguousarray(temples), raccoons, chambers, gems]
    tables = [
        solver_memory.STARTS,
        solver_memory.PICKS,
        solver_memory.CHANCES,
        solver_memory.RANKS,
        solver_memory.BINOMIAL,
    ]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    pointers += [ctypes.c_int64(0), ctypes.c_int64(0)]
    pointers += [ctypes.c_void_p(array.ctypes.data) for array in [*tables, theirs]]

    def in_c():
        return native(ctypes.c_int64(len(raccoons)), ctypes.c_int64(1), *pointers)

    def compiled():
        solve_all(TABLES, works, raccoons, worths, memory[0], 1, ours, states)

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
    works, worths, raccoons, first = turns
    memory, found, states = solver_memory.new_memory(), np.zeros(1), np.zeros(1, np.int64)

    def one(i):
        here = slice(i, i + 1)
        solve_all(TABLES, works[here], raccoons[here], worths[here], memory[0], 10, found, states)

    one(0)
    spent = np.array([best_of(partial(one, i), 2) / 10 for i in range(len(raccoons))])
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
    work, worth = new_work(), np.zeros(1, solver_memory.WORTH)
    set_up(position.Position(RULES, treasures, plan.gems, (4, 4), 7, {}, None), work[0])
    solver_memory.count_points(TABLES, work[0], worth[0])
    memory, found, states = solver_memory.new_memory(), np.zeros(1), np.zeros(1, np.int64)
    arguments = TABLES, work, np.array([board.number((4, 4))]), worth, memory[0], 1, found, states
    solve_all(*arguments)
    spent = best_of(lambda: solve_all(*arguments))
    print(f"\n{sizes}: {states[0]} states, {spent * 1e3:.2f} ms")
    assert spent < 10e-3


if __name__ == "__main__":
    raise SystemExit(pytest.main([__file__, "-q", "-s"]))
