"""What the analysis says about Tschakka Lakka: the turn is exact, whole games are played."""

from analysis.chapter import Chapter
from analysis.chapters.tschakka_lakka.answers import checks, solve
from analysis.chapters.tschakka_lakka.odds import ODDS


def _balance(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.tschakka_lakka.balance import balance

    return balance(study)


def _sections(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.tschakka_lakka.report import sections

    return sections(study)


CHAPTER = Chapter(
    odds=ODDS,
    balance=_balance,
    solve=solve,
    solve_takes=("position",),
    sections=_sections,
    checks=checks,
    report_games=200_000,
)
