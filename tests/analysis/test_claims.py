"""Verdicts: right tests, right corrections, and pages without false verdicts in worlds without effects."""

import itertools
import math

import numpy as np
import pytest

from analysis.claims import (
    LEVEL,
    UNCLEAR,
    Combined,
    Compared,
    Largest,
    Spread,
    Units,
    always,
    at_least,
    exact_largest,
    holm,
    settle,
)

SAID = {
    verdict: (lambda found, verdict=verdict: f"{verdict} {found.value:.2f}")
    for verdict in ("above", "below", "same", UNCLEAR)
}


def compared(name, totals, counts=None, **options):
    return Compared(name=name, family="f", seed=1, units=Units.of(totals, counts), sentences=SAID, **options)


def largest(name, units, absolute=False):
    said = {"sentence": lambda label, found: f"{label} {found.value:.2f}", "unclear": lambda _: "open"}
    return Largest(name=name, family="f", seed=1, units=units, absolute=absolute, **said)


def spread(name, units, margin=0.01):
    said = {"same": lambda _: "same", "unclear": lambda _: "open"}
    return Spread(name=name, family="f", seed=1, units=units, margin=margin, sentence="{} {} {}".format, **said)


# -- tests of one quantity -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "trials", "share"), [(3, 5, 0.5), (5, 5, 0.3), (1, 7, 0.2), (0, 4, 0.9)])
def test_yes_and_no_are_tested_by_counting_outcomes(successes, trials, share):
    expected = sum(
        math.prod(share if yes else 1 - share for yes in outcome)
        for outcome in itertools.product((0, 1), repeat=trials)
        if sum(outcome) >= successes
    )
    units = Units.of([1] * successes + [0] * (trials - successes))
    assert units.above(share) == pytest.approx(expected)
    assert at_least(successes, trials, share) == pytest.approx(expected)
    # "at least" of the others is "at most" of these
    assert Units.of(1 - units.totals).below(1 - share) == pytest.approx(expected)


def test_paired_wins_are_tested_by_the_sign_test():
    # 9 of 10 pairs that differ: (10 + 1) / 2**10
    assert Units.of([1] * 9 + [-1] + [0] * 500).above(0) == pytest.approx(11 / 1024)
    assert Units.of([1] * 9 + [-1] + [0] * 500).below(0) == pytest.approx(1023 / 1024)


def test_differences_that_never_occurred_are_seldom_large():
    # a mean of -0.01 or less needs a loss in at least one of a hundred: not one in n has the chance 0.99**n
    never = Units.of(np.zeros(300))
    assert never.above(-0.01) == pytest.approx(0.99**300)
    assert never.below(0.01) == pytest.approx(0.99**300)
    assert never.above(0) == never.below(0) == 1.0
    # wins without a loss are a sign test, not proof
    assert Units.of([1, 0, 0, 1]).above(0) == 0.25


def test_amounts_are_tested_by_t():
    # t of 100 values with mean 1 and variance 100 / 99: t = 1 / (sqrt(100 / 99) / 10) = 9.9499
    values = 1 + np.tile([-1.0, 1.0], 50)
    from scipy import stats

    assert Units.of(values).above(0) == pytest.approx(stats.ttest_1samp(values, 0, alternative="greater").pvalue)
    assert Units.of(values).below(2.2) == pytest.approx(stats.ttest_1samp(values, 2.2, alternative="less").pvalue)


def test_a_ratio_is_tested_over_games_not_over_the_things_counted():
    rng = np.random.default_rng(5)
    counts = rng.integers(1, 40, 400)
    # all turns of a game alike: a test over turns would see thousands of independent ones
    totals = counts * rng.integers(0, 2, 400)
    apart = Units.of(totals - 0.5 * counts).above(0)
    assert Units.of(totals, counts).above(0.5) == pytest.approx(apart)


def test_rounding_is_no_evidence():
    values = np.full(200, 0.1 + 0.2) - 0.3
    assert values[0] > 0
    assert Units.of(values).above(0) == Units.of(values).below(0) == 1.0


def test_few_skewed_amounts_settle_nothing():
    assert Units.of([0.5] * 49).above(0) == 1.0
    assert Units.of([0.5] * 50).above(0) == 0.5**50
    assert Units.of([0.0] * 50 + [0.0] * 50).above(0) == 1.0


# -- corrections -----------------------------------------------------------------------------------------------


def test_holm_by_its_definition():
    rng = np.random.default_rng(3)
    for _ in range(50):
        p = {str(i): float(value) for i, value in enumerate(rng.random(6) ** 3)}
        adjusted = holm(p)
        ranked = sorted(p, key=p.get)
        for level in (0.01, 0.05, 0.2):
            # step down: reject while the k-th smallest is at most level / (m - k)
            rejected = set()
            for k, name in enumerate(ranked):
                if p[name] > level / (6 - k):
                    break
                rejected.add(name)
            assert {name for name in p if adjusted[name] <= level} == rejected


# -- verdicts --------------------------------------------------------------------------------------------------


def test_a_plain_difference_is_found_and_told_with_its_numbers():
    rng = np.random.default_rng(1)
    claim = settle([compared("longer", rng.normal(1, 2, 2000))])["longer"]
    assert claim.verdict == "above"
    assert claim.sentence == f"above {claim.estimate.value:.2f}"
    assert claim.adjusted_p < 1e-9
    assert (claim.games, claim.seed, claim.exact) == (2000, 1, False)
    assert claim.estimate.low < 1 < claim.estimate.high


def test_what_only_the_first_half_shows_is_unclear():
    first, second = np.full(500, 1.0), np.random.default_rng(2).normal(0, 1, 500)
    claim = settle([compared("half", np.concatenate([first + second, second]))])["half"]
    assert claim.verdict == UNCLEAR
    assert claim.sentence.startswith(UNCLEAR)


def test_what_only_the_second_half_shows_was_never_asked():
    noise = np.random.default_rng(13).normal(0, 0.1, 500)
    # the first half is as flat as can be
    flat = np.concatenate([noise, -noise])
    claim = settle([compared("late", np.concatenate([flat, flat + 1]))])["late"]
    assert (claim.verdict, claim.adjusted_p) == (UNCLEAR, None)


def test_the_half_that_chooses_the_largest_does_not_confirm_it():
    noise = np.random.default_rng(14).normal(0, 0.1, 1000)
    early, late = np.repeat([1.0, 0.0], 500) + noise, np.repeat([0.0, 1.0], 500) + noise
    claim = settle([largest("turned", {"early": early, "late": late})])["turned"]
    assert claim.verdict == UNCLEAR
    # "early" was nominated by the first half, and fell on the second
    assert claim.adjusted_p == pytest.approx(1.0)


def test_no_evidence_is_not_evidence_of_none():
    rng = np.random.default_rng(4)
    few, many = rng.normal(0, 1, 60), rng.normal(0, 1, 20_000)
    claims = settle([compared("few", few, margin=0.1), compared("many", many, margin=0.1)])
    assert claims["few"].verdict == UNCLEAR
    assert claims["many"].verdict == "same"
    assert settle([compared("many", many)])["many"].verdict == UNCLEAR


def test_the_largest_must_beat_each_rival():
    rng = np.random.default_rng(6)
    noise = rng.normal(0, 1, 4000)
    clear = {"a": noise + rng.normal(0.3, 0.5, 4000), "b": noise, "c": noise - 1}
    claim = settle([largest("clear", clear)])["clear"]
    assert claim.verdict == "a"
    # the estimate is that of the half that did not choose
    assert claim.estimate.value == pytest.approx(clear["a"][2000:].mean())
    tied = clear | {"a2": noise + rng.normal(0.3, 0.5, 4000)}
    assert settle([largest("tied", tied)])["tied"].verdict == UNCLEAR
    assert settle([largest("alone", {"a": noise})])["alone"].verdict == UNCLEAR


def test_the_farthest_from_zero_may_lie_on_either_side():
    rng = np.random.default_rng(8)
    noise = rng.normal(0, 1, 4000)
    units = {"up": noise + 0.2, "down": noise - 0.5, "none": rng.normal(0, 1, 4000)}
    claim = settle([largest("change", units, absolute=True)])["change"]
    assert claim.verdict == "down"
    assert claim.estimate.value == pytest.approx(units["down"][2000:].mean())
    assert settle([largest("change", units)])["change"].verdict == "up"
    # as far on one side as on the other
    mirrored = {"up": noise + 0.5, "down": rng.normal(-0.5, 1, 4000)}
    assert settle([largest("change", mirrored, absolute=True)])["change"].verdict == UNCLEAR


def test_a_spread_names_two_that_differ_or_says_that_all_are_close():
    rng = np.random.default_rng(9)
    winner = rng.choice(3, 200_000, p=[0.34, 0.33, 0.33])
    seats = {str(seat): (winner == seat) * 1.0 for seat in range(3)}
    assert settle([spread("fine", seats, 0.0001)])["fine"].verdict in ("0 over 1", "0 over 2")
    few = {seat: wins[:2000] for seat, wins in seats.items()}
    assert settle([spread("few", few, 0.0001)])["few"].verdict == UNCLEAR
    even = rng.integers(0, 3, 200_000)
    alike = {str(seat): (even == seat) * 1.0 for seat in range(3)}
    claim = settle([spread("alike", alike, 0.02)])["alike"]
    assert (claim.verdict, claim.sentence) == ("same", "same")
    fresh = [wins[100_000:].mean() for wins in alike.values()]
    assert claim.estimate.value == pytest.approx(max(fresh) - min(fresh))


def test_a_combined_verdict_follows_from_its_parts():
    rng = np.random.default_rng(10)
    up, down, flat = (
        compared(name, rng.normal(mean, 1, 2000)) for name, mean in (("up", 1), ("down", -1), ("flat", 0))
    )

    def decide(claims):
        verdicts = {claim.verdict for claim in claims}
        if UNCLEAR in verdicts:
            return UNCLEAR, "Open.", ""
        return ("agree", "All alike.", "Both up.") if len(verdicts) == 1 else ("differ", "It depends.", "")

    asked = [
        Combined(name, "f", parts, decide)
        for name, parts in (("both", (up, down)), ("some", (up, flat)), ("one", (up,)))
    ]
    claims = settle([up, *asked])
    assert {name: claims[name].verdict for name in ("both", "some", "one")} == {
        "both": "differ",
        "some": UNCLEAR,
        "one": "agree",
    }
    # a part is settled once, whoever asks
    assert list(claims) == ["up", "down", "flat", "both", "some", "one"]
    assert claims["both"].adjusted_p == max(claims["up"].adjusted_p, claims["down"].adjusted_p)
    assert claims["some"].adjusted_p is None
    assert (claims["one"].short, claims["one"].sentence) == ("All alike.", "All alike. Both up.")
    assert claims["up"].short == claims["up"].sentence


def test_hopeless_questions_cost_the_others_nothing():
    rng = np.random.default_rng(7)
    clear = compared("clear", rng.normal(0.15, 1, 1000))
    flat = [compared(f"flat {i}", np.tile([-0.5, 0.5], 500)) for i in range(200)]
    assert settle([clear, *flat])["clear"].adjusted_p == settle([clear])["clear"].adjusted_p


def test_questions_have_names_of_their_own():
    with pytest.raises(ValueError, match="share a name"):
        settle([compared("a", [1, 0]), compared("a", [1, 0])])


# -- exact verdicts --------------------------------------------------------------------------------------------


def test_an_exact_largest_within_the_error_is_tied():
    values = {"a": 0.25, "b": 0.25 + 1e-12, "c": 0.1}
    said = {"name": "n", "family": "f", "sentence": "{} with {}".format, "tied": "a draw"}
    assert exact_largest(values=values, **said).verdict == "tied"
    claim = exact_largest(values=values | {"c": 0.5}, **said)
    assert (claim.verdict, claim.sentence, claim.exact, claim.estimate.value) == ("c", "c with 0.5", True, 0.5)


def test_always_means_all_states_and_names_the_worst_exception_first():
    claim = always("n", "f", [0.1, 0.0, -0.3], "Always.", lambda failing: f"Not in {failing.tolist()}.")
    assert (claim.verdict, claim.sentence, claim.estimate.value) == ("with exceptions", "Not in [2, 1].", -0.3)
    claim = always("n", "f", [0.1, 0.2], "Always.", str)
    assert (claim.verdict, claim.sentence, claim.estimate.value) == ("always", "Always.", 0.1)


# -- whole pages -----------------------------------------------------------------------------------------------


def null_page(rng, games):
    """Forty questions about a world without effects: dependent, skewed, rare, paired and best-of-many ones."""
    seats = rng.integers(0, 4, games)
    lengths = rng.geometric(0.03, games)
    shared = rng.normal(0, 1, games)
    questions = [compared(f"seat {seat}", seats == seat, null=0.25) for seat in range(4)]
    questions += [compared(f"paired {i}", rng.geometric(0.03, games) - lengths * 1.0) for i in range(8)]
    questions += [compared(f"rare {i}", rng.random(games) < 0.004, null=0.004) for i in range(4)]
    questions += [compared(f"swing {i}", shared + rng.normal(0, 1, games)) for i in range(8)]
    questions += [compared(f"pair {i}", rng.integers(-1, 2, games)) for i in range(8)]
    questions += [compared(f"ratio {i}", rng.binomial(lengths, 0.125), lengths, null=0.125) for i in range(4)]
    questions += [
        largest(f"best {i}", {label: shared + rng.normal(0, 1, games) for label in "abcdef"}) for i in range(4)
    ]
    questions += [
        spread(f"seats {i}", {str(seat): (rng.integers(0, 4, games) == seat) * 1.0 for seat in range(4)})
        for i in range(2)
    ]
    questions += [
        largest(f"farthest {i}", {label: rng.normal(0, 1, games) for label in "abcd"}, absolute=True) for i in range(2)
    ]
    return questions


@pytest.mark.slow
@pytest.mark.parametrize("games", [400, 3000])
def test_pages_about_nothing_rarely_hold_a_verdict(games):
    pages = 600
    rng = np.random.default_rng(11)
    false = sum(any(claim.verdict != UNCLEAR for claim in settle(null_page(rng, games)).values()) for _ in range(pages))
    # a rate of 5 % gives more than this in one of 10,000 runs
    assert false <= 0.05 * pages + 3.72 * math.sqrt(0.05 * 0.95 * pages)
    assert LEVEL == 0.05


@pytest.mark.slow
def test_a_difference_of_a_margin_is_rarely_called_the_same():
    rng = np.random.default_rng(12)
    verdicts = [settle([compared("edge", rng.normal(0.2, 1, 3000), margin=0.2)])["edge"].verdict for _ in range(600)]
    assert verdicts.count("same") <= 0.05 * 600 + 3.72 * math.sqrt(0.05 * 0.95 * 600)
    assert "below" not in verdicts
