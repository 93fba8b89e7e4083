"""Patterns of seed words: what `re` matches, without its backtracking."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigError
from ibidem.unsupervised.patterns import WordPattern
from ibidem.unsupervised.seed_words import SeedWords

ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", "(?i:a)", "^", "$", "A", ""])
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "*?", "{0,2}?", "{2,}"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("({}|{})".format, inner, inner),
        st.builds("(?:{}){}".format, inner, REPEATS),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.lists(st.text("abA1", max_size=6), max_size=10))
def test_a_pattern_matches_what_re_matches(pattern: str, words: list[str]) -> None:
    own, reference = WordPattern(pattern), re.compile(pattern)
    assert [own.matches(word) for word in words] == [bool(reference.fullmatch(word)) for word in words]


@pytest.mark.parametrize("pattern", ["(a+)+!", "(a|a)*b", "a?" * 40 + "a" * 41, "(a*)*(a*)*b", "(.*)" * 12 + "x"])
def test_no_pattern_makes_matching_explode(pattern: str) -> None:
    assert not WordPattern(pattern).matches("a" * 40)


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("(", "no regular expression"),
        ("a{99999999999}", "no regular expression"),
        (r"(a)\1", "a reference to a group"),
        ("(?=a)a", "look-ahead"),
        (r"\ba", "a word boundary"),
        ("((a{100}){100}){100}", "more than 20,000 parts"),
        ("((){5000}){5000}", "more than 20,000 parts"),
        ("(" * 5_000 + ")" * 5_000, "nested too deeply"),
        ("a" * 60_000, "60,000 characters"),
    ],
)
def test_what_cannot_be_matched_is_refused_with_its_field(pattern: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=f"the seed words for 'year' have the pattern .*{complaint}"):
        SeedWords("year", patterns=(pattern,))
