"""What the models see of headings: numbers, words, roles, and positions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.features.batch import TRAITS, Batch, batch_of
from ibidem.features.headings import FEATURES, compute_heading_attributes, position, roles, traits_of_heading
from ibidem.features.headings.text import split_number, stem
from ibidem.features.lexicons import empty
from ibidem.labels.schema import SECTION_SCHEMA

HEADINGS = (
    "Abstract|1 Introduction|2. Related work|III. RESULTS|A. Bells|3.2.1 The drift of reeds|References|Fazit|山の鐘|"
    "Discussion and conclusions|?|2001: a tide|Section 4: Method|Appendix A"
).split("|")
headings = st.one_of(
    st.sampled_from(HEADINGS), st.text(min_size=1, max_size=30).filter(lambda text: bool(text.strip()))
)
papers = st.lists(st.lists(headings, min_size=1, max_size=8), min_size=1, max_size=4)


def batch(given_papers: list[list[str]]) -> Batch:
    """The batch of some papers."""
    lines = [heading for paper in given_papers for heading in paper]
    traits = np.array([traits_of_heading(line, empty()) for line in lines], dtype=np.int64).reshape(-1, len(TRAITS))
    return batch_of([len(paper) for paper in given_papers], np.ones(len(lines), dtype=np.bool_), traits)


@given(papers)
def test_every_code_is_within_its_size(given_papers):
    sizes = FEATURES.sizes(empty())
    for name, codes in FEATURES.compute(batch(given_papers), empty()).items():
        assert len(codes) == sum(map(len, given_papers)), name
        assert codes.min() >= 0 and codes.max() < sizes[name], name


@given(papers)
def test_a_paper_is_seen_the_same_among_others_and_alone(given_papers):
    together = FEATURES.compute(batch(given_papers), empty())
    alone = [FEATURES.compute(batch([paper]), empty()) for paper in given_papers]
    for name, codes in together.items():
        assert codes.tolist() == [code for each in alone for code in each[name].tolist()], name


def test_no_headings_have_no_codes():
    assert all(len(codes) == 0 for codes in FEATURES.compute(batch([]), empty()).values())


@pytest.mark.parametrize(
    ("heading", "style", "depth", "first", "rest"),
    [
        ("Introduction", "none", 0, 0, "Introduction"),
        ("1 Introduction", "arabic", 1, 1, "Introduction"),
        ("2.1. Bells", "arabic", 2, 2, "Bells"),
        ("(3) Bells", "arabic", 1, 3, "Bells"),
        ("IX. RESULTS", "roman", 1, 9, "RESULTS"),
        ("I saw bells", "roman", 1, 1, "saw bells"),  # cannot be told from the first of several
        ("B. Bells", "letter", 1, 2, "Bells"),
        ("A model", "none", 0, 0, "A model"),
        ("Section 4: Bells", "word", 1, 4, "Bells"),
        ("Part", "none", 0, 0, "Part"),
        ("3D printing", "none", 0, 0, "3D printing"),
        ("12", "none", 0, 0, "12"),
    ],
)
def test_the_number_before_a_heading(heading, style, depth, first, rest):
    assert split_number(heading) == (style, depth, first, rest)


@pytest.mark.parametrize(
    "words", ["experiments experimental experimentation", "conclusion conclusions", "method methods"]
)
def test_forms_of_a_word_share_their_stem(words):
    assert len({stem(word)[:6] for word in words.split()}) == 1


def test_the_roles_are_those_of_the_schema():
    assert set(roles.ROLES) - {"none"} == set(SECTION_SCHEMA)
    assert set(position.ANNOUNCED) <= set(SECTION_SCHEMA)


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Related Work", "related-work"),
        ("EXPERIMENTAL RESULTS", "evaluation"),
        ("Conclusions and future work", "conclusions"),
        ("Danksagung", "acknowledgements"),
        ("Ferries of the north", "none"),
        ("", "none"),
    ],
)
def test_the_role_that_words_point_to(heading, role):
    assert roles.role_of(heading) == role


def test_first_second_and_last_word_and_the_whole_are_attributes():
    [found] = compute_heading_attributes(["3 The Drift of Bells"], empty())
    assert {"first=the", "second=drift", "last=bells", "whole=the drift of bells", "number=arabic"} <= set(found)


@given(headings)
def test_attributes_are_few_whatever_the_heading(heading):
    [found] = compute_heading_attributes([heading * 300], empty())
    assert len(found) < 400
