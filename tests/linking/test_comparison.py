"""The fields that references are compared by."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.linking.comparison import (
    ComparisonFields,
    comparison_fields,
    comparison_fields_of_text,
    plain,
    strip_identifiers,
)
from ibidem.linking.pairs_numpy import abbreviation
from ibidem.linking.table import content_words
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.text.fold import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ærø, Ö.: Straße!", "aero o strasse"),
        ("algo- rithm", "algorithm"),
        ("1990- 1995", "1990 1995"),
        ("14(3):153-60", "14 3 153 60"),
        ("", ""),
    ],
)
def test_style_does_not_count(text, folded):
    assert plain(text) == folded


@given(st.text(max_size=40) | st.text(alphabet="aÅ\u0301-– Σς9²数İǅ\u13a0\uab70", max_size=12))
def test_plain_is_the_pieces_of_the_folded_text(text):
    whole = re.sub(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])", "", text)
    assert plain(text) == " ".join(re.findall(r"[^\W\d_]+|\d+", fold(whole)))


def test_a_character_is_folded_alike_in_either_case():
    every = map(chr, range(sys.maxunicode + 1))
    assert not [character for character in every if fold(character.lower()) != fold(character)]


@pytest.mark.parametrize(
    "tail",
    ["doi:10.1234/ab.c-5", "https://doi.org/10.1234/ab.c-5", "PMID: 1234567", "www.example.org/x", "PMC123456"],
)
def test_identifiers_are_no_words(tail):
    assert plain(strip_identifiers(f"Reed A. Drift. 2019. {tail}")) == "reed a drift 2019"


def test_comparison_fields_are_those_of_the_record():
    entries = (
        Entry("author", Name("Müller", "Jo", "von")),
        Entry("title", "On Things"),
        Entry("container", "J. Thing Res."),
        Entry("date", Date(2019, 3)),
        Entry("volume", Number("XIV", 14)),
        Entry("pages", Pages("153", "160")),
        Entry("doi", "10.1234/AB"),
    )
    fields = comparison_fields(Record("article", entries))
    assert fields.people == (("muller", "j"),)
    assert (fields.title, fields.venue, fields.year) == ("on things", "j thing res", 2019)
    assert (fields.volume, fields.first, fields.last, fields.identifiers) == ("14", "153", "160", ("doi:10.1234/ab",))


@pytest.mark.parametrize(
    ("text", "bare"),
    [("", True), ("2019", True), ("Ibid.", True), ("Reed 2019", True), ("Reed, Drift of bells", False)],
)
def test_a_reference_with_too_little_text_is_bare(text, bare):
    assert comparison_fields_of_text(text).bare is bare
    assert not ComparisonFields(comparison_fields_of_text(text).text, identifiers=("doi:10.1/x",)).bare


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("proc natl acad sci usa", "proceedings of the national academy of sciences usa", 1.0, 1.0),
        ("j appl phys", "journal of applied physics", 1.0, 1.0),
        ("comm acm", "communications of the acm", 1.0, 1.0),
        ("ijcai", "international joint conference artificial intelligence", 0.0, 1.0),
        ("nature", "cell", 0.0, 0.0),
        ("", "cell", 0.0, 0.0),
        ("machine learning", "neural computation", 0.0, 0.5),
    ],
)
def test_an_abbreviated_venue_is_recognised(one, other, least, most):
    words = [content_words(name).split() for name in (one, other)]
    assert least <= abbreviation(*words) <= most
    assert abbreviation(*words) == abbreviation(*reversed(words))
