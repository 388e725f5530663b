"""Tschakka Lakka in plain Python, clause by clause: readable, slow, and the judge of the compiled kernel.

``play`` yields what happens and returns the record. A player is any object that answers the two questions of
:class:`Player`; an answer against the rules is a ``ValueError``.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sims.engine.dice import Dice
from sims.engine.game import Event
from sims.tschakka_lakka import board, events
from sims.tschakka_lakka.board import Gem, Square
from sims.tschakka_lakka.layout import Arrangement, draw
from sims.tschakka_lakka.rules import COLOURS, RACCOON, SKULL, Rules, Treasure


@dataclass(frozen=True)
class Offer:
    """What a player does with a roll: ``dice`` dice on ``chamber``, then stop or roll again."""

    chamber: Square
    dice: int
    stop: bool


class Player(Protocol):
    """Whoever decides for a seat. A player looks at the turn and the game in it, and changes nothing."""

    def place(self, turn: "Turn") -> Square:
        """Where Raccoon Jones goes (1)."""

    def offer(self, turn: "Turn") -> Offer:
        """What happens with the roll just made (2c, 2d)."""


@dataclass
class Hoard:
    """What a seat has collected, and what is counted about it."""

    treasures: list[Treasure] = field(default_factory=list)
    gems: list[Gem] = field(default_factory=list)
    busts: int = 0
    rolls: int = 0
    stops: int = 0
    dice_left: int = 0
    lost: int = 0
    first_turn: int = 0


class Game:
    """The table: the temple with what is still in it, and everyone's hoard."""

    def __init__(self, rules: Rules, players: int, treasures: Arrangement) -> None:
        self.rules = rules
        self.board = board.load(rules.board)
        self.treasures = dict(treasures)
        # In a prepared temple a gem that its chambers no longer hold has been taken.
        held = any if rules.gem_needs == "all" else all
        self.gems = [gem for gem in self.board.gems if held(at in treasures for at in self.board.around(gem))]
        self.hoards = [Hoard() for _ in range(players)]
        self.raccoon: Square | None = None
        self.turns = 0

    # -- Scoring: what things are worth

    def worth(self, item: Treasure | Gem) -> int:
        """Victory points of a treasure or a gem."""
        rules = self.rules
        if isinstance(item, Gem):
            return {"yellow": rules.yellow_points, "pink": rules.pink_points}[item.kind]
        return {1: rules.small_points, 2: rules.medium_points, 3: rules.large_points}[item.size]

    def collected(self, seat: int) -> int:
        """Points of a seat without the towers."""
        return sum(map(self.worth, self.hoards[seat].treasures)) + sum(map(self.worth, self.hoards[seat].gems))

    def tower(self, seat: int, colour: str) -> int:
        """How high a seat's tower of one colour is."""
        sizes = [treasure.size for treasure in self.hoards[seat].treasures if treasure.colour == colour]
        return sum(sizes) if self.rules.tower == "height" else len(sizes)

    # -- 1. Move Raccoon Jones

    def places(self) -> list[Square]:
        """Entrances and empty chambers next to a filled chamber, in reading order."""
        free = [*self.board.entrances, *(place for place in self.board.chambers if place not in self.treasures)]
        return sorted(place for place in free if any(n in self.treasures for n in self.board.neighbours(place)))

    # -- 3. Collect: which gems come along

    def freed(self, emptied: set[Square]) -> list[Gem]:
        """Gems that may be taken once the treasures of ``emptied`` are taken too."""
        gone = [place for place in self.board.chambers if place not in self.treasures or place in emptied]
        enough = all if self.rules.gem_needs == "all" else any
        return [gem for gem in self.gems if enough(place in gone for place in self.board.around(gem))]


class Turn:
    """One seat's turn.

    Attributes
    ----------
    number : int
        The seat's own turn, from 0.
    roll : int
        The roll of this turn, from 0.
    dice : int
        Dice that can be placed or rolled: all but skulls and those placed.
    thrown : tuple of int
        The faces of the last roll.
    raccoon : Square or None
        Where Raccoon Jones stands; None before anyone has placed him.
    placed : dict
        Dice placed by chamber.
    released : set
        Chambers whose treasure is released.
    """

    def __init__(self, game: Game, seat: int, number: int) -> None:
        self.game, self.seat, self.number = game, seat, number
        self.roll = 0
        self.dice = game.rules.dice
        self.skulls = 0
        self.thrown: tuple[int, ...] = ()
        self.raccoon = game.raccoon
        self.placed: dict[Square, int] = {}
        self.released: set[Square] = set()

    def reach(self) -> list[Square]:
        """Filled chambers next to the raccoon or to a chamber released this turn, not released themselves (2c)."""
        near = {n for place in (self.raccoon, *self.released) if place for n in self.game.board.neighbours(place)}
        return sorted(n for n in near if n in self.game.treasures and n not in self.released)

    def most(self, chamber: Square) -> int:
        """How many dice of this roll may go on a chamber: matching ones and jokers, no more than it still needs."""
        treasure = self.game.treasures[chamber]
        fitting = self.thrown.count(COLOURS.index(treasure.colour) + 1) + self.thrown.count(RACCOON)
        return min(fitting, treasure.size - self.placed.get(chamber, 0))

    def targets(self) -> list[Square]:
        """Chambers in reach on which at least one die of this roll can be placed."""
        return [chamber for chamber in self.reach() if self.most(chamber) > 0]

    def stake(self) -> int:
        """Points that stopping now would collect."""
        treasures = [self.game.treasures[chamber] for chamber in self.released]
        return sum(map(self.game.worth, treasures)) + sum(map(self.game.worth, self.game.freed(self.released)))


def play(
    rules: Rules, players: Sequence[Player], dice: Dice, treasures: Arrangement | None = None
) -> Generator[Event, None, dict[str, int]]:
    """Play one game.

    Parameters
    ----------
    players : sequence of Player
        In seat order; seat 0 has the starting player marker.
    treasures : dict, optional
        A prepared temple, perhaps with empty chambers; by default it is drawn (*Game Setup*).

    Returns
    -------
    dict of int
        The record, by column name.

    Raises
    ------
    ValueError
        If a player answers against the rules.
    """
    game = Game(rules, len(players), draw(rules, dice) if treasures is None else treasures)
    yield _shown(game, 0)
    last_round, leader, lead_changes = False, None, 0
    while True:
        number, seat = divmod(game.turns, len(players))
        # End of the Game: the round is played to its end, so that all have taken the same number of turns.
        if last_round and seat == 0:
            break
        if game.turns == rules.max_turns:
            yield events.Unfinished(number, seat)
            return _record(game, lead_changes, None)
        yield from _turn(game, players[seat], dice, seat, number)
        game.turns += 1
        yield _shown(game, seat)
        ahead = _best([game.collected(each) for each in range(len(players))])
        if len(ahead) == 1:
            lead_changes += leader is not None and leader != ahead[0]
            leader = ahead[0]
        # When the last treasure goes, the last gem goes with it: this covers a temple without treasures.
        if not last_round and len(game.gems) <= rules.end_gems:
            last_round = True
            yield events.LastRound(number, seat, len(game.gems))
    majority = [0] * len(players)
    for colour in COLOURS:
        towers = [game.tower(each, colour) for each in range(len(players))]
        majority = [sum(pair) for pair in zip(majority, tower_points(rules, towers), strict=True)]
    record = _record(game, lead_changes, majority)
    scores = tuple(record[f"score_{each + 1}"] for each in range(len(players)))
    yield events.Scored(number - 1, len(players) - 1, scores, tuple(majority), tuple(_best(scores)))
    return record


def _turn(game: Game, player: Player, dice: Dice, seat: int, number: int) -> Generator[Event, None, None]:
    hoard = game.hoards[seat]
    if not game.treasures:
        # A late seat of the last round finds an empty temple: no place is legal for the raccoon.
        yield events.Idle(number, seat)
        return
    turn = Turn(game, seat, number)
    # 1. Move Raccoon Jones. To leave him is to place him where he stands.
    turn.raccoon = player.place(turn)
    if turn.raccoon not in game.places():
        raise ValueError(f"the raccoon may not go to {turn.raccoon}")
    game.raccoon = turn.raccoon
    yield events.Placed(number, seat, turn.raccoon)
    while True:
        # 2a. Rolling, 2b. Set skulls aside
        turn.thrown = dice.throw(turn.dice, turn=number, seat=seat, roll=turn.roll)
        hoard.rolls += 1
        skulls = turn.thrown.count(SKULL)
        turn.skulls += skulls
        turn.dice -= skulls
        yield events.Rolled(number, seat, turn.thrown)
        too_many = 0 < game.rules.skull_limit <= turn.skulls
        if too_many or not turn.targets():
            hoard.busts += 1
            hoard.lost += turn.stake()
            yield events.Busted(number, seat, turn.stake(), too_many)
            return
        # 2c. Place dice on exactly one chamber
        offer = player.offer(turn)
        if offer.chamber not in turn.targets() or not 1 <= offer.dice <= turn.most(offer.chamber):
            raise ValueError(f"{offer} is not allowed with {turn.thrown}")
        treasure = game.treasures[offer.chamber]
        turn.placed[offer.chamber] = turn.placed.get(offer.chamber, 0) + offer.dice
        turn.dice -= offer.dice
        if turn.placed[offer.chamber] == treasure.size:
            turn.released.add(offer.chamber)
        yield events.Offered(
            number, seat, offer.chamber, treasure, offer.dice, treasure.size - turn.placed[offer.chamber]
        )
        # 2d. Continue or stop; without dice there is nothing to continue with
        if offer.stop or turn.dice == 0:
            break
        turn.roll += 1
    # 3. Collect treasures and gems
    hoard.stops += 1
    hoard.dice_left += turn.dice
    points, gems = turn.stake(), game.freed(turn.released)
    treasures = [game.treasures.pop(chamber) for chamber in sorted(turn.released)]
    game.gems = [gem for gem in game.gems if gem not in gems]
    hoard.treasures += treasures
    hoard.gems += gems
    if number == 0:
        hoard.first_turn = points
    yield events.Stopped(number, seat, tuple(treasures), tuple(gems), points, turn.dice)


def tower_points(rules: Rules, towers: Sequence[int]) -> list[int]:
    """Points for the towers of one colour, by seat (*Scoring*).

    A seat without a treasure of the colour (height 0) has no tower.

    >>> tower_points(Rules(), [7, 4, 4, 0])
    [5, 2, 2, 0]
    """
    heights = sorted({height for height in towers if height > 0}, reverse=True)
    points = [0] * len(towers)
    if not heights:
        return points
    highest = [seat for seat, height in enumerate(towers) if height == heights[0]]
    for seat in highest:
        points[seat] = rules.highest_points if len(highest) == 1 else rules.highest_tied_points
    if len(highest) > 1 or len(heights) == 1 or len(towers) < rules.second_players:
        return points
    second = [seat for seat, height in enumerate(towers) if height == heights[1]]
    for seat in second:
        points[seat] = rules.second_points if len(second) == 1 else rules.second_tied_points
    return points


def _best(points: Sequence[int]) -> list[int]:
    """The seats with the most points."""
    return [seat for seat, mine in enumerate(points) if mine == max(points)]


def _shown(game: Game, seat: int) -> events.TempleShown:
    hoards = tuple(events.Collected(tuple(hoard.treasures), tuple(hoard.gems)) for hoard in game.hoards)
    number = max(game.turns - 1, 0) // len(game.hoards)
    return events.TempleShown(
        number, seat, game.board, tuple(game.treasures.items()), tuple(game.gems), game.raccoon, hoards
    )


def _record(game: Game, lead_changes: int, majority: list[int] | None) -> dict[str, int]:
    """The record; ``majority`` is None if the game was left unfinished."""
    players = len(game.hoards)
    before = [game.collected(seat) for seat in range(players)]
    scores = [points + (majority[seat] if majority else 0) for seat, points in enumerate(before)]
    leaders, winners = _best(before), _best(scores) if majority else []
    record = {
        "winners": sum(1 << seat for seat in winners),
        "unfinished": int(majority is None),
        "rounds": -(-game.turns // players),
        "turns": game.turns,
        "gems_left": len(game.gems),
        "lead_changes": lead_changes,
        "leader_lost": int(majority is not None and not set(leaders) & set(winners)),
        "majorities_decided": int(majority is not None and leaders != winners),
    }
    for seat, hoard in enumerate(game.hoards):
        treasures = {size: [t for t in hoard.treasures if t.size == size] for size in (1, 2, 3)}
        gems = {kind: [gem for gem in hoard.gems if gem.kind == kind] for kind in board.GEM_KINDS}
        counted = {
            "score": scores[seat],
            "small": sum(map(game.worth, treasures[1])),
            "medium": sum(map(game.worth, treasures[2])),
            "large": sum(map(game.worth, treasures[3])),
            "yellow": sum(map(game.worth, gems["yellow"])),
            "pink": sum(map(game.worth, gems["pink"])),
            "majority": majority[seat] if majority else 0,
            "busts": hoard.busts,
            "rolls": hoard.rolls,
            "stops": hoard.stops,
            "dice_left": hoard.dice_left,
            "lost": hoard.lost,
            "first_turn": hoard.first_turn,
        }
        counted |= {f"tower_{colour}": game.tower(seat, colour) for colour in COLOURS}
        record |= {f"{name}_{seat + 1}": value for name, value in counted.items()}
    return record
