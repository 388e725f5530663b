"""Compiled policies at the reference's table: what the reference shows is written into the kernel's memory."""

from collections.abc import Sequence

import numpy as np

from sims.engine.dice import Dice, SeededDice
from sims.engine.game import Chosen, Playthrough, encode
from sims.tschakka_lakka import board, policies, reference
from sims.tschakka_lakka import work as W
from sims.tschakka_lakka.board import Square
from sims.tschakka_lakka.fields import SEAT_FIELDS
from sims.tschakka_lakka.reference import Offer, Turn
from sims.tschakka_lakka.rules import COLOURS, RACCOON, Rules
from sims.tschakka_lakka.solver_memory import WORTH, count_points, new_memory
from sims.tschakka_lakka.tables import build_tables


def replay(rules: Rules, lineup: Sequence[Chosen], dice: Dice) -> Playthrough:
    """One game by the readable reference, played by policies of the roster.

    Loaded dice have no key: the coins that a policy tosses itself then come from one fixed key.
    """
    key = dice.key if isinstance(dice, SeededDice) else (0, 1)
    return reference.play(rules, [RosterPlayer(rules, lineup, seat, key) for seat in range(len(lineup))], dice)


class RosterPlayer:
    """A policy of the roster as a :class:`sims.tschakka_lakka.reference.Player`."""

    def __init__(self, rules: Rules, lineup: Sequence[Chosen], seat: int, key: tuple[int, int]) -> None:
        self.rules = build_tables(rules, len(lineup)).rules[0]
        self.work, self.memory, self.worth = W.new_work()[0], new_memory()[0], np.zeros(1, WORTH)[0]
        self.work["players"] = len(lineup)
        self.work["policy"] = encode(lineup)[seat]
        self.key = (np.uint64(key[0]), np.uint64(key[1]))

    def place(self, turn: Turn) -> Square:
        """Where the policy puts the raccoon."""
        self._show(turn)
        count_points(self.rules, self.work, self.worth)
        return board.square(policies.place(self.rules, self.work, self.memory, self.worth, self.key))

    def offer(self, turn: Turn) -> Offer:
        """What the policy does with the roll."""
        self._show(turn)
        packed = policies.offer(self.rules, self.work, self.memory, self.key)
        return Offer(board.square(packed & 63), packed >> 6 & 3, bool(packed >> 8))

    def _show(self, turn: Turn) -> None:
        game, work = turn.game, self.work
        partly = {at: dice for at, dice in turn.placed.items() if at not in turn.released}
        jokers = turn.thrown.count(RACCOON)
        work["colours"] = [
            board.mask(at for at, treasure in game.treasures.items() if treasure.colour == colour) for colour in COLOURS
        ]
        work["size_low"] = board.mask(at for at, treasure in game.treasures.items() if treasure.size & 1)
        work["size_high"] = board.mask(at for at, treasure in game.treasures.items() if treasure.size & 2)
        for kind in board.GEM_KINDS:
            work[f"{kind}_gems"] = board.mask((gem.row, gem.column) for gem in game.gems if gem.kind == kind)
        work["raccoon"] = board.mask([turn.raccoon] if turn.raccoon else [])
        work["seat"], work["turn"], work["roll"] = turn.seat, turn.number, turn.roll
        work["skulls"], work["stake"], work["dice"] = turn.skulls, turn.stake(), turn.dice
        work["released"] = board.mask(turn.released)
        work["placed_low"] = board.mask(at for at, dice in partly.items() if dice & 1)
        work["placed_high"] = board.mask(at for at, dice in partly.items() if dice & 2)
        work["matching"] = [turn.thrown.count(face) + jokers for face in range(1, 5)]
        work["targets"] = board.mask(turn.targets())
        for seat in range(len(game.hoards)):
            work["seats"][seat] = self._seat(turn, seat)

    def _seat(self, turn: Turn, seat: int) -> list[int]:
        game, hoard = turn.game, turn.game.hoards[seat]
        treasures, gems = hoard.treasures, hoard.gems
        points = {size: sum(game.worth(each) for each in treasures if each.size == size) for size in (1, 2, 3)}
        counted = {
            "score": game.collected(seat),
            "small": points[1],
            "medium": points[2],
            "large": points[3],
            "yellow": sum(game.worth(gem) for gem in gems if gem.kind == "yellow"),
            "pink": sum(game.worth(gem) for gem in gems if gem.kind == "pink"),
            "majority": 0,  # settled at the end
            "busts": hoard.busts,
            "rolls": hoard.rolls,
            "stops": hoard.stops,
            "dice_left": hoard.dice_left,
            "lost": hoard.lost,
            "first_turn": hoard.first_turn,
        }
        counted |= {f"tower_{colour}": game.tower(seat, colour) for colour in COLOURS}
        return [counted[field.name] for field in SEAT_FIELDS]
