"""The three pages: no sentence holds a verdict that is not a claim, and pages of several seeds do not contradict each other."""

import re
from functools import cache

import pytest

import sims
from analysis import figures, report
from analysis.chapter import Study
from analysis.claims import UNCLEAR
from analysis.page import sections as sections_of
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
    sections = list(sections_of(study))
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
def test_the_first_box_answers_in_at_most_five_short_claims_with_their_plus_minus(name, variant, games):
    sections, claims = page(name, variant, games, 1)
    told = [report.told(sentence, claims, short=True) for sentence in sections[0].sentences]
    assert 3 <= len(told) <= 5
    for text in told:
        assert len(text) <= 260, text
        assert re.search(r"±|exact|open|too close to call|reconstruct", text), text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "games"), PAGES)
def test_sentences_and_captions_hold_words_and_no_keys(name, variant, games):
    sections, claims = page(name, variant, games, 1)
    told = [report.told(sentence, claims) for section in sections for sentence in section.sentences]
    told += [picture.caption for section in sections for picture in section.pictures]
    keys = {text for text in told if re.search(r"\w_\w|\w:\w+=|\w = \w", text)}
    assert not keys


def drawn(figure):
    """The labels of the axes' ticks, legends and texts of a figure."""
    found = [text.get_text() for axes in figure.axes for text in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    legends = [axes.get_legend() for axes in figure.axes if axes.get_legend()]
    return found + [text.get_text() for legend in legends for text in legend.get_texts()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "games"), PAGES)
def test_pictures_are_labelled_in_words(name, variant, games):
    sections, _ = page(name, variant, games, 1)
    with figures.style():
        told = [text for section in sections for picture in section.pictures for text in drawn(picture.draw())]
    assert told
    assert not {text for text in told if re.search(r"[a-z]_[a-z]|\w:\w+=|\w = \w", text)}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "games"), PAGES)
def test_pages_of_five_seeds_do_not_contradict_each_other(name, variant, games):
    pages = [page(name, variant, games, seed)[1] for seed in (1, 2, 3, 4, 5)]
    assert len({frozenset(claims) for claims in pages}) == 1, "the names of claims are stable"
    for claim in pages[0]:
        verdicts = {claims[claim].verdict for claims in pages} - {UNCLEAR}
        opposite = {" over ".join(reversed(verdict.split(" over "))) for verdict in verdicts if " over " in verdict}
        assert not verdicts & opposite, claim
        assert not {"above", "below"} <= verdicts, claim
        if all(claims[claim].exact for claims in pages):
            assert len(verdicts) == 1, claim
