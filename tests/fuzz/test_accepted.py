"""Whatever ``play`` accepts, every command answers: rightly dressed, in time, without a word from Python.

The same with many more inputs and a fresh seed is ``make fuzz``; what it finds can be typed as shown.
"""

import pytest
from fuzz import drive as drive_module
from fuzz import inputs
from fuzz.drive import Shell, Tally, complaint, drive, drive_hostile, drive_once, in_parallel

import sims

SEED, VARIANTS, LINES = 20, 60, 400
#: Reports are made for one variant in so many, and their pictures, the dear part, written (not only composed) for one in so many.
REPORTED, DRAWN, WORKERS = 1, 6, 2

FINE = {"status": 0, "out": "an answer\n", "err": "", "stray": "", "seconds": 1.0, "work": 1.0}
ROW = '{"rows": [{"value": 0.5, "low": 0.4, "high": 0.6}, {"win_rate": 0.5, "low": null, "high": null}]}'


@pytest.mark.parametrize(
    ("arguments", "answer", "says"),
    [
        ("play tacatuca", {}, None),
        ("play tacatuca", {"status": 2, "out": "", "err": "oddsmith: pins: '0' is not allowed\n"}, None),
        ("play tacatuca", {"status": 2, "out": "", "err": "oddsmith: pins: '0'\nis not allowed\n"}, "not in one line"),
        (
            "play tacatuca",
            {"status": 2, "out": "half", "err": "oddsmith: pins: '0' is not allowed\n"},
            "not in one line",
        ),
        ("play tacatuca", {"status": 2, "out": "", "err": ""}, "not in one line"),
        ("play tacatuca", {"status": 1}, "status 1"),
        ("validate tacatuca", {"status": 1}, None),
        ("play tacatuca", {"status": None, "err": "Traceback\nKeyError: 'costs'\n"}, "KeyError: 'costs'"),
        ("play tacatuca", {"err": "UserWarning: no glyph\n"}, "warning"),
        ("play tacatuca", {"err": "by the way\n"}, "stderr"),
        ("play tacatuca -o x.csv", {"out": "", "err": "wrote x.csv\n"}, None),
        ("play tacatuca", {"out": ""}, "nothing printed"),
        ("play tacatuca", {"stray": "numba says"}, "writes past the program"),
        ("play tacatuca", {"seconds": 90.0, "work": 21.0}, "slow"),
        ("play tacatuca", {"seconds": 90.0, "work": 3.0}, None),
        ("play tacatuca", {"out": "wins nan %"}, "prints nan"),
        ("play tacatuca", {"out": "mean,-inf,inf"}, "prints -inf"),
        ("play tacatuca", {"out": "None of the seats wins the finances"}, None),
        ("play tacatuca", {"out": "red \x1b[31m"}, "control character"),
        ("play tacatuca -f json", {"out": ROW}, None),
        ("play tacatuca -f json", {"out": ROW.replace("0.6", "0.45")}, "outside of its interval"),
        ("play tacatuca -f json", {"out": ROW.replace("0.4", "0.7")}, "upside down"),
        ("play tacatuca -f json", {"out": ROW.replace("null, ", "0.1, ").replace("null", "1.1")}, "share beyond 1"),
        ("play tacatuca -f json", {"out": ROW[:-1]}, "not well formed"),
        ("play tacatuca -f csv", {"out": "a,b\n1,2\n"}, None),
        ("play tacatuca -f csv", {"out": "a,b\n1,2,3\n"}, "several widths"),
    ],
)
def test_the_judge_notices(tmp_path, arguments, answer, says):
    found = complaint(arguments.split(), FINE | answer, tmp_path)
    assert found is None if says is None else says in found[0]


def test_the_judge_reads_pages(tmp_path):
    (tmp_path / "page").mkdir()
    arguments = ["report", "tacatuca", "-o", str(tmp_path / "page")]
    for text, says in (
        ("<p>fine</p><svg><g/></svg>", None),
        ("<p>wins nan %</p>", "page says nan"),
        ("<h1><script>alert(1)</script></h1>", "raw"),
        ("<svg><g></svg>", "not well formed"),
    ):
        (tmp_path / "page" / "tacatuca.html").write_text(text)
        found = complaint(arguments, FINE, tmp_path)
        assert found is None if says is None else says in found[0]


def told(tally: Tally) -> str:
    """Each kind of fault once, as somebody can type it."""
    return "\n\n".join([str(tally), *map(str, tally.distinct().values())])


@pytest.mark.slow
def test_a_command_without_end_is_ended_and_the_next_one_answered(tmp_path, monkeypatch):
    monkeypatch.setattr(drive_module, "SECONDS", 1.0)
    with Shell(tmp_path) as shell:
        endless = shell.run(["play", "tacatuca", "--set", "pins=1", "-n", "1e11"])
        assert endless["status"] is None
        assert endless["err"].startswith("ended after")
        monkeypatch.undo()
        assert shell.run(["games", "tacatuca"])["status"] == 0


@pytest.mark.slow
def test_every_command_answers_every_accepted_variant():
    work = [
        (drive, game, range(start, VARIANTS, WORKERS), SEED, None, (REPORTED, DRAWN))
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
