"""Odds tables of Kazaam Dice: what a roll brings, how far it is to the end, what tipping and chance alone do."""

import numpy as np
import pandas as pd

from analysis import frames
from analysis.balance import label
from analysis.chapter import OddsTable, Study
from analysis.chapters.kazaam_dice import games
from analysis.estimates import share_of
from analysis.tables import Table
from sims.kazaam_dice.die import DIRECTIONS, die
from sims.kazaam_dice.scatter import chain_chances

#: Turns within which a connection is looked for.
HORIZONS = (1, 2, 3, 5, 8)
#: Policies whose use of doubles is compared.
DOUBLES_BY = ("random", "runner", "balanced", "collector")
DOUBLE_USES = {
    "double_place": "places a die",
    "double_tip": "tips a die",
    "double_ambrosius": "moves Ambrosius",
    "double_obstacle": "sets the obstacle",
}
#: What fire and water do to a die that may not enter, and what they do where such tips are not allowed.
LOST, CLOSED = ("burns", "drowns"), ("closed_by_fire", "closed_by_water")


def positions_note(study: Study, players: str) -> str:
    """What the tables over positions met in play are made of."""
    return (
        f"Positions before every turn of {games.kept_games(study):,} games, seed {study.seed}, {players}, played by "
        f"{games.who(study)}; low and high bound the 95 % interval, games being the draws. Distance: the fewest dice still "
        "missing."
    )


def use(study: Study) -> Table:
    """Chance that a roll offers a useful step, by own distance."""
    players = games.numbers_of_players(study)[0]
    turns = games.surveyed(study, players)
    frame, rows = turns.frame, []
    for distance in sorted(set(frame["distance"])):
        chosen = (frame["distance"] == distance).to_numpy()
        useful = turns.share(chosen, ((frame["unequal"] + frame["doubles"]) / 36).to_numpy())
        rows.append(
            {
                "distance": int(distance),
                "positions": int(chosen.sum()),
                "unequal": float(frame.loc[chosen, "unequal"].mean() / 30),
                "double": float(frame.loc[chosen, "doubles"].mean() / 6),
                "useful": useful.value,
                "low": useful.low,
                "high": useful.high,
                "games": turns.games,
                "seed": study.seed,
            }
        )
    note = (
        " A step is useful if it leaves a smaller distance; at distance 1 it connects, unless it places the last die but one. "
        "For each position all 36 rolls are counted. A distance of "
        f"{len(study.variant.rules.load_board().fields)} means that no way is open."
    )
    return Table(
        "use",
        "Does a roll bring me closer?",
        pd.DataFrame(rows),
        False,
        positions_note(study, f"{players} players") + note,
        percent=("unequal", "double", "useful"),
        decimals={"unequal": 1, "double": 1},
        headings={"unequal": "by an unequal roll", "double": "by a double", "useful": "by any roll"},
    )


def finish(study: Study) -> Table:
    """Chance to be connected within some turns, by distance and players."""
    rows = []
    counts = games.numbers_of_players(study)
    for players in counts:
        turns = games.surveyed(study, players)
        distances, within = turns.frame["distance"].to_numpy(), turns.frame["within"].to_numpy()
        for distance in np.unique(distances):
            chosen = distances == distance
            for horizon in HORIZONS:
                found = turns.share(chosen, (within <= horizon).astype(float))
                rows.append(
                    {
                        "players": players,
                        "distance": int(distance),
                        "turns": horizon,
                        "positions": int(chosen.sum()),
                        "connected": found.value,
                        "low": found.low,
                        "high": found.high,
                        "games": turns.games,
                        "seed": study.seed,
                    }
                )
    note = (
        " Turns are the player's own, this one included, with what the others do in between; whoever completes the chain, "
        "it counts."
    )
    return Table(
        "finish",
        "Am I connected within so many turns?",
        pd.DataFrame(rows),
        False,
        positions_note(study, f"{' / '.join(map(str, counts))} players") + note,
        percent=("connected",),
    )


def doubles(study: Study) -> Table:
    """How often a double comes, and what it is used for."""
    players = games.numbers_of_players(study)[0]
    sixth = 1 / 6
    first = {"policy": "(any)", "double": "is rolled (exact)", "share": sixth, "low": sixth, "high": sixth}
    rows = [{**first, "games": None, "seed": None}]
    for name in dict.fromkeys((*DOUBLES_BY, str(study.lineup[0]))):
        lineup = study.game.lineup([name], players)
        if label(lineup[0]) in {row["policy"] for row in rows}:
            continue
        played = study.play(
            f"doubles of {label(lineup[0])}", lineup=lineup, games=games.kept_games(study), records=True
        )
        records = frames.records(played)
        for column, text in {**DOUBLE_USES, "rest": "is cancelled by a chip, or has no use"}.items():
            part = records["doubles"] - records[list(DOUBLE_USES)].sum(axis=1) if column == "rest" else records[column]
            found = share_of(part.to_numpy(float), records["doubles"].to_numpy(float))
            rows.append(
                {
                    "policy": label(lineup[0]),
                    "double": text,
                    "share": found.value,
                    "low": found.low,
                    "high": found.high,
                    "games": played.games,
                    "seed": study.seed,
                }
            )
    return Table(
        "doubles",
        "How often does a double come, and what is it used for?",
        pd.DataFrame(rows).astype({"games": "Int64", "seed": "Int64"}),
        None,
        f"A double comes with exactly one roll in six. Its uses: shares of all doubles in {games.kept_games(study):,} games of "
        f"{players} players for each policy, seed {study.seed}; low and high bound the 95 % interval.",
        percent=("share",),
    )


def elements(study: Study) -> Table:
    """Which tips burn and drown, for each way a die can lie."""
    rules = study.variant.rules
    # where no die may be tipped to its loss, those tips are closed instead
    lost = rules.fire_water == "burns"
    cube, rows, kinds = die(rules.die), [], LOST if lost else CLOSED
    for number, lying in enumerate(cube.orientations):
        shown = [cube.top(cube.tips[number][direction]) for direction in range(4)]
        fatal = {
            name: [direction for direction in range(4) if str(shown[direction]) not in allowed]
            for name, allowed in zip(kinds, (rules.fire, rules.water), strict=True)
        }
        rows.append(
            {
                "creature": lying.top,
                "facing": lying.north,
                **{DIRECTIONS[direction]: shown[direction] for direction in range(4)},
                **{name: len(fatal[name]) / 4 for name in kinds},
                **{
                    f"{name}_to": ", ".join(DIRECTIONS[direction] for direction in directions)
                    for name, directions in fatal.items()
                },
            }
        )
    facing = {f"{name}_to": f"{name.replace('_', ' ')} to the" for name in kinds}
    effect = (
        "burns (drowns): the share of the four directions that lose the die if fire (water) lies there."
        if lost
        else "closed by fire (water): the share of the four directions in which it may not be tipped if fire (water) lies "
        "there; no die burns or drowns."
    )
    return Table(
        "elements",
        "Which tips burn or drown the die?" if lost else "Which tips do fire and water forbid?",
        pd.DataFrame(rows),
        True,
        "Exact. 'facing': the creature that looks north. Below a direction stands the creature that comes up when the die is "
        f"tipped there; {effect}",
        percent=kinds,
        headings={direction: f"tipped {direction}" for direction in DIRECTIONS} | facing,
    )


def connect(study: Study) -> Table:
    """Chance that dice at random connect an alchemist."""
    rules = study.variant.rules
    alchemist = rules.load_board().seats(games.numbers_of_players(study)[0])[0]
    chances = chain_chances(rules, alchemist)
    rows = [{"dice": dice, "connected": float(chance)} for dice, chance in enumerate(chances)]
    return Table(
        "connect",
        "Would dice scattered at random connect me?",
        pd.DataFrame(rows),
        True,
        f"Exact: every way to lay the dice on free fields is counted, for alchemist {alchemist}; Ambrosius on his first "
        f"field, no obstacle. With {rules.supply} dice the game ends when {rules.supply - 1} lie on the board.",
        percent=("connected",),
    )


ODDS = {
    "use": OddsTable("How likely does a roll bring me closer, by the dice I still miss?", use),
    "finish": OddsTable("How likely am I connected within the next turns, by the dice I still miss?", finish),
    "doubles": OddsTable("How often does a double come, and what do players use it for?", doubles),
    "elements": OddsTable("Which tips onto fire or water lose the die, for each way it can lie?", elements),
    "connect": OddsTable("How likely would dice scattered at random connect me?", connect),
}
