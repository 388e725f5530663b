"""Whole games: played, recorded, and on request logged move by move."""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, lowest
from sims.engine.jit import kernel
from sims.engine.record import numbered
from sims.engine.words import below, game_key
from sims.kazaam_dice.fields import LOG_COLUMNS
from sims.kazaam_dice.moves import AMBROSIUS, PLACE, TIP, after_use, beyond, lost_on, use_parts
from sims.kazaam_dice.policies import RANDOM, ROLLOUT, decide
from sims.kazaam_dice.rollout import rollout_use
from sims.kazaam_dice.turn import OVER, REROLL, ROLL, TAKE, USE, coin_address, new_game, step, throw, write_record
from sims.kazaam_dice.work import SCRATCH, STATE, distance

#: Kinds of rows after the four kinds of uses.
CHIP_TAKEN, CHIP_REROLL, CHIP_EXTRA = range(4, 7)
KINDS = ("place", "tip", "ambrosius", "obstacle", "take", "reroll", "extra")

#: Columns of the log by name.
LOG = numbered(LOG_COLUMNS)

_TWO, _COINS = np.uint64(2), np.uint64(1 << 63)


@kernel
def play_games(tables, lineup, seed, first, out):
    """Play games ``first, first + 1, ...`` of a seed.

    Parameters
    ----------
    tables : Tables
    lineup : int64[seat, (kind, parameter, parameter, parameter)]
    out : int32[game, column]
        Filled with the records.
    """
    log_games(tables, lineup, seed, first, out, np.empty((0, len(LOG_COLUMNS)), np.int32))


@kernel
def log_games(tables, lineup, seed, first, out, log):
    """Play games and fill ``log : int32[row, column]`` with ``LOG_COLUMNS``.

    Returns
    -------
    int
        Rows written, or -1 if they do not fit; a log without rows is not written at all.
    """
    t = tables.rules[0]
    states, scratches = np.zeros(2, STATE), np.zeros(2, SCRATCH)
    g, row, logged = states[0], 0, log.shape[0] > 0
    for game in range(out.shape[0]):
        key = game_key(seed, first + game)
        new_game(t, g)
        while g.due != OVER:
            if g.due == ROLL:
                throw(t, g, scratches[0], key)
                continue
            answer = ask(t, states, scratches, key, lineup)
            if logged and (answer or g.due == USE):
                if row == log.shape[0]:
                    return -1
                log[row, LOG.game] = first + game
                _log_row(t, g, np.int64(scratches[0].uses[answer]), log[row])
                row += 1
            step(t, g, scratches[0], answer)
        write_record(t, g, out[game])
    return row


@kernel
def ask(t, states, scratches, key, lineup):
    """Ask the policy of the seat whose decision is due."""
    g, scratch = states[0], scratches[0]
    seat, field = (g.asked, lowest(g.asking)) if g.due == TAKE else (g.seat, 0)
    kind = lineup[seat, 0]
    if kind == RANDOM:
        return np.int64(below(key, coin_address(g), np.uint64(g.uses) if g.due == USE else _TWO))
    if kind == ROLLOUT and g.due == USE:
        dream = below(key, coin_address(g), _COINS)
        return rollout_use(t, states, scratches, lineup[seat, 1], lineup[seat, 2], dream)
    return decide(t, g, scratch, kind, lineup[seat, 1], seat, field)


@kernel
def _nearest(t, dice, ambrosius, obstacle, seat):
    """The smallest distance of the others; all fields if there are none."""
    least = t.fields
    for other in range(t.players):
        if other != seat:
            least = min(least, distance(t, dice, ambrosius, obstacle, other))
    return least


@kernel
def _log_row(t, g, use, row):
    """Tell the use, or the chip, that is about to be made, taken or spent; ``-1`` where nothing is to tell."""
    seat = g.asked if g.due == TAKE else g.seat
    dice, ambrosius, obstacle = g.tops[0], g.ambrosius, g.obstacle
    row[LOG.round], row[LOG.seat], row[LOG.throw] = g.round, seat, g.throw
    row[LOG.low], row[LOG.high] = g.low, g.high
    row[LOG.value] = row[LOG.start] = row[LOG.end] = row[LOG.orientation] = row[LOG.lost] = -1
    row[LOG.distance] = distance(t, dice, ambrosius, obstacle, seat)
    row[LOG.nearest] = _nearest(t, dice, ambrosius, obstacle, seat)
    if g.due == USE:
        kind, value, place, extra = use_parts(use)
        dice, ambrosius, obstacle = after_use(t, g, use)
        row[LOG.kind], row[LOG.value] = kind, value
        if kind == PLACE:
            row[LOG.end], row[LOG.orientation] = place, extra
        elif kind == TIP:
            to = beyond(t, bit(place), extra)
            row[LOG.start], row[LOG.end] = place, lowest(to)
            row[LOG.orientation] = t.tips[g.orientation[place], extra]
            row[LOG.lost] = (to & lost_on(t, g.orientation[place], extra)) != ZERO
        elif kind == AMBROSIUS:
            row[LOG.start], row[LOG.end] = lowest(g.ambrosius), place
        else:
            row[LOG.start], row[LOG.end] = t.edge_fields[place, 0], t.edge_fields[place, 1]
    elif g.due == TAKE:
        row[LOG.kind], row[LOG.start] = CHIP_TAKEN, lowest(g.asking)
        dice &= ~(g.asking & (~g.asking + ONE))
    else:
        row[LOG.kind] = CHIP_REROLL if g.due == REROLL else CHIP_EXTRA
    row[LOG.distance_after] = distance(t, dice, ambrosius, obstacle, seat)
    row[LOG.nearest_after] = _nearest(t, dice, ambrosius, obstacle, seat)
