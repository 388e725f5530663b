"""The page on Kazaam Dice: what only this game has, the board first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import compact, frames
from analysis.balance import called
from analysis.chapter import Page, Picture, Section, Study
from analysis.chapters.kazaam_dice import balance, odds, pictures, verdicts
from analysis.chapters.kazaam_dice.balance import Played
from analysis.chapters.kazaam_dice.games import kept_games, players_called
from analysis.claims import Combined, Sentence
from analysis.compare import lineup
from analysis.estimates import Estimate
from analysis.tables import Table
from analysis.verdicts import (
    WORDS,
    between,
    by_players,
    give_or_take,
    in_short,
    ladder,
    listed,
    minutes,
    percent,
    share,
)
from analysis.verdicts import seats as seats_of
from sims.engine.dice import SeededDice
from sims.engine.text import counted
from sims.kazaam_dice import changed, traces
from sims.kazaam_dice.reference import Standing
from sims.kazaam_dice.rules import OTHER
from sims.kazaam_dice.state import State

#: Dice missing, and turns, whose chance the text tells.
FAR = 3
#: The distance at which one step connects.
NEAR = 1

Tables = Mapping[str, Table]


def page(study: Study) -> Page:
    """What the page tells."""
    played = balance.play(study)
    tables = {name: table for name, table in balance.sheet(study, played).tables.items() if len(table.frame)}
    use, board = odds.use(study), study.variant.rules.load_board()
    asked = [found for players in played.batches if (found := seats_of(tables["seats_by_policy"], players, study))]
    steps = [ladder(tables["ladder"], study)] if "ladder" in tables else []
    extremes = [asked[0], asked[-1]] if len(asked) > 1 else asked
    short: list[Sentence | str] = [
        lengths(tables["course"], study),
        *([in_short("seats in short", extremes)] if len(extremes) > 1 else extremes),
        *steps,
        last_die(use),
        reach(tables),
    ]
    own = [
        board_section(study, played),
        map_section(study, played),
        course_section(tables),
        roll_section(use, odds.finish(study), len(board.fields)),
        double_section(study, odds.doubles(study), tables.get("doubles_worth")),
        *([element_section(study)] if board.fire or board.water else []),
        chip_section(study, tables),
        *([ladder_section(study, tables["ladder"], steps)] if steps else []),
        others_section(study, tables),
        part_section(study, tables["parts"]),
        connect_section(odds.connect(study), study.variant.rules.supply),
    ]
    return Page(
        short=tuple(told for told in short if told),
        own=tuple(own),
        length=length_section(study, tables, played),
        readings=effect_section(study, tables["rulings"], "reading"),
        seats=seat_section(study, tables, asked),
    )


# -- the first box ---------------------------------------------------------------------------------------------


def lengths(course: Table, study: Study) -> str:
    """Mean rounds by number of players."""
    means = {}
    for row in course.frame[course.frame["quantity"] == "rounds"].itertuples():
        found = Estimate(row.value, row.low, row.high)
        means[row.players] = give_or_take(found, 1 if found.half_width >= 0.05 else 2)
    return f"Rounds in a game, on average: {by_players(means)}, played by {players_called(study, min(means))}."


def last_die(use: Table) -> str:
    """How many rolls offer the last step."""
    near = use.frame[use.frame["distance"] == NEAR]
    if not len(near):
        return ""
    row = near.iloc[0]
    found = Estimate(row["useful"], row["low"], row["high"])
    return f"With one die missing, {share(found)} of the rolls offer the step that connects you."


def reach(tables: Tables) -> str:
    """What other readings and other parts make of the length of a game: numbers, no verdict."""
    players = min(tables["parts"].frame["players"])
    measured = [tables[name].frame for name in ("rulings", "parts")]
    readings, parts = (span(frame.loc[frame["players"] == players, "rounds"]) for frame in measured)
    return (
        f"Over all readings of the ambiguous rules, {WORDS[players]}-player games take {readings} rounds on average; "
        f"over {len(set(tables['parts'].frame['reading'])) - 1} other choices of the reconstructed parts {parts}."
    )


def span(rounds: "pd.Series[float]") -> str:
    """The smallest and the largest of several lengths."""
    return between(f"{rounds.min():.0f}", f"{rounds.max():.0f}")


# -- board and maps --------------------------------------------------------------------------------------------


def board_section(study: Study, played: Played) -> Section:
    """The board at the start, half-way and at the end of a typical game."""
    players = min(played.batches)
    turns = changed.is_symmetric(study.variant.rules.load_board())
    symmetry = "; a quarter turn maps the board onto itself, each alchemist onto the next" if turns else ""
    number, positions = example(study, frames.records(played.batches[players]), players)
    told = (
        "Chains of dice run from an alchemist's corner (A) to the target (T) of the same colour, over any fields. Where "
        f"everything lies is reconstructed{symmetry}."
    )
    drawn = [Picture("The board before the first move.", partial(pictures.start, positions[0]))]
    if number >= 0:
        told += f" Game {number} of seed {study.seed}, {len(positions) - 1} uses long, is a typical one."
        caption = "A typical game half-way, and at its end with the chain that decided it."
        drawn.append(Picture(caption, partial(pictures.game, positions)))
    return Section("The board", (told,), tuple(drawn))


def example(study: Study, records: pd.DataFrame, players: int) -> tuple[int, list[State]]:
    """A game that somebody's connection ends, of typical length: its number, and its positions after each use.

    The first of the games whose number of turns is the median of such games; -1 and the start if there is none.
    """
    rules = study.variant.rules
    connected, start = records[records["end"] <= OTHER], State.start(rules, players)
    if not len(connected):
        return -1, [start]
    typical = int(connected["turns"].quantile(0.5, interpolation="lower"))
    number = int((connected["turns"] == typical).idxmax())
    told = study.game.replay(rules, lineup(study, players), SeededDice(study.seed, number))
    return number, [start, *(event.position for event in told if isinstance(event, Standing))]


def map_section(study: Study, played: Played) -> Section:
    """Where dice are placed, where chains run, which chips are taken."""
    rules, games = study.variant.rules, kept_games(study)
    board, shown = rules.load_board(), sorted({min(played.logs), max(played.logs)})
    first = board.seats(shown[0])[0]
    placed, chains, taken = [], [], []
    for players in shown:
        log = {name: column.to_numpy() for name, column in played.logs[players].items()}
        title, state = f"{players} players", State.start(rules, players)
        connects = (frames.records(played.batches[players])["end"] <= OTHER).to_numpy()[:games]
        placed.append((title, traces.placed(log, board, games)))
        on_chain, number = traces.chain_share(log, rules, state.alchemists[0], connects)
        if number:
            chains.append((f"{title}, {number:,} chains", 100 * on_chain))
        if state.chips:
            taken.append((title, 100 * traces.taken(log, board, state.chips, games)))
    told = f"Where dice come to lie in {games:,} games each, played by {players_called(study, shown[0])}. "
    if chains:
        edge = [len(board.neighbours[field]) < 4 for field in board.fields]
        title, values = chains[0]
        rim = percent(float(values[edge].sum() / values.sum()))
        told += f"{rim} of the dice of the chains that connect alchemist {first} ({title}) lie on the rim."
    else:
        told += f"No game connects alchemist {first}."

    def picture(caption: str, values: list[tuple[str, NDArray[np.float64]]], label: str, write: str) -> list[Picture]:
        return [Picture(caption, partial(pictures.maps_of, board, values, label, write))] if values else []

    of_chains = f"Fields on a shortest chain of alchemist {first}, in percent of the games that connect this alchemist."
    maps = (
        *picture("Dice placed on each field in a game.", placed, "dice in a game", "{:.2f}"),
        *picture(of_chains, chains, "% of chains", "{:.0f}"),
        *picture("How often each chip is taken, in percent of games.", taken, "% of games", "{:.0f}"),
    )
    return Section("Where it happens", (told,), maps)


# -- the course of a game --------------------------------------------------------------------------------------


def course_section(tables: Tables) -> Section:
    """How games go and end."""
    frame = tables["ends"].frame
    last = frame[frame["quantity"] == "end_last_die"]["value"]
    unfinished = frame[frame["quantity"].isin(["end_passes", "end_turns"])].groupby("players")["value"].sum().max()
    ran_out = f"{between(percent(last.min(), 1), percent(last.max(), 1))} of the games end because the dice run out"
    if not last.max():
        ran_out = "No game runs out of dice"
    rest = f"up to {percent(unfinished, 2)} stay unfinished" if unfinished else "all are finished"
    shown = (compact.quantities(tables["course"]), compact.quantities(tables["ends"]))
    return Section(
        "How does a game go?",
        (f"{ran_out}, and {rest}.",),
        (Picture("How games end.", partial(pictures.ends, frame)),),
        shown,
    )


def length_section(study: Study, tables: Tables, played: Played) -> Section:
    """How long a game takes."""
    spread = [
        f"Half of {WORDS[players]}-player games are over by round {found['median']}, one in twenty goes on past round "
        f"{found['p95']}."
        for players, batch in played.batches.items()
        if (found := frames.summary(batch, "rounds"))
    ]
    told = (lengths(tables["course"], study), " ".join(spread), *minutes(tables["course"].frame))
    return Section("", told, (Picture("Rounds in a game.", partial(pictures.rounds, played.batches)),))


def seat_section(study: Study, tables: Tables, seats: Sequence[Combined]) -> Section:
    """Seats and corners."""
    sizes = sorted(set(tables["corners"].frame["players"]))
    asked = [verdicts.corners(tables["corners"], players, study) for players in sizes]
    caption = f"Win rate of each seat, played by {players_called(study, sizes[0])}; dashed: an equal share."
    drawn = Picture(caption, partial(pictures.seats, tables["seats"].frame))
    shown = (
        compact.across(tables["seats_by_policy"], "win_rate", ["policy", "seat"]),
        compact.across(tables["corners"], "win_rate", ["alchemist"]),
    )
    return Section("", (*seats, *(question for question in asked if question)), (drawn,), shown)


def roll_section(use: Table, finish: Table, fields: int) -> Section:
    """What a roll brings, and how far it is to the end."""
    frame, told = finish.frame, []
    # the largest distance stands for "no way is open"
    steps = use.frame[use.frame["distance"] < fields].set_index("distance")["useful"]
    if NEAR in steps.index and steps.index[-1] > NEAR:
        far = counted(int(steps.index[-1]), "die", "dice")
        told.append(
            f"With {far} missing {percent(steps.iloc[-1])} of the rolls offer a step closer, with the last die missing "
            f"{percent(steps[NEAR])}."
        )
    rows = frame[(frame["distance"] == FAR) & (frame["turns"] == FAR)]
    parts = by_players({row.players: percent(row.connected) for row in rows.itertuples()})
    if len(rows):
        told.append(f"Players who miss {WORDS[FAR]} dice are connected within {WORDS[FAR]} of their turns in {parts}.")
    offers = "Rolls that offer a use which leaves fewer dice missing, by the dice missing before."
    connects = "Chance to be connected within some own turns, in percent."
    drawn = (Picture(offers, partial(pictures.use, use.frame)), Picture(connects, partial(pictures.finish, frame)))
    return Section("What is a roll worth?", tuple(told), drawn, (compact.folded(use),))


# -- what is worth what ----------------------------------------------------------------------------------------


def double_section(study: Study, doubles: Table, worth: Table | None) -> Section:
    """What doubles are used for, and whether they win games."""
    used = doubles.showing(doubles.frame[doubles.frame["policy"] != "(any)"], title="What doubles are used for")
    uses = Picture("What different policies use their doubles for.", partial(pictures.doubles, used.frame, study.game))
    drawn = [uses] if used.frame["share"].notna().any() else []
    told: list[Sentence] = ["A double opens every use, but shows one creature instead of two."]
    shown = [compact.across(used, "share", ["double"], over="policy", call=partial(called, study.game))]
    if worth is not None:
        asked = [verdicts.doubles(worth, players, study) for players in sorted(set(worth.frame["players"]))]
        told += [question for question in asked if question]
        caption = "Win rate by doubles among the first six rolls of a seat."
        drawn += by_number(caption, worth, "doubles among the first six rolls")
        shown.append(compact.across(worth, "win_rate", ["number"]))
    return Section("What is a double worth?", tuple(told), tuple(drawn), tuple(shown))


def by_number(caption: str, table: Table, xlabel: str) -> tuple[Picture, ...]:
    """Win rate by a number, as a picture if any rate is known well enough to be drawn."""
    drawn = Picture(caption, partial(pictures.by_number, table.frame, xlabel))
    return (drawn,) if pictures.is_known(table.frame).any() else ()


def element_section(study: Study) -> Section:
    """What fire and water do."""
    summary, kinds = odds.elements_by_top(study), odds.kinds_of(study)
    said = ("burn the die", "drown it") if kinds == odds.LOST else ("are closed by fire", "are closed by water")
    by_creature = summary.frame.set_index("creature")
    claims = [
        verdicts.elements(by_creature[kind].to_dict(), name, words)
        for kind, name, words in zip(kinds, ("fire", "water"), said, strict=True)
    ]
    told = "It is the facing that tells, and a player chooses it with the die. This rests on the reconstructed die and rights."
    return Section("Fire and water", (*claims, told), (), (summary,))


def chip_section(study: Study, tables: Tables) -> Section:
    """Chips used and kept."""
    worth, taken, heading = tables["chips"], tables["chips_taken"], "Are chips better used or kept?"
    if not worth.frame.loc[worth.frame["quantity"] == "taken", "value"].any():
        return Section(heading, ("Nobody takes a chip here.",))
    players = min(worth.frame["players"])
    rows = worth.frame[worth.frame["players"] == players].set_index("quantity")["value"]
    used = [
        f"{percent(rows[f'{name}_connects'])} of the chips spent on another {text}"
        for name, plural, text in (("reroll", "rerolls", "roll"), ("extra", "extras", "move"))
        if rows[plural] and not np.isnan(rows[f"{name}_connects"])
    ]
    told = f"{listed(used)} connect their player at once, and " if used else ""
    said = (
        f"In {WORDS[players]}-player games of {players_called(study, players)}, {told}points for kept chips change "
        f"the winner of {percent(rows['decides'], 1)} of the games.{takers(taken.frame)}"
    )
    drawn = by_number("Win rate of seats by chips taken.", taken, "chips taken")
    return Section(heading, (said,), drawn, (compact.quantities(worth), compact.across(taken, "win_rate", ["number"])))


def takers(frame: pd.DataFrame) -> str:
    """What those who take chips win: numbers, no advice."""
    rates = frame.pivot_table(index="players", columns="number", values="win_rate").reindex(columns=["0", "1"]).dropna()
    parts = {players: f"{percent(row['1'])} and {percent(row['0'])}" for players, row in rates.iterrows()}
    told = f" Seats that take one chip and seats that take none win {by_players(parts)}. That does not measure what taking does:"
    return f"{told} chips come with the chain." if parts else ""


def ladder_section(study: Study, table: Table, steps: Sequence[Combined]) -> Section:
    """The skill ladder."""
    told = "Every policy plays the one below it, each game twice with the seats exchanged."
    drawn = Picture(
        "Wins of each policy over those of the one below it.", partial(pictures.ladder, table.frame, study.game)
    )
    return Section("How much does skill matter?", (told, *steps), (drawn,), (compact.folded(table),))


def others_section(study: Study, tables: Tables) -> Section:
    """Connections by others, and kingmaking."""
    frame = tables["by_others"].frame
    known = frame[frame["by_another"].notna()]
    sentences = ["Dice belong to nobody, so a chain can be finished by another."]
    if not len(known):
        sentences.append("In these games no connection earns points.")
    elif not known["by_another"].any():
        sentences.append("In these games it does not happen.")
    else:
        largest = known[known["players"] == known["players"].max()]
        shares = [f"{percent(row.by_another)} with {called(study.game, row.policy)}" for row in largest.itertuples()]
        games = f"{WORDS[int(largest['players'].iloc[0])]}-player games"
        sentences.append(f"Connections made by another player in {games}: {listed(shares)} at every seat.")
    shown = [compact.across(tables["by_others"], "by_another", ["policy"])]
    if "kingmaking" in tables:
        kings = tables["kingmaking"].frame
        players = int(kings["players"].max())
        row = kings[kings["players"] == players].set_index("quantity")["value"]
        sentences.append(
            f"Kingmaking in {WORDS[players]}-player games of {players_called(study, players)}: in "
            f"{percent(row['handed_games'], 1)} of the games a player out of the race hands the lead from one to another, and "
            f"{percent(row['loser_ends'], 1)} are ended by a seat that does not win."
        )
        shown.append(compact.quantities(tables["kingmaking"]))
    return Section("Who decides the game?", tuple(sentences), (), tuple(shown))


# -- what matters ----------------------------------------------------------------------------------------------


def effect_section(study: Study, table: Table, what: str) -> Section:
    """What changed rules, or parts, do to length, winners and the first seat."""
    rows = table.frame[table.frame["rule"] != "(as set)"]
    shown = compact.across(table, "change_in_rounds", ["rule", "reading"], ["other_winners", "first_seat"])
    luck = {players: percent(share) for players, share in rows.groupby("players")["redealt"].mean().items()}
    told: list[Sentence] = [*verdicts.lengths(table, study, what)]
    if luck:
        told.append(f"Fresh dice alone would change the winner in {by_players(luck)}.")
    # a single game gives no interval that could be drawn
    known = np.isfinite(rows[["low", "high"]]).all(axis=None)
    drawn = Picture(f"Change of the mean length under each other {what}.", partial(pictures.effects, rows))
    return Section("", tuple(told), (drawn,) if len(rows) and known else (), (shown,))


def part_section(study: Study, table: Table) -> Section:
    """What the reconstructed parts change."""
    found, heading = effect_section(study, table, "part"), "Do the reconstructed parts matter?"
    return replace(found, heading=heading, sentences=(survivors(table.frame), *found.sentences))


def survivors(frame: pd.DataFrame) -> str:
    """What other choices of the reconstructed parts give: numbers, no verdict."""
    parts = []
    for players, rows in frame.groupby("players"):
        ours, wins = rows.iloc[0], between(percent(rows["first_seat"].min()), percent(rows["first_seat"].max()))
        rounds = f"{span(rows['rounds'])} rounds (on our board {ours.rounds:.0f})"
        first = f"{wins} of {ours.games:,} games (on ours {percent(ours.first_seat)})"
        game = f"with {WORDS[int(str(players))]} players a game takes"
        parts.append(f"{game} {rounds} and the first seat wins {first}")
    return (
        "Which of this would survive the true board? The map of pictures, the net of the die, the creatures' rights and the "
        "places of chips and elements are reconstructed, not read from the box. Over "
        f"{len(set(frame['reading'])) - 1} other choices of them, {listed(parts)}."
    )


def connect_section(connect: Table, supply: int) -> Section:
    """What dice at random do."""
    frame = connect.frame.set_index("dice")["connected"]
    end = min(supply - 1, int(frame.index.max()))
    half = int((frame >= 0.5).idxmax())
    there = "" if half <= end else f", and only {end} may lie there"
    told = (
        f"Scattered over the board, {counted(end, 'die', 'dice')} connect an alchemist with a chance of "
        f"{percent(float(frame[end]), 1)}; for an even chance it takes {half}{there}."
    )
    drawn = Picture("Chance of a chain by dice on random fields.", partial(pictures.connect, connect.frame, supply))
    return Section("Could chance alone connect you?", (told,), (drawn,))
