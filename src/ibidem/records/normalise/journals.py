"""Names of journals written out, abbreviated or kept, by the table of JabRef in the data folder.

Without the table a name stays as it is and gets a warning: there is no library of ISO 4 rules whose licence would do
(pyiso4 needs Unidecode, which is under the GPL).
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ibidem.errors import ConfigError, DataError
from ibidem.text.fold import fold

Outcome = tuple[str, tuple[str, ...]]

STYLES = ("as-is", "full", "abbreviated")
"""What may be wanted of the names of journals."""

TABLE = "lexicons/journals/jabref-abbreviations.csv.gz"
"""Where the table lies in the data folder."""

_WORD = re.compile(r"[^\W_]+")
_NO_TABLE = "no table of journals: set IBIDEM_DATA to the folder that holds it"


@dataclass(frozen=True, slots=True)
class Journals:
    """Full and abbreviated names of journals, each by its key."""

    by_full: dict[str, tuple[str, str]]
    by_abbreviation: dict[str, tuple[str, str] | None]  # None: several journals have it


def key_of(name: str) -> str:
    """Return a name without case, accents, punctuation and a leading "the".

    >>> key_of("The Annals of Coast Medicine"), key_of("Ann. Coast Med.")
    ('annals of coast medicine', 'ann coast med')
    """
    words = _WORD.findall(fold(name.replace("&", " and ")))
    return " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)


def journals_of(rows: Iterable[tuple[str, str]]) -> Journals:
    """Make the table of pairs of full and abbreviated names; of two with the same full name the first is kept."""
    by_full: dict[str, tuple[str, str]] = {}
    by_abbreviation: dict[str, tuple[str, str] | None] = {}
    for full, short in rows:
        key, pair = key_of(full), (full, short)
        if not key or key in by_full:
            continue
        by_full[key] = pair
        abbreviation = key_of(short)
        by_abbreviation[abbreviation] = pair if by_abbreviation.get(abbreviation, pair) == pair else None
    return Journals(by_full, by_abbreviation)


def pairs_in(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the full and the abbreviated names of a table of journals, as they are written there."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        for row in csv.reader(lines):
            if len(row) >= 2 and row[0] and row[1]:
                yield row[0], row[1]


@lru_cache(1)
def table() -> Journals | None:
    """Load the table in the data folder, None where there is none; read once."""
    from ibidem.data.registry import data_folder

    try:
        path = data_folder() / TABLE
        return journals_of(pairs_in(path)) if path.exists() else None
    except (DataError, OSError, EOFError):
        return None


def journal_of(name: str, style: str, known: Journals | None) -> Outcome:
    """Return the name in the wanted style; one that the table does not have, or has twice, stays, with a warning.

    >>> known = journals_of([("Annals of Coast Medicine", "Ann. Coast Med.")])
    >>> journal_of("Ann Coast Med", "full", known), journal_of("The annals of coast medicine", "abbreviated", known)
    (('Annals of Coast Medicine', ()), ('Ann. Coast Med.', ()))
    >>> journal_of("Reed Letters", "full", known)
    ('Reed Letters', ('not in the table of journals',))
    """
    if style not in STYLES:
        raise ConfigError(f"journals is {style!r}: it must be one of {', '.join(STYLES)}")
    if style == "as-is":
        return name, ()
    if known is None:
        return name, (_NO_TABLE,)
    key = key_of(name)
    pair = known.by_full.get(key)
    if pair is not None:
        return (name, ()) if style == "full" else (pair[1], ())
    if key not in known.by_abbreviation:
        return name, ("not in the table of journals",)
    pair = known.by_abbreviation[key]
    if pair is None:
        return name, () if style == "abbreviated" else ("several journals have this abbreviation",)
    return pair[0] if style == "full" else pair[1], ()
