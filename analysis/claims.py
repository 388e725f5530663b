"""Verdicts as objects: chosen on one half of the games, confirmed on the other, corrected over the whole page.

A sentence that says *more*, *best*, *hardly* or *matters most* is a claim. A page that makes forty of them at the 5 % level
is wrong somewhere twice; a page that names the largest of twenty differences names, often enough, the luckiest one. So

1. every question is put to the **first half** of its games, which nominates a verdict (or none);
2. only what was nominated is tested, one-sided, on the **second half**: games that had no say in the choice;
3. the p values of all nominated verdicts of a page are corrected together (Holm), which bounds the chance that the page holds
   any false verdict by ``LEVEL``, whatever the dependence between them;
4. what is not confirmed is *unclear*, and its sentence says so.

"No difference" is a verdict too and needs evidence of its own: a question with a ``margin`` can be settled as ``same``, which
means that the difference is at most the margin (two one-sided tests). Without that, absence of evidence stays *unclear*.

The unit of independence is the game, or a pair of games on the same dice: one number each.

References
----------
Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6, 1979.
Cox, "A note on data-splitting for the evaluation of significance levels", Biometrika 62, 1975.
Schuirmann, "A comparison of the two one-sided tests procedure ...", J. Pharmacokinet. Biopharm. 15, 1987.
Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982 (intersection-union tests).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.estimates import Estimate, mean_of, ratio_of

#: Chance that a page holds any false verdict, at most.
LEVEL = 0.05
#: A verdict is nominated if the first half alone would hold it to this level: a hopeless one would only cost the others.
NOMINATED = 0.1
#: A half with fewer units settles nothing, unless its test is exact: a t test of a skewed quantity needs this many.
FEWEST = 50
#: The verdict of an open question.
UNCLEAR = "unclear"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Claim:
    """A settled question.

    Attributes
    ----------
    name : str
        Stable over seeds, so that two runs can be compared.
    verdict : str
        A word; ``"unclear"`` if the question is open.
    sentence : str
        What the page says.
    estimate : Estimate
        Of the quantity asked about, from all games; of a quantity chosen among many, from the games that did not choose.
    adjusted_p : float or None
        Corrected over the page; None if exact, or if nothing was nominated.
    games : int or None
        Independent units behind the estimate; None if exact.
    headline : str
        The sentence in short, where it is long.
    """

    name: str
    family: str
    verdict: str
    sentence: str
    estimate: Estimate
    adjusted_p: float | None = None
    games: int | None = None
    seed: int | None = None
    headline: str = ""

    @property
    def short(self) -> str:
        """What the first box of a page says."""
        return self.headline or self.sentence

    @property
    def exact(self) -> bool:
        """Whether nothing was rolled."""
        return self.games is None

    def to_json(self) -> dict[str, Any]:
        """The claim as plain values."""
        return {
            "name": self.name,
            "family": self.family,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "estimate": self.estimate.value,
            "low": self.estimate.low,
            "high": self.estimate.high,
            "adjusted_p": self.adjusted_p,
            "exact": self.exact,
            "games": self.games,
            "seed": self.seed,
        }


# -- exact verdicts --------------------------------------------------------------------------------------------


def exact(name: str, family: str, verdict: str, sentence: str, value: float) -> Claim:
    """Make a verdict that follows from an exact number."""
    return Claim(name, family, verdict, sentence, Estimate(value, value, value))


def exact_largest(
    name: str,
    family: str,
    values: Mapping[str, float],
    sentence: Callable[[str, float], str],
    tied: str,
    error: float = 1e-9,
) -> Claim:
    """Make a verdict on which of several exact values is the largest; a lead within ``error`` is none."""
    ranked = sorted(values, key=values.__getitem__, reverse=True)
    top = values[ranked[0]]
    if len(ranked) > 1 and top - values[ranked[1]] <= error:
        return exact(name, family, "tied", tied, top)
    return exact(name, family, ranked[0], sentence(ranked[0], top), top)


def always(
    name: str,
    family: str,
    excess: ArrayLike,
    sentence: str,
    exceptions: Callable[[NDArray[np.int64]], str],
    error: float = 1e-9,
) -> Claim:
    """Make a verdict over all states that a sentence speaks of.

    Parameters
    ----------
    excess : float64[state]
        Positive where the sentence holds; within ``error`` of 0 it does not.
    exceptions : callable
        The sentence to say instead, from the states in which it fails: ``int64[exception]``, the worst first.
    """
    values = np.asarray(excess, float)
    order = np.argsort(values, kind="stable")
    failing = order[values[order] <= error]
    least = float(values.min())
    if len(failing):
        return exact(name, family, "with exceptions", exceptions(failing), least)
    return exact(name, family, "always", sentence, least)


# -- evidence --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Units:
    """One number for each independent unit, or a total and a count of which the ratio is asked.

    Attributes
    ----------
    totals : float64[unit]
    counts : float64[unit] or None
        For a ratio of sums ("busts per turn"): the denominator of each unit. None: the mean of ``totals``.
    between : (float, float)
        What a unit can be: 0 and 1 for a share. Intervals keep to it.
    """

    totals: Floats
    counts: Floats | None = None
    between: tuple[float, float] = (-math.inf, math.inf)

    @classmethod
    def of(cls, totals: ArrayLike, counts: ArrayLike | None = None) -> "Units":
        """Units from anything that numpy takes."""
        return cls(np.asarray(totals, float), None if counts is None else np.asarray(counts, float))

    @classmethod
    def difference(cls, totals: ArrayLike, counts: ArrayLike, others: ArrayLike, other_counts: ArrayLike) -> "Units":
        """Units whose mean is one share less another, both ratios of sums over the same games (delta method).

        Examples
        --------
        >>> float(Units.difference([3, 1], [2, 2], [0, 1], [1, 1]).totals.mean())
        0.5
        """
        return cls(_linearised(totals, counts) - _linearised(others, other_counts), between=(-1.0, 1.0))

    def __len__(self) -> int:
        return len(self.totals)

    def halves(self) -> "tuple[Units, Units]":
        """The units that choose, and those that confirm."""
        cut = len(self.totals) // 2
        counts = (None, None) if self.counts is None else (self.counts[:cut], self.counts[cut:])
        return (
            Units(self.totals[:cut], counts[0], self.between),
            Units(self.totals[cut:], counts[1], self.between),
        )

    def estimate(self) -> Estimate:
        """Mean or ratio with its 95 % interval."""
        if self.counts is None:
            return mean_of(self.totals, *self.between)
        return ratio_of(self.totals, self.counts, *self.between)

    def above(self, bound: float) -> float:
        """One-sided p value of the hypothesis that the mean (or ratio) is at most ``bound``.

        Counts of yes and no, and differences of two such, are tested exactly (binomial; against 0 the sign test of
        the units that differ, McNemar). Everything else by the t test over units, which needs ``FEWEST`` of them.
        """
        from scipy import special

        values = set(np.unique(self.totals)) if self.counts is None else set()
        if values and values <= {-1.0, 0.0, 1.0}:
            if bound == 0.0:
                wins = int((self.totals > 0).sum())
                return at_least(wins, wins + int((self.totals < 0).sum()), 0.5)
            if values <= {0.0, 1.0} and 0.0 < bound < 1.0:
                return at_least(int(self.totals.sum()), len(self), bound)
            if values == {0.0} and -1.0 < bound < 0.0:
                # were the mean that low, a loss would not have failed to show so often
                return float((1.0 + bound) ** len(self))
        if len(self) < FEWEST:
            return 1.0
        # what only rounding tells apart is alike
        excess = np.round(self.totals - (bound if self.counts is None else bound * self.counts), 12)
        spread = float(excess.std(ddof=1))
        if spread == 0.0:
            # all units alike: seen in n of n, as a yes-or-no count would be
            return 0.5 ** len(self) if excess[0] > 0 else 1.0
        t = float(excess.mean()) / (spread / math.sqrt(len(self)))
        return float(special.stdtr(len(self) - 1, -t))

    def below(self, bound: float) -> float:
        """One-sided p value of the hypothesis that the mean (or ratio) is at least ``bound``."""
        if self.counts is None and set(np.unique(self.totals)) <= {0.0, 1.0} and 0.0 < bound < 1.0:
            return Units(1 - self.totals).above(1 - bound)
        return Units(-self.totals, self.counts).above(-bound)


def _linearised(totals: ArrayLike, counts: ArrayLike) -> Floats:
    """One number for each game, of which the mean is the ratio of the sums."""
    total, count = np.asarray(totals, float), np.asarray(counts, float)
    ratio = total.sum() / count.sum()
    found: Floats = ratio + (total - ratio * count) / count.mean()
    return found


def at_least(successes: int, trials: int, share: float) -> float:
    """Chance of so many successes or more, each having the chance ``share``: the exact binomial p value.

    Examples
    --------
    >>> at_least(2, 2, 0.5), at_least(0, 5, 0.5), round(at_least(1, 2, 0.5), 12)
    (0.25, 1.0, 0.75)
    """
    from scipy import special

    return float(special.bdtrc(successes - 1, trials, share)) if successes else 1.0


# -- questions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """A verdict still to be found.

    Attributes
    ----------
    name : str
        Stable over seeds; unlike those of the page's other questions.
    family : str
        What it is about: ``"seats"``, ``"rulings"``, ...
    seed : int
        Of the games behind it.
    """

    name: str
    family: str
    seed: int

    @abstractmethod
    def candidates(self) -> Sequence[str]:
        """Verdicts that the first half of the games might nominate."""

    @abstractmethod
    def p_value(self, verdict: str, half: int) -> float:
        """One-sided p value of a candidate on the first (0) or the second half (1)."""

    @abstractmethod
    def says(self, verdict: str) -> tuple[str, Estimate, int]:
        """The sentence of a verdict, the estimate that it tells, and the number of units behind that."""

    def nominee(self) -> str | None:
        """The likeliest verdict of the first half, if it is likely enough to be worth a test."""
        found = {verdict: self.p_value(verdict, 0) for verdict in self.candidates()}
        best = min(found, key=found.__getitem__, default=None)
        return best if best is not None and found[best] <= NOMINATED else None

    def claim(self, verdict: str, adjusted_p: float | None) -> Claim:
        """The settled question."""
        sentence, estimate, games = self.says(verdict)
        return Claim(self.name, self.family, verdict, sentence, estimate, adjusted_p, games, self.seed)


@dataclass(frozen=True, kw_only=True)
class Compared(Question):
    """Whether a quantity lies above or below a value, or at most a margin from it.

    Attributes
    ----------
    null : float
        The value; with paired units mostly 0.
    margin : float or None
        What counts as "the same"; None if there is no such verdict.
    sentences : mapping
        What is said under ``"above"``, ``"below"``, ``"unclear"`` and, with a margin, ``"same"``, from the estimate of all units.
    """

    units: Units
    sentences: Mapping[str, Callable[[Estimate], str]]
    null: float = 0.0
    margin: float | None = None

    def candidates(self) -> Sequence[str]:
        """Either side, and the same."""
        return ("above", "below") if self.margin is None else ("above", "below", "same")

    def p_value(self, verdict: str, half: int) -> float:
        """Binomial, sign or t test; two of them for the same."""
        units = self.units.halves()[half]
        if verdict == "same":
            margin = self.margin or 0.0
            return max(units.above(self.null - margin), units.below(self.null + margin))
        return units.above(self.null) if verdict == "above" else units.below(self.null)

    def says(self, verdict: str) -> tuple[str, Estimate, int]:
        """The sentence, filled from all units: nothing was chosen by them."""
        found = self.units.estimate()
        return self.sentences[verdict](found), found, len(self.units)


@dataclass(frozen=True, kw_only=True)
class Largest(Question):
    """Which of several quantities, measured on the same units, is the largest (or the farthest from 0).

    The one that is largest in the first half must beat each of the others in the second: the largest of these p values
    is one for "it is not the largest" (intersection-union test), whatever the number of rivals.

    Attributes
    ----------
    units : mapping of label to float64[unit]
        Labels are words and become the verdict.
    sentence : callable
        ``sentence(label, estimate)``, from the games that did not choose.
    unclear : callable
        ``unclear(estimates)``, by label.
    absolute : bool
        Whether size counts, and not sign.
    """

    units: Mapping[str, Floats]
    sentence: Callable[[str, Estimate], str]
    unclear: Callable[[Mapping[str, Estimate]], str]
    absolute: bool = False

    def candidates(self) -> Sequence[str]:
        """The largest of the first half, if it has a rival."""
        if len(self.units) < 2:
            return ()
        means = {label: Units(values).halves()[0].estimate().value for label, values in self.units.items()}
        return (max(means, key=lambda label: abs(means[label]) if self.absolute else means[label]),)

    def p_value(self, verdict: str, half: int) -> float:
        """The p value against the strongest rival."""
        mine = self.units[verdict]
        if self.absolute and Units(mine).halves()[0].estimate().value < 0:
            mine = -mine
        leads = [mine - other for label, other in self.units.items() if label != verdict]
        if self.absolute:
            leads += [mine + other for label, other in self.units.items() if label != verdict]
        return max(Units(lead).halves()[half].above(0.0) for lead in leads)

    def says(self, verdict: str) -> tuple[str, Estimate, int]:
        """The sentence, from the half that did not choose."""
        fresh = {label: Units(values).halves()[1].estimate() for label, values in self.units.items()}
        games = len(Units(next(iter(self.units.values()))).halves()[1])
        if verdict != UNCLEAR:
            return self.sentence(verdict, fresh[verdict]), fresh[verdict], games
        return self.unclear(fresh), max(fresh.values(), key=lambda found: abs(found.value)), games


@dataclass(frozen=True, kw_only=True)
class Spread(Question):
    """Whether one of several quantities on the same units exceeds another, or all are at most a margin apart.

    Attributes
    ----------
    units : mapping of label to float64[unit]
        Shares: 0 to 1 in each unit. The verdict is ``"same"`` or ``"<label> over <label>"``.
    sentence : callable
        ``sentence(high, low, estimates)``: one label is above another; estimates by label, from the games that did not choose.
    same, unclear : callable
        From the same estimates.
    """

    units: Mapping[str, Floats]
    margin: float
    sentence: Callable[[str, str, Mapping[str, Estimate]], str]
    same: Callable[[Mapping[str, Estimate]], str]
    unclear: Callable[[Mapping[str, Estimate]], str]

    def candidates(self) -> Sequence[str]:
        """The two that lie farthest apart in the first half; and the same."""
        if len(self.units) < 2:
            return ()
        means = {label: Units(values).halves()[0].estimate().value for label, values in self.units.items()}
        high, low = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        return ("same",) if high == low else (f"{high} over {low}", "same")

    def p_value(self, verdict: str, half: int) -> float:
        """Test one pair; or, for the same, all of them from both sides."""
        if verdict != "same":
            high, low = verdict.split(" over ")
            return Units(self.units[high] - self.units[low]).halves()[half].above(0.0)
        pairs = [Units(first - second).halves()[half] for first, second in combinations(self.units.values(), 2)]
        return max(max(pair.above(-self.margin), pair.below(self.margin)) for pair in pairs)

    def says(self, verdict: str) -> tuple[str, Estimate, int]:
        """The sentence, from the half that did not choose; the estimate is the difference of the extremes."""
        fresh = {
            label: Units(values, between=(0.0, 1.0)).halves()[1].estimate() for label, values in self.units.items()
        }
        games = len(Units(next(iter(self.units.values()))).halves()[1])
        if verdict not in (UNCLEAR, "same"):
            high, low = verdict.split(" over ")
            return self.sentence(high, low, fresh), self._gap(high, low), games
        high, low = (pick(fresh, key=lambda label: fresh[label].value) for pick in (max, min))
        return (self.same if verdict == "same" else self.unclear)(fresh), self._gap(high, low), games

    def _gap(self, high: str, low: str) -> Estimate:
        return Units(self.units[high] - self.units[low], between=(-1.0, 1.0)).halves()[1].estimate()


@dataclass(frozen=True)
class Combined:
    """A verdict that follows from others by logic: true whenever they are, so that it needs no test of its own.

    Attributes
    ----------
    parts : tuple of Question
        They are settled with the page's other questions.
    decide : callable
        ``decide(claims) -> (verdict, headline, details)``; it must give ``"unclear"`` unless the parts imply more.
    """

    name: str
    family: str
    parts: tuple[Question, ...]
    decide: Callable[[Sequence[Claim]], tuple[str, str, str]]

    def claim(self, settled: Mapping[str, Claim]) -> Claim:
        """The verdict, with the estimate and the games of the first part."""
        parts = [settled[part.name] for part in self.parts]
        verdict, headline, details = self.decide(parts)
        p_values = [part.adjusted_p for part in parts if part.adjusted_p is not None]
        worst = max(p_values) if len(p_values) == len(parts) else None
        first = parts[0]
        sentence, told = f"{headline} {details}".strip(), (first.estimate, worst, first.games, first.seed)
        return Claim(self.name, self.family, verdict, sentence, *told, headline)


#: What stands on a page: a text without a verdict, a settled verdict, or one for :func:`settle`.
Sentence = str | Claim | Question | Combined


def settle(questions: Sequence[Question | Combined], level: float = LEVEL) -> dict[str, Claim]:
    """Settle the questions of a page together.

    Returns
    -------
    dict of Claim
        By name: the parts of a combined verdict stand before it. Over repeated seeds, all verdicts but ``"unclear"`` are true
        at once with a chance of at least ``1 - level``.

    Raises
    ------
    ValueError
        If two questions share a name.
    """
    single = [part for asked in questions for part in (asked.parts if isinstance(asked, Combined) else (asked,))]
    by_name = {asked.name: asked for asked in [*single, *questions]}
    if any(asked is not by_name[asked.name] for asked in [*single, *questions]):
        raise ValueError("two questions share a name")
    nominees = {part.name: part.nominee() for part in single}
    adjusted = holm({part.name: part.p_value(verdict, 1) for part in single if (verdict := nominees[part.name])})
    claims: dict[str, Claim] = {}
    for name, asked in by_name.items():
        if isinstance(asked, Combined):
            claims[name] = asked.claim(claims)
        else:
            p, verdict = adjusted.get(name), nominees[name]
            claims[name] = asked.claim(verdict if verdict and p is not None and p <= level else UNCLEAR, p)
    return claims


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Correct p values for their number, by Holm's step-down method.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.25, "c": 0.125})
    {'a': 0.03, 'c': 0.25, 'b': 0.25}
    """
    adjusted, worst = {}, 0.0
    for rank, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = worst
    return adjusted
