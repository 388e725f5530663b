"""Known answers: what is solved exactly, what symmetry demands, and what is counted in closed form, against simulation."""

from collections.abc import Iterator
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from analysis import estimates, frames
from analysis.chapter import Check, Study
from analysis.chapters.kazaam_dice import changed, odds
from sims.engine.batch import Batch
from sims.engine.dice import SeededDice
from sims.kazaam_dice.board import Board
from sims.kazaam_dice.exact import Turn
from sims.kazaam_dice.players import RosterPlayer
from sims.kazaam_dice.position import load
from sims.kazaam_dice.reference import Playthrough, Used, play
from sims.kazaam_dice.rules import ENDS, PASSES
from sims.kazaam_dice.scatter import chain_chances
from sims.kazaam_dice.state import State
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
    for name, allowed in zip(table.percent, (rules.fire, rules.water), strict=True):
        source = "6 creatures, each up after 16 of the 96 tips"
        told = f"tips of a die at random: {table.heading(name)}"
        yield Check(told, source, 1 - len(allowed) / 6, float(table.frame[name].mean()))


def scatter_check(study: Study) -> Check:
    """Chains of scattered dice: counted by transfer matrix, and thrown onto boards."""
    rules = study.variant.rules
    board = rules.load_board()
    alchemist = min(board.alchemists)
    free = np.array([field for field in board.fields if field != board.centre])
    number = min(SCATTERED, len(free) - 1)
    expected = float(chain_chances(rules, alchemist)[number])
    order = np.random.default_rng(study.seed).random((BOARDS, len(free))).argsort(axis=1)[:, :number]
    held = np.zeros((BOARDS, len(board.fields)), bool)
    np.put_along_axis(held, free[order], True, axis=1)
    if rules.chain_ends == "beside":
        held[:, [board.alchemists[alchemist], board.targets[alchemist]]] = True
    got = float(joined(board, held, board.alchemists[alchemist], board.targets[alchemist]).mean())
    name = f"{number} dice scattered at random connect alchemist {alchemist}"
    return Check(
        name,
        f"counted exactly; {comb(len(free), number):.1e} boards",
        expected,
        got,
        error(expected, BOARDS),
        BOARDS,
        between=(0, 1),
    )


def joined(board: Board, held: NDArray[np.bool_], start: int, goal: int) -> NDArray[np.bool_]:
    """Whether a chain of held fields joins two fields, ``held[board, field]``: a plain flood in numpy."""
    grid = held.reshape(len(held), board.rows, board.columns)
    chain = np.zeros_like(grid)
    chain[:, start // board.columns, start % board.columns] = held[:, start]
    while True:
        grown = chain.copy()
        grown[:, 1:] |= chain[:, :-1]
        grown[:, :-1] |= chain[:, 1:]
        grown[:, :, 1:] |= chain[:, :, :-1]
        grown[:, :, :-1] |= chain[:, :, 1:]
        grown &= grid
        if (grown == chain).all():
            return chain.reshape(held.shape)[:, goal]
        chain = grown


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
            yield Check(
                f"variant pair: ends by '{end}'",
                source,
                chance,
                got,
                error(chance, played.games),
                played.games,
                between=(0, 1),
            )
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
            runner = RosterPlayer(study.game.policy("runner"))
            found = 0
            for game in range(TURNS):
                found += finishes(
                    state.copy(), play(state.copy(), [runner] * state.players, SeededDice(study.seed, game))
                )
                progress(1)
        name = f"one die missing, {rerolls} chips: finishes this turn"
        yield Check(
            name, "36 rolls, chips included", chance, found / TURNS, error(chance, TURNS), TURNS, between=(0, 1)
        )


def finishes(state: State, playthrough: Playthrough) -> bool:
    """Whether the turn now due connects its player; ``state`` is the position before it."""
    for event in playthrough:
        if isinstance(event, Used):
            state.apply(event.move)
            return state.seat in state.connected()
    return False


def game_checks(study: Study) -> Iterator[Check]:
    """Whole games on the standard board: doubles, symmetry, and the compiled game against the readable one."""
    standard = study.game.variant()
    board = standard.rules.load_board()
    runner = study.game.lineup(["runner"], 4)
    played = study.play("games of runners", variant=standard, lineup=runner, records=True)
    records = frames.records(played)
    spent = records.filter(regex=r"^(extra|rerolls)_").to_numpy().sum()
    rolls = int(records["turns"].sum() + spent)
    rate = records["doubles"].sum() / rolls
    yield Check(
        "doubles among all rolls", "6 of 36", 1 / 6, float(rate), error(1 / 6, rolls), played.games, between=(0, 1)
    )
    with changed.on_board(standard, changed.seated(board, (2, 3, 4, 1))) as turned:
        again = study.play("the same, seats turned", variant=turned, lineup=runner, records=True)
    differ = float((played.records != again.records).any(axis=1).sum()) if played.records is not None else np.nan
    source = "a quarter turn maps the board onto itself"
    yield Check("games that differ when alchemist 2 begins instead of 1", source, 0.0, differ)
    gone = records[["burnt", "drowned"]].sum(axis=1) + records.filter(like="taken_").sum(axis=1)
    wrong = int((records["dice"] != records["placed"] - gone).sum())
    yield Check("games that lose or gain a die", "placed = on the board + burnt + drowned + taken", 0.0, wrong)


def error(chance: float, trials: int) -> float:
    """Standard error of a share."""
    return sqrt(chance * (1 - chance) / trials)
