"""Whatever ``play`` accepts, every command answers: rightly dressed, in time, without a word from Python.

The same with many more inputs and a fresh seed is ``make fuzz``; what it finds can be typed as shown.
"""

import pytest
from fuzz import inputs
from fuzz.drive import Tally, drive, drive_hostile, drive_once, in_parallel

import sims

SEED, VARIANTS, LINES = 20, 60, 400
#: Pictures are written for one variant in so many; for the others they are only composed.
DRAWN, WORKERS = 6, 2


def told(tally: Tally) -> str:
    """Each kind of fault once, as somebody can type it."""
    return "\n\n".join([str(tally), *map(str, tally.distinct().values())])


@pytest.mark.slow
def test_every_command_answers_every_accepted_variant():
    work = [
        (drive, game, range(start, VARIANTS, WORKERS), SEED, None, False, DRAWN)
        for game in sims.GAMES
        for start in range(WORKERS)
    ]
    tally = in_parallel(work, WORKERS)
    print(tally)
    assert not tally.faults, told(tally)
    assert not tally.never
    for game in sims.GAMES:
        assert tally.accepted[game] >= VARIANTS
        assert tally.refused[game] < tally.accepted[game], "most of what is drawn should be allowed"
        assert {(name, *pair) for name, *pair in tally.pairs if name == game} == {
            (game, *pair) for pair in inputs.extremes(game)
        }


@pytest.mark.slow
def test_what_is_shipped_is_answered():
    tally = in_parallel([(drive_once, game) for game in sims.GAMES], WORKERS)
    print(tally)
    assert not tally.faults, told(tally)


@pytest.mark.slow
def test_nonsense_gets_one_line():
    tally = in_parallel([(drive_hostile, range(start, LINES, WORKERS), SEED) for start in range(WORKERS)], WORKERS)
    print(tally)
    assert not tally.faults, told(tally)
