"""The compiled turn against a brute force that is written from the rulebook, and against values derived by hand.

The brute force takes every throw as a multiset of six faces (B, Y, G, R, joker, skull), in plain Python dicts, and
shares nothing with the toolkit. Squares are (row, column).
"""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest

from sims.engine import words
from sims.tschakka_lakka import decide, exact, position, solver, solver_memory
from sims.tschakka_lakka.rules import Rules
from sims.tschakka_lakka.tables import RULES
from sims.tschakka_lakka.work import new_work

JOKER, SKULL = 4, 5
POSITIONS = Path(position.__file__).parent / "positions"
TIE = 1e-9


def throws(count):
    """Every multiset of ``count`` dice with its probability."""
    for faces in combinations_with_replacement(range(6), count):
        counts = [faces.count(face) for face in range(6)]
        ways = factorial(count)
        for number in counts:
            ways //= factorial(number)
        yield counts, ways / 6**count


class Turn:
    """A turn in a temple.

    treasures: {square: (colour, size)}; worth: f(frozenset of released squares) -> value of stopping;
    gems: {frozenset of squares around: points}; hand: dice of a whole turn; limit: skulls that end it (0: none).
    """

    def __init__(self, treasures, raccoon, worth, hand=7, limit=0):
        self.treasures, self.raccoon, self.worth, self.hand, self.limit = treasures, raccoon, worth, hand, limit
        self.memo = {}

    def released(self, paid):
        return frozenset(square for square, dice in paid if dice == self.treasures[square][1])

    def targets(self, paid):
        """Chambers in reach, in reading order, with the dice they need."""
        done = self.released(paid)
        lying = dict(paid)
        for row, column in sorted(self.treasures):
            beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            if (row, column) not in done and (self.raccoon in beside or beside & done):
                yield (row, column), self.treasures[row, column][1] - lying.get((row, column), 0)

    def options(self, paid, counts):
        """What the throw allows: (chamber, dice, go on?, value, what follows), in the order that settles ties."""
        left = sum(counts[:SKULL])
        for chamber, need in self.targets(paid):
            fitting = counts[self.treasures[chamber][0]] + counts[JOKER]
            for dice in range(1, min(need, fitting) + 1):
                lying = dict(paid)
                lying[chamber] = lying.get(chamber, 0) + dice
                after = frozenset(lying.items())
                done = self.released(after)
                yield chamber, dice, False, self.worth(done), (0.0, {done: 1.0})
                if left > dice:
                    value, bust, stops = self.throw(after, left - dice)
                    yield chamber, dice, True, value, (bust, stops)

    def throw(self, paid, dice):
        """``(value, chance of a bust, {released set: chance to stop with it})`` of throwing ``dice`` dice."""
        key = (paid, dice)
        if key not in self.memo:
            skulls = self.hand - sum(lying for _, lying in paid) - dice
            value, bust, stops = 0.0, 0.0, {}
            for counts, chance in throws(dice):
                best = None
                if not self.limit or skulls + counts[SKULL] < self.limit:
                    for option in self.options(paid, counts):
                        if best is None or option[3] > best[3] + TIE:
                            best = option
                if best is None:
                    bust += chance
                    continue
                value += chance * best[3]
                bust += chance * best[4][0]
                for done, part in best[4][1].items():
                    stops[done] = stops.get(done, 0.0) + chance * part
            self.memo[key] = value, bust, stops
        return self.memo[key]


def bit(square):
    return 1 << (8 * (square[0] - 1) + square[1] - 1)


def planes(paid):
    low = sum(bit(square) for square, lying in paid if lying & 1)
    high = sum(bit(square) for square, lying in paid if lying & 2)
    return np.uint64(low), np.uint64(high)


class Case:
    """A random corner of a temple: treasures, gems, raccoon, rulings, worths, and dice placed so far."""

    def __init__(self, seed, chambers, dice, rulings=True):
        draw = self.draw = Random(seed)
        grown = [(draw.randint(2, 7), draw.randint(2, 7))]
        self.raccoon = grown[0]
        while len(grown) <= chambers:
            row, column = draw.choice(grown)
            beside = draw.choice([(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)])
            if beside not in grown and min(beside) >= 1 and max(beside) <= 8:
                grown.append(beside)
        self.treasures = {square: (draw.randrange(4), draw.choice((1, 1, 2, 2, 3))) for square in grown[1:]}
        crossings = [(i, j) for i in range(1, 8) for j in range(1, 8)]
        self.gems = {}
        for i, j in draw.sample(crossings, len(crossings)):
            group = frozenset(self.treasures) & {(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)}
            if group and len(self.gems) < 3:
                self.gems[i, j] = (draw.choice(("yellow", "pink")), group)
        self.hand = draw.randint(dice, 7)
        self.dice = dice
        self.limit = draw.choice((0, 0, 2, 3, 4)) if rulings else 0
        if self.limit and self.hand - dice >= self.limit:
            self.limit = 0
        self.any_gem = rulings and draw.random() < 0.3
        self.count = rulings and draw.random() < 0.3
        self.chamber = {square: float(size) for square, (_, size) in self.treasures.items()}
        self.gem_points = {"yellow": 2.0, "pink": 3.0}
        self.tower = [[0.0] * 8 for _ in range(4)]
        self.prize = []
        if rulings and draw.random() < 0.5:
            self.chamber = {square: draw.uniform(0, 4) for square in self.treasures}
            self.tower = [[0.0, *(draw.uniform(0, 5) for _ in range(7))] for _ in range(4)]
        elif rulings and draw.random() < 0.3:
            self.prize = [0.0, *sorted(draw.random() for _ in range(40))]

    def worth(self, released):
        """The value of a released set, from the words of the rulebook."""
        score = sum(self.chamber[square] for square in released)
        for kind, group in self.gems.values():
            if self.falls(group, released):
                score += self.gem_points[kind]
        for colour in range(4):
            sizes = [size for square, (c, size) in self.treasures.items() if c == colour and square in released]
            score += self.tower[colour][len(sizes) if self.count else sum(sizes)]
        return self.prize[round(score)] if self.prize else score

    def points(self, released):
        """Victory points of a released set: sizes and gems."""
        fallen = [kind for kind, group in self.gems.values() if self.falls(group, released)]
        return sum(self.treasures[square][1] for square in released) + sum(self.gem_points[kind] for kind in fallen)

    def falls(self, group, released):
        return bool(group & released) if self.any_gem else group <= released

    def brute(self):
        return Turn(self.treasures, self.raccoon, self.worth, self.hand, self.limit)

    def rules(self):
        """Only what the memory reads."""
        rules = np.zeros(1, RULES)[0]
        rules["gem_needs"], rules["tower"], rules["skull_limit"] = self.any_gem, self.count, self.limit
        rules["dice"] = self.hand
        rules["points"], rules["yellow_points"], rules["pink_points"] = (0, 1, 2, 3), 2, 3
        return rules

    def work(self):
        work = new_work()[0]
        for square, (colour, size) in self.treasures.items():
            work["colours"][colour] |= np.uint64(bit(square))
            work["size_low"] |= np.uint64(bit(square) * (size & 1))
            work["size_high"] |= np.uint64(bit(square) * (size >> 1))
        for crossing, (kind, _) in self.gems.items():
            work[f"{kind}_gems"] |= np.uint64(bit(crossing))
        return work

    def value(self):
        value = np.zeros(1, solver_memory.WORTH)[0]
        for (row, column), worth in self.chamber.items():
            value["chamber"][8 * (row - 1) + column - 1] = worth
        value["gem"] = self.gem_points["yellow"], self.gem_points["pink"]
        value["tower"] = self.tower
        value["prizes"] = bool(self.prize)
        value["prize"][: len(self.prize)] = self.prize
        return value

    def solve(self, memory, paid=(), dice=None):
        dice = self.dice if dice is None else dice
        skulls = self.hand - dice - sum(lying for _, lying in paid)
        return solver.solve(
            self.rules(), self.work(), self.value(), memory, np.uint64(bit(self.raccoon)), *planes(paid), dice, skulls
        )


@pytest.fixture(scope="module")
def memory():
    return solver_memory.new_memory()[0]


def agrees(case, memory, paid=frozenset(), dice=None):
    """Value, chance of a bust and stops of the solved turn are those of the brute force."""
    dice = dice or case.dice
    case.solve(memory, paid, dice)
    brute = case.brute()
    assert memory["values"][0, solver_memory.STOP] == pytest.approx(case.worth(brute.released(paid)), abs=1e-12)
    value, bust, stops = brute.throw(paid, dice)
    assert memory["values"][0, dice] == pytest.approx(value, abs=1e-9)
    points = np.zeros(1, solver_memory.WORTH)[0]
    solver_memory.count_points(case.rules(), case.work(), points)
    chances = np.zeros(64)
    found = decide.outcomes(
        case.rules(), case.work(), points, memory, dice, np.zeros((solver_memory.STATES, 8)), chances
    )
    expected = defaultdict(float)
    for released, chance in stops.items():
        expected[case.points(released)] += chance
    assert found == pytest.approx(bust, abs=1e-9)
    assert chances == pytest.approx([expected[score] for score in range(64)], abs=1e-9)
    return brute


@pytest.mark.parametrize("seed", range(60))
def test_small_positions_equal_the_brute_force(memory, seed):
    agrees(Case(seed, chambers=3 + seed % 5, dice=1 + seed % 5), memory)


@pytest.mark.parametrize("seed", range(100, 106))
def test_seven_dice_equal_the_brute_force(memory, seed):
    agrees(Case(seed, chambers=7, dice=7, rulings=seed % 2 == 0), memory)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 204))
def test_seven_dice_among_many_chambers_equal_the_brute_force(memory, seed):
    agrees(Case(seed, chambers=20, dice=7, rulings=seed % 2 == 0), memory)


@pytest.mark.parametrize("seed", range(300, 330))
def test_positions_within_a_turn_equal_the_brute_force(memory, seed):
    case = Case(seed, chambers=5, dice=5)
    brute, paid, left = case.brute(), frozenset(), 5
    for _ in range(2):
        chamber, need = case.draw.choice([*brute.targets(paid), (None, 0)])
        if chamber and left > need:
            lying = dict(paid)
            added = case.draw.randint(1, need)
            lying[chamber] = lying.get(chamber, 0) + added
            paid, left = frozenset(lying.items()), left - added
    agrees(case, memory, paid, left)


@pytest.mark.parametrize("seed", range(400, 420))
def test_the_offer_after_every_throw_is_the_best_option_of_the_brute_force(memory, seed):
    case = Case(seed, chambers=5, dice=4)
    case.solve(memory)
    brute = case.brute()
    work = case.work()
    checked, fresh = set(), [(frozenset(), 4)]
    while fresh:
        paid, left = fresh.pop()
        if (paid, left) in checked:
            continue
        checked.add((paid, left))
        done = brute.released(paid)
        # a chamber paid in two steps leaves its first die in the planes after its release
        partly = [(square, 1 if square in done else lying) for square, lying in paid]
        work["released"], (work["placed_low"], work["placed_high"]) = sum(map(bit, done)), planes(partly)
        skulls = case.hand - left - sum(lying for _, lying in paid)
        for counts, _ in throws(left):
            work["matching"] = [count + counts[JOKER] for count in counts[:JOKER]]
            work["dice"], work["skulls"] = left - counts[SKULL], skulls + counts[SKULL]
            square, dice, on = decide.offer(work, memory)
            best = None
            if not case.limit or skulls + counts[SKULL] < case.limit:
                for option in brute.options(paid, counts):
                    if best is None or option[3] > best[3] + TIE:
                        best = option
            if best is None:
                assert square == -1
                continue
            (row, column), placed, goes_on = best[:3]
            assert (square, dice, on) == (8 * (row - 1) + column - 1, placed, goes_on)
            if on:
                lying = dict(paid)
                lying[row, column] = lying.get((row, column), 0) + placed
                fresh.append((frozenset(lying.items()), left - counts[SKULL] - placed))


def test_an_offer_outside_the_solved_turn_is_refused(memory):
    case = Case(1, chambers=4, dice=4)
    case.solve(memory)
    work = case.work()
    work["dice"], work["skulls"], work["released"] = 2, case.hand - 3, 1
    with pytest.raises(ValueError, match="does not lead to"):
        decide.offer(work, memory)


@pytest.mark.parametrize("seed", range(500, 520))
def test_one_die_more_never_lowers_the_value_without_a_skull_limit(memory, seed):
    # play on as if the die were not there: it can save a roll, and no stop is worth less than a bust
    case = Case(seed, chambers=6, dice=1)
    case.limit = 0
    values = []
    for case.hand in range(1, 8):
        case.solve(memory, (), case.hand)
        values.append(memory["values"][0, case.hand])
    assert values == sorted(values)


def single(size, dice, memory, others=()):
    """Value of throwing ``dice`` dice next to one treasure that is worth 1."""
    case = Case(0, 1, 7, rulings=False)
    case.raccoon, case.gems = (4, 4), {}
    case.treasures = {(4, 5): (0, size), **{square: (0, 3) for square in others}}
    case.chamber = {(4, 5): 1.0, **{square: 0.0 for square in others}}
    case.hand = dice
    case.solve(memory, (), dice)
    return memory["values"][0, dice]


@pytest.mark.parametrize("dice", range(1, 8))
def test_a_small_treasure_is_got_unless_every_die_misses_colour_and_joker(memory, dice):
    assert single(1, dice, memory) == pytest.approx(1 - (2 / 3) ** dice, abs=1e-12)


def test_a_medium_treasure_with_two_and_three_dice_by_hand(memory):
    # Two dice: both fit (1/9), or one fits and the other, no skull, is thrown again: 2 * 1/3 * 1/2 * 1/3.
    two = Fraction(1, 9) + Fraction(1, 9)
    assert single(2, 2, memory) == pytest.approx(float(two), abs=1e-12)
    # Three: two or three fit (7/27); one fits and the others, no skulls, are thrown again (3 * 1/3 * 1/4, then 5/9);
    # one fits, one is a skull, one is thrown again (6 * 1/3 * 1/6 * 1/2, then 1/3).
    three = Fraction(7, 27) + Fraction(1, 4) * Fraction(5, 9) + Fraction(1, 6) * Fraction(1, 3)
    assert single(2, 3, memory) == pytest.approx(float(three), abs=1e-12)


def test_a_large_treasure_with_three_dice_by_hand(memory):
    # All fit (1/27); two fit, the third no skull and thrown again: 3 * 1/9 * 1/2 * 1/3;
    # one fits, two no skulls: 3 * 1/3 * 1/4, then the two dice of a medium treasure.
    value = Fraction(1, 27) + Fraction(1, 18) + Fraction(1, 4) * Fraction(2, 9)
    assert single(3, 3, memory) == pytest.approx(float(value), abs=1e-12)


def test_a_chamber_nobody_can_fill_keeps_a_turn_alive(memory):
    # One small blue treasure worth 1 and two blue dice: a large blue neighbour worth nothing changes nothing,
    # as every die that fits the one fits the other.
    assert single(1, 2, memory, others=[(5, 4)]) == pytest.approx(5 / 9, abs=1e-12)


def test_classes_are_all_throws():
    for count in range(1, 8):
        for colours in range(1, 5):
            assert sum(solver_memory.classes(count, colours).values()) == pytest.approx(1, abs=1e-12)
    assert len(solver_memory.classes(7, 4)) == 163


@pytest.mark.parametrize("seed", range(600, 606))
def test_the_best_place_remembers_only_what_still_holds(seed):
    """Chambers are emptied one after another; the place found with memory is the best of places solved afresh."""
    case, memory, fresh = Case(seed, chambers=14, dice=4), solver_memory.new_memory()[0], solver_memory.new_memory()[0]
    case.hand, case.limit, case.prize = 4, 0, []
    whole = sum(bit(square) for square in [case.raccoon, *case.treasures])
    solves, afresh = 0, 0
    while case.treasures:
        filled = sum(bit(square) for square in case.treasures)
        before = memory["epoch"]
        rules = case.rules()
        rules["chambers"] = whole
        place = decide.best_place(rules, case.work(), case.value(), memory)
        solves += memory["epoch"] - before
        values = {}
        for square in range(64):
            at = (square // 8 + 1, square % 8 + 1)
            beside = {(at[0] - 1, at[1]), (at[0] + 1, at[1]), (at[0], at[1] - 1), (at[0], at[1] + 1)}
            if whole & ~filled & bit(at) and beside & set(case.treasures):
                case.raccoon = at
                case.solve(fresh)
                values[square] = fresh["values"][0, 4]
        afresh += len(values)
        assert values[place] == pytest.approx(max(values.values()), abs=1e-9)
        assert place == min(square for square, value in values.items() if value > values[place] - 1e-9)
        assert memory["values"][0, 4] == pytest.approx(values[place], abs=1e-9)
        gone = case.draw.choice(sorted(case.treasures))
        del case.treasures[gone]
        case.gems = {
            at: (kind, group - {gone})
            for at, (kind, group) in case.gems.items()
            if group - {gone} and not (case.any_gem and gone in group)
        }
    assert decide.best_place(case.rules(), case.work(), case.value(), memory) == -1
    assert solves < afresh


def printed_points(found):
    """Points of a released set in a temple with the gems of a position."""

    def points(released):
        total = sum(found.treasures[square][1] for square in released)
        for gem in found.gems:
            rows, columns = (gem.row, gem.row + 1), (gem.column, gem.column + 1)
            group = {square for square in found.treasures if square[0] in rows and square[1] in columns}
            total += {"yellow": 2, "pink": 3}[gem.kind] * (group <= released)
        return float(total)

    return points


@pytest.mark.parametrize("path", sorted(POSITIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_solve_tells_what_the_brute_force_finds_in_whole_temples(path):
    found = position.read(path, Rules())
    answer, points = exact.solve(found), printed_points(found)
    for entry in answer.get("places", []):
        value, _, _ = Turn(found.treasures, tuple(entry["place"]), points).throw(frozenset(), 7)
        assert entry["value"] == pytest.approx(value, abs=1e-9)
    if found.raccoon is None:
        return
    brute, paid = Turn(found.treasures, found.raccoon, points), frozenset(found.paid.items())
    value, bust, stops = brute.throw(paid, found.dice)
    assert value > points(brute.released(paid))  # so that best play throws
    assert answer["value"] == pytest.approx(value, abs=1e-9)
    assert answer["bust_probability"] == pytest.approx(bust, abs=1e-9)
    expected = defaultdict(float, {0: bust})
    for released, chance in stops.items():
        expected[points(released)] += chance
    assert {row["points"] for row in answer["distribution"]} == set(expected)
    for row in answer["distribution"]:
        assert row["probability"] == pytest.approx(expected[row["points"]], abs=1e-9)
    if found.roll:
        listed = {
            (tuple(option["chamber"]), option["dice"], option["then"] == "roll"): option["value"]
            for option in answer["options"]
        }
        options = {option[:3]: option[3] for option in brute.options(paid, found.roll)}
        assert listed == pytest.approx(options, abs=1e-9)
        assert answer["options"][0]["value"] == pytest.approx(max(options.values()), abs=1e-9)


@numba.njit  # not cached: the cache of a kernel in this folder does not see an edit of the memory
def simulated(rules, work, worth, memory, games, totals):
    """Play the solved turn on addressable dice: ``totals`` gets busts, points, squared points."""
    everything = work.colours[0] | work.colours[1] | work.colours[2] | work.colours[3]
    for game in range(games):
        key = words.game_key(np.int64(11), np.int64(game))
        low, high, work.skulls, work.dice, roll = np.uint64(0), np.uint64(0), 0, 7, 0
        on = True
        while on:
            throw = words.below(key, words.address(0, 0, roll, 0), np.uint64(6) ** np.uint64(work.dice))
            counts = np.zeros(6, np.int64)
            for _ in range(work.dice):
                counts[np.int64(throw % np.uint64(6))] += 1
                throw //= np.uint64(6)
            for colour in range(4):
                work.matching[colour] = counts[colour] + counts[4]
            work.skulls += counts[5]
            work.dice -= counts[5]
            work.released = everything & ~(low ^ work.size_low) & ~(high ^ work.size_high)
            work.placed_low, work.placed_high = low & ~work.released, high & ~work.released
            square, dice, on = decide.offer(work, memory)
            if square < 0:
                totals[0] += 1
                break
            here = np.uint64(1) << np.uint64(square)
            low, high = solver.lay(low, high, here, solver.number_in(low, high, here) + dice)
            work.dice -= dice
            roll += 1
        else:
            released = everything & ~(low ^ work.size_low) & ~(high ^ work.size_high)
            points, _ = solver.appraise(rules, work, worth, released)
            totals[1] += points
            totals[2] += points * points


@pytest.mark.parametrize(("seed", "games"), [(700, 200_000), pytest.param(701, 1_000_000, marks=pytest.mark.slow)])
def test_simulated_turns_of_the_optimal_decisions_agree(memory, seed, games):
    case = Case(seed, chambers=20, dice=7, rulings=False)
    case.solve(memory)
    value = memory["values"][0, 7]
    rules, work, worth = case.rules(), case.work(), case.value()
    bust = decide.outcomes(rules, work, worth, memory, 7, np.zeros((solver_memory.STATES, 8)), np.zeros(64))
    totals = np.zeros(3)
    simulated(rules, work, worth, memory, games, totals)
    mean = totals[1] / games
    error = ((totals[2] / games - mean**2) / games) ** 0.5
    assert abs(mean - value) < 4 * error
    assert abs(totals[0] / games - bust) < 4 * (bust * (1 - bust) / games) ** 0.5
