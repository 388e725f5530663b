"""Decisions from a solved turn, compiled: where the raccoon goes, what to do with a throw, and what comes of it all.

For a game's kernel: :func:`best_place` moves the raccoon and leaves its turn solved; after each throw :func:`offer`
tells chamber, dice and whether to go on, wherever in that turn it stands.

Ties: values closer than ``TIE`` are equal. Then the chamber with the lower square goes before the higher, fewer dice
before more, a stop before a throw; among places of the raccoon the lower square.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, lowest
from sims.engine.jit import helper, kernel
from sims.tschakka_lakka.solver import appraise, is_there, lay, number_in, plain, released_set, slot_of, solve
from sims.tschakka_lakka.solver_memory import (
    AFTER,
    BINOMIAL,
    CHANCES,
    COLOURS,
    FIRST,
    HIGH,
    LAST,
    LEFT,
    LOW,
    PICKS,
    STARTS,
    STATES,
    STOP,
    TIE,
)
from sims.tschakka_lakka.work import all_filled, legal_places


@kernel
def best_place(rules, work, worth, memory):
    """Find the raccoon's best place at the start of a turn, and leave its turn solved.

    Only places are solved afresh that have lost a chamber they depend on since the last call.

    Returns
    -------
    int
        Number of a square; -1 if no place touches a filled chamber.
    """
    filled, todo, dice = all_filled(work), legal_places(rules, work), rules.dice
    best, top, solved = np.int64(-1), -1.0, np.int64(-1)
    no_skulls = np.int64(0)  # a literal would be another type, and solve compiled twice
    while todo != ZERO:
        place = lowest(todo)
        todo &= todo - ONE
        if memory.depends_at[place] == ZERO or memory.depends_at[place] & ~filled != ZERO:
            solve(rules, work, worth, memory, bit(place), ZERO, ZERO, dice, no_skulls)
            memory.values_at[place], memory.depends_at[place] = memory.values[0, dice], memory.depends
            solved = place
        if memory.values_at[place] > top + TIE:
            best, top = place, memory.values_at[place]
    if best >= 0 and best != solved:
        solve(rules, work, worth, memory, bit(best), ZERO, ZERO, dice, no_skulls)
    return best


@helper
def pick_of(blue, yellow, green, red):
    """What a throw allows, from the matching dice of each colour, jokers included: see ``PICKS``."""
    pick = np.int64(min(3, blue))
    pick |= np.int64(4 + min(3, yellow)) << 8
    pick |= np.int64(8 + min(3, green)) << 16
    return pick | np.int64(12 + min(3, red)) << 24


@helper
def square_of(move):
    """Chamber of a placement, ``memory.moves[placement]``."""
    return move & 63


@helper
def dice_of(move):
    """Dice of a placement."""
    return (move >> 6) & 3


@helper
def state_after(move):
    """State that a placement leads to, -1 if no die is left."""
    return move >> 16


@kernel
def choose(memory, state, u, pick):
    """The best placement after a throw, and whether to throw on.

    Parameters
    ----------
    state : int
        Where the dice were thrown.
    u, pick : int
        Dice without a skull, and what they allow: :func:`pick_of`.

    Returns
    -------
    (int, bool)
        Placement (an index into ``memory.moves``; -1: a bust), whether to go on.
    """
    best, top, on = np.int64(-1), -1.0, False
    lost = memory.skulls + (np.int64(memory.nodes[state, LEFT]) & 7) - u
    if memory.limit > 0 and lost >= memory.limit:
        return best, on
    for place in range(memory.links[state, FIRST], memory.links[state, LAST]):
        move = memory.moves[place]
        k, child = dice_of(move), state_after(move)
        if k > (pick >> (8 * ((move >> 8) & 3))) & 3:
            continue
        worth, further = memory.finals[place], False
        if child >= 0:
            worth = memory.values[child, STOP]
            if u > k and memory.values[child, u - k] > worth + TIE:
                worth, further = memory.values[child, u - k], True
        if worth > top + TIE:
            best, top, on = np.int64(place), worth, further
    return best, on


@kernel
def state_with(memory, low, high, dice):
    """Look up the state of a configuration: -1 if the solve did not meet it."""
    nodes, slots, last = memory.nodes, memory.slots, np.int64(STATES - 1)
    slot = slot_of(low, high, dice, last)
    while slots[slot] >> 32 == memory.epoch:
        state = slots[slot] & 0xFFFFFFFF
        if is_there(nodes[state, LOW], nodes[state, HIGH], nodes[state, LEFT], low, high, dice):
            return state
        slot = (slot + 1) & last
    return np.int64(-1)


@kernel
def offer(work, memory):
    """Find the best placement after a roll, anywhere in the turn that was solved last.

    Parameters
    ----------
    work : record WORK
        ``released``, ``placed_low``, ``placed_high``, ``skulls``, ``dice``, ``matching`` as after a roll.

    Returns
    -------
    (int, int, bool)
        Square of the chamber (-1: a bust), dice to place there, whether to go on.
    """
    # as many dice as the state would have if no skull had fallen since the root
    dice = work.dice + work.skulls - memory.skulls
    # a chamber paid in two steps keeps its first dice in the planes of those not released
    low = (work.placed_low & ~work.released) | (work.released & work.size_low)
    high = (work.placed_high & ~work.released) | (work.released & work.size_high)
    state = state_with(memory, plain(low, high, work.size_low & work.size_high, dice), high, dice)
    if state < 0:
        raise ValueError("the turn solved last does not lead to these dice on these chambers")
    pick = pick_of(work.matching[0], work.matching[1], work.matching[2], work.matching[3])
    place, on = choose(memory, state, work.dice, pick)
    if place < 0:
        return np.int64(-1), np.int64(0), False
    return square_of(memory.moves[place]), dice_of(memory.moves[place]), on


@kernel
def outcomes(rules, work, points, memory, dice, reached, chances):
    """Play the solved turn out over all dice, throwing first.

    Parameters
    ----------
    points : record WORTH
        What counts as points, in whole numbers; the solver may have maximised something else.
    reached : float64[state, 8]
        Zeros; filled with the chance to throw n dice in a state.
    chances : float64[points]
        Zeros; filled with the chance to stop with so many points.

    Returns
    -------
    float
        Chance of a bust.
    """
    filled, bust = all_filled(work), 0.0
    reached[0, dice] = 1.0
    for m in range(dice, 0, -1):
        state = memory.heads[m]
        while state >= 0:
            for n in range(1, m + 1):
                if reached[state, n] == 0.0:
                    continue
                bust += reached[state, n] * BINOMIAL[n, 0]
                for u in range(1, n + 1):
                    for index in range(STARTS[COLOURS, u], STARTS[COLOURS, u + 1]):
                        chance = reached[state, n] * BINOMIAL[n, u] * CHANCES[index]
                        place, on = choose(memory, state, np.int64(u), np.int64(PICKS[index]))
                        if place < 0:
                            bust += chance
                            continue
                        move = memory.moves[place]
                        child, k = state_after(move), dice_of(move)
                        if on:
                            reached[child, u - k] += chance
                            continue
                        low, high, here = memory.nodes[state, LOW], memory.nodes[state, HIGH], bit(square_of(move))
                        low, high = lay(low, high, here, number_in(low, high, here) + k)
                        released = released_set(filled, work.size_low, work.size_high, low, high)
                        score, _ = appraise(rules, work, points, released)
                        chances[np.int64(score + 0.5)] += chance
            state = memory.links[state, AFTER]
    return bust
