"""The turn once more, as slow as the rulebook reads: every throw as a multiset of six faces, plain Python dicts.

Shares nothing with the toolkit. Squares are (row, column); a throw is counts of B, Y, G, R, joker, skull.
"""

from itertools import combinations_with_replacement
from math import factorial

BLUE, YELLOW, GREEN, RED, JOKER, SKULL = range(6)
TIE = 1e-9


def throws(count):
    """Every multiset of ``count`` dice with its probability."""
    for faces in combinations_with_replacement(range(6), count):
        counts = [faces.count(face) for face in range(6)]
        ways = factorial(count)
        for number in counts:
            ways //= factorial(number)
        yield counts, ways / 6**count


class Turn:
    """A turn in a temple.

    treasures: {square: (colour, size)}; worth: f(frozenset of released squares) -> value of stopping;
    gems: {frozenset of squares around: points}; hand: dice of a whole turn; limit: skulls that end it (0: none).
    """

    def __init__(self, treasures, raccoon, worth, hand=7, limit=0):
        self.treasures, self.raccoon, self.worth, self.hand, self.limit = treasures, raccoon, worth, hand, limit
        self.memo = {}

    def released(self, paid):
        return frozenset(square for square, dice in paid if dice == self.treasures[square][1])

    def targets(self, paid):
        """Chambers in reach, in reading order, with the dice they need."""
        done = self.released(paid)
        lying = dict(paid)
        for row, column in sorted(self.treasures):
            beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            if (row, column) not in done and (self.raccoon in beside or beside & done):
                yield (row, column), self.treasures[row, column][1] - lying.get((row, column), 0)

    def options(self, paid, counts):
        """What the throw allows: (chamber, dice, go on?, value, what follows), in the order that settles ties."""
        left = sum(counts[:SKULL])
        for chamber, need in self.targets(paid):
            fitting = counts[self.treasures[chamber][0]] + counts[JOKER]
            for dice in range(1, min(need, fitting) + 1):
                lying = dict(paid)
                lying[chamber] = lying.get(chamber, 0) + dice
                after = frozenset(lying.items())
                done = self.released(after)
                yield chamber, dice, False, self.worth(done), (0.0, {done: 1.0})
                if left > dice:
                    value, bust, stops = self.throw(after, left - dice)
                    yield chamber, dice, True, value, (bust, stops)

    def throw(self, paid, dice):
        """``(value, chance of a bust, {released set: chance to stop with it})`` of throwing ``dice`` dice."""
        key = (paid, dice)
        if key not in self.memo:
            skulls = self.hand - sum(lying for _, lying in paid) - dice
            value, bust, stops = 0.0, 0.0, {}
            for counts, chance in throws(dice):
                best = None
                if not self.limit or skulls + counts[SKULL] < self.limit:
                    for option in self.options(paid, counts):
                        if best is None or option[3] > best[3] + TIE:
                            best = option
                if best is None:
                    bust += chance
                    continue
                value += chance * best[3]
                bust += chance * best[4][0]
                for done, part in best[4][1].items():
                    stops[done] = stops.get(done, 0.0) + chance * part
            self.memo[key] = value, bust, stops
        return self.memo[key]
