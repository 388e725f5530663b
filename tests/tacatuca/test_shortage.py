"""The compiled settlement, which kernel and exact chains share, against the reference's own."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.engine import variant
from sims.tacatuca.reference import share
from sims.tacatuca.rules import Rules
from sims.tacatuca.shortage import settle


# the first example compiles, or reads what was compiled
@settings(deadline=None)
@given(
    owed=st.lists(st.integers(0, 60), min_size=2, max_size=4),
    debtor=st.integers(0, 3),
    part=st.floats(0, 1),
    shortage=st.sampled_from(variant.specs(Rules)["shortage"].allowed),
)
def test_compiled_shares_are_those_of_the_reference(owed, debtor, part, shortage):
    debtor %= len(owed)
    owed[debtor] = 0
    pins = int(part * (sum(owed) - 1)) if sum(owed) else 0
    if pins == 0:
        return  # nobody in the game holds nothing
    paid = np.full(len(owed), -1, np.int64)
    rules = Rules(shortage=shortage)
    settle(np.array(owed, np.int64), pins, debtor, variant.coded(rules, "shortage"), paid)
    clockwise = [(debtor + step) % len(owed) for step in range(1, len(owed))]
    expected = share(rules, pins, [owed[seat] for seat in clockwise])
    assert [paid[seat] for seat in clockwise] == expected
    assert paid[debtor] == 0
    assert paid.sum() == pins
