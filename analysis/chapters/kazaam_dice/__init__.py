"""What the analysis says about Kazaam Dice: a race of chains, so most of it is simulated, and single turns are exact."""

from analysis.chapter import Chapter
from analysis.chapters.kazaam_dice.answers import solve
from analysis.chapters.kazaam_dice.odds import ODDS


def _balance(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.kazaam_dice.balance import balance

    return balance(study)


def _sections(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.kazaam_dice.report import sections

    return sections(study)


def _checks(study):  # type: ignore[no-untyped-def]
    from analysis.chapters.kazaam_dice.checks import checks

    return checks(study)


CHAPTER = Chapter(
    odds=ODDS,
    balance=_balance,
    solve=solve,
    solve_takes=("position",),
    sections=_sections,
    checks=_checks,
    report_games=8_000,
    table_games=12_000,
    check_games=20_000,
)
