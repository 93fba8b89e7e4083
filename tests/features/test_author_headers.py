"""What the models see of author lines: gazetteers, symbols, lines."""

from __future__ import annotations

import numpy as np
import pytest
from feature_cases import lexicons
from hypothesis import given
from hypothesis import strategies as st

from ibidem.features.author_headers import FEATURES, compute_author_header_attributes, traits_of_author_header
from ibidem.features.author_headers.gazetteer import CLASSES, class_of
from ibidem.features.author_headers.lines import line_number, made_of
from ibidem.features.batch import TRAITS, Batch, batch_of
from ibidem.models.encoder import spaces_before
from ibidem.text.tokens import tokenise_with_breaks

KNOWN = lexicons()
PIECES = "Ann Reed1,2 * † ¹ a b and & , ; University of Fenland UK x@y.org \n \n\n Dept. 12345 山 é".split(" ")
texts = st.builds(" ".join, st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), min_size=1, max_size=14))
headers = texts.filter(lambda text: bool(tokenise_with_breaks(text)))


def batch(given_headers: list[str]) -> Batch:
    """The batch of some headers."""
    tokens = [tokenise_with_breaks(text) for text in given_headers]
    spaces = np.array([flag for each in tokens for flag in spaces_before(each)], dtype=np.bool_)
    traits = np.array([traits_of_author_header(token.text, KNOWN) for each in tokens for token in each], dtype=np.int64)
    return batch_of([len(each) for each in tokens], spaces, traits.reshape(-1, len(TRAITS)))


@given(st.lists(headers, min_size=1, max_size=4))
def test_every_code_is_within_its_size(given_headers):
    sizes = FEATURES.sizes(KNOWN)
    for name, codes in FEATURES.compute(batch(given_headers), KNOWN).items():
        assert codes.min() >= 0 and codes.max() < sizes[name], name


@given(st.lists(headers, min_size=1, max_size=4))
def test_a_header_is_seen_the_same_among_others_and_alone(given_headers):
    together = FEATURES.compute(batch(given_headers), KNOWN)
    alone = [FEATURES.compute(batch([text]), KNOWN) for text in given_headers]
    for name, codes in together.items():
        assert codes.tolist() == [code for each in alone for code in each[name].tolist()], name


def test_nothing_has_no_codes():
    assert all(len(codes) == 0 for codes in FEATURES.compute(batch([]), KNOWN).values())


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("University", "organisation"),
        ("Germany", "country"),
        ("†", "mark"),
        ("7", "digits"),
        ("b", "letter"),
        ("Q", "capital"),
    ],
)
def test_the_class_of_a_token(token, name):
    assert CLASSES[class_of(token)] == name


def test_a_line_break_is_a_token_with_attributes_of_its_own():
    found = compute_author_header_attributes(["\n", "Reed"], KNOWN)
    assert found[0] != found[1] and found[0]


def test_tokens_of_a_line_share_what_the_line_is_made_of_and_its_number():
    found = batch(["Ann Reed\nUniversity of Fenland"])
    assert len(set(made_of(found)[:3].tolist())) == 1  # the break belongs to the line that it ends
    assert made_of(found)[0] != made_of(found)[-1]
    assert line_number(found).tolist()[0] == 1 and line_number(found).tolist()[-1] == 8
