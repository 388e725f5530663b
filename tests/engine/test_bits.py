"""Sets of fields in one word against sets of Python."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.engine import bits
from sims.engine.jit import kernel


@kernel
def told(word, position):
    """What an intrinsic says, which only compiled code can call."""
    return bits.count(word), bits.lowest(word), bits.nth(word, position), bits.bit(np.int64(position))


# the first example compiles, or reads what was compiled
@settings(deadline=None)
@given(fields=st.sets(st.integers(0, 63), min_size=1), position=st.integers(0, 63))
def test_words_are_sets_of_fields(fields, position):
    position %= len(fields)
    word = np.uint64(sum(1 << field for field in fields))
    assert told(word, position) == (len(fields), min(fields), sorted(fields)[position], 1 << position)
