"""Parsed items drawn for people: references, headings with their roles, author lines with their links.

Fields are in colour, or in brackets where there is no colour.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO

from ibidem.cli.terminal import escape
from ibidem.types import Field, Parsed

DOUBTFUL = 0.8  # a field with less confidence than this is marked

# 256-colour codes that are legible on light and dark backgrounds; other labels take one of the spare ones.
_COLOURS = {
    "marker": 245, "author": 33, "editor": 39, "translator": 45, "title": 166, "journal": 133, "book": 133,
    "series": 97, "volume": 172, "issue": 178, "pages": 136, "article-number": 136, "edition": 140, "chapter": 140,
    "date": 35, "accessed": 72, "publisher": 64, "place": 70, "institution": 71, "archive": 71, "type": 103,
    "report-number": 103, "doi": 30, "arxiv": 30, "pmid": 30, "pmcid": 30, "isbn": 30, "issn": 30, "url": 31,
    "note": 102, "affiliation": 71, "symbol": 166, "separator": 245, "email": 31,
}  # fmt: skip
_SPARE = (125, 68, 107, 173, 61, 137, 72, 168)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; None is a stream that is closed."""
    return stream is not None and stream.isatty()


def wants_colour(stream: TextIO | None) -> bool:
    """Return whether to draw in colour: never with NO_COLOR, always with FORCE_COLOR, otherwise on terminals."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal(stream) and os.environ.get("TERM") != "dumb")


def draw(parsed: Parsed, number: int, *, colour: bool) -> str:
    """Return the lines of one parsed reference: its number, its text with the fields marked, and the alternatives.

    >>> print(draw(Parsed("Reed 2019", (Field("date", "2019", 5, 9, 0.5),), 0.5), 7, colour=False))
      7  Reed [date? 2019]
    """
    head = f"{number:3}  "
    if parsed.error is not None:
        text = escape(parsed.text[:200])
        return f"{head}{_paint(text, 2, colour)} {_paint('✗ ' + escape(parsed.error), 31, colour)}".replace("  ✗", " ✗")
    lines = [head + mark_fields(parsed.text, parsed.fields, colour)]
    for place, other in enumerate(parsed.alternatives, start=2):
        lead = _paint(f"     {place}. {other.confidence:.2f} ", 2, colour)
        lines.append(lead + mark_fields(other.text or parsed.text, other.fields, colour))
    if parsed.change:
        lines.append(_paint("   was ", 2, colour) + mark_fields(parsed.text, parsed.change.before, colour))
        reasons = [f"{text} (saves {saved:.2f})" for text, saved in parsed.change.because]
        lines.append(_paint("   changed by  " + escape("; ".join(reasons)), 2, colour))
    return "\n".join(lines)


def legend(labels: Iterable[str]) -> str:
    """Return one line that names the colour of each top-level field."""
    order = {name: place for place, name in enumerate(_COLOURS)}
    names = sorted({_top(label) for label in labels}, key=lambda name: (order.get(name, len(order)), name))
    shown = [_field(name, name, sure=True, colour=True) for name in names]
    return "     " + " ".join([*shown, _field("", f"unsure (< {DOUBTFUL})", sure=False, colour=True)])


def mark_fields(text: str, fields: Sequence[Field], colour: bool) -> str:
    """Return the text with its outermost fields marked; nested fields are shown in JSON only."""
    pieces, place = [], 0
    for field in sorted(fields, key=lambda field: (field.start, -field.end)):
        if field.start < place:
            continue
        pieces.append(_paint(escape(text[place : field.start]), 2, colour))
        shown = escape(text[field.start : field.end])
        pieces.append(_field(_top(field.label), shown, sure=field.confidence >= DOUBTFUL, colour=colour))
        place = field.end
    return "".join([*pieces, _paint(escape(text[place:]), 2, colour)])


def _field(label: str, text: str, *, sure: bool, colour: bool) -> str:
    if not colour:
        return f"[{label}{'' if sure else '?'} {text}]"
    code = _COLOURS.get(label) or _SPARE[sum(map(ord, label)) % len(_SPARE)]
    paint = f"38;5;{code}" if label else "39"
    return f"\x1b[{paint}{'' if sure else ';4'}m{text}\x1b[0m"


def _paint(text: str, code: int, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def _top(label: str) -> str:
    return escape(label.partition("/")[0])


def draw_sections(parsed: Parsed, number: int, *, colour: bool) -> str:
    """Return the lines of a paper: each heading with its role and confidence.

    >>> print(draw_sections(Parsed("Bells", (Field("method", "Bells", 0, 5, 0.7),), 0.7), 1, colour=False))
    1
      method?            0.70  Bells
    """
    if parsed.error is not None:
        return draw(parsed, number, colour=colour)
    lines = [str(number)]
    for field in parsed.fields:
        sure, text = field.confidence >= DOUBTFUL, escape(field.text)
        shown = _field(_top(field.label), text, sure=sure, colour=True) if colour else text
        lines.append(f"  {escape(field.label) + ('' if sure else '?'):18} {field.confidence:.2f}  {shown}")
    return "\n".join(lines)


def draw_authors(parsed: Parsed, number: int, *, colour: bool) -> str:
    """Return the lines of a header with their fields marked, then each author with their affiliations."""
    if parsed.error is not None:
        return draw(parsed, number, colour=colour)
    lines = [str(number), *(f"  {line}" for line in _draw_lines(parsed, colour))]
    homes: dict[int, list[str]] = {}
    for link in parsed.links or ():
        homes.setdefault(link.author, []).append(_one_line(parsed.fields[link.affiliation]))
    for index, field in enumerate(parsed.fields):
        if field.label == "author":
            lines.append(f"  {_one_line(field)} → {'; '.join(homes.get(index, ['–']))}")
    return "\n".join(lines)


def _draw_lines(parsed: Parsed, colour: bool) -> Iterator[str]:
    """Yield the lines of a header with their fields marked; a field that spans two lines is marked in both."""
    place, first = 0, 0
    for line in parsed.text.split("\n"):
        end = place + len(line)
        while first < len(parsed.fields) and parsed.fields[first].end <= place:
            first += 1
        inner, last = [], first
        while last < len(parsed.fields) and parsed.fields[last].start < end:
            inner.append(_clip(parsed.fields[last], place, end))
            last += 1
        yield mark_fields(line, inner, colour)
        place = end + 1


def _one_line(field: Field) -> str:
    return escape(" ".join(field.text.split()))


def _clip(field: Field, start: int, end: int) -> Field:
    """Return the part of a field that lies in characters `start:end`, relative to `start`."""
    return field._replace(start=max(field.start, start) - start, end=min(field.end, end) - start)


DRAWINGS: dict[str, Callable[..., str]] = {"sections": draw_sections, "authors": draw_authors}
"""The function that draws an item of a task, where it is not `draw`."""
