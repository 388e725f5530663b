"""Game Setup: 60 treasures at random, at most two of a colour together."""

import random
from collections import Counter
from itertools import permutations

import numba
import numpy as np
import pytest
from scipy import ndimage, stats

import sims
from sims.engine.dice import SeededDice
from sims.engine.errors import InputError
from sims.tschakka_lakka import board, layout
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.kernel import fill_temple, game_key
from sims.tschakka_lakka.rules import COLOURS, Rules, Treasure

GAME = sims.game("tschakka-lakka")


@numba.njit  # not cached: the cache of a kernel in this folder does not see an edit of the game
def draws(rules, games, seed, colours, sizes):
    """``colours, sizes : int64[game, 8, 8]``: colour 1 to 4 and size of every square, 0 where there is no chamber."""
    works = W.new_work()
    for game in range(games):
        work = works[0]
        fill_temple(rules, work, game_key(seed, game))
        for square in range(64):
            at = np.uint64(square)
            for colour in range(4):
                if work.colours[colour] >> at & np.uint64(1):
                    colours[game, square // 8, square % 8] = colour + 1
            sizes[game, square // 8, square % 8] = (work.size_low >> at & np.uint64(1)) + np.uint64(2) * (
                work.size_high >> at & np.uint64(1)
            )


def drawn(games, name="standard", seed=1, **changes):
    rules = GAME.build_tables(GAME.variant(name, changes).rules, 2).rules[0]
    colours, sizes = np.zeros((2, games, 8, 8), np.int64)
    draws(rules, games, seed, colours, sizes)
    return colours, sizes


def largest_group(colours):
    """The largest orthogonally connected group of one colour."""
    groups = [ndimage.label(colours == colour)[0] for colour in range(1, 5)]
    return max(np.bincount(group.ravel())[1:].max() for group in groups)


def has_line(colours):
    across = (colours[:, :-2] == colours[:, 1:-1]) & (colours[:, 1:-1] == colours[:, 2:]) & (colours[:, 1:-1] > 0)
    down = (colours[:-2] == colours[1:-1]) & (colours[1:-1] == colours[2:]) & (colours[1:-1] > 0)
    return across.any() or down.any()


@pytest.mark.parametrize(("sizes", "each"), [("5/5/5", [5, 5, 5]), ("6/5/4", [6, 5, 4]), ("7/5/3", [7, 5, 3])])
def test_fifteen_treasures_of_each_colour_in_the_stated_sizes(sizes, each):
    colours, heights = drawn(20, sizes=sizes)
    for game in range(20):
        for colour in range(1, 5):
            mine = heights[game][colours[game] == colour]
            assert np.bincount(mine, minlength=4)[1:].tolist() == each
        assert (colours[game] > 0).sum() == 60
        assert colours[game][[0, 0, 7, 7], [0, 7, 0, 7]].tolist() == [0, 0, 0, 0]


def test_pairs_no_group_of_a_colour_is_larger_than_two():
    colours, _ = drawn(300)
    assert {largest_group(each) for each in colours} == {2}


def test_no_line_no_three_of_a_colour_in_a_row_but_corners_of_three_occur():
    colours, _ = drawn(300, layout="no_line")
    assert not any(has_line(each) for each in colours)
    assert max(largest_group(each) for each in colours) > 2


def test_free_has_lines():
    colours, _ = drawn(300, layout="free")
    assert np.mean([has_line(each) for each in colours]) > 0.9


def test_every_arrangement_of_a_tiny_temple_occurs_equally_often():
    colours, _ = drawn(24_000, "tiny-2x2")
    seen = Counter(tuple(each[each > 0]) for each in colours)
    assert set(seen) == set(permutations((1, 2, 3, 4)))
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_sizes_are_a_uniform_shuffle_within_a_colour():
    # three sizes of three treasures of each colour: six orders each
    colours, sizes = drawn(6_000, "small-4x4")
    for colour in range(1, 5):
        seen = Counter(tuple(height[mine == colour]) for mine, height in zip(colours, sizes, strict=True))
        assert set(seen) == set(permutations((1, 2, 3)))
        assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_colours_and_mirrored_squares_are_alike():
    colours, _ = drawn(20_000)
    for square in ((0, 1), (3, 3), (6, 2)):
        assert stats.chisquare(np.bincount(colours[:, *square], minlength=5)[1:]).pvalue > 1e-4
    pairs = (colours[:, :, :-1] == colours[:, :, 1:]) & (colours[:, :, 1:] > 0)
    left, right = pairs[:, :, 1].sum(), pairs[:, :, 5].sum()
    assert abs(left - right) < 4 * np.sqrt(left + right)


def test_the_distribution_is_the_documented_one():
    def neighbours_alike(colours):
        across = (colours[:, :, :-1] == colours[:, :, 1:]) & (colours[:, :, 1:] > 0)
        down = (colours[:, :-1] == colours[:, 1:]) & (colours[:, 1:] > 0)
        found = across.sum(axis=(1, 2)) + down.sum(axis=(1, 2))
        return found.mean(), found.std() / np.sqrt(len(found))

    mean, _ = neighbours_alike(drawn(20_000)[0])
    assert mean == pytest.approx(13.6, abs=0.1)
    mean, error = neighbours_alike(drawn(20_000, layout="free")[0])
    # 104 pairs of neighbouring chambers, each alike with chance 14/59
    assert abs(mean - 104 * 14 / 59) < 4 * error


@pytest.mark.parametrize("restriction", ["pairs", "no_line"])
def test_every_allowed_arrangement_can_be_reached_in_any_order(restriction):
    # Allowed arrangements from an independent source: shuffle twelve treasures until the restriction holds.
    rng = random.Random(5)
    chambers = list(board.load("small-4x4").chambers)
    found = 0
    while found < 30:
        colours = [colour for colour in COLOURS for _ in range(3)]
        rng.shuffle(colours)
        plan = np.zeros((4, 4), int)
        for (row, column), colour in zip(chambers, colours, strict=True):
            plan[row - 1, column - 1] = COLOURS.index(colour) + 1
        if largest_group(plan) > 2 if restriction == "pairs" else has_line(plan):
            continue
        found += 1
        filled = {}
        for at, colour in rng.sample(list(zip(chambers, colours, strict=True)), 12):
            assert layout.allowed(restriction, filled, at, colour)
            filled[at] = Treasure(colour, 1)


def test_allowed_says_no_where_a_third_would_join():
    pair = {(3, 3): Treasure("red", 1), (3, 4): Treasure("red", 2)}
    assert not layout.allowed("pairs", pair, (4, 4), "red")
    assert not layout.allowed("pairs", pair, (3, 5), "red")
    assert layout.allowed("pairs", pair, (4, 5), "red")  # diagonal
    assert layout.allowed("pairs", pair, (3, 5), "blue")
    assert layout.allowed("no_line", pair, (4, 4), "red")
    assert not layout.allowed("no_line", pair, (3, 5), "red")
    apart = {(3, 3): Treasure("red", 1), (3, 5): Treasure("red", 2)}
    assert not layout.allowed("pairs", apart, (3, 4), "red")
    assert not layout.allowed("no_line", apart, (3, 4), "red")


def test_a_restriction_that_cannot_be_met_gets_one_line(tmp_path, monkeypatch):
    # Temples that are small enough for a test always allow some arrangement: shorten the search instead.
    monkeypatch.setattr(layout, "MAX_ATTEMPTS", 0)
    with pytest.raises(InputError, match="layout: 'pairs' cannot be met with sizes '5/5/5' on board 'temple'"):
        layout.draw(Rules(), SeededDice(1, 1))
