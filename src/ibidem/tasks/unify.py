"""From the labels of a dataset to our own: `unify` is the door, `ibidem.tasks.mapping` has the tables and the steps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ibidem.tasks.mapping import tables_tagged as _tagged  # noqa: F401  (fills TABLES)
from ibidem.tasks.mapping.edges import strip, trim
from ibidem.tasks.mapping.names import build, inside, role_of
from ibidem.tasks.mapping.parts import counts_pages, date_parts, identifier_parts, page_parts, volume_parts
from ibidem.tasks.mapping.tables import TABLES, Context, Table, context_of
from ibidem.tasks.mapping.tables_plain import PLAIN
from ibidem.tasks.schema import UNKNOWN, WITH_PARTS
from ibidem.types import Example, Mark

LOOSE_EDGES: frozenset[str] = frozenset(
    "umass-nested anystyle linkedbooks parscit parscit-tagged hosemicrf cora".split()
)
"""The sets that keep punctuation inside their fields, so that the true edge of a field is uncertain."""

_CLOSED = frozenset({"accessed", "translator", UNKNOWN})  # what is inside these is not looked at
_QUOTED_TAIL = re.compile(r"(?<=\S)\s*,?\s*(?P<container>[“«\"][^“”«»\"]+[”»\"])\W*\Z")
_DATE_GAP = re.compile(r"[\s,./()-]{0,3}\Z")
_PAGE_GAP = re.compile(r"[\s\-–—−‐‑~]{1,4}\Z|\s*(?:to|bis)\s*\Z")


def unify(example: Example, set_name: str) -> Example:
    """The example with labels of our schema, as far as those of the set go.

    Every part has its parents; lists, dates and pages that the set does not divide are named in `opaque`. Labels the
    table does not know become "?".
    """
    if set_name in PLAIN:
        return replace(example, marks=tuple(_translate(example, PLAIN[set_name])))
    hard = set_name in LOOSE_EDGES
    drafts = _translate(example, TABLES[set_name])
    if set_name == "linkedbooks":
        drafts = _containers(drafts, example)
    divided = {role_of(draft.label) for draft in drafts if "/" in draft.label}  # their items say where these lists end
    refined: list[Mark] = []
    for draft in drafts:
        refined += [draft] if draft.label in divided else _refine(draft, example.text, hard)
    named = build(sorted((m for m in refined if role_of(m.label)), key=_order), example.text, hard)
    fields = [mark for mark in refined if not role_of(mark.label)]
    fields = _parents(fields, example.text, "date", _DATE_GAP)
    fields = _parents(fields, example.text, "pages", _PAGE_GAP)
    marks = _settle(sorted([*named, *fields], key=_order), example.text)
    return Example(example.text, tuple(marks), example.source, example.tokens, _opaque(marks))


def _order(mark: Mark) -> tuple[int, int, int]:
    return mark.start, -mark.end, mark.label.count("/")


def _translate(example: Example, table: Table) -> list[Mark]:
    kind, labels = context_of(example)
    text = example.text
    drafts: list[Mark] = []
    targets: dict[str, str] = {}
    for mark in example.marks:
        own, before, ancestors = _path(mark.label)
        rule = table.get(own, UNKNOWN)
        target = rule if isinstance(rule, str) else rule(Context(text[mark.start : mark.end], before, kind, labels))
        if any(targets.get(path) in _CLOSED for path in ancestors):
            continue
        if target.startswith("~"):
            role = next((r for path in reversed(ancestors) if (r := role_of(targets.get(path, "")))), "author")
            target = role + target[1:]
        targets[mark.label] = target
        if target:
            drafts.append(Mark(target, mark.start, mark.end))
    return drafts


@lru_cache(4096)
def _path(label: str) -> tuple[str, str, tuple[str, ...]]:
    """The last component of a path, the one before it, and the paths above it from the top down."""
    parts = label.split("/")
    above = tuple("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return parts[-1], parts[-2] if above else "", above


def _containers(drafts: list[Mark], example: Example) -> list[Mark]:
    """LinkedBooks calls article and container `title`: in a meta-annotation the second, or a quoted tail, contains."""
    if not example.source.endswith(":meta-annotation"):
        return drafts
    titles = [mark for mark in drafts if mark.label == "title"]
    done: list[Mark] = []
    for mark in drafts:
        if mark.label != "title":
            done.append(mark)
            continue
        tail = _QUOTED_TAIL.search(example.text, mark.start, mark.end)
        if len(titles) > 1:
            done.append(mark if mark is titles[0] else Mark("journal|book|series", mark.start, mark.end))
        elif tail:
            done += [Mark("title", mark.start, tail.start()), Mark("journal|book", *tail.span("container"))]
        else:
            done.append(Mark(UNKNOWN, mark.start, mark.end))
    return done


def _refine(draft: Mark, text: str, hard: bool) -> Iterable[Mark]:
    """The draft with its true edges, and the parts of it that can be told."""
    label = draft.label
    if label == "pages" and counts_pages(text, *strip(text, draft.start, draft.end)):
        return [Mark(UNKNOWN, *strip(text, draft.start, draft.end, False))]
    if label == "volume":
        marks = volume_parts(text, *strip(text, draft.start, draft.end)) if hard else []
        if marks and marks[0].label == "issue":
            return marks
    if label.endswith("/etal") and not hard:  # may be nothing but dots
        return [Mark(label, *trim(text, draft.start, draft.end, UNKNOWN))]
    start, end = trim(text, draft.start, draft.end, label, hard or label in ("date", "pages"))
    if start >= end or not any(character.isalnum() for character in text[start:end]):
        return [Mark(UNKNOWN, draft.start, draft.end)] if "/" not in label else []
    if label == "volume":
        return volume_parts(text, start, end) or [Mark(UNKNOWN, start, end)]
    if label == "pages":
        return [Mark(label, start, end), *page_parts(text, start, end)]
    if label == "date":
        return [Mark(label, start, end), *date_parts(text, start, end)]
    if label in ("doi", "url"):
        return [identifier_parts(text, start, end, label)]
    return [Mark(label, start, end)]


def _parents(fields: list[Mark], text: str, whole: str, gap: re.Pattern[str]) -> list[Mark]:
    """The fields with a `whole` around every part of one that has none, neighbours in one."""
    given = [mark for mark in fields if mark.label == whole]
    parts = sorted((mark for mark in fields if mark.label.startswith(whole + "/")), key=_order)
    rest = [mark for mark in fields if mark.label.split("/")[0] != whole]
    divided = [outer for outer in given if any(inside(part, outer) for part in parts)]
    kept = [part for i, part in enumerate(parts) if not (i and part.start < parts[i - 1].end)]
    made: list[Mark] = [outer for outer in given if outer not in divided]
    group: list[Mark] = []
    for part in [*kept, None]:
        joins = (
            part and group and gap.match(text[group[-1].end : part.start]) and all(p.label != part.label for p in group)
        )
        if group and not joins:
            made += [Mark(whole, group[0].start, group[-1].end), *group]
            group = []
        if part:
            group.append(part)
    return [*rest, *made]


def _settle(marks: list[Mark], text: str) -> list[Mark]:
    """The marks without conflicts: a field with another field in it gives way, what is left of it is unknown."""
    tops = [mark for mark in marks if "/" not in mark.label]
    broken = {i for i, (top, after) in enumerate(pairwise(tops)) if after.start < top.end}
    kept: list[Mark] = []
    newest: dict[str, Mark] = {}
    number = -1
    for mark in marks:
        above = mark.label.rpartition("/")[0]
        number += not above
        good = inside(mark, newest[above]) if above in newest else not above and number not in broken
        if good:
            kept.append(mark)
            newest[mark.label] = mark
        elif not above:
            newest.pop(mark.label, None)
    for index in broken:
        kept += _leftovers(tops[index], [mark for mark in kept if "/" not in mark.label], text)
    return sorted(kept, key=_order) if broken else kept


def _leftovers(outer: Mark, tops: list[Mark], text: str) -> list[Mark]:
    """What of `outer` no field covers, blanks not counted, as unknown."""
    pieces, place = [], outer.start
    for top in [*sorted(tops, key=_order), Mark("", outer.end, outer.end)]:
        if top.end >= place and top.start <= outer.end:
            pieces.append(Mark(UNKNOWN, *trim(text, place, max(place, top.start), UNKNOWN)))
            place = max(place, top.end)
    return [piece for piece in pieces if piece.start < piece.end]


def _opaque(marks: list[Mark]) -> frozenset[str]:
    """The labels with parts of which some mark has none."""
    whole: dict[str, bool] = {}  # whether the newest mark of a label has parts
    opaque: set[str] = set()
    for mark in marks:
        above = mark.label.rpartition("/")[0]
        if above:
            whole[above] = True
        if mark.label in WITH_PARTS:
            if whole.get(mark.label) is False:
                opaque.add(mark.label)
            whole[mark.label] = False
    return frozenset(opaque | {label for label, divided in whole.items() if not divided})
