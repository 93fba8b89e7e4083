"""Records in the styles of BibTeX and of journals: every form, the order of names, and the labels."""

from __future__ import annotations

import re

import pytest

from ibidem.app.benchmarks import umass_styles
from ibidem.app.benchmarks.umass_form import in_form
from ibidem.app.benchmarks.umass_styles import _STYLES, _filled, _person, written
from ibidem.records.normalise import normalised
from ibidem.records.record import Entry, Name, Record
from ibidem.types import Example

PEOPLE = (
    Entry("author", Name(family="Reed", given="Ada May")),
    Entry("author", Name(family="Moss", given="B.", particle="van")),
    Entry("author", Name(family="Fern", given="Cy")),
)
EDITOR = Entry("editor", Name(family="Birch", given="Di"))
VALUES = {
    "title": "On bells",
    "volume": "12",
    "pages": "3-9",
    "date": "1980",
    "publisher": "ACM",
    "place": "Oslo",
    "series": "Bell Notes",
    "edition": "2",
    "issue": "4",
}
KINDS = {
    "article": {"container": "Bells"},
    "paper": {"container": "Proc. Bells"},
    "chapter": {"container": "All Bells"},
    "book": {},
    "thesis": {"institution": "Bell University", "genre": "PhD thesis"},
    "report": {"institution": "Bell Institute", "genre": "Report", "number": "TR-7"},
    "preprint": {"genre": "preprint"},
}
LABELS = {
    "article": {"journal": "Bells"},
    "paper": {"booktitle": "Proc. Bells", "organization": "ACM"},
    "chapter": {"booktitle": "All Bells", "publisher": "ACM"},
    "book": {"title": "On bells", "publisher": "ACM"},
    "thesis": {"type": "PhD thesis", "school": "Bell University"},
    "report": {"type": "Report", "institution": "Bell Institute", "number": "TR-7"},
    "preprint": {"type": "preprint"},
}


def record_of(kind: str) -> Record:
    values = VALUES | KINDS[kind]
    if kind == "report":
        del values["issue"]
    entries = [Entry(field, normalised(field, text)[0]) for field, text in values.items()]
    return Record(kind, (*PEOPLE, EDITOR, *entries))


def texts(example: Example) -> list[tuple[str, str]]:
    return [(mark.label, example.text[mark.start : mark.end]) for mark in example.marks]


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_of_each_kind_is_written_in_every_style(kind):
    found = list(written([record_of(kind)] * 400))
    assert len(found) == 400 and len({one.text for one in found}) > 20
    for one in found:
        fields = texts(one)
        assert [label for label, _ in fields].count("author") == 3
        assert not re.search(r"[{}\[\]%]", one.text)
        assert list(one.marks) == sorted(one.marks, key=lambda mark: mark.start)
        assert in_form(one, one.marks, ()) is not None
    seen = {field for one in found for field in texts(one)}
    assert set(LABELS[kind].items()) <= seen


def test_each_style_has_forms_for_each_kind():
    for style in _STYLES:
        assert set(style.forms) == set(KINDS) and all(style.forms.values())
        named = {name for forms in style.forms.values() for form in forms for name in re.findall(r"\{(\w+)\}", form)}
        assert named <= {
            *("author editor title journal booktitle series volume number pages year month".split()),
            *("publisher address edition type school institution".split()),
        }


def test_the_same_seed_writes_the_same():
    records = [record_of(kind) for kind in KINDS]
    assert list(written(records)) == list(written(records)) != list(written(records, seed=2))


def test_a_record_without_what_the_style_needs_is_left_out():
    assert list(written([Record("article", PEOPLE)] * 20)) == []


@pytest.mark.parametrize(
    ("how", "short", "long"),
    [
        ("A. B. Reed", "A. M. Reed", "Ada May Reed"),
        ("Reed, A. B.", "Reed, A. M.", "Reed, Ada May"),
        ("Reed A. B.", "Reed A. M.", "Reed Ada May"),
        ("Reed A B", "Reed A M", "Reed Ada May"),
    ],
)
def test_names_are_written_in_the_way_of_the_style(how, short, long):
    name = Name(family="Reed", given="Ada May")
    assert (_person(name, how, True), _person(name, how, False)) == (short, long)
    assert _person(Name(literal="Bell Group"), how, True) == "Bell Group"
    assert {style.names for style in _STYLES} >= {how}


def test_parts_stand_only_with_all_of_their_fields():
    fields = {"year": umass_styles._Field("year", ["1980"]), "author": umass_styles._Field("author", ["A", "B", "C"])}
    text, marks = _filled("{author}[, vol. {volume} of {year}][, ({year})].", fields)
    assert text == "A, B and C, (1980)."
    assert [(mark.label, text[mark.start : mark.end]) for mark in marks] == [
        *(("author", one) for one in "ABC"),
        ("year", "1980"),
    ]
