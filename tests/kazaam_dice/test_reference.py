"""The reference as a whole, on random games: what is always true, and that every rule matters."""

import itertools
from pathlib import Path

import pytest

from sims.engine import variant
from sims.engine.dice import SeededDice
from sims.kazaam_dice import GAME
from sims.kazaam_dice import rules as rules_module
from sims.kazaam_dice.fields import FIELDS
from sims.kazaam_dice.reference import Standing, replay
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import MoveAmbrosius, Place, SetObstacle, State, Tip

FOLDER = Path(rules_module.__file__).parent

CASES = [("standard", 2), ("standard", 4), ("small", 2), ("small", 3), ("small", 4), ("duel", 2), ("solo", 1)]


#: A game for one on the smallest board with chains, chips, fire and water; the game itself seats two to four.
SOLO = Rules(board=str(Path(__file__).parent / "boards" / "solo.toml"), supply=8, max_passes=3, max_turns=60)


def shipped(name):
    return SOLO if name == "solo" else variant.load(FOLDER, Rules, name).rules


def positions(player, rules, players, games):
    """The positions of random games, each with a roll to be used."""
    for game in range(games):
        for number, event in enumerate(replay(rules, [player] * players, SeededDice(3, game))):
            if isinstance(event, Standing):
                event.position.roll = (number % 6 + 1, number // 6 % 6 + 1)
                yield event.position


@pytest.mark.parametrize(("name", "players"), CASES)
def test_what_is_always_true_of_a_record(play_random, name, players):
    rules = shipped(name)
    start = State.start(rules, players)
    for record in play_random(rules, players, 4 if name == "standard" else 60):
        seats = [str(seat + 1) for seat in range(players)]

        def total(field, record=record, seats=seats):
            return sum(record[f"{field}_{seat}"] for seat in seats)

        assert record["placed"] - record["burnt"] - record["drowned"] - total("taken") == record["dice"]
        assert record["dice"] <= rules.supply - 1
        assert total("taken") <= len(start.chips)
        assert record["longest_chain"] <= record["dice"]
        for seat in seats:
            assert (
                record[f"taken_{seat}"] == record[f"extra_{seat}"] + record[f"rerolls_{seat}"] + record[f"kept_{seat}"]
            )
            sources = [record[f"points_{source}_{seat}"] for source in ("own", "other", "last", "favourite", "chips")]
            assert record[f"score_{seat}"] == sum(sources)
        uses = [record[f"double_{use}"] for use in ("place", "tip", "ambrosius", "obstacle")]
        assert sum(uses) <= record["doubles"]
        # Every turn uses one roll or passes, and so does every extra move.
        moves = record["placed"] + record["tipped"] + record["double_ambrosius"] + record["double_obstacle"]
        assert moves + record["passes"] == record["turns"] + total("extra")
        assert record["rounds"] == -(-record["turns"] // players)
        assert record["unfinished"] == (record["winners"] == 0) == (record["end"] in (4, 5))
        best = max(record[f"score_{seat}"] for seat in seats)
        winners = sum(1 << seat for seat in range(players) if record[f"score_{seat + 1}"] == best)
        assert record["winners"] in (0, winners)


def test_a_record_holds_the_declared_columns_in_order(play_random):
    (record,) = play_random(shipped("duel"), 2, 1)
    columns = [(f"{f.name}_{s}" if f.per_seat else f.name) for f in FIELDS for s in ((1, 2) if f.per_seat else (1,))]
    assert list(record) == columns
    assert all(type(value) is int and value >= 0 for value in record.values())


def test_every_column_of_a_record_takes_several_values(play_random):
    records = play_random(shipped("small"), 2, 400) + play_random(shipped("duel"), 2, 800)
    for column in records[0]:
        assert len({record[column] for record in records}) > 1, column


def test_the_same_dice_tell_the_same_game(play_random, coin_player):
    assert play_random(shipped("small"), 3, 5) == play_random(shipped("small"), 3, 5)
    one, other = (
        [str(event) for event in replay(shipped("small"), [coin_player] * 3, SeededDice(1, 4))] for _ in range(2)
    )
    assert one == other


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
    "points_also": ("see below", 4),
    "connected_by_other": ("duel", 5),
    "points_last_die": ("duel", 4),
    "points_favourite": ("duel", 3),
    "points_chip": ("duel", 2),
    "max_passes": ("solo", 1),
    "max_turns": ("duel", 5),
}


def test_every_rules_field_is_listed():
    assert list(CHANGES) == list(variant.specs(Rules))


def differ(play_random, rules, changes, players):
    """Whether some random game has another record under the changes."""
    other = variant.replace(rules, changes)
    return any(play_random(rules, players, 1, seed) != play_random(other, players, 1, seed) for seed in range(300))


@pytest.mark.parametrize("field", [field for field in CHANGES if field != "points_also"])
def test_every_rules_field_changes_some_record(play_random, field):
    name, value = CHANGES[field]
    assert differ(play_random, shipped(name), {field: value}, 1 if name == "solo" else 2)


def test_points_for_others_connected_by_the_same_move_change_some_record(play_random):
    # Rare in random games, but not where no end fields are needed and dice go anywhere.
    rules = variant.replace(shipped("duel"), {"chain_ends": "beside", "placing": "any", "supply": 9})
    assert differ(play_random, rules, {"points_also": 4}, 2)


# -- turning the whole position --------------------------------------------------------------------------------


def turn_field(field, size):
    row, column = divmod(field, size)
    return column * size + size - 1 - row


def turned(state):
    """The position as it looks after a clockwise quarter turn of board and pieces: alchemist K stands at K + 1's."""
    size, after = state.board.rows, state.copy()
    after.alchemists = tuple(alchemist % 4 + 1 for alchemist in state.alchemists)
    after.dice = {turn_field(field, size): turn_die(state.die, number) for field, number in state.dice.items()}
    after.chips = {turn_field(field, size): chip and chip % 4 + 1 for field, chip in state.chips.items()}
    after.ambrosius = turn_field(state.ambrosius, size)
    if state.obstacle:
        one, other = sorted(turn_field(field, size) for field in state.obstacle)
        after.obstacle = (one, other)
    return after


def turn_die(die, number):
    """The orientation with the same top whose east is what was north, found by looking."""
    before = die.orientations[number]
    return next(n for n, o in enumerate(die.orientations) if (o.top, o.east) == (before.top, before.north))


def turn_move(state, move):
    size = state.board.rows
    match move:
        case Place():
            return Place(move.value, turn_field(move.field, size), turn_die(state.die, move.orientation) % 4)
        case Tip():
            return Tip(move.value, turn_field(move.field, size), (move.direction + 1) % 4)
        case MoveAmbrosius():
            return MoveAmbrosius(turn_field(move.field, size))
        case SetObstacle():
            one, other = sorted(turn_field(field, size) for field in move.edge)
            return SetObstacle((one, other))


@pytest.mark.parametrize(("name", "players", "games"), [("standard", 4, 2), ("small", 3, 12)])
def test_turning_the_position_turns_moves_chains_and_distances_with_it(coin_player, name, players, games):
    for state in itertools.islice(positions(coin_player, shipped(name), players, games), 120):
        other = turned(state)
        moves = state.uses(state.roll)
        assert {turn_move(state, move) for move in moves} == set(other.uses(state.roll))
        for seat in range(players):
            assert other.distance(seat) == state.distance(seat)
            assert other.chain(seat) == {turn_field(field, state.board.rows) for field in state.chain(seat)}
        for move in moves[:: max(1, len(moves) // 5)]:
            one, two = state.copy(), other.copy()
            assert one.apply(move) == two.apply(turn_move(state, move))
            assert turned(one) == two


# -- distance and chain against their definitions --------------------------------------------------------------


def joined(state, seat, dice):
    """Whether ``dice`` (with the ends as the rules count them) join the seat's two fields: closure over edges."""
    ends = {state.board.alchemists[state.alchemists[seat]], state.board.targets[state.alchemists[seat]]}
    dice = dice | (ends if state.rules.chain_ends == "beside" else set())
    reached = ends & dice & {state.board.alchemists[state.alchemists[seat]]}
    for _ in dice:
        reached |= {
            far
            for one, other in state.board.edges
            for near, far in ((one, other), (other, one))
            if (one, other) != state.obstacle and near in reached and far in dice
        }
    return ends <= reached


@pytest.mark.parametrize("ends", ["on", "beside"])
def test_distance_is_the_fewest_dice_by_trying_all_sets(coin_player, ends):
    rules = variant.replace(shipped("duel"), {"chain_ends": ends})
    seen = set()
    for state in itertools.islice(positions(coin_player, rules, 2, 40), 150):
        empty = [field for field in state.board.fields if field not in state.dice and field != state.ambrosius]
        for seat in range(2):
            fewest = next(
                (
                    count
                    for count in range(len(empty) + 1)
                    for added in itertools.combinations(empty, count)
                    if joined(state, seat, set(state.dice) | set(added))
                ),
                9,
            )
            assert state.distance(seat) == fewest
            assert (seat in state.connected()) == (fewest == 0)
            seen.add(fewest)
    assert {0, 1, 2, 9} <= seen


def test_a_position_is_told_for_machines():
    rules = GAME.variant("duel").rules
    state = State.start(rules, 2)
    # 1 on top with 2 to the north, on the first field; the obstacle east of it
    state.dice[0] = state.die.number(1, 2)
    state.obstacle = (0, 1)
    plain = Standing(3, 1, state).plain()
    assert (plain["turn"], plain["seat"]) == (3, 1)
    assert plain["dice"] == [{"at": [1, 1], "top": 1, "north": 2}]
    assert (plain["ambrosius"], plain["obstacle"]) == ([2, 2], [[1, 1], [1, 2]])
    # each alchemist's favourite lies beside the centre of the board "duel": 2's in the west, 1's in the east
    assert plain["chips"] == [{"at": [2, 1], "alchemist": 2}, {"at": [2, 3], "alchemist": 1}]
    assert (plain["favourite"], plain["others"]) == ([0, 0], [0, 0])
