"""What adding to a tower is worth, for the policy ``majority``: an estimate, compiled.

The model. What is left of a colour in the temple falls to the n seats at random, each treasure to any of them with chance
1/n. So every tower grows by the same on average, and the lead of one tower over another changes by a sum of independent
steps: a treasure that adds s moves it by +s or by -s, with chance 1/n each. Such a sum is nearly normal, with mean zero
and variance ``2/n * (sum of s**2)``. Seats do not gather at random, though: they defend a lead that pays. So the model
takes only a quarter of this variance, half of the deviation. A lead of d now is a lead at the end with chance
``Phi(d / deviation)``, as if rivals were independent of each other; level towers count as half a lead.

The majority points to be expected are then ``highest * P(ahead of all) + second * P(ahead of all but one)``. What a
turn's height adds to them is its worth.
"""

from math import erf, sqrt

from sims.engine.bits import count
from sims.engine.jit import kernel
from sims.tschakka_lakka.solver_memory import COLOURS, DICE
from sims.tschakka_lakka.tables import TOWER_COUNT
from sims.tschakka_lakka.work import TOWERS

#: Variance when nothing is left of a colour: so small that a lead of one is a sure one.
_SETTLED = 0.05


@kernel
def majority_points(rules, work, colour, own, variance):
    """Majority points to be expected by the seat on turn with a tower of height ``own`` in a colour."""
    all_of_them, all_but_one, scale = 1.0, 0.0, sqrt(2 * variance)
    for seat in range(work.players):
        if seat != work.seat:
            ahead = 0.5 + 0.5 * erf((own - work.seats[seat, TOWERS + colour]) / scale)
            all_but_one = all_but_one * ahead + all_of_them * (1 - ahead)
            all_of_them *= ahead
    second_points = rules.second_points if work.players >= rules.second_players else 0
    return rules.highest_points * all_of_them + second_points * all_but_one


@kernel
def count_towers(rules, work, worth):
    """Make the heights that a turn adds to the seat's towers worth the majority points that they bring.

    Parameters
    ----------
    worth : record WORTH
        ``tower`` is filled.
    """
    low, high = work.size_low, work.size_high
    for colour in range(COLOURS):
        left = work.colours[colour]
        small, medium, large = count(left & low & ~high), count(left & high & ~low), count(left & low & high)
        squares = small + medium + large if rules.tower == TOWER_COUNT else small + 4 * medium + 9 * large
        variance = _SETTLED + squares / (2 * work.players)
        own = work.seats[work.seat, TOWERS + colour]
        before = majority_points(rules, work, colour, own, variance)
        for rise in range(DICE + 1):
            # Where second towers are worth more than highest ones, to rise may cost; no stop is worth less than a bust.
            worth.tower[colour, rise] = max(majority_points(rules, work, colour, own + rise, variance) - before, 0.0)
