"""Lists of people: parts become persons, persons become lists, and the words for "and others" are found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from ibidem.tasks.mapping.edges import strip
from ibidem.types import Mark

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


def persons_of(parts: Sequence[Mark], text: str) -> list[Mark]:
    """A person around each group of parts: a new one begins where a part comes for the second time or at an "and"."""
    persons: list[Mark] = []
    seen: set[str] = set()
    for part in parts:
        label = part.label.rpartition("/")[0]
        gap = text[persons[-1].end : part.start] if persons else ""
        if not persons or part.label in seen or _NEW_PERSON.search(gap):
            persons.append(Mark(label, part.start, part.end))
            seen = set()
        else:
            persons[-1] = Mark(label, persons[-1].start, part.end)
        seen.add(part.label)
    return persons


def merge_given(parts: Sequence[Mark], text: str) -> list[Mark]:
    """The parts with neighbouring given names made one."""
    merged: list[Mark] = []
    for part in parts:
        last = merged[-1] if merged else None
        if (
            last
            and last.label == part.label
            and part.label.endswith("given")
            and _GIVEN_GAP.match(text[last.end : part.start])
        ):
            merged[-1] = Mark(part.label, last.start, part.end)
        else:
            merged.append(part)
    return merged


def group(items: Sequence[Mark], text: str) -> list[Mark]:
    """A list around each run of persons and collaborations that only commas and "and" keep apart."""
    lists: list[Mark] = []
    for item in items:
        role = role_of(item.label)
        last = lists[-1] if lists else None
        if last and last.label == role and _AND.match(text[last.end : item.start]):
            lists[-1] = Mark(role, last.start, item.end)
        else:
            lists.append(Mark(role, item.start, item.end))
    return lists


def find_et_al(whole: Mark, items: Sequence[Mark], text: str, hard: bool) -> Mark | None:
    """The "et al." of a list, where it stands after the last of its persons."""
    after = max((item.end for item in items), default=whole.start)
    found = _ET_AL.search(text, after, whole.end)
    if not found:
        return None
    end = found.end()
    if not hard and text[end : end + 1] == ".":
        end += 1
    return Mark(f"{role_of(whole.label)}/etal", found.start(), min(end, whole.end))


def inside(inner: Mark, outer: Mark) -> bool:
    """Whether a mark lies within another."""
    return outer.start <= inner.start and inner.end <= outer.end


class Holders:
    """Marks that do not overlap, and the question which of them another mark lies in."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self.marks = sorted(marks, key=lambda mark: mark.start)
        self.starts = [mark.start for mark in self.marks]

    def of(self, mark: Mark) -> int:
        """The index of the holder `mark` lies in, or -1."""
        index = bisect_right(self.starts, mark.start) - 1
        return index if index >= 0 and mark.end <= self.marks[index].end else -1


def build(marks: Sequence[Mark], text: str, hard: bool) -> list[Mark]:
    """Complete lists from whatever a set gives of one: the list, its persons, their parts; parents first.

    The marks come sorted. A list that the set does not divide stays undivided.
    """
    lists = [mark for mark in marks if mark.label in ROLES]
    items = _innermost([mark for mark in marks if mark.label.count("/") == 1])
    parts = [mark for mark in marks if mark.label.count("/") == 2]
    known, whole = Holders(items), Holders(lists)
    orphans = [part for part in parts if known.of(part) < 0]
    for index in sorted({whole.of(part) for part in orphans}):
        items += persons_of([part for part in orphans if whole.of(part) == index], text)
    items.sort(key=lambda item: item.start)
    divided = {whole.of(item) for item in items}
    loose = group([item for item in items if whole.of(item) < 0], text)
    lists = [outer for number, outer in enumerate(whole.marks) if number not in divided]  # these are not to be joined
    lists += _joined([*(whole.marks[number] for number in divided if number >= 0), *loose], text)
    whole, known = Holders(lists), Holders(items)
    own: list[list[Mark]] = [[] for _ in lists]
    for item in items:
        index = whole.of(item)
        if index >= 0 and role_of(item.label) == whole.marks[index].label:
            own[index].append(item)
    within: dict[int, list[Mark]] = {}
    for part in parts:
        within.setdefault(known.of(part), []).append(part)
    divisions = {known.marks[index]: inner for index, inner in within.items()}
    return [
        mark
        for outer, inner in zip(whole.marks, own, strict=True)
        for mark in _complete(outer, inner, divisions, text, hard)
    ]


def _joined(lists: list[Mark], text: str) -> list[Mark]:
    """The lists, neighbours of one role made one: the "et al." that a set puts after a list is of the list."""
    joined: list[Mark] = []
    for outer in sorted(lists, key=lambda mark: mark.start):
        last = joined[-1] if joined else None
        if last and last.label == outer.label and _AND.match(text[last.end : outer.start]):
            joined[-1] = Mark(last.label, last.start, max(last.end, outer.end))
        else:
            joined.append(outer)
    return joined


def _innermost(items: list[Mark]) -> list[Mark]:
    """The items without those that have another of the same label in them."""
    kept: list[Mark] = []
    for item in items:
        if kept and kept[-1].label == item.label and inside(item, kept[-1]):
            kept.pop()
        kept.append(item)
    return kept


def _complete(whole: Mark, own: list[Mark], divisions: dict[Mark, list[Mark]], text: str, hard: bool) -> list[Mark]:
    if not own:
        return [whole]
    if not any(item.label.endswith("etal") for item in own):
        found = find_et_al(whole, own, text, hard)
        own = [*own, found] if found else own
    built = [Mark(whole.label, own[0].start, own[-1].end)]
    for item in own:
        prefix = item.label + "/"
        inner = merge_given([part for part in divisions.get(item, ()) if part.label.startswith(prefix)], text)
        if inner:
            start, end = strip(text, item.start, item.end, hard)
            item = Mark(item.label, min(start, inner[0].start), max(end, inner[-1].end))
        built += [item, *inner]
    return [Mark(whole.label, min(m.start for m in built[1:]), max(m.end for m in built[1:])), *built[1:]]
