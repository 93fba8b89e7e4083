"""The records of a BibTeX or BibLaTeX file; bibtexparser finds the entries, pylatexenc reads their TeX."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, BinaryIO

from ibidem.records.fields import NAMES, cache_until_registration, names_in
from ibidem.records.formats.bibtex import MONTHS, REMARKED, SERVED, edition_of, entry_types, number_field
from ibidem.records.formats.bibtex_crossref import Family, Source
from ibidem.records.formats.format import Readable, read_one, read_whole
from ibidem.records.formats.latex import decode
from ibidem.records.formats.values import Unreadable, clean, entry_of, number_within, read_date, value_text
from ibidem.records.record import Date, Entry, Name, Record
from ibidem.records.types import TYPES
from ibidem.types import Malformed

_NEAR: dict[str, str] = {
    "suppperiodical": "article", "proceedings": "book", "collection": "book", "mvbook": "book", "mvcollection": "book",
    "mvproceedings": "book", "manual": "book", "mvreference": "book", "reference": "book", "bookinbook": "chapter",
    "suppbook": "chapter", "suppcollection": "chapter", "commentary": "book", "bibnote": "other",
}  # fmt: skip
"""Types of entries that come near a type of ours, which a warning says."""
_ALSO = {
    "journal": "container", "journaltitle": "container", "booktitle": "container", "location": "place",
    "school": "institution", "organization": "institution", "institution": "institution", "holder": "institution",
    "issue": "issue",
    "langid": "language", "maintitle": "container", "annote": "annotation", "addendum": "note", "titleaddon": "note",
    "reportnumber": "number", "seriesnumber": "series-number", "origyear": "original-date",
    "lastvisited": "accessed", "lastaccessed": "accessed", "lastchecked": "accessed", "accessed": "accessed",
    "shortbooktitle": "short-container", "rights": "license", "keyword": "keyword",
}  # fmt: skip
_SUBTITLES = {
    "title": ("subtitle",), "booktitle": ("booksubtitle",), "journaltitle": ("journalsubtitle",),
    "journal": ("journalsubtitle",), "maintitle": ("mainsubtitle",),
}  # fmt: skip
_OF_DATES = frozenset({"year", "month", "day", "date", "yearsuffix", "pubstate"})
_ASIDE = frozenset({"entrysubtype", "eprint", "eprinttype", "archiveprefix", "crossref", "xdata"})
_VERBATIM = frozenset({"url", "doi", "eprint", "file"})
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
    entries, family = [_entry_in(block) for block in library.blocks], Family()
    sources = [None if entry is None else _source_of(entry) for entry in entries]
    for entry, source in zip(entries, sources, strict=True):
        if source is not None:
            family.add(str(entry.key), source)
    for block, entry, source in zip(library.blocks, entries, sources, strict=True):
        where = f"line {(block.start_line or 0) + 1}"
        if source is not None and source.type != "xdata":  # which is no work, but what others have in common
            yield read_one(partial(_record, str(entry.key), source, family), where)
        elif source is None and hasattr(block, "error"):
            yield Malformed(where, f"no BibTeX entry: {clean(str(block.error) or (block.raw or ''))[:200]}")


@cache_until_registration
def _fields_by_name() -> dict[str, str]:
    """Return the field of every name that has one whatever the type of the entry."""
    pairs = [*names_in("biblatex").items(), *names_in("bibtex").items()]
    special = ("date", "number", "issue", "series-number", "arxiv", "author-etal", "editor-etal")
    return {name: field for field, name in pairs if field not in special} | _ALSO


def _entry_in(block: Any) -> Any:
    """Return the entry that a block is, or whose key another has already; None where it is none."""
    if hasattr(block, "entry_type"):
        return block
    kept = getattr(block, "ignore_error_block", None)
    return kept if hasattr(kept, "entry_type") and type(block).__name__ == "DuplicateBlockKeyBlock" else None


def _source_of(entry: Any) -> Source:
    return Source(str(entry.entry_type).lower(), {field.key.lower(): str(field.value) for field in entry.fields})


def _record(key: str, source: Source, family: Family) -> Record:
    try:
        fields, warnings = family.resolve(source)
        record = record_of_entry(source.type, key, fields)
    except RecursionError:
        raise Unreadable(f"the braces of the entry {key[:60]!r} are nested too deeply") from None
    return replace(record, warnings=(*record.warnings, *warnings)) if warnings else record


def record_of_entry(entry_type: str, key: str, fields: dict[str, str]) -> Record:
    """Return the record of an entry of a type, given its fields as TeX, their names in lower case."""
    warnings: list[str] = []
    document_type = _type_of(entry_type, fields)
    if entry_type not in entry_types():
        warnings.append(f"the type {entry_type[:40]!r} is read as {document_type!r}")
    fields = _with_subtitles(fields)
    entries: list[Entry] = []
    for name, source in fields.items():
        field = _field_of(name, document_type, fields)
        if name == "eprint":
            entries += _eprint(fields, warnings)
        elif field in NAMES:
            entries += _people(field, source)
        elif name == "edition":
            entries += _edition(source, fields, warnings)
        elif field == "keyword":
            entries += (Entry(field, text) for word in _split_keywords(source) if (text := clean(decode(word))))
        elif field == "howpublished":
            entries += _published(source, entry_type, fields)
        elif field is not None:
            text = _address(source, name) if name in _VERBATIM else clean(decode(source))
            entries += [entry_of(field, text)] if text else []
        elif name not in _OF_DATES and name not in _ASIDE and not (name == "editiontext" and "edition" in fields):
            warnings.append(f"no field for {name[:40]!r}: {source[:60]}")
    if genre := _GENRES.get(entry_type if "type" not in fields and "entrysubtype" not in fields else ""):
        entries.append(Entry("genre", genre))
    if "eprint" not in fields:
        entries += _arxiv_in(value_text(one.value) for one in entries if one.field in ("container", "note", "number"))
    entries += _dates(fields)
    return Record(document_type, tuple(entries), key=key, warnings=tuple(warnings))


_GENRES = {"mastersthesis": "Master's thesis", "phdthesis": "PhD thesis"}


def _type_of(entry_type: str, fields: dict[str, str]) -> str:
    """Return the type of work of an entry; its subtype says more, as BibLaTeX's `magazine` does."""
    subtype = fields.get("entrysubtype", "").strip().lower()
    for one in (subtype, f"{subtype}-article"):
        if one in TYPES:
            return one
    document_type = entry_types().get(entry_type) or _NEAR.get(entry_type, "other")
    prefix = (fields.get("archiveprefix") or fields.get("eprinttype") or "").strip().lower()
    if prefix == "arxiv" and "eprint" in fields and entry_type in SERVED:
        return "preprint"
    return document_type


def _field_of(name: str, document_type: str, fields: dict[str, str]) -> str | None:
    """Return the field of a name in an entry of some type, None where there is none."""
    if name == "number":
        return number_field(document_type, "series" in fields)
    if name == "howpublished":
        return name
    return _fields_by_name().get(name)


def _with_subtitles(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with every subtitle behind its title, a colon between them."""
    joined = dict(fields)
    for name, (other,) in _SUBTITLES.items():
        if name in joined and other in joined:
            title, subtitle = joined[name].strip(), joined.pop(other)
            joined[name] = f"{title}{' ' if title.endswith((':', '?', '!', '.')) else ': '}{subtitle}"
    return joined


def _published(source: str, entry_type: str, fields: dict[str, str]) -> Iterator[Entry]:
    """Yield what `howpublished` says: an address, what contains the work where Ibidem has written it, or a remark."""
    text = clean(decode(source))
    if text.startswith(("http://", "https://")) and " " not in text and "url" not in fields:
        yield Entry("url", _address(source.replace("\\url", "").strip("{} ")))
    elif text:
        yield Entry("note" if entry_type in REMARKED and "entrysubtype" not in fields else "container", text)


def _split_keywords(source: str) -> Iterator[str]:
    """Yield the keywords of a list, divided at the commas and semicolons that no braces hold."""
    start = depth = 0
    for place, character in enumerate(source):
        depth += (character == "{") - (character == "}")
        if character in ",;" and depth <= 0 and source[place - 1 : place] != "\\":
            yield source[start:place]
            start = place + 1
    yield source[start:]


def _address(source: str, name: str = "") -> str:
    """Return an address without the backslashes that many put before its special characters; a file's as it is."""
    if name == "file":
        return clean(source)
    return clean(re.sub(r"\\([_%&#~$])(?:\{\})?", r"\1", source))


def _eprint(fields: dict[str, str], warnings: list[str]) -> Iterator[Entry]:
    kind = (fields.get("eprinttype") or fields.get("archiveprefix") or "arxiv").strip().lower()
    if kind in _ARCHIVES:
        yield Entry(_ARCHIVES[kind], _address(fields["eprint"]))
    else:
        warnings.append(f"no field for the eprint {fields['eprint'][:60]!r} of {kind[:40]}")


def _arxiv_in(texts: Iterable[str]) -> list[Entry]:
    """Return the number of arXiv in texts such as `arXiv preprint arXiv:1501.00001`, which stay as they are."""
    found = next((one for text in list(texts) if (one := _PREPRINT.search(text))), None)
    return [Entry("arxiv", found[1].lower())] if found else []


_PREPRINT = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5}(?:v\d{1,2})?)(?!\d)", re.IGNORECASE)
_ARCHIVES = {"arxiv": "arxiv", "pubmed": "pmid", "pmid": "pmid", "pmcid": "pmcid", "pmc": "pmcid"}


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
