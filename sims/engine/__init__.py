"""What every game shares: compiled dice, the contract of a game, variants, and the batch runner."""
