"""The three pages: no sentence holds a verdict that is not a claim, and pages of several seeds do not contradict each other."""

import re
from functools import cache

import pytest

import sims
from analysis.chapter import Study, chapter
from analysis.claims import UNCLEAR
from analysis.report import settled

#: Words that compare, rank or generalise: a text that holds one is a verdict, and must be a claim.
VERDICT = re.compile(
    r"\b(more|less|fewer|most|least|best|worst|better|worse|larger|largest|smaller|smallest|longer|shorter|always|never|hardly"
    r"|nearly|often|common|rare|rarely|likely|unlikely|matters?|counts?|pays|clear|clearly|favou?rs?|favou?red|fair|than|beats?"
    r"|loses? to|decides?|no difference)\b",
    re.IGNORECASE,
)
#: Where such a word is part of a name, a rule or a method.
EXPLAINS = re.compile(
    r"best play|at most|points? or more|Nobody decides anything|run with more games|half of the starting pins or fewer"
    r"|counts as a change|before the count|decides by this alone|brings more than it risks",
    re.IGNORECASE,
)
PAGES = [("tacatuca", "standard", 400), ("tschakka-lakka", "small-4x4", 60), ("kazaam-dice", "duel", 80)]


@cache
def page(name, variant, games, seed):
    game = sims.game(name)
    study = Study(game, game.variant(variant), game.lineup(), None, games, seed)
    sections = list(chapter(name).sections(study))
    return sections, settled(sections)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "games"), PAGES)
def test_a_text_that_is_no_claim_holds_no_verdict(name, variant, games):
    sections, claims = page(name, variant, games, 1)
    texts = [sentence for section in sections for sentence in section.sentences if isinstance(sentence, str)]
    assert texts
    assert len(claims) >= 6
    verdicts = {text for text in texts for word in VERDICT.findall(EXPLAINS.sub("", text)) if word}
    assert not verdicts


def test_the_words_are_those_that_past_pages_misused():
    for past in (
        "Hardly. Of four players the first wins 24.9 %, the last 25.2 %.",
        "too much caution costs more than bad luck",
        "what counts is who sits next to him",
        "Who takes chips wins more often",
        "Far from the target nearly every roll helps",
        "Comebacks are common",
        "Every step of the ladder is a clear one.",
        "The poor always do a little better",
    ):
        assert VERDICT.search(EXPLAINS.sub("", past)), past


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "games"), PAGES)
def test_pages_of_three_seeds_do_not_contradict_each_other(name, variant, games):
    pages = [page(name, variant, games, seed)[1] for seed in (1, 2, 3)]
    assert len({frozenset(claims) for claims in pages}) == 1, "the names of claims are stable"
    for claim in pages[0]:
        verdicts = {claims[claim].verdict for claims in pages} - {UNCLEAR}
        opposite = {" over ".join(reversed(verdict.split(" over "))) for verdict in verdicts if " over " in verdict}
        assert not verdicts & opposite, claim
        assert not {"above", "below"} <= verdicts, claim
        if all(claims[claim].exact for claims in pages):
            assert len(verdicts) == 1, claim
