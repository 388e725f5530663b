"""Every cell of the exchange table, from the texts on the cards by a writing of its own."""

import itertools

import numpy as np
import pytest

from sims.engine.errors import InputError
from sims.tacatuca import reference
from sims.tacatuca.rules import THROW_NAMES, Rules, parse_cards
from sims.tacatuca.tables import SUMS, WAYS, demands

#: The card texts: double -> (gives nothing to, {pins beyond the difference: throws}). Typed from the rulebook.
TEXTS = {
    "1-1": ("2-1", {}),
    "2-2": ("3-2", {0: "1-1", 1: "3-1 2-1"}),
    "3-3": ("4-3", {0: "1-1 2-2", 2: "4-2 4-1 3-2 3-1 2-1"}),
    "4-4": ("5-4", {0: "1-1 2-2 3-3", 3: "5-3 5-2 5-1 4-3 4-2 4-1 3-2 3-1 2-1"}),
    "5-5": ("6-5", {0: "1-1 2-2 3-3 4-4", 4: "6-4 6-3 6-2 6-1 5-4 5-3 5-2 5-1 4-3 4-2 4-1 3-2 3-1 2-1"}),
    "6-6": ("", {
        2: "1-1 2-2 3-3 4-4 5-5",
        5: "6-5 6-4 6-3 6-2 6-1 5-4 5-3 5-2 5-1 4-3 4-2 4-1 3-2 3-1 2-1",
    }),
}  # fmt: skip
PAIRS = list(itertools.product(THROW_NAMES, THROW_NAMES))


def total(throw):
    return int(throw[0]) + int(throw[2])


def bonus(throw, opponent):
    """Pins beyond the difference that the thrower's card takes from the opponent, or None."""
    for pins, throws in TEXTS.get(throw, ("", {}))[1].items():
        if opponent in throws.split():
            return pins
    return None


def asked(throw, opponent, highest, doubles_collect="always", replaces=True):
    """Pins the thrower asks of the opponent if his sum is (or is not) the highest of the round."""
    if throw in TEXTS.get(opponent, ("", {}))[0].split():
        return 0
    plain = max(0, total(throw) - total(opponent)) if highest else 0
    extra = bonus(throw, opponent)
    if extra is None or (doubles_collect == "highest_only" and not highest):
        return plain  # nothing, if not highest
    card = total(throw) - total(opponent) + extra
    return card if replaces else card + plain


def test_throws_and_their_probabilities():
    counted = {name: 0 for name in THROW_NAMES}
    for first, second in itertools.product(range(1, 7), repeat=2):
        counted[f"{max(first, second)}-{min(first, second)}"] += 1
    assert dict(zip(THROW_NAMES, WAYS.tolist(), strict=True)) == counted
    assert SUMS.tolist() == [total(name) for name in THROW_NAMES]


@pytest.mark.parametrize("doubles_collect", ["always", "highest_only"])
@pytest.mark.parametrize("replaces", [True, False])
def test_every_demand(doubles_collect, replaces):
    found = demands(Rules(doubles_collect=doubles_collect, double_replaces_plain=replaces))
    for highest, (i, throw), (j, opponent) in itertools.product((0, 1), enumerate(THROW_NAMES), enumerate(THROW_NAMES)):
        expected = asked(throw, opponent, bool(highest), doubles_collect, replaces)
        assert found[highest, i, j] == expected, (throw, opponent, highest)


@pytest.mark.parametrize("doubles_collect", ["always", "highest_only"])
@pytest.mark.parametrize("replaces", [True, False])
def test_every_cell_of_the_exchange_table(doubles_collect, replaces):
    rules = Rules(doubles_collect=doubles_collect, double_replaces_plain=replaces)
    for throw, opponent in PAIRS:
        gain = asked(throw, opponent, total(throw) >= total(opponent), doubles_collect, replaces)
        loss = asked(opponent, throw, total(opponent) >= total(throw), doubles_collect, replaces)
        assert reference.exchange(rules, throw, opponent).pins == gain - loss, (throw, opponent)


def test_the_exchange_table_is_antisymmetric_and_fair():
    table = np.array([[reference.exchange(Rules(), a, b).pins for b in THROW_NAMES] for a in THROW_NAMES])
    assert np.array_equal(table, -table.T)
    assert WAYS @ table @ WAYS == 0


def test_the_sentence_that_says_so():
    rules = Rules()
    assert reference.exchange(rules, "3-1", "2-2").rule == "Saver, difference 0 + 1"
    assert reference.exchange(rules, "5-1", "3-2").rule == "plain rule, difference 1"
    assert reference.exchange(rules, "1-1", "2-1").rule == "Guard, truce: gives nothing to 2-1"
    assert reference.exchange(rules, "5-1", "3-3").rule == "equal sums: no exchange"
    assert reference.exchange(rules, "3-3", "2-2").rule == "Strong, difference 2"
    both = reference.exchange(Rules(double_replaces_plain=False), "6-6", "5-5")
    assert (both.pins, both.rule) == (6, "plain rule, difference 2 and King, difference 2 + 2")


def test_cards_follow_the_pattern_that_rulings_describe():
    # a test of cards.toml: double n takes n - 1 (the King 5) beyond the difference from every non-double whose higher
    # die is at most n + 1, except a truce with (n + 1, n); from lower doubles the difference alone (the King 2 more)
    cards = {card.double: card for card in Rules().cards}
    assert [cards[double].name for double in range(1, 7)] == [
        "Guard", "Saver", "Strong", "Commander", "Super Power", "King",
    ]  # fmt: skip
    for n, card in cards.items():
        expected = {f"{lower}-{lower}": 2 if n == 6 else 0 for lower in range(1, n)}
        for high in range(2, min(n + 1, 6) + 1):
            for low in range(1, high):
                if (high, low) != (n + 1, n):
                    expected[f"{high}-{low}"] = 5 if n == 6 else n - 1
        assert {name: take.bonus for take in card.takes for name in take.throws} == expected
        assert card.truce == (() if n == 6 else (f"{n + 1}-{n}",))


GOOD = {"name": "Odd", "double": 3, "truce": ["4-3"], "takes": [{"bonus": 1, "from": ["2-1"]}]}


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        (3, r"cards: 3 is not allowed; a list of tables"),
        ([3], r"cards: \[3\] is not allowed; a list of tables"),
        ([GOOD | {"colour": "red"}], r"cards\[1\].colour: no such key; allowed: name, double, truce, takes"),
        (
            [{"name": "Odd", "double": 3, "takes": []}],
            r"cards\[1\].truce: is missing; needed: name, double, truce, takes",
        ),
        ([GOOD | {"name": 7}], r"cards\[1\].name: 7 is not allowed; a text"),
        ([GOOD | {"double": True}], r"cards\[1\].double: True is not allowed; a whole number"),
        ([GOOD | {"double": 7}], r"cards\[1\].double: 7 is not allowed; 1 to 6, each at most once"),
        ([GOOD, GOOD], r"cards\[2\].double: 3 is not allowed; 1 to 6, each at most once"),
        ([GOOD | {"truce": ["3-4"]}], r"cards\[1\].truce: '3-4' is not allowed; another throw, higher die first"),
        ([GOOD | {"truce": ["3-3"]}], r"cards\[1\].truce: '3-3' is not allowed"),
        ([GOOD | {"truce": [43]}], r"cards\[1\].truce: 43 is not allowed"),
        ([GOOD | {"takes": [5]}], r"cards\[1\].takes\[1\]: 5 is not allowed; a table with bonus and from"),
        ([GOOD | {"takes": [{"bonus": 21, "from": []}]}], r"takes\[1\].bonus: 21 is not allowed; a whole number from"),
        ([GOOD | {"takes": [{"bonus": -1, "from": []}]}], r"takes\[1\].bonus: -1 is not allowed"),
        ([GOOD | {"takes": [{"bonus": 1, "from": "2-1"}]}], r"takes\[1\].from: '2-1' is not allowed; a list"),
        ([GOOD | {"takes": [{"bonus": 1}]}], r"takes\[1\].from: is missing; needed: bonus, from"),
        ([GOOD | {"takes": [{"bonus": 1, "from": ["4-3"]}]}], r"cards\[1\]: '4-3' is named twice"),
    ],
)
def test_bad_cards_are_told_in_one_line(cards, line):
    with pytest.raises(InputError, match=line) as told:
        parse_cards(cards)
    assert "\n" not in str(told.value)


def test_cards_of_a_variant_file(tmp_path):
    from sims import game

    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "Mine"\n[[rules.cards]]\nname = "Odd"\ndouble = 3\ntruce = ["4-3"]\n'
        'takes = [{ bonus = 1, from = ["2-1"] }]\n'
    )
    rules = game("tacatuca").variant(str(path)).rules
    assert reference.exchange(rules, "3-3", "2-1").pins == 3 + 1
    assert reference.exchange(rules, "4-3", "3-3").pins == 0
    assert reference.exchange(rules, "2-2", "3-1").pins == 0  # no Saver here
    path.write_text("[rules]\npins = 0\n")
    with pytest.raises(InputError, match=r"mine.toml: pins: '0' is not allowed; a whole number from 1 to 1000"):
        game("tacatuca").variant(str(path))
    path.write_text('[rules]\nshortage = "never"\n')
    with pytest.raises(InputError, match=r"shortage: 'never' is not allowed; clockwise, one_each, proportional"):
        game("tacatuca").variant(str(path))


def test_rules_without_a_card():
    rules = Rules().without_card("King")
    assert [card.name for card in rules.cards] == ["Guard", "Saver", "Strong", "Commander", "Super Power"]
    assert reference.exchange(rules, "6-6", "6-5").pins == 1
