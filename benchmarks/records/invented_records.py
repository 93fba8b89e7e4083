"""Invented records of every type, for benchmarks and tests that need records and no data."""

from __future__ import annotations

from ibidem.records.record import Date, Entry, Name, Number, Pages, Record

_REED = Name("Reed", "Ada Maria")
_MARSH = Name("Marsh", "Beatrix")
_BOGAARD = Name("Bogaard", "Otto", "van den")


def _record(kind: str, title: str, year: int, *entries: Entry) -> Record:
    return Record(kind, (*entries, Entry("title", title), Entry("date", Date(year))))


def _authors(*names: Name) -> tuple[Entry, ...]:
    return tuple(Entry("author", name) for name in names)


RECORDS: tuple[Record, ...] = (
    _record(
        "article",
        "Salivary markers of shift work in coastal towns",
        2019,
        *_authors(_REED, _BOGAARD, _MARSH),
        Entry("container", "Annals of Coastal Medicine"),
        Entry("volume", Number("14", 14)),
        Entry("issue", Number("3", 3)),
        Entry("pages", Pages("153", "160")),
        Entry("doi", "10.1234/acm.2019.14"),
    ),
    _record(
        "paper",
        "Counting herons from the air",
        2007,
        *_authors(_MARSH, _REED),
        Entry("container", "Proceedings of the Fifth Meeting on Wading Birds"),
        Entry("pages", Pages("88", "97")),
        Entry("publisher", "Sedge Press"),
        Entry("place", "Utrecht"),
    ),
    _record(
        "book",
        "Bogs and ferries",
        1987,
        *_authors(_MARSH),
        Entry("publisher", "Sedge Press"),
        Entry("place", "London"),
        Entry("edition", Number("2", 2)),
    ),
    _record(
        "chapter",
        "On quills",
        1994,
        *_authors(_BOGAARD),
        Entry("editor", _REED),
        Entry("editor", Name("Quill", "Dora")),
        Entry("container", "The handbook of writing tools"),
        Entry("pages", Pages("12", "34")),
        Entry("publisher", "Sedge Press"),
        Entry("place", "London"),
    ),
    _record(
        "thesis",
        "The price of reeds",
        2003,
        *_authors(_REED),
        Entry("genre", "PhD thesis"),
        Entry("institution", "University of the Fens"),
    ),
    _record(
        "report",
        "Drainage of the lower meadows",
        1976,
        *_authors(Name(literal="Board of Dykes")),
        Entry("number", "76-4"),
        Entry("institution", "Ministry of Water"),
        Entry("place", "Delft"),
    ),
    _record(
        "webpage",
        "Tide tables for walkers",
        2021,
        *_authors(_MARSH),
        Entry("url", "https://tides.example.org/walkers"),
        Entry("accessed", Date(2022, 5, 17)),
    ),
    _record("preprint", "Herons revisited", 2022, *_authors(_MARSH, _BOGAARD), Entry("arxiv", "2203.00001")),
)
"""One record each of the types that styles treat differently."""
