"""Whole games, compiled: sets of squares in 64-bit masks, everything else in integers.

The clauses are those of :mod:`.reference`, by other means; the two must give the same records on the same dice.
"""

import numpy as np

from sims.engine.dice import DICE as THROW
from sims.engine.dice import SETUP, address, below, game_key
from sims.engine.jit import kernel
from sims.tschakka_lakka import tables as T
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.bits import ZERO, bit, count, makes_line, near, near_twice
from sims.tschakka_lakka.layout import BAG, ORDER
from sims.tschakka_lakka.policies import offer, place
from sims.tschakka_lakka.records import GAME_FIELDS, LOG_COLUMNS

_EIGHT, _SIX4 = np.uint64(8), np.uint64(6**4)
_GAME_WIDTH, _LOG_WIDTH = len(GAME_FIELDS), len(LOG_COLUMNS)
#: Row of the log that means "do not log".
NO_LOG = -1


@kernel
def play_games(tables, lineup, seed, first, out):
    """Play games and write their records.

    Parameters
    ----------
    tables : Tables
    lineup : int64[seat, (kind, parameter, parameter, parameter)]
    seed, first : int64
        The games ``first, first + 1, ...`` of the seed.
    out : int32[game, column]
    """
    work = W.new_work(lineup.shape[0])
    log = np.empty((0, _LOG_WIDTH), np.int32)
    for game in range(out.shape[0]):
        _play(tables, lineup, game_key(seed, first + game), work, out[game], log, NO_LOG, game)


@kernel
def log_games(tables, lineup, seed, first, out, log):
    """Play games and write one row per decision too, as ``log : int32[row, LOG_COLUMNS]``.

    Returns
    -------
    int
        Rows written, or -1 if they do not fit.
    """
    work = W.new_work(lineup.shape[0])
    row = 0
    for game in range(out.shape[0]):
        row = _play(tables, lineup, game_key(seed, first + game), work, out[game], log, row, game)
        if row < 0:
            return row
    return row


@kernel
def fill_temple(tables, key, work):
    """Draw the treasures' places; :mod:`.layout` says how."""
    attempt = 0
    while not _fill(tables, key, work, attempt):
        attempt += 1


@kernel
def _fill(tables, key, work, attempt):
    numbers, temple, forbidden, left, order = tables.numbers, work.temple, work.forbidden, work.left, work.order
    temple[:] = ZERO
    forbidden[:] = ZERO
    for i in range(12):
        left[i] = numbers[T.SIZE_COUNTS + i % 3]
    chambers = numbers[T.CHAMBER_COUNT]
    for i in range(chambers):
        order[i] = numbers[T.SQUARES + i]
    for step in range(chambers):
        picked = step + np.int64(below(key, address(attempt, ORDER, step, SETUP), np.uint64(chambers - step)))
        square = order[picked]
        order[picked] = order[step]
        here = bit(square)
        choices = 0
        for colour in range(4):
            if not forbidden[colour] & here:
                choices += left[3 * colour] + left[3 * colour + 1] + left[3 * colour + 2]
        if choices == 0:
            return False
        drawn = np.int64(below(key, address(attempt, BAG, step, SETUP), np.uint64(choices)))
        for i in range(12):
            if not forbidden[i // 3] & here:
                if drawn < left[i]:
                    left[i] -= 1
                    colour, size = i // 3, i % 3 + 1
                    break
                drawn -= left[i]
        temple[colour] |= here
        if size & 1:
            temple[W.SIZE_LOW] |= here
        if size & 2:
            temple[W.SIZE_HIGH] |= here
        mine = temple[colour]
        if numbers[T.LAYOUT] == T.PAIRS:
            # beside a pair, or between two that are not yet connected
            forbidden[colour] = near(mine & near(mine)) | near_twice(mine)
        elif numbers[T.LAYOUT] == T.NO_LINE:
            forbidden[colour] = makes_line(mine)
    return True


@kernel
def _play(tables, lineup, key, work, record, log, row, game):
    """One game; returns the next row of the log, or -1."""
    numbers, temple, now, seats = tables.numbers, work.temple, work.now, work.seats
    players = lineup.shape[0]
    logging = row != NO_LOG
    fill_temple(tables, key, work)
    temple[W.YELLOW_GEMS], temple[W.PINK_GEMS] = tables.masks[T.YELLOW_GEMS], tables.masks[T.PINK_GEMS]
    seats[:] = 0
    turns, lead_changes, leader, last_round, unfinished = 0, 0, -1, False, 0
    now[W.SEAT] = 0
    now[W.TURN] = 0
    while True:
        seat = now[W.SEAT]
        if last_round and seat == 0:
            break
        if turns == numbers[T.MAX_TURNS]:
            unfinished = 1
            break
        if W.all_filled(temple):
            row = _turn(tables, lineup[seat], key, work, log, row, game)
            if logging and row < 0:
                return row
        turns += 1
        ahead = _sole_leader(seats)
        if ahead >= 0:
            if leader >= 0 and leader != ahead:
                lead_changes += 1
            leader = ahead
        last_round |= count(temple[W.YELLOW_GEMS]) + count(temple[W.PINK_GEMS]) <= numbers[T.END_GEMS]
        now[W.SEAT] = seat + 1
        if seat + 1 == players:
            now[W.SEAT] = 0
            now[W.TURN] += 1
    leaders = _best(seats)
    winners = 0
    if not unfinished:
        _score_towers(numbers, seats)
        winners = _best(seats)
    record[0] = winners
    record[1] = unfinished
    record[2] = (turns + players - 1) // players
    record[3] = turns
    record[4] = count(temple[W.YELLOW_GEMS]) + count(temple[W.PINK_GEMS])
    record[5] = lead_changes
    record[6] = not unfinished and leaders & winners == 0
    record[7] = not unfinished and leaders != winners
    for column in range(W.SEAT_WIDTH):
        for seat in range(players):
            record[_GAME_WIDTH + column * players + seat] = seats[seat, column]
    return row


@kernel
def _turn(tables, policy, key, work, log, row, game):
    """One turn of the seat ``now[SEAT]``; returns the next row of the log, or -1 if it is full."""
    numbers, temple, now = tables.numbers, work.temple, work.now
    seat, turn = now[W.SEAT], now[W.TURN]
    mine = work.seats[seat]
    filled = W.all_filled(temple)
    temple[W.RELEASED] = temple[W.PLACED_LOW] = temple[W.PLACED_HIGH] = ZERO
    now[W.SKULLS] = now[W.STAKE] = now[W.ROLL] = 0
    now[W.DICE] = numbers[T.DICE]
    temple[W.RACCOON] = bit(place(tables, work, policy, key))
    reach = W.in_reach(temple, filled)
    dice, begin, bust = numbers[T.DICE], row, False
    while True:
        dice = _roll(numbers, key, work, dice, reach)
        mine[W.ROLLS] += 1
        if not temple[W.TARGETS]:
            bust = True
            break
        answer = offer(tables, work, policy, key)
        square, placed, stop = answer & 63, answer >> 6 & 3, answer >> 8
        dice -= placed
        still = W.missing(temple, square) - placed
        if still == 0:
            temple[W.RELEASED] |= bit(square)
            now[W.STAKE] = W.stake_of(tables, temple, temple[W.RELEASED])
            reach = W.in_reach(temple, filled)
        else:
            _set_placed(temple, square, still)
        if dice == 0:
            break
        if row >= 0:
            if row == log.shape[0]:
                return NO_LOG
            _log(log[row], work, game, dice, reach, 1 - stop)
            row += 1
        if stop:
            break
        now[W.ROLL] += 1
    if bust:
        mine[W.BUSTS] += 1
        mine[W.LOST] += now[W.STAKE]
        now[W.STAKE] = 0
    else:
        mine[W.STOPS] += 1
        mine[W.DICE_LEFT] += dice
        _collect(tables, temple, mine)
    if turn == 0:
        mine[W.FIRST_TURN] = now[W.STAKE]
    for decided in range(begin, row):
        log[decided, 8] = now[W.STAKE]
        log[decided, 9] = bust
    return row


@kernel
def _roll(numbers, key, work, dice, reach):
    """Roll, set skulls aside, find the chambers that can be paid; returns the dice that are no skulls."""
    temple, now = work.temple, work.now
    where = address(now[W.TURN], now[W.SEAT], now[W.ROLL], THROW)
    thrown = below(key, where, np.uint64(numbers[T.POWERS + dice]))
    # Four dice are looked up at a time; the dice that were not thrown count as eight - dice too many of face 1.
    faces = numbers[T.FACES + np.int64(thrown % _SIX4)] + numbers[T.FACES + np.int64(thrown // _SIX4)] - (8 - dice)
    jokers, skulls = faces >> 16 & 15, faces >> 20 & 15
    now[W.SKULLS] += skulls
    now[W.DICE] = dice - skulls
    targets = ZERO
    for colour in range(4):
        matching = (faces >> 4 * colour & 15) + jokers
        now[W.MATCHING + colour] = matching
        if matching:
            targets |= temple[colour]
    if 0 < numbers[T.SKULL_LIMIT] <= now[W.SKULLS]:
        targets = ZERO
    temple[W.TARGETS] = targets & reach
    return dice - skulls


@kernel
def _set_placed(temple, square, still):
    """Write down the dice placed on a chamber that still needs some."""
    here, at, one = bit(square), np.uint64(square), np.uint64(1)
    size = np.int64((temple[W.SIZE_LOW] >> at & one) + (temple[W.SIZE_HIGH] >> at & one) * np.uint64(2))
    placed = size - still
    temple[W.PLACED_LOW] &= ~here
    if placed & 1:
        temple[W.PLACED_LOW] |= here
    if placed & 2:
        temple[W.PLACED_HIGH] |= here


@kernel
def _collect(tables, temple, mine):
    """Take the released treasures and the gems that come along (3)."""
    numbers, masks = tables.numbers, tables.masks
    taken, low, high = temple[W.RELEASED], temple[W.SIZE_LOW], temple[W.SIZE_HIGH]
    mine[W.SMALL] += count(taken & low & ~high) * numbers[T.POINTS + 1]
    mine[W.MEDIUM] += count(taken & high & ~low) * numbers[T.POINTS + 2]
    mine[W.LARGE] += count(taken & high & low) * numbers[T.POINTS + 3]
    for colour in range(4):
        won = taken & temple[colour]
        height = count(won)
        if not numbers[T.COUNT_TOWERS]:
            height = count(won & low) + 2 * count(won & high)
        mine[W.TOWERS + colour] += height
        temple[colour] &= ~taken
    temple[W.SIZE_LOW] &= ~taken
    temple[W.SIZE_HIGH] &= ~taken
    left = W.all_filled(temple)
    yellow = W.freed(numbers, masks, temple[W.YELLOW_GEMS], left)
    pink = W.freed(numbers, masks, temple[W.PINK_GEMS], left)
    mine[W.YELLOW] += count(yellow) * numbers[T.YELLOW_POINTS]
    mine[W.PINK] += count(pink) * numbers[T.PINK_POINTS]
    temple[W.YELLOW_GEMS] &= ~yellow
    temple[W.PINK_GEMS] &= ~pink
    mine[W.SCORE] = mine[W.SMALL] + mine[W.MEDIUM] + mine[W.LARGE] + mine[W.YELLOW] + mine[W.PINK]


@kernel
def _log(entry, work, game, dice, reach, rolls_on):
    """One decision; what came of it is filled in at the end of the turn."""
    temple, now = work.temple, work.now
    colours = 0
    for colour in range(4):
        if temple[colour] & reach:
            colours += 1
    entry[0], entry[1], entry[2], entry[3] = game, now[W.TURN], now[W.SEAT], now[W.ROLL] + 1
    entry[4], entry[5], entry[6], entry[7] = dice, colours, now[W.STAKE], rolls_on


@kernel
def _best(seats):
    """Bit mask of the seats with the highest score."""
    best, found = seats[0, W.SCORE], 1
    for seat in range(1, seats.shape[0]):
        if seats[seat, W.SCORE] > best:
            best, found = seats[seat, W.SCORE], 1 << seat
        elif seats[seat, W.SCORE] == best:
            found |= 1 << seat
    return found


@kernel
def _sole_leader(seats):
    """The seat that alone has the highest score, or -1."""
    leader, best = 0, seats[0, W.SCORE]
    for seat in range(1, seats.shape[0]):
        if seats[seat, W.SCORE] > best:
            leader, best = seat, seats[seat, W.SCORE]
        elif seats[seat, W.SCORE] == best:
            leader = -1
    return leader


@kernel
def _score_towers(numbers, seats):
    """Points for majorities, colour by colour (Scoring)."""
    players = seats.shape[0]
    for tower in range(W.TOWERS, W.TOWERS + 4):
        highest, second, at_highest, at_second = 0, 0, 0, 0
        for seat in range(players):
            height = seats[seat, tower]
            if height > highest:
                second, at_second = highest, at_highest
                highest, at_highest = height, 1
            elif height == highest:
                at_highest += 1
            elif height > second:
                second, at_second = height, 1
            elif height == second:
                at_second += 1
        for seat in range(players):
            height, points = seats[seat, tower], 0
            if height == 0:
                continue
            if height == highest:
                points = numbers[T.HIGHEST] if at_highest == 1 else numbers[T.HIGHEST_TIED]
            elif height == second and at_highest == 1 and numbers[T.SECOND_SCORES]:
                points = numbers[T.SECOND] if at_second == 1 else numbers[T.SECOND_TIED]
            seats[seat, W.MAJORITY] += points
            seats[seat, W.SCORE] += points
