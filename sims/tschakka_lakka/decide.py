"""Decisions from a solved turn, compiled: where the raccoon goes, what to do with a throw, and what comes of it all.

For a game's kernel: :func:`best_place` moves the raccoon and leaves its turn solved; after each throw :func:`offer`
tells chamber, dice and whether to go on, wherever in that turn it stands.

Ties: values closer than ``TIE`` are equal. Then the chamber with the lower square goes before the higher, fewer dice
before more, a stop before a throw; among places of the raccoon the lower square.
"""

import numpy as np

from sims.engine.jit import helper, kernel
from sims.tschakka_lakka.bits import ONE, ZERO, bit, first, near
from sims.tschakka_lakka.terms import (
    AFTER,
    COLOURS,
    EPOCH,
    FIRST,
    HIGH,
    LAST,
    LEFT,
    LIMIT,
    LOW,
    SIZE_HIGH,
    SIZE_LOW,
    SKULLS,
    STOP,
    TIE,
)
from sims.tschakka_lakka.turn import (
    appraise,
    filled_chambers,
    is_there,
    lay,
    number_in,
    plain,
    released_set,
    slot_of,
    solve,
)


@kernel
def best_place(temple, terms, odds, places, dice, solver):
    """The raccoon's best place, its turn solved; -1 if no place touches a filled chamber.

    Only places are solved afresh that have lost a chamber they depend on since the last call.

    Parameters
    ----------
    places : uint64
        Entrances and empty chambers.
    """
    filled = filled_chambers(temple)
    todo = places & near(filled)
    best, top, solved = np.int64(-1), -1.0, np.int64(-1)
    no_skulls = np.int64(0)  # a literal would be another type, and solve compiled twice
    while todo != ZERO:
        place = first(todo)
        todo &= todo - ONE
        if solver.depends_at[place] == ZERO or solver.depends_at[place] & ~filled != ZERO:
            solve(temple, terms, odds, place, ZERO, ZERO, dice, no_skulls, solver)
            solver.values_at[place], solver.depends_at[place] = solver.values[0, dice], solver.depends[0]
            solved = place
        if solver.values_at[place] > top + TIE:
            best, top = place, solver.values_at[place]
    if best >= 0 and best != solved:
        solve(temple, terms, odds, best, ZERO, ZERO, dice, no_skulls, solver)
    return best


@helper
def pick_of(blue, yellow, green, red):
    """What a throw allows, from the matching dice of each colour, jokers included: see :class:`Odds`."""
    pick = np.int64(min(3, blue))
    pick |= np.int64(4 + min(3, yellow)) << 8
    pick |= np.int64(8 + min(3, green)) << 16
    return pick | np.int64(12 + min(3, red)) << 24


@helper
def square_of(move):
    """Chamber of a placement, ``solver.moves[placement]``."""
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
def choose(solver, state, u, pick):
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
        Placement (an index into ``solver.moves``; -1: a bust), whether to go on.
    """
    best, top, on = np.int64(-1), -1.0, False
    lost = solver.facts[SKULLS] + (np.int64(solver.nodes[state, LEFT]) & 7) - u
    if solver.facts[LIMIT] > 0 and lost >= solver.facts[LIMIT]:
        return best, on
    for place in range(solver.links[state, FIRST], solver.links[state, LAST]):
        move = solver.moves[place]
        k, child = dice_of(move), state_after(move)
        if k > (pick >> (8 * ((move >> 8) & 3))) & 3:
            continue
        worth, further = solver.finals[place], False
        if child >= 0:
            worth = solver.values[child, STOP]
            if u > k and solver.values[child, u - k] > worth + TIE:
                worth, further = solver.values[child, u - k], True
        if worth > top + TIE:
            best, top, on = np.int64(place), worth, further
    return best, on


@kernel
def state_with(solver, low, high, dice):
    """The state of a configuration, -1 if the solve did not meet it."""
    nodes, slots, last = solver.nodes, solver.slots, np.int64(solver.slots.size - 1)
    slot = slot_of(low, high, dice, last)
    while slots[slot] >> 32 == solver.facts[EPOCH]:
        state = slots[slot] & 0xFFFFFFFF
        if is_there(nodes[state, LOW], nodes[state, HIGH], nodes[state, LEFT], low, high, dice):
            return state
        slot = (slot + 1) & last
    return np.int64(-1)


@kernel
def offer(temple, solver, low, high, left, u, pick):
    """The best placement after a throw, anywhere in the turn that was solved last.

    Parameters
    ----------
    low, high : uint64
        Dice on the chambers, those on released ones included.
    left : int
        Dice of the turn that are not on chambers: skulls set aside and dice thrown.
    u, pick : int
        Dice thrown without a skull, and what they allow: :func:`pick_of`.

    Returns
    -------
    (int, int, bool)
        Square of the chamber (-1: a bust), dice to place there, whether to go on.
    """
    left -= solver.facts[SKULLS]
    low = plain(low, high, temple[SIZE_LOW] & temple[SIZE_HIGH], left)
    state = state_with(solver, low, high, left)
    if state < 0:
        raise ValueError("the turn solved last does not lead to these dice on these chambers")
    place, on = choose(solver, state, u, pick)
    if place < 0:
        return np.int64(-1), np.int64(0), False
    return square_of(solver.moves[place]), dice_of(solver.moves[place]), on


@kernel
def outcomes(temple, points, odds, solver, dice, reached, chances):
    """Play the solved turn out over all dice, throwing first.

    Parameters
    ----------
    points : Terms
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
    filled, bust = filled_chambers(temple), 0.0
    reached[0, dice] = 1.0
    for m in range(dice, 0, -1):
        state = solver.heads[m]
        while state >= 0:
            for n in range(1, m + 1):
                if reached[state, n] == 0.0:
                    continue
                bust += reached[state, n] * odds.binomial[n, 0]
                for u in range(1, n + 1):
                    for index in range(odds.starts[COLOURS, u], odds.starts[COLOURS, u + 1]):
                        chance = reached[state, n] * odds.binomial[n, u] * odds.chances[index]
                        place, on = choose(solver, state, u, np.int64(odds.picks[index]))
                        if place < 0:
                            bust += chance
                            continue
                        move = solver.moves[place]
                        child, k = state_after(move), dice_of(move)
                        if on:
                            reached[child, u - k] += chance
                            continue
                        low, high, here = solver.nodes[state, LOW], solver.nodes[state, HIGH], bit(square_of(move))
                        low, high = lay(low, high, here, number_in(low, high, here) + k)
                        released = released_set(filled, temple[SIZE_LOW], temple[SIZE_HIGH], low, high)
                        score, _ = appraise(temple, points, released)
                        chances[np.int64(score + 0.5)] += chance
            state = solver.links[state, AFTER]
    return bust
