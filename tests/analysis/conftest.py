"""Studies to test with."""

import pytest

import sims
from analysis.chapter import Study


@pytest.fixture
def study_of():
    """``study_of(game, variant, players=.., games=.., seed=..)``."""

    def make(name, variant="standard", players=None, games=100, seed=5):
        game = sims.game(name)
        return Study(game, game.variant(variant), game.lineup((), players), players, games, seed)

    return make
