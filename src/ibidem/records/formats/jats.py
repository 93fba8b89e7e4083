"""JATS `element-citation`, as the journals of PubMed Central hold their references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO

from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Options, Readable
from ibidem.records.formats.values import SEASONS, entry_of, read_date, value_text
from ibidem.records.formats.xml import Element, child, etree, local, read_each, text_of, write_each
from ibidem.records.record import NAMES, Date, Entry, Name, Pages, Record, Value

TYPES: dict[str, str] = {
    "article": "journal",
    "paper": "confproc",
    "book": "book",
    "chapter": "chapter",
    "thesis": "thesis",
    "report": "report",
    "preprint": "preprint",
    "webpage": "web",
    "dataset": "data",
    "software": "software",
    "standard": "standard",
    "patent": "patent",
    "other": "other",
}
READ_TYPES: dict[str, str] = {
    "article": "article", "periodical": "article", "newspaper": "article", "magazine": "article", "review": "article",
    "conference": "paper", "conf-proc": "paper", "conference-proceedings": "paper", "proceedings": "paper",
    "book-chapter": "chapter", "gov": "report", "working-paper": "report", "website": "webpage", "webpage": "webpage",
    "blog": "webpage", "dataset": "dataset", "database": "dataset", "clinicaltrial": "other", "letter": "other",
}  # fmt: skip
PLACES: dict[str, str] = {
    "author": 'person-group person-group-type="author"',
    "author-etal": "etal in the person-group",
    "editor": 'person-group person-group-type="editor"',
    "editor-etal": "etal in the person-group",
    "translator": 'person-group person-group-type="translator"',
    "title": "article-title, chapter-title, data-title; source for what stands alone",
    "container": "source",
    "series": "series",
    "volume": "volume",
    "issue": "issue",
    "pages": "fpage, lpage",
    "article-number": "elocation-id",
    "edition": "edition",
    "chapter": 'comment content-type="chapter"',
    "date": "year, month, day, season",
    "accessed": 'date-in-citation content-type="access-date"',
    "publisher": "publisher-name",
    "place": "publisher-loc",
    "institution": "institution",
    "genre": 'comment content-type="genre"',
    "number": 'pub-id pub-id-type="other" (patent and std for those)',
    "doi": 'pub-id pub-id-type="doi"',
    "arxiv": 'pub-id pub-id-type="arxiv"',
    "pmid": 'pub-id pub-id-type="pmid"',
    "pmcid": 'pub-id pub-id-type="pmcid"',
    "isbn": "isbn",
    "issn": "issn",
    "url": "uri",
    "language": "xml:lang",
    "archive": 'comment content-type="archive"',
    "note": "comment",
    "marker": "label, in the ref around it",
}
_SIMPLE = {
    "container": "source", "series": "series", "volume": "volume", "issue": "issue", "edition": "edition",
    "article-number": "elocation-id", "publisher": "publisher-name", "place": "publisher-loc",
    "institution": "institution", "isbn": "isbn", "issn": "issn", "url": "uri", "note": "comment",
}  # fmt: skip
_IDS = ("doi", "arxiv", "pmid", "pmcid")
_COMMENTS = frozenset({"genre", "archive", "chapter"})
_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation")
_STATUS = "publication-status"
_ALONE = frozenset({"book", "thesis", "report", "webpage", "software", "standard"})
"""The types whose title is the source where nothing contains them."""
_TITLES = {"chapter": "chapter-title", "dataset": "data-title"}
_NUMBERS = {"patent": "patent", "standard": "std"}
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
LIMITS = Capabilities(
    several=frozenset(PLACES) - {"pages", "date", "language", "marker"},
    parts={
        "particle": "is written as part of the family name",
        "words": "become the element `etal`",
    },
    renamed=dict.fromkeys(sorted(_ALONE), ("container", "title")),
)


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Nothing: writes a `ref-list` of one `ref` with its `element-citation` per record."""
    write_each(records, stream, options, LIMITS, element_of, ("<ref-list>", "</ref-list>"))


def element_of(record: Record, key: str) -> Element:
    """The `ref` of a record that has been fitted."""
    reference = etree().Element("ref", id=key)
    for value in record.all("marker"):
        child(reference, "label", value_text(value))
    made = child(reference, "element-citation", publication_type=TYPES[record.type])
    for value in record.all("language"):
        made.set(_LANGUAGE, value_text(value))
    for field in ("author", "editor", "translator"):
        _people(made, field, record)
    title = _title_tag(record)
    for entry in record.entries:
        field, value = entry.field, entry.value
        if field == "title":
            child(made, title, value_text(value))
        elif field in _SIMPLE:
            child(made, _SIMPLE[field], value_text(value))
        elif field in _IDS:
            child(made, "pub-id", value_text(value), pub_id_type=field)
        elif field == "number":
            tag = _NUMBERS.get(record.type, "pub-id")
            child(made, tag, value_text(value), **({"pub_id_type": "other"} if tag == "pub-id" else {}))
        elif field in _COMMENTS:
            child(made, "comment", value_text(value), content_type=field)
        elif isinstance(value, Pages):
            child(made, "fpage", value.first)
            if value.last:
                child(made, "lpage", value.last)
        elif field == "accessed":
            child(made, "date-in-citation", value_text(value), content_type="access-date")
        elif field == "date":
            _put_date(made, value)
    return reference


def _title_tag(record: Record) -> str:
    if record.type in _ALONE and not record.first("container"):
        return "source"
    return _TITLES.get(record.type, "article-title")


def _people(made: Element, field: str, record: Record) -> None:
    """Nothing: enters the names of a field in a group of their own."""
    names, more = record.all(field), record.all(f"{field}-etal")
    if not names and not more:
        return
    group = child(made, "person-group", person_group_type=field)
    for value in names:
        if not isinstance(value, Name) or not value.family:
            child(group, "collab", value_text(value))
            continue
        name = child(group, "name")
        for tag, text in (("surname", value.family), ("given-names", value.given), ("suffix", value.suffix)):
            if text:
                child(name, tag, text)
    for _ in more:
        child(group, "etal")


def _put_date(made: Element, value: Value) -> None:
    """Nothing: enters a date by its parts, and whole in an attribute where they say less."""
    if not isinstance(value, Date) or value.year is None:
        child(made, "comment", value_text(value), content_type=_STATUS)
        return
    year = child(made, "year", f"{value.year:04d}{value.letter}" if value.year >= 0 else value_text(value))
    if value.month is not None:
        child(made, "month", str(value.month))
        if value.day is not None:
            child(made, "day", str(value.day))
    if value.season:
        child(made, "season", value.season.capitalize())
    if value.status:
        child(made, "comment", value.status, content_type=_STATUS)
    if value.end is not None or value.approximate or value.year < 0:
        year.set("iso-8601-date", value.edtf)


def read(stream: BinaryIO) -> Iterator[Readable]:
    """The records of every citation of a file; one that cannot be read is `Malformed`."""
    return read_each(stream, frozenset({"ref", *_CITATIONS}), _record, "reference")


def _record(reference: Element, _: Any) -> Record:
    citations = [one for one in reference.iter() if local(one) in _CITATIONS]
    if not citations:
        raise ValueError("no element-citation or mixed-citation in it")
    citation = citations[0]
    given = citation.get("publication-type", "")
    known = {jats: ours for ours, jats in TYPES.items()}
    kind = known.get(given) or READ_TYPES.get(given, "other")
    warnings = [] if given in known else [f"the type {given[:40]!r} is read as {kind!r}"]
    warnings += ["it holds several citations, of which the first is read"] if len(citations) > 1 else []
    has_title = any(local(one) in ("article-title", "chapter-title", "data-title", "part-title") for one in citation)
    if kind == "book" and has_title and any(local(one) == "source" for one in citation):
        kind = "chapter" if any(local(one) in ("chapter-title", "part-title") for one in citation) else kind
    entries = [Entry("marker", text_of(one)) for one in reference if local(one) == "label"]
    if citation.get(_LANGUAGE):
        entries.append(Entry("language", citation.get(_LANGUAGE)))
    for one in citation:
        entries += _entries(one, kind, has_title, warnings)
    if not len(citation) and text_of(citation):
        warnings.append("the citation is not divided into elements: its text is kept as a note")
        entries.append(Entry("note", text_of(citation)))
    entries += _pages(citation)
    entries += _dates(citation)
    kept = tuple(entry for entry in entries if entry.value not in ("", Name()))
    return Record(kind, kept, key=reference.get("id", ""), warnings=tuple(warnings))


_BY_TAG = {tag: field for field, tag in _SIMPLE.items() if tag not in ("source", "comment")} | {
    "article-title": "title", "chapter-title": "title", "data-title": "title", "part-title": "title",
    "patent": "number", "std": "number", "conf-name": "container", "conf-loc": "place", "version": "edition",
}  # fmt: skip
_ASIDE = frozenset({"fpage", "lpage", "year", "month", "day", "season", ""})


def _entries(element: Element, kind: str, has_title: bool, warnings: list[str]) -> Iterator[Entry]:
    """The entries that one element makes."""
    name, text = local(element), text_of(element)
    if name == "person-group":
        given = element.get("person-group-type", "author").rstrip("s")
        yield from _names(element, given if given in NAMES else "author")
    elif name in ("name", "collab", "etal", "string-name"):
        yield from _one_name(element, "author")
    elif name == "source":
        yield Entry("title" if kind in _ALONE and not has_title else "container", text)
    elif name == "pub-id":
        yield _identified(element, text)
    elif name == "ext-link":
        yield Entry("url", element.get("{http://www.w3.org/1999/xlink}href") or text)
    elif name == "comment":
        content = element.get("content-type", "")
        if content != _STATUS:
            yield Entry(content if content in _COMMENTS else "note", text)
    elif name == "date-in-citation":
        yield entry_of("accessed", element.get("iso-8601-date") or text)
    elif name in _BY_TAG:
        yield entry_of(_BY_TAG[name], text)
    elif name == "page-range":
        if not any(local(one) == "fpage" for one in element.getparent()):
            yield entry_of("pages", text)
    elif name not in _ASIDE:
        warnings.append(f"no field for {name[:40]!r}: {text[:60]}")


def _identified(element: Element, text: str) -> Entry:
    given = element.get("pub-id-type", "").lower()
    if given in _IDS:
        return Entry(given, text)
    known = {"pmc": "pmcid", "isbn": "isbn", "issn": "issn", "other": "number"}
    return Entry(known[given], text) if given in known else Entry("note", f"{given}: {text}".lstrip(": "))


def _names(group: Element, field: str) -> Iterator[Entry]:
    for one in group:
        yield from _one_name(one, field)


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


def _pages(citation: Element) -> Iterator[Entry]:
    first, last = (next((text_of(one) for one in citation if local(one) == tag), "") for tag in ("fpage", "lpage"))
    if first:
        yield Entry("pages", Pages(first, last))


def _dates(citation: Element) -> Iterator[Entry]:
    """The date that year, month, day, season and status make together."""
    found = {local(one): one for one in reversed(citation)}
    states = (one for one in citation if local(one) == "comment" and one.get("content-type") == _STATUS)
    status = next((text_of(one) for one in states), "")
    if "year" not in found:
        if status:
            yield entry_of("date", status)
        return
    year, whole = text_of(found["year"]), found["year"].get("iso-8601-date")
    date = read_date(whole) if whole else read_date(year)
    named = read_date(year)
    if isinstance(date, str) or date.year is None:
        yield entry_of("date", year)
        return
    month, day, season = (text_of(found[tag]) if tag in found else "" for tag in ("month", "day", "season"))
    if not whole and month.isdecimal() and 1 <= int(month) <= 12:
        date = replace(date, month=int(month), day=int(day) if day.isdecimal() and 1 <= int(day) <= 31 else None)
    if season.lower() in SEASONS:
        date = replace(date, season=season.lower())
    letter = named.letter if isinstance(named, Date) else ""
    yield Entry("date", replace(date, letter=letter, status=status))
