"""text2bib: references as people paste them, in many styles, with the BibTeX entries that they should become."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from ibidem.data.readers.ranges import read_ranges, settle_initials
from ibidem.data.registry import BY_DOCUMENT, Dataset, files_of, map_examples
from ibidem.labels.mapping.gaps import fill_gaps
from ibidem.labels.mapping.table import Context, LabelTable, remark, unchanged
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example

_LISTS = {"author": 0, "editor": 0}
_SUBTITLES = {"subtitle": "title", "booksubtitle": "booktitle"}
_BETWEEN = re.compile(r"[\s:.,;–—_-]{1,4}\Z")


def _arrange(example: Example) -> Example:
    """Return the example with subtitles joined to their titles, and only the parts of names that are in order.

    The parts were found one by one, so that initials may be those of another person: a list is left undivided unless
    its names have both parts in the same order, the first name aside. A list found as both authors and editors is one
    of the two.
    """
    found: list[Annotation] = []
    for annotation in example.annotations:
        before = next((one for one in reversed(found) if one.label == _SUBTITLES.get(annotation.label)), None)
        if before is not None and _BETWEEN.match(example.text[before.end : annotation.start]):
            found[found.index(before)] = Annotation(before.label, before.start, annotation.end)
        else:
            found.append(annotation)
    return settle_initials(replace(example, annotations=tuple(_check_names(found))), "author.given")


def _check_names(found: list[Annotation]) -> list[Annotation]:
    tops = [one for one in found if "/" not in one.label]
    kept: list[Annotation] = []
    for top in tops:
        inner = [one for one in found if one is not top and top.start <= one.start and one.end <= top.end]
        labels = {one.label.rpartition("/")[2] for one in (top, *inner)}
        if {"author", "editor"} <= labels:
            kept.append(Annotation("author|editor", top.start, top.end))
        elif inner and labels & {"author", "editor"} and top.label not in _LISTS:
            kept.append(Annotation("author" if "author" in labels else "editor", top.start, top.end))
        elif top.label in _LISTS:
            kept += [top, *inner] if _in_order(inner) else [top]
        else:
            kept.append(top)
    return kept


def _in_order(parts: list[Annotation]) -> bool:
    """Return whether parts of names are pairs in one order, which the first pair alone may have reversed."""
    kinds = [one.label.rpartition(".")[2] for one in parts]
    pairs = list(zip(kinds[::2], kinds[1::2], strict=False))
    nested = any(one.label.count("/") != 1 for one in parts)
    paired = len(kinds) % 2 == 0 and all(first != second for first, second in pairs)
    return bool(pairs) and not nested and paired and len(set(pairs[1:])) <= 1


def _number(context: Context) -> str:
    if context.kind == "article":
        return "issue" if len(context.text) <= 8 else UNKNOWN
    return "report-number" if context.kind == "techreport" else UNKNOWN


def _note(context: Context) -> str:
    return (
        UNKNOWN if re.search(r"\d|article|universit|institut|press\Z", context.text, re.IGNORECASE) else remark(context)
    )


_LABELS = LabelTable(
    {
        **unchanged("author editor translator title volume publisher series edition doi url issn isbn".split()),
        "author|editor": "author|editor",
        **{f"{role}.{part}": f"{role}/person/{part}" for role in _LISTS for part in ("family", "given")},
        "booktitle": "book",
        "journal": "journal",
        "year": lambda c: "date" if re.search(r"\d{4}", c.text) else UNKNOWN,
        "pages": "pages",
        "number": _number,
        "address": "place",
        "school": "institution",
        "institution": "institution",
        "type": "type",
        "note": _note,
        "eprint": lambda c: (
            "arxiv" if re.fullmatch(r"(?:arXiv:)?\d{4}\.\d{4,5}(?:v\d+)?|[a-z.-]+/\d{7}", c.text) else UNKNOWN
        ),
        **dict.fromkeys(("archiveprefix", "subtitle", "booksubtitle"), UNKNOWN),
    },
    revise=fill_gaps,
)
TEXT2BIB = Dataset(
    name="text2bib",
    about="text2bib: references as users pasted them, in many styles",
    home="https://github.com/osbornemj/text2bib (laravel/database/seeders/ExampleSeeder.php)",
    licence="MIT",
    use="open",
    files=files_of(
        "multilingual/open/labelled",
        map_examples(partial(read_ranges, name="text2bib", outermost=_LISTS), _arrange),
        ("text2bib.jsonl.gz", "", 942, "b796bb5c93d7fcb591ac49163e7efb9543ed5f49014f87455a52c272abf9e8e6"),
    ),
    labels=_LABELS,
    split_rule=BY_DOCUMENT,
    remark="aligned by a program with BibTeX entries, so that text without a label is unknown",
)
