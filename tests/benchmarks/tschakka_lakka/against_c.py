"""Whole games: the kernel against a C program of the same algorithm and dice, and against the reference.

``python tests/benchmarks/tschakka_lakka/against_c.py`` compiles ``game.c`` (gcc -O3 -march=native) and runs both in
turn, in this process, on one core; the records must be the same, and the ratio is the median over the rounds.
"""

import ctypes
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import sims
from sims.engine.dice import SeededDice
from sims.engine.game import encode

GAME = sims.game("tschakka-lakka")
GAMES, ROUNDS, SEED, PLAYERS = 60_000, 7, 1, 4
#: Both are goals of the project, not gates.
GOAL_C, GOAL_REFERENCE = 0.85, 100


def compiled_c(folder):
    """``play_games`` of the C program."""
    library = Path(folder) / "game.so"
    source = Path(__file__).with_name("game.c")
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)
    function = ctypes.CDLL(str(library)).play_games
    function.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 4 + [ctypes.c_void_p]
    function.restype = None
    return function


def seconds(work):
    """How long a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main():
    """Print one line for each policy."""
    variant = GAME.variant()
    tables = GAME.build_tables(variant.rules, PLAYERS)
    with tempfile.TemporaryDirectory() as folder:
        play_c = compiled_c(folder)
        for policy in ("timid", "hold:points=4", "dice:left=2"):
            lineup = GAME.lineup([policy], PLAYERS)
            coded = encode(lineup)
            ours, theirs = np.zeros((2, GAMES, len(GAME.columns(PLAYERS))), np.int32)

            def kernel(coded=coded, ours=ours):
                GAME.play_games(tables, coded, SEED, 0, ours)

            def c(coded=coded, theirs=theirs):
                play_c(tables.rules.ctypes.data, coded.ctypes.data, PLAYERS, SEED, 0, GAMES, theirs.ctypes.data)

            GAME.play_games(tables, coded, SEED, 0, ours[:0])
            rounds = [(seconds(kernel), seconds(c)) for _ in range(ROUNDS)]
            assert (ours == theirs).all(), "the two programs play different games"
            ratio = statistics.median(there / here for here, there in rounds)
            here = min(here for here, _ in rounds)
            print(
                f"{policy:14} {GAMES / here:9,.0f} games/s, {ratio:.2f} of C (goal {GOAL_C}), "
                f"{reference_seconds(variant, lineup) * GAMES / here:,.0f} times the reference (goal {GOAL_REFERENCE})"
            )


def reference_seconds(variant, lineup, games=5):
    """Seconds for one game of the reference."""

    def replay():
        for game in range(games):
            for _ in GAME.replay(variant.rules, lineup, SeededDice(SEED, game)):
                pass

    return seconds(replay) / games


if __name__ == "__main__":
    main()
