"""Lists of people: names are grouped into persons, persons into lists, and the words for "et al." are found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ibidem.labels.mapping.boundaries import strip
from ibidem.types import Annotation

_AND = re.compile(r"[\s,;&/+–—.·|-]*(?:\b(?:and|und|et|y|e|i|en|och|og|u|с|и)\b[\s,;&]*)?\Z", re.IGNORECASE)
_NEW_PERSON = re.compile(r"\b(?:and|und|et|y|e)\b|[&;/]", re.IGNORECASE)
_GIVEN_GAP = re.compile(r"[\s.,’'-]{0,3}\Z")
ET_AL = re.compile(
    r"\b(?:et\s*\.?\s*al(?:ii|iae)?|and\s+others|and\s+coworkers|u\s*\.\s*a|et\s+coll|e\s+outros)\b", re.IGNORECASE
)

ROLES = ("author", "editor")


def role_of(label: str) -> str:
    """Return `author` or `editor` for a label in such a list, else ""."""
    top = label.partition("/")[0]
    return top if top in ROLES else ""


def _group_parts(parts: Sequence[Annotation], text: str) -> list[Annotation]:
    """Put a person around each group of parts; a part that it has already, "and" or another list begins a new one."""
    persons: list[Annotation] = []
    seen: set[str] = set()
    for part in parts:
        label = part.label.rpartition("/")[0]
        gap = text[persons[-1].end : part.start] if persons else ""
        elsewhere = bool(persons) and role_of(persons[-1].label) != role_of(label)
        if not persons or part.label in seen or elsewhere or _NEW_PERSON.search(gap):
            persons.append(Annotation(label, part.start, part.end))
            seen = set()
        else:
            persons[-1] = Annotation(label, persons[-1].start, part.end)
        seen.add(part.label)
    return persons


def _merge_given_names(parts: Sequence[Annotation], text: str) -> list[Annotation]:
    """Merge neighbouring given names."""
    merged: list[Annotation] = []
    for part in parts:
        last = merged[-1] if merged and part.label.endswith("given") else None
        if last and last.label == part.label and _GIVEN_GAP.match(text[last.end : part.start]):
            merged[-1] = Annotation(part.label, last.start, part.end)
        else:
            merged.append(part)
    return merged


def _group_items(items: Sequence[Annotation], text: str) -> list[Annotation]:
    """Put a list around each run of persons and collaborations with only commas and "and" between them."""
    lists: list[Annotation] = []
    for item in items:
        role = role_of(item.label)
        last = lists[-1] if lists else None
        if last and last.label == role and _AND.match(text[last.end : item.start]):
            lists[-1] = Annotation(role, last.start, item.end)
        else:
            lists.append(Annotation(role, item.start, item.end))
    return lists


def _find_et_al(whole: Annotation, items: Sequence[Annotation], text: str, uncertain: bool) -> Annotation | None:
    """Return the "et al." after the last person of a list, if there is one."""
    after = max((item.end for item in items), default=whole.start)
    found = ET_AL.search(text, after, whole.end)
    if not found:
        return None
    end = found.end()
    if not uncertain and text[end : end + 1] == ".":
        end += 1
    return Annotation(f"{role_of(whole.label)}/etal", found.start(), min(end, whole.end))


def inside(inner: Annotation, outer: Annotation) -> bool:
    """Return whether an annotation lies within another."""
    return outer.start <= inner.start and inner.end <= outer.end


class _Enclosing:
    """Annotations that do not overlap, searched for the one that encloses another."""

    def __init__(self, annotations: Sequence[Annotation]) -> None:
        self.annotations = sorted(annotations, key=lambda annotation: annotation.start)
        self.starts = [annotation.start for annotation in self.annotations]

    def find(self, annotation: Annotation) -> int:
        """Return the index of the annotation that encloses this one, or -1."""
        index = bisect_right(self.starts, annotation.start) - 1
        return index if index >= 0 and annotation.end <= self.annotations[index].end else -1


def complete_lists(annotations: Sequence[Annotation], text: str, uncertain: bool) -> list[Annotation]:
    """Complete lists of people from what a dataset annotates of them: lists, persons, parts; parents first.

    The annotations come sorted. A list of which the dataset annotates no items stays without.
    """
    lists = [annotation for annotation in annotations if annotation.label in ROLES]
    items = _innermost([annotation for annotation in annotations if annotation.label.count("/") == 1])
    parts = [annotation for annotation in annotations if annotation.label.count("/") == 2]
    enclosing_item, enclosing = _Enclosing(items), _Enclosing(lists)
    orphans = [part for part in parts if enclosing_item.find(part) < 0]
    for index in sorted({enclosing.find(part) for part in orphans}):
        items += _group_parts([part for part in orphans if enclosing.find(part) == index], text)
    items.sort(key=lambda item: item.start)
    with_items = {enclosing.find(item) for item in items}
    others = _group_items([item for item in items if enclosing.find(item) < 0], text)
    # lists without items are not merged
    lists = [outer for number, outer in enumerate(enclosing.annotations) if number not in with_items]
    lists += _merge_lists([*(enclosing.annotations[number] for number in with_items if number >= 0), *others], text)
    enclosing, enclosing_item = _Enclosing(lists), _Enclosing(items)
    own: list[list[Annotation]] = [[] for _ in lists]
    for item in items:
        index = enclosing.find(item)
        if index >= 0 and role_of(item.label) == enclosing.annotations[index].label:
            own[index].append(item)
    within: dict[int, list[Annotation]] = {}
    for part in parts:
        within.setdefault(enclosing_item.find(part), []).append(part)
    parts_of = {enclosing_item.annotations[index]: inner for index, inner in within.items()}
    return [
        annotation
        for outer, inner in zip(enclosing.annotations, own, strict=True)
        for annotation in _complete(outer, inner, parts_of, text, uncertain)
    ]


def _merge_lists(lists: list[Annotation], text: str) -> list[Annotation]:
    """Merge neighbouring lists of one role: an "et al." annotated after a list belongs to it."""
    merged: list[Annotation] = []
    for outer in sorted(lists, key=lambda annotation: annotation.start):
        last = merged[-1] if merged else None
        if last and last.label == outer.label and _AND.match(text[last.end : outer.start]):
            merged[-1] = Annotation(last.label, last.start, max(last.end, outer.end))
        else:
            merged.append(outer)
    return merged


def _innermost(items: list[Annotation]) -> list[Annotation]:
    """Drop items that enclose another of the same label."""
    kept: list[Annotation] = []
    for item in items:
        if kept and kept[-1].label == item.label and inside(item, kept[-1]):
            kept.pop()
        kept.append(item)
    return kept


def _complete(
    whole: Annotation, own: list[Annotation], parts_of: dict[Annotation, list[Annotation]], text: str, uncertain: bool
) -> list[Annotation]:
    if not own:
        return [whole]
    if not any(item.label.endswith("etal") for item in own):
        found = _find_et_al(whole, own, text, uncertain)
        own = [*own, found] if found else own
    built = [Annotation(whole.label, own[0].start, own[-1].end)]
    for item in own:
        prefix = item.label + "/"
        inner = _merge_given_names([part for part in parts_of.get(item, ()) if part.label.startswith(prefix)], text)
        if inner:
            start, end = strip(text, item.start, item.end, uncertain)
            item = Annotation(item.label, min(start, inner[0].start), max(end, inner[-1].end))
        built += [item, *inner]
    return [Annotation(whole.label, min(m.start for m in built[1:]), max(m.end for m in built[1:])), *built[1:]]
