"""The report on Tschakka Lakka: the answers first, then tables and pictures."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis import frames
from analysis.balance import policies
from analysis.catalogue import checks_table, readings_table
from analysis.chapter import Picture, Section, Study
from analysis.chapters.tschakka_lakka import balance, odds, pictures, sampled
from analysis.chapters.tschakka_lakka.answers import checks
from analysis.claims import UNCLEAR, Compared, Question, Units
from analysis.tables import Table
from analysis.verdicts import amount, farthest_change, listed, share
from analysis.verdicts import seats as seats_of
from sims.engine.batch import Batch
from sims.engine.variant import other_readings
from sims.tschakka_lakka import board
from sims.tschakka_lakka.card import CARD
from sims.tschakka_lakka.rules import Rules

PLAYERS = 4
#: Columns of the readings on the page, in this order.
SHOWN = ["rule", "reading", "rounds", "change_in_rounds", "low", "high", "points", "busts", "majorities_decide"]
SHOWN += ["other_winners", "games", "seed"]
WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
#: What people call a reading; the key stands beside it in the tables.
READINGS = {
    ("gem_needs", "all"): "Asking for all four chambers around a gem",
    ("gem_needs", "any"): "Letting one emptied chamber free a gem",
    ("tower", "height"): "Measuring towers by height",
    ("tower", "count"): "Counting the treasures of a tower",
    ("layout", "pairs"): "Allowing at most two of a colour together",
    ("layout", "no_line"): "Forbidding three of a colour in a line",
    ("layout", "free"): "Dealing the treasures freely",
    ("skull_limit", "0"): "Setting no limit on skulls",
    ("skull_limit", "3"): "Ending a turn at the third skull",
    ("skull_limit", "4"): "Ending a turn at the fourth skull",
    ("sizes", "5/5/5"): "Using five treasures of each size and colour",
    ("sizes", "6/5/4"): "Using six small, five medium and four large treasures of each colour",
    ("sizes", "7/5/3"): "Using seven small, five medium and three large treasures of each colour",
}


def sections(study: Study) -> Iterator[Section]:
    """All sections of the page, in order."""
    games = odds.solved_games(study)
    made, _ = sampled.decisions(study, PLAYERS, games)
    turn, limits = odds.turn_table(study, made, games, PLAYERS), odds.stop_limits(made)
    by_rule = sampled.decisions(study, PLAYERS, max(sampled.MIN_GAMES, games // 4), limits)
    rule = odds.stop_rule(study, limits, *by_rule)
    thumb = odds.thumb(study)
    batches = balance.whole_games(study)
    tables = dict(balance.sheet_of(study, batches).tables)
    best = {batch.players: batch for batch in batches.values() if policies(batch) == sampled.STRONGEST}

    reading = reading_question(tables["rulings"], study.seed)

    yield in_short(study, rule, thumb, tables, reading)
    yield temple_section(study, best[PLAYERS])
    yield bust_section(study)
    if not turn.frame.empty and not rule.frame.empty:
        yield stop_section(turn, rule)
    yield thumb_section(thumb)
    yield opening_section(study)
    yield skill_section(tables)
    yield course_section(tables, best)
    yield reading_section(study, tables["rulings"], reading)
    yield seat_section(tables["seats"], study.seed)
    yield trust_section(study)


def strongest(table: Table) -> pd.DataFrame:
    """The rows of the strongest policy."""
    return table.frame[table.frame["policy"] == sampled.STRONGEST] if "policy" in table.frame else table.frame


def of_strongest(table: Table) -> Table:
    """The table with the rows of the strongest policy only."""
    frame = strongest(table)
    note = table.note.replace("games by row", f"{frame['games'].max():,} games")
    return replace(
        table,
        frame=frame.drop(columns="policy", errors="ignore"),
        note=f"{note} All seats play '{sampled.STRONGEST}'.",
    )


def in_short(study: Study, rule: Table, thumb: Table, tables: dict[str, Table], reading: Question | None) -> Section:
    """The answers: claims, and numbers without a verdict."""
    sentences = (
        stop_advice(study, rule),
        caution(thumb, study.seed),
        f"Five lines to remember, the card below, lose {card_row(thumb).loss:.2f} points per turn to best play.",
        *skill_claims(tables["skill"], study.seed),
        tower_sentence(tables),
        reading,
        origin_sentence(study),
    )
    return Section("In short", tuple(filter(None, sentences)))


def stop_advice(study: Study, rule: Table) -> str:
    """When to stop, and what it costs to look at nothing else."""
    if rule.frame.empty:
        why = odds.no_decisions(study, odds.solved_games(study))
        return f"Roll again or stop? There is nothing to tell: {why}."
    return (
        f"Roll again or stop? {stop_sentence(rule)} Gems and the colours in reach can change the answer: a player who "
        f"decides by this alone and places their dice as the exact turn does loses {rule.frame['costs'].sum():.2f} points "
        "per turn, measured on games that had no part in choosing the limits."
    )


def caution(thumb: Table, seed: int) -> Question:
    """Whether stopping at the first treasure loses points to best play."""
    exact, shy = thumb.frame.iloc[0], thumb.frame.set_index("policy").loc["timid"]
    said = (
        f"Best play collects {exact.points:.2f} points per turn and busts in {100 * exact.bust:.0f} % of its turns. A player "
        f"who stops at the first treasure busts in {100 * shy.bust:.0f} % and collects {shy.points:.2f}"
    )
    open_ = f"{said}; whether such caution costs points is open."
    return Compared(
        name="caution",
        family="turns",
        seed=seed,
        units=Units(thumb.evidence["loss", "timid"], thumb.evidence["turns",]),
        sentences={
            "above": lambda found: f"{said}: caution costs {amount(found, 2)} points per turn.",
            # no policy beats the exact turn: a verdict this way would be an error of the solver
            "below": lambda _: open_,
            UNCLEAR: lambda _: open_,
        },
    )


def skill_claims(skill: Table, seed: int) -> list[Question]:
    """Whether the strongest policy wins more than its share of two-player games against the card and a cautious player."""
    named = {"card": "the card", "timid": "a player who stops at the first treasure"}
    return [skill_claim(skill, rival, who, seed) for rival, who in named.items() if (2, rival) in skill.evidence]


def skill_claim(skill: Table, rival: str, who: str, seed: int) -> Question:
    """Whether the strongest policy wins more than half of its games against one other."""
    players = f"'{sampled.STRONGEST}', which plays the exact turn and counts the towers too,"
    return Compared(
        name=f"{sampled.STRONGEST} against {rival}",
        family="policies",
        seed=seed,
        units=Units(skill.evidence[2, rival], between=(0.0, 1.0)),
        null=1 / 2,
        sentences={
            "above": lambda found: (
                f"In two-player games {players} beats {who}: it wins {share(found)}, shared wins counted half."
            ),
            "below": lambda found: f"In two-player games {players} loses to {who}: it wins {share(found)}.",
            UNCLEAR: lambda found: (
                f"In two-player games {players} and {who} are too close to call: it wins {share(found)}."
            ),
        },
    )


def tower_sentence(tables: dict[str, Table]) -> str:
    """How often the majorities change who wins."""
    changed, lost = quantity(tables, PLAYERS, "majorities_decide"), quantity(tables, PLAYERS, "leader_loses")
    if changed == 0:
        return "In these four-player games the towers change no winner."
    return (
        f"Counting the towers changes the winners of {100 * changed:.0f} % of four-player games, where a tie made or broken "
        f"counts as a change; in {100 * lost:.0f} % nobody who led before the count wins."
    )


def quantity(tables: dict[str, Table], players: int, name: str) -> float:
    """A quantity of the games of the strongest policy."""
    return float(strongest(tables["course"]).set_index(["players", "quantity"])["value"][players, name])


def reading_question(readings: Table, seed: int) -> Question | None:
    """Which ambiguous rule matters most to the length of four-player games."""
    policy = sampled.STRONGEST if "policy" in readings.frame else None
    return farthest_change(readings, PLAYERS, seed, "reading and length", READINGS, policy)


def origin_sentence(study: Study) -> str:
    """What is known of the boxed game's temple, and what is guessed."""
    if study.variant.rules.board != Rules().board:
        return (
            "This temple is not that of the box, where the places of the gems are a reconstruction: what is said here holds "
            "for this one only."
        )
    said = "The places of the gems are a reconstruction, the only regular one that fits the rulebook"
    measured = {reading for name, reading, _ in other_readings(study.variant) if name == "sizes"}
    if study.variant.rules.sizes == Rules().sizes:
        said += (
            ", and so are the numbers of small, medium and large treasures, of which "
            f"{WORDS[len(measured)]} others are measured below; the owner of a box can correct both"
        )
    return f"{said}."


def stop_sentence(rule: Table) -> str:
    """The best rule by dice and points, in words."""
    limits = [(row.dice, row.stop_from) for row in rule.frame.itertuples() if row.stop_from != "never"]
    said = [f"with {WORDS.get(dice, dice)} at {points}" for dice, points in limits]
    if not said:
        return "Always roll."
    first, *rest = said
    unit = "point" if limits[0][1] == "1" else "points"
    first = first.replace(" at ", " die left at " if limits[0][0] == 1 else " dice left at ") + f" {unit} or more"
    return f"Stop {', '.join([first, *rest])}; otherwise roll."


def changed_rounds(readings: Table) -> pd.DataFrame:
    """The other readings, with what they change in the length of a game of the strongest policy."""
    rows = strongest(readings)
    return rows[rows["rule"] != "(as set)"]


def temple_section(study: Study, batch: Batch) -> Section:
    """Where treasures go first, and when gems go."""
    plan = board.load(study.variant.rules.board)
    games = max(sampled.MIN_GAMES, batch.games // 2)
    last = frames.quantile(batch, "rounds", 0.95) or 1
    mean = frames.mean(batch, "rounds").value
    # with a few very long games half of the mean may lie beyond nearly all games
    half = min(max(1, round(mean / 2)), last)
    when = f"After round {half}, about half of a {WORDS[batch.players]}-player game," if mean >= 2 else "After round 1,"
    treasures, gems = sampled.emptied(study, batch.lineup, games, last)
    gone = {
        kind: np.mean([gems[board.number((gem.row, gem.column)), half] for gem in plan.gems if gem.kind == kind])
        for kind in board.GEM_KINDS
        if any(gem.kind == kind for gem in plan.gems)
    }
    treasures_gone = np.mean([treasures[board.number(at), half] for at in plan.chambers])
    shares = [f"{100 * treasures_gone:.0f} % of the treasures"]
    shares += [f"{100 * gems_gone:.0f} % of the {kind} gems" for kind, gems_gone in gone.items()]
    return Section(
        "Where treasures go first",
        (f"{when} {listed(shares)} are gone. {spot(plan, treasures[:, half])}".strip(),),
        (
            Picture(
                f"Share of games, in percent, in which a treasure (square) or a gem (diamond) is gone after round {half}; "
                f"{batch.players} players, all '{policies(batch)}', {games:,} games.",
                partial(pictures.temple, plan, treasures[:, half], gems[:, half]),
            ),
            Picture(
                "What is still in the temple after each round; games that are over count with what they left.",
                partial(pictures.emptying, plan, treasures, gems),
            ),
        ),
    )


def spot(plan: board.Board, gone: Any) -> str:
    """Whether the middle of the temple is emptied before its edge, by ring around the centre."""
    middle = np.mean(plan.chambers, axis=0)
    rings: dict[float, list[float]] = {}
    for at in plan.chambers:
        ring = float(np.max(np.abs(np.array(at) - middle)))
        rings.setdefault(ring, []).append(gone[board.number(at)])
    if len(rings) < 2:
        return ""
    shares = {ring: float(np.mean(found)) for ring, found in rings.items()}
    inner, outer = shares[min(shares)], shares[max(shares)]
    return f"Gone by then: {100 * inner:.0f} % of the innermost treasures and {100 * outer:.0f} % of the outermost."


def bust_section(study: Study) -> Section:
    """The closed forms."""
    bust, release, limit = odds.bust(study), odds.release(study), study.variant.rules.skull_limit
    said = "A roll is a bust if no die can be placed. "
    if limit:
        said += f"And {odds.skulls_end(limit)}. What helps is colours in reach; a further die helps, but may show a skull too."
    else:
        said += "What helps is colours in reach, and every die helps: the chance is a product over the dice."
    aside = ", with no skull set aside before it" if limit else ""
    return Section(
        "How likely is a bust?",
        (said,),
        (
            Picture(f"Chance that a roll is a bust{aside}.", partial(pictures.bust_map, bust.frame)),
            Picture(
                "Chance to release a treasure if all effort goes to it alone.",
                partial(pictures.release_chart, release.frame),
            ),
        ),
        (release_by_dice(release),),
    )


def release_by_dice(release: Table) -> Table:
    """The table with a row for each number of dice."""
    frame = pd.DataFrame({"dice": sorted(set(release.frame["dice"]))})
    for treasure, rows in release.frame.groupby("treasure", sort=False):
        if rows["needs"].iloc[0] > 1:
            frame[f"{treasure}, one roll"] = rows["one_roll"].to_numpy()
        frame[str(treasure)] = rows["several_rolls"].to_numpy()
    return replace(release, frame=frame, percent=tuple(frame.columns[1:]))


def stop_section(turn: Table, rule: Table) -> Section:
    """Stop or roll."""
    return Section(
        "Roll again or stop?",
        (
            "Each cell gathers positions that best play meets. Rolling is right where it brings more than it risks, everything "
            "counted: the chance to bust, what can still be released, the gems that come along. A percentage means that it "
            "depends on the colours and treasures in reach.",
        ),
        (
            Picture(
                "Colour: expected points that rolling gains over stopping. In the cells: in how many of the positions rolling is "
                "right.",
                partial(pictures.stop_or_roll, turn.frame),
            ),
        ),
        (rule, turn),
    )


def thumb_section(thumb: Table) -> Section:
    """What each policy makes of a turn, and the card."""
    priced = card_row(thumb)
    price = f"{priced.points:.2f} points per turn; best play has {thumb.frame['points'].iloc[0]:.2f}"
    return Section(
        "What is a rule of thumb worth?",
        (
            "All policies play the same turns with the same dice. The card holds five lines found by search among rules that "
            f"one can apply at the table; it collects {priced.points:.2f} points per turn, where best play has "
            f"{thumb.frame['points'].iloc[0]:.2f}, and busts in {100 * priced.bust:.0f} % of its turns.",
        ),
        (
            Picture(
                "The card, to print and cut out: where the raccoon goes, what to pay for, when to stop.",
                partial(pictures.playing_card, "Tschakka Lakka in five lines", CARD, price),
            ),
            Picture("Points per turn by policy, with 95 % intervals.", partial(pictures.policy_chart, thumb.frame)),
        ),
        (replace(thumb, frame=thumb.frame.drop(columns=["points_low", "points_high"])),),
    )


def card_row(thumb: Table) -> Any:
    """What the card makes of a turn."""
    names = thumb.frame["policy"].str.split(":").str[0]
    return next(thumb.frame[names == "card"].itertuples())


def opening_section(study: Study) -> Section:
    """Where to begin."""
    opening = odds.opening(study)
    return Section(
        "Where to begin?",
        (opening_sentence(opening),),
        (
            Picture(
                "Expected points of the first turn under best play, by the treasures beside the entrance.",
                partial(pictures.opening_chart, opening.frame),
            ),
        ),
        (opening,),
    )


def opening_sentence(opening: Table) -> str:
    """What a choice among the entrances is worth: numbers, no verdict."""
    chosen, taken = opening.frame["value"].iloc[:2]
    return (
        f"The first turn is worth {chosen:.2f} points from the entrance that the exact turn chooses, and {taken:.2f} from an "
        "entrance taken blindly. What lies beside an entrance makes the difference; the picture and the table list the cases."
    )


def skill_section(tables: dict[str, Table]) -> Section:
    """Luck and skill."""
    told = tables["luck"].frame.dropna(subset="who_plays")
    luck = told.set_index(["field", "result"])["who_plays"].to_dict()
    sentences, pictures_shown = (
        [],
        [
            Picture(
                "How often one seat with the strongest policy wins against others that all play the same weaker one; dashed: a "
                "fair share.",
                partial(pictures.skill_chart, tables["skill"].frame),
            )
        ],
    )
    if ("any", "win") in luck and ("sensible", "win") in luck:
        sentences.append(
            f"Among players of any strength, who plays explains {100 * luck['any', 'win']:.0f} % of the variance of winning; "
            f"among sensible ones {100 * luck['sensible', 'win']:.0f} %. The rest is the dice and the temple; part of that "
            "helps whoever sits there, part only those who know how to use it."
        )
    if not told.empty:
        pictures_shown.append(
            Picture(
                "Two-player games, every pair of players on the same dice: what the result depends on.",
                partial(pictures.luck_chart, told),
            )
        )
    return Section(
        "Luck or skill?",
        tuple(sentences),
        tuple(pictures_shown),
        (tables["skill"], tables["exact_turn"], tables["luck"]),
    )


def course_section(tables: dict[str, Table], best: dict[int, Batch]) -> Section:
    """Points, length, tension."""
    return Section(
        "The course of a game",
        tuple(filter(None, (source_sentence(tables), length_sentence(tables)))),
        (
            Picture("Points of a seat by source.", partial(pictures.source_chart, strongest(tables["sources"]))),
            Picture(
                "How long games last.",
                partial(
                    pictures.length_chart,
                    {players: frames.distribution(batch, "rounds") for players, batch in best.items()},
                ),
            ),
        ),
        tuple(of_strongest(tables[name]) for name in ("sources", "course", "most")),
    )


def source_sentence(tables: dict[str, Table]) -> str:
    """Where the points of four-player games come from."""
    frame = strongest(tables["sources"])
    shares = frame[frame["players"] == PLAYERS].set_index("source")["share"]
    if shares.isna().any():
        return "Nobody collects a point."
    towers = float(shares["majorities"])
    gems = float(shares[[f"{kind} gems" for kind in board.GEM_KINDS if f"{kind} gems" in shares]].sum())
    return (
        f"Of a seat's points in a four-player game {100 * (1 - towers - gems):.0f} % come from treasures, {100 * towers:.0f} % "
        f"from majorities and {100 * gems:.0f} % from gems."
    )


def length_sentence(tables: dict[str, Table]) -> str:
    """How long games are, and how many are cut off."""
    two, three, four = (quantity(tables, players, "rounds") for players in balance.PLAYERS)
    said = f"A two-player game takes {two:.1f} rounds, a three-player game {three:.1f}, a four-player game {four:.1f}."
    unfinished = max(quantity(tables, players, "unfinished") for players in balance.PLAYERS)
    if unfinished:
        said += f" Up to {100 * unfinished:.1f} % of the games are cut off by max_turns and have no winner."
    return said


def reading_section(study: Study, readings: Table, reading: Question | None) -> Section:
    """What the ambiguous rules change."""
    shown, rounds = of_strongest(readings), changed_rounds(readings)
    return Section(
        "Do the ambiguous rules matter?",
        (reading,) if reading else (),
        (
            Picture(
                f"Change of the mean number of rounds, {PLAYERS} players, same dice.",
                partial(pictures.reading_chart, rounds),
            ),
        ),
        (readings_table(study.variant), replace(shown, frame=shown.frame[SHOWN])),
    )


def seat_section(seats: Table, seed: int) -> Section:
    """Whether the seat matters, for each number of players and over the policies that played."""
    asked = [seats_of(seats, players, seed) for players in balance.PLAYERS]
    return Section("Does the seat matter?", tuple(filter(None, asked)), (), (seats,))


def trust_section(study: Study) -> Section:
    """The known answers."""
    found = [(study.game.name, check) for check in checks(study)]
    passed = sum(check.passed for _, check in found)
    return Section(
        "Can these numbers be trusted?",
        (
            f"{passed} of {len(found)} known answers are met: exact values found by two methods agree to nine digits, simulated "
            "ones lie within four standard errors of the exact ones.",
        ),
        (),
        (checks_table(found, study.seed),),
    )
