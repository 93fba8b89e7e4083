"""TEI-like files in a tar archive, as GROBID's training corpora come: one kind of element for each corpus.

The files are read by the tag scanner, not by an XML parser: some are not well-formed, and none needs a DTD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.files import NOT_UTF8, members_of
from ibidem.data.readers.inline import attributes_of, collapse, examples_of, scan
from ibidem.types import Example, Malformed

_VARIANTS = {  # between files
    "biblScope:volume": "biblScope:vol",
    "biblScope:page": "biblScope:pp biblStruct:page",
    "pubPlace": "pubplace",
    "note": "notes",
    "surname": "lastname surename",
    "forename": "firstname forenname forename:first",
    "roleName": "rolename",
    "affiliation": "affilliation",
    "orgName:department": "orgName:departement",
    "orgName:institution": "orgName:institute",
    "region": "region:state",
    "keyword": "keywords keywords:pacs",
    "note:doctype": "note:docType",
    "note:availability": "note:availabilty",
    "idno:arxiv": "idno:arxive",
}
_SPELLINGS = {variant: label for label, variants in _VARIANTS.items() for variant in variants.split()}
_TYPED = frozenset({"biblScope", "biblStruct", "idno", "note", "orgName", "ptr", "region", "forename", "keywords"})
_BREAK = frozenset({"lb"})


def _name(tag: str, attributes: str) -> str | None:
    if tag in _BREAK:
        return ""
    given = attributes_of(attributes) if attributes else {}
    kind = ""
    if tag == "title":
        kind = given.get("level") or given.get("type") or ""
    elif tag in _TYPED:
        kind = given.get("type") or given.get("unit") or ""
    label = f"{tag}:{kind.lower() if tag in ('idno', 'orgName') else kind}" if kind else tag
    return _SPELLINGS.get(label, label)


def _pieces(text: str, tag: str) -> Iterator[tuple[str, bool]]:
    """Yield the content of each `tag`, and whether it was closed before the next was opened."""
    plain = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    begin: int | None = None
    for edge in re.finditer(rf"<(/?)(?:{tag})(?:\s[^<>]*)?>", plain):
        if begin is not None:
            yield plain[begin : edge.start()], bool(edge[1])
        begin = None if edge[1] else edge.end()
    if begin is not None:
        yield plain[begin:], False


def read_tei(
    path: Path, tag: str, source: str, under: str = "corpus/", lines: bool = False
) -> Iterator[Example | Malformed]:
    """Yield an example for every `<tag>` in the files below `under` of a tar archive.

    `tag` may be several spellings separated by `|`. An element that is not closed before the next one is reported, and
    given up to there. Whitespace is collapsed, line breaks included; with `lines` those of the page (`<lb/>`) stay.
    """
    for member, raw in members_of(path):
        if not member.startswith(under):
            continue
        where = f"{source}:{member.rsplit('/', 1)[-1]}"
        text = raw.decode("utf-8", "replace")
        if "\ufffd" in text:
            yield Malformed(where, NOT_UTF8)
        number = 0
        for number, (piece, closed) in enumerate(_pieces(text, tag), 1):
            if not closed:
                yield Malformed(f"{where}:{number}", f"<{tag}> is not closed")
            if lines:
                piece = re.sub(r"\s+", " ", piece)
            found = collapse(scan(piece, _name, _BREAK, "\n" if lines else " "), lines)
            if not found.text:
                yield Malformed(f"{where}:{number}", f"<{tag}> is empty")
            yield from examples_of(found, f"{where}:{number}")
        if not number:
            yield Malformed(where, f"no <{tag}> in the file")
