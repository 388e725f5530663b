"""What a record of Tacatuca holds. Seats are counted from 1 in records; 0 is nobody."""

from sims.engine.game import Field

#: In the order of the columns.
FIELDS = (
    Field("winners", 16, "bit mask of the winner's seat; 0 if the game was not finished", code=True),
    Field("unfinished", 2, "1 if the limit of rounds was met with more than one player left", most=1),
    Field("rounds", 1024, "rounds played"),
    Field("place", 5, "1 for the winner; later leavers before earlier ones, a shared round shares the place; "
          "0 for a seat still in an unfinished game", per_seat=True, zero_is_none=True, most=4),
    Field("left_round", 1024, "round in which the seat ran out of pins; 0 if it never did", per_seat=True,
          zero_is_none=True),
    Field("comeback", 1001, "fewest pins the winner held at the start or after a round; 0 if unfinished", zero_is_none=True),
    Field("lead_changes", 128, "times the sole leader was another seat than the sole leader before"),
    Field("leads_since", 1024, "round after which the winner was sole leader for good; 0 if unfinished", zero_is_none=True),
    Field("idle_rounds", 512, "rounds in which no pin moved"),
    Field("pins_moved", 4096, "pins handed over in the whole game"),
    *(Field(f"quarter_leader_{quarter}", 5, f"sole leader after round rounds * {quarter} // 4; 0 if shared", code=True)
      for quarter in (1, 2, 3)),
    *(Field(f"quarter_pins_{quarter}", 4001, f"pins of the leader after round rounds * {quarter} // 4")
      for quarter in (1, 2, 3)),
)  # fmt: skip
