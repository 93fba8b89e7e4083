"""Author and affiliation lines out of the sets that have headers, names or affiliations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibidem.data.author_headers.cut import byline_of
from ibidem.data.author_headers.render import Header, rendered
from ibidem.data.author_headers.rules import is_symbol
from ibidem.data.readers.elife import read_elife_front
from ibidem.data.readers.papers import read_headers
from ibidem.data.readers.tei import read_grobid_affiliations, read_grobid_headers, read_grobid_names
from ibidem.text.fold import fold
from ibidem.text.tokens import tokenise
from ibidem.types import Annotation, Example, Malformed, Token

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
    parts: list[list[Annotation]] = []
    for annotation in example.annotations:
        name = annotation.label.rpartition("/")[2]
        if name == "persName":
            parts.append([])
        elif name in _NAME_PARTS and parts:
            parts[-1].append(annotation)
    annotations = [Annotation("author", min(m.start for m in each), max(m.end for m in each)) for each in parts if each]
    annotations = [_with_stop(annotation, example.text) for annotation in annotations]
    inside = [annotation for annotation in example.annotations if annotation.label.rpartition("/")[2] == "marker"]
    for token in tokenise(example.text):
        if not any(annotation.start <= token.start < annotation.end for annotation in annotations):
            marker = any(annotation.start <= token.start < annotation.end for annotation in inside)
            annotations += _between(token, marker)
    return Example(example.text, tuple(sorted(annotations, key=lambda annotation: annotation.start)), example.source)


def _with_stop(annotation: Annotation, text: str) -> Annotation:
    """The mark with the full stop of an initial that ends it."""
    stop = text[annotation.end : annotation.end + 1] == "." and text[annotation.end - 2 : annotation.end - 1] in " ."
    return Annotation(annotation.label, annotation.start, annotation.end + stop)


def _between(token: Token, marker: bool) -> list[Annotation]:
    """The mark of a token between names, if it has one."""
    if fold(token.text) in _AND and not (marker and token.text.isalpha()):
        return [Annotation("separator", token.start, token.end)]
    return [Annotation("symbol", token.start, token.end)] if marker or is_symbol(token) else []


def read_grobid_affiliation_lines(path: Path, under: str = "corpus/") -> Iterator[Example | Malformed]:
    """GROBID's affiliations: the marker before one is a symbol, all the rest of it the affiliation."""
    for item in read_grobid_affiliations(path, under):
        yield item if isinstance(item, Malformed) else _affiliation(item)


def _affiliation(example: Example) -> Example:
    markers = [annotation for annotation in example.annotations if annotation.label.rpartition("/")[2] == "marker"]
    others = [annotation for annotation in example.annotations if annotation.label.rpartition("/")[2] != "marker"]
    annotations = [
        Annotation("symbol", token.start, token.end)
        for annotation in markers
        for token in tokenise(example.text)
        if annotation.start <= token.start < annotation.end and token.text not in ",.();"
    ]
    if others:
        start, end = min(annotation.start for annotation in others), max(annotation.end for annotation in others)
        while end > start and example.text[end - 1] in " ,;.":
            end -= 1
        annotations = [annotation for annotation in annotations if annotation.end <= start or annotation.start >= end]
        annotations.append(Annotation("affiliation", start, end))
    return Example(example.text, tuple(sorted(annotations, key=lambda annotation: annotation.start)), example.source)


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
