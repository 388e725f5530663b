"""The course of play as a machine: it runs to the next throw or decision, takes the answer, and runs on.

Whoever throws and answers (a policy of the lineup, an imagined game inside a policy, a solver that tries every roll, a
test) drives the same compiled code; :func:`step` is compiled once.
"""

import numpy as np

from sims.engine.bits import ZERO, bit, count, lowest
from sims.engine.dice import CHOICE, DICE
from sims.engine.jit import helper, kernel
from sims.engine.record import column, places
from sims.engine.words import address, below
from sims.kazaam_dice.fields import FIELDS
from sims.kazaam_dice.moves import AMBROSIUS, OBSTACLE, PLACE, TIP, list_uses, make_use, take_chip, use_parts
from sims.kazaam_dice.rules import LAST_DIE, OTHER, OWN, PASSES, SEVERAL, TURNS
from sims.kazaam_dice.tables import TAKING_OWN_TURN
from sims.kazaam_dice.work import connected, distance, largest_group, reached_chips

#: The decision that is due, with the slot of its coin in an address; OVER if none is.
USE, REROLL, EXTRA, OVER, TAKE = 0, 1, 2, 3, 64
#: Two dice are to be thrown.
ROLL = 4
#: What runs by itself in between.
TURN, USED, TOOK, DONE = range(128, 132)
#: Rows of ``state.points``.
POINTS_OWN, POINTS_OTHER, POINTS_LAST = range(3)
#: Where each field of a record begins.
AT = places(FIELDS)

_6, _36 = np.uint64(6), np.uint64(36)


@kernel
def new_game(t, g):
    """Set up a game; its first throw is due."""
    g.tops[:] = ZERO
    g.ambrosius, g.chips, g.obstacle, g.supply = t.centre, t.chips, 0, t.supply
    g.favourite[:] = 0
    g.others[:] = 0
    g.turn, g.round, g.seat, g.idle = 0, 0, 0, 0
    g.leader, g.lead_changes, g.doubles, g.placed, g.tipped = -1, 0, 0, 0, 0
    g.burnt, g.drowned, g.passes = 0, 0, 0
    g.double_uses[:] = 0
    g.taken[:] = 0
    g.spent_favourite[:] = 0
    g.spent_others[:] = 0
    g.points[:] = 0
    g.due = TURN
    _run(t, g)


@kernel
def step(t, g, scratch, answer):
    """Carry out the answer to the decision ``g.due`` and run to the next throw or decision.

    Parameters
    ----------
    answer : int
        Index of the use for ``USE``; 1 yes or 0 no for the others.
    """
    if g.due == USE:
        _use(t, g, np.int64(scratch.uses[answer]))
    elif g.due == REROLL:
        g.others[g.seat] -= answer
        g.spent_others[g.seat] += answer
        if answer:
            g.due = ROLL
        else:
            _offer_use(g)
    elif g.due == EXTRA:
        g.favourite[g.seat] -= answer
        g.spent_favourite[g.seat] += answer
        g.due = ROLL if answer else DONE
    else:
        field = lowest(g.asking)
        g.asking &= ~bit(field)
        if answer:
            take_chip(g, g.asked, field, (bit(field) & t.favourite[g.asked]) != ZERO)
        if not g.asking:
            _ask_next(t, g)
    _run(t, g)


@kernel
def coin_address(g):
    """Where the coin of the decision due falls."""
    if g.due == TAKE:
        return address(g.round, 4 * g.asked + g.seat, 128 * g.throw + TAKE + lowest(g.asking), CHOICE)
    return address(g.round, g.seat, 128 * g.throw + g.due, CHOICE)


@kernel
def _run(t, g):
    """Run until a throw or a decision is due or the game is over."""
    while g.due >= TURN:
        if g.due == TURN:
            g.moved, g.throw, g.due = 0, -1, ROLL
        if g.due == USED:
            _offer_chips(t, g)
        if g.due == TOOK:
            g.due = EXTRA if g.favourite[g.seat] else DONE
        if g.due == DONE:
            _end_turn(t, g)


@kernel
def throw(t, g, scratch, key):
    """Throw the dice that are due."""
    number = below(key, address(g.round, g.seat, g.throw + 1, DICE), _36)
    rolled(t, g, scratch, np.int64(number // _6) + 1, np.int64(number % _6) + 1)


@kernel
def rolled(t, g, scratch, first, second):
    """Go on with two dice, 1 to 6 each, and list their uses; a decision or, after a pass, a throw is due."""
    g.throw += 1
    g.low, g.high = min(first, second), max(first, second)
    g.doubles += first == second
    g.uses = list_uses(t, g, scratch)
    if g.others[g.seat]:
        g.due = REROLL
    else:
        _offer_use(g)
        _run(t, g)


@kernel
def _offer_use(g):
    """Ask for the use, or pass if there is none; after a pass no chips are taken."""
    if g.uses:
        g.due = USE
    else:
        g.passes += 1
        g.due = TOOK


@kernel
def _use(t, g, use):
    """Make a use and see whether it ends the game."""
    g.moved = 1
    kind, lost = use_parts(use)[0], make_use(t, g, use)
    if g.low == g.high:
        g.double_uses[kind] += 1
    if kind == TIP:
        g.tipped += 1
        if lost:
            g.supply += 1
            g.burnt += (lost & t.fire_fields) != ZERO
            g.drowned += (lost & t.fire_fields) == ZERO
    elif kind == PLACE:
        g.placed += 1
        g.supply -= 1
        if g.supply == 1:
            g.points[POINTS_LAST, g.seat] += t.points_last_die
            _finish(t, g, np.int64(LAST_DIE), np.int64(0))
            return
    joined = joined_seats(t, g.obstacle, g.tops[0])
    if not joined:
        g.asked, g.due = g.seat, USED
        return
    own = (joined >> g.seat) & 1
    for seat in range(t.players):
        if seat == g.seat:
            g.points[POINTS_OWN, seat] += own * t.points_connection
        elif (joined >> seat) & 1:
            g.points[POINTS_OTHER, seat] += t.points_also if own else t.connected_by_other
    alone = joined == 1 << g.seat
    _finish(t, g, OWN if alone else SEVERAL if own else OTHER, joined)


@kernel
def joined_seats(t, obstacle, dice):
    """The seats whose alchemists are connected to their targets, as a bit mask."""
    joined = 0
    for seat in range(t.players):
        joined |= np.int64(connected(t, obstacle, dice, seat)) << seat
    return joined


@kernel
def _finish(t, g, end, joined):
    """End the game; ``joined`` are the seats whose connections must stand while last chips are taken."""
    look_at_lead(t, g)
    g.end, g.due = end, OVER
    if not t.end_takes_chips:
        return
    seat = g.seat
    while True:
        chips = reached_chips(t, g, seat)
        while chips:
            field = lowest(chips)
            here = bit(field)
            if joined & ~joined_seats(t, g.obstacle, g.tops[0] & ~here) == 0:
                take_chip(g, seat, field, (here & t.favourite[seat]) != ZERO)
            chips &= ~here
        seat = _after(t, seat)
        if seat == g.seat or t.taking == TAKING_OWN_TURN:
            return


@helper
def _after(t, seat):
    """The next seat in turn order."""
    return seat + 1 if seat + 1 < t.players else 0


@kernel
def _offer_chips(t, g):
    """Ask the seat whose turn to be asked it is for the chips that its chain reaches now."""
    g.asking = reached_chips(t, g, g.asked)
    if g.asking:
        g.due = TAKE
    else:
        _ask_next(t, g)


@kernel
def _ask_next(t, g):
    """Turn to the next seat; back at the player on turn, all have been asked."""
    g.asked = _after(t, g.asked)
    g.due = TOOK if g.asked == g.seat or t.taking == TAKING_OWN_TURN else USED


@kernel
def look_at_lead(t, g):
    """Note the one seat with the smallest distance, if it is one."""
    best, leader = t.fields + 1, -1
    for seat in range(t.players):
        missing = distance(t, g.tops[0], g.ambrosius, g.obstacle, seat)
        if missing < best:
            best, leader = missing, seat
        elif missing == best:
            leader = -1
    if leader >= 0:
        if g.leader >= 0 and leader != g.leader:
            g.lead_changes += 1
        g.leader = leader


@kernel
def _end_turn(t, g):
    look_at_lead(t, g)
    g.idle = 0 if g.moved else g.idle + 1
    g.turn += 1
    if g.idle == t.players * t.max_passes:
        g.end, g.due = PASSES, OVER
    elif g.turn == t.max_turns:
        g.end, g.due = TURNS, OVER
    else:
        g.seat = _after(t, g.seat)
        g.round = g.turn // t.players
        g.due = TURN


@helper
def chip_points(t, g, seat):
    """Points of the chips a seat holds: ``(own favourite, others)``."""
    return g.favourite[seat] * t.points_favourite, g.others[seat] * t.points_chip


@kernel
def score(t, g, seat):
    """Victory points of a seat."""
    favourite, others = chip_points(t, g, seat)
    return favourite + others + g.points[POINTS_OWN, seat] + g.points[POINTS_OTHER, seat] + g.points[POINTS_LAST, seat]


@kernel
def winners(t, g):
    """The seats with the most points, as a bit mask; 0 if the game is unfinished."""
    if g.end >= PASSES:
        return 0
    best, mask = np.int64(-1), 0
    for seat in range(t.players):
        points = score(t, g, seat)
        if points > best:
            best, mask = points, 0
        if points == best:
            mask |= 1 << seat
    return mask


@kernel
def write_record(t, g, out):
    """The record of a game that is over; ``out : int32[column]``."""
    n = t.players
    finished = g.end < PASSES
    out[column(AT.winners, n)], out[column(AT.unfinished, n)] = winners(t, g), not finished
    # After the last use of an ended game the turn was not counted on; a guard counts it before it ends the game.
    turns = g.turn + 1 if finished else g.turn
    out[column(AT.rounds, n)], out[column(AT.turns, n)], out[column(AT.end, n)] = (turns - 1) // n + 1, turns, g.end
    for seat in range(n):
        favourite, others = chip_points(t, g, seat)
        out[column(AT.score, n) + seat] = score(t, g, seat)
        out[column(AT.points_own, n) + seat] = g.points[POINTS_OWN, seat]
        out[column(AT.points_other, n) + seat] = g.points[POINTS_OTHER, seat]
        out[column(AT.points_last, n) + seat] = g.points[POINTS_LAST, seat]
        out[column(AT.points_favourite, n) + seat] = favourite
        out[column(AT.points_chips, n) + seat] = others
        out[column(AT.taken, n) + seat] = g.taken[seat]
        out[column(AT.extra, n) + seat] = g.spent_favourite[seat]
        out[column(AT.rerolls, n) + seat] = g.spent_others[seat]
        out[column(AT.kept, n) + seat] = g.favourite[seat] + g.others[seat]
    out[column(AT.doubles, n)] = g.doubles
    out[column(AT.double_place, n)] = g.double_uses[PLACE]
    out[column(AT.double_tip, n)] = g.double_uses[TIP]
    out[column(AT.double_ambrosius, n)] = g.double_uses[AMBROSIUS]
    out[column(AT.double_obstacle, n)] = g.double_uses[OBSTACLE]
    out[column(AT.placed, n)], out[column(AT.tipped, n)] = g.placed, g.tipped
    out[column(AT.burnt, n)], out[column(AT.drowned, n)] = g.burnt, g.drowned
    out[column(AT.dice, n)] = count(g.tops[0])
    out[column(AT.longest_chain, n)] = largest_group(t, g.obstacle, g.tops[0])
    out[column(AT.lead_changes, n)], out[column(AT.passes, n)] = g.lead_changes, g.passes
