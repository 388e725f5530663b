"""What is counted in a game: the fields of its record and the columns of its log of decisions."""

from sims.engine.game import Field
from sims.tschakka_lakka.rules import COLOURS

GAME_FIELDS = (
    Field("winners", 16, "bit mask of the seats with the most points; 0 if unfinished", code=True),
    Field("unfinished", 2, "1 if the game met max_turns; its points are those collected, without majorities", most=1),
    Field("rounds", 301, "rounds begun; in a finished game every seat has acted in each"),
    Field("turns", 1001, "turns taken, busts and empty turns included"),
    Field("gems_left", 49, "gems still in the temple at the end"),
    Field("lead_changes", 61, "times another seat than the last sole leader became sole leader, by collected points"),
    Field("leader_lost", 2, "1 if no seat that led before the majorities has won", most=1),
    Field("majorities_decided", 2, "1 if the winners are not exactly the leaders before the majorities", most=1),
)

SEAT_FIELDS = (
    Field("score", 201, "all victory points", per_seat=True),
    Field("small", 31, "points from small treasures", per_seat=True),
    Field("medium", 61, "points from medium treasures", per_seat=True),
    Field("large", 81, "points from large treasures", per_seat=True),
    Field("yellow", 31, "points from yellow gems", per_seat=True),
    Field("pink", 21, "points from pink gems", per_seat=True),
    Field("majority", 41, "points from the towers", per_seat=True),
    Field("busts", 201, "turns that ended with nothing placeable, or too many skulls", per_seat=True),
    Field("rolls", 501, "throws of dice", per_seat=True),
    Field("stops", 101, "turns ended by stopping", per_seat=True),
    Field("dice_left", 201, "dice that could still have been rolled, summed over the stops", per_seat=True),
    Field("lost", 301, "points released, with the gems that would have come along, and lost in busts", per_seat=True),
    Field("first_turn", 31, "points collected in the seat's first turn", per_seat=True),
    *(Field(f"tower_{colour}", 31, f"final {colour} tower, as it is compared", per_seat=True) for colour in COLOURS),
)

FIELDS = (*GAME_FIELDS, *SEAT_FIELDS)

#: One row per decision to stop or to roll again, while dice are left.
LOG_COLUMNS = (
    "game",
    "turn",  # the seat's own turn, from 0
    "seat",
    "roll",  # rolls made so far in the turn, from 1
    "dice",  # dice that could be rolled again
    "colours",  # colours of the treasures then in reach
    "stake",  # points to be collected by stopping: treasures released and gems that come along
    "choice",  # 0 stop, 1 roll
    "collected",  # points that the turn brought in the end
    "bust",  # 1 if the turn ended in a bust
)
