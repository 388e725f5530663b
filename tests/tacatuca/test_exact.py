"""The exact chains: what must hold of every answer, what is refused, what is kept, and simulated games beside them."""

import io
from fractions import Fraction

import numpy as np
import pytest

from sims.engine import batch, kept, store, variant
from sims.engine.errors import InputError
from sims.tacatuca import GAME, exact, ring
from sims.tacatuca.exact import solve, win_table
from sims.tacatuca.rules import Rules, parse_cards


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache of results that starts empty; compiled kernels stay where they are."""
    monkeypatch.setattr(kept, "home", lambda: tmp_path)
    return tmp_path / "exact"


def test_one_pin_each_ends_with_the_first_exchange():
    # 146 of 1296 outcomes have equal sums; 4 x 4 of them pair a double with a throw its card names (2-2 and 3-1,
    # 3-3 and 4-2, 4-4 and 5-3, 5-5 and 6-4); the truces of five doubles add 5 x 4 outcomes without an exchange
    idle = Fraction(146 - 16 + 20, 1296)
    solved = solve(Rules(), (1, 1))
    assert solved.win == pytest.approx([0.5, 0.5], abs=1e-12)
    assert solved.rounds_mean == pytest.approx(float(1 / (1 - idle)), abs=1e-10)
    assert solved.rounds_sd == pytest.approx(float(idle) ** 0.5 / float(1 - idle), abs=1e-9)
    geometric = [0.0, *(float((1 - idle) * idle**rounds) for rounds in range(5))]
    assert solved.ended[:6] == pytest.approx(geometric, abs=1e-14)
    assert (solved.rounds_median, solved.rounds_p95) == (1, 2)  # over by round 1: 0.884, by round 2: 0.987


def test_without_cards_one_pin_each_stands_still_on_equal_sums():
    solved = solve(variant.replace(Rules(), {"cards": []}), (1, 1))
    assert solved.rounds_mean == pytest.approx(1296 / (1296 - 146), abs=1e-10)


@pytest.mark.parametrize("pins", [(7, 3), (4, 9, 2), (3, 1, 4, 2)])
def test_chances_add_up(pins):
    solved = solve(Rules(), pins)
    assert solved.pins == pins
    assert solved.remaining <= exact.TOLERANCE
    assert solved.win.sum() == pytest.approx(1, abs=2e-12)
    assert solved.places.sum(axis=1) == pytest.approx(np.ones(len(pins)), abs=2e-12)
    assert solved.ended.sum() + solved.remaining == pytest.approx(1, abs=1e-13)
    assert solved.over_by[solved.rounds_median] >= 0.5 > solved.over_by[solved.rounds_median - 1]
    assert solved.over_by[solved.rounds_p95] >= 0.95 > solved.over_by[solved.rounds_p95 - 1]
    # somebody leaves first, perhaps several in one round, but never everybody
    assert 1 - 1e-11 <= solved.leaves_first.sum() <= len(pins) - 1
    table = win_table(Rules(), len(pins), sum(pins))
    assert table.win.sum(axis=1) == pytest.approx(np.ones(len(table.win)), abs=1e-12)
    assert abs(table.win[table.row(pins)] - solved.win).max() <= table.win_error + solved.remaining
    assert abs(table.rounds[table.row(pins)] - solved.rounds_mean) <= table.rounds_error + solved.rounds_mean_error
    assert solved.rounds_mean <= solved.longest


@pytest.mark.parametrize("shortage", ["clockwise", "one_each", "proportional"])
@pytest.mark.parametrize("pins", [(1, 2, 5), (1, 3, 2, 4)])
def test_turning_the_table_turns_the_chances(pins, shortage):
    rules = variant.replace(Rules(), {"shortage": shortage})
    solved, turned = solve(rules, pins), solve(rules, pins[-1:] + pins[:-1])
    np.testing.assert_allclose(turned.places, np.roll(solved.places, 1, axis=0), rtol=0, atol=1e-12)
    np.testing.assert_allclose(turned.leaves_first, np.roll(solved.leaves_first, 1), rtol=0, atol=1e-12)
    assert turned.rounds_mean == pytest.approx(solved.rounds_mean, abs=1e-9)


def test_two_players_are_symmetric_and_better_with_more_pins():
    table = win_table(Rules(), 2, 40)
    assert table.pins[:, 0].tolist() == list(range(1, 40))
    np.testing.assert_allclose(table.win[:, 0], table.win[::-1, 1], rtol=0, atol=1e-13)
    assert table.win[19, 0] == pytest.approx(0.5, abs=1e-13)
    assert (np.diff(table.win[:, 0]) > 0).all()


def test_far_from_the_edge_two_players_win_nearly_as_their_share():
    # every round is fair as long as both can pay: only the last rounds tell the chance from the share of the pins
    table = win_table(Rules(), 2, 400)
    shares = np.array([pins[0] / pins.sum() for pins in table.pins])
    assert 1e-5 < abs(table.win[:, 0] - shares).max() < 0.02


@pytest.mark.parametrize(
    "changes",
    [{"doubles_collect": "highest_only"}, {"double_replaces_plain": False}, {"shortage": "one_each"}, {"cards": []}],
    ids=str,
)
def test_every_rule_but_the_pins_and_the_limit_changes_the_answer(changes):
    pins = (3, 4, 5)
    before, after = solve(Rules(), pins), solve(variant.replace(Rules(), changes), pins)
    assert abs(before.rounds_mean - after.rounds_mean) > 1e-4


def test_a_card_that_changes_no_bill_changes_nothing():
    twice = parse_cards([{"name": "Idle", "double": 1, "truce": [], "takes": []}])
    plain = solve(variant.replace(Rules(), {"cards": []}), (2, 2))
    np.testing.assert_array_equal(plain.ended, solve(variant.replace(Rules(), {"cards": twice}), (2, 2)).ended)


@pytest.mark.parametrize(
    ("pins", "line"),
    [
        ((0, 3), "pins: 0 is not allowed; a whole number of at least 1 for each seat"),
        ((-2, 3), "pins: -2 is not allowed"),
        ((2.5, 3), r"pins: 2\.5 is not allowed"),
        (("20", 20), "pins: '20' is not allowed"),
        ((True, 20), "pins: True is not allowed"),
        (20, r"pins: 20 is not allowed; the pins of each seat, as \(20, 20\)"),
        ("33", r"pins: '33' is not allowed; the pins of each seat, as \(20, 20\)"),
        ((3,), "pins: 1 seat cannot be solved; 2 to 4 can"),
        ((3,) * 5, "pins: 5 seats cannot be solved; 2 to 4 can"),
        ((25, 25, 25, 25), "pins: a total of 100 is not solved exactly; 4 to 88 for 4 players"),
    ],
    ids=str,
)
def test_pins_that_cannot_be_solved_get_one_line(pins, line):
    with pytest.raises(InputError, match=f"^{line}") as error:
        solve(Rules(), pins)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("players", "total"), [(5, 20), (3, 2), (2, 1001)])
def test_a_table_that_cannot_be_solved_gets_one_line(players, total):
    with pytest.raises(InputError, match=r"^pins: "):
        win_table(Rules(), players, total)


@pytest.mark.parametrize("pins", [(3, 4), (3, 4, 6), (0, 5, 7)], ids=str)
def test_a_state_outside_the_table_gets_one_line(pins):
    with pytest.raises(InputError, match=r"is not in this table; 3 seats, at least 1 each, 12 in all"):
        win_table(Rules(), 3, 12).row(pins)


def test_too_many_transitions_get_one_line(monkeypatch):
    monkeypatch.setattr(ring, "MAX_TRANSITIONS", 100)
    with pytest.raises(InputError, match=r"^cards: too many different transfers to solve 12 pins of 3 players exactly"):
        solve(Rules(), (4, 4, 4))


def test_progress_rises_to_one_in_every_stage():
    told = []
    solve(Rules(), (4, 4, 4), progress=lambda done, what: told.append((what, done)))
    win_table(Rules(), 3, 12, progress=lambda done, what: told.append((what, done)))
    stages = list(dict.fromkeys(what for what, _ in told))
    assert stages == ["transitions with 3 seats", "transitions with 2 seats", "rounds"] + [
        f"values with {seats} seats" for seats in (2, 3)
    ]
    rounds = [done for what, done in told if what == "rounds"]
    assert rounds == sorted(rounds)
    for stage in stages:
        assert [done for what, done in told if what == stage][-1] == 1.0


def test_the_same_bits_for_any_number_of_threads_and_nearly_for_any_block(monkeypatch, empty_cache):
    whole = solve(Rules(), (9, 10, 11))
    monkeypatch.setattr(ring, "BLOCK", 40_000)
    answers = []
    for threads in (1, 3):
        monkeypatch.setattr(ring, "default_threads", lambda threads=threads: threads)
        answers.append((solve(Rules(), (9, 10, 11)), win_table(Rules(), 3, 30)))
    (one, table), (three, same) = answers
    np.testing.assert_array_equal(one.ended, three.ended)
    np.testing.assert_array_equal(one.places, three.places)
    np.testing.assert_array_equal(table.win, same.win)
    np.testing.assert_allclose(one.places, whole.places, rtol=0, atol=1e-13)
    np.testing.assert_allclose(table.win[table.row((9, 10, 11))], whole.win, rtol=0, atol=1e-11)


def test_a_kept_answer_is_read_again_and_belongs_to_its_rules(empty_cache, monkeypatch):
    first = solve(Rules(), (15, 16, 17))
    assert len(list(empty_cache.iterdir())) == 1
    with monkeypatch.context() as patch:
        patch.setattr(exact, "chain_of", None)  # nothing is solved again
        again = solve(Rules(pins=5), (15, 16, 17))
    for name in ("places", "leaves_first", "ended"):
        np.testing.assert_array_equal(getattr(again, name), getattr(first, name))
    assert (again.remaining, again.longest) == (first.remaining, first.longest)
    other = solve(variant.replace(Rules(), {"shortage": "one_each"}), (15, 16, 17))
    cut = solve(Rules(max_rounds=7), (15, 16, 17))
    win_table(Rules(), 3, 48)
    assert abs(other.rounds_mean - first.rounds_mean) > 1e-4
    assert cut.rounds_mean < 7
    assert len(list(empty_cache.iterdir())) == 4


def test_answers_on_fewer_states_than_told_are_not_kept(empty_cache):
    # two players with n pins in all: n - 1 states in play
    least = exact.KEEP_FROM + 1
    solve(Rules(), (1, least - 2))
    assert not empty_cache.exists() or not list(empty_cache.iterdir())
    solve(Rules(), (1, least - 1))
    assert len(list(empty_cache.iterdir())) == 1


@pytest.mark.parametrize(
    "crafted",
    [
        {"places": np.full((3, 3), np.nan)},
        {"places": np.zeros((2, 2))},
        {"leaves_first": np.full(3, 1.5)},
        {"ended": np.zeros(0)},
        {"bounds": np.array([0.0, -1e-13, 100.0])},
    ],
    ids=lambda crafted: next(iter(crafted)),
)
def test_an_answer_that_can_be_none_is_found_again(empty_cache, crafted):
    first = solve(Rules(), (15, 16, 17))
    (file,) = empty_cache.iterdir()
    content = file.read_bytes()
    packed = io.BytesIO()
    arrays = {name: getattr(first, name) for name in ("places", "leaves_first", "ended")}
    np.savez(packed, **(arrays | {"bounds": np.array([first.unfinished, first.remaining, first.longest])} | crafted))
    store.write(file, packed.getvalue())
    np.testing.assert_array_equal(solve(Rules(), (15, 16, 17)).ended, first.ended)
    assert [path.read_bytes() for path in empty_cache.iterdir()] == [content]


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(kept, "home", lambda: tmp_path / "file")
    assert solve(Rules(), (15, 16, 17)).win.sum() == pytest.approx(1)


def test_an_interrupted_solution_leaves_no_file(empty_cache):
    def stop(_done, what):
        if what == "rounds":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Rules(), (15, 16, 17), progress=stop)
    assert not empty_cache.exists()


def within_four_standard_errors(solved, batch_):
    games, seats = batch_.games, batch_.players
    assert batch_.unfinished == 0

    def close(counts, chances):
        chances = np.asarray(chances)
        spread = np.sqrt(games * chances * (1 - chances))
        assert (abs(np.asarray(counts) - games * chances) <= 4 * spread + 1e-6).all()

    places = np.array([batch_.histograms[f"place_{seat + 1}"][1 : seats + 1] for seat in range(seats)])
    close(places, solved.places)
    # so many rounds in a row would leave the band by chance: compare the distribution at twenty points
    over = np.cumsum(batch_.histograms["rounds"])
    points = [solved.rounds_quantile(share) for share in np.linspace(0.04, 0.99, 20)]
    close(over[points], solved.over_by[points])
    mean_error = solved.rounds_sd / games**0.5
    assert abs(batch_.sums["rounds"] / games - solved.rounds_mean) < 4 * mean_error


@pytest.mark.parametrize(
    ("players", "pins", "changes"),
    [
        (2, 20, {}),
        (3, 20, {}),
        (3, 6, {"shortage": "one_each", "doubles_collect": "highest_only"}),
        (4, 3, {"shortage": "proportional", "double_replaces_plain": False}),
        (4, 4, {}),
    ],
    ids=str,
)
def test_simulated_games_agree(players, pins, changes):
    changed = GAME.variant("standard", {"pins": pins, **changes})
    played = batch.run(GAME, changed, GAME.lineup(players=players), 1_000_000, seed=20)
    within_four_standard_errors(solve(changed.rules, (pins,) * players), played)


@pytest.mark.slow
def test_four_players_with_twenty_pins(empty_cache):
    solved = solve(Rules(), (20,) * 4)
    np.testing.assert_allclose(solved.win, np.full(4, 0.25), rtol=0, atol=1e-12)
    np.testing.assert_allclose(solved.places, solved.places[:1].repeat(4, axis=0), rtol=0, atol=1e-12)
    assert solved.ended.sum() + solved.remaining == pytest.approx(1, abs=1e-12)
    played = batch.run(GAME, GAME.variant(), GAME.lineup(players=4), 1_000_000, seed=4)
    within_four_standard_errors(solved, played)


@pytest.mark.slow
def test_forward_and_backward_agree_for_four_players():
    table = win_table(Rules(), 4, 40)
    assert table.win_error < 1e-12
    for pins in ((10, 10, 10, 10), (1, 7, 12, 20), (30, 5, 3, 2)):
        solved = solve(Rules(), pins)
        assert abs(solved.win - table.win[table.row(pins)]).max() < 2e-12
        assert abs(solved.rounds_mean - table.rounds[table.row(pins)]) < solved.rounds_mean_error + table.rounds_error
    np.testing.assert_allclose(table.win[table.row((1, 7, 12, 20))], table.win[table.row((7, 12, 20, 1))][[3, 0, 1, 2]])
