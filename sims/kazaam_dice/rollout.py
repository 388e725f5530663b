"""The rollout policy: imagined games after each of the best-looking uses."""

import numpy as np

from sims.engine.dice import game_key
from sims.engine.jit import kernel
from sims.kazaam_dice.moves import count, lowest
from sims.kazaam_dice.policies import BALANCED, best_use, decide, own_rank, same_place
from sims.kazaam_dice.turn import OVER, TAKE, step, winners

#: Weight of the own distance by which uses are chosen to be tried, and by which imagined seats play.
OWN = 60
#: A win shared by up to four seats is a whole number of these.
WIN = 12
#: Worth of a use that has been tried.
TRIED = -(1 << 60)


@kernel
def rollout_use(t, states, scratches, games, tries, dream):
    """Index of the use that wins the most imagined games.

    Parameters
    ----------
    states, scratches : record[2]
        The game and its working memory; the second of each is overwritten by imagined games.
    games, tries : int
        Imagined games for each use, and how many uses are tried: the best by the balanced policy, facings apart.
    dream : uint64
        Below 2**63. Imagined game ``j`` has the dice of game ``j`` of the seed ``dream``, whatever use is tried.
    """
    g, scratch = states[0], scratches[0]
    best_use(t, g, scratch, np.int64(BALANCED), np.int64(OWN))
    best, most = 0, np.int64(-1)
    for _ in range(tries):
        tried = _next_best(t, g, scratch)
        if tried < 0:
            break
        wins = np.int64(0)
        for game in range(games):
            wins += imagine(t, states, scratches, tried, game_key(np.int64(dream), game))
        if wins > most:
            best, most = tried, wins
        _strike(g, scratch, tried)
    return best


@kernel
def _next_best(t, g, scratch):
    """The best use not tried, or -1."""
    best, rank = -1, np.int64(0)
    for i in range(g.uses):
        worth = scratch.values[i]
        if worth == TRIED or (best >= 0 and worth < scratch.values[best]):
            continue
        other = own_rank(t, g.seat, np.int64(scratch.uses[i]))
        if best < 0 or worth > scratch.values[best] or other < rank:
            best, rank = i, other
    return best


@kernel
def _strike(g, scratch, tried):
    """Strike a use, and with it the other facings of the same placement."""
    use = np.int64(scratch.uses[tried])
    for i in range(g.uses):
        if i == tried or same_place(np.int64(scratch.uses[i]), use):
            scratch.values[i] = TRIED


@kernel
def imagine(t, states, scratches, index, key):
    """Play one imagined game after a use; the share of the win of the player on turn, in parts of ``1 / WIN``."""
    states[1] = states[0]
    h, scratch, seat = states[1], scratches[1], states[0].seat
    h.idle = 0
    scratch.uses[0] = scratches[0].uses[index]
    step(t, h, scratch, key, np.int64(0))
    while h.due != OVER:
        who, field = (h.asked, lowest(h.asking)) if h.due == TAKE else (h.seat, np.int64(0))
        step(t, h, scratch, key, decide(t, h, scratch, np.int64(BALANCED), np.int64(OWN), who, field))
    won = winners(t, h)
    return WIN // count(np.uint64(won)) if (won >> seat) & 1 else 0
