"""Kazaam Dice: chains of tipping dice between alchemists and their favourite ingredients."""
