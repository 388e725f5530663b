"""What the analysis says about Tacatuca: a game without decisions, so nearly everything here is exact."""

from analysis.chapter import Chapter, later
from analysis.chapters.tacatuca.answers import checks, solve
from analysis.chapters.tacatuca.odds import ODDS
from analysis.chapters.tacatuca.words import READINGS

CHAPTER = Chapter(
    odds=ODDS,
    balance=later(f"{__name__}.balance", "balance"),
    solve=solve,
    solve_takes=("pins",),
    page=later(f"{__name__}.report", "page"),
    readings=READINGS,
    checks=checks,
    report_games=1_000_000,
    turns="rounds",
    seconds=15,
)
