"""A game as people read it."""

import sims
from sims.engine.dice import SeededDice
from sims.tschakka_lakka.events import TempleShown

GAME = sims.game("tschakka-lakka")

TOLD = """\
Turn 1, player 1: the raccoon goes to (1, 1).
  Rolled BRR*SSS.
  1 on the large red treasure at (2, 1): 2 missing.
  Rolled RRB.
  2 on the large red treasure at (2, 1): released.
  Rolled B.
  1 on the small blue treasure at (2, 2): released.
  No die is left: the turn ends with large red treasure, small blue treasure: 4 points.
Turn 1, player 2: the raccoon goes to (5, 4).
  Rolled YYYYYYY.
  Nothing can be placed: 0 points lost.
Turn 2, player 1: the raccoon goes to (5, 4).
  Rolled GSSSSSS.
  1 on the small green treasure at (5, 5): released.
  No die is left: the turn ends with small green treasure, pink gem: 4 points.
Gems left: 0. This round is the last.
Turn 2, player 2: nothing is left to collect.
Scoring: player 1 23 points (15 for towers); player 2 0 points (0 for towers). Won by player 1."""


def test_a_whole_game_told(game):
    found, _, _ = game(
        "(2,1) R3  (2,2) B1  (5,5) G1",
        "RBSRSS* BRR B YYYYYYY GSSSSSS",
        ([(1, 1), (5, 4)], [((2, 1), 1, False), ((2, 1), 2, False), ((2, 2), 1, True), ((5, 5), 1, True)]),
        ([(5, 4)], []),
    )
    lines = [str(event) for event in found if not isinstance(event, TempleShown)]
    # letters of a roll are sorted by face
    assert "\n".join(lines) == TOLD.replace("RRB.", "BRR.")


def test_the_temple_is_drawn_after_every_turn(game):
    found, _, _ = game("(5,5) G1  (7,7) B2", "GSSSSSS", ([(4, 5)], [((5, 5), 1, True)]), ([], []), max_turns=1)
    before, after = (str(event).splitlines() for event in found if isinstance(event, TempleShown))
    assert before[0] == "     1  2  3  4  5  6  7  8"
    assert (before[1], before[7]) == (" 1   E  .. .. .. .. .. .. E", " 4   .. .. .. .. .. .. .. ..")
    assert (before[9], before[10]) == (" 5   .. .. .. .. G1 .. .. ..", "                   p")
    assert (after[7], after[9], after[10]) == (" 4   .. .. .. .. .@ .. .. ..", " 5   .. .. .. .. .. .. .. ..", "")
    assert before[13] == after[13] == " 7   .. .. .. .. .. .. B2 .."


def test_a_stop_by_choice_and_one_without_dice_are_told_apart(turn):
    for throw, why in (("GRRRRSS", "Stops"), ("GSSSSSS", "No die is left: the turn ends")):
        found, _, _ = turn("(4,4) G1", throw, (4, 5), [((4, 4), 1, True)])
        assert str(found[-1]) == f"  {why} with small green treasure, pink gem: 4 points."
    found, _, _ = turn("(4,4) G2", "GRRRRRR", (4, 5), [((4, 4), 1, True)])
    assert str(found[-1]) == "  Stops with nothing: 0 points."


def test_a_bust_says_whether_the_skulls_or_the_colours_ended_the_turn(turn):
    throws, offers = "GBSSBBB BSSB", [((4, 4), 1, False)]
    # a blue die fits the second treasure; the fourth skull ends the turn all the same
    found, _, _ = turn("(4,4) G1  (4,3) B1", throws, (4, 5), offers, skull_limit=4)
    assert str(found[-1]) == "  Too many skulls: 1 point lost."
    # no die fits, and the pink gem that the lone treasure holds is lost with it
    found, _, _ = turn("(4,4) G1", throws, (4, 5), offers)
    assert str(found[-1]) == "  Nothing can be placed: 4 points lost."


def test_an_unfinished_game_says_so_and_a_bust_by_skulls_too(game):
    found, _, _ = game("(5,5) G1", "GSSSSSS", ([(4, 5)], []), ([], []), max_turns=1, skull_limit=4)
    lines = [str(event) for event in found]
    assert "  Too many skulls: 0 points lost." in lines
    assert lines[-1] == "The game met its turn limit and is left unfinished."


def test_every_event_of_real_games_is_one_line_or_a_picture():
    variant, lineup = GAME.variant(), GAME.lineup(["random", "odds", "hold"])
    for event in GAME.replay(variant.rules, lineup, SeededDice(2, 2)):
        assert isinstance(event, TempleShown) or "\n" not in str(event)
