"""The features of a labelling: equal for equal labellings, different when a label, an order or a boundary differs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from feature_cases import lexicons
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.support.reranker_features import BITS, labelling_codes
from ibidem.text.tokens import reference_of
from ibidem.types import Reference, Span

KNOWN = lexicons()
REFERENCE = reference_of("Ada Vale. On silent rivers. J. Water 12, 3-9 (1987).")
LABELS = ("author", "title", "journal", "volume", "pages", "year")


@st.composite
def labellings(draw: st.DrawFn) -> tuple[Reference, tuple[Span, ...]]:
    """A string and fields over its tokens, one after the other."""
    reference = reference_of(draw(st.text(min_size=1, max_size=60)))
    places = draw(st.lists(st.integers(0, len(reference.tokens)), unique=True, max_size=8).map(sorted))
    fields = pairwise(places)
    return reference, tuple(Span(draw(st.sampled_from(LABELS)), start, end) for start, end in fields)


@given(labellings())
def test_codes_are_ordered_each_once_and_within_the_table(case):
    codes = labelling_codes(*case, KNOWN)
    assert (np.diff(codes) > 0).all()
    assert codes.min() >= 0 and codes.max() < 1 << BITS  # an empty labelling has features too
    np.testing.assert_array_equal(codes, labelling_codes(*case, KNOWN))


def test_labels_boundaries_and_order_make_a_difference():
    plain = (Span("author", 0, 2), Span("title", 3, 6))
    others = [
        (Span("editor", 0, 2), Span("title", 3, 6)),
        (Span("author", 0, 2), Span("title", 3, 7)),
        (Span("title", 0, 2), Span("author", 3, 6)),
        (Span("author", 0, 2),),
        (),
    ]
    sets = [frozenset(labelling_codes(REFERENCE, labelling, KNOWN).tolist()) for labelling in (plain, *others)]
    assert len(set(sets)) == len(sets)


def test_case_and_digits_between_fields_make_no_difference():
    one, other = reference_of("Ada Vale 1987. On RIVERS"), reference_of("Ada Vale 2003. On rivers")
    spans = (Span("author", 0, 2), Span("title", 4, 6))
    shared = set(labelling_codes(one, spans, KNOWN).tolist()) & set(labelling_codes(other, spans, KNOWN).tolist())
    assert len(shared) > 0.9 * len(labelling_codes(one, spans, KNOWN))


def test_a_field_of_a_hundred_thousand_characters_is_no_trouble():
    reference = reference_of("aB9-" * 25_000)
    assert len(labelling_codes(reference, (Span("title", 0, len(reference.tokens)),), KNOWN)) < 40


@pytest.mark.parametrize(("span", "more"), [(Span("journal", 2, 4), 1), (Span("journal", 5, 7), 0)])
def test_a_phrase_is_known_when_the_whole_field_is_one(span, more):
    reference = reference_of("Marsh. Bog Review. Bog Light")
    forgetful = replace(KNOWN, phrases={})
    found, less = (set(labelling_codes(reference, (span,), known).tolist()) for known in (KNOWN, forgetful))
    assert less <= found and len(found - less) == more


def test_known_words_are_counted_in_quarters():
    one, none = (
        set(labelling_codes(reference_of(text), (Span("author", 0, 4),), KNOWN)) for text in ("Marsh a b c", "x a b c")
    )
    same = set(labelling_codes(reference_of("c b a Marsh"), (Span("author", 0, 4),), KNOWN))
    wordless = replace(KNOWN, words={})
    counted = one - set(labelling_codes(reference_of("Marsh a b c"), (Span("author", 0, 4),), wordless))
    assert counted and counted <= same and not counted <= none
