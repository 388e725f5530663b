"""Every measure of the Kazaam Dice chapter derived apart: plain loops over records and logs, or small made-up frames."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import nan

import numpy as np
import pandas as pd
import pytest

from analysis import balance as quantities
from analysis import compact, frames, verdicts
from analysis.chapter import Study
from analysis.chapters.kazaam_dice import answers, balance, fortune, games, kings, odds, pictures, report, words
from analysis.claims import settle
from analysis.compare import readings
from analysis.estimates import Estimate
from analysis.measures import Measured, exactly
from analysis.measures import mean as mean_of
from analysis.tables import Table
from sims.kazaam_dice import GAME, changed, traces
from sims.kazaam_dice.kernel import CHIP_EXTRA, CHIP_REROLL, CHIP_TAKEN
from sims.kazaam_dice.rules import ENDS

SMALL = 40


def study(variant="small", players=2, policy="collector", number=SMALL, seed=3, **changes):
    return Study(GAME, GAME.variant(variant, changes), GAME.lineup([policy], players), players, number, seed)


def about(value, half=0.05):
    """A value of twenty games."""
    return Measured(Estimate(value, value - half, value + half), 20, 1)


def rows(batch):
    """The records of a batch as plain dictionaries."""
    return frames.records(batch).to_dict("records")


def mean(values):
    values = list(values)
    return sum(values) / len(values)


@pytest.fixture(scope="module", params=[2, 4])
def played(request):
    players = request.param
    asked = study(players=players)
    batch = balance.batch(asked, players)
    return asked, players, batch, rows(batch), games.logged(asked, players)


# -- balance ---------------------------------------------------------------------------------------------------


def test_course_is_counted_from_the_records(played):
    asked, players, batch, records, _ = played
    table = quantities.quantities("course", "", balance.measures(asked), [batch])
    frame = table.frame.set_index("quantity")["value"]
    for name in ("rounds", "turns", "dice", "longest_chain", "lead_changes", "placed", "tipped", "burnt", "drowned"):
        assert frame[name] == pytest.approx(mean(row[name] for row in records))
    assert frame["shared"] == mean(bin(row["winners"]).count("1") > 1 for row in records)
    assert frame["completion"] == mean(1 - row["unfinished"] for row in records)
    assert frame["minutes"] == pytest.approx(mean(row["turns"] for row in records) / 2)
    rolls = sum(
        row["turns"] + sum(row[f"{name}_{s}"] for name in ("extra", "rerolls") for s in range(1, players + 1))
        for row in records
    )
    assert frame["restricted"] == pytest.approx(sum(row["passes"] for row in records) / rolls)


def test_ends_are_counted_from_the_records(played):
    _, _, batch, records, _ = played
    frame = quantities.quantities("ends", "", balance.ENDED, [batch]).frame.set_index("quantity")["value"]
    assert len(frame) == len(ENDS)
    for code, name in enumerate(ENDS):
        assert frame[f"end_{name}"] == mean(row["end"] == code for row in records)


def test_connections_by_others_are_counted_from_the_records(played):
    _, players, batch, records, _ = played
    row = balance.connected_by_others({players: [batch]}).frame.iloc[0]
    seats = range(1, players + 1)
    own = sum(record[f"points_own_{s}"] > 0 for record in records for s in seats)
    other = sum(record[f"points_other_{s}"] > 0 for record in records for s in seats)
    assert other > 0
    assert row["by_another"] == pytest.approx(other / (own + other))
    assert row["only_others"] == mean(record["end"] == 2 for record in records)
    assert row["also_others"] == mean(record["end"] == 1 for record in records)


def test_corners_take_turns_at_beginning():
    asked = study(players=3, policy="runner", number=SMALL)
    frame = balance.corners(asked).frame.set_index("alchemist")
    wins = dict.fromkeys((1, 2, 3), 0)
    for order in ((1, 2, 3), (2, 3, 1), (3, 1, 2)):
        with changed.on_board(asked.variant, changed.seated(asked.variant.rules.load_board(), order)) as v:
            for row in rows(asked.play("", variant=v, games=20, records=True)):
                for seat, alchemist in enumerate(order):
                    wins[alchemist] += row["winners"] == 1 << seat
    # each game is played once from every corner
    assert set(frame["games"]) == {20}
    assert frame["win_rate"].to_dict() == pytest.approx({k: won / 60 for k, won in wins.items()})


def test_changed_rules_are_compared_game_by_game():
    asked = study("duel", 2, "runner", number=SMALL)
    frame = balance.rulings(asked).frame.set_index(["rule", "reading"])
    before = rows(asked.play("", games=20, records=True))
    after = rows(asked.play("", variant=asked.variant.changed(placing="any"), games=20, records=True))
    row = frame.loc["placing", "any"]
    pairs = list(zip(before, after, strict=True))
    assert row["other_winners"] == mean(one["winners"] != other["winners"] for one, other in pairs)
    assert row["change_in_rounds"] == pytest.approx(mean(other["rounds"] - one["rounds"] for one, other in pairs))
    assert row["first_seat"] == mean(other["winners"] == 1 for other in after)
    assert row["others"] == mean(other["end"] in (1, 2) for other in after)
    assert row["chips"] == pytest.approx(mean(other["taken_1"] + other["taken_2"] for other in after))
    assert row["rounds"] == pytest.approx(mean(other["rounds"] for other in after))
    assert frame.loc[("(as set)", ""), "first_seat"] == mean(one["winners"] == 1 for one in before)


def test_parts_of_a_study_are_no_fewer_than_twenty_games():
    assert [balance.part(study(number=number), 0.3) for number in (1, 19, 20, 60, 70, 1000)] == [1, 19, 20, 20, 21, 300]


def test_the_ladder_takes_its_steps_in_order():
    frame = balance.ladder(study("duel", 2, number=20)).frame
    names = [name for name, _ in balance.LADDER]
    assert [name.partition(":")[0] for name in frame["policy"]] == names[1:]
    assert [name.partition(":")[0] for name in frame["against"]] == names[:-1]
    runner, collector = (GAME.policy(name) for name in ("runner", "collector"))
    first, second = (
        rows(study("duel", 2, number=20).play("", lineup=order, records=True))
        for order in ((runner, collector), (collector, runner))
    )
    won = sum(row["winners"] == 1 for row in first) + sum(row["winners"] == 2 for row in second)
    lost = sum(row["winners"] == 2 for row in first) + sum(row["winners"] == 1 for row in second)
    row = frame.set_index("policy").loc["runner"]
    assert (row["wins"], row["other_wins"]) == (won / 40, lost / 40)
    assert row["advantage"] == pytest.approx((won - lost) / 40)


# -- fortune ---------------------------------------------------------------------------------------------------


def chips(asked, batch, log):
    """What is found of chips, by name."""
    return {measure.name: measure.find(batch).value for measure in fortune.measures(asked, {batch.players: log})}


def test_chips_taken_and_kept_are_counted_from_the_records(played):
    asked, players, batch, records, log = played
    frame, seats = chips(asked, batch, log), range(1, players + 1)
    taken = fortune.takers({players: batch})
    assert frame["taken"] == pytest.approx(mean(sum(row[f"taken_{s}"] for s in seats) for row in records))
    points = [sum(row[f"points_favourite_{s}"] + row[f"points_chips_{s}"] for s in seats) for row in records]
    assert frame["points"] == pytest.approx(mean(points))
    number = {(game, s): row[f"taken_{s}"] for game, row in enumerate(records) for s in seats}
    for row in taken.frame.itertuples():
        here = [
            at
            for at, count in number.items()
            if (count >= 4 if row.number == "4 or more" else str(count) == row.number)
        ]
        assert row.seats == pytest.approx(len(here) / len(number))
        if here:
            assert row.win_rate == pytest.approx(mean(records[game]["winners"] == 1 << (s - 1) for game, s in here))
    assert len(taken.frame) == min(max(number.values()), 4) + 1


def test_chips_spent_are_counted_row_by_row(played):
    asked, players, batch, records, log = played
    found = chips(asked, batch, log)
    for kind, plural, name in ((CHIP_REROLL, "rerolls", "reroll"), (CHIP_EXTRA, "extras", "extra")):
        spent = [row for row in log.to_dict("records") if row["kind"] == kind]
        brought = 0
        for chip in spent:
            turn = [
                row for row in log.to_dict("records")
                if row["kind"] < CHIP_TAKEN and all(row[k] == chip[k] for k in ("game", "round", "seat"))
            ]  # fmt: skip
            brought += records[chip["game"]]["end"] in (0, 1) and any(row["distance_after"] == 0 for row in turn)
        assert found[plural] == pytest.approx(len(spent) / len(records))
        assert found[plural] == pytest.approx(
            mean(
                sum(row[f"{'rerolls' if name == 'reroll' else 'extra'}_{s + 1}"] for s in range(players))
                for row in records
            )
        )
        if spent:
            assert found[f"{name}_connects"] == pytest.approx(brought / len(spent))


def test_a_chip_spent_before_a_last_die_connects_nobody():
    use = {"game": 0, "round": 1, "seat": 0, "throw": 1, "low": 1, "high": 2, "kind": 0, "distance_after": 0}
    log = pd.DataFrame([{**use, "kind": CHIP_REROLL, "throw": 0}, use])
    for end, share in ((0, 1), (1, 1), (3, 0)):
        brought, spent = fortune.spent_well(log, pd.DataFrame({"end": [end]}), CHIP_REROLL)
        assert (spent.tolist(), brought.tolist()) == ([1], [share])


# -- kings -----------------------------------------------------------------------------------------------------


def told_by_hand(turns):
    """Kingmaking in plain loops over the turns of each game, by the definition of the module."""
    hands, holds, handed, crowned, lost = 0, 0, 0, 0, 0
    for game, record in enumerate(turns.records.to_dict("records")):
        lines = turns.frame[turns.frame["game"] == game].to_dict("records")
        heirs = None
        for line, following in pairwise(lines):
            seat = line["seat"]
            before, after = ({s: row[f"distance_{s + 1}"] for s in range(turns.players)} for row in (line, following))
            own, own_after = before.pop(seat), after.pop(seat)
            best, best_after = min(before.values()), min(after.values())
            if own - best < 2 or own_after < own:
                continue
            if best_after > best:
                holds += 1
            nearest, nearest_after = (
                {s for s, d in there.items() if d == least} for there, least in ((before, best), (after, best_after))
            )
            if best_after <= best and own_after - best_after >= 2 and nearest != nearest_after:
                hands, heirs = hands + 1, nearest_after
        handed += heirs is not None
        crowned += heirs is not None and len(heirs) == 1 and record["winners"] == 1 << next(iter(heirs))
        lost += record["end"] < 4 and not record["winners"] >> lines[-1]["seat"] & 1
    return hands / len(turns.frame), holds / len(turns.frame), handed / SMALL, crowned / SMALL, lost / SMALL


@pytest.mark.parametrize(("players", "policy"), [(3, "random"), (4, "runner")])
def test_kingmaking_is_what_plain_loops_find(players, policy):
    turns = games.surveyed(study("small", players, policy), players)
    found = kings.measured(turns)
    assert [found[name].value for name in kings.MEANINGS] == pytest.approx(told_by_hand(turns))
    assert found["hands_over"].value > 0
    asked = study("small", players, policy)
    frame = kings.kingmaking(asked, kings.found(asked)).frame
    assert dict(zip(frame["quantity"], frame["value"], strict=True)) == {k: each.value for k, each in found.items()}


@pytest.mark.parametrize(
    ("before", "after", "hands", "holds"),
    [
        # exactly two dice behind, before and after
        ((5, 3, 4), (5, 3, 3), 1, 0),
        # one die behind before: in the race
        ((5, 4, 5), (5, 5, 4), 0, 0),
        ((5, 4, 5), (7, 5, 6), 0, 0),
        # two behind before, one after: the nearest cannot come closer to him without growing
        ((5, 3, 4), (5, 4, 4), 0, 1),
        # three behind, two after; the lead grows, so nothing is handed over
        ((6, 3, 5), (6, 4, 4), 0, 1),
        # he falls back: still nobody is held up
        ((5, 3, 4), (6, 4, 3), 1, 0),
        # he comes closer
        ((6, 3, 4), (5, 4, 3), 0, 0),
    ],
)
def test_out_of_the_race_is_two_dice_or_more_behind(before, after, hands, holds):
    frame = pd.DataFrame(
        [{"game": 0, "turn": turn, "seat": seat, **{f"distance_{k + 1}": d for k, d in enumerate(row)}}
         for turn, (seat, row) in enumerate([(0, before), (1, after)])]
    )  # fmt: skip
    turns = games.Turns(frame, pd.DataFrame({"winners": [2], "end": [0]}), 3, 1)
    found = {name: measured.value for name, measured in kings.measured(turns).items()}
    assert (found["hands_over"] * 2, found["holds_up"] * 2) == (hands, holds)


# -- games, odds, maps -----------------------------------------------------------------------------------------


def test_within_counts_the_turns_of_a_seat_to_the_end(played):
    asked, players, _, records, _ = played
    frame = games.surveyed(asked, players).frame
    for row in frame.to_dict("records"):
        record = records[row["game"]]
        joined = any(record[f"points_{how}_{row['seat'] + 1}"] > 0 for how in ("own", "other"))
        own_turns = [turn for turn in range(row["turn"], record["turns"]) if turn % players == row["seat"]]
        assert row["within"] == (len(own_turns) if joined else games.NEVER)
        assert row["distance"] == row[f"distance_{row['seat'] + 1}"]


def test_odds_of_a_step_and_of_finishing_are_counted_turn_by_turn(played):
    asked, players, _, _, _ = played
    turns = games.surveyed(asked, players).frame.to_dict("records")
    for row in odds.use(asked).frame.to_dict("records"):
        here = [turn for turn in turns if turn["distance"] == row["distance"]]
        assert row["positions"] == len(here)
        assert row["unequal"] == pytest.approx(mean(turn["unequal"] / 30 for turn in here))
        assert row["double"] == pytest.approx(mean(turn["doubles"] / 6 for turn in here))
        assert row["useful"] == pytest.approx(mean((turn["unequal"] + turn["doubles"]) / 36 for turn in here))
    for row in odds.finish(asked).frame.to_dict("records"):
        here = [turn for turn in turns if turn["distance"] == row["distance"]]
        assert row["positions"] == len(here)
        assert row["connected"] == pytest.approx(mean(turn["within"] <= row["turns"] for turn in here))


def test_doubles_are_counted_from_the_records():
    asked = study(policy="collector")
    frame = odds.doubles(asked).frame.set_index(["policy", "double"])["share"]
    for name in ("random", "collector"):
        records = rows(asked.play("", lineup=GAME.lineup([name], 2), records=True))
        total, rest = sum(row["doubles"] for row in records), 1.0
        for column, text in words.DOUBLES.items():
            share = sum(row[column] for row in records) / total
            rest -= share
            assert frame[name, text] == pytest.approx(share)
        assert frame[name, "is cancelled by a chip, or has no use"] == pytest.approx(rest, abs=1e-9)


def columns(log):
    """A log as its columns by name."""
    return {name: column.to_numpy() for name, column in log.items()}


def test_maps_count_the_rows_of_the_log(played):
    asked, _, _, records, log = played
    board, lines, told = asked.variant.rules.load_board(), log.to_dict("records"), columns(log)
    placed, chips = traces.placed(told, board, SMALL), traces.taken(told, board, board.fields, SMALL)
    for field in board.fields:
        if field != board.centre:
            assert placed[field] == pytest.approx(
                sum(row["kind"] == 0 and row["end"] == field for row in lines) / SMALL
            )
        assert chips[field] == pytest.approx(
            sum(row["kind"] == CHIP_TAKEN and row["start"] == field for row in lines) / SMALL
        )
    connects = np.array([row["end"] <= 2 for row in records])
    _, number = traces.chain_share(told, asked.variant.rules, 1, connects)
    assert number == sum(row["points_own_1"] + row["points_other_1"] > 0 for row in records)


def test_the_typical_game_ends_by_a_connection_after_the_median_of_turns(played):
    asked, players, _, records, _ = played
    number, positions = report.example(asked, pd.DataFrame(records), players)
    turns = sorted(row["turns"] for row in records if row["end"] <= 2)
    median = turns[(len(turns) - 1) // 2]
    assert number == next(i for i, row in enumerate(records) if row["end"] <= 2 and row["turns"] == median)
    assert positions[0].dice == {}
    assert positions[-1].connected()
    none = pd.DataFrame([{**records[0], "end": 3}])
    assert report.example(asked, none, players)[0] == -1


# -- compact tables --------------------------------------------------------------------------------------------


def cell(*numbers):
    return compact.with_error(*numbers).replace("\N{NO-BREAK SPACE}", " ")


def test_a_cell_shows_as_many_digits_as_are_known():
    assert cell(2.5, 2.4, 2.6, False) == "2.50 ± 0.10"
    assert cell(0.25, 0.2, 0.3, True) == "25.0 ± 5.0 %"
    assert cell(nan, 0, 1, True) == ""
    assert cell(1.0, 1.0, 1.0, True) == "100.0 %"
    assert cell(0.0, 0.0, 0.2, True) == "< 20 %"
    # half of the interval is as large as the value: not yet rarer than known
    assert "±" in cell(0.02, 0.0, 0.04, True)
    assert " to " in cell(0.02, 0.001, 0.08, True)


def test_doubles_are_shown_for_each_policy_by_name():
    rows = [
        {"policy": "(any)", "double": "is rolled", "share": exactly(1 / 6)},
        {"policy": "random", "double": "tips a die", "share": about(0.4)},
        {"policy": "runner", "double": "tips a die", "share": about(0.2)},
    ]
    section = report.double_section(study("duel"), Table.of("doubles", "", odds.USES, rows), None)
    (shown,) = section.tables
    assert list(shown.display()) == ["a double", "the random player", "the runner"]
    assert shown.frame["the random player"].tolist() == [compact.with_error(0.4, 0.35, 0.45, True)]
    assert len(shown.frame) == 1
    assert "Every seat plays" not in shown.note


def test_elements_by_top_list_the_sides_that_come_up():
    frame = odds.elements_by_top(study("duel")).frame.set_index("creature")
    # net 132456: around a top of 1 lie 3, 2, 4, 5; fire lets in 1, 2, 3 and water 4, 5, 6
    assert frame.loc[1, ["burns", "burns_as", "drowns_as"]].tolist() == [0.5, "4, 5", "2, 3"]
    closed = odds.elements_by_top(study("duel", fire_water="no_suicide"))
    assert closed.heading("closed_by_fire_as") == "closed by fire as"
    assert "directions that are closed if fire lies there" in closed.note


# -- sentences -------------------------------------------------------------------------------------------------


def test_shares_in_sentences_never_round_to_nothing_or_everything():
    assert verdicts.percent(Fraction(1, 2500), 2) == "0.04 %"
    assert verdicts.percent(Fraction(1, 10**6), 2) == "less than 0.01 %"
    assert verdicts.percent(0.9999) == "more than 99 %"
    assert verdicts.between(verdicts.percent(0.1), verdicts.percent(0.104)) == "10 %"
    assert verdicts.between("15", "21") == "15 to 21"


def test_survivors_tell_the_range_over_all_choices():
    frame = pd.DataFrame(
        [("(as set)", "", 20.0, 0.4), ("die", "mirror", 18.0, 0.35), ("die", "other", 25.0, 0.45)],
        columns=["rule", "reading", "rounds", "first_seat"],
    ).assign(players=2, games=300)
    told = report.survivors(frame)
    assert "Over 2 other choices of them, with two players a game takes 18 to 25 rounds (on our board 20)" in told
    assert told.endswith("and the first seat wins 35 % to 45 % of 300 games (on ours 40 %).")


# -- report sentences ------------------------------------------------------------------------------------------


def effect_rows(**changes):
    """A table of effects in two-player games, with these numbers for each game or these values."""
    rows = [
        {
            "players": 2,
            "policy": "runner",
            "rule": rule,
            "reading": "x" if rule != "(as set)" else "",
            "other_winners": 0.3,
            "redealt": 0.45,
            "first_seat": 0.5,
            "others": 0.1,
            "chips": 1.5,
            "rounds": 20.0,
            "unfinished": 0.0,
            "change_in_rounds": change,
        }
        for rule, change in {"(as set)": about(0.0, 0.0), **changes}.items()
    ]
    return readings("rulings", "", rows, *balance.EFFECTS)


def changes(**means):
    """A table of effects whose evidence has these means."""
    noise = np.random.default_rng(7).normal(0, 1, 400)
    return effect_rows(**{name: mean_of(mean + noise * (mean != 0), 1) for name, mean in means.items()})


def test_readings_are_asked_about_by_what_they_change():
    question, luck = report.effect_section(study("duel"), changes(a=-2.0, b=1.0, c=0.0), "reading").sentences
    claim = settle([question])["reading and length, 2 players"]
    assert claim.verdict == "a=x"
    assert claim.sentence.startswith("a = x shortens two-player games of the runner by 2.")
    assert luck == "Fresh dice alone would change the winner in 45 % with two players."


def test_parts_are_asked_about_by_what_they_change():
    told, question, _ = report.part_section(study("duel"), changes(die=-2.0, pictures=0.5)).sentences
    assert told.startswith("Which of this would survive the true board?")
    claim = settle([question])["part and length, 2 players"]
    assert claim.verdict == "die=x"
    assert claim.sentence.startswith("die = x shortens two-player games of the runner by 2.")


def test_a_change_shows_its_length_its_winners_and_its_first_seat():
    (shown,) = report.effect_section(study("duel"), changes(a=-2.0), "reading").tables
    assert list(shown.display()) == [
        "ruling", "reading", "rounds more, 2 players", "other winners, 2 players", "first seat, 2 players"
    ]  # fmt: skip
    assert shown.frame.iloc[1, 3:].tolist() == ["30.0 %", "50.0 %"]
    assert "Every seat plays 'runner'." in shown.note


def quantity_rows(players, **values):
    """A table of quantities with these values, all of them shares."""
    columns = (quantities.PLAYERS, quantities.POLICY, quantities.QUANTITY, quantities.VALUE, quantities.MEANING)
    rows = [
        {
            "players": players,
            "policy": "runner",
            "quantity": name,
            "value": about(value),
            "meaning": name,
            "unit": "share",
        }
        for name, value in values.items()
    ]
    return Table.of("quantities", "", columns, rows)


def test_running_out_of_dice_is_told_as_it_happened():
    def told(last, passes, turns):
        own = 1 - last - passes - turns
        ends = quantity_rows(2, end_own=own, end_last_die=last, end_passes=passes, end_turns=turns)
        return report.course_section({"ends": ends, "course": ends}).sentences[0]

    assert told(0.0, 0.0, 0.0) == "No game runs out of dice, and all are finished."
    assert told(0.05, 0.1, 0.2) == "5.0 % of the games end because the dice run out, and up to 30.00 % stay unfinished."


def test_chance_alone_is_told_with_the_dice_that_may_lie_there():
    def told(chances, supply):
        rows = [{"dice": dice, "connected": float(chance)} for dice, chance in enumerate(chances)]
        return report.connect_section(Table.of("connect", "", odds.CONNECT, rows), supply).sentences[0]

    said = "Scattered over the board, "
    assert told([0, 0.1, 0.4, 0.5, 1], 4) == (
        f"{said}3 dice connect an alchemist with a chance of 50.0 %; for an even chance it takes 3."
    )
    assert told([0, 0.1, 0.4, 0.5, 1], 3) == (
        f"{said}2 dice connect an alchemist with a chance of 40.0 %; for an even chance it takes 3, and only 2 may lie there."
    )
    assert told([0, 0, 0.4, 0.5, 1], 2).startswith(f"{said}1 die connect an alchemist with a chance of 0.0 %")


def test_a_roll_is_told_by_the_largest_and_the_smallest_distance():
    here = {"players": 2, "policy": "runner", "positions": 10, "unequal": 0.5, "double": 0.5}
    use = [here | {"distance": d, "useful": about(u)} for d, u in ((1, 0.25), (2, 0.5), (5, 0.8), (9, 0.1))]
    finish = [here | {"distance": d, "turns": t, "connected": about(d / 10 + t / 100)} for d in (1, 3) for t in (1, 3)]
    told = report.roll_section(
        Table.of("use", "", odds.USE, use), Table.of("finish", "", odds.FINISH, finish), 9
    ).sentences
    assert told == (
        "With 5 dice missing 80 % of the rolls offer a step closer, with the last die missing 25 %.",
        "Players who miss three dice are connected within three of their turns in 33 % with two players.",
    )


def test_takers_are_told_by_their_numbers_and_doubles_asked_about():
    here = {"players": 2, "policy": "runner"}
    rows = [
        here | {"number": number, "seats": seats, "win_rate": about(rate)}
        for number, seats, rate in (("0", 0.5, 0.3), ("1", 0.3, 0.6), ("2", 0.2, 0.7))
    ]
    frame = Table.of("taken", "", fortune.by_number("chips", ""), rows).frame
    assert "take none win 60 % and 30 % with two players. That does not measure what taking does" in report.takers(
        frame
    )
    assert report.takers(frame[frame["number"] == "0"]) == ""
    uses = Table.of("doubles", "", odds.USES, [{"policy": "runner", "double": "tips a die", "share": about(1.0)}])
    draws = np.random.default_rng(8).random((2, 3000))
    evidence = {
        (2, "runner", number, "wins"): (draws[row] < rate) * 1.0
        for row, (number, rate) in enumerate(((0, 0.3), (2, 0.7)))
    }
    evidence |= {(2, "runner", number, "seats"): np.ones(3000) for number in (0, 2)}
    worth = replace(Table.of("doubles_worth", "", fortune.by_number("doubles", ""), rows), evidence=evidence)
    section = report.double_section(study("duel"), uses, worth)
    claim = settle([section.sentences[1]])["early doubles of 2"]
    assert claim.verdict == "above"
    assert claim.sentence.startswith(
        "In two-player games of the runner that last 6 rounds two early doubles raise a seat's win rate by "
    )
    assert len(section.pictures) == 2
    # nothing is known well enough for a picture
    alike = replace(worth, frame=worth.frame.assign(low=0.0, high=1.0))
    assert len(report.double_section(study("duel"), uses, alike).pictures) == 1


def by_others(*rows):
    """A table of connections by others: players, policy, share."""
    rest = {"only_others": 0.1, "also_others": 0.1}
    told = [rest | {"players": n, "policy": policy, "by_another": about(share)} for n, policy, share in rows]
    return Table.of("by_others", "", balance.BY_OTHERS, told)


def test_connections_by_others_are_told_only_if_there_are_any():
    def told(*shares):
        table = by_others(
            *((2, policy, share) for policy, share in zip(("random", "runner", "blocker"), shares, strict=False))
        )
        return report.others_section(study("duel"), {"by_others": table}).sentences[1]

    assert told(nan, 0.25, 0.75) == (
        "Connections made by another player in two-player games: 25 % with the runner and 75 % with the blocker at every "
        "seat."
    )
    assert told(nan, 0.0) == "In these games it does not happen."
    assert told(nan, nan) == "In these games no connection earns points."


def test_fire_and_water_are_told_as_the_rights_are():
    def told(**changes):
        return [claim.sentence for claim in report.element_section(study("duel", **changes)).sentences[:2]]

    assert told() == [f"Whatever shows on top, 50 % of the directions {verb}." for verb in ("burn the die", "drown it")]
    fire, water = told(fire="123456", water="")
    assert (fire[:44], water[:46]) == (
        "Whatever shows on top, 0 % of the directions",
        "Whatever shows on top, 100 % of the directions",
    )
    assert "50 % of the directions are closed by fire" in told(fire_water="no_suicide")[0]
    # fire lets in all but 1: of the five other tops, 1 lies on one of four sides, except under 1 and its opposite 6
    assert told(fire="23456")[0] == (
        "Of the directions in which a die can be tipped, up to 25 % burn the die, with creature 2, 3, 4 and 5 on top."
    )


def test_a_game_that_is_cut_off_is_ended_by_no_loser():
    frame = pd.DataFrame([{"game": 0, "turn": 0, "seat": 0, "distance_1": 5, "distance_2": 3, "distance_3": 4}])
    for end, winners, lost in ((3, 2, 1), (3, 1, 0), (4, 0, 0), (5, 0, 0)):
        turns = games.Turns(frame, pd.DataFrame({"winners": [winners], "end": [end]}), 3, 1)
        assert kings.measured(turns)["loser_ends"].value == lost


def test_tables_show_every_number_of_players_that_the_board_seats():
    def numbers(shipped, players=None, **default):
        asked = Study(GAME, GAME.variant(shipped), GAME.lineup(["runner"], players), players, 1, 1)
        return games.numbers_of_players(asked, **default)

    assert numbers("standard") == (2, 3, 4)
    assert numbers("standard", default=(2, 4)) == (2, 4)
    assert numbers("standard", 3) == (3,)
    assert numbers("duel") == numbers("duel", default=(4,)) == (2,)


def test_charts_mark_the_equal_share_and_number_rows_from_one():
    seats = [{"players": 2, "policy": "runner", "seat": seat, "win_rate": about(0.5)} for seat in (1, 2)]
    columns = (quantities.PLAYERS, quantities.POLICY, quantities.SEAT, quantities.WIN_RATE)
    (axes,) = pictures.seats(Table.of("seats", "", columns, seats).frame).axes
    assert 0.5 in {float(line.get_xdata()[0]) for line in axes.lines}
    ax = pictures.board_axes(GAME.variant("duel").rules.load_board())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1", "2", "3"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3"]


def test_maps_are_drawn_of_what_there_is():
    def captions(shipped, number):
        asked = study(shipped, number=number, policy="runner")
        return [picture.caption for picture in report.map_section(asked, balance.play(asked)).pictures]

    every = ("Dice placed", "Fields on a shortest chain of alchemist 1", "How often each chip is taken")
    assert [caption.startswith(start) for caption, start in zip(captions("small", SMALL), every, strict=True)] == [
        True
    ] * 3
    # no chips lie there
    assert [caption.startswith(start) for caption, start in zip(captions("pair", SMALL), every[:2], strict=True)] == [
        True
    ] * 2


def test_no_map_of_chains_without_chains():
    asked = study("small", number=2, policy="runner", max_turns=1)
    section = report.map_section(asked, balance.play(asked))
    assert section.sentences[0].endswith("No game connects alchemist 1.")
    assert not any("chain" in picture.caption for picture in section.pictures)


# -- what charts show ------------------------------------------------------------------------------------------


def test_a_chart_of_finishing_has_no_empty_panel():
    rows = [
        {"players": p, "distance": d, "turns": t, "connected": 0.5} for p in (2, 3, 4) for d in (1, 2) for t in (1, 2)
    ]
    figure = pictures.finish(pd.DataFrame(rows))
    assert [ax.get_title() for ax in figure.axes if ax.get_title()] == ["2 players", "4 players"]
    assert all(ax.has_data() for ax in figure.axes)


def test_changes_are_drawn_about_nothing_in_a_panel_for_each_number_of_players():
    both = pd.concat([effect_rows(a=about(5.0, 1.0)).frame.iloc[1:].assign(players=players) for players in (2, 3)])
    figure = pictures.effects(both)
    assert [ax.get_title() for ax in figure.axes] == ["2 players", "3 players"]
    for ax in figure.axes:
        # the interval is 4 to 6
        upright = [set(line.get_xdata()) for line in ax.lines if len(set(line.get_xdata())) == 1]
        assert {0.0} in upright


def test_axes_of_lengths_begin_at_nothing_and_shares_end_at_everything(played):
    _, players, batch, records, _ = played
    figure = pictures.rounds({players: batch})
    low, high = figure.axes[0].get_xlim()
    assert low == 0
    assert high <= max(row["rounds"] for row in records) + 1
    frame = quantity_rows(2, **{f"end_{end}": 1 / len(ENDS) for end in ENDS}).frame
    assert pictures.ends(frame).axes[0].get_xlim() == (0, 1)


def test_numbers_of_a_map_are_dark_on_light_fields_and_light_on_dark_ones():
    board = GAME.variant("duel").rules.load_board()
    values = np.zeros(len(board.fields))
    values[0], values[1] = 8.0, nan
    (ax, _) = pictures.maps_of(board, [("", values)], "dice", "{:.0f}").axes
    colours = {text.get_text(): text.get_color() for text in ax.texts if text.get_text() in ("8", "0")}
    assert colours == {"8": "white", "0": pictures.figures.INK}


def test_the_end_of_a_typical_game_shows_the_chain_that_decided_it(played):
    asked, players, _, records, _ = played
    _, positions = report.example(asked, pd.DataFrame(records), players)
    assert not positions[-2].connected()
    left, right = pictures.game(positions).axes
    # a chain of n dice has at least n - 1 links, drawn thicker than any edge
    links = [line for line in right.lines if line.get_linewidth() > 5]
    assert len(links) >= len(traces.connection(positions[-1])) - 1 > 0
    assert not [line for line in left.lines if line.get_linewidth() > 5]


# -- sentences told by numbers ---------------------------------------------------------------------------------


def test_what_nearly_always_happened_is_told_to_the_digits_of_what_is_missing():
    # four in a hundred are missing: one digit behind the point, as for "< 4.0 %"
    assert cell(1.0, 0.96, 1.0, True) == "> 96.0 %"
    assert cell(0.0, 0.0, 0.04, True) == "< 4.0 %"


def test_the_last_die_is_told_by_the_rows_with_one_missing():
    here = {"players": 2, "policy": "runner", "positions": 10, "unequal": 0.25, "double": 0.5}
    use = Table.of("use", "", odds.USE, [here | {"distance": d, "useful": about(u)} for d, u in ((1, 0.3), (2, 0.8))])
    assert report.last_die(use) == "With one die missing, 30.0 ± 5.0 % of the rolls offer the step that connects you."
    assert report.last_die(replace(use, frame=use.frame[1:])) == ""


def test_chances_are_told_to_two_digits_with_their_fraction():
    assert answers.in_full(Fraction(1, 3)) == "33.33 % (1/3)"


def test_connections_by_others_and_kingmaking_are_told_of_the_largest_table():
    three, four = (quantity_rows(n, handed_games=0.12 + n / 1000, loser_ends=0.03 + n / 1000) for n in (3, 4))
    kingmaking = replace(three, frame=pd.concat([three.frame, four.frame]))
    tables = {"by_others": by_others((2, "runner", 0.1), (3, "runner", 0.25)), "kingmaking": kingmaking}
    told = report.others_section(study("standard"), tables).sentences
    assert told[1] == "Connections made by another player in three-player games: 25 % with the runner at every seat."
    assert told[2] == (
        "Kingmaking in four-player games of the chip collector: in 12.4 % of the games a player out of the race hands the "
        "lead from one to another, and 3.4 % are ended by a seat that does not win."
    )


def test_connections_are_counted_and_not_weighed_by_their_points():
    # runners mind no points, so they play the same games
    def shares(**points):
        asked = study(players=4, policy="runner", **points)
        return balance.connected_by_others({4: [balance.batch(asked, 4)]}).frame["by_another"].tolist()

    assert shares(points_also=1) == shares()
    assert 0 < shares()[0] < 1
