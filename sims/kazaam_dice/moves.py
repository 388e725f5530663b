"""Uses of a roll: listing them, making them, and what one leads to, on the record of :mod:`sims.kazaam_dice.work`.

A use is one integer, ``((kind * 8 + value) * 128 + place) * 32 + extra``: ``place`` is a field, or an edge for the
obstacle; ``extra`` is the orientation of a placed die or the direction of a tip. Codes are listed in the order
that :mod:`sims.kazaam_dice.rules` fixes, so a policy can name a use by its index.

Constants are handed to kernels as ``np.int64(..)``: Numba would compile a plain literal as a type of its own.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, lowest
from sims.engine.jit import helper, kernel
from sims.kazaam_dice.tables import FIRE_WATER_BURNS

#: Kinds of uses.
PLACE, TIP, AMBROSIUS, OBSTACLE = range(4)


@helper
def use_code(kind, value, place, extra):
    """A use as one integer."""
    return ((kind * 8 + value) * 128 + place) * 32 + extra


@helper
def use_parts(use):
    """A use as ``(kind, value, place, extra)``."""
    return use >> 15, (use >> 12) & 7, (use >> 5) & 127, use & 31


@kernel
def list_uses(t, g, scratch):
    """List every use of the roll ``g.low, g.high`` in ``scratch.uses``; the number of them."""
    double, n = g.low == g.high, np.int64(0)
    for value in range(g.low, g.high + 1):
        if value == g.low or value == g.high:
            n = _list_places(t, g, scratch, n, value, np.int64(double))
    for value in range(g.low, g.high + 1):
        if value == g.low or value == g.high:
            n = _list_tips(t, g, scratch, n, value)
    if double:
        n = _list_blocks(t, g, scratch, n)
    return n


@kernel
def _list_places(t, g, scratch, n, value, double):
    places = t.places[double, value] & ~g.tops[0] & ~g.ambrosius
    while places:
        use = use_code(PLACE, value, lowest(places), 4 * value - 4)
        for facing in range(4):
            scratch.uses[n + facing] = use + facing
        n += 4
        places &= places - ONE
    return n


@kernel
def _list_tips(t, g, scratch, n, value):
    dice, ways = g.tops[value], t.ways[g.obstacle]
    free = ~g.tops[0] & ~g.ambrosius
    while dice:
        field = lowest(dice)
        here = bit(field)
        for direction in range(4):
            if here & ways[direction]:
                to = beyond(t, here, direction)
                if to & free and (
                    t.fire_water == FIRE_WATER_BURNS or not to & lost_on(t, g.orientation[field], direction)
                ):
                    scratch.uses[n] = use_code(TIP, value, field, direction)
                    n += 1
        dice &= dice - ONE
    return n


@kernel
def beyond(t, here, direction):
    """The field next to ``here`` in that direction, which must be open."""
    column = np.uint64(t.columns)
    if direction == 0:
        return here >> column
    if direction == 1:
        return here << ONE
    return here << column if direction == 2 else here >> ONE


@helper
def lost_on(t, orientation, direction):
    """The fields on which a die so tipped burns or drowns."""
    return t.loses[(t.tips[orientation, direction] >> 2) + 1]


@kernel
def _list_blocks(t, g, scratch, n):
    fields = ambrosius_fields(t, g)
    while fields:
        scratch.uses[n] = use_code(AMBROSIUS, g.low, lowest(fields), 0)
        n += 1
        fields &= fields - ONE
    for edge in range(t.edges):
        if edge + 1 != g.obstacle and not t.shuts[edge + 1] & g.ambrosius:
            scratch.uses[n] = use_code(OBSTACLE, g.low, edge, 0)
            n += 1
    return n


@helper
def ambrosius_fields(t, g):
    """Where Ambrosius may go."""
    return t.stands & ~g.tops[0] & ~g.ambrosius & ~t.shuts[g.obstacle]


@kernel
def after_use(t, g, use):
    """The blocks and dice after a use: ``(dice, ambrosius, obstacle)``, without making it."""
    kind, _, place, extra = use_parts(use)
    dice, ambrosius, obstacle = g.tops[0], g.ambrosius, g.obstacle
    if kind == PLACE:
        dice |= bit(place)
    elif kind == TIP:
        here = bit(place)
        to = beyond(t, here, extra)
        dice &= ~here
        if not to & lost_on(t, g.orientation[place], extra):
            dice |= to
    elif kind == AMBROSIUS:
        ambrosius = bit(place)
    else:
        obstacle = place + 1
    return dice, ambrosius, obstacle


@kernel
def make_use(t, g, use):
    """Make a use on the board; the field on which its die burnt or drowned, or 0. The supply is the caller's."""
    kind, _, place, extra = use_parts(use)
    if kind == PLACE:
        put(g, place, extra)
    elif kind == TIP:
        here, orientation = bit(place), g.orientation[place]
        to = beyond(t, here, extra)
        lift(g, here)
        if to & lost_on(t, orientation, extra):
            return to
        put(g, lowest(to), t.tips[orientation, extra])
    elif kind == AMBROSIUS:
        g.ambrosius = bit(place)
    else:
        g.obstacle = place + 1
    return ZERO


@kernel
def put(g, field, orientation):
    """Lay a die on a free field."""
    here = bit(field)
    g.tops[0] |= here
    g.tops[(orientation >> 2) + 1] |= here
    g.orientation[field] = orientation


@kernel
def lift(g, here):
    """Take the die off a field."""
    for top in range(7):
        g.tops[top] &= ~here


@kernel
def take_chip(g, seat, field, own):
    """Hand a chip to a seat; its die goes back to the supply."""
    here = bit(field)
    lift(g, here)
    g.chips &= ~here
    g.supply += 1
    g.taken[seat] += 1
    if own:
        g.favourite[seat] += 1
    else:
        g.others[seat] += 1
