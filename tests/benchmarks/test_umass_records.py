"""Records made over into other fields: what is kept of them, and what is given to each kind."""

from __future__ import annotations

import gzip
import lzma
from random import Random

import pytest

from benchmarks.anzaroot_2014.umass_records import STYLES, _Names, _of_these_fields, _recast_one, recast
from benchmarks.parsing.synthesis import render_records
from ibidem.records.record import Entry, Name, Record
from ibidem.synthesis import find_styles, keep_bibliographies

NAMES = _Names([("Journal of Made Mathematics", "J. Made Math.")], ["Lecture Notes in Bells"], ["Bell Geometry"])
AUTHORS = (Entry("author", Name(family="Reed", given="Ada")), Entry("author", Name(family="Moss", given="Ben")))
RECORD = Record(
    "paper", (*AUTHORS, Entry("title", "On bells"), Entry("container", "Proc. BELLS"), Entry("doi", "10.1/x"))
)
OTHER = Record("article", (Entry("author", Name(family="Fern", given="Cy")), Entry("title", "Not this")))


def many(kind: str) -> list[Record]:
    generator = Random(3)
    return [_recast_one(RECORD, kind, NAMES, OTHER, generator) for _ in range(200)]


@pytest.mark.parametrize(
    ("kind", "always", "sometimes", "never"),
    [
        ("article", {"author", "container", "volume", "pages", "date"}, {"title", "issue"}, {"publisher", "series"}),
        ("book", {"author", "title", "date"}, {"publisher", "place", "series", "volume", "edition"}, {"container"}),
        ("chapter", {"author", "container", "date"}, {"editor", "title", "publisher", "series", "pages"}, {"issue"}),
        ("paper", {"author", "container", "date"}, {"editor", "title", "place", "series", "pages"}, {"edition"}),
    ],
)
def test_each_kind_has_its_own_fields_and_none_of_the_original_record(kind, always, sometimes, never):
    found = [{entry.field for entry in record.entries} for record in many(kind)]
    assert all(always <= fields and not (never | {"doi"}) & fields for fields in found)
    assert all(
        any(field in fields for fields in found) and not all(field in fields for fields in found) for field in sometimes
    )


@pytest.mark.parametrize("kind", ["article", "book", "chapter", "paper"])
def test_authors_are_kept_and_editors_are_those_of_another_record(kind):
    for record in many(kind):
        assert record.type == kind
        assert tuple(entry for entry in record.entries if entry.field == "author") == AUTHORS
        assert {entry.value.family for entry in record.entries if entry.field == "editor"} <= {"Fern"}


def test_a_paper_keeps_its_proceedings_and_a_chapter_is_given_a_book():
    assert {record.first("container") for record in many("paper")} == {"Proc. BELLS"}
    assert all(str(record.first("container")).endswith("Bell Geometry") for record in many("chapter"))


@pytest.mark.parametrize(
    ("name", "ours"),
    [("Journal of Geometry", True), ("Physical Review D", True), ("Mathematical Biology", False), ("Poetry", False)],
)
def test_journals_of_these_fields_are_known_by_their_names(name, ours):
    assert _of_these_fields(name) is ours


def test_every_style_is_there_and_has_a_bibliography():
    assert len(keep_bibliographies(find_styles(STYLES))[0]) == len(STYLES)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Small sets of records and a list of journals, where the public ones would be."""
    monkeypatch.setenv("IBIDEM_DATA", str(tmp_path))
    medline = ["pmid doi authors year title journal volume issue pages n_cited".split()]
    medline += [[str(n), "", "A Reed|B Moss", "1999", f"Bells {n}", f"Journal of {what}", "1", "", "2-3", "1"]
                for n, what in enumerate(("Poetry", "Geometry", "Nursing", "Neurobiology"))]  # fmt: skip
    dblp = ["key authors title venue venue_short year pages".split()]
    dblp += [[f"DBLP:conf/x/{n}", "Cy Fern", f"Gongs {n}", "Meeting on Gongs", "MG", "2001", "4-5"] for n in range(9)]
    journals = 'Journal of Made Mathematics,J. Made Math.\n"Lecture Notes in Physics, A","Lect. Notes Phys., A"\n'
    for name, text, pack in (
        ("medline/medline_like.tsv.xz", "\n".join(map("\t".join, medline)), lzma.compress),
        ("dblp/dblp_like.tsv.gz", "\n".join(map("\t".join, dblp)), gzip.compress),
        ("lexicons/journals/jabref-abbreviations.csv.gz", journals, gzip.compress),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(pack(text.encode()))


def test_records_are_drawn_from_both_sets_and_come_out_the_same_again(data):
    found = recast(8)
    assert len(found) == 8 and found == recast(8)
    titles = [str(record.first("title")) for record in recast(30)]  # there are only so many
    assert len(titles) == 11
    assert not any(title in ("Bells 2", "Bells 3") for title in titles)  # neither the first of so many nor near
    assert any(title.startswith("Bells") for title in titles) and any(title.startswith("Gongs") for title in titles)


def test_records_are_rendered_with_their_fields_marked(data):
    strings = list(render_records(many("article"), 200, STYLES))
    labels = {annotation.label for example in strings for annotation in example.annotations}
    assert {"author", "journal", "volume", "pages", "date", "title"} <= {label.split("/")[0] for label in labels}
