"""The page on Tschakka Lakka under every kind of rules that can be played, and its sentences on tables made up."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from matplotlib.ticker import PercentFormatter

import sims
from analysis import cli
from analysis.chapter import Study
from analysis.chapters.tschakka_lakka import balance, odds, pictures, report
from analysis.claims import settle
from analysis.report import write_report
from analysis.tables import Table
from sims.engine.variant import other_readings, show
from sims.tschakka_lakka import board
from sims.tschakka_lakka.board import Board, Gem

GAME = sims.game("tschakka-lakka")
NOTHING = ("small_points", "medium_points", "large_points", "yellow_points", "pink_points")
TOWERS = ("highest_points", "highest_tied_points", "second_points", "second_tied_points")

BOARDS = {
    "six": ('"E....E", "......", "......", "......", "......", "E....E"', ["pink 3 3", "yellow 1 3", "yellow 5 3"]),
    "one gem": ('"E....", "#...."', ["pink 1 2"]),
    "no pink gem, one entrance that touches nothing": ('"E#....", "#E...."', ["yellow 1 3", "yellow 1 4"]),
    "more entrances than chambers": ('"EEEE", "....", "EEEE"', ["yellow 1 1"]),
    "tall": ('"E.", "..", "..", "..", ".E"', ["yellow 1 1", "pink 3 1"]),
}


@pytest.fixture
def own_board(tmp_path):
    def write(name):
        squares, gems = BOARDS[name]
        listed = []
        for gem in gems:
            kind, row, column = gem.split()
            listed.append(f'{{ kind = "{kind}", at = [{row}, {column}] }}')
        path = tmp_path / "own.toml"
        path.write_text(f"squares = [{squares}]\ngems = [{', '.join(listed)}]\n")
        return str(path)

    return write


def page(variant, games, folder):
    """The page's text without pictures and tags; every picture is drawn, and a warning is an error."""
    study = Study(GAME, variant, GAME.lineup((), 2), None, games, 3)
    text = write_report(study, folder).read_text().split("<main>")[1]
    plain = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    plain = " ".join(re.sub(r"<[^>]+>", " ", plain).replace("\u00a0", " ").split())
    assert not re.search(r"\b(nan|NaN|inf|None)\b", plain)
    passed, known = re.search(r"(\d+) of (\d+) known answers are met", plain).groups()
    assert passed == known
    return plain


# -- sentences -------------------------------------------------------------------------------------------------


def table(rows, **more):
    return Table("made up", "", pd.DataFrame(rows), False, **more)


def study_of(name="standard", **changes):
    return Study(GAME, GAME.variant(name, changes), GAME.lineup((), 2), None, 1, 1)


def stops(*pairs):
    return table([{"dice": dice, "stop_from": points, "costs": 0.125} for dice, points in pairs])


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([(1, "1"), (6, "9")], "Stop with one die left at 1 point or more, with six at 9; otherwise roll."),
        ([(2, "2"), (3, "never")], "Stop with two dice left at 2 points or more; otherwise roll."),
        ([(1, "never"), (2, "never")], "Always roll."),
    ],
)  # fmt: skip
def test_the_best_rule_in_words(pairs, says):
    assert report.stop_sentence(stops(*pairs)) == says
    advice = report.stop_advice(study_of(), stops(*pairs))
    assert says in advice
    assert f"loses {0.125 * len(pairs):.2f} points per turn" in advice


def settled(question):
    return settle([question])[question.name]


def thumb(loss):
    """The cautious lose so much per turn, in 400 games of ten turns."""
    noise = np.random.default_rng(1).normal(0, 1, 400)
    evidence = {("turns",): np.full(400, 10.0), ("loss", "timid"): 10 * loss + noise - noise.mean()}
    rows = [
        {"policy": "optimal", "points": 5.5, "bust": 0.12, "loss": 0.0},
        {"policy": "card:gem=6:die=2:nerve=2", "points": 5.25, "bust": 0.2, "loss": 0.25},
        {"policy": "timid", "points": 3.0, "bust": 0.04, "loss": 2.5},
    ]
    return table(rows, evidence=evidence)


def test_the_card_is_priced_against_best_play():
    found = thumb(0.25)
    frame = found.frame.assign(points_low=found.frame["points"] - 0.1, points_high=found.frame["points"] + 0.1)
    section = report.thumb_section(table(frame.to_dict("records")))
    assert texts(section.pictures[0].draw())[-1] == "5.25 points per turn; best play has 5.50"
    assert "it collects 5.25 points per turn, where best play has 5.50, and busts in 20 %" in section.sentences[0]


def test_caution_costs_points_only_where_it_surely_does():
    said = "Best play collects 5.50 points per turn and busts in 12 % of its turns. A player who stops at the first treasure "
    said += "busts in 4 % and collects 3.00"
    claim = settled(report.caution(thumb(2.5), 1))
    assert (claim.verdict, claim.games) == ("above", 400)
    # ten turns to a game: the t interval of the mean is 1.966 * 1 / sqrt(400) / 10
    assert claim.sentence == f"{said}: caution costs 2.50 ± 0.01 points per turn."
    assert settled(report.caution(thumb(0.0), 1)).sentence == f"{said}; whether such caution costs points is open."
    assert report.card_row(thumb(0.0)).loss == 0.25


@pytest.mark.parametrize(
    ("rate", "verdict", "says"),
    [(0.6, "above", "beats"), (0.5, "unclear", "are too close to call"), (0.4, "below", "loses to")],
)
def test_the_strongest_policy_beats_another_only_where_it_surely_does(rate, verdict, says):
    won = (np.random.default_rng(2).permutation(2000) < 2000 * rate) * 1.0
    skill = table([], evidence={(2, "card"): won, (2, "timid"): won, (4, "card"): 1 - won})
    questions = report.skill_claims(skill, 1)
    assert [question.name for question in questions] == ["majority against card", "majority against timid"]
    claim = settled(questions[0])
    assert claim.verdict == verdict
    assert says in claim.sentence
    half = 1.961 * (rate * (1 - rate) / 1999) ** 0.5
    assert f"it wins {100 * rate:.1f} ± {100 * half:.1f} %" in claim.sentence
    assert report.skill_claims(table([], evidence={(4, "card"): won}), 1) == []


def course(**values):
    rows = [
        {"players": players, "policy": policy, "quantity": name, "value": value * (1 if policy == "majority" else 9)}
        for players in (2, 3, 4)
        for policy in ("card", "majority")
        for name, value in ({"rounds": 30.0 / players, "unfinished": 0.0} | values).items()
    ]
    return {"course": table(rows)}


def test_towers_are_told_with_ties_named():
    told = report.tower_sentence(course(majorities_decide=0.31, leader_loses=0.22))
    assert told == (
        "Counting the towers changes the winners of 31 % of four-player games, where a tie made or broken counts as a change; in "
        "22 % nobody who led before the count wins."
    )
    assert "change no winner" in report.tower_sentence(course(majorities_decide=0.0, leader_loses=0.0))


def test_lengths_and_games_cut_off():
    said = "A two-player game takes 15.0 rounds, a three-player game 10.0, a four-player game 7.5."
    assert report.length_sentence(course()) == said
    cut = report.length_sentence(course(unfinished=0.125))
    assert cut == f"{said} Up to 12.5 % of the games are cut off by max_turns and have no winner."


def shares(**found):
    rows = [
        {
            "players": players, "policy": policy, "source": source.replace("_", " "),
            "share": share if (policy, players) == ("majority", 4) else 0.5,
        }
        for players in (2, 4)
        for policy in ("card", "majority")
        for source, share in found.items()
    ]  # fmt: skip
    return {"sources": table(rows)}


def test_sources_in_words():
    told = report.source_sentence(shares(small_treasures=0.6, yellow_gems=0.1, pink_gems=0.05, majorities=0.25))
    assert (
        told
        == "Of a seat's points in a four-player game 60 % come from treasures, 25 % from majorities and 15 % from gems."
    )
    assert report.source_sentence(shares(small_treasures=np.nan, majorities=np.nan)) == "Nobody collects a point."


def test_the_reading_asked_about_is_that_of_the_strongest_policy():
    rng = np.random.default_rng(3)
    changes = {
        ("majority", "tower", "count"): 0.0,
        ("majority", "gem_needs", "any"): -3.25,
        ("card", "sizes", "6/5/4"): 9.0,
    }
    evidence = {(4, *key): mean + rng.normal(0, 1, 500) for key, mean in changes.items()}
    claim = settled(report.reading_question(table([{"policy": "majority"}], evidence=evidence), 1))
    assert claim.verdict == "gem_needs=any"
    assert claim.sentence.startswith("Letting one emptied chamber free a gem shortens four-player games by 3.")
    assert report.reading_question(table([{"policy": "majority"}]), 1) is None


def test_every_reading_has_words():
    for name, reading, _ in other_readings(study_of().variant):
        assert (name, show(reading)) in report.READINGS


def test_where_the_temple_comes_from():
    boxed = report.origin_sentence(study_of())
    assert "of which two others are measured below" in boxed
    assert report.origin_sentence(study_of(sizes="6/5/4")).endswith("the only regular one that fits the rulebook.")
    assert report.origin_sentence(study_of("small-4x4")).startswith("This temple is not that of the box")


def test_where_to_begin_in_words():
    rows = [("best entrance", "", 4.5), ("any entrance", "", 4.0), ("small + large", "2", 5.0)]
    found = table([{"beside": beside, "colours": colours, "value": value} for beside, colours, value in rows])
    told = report.opening_sentence(found)
    assert (
        "worth 4.50 points from the entrance that the exact turn chooses, and 4.00 from an entrance taken blindly"
        in told
    )


def test_seats_are_asked_about_for_each_number_of_players():
    winner = np.random.default_rng(4).choice(2, 4000, p=[0.56, 0.44])
    evidence = {(2, policy, seat + 1): (winner == seat) * 1.0 for policy in ("card", "majority") for seat in range(2)}
    section = report.seat_section(table([], evidence=evidence), 1)
    (question,) = section.sentences
    claim = settled(question)
    assert (question.name, claim.verdict) == ("seats of 2", "seat 1 over seat 2")


def test_a_bust_is_explained_with_the_limit_of_skulls():
    plain, limited = (report.bust_section(study_of(skull_limit=limit)) for limit in (0, 4))
    assert "the chance is a product over the dice" in plain.sentences[0]
    assert "4 skulls in a turn end it" in limited.sentences[0]
    assert "product" not in limited.sentences[0]
    assert "no skull set aside" in limited.pictures[0].caption
    for limit, says in ((1, "a single skull ends the turn"), (4, "4 skulls in a turn end it")):
        assert says in odds.bust(study_of(skull_limit=limit)).note
        assert says[1:] in odds.release(study_of(skull_limit=limit)).note


def test_release_by_dice_turns_rows_to_columns():
    found = odds.release(study_of(dice=3))
    wide = report.release_by_dice(found).frame
    assert wide["dice"].tolist() == [1, 2, 3]
    cells = found.frame.set_index(["treasure", "dice"])
    for row in wide.to_dict("records"):
        for size in ("small", "medium", "large"):
            assert row[size] == cells.loc[(size, row["dice"]), "several_rolls"]
            if size != "small":
                assert row[f"{size}, one roll"] == cells.loc[(size, row["dice"]), "one_roll"]
    assert "small, one roll" not in wide


SQUARE = Board("", ((1, 1),), ((1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)), ())


def test_rings_of_the_temple_are_compared():
    gone = np.zeros(64)
    for at in SQUARE.chambers:
        gone[board.number(at)] = 0.25 if at != (2, 2) else 0.75
    # the middle of the chambers lies off the middle square, towards the corner without an entrance
    told = report.spot(SQUARE, gone)
    assert told == "Gone by then: 75 % of the innermost treasures and 25 % of the outermost."
    assert report.spot(SQUARE, np.full(64, 0.8)).endswith("80 % of the innermost treasures and 80 % of the outermost.")
    assert report.spot(Board("", ((1, 1),), ((1, 2),), ()), gone) == ""


# -- pictures --------------------------------------------------------------------------------------------------


def texts(figure):
    return [text.get_text() for ax in figure.axes for text in ax.texts]


def test_the_map_says_each_share_at_its_place():
    plan = Board("", ((1, 1),), ((1, 2), (2, 1), (2, 2)), (Gem("pink", 1, 1),))
    treasures, gems = np.zeros(64), np.zeros(64)
    for number, at in enumerate(plan.chambers, start=1):
        treasures[board.number(at)] = number / 10
    gems[board.number((1, 1))] = 0.77
    figure = pictures.temple(plan, treasures, gems)
    assert isinstance(figure.axes[-1].yaxis.get_major_formatter(), PercentFormatter)  # of the colour bar
    places = {text.get_text(): text.get_position() for text in figure.axes[0].texts}
    # x is the column, y the row, both from 0; a gem lies on the crossing between
    assert places == {"10": (1, 0), "20": (0, 1), "30": (1, 1), "entrance": (0, 0), "77": (0.5, 0.5)}


def test_what_is_still_in_the_temple():
    plan = Board("", ((1, 1),), ((1, 2), (2, 1)), (Gem("yellow", 1, 1), Gem("yellow", 1, 2)))
    treasures, gems = np.zeros((64, 3)), np.zeros((64, 3))
    treasures[board.number((1, 2))] = 0, 0.5, 1
    treasures[board.number((2, 1))] = 0, 0.1, 0.2
    gems[board.number((1, 1))] = 0, 0, 0.4
    lines = {
        line.get_label(): line.get_ydata().tolist() for line in pictures.emptying(plan, treasures, gems).axes[0].lines
    }
    assert lines == {
        "2 treasures": pytest.approx([1, 0.7, 0.4]),
        "2 yellow gems": pytest.approx([1, 1, 0.8]),
    }


def test_bust_map_and_stop_or_roll_keep_rows_and_columns_apart():
    frame = odds.bust(study_of(dice=2)).frame
    heat = pictures.bust_map(frame)
    assert isinstance(heat.axes[-1].yaxis.get_major_formatter(), PercentFormatter)  # of the colour bar
    cells = texts(heat)
    # four colours on top, one die first
    assert cells == [pictures.percent((k / 6) ** n) for k in (1, 2, 3, 4) for n in (1, 2)]
    rows = [(1, "1", 2.0, 1.0), (1, "12 or more", -6.0, 0.0), (2, "1", 0.1, 0.996), (2, "2", 0.2, 0.8)]
    turn = pd.DataFrame(rows, columns=["dice", "stake", "gain", "rolling_right"])
    figure = pictures.stop_or_roll(turn)
    # most dice on top, fewest points first; no word where there is no position
    assert {text.get_text(): text.get_position() for text in figure.axes[0].texts if text.get_text() != "roll"} == {
        "80 %": (1, 0),
        "stop": (2, 1),
    }
    assert sorted(text.get_position() for text in figure.axes[0].texts if text.get_text() == "roll") == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (0.00005, "< 0.01 %"), (0.0001, "0.01 %"), (0.0094, "0.94 %"), (0.0095, "0.9 %"), 
        (0.094, "9.4 %"), (0.095, "10 %"), (1, "100 %"),
    ],
)  # fmt: skip
def test_two_digits(share, says):
    assert pictures.percent(share) == says


def bars(figure):
    return [patch.get_width() for ax in figure.axes for patch in ax.patches]


def test_bars_are_as_long_as_their_values():
    frame = pd.DataFrame(
        {"policy": ["card:gem=6:die=2", "timid"], "points": [2.0, 3.0], "points_low": [1.9, 2.9], "points_high": [2.1, 3.1],
         "bust": [0.8, 0.04]}
    )  # fmt: skip
    figure = pictures.policy_chart(frame)
    assert bars(figure) == [3, 2]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["timid", "card"]
    assert texts(figure) == ["3.00, 4 % busts", "2.00, 80 % busts"]
    luck = pd.DataFrame(
        {"result": ["win", "margin"], "players": ["a, b"] * 2, "who_plays": [0.5, 0.05], "same_dice": [0.2, 0.15],
         "rest": [0.3, 0.8]}
    )  # fmt: skip
    figure = pictures.luck_chart(luck)
    assert bars(figure) == pytest.approx([0.5, 0.05, 0.2, 0.15, 0.3, 0.8])
    assert [patch.get_x() for patch in figure.axes[0].patches] == pytest.approx([0, 0, 0.5, 0.05, 0.7, 0.2])
    assert texts(figure) == ["50 %", "20 %", "15 %", "30 %", "80 %"]
    sources = pd.DataFrame(
        {"players": [2, 2, 3, 3], "source": ["small treasures", "majorities"] * 2, "points": [5.0, 7.0, 4.0, 6.0]}
    )
    figure = pictures.source_chart(sources)
    assert bars(figure) == [5, 4, 7, 6]
    assert [patch.get_x() for patch in figure.axes[0].patches] == [0, 0, 5, 4]
    readings = pd.DataFrame(
        {"rule": ["tower"], "reading": ["count"], "change_in_rounds": [-2.0], "low": [-3.0], "high": [-1.0]}
    )
    assert bars(pictures.reading_chart(readings)) == [-2]


def test_openings_and_duels_are_drawn_best_first():
    frame = pd.DataFrame(
        {
            "beside": ["best entrance of the temple", "any entrance", "small", "small + large", "large + large"],
            "colours": ["", "", "1", "2", "1"],
            "value": [5.0, 4.0, 2.0, 3.0, 6.0],
            "low": [4.9, 3.9, 1.5, 2.5, 5.5],
            "high": [5.1, 4.1, 2.5, 3.5, 6.5],
        }
    )
    ax = pictures.opening_chart(frame).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "large + large, one colour",
        "small + large",
        "small",
    ]
    points, any_entrance, best = ax.lines[0], ax.lines[-2], ax.lines[-1]
    assert points.get_xdata().tolist() == [6, 3, 2]
    assert (any_entrance.get_xdata()[0], best.get_xdata()[0]) == (4, 5)
    won = pd.DataFrame(
        [
            (players, rival, rate, rate - 0.1, rate + 0.1)
            for players in (2, 4)
            for rival, rate in (("card", 0.5), ("timid", 0.75))
        ],
        columns=["players", "against", "win_rate", "low", "high"],
    )
    figure = pictures.skill_chart(won)
    assert bars(figure) == [0.75, 0.5, 0.75, 0.5]
    assert [ax.lines[-1].get_xdata()[0] for ax in figure.axes] == [0.5, 0.25]


def test_release_and_length_are_lines_of_their_columns():
    frame = odds.release(study_of(dice=3)).frame
    lines = pictures.release_chart(frame).axes[0].lines
    for number, size in enumerate(("small", "medium", "large")):
        rows = frame[frame["treasure"] == size]
        several, one = lines[2 * number], lines[2 * number + 1]
        assert several.get_ydata().tolist() == rows["several_rolls"].tolist()
        assert one.get_ydata().tolist() == rows["one_roll"].tolist()
        assert several.get_label() == f"{size}, rolling on"
    rounds = {players: pd.DataFrame({"value": [players, 9], "share": [0.25, 0.75]}) for players in (2, 3)}
    lines = pictures.length_chart(rounds).axes[0].lines
    assert [(line.get_label(), line.get_xdata()[0], line.get_ydata()[0]) for line in lines] == [
        ("2 players", 2, 0.25),
        ("3 players", 3, 0.25),
    ]


def test_the_card_is_written_out_whole():
    lines = ("Place the raccoon where most treasures lie within two steps of him", "Pay")
    found = texts(pictures.playing_card("Title", lines, "below"))
    assert (
        " ".join(" ".join(found).split())
        == "Title 1 Place the raccoon where most treasures lie within two steps of him 2 Pay below"
    )


def test_half_of_a_game_of_a_round_or_two_is_its_first_round():
    study = Study(GAME, GAME.variant("small-4x4"), GAME.lineup(("odds",), 4), 4, 60, 3)
    batch = study.play("", records=True)
    assert 1 < np.mean(batch.records[:, batch.columns.index("rounds")]) < 2
    assert "after round 1; 4 players" in report.temple_section(study, batch).pictures[0].caption


def test_where_treasures_go_first_counts_half_of_a_game():
    study = Study(GAME, GAME.variant("small-4x4", {"skull_limit": 2}), GAME.lineup(("timid",), 4), 4, 60, 3)
    batch = study.play("", records=True)
    section = report.temple_section(study, batch)
    half = max(1, round(float(np.mean(batch.records[:, batch.columns.index("rounds")])) / 2))
    assert half > 1
    assert f"After round {half}, about half of a four-player game" in section.sentences[0]
    assert f"after round {half}; 4 players, all 'timid', 30 games" in section.pictures[0].caption
    treasures, gems = balance.sampled.emptied(study, batch.lineup, 30, half)
    plan = board.load("small-4x4")
    gone = np.mean([treasures[board.number(at), half] for at in plan.chambers])
    pink = np.mean([gems[board.number((gem.row, gem.column)), half] for gem in plan.gems if gem.kind == "pink"])
    assert f"{100 * gone:.0f} % of the treasures," in section.sentences[0]
    assert f"{100 * pink:.0f} % of the pink gems" in section.sentences[0]
    drawn = partial(pictures.temple, plan, treasures[:, half], gems[:, half])
    assert texts(section.pictures[0].draw()) == texts(drawn())


# -- pages ----------------------------------------------------------------------------------------------------


def test_a_page_where_the_first_round_is_the_last(own_board, tmp_path):
    variant = GAME.variant("standard", {"board": own_board("six"), "sizes": "3/3/2", "end_gems": 3})
    text = page(variant, 10, tmp_path)
    assert "A two-player game takes 1.0 rounds, a three-player game 1.0, a four-player game 1.0." in text
    assert "about half of a" not in text
    assert "This temple is not that of the box" in text
    assert "No other reading is seen to change the length of four-player games" in text


def test_a_page_of_games_with_one_die(tmp_path):
    text = page(GAME.variant("small-4x4", {"dice": 1}), 2, tmp_path)
    assert "There is nothing to tell: with one die every turn is one roll, and nobody can roll again." in text
    assert "Colour: expected points that rolling gains" not in text


def test_a_page_speaks_of_what_exists(own_board, tmp_path):
    name = "no pink gem, one entrance that touches nothing"
    text = page(GAME.variant("standard", {"board": own_board(name), "sizes": "1/0/1", "end_gems": 0}), 1, tmp_path)
    assert "yellow gems" in text
    assert "pink gem" not in text
    assert "medium" not in text.split("How this page reads")[0].split("Can these numbers")[0]


OTHERS = [
    ("standard", None, {"end_gems": 12, "skull_limit": 1}),
    ("standard", None, {"max_turns": 1}),
    ("standard", None, {"dice": 1, "skull_limit": 1}),
    ("standard", None, {"sizes": "15/0/0", "skull_limit": 7}),
    ("small-4x4", None, dict.fromkeys(NOTHING, 0)),
    ("small-4x4", None, dict.fromkeys((*NOTHING, *TOWERS), 0)),
    ("small-4x4", None, {**dict.fromkeys((*NOTHING, *TOWERS), 20), "second_players": 2}),
    ("small-4x4", None, {"dice": 2, "layout": "no_line", "tower": "count"}),
    ("standard", "one gem", {"sizes": "1/1/0", "end_gems": 1}),
    ("standard", "more entrances than chambers", {"sizes": "1/0/0", "end_gems": 0}),
    ("standard", "tall", {"sizes": "1/0/1", "end_gems": 0, "gem_needs": "any"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plan", "changes", "games"), [(*other, (1, 10)[number % 2]) for number, other in enumerate(OTHERS)]
)
def test_a_page_for_everything_that_can_be_played(name, plan, changes, games, own_board, tmp_path):
    named = {"board": own_board(plan)} if plan else {}
    page(GAME.variant(name, named | changes), games, tmp_path)


def test_a_table_without_a_decision_is_refused_in_one_line(capsys):
    arguments = ["odds", "tschakka-lakka", "--table", "turn", "--variant", "small-4x4", "--games", "10"]
    assert cli.main([*arguments, "--set", "dice=1"]) == 2
    error = capsys.readouterr().err
    assert "table: turn: with one die every turn is one roll, and nobody can roll again" in error
    assert cli.main([*arguments, "--set", "max_turns=1", "--seed", "2"]) in (0, 2)
    error = capsys.readouterr().err
    assert not error or "table: turn: too few decisions to roll again or stop came up in 4 games" in error
