"""Tables of identifiers: valid ones in their form, others as they were with a warning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.normalise import identifiers, normalise_field
from ibidem.records.normalise.journals import journal_of, journals_of
from ibidem.records.normalise.language import language_of

GOOD = [
    ("doi", "10.1000/ABC.1", "10.1000/abc.1"),
    ("doi", "https://doi.org/10.1000/abc(1)x", "10.1000/abc(1)x"),
    ("doi", "doi:10.1000/182.", "10.1000/182"),
    ("doi", "10.1000/182)", "10.1000/182"),
    ("arxiv", "arXiv:1501.00001", "1501.00001"),
    ("arxiv", "1501.00001v12", "1501.00001v12"),
    ("arxiv", "0704.0001", "0704.0001"),
    ("arxiv", "hep-th/9901001", "hep-th/9901001"),
    ("arxiv", "math.GT/0309136v2", "math.GT/0309136v2"),
    ("arxiv", "cond–mat/0309136", "cond-mat/0309136"),
    ("pmid", "PMID: 123456", "123456"),
    ("pmcid", "PMC1234567", "PMC1234567"),
    ("pmcid", "1234567", "PMC1234567"),
    ("isbn", "978-3-16-148410-0", "9783161484100"),
    ("isbn", "0 306 40615 2", "0306406152"),
    ("isbn", "0-8044-2957-X", "080442957X"),
    ("issn", "0378-5955", "0378-5955"),
    ("issn", "2434-561x", "2434-561X"),
    ("url", "https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
    ("url", "<http://example.org>.", "http://example.org"),
    ("url", "www.example.org/a", "www.example.org/a"),
    ("url", "example.org", "example.org"),
]


@pytest.mark.parametrize(("field", "text", "value"), GOOD)
def test_an_identifier_gets_its_form(field, text, value):
    assert normalise_field(field, text) == (value, ())


BAD = [
    ("doi", "10.1000"),
    ("arxiv", "1513.00001"),
    ("arxiv", "and/9901001"),
    ("pmid", "12 34"),
    ("pmcid", "PMCX"),
    ("isbn", "978-3-16-148410-1"),
    ("isbn", "0-306-40615-3"),
    ("isbn", "123"),
    ("issn", "0378-5954"),
    ("issn", "37"),
    ("url", "the library"),
]


@pytest.mark.parametrize(("field", "text"), BAD)
def test_one_that_is_not_valid_keeps_its_text_and_gets_a_warning(field, text):
    value, warnings = normalise_field(field, text)
    assert value == text and warnings


@given(st.integers(0, 10**9 - 1))
def test_of_all_check_digits_of_an_isbn_one_is_right(number):
    digits = f"{number:09d}"
    right = [last for last in "0123456789X" if not identifiers.isbn(digits + last)[1]]
    assert len(right) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://doi.org/10.1000/1", ("doi", "10.1000/1")),
        ("http://dx.doi.org/10.1000/A", ("doi", "10.1000/a")),
        ("https://arxiv.org/abs/1501.00001", ("arxiv", "1501.00001")),
        ("https://example.org/10.1000/1", None),
    ],
)
def test_an_address_that_is_but_an_identifier_is_one(text, found):
    assert identifiers.identifier_in_url(text) == found


@pytest.mark.parametrize(
    ("text", "code"), [("in Russian", "ru"), ("[auf Deutsch]", "de"), ("in press", None), ("", None)]
)
def test_a_remark_names_a_language(text, code):
    assert language_of(text) == code


TABLE = journals_of(
    [("Annals of Coast Medicine", "Ann. Coast Med."), ("Reed & Bell", "R. B."), ("Rope and Block", "R. B.")]
)


@pytest.mark.parametrize(
    ("name", "style", "value", "warned"),
    [
        ("Ann Coast Med", "full", "Annals of Coast Medicine", False),
        ("ANN. COAST MED.", "abbreviated", "Ann. Coast Med.", False),
        ("The Annals of Coast Medicine", "abbreviated", "Ann. Coast Med.", False),
        ("annals of coast medicine", "full", "annals of coast medicine", False),
        ("Reed and Bell", "abbreviated", "R. B.", False),
        ("R B", "full", "R B", True),
        ("Ann Coast Med", "as-is", "Ann Coast Med", False),
        ("Unknown", "full", "Unknown", True),
    ],
)
def test_a_journal_is_written_as_wanted_where_the_table_knows_it(name, style, value, warned):
    found, warnings = journal_of(name, style, TABLE)
    assert found == value and bool(warnings) == warned


def test_without_a_table_a_journal_stays_and_says_so():
    value, warnings = journal_of("Ann Coast Med", "full", None)
    assert value == "Ann Coast Med" and "IBIDEM_DATA" in warnings[0]
