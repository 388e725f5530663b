"""A balance sheet is known by its names before a game is played, and finds only what is asked for."""

import pytest

import sims
from analysis.chapter import Once, Study, chapter
from sims.engine import batch


def study(name, variant, players=None, games=20):
    game = sims.game(name)
    return Study(game, game.variant(variant), game.lineup((), players), players, games, 5)


#: Studies that are small, and the number of players that a table of all is made for.
SMALL = [
    ("tacatuca", "tiny", None),
    ("tacatuca", "tiny", 4),
    ("kazaam-dice", "duel", None),
    ("kazaam-dice", "small", 3),
    ("tschakka-lakka", "tiny-2x2", None),
    ("tschakka-lakka", "tiny-3x3", 3),
]


@pytest.mark.parametrize(("name", "variant", "players"), SMALL)
def test_nothing_is_played_for_names(name, variant, players, monkeypatch):
    monkeypatch.setattr(batch, "run", None)
    monkeypatch.setattr("analysis.chapter.run", None)
    sheet = chapter(name).balance(study(name, variant, players))
    assert "seats" in sheet.tables
    assert all(isinstance(key, str) for key in [*sheet.tables, *sheet.metrics])
    assert len(sheet.tables) > 4
    assert len(sheet.metrics) > 5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "players"), SMALL)
def test_every_name_is_found(name, variant, players):
    sheet = chapter(name).balance(study(name, variant, players))
    for table, found in sheet.tables.items():
        assert found.name == table
    for metric in sheet.metrics.values():
        assert metric.doc


@pytest.mark.parametrize(
    ("name", "variant", "metric", "labels"),
    [
        ("tacatuca", "tiny", "rounds_3", ["playing Tacatuca with 3 players"]),
        ("kazaam-dice", "duel", "seat_gap_2", ["playing 2 players"]),
        ("tschakka-lakka", "tiny-2x2", "rounds_3", ["3 players, card"]),
    ],
)
def test_a_metric_plays_only_what_it_needs_and_only_once(name, variant, metric, labels, monkeypatch):
    played = []
    whole = Study.play
    monkeypatch.setattr(Study, "play", lambda self, label, **what: played.append(label) or whole(self, label, **what))
    sheet = chapter(name).balance(study(name, variant))
    first = sheet.metrics[metric]
    assert sheet.metrics[metric] is first
    assert played == labels
    assert len(sheet.tables["seats"].frame) > 0
    assert len(set(played)) == len(played)


def test_a_table_has_only_numbers_of_its_own_games():
    """A table found alone is the table found after all others."""
    alone = chapter("tacatuca").balance(study("tacatuca", "tiny")).tables["snowball"]
    sheet = chapter("tacatuca").balance(study("tacatuca", "tiny"))
    after = dict(sheet.tables)["snowball"]
    assert alone.frame.equals(after.frame)


def test_once_finds_once():
    asked = []
    found = Once.over([1, 2], lambda key: asked.append(key) or [key])
    assert (list(found), len(found), 1 in found, 3 in found, asked) == ([1, 2], 2, True, False, [])
    assert found[2] is found[2]
    assert asked == [2]
    with pytest.raises(KeyError):
        found[3]
