"""The rule-based segmenter: where strings are cut, finely and coarsely, and the features of the chunks."""

from __future__ import annotations

import numpy as np
import pytest
from feature_cases import batch, lexicons, strings
from hypothesis import given
from hypothesis import strategies as st

from ibidem.features.batch import SegmentBatch
from ibidem.features.chunks import MAKEUP, SEEN, fields_seen, find_chunks, find_cuts, makeup
from ibidem.text import tokenise

KNOWN = lexicons()


def cut_up(text: str, coarse: bool) -> str:
    """The text with a bar wherever it is cut."""
    tokens = tokenise(text)
    starts = [tokens[place].start for place in np.flatnonzero(find_cuts(batch([text], KNOWN), coarse)).tolist()]
    ends = [*starts[1:], len(text)]
    return "|".join(text[start:end].strip() for start, end in zip(starts, ends, strict=True))


@pytest.mark.parametrize(
    ("text", "fine", "coarse"),
    [
        (  # compact: a colon cuts, a full stop glued to what follows or after an initial does not
            "Doe J. On things. J Thing Res. 2019;14(3):153-60.",
            "Doe J. On things.|J Thing Res.|2019;|14|(3)|:|153-60.",
            "Doe J. On things.|J Thing Res.|2019;14(3):|153-60.",
        ),
        (  # a telling word begins a chunk
            "Reed, A. (1980). The drift: a study. In Bog Review, vol. 4, pp. 1-2.",
            "Reed,|A.|(1980)|.|The drift:|a study.|In Bog Review,|vol.|4,|pp.|1-2.",
            "Reed, A. (1980).|The drift:|a study.|In Bog Review,|vol.|4,|pp.|1-2.",
        ),
        (  # quotes cut where they open and after they close
            "A. B. Marsh, “On bells,” River Lett. 12",
            "A. B. Marsh,|“On bells,|”|River Lett.|12",
            "A. B. Marsh,|“On bells,”|River Lett.|12",
        ),
        (
            "«Колокола» и реки. М.: Наука, 1999",
            "«Колокола»|и реки.|М.:|Наука,|1999",
            "«Колокола»|и реки.|М.:|Наука, 1999",
        ),
        ("Marsh A.B. Bells, Hrsg. von Reed", "Marsh A.B. Bells,|Hrsg.|von Reed", "Marsh A.B. Bells,|Hrsg.|von Reed"),
        ("[3] Reed", "[3]|Reed", "[3] Reed"),
        ("U.S. Census", "U.S. Census", "U.S. Census"),
        ("bells", "bells", "bells"),
        (";", ";", ";"),
    ],
)
def test_where_a_string_is_cut(text, fine, coarse):
    assert cut_up(text, coarse=False) == fine
    assert cut_up(text, coarse=True) == coarse


@given(st.lists(strings, min_size=1, max_size=3))
def test_the_fine_cuts_are_the_coarse_ones_and_more(texts):
    found = batch(texts, KNOWN)
    coarse, fine = find_cuts(found, coarse=True), find_cuts(found, coarse=False)
    assert (fine | ~coarse).all()
    assert coarse[found.first].all()  # every string begins a chunk


@given(st.lists(strings, min_size=1, max_size=3), st.booleans())
def test_every_token_is_in_one_chunk_of_its_own_string(texts, coarse):
    found = batch(texts, KNOWN)
    made = find_chunks(found, coarse)
    assert made.size.sum() == len(found.token_class) and (made.size > 0).all()
    np.testing.assert_array_equal(made.string[made.of], found.string)
    for number, (start, size) in enumerate(zip(made.start.tolist(), made.size.tolist(), strict=True)):
        assert (made.of[start : start + size] == number).all()
    for string in range(len(texts)):
        own = made.string == string
        assert made.rank[own].tolist() == list(range(own.sum()))
        assert (made.ranks[own] == own.sum()).all()


@given(st.lists(strings, min_size=1, max_size=3), st.booleans())
def test_codes_of_chunks_lie_within_bounds(texts, coarse):
    found = batch(texts, KNOWN)
    made = find_chunks(found, coarse)
    segments = SegmentBatch(found, made.start, made.start + made.size)
    for codes, size in ((makeup(segments), MAKEUP), (fields_seen(segments), SEEN)):
        assert len(codes) == len(made.start)
        assert ((codes >= 0) & (codes < size)).all()


def first_chunk(text: str) -> SegmentBatch:
    """The first coarse chunk of a text."""
    found = batch([text], KNOWN)
    return SegmentBatch(found, np.array([0]), find_chunks(found, coarse=True).size[:1])


def test_chunks_of_names_numbers_and_words_have_different_codes():
    codes = [makeup(first_chunk(text))[0] for text in DIFFERENT]
    assert len(set(codes)) == len(DIFFERENT)


DIFFERENT = ("A. B. Marsh", "1999", "the drift of bells in rivers", "Bells", "bells")
