"""Records of the public sets that hold records: tables of articles and papers, and BibTeX collections."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ibidem.errors import DataError, InputError
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.tasks import registry
from ibidem.tasks.readers.records import read_bibtex
from ibidem.types import Malformed

_RANGE = re.compile(r"([A-Za-z]{0,4}\d+)\s*(?:[-–]+\s*([A-Za-z]{0,4}\d+))?\Z")
_ARTICLE = re.compile(r"(?:e\d{3,}|\d{6,})\Z", re.IGNORECASE)  # e16791 and 129456 are no pages
_ACCENTS = dict(
    zip(
        "`'^\"~=.uvHckrd",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a\u0323",
        strict=True,
    )
)
_ACCENT = re.compile(r"\\([`'^\"~=.]|[uvHckrd](?=[\s{\\]))\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))")
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "&": "&", "%": "%", "_": "_", "#": "#", "$": "$",
}  # fmt: skip
_LETTER = re.compile(r"\\(?:((?:ss|aa|AA|ae|AE|oe|OE|[oOlLij])(?![A-Za-z]))(?:\s+|\{\})?|([&%_#$]))")
_PARTICLE = re.compile(r"(?:van|von|der|den|de|la|le|di|da|dos|du|del|ten|ter|zu|bin|ben|al)\Z")
_BIBTEX_TYPES = {
    "article": "article",
    "inproceedings": "paper",
    "conference": "paper",
    "book": "book",
    "proceedings": "book",
    "incollection": "chapter",
    "inbook": "chapter",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "techreport": "report",
}
_BIBTEX_FIELDS = {
    "title": "title",
    "journal": "container",
    "booktitle": "container",
    "series": "series",
    "publisher": "publisher",
    "address": "place",
    "school": "institution",
    "institution": "institution",
    "doi": "doi",
    "url": "url",
    "isbn": "isbn",
}
_UNREAD = re.compile(r"[\\${}]|^[a-z][a-z0-9_-]*[-_0-9][a-z0-9_-]*$")  # TeX that was not understood; names of @strings
_GENRES = {"phdthesis": "PhD thesis", "mastersthesis": "Master's thesis", "techreport": "Technical report"}


def records_of(name: str) -> Iterator[Record]:
    """The records of a public set, one at a time; those that nothing good can be made of are passed over."""
    if name not in PUBLIC:
        raise DataError(f"{name!r} is no set of records; there are {', '.join(PUBLIC)}")
    for row in registry.load_records(name):
        record = _MAKERS[name](row) if isinstance(row, dict) else None
        if record is not None and record.first("title"):
            yield record


def records_in(path: Path) -> Iterator[Record | Malformed]:
    """The records of a BibTeX file; an entry that breaks off or has neither names nor a title is reported."""
    if ".bib" not in path.suffixes:
        raise InputError(f"{path} is no BibTeX file by its name; give a .bib file")
    if not path.is_file():
        raise InputError(f"there is no file {path}; give a BibTeX file")
    for row in read_bibtex(path):
        if isinstance(row, Malformed):
            yield row
        else:
            reason = "no names, no title, or an entry type that is not known"
            yield _from_bibtex(row) or Malformed(row["entry-key"], reason)


def _numbered(field: str, text: str) -> list[Entry]:
    return [Entry(field, Number(text, int(text) if text.isdecimal() and len(text) < 7 else None))] if text else []


def _texts(pairs: dict[str, str]) -> list[Entry]:
    return [Entry(field, text) for field, text in pairs.items() if text]


def _paged(text: str) -> list[Entry]:
    found = _RANGE.match(text.strip())
    if not found:
        return []
    if not found[2] and _ARTICLE.match(found[1]):
        return [Entry("article-number", found[1])]
    return [Entry("pages", Pages(found[1], _written_out(found[1], found[2] or "")))]


def _written_out(first: str, last: str) -> str:
    """The last page in full: 60 after 153 is 160."""
    if first.isdecimal() and last.isdecimal() and len(last) < len(first):
        return first[: len(first) - len(last)] + last
    return last


def _dated(text: str) -> list[Entry]:
    return [Entry("date", Date(int(text)))] if text.isdecimal() and len(text) == 4 else []


def _from_dblp(row: dict[str, Any]) -> Record | None:
    venue, short = row["venue"], row["venue_short"]
    names = [Entry("author", _spoken(name)) for name in row["authors"].split("|") if name]
    kind = "article" if "/journals/" in row["key"] or row["key"].startswith("DBLP:journals") else "paper"
    container = short if len(row["title"]) % 3 == 0 and short else venue or short  # both forms are in use
    return Record(
        kind,
        (*names, *_texts({"title": row["title"], "container": container}), *_dated(row["year"]), *_paged(row["pages"])),
        key=row["key"],
    )


def _from_medline(row: dict[str, Any]) -> Record | None:
    names = [Entry("author", _initials_first(name)) for name in row["authors"].split("|") if name]
    return Record(
        "article",
        (
            *names,
            *_texts({"title": row["title"], "container": row["journal"], "doi": row["doi"], "pmid": row["pmid"]}),
            *_dated(row["year"]),
            *_numbered("volume", row["volume"]),
            *_numbered("issue", row["issue"]),
            *_paged(row["pages"]),
        ),
        key=row["pmid"] or row["doi"],
    )


def _initials_first(text: str) -> Name:
    given, _, family = text.strip().partition(" ")
    return Name(family, given) if family and given.isupper() else _spoken(text)


def _spoken(text: str) -> Name:
    """A name in the order of speech: given names, a particle, the family name."""
    words = [word for word in text.split() if not word.isdecimal()]
    if len(words) < 2:
        return Name(literal=" ".join(words) or text)
    start = len(words) - 1
    while start > 1 and _PARTICLE.match(words[start - 1]):
        start -= 1
    return Name(words[-1], " ".join(words[:start]), " ".join(words[start:-1]))


def _from_bibtex(row: dict[str, Any]) -> Record | None:
    kind = _BIBTEX_TYPES.get(row["entry-type"])
    read = {field: _without_tex(value) for field, value in row.items()}
    plain = {field: value for field, value in read.items() if not _UNREAD.search(value)}
    names = [Entry(role, name) for role in ("author", "editor") for name in _bibtex_names(row.get(role, ""))]
    place, colon, publisher = plain.get("publisher", "").partition(": ")
    if colon:  # London: Sedge Press
        plain.update(publisher=publisher, address=place)
    contained = kind not in ("article", "paper", "chapter") or "journal" in plain or "booktitle" in plain
    if kind is None or not names or not contained or "title" not in plain:
        return None
    entries = names + [Entry(target, plain[field]) for field, target in _BIBTEX_FIELDS.items() if plain.get(field)]
    entries += _numbered("volume", plain.get("volume", "")) + _numbered("edition", plain.get("edition", ""))
    number = plain.get("number", "")
    entries += _numbered("issue", number) if kind == "article" else []
    entries += _texts({"number": number}) if kind == "report" else []
    entries += _paged(plain.get("pages", "")) + _dated(plain.get("year", ""))
    entries += _texts({"genre": _GENRES.get(row["entry-type"], "")})
    return Record(kind, tuple(entries), key=row["entry-key"])


def _without_tex(text: str) -> str:
    """The text with TeX's accents and letters as Unicode and without braces around words; other TeX stays."""
    text = _ACCENT.sub(lambda found: (found[2] or found[3]) + _ACCENTS[found[1]], text)
    text = _LETTER.sub(lambda found: _LETTERS[found[1] or found[2]], text)
    text = text.replace("{", "").replace("}", "").replace("~", " ").replace("``", "“").replace("''", "”")
    return unicodedata.normalize("NFC", re.sub(r"---?", "–", text)).strip()


def _bibtex_names(text: str) -> Iterator[Name]:
    for raw in re.split(r"\s+and\s+", text):
        one = _without_tex(raw)
        if _UNREAD.search(one):
            continue
        if raw.strip().startswith("{") and raw.strip().endswith("}"):
            yield Name(literal=one)
            continue
        parts = [part.strip() for part in one.split(",")]
        if one.strip() in ("", "others"):
            continue
        if len(parts) == 1:
            yield _spoken(one)
            continue
        words = parts[0].split()
        start = 0
        while start < len(words) - 1 and words[start].islower():
            start += 1
        suffix = parts[1] if len(parts) > 2 else ""
        yield Name(" ".join(words[start:]), parts[-1], " ".join(words[:start]), suffix)


_MAKERS: dict[str, Callable[[dict[str, Any]], Record | None]] = {
    "dblp": _from_dblp,
    "medline": _from_medline,
    "bibliographies": _from_bibtex,
}
PUBLIC = tuple(_MAKERS)
"""The public sets that hold records."""
