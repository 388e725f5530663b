"""Values that are whole numbers up to the last exact one, and how an error line quotes a value."""

import numpy as np
import pytest

from sims.engine.errors import InputError
from sims.engine.numbers import as_whole, shown, whole


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        (10**400, 10**400),
        (3.0, 3),
        (-2.0, -2),
        (1e5, 100_000),
        (2.0**53, 2**53),
        (-(2.0**53), -(2**53)),
        (2.0**54, None),
        (np.int32(9), 9),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.float32(4), 4),
        (2.5, None),
        (float("inf"), None),
        (float("nan"), None),
        (True, None),
        (np.True_, None),
        ("3", None),
        (None, None),
        ([3], None),
    ],
)
def test_values_that_are_whole_numbers(value, number):
    found = as_whole(value)
    assert found == number
    assert found is None or type(found) is int


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("card", "'card'"),
        (3, "3"),
        (-2.5, "-2.5"),
        (np.float64(2.5), "2.5"),
        (np.int64(4), "4"),
        (None, "None"),
        (10**100, "1" + "0" * 100),
        (-(10**100), "-1" + "0" * 100),
        (10**100 + 1, "a number of more than 100 digits"),
        (-(10**5000), "a number of more than 100 digits"),
        ("x" * 40, f"'{'x' * 40}'"),
        ("x" * 41, f"'{'x' * 40}..'"),
        (["y" * 50], f"['{'y' * 38}.."),
    ],
    ids=lambda value: None if isinstance(value, str) else type(value).__name__,
)
def test_how_a_value_is_quoted(value, text):
    assert shown(value) == text


def test_a_number_in_its_range_and_out_of_it():
    assert [whole("dice", value, 1, 3) for value in (1, 2.0, np.int8(3))] == [1, 2, 3]
    for value, text in ((0, "0"), (4, "4"), (1.5, "1.5"), ("2", "'2'"), (True, "True")):
        with pytest.raises(InputError) as error:
            whole("dice", value, 1, 3)
        assert str(error.value) == f"dice: {text} is not allowed; a whole number from 1 to 3"
