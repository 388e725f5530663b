"""How fast Tacatuca is, as ratios inside one run: against C, plain Python, one thread, no records, few games.

Run from the root of the repository: ``python tests/benchmarks/tacatuca/speed.py [--long N]``. The C program beside
this file is compiled with ``gcc -O3 -march=native`` and must find the same totals. Ratios of one thread are of
processor time, the best of several turns taken alternately; so a busy machine blurs but does not bend them. Exit
status 1 if a ratio is missed.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from sims import game  # noqa: E402
from sims.engine import batch  # noqa: E402
from sims.engine.dice import SeededDice  # noqa: E402

GAME = game("tacatuca")
VARIANT = GAME.variant()
GAMES, SEED, TURNS = 500_000, 7, 5
PEAK = """
import resource, sys
from sims import game
from sims.engine import batch
G = game("tacatuca")
batch.run(G, G.variant(), G.lineup(players=2), int(sys.argv[1]), 7)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def play(players: int, games: int = GAMES, records: bool = False, threads: int = 1) -> batch.Batch:
    """A batch of the standard game."""
    lineup = GAME.lineup(players=players)
    return batch.run(GAME, VARIANT, lineup, games, SEED, threads=threads, records=records)


def cpu(call: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def run_c(program: Path, algorithm: str, players: int) -> tuple[float, list[int]]:
    """Processor seconds of the C program, and its totals."""
    command = [str(program), algorithm, str(players), str(GAMES), str(SEED)]
    seconds, *totals = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), list(map(int, totals))


def against_c(program: Path, algorithm: str, players: int) -> float:
    """C's time divided by ours, after the totals have been compared."""
    found = play(players)
    ours, theirs = [], []
    for _ in range(TURNS):
        seconds, totals = run_c(program, algorithm, players)
        if totals != [total[name] for name in found.columns for total in (found.sums, found.squares)]:
            raise SystemExit(f"{algorithm}, {players} players: C and Python find different totals")
        theirs.append(seconds)
        ours.append(cpu(lambda: play(players)))
    return min(theirs) / min(ours)


def against_python(players: int, games: int) -> float:
    """Time of a game told by the reference divided by that of a game played by the kernel."""

    def tell() -> None:
        for number in range(games):
            for _ in GAME.replay(VARIANT.rules, GAME.lineup(players=players), SeededDice(SEED, number)):
                pass

    return cpu(tell) / games / (cpu(lambda: play(players)) / GAMES)


def cost_of_records() -> float:
    """Additional time of keeping records, as a share; the worst over numbers of players."""
    worst = 0.0
    for players in GAME.seats:
        without, kept = [], []
        for _ in range(TURNS):
            without.append(cpu(lambda players=players: play(players)))
            kept.append(cpu(lambda players=players: play(players, records=True)))
        worst = max(worst, min(kept) / min(without) - 1)
    return worst


def gain_of_threads() -> float:
    """Wall time of one thread divided by that of two."""
    one, two = [], []
    for _ in range(TURNS):
        one.append(play(4, threads=1).seconds)
        two.append(play(4, threads=2).seconds)
    return min(one) / min(two)


def growth_of_memory(long: int) -> float:
    """Peak memory of a long run over that of a million games."""
    peaks = [
        int(subprocess.run([sys.executable, "-c", PEAK, str(games)], capture_output=True, text=True, check=True,
                           cwd=HERE.parents[2]).stdout)
        for games in (1_000_000, long)
    ]  # fmt: skip
    return peaks[1] / peaks[0]


def main() -> int:
    """Measure everything, print one line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", type=float, default=1e9, help="games of the long run whose memory is measured")
    long = int(parser.parse_args().long)
    missed = 0

    def line(what: str, found: float, limit: float, *, at_least: bool = True) -> None:
        nonlocal missed
        held = found >= limit if at_least else found <= limit
        missed += not held
        print(
            f"{what:<60} {found:8.2f}  {'>=' if at_least else '<='} {limit:<6} {'ok' if held else 'MISSED'}", flush=True
        )

    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "tacatuca"
        source = str(HERE / "tacatuca.c")
        subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), source], check=True)
        line("2 players: speed over C, same algorithm", against_c(program, "duel", 2), 0.85)
        line("4 players: speed over C, one plain loop", against_c(program, "plain", 4), 2)
    line("2 players: speed over plain Python", against_python(2, 300), 60)
    line("4 players: speed over plain Python", against_python(4, 100), 100)
    line("4 players: 2 threads over 1", gain_of_threads(), 1.6)
    line("keeping records: additional time, share", cost_of_records(), 0.1, at_least=False)
    line(f"peak memory: {long:.0e} games over 1e+06", growth_of_memory(long), 1.2, at_least=False)
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
