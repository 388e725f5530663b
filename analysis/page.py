"""The skeleton of every page: the parts that all games have, told one way, around what only one game has."""

from collections.abc import Iterator
from dataclasses import replace

from analysis.catalogue import checks_table, policies_table, readings_table
from analysis.chapter import Page, Section, Study, chapter
from sims.engine.variant import rulings

#: Answers in the first box at most.
ANSWERS = 5


def sections(study: Study) -> Iterator[Section]:
    """All sections of a report, in order.

    Raises
    ------
    ValueError
        If the first box is given more than ``ANSWERS`` answers.
    """
    page: Page = chapter(study.game.name).page(study)
    if len(page.short) > ANSWERS:
        raise ValueError(f"{len(page.short)} answers in the first box; {ANSWERS} are read")
    yield Section("In short", page.short)
    yield from page.own
    yield replace(page.length, heading="How long does a game take?")
    yield readings(study, page.readings)
    yield replace(page.seats, heading="Does the seat matter?")
    if len(study.game.roster) > 1:
        yield players(study)
    yield trust(study)


def readings(study: Study, told: Section) -> Section:
    """What the ambiguous rules change, after a list of them."""
    heading = "Do the ambiguous rules matter?"
    if not rulings(study.variant.rules):
        return Section(heading, ("This variant leaves no rule open.",))
    return replace(told, heading=heading, tables=(readings_table(study.variant), *told.tables))


def players(study: Study) -> Section:
    """Who the simulated players are."""
    return Section(
        "Who plays?",
        (
            "Nobody at a real table plays exactly like one of these. What is said of seats, chips or readings holds for the "
            "policies named there.",
        ),
        (),
        (policies_table(study.game),),
    )


def trust(study: Study) -> Section:
    """The known answers."""
    heading = "Can these numbers be trusted?"
    found = [(study.game.name, check) for check in chapter(study.game.name).checks(study)]
    if not found:
        return Section(
            heading, ("Nothing of this variant is solved exactly, so that there is no known answer to meet.",)
        )
    passed = sum(check.passed for _, check in found)
    met = (
        f"All {passed} known answers are met"
        if passed == len(found)
        else f"Only {passed} of {len(found)} known answers are met"
    )
    told = (
        f"{met}: exact values found by two methods must agree within what both guarantee, simulated ones must lie within four "
        "standard errors of the exact ones."
    )
    table = checks_table(found, study.seed)
    return Section(heading, (told,), (), (table.showing(table.frame.drop(columns="game")),))
