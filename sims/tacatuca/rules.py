"""The rules of Tacatuca: every number, every card, every ruling.

Two to four players throw two dice each, all at once. Whoever throws highest takes pins from the lower throwers, as
many as the sums differ; the six doubles carry cards with texts of their own (rulebook, "Rules of the game" and
"Game cards instructions"). A player without pins leaves, the last one with pins wins. Nobody decides anything.
"""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sims.engine import variant
from sims.engine.errors import InputError
from sims.engine.variant import data, number, ruling

FOLDER = Path(__file__).resolve().parent

#: The 21 throws of two dice, higher die first, in the order that all tables use: 1-1, 2-1, 2-2, 3-1, ... 6-6.
THROWS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
THROW_NAMES = tuple(f"{high}-{low}" for high, low in THROWS)


@dataclass(frozen=True)
class Take:
    """A sentence of a card: from each of these throws the difference of sums and ``bonus`` more pins."""

    bonus: int
    throws: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """The card of a double.

    Attributes
    ----------
    double : int
        1 to 6: the card counts for a throw of ``double``-``double``.
    truce : tuple of str
        Throws to which the double gives nothing.
    takes : tuple of Take
        From whom it takes, and how much.
    """

    name: str
    double: int
    truce: tuple[str, ...] = ()
    takes: tuple[Take, ...] = ()


def parse_cards(value: Any) -> tuple[Card, ...]:
    """Read a list of card tables as in ``cards.toml``.

    Raises
    ------
    InputError
        Unknown key, wrong type, a throw that two dice cannot show, two cards for one double.
    """
    if isinstance(value, tuple) and all(isinstance(card, Card) for card in value):
        return value
    if not isinstance(value, list) or not all(isinstance(card, dict) for card in value):
        raise InputError(f"cards: {value!r} is not allowed; a list of tables [[rules.cards]]")
    cards: list[Card] = []
    for position, entry in enumerate(value, start=1):
        where = f"cards[{position}]"
        _only(where, entry, {"name": str, "double": int, "truce": list, "takes": list})
        double = entry["double"]
        if not 1 <= double <= 6 or double in [card.double for card in cards]:
            raise InputError(f"{where}.double: {double} is not allowed; 1 to 6, each at most once")
        name = entry["name"]
        if not name.isprintable() or not 1 <= len(name) <= 60 or name in [card.name for card in cards]:
            raise InputError(
                f"{where}.name: {name[:80]!r} is not allowed; 1 to 60 characters that can be printed, each name once"
            )
        takes = []
        for number_, take in enumerate(entry["takes"], start=1):
            inside = f"{where}.takes[{number_}]"
            if not isinstance(take, dict):
                raise InputError(f"{inside}: {take!r} is not allowed; a table with bonus and from")
            _only(inside, take, {"bonus": int, "from": list})
            if not 0 <= take["bonus"] <= 20:
                raise InputError(f"{inside}.bonus: {take['bonus']} is not allowed; a whole number from 0 to 20")
            takes.append(Take(take["bonus"], _throws(f"{inside}.from", take["from"], double)))
        named = [name for take in takes for name in take.throws]
        truce = _throws(f"{where}.truce", entry["truce"], double)
        twice = next((throw for throw in [*named, *truce] if [*named, *truce].count(throw) > 1), None)
        if twice:
            raise InputError(f"{where}: {twice!r} is named twice; each throw at most once on a card")
        cards.append(Card(name, double, truce, tuple(takes)))
    return tuple(cards)


def _only(where: str, table: dict[str, Any], keys: dict[str, type]) -> None:
    for key, value in table.items():
        if key not in keys:
            raise InputError(f"{where}.{key}: no such key; allowed: {', '.join(keys)}")
        if type(value) is not keys[key]:
            kind = {str: "a text", int: "a whole number", list: "a list"}[keys[key]]
            raise InputError(f"{where}.{key}: {value!r} is not allowed; {kind}")
    missing = [key for key in keys if key not in table]
    if missing:
        raise InputError(f"{where}.{missing[0]}: is missing; needed: {', '.join(keys)}")


def _throws(where: str, names: list[Any], double: int) -> tuple[str, ...]:
    for name in names:
        if name not in THROW_NAMES or name == f"{double}-{double}":
            raise InputError(f"{where}: {name!r} is not allowed; another throw, higher die first, as '3-1'")
    return tuple(names)


@dataclass(frozen=True)
class Rules:
    """A rule set of Tacatuca. Rulings cite the sentence they settle."""

    pins: int = number(20, "pins each player starts with (rulebook: 20)", low=1, high=1000)
    cards: tuple[Card, ...] = data(
        parse_cards(variant.read_toml(FOLDER / "cards.toml")["cards"]),
        "the cards of the doubles: truces, and who pays what",
        parse=parse_cards,
    )
    doubles_collect: str = ruling(
        "always",
        "'Player who throws the same number ... complies with the instructions': against everybody, or only when "
        "no other sum is higher",
        alternatives=("highest_only",),
    )
    double_replaces_plain: bool = ruling(
        True, "a card's amount stands instead of the plain difference (true) or is added to it", alternatives=(False,)
    )
    shortage: str = ruling(
        "clockwise",
        "who is paid when a debtor cannot pay everyone: whole demands clockwise from their left, one pin each in turn, "
        "or shares by largest remainder",
        alternatives=("one_each", "proportional"),
    )
    max_rounds: int = number(
        10_000, "a game still open after this many rounds counts as unfinished", low=1, high=1_000_000
    )

    def without_card(self, name: str) -> "Rules":
        """These rules with one card's text removed: its double becomes a plain throw."""
        return dataclasses.replace(self, cards=tuple(card for card in self.cards if card.name != name))
