"""Who gets what when a player cannot pay everything, compiled. The kernel and the exact chains share it."""

from sims.engine.jit import kernel
from sims.tacatuca.tables import SHORTAGE_CLOCKWISE, SHORTAGE_PROPORTIONAL


@kernel
def settle(owed, pins, debtor, shortage, paid):
    """Pay ``owed : int64[creditor]`` from ``pins`` as far as they reach, into ``paid : int64[creditor]``.

    Only for a debtor who owes more than he has. ``shortage`` is the number of the ruling's reading; the round starts
    with the seat on the debtor's left (seat + 1).
    """
    players = owed.shape[0]
    left, total = pins, 0
    for creditor in range(players):
        paid[creditor] = 0
        total += owed[creditor]
    if shortage == SHORTAGE_PROPORTIONAL:
        for creditor in range(players):
            paid[creditor] = pins * owed[creditor] // total
            left -= paid[creditor]
    topped = 0
    while left > 0:
        if shortage == SHORTAGE_PROPORTIONAL:
            # the pins that rounding left over go to the largest remainders, at most one to each creditor
            best, most = 0, -1
            for step in range(1, players):
                creditor = debtor + step - (players if debtor + step >= players else 0)
                remainder = pins * owed[creditor] % total
                if remainder > most and not topped >> creditor & 1:
                    best, most = creditor, remainder
            topped |= 1 << best
            paid[best] += 1
            left -= 1
        else:
            for step in range(1, players):
                creditor = debtor + step - (players if debtor + step >= players else 0)
                due = min(owed[creditor] - paid[creditor], left if shortage == SHORTAGE_CLOCKWISE else min(left, 1))
                paid[creditor] += due
                left -= due
