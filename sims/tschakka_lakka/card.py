"""The policy ``card``: a rule short enough for a playing card, compiled. :mod:`.search` found its three numbers.

Each line of ``CARD`` is a branch below. Places and chambers of equal standing go by reading order; all fitting dice are
placed that the chamber needs.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, count, lowest
from sims.engine.jit import helper, kernel
from sims.tschakka_lakka.solver import around
from sims.tschakka_lakka.squares import near
from sims.tschakka_lakka.tables import GEM_NEEDS_ANY
from sims.tschakka_lakka.work import all_filled, in_reach, legal_places, missing, stake_of

#: What a gem counts in treasures, a die in points, and by how much their sum must exceed the points at stake.
GEM, DIE, NERVE = 6, 2, 2

#: The card, for people.
CARD = (
    f"Place the raccoon where most treasures lie within two steps; one beside him that alone holds a gem: +{GEM}.",
    "Pay first for a treasure that alone holds a gem, even in part.",
    "Else release the largest treasure you can; of equals, the one that then leaves more colours in reach.",
    "If you can release none, place all you can where the fewest dice will be missing.",
    f"With something released, roll on while {DIE} x dice left + colours in reach is more than your points + {NERVE}.",
)


@kernel
def alone_at_gem(rules, work, released):
    """Chambers, not yet released, whose treasure is all that still holds a gem."""
    gems, filled, found = work.yellow_gems | work.pink_gems, all_filled(work), ZERO
    while gems:
        gem = gems & (ZERO - gems)
        gems ^= gem
        holders = around(gem) & filled
        if rules.gem_needs == GEM_NEEDS_ANY:
            if not holders & released:
                found |= holders
        elif count(holders & ~released) == 1:
            found |= holders & ~released
    return found


@helper
def colours_of(work, chambers):
    """How many colours a set of filled chambers shows."""
    colours = 0
    for colour in range(4):
        if work.colours[colour] & chambers:
            colours += 1
    return colours


@kernel
def card_place(rules, work):
    """The raccoon's place by the card; ``work.policy[1]`` is what a gem counts."""
    filled, legal, alone = all_filled(work), legal_places(rules, work), alone_at_gem(rules, work, ZERO)
    best, most = np.int64(-1), np.int64(-1)
    while legal:
        square = lowest(legal)
        legal &= legal - ONE
        beside = near(bit(square)) & filled
        treasures = count(beside) + count(near(beside) & filled) + work.policy[1] * count(beside & alone)
        if treasures > most:
            best, most = square, treasures
    return best


@kernel
def card_offer(rules, work):
    """What the card does with a roll; ``work.policy[2:]`` are what a die counts, and the nerve.

    Returns
    -------
    (int, int, int)
        Square of the chamber, dice, whether to stop (0, 1).
    """
    alone, targets = alone_at_gem(rules, work, work.released), work.targets
    chamber, dice, best = np.int64(-1), np.int64(0), np.int64(-1000)
    while targets:
        here = targets & (ZERO - targets)
        targets ^= here
        square, colour = lowest(here), 0
        while not work.colours[colour] & here:
            colour += 1
        need = missing(work, square)
        most = min(need, work.matching[colour])
        if most == need:
            size = np.int64(work.size_low & here != ZERO) + 2 * np.int64(work.size_high & here != ZERO)
            rank = 10 * size + colours_of(work, in_reach(work, work.released | here))
        else:
            rank = 10 * (most - need)
        if here & alone:
            rank += 100
        if rank > best:
            chamber, dice, best = square, most, rank
    released, points = work.released, work.stake
    if dice == missing(work, chamber):
        released |= bit(chamber)
        points = stake_of(rules, work, released)
    if not released:
        return chamber, dice, np.int64(0)
    colours = colours_of(work, in_reach(work, released))
    reason = work.policy[2] * (work.dice - dice) + colours
    return chamber, dice, np.int64(colours == 0 or reason <= points + work.policy[3])
