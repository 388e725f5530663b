"""Whole games: played, recorded, and on request logged move by move."""

import numpy as np

from sims.engine.jit import kernel
from sims.engine.words import below, game_key
from sims.kazaam_dice.moves import (
    AMBROSIUS,
    PLACE,
    SCRATCH,
    STATE,
    TIP,
    after_use,
    beyond,
    bit,
    distance,
    lost_on,
    lowest,
    use_parts,
)
from sims.kazaam_dice.policies import RANDOM, ROLLOUT, decide
from sims.kazaam_dice.rollout import rollout_use
from sims.kazaam_dice.turn import OVER, REROLL, ROLL, TAKE, USE, coin_address, new_game, step, throw, write_record

#: What a row of the log tells. There is a row for every use of a roll, every chip taken (by ``seat``, not always the
#: one on turn) and every chip spent. ``throw`` counts the throws of the turn, ``low`` and ``high`` are the dice.
#: ``start`` and ``end`` are fields: of the die tipped, of Ambrosius, on the two sides of the obstacle; a placed die has
#: only an end, a taken chip only a start. ``orientation`` is that of the die after the move, ``lost`` 1 if it burnt or
#: drowned. ``distance`` is the seat's, ``nearest`` the smallest of the others'. -1 where nothing is to tell.
LOG_COLUMNS = (
    "game",
    "round",
    "seat",
    "throw",
    "low",
    "high",
    "kind",
    "value",
    "start",
    "end",
    "orientation",
    "lost",
    "distance",
    "distance_after",
    "nearest",
    "nearest_after",
)
#: Kinds of rows after the four kinds of uses.
CHIP_TAKEN, CHIP_REROLL, CHIP_EXTRA = range(4, 7)
KINDS = ("place", "tip", "ambrosius", "obstacle", "take", "reroll", "extra")

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
                log[row, 0] = first + game
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
    row[1], row[2], row[3], row[4], row[5] = g.round, seat, g.throw, g.low, g.high
    row[7:12] = -1
    row[12], row[14] = distance(t, dice, ambrosius, obstacle, seat), _nearest(t, dice, ambrosius, obstacle, seat)
    if g.due == USE:
        kind, value, place, extra = use_parts(use)
        dice, ambrosius, obstacle = after_use(t, g, use)
        row[6], row[7] = kind, value
        if kind == PLACE:
            row[9], row[10] = place, extra
        elif kind == TIP:
            to = beyond(t, bit(place), extra)
            row[8], row[9], row[10] = place, lowest(to), t.tips[g.orientation[place], extra]
            row[11] = (to & lost_on(t, g.orientation[place], extra)) != np.uint64(0)
        elif kind == AMBROSIUS:
            row[8], row[9] = lowest(g.ambrosius), place
        else:
            row[8], row[9] = t.edge_fields[place, 0], t.edge_fields[place, 1]
    elif g.due == TAKE:
        row[6], row[8] = CHIP_TAKEN, lowest(g.asking)
        dice &= ~(g.asking & (~g.asking + np.uint64(1)))
    else:
        row[6] = CHIP_REROLL if g.due == REROLL else CHIP_EXTRA
    row[13], row[15] = distance(t, dice, ambrosius, obstacle, seat), _nearest(t, dice, ambrosius, obstacle, seat)
