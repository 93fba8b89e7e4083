"""GIANT: references rendered from CSL styles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import read_tagged
from ibidem.data.registry import BY_TEXT, Dataset, files_of
from ibidem.labels.mapping.table import Context, LabelTable, unchanged
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Example, Malformed

_TAGS = frozenset(
    """author family given editor translator container-author issued year month day title container-title
    container-title-short page page-first volume issue publisher URL DOI ISSN ISBN event source citation-label
    """.split()
)


def _name(tag: str, attributes: str) -> str | None:
    if tag not in _TAGS:
        return None
    return f"{tag} {attributes.strip()}" if attributes.strip() else tag


def _unquote(line: str) -> str:
    if len(line) > 1 and line[0] == line[-1] == '"':
        line = line[1:-1]
    return line.replace('""', '"')


def read_giant(path: Path) -> Iterator[Example | Malformed]:
    """Read GIANT's sample: a tagged string per line, in doubled quotes where needed."""
    yield from read_tagged(path, _name, "giant", map(_unquote, lines_of(path, "replace")))


def _container(context: Context) -> str:
    if context.has("volume", "issue"):
        return "journal"
    return "journal|book" if context.has("title") else "journal|book|title"


_LABELS = LabelTable(
    {
        **unchanged("author editor translator title volume issue publisher".split()),
        **{identifier: identifier.lower() for identifier in ("URL", "DOI", "ISSN", "ISBN")},
        "author interviewer": "author",
        "editor translator": "editor",
        "editor collection-editor editorial-director director translator": "editor",
        "translator editor": "editor",
        "container-author editor": "editor",
        "family": "~/person/family",
        "given": "~/person/given",
        "issued": "date",
        "year": "date/year",
        "month": "date/month",
        "day": "date/day",
        "container-title": _container,
        "container-title-short": _container,
        "page": "pages",
        "page-first": "pages",
        **dict.fromkeys(("container-author", "event", "source"), UNKNOWN),
        "citation-label": "marker",
    }
)
GIANT = Dataset(
    name="giant",
    about="GIANT: references rendered from CSL styles, a sample",
    home="https://github.com/BeelGroup/GIANT-The-1-Billion-Annotated-Synthetic-Bibliographic-Reference-String-Dataset",
    licence="CC0 origin",
    use="open",
    files=files_of(
        "giant",
        read_giant,
        ("10K_citation.txt.gz", "", 10_074, "a1cb13b9da0a63e1206e17f4ed0f75acd15fedee3ff6c5f6c408508c63c7f946"),
    ),
    labels=_LABELS,
    split_rule=BY_TEXT,
)
