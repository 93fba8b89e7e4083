"""Label tables: what each label of a dataset means in the schema, and rules that several datasets share.

A table is looked up with the last component of a native label. A target is a label of the schema, in which `~` stands
for the list that a name is in (author or editor); "a|b" if it is one of the two and the dataset does not say which; "?"
if nothing is known; "" to drop the annotation and keep what is inside it. A function chooses the target by context.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may look at: the field's text and parent label, the kind of reference, all labels of the example."""

    text: str
    parent: str
    kind: str
    labels: frozenset[str]

    def has(self, *labels: str) -> bool:
        """Return whether the example has any of these labels."""
        return not self.labels.isdisjoint(labels)


Rule = Callable[[Context], str]
Targets = Mapping[str, "str | Rule"]


@dataclass(frozen=True, slots=True)
class LabelTable:
    """The labels of a dataset in our schema; labels that are not in `targets` become "?".

    With `uncertain_boundaries` the dataset keeps punctuation inside its fields, so that the true end of a field is
    uncertain. `revise` may correct the mapped annotations before their boundaries and parts are worked out. A `flat`
    table maps label to label and leaves everything else as it is.
    """

    targets: Targets
    uncertain_boundaries: bool = False
    revise: Callable[[list[Annotation], Example], list[Annotation]] | None = None
    flat: bool = False


def unchanged(labels: Iterable[str]) -> dict[str, str]:
    """Return the targets of labels that the schema has as well, with the same meaning."""
    return {label: label for label in labels}


def identity_table(schema: Mapping[str, str]) -> LabelTable:
    """Return the table of a dataset that already has the labels of a schema."""
    return LabelTable(unchanged(schema), flat=True)


def book_or_title(context: Context) -> str:
    """Return "book" where the example has a title as well; without one the book may be the cited work itself."""
    return "book" if context.has("title", "title:a") else "book|title"


def identifier(context: Context) -> str:
    """Return the label of an identifier by its form, "?" if it is none of those known."""
    text = context.text.casefold().replace(" ", "")
    if re.search(r"10\.\d{4,9}/", text):
        return "doi"
    if "arxiv" in text or re.match(r"\W*(?:[a-z]+-[a-z]+(?:\.[a-z]+)?|math(?:\.[a-z]+)?|cs(?:\.[a-z]+)?)/\d{7}", text):
        return "arxiv"
    return next((label for label in ("isbn", "issn", "pmid", "pmcid") if text.startswith(label)), UNKNOWN)


def remark(context: Context) -> str:
    """Return "note", or "?" for a remark that may well belong to another field ("Retrieved from", "2nd edition")."""
    words = r"retriev|access|availab|doi|http|abruf|zugriff|consult|download|arxiv|edition|\bed\b|vol\b|\bin\b"
    return UNKNOWN if re.search(words, context.text, re.IGNORECASE) else "note"


def publisher_or_institution(context: Context) -> str:
    """Return "publisher", or either for a thesis or report, whose publisher is mostly an institution."""
    return "publisher|institution" if context.has("genre", "tech", "thesis", "type", "note:report") else "publisher"
