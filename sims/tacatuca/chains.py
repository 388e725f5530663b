"""Compiled inner loops of the exact chains: merge the transitions of states, move mass forward, values backward.

Seats sit in a ring, so a state and its rotations share one row of transitions. A state is a ``class`` (one of the
rotations, the canonical one) and a ``rotation``: ``state[(i + rotation) % players] = canonical[i]``. A quantity of a
state, or of a seat in a state, lives in ``[class, slot]`` with ``SLOTS`` columns; the columns from ``players`` on are
zero. Transitions of a row are grouped by the rotation of the next state: ``starts : int64[row, players + 1]`` bounds
the groups in ``classes : uint16[transition]`` and ``weights : float32[transition]``. A weight is a whole number of
dice outcomes (at most ``36**4 < 2**24``, exact in a float32), ``scale`` is one over their total.
"""

import numpy as np

from sims.engine.jit import kernel
from sims.tacatuca.shortage import settle

SLOTS = 4
_ROTATION = SLOTS - 1


@kernel
def payments(bills, most, shortage):
    """What a debtor pays on each bill with 0 to ``most`` pins: ``int64[pins, bill, step]`` (steps clockwise)."""
    paid = np.zeros((most + 1, bills.shape[0], bills.shape[1]), np.int64)
    for pins in range(most + 1):
        for bill in range(bills.shape[0]):
            if bills[bill].sum() <= pins:
                paid[pins, bill] = bills[bill]
            else:
                settle(bills[bill], pins, 0, shortage, paid[pins, bill])
    return paid


@kernel
def merge_rows(states, paid, signatures, ways, codes, base, fewer, starts, classes, weights, leaving):
    """Merge the transitions of ``states : int64[row, seat]``, all with as many seats alive as ``paid`` has steps.

    A next state is first known by its key, the pins of all seats but the last as digits to ``base``; since the key is
    linear in the pins, every debtor adds a term of his own that depends on his bill only.

    ``codes : int32[key]`` holds ``class * SLOTS + rotation``; classes from ``fewer`` on have fewer seats alive. Fills
    ``starts``, ``classes``, ``weights`` (see the module) and adds to ``leaving : float64[row, seat, place]`` the ways
    in which a seat leaves or wins, where place is 0 for the winner, else the number of seats left after the round.
    Returns the number of transitions.
    """
    players, bills = states.shape[1], paid.shape[1]
    strides = np.zeros(players, np.int64)
    for seat in range(players - 1):
        strides[seat] = base ** (players - 2 - seat)
    tally = np.zeros(codes.shape[0], np.int32)
    touched = np.empty(signatures.shape[0], np.int64)
    terms = np.zeros((SLOTS, bills), np.int64)
    alive = np.empty(players, np.int64)
    cursor = np.empty(players + 1, np.int64)
    filled = 0
    for row in range(states.shape[0]):
        key, left = 0, 0
        for seat in range(players):
            key += states[row, seat] * strides[seat]
            if states[row, seat] > 0:
                alive[left] = seat
                left += 1
        for debtor in range(left):
            mine = paid[states[row, alive[debtor]]]
            for bill in range(bills):
                term = 0
                for step in range(1, left):
                    creditor = alive[(debtor + step) % left]
                    term += mine[bill, step] * (strides[creditor] - strides[alive[debtor]])
                terms[debtor, bill] = term
        count = 0
        t0, t1, t2, t3 = terms[0], terms[1], terms[2], terms[3]
        for s in range(signatures.shape[0]):
            to = key + t0[signatures[s, 0]] + t1[signatures[s, 1]] + t2[signatures[s, 2]] + t3[signatures[s, 3]]
            touched[count] = to
            count += tally[to] == 0
            tally[to] += ways[s]

        cursor[:] = 0
        for t in range(count):
            cursor[(codes[touched[t]] & _ROTATION) + 1] += 1
        cursor[0] = filled
        for rotation in range(players):
            cursor[rotation + 1] += cursor[rotation]
        starts[row] = cursor
        for t in range(count):
            to = touched[t]
            code = codes[to]
            rotation = code & _ROTATION
            classes[cursor[rotation]] = code // SLOTS
            weights[cursor[rotation]] = tally[to]
            cursor[rotation] += 1
            if code >= fewer * SLOTS:
                _leave(to, states[row], strides, base, tally[to], leaving[row])
            tally[to] = 0
        filled += count
    return filled


@kernel
def _leave(key, pins, strides, base, ways, leaving):
    """Add ``ways`` for every seat that had ``pins`` and has none in the state ``key``, and for a seat left alone."""
    players = pins.shape[0]
    left, survivor, total = 0, 0, 0
    for seat in range(players):
        total += pins[seat]
    gone = 0
    rest = total
    for seat in range(players):
        now = (key // strides[seat]) % base if seat < players - 1 else rest
        rest -= now
        if now > 0:
            left += 1
            survivor = seat
        elif pins[seat] > 0:
            gone |= 1 << seat
    if gone:
        for seat in range(players):
            if gone >> seat & 1:
                leaving[seat, left] += ways
        if left == 1:
            leaving[survivor, 0] += ways


@kernel
def push(first, starts, classes, weights, scale, mass, out):
    """One round forward: add the mass of the rows ``first ..`` to the states they lead to, ``out[class, slot]``."""
    players = starts.shape[1] - 1
    for row in range(starts.shape[0]):
        here = mass[first + row]
        if here[0] == 0.0 and here[1] == 0.0 and here[2] == 0.0 and here[3] == 0.0:
            continue
        for rotation in range(players):
            m0 = here[(players - rotation) % players] * scale
            m1 = here[(players + 1 - rotation) % players] * scale
            m2 = here[(players + 2 - rotation) % players] * scale if players > 2 else 0.0
            m3 = here[(players + 3 - rotation) % players] * scale if players > 3 else 0.0
            for t in range(starts[row, rotation], starts[row, rotation + 1]):
                to, weight = classes[t], np.float64(weights[t])
                out[to, 0] += weight * m0
                out[to, 1] += weight * m1
                out[to, 2] += weight * m2
                out[to, 3] += weight * m3


@kernel
def pull(first, starts, classes, weights, scale, win, rounds, new_win, new_rounds):
    """One sweep backward over the rows ``first ..``, from ``win, rounds`` to ``new_*``; returns the largest change.

    ``win : float64[class, slot]`` is the chance of each seat to win, ``rounds : float64[class]`` the expected number
    of rounds still to play. The same arrays given twice make it a Gauss-Seidel sweep, two pairs of arrays a step of
    one round (Jacobi).
    """
    players = starts.shape[1] - 1
    change, longer = 0.0, 0.0
    new = np.zeros(SLOTS)
    for row in range(starts.shape[0]):
        new[:] = 0.0
        more = 0.0
        for rotation in range(players):
            w0, w1, w2, w3 = 0.0, 0.0, 0.0, 0.0
            for t in range(starts[row, rotation], starts[row, rotation + 1]):
                to, weight = classes[t], np.float64(weights[t])
                w0 += weight * win[to, 0]
                w1 += weight * win[to, 1]
                w2 += weight * win[to, 2]
                w3 += weight * win[to, 3]
                more += weight * rounds[to]
            new[rotation] += w0
            new[(rotation + 1) % players] += w1
            if players > 2:
                new[(rotation + 2) % players] += w2
            if players > 3:
                new[(rotation + 3) % players] += w3
        here = first + row
        for seat in range(players):
            change = max(change, abs(new[seat] * scale - win[here, seat]))
            new_win[here, seat] = new[seat] * scale
        longer = max(longer, abs(1.0 + more * scale - rounds[here]))
        new_rounds[here] = 1.0 + more * scale
    return change, longer


@kernel
def linger(first, starts, classes, weights, scale, before, after):
    """One round backward: ``after[row class] = sum over next classes of chance * before[class]``."""
    for row in range(starts.shape[0]):
        stay = 0.0
        for t in range(starts[row, 0], starts[row, starts.shape[1] - 1]):
            stay += np.float64(weights[t]) * before[classes[t]]
        after[first + row] = stay * scale
