"""Tacatuca in plain Python, clause by clause, told as it happens.

Written from the rulebook without a look at the kernel: dice are throws with names, cards are sentences, players owe
and pay one another. Slow, readable, and the judge of the fast one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from sims.engine.dice import Dice
from sims.engine.game import Chosen, Event, Playthrough
from sims.tacatuca.rules import Card, Rules, Take


@dataclass(frozen=True)
class Throw:
    """Two dice on the table, and the card that lies beside them."""

    high: int
    low: int
    card: Card | None

    @classmethod
    def of(cls, rules: Rules, first: int, second: int) -> "Throw":
        """Two dice in any order."""
        card = next((card for card in rules.cards if card.double == first == second), None)
        return cls(max(first, second), min(first, second), card)

    @property
    def sum(self) -> int:
        """What counts for the plain rule."""
        return self.high + self.low

    @property
    def name(self) -> str:
        """The throw as cards write it: higher die first."""
        return f"{self.high}-{self.low}"

    def sentence_on(self, opponent: "Throw") -> Take | None:
        """The sentence of this throw's card that takes from the opponent's throw."""
        sentences = self.card.takes if self.card else ()
        return next((sentence for sentence in sentences if opponent.name in sentence.throws), None)

    def spares(self, opponent: "Throw") -> bool:
        """Whether this throw's card forbids to give the opponent anything."""
        return self.card is not None and opponent.name in self.card.truce

    def __str__(self) -> str:
        return f"{self.name} ({self.card.name if self.card else self.sum})"


@dataclass(frozen=True)
class Claim:
    """What one thrower may ask of another, and the sentence that says so."""

    amount: int
    why: str


def claim(rules: Rules, taker: Throw, giver: Throw, highest: int) -> Claim:
    """What ``taker`` may ask of ``giver`` in a round whose highest sum is ``highest``.

    Rulebook: the highest sum takes the difference ("How to play the game"); doubles follow their cards ("Game cards
    instructions"). Rulings: ``doubles_collect``, ``double_replaces_plain``.
    """

    def follows_card(throw: Throw) -> bool:
        return rules.doubles_collect == "always" or throw.sum == highest

    sentence = taker.sentence_on(giver) if follows_card(taker) else None
    answered = giver.sentence_on(taker) if follows_card(giver) else None
    replaced = rules.double_replaces_plain and (sentence is not None or answered is not None)

    amount, reasons = 0, []
    if taker.sum == highest and taker.sum > giver.sum and not replaced:
        amount += taker.sum - giver.sum
        reasons.append(f"plain rule, difference {taker.sum - giver.sum}")
    if sentence is not None and taker.card is not None:
        difference = abs(taker.sum - giver.sum)
        amount += difference + sentence.bonus
        more = f" + {sentence.bonus}" if sentence.bonus else ""
        reasons.append(f"{taker.card.name}, difference {difference}{more}")
    if amount and giver.card is not None and giver.spares(taker):
        return Claim(0, f"{giver.card.name}, truce: gives nothing to {taker.name}")
    return Claim(amount, " and ".join(reasons))


@dataclass(frozen=True)
class Exchange:
    """A pair of throws in a game of two: net pins that the thrower gains, and the sentence that says so."""

    pins: int
    rule: str


def exchange(rules: Rules, throw: str, opponent: str) -> Exchange:
    """Net pins for ``throw`` against ``opponent`` (as ``"3-1"``) when two play and both can pay."""
    mine, yours = (Throw.of(rules, *map(int, name.split("-"))) for name in (throw, opponent))
    highest = max(mine.sum, yours.sum)
    gain, loss = claim(rules, mine, yours, highest), claim(rules, yours, mine, highest)
    reasons = [reason.why for reason in (gain, loss) if reason.why]
    return Exchange(gain.amount - loss.amount, "; ".join(reasons) or "equal sums: no exchange")


@dataclass
class Player:
    """A seat with its pins."""

    seat: int
    pins: int
    left_round: int = 0
    throw: Throw | None = None


@dataclass(frozen=True)
class Transfer:
    """Pins owed by a giver to a taker, and what was paid of them."""

    taker: int
    giver: int
    owed: int
    paid: int
    why: str

    def __str__(self) -> str:
        if not self.owed:
            return f"Seat {self.taker + 1} takes nothing from Seat {self.giver + 1}: {self.why}"
        short = f" (owed {self.owed}, shortage)" if self.paid < self.owed else ""
        return f"Seat {self.taker + 1} takes {self.paid} from Seat {self.giver + 1}: {self.why}{short}"


@dataclass(frozen=True)
class Round(Event):
    """Everybody throws and the pins change hands. ``seat`` is that of the first thrower still in the game.

    Attributes
    ----------
    throws : tuple of (seat, Throw)
        Those still in the game, in seat order.
    transfers : tuple of Transfer
        Every claim of the round, also those that a truce forbids.
    pins : tuple of int
        Held afterwards, by seat.
    """

    throws: tuple[tuple[int, Throw], ...] = ()
    transfers: tuple[Transfer, ...] = ()
    pins: tuple[int, ...] = ()

    def __str__(self) -> str:
        throws = ", ".join(f"Seat {seat + 1} throws {throw}" for seat, throw in self.throws)
        moves = "; ".join(map(str, self.transfers)) or "no exchange"
        return f"Round {self.turn + 1} | {throws} | {moves} | pins {' '.join(map(str, self.pins))}"


@dataclass(frozen=True)
class Leaves(Event):
    """A player without pins leaves."""

    def __str__(self) -> str:
        return f"Round {self.turn + 1} | Seat {self.seat + 1} has no pins left and leaves"


@dataclass(frozen=True)
class Wins(Event):
    """The last player with pins wins."""

    def __str__(self) -> str:
        return f"Round {self.turn + 1} | Seat {self.seat + 1} holds every pin and wins"


def share(rules: Rules, held: int, owed: Sequence[int]) -> list[int]:
    """What creditors get who are owed ``owed``, clockwise from the debtor's left, when he holds ``held``.

    Ruling ``shortage``.
    """
    if held >= sum(owed):
        return list(owed)
    paid = [0] * len(owed)
    if rules.shortage == "clockwise":
        for place, amount in enumerate(owed):
            paid[place] = min(amount, held - sum(paid))
    elif rules.shortage == "one_each":
        waiting = [place for place in range(len(owed)) if owed[place]]
        for _ in range(held):
            place = waiting.pop(0)
            paid[place] += 1
            if paid[place] < owed[place]:
                waiting.append(place)
    else:
        exact = [Fraction(held * amount, sum(owed)) for amount in owed]
        paid = [int(part) for part in exact]
        by_remainder = sorted(range(len(owed)), key=lambda place: (paid[place] - exact[place], place))
        for place in by_remainder[: held - sum(paid)]:
            paid[place] += 1
    return paid


@dataclass
class Table:
    """The players round the table and what has happened so far: ``history[r][seat]`` pins after round ``r``."""

    rules: Rules
    players: list[Player]
    history: list[tuple[int, ...]] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)

    @property
    def still_in(self) -> list[Player]:
        """Players who hold pins, in seat order."""
        return [player for player in self.players if player.pins]

    @property
    def pins(self) -> tuple[int, ...]:
        """Pins by seat."""
        return tuple(player.pins for player in self.players)

    def clockwise_from_left_of(self, player: Player) -> list[Player]:
        """The others still in the game, in the order in which they are paid."""
        circle = self.players[player.seat + 1 :] + self.players[: player.seat]
        return [other for other in circle if other.pins]

    def exchange(self) -> Iterator[Transfer]:
        """All claims of the round, on the pins held at its start; nothing has been handed over yet."""
        throws = {player.seat: player.throw for player in self.still_in if player.throw is not None}
        highest = max(throw.sum for throw in throws.values())
        for debtor in self.still_in:
            creditors = self.clockwise_from_left_of(debtor)
            claims = [claim(self.rules, throws[other.seat], throws[debtor.seat], highest) for other in creditors]
            paid = share(self.rules, debtor.pins, [each.amount for each in claims])
            for creditor, each, amount in zip(creditors, claims, paid, strict=True):
                if each.why:
                    yield Transfer(creditor.seat, debtor.seat, each.amount, amount, each.why)

    def play_round(self, dice: Dice) -> Iterator[Event]:
        """Everybody throws at once, pins change hands, who has none leaves."""
        turn = len(self.moved)
        fallen = dice.throw(2 * len(self.players), turn=turn)
        taking_part = self.still_in
        for player in taking_part:
            player.throw = Throw.of(self.rules, *fallen[2 * player.seat : 2 * player.seat + 2])
        throws = tuple((player.seat, player.throw) for player in taking_part if player.throw is not None)
        transfers = tuple(self.exchange())
        for transfer in transfers:
            self.players[transfer.taker].pins += transfer.paid
            self.players[transfer.giver].pins -= transfer.paid
        self.history.append(self.pins)
        self.moved.append(sum(transfer.paid for transfer in transfers))
        yield Round(turn, taking_part[0].seat, throws, transfers, self.pins)
        for player in taking_part:
            if not player.pins:
                player.left_round = turn + 1
                yield Leaves(turn, player.seat)


def replay(rules: Rules, lineup: Sequence[Chosen], dice: Dice) -> Playthrough:
    """One game by the rulebook: yields :class:`Round`, :class:`Leaves`, :class:`Wins`, returns the record.

    Parameters
    ----------
    lineup : sequence of Chosen
        One for each seat; nobody decides anything, so only their number counts.
    dice : Dice
        One throw of two dice for every original seat per round, ``turn`` counting rounds from 0.
    """
    table = Table(rules, [Player(seat, rules.pins) for seat in range(len(lineup))])
    table.history.append(table.pins)
    while len(table.still_in) > 1 and len(table.moved) < rules.max_rounds:
        yield from table.play_round(dice)
    if len(table.still_in) == 1:
        yield Wins(len(table.moved) - 1, table.still_in[0].seat)
    return record(table)


def record(table: Table) -> dict[str, int]:
    """The record of a game that is over, or was broken off."""
    rounds, finished = len(table.moved), len(table.still_in) == 1
    winner = table.still_in[0].seat if finished else None
    leaders = [sole_leader(pins) for pins in table.history]
    named = [leader for leader in leaders if leader]
    found = {
        "winners": 0 if winner is None else 2**winner,
        "unfinished": int(not finished),
        "rounds": rounds,
    }
    for player in table.players:
        found[f"place_{player.seat + 1}"] = place(table, player, finished)
    for player in table.players:
        found[f"left_round_{player.seat + 1}"] = player.left_round
    found["comeback"] = 0 if winner is None else min(pins[winner] for pins in table.history)
    found["lead_changes"] = sum(one != next_one for one, next_one in pairwise(named))
    found["leads_since"] = 0
    if winner is not None:
        lost = [number for number, leader in enumerate(leaders) if leader != winner + 1]
        found["leads_since"] = max(lost) + 1
    found["idle_rounds"] = table.moved.count(0)
    found["pins_moved"] = sum(table.moved)
    marks = [rounds * quarter // 4 for quarter in (1, 2, 3)]
    found.update({f"quarter_leader_{quarter}": leaders[mark] for quarter, mark in enumerate(marks, start=1)})
    found.update({f"quarter_pins_{quarter}": max(table.history[mark]) for quarter, mark in enumerate(marks, start=1)})
    return found


def sole_leader(pins: Sequence[int]) -> int:
    """Seat, from 1, of the only player with the most pins; 0 if several have as many."""
    return pins.index(max(pins)) + 1 if list(pins).count(max(pins)) == 1 else 0


def place(table: Table, player: Player, finished: bool) -> int:
    """1 for the last one in; whoever leaves later is placed better; 0 while a place is open."""
    if not player.left_round:
        return int(finished)
    return 1 + sum(not other.left_round or other.left_round > player.left_round for other in table.players)
