"""Labels as pairs of private-use characters around text, which pass through rendering and become annotations."""

from __future__ import annotations

import re

from ibidem.csl.markup import strip_fonts
from ibidem.labels.schema import SCHEMA, UNKNOWN
from ibidem.types import Annotation, Example

_FIRST, _LAST = "\ue000", "\uf8ff"
_LABELS = (*SCHEMA, UNKNOWN)
_OPEN = {label: chr(ord(_FIRST) + 2 * number) for number, label in enumerate(_LABELS)}
_CLOSE = {label: chr(ord(_FIRST) + 2 * number + 1) for number, label in enumerate(_LABELS)}
_ANY = re.compile(f"[{_FIRST}-{_LAST}]")
_PIECES = re.compile(f"([{_FIRST}-{_LAST}])")
_WHITESPACE = re.compile(r"\s+")
_LETTER = re.compile(r"[^\W_]")
_DROPPED = frozenset(" .,;:!?")  # of two of a kind at a seam, one goes
_LONG, _TAIL = 1_000, 100  # characters joined so far beyond which only the last are looked at
_SWALLOWED = {"!": ".:", "?": ".:", ":": ".", ";": ".:"}  # what is needless after each


def wrap(label: str, text: str) -> str:
    """Put the two characters of a label around a text; text without a label, or no text, stays as it is."""
    if not label or not text:
        return text
    known = label if label in _OPEN else UNKNOWN  # a field that was added from outside has no label of the schema
    return f"{_OPEN[known]}{text}{_CLOSE[known]}"


def strip_markers(text: str) -> str:
    """Strip private-use characters from a text, so that none of it can be taken for a label."""
    return text if text.isascii() else _ANY.sub("", text)


def is_marker(character: str) -> bool:
    """Whether the character stands for the beginning or end of a label."""
    return _FIRST <= character <= _LAST


def glue(left: str, right: str) -> str:
    """Join two rendered pieces: neither two spaces nor the same punctuation twice where they meet.

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


def join(pieces: list[str], delimiter: str) -> str:
    """Join the pieces that are not empty with the delimiter between them."""
    done: list[str] = []
    result = ""
    for piece in pieces:
        if piece:
            result = glue(glue(result, delimiter), piece) if result else piece
            # What lies further back than the punctuation at the end is put aside, lest it be copied with every piece.
            if len(result) > _LONG and len(strip_markers(result[-_TAIL:]).replace(" ", "")) > 1:
                done.append(result[:-_TAIL])
                result = result[-_TAIL:]
    return "".join(done) + result


def read_example(rendered: str, source: str) -> Example:
    """Return the example that a rendered string stands for: its text, whitespace collapsed, and its annotations.

    >>> read_example(wrap("title", "On  things") + ".", "x").annotations
    (Annotation(label='title', start=0, end=9),)
    """
    pieces: list[str] = []
    length = 0
    opened: dict[str, list[int]] = {}
    found: list[Annotation] = []
    for part in _PIECES.split(strip_fonts(rendered)):
        if len(part) == 1 and is_marker(part):
            number, closes = divmod(ord(part) - ord(_FIRST), 2)
            if number < len(_LABELS):
                label = _LABELS[number]
                if not closes:
                    opened.setdefault(label, []).append(length)
                elif opened.get(label):
                    found.append(Annotation(label, opened[label].pop(), length))
        elif part:
            plain = _WHITESPACE.sub(" ", part)
            if plain[0] == " " and (not length or pieces[-1].endswith(" ")):
                plain = plain[1:]
            if plain:
                pieces.append(plain)
                length += len(plain)
    text = "".join(pieces).rstrip()
    return Example(text, _settle(found, text), source)


def _settle(found: list[Annotation], text: str) -> tuple[Annotation, ...]:
    """Trim the annotations and sort them, parents first; leave out empty ones and parts without a parent."""
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
    """Extend a number before the reference to the brackets or the full stop around it."""
    while start > 0 and text[start - 1] in "[(":
        start -= 1
    while end < len(text) and text[end] in ".)]":
        end += 1
    return start, end
