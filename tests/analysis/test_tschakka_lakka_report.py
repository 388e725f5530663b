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
from analysis.chapters.tschakka_lakka import balance, odds, pictures, report, verdicts
from analysis.chapters.tschakka_lakka.words import READINGS
from analysis.claims import settle
from analysis.estimates import Estimate
from analysis.measures import Column, Measured
from analysis.report import write_report
from analysis.tables import BEHIND, ENDS, Table
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
    assert re.search(r"All \d+ known answers are met", plain)
    return plain


# -- sentences -------------------------------------------------------------------------------------------------


def table(rows, **more):
    frame = pd.DataFrame(rows)
    columns = tuple(Column(name) for name in frame if name not in (*ENDS, *BEHIND))
    return Table("made up", "", frame, columns, False, **more)


def study_of(name="standard", **changes):
    return Study(GAME, GAME.variant(name, changes), GAME.lineup((), 2), None, 1, 1)


def stops(*limits):
    return table([dict(zip(("dice", "stop_from", "or_from"), limit, strict=True)) for limit in limits])


PRICE = Measured(Estimate(0.125, 0.105, 0.145), 40, 1)


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ([(1, "1", ""), (6, "9", "")], "Stop from 1 point on with one die left, from 9 with six; otherwise roll."),
        ([(2, "2", ""), (3, "never", "")], "Stop from 2 points on with two dice left; otherwise roll."),
        (
            [(1, "1", "1 or 2"), (2, "4", "3 to 5")],
            "Stop from 1 or 2 points on with one die left, from 3 to 5 with two; otherwise roll.",
        ),
        (
            [(1, "2", ""), (2, "5", ""), (3, "5", "")],
            "Stop from 2 points on with one die left, from 5 with two or three; otherwise roll.",
        ),
        ([(1, "never", ""), (2, "never", "")], "Roll as long as you can."),
    ],
)
def test_the_stop_rule_in_words(limits, says):
    assert report.stop_sentence(stops(*limits)) == says
    advice = report.stop_advice(study_of(), stops(*limits), PRICE)
    assert advice == f"Roll again or stop? {says} Going by this alone costs 0.12 ± 0.02 points per turn."


def test_exceptions_to_the_rule_are_told():
    rows = [(1, "1", 0.5, 0.4, 0.6), (1, "2", -0.5, -0.6, -0.4), (2, "4", -0.5, -0.7, -0.3), (2, "5", 0.02, -0.1, 0.14)]
    rows += [(2, "12 or more", 0.72, 0.42, 1.02), (3, "1", -0.1, -0.3, 0.1), (3, "2", -1.0, -1.25, -0.75)]
    turn = table([dict(zip(("dice", "stake", "gain", "low", "high"), row, strict=True)) for row in rows])
    rule = stops((1, "2", ""), (2, "5", ""), (3, "never", ""))
    # stop, and yet rolling gains; roll, and yet it loses: only where the interval says so
    assert report.against_rule(turn, rule) == [
        "The gains of rolling that contradict the rule of the first box: 2 dice and 4 points at stake (-0.50 ± 0.20), 2 dice and "
        "12 or more points at stake (+0.72 ± 0.30) and 3 dice and 2 points at stake (-1.00 ± 0.25)."
    ]
    agrees = table([{"dice": 1, "stake": "1", "gain": 1.0, "low": 0.9, "high": 1.1}])
    assert report.against_rule(agrees, rule) == []


def settled(question):
    return settle([question])[question.name]


def thumb(loss):
    """Card and cautious player lose so much per turn, in 400 games of ten turns."""
    noise = np.random.default_rng(1).normal(0, 1, 400)
    lost = 10 * loss + noise - noise.mean()
    evidence = {("turns",): np.full(400, 10.0), ("timid",): lost, ("card",): lost}
    rows = [
        {"policy": "optimal", "points": 5.5, "bust": 0.12, "loss": 0.0},
        {"policy": "card", "points": 5.25, "bust": 0.2, "loss": 0.25},
        {"policy": "timid", "points": 3.0, "bust": 0.04, "loss": 2.5},
    ]
    rows = [row | {"points_low": row["points"] - 0.1, "points_high": row["points"] + 0.1, "idea": ""} for row in rows]
    return table(rows, evidence=evidence)


def test_the_card_is_priced_against_best_play():
    section = report.thumb_section(thumb(0.25))
    assert texts(section.pictures[0].draw())[-1] == "5.25 points per turn; best play has 5.50"
    assert "it collects 5.25 ± 0.10 points per turn and busts in 20 % of its turns." in section.sentences[0]
    claim = settled(verdicts.card(thumb(0.25), study_of()))
    assert (claim.verdict, claim.games, claim.name) == ("above", 400, "card against best play")
    # ten turns to a game: the t interval of the mean is 1.966 * 1 / sqrt(400) / 10
    assert claim.sentence == "The five-line card, printed below, loses 0.25 ± 0.01 points per turn against best play."
    open_ = settled(verdicts.card(thumb(0.0), study_of()))
    assert open_.verdict == "unclear"
    assert open_.sentence == "What the five-line card loses against best play is open: 0.00 ± 0.01 points per turn."


def test_caution_costs_points_only_where_it_surely_does():
    said = (
        "Best play collects 5.50 points per turn and busts in 12 % of its turns. The cautious player, who stops at the "
    )
    said += "first treasure, busts in 4 % and collects 3.00"
    claim = settled(verdicts.caution(thumb(2.5), study_of()))
    assert (claim.verdict, claim.games) == ("above", 400)
    assert claim.sentence == f"{said}: such caution costs 2.50 ± 0.01 points per turn."
    open_ = settled(verdicts.caution(thumb(0.0), study_of()))
    assert open_.sentence == f"{said}; whether such caution costs points is open."


@pytest.mark.parametrize(
    ("rate", "verdict", "says"),
    [(0.6, "above", "beats"), (0.5, "unclear", "are too close to call"), (0.4, "below", "loses to")],
)
def test_the_strongest_policy_beats_another_only_where_it_surely_does(rate, verdict, says):
    won = (np.random.default_rng(2).permutation(2000) < 2000 * rate) * 1.0
    rows = [
        {"players": players, "against": rival, "to_tell": 1234.0, "to_tell_low": 900.0, "to_tell_high": 1500.0}
        for players in (2, 4)
        for rival in ("card", "timid")
    ]
    evidence = {(row["players"], "majority", row["against"]): won if row["players"] == 2 else 1 - won for row in rows}
    questions = verdicts.skill(table(rows, evidence=evidence), study_of())
    assert [question.name for question in questions] == ["majority against card", "majority against timid"]
    claim = settled(questions[0])
    assert claim.verdict == verdict
    between = f"and the five-line card {says}" if verdict == "unclear" else f"{says} the five-line card"
    assert claim.sentence.startswith(f"The tower builder {between}, with ")
    half = 1.961 * (rate * (1 - rate) / 1999) ** 0.5
    assert f"{100 * rate:.1f} ± {100 * half:.1f} % of two-player games" in claim.sentence
    assert ("It takes 1,234 games (900 to 1,500) to be 90 % sure who is better." in claim.sentence) == (
        verdict == "above"
    )
    assert verdicts.skill(table(rows[2:], evidence=evidence), study_of()) == []


def test_games_to_tell_without_an_end():
    cells = {"to_tell": 40.0, "to_tell_low": 8.0, "to_tell_high": np.inf}
    assert verdicts.games_to_tell(pd.Series(cells)) == "It takes 8 games or more to be 90 % sure who is better."
    cells = dict.fromkeys(cells, 2.0)
    assert verdicts.games_to_tell(pd.Series(cells)) == "It takes 2 games to be 90 % sure who is better."


def test_how_much_who_plays_explains():
    rows = [
        {"population": "dice, card", "result": result, "who_plays": who, "low": 0.9 - who, "high": 1.1 - who}
        for result, who in (("win", 0.25), ("margin", 0.5), ("win", np.nan))
    ]  # fmt: skip
    told = [
        "Among the dice counter and the five-line card, who plays explains 25.0 ± 10.0 % of the variance of winning."
    ]
    assert verdicts.luck(pd.DataFrame(rows)) == told


def course(**values):
    rows = [
        {
            "players": players, "policy": policy, "quantity": name,
            "value": (value := found * (1 if policy == "majority" else 9)), "low": value - 0.125,
            "high": value + 0.125, "meaning": "",
        }
        for players in (2, 3, 4)
        for policy in ("card", "majority")
        for name, found in ({"rounds": 30.0 / players, "completion": 1.0} | values).items()
    ]  # fmt: skip
    return table(rows)


def test_towers_are_told_with_ties_named():
    told = report.tower_sentence(course(majorities_decide=0.31, leader_loses=0.22))
    assert told == (
        "Counting the towers changes the winners of 31.0 ± 12.5 % of four-player games of the tower builder, where a tie made or "
        "broken counts as a change; in 22.0 ± 12.5 % nobody who led before the count wins."
    )
    none = report.tower_sentence(course(majorities_decide=0.0, leader_loses=0.0))
    assert none == (
        "Counting the towers changed the winners of none of the four-player games of the tower builder; up to 12 % is open."
    )


def test_lengths_and_games_cut_off():
    said = "Rounds in a game of the tower builder, on average: 15.0 ± 0.1 with two, 10.0 ± 0.1 with three and 7.5 ± 0.1 with "
    said += "four players."
    assert report.length_sentence(study_of(), course()) == said
    cut = report.length_sentence(study_of(max_turns=120), course(completion=0.875))
    assert cut == f"{said} Up to 12.5 % of the games are cut off after 120 turns and have no winner."


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
    return report.of_strongest(table(rows)).frame


def test_sources_in_words():
    told = report.source_sentence(shares(small_treasures=0.6, yellow_gems=0.1, pink_gems=0.05, majorities=0.25))
    assert told == (
        "Of a seat's points in four-player games of the tower builder, 60 % come from treasures, 25 % from majorities and 15 % "
        "from gems."
    )
    assert report.source_sentence(shares(small_treasures=np.nan, majorities=np.nan)) == "Nobody collects a point."


def test_a_table_of_the_strongest_policy_says_who_plays():
    shown = report.of_strongest(
        table([{"players": 4, "policy": policy, "points": 1.0} for policy in ("card", "majority")])
    )
    assert shown.frame.to_dict("records") == [{"players": 4, "points": 1.0}]
    assert "Every seat plays the tower builder." in shown.note


def test_the_reading_asked_about_is_that_of_the_strongest_policy():
    rng = np.random.default_rng(3)
    changes = {
        ("majority", "tower", "count"): 0.0,
        ("majority", "gem_needs", "any"): -3.25,
        ("card", "sizes", "6/5/4"): 9.0,
    }
    evidence = {(4, *key): mean + rng.normal(0, 1, 500) for key, mean in changes.items()}
    claim = settled(verdicts.reading(table([{"policy": "majority"}], evidence=evidence), 4, study_of()))
    assert claim.verdict == "gem_needs=any"
    said = "Letting one emptied chamber free a gem shortens four-player games of the tower builder by 3."
    assert claim.sentence.startswith(said)
    assert verdicts.reading(table([{"policy": "majority"}]), 4, study_of()) is None


def test_every_reading_has_words():
    for name, reading, _ in other_readings(study_of().variant):
        assert (name, show(reading)) in READINGS


def test_where_the_temple_comes_from():
    boxed = report.origin_sentence(study_of())
    assert "the places of the gems and the numbers of small, medium and large treasures are a reconstruction" in boxed
    # layout, gem_needs, tower and skull_limit
    assert "four sentences of its rulebook can be read in several ways" in boxed
    assert "known of the box: the places of the gems are a reconstruction" in report.origin_sentence(
        study_of(sizes="6/5/4")
    )
    assert report.origin_sentence(study_of("small-4x4")).startswith("This temple is not that of the box")


def test_where_to_begin_in_words():
    rows = [("best entrance", "", 4.5), ("any entrance", "", 4.0), ("small + large", "2", 5.0)]
    cells = [
        {"beside": beside, "colours": colours, "value": value, "low": value - 0.25, "high": value + 0.25}
        for beside, colours, value in rows
    ]
    told = report.opening_sentence(table(cells))
    assert "worth 4.50 ± 0.25 points from the entrance that best play chooses, and 4.00 ± 0.25 from an entrance" in told


def test_a_bust_is_explained_with_the_limit_of_skulls():
    plain, limited = (report.bust_section(study_of(skull_limit=limit)) for limit in (0, 4))
    assert plain.sentences[0] == "A roll is a bust if no die can be placed."
    assert limited.sentences[0] == "A roll is a bust if no die can be placed; and 4 skulls in a turn end it."
    assert "no skull set aside" in limited.pictures[0].caption
    for limit, says in ((1, "a single skull ends the turn"), (4, "4 skulls in a turn end it")):
        assert says in odds.bust(study_of(skull_limit=limit)).note
        assert says[1:] in odds.release(study_of(skull_limit=limit)).note


def test_what_makes_a_bust_less_likely_is_asked_of_every_case():
    plain = {claim.name: claim for claim in verdicts.busts(odds.bust(study_of()).frame)}
    assert {claim.verdict for claim in plain.values()} == {"always"}
    assert plain["bust, die"].sentence == "Every further die makes a bust less likely (exact)."
    # one skull ends the turn: seven dice show none with (5/6)^7, so that more dice are worse with all colours in reach
    limited = {claim.name: claim for claim in verdicts.busts(odds.bust(study_of(skull_limit=1)).frame)}
    assert limited["bust, colour in reach"].verdict == "always"
    chance = {
        (dice, colours): 1 - (5 / 6) ** dice + ((4 - colours) / 6) ** dice
        for dice in range(1, 8)
        for colours in range(1, 5)
    }
    worse = {case: chance[case] - chance[case[0] - 1, case[1]] for case in chance if case[0] > 1}
    up, (dice, colours) = max((worse[case], case) for case in worse)
    told = limited["bust, die"]
    assert told.verdict == "with exceptions"
    assert f"in {sum(each < 0 for each in worse.values())} of {len(worse)} cases" in told.sentence
    assert f"the step to {dice} dice with {colours} colours in reach, which adds {100 * up:.2g} points" in told.sentence


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
        {"policy": ["card:gem=7", "timid"], "points": [2.0, 3.0], "points_low": [1.9, 2.9], "points_high": [2.1, 3.1],
         "bust": [0.8, 0.04]}
    )  # fmt: skip
    figure = pictures.policy_chart(frame)
    assert bars(figure) == [3, 2]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [
        "the cautious player", "the five-line card (gem\n7)",
    ]  # fmt: skip
    assert texts(figure) == ["3.00, 4 % busts", "2.00, 80 % busts"]
    luck = pd.DataFrame(
        {"result": ["win", "margin"], "population": ["card, odds"] * 2, "who_plays": [0.5, 0.05], "same_dice": [0.2, 0.15],
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
    drawn = pictures.reading_chart(readings)
    assert bars(drawn) == [-2]
    assert [label.get_text() for label in drawn.axes[0].get_yticklabels()] == ["Counting the treasures of a tower"]


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
    assert "after round 1; 30 four-player games" in report.temple_section(study, batch).pictures[0].caption


def test_where_treasures_go_first_counts_half_of_a_game():
    study = Study(GAME, GAME.variant("small-4x4", {"skull_limit": 2}), GAME.lineup(("timid",), 4), 4, 60, 3)
    batch = study.play("", records=True)
    section = report.temple_section(study, batch)
    half = max(1, round(float(np.mean(batch.records[:, batch.columns.index("rounds")])) / 2))
    assert half > 1
    assert f"After round {half}, about half of a four-player game" in section.sentences[0]
    assert f"after round {half}; 30 four-player games of the cautious player." in section.pictures[0].caption
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
    assert "on average: 1.0 ± 0.5 with two, 1.0 ± 0.5 with three and 1.0 ± 0.5 with four players." in text
    assert "about half of a" not in text
    assert "This temple is not that of the box" in text
    assert "No other reading is seen to change the length of four-player games" in text


def test_a_page_of_games_with_one_die(tmp_path):
    text = page(GAME.variant("small-4x4", {"dice": 1}), 2, tmp_path)
    assert "The question is open: with one die every turn is one roll, and nobody can roll again." in text
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
