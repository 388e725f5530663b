"""Tacatuca compiled: three or four seats in lanes of one word, then two seats as a walk with two ends.

A game runs through two loops, :func:`crowd` while three or four seats are in and :func:`duel` for the last two. They
leave the pins after every round in ``history``, from which :func:`write_record` reads the record. The dice of a
round are one number below ``36**players``, a pair of dice for each original seat, seat 0 leading: seats that have
left go on throwing, unheeded, so that the dice of a seat and round never depend on the rules.

For speed, functions that are handed arrays call no function that is handed arrays, and have one exit: Numba counts
references to the arrays otherwise, which costs as much as a dozen rounds.
"""

import numpy as np

from sims.engine import dice, words
from sims.engine.jit import helper, kernel
from sims.engine.record import column, places
from sims.tacatuca.fields import FIELDS
from sims.tacatuca.shortage import settle
from sims.tacatuca.tables import ABSENT, LANE, SCALE_BITS

#: Where each field of a record begins.
AT = places(FIELDS)

_ONES, _TOPS = np.uint64(0x0001_0001_0001_0001), np.uint64(0x8000_8000_8000_8000)
_LANE_MASK, _SUM_SHIFT = np.uint64(0xFFFF), np.uint64(48)
_6, _36, _1296, _ONE, _SCALE = np.uint64(6), np.uint64(36), np.uint64(1296), np.uint64(1), np.uint64(SCALE_BITS)
_BYTES, _EIGHT, _EIGHT_BITS = np.uint64(0x00FF_00FF_00FF_00FF), np.uint64(8), np.uint64(0xFF)


@helper
def lane(word, seat):
    """Pins of one seat as int64."""
    return np.int64((word >> np.uint64(LANE * seat)) & _LANE_MASK)


@helper
def row(number, size):
    """Where a row of a flat table begins."""
    return np.uint64(number) * size


@kernel
def pay_short(tables, number, both, players, present, pins, owed, paid):
    """A round in which somebody cannot pay: ``(pins afterwards, pins moved)``.

    ``number`` is the throw and ``both`` its entry of ``tables.joint``; ``owed, paid : int64[seat]`` are scratch. Only
    the demands on a debtor who is short are looked at one by one.
    """
    throws, sums, highest = np.uint64(0), np.uint64(0), 0
    rest = number
    for seat in range(players - 1, -1, -1):
        pair = rest % _36
        rest //= _36
        if present >> seat & 1:
            # the sum less one, so that 0 is the sum of nobody
            dice_sum = np.int64(pair // _6 + pair % _6) + 1
            throws |= np.uint64(tables.throw[pair]) << np.uint64(LANE * seat)
            sums |= np.uint64(dice_sum) << np.uint64(LANE * seat)
            highest = max(highest, dice_sum)
        else:
            throws |= np.uint64(ABSENT) << np.uint64(LANE * seat)
    gives = both & _BYTES
    after = pins + ((both >> _EIGHT) & _BYTES)
    moved = np.int64((gives * _ONES) >> _SUM_SHIFT)
    for debtor in range(players):
        held, debt = lane(pins, debtor), lane(gives, debtor)
        after -= np.uint64(min(held, debt)) << np.uint64(LANE * debtor)
        if debt > held:
            for creditor in range(players):
                top = np.int64(lane(sums, creditor) == highest)
                owed[creditor] = tables.demand[top, lane(throws, creditor), lane(throws, debtor)]
            owed[debtor] = 0
            settle(owed, held, debtor, tables.rules[0].shortage, paid)
            for creditor in range(players):
                unpaid = owed[creditor] - paid[creditor]
                after -= np.uint64(unpaid) << np.uint64(LANE * creditor)
                moved -= unpaid
    return after, moved


@kernel
def crowd(tables, key, players, present, history, rounds, idle, moved):
    """Rounds of three or four seats in which all can pay.

    Returns
    -------
    rounds, idle, moved, number, both
        Stops at the limit, after a round that left somebody without pins, or before a round in which somebody
        cannot pay: then ``number`` is the throw of that round, else 0 (1-1 for everybody, when nobody owes), and ``both`` what it
        makes everybody give and take.
    """
    limit = tables.rules[0].max_rounds
    bound, split, size = tables.split[0], tables.split[1], tables.split[2]
    upper_row, lower_row = row(present & 3, _1296), row(present >> 2, size)
    pins = history[rounds]
    standing = (pins | _TOPS) - _ONES & _TOPS
    short, both = np.uint64(0), np.uint64(0)
    while short == 0 and (pins | _TOPS) - _ONES & _TOPS == standing and rounds < limit:
        number = words.below(key, words.address(rounds, 0, 0, dice.DICE), bound)
        part = (number * split) >> _SCALE
        both = tables.joint[tables.upper[upper_row + part] + tables.lower[lower_row + number - part * size]]
        gives, takes = both & _BYTES, (both >> _EIGHT) & _BYTES
        # a lane that cannot pay borrows its top bit; in the condition of the loop, so does an empty one
        if (pins | _TOPS) - gives & _TOPS == _TOPS:
            pins += takes - gives
            amount = np.int64((gives * _ONES) >> _SUM_SHIFT)
            rounds += 1
            history[rounds] = pins
            idle += amount == 0
            moved += amount
        else:
            short = number
    return rounds, idle, moved, short, both


@kernel
def duel(tables, key, players, one, other, history, rounds, idle, moved):
    """Rounds of seats ``one`` and ``other`` until one of them holds everything: ``(rounds, idle, moved)``."""
    limit = tables.rules[0].max_rounds
    bound, split, size = tables.split[0], tables.split[1], tables.split[2]
    present = 1 << one | 1 << other
    upper_row, lower_row = row(present & 3, _1296), row(present >> 2, size)
    lane_one, lane_other = np.uint64(LANE * one), np.uint64(LANE * other)
    pins = history[rounds]
    held, against = lane(pins, one), lane(pins, other)
    # one pin more for the one is one less for the other
    pin = (_ONE << lane_one) - (_ONE << lane_other)
    while held > 0 and against > 0 and rounds < limit:
        index = words.below(key, words.address(rounds, 0, 0, dice.DICE), bound)
        if players > 2:
            part = (index * split) >> _SCALE
            index = np.uint64(tables.upper[upper_row + part] + tables.lower[lower_row + index - part * size])
        demand = tables.joint[index]
        gives = min(held, np.int64((demand >> lane_one) & _EIGHT_BITS))
        takes = min(against, np.int64((demand >> lane_other) & _EIGHT_BITS))
        held += takes - gives
        against += gives - takes
        pins += np.uint64(takes - gives) * pin
        rounds += 1
        history[rounds] = pins
        idle += gives + takes == 0
        moved += gives + takes
    return rounds, idle, moved


@helper
def leader(word):
    """``(seat + 1 of the sole leader or 0, his pins)``; lanes of nobody hold 0 and lead nowhere."""
    best, seat_of_best = lane(word, 0), 1
    for seat in range(1, 4):
        pins = lane(word, seat)
        seat_of_best = seat + 1 if pins > best else (0 if pins == best else seat_of_best)
        best = max(best, pins)
    return seat_of_best, best


@kernel
def story(history, rounds, crowded, one, other, winner):
    """How the lead went: ``(lead changes, round since which the winner leads, fewest pins of the winner)``.

    After round ``crowded`` only ``one`` and ``other`` hold pins. ``winner`` counts from 1.
    """
    changes, before, since, fewest = 0, 0, 0, lane(history[0], 0)
    for step in range(1, crowded + 1):
        sole, _ = leader(history[step])
        changes += (sole != before) & (sole != 0) & (before != 0)
        before = sole if sole != 0 else before
        since = since if sole == winner else step
        fewest = min(fewest, lane(history[step], max(winner - 1, 0)))
    # two seats left: the lead is known from what the winner (or, of an unfinished game, seat one) holds of the total
    rival = one if winner == other + 1 else other
    lane_own, total = (
        np.uint64(LANE * (one + other - rival)),
        lane(history[crowded], one) + lane(history[crowded], other),
    )
    last = (before == one + other - rival + 1) - np.int64(before == rival + 1)
    passed = (before != 0) & (last == 0)
    for step in range(crowded + 1, rounds + 1):
        own = np.int64((history[step] >> lane_own) & _LANE_MASK)
        side = np.int64(own + own > total) - np.int64(own + own < total)
        changes += side * last < 0
        last = side if side != 0 else last
        since = since if side > 0 else step
        fewest = min(fewest, own)
    # the lead also passes if whoever led last before is out
    changes += passed & (last != 0)
    return changes, since + 1, fewest


@kernel
def write_record(out, game, players, history, left, rounds, idle, moved, winner, changes, since, fewest):
    """Fill ``out[game]``."""
    finished = winner > 0
    out[game, column(AT.winners, players)] = 1 << (winner - 1) if finished else 0
    out[game, column(AT.unfinished, players)] = not finished
    out[game, column(AT.rounds, players)] = rounds
    for seat in range(players):
        place = 1
        for rival in range(players):
            place += (left[seat] > 0) & ((left[rival] == 0) | (left[rival] > left[seat]))
        out[game, column(AT.place, players) + seat] = place if finished | (left[seat] > 0) else 0
        out[game, column(AT.left_round, players) + seat] = left[seat]
    out[game, column(AT.comeback, players)] = fewest if finished else 0
    out[game, column(AT.lead_changes, players)] = changes
    out[game, column(AT.leads_since, players)] = since if finished else 0
    out[game, column(AT.idle_rounds, players)] = idle
    out[game, column(AT.pins_moved, players)] = moved
    for quarter in range(3):
        sole, pins = leader(history[rounds * (quarter + 1) // 4])
        out[game, column(AT.quarter_leader_1, players) + quarter] = sole
        out[game, column(AT.quarter_pins_1, players) + quarter] = pins


@kernel
def play_games(tables, lineup, seed, first, out):
    """Play the games ``first, first + 1, ...`` of ``seed`` into ``out : int32[game, column]``.

    ``lineup : int64[seat, 4]`` only says how many play.
    """
    players = lineup.shape[0]
    limit = tables.rules[0].max_rounds
    history = np.empty(limit + 1, np.uint64)
    left = np.zeros(players, np.int64)
    owed, paid = np.zeros(players, np.int64), np.zeros(players, np.int64)
    history[0] = 0
    for seat in range(players):
        history[0] |= np.uint64(tables.rules[0].pins) << np.uint64(LANE * seat)
    for game in range(out.shape[0]):
        key = words.game_key(seed, first + game)
        left[:] = 0
        rounds, idle, moved, present, seats = 0, 0, 0, (1 << players) - 1, players
        one, other, crowded, number = 0, 1, 0, np.uint64(0)
        while seats > 1 and rounds < limit:
            if seats > 2:
                rounds, idle, moved, number, both = crowd(tables, key, players, present, history, rounds, idle, moved)
                if number > 0:
                    history[rounds + 1], amount = pay_short(
                        tables, number, both, players, present, history[rounds], owed, paid
                    )
                    rounds += 1
                    moved += amount
                crowded = rounds
            else:
                rounds, idle, moved = duel(tables, key, players, one, other, history, rounds, idle, moved)
            for seat in range(players):
                if left[seat] == 0 and lane(history[rounds], seat) == 0:
                    left[seat] = rounds
                    present ^= 1 << seat
                    seats -= 1
            if seats == 2:
                for seat in range(players):
                    if present >> seat & 1:
                        one, other = other, seat
        winner = 0
        for seat in range(players):
            winner = seat + 1 if present == 1 << seat else winner
        changes, since, fewest = story(history, rounds, crowded, one, other, winner)
        write_record(out, game, players, history, left, rounds, idle, moved, winner, changes, since, fewest)
