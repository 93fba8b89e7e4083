"""From a parsed reference to a record: every labelled span becomes part of exactly one entry.

Lists of names give an entry for each person or group; parts of dates, pages and names are read together with the field
they belong to. What stands between the entries are separators and text without a label: `origin` has it all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ibidem.errors import ConfigError, IbidemError
from ibidem.faults import describe_fault, trip
from ibidem.records.document_type import type_of
from ibidem.records.fields import FIELDS, NAMES, fields_by_label
from ibidem.records.forms import CERTAIN, revise, strip_marker
from ibidem.records.normalise import journals as tables
from ibidem.records.normalise import normalise_field
from ibidem.records.normalise.dates import AMBIGUOUS
from ibidem.records.normalise.identifiers import arxiv, identifier_in_url
from ibidem.records.normalise.language import language_of
from ibidem.records.normalise.name_lists import split_names
from ibidem.records.normalise.names import in_hungarian_order, in_japanese_order, name_of_parts
from ibidem.records.normalise.numbers import version_of
from ibidem.records.record import Date, Entry, Name, Number, Record, Value
from ibidem.records.types import IN_BOOKS
from ibidem.types import Field, Parsed

VERSIONED = frozenset({"software", "dataset"})
IN_SERIES = IN_BOOKS | {"book", "report", "thesis"}
_SEPARATORS = frozenset("and und et y e i и with con en og och as eds ed &".split())
_WORDS = re.compile(r"[^\W_]+")
_CACHED = frozenset({"container", "date", "pages", "volume", "issue", "publisher", "place", "edition", "series"})
_normalise_cached = lru_cache(1 << 13)(normalise_field)  # for fields whose texts come again and again


def record_of(parsed: Parsed, *, journals: str = "as-is") -> Record:
    """Return the record of a parsed reference; `journals` may be "full" or "abbreviated" to have their names rewritten.

    A reference that could not be parsed gives a record without entries that says why in its warnings; one in which no
    field was found is a note as a whole.

    >>> import ibidem
    >>> record = record_of(ibidem.parse("Doe JA. On things. J Thing Res. 2019;14(3):153-60."))
    >>> record.type, record.first("pages"), record.first("author").given
    ('article', Pages(first='153', last='160'), 'J. A.')
    """
    if journals not in tables.STYLES:
        raise ConfigError(f"journals is {journals!r}: it must be one of {', '.join(tables.STYLES)}")
    error = parsed.error
    if error is None:
        try:
            trip("record", parsed.text)
            return _record(parsed, journals)
        except IbidemError:
            raise
        except Exception as fault:
            error = describe_fault(fault, "making a record of it")
    return Record("other", (), 0.0, origin=parsed, warnings=(error,))


def _record(parsed: Parsed, journals: str) -> Record:
    if not parsed.fields:
        whole = Entry("note", parsed.text, parsed.text, 0, len(parsed.text), 0.0, ("no field was found in it",))
        return Record("other", (whole,), 0.0, origin=parsed)
    entries: list[Entry] = []
    warnings: list[str] = []
    revised = revise(parsed)
    fields = revised.fields
    place, count, dates = 0, len(fields), 0
    in_order = _order_of_names(parsed.text)
    top: Field | None = None  # the last field that is no part of another
    while place < count:
        field = fields[place]
        label = field.label
        end = place + 1
        if label in NAMES:
            if label == "author" and _EDITORS.match(parsed.text, field.end):
                field = field._replace(label="editor")
            while end < count and fields[end].label.startswith(label + "/"):
                end += 1
            entries += _guarded(_name_entries, field, (fields[place + 1 : end], warnings, in_order))
        elif top is None or field.end > top.end or not label.startswith(top.label + "/"):  # else it is read with it
            entries += _guarded(_entry, field, (journals,))
            dates += label == "date"
            top = field
        place = end
    if dates > 1:
        _join_dates(entries)
    if not parsed.text.isascii():
        entries = [_day_first(entry, parsed.text) for entry in entries]
    document_type, probability = (revised.type, CERTAIN) if revised.type else type_of(fields)
    entries = [_refine(entry, document_type, entries) for entry in entries]
    for place, entry in enumerate(entries if revised.remarks else ()):
        if remark := revised.remarks.get(entry.start):
            entries[place] = replace(entry, warnings=(*entry.warnings, remark))
    if revised.years and not any(entry.field == "date" for entry in entries):
        year = revised.years[0]
        value, doubts = normalise_field("date", year.text)
        said = (*doubts, "it stands in another field too")
        entries.append(Entry("date", value, year.text, year.start, year.end, CERTAIN, said))
    return Record(document_type, tuple(entries), probability, "", parsed, tuple(warnings))


def _order_of_names(text: str) -> Order | None:
    """Return what puts the names of a reference in the order of its language, None where that is the usual one."""
    if text.isascii():
        return None
    return in_japanese_order if _JAPANESE.search(text) else in_hungarian_order if _HUNGARIAN.search(text) else None


def _refine(entry: Entry, document_type: str, entries: Sequence[Entry]) -> Entry:
    """Return an entry as the field that its label means in a work of some type, or next to other fields.

    The edition of a program is its version, and the volume after the name of a series the number in that series; a
    number of arXiv is one whatever its label.
    """
    value = entry.value
    if (
        entry.field == "edition"
        and isinstance(value, Number)
        and (document_type in VERSIONED or _VERSION.match(entry.raw))
    ):
        return replace(entry, field="version", value=version_of(value.text))
    if (
        entry.field == "volume"
        and document_type in IN_SERIES
        and any(one.field == "series" and 0 <= entry.start - one.end <= _NEAR for one in entries)
    ):
        return replace(entry, field="series-number")
    if entry.field in ("number", "article-number") and isinstance(value, str) and _ARXIV.match(value):
        found, doubts = arxiv(value)
        return entry if doubts else replace(entry, field="arxiv", value=found)
    if entry.field == "title" and isinstance(value, str) and value.endswith("]"):
        return replace(entry, value=strip_marker(value))
    return entry


Order = Callable[[Name], Name]
# Kana, and characters that are written in another way in Chinese.
_JAPANESE = re.compile(r"[\u3041-\u30fa々図読発売働込広沢辺駅渋覧観権関単戦験経済実総県労営訳続帰団変]")
# What follows a list of editors, whatever the parser took it for.
_EDITORS = re.compile(
    r"[,;]?\s{0,2}(?:[(\[]\s?(?:[Ee]ds?|[Ee]ditors?|EDS?|[Hh]rsgg?|[Hh]gg?|[Oo]rgs?|[Dd]irs?|[Cc]oords?|[Ss]zerk|[Rr]ed|[Tt]oim|"
    r"[Ee]dd|a cura di|עורך|עורכת|עורכים|ویراستار)\.?\s?[)\]]|[Hh]rsg\.|(?:主编|主編|編))"
)
_HUNGARIAN = re.compile(r"[őűŐŰ]|\b(?:szerk|évf|kiadó|Kiadó|Budapest)\b")
_NEAR = 12  # characters between the name of a series and the number in it
_VERSION = re.compile(r"v(?:er(?:sion)?)?[. ]{0,2}\d", re.IGNORECASE)
_ARXIV = re.compile(r"arXiv:\s?\S", re.IGNORECASE)


def _guarded(make: Callable[..., list[Entry]], field: Field, arguments: tuple[Any, ...]) -> list[Entry]:
    """Return the entries that `make` returns of a field; where it raises, its text as it is, with a warning."""
    try:
        trip("normalise", field.text)
        return make(field, *arguments)
    except IbidemError:
        raise
    except Exception as error:
        label, text = field.label, field.text
        value: Value = Name(literal=text) if label in NAMES else text
        fault = describe_fault(error, "normalising it")
        name = fields_by_label().get(label, "note")
        return [Entry(name, value, text, field.start, field.end, field.confidence, (fault,))]


def _entry(field: Field, journals: str) -> list[Entry]:
    """Return the entry of a field that is no list of names."""
    label, text = field.label, field.text
    name = fields_by_label().get(label, "")
    if not name:
        value, warnings = normalise_field("note", text)
        warnings += (f"labelled {label!r}, which is no field of a record",)
        return [Entry("note", value, text, field.start, field.end, field.confidence, warnings)]
    if name in {"url", "note"}:
        name, value, warnings = _reclassify(name, text)
    elif name in _CACHED:
        value, warnings = _normalise_cached(name, text)
        if label == "journal" and journals != "as-is" and isinstance(value, str):
            value, more = tables.journal_of(value, journals, tables.table())
            warnings += more
    else:
        value, warnings = normalise_field(name, text)
    return [Entry(name, value, text, field.start, field.end, field.confidence, warnings)]


def _reclassify(name: str, text: str) -> tuple[str, Value, tuple[str, ...]]:
    """Return field and value of an address or a remark, which may be a DOI, an arXiv identifier or a language."""
    if name == "url" and (other := identifier_in_url(text)):
        return *other, ()
    if name == "note" and (code := language_of(text)):
        return "language", code, ()
    return name, *normalise_field(name, text)


def _name_entries(whole: Field, parts: Sequence[Field], warnings: list[str], in_order: Order | None) -> list[Entry]:
    """Return an entry for each name of a list, and for the words that say that it goes on.

    Where the parser is sure of its parts of the list, they are the names. Otherwise the list is divided by
    `split_names`, which holds for lists unlike those that it was trained on too.
    """
    text, start, role = whole.text, whole.start, whole.label
    sure = {(part.start, part.end): part.confidence for part in parts}
    spans = [] if in_order else _sure_names(whole, parts)
    if not spans:
        found, more = split_names(text)
        spans = [(left, right, role, in_order(name) if in_order else name) for left, right, name in found]
        if more is not None and f"{role}-etal" in FIELDS:
            spans.append((*more, f"{role}-etal", text[slice(*more)]))
            spans.sort(key=lambda span: span[0])
    if not spans:
        spans = [(0, len(text), role, Name(literal=text))]
    entries: list[Entry] = []
    gap = 0
    for left, right, name, value in spans:
        _check_gap(role, text[gap:left], warnings)
        begin, end = start + left, start + right
        entries.append(Entry(name, value, text[left:right], begin, end, sure.get((begin, end), whole.confidence)))
        gap = right
    _check_gap(role, text[gap:], warnings)
    return entries


_SURE = 0.9  # confidence of every part; below it, rules divide lists of other domains better, and no worse in others
_PLAIN = frozenset({"", " ", ",", ", ", "; ", " & ", ", & ", " and ", ", and "})
_PARTS = frozenset("family given suffix".split())


def _sure_names(whole: Field, parts: Sequence[Field]) -> list[tuple[int, int, str, Value]]:
    """Return the persons of a list if the parser is sure of each of them and of its parts, none if it is not."""
    start, role = whole.start, whole.label
    if not parts or min(part.confidence for part in parts) < _SURE:
        return []
    names: list[tuple[int, int, str, Value]] = []
    gap, place, inner = start, 0, parts[0].label.index("/") + 1
    while place < len(parts):
        person, place = parts[place], place + 1
        if person.label[inner:] != "person" or whole.text[gap - start : person.start - start] not in _PLAIN:
            return []
        texts: dict[str, str] = {}
        size = 0
        while place < len(parts) and parts[place].end <= person.end:
            part, place = parts[place], place + 1
            kind = part.label.rpartition("/")[2]
            if kind not in _PARTS or kind in texts:
                return []
            texts[kind] = part.text
            size += len(part.text)
        if "family" not in texts or len(person.text) - size > len(texts) + 1:
            return []
        name = name_of_parts(texts["family"], texts.get("given", ""), texts.get("suffix", ""))
        names.append((person.start - start, person.end - start, role, name))
        gap = person.end
    return names if whole.text[gap - start :] in _PLAIN else []


def _check_gap(role: str, text: str, warnings: list[str]) -> None:
    """Warn where a list has words between its names that are no separators."""
    words = [word for word in _WORDS.findall(text) if word.lower() not in _SEPARATORS]
    if words:
        warnings.append(f"{role}: {text.strip()!r} is of no name")


def _day_first(entry: Entry, text: str) -> Entry:
    """Return a date such as 04/06/2019 with the day before the month where the reference is not in Latin script."""
    date = entry.value
    if AMBIGUOUS not in entry.warnings or not isinstance(date, Date) or date.month is None or date.day is None:
        return entry
    letters = [character for character in text if character.isalpha()]
    if sum(character > "\u02ff" for character in letters) * 2 < len(letters):
        return entry
    others = tuple(one for one in entry.warnings if one != AMBIGUOUS)
    return replace(entry, value=replace(date, month=date.day, day=date.month), warnings=others)


def _join_dates(entries: list[Entry]) -> None:
    """Join a year that stands alone with the month and day that stand elsewhere in the reference."""
    found = [(place, entry.value) for place, entry in enumerate(entries) if entry.field == "date"]
    dates = [(place, date, date.month is not None or date.season) for place, date in found if isinstance(date, Date)]
    years = [(place, date) for place, date, has_month in dates if date.year is not None and not has_month]
    states = [(place, date) for place, date, _ in dates if date.year is None and date.status not in ("", "n.d.")]
    if years and states:
        (place, year), (other, state) = years[0], states[0]
        first, second = sorted((place, other))
        entries[first] = replace(entries[first], value=replace(year, status=state.status))
        remark = "joined with the date that stands elsewhere"
        entries[second] = replace(entries[second], warnings=(*entries[second].warnings, remark))
    months = [(place, date) for place, date, has_month in dates if date.year is None and has_month]
    if years and months:
        (place, year), (other, month) = years[0], months[0]
        joined = replace(year, month=month.month, day=month.day, season=month.season)
        entries[place] = replace(entries[place], value=joined)
        warning = "its year stands elsewhere, with which it was joined"
        entries[other] = replace(entries[other], warnings=(warning,))
