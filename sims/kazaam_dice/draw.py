"""The board as plain text.

Every field is two lines: what stands on it (``[3^1]`` a die with 3 on top and 1 facing north, ``(M)`` Ambrosius),
and what is printed there (``A1`` ``T1`` ``f`` ``w`` ``n`` ``v1`` as in a board file, then the picture), with a
``*`` while a chip lies there. ``#`` on a border is the obstacle.
"""

from sims.engine.text import counted
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.state import State

WIDTH = 5


def draw(state: State) -> str:
    """The position, with the chips each seat holds below."""
    board = state.board
    printed = marks(board)
    lines = ["   " + "".join(f"   {column + 1}  " for column in range(board.columns)).rstrip()]
    for row in range(board.rows):
        fields = range(row * board.columns, (row + 1) * board.columns)
        lines.append(
            "   +" + "".join(_border(state, field - board.columns, field, "-" * WIDTH) + "+" for field in fields)
        )
        above, below = f" {row + 1} |", "   |"
        for field in fields:
            side = _border(state, field, field + 1, "|")
            star = "*" if field in state.chips else " "
            above += f"{_piece(state, field):^{WIDTH}}" + side
            below += f"{printed[field]:2}{star} {board.creatures[field] or ' '}" + side
        lines += [above, below]
    lines.append("   +" + ("-" * WIDTH + "+") * board.columns)
    lines += [f"   {_holdings(state, seat)}" for seat in range(state.players)]
    return "\n".join(lines)


def marks(board: Board) -> list[str]:
    """What is printed on each field, as in a board file (blank for a plain one)."""
    shown = [""] * len(board.fields)
    for letter, places in (("A", board.alchemists), ("T", board.targets), ("v", board.favourites)):
        for alchemist, field in places.items():
            shown[field] = f"{letter}{alchemist}"
    for letter, fields in (("f", board.fire), ("w", board.water), ("n", board.normal), ("M", {board.centre})):
        for field in fields:
            shown[field] = letter
    return shown


def signs(state: State) -> dict[str, str]:
    """The signs of the drawing that occur, each with what it means."""
    board = state.board
    meanings = {
        "A": "alchemists",
        "T": "their targets",
        "v": "favourite chips",
        "n": "other chips",
        "f": "fire",
        "w": "water",
        "M": "Ambrosius at first",
    }
    printed = sorted({mark for mark in marks(board) if mark})
    found: dict[str, str] = {}
    for letter, meaning in meanings.items():
        of_letter = [mark for mark in printed if mark[0] == letter]
        if of_letter:
            found[" ".join(of_letter)] = meaning
    if state.chips:
        found["*"] = "chip there"
    pictures = sorted({picture for picture in board.creatures if picture})
    if pictures:
        found[" ".join(map(str, pictures))] = "pictures"
    if state.dice:
        found["[t^n]"] = "die, t on top, n north"
    if state.ambrosius not in state.dice:
        found["(M)"] = "Ambrosius"
    if state.obstacle is not None:
        found["#"] = "obstacle"
    return found


def as_file(board: Board) -> str:
    """The board as a board file, which reads as the same board again (apart from its name)."""

    def rows(shown: list[str]) -> str:
        cells = [f"{mark or '.':3}" for mark in shown]
        lines = ["".join(cells[start : start + board.columns]).rstrip() for start in board.fields[:: board.columns]]
        return "\n".join(lines)

    seating = [list(alchemists) for alchemists in board.seating.values()]
    pictures = [str(picture or "M") for picture in board.creatures]
    quoted = board.title.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f'title = "{quoted}"\nseating = {seating}\n'
        f'map = """\n{rows(marks(board))}\n"""\ncreatures = """\n{rows(pictures)}\n"""\n'
    )


def _piece(state: State, field: int) -> str:
    if field in state.dice:
        return f"[{state.top(field)}^{state.die.north(state.dice[field])}]"
    return "(M)" if field == state.ambrosius else ""


def _border(state: State, one: int, other: int, line: str) -> str:
    """The border between two fields; the rim when the pair is no edge of the board."""
    return "#" * len(line) if state.obstacle == (one, other) else line


def _holdings(state: State, seat: int) -> str:
    own = "own favourite, " if state.favourite[seat] else ""
    on_turn = " (on turn)" if seat == state.seat else ""
    missing = state.distance(seat)
    return (
        f"seat {seat + 1}, alchemist {state.alchemists[seat]}{on_turn}: {counted(missing, 'die', 'dice')} to go; "
        f"chips: {own}{state.others[seat]} other"
    )
