"""The roster's policies as players of the readable reference: the same compiled functions, called from outside.

A player writes the reference's state into the kernel's record each time it is asked, so both play the same policies
while they share no rule.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.engine.dice import Dice
from sims.engine.game import Chosen, Playthrough
from sims.kazaam_dice import reference
from sims.kazaam_dice.moves import list_uses
from sims.kazaam_dice.policies import RANDOM, ROLLOUT, decide
from sims.kazaam_dice.reference import Coin
from sims.kazaam_dice.rollout import rollout_use
from sims.kazaam_dice.rules import Rules
from sims.kazaam_dice.state import Move, State
from sims.kazaam_dice.tables import build_tables
from sims.kazaam_dice.turn import EXTRA, REROLL, TAKE, USE
from sims.kazaam_dice.work import SCRATCH, STATE


def replay(rules: Rules, lineup: Sequence[Chosen], dice: Dice) -> Playthrough:
    """One game by the readable reference, the lineup's policies deciding."""
    return reference.replay(rules, [RosterPlayer(chosen) for chosen in lineup], dice)


def connects_now(state: State, chosen: Chosen, dice: Dice) -> bool:
    """Whether the turn now due, played by a policy, connects its player; the state is left as it is."""
    after = state.copy()
    for event in reference.play(state.copy(), [RosterPlayer(chosen)] * state.players, dice):
        if isinstance(event, reference.Used):
            after.apply(event.move)
            return state.seat in after.connected()
    return False


class RosterPlayer:
    """A policy of the roster as a :class:`sims.kazaam_dice.reference.Player`."""

    def __init__(self, chosen: Chosen) -> None:
        self.kind = chosen.policy.kind
        self.values = (*chosen.values, 0, 0)
        self.tables: NDArray[np.void] | None = None

    def use(self, state: State, moves: Sequence[Move], coin: Coin) -> int:
        """Index of the use."""
        if self.kind == RANDOM:
            return coin(len(moves))
        table, states, scratches = self._written(state, USE)
        if self.kind == ROLLOUT:
            games, tries = self.values[:2]
            return int(rollout_use(table, states, scratches, games, tries, np.uint64(coin(1 << 63))))
        return self._decided(table, states, scratches, state.seat, 0)

    def reroll(self, state: State, coin: Coin) -> bool:
        """Whether to roll again."""
        return self._yes(state, REROLL, state.seat, 0, coin)

    def extra(self, state: State, coin: Coin) -> bool:
        """Whether to make one more move."""
        return self._yes(state, EXTRA, state.seat, 0, coin)

    def take(self, state: State, seat: int, field: int, coin: Coin) -> bool:
        """Whether to take the chip on ``field``."""
        return self._yes(state, TAKE, seat, field, coin)

    def _yes(self, state: State, due: int, seat: int, field: int, coin: Coin) -> bool:
        if self.kind == RANDOM:
            return bool(coin(2))
        return bool(self._decided(*self._written(state, due), seat, field))

    def _decided(self, table: Any, states: Any, scratches: Any, seat: int, field: int) -> int:
        return int(decide(table, states[0], scratches[0], self.kind, self.values[0], seat, field))

    def _written(self, state: State, due: int) -> tuple[Any, Any, Any]:
        """The state as the kernel's records, with the uses of its roll listed."""
        if self.tables is None:
            self.tables = build_tables(state.rules, state.players).rules
        table, states, scratches = self.tables[0], write(state), np.zeros(2, SCRATCH)
        states[0]["due"] = due
        states[0]["uses"] = list_uses(table, states[0], scratches[0])
        return table, states, scratches


def write(state: State) -> NDArray[np.void]:
    """Write a state of the reference as the kernel's: ``record[2]``, the second of which is working memory."""
    states = np.zeros(2, STATE)
    g = states[0]
    for field, orientation in state.dice.items():
        g["orientation"][field] = orientation
        for top in (0, state.top(field)):
            g["tops"][top] |= np.uint64(1 << field)
    g["ambrosius"] = 1 << state.ambrosius
    g["chips"] = sum(1 << field for field in state.chips)
    g["obstacle"] = 0 if state.obstacle is None else 1 + state.board.edges.index(state.obstacle)
    g["supply"] = state.supply
    g["favourite"][: state.players], g["others"][: state.players] = state.favourite, state.others
    g["turn"], g["round"], g["seat"] = state.round * state.players + state.seat, state.round, state.seat
    g["throw"] = state.throws - 1
    if state.roll is not None:
        g["low"], g["high"] = sorted(state.roll)
    g["leader"] = -1
    return states
