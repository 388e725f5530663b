"""``make fuzz``: many more inputs than the tests try, from a fresh seed; exit status 1 if any is answered wrongly."""

import argparse
import os
import secrets
import sys
import time

import sims
from fuzz.drive import Tally, drive, drive_once, in_parallel


def main() -> int:
    """Try, tell, and show each kind of fault once."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="accepted variants per game")
    parser.add_argument("--first", type=int, default=0, help="number of the first variant")
    parser.add_argument("--seed", type=int, default=None, help="seed (drawn if not given)")
    parser.add_argument("--games", nargs="*", default=list(sims.GAMES))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    seed = secrets.randbelow(2**32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    started, total = time.monotonic(), Tally()
    numbers = range(given.first, given.first + given.count)
    work = [(drive_once, game) for game in given.games]
    work += [
        (drive, game, numbers[start : start + 10], seed) for start in range(0, given.count, 10) for game in given.games
    ]
    total.add(in_parallel(work, given.workers))
    for fault in total.distinct().values():
        print(f"\n--- {fault}")
    print(f"\n{total}\nseed {seed}, {time.monotonic() - started:.0f} s")
    return 1 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main())
