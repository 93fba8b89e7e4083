"""One table per dataset: what each of its labels means in our schema.

A table is looked up with the last component of a native label. A target is a label of the schema; `~` in it stands for
the list a name is in (author or editor); "a|b" says that it is one of the two and the set does not tell which; "?"
says nothing at all; "" takes the mark away and leaves what is inside it to speak. A function decides from the rest of
the example.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ibidem.types import Example


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: the text of the field, the kind of reference, and which labels the example has."""

    text: str
    before: str
    kind: str
    labels: frozenset[str]

    def has(self, *labels: str) -> bool:
        """Whether the example has any of these labels."""
        return not self.labels.isdisjoint(labels)


Rule = Callable[[Context], str]
Table = dict[str, "str | Rule"]


def context_of(example: Example) -> tuple[str, frozenset[str]]:
    """The kind of reference (last part of the source) and the labels of an example, with nothing of the paths."""
    return example.source.rpartition(":")[2], frozenset(
        annotation.label.rpartition("/")[2] for annotation in example.annotations
    )


def _book(context: Context) -> str:
    return "book" if context.has("title", "title:a") else "book|title"


def _monograph(context: Context) -> str:
    return "book" if context.has("title:a") else "title"


def _identifier(context: Context) -> str:
    text = context.text.casefold().replace(" ", "")
    if re.search(r"10\.\d{4,9}/", text):
        return "doi"
    if "arxiv" in text or re.match(r"\W*(?:[a-z]+-[a-z]+(?:\.[a-z]+)?|math(?:\.[a-z]+)?|cs(?:\.[a-z]+)?)/\d{7}", text):
        return "arxiv"
    for label in ("isbn", "issn", "pmid", "pmcid"):
        if text.startswith(label):
            return label
    return "?"


def _number(context: Context) -> str:
    found = _identifier(context)
    return found if found != "?" else "report-number"


def _remark(context: Context) -> str:
    words = r"retriev|access|availab|doi|http|abruf|zugriff|consult|download|arxiv|edition|\bed\b|vol\b|\bin\b"
    return "?" if re.search(words, context.text, re.IGNORECASE) else "note"


def _thesis_publisher(context: Context) -> str:
    return "publisher|institution" if context.has("genre", "tech", "thesis", "type", "note:report") else "publisher"


_UMASS_FIELDS: Table = {
    "title": "title",
    "journal": "journal",
    "booktitle": _book,
    "series": "series",
    "volume": "volume",
    "number": "issue",
    "pages": "pages",
    "edition": "edition",
    "chapter": "chapter",
    "publisher": "publisher",
    "address": "place",
    "institution": "institution",
    "school": "institution",
    "organization": "institution|publisher",
    "note": "note",
}

TABLES: dict[str, Table] = {
    "umass-nested": _UMASS_FIELDS
    | {
        "authors": "author",
        "editor": "editor",
        "person": "~/person",
        "person-last": "~/person/family",
        "person-first": "~/person/given",
        "person-middle": "~/person/given",
        "person-affix": "~/person/suffix",
        "institution": lambda c: "~/collaboration" if c.before == "authors" else "institution",
        "organization": lambda c: "~/collaboration" if c.before == "authors" else "institution|publisher",
        "department": "institution",
        "subtitle": "title|book",
        "venue": "",
        "date": "date",
        "year": "date/year",
        "month": "date/month",
        "thesis": "type",
        "tech": "?",
        "reference_id": _identifier,
        "web": "url",
        "status": "note",
        "language": "note",
        "length": "?",
        "category": "?",
        "ref-marker": "marker",
    },
    "umass-flat": _UMASS_FIELDS
    | {
        "author": "author/person",
        "editor": "editor/person",
        "year": "date/year",
        "month": "date/month",
        "type": "type|journal|archive",
    },
    "grobid-citation": {
        "author": "author",
        "authors": "author",
        "editor": "editor",
        "title": "title|book|journal",
        "title:a": "title",
        "title:j": "journal",
        "title:m": _monograph,
        "title:s": "series",
        "biblScope:volume": "volume",
        "volumes": "volume",
        "biblScope:issue": "issue",
        "biblScope:page": "pages",
        "biblScope:pages": "pages",
        "page": "pages",
        "biblScope:chapter": "chapter",
        "biblScope:date": "date",
        "biblScope": "?",
        "date": "date",
        "year": "date/year",
        "month": "date/month",
        "publisher": _thesis_publisher,
        "publishe": "publisher",
        "pubPlace": "place",
        "orgName": "institution|publisher",
        "orgName:collaboration": "author/collaboration",
        "idno": _number,
        "idno:arxiv": "arxiv",
        "idno:doi": "doi",
        "idno:report": "report-number",
        "idno:pmid": "pmid",
        "idno:pmc": "pmcid",
        "idno:issn": "issn",
        "idno:isbn": "isbn",
        "idno:pii": "?",
        "note": lambda c: "?" if re.match(r"(?:hep|nucl|astro|cond|gr|math|quant)\b", c.text) else _remark(c),
        "note:report": "type",
        "ptr:web": "url",
    },
    "anystyle": {
        "author": "author",
        "editor": "editor",
        "translator": "translator",
        "title": "title",
        "journal": "journal",
        "container-title": _book,
        "collection-title": "series",
        "volume": "volume",
        "pages": "pages",
        "edition": "edition",
        "date": "date",
        "publisher": _thesis_publisher,
        "location": "place",
        "genre": lambda c: "?" if re.search(r"\d|web|online|print", c.text, re.IGNORECASE) else "type",
        "doi": "doi",
        "isbn": "isbn",
        "url": "url",
        "note": _remark,
        "citation-number": "marker",
        "source": "?",
        "medium": "?",
        "director": "?",
        "producer": "?",
    },
}
TABLES["parscit"] = {
    "author": "author",
    "editor": "editor",
    "title": "title",
    "journal": "journal",
    "booktitle": _book,
    "volume": "volume",
    "pages": "pages",
    "date": "date",
    "publisher": _thesis_publisher,
    "institution": "institution",
    "location": "place",
    "tech": "?",
    "note": _remark,
    "notes": _remark,
}
TABLES["parscit-tagged"] = TABLES["hosemicrf"] = TABLES["parscit"]
TABLES["cora"] = TABLES["parscit"] | {
    "year": "date/year",
    "month": "date/month",
    "address": "place",
    "type": "type",
    "tech": "type|report-number|institution",
}
