"""The temple as plain text."""

from sims.tschakka_lakka.board import GEM_KINDS, Board, Gem, Square
from sims.tschakka_lakka.rules import COLOURS, LETTERS, SIZE_NAMES, Treasure


def draw(board: Board, treasures: dict[Square, Treasure], gems: tuple[Gem, ...], raccoon: Square | None) -> str:
    """The temple in text: ``B2`` a medium blue treasure, ``..`` an empty chamber, ``E`` an entrance, ``@`` the raccoon.

    Gems stand between the rows on their crossings, ``y`` yellow and ``p`` pink.

    >>> plan = Board("", ((1, 1),), ((1, 2), (2, 1), (2, 2)), (Gem("pink", 1, 1),))
    >>> print(draw(plan, {(1, 2): Treasure("green", 3), (2, 1): Treasure("red", 1)}, plan.gems, (2, 2)))
         1  2
     1   E  G3
           p
     2   R1 .@
    """
    lines = ["    " + "".join(f" {column:<2}" for column in range(1, board.width + 1))]
    for row in range(1, board.height + 1):
        cells = [_cell(board, treasures, raccoon, (row, column)) for column in range(1, board.width + 1)]
        lines.append(f"{row:2}  " + "".join(f" {cell:<2}" for cell in cells))
        between = [" "] * (3 * board.width + 4)
        for gem in gems:
            if gem.row == row:
                between[3 * gem.column + 4] = gem.kind[0]
        lines.append("".join(between))
    return "\n".join(line.rstrip() for line in lines).rstrip()


def signs(
    board: Board, treasures: dict[Square, Treasure], gems: tuple[Gem, ...], raccoon: Square | None
) -> dict[str, str]:
    """The signs of the drawing that occur, each with what it means."""
    colours = {treasure.colour for treasure in treasures.values()}
    sizes = {treasure.size for treasure in treasures.values()}
    found = {
        letter: f"a {colour} treasure" for letter, colour in zip(LETTERS, COLOURS, strict=True) if colour in colours
    }
    found |= {str(size): name for size, name in enumerate(SIZE_NAMES) if size in sizes}
    found |= {kind[0]: f"a {kind} gem" for kind in GEM_KINDS if any(gem.kind == kind for gem in gems)}
    if set(board.chambers) - set(treasures) - {raccoon}:
        found[".."] = "an empty chamber"
    if raccoon is not None:
        found["@"] = "the raccoon"
    return found | {"E": "an entrance"}


def _cell(board: Board, treasures: dict[Square, Treasure], raccoon: Square | None, square: Square) -> str:
    if square in treasures:
        return LETTERS[COLOURS.index(treasures[square].colour)] + str(treasures[square].size)
    here = square == raccoon
    if square in board.entrances:
        return "E@" if here else "E"
    if square in board.chambers:
        return ".@" if here else ".."
    return ""
