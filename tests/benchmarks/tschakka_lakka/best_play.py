"""Whole games of ``optimal``: games a second, what re-solving only what changed brings, and the plain solver in Python.

``python tests/benchmarks/tschakka_lakka/best_play.py`` runs on one core. Where towers score nothing ``majority`` plays as
``optimal`` does, but solves every place in every turn: the records must be the same, and the ratio of the times is what
the memory of unchanged places is worth. The plain solver is the brute force of the tests, at the first turn of a game.
"""

import runpy
import statistics
import time
from pathlib import Path

import numpy as np

import sims
from sims.engine.game import encode
from sims.tschakka_lakka import position
from sims.tschakka_lakka.exact import TurnSolver
from sims.tschakka_lakka.rules import Rules

GAME = sims.game("tschakka-lakka")
GAMES, ROUNDS, SEED, PLAYERS = 200, 5, 1, 4
#: Goals of the project, not gates.
GOAL, GOAL_PLAIN = 200, 100
NO_TOWERS = dict.fromkeys(("highest_points", "highest_tied_points", "second_points", "second_tied_points"), 0)
OPENING = Path(position.__file__).parent / "positions" / "opening.toml"
BRUTE_FORCE = Path(__file__).parents[2] / "tschakka_lakka" / "test_solver.py"


def seconds(work):
    """How long a call keeps the processor busy."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def games(policy):
    """A call that plays, and the records that it fills."""
    tables = GAME.build_tables(GAME.variant(changes=NO_TOWERS).rules, PLAYERS)
    coded = encode(GAME.lineup([policy], PLAYERS))
    out = np.zeros((GAMES, len(GAME.columns(PLAYERS))), np.int32)
    GAME.play_games(tables, coded, SEED, 0, out[:0])
    return (lambda: GAME.play_games(tables, coded, SEED, 0, out)), out


def main():
    """Print a line for each comparison."""
    (remember, ours), (solve_all, theirs) = games("optimal"), games("majority")
    rounds = [(seconds(remember), seconds(solve_all)) for _ in range(ROUNDS)]
    assert (ours == theirs).all(), "the two play different games"
    best = min(first for first, _ in rounds)
    ratio = statistics.median(second / first for first, second in rounds)
    print(f"optimal: {GAMES / best:,.0f} games of {PLAYERS} a second (goal {GOAL})")
    print(f"re-solving only places that changed: {ratio:.2f} times as fast as solving every place")
    for policy in ("card", "odds"):
        play, _ = games(policy)
        print(f"{policy}: {GAMES / min(seconds(play) for _ in range(ROUNDS)):,.0f} games of {PLAYERS} a second")

    found = position.read(OPENING, Rules())
    solver, plain = TurnSolver(found), runpy.run_path(str(BRUTE_FORCE))
    worth = plain["printed_points"](found)
    values = []

    def brute_force():
        values[:] = [
            plain["Turn"](found.treasures, place, worth).throw(frozenset(), found.dice)[0] for place in found.places()
        ]

    def compiled():
        for place, value in zip(found.places(), values, strict=True):
            solver.run(place, {}, found.dice)
            assert abs(solver.values(found.dice)[1] - value) < 1e-9, place

    slow = seconds(brute_force)
    fast = min(seconds(compiled) for _ in range(ROUNDS))
    print(f"a turn's places solved: {slow / fast:,.0f} times as fast as plain Python (goal {GOAL_PLAIN})")


if __name__ == "__main__":
    main()
