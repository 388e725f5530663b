"""Whole games, compiled: sets of squares in 64-bit masks, everything else in integers.

The clauses are those of :mod:`.reference`, by other means; the two must give the same records on the same dice.
Numbers handed to a kernel are ``np.int64(0)``, not 0, since Numba compiles a signature of its own for a literal.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, count, lowest
from sims.engine.dice import DICE, SETUP
from sims.engine.jit import kernel
from sims.engine.record import column, numbered, places
from sims.engine.words import address, below, game_key
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.fields import FIELDS, LOG_COLUMNS
from sims.tschakka_lakka.layout import BAG, ORDER
from sims.tschakka_lakka.policies import offer, place
from sims.tschakka_lakka.solver_memory import WORTH, count_points, forget, new_memory
from sims.tschakka_lakka.squares import TWO, makes_line, near, near_twice
from sims.tschakka_lakka.tables import LAYOUT_NO_LINE, LAYOUT_PAIRS, TOWER_COUNT
from sims.tschakka_lakka.work import SEAT, TOWERS

_SIX4 = np.uint64(6**4)
#: Where each field of a record begins, and the columns of the log by name.
AT, LOG = places(FIELDS), numbered(LOG_COLUMNS)
#: Row of the log that means: do not log; or that it is full.
NO_LOG = np.int64(-1)


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
    rules, works, memories, worths = tables.rules[0], W.new_work(), new_memory(), np.zeros(1, WORTH)
    log = np.empty((0, len(LOG)), np.int32)
    for game in range(out.shape[0]):
        _play(
            rules, works[0], memories[0], worths[0], lineup, game_key(seed, first + game), out[game], log, NO_LOG, game
        )


@kernel
def log_games(tables, lineup, seed, first, out, log):
    """Play games and write one row per decision too, as ``log : int32[row, LOG_COLUMNS]``.

    Returns
    -------
    int
        Rows written, or -1 if they do not fit.
    """
    rules, works, memories, worths = tables.rules[0], W.new_work(), new_memory(), np.zeros(1, WORTH)
    row = np.int64(0)
    for game in range(out.shape[0]):
        row = _play(
            rules,
            works[0],
            memories[0],
            worths[0],
            lineup,
            game_key(seed, first + game),
            out[game],
            log,
            row,
            first + game,
        )
        if row == NO_LOG:
            break
    return row


@kernel
def map_games(tables, lineup, seed, first, games, treasures, gems):
    """Play games and count when squares are emptied and gems are taken.

    Parameters
    ----------
    treasures, gems : int64[square, round]
        Added to; rounds from 1, the last column holds all later ones too, column 0 what stays in the temple. Squares
        as numbers of the board module, a gem under the square above and left of it.
    """
    rules, works, memories, worths = tables.rules[0], W.new_work(), new_memory(), np.zeros(1, WORTH)
    width, log = column(AT.score, lineup.shape[0]) + len(SEAT) * lineup.shape[0], np.empty((0, len(LOG)), np.int32)
    record = np.empty(width, np.int32)
    for game in range(games):
        work = works[0]
        _play(rules, work, memories[0], worths[0], lineup, game_key(seed, first + game), record, log, NO_LOG, game)
        for square in range(64):
            if rules.chambers & bit(square):
                treasures[square, min(work.emptied[square], treasures.shape[1] - 1)] += 1
            if (rules.yellow_gems | rules.pink_gems) & bit(square):
                gems[square, min(work.gem_taken[square], gems.shape[1] - 1)] += 1


@kernel
def fill_temple(rules, work, key):
    """Draw the treasures' places; :mod:`.layout` says how."""
    attempt = np.int64(0)
    while not _fill(rules, work, key, attempt):
        attempt += 1


@kernel
def _fill(rules, work, key, attempt):
    chambers, each = rules.chamber_count, rules.size_counts[0] + rules.size_counts[1] + rules.size_counts[2]
    work.size_low = work.size_high = ZERO
    for colour in range(4):
        work.colours[colour] = work.forbidden[colour] = ZERO
        work.bag[colour] = each
        for size in range(3):
            work.sizes[colour, size] = rules.size_counts[size]
    for i in range(chambers):
        work.order[i] = rules.squares[i]
    for step in range(chambers):
        picked = step + np.int64(below(key, address(attempt, ORDER, step, SETUP), np.uint64(chambers - step)))
        here = bit(work.order[picked])
        work.order[picked] = work.order[step]
        choices = 0
        for colour in range(4):
            if not work.forbidden[colour] & here:
                choices += work.bag[colour]
        if choices == 0:
            return False
        drawn = np.int64(below(key, address(attempt, BAG, step, SETUP), np.uint64(choices)))
        colour, size = 0, 0
        while work.forbidden[colour] & here or drawn >= work.bag[colour]:
            if not work.forbidden[colour] & here:
                drawn -= work.bag[colour]
            colour += 1
        while drawn >= work.sizes[colour, size]:
            drawn -= work.sizes[colour, size]
            size += 1
        work.bag[colour] -= 1
        work.sizes[colour, size] -= 1
        if size != 1:
            work.size_low |= here
        if size != 0:
            work.size_high |= here
        mine = work.colours[colour] | here
        work.colours[colour] = mine
        if rules.layout == LAYOUT_PAIRS:
            # beside a pair, or between two that are not yet connected
            work.forbidden[colour] = near(mine & near(mine)) | near_twice(mine)
        elif rules.layout == LAYOUT_NO_LINE:
            work.forbidden[colour] = makes_line(mine)
    return True


@kernel
def _play(rules, work, memory, worth, lineup, key, record, log, row, game):
    """One game; returns the next row of the log, or NO_LOG."""
    players, logging = lineup.shape[0], row != NO_LOG
    fill_temple(rules, work, key)
    work.yellow_gems, work.pink_gems, work.raccoon = rules.yellow_gems, rules.pink_gems, ZERO
    count_points(rules, work, worth)
    forget(memory)
    work.players = players
    work.seats[:] = 0
    work.emptied[:] = 0
    work.gem_taken[:] = 0
    turns, lead_changes, leader, last_round, unfinished = 0, 0, -1, False, False
    work.seat = work.turn = 0
    while not (last_round and work.seat == 0):
        if turns == rules.max_turns:
            unfinished = True
            break
        if W.all_filled(work):
            for i in range(lineup.shape[1]):
                work.policy[i] = lineup[work.seat, i]
            row = play_turn(rules, work, memory, worth, key, log, row, game)
            if logging and row == NO_LOG:
                return NO_LOG
        turns += 1
        ahead = _sole_leader(work, players)
        if ahead >= 0:
            if leader >= 0 and leader != ahead:
                lead_changes += 1
            leader = ahead
        if count(work.yellow_gems) + count(work.pink_gems) <= rules.end_gems:
            last_round = True
        work.seat += 1
        if work.seat == players:
            work.seat = 0
            work.turn += 1
    leaders, winners = _best(work, players), 0
    if not unfinished:
        _score_towers(rules, work, players)
        winners = _best(work, players)
    record[column(AT.winners, players)] = winners
    record[column(AT.unfinished, players)] = unfinished
    record[column(AT.rounds, players)] = (turns + players - 1) // players
    record[column(AT.turns, players)] = turns
    record[column(AT.gems_left, players)] = count(work.yellow_gems) + count(work.pink_gems)
    record[column(AT.lead_changes, players)] = lead_changes
    record[column(AT.leader_lost, players)] = not unfinished and leaders & winners == 0
    record[column(AT.majorities_decided, players)] = not unfinished and leaders != winners
    # what is counted of a seat stands in the same order, the score first
    for counted in range(len(SEAT)):
        for seat in range(players):
            record[column(AT.score, players) + counted * players + seat] = work.seats[seat, counted]
    return row


@kernel
def play_turn(rules, work, memory, worth, key, log, row, game):
    """One turn of ``work.seat``; returns the next row of the log, or NO_LOG if it is full."""
    begin, bust, mine = row, False, work.seats[work.seat]
    work.skulls = work.stake = work.roll = 0
    work.dice = rules.dice
    work.released = work.placed_low = work.placed_high = ZERO
    work.raccoon = bit(place(rules, work, memory, worth, key))
    while True:
        mine[SEAT.rolls] += 1
        roll(rules, work, key)
        if not work.targets:
            bust = True
            break
        answer = offer(rules, work, memory, key)
        stop = answer >> 8
        pay(rules, work, answer & 63, answer >> 6 & 3)
        if work.dice == 0:
            break
        if row >= 0:
            if row == log.shape[0]:
                return NO_LOG
            _log(log[row], work, game, 1 - stop)
            row += 1
        if stop:
            break
        work.roll += 1
    if bust:
        mine[SEAT.busts] += 1
        mine[SEAT.lost] += work.stake
        work.stake = 0
    else:
        mine[SEAT.stops] += 1
        mine[SEAT.dice_left] += work.dice
        collect(rules, work, mine)
    if work.turn == 0:
        mine[SEAT.first_turn] = work.stake
    for decided in range(begin, row):
        log[decided, LOG.collected] = work.stake
        log[decided, LOG.bust] = bust
    return row


@kernel
def roll(rules, work, key):
    """Roll, set skulls aside, find the chambers that can be paid (2a, 2b)."""
    thrown = below(key, address(work.turn, work.seat, work.roll, DICE), rules.powers[work.dice])
    # Four dice are looked up at a time; dice that were not thrown count as so many too many of face 1.
    faces = rules.faces[thrown % _SIX4] + rules.faces[thrown // _SIX4] - (8 - work.dice)
    jokers, skulls = faces >> 16 & 15, faces >> 20 & 15
    work.skulls += skulls
    work.dice -= skulls
    targets = ZERO
    for colour in range(4):
        matching = (faces >> 4 * colour & 15) + jokers
        work.matching[colour] = matching
        if matching:
            targets |= work.colours[colour]
    if 0 < rules.skull_limit <= work.skulls:
        targets = ZERO
    work.targets = targets & W.in_reach(work, work.released)


@kernel
def pay(rules, work, square, dice):
    """Place dice on a chamber; its treasure may be released (2c)."""
    here, at = bit(square), np.uint64(square)
    work.dice -= dice
    if dice == W.missing(work, square):
        work.released |= here
        work.stake = W.stake_of(rules, work, work.released)
    else:
        before = (work.placed_low >> at & ONE) + (work.placed_high >> at & ONE) * TWO
        placed = before + np.uint64(dice)
        work.placed_low = work.placed_low & ~here | (placed & ONE) << at
        work.placed_high = work.placed_high & ~here | (placed >> ONE) << at


@kernel
def collect(rules, work, mine):
    """Take the released treasures and the gems that come along (3)."""
    taken, low, high = work.released, work.size_low, work.size_high
    mine[SEAT.small] += count(taken & low & ~high) * rules.points[1]
    mine[SEAT.medium] += count(taken & high & ~low) * rules.points[2]
    mine[SEAT.large] += count(taken & high & low) * rules.points[3]
    for colour in range(4):
        won = taken & work.colours[colour]
        height = count(won) if rules.tower == TOWER_COUNT else count(won & low) + 2 * count(won & high)
        mine[TOWERS + colour] += height
        work.colours[colour] &= ~taken
    work.size_low &= ~taken
    work.size_high &= ~taken
    left = W.all_filled(work)
    yellow, pink = W.freed(rules, work.yellow_gems, left), W.freed(rules, work.pink_gems, left)
    mine[SEAT.yellow] += count(yellow) * rules.yellow_points
    mine[SEAT.pink] += count(pink) * rules.pink_points
    work.yellow_gems &= ~yellow
    work.pink_gems &= ~pink
    _note_round(work.emptied, taken, work.turn + 1)
    _note_round(work.gem_taken, yellow | pink, work.turn + 1)
    mine[SEAT.score] = mine[SEAT.small] + mine[SEAT.medium] + mine[SEAT.large] + mine[SEAT.yellow] + mine[SEAT.pink]


@kernel
def _note_round(rounds, squares, now):
    while squares:
        rounds[lowest(squares)] = now
        squares &= squares - ONE


@kernel
def _log(entry, work, game, rolls_on):
    """One decision; what came of it is filled in at the end of the turn."""
    reach, colours = W.in_reach(work, work.released), 0
    for colour in range(4):
        if work.colours[colour] & reach:
            colours += 1
    entry[LOG.game], entry[LOG.turn], entry[LOG.seat], entry[LOG.roll] = game, work.turn, work.seat, work.roll + 1
    entry[LOG.dice], entry[LOG.colours], entry[LOG.stake] = work.dice, colours, work.stake
    entry[LOG.choice] = rolls_on


@kernel
def _best(work, players):
    """Bit mask of the seats with the highest score."""
    best, found = work.seats[0, SEAT.score], 1
    for seat in range(1, players):
        score = work.seats[seat, SEAT.score]
        if score > best:
            best, found = score, 1 << seat
        elif score == best:
            found |= 1 << seat
    return found


@kernel
def _sole_leader(work, players):
    """The seat that alone has the highest score, or -1."""
    best, leader = work.seats[0, SEAT.score], 0
    for seat in range(1, players):
        score = work.seats[seat, SEAT.score]
        if score > best:
            best, leader = score, seat
        elif score == best:
            leader = -1
    return leader


@kernel
def _score_towers(rules, work, players):
    """Points for majorities, colour by colour (Scoring)."""
    for tower in range(TOWERS, TOWERS + 4):
        highest, second, at_highest, at_second = 0, 0, 0, 0
        for seat in range(players):
            height = work.seats[seat, tower]
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
            height, points = work.seats[seat, tower], 0
            if height == 0:
                continue
            if height == highest:
                points = rules.highest_points if at_highest == 1 else rules.highest_tied_points
            elif height == second and at_highest == 1 and players >= rules.second_players:
                points = rules.second_points if at_second == 1 else rules.second_tied_points
            work.seats[seat, SEAT.majority] += points
            work.seats[seat, SEAT.score] += points
