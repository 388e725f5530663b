"""Every exact answer honours every rule: change a rule, and it moves with the games that are played under it.

The rules are those of the dataclass, so that a new one fails here until somebody says how it is honoured.
"""

import dataclasses
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sims.engine import batch
from sims.engine.errors import InputError
from sims.tacatuca import GAME, duel, exact, ring
from sims.tacatuca.rules import Rules

GAMES = 100_000
#: For each rule: other values that show in games from 4 pins each.
CHANGES = {
    "pins": [2, 6],
    "cards": [(), Rules().cards[-1:]],
    "doubles_collect": ["highest_only"],
    "double_replaces_plain": [False],
    "shortage": ["one_each", "proportional"],
    "max_rounds": [1, 2, 5],
}
#: Rules that cannot matter with so many players, and why.
CANNOT_MATTER = {
    (
        "doubles_collect",
        2,
    ): "no printed card names a throw of a higher sum, so that a double that takes is highest of two",
    ("shortage", 2): "with two players a debtor has one creditor, whom every reading pays alike",
}
CASES = [(name, value, players) for name, values in CHANGES.items() for value in values for players in (2, 3, 4)]


def test_every_rule_is_here():
    assert list(CHANGES) == [field.name for field in dataclasses.fields(Rules)]
    for name, values in CHANGES.items():
        assert all(value != getattr(Rules(pins=4), name) for value in values), name


def label(case):
    name, value, players = case
    return f"{name}-{len(value) if isinstance(value, tuple) else value}-{players}"


@pytest.mark.parametrize("case", CASES, ids=label)
def test_the_exact_answer_moves_with_the_games(case):
    name, value, players = case
    before = Rules(pins=4)
    rules = dataclasses.replace(before, **{name: value})
    solved = exact.solve(rules, (rules.pins,) * players)
    unchanged = exact.solve(before, (before.pins,) * players)
    moved = abs(solved.rounds_mean - unchanged.rounds_mean)
    if (name, players) in CANNOT_MATTER:
        assert moved < 1e-9
    else:
        assert moved > 1e-4
    assert_as_played(solved, rules, players)
    assert_alike_backward(solved, rules, players)


def assert_as_played(solved, rules, players):
    """All quantities of a solution against those of records."""
    changed = dataclasses.replace(GAME.variant(), rules=rules)
    played = batch.run(GAME, changed, GAME.lineup(players=players), GAMES, seed=31, records=True)
    column = {key: played.records[:, number].astype(np.int64) for number, key in enumerate(played.columns)}

    def close(hits, chance):
        spread = max(0.0, chance * (1 - chance)) / GAMES
        # one game more or less, so that a rare thing may happen once
        assert abs(np.mean(hits) - chance) <= 4.5 * spread**0.5 + 4.5 / GAMES

    for seat in range(players):
        close(column["winners"] == 1 << seat, solved.win[seat])
        places = column[f"place_{seat + 1}"]
        for place in range(players):
            close(places == place + 1, solved.places[seat, place])
        close(places == 0, 1 - solved.places[seat].sum())
    close(column["unfinished"] == 1, solved.unfinished)

    left = np.stack([column[f"left_round_{seat + 1}"] for seat in range(players)])
    never = np.iinfo(np.int64).max
    earliest = np.where(left > 0, left, never).min(axis=0)
    for seat in range(players):
        close((left[seat] > 0) & (left[seat] == earliest), solved.leaves_first[seat])

    rounds = column["rounds"]
    assert rounds.max() < len(solved.ended)
    for number in range(1, min(len(solved.ended), 15)):
        close(rounds == number, solved.ended[number])
        close(rounds <= number, solved.over_by[number])
    assert abs(rounds.mean() - solved.rounds_mean) <= 4.5 * solved.rounds_sd / GAMES**0.5 + 1e-9
    # a standard deviation of GAMES numbers is known to a few parts in a thousand
    assert rounds.std() == pytest.approx(solved.rounds_sd, rel=0.02)
    for probability, exactly in ((0.5, solved.rounds_median), (0.95, solved.rounds_p95)):
        # unless the chance lies so close that games cannot tell
        slack = 5 * (probability * (1 - probability) / GAMES) ** 0.5
        assert np.quantile(rounds, probability - slack) <= exactly <= np.quantile(rounds, probability + slack)


def assert_alike_backward(solved, rules, players):
    """The values of all states, and the duel, tell the same of the start."""
    table = exact.win_table(rules, players, players * rules.pins)
    row = table.row((rules.pins,) * players)
    assert abs(table.win[row] - solved.win).max() <= table.win_error + solved.remaining
    assert abs(table.rounds[row] - solved.rounds_mean) <= table.rounds_error + solved.rounds_mean_error + 1e-11
    assert table.unfinished[row] == pytest.approx(solved.unfinished, abs=1e-11)
    if players == 2:
        alone = duel.solve(duel.net_pins(rules), rules.pins, 2 * rules.pins, rules.max_rounds)
        assert alone.win == pytest.approx(solved.win[0], abs=1e-11)
        assert alone.rounds == pytest.approx(solved.rounds_mean, abs=1e-9)
        assert alone.unfinished == pytest.approx(solved.unfinished, abs=1e-11)


def test_five_rounds_from_the_start():
    # counted apart: the chain pushed five rounds
    solved = exact.solve(Rules(max_rounds=5), (20, 20))
    assert solved.rounds_mean == pytest.approx(4.961754, abs=5e-7)
    assert solved.win == pytest.approx([0.024638] * 2, abs=5e-7)
    assert solved.unfinished == pytest.approx(0.950725, abs=5e-7)
    assert (solved.rounds_median, solved.rounds_p95, len(solved.ended)) == (5, 5, 6)
    assert solved.ended.sum() == pytest.approx(1, abs=1e-13)


def net_of_a_round():
    """What the first of two gains in a round, with its chance."""
    net = duel.net_pins(Rules())
    ways = [1 if high == low else 2 for high in range(1, 7) for low in range(1, high + 1)]
    step = {}
    for own, other in product(range(21), repeat=2):
        step[int(net[own, other])] = step.get(int(net[own, other]), 0) + Fraction(ways[own] * ways[other], 1296)
    return step


def two_players_by_fractions(pins, total, limit):
    """``(win of the first, unfinished, mean rounds)``: the cards' net pins as fractions, pushed round by round."""
    step = net_of_a_round()
    mass, won, mean = {pins: Fraction(1)}, Fraction(0), Fraction(0)
    for _ in range(limit):
        mean += sum(mass.values())  # as many rounds as games still open before each
        after = {}
        for held, chance in mass.items():
            for gain, odds in step.items():
                now = min(total, max(0, held + gain))
                if now == total:
                    won += chance * odds
                elif now:
                    after[now] = after.get(now, 0) + chance * odds
        mass = after
    return won, sum(mass.values()), mean


@pytest.mark.parametrize(("pins", "total"), [(1, 2), (4, 10), (9, 11)])
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_a_few_rounds_counted_in_fractions(pins, total, limit):
    won, open_games, mean = map(float, two_players_by_fractions(pins, total, limit))
    rules = Rules(max_rounds=limit)
    solved = exact.solve(rules, (pins, total - pins))
    table = exact.win_table(rules, 2, total)
    alone = duel.solve(duel.net_pins(rules), pins, total, limit)
    row = table.row((pins, total - pins))
    assert (solved.win[0], solved.unfinished, solved.rounds_mean) == pytest.approx((won, open_games, mean), abs=1e-13)
    assert (table.win[row, 0], table.unfinished[row], table.rounds[row]) == pytest.approx(
        (won, open_games, mean), abs=1e-13
    )
    assert (alone.win, alone.unfinished, alone.rounds) == pytest.approx((won, open_games, mean), abs=1e-12)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_with_a_limit_the_guaranteed_error_is_kept_against_fractions(limit):
    table = exact.win_table(Rules(max_rounds=limit), 2, 10)
    for row, (pins, _) in enumerate(table.pins.tolist()):
        won, _, mean = two_players_by_fractions(pins, 10, limit)
        assert abs(Fraction(table.win[row, 0]) - won) <= Fraction(table.win_error)
        assert abs(Fraction(table.rounds[row]) - mean) <= Fraction(table.rounds_error)
    assert table.win_error < 1e-12
    assert table.rounds_error < 1e-10


def test_without_a_limit_the_guaranteed_error_is_kept_against_fractions():
    total, step = 8, net_of_a_round()
    # (I - Q) x = r by elimination: the chance that the first wins, and the mean
    rows = []
    for pins in range(1, total):
        row = [Fraction(pins == other) for other in range(1, total)] + [Fraction(0), Fraction(1)]
        for gain, odds in step.items():
            now = min(total, max(0, pins + gain))
            if now == total:
                row[-2] += odds
            elif now:
                row[now - 1] -= odds
        rows.append(row)
    for pivot in range(total - 1):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for other in range(total - 1):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [value - factor * by for value, by in zip(rows[other], rows[pivot], strict=True)]
    table = exact.win_table(Rules(), 2, total)
    for row, (pins, _) in enumerate(table.pins.tolist()):
        assert abs(Fraction(table.win[row, 0]) - rows[pins - 1][-2]) <= Fraction(table.win_error)
        assert abs(Fraction(table.rounds[row]) - rows[pins - 1][-1]) <= Fraction(table.rounds_error)
    assert table.win_error < 1e-12
    assert table.rounds_error < 1e-10


@pytest.mark.parametrize("total", [2, 9, 30])
def test_how_long_two_players_can_stay_is_that_of_powers_of_their_matrix(total):
    stay = np.zeros((total - 1, total - 1))
    for pins, (gain, odds) in product(range(1, total), net_of_a_round().items()):
        if 0 < pins + gain < total:
            stay[pins - 1, pins + gain - 1] += float(odds)
    # the first power of which no row holds more than a half
    halving = next(k for k in range(1, 200) if np.linalg.matrix_power(stay, k).sum(axis=1).max() <= 0.5)
    most = np.linalg.matrix_power(stay, halving).sum(axis=1).max()
    with exact.chain_of(Rules(), 2, total, lambda done, what: None) as chain:
        (phase,) = chain.phases
        assert phase.halving == halving
        assert phase.stay == chain.longest == pytest.approx(halving / (1 - most), rel=1e-12)


@pytest.mark.parametrize("block", [ring.BLOCK, 5_000])
def test_a_sweep_tells_the_largest_change_of_chances_and_of_rounds(block, monkeypatch):
    # every row is changed once in a sweep, so that the change is that between before and after
    monkeypatch.setattr(ring, "BLOCK", block)
    random = np.random.default_rng(3)
    with exact.chain_of(Rules(), 3, 12, lambda done, what: None) as chain:
        win, rounds = random.random((len(chain.states.alive), 4)), 9 * random.random(len(chain.states.alive))
        win[:, 3] = 0
        for phase in chain.phases:
            before = win[phase.rows].copy(), rounds[phase.rows].copy()
            changes = chain.backward(phase, win, rounds)
            found = abs(win[phase.rows] - before[0]).max(), abs(rounds[phase.rows] - before[1]).max()
            assert changes == pytest.approx(found, rel=1e-14)
            assert found[0] != pytest.approx(found[1], rel=0.1)
        more, longer, *changes = chain.one_round_back(win, rounds)
        assert changes == pytest.approx([abs(more - win).max(), abs(longer - rounds).max()], rel=1e-14)


@pytest.mark.parametrize("players", [2, 3])
def test_where_a_limit_hardly_matters_both_ways_of_solving_agree(players, monkeypatch):
    # 20 pins in all: after a few hundred rounds next to nothing is open
    total = 20
    endless = exact.win_table(Rules(max_rounds=1_000_000), players, total)
    monkeypatch.setattr(exact, "TOLERANCE", -1.0)  # no bound is good enough: round by round
    stepped = exact.win_table(Rules(max_rounds=1_000_000), players, total)
    assert abs(stepped.win - endless.win).max() <= stepped.win_error + endless.win_error
    assert abs(stepped.rounds - endless.rounds).max() <= stepped.rounds_error + endless.rounds_error
    assert (endless.unfinished == 0).all()
    assert (stepped.unfinished == 0).all()


@pytest.mark.parametrize(("players", "total"), [(2, 12), (3, 12), (4, 10)])
def test_the_bound_on_open_games_holds_from_every_state(players, total):
    # with one round to play, two, ..., the chance to be open is 1 - win of anybody
    with exact.chain_of(Rules(), players, total, lambda done, what: None) as chain:
        halvings = sum(phase.halving for phase in chain.phases)
        assert chain.unfinished_bound(0) == 1
        for rounds in (halvings - 1, halvings, 3 * halvings, 8 * halvings):
            open_games = exact.win_table(Rules(max_rounds=max(1, rounds)), players, total).unfinished.max()
            assert open_games <= chain.unfinished_bound(rounds) + 1e-12
        # a bound that is halved with every halving, and that a limit of ten thousand rounds makes negligible
        assert chain.unfinished_bound(30 * halvings) == pytest.approx((players - 1) / 2**30)
        assert chain.unfinished_bound(10_000) < exact.TOLERANCE


def test_a_limit_at_which_next_to_nothing_is_open_is_told_in_the_bound():
    # 12 pins: the chance to be open falls below 1e-12 within some hundred rounds; cut just there, nothing is lost
    endless = exact.solve(Rules(), (6, 6))
    last = len(endless.ended) - 1
    cut = exact.solve(Rules(max_rounds=last - 8), (6, 6))
    assert 0 < cut.unfinished < 1e-10
    assert cut.ended.sum() + cut.remaining == pytest.approx(1, abs=1e-14)
    assert cut.win.sum() + cut.unfinished + cut.remaining == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("limit", [25, 60])
def test_what_rests_is_not_counted_among_the_games_that_a_limit_cuts_off(limit):
    # by then so few games still have three in play that they are followed no further, and two play on
    cut = exact.solve(Rules(max_rounds=limit), (4, 4, 4))
    assert cut.unfinished > exact.TOLERANCE >= cut.remaining > 5e-14
    assert cut.win.sum() + cut.unfinished + cut.remaining == pytest.approx(1, abs=1e-14)
    assert cut.ended.sum() + cut.remaining == pytest.approx(1, abs=1e-14)


def test_what_is_out_of_reach_is_refused_in_one_line():
    with pytest.raises(InputError, match=r"^pins: a total of 1200 is not solved exactly"):
        exact.solve(Rules(pins=600), (600, 600))
