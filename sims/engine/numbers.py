"""Whole numbers as people give them, as text or from Python: exact, or one clear line."""

import re
from typing import Any

import numpy as np

from sims.engine.errors import InputError

#: Longer texts are no number that anything here could mean.
_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
#: Floats above this no longer tell neighbouring whole numbers apart.
_EXACT_FLOAT = 2.0**53


def shown(value: Any, most: int = 40) -> str:
    """A value as an error line quotes it: numbers plain, texts in quotes, nothing longer than ``most``.

    Examples
    --------
    >>> shown("card"), shown(3), shown("9" * 5000, most=8)
    ("'card'", '3', "'99999999..'")
    """
    if isinstance(value, int) and abs(value) > 10**100:
        # Python refuses to print a number of more than 4300 digits
        return "a number of more than 100 digits"
    if isinstance(value, int | float | np.number):
        return str(value)
    text = value if isinstance(value, str) else repr(value)
    text = text if len(text) <= most else f"{text[:most]}.."
    return repr(text) if isinstance(value, str) else text


def read_whole(text: str) -> int | None:
    """A whole number from text, or None: a sign and ASCII digits, nothing else that ``int`` would let pass.

    Examples
    --------
    >>> read_whole("-12"), read_whole("--2"), read_whole("1_0"), read_whole("\N{SUPERSCRIPT TWO}")
    (-12, None, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def read_real(text: str) -> float | None:
    """A number from text, or None: ASCII, without the underscores that ``float`` would let pass.

    Examples
    --------
    >>> read_real("1e-3"), read_real("1_0"), read_real("small")
    (0.001, None, None)
    """
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def as_whole(value: Any) -> int | None:
    """An ``int``, a NumPy integer, or a float without a fraction and small enough to be exact, as a number; else None.

    Examples
    --------
    >>> as_whole(1e5), as_whole(1.5), as_whole(True), as_whole("3"), as_whole(float("nan")), as_whole(1e300)
    (100000, None, None, None, None, None)
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float | np.floating) and abs(float(value)) <= _EXACT_FLOAT and value == int(value):
        return int(value)
    return None


def whole(key: str, value: Any, low: int, high: int) -> int:
    """A whole number from Python, as :func:`as_whole` reads it, from ``low`` to ``high``.

    Raises
    ------
    InputError
        Anything else, or a number out of range.
    """
    found = as_whole(value)
    if found is None or not low <= found <= high:
        raise InputError(f"{key}: {shown(value)} is not allowed; a whole number from {low} to {high}")
    return found
