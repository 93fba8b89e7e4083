"""Features of segments depend on the tokens of the segment and their neighbours; codes are below their size."""

from __future__ import annotations

import numpy as np
import pytest
from feature_cases import batch, lexicons, strings
from hypothesis import given
from hypothesis import strategies as st

from ibidem.features.batch import SegmentBatch
from ibidem.features.segments import SEGMENT, segment_codes, segment_sizes
from ibidem.text import tokenise

KNOWN = lexicons()


def every(texts: list[str]) -> SegmentBatch:
    """All segments of some strings."""
    made = batch(texts, KNOWN)
    pairs = []
    place = 0
    for length in made.lengths.tolist():
        pairs += [(b, e) for b in range(place, place + length) for e in range(b + 1, place + length + 1)]
        place += length
    begin, end = np.array(pairs, dtype=np.intp).T
    return SegmentBatch(made, begin, end)


@given(st.lists(strings, min_size=1, max_size=3))
def test_every_code_is_below_the_size_of_its_feature(texts):
    codes = segment_codes(every(texts), KNOWN)
    assert codes.shape[1] == len(segment_sizes(KNOWN))
    assert (codes >= 0).all()
    assert (codes < np.array(list(segment_sizes(KNOWN).values()))).all()


@given(st.lists(strings, min_size=2, max_size=3))
def test_a_string_has_the_same_codes_alone_and_among_others(texts):
    together = segment_codes(every(texts), KNOWN)
    alone = np.concatenate([segment_codes(every([text]), KNOWN) for text in texts])
    np.testing.assert_array_equal(together, alone)


def code(text: str, part: str, name: str) -> int:
    """The code of a feature on the tokens of a part of a text."""
    tokens = tokenise(text)
    start = text.index(part)
    begin = next(n for n, token in enumerate(tokens) if token.start >= start)
    end = next(n for n, token in enumerate(tokens) if token.end >= start + len(part)) + 1
    segments = SegmentBatch(batch([text], KNOWN), np.array([begin]), np.array([end]))
    return int(segment_codes(segments, KNOWN)[0, list(segment_sizes(KNOWN)).index(name)])


TEXT = "Marsh, A. (1999). “On bells (again)”. Bog Review 4."


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("length", "Marsh", "1999", True),
        ("length", "Marsh", "Marsh, A", False),
        ("brackets", "(1999)", "(again)", True),
        ("brackets", "(1999", "(1999)", False),
        ("quotes", "“On bells (again)”", "“On bells", False),
        ("quotes", "Marsh", "Bog Review", True),
        ("phrase/journal", "Bog Review", "Bog", False),
        ("phrase/journal", "Marsh", "Bog", True),
        ("numbers", "1999", "4", False),
        ("place", "Marsh", "Bog Review", False),
        ("edges", "Bog Review", "Marsh", True),
    ],
)
def test_features_tell_segments_apart(name, one, other, same):
    assert (code(TEXT, one, name) == code(TEXT, other, name)) is same


def test_the_list_has_no_name_twice():
    names = [feature.name for feature in SEGMENT]
    assert len(set(names)) == len(names)
