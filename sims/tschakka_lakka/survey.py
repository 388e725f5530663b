"""Positions met in play, compiled: what the exact turn says about them, and what other policies make of them.

Games go on as in :mod:`.kernel`; only what is written down differs. Every function fills rows and returns how many, or
-1 if they do not fit.
"""

import numpy as np

from sims.engine.bits import ONE, ZERO, bit, count, lowest
from sims.engine.jit import kernel
from sims.engine.record import numbered
from sims.engine.words import game_key
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.decide import best_place, choose, dice_of, pick_of, square_of, state_after
from sims.tschakka_lakka.fields import LOG_COLUMNS
from sims.tschakka_lakka.kernel import NO_LOG, collect, fill_temple, pay, play_turn, roll
from sims.tschakka_lakka.solver import solve
from sims.tschakka_lakka.solver_memory import REACH, STOP, WORTH, count_points, forget, new_memory
from sims.tschakka_lakka.squares import near
from sims.tschakka_lakka.work import SEAT

#: A decision of the optimal turn, before the choice is made.
DECISION_COLUMNS = (
    "game",
    "dice",  # that could be rolled again
    "skulls",  # set aside
    "colours",  # of the treasures in reach
    "stake",  # points to be collected by stopping
    "roll",  # expected points of the turn when rolling once more and then playing best
)
#: An optimal turn.
TURN_COLUMNS = (
    "game",
    "value",  # expected points, before the first roll
    "points",  # that it brought
    "bust",
)
DECISION, TURN = numbered(DECISION_COLUMNS), numbered(TURN_COLUMNS)


@kernel
def survey(tables, players, limits, seed, first, games, decisions, turns):
    """Play games by the optimal turn and write down every decision between stopping and rolling again, and every turn.

    Parameters
    ----------
    limits : int64[dice left]
        Stop with at least so many points at stake, else roll; -1: decide exactly. The rest of the turn is optimal.
    decisions : float64[row, DECISION_COLUMNS]
    turns : float64[row, TURN_COLUMNS]

    Returns
    -------
    (int, int)
        Rows of decisions and of turns; -1, -1 if one of them does not fit.
    """
    rules, works, memories, worths = tables.rules[0], W.new_work(), new_memory(), np.zeros(1, WORTH)
    decided, turned = np.int64(0), np.int64(0)
    for game in range(games):
        work, memory, worth = works[0], memories[0], worths[0]
        key = game_key(seed, first + game)
        _begin(rules, work, players, key)
        count_points(rules, work, worth)
        forget(memory)
        taken = 0
        while not _over(rules, work, taken):
            if turned == turns.shape[0] or decided + rules.dice > decisions.shape[0]:
                return np.int64(-1), np.int64(-1)
            _begin_turn(rules, work)
            work.raccoon = bit(best_place(rules, work, worth, memory))
            turns[turned, TURN.game], turns[turned, TURN.value] = game, memory.values[0, rules.dice]
            state, bust, on = np.int64(0), False, True
            while on and work.dice > 0:
                roll(rules, work, key)
                matching = pick_of(work.matching[0], work.matching[1], work.matching[2], work.matching[3])
                placed, on = choose(memory, state, work.dice, matching)
                if placed < 0:
                    bust = True
                    break
                move = memory.moves[placed]
                pay(rules, work, square_of(move), dice_of(move))
                state = state_after(move)
                if work.dice > 0:
                    entry = decisions[decided]
                    entry[DECISION.game], entry[DECISION.dice], entry[DECISION.skulls] = game, work.dice, work.skulls
                    entry[DECISION.colours] = _colours(work, memory.nodes[state, REACH])
                    entry[DECISION.stake] = memory.values[state, STOP]
                    entry[DECISION.roll] = memory.values[state, work.dice]
                    decided += 1
                    if limits[work.dice] >= 0:
                        on = entry[DECISION.stake] < limits[work.dice] and entry[DECISION.colours] > 0
                work.roll += 1
            if bust:
                work.stake = 0
            else:
                collect(rules, work, work.seats[work.seat])
            turns[turned, TURN.points], turns[turned, TURN.bust] = work.stake, bust
            turned += 1
            taken += 1
            _pass_on(work, players)
    return decided, turned


@kernel
def contest(tables, lineup, players, seed, first, games, turns):
    """Let several policies play every turn of the same games, each from the same position on the same dice.

    Parameters
    ----------
    lineup : int64[policy, 4]
        All of them play each turn; what the first one does is then done in the game, for every seat of it.
    turns : int64[row, 1 + 2 * policy]
        Game; then points and bust (0, 1) of each policy.

    Returns
    -------
    int
        Rows of turns; -1 if they do not fit.
    """
    rules, works, memories, worths = tables.rules[0], np.zeros(2, W.WORK), new_memory(), np.zeros(1, WORTH)
    log, row = np.empty((0, len(LOG_COLUMNS)), np.int32), np.int64(0)
    for game in range(games):
        key = game_key(seed, first + game)
        memory, worth = memories[0], worths[0]
        _begin(rules, works[0], players, key)
        count_points(rules, works[0], worth)
        forget(memory)
        taken = 0
        while not _over(rules, works[0], taken):
            if row == turns.shape[0]:
                return np.int64(-1)
            turns[row, 0] = game
            # the first policy comes last, and its turn is the one that stays
            for policy in range(lineup.shape[0] - 1, -1, -1):
                works[1] = works[0]
                work = works[1] if policy else works[0]
                mine = work.seats[work.seat]
                score, busts = mine[SEAT.score], mine[SEAT.busts]
                for i in range(lineup.shape[1]):
                    work.policy[i] = lineup[policy, i]
                play_turn(rules, work, memory, worth, key, log, NO_LOG, game)
                turns[row, 1 + 2 * policy] = mine[SEAT.score] - score
                turns[row, 2 + 2 * policy] = mine[SEAT.busts] - busts
            row += 1
            taken += 1
            _pass_on(works[0], players)
    return row


@kernel
def openings(tables, seed, first, values, around):
    """Value of the first turn of a game from each entrance, one row a temple.

    Parameters
    ----------
    values : float64[temple, entrance]
        Entrances in reading order.
    around : int64[temple, entrance, neighbour]
        The chambers next to it in reading order: 4 * colour (0-3) + size (1-3), 0 where there is none.
    """
    rules, works, memories, worths = tables.rules[0], W.new_work(), new_memory(), np.zeros(1, WORTH)
    around[:] = 0
    for temple in range(values.shape[0]):
        work, memory, worth = works[0], memories[0], worths[0]
        _begin(rules, work, np.int64(1), game_key(seed, first + temple))
        count_points(rules, work, worth)
        entrances = rules.entrances
        for entrance in range(values.shape[1]):
            here = bit(lowest(entrances))
            entrances ^= here
            solve(rules, work, worth, memory, here, ZERO, ZERO, rules.dice, np.int64(0))
            values[temple, entrance] = memory.values[0, rules.dice]
            beside = near(here) & W.all_filled(work)
            slot = 0
            while beside:
                square = lowest(beside)
                beside &= beside - ONE
                colour = 0
                while not work.colours[colour] & bit(square):
                    colour += 1
                around[temple, entrance, slot] = 4 * colour + W.missing(work, square)
                slot += 1


@kernel
def _begin(rules, work, players, key):
    work.players = players
    fill_temple(rules, work, key)
    work.yellow_gems, work.pink_gems, work.raccoon = rules.yellow_gems, rules.pink_gems, ZERO
    work.seats[:] = 0
    work.seat = work.turn = 0
    work.released = work.placed_low = work.placed_high = ZERO


@kernel
def _begin_turn(rules, work):
    work.skulls = work.stake = work.roll = 0
    work.dice = rules.dice
    work.released = work.placed_low = work.placed_high = ZERO


@kernel
def _over(rules, work, taken):
    few = count(work.yellow_gems) + count(work.pink_gems) <= rules.end_gems
    # few gems end the game after a round, never before the first
    return taken == rules.max_turns or W.all_filled(work) == ZERO or (few and work.seat == 0 and taken > 0)


@kernel
def _pass_on(work, players):
    work.seat += 1
    if work.seat == players:
        work.seat = 0
        work.turn += 1


@kernel
def _colours(work, reach):
    colours = 0
    for colour in range(4):
        if work.colours[colour] & reach:
            colours += 1
    return colours
