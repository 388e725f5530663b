"""What the analysis says about Kazaam Dice: a race of chains, so most of it is simulated, and single turns are exact."""

from analysis.chapter import Chapter, later
from analysis.chapters.kazaam_dice.answers import solve
from analysis.chapters.kazaam_dice.odds import ODDS
from analysis.chapters.kazaam_dice.words import READINGS

CHAPTER = Chapter(
    odds=ODDS,
    balance=later(f"{__name__}.balance", "balance"),
    solve=solve,
    solve_takes=("position",),
    page=later(f"{__name__}.report", "page"),
    readings=READINGS,
    checks=later(f"{__name__}.checks", "checks"),
    report_games=8_000,
    table_games=12_000,
    check_games=20_000,
)
