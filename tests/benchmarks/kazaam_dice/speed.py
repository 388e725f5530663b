"""How fast Kazaam Dice is, as ratios inside one run: against C and against the plain reference.

Run from the root of the repository: ``python tests/benchmarks/kazaam_dice/speed.py``. The C program beside this file
is compiled with ``gcc -O3 -march=native``, gets the rules as the bytes of the kernel's table, and must find the same
totals. Ratios are of processor time, the best of several turns taken alternately. Exit status 1 if one is missed.
"""

import os
import resource
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
from sims.kazaam_dice import reference, state  # noqa: E402

GAME = game("kazaam-dice")
VARIANT = GAME.variant()
SEED, TURNS = 7, 5
#: Games of one measurement, by policy and players.
GAMES = {"random": 20_000, "runner": 10_000}


class PlainRandom:
    """The random policy for the reference, without any compiled code."""

    def use(self, _state: state.State, moves: list[state.Move], coin: reference.Coin) -> int:
        """Any use."""
        return coin(len(moves))

    def reroll(self, _state: state.State, coin: reference.Coin) -> bool:
        """A coin."""
        return bool(coin(2))

    extra = reroll

    def take(self, _state: state.State, _seat: int, _field: int, coin: reference.Coin) -> bool:
        """A coin."""
        return bool(coin(2))


class PlainRunner(PlainRandom):
    """The runner's use for the reference, without any compiled code; a coin for chips, which cost no time."""

    def use(self, position: state.State, moves: list[state.Move], _coin: reference.Coin) -> int:
        """The first use that leaves the smallest distance."""
        distances = []
        for move in moves:
            after = position.copy()
            after.apply(move)
            distances.append(after.distance(position.seat))
        return distances.index(min(distances))


def play(policy: str, players: int, games: int) -> batch.Batch:
    """A batch of the standard game on one thread."""
    return batch.run(GAME, VARIANT, GAME.lineup([policy], players), games, SEED, threads=1)


def cpu(call: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def against_c(program: Path, policy: str, players: int) -> float:
    """C's time divided by ours, after the totals have been compared."""
    games = GAMES[policy]
    table = program.with_suffix(f".{players}")
    table.write_bytes(GAME.build_tables(VARIANT.rules, players).rules.tobytes())
    found = play(policy, players, games)
    expected = [total[name] for name in found.columns for total in (found.sums, found.squares)]
    ours, theirs = [], []
    for _ in range(TURNS):
        command = [str(program), str(table), policy, str(games), str(SEED)]
        seconds, *totals = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        if list(map(int, totals)) != expected:
            raise SystemExit(f"{policy}, {players} players: C and Python find different totals")
        theirs.append(float(seconds))
        ours.append(cpu(lambda: play(policy, players, games)))
    return min(theirs) / min(ours)


def against_reference(policy: str, players: int, games: int) -> float:
    """Time of a game told by the reference divided by that of a game played by the kernel."""
    player = PlainRandom() if policy == "random" else PlainRunner()

    def tell() -> None:
        for number in range(games):
            for _ in reference.replay(VARIANT.rules, [player] * players, SeededDice(SEED, number)):
                pass

    return cpu(tell) / games / (cpu(lambda: play(policy, players, GAMES[policy])) / GAMES[policy])


def cold_compile() -> float:
    """Processor seconds of importing and compiling everything with an empty cache, in a process of its own."""
    code = (
        "from sims import game; from sims.engine import batch; g = game('kazaam-dice'); "
        "batch.run(g, g.variant(), g.lineup(['random'], 2), 1, 1)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"ODDSMITH_CACHE": folder}
        subprocess.run([sys.executable, "-c", code], env=environment, cwd=HERE.parents[2], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure everything, print one line each."""
    missed = 0

    def line(what: str, found: float, limit: float, *, at_least: bool = True) -> None:
        nonlocal missed
        held = found >= limit if at_least else found <= limit
        missed += not held
        sign, verdict = ">=" if at_least else "<=", "ok" if held else "MISSED"
        print(f"{what:<50} {found:9.2f}  {sign} {limit:<6} {verdict}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "kazaam"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(HERE / "kazaam.c")], check=True)
        for policy in GAMES:
            for players in (2, 4):
                line(f"{policy}, {players} players: speed over C", against_c(program, policy, players), 0.7)
    for policy in GAMES:
        line(f"{policy}, 2 players: speed over the reference", against_reference(policy, 2, 20), 100)
    line("cold compile of everything, processor seconds", cold_compile(), 30, at_least=False)
    for policy in GAME.roster:
        for players in GAME.seats:
            games = 2 if policy == "rollout" else 100
            while (found := play(policy, players, games)).seconds < 0.3 and policy != "rollout":
                games *= 4
            print(f"{policy}, {players} players: {games / found.seconds:.4g} games a second on one thread", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
