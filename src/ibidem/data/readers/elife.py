"""eLife's references, front matter and section headings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import attributes_of, scan
from ibidem.data.readers.records import read_table
from ibidem.data.readers.tagged import examples_of
from ibidem.types import Example, Malformed

_THROUGH = frozenset(
    """mixed-citation italic bold sup sub sc monospace underline xref inline-formula inline-graphic styled-content
    alternatives tex-math label x fn named-content""".split()
)
_BY_TYPE = {"person-group": "person-group-type", "pub-id": "pub-id-type"}


def _name(tag: str, attributes: str) -> str | None:
    if tag in _THROUGH:
        return ""
    if tag in _BY_TYPE:
        kind = attributes_of(attributes).get(_BY_TYPE[tag])
        return f"{tag}:{kind}" if kind else tag
    return tag


def read_elife(path: Path) -> Iterator[Example | Malformed]:
    """The references of eLife's table, text exactly as typed; the source is `elife:doc:ref:publication-type`.

    Where a tag has a type, the label shows it (`person-group:editor`, `pub-id:doi`).
    """
    for number, row in enumerate(read_table(path, "elife"), 2):
        if isinstance(row, Malformed):
            yield row
            continue
        source = f"elife:{row['doc']}:{row['ref'] or number}:{row['type']}"
        found = scan(row["xml"], _name)
        if not found.text:
            yield Malformed(source, "no text")
        yield from examples_of(found, source)


def read_elife_sections(path: Path) -> Iterator[dict[str, str] | Malformed]:
    """The section headings of eLife's papers, one row of the table each, by column name."""
    yield from read_table(path, "elife-sections")


def read_elife_front(path: Path) -> Iterator[dict[str, Any] | Malformed]:
    """Authors and affiliations of eLife's papers, one record per paper as it stands in the file."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            yield Malformed(f"elife-front:{number}", str(error))
