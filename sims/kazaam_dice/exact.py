"""The exact chance that the player on turn connects his alchemist within this turn, and the best use of a roll.

A roll finishes the turn's task if one of its uses joins the player's two ends. Let p be the share of the 36 rolls
that do. A player who holds r chips to roll again and no way to an extra move succeeds with ``1 - (1 - p)**(r + 1)``:
he rolls again exactly when the roll does not finish. The own favourite chip, held or taken on the way, gives one
more move; then the value of a first move is the best, over its uses and over the chips he may take after it, of that
same formula in the position reached. There is one favourite chip per seat, so a turn has at most two moves.

Everything is enumerated in fractions; nothing is sampled. An end by the last die, or one that connects only others, is
a failure. The guards against endless games act after a turn, never within it.

With ``taking = any_turn`` the other seats may take chips, and dice with them, between the player's two moves. What
they choose is no matter of chance, so the answer is a range, see :class:`Others`: ``KEEP`` reckons that they take
nothing; ``HINDER`` that they take, of all that their chains reach, what leaves the player the smallest chance; ``HELP``
the largest (a die given back to the supply can save a game from the last die). What the player can reach lies between
the last two, whatever the others do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations

from sims.kazaam_dice.rules import OWN, SEVERAL
from sims.kazaam_dice.state import Move, MoveAmbrosius, Place, SetObstacle, State, Tip

NEVER, SURE = Fraction(0), Fraction(1)


class Others(Enum):
    """What the other seats do with the chips that they may take during the turn."""

    KEEP = "take nothing"
    HINDER = "take what hurts the player most"
    HELP = "take what helps the player most"


@dataclass(frozen=True)
class Choice:
    """Something the player may do with his roll.

    Attributes
    ----------
    move : Move or None
        The use; None for cancelling the roll with a chip, or for passing.
    take : tuple of int
        The chips to take after it (their fields), in the best way to go on.
    chance : Fraction
        The chance to connect within the turn, if everything after it is done best.
    told : str
        The choice in words.
    """

    move: Move | None
    take: tuple[int, ...]
    chance: Fraction
    told: str


class Turn:
    """The turn of the player on turn in a position, solved.

    Parameters
    ----------
    state : State
        Looked at, never changed. A roll in it matters only to :meth:`choices`.
    others : Others
        What the other seats do where the rules let them take chips.
    """

    def __init__(self, state: State, others: Others = Others.KEEP) -> None:
        self.state, self.seat, self.others = state, state.seat, others
        self._shares: dict[object, Fraction] = {}

    def under(self, others: Others) -> "Turn":
        """The same turn with other seats that choose otherwise; what is known of second moves is shared."""
        turn = Turn(self.state, others)
        turn._shares = self._shares
        return turn

    @cached_property
    def chance(self) -> Fraction:
        """The chance to connect within this turn, before the roll."""
        return self._before_roll(self.state.others[self.seat])

    def choices(self) -> list[Choice]:
        """What may be done with the roll of the position, the best first, otherwise in the common order.

        Raises
        ------
        ValueError
            If the position has no roll.
        """
        state = self.state
        if state.roll is None:
            raise ValueError("the position has no roll")
        rerolls = state.others[self.seat]
        found = []
        for move in state.uses(state.roll):
            chance, take = self._best_after(move, rerolls)
            found.append(Choice(move, take, chance, move.told(state)))
        if not found:
            found.append(Choice(None, (), self._after_pass(rerolls), "passes"))
        if rerolls:
            found.append(Choice(None, (), self._before_roll(rerolls - 1), "spends a chip to roll again"))
        return sorted(found, key=lambda choice: -choice.chance)

    # -- the first move of the turn ------------------------------------------------------------------------

    def _before_roll(self, rerolls: int) -> Fraction:
        """Chance before a roll of the first move, with so many chips to roll again."""
        if not self._may_move_again:
            return self._again(self._share(self.state), rerolls)
        otherwise = self._before_roll(rerolls - 1) if rerolls else NEVER
        single = {value: self._best_of(value, False, rerolls) for value in range(1, 7)}
        double = {value: self._best_of(value, True, rerolls) for value in range(1, 7)}
        total = NEVER
        for first in range(1, 7):
            for second in range(1, 7):
                usable = [double[first]] if first == second else [single[first], single[second]]
                chances = [chance for chance in usable if chance is not None] or [self._after_pass(rerolls)]
                total += max(otherwise, *chances)
        return total / 36

    @cached_property
    def _may_move_again(self) -> bool:
        """Whether the own favourite chip is held, or lies on the board and so could be taken."""
        alchemist = self.state.alchemists[self.seat]
        return bool(self.state.favourite[self.seat]) or alchemist in self.state.chips.values()

    def _best_of(self, value: int, double: bool, rerolls: int) -> Fraction | None:
        """The best use of one die of a roll, or of a double; None if it has no use."""
        chances = [self._best_after(move, rerolls)[0] for move in uses_of(self.state, value, double)]
        return max(chances, default=None)

    def _after_pass(self, rerolls: int) -> Fraction:
        """A pass leaves only the extra move, if the favourite chip is held."""
        return self._again(self._share(self.state), rerolls) if self.state.favourite[self.seat] else NEVER

    def _best_after(self, move: Move, rerolls: int) -> tuple[Fraction, tuple[int, ...]]:
        """The chance after a first move, and the chips to take for it."""
        state = self.state.copy()
        state.apply(move)
        end = state.ending()
        if end is not None:
            return (SURE if end in (OWN, SEVERAL) else NEVER), ()
        best: tuple[Fraction, tuple[int, ...]] = NEVER, ()
        if self._may_move_again:
            reached = state.reached(self.seat)
            for take in subsets(reached):
                after = state.copy()
                for field in take:
                    after.take(self.seat, field)
                if after.favourite[self.seat]:
                    rolls = rerolls + after.others[self.seat] - state.others[self.seat]
                    chances = [self._again(self._share(then), rolls) for then in self._others_took(after)]
                    chance = min(chances) if self.others is Others.HINDER else max(chances)
                    best = max(best, (chance, take), key=lambda b: b[0])
        return best

    def _others_took(self, state: State) -> list[State]:
        """The positions that the other seats may leave after the player has taken his chips: they follow in turn order."""
        found = [state]
        if self.others is Others.KEEP or state.rules.taking == "own_turn":
            return found
        for seat in state.from_turn()[1:]:
            found = [left for before in found for left in _takes(before, seat)]
        return found

    # -- a move after which the turn is over ---------------------------------------------------------------

    @staticmethod
    def _again(share: Fraction, rerolls: int) -> Fraction:
        """The chance that one of ``rerolls + 1`` rolls finishes."""
        return 1 - (1 - share) ** (rerolls + 1)

    def _share(self, state: State) -> Fraction:
        """Share of the 36 rolls of which some use connects at once."""
        key = frozenset(state.dice.items()), state.ambrosius, state.obstacle
        if key not in self._shares:
            gaps = self._gaps(state)
            freed = state.obstacle is not None and self._connected(replace(state, obstacle=None))
            single, double = (
                sum(any(self._finishing(state, gaps, freed, value, twice)) for value in range(1, 7))
                for twice in (False, True)
            )
            # Two different dice miss if both do.
            misses = (6 - single) * (5 - single) + (6 - double)
            self._shares[key] = 1 - Fraction(misses, 36)
        return self._shares[key]

    def _gaps(self, state: State) -> set[int]:
        """The free fields on which one die more, whatever it shows, would connect the player."""
        if state.distance(self.seat) > 1:
            return set()
        return {
            field for field in state.board.fields if state.free(field) and self._connects(state, Place(1, field, 0))
        }

    def _connects(self, state: State, move: Move) -> bool:
        """Whether the player is connected after a move."""
        after = state.copy()
        after.apply(move)
        return self._connected(after)

    def _connected(self, state: State) -> bool:
        """Whether the player's chain reaches his target."""
        return state.ends(self.seat)[1] in state.chain(self.seat)

    def _finishing(self, state: State, gaps: set[int], freed: bool, value: int, double: bool) -> Iterator[bool]:
        """For each use of one die of a roll, or of a double, whether it connects the player at once.

        ``gaps`` as of :meth:`_gaps`; ``freed``: whether he would be connected if the obstacle were gone.
        """
        if not gaps and not freed:
            return
        for move in uses_of(state, value, double):
            match move:
                case Place():
                    yield move.field in gaps and state.supply > 2
                case Tip():
                    # A tip fills one field but empties another, which may break the chain.
                    yield state.board.steps[move.field][move.direction] in gaps and self._connects(state, move)
                case SetObstacle():
                    yield freed and self._connects(state, move)
                case MoveAmbrosius():
                    yield False  # he leaves a gap where he stood


@dataclass(frozen=True)
class Range:
    """A chance, and how far the other seats can change it by what they take meanwhile."""

    chance: Fraction
    least: Fraction
    most: Fraction

    @property
    def certain(self) -> bool:
        """Whether the other seats cannot change it."""
        return self.least == self.chance == self.most


@dataclass(frozen=True)
class Solved:
    """A turn solved whatever the other seats take.

    Attributes
    ----------
    found : Range
        The chance to connect within this turn, before the roll.
    choices : list of (Choice, Range)
        What may be done with the roll of the position, the best first; nothing without a roll.
    """

    found: Range
    choices: list[tuple[Choice, Range]]

    @property
    def certain(self) -> bool:
        """Whether the turn has one answer only, since the other seats cannot change it."""
        return self.found.certain and all(each.certain for _, each in self.choices)

    def alike(self) -> list[list[tuple[Choice, Range]]]:
        """The choices, those together that place the same die on the same field and differ in its facing, but in no chance."""
        groups: dict[object, list[tuple[Choice, Range]]] = {}
        for choice, found in self.choices:
            move = choice.move
            same = (move.value, move.field) if isinstance(move, Place) else choice.told
            key = (same, choice.take, found.chance, None if self.certain else found.least)
            groups.setdefault(key, []).append((choice, found))
        return list(groups.values())


def solve(state: State) -> Solved:
    """The turn of a position, with what the other seats can make of it."""
    turn = Turn(state)
    hindered, helped = turn.under(Others.HINDER), turn.under(Others.HELP)
    choices = turn.choices() if state.roll is not None else []
    chances = [{_name(each): each.chance for each in other.choices()} for other in (hindered, helped) if choices]
    ranges = [Range(each.chance, *(found[_name(each)] for found in chances)) for each in choices]
    found = Range(turn.chance, hindered.chance, helped.chance)
    return Solved(found, list(zip(choices, ranges, strict=True)))


def _name(choice: Choice) -> object:
    """What tells a choice apart from the others."""
    return choice.move or choice.told


def told_together(state: State, choices: Sequence[Choice]) -> str:
    """Choices that differ at most in the facing of a placed die, as one, with the chips to take after it."""
    first, take = choices[0], choices[0].take
    told = first.told
    if isinstance(first.move, Place):
        facings = [str(state.die.north(each.move.orientation)) for each in choices if isinstance(each.move, Place)]
        told = told.rpartition(", ")[0] + ", "
        told += "facing any way" if len(facings) == 4 else f"{' or '.join(facings)} facing north"
    chips = " and ".join(state.board.place(field) for field in take)
    return f"{told}, then takes the chip{'s' if len(take) > 1 else ''} on {chips}" if take else told


def subsets(fields: list[int]) -> Iterator[tuple[int, ...]]:
    """Every choice among the fields, none first."""
    return chain.from_iterable(combinations(fields, count) for count in range(len(fields) + 1))


def _takes(state: State, seat: int) -> Iterator[State]:
    """The position after each choice that a seat has among the chips it reaches."""
    for take in subsets(state.reached(seat)):
        after = state.copy()
        for field in take:
            after.take(seat, field)
        yield after


def uses_of(state: State, value: int, double: bool) -> Iterator[Move]:
    """The uses of one die of a roll, or, if ``double``, all those of a double."""
    other = value if double else value % 6 + 1
    for move in state.uses((value, other)):
        if isinstance(move, MoveAmbrosius | SetObstacle) or move.value == value:
            yield move
