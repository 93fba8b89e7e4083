"""Citations that are harder than shuffled records: more elements, marks, styles, long venues, repetition, scans."""

from __future__ import annotations

import random

import pytest
from hard_cases import (
    corpus,
    in_three_styles,
    long_venue,
    scanned,
    score,
    seven_elements,
    strings,
    with_a_second_year,
    with_marks,
)

from ibidem.kernels import compiled
from ibidem.unsupervised.blocked import BlockedConfig
from ibidem.unsupervised.segmenting import Segmentation, segment_citations

pytestmark = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")


def segment(citations, elements: int, sample: int = 200, **options) -> Segmentation:
    return segment_citations(citations, BlockedConfig(elements, sample=sample, restarts=1, sweeps=4), **options)


def test_seven_elements_of_journal_articles() -> None:
    made = corpus(200, seven_elements)
    found = segment(strings(made), 7, sample=160)
    assert score(made, found) > 0.95


def test_five_elements_in_three_styles_mixed() -> None:
    made = corpus(250, in_three_styles)
    found = segment(strings(made), 5)
    assert score(made, found) > 0.97
    assert sum(share > 0.2 for _, share in found.orders()) == 3


@pytest.mark.parametrize(("apart", "least"), [(True, 0.95), (False, 0.75)])
def test_marks_of_tokens_are_kept_and_hide_words_only_where_they_are_part_of_them(apart: bool, least: float) -> None:
    made = [with_marks(pieces, apart) for pieces in corpus(250, in_three_styles)]
    tokens = [text.split() for text in strings(made)]
    found = segment(tokens, 5)
    assert [[token.text for token in one.tokens] for one in found] == tokens
    assert all(" ".join(field.text for field in one.fields) == one.text for one in found)
    assert score(made, found) > least


def test_a_long_venue_with_numbers_places_and_days_inside() -> None:
    made = corpus(250, long_venue)
    found = segment(strings(made), 4)
    assert score(made, found) > 0.9


def test_an_element_that_occurs_twice_needs_one_number_for_each_place() -> None:
    made = corpus(200, with_a_second_year)
    narrow = segment(strings(made), 5)
    twice = [number for number, pieces in enumerate(made) if sum(name == "year" for _, name in pieces) == 2]
    for number in twice:  # each element in one piece: the second year is part of another
        labels = [field.label for field in narrow[number].fields]
        assert len(labels) == len(set(labels)) <= 5
        assert len(narrow[number].tokens) == len(narrow[number].elements)
    found = segment(strings(made), 6)
    named = found.rename(["authors", "year", "title", "journal", "pages", "year"])
    right = [
        [field.text for field in named[number].fields if field.label == "year"]
        == [text for text, name in made[number] if name == "year"]
        for number in twice
    ]
    assert sum(right) > 0.95 * len(right) > 50


@pytest.mark.parametrize("share", [0.01, 0.02, 0.05])
def test_wrong_characters_of_a_scan_do_little_harm(share: float) -> None:
    made = corpus(250, in_three_styles, share)
    assert score(made, segment(strings(made), 5)) > 0.95


def test_the_scan_confuses_characters_at_the_rate_given() -> None:
    pieces = [("salt on oiled rails", "title")] * 500
    read = "".join(text for text, _ in scanned(pieces, 0.05, random.Random(1)))
    wrong = sum(one != other for one, other in zip(read, "".join(text for text, _ in pieces), strict=True))
    assert 0.02 < wrong / len(read) < 0.05  # spaces and some letters are never confused
