"""The compiled turn against a brute force that is written from the rulebook (``brute_turn.py``)."""

from collections import defaultdict
from random import Random

import numpy as np
import pytest

from sims.tschakka_lakka import turn
from sims.tschakka_lakka.rules import Rules
from tests.tschakka_lakka.brute_turn import Turn

ODDS = turn.build_odds()
SIDES = {"small": 4, "large": 7}


def bit(square):
    return 1 << (8 * (square[0] - 1) + square[1] - 1)


class Case:
    """A random corner of a temple: treasures, gems, raccoon, rulings, worths, and dice placed so far."""

    def __init__(self, seed, chambers, dice, rulings=True):
        draw = self.draw = Random(seed)
        grown = [(draw.randint(2, 7), draw.randint(2, 7))]
        self.raccoon = grown[0]
        while len(grown) <= chambers:
            row, column = draw.choice(grown)
            beside = draw.choice([(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)])
            if beside not in grown and 1 <= min(beside) and max(beside) <= 8:
                grown.append(beside)
        self.treasures = {square: (draw.randrange(4), draw.choice((1, 1, 2, 2, 3))) for square in grown[1:]}
        crossings = [(i, j) for i in range(1, 8) for j in range(1, 8)]
        self.gems = {}
        for i, j in draw.sample(crossings, len(crossings)):
            group = frozenset(self.treasures) & {(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)}
            if group and len(self.gems) < 3:
                self.gems[i, j] = (draw.choice(("yellow", "pink")), group)
        self.hand = draw.randint(dice, 7)
        self.dice = dice
        self.limit = draw.choice((0, 0, 2, 3, 4)) if rulings else 0
        if self.limit and self.hand - dice >= self.limit:
            self.limit = 0
        self.any_gem = rulings and draw.random() < 0.3
        self.count = rulings and draw.random() < 0.3
        self.chamber = {square: float(size) for square, (_, size) in self.treasures.items()}
        self.gem_points = {"yellow": 2.0, "pink": 3.0}
        self.tower = [[0.0] * 8 for _ in range(4)]
        self.prize = []
        if rulings and draw.random() < 0.5:
            self.chamber = {square: draw.uniform(0, 4) for square in self.treasures}
            self.tower = [[0.0, *(draw.uniform(0, 5) for _ in range(7))] for _ in range(4)]
        elif rulings and draw.random() < 0.3:
            self.prize = [0.0, *sorted(draw.random() for _ in range(40))]

    def worth(self, released):
        """The value of a released set, from the words of the rulebook."""
        score = sum(self.chamber[square] for square in released)
        for kind, group in self.gems.values():
            if (group & released) if self.any_gem else (group <= released):
                score += self.gem_points[kind]
        for colour in range(4):
            sizes = [size for square, (c, size) in self.treasures.items() if c == colour and square in released]
            score += self.tower[colour][len(sizes) if self.count else sum(sizes)]
        return self.prize[round(score)] if self.prize else score

    def brute(self):
        return Turn(self.treasures, self.raccoon, self.worth, self.hand, self.limit)

    def temple(self):
        masks = np.zeros(8, np.uint64)
        for square, (colour, size) in self.treasures.items():
            masks[colour] |= np.uint64(bit(square))
            masks[turn.SIZE_LOW] |= np.uint64(bit(square) * (size & 1))
            masks[turn.SIZE_HIGH] |= np.uint64(bit(square) * (size >> 1))
        for crossing, (kind, _) in self.gems.items():
            masks[turn.PINK if kind == "pink" else turn.YELLOW] |= np.uint64(bit(crossing))
        return masks

    def terms(self):
        chamber = np.zeros(64)
        for (row, column), worth in self.chamber.items():
            chamber[8 * (row - 1) + column - 1] = worth
        return turn.Terms(
            np.array([self.any_gem, self.limit, self.count], np.int64),
            chamber,
            np.array([self.gem_points["yellow"], self.gem_points["pink"]]),
            np.array(self.tower),
            np.array(self.prize),
        )

    def solve(self, solver, paid=(), dice=None):
        dice = self.dice if dice is None else dice
        low = sum(bit(square) for square, lying in paid if lying & 1)
        high = sum(bit(square) for square, lying in paid if lying & 2)
        skulls = self.hand - dice - sum(lying for _, lying in paid)
        row, column = self.raccoon
        return turn.solve(
            self.temple(),
            self.terms(),
            ODDS,
            8 * (row - 1) + column - 1,
            np.uint64(low),
            np.uint64(high),
            dice,
            skulls,
            solver,
        )


@pytest.fixture(scope="module")
def solver():
    return turn.new_solver()


def agrees(case, solver, paid=frozenset(), dice=None):
    """Values of every number of dice, chance of a bust and stops of the solved turn are those of the brute force."""
    dice = dice or case.dice
    case.solve(solver, paid, dice)
    brute = case.brute()
    assert solver.values[0, turn.STOP] == pytest.approx(case.worth(brute.released(paid)), abs=1e-12)
    value, bust, stops = brute.throw(paid, dice)
    assert solver.values[0, dice] == pytest.approx(value, abs=1e-9)
    points = turn.build_terms(Rules())
    turn.price(case.temple(), points, np.array([0.0, 1, 2, 3]))
    points.rulings[:] = case.terms().rulings
    chances = np.zeros(64)
    found = turn.outcomes(case.temple(), points, ODDS, solver, dice, np.zeros((len(solver.nodes), 8)), chances)
    expected = defaultdict(float)
    for released, chance in stops.items():
        gems = [
            case.gem_points[kind]
            for kind, group in case.gems.values()
            if ((group & released) if case.any_gem else (group <= released))
        ]
        expected[sum(case.treasures[square][1] for square in released) + sum(gems)] += chance
    assert found == pytest.approx(bust, abs=1e-9)
    assert chances == pytest.approx([expected[points] for points in range(64)], abs=1e-9)
    return brute


@pytest.mark.parametrize("seed", range(60))
def test_small_positions_equal_the_brute_force(solver, seed):
    case = Case(seed, chambers=3 + seed % 5, dice=1 + seed % 5)
    agrees(case, solver)
