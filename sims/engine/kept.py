"""Results that take long to find, kept on disk: arrays of numbers, checked when they are read again."""

import hashlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.engine.store import home, read, write

Arrays = dict[str, NDArray[np.float64]]

#: How far rounding may carry a value over its highest, relative to that.
SLACK = 1e-9


@dataclass(frozen=True)
class Expected:
    """What an array must look like: finite float64, never negative.

    Attributes
    ----------
    shape : tuple of int or None
        Length of each axis; None: any, but at least 1.
    high : float
        The highest value, 1 for a chance.
    """

    shape: tuple[int | None, ...]
    high: float = np.inf

    def fits(self, found: NDArray[np.float64]) -> bool:
        """Whether an array is of this kind."""
        return bool(
            found.dtype == np.float64
            and found.ndim == len(self.shape)
            and all(length == (asked or max(length, 1)) for length, asked in zip(found.shape, self.shape, strict=True))
            and np.isfinite(found).all()
            and (found >= 0).all()
            and (found <= self.high * (1 + SLACK)).all()
        )


def result(key: str, expected: Mapping[str, Expected], work: Callable[[], Arrays]) -> Arrays:
    """The result of ``work``, or what was kept of it under the same key.

    Parameters
    ----------
    key : str
        Everything that the result depends on: the question, the rules, the sources.
    expected : mapping of Expected
        The arrays by name. What was kept and is not of this kind is worked out again, and replaced.
    work : callable
        Finds the arrays.
    """
    folder = home()
    if folder is None:
        return work()
    path = folder / "exact" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"
    found = _arrays(read(path))
    if found is None or found.keys() != expected.keys() or not all(expected[name].fits(found[name]) for name in found):
        found = work()
        packed = io.BytesIO()
        arrays: dict[str, Any] = {name: found[name] for name in expected}
        np.savez(packed, **arrays)
        write(path, packed.getvalue())
    return found


def _arrays(content: bytes | None) -> Arrays | None:
    if content is None:
        return None
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            return {name: np.asarray(file[name]) for name in file.files}
    except Exception:
        # zip and numpy raise half a dozen kinds for what is no archive of arrays
        return None
