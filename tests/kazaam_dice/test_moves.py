"""Words and searches against plain definitions, and positions that turn with the board."""

import itertools
import random
from collections import deque

import numpy as np
import pytest

from sims.engine.words import game_key
from sims.kazaam_dice import GAME, moves, work
from sims.kazaam_dice.die import die
from sims.kazaam_dice.players import write
from sims.kazaam_dice.policies import BALANCED, ROSTER, decide, distance_after, expected_distance, look
from sims.kazaam_dice.state import State
from sims.kazaam_dice.tables import build_tables
from sims.kazaam_dice.turn import OVER, ROLL, TAKE, USE, new_game, step, throw

VARIANTS = [
    ("standard", 4, {}),
    ("small", 3, {"chain_ends": "beside", "placing": "any"}),
    ("small", 2, {"fire_water": "no_suicide", "double_placing": "any"}),
    ("duel", 2, {}),
]


class Table:
    """A game driven from Python by random answers, with the kernel's state in plain sight."""

    def __init__(self, name, players, changes, seed):
        self.rules = GAME.variant(name, changes).rules
        self.board, self.players, self.cube = self.rules.load_board(), players, die(self.rules.die)
        self.t = build_tables(self.rules, players).rules[0]
        self.states, self.scratches = np.zeros(2, work.STATE), np.zeros(2, work.SCRATCH)
        self.g, self.scratch = self.states[0], self.scratches[0]
        self.random, self.key = np.random.default_rng(seed), game_key(seed, 0)
        self.key = tuple(np.uint64(half % (1 << 64)) for half in self.key)
        new_game(self.t, self.g)

    def walk(self, limit=60):
        """The table at each decision of the game; the record is changed in place."""
        for _ in range(limit):
            if self.g["due"] == OVER:
                return
            if self.g["due"] == ROLL:
                throw(self.t, self.g, self.scratch, self.key)
                continue
            yield self
            choices = int(self.g["uses"]) if self.g["due"] == USE else 2
            step(self.t, self.g, self.scratch, int(self.random.integers(choices)))

    @property
    def dice(self):
        return fields(self.g["tops"][0])

    @property
    def uses(self):
        return [int(use) for use in self.scratch["uses"][: self.g["uses"]]]

    def open(self, ambrosius=None, obstacle=None):
        """Ways between fields, for a plain search: ``{field: neighbours}`` past the obstacle and Ambrosius."""
        ambrosius = fields(self.g["ambrosius"] if ambrosius is None else ambrosius)
        obstacle = self.g["obstacle"] if obstacle is None else obstacle
        closed = {self.board.edges[obstacle - 1]} if obstacle else set()
        return {
            one: [
                other
                for other in self.board.neighbours[one]
                if (min(one, other), max(one, other)) not in closed and other not in ambrosius
            ]
            for one in self.board.fields
        }

    def held(self, seat, dice):
        alchemist = self.board.seats(self.players)[seat]
        ends = (self.board.alchemists[alchemist], self.board.targets[alchemist])
        return ends, dice | (set(ends) if self.rules.chain_ends == "beside" else set())

    def missing(self, seat, dice, ambrosius=None, obstacle=None):
        """Distance by a queue over single fields: dice at its front, free fields at its end."""
        (home, goal), held = self.held(seat, dice)
        ways = self.open(ambrosius, obstacle)
        queue, seen = deque([(int(home not in held), home)]), set()
        while queue:
            cost, field = queue.popleft()
            if field == goal:
                return cost
            if field not in seen:
                seen.add(field)
                for near in ways[field]:
                    if near in held:
                        queue.appendleft((cost, near))
                    else:
                        queue.append((cost + 1, near))
        return len(self.board.fields)

    def chain(self, seat):
        (home, _), held = self.held(seat, self.dice)
        reached, new = set(), [home] if home in held else []
        ways = self.open()
        while new:
            field = new.pop()
            if field not in reached:
                reached.add(field)
                new += [near for near in ways[field] if near in held]
        return reached


def fields(word):
    return {field for field in range(64) if int(word) >> field & 1}


def word(places):
    return np.uint64(sum(1 << field for field in places))


def tables(limit=60, seeds=3):
    for name, players, changes in VARIANTS:
        for seed in range(seeds):
            yield from Table(name, players, changes, seed).walk(limit)


def test_a_position_is_always_sound():
    seen = set()
    for table in tables():
        g = table.g
        tops = [fields(top) for top in g["tops"]]
        assert sum(len(top) for top in tops[1:]) == len(set().union(*tops[1:])) == len(tops[0])
        assert set().union(*tops[1:]) == tops[0]
        assert g["supply"] + len(tops[0]) == table.rules.supply
        assert not fields(g["ambrosius"]) & tops[0]
        for field in tops[0]:
            assert 0 <= g["orientation"][field] < 24
            creature = table.cube.top(g["orientation"][field])
            assert field in tops[creature]
            assert field not in table.board.fire or str(creature) in table.rules.fire
            assert field not in table.board.water or str(creature) in table.rules.water
        assert len(set(table.uses)) == len(table.uses)
        seen.add(int(g["due"]))
    assert seen == {0, 1, 2, TAKE}


def test_chains_and_distances_are_those_of_a_plain_search():
    distances = set()
    for table in tables():
        g, t = table.g, table.t
        for seat in range(table.players):
            missing = work.distance(t, g["tops"][0], g["ambrosius"], g["obstacle"], seat)
            assert missing == table.missing(seat, table.dice)
            chain = table.chain(seat)
            assert work.connected(t, g["obstacle"], g["tops"][0], seat) == (table.held(seat, set())[0][1] in chain)
            assert fields(work.reached_chips(t, g, seat)) == chain & fields(g["chips"]) & table.dice
            distances.add(missing)
    assert {1, 2, 3, 4, 5, 6, 7} <= distances


def test_the_largest_group_is_that_of_a_plain_search():
    sizes = set()
    for table in tables():
        left, largest, ways = set(table.dice), 0, table.open()
        while left:
            new, size = [left.pop()], 0
            while new:
                size += 1
                for near in set(ways[new.pop()]) & left:
                    left.remove(near)
                    new.append(near)
            largest = max(largest, size)
        assert work.largest_group(table.t, table.g["obstacle"], table.g["tops"][0]) == largest
        sizes.add(largest)
    assert len(sizes) > 8


def test_wanted_fields_are_those_on_which_one_die_shortens_the_distance():
    for table in tables(40, 2):
        g = table.g
        for seat in range(table.players):
            missing, wanted = work.wanted(table.t, table.scratch, g["tops"][0], g["ambrosius"], g["obstacle"], seat)
            assert missing == table.missing(seat, table.dice)
            free = set(table.board.fields) - table.dice - fields(g["ambrosius"])
            shortens = {field for field in free if table.missing(seat, table.dice | {field}) < missing}
            assert fields(wanted % (1 << 64)) == shortens


def test_the_position_after_a_use_is_the_same_looked_up_or_made():
    for table in tables(30, 1):
        if table.g["due"] != USE:
            continue
        for use in table.uses:
            dice, ambrosius, obstacle = moves.after_use(table.t, table.g, use)
            made = table.states.copy()
            moves.make_use(table.t, made[0], use)
            assert (int(dice) % (1 << 64), int(ambrosius) % (1 << 64), obstacle) == (
                int(made[0]["tops"][0]),
                int(made[0]["ambrosius"]),
                int(made[0]["obstacle"]),
            )


def test_distances_after_every_use_are_those_of_a_plain_search():
    checked = 0
    for table in tables(30, 2):
        if table.g["due"] != USE:
            continue
        look(table.t, table.g, table.scratch, BALANCED)
        for use in table.uses[:: 1 + len(table.uses) // 40]:
            dice, ambrosius, obstacle = moves.after_use(table.t, table.g, use)
            for seat in range(table.players):
                found = distance_after(table.t, table.g, table.scratch, use, seat)
                assert found == table.missing(seat, fields(dice % (1 << 64)), ambrosius % (1 << 64), obstacle)
                checked += 1
    assert checked > 2000


def test_the_expected_distance_is_that_of_trying_all_36_rolls():
    checked = 0
    for table in tables(40, 2):
        if table.g["due"] != USE or table.random.integers(12):
            continue
        checked += 1
        seat, total = int(table.g["seat"]), 0
        now = table.missing(seat, table.dice)
        for roll in itertools.product(range(1, 7), repeat=2):
            states, scratches = table.states.copy(), table.scratches.copy()
            states[0]["low"], states[0]["high"] = sorted(roll)
            count = moves.list_uses(table.t, states[0], scratches[0])
            results = set()
            for use in scratches[0]["uses"][:count]:
                dice, ambrosius, obstacle = moves.after_use(table.t, states[0], int(use))
                results.add((int(dice) % (1 << 64), int(ambrosius) % (1 << 64), obstacle))
            total += min(
                (table.missing(seat, fields(dice), ambrosius, obstacle) for dice, ambrosius, obstacle in results),
                default=now,
            )
        assert expected_distance(table.t, table.g, table.scratch) == total
    assert checked > 10


def one_way_out(rules, more, seed):
    """A board full of dice but for ``more`` fields and the only way out of the own corner, which Ambrosius makes narrow."""
    state, pick = State.start(rules, 2), random.Random(seed)
    state.seat = pick.randrange(2)
    corner = state.board.alchemists[state.alchemists[state.seat]]
    state.ambrosius, gap = pick.sample(state.board.neighbours[corner], 2)
    others = [field for field in state.board.fields if field not in (gap, state.ambrosius)]
    for field in pick.sample(others, len(others) - more):
        tops = [number for number in range(24) if state.may_enter(state.die.top(number), field)]
        state.dice[field] = pick.choice(tops)
    return state


def test_the_expected_distance_is_that_of_the_reference_where_hardly_anything_can_be_done():
    # where nothing can be placed, burning a die of the own chain may be the only use, and a ruling forbids it
    rulings_differ = 0
    for more, seed in itertools.product((0, 1), range(20)):
        totals = {}
        for ruling in ("burns", "no_suicide"):
            rules = GAME.variant("small", {"supply": 30, "fire_water": ruling}).rules
            state, total = one_way_out(rules, more, seed), 0
            for roll in itertools.product(range(1, 7), repeat=2):
                left = []
                for move in state.uses(roll):
                    later = state.copy()
                    later.apply(move)
                    left.append(later.distance(state.seat))
                total += min(left, default=state.distance(state.seat))
            table, scratch = build_tables(rules, 2).rules[0], np.zeros(2, work.SCRATCH)[0]
            assert expected_distance(table, write(state)[0], scratch) == total
            totals[ruling] = total
        rulings_differ += totals["burns"] != totals["no_suicide"]
    assert rulings_differ >= 5


# -- a quarter turn --------------------------------------------------------------------------------------------


def turn_field(table, field):
    size = table.board.columns
    return field % size * size + size - 1 - field // size


def turn_word(table, places):
    return word(turn_field(table, field) for field in fields(places))


def turn_use(table, use):
    kind, value, place, extra = use >> 15, use >> 12 & 7, use >> 5 & 127, use & 31
    if kind == moves.OBSTACLE:
        edge = tuple(sorted(turn_field(table, field) for field in table.board.edges[place]))
        place = table.board.edges.index(edge)
    else:
        place = turn_field(table, place)
        extra = (table.cube.turns[extra], (extra + 1) % 4, 0)[kind]
    return ((kind * 8 + value) * 128 + place) * 32 + extra


def turned(table):
    """The kernel's state after a clockwise quarter turn, each seat's alchemist standing at the next corner."""
    states = table.states.copy()
    g, before = states[0], table.g
    for top in range(7):
        g["tops"][top] = turn_word(table, before["tops"][top])
    for field in table.dice:
        g["orientation"][turn_field(table, field)] = table.cube.turns[before["orientation"][field]]
    for name in ("ambrosius", "chips", "asking"):
        g[name] = turn_word(table, before[name])
    if before["obstacle"]:
        g["obstacle"] = 1 + (turn_use(table, (3 * 8 * 128 + int(before["obstacle"]) - 1) * 32) >> 5 & 127)
    for name in ("seat", "asked"):
        g[name] = (before[name] + 1) % 4
    for name in ("favourite", "others"):
        g[name] = np.roll(before[name], 1)
    return states


@pytest.mark.parametrize("name", ["standard", "small"])
def test_a_quarter_turn_turns_uses_distances_and_what_policies_do(name):
    kinds = {policy.kind for policy in ROSTER.values() if "turns with the board" in policy.traits}
    decisions = 0
    for seed in range(6):
        for table in Table(name, 4, {}, seed).walk(70):
            states, scratches, g = turned(table), table.scratches.copy(), table.g
            g["uses"] = moves.list_uses(table.t, g, table.scratch)
            states[0]["uses"] = moves.list_uses(table.t, states[0], scratches[0])
            uses = [int(use) for use in scratches[0]["uses"][: states[0]["uses"]]]
            assert sorted(uses) == sorted(turn_use(table, use) for use in table.uses)
            for seat in range(4):
                assert work.distance(table.t, g["tops"][0], g["ambrosius"], g["obstacle"], seat) == work.distance(
                    table.t, states[0]["tops"][0], states[0]["ambrosius"], states[0]["obstacle"], (seat + 1) % 4
                )
            who = int(g["asked"] if g["due"] == TAKE else g["seat"])
            field = min(fields(g["asking"])) if g["due"] == TAKE else 0
            for kind in kinds:
                one = decide(table.t, g, table.scratch, kind, 60, who, field)
                two = decide(
                    table.t, states[0], scratches[0], kind, 60, (who + 1) % 4, turn_field(table, field) if field else 0
                )
                if g["due"] == USE:
                    assert uses[two] == turn_use(table, table.uses[one])
                else:
                    assert two == one
                decisions += 1
    assert decisions > 500
