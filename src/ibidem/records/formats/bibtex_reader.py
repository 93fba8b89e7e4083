"""The records of a BibTeX or BibLaTeX file; bibtexparser finds the entries, pylatexenc reads their TeX."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, BinaryIO

from ibidem.records.fields import NAMES, TYPES, cache_until_registration, names_in
from ibidem.records.formats.bibtex import MONTHS, NUMBERED, edition_of
from ibidem.records.formats.format import Readable, read_one, read_whole
from ibidem.records.formats.latex import decode
from ibidem.records.formats.values import Unreadable, clean, entry_of, number_within, read_date
from ibidem.records.record import Date, Entry, Name, Record
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
_OF_DATES = frozenset({"year", "month", "day", "date", "yearsuffix", "pubstate"})
_ASIDE = frozenset({"entrysubtype", "eprint", "eprinttype", "archiveprefix", "primaryclass", "eprintclass", "number"})
_VERBATIM = frozenset({"url", "doi", "eprint"})
_LARGEST = 1 << 27  # bytes of a file that is read at once: bibtexparser's blocks take fifteen times as many
_MOST = 1_000_000  # entries that are read at once: each takes a kilobyte or more, however short it is
_TILDE = re.compile(r"\\~\s*(?:\{\\?[A-Za-z]\}|\\?[A-Za-z])")  # an accent, which would be taken for a space


def read(stream: BinaryIO) -> Iterator[Readable]:
    """Yield the records of the entries in their order; an entry that cannot be read is `Malformed`."""
    from bibtexparser import middlewares as steps
    from bibtexparser.entrypoint import parse_string

    # What is left to the library: strings put in, braces or quotes around a value taken off.
    stack = [steps.ResolveStringReferencesMiddleware(True), steps.RemoveEnclosingMiddleware(True)]
    data = read_whole(stream, _LARGEST)
    if data.count(b"@") > _MOST or data.count(b"=") > 8 * _MOST:
        raise Unreadable(f"it has more than {_MOST:,} entries, or {8 * _MOST:,} fields; split it")
    text = data.decode("utf-8-sig", "replace")
    quiet, before = logging.getLogger("bibtexparser"), logging.getLogger("bibtexparser").level
    quiet.setLevel(logging.CRITICAL)  # what it would say is in the blocks that failed
    try:
        library = parse_string(text, parse_stack=stack)
    finally:
        quiet.setLevel(before)
    for block in library.blocks:
        kept = getattr(block, "ignore_error_block", None)
        where = f"line {(block.start_line or 0) + 1}"
        if hasattr(block, "entry_type"):
            yield read_one(partial(_record, block), where)
        elif hasattr(kept, "entry_type") and type(block).__name__ == "DuplicateBlockKeyBlock":
            yield read_one(partial(_record, kept), where)
        elif hasattr(block, "error"):
            yield Malformed(where, f"no BibTeX entry: {clean(str(block.error) or (block.raw or ''))[:200]}")


@cache_until_registration
def _fields_by_name() -> dict[str, str]:
    """Return the field of every name that has one whatever the type of the entry."""
    pairs = [*names_in("biblatex").items(), *names_in("bibtex").items()]
    special = ("date", "number", "arxiv", "author-etal", "editor-etal")
    return {name: field for field, name in pairs if field not in special} | _ALSO


def _record(block: Any) -> Record:
    fields = {field.key.lower(): str(field.value) for field in block.fields}
    try:
        return record_of_entry(block.entry_type.lower(), block.key, fields)
    except RecursionError:
        raise Unreadable(f"the braces of the entry {str(block.key)[:60]!r} are nested too deeply") from None


def record_of_entry(entry_type: str, key: str, fields: dict[str, str]) -> Record:
    """Return the record of an entry of a type, given its fields as TeX, their names in lower case."""
    warnings: list[str] = []
    subtype = fields.get("entrysubtype", "")
    document_type = subtype if subtype in TYPES else READ_TYPES.get(entry_type, "other")
    if document_type == "other" and entry_type == "misc" and fields.get("archiveprefix", "").lower() == "arxiv":
        document_type = "preprint" if "entrysubtype" not in fields else document_type
    if entry_type not in READ_TYPES:
        warnings.append(f"the type {entry_type[:40]!r} is read as {document_type!r}")
    entries: list[Entry] = []
    for name, source in fields.items():
        field = _fields_by_name().get(name)
        if name == "number":
            field = "number" if document_type in NUMBERED else "issue"
        elif name == "reportnumber":
            field = "number"
        if name == "eprint":
            entries += _eprint(fields, warnings)
        elif field in NAMES:
            entries += _people(field, source)
        elif name == "edition":
            entries += _edition(source, fields, warnings)
        elif field is not None:
            text = _address(source) if name in _VERBATIM else clean(decode(source))
            entries += [entry_of(field, text)] if text else []
        elif name not in _OF_DATES and name not in _ASIDE and not (name == "editiontext" and "edition" in fields):
            warnings.append(f"no field for {name[:40]!r}: {source[:60]}")
    if entry_type == "mastersthesis" and "type" not in fields:
        entries.append(Entry("genre", "Master's thesis"))
    entries += _dates(fields)
    return Record(document_type, tuple(entries), key=key, warnings=tuple(warnings))


def _address(source: str) -> str:
    """Return an address without the backslashes that many put before its special characters."""
    return clean(re.sub(r"\\([_%&#~$])(?:\{\})?", r"\1", source))


def _eprint(fields: dict[str, str], warnings: list[str]) -> Iterator[Entry]:
    kind = (fields.get("eprinttype") or fields.get("archiveprefix") or "arxiv").lower()
    if kind == "arxiv":
        yield Entry("arxiv", _address(fields["eprint"]))
    else:
        warnings.append(f"no field for the eprint {fields['eprint'][:60]!r} of {kind[:40]}")


def _edition(source: str, fields: dict[str, str], warnings: list[str]) -> Iterator[Entry]:
    text, written = clean(decode(source)), clean(decode(fields.get("editiontext", "")))
    number = edition_of(text, written)
    if written and written != number.text:
        warnings.append(f"'editiontext' is not the edition: {written[:60]}")
    if text:
        yield Entry("edition", number, raw=text if text != number.text else "")


def _dates(fields: dict[str, str]) -> Iterator[Entry]:
    """Yield the date that year, month, day and the rest make together."""
    year, status, letter = (clean(decode(fields.get(name, ""))) for name in ("year", "pubstate", "yearsuffix"))
    whole = clean(fields.get("date", ""))
    date = read_date(whole) if whole else _of_parts(year, fields)
    if isinstance(date, str):
        date = read_date(date or status)
    elif letter or (status and date.year is not None):
        date = replace(date, letter=letter or date.letter, status=status)
    if date and date != Date():
        yield entry_of("date", date) if isinstance(date, str) else Entry("date", date)


def _of_parts(year: str, fields: dict[str, str]) -> Date | str:
    found = read_date(year)
    if not isinstance(found, Date) or found.year is None:
        return found
    month = clean(decode(fields.get("month", ""))).lower()
    day = clean(fields.get("day", ""))
    number = MONTHS.index(month[:3]) + 1 if month[:3] in MONTHS else number_within(month, 1, 12)
    return found if number is None else replace(found, month=number, day=number_within(day, 1, 31), season="")


def _people(field: str, source: str) -> Iterator[Entry]:
    """Yield the names of a list, and the words for et al. where it ends in `others`."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for one in split_multiple_persons_names(_TILDE.sub(lambda found: decode(found.group()), source)):
        if one.strip().lower() == "others":
            yield Entry(f"{field}-etal", "et al.")
            continue
        if _is_group(one):
            yield Entry(field, Name(literal=clean(decode(one))))
            continue
        parts = parse_single_name_into_parts(one, strict=False)
        given, particle, family, suffix = (
            clean(decode(" ".join(words))) for words in (parts.first, parts.von, parts.last, parts.jr)
        )
        yield Entry(field, Name(family, given, particle, suffix) if family else Name(literal=given or particle))


def _is_group(source: str) -> bool:
    """Whether one pair of braces holds all of it."""
    source = source.strip()
    depths = list(accumulate((character == "{") - (character == "}") for character in source))
    return source.startswith("{") and 0 not in depths[:-1] and depths[-1] == 0
