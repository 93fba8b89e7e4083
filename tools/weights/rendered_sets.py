"""Datasets rendered to train the default models of sections and authors: eLife's outlines and headers in many layouts.

Importing this module registers them, so that recipes can name them.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

from ibidem.data import register
from ibidem.data.readers.papers import label_headings
from ibidem.data.registry import map_examples
from ibidem.data.sets.elife import BY_PAPER, FRONT, SECTIONS, papers_of, read_front, role_of
from ibidem.labels.mapping.table import identity_table
from ibidem.labels.schema import AUTHOR_SCHEMA, SECTION_SCHEMA
from ibidem.types import Example, Malformed
from tools.weights.author_headers import Header, render
from tools.weights.heading_augmentation import Section, augment


def read_outlines(path: Path) -> Iterator[Example | Malformed]:
    """Read the outline of each paper and vary its layout: with or without subsections, which have the role of their
    section; with front and back matter; numbered, in capitals, or as it stands."""
    for item in papers_of(path):
        if isinstance(item, Malformed):
            yield item
            continue
        document, rows = item
        sections: list[Section] = []
        for row in rows:
            if row["depth"] == "1":
                sections.append(Section(row["title"], role_of(row)))
            elif sections and len(sections[-1].inner) < 40:
                sections[-1].inner.append(row["title"])
        if sections:
            lines, labels = augment(sections, document)
            yield label_headings(lines, labels, f"elife-outlines:{document}")


def read_headers(path: Path) -> Iterator[Header | Malformed]:
    """Render headers from eLife's records of authors and affiliations, with their links."""
    for number, record in enumerate(read_front(path), 1):
        if isinstance(record, Malformed):
            yield record
            continue
        found = render(record, f"elife-bylines:{record.get('doc', number)}")  # the name seeds the layout: it must stay
        if found is not None:
            yield found


OUTLINES = SECTIONS.derive(
    "elife-outlines",
    read_outlines,
    about="eLife: outlines of papers in many layouts, with subsections, numbers, front and back matter",
    labels=identity_table(SECTION_SCHEMA),
    remark="the headings that eLife does not have are of our own writing",
)
AUTHORS = FRONT.derive(
    "elife-authors",
    map_examples(read_headers, attrgetter("example")),
    about="eLife: authors and affiliations of papers, rendered as journals print them",
    labels=identity_table(AUTHOR_SCHEMA),
    split_rule=BY_PAPER,
    remark="the layout is drawn at random, seeded by the number of the paper",
    task="authors",
)
for _set in (OUTLINES, AUTHORS):
    register(_set)
