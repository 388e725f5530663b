"""The policies worth playing: ``optimal`` does what the solver promises and no policy does better in a turn; ``card`` is
read in plain Python; ``majority`` counts towers as it says; who beats whom.
"""

from itertools import product
from statistics import NormalDist

import numba
import numpy as np
import pytest

import sims
from sims.engine import batch
from sims.engine.dice import SeededDice
from sims.engine.game import encode
from sims.engine.words import game_key
from sims.tschakka_lakka import card, kernel, reference, search, solver_memory, survey, towers
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.kernel import NO_LOG, play_turn
from sims.tschakka_lakka.players import RosterPlayer
from sims.tschakka_lakka.reference import Offer, tower_points

GAME = sims.game("tschakka-lakka")
SIMPLE = ("random", "timid", "hold", "dice", "odds")


def columns(played):
    return {name: played.records[:, i] for i, name in enumerate(played.columns)}


def contest(policies, games, seed, players=4):
    """Points of every policy, ``int64[turn, policy]``, on the turns of games that the first one plays."""
    tables, lineup = GAME.build_tables(GAME.variant().rules, players), encode([GAME.policy(text) for text in policies])
    turns = np.empty((games * 200, 1 + 2 * len(policies)), np.int64)
    used = survey.contest(tables, lineup, players, seed, 0, games, turns)
    return turns[:used, 1::2]


# -- optimal


def test_no_policy_of_the_roster_brings_more_in_a_turn_than_optimal():
    others = [name for name in GAME.roster if name != "optimal"]
    points = contest(["optimal", *others], games=150, seed=41)
    for other, loss in zip(others, (points[:, :1] - points[:, 1:]).T, strict=True):
        error = loss.std() / len(loss) ** 0.5
        assert loss.mean() > 2 * error, other


@numba.njit  # not cached: the cache of a kernel in this folder does not see an edit of the game
def turns_from(rules, works, memory, worth, seed, turns, totals):
    """Play ``turns`` turns of the policy of ``works[0]`` from its temple, always on other dice, in ``works[1]``."""
    log = np.empty((0, 10), np.int32)
    memory.depends_at[:] = np.uint64(0)
    for turn in range(turns):
        works[1] = works[0]
        play_turn(rules, works[1], memory, worth, game_key(seed, np.int64(turn)), log, NO_LOG, np.int64(0))
        totals[0] += works[1].stake
        totals[1] += works[1].stake ** 2


@pytest.mark.parametrize(("temples", "turns"), [(20, 2_000), pytest.param(100, 10_000, marks=pytest.mark.slow)])
def test_turns_of_optimal_bring_what_the_solver_promises(temples, turns):
    """Temples emptied to all degrees; ``values_at`` of the place is the exact expectation, ``stake`` what came."""
    rules = GAME.build_tables(GAME.variant().rules, 4).rules[0]
    works, memory, worth = np.zeros(2, W.WORK), solver_memory.new_memory()[0], np.zeros(1, solver_memory.WORTH)[0]
    expected, found, variance = 0.0, 0.0, 0.0
    rng = np.random.default_rng(5)
    for temple in range(temples):
        work, key = works[0], SeededDice(42, temple).key
        kernel.fill_temple(rules, work, (np.uint64(key[0]), np.uint64(key[1])))
        solver_memory.count_points(rules, work, worth)
        # All but the chambers of some columns are empty, gems among empty chambers gone
        kept = rng.choice(8, size=rng.integers(2, 9), replace=False)
        mask = np.uint64(sum(0x0101010101010101 << int(column) for column in kept))
        for plane in ("colours", "size_low", "size_high"):
            work[plane] = work[plane] & mask
        filled = int(np.bitwise_or.reduce(work["colours"]))
        for gems in ("yellow_gems", "pink_gems"):
            there = [at for at in range(64) if int(rules[gems]) >> at & 1 and filled & (0x303 << at)]
            work[gems] = sum(1 << at for at in there)
        work["policy"][0] = GAME.roster["optimal"].kind
        totals = np.zeros(2)
        turns_from(rules, works, memory, worth, np.int64(temple), turns, totals)
        place = int(works[1]["raccoon"]).bit_length() - 1
        expected += memory["values_at"][place]
        found += totals[0] / turns
        variance += (totals[1] / turns - (totals[0] / turns) ** 2) / turns
    assert abs(found - expected) < 4 * variance**0.5


# -- majority


def expected_majority(own, rivals, deviation, highest, second):
    """The stated model by enumeration: which rivals end up ahead, independently."""
    total = 0.0
    for ahead in product((0, 1), repeat=len(rivals)):
        chance = 1.0
        for rival, is_ahead in zip(rivals, ahead, strict=True):
            lead = NormalDist(0, deviation).cdf(own - rival)
            chance *= 1 - lead if is_ahead else lead
        total += chance * {0: highest, 1: second}.get(sum(ahead), 0)
    return total


def seated(players, seat, heights, chambers=(), **changes):
    """Rules and table: ``heights`` of the blue towers, ``chambers`` sizes of the blue treasures that are left."""
    rules = GAME.build_tables(GAME.variant(changes=changes).rules, players).rules[0]
    work = W.new_work()[0]
    work["players"], work["seat"] = players, seat
    for each, height in enumerate(heights):
        work["seats"][each, W.TOWERS] = height
    work["colours"][0] = (1 << len(chambers)) - 1
    work["size_low"] = sum((size & 1) << at for at, size in enumerate(chambers))
    work["size_high"] = sum((size >> 1) << at for at, size in enumerate(chambers))
    return rules, work


@pytest.mark.parametrize("tower", ["height", "count"])
@pytest.mark.parametrize(("seat", "heights"), [(0, [4, 7]), (1, [0, 2, 5]), (3, [3, 9, 6, 5])])
def test_towers_are_worth_the_majority_points_of_the_stated_model(tower, seat, heights):
    sizes, players = (1, 1, 2, 3, 3), len(heights)
    rules, work = seated(players, seat, heights, sizes, tower=tower)
    worth = np.zeros(1, solver_memory.WORTH)[0]
    towers.count_towers(rules, work, worth)
    steps = [size if tower == "height" else 1 for size in sizes]
    variance = 2 / players * sum(step**2 for step in steps) / 4
    rivals = heights[:seat] + heights[seat + 1 :]
    second = 3 if players > 2 else 0
    points = [expected_majority(heights[seat] + rise, rivals, (variance + 0.05) ** 0.5, 5, second) for rise in range(8)]
    assert worth["tower"][0] == pytest.approx([mine - points[0] for mine in points], abs=1e-9)
    assert (np.diff(worth["tower"][0]) > 0).all()


@pytest.mark.parametrize(("seat", "heights"), [(0, [4, 2]), (1, [6, 2, 5]), (2, [1, 2, 5, 3]), (3, [4, 5, 1, 2])])
def test_towers_of_which_nothing_is_left_are_worth_what_the_scoring_pays(seat, heights):
    rules, work = seated(len(heights), seat, heights)
    for rise in range(4):
        final = list(heights)
        final[seat] += rise
        if len(set(final)) == len(final):  # ties are only estimated
            paid = tower_points(GAME.variant().rules, final)[seat]
            assert towers.majority_points(rules, work, 0, final[seat], 0.05) == pytest.approx(paid, abs=1e-3)


def test_a_rise_is_never_worth_less_than_nothing():
    rules, work = seated(3, 0, [2, 3, 9], [1, 2], highest_points=0, second_points=9)
    worth = np.zeros(1, solver_memory.WORTH)[0]
    towers.count_towers(rules, work, worth)
    assert (worth["tower"] >= 0).all()
    assert worth["tower"][0].max() > 0


def test_majority_is_optimal_where_towers_score_nothing():
    nothing = dict.fromkeys(("highest_points", "highest_tied_points", "second_points", "second_tied_points"), 0)
    for changes, same in ((nothing, True), ({}, False)):
        chosen = GAME.variant(changes=changes)
        found = [
            batch.run(GAME, chosen, GAME.lineup([name], 3), 10, 3, records=True).records
            for name in ("optimal", "majority")
        ]
        assert (found[0] == found[1]).all() == same


# -- card


def frees(turn, released, chamber):
    """Whether one more chamber sets a gem free."""
    return set(turn.game.freed(released | {chamber})) > set(turn.game.freed(released))


def reach_of(turn, released):
    near = {n for at in (turn.raccoon, *released) for n in turn.game.board.neighbours(at)}
    return {at for at in near if at in turn.game.treasures} - released


def colours(turn, chambers):
    return len({turn.game.treasures[at].colour for at in chambers})


def read_place(turn):
    """The first line of the card."""
    game = turn.game

    def standing(place):
        beside = {at for at in game.board.neighbours(place) if at in game.treasures}
        further = {at for chamber in beside for at in game.board.neighbours(chamber) if at in game.treasures}
        return len(beside | further) + 6 * sum(frees(turn, set(), at) for at in beside)

    return max(game.places(), key=standing)


def read_offer(turn):
    """The other lines of the card."""

    def needs(chamber):
        return turn.game.treasures[chamber].size - turn.placed.get(chamber, 0)

    def standing(chamber):
        gem, short = frees(turn, turn.released, chamber), needs(chamber) - turn.most(chamber)
        if short:
            return gem, 0, -short
        after = turn.released | {chamber}
        return gem, 1, turn.game.treasures[chamber].size, colours(turn, reach_of(turn, after))

    chamber = max(turn.targets(), key=standing)
    dice, released = turn.most(chamber), set(turn.released)
    if dice == needs(chamber):
        released.add(chamber)
    points = sum(turn.game.worth(turn.game.treasures[at]) for at in released)
    points += sum(map(turn.game.worth, turn.game.freed(released)))
    reach = reach_of(turn, released)
    rolls = not released or (reach and 2 * (turn.dice - dice) + colours(turn, reach) > points + 2)
    return Offer(chamber, dice, not rolls)


class Reader:
    """Plays as the compiled card, and reads the printed one along."""

    def __init__(self, rules, lineup, seat, key):
        self.policy, self.stops = RosterPlayer(rules, lineup, seat, key), []

    def place(self, turn):
        answer = self.policy.place(turn)
        assert answer == read_place(turn)
        return answer

    def offer(self, turn):
        answer = self.policy.offer(turn)
        assert answer == read_offer(turn)
        self.stops.append(answer.stop)
        return answer


@pytest.mark.parametrize("gems", ["all", "any"])
@pytest.mark.parametrize("players", [2, 4])
def test_the_card_is_played_as_it_reads(gems, players):
    rules, lineup = GAME.variant(changes={"gem_needs": gems}).rules, GAME.lineup(["card"], players)
    for game in range(6):
        dice = SeededDice(13, game)
        readers = [Reader(rules, lineup, seat, dice.key) for seat in range(players)]
        for _ in reference.play(rules, readers, dice):
            pass
        assert {stop for reader in readers for stop in reader.stops} == {True, False}


def test_the_card_is_short():
    assert len(card.CARD) <= 5
    assert all(len(line) <= 120 for line in card.CARD)


@pytest.mark.parametrize("change", ["gem=0", "die=3", "nerve=0"])
def test_every_number_of_the_card_changes_the_game(change):
    plain, other = (
        batch.run(GAME, GAME.variant(), GAME.lineup([text], 2), 50, 1, records=True).records
        for text in ("card", f"card:{change}")
    )
    assert (plain != other).any()


def test_the_search_tells_a_good_card_from_a_bad_one():
    ours = (card.GEM, card.DIE, card.NERVE)
    good, bad = search.rate([(0, 1, 6), ours], games=30, seed=7)
    assert good.card == ours
    assert 0 < good.loss < bad.loss - 2 * (good.error + bad.error)
    points = contest(["optimal", "card"], games=30, seed=7)
    assert good.loss == pytest.approx((points[:, 0] - points[:, 1]).mean(), abs=1e-12)


@pytest.mark.slow
def test_the_search_keeps_the_card_in_its_first_round():
    found = search.rate(search.FAMILY, search.ROUNDS[0], search.SEED)[: search.KEPT[0]]
    assert (card.GEM, card.DIE, card.NERVE) in [one.card for one in found]


# -- Who beats whom


def wins(one, other, games, seed):
    """Games won alone by either of two policies, both from both seats."""
    won = np.zeros(2, int)
    for seats in ([one, other], [other, one]):
        winners = batch.run(GAME, GAME.variant(), GAME.lineup(seats), games // 2, seed, records=True).records[:, 0]
        won += [(winners == 1).sum(), (winners == 2).sum()][:: 1 if seats[0] == one else -1]
    return won


@pytest.mark.parametrize("simple", SIMPLE)
def test_card_beats_every_simple_rule(simple):
    card_wins, simple_wins = wins("card", simple, 2000, 3)
    assert card_wins > 1.3 * simple_wins


def test_optimal_beats_card_and_majority_beats_optimal():
    for better, worse in (("optimal", "card"), ("majority", "optimal")):
        better_wins, worse_wins = wins(better, worse, 600, 4)
        # further apart than 3 standard errors of a fair coin
        assert better_wins - worse_wins > 3 * (better_wins + worse_wins) ** 0.5
