"""Invented records, for works that no collection has: names, titles and numbers drawn from lists, or from open records.

An invented record has every field that a template may show; which of them it does show, the template and the fields
that are left out at random decide.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random

from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value
from ibidem.records.types import IN_PERIODICALS
from ibidem.synthesis.templates.language import Template
from ibidem.synthesis.templates.lexicon import Lexicon

_BORROWED = 0.5  # share of the invented records whose title and names are those of an open record
_CORPORATE = 0.08  # share of those of works by bodies, `_BODIES`, whose author is one
_BODIES = frozenset({"book", "report", "webpage", "dataset", "software", "standard", "article", "newspaper-article"})
_LETTERED = 0.03  # share of the years with a letter
_CONTAINERS = {
    "newspaper-article": "newspaper",
    "magazine-article": "newspaper",
    "encyclopedia-entry": "encyclopedia",
    "dictionary-entry": "encyclopedia",
    "preprint": "preprint-server",
    **dict.fromkeys(("chapter", "paper", "entry"), "book"),
}
_TEXTS = {
    "title": "title",
    "original-title": "title",
    "publisher": "publisher",
    "place": "place",
    "institution": "university",
    "series": "series",
    "archive": "archive",
    "event": "event",
    "event-place": "place",
    "url": "url",
    "doi": "doi",
    "isbn": "isbn",
    "issn": "issn",
    "arxiv": "arxiv",
    "version": "version",
    "number": "number",
    "scale": "scale",
}
_ENTRIES = frozenset({"encyclopedia-entry", "dictionary-entry"})
_VOLUMES = 120  # of a periodical
_NUMBERS = {"volume": 12, "issue": 12, "edition": 9, "extent": 700, "volumes": 8, "series-number": 200, "part": 4}
_BORROWABLE = frozenset({"author", "title", "publisher", "place", "editor"})
_ERAS = {"fa": 621}  # years by which a calendar is behind
_SCRIPTS = {
    **dict.fromkeys(("ru", "uk"), "CYRILLIC"),
    "el": "GREEK",
    **dict.fromkeys(("ar", "fa"), "ARABIC"),
    "he": "HEBREW",
    "hi": "DEVANAGARI",
    "zh": "CJK",
    "ja": "CJK",
    "ko": "HANGUL",
}


def invent(template: Template, lexicon: Lexicon, pool: Sequence[Record], random: Random) -> Record:
    """Return a record of a type that the template is for, with every field; some take parts of a record of the pool."""
    kind = random.choice(template.types)
    wanted = template.fields()
    values: dict[str, list[Value]] = {
        field: [_text(lexicon, name, random)] for field, name in _TEXTS.items() if field in wanted
    }
    if "container" in wanted:
        default = "journal" if kind in IN_PERIODICALS else "book"
        values["container"] = [lexicon.draw(_CONTAINERS.get(kind, default), random)]
    for field in ("author", "editor", "translator"):
        if field in wanted:
            values[field] = _people(lexicon, field == "author" and kind in _BODIES, random)
    if kind in _ENTRIES and "title" in wanted:
        values["title"] = [lexicon.fill("@Topic@", random)]
    values |= {field: [_number(random, most)] for field, most in _NUMBERS.items() if field in wanted}
    if kind in IN_PERIODICALS and "volume" in wanted:
        values["volume"] = [_number(random, _VOLUMES)]
    values |= _dates(random, _ERAS.get(template.language, 0))
    first = random.randint(1, 900)
    values["pages"] = [Pages(str(first), str(first + random.randint(1, 40)) if random.random() < 0.85 else "")]
    if random.random() < _BORROWED and (others := usable(pool, template.language)):
        chosen = random.choice(others)
        for field in _BORROWABLE & wanted:
            values[field] = chosen.all(field) or values[field]
    entries = (Entry(field, value) for field, found in values.items() if field in wanted for value in found)
    return Record(kind, tuple(entries))


def select_fitting(template: Template, pool: Sequence[Record]) -> list[Record]:
    """Return the records of the pool that the template can render: of its types and script, with what it needs."""
    needed = template.required()
    return [
        record
        for record in usable(pool, template.language)
        if record.type in template.types and needed <= {entry.field for entry in record.entries}
    ]


def usable(pool: Iterable[Record], language: str) -> list[Record]:
    """Return the records whose titles are in the script of a language, and in the language where that is not Latin."""
    script = _SCRIPTS.get(language, "LATIN")
    found = []
    for record in pool:
        title, said = record.first("title"), str(record.first("language") or language)[:2].lower()
        if isinstance(title, str) and script_of(title) == script and (script == "LATIN" or said == language):
            found.append(record)
    return found


@lru_cache(1 << 12)
def script_of(text: str) -> str:
    """Return the script of the first letter of a text, as Unicode calls it; of any kana, CJK.

    >>> script_of("12 — Восток"), script_of("題"), script_of("1")
    ('CYRILLIC', 'CJK', '')
    """
    letter = next((character for character in text if character.isalpha()), "")
    script = unicodedata.name(letter, "").partition(" ")[0] if letter else ""
    return "CJK" if script in ("HIRAGANA", "KATAKANA") else script


def _text(lexicon: Lexicon, name: str, random: Random) -> Value:
    text = lexicon.draw(name, random)
    return Number(text) if name in ("number", "version") else text


def _number(random: Random, most: int) -> Value:
    value = random.randint(2 if most < 10 else 1, most)
    return Number(str(value), value)


def _people(lexicon: Lexicon, bodies: bool, random: Random) -> list[Value]:
    """Return one to five names, few of them often; or a body, where that may be."""
    if bodies and random.random() < _CORPORATE:
        return [Name(literal=lexicon.draw("body", random))]
    count = random.choice((1, 1, 1, 2, 2, 3, 5))
    return [Name(lexicon.draw("surname", random), lexicon.draw("given", random)) for _ in range(count)]


def _dates(random: Random, era: int) -> dict[str, list[Value]]:
    year = random.choice((random.randint(1880, 1975), *(random.randint(1976, 2024) for _ in range(4)))) - era
    letter = random.choice("ab") if random.random() < _LETTERED else ""

    def day(year: int, letter: str = "") -> list[Value]:
        return [Date(year, random.randint(1, 12), random.randint(1, 28), letter=letter)]

    return {
        "date": day(year, letter),
        "original-date": day(year - random.randint(5, 150)),
        "accessed": day(max(year, 1998 - era) + random.randint(0, 3)),
        "event-date": day(year),
    }
