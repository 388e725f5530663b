"""What a compiled game is played in, and the questions about it that kernel and policies share."""

import numpy as np

from sims.engine.bits import ONE, count
from sims.engine.jit import helper, kernel
from sims.engine.record import numbered
from sims.tschakka_lakka.fields import SEAT_FIELDS
from sims.tschakka_lakka.squares import TWO, crossings, near
from sims.tschakka_lakka.tables import GEM_NEEDS_ANY

#: Columns of ``seats``, by the names of a seat's fields; the towers stand one beside the other.
SEAT = numbered(field.name for field in SEAT_FIELDS)
TOWERS = SEAT.tower_blue
MAX_SEATS = 4

#: Everything on the table. A policy may read all of it, since all of it lies open, and changes nothing; what the solver
#: remembers is in :mod:`.solver_memory`. Sets of squares are masks (see ``board.mask``).
WORK = np.dtype(
    [
        # The temple
        ("colours", np.uint64, 4),  # filled chambers by colour of their treasure
        ("size_low", np.uint64),  # two planes of the treasures' sizes: size = low + 2 * high
        ("size_high", np.uint64),
        ("yellow_gems", np.uint64),  # gems left, each under the number of the square above and left of it
        ("pink_gems", np.uint64),
        ("raccoon", np.uint64),  # his square; empty before he is first placed
        ("players", np.int64),
        # The turn
        ("seat", np.int64),
        ("turn", np.int64),  # the seat's own turn, from 0
        ("policy", np.int64, 4),  # the seat's policy: kind and parameters
        ("skulls", np.int64),  # set aside
        ("stake", np.int64),  # points that stopping would collect
        ("released", np.uint64),
        ("placed_low", np.uint64),  # two planes of the dice on chambers that are not released
        ("placed_high", np.uint64),
        # The roll
        ("roll", np.int64),  # of the turn, from 0
        ("dice", np.int64),  # that can be placed or rolled again
        ("matching", np.int64, 4),  # dice of each colour, jokers added
        ("targets", np.uint64),  # chambers on which at least one die can be placed
        # The seats
        ("seats", np.int64, (MAX_SEATS, len(SEAT))),
        # [square] the round, from 1, in which the chamber was emptied, the gem taken; 0: not yet
        ("emptied", np.int64, 64),
        ("gem_taken", np.int64, 64),
        # While the temple is filled: where a colour would break the restriction, the bag, the chambers' order
        ("forbidden", np.uint64, 4),
        ("bag", np.int64, 4),  # [colour]
        ("sizes", np.int64, (4, 3)),  # [colour, size - 1]
        ("order", np.int64, 64),
    ],
    align=True,
)


@kernel
def new_work():
    """Allocate the memory of a game, as ``WORK[1]``: once for many games.

    Compiled code must keep using the array, not only a record of it (``works[0]`` inside the loop over games): a
    record is a bare pointer, and Numba frees an array after the last line that names it.
    """
    return np.zeros(1, WORK)


@helper
def all_filled(work):
    """Chambers that still hold a treasure."""
    return work.colours[0] | work.colours[1] | work.colours[2] | work.colours[3]


@helper
def in_reach(work, released):
    """Filled chambers next to the raccoon or to a released one, not released themselves (2c)."""
    return near(work.raccoon | released) & all_filled(work) & ~released


@helper
def legal_places(rules, work):
    """Entrances and empty chambers next to a filled chamber (1)."""
    filled = all_filled(work)
    return (rules.entrances | (rules.chambers & ~filled)) & near(filled)


@helper
def freed(rules, gems, left):
    """Those of ``gems`` that may be taken when the chambers ``left`` are filled and no other (3)."""
    return gems & (crossings(rules.chambers & ~left) if rules.gem_needs == GEM_NEEDS_ANY else ~crossings(left))


@helper
def missing(work, square):
    """Dice that a treasure still needs."""
    at = np.uint64(square)
    size = (work.size_low >> at & ONE) + (work.size_high >> at & ONE) * TWO
    placed = (work.placed_low >> at & ONE) + (work.placed_high >> at & ONE) * TWO
    return np.int64(size - placed)


@helper
def stake_of(rules, work, released):
    """Points of releasing a set of chambers and stopping: its treasures and the gems that come along."""
    low, high = work.size_low, work.size_high
    left = all_filled(work) & ~released
    return (
        count(released & low & ~high) * rules.points[1]
        + count(released & high & ~low) * rules.points[2]
        + count(released & high & low) * rules.points[3]
        + count(freed(rules, work.yellow_gems, left)) * rules.yellow_points
        + count(freed(rules, work.pink_gems, left)) * rules.pink_points
    )
