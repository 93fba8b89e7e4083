"""GROBID's training corpora: TEI-like files in a tar archive, one kind of element for each corpus.

The files are read by the tag scanner, not by an XML parser: some are not well formed, and none needs a DTD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ibidem.tasks.readers.files import members_of
from ibidem.tasks.readers.inline import Naming, attributes_of, collapse, scan
from ibidem.tasks.readers.tagged import examples_of
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
    edges = re.compile(rf"<(/?){tag}(?:\s[^<>]*)?>")
    begun: int | None = None
    for edge in edges.finditer(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        whole = edge.string
        if begun is not None:
            yield whole[begun : edge.start()], bool(edge[1])
        begun = None if edge[1] else edge.end()
    if begun is not None:
        yield re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)[begun:], False


def read_tei(path: Path, tag: str, source: str, under: str = "corpus/", name: Naming = _name) -> Iterator[Example | Malformed]:
    """An example for every `<tag>` in the files below `under` of a tar archive.

    An element that is not closed before the next one is reported, and given up to there. Runs of blanks, line breaks
    among them, are one blank.
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
            found = collapse(scan(piece, name, _BLANK))
            if not found.text:
                yield Malformed(f"{where}:{number}", f"<{tag}> is empty")
            yield from examples_of(found, f"{where}:{number}")
        if not number:
            yield Malformed(where, f"no <{tag}> in the file")


def read_grobid_citation(path: Path) -> Iterator[Example | Malformed]:
    """The reference strings of GROBID's citation corpus (`corpus/`, which `evaluation/` is part of)."""
    yield from read_tei(path, "bibl", "grobid-citation")
