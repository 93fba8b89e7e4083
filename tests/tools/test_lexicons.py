"""Lexicons from a folder of lists: what is read from which file, and what a missing file is answered with."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from ibidem.data.sets.items import OPEN
from ibidem.errors import DataError
from ibidem.features import Lexicons
from ibidem.features.lexicons import CONTAINER, FAMILY, GIVEN, PUBLISHER, TITLE, hash_phrases
from ibidem.text.fold import hash32
from tools.weights.lexicons import build

LISTS = {
    "lexicons/journals/jabref-abbreviations.csv.gz": 'Bog Review,Bog Rev.,BR\n"River, Letters",River Lett.\n',
    "lexicons/journals/grobid-abbrev_journals.txt.gz": "# a remark\nFerry Q.\n",
    "lexicons/journals/grobid-journals.txt.gz": "Ferry Quarterly\n",
    "lexicons/journals/grobid-proceedings.txt.gz": "Meeting of Bell Founders\n",
    "lexicons/names/grobid-firstname.5k.txt.gz": "Agnes\n",
    "lexicons/names/grobid-names.female.txt.gz": "Berta\n",
    "lexicons/names/grobid-names.male.txt.gz": "Cäsar\n",
    "lexicons/names/grobid-lastname.5k.txt.gz": "Marsh\n",
    "lexicons/names/grobid-lastnames.txt.gz": "Sedge\n",
    "lexicons/names/grobid-names.family.txt.gz": "von Reed\n",
    "lexicons/anystyle-surnames_european.txt.gz": "Quill\n",
    "lexicons/anystyle-journals_scopus.txt.gz": "Annals of Bells\n",
    "lexicons/anystyle-publishers_wikipedia.txt.gz": "Harrowgate\n",
    "lexicons/anystyle-places_gazetteer.txt.gz": "Fenwick\n",
    "lexicons/publishers/grobid-publishers.txt.gz": "Harrowgate University Press\n",
    "lexicons/places/cities15000.txt.gz": "Fenwick on Mire\n",
    "lexicons/places/countries.txt.gz": "Marshland\n",
    "lexicons/organisations/universities.txt.gz": "University of Fenwick\n",
    "lexicons/organisations/collaborations.txt.gz": "Bell Collaboration\n",
    "bibliographies/bibliographies.bib.gz": (
        "@book{a,\n  title = {The {Drift} of Ferries},\n  publisher = {Mire Books},\n  address = {Old Fenwick},\n}\n"
        '@book{b,\n  title = "Ferries",\n  publisher = "Mire Books",\n  address = {Old Fenwick}\n}\n'
        "@book{c,\n  title = {ferries},\n  booktitle = {Ferries once},\n  publisher = {Once Only}\n}\n"
    ),
    "dblp/dblp_like.tsv.gz": "authors\ttitle\tvenue\tvenue_short\n"
    + "Agnes B Marsh|Berta Sedge\tDrifting bells\tBell Conference\tBELLCONF\n" * 3
    + "Agnes Marsh\tRare\tOnce Conference\tONCE\n",
    "medline/medline_like.tsv.xz": "journal\ttitle\tauthors\n"
    + "Mire Med\tDrifting of mires\tAgnes Marsh\n" * 3
    + "Once J\t\t\n",
    "multilingual/open/records/langsci-multi.csl.jsonl.gz": (
        '{"type": "article-journal", "title": "Glocken", "publisher-place": "Mirow",'
        ' "container-title": "Moor und Ufer", "author": [{"family": "Schilf", "given": "Anna"}, {"literal": "Amt"}]}\n'
        '{"type": "book", "title": "Glocken", "container-title": "Reihe", "publisher": "Torfverlag"}\n'
    )
    * 4,
} | {file.path: "" for one in OPEN if one.name != "langsci-multi" for file in one.files}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a few lines in every file that is read."""
    home = tmp_path_factory.mktemp("data")
    for name, text in LISTS.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with (lzma.open if path.suffix == ".xz" else gzip.open)(path, "wt", encoding="utf-8") as lines:
            lines.write(text)
    return home


@pytest.fixture(scope="module")
def built(folder: Path) -> Lexicons:
    """The lexicons of that folder."""
    return build(folder)


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("given", "agnes berta casar", "marsh"),
        ("family-common", "marsh quill", "sedge"),
        ("family", "sedge von reed", "marsh"),
        ("journal", "annals bells", "bog"),
        ("publisher", "harrowgate", "fenwick"),
        ("place", "fenwick", "harrowgate"),
    ],
)
def test_words_are_in_the_lexicon_of_their_list(built, name, inside, outside):
    assert all(hash32(word) in built.words[name] for word in inside.split())
    assert not any(hash32(word) in built.words[name] for word in outside.split())


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("journal", ["Bog Review", "Bog Rev", "River, Letters"], ["BR", "Once J", "a remark"]),
        ("journal", ["Ferry Q.", "Ferry Quarterly", "Mire Med"], ["Ferry"]),
        ("journal", ["Moor und Ufer"], ["Reihe"]),
        ("publisher", ["Harrowgate University Press", "Mire Books", "Torfverlag"], ["Once Only"]),
        ("place", ["Fenwick on Mire", "Old Fenwick", "Mirow"], ["Fenwick"]),
        ("country", ["Marshland"], ["Fenwick"]),
        ("university", ["University of Fenwick"], ["Fenwick"]),
        ("collaboration", ["Bell Collaboration"], ["Bell"]),
        ("conference", ["Meeting of Bell Founders", "BELLCONF"], ["ONCE"]),
    ],
)
def test_phrases_are_in_the_lexicon_of_their_list(built, name, inside, outside):
    known = set(built.phrases[name].hashes.tolist())
    assert all(set(hash_phrases([phrase]).hashes.tolist()) <= known for phrase in inside)
    assert not any(set(hash_phrases([phrase]).hashes.tolist()) & known for phrase in outside)


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("ferries", TITLE | CONTAINER),  # four times, three of them in titles
        ("drifting", TITLE),
        ("marsh", FAMILY),
        ("agnes", GIVEN),
        ("schilf", FAMILY),
        ("glocken", TITLE),
        ("conference", CONTAINER),
        ("books", 0),  # two times are too few
        ("b", 0),  # an initial is no given name
        ("unheard", 0),
    ],
)
def test_words_are_known_by_the_fields_they_are_seen_in(built, word, fields):
    assert built.statistics.code(hash32(word)) == fields
    assert fields & PUBLISHER == 0


def test_a_folder_without_the_lists_is_answered_with_the_file_that_lacks(tmp_path):
    with pytest.raises(DataError, match="IBIDEM_DATA"):
        build(tmp_path)
