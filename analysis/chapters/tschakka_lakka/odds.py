"""Odds tables of Tschakka Lakka: closed forms, and the exact turn over positions met in play."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.chapter import OddsTable, Study
from analysis.chapters.tschakka_lakka import sampled
from analysis.claims import Floats
from analysis.estimates import Estimate, mean_of, ratio_of
from analysis.tables import Table
from sims.engine.errors import InputError
from sims.engine.game import Chosen
from sims.tschakka_lakka import exact
from sims.tschakka_lakka.rules import SIZE_NAMES, Rules

#: Points at stake from here on are one row; rows that hold a smaller share of the decisions say nothing.
MANY_POINTS, RARE = 12, 1e-4
#: More points than a turn can bring.
NEVER = 1000
#: Columns of the table ``turn``.
TURN_COLUMNS = ["dice", "stake", "positions", "bust", "rolling_right", "wrong_costs", "gain", "low", "high"]
TURN_COLUMNS += ["games", "seed"]
#: Numbers of players whose games positions are taken from.
PLAYERS = (4,)


def bust(study: Study) -> Table:
    """Chance that a throw ends the turn."""
    limit, hand = study.variant.rules.skull_limit, study.variant.rules.dice
    rows = [
        {"dice": dice, "colours": colours, "bust": float(chance), "expected_skulls": float(exact.expected_skulls(dice))}
        for dice, colours, chance in exact.bust_table(limit)
        if dice <= hand
    ]
    note = "Exact: ((5 - colours) / 6) ^ dice, since a die is useless if it shows a skull or a colour out of reach."
    if limit:
        note = (
            f"Exact: the throw shows no die of a colour in reach and no raccoon, or {skulls_end(limit)}. No skull is set "
            "aside before it."
        )
    note += " With no colour in reach every throw is a bust."
    return Table("bust", "Chance that a throw is a bust", pd.DataFrame(rows), True, note, percent=("bust",))


def skulls_end(limit: int) -> str:
    """What a limit of skulls means, in words."""
    return f"{limit} skulls in a turn end it" if limit > 1 else "a single skull ends the turn"


def release(study: Study) -> Table:
    """Chance to release a treasure of each size that the rules have."""
    rules: Rules = study.variant.rules
    limit = rules.skull_limit
    rows = [
        {
            "treasure": SIZE_NAMES[size],
            "needs": size,
            "dice": dice,
            "one_roll": float(at_once),
            "several_rolls": float(chance),
        }
        for size, dice, at_once, chance in exact.release_table(limit)
        if dice <= rules.dice and rules.size_counts[size - 1]
    ]
    note = (
        "Exact, for one chamber alone: a die fits with chance 1/3 (its colour or the raccoon). 'one roll' counts the first roll "
        "only; otherwise the player rolls on, placing dice only there, until it is released or no die fits."
    )
    if limit:
        note += f" {skulls_end(limit)[0].upper()}{skulls_end(limit)[1:]}, which is counted; no skull is set aside yet."
    return Table(
        "release", "Chance to release a treasure", pd.DataFrame(rows), True, note, percent=("one_roll", "several_rolls")
    )


def turn(study: Study) -> Table:
    """Stop or roll, by dice left and points at stake."""
    players = study.numbers_of_players(PLAYERS)[-1]
    games = solved_games(study)
    made, _ = sampled.decisions(study, players, games)
    table = turn_table(study, made, games, players)
    if table.frame.empty:
        raise InputError(f"table: turn: {no_decisions(study, games)}")
    return table


def no_decisions(study: Study, games: int) -> str:
    """Why there is no row about rolling again."""
    if study.variant.rules.dice == 1:
        return "with one die every turn is one roll, and nobody can roll again"
    return f"too few decisions to roll again or stop came up in {games} games"


def solved_games(study: Study) -> int:
    """Games whose every turn is solved, for the number of games that the study asks for."""
    return max(sampled.MIN_GAMES, study.games // 100)


def turn_table(study: Study, made: pd.DataFrame, games: int, players: int) -> Table:
    """The table ``turn`` from decisions already sampled."""
    capped = made.assign(stake=made["stake"].clip(upper=MANY_POINTS), gain=made["roll"] - made["stake"])
    rows = []
    for (dice, stake), group in capped.groupby(["dice", "stake"]):
        if len(group) < RARE * len(made) or len(set(group["game"])) < 2:
            continue
        by_game = group.groupby("game")["gain"].agg(["sum", "count"])
        gain = ratio_of(by_game["sum"], by_game["count"])
        rows.append(
            {
                "dice": dice,
                "stake": f"{stake} or more" if stake == MANY_POINTS else str(stake),
                "positions": len(group),
                "bust": float(group["bust"].mean()),
                "rolling_right": float((group["gain"] > 0).mean()),
                "wrong_costs": float(group["gain"].abs().mean()),
                "gain": gain.value,
                "low": gain.low,
                "high": gain.high,
                "games": games,
                "seed": study.seed,
            }
        )
    note = study.simulated([games]) + (
        f" Positions are those of {players}-player games in which every turn is played best; what is said of each position is "
        "exact. 'bust': the next roll alone; 'rolling right': share of the positions in which rolling beats stopping; 'gain': "
        "expected points of rolling (then playing best) minus those of stopping; 'wrong costs': points that the worse of "
        "the two choices costs, on average over all positions of the row. Rows that hold less than one in "
        f"{1 / RARE:,.0f} decisions are left out."
    )
    return Table(
        "turn", "Roll again or stop?", pd.DataFrame(rows, columns=TURN_COLUMNS), False, note,
        percent=("bust", "rolling_right"),
        headings={"dice": "dice left"},
    )  # fmt: skip


def stop_limits(made: pd.DataFrame) -> dict[int, int]:
    """The best rule that looks only at dice left and points at stake: stop from so many points on, by dice left.

    For each number of dice the limit that costs least over the decisions given, each cost being exact.
    """
    found = {}
    for dice, group in made.groupby("dice"):
        limits = range(1, int(group["stake"].max()) + 2)
        found[int(dice)] = min((float(rule_costs(group, limit).sum()), limit) for limit in limits)[1]
    return found


def rule_costs(made: pd.DataFrame, limit: Any) -> Any:
    """What stopping from ``limit`` points on, else rolling, costs against the exact decision, by decision."""
    gain = made["roll"] - made["stake"]
    return gain.clip(lower=0).where(made["stake"] >= limit, (-gain).clip(lower=0))


def stop_rule(study: Study, limits: Mapping[int, int], made: pd.DataFrame, turns: pd.DataFrame) -> Table:
    """What a rule costs, from decisions and turns of games that follow it."""
    played = turns.groupby("game").size()
    rows = []
    for dice, group in made.groupby("dice"):
        limit = limits.get(int(dice), NEVER)
        by_game = rule_costs(group, limit).groupby(group["game"]).sum().reindex(played.index, fill_value=0.0)
        costs = ratio_of(by_game, played, 0)
        rows.append(
            {
                "dice": dice,
                "stop_from": str(limit) if limit <= group["stake"].max() else "never",
                "decisions": len(group) / len(turns),
                "costs": costs.value,
                "low": costs.low,
                "high": costs.high,
                "games": len(played),
                "seed": study.seed,
            }
        )
    note = study.simulated([len(played)]) + (
        " Stop if at least so many points are at stake; each limit is the one that costs least over the positions of best play. "
        "'costs': points per turn that the limit loses, in games that follow the rule and place dice best; each loss is exact. "
        "'decisions': per turn."
    )
    title = "The best rule that looks only at dice left and points at stake"
    headings = {"dice": "dice left", "stop_from": "stop from points"}
    return Table("stop_rule", title, pd.DataFrame(rows), False, note, headings=headings)


def opening(study: Study) -> Table:
    """Value of the first turn by what lies beside the entrance."""
    temples = max(sampled.MIN_GAMES, study.games // 20)
    return opening_table(study, *sampled.openings(study, temples))


def opening_table(study: Study, values: Any, around: Any) -> Table:
    """The table ``opening`` from temples already sampled."""
    temples = len(values)
    beside = np.sort(np.where(around > 0, around & 3, 0), axis=2)
    bits = np.where(around > 0, 1 << (around >> 2), 0)
    colours = np.array([number.bit_count() for number in range(16)])[np.bitwise_or.reduce(bits, axis=2)]
    frame = pd.DataFrame(
        {
            "temple": np.repeat(np.arange(temples), values.shape[1]),
            "beside": [" + ".join(SIZE_NAMES[size] for size in sizes if size) for sizes in beside.reshape(-1, 4)],
            "sizes": (beside * [1000, 100, 10, 1]).sum(axis=2).ravel(),
            "colours": colours.ravel(),
            "value": values.ravel(),
        }
    )

    def row(what: str, colours: str, share: float, estimate: Estimate) -> dict[str, Any]:
        interval = {"low": estimate.low, "high": estimate.high, "games": temples, "seed": study.seed}
        return {"beside": what, "colours": colours, "share": share, "value": estimate.value, **interval}

    rows = [row("best entrance of the temple", "", 1 / values.shape[1], mean_of(values.max(axis=1), 0))]
    rows.append(row("any entrance", "", 1.0, mean_of(values.mean(axis=1), 0)))
    for (_, what, different), group in frame.groupby(["sizes", "beside", "colours"]):
        by_temple = group.groupby("temple")["value"].agg(["sum", "count"])
        estimate = ratio_of(by_temple["sum"], by_temple["count"], 0)
        rows.append(row(what, str(different), len(group) / len(frame), estimate))
    note = study.simulated([temples]).replace("games,", "random temples,") + (
        " The value of each entrance of each temple is exact: expected points of the first turn under best play. 'beside' "
        "are the treasures next to the entrance, 'colours' how many different colours they have, 'share' how often it is so."
    )
    return Table(
        "opening", "Where to begin?", pd.DataFrame(rows), False, note, percent=("share",),
        headings={"games": "temples", "value": "points of the turn"},
    )  # fmt: skip


def thumb(study: Study) -> Table:
    """What each policy makes of the same turns."""
    players = study.numbers_of_players(PLAYERS)[-1]
    contenders = every_policy(study)
    games = sampled.affordable(study, contenders)
    return thumb_table(study, sampled.contest(study, players, contenders, games), contenders, games, players)


def every_policy(study: Study) -> tuple[Chosen, ...]:
    """The exact turn first, then the rest of the roster, and what else the user named."""
    names = [sampled.EXACT, *(name for name in study.game.roster if name != sampled.EXACT)]
    known = [study.game.lineup((name,), 2)[0] for name in names]
    return (*known, *dict.fromkeys(chosen for chosen in study.lineup if chosen not in known))


def thumb_table(study: Study, turns: pd.DataFrame, contenders: Sequence[Chosen], games: int, players: int) -> Table:
    """The table ``thumb`` from turns already played."""
    by_game = turns.groupby("game")
    counts, totals = by_game.size(), by_game.sum()
    rows: list[dict[str, Any]] = []
    for number, chosen in enumerate(contenders):
        points = ratio_of(totals[f"points_{number}"], counts, 0)
        # no policy can do better than the exact turn, however lucky it was
        loss = ratio_of(totals["points_0"] - totals[f"points_{number}"], counts).within(0, math.inf)
        rows.append(
            {
                "policy": str(chosen),
                "bust": float(turns[f"bust_{number}"].mean()),
                "points": points.value,
                "points_low": points.low,
                "points_high": points.high,
                "loss": loss.value,
                "low": loss.low,
                "high": loss.high,
                "idea": chosen.policy.idea,
                "games": games,
                "seed": study.seed,
            }
        )
    rows.sort(key=lambda row: float(row["loss"]))
    note = study.simulated([games]) + (
        f" Every policy plays each of {len(turns):,} turns from the same position on the same dice; the positions are "
        f"those of {players}-player games that '{contenders[0]}' plays. 'points': per turn; 'loss': against '{contenders[0]}', "
        "turn by turn."
    )
    lost: dict[tuple[str, ...], Floats] = {
        ("loss", str(chosen)): (totals["points_0"] - totals[f"points_{number}"]).to_numpy(float)
        for number, chosen in enumerate(contenders)
    }
    evidence = {("turns",): counts.to_numpy(float), **lost}
    title = "What is a rule of thumb worth?"
    return Table("thumb", title, pd.DataFrame(rows), False, note, percent=("bust",), evidence=evidence)


ODDS = {
    "bust": OddsTable("How likely is a bust, with n dice and k colours in reach?", bust),
    "release": OddsTable("How likely do I release a small, medium or large treasure?", release),
    "turn": OddsTable("Roll again or stop, with n dice left and p points at stake?", turn),
    "opening": OddsTable("What is the first turn worth, by what lies beside the entrance?", opening),
    "thumb": OddsTable("How many points per turn does each rule bring, how many less than best play?", thumb),
}
