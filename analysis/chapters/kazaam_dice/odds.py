"""Odds tables of Kazaam Dice: what a roll brings, how far it is to the end, what tipping and chance alone do."""

from dataclasses import replace
from typing import Any

import numpy as np

from analysis import frames
from analysis.balance import PLAYERS, POLICY, label
from analysis.chapter import OddsTable, Study
from analysis.chapters.kazaam_dice import games
from analysis.chapters.kazaam_dice.words import DOUBLES
from analysis.measures import Column, exactly, ratio
from analysis.tables import Table
from sims.kazaam_dice.die import DIRECTIONS, die
from sims.kazaam_dice.scatter import chain_chances

#: Turns within which a connection is looked for.
HORIZONS = (1, 2, 3, 5, 8)
#: Policies whose use of doubles is compared.
DOUBLES_BY = ("random", "runner", "balanced", "collector")
#: What fire and water do to a die that may not enter, and what they do where such tips are not allowed.
LOST, CLOSED = ("burns", "drowns"), ("closed_by_fire", "closed_by_water")

DISTANCE = Column("distance", kind="key", meaning="dice still missing before the turn, at least")
POSITIONS = Column("positions", meaning="turns that begin so, looked at before the roll")
USE = (
    PLAYERS,
    POLICY,
    DISTANCE,
    POSITIONS,
    Column("unequal", "by an unequal roll", kind="share", digits=1),
    Column("double", "by a double", kind="share", digits=1),
    Column("useful", "by any roll", "rolls of 36 with a use that leaves a smaller distance", kind="share"),
)


def use(study: Study) -> Table:
    """Chance that a roll offers a useful step, by own distance."""
    players = games.numbers_of_players(study)[0]
    turns, rows = games.surveyed(study, players), []
    frame, named = turns.frame, {"players": players, "policy": games.played_by(study, players)}
    for distance in sorted(set(frame["distance"])):
        chosen = (frame["distance"] == distance).to_numpy()
        row = named | {"distance": int(distance), "positions": int(chosen.sum())}
        row |= {"unequal": frame.loc[chosen, "unequal"].mean() / 30, "double": frame.loc[chosen, "doubles"].mean() / 6}
        rows.append(row | {"useful": turns.share(chosen, (frame["unequal"] + frame["doubles"]) / 36)})
    remark = (
        f"At distance 1 a useful step connects, unless it places the last die but one. A distance of "
        f"{len(study.variant.rules.load_board().fields)} means that no way is open."
    )
    return Table.of("use", "Does a roll bring me closer?", USE, rows, remark=remark)


FINISH = (
    PLAYERS,
    POLICY,
    DISTANCE,
    Column("turns", kind="key", meaning="the player's own, this one included"),
    POSITIONS,
    Column("connected", kind="share", meaning="connected by then, whoever completes the chain"),
)


def finish(study: Study) -> Table:
    """Chance to be connected within some turns, by distance and players."""
    rows = []
    for players in games.numbers_of_players(study):
        turns, named = games.surveyed(study, players), {"players": players, "policy": games.played_by(study, players)}
        distances, within = turns.frame["distance"].to_numpy(), turns.frame["within"].to_numpy()
        for distance in np.unique(distances):
            chosen = distances == distance
            here = named | {"distance": int(distance), "positions": int(chosen.sum())}
            rows += [here | {"turns": n, "connected": turns.share(chosen, within <= n)} for n in HORIZONS]
    return Table.of("finish", "Am I connected within so many turns?", FINISH, rows)


USES = (POLICY, Column("double", "a double", kind="key"), Column("share", kind="share", meaning="of all doubles"))


def doubles(study: Study) -> Table:
    """How often a double comes, and what it is used for."""
    players = games.numbers_of_players(study)[0]
    rows: list[dict[str, Any]] = [{"policy": "(any)", "double": "is rolled", "share": exactly(1 / 6)}]
    lineups = [study.game.lineup([name], players) for name in (*DOUBLES_BY, str(study.lineup[0]))]
    for lineup in dict.fromkeys(lineups):
        policy = label(lineup[0])
        played = study.play(f"doubles of {policy}", lineup=lineup, games=games.kept_games(study), records=True)
        records = frames.records(played)
        counts = {text: records[column] for column, text in DOUBLES.items()}
        counts["is cancelled by a chip, or has no use"] = records["doubles"] - sum(counts.values())
        for text, count in counts.items():
            rows.append({"policy": policy, "double": text, "share": ratio(count, records["doubles"], study.seed, 0, 1)})
    title = "How often does a double come, and what is it used for?"
    remark = f"{players} players, all seats alike."
    return Table.of("doubles", title, USES, rows, method="Exact: one roll in six is a double.", remark=remark)


def kinds_of(study: Study) -> tuple[str, str]:
    """What fire and water do here: they take the die, or are closed to it."""
    return LOST if study.variant.rules.fire_water == "burns" else CLOSED


def elements(study: Study) -> Table:
    """Which tips burn and drown, for each way a die can lie."""
    rules, kinds = study.variant.rules, kinds_of(study)
    cube, rows = die(rules.die), []
    for number, lying in enumerate(cube.orientations):
        shown = {name: cube.top(cube.tips[number][direction]) for direction, name in enumerate(DIRECTIONS)}
        fatal = {
            kind: [name for name, top in shown.items() if str(top) not in allowed]
            for kind, allowed in zip(kinds, (rules.fire, rules.water), strict=True)
        }
        row: dict[str, Any] = {"creature": lying.top, "facing": lying.north, **shown}
        row |= {kind: len(names) / 4 for kind, names in fatal.items()}
        rows.append(row | {f"{kind}_to": ", ".join(names) for kind, names in fatal.items()})
    lost = kinds == LOST
    does = "lose the die" if lost else "are closed"
    columns = (
        Column("creature", kind="key"),
        Column("facing", kind="key", meaning="the creature that looks north"),
        *(Column(name, f"tipped {name}") for name in DIRECTIONS),
        *(
            Column(kind, kind="share", meaning=f"directions that {does} if {element} lies there")
            for kind, element in zip(kinds, ("fire", "water"), strict=True)
        ),
        *(Column(f"{kind}_to", f"{kind.replace('_', ' ')} to the", kind="text") for kind in kinds),
    )
    title = "Which tips burn or drown the die?" if lost else "Which tips do fire and water forbid?"
    method = "Exact. Below a direction stands the creature that comes up when the die is tipped there."
    return Table.of("elements", title, columns, rows, method=method)


def elements_by_top(study: Study) -> Table:
    """The same for each creature on top: the facings differ only in the direction."""
    every, rows = elements(study), []
    columns = [replace(every.column("creature"), heading="creature on top")]
    for kind in kinds_of(study):
        up = Column(f"{kind}_as", f"{kind.replace('_', ' ')} as", "creatures that come up then", kind="text")
        columns += [replace(every.column(kind), digits=0), up]
    for creature, lying in every.frame.groupby("creature"):
        row, first = {"creature": creature}, lying.iloc[0]
        for kind in kinds_of(study):
            sides = sorted(int(first[direction]) for direction in first[f"{kind}_to"].split(", ") if direction)
            row |= {kind: float(first[kind]), f"{kind}_as": ", ".join(map(str, sides))}
        rows.append(row)
    title = "Tipped onto fire or water, by the creature on top before"
    method = "Exact. All 24 ways to lie: oddsmith odds kazaam-dice --table elements."
    return Table.of("elements", title, columns, rows, method=method)


CONNECT = (Column("dice", kind="key"), Column("connected", kind="share"))


def connect(study: Study) -> Table:
    """Chance that dice at random connect an alchemist."""
    rules = study.variant.rules
    alchemist = rules.load_board().seats(games.numbers_of_players(study)[0])[0]
    chances = chain_chances(rules, alchemist)
    rows = [{"dice": dice, "connected": float(chance)} for dice, chance in enumerate(chances)]
    method = (
        f"Exact: every way to lay the dice on free fields is counted, for alchemist {alchemist}; Ambrosius on his first field, "
        f"no obstacle. With {rules.supply} dice the game ends when {rules.supply - 1} lie on the board."
    )
    return Table.of("connect", "Would dice scattered at random connect me?", CONNECT, rows, method=method)


ODDS = {
    "use": OddsTable("How likely does a roll bring me closer, by the dice I still miss?", use),
    "finish": OddsTable("How likely am I connected within the next turns, by the dice I still miss?", finish),
    "doubles": OddsTable("How often does a double come, and what do players use it for?", doubles),
    "elements": OddsTable("Which tips onto fire or water lose the die, for each way it can lie?", elements),
    "connect": OddsTable("How likely would dice scattered at random connect me?", connect),
}
