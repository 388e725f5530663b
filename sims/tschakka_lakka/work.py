"""What a compiled game is played in, and the questions about it that kernel and policies share."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.engine.jit import helper, kernel
from sims.tschakka_lakka import tables as T
from sims.tschakka_lakka.bits import count, crossings, near
from sims.tschakka_lakka.records import SEAT_FIELDS

# Offsets into ``temple``. Colour c of the filled chambers is ``temple[c]``, c = 0 to 3.
#: Two planes of the treasures' sizes: size = low + 2 * high.
SIZE_LOW, SIZE_HIGH = 4, 5
#: Gems left, each under the number of the square above and left of it.
YELLOW_GEMS, PINK_GEMS = 6, 7
#: Of the turn: the raccoon's square, chambers released, two planes of the dice placed on each chamber.
RACCOON, RELEASED, PLACED_LOW, PLACED_HIGH = 8, 9, 10, 11
#: Of the roll: chambers on which at least one die can be placed.
TARGETS = 12
TEMPLE = 13

# Offsets into ``now``
#: The seat, its own turn from 0, its roll of the turn from 0.
SEAT, TURN, ROLL = 0, 1, 2
#: Dice that can be placed or rolled, skulls set aside, points that stopping would collect.
DICE, SKULLS, STAKE = 3, 4, 5
#: ``MATCHING + c``: dice of colour c and jokers in the roll.
MATCHING = 6
NOW = 10

# Offsets into a row of ``seats``: the fields of a seat's record, in order.
(SCORE, SMALL, MEDIUM, LARGE, YELLOW, PINK, MAJORITY, BUSTS, ROLLS, STOPS, DICE_LEFT, LOST, FIRST_TURN, TOWERS) = range(
    14
)
SEAT_WIDTH = len(SEAT_FIELDS)


class Work(NamedTuple):
    """Where a game is played: allocated once for many games, handed to every compiled function.

    A policy that needs memory of its own gets an array more here.

    Attributes
    ----------
    temple : uint64[TEMPLE]
        Sets of squares. A policy may read all of it, since all of it lies open on the table.
    now : int64[NOW]
        Numbers of the turn.
    seats : int64[seat, SEAT_WIDTH]
        What every seat has collected and done.
    forbidden : uint64[colour]
        While the temple is filled: where a colour would break the restriction.
    left : int64[colour * 3 + size - 1]
        While the temple is filled: treasures in the bag.
    order : int64[64]
        While the temple is filled: the chambers in the order of filling.
    """

    temple: NDArray[np.uint64]
    now: NDArray[np.int64]
    seats: NDArray[np.int64]
    forbidden: NDArray[np.uint64]
    left: NDArray[np.int64]
    order: NDArray[np.int64]


@kernel
def new_work(players):
    """Fresh memory for games of ``players`` seats."""
    return Work(
        np.zeros(TEMPLE, np.uint64),
        np.zeros(NOW, np.int64),
        np.zeros((players, SEAT_WIDTH), np.int64),
        np.zeros(4, np.uint64),
        np.zeros(12, np.int64),
        np.zeros(64, np.int64),
    )


@helper
def all_filled(temple):
    """The chambers that still hold a treasure."""
    return temple[0] | temple[1] | temple[2] | temple[3]


@helper
def in_reach(temple, filled):
    """Filled chambers next to the raccoon or to a released one, not released themselves (2c)."""
    released = temple[RELEASED]
    return near(temple[RACCOON] | released) & filled & ~released


@helper
def legal_places(masks, filled):
    """Entrances and empty chambers next to a filled chamber (1)."""
    return (masks[T.ENTRANCES] | (masks[T.CHAMBERS] & ~filled)) & near(filled)


@helper
def freed(numbers, masks, gems, left):
    """Those of ``gems`` that may be taken when the chambers ``left`` are filled and no other (3)."""
    if numbers[T.ANY_GEM]:
        return gems & crossings(masks[T.CHAMBERS] & ~left)
    return gems & ~crossings(left)


@helper
def missing(temple, square):
    """Dice that a treasure still needs."""
    at = np.uint64(square)
    one = np.uint64(1)
    size = (temple[SIZE_LOW] >> at & one) + (temple[SIZE_HIGH] >> at & one) * np.uint64(2)
    placed = (temple[PLACED_LOW] >> at & one) + (temple[PLACED_HIGH] >> at & one) * np.uint64(2)
    return np.int64(size - placed)


@helper
def stake_of(tables, temple, released):
    """Points of releasing a set of chambers and stopping: its treasures and the gems that come along."""
    numbers, masks = tables.numbers, tables.masks
    low, high = temple[SIZE_LOW], temple[SIZE_HIGH]
    left = all_filled(temple) & ~released
    return (
        count(released & low & ~high) * numbers[T.POINTS + 1]
        + count(released & high & ~low) * numbers[T.POINTS + 2]
        + count(released & high & low) * numbers[T.POINTS + 3]
        + count(freed(numbers, masks, temple[YELLOW_GEMS], left)) * numbers[T.YELLOW_POINTS]
        + count(freed(numbers, masks, temple[PINK_GEMS], left)) * numbers[T.PINK_POINTS]
    )
