"""What the program says about Tschakka Lakka: shapes of answers and tables, cells that follow from a formula, refusals."""

import json
from math import comb

import numpy as np
import pandas as pd
import pytest

import sims
from analysis import cli
from analysis.chapter import Study, chapter
from analysis.chapters.tschakka_lakka import answers, balance, odds, sampled, skill

NAME = "tschakka-lakka"


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = cli.main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def study():
    game = sims.game(NAME)
    return Study(game, game.variant("small-4x4"), game.lineup((), 3), 3, 800, 5)


@pytest.fixture
def position(tmp_path):
    """Write a position file: ``position(tokens by (row, column), further lines)``."""

    def write(tokens, *lines):
        rows = [[".."] * 8 for _ in range(8)]
        for row, column in ((1, 1), (1, 8), (8, 1), (8, 8)):
            rows[row - 1][column - 1] = "E"
        for (row, column), token in tokens.items():
            rows[row - 1][column - 1] = token
        board = "board = [" + ", ".join(f'"{" ".join(row)}"' for row in rows) + "]"
        path = tmp_path / "position.toml"
        path.write_text("\n".join([board, *lines]))
        return str(path)

    return write


def solved(run, path, *more):
    status, out, _ = run("solve", NAME, "--position", path, "--format", "json", *more)
    assert status == 0
    return json.loads(out)


# -- solve -----------------------------------------------------------------------------------------------------

#: A small blue treasure right of the raccoon, nothing else: a gem of the crossing (3, 3) is taken already.
LONE = {(3, 4): "B1"}
BESIDE = "raccoon = [3, 3]"
NO_GEM = "gems_taken = [[3, 3]]"


def test_one_die_for_a_lone_small_treasure(run, position):
    found = solved(run, position(LONE, BESIDE, NO_GEM, "dice = 1"))
    # blue or the raccoon: two faces of six
    assert set(found) >= {"exact", "value", "bust_probability", "first_roll_bust", "distribution", "states"}
    assert found["exact"] is True
    assert found["value"] == pytest.approx(1 / 3)
    assert (found["bust_probability"], found["first_roll_bust"]) == pytest.approx((2 / 3, 2 / 3))
    assert [row["points"] for row in found["distribution"]] == [0, 1]
    assert [row["probability"] for row in found["distribution"]] == pytest.approx([2 / 3, 1 / 3])


def test_the_gem_comes_along_with_the_last_treasure(run, position):
    # a pink gem on the crossing (3, 3): three points more
    assert solved(run, position(LONE, BESIDE, "dice = 1"))["value"] == pytest.approx(4 / 3)


def test_options_of_a_roll_are_told_best_first(run, position):
    temple = {(3, 4): "B1", (4, 3): "B2"}
    found = solved(run, position(temple, BESIDE, NO_GEM, "dice = 2", 'roll = "B*"'))
    options = found["options"]
    assert [set(option) for option in options] == [{"chamber", "dice", "then", "value"}] * len(options)
    # two dice on the medium treasure release it; one on either leaves one die for the other: 1/3 each
    assert (options[0]["chamber"], options[0]["dice"], options[0]["then"]) == ([4, 3], 2, "stop")
    assert options[0]["value"] == pytest.approx(2)
    values = {(tuple(option["chamber"]), option["dice"], option["then"]): option["value"] for option in options}
    assert values[(3, 4), 1, "stop"] == pytest.approx(1)
    # the die left can lie on the medium treasure too, in vain: it loses the point only if it does not fit
    assert values[(3, 4), 1, "roll"] == pytest.approx(1 / 3)
    assert values[(4, 3), 1, "stop"] == pytest.approx(0)
    assert values[(4, 3), 1, "roll"] == pytest.approx(2 / 3)
    assert [option["value"] for option in options] == sorted((option["value"] for option in options), reverse=True)


def test_a_roll_that_places_nothing_has_no_options(run, position):
    path = position(LONE, BESIDE, "dice = 2", 'roll = "SR"')
    assert solved(run, path)["options"] == []
    assert "This roll is a bust" in run("solve", NAME, "--position", path)[1]


@pytest.mark.parametrize(
    ("roll", "limit", "why", "says"),
    [
        ("BBBSSSS", 4, "skulls", "This roll is a bust: 4 skulls are set aside, the limit is 4."),
        ("RRRSSSS", 4, "skulls", "This roll is a bust: 4 skulls are set aside, the limit is 4."),
        ("BBBBBBS", 1, "skulls", "This roll is a bust: 1 skull is set aside, the limit is 1."),
        ("RRRSSSS", 5, "nothing fits", "This roll is a bust: nothing can be placed."),
        ("RRRSSSS", 0, "nothing fits", "This roll is a bust: nothing can be placed."),
        ("BRRSSSS", 5, None, "Best after this roll: 1 die on the small blue at (3, 4)"),
    ],
)
def test_a_bust_gives_its_true_reason(run, position, roll, limit, why, says):
    path = position(LONE, BESIDE, NO_GEM, f'roll = "{roll}"')
    rules = ("--set", f"skull_limit={limit}")
    found = solved(run, path, *rules)
    assert found["roll_busts"] == why
    assert (found["options"] == []) == (why is not None)
    assert says in run("solve", NAME, "--position", path, *rules)[1]


def test_skulls_set_aside_before_the_roll_count_too(run, position):
    # one of the seven dice lies on the large treasure; four are left: two skulls lie aside
    temple = {(3, 4): "B3"}
    path = position(temple, BESIDE, "dice = 4", "placed = [{ chamber = [3, 4], dice = 1 }]", 'roll = "BBSR"')
    assert (
        "3 skulls are set aside, the limit is 3." in run("solve", NAME, "--position", path, "--set", "skull_limit=3")[1]
    )
    assert solved(run, path, "--set", "skull_limit=4")["roll_busts"] is None


def test_a_position_of_another_temple_is_told_to_name_its_variant(run, tmp_path):
    path = tmp_path / "five.toml"
    path.write_text('board = ["E B1 ..", ".. .. ..", ".. .. .."]')
    status, _, err = run("solve", NAME, "--position", str(path))
    assert status == 2
    assert "five.toml: board: 3 lines; the temple has 8 (for another temple name its variant: --variant)" in err
    assert run("solve", NAME, "--position", str(path), "--variant", "tiny-3x3")[0] == 0


def test_tables_say_how_much_each_choice_is_behind(position):
    game = sims.game(NAME)
    asked = Study(game, game.variant(), game.lineup((), 2), None, 1, 1)
    temple = {(3, 4): "B1", (4, 3): "B2", (3, 2): "G1"}
    path = position(temple, BESIDE, NO_GEM, "dice = 4", "released = [[3, 2]]", 'roll = "BBGR"')
    answer = answers.solve(asked, path)
    frame, best = answer.tables[0].frame, answer.content["options"][0]["value"]
    assert frame["value"].tolist() == [option["value"] for option in answer.content["options"]]
    assert frame["behind"].tolist() == [best - option["value"] for option in answer.content["options"]]
    assert frame["treasure"].tolist() == [
        "small blue" if option["chamber"] == [3, 4] else "medium blue" for option in answer.content["options"]
    ]
    # one point in hand, and the yellow gem that (3, 2) alone holds
    assert any("3 points" in sentence for sentence in answer.sentences)
    places = answers.solve(asked, position({(1, 2): "B1", (8, 7): "G3"}))
    values = [entry["value"] for entry in places.content["places"]]
    assert places.tables[0].frame["behind"].tolist() == [values[0] - value for value in values]
    # the two best places are equal
    assert "The next best place is worth 0" in places.sentences[-1]


def test_places_are_told_best_first(run, position):
    found = solved(run, position({(1, 2): "B1", (8, 7): "G3"}, "gems_taken = []"))
    assert set(found) >= {"exact", "places"}
    # an entrance and two empty chambers next to each; with seven dice the large treasure is worth more
    small, large = [[1, 1], [1, 3], [2, 2]], [[7, 7], [8, 6], [8, 8]]
    assert [entry["place"] for entry in found["places"]] == large + small
    values = [entry["value"] for entry in found["places"]]
    assert values == sorted(values, reverse=True)


def test_people_get_the_temple_a_verdict_and_the_options(run, position):
    temple = {(3, 4): "B1", (4, 3): "B2"}
    out = run("solve", NAME, "--position", position(temple, BESIDE, "dice = 2", 'roll = "B*"'))[1]
    assert " 3   .. .. .@ B1 .." in out
    assert "E an entrance" in out
    assert "Best after this roll: 2 dice on the medium blue at (4, 3), then stop" in out
    assert "What to do with this roll" in out
    out = run("solve", NAME, "--position", position(temple, "dice = 7"))[1]
    assert "Best place for the raccoon" in out


def test_people_are_told_to_stop_and_what_stopping_brings(run, position):
    far = {(3, 4): "B3", (3, 2): "G3"}
    out = run("solve", NAME, "--position", position(far, BESIDE, "dice = 1", "released = [[3, 4]]"))[1]
    assert "stop, and collect" in out
    many = {(3, 4): "B1", (3, 2): "G1", (2, 3): "R1", (4, 3): "Y3"}
    out = run("solve", NAME, "--position", position(many, BESIDE, "dice = 6", "released = [[3, 4]]"))[1]
    assert "Stopping instead would bring 1 point." in out


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["raccoon = [3, 4]"], "raccoon: [3, 4] holds a treasure"),
        (["raccoon = [6, 6]"], "raccoon: [6, 6] is next to no filled chamber"),
        (["raccoon = [0, 9]"], "raccoon: [0, 9] is outside the temple"),
        ([BESIDE, "dice = 8"], "dice: 8 is not allowed"),
        ([BESIDE, "dice = 4", "placed = [{ chamber = [3, 4], dice = 2 }]"], "2 dice are not allowed; it takes 1 to 1"),
        ([BESIDE, "dice = 4", 'roll = "BBBBB"'], "roll: 'BBBBB' shows 5 faces on 4 dice"),
        ([BESIDE, "dice = 4", 'roll = "BBBX"'], "roll: 'BBBX' is not allowed"),
        ([BESIDE, "released = [[3, 4]]"], "7 left and 1 on chambers are more than 7"),
        (["wind = 3"], "wind: no such key"),
    ],
)
def test_a_position_that_cannot_be_gets_one_line(run, position, lines, says):
    status, out, err = run("solve", NAME, "--position", position(LONE, *lines))
    assert (status, out) == (2, "")
    assert err.startswith("oddsmith: position.toml: ")
    assert err.count("\n") == 1
    assert says in err


def test_solve_needs_a_position(run):
    status, _, err = run("solve", NAME)
    assert status == 2
    assert "position: missing" in err
    assert "tschakka-lakka is not solved from --pins; it takes --position" in run("solve", NAME, "--pins", "3")[2]


# -- odds ------------------------------------------------------------------------------------------------------


def table(run, name, *more):
    status, out, _ = run("odds", NAME, "--table", name, "--format", "json", *more)
    assert status == 0
    return json.loads(out)


def test_bust_is_the_closed_form(run):
    content = table(run, "bust")
    assert content["exact"] is True
    cells = {(row["dice"], row["colours"]): row["bust"] for row in content["rows"]}
    assert sorted(cells) == [(dice, colours) for dice in range(1, 8) for colours in range(5)]
    for (dice, colours), chance in cells.items():
        assert chance == pytest.approx(((5 - colours) / 6) ** dice if colours else 1)


def test_bust_with_a_limit_of_skulls(run):
    cells = {(row["dice"], row["colours"]): row["bust"] for row in table(run, "bust", "--set", "skull_limit=3")["rows"]}
    # four colours in reach: a bust is three skulls of three
    assert cells[3, 4] == pytest.approx(1 / 216)
    assert cells[2, 4] == pytest.approx(1 / 36)


def test_release_is_binomial_in_one_roll_and_more_likely_in_several(run):
    for row in table(run, "release")["rows"]:
        needs, dice = row["needs"], row["dice"]
        fits = sum(comb(dice, n) * (1 / 3) ** n * (2 / 3) ** (dice - n) for n in range(needs, dice + 1))
        assert row["one_roll"] == pytest.approx(fits)
        assert row["several_rolls"] >= fits - 1e-12
        if needs == 1 or dice < needs:
            assert row["several_rolls"] == pytest.approx(fits)


SIMULATED = {"low", "high", "games", "seed"}


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("turn", {"dice", "stake", "positions", "bust", "rolling_right", "wrong_costs", "gain"}),
        ("opening", {"beside", "colours", "share", "value"}),
        ("thumb", {"policy", "idea", "bust", "points", "points_low", "points_high", "loss"}),
    ],
)
def test_sampled_tables_have_their_columns(run, name, columns):
    content = table(run, name, "--variant", "small-4x4", "--games", "1000", "--seed", "3")
    assert content["exact"] is False
    assert len(content["rows"]) > 3
    for row in content["rows"]:
        assert set(row) == columns | SIMULATED
        assert row["seed"] == 3


def test_the_best_entrance_beats_any_and_the_groups_make_up_all(run):
    best, whole, *groups = table(run, "opening", "--games", "2000")["rows"]
    assert best["value"] > whole["value"]
    assert sum(row["share"] for row in groups) == pytest.approx(1)
    assert sum(row["share"] * row["value"] for row in groups) == pytest.approx(whole["value"])


def test_no_rule_of_thumb_beats_the_exact_turn(run):
    rows = table(run, "thumb", "--games", "4000")["rows"]
    assert {row["policy"].split(":")[0] for row in rows} == set(sims.game(NAME).roster)
    first = rows[0]
    assert (first["policy"], first["loss"]) == (sampled.EXACT, 0)
    for row in rows[1:]:
        assert row["loss"] == pytest.approx(first["points"] - row["points"])
        assert row["high"] > 0
    assert {row["policy"]: row["loss"] for row in rows}["timid"] > 1


def decisions(*rows):
    return pd.DataFrame(rows, columns=["game", "dice", "stake", "roll", "bust"])


def test_stop_or_roll_on_decisions_made_up(study):
    made = decisions(
        (0, 1, 2, 3.0, 0.5), (0, 1, 2, 1.0, 0.3), (1, 1, 2, 2.5, 0.4), (0, 2, 15, 1.0, 0.2), (1, 2, 12, 2.0, 0.2)
    )
    first, second = odds.turn_table(study, made, 2, 3).frame.to_dict("records")
    assert (first["dice"], first["stake"], first["positions"]) == (1, "2", 3)
    assert first["bust"] == pytest.approx(0.4)
    assert first["rolling_right"] == pytest.approx(2 / 3)
    assert first["gain"] == pytest.approx((1 - 1 + 0.5) / 3)
    assert first["wrong_costs"] == pytest.approx((1 + 1 + 0.5) / 3)
    assert (second["stake"], second["rolling_right"], second["gain"]) == ("12 or more", 0, pytest.approx(-12))


def test_the_best_stop_rule_on_decisions_made_up(study):
    made = decisions(
        (0, 1, 1, 2.0, 0.5), (0, 1, 2, 2.1, 0.5), (1, 1, 3, 2.0, 0.5), (1, 1, 3, 3.2, 0.5), (0, 2, 4, 5.0, 0.1)
    )  # fmt: skip
    turns = pd.DataFrame({"game": [0, 0, 1, 1]})
    limits = odds.stop_limits(made)
    assert limits == {1: 3, 2: 5}
    one, two = odds.stop_rule(study, limits, odds.as_cheap(made, limits), made, turns).frame.to_dict("records")
    # one die: roll at 1 and 2, stop at 3, which once loses 0.2; four turns in all
    assert (one["dice"], one["stop_from"], one["costs"]) == (1, "3", pytest.approx(0.2 / 4))
    assert (two["dice"], two["stop_from"], two["costs"]) == (2, "never", 0)


# -- balance ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sheet():
    game = sims.game(NAME)
    asked = Study(game, game.variant("small-4x4"), game.lineup((), 2), None, 2000, 5)
    return chapter(NAME).balance(asked)


def test_every_simulated_row_carries_interval_games_and_seed(sheet):
    names = ["seats", "course", "sources", "most", "skill", "exact_turn", "luck", "rulings"]
    assert list(sheet.tables) == [table.name for table in sheet.tables.values()] == names
    for found in sheet.tables.values():
        assert found.exact is False
        assert set(found.frame) >= SIMULATED
        assert (found.frame["low"] <= found.frame["high"]).all()
        assert (found.frame["seed"] == 5).all()


def test_points_by_source_add_up_to_the_score(sheet):
    tables = {name: table.frame for name, table in sheet.tables.items()}
    course = tables["course"][tables["course"]["quantity"] == "points"].set_index(["players", "policy"])["value"]
    by_source = tables["sources"].groupby(["players", "policy"])[["points", "share"]].sum()
    assert by_source["points"].to_dict() == pytest.approx(course.to_dict())
    assert by_source["share"].tolist() == pytest.approx([1] * len(by_source))


def test_a_small_temple_shows_the_readings_that_fit_it(sheet):
    frame = sheet.tables["rulings"].frame
    assert set(frame["rule"]) == {"(as set)", "layout", "gem_needs", "tower", "skull_limit"}
    rounds = frame.set_index(["policy", "rule", "reading"])["change_in_rounds"]
    own = sims.game(NAME).default_policy
    # who needs one empty chamber only gets gems sooner; how towers are measured does not matter to those who ignore them
    assert rounds[own, "gem_needs", "any"] < 0
    assert rounds[own, "tower", "count"] == 0


def test_limits_hold_metrics_by_players_and_policy(run):
    small = ["balance", NAME, "--variant", "tiny-3x3", "--players", "2", "--games", "800"]
    status, _, err = run(*small, "--limit", "rounds_2=1..100", "--limit", f"busts_2_{sampled.STRONGEST}=1")
    assert status == 0
    assert "limit met: rounds_2 is" in err
    status, _, err = run(*small, "--limit", "rounds_2=1", "--limit", "wins_against_random_2=0.5..1")
    assert status == 1
    assert "limit NOT met: rounds_2" in err
    assert "limit met: wins_against_random_2" in err


def test_the_user_s_lineup_is_balanced(study):
    lineup = study.game.lineup(("timid", "odds", "dice:left=1"), 3)
    asked = Study(study.game, study.variant, lineup, 3, 800, 5)
    assert balance.lineups(asked, 3)[0] == lineup
    assert [str(chosen) for chosen in balance.lineups(asked, 2)[0]] == ["timid", "timid"]


def test_the_strong_seat_is_rotated(study):
    """Two seats of the same policy: whoever is called strong wins half, shared wins included."""
    odds_policy = study.game.lineup(("odds",), 2)[0]
    won, margins = skill.against(study, 2, odds_policy, odds_policy)
    assert (won.mean(), margins.mean()) == pytest.approx((0.5, 0))


def test_variance_splits_into_pairs_games_and_the_rest():
    rng = np.random.default_rng(4)
    pairs, games, rest = rng.normal(0, 2, (5, 1)), rng.normal(0, 1, (1, 4000)), rng.normal(0, 3, (5, 4000))
    found = np.array(skill.variance_shares(pairs + games + rest))
    assert found.sum() == pytest.approx(1)
    whole = pairs.var() + 1 + 9
    # the games' means also carry a fifth of the rest
    assert found == pytest.approx(np.array([pairs.var(), 1 + 9 / 5, 9 * 4 / 5]) / whole, rel=0.1)
    # results that are all alike have no variance to share
    assert np.isnan(skill.variance_shares(np.zeros((3, 4)))).all()


# -- report and validate ---------------------------------------------------------------------------------------


def test_the_report_of_a_small_temple(run, tmp_path):
    status, out, _ = run("report", NAME, "--variant", "tiny-3x3", "--games", "800", "--output", str(tmp_path))
    assert status == 0
    assert "wrote the report on" in out
    page = (tmp_path / "tschakka-lakka.html").read_text()
    assert page.count("<figcaption>") == page.count("<svg") >= 12
    assert "src=" not in page
    assert "nan" not in page.split("<main>")[1].split("<svg")[0]
    assert "a reconstruction" in page
    assert "Each cell gathers positions that best play meets." in page


def test_known_answers_are_met(study):
    found = list(chapter(NAME).checks(study))
    assert len(found) > 12
    assert [check.name for check in found if not check.passed] == []
