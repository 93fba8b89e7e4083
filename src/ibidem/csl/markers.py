"""Labels as pairs of private-use characters around text: they pass through every step of rendering and become marks."""

from __future__ import annotations

import re

from ibidem.csl.markup import without_looks
from ibidem.labels.schema import SCHEMA, UNKNOWN
from ibidem.types import Annotation, Example

_FIRST, _LAST = "\ue000", "\uf8ff"
_LABELS = (*SCHEMA, UNKNOWN)
_OPEN = {label: chr(ord(_FIRST) + 2 * number) for number, label in enumerate(_LABELS)}
_CLOSE = {label: chr(ord(_FIRST) + 2 * number + 1) for number, label in enumerate(_LABELS)}
_ANY = re.compile(f"[{_FIRST}-{_LAST}]")
_PIECES = re.compile(f"([{_FIRST}-{_LAST}])")
_BLANKS = re.compile(r"\s+")
_LETTER = re.compile(r"[^\W_]")
_DROPPED = frozenset(" .,;:!?")  # of two of a kind at a seam, one goes
_SWALLOWED = {"!": ".:", "?": ".:", ":": ".", ";": ".:"}  # what is needless after each


def wrapped(label: str, text: str) -> str:
    """The text between the two characters of its label; text without a label, or no text, as it is."""
    return f"{_OPEN[label]}{text}{_CLOSE[label]}" if label and text else text


def unmarked(text: str) -> str:
    """The text without private-use characters, so that none of it can be taken for a label."""
    return text if text.isascii() else _ANY.sub("", text)


def is_marker(character: str) -> bool:
    """Whether the character stands for the beginning or end of a label."""
    return _FIRST <= character <= _LAST


def glue(left: str, right: str) -> str:
    """Two rendered pieces as one: neither two blanks nor the same punctuation twice where they meet.

    >>> glue("On things.", ". 2019"), glue("Why?", ". 2019")
    ('On things. 2019', 'Why? 2019')
    """
    if not left or not right:
        return left + right
    end, start = len(left) - 1, 0
    while end > 0 and _FIRST <= left[end] <= _LAST:
        end -= 1
    while start < len(right) - 1 and _FIRST <= right[start] <= _LAST:
        start += 1
    last, first = left[end], right[start]
    if last == " " and first in ",." and end > 0:
        return glue(left[:end] + left[end + 1 :], right)
    if (last == first and first in _DROPPED) or first in _SWALLOWED.get(last, ""):
        return left + right[:start] + right[start + 1 :]
    return left + right


def joined(pieces: list[str], delimiter: str) -> str:
    """The pieces that are not empty, glued with the delimiter between them."""
    result = ""
    for piece in pieces:
        if piece:
            result = glue(glue(result, delimiter), piece) if result else piece
    return result


def first_letter(text: str) -> int:
    """The place of the first character that is no marker; the length where there is none."""
    return next((place for place, character in enumerate(text) if not is_marker(character)), len(text))


def read_out(rendered: str, source: str) -> Example:
    """The example that a rendered string stands for: its text, blanks made one, and its marks, parents first.

    >>> read_out(wrapped("title", "On  things") + ".", "x").annotations
    (Annotation(label='title', start=0, end=9),)
    """
    pieces: list[str] = []
    length = 0
    opened: dict[str, list[int]] = {}
    found: list[Annotation] = []
    for part in _PIECES.split(without_looks(rendered)):
        if len(part) == 1 and is_marker(part):
            number, closes = divmod(ord(part) - ord(_FIRST), 2)
            if number < len(_LABELS):
                label = _LABELS[number]
                if not closes:
                    opened.setdefault(label, []).append(length)
                elif opened.get(label):
                    found.append(Annotation(label, opened[label].pop(), length))
        elif part:
            plain = _BLANKS.sub(" ", part)
            if plain[0] == " " and (not length or pieces[-1].endswith(" ")):
                plain = plain[1:]
            if plain:
                pieces.append(plain)
                length += len(plain)
    text = "".join(pieces).rstrip()
    return Example(text, _settled(found, text), source)


def _settled(found: list[Annotation], text: str) -> tuple[Annotation, ...]:
    """The marks without blanks at their edges, parents first; empty ones and parts without a parent are left out."""
    trimmed = []
    for annotation in found:
        start, end = annotation.start, min(annotation.end, len(text))
        while start < end and text[start] == " ":
            start += 1
        while start < end and text[end - 1] == " ":
            end -= 1
        if annotation.label == "marker":
            start, end = _whole_word(text, start, end)
        if _LETTER.search(text, start, end):
            trimmed.append(Annotation(annotation.label, start, end))
    trimmed.sort(key=lambda annotation: (annotation.start, -annotation.end, annotation.label.count("/")))
    kept: list[Annotation] = []
    newest: dict[str, Annotation] = {}
    end_of_fields = 0
    for annotation in trimmed:
        above = annotation.label.rpartition("/")[0]
        outer = newest.get(above)
        if above and not (outer and outer.start <= annotation.start and annotation.end <= outer.end):
            continue
        if not above:
            if annotation.start < end_of_fields:
                continue  # a field inside another field
            end_of_fields = annotation.end
        kept.append(annotation)
        newest[annotation.label] = annotation
    return tuple(kept)


def _whole_word(text: str, start: int, end: int) -> tuple[int, int]:
    """A number before the reference with the brackets or the full stop around it."""
    while start > 0 and text[start - 1] in "[(":
        start -= 1
    while end < len(text) and text[end] in ".)]":
        end += 1
    return start, end
