"""TEI `biblStruct`, in the shape in which GROBID writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ibidem.errors import ConfigError
from ibidem.records.fields import NAMES, cache_until_registration
from ibidem.records.formats.format import Capabilities, Options, Readable
from ibidem.records.formats.values import entry_of, read_date, read_pages, value_text
from ibidem.records.formats.xml import (
    XML_ID,
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
from ibidem.records.record import Date, Entry, Name, Pages, Record, Value
from ibidem.records.types import IN_BOOKS, IN_PERIODICALS, TYPES

NAMESPACE = "http://www.tei-c.org/ns/1.0"
_INSIDE = IN_PERIODICALS | IN_BOOKS
"""The types of works that are part of another: their title, authors and identifiers stand under `analytic`."""
_SPECIAL = frozenset(
    """author author-etal editor editor-etal translator title container series edition date accessed institution url
    language""".split()
)
CAPABILITIES = Capabilities(column="tei")


@cache_until_registration
def _places() -> dict[str, Place]:
    """Return the places of the fields that need no code: an idno, a biblScope, a note, or part of the imprint."""
    found = places_in("tei", frozenset(_SPECIAL | NAMES))
    for field, place in found.items():
        if place.tag not in ("idno", "biblScope", "note") and not place.tag.startswith("imprint/"):
            known = 'idno[@type="…"], biblScope[@unit="…"], note[@type="…"] or imprint/…'
            raise ConfigError(f"the field {field!r} cannot stand in the TEI element {place.tag!r}; give {known}")
    return found


@cache_until_registration
def _fields(tag: str) -> dict[str, str]:
    """Return the field of each value of the attribute of an element, in the order of the table."""
    return {place.value: field for field, place in _places().items() if place.tag == tag}


def write(records: Iterable[Record], stream: BinaryIO, options: Options) -> None:
    """Write a `listBibl` of one `biblStruct` per record, inside a TEI document."""
    head = "<teiHeader><fileDesc><titleStmt><title>References</title></titleStmt><publicationStmt><p>Ibidem</p>"
    head += "</publicationStmt><sourceDesc><p>References as records</p></sourceDesc></fileDesc></teiHeader>"
    around = f'<TEI xmlns="{NAMESPACE}">\n{head}\n<text><body><listBibl>', "</listBibl></body></text></TEI>"
    write_each(records, stream, options, CAPABILITIES, element_of, around)


def element_of(record: Record, key: str) -> Element:
    """Return the `biblStruct` of an adapted record."""
    made = etree().Element(f"{{{NAMESPACE}}}biblStruct", nsmap={None: NAMESPACE})
    made.set(XML_ID, key)
    made.set("type", record.type)
    inside = record.type in _INSIDE
    analytic = child(made, "analytic") if inside else None
    monogr = child(made, "monogr")
    work = monogr if analytic is None else analytic
    others = sorted(NAMES - {"author", "translator", "editor"})
    for field in ("title", "author", "translator", *others, "author-etal"):
        for value in record.all(field):
            _put(work, field, value, inside)
    for kind, field in _fields("idno").items():
        for value in record.all(field):
            child(work, "idno", value_text(value), type=kind)
    for value in record.all("url"):
        child(work, "ptr", target=value_text(value))
    _monograph(monogr, record, inside)
    for value in record.all("series"):
        child(child(made, "series"), "title", value_text(value), level="s")
    for entry in record.entries:
        place = _places().get(entry.field)
        if place is not None and place.tag == "note":
            child(made, "note", value_text(entry.value), **place.attributes)
    return made


def _monograph(monogr: Element, record: Record, inside: bool) -> None:
    """Fill in what is said of the whole publication, in the order of the schema."""
    level = "j" if record.type in IN_PERIODICALS else "m"
    for value in record.all("container"):
        # A work that is no part of another has its own title here; what contains it all the same is marked.
        attributes = {"level": level} if inside else {"level": level, "type": "container"}
        child(monogr, "title", value_text(value), **attributes)
    if not any(local(one) == "title" for one in monogr):
        child(monogr, "title")  # the schema wants one
    for value in record.all("language"):
        child(monogr, "textLang", mainLang=value_text(value))
    for field in ("editor", "editor-etal", "institution"):
        for value in record.all(field):
            _put(monogr, field, value, inside)
    for value in record.all("edition"):
        child(monogr, "edition", value_text(value))
    imprint = child(monogr, "imprint")
    for entry in record.entries:
        _put_in_imprint(imprint, entry.field, entry.value)
    if not any(entry.field == "date" for entry in record.entries):
        child(imprint, "date")  # the schema wants something in an imprint


def _put(parent: Element, field: str, value: Value, inside: bool) -> None:
    if field == "title":
        child(parent, "title", value_text(value), level="a" if inside else "m", type="main")
    elif field.endswith("-etal"):
        made = child(parent, "respStmt")
        child(made, "resp", value_text(value))
        child(made, "name", type=field)
    elif field == "institution":
        add_texts(child(parent, "respStmt"), resp=field, orgName=value_text(value))
    else:
        made = child(parent, "author" if field == "author" else "editor")
        if field not in ("author", "editor"):
            made.set("role", field)
        if not isinstance(value, Name) or not value.family:
            child(made, "orgName", value_text(value))
            return
        parts = {"forename": value.given, "nameLink": value.particle, "surname": value.family, "genName": value.suffix}
        add_texts(child(made, "persName"), **parts)


def _put_in_imprint(imprint: Element, field: str, value: Value) -> None:
    """Enter what stands in the imprint: dates, pages, numbers of volumes and the like, and its own elements."""
    place = _places().get(field, Place(""))
    if place.tag.startswith("imprint/"):
        child(imprint, place.tag.removeprefix("imprint/"), value_text(value), **place.attributes)
    elif field in ("date", "accessed"):
        made = child(imprint, "date", value_text(value), type="published" if field == "date" else "accessed")
        if isinstance(value, Date) and value.year is not None and value == Date(value.year, value.month, value.day):
            made.set("when", value.edtf)
    elif place.tag == "biblScope" and isinstance(value, Pages):
        # As GROBID does: a range in attributes, one page as text.
        attributes = {"from": value.first, "to": value.last} if value.last else {}
        if not value.last and read_pages(value.first) != value:
            attributes = {"from": value.first}  # a page with a dash of its own is no range
        child(imprint, "biblScope", "" if attributes else value.first, **place.attributes, **attributes)
    elif place.tag == "biblScope":
        child(imprint, "biblScope", value_text(value), **place.attributes)


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records of every `biblStruct` of a file; one that cannot be read is `Malformed`."""
    return read_each(stream, frozenset({"biblStruct"}), _record, "biblStruct")


def _record(element: Element) -> Record:
    entries: list[Entry] = []
    warnings: list[str] = []
    parts = {local(part): part for part in element if local(part) in ("analytic", "monogr")}
    inside = "analytic" in parts
    for part in element:
        name = local(part)
        if name in parts:
            for one in part:
                entries += _entries(one, name, inside, warnings)
        elif name == "series":
            entries += (Entry("series", text_of(one)) for one in part if local(one) == "title")
        else:
            entries += _entries(part, "", inside, warnings)
    given = element.get("type", "")
    document_type = given if given in TYPES else _guess_type(parts, inside)
    if given not in TYPES:
        said = f"the type {given[:40]!r} is" if given else "no type given;"
        warnings.append(f"{said} read as {document_type!r}")
    kept = tuple(entry for entry in entries if entry.value not in ("", Name(), Pages("")))
    return Record(document_type, kept, key=element.get(XML_ID, ""), warnings=tuple(warnings))


def _guess_type(parts: dict[str, Element], inside: bool) -> str:
    """Guess the type where the file, as GROBID's, says none: by the level of the titles."""
    levels = {title.get("level") for title in parts.get("monogr", ()) if local(title) == "title"}
    if not inside:
        return "book" if "m" in levels else "other"
    return "article" if "j" in levels else "chapter" if "m" in levels else "other"


def _entries(element: Element, where: str, inside: bool, warnings: list[str]) -> Iterator[Entry]:
    name, text = local(element), text_of(element)
    if name == "title":
        contains = where == "monogr" and (inside or element.get("type") == "container" or element.get("level") == "j")
        yield Entry("container" if contains else "title", text)
    elif name in ("author", "editor"):
        role = element.get("role") if element.get("role") in NAMES else name
        yield from (Entry(role, value) for value in _names(element))
    elif name == "respStmt":
        words = next((text_of(one) for one in element if local(one) == "resp"), "")
        for one in element:
            if local(one) == "orgName":
                yield Entry("institution", text_of(one))
            elif local(one) == "name" and one.get("type", "").removesuffix("-etal") in NAMES:
                yield Entry(one.get("type"), words)
    elif name == "idno":
        given = element.get("type", "").lower()
        field = next((one for kind, one in _fields("idno").items() if kind.lower() == given), "note")
        yield Entry(field, text if field != "note" else f"{element.get('type', '')}: {text}".lstrip(": "))
    elif name == "ptr":
        yield Entry("url", element.get("target", ""))
    elif name == "textLang":
        yield Entry("language", element.get("mainLang", ""))
    elif name == "edition":
        yield entry_of("edition", text)
    elif name == "imprint":
        for one in element:
            yield from _of_imprint(one)
    elif name == "note":
        yield entry_of(_fields("note").get(element.get("type", ""), "note"), text)
    elif name:
        warnings.append(f"no field for {name[:40]!r}: {text[:60]}")


def _names(element: Element) -> Iterator[Value]:
    """Yield the names in an author or editor, persons by their parts."""
    found = [one for one in element if local(one) in ("persName", "orgName", "name")]
    for one in found:
        if local(one) != "persName":
            yield Name(literal=text_of(one))
            continue
        parts: dict[str, list[str]] = {}
        for part in one:
            parts.setdefault(local(part), []).append(text_of(part))
        family, given, particle, suffix = (
            " ".join(parts.get(tag, [])) for tag in ("surname", "forename", "nameLink", "genName")
        )
        yield Name(family, given, particle, suffix) if family else Name(literal=text_of(one))
    if not found and text_of(element):
        yield Name(literal=text_of(element))


def _of_imprint(element: Element) -> Iterator[Entry]:
    known = {place.tag: field for field, place in _places().items()}
    name, text = local(element), text_of(element)
    if name == "date":
        field = {"accessed": "accessed", **_fields("imprint/date")}.get(element.get("type", ""), "date")
        when = element.get("when") or "/".join(filter(None, (element.get("from"), element.get("to"))))
        value = read_date(when or text)
        if when and isinstance(value, str):
            value = read_date(text)
        yield entry_of(field, text or when) if isinstance(value, str) else Entry(field, value)
    elif name == "biblScope":
        first, last = element.get("from", ""), element.get("to", "")
        field = _fields("biblScope").get(element.get("unit", ""), "note")
        if field == "pages":
            yield Entry(field, Pages(first, last)) if first else entry_of(field, text)
        else:
            yield entry_of(field, text or first)
    elif name and text:
        yield entry_of(known.get(f"imprint/{name}", "note"), text)
