"""The author and affiliation lines of a whole header, in the labels of the task."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ibidem.data.author_headers.rules import affiliation_in, authors_in
from ibidem.types import Annotation, Example

_KINDS = {"docAuthor": "author"} | {name: name for name in ("author", "affiliation", "address", "email")}


def byline_of(example: Example, source: str) -> Example | None:
    """The lines of a header that name authors, affiliations or addresses, None where it names no author.

    An address right after an affiliation belongs to it. Lists are divided by rule; what else stands in these lines has
    no label.
    """
    annotations = [
        Annotation(_KINDS[name], m.start, m.end) for m in example.annotations if (name := _last(m.label)) in _KINDS
    ]
    if not any(annotation.label == "author" for annotation in annotations):
        return None
    cut = _kept_lines(example.text, _joined(annotations, example.text))
    found = sorted(_divided(*cut), key=lambda annotation: annotation.start)
    return Example(cut[0], tuple(found), source)


def _last(label: str) -> str:
    return label.rpartition("/")[2]


def _joined(annotations: list[Annotation], text: str) -> list[Annotation]:
    """The marks, an address made part of the affiliation that it follows with nothing but punctuation between."""
    found: list[Annotation] = []
    for annotation in sorted(annotations, key=lambda annotation: annotation.start):
        before = found[-1] if found else None
        if annotation.label != "address":
            found.append(annotation)
        elif before and before.label == "affiliation" and not _says(text[before.end : annotation.start]):
            found[-1] = Annotation("affiliation", before.start, annotation.end)
        else:
            found.append(Annotation("affiliation", annotation.start, annotation.end))
    return found


def _says(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _kept_lines(text: str, annotations: list[Annotation]) -> tuple[str, list[Annotation]]:
    """The lines in which a mark stands, and the marks at their new places."""
    kept: list[str] = []
    moved: list[Annotation] = []
    place = length = 0
    shift: dict[int, int] = {}  # start of a line -> how far it moves
    for line in text.split("\n"):
        end = place + len(line)
        if any(annotation.start < end and place < annotation.end for annotation in annotations):
            shift[place] = length - place
            kept.append(line)
            length += len(line) + 1
        place = end + 1
    starts = sorted(shift)
    for annotation in annotations:
        far = shift[starts[bisect_right(starts, annotation.start) - 1]]
        moved.append(Annotation(annotation.label, annotation.start + far, annotation.end + far))
    return "\n".join(kept), moved


def _divided(text: str, annotations: list[Annotation]) -> Iterator[Annotation]:
    for annotation in annotations:
        if annotation.label == "author":
            yield from authors_in(text, annotation.start, annotation.end)
        elif annotation.label == "affiliation":
            yield from affiliation_in(text, annotation.start, annotation.end)
        else:
            yield annotation
