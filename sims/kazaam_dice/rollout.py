"""The rollout policy: imagined games after each of the best-looking uses, most of them for the best of those.

Sequential halving: each use tried gets the same number of games, the better half goes on, and so on to the last.

References
----------
Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013 (sequential halving).
"""

import numpy as np

from sims.engine.bits import count, lowest
from sims.engine.jit import kernel
from sims.engine.words import game_key
from sims.kazaam_dice.policies import BALANCED, best_use, decide, own_rank, same_place
from sims.kazaam_dice.turn import OVER, ROLL, TAKE, step, throw, winners

#: Weight of the own distance by which uses are chosen to be tried, and by which imagined seats play.
OWN = 60
#: A win shared by up to four seats is a whole number of these.
WIN = 12
#: Worth of a use that is already among those to be tried.
TRIED = -(1 << 60)


@kernel
def rollout_use(t, states, scratches, games, tries, dream):
    """Index of the use that wins the most imagined games.

    Parameters
    ----------
    states, scratches : record[2]
        The game and its working memory; the second of each is overwritten by imagined games.
    games, tries : int
        Imagined games for each use in each round of halving, and how many uses are tried: the best by the
        balanced policy, facings apart.
    dream : uint64
        Below 2**63. Imagined game ``j`` has the dice of game ``j`` of the seed ``dream``, whatever use is tried.
    """
    tried, wins = scratches[0].tried, scratches[0].wins
    left, played = _choose(t, states[0], scratches[0], tries), np.int64(0)
    wins[:left] = 0
    while left > 1:
        for k in range(left):
            for game in range(played, played + games):
                wins[k] += imagine(t, states, scratches, tried[k], game_key(np.int64(dream), game))
        played += games
        left = _halve(tried, wins, left)
    return np.int64(tried[0])


@kernel
def _choose(t, g, scratch, tries):
    """List the best uses by the balanced policy in ``scratch.tried``, best first; the number of them."""
    best_use(t, g, scratch, np.int64(BALANCED), np.int64(OWN))
    left = 0
    while left < min(tries, g.uses):
        best = _next_best(t, g, scratch)
        if best < 0:
            break
        scratch.tried[left] = best
        left += 1
        use = np.int64(scratch.uses[best])
        for i in range(g.uses):
            if i == best or same_place(np.int64(scratch.uses[i]), use):
                scratch.values[i] = TRIED
    return left


@kernel
def _next_best(t, g, scratch):
    """The best use not yet chosen, or -1."""
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
def _halve(tried, wins, left):
    """Keep the better half, the winner first; a tie leaves the better-looking use in front."""
    keep = (left + 1) // 2
    for k in range(keep):
        best = k
        for i in range(k + 1, left):
            if wins[i] > wins[best]:
                best = i
        use, won = tried[best], wins[best]
        for i in range(best, k, -1):
            tried[i], wins[i] = tried[i - 1], wins[i - 1]
        tried[k], wins[k] = use, won
    return keep


@kernel
def imagine(t, states, scratches, index, key):
    """Play one imagined game after a use; the share of the win of the player on turn, in parts of ``1 / WIN``."""
    states[1] = states[0]
    h, scratch, seat = states[1], scratches[1], states[0].seat
    h.idle = 0
    scratch.uses[0] = scratches[0].uses[index]
    step(t, h, scratch, np.int64(0))
    while h.due != OVER:
        if h.due == ROLL:
            throw(t, h, scratch, key)
            continue
        who, field = (h.asked, lowest(h.asking)) if h.due == TAKE else (h.seat, np.int64(0))
        step(t, h, scratch, decide(t, h, scratch, np.int64(BALANCED), np.int64(OWN), who, field))
    won = winners(t, h)
    return WIN // count(np.uint64(won)) if (won >> seat) & 1 else 0
