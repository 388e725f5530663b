"""The exact chains against a second writing: rulebook text, plain Python, Fractions, Gaussian elimination."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.sparse import coo_array, eye_array
from scipy.sparse.linalg import spsolve

from sims.engine import variant
from sims.tacatuca.exact import solve, win_table
from sims.tacatuca.joint import signatures, step_distribution, throw_values
from sims.tacatuca.rules import Rules

# the cards, as printed: whom the double gives nothing, and the bonus on top of the difference by throw
TRUCE = {1: (2, 1), 2: (3, 2), 3: (4, 3), 4: (5, 4), 5: (6, 5)}
BONUS = {
    1: {},
    2: {(1, 1): 0, (3, 1): 1, (2, 1): 1},
    3: {(1, 1): 0, (2, 2): 0, (4, 2): 2, (4, 1): 2, (3, 2): 2, (3, 1): 2, (2, 1): 2},
    4: {(n, n): 0 for n in (1, 2, 3)}
    | {pair: 3 for pair in [(5, 3), (5, 2), (5, 1), (4, 3), (4, 2), (4, 1), (3, 2), (3, 1), (2, 1)]},
    5: {(n, n): 0 for n in (1, 2, 3, 4)}
    | {(6, low): 4 for low in (1, 2, 3, 4)}
    | {(high, low): 4 for high in (5, 4, 3, 2) for low in range(1, high)},
    6: {(n, n): 2 for n in range(1, 6)} | {(high, low): 5 for high in (6, 5, 4, 3, 2) for low in range(1, high)},
}
RULINGS = list(product(("always", "highest_only"), (True, False), ("clockwise", "one_each", "proportional")))
DEFAULT = ("always", True, "clockwise")
THROWS = Counter((max(pair), min(pair)) for pair in product(range(1, 7), repeat=2))


def rules_of(ruling):
    return variant.replace(
        Rules(), dict(zip(("doubles_collect", "double_replaces_plain", "shortage"), ruling, strict=True))
    )


def asked(taker, giver, highest, collect, replaces):
    is_highest = sum(taker) == highest
    difference = sum(taker) - sum(giver)
    plain = difference if is_highest and difference > 0 else 0
    card = 0
    if taker[0] == taker[1] and giver in BONUS[taker[0]]:
        if replaces:
            plain = 0
        if collect == "always" or is_highest:
            card = abs(difference) + BONUS[taker[0]][giver]
    if giver[0] == giver[1] and TRUCE.get(giver[0]) == taker:
        return 0
    return plain + card


@cache
def matrices(players, collect, replaces):
    """Outcomes of the dice by what everyone owes to everyone, as rows by debtor."""
    found = Counter()
    pairs = {}
    for throws in product(THROWS, repeat=players):
        top = max(map(sum, throws))
        owed = []
        for debtor in throws:
            for creditor in throws:
                key = (creditor, debtor, top)
                if key not in pairs:
                    pairs[key] = asked(*key, collect, replaces)
                owed.append(pairs[key])
        ways = 1
        for throw in throws:
            ways *= THROWS[throw]
        # a thrower owes himself nothing: the difference is 0 and no card names its own throw
        found[tuple(owed)] += ways
    return found


def split(owed, pins, shortage):
    """What a debtor pays; creditors in the order in which the round passes them."""
    if sum(owed) <= pins:
        return list(owed)
    paid = [0] * len(owed)
    if shortage == "clockwise":
        for place, due in enumerate(owed):
            paid[place] = min(due, pins - sum(paid))
    elif shortage == "one_each":
        while sum(paid) < pins:
            for place, due in enumerate(owed):
                if paid[place] < due and sum(paid) < pins:
                    paid[place] += 1
    else:
        shares = [Fraction(pins * due, sum(owed)) for due in owed]
        paid = [int(share) for share in shares]
        by_rest = sorted(range(len(owed)), key=lambda place: (paid[place] - shares[place], place))
        for place in by_rest[: pins - sum(paid)]:
            paid[place] += 1
    return paid


def after(state, owed, shortage):
    alive = [seat for seat, pins in enumerate(state) if pins]
    count, new = len(alive), list(state)
    for d, debtor in enumerate(alive):
        round_of = [(d + step) % count for step in range(1, count)]
        paid = split([owed[d * count + c] for c in round_of], state[debtor], shortage)
        for c, amount in zip(round_of, paid, strict=True):
            new[alive[c]] += amount
            new[debtor] -= amount
    return tuple(new)


def chances(state, ruling):
    collect, replaces, shortage = ruling
    alive = sum(pins > 0 for pins in state)
    found = Counter()
    for owed, ways in matrices(alive, collect, replaces).items():
        found[after(state, owed, shortage)] += ways
    return {to: Fraction(ways, 36**alive) for to, ways in found.items()}


def eliminate(rows, sides):
    """Solve ``sum(row[j] x[j]) = side`` by Gauss-Jordan; a side is a list of right-hand sides."""
    rows, sides = [dict(row) for row in rows], [list(side) for side in sides]
    for pivot in range(len(rows)):
        scale = rows[pivot][pivot]
        rows[pivot] = {j: value / scale for j, value in rows[pivot].items() if value}
        sides[pivot] = [value / scale for value in sides[pivot]]
        for other in range(len(rows)):
            factor = rows[other].get(pivot, 0) if other != pivot else 0
            if factor:
                for j, value in rows[pivot].items():
                    rows[other][j] = rows[other].get(j, 0) - factor * value
                sides[other] = [a - factor * b for a, b in zip(sides[other], sides[pivot], strict=True)]
    return sides


def brute(start, ruling):
    """Places by seat, mean and second moment of rounds, chance to end in rounds 0 to 4."""
    seats = len(start)
    moves, waiting = {}, [start]
    while waiting:
        state = waiting.pop()
        if state not in moves and sum(pins > 0 for pins in state) > 1:
            moves[state] = chances(state, ruling)
            waiting.extend(moves[state])
    order = sorted(moves, key=lambda state: sum(pins > 0 for pins in state))
    number = {state: index for index, state in enumerate(order)}
    rows, sides = [], []
    for state in order:
        row = Counter({number[state]: Fraction(1)})
        side = [Fraction(0)] * (seats * seats) + [Fraction(1)]
        for to, chance in moves[state].items():
            if to in number:
                row[number[to]] -= chance
            left = sum(pins > 0 for pins in to)
            for seat in range(seats):
                if state[seat] and not to[seat]:
                    side[seat * seats + left] += chance
                if left == 1 and to[seat]:
                    side[seat * seats] += chance
        rows.append(row)
        sides.append(side)
    found = eliminate(rows, sides)
    mean = [side[-1] for side in found]
    second = [
        [1 + 2 * sum(chance * mean[number[to]] for to, chance in moves[state].items() if to in number)]
        for state in order
    ]
    squares = eliminate(rows, second)
    mass, ended = {start: Fraction(1)}, [Fraction(0)]
    for _ in range(4):
        new = Counter()
        for state, here in mass.items():
            for to, chance in moves[state].items():
                new[to] += here * chance
        ended.append(sum(here for state, here in new.items() if state not in moves))
        mass = {state: here for state, here in new.items() if state in moves}
    at = number[start]
    places = np.array(found[at][:-1], dtype=float).reshape(seats, seats)
    return places, float(mean[at]), float(squares[at][0] - mean[at] ** 2) ** 0.5, [float(chance) for chance in ended]


def compare(start, ruling):
    places, mean, sd, ended = brute(start, ruling)
    rules = rules_of(ruling)
    solved = solve(rules, start)
    np.testing.assert_allclose(solved.places, places, rtol=0, atol=2e-12)
    np.testing.assert_allclose(solved.ended[:5], ended, rtol=0, atol=2e-12)
    assert solved.rounds_mean == pytest.approx(mean, abs=1e-10)
    assert solved.rounds_sd == pytest.approx(sd, abs=1e-7)
    table = win_table(rules, len(start), sum(start))
    row = table.row(start)
    np.testing.assert_allclose(table.win[row], places[:, 0], rtol=0, atol=1e-12)
    assert table.rounds[row] == pytest.approx(mean, abs=1e-10)


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
@pytest.mark.parametrize("start", [(1, 1), (3, 2), (1, 1, 1), (2, 1, 3)], ids=str)
def test_tiny_games_of_two_and_three_by_elimination(start, ruling):
    compare(start, ruling)


def test_a_tiny_game_of_four_by_elimination():
    compare((1, 2, 1, 1), DEFAULT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "ruling",
    [
        ("always", True, "one_each"),
        ("always", False, "proportional"),
        ("highest_only", True, "proportional"),
        ("highest_only", False, "one_each"),
    ],
    ids=str,
)
def test_tiny_games_of_four_by_elimination_under_other_rulings(ruling):
    compare((1, 1, 2, 1), ruling)


@pytest.mark.parametrize(("players", "count"), [(2, 29), (3, 1369), (4, 37853)])
def test_signatures_are_the_distinct_matrices_with_their_outcomes(players, count):
    found = signatures(Rules(), players)
    assert len(found.ways) == count
    told = Counter()
    for bills, ways in zip(found.signatures[:, :players], found.ways, strict=True):
        owed = [[0] * players for _ in range(players)]
        for debtor, number in enumerate(bills):
            for step in range(1, players):
                owed[debtor][(debtor + step) % players] = int(found.bills[number, step])
        told[tuple(due for bill in owed for due in bill)] += int(ways)
    assert told == matrices(players, "always", True)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("collect", ["always", "highest_only"])
def test_step_and_throw_values_are_sums_over_the_matrices(players, collect):
    steps = Counter()
    for owed, ways in matrices(players, collect, True).items():
        gained = sum(owed[debtor * players] for debtor in range(1, players)) - sum(owed[:players])
        steps[gained] += Fraction(ways, 36**players)
    rules = rules_of((collect, True, "clockwise"))
    assert step_distribution(rules, players) == steps
    assert sum(gain * chance for gain, chance in steps.items()) == 0

    values = throw_values(rules, players)
    assert [value.throw for value in values] == [f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)]
    for value, mine in zip(values, sorted(THROWS), strict=True):
        alone = together = net = 0
        for others in product(THROWS, repeat=players - 1):
            ways, best = 1, max(map(sum, others))
            for other in others:
                ways *= THROWS[other]
            top = max(best, sum(mine))
            alone += ways * (sum(mine) > best)
            together += ways * (sum(mine) == best)
            for other in others:
                net += ways * (asked(mine, other, top, collect, True) - asked(other, mine, top, collect, True))
        outcomes = 36 ** (players - 1)
        assert value.probability == Fraction(THROWS[mine], 36)
        assert (value.highest, value.shared) == (Fraction(alone, outcomes), Fraction(together, outcomes))
        assert value.net == Fraction(net, outcomes)


def direct(total):
    """Every state of three seats (some may be out) under the default rulings, by a sparse direct solution."""
    states = np.array([(a, b, total - a - b) for a in range(total + 1) for b in range(total + 1 - a)])
    number = {tuple(state): index for index, state in enumerate(states.tolist())}
    table = np.full((total + 1, total + 1), -1)
    table[states[:, 0], states[:, 1]] = np.arange(len(states))
    rows, columns, weights = [], [], []

    def add(seats, players):
        here = np.flatnonzero(((states > 0) == np.isin(np.arange(3), seats)).all(axis=1))
        for owed, ways in matrices(players, "always", True).items():
            new = states[here].copy()
            for d, debtor in enumerate(seats):
                left = states[here, debtor]
                for step in range(1, players):
                    c = (d + step) % players
                    paid = np.minimum(owed[d * players + c], left)
                    left = left - paid
                    new[:, seats[c]] += paid
                    new[:, debtor] -= paid
            rows.append(here)
            columns.append(table[new[:, 0], new[:, 1]])
            weights.append(np.full(len(here), ways / 36**players))

    add((0, 1, 2), 3)
    for pair in ((0, 1), (1, 2), (0, 2)):
        add(pair, 2)
    size = (len(states), len(states))
    flow = coo_array((np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))), shape=size).tocsr()
    playing = np.flatnonzero((states > 0).sum(axis=1) > 1)
    over = [number[total, 0, 0], number[0, total, 0], number[0, 0, total]]
    sides = np.column_stack([flow[playing][:, over].toarray(), np.ones(len(playing))])
    inside = eye_array(len(playing), format="csc") - flow[playing][:, playing].tocsc()
    return states[playing], spsolve(inside, sides)


def test_three_players_with_twenty_pins_by_two_methods():
    states, values = direct(60)
    full = (states > 0).all(axis=1)
    table = win_table(Rules(), 3, 60)
    np.testing.assert_array_equal(table.pins, states[full])
    np.testing.assert_allclose(table.win, values[full, :3], rtol=0, atol=1e-10)
    np.testing.assert_allclose(table.rounds, values[full, 3], rtol=0, atol=1e-9)
    for start in ((20, 20, 20), (5, 13, 42)):
        solved = solve(Rules(), start)
        direct_row = values[(states == start).all(axis=1)][0]
        np.testing.assert_allclose(solved.win, direct_row[:3], rtol=0, atol=1e-11)
        assert abs(solved.rounds_mean - direct_row[3]) <= solved.rounds_mean_error + 1e-10 < 3e-9
