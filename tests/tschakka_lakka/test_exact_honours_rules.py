"""Every rule against every exact answer: the answer moves as a brute force says, is refused, or the rule cannot matter.

Exact answers are the bust odds, the release odds, and the solved turn (value, distribution, odds of the next roll). The
brute force below reads the same ``Rules``, takes every throw as a multiset of faces, and shares nothing with the solver.
"""

import dataclasses
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import pytest

import sims
from analysis.chapter import Study
from analysis.chapters.tschakka_lakka import odds
from sims.engine.errors import InputError
from sims.tschakka_lakka import board, exact, position
from sims.tschakka_lakka.rules import Rules

GAME = sims.game("tschakka-lakka")
#: Four dice keep the brute force small; the limit of skulls is two.
PLAIN = Rules(board="tiny-3x3", sizes="1/1/0", end_gems=0, dice=4, skull_limit=2)
TEMPLE = {"board": ["E  B1 Y2", "R2 G1 B2", "Y1 R1 G2"]}
#: At the start, and later, when the yellow gem is held by three chambers and the pink one by two.
TURN = {**TEMPLE, "raccoon": [1, 1]}
LATER = {"board": ["E  B1 ..", ".. G1 B2", ".. R1 G2"], "raccoon": [1, 1]}

#: What moves the solved turn, and to what.
MOVES = {
    "gem_needs": "any",
    "skull_limit": 3,
    "dice": 3,
    "small_points": 4,
    "medium_points": 5,
    "yellow_points": 7,
    "pink_points": 9,
}
#: What makes the position one of another game, and what is said then.
REFUSED = {
    "board": ({"board": "small-4x4", "sizes": "1/1/1"}, "board: 3 lines; the temple has 4"),
    "sizes": ({"sizes": "2/0/0"}, "board: 1 of Y2 (medium yellow); there are 0 (sizes = 2/0/0)"),
}
#: What cannot matter to a turn, its reason and another value.
CANNOT = {
    "large_points": ("no large treasure lies in this temple; moved in a test of its own", 20),
    "layout": ("says how treasures come to lie; a position says where they lie", "free"),
    "tower": ("towers are compared after the last turn", "count"),
    "highest_points": ("towers score after the last turn", 20),
    "highest_tied_points": ("towers score after the last turn", 20),
    "second_points": ("towers score after the last turn", 20),
    "second_tied_points": ("towers score after the last turn", 20),
    "second_players": ("towers score after the last turn", 5),
    "end_gems": ("ends a game after a round, never a turn", 2),
    "max_turns": ("ends a game before a turn, never within one", 1),
}
FIELDS = [field.name for field in dataclasses.fields(Rules)]


@cache
def throws(count):
    """Every multiset of faces (0-3 colours, 4 raccoon, 5 skull) with its probability."""
    found = []
    for faces in combinations_with_replacement(range(6), count):
        seen = Counter(faces)
        ways = factorial(count)
        for number in seen.values():
            ways //= factorial(number)
        found.append((seen, Fraction(ways, 6**count)))
    return found


def brute(rules, treasures, gems, raccoon):
    """``(value, {points: chance})`` of a turn under best play, by the words of the rulebook.

    treasures: {square: (colour, size)}; gems: [(kind, chambers around it)].
    """
    points = {1: rules.small_points, 2: rules.medium_points, 3: rules.large_points}
    gem_points = {"yellow": rules.yellow_points, "pink": rules.pink_points}

    def stop(released):
        total = sum(points[treasures[at][1]] for at in released)
        for kind, around in gems:
            gone = [at in released for at in around if at in treasures]
            if all(gone) if rules.gem_needs == "all" else any(gone):
                total += gem_points[kind]
        return total

    @cache
    def throw(paid, dice, skulls):
        lying = dict(paid)
        released = {at for at, placed in paid if placed == treasures[at][1]}
        value, chances = Fraction(0), Counter()
        for seen, chance in throws(dice):
            best, outcome = 0, {0: Fraction(1)}  # the bust
            if not (rules.skull_limit and skulls + seen[5] >= rules.skull_limit):
                for at, (colour, size) in treasures.items():
                    beside = [(at[0] + i, at[1] + j) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))]
                    if at in released or not (raccoon in beside or released & set(beside)):
                        continue
                    for placed in range(1, min(size - lying.get(at, 0), seen[colour] + seen[4]) + 1):
                        after = tuple(sorted({**lying, at: lying.get(at, 0) + placed}.items()))
                        done = frozenset(square for square, dice in after if dice == treasures[square][1])
                        left = dice - seen[5] - placed
                        options = [(Fraction(stop(done)), {stop(done): Fraction(1)})]
                        if left:
                            options.append(throw(after, left, skulls + seen[5]))
                        for worth, stops in options:
                            if worth > best:
                                best, outcome = worth, stops
            value += chance * best
            for scored, part in outcome.items():
                chances[scored] += chance * part
        return value, chances

    return throw((), rules.dice, 0)


def by_hand(rules, content):
    """The brute force for a position of treasures and gems that all still lie there."""
    treasures = {
        (i, j): ("BYGR".index(token[0]), int(token[1]))
        for i, line in enumerate(content["board"], 1)
        for j, token in enumerate(line.split(), 1)
        if token[0] in "BYGR"
    }
    plan = board.load(rules.board)
    gems = []
    for gem in plan.gems:
        around = [at for at in plan.chambers if at[0] - gem.row in (0, 1) and at[1] - gem.column in (0, 1)]
        filled = [at for at in around if at in treasures]
        # where the first emptied chamber frees a gem, it is gone once a chamber is empty
        if filled and (rules.gem_needs == "all" or filled == around):
            gems.append((gem.kind, filled))
    return brute(rules, treasures, gems, tuple(content["raccoon"]))


def solved(rules, content=TURN):
    return exact.solve(position.parse(content, rules))


def test_every_rule_is_handled_once():
    assert sorted([*MOVES, *REFUSED, *CANNOT]) == sorted(FIELDS)
    assert all(other != getattr(PLAIN, name) for name, other in MOVES.items())
    assert all(other != getattr(PLAIN, name) for name, (_, other) in CANNOT.items())


@pytest.mark.parametrize("name", ["plain", *MOVES])
def test_the_solved_turn_follows_the_rule(name):
    rules = PLAIN if name == "plain" else dataclasses.replace(PLAIN, **{name: MOVES[name]})
    moved = False
    for content, colours in ((TURN, 2), (LATER, 1)):
        found = solved(rules, content)
        value, chances = by_hand(rules, content)
        assert found["value"] == pytest.approx(float(value), abs=1e-12)
        next_roll = bust_by_hand(rules.dice, colours, rules.skull_limit)
        assert found["first_roll_bust"] == pytest.approx(float(next_roll), abs=1e-15)
        mean = sum(row["points"] * row["probability"] for row in found["distribution"])
        assert mean == pytest.approx(float(value), abs=1e-12)
        # a stop with nothing brings 0 points too
        assert 0 < found["bust_probability"] <= float(chances[0]) + 1e-12
        moved |= abs(found["value"] - solved(PLAIN, content)["value"]) > 1e-6
    assert moved == (name != "plain")


@pytest.mark.parametrize("points", [3, 8])
def test_points_of_large_treasures_move_the_turn_too(points):
    rules = Rules(board="tiny-2x2", sizes="0/0/1", end_gems=0, dice=5, large_points=points, yellow_points=0)
    content = {"board": ["E B3 R3", "# Y3 G3"], "raccoon": [1, 1]}
    assert solved(rules, content)["value"] == pytest.approx(float(by_hand(rules, content)[0]), abs=1e-12)


@pytest.mark.parametrize("name", REFUSED)
def test_a_position_of_another_game_is_refused_in_one_line(name):
    changes, says = REFUSED[name]
    with pytest.raises(InputError) as error:
        solved(dataclasses.replace(PLAIN, **changes))
    assert says in str(error.value)


@pytest.mark.parametrize("name", CANNOT)
def test_what_cannot_matter_to_a_turn_does_not(name):
    other = dataclasses.replace(PLAIN, **{name: CANNOT[name][1]})
    assert solved(other) == solved(PLAIN)
    assert solved(other, TEMPLE) == solved(PLAIN, TEMPLE)


# -- odds tables


def bust_by_hand(dice, colours, limit):
    return sum(
        chance
        for seen, chance in throws(dice)
        if (limit and seen[5] >= limit) or not any(seen[face] for face in (*range(colours), *([4] if colours else [])))
    )


@cache
def release_by_hand(need, dice, skulls, limit, once=False):
    """Chance to release a blue treasure that needs so many dice more, playing for nothing else."""
    total = Fraction(0)
    for seen, chance in throws(dice):
        fitting, fallen = seen[0] + seen[4], skulls + seen[5]
        if fitting == 0 or (limit and fallen >= limit):
            continue
        if fitting >= need:
            total += chance
        elif not once:
            ways = [release_by_hand(need - k, dice - seen[5] - k, fallen, limit) for k in range(1, fitting + 1)]
            total += chance * max(ways)
    return total


@pytest.mark.parametrize("limit", range(8))
def test_release_odds_count_the_skulls(limit):
    rows = {(size, dice): chances for size, dice, *chances in exact.release_table(limit)}
    assert len(rows) == 21
    for (size, dice), (at_once, several) in rows.items():
        assert at_once == release_by_hand(size, dice, 0, limit, once=True)
        assert several == release_by_hand(size, dice, 0, limit)


def test_release_odds_of_seven_dice_with_and_without_a_limit_of_four():
    percent = {
        limit: [round(100 * float(several), 3) for _, dice, _, several in exact.release_table(limit) if dice == 7]
        for limit in (0, 4)
    }
    assert percent == {0: [94.147, 90.501, 80.279], 4: [92.797, 88.174, 78.336]}


@pytest.mark.parametrize(("skulls", "limit"), [(0, 3), (1, 3), (2, 3), (1, 2)])
def test_release_odds_with_skulls_already_aside(skulls, limit):
    for size in (1, 2, 3):
        assert exact.release_at_once(size, 4, skulls, limit) == release_by_hand(size, 4, skulls, limit, once=True)
        assert exact.release_chance(size, 4, skulls, limit) == release_by_hand(size, 4, skulls, limit)


#: Rules that change the two closed tables; no other rule speaks of dice, faces, skulls or the sizes that there are.
CLOSED = {"dice": 5, "skull_limit": 3, "sizes": "7/8/0"}


def table(build, **changes):
    study = Study(GAME, GAME.variant("standard", changes), GAME.lineup((), 2), None, 100, 1)
    return build(study)


@pytest.mark.parametrize("name", FIELDS)
def test_the_closed_tables_follow_the_rules_that_speak_of_dice_and_of_nothing_else(name):
    plain = {build: table(build).frame for build in (odds.bust, odds.release)}
    if name in CLOSED:
        limit, hand = (
            (CLOSED["skull_limit"], 7) if name == "skull_limit" else (0, CLOSED["dice"] if name == "dice" else 7)
        )
        for row in table(odds.bust, **{name: CLOSED[name]}).frame.itertuples():
            assert row.dice <= hand
            assert row.bust == pytest.approx(float(bust_by_hand(row.dice, row.colours, limit)))
        release = table(odds.release, **{name: CLOSED[name]}).frame
        assert set(release["needs"]) == ({1, 2} if name == "sizes" else {1, 2, 3})
        assert set(release["dice"]) == set(range(1, hand + 1))
        for row in release.itertuples():
            assert row.one_roll == pytest.approx(float(release_by_hand(row.needs, row.dice, 0, limit, once=True)))
            assert row.several_rolls == pytest.approx(float(release_by_hand(row.needs, row.dice, 0, limit)))
        assert not release.equals(plain[odds.release])
        return
    changes = {
        "board": {"board": "small-4x4", "sizes": "1/1/1"},
        "gem_needs": {"gem_needs": "any"},
        **{rule: {rule: other} for rule, (_, other) in CANNOT.items()},
        **{rule: {rule: MOVES[rule]} for rule in MOVES if rule.endswith("points")},
    }[name]
    for build, frame in plain.items():
        assert table(build, **changes).frame.equals(frame)
