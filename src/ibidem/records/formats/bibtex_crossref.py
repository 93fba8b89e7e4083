"""What an entry of BibTeX or BibLaTeX inherits from the one that its `crossref` names, and takes over from `xdata`.

As BibTeX has it, an entry gets the fields of its parent that it lacks; as BibLaTeX has it, the title of a parent that
contains it is its `booktitle` or `journaltitle`. What a parent says of itself alone (its DOI, abstract or pages) is
not inherited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_OWN = frozenset(
    """crossref xref xdata ids entryset entrysubtype execute label options presort related relatedoptions relatedstring
    relatedtype shorthand shorthandintro sortkey sorttitle indextitle indexsorttitle key doi url urldate eprint
    eprinttype archiveprefix primaryclass eprintclass abstract annote annotation keywords file pages pagetotal
    shorttitle type""".split()
)
_DEEPEST = 4  # parents of parents
_LARGEST = 1 << 26  # characters that the entries of a file inherit together
_STEP = 64  # as many characters as it counts for that an entry refers to another
_VOLUMES = frozenset({"mvbook", "mvcollection", "mvproceedings", "mvreference"})
_PARTS = frozenset(
    "inproceedings conference inbook incollection inreference suppbook suppcollection bookinbook article".split()
)
_RENAMED = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
_IN_PERIODICAL = {"title": "journaltitle", "subtitle": "journalsubtitle"}
_VOLUME = {"title": "maintitle", "subtitle": "mainsubtitle", "titleaddon": "maintitleaddon"}


class Source(NamedTuple):
    """An entry as it stands: its type, and its fields by their names in lower case."""

    type: str
    fields: dict[str, str]


class Family:
    """The entries of a file by their keys, whose case counts as little as it does to BibTeX."""

    def __init__(self) -> None:
        self._entries: dict[str, Source] = {}
        self._left = _LARGEST

    def add(self, key: str, source: Source) -> None:
        """Add an entry; of two with a key, the first is meant."""
        self._entries.setdefault(key.strip().lower(), source)

    def resolve(self, source: Source) -> tuple[dict[str, str], list[str]]:
        """Return the fields of an entry with those that it inherits, and what could not be resolved."""
        return self._resolve(source, _DEEPEST)

    def _resolve(self, source: Source, deep: int) -> tuple[dict[str, str], list[str]]:
        fields, warnings = dict(source.fields), []
        for name in ("xdata", "crossref"):
            for key in source.fields.get(name, "").split(",")[:8]:
                if not key.strip():
                    continue
                parent = self._entries.get(key.strip().lower())
                if parent is None or parent.fields is source.fields or not deep:
                    warnings.append(f"{name} to {key.strip()[:40]!r}, which is not in the file or refers to itself")
                    continue
                self._left -= _STEP
                theirs = self._resolve(parent, deep - 1)[0] if self._left >= 0 else {}
                given = theirs if name == "xdata" else _inherited(source.type, parent.type, theirs)
                new = {field: text for field, text in given.items() if not _is_there(field, fields)}
                self._left -= sum(map(len, new.values()))
                if self._left < 0:
                    warnings.append(f"{name} to {key.strip()[:40]!r} is not resolved: the file inherits too much")
                    continue
                fields |= new
        return fields, warnings


_SAME = ({"journal", "journaltitle"}, {"year", "date"}, {"address", "location"}, {"school", "institution"})


def _is_there(field: str, fields: Mapping[str, str]) -> bool:
    """Whether an entry has a field, by whichever of its names."""
    return field in fields or any(field in names and not names.isdisjoint(fields) for names in _SAME)


def _inherited(child: str, parent: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a parent as a child of some type gets them.

    >>> _inherited("inproceedings", "proceedings", {"title": "Bells 1990", "year": "1990", "doi": "10.1/1"})
    {'booktitle': 'Bells 1990', 'year': '1990'}
    """
    renamed = _RENAMED if child in _PARTS else {}
    if parent == "periodical":
        renamed = _IN_PERIODICAL
    elif parent in _VOLUMES and child not in _PARTS:
        renamed = _VOLUME
    # An editor of BibTeX may have given the booktitle of its parts in the entry of the whole.
    given = {field: text for field, text in fields.items() if field not in _OWN}
    made = {renamed.get(field, field): text for field, text in given.items() if field != "booktitle"}
    if child in ("inbook", "bookinbook", "suppbook") and parent in ("book", "mvbook") and "author" in given:
        made["bookauthor"] = given["author"]
    if child in _PARTS and parent != "periodical" and "booktitle" in given:
        made["booktitle"] = given["booktitle"]
    return made
