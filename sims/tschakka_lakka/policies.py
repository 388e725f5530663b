"""Decision rules, compiled, written once: the kernel calls them, and so does the reference (:mod:`.adapter`).

A policy answers two questions. ``place``: the square for the raccoon. ``offer``, after a roll: the chamber, the dice
placed on it, and whether to stop then; as one number, see :func:`pack`. It sees what lies on the table (``work.temple``,
``work.now``, ``work.seats``) and changes nothing there. A new policy is a kind, a branch in each of the two functions
and an entry in ``ROSTER``.

Unless a policy says otherwise it makes the **simple choices**: the raccoon goes beside the most colours (first such
place in reading order); a roll releases the largest treasure that it can; if it can release none, all matching dice go
where then the fewest are missing, on the larger treasure of two; the first such chamber in reading order. And it never
stops with nothing released: there is nothing to lose.
"""

import numpy as np

from sims.engine.dice import CHOICE, address, below
from sims.engine.game import Parameter, Policy
from sims.engine.jit import helper, kernel
from sims.tschakka_lakka import tables as T
from sims.tschakka_lakka.bits import bit, count, first, near, nth
from sims.tschakka_lakka.work import (
    DICE,
    MATCHING,
    PLACED_HIGH,
    PLACED_LOW,
    RACCOON,
    RELEASED,
    ROLL,
    SEAT,
    SIZE_HIGH,
    SIZE_LOW,
    SKULLS,
    STAKE,
    TARGETS,
    TURN,
    all_filled,
    legal_places,
    missing,
    stake_of,
)

RANDOM, TIMID, HOLD, DICE_LEFT, ODDS = range(5)

ROSTER = {
    policy.name: policy
    for policy in (
        Policy("random", RANDOM, "any legal place, chamber, number of dice; a coin to stop", "baseline", ("random",)),
        Policy("timid", TIMID, "stop as soon as anything is released", "the shyest that scores", ("deterministic",)),
        Policy(
            "hold",
            HOLD,
            "stop with at least so many points at stake",
            "hold at n, as in Pig (Neller & Presser 2004)",
            ("deterministic",),
            (Parameter("points", 4, 1, 60, "points at stake that are enough"),),
        ),
        Policy(
            "dice",
            DICE_LEFT,
            "stop when at most so many dice are left",
            "a habit at the table",
            ("deterministic",),
            (Parameter("left", 2, 0, 6, "dice that are too few to roll"),),
        ),
        Policy(
            "odds",
            ODDS,
            "roll if one more roll, then stopping, brings more than it risks, counted exactly (gems apart)",
            "one step look-ahead",
            ("deterministic",),
        ),
    )
}


@helper
def pack(chamber, dice, stop):
    """An offer as one number: ``dice`` on ``chamber``, then stop (1) or roll again (0)."""
    return chamber | dice << 6 | stop << 8


@kernel
def place(tables, work, row, key):
    """Where a seat puts the raccoon.

    Parameters
    ----------
    row : int64[4]
        The seat's policy: kind and parameters.
    key : (uint64, uint64)
        The game's key, for a policy's own coins (purpose CHOICE) or imagined games (IMAGINED).

    Returns
    -------
    int64
        The number of a square.
    """
    filled = all_filled(work.temple)
    legal = legal_places(tables.masks, filled)
    if row[0] == RANDOM:
        return nth(legal, _coin(work, key, 0, count(legal)))
    return _beside_most_colours(work.temple, legal)


@kernel
def offer(tables, work, row, key):
    """What a seat does with a roll on which something can be placed; parameters as in :func:`place`.

    Returns
    -------
    int64
        See :func:`pack`.
    """
    if row[0] == RANDOM:
        return _random_offer(work, key)
    temple, now = work.temple, work.now
    chamber, dice = _simple_choice(temple, now)
    left = now[DICE] - dice
    released, stake = temple[RELEASED], now[STAKE]
    if dice == missing(temple, chamber):
        released |= bit(chamber)
        stake = stake_of(tables, temple, released)
    stop = released != 0
    if row[0] == HOLD:
        stop = stop and stake >= row[1]
    elif row[0] == DICE_LEFT:
        stop = stop and left <= row[1]
    elif row[0] == ODDS:
        stop = stop and not _one_roll_pays(tables, work, chamber, dice, left, released, stake)
    return pack(chamber, dice, np.int64(stop))


@kernel
def _coin(work, key, which, bound):
    """A random number below ``bound``, one for each ``which`` of a turn."""
    now = work.now
    return np.int64(below(key, address(now[TURN], now[SEAT], which, CHOICE), np.uint64(bound)))


@kernel
def _random_offer(work, key):
    temple, now = work.temple, work.now
    which = 3 * now[ROLL] + 1
    chamber = nth(temple[TARGETS], _coin(work, key, which, count(temple[TARGETS])))
    most = _most(temple, now, chamber)
    return pack(chamber, 1 + _coin(work, key, which + 1, most), _coin(work, key, which + 2, 2))


@helper
def _most(temple, now, chamber):
    """Dice of the roll that may go on a chamber."""
    colour = 0
    while not temple[colour] >> np.uint64(chamber) & np.uint64(1):
        colour += 1
    return min(now[MATCHING + colour], missing(temple, chamber))


@kernel
def _beside_most_colours(temple, legal):
    # Four sets of places, counted for all places at once: those beside at least one colour, two, three, four.
    a, b, c, d = near(temple[0]), near(temple[1]), near(temple[2]), near(temple[3])
    four = a & b & c & d & legal
    if four:
        return first(four)
    three = ((a & b & (c | d)) | (c & d & (a | b))) & legal
    if three:
        return first(three)
    two = ((a & b) | (c & d) | ((a | b) & (c | d))) & legal
    return first(two if two else legal)


@helper
def _needing(temple, within):
    """Chambers of a set by the dice they still need: 1, 2, 3."""
    low, high = temple[SIZE_LOW], temple[SIZE_HIGH]
    placed_low, placed_high = temple[PLACED_LOW], temple[PLACED_HIGH]
    # size - placed in two-bit arithmetic
    need_low = low ^ placed_low
    need_high = high ^ placed_high ^ (~low & placed_low)
    return within & need_low & ~need_high, within & need_high & ~need_low, within & need_low & need_high


@kernel
def _simple_choice(temple, now):
    """The simple choice of chamber and dice."""
    one, two, three = _needing(temple, temple[TARGETS])
    within = temple[TARGETS]
    releasable, lacking_one = np.uint64(0), np.uint64(0)
    for colour in range(4):
        matching = now[MATCHING + colour]
        mine = temple[colour]
        if matching >= 3:
            releasable |= mine & within
        elif matching == 2:
            releasable |= mine & (one | two)
            lacking_one |= mine & three
        elif matching == 1:
            releasable |= mine & one
            lacking_one |= mine & two
    best = releasable if releasable else lacking_one if lacking_one else within
    low, high = temple[SIZE_LOW], temple[SIZE_HIGH]
    large, medium = best & low & high, best & high
    chamber = first(large if large else medium if medium else best)
    return chamber, _most(temple, now, chamber)


@kernel
def _one_roll_pays(tables, work, chamber, dice, left, released, stake):
    """Whether one more roll, releasing the largest treasure it can, wins more than it risks; all counts exact."""
    temple, numbers = work.temple, tables.numbers
    reach = near(temple[RACCOON] | released) & all_filled(temple) & ~released
    one, two, three = _needing(temple, reach)
    mine = bit(chamber) & reach  # partly paid just now
    if mine:
        still = missing(temple, chamber) - dice
        one, two, three = one & ~mine, two & ~mine, three & ~mine
        if still == 1:
            one |= mine
        else:
            two |= mine
    limit = numbers[T.SKULL_LIMIT]
    skulls = limit - 1 - work.now[SKULLS] if limit else T.MAX_DICE
    # Throws that release nothing of size 3; then of size 2 or more; then nothing at all.
    missed, gain = numbers[T.POWERS + left], 0
    for size in range(3, 0, -1):
        within = reach
        if size >= 2:
            within &= temple[SIZE_HIGH]
        if size == 3:
            within &= temple[SIZE_LOW]
        needs = 0
        for colour in range(4):
            sought = within & temple[colour]
            if sought & one:
                needs |= 1 << 2 * colour
            elif sought & two:
                needs |= 2 << 2 * colour
            elif sought & three:
                needs |= 3 << 2 * colour
        still_missed = tables.misses[left, skulls, needs]
        gain += (missed - still_missed) * numbers[T.POINTS + size]
        missed = still_missed
    any_die = 0
    for colour in range(4):
        if reach & temple[colour]:
            any_die |= 1 << 2 * colour
    return tables.misses[left, skulls, any_die] * stake < gain
