"""How much memory is free, asked before work that would need more."""

from contextlib import suppress
from pathlib import Path

from sims.engine.errors import InputError

#: Taken as free where the system does not say: any machine of today has it.
ELSEWHERE = 4_000_000_000
_UNITS = ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def available() -> int:
    """Bytes that can be taken without swapping: what Linux says, and what a container leaves of it."""
    found = ELSEWHERE
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found = 1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    with suppress(OSError, ValueError):
        group = Path("/sys/fs/cgroup")
        # "max" where there is no limit, which is no number
        limit = int((group / "memory.max").read_text())
        found = min(found, max(0, limit - int((group / "memory.current").read_text())))
    return found


def told(size: int) -> str:
    """Bytes for people.

    Examples
    --------
    >>> told(23_400_000_000), told(512)
    ('23 GB', '512 bytes')
    """
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:.{0 if size >= 10 * unit else 1}f} {name}"
    return f"{size} bytes"


def check(key: str, count: int, each: int, what: str) -> None:
    """Refuse ``count`` things of ``each`` bytes that do not fit into memory, saying how many would.

    Raises
    ------
    InputError
        In one line, before anything is allocated.
    """
    free = available()
    if count * each > free:
        most = free // each
        # two leading digits are enough: what is free changes from second to second
        digits = max(0, len(str(most)) - 2)
        most = most // 10**digits * 10**digits
        raise InputError(
            f"{key}: {count:,} is too many: {what} would take {told(count * each)} and {told(free)} of memory are free; "
            f"about {most:,} would fit"
        )
