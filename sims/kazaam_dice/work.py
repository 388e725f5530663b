"""What a compiled game is played in, and the questions about it that kernel and policies share: chains and distances.

The position is one record of masks. Distances are a 0-1 search on whole words: a flood over dice costs nothing, a step
onto free fields costs one die for all of them at once; no queue, and at most one round for each die still missing.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, count
from sims.engine.jit import kernel
from sims.kazaam_dice.tables import CHAIN_ENDS_BESIDE, FIELDS, SEATS, USES

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
