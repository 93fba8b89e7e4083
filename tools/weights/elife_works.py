"""References of known works: eLife's, where a DOI says which work is meant. Identifiers are taken out of the strings.

What is known of an identifier is the truth to be found, so neither DOIs nor numbers of PubMed nor addresses stay in the
text. Works are divided into parts by the family name of their first author: all works of an author are in one part, so
that no work is in two, and those that are hard to tell apart are together.

Authors make mistakes with DOIs, and those that can be known by the publisher's tags alone are set right: what follows a
DOI (a version, a figure, a supplement) is taken off, one that breaks off is none; of references with the same first
author, year, volume, first page and first words of the title, those with a rarer DOI take the most frequent one; and a
reference that shares neither its first author nor its title with any other of its DOI is left out.
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
"""Into how many parts works are divided."""

_TAKEN_OUT = re.compile(r"^(?:pub-id|ext-link|uri)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|]+")
_LEFT_BEHIND = re.compile(r"\(?\b(?:doi|https?|pmid|pmcid)\b\s*:?[/\s.)]*$", re.IGNORECASE)
# Suffixes of a DOI that do not make another work.
_SUFFIX = re.compile(
    r"(?:\.(?:full|abstract|long|pdf|short)|/(?:full|abstract|pdf|epdf|meta)|/(?:suppl_file|asset)/.*|v\d{1,2}"
    r"|(?<=/elife\.\d{5})\.\d{3}|[.,;:)\]]+)+$"
)
_LOOKED_AT = frozenset({"article-title", "surname", "year", "volume", "fpage", "pub-id:doi"})
_WORDS = 2  # of a title, which must agree where a DOI is set right
_ALIKE = 0.2  # share of the words of two titles, below which they have nothing to do with each other


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference string without identifiers, the work that it means, the part its work is in, and the DOI it had."""

    text: str
    work: str
    part: int
    given: str = ""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A reference by the publisher's tags; `place` is what no two works share, empty where something of it is missing.

    `title` holds the words of the title.
    """

    text: str
    doi: str
    family: str
    title: frozenset[str] = frozenset()
    place: tuple[str, ...] = ()


def work_of(doi: str) -> str:
    """The DOI without what does not tell works apart, empty where it is none.

    >>> work_of("https://doi.org/10.1101/2020.01.01.123456v2.full"), work_of("none"), work_of("10.1016/j.")
    ('10.1101/2020.01.01.123456', '', '')
    """
    found = _DOI.search(doi.strip().lower().replace("%28", "(").replace("%29", ")").replace("%2f", "/"))
    kept = _SUFFIX.sub("", found.group()) if found else ""
    return kept if any(letter.isdigit() for letter in kept.partition("/")[2]) else ""


def cited(most: int | None = None) -> list[Cited]:
    """The references of eLife whose DOI is known, in the order of the set, with DOIs set right; `most` of the set."""
    found = (tagged(one) for one in islice(registry.load("elife"), most) if isinstance(one, Example))
    known = [one for one in found if one.doi and one.family and one.text]
    return [
        Cited(one.text, work, hash_text(one.family) % PARTS, one.doi)
        for one, work in zip(known, set_right(known), strict=True)
        if work
    ]


def tagged(example: Example) -> Tagged:
    """A reference by its tags."""
    first: dict[str, str] = {}
    for annotation in example.annotations:
        label = annotation.label.rpartition("/")[2]
        value = example.text[annotation.start : annotation.end]
        if label in _LOOKED_AT and label not in first:
            first[label] = work_of(value) if label == "pub-id:doi" else plain(value)
    title = first.get("article-title", "").split()
    family = first.get("surname", "")
    place = (family, *(first.get(name, "") for name in ("year", "volume", "fpage")), " ".join(title[:_WORDS]))
    return Tagged(_cleared(example), first.get("pub-id:doi", ""), family, frozenset(title), place * all(place))


def set_right(known: Sequence[Tagged]) -> list[str]:
    """The work of each reference, empty where its DOI is that of another work."""
    said: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for one in known:
        said[one.place][one.doi] += 1
    everywhere = Counter(one.doi for one in known)
    best = {
        place: min(counts, key=lambda doi: (-counts[doi], -everywhere[doi], doi))
        for place, counts in said.items() if place
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
    """Whether two references can mean one work: by the first author, or by the words of the titles."""
    return one.family == other.family or len(one.title & other.title) > _ALIKE * len(one.title | other.title)


def _cleared(example: Example) -> str:
    """The text without its identifiers and the words that introduce them."""
    kept, place = "", 0
    for annotation in example.annotations:
        if _TAKEN_OUT.match(annotation.label) and annotation.start >= place:
            kept += _LEFT_BEHIND.sub("", example.text[place : annotation.start])
            place = annotation.end
    return strip_identifiers(kept + example.text[place:]).strip()
