"""Every measure of the chapter on Tschakka Lakka against a second derivation: plain loops over records, or games retold.

The games are small and real; the readable reference tells them again where a measure is about squares and rounds.
"""

import math
from collections import defaultdict
from itertools import product
from statistics import NormalDist, fmean, pstdev, stdev

import numpy as np
import pandas as pd
import pytest

import sims
from analysis import estimates, frames
from analysis.chapter import Study
from analysis.chapters.tschakka_lakka import answers, balance, odds, sampled, skill
from sims.engine.dice import SeededDice
from sims.tschakka_lakka import board, exact, samples
from sims.tschakka_lakka.events import Busted, Offered, Placed, Rolled, Stopped, TempleShown
from sims.tschakka_lakka.rules import Rules

GAME = sims.game("tschakka-lakka")
SMALL = GAME.variant("small-4x4")
SEATS = (1, 2, 3)


@pytest.fixture(scope="module")
def study():
    return Study(GAME, SMALL, GAME.lineup(("odds",), 3), 3, 400, 5)


@pytest.fixture(scope="module")
def batch(study):
    return study.play("", records=True)


@pytest.fixture(scope="module")
def games(batch):
    """The records as plain dicts."""
    return frames.records(batch).to_dict("records")


def total(game, column):
    return sum(game[f"{column}_{seat}"] for seat in SEATS)


# -- balance ---------------------------------------------------------------------------------------------------


def test_the_course_of_a_game(study, batch, games):
    found = {measure.name: measure.find(batch) for measure in balance.measures(study)}
    # told in tests of the shared vocabulary
    found = {name: each for name, each in found.items() if name not in ("seat_gap", "first_seat")}
    turns = sum(game["turns"] for game in games)
    busts = sum(total(game, "busts") for game in games)
    assert {name: each.value for name, each in found.items()} == pytest.approx(
        {
            "rounds": fmean(game["rounds"] for game in games),
            # a turn takes 40 seconds
            "minutes": turns * 40 / 60 / len(games),
            "completion": 1 - fmean(game["unfinished"] for game in games),
            "points": sum(total(game, "score") for game in games) / (3 * len(games)),
            "turn_points": sum(total(game, "score") - total(game, "majority") for game in games) / turns,
            "busts": busts / turns,
            "restricted": busts / sum(total(game, "rolls") for game in games),
            "rolls": sum(total(game, "rolls") for game in games) / turns,
            "dice_left": sum(total(game, "dice_left") for game in games) / sum(total(game, "stops") for game in games),
            "lost": sum(total(game, "lost") for game in games) / busts,
            "lead_changes": fmean(game["lead_changes"] for game in games),
            "majorities_decide": fmean(game["majorities_decided"] for game in games),
            "leader_loses": fmean(game["leader_lost"] for game in games),
            "shared": fmean(bin(game["winners"]).count("1") > 1 for game in games),
            "gems_left": fmean(game["gems_left"] for game in games),
        }
    )
    assert 0 < found["shared"].value < 1
    for measure in balance.measures(study):
        if measure.name in found:
            estimate = found[measure.name].estimate
            assert 0 <= estimate.low <= estimate.value <= estimate.high
            assert measure.unit != "share" or estimate.high <= 1
            assert (found[measure.name].games, found[measure.name].seed) == (400, 5)


def spread_of_ratio(tops, bottoms):
    """The ratio of two sums over games and its standard error (delta method), and the games that count."""
    ratio = sum(tops) / sum(bottoms)
    rest = [top - ratio * bottom for top, bottom in zip(tops, bottoms, strict=True)]
    error = stdev(rest) / math.sqrt(len(rest)) / fmean(bottoms)
    return ratio, error, sum(bottom > 0 for bottom in bottoms)


@pytest.mark.parametrize(
    ("name", "top", "bottom", "most"),
    [
        ("points", lambda game: total(game, "score"), lambda game: 3, math.inf),
        (
            "turn_points",
            lambda game: total(game, "score") - total(game, "majority"),
            lambda game: game["turns"],
            math.inf,
        ),
        ("busts", lambda game: total(game, "busts"), lambda game: game["turns"], 1),
        ("restricted", lambda game: total(game, "busts"), lambda game: total(game, "rolls"), 1),
        ("rolls", lambda game: total(game, "rolls"), lambda game: game["turns"], math.inf),
        ("dice_left", lambda game: total(game, "dice_left"), lambda game: total(game, "stops"), math.inf),
        ("lost", lambda game: total(game, "lost"), lambda game: total(game, "busts"), math.inf),
    ],
)
def test_intervals_of_the_course_rest_on_games_and_begin_at_nothing(study, batch, games, name, top, bottom, most):
    found = {measure.name: measure for measure in balance.measures(study)}[name].find(batch).estimate
    ratio, error, draws = spread_of_ratio([top(game) for game in games], [bottom(game) for game in games])
    expected = estimates.interval(ratio, error, draws, 0, most)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def sole(game):
    """The seat, from 1, that alone wins a game; None if several or none do."""
    winners = [seat for seat in SEATS if game["winners"] & (1, 2, 4)[seat - 1]]
    return winners[0] if len(winners) == 1 else None


def test_where_the_points_come_from(study, batch, games):
    frame = balance.sources(study, [batch]).frame
    assert frame["source"].tolist() == list(balance.SOURCES.values())
    everything = sum(total(game, "score") for game in games)
    for row, column in zip(frame.to_dict("records"), balance.SOURCES, strict=True):
        assert row["points"] == pytest.approx(fmean(total(game, column) / 3 for game in games))
        assert row["share"] == pytest.approx(sum(total(game, column) for game in games) / everything)
        more = []
        for game in games:
            if winner := sole(game):
                mine = game[f"{column}_{winner}"]
                more.append(mine - (total(game, column) - mine) / 2)
        assert row["winner_more"] == pytest.approx(fmean(more))
        each = [total(game, column) / 3 for game in games]
        expected = estimates.interval(fmean(each), stdev(each) / math.sqrt(len(each)), len(each), 0)
        assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))


def test_what_goes_with_winning(study, batch, games):
    frame = balance.hoards(study, [batch]).frame.set_index("most_of")
    assert list(frame.index) == [*balance.SOURCES.values(), *balance.TOWERS.values()]
    for column, title in {**balance.SOURCES, **balance.TOWERS}.items():
        held = [[game[f"{column}_{seat}"] for seat in SEATS] for game in games]
        alone = [
            (hoards.index(max(hoards)) + 1, sole(game))
            for hoards, game in zip(held, games, strict=True)
            if hoards.count(max(hoards)) == 1
        ]
        row = frame.loc[title]
        assert row["mean"] == pytest.approx(fmean(one for hoards in held for one in hoards))
        assert row["spread"] == pytest.approx(pstdev(one for hoards in held for one in hoards))
        assert row["happens"] == pytest.approx(len(alone) / len(games))
        assert row["win_rate"] == pytest.approx(fmean(most == winner for most, winner in alone))


def test_a_sole_winner_is_a_seat_and_nobody_else():
    masks = pd.DataFrame({"winners": [0, 1, 2, 4, 3, 5, 7]})
    assert balance.sole_winner(masks, 3).tolist() == [-1, 0, 1, 2, -1, -1, -1]


def test_only_sources_that_the_temple_has_are_listed():
    def of(name, **changes):
        return list(balance.sources_of(Study(GAME, GAME.variant(name, changes), (), None, 1, 1)))

    assert of("standard") == ["small", "medium", "large", "yellow", "pink", "majority"]
    assert of("standard", sizes="0/15/0") == ["medium", "yellow", "pink", "majority"]
    assert of("tiny-2x2") == ["large", "yellow", "pink", "majority"]


def test_readings_are_told_as_the_games_under_each_have_them(study):
    frame = balance.readings(study).frame
    plain = {row["policy"]: row for row in frame.to_dict("records") if row["rule"] == "(as set)"}
    assert set(plain) == {"odds", "majority"}
    for row in frame.to_dict("records"):
        changes = {} if row["rule"] == "(as set)" else {row["rule"]: row["reading"]}
        changes = {key: int(value) if value.isdecimal() else value for key, value in changes.items()}
        lineup = GAME.lineup((row["policy"],), 3)
        played = study.play("", variant=SMALL.changed(**changes), lineup=lineup, games=row["games"], records=True)
        games = frames.records(played).to_dict("records")
        assert row["points"] == pytest.approx(fmean(total(game, "score") / 3 for game in games))
        assert row["busts"] == pytest.approx(fmean(total(game, "busts") / game["turns"] for game in games))
        assert row["majorities_decide"] == pytest.approx(fmean(game["majorities_decided"] for game in games))
        assert row["rounds"] == pytest.approx(fmean(game["rounds"] for game in games))
        assert row["change_in_rounds"] == pytest.approx(row["rounds"] - plain[row["policy"]]["rounds"])
    # a fifth of the games, for the slow policy a two-hundredth of that, but not fewer than an interval needs
    assert {row["policy"]: row["games"] for row in frame.to_dict("records")} == {"odds": 80, "majority": 4}


def test_metrics_are_named_after_players_and_policy(study):
    sheet = balance.balance(Study(GAME, GAME.variant("tiny-3x3"), GAME.lineup(("odds",), 2), 2, 200, 5))
    tables = {name: table.frame for name, table in sheet.tables.items()}
    course = tables["course"].set_index(["policy", "quantity"])
    assert sheet.metrics["rounds_2"].number == course.loc[("odds", "rounds"), "value"]
    assert sheet.metrics["busts_2_majority"].number == course.loc[("majority", "busts"), "value"]
    won = tables["skill"].set_index("against")
    assert sheet.metrics["wins_against_timid_2"].number == won.loc["timid", "win_rate"]
    exactly = tables["exact_turn"].set_index("against")
    assert sheet.metrics["exact_turn_wins_against_random_2"].number == exactly.loc["random", "win_rate"]
    dice = tables["luck"].set_index(["field", "result"])
    assert sheet.metrics["dice_share_any"].number == dice.loc[("any", "win"), "dice_share"]


# -- skill -----------------------------------------------------------------------------------------------------


def test_results_of_a_seat(study, games):
    for seat in range(3):
        share, margin = skill.results(study, study.lineup, 400, seat)
        for game, mine, ahead in zip(games, share, margin, strict=True):
            winners = [each for each in SEATS if game["winners"] >> (each - 1) & 1]
            assert mine == (1 / len(winners) if seat + 1 in winners else 0)
            others = [game[f"score_{each}"] for each in SEATS if each != seat + 1]
            assert ahead == game[f"score_{seat + 1}"] - max(others)


def test_the_strong_policy_sits_on_every_seat_once(study):
    strong, weak = GAME.policy("card"), GAME.policy("timid")
    won, ahead_of_rest = skill.against(study, 3, strong, weak)
    played = len(won)
    assert played == 100
    shares, margins = [], []
    for seat in range(3):
        lineup = [weak, weak, weak]
        lineup[seat] = strong
        share, ahead = skill.results(study, lineup, played, seat)
        shares.append(share)
        margins.append(ahead)
    by_game = [fmean(column) for column in zip(*shares, strict=True)]
    assert won == pytest.approx(by_game)
    assert ahead_of_rest == pytest.approx([fmean(column) for column in zip(*margins, strict=True)])


def test_a_win_rate_has_the_interval_of_its_games():
    asked = Study(GAME, GAME.variant("tiny-3x3"), GAME.lineup((), 2), 2, 4000, 5)
    row = skill.wins_of_exact_turns(asked).frame.set_index("against").loc["timid"]
    won, margins = skill.against(asked, 2, GAME.policy("optimal"), GAME.policy("timid"))
    expected = estimates.interval(fmean(won), stdev(won) / math.sqrt(len(won)), len(won), 0, 1)
    assert (row["win_rate"], row["low"], row["high"]) == pytest.approx((fmean(won), expected.low, expected.high))
    assert (row["margin"], row["games"]) == (pytest.approx(fmean(margins)), len(won))
    # ahead with 90 %: Phi(sqrt(n) mean / spread) = 0.9, for n pairs of games on the same dice
    pairs = NormalDist().inv_cdf(0.9) ** 2 * (stdev(won) / (fmean(won) - 1 / 2)) ** 2
    assert row["to_tell"] == 2 * max(1, math.ceil(pairs))


def test_duels_have_a_row_for_each_number_of_players_and_rival():
    asked = Study(GAME, GAME.variant("tiny-2x2"), GAME.lineup((), 2), None, 40, 5)
    frame = skill.wins_of_exact_turns(asked).frame
    assert frame[["players", "policy", "against", "fair"]].to_numpy().tolist() == [
        [players, "optimal", rival, 1 / players] for players in (2, 4) for rival in ("random", "timid")
    ]
    rivals = [name for name in GAME.roster if name != "majority"]
    assert skill.wins(asked).frame["against"].tolist() == 2 * rivals


def test_the_variance_of_results_is_split_by_hand():
    results = np.array([[0.0, 1.0, 5.0], [2.0, 1.0, 3.0]])
    mean = results.mean()
    whole = sum((results[i, j] - mean) ** 2 for i, j in product(range(2), range(3))) / 6
    pairs = sum((results[i].mean() - mean) ** 2 for i in range(2)) / 2
    by_game = sum((results[:, j].mean() - mean) ** 2 for j in range(3)) / 3
    rest = (
        sum(
            (results[i, j] - results[i].mean() - results[:, j].mean() + mean) ** 2
            for i, j in product(range(2), range(3))
        )
        / 6
    )
    assert skill.variance_shares(results) == pytest.approx((pairs / whole, by_game / whole, rest / whole))


def test_luck_is_the_variance_that_pairs_do_not_explain():
    asked = Study(GAME, GAME.variant("tiny-3x3"), GAME.lineup((), 2), None, 4000, 5)
    frame = skill.luck(asked).frame.set_index(["field", "result"])
    played = 4  # the slow policy's part: a two-hundredth of 15 %
    for field, names in skill.FIELDS.items():
        for place, result in enumerate(("win", "margin")):
            table = np.array(
                [skill.results(asked, GAME.lineup(pair, 2), played, 0)[place] for pair in product(names, repeat=2)]
            )
            row = frame.loc[(field, result)]
            assert (row["who_plays"], row["same_dice"], row["rest"]) == pytest.approx(skill.variance_shares(table))
            assert row["dice_share"] == pytest.approx(1 - row["who_plays"])
            assert (row["games"], row["population"]) == (played, ", ".join(names))
            # four games make two parts, whose shares give the interval; parts without a variance say nothing
            skills = [
                skill.variance_shares(part)[0] for part in (table[:, :2], table[:, 2:]) if len(set(part.ravel())) > 1
            ]
            assert len(skills) == 2
            expected = estimates.interval(1 - row["who_plays"], stdev(skills) / math.sqrt(2), 2, 0, 1)
            assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))


# -- samples ---------------------------------------------------------------------------------------------------


def retold(study, number):
    """A game by the reference, event by event."""
    return GAME.replay(study.variant.rules, study.lineup, SeededDice(study.seed, number))


def test_when_chambers_are_emptied_and_gems_taken():
    asked = Study(GAME, SMALL, GAME.lineup(("timid",), 2), 2, 20, 7)
    count, rounds = 20, 6
    plan = board.load(SMALL.rules.board)
    gone = {"treasures": defaultdict(lambda: [0] * (rounds + 1)), "gems": defaultdict(lambda: [0] * (rounds + 1))}
    for number in range(count):
        started = False
        for event in retold(asked, number):
            if isinstance(event, TempleShown) and not started:
                treasures, gems, started = set(dict(event.treasures)), set(event.gems), True
            elif isinstance(event, TempleShown):
                for what, left in (("treasures", set(dict(event.treasures))), ("gems", set(event.gems))):
                    before = treasures if what == "treasures" else gems
                    for one in before - left:
                        at = one if what == "treasures" else (one.row, one.column)
                        # gone after this round, 1 the first, and after every later one
                        for after in range(event.turn + 1, rounds + 1):
                            gone[what][board.number(at)][after] += 1
                treasures, gems = set(dict(event.treasures)), set(event.gems)
    found = dict(zip(("treasures", "gems"), sampled.emptied(asked, asked.lineup, count, rounds), strict=True))
    places = {
        "treasures": [board.number(at) for at in plan.chambers],
        "gems": [board.number((gem.row, gem.column)) for gem in plan.gems],
    }
    for what, shares in found.items():
        assert shares.shape == (64, rounds + 1)
        assert shares.sum() > 0
        for square in range(64):
            expected = gone[what][square] if square in places[what] else [0] * (rounds + 1)
            assert shares[square].tolist() == pytest.approx([number / count for number in expected])


def test_decisions_carry_the_chance_that_the_next_roll_is_a_bust():
    asked = Study(GAME, GAME.variant("small-4x4", {"skull_limit": 3}), GAME.lineup((), 2), 2, 1, 7)
    made, turns = sampled.decisions(asked, 2, 40)
    assert set(made["skulls"]) == {0, 1, 2}
    for row in made.itertuples():
        assert row.bust == float(exact.bust_chance(row.dice, row.colours, row.skulls, 3))
    # games of several chunks keep their numbers
    assert sorted(set(turns["game"])) == list(range(40))
    assert set(made["game"]) <= set(range(40))


def test_turns_of_a_contest_are_those_of_games_told_again():
    asked = Study(GAME, SMALL, GAME.lineup(("timid",), 2), 2, 1, 7)
    found = sampled.contest(asked, 2, [asked.lineup[0], GAME.policy("odds")], 20)
    for number, turns in found.groupby("game"):
        told = []
        for event in retold(asked, number):
            if isinstance(event, Stopped):
                told.append((event.points, 0))
            elif isinstance(event, Busted):
                told.append((0, 1))
        assert list(zip(turns["points_0"], turns["bust_0"], strict=True)) == told
    assert sorted(set(found["game"])) == list(range(20))


def test_a_rule_of_stopping_is_followed():
    asked = Study(GAME, SMALL, GAME.lineup((), 2), 2, 1, 7)
    # whoever stops with a point never busts after a release, and gets less out of a turn than the exact turn does
    shy, best = (sampled.decisions(asked, 2, 60, limits)[1] for limits in (dict.fromkeys(range(1, 8), 1), None))
    assert shy["bust"].mean() < best["bust"].mean()
    assert shy["points"].mean() < best["points"].mean()
    assert shy["points"].max() > 0


def test_only_entrances_next_to_a_chamber_are_places_to_begin(tmp_path):
    path = tmp_path / "idle.toml"
    path.write_text('squares = ["E#....", "#E...."]\ngems = [{ kind = "yellow", at = [1, 3] }]')
    asked = Study(GAME, GAME.variant("standard", {"board": str(path), "sizes": "1/0/1", "end_gems": 0}), (), 2, 1, 7)
    assert board.load(str(path)).openings == ((2, 2),)
    values, sizes, colours = sampled.openings(asked, 20)
    assert (values.shape, sizes.shape, colours.shape) == ((20, 1), (20, 1, 4), (20, 1))
    # one chamber lies beside it, a small or a large treasure
    assert set(sizes.ravel()) == {0, 1, 3}
    assert ((sizes[:, 0] > 0).sum(axis=1) == 1).all()
    assert (colours == 1).all()
    assert (values > 0).all()


@pytest.mark.parametrize(
    ("asked", "policies", "share", "games"),
    [
        (1000, ["card"], 1.0, 1000),
        (1000, ["card"], 0.25, 250),
        (1000, ["card", "majority"], 1.0, 5),
        (1000, ["card", "optimal"], 0.2, 4),
        (1_000_000, ["optimal"], 0.2, 1000),
        (2, ["card"], 1.0, 4),
    ],
)
def test_what_each_lineup_can_afford(asked, policies, share, games):
    study = Study(GAME, SMALL, (), None, asked, 1)
    assert sampled.affordable(study, [GAME.policy(name) for name in policies], share) == games


def test_a_hundredth_of_the_games_is_solved():
    solved = {asked: odds.solved_games(Study(GAME, SMALL, (), None, asked, 1)) for asked in (1, 400, 900, 12_345)}
    assert solved == {1: 4, 400: 4, 900: 9, 12_345: 123}


def test_chunks_cover_every_game_once(study):
    chunks = sampled.in_chunks(study, "", 40, lambda first, count: list(range(first, first + count)))
    assert [number for chunk in chunks for number in chunk] == list(range(40))
    assert sampled.in_chunks(study, "", 3, lambda first, count: (first, count)) == [(0, 3)]


# -- odds ------------------------------------------------------------------------------------------------------


def made_up(*rows):
    return pd.DataFrame(rows, columns=["game", "dice", "stake", "roll", "bust"])


def test_rows_of_too_few_decisions_or_games_are_left_out(study):
    rows = [(game, 2, 1, 2.0, 0.1) for game in range(10_001)]
    table = odds.turn_table(study, made_up(*rows, (0, 3, 1, 2.0, 0.1), (1, 3, 1, 2.0, 0.1), (0, 4, 1, 2.0, 0.1)), 9, 3)
    # two in 10,004 are more than one in 10,000; a row of one game has no interval
    assert table.frame[["dice", "positions"]].to_numpy().tolist() == [[2, 10_001], [3, 2]]
    assert (table.frame["games"] == 9).all()
    rows += [(game, 2, 1, 2.0, 0.1) for game in range(10_001)]
    table = odds.turn_table(study, made_up(*rows, (0, 3, 1, 2.0, 0.1), (1, 3, 1, 2.0, 0.1)), 9, 3)
    assert table.frame["dice"].tolist() == [2]


def test_many_points_are_one_row(study):
    made = made_up(*[(game, 2, stake, 13.0, 0.1) for game in (0, 1) for stake in (11, 12, 13, 20)])
    frame = odds.turn_table(study, made, 2, 3).frame.set_index("stake")
    assert sorted(frame.index) == ["11", "12 or more"]
    assert frame.loc["12 or more", "positions"] == 6
    # all at stake from 12 on count as 12 there, the gain of each as it is
    assert frame.loc["12 or more", "gain"] == pytest.approx(((13 - 12) + (13 - 13) + (13 - 20)) / 3)


def test_what_a_stop_rule_costs_by_game(study):
    made = made_up((0, 1, 1, 2.0, 0.5), (0, 1, 3, 2.5, 0.5), (1, 1, 3, 4.0, 0.5), (2, 2, 4, 5.0, 0.1))
    # rolls at 1, stops from 3 on, which loses where rolling would have gained
    assert odds.rule_costs(made, 3).tolist() == [0, 0, 1, 1]
    assert odds.rule_costs(made, 1).tolist() == [1, 0, 1, 1]
    assert odds.rule_costs(made, 9).tolist() == [0, 0.5, 0, 0]
    turns = pd.DataFrame({"game": [0, 0, 1, 1, 2, 2, 3, 3]})
    one, two = odds.stop_rule(study, {1: 3, 2: 5}, {1: (2, 3)}, made, turns).frame.to_dict("records")
    assert (one["costs"], one["decisions"], one["games"]) == (pytest.approx(1 / 8), 3 / 8, 4)
    assert (two["costs"], two["stop_from"], two["decisions"]) == (0, "never", 1 / 8)
    assert (one["or_from"], two["or_from"]) == ("2 or 3", "")
    # by game the rule loses 0, 1, 0 and nothing in two turns each
    price = odds.rule_price(study, {1: 3, 2: 5}, made, turns)
    assert (price.value, price.games) == (pytest.approx(1 / 8), 4)
    expected = estimates.interval(1 / 8, stdev([0, 1 / 2, 0, 0]) / 2, 4, 0)
    assert (price.estimate.low, price.estimate.high) == pytest.approx((expected.low, expected.high))
    # a number of dice without a limit is always rolled
    only = odds.stop_rule(study, {2: 4}, {}, made, turns).frame.set_index("dice")
    assert only["stop_from"].to_dict() == {1: "never", 2: "4"}
    assert only.loc[1, "costs"] == pytest.approx(0.5 / 8)
    assert only.loc[2, "costs"] == pytest.approx(1 / 8)


def test_the_cheapest_limit_wins_and_the_lowest_of_equals():
    made = made_up((0, 1, 2, 1.0, 0.5), (0, 1, 4, 3.0, 0.5), (0, 2, 2, 4.0, 0.5), (0, 2, 5, 6.0, 0.5))
    assert odds.stop_limits(made) == {1: 1, 2: 6}


def test_limits_that_cost_alike_are_told_together():
    # rolling at 2 gains 1 in half of the games and loses 1 in the other half, at 3 it always loses 1, at 1 it always gains 1
    rows = [
        (game, 1, stake, stake + gain, 0.5)
        for game in range(40)
        for stake, gain in ((1, 1), (2, (-1) ** game), (3, -1))
    ]
    made = made_up(*rows)
    assert odds.as_cheap(made, {1: 3}) == {1: (2, 3)}
    assert odds.as_cheap(made, {1: 2}) == {1: (2, 3)}


def test_games_that_price_a_rule_are_not_those_that_chose_it():
    asked = Study(GAME, SMALL, GAME.lineup((), 2), 2, 1, 7)
    every, later = sampled.decisions(asked, 2, 20)[1], sampled.decisions(asked, 2, 8, first=12)[1]
    assert sorted(set(later["game"])) == list(range(12, 20))
    assert later.to_numpy().tolist() == every[every["game"] >= 12].to_numpy().tolist()


def test_the_opening_by_what_lies_beside(study):
    small, medium, large = 1, 2, 3
    blue, red = 0, 12
    values = np.array([[1.0, 4.0], [2.0, 2.5], [3.0, 1.5]])
    around = np.zeros((3, 2, 4), np.int64)
    around[0, 0, :2] = blue + small, red + medium
    around[0, 1, :2] = blue + large, blue + medium
    around[1, 0, :2] = red + medium, blue + small
    around[1, 1, :1] = red + large
    around[2, 0, :2] = red + small, red + medium
    around[2, 1, :2] = blue + medium, blue + large
    frame = odds.opening_table(study, values, *samples.beside(around)).frame
    best, whole = frame.iloc[0], frame.iloc[1]
    assert (best["beside"], best["share"]) == ("best entrance of the temple", 1 / 2)
    assert best["value"] == pytest.approx((4 + 2.5 + 3) / 3)
    assert (whole["share"], whole["value"]) == (1, pytest.approx((1 + 4 + 2 + 2.5 + 3 + 1.5) / 6))
    cases = {(row["beside"], row["colours"]): (row["share"], row["value"]) for row in frame.iloc[2:].to_dict("records")}
    assert cases == {
        ("small + medium", "2"): (pytest.approx(2 / 6), pytest.approx(1.5)),
        ("medium + large", "1"): (pytest.approx(2 / 6), pytest.approx(2.75)),
        ("large", "1"): (pytest.approx(1 / 6), 2.5),
        ("small + medium", "1"): (pytest.approx(1 / 6), 3.0),
    }
    assert (frame["games"] == 3).all()


def test_points_and_losses_of_each_policy(study):
    contenders = [GAME.policy("optimal"), GAME.policy("timid"), GAME.policy("card")]
    turns = pd.DataFrame(
        [(0, 5, 0, 1, 0, 4, 0), (0, 0, 1, 1, 0, 4, 0), (1, 7, 0, 2, 0, 0, 1), (2, 4, 0, 1, 0, 3, 0)],
        columns=["game", "points_0", "bust_0", "points_1", "bust_1", "points_2", "bust_2"],
    )
    made = odds.thumb_table(study, turns, contenders, 4)
    assert made.evidence["turns",].tolist() == [2, 1, 1]
    frame = made.frame.set_index("policy")
    assert list(frame.index.str.split(":").str[0]) == ["optimal", "card", "timid"]
    assert frame["points"].tolist() == [4, 11 / 4, 5 / 4]
    assert frame["loss"].tolist() == [0, 5 / 4, 11 / 4]
    assert frame["bust"].tolist() == [1 / 4, 1 / 4, 0]


def test_every_policy_contends_and_the_users_own_once():
    lineup = GAME.lineup(("timid", "hold:points=7", "hold:points=7"), 3)
    found = [str(chosen) for chosen in odds.every_policy(Study(GAME, SMALL, lineup, 3, 1, 1))]
    assert found[0] == "optimal"
    assert found[-1] == "hold:points=7"
    assert len(found) == len(set(found)) == len(GAME.roster) + 1


# -- known answers ---------------------------------------------------------------------------------------------


def test_entrances_are_compared_only_where_the_first_and_the_last_are_alike(tmp_path):
    # the single entrance of its side comes first, then last; the other two are mirror images of each other
    for squares, row in (('"#E#", "...", "E.E"', 2), ('"E.E", "...", "#E#"', 1)):
        path = tmp_path / "odd.toml"
        path.write_text(
            f"squares = [{squares}]\n"
            f'gems = [{{ kind = "pink", at = [{row}, 1] }}, {{ kind = "pink", at = [{row}, 2] }}]\n'
        )
        variant = GAME.variant("standard", {"board": str(path), "sizes": "1/0/0", "end_gems": 0})
        assert not list(answers.entrances_alike(Study(GAME, variant, GAME.lineup((), 2), None, 1, 5)))
    assert list(answers.entrances_alike(Study(GAME, SMALL, GAME.lineup((), 2), None, 1, 5)))


def test_a_standard_error_from_few_values_is_widened():
    # a normal value beyond 4 standard deviations has the chance 6.334e-5; Student's t beyond 4 * factor has the same
    assert answers.cautious(2.0, 10**6) == pytest.approx(2.0, rel=1e-4)
    # t with one degree of freedom is Cauchy's distribution, whose upper tail is arctan(1/t)/pi
    tail = math.erfc(4 / math.sqrt(2)) / 2
    assert answers.cautious(1.0, 2) == pytest.approx(1 / math.tan(math.pi * tail) / 4, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("small-4x4", {}),
        ("small-4x4", {"skull_limit": 3, "dice": 5}),
        ("small-4x4", {"dice": 1}),
        ("tiny-2x2", {}),
        ("small-4x4", {"gem_needs": "any", "end_gems": 3}),
        ("tiny-3x3", {"max_turns": 1}),
    ],
)
@pytest.mark.parametrize("games", [1, 400])
def test_known_answers_are_met_under_other_rules(name, changes, games):
    study = Study(GAME, GAME.variant(name, changes), GAME.lineup((), 2), None, games, 5)
    found = {check.name: check for check in answers.checks(study)}
    assert [name for name, check in found.items() if not check.passed] == []
    # the lone treasures are checked with a limit of skulls too
    assert sum("lone" in name for name in found) == 3
    rules: Rules = study.variant.rules
    tried = {int(name.split("dice ")[1].split(",")[0]) for name in found if name.startswith("bust: ")}
    assert tried == {1, min(4, rules.dice), rules.dice}
    reach = {name.split("in reach ")[1] for name in found if name.startswith("bust: ")}
    assert reach == {"1", "3"}


def beside(at, sources):
    return any(abs(at[0] - row) + abs(at[1] - column) == 1 for row, column in sources)


def test_the_log_is_held_against_the_closed_form(monkeypatch):
    games = 40
    monkeypatch.setattr(answers, "CHECKED", games)
    monkeypatch.setattr(answers, "ENOUGH", 3)
    study = Study(GAME, SMALL, GAME.lineup((), 2), None, games, 5)
    found = list(answers.busts_rolled(study))
    # the same games told again: dice left and colours in reach before every roll but the first of a turn
    rolls, busts = defaultdict(int), defaultdict(int)
    for number in range(games):
        temple, raccoon, released, dice, case = {}, None, set(), 0, None
        for event in GAME.replay(SMALL.rules, sampled.alike(study, "odds", 4), SeededDice(5, number)):
            match event:
                case TempleShown():
                    temple = dict(event.treasures)
                case Placed():
                    raccoon, released, case = event.square, set(), None
                case Rolled():
                    dice = sum(face != 6 for face in event.faces)
                    rolls[case] += 1
                case Offered():
                    dice -= event.dice
                    released |= set() if event.missing else {event.chamber}
                    reach = [at for at in temple if at not in released and beside(at, {raccoon, *released})]
                    case = dice, len({temple[at].colour for at in reach})
                case Busted():
                    busts[case] += 1
    expected = []
    for case, count in sorted(each for each in rolls.items() if each[0]):
        chance = ((5 - case[1]) / 6) ** case[0] if case[1] else 1
        if count * chance >= 3:
            name = f"next roll a bust: dice {case[0]}, colours in reach {case[1]} ({count:,} rolls)"
            expected.append((name, chance, busts[case] / count, math.sqrt(chance * (1 - chance) / count)))
    assert len(expected) > 3
    for check, (name, chance, share, error) in zip(found, expected, strict=True):
        assert check.name == name
        assert (check.expected, check.got, check.standard_error) == pytest.approx((chance, share, error))
