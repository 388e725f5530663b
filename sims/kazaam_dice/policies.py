"""The roster, and the compiled functions by which its policies decide.

What a use is worth is one integer by policy (:func:`worth`); the best is made, and ties go to the first in the
seat's own order: kind (placing, tipping, Ambrosius, obstacle), lower value, then fields, edges, facings and
directions as the seat sees them with his own corner at (1,1). So a policy plays a turned position in the turned
way, and no corner is favoured by a tie.

Chips. ``random`` tosses a coin. Every other policy takes a chip if it is his own favourite, or if his distance
stays without the die on it (``collector``: always); and he spends one, other chips on another roll and his favourite
on another move, when one die is missing to his connection and the roll at hand, or the move made, does not bring it.

A policy sees the table, the chips and the roll, and a word of chance of its own: never the dice to come.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, lowest
from sims.engine.game import Parameter, Policy
from sims.engine.jit import kernel
from sims.kazaam_dice.moves import (
    AMBROSIUS,
    OBSTACLE,
    PLACE,
    TIP,
    after_use,
    ambrosius_fields,
    beyond,
    lift,
    lost_on,
    make_use,
    put,
    use_parts,
)
from sims.kazaam_dice.tables import FIRE_WATER_NO_SUICIDE
from sims.kazaam_dice.turn import EXTRA, REROLL, USE
from sims.kazaam_dice.work import distance, links, reached_chips, search, shortest_ways, wanted

RANDOM, RUNNER, BLOCKER, BALANCED, COLLECTOR, LOOKAHEAD, ROLLOUT = range(7)

#: More than any other worth: the own connection; its negative: a connection of others only.
CONNECTS = 1 << 40
#: Divisible by 1 to 8, so that points divided by the dice missing stay whole where it matters.
SHARES = 840
#: More than any distance.
NONE = 1 << 20

ROSTER = {
    policy.name: policy
    for policy in (
        Policy(
            "random",
            RANDOM,
            "the random player",
            "makes any distinct use of the roll with equal chance; tosses a coin for every chip",
            "the zero of the skill ladder",
            ("random",),
        ),
        Policy(
            "runner",
            RUNNER,
            "the runner",
            "shortens its own distance most; looks at nobody else",
            "shortest-path play, as in Hex and Quoridor programs",
            ("deterministic", "shortens", "turns with the board"),
        ),
        Policy(
            "blocker",
            BLOCKER,
            "the blocker",
            "lengthens the distance of the nearest other most, then shortens its own; connects itself when it can",
            "the opposite of runner",
            ("deterministic", "connects", "turns with the board"),
        ),
        Policy(
            "balanced",
            BALANCED,
            "the balanced player",
            "weighs its own distance against that of the nearest other; avoids connecting only others",
            "distance difference, the usual evaluation of connection games (Anshelevich, A hierarchical approach to "
            "computer Hex, Artificial Intelligence 134, 2002)",
            ("deterministic", "connects", "turns with the board"),
            (Parameter("own", 60, 0, 100, "weight of its own distance, percent"),),
        ),
        Policy(
            "collector",
            COLLECTOR,
            "the chip collector",
            "values its connection and each chip on the board by its points (for a chip one more), divided by one more "
            "than the dice still missing to it; takes every chip",
            "the scoring clauses",
            ("deterministic", "connects", "takes", "turns with the board"),
        ),
        Policy(
            "lookahead",
            LOOKAHEAD,
            "the one-roll planner",
            "plays like balanced, but averages its own distance with what the best use of its next roll would leave, "
            "exactly over the 21 results",
            "expectimax of depth one (Michie, Game-playing and game-learning automata, 1966)",
            ("deterministic", "connects", "turns with the board"),
            (Parameter("own", 60, 0, 100, "weight of its own distance, percent"),),
        ),
        Policy(
            "rollout",
            ROLLOUT,
            "the simulator",
            "plays imagined games after each of its best-looking uses, all seats balanced, on the same imagined dice; "
            "keeps the better half, and again until one is left",
            "flat Monte Carlo (Abramson, Expected-outcome, IEEE PAMI 12, 1990) with sequential halving (Karnin et al., "
            "Almost optimal exploration in multi-armed bandits, ICML 2013)",
            ("imagines",),
            (
                Parameter("games", 16, 1, 10_000, "imagined games for each use tried and round of halving"),
                Parameter("tries", 8, 2, 1000, "uses tried, the best by the balanced policy"),
            ),
        ),
    )
}


@kernel
def decide(t, g, scratch, kind, own, seat, field):
    """The answer of a policy that neither tosses coins nor imagines games.

    Parameters
    ----------
    own : int
        Weight of the own distance, percent, for the policies that have one.
    seat, field : int
        Who decides, and the field of the chip he may take, if that is the question.

    Returns
    -------
    int
        Index of the use, or 1 yes, 0 no.
    """
    if g.due == USE:
        return best_use(t, g, scratch, kind, own)
    missing = distance(t, g.tops[0], g.ambrosius, g.obstacle, seat)
    if g.due == REROLL:
        return np.int64(missing == 1 and not connects(t, g, scratch))
    if g.due == EXTRA:
        return np.int64(missing == 1)
    return np.int64(kind == COLLECTOR or accepts(t, g, seat, field))


@kernel
def accepts(t, g, seat, field):
    """Whether a seat takes a chip: the own favourite first, then those whose dice his distance can spare.

    Questions come in the order of fields; chips that can be spared singly but not together are settled in the
    seat's own order, whichever is asked for first.
    """
    dice, asked = g.tops[0], bit(field)
    chips = reached_chips(t, g, seat) | asked
    if chips & t.favourite[seat]:
        if asked == t.favourite[seat]:
            return True
        dice &= ~t.favourite[seat]
        chips &= ~t.favourite[seat]
    missing = distance(t, dice, g.ambrosius, g.obstacle, seat)
    while True:
        here, left = asked, chips & ~asked
        while left:
            other = left & (~left + ONE)
            if t.field_rank[seat, lowest(other)] < t.field_rank[seat, lowest(here)]:
                here = other
            left &= ~other
        spared = distance(t, dice & ~here, g.ambrosius, g.obstacle, seat) == missing
        if here == asked:
            return spared
        if spared:
            dice &= ~here
        chips &= ~here


@kernel
def connects(t, g, scratch):
    """Whether a use of the roll connects the player on turn."""
    for i in range(g.uses):
        dice, ambrosius, obstacle = after_use(t, g, np.int64(scratch.uses[i]))
        if distance(t, dice, ambrosius, obstacle, g.seat) == 0:
            return True
    return False


@kernel
def best_use(t, g, scratch, kind, own):
    """Index of the use that is worth most; ties in the seat's own order."""
    best, rank = 0, np.int64(0)
    look(t, g, scratch, kind)
    for i in range(g.uses):
        use = np.int64(scratch.uses[i])
        if i and kind != LOOKAHEAD and same_place(use, np.int64(scratch.uses[i - 1])):
            scratch.values[i] = scratch.values[i - 1]
        else:
            scratch.values[i] = worth(t, g, scratch, kind, own, use)
        if i == 0 or scratch.values[i] > scratch.values[best]:
            best, rank = i, own_rank(t, g.seat, use)
        elif scratch.values[i] == scratch.values[best]:
            other = own_rank(t, g.seat, use)
            if other < rank:
                best, rank = i, other
    return best


@kernel
def look(t, g, scratch, kind):
    """Note the distances and their ways from which those after each use are told (:func:`distance_after`)."""
    double = g.low == g.high
    for seat in range(t.players):
        if seat == g.seat or kind != RUNNER:
            dice, missing, ways = g.tops[0], scratch.missing, scratch.ways
            missing[0, seat], ways[0, seat] = shortest_ways(t, scratch, dice, g.ambrosius, g.obstacle, seat)
            if double:
                missing[1, seat], ways[1, seat] = shortest_ways(t, scratch, dice, ZERO, g.obstacle, seat)
                missing[2, seat], ways[2, seat] = shortest_ways(t, scratch, dice, g.ambrosius, np.int64(0), seat)


@kernel
def distance_after(t, g, scratch, use, seat):
    """A seat's distance after a use; searched only where a shortest way is touched.

    A die placed on a shortest way shortens it by one, and no other does. A die tipped away, Ambrosius and the obstacle
    lengthen nothing if they stay off all shortest ways (the last two: those there were without them).
    """
    kind, _, place, extra = use_parts(use)
    missing, ways = scratch.missing, scratch.ways
    wanted = ways[0, seat] & ~links(t, g.tops[0], seat)
    if kind == PLACE:
        return missing[0, seat] - np.int64((bit(place) & wanted) != ZERO)
    if kind == TIP and not bit(place) & ways[0, seat]:
        to = beyond(t, bit(place), extra)
        stays = not to & lost_on(t, g.orientation[place], extra)
        return missing[0, seat] - np.int64(stays and (to & wanted) != ZERO)
    if kind == AMBROSIUS and not bit(place) & ways[1, seat]:
        return missing[1, seat]
    if kind == OBSTACLE:
        ends = bit(t.edge_fields[place, 0]) | bit(t.edge_fields[place, 1])
        if ends & ~ways[2, seat]:
            return missing[2, seat]
    dice, ambrosius, obstacle = after_use(t, g, use)
    return distance(t, dice, ambrosius, obstacle, seat)


@kernel
def same_place(use, other):
    """Whether two uses differ only in the facing of the placed die."""
    return use >> 15 == PLACE and use >> 5 == other >> 5


@kernel
def own_rank(t, seat, use):
    """Place of a use in the seat's own order."""
    kind, value, place, extra = use_parts(use)
    if kind == PLACE:
        place, extra = t.field_rank[seat, place], t.facing_rank[seat, extra]
    elif kind == TIP:
        place, extra = t.field_rank[seat, place], (extra - t.quarter[seat]) & 3
    elif kind == AMBROSIUS:
        place = t.field_rank[seat, place]
    else:
        place = t.edge_rank[seat, place]
    return ((kind * 8 + value) * 128 + place) * 32 + extra


@kernel
def worth(t, g, scratch, kind, own, use):
    """What a use is worth to the player on turn."""
    missing = distance_after(t, g, scratch, use, g.seat)
    if kind == RUNNER:
        return -missing
    if missing == 0:
        return np.int64(CONNECTS)
    other = t.fields
    for seat in range(t.players):
        if seat != g.seat:
            other = min(other, distance_after(t, g, scratch, use, seat))
    if kind == BLOCKER:
        return 128 * other - missing
    if other == 0:
        return np.int64(-CONNECTS)
    if kind == BALANCED:
        return (100 - own) * other - own * missing
    if kind == COLLECTOR:
        return goals(t, g, use, missing)
    return (100 - own) * 72 * other - own * (36 * missing + next_roll(t, g, scratch, use))


@kernel
def goals(t, g, use, missing):
    """What the collector sees in the position after a use: points by dice missing, in parts of ``1 / SHARES``."""
    dice, ambrosius, obstacle = after_use(t, g, use)
    total = t.points_connection * SHARES // (1 + missing)
    chain, chips = links(t, dice, g.seat), g.chips
    while chips:
        here = chips & (~chips + ONE)
        points = t.points_favourite if here & t.favourite[g.seat] else t.points_chip
        away = search(t, chain & ~here | dice & here, ambrosius, obstacle, t.home[g.seat], here)
        total += (points + 1) * SHARES // (1 + away)
        chips &= ~here
    return total


@kernel
def next_roll(t, g, scratch, use):
    """36 times the expected distance that the best use of the own next roll leaves, after a use of this one."""
    kind, _, place, extra = use_parts(use)
    ambrosius, obstacle, orientation = g.ambrosius, g.obstacle, np.int64(0)
    if kind == TIP:
        orientation = np.int64(g.orientation[place])
    make_use(t, g, use)
    expected = expected_distance(t, g, scratch)
    if kind == PLACE:
        lift(g, bit(place))
    elif kind == TIP:
        lift(g, beyond(t, bit(place), extra))
        put(g, place, orientation)
    g.ambrosius, g.obstacle = ambrosius, obstacle
    return expected


@kernel
def expected_distance(t, g, scratch):
    """36 times the expected smallest distance that the player on turn can have after one roll, chips apart."""
    missing, fields = wanted(t, scratch, g.tops[0], g.ambrosius, g.obstacle, g.seat)
    best, blocks, total = scratch.best, least_by_blocks(t, g, missing), np.int64(0)
    for value in range(1, 7):
        best[value] = least_by_value(t, g, value, np.int64(0), missing, fields)
        least = min(blocks, least_by_value(t, g, value, np.int64(1), missing, fields))
        total += missing if least == NONE else least
        for other in range(1, value):
            least = min(best[other], best[value])
            total += 2 * (missing if least == NONE else least)
    return total


@kernel
def least_by_value(t, g, value, double, missing, fields):
    """The smallest distance by placing or tipping with one die value; NONE if neither is possible.

    One die more shortens a distance by one at most, and only on the ``fields`` of shortest ways; placing never
    lengthens it. So most uses need no search.
    """
    dice, ways = g.tops[0], t.ways[g.obstacle]
    free = ~dice & ~g.ambrosius
    places = t.places[double, value] & free
    if places & fields:
        return missing - 1
    least = missing if places else np.int64(NONE)
    movable = g.tops[value]
    while movable:
        field = lowest(movable)
        here = bit(field)
        movable &= ~here
        for direction in range(4):
            if not here & ways[direction]:
                continue
            to = beyond(t, here, direction)
            lost = to & lost_on(t, g.orientation[field], direction)
            if (
                not to & free
                or (lost and t.fire_water == FIRE_WATER_NO_SUICIDE)
                or (places and (lost or not to & fields))
            ):
                continue
            after = dice & ~here if lost else dice & ~here | to
            least = min(least, distance(t, after, g.ambrosius, g.obstacle, g.seat))
            if least < missing:
                return least
    return least


@kernel
def least_by_blocks(t, g, missing):
    """The smallest distance by moving Ambrosius or the obstacle; NONE if neither can move."""
    dice, seat, least = g.tops[0], g.seat, np.int64(NONE)
    bound, fields = distance(t, dice, ZERO, g.obstacle, seat), ambrosius_fields(t, g)
    while fields and least > bound:
        here = fields & (~fields + ONE)
        least = min(least, distance(t, dice, here, g.obstacle, seat))
        fields &= ~here
    bound = distance(t, dice, g.ambrosius, np.int64(0), seat)
    if bound < missing or least > missing:
        for edge in range(t.edges):
            if least > bound and edge + 1 != g.obstacle and not t.shuts[edge + 1] & g.ambrosius:
                least = min(least, distance(t, dice, g.ambrosius, edge + 1, seat))
    return least
