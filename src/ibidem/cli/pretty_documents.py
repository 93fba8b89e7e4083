"""Headings with their roles and author lines with their links, for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ibidem.cli.pretty import DOUBTFUL, draw, marked, painted, safe
from ibidem.types import Field, Parsed

Draw = Callable[..., str]


def draw_sections(parsed: Parsed, number: int, *, colour: bool) -> str:
    """The lines that show the headings of a paper, each with its role and how sure it is.

    >>> print(draw_sections(Parsed("Bells", (Field("method", "Bells", 0, 5, 0.7),), 0.7), 1, colour=False))
    1
      method?            0.70  Bells
    """
    if parsed.error is not None:
        return draw(parsed, number, colour=colour)
    lines = [str(number)]
    for field in parsed.fields:
        doubt = "" if field.confidence >= DOUBTFUL else "?"
        lines.append(f"  {field.label + doubt:18} {field.confidence:.2f}  {painted(field, colour)}")
    return "\n".join(lines)


def draw_authors(parsed: Parsed, number: int, *, colour: bool) -> str:
    """The lines of a header with their segments marked, then each author with the affiliations it belongs to."""
    if parsed.error is not None:
        return draw(parsed, number, colour=colour)
    lines = [str(number), *(f"  {line}" for line in _lines(parsed, colour))]
    homes: dict[int, list[str]] = {}
    for link in parsed.links or ():
        homes.setdefault(link.author, []).append(_one_line(parsed.fields[link.affiliation]))
    for index, field in enumerate(parsed.fields):
        if field.label == "author":
            lines.append(f"  {_one_line(field)} → {'; '.join(homes.get(index, ['–']))}")
    return "\n".join(lines)


def _lines(parsed: Parsed, colour: bool) -> Iterator[str]:
    """The lines of a header with their segments marked; one that goes on in the next line is marked in both."""
    place, first = 0, 0
    for line in parsed.text.split("\n"):
        end = place + len(line)
        while first < len(parsed.fields) and parsed.fields[first].end <= place:
            first += 1
        inner, last = [], first
        while last < len(parsed.fields) and parsed.fields[last].start < end:
            inner.append(_moved(parsed.fields[last], place, end))
            last += 1
        yield marked(line, inner, colour)
        place = end + 1


def _one_line(field: Field) -> str:
    return safe(" ".join(field.text.split()))


def _moved(field: Field, start: int, end: int) -> Field:
    """The part of a field that stands in a line, at its place in the line."""
    return field._replace(start=max(field.start, start) - start, end=min(field.end, end) - start)


DRAWINGS: dict[str, Draw] = {"sections": draw_sections, "authors": draw_authors}
"""How a document of each task is shown."""
