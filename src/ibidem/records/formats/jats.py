"""JATS `element-citation`, as the journals of PubMed Central hold their references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

from ibidem.records.fields import NAMES, cache_until_registration
from ibidem.records.formats.format import Capabilities, Options, Readable
from ibidem.records.formats.values import Unreadable, entry_of, number_within, read_date, value_text
from ibidem.records.formats.xml import (
    Element,
    Place,
    add_texts,
    child,
    etree,
    local,
    places_in,
    read_each,
    text_of,
    write_each,
)
from ibidem.records.record import SEASONS, Date, Entry, Name, Pages, Record, Value
from ibidem.records.types import IN_BOOKS, IN_PERIODICALS, TYPES, types_from, types_in

READ_TYPES: dict[str, str] = {
    "article": "article", "conference": "paper", "conf-proc": "paper", "conference-proceedings": "paper",
    "proceedings": "paper", "book-chapter": "chapter", "working-paper": "report", "website": "webpage",
    "webpage": "webpage", "dataset": "dataset", "legal-case": "legal-case", "legal": "legislation",
    "law": "legislation", "statute": "legislation", "letter": "personal-communication",
    "video": "film", "audio": "song",
}  # fmt: skip
_NEAR: dict[str, str] = {
    "gov": "report", "database": "dataset", "clinicaltrial": "other", "discussion": "other", "list": "other",
}  # fmt: skip
"""Types that mean just what one of ours does, and types that come near one, which a warning says."""
_SPECIAL = frozenset("author author-etal editor editor-etal translator title number pages date language marker".split())
_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation")
_STATUS = "publication-status"
_PEOPLE = ("author", "editor", "translator")
_ALONE = frozenset(TYPES) - IN_PERIODICALS - IN_BOOKS - {"preprint", "dataset", "patent", "other"}
"""The types whose title is the source where nothing contains them."""
_TITLES = {"dataset": "data-title"} | dict.fromkeys(
    ("chapter", "encyclopedia-entry", "dictionary-entry"), "chapter-title"
)
_NUMBERS = {"patent": "patent", "standard": "std"}
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
CAPABILITIES = Capabilities(
    column="jats",
    single=frozenset({"pages", "date", "language", "marker"}),
    parts={"particle": "is written as part of the family name", "words": "become the element `etal`"},
    renamed=dict.fromkeys(sorted(_ALONE), ("container", "title")),
)


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write a `ref-list` of one `ref` with its `element-citation` per record."""
    write_each(records, stream, options, CAPABILITIES, element_of, ("<ref-list>", "</ref-list>"))


def element_of(record: Record, key: str) -> Element:
    """Return the `ref` of an adapted record."""
    places = _places()
    reference = etree().Element("ref", id=key)
    for value in record.all("marker"):
        child(reference, "label", value_text(value))
    made = child(reference, "element-citation", publication_type=types_in("jats")[record.type])
    for value in record.all("language"):
        made.set(_LANGUAGE, value_text(value))
    for field in [*_PEOPLE, *sorted(NAMES - set(_PEOPLE))]:
        _put_names(made, field, record)
    alone = record.type in _ALONE and not record.first("container")
    title = "source" if alone else _TITLES.get(record.type, "article-title")
    for entry in record.entries:
        field, value = entry.field, entry.value
        if field == "title":
            child(made, title, value_text(value))
        elif field in places:
            place = places[field]
            child(made, place.tag, value_text(value), **place.attributes)
        elif field == "number":
            tag = _NUMBERS.get(record.type, "pub-id")
            child(made, tag, value_text(value), **({"pub_id_type": "other"} if tag == "pub-id" else {}))
        elif isinstance(value, Pages):
            add_texts(made, fpage=value.first, lpage=value.last)
        elif field == "date":
            _put_date(made, value)
    return reference


@cache_until_registration
def _places() -> dict[str, Place]:
    """Return the places of the fields that need no code; a list of names has a group of its own."""
    return places_in("jats", frozenset(_SPECIAL | NAMES))


@cache_until_registration
def _fields_by_place() -> dict[Place, str]:
    return {place: field for field, place in _places().items()}


def _put_names(made: Element, field: str, record: Record) -> None:
    """Enter the names of a field in a group of their own."""
    names, more = record.all(field), record.all(f"{field}-etal")
    if not names and not more:
        return
    group = child(made, "person-group", person_group_type=field)
    for value in names:
        if not isinstance(value, Name) or not value.family:
            child(group, "collab", value_text(value))
            continue
        add_texts(child(group, "name"), surname=value.family, given_names=value.given, suffix=value.suffix)
    for _ in more:
        child(group, "etal")


def _put_date(made: Element, value: Value) -> None:
    """Enter a date by its parts, and all of it in an attribute where they say less."""
    if not isinstance(value, Date) or value.year is None:
        child(made, "comment", value_text(value), content_type=_STATUS)
        return
    year = child(made, "year", f"{value.year:04d}{value.letter}" if value.year >= 0 else value_text(value))
    month, day = (str(part or "") for part in (value.month, value.month and value.day))
    add_texts(made, month=month, day=day, season=value.season.capitalize())
    if value.status:
        child(made, "comment", value.status, content_type=_STATUS)
    if value.end is not None or value.approximate or value.year < 0:
        year.set("iso-8601-date", value.edtf)


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records of every citation of a file; one that cannot be read is `Malformed`."""
    return read_each(stream, frozenset({"ref", *_CITATIONS}), _record, "reference")


def _record(reference: Element) -> Record:
    citations = [one for one in reference.iter() if local(one) in _CITATIONS]
    if not citations:
        raise Unreadable("no element-citation or mixed-citation in it")
    citation = citations[0]
    given = citation.get("publication-type", "")
    known = READ_TYPES | types_from("jats")
    document_type = known.get(given) or _NEAR.get(given, "other")
    warnings = [] if given in known else [f"the type {given[:40]!r} is read as {document_type!r}"]
    warnings += ["it holds several citations, of which the first is read"] if len(citations) > 1 else []
    tags = {local(one) for one in citation}
    has_title = bool(tags & {"article-title", "chapter-title", "data-title", "part-title"})
    if document_type == "book" and "source" in tags and tags & {"chapter-title", "part-title"}:
        document_type = "chapter"
    entries = [Entry("marker", text_of(one)) for one in reference if local(one) == "label"]
    if citation.get(_LANGUAGE):
        entries.append(Entry("language", citation.get(_LANGUAGE)))
    for one in citation:
        if local(one) != "page-range" or "fpage" not in tags:
            entries += _entries(one, document_type, has_title, warnings)
    if not len(citation) and text_of(citation):
        warnings.append("the citation is not divided into elements: its text is kept as a note")
        entries.append(Entry("note", text_of(citation)))
    first, last = (next((text_of(one) for one in citation if local(one) == tag), "") for tag in ("fpage", "lpage"))
    entries += [Entry("pages", Pages(first, last))] if first else []
    entries += _dates(citation)
    kept = tuple(entry for entry in entries if entry.value not in ("", Name()))
    return Record(document_type, kept, key=reference.get("id", ""), warnings=tuple(warnings))


_ALSO_READ = {
    "article-title": "title", "chapter-title": "title", "data-title": "title", "part-title": "title",
    "patent": "number", "std": "number", "conf-name": "event", "conf-loc": "event-place",
    "conf-date": "event-date",
}  # fmt: skip
_ASIDE = frozenset({"fpage", "lpage", "year", "month", "day", "season", ""})


def _entries(element: Element, document_type: str, has_title: bool, warnings: list[str]) -> Iterator[Entry]:
    name, text = local(element), text_of(element)
    if name == "person-group":
        given = element.get("person-group-type", "author").rstrip("s")
        for one in element:
            yield from _one_name(one, given if given in NAMES else "author")
    elif name in ("name", "collab", "etal", "string-name"):
        yield from _one_name(element, "author")
    elif name == "source":
        yield Entry("title" if document_type in _ALONE and not has_title else "container", text)
    elif name == "pub-id":
        yield _read_identifier(element, text)
    elif name == "ext-link":
        yield Entry("url", element.get("{http://www.w3.org/1999/xlink}href") or text)
    elif name == "comment":
        content = element.get("content-type", "")
        if content != _STATUS:
            yield entry_of(_fields_by_place().get(Place(name, "content-type", content), "note"), text)
    elif name == "date-in-citation":
        yield entry_of("accessed", element.get("iso-8601-date") or text)
    elif name in _ALSO_READ:
        yield entry_of(_ALSO_READ[name], text)
    elif name == "page-range":
        yield entry_of("pages", text)
    elif field := _field_at(element):
        yield entry_of(field, text)
    elif name not in _ASIDE:
        warnings.append(f"no field for {name[:40]!r}: {text[:60]}")


def _field_at(element: Element) -> str | None:
    """Return the field whose place an element is, by its name and by the attribute that tells it from others."""
    tag = local(element)
    found = (Place(tag, name.rpartition("}")[2], value) for name, value in element.attrib.items())
    by_place = _fields_by_place()
    return next((by_place[one] for one in (*found, Place(tag)) if one in by_place), None)


def _read_identifier(element: Element, text: str) -> Entry:
    given = element.get("pub-id-type", "").lower()
    field = _fields_by_place().get(Place("pub-id", "pub-id-type", given))
    if field:
        return entry_of(field, text)
    known = {"pmc": "pmcid", "isbn": "isbn", "issn": "issn", "other": "number"}
    return Entry(known[given], text) if given in known else Entry("note", f"{given}: {text}".lstrip(": "))


def _one_name(element: Element, field: str) -> Iterator[Entry]:
    name = local(element)
    if name == "etal":
        yield Entry(f"{field}-etal", "et al.")
    elif name in ("name", "string-name"):
        parts = {local(part): text_of(part) for part in element}
        family = " ".join(filter(None, (parts.get("prefix"), parts.get("surname"))))
        value = Name(family, parts.get("given-names", ""), suffix=parts.get("suffix", ""))
        yield Entry(field, value if parts.get("surname") else Name(literal=text_of(element)))
    elif name:
        yield Entry(field, Name(literal=text_of(element)))


def _dates(citation: Element) -> Iterator[Entry]:
    """Yield the date that year, month, day, season and status make together."""
    found = {local(one): one for one in reversed(citation)}
    states = (one for one in citation if local(one) == "comment" and one.get("content-type") == _STATUS)
    status = next((text_of(one) for one in states), "")
    if "year" not in found:
        if status:
            yield entry_of("date", status)
        return
    year, whole = text_of(found["year"]), found["year"].get("iso-8601-date")
    named = read_date(year)
    date = read_date(whole) if whole else named
    if isinstance(date, str) or date.year is None:
        yield entry_of("date", year)
        return
    month, day, season = (text_of(found[tag]) if tag in found else "" for tag in ("month", "day", "season"))
    number = number_within(month, 1, 12)
    if not whole and number is not None:
        date = replace(date, month=number, day=number_within(day, 1, 31))
    if season.lower() in SEASONS:
        date = replace(date, season=season.lower())
    letter = named.letter if isinstance(named, Date) else ""
    yield Entry("date", replace(date, letter=letter, status=status))
