"""Two writings, one game: reference and kernel agree record for record; everything is accounted for at every step."""

import dataclasses
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sims
from sims.engine import batch, variant
from sims.engine.dice import SeededDice
from sims.engine.game import encode
from sims.tschakka_lakka import kernel
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.board import load, number
from sims.tschakka_lakka.events import Busted, Offered, Placed, Rolled, Stopped, TempleShown
from sims.tschakka_lakka.layout import draw
from sims.tschakka_lakka.rules import COLOURS, Rules

GAME = sims.game("tschakka-lakka")
POLICIES = ("random", "odds", "majority", "hold:points=3", "optimal", "dice:left=2", "timid", "card")
RULINGS = [(name, value) for name, spec in variant.rulings(Rules).items() for value in spec.alternatives]
TINY = [name for name in variant.names(GAME.folder) if name.startswith(("tiny", "small"))]


def replayed(chosen, lineup, seed, game):
    events, playing = [], GAME.replay(chosen.rules, lineup, SeededDice(seed, game))
    try:
        while True:
            events.append(next(playing))
    except StopIteration as end:
        return events, end.value


def lineup_from(start, players):
    """All policies come to sit in all seats as ``start`` goes on."""
    return GAME.lineup([POLICIES[(start + seat) % len(POLICIES)] for seat in range(players)])


def assert_same(chosen, lineup, games, seed):
    played = batch.run(GAME, chosen, lineup, games, seed, threads=1, records=True)
    for game in range(games):
        _, record = replayed(chosen, lineup, seed, game)
        assert record == dict(zip(played.columns, played.records[game].tolist(), strict=True)), f"game {game}"


@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("name", variant.names(GAME.folder))
def test_reference_and_kernel_agree_in_every_variant_for_every_policy(name, players):
    games = 25 if name in TINY else 1
    for start in range(len(POLICIES)):
        assert_same(GAME.variant(name), lineup_from(start, players), games, seed=start)


@pytest.mark.parametrize(("ruling", "value"), RULINGS)
def test_reference_and_kernel_agree_under_every_ruling(ruling, value):
    for players in GAME.seats:
        assert_same(GAME.variant("standard", {ruling: value}), lineup_from(players, players), 2, seed=11)
        if ruling != "sizes":
            for name in TINY:
                assert_same(GAME.variant(name, {ruling: value}), lineup_from(players, players), 20, seed=12)


def test_reference_and_kernel_agree_with_other_dice_points_and_limits():
    changes = {
        "dice": 5, "small_points": 3, "medium_points": 1, "large_points": 4, "yellow_points": 7, "pink_points": 0,
        "highest_points": 9, "highest_tied_points": 8, "second_points": 7, "second_tied_points": 6,
        "second_players": 2, "end_gems": 1, "max_turns": 13, "skull_limit": 3,
    }  # fmt: skip
    for players in GAME.seats:
        assert_same(GAME.variant("small-4x4", changes), lineup_from(1, players), 40, seed=5)


# -- Every rule is alive

CHANGED = {
    "board": ("tiny-3x3", {"board": "small-4x4", "sizes": "1/1/1"}),
    "sizes": ("tiny-3x3", {"sizes": "0/1/1"}),
    "layout": ("standard", {"layout": "free"}),
    "gem_needs": ("standard", {"gem_needs": "any"}),
    "tower": ("standard", {"tower": "count"}),
    "skull_limit": ("standard", {"skull_limit": 3}),
    "dice": ("standard", {"dice": 6}),
    **{
        name: ("standard", {name: 17})
        for name in (
            "small_points", "medium_points", "large_points", "yellow_points", "pink_points",
            "highest_points", "highest_tied_points", "second_points", "second_tied_points",
        )
    },
    "second_players": ("standard", {"second_players": 4}),
    "end_gems": ("standard", {"end_gems": 6}),
    "max_turns": ("standard", {"max_turns": 10}),
}  # fmt: skip


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Rules)])
def test_every_rule_changes_some_record(field):
    name, changes = CHANGED[field]
    lineup = GAME.lineup(["timid"], 3)
    plain = batch.run(GAME, GAME.variant(name), lineup, 30, 1, records=True)
    other = batch.run(GAME, GAME.variant(name, changes), lineup, 30, 1, records=True)
    assert (plain.records != other.records).any()


# -- Accounts


@pytest.mark.parametrize("players", GAME.seats)
def test_sixty_treasures_and_twelve_gems_at_every_step_and_points_from_scratch(players):
    chosen = GAME.variant()
    points = {1: 1, 2: 2, 3: 3, "yellow": 2, "pink": 3}
    for game in range(3):
        events, record = replayed(chosen, lineup_from(game, players), 21, game)
        shown = [event for event in events if isinstance(event, TempleShown)]
        assert len(shown) == record["turns"] + 1
        everything = Counter(treasure for _, treasure in shown[0].treasures)
        for event in shown:
            treasures = [treasure for _, treasure in event.treasures]
            treasures += [treasure for hoard in event.hoards for treasure in hoard.treasures]
            assert Counter(treasures) == everything
            gems = list(event.gems) + [gem for hoard in event.hoards for gem in hoard.gems]
            assert len(treasures) == 60
            assert len(gems) == len(set(gems)) == 12
        towers = {}
        for seat, hoard in enumerate(shown[-1].hoards):
            collected = sum(points[treasure.size] for treasure in hoard.treasures)
            collected += sum(points[gem.kind] for gem in hoard.gems)
            assert collected == record[f"score_{seat + 1}"] - record[f"majority_{seat + 1}"]
            sources = ("small", "medium", "large", "yellow", "pink", "majority")
            assert sum(record[f"{source}_{seat + 1}"] for source in sources) == record[f"score_{seat + 1}"]
            for colour in COLOURS:
                height = sum(treasure.size for treasure in hoard.treasures if treasure.colour == colour)
                assert record[f"tower_{colour}_{seat + 1}"] == height
                towers.setdefault(colour, []).append(height)
        best = max(record[f"score_{seat + 1}"] for seat in range(players))
        winners = sum(1 << seat for seat in range(players) if record[f"score_{seat + 1}"] == best)
        assert record["winners"] == winners


def test_turns_and_rolls_add_up():
    played = batch.run(GAME, GAME.variant(), GAME.lineup(["dice:left=2"], 4), 200, 2, records=True)
    record = {name: played.records[:, column] for column, name in enumerate(played.columns)}
    ended = sum(record[f"{how}_{seat}"] for how in ("busts", "stops") for seat in range(1, 5))
    assert (ended <= record["turns"]).all()  # idle turns are neither
    assert (ended >= record["turns"] - 3).all()
    assert (record["turns"] == 4 * record["rounds"]).all()
    assert (record["gems_left"] <= 3).all()
    assert (sum(record[f"rolls_{seat}"] for seat in range(1, 5)) >= ended).all()


@pytest.mark.parametrize("policy", ["timid", "optimal", "card"])
def test_games_that_meet_the_limit_are_counted_as_unfinished(policy):
    played = batch.run(GAME, GAME.variant(changes={"max_turns": 12}), GAME.lineup([policy], 4), 100, 2, records=True)
    assert played.unfinished == 100
    assert played.sums["winners"] == played.sums["majority_1"] == 0
    assert played.sums["turns"] == 12 * 100


# -- The log of decisions


def expected_log(events, game):
    """The rows of one game, told from the reference's events alone."""
    rows = []
    for event in events:
        if isinstance(event, TempleShown):
            shown, treasures = event, dict(event.treasures)
        elif isinstance(event, Placed):
            turn, dice, rolls, released, raccoon = [], 7, 0, [], event.square
        elif isinstance(event, Rolled):
            for row in turn[-1:]:
                row["choice"] = 1
            rolls += 1
            dice -= event.faces.count(6)
        elif isinstance(event, Offered):
            dice -= event.dice
            if event.missing == 0:
                released.append(event.chamber)
            if dice:
                row = {"game": game, "turn": event.turn, "seat": event.seat, "roll": rolls, "dice": dice, "choice": 0}
                turn.append(row | colours_and_stake(shown, treasures, raccoon, released))
        elif isinstance(event, Stopped | Busted):
            came = {"collected": event.points, "bust": 0} if isinstance(event, Stopped) else {"collected": 0, "bust": 1}
            rows += [row | came for row in turn]
    return rows


def colours_and_stake(shown, treasures, raccoon, released):
    left = {at: treasure for at, treasure in treasures.items() if at not in released}
    beside = {(r + dr, c + dc) for r, c in (raccoon, *released) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    stake = sum(treasures[at].size for at in released)
    for gem in shown.gems:
        around = {(gem.row + dr, gem.column + dc) for dr in (0, 1) for dc in (0, 1)}
        if not around & set(left):
            stake += {"yellow": 2, "pink": 3}[gem.kind]
    return {"colours": len({left[at].colour for at in beside & set(left)}), "stake": stake}


@pytest.mark.parametrize("policy", ["hold:points=4", "random"])
def test_the_log_has_one_row_for_every_decision(policy):
    chosen, lineup, games = GAME.variant("small-4x4"), GAME.lineup([policy], 3), 20
    log = batch.log(GAME, chosen, lineup, games, 4)
    expected = [row for game in range(games) for row in expected_log(replayed(chosen, lineup, 4, game)[0], game)]
    assert len(log) == len(expected)
    for row, wanted in zip(log.tolist(), expected, strict=True):
        found = dict(zip(GAME.log_columns, row, strict=True))
        assert found == wanted


def test_a_log_that_is_full_says_so_and_the_runner_makes_it_longer():
    chosen, lineup = GAME.variant(), GAME.lineup(["timid"], 2)
    tables, out = GAME.build_tables(chosen.rules, 2), np.empty((1, len(GAME.columns(2))), np.int32)
    coded = encode(lineup)
    assert kernel.log_games(tables, coded, 1, 0, out, np.empty((3, len(GAME.log_columns)), np.int32)) == -1
    rows = kernel.log_games(tables, coded, 1, 0, out, np.empty((900, len(GAME.log_columns)), np.int32))
    assert len(batch.log(GAME, chosen, lineup, 1, 1)) == rows > 3


# -- The map of when everything goes


@pytest.mark.parametrize(("name", "games"), [("small-4x4", 30), ("standard", 2)])
def test_the_map_counts_the_rounds_in_which_treasures_and_gems_go(name, games):
    chosen, lineup, rounds = GAME.variant(name), GAME.lineup(["odds", "random"]), 5
    treasures, gems = np.zeros((2, 64, rounds), np.int64)
    expected = np.zeros((2, 64, rounds), np.int64)
    for game in range(games):
        shown = [event for event in replayed(chosen, lineup, 9, game)[0] if isinstance(event, TempleShown)]
        for square in dict(shown[0].treasures):
            gone = [event.turn + 1 for event in shown if square not in dict(event.treasures)]
            expected[0, number(square), min(min(gone, default=0), rounds - 1)] += 1
        for gem in shown[0].gems:
            gone = [event.turn + 1 for event in shown if gem not in event.gems]
            expected[1, number((gem.row, gem.column)), min(min(gone, default=0), rounds - 1)] += 1
    kernel.map_games(GAME.build_tables(chosen.rules, 2), encode(lineup), 9, 0, games, treasures, gems)
    assert (treasures == expected[0]).all()
    assert (gems == expected[1]).all()


# -- The temple is filled alike


@pytest.mark.parametrize("layout", ["pairs", "no_line", "free"])
def test_both_writings_fill_the_same_temple(layout):
    chosen = GAME.variant(changes={"layout": layout, "sizes": "6/5/4"})
    rules, work = GAME.build_tables(chosen.rules, 2).rules[0], W.new_work()[0]
    for game in range(40):
        dice = SeededDice(8, game)
        kernel.fill_temple(rules, work, (np.uint64(dice.key[0]), np.uint64(dice.key[1])))
        for square, treasure in draw(chosen.rules, dice).items():
            at = number(square)
            assert int(work["colours"][COLOURS.index(treasure.colour)]) >> at & 1
            assert (int(work["size_low"]) >> at & 1) + 2 * (int(work["size_high"]) >> at & 1) == treasure.size


SIGNATURES = """
import sims
from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.tschakka_lakka import card, decide, kernel, solver_memory, policies, towers, solver, work
game = sims.game("tschakka-lakka")
batch.run(game, game.variant(), game.lineup(["odds"], 2), 2, 1)
batch.run(game, game.variant("tiny-2x2"), game.lineup(["random", "optimal", "majority", "card"]), 2, 1)
batch.log(game, game.variant(), game.lineup(["hold"], 3), 2, 1)
for _ in game.replay(game.variant().rules, game.lineup(["odds", "majority", "card"]), SeededDice(1, 0)):
    pass
for module in (card, decide, kernel, policies, solver, solver_memory, towers, work):
    for name, function in vars(module).items():
        if getattr(function, "__module__", "") == module.__name__ and hasattr(function, "signatures"):
            print(name, len(function.signatures))
"""


@pytest.mark.slow
def test_every_kernel_has_one_signature(tmp_path):
    # in a process of its own with an empty cache, since kernels from the cache hide what they were compiled from
    environment = os.environ | {"ODDSMITH_CACHE": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", SIGNATURES], env=environment, capture_output=True, text=True, check=True
    )
    counts = dict(line.split() for line in run.stdout.splitlines())
    assert counts["play_games"] == counts["log_games"] == "1"
    assert {name for name, count in counts.items() if int(count) > 1} == set()


# -- Any rules, any seats


@st.composite
def any_rules(draw):
    name = draw(st.sampled_from(TINY))
    # no more gems than the board has may end a game
    most = {"end_gems": len(load(GAME.variant(name).rules.board).gems)}
    changes = {
        field: draw(
            st.sampled_from(spec.allowed) if spec.allowed else st.integers(spec.low, most.get(field, min(spec.high, 9)))
        )
        for field, spec in variant.specs(Rules).items()
        if not spec.parse and field != "max_turns"
    }
    return GAME.variant(name, changes | {"max_turns": draw(st.integers(1, 40))})


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(any_rules(), st.lists(st.sampled_from(POLICIES), min_size=2, max_size=4), st.integers(0, 2**63 - 1))
def test_reference_and_kernel_agree_whatever_the_rules(chosen, policies, seed):
    assert_same(chosen, GAME.lineup(policies), 5, seed)
