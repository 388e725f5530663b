"""Whole games: the kernel against the reference, and what must hold whatever is played."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.engine import batch, variant
from sims.engine.dice import SeededDice
from sims.engine.game import encode
from sims.kazaam_dice import GAME
from sims.kazaam_dice.kernel import KINDS
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.tables import build_tables

#: Lineups in which every policy meets every other kind of player, by number of players.
MIXED = {
    1: [["random"], ["runner"], ["lookahead"], ["rollout:games=2:tries=3"]],
    2: [["random", "runner"], ["blocker", "collector"], ["balanced:own=35", "lookahead"]],
    3: [["random", "collector", "balanced"], ["lookahead:own=80", "blocker", "random"]],
    4: [["random", "runner", "collector", "balanced"], ["lookahead", "random", "blocker", "random"]],
}


def replayed(rules, lineup, seed, game):
    """The record of one game by the readable reference."""
    playthrough = GAME.replay(rules, lineup, SeededDice(seed, game))
    while True:
        try:
            next(playthrough)
        except StopIteration as end:
            return end.value


def records(chosen, lineup, games, seed=1, first=0):
    """``games`` records of the kernel, ``int32[game, column]``."""
    out = np.empty((games, len(GAME.columns(len(lineup)))), np.int32)
    GAME.play_games(build_tables(chosen.rules, len(lineup)), encode(lineup), seed, first, out)
    return out


#: A game for one on the smallest board with chains, chips, fire and water; the game itself seats two to four.
SOLO = {
    "board": str(Path(__file__).parent / "boards" / "solo.toml"), "supply": 8, "max_passes": 3, "max_turns": 60,
}  # fmt: skip


def tiny(players, changes):
    """The smallest board for one, or for two."""
    return GAME.variant("standard", SOLO | changes) if players == 1 else GAME.variant("duel", changes)


def solo(names):
    """A lineup of one, which only tests play."""
    return tuple(GAME.policy(name) for name in names)


def agree(chosen, names, games, seed):
    lineup = solo(names)
    for game, row in enumerate(records(chosen, lineup, games, seed)):
        expected = replayed(chosen.rules, lineup, seed, game)
        assert dict(zip(GAME.columns(len(lineup)), row.tolist(), strict=True)) == expected, (chosen.name, names, game)


RULINGS = [{}] + [{name: value} for name, spec in variant.rulings(Rules).items() for value in spec.alternatives]


@pytest.mark.parametrize("changes", RULINGS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernel_and_reference_agree_under_every_ruling(changes, players):
    for names in (["random"] * players, *MIXED[players]):
        agree(GAME.variant("small", changes), names, 3, 11 + players)


@pytest.mark.parametrize("changes", RULINGS, ids=str)
def test_kernel_and_reference_agree_on_tiny_boards(changes):
    for names in (*MIXED[1], *MIXED[2], ["random"] * 2, ["rollout:games=3:tries=2", "random"]):
        agree(tiny(len(names), changes), names, 6, 21)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernel_and_reference_agree_on_the_printed_board(players):
    for names in MIXED[players]:
        agree(GAME.variant(), names, 1, 31)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(GAME.roster))
def test_kernel_and_reference_agree_for_every_policy(name):
    text = name + (":games=2:tries=3" if name == "rollout" else "")
    for players in (2, 3, 4):
        agree(GAME.variant("small"), [text] * players, 2 if name == "rollout" else 8, 41)
        agree(GAME.variant(), [text] * players, 1 if name == "rollout" else 3, 42)


@pytest.mark.parametrize(
    "changes", [{"die": "123546", "fire": "14", "water": ""}, {"supply": 3}, {"max_turns": 7}], ids=str
)
def test_kernel_and_reference_agree_on_changed_data(changes):
    agree(GAME.variant("small", changes), ["random", "collector", "random"], 6, 51)


CREATURES = st.sets(st.sampled_from("123456")).map(lambda creatures: "".join(sorted(creatures)))


@st.composite
def any_rules(draw):
    """Any rules on the two smallest boards for several players."""
    changes = {
        field: draw(st.sampled_from(spec.allowed) if spec.allowed else st.integers(spec.low, min(spec.high, 12)))
        for field, spec in variant.specs(Rules).items()
        if not spec.parse and field != "max_turns"
    }
    changes |= {"fire": draw(CREATURES), "water": draw(CREATURES), "die": "".join(draw(st.permutations("123456")))}
    return GAME.variant(draw(st.sampled_from(["duel", "small"])), changes | {"max_turns": draw(st.integers(1, 60))})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    any_rules(),
    st.lists(st.sampled_from([*list(GAME.roster)[:-1], "random", "rollout:games=1:tries=2"]), min_size=4, max_size=4),
    st.integers(2, 4),
    st.integers(0, 1 << 40),
)
def test_kernel_and_reference_agree_under_any_rules(chosen, names, players, seed):
    agree(chosen, names[: 2 if chosen.rules.board == "duel" else players], 2, seed)


def test_boards_of_the_largest_size_fit_one_word(tmp_path):
    rows = [["."] * 8 for _ in range(8)]
    rows[0][0], rows[7][7], rows[7][0], rows[0][7] = "A1", "T1", "A2", "T2"
    rows[3][3], rows[7][3], rows[3][0] = "M", "f", "v1"
    pictures = [[str(1 + (row + 3 * column) % 6) for column in range(8)] for row in range(8)]
    pictures[3][3] = "M"
    lines = ["title = 'large'", "seating = [[1, 2]]"]
    for key, grid in (("map", rows), ("creatures", pictures)):
        lines += [f"{key} = '''", *(" ".join(row) for row in grid), "'''"]
    (tmp_path / "large.toml").write_text("\n".join(lines))
    chosen = GAME.variant("standard", {"board": str(tmp_path / "large.toml"), "supply": 64})
    agree(chosen, ["random", "runner"], 2, 61)


# -- turning the table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [name for name, policy in GAME.roster.items() if "turns with the board" in policy.traits]
)
def test_turning_the_seats_round_the_table_changes_no_record(tmp_path, name):
    # The printed board is its own image under a quarter turn, so with equal dice nothing may depend on the corner.
    rules = GAME.variant().rules
    text = (rules.load_board, (GAME.folder / "boards" / "standard.toml").read_text())[1]
    line = "seating = [[1, 3], [1, 2, 3], [1, 2, 3, 4]]"
    assert line in text
    (tmp_path / "turned.toml").write_text(text.replace(line, "seating = [[2, 4], [2, 3, 4], [2, 3, 4, 1]]"))
    turned = GAME.variant("standard", {"board": str(tmp_path / "turned.toml")})
    for players in (2, 3, 4):
        lineup = GAME.lineup([name], players)
        np.testing.assert_array_equal(records(turned, lineup, 30), records(GAME.variant(), lineup, 30))


# -- running ---------------------------------------------------------------------------------------------------


def test_records_do_not_depend_on_threads_blocks_or_where_a_run_begins():
    chosen, lineup = GAME.variant("small"), GAME.lineup(["random", "rollout:games=2:tries=2", "collector"])
    whole = batch.run(GAME, chosen, lineup, 40, 3, threads=1, records=True)
    other = batch.run(GAME, chosen, lineup, 40, 3, threads=3, block=7, records=True)
    np.testing.assert_array_equal(whole.records, other.records)
    np.testing.assert_array_equal(whole.records[25:], records(chosen, lineup, 15, seed=3, first=25))
    assert whole.sums == other.sums
    assert len(np.unique(whole.records, axis=0)) == 40


SIGNATURES = """
import sims
from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.kazaam_dice import kernel, moves, policies, rollout, turn, work
game = sims.game("kazaam-dice")
batch.run(game, game.variant(), game.lineup(["lookahead"], 4), 2, 1)
batch.run(game, game.variant("duel"), game.lineup(["rollout:games=1:tries=2", "random"]), 2, 1)
batch.log(game, game.variant("small"), game.lineup(["collector"], 3), 2, 1)
for _ in game.replay(game.variant("duel").rules, game.lineup(["rollout:games=1:tries=2", "runner"]), SeededDice(1, 0)):
    pass
for module in (kernel, moves, policies, rollout, turn, work):
    for name, function in vars(module).items():
        if getattr(function, "__module__", "") == module.__name__ and hasattr(function, "signatures"):
            print(name, len(function.signatures))
"""


@pytest.mark.slow
def test_every_kernel_has_one_signature(tmp_path):
    # In a process of its own with an empty cache: a kernel from the cache hides what it was compiled from. A plain
    # constant handed to a kernel is enough for a second signature, and doubles the time to compile.
    environment = os.environ | {"ODDSMITH_CACHE": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", SIGNATURES], env=environment, capture_output=True, text=True, check=True
    )
    counts = dict(line.split() for line in run.stdout.splitlines())
    assert {counts[name] for name in ("play_games", "log_games", "step", "decide", "distance", "shortest_ways")} == {
        "1"
    }
    assert {name for name, count in counts.items() if int(count) > 1} == set()


def test_games_that_do_not_end_are_counted():
    turns = records(GAME.variant("standard", {"max_turns": 5}), GAME.lineup(["random"], 2), 50)
    column = GAME.columns(2).index
    assert set(turns[:, column("unfinished")]) == {1}
    assert set(turns[:, column("turns")]) == {5}
    assert set(turns[:, column("end")]) == {5}
    assert set(turns[:, column("winners")]) == {0}
    # Nine fields, no double that frees one: most games alone run into passes.
    passes = records(tiny(1, {"max_passes": 1, "fire_water": "no_suicide"}), solo(["random"]), 200)
    ends = passes[:, GAME.columns(1).index("end")]
    assert (ends == 4).any()
    assert (passes[:, 1] == (ends >= 4)).all()


#: For every rules field a variant in which it bites, and another value.
CHANGES = {
    "board": ("small", "duel"),
    "die": ("small", "123546"),
    "fire": ("small", "12"),
    "water": ("small", "56"),
    "supply": ("duel", 7),
    "placing": ("small", "any"),
    "double_placing": ("small", "any"),
    "fire_water": ("small", "no_suicide"),
    "chain_ends": ("duel", "beside"),
    "taking": ("small", "own_turn"),
    "favourites": ("small", "on_target"),
    "end_takes_chips": ("small", True),
    "points_connection": ("duel", 6),
    "points_also": ("small", 4),
    "connected_by_other": ("duel", 5),
    "points_last_die": ("duel", 4),
    "points_favourite": ("duel", 3),
    "points_chip": ("duel", 2),
    "max_passes": ("solo", 1),
    "max_turns": ("duel", 5),
}


@pytest.mark.parametrize("field", variant.specs(Rules))
def test_every_rules_field_changes_some_record(field):
    name, value = CHANGES[field]
    lineup = solo(["random"] if name == "solo" else ["random", "runner"])
    chosen = tiny(1, {}) if name == "solo" else GAME.variant(name)
    assert (records(chosen, lineup, 2000) != records(chosen.changed(**{field: value}), lineup, 2000)).any()


# -- what a record and a log must add up to --------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("standard", 4), ("small", 3), ("duel", 2)])
def test_records_add_up(name, players):
    chosen = GAME.variant(name)
    rules = chosen.rules
    names = (["random", "balanced", "collector", "runner"])[:players]
    for row in records(chosen, GAME.lineup(names), 300):
        r = dict(zip(GAME.columns(players), row.tolist(), strict=True))
        seats = [
            {key[:-2]: value for key, value in r.items() if key.endswith(f"_{seat + 1}")} for seat in range(players)
        ]
        assert r["dice"] == r["placed"] - r["burnt"] - r["drowned"] - sum(seat["taken"] for seat in seats)
        assert r["dice"] <= rules.supply - 1
        assert r["longest_chain"] <= r["dice"]
        assert sum(r[f"double_{use}"] for use in ("place", "tip", "ambrosius", "obstacle")) <= r["doubles"]
        for seat in seats:
            assert seat["kept"] == seat["taken"] - seat["extra"] - seat["rerolls"]
            points = [seat[f"points_{source}"] for source in ("own", "other", "last", "favourite", "chips")]
            assert seat["score"] == sum(points)
        best = max(seat["score"] for seat in seats)
        winners = sum(1 << number for number, seat in enumerate(seats) if seat["score"] == best)
        assert r["winners"] == (0 if r["unfinished"] else winners)
        assert [seat["points_own"] for seat in seats].count(5) == (r["end"] in (0, 1))
        assert (r["end"] == 3) == (sum(seat["points_last"] for seat in seats) == 3)


def test_a_log_tells_every_use_and_every_chip():
    chosen, lineup = GAME.variant("small"), GAME.lineup(["random", "balanced", "collector"])
    log = batch.log(GAME, chosen, lineup, 60, 5)
    rows = {name: log[:, i] for i, name in enumerate(GAME.log_columns)}
    out = records(chosen, lineup, 60, seed=5)
    total = dict(zip(GAME.columns(3), out.sum(axis=0).tolist(), strict=True))
    made = {kind: int((rows["kind"] == number).sum()) for number, kind in enumerate(KINDS)}
    assert (made["place"], made["tip"]) == (total["placed"], total["tipped"])
    assert made["ambrosius"] == total["double_ambrosius"]
    assert made["obstacle"] == total["double_obstacle"]
    assert made["take"] == sum(total[f"taken_{seat}"] for seat in (1, 2, 3))
    assert made["reroll"] == sum(total[f"rerolls_{seat}"] for seat in (1, 2, 3))
    assert made["extra"] == sum(total[f"extra_{seat}"] for seat in (1, 2, 3))
    assert (rows["lost"] == 1).sum() == total["burnt"] + total["drowned"]
    assert min(made.values()) > 0
    for game in range(60):
        last = log[rows["game"] == game][-1]
        own = total_points(out[game], "own")
        if own.any():
            # The last row connects the seat that made it.
            assert own[last[GAME.log_columns.index("seat")]] == 5
            assert last[GAME.log_columns.index("distance_after")] == 0


def total_points(row, source):
    columns = GAME.columns(3)
    return np.array([row[columns.index(f"points_{source}_{seat}")] for seat in (1, 2, 3)])


def test_a_log_that_does_not_fit_says_so():
    chosen, lineup = GAME.variant("small"), GAME.lineup(["random"], 2)
    out, log = np.empty((3, len(GAME.columns(2))), np.int32), np.empty((5, len(GAME.log_columns)), np.int32)
    assert GAME.log_games(build_tables(chosen.rules, 2), encode(lineup), 1, 0, out, log) == -1
