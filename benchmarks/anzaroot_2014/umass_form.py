"""Convert strings to the format of flat UMass.

Flat UMass was derived from the nested set by rules, which a comparison of their train and dev strings shows:

- Only fields are left, with the punctuation that follows them and the brackets and quotes that open them: what joins
  and introduces fields ("and", "et al.", "In:", "(eds.),"), numbers in the list and identifiers are gone. "pp." and
  the like stay, being within fields there.
- A person is followed by a comma, put there where none was: `Reed, A. (1980)` is `Reed , A. , ( 1980 )`. Where a full
  stop ends the list, there is none.
- A field ends before its punctuation; the full stop of an abbreviation is punctuation, but that of a last initial
  belongs to a person. So `J. Bog Res. 12` has the journal `J. Bog Res`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from random import Random

from ibidem.text.fold import hash32
from ibidem.types import Annotation, Example, Token

PERSONS = frozenset({"author", "editor"})
_COUNTED = frozenset({"volume", "number", "pages", "chapter", "edition"})
_COUNTING = frozenset(
    "pp p pages page vol vols volume v no nr nos number issue num art article chap chapter ch paper".split()
)
_EDITION = frozenset({"ed", "edn", "edition"})
_STATUS = frozenset({"appear", "press", "submitted", "accepted", "forthcoming", "preparation"})
_REPLACED = {"“": "``", "”": "``", '"': "``", "–": "--", "—": "--", "’": "'", "‘": "`"}
# UMass has two tokenisations: four strings in five keep "J." together, and "12-19", and "``".
_TOKEN = re.compile(
    r"Ph\.D|[A-Z]\.-[A-Z](?=\.)|(?<![^\W\d_])[A-Z]\.(?![a-z\d])|\d+\.\d+|['’]s\b|"
    r"[\w/](?:(?:[\w/+=*\-]|['’](?!s\b))*[\w/+])?|[^\w\s]"
)
_SMALL_TOKEN = re.compile(r"\w+|[^\w\s]")
_SMALLEST_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_SMALL = 5  # every fifth string has the other tokenisation
_NUMBERED = 11  # every eleventh keeps the full stop of its number in the list
_BROKEN = 16  # every sixteenth has a word that was hyphenated at the end of a line
_BREAKABLE = re.compile(r"[^\W\d_]{6,}\Z")
_INITIAL, _WITH_DOT = re.compile(r"[^\W\d_]\Z"), re.compile(r"[^\W\d_]\.\Z")
_OPENING = frozenset({"(", "[", "``", "`", "'"})
_QUOTES = frozenset({"``", "''", "'", "`"})
_CLOSING = frozenset({",", ";", ":", ".", ")", "]"}) | _QUOTES
_PAIRS = {")": "(", "]": "["}
_FOREIGN = 0.1  # share of letters beyond Latin above which a string is left out


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word or punctuation mark, and the number of the field that it is in."""

    text: str
    field: int | None = None
    omitted: bool = False  # within what UMass leaves out


def convert(example: Example, fields: Sequence[Annotation], omitted: Sequence[Annotation]) -> Example | None:
    """Return the example in UMass's format, or None where that is not possible.

    `fields` are in UMass's labels and in order, `omitted` is what UMass leaves out. Strings without fields, with
    overlapping fields, and mostly in other scripts than Latin give None.
    """
    text = example.text
    if not fields or any(one.end > other.start for one, other in pairwise(fields)):
        return None
    if sum(c.isalpha() and c > "\u024f" for c in text) > _FOREIGN * len(text):
        return None
    number = hash32(text)
    small = number % _SMALL == 0
    pieces = _arrange(list(_tokenise(text, fields, omitted, small)), [field.label for field in fields])
    if number % _NUMBERED == 1:
        pieces.insert(0, _Piece("."))
    if number % _BROKEN == 2:
        pieces = _hyphenate(pieces, Random(number))
    if small:
        pieces = [replace(piece, text=part) for piece in pieces for part in _split_small(piece.text)]
    return _example(example.source, pieces, [field.label for field in fields])


def _tokenise(text: str, fields: Sequence[Annotation], omitted: Sequence[Annotation], small: bool) -> Iterator[_Piece]:
    number = 0
    for match in (_SMALL_TOKEN if small else _TOKEN).finditer(text):
        start = match.start()
        while number < len(fields) and fields[number].end <= start:
            number += 1
        inside = number < len(fields) and match.end() > fields[number].start
        left_out = not inside and any(annotation.start <= start < annotation.end for annotation in omitted)
        word = match.group()
        yield _Piece(_REPLACED.get(word, word), number if inside else None, left_out)


def _arrange(pieces: Sequence[_Piece], labels: Sequence[str]) -> list[_Piece]:
    """Return the fields and what remains of the text between them."""
    found: list[_Piece] = []
    before, gap = "", list[_Piece]()
    for number, run in groupby(_attach_dots(pieces, labels), key=lambda piece: piece.field):
        if number is None:
            gap += run
            continue
        label = labels[number]
        opened, inside, closed = _strip(list(run), label)
        gap += opened
        if inside:
            found += _between(gap, found, before, label)
            found += inside
            before, gap = label, closed
        else:
            gap += closed
    return found + _between(gap, found, before, "")


def _attach_dots(pieces: Sequence[_Piece], labels: Sequence[str]) -> Iterator[_Piece]:
    """Yield the pieces with the full stop after the last initial of a person inside the person."""
    last: _Piece | None = None
    for piece in pieces:
        ends = piece.field is None and piece.text == "." and last is not None and _INITIAL.match(last.text)
        if ends and last is not None and last.field is not None and labels[last.field] in PERSONS:
            piece = replace(piece, field=last.field)
        yield piece
        last = piece


def _strip(run: list[_Piece], label: str) -> tuple[list[_Piece], list[_Piece], list[_Piece]]:
    """Split a run into what opens a field, the field, and what closes it."""
    texts = [piece.text for piece in run]
    first, last = 0, len(run)
    while first < last and texts[first] in _OPENING | _CLOSING:
        first += 1
    while first < last and _closes(texts[first:last], label):
        last -= 1
    free = [replace(piece, field=None) for piece in run]
    return free[:first], run[first:last], free[last:]


def _closes(texts: Sequence[str], label: str) -> bool:
    """Return whether the last token of a field is punctuation outside of it."""
    last = texts[-1]
    if last == "." and label in PERSONS:
        return len(texts) < 2 or not _INITIAL.match(texts[-2])
    if last in _PAIRS:
        return texts.count(_PAIRS[last]) < texts.count(last)
    return last in _CLOSING


def _between(gap: Sequence[_Piece], found: list[_Piece], before: str, after: str) -> list[_Piece]:
    """Return what remains between two fields; the last word found loses a full stop that ends its field."""
    closing = _CLOSING - _QUOTES if before in PERSONS else _CLOSING  # quotes after persons open a title
    head = list(takewhile(lambda piece: piece.text in closing and not piece.omitted, gap)) if before else []
    tail = list(takewhile(lambda piece: piece.text in _OPENING and not piece.omitted, reversed(gap[len(head) :])))[::-1]
    if not before:
        return tail
    middle = gap[len(head) : len(gap) - len(tail)]
    signs = [piece.text for piece in head]
    if before in PERSONS and "," not in signs and signs[:1] != ["."]:
        head.append(_Piece(","))
    elif before not in PERSONS and signs[:1] != [","] and _WITH_DOT.match(found[-1].text):
        found[-1] = replace(found[-1], text=found[-1].text[:-1])
        head.insert(0, _Piece("."))
    return head + _words(middle, before, after) + tail


def _words(middle: Sequence[_Piece], before: str, after: str) -> list[_Piece]:
    """Return the words that remain between two fields: publication status, or "pp.", "vol." and the like."""
    words = [piece.text.lower() for piece in middle]
    if _STATUS.intersection(words):
        return [piece for piece in middle if not piece.omitted]
    found: list[_Piece] = []
    if before == "edition" and words and words[0] in _EDITION:
        found += [middle[0], *takewhile(lambda piece: piece.text in _CLOSING, middle[1:])]
    if after in _COUNTED:
        counting = [place for place, word in enumerate(words) if place >= len(found) and word in _COUNTING]
        if counting:
            begin = counting[0] - (counting[0] > len(found) and words[counting[0] - 1] in _OPENING)
            found += middle[begin:]
    return found


def _hyphenate(pieces: Sequence[_Piece], generator: Random) -> list[_Piece]:
    """Break a long word of a field in two."""
    long = [place for place, piece in enumerate(pieces) if piece.field is not None and _BREAKABLE.match(piece.text)]
    if not long:
        return list(pieces)
    place = generator.choice(long)
    piece, cut = pieces[place], generator.randint(3, len(pieces[place].text) - 3)
    parts = replace(piece, text=piece.text[:cut] + "-"), replace(piece, text=piece.text[cut:])
    return [*pieces[:place], *parts, *pieces[place + 1 :]]


def _split_small(text: str) -> list[str]:
    """Split a word as the other tokenisation does: letters beyond ASCII appear as the characters of their bytes."""
    found: list[str] = _SMALLEST_TOKEN.findall(text.encode().decode("cp1252", "ignore"))
    return found


def _example(source: str, pieces: Sequence[_Piece], labels: Sequence[str]) -> Example | None:
    tokens: list[Token] = []
    places: dict[int, tuple[int, int]] = {}
    start = 0
    for piece in pieces:
        tokens.append(Token(piece.text, start, start + len(piece.text)))
        if piece.field is not None:
            places[piece.field] = places.get(piece.field, (start, 0))[0], start + len(piece.text)
        start += len(piece.text) + 1
    annotations = tuple(Annotation(labels[number], *place) for number, place in places.items())
    return (
        Example(" ".join(token.text for token in tokens), annotations, source, tuple(tokens)) if annotations else None
    )
