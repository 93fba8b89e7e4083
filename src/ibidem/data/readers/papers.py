"""Parts of papers line by line: section headings, whole papers, headers (`+L+` ends a line in all three)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import Naming, collapse, naming, scan
from ibidem.data.readers.tagged import examples_of
from ibidem.text.tokens import tokenise_lines
from ibidem.types import Annotation, Example, Malformed

_HEADER = frozenset(
    """title author affiliation address email date abstract pubnum degree note phone keyword web intro page
    """.split()
)
_GENERIC = frozenset(
    """abstract categories-and-subject-descriptors general-terms keywords introduction background related-works method
    evaluation discussions conclusions acknowledgments references""".split()
)
_SEPARATOR = frozenset({"sep"})


@dataclass(frozen=True, slots=True)
class LabelledLines:
    """The lines of a paper, or its headings, with a label each."""

    lines: tuple[str, ...]
    labels: tuple[str, ...]
    source: str


def _read(path: Path, name: Naming, source: str) -> Iterator[Example | Malformed]:
    for number, line in enumerate(lines_of(path, "replace"), 1):
        where = f"{source}:{number}"
        if "\ufffd" in line:
            yield Malformed(where, "not UTF-8: the bytes in question are shown as U+FFFD")
        if line.strip():
            yield from examples_of(collapse(scan(line.replace("+L+", "\n"), name), lines=True), where)


def _lines(example: Example) -> Iterator[LabelledLines | Malformed]:
    """The lines of an example, each with the label of the mark it begins in."""
    labels, lines, place = [], [], 0
    annotations = iter(example.annotations)
    annotation = next(annotations, None)
    for line in example.text.split("\n"):
        while annotation and annotation.end <= place:
            annotation = next(annotations, None)
        if annotation and annotation.start <= place + len(line) - 1:
            lines.append(line)
            labels.append(annotation.label)
        else:
            yield Malformed(example.source, f"a line without a label: {line[:60]}")
        place += len(line) + 1
    yield LabelledLines(tuple(lines), tuple(labels), example.source)


def read_generic_sections(path: Path) -> Iterator[Example | Malformed]:
    """The headings of each paper, a line and a token each, with their generic section labels."""
    for item in _read(path, naming(_GENERIC), "sections-generic"):
        for found in (item,) if isinstance(item, Malformed) else _lines(item):
            yield found if isinstance(found, Malformed) else headings(found.lines, found.labels, found.source)


def headings(lines: Sequence[str], labels: Sequence[str], source: str) -> Example:
    """The example of a paper whose headings have these labels; an empty label marks nothing."""
    text = "\n".join(lines)
    tokens = tokenise_lines(text)
    pairs = zip(tokens, labels, strict=True)
    return Example(
        text, tuple(Annotation(label, token.start, token.end) for token, label in pairs if label), source, tokens
    )


def _section_name(tag: str, _attributes: str) -> str | None:
    return tag.removeprefix("SectLabel_") if tag.startswith("SectLabel_") else None


def read_section_lines(path: Path) -> Iterator[LabelledLines | Malformed]:
    """Every line of each paper with its logical role."""
    for item in _read(path, _section_name, "sections-lines"):
        yield from (item,) if isinstance(item, Malformed) else _lines(item)


def read_headers(path: Path) -> Iterator[Example | Malformed]:
    """The headers of papers, lines kept, with a mark for every segment."""
    yield from _read(path, naming(_HEADER, _SEPARATOR), "headers")
