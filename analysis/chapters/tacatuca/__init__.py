"""What the analysis says about Tacatuca: a game without decisions, so nearly everything here is exact."""

from analysis.chapter import Chapter
from analysis.chapters.tacatuca.answers import checks, solve
from analysis.chapters.tacatuca.odds import ODDS


def _balance(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.tacatuca.balance import balance

    return balance(study)


def _sections(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.tacatuca.report import sections

    return sections(study)


CHAPTER = Chapter(
    odds=ODDS,
    balance=_balance,
    solve=solve,
    solve_takes=("pins",),
    sections=_sections,
    checks=checks,
    report_games=1_000_000,
)
