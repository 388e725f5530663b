"""Luck against skill: who wins how often, and which share of the outcome the dice make."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from analysis import balance, estimates, frames
from analysis.balance import TO_TELL, label, to_tell
from analysis.chapter import Study
from analysis.chapters.tschakka_lakka import sampled
from analysis.claims import Floats
from analysis.measures import Column, Measured, mean
from analysis.tables import Table
from sims.engine.game import Chosen

#: Fields of players whose games are analysed, weakest first.
FIELDS = {
    "any": ("random", "timid", "dice", sampled.STRONGEST),
    "sensible": ("dice", "odds", "card", sampled.STRONGEST),
}
#: Numbers of players of duels, and the simple policies that the exact turn meets there.
PLAYERS, SIMPLE = (2, 4), ("random", "timid")
#: Parts of a sample whose spread gives the interval.
PARTS = 20

DUEL = (
    balance.PLAYERS,
    Column("policy", kind="policy"),
    Column("against", kind="policy"),
    Column("fair", "fair share", kind="share", digits=0),
    Column("margin", meaning="mean points ahead of the best other seat", digits=1),
    *TO_TELL,
    Column("win_rate", kind="share", meaning="a shared win counts as half a win, or a third"),
)


def others(study: Study) -> list[str]:
    """All policies but the strongest."""
    return [name for name in study.game.roster if name != sampled.STRONGEST]


def wins(study: Study) -> Table:
    """Win rate of the strongest policy against all others."""
    return duels(study, "skill", "Does skill win?", sampled.STRONGEST, others(study))


def wins_of_exact_turns(study: Study) -> Table:
    """Win rate of the exact turn against simple rules."""
    return duels(study, "exact_turn", "Does the exact turn win?", sampled.EXACT, SIMPLE)


def duels(study: Study, name: str, title: str, hero: str, others: Sequence[str]) -> Table:
    """Win rate of one policy, alone against seats that all play another, rotated over the seats."""
    strong, rows = study.game.lineup((hero,), 2)[0], []
    for players, weak in product(study.numbers_of_players(PLAYERS), others):
        won, margins = against(study, players, strong, study.game.lineup((weak,), 2)[0])
        rows.append(
            {
                "players": players,
                "policy": label(strong),
                "against": weak,
                "fair": 1 / players,
                "margin": float(margins.mean()),
                **to_tell(won - 1 / players, players),
                "win_rate": mean(won, study.seed, 0, 1),
            }
        )
    remark = (
        f"One seat plays '{label(strong)}', all others the other policy; each game is played once from every seat on the same "
        "dice. A player is ahead with more than a fair share of the wins."
    )
    return Table.of(name, title, DUEL, rows, remark=remark)


def against(study: Study, players: int, strong: Chosen, weak: Chosen) -> tuple[Floats, Floats]:
    """What ``strong`` wins among ``weak``, and its margin: ``float64[game]`` each, means over the seats that it plays from."""
    games = sampled.affordable(study, [strong, weak], 0.25)
    won, margins = np.zeros(games), np.zeros(games)
    for seat in range(players):
        lineup = [weak] * players
        lineup[seat] = strong
        share, margin = results(study, lineup, games, seat)
        won += share / players
        margins += margin / players
    return won, margins


def results(study: Study, lineup: Sequence[Chosen], games: int, seat: int) -> tuple[Floats, Floats]:
    """What a seat got of each game (1 a win, 1/2 a win shared by two, ..., 0), and its points ahead of the best other."""
    players = len(lineup)
    names = ", ".join(map(label, lineup))
    records = frames.records(study.play(names, lineup=lineup, games=games, records=True))
    winners = records["winners"].to_numpy()
    number = np.array([mask.bit_count() for mask in range(1 << players)])
    share = (winners >> seat & 1) / np.maximum(number[winners], 1)
    scores = records[[f"score_{each + 1}" for each in range(players)]].to_numpy()
    best = np.delete(scores, seat, axis=1).max(axis=1)
    return share, (scores[:, seat] - best).astype(float)


LUCK = (
    Column("field", kind="key"),
    Column("population", kind="policy", meaning="the policies of which two are drawn"),
    Column("result", kind="key", meaning="'win' of the first seat, or its 'margin' in points"),
    Column("who_plays", kind="share", meaning="variance between the pairs of players, which is skill"),
    Column("same_dice", kind="share", meaning="what dice and temple do whoever plays"),
    Column("rest", kind="share", meaning="what they do for this pair"),
    Column("dice_share", kind="share", meaning="all but who plays"),
)


def luck(study: Study) -> Table:
    """Which share of the variance of a result the dice make.

    Two players are drawn from a field, each game is played by every ordered pair of the field on the same dice and the same
    temple: ``y[pair, game]``. The variance of y splits exactly (two-way analysis of variance) into that of the pairs'
    means (who plays: skill), that of the games' means (dice and temple, whoever plays), and the rest (what these dice do
    for this pair). All but the first is luck.
    """
    pairs = list(dict.fromkeys(pair for field in FIELDS.values() for pair in product(field, repeat=2)))
    chosen = {pair: study.game.lineup(pair, 2) for pair in pairs}
    games = min(sampled.affordable(study, lineup, 0.15) for lineup in chosen.values())
    found = {pair: results(study, lineup, games, 0) for pair, lineup in chosen.items()}
    rows = []
    for (field, names), (which, result) in product(FIELDS.items(), enumerate(("win", "margin"))):
        table = np.array([found[pair][which] for pair in product(names, repeat=2)])
        parts = [variance_shares(part) for part in np.array_split(table, min(PARTS, games // 2), axis=1)]
        whole = variance_shares(table)
        skill = [part[0] for part in parts if not math.isnan(part[0])]
        error = float(np.std(skill, ddof=1)) / math.sqrt(len(skill)) if len(skill) > 1 else math.nan
        dice = estimates.interval(1 - whole[0], error, len(skill), 0, 1)
        rows.append(
            {
                "field": field,
                "population": ", ".join(names),
                "result": result,
                "who_plays": whole[0],
                "same_dice": whole[1],
                "rest": whole[2],
                "dice_share": Measured(dice, games, study.seed),
            }
        )
    remark = "Two players; every ordered pair of the population plays the same dice in the same temples."
    return Table.of("luck", "How much is luck?", LUCK, rows, remark=remark)


def variance_shares(results: NDArray[np.float64]) -> tuple[float, float, float]:
    """Shares of the variance of ``results[pair, game]``: means of pairs, means of games, the rest; none if all are equal.

    Examples
    --------
    >>> variance_shares(np.array([[0.0, 1.0], [1.0, 2.0]]))
    (0.5, 0.5, 0.0)
    """
    whole = float(results.var())
    pairs, games = float(results.mean(axis=1).var()), float(results.mean(axis=0).var())
    if whole == 0:
        return math.nan, math.nan, math.nan
    return pairs / whole, games / whole, max(0.0, (whole - pairs - games) / whole)
