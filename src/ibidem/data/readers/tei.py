"""GROBID's training corpora: TEI-like files in a tar archive, one kind of element for each corpus.

The files are read by the tag scanner, not by an XML parser: some are not well formed, and none needs a DTD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.files import members_of
from ibidem.data.readers.inline import attributes_of, collapse, scan
from ibidem.data.readers.tagged import examples_of
from ibidem.types import Example, Malformed

# Spellings that vary between files, made one.
_SAME = {
    "biblScope:vol": "biblScope:volume",
    "biblScope:pp": "biblScope:page",
    "biblStruct:page": "biblScope:page",
    "pubplace": "pubPlace",
    "notes": "note",
    "lastname": "surname",
    "surename": "surname",
    "firstname": "forename",
    "forenname": "forename",
    "forename:first": "forename",
    "rolename": "roleName",
    "affilliation": "affiliation",
    "orgName:departement": "orgName:department",
    "orgName:institute": "orgName:institution",
    "orgName:laboratory": "orgName:laboratory",
    "region:state": "region",
    "keywords": "keyword",
    "keywords:pacs": "keyword",
    "note:docType": "note:doctype",
    "note:availabilty": "note:availability",
    "idno:arxive": "idno:arxiv",
}
_TYPED = frozenset({"biblScope", "biblStruct", "idno", "note", "orgName", "ptr", "region", "forename", "keywords"})
_BLANK = frozenset({"lb"})


def _name(tag: str, attributes: str) -> str | None:
    if tag in _BLANK:
        return ""
    given = attributes_of(attributes) if attributes else {}
    kind = ""
    if tag == "title":
        kind = given.get("level") or given.get("type") or ""
    elif tag in _TYPED:
        kind = given.get("type") or given.get("unit") or ""
    label = f"{tag}:{kind.lower() if tag in ('idno', 'orgName') else kind}" if kind else tag
    return _SAME.get(label, label)


def _pieces(text: str, tag: str) -> Iterator[tuple[str, bool]]:
    """What stands between each opening and closing `tag`, and whether it was closed before the next was opened."""
    plain = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    begun: int | None = None
    for edge in re.finditer(rf"<(/?)(?:{tag})(?:\s[^<>]*)?>", plain):
        if begun is not None:
            yield plain[begun : edge.start()], bool(edge[1])
        begun = None if edge[1] else edge.end()
    if begun is not None:
        yield plain[begun:], False


def read_tei(
    path: Path, tag: str, source: str, under: str = "corpus/", lines: bool = False
) -> Iterator[Example | Malformed]:
    """An example for every `<tag>` in the files below `under` of a tar archive.

    `tag` may be several spellings with `|` between them. An element that is not closed before the next one is
    reported, and given up to there. Runs of blanks, line breaks among them, are one blank; with `lines` a line break
    of the page (`<lb/>`) stays one.
    """
    for member, raw in members_of(path):
        if not member.startswith(under):
            continue
        where = f"{source}:{member.rsplit('/', 1)[-1]}"
        text = raw.decode("utf-8", "replace")
        if "\ufffd" in text:
            yield Malformed(where, "not UTF-8: the bytes in question are shown as U+FFFD")
        number = 0
        for number, (piece, closed) in enumerate(_pieces(text, tag), 1):
            if not closed:
                yield Malformed(f"{where}:{number}", f"<{tag}> is not closed")
            if lines:
                piece = re.sub(r"\s+", " ", piece)
            found = collapse(scan(piece, _name, _BLANK, "\n" if lines else " "), lines)
            if not found.text:
                yield Malformed(f"{where}:{number}", f"<{tag}> is empty")
            yield from examples_of(found, f"{where}:{number}")
        if not number:
            yield Malformed(where, f"no <{tag}> in the file")


def read_grobid_citation(path: Path) -> Iterator[Example | Malformed]:
    """The reference strings of GROBID's citation corpus (`corpus/`, which `evaluation/` is part of)."""
    yield from read_tei(path, "bibl", "grobid-citation")


def read_grobid_names(path: Path, source: str, under: str = "corpus/") -> Iterator[Example | Malformed]:
    """Lists of names, of citations or of headers: forename, middlename, surname, suffix, marker."""
    yield from read_tei(path, "author", source, under)


def read_grobid_dates(path: Path, under: str = "corpus/") -> Iterator[Example | Malformed]:
    """Dates with year, month and day."""
    yield from read_tei(path, "date", "grobid-date", under)


def read_grobid_affiliations(path: Path, under: str = "corpus/") -> Iterator[Example | Malformed]:
    """Affiliations with institution, department, laboratory and address."""
    yield from read_tei(path, "affiliation|affilliation", "grobid-affiliation", under)


def read_grobid_lists(path: Path) -> Iterator[Example | Malformed]:
    """Whole lists of references, line by line: `bibl` marks a reference and `bibl/label` its number."""
    yield from read_tei(path, "listBibl", "grobid-refsegmenter", "corpus/", lines=True)


def read_grobid_headers(path: Path) -> Iterator[Example | Malformed]:
    """The first pages of papers, line by line."""
    yield from read_tei(path, "front", "grobid-header", "tei/", lines=True)
