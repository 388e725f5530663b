"""Dice scattered at random over the board: the exact chance that they happen to connect an alchemist.

All ways to occupy the free fields are counted by number of dice, with the fields taken row by row. Of what lies
behind, only this matters: which fields of the frontier (the last field of every column) hold dice, which of those hang
together, and which group holds the alchemist's field and which the target. Two states that agree there are one, so
the 2**48 ways on a board of seven by seven fold into a few hundred states at a time (a transfer matrix).

The polynomial "ways by number of dice" of a state is packed into one integer, 64 bits for each number: one more die is
a shift, and no count overflows, since 64 fields have at most C(64, 32) < 2**61 ways for any number of dice.

References
----------
Blöte and Nightingale, "Critical behaviour of the two-dimensional Potts model with a continuous number of states",
Physica A 112, 1982 (connectivity transfer matrices).
"""

from collections import defaultdict
from fractions import Fraction
from math import comb

from sims.kazaam_dice.rules import Rules

DIGIT = 64
#: Labels of the frontier's groups, 0 for no die, then the labels of the groups of alchemist and target, 0 for none.
Frontier = tuple[tuple[int, ...], int, int]


def chain_chances(rules: Rules, alchemist: int) -> list[Fraction]:
    """Chance that n dice on random fields connect an alchemist, Ambrosius at his start and the obstacle beside the board.

    Returns
    -------
    list of Fraction
        By number of dice, from 0 to as many as there are free fields. Creatures' rights and pictures play no part.
    """
    board = rules.load_board()
    ends = board.alchemists[alchemist], board.targets[alchemist]
    counted = rules.chain_ends == "beside"
    states: dict[Frontier, int] = {((0,) * board.columns, 0, 0): 1}
    free = len(board.fields) - 1
    done, left = 0, free
    for field in board.fields:
        column = field % board.columns
        left -= field != board.centre
        new: defaultdict[Frontier, int] = defaultdict(int)
        for state, ways in states.items():
            if field not in ends and (after := _without(state, column)):
                new[after] += ways
            if field == board.centre:
                continue
            after = _with_die(state, column, (field == ends[0], field == ends[1]))
            filled = ways << DIGIT
            if field in ends and counted:
                filled += ways
            if after[1] and after[1] == after[2]:
                done += filled * _any(left)
            else:
                new[after] += filled
        states = new
    mask = (1 << DIGIT) - 1
    return [Fraction(done >> DIGIT * dice & mask, comb(free, dice)) for dice in range(free + 1)]


def _any(fields: int) -> int:
    """Every way to occupy so many fields, packed."""
    return sum(comb(fields, dice) << DIGIT * dice for dice in range(fields + 1))


def _without(state: Frontier, column: int) -> Frontier | None:
    """The frontier after a field without a die; None if that cuts the alchemist or the target off for good."""
    labels, home, goal = state
    gone = labels[column]
    labels = (*labels[:column], 0, *labels[column + 1 :])
    if gone and gone in (home, goal) and gone not in labels:
        return None
    return _renamed(labels, home, goal)


def _with_die(state: Frontier, column: int, is_end: tuple[bool, bool]) -> Frontier:
    """The frontier after a field with a die, which joins the groups above and to the left of it."""
    labels, home, goal = state
    above, left = labels[column], labels[column - 1] if column else 0
    here = above or left or max(labels) + 1
    if left and left != here:
        labels = tuple(here if label == left else label for label in labels)
        home, goal = (here if label == left else label for label in (home, goal))
    labels = (*labels[:column], here, *labels[column + 1 :])
    return _renamed(labels, here if is_end[0] else home, here if is_end[1] else goal)


def _renamed(labels: tuple[int, ...], home: int, goal: int) -> Frontier:
    """The same state with its groups numbered in order of appearance."""
    names = {0: 0}
    for label in labels:
        names.setdefault(label, len(names))
    return tuple(names[label] for label in labels), names[home], names[goal]
