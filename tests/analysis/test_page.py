"""The skeleton of every page: what all games tell, in one order."""

from types import SimpleNamespace

import pytest

import sims
from analysis import page
from analysis.chapter import Page, Section, Study


def study(name="tacatuca", variant="tiny"):
    game = sims.game(name)
    return Study(game, game.variant(variant), game.lineup(), None, 10, 1)


@pytest.fixture
def told(monkeypatch):
    """The headings of a page, of which a chapter says only its own part."""

    def headings(asked, *short):
        parts = Page(short, (Section("Its own"),), Section(sentences=("L",)), Section(), Section())
        chapter = SimpleNamespace(page=lambda study: parts, checks=lambda study: iter(()), readings={})
        monkeypatch.setattr(page, "chapter", lambda name: chapter)
        return [section.heading for section in page.sections(asked)]

    return headings


COMMON = [
    "In short",
    "Its own",
    "How long does a game take?",
    "Do the ambiguous rules matter?",
    "Does the seat matter?",
]


def test_all_pages_have_one_order_and_tell_who_plays_only_where_somebody_decides(told):
    assert told(study(), "One.") == [*COMMON, "Can these numbers be trusted?"]
    deciding = told(study("tschakka-lakka", "tiny-2x2"), "One.")
    assert deciding == [*COMMON, "Who plays?", "Can these numbers be trusted?"]


def test_the_first_box_takes_five_answers(told):
    assert told(study(), *"12345")
    with pytest.raises(ValueError, match="6 answers in the first box; 5 are read"):
        told(study(), *"123456")


def test_the_list_of_readings_stands_before_what_they_change():
    section = page.readings(study(), Section(tables=("changed",)))
    listed, changed = section.tables
    assert changed == "changed"
    assert listed.frame["rule"].tolist() == ["doubles_collect", "double_replaces_plain", "shortage"]
    assert listed.frame["measured_too"].tolist() == ["highest_only", "false", "one_each, proportional"]


def test_every_policy_is_told_with_what_it_does():
    asked = study("kazaam-dice", "duel")
    (table,) = page.players(asked).tables
    assert table.frame["policy"].tolist() == list(asked.game.roster)
    assert table.frame["what it does"].str.len().min() > 10
