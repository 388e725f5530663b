"""The treasures' random places, in plain Python (*Game Setup*).

Which distribution. Chambers are filled one after another in random order, each with a treasure drawn from the bag, all
treasures alike, among those whose colour is allowed there; if none is, everything is taken out again and the filling
starts anew. Hence

- without a restriction (``free``) all arrangements are equally likely;
- with one, every allowed arrangement can occur, since taking treasures out of it never breaks the restriction; sizes
  are a uniform shuffle within each colour; colours, and squares that a symmetry of the board exchanges, are alike;
- arrangements are not equally likely: on the printed temple under ``pairs`` 13.6 pairs of neighbours share a colour on
  average, where a uniform draw (by long runs of random swaps) has 12.3 and an unrestricted one 25. A hand that shuffles
  discs and then moves the stubborn ones, as the rulebook has it, is no uniform draw either.

About every second attempt succeeds on the printed temple.
"""

from sims.engine.dice import SETUP, Dice
from sims.engine.errors import InputError
from sims.tschakka_lakka.board import Board, Square, load
from sims.tschakka_lakka.rules import COLOURS, Rules, Treasure

#: An attempt is hopeless on plans where the restriction cannot be met; then one line says so.
MAX_ATTEMPTS = 2000

#: Which seat's words an attempt uses: the chambers' order, the treasures.
ORDER, BAG = 0, 1

Arrangement = dict[Square, Treasure]


def draw(rules: Rules, dice: Dice) -> Arrangement:
    """Put the treasures at random into the chambers.

    Raises
    ------
    InputError
        If no attempt met the restriction.
    """
    board = load(rules.board)
    for attempt in range(MAX_ATTEMPTS):
        filled = _attempt(rules, board, dice, attempt)
        if filled is not None:
            return filled
    raise InputError(f"layout: {rules.layout!r} cannot be met with sizes {rules.sizes!r} on board {rules.board!r}")


def _attempt(rules: Rules, board: Board, dice: Dice, attempt: int) -> Arrangement | None:
    chambers = list(board.chambers)
    bag = [
        Treasure(colour, size)
        for colour in COLOURS
        for size, count in enumerate(rules.size_counts, 1)
        for _ in range(count)
    ]
    filled: Arrangement = {}
    for step in range(len(board.chambers)):
        picked = dice.below(len(chambers), turn=attempt, seat=ORDER, roll=step, purpose=SETUP)
        # The picked chamber makes way for the first of those left, which costs no shifting of a long list.
        chamber, chambers[picked] = chambers[picked], chambers[0]
        del chambers[0]
        colours = [colour for colour in COLOURS if allowed(rules.layout, filled, chamber, colour)]
        choices = [treasure for treasure in bag if treasure.colour in colours]
        if not choices:
            return None
        treasure = choices[dice.below(len(choices), turn=attempt, seat=BAG, roll=step, purpose=SETUP)]
        filled[chamber] = treasure
        bag.remove(treasure)
    return filled


def allowed(layout: str, filled: Arrangement, chamber: Square, colour: str) -> bool:
    """Whether one more treasure of this colour keeps the restriction there."""
    same = {square for square, treasure in filled.items() if treasure.colour == colour} | {chamber}
    if layout == "pairs":
        return len(group(same, chamber)) <= 2
    if layout == "no_line":
        return longest_line(same, chamber) <= 2
    return True


def group(squares: set[Square], start: Square) -> set[Square]:
    """The squares connected with ``start`` horizontally or vertically, itself among them."""
    found = {start}
    fresh = [start]
    while fresh:
        row, column = fresh.pop()
        beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        fresh += (beside & squares) - found
        found |= beside & squares
    return found


def longest_line(squares: set[Square], through: Square) -> int:
    """The length of the longer of the two unbroken lines, across and down, through a square."""
    lengths = []
    for down, across in ((0, 1), (1, 0)):
        length = 1
        for way in (-1, 1):
            row, column = through[0] + way * down, through[1] + way * across
            while (row, column) in squares:
                length += 1
                row, column = row + way * down, column + way * across
        lengths.append(length)
    return max(lengths)
