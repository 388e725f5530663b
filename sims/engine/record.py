"""Columns by name inside kernels: what ``Field`` and log columns declare, as constants that cost nothing."""

from collections import namedtuple
from collections.abc import Iterable, Sequence
from typing import Any

from sims.engine.game import Field
from sims.engine.jit import helper


def places(fields: Sequence[Field]) -> Any:
    """Where each field of a record begins, by name: a named tuple to be handed to :func:`column`.

    >>> places([Field("winners", 2, ""), Field("score", 2, "", per_seat=True), Field("rounds", 2, "")])
    Places(winners=(0, 0), score=(1, 0), rounds=(1, 1))
    """
    per_seat = [field.per_seat for field in fields]
    begins = [(per_seat[:at].count(False), per_seat[:at].count(True)) for at in range(len(fields))]
    return namedtuple("Places", [field.name for field in fields])(*begins)


def numbered(names: Iterable[str]) -> Any:
    """The columns of a log by name, as numbers from 0.

    >>> numbered(["game", "turn"]).turn
    1
    """
    names = list(names)
    return namedtuple("Numbered", names)(*range(len(names)))


@helper
def column(place, players):
    """The first column of a field of :func:`places`; a field per seat has one more for each further seat."""
    return place[0] + place[1] * players
