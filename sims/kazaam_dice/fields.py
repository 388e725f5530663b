"""What is counted in a game: the fields of its record and the columns of its log of moves."""

from sims.engine.game import Field

FIELDS = (
    Field("winners", 16, "seats with the most points, as a bit mask; 0 if unfinished", code=True),
    Field("unfinished", 2, "1 if the game met max_passes or max_turns", most=1),
    Field("rounds", 400, "rounds begun"),
    Field("turns", 1200, "turns of all seats, passed ones included"),
    Field(
        "end",
        6,
        "0 own connection, 1 own and others', 2 only others', 3 last die, 4 max_passes, 5 max_turns",
        code=True,
    ),
    Field("score", 32, "victory points; in an unfinished game only those of chips", per_seat=True),
    Field("points_own", 24, "points for connecting oneself", per_seat=True),
    Field("points_other", 24, "points for having been connected by another's move", per_seat=True),
    Field("points_last", 24, "points for the last die", per_seat=True),
    Field("points_favourite", 24, "points for the own favourite chip kept", per_seat=True),
    Field("points_chips", 64, "points for other chips kept", per_seat=True),
    Field("taken", 16, "chips taken from the board", per_seat=True),
    Field("extra", 2, "own favourite chip spent on an extra move", per_seat=True),
    Field("rerolls", 16, "chips spent on rolling again", per_seat=True),
    Field("kept", 16, "chips held at the end", per_seat=True),
    Field("doubles", 200, "doubles rolled, also those cancelled or passed"),
    Field("double_place", 200, "doubles used to place a die"),
    Field("double_tip", 200, "doubles used to tip a die"),
    Field("double_ambrosius", 200, "doubles used to move Ambrosius"),
    Field("double_obstacle", 200, "doubles used to set the obstacle"),
    Field("placed", 600, "dice placed, with any roll"),
    Field("tipped", 600, "dice tipped, with any roll, those that burn or drown included"),
    Field("burnt", 200, "dice lost by tipping onto fire"),
    Field("drowned", 200, "dice lost by tipping onto water"),
    Field("dice", 65, "dice on the board at the end"),
    Field("longest_chain", 65, "dice of the largest linked group on the board at the end, whoever's it is"),
    Field(
        "lead_changes",
        200,
        "changes of the one seat with the smallest distance, looked at after each turn, before end_takes_chips; a "
        "shared smallest distance leaves the lead where it was, and the first leader does not count as a change",
    ),
    Field("passes", 400, "uses that could not be made, of extra moves too"),
)

#: What a row of the log tells. There is a row for every use of a roll, every chip taken (by ``seat``, not always the
#: one on turn) and every chip spent. ``throw`` counts the throws of the turn, ``low`` and ``high`` are the dice.
#: ``start`` and ``end`` are fields: of the die tipped, of Ambrosius, on the two sides of the obstacle; a placed die has
#: only an end, a taken chip only a start. ``orientation`` is that of the die after the move, ``lost`` 1 if it burnt or
#: drowned. ``distance`` is the seat's, ``nearest`` the smallest of the others'. -1 where nothing is to tell.
LOG_COLUMNS = (
    "game",
    "round",
    "seat",
    "throw",
    "low",
    "high",
    "kind",
    "value",
    "start",
    "end",
    "orientation",
    "lost",
    "distance",
    "distance_after",
    "nearest",
    "nearest_after",
)
