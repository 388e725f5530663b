"""The homunculus die: its 24 orientations and how it tips.

An orientation is told by two creatures, the one on top and the one that faces north (towards row 1). The 24 are
numbered by ``(top, north)`` in ascending order, so number ``4 * (top - 1) + facing``, where ``facing``, 0 to 3,
counts the four creatures that can face north under that top, again in ascending order.
"""

from dataclasses import dataclass
from functools import cache

#: The four directions in the order of every list of moves. North is towards row 1, east towards the last column.
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")
#: (row, column) step of each direction.
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

FACES = ("top", "north", "east", "south", "west", "bottom")


@dataclass(frozen=True, order=True)
class Orientation:
    """Where the six creatures of a die look; sorted by top, then north."""

    top: int
    north: int
    east: int
    south: int
    west: int
    bottom: int

    def tipped(self, direction: int) -> "Orientation":
        """The die tipped over its edge on that side: the side opposite to it comes up, the top looks that way."""
        top, north, east, south, west, bottom = (getattr(self, face) for face in FACES)
        return (
            Orientation(south, top, east, bottom, west, north),
            Orientation(west, north, top, south, bottom, east),
            Orientation(north, bottom, east, top, west, south),
            Orientation(east, north, bottom, south, top, west),
        )[direction]

    def turned(self) -> "Orientation":
        """The die turned clockwise by 90 degrees about its own upright axis (as a whole board turns under it)."""
        return Orientation(self.top, self.west, self.north, self.east, self.south, self.bottom)


@dataclass(frozen=True)
class Die:
    """All that a die with a given net can do.

    Attributes
    ----------
    orientations : tuple of Orientation
        The 24, by number.
    tips : tuple of tuples of int
        ``tips[orientation][direction]``: the number of the orientation after tipping.
    turns : tuple of int
        ``turns[orientation]``: the number after a clockwise quarter turn of the whole board.
    """

    orientations: tuple[Orientation, ...]
    tips: tuple[tuple[int, ...], ...]
    turns: tuple[int, ...]

    def top(self, orientation: int) -> int:
        """The creature on top, 1 to 6."""
        return self.orientations[orientation].top

    def north(self, orientation: int) -> int:
        """The creature that faces north, 1 to 6."""
        return self.orientations[orientation].north

    def number(self, top: int, north: int) -> int | None:
        """The orientation with these two creatures, or None if they cannot be seen so at once."""
        for number, orientation in enumerate(self.orientations):
            if (orientation.top, orientation.north) == (top, north):
                return number
        return None


@cache
def die(net: str) -> Die:
    """The die of a net.

    Parameters
    ----------
    net : str
        The six creatures in the order top, north, east, south, west, bottom of one way the die can lie.

    Examples
    --------
    >>> standard = die("132456")
    >>> len(standard.orientations)
    24
    >>> standard.orientations[0]
    Orientation(top=1, north=2, east=4, south=5, west=3, bottom=6)
    """
    found, new = set(), [Orientation(*map(int, net))]
    while new:
        orientation = new.pop()
        if orientation not in found:
            found.add(orientation)
            new.extend(orientation.tipped(direction) for direction in range(4))
    orientations = tuple(sorted(found))
    numbers = {orientation: number for number, orientation in enumerate(orientations)}
    return Die(
        orientations,
        tuple(tuple(numbers[o.tipped(direction)] for direction in range(4)) for o in orientations),
        tuple(numbers[o.turned()] for o in orientations),
    )
