"""Who gets what when a player cannot pay everything, compiled. The kernel and the exact chains share it."""

from sims.engine.jit import kernel

CLOCKWISE, ONE_EACH, PROPORTIONAL = 0, 1, 2
CODES = {"clockwise": CLOCKWISE, "one_each": ONE_EACH, "proportional": PROPORTIONAL}


@kernel
def settle(owed, pins, debtor, rule, paid):
    """Pay ``owed : int64[creditor]`` from ``pins`` as far as they reach, into ``paid : int64[creditor]``.

    Only for a debtor who owes more than he has. ``rule`` is one of ``CODES``; the round starts with the seat on the
    debtor's left (seat + 1).
    """
    players = owed.shape[0]
    left = pins
    paid[:] = 0
    if rule == CLOCKWISE:
        for step in range(1, players):
            creditor = (debtor + step) % players
            paid[creditor] = min(owed[creditor], left)
            left -= paid[creditor]
    elif rule == ONE_EACH:
        while left > 0:
            for step in range(1, players):
                creditor = (debtor + step) % players
                if left > 0 and paid[creditor] < owed[creditor]:
                    paid[creditor] += 1
                    left -= 1
    else:
        total = owed.sum()
        for creditor in range(players):
            paid[creditor] = pins * owed[creditor] // total
            left -= paid[creditor]
        # the pins that rounding left over go to the largest remainders, at most one to each creditor
        remainder = pins * owed % total
        while left > 0:
            best = -1
            for step in range(1, players):
                creditor = (debtor + step) % players
                if remainder[creditor] > 0 and (best < 0 or remainder[creditor] > remainder[best]):
                    best = creditor
            paid[best] += 1
            remainder[best] = 0
            left -= 1
