"""Papers line by line: their headings, all their lines, their headers; `+L+` ends a line in all three files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ibidem.data.readers.inline import naming, read_tagged
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


@dataclass(frozen=True, slots=True)
class LabelledLines:
    """The lines of a paper, each with a label."""

    lines: tuple[str, ...]
    labels: tuple[str, ...]
    source: str


def _label_lines(example: Example) -> Iterator[LabelledLines | Malformed]:
    """Label each line with that of the annotation it begins in; report lines without one."""
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
    """Read the headings of each paper with their generic section labels; a heading is a line and a token."""
    for item in read_tagged(path, naming(_GENERIC), "sections-generic", keep_lines="+L+"):
        for found in (item,) if isinstance(item, Malformed) else _label_lines(item):
            yield found if isinstance(found, Malformed) else label_headings(found.lines, found.labels, found.source)


def label_headings(lines: Sequence[str], labels: Sequence[str], source: str) -> Example:
    """Make an example of the headings of a paper; a heading with an empty label has no annotation."""
    text = "\n".join(lines)
    tokens = tokenise_lines(text)
    pairs = zip(tokens, labels, strict=True)
    return Example(
        text, tuple(Annotation(label, token.start, token.end) for token, label in pairs if label), source, tokens
    )


def _section_name(tag: str, _attributes: str) -> str | None:
    return tag.removeprefix("SectLabel_") if tag.startswith("SectLabel_") else None


def read_section_lines(path: Path) -> Iterator[LabelledLines | Malformed]:
    """Read every line of each paper with its logical role."""
    for item in read_tagged(path, _section_name, "sections-lines", keep_lines="+L+"):
        yield from (item,) if isinstance(item, Malformed) else _label_lines(item)


# The headers of papers, line breaks kept, with an annotation for every segment.
read_headers = partial(read_tagged, name=naming(_HEADER, frozenset({"sep"})), source="headers", keep_lines="+L+")
