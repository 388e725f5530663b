"""Closed forms against every sequence of dice, and what ``solve`` tells about a position."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from sims.tschakka_lakka import decide, exact, position, solver, solver_memory
from sims.tschakka_lakka.rules import Rules
from sims.tschakka_lakka.tables import RULES as RULES_RECORD
from sims.tschakka_lakka.work import new_work

RULES = Rules()
JOKER, SKULL = 4, 5
POSITIONS = Path(position.__file__).parent / "positions"


def share(dice, condition):
    """Share of the 6**dice sequences of faces (0-3 colours, 4 joker, 5 skull) that meet a condition."""
    return Fraction(sum(condition(throw) for throw in product(range(6), repeat=dice)), 6**dice)


@pytest.mark.parametrize("colours", range(5))
@pytest.mark.parametrize("dice", range(1, 6))
def test_bust_chances_are_the_share_of_throws_with_nothing_to_place(dice, colours):
    def nothing(throw):
        return not any(face < colours or (face == JOKER and colours > 0) for face in throw)

    assert exact.bust_chance(dice, colours) == share(dice, nothing)


@pytest.mark.parametrize(("skulls", "limit"), [(0, 2), (1, 3), (2, 3), (0, 0)])
def test_bust_chances_under_a_skull_limit(skulls, limit):
    def ends(throw):
        placeable = any(face < 2 or face == JOKER for face in throw)
        return not placeable or (limit > 0 and skulls + throw.count(SKULL) >= limit)

    assert exact.bust_chance(4, 2, skulls, limit) == share(4, ends)


def test_the_bust_table_follows_the_formula():
    rows = {(dice, colours): chance for dice, colours, chance in exact.bust_table()}
    assert len(rows) == 35
    for (dice, colours), chance in rows.items():
        assert chance == (Fraction(5 - colours, 6) ** dice if colours else 1)
    assert dict(((d, c), chance) for d, c, chance in exact.bust_table(limit=1))[2, 4] == Fraction(11, 36)


@pytest.mark.parametrize("need", [1, 2, 3])
@pytest.mark.parametrize("dice", range(1, 6))
def test_release_at_once_is_the_share_of_throws_that_fit(dice, need):
    assert exact.release_at_once(need, dice) == share(dice, lambda throw: throw.count(0) + throw.count(JOKER) >= need)


def test_release_by_hand():
    # One throw is all a small treasure takes: whoever places a die has it.
    for dice in range(1, 8):
        assert exact.release_chance(1, dice) == 1 - Fraction(2, 3) ** dice
    # Two dice for a medium one: both fit, or one does and the other, no skull (1/2), fits then.
    assert exact.release_chance(2, 2) == Fraction(1, 9) + 2 * Fraction(1, 3) * Fraction(1, 2) * Fraction(1, 3)
    assert exact.release_chance(3, 2) == exact.release_chance(2, 1) == 0


def test_release_in_several_throws_is_the_solved_turn_next_to_one_treasure():
    rules, work, worth = np.zeros(1, RULES_RECORD)[0], new_work()[0], np.zeros(1, solver_memory.WORTH)[0]
    memory = solver_memory.new_memory()[0]
    work["colours"][0] = 1 << 1
    worth["chamber"][1] = 1
    for size, dice, at_once, several in exact.release_table():
        work["size_low"], work["size_high"] = (size & 1) << 1, (size >> 1) << 1
        solver.solve(rules, work, worth, memory, np.uint64(1), np.uint64(0), np.uint64(0), dice, 0)
        assert memory["values"][0, dice] == pytest.approx(float(several), abs=1e-12)
        assert at_once <= several


def test_expected_skulls_are_the_mean_over_all_throws():
    for dice in range(1, 6):
        assert exact.expected_skulls(dice) == Fraction(
            sum(throw.count(SKULL) for throw in product(range(6), repeat=dice)), 6**dice
        )


def solved(name, **changes):
    content = position.read_toml(POSITIONS / f"{name}.toml") | changes
    return exact.solve(position.parse({key: value for key, value in content.items() if value is not None}, RULES))


def test_a_place_is_told_best_first():
    places = solved("opening")
    assert places["exact"] is True
    assert sorted(entry["place"] for entry in places["places"]) == [[1, 1], [1, 8], [8, 1], [8, 8]]
    values = [entry["value"] for entry in places["places"]]
    assert values == sorted(values, reverse=True)
    for entry in places["places"]:
        assert solved("opening", raccoon=entry["place"])["value"] == pytest.approx(entry["value"], abs=1e-12)


def test_a_position_with_a_raccoon_tells_the_turn():
    answer = solved("first-roll", roll=None)
    assert list(answer) == ["exact", "value", "stop", "bust_probability", "first_roll_bust", "distribution", "states"]
    assert json.loads(json.dumps(answer)) == answer
    rows = answer["distribution"]
    assert sum(row["probability"] for row in rows) == pytest.approx(1, abs=1e-12)
    assert sum(row["points"] * row["probability"] for row in rows) == pytest.approx(answer["value"], abs=1e-9)
    # nothing is released yet
    assert answer["stop"] == 0
    # blue and green are in reach: half of the faces are of use
    assert answer["first_roll_bust"] == pytest.approx(0.5**7, abs=1e-15)


def test_the_illustrated_rolls():
    first = solved("first-roll")["options"]
    # the one blue die can go nowhere but on the medium blue treasure; nothing is released, so a stop is worth nothing
    assert [(option["chamber"], option["dice"], option["then"]) for option in first] == [
        ([3, 5], 1, "roll"),
        ([3, 5], 1, "stop"),
    ]
    assert first[1]["value"] == 0
    second = solved("second-roll")
    assert first[0]["value"] == pytest.approx(second["value"], abs=1e-12)
    offers = {(*option["chamber"], option["dice"], option["then"]): option["value"] for option in second["options"]}
    # a second blue die releases the medium treasure, a green one the small treasure; two green dice are one too many
    assert set(offers) == {(*at, 1, then) for at in ((3, 5), (4, 4)) for then in ("stop", "roll")}
    assert offers[4, 4, 1, "stop"] == 1
    assert offers[3, 5, 1, "stop"] == 2


def test_a_stop_at_once_is_best_play_where_a_throw_risks_more():
    lines = ["E " + ".. " * 6 + "E", *[".. " * 8] * 6, "E " + ".. " * 6 + "E"]
    lines[3] = ".. .. .. .. G3 R1 .. .."
    answer = exact.solve(position.parse({"board": lines, "raccoon": [4, 4], "dice": 1, "released": [[4, 5]]}, RULES))
    # three points in hand; the last die brings one more with chance 1/3 and else loses all
    assert answer["value"] == answer["stop"] == 3
    assert answer["bust_probability"] == 0
    assert answer["distribution"] == [{"points": 3, "probability": 1.0}]
    assert answer["first_roll_bust"] == pytest.approx(2 / 3, abs=1e-15)


def test_a_gem_goes_with_the_last_chamber_around_it():
    answer = solved("last-gems")
    # one point in hand, the medium green treasure brings two, and no gem while the red one lies there
    assert {row["points"] for row in answer["distribution"]} <= {0, 1, 3, 9}
    # with the large red treasure the pink gem falls too: 1 + 2 + 3 + 3, which six dice can do
    assert answer["distribution"][-1]["points"] == 9


def test_a_bust_has_no_options():
    assert solved("second-roll", roll="SRYR")["options"] == []


def test_no_die_left_leaves_only_the_stop():
    options = solved("second-roll", dice=1, roll="B")["options"]
    assert [(option["chamber"], option["then"], option["value"]) for option in options] == [([3, 5], "stop", 2.0)]


def test_every_ruling_on_the_turn_changes_an_answer():
    content = position.read_toml(POSITIONS / "first-roll.toml")
    plain = exact.solve(position.parse(content, RULES))
    for key, value in (("gem_needs", "any"), ("skull_limit", 3), ("large_points", 5), ("pink_points", 0)):
        changed = exact.solve(position.parse(content, Rules(**{key: value})))
        assert changed["value"] != pytest.approx(plain["value"], abs=1e-6), key


def test_kernels_have_one_signature():
    solved("first-roll")
    for compiled in (solver.solve, decide.outcomes, solver_memory.count_points, solver_memory.new_memory):
        assert len(compiled.signatures) == 1


def test_a_stop_may_be_worth_more_than_its_points():
    lines = ["E " + ".. " * 6 + "E", *[".. " * 8] * 6, "E " + ".. " * 6 + "E"]
    lines[3] = ".. .. .. .. B1 .. .. .."
    found = position.parse({"board": lines, "raccoon": [4, 4], "gems_taken": [[3, 5], [3, 3]]}, RULES)
    solver = exact.TurnSolver(found)
    solver.run((4, 4), {}, 3)
    released = 1 - (2 / 3) ** 3
    assert solver.values(3)[1] == pytest.approx(released, abs=1e-12)
    # the treasure lifts the blue tower by one, which is worth five
    solver.worth["tower"][0, 1:] = 5
    solver.run((4, 4), {}, 3)
    assert solver.values(3)[1] == pytest.approx(6 * released, abs=1e-12)
    # with one point (or six) the game is won, with none it may be lost
    solver.worth["prizes"], solver.worth["prize"][:7] = 1, (0.25, 1, 1, 1, 1, 1, 1)
    solver.worth["prize"] -= 0.25
    solver.run((4, 4), {}, 3)
    assert solver.values(3)[1] == pytest.approx(0.75 * released, abs=1e-12)
    # the distribution stays one of points
    bust, chances = solver.play_out(3)
    assert chances[1] == pytest.approx(released, abs=1e-12)
    assert bust == pytest.approx(1 - released, abs=1e-12)
