"""Lists of people: parts become persons, persons become lists, and the words for "and others" are found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ibidem.labels.mapping.edges import strip
from ibidem.types import Annotation

_AND = re.compile(r"[\s,;&/+–—.·|-]*(?:\b(?:and|und|et|y|e|i|en|och|og|u|с|и)\b[\s,;&]*)?\Z", re.IGNORECASE)
_NEW_PERSON = re.compile(r"\b(?:and|und|et|y|e)\b|[&;/]", re.IGNORECASE)
_GIVEN_GAP = re.compile(r"[\s.,’'-]{0,3}\Z")
_ET_AL = re.compile(
    r"\b(?:et\s*\.?\s*al(?:ii|iae)?|and\s+others|and\s+coworkers|u\s*\.\s*a|et\s+coll|e\s+outros)\b", re.IGNORECASE
)

ROLES = ("author", "editor")


def role_of(label: str) -> str:
    """`author` or `editor` for a label of such a list or anything in it, else empty."""
    top = label.partition("/")[0]
    return top if top in ROLES else ""


def persons_of(parts: Sequence[Annotation], text: str) -> list[Annotation]:
    """A person around each group of parts: a new one begins where a part comes for the second time or at an "and"."""
    persons: list[Annotation] = []
    seen: set[str] = set()
    for part in parts:
        label = part.label.rpartition("/")[0]
        gap = text[persons[-1].end : part.start] if persons else ""
        if not persons or part.label in seen or _NEW_PERSON.search(gap):
            persons.append(Annotation(label, part.start, part.end))
            seen = set()
        else:
            persons[-1] = Annotation(label, persons[-1].start, part.end)
        seen.add(part.label)
    return persons


def merge_given(parts: Sequence[Annotation], text: str) -> list[Annotation]:
    """The parts with neighbouring given names made one."""
    merged: list[Annotation] = []
    for part in parts:
        last = merged[-1] if merged else None
        if (
            last
            and last.label == part.label
            and part.label.endswith("given")
            and _GIVEN_GAP.match(text[last.end : part.start])
        ):
            merged[-1] = Annotation(part.label, last.start, part.end)
        else:
            merged.append(part)
    return merged


def group(items: Sequence[Annotation], text: str) -> list[Annotation]:
    """A list around each run of persons and collaborations that only commas and "and" keep apart."""
    lists: list[Annotation] = []
    for item in items:
        role = role_of(item.label)
        last = lists[-1] if lists else None
        if last and last.label == role and _AND.match(text[last.end : item.start]):
            lists[-1] = Annotation(role, last.start, item.end)
        else:
            lists.append(Annotation(role, item.start, item.end))
    return lists


def find_et_al(whole: Annotation, items: Sequence[Annotation], text: str, hard: bool) -> Annotation | None:
    """The "et al." of a list, where it stands after the last of its persons."""
    after = max((item.end for item in items), default=whole.start)
    found = _ET_AL.search(text, after, whole.end)
    if not found:
        return None
    end = found.end()
    if not hard and text[end : end + 1] == ".":
        end += 1
    return Annotation(f"{role_of(whole.label)}/etal", found.start(), min(end, whole.end))


def inside(inner: Annotation, outer: Annotation) -> bool:
    """Whether a mark lies within another."""
    return outer.start <= inner.start and inner.end <= outer.end


class Holders:
    """Marks that do not overlap, and the question which of them another mark lies in."""

    def __init__(self, annotations: Sequence[Annotation]) -> None:
        self.annotations = sorted(annotations, key=lambda annotation: annotation.start)
        self.starts = [annotation.start for annotation in self.annotations]

    def of(self, annotation: Annotation) -> int:
        """The index of the holder `mark` lies in, or -1."""
        index = bisect_right(self.starts, annotation.start) - 1
        return index if index >= 0 and annotation.end <= self.annotations[index].end else -1


def build(annotations: Sequence[Annotation], text: str, hard: bool) -> list[Annotation]:
    """Complete lists from whatever a set gives of one: the list, its persons, their parts; parents first.

    The marks come sorted. A list that the set does not divide stays undivided.
    """
    lists = [annotation for annotation in annotations if annotation.label in ROLES]
    items = _innermost([annotation for annotation in annotations if annotation.label.count("/") == 1])
    parts = [annotation for annotation in annotations if annotation.label.count("/") == 2]
    known, whole = Holders(items), Holders(lists)
    orphans = [part for part in parts if known.of(part) < 0]
    for index in sorted({whole.of(part) for part in orphans}):
        items += persons_of([part for part in orphans if whole.of(part) == index], text)
    items.sort(key=lambda item: item.start)
    divided = {whole.of(item) for item in items}
    loose = group([item for item in items if whole.of(item) < 0], text)
    lists = [
        outer for number, outer in enumerate(whole.annotations) if number not in divided
    ]  # these are not to be joined
    lists += _joined([*(whole.annotations[number] for number in divided if number >= 0), *loose], text)
    whole, known = Holders(lists), Holders(items)
    own: list[list[Annotation]] = [[] for _ in lists]
    for item in items:
        index = whole.of(item)
        if index >= 0 and role_of(item.label) == whole.annotations[index].label:
            own[index].append(item)
    within: dict[int, list[Annotation]] = {}
    for part in parts:
        within.setdefault(known.of(part), []).append(part)
    divisions = {known.annotations[index]: inner for index, inner in within.items()}
    return [
        annotation
        for outer, inner in zip(whole.annotations, own, strict=True)
        for annotation in _complete(outer, inner, divisions, text, hard)
    ]


def _joined(lists: list[Annotation], text: str) -> list[Annotation]:
    """The lists, neighbours of one role made one: the "et al." that a set puts after a list is of the list."""
    joined: list[Annotation] = []
    for outer in sorted(lists, key=lambda annotation: annotation.start):
        last = joined[-1] if joined else None
        if last and last.label == outer.label and _AND.match(text[last.end : outer.start]):
            joined[-1] = Annotation(last.label, last.start, max(last.end, outer.end))
        else:
            joined.append(outer)
    return joined


def _innermost(items: list[Annotation]) -> list[Annotation]:
    """The items without those that have another of the same label in them."""
    kept: list[Annotation] = []
    for item in items:
        if kept and kept[-1].label == item.label and inside(item, kept[-1]):
            kept.pop()
        kept.append(item)
    return kept


def _complete(
    whole: Annotation, own: list[Annotation], divisions: dict[Annotation, list[Annotation]], text: str, hard: bool
) -> list[Annotation]:
    if not own:
        return [whole]
    if not any(item.label.endswith("etal") for item in own):
        found = find_et_al(whole, own, text, hard)
        own = [*own, found] if found else own
    built = [Annotation(whole.label, own[0].start, own[-1].end)]
    for item in own:
        prefix = item.label + "/"
        inner = merge_given([part for part in divisions.get(item, ()) if part.label.startswith(prefix)], text)
        if inner:
            start, end = strip(text, item.start, item.end, hard)
            item = Annotation(item.label, min(start, inner[0].start), max(end, inner[-1].end))
        built += [item, *inner]
    return [Annotation(whole.label, min(m.start for m in built[1:]), max(m.end for m in built[1:])), *built[1:]]
