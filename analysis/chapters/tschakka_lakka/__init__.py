"""What the analysis says about Tschakka Lakka: the turn is exact, whole games are played."""

from analysis.chapter import Chapter, later
from analysis.chapters.tschakka_lakka.answers import checks, solve
from analysis.chapters.tschakka_lakka.odds import ODDS
from analysis.chapters.tschakka_lakka.words import READINGS

CHAPTER = Chapter(
    odds=ODDS,
    balance=later(f"{__name__}.balance", "balance"),
    solve=solve,
    solve_takes=("position",),
    page=later(f"{__name__}.report", "page"),
    readings=READINGS,
    checks=checks,
    report_games=200_000,
    seconds=40,
)
