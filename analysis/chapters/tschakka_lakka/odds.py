"""Odds tables of Tschakka Lakka: closed forms, and the exact turn over positions met in play."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.balance import label
from analysis.chapter import OddsTable, Study
from analysis.chapters.tschakka_lakka import sampled
from analysis.estimates import Estimate, mean_of, ratio_of
from analysis.measures import Column, Floats, Measured, ratio
from analysis.tables import BOUNDS, Table
from sims.engine.errors import InputError
from sims.engine.game import Chosen
from sims.tschakka_lakka import exact
from sims.tschakka_lakka.rules import SIZE_NAMES, Rules

#: Points at stake from here on are one row; rows that hold a smaller share of the decisions say nothing.
MANY_POINTS, RARE = 12, 1e-4
#: More points than a turn can bring.
NEVER = 1000
#: Numbers of players whose games positions are taken from.
PLAYERS = (4,)
DICE_LEFT = Column("dice", "dice left", kind="key")


# -- closed forms ----------------------------------------------------------------------------------------------

BUST = (
    Column("dice", kind="key"),
    Column(
        "colours", kind="key", meaning="different colours of the treasures in reach; with none every throw is a bust"
    ),
    Column("bust", kind="share"),
    Column("expected_skulls"),
)


def bust(study: Study) -> Table:
    """Chance that a throw ends the turn."""
    limit, hand = study.variant.rules.skull_limit, study.variant.rules.dice
    rows = [
        {"dice": dice, "colours": colours, "bust": float(chance), "expected_skulls": float(exact.expected_skulls(dice))}
        for dice, colours, chance in exact.bust_table(limit)
        if dice <= hand
    ]
    method = "Exact: ((5 - colours) / 6) ^ dice, since a die is useless if it shows a skull or a colour out of reach."
    if limit:
        method = (
            f"Exact: the throw shows no die of a colour in reach and no raccoon, or {skulls_end(limit)}. No skull is set "
            "aside before it."
        )
    return Table.of("bust", "Chance that a throw is a bust", BUST, rows, method=method)


def skulls_end(limit: int) -> str:
    """What a limit of skulls means, in words."""
    return f"{limit} skulls in a turn end it" if limit > 1 else "a single skull ends the turn"


RELEASE = (
    Column("treasure", kind="key"),
    Column("needs"),
    Column("dice", kind="key"),
    Column("one_roll", kind="share", meaning="with the first roll"),
    Column(
        "several_rolls",
        kind="share",
        meaning="rolling on, with dice placed only there, until it is released or no die fits",
    ),
)


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
    method = "Exact, for one chamber alone: a die fits with chance 1/3 (its colour or the raccoon)."
    if limit:
        method += (
            f" {skulls_end(limit)[0].upper()}{skulls_end(limit)[1:]}, which is counted; no skull is set aside yet."
        )
    return Table.of("release", "Chance to release a treasure", RELEASE, rows, method=method)


# -- stop or roll ----------------------------------------------------------------------------------------------


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


TURN = (
    DICE_LEFT,
    Column("stake", "points at stake", kind="key"),
    Column("positions"),
    Column("bust", kind="share", meaning="chance that the next roll is one"),
    Column("rolling_right", kind="share", meaning="positions in which rolling beats stopping"),
    Column("wrong_costs", meaning="points that the worse choice costs, on average over the row"),
    Column("gain", meaning="expected points of rolling (then playing best) minus those of stopping"),
)


def turn_table(study: Study, made: pd.DataFrame, games: int, players: int) -> Table:
    """The table ``turn`` from decisions already sampled."""
    capped = made.assign(stake=made["stake"].clip(upper=MANY_POINTS), gain=made["roll"] - made["stake"])
    rows = []
    for (dice, stake), group in capped.groupby(["dice", "stake"]):
        if len(group) < RARE * len(made) or len(set(group["game"])) < 2:
            continue
        by_game = group.groupby("game")["gain"].agg(["sum", "count"])
        rows.append(
            {
                "dice": dice,
                "stake": f"{stake} or more" if stake == MANY_POINTS else str(stake),
                "positions": len(group),
                "bust": float(group["bust"].mean()),
                "rolling_right": float((group["gain"] > 0).mean()),
                "wrong_costs": float(group["gain"].abs().mean()),
                "gain": replace(ratio(by_game["sum"], by_game["count"], study.seed), games=games),
            }
        )
    remark = (
        f"Positions are those of {players}-player games in which every turn is played best; what is said of each position is "
        f"exact. Rows that hold less than one in {1 / RARE:,.0f} decisions are left out."
    )
    return Table.of("turn", "Roll again or stop?", TURN, rows, remark=remark)


def rule_costs(made: pd.DataFrame, limit: Any) -> Any:
    """What stopping from ``limit`` points on, else rolling, costs against the exact decision, by decision."""
    gain = made["roll"] - made["stake"]
    return gain.clip(lower=0).where(made["stake"] >= limit, (-gain).clip(lower=0))


def stop_limits(made: pd.DataFrame) -> dict[int, int]:
    """The best rule that looks only at dice left and points at stake: stop from so many points on, by dice left.

    For each number of dice the limit that costs least over the decisions given, each cost being exact.
    """
    found = {}
    for dice, group in made.groupby("dice"):
        limits = range(1, int(group["stake"].max()) + 2)
        found[int(dice)] = min((float(rule_costs(group, limit).sum()), limit) for limit in limits)[1]
    return found


def as_cheap(made: pd.DataFrame, limits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """By dice left, the lowest and the highest limit whose cost the decisions cannot tell from that of the rule."""
    found = {}
    for dice, group in made.groupby("dice"):
        best, near = limits[int(dice)], []
        for limit in range(1, int(group["stake"].max()) + 2):
            dearer = rule_costs(group, limit) - rule_costs(group, best)
            by_game = dearer.groupby(group["game"]).agg(["sum", "count"])
            if limit == best or not ratio_of(by_game["sum"], by_game["count"]).low > 0:
                near.append(limit)
        found[int(dice)] = min(near), max(near)
    return found


STOP_RULE = (
    DICE_LEFT,
    Column("stop_from", "stop from points", kind="text"),
    Column("or_from", "or from", kind="text", meaning="limits whose cost is not told from that of this one"),
    Column("decisions", meaning="per turn"),
    Column("costs", meaning="points per turn that the limit loses against the exact decision; each loss is exact"),
)


def stop_rule(
    study: Study,
    limits: Mapping[int, int],
    near: Mapping[int, tuple[int, int]],
    made: pd.DataFrame,
    turns: pd.DataFrame,
) -> Table:
    """What a rule costs, from decisions and turns of games that follow it."""
    rows = []
    for dice, group in made.groupby("dice"):
        limit, most = limits.get(int(dice), NEVER), group["stake"].max()
        low, high = near.get(int(dice), (limit, limit))
        rows.append(
            {
                "dice": dice,
                "stop_from": str(limit) if limit <= most else "never",
                "or_from": "" if low == high or limit > most else f"{low} {'or' if high == low + 1 else 'to'} {high}",
                "decisions": len(group) / len(turns),
                "costs": rule_price(study, {int(dice): limit}, group, turns),
            }
        )
    remark = "The limits come from positions of best play, their costs from fresh games that follow them and place dice best."
    title = "A rule that looks only at dice left and points at stake"
    return Table.of("stop_rule", title, STOP_RULE, rows, remark=remark)


def rule_price(study: Study, limits: Mapping[int, int], made: pd.DataFrame, turns: pd.DataFrame) -> Measured:
    """Points per turn that a rule loses against exact decisions."""
    played = turns.groupby("game").size()
    costs = rule_costs(made, made["dice"].map(limits).fillna(NEVER))
    return ratio(costs.groupby(made["game"]).sum().reindex(played.index, fill_value=0.0), played, study.seed, 0)


# -- where to begin --------------------------------------------------------------------------------------------

OPENING = (
    Column("beside", kind="key", meaning="the treasures next to the entrance"),
    Column("colours", kind="key", meaning="how many different colours they have"),
    Column("share", kind="share", meaning="how often it is so"),
    Column("value", "points of the turn", "expected, under best play; exact for each entrance of each temple"),
)


def opening(study: Study) -> Table:
    """Value of the first turn by what lies beside the entrance."""
    temples = max(sampled.MIN_GAMES, study.games // 20)
    return opening_table(study, *sampled.openings(study, temples))


def opening_table(study: Study, values: Any, sizes: Any, colours: Any) -> Table:
    """The table ``opening`` from temples already sampled, as :func:`sims.tschakka_lakka.samples.openings` tells them."""
    temples = len(values)
    frame = pd.DataFrame(
        {
            "temple": np.repeat(np.arange(temples), values.shape[1]),
            "beside": [" + ".join(SIZE_NAMES[size] for size in each if size) for each in sizes.reshape(-1, 4)],
            "sizes": (sizes * [1000, 100, 10, 1]).sum(axis=2).ravel(),
            "colours": colours.ravel(),
            "value": values.ravel(),
        }
    )

    def row(what: str, colours: str, share: float, estimate: Estimate) -> dict[str, Any]:
        value = Measured(estimate, temples, study.seed)
        return {"beside": what, "colours": colours, "share": share, "value": value}

    rows = [row("best entrance of the temple", "", 1 / values.shape[1], mean_of(values.max(axis=1), 0))]
    rows.append(row("any entrance", "", 1.0, mean_of(values.mean(axis=1), 0)))
    for (_, what, different), group in frame.groupby(["sizes", "beside", "colours"]):
        by_temple = group.groupby("temple")["value"].agg(["sum", "count"])
        estimate = ratio_of(by_temple["sum"], by_temple["count"], 0)
        rows.append(row(what, str(different), len(group) / len(frame), estimate))
    method = f"Simulated: {temples:,} random temples, seed {study.seed}; {BOUNDS}."
    return Table.of("opening", "Where to begin?", OPENING, rows, method=method)


# -- rules of thumb --------------------------------------------------------------------------------------------

THUMB = (
    Column("policy", kind="policy"),
    Column("bust", "busts", kind="share", meaning="turns that end in one"),
    Column("points", meaning="per turn, with the ends of the 95 % interval", digits=2),
    Column("points_low", "at least", digits=2),
    Column("points_high", "at most", digits=2),
    Column("loss", meaning="points per turn less than the first of the table has, turn by turn"),
    Column("idea", kind="text"),
)


def thumb(study: Study) -> Table:
    """What each policy makes of the same turns."""
    players = study.numbers_of_players(PLAYERS)[-1]
    contenders = every_policy(study)
    games = sampled.affordable(study, contenders)
    return thumb_table(study, sampled.contest(study, players, contenders, games), contenders, players)


def every_policy(study: Study) -> tuple[Chosen, ...]:
    """The exact turn first, then the rest of the roster, and what else the user named."""
    names = [sampled.EXACT, *(name for name in study.game.roster if name != sampled.EXACT)]
    known = [study.game.lineup((name,), 2)[0] for name in names]
    return (*known, *dict.fromkeys(chosen for chosen in study.lineup if chosen not in known))


def thumb_table(study: Study, turns: pd.DataFrame, contenders: Sequence[Chosen], players: int) -> Table:
    """The table ``thumb`` from turns already played; its evidence are turns and points lost of each game."""
    by_game = turns.groupby("game")
    counts, totals = by_game.size(), by_game.sum()
    rows: list[dict[str, Any]] = []
    evidence: dict[tuple[str, ...], Floats] = {("turns",): counts.to_numpy(float)}
    for number, chosen in enumerate(contenders):
        points, lost = totals[f"points_{number}"], totals["points_0"] - totals[f"points_{number}"]
        evidence[label(chosen),] = lost.to_numpy(float)
        collected, loss = ratio_of(points, counts, 0), ratio(lost, counts, study.seed)
        rows.append(
            {
                "policy": label(chosen),
                "bust": float(turns[f"bust_{number}"].mean()),
                "points": collected.value,
                "points_low": collected.low,
                "points_high": collected.high,
                # no policy can do better than the exact turn, however lucky it was
                "loss": replace(loss, estimate=loss.estimate.within(0, math.inf)),
                "idea": chosen.policy.idea,
            }
        )
    rows.sort(key=lambda row: float(row["loss"].value))
    remark = (
        f"All play each of {len(turns):,} turns from the same position on the same dice; the positions are those of "
        f"{players}-player games that '{label(contenders[0])}' plays."
    )
    return replace(Table.of("thumb", "What is a rule of thumb worth?", THUMB, rows, remark=remark), evidence=evidence)


ODDS = {
    "bust": OddsTable("How likely is a bust, with n dice and k colours in reach?", bust),
    "release": OddsTable("How likely do I release a small, medium or large treasure?", release),
    "turn": OddsTable("Roll again or stop, with n dice left and p points at stake?", turn),
    "opening": OddsTable("What is the first turn worth, by what lies beside the entrance?", opening),
    "thumb": OddsTable("How many points per turn does each rule bring, how many less than best play?", thumb),
}
