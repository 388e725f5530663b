"""Compiled policies at the reference's table: what the reference shows is written into the kernel's memory."""

from collections.abc import Sequence

import numpy as np

from sims.engine.dice import Dice, SeededDice
from sims.engine.game import Chosen, Playthrough, encode
from sims.tschakka_lakka import board, policies, reference
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.board import Square
from sims.tschakka_lakka.reference import Offer, Turn
from sims.tschakka_lakka.rules import COLOURS, RACCOON, Rules
from sims.tschakka_lakka.tables import build_tables


def replay(rules: Rules, lineup: Sequence[Chosen], dice: Dice) -> Playthrough:
    """One game by the readable reference, played by policies of the roster.

    Loaded dice have no key: the coins that a policy tosses itself then come from one fixed key.
    """
    start, step = dice.key if isinstance(dice, SeededDice) else (0, 1)
    key = (np.uint64(start), np.uint64(step))
    return reference.play(rules, [Compiled(rules, lineup, seat, key) for seat in range(len(lineup))], dice)


class Compiled:
    """A policy of the roster as a :class:`sims.tschakka_lakka.reference.Player`."""

    def __init__(self, rules: Rules, lineup: Sequence[Chosen], seat: int, key: tuple[np.uint64, np.uint64]) -> None:
        self.tables = build_tables(rules, len(lineup))
        self.row = encode(lineup)[seat]
        self.work = W.new_work(len(lineup))
        self.key = key

    def place(self, turn: Turn) -> Square:
        """Where the policy puts the raccoon."""
        self._show(turn)
        return board.square(policies.place(self.tables, self.work, self.row, self.key))

    def offer(self, turn: Turn) -> Offer:
        """What the policy does with the roll."""
        self._show(turn)
        packed = policies.offer(self.tables, self.work, self.row, self.key)
        return Offer(board.square(packed & 63), packed >> 6 & 3, bool(packed >> 8))

    def _show(self, turn: Turn) -> None:
        game, temple, now = turn.game, self.work.temple, self.work.now
        for index, colour in enumerate(COLOURS):
            temple[index] = board.mask(at for at, treasure in game.treasures.items() if treasure.colour == colour)
        temple[W.SIZE_LOW] = board.mask(at for at, treasure in game.treasures.items() if treasure.size & 1)
        temple[W.SIZE_HIGH] = board.mask(at for at, treasure in game.treasures.items() if treasure.size & 2)
        temple[W.YELLOW_GEMS] = board.mask((gem.row, gem.column) for gem in game.gems if gem.kind == "yellow")
        temple[W.PINK_GEMS] = board.mask((gem.row, gem.column) for gem in game.gems if gem.kind == "pink")
        temple[W.RACCOON] = board.mask([turn.raccoon]) if turn.raccoon else 0
        temple[W.RELEASED] = board.mask(turn.released)
        partly = {at: dice for at, dice in turn.placed.items() if at not in turn.released}
        temple[W.PLACED_LOW] = board.mask(at for at, dice in partly.items() if dice & 1)
        temple[W.PLACED_HIGH] = board.mask(at for at, dice in partly.items() if dice & 2)
        temple[W.TARGETS] = board.mask(turn.targets()) if turn.thrown else 0
        now[W.SEAT], now[W.TURN], now[W.ROLL] = turn.seat, turn.number, turn.roll
        now[W.DICE], now[W.SKULLS], now[W.STAKE] = turn.dice, turn.skulls, turn.stake()
        jokers = turn.thrown.count(RACCOON)
        now[W.MATCHING : W.MATCHING + 4] = [turn.thrown.count(face) + jokers for face in (1, 2, 3, 4)]
        self._show_hoards(turn)

    def _show_hoards(self, turn: Turn) -> None:
        for seat, hoard in enumerate(turn.game.hoards):
            mine, worth = self.work.seats[seat], turn.game.worth
            for column, size in ((W.SMALL, 1), (W.MEDIUM, 2), (W.LARGE, 3)):
                mine[column] = sum(worth(treasure) for treasure in hoard.treasures if treasure.size == size)
            for column, kind in ((W.YELLOW, "yellow"), (W.PINK, "pink")):
                mine[column] = sum(worth(gem) for gem in hoard.gems if gem.kind == kind)
            mine[W.SCORE] = turn.game.collected(seat)
            mine[W.TOWERS : W.TOWERS + 4] = [turn.game.tower(seat, colour) for colour in COLOURS]
            mine[W.BUSTS : W.FIRST_TURN + 1] = (
                hoard.busts,
                hoard.rolls,
                hoard.stops,
                hoard.dice_left,
                hoard.lost,
                hoard.first_turn,
            )
