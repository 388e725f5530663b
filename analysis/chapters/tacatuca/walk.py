"""A driftless walk to hold Tacatuca against: pins wander, and nobody is favoured by holding more or fewer.

Each round one player still in is drawn; against each of the others in turn a fair coin says which of the two pays the
other a stake of three pins, or whatever the poorer of the two still has. So, as in the game, one player exchanges
pins with all others, but both directions are equally likely and move the same number of pins: the pins of a seat
are a martingale, and its chance to win is exactly its share of the pins (optional stopping).
"""

import numpy as np
import pandas as pd

#: About what one transfer of the real game moves.
STAKE = 3


def leaders(players: int, pins: int, games: int, seed: int) -> pd.DataFrame:
    """Who led at each quarter of a walk, and who won.

    Returns
    -------
    DataFrame
        One row per game: ``winner`` (seat from 1), and for q = 1, 2, 3 ``quarter_leader_q`` (seat from 1, 0 if shared)
        and ``quarter_pins_q``, measured as in a record of the game: after round ``rounds * q // 4``.
    """
    rng = np.random.default_rng(seed)
    held = np.full((games, players), pins, np.int64)
    rounds, winner = np.zeros(games, np.int64), np.zeros(games, np.int64)
    history, open_games = [held.astype(np.int16)], np.arange(games)
    while len(open_games):
        now = held[open_games]
        # a random order of the seats, those still in before the others: the first exchanges pins with each other one
        order = np.where(now > 0, rng.random(now.shape), 2.0).argsort(axis=1)
        row = np.arange(len(now))
        for partner in order.T[1:]:
            stake = np.minimum(STAKE, np.minimum(now[row, order[:, 0]], now[row, partner]))
            stake *= 2 * rng.integers(0, 2, len(now)) - 1
            now[row, order[:, 0]] += stake
            now[row, partner] -= stake
        held[open_games] = now
        history.append(held.astype(np.int16))
        rounds[open_games] += 1
        over = (now > 0).sum(axis=1) == 1
        winner[open_games[over]] = now[over].argmax(axis=1) + 1
        open_games = open_games[~over]
    columns = {"winner": winner}
    path = np.stack(history)
    for quarter in (1, 2, 3):
        then = path[rounds * quarter // 4, np.arange(games)]
        most = then.max(axis=1)
        sole = (then == most[:, None]).sum(axis=1) == 1
        columns[f"quarter_leader_{quarter}"] = np.where(sole, then.argmax(axis=1) + 1, 0)
        columns[f"quarter_pins_{quarter}"] = most
    return pd.DataFrame(columns)
