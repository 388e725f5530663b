"""Every policy does what its idea and its traits say."""

import numpy as np
import pytest

from sims.engine import batch
from sims.engine.dice import LoadedDice, SeededDice
from sims.kazaam_dice import GAME, moves, policies, rollout
from sims.kazaam_dice.players import RosterPlayer
from sims.kazaam_dice.reference import replay
from sims.kazaam_dice.state import Place, SetObstacle, State


class Witness(RosterPlayer):
    """A roster policy that notes the position, the moves and the choice of each of its decisions."""

    def __init__(self, text):
        super().__init__(GAME.policy(text))
        self.uses, self.takes, self.rerolls, self.extras = [], [], [], []

    def use(self, state, moves, coin):
        choice = super().use(state, moves, coin)
        self.uses.append((state.copy(), list(moves), choice))
        return choice

    def take(self, state, seat, field, coin):
        answer = super().take(state, seat, field, coin)
        self.takes.append((state.copy(), seat, field, answer))
        return answer

    def reroll(self, state, coin):
        answer = super().reroll(state, coin)
        self.rerolls.append((state.copy(), answer))
        return answer

    def extra(self, state, coin):
        answer = super().extra(state, coin)
        self.extras.append((state.copy(), answer))
        return answer


def witnessed(text, games, name="small", others="random", changes=None):
    """A witness after some games of it in the first seat."""
    witness = Witness(text)
    for game in range(games):
        players = [witness, RosterPlayer(GAME.policy(others)), RosterPlayer(GAME.policy(others))]
        for _ in replay(GAME.variant(name, changes).rules, players, SeededDice(3, game)):
            pass
    return witness


def after(state, move):
    later = state.copy()
    later.apply(move)
    return later


def having(trait):
    return [name for name, policy in GAME.roster.items() if trait in policy.traits]


def test_the_roster_says_what_each_policy_does():
    assert list(GAME.roster) == ["random", "runner", "blocker", "balanced", "collector", "lookahead", "rollout"]
    assert [policy.kind for policy in GAME.roster.values()] == list(range(7))
    assert all(policy.idea and policy.source and policy.traits for policy in GAME.roster.values())
    known = {"random", "deterministic", "shortens", "connects", "takes", "imagines", "turns with the board"}
    assert set().union(*(policy.traits for policy in GAME.roster.values())) == known


@pytest.mark.parametrize("name", having("deterministic"))
def test_deterministic_policies_ask_for_no_coin(name):
    thrown = [SeededDice(5, 0).throw(2, turn=i) for i in range(400)]
    lineup = [RosterPlayer(GAME.policy(name)) for _ in range(3)]
    # Loaded dice without choices: a coin would be an IndexError.
    for _ in replay(GAME.variant("small").rules, lineup, LoadedDice(thrown)):
        pass


@pytest.mark.parametrize("name", having("connects"))
def test_who_connects_does_it_whenever_it_can(name):
    chances = 0
    for state, moves, choice in witnessed(name, 20, changes={"supply": 25}).uses:
        if any(after(state, move).distance(0) == 0 for move in moves if not state.copy().apply(move)):
            chances += 1
            assert after(state, moves[choice]).distance(0) == 0
    assert chances >= 5


@pytest.mark.parametrize("name", having("shortens"))
def test_runner_leaves_the_smallest_distance_of_all_uses(name):
    for state, moves, choice in witnessed(name, 10).uses:
        best = min(after(state, move).distance(0) for move in moves)
        assert after(state, moves[choice]).distance(0) == best


def test_blocker_leaves_the_nearest_other_the_longest_distance():
    for state, moves, choice in witnessed("blocker", 6, others="runner").uses:
        results = [[after(state, move).distance(seat) for seat in range(3)] for move in moves]
        if min(own for own, _, _ in results) > 0:
            worths = [(min(others), -own) for own, *others in results]
            assert worths[choice] == max(worths)


@pytest.mark.parametrize("own", [0, 30, 100])
def test_balanced_weighs_both_distances(own):
    for state, moves, choice in witnessed(f"balanced:own={own}", 5, others="runner").uses:
        results = [[after(state, move).distance(seat) for seat in range(3)] for move in moves]
        if min(mine for mine, _, _ in results) > 0:
            worths = [
                (min(others) > 0, (100 - own) * min(others) - own * mine if min(others) else 0)
                for mine, *others in results
            ]
            assert worths[choice] == max(worths)


def test_ties_go_to_placing_then_to_the_lower_value():
    for state, moves, choice in witnessed("runner", 6).uses:
        best = after(state, moves[choice]).distance(0)
        equal = [move for move in moves if after(state, move).distance(0) == best]
        kinds = [type(move).__name__ for move in equal]
        if isinstance(moves[choice], Place):
            assert moves[choice].value == min(move.value for move in equal if isinstance(move, Place))
        else:
            assert "Place" not in kinds
        if isinstance(moves[choice], SetObstacle):
            assert set(kinds) == {"SetObstacle"}


def test_a_first_seat_in_the_first_corner_breaks_ties_in_the_order_of_the_board():
    for state, moves, choice in witnessed("runner", 6).uses:
        best = after(state, moves[choice]).distance(0)
        lowest = min((move.value for move in moves if isinstance(move, Place)), default=0)
        first = [
            i
            for i, move in enumerate(moves)
            if isinstance(move, Place) and move.value == lowest and after(state, move).distance(0) == best
        ]
        if first:
            assert choice == first[0]


def test_collector_takes_every_chip():
    takes = witnessed("collector", 10).takes
    assert len(takes) > 10
    assert all(answer for *_, answer in takes)


def test_others_take_their_favourite_and_what_the_distance_can_spare():
    answers = set()
    for name in ("runner", "balanced"):
        for state, seat, field, answer in witnessed(name, 60).takes:
            if len(state.reached(seat)) > 1:
                continue
            later = state.copy()
            later.take(seat, field)
            own = state.chips[field] == state.alchemists[seat]
            assert answer == (own or later.distance(seat) == state.distance(seat))
            answers.add((own, answer))
    assert answers == {(True, True), (False, True), (False, False)}


def test_chips_that_can_be_spared_singly_but_not_together_are_not_both_taken(on_board):
    # Two ways from (1,1) to (2,3) side by side, each over one chip: either die may go, not both.
    state = on_board.state((1, 1), players=2)
    state.chips = {on_board.at(1, 2): 0, on_board.at(2, 1): 0}
    for place in ((1, 2), (2, 1), (2, 2)):
        state.dice[on_board.at(*place)] = 0
    player, answers = RosterPlayer(GAME.policy("runner")), []
    for field in sorted(state.chips):
        answers.append(player.take(state, 0, field, None))
        if answers[-1]:
            state.take(0, field)
    assert answers == [True, False]


def test_chips_are_spent_when_one_die_is_missing_and_not_at_hand():
    spent = set()
    witness = witnessed("balanced", 60, others="balanced", changes={"supply": 25, "taking": "own_turn"})
    for state, answer in witness.rerolls:
        moves = state.uses(state.roll)
        connects = any(after(state, move).distance(state.seat) == 0 for move in moves)
        assert answer == (state.distance(state.seat) == 1 and not connects)
        spent.add(("reroll", answer))
    for state, answer in witness.extras:
        assert answer == (state.distance(state.seat) == 1)
        spent.add(("extra", answer))
    assert spent == {("reroll", True), ("reroll", False), ("extra", True), ("extra", False)}


@pytest.mark.parametrize(("points", "place"), [({}, (2, 5)), ({"points_chip": 9}, (2, 4))])
def test_collector_goes_for_the_chip_that_counts_more(on_board, points, place):
    # A chain along row 1; below (2,4) lies a normal chip, below (2,5) his favourite.
    state = on_board.state(*((1, column) for column in range(1, 6)), **points)
    state.chips = {on_board.at(3, 4): 0, on_board.at(3, 5): 1}
    state.roll, state.throws = (2, 4), 1
    moves = state.uses(state.roll)
    assert {Place(2, on_board.at(2, 4), 0), Place(4, on_board.at(2, 5), 0)} <= set(moves)
    choice = moves[RosterPlayer(GAME.policy("collector")).use(state, moves, None)]
    assert choice.field == on_board.at(*place)


def test_random_chooses_every_use_equally_often():
    state = State.start(GAME.variant("small").rules, 2)
    state.roll, state.throws = (4, 4), 1
    moves, player = state.uses((4, 4)), RosterPlayer(GAME.policy("random"))
    games = 100 * len(moves)
    counts = np.bincount(
        [
            player.use(state, moves, lambda bound, game=game: SeededDice(9, game).below(bound, turn=0))
            for game in range(games)
        ],
        minlength=len(moves),
    )
    degrees = len(moves) - 1
    square = ((counts - 100) ** 2 / 100).sum()
    assert abs(square - degrees) < 4 * np.sqrt(2 * degrees)


def test_who_imagines_plays_the_same_games_for_the_same_word():
    assert having("imagines") == ["rollout"]
    state = State.start(GAME.variant("small").rules, 2)
    state.roll, state.throws = (2, 2), 1
    moves, player = state.uses((2, 2)), RosterPlayer(GAME.policy("rollout:games=4:tries=6"))
    before = state.copy()
    choices = [player.use(state, moves, lambda bound, word=word: word) for word in (1, 1, 2, 3, 4, 5)]
    assert choices[0] == choices[1]
    assert len(set(choices)) > 1
    assert state == before


def share(one, other, games):
    """Shares of decided games won by ``one`` and by ``other``, in both orders of seats."""
    chosen, wins = GAME.variant(), np.zeros(2)
    for seat, names in enumerate(([one, other], [other, one])):
        counts = batch.run(GAME, chosen, GAME.lineup(names), games, 77, threads=1).histograms["winners"]
        wins += (counts[1 << seat], counts[2 >> seat])
    return wins / (2 * games)


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [
        ("runner", "random", 100),
        ("blocker", "random", 100),
        ("balanced", "runner", 200),
        ("lookahead", "balanced:own=40", 100),
        ("rollout:games=12:tries=6", "runner", 6),
    ],
)
def test_the_skill_ladder(better, worse, games):
    won, lost = share(better, worse, games)
    # Four standard errors of a fair coin, and at least a clear majority where few games can be afforded.
    assert won - lost > min(4 / np.sqrt(2 * games), 0.5)


# -- what imagining rests on -----------------------------------------------------------------------------------


def test_the_better_half_stays_and_each_use_once():
    for wins in ([1, 3, 2, 0, 5], [5, 4, 3, 2, 1], [2, 2, 2, 2], [0, 1], [0, 7, 7, 1, 7, 3]):
        tried, found = np.arange(len(wins), dtype=np.int64), np.array(wins, dtype=np.int64)
        keep = rollout._halve(tried, found, len(wins))
        # sorting is stable, so a tie leaves the earlier use in front
        best = sorted(range(len(wins)), key=lambda use: -wins[use])
        assert keep == -(-len(wins) // 2)
        assert tried[:keep].tolist() == best[:keep]
        assert found[:keep].tolist() == [wins[use] for use in best[:keep]]


def test_uses_in_the_same_place_are_placements_of_one_value_on_one_field():
    def same(one, other):
        return bool(
            policies.same_place(
                *(np.int64(((kind * 8 + v) * 128 + at) * 32 + extra) for kind, v, at, extra in (one, other))
            )
        )

    placed = (moves.PLACE, 3, 17, 8)
    assert same(placed, (moves.PLACE, 3, 17, 11))
    assert not same(placed, (moves.PLACE, 3, 18, 8))
    assert not same(placed, (moves.PLACE, 4, 17, 8))
    assert not same((moves.TIP, 3, 17, 0), (moves.TIP, 3, 17, 1))
