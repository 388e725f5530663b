"""All that a round can bring, counted: the joint throws of two to four players and what everyone owes after them."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sims.tacatuca.rules import THROW_NAMES, Rules
from sims.tacatuca.tables import SUMS, WAYS, demands


@dataclass(frozen=True)
class JointThrows:
    """The joint throws of ``players`` seats, each a row.

    Attributes
    ----------
    throws : int64[joint, seat]
        Throw numbers, 0 to 20.
    ways : int64[joint]
        How many of the ``36**players`` ordered outcomes show this joint throw.
    owed : int64[joint, debtor, creditor]
        Pins that a seat is asked for by another one.
    """

    throws: NDArray[np.int64]
    ways: NDArray[np.int64]
    owed: NDArray[np.int64]

    @property
    def net(self) -> NDArray[np.int64]:
        """Pins a seat gains when everybody can pay in full: int64[joint, seat]."""
        net: NDArray[np.int64] = self.owed.sum(axis=1) - self.owed.sum(axis=2)
        return net


def joint_throws(rules: Rules, players: int) -> JointThrows:
    """Every joint throw of ``players`` (2 to 4) seats with its weight and the demands."""
    throws = np.indices((21,) * players).reshape(players, -1).T
    sums = SUMS[throws]
    highest = (sums == sums.max(axis=1, keepdims=True)).astype(np.int64)
    demand, owed = demands(rules), np.zeros((len(throws), players, players), np.int64)
    for debtor in range(players):
        for creditor in range(players):
            if creditor != debtor:
                owed[:, debtor, creditor] = demand[highest[:, creditor], throws[:, creditor], throws[:, debtor]]
    return JointThrows(throws, WAYS[throws].prod(axis=1), owed)


@dataclass(frozen=True)
class Signatures:
    """Joint throws collapsed by what everybody owes to whom: all that the game sees of them.

    Attributes
    ----------
    bills : int64[bill, step]
        The distinct bills: what one debtor owes to the seat ``step`` places to his left, ``step`` = 0 .. players - 1
        (0 to himself).
    signatures : uint16[signature, 4]
        The bill of each seat; columns beyond ``players`` are 0.
    ways : int32[signature]
        Ordered outcomes of the dice, together ``36**players``.
    """

    bills: NDArray[np.int64]
    signatures: NDArray[np.uint16]
    ways: NDArray[np.int32]


@lru_cache(maxsize=16)  # a report solves many starts under few rules
def signatures(rules: Rules, players: int) -> Signatures:
    """Collapse the joint throws of ``players`` (2 to 4) seats; the arrays are only to be read."""
    joint = joint_throws(rules, players)
    base = int(joint.owed.max()) + 1
    packed = np.zeros((len(joint.ways), players), np.int64)
    for debtor in range(players):
        for step in range(1, players):
            packed[:, debtor] = packed[:, debtor] * base + joint.owed[:, debtor, (debtor + step) % players]
    distinct, bill = np.unique(packed, return_inverse=True)
    bill = bill.reshape(packed.shape)
    bills = np.zeros((len(distinct), players), np.int64)
    for step in range(players - 1, 0, -1):
        distinct, bills[:, step] = np.divmod(distinct, base)

    key = np.zeros(len(bill), np.int64)
    for debtor in range(players):
        key = key * len(bills) + bill[:, debtor]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    found = np.zeros((len(first), 4), np.uint16)
    found[:, :players] = bill[first]
    return Signatures(bills, found, np.bincount(which, weights=joint.ways).astype(np.int32))


def step_distribution(rules: Rules, players: int) -> dict[int, Fraction]:
    """Net pins of one seat in one round when everybody can pay in full.

    Returns
    -------
    dict
        Pins gained (negative: lost), ascending, with the exact chance.
    """
    joint = joint_throws(rules, players)
    pins, which = np.unique(joint.net[:, 0], return_inverse=True)
    ways = np.zeros(len(pins), np.int64)
    np.add.at(ways, which, joint.ways)
    return {int(gain): Fraction(int(way), 36**players) for gain, way in zip(pins, ways, strict=True)}


@dataclass(frozen=True)
class ThrowValue:
    """What one throw is worth, exactly.

    Attributes
    ----------
    throw : str
        Higher die first, as ``"3-1"``.
    probability : Fraction
        Chance to throw it.
    highest : Fraction
        Given the throw, the chance that every other sum is lower.
    shared : Fraction
        Given the throw, the chance that its sum is the highest together with at least one other.
    net : Fraction
        Given the throw, the expected net pins of the round when everybody can pay in full.
    """

    throw: str
    probability: Fraction
    highest: Fraction
    shared: Fraction
    net: Fraction


def throw_values(rules: Rules, players: int) -> list[ThrowValue]:
    """The worth of each of the 21 throws against ``players - 1`` opponents, in the order of ``THROW_NAMES``."""
    joint = joint_throws(rules, players)
    sums = SUMS[joint.throws]
    best_other = sums[:, 1:].max(axis=1)
    gained = joint.net[:, 0]
    values = []
    for number, name in enumerate(THROW_NAMES):
        mine = joint.throws[:, 0] == number
        ways = joint.ways[mine]
        everything = int(ways.sum())
        values.append(
            ThrowValue(
                name,
                Fraction(int(WAYS[number]), 36),
                Fraction(int(ways[SUMS[number] > best_other[mine]].sum()), everything),
                Fraction(int(ways[SUMS[number] == best_other[mine]].sum()), everything),
                Fraction(int((ways * gained[mine]).sum()), everything),
            )
        )
    return values
