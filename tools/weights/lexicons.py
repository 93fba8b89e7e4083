"""Building the lexicons of the default model from the open lists and records in the data folder.

Only the result, hashes, is ever saved with a model.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.data import registry
from ibidem.data.sets.items import OPEN
from ibidem.errors import DataError
from ibidem.features.lexicons import (
    CONTAINER,
    FAMILY,
    GIVEN,
    PUBLISHER,
    TITLE,
    HashedSet,
    Lexicons,
    WordStatistics,
    empty,
    hash_phrases,
    hash_words,
    words_of,
)
from ibidem.text.fold import hash32

Wanted = Callable[[str], bool]
_MIN_COUNT = 4
_SHARE = 0.12
_BIB_FIELD = re.compile(
    r"^\s*(title|journal|booktitle|publisher|address|author|editor|school)\s*=\s*[{\"](.*)[}\"],?\s*$"
)


def _lines(path: Path) -> Iterator[str]:
    try:
        opener = lzma.open if path.suffix == ".xz" else gzip.open
        with opener(path, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if not line.startswith("#"):
                    yield line.rstrip("\n")
    except FileNotFoundError:
        raise DataError(f"there is no lexicon source {path}: set IBIDEM_DATA to the folder that holds it") from None


def _journals(folder: Path) -> Iterator[str]:
    for row in csv.reader(_lines(folder / "lexicons/journals/jabref-abbreviations.csv.gz")):
        yield from row[:2]
    for name in ("grobid-abbrev_journals", "grobid-journals"):
        yield from _lines(folder / f"lexicons/journals/{name}.txt.gz")
    yield from _common(_column(folder / "medline/medline_like.tsv.xz", "journal"), 3)
    yield from _common(_item_texts(folder, "container-title", "article-journal"), 2)


def _column(path: Path, name: str) -> Iterator[str]:
    rows = csv.reader(_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)
    column = next(rows).index(name)
    return (row[column] for row in rows if len(row) > column and row[column])


def _common(values: Iterable[str], min_count: int) -> Iterator[str]:
    return (value for value, count in Counter(values).items() if count >= min_count)


def _words(folder: Path, wanted: Wanted) -> dict[str, HashedSet]:
    names = folder / "lexicons/names"
    sources = {
        "given": [names / f"grobid-{part}.txt.gz" for part in ("firstname.5k", "names.female", "names.male")],
        "family-common": [names / "grobid-lastname.5k.txt.gz", folder / "lexicons/anystyle-surnames_european.txt.gz"],
        "family": [names / "grobid-lastnames.txt.gz", names / "grobid-names.family.txt.gz"],
        "journal": [folder / "lexicons/anystyle-journals_scopus.txt.gz"],
        "publisher": [folder / "lexicons/anystyle-publishers_wikipedia.txt.gz"],
        "place": [folder / "lexicons/anystyle-places_gazetteer.txt.gz"],
    }
    return {
        name: hash_words(word for path in paths for line in _lines(path) for word in words_of(line))
        for name, paths in sources.items()
        if wanted(name)
    }


def _phrases(folder: Path, wanted: Wanted) -> dict[str, HashedSet]:
    lists = folder / "lexicons"
    sources: dict[str, Callable[[], Iterable[str]]] = {
        "journal": lambda: _journals(folder),
        "publisher": lambda: chain(
            _lines(lists / "publishers/grobid-publishers.txt.gz"),
            _common(_bib(folder, "publisher"), 2),
            _common(_item_texts(folder, "publisher"), 2),
        ),
        "place": lambda: chain(
            _lines(lists / "places/cities15000.txt.gz"),
            _common(_bib(folder, "address"), 2),
            _common(_item_texts(folder, "publisher-place"), 2),
        ),
        "country": lambda: _lines(lists / "places/countries.txt.gz"),
        "university": lambda: _lines(lists / "organisations/universities.txt.gz"),
        "collaboration": lambda: _lines(lists / "organisations/collaborations.txt.gz"),
        "conference": lambda: chain(
            _lines(lists / "journals/grobid-proceedings.txt.gz"),
            _common(_column(folder / "dblp/dblp_like.tsv.gz", "venue_short"), 3),
        ),
    }
    return {name: hash_phrases(phrases()) for name, phrases in sources.items() if wanted(name)}


def _bib(folder: Path, wanted: str) -> Iterator[str]:
    for line in _lines(folder / "bibliographies/bibliographies.bib.gz"):
        found = _BIB_FIELD.match(line)
        if found and found.group(1) == wanted:
            yield re.sub(r"[{}\\]", "", found.group(2))


@lru_cache(1)
def _items(folder: Path) -> tuple[dict[str, Any], ...]:
    """Return the items of the open sets of records in many languages."""
    return tuple(
        item for one in OPEN for item in registry.load_records(one.name, folder=folder) if isinstance(item, dict)
    )


def _item_texts(folder: Path, variable: str, kind: str = "") -> Iterator[str]:
    """Yield the texts of a CSL variable of these items, or of those of one type."""
    for item in _items(folder):
        if isinstance(item.get(variable), str) and kind in ("", item.get("type")):
            yield item[variable]


def _names(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    for person in people:
        *given, family = person.split(" ")
        yield " ".join(part for part in given if not (part.isupper() and len(part) < 4)), family


def build_statistics(folder: Path) -> WordStatistics:
    """Return the fields of the open records in which each common word is seen."""
    counts: dict[int, Counter[str]] = {bit: Counter() for bit in (TITLE, CONTAINER, FAMILY, GIVEN, PUBLISHER)}

    def add(bit: int, values: Iterable[str]) -> None:
        for value in values:
            counts[bit].update(words_of(value))

    for name, container in (("medline/medline_like.tsv.xz", "journal"), ("dblp/dblp_like.tsv.gz", "venue")):
        path = folder / name
        add(TITLE, _column(path, "title"))
        add(CONTAINER, _column(path, container))
        for people in _column(path, "authors"):
            for given, family in _names(people.split("|")):
                add(GIVEN, [given])
                add(FAMILY, [family])
    add(TITLE, _bib(folder, "title"))
    add(CONTAINER, _bib(folder, "booktitle"))
    add(PUBLISHER, _bib(folder, "publisher"))
    add(PUBLISHER, _bib(folder, "address"))
    add(TITLE, _item_texts(folder, "title"))
    add(CONTAINER, _item_texts(folder, "container-title"))
    add(PUBLISHER, _item_texts(folder, "publisher"))
    add(PUBLISHER, _item_texts(folder, "publisher-place"))
    persons = [one for item in _items(folder) for one in item.get("author", []) if isinstance(one, dict)]
    add(GIVEN, [one["given"] for one in persons if isinstance(one.get("given"), str)])
    add(FAMILY, [one["family"] for one in persons if isinstance(one.get("family"), str)])
    return _encode(counts)


def _encode(counts: dict[int, Counter[str]]) -> WordStatistics:
    totals = {bit: max(sum(counter.values()), 1) for bit, counter in counts.items()}
    codes: dict[int, int] = {}
    for word in set().union(*counts.values()):
        seen = {bit: counter[word] for bit, counter in counts.items()}
        if sum(seen.values()) < _MIN_COUNT or not word.isalpha():
            continue
        rates = {bit: count / totals[bit] for bit, count in seen.items()}
        whole = sum(rates.values())
        codes[hash32(word)] = sum(bit for bit, rate in rates.items() if rate >= _SHARE * whole)
    hashes = np.array(sorted(codes), dtype=np.uint32)
    return WordStatistics(hashes, np.array([codes[int(value)] for value in hashes], dtype=np.uint8))


def build(folder: Path, names: Sequence[str] | None = None) -> Lexicons:
    """Build all lexicons from the data folder (about a minute), or those of these names alone."""

    def wanted(name: str) -> bool:
        return names is None or name in names

    found = build_statistics(folder) if wanted("statistics") else empty().statistics
    return Lexicons(_words(folder, wanted), _phrases(folder, wanted), found)
