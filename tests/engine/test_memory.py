"""Memory is asked for before work starts, and refused in one line that says what would fit."""

from pathlib import Path

import pytest

from sims.engine import memory
from sims.engine.errors import InputError


@pytest.fixture
def system(monkeypatch):
    """Files of the system by path, as a test sets them; others do not exist."""
    files = {}

    def read(path, *_arguments, **_options):
        if str(path) not in files:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return files[str(path)]

    monkeypatch.setattr(Path, "read_text", read)
    return files


MEMINFO = "MemTotal:       16000000 kB\nMemFree:          100 kB\nMemAvailable:    2000000 kB\nSwapFree: 7 kB\n"
LIMIT, USED = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({}, memory.ELSEWHERE),
        ({"/proc/meminfo": "MemTotal: 5 kB\n"}, memory.ELSEWHERE),
        ({"/proc/meminfo": "MemAvailable: much\n"}, memory.ELSEWHERE),
        ({"/proc/meminfo": MEMINFO}, 2_000_000 * 1024),
        ({"/proc/meminfo": MEMINFO, LIMIT: "max\n", USED: "5\n"}, 2_000_000 * 1024),
        ({"/proc/meminfo": MEMINFO, LIMIT: "1000000\n", USED: "400000\n"}, 600_000),
        ({"/proc/meminfo": MEMINFO, LIMIT: "1000000\n", USED: "1000005\n"}, 0),
        ({"/proc/meminfo": MEMINFO, LIMIT: "9000000000\n", USED: "5\n"}, 2_000_000 * 1024),
        ({"/proc/meminfo": MEMINFO, LIMIT: "1000000\n"}, 2_000_000 * 1024),
        ({LIMIT: "1000000\n", USED: "1\n"}, 999_999),
    ],
)
def test_what_the_system_and_its_container_leave(system, files, free):
    system.update(files)
    assert memory.available() == free


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (9_960, "10.0 kB"),
        (10_000, "10 kB"),
        (1_500_000, "1.5 MB"),
        (23_400_000_000, "23 GB"),
        (4 * 10**12, "4.0 TB"),
        (7 * 10**15, "7.0 PB"),
        (10**20, "100000 PB"),
    ],
)
def test_sizes_for_people(size, text):
    assert memory.told(size) == text


def test_what_fits_to_the_byte_passes_and_one_thing_more_does_not(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 123_456_000)
    memory.check("games", 123_456, 1000, "their records")
    with pytest.raises(InputError) as error:
        memory.check("games", 123_457, 1000, "their records")
    assert str(error.value) == (
        "games: 123,457 is too many: their records would take 123 MB and 123 MB of memory are free; about 120,000 would fit"
    )


@pytest.mark.parametrize(("free", "most"), [(0, "0"), (99, "9"), (999, "99"), (9_999, "990"), (12_900, "1,200")])
def test_what_would_fit_has_two_leading_digits_and_is_never_more(monkeypatch, free, most):
    monkeypatch.setattr(memory, "available", lambda: free)
    with pytest.raises(InputError, match=rf"; about {most} would fit$"):
        memory.check("games", 10**6, 10, "they")
