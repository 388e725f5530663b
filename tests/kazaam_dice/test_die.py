"""The die: 24 orientations, opposite faces, the way round 1-2-3, tipping as turning a solid cube in space."""

import itertools

import numpy as np
import pytest

from sims.kazaam_dice.die import STEPS, die

#: Where each face looks: x east, y north, z up.
SPACE = {
    "top": (0, 0, 1),
    "north": (0, 1, 0),
    "east": (1, 0, 0),
    "south": (0, -1, 0),
    "west": (-1, 0, 0),
    "bottom": (0, 0, -1),
}


def faces(orientation):
    """Creature -> direction in space."""
    return {getattr(orientation, face): np.array(vector) for face, vector in SPACE.items()}


@pytest.fixture
def standard():
    return die("132456")


def test_there_are_24_orientations_told_by_top_and_north(standard):
    assert len(standard.orientations) == 24
    assert len({(o.top, o.north) for o in standard.orientations}) == 24
    assert list(standard.orientations) == sorted(standard.orientations, key=lambda o: (o.top, o.north))
    assert [standard.top(number) for number in range(24)] == [1 + number // 4 for number in range(24)]


def test_opposite_faces_are_1_and_6_2_and_5_3_and_4(standard):
    for o in standard.orientations:
        assert {o.top + o.bottom, o.north + o.south, o.east + o.west} == {7}


def test_seen_from_their_corner_1_2_3_run_counter_clockwise(standard):
    # Three directions run counter-clockwise, seen from outside, if their determinant is positive.
    for o in standard.orientations:
        space = faces(o)
        assert round(np.linalg.det([space[1], space[2], space[3]])) == 1


def test_tipping_turns_the_cube_in_space_about_a_horizontal_axis(standard):
    for o, direction in itertools.product(standard.orientations, range(4)):
        row, column = STEPS[direction]
        way = np.array([column, -row, 0])
        axis = np.cross([0, 0, 1], way)  # turning about it carries what is on top into the direction of the tip
        after = faces(o.tipped(direction))
        for creature, vector in faces(o).items():
            turned = np.cross(axis, vector) + axis * (axis @ vector)
            assert (after[creature] == turned).all()


def test_four_tips_the_same_way_return(standard):
    for number, direction in itertools.product(range(24), range(4)):
        now = number
        seen = []
        for _ in range(4):
            now = standard.tips[now][direction]
            seen.append(now)
        assert seen[-1] == number
        assert len(set(seen)) == 4


def test_tipping_there_and_back_returns(standard):
    for number, direction in itertools.product(range(24), range(4)):
        assert standard.tips[standard.tips[number][direction]][(direction + 2) % 4] == number


def test_a_die_turned_on_the_spot_keeps_its_top(standard):
    for number, o in enumerate(standard.orientations):
        turned = standard.orientations[standard.turns[number]]
        assert (turned.top, turned.east) == (o.top, o.north)


def test_the_mirrored_net_is_another_die(standard):
    mirrored = die("123546")
    assert mirrored.orientations[0].east != standard.orientations[0].east
    assert len(mirrored.orientations) == 24


def test_impossible_pairs_have_no_number(standard):
    assert standard.number(1, 6) is None
    assert standard.number(1, 1) is None
