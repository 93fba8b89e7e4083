"""Pensoft: references of articles in zoology and botany, tagged in JATS by the publisher."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from ibidem.data.readers.ranges import read_ranges
from ibidem.data.registry import BY_DOCUMENT, Dataset, files_of, map_examples
from ibidem.labels.mapping.gaps import fill_gaps
from ibidem.labels.mapping.table import Context, LabelTable, remark, unchanged
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example

_GROUP = "person-group[]"
_IN_BEFORE = re.compile(r"\bIn:?\s*\Z", re.IGNORECASE)
_EDITORS_AFTER = re.compile(r"[\s,.]*[\[(]?\s*(?:eds?|hrsg|comps?|coords?|dirs?)\b", re.IGNORECASE)
_EXTENT_AFTER = re.compile(r"\s*(?:\+|pp?\b)", re.IGNORECASE)
_LAST_PAGE = re.compile(r"\s?[-–−‒]\s?\w+")
_FULL_STOPS = frozenset("article-title chapter-title source source:in source:other issue-title".split())
# What a title or a book should not contain: the rest of the reference, or a number that has a field of its own.
_TOO_MUCH = re.compile(
    r"\bIn:\s|\bIn:?\s+[^.]*\((?:Eds?|Hrsg)|\d\s*\(\d[\d–/-]*\)|:\s*\d+\s*[–-]\s*\d+|\d[–−-]\d+\W*\Z|\bpp\b|https?:|"
    r"\b(?:vols?|volume|band|bd|tom[eo]?|part|ser|series)\b\.?(?:\s*[\dIVX]+)?\W*\Z|"
    r"\b(?:\d+(?:st|nd|rd|th)|ed\.|revised|second|third)\s*(?:\d+|ed(?:ition|\.|n)?)\b",
    re.IGNORECASE,
)
_SERIES_AT_END = re.compile(r"[.;]\s[^.;]*\d\W*\Z")  # Regnum Vegetabile 154
_SENTENCES = re.compile(r"[.;]\s+[^\W\d_]")


def _arrange(example: Example) -> Example:
    """Add to the labels what the text around them says: whose list it is, what an "In:" is before.

    A list of persons at the start is that of the authors, before "(Eds)" or after "In:" with it that of the editors;
    of one after "In:" alone nobody knows. A last page without a first is one where a colon is before it.
    """
    labels = {annotation.label for annotation in example.annotations}
    undivided = _undivided(example)
    sources = sum(annotation.label == "source" for annotation in example.annotations)
    found: list[Annotation] = []
    top = ""
    for annotation in example.annotations:
        _, slash, rest = annotation.label.partition("/")
        if not slash:
            top = _name(annotation, example.text, labels, sources)
        end = annotation.end - (not slash and top in _FULL_STOPS and example.text[annotation.end - 1] == ".")
        if annotation.label == "fpage" and "lpage" not in labels and (more := _LAST_PAGE.match(example.text, end)):
            top, end = "page-range", more.end()
        if end > annotation.start and annotation not in undivided:
            found.append(Annotation(f"{top}{slash}{rest}", annotation.start, end))
    return replace(example, annotations=tuple(found))


def _undivided(example: Example) -> set[Annotation]:
    """Return what is inside the lists with a name without given names, which may be that of a body."""
    inside: set[Annotation] = set()
    lists: list[list[Annotation]] = []
    for annotation in example.annotations:
        if annotation.label in (_GROUP, "name"):
            lists.append([])
        elif annotation.label.startswith((_GROUP, "name")) and lists:
            lists[-1].append(annotation)
    for names in lists:
        ends = [one.label.rpartition("/")[2] for one in names]
        if ends.count("given-names") < ends.count("surname"):
            inside |= set(names)
    return inside


def _name(annotation: Annotation, text: str, labels: set[str], sources: int) -> str:
    """Return the label of an outermost annotation with what the text around it says."""
    label, before, after = annotation.label, text[: annotation.start], text[annotation.end :]
    if label == _GROUP:
        if _EDITORS_AFTER.match(after):
            return "person-group:editor"
        return "person-group:author" if not before.strip() else "person-group"
    if label == "source" and sources > 1:
        return "source:other"
    if label == "source" and _IN_BEFORE.search(before):
        return "source:in"
    if label == "institution" and not before.strip():
        return "institution:author"
    if label == "lpage" and "fpage" not in labels:
        return "page-range" if before.rstrip().endswith(":") and not _EXTENT_AFTER.match(after) else "size"
    return label


def _source(context: Context) -> str:
    """Return what `source` is, by the other fields; "?" where it holds more than a name."""
    titled = context.has("article-title", "chapter-title")
    published = context.has("publisher-name")
    if _TOO_MUCH.search(context.text):
        return UNKNOWN
    if not titled:
        alone = not published and (context.has("volume") or _SENTENCES.search(context.text))
        return UNKNOWN if alone or _SERIES_AT_END.search(context.text) else "title"
    if context.has("chapter-title"):
        return UNKNOWN if context.has("article-title") else "book"
    if context.has("issue-title"):
        return UNKNOWN
    if context.has("person-group:editor", "person-group", "conf-name"):
        return "book" if published and not _SENTENCES.search(context.text) else UNKNOWN
    if published:
        return "journal|book|series"
    if context.has("volume", "elocation-id"):
        return "journal"
    return UNKNOWN if _SENTENCES.search(context.text) else "journal|book"


def _source_in(context: Context) -> str:
    """Return what stands after "In:": the book, or the series where it holds more than one name."""
    if _TOO_MUCH.search(context.text) or _SENTENCES.search(context.text):
        return UNKNOWN
    return "book" if context.has("publisher-name") and not context.has("person-group") else "book|journal"


def _title(context: Context) -> str:
    alone = not context.has("source", "source:in", "source:other", "issue-title", "publisher-name")
    return UNKNOWN if _TOO_MUCH.search(context.text) or (alone and _SENTENCES.search(context.text)) else "title"


def _comment(context: Context) -> str:
    work = re.search(r"\b(?:ph\.?\s?d|m\.?\s?sc|master|doctora|dissert|thes[ei]s|tes[ei])", context.text, re.IGNORECASE)
    return "type|note" if work else remark(context)


def _publisher(context: Context) -> str:
    """Return "publisher", or either for a thesis; "?" for one with a number, which has more in it."""
    if re.search(r"\d", context.text):
        return UNKNOWN
    return "publisher|institution" if context.has("comment") else "publisher"


def _number(label: str, context: Context) -> str:
    """Return the label of a volume or an issue, "?" where the text is more than that: [Regnum Veg. 154]."""
    letters = sum(map(str.isalpha, context.text))
    other = re.match(r"\W*(?:part|pt|series|ser)\b", context.text, re.IGNORECASE)
    return label if letters <= 9 and not other and "[" not in context.text else UNKNOWN


_LABELS = LabelTable(
    {
        **unchanged("isbn issn".split()),
        "person-group:author": "author",
        "person-group:editor": "editor",
        "person-group": "author|editor",
        "name": "~/person",
        "surname": "~/person/family",
        "given-names": "~/person/given",
        "suffix": "~/person/suffix",
        "etal": "~/etal",
        "institution:author": "author/collaboration",
        "institution": "institution|publisher",
        "year": lambda c: "date" if re.search(r"\d", c.text) else UNKNOWN,
        "article-title": lambda c: UNKNOWN if c.has("chapter-title") else _title(c),
        "chapter-title": _title,
        "source": _source,
        "source:in": _source_in,
        "source:other": lambda c: UNKNOWN if _TOO_MUCH.search(c.text) else "title|book|journal|series",
        "issue-title": lambda c: UNKNOWN if _TOO_MUCH.search(c.text) else "book|series",
        "conf-name": "book",
        "conf-loc": "place",
        "volume": partial(_number, "volume"),
        "issue": partial(_number, "issue"),
        "supplement": "issue",
        "series": lambda c: UNKNOWN if re.search(r"\bs[eé]r|folge|\bn\.\s?s", c.text, re.IGNORECASE) else "series",
        "fpage": "pages/first",
        "lpage": "pages/last",
        "page-range": "pages",
        "elocation-id": "article-number",
        "edition": lambda c: "edition" if re.search(r"\bed|aufl|^\W*\d+\W*$", c.text, re.IGNORECASE) else UNKNOWN,
        "publisher-name": _publisher,
        "publisher-loc": lambda c: UNKNOWN if len(c.text) > 40 or re.search(r"\d", c.text) else "place",
        "date-in-citation[access-date]": "accessed",
        "ext-link[doi]": "doi",
        "ext-link[uri]": lambda c: "doi" if re.search(r"^\W*(?:doi\W*)?10\.\d{4}|doi\.org/10\.", c.text) else "url",
        "ext-link[pmcid]": "pmcid",
        "comment": _comment,
        "role": lambda c: (
            "" if re.match(r"\W*(?:eds?|coords?|comps?|dirs?|hrsg)\b", c.text, re.IGNORECASE) else UNKNOWN
        ),
        "trans-title": "note|title",
        "trans-source": "note",
    },
    revise=fill_gaps,
)
PENSOFT = Dataset(
    name="pensoft-jats",
    about="Pensoft: references of articles in zoology and botany, tagged by the publisher",
    home="https://github.com/pensoft/OpenBiodiv (tests/depl)",
    licence="CC BY",
    use="open",
    files=files_of(
        "multilingual/open/labelled",
        map_examples(partial(read_ranges, name="pensoft-jats", outermost={_GROUP: 0, "name": 1}), _arrange),
        ("pensoft-jats.jsonl.gz", "", 19_613, "2d4285f892ebeaae3cfd2fc81fe6c7e99221d949681f5ba9f3dd90182c0141a4"),
    ),
    labels=_LABELS,
    split_rule=BY_DOCUMENT,
    remark="blanks and commas between names were put back by rule; text without a tag is unknown",
)
