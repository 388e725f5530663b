"""The page around the sections: claims settled together, told where they stand, and written for machines."""

import json

import numpy as np
import pytest

import sims
from analysis import report
from analysis.chapter import Section, Study
from analysis.claims import Compared, Units, exact
from analysis.measures import Column
from analysis.tables import Table


@pytest.fixture
def study():
    game = sims.game("tacatuca")
    return Study(game, game.variant("tiny"), game.lineup((), 2), None, 100, 7)


def question(name, mean):
    values = np.random.default_rng(1).normal(mean, 1, 2000)
    said = {
        verdict: (lambda found, v=verdict: f"{name} is {v} by {found.value:.1f} %.")
        for verdict in ("above", "below", "unclear")
    }
    return Compared(name=name, family="test", seed=7, units=Units.of(values), sentences=said)


def test_questions_are_settled_over_the_whole_page(study):
    high, open_ = question("first", 1.0), question("second", 0.0)
    best = exact("best", "throws", "6-6", "6-6 is the best throw.", 9.5)
    sections = [
        Section("In short", (high, "Two dice each.")),
        Section("More", (best, high, open_)),
    ]
    claims = report.settled(sections)
    assert {name: claim.verdict for name, claim in claims.items()} == {
        "best": "6-6",
        "first": "above",
        "second": "unclear",
    }
    text = report.page(study, sections, claims, "oddsmith report")
    assert text.count("first is above by 1.0\u00a0%.") == 2
    assert "second is unclear" in text
    assert "Two dice each." in text


def test_two_claims_of_one_name_are_a_mistake(study):
    with pytest.raises(ValueError, match="'first'"):
        report.settled([Section("A", (question("first", 1.0), question("first", 0.0)))])


def test_claims_are_written_for_machines(study, tmp_path, monkeypatch):
    sections = [Section("A", (question("first", 1.0), exact("best", "throws", "6-6", "6-6 is best.", 9.5)))]
    monkeypatch.setattr(report, "sections_of", lambda study: sections)
    path = report.write_report(study, tmp_path)
    written = json.loads(path.with_suffix(".json").read_text())
    best, first = written["claims"]
    assert {
        "name",
        "family",
        "verdict",
        "sentence",
        "estimate",
        "low",
        "high",
        "adjusted_p",
        "exact",
        "games",
        "seed",
    } == set(first)
    assert (first["name"], first["verdict"], first["exact"], first["games"], first["seed"]) == (
        "first",
        "above",
        False,
        2000,
        7,
    )
    assert first["low"] < 1 < first["high"]
    assert (best["verdict"], best["exact"], best["games"], best["adjusted_p"]) == ("6-6", True, None, None)
    assert written["provenance"]["game"] == "tacatuca"


def test_policies_and_readings_are_called_what_people_call_them_with_the_key_in_small_print():
    game = sims.game("tacatuca")
    asked = Study(game, game.variant("tiny"), game.lineup(), None, 10, 1)
    columns = (
        Column("policy", kind="policy"),
        Column("rule", "ruling", kind="rule"),
        Column("reading", kind="rule"),
        Column("rounds"),
    )
    rows = [("chance", "(as set)", "", 2.5), ("chance", "shortage", "one_each", 3.5)]
    names = [column.name for column in columns]
    table = Table.of("t", "T", columns, [dict(zip(names, row, strict=True)) for row in rows[1:]])
    found = report.cells(asked, table)
    assert found["headings"] == ["policy", "ruling", "rounds"]
    assert found["numeric"] == [False, False, True]
    (row,) = found["rows"]
    assert [(cell.text, cell.key) for cell in row] == [
        ("the dice", "chance"),
        ("Paying creditors one pin each in turn", "shortage = one_each"),
        ("3.500", ""),
    ]
    unchanged = report.cells(asked, Table.of("t", "T", columns, [dict(zip(names, row, strict=True)) for row in rows]))
    assert unchanged["rows"][0][0].text == "(as set)"
