"""What logs tell of the board, against the readable game and plain floods."""

import numpy as np
import pytest

from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.kazaam_dice import GAME, traces
from sims.kazaam_dice.players import connects_now
from sims.kazaam_dice.position import load
from sims.kazaam_dice.reference import Standing
from sims.kazaam_dice.scatter import chain_chances
from sims.kazaam_dice.state import State


@pytest.fixture(scope="module")
def logged():
    """Six games of three on the small board: rules, log, records and the last position of each."""
    variant, lineup = GAME.variant("small"), GAME.lineup(["balanced"], 3)
    rows = batch.log(GAME, variant, lineup, 6, 1)
    played = batch.run(GAME, variant, lineup, 6, 1, records=True)
    records = dict(zip(played.columns, played.records.T, strict=True))
    ends = []
    for game in range(6):
        told = GAME.replay(variant.rules, lineup, SeededDice(1, game))
        ends.append([event for event in told if isinstance(event, Standing)][-1].position)
    return variant.rules, dict(zip(GAME.log_columns, rows.T, strict=True)), records, ends


def flood(state, start):
    """Links from a field to each die of a position, by a plain breadth-first search."""
    found, edge, steps = {start: 0}, [start], 0
    while edge:
        steps += 1
        edge = [near for field in edge for near in state.ways(field) if near in state.dice and near not in found]
        found |= dict.fromkeys(edge, steps)
        edge = list(dict.fromkeys(edge))
    return found


def test_the_board_at_the_end_is_that_of_the_readable_game(logged):
    rules, log, _, ends = logged
    board = rules.load_board()
    held, ways = traces.final_dice(log, board, 6), traces.open_ways(log, board, 6)
    for game, last in enumerate(ends):
        assert set(np.flatnonzero(held[game])) == set(last.dice)
        shut = {(field, near) for field in board.fields for near in board.neighbours[field]
                if not ways[board.steps[field].index(near), game, field]}  # fmt: skip
        assert {tuple(sorted(pair)) for pair in shut} == ({last.obstacle} if last.obstacle else set())


def test_links_are_what_a_plain_search_counts(logged):
    rules, log, _, ends = logged
    board = rules.load_board()
    held, ways = traces.final_dice(log, board, 6), traces.open_ways(log, board, 6)
    joined = 0
    for game, last in enumerate(ends):
        for seat in range(3):
            start, goal = last.ends(seat)
            if start not in last.dice:
                continue
            links, counted = traces.links(board, held[[game]], ways[:, [game]], start)[0], flood(last, start)
            assert {field: links[field] for field in board.fields if links[field] < traces.FAR} == counted
            if seat in last.connected():
                joined += 1
                assert links[goal] < traces.FAR
    assert joined


def test_a_connection_is_a_shortest_chain_of_every_connected_seat(logged):
    *_, ends = logged
    for last in ends:
        chains = [(last.ends(seat), flood(last, last.ends(seat)[0])) for seat in last.connected()]
        fields = traces.connection(last)
        assert all({start, goal} <= fields <= set(last.dice) for (start, goal), _ in chains)
        if len(chains) == 1:
            ((_, goal), counted) = chains[0]
            assert len(fields) == counted[goal] + 1


def test_fields_of_chains_are_shares_of_the_games_that_connect(logged):
    rules, log, records, ends = logged
    connects = records["end"] <= 2
    expected, number = np.zeros(len(rules.load_board().fields)), 0
    for last, counts in zip(ends, connects, strict=True):
        if not counts or 0 not in last.connected():
            continue
        start, goal = last.ends(0)
        there, back = flood(last, start), flood(last, goal)
        number += 1
        for field in there:
            expected[field] += there[field] + back.get(field, 99) == there[goal]
    shares, found = traces.chain_share(log, rules, ends[0].alchemists[0], connects)
    assert found == number
    assert shares * max(number, 1) == pytest.approx(expected)


def test_dice_placed_and_chips_taken_are_those_of_the_records(logged):
    rules, log, records, _ = logged
    board = rules.load_board()
    placed = traces.placed(log, board, 6)
    assert np.isnan(placed[board.centre])
    assert np.nansum(placed) * 6 == pytest.approx(records["placed"].sum())
    everywhere = traces.taken(log, board, board.fields, 6)
    assert everywhere.sum() * 6 == pytest.approx(sum(records[f"taken_{seat}"].sum() for seat in (1, 2, 3)))
    assert np.isnan(traces.taken(log, board, (), 6)).all()


@pytest.mark.parametrize("chain_ends", ["on", "beside"])
def test_scattered_dice_connect_as_often_as_is_counted(chain_ends):
    rules, boards = GAME.variant("duel", {"chain_ends": chain_ends}).rules, 4000
    for number in (2, 4, 8):
        chance = float(chain_chances(rules, 1)[number])
        error = (chance * (1 - chance) / boards) ** 0.5
        assert abs(traces.scattered_share(rules, 1, number, boards, 3) - chance) <= 4 * error + 1e-12


def test_a_turn_that_connects_is_seen_and_leaves_its_position_alone():
    rules = GAME.variant().rules
    state = load(rules, GAME.folder / "positions" / "one_to_go.toml")
    dice = dict(state.dice)
    seen = {connects_now(state, GAME.policy("runner"), SeededDice(1, game)) for game in range(12)}
    assert seen == {True, False}
    assert state.dice == dice
    # nobody connects by the first die on the board
    assert not connects_now(State.start(rules, 2), GAME.policy("runner"), SeededDice(1, 0))
