"""``make fuzz``: many more inputs than the tests try, from a fresh seed; exit status 1 if any is answered wrongly."""

import argparse
import os
import secrets
import sys
import time
from typing import Any

from fuzz.drive import Tally, drive, drive_hostile, drive_once, in_parallel

import sims


def parts(first: int, count: int, size: int) -> list[range]:
    """``count`` numbers from ``first`` on, in ranges of at most ``size``."""
    return [range(start, min(start + size, first + count)) for start in range(first, first + count, size)]


def main() -> int:
    """Try, tell, and show each kind of fault once."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="accepted variants per game")
    parser.add_argument("--lines", type=int, default=None, help="nonsensical command lines (ten for each variant)")
    parser.add_argument("--first", type=int, default=0, help="number of the first of both")
    parser.add_argument("--seed", type=int, default=None, help="seed (drawn if not given)")
    parser.add_argument("--games", nargs="*", default=list(sims.GAMES))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    seed = secrets.randbelow(2**32) if given.seed is None else given.seed
    # names in argument lists may be no UTF-8
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    print(f"seed {seed}", flush=True)
    started, total = time.monotonic(), Tally()
    lines = 10 * given.count if given.lines is None else given.lines
    work: list[tuple[Any, ...]] = [(drive_once, game) for game in given.games]
    work += [(drive, game, numbers, seed) for numbers in parts(given.first, given.count, 20) for game in given.games]
    work += [(drive_hostile, numbers, seed) for numbers in parts(given.first, lines, 200)]
    total.add(in_parallel(work, given.workers))
    for fault in total.distinct().values():
        print(f"\n--- {fault}")
    print(f"\n{total}\nseed {seed}, {time.monotonic() - started:.0f} s")
    return 1 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main())
