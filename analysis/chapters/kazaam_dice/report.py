"""The report on Kazaam Dice: the answers first, then the board, tables and charts."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from analysis import figures, frames
from analysis.catalogue import checks_table, readings_table
from analysis.chapter import Picture, Section, Study
from analysis.chapters.kazaam_dice import balance, changed, charts, compact, maps, odds, pictures, verdicts
from analysis.chapters.kazaam_dice.balance import ENDINGS, Played
from analysis.chapters.kazaam_dice.checks import checks
from analysis.chapters.kazaam_dice.games import kept_games, who
from analysis.chapters.kazaam_dice.sentences import between, dice, last_die, lengths, percent, survivors
from analysis.claims import Combined, Sentence
from analysis.tables import Table
from analysis.verdicts import WORDS, listed
from analysis.verdicts import seats as seats_of
from sims.kazaam_dice.state import State

#: Dice missing, and turns, whose chance the text tells.
FAR = 3
#: The distance at which one step connects.
NEAR = 1


def sections(study: Study) -> Iterator[Section]:
    """All sections of the page, in order."""
    played = balance.play(study)
    sheet = balance.sheet(study, played)
    tables = {name: table for name, table in sheet.tables.items() if len(table.frame)}
    use, finish = odds.use(study), odds.finish(study)
    seats = [asked for players in played.batches if (asked := seats_of(tables["seats_by_policy"], players, study.seed))]
    steps = [verdicts.ladder(tables["ladder"], study.seed)] if "ladder" in tables else []

    yield in_short(tables, use, who(study), [*seats, *steps])
    yield board_section(study, played)
    yield map_section(study, played)
    yield seat_section(study, tables, seats)
    yield course_section(tables, played)
    yield roll_section(use, finish, len(study.variant.rules.load_board().fields))
    yield double_section(study, odds.doubles(study), tables.get("doubles_worth"))
    if study.variant.rules.load_board().fire or study.variant.rules.load_board().water:
        yield element_section(odds.elements(study))
    yield chip_section(tables["chips"], tables["chips_taken"])
    if "ladder" in tables:
        yield ladder_section(tables["ladder"], steps)
    yield others_section(tables)
    yield ruling_section(study, tables["rulings"])
    yield part_section(study, tables["parts"])
    yield connect_section(odds.connect(study), study.variant.rules.supply)
    found = [(study.game.name, check) for check in checks(study)]
    passed = sum(check.passed for _, check in found)
    yield Section(
        "Can these numbers be trusted?",
        (
            f"{passed} of {len(found)} known answers are met: tiny games and single turns are solved exactly, boards of "
            "scattered dice are counted, and a quarter turn of the whole table changes no game.",
        ),
        (),
        (checks_table(found, study.seed),),
    )


# -- sections --------------------------------------------------------------------------------------------------


def in_short(tables: dict[str, Table], use: Table, who: str, claims: Sequence[Sentence]) -> Section:
    """The answers: claims, and numbers without a verdict."""
    sentences = (lengths(tables["course"].frame, who), *claims, last_die(use.frame), survivors(tables["parts"].frame))
    return Section("In short", tuple(told for told in sentences if told))


def board_section(study: Study, played: Played) -> Section:
    """The board at the start, half-way and at the end of a typical game."""
    players = min(played.batches)
    symmetric = changed.is_symmetric(study.variant.rules.load_board())
    symmetry = "; a quarter turn maps the board onto itself, each alchemist onto the next" if symmetric else ""
    number, positions = maps.example(study, frames.records(played.batches[players]), players)
    told, drawn = "", [Picture("The board before the first move.", partial(start_picture, positions[0]))]
    if number >= 0:
        told = f" Game {number} of seed {study.seed}, {len(positions) - 1} uses long, is a typical one."
        drawn.append(
            Picture(
                "A typical game half-way, and at its end with the chain that decided it.",
                partial(game_picture, positions),
            )
        )
    return Section(
        "The board",
        (
            "Chains of dice run from an alchemist's corner (A) to the target (T) of the same colour, over any fields. Where "
            f"everything lies is reconstructed{symmetry}.{told}",
        ),
        tuple(drawn),
    )


def start_picture(state: State) -> Figure:
    """The empty board with a key."""
    ax = pictures.draw_board(state)
    pictures.key(ax)
    return figures.figure_of(ax)


def game_picture(positions: list[State]) -> Figure:
    """Half-way and the end."""

    def draw(left: Axes, right: Axes) -> None:
        half = len(positions) // 2
        pictures.draw_board(positions[half], (), left, f"after {half} uses")
        pictures.draw_board(positions[-1], maps.connection(positions[-1]), right, "the end")

    return pictures.pair_of_maps(draw)


def map_section(study: Study, played: Played) -> Section:
    """Where dice are placed, where chains run, which chips are taken."""
    rules, games = study.variant.rules, kept_games(study)
    board = rules.load_board()
    shown = sorted({min(played.logs), max(played.logs)})
    placed, chains, taken = [], [], []
    for players in shown:
        log, title = played.logs[players], f"{players} players"
        state, records = State.start(rules, players), frames.records(played.batches[players])[:games]
        placed.append((title, maps.placed(log, board, games)))
        share, connected = maps.chain_share(log, rules, state.alchemists[0], records)
        if connected:
            chains.append((f"{title}, {connected:,} chains", share))
        taken.append((title, maps.taken(log, board, state.chips, games)))
    alchemist = State.start(rules, shown[0]).alchemists[0]
    told = f"From the log of {games:,} games each, seed {study.seed}, played by {who(study)}. "
    if chains:
        edge = [len(board.neighbours[field]) < 4 for field in board.fields]
        title, share = chains[0]
        rim = float(share[edge].sum() / share.sum())
        told += f"{percent(rim)} of the dice of the chains that connect alchemist {alchemist} ({title}) lie on the rim."
    else:
        told += f"No game connects alchemist {alchemist}."

    def picture(caption: str, values: list[tuple[str, NDArray[np.float64]]], label: str, write: str) -> Picture:
        return Picture(caption, partial(pictures.maps_of, board, values, label, write))

    shares = [(title, 100 * share) for title, share in chains]
    taken = [(title, 100 * share) for title, share in taken if not np.isnan(share).all()]
    caption = (
        f"Fields on a shortest chain of alchemist {alchemist}, in percent of the games that connect this alchemist."
    )
    drawn = [picture("Dice placed on each field in a game.", placed, "dice in a game", "{:.2f}")]
    if chains:
        drawn.append(picture(caption, shares, "% of chains", "{:.0f}"))
    if taken:
        drawn.append(picture("How often each chip is taken, in percent of games.", taken, "% of games", "{:.0f}"))
    return Section(
        "Where it happens",
        (told,),
        tuple(drawn),
    )


def seat_section(study: Study, tables: dict[str, Table], seats: Sequence[Combined]) -> Section:
    """Seats and corners."""
    sizes = sorted(set(tables["corners"].frame["players"]))
    asked = [verdicts.corners(tables["corners"], players, who(study), study.seed) for players in sizes]
    return Section(
        "Does the seat matter?",
        (*seats, *(question for question in asked if question)),
        (
            Picture(
                "Win rate of each seat, all playing alike; dashed: an equal share.",
                partial(charts.shares, tables["seats"].frame, "seat", "seat", "outright wins"),
            ),
        ),
        (
            compact.by_players(tables["seats_by_policy"], "win_rate", ["policy", "seat"]),
            compact.by_players(tables["corners"], "win_rate", ["alchemist"]),
        ),
    )


def course_section(tables: dict[str, Table], played: Played) -> Section:
    """Length and ends."""
    frame = tables["ends"].frame
    last = frame[frame["end"] == "last_die"].set_index("players")["value"]
    unfinished = frame[frame["end"].isin(["passes", "turns"])].groupby("players")["value"].sum().max()
    ran_out = f"{between(last.min(), last.max(), 1)} of the games end because the dice run out"
    if not last.max():
        ran_out = "No game runs out of dice"
    told = f"{ran_out}, and " + (
        f"up to {percent(unfinished, 2)} stay unfinished." if unfinished else "all are finished."
    )
    return Section(
        "How does a game go?",
        (told,),
        (
            Picture("Rounds in a game.", partial(charts.rounds, played.batches)),
            Picture("How games end.", partial(charts.ends, frame, ENDINGS)),
        ),
        (
            compact.by_players(tables["course"], "value", ["meaning"]),
            compact.by_players(tables["ends"], "value", ["meaning"]),
        ),
    )


def roll_section(use: Table, finish: Table, fields: int) -> Section:
    """What a roll brings, and how far it is to the end."""
    frame = finish.frame
    parts = []
    for players in sorted(set(frame["players"])):
        row = frame[(frame["players"] == players) & (frame["distance"] == FAR) & (frame["turns"] == FAR)]
        if len(row):
            parts.append(f"{percent(row['connected'].iloc[0])} with {WORDS[players]} players")
    sentence = (
        f"A player who misses {WORDS[FAR]} dice is connected within {WORDS[FAR]} turns in {listed(parts)}."
        if parts
        else ""
    )
    # the largest distance stands for "no way is open"
    steps = use.frame.set_index("distance")["useful"]
    steps = steps[steps.index < fields]
    helps = ""
    if NEAR in steps.index and steps.index[-1] > NEAR:
        helps = (
            f"With {dice(int(steps.index[-1]))} missing {percent(steps.iloc[-1])} of the rolls offer a step closer, with the "
            f"last die missing {percent(steps[NEAR])}."
        )
    return Section(
        "What is a roll worth?",
        tuple(told for told in (helps, sentence) if told),
        (
            Picture(
                "Rolls that offer a use which leaves fewer dice missing, by the dice missing before.",
                partial(charts.use, use.frame),
            ),
            Picture("Chance to be connected within some own turns, in percent.", partial(charts.finish, frame)),
        ),
        (use,),
    )


def double_section(study: Study, doubles: Table, worth: Table | None) -> Section:
    """What doubles are used for, and whether they win games."""
    uses = Picture("What different policies use their doubles for.", partial(charts.doubles, doubles.frame))
    told = "A double opens every use, but shows one creature instead of two."
    if worth is None:
        return Section("What is a double worth?", (told,), (uses,), (compact.by_policy(doubles),))
    sizes = sorted(set(worth.frame["players"]))
    asked = [verdicts.doubles(worth, players, study.seed) for players in sizes]
    caption = "Win rate by doubles among the first six rolls of a seat."
    return Section(
        "What is a double worth?",
        (told, *(question for question in asked if question)),
        (uses, *by_number(caption, worth, "doubles among the first six rolls")),
        (compact.by_policy(doubles), compact.by_players(worth, "win_rate", ["number"])),
    )


def by_number(caption: str, table: Table, xlabel: str) -> tuple[Picture, ...]:
    """Win rate by a number, as a picture if any rate is known well enough to be drawn."""
    frame = table.frame
    return (Picture(caption, partial(charts.by_number, frame, xlabel)),) if charts.is_known(frame).any() else ()


def element_section(elements: Table) -> Section:
    """What fire and water do."""
    burns, drowns = elements.percent
    by_creature = elements.frame.groupby("creature")[[burns, drowns]].mean()
    summary = compact.by_top(elements)
    lost = elements.percent == odds.LOST
    said = ("burn the die", "drown it") if lost else ("are closed by fire", "are closed by water")
    claims = [
        verdicts.elements(by_creature[column].to_dict(), name, words)
        for column, name, words in ((burns, "fire", said[0]), (drowns, "water", said[1]))
    ]
    told = "It is the facing that tells, and a player chooses it with the die. This rests on the reconstructed die and rights."
    return Section("Fire and water", (*claims, told), (), (summary,))


def chip_section(worth: Table, taken: Table) -> Section:
    """Chips used and kept."""
    frame = worth.frame
    players = frame["players"].min()
    rows = frame[frame["players"] == players].set_index("quantity")["value"]
    heading = "Are chips better used or kept?"
    if not frame.loc[frame["quantity"] == "taken", "value"].any():
        return Section(heading, ("Nobody takes a chip here.",))
    used = [
        f"{percent(rows[f'{name}_connects'])} of those spent on another {text}"
        for name, plural, text in (("reroll", "rerolls", "roll"), ("extra", "extras", "move"))
        if rows[plural]
    ]
    told = f"With {WORDS[players]} players, " + (f"{listed(used)} connect their player at once, and " if used else "")
    return Section(
        heading,
        (
            f"{told}points for kept chips change the winner of {percent(rows['decides'], 1)} of the games.{takers(taken.frame)}",
        ),
        by_number("Win rate of seats by chips taken.", taken, "chips taken"),
        (
            compact.by_players(worth, "value", ["meaning"]),
            compact.by_players(taken, "win_rate", ["number"]),
        ),
    )


def takers(frame: pd.DataFrame) -> str:
    """What those who take chips win: numbers, no advice."""
    parts = []
    for players, rows in frame.groupby("players"):
        rates = rows.set_index("number")["win_rate"]
        if {"0", "1"} <= set(rates.dropna().index):
            parts.append(f"{percent(rates['1'])} and {percent(rates['0'])} with {WORDS[int(str(players))]} players")
    if not parts:
        return ""
    return (
        f" Seats that take one chip and seats that take none win {listed(parts)}. That does not measure what taking does: chips "
        "come with the chain."
    )


def ladder_section(ladder: Table, steps: Sequence[Combined]) -> Section:
    """The skill ladder."""
    return Section(
        "How much does skill matter?",
        ("Every policy plays the one below it, each game twice with the seats exchanged.", *steps),
        (Picture("Wins of each policy over those of the one below it.", partial(charts.ladder, ladder.frame)),),
        (compact.duels(ladder),),
    )


def others_section(tables: dict[str, Table]) -> Section:
    """Connections by others, and kingmaking."""
    by_others = tables["by_others"]
    frame, said = by_others.frame, by_others.note.partition(" 'only")[0]
    known = frame[frame["by_another"].notna()]
    sentences = ["Dice belong to nobody, so a chain can be finished by another."]
    if not len(known):
        sentences.append("In these games no connection earns points.")
    elif not known["by_another"].any():
        sentences.append("In these games it never happens.")
    else:
        largest = known[known["players"] == known["players"].max()]
        shares = [f"{percent(row.by_another)} with '{row.policy}' at every seat" for row in largest.itertuples()]
        table = WORDS[int(largest["players"].iloc[0])]
        sentences.append(f"Connections made by another player, with {table} players: {listed(shares)}.")
    shown = [compact.by_players(by_others, "by_another", ["policy"], note=f"{said} Share of all connections.")]
    if "kingmaking" in tables:
        kings = tables["kingmaking"].frame
        row = kings[kings["players"] == kings["players"].max()].set_index("quantity")["value"]
        sentences.append(
            f"Kingmaking, measured on games with {WORDS[int(kings['players'].max())]} players: in "
            f"{percent(row['handed_games'], 1)} of the games a player out of the race hands the lead from one to another, and "
            f"{percent(row['loser_ends'], 1)} are ended by a seat that does not win."
        )
        shown.append(compact.by_players(tables["kingmaking"], "value", ["meaning"]))
    return Section("Who decides the game?", tuple(sentences), (), tuple(shown))


def effect_table(table: Table) -> Table:
    """What a change does to length, winners and the first seat, side by side for each number of players."""
    said = table.note.partition(" 'others'")[0].rstrip(";") + "; the interval is that of the paired change in rounds."
    return compact.by_players(
        table, "change_in_rounds", ["rule", "reading"], ["other_winners", "first_seat"], note=said
    )


def effect_picture(caption: str, frame: pd.DataFrame) -> tuple[Picture, ...]:
    """The changes as a picture; a single game gives them no interval that could be drawn."""
    drawn = np.isfinite(frame[["low", "high"]]).all(axis=None)
    return (Picture(caption, partial(charts.effects, frame)),) if drawn else ()


def ruling_section(study: Study, table: Table) -> Section:
    """What the ambiguous rules change."""
    frame = table.frame[table.frame["rule"] != "(as set)"]
    asked = verdicts.readings(table, sorted(set(frame["players"])), study.seed)
    return Section(
        "Do the ambiguous rules matter?",
        tuple(asked),
        effect_picture("Change of the mean length under each other reading.", frame),
        (readings_table(study.variant), effect_table(table)),
    )


def part_section(study: Study, table: Table) -> Section:
    """What the reconstructed parts change."""
    frame = table.frame[table.frame["rule"] != "(as set)"]
    asked = verdicts.parts(table, sorted(set(frame["players"])), study.seed)
    return Section(
        "Do the reconstructed parts matter?",
        (survivors(table.frame), *asked),
        effect_picture("Change of the mean length with each part chosen otherwise.", frame),
        (effect_table(table),),
    )


def connect_section(connect: Table, supply: int) -> Section:
    """What dice at random do."""
    frame = connect.frame.set_index("dice")["connected"]
    end = min(supply - 1, int(frame.index.max()))
    half = int((frame >= 0.5).idxmax())
    there = "" if half <= end else f", and only {end} may lie there"
    return Section(
        "Could chance alone connect you?",
        (
            f"Scattered over the board, {dice(end)} connect an alchemist with a chance of {percent(float(frame[end]), 1)}; for "
            f"an even chance it takes {half}{there}.",
        ),
        (Picture("Chance of a chain by dice on random fields.", partial(charts.connect, connect.frame, supply)),),
    )
