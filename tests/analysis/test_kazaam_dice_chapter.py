"""The chapter of Kazaam Dice: its tables, answers and page, with cells that are derived here."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis import cli, compact, figures, frames, report
from analysis import page as skeleton
from analysis import verdicts as shared
from analysis.chapter import Check, Study, chapter
from analysis.chapters.kazaam_dice import balance, checks, fortune, games, kings, pictures, verdicts, words
from analysis.claims import settle
from analysis.report import page, settled
from analysis.tables import Table
from sims.engine.dice import SeededDice
from sims.engine.variant import other_readings, rulings, show
from sims.kazaam_dice import GAME, changed, traces
from sims.kazaam_dice.reference import Cancelled, Extra, Rolled, Standing
from sims.kazaam_dice.rules import OWN, SEVERAL

CHAPTER = chapter("kazaam-dice")
POSITIONS = GAME.folder / "positions"
#: A board for one, which the game does not seat.
ALONE = Path(__file__).parents[1] / "kazaam_dice" / "boards" / "lone.toml"


def study(variant="duel", players=2, policy="runner", number=60, seed=1, **changes):
    return Study(GAME, GAME.variant(variant, changes), GAME.lineup([policy], players), players, number, seed)


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = cli.main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


# -- solve -----------------------------------------------------------------------------------------------------


def test_solve_json_has_the_promised_shape(run):
    status, out, _ = run("solve", "kazaam-dice", "--position", str(POSITIONS / "one_to_go.toml"), "--format", "json")
    content = json.loads(out)
    assert status == 0
    assert content["exact"] is True
    assert (content["on_turn"], content["distance"]) == (1, 1)
    assert content["chips_held"] == {"favourite": 1, "others": 1}
    assert "choices" not in content
    # The gap at (1,7) shows 1: a 1 on either die, 11 rolls of 36, in up to three rolls. Other uses help too.
    assert 1 - (25 / 36) ** 3 < content["chance"] < 1
    assert len(content["drawing"]) == 2 + 3 * 7 + 2


def test_solve_counts_the_rolls_of_a_plain_gap(run, tmp_path):
    # 3 x 3: dice on (1,1) and (2,1), target at (3,1), picture 5; no chips. A 5 on any die fills it: 11 of 36 rolls.
    path = tmp_path / "gap.toml"
    path.write_text(
        'players = 2\nroll = [5, 6]\nchips = []\npieces = """\n1^2 .   .\n4^1 M   .\n.   .   .\n"""\n', encoding="utf-8"
    )
    call = ("solve", "kazaam-dice", "--variant", "duel", "--position", str(path))
    content = json.loads(run(*call, "--format", "json")[1])
    assert (content["fraction"], content["chance"]) == ("11/36", 11 / 36)
    chances = [choice["chance"] for choice in content["choices"]]
    assert chances == sorted(chances, reverse=True)
    # four facings of the 5 on (3,1) finish, nothing else does
    assert chances.count(1.0) == 4
    assert all("places 5 on (3,1)" in choice["told"] for choice in content["choices"][:4])
    _, text, _ = run(*call)
    assert "places 5 on (3,1), facing any way. Chance: 1." in text
    assert "[4^1]| (M) " in text


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("players = 5", "pieces: is missing"),
        ('players = 5\npieces = ""', "players: 5 is not allowed; a whole number from 1 to 4"),
        ("players = 2\npieces = 'x'", "bad.toml: pieces: "),
        ("players = ", "bad.toml: broken TOML"),
    ],
)
def test_a_bad_position_gets_one_line_and_status_2(run, tmp_path, content, says):
    path = tmp_path / "bad.toml"
    path.write_text(content, encoding="utf-8")
    status, out, err = run("solve", "kazaam-dice", "--position", str(path))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_solve_says_what_it_takes(run):
    assert "position: is missing; give --position FILE" in run("solve", "kazaam-dice")[2]
    assert "kazaam-dice is not solved from --pins; it takes --position" in run("solve", "kazaam-dice", "--pins", "1")[2]
    assert "none.toml: cannot be read" in run("solve", "kazaam-dice", "--position", "none.toml")[2]


# -- odds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["use", "finish", "doubles"])
def test_a_simulated_row_has_its_interval_games_and_seed(name):
    table = CHAPTER.table(name).build(study(seed=7))
    frame = table.frame
    # a double is rolled with an exact chance
    assert table.exact is (None if name == "doubles" else False)
    estimated = frame.columns[list(frame.columns).index("low") - 1]
    played, exact = frame[frame["games"].notna()], frame[frame["games"].isna()]
    assert (played["low"] <= played[estimated]).all()
    assert (played[estimated] <= played["high"]).all()
    assert exact[["low", "high", "seed"]].isna().all(axis=None)
    assert set(played["games"]) == {60}
    assert set(played["seed"]) == {7}
    assert len(exact) == (name == "doubles")


def test_use_of_a_first_turn_is_what_the_empty_board_offers():
    # 3 x 3: the one shortest way is A1 (1,1) - (2,1) - T1 (3,1), with pictures 1, 4 and 5
    first = games.surveyed(study(number=1), 2).frame.iloc[0]
    # a 1, 4 or 5 on either die of an unequal roll: all but 3 * 2 of 30; doubles 1-1, 4-4, 5-5
    assert (first["distance"], first["unequal"], first["doubles"]) == (3, 24, 3)
    frame = CHAPTER.table("use").build(study(number=1)).frame
    assert (frame["useful"] * 36).to_numpy() == pytest.approx((frame["unequal"] * 30 + frame["double"] * 6).to_numpy())


def test_finish_counts_own_turns_to_the_connection():
    found = games.surveyed(study(number=200), 2)
    frame, records = found.frame, found.records
    ends = frame.groupby("game").last()
    own = records["points_own_1"] + records["points_own_2"] > 0
    assert (ends.loc[own, "within"] == 1).all()
    before = frame[frame["turn"] == frame["game"].map(records["turns"]) - 3].set_index("game")
    assert (before.loc[own[own].index.intersection(before.index), "within"] == 2).all()
    last_die = records["end"] == 3
    assert (ends.loc[last_die, "within"] == games.NEVER).all()


def test_doubles_of_a_policy_are_all_used_cancelled_or_passed():
    frame = CHAPTER.table("doubles").build(study()).frame
    shares = frame.groupby("policy")["share"].sum()
    assert shares["(any)"] == 1 / 6
    assert shares.drop("(any)").to_numpy() == pytest.approx(1)


def test_elements_follow_from_the_net():
    frame = CHAPTER.table("elements").build(study()).frame.set_index(["creature", "facing"])
    assert len(frame) == 24
    # net 132456: top 1, north 3, east 2, south 4, west 5. Tipped north, the southern 4 comes up: fire lets in 1 2 3 only.
    row = frame.loc[1, 3]
    assert row[["north", "east", "south", "west"]].tolist() == [4, 5, 3, 2]
    assert (row["burns"], row["burns_to"], row["drowns_to"]) == (0.5, "north, east", "south, west")
    # opposites 1-2 instead: fire kills three of the four sides of 1
    other = CHAPTER.table("elements").build(study(die="134562")).frame
    assert set(other[other["creature"] == 1]["burns"]) == {0.75}


def test_connect_is_exact_and_certain_on_a_full_board():
    table = CHAPTER.table("connect").build(study())
    assert table.exact
    chances = table.frame.set_index("dice")["connected"]
    # three dice on a 3 x 3 board without its centre: only (1,1), (1,2), (1,3) of C(8, 3)
    assert chances[3] == pytest.approx(1 / 56)
    assert (chances[2], chances[8]) == (0, 1)


def test_an_unknown_number_of_players_is_one_line(run):
    for command in (["odds", "kazaam-dice", "--table", "use"], ["balance", "kazaam-dice"]):
        status, _, err = run(*command, "--set", f"board={ALONE}", "--games", "10")
        assert (status, err) == (2, "oddsmith: players: 2 is not allowed; board lone seats 1\n")


# -- changed components ----------------------------------------------------------------------------------------


def test_every_changed_part_plays():
    rows = balance.reconstruction(study("small", number=40)).frame
    assert set(rows["rule"]) == {"(as set)", "fire and water", "die", "pictures", "places"}
    assert len(rows) == 10


def test_corners_of_a_symmetric_board_are_exactly_alike():
    table = balance.corners(study("standard", 4, number=40))
    assert len(set(table.frame["win_rate"])) == 1
    # the four orders of play are the same games, turned
    assert set(table.frame["games"]) == {20}
    first = table.evidence[4, "runner", 1]
    assert all(first == pytest.approx(table.evidence[4, "runner", corner]) for corner in (2, 3, 4))
    asked = study("standard", 4, number=2000)
    claim = settle([verdicts.corners(balance.corners(asked), 4, asked)])["corners of 4"]
    assert (claim.verdict, claim.games) == ("same", 500)
    assert claim.sentence.startswith(
        "With four players, every corner going first equally often and played by the runner,"
    )


def test_corners_are_compared_game_by_game():
    asked = study("small", 3, number=40)
    table = balance.corners(asked)
    board = asked.variant.rules.load_board()
    wins = {corner: np.zeros(20) for corner in board.seats(3)}
    for turn in range(3):
        order = board.seats(3)[turn:] + board.seats(3)[:turn]
        with changed.on_board(asked.variant, changed.seated(board, order)) as variant:
            masks = frames.records(
                asked.play("", variant=variant, lineup=asked.lineup[:1] * 3, games=20, records=True)
            )["winners"]
        for game, mask in enumerate(masks):
            for seat, corner in enumerate(order):
                wins[corner][game] += (mask == 1 << seat) / 3
    for corner, won in wins.items():
        assert table.evidence[3, "runner", corner] == pytest.approx(won)


def test_doubles_are_compared_over_games():
    rng = np.random.default_rng(5)
    seats = {number: rng.integers(1, 3, 2000) for number in (0, 2)}
    wins = {number: rng.binomial(seats[number], chance) for number, chance in ((0, 0.3), (2, 0.5))}
    evidence = {
        (2, "runner", number, name): found[number].astype(float)
        for number in (0, 2)
        for name, found in (("wins", wins), ("seats", seats))
    }

    def asked(evidence):
        return verdicts.doubles(Table("t", "T", pd.DataFrame(), (), evidence=evidence), 2, study())

    claim = settle([asked(evidence)])["early doubles of 2"]
    assert claim.verdict == "above"
    assert claim.estimate.value == pytest.approx(wins[2].sum() / seats[2].sum() - wins[0].sum() / seats[0].sum())
    nobody = {(2, "runner", 2, "wins"): np.zeros(2000), (2, "runner", 2, "seats"): np.zeros(2000)}
    assert asked(evidence | nobody) is None


def test_the_first_box_tells_of_seats_for_the_fewest_and_the_most_players():
    rng = np.random.default_rng(9)

    def seats_of(players, *rates):
        won = {seat: (rng.random(3000) < rate) * 1.0 for seat, rate in enumerate(rates, 1)}
        evidence = {(players, policy, seat): wins for policy in ("runner", "blocker") for seat, wins in won.items()}
        return shared.seats(Table("t", "T", pd.DataFrame(), (), evidence=evidence), players, study())

    asked = [seats_of(2, 0.6, 0.4), seats_of(4, 0.25, 0.25, 0.25, 0.25)]
    claims = settle([*asked, shared.in_short("seats in short", asked)])
    claim = claims["seats in short"]
    assert claim.sentence == " ".join(claims[each.name].headline for each in asked)
    assert claim.sentence.startswith(
        "With two players seat 1 is better off than seat 2 under every policy asked, by at least "
    )
    assert "With four players it is open" in claim.sentence
    assert claim.verdict == "unclear"


def test_every_reading_and_every_other_part_has_words_of_its_own():
    variant = GAME.variant()
    for name, reading, other in other_readings(variant):
        assert (name, show(reading)) in words.RULINGS
        assert (name, show(getattr(variant.rules, name))) in words.RULINGS
        assert len({words.RULINGS[name, show(getattr(rules, name))] for rules in (variant.rules, other.rules)}) == 2
    assert {(part, choice) for part, choice, _ in changed.components(variant)} == set(words.PARTS)
    assert len(set(words.READINGS.values())) == len(words.READINGS)


def test_a_ladder_is_a_verdict_on_all_its_steps():
    rng = np.random.default_rng(6)
    clear, none = rng.choice([-1.0, 0, 1], 1000, p=[0.1, 0.3, 0.6]), rng.choice([-1.0, 0, 1], 1000)
    for lead, verdict in ((clear, "every step"), (none, "unclear"), (-clear, "not every step")):
        evidence = {("runner", "random"): clear, ("blocker", "runner"): lead}
        table = Table("t", "T", pd.DataFrame(), (), evidence=evidence)
        assert settle([shared.ladder(table, study())])["skill ladder"].verdict == verdict


def test_what_elements_do_to_creatures():
    assert (
        verdicts.elements({1: 0.5, 2: 0.5}, "fire", "burn the die").sentence
        == "Whatever shows on top, 50 % of the directions burn the die."
    )
    worst = verdicts.elements({1: 0.25, 2: 0.75}, "fire", "burn the die")
    assert (worst.verdict, worst.estimate.value) == ("creature 2", 0.75)


# -- kingmaking, maps ------------------------------------------------------------------------------------------


def turns(*rows, winners, end=0):
    """Turns of one game of three: (seat, distances), and its last turn."""
    frame = pd.DataFrame(
        [{"game": 0, "turn": turn, "seat": seat, **{f"distance_{k + 1}": d for k, d in enumerate(distances)}}
         for turn, (seat, distances) in enumerate(rows)]
    )  # fmt: skip
    return games.Turns(frame, pd.DataFrame({"winners": [winners], "end": [end]}), 3, 1)


@pytest.mark.parametrize(
    ("after", "winners", "expected"),
    [
        # seat 1, at 7, brings seat 3 from 4 to 2 past seat 2 at 3
        ((7, 3, 2), 0b100, (1, 0, 1, 1)),
        ((7, 3, 2), 0b010, (1, 0, 1, 0)),
        # as near as the other: nearest are now both
        ((7, 3, 3), 0b100, (1, 0, 1, 0)),
        # he comes closer himself
        ((6, 3, 2), 0b100, (0, 0, 0, 0)),
        # he holds up the leader, which gains him time
        ((7, 5, 4), 0b100, (0, 1, 0, 0)),
        # nothing changes between the others
        ((7, 3, 4), 0b100, (0, 0, 0, 0)),
    ],
)
def test_kingmaking_is_told_from_distances(after, winners, expected):
    game = turns((0, (7, 3, 4)), (1, after), winners=winners)
    found = {name: measured.value for name, measured in kings.measured(game).items()}
    # of two turns and one game
    assert (found["hands_over"] * 2, found["holds_up"] * 2, found["handed_games"], found["crowned"]) == expected
    # the last move is seat 2's
    assert found["loser_ends"] == (winners != 0b010)


def test_a_player_in_the_race_makes_no_king():
    found = kings.measured(turns((0, (4, 3, 4)), (1, (4, 3, 2)), winners=4))
    assert found["hands_over"].value == 0


# -- balance, report, checks -----------------------------------------------------------------------------------


def test_balance_holds_limits_and_names_its_metrics(run):
    small = ["balance", "kazaam-dice", "--variant", "duel", "--games", "40", "--lineup", "runner,runner"]
    status, out, err = run(*small, "--limit", "seat_gap_2=1", "--limit", "completion_2=0..1", "--format", "json")
    assert status == 0
    assert "limit met: seat_gap_2" in err
    tables = {table["table"]: table["rows"] for table in json.loads(out)["tables"]}
    assert set(tables) == {
        "metrics", "seats", "corners", "course", "ends", "seats_by_policy", "by_others", "chips", "chips_taken",
        "doubles_worth", "ladder", "rulings", "parts",
    }  # fmt: skip
    for name, rows in tables.items():
        assert all({"low", "high", "games", "seed"} <= set(row) for row in rows), name
    assert sum(row["value"] for row in tables["ends"]) == pytest.approx(1)
    assert {row["metric"] for row in tables["metrics"]} >= {
        "rounds_2", "end_own_2", "reroll_connects_2", "skill_balanced", "skill_rollout"
    }  # fmt: skip
    status, _, err = run(*small, "--limit", "rounds_2=0", "--table", "seats")
    assert status == 1
    assert "limit NOT met: rounds_2" in err


def test_chips_decide_a_game_if_its_winners_differ_without_their_points():
    batch = study("small", 4, "collector", number=80).play("", records=True)
    records = frames.records(batch)
    found = {
        measure.name: measure.find(batch).value
        for measure in fortune.measures(study(), {})
        if "connects" not in measure.name
    }
    decided = 0
    for row in records.to_dict("records"):
        plain = [row[f"points_own_{s}"] + row[f"points_other_{s}"] + row[f"points_last_{s}"] for s in (1, 2, 3, 4)]
        winners = sum(1 << s for s, points in enumerate(plain) if points == max(plain))
        decided += row["unfinished"] == 0 and winners != row["winners"]
    assert found["decides"] == decided / 80
    assert 0 < decided < 80
    taken, kept = (sum(batch.sums[f"{name}_{s}"] for s in (1, 2, 3, 4)) for name in ("taken", "kept"))
    assert (found["taken"], found["kept"]) == pytest.approx((taken / 80, kept / taken))


def told(asked, game):
    """The events of a game by the readable reference."""
    return list(GAME.replay(asked.variant.rules, asked.lineup, SeededDice(asked.seed, game)))


def test_chips_spent_are_those_of_the_readable_games():
    asked = study("small", 2, "collector", number=25)
    played, log = balance.batch(asked, 2), games.logged(asked, 2)
    found = {measure.name: measure.find(played).value for measure in fortune.measures(asked, {2: log})}
    spent, connects = {Cancelled: 0, Extra: 0}, {Cancelled: 0, Extra: 0}
    for game in range(25):
        events = told(asked, game)
        last = events[-1]
        for event in events:
            if type(event) in spent:
                spent[type(event)] += 1
                own = last.end in (OWN, SEVERAL) and (event.turn, event.seat) == (last.turn, last.seat)
                connects[type(event)] += own
    assert min(spent.values()) > 0
    for kind, plural, name in ((Cancelled, "rerolls", "reroll_connects"), (Extra, "extras", "extra_connects")):
        assert found[plural] == pytest.approx(spent[kind] / 25)
        assert found[name] == pytest.approx(connects[kind] / spent[kind])


@pytest.mark.parametrize("players", [2, 4])
def test_early_doubles_are_those_of_the_first_rolls(players):
    # seats also take chips on others' turns, with others' dice
    asked = study("small", players, "collector", number=25)
    played = balance.batch(asked, players)
    log = games.logged(asked, players)
    frame = fortune.early_doubles({players: played}, {players: log}, 25).frame
    numbers, wins = [], []
    for game, record in enumerate(frames.records(played).to_dict("records")):
        first = {}
        for event in told(asked, game):
            if isinstance(event, Rolled) and event.turn < 6:
                first.setdefault((event.turn, event.seat), event.roll)
        if record["rounds"] >= 6:
            for seat in range(players):
                numbers.append(sum(one == two for (_, who), (one, two) in first.items() if who == seat))
                wins.append(record["winners"] == 1 << seat)
    for row in frame.itertuples():
        here = [win for number, win in zip(numbers, wins, strict=True) if str(number) == row.number]
        if row.number == "4 or more":
            assert row.seats == pytest.approx(sum(number >= 4 for number in numbers) / len(numbers))
        else:
            assert row.seats == pytest.approx(len(here) / len(numbers))
            assert np.isnan(row.win_rate) if not here else row.win_rate == pytest.approx(sum(here) / len(here))


@pytest.fixture
def without_checks(monkeypatch):
    known = replace(CHAPTER, checks=lambda study: [Check("two and two", "arithmetic", 4.0, 4.0)])
    monkeypatch.setattr(skeleton, "chapter", lambda name: known)


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_page_of_a_small_variant_builds(players, without_checks):
    asked = study("small", players, number=30)
    sections = list(skeleton.sections(asked))
    claims = settled(sections)
    text = page(asked, sections, claims, "oddsmith report")
    assert len(sections[0].sentences) == 5
    # people read no keys
    said = [report.told(sentence, claims) for section in sections for sentence in section.sentences]
    names = [name for name in rulings(asked.variant.rules) if "_" in name]
    keys = [*names, *(f"'{name}'" for name in GAME.roster), " = ", "(as set)"]
    assert [(key, text) for key in keys for text in said if key in text] == []
    assert text.count("<figcaption>") == text.count("<svg") >= 13
    assert ("Do players out of the race decide it?" in text) == (players == 3)
    assert "nan" not in text.replace("dominant", "")
    assert "Which of this would survive the true board?" in text


def test_a_drawn_position_shows_dice_chain_and_obstacle():
    last = [event for event in told(study("small", 2, "balanced"), 0) if isinstance(event, Standing)][-1].position
    last.obstacle = last.board.edges[0]
    ax = pictures.draw_board(last, traces.connection(last))
    tops = [text.get_text() for text in ax.texts if text.get_fontsize() == 13]
    assert sorted(tops) == sorted(str(last.top(field)) for field in last.dice)
    assert figures.png(lambda: figures.figure_of(ax)).startswith(b"\x89PNG")


def test_compact_tables_put_players_side_by_side():
    table = balance.seats_by_policy({2: [study().play(""), study(policy="random").play("")]})
    frame = compact.across(table, "win_rate", ["policy", "seat"]).frame
    assert frame.columns.tolist() == ["policy", "seat", "2 players"]
    assert frame[["policy", "seat"]].to_numpy().tolist() == [["runner", 1], ["runner", 2], ["random", 1], ["random", 2]]
    assert "±" in frame["2 players"][0]


def test_quick_known_answers_are_met():
    asked = study("standard", number=300)
    found = [*checks.element_checks(asked), checks.scatter_check(asked), *checks.game_checks(asked)]
    assert [check.name for check in found if not check.passed] == []
    assert len(found) == 6
    intervals = [(check.interval, check.got) for check in found if check.standard_error]
    assert all(0 <= interval.low < got < interval.high <= 1 for interval, got in intervals)
    assert len(intervals) == 2


@pytest.mark.slow
def test_all_known_answers_are_met():
    found = list(CHAPTER.checks(study("standard", number=3000)))
    assert [check.name for check in found if not check.passed] == []
    assert len(found) == 15
