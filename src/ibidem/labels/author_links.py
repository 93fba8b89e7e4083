"""Links between authors and affiliations: by common symbols, or by order.

A symbol belongs to the name before it, to the affiliation right after it, or, at the start of a line with a note, to
neither. An author is linked to every affiliation with one of its symbols. If no affiliation shares a symbol with an
author, order decides: authors belong to the affiliations between them and the next authors. Where order is ambiguous
(two authors, three affiliations) nothing is linked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ibidem.types import Field, Link, Parsed

_BRACKETS = "()[]{}.,:;'`´^ \n\t"
_MAX_CARRIERS = 20  # affiliations with the same symbol
_MAX_LINKS = 10_000  # in one block
_MAX_LINE = 200  # characters of a line that are examined
_VARIANTS = {"∗": "*", "⁎": "*", "＊": "*", "✝": "†", "║": "‖", "∥": "‖"}


def with_links(parsed: Parsed) -> Parsed:
    """Return the parsed header with the links between its authors and affiliations."""
    return replace(parsed, links=links_of(parsed.text, parsed.fields))


def links_of(text: str, fields: Sequence[Field]) -> tuple[Link, ...]:
    """Return the links between the authors and affiliations among the fields, by author and then by affiliation.

    >>> places = [("author", 0, 3), ("symbol", 3, 4), ("symbol", 5, 6), ("affiliation", 6, 9)]
    >>> links_of("Ann1\\n1 Bog", [Field(label, "", start, end, 1.0) for label, start, end in places])
    (Link(author=0, affiliation=3, by='symbol'),)
    """
    found = _find_named(text, fields)
    authors = [one for one in found if one.label == "author"]
    affiliations = [one for one in found if one.label == "affiliation"]
    links = _by_symbol(authors, affiliations)
    linked = {link.author for link in links}
    if links and len(affiliations) > 1:  # authors without a symbol belong to the only affiliation without one
        bare = [one for one in affiliations if not one.symbols]
        left = [author for author in authors if author.place not in linked and not author.symbols]
        links += [Link(author.place, bare[0].place, "order") for author in left if len(bare) == 1]
    elif len(affiliations) == 1:
        links += [Link(one.place, affiliations[0].place, "order") for one in authors if one.place not in linked]
    elif not links:
        links += _by_order(found)
    return tuple(sorted(links))


@dataclass(frozen=True, slots=True)
class _Named:
    """An author or an affiliation: its index among the fields, and its symbols."""

    label: str
    place: int
    symbols: frozenset[str]


def _by_symbol(authors: Sequence[_Named], affiliations: Sequence[_Named]) -> list[Link]:
    """Link authors and affiliations with a common symbol, unless very many affiliations have it."""
    carriers: dict[str, list[int]] = {}
    for one in affiliations:
        for symbol in one.symbols:
            carriers.setdefault(symbol, []).append(one.place)
    found = {
        Link(author.place, place, "symbol")
        for author in authors
        for symbol in author.symbols
        if len(carriers.get(symbol, ())) <= _MAX_CARRIERS
        for place in carriers.get(symbol, ())
    }
    return list(found)


def symbol_of(text: str) -> str:
    """Normalise a symbol for comparison: no brackets, no superscripts, one form of each sign.

    >>> symbol_of("(¹)"), symbol_of("∗"), symbol_of("B")
    ('1', '*', 'b')
    """
    bare = text.strip(_BRACKETS)
    plain = unicodedata.normalize("NFKC", bare).casefold()
    return _VARIANTS.get(plain, plain)


def _find_named(text: str, fields: Sequence[Field]) -> list[_Named]:
    """Return the authors and affiliations in order, with their symbols."""
    places = [place for place, field in enumerate(fields) if field.label in ("author", "affiliation")]
    owned: dict[int, set[str]] = {place: set() for place in places}
    for before, after in pairwise([None, *places, None]):
        first = 0 if before is None else before + 1
        run = range(first, len(fields) if after is None else after)
        for place, owner in _owners(text, fields, before, after, run):
            owned[owner].add(symbol_of(text[fields[place].start : fields[place].end]))
    return [_Named(fields[place].label, place, frozenset(owned[place] - {""})) for place in places]


def _owners(
    text: str, fields: Sequence[Field], before: int | None, after: int | None, run: range
) -> Iterator[tuple[int, int]]:
    """Yield the symbols between two names with the name that each belongs to; some belong to none."""
    first_separator = next((place for place in run if fields[place].label == "separator"), len(fields))
    homes = {fields[place].label for place in (before, after) if place is not None} == {"affiliation"}
    separated = False  # a separator stands between here and the name after
    broken = False  # so does a line break
    for place in reversed(run):
        field = fields[place]
        end = fields[place + 1].start if place + 1 < len(fields) else len(text)
        broken = broken or text.find("\n", field.end, end) >= 0
        if field.label != "symbol":
            separated = separated or field.label == "separator"
            continue
        begins = before is None or text.find("\n", fields[before].end, field.start) >= 0  # on a line without it
        if after is not None and not broken and begins and not (separated and fields[after].label == "author"):
            yield place, after
        elif after is not None and homes and first_separator < place and not separated:
            yield place, after  # a list of affiliations, the symbol at the end of a line
        elif after is not None and not broken and not separated and fields[after].label == "affiliation":
            yield place, after
            separated = True  # "Reed 1 1 Fen College": only the last is the affiliation's
        elif before is not None and not (begins and (broken or after is None) and _is_note(text, field.end)):
            yield place, before


def _is_note(text: str, place: int) -> bool:
    """Return whether words follow the symbol on its line: a note that it refers to."""
    end = text.find("\n", place)
    line = text[place : min(end if end >= 0 else len(text), place + _MAX_LINE)]
    return any(letter.isalpha() for letter in line)


def _by_order(found: Sequence[_Named]) -> Iterator[Link]:
    """Link authors and affiliations without symbols, block by block."""
    runs = [list(run) for _, run in groupby(found, key=lambda one: one.label)]
    forward = not runs or runs[0][0].label == "author"  # the affiliations of a run of authors follow it
    for place in range(0 if forward else 1, len(runs), 2):
        partner = place + 1 if forward else place - 1
        if partner < len(runs):
            yield from _pair(runs[place], runs[partner], alone=len(runs) == 2)


def _pair(authors: Sequence[_Named], affiliations: Sequence[_Named], alone: bool) -> Iterator[Link]:
    """Link one block: one to one if it is the only block and the numbers agree, all to all if it is one of several."""
    if alone and 1 < len(authors) == len(affiliations):
        for author, affiliation in zip(authors, affiliations, strict=True):
            yield Link(author.place, affiliation.place, "order")
    elif len(authors) == 1 or len(affiliations) == 1 or (not alone and len(authors) * len(affiliations) <= _MAX_LINKS):
        for author in authors:
            for affiliation in affiliations:
                yield Link(author.place, affiliation.place, "order")
