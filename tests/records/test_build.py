"""Laws and promises of records made of parsed references."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigError
from ibidem.labels.schema import SCHEMA
from ibidem.records.build import _SEPARATORS, record_of
from ibidem.records.fields import FIELDS
from ibidem.records.normalise import journals
from ibidem.records.record import Date, Name, Number, Pages
from ibidem.records.types import TYPES
from ibidem.types import Field, Parsed

TEXT = "Doe JA, Roe B et al. On things. J Thing Res. 2019;14(3):153-60. doi:10.1000/X."


def parsed(text: str, *labelled: tuple[str, str]) -> Parsed:
    """A parsed reference in which each label lies on the next occurrence of its text within its parent."""
    fields: list[Field] = []
    place = 0
    for label, piece in labelled:
        top = label.split("/")[0]
        inner = [field for field in fields if label.startswith(field.label + "/")]
        start = text.index(
            piece, max((f.end for f in fields if f.label == label), default=inner[-1].start) if inner else place
        )
        fields.append(Field(label, piece, start, start + len(piece), 0.9))
        place = start + len(piece) if label == top else place
    return Parsed(text, tuple(fields), 0.8)


EXAMPLE = parsed(
    TEXT,
    ("author", "Doe JA, Roe B et al."),
    ("author/person", "Doe JA"),
    ("author/person/family", "Doe"),
    ("author/person/given", "JA"),
    ("author/person", "Roe B"),
    ("author/person/family", "Roe"),
    ("author/person/given", "B"),
    ("author/etal", "et al."),
    ("title", "On things"),
    ("journal", "J Thing Res"),
    ("date", "2019"),
    ("date/year", "2019"),
    ("volume", "14"),
    ("issue", "3"),
    ("pages", "153-60"),
    ("pages/first", "153"),
    ("pages/last", "60"),
    ("doi", "10.1000/X"),
)


def test_a_record_has_a_value_for_each_field():
    record = record_of(EXAMPLE)
    assert [(entry.field, entry.value) for entry in record.entries] == [
        ("author", Name("Doe", "J. A.")),
        ("author", Name("Roe", "B.")),
        ("author-etal", "et al."),
        ("title", "On things"),
        ("container", "J Thing Res"),
        ("date", Date(2019)),
        ("volume", Number("14", 14)),
        ("issue", Number("3", 3)),
        ("pages", Pages("153", "160")),
        ("doi", "10.1000/x"),
    ]
    assert record.type == "article" and 0 < record.confidence <= 1 and record.origin is EXAMPLE
    assert not list(record.every_warning())


def test_a_list_that_was_not_divided_is_divided():
    record = record_of(
        parsed("Doe, J., Roe, A. et al. Things.", ("author", "Doe, J., Roe, A. et al."), ("title", "Things"))
    )
    assert record.all("author") == [Name("Doe", "J."), Name("Roe", "A.")]
    assert [entry.raw for entry in record.entries] == ["Doe, J.", "Roe, A.", "et al.", "Things"]


def test_a_group_is_a_literal():
    given = parsed("The Reed Group. Things.", ("author", "The Reed Group"), ("author/collaboration", "The Reed Group"))
    assert record_of(given).first("author") == Name(literal="The Reed Group")


def test_a_month_that_stands_apart_is_joined_with_its_year():
    record = record_of(
        parsed("Doe. 2019. Things. 3 March.", ("date", "2019"), ("title", "Things"), ("date", "3 March"))
    )
    assert record.all("date")[0] == Date(2019, 3, 3)
    assert len(record.all("date")) == 2 and list(record.every_warning())


def test_words_of_a_list_that_are_of_no_name_are_warned_about():
    record = record_of(parsed("Hg. v. Karl Moor", ("editor", "Hg. v. Karl Moor")))
    assert [name.given for name in record.all("editor")] == ["Karl"], record
    assert record.warnings == ("editor: 'Hg. v.' is of no name",)


def test_parts_that_divide_no_list_into_persons_are_not_taken():
    text = "Moor Karl, Ried Anna"
    plain = record_of(parsed(text, ("author", text)))
    odd = record_of(parsed(text, ("author", text), ("author/person", "Moor Karl, Ried"), ("author/person", "Anna")))
    assert plain.all("author") == odd.all("author") and len(plain.all("author")) == 2


def test_an_address_of_a_resolver_is_a_doi_and_a_language_is_a_language():
    record = record_of(
        parsed("https://doi.org/10.1000/1 (in Russian)", ("url", "https://doi.org/10.1000/1"), ("note", "in Russian"))
    )
    assert record.first("doi") == "10.1000/1" and record.first("language") == "ru"


def test_a_label_that_is_not_ours_is_kept_as_a_note_with_a_warning():
    record = record_of(parsed("Things; kept here", ("title", "Things"), ("whereabouts", "kept here")))
    assert record.first("note") == "kept here" and "whereabouts" in next(record.every_warning())


def test_a_reference_that_could_not_be_parsed_says_why():
    record = record_of(Parsed("", error="empty: there is no reference here"))
    assert record.entries == () and record.confidence == 0 and "empty" in record.warnings[0]


def test_journals_are_rewritten_on_request(monkeypatch):
    table = journals.journals_of([("Journal of Thing Research", "J. Thing Res.")])
    monkeypatch.setattr(journals, "table", lambda: table)
    assert record_of(EXAMPLE, journals="full").first("container") == "Journal of Thing Research"
    assert record_of(EXAMPLE, journals="abbreviated").first("container") == "J. Thing Res."
    with pytest.raises(ConfigError, match="as-is"):
        record_of(EXAMPLE, journals="shouted")


TOPS = [label for label in SCHEMA if "/" not in label]


@st.composite
def labelled(draw):
    """A text and fields over it that nest as the parser's do."""
    words = draw(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=12))
    text = " ".join(words)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=10)))
    fields: list[Field] = []
    for start, end in itertools.pairwise(cuts):
        if start == end or draw(st.booleans()):
            continue
        label = draw(st.sampled_from(TOPS))
        fields.append(Field(label, text[start:end], start, end, 0.5))
        if label in ("author", "editor") and end - start > 2 and draw(st.booleans()):
            middle = draw(st.integers(start + 1, end - 1))
            for left, right in ((start, middle), (middle, end)):
                part = draw(st.sampled_from(["person", "collaboration", "etal"]))
                fields.append(Field(f"{label}/{part}", text[left:right], left, right, 0.5))
                if part == "person" and draw(st.booleans()):
                    fields.append(Field(f"{label}/person/family", text[left:right], left, right, 0.5))
    return Parsed(text, tuple(fields), 0.5)


@given(labelled())
def test_no_character_of_a_field_is_lost(reference):
    record = record_of(reference)
    assert record.origin is reference and record.type in TYPES
    covered: set[int] = set()
    for entry in record.entries:
        assert entry.field in FIELDS
        assert entry.raw == reference.text[entry.start : entry.end]
        assert covered.isdisjoint(range(entry.start, entry.end)), "two entries share a character"
        covered.update(range(entry.start, entry.end))
    for field in reference.fields:
        if "/" in field.label:
            continue
        left = "".join(reference.text[p] if p not in covered else " " for p in range(field.start, field.end))
        words = re.findall(r"[^\W_]+", left)
        if words:  # separators of names, or words that are warned about
            assert field.label in ("author", "editor", "translator")
            assert record.warnings or all(word.lower() in _SEPARATORS for word in words)


@given(
    st.text(max_size=80), st.sampled_from([label for label in TOPS if label not in ("author", "editor", "translator")])
)
def test_a_value_is_never_empty_where_the_field_has_letters(text, label):
    if not text:
        return
    record = record_of(Parsed(text, (Field(label, text, 0, len(text), 0.5),), 0.5))
    value = record.entries[0].value
    assert value or not any(map(str.isalnum, text))


@pytest.mark.parametrize(
    "piece",
    ["a", " ", "et ", "J. ", "Doe, J., ", "and ", "- ", "10.1234.", "(", "1", "I", "a.", "\u00ad", "Do, ", "&", "12-"],
)
@pytest.mark.parametrize("label", TOPS)
def test_very_long_fields_are_no_trouble(label, piece):
    text = "x" + piece * (20_000 // len(piece))
    record = record_of(Parsed(text, (Field(label, text, 0, len(text), 0.5),), 0.5))
    assert record.entries


def test_a_reference_without_any_field_is_a_note_as_a_whole():
    record = record_of(Parsed("???", ()))
    [entry] = record.entries
    assert (entry.field, entry.value, entry.raw, entry.start, entry.end) == ("note", "???", "???", 0, 3)
    assert entry.warnings == ("no field was found in it",)
