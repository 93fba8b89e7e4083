"""Keys by which files name their records: made of author, year and title, the same at every run, each used once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import TypeVar

from ibidem.records.formats.format import Capabilities, Options, adapt, render_each
from ibidem.records.formats.values import value_text
from ibidem.records.record import Date, Name, Record

_T = TypeVar("_T")
_SMALL = frozenset("a an the on in of and for to at by with from der die das ein eine le la les un une el los".split())
BIBTEX_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:.+/-]*", re.ASCII)
XML_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*", re.ASCII)


class Keys:
    """Unique keys for records; a second record with the same key gets a number after it."""

    def __init__(self, allowed: re.Pattern[str] = BIBTEX_KEY) -> None:
        self._used: dict[str, int] = {}
        self._allowed = allowed

    def of(self, record: Record) -> str:
        """Return the record's own key where it can be used, else one made of its fields.

        >>> from ibidem.records.record import Entry
        >>> record = Record("book", (Entry("author", Name("Doe", "J.")), Entry("title", "The drift of bells")))
        >>> keys = Keys()
        >>> keys.of(record), keys.of(record), keys.of(Record(key="kept"))
        ('doedrift', 'doedrift-2', 'kept')
        """
        base = record.key if self._allowed.fullmatch(record.key) else make_key(record)
        base = base if self._allowed.fullmatch(base) else f"ref{base}"
        # Case does not tell keys apart for every program, so it must not here.
        count = self._used.get(base.lower(), 0) + 1
        key = base
        while count > 1 and (key := f"{base}-{count}").lower() in self._used:
            count += 1
        self._used[base.lower()] = count
        if key != base:
            self._used[key.lower()] = 1
        return key


def make_key(record: Record) -> str:
    """Make a key of family name, year and the first word of the title that says something.

    >>> from ibidem.records.record import Entry
    >>> make_key(Record("book", (Entry("title", "The drift of bells"), Entry("date", Date(1990)))))
    'drift1990'
    >>> make_key(Record("book", (Entry("author", Name("王", "小明")), Entry("title", "钟声"))))
    'wangzhongsheng'
    """
    name = record.first("author") or record.first("editor")
    family = (name.family or name.literal.partition(" ")[0]) if isinstance(name, Name) else str(name or "")
    date = record.first("date")
    year = str(date.year) if isinstance(date, Date) and date.year is not None else ""
    words = (_plain(word) for word in value_text(record.first("title") or "")[:400].split())
    word = next((word for word in words if word and word not in _SMALL), "")
    plain = _plain(family)[:40]
    key = plain + year + word[:40] if plain else word[:40] + year
    return key if key and not key.isdigit() else f"ref{key}{_digest(record)}"


def _plain(text: str) -> str:
    """Return the letters and digits of a text in ASCII: accents taken off, other scripts transliterated."""
    if not text.isascii():
        from anyascii import anyascii

        text = anyascii(text[:_TRANSLITERATED])
    return re.sub(r"[^a-z0-9]", "", text.lower())


_TRANSLITERATED = 400  # characters


def _digest(record: Record) -> str:
    """Return eight letters and digits that depend on the values of the record alone."""
    state = blake2b(digest_size=4)
    for entry in record.entries:
        state.update(f"{entry.field}\0{value_text(entry.value)}\0".encode("utf-8", "surrogatepass"))
    return state.hexdigest()


def render_adapted(
    capabilities: Capabilities,
    records: Iterable[Record],
    options: Options,
    render: Callable[[Record, str, Record], _T],
    allowed: re.Pattern[str] = BIBTEX_KEY,
) -> Iterator[_T]:
    """Yield what `render` returns for what a format can carry of each record, its key, and all of it.

    Warn of what is left out.
    """
    keys = Keys(allowed)

    def render_one(record: Record) -> tuple[str, list[str], _T]:
        adapted, lost = adapt(record, capabilities)
        key = keys.of(adapted)
        return key, lost, render(adapted, key, record)

    for key, lost, rendered in render_each(records, options, render_one):
        for message in lost:
            options.warn(key, message)
        yield rendered
