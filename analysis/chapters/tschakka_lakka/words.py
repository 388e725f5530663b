"""What people call the players and the readings of Tschakka Lakka's ambiguous rules."""

import sims
from analysis.balance import called

#: What people call a reading; the key stands beside it in the tables.
READINGS = {
    ("gem_needs", "all"): "Asking for all four chambers around a gem",
    ("gem_needs", "any"): "Letting one emptied chamber free a gem",
    ("tower", "height"): "Measuring towers by height",
    ("tower", "count"): "Counting the treasures of a tower",
    ("layout", "pairs"): "Allowing at most two of a colour together",
    ("layout", "no_line"): "Forbidding three of a colour in a line",
    ("layout", "free"): "Dealing the treasures freely",
    ("skull_limit", "0"): "Setting no limit on skulls",
    ("skull_limit", "3"): "Ending a turn at the third skull",
    ("skull_limit", "4"): "Ending a turn at the fourth skull",
    ("sizes", "5/5/5"): "Using five treasures of each size and colour",
    ("sizes", "6/5/4"): "Using six small, five medium and four large treasures of each colour",
    ("sizes", "7/5/3"): "Using seven small, five medium and three large treasures of each colour",
}
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def player(policy: str) -> str:
    """Who plays so: ``the five-line card``."""
    return called(sims.game("tschakka-lakka"), policy)
