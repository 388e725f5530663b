"""Decision rules, compiled, written once: the kernel calls them, and so does the reference (:mod:`.players`).

A policy answers two questions. ``place``: the square for the raccoon. ``offer``, after a roll: the chamber, the dice
placed on it, and whether to stop then; as one number, see :func:`pack`. It sees the table (the record ``WORK``) and
changes nothing there. A new policy is a kind, a branch in each of the two functions and an entry in ``ROSTER``.

``optimal`` and ``majority`` play solved turns (:mod:`.decide`, :mod:`.towers`), ``card`` has rules of its own
(:mod:`.card`), ``random`` none. The others make the **simple choices**: the raccoon goes beside the most colours (first
such place in reading order); a roll releases the largest treasure that it can; if it can release none, all matching dice
go where then the fewest are missing, on the larger treasure of two; the first such chamber in reading order. They never
stop with nothing released, since there is nothing to lose, and never roll with nothing in reach, a sure bust.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, count, lowest, nth
from sims.engine.dice import CHOICE
from sims.engine.game import Parameter, Policy
from sims.engine.jit import helper, kernel
from sims.engine.words import address, below
from sims.tschakka_lakka import card, decide
from sims.tschakka_lakka.solver_memory import forget
from sims.tschakka_lakka.squares import near
from sims.tschakka_lakka.tables import MAX_DICE
from sims.tschakka_lakka.towers import count_towers
from sims.tschakka_lakka.work import in_reach, legal_places, missing, stake_of

RANDOM, TIMID, HOLD, DICE_LEFT, ODDS, OPTIMAL, MAJORITY, CARD = range(8)

ROSTER = {
    policy.name: policy
    for policy in (
        Policy(
            "random",
            RANDOM,
            "the random player",
            "chooses any legal place, chamber and number of dice; tosses a coin to stop",
            "baseline",
            ("random",),
        ),
        Policy(
            "timid",
            TIMID,
            "the cautious player",
            "stops as soon as anything is released",
            "the shyest that scores",
            ("deterministic",),
        ),
        Policy(
            "hold",
            HOLD,
            "the point counter",
            "stops with this many points at stake, or more",
            "hold at n, as in Pig (Neller & Presser 2004)",
            ("deterministic",),
            (Parameter("points", 4, 1, 60, "points at stake that are enough"),),
        ),
        Policy(
            "dice",
            DICE_LEFT,
            "the dice counter",
            "stops with this many dice left, or fewer",
            "a habit at the table",
            ("deterministic",),
            (Parameter("left", 2, 0, 6, "dice that are too few to roll"),),
        ),
        Policy(
            "odds",
            ODDS,
            "the one-roll planner",
            "rolls if one more roll, then stopping, brings more than it risks, counted exactly (gems apart)",
            "one step look-ahead",
            ("deterministic",),
        ),
        Policy(
            "optimal",
            OPTIMAL,
            "the turn solver",
            "plays for the most points of the turn, exactly: raccoon, chamber, dice, stop or roll",
            "dynamic programming over all throws (Bellman 1957)",
            ("deterministic",),
        ),
        Policy(
            "majority",
            MAJORITY,
            "the tower builder",
            "plays like optimal, but counts what a treasure adds to its tower too, by an estimate of majority points",
            "optimal with another worth of a stop (module towers)",
            ("deterministic",),
        ),
        Policy(
            "card",
            CARD,
            "the five-line card",
            "follows five lines to remember: treasures and gems choose the place, dice and colours against points the roll",
            "the best of a family of rules (module search)",
            ("deterministic",),
            (
                Parameter("gem", card.GEM, 0, 20, "treasures that a gem beside the raccoon counts for"),
                Parameter("die", card.DIE, 0, 9, "points that a die left counts for"),
                Parameter("nerve", card.NERVE, -20, 20, "how far dice and colours must exceed the points to roll on"),
            ),
        ),
    )
}


@helper
def pack(chamber, dice, stop):
    """Write an offer as one number: ``dice`` on ``chamber``, then stop (1) or roll again (0)."""
    return chamber | dice << 6 | stop << 8


@kernel
def place(rules, work, memory, worth, key):
    """Where the seat on turn puts the raccoon.

    Parameters
    ----------
    rules : record RULES
    work : record WORK
        With ``policy`` the seat's policy.
    memory : record MEMORY
        The solver's memory: the turn solved last, and what was found of the raccoon's places this game.
    worth : record WORTH
        What a stop is worth: its points.
    key : (uint64, uint64)
        The game's key, for a policy's own coins (purpose CHOICE).

    Returns
    -------
    int64
        The number of a square.
    """
    if work.policy[0] == OPTIMAL:
        return decide.best_place(rules, work, worth, memory)
    if work.policy[0] == MAJORITY:
        return _best_place_for_towers(rules, work, memory, worth)
    if work.policy[0] == CARD:
        return card.card_place(rules, work)
    legal = legal_places(rules, work)
    if work.policy[0] == RANDOM:
        return nth(legal, _coin(work, key, np.int64(0), count(legal)))
    return _beside_most_colours(work, legal)


@kernel
def offer(rules, work, memory, key):
    """What the seat does with a roll on which something can be placed; parameters as in :func:`place`.

    Returns
    -------
    int64
        See :func:`pack`.
    """
    kind, parameter = work.policy[0], work.policy[1]
    if kind in (OPTIMAL, MAJORITY):
        chamber, dice, on = decide.offer(work, memory)
        return pack(chamber, dice, np.int64(not on))
    if kind == CARD:
        chamber, dice, stop = card.card_offer(rules, work)
        return pack(chamber, dice, stop)
    if kind == RANDOM:
        return _random_offer(work, key)
    chamber = _simple_chamber(work)
    dice = _most(work, chamber)
    left = work.dice - dice
    released, stake = work.released, work.stake
    if dice == missing(work, chamber):
        released |= bit(chamber)
        stake = stake_of(rules, work, released)
    if not released:
        return pack(chamber, dice, 0)
    enough = kind == TIMID or not in_reach(work, released)
    if kind == HOLD:
        enough |= stake >= parameter
    elif kind == DICE_LEFT:
        enough |= left <= parameter
    elif kind == ODDS:
        enough |= not _one_roll_pays(rules, work, chamber, dice, released, stake)
    return pack(chamber, dice, np.int64(enough))


@kernel
def _best_place_for_towers(rules, work, memory, worth):
    # The worth changes from turn to turn, so no place is remembered; and optimal finds everything as it was.
    count_towers(rules, work, worth)
    forget(memory)
    best = decide.best_place(rules, work, worth, memory)
    worth.tower[:] = 0.0
    forget(memory)
    return best


@kernel
def _coin(work, key, which, bound):
    """Toss a random number below ``bound``, one for each ``which`` of a turn."""
    return np.int64(below(key, address(work.turn, work.seat, which, CHOICE), np.uint64(bound)))


@kernel
def _random_offer(work, key):
    which = 3 * work.roll + 1
    chamber = nth(work.targets, _coin(work, key, which, count(work.targets)))
    dice = 1 + _coin(work, key, which + 1, _most(work, chamber))
    return pack(chamber, dice, _coin(work, key, which + 2, np.int64(2)))


@helper
def _most(work, chamber):
    """Dice of the roll that may go on a chamber."""
    colour = 0
    while not work.colours[colour] >> np.uint64(chamber) & ONE:
        colour += 1
    return min(work.matching[colour], missing(work, chamber))


@kernel
def _beside_most_colours(work, legal):
    # All places at once: those beside four colours, beside at least three, at least two.
    a, b, c, d = near(work.colours[0]), near(work.colours[1]), near(work.colours[2]), near(work.colours[3])
    four = a & b & c & d & legal
    three = ((a & b & (c | d)) | (c & d & (a | b))) & legal
    two = ((a & b) | (c & d) | ((a | b) & (c | d))) & legal
    return lowest(four if four else three if three else two if two else legal)


@helper
def _needing(work, within):
    """Split a set of chambers by the dice they still need: 1, 2, 3."""
    # size - placed in two-bit arithmetic
    low = work.size_low ^ work.placed_low
    high = work.size_high ^ work.placed_high ^ (~work.size_low & work.placed_low)
    return within & low & ~high, within & high & ~low, within & low & high


@kernel
def _simple_chamber(work):
    """Choose the simple chamber."""
    targets = work.targets
    one, two, three = _needing(work, targets)
    releasable, one_short = ZERO, ZERO
    for colour in range(4):
        matching, mine = work.matching[colour], work.colours[colour]
        if matching >= 1:
            releasable |= mine & one
        if matching >= 2:
            releasable |= mine & two
        if matching >= 3:
            releasable |= mine & three
        if matching == 1:
            one_short |= mine & two
        if matching == 2:
            one_short |= mine & three
    best = releasable if releasable else one_short if one_short else targets
    large, medium = best & work.size_low & work.size_high, best & work.size_high
    return lowest(large if large else medium if medium else best)


@kernel
def _one_roll_pays(rules, work, chamber, dice, released, stake):
    """Whether one more roll, releasing the largest treasure it can, wins more than it risks; all counts exact."""
    left = work.dice - dice
    reach = in_reach(work, released)
    one, two, three = _needing(work, reach)
    mine = bit(chamber) & reach  # partly paid just now
    if mine:
        one, two, three = one & ~mine, two & ~mine, three & ~mine
        if missing(work, chamber) - dice == 1:
            one |= mine
        else:
            two |= mine
    skulls = rules.skull_limit - 1 - work.skulls if rules.skull_limit else MAX_DICE
    # Throws that release nothing of size 3; then of size 2 or more; then nothing at all.
    missed, gain = np.int64(rules.powers[left]), 0
    within = reach & work.size_low & work.size_high
    for size in (3, 2, 1):
        needs, bust = 0, 0
        for colour in range(4):
            sought = within & work.colours[colour]
            if sought & one:
                needs |= 1 << 2 * colour
            elif sought & two:
                needs |= 2 << 2 * colour
            elif sought & three:
                needs |= 3 << 2 * colour
            if sought:
                bust |= 1 << 2 * colour
        still_missed = rules.misses[left, skulls, needs]
        gain += (missed - still_missed) * rules.points[size]
        missed = still_missed
        within = reach & work.size_high if size == 3 else reach
    return rules.misses[left, skulls, bust] * stake < gain
