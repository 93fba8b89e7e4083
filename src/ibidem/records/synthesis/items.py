"""From a record to what CSL styles know: its type and variables, each with the label it has in our schema."""

from __future__ import annotations

import re

from ibidem.records.formats.csl import TYPES
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.records.synthesis.csl.context import Item
from ibidem.records.synthesis.markers import unmarked, wrapped

_CONTAINERS = {"article": "journal", "preprint": "journal", "paper": "book", "chapter": "book", "book": "series"}
# Fields whose text is a variable as it is: the variable and the label.
_TEXTS = {
    "series": ("collection-title", "series"),
    "volume": ("volume", "volume"),
    "issue": ("issue", "issue"),
    "edition": ("edition", "edition"),
    "article-number": ("page", "article-number"),
    "chapter": ("chapter-number", "chapter"),
    "publisher": ("publisher", "publisher"),
    "institution": ("publisher", "institution"),
    "place": ("publisher-place", "place"),
    "genre": ("genre", "type"),
    "number": ("number", "report-number"),
    "doi": ("DOI", "doi"),
    "pmid": ("PMID", "pmid"),
    "pmcid": ("PMCID", "pmcid"),
    "isbn": ("ISBN", "isbn"),
    "issn": ("ISSN", "issn"),
    "url": ("URL", "url"),
    "archive": ("archive", "archive"),
    "note": ("note", "note"),
}
_RESOLVER = re.compile(r"(https?://(?:dx\.)?doi\.org/)(10\.\S+)\Z")


def item_of(record: Record, number: int = 0) -> Item:
    """The item of a record; `number` is the one before the reference in styles that number, 0 for none.

    Private-use characters are taken out of the values, and a full stop at the end of a title; styles bring their own.
    """
    item = Item(TYPES.get(record.type, "document"))
    for entry in record.entries:
        _enter(item, entry, record)
    if number:
        item.values["citation-number"] = str(number)
        item.labels["citation-number"] = "marker"
    if "collection-title" in item.values and "volume" in item.values and record.type != "article":
        item.values["collection-number"] = item.values.pop("volume")
        item.labels["collection-number"] = "volume"
    item.open_lists = frozenset(name for name in ("author", "editor") if record.first(f"{name}-etal"))
    return item


def _enter(item: Item, entry: Entry, record: Record) -> None:
    field, value = entry.field, entry.value
    if isinstance(value, Name):
        item.names[field] = (*item.names.get(field, ()), _plain_name(value))
    elif isinstance(value, Date):
        _enter_date(item, field, value)
    elif isinstance(value, Pages):
        if value.first and item.pages is None:
            item.pages = Pages(unmarked(value.first), unmarked(value.last))
    else:
        text = unmarked(_text(value))
        if field in ("title", "container"):
            label = "title" if field == "title" else _CONTAINERS.get(record.type, "?")
            _set(item, "title" if field == "title" else "container-title", label, _ended(text))
        elif field == "arxiv":
            _set(item, "number", "", f"arXiv:{wrapped('arxiv', text.removeprefix('arXiv:'))}")
        elif field == "url" and (found := _RESOLVER.match(text)):
            _set(item, "URL", "", found[1] + wrapped("doi", found[2]))
        elif field == "language":
            item.english = text.casefold().startswith("en")
        elif field in _TEXTS:
            _set(item, *_TEXTS[field], text)


def _set(item: Item, variable: str, label: str, text: str) -> None:
    """The first value of a variable is taken."""
    if text.strip() and variable not in item.values:
        item.values[variable] = text
        item.labels[variable] = label


def _enter_date(item: Item, field: str, date: Date) -> None:
    variable = "issued" if field == "date" else field
    if date.year is not None:
        item.dates.setdefault(variable, date)
    elif date.status and date.status != "n.d.":  # styles have their own words for what has no date
        _set(item, variable, "note", unmarked(date.status))


def _text(value: str | Number) -> str:
    if isinstance(value, Number):
        return str(value.value) if value.value is not None else value.text
    return value


def _ended(text: str) -> str:
    """The text without a full stop at its end, unless it belongs to an abbreviation such as `Bd.` or to dots."""
    word = text.rpartition(" ")[2]
    return text[:-1] if text.endswith(".") and word.count(".") == 1 and len(word) > 5 else text


def _plain_name(name: Name) -> Name:
    return Name(*(unmarked(part) for part in (name.family, name.given, name.particle, name.suffix, name.literal)))
