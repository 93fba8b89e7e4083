"""LinkedBooks: references of the humanities, mostly Italian, from scanned books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.columns import example_of
from ibidem.data.readers.files import text_of
from ibidem.data.registry import Dataset, files_of
from ibidem.labels.mapping.table import LabelTable, unchanged
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example, Malformed

_QUOTED_TAIL = re.compile(r"(?<=\S)\s*,?\s*(?P<container>[“«\"][^“”«»\"]+[”»\"])\W*\Z")
_EDITED_BY = re.compile(r"\W*(?:a cura|a c ?\.|cur\b|hrsg|edited|ed\.)", re.IGNORECASE)


def read_linkedbooks(path: Path) -> Iterator[Example | Malformed]:
    """Read a LinkedBooks file; a reference runs from a `b-r` to the next `b-r` or `o`, and label `o` in it is none.

    Lines end in a bare carriage return. The source ends in the kind of reference: primary, secondary or
    meta-annotation. A reference without a beginning is reported and skipped; one without an end, or that continues
    after an `e-r`, is reported and given.
    """
    source = f"linkedbooks:{path.name.removesuffix('.gz').removesuffix('.txt')}"
    rows: list[list[str]] = []
    first = 0
    for number, line in enumerate(text_of(path, "replace").split("\r"), 1):
        columns = line.split()
        if not columns or columns[0] == "-DOCSTART-":
            continue
        if len(columns) != 4:
            yield Malformed(f"{source}:{number}", f"{len(columns)} columns instead of 4: {line[:60]}")
            continue
        if rows and columns[3] in ("b-r", "o"):
            yield from _parse_reference(rows, f"{source}:{first}")
            rows = []
        if columns[3] != "o":
            first = first if rows else number
            rows.append(columns)
    if rows:
        yield from _parse_reference(rows, f"{source}:{first}")


def _parse_reference(rows: list[list[str]], source: str) -> Iterator[Example | Malformed]:
    places = [row[3] for row in rows]
    if places[0] != "b-r":
        yield Malformed(source, f"{len(rows)} tokens of a reference without a beginning (b-r)")
        return
    if places[-1] != "e-r":
        yield Malformed(source, "the reference has no end (e-r)")
    if "e-r" in places[:-1]:
        yield Malformed(source, "the reference continues after its end (e-r)")
    kind = rows[0][2].partition("-")[2]
    yield example_of([(row[0], row[1]) for row in rows], f"{source}:{kind}", True, frozenset("o"))


def _find_containers(drafts: list[Annotation], example: Example) -> list[Annotation]:
    """Tell containers from titles: LinkedBooks calls both `title`.

    In a meta-annotation the container is the second title, or what stands in quotes at the end of the only one.
    """
    if not example.source.endswith(":meta-annotation"):
        return drafts
    titles = [annotation for annotation in drafts if annotation.label == "title"]
    done: list[Annotation] = []
    for annotation in drafts:
        if annotation.label != "title":
            done.append(annotation)
            continue
        tail = _QUOTED_TAIL.search(example.text, annotation.start, annotation.end)
        if len(titles) > 1:
            label = "title" if annotation is titles[0] else "journal|book|series"
            done.append(Annotation(label, annotation.start, annotation.end))
        elif tail:
            done += [
                Annotation("title", annotation.start, tail.start()),
                Annotation("journal|book", *tail.span("container")),
            ]
        else:
            done.append(Annotation(UNKNOWN, annotation.start, annotation.end))
    return done


_LABELS = LabelTable(
    {
        "author": lambda c: "editor" if _EDITED_BY.match(c.text) else "author",
        **unchanged("title publisher date volume series".split()),
        "publicationplace": "place",
        "year": "date",
        "pagination": "pages",
        "tomo": "volume",
        "archive_lib": "archive",
        "conjunction": "",
        **dict.fromkeys(
            """numbered_ref publicationnumber-year publicationspecifications abbreviation archivalreference cartulation
            foliation box registry folder filza attachment ref column""".split(),
            UNKNOWN,
        ),
    },
    uncertain_boundaries=True,
    revise=_find_containers,
)
LINKEDBOOKS = Dataset(
    name="linkedbooks",
    about="LinkedBooks: humanities references, mostly Italian, from scanned books",
    home="https://github.com/dhlab-epfl/LinkedBooksReferenceParsing",
    licence="MIT",
    use="open",
    files=files_of(
        "linkedbooks",
        read_linkedbooks,
        ("clean_train.txt.gz", "train", 32_098, "d7347970edfe06b8bbed5f1e4fc1f599a42b1ce01fb4016c9e88d5c2e1a86409"),
        ("clean_valid.txt.gz", "dev", 1_104, "9ac750d37c74fab03a84fa7665ded9d5aaec3dc989f68a2427c09544825892bc"),
    ),
    labels=_LABELS,
)
