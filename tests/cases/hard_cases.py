"""Citations made up for tests that are harder than records in a row: every token's true element is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from unsupervised_cases import _JOURNALS, _LAST, _PLACES, _TOPICS, _VERBS, f_score

from ibidem.unsupervised.segmenting import Segmentation

Piece = tuple[str, str]
"""A text and the name of its element; what stands between elements has none: ""."""

_CITIES = "Fenby Marshton Tarnholm Bogness Dalewick Quarley".split()
_FIELDS = "Fens Marsh Law|Tarn Lore|Bog Craft and Design|Dale Systems|Quarry Theory".split("|")
_MONTHS = "January March May July September".split()
_LIKE = {"a": "o", "e": "c", "l": "1", "o": "0", "n": "u", "r": "t", "i": "l", "s": "5", "t": "f", "g": "q", "0": "O"}


def authors(chance: random.Random) -> str:
    """One to three authors."""
    return ", ".join(f"{chance.choice(_LAST)} {chance.choice('ABCDEFGHKLM')}" for _ in range(chance.randint(1, 3)))


def title(chance: random.Random) -> str:
    """A title that begins with a capital; any of its words may be that word."""
    words = [chance.choice(chance.choice((_VERBS, _TOPICS, _PLACES))) for _ in range(chance.randint(3, 7))]
    return " ".join(words).capitalize()


def year(chance: random.Random) -> str:
    """A year."""
    return str(chance.randint(1990, 2009))


def pages(chance: random.Random) -> str:
    """A range of pages."""
    first = chance.randint(100, 400)
    return f"{first}-{first + chance.randint(3, 20)}"


def seven_elements(chance: random.Random) -> list[Piece]:
    """Authors, year, title, journal, volume, issue and pages."""
    return [
        (authors(chance), "authors"), (" (", ""), (year(chance), "year"), (") ", ""), (title(chance), "title"),
        (". ", ""), (chance.choice(_JOURNALS), "journal"), (" ", ""), (str(chance.randint(1, 60)), "volume"),
        (" (no. ", ""), (str(chance.randint(1, 12)), "issue"), ("), pp. ", ""), (pages(chance), "pages"), (".", ""),
    ]  # fmt: skip


def in_three_styles(chance: random.Random) -> list[Piece]:
    """Authors, title, journal, year and pages, by one of three houses' rules."""
    parts = {
        "authors": authors(chance),
        "title": title(chance),
        "journal": chance.choice(_JOURNALS),
        "year": year(chance),
        "pages": pages(chance),
    }
    order, marks = chance.choice(
        [
            (("authors", "year", "title", "journal", "pages"), (" (", ") ", ". ", ": ", ".")),
            (("authors", "title", "journal", "year", "pages"), (". ", ". ", " ", ":", ".")),
            (("title", "authors", "journal", "pages", "year"), (" / ", ". ", ", p. ", ", ", "")),
        ]
    )
    return [piece for name, mark in zip(order, marks, strict=True) for piece in ((parts[name], name), (mark, ""))]


def long_venue(chance: random.Random) -> list[Piece]:
    """Authors, title, a venue that may have a number, a place and days of its own inside, and pages."""
    what = f"{chance.choice(('Conference', 'Symposium', 'Workshop'))} on {chance.choice(_FIELDS)}"
    number = f"{chance.choice(('Third', 'Fourth', 'Seventh'))} " if chance.random() < 0.5 else ""
    place = f", {chance.choice(_CITIES)}" if chance.random() < 0.5 else ""
    days = f", {chance.choice(_MONTHS)} {chance.randint(1, 28)}" if place and chance.random() < 0.5 else ""
    venue = f"{chance.choice(('Proceedings of the ', ''))}{number}{what}{place}{days}"
    return [
        (authors(chance), "authors"), (". ", ""), (title(chance), "title"), (". ", ""), (venue, "venue"),
        (": ", ""), (pages(chance), "pages"), (".", ""),
    ]  # fmt: skip


def with_a_second_year(chance: random.Random) -> list[Piece]:
    """Authors, year, title, journal, pages, and in half of the citations the year once more at the end."""
    when = year(chance)
    pieces = [
        (authors(chance), "authors"), (". ", ""), (when, "year"), (". ", ""), (title(chance), "title"), (". ", ""),
        (chance.choice(_JOURNALS), "journal"), (": ", ""), (pages(chance), "pages"),
    ]  # fmt: skip
    return [*pieces, (", ", ""), (when, "year")] if chance.random() < 0.5 else pieces


def scanned(pieces: Sequence[Piece], share: float, chance: random.Random) -> list[Piece]:
    """The pieces with a share of the characters taken for others that look alike."""
    return [
        ("".join(_LIKE.get(sign, sign) if chance.random() < share else sign for sign in text), name)
        for text, name in pieces
    ]


def with_marks(pieces: Sequence[Piece], apart: bool) -> list[Piece]:
    """The pieces with single blanks, such that marks are part of the words before them or tokens of their own."""
    made = []
    for text, name in pieces:
        spaced = "".join(f" {sign} " if apart and sign in ",.:()/" else sign for sign in text.replace(" (", "."))
        words = " ".join(spaced.split())
        made.append((words if name else f" {words} " if apart and words else f"{words} ", name))
    return made


def corpus(number: int, make: Callable[[random.Random], list[Piece]], noise: float = 0.0) -> list[list[Piece]]:
    """So many citations."""
    chance = random.Random(3)
    return [scanned(make(chance), noise, chance) for _ in range(number)]


def strings(citations: Sequence[Sequence[Piece]]) -> list[str]:
    """The citations as they are printed."""
    return ["".join(text for text, _ in pieces) for pieces in citations]


def labels_of(pieces: Sequence[Piece], starts: Sequence[int]) -> list[str]:
    """The true element of the tokens that begin at these characters; "" where there is none."""
    by_character = [name for text, name in pieces for _ in text]
    return [by_character[start] for start in starts]


def score(citations: Sequence[Sequence[Piece]], found: Segmentation) -> float:
    """F of clusters over the tokens that are of an element."""
    numbers: dict[str, int] = {}
    truth, mine = [], []
    for pieces, one in zip(citations, found, strict=True):
        labels = labels_of(pieces, [token.start for token in one.tokens])
        kept = [place for place, label in enumerate(labels) if label]
        truth.append([numbers.setdefault(labels[place], len(numbers)) for place in kept])
        mine.append([one.elements[place] for place in kept])
    return f_score(truth, mine)
