"""Which author belongs to which affiliation: by the symbols that both carry, or by the order in which they stand.

A symbol belongs to the name before it, to the affiliation right after it, or, at the start of a line with a remark, to
nobody. Authors whose symbols name an affiliation are linked to it. Where no affiliation has a symbol that an author
has, order decides: authors belong to the affiliations that follow them before the next authors come. Where order leaves
it open (two authors, three affiliations) nothing is linked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ibidem.types import Field, Link, Parsed

_BRACKETS = "()[]{}.,:;'`´^ \n\t"
_MOST = 20  # affiliations that may carry the same symbol
_LARGEST = 10_000  # links in one block
_FAR = 200  # characters of a line that are looked at
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
    """The symbols of a run between two names (or an end), each with the name that it belongs to; some to none."""
    opened = next((place for place in run if fields[place].label == "separator"), len(fields))
    homes = {fields[place].label for place in (before, after) if place is not None} == {"affiliation"}
    divided = False  # a separator stands between here and the name after
    broken = False  # so does a line break
    for place in reversed(run):
        field = fields[place]
        end = fields[place + 1].start if place + 1 < len(fields) else len(text)
        broken = broken or text.find("\n", field.end, end) >= 0
        if field.label != "symbol":
            divided = divided or field.label == "separator"
            continue
        begins = before is None or text.find("\n", fields[before].end, field.start) >= 0  # on a line without it
        if after is not None and not broken and begins and not (divided and fields[after].label == "author"):
            yield place, after
        elif after is not None and homes and opened < place and not divided:
            yield place, after  # a list of affiliations, the symbol at the end of a line
        elif after is not None and not broken and not divided and fields[after].label == "affiliation":
            yield place, after
            divided = True  # "Reed 1 1 Fen College": only the last is the affiliation's
        elif before is not None and not (begins and (broken or after is None) and _is_note(text, field.end)):
            yield place, before


def _is_note(text: str, place: int) -> bool:
    """Whether words follow on the line after a symbol that no name stands beside: a remark that it points at."""
    end = text.find("\n", place)
    line = text[place : min(end if end >= 0 else len(text), place + _FAR)]
    return any(letter.isalpha() for letter in line)


def _by_order(found: Sequence[_Named]) -> Iterator[Link]:
    """The links of authors and affiliations that carry no symbols."""
    runs = [list(run) for _, run in groupby(found, key=lambda one: one.label)]
    forward = not runs or runs[0][0].label == "author"  # the affiliations of a run of authors follow it
    for place in range(0 if forward else 1, len(runs), 2):
        partner = place + 1 if forward else place - 1
        if partner < len(runs):
            yield from _paired(runs[place], runs[partner], alone=len(runs) == 2)


def _paired(authors: Sequence[_Named], affiliations: Sequence[_Named], alone: bool) -> Iterator[Link]:
    """The links of one block; in a block among others all belong together, in one alone as many to as many."""
    if alone and 1 < len(authors) == len(affiliations):
        for author, affiliation in zip(authors, affiliations, strict=True):
            yield Link(author.place, affiliation.place, "order")
    elif len(authors) == 1 or len(affiliations) == 1 or (not alone and len(authors) * len(affiliations) <= _LARGEST):
        for author in authors:
            for affiliation in affiliations:
                yield Link(author.place, affiliation.place, "order")
