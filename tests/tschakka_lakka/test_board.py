"""The plan of a temple: what a turn or a mirror image carries to itself, where a turn begins, what lies in the middle."""

from itertools import product

import pytest

from sims.tschakka_lakka import board
from sims.tschakka_lakka.board import Board, Gem


def plan(rows, *gems):
    squares = {(i, j): sign for i, row in enumerate(rows, 1) for j, sign in enumerate(row, 1)}
    entrances = tuple(at for at, sign in squares.items() if sign == "E")
    chambers = tuple(at for at, sign in squares.items() if sign == ".")
    return Board("", entrances, chambers, tuple(Gem(kind, row, column) for kind, row, column in gems))


ALIKE = [
    # mirrored across, down, and both; a quarter turn; on the diagonal
    (["E.E", "..."], [("pink", 1, 1), ("pink", 1, 2)], (1, 1), (1, 3), True),
    (["E.", "..", "E."], [("pink", 1, 1), ("pink", 2, 1)], (1, 1), (3, 1), True),
    (["E..", "..E"], [("pink", 1, 1), ("pink", 1, 2)], (1, 1), (2, 3), True),
    (["E.E", "...", "E.E"], [("pink", i, j) for i in (1, 2) for j in (1, 2)], (1, 1), (3, 1), True),
    (["..E", "...", "E.."], [("pink", 1, 1), ("yellow", 2, 2)], (1, 3), (3, 1), True),
    # spoilt by a gem, its kind, a chamber, an entrance
    (["E.E", "..."], [("pink", 1, 1)], (1, 1), (1, 3), False),
    (["E.E", "..."], [("pink", 1, 1), ("yellow", 1, 2)], (1, 1), (1, 3), False),
    (["E.E", "#.."], [("pink", 1, 1), ("pink", 1, 2)], (1, 1), (1, 3), False),
    (["E.E", "E.."], [("pink", 1, 1), ("pink", 1, 2)], (1, 1), (1, 3), False),
    # alike as a whole, but this square goes elsewhere
    (["E.E", "..."], [("pink", 1, 1), ("pink", 1, 2)], (1, 1), (1, 2), False),
]


@pytest.mark.parametrize(("rows", "gems", "one", "other", "same"), ALIKE)
def test_entrances_are_alike_if_a_symmetry_exchanges_them(rows, gems, one, other, same):
    assert plan(rows, *gems).alike(one, other) == same


def test_the_printed_temple_looks_alike_from_every_entrance():
    temple = board.load("temple")
    for one, other in product(temple.entrances, repeat=2):
        assert temple.alike(one, other)
    assert not temple.alike((1, 1), (1, 2))


def test_rings_lie_around_the_middle_of_the_chambers():
    # rows 1 to 3 and columns 1 to 3 without the entrance: their middle is (17/8, 17/8), nearest to (2, 2)
    rings = plan(["E..", "...", "..."], ("pink", 1, 1)).rings
    assert rings[0] == [(2, 2)]
    # (3, 3) is 7/8 away, a chamber of row or column 1 is 9/8
    assert rings[1:] == [[(2, 3), (3, 2), (3, 3)], [(1, 2), (1, 3), (2, 1), (3, 1)]]
    assert [len(ring) for ring in board.load("temple").rings] == [4, 12, 20, 24]


def test_openings_are_the_entrances_next_to_a_chamber():
    assert plan(["E#..", "#E.."], ("yellow", 1, 3)).openings == ((2, 2),)
