"""Every measure of Tacatuca's chapter against a derivation of its own: plain loops over records, dice counted one by one,
chains pushed in plain Python, sentences made from hand-made frames."""

import math
from functools import cache
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import sims
from analysis import figures, page
from analysis.chapter import Check, Study
from analysis.chapters.tacatuca import answers, balance, odds, pictures, report
from analysis.measures import Column
from analysis.report import settled
from analysis.report import told as report_told
from analysis.tables import Table
from sims.engine.errors import InputError
from sims.tacatuca import exact
from sims.tacatuca.rules import Rules

GAME = sims.game("tacatuca")
DICE = [(max(a, b), min(a, b)) for a in range(1, 7) for b in range(1, 7)]


def study_of(games=400, players=None, seed=5, **rules):
    return Study(GAME, GAME.variant("standard", rules), GAME.lineup(), players, games, seed)


def rows_of(played):
    """Records as plain dictionaries."""
    return [dict(zip(played.columns, map(int, row), strict=True)) for row in played.records]


def wilson(hits, trials):
    z, share = 1.959963984540054, hits / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return share, centre - half, centre + half


# -- the cards by their pattern, the chain of two players pushed in plain Python ---------------------------------


def asks(taker, giver, highest, cards=(1, 2, 3, 4, 5, 6), replaces=True):
    """What a throw takes from another: the pattern behind the printed cards, doubles not in ``cards`` being plain."""
    difference = sum(taker) - sum(giver)
    plain = difference if sum(taker) == highest and difference > 0 else 0
    if giver[0] == giver[1] in cards and giver[0] < 6 and taker == (giver[0] + 1, giver[0]):
        return 0
    double = taker[0]
    if taker[0] != taker[1] or double not in cards or giver == taker:
        return plain
    if giver[0] == giver[1]:
        card = abs(difference) + (2 if double == 6 else 0) if giver[0] < double else None
    else:
        card = abs(difference) + double - 1 if giver[0] <= double + 1 and giver != (double + 1, double) else None
    if card is None:
        return plain
    return card if replaces else plain + card


def gains(mine=(1, 2, 3, 4, 5, 6), yours=(1, 2, 3, 4, 5, 6), replaces=True):
    """Chance of each net gain of the first of two players, who hold these cards."""
    found = {}
    for own, other in product(DICE, repeat=2):
        top = max(sum(own), sum(other))
        # a truce is the giver's card, a claim the taker's
        gain = asks(own, other, top, mine, replaces) if own[0] == own[1] else asks(own, other, top, yours, replaces)
        loss = asks(other, own, top, yours, replaces) if other[0] == other[1] else asks(other, own, top, mine, replaces)
        found[gain - loss] = found.get(gain - loss, 0) + 1 / 36**2
    return found


def pushed(step, pins, total, limit):
    """``(win of the first, mean rounds, chance to be cut off)``."""
    mass, won, mean = {pins: 1.0}, 0.0, 0.0
    for _ in range(limit):
        mean += sum(mass.values())
        after = {}
        for held, chance in mass.items():
            for gain, odds_ in step.items():
                now = min(total, max(0, held + gain))
                if now == total:
                    won += chance * odds_
                elif now:
                    after[now] = after.get(now, 0.0) + chance * odds_
        mass = after
    return won, mean, sum(mass.values())


@pytest.mark.parametrize(("pins", "limit"), [(3, 400), (3, 2), (6, 4)])
def test_the_worth_of_every_card(pins, limit):
    frame = balance.cards(study_of(pins=pins, max_rounds=limit)).frame
    assert frame["card"].tolist() == ["Guard", "Saver", "Strong", "Commander", "Super Power", "King"]
    assert frame["throw"].tolist() == ["1-1", "2-2", "3-3", "4-4", "5-5", "6-6"]
    whole, rounds, _ = pushed(gains(), pins, 2 * pins, limit)
    for double, row in enumerate(frame.itertuples(), start=1):
        rest = tuple(other for other in range(1, 7) if other != double)
        alone = pushed(gains(mine=rest), pins, 2 * pins, limit)[0]
        nobody = pushed(gains(rest, rest), pins, 2 * pins, limit)[1]
        assert row.you_win_without == pytest.approx(alone, abs=1e-11)
        assert row.worth == pytest.approx(whole - alone, abs=1e-11)
        assert (row.rounds, row.rounds_without) == pytest.approx((rounds, nobody), abs=1e-9)


def test_the_note_of_the_cards_tells_of_a_limit_that_shows():
    assert "still open after 4 rounds" in balance.cards(study_of(pins=6, max_rounds=4)).note
    assert "still open" not in balance.cards(study_of(pins=6)).note


def test_the_other_readings_of_two_and_three_players():
    frame = balance.effects(study_of(pins=5)).frame
    readings = [
        ("(as set)", "", {}),
        ("doubles_collect", "highest_only", {"doubles_collect": "highest_only"}),
        ("double_replaces_plain", "false", {"double_replaces_plain": False}),
        ("shortage", "one_each", {"shortage": "one_each"}),
        ("shortage", "proportional", {"shortage": "proportional"}),
    ]
    # half of five pins are two; the thirteen others as evenly as they go, the seat on the left first
    poor = {2: (2, 8), 3: (2, 7, 6)}
    expected = [(players, *reading) for players in (2, 3) for reading in readings]
    assert len(frame) == len(expected)
    for row, (players, ruling, reading, changed) in zip(frame.itertuples(), expected, strict=True):
        rules = Rules(pins=5, **changed)
        rounds = exact.solve(rules, (5,) * players).rounds_mean
        before = exact.solve(Rules(pins=5), (5,) * players).rounds_mean
        half = exact.solve(rules, poor[players]).win[0]
        half_before = exact.solve(Rules(pins=5), poor[players]).win[0]
        assert (row.players, row.rule, row.reading) == (players, ruling, reading)
        assert row.rounds == pytest.approx(rounds, abs=1e-8)
        assert row.change == pytest.approx(rounds / before - 1, abs=1e-10)
        assert row.half_pins_win == pytest.approx(half, abs=1e-10)
        assert row.difference == pytest.approx(half - half_before, abs=1e-10)


@pytest.mark.parametrize("limit", [3, 1000])
def test_a_card_added_to_the_plain_rule_pushed_in_plain_python(limit):
    frame = balance.effects(study_of(pins=4, players=2, max_rounds=limit)).frame.set_index("rule")
    before, after = (pushed(gains(replaces=replaces), 4, 8, limit) for replaces in (True, False))
    row = frame.loc["double_replaces_plain"]
    assert (row["rounds"], row["change"]) == pytest.approx((after[1], after[1] / before[1] - 1), abs=1e-9)
    poor, poor_before = (pushed(gains(replaces=replaces), 2, 8, limit)[0] for replaces in (False, True))
    assert (row["half_pins_win"], row["difference"]) == pytest.approx((poor, poor - poor_before), abs=1e-10)


def test_other_readings_with_four_players_game_by_game():
    study = study_of(games=150, pins=4)
    frame = balance.effects_of_four(study).frame
    lineup = GAME.lineup(players=4)
    before = rows_of(study.play("", lineup=lineup, records=True))
    for row in frame.itertuples():
        changed = (
            {}
            if row.rule == "(as set)"
            else {row.rule: row.reading == "true" if row.reading == "false" else row.reading}
        )
        if row.rule == "double_replaces_plain":
            changed = {row.rule: False}
        after = rows_of(study.play("", variant=study.variant.changed(**changed), lineup=lineup, records=True))
        paired = [b["rounds"] - a["rounds"] for a, b in zip(before, after, strict=True)]
        assert row.players == 4
        assert row.rounds == pytest.approx(sum(game["rounds"] for game in after) / 150)
        assert row.change_in_rounds == pytest.approx(sum(paired) / 150)
        winners = sum(a["winners"] != b["winners"] for a, b in zip(before, after, strict=True))
        assert row.other_winners == pytest.approx(winners / 150)
    assert len(frame) == 5


# -- measures of records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "limit"), [(2, 10_000), (3, 12), (4, 10_000)])
def test_the_leaders_after_each_quarter(players, limit):
    study = study_of(players=players, pins=7, max_rounds=limit, games=500)
    batches = balance.batches(study)
    frame = balance.snowball(study, batches).frame
    assert frame["after"].tolist() == ["1/4", "2/4", "3/4"]
    assert set(frame["players"]) == {players}
    games = [game for game in rows_of(batches[players]) if not game["unfinished"]]
    assert (len(games) < 500) == (limit == 12)
    for quarter, row in enumerate(frame.itertuples(), start=1):
        led = [game for game in games if game[f"quarter_leader_{quarter}"]]
        won = [game for game in led if game["winners"] == 2 ** (game[f"quarter_leader_{quarter}"] - 1)]
        assert (row.leader_wins, row.low, row.high) == pytest.approx(wilson(len(won), len(led)))
        held = sum(game[f"quarter_pins_{quarter}"] for game in led) / len(led)
        assert row.leader_holds == pytest.approx(held / (7 * players))
        assert (row.games, row.seed) == (500, 5)


@pytest.mark.parametrize(("players", "pins", "limit"), [(2, 6, 10_000), (3, 7, 14)])
def test_length_and_tension(players, pins, limit):
    study = study_of(players=players, pins=pins, max_rounds=limit, games=300)
    played = balance.batches(study)[players]
    found = {measure.name: (measure.find(played).value, measure.unit) for measure in balance.measures(study)}
    games = rows_of(played)
    closed = [game for game in games if not game["unfinished"]]
    assert (len(closed) < len(games)) == (limit == 14)

    def mean(values):
        return sum(values) / len(values)

    expected = {
        "rounds": (mean([game["rounds"] for game in games]), ""),
        "lead_changes": (mean([game["lead_changes"] for game in games]), ""),
        "comeback": (mean([game["comeback"] for game in closed]), ""),
        # half of seven pins are three and a half: three or fewer
        "comeback_half": (mean([game["comeback"] <= 3 for game in closed]), "share"),
        "decisive": (mean([game["leads_since"] / game["rounds"] for game in closed]), "share"),
        "restricted": (sum(game["idle_rounds"] for game in games) / sum(game["rounds"] for game in games), "share"),
        "completion": (len(closed) / len(games), "share"),
        "minutes": (mean([game["rounds"] for game in games]) / 4, ""),
        "shared": (0, "share"),
    }
    assert set(found) == {*expected, "seat_gap", "first_seat"}
    for name, (value, unit) in expected.items():
        assert found[name] == (pytest.approx(value), unit), name


# -- odds, dice by dice ----------------------------------------------------------------------------------------


@cache
def counted(players):
    """For every throw of the first of ``players``: ways, highest, shared, net pins; and net pins of any throw."""
    by_throw, by_gain = {}, {}
    for throws in product(sorted(set(DICE)), repeat=players):
        ways = math.prod(1 if high == low else 2 for high, low in throws)
        top, own = max(map(sum, throws)), throws[0]
        net = sum(asks(own, other, top) - asks(other, own, top) for other in throws[1:])
        best = max(map(sum, throws[1:]))
        old = by_throw.get(own, (0, 0, 0, 0))
        new = (ways, ways * (sum(own) > best), ways * (sum(own) == best), ways * net)
        by_throw[own] = tuple(a + b for a, b in zip(old, new, strict=True))
        by_gain[net] = by_gain.get(net, 0) + ways
    return by_throw, by_gain


@pytest.mark.parametrize("players", [2, 3])
def test_throws_and_steps_counted_die_by_die(players):
    by_throw, by_gain = counted(players)
    frame = odds.throws(study_of(players=players)).frame
    assert len(frame) == 21
    names = {1: "Guard", 2: "Saver", 3: "Strong", 4: "Commander", 5: "Super Power", 6: "King"}
    for row in frame.itertuples():
        high, low = map(int, row.throw.split("-"))
        ways, highest, shared, net = by_throw[high, low]
        assert row.sum == high + low
        assert row.card == (names[high] if high == low else "")
        assert row.probability == pytest.approx(ways / 36**players)
        assert (row.highest, row.shared, row.net_pins) == pytest.approx((highest / ways, shared / ways, net / ways))
    frame = odds.step(study_of(players=players)).frame
    assert dict(zip(frame["pins"], frame["probability"], strict=True)) == pytest.approx(
        {gain: ways / 36**players for gain, ways in by_gain.items()}
    )
    assert set(frame["players"]) == {players}


def test_the_exchange_of_every_pair():
    frame = odds.exchange(study_of()).frame
    assert len(frame) == 21 * 21
    for row in frame.itertuples():
        own, other = (tuple(map(int, name.split("-"))) for name in (row.throw, row.opponent))
        top = max(sum(own), sum(other))
        assert row.pins == asks(own, other, top) - asks(other, own, top), (row.throw, row.opponent)


@pytest.mark.parametrize("limit", [6, 10_000])
def test_win_chances_and_lengths_of_two_pushed_in_plain_python(limit):
    study = study_of(players=2, pins=3, max_rounds=limit)
    frame = odds.win(study).frame
    assert frame["pins"].tolist() == [1, 2, 3, 4, 5]
    assert frame["others"].tolist() == ["5", "4", "3", "2", "1"]
    for row in frame.itertuples():
        won, mean, open_games = pushed(gains(), row.pins, 6, min(limit, 300))
        assert row.win_probability == pytest.approx(won, abs=1e-11)
        assert row.rounds == pytest.approx(mean, abs=1e-9)
        assert row.share_of_pins == pytest.approx(row.pins / 6)
        if limit == 6:
            assert row.unfinished == pytest.approx(open_games, abs=1e-11)
    assert ("unfinished" in frame) == (limit == 6)
    frame = odds.length(study).frame
    assert (frame["ends"] > 5e-7).all()
    before = 1.0
    for number, row in enumerate(frame.itertuples(), start=1):
        still = 0.0 if number == limit else pushed(gains(), 3, 6, number)[2]
        assert (row.players, row.round) == (2, number)
        assert (row.ends, row.over) == pytest.approx((before - still, 1 - still), abs=1e-11)
        before = still


def test_with_four_players_the_others_hold_alike_as_far_as_pins_divide():
    frame = odds.win(study_of(players=4, pins=2)).frame
    assert frame["others"].tolist() == [
        *("2-2-3", "2-3-2", "3-2-2"), "2-2-2", *("1-2-2", "2-1-2", "2-2-1"), *("1-1-2", "1-2-1", "2-1-1"), "1-1-1",
    ]  # fmt: skip
    assert frame["pins"].tolist() == [1, 1, 1, 2, 3, 3, 3, 4, 4, 4, 5]
    for row in frame.iloc[[1, 3, 8]].itertuples():
        others = tuple(map(int, row.others.split("-")))
        solved = exact.solve(Rules(), (row.pins, *others))
        assert (row.win_probability, row.rounds) == pytest.approx((solved.win[0], solved.rounds_mean), abs=1e-8)


@pytest.mark.parametrize(
    ("pins", "players", "expected"),
    [(20, None, (2, 3)), (5, None, (2, 3)), (60, None, (2,)), (400, None, (2,)), (20, 4, (4,))],
)
def test_tables_hold_what_is_asked_for_or_quick(pins, players, expected):
    assert odds.asked_or_quick(study_of(games=1000, players=players, pins=pins)) == expected


def test_what_no_number_of_players_solves_is_one_line():
    with pytest.raises(InputError, match=r"^pins: 501 is too many to be solved exactly; at most 500 with two players$"):
        odds.win(study_of(pins=501))
    with pytest.raises(InputError, match=r"^pins: a total of 1503 is not solved exactly"):
        odds.length(study_of(pins=501, players=3))


@pytest.mark.parametrize(
    ("games", "rules", "expected"),
    [
        (100, {}, [2, 3]),
        (1_000_000, {}, [2, 3, 4]),
        (100, {"max_rounds": 100}, [2, 3]),
        (100, {"pins": 5}, [2, 3, 4]),
        (100, {"pins": 200}, [2]),
        (100, {"pins": 501}, []),
    ],
    ids=str,
)
def test_what_is_solved_unasked_is_in_proportion_to_the_games(games, rules, expected):
    assert odds.quick(study_of(games=games, **rules)) == expected
    # ten times as many solutions are never possible with more players
    assert set(odds.quick(study_of(games=games, **rules), 10)) <= set(expected)


def test_the_work_of_a_chain_is_its_states_times_rounds():
    # 12 pins of three seats: 11 * 10 / 2 ways; rounds grow with the square of the pins, up to the limit
    assert odds.work(Rules(pins=4), 3) == 55 * (odds.SETTING_UP + 57)
    assert odds.work(Rules(pins=4, max_rounds=7), 3) == 55 * (odds.SETTING_UP + 7)


# -- exact answers and known answers ---------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [4, 10_000])
def test_the_answer_from_any_pins(limit):
    answer = answers.solve(study_of(max_rounds=limit), "2,5")
    won, mean, open_games = pushed(gains(), 2, 7, min(limit, 400))
    lost = 1 - won - open_games
    content = answer.content
    assert content["pins"] == [2, 5]
    assert content["win_probability"] == pytest.approx([won, lost], abs=1e-11)
    assert content["places"] == [pytest.approx([won, lost], abs=1e-11), pytest.approx([lost, won], abs=1e-11)]
    assert content["leaves_first"] == pytest.approx([lost, won], abs=1e-11)
    assert content["unfinished"] == pytest.approx(open_games, abs=1e-11)
    assert content["rounds"]["mean"] == pytest.approx(mean, abs=1e-9)
    told = content["distribution"]
    assert [entry["round"] for entry in told] == list(range(1, len(told) + 1))
    still = [1.0, *(pushed(gains(), 2, 7, number)[2] for number in range(1, 5))]
    ends = [before - after for before, after in pairwise(still)]
    if limit == 4:
        ends[3] += still[4]
        assert len(told) == 4
    assert [entry["probability"] for entry in told[:4]] == pytest.approx(ends, abs=1e-11)
    second = sum(entry["probability"] * entry["round"] ** 2 for entry in told)
    assert content["rounds"]["sd"] == pytest.approx(math.sqrt(second - mean**2), abs=1e-6)

    (table,) = answer.tables
    first, other = table.frame.itertuples()
    assert (first.seat, first.pins, other.seat, other.pins) == (1, 2, 2, 5)
    assert (first.wins, first.place_2, other.wins) == pytest.approx((won, lost, lost), abs=1e-11)
    assert (first.share_of_pins, other.share_of_pins) == pytest.approx((2 / 7, 5 / 7))
    assert ("still_in" in table.frame) == (limit == 4) == any("cut off" in line for line in answer.sentences)
    if limit == 4:
        assert (first.still_in, other.still_in) == pytest.approx((open_games, open_games), abs=1e-11)
        assert f"{100 * open_games:.2f} % of the games are cut off after 4 rounds" in answer.sentences[2]


@pytest.mark.parametrize(
    ("chance", "text"), [(0.95072, "95.07 %"), (0.001, "0.10 %"), (0.0004, "0.04 %"), (7e-10, "7e-08 %")]
)
def test_a_small_chance_is_never_told_as_nothing(chance, text):
    assert answers.in_percent(chance) == text


def test_three_players_who_leave_keep_their_places_when_the_game_is_cut_off():
    answer = answers.solve(study_of(max_rounds=3), "2,9,9")
    frame = answer.tables[0].frame
    assert frame["still_in"].to_numpy() == pytest.approx(
        1 - frame[["wins", "place_2", "place_3"]].sum(axis=1).to_numpy(), abs=1e-12
    )
    assert frame["place_3"][0] > 0.3 > frame["still_in"][0] * 0
    assert answer.content["unfinished"] > 0.5


@pytest.mark.parametrize("limit", [3, 10_000])
def test_known_answers_hold_expected_beside_what_was_played(limit):
    study = study_of(players=None, pins=2, max_rounds=limit, games=3000)
    found = {check.name: check for check in answers.checks(study)}
    assert all(check.passed for check in found.values())
    won, mean, open_games = pushed(gains(), 2, 4, min(limit, 300))
    games = rows_of(study.play("", lineup=GAME.lineup(players=2), records=True))
    for seat in (1, 2):
        check = found[f"2 players: seat {seat} wins"]
        assert check.expected == pytest.approx(won, abs=1e-11)
        assert check.got == sum(game["winners"] == seat for game in games) / 3000
        spread = math.sqrt(won * (1 - won) / 3000)
        assert check.standard_error == pytest.approx(spread, rel=0.01)
        assert check.games == 3000
    check = found["2 players: cut off by max_rounds"]
    assert (check.expected, check.got) == (
        pytest.approx(open_games, abs=1e-11),
        sum(game["unfinished"] for game in games) / 3000,
    )
    check = found["2 players: mean rounds"]
    assert check.expected == pytest.approx(mean, abs=1e-9)
    assert check.got == sum(game["rounds"] for game in games) / 3000
    deviation = exact.solve(study.variant.rules, (2, 2)).rounds_sd
    assert check.standard_error == pytest.approx(deviation / math.sqrt(3000))
    for name in ("two methods", "dense solve"):
        assert found[f"2 players: mean rounds, {name}"].expected == pytest.approx(mean, abs=1e-9)
        assert found[f"2 players: mean rounds, {name}"].got == pytest.approx(mean, abs=1e-9)
    assert found["3 players: win chance of seat 1, two methods"].tolerance < 1e-9
    median = exact.solve(study.variant.rules, (2, 2)).rounds_median
    check = found[f"2 players: over by the median ({median})"]
    still = 0.0 if median == limit else pushed(gains(), 2, 4, median)[2]
    assert check.expected == pytest.approx(1 - still, abs=1e-11)
    assert check.got == sum(game["rounds"] <= median for game in games) / 3000


def test_a_rare_event_may_happen_once_and_an_impossible_one_never():
    assert answers.standard_error(0.5, 10_000) == pytest.approx(0.005, rel=0.001)
    assert answers.standard_error(1e-9, 1000) == pytest.approx(1e-3, rel=0.01)
    assert answers.standard_error(0.0, 1000) == 0
    assert answers.standard_error(1 + 1e-15, 1000) == 0


# -- sentences of the page -------------------------------------------------------------------------------------


def table_of(name, rows):
    frame = pd.DataFrame(rows)
    return Table(name, name, frame, tuple(Column(key) for key in frame if key not in ("low", "high")), False)


def test_the_sentences_on_leads():
    rows = [
        {"players": 2, "after": after, "leader_holds": 0.7, "leader_wins": wins, "low": 0.6, "high": 0.8}
        for after, wins in (("1/4", 0.61), ("2/4", 0.723), ("3/4", 0.85))
    ]
    rows.append({**rows[1], "players": 3, "leader_wins": math.nan})
    tension = [
        {"players": players, "quantity": name, "value": value, "low": 0.0, "high": 1.0, "meaning": name}
        for players, name, value in ((2, "comeback_half", 0.375), (3, "comeback_half", math.nan), (2, "decisive", 0.9))
    ]
    found = report.lead_section({}, {"snowball": table_of("snowball", rows), "tension": table_of("tension", tension)})
    assert found.sentences[0] == (
        "Half-way through a two-player game, the leader holds 70 % of the pins and goes on to win 72.3 % of the games."
    )
    assert found.sentences[1].startswith("Nobody at the table knows when half-way is")
    assert found.sentences[2] == (
        "The winner had once been down to half of the starting pins or fewer in 38 % with two players."
    )
    assert len(found.pictures) == 1
    rows[1]["leader_wins"] = math.nan
    found = report.lead_section(
        {}, {"snowball": table_of("snowball", rows), "tension": table_of("tension", tension[1:])}
    )
    assert found.sentences[0] == "No finished game had a sole leader half-way through."


def test_the_picture_on_leads_spans_the_intervals():
    frame = pd.DataFrame(
        {"players": [2] * 3, "leader_wins": [0.6, 0.7, 0.8], "low": [0.5, 0.65, 0.7], "high": [0.62, 0.8, 0.95]}
    )
    (axes,) = pictures.snowball_chart(frame).axes
    (bars,) = axes.collections
    drawn = [part[:, 1].tolist() for part in bars.get_segments()]
    assert drawn == [pytest.approx(pair) for pair in ([0.5, 0.62], [0.65, 0.8], [0.7, 0.95])]


def test_the_picture_of_comebacks_shows_shares_of_finished_games():
    # three of five games are finished: their winners were down to 1, 1 and 3 pins
    (axes,) = pictures.comeback_chart({2: np.array([2, 2, 0, 1, 0])}, {2: 2}).axes
    assert axes.lines[0].get_xdata().tolist() == [1, 2, 3]
    assert axes.lines[0].get_ydata().tolist() == pytest.approx([2 / 3, 0, 1 / 3])


def test_the_picture_of_three_players_is_a_regular_triangle():
    table = exact.win_table(Rules(), 3, 12)
    axes = pictures.triangle(table.pins, table.win[:, 0]).axes[0]
    one, two, three = (np.array(text.xy) for text in axes.texts if "holds all" in text.get_text())
    sides = [math.dist(one, two), math.dist(two, three), math.dist(three, one)]
    assert sides == pytest.approx([1, 1, 1])


def test_the_sentence_on_seats_counts_the_intervals_that_miss():
    rows = [
        {"players": 2, "low": 0.49, "high": 0.51},
        {"players": 2, "low": 0.501, "high": 0.52},
        {"players": 4, "low": 0.2, "high": 0.24},
        {"players": 4, "low": 0.25, "high": 0.26},
    ]
    (sentence,) = report.seat_section(table_of("seats", rows), {}).sentences
    assert "Of the simulated 95 % intervals, 2 of 4 miss the even share" in sentence


def test_the_sentence_on_cards_names_the_one_that_changes_the_length_most():
    rows = [
        {
            "card": "Guard",
            "throw": "1-1",
            "you_win_without": 0.49,
            "worth": 0.01,
            "rounds": 20.0,
            "rounds_without": 19.0,
        },
        {"card": "King", "throw": "6-6", "you_win_without": 0.4, "worth": 0.1, "rounds": 20.0, "rounds_without": 24.5},
    ]
    found = report.card_section(study_of(), table_of("cards", rows))
    best, worst, claim = found.sentences
    assert "King: without its text you would win 40.0 %" in best.sentence
    assert worst.sentence == "Guard is worth least, 1.0 points of win chance."
    assert claim.sentence.startswith("King changes the length most: it makes two-player games shorter, 20.00 rounds")
    assert "instead of 24.50" in claim.sentence
    rows[1]["rounds_without"] = 12.0
    assert "games longer" in report.card_section(study_of(), table_of("cards", rows)).sentences[2].sentence
    assert "no cards" in report.card_section(study_of(cards=[]), None).sentences[0]
    assert "more than 100 pins" in report.card_section(study_of(pins=300), None).sentences[0]


def test_the_sentence_on_readings_names_the_one_that_matters_most():
    columns = ("players", "rule", "reading", "change")
    rows = [
        (2, "(as set)", "", 0.0),
        (2, "shortage", "one_each", 0.5),
        (3, "(as set)", "", 0.0),
        (3, "double_replaces_plain", "false", -0.381),
        (3, "shortage", "one_each", 0.012),
    ]

    def sentence(rows):
        table = table_of("rulings", [dict(zip(columns, row, strict=True)) for row in rows])
        found = report.reading_section(study_of(), {"rulings": table})
        return found.sentences[0].sentence

    told = sentence(rows)
    assert told.startswith("Adding a card's amount to the difference shortens three-player games by 38.1 %")
    assert told.endswith("The others change the length by at most 1.2 %.")
    assert "by more than 0.05 %" in sentence([(*row[:3], row[3] / 1000) for row in rows])
    four = table_of(
        "rulings_4", [{"players": 4, "rule": "(as set)", "reading": "", "other_winners": 0.0, "redealt": 0.75}]
    )
    assert "take too long" in report.reading_section(study_of(), {"rulings_4": four}).sentences[0]


def test_the_sentence_on_throws_names_the_double_from_which_cards_pay():
    by_throw, _ = counted(2)
    worth = {high: net / ways for (high, low), (ways, _, _, net) in by_throw.items() if high == low}
    first = min(double for double in worth if worth[double] > 0)
    found = report.throw_section(odds.throws(study_of()).frame)
    pays = [f"{double}-{double}" for double in sorted(worth) if worth[double] > 0]
    assert found.sentences[2].verdict == f"{first}-{first}" == pays[0]
    assert all(name in found.sentences[2].sentence for name in pays)
    frame = found.tables[0].frame
    best = max(by_throw, key=lambda throw: by_throw[throw][3] / by_throw[throw][0])
    assert frame["throw"].iloc[0] == f"{best[0]}-{best[1]}"
    assert frame["net_pins_2"].is_monotonic_decreasing
    assert len(frame) == 21
    assert len(report.throw_section(odds.throws(study_of(cards=[])).frame).sentences) == 2


def test_the_sentences_in_short():
    study = study_of(pins=4, max_rounds=6)
    solved, tables = report.solutions(study)
    assert sorted(solved) == [2, 3, 4]
    throws = pd.DataFrame({"players": [2, 2, 3], "throw": ["6-6", "2-1", "6-6"], "net_pins": [7.125, -3.5, 9.0]})
    cards = [
        {"card": "Guard", "worth": 0.001, "you_win_without": 0.499},
        {"card": "King", "worth": 0.0523, "you_win_without": 0.4477},
    ]
    tension = [{"players": 2, "quantity": "rounds", "value": 3.0, "low": 2.0, "high": 4.0}]
    sheet = {"cards": table_of("cards", cards), "tension": table_of("tension", tension)}
    told = [getattr(said, "sentence", said) for said in report.in_short(solved, tables, throws, sheet)]
    means = [solved[players].rounds_mean for players in (2, 3, 4)]
    assert told[0].endswith("{:.1f} with two, {:.1f} with three and {:.1f} with four players.".format(*means))
    assert told[1] == "Every seat has the same chance to win (exact)."
    assert told[2] == "Between two players, 6-6 is the best throw: it is worth +7.12 pins per round (exact)."
    won, _, _ = pushed(gains(), 2, 8, 6)
    verdict = "more" if won > 0.25 else "less"
    assert told[3].startswith(
        f"With 2 of 8 pins you still win {100 * won:.1f} % of two-player games, {verdict} than your share"
    )
    assert "King: without its text you would win 44.8 %" in told[4]
    assert len(told) == 5
    # three players not solved: their simulated length, with its error
    tension.append({"players": 3, "quantity": "rounds", "value": 5.55, "low": 5.25, "high": 5.85})
    sheet["tension"] = table_of("tension", tension)
    told = report.in_short({2: solved[2]}, {2: tables[2]}, throws, sheet)
    assert told[0].endswith("with two and 5.5 ± 0.3 (simulated) with three players.")


def test_the_sentences_on_length():
    study = study_of(pins=4, max_rounds=6)
    found = {players: exact.solve(study.variant.rules, (4,) * players) for players in (2, 3)}
    rows = [(2, "rounds", 1.0), (3, "rounds", 2.0), (4, "rounds", 5.75), (2, "completion", 0.75), (2, "minutes", 12.3)]
    tension = pd.DataFrame(rows, columns=["players", "quantity", "value"]).assign(meaning="minutes if a round is long")
    section = report.length_section(study, found, tension)
    still = [pushed(gains(), 4, 8, number)[2] for number in range(7)]
    median = next(number for number in range(7) if 1 - still[number] >= 0.5 or number == 6)
    assert f"Half of two-player games are over by round {median}, " in section.sentences[0]
    assert f"{answers.in_percent(still[6])} are cut off after round 6." in section.sentences[0]
    assert "Simulated four-player games last 5.8 rounds on average." in section.sentences[0]
    assert section.sentences[1] == "If a round is long, a game takes 12 minutes with two players."
    assert section.sentences[2].startswith(
        "With two players 25.00 % of the simulated games were cut off after 6 rounds"
    )
    assert f"(exactly: {100 * still[4 + 2]:.2f} %)" in section.sentences[2]
    assert section.sentences[3].startswith("Four-player games take long to solve exactly")
    frame = section.tables[0].frame
    assert frame["unfinished"][0] == pytest.approx(still[6], abs=1e-11)
    assert frame["mean"][0] == pytest.approx(sum(still[:6]), abs=1e-9)
    assert len(section.pictures) == 1
    endless = report.length_section(study_of(pins=4), {2: exact.solve(Rules(), (4, 4))}, tension[:1])
    open_games = [pushed(gains(), 4, 8, number)[2] for number in range(40)]
    p95 = next(number for number in range(40) if open_games[number] <= 0.05)
    assert f"one in twenty goes on past round {p95}." in endless.sentences[0]
    assert "unfinished" not in endless.tables[0].frame


def test_the_sentence_on_win_chances_is_true_of_its_table():
    section = report.win_section(study_of(), {2: exact.win_table(Rules(), 2, 40)})
    frame = section.tables[0].frame
    for row in frame.itertuples():
        won, _, _ = pushed(gains(), row.pins, 40, 700) if row.pins in (10, 30) else (None, None, None)
        if won is not None:
            assert row.win == pytest.approx(won, abs=1e-9)
            assert row.above == pytest.approx(100 * (won - row.pins / 40), abs=1e-7)
    furthest = max(abs(pushed(gains(), pins, 40, 700)[0] - pins / 40) for pins in (1, 2, 3, 4, 5, 6))
    told, poor, rich, half = section.sentences
    assert half.sentence.startswith("With 10 of 40 pins")
    most = math.ceil(1000 * furthest) / 10
    assert told.startswith(
        f"Your chance to win lies within {most:.1f} points of your share of the pins, in every position"
    )
    assert (poor.verdict, rich.verdict) == ("always", "always")
    # of a long list so many rows as can be read, from the fewest pins to the most
    long = report.win_section(study_of(), {2: exact.win_table(Rules(), 2, 200)}).tables[0].frame
    assert 40 <= len(long) <= 80
    assert (long["pins"].min(), long["pins"].max()) == (1, 197)
    cut = report.win_section(study_of(max_rounds=3), {2: exact.win_table(Rules(max_rounds=3), 2, 40)})
    most = max(abs(pushed(gains(), pins, 40, 3)[0] - pins / 40) for pins in range(1, 40))
    assert f"lies within {math.ceil(1000 * most) / 10:.1f} points of your share" in cut.sentences[0]
    left = max(pushed(gains(), pins, 40, 3)[2] for pins in range(1, 40))
    assert f"up to {100 * left:.2f} % of the games are cut off" in cut.sentences[-1]
    # a game cut off is won by nobody: the short of pins win less often than their share
    assert cut.sentences[1].verdict == "with exceptions"
    one = report.win_section(study_of(pins=1), {2: exact.win_table(Rules(), 2, 2)})
    assert one.sentences == ("With one pin each there is only one way to hold the pins of all who are in.",)
    none = report.win_section(study_of(pins=600), {})
    assert none.sentences == ("Two-, three- and four-player games with 600 pins each are too large to solve exactly.",)


def test_what_is_not_solved_is_said():
    assert report.not_solved(study_of(), [2, 3, 4]) == []
    (told,) = report.not_solved(study_of(pins=300), [2])
    assert told == "Three- and four-player games with 300 pins each are too large to solve exactly."
    later, never = report.not_solved(study_of(pins=60), [2])
    assert later.startswith("Three-player games take long")
    assert never.startswith("Four-player games with 60 pins each")


def test_known_answers_that_fail_are_counted(monkeypatch):
    good, bad = Check("good", "", 1.0, 1.0), Check("bad", "", 1.0, 2.0)

    def said(*checks):
        monkeypatch.setattr(page, "chapter", lambda name: SimpleNamespace(checks=lambda study: iter(checks)))
        return page.trust(study_of())

    assert said(good, good, bad).sentences[0].startswith("Only 2 of 3 known answers are met")
    assert said(good, good).sentences[0].startswith("All 2 known answers are met")
    assert not said().tables


# -- every variant that can be played has a page ---------------------------------------------------------------

ONE_CARD = {"name": r"$\frac{1}$", "double": 3, "truce": ["6-6"], "takes": [{"bonus": 20, "from": ["1-1", "6-5"]}]}


@pytest.mark.parametrize(
    "rules",
    [
        {"pins": 1000},
        {"max_rounds": 1},
        {"pins": 4, "cards": [ONE_CARD]},
        *(pytest.param(rules, marks=pytest.mark.slow) for rules in [
            *({"pins": pins} for pins in (1, 2, 45, 200, 500)),
            {"max_rounds": 5},
            {"pins": 4, "cards": []},
            {"pins": 2, "doubles_collect": "highest_only"},
            {"pins": 2, "double_replaces_plain": False},
            {"pins": 2, "shortage": "one_each"},
            {"pins": 2, "shortage": "proportional"},
        ]),
    ],
    ids=str,
)  # fmt: skip
def test_a_page_on_every_variant(rules):
    sections = list(page.sections(study_of(games=40, **rules)))
    claims = settled(sections)
    assert len(sections) == 10
    for section in sections:
        said = [report_told(sentence, claims) for sentence in section.sentences]
        assert all(text and " nan" not in text for text in said), said
        assert said or section.pictures
        assert all(len(table.frame) for table in section.tables)
    told = " ".join(report_told(sentence, claims) for section in sections for sentence in section.sentences)
    missing = {
        200: "Three- and four-player games with 200 pins",
        500: "Three- and four-player games with 500",
        1000: "Two-, three- and four-player games with 1000",
    }
    assert missing.get(rules.get("pins", 0), "") in told
    assert ("cut off after" in told) == ("max_rounds" in rules or rules["pins"] > 100)
    drawn = [figures.svg(picture.draw) for section in sections for picture in section.pictures]
    # a name that looks like a formula is written as it is
    assert ("cards" in rules and rules["cards"] != []) == any(r"$\frac{1}$ (3-3)" in text for text in drawn)
