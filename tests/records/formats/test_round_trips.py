"""Laws of the round trip: record, file, record is the identity on what a format can carry."""

from __future__ import annotations

import pytest
from format_cases import ODD_NUMBER, carried, content, lost_fields, read_back, records, written
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.fields import FIELDS
from ibidem.records.formats import FORMATS
from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import Date, Entry, Name, Pages, Record
from ibidem.records.types import TYPES
from ibidem.types import Parsed

READABLE = [name for name, one in FORMATS.items() if one.read]


def test_what_must_be_readable_is():
    assert {"jsonl", "csl-json", "bibtex", "biblatex", "ris", "tei", "jats"} <= set(READABLE)


@pytest.mark.parametrize("form", ["csl-json", "jsonl"])
@given(record=records(several=True))
def test_nothing_at_all_is_lost(form, record):
    data, warned = written([record], form)
    assert not warned
    assert content(read_back(data, form)[0]) == content(record)


@pytest.mark.parametrize("form", ["csl-json", "jsonl"])
@given(number=ODD_NUMBER)
def test_a_number_in_words_keeps_its_value(form, number):
    (found,) = read_back(written([Record("book", (Entry("edition", number),))], form)[0], form)
    assert found.first("edition") == number


@pytest.mark.parametrize("form", ["bibtex", "biblatex", "ris", "tei", "jats"])
@given(record=records(several=True))
def test_what_a_format_can_carry_comes_back_the_same(form, record):
    data, _ = written([record], form)
    assert content(read_back(data, form)[0]) == content(carried(record, form))


@pytest.mark.parametrize("form", ["bibtex", "biblatex", "ris", "tei", "jats"])
@given(record=records())
def test_every_value_that_does_not_come_back_has_its_warning(form, record):
    data, warned = written([record], form)
    (found,) = read_back(data, form)
    (_, before), (_, after) = content(record), content(found)
    changed = {field for field in before.keys() | after.keys() if before.get(field) != after.get(field)}
    told = {message.partition(":")[0] for _, message in warned}
    renamed = {other for one, other in FORMATS[form].capabilities.renamed.values() if one in told}
    assert changed <= told | renamed


@pytest.mark.parametrize("form", ["bibtex", "biblatex", "ris", "tei", "jats"])
@pytest.mark.parametrize("kind", sorted(TYPES))
def test_every_type_with_every_field_loses_only_what_is_listed(form, kind):
    data, warned = written([full(kind)], form)
    (found,) = read_back(data, form)
    assert found.type == kind
    assert set(lost_fields(full(kind), found)) == set(FORMATS[form].capabilities.fields)
    assert {message.partition(":")[0] for _, message in warned} >= set(FORMATS[form].capabilities.fields)


def full(kind: str) -> Record:
    """A record of a type with every field there is, each with a plain value."""
    plain = {
        "author": Name("Reed", "A. B."), "editor": Name("Marsh", "Cy"), "translator": Name("Sedge", "D."),
        "pages": Pages("153", "160"), "date": Date(2019, 3, 5), "accessed": Date(2020, 1, 2),
        "issn": "1234-567X", "isbn": "9780306406157", "doi": "10.1234/ab", "url": "https://reeds.org/a_b",
        "arxiv": "1501.00001", "author-etal": "et al.", "editor-etal": "et al.",
    }  # fmt: skip
    from ibidem.records.formats.values import entry_of

    return Record(kind, tuple(Entry(f, plain[f]) if f in plain else entry_of(f, f"1{f}") for f in FIELDS))


@given(st.lists(records(), max_size=5), st.sampled_from(READABLE))
def test_many_records_keep_their_order_and_have_keys_of_their_own(given_records, form):
    data, _ = written(given_records, form)
    found = read_back(data, form)
    assert [one.type for one in found] == [one.type for one in given_records]
    if form != "jsonl":  # which keeps the keys as they are
        assert len({one.key.lower() for one in found}) == len(found)


@given(records(), st.text(max_size=20), st.integers(-1, 50), st.floats(0, 1))
def test_our_json_keeps_where_each_value_stood_and_how_sure_it_is(record, raw, start, confidence):
    entries = tuple(Entry(one.field, one.value, raw, start, start + 2, confidence, ("odd",)) for one in record.entries)
    whole = Record(record.type, entries, confidence, "k", Parsed(raw), ("strange",))
    data, warned = written([whole], "jsonl")
    assert not warned
    assert read_back(data, "jsonl") == [whole]


@given(records(), st.sampled_from(READABLE))
def test_writing_is_the_same_at_every_run(record, form):
    assert written([record, record], form) == written([record, record], form)


@given(records(several=True), st.sampled_from(["bibtex", "ris", "tei", "jats"]))
def test_a_second_round_trip_changes_nothing(record, form):
    once = read_back(written([record], form)[0], form)
    twice = read_back(written(once, form)[0], form)
    assert [content(one) for one in once] == [content(one) for one in twice]


@pytest.mark.parametrize(
    ("text", "bibtex", "biblatex"),
    [
        ("2", "edition = {Second}", "edition = {2}"),
        ("2nd ed.", "edition = {Second},\n  editiontext = {2nd ed.}", "edition = {2},\n  editiontext = {2nd ed.}"),
        ("zweite Auflage", "edition = {Second}", "edition = {2}"),
        ("13", "edition = {13th}", "edition = {13}"),
        ("2nd, revised", "edition = {2nd, revised}", "edition = {2nd, revised}"),
        ("4., überarb. Aufl.", "edition = {4., überarb. Aufl.}", "edition = {4., überarb. Aufl.}"),
        ("International", "edition = {International}", "edition = {International}"),
    ],
)
def test_an_edition_is_written_as_the_styles_of_tex_expect_it(text, bibtex, biblatex):
    record = Record("book", (Entry("edition", number_of(text)),))
    for form, expected in (("bibtex", bibtex), ("biblatex", biblatex)):
        data, warned = written([record], form)
        assert expected in data.decode() and not warned
        assert read_back(data, form)[0].first("edition") == number_of(text)


@pytest.mark.parametrize("form", ["bibtex", "biblatex", "ris", "tei", "jats"])
def test_a_mark_of_byte_order_at_the_end_of_a_value_stays(form):
    record = Record("book", (Entry("title", "Bells\ufeff"), Entry("archive", "\ufeff")))
    assert content(read_back(written([record], form)[0], form)[0]) == content(record)
