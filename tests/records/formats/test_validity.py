"""What is written is valid in the eyes of others: other parsers, published lists of names, TeX itself."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import warnings
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import pytest
from format_cases import content, read_back, records, written
from hypothesis import given, settings
from hypothesis import strategies as st
from written_records import RECORDS

from ibidem.labels.schema import SCHEMA
from ibidem.records.fields import FIELDS, fields_by_label, names_in
from ibidem.records.formats import bibtex
from ibidem.records.types import TYPES, types_in

TEI_ELEMENTS = frozenset(
    "TEI teiHeader fileDesc titleStmt publicationStmt sourceDesc text body listBibl p biblStruct analytic monogr series"
    " title author editor respStmt resp name orgName persName forename surname nameLink genName idno ptr textLang"
    " edition imprint publisher pubPlace date biblScope note".split()
)
JATS_ELEMENTS = frozenset(
    "ref-list ref label element-citation person-group name surname given-names suffix collab etal article-title"
    " chapter-title data-title source series volume issue fpage lpage elocation-id edition comment year month day"
    " season date-in-citation publisher-name publisher-loc institution pub-id isbn issn uri patent std size"
    " version".split()
)


@given(st.lists(records(several=True), min_size=1, max_size=3))
@settings(max_examples=40)
def test_bibtex_is_read_by_pybtex_without_a_warning(given_records):
    from pybtex.database import parse_string

    for form in ("bibtex", "biblatex"):
        data, _ = written(given_records, form)
        with warnings.catch_warnings():
            warnings.simplefilter("error", category=UserWarning)
            library = parse_string(data.decode(), "bibtex")
        assert len(library.entries) == len(given_records)


@given(st.lists(records(several=True), min_size=1, max_size=3))
@settings(max_examples=40)
def test_bibtex_is_read_by_bibtexparser_without_a_failed_block(given_records):
    import bibtexparser

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    for form in ("bibtex", "biblatex"):
        library = bibtexparser.parse_string(written(given_records, form)[0].decode())
        assert not library.failed_blocks
        assert len(library.entries) == len(given_records)


@given(st.lists(records(several=True), min_size=1, max_size=3))
@settings(max_examples=40)
def test_ris_is_read_by_rispy(given_records):
    import rispy

    found = rispy.loads(written(given_records, "ris")[0].decode().replace("\r\n", "\n"))
    assert len(found) == len(given_records)
    assert {one["type_of_reference"] for one in found} == {types_in("ris")[one.type] for one in given_records}


def bibliography_file(folder: Path, form: str) -> int:
    data, _ = written(RECORDS, form)
    (folder / "refs.bib").write_bytes(data)
    return len(RECORDS)


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="bibtex is not installed")
@pytest.mark.parametrize("style", ["plain", "alpha"])
def test_bibtex_itself_compiles_what_is_written(tmp_path, style):
    probe = subprocess.run(["kpsewhich", f"{style}.bst"], capture_output=True, check=False, cwd=tmp_path)
    if not probe.stdout.strip():
        pytest.skip("bibtex is installed without its styles")
    count = bibliography_file(tmp_path, "bibtex")
    (tmp_path / "refs.aux").write_text(f"\\citation{{*}}\n\\bibdata{{refs}}\n\\bibstyle{{{style}}}\n")
    finished = subprocess.run(["bibtex", "refs"], cwd=tmp_path, capture_output=True, timeout=60, check=False)
    said = finished.stdout.decode("utf-8", "replace")
    assert finished.returncode == 0 and "error message" not in said, said
    # One article has an issue and no volume, of which the styles complain: that is true, and no fault of the file.
    complaints = [line for line in said.splitlines() if line.startswith("Warning--")]
    assert complaints == ["Warning--there's a number but no volume in ivanov1987"], said
    assert (tmp_path / "refs.bbl").read_text("utf-8", "replace").count("\\bibitem") == count


@pytest.mark.skipif(shutil.which("biber") is None, reason="biber is not installed")
def test_biber_reads_every_entry(tmp_path):
    count = bibliography_file(tmp_path, "biblatex")
    command = ["biber", "--tool", "--validate-datamodel", "--output-file=out.bib", "refs.bib"]
    try:
        finished = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=110, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("biber takes too long here")
    said = finished.stdout.decode("utf-8", "replace")
    assert finished.returncode == 0 and "ERROR" not in said, said
    assert (tmp_path / "out.bib").read_text("utf-8").count("\n@") + 1 >= count


CSL_NAMES = frozenset(
    """author chair collection-editor compiler composer container-author contributor curator director editor
    editorial-director editor-translator executive-producer guest host illustrator interviewer narrator organizer
    original-author performer producer recipient reviewed-author script-writer series-creator translator""".split()
)
CSL_DATES = frozenset("accessed available-date event-date issued original-date submitted".split())
CSL_NUMBERS = frozenset(
    """chapter-number citation-number collection-number edition first-reference-note-number issue locator number
    number-of-pages number-of-volumes page page-first part-number printing-number section supplement-number version
    volume""".split()
)
CSL_TEXTS = frozenset(
    """abstract annote archive archive_collection archive_location archive-place authority call-number citation-key
    citation-label collection-title container-title container-title-short dimensions division DOI event event-title
    event-place genre ISBN ISSN jurisdiction keyword language license medium note original-publisher
    original-publisher-place original-title part-title PMCID PMID publisher publisher-place references reviewed-genre
    reviewed-title scale source status title title-short URL volume-title year-suffix""".split()
)
CSL_TYPES = frozenset(
    """article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection dataset
    document entry entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case legislation
    manuscript map motion_picture musical_score pamphlet paper-conference patent performance periodical
    personal_communication post post-weblog regulation report review review-book software song speech standard thesis
    treaty webpage""".split()
)
"""The variables by their types, and the types of items, of CSL 1.0.2."""


def official(name: str) -> set[str]:
    """The names in quotation marks of a list of the CSL schema, as citeproc-py has it."""
    import re

    folder = resources.files("citeproc") / "data" / "schema" / "schemas" / "styles"
    return set(re.findall(r'^\s*(?:\||=)?\s*"([\w-]+)"', (folder / name).read_text("utf-8"), re.M))


def test_types_and_variables_of_csl_are_those_of_its_specification():
    assert list(types_in("csl").values()) == list(dict.fromkeys(types_in("csl").values()))
    assert set(types_in("csl").values()) == CSL_TYPES
    for field, variable in names_in("csl").items():
        kind = FIELDS[field].type
        known = {"name": CSL_NAMES, "date": CSL_DATES, "number": CSL_NUMBERS, "pages": {"page"}}
        assert variable in known.get(kind, CSL_TEXTS | CSL_NUMBERS), field


def test_the_schema_that_is_installed_has_the_same_names():
    assert official("csl-types.rnc") <= CSL_TYPES
    assert official("csl-variables.rnc") <= CSL_NAMES | CSL_DATES | CSL_NUMBERS | CSL_TEXTS


@given(records(several=True))
def test_csl_json_has_the_shape_that_its_specification_describes(record):
    (item,) = json.loads(written([record], "csl-json")[0])
    assert isinstance(item.pop("id"), str) and item.pop("type") in CSL_TYPES
    assert isinstance(item.pop("custom", {}), dict)
    for name, value in item.items():
        if name in CSL_NAMES:
            parts = {"family", "given", "non-dropping-particle", "suffix", "literal"}
            assert all(set(one) <= parts for one in value)
        elif name in CSL_DATES:
            assert set(value) <= {"date-parts", "season", "circa", "literal"}
            dates = value.get("date-parts", [[1]])
            assert 1 <= len(dates) <= 2
            assert all(1 <= len(parts) <= 3 and all(type(one) is int for one in parts) for parts in dates)
        else:
            assert name in CSL_TEXTS | CSL_NUMBERS
            assert isinstance(value, str)


@given(st.lists(records(several=True), max_size=3))
def test_csl_json_is_valid_by_the_official_schema(given_records):
    path = os.environ.get("IBIDEM_CSL_SCHEMA")
    if not path:
        pytest.skip("IBIDEM_CSL_SCHEMA names no file of the official schema (csl-data.json)")
    import jsonschema

    jsonschema.validate(json.loads(written(given_records, "csl-json")[0]), json.loads(Path(path).read_text("utf-8")))


@given(given_records=st.lists(records(several=True), max_size=3))
def test_our_json_is_valid_by_its_published_schema(given_records, root):
    import jsonschema

    schema = json.loads((root / "docs" / "record.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for line in written(given_records, "jsonl")[0].splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_the_published_schema_knows_every_type_and_field(root):
    schema = json.loads((root / "docs" / "record.schema.json").read_text("utf-8"))
    assert schema["properties"]["type"]["enum"] == list(TYPES)
    assert schema["$defs"]["entry"]["properties"]["field"]["enum"] == list(FIELDS)


def test_the_schema_of_the_package_is_the_published_one(root):
    shipped = resources.files("ibidem.records.formats") / "record.schema.json"
    assert shipped.read_text("utf-8") == (root / "docs" / "record.schema.json").read_text("utf-8")


@pytest.mark.parametrize(("form", "elements"), [("tei", TEI_ELEMENTS), ("jats", JATS_ELEMENTS)])
@given(given_records=st.lists(records(several=True), max_size=3))
def test_xml_is_well_formed_and_has_only_elements_of_its_schema(form, elements, given_records):
    root = ElementTree.fromstring(written(given_records, form)[0])
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= elements
    identifiers = [value for element in root.iter() for name, value in element.attrib.items() if name.endswith("id")]
    assert len(set(identifiers)) == len(identifiers) == len(given_records)


@pytest.mark.parametrize("form", ["endnote", "dc"])
@given(given_records=st.lists(records(several=True), max_size=3))
def test_xml_that_is_only_written_is_well_formed(form, given_records):
    root = ElementTree.fromstring(written(given_records, form)[0])
    made = [one for one in root.iter() if one.tag.rpartition("}")[2] in ("record", "dc")]
    assert len(made) == len(given_records)


def test_every_field_has_its_place_in_the_formats_that_can_hold_all():
    lists = {"author-etal", "editor-etal"}
    for column in ("bibtex", "biblatex", "tei", "jats"):
        assert set(names_in(column)) == set(FIELDS)
    assert set(FIELDS) - set(names_in("csl")) == lists | {"arxiv", "arxiv-class", "article-number", "marker", "file"}


def test_the_usual_fields_have_a_tag_of_ris_and_an_element_of_endnote():
    usual = """author editor translator series-editor title short-title container short-container series series-number
        volume volumes issue pages article-number edition chapter section version date accessed publisher place
        institution genre number doi arxiv pmid pmcid isbn issn url language archive call-number note abstract keyword
        annotation file marker extent original-date""".split()
    for column in ("ris", "endnote"):
        assert set(usual) <= set(names_in(column))


def test_every_label_of_the_schema_becomes_a_field():
    assert {label for label in SCHEMA if "/" not in label} <= set(fields_by_label())
    labels = {label for field in FIELDS.values() if field.labels != (field.name,) for label in field.labels}
    assert labels <= set(SCHEMA)


@pytest.mark.parametrize("form", ["csl-json", "bibtex", "biblatex", "tei", "jats", "jsonl", "ris"])
def test_records_written_by_hand_come_back(form):
    found = read_back(written(RECORDS, form)[0], form)
    kept = {"title", "container", "volume", "pages", "doi", "publisher", "date"}
    for before, after in zip(RECORDS, found, strict=True):
        assert before.type == after.type
        assert {f: before.all(f) for f in kept} == {f: after.all(f) for f in kept}
        assert content(before)[1].keys() - {"author-etal"} == content(after)[1].keys() - {"author-etal"}


def test_a_bibtex_entry_looks_as_people_write_it():
    assert bibtex.entry_text(RECORDS[0], "pellworth2019") == (
        "@article{pellworth2019,\n"
        "  author = {Pellworth, Jane S. and Adeyomi, Oluwaseun T.},\n"
        "  title = {Salivary markers of shift work},\n"
        "  journal = {Annals of Coastal Medicine},\n"
        "  year = {2019},\n"
        "  month = mar,\n"
        "  volume = {14},\n"
        "  number = {3},\n"
        "  pages = {153--160},\n"
        "  doi = {10.5555/acm.2019.143},\n"
        "  issn = {1234-567X}\n"
        "}\n"
    )
