"""The record of a work says what its citations say, and which of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from linking_cases import STRINGS

import ibidem
from ibidem.linking.canonical import canonical
from ibidem.records.fields import FIELDS
from ibidem.records.record import Date, Entry, Name, Record

TITLE = st.sampled_from(["Reeds", "reeds", "Reds", "On reeds"])
ENTRY = st.builds(lambda field, text, sure: Entry(field, text, text, confidence=sure),
                  st.sampled_from(["title", "container", "doi", "marker"]), TITLE, st.floats(0, 1))  # fmt: skip
RECORD = st.builds(lambda entries, kind: Record(kind, tuple(entries)), st.lists(ENTRY, max_size=4),
                   st.sampled_from(["book", "article"]))  # fmt: skip


def names(*families, etal=False):
    entries = [Entry("author", Name(family, "A.")) for family in families]
    return Record("book", (*entries, *([Entry("author-etal", "et al.")] if etal else [])))


@given(st.lists(RECORD, min_size=1, max_size=5))
def test_every_entry_is_that_of_the_member_it_is_said_to_be_from(records):
    record, sources = canonical(records)
    assert len(sources) == len(record.entries)
    for entry, source in zip(record.entries, sources, strict=True):
        assert any((one.field, one.value, one.raw) == (entry.field, entry.value, entry.raw)
                   for one in records[source].entries)  # fmt: skip
        assert 0 <= entry.confidence <= 1 and entry.field != "marker"


@given(st.lists(RECORD, min_size=1, max_size=5), st.randoms())
def test_the_order_of_the_members_changes_no_value(records, random):
    one, other = canonical(records)[0], canonical(random.sample(records, len(records)))[0]
    assert one.type == other.type
    for field in FIELDS:
        folded = [[str(value).lower() for value in record.all(field)] for record in (one, other)]
        assert folded[0] == folded[1]


def test_one_record_stays_what_it_is():
    record = ibidem.record_of(ibidem.parse(STRINGS[0]))
    found, sources = canonical([record])
    assert {(e.field, e.value) for e in found.entries} == {(e.field, e.value) for e in record.entries}
    assert set(sources) == {0} and found.type == record.type


def test_a_list_that_goes_on_gives_way_to_a_whole_one():
    record, _ = canonical([names("Reed", etal=True), names("Reed", etal=True), names("Reed", "Marsh", "Fen")])
    assert [name.family for name in record.all("author")] == ["Reed", "Marsh", "Fen"]


def test_given_names_that_are_written_out_are_kept():
    long = Record("book", (Entry("author", Name("Reed", "Anna Barbara")),))
    assert canonical([names("Reed"), long, names("Reed")])[0].first("author").given == "Anna Barbara"


def test_the_most_frequent_year_wins():
    years = [Record("book", (Entry("date", Date(year)),)) for year in (1998, 1999, 1999)]
    assert canonical(years)[0].first("date") == Date(1999)
