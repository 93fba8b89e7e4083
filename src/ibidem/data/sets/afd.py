"""The Australian Faunal Directory: references of zoology since the 18th century, nearly half German or French."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from ibidem.data.readers.ranges import read_ranges
from ibidem.data.registry import BY_DOCUMENT, Dataset, files_of, map_examples
from ibidem.labels.mapping.gaps import fill_gaps
from ibidem.labels.mapping.table import Context, LabelTable
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example

# The directory prints references from its columns in one style, so text without a label has its place in the style.
_EDITORS = re.compile(r"\W*(?:pp?\.\s*[\d–-]+\s*)?\b[Ii]n,?\s+([^()\[\]]+?)\s*\((?:eds?|comps?)\.?\)\W*\Z")
_PLACE = re.compile(r"\W*([^:\[\]]+?) :\s*\Z")
_ISSUE = re.compile(r"\s*\(([\dA-Z]+(?:[-–/][\dA-Z]+)?)\)\s*:")
_ADDED = re.compile(r"\bin\b[,:]?\s+\S|\bpp\.|\bIn:|\bVol\.|\(as\s|\.\s.*\bThes", re.IGNORECASE)


def _arrange(example: Example) -> Example:
    """Add the editors before a book, the place before a publisher, and the issue after a volume."""
    text = example.text
    found = list(example.annotations)
    for before, after in zip((None, *found), (*found, None), strict=True):
        start, end = before.end if before else 0, after.start if after else len(text)
        rule, label = _rule(before, after)
        piece = rule.match(text, start, end + 2 if label == "issue" else end) if rule else None
        if piece and piece.end(1) <= end:
            found.append(Annotation(label, *piece.span(1)))
    return replace(example, annotations=tuple(sorted(found, key=lambda one: one.start)))


def _rule(before: Annotation | None, after: Annotation | None) -> tuple[re.Pattern[str] | None, str]:
    """Return what may stand between two columns, and the label of it."""
    if after is not None and after.label == "PUB_PARENT_BOOK_TITLE":
        return _EDITORS, "editors"
    if after is not None and after.label == "PUB_PUBLISHER":
        return _PLACE, "place"
    if before is not None and before.label == "VOLUME(strong)":
        return _ISSUE, "issue"
    return None, ""


def _title(context: Context) -> str:
    """Return "title", "?" for one that may hold the container too."""
    if context.kind in ("Article in Journal", "Chapter in Book", "Book"):
        return UNKNOWN if re.search(r"\bIn[,:] |\bpp\. \d", context.text) else "title"
    return UNKNOWN if _ADDED.search(context.text) or "." in context.text.rstrip(".") else "title"


def _pages(context: Context) -> str:
    """Return "pages" for those of an article or chapter without plates; of a book it is the extent."""
    if context.kind not in ("Article in Journal", "Chapter in Book"):
        return UNKNOWN
    plain = re.fullmatch(r"(?:pp?\.?\s*)?\w+(?:\s?[-–]\s?\w+)?(?:,\s*\w+[-–]\w+)*\.?", context.text)
    return "pages" if plain and not context.text.endswith("pp") else UNKNOWN


_LABELS = LabelTable(
    {
        "PUB_AUTHOR": lambda c: UNKNOWN if re.search(r"\bin\b|[(\[]", c.text) else "author",
        "PUB_YEAR": "date",
        "PUB_TITLE": _title,
        "PUB_PARENT_JOURNAL_TITLE": "journal",
        "VOLUME(strong)": "volume",
        "issue": "issue",
        "PUB_PAGES": _pages,
        "PUB_PARENT_BOOK_TITLE": lambda c: UNKNOWN if re.search(r"\bIn[,:] |\(eds?\.?\)", c.text) else "book",
        "editors": "editor",
        "place": "place",
        "PUB_PUBLISHER": "publisher",
    },
    revise=fill_gaps,
)
AFD = Dataset(
    name="afd",
    about="Australian Faunal Directory: zoology from the 18th century on, many references German or French",
    home="https://github.com/rdmpage/australian-faunal-directory-coldp (bibliography)",
    licence="CC-BY",
    use="open",
    files=files_of(
        "multilingual/open/labelled",
        map_examples(partial(read_ranges, name="afd"), _arrange),
        ("afd.jsonl.gz", "", 24_980, "9679cfbae171c7e2d0bafe95c90b20a5e48e22e83702cd9338e2b2f5c367832e"),
    ),
    labels=_LABELS,
    split_rule=BY_DOCUMENT,
    remark="one style; names are not divided; English articles are thinned to a twelfth",
)
