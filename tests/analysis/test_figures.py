"""Pictures: what is drawn is seen."""

import pytest

from analysis import figures


@pytest.mark.parametrize("tops", [(0.2, 0.5, 0.3), (0.5, 0.2, 0.1)])
def test_every_distribution_fits_into_the_axes(tops):
    ax = figures.new()
    for top in tops:
        figures.step_distribution([1, 2, 3], [0.1, top, 0.1], xlabel="rounds", ax=ax)
    low, high = ax.get_ylim()
    assert low == 0
    assert max(tops) < high < 1.2 * max(tops)
