"""The headings of eLife's papers: as they stand, and dressed as papers elsewhere have theirs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from ibidem.data.heading_augmentation import Section, dressed
from ibidem.data.readers.elife import read_elife_sections
from ibidem.data.readers.papers import headings
from ibidem.labels.mapping.tables_plain import PLAIN, role_said
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Example, Malformed


def _papers(path: Path) -> Iterator[tuple[str, list[dict[str, str]]] | Malformed]:
    """The rows of each paper that have a heading, in order."""
    rows = read_elife_sections(path)
    for document, found in groupby(rows, key=lambda row: "" if isinstance(row, Malformed) else row["doc"]):
        plain: list[dict[str, str]] = []
        for row in found:
            if isinstance(row, Malformed):
                yield row
            elif row["title"].strip():
                plain.append({**row, "title": " ".join(row["title"].split())})
        yield document, plain


def read_elife_headings(path: Path) -> Iterator[Example | Malformed]:
    """The headings of the first level of each paper, labelled with their types, `untyped` where they have none."""
    for item in _papers(path):
        if isinstance(item, Malformed):
            yield item
            continue
        document, rows = item
        first = [row for row in rows if row["depth"] == "1"]
        if first:
            labels = [row["sec_type"].casefold() or "untyped" for row in first]
            yield headings([row["title"] for row in first], labels, f"elife-sections:{document}")


def _role(row: dict[str, str]) -> str:
    rule = PLAIN["elife-sections"].get(row["sec_type"].casefold() or "untyped", UNKNOWN)
    return rule if isinstance(rule, str) else role_said(row["title"])


def read_elife_outlines(path: Path) -> Iterator[Example | Malformed]:
    """The outline of each paper, dressed: with subsections, which have the role of their section, or without; with
    headings of our own writing before and after it; numbered, in capitals, or as it stands."""
    for item in _papers(path):
        if isinstance(item, Malformed):
            yield item
            continue
        document, rows = item
        sections: list[Section] = []
        for row in rows:
            if row["depth"] == "1":
                sections.append(Section(row["title"], _role(row)))
            elif sections and len(sections[-1].inner) < 40:
                sections[-1].inner.append(row["title"])
        if sections:
            lines, labels = dressed(sections, document)
            yield headings(lines, labels, f"elife-outlines:{document}")
