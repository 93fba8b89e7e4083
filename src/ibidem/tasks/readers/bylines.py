"""Author and affiliation lines out of the sets that have headers, names or affiliations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibidem.tasks.bylines.cut import byline_of
from ibidem.tasks.bylines.render import Header, rendered
from ibidem.tasks.bylines.rules import is_symbol
from ibidem.tasks.readers.elife import read_elife_front
from ibidem.tasks.readers.papers import read_headers
from ibidem.tasks.readers.tei import read_grobid_affiliations, read_grobid_headers, read_grobid_names
from ibidem.text.fold import fold
from ibidem.text.tokens import tokenise
from ibidem.types import Example, Malformed, Mark, Token

_NAME_PARTS = ("forename", "middlename", "surname", "suffix")
_AND = frozenset(", ; & and und et y e".split())


def read_header_bylines(path: Path) -> Iterator[Example | Malformed]:
    """The author and affiliation lines of the headers of papers; headers that name no author are left out."""
    yield from _cut(read_headers(path))


def read_grobid_bylines(path: Path) -> Iterator[Example | Malformed]:
    """The author and affiliation lines of GROBID's headers; headers that name no author are left out."""
    yield from _cut(read_grobid_headers(path))


def _cut(items: Iterator[Example | Malformed]) -> Iterator[Example | Malformed]:
    for item in items:
        found = item if isinstance(item, Malformed) else byline_of(item, item.source)
        if found is not None:
            yield found


def read_grobid_author_lists(path: Path) -> Iterator[Example | Malformed]:
    """GROBID's lists of names in headers: names and markers as they are marked, the words between them by rule."""
    for item in read_grobid_names(path, "grobid-name-header"):
        yield item if isinstance(item, Malformed) else _names(item)


def _names(example: Example) -> Example:
    parts: list[list[Mark]] = []
    for mark in example.marks:
        name = mark.label.rpartition("/")[2]
        if name == "persName":
            parts.append([])
        elif name in _NAME_PARTS and parts:
            parts[-1].append(mark)
    marks = [Mark("author", min(m.start for m in each), max(m.end for m in each)) for each in parts if each]
    marks = [_with_stop(mark, example.text) for mark in marks]
    inside = [mark for mark in example.marks if mark.label.rpartition("/")[2] == "marker"]
    for token in tokenise(example.text):
        if not any(mark.start <= token.start < mark.end for mark in marks):
            marker = any(mark.start <= token.start < mark.end for mark in inside)
            marks += _between(token, marker)
    return Example(example.text, tuple(sorted(marks, key=lambda mark: mark.start)), example.source)


def _with_stop(mark: Mark, text: str) -> Mark:
    """The mark with the full stop of an initial that ends it."""
    stop = text[mark.end : mark.end + 1] == "." and text[mark.end - 2 : mark.end - 1] in " ."
    return Mark(mark.label, mark.start, mark.end + stop)


def _between(token: Token, marker: bool) -> list[Mark]:
    """The mark of a token between names, if it has one."""
    if fold(token.text) in _AND and not (marker and token.text.isalpha()):
        return [Mark("separator", token.start, token.end)]
    return [Mark("symbol", token.start, token.end)] if marker or is_symbol(token) else []


def read_grobid_affiliation_lines(path: Path, under: str = "corpus/") -> Iterator[Example | Malformed]:
    """GROBID's affiliations: the marker before one is a symbol, all the rest of it the affiliation."""
    for item in read_grobid_affiliations(path, under):
        yield item if isinstance(item, Malformed) else _affiliation(item)


def _affiliation(example: Example) -> Example:
    markers = [mark for mark in example.marks if mark.label.rpartition("/")[2] == "marker"]
    others = [mark for mark in example.marks if mark.label.rpartition("/")[2] != "marker"]
    marks = [
        Mark("symbol", token.start, token.end)
        for mark in markers
        for token in tokenise(example.text)
        if mark.start <= token.start < mark.end and token.text not in ",.();"
    ]
    if others:
        start, end = min(mark.start for mark in others), max(mark.end for mark in others)
        while end > start and example.text[end - 1] in " ,;.":
            end -= 1
        marks = [mark for mark in marks if mark.end <= start or mark.start >= end]
        marks.append(Mark("affiliation", start, end))
    return Example(example.text, tuple(sorted(marks, key=lambda mark: mark.start)), example.source)


def read_elife_headers(path: Path) -> Iterator[Header | Malformed]:
    """The headers rendered from eLife's records of authors and affiliations, with their links."""
    for number, record in enumerate(read_elife_front(path), 1):
        if isinstance(record, Malformed):
            yield record
            continue
        found = rendered(record, f"elife-bylines:{record.get('doc', number)}")
        if found is not None:
            yield found


def read_elife_bylines(path: Path) -> Iterator[Example | Malformed]:
    """The headers rendered from eLife's records of authors and affiliations."""
    for item in read_elife_headers(path):
        yield item if isinstance(item, Malformed) else item.example
