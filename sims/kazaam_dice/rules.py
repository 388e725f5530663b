"""The rules as numbers and rulings, and the conventions that every writing of the game shares.

A *turn* of a seat (the source's course of play):

1. Two dice are rolled. As long as the player holds a chip other than his own favourite, he may spend one to
   cancel the roll and roll both again, before he uses it.
2. One use of the roll is made, if there is any (see the order below); otherwise the player passes. A use cannot
   be waived.
3. If the use placed a die and one die is left in the supply, the game ends (last die; connections do not count).
   Otherwise, if the alchemist of any seat is connected to his target, the game ends.
4. Otherwise, after a use but not after a pass, seats may take chips: in turn order from the player on turn, each
   seat is asked for every chip that its chain reached when its turn to be asked came, in the order of fields; each
   accepted chip leaves with its die at once, but does not withdraw the question for the seat's further chips.
5. The player may spend his own favourite chip, if he holds it, for one more move: back to 1 (also after a pass).

After the turn: a turn without any use is *passed*; ``players * max_passes`` passed turns in a row, or ``max_turns``
turns in all, end the game unfinished (checked in this order).

*Dice.* Throw ``roll`` (0, 1, 2, .. within the turn, rerolls and extra moves counting on) of a seat in round ``turn``
(from 0) has the address ``turn, seat, roll, DICE``, two dice. A policy that tosses coins has a word of its own for
each decision, with purpose CHOICE: ``roll`` is ``128 * last throw + slot`` with slot 0 for the use, 1 for the reroll, 2
for the extra move, all with ``seat`` the player on turn; and slot ``64 + field`` for taking the chip on ``field``,
with ``seat`` being ``4 * asked + on turn``.

*Order of the uses of a roll.* Lower die value first throughout; a double has one value.

1. placements by value, field, facing (0 to 3: the creature that looks north, ascending);
2. tips by value, field of the die, direction (north, east, south, west);
3. with a double: Ambrosius by field;
4. with a double: the obstacle by edge (``Board.edges``: by field, its eastern edge before its southern).

Four facings are four uses; so are two tips by which the same die burns.

*Chain.* Two dice are linked if they are orthogonal neighbours without the obstacle between them. A seat's chain is
all dice linked, over any number of dice, to the die on its alchemist's field. With ``chain_ends = beside`` the
seat's own alchemist and target fields count as if a die lay there (chips still need a die of their own).

*Distance* of a seat: the fewest dice still missing on any way from its alchemist's field to its target, both ends
counted (with ``beside``: not counted), never over Ambrosius or the obstacle, creatures' rights and pictures
disregarded; rows * columns if no way is open. It is 0 if and only if the seat is connected.

*Corner ban.* Ambrosius and the obstacle may not close both sides of any printed alchemist's field, owned or not.

*Ending with* ``end_takes_chips``: before the points are counted, seats in turn order from the player on turn (only
he with ``taking = own_turn``) get, unasked and by field, each chip that their chain reaches when their turn to get
some comes; a chip whose die is needed for a connection that the last move completed stays. After a last die nothing
is needed, so every such chip is taken.
"""

from dataclasses import dataclass
from typing import Any

from sims.engine.errors import InputError
from sims.engine.variant import data, number, ruling
from sims.kazaam_dice import board as boards

#: Values of the record's ``end``: how a game ended.
OWN, SEVERAL, OTHER, LAST_DIE, PASSES, TURNS = range(6)
ENDS = ("own", "several", "other", "last_die", "passes", "turns")


def parse_board(value: Any) -> str:
    """The name or path of a board that can be read."""
    if not isinstance(value, str):
        raise InputError(f"board: {value!r} is not allowed; {', '.join(boards.names())}, or the path of a .toml file")
    boards.load(value)
    return value


def parse_die(value: Any) -> str:
    """A net: every creature once."""
    if not isinstance(value, str) or sorted(value) != list("123456"):
        raise InputError(f"die: {value!r} is not allowed; creatures 1 to 6 once each: top north east south west bottom")
    return value


def parse_fire(value: Any) -> str:
    """The creatures that fire lets in."""
    return _creatures("fire", value)


def parse_water(value: Any) -> str:
    """The creatures that water lets in."""
    return _creatures("water", value)


def _creatures(key: str, value: Any) -> str:
    if not isinstance(value, str) or set(value) - set("123456") or len(set(value)) != len(value):
        raise InputError(f"{key}: {value!r} is not allowed; the creatures let in, such as '123'")
    return value


@dataclass(frozen=True)
class Rules:
    """Kazaam Dice, clause by clause. The defaults are the published game as the rulings read it."""

    # Components. The map, the net and the creatures' rights are reconstructions; correct them here.
    board: str = data(
        "standard",
        "the map, its pictures and who sits where",
        parse=parse_board,
        form=f"{', '.join(boards.names())}, or the path of a .toml file, as small",
        file=True,
    )
    die: str = data(
        "132456",
        "net of the die: top north east south west bottom",
        parse=parse_die,
        form="the creatures 1 to 6 once each, as 132456",
    )
    fire: str = data("123", "creatures that may enter fire", parse=parse_fire, form="creatures from 1 to 6, as 123")
    water: str = data("456", "creatures that may enter water", parse=parse_water, form="creatures from 1 to 6, as 456")
    supply: int = number(32, "homunculus dice in the game", low=2, high=64)

    # Course of play.
    placing: str = ruling(
        "picture", "where a rolled die may be placed: on its picture, or on any field", alternatives=("any",)
    )
    double_placing: str = ruling(
        "same", "where a double may be placed: like other rolls, or on any field", alternatives=("any",)
    )
    fire_water: str = ruling(
        "burns", "a die may be tipped where it burns or drowns, or not", alternatives=("no_suicide",)
    )

    # Chains and chips.
    chain_ends: str = ruling(
        "on", "a chain needs dice on both end fields, or only beside them", alternatives=("beside",)
    )
    taking: str = ruling(
        "any_turn", "who takes chips after a move: all, or the player on turn", alternatives=("own_turn",)
    )
    favourites: str = ruling(
        "apart", "favourite chips lie apart from the target fields, or on them", alternatives=("on_target",)
    )
    end_takes_chips: bool = ruling(
        False, "chips that the last move reached are taken before the game ends", alternatives=(True,)
    )

    # Victory points.
    points_connection: int = number(5, "to the mover who connects their own alchemist", low=0, high=20)
    points_also: int = number(3, "to every other player whom the same move connects", low=0, high=20)
    connected_by_other: int = ruling(
        3, "to a player connected by a mover who is not connected", alternatives=(5,), low=0, high=20
    )
    points_last_die: int = number(3, "to the player who leaves one die in the supply", low=0, high=20)
    points_favourite: int = number(2, "for keeping your own favourite chip", low=0, high=20)
    points_chip: int = number(1, "for every other chip that you keep", low=0, high=20)

    # Guards against games that never end.
    max_passes: int = number(
        10, "rounds in a row in which all pass, after which a game is unfinished", low=1, high=1000
    )
    max_turns: int = number(1000, "turns after which a game is unfinished", low=1, high=100_000)

    def load_board(self) -> boards.Board:
        """The board of these rules."""
        return boards.load(self.board)
