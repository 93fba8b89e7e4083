"""A parsed reference for people: its text with the fields in colour, or in brackets where there is no colour."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TextIO

from ibidem.types import Field, Parsed

DOUBTFUL = 0.8  # a field less sure than this is marked

# 256-colour codes, legible on light and dark ground; a field that is not named here takes one of the spare ones.
_COLOURS = {
    "marker": 245, "author": 33, "editor": 39, "translator": 45, "title": 166, "journal": 133, "book": 133,
    "series": 97, "volume": 172, "issue": 178, "pages": 136, "article-number": 136, "edition": 140, "chapter": 140,
    "date": 35, "accessed": 72, "publisher": 64, "place": 70, "institution": 71, "archive": 71, "type": 103,
    "report-number": 103, "doi": 30, "arxiv": 30, "pmid": 30, "pmcid": 30, "isbn": 30, "issn": 30, "url": 31,
    "note": 102, "affiliation": 71, "symbol": 166, "separator": 245, "email": 31,
}  # fmt: skip
_SPARE = (125, 68, 107, 173, 61, 137, 72, 168)
_SAFE = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)


def wants_colour(stream: TextIO) -> bool:
    """Whether to draw in colour: NO_COLOR forbids it, FORCE_COLOR asks for it, otherwise terminals get it."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def draw(parsed: Parsed, number: int, *, colour: bool) -> str:
    """The lines that show one parsed reference: its number, its text with the fields marked, and the alternatives.

    >>> print(draw(Parsed("Reed 2019", (Field("date", "2019", 5, 9, 0.5),), 0.5), 7, colour=False))
      7  Reed [date? 2019]
    """
    head = f"{number:3}  "
    if parsed.error is not None:
        text = safe(parsed.text[:200])
        return f"{head}{_paint(text, 2, colour)} {_paint('✗ ' + parsed.error, 31, colour)}".replace("  ✗", " ✗")
    lines = [head + marked(parsed.text, parsed.fields, colour)]
    for place, other in enumerate(parsed.alternatives, start=2):
        lead = _paint(f"     {place}. {other.confidence:.2f} ", 2, colour)
        lines.append(lead + marked(other.text or parsed.text, other.fields, colour))
    if parsed.change:
        lines.append(_paint("   was ", 2, colour) + marked(parsed.text, parsed.change.before, colour))
        told = [f"{text} (saves {saved:.2f})" for text, saved in parsed.change.because]
        lines.append(_paint("   now, for the sake of  " + "; ".join(told), 2, colour))
    return "\n".join(lines)


def legend(labels: Iterable[str]) -> str:
    """One line that names the colour of each top-level field."""
    order = {name: place for place, name in enumerate(_COLOURS)}
    names = sorted({_top(label) for label in labels}, key=lambda name: (order.get(name, len(order)), name))
    shown = [_field(name, name, sure=True, colour=True) for name in names]
    return "     " + " ".join([*shown, _field("", f"unsure (< {DOUBTFUL})", sure=False, colour=True)])


def marked(text: str, fields: Sequence[Field], colour: bool) -> str:
    """The text with its outermost fields marked; a field within a field shows only in the JSON."""
    pieces, place = [], 0
    for field in sorted(fields, key=lambda field: (field.start, -field.end)):
        if field.start < place:
            continue
        pieces.append(_paint(safe(text[place : field.start]), 2, colour))
        shown = safe(text[field.start : field.end])
        pieces.append(_field(_top(field.label), shown, sure=field.confidence >= DOUBTFUL, colour=colour))
        place = field.end
    return "".join([*pieces, _paint(safe(text[place:]), 2, colour)])


def painted(field: Field, colour: bool) -> str:
    """The text of a field in the colour of its label, or as it is where there is no colour."""
    shown = safe(field.text)
    return _field(field.label, shown, sure=field.confidence >= DOUBTFUL, colour=True) if colour else shown


def _field(label: str, text: str, *, sure: bool, colour: bool) -> str:
    if not colour:
        return f"[{label}{'' if sure else '?'} {text}]"
    code = _COLOURS.get(label) or _SPARE[sum(map(ord, label)) % len(_SPARE)]
    paint = f"38;5;{code}" if label else "39"
    return f"\x1b[{paint}{'' if sure else ';4'}m{text}\x1b[0m"


def _paint(text: str, code: int, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def _top(label: str) -> str:
    return label.partition("/")[0]


def safe(text: str) -> str:
    """The text without what would command a terminal, and without what no terminal can show."""
    return text.translate(_SAFE).encode("utf-8", "backslashreplace").decode("utf-8")
