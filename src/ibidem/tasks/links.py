"""Which author belongs to which affiliation: by the symbols that both carry, or by the order in which they stand.

A symbol belongs to the name before it or to the affiliation after it. Authors whose symbols name an affiliation are
linked to it. Where no affiliation has a symbol that an author has, order decides: authors belong to the affiliations
that follow them before the next authors come. Where order leaves it open (two authors, three affiliations) nothing is
linked.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ibidem.types import Field, Link, Parsed

_BRACKETS = "()[]{}.,:;'`´^ \n\t"
_MOST = 20  # affiliations that may carry the same symbol
_SAME = {"∗": "*", "⁎": "*", "＊": "*", "✝": "†", "║": "‖", "∥": "‖"}


def with_links(parsed: Parsed) -> Parsed:
    """The same with the links between its authors and its affiliations."""
    return replace(parsed, links=links_of(parsed.text, parsed.fields))


def links_of(text: str, fields: Sequence[Field]) -> tuple[Link, ...]:
    """The links between the authors and the affiliations among the fields, by author and then by affiliation.

    >>> places = [("author", 0, 3), ("symbol", 3, 4), ("symbol", 5, 6), ("affiliation", 6, 9)]
    >>> links_of("Ann1\\n1 Bog", [Field(label, "", start, end, 1.0) for label, start, end in places])
    (Link(author=0, affiliation=3, by='symbol'),)
    """
    found = _named(text, fields)
    authors = [one for one in found if one.label == "author"]
    affiliations = [one for one in found if one.label == "affiliation"]
    links = _by_symbol(authors, affiliations)
    linked = {link.author for link in links}
    if links and len(affiliations) > 1:  # who carries no symbol in a list of symbols belongs where none is needed
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
    """An author or an affiliation: its place among the fields and the symbols that belong to it."""

    label: str
    place: int
    symbols: frozenset[str]


def _by_symbol(authors: Sequence[_Named], affiliations: Sequence[_Named]) -> list[Link]:
    """The links of authors and affiliations that share a symbol; what very many carry is no such symbol."""
    carriers: dict[str, list[int]] = {}
    for one in affiliations:
        for symbol in one.symbols:
            carriers.setdefault(symbol, []).append(one.place)
    found = {
        Link(author.place, place, "symbol")
        for author in authors
        for symbol in author.symbols
        if len(carriers.get(symbol, ())) <= _MOST
        for place in carriers.get(symbol, ())
    }
    return list(found)


def symbol_of(text: str) -> str:
    """A symbol as it is compared: without brackets, superscripts made plain.

    >>> symbol_of("(¹)"), symbol_of("∗"), symbol_of("B")
    ('1', '*', 'b')
    """
    bare = text.strip(_BRACKETS)
    plain = unicodedata.normalize("NFKC", bare).casefold()
    return _SAME.get(plain, plain)


def _named(text: str, fields: Sequence[Field]) -> list[_Named]:
    """The authors and affiliations in their order, with their symbols."""
    places = [place for place, field in enumerate(fields) if field.label in ("author", "affiliation")]
    symbols = [place for place, field in enumerate(fields) if field.label == "symbol"]
    owned: dict[int, set[str]] = {place: set() for place in places}
    for number, symbol in enumerate(symbols):
        after = bisect(places, symbol)
        near = [
            place if 0 <= place < len(places) and _same_line(text, fields, places[place], symbol) else None
            for place in (after - 1, after)
        ]
        owner = _owner(fields, places, near, symbols[max(number - 1, 0) : number + 2], symbol)
        if owner is None:  # alone on its line
            owner = max(after - 1, 0)
        if owner < len(places):
            owned[places[owner]].add(symbol_of(text[fields[symbol].start : fields[symbol].end]))
    return [_Named(fields[place].label, place, frozenset(owned[place] - {""})) for place in places]


def _same_line(text: str, fields: Sequence[Field], one: int, other: int) -> bool:
    first, second = sorted((one, other))
    return text.find("\n", fields[first].end, fields[second].start) < 0


def _owner(
    fields: Sequence[Field], places: Sequence[int], near: Sequence[int | None], symbols: Sequence[int], symbol: int
) -> int | None:
    """Which of the names before and after on its line a symbol belongs to; `symbols` are those next to it."""
    before, after = near
    if before is None or after is None:
        return after if before is None else before
    if fields[places[before]].label == "affiliation":
        return after
    several = any(places[before] < other < symbol for other in symbols)
    last = not any(symbol < other < places[after] for other in symbols)
    return after if fields[places[after]].label == "affiliation" and several and last else before


def _by_order(found: Sequence[_Named]) -> Iterator[Link]:
    """The links of authors and affiliations that carry no symbols."""
    runs = [list(run) for _, run in groupby(found, key=lambda one: one.label)]
    forward = not runs or runs[0][0].label == "author"  # the affiliations of a run of authors follow it
    for place in range(0 if forward else 1, len(runs), 2):
        partner = place + 1 if forward else place - 1
        if partner < len(runs):
            yield from _paired(runs[place], runs[partner])


def _paired(authors: Sequence[_Named], affiliations: Sequence[_Named]) -> Iterator[Link]:
    if 1 < len(authors) == len(affiliations):
        for author, affiliation in zip(authors, affiliations, strict=True):
            yield Link(author.place, affiliation.place, "order")
    elif len(authors) == 1 or len(affiliations) == 1:
        for author in authors:
            for affiliation in affiliations:
                yield Link(author.place, affiliation.place, "order")
