"""The page on Tschakka Lakka: what only this game has."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis import compact, frames
from analysis.balance import policies
from analysis.chapter import Page, Picture, Section, Study
from analysis.chapters.tschakka_lakka import balance, odds, pictures, sampled, verdicts
from analysis.chapters.tschakka_lakka.words import NUMBERS, player
from analysis.claims import Sentence
from analysis.estimates import Estimate
from analysis.measures import Column, Measured
from analysis.tables import Table
from analysis.verdicts import amount, give_or_take, listed, minutes, share
from analysis.verdicts import seats as seats_of
from sims.engine.batch import Batch
from sims.engine.variant import other_readings
from sims.tschakka_lakka import board
from sims.tschakka_lakka.card import CARD
from sims.tschakka_lakka.rules import Rules

PLAYERS = 4


def page(study: Study) -> Page:
    """What the page tells."""
    games = odds.solved_games(study)
    made, _ = sampled.decisions(study, PLAYERS, games)
    turn, limits = odds.turn_table(study, made, games, PLAYERS), odds.stop_limits(made)
    # the limits are priced on games that had no part in choosing them
    fresh = sampled.decisions(study, PLAYERS, max(sampled.MIN_GAMES, games // 4), limits, first=games)
    rule = odds.stop_rule(study, limits, odds.as_cheap(made, limits), *fresh)
    thumb = odds.thumb(study)
    batches = balance.batches(study)
    tables = dict(balance.sheet(study, batches).tables)
    best = {batch.players: batch for batch in batches.values() if policies(batch) == sampled.STRONGEST}
    beats = verdicts.skill(tables["skill"], study)
    card = verdicts.card(thumb, study)
    seats = [seats_of(tables["seats"], players, study) for players in balance.SIZES]
    return Page(
        short=(
            stop_advice(study, rule, odds.rule_price(study, limits, *fresh)),
            card,
            *beats[:1],
            tower_sentence(tables["course"]),
            origin_sentence(study),
        ),
        own=(
            temple_section(study, best[PLAYERS]),
            bust_section(study),
            *([] if turn.frame.empty or rule.frame.empty else [stop_section(turn, rule)]),
            thumb_section(thumb, card, verdicts.caution(thumb, study)),
            opening_section(study),
            skill_section(tables, [*beats, *verdicts.luck(tables["luck"].frame)]),
            source_section(tables),
        ),
        length=length_section(study, tables["course"], best),
        readings=reading_section(study, tables["rulings"]),
        seats=Section("", tuple(filter(None, seats)), (), (tables["seats"],)),
    )


def strongest(table: Table) -> pd.DataFrame:
    """The rows of the strongest policy."""
    return table.frame[table.frame["policy"] == sampled.STRONGEST]


def of_strongest(table: Table, *without: str) -> Table:
    """The table with the rows of the strongest policy, and without the columns named."""
    remark = f"Every seat plays {player(sampled.STRONGEST)}. {table.remark}".strip()
    return table.showing(strongest(table).drop(columns=["policy", *without]), remark=remark)


def quantity(course: Table, players: int, name: str) -> Estimate:
    """A quantity of the games of the strongest policy."""
    row = strongest(course).set_index(["players", "quantity"]).loc[(players, name)]
    return Estimate(row["value"], row["low"], row["high"])


# -- the first box ---------------------------------------------------------------------------------------------


def stop_advice(study: Study, rule: Table, price: Measured) -> str:
    """When to stop, and what it costs to look at nothing else."""
    if rule.frame.empty:
        return f"Roll again or stop? The question is open: {odds.no_decisions(study, odds.solved_games(study))}."
    cost = amount(price.estimate, 2)
    return f"Roll again or stop? {stop_sentence(rule)} Going by this alone costs {cost} points per turn."


def stop_sentence(rule: Table) -> str:
    """The rule by dice and points, in words; limits whose costs are not told apart are told together."""
    limits: dict[str, list[int]] = {}
    for row in rule.frame.itertuples():
        if row.stop_from != "never":
            limits.setdefault(row.or_from or row.stop_from, []).append(row.dice)
    if not limits:
        return "Roll as long as you can."
    told = [f"from {points} with {' or '.join(NUMBERS[number] for number in dice)}" for points, dice in limits.items()]
    points, dice = next(iter(limits.items()))
    told[0] = told[0].replace(" with", f" {'point' if points == '1' else 'points'} on with")
    told[0] += " die left" if dice == [1] else " dice left"
    return f"Stop {', '.join(told)}; otherwise roll."


def tower_sentence(course: Table) -> str:
    """How often the majorities change who wins."""
    changed, lost = quantity(course, PLAYERS, "majorities_decide"), quantity(course, PLAYERS, "leader_loses")
    games = f"four-player games of {player(sampled.STRONGEST)}"
    if changed.value == 0:
        return (
            f"Counting the towers changed the winners of none of the {games}; up to {100 * changed.high:.2g} % is open."
        )
    return (
        f"Counting the towers changes the winners of {share(changed)} of {games}, where a tie made or broken counts as a "
        f"change; in {share(lost)} nobody who led before the count wins."
    )


def origin_sentence(study: Study) -> str:
    """What is known of the boxed game's temple, and what is guessed."""
    if study.variant.rules.board != Rules().board:
        return (
            "This temple is not that of the box, where the places of the gems are a reconstruction: what is said here holds "
            "for this one only."
        )
    guessed = "the places of the gems"
    if study.variant.rules.sizes == Rules().sizes:
        guessed += " and the numbers of small, medium and large treasures"
    rules = len({rule for rule, *_ in other_readings(study.variant) if rule != "sizes"})
    return (
        f"Not everything is known of the box: {guessed} are a reconstruction, and {NUMBERS.get(rules, rules)} sentences of its "
        "rulebook can be read in several ways. What other readings change is measured below."
    )


# -- sections --------------------------------------------------------------------------------------------------


def temple_section(study: Study, batch: Batch) -> Section:
    """Where treasures go first, and when gems go."""
    plan = board.load(study.variant.rules.board)
    games = max(sampled.MIN_GAMES, batch.games // 2)
    last = frames.quantile(batch, "rounds", 0.95) or 1
    mean = frames.mean(batch, "rounds").value
    # with a few very long games half of the mean may lie beyond nearly all games
    half = min(max(1, round(mean / 2)), last)
    played = f"{NUMBERS[batch.players]}-player"
    when = f"After round {half}, about half of a {played} game," if mean >= 2 else "After round 1,"
    treasures, gems = sampled.emptied(study, batch.lineup, games, last)
    shares = [f"{100 * np.mean([treasures[board.number(at), half] for at in plan.chambers]):.0f} % of the treasures"]
    for kind in board.GEM_KINDS:
        places = [board.number((gem.row, gem.column)) for gem in plan.gems if gem.kind == kind]
        if places:
            shares.append(f"{100 * gems[places, half].mean():.0f} % of the {kind} gems")
    by = f"{games:,} {played} games of {player(policies(batch))}"
    return Section(
        "Where treasures go first",
        (f"{when} {listed(shares)} are gone. {spot(plan, treasures[:, half])}".strip(),),
        (
            Picture(
                f"Share of games, in percent, in which a treasure (square) or a gem (diamond) is gone after round {half}; {by}.",
                partial(pictures.temple, plan, treasures[:, half], gems[:, half]),
            ),
            Picture(
                "What is still in the temple after each round; games that are over count with what they left.",
                partial(pictures.emptying, plan, treasures, gems),
            ),
        ),
    )


def spot(plan: board.Board, gone: Any) -> str:
    """How the middle of the temple and its edge are emptied, from shares by square."""
    if len(plan.rings) < 2:
        return ""
    inner, outer = (100 * np.mean([gone[board.number(at)] for at in plan.rings[end]]) for end in (0, -1))
    return f"Gone by then: {inner:.0f} % of the innermost treasures and {outer:.0f} % of the outermost."


def bust_section(study: Study) -> Section:
    """The closed forms."""
    bust, release, limit = odds.bust(study), odds.release(study), study.variant.rules.skull_limit
    said = f"A roll is a bust if no die can be placed{f'; and {odds.skulls_end(limit)}' if limit else ''}."
    aside = ", with no skull set aside before it" if limit else ""
    return Section(
        "How likely is a bust?",
        (said, *verdicts.busts(bust.frame)),
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
    columns = (Column(str(name), kind="share", digits=1) for name in frame.columns[1:])
    remark = "Otherwise the player rolls on, placing dice only there, until it is released or no die fits."
    return release.showing(frame, *columns, remark=remark)


def stop_section(turn: Table, rule: Table) -> Section:
    """Stop or roll."""
    return Section(
        "Roll again or stop?",
        (
            "Each cell gathers positions that best play meets. Rolling is right where it brings more than it risks, everything "
            "counted: the chance to bust, what can still be released, the gems that come along. A percentage means that it "
            "depends on the colours and treasures in reach.",
            *against_rule(turn, rule),
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


def against_rule(turn: Table, rule: Table) -> list[str]:
    """The rows whose gain contradicts the rule, which looks at dice and points alone: numbers, no verdict."""
    stops = {
        row.dice: odds.NEVER if row.stop_from == "never" else int(row.stop_from) for row in rule.frame.itertuples()
    }
    told = []
    for row in turn.frame.itertuples():
        stop = int(row.stake.split()[0]) >= stops.get(row.dice, odds.NEVER)
        if row.low > 0 if stop else row.high < 0:
            gain = give_or_take(Estimate(row.gain, row.low, row.high), 2, sign="+")
            told.append(f"{row.dice} {'die' if row.dice == 1 else 'dice'} and {row.stake} points at stake ({gain})")
    return [f"The gains of rolling that contradict the rule of the first box: {listed(told)}."] if told else []


def thumb_section(thumb: Table, *claims: Sentence) -> Section:
    """The card to cut out, and what each policy makes of a turn."""
    rows = thumb.frame.set_index("policy")
    card, best = rows.loc["card"], rows.loc[sampled.EXACT]
    collects = amount(Estimate(card.points, card.points_low, card.points_high), 2)
    said = (
        "All policies play the same turns with the same dice. The card holds five lines found by search among rules that one can "
        f"apply at the table; it collects {collects} points per turn and busts in {100 * card.bust:.0f} % of its turns."
    )
    price = f"{card.points:.2f} points per turn; best play has {best.points:.2f}"
    caption = "The card, to print and cut out: where the raccoon goes, what to pay for, when to stop."
    drawn = (
        Picture(caption, partial(pictures.playing_card, "Tschakka Lakka in five lines", CARD, price)),
        Picture("Points per turn by policy, with 95 % intervals.", partial(pictures.policy_chart, thumb.frame)),
    )
    shown = thumb.showing(thumb.frame.drop(columns="idea"))
    return Section("What is a rule of thumb worth?", (said, *claims), drawn, (shown,))


def opening_section(study: Study) -> Section:
    """Where to begin."""
    opening = odds.opening(study)
    caption = "Expected points of the first turn under best play, by the treasures beside the entrance."
    drawn = Picture(caption, partial(pictures.opening_chart, opening.frame))
    return Section("Where to begin?", (opening_sentence(opening),), (drawn,), (opening,))


def opening_sentence(opening: Table) -> str:
    """What a choice among the entrances is worth: numbers, no verdict."""
    chosen, taken = (amount(Estimate(row.value, row.low, row.high), 2) for row in opening.frame.iloc[:2].itertuples())
    return (
        f"The first turn is worth {chosen} points from the entrance that best play chooses, and {taken} from an entrance taken "
        "blindly. What lies beside an entrance makes the difference; the picture and the table list the cases."
    )


def skill_section(tables: dict[str, Table], sentences: list[Sentence]) -> Section:
    """Luck and skill."""
    told = tables["luck"].frame.dropna(subset="who_plays")
    caption = (
        f"How often {player(sampled.STRONGEST)} wins while all others play the policy named; dashed: a fair share."
    )
    drawn = [Picture(caption, partial(pictures.skill_chart, tables["skill"].frame))]
    if not told.empty:
        caption = "Two-player games, every pair of players on the same dice: what the result depends on."
        drawn.append(Picture(caption, partial(pictures.luck_chart, told)))
        rest = "The rest is the dice and the temple: what they do for whoever sits there, and what only some can use."
        sentences = [*sentences, rest]
    duels = (
        table.showing(table.frame.drop(columns=["policy", "fair", "margin"]))
        for table in (tables["skill"], tables["exact_turn"])
    )
    return Section("Luck or skill?", tuple(sentences), tuple(drawn), (*duels, tables["luck"]))


def source_section(tables: dict[str, Table]) -> Section:
    """Where points come from, and what goes with winning."""
    sources, most = of_strongest(tables["sources"]), of_strongest(tables["most"], "mean", "spread")
    drawn = Picture("Points of a seat by source.", partial(pictures.source_chart, sources.frame))
    wide = compact.across(most, "win_rate", ["most_of"], ["happens"])
    return Section("Where do the points come from?", (source_sentence(sources.frame),), (drawn,), (sources, wide))


def source_sentence(sources: pd.DataFrame) -> str:
    """Where the points of four-player games come from."""
    shares = sources[sources["players"] == PLAYERS].set_index("source")["share"]
    if shares.isna().any():
        return "Nobody collects a point."
    towers = float(shares["majorities"])
    gems = float(shares[[f"{kind} gems" for kind in board.GEM_KINDS if f"{kind} gems" in shares]].sum())
    return (
        f"Of a seat's points in four-player games of {player(sampled.STRONGEST)}, {100 * (1 - towers - gems):.0f} % come from "
        f"treasures, {100 * towers:.0f} % from majorities and {100 * gems:.0f} % from gems."
    )


def length_section(study: Study, course: Table, best: dict[int, Batch]) -> Section:
    """How long a game takes, and what happens in it."""
    drawn = {players: frames.distribution(batch, "rounds") for players, batch in best.items()}
    picture = Picture("How many rounds games last.", partial(pictures.length_chart, drawn))
    said = (length_sentence(study, course), *minutes(strongest(course)))
    return Section("", said, (picture,), (compact.quantities(of_strongest(course)),))


def length_sentence(study: Study, course: Table) -> str:
    """How long games are, and how many are cut off."""
    rounds = [amount(quantity(course, players, "rounds")) for players in balance.SIZES]
    lengths = listed([f"{told} with {NUMBERS[players]}" for players, told in zip(balance.SIZES, rounds, strict=True)])
    said = f"Rounds in a game of {player(sampled.STRONGEST)}, on average: {lengths} players."
    cut = 1 - min(quantity(course, players, "completion").value for players in balance.SIZES)
    if cut:
        limit = study.variant.rules.max_turns
        said += f" Up to {100 * cut:.1f} % of the games are cut off after {limit:,} turns and have no winner."
    return said


def reading_section(study: Study, readings: Table) -> Section:
    """What the ambiguous rules change."""
    asked, shown = verdicts.reading(readings, PLAYERS, study), of_strongest(readings)
    changed = shown.frame[shown.frame["rule"] != "(as set)"]
    plain = ["rule", "reading", "other_winners", "redealt", "points", "busts", "majorities_decide"]
    wide = compact.across(shown, "change_in_rounds", plain, ["rounds"])
    caption = f"Change of the mean number of rounds in four-player games of {player(sampled.STRONGEST)}, same dice."
    drawn = Picture(caption, partial(pictures.reading_chart, changed))
    return Section("", (asked,) if asked else (), (drawn,), (wide,))
