"""Strings in the form that flat UMass has its own in.

Flat UMass was made from the nested set by rule: with both side by side, its train and dev strings show how.

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
_DRAWN = {"“": "``", "”": "``", '"': "``", "–": "--", "—": "--", "’": "'", "‘": "`"}
# UMass has two ways to cut: four strings in five keep "J." together, and "12-19", and "``".
_TOKEN = re.compile(
    r"Ph\.D|[A-Z]\.-[A-Z](?=\.)|(?<![^\W\d_])[A-Z]\.(?![a-z\d])|\d+\.\d+|['’]s\b|"
    r"[\w/](?:(?:[\w/+=*\-]|['’](?!s\b))*[\w/+])?|[^\w\s]"
)
_SMALL_TOKEN = re.compile(r"\w+|[^\w\s]")
_SMALLEST_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_SMALL = 5  # one string in so many is cut the other way
_NUMBERED = 11  # one in so many has kept the full stop of its number in the list
_BROKEN = 16  # one in so many has a word that was broken at the end of a line
_BREAKABLE = re.compile(r"[^\W\d_]{6,}\Z")
_INITIAL, _WITH_DOT = re.compile(r"[^\W\d_]\Z"), re.compile(r"[^\W\d_]\.\Z")
_OPENING = frozenset({"(", "[", "``", "`", "'"})
_QUOTES = frozenset({"``", "''", "'", "`"})
_CLOSING = frozenset({",", ";", ":", ".", ")", "]"}) | _QUOTES
_PAIRS = {")": "(", "]": "["}
_FOREIGN = 0.1  # share of letters beyond Latin above which a string is left out


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word or a sign, and the number of the field that it is in."""

    text: str
    field: int | None = None
    gone: bool = False  # within what UMass leaves out


def in_form(example: Example, fields: Sequence[Annotation], gone: Sequence[Annotation]) -> Example | None:
    """The example in that form; None where it cannot have it.

    `fields` are in UMass's labels and in order, `gone` is what it leaves out. Strings without fields, with fields that
    overlap, and those mostly in other scripts than Latin are left out.
    """
    text = example.text
    if not fields or any(one.end > other.start for one, other in pairwise(fields)):
        return None
    if sum(c.isalpha() and c > "\u024f" for c in text) > _FOREIGN * len(text):
        return None
    number = hash32(text)
    small = number % _SMALL == 0
    pieces = _arranged(list(_cut(text, fields, gone, small)), [field.label for field in fields])
    if number % _NUMBERED == 1:
        pieces.insert(0, _Piece("."))
    if number % _BROKEN == 2:
        pieces = _broken(pieces, Random(number))
    if small:
        pieces = [replace(piece, text=part) for piece in pieces for part in _smallest(piece.text)]
    return _example(example.source, pieces, [field.label for field in fields])


def _cut(text: str, fields: Sequence[Annotation], gone: Sequence[Annotation], small: bool) -> Iterator[_Piece]:
    number = 0
    for match in (_SMALL_TOKEN if small else _TOKEN).finditer(text):
        start = match.start()
        while number < len(fields) and fields[number].end <= start:
            number += 1
        inside = number < len(fields) and match.end() > fields[number].start
        left_out = not inside and any(annotation.start <= start < annotation.end for annotation in gone)
        word = match.group()
        yield _Piece(_DRAWN.get(word, word), number if inside else None, left_out)


def _arranged(pieces: Sequence[_Piece], labels: Sequence[str]) -> list[_Piece]:
    """The fields, and what stays of that between them."""
    found: list[_Piece] = []
    before, gap = "", list[_Piece]()
    for number, run in groupby(_with_dots(pieces, labels), key=lambda piece: piece.field):
        if number is None:
            gap += run
            continue
        label = labels[number]
        opened, inside, closed = _stripped(list(run), label)
        gap += opened
        if inside:
            found += _between(gap, found, before, label)
            found += inside
            before, gap = label, closed
        else:
            gap += closed
    return found + _between(gap, found, before, "")


def _with_dots(pieces: Sequence[_Piece], labels: Sequence[str]) -> Iterator[_Piece]:
    """The pieces; the full stop after the last initial of a person belongs to it."""
    last: _Piece | None = None
    for piece in pieces:
        ends = piece.field is None and piece.text == "." and last is not None and _INITIAL.match(last.text)
        if ends and last is not None and last.field is not None and labels[last.field] in PERSONS:
            piece = replace(piece, field=last.field)
        yield piece
        last = piece


def _stripped(run: list[_Piece], label: str) -> tuple[list[_Piece], list[_Piece], list[_Piece]]:
    """What opens a field, the field, and what closes it."""
    texts = [piece.text for piece in run]
    first, last = 0, len(run)
    while first < last and texts[first] in _OPENING | _CLOSING:
        first += 1
    while first < last and _closes(texts[first:last], label):
        last -= 1
    free = [replace(piece, field=None) for piece in run]
    return free[:first], run[first:last], free[last:]


def _closes(texts: Sequence[str], label: str) -> bool:
    """Whether the last of the words of a field does not belong to it."""
    last = texts[-1]
    if last == "." and label in PERSONS:
        return len(texts) < 2 or not _INITIAL.match(texts[-2])
    if last in _PAIRS:
        return texts.count(_PAIRS[last]) < texts.count(last)
    return last in _CLOSING


def _between(gap: Sequence[_Piece], found: list[_Piece], before: str, after: str) -> list[_Piece]:
    """What stays between two fields; the last word found loses a full stop that ends its field."""
    closing = _CLOSING - _QUOTES if before in PERSONS else _CLOSING  # quotes after persons open a title
    head = list(takewhile(lambda piece: piece.text in closing and not piece.gone, gap)) if before else []
    tail = list(takewhile(lambda piece: piece.text in _OPENING and not piece.gone, reversed(gap[len(head) :])))[::-1]
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
    """What stays of words between two fields, with their punctuation: what is not yet out, or counts something."""
    words = [piece.text.lower() for piece in middle]
    if _STATUS.intersection(words):
        return [piece for piece in middle if not piece.gone]
    found: list[_Piece] = []
    if before == "edition" and words and words[0] in _EDITION:
        found += [middle[0], *takewhile(lambda piece: piece.text in _CLOSING, middle[1:])]
    if after in _COUNTED:
        counting = [place for place, word in enumerate(words) if place >= len(found) and word in _COUNTING]
        if counting:
            begin = counting[0] - (counting[0] > len(found) and words[counting[0] - 1] in _OPENING)
            found += middle[begin:]
    return found


def _broken(pieces: Sequence[_Piece], chance: Random) -> list[_Piece]:
    """The pieces with a long word of a field in two."""
    long = [place for place, piece in enumerate(pieces) if piece.field is not None and _BREAKABLE.match(piece.text)]
    if not long:
        return list(pieces)
    place = chance.choice(long)
    piece, cut = pieces[place], chance.randint(3, len(pieces[place].text) - 3)
    parts = replace(piece, text=piece.text[:cut] + "-"), replace(piece, text=piece.text[cut:])
    return [*pieces[:place], *parts, *pieces[place + 1 :]]


def _smallest(text: str) -> list[str]:
    """A word as the other way of cutting has it: letters beyond ASCII are there as the signs of their bytes."""
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
