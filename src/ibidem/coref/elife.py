"""References of known works: eLife's, where a DOI says which work is meant. Identifiers are taken out of the strings.

What is known of an identifier is the truth to be found, so neither DOIs nor numbers of PubMed nor addresses stay in the
text. Works are divided into parts by the family name of their first author: all works of an author are in one part, so
that no work is in two, and those that are hard to tell apart are together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ibidem.coref.views import plain, without_identifiers
from ibidem.tasks import registry
from ibidem.tasks.overlap import hash_text
from ibidem.types import Example

PARTS = 20
"""Into how many parts works are divided."""

_TAKEN_OUT = re.compile(r"^(?:pub-id|ext-link|uri)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|]+")
_LEFT_BEHIND = re.compile(r"\(?\b(?:doi|https?|pmid|pmcid)\b\s*:?[/\s.)]*$", re.IGNORECASE)
# Suffixes of a DOI that do not make another work.
_SUFFIX = re.compile(r"(?:\.(?:full|abstract|long|pdf|short)|/(?:full|abstract|pdf|epdf|meta)|v\d{1,2}|[.,;:)\]]+)+$")


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference string without identifiers, the work that it means, and the part its work is in."""

    text: str
    work: str
    part: int


def work_of(doi: str) -> str:
    """The DOI without what does not tell works apart, empty where it is none.

    >>> work_of("https://doi.org/10.1101/2020.01.01.123456v2.full"), work_of("none")
    ('10.1101/2020.01.01.123456', '')
    """
    found = _DOI.search(doi.strip().lower())
    return _SUFFIX.sub("", found.group()) if found else ""


def cited(split: str | None = None) -> Iterator[Cited]:
    """The references of eLife whose DOI is known, in the order of the set."""
    for example in registry.load("elife", split):
        if not isinstance(example, Example):
            continue
        doi = next((work for mark in example.marks if mark.label == "pub-id:doi"
                    and (work := work_of(example.text[mark.start : mark.end]))), "")  # fmt: skip
        family = next((example.text[m.start : m.end] for m in example.marks if m.label.endswith("surname")), "")
        text = _cleared(example)
        if doi and family and text:
            yield Cited(text, doi, hash_text(plain(family)) % PARTS)


def _cleared(example: Example) -> str:
    """The text without its identifiers and the words that introduce them."""
    kept, place = "", 0
    for mark in example.marks:
        if _TAKEN_OUT.match(mark.label) and mark.start >= place:
            kept += _LEFT_BEHIND.sub("", example.text[place : mark.start])
            place = mark.end
    return without_identifiers(kept + example.text[place:]).strip()
