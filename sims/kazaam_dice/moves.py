"""The position as one record of masks, and everything that looks at it: chains, distances, uses of a roll.

A use is one integer, ``((kind * 8 + value) * 128 + place) * 32 + extra``: ``place`` is a field, or an edge for the
obstacle; ``extra`` is the orientation of a placed die or the direction of a tip. Codes are listed in the order
that :mod:`sims.kazaam_dice.rules` fixes, so a policy can name a use by its index.

Distances are a 0-1 search on whole words: a flood over dice costs nothing, a step onto free fields costs one die
for all of them at once; no queue, and at most one round for each die still missing.

Constants are handed to kernels as ``np.int64(..)``: Numba would compile a plain literal as a type of its own.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, count, lowest
from sims.engine.jit import helper, kernel
from sims.kazaam_dice.tables import CHAIN_ENDS_BESIDE, FIELDS, FIRE_WATER_BURNS, SEATS, USES

#: Kinds of uses.
PLACE, TIP, AMBROSIUS, OBSTACLE = range(4)

STATE = np.dtype(
    [
        # On the board. ``tops[creature]``: fields of the dice that show it; ``tops[0]``: of all dice.
        ("tops", "u8", 7),
        ("ambrosius", "u8"),
        ("chips", "u8"),
        ("obstacle", "i8"),
        ("orientation", "i1", FIELDS),
        # Beside the board.
        ("supply", "i8"),
        ("favourite", "i8", SEATS),
        ("others", "i8", SEATS),
        # The turn. ``throw`` numbers the throws of a turn; ``idle`` counts passed turns in a row.
        ("turn", "i8"),
        ("round", "i8"),
        ("seat", "i8"),
        ("throw", "i8"),
        ("low", "i8"),
        ("high", "i8"),
        ("moved", "i8"),
        ("idle", "i8"),
        # The decision that is due. ``asked`` is a seat, ``asking`` the chips it is still asked for.
        ("due", "i8"),
        ("uses", "i8"),
        ("asked", "i8"),
        ("asking", "u8"),
        ("end", "i8"),
        # Counted for the record.
        ("leader", "i8"),
        ("lead_changes", "i8"),
        ("doubles", "i8"),
        ("double_uses", "i8", 4),
        ("placed", "i8"),
        ("tipped", "i8"),
        ("burnt", "i8"),
        ("drowned", "i8"),
        ("passes", "i8"),
        ("taken", "i8", SEATS),
        ("spent_favourite", "i8", SEATS),
        ("spent_others", "i8", SEATS),
        ("points", "i8", (3, SEATS)),
    ],
    align=True,
)

#: Working memory beside a state: the uses of the roll and what they are worth, those tried and their wins, layers of
#: a search, best distances by die value; by seat, distances and their ways as things are, and without Ambrosius, and
#: without the obstacle.
SCRATCH = np.dtype(
    [
        ("uses", "i4", USES),
        ("values", "i8", USES),
        ("tried", "i8", USES),
        ("wins", "i8", USES),
        ("layers", "u8", FIELDS + 2),
        ("best", "i8", 7),
        ("missing", "i8", (3, SEATS)),
        ("ways", "u8", (3, SEATS)),
    ],
    align=True,
)

# -- words -----------------------------------------------------------------------------------------------------


@kernel
def beside(t, obstacle, word):
    """The fields one step from a word, not across the obstacle."""
    column, ways = np.uint64(t.columns), t.ways[obstacle]
    return (
        ((word & ways[0]) >> column)
        | ((word & ways[1]) << ONE)
        | ((word & ways[2]) << column)
        | ((word & ways[3]) >> ONE)
    )


# -- chains and distances --------------------------------------------------------------------------------------


@kernel
def flood(t, obstacle, dice, start):
    """All dice linked to the dice of ``start``, over any number of dice."""
    chain = start & dice
    new = chain
    while new:
        new = beside(t, obstacle, new) & dice & ~chain
        chain |= new
    return chain


@kernel
def links(t, dice, seat):
    """The fields that carry a seat's chain: the dice, and with ``chain_ends = beside`` his end fields too."""
    return dice | t.home[seat] | t.goal[seat] if t.chain_ends == CHAIN_ENDS_BESIDE else dice


@kernel
def connected(t, obstacle, dice, seat):
    """Whether a chain joins the seat's alchemist to his target."""
    return (flood(t, obstacle, links(t, dice, seat), t.home[seat]) & t.goal[seat]) != ZERO


@kernel
def reached_chips(t, g, seat):
    """The chips under dice of the seat's chain."""
    dice = g.tops[0]
    return flood(t, g.obstacle, links(t, dice, seat), t.home[seat]) & g.chips & dice


@kernel
def search(t, dice, ambrosius, obstacle, start, goal):
    """Fewest free fields on a way from ``start`` to ``goal``, both counted; all fields if no way is open.

    Parameters
    ----------
    dice : uint64
        Fields that cost nothing.
    ambrosius : uint64
        His field, which no way crosses.
    """
    missing, reached, new = 0 if start & dice else 1, start, start
    while True:
        while new:
            new = beside(t, obstacle, new) & dice & ~reached
            reached |= new
        if reached & goal:
            return missing
        new = beside(t, obstacle, reached) & ~ambrosius & ~reached
        if not new:
            return t.fields
        reached |= new
        missing += 1


@kernel
def distance(t, dice, ambrosius, obstacle, seat):
    """Fewest dice the seat still misses; 0 if connected, all fields if no way is open."""
    return search(t, links(t, dice, seat), ambrosius, obstacle, t.home[seat], t.goal[seat])


@kernel
def shortest_ways(t, scratch, dice, ambrosius, obstacle, seat):
    """The seat's distance, and all fields, free or with a die, that lie on a shortest way.

    A die on one of the free ones, and on no other field, shortens the distance, by one. Two searches that meet:
    layers of equal cost from the alchemist are kept, those from the target are laid over them.
    """
    dice, start, goal, layers = links(t, dice, seat), t.home[seat], t.goal[seat], scratch.layers
    missing, layer, before, layers[0] = 0 if start & dice else 1, start, ZERO, ZERO
    while True:
        reached = before | layer
        while layer:
            layer = beside(t, obstacle, layer) & dice & ~reached
            reached |= layer
        layers[missing] = reached & ~before
        if reached & goal:
            break
        before, layer = reached, beside(t, obstacle, reached) & ~ambrosius & ~reached
        if not layer:
            return t.fields, ZERO
        missing += 1
    back, layer, before, path = 0 if goal & dice else 1, goal, ZERO, ZERO
    while True:
        reached = before | layer
        while layer:
            layer = beside(t, obstacle, layer) & dice & ~reached
            reached |= layer
        layer = reached & ~before
        # A free field is counted from both sides, a die from neither.
        path |= layer & dice & layers[missing - back]
        if back:
            path |= layer & ~dice & layers[missing + 1 - back]
        if back == missing:
            return missing, path
        before, layer = reached, beside(t, obstacle, reached) & ~ambrosius & ~reached
        back += 1


@kernel
def wanted(t, scratch, dice, ambrosius, obstacle, seat):
    """The seat's distance, and the free fields on which one die shortens it."""
    missing, ways = shortest_ways(t, scratch, dice, ambrosius, obstacle, seat)
    return missing, ways & ~links(t, dice, seat)


@kernel
def largest_group(t, obstacle, dice):
    """Dice in the largest linked group."""
    largest = 0
    while dice:
        group = flood(t, obstacle, dice, dice & (~dice + ONE))
        largest = max(largest, count(group))
        dice &= ~group
    return largest


# -- uses of a roll --------------------------------------------------------------------------------------------


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
