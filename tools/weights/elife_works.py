"""References of known works: those of eLife whose DOI is known, without identifiers in the strings.

DOIs are the gold standard, so DOIs, PubMed numbers and URLs are removed from the text. Works are split into parts by
the family name of their first author: no work is in two parts, and works that are hard to tell apart are in one.

Errors in DOIs that the publisher's tags reveal are corrected: suffixes (a version, a figure, a supplement) are removed
and truncated DOIs ignored; of references with the same first author, year, volume, first page and first words of the
title, those with a rarer DOI get the most frequent one; a reference that shares neither its first author nor its title
with any other of its DOI is left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from ibidem.data import registry
from ibidem.data.decontamination import hash_text
from ibidem.linking.comparison import plain, strip_identifiers
from ibidem.types import Example

PARTS = 20
"""Number of parts that works are split into."""

_REMOVED = re.compile(r"^(?:pub-id|ext-link|uri)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|]+")
_INTRODUCING = re.compile(r"\(?\b(?:doi|https?|pmid|pmcid)\b\s*:?[/\s.)]*$", re.IGNORECASE)
# Suffixes of a DOI that do not make another work.
_SUFFIX = re.compile(
    r"(?:\.(?:full|abstract|long|pdf|short)|/(?:full|abstract|pdf|epdf|meta)|/(?:suppl_file|asset)/.*|v\d{1,2}"
    r"|(?<=/elife\.\d{5})\.\d{3}|[.,;:)\]]+)+$"
)
_TAGS = frozenset({"article-title", "surname", "year", "volume", "fpage", "pub-id:doi"})
_WORDS = 2  # of a title, which must agree where a DOI is corrected
_ALIKE = 0.2  # share of common words below which two titles are unrelated


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference string without identifiers, its work, the part of its work, and the DOI as given."""

    text: str
    work: str
    part: int
    given: str = ""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A reference by the publisher's tags; `place` identifies a work and is empty where something of it is missing.

    `title` holds the words of the title.
    """

    text: str
    doi: str
    family: str
    title: frozenset[str] = frozenset()
    place: tuple[str, ...] = ()


def work_of(doi: str) -> str:
    """Return the DOI without suffixes that do not distinguish works, empty where it is none.

    >>> work_of("https://doi.org/10.1101/2020.01.01.123456v2.full"), work_of("none"), work_of("10.1016/j.")
    ('10.1101/2020.01.01.123456', '', '')
    """
    found = _DOI.search(doi.strip().lower().replace("%28", "(").replace("%29", ")").replace("%2f", "/"))
    kept = _SUFFIX.sub("", found.group()) if found else ""
    return kept if any(letter.isdigit() for letter in kept.partition("/")[2]) else ""


def read_citations(most: int | None = None) -> list[Cited]:
    """Read the references of eLife with a known DOI, corrected, among the first `most` of the set."""
    found = (read_tags(one) for one in islice(registry.load("elife"), most) if isinstance(one, Example))
    known = [one for one in found if one.doi and one.family and one.text]
    return [
        Cited(one.text, work, hash_text(one.family) % PARTS, one.doi)
        for one, work in zip(known, correct_dois(known), strict=True)
        if work
    ]


def read_tags(example: Example) -> Tagged:
    """Return a reference by its tags."""
    first: dict[str, str] = {}
    for annotation in example.annotations:
        label = annotation.label.rpartition("/")[2]
        value = example.text[annotation.start : annotation.end]
        if label in _TAGS and label not in first:
            first[label] = work_of(value) if label == "pub-id:doi" else plain(value)
    title = first.get("article-title", "").split()
    family = first.get("surname", "")
    place = (family, *(first.get(name, "") for name in ("year", "volume", "fpage")), " ".join(title[:_WORDS]))
    return Tagged(
        _remove_identifiers(example), first.get("pub-id:doi", ""), family, frozenset(title), place * all(place)
    )


def correct_dois(known: Sequence[Tagged]) -> list[str]:
    """Return the work of each reference, empty where its DOI is that of another work."""
    counted: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for one in known:
        counted[one.place][one.doi] += 1
    everywhere = Counter(one.doi for one in known)
    best = {
        place: min(counts, key=lambda doi: (-counts[doi], -everywhere[doi], doi))
        for place, counts in counted.items() if place
    }  # fmt: skip
    works = [best.get(one.place, one.doi) for one in known]
    members: dict[str, list[int]] = defaultdict(list)
    for number, work in enumerate(works):
        members[work].append(number)
    return [
        work if len(members[work]) == 1 or any(_related(known[number], known[other]) for other in members[work]
                                               if other != number) else ""
        for number, work in enumerate(works)
    ]  # fmt: skip


def _related(one: Tagged, other: Tagged) -> bool:
    """Return whether two references may be to one work: by the first author, or by the words of the titles."""
    return one.family == other.family or len(one.title & other.title) > _ALIKE * len(one.title | other.title)


def _remove_identifiers(example: Example) -> str:
    """Return the text without its identifiers and the words that introduce them."""
    kept, place = "", 0
    for annotation in example.annotations:
        if _REMOVED.match(annotation.label) and annotation.start >= place:
            kept += _INTRODUCING.sub("", example.text[place : annotation.start])
            place = annotation.end
    return strip_identifiers(kept + example.text[place:]).strip()
