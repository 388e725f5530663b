"""What the analysis says about Tschakka Lakka: the turn is exact, whole games are played."""

from analysis.chapter import Chapter, later
from analysis.chapters.tschakka_lakka.answers import checks, solve
from analysis.chapters.tschakka_lakka.odds import ODDS

CHAPTER = Chapter(
    odds=ODDS,
    balance=later(f"{__name__}.balance", "balance"),
    solve=solve,
    solve_takes=("position",),
    sections=later(f"{__name__}.report", "sections"),
    checks=checks,
    report_games=200_000,
)
