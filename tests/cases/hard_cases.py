"""Invented citations for tests, harder than shuffled records: the true field of every token is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from unsupervised_cases import _JOURNALS, _LAST, _PLACES, _TOPICS, _VERBS, f_score

from ibidem.unsupervised.segmenting import Segmentation

Piece = tuple[str, str]
"""A text and the name of its field; the text between fields has none: ""."""

_CITIES = "Fenby Marshton Tarnholm Bogness Dalewick Quarley".split()
_FIELDS = "Fens Marsh Law|Tarn Lore|Bog Craft and Design|Dale Systems|Quarry Theory".split("|")
_MONTHS = "January March May July September".split()
_LIKE = {"a": "o", "e": "c", "l": "1", "o": "0", "n": "u", "r": "t", "i": "l", "s": "5", "t": "f", "g": "q", "0": "O"}


def authors(rng: random.Random) -> str:
    """One to three authors."""
    return ", ".join(f"{rng.choice(_LAST)} {rng.choice('ABCDEFGHKLM')}" for _ in range(rng.randint(1, 3)))


def title(rng: random.Random) -> str:
    """A title that begins with a capital; any of its words may be that word."""
    words = [rng.choice(rng.choice((_VERBS, _TOPICS, _PLACES))) for _ in range(rng.randint(3, 7))]
    return " ".join(words).capitalize()


def year(rng: random.Random) -> str:
    """A year."""
    return str(rng.randint(1990, 2009))


def pages(rng: random.Random) -> str:
    """A range of pages."""
    first = rng.randint(100, 400)
    return f"{first}-{first + rng.randint(3, 20)}"


def seven_elements(rng: random.Random) -> list[Piece]:
    """Authors, year, title, journal, volume, issue and pages."""
    return [
        (authors(rng), "authors"), (" (", ""), (year(rng), "year"), (") ", ""), (title(rng), "title"),
        (". ", ""), (rng.choice(_JOURNALS), "journal"), (" ", ""), (str(rng.randint(1, 60)), "volume"),
        (" (no. ", ""), (str(rng.randint(1, 12)), "issue"), ("), pp. ", ""), (pages(rng), "pages"), (".", ""),
    ]  # fmt: skip


def in_three_styles(rng: random.Random) -> list[Piece]:
    """Authors, title, journal, year and pages, in one of three styles."""
    parts = {
        "authors": authors(rng),
        "title": title(rng),
        "journal": rng.choice(_JOURNALS),
        "year": year(rng),
        "pages": pages(rng),
    }
    order, marks = rng.choice(
        [
            (("authors", "year", "title", "journal", "pages"), (" (", ") ", ". ", ": ", ".")),
            (("authors", "title", "journal", "year", "pages"), (". ", ". ", " ", ":", ".")),
            (("title", "authors", "journal", "pages", "year"), (" / ", ". ", ", p. ", ", ", "")),
        ]
    )
    return [piece for name, mark in zip(order, marks, strict=True) for piece in ((parts[name], name), (mark, ""))]


def long_venue(rng: random.Random) -> list[Piece]:
    """Authors, title, a venue that may include a number, a place and dates, and pages."""
    what = f"{rng.choice(('Conference', 'Symposium', 'Workshop'))} on {rng.choice(_FIELDS)}"
    number = f"{rng.choice(('Third', 'Fourth', 'Seventh'))} " if rng.random() < 0.5 else ""
    place = f", {rng.choice(_CITIES)}" if rng.random() < 0.5 else ""
    days = f", {rng.choice(_MONTHS)} {rng.randint(1, 28)}" if place and rng.random() < 0.5 else ""
    venue = f"{rng.choice(('Proceedings of the ', ''))}{number}{what}{place}{days}"
    return [
        (authors(rng), "authors"), (". ", ""), (title(rng), "title"), (". ", ""), (venue, "venue"),
        (": ", ""), (pages(rng), "pages"), (".", ""),
    ]  # fmt: skip


def with_a_second_year(rng: random.Random) -> list[Piece]:
    """Authors, year, title, journal, pages, and in half of the citations the year again at the end."""
    when = year(rng)
    pieces = [
        (authors(rng), "authors"), (". ", ""), (when, "year"), (". ", ""), (title(rng), "title"), (". ", ""),
        (rng.choice(_JOURNALS), "journal"), (": ", ""), (pages(rng), "pages"),
    ]  # fmt: skip
    return [*pieces, (", ", ""), (when, "year")] if rng.random() < 0.5 else pieces


def scanned(pieces: Sequence[Piece], share: float, rng: random.Random) -> list[Piece]:
    """Return the pieces with a share of the characters replaced by others that look alike."""
    return [
        ("".join(_LIKE.get(sign, sign) if rng.random() < share else sign for sign in text), name)
        for text, name in pieces
    ]


def with_marks(pieces: Sequence[Piece], apart: bool) -> list[Piece]:
    """Return the pieces with single spaces, punctuation attached to the words before it or as separate tokens."""
    made = []
    for text, name in pieces:
        spaced = "".join(f" {sign} " if apart and sign in ",.:()/" else sign for sign in text.replace(" (", "."))
        words = " ".join(spaced.split())
        made.append((words if name else f" {words} " if apart and words else f"{words} ", name))
    return made


def corpus(number: int, make: Callable[[random.Random], list[Piece]], noise: float = 0.0) -> list[list[Piece]]:
    """Return that many citations."""
    rng = random.Random(3)
    return [scanned(make(rng), noise, rng) for _ in range(number)]


def strings(citations: Sequence[Sequence[Piece]]) -> list[str]:
    """Return the citations as strings."""
    return ["".join(text for text, _ in pieces) for pieces in citations]


def labels_of(pieces: Sequence[Piece], starts: Sequence[int]) -> list[str]:
    """Return the true field of the tokens that begin at these characters; "" where there is none."""
    by_character = [name for text, name in pieces for _ in text]
    return [by_character[start] for start in starts]


def score(citations: Sequence[Sequence[Piece]], found: Segmentation) -> float:
    """Return F of clusters over the tokens that belong to a field."""
    numbers: dict[str, int] = {}
    truth, mine = [], []
    for pieces, one in zip(citations, found, strict=True):
        labels = labels_of(pieces, [token.start for token in one.tokens])
        kept = [place for place, label in enumerate(labels) if label]
        truth.append([numbers.setdefault(labels[place], len(numbers)) for place in kept])
        mine.append([one.elements[place] for place in kept])
    return f_score(truth, mine)
