"""Known answers: what is solved exactly, what symmetry demands, and what is counted in closed form, against simulation."""

from collections.abc import Iterator
from math import comb, sqrt

import numpy as np

from analysis import estimates, frames
from analysis.chapter import Check, Study
from analysis.chapters.kazaam_dice import balance, odds
from analysis.chapters.kazaam_dice.words import ENDINGS
from analysis.measures import of_seats
from sims.engine.batch import Batch
from sims.engine.dice import SeededDice
from sims.kazaam_dice import changed, traces
from sims.kazaam_dice.exact import Turn
from sims.kazaam_dice.players import connects_now
from sims.kazaam_dice.position import load
from sims.kazaam_dice.rules import ENDS, PASSES
from sims.kazaam_dice.scatter import chain_chances
from sims.kazaam_dice.whole import uniform_play

#: Turns played out from a position, which the slow reference does, and boards of scattered dice.
TURNS, BOARDS = 400, 20_000
#: How many dice are scattered: enough to connect now and then.
SCATTERED = 28


def checks(study: Study) -> Iterator[Check]:
    """All known answers, quick ones first."""
    yield from element_checks(study)
    yield scatter_check(study)
    yield from whole_checks(study)
    yield from turn_checks(study)
    yield from game_checks(study)


def element_checks(study: Study) -> Iterator[Check]:
    """Each creature comes up equally often over all ways to tip, so burning is a matter of counting creatures."""
    table, rules = odds.elements(study), study.variant.rules
    for name, allowed in zip(odds.kinds_of(study), (rules.fire, rules.water), strict=True):
        source = "6 creatures, each up after 16 of the 96 tips"
        told = f"tips of a die at random: {table.heading(name)}"
        yield Check(told, source, 1 - len(allowed) / 6, float(table.frame[name].mean()))


def scatter_check(study: Study) -> Check:
    """Chains of scattered dice: counted by transfer matrix, and thrown onto boards."""
    rules = study.variant.rules
    board = rules.load_board()
    alchemist, free = min(board.alchemists), len(board.fields) - 1
    number = min(SCATTERED, free - 1)
    expected = float(chain_chances(rules, alchemist)[number])
    got = traces.scattered_share(rules, alchemist, number, BOARDS, study.seed)
    name = f"{number} dice scattered at random connect alchemist {alchemist}"
    return share_check(name, f"counted exactly; {comb(free, number):.1e} boards", expected, got, BOARDS)


def whole_checks(study: Study) -> Iterator[Check]:
    """A tiny game of two solved whole against random play of the kernel."""
    players, variant = 2, study.game.variant("pair")
    with study.watch.task("solving a tiny game whole", 1) as progress:
        solved = uniform_play(variant.rules, players)
        progress(1)
    lineup = (study.game.policy("random"),) * players
    played = study.play("random games of the tiny game", variant=variant, lineup=lineup, records=True)
    source = "value iteration over every position"
    for code, end in enumerate(ENDS[:PASSES]):
        chance = float(solved.ends[code])
        if 0 < chance < 1:
            got = float(played.histograms["end"][code] / played.games)
            yield share_check(f"variant pair: {ENDINGS[end]}", source, chance, got, played.games)
    yield mean_check("variant pair: mean turns", source, solved.turns, played, "turns")
    for seat in range(players):
        points = float(solved.points[seat])
        yield mean_check(f"variant pair: mean points of seat {seat + 1}", source, points, played, f"score_{seat + 1}")


def mean_check(name: str, source: str, expected: float, played: Batch, column: str) -> Check:
    """The mean of a record's column against its exact value."""
    found = frames.mean(played, column)
    return Check(name, source, expected, found.value, found.half_width / estimates.Z95, played.games)


def turn_checks(study: Study) -> Iterator[Check]:
    """The solved turn against turns played out; without the favourite chip a shortest-way policy plays them best."""
    standard = study.game.variant()
    shipped = load(standard.rules, study.game.folder / "positions" / "one_to_go.toml")
    for rerolls in (0, 1, 2):
        state = shipped.copy()
        state.favourite[state.seat], state.others[state.seat] = 0, rerolls
        chance = float(Turn(state).chance)
        with study.watch.task(f"playing a turn with {rerolls} chips", TURNS) as progress:
            found = 0
            for game in range(TURNS):
                found += connects_now(state, study.game.policy("runner"), SeededDice(study.seed, game))
                progress(1)
        name = f"one die missing, {rerolls} chip{'s' * (rerolls != 1)}: finishes this turn"
        yield share_check(name, "36 rolls, chips included", chance, found / TURNS, TURNS)


def game_checks(study: Study) -> Iterator[Check]:
    """Whole games on the standard board: doubles, symmetry, and the compiled game against the readable one."""
    standard = study.game.variant()
    board = standard.rules.load_board()
    runner = study.game.lineup(["runner"], 4)
    played = study.play("games of runners", variant=standard, lineup=runner, records=True)
    records = frames.records(played)
    rolls = int(balance.rolls(records).sum())
    rate = records["doubles"].sum() / rolls
    yield share_check("doubles among all rolls", "6 of 36", 1 / 6, float(rate), played.games, trials=rolls)
    with changed.on_board(standard, changed.seated(board, (2, 3, 4, 1))) as turned:
        again = study.play("the same, seats turned", variant=turned, lineup=runner, records=True)
    differ = float((played.records != again.records).any(axis=1).sum()) if played.records is not None else np.nan
    source = "a quarter turn maps the board onto itself"
    yield Check("games that differ when alchemist 2 begins instead of 1", source, 0.0, differ)
    gone = records[["burnt", "drowned"]].sum(axis=1) + of_seats(records, "taken")
    wrong = int((records["dice"] != records["placed"] - gone).sum())
    yield Check("games that lose or gain a die", "placed = on the board + burnt + drowned + taken", 0.0, wrong)


def share_check(name: str, source: str, chance: float, got: float, games: int, trials: int = 0) -> Check:
    """A share of ``trials`` against its chance; as many as there are games, unless told otherwise."""
    error = sqrt(chance * (1 - chance) / (trials or games))
    return Check(name, source, chance, got, error, games, between=(0, 1))
