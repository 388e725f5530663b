"""The optimal turn, compiled: a dynamic programme over what lies on the chambers and the dice left.

A *configuration* is the dice that lie on each chamber, two bits a chamber in two uint64 planes (``low``, ``high``). Any
die placed, coloured or joker, is just one die gone, so what follows a placement depends on the configuration and the
dice left alone. Before a throw of n dice the value is::

    throw(c, n) = sum over u of Binomial(n, 5/6)(u) * after(c, u)          u dice show no skull
    after(c, u) = E over u fair five-faced dice of the best of all placements (chamber, k) that the dice allow:
                  max(stop(c + k dice), throw(c + k dice, u - k)),         0 if they allow none: the bust

With ``best[u][colour][a]`` the best placement of up to ``a`` dice of a colour, the u dice matter only through
``a = min(3, dice of the colour + jokers)`` for each colour in reach: 163 classes at most for seven dice. A chamber that
needs more dice than are left can never be released; it only takes dice, whatever lies on it, and stands for all such
chambers of its colour. The *states* of a solve are the configurations that can occur, found from the fullest hand
downward by hashing; each is then valued for every number of dice at once, from the emptiest hand upward. Skulls need no
state: ``skulls so far + dice placed + dice left`` is constant.

Worth of a stop: ``score = worths of the chambers + worths of the gems that go along + tower[colour, rise] of each
colour``, and, if there are prizes, ``prize[score]`` instead (the chance to win with that many points, say). A
bust is worth 0, and no stop may be worth less.

Decisions are read from a solved turn in :mod:`sims.tschakka_lakka.decide`.
"""

import numpy as np

from sims.engine.bits import ZERO, bit, lowest
from sims.engine.jit import helper, kernel
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
    PLACEMENTS,
    RANKS,
    REACH,
    SCORE,
    STARTS,
    STATES,
    STOP,
)
from sims.tschakka_lakka.squares import EIGHT, crossings, eastward, near
from sims.tschakka_lakka.tables import GEM_NEEDS_ANY, TOWER_COUNT
from sims.tschakka_lakka.work import all_filled

_MIX_A, _MIX_B, _MIX_C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9)
_16, _24, _29, _32, _BYTE = (np.uint64(number) for number in (16, 24, 29, 32, 255))


@helper
def released_set(filled, size_low, size_high, low, high):
    """Chambers that hold all the dice they need."""
    return filled & ~(low ^ size_low) & ~(high ^ size_high)


@helper
def around(gems):
    """The squares around gems."""
    row = gems | eastward(gems)
    return row | (row << EIGHT)


@helper
def number_in(low, high, here):
    """The two-bit number of one square."""
    return np.int64(low & here != ZERO) + 2 * np.int64(high & here != ZERO)


@helper
def lay(low, high, here, lies):
    """The planes with ``lies`` dice on one chamber."""
    return (low & ~here) | (here if lies & 1 else ZERO), (high & ~here) | (here if lies & 2 else ZERO)


@kernel
def gem_gain(filled, yellow, pink, worth_yellow, worth_pink, gem_needs, released, here):
    """Worth of the gems that fall when the chamber ``here`` is released after ``released``."""
    gained = 0.0
    gems = (yellow | pink) & crossings(here)
    while gems != ZERO:
        gem = gems & (ZERO - gems)
        gems ^= gem
        rest = around(gem) & filled
        if rest & released == ZERO if gem_needs == GEM_NEEDS_ANY else rest & ~(released | here) == ZERO:
            gained += worth_yellow if gem & yellow else worth_pink
    return gained


@kernel
def appraise(rules, work, worth, released):
    """``(score, rises)`` of a released set."""
    score, rises, so_far = 0.0, np.int64(0), ZERO
    filled, yellow, pink, gem_needs = all_filled(work), work.yellow_gems, work.pink_gems, rules.gem_needs
    while released != ZERO:
        square = lowest(released)
        here = bit(square)
        released ^= here
        rise = np.int64(1) if rules.tower == TOWER_COUNT else number_in(work.size_low, work.size_high, here)
        for colour in range(COLOURS):
            if work.colours[colour] & here != ZERO:
                rises += rise << (4 * colour)
        score += worth.chamber[square]
        score += gem_gain(filled, yellow, pink, worth.gem[0], worth.gem[1], gem_needs, so_far, here)
        so_far |= here
    for colour in range(COLOURS):
        score += worth.tower[colour, (rises >> (4 * colour)) & 15]
    return score, rises


@helper
def plain(low, high, large, dice):
    """``low`` without what lies in vain: with one die left, one die on a large treasure."""
    return low & (~large | high) if dice == 1 else low


@helper
def only_takes(reach, low, high, size_low, size_high, dice):
    """Chambers in reach that need more dice than are left."""
    takers = ZERO
    if dice == 2:
        takers = reach & size_low & size_high & ~low & ~high
    elif dice == 1:
        takers = reach & size_high & ~((~size_low & low) | (size_low & high))
    return takers


@helper
def slot_of(low, high, dice, last):
    """Where the hash table, ``last + 1`` slots long, begins to look for a configuration."""
    mixed = (low * _MIX_A) ^ (high * _MIX_B) ^ (np.uint64(dice) * _MIX_C)
    return np.int64(((mixed ^ (mixed >> _29)) * _MIX_A) >> _32) & last


@helper
def is_there(held_low, held_high, held_left, low, high, dice):
    """Whether a node is the configuration with so many dice."""
    return held_low == low and held_high == high and np.int64(held_left) & 7 == dice


@kernel
def expand(rules, work, worth, memory, dice):
    """Find every state below the root, which is state 0 with ``dice`` dice; False if the memory is too small."""
    nodes, links, values, heads = memory.nodes, memory.links, memory.values, memory.heads
    moves, finals, slots, epoch = memory.moves, memory.finals, memory.slots, memory.epoch
    chamber, tower, prize, prizes = worth.chamber, worth.tower, worth.prize, worth.prizes
    gem_needs, count_towers = rules.gem_needs, rules.tower == TOWER_COUNT
    worth_yellow, worth_pink = worth.gem[0], worth.gem[1]
    filled, colours, size_low, size_high = all_filled(work), work.colours, work.size_low, work.size_high
    colour_low, colour_high, large = colours[1] | colours[3], colours[2] | colours[3], size_low & size_high
    yellow, pink = work.yellow_gems, work.pink_gems
    gem_near = around(yellow | pink)
    room, last = np.int64(STATES - 256), np.int64(STATES - 1)
    states, places, seen = np.int64(1), np.int64(0), ZERO
    for m in range(dice, 0, -1):
        state = heads[m]
        while state >= 0:
            if states > room or places > PLACEMENTS - 256:
                return False
            low, high, reach = nodes[state, LOW], nodes[state, HIGH], nodes[state, REACH]
            rises = np.int64(nodes[state, LEFT] >> EIGHT)
            score, stop = values[state, SCORE], values[state, STOP]
            released = released_set(filled, size_low, size_high, low, high)
            takers = only_takes(reach, low, high, size_low, size_high, m)
            todo = reach & ~takers
            if takers != ZERO:
                for colour in range(COLOURS):
                    same = takers & colours[colour]
                    todo |= same & (ZERO - same)
            seen |= reach
            links[state, FIRST] = places
            while todo != ZERO:
                here = todo & (ZERO - todo)
                todo ^= here
                square = lowest(here)
                colour, size = number_in(colour_low, colour_high, here), number_in(size_low, size_high, here)
                lies = number_in(low, high, here)
                need = size - lies
                for k in range(1, min(need, m) + 1):
                    left = m - k
                    next_low, next_high = low, high
                    if takers & here == ZERO:
                        next_low, next_high = lay(low, high, here, lies + k)
                    slot, child = np.int64(0), np.int64(-1)
                    if left > 0:
                        next_low = plain(next_low, next_high, large, left)
                        slot = slot_of(next_low, next_high, left, last)
                        while slots[slot] >> 32 == epoch:
                            at = slots[slot] & 0xFFFFFFFF
                            if is_there(nodes[at, LOW], nodes[at, HIGH], nodes[at, LEFT], next_low, next_high, left):
                                child = at
                                break
                            slot = (slot + 1) & last
                    if child < 0:
                        next_reach, next_rises, next_score, next_stop = reach, rises, score, stop
                        if k == need:
                            next_reach = (reach | (near(here) & filled)) & ~(released | here)
                            height = (rises >> (4 * colour)) & 15
                            rise = np.int64(1) if count_towers else size
                            next_rises = rises + (rise << (4 * colour))
                            next_score = score + chamber[square] + tower[colour, height + rise] - tower[colour, height]
                            if gem_near & here != ZERO:
                                next_score += gem_gain(
                                    filled, yellow, pink, worth_yellow, worth_pink, gem_needs, released, here
                                )
                            next_stop = prize[np.int64(next_score + 0.5)] if prizes else next_score
                        if left > 0:
                            child = states
                            states += 1
                            slots[slot] = (epoch << 32) | child
                            nodes[child, LOW], nodes[child, HIGH], nodes[child, REACH] = next_low, next_high, next_reach
                            nodes[child, LEFT] = np.uint64(left | (next_rises << 8))
                            values[child, SCORE], values[child, STOP] = next_score, next_stop
                            links[child, AFTER] = heads[left]
                            heads[left] = child
                        else:
                            finals[places] = next_stop
                    moves[places] = square | (k << 6) | (colour << 8) | (child << 16)
                    places += 1
            links[state, LAST] = places
            state = links[state, AFTER]
    memory.states = states
    memory.depends = seen | (around((yellow | pink) & crossings(seen)) & filled)
    return True


@kernel
def evaluate(memory, dice):
    """Value every state, from one die upward."""
    best, links, values, moves, finals = memory.best, memory.links, memory.values, memory.moves, memory.finals
    skulls, limit = memory.skulls, memory.limit
    for m in range(1, dice + 1):
        state = memory.heads[m]
        while state >= 0:
            present = np.int64(0)
            for place in range(links[state, FIRST], links[state, LAST]):
                present |= 1 << ((moves[place] >> 8) & 3)
            for at in range(16 * (m + 1)):
                best[at] = 0.0
            for place in range(links[state, FIRST], links[state, LAST]):
                k, child = (moves[place] >> 6) & 3, moves[place] >> 16
                at = 17 * k + 4 * RANKS[present, (moves[place] >> 8) & 3]
                if child < 0:
                    best[at] = max(best[at], finals[place])
                else:
                    stop = values[child, STOP]
                    for left in range(m - k + 1):
                        best[at] = max(best[at], max(stop, values[child, left]))
                        at += 16
            for at in range(16, 16 * (m + 1), 4):
                best[at + 2] = max(best[at + 2], best[at + 1])
                best[at + 3] = max(best[at + 3], best[at + 2])
            for n in range(m + 1):
                values[state, n] = 0.0
            colours = RANKS[present, 3] + (present >> 3)
            for u in range(1, m + 1):
                if colours == 0 or (limit > 0 and skulls + m - u >= limit):
                    continue
                row, total = np.uint64(16 * u), 0.0
                for index in range(STARTS[colours, u], STARTS[colours, u + 1]):
                    pick = PICKS[index]
                    top = best[row + (pick & _BYTE)]
                    if colours > 1:
                        top = max(top, best[row + ((pick >> EIGHT) & _BYTE)])
                    if colours > 2:
                        top = max(top, best[row + ((pick >> _16) & _BYTE)])
                    if colours > 3:
                        top = max(top, best[row + (pick >> _24)])
                    total += CHANCES[index] * top
                for n in range(u, m + 1):
                    values[state, n] += BINOMIAL[n, u] * total
            state = links[state, AFTER]


@kernel
def solve(rules, work, worth, memory, raccoon, low, high, dice, skulls):
    """Solve a turn from where it stands; the root is state 0.

    Parameters
    ----------
    rules : record RULES
        ``gem_needs``, ``tower`` and ``skull_limit`` matter.
    work : record WORK
        The temple (``colours``, ``size_low``, ``size_high``, ``yellow_gems``, ``pink_gems``); nothing else matters.
        Treasures released this turn still lie in their chambers.
    worth : record WORTH
    memory : record MEMORY
        Filled: ``values[0, dice]`` is the worth of throwing, ``values[0, STOP]`` of stopping.
    raccoon, low, high : uint64
        His place as a mask; dice on the chambers, two bits each: both zero at the start of a turn.
    dice, skulls : int64
        Dice left (0-7), skulls set aside so far.

    Returns
    -------
    int
        Number of states.
    """
    nodes, values, filled = memory.nodes, memory.values, all_filled(work)
    memory.epoch += 1
    memory.skulls, memory.limit = skulls, rules.skull_limit
    released = released_set(filled, work.size_low, work.size_high, low, high)
    score, rises = appraise(rules, work, worth, released)
    low = plain(low, high, work.size_low & work.size_high, dice)
    memory.slots[slot_of(low, high, dice, np.int64(STATES - 1))] = memory.epoch << 32
    nodes[0, LOW], nodes[0, HIGH] = low, high
    nodes[0, REACH] = near(raccoon | released) & filled & ~released
    nodes[0, LEFT] = np.uint64(dice | (rises << 8))
    values[0, SCORE] = score
    values[0, STOP] = worth.prize[np.int64(score + 0.5)] if worth.prizes else score
    memory.heads[:] = -1
    memory.heads[dice] = 0
    memory.links[0, AFTER] = -1
    if not expand(rules, work, worth, memory, dice):
        raise MemoryError("a turn with more states than there is room for")
    evaluate(memory, dice)
    return memory.states
