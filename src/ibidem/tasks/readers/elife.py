"""eLife's references, front matter and section headings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ibidem.tasks.readers.files import lines_of
from ibidem.tasks.readers.inline import attributes_of, scan
from ibidem.tasks.readers.tagged import examples_of
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
    lines = lines_of(path)
    header = next(lines, "").split("\t")
    for number, line in enumerate(lines, 2):
        values = line.split("\t")
        if len(values) != len(header):
            yield Malformed(f"elife:{number}", f"{len(values)} columns instead of {len(header)}")
            continue
        row = dict(zip(header, values, strict=True))
        source = f"elife:{row['doc']}:{row['ref'] or number}:{row['type']}"
        found = scan(row["xml"], _name)
        if not found.text:
            yield Malformed(source, "no text")
        yield from examples_of(found, source)


@dataclass(frozen=True, slots=True)
class Heading:
    """A section heading of a paper, with the type its publisher gave it (empty where none)."""

    doc: str
    text: str
    type: str
    depth: int


def read_elife_sections(path: Path) -> Iterator[dict[str, str] | Malformed]:
    """The section headings of eLife's papers, one row of the table each, by column name."""
    lines = lines_of(path)
    header = next(lines, "").split("\t")
    for number, line in enumerate(lines, 2):
        values = line.split("\t")
        if len(values) != len(header):
            yield Malformed(f"elife-sections:{number}", f"{len(values)} columns instead of {len(header)}")
        else:
            yield dict(zip(header, values, strict=True))


def read_elife_front(path: Path) -> Iterator[dict[str, Any] | Malformed]:
    """Authors and affiliations of eLife's papers, one record per paper as it stands in the file."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            yield Malformed(f"elife-front:{number}", str(error))
