"""SciELO: printed references aligned by a program with their JATS elements; Portuguese, Spanish and English."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from ibidem.data.readers.ranges import read_ranges, settle_initials
from ibidem.data.registry import BY_DOCUMENT, DataFile, Dataset, Reader, SplitRule, map_examples
from ibidem.labels.mapping.gaps import fill_gaps
from ibidem.labels.mapping.table import Context, LabelTable, unchanged
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example

_ORDER = {"person-group[author]": 0, "person-group[editor]": 0, "name": 1}


_PARTS = ("surname", "given-names", "suffix", "prefix")
_BETWEEN = re.compile(r"[\s,.;:&/()-]{0,6}(?:\b(?:and|e|y|et|und|with)\b[\s,]*)?\Z")
_NEAR = re.compile(r"[\s,.;:]{0,4}(?:(?:&|and|e|y)\s)?\Z")
_IN = re.compile(r"\b(?:In|Em|En)\s*:\s*\Z")
_UNDIVIDED = frozenset({"compiler", "translator"})


def _arrange(example: Example) -> Example:
    """Return the example with compilers and translators as one range each; names that are torn apart are one unknown.

    Names were looked for in the text one by one, so that some were found elsewhere, and others not.
    """
    found: list[Annotation] = []
    contained = False  # in the list of names after "In:", of which nobody says whether they are authors or editors
    for one in example.annotations:
        contained = _role(one) == "author" and (contained or bool(_IN.search(example.text[: one.start])))
        role = "compiler" if contained else one.label.partition(":")[0]
        last = found[-1] if found else None
        if role not in _UNDIVIDED:
            found.append(one)
        elif last and last.label == role and _NEAR.match(example.text[last.end : one.start]):
            found[-1] = Annotation(role, last.start, one.end)
        else:
            found.append(Annotation(role, one.start, one.end))
    whole = replace(example, annotations=tuple(found))
    if _torn(whole):
        return _without_names(whole)
    return settle_initials(settle_initials(whole, "given-names"), "editor:given-names")


def _torn(example: Example) -> bool:
    """Return whether something else stands in a list of names, or before the one of the authors."""
    text = example.text
    names = [one for one in example.annotations if _role(one)]
    first = next((one for one in example.annotations if _role(one) == "author"), None)
    if first is not None and first is example.annotations[0] and re.search(r"[^\W\d_]", text[: first.start]):
        return True
    for one, after in pairwise(example.annotations):
        if one in names and _role(after) == _role(one) and not _BETWEEN.match(text[one.end : after.start]):
            return True
    kinds = {role: [one.label for one in names if _role(one) == role] for role in ("author", "editor")}
    return any(
        abs(sum(one.endswith("surname") for one in labels) - sum(one.endswith("given-names") for one in labels)) > 1
        for labels in kinds.values()
    )


def _without_names(example: Example) -> Example:
    """Return the example with each list of names as one range without a meaning, the authors' from the start on."""
    kept = [one for one in example.annotations if not _role(one)]
    for role in ("author", "editor"):
        names = [one for one in example.annotations if _role(one) == role]
        if names:
            first = names[0] is example.annotations[0]
            kept.append(Annotation("names", 0 if first else names[0].start, max(one.end for one in names)))
    return replace(example, annotations=tuple(sorted(kept, key=lambda one: (one.start, -one.end))))


def _role(annotation: Annotation) -> str:
    """Return the list that a part of a name is in, "" for other fields."""
    role, colon, part = annotation.label.rpartition("/")[2].rpartition(":")
    return (role if colon else "author") if part in _PARTS else ""


def _source(context: Context) -> str:
    """Return what `source` is, by the kind of the cited work and what else has a label."""
    if context.has("chapter-title"):
        return "book"
    if context.kind == "journal":
        return "journal" if context.has("article-title") else UNKNOWN
    if context.kind in ("book", "thesis", "report", "legal-doc", "confproc", "software"):
        return "book|journal" if context.has("article-title") else "title"
    return "journal|book|archive" if context.has("article-title") else "title"


def _publisher(context: Context) -> str:
    return "institution|publisher" if context.kind in ("thesis", "report") else "publisher"


def _season(context: Context) -> str:
    """Return "date/month" for months, which stand where seasons do: jul./set."""
    return UNKNOWN if re.search(r"\d", context.text) else "date/month"


_LABELS = LabelTable(
    {
        **unchanged("volume issue edition issn isbn".split()),
        "person-group[author]": "author",
        "person-group[editor]": "editor",
        "name": "~/person",
        "surname": "~/person/family",
        "given-names": "~/person/given",
        "suffix": "~/person/suffix",
        "prefix": UNKNOWN,
        "collab": "~/collaboration",
        "editor:surname": "editor/person/family",
        "editor:given-names": "editor/person/given",
        "editor:collab": "editor/collaboration",
        "compiler": "author|editor",
        "names": UNKNOWN,
        "translator": "translator",
        "article-title": "title",
        "chapter-title": "title",
        "source": _source,
        "conf-name": "book",
        "conf-loc": "place",
        "publisher-name": _publisher,
        "publisher-loc": "place",
        "year": lambda c: "date" if re.search(r"\d", c.text) else UNKNOWN,
        "date": lambda c: "date" if re.search(r"\d", c.text) else UNKNOWN,
        "month": _season,
        "season": _season,
        "day": lambda c: "date/day" if re.fullmatch(r"\d{1,2}", c.text) else UNKNOWN,
        "conf-date": UNKNOWN,
        "fpage": lambda c: "article-number" if re.fullmatch(r"e\d{4,}|\d{6,}", c.text) else "pages/first",
        "lpage": "pages/last",
        "page-range": "pages",
        "elocation-id": "article-number",
        "supplement": "issue",
        "date-in-citation[access-date]": "accessed",
        "date-in-citation[cited-date]": "accessed",
        "ext-link[uri]": lambda c: "doi" if re.search(r"doi\.org/10\.", c.text) else "url",
        "ext-link[url]": "url",
        "pub-id[doi]": "doi",
        "pub-id[pmid]": "pmid",
        "trans-title": "note",
    },
    revise=fill_gaps,
)


def _read(name: str) -> Reader:
    return map_examples(partial(read_ranges, name=name, outermost=_ORDER), _arrange)


def _scielo(name: str, file: DataFile, split_rule: SplitRule | None, **about: Any) -> Dataset:
    return Dataset(
        name=name,
        home="https://github.com/scieloorg (packtools and others: the articles among their tests)",
        files=(file,),
        labels=_LABELS,
        split_rule=split_rule,
        remark="aligned by a program, so that text without a label is unknown",
        **about,
    )


SCIELO = _scielo(
    "scielo-jats-ccby",
    DataFile(
        "multilingual/open/labelled/scielo-jats-ccby.jsonl.gz",
        "64cb7832f22ea88cbfeec3e565f2561161913a0e198e275baa5de32062eed354",
        read=_read("scielo-jats-ccby"),
        expected=1_515,
    ),
    BY_DOCUMENT,
    about="SciELO: references of articles under CC BY; Portuguese, Spanish, English",
    licence="CC-BY",
    use="open",
)
SCIELO_NC = _scielo(
    "scielo-jats-nc",
    DataFile(
        "multilingual/benchmark/labelled/scielo-jats-nc.jsonl.gz",
        "7c23d4eef9f6e2fc08f1333e762a34b44510e8591fc6a22c42f79b8037c2e339",
        "test",
        _read("scielo-jats-nc"),
        724,
    ),
    None,
    about="SciELO: references of articles under CC BY-NC and the like",
    licence="CC-BY-NC, CC-BY-NC-ND, or not stated",
    use="benchmark",
)
