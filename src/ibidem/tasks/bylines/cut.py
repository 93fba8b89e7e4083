"""The author and affiliation lines of a whole header, in the labels of the task."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ibidem.tasks.bylines.rules import affiliation_in, authors_in
from ibidem.types import Example, Mark

_KINDS = {"docAuthor": "author"} | {name: name for name in ("author", "affiliation", "address", "email")}


def byline_of(example: Example, source: str) -> Example | None:
    """The lines of a header that name authors, affiliations or addresses, None where it names no author.

    An address right after an affiliation belongs to it. Lists are divided by rule; what else stands in these lines has
    no label.
    """
    marks = [Mark(_KINDS[name], m.start, m.end) for m in example.marks if (name := _last(m.label)) in _KINDS]
    if not any(mark.label == "author" for mark in marks):
        return None
    cut = _kept_lines(example.text, _joined(marks, example.text))
    found = sorted(_divided(*cut), key=lambda mark: mark.start)
    return Example(cut[0], tuple(found), source)


def _last(label: str) -> str:
    return label.rpartition("/")[2]


def _joined(marks: list[Mark], text: str) -> list[Mark]:
    """The marks, an address made part of the affiliation that it follows with nothing but punctuation between."""
    found: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: mark.start):
        before = found[-1] if found else None
        if mark.label != "address":
            found.append(mark)
        elif before and before.label == "affiliation" and not _says(text[before.end : mark.start]):
            found[-1] = Mark("affiliation", before.start, mark.end)
        else:
            found.append(Mark("affiliation", mark.start, mark.end))
    return found


def _says(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _kept_lines(text: str, marks: list[Mark]) -> tuple[str, list[Mark]]:
    """The lines in which a mark stands, and the marks at their new places."""
    kept: list[str] = []
    moved: list[Mark] = []
    place = length = 0
    shift: dict[int, int] = {}  # start of a line -> how far it moves
    for line in text.split("\n"):
        end = place + len(line)
        if any(mark.start < end and place < mark.end for mark in marks):
            shift[place] = length - place
            kept.append(line)
            length += len(line) + 1
        place = end + 1
    starts = sorted(shift)
    for mark in marks:
        far = shift[starts[bisect_right(starts, mark.start) - 1]]
        moved.append(Mark(mark.label, mark.start + far, mark.end + far))
    return "\n".join(kept), moved


def _divided(text: str, marks: list[Mark]) -> Iterator[Mark]:
    for mark in marks:
        if mark.label == "author":
            yield from authors_in(text, mark.start, mark.end)
        elif mark.label == "affiliation":
            yield from affiliation_in(text, mark.start, mark.end)
        else:
            yield mark
