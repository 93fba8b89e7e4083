"""The records of a BibTeX or BibLaTeX file; bibtexparser finds the entries, pylatexenc reads their TeX."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from ibidem.records.formats.bibtex import FIELD_NAMES, MONTHS, NUMBERED, edition_of
from ibidem.records.formats.latex import decoded
from ibidem.records.formats.shape import Readable, missing
from ibidem.records.formats.values import clean, entry_of, read_date
from ibidem.records.record import NAMES, TYPES, Date, Entry, Name, Record
from ibidem.types import Malformed

READ_TYPES: dict[str, str] = {
    "article": "article", "periodical": "article", "suppperiodical": "article", "review": "article",
    "inproceedings": "paper", "conference": "paper",
    "book": "book", "booklet": "book", "proceedings": "book", "collection": "book", "mvbook": "book",
    "mvcollection": "book", "mvproceedings": "book", "manual": "book", "mvreference": "book", "reference": "book",
    "incollection": "chapter", "inbook": "chapter", "inreference": "chapter", "bookinbook": "chapter",
    "suppbook": "chapter", "suppcollection": "chapter",
    "phdthesis": "thesis", "mastersthesis": "thesis", "thesis": "thesis",
    "techreport": "report", "report": "report",
    "unpublished": "preprint",
    "online": "webpage", "electronic": "webpage", "www": "webpage",
    "dataset": "dataset", "software": "software", "standard": "standard", "legislation": "standard",
    "patent": "patent",
    "misc": "other",
}  # fmt: skip
_ALSO = {
    "journal": "container", "journaltitle": "container", "location": "place", "school": "institution",
    "organization": "institution", "issue": "issue", "langid": "language", "maintitle": "container",
    "version": "edition", "howpublished": "note", "annote": "note", "annotation": "note", "addendum": "note",
}  # fmt: skip
_FIELDS = {name: field for field, name in FIELD_NAMES.items() if field not in ("date", "number", "arxiv")} | _ALSO
_OF_DATES = frozenset({"year", "month", "day", "date", "yearsuffix", "pubstate"})
_ASIDE = frozenset({"entrysubtype", "eprint", "eprinttype", "archiveprefix", "primaryclass", "eprintclass", "number"})
_VERBATIM = frozenset({"url", "doi", "eprint"})
_TILDE = re.compile(r"\\~\s*(?:\{\\?[A-Za-z]\}|\\?[A-Za-z])")  # an accent, which would be taken for a blank
_MASTERS = {"mastersthesis": "Master's thesis"}


def read(stream: BinaryIO) -> Iterator[Readable]:
    """The records of the entries in their order; an entry that cannot be read is `Malformed`."""
    bibtexparser = _bibtexparser()
    text = stream.read().decode("utf-8-sig", "replace")
    quiet, before = logging.getLogger("bibtexparser"), logging.getLogger("bibtexparser").level
    quiet.setLevel(logging.CRITICAL)  # what it would say is in the blocks that failed
    try:
        library = bibtexparser.parse_string(text, parse_stack=_stack(bibtexparser))
    finally:
        quiet.setLevel(before)
    for block in library.blocks:
        kept = getattr(block, "ignore_error_block", None)
        where = f"line {(block.start_line or 0) + 1}"
        if hasattr(block, "entry_type"):
            yield _read_one(block, where)
        elif hasattr(kept, "entry_type") and type(block).__name__ == "DuplicateBlockKeyBlock":
            yield _read_one(kept, where)
        elif hasattr(block, "error"):
            yield Malformed(where, f"no BibTeX entry: {clean(str(block.error) or (block.raw or ''))[:200]}")


def _bibtexparser() -> Any:
    try:
        import bibtexparser
    except ImportError as error:
        raise missing("bibtexparser", "formats", "reading BibTeX") from error
    return bibtexparser


def _stack(bibtexparser: Any) -> list[Any]:
    """The steps that we leave to the library: strings put in, braces or quotes around a value taken off."""
    steps = bibtexparser.middlewares
    return [steps.ResolveStringReferencesMiddleware(True), steps.RemoveEnclosingMiddleware(True)]


def _read_one(block: Any, where: str) -> Readable:
    fields = {field.key.lower(): str(field.value) for field in block.fields}
    try:
        return record_of_entry(block.entry_type.lower(), block.key, fields)
    except (ValueError, RecursionError) as error:
        return Malformed(where, f"the entry {str(block.key)[:60]!r} cannot be read: {error}")


def record_of_entry(given: str, key: str, fields: dict[str, str]) -> Record:
    """The record of an entry of a type, given its fields as TeX, their names in lower case."""
    warnings: list[str] = []
    kind = fields.get("entrysubtype", "") if fields.get("entrysubtype", "") in TYPES else READ_TYPES.get(given, "other")
    if kind == "other" and given == "misc" and fields.get("archiveprefix", "").lower() == "arxiv":
        kind = "preprint" if "entrysubtype" not in fields else kind
    if given not in READ_TYPES:
        warnings.append(f"the type {given[:40]!r} is read as {kind!r}")
    entries: list[Entry] = []
    for name, source in fields.items():
        field = _FIELDS.get(name)
        if name == "number":
            field = "number" if kind in NUMBERED else "issue"
        elif name == "reportnumber":
            field = "number"
        if name == "eprint":
            entries += _eprint(fields, warnings)
        elif field in NAMES:
            entries += _people(field, source)
        elif name == "edition":
            entries += _edition(source, fields, warnings)
        elif field is not None:
            text = _address(source) if name in _VERBATIM else clean(decoded(source))
            entries += [entry_of(field, text)] if text else []
        elif name not in _OF_DATES and name not in _ASIDE and not (name == "editiontext" and "edition" in fields):
            warnings.append(f"no field for {name[:40]!r}: {source[:60]}")
    if given in _MASTERS and "type" not in fields:
        entries.append(Entry("genre", _MASTERS[given]))
    entries += _dates(fields)
    return Record(kind, tuple(entries), key=key, warnings=tuple(warnings))


def _address(source: str) -> str:
    """An address without the backslashes that many put before its special characters."""
    return clean(re.sub(r"\\([_%&#~$])(?:\{\})?", r"\1", source))


def _eprint(fields: dict[str, str], warnings: list[str]) -> Iterator[Entry]:
    kind = (fields.get("eprinttype") or fields.get("archiveprefix") or "arxiv").lower()
    if kind == "arxiv":
        yield Entry("arxiv", _address(fields["eprint"]))
    else:
        warnings.append(f"no field for the eprint {fields['eprint'][:60]!r} of {kind[:40]}")


def _edition(source: str, fields: dict[str, str], warnings: list[str]) -> Iterator[Entry]:
    text, written = clean(decoded(source)), clean(decoded(fields.get("editiontext", "")))
    number = edition_of(text, written)
    if written and written != number.text:
        warnings.append(f"'editiontext' is not the edition: {written[:60]}")
    if text:
        yield Entry("edition", number, raw=text if text != number.text else "")


def _dates(fields: dict[str, str]) -> Iterator[Entry]:
    """The date that year, month, day and the rest make together."""
    year, status = (clean(decoded(fields.get(name, ""))) for name in ("year", "pubstate"))
    letter = clean(decoded(fields.get("yearsuffix", "")))
    whole = clean(fields.get("date", ""))
    date = read_date(whole) if whole else _of_parts(year, fields)
    if isinstance(date, str):
        date = read_date(date or status)
    elif letter or (status and date.year is not None):
        date = Date(
            date.year, date.month, date.day, date.season, letter or date.letter, date.approximate, status, date.end
        )  # fmt: skip
    if isinstance(date, Date) and date != Date():
        yield Entry("date", date)
    elif isinstance(date, str) and date:
        yield entry_of("date", date)


def _of_parts(year: str, fields: dict[str, str]) -> Date | str:
    found = read_date(year)
    if not isinstance(found, Date) or found.year is None:
        return found
    month = clean(decoded(fields.get("month", ""))).lower()
    day = clean(fields.get("day", ""))
    number = MONTHS.index(month[:3]) + 1 if month[:3] in MONTHS else int(month) if month.isdecimal() else None
    if number is None or not 1 <= number <= 12:
        return found
    within = int(day) if day.isdecimal() and 1 <= int(day) <= 31 else None
    return Date(found.year, number, within, "", found.letter, found.approximate, found.status, found.end)


def _people(field: str, source: str) -> Iterator[Entry]:
    """The names of a list, and the words for et al. where it ends in `others`."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for one in split_multiple_persons_names(_TILDE.sub(lambda found: decoded(found.group()), source)):
        if one.strip().lower() == "others":
            yield Entry(f"{field}-etal", "et al.")
            continue
        if _is_group(one):
            yield Entry(field, Name(literal=clean(decoded(one))))
            continue
        parts = parse_single_name_into_parts(one, strict=False)
        given, particle, family, suffix = (
            clean(decoded(" ".join(words))) for words in (parts.first, parts.von, parts.last, parts.jr)
        )
        yield Entry(field, Name(family, given, particle, suffix) if family else Name(literal=given or particle))


def _is_group(source: str) -> bool:
    """Whether one pair of braces holds the whole of it."""
    source = source.strip()
    if not (source.startswith("{") and source.endswith("}")):
        return False
    depth = 0
    for place, character in enumerate(source):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return place == len(source) - 1
    return False
