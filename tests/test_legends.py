"""The legends of text boards: every sign that is drawn is explained, and no other."""

import re

import pytest

import sims
from sims.engine.dice import SeededDice

#: Frames, numbers and what only holds a piece together are no signs.
NO_SIGN = re.compile(r"[\s\d+|\[\]^-]")


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("tschakka-lakka", "standard"),
        ("tschakka-lakka", "tiny-2x2"),
        ("kazaam-dice", "standard"),
        ("kazaam-dice", "duel"),
    ],
)
def test_every_sign_of_a_board_is_in_its_legend(name, variant):
    game = sims.game(name)
    replay = game.replay(game.variant(variant).rules, game.lineup(players=2), SeededDice(3, 0))
    boards = [event for event in replay if event.signs]
    assert len(boards) > 3
    for event in boards:
        signs = dict(event.signs)
        body = "\n".join(line for line in str(event).splitlines() if "seat" not in line)
        assert (signs.pop("[t^n]", None) is not None) == ("[" in body)
        assert (signs.pop("(M)", None) is not None) == ("(M)" in body)
        explained = set(NO_SIGN.sub("", "".join(signs)))
        assert set(NO_SIGN.sub("", body.replace("(M)", ""))) == explained


@pytest.mark.parametrize(("size", "word"), [(1, "small"), (2, "medium"), (3, "large")])
def test_a_size_is_explained_where_it_occurs(size, word):
    game = sims.game("tschakka-lakka")
    boards = [
        event
        for event in game.replay(game.variant("standard").rules, game.lineup(players=2), SeededDice(3, 0))
        if event.signs
    ]
    for event in boards:
        occurs = re.search(rf"[BYGR]{size}", str(event)) is not None
        assert (event.signs.get(str(size)) == word) == occurs
