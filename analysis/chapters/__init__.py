"""What the analysis says about each game; one package a game, see :mod:`analysis.chapter` for the contract."""
