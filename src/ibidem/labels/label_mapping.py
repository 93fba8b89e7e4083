"""From the labels of a dataset to ours: `unify` is the entry point, `ibidem.labels.mapping` has tables and steps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ibidem.labels.mapping import tables_tagged as _tagged  # noqa: F401  (fills TABLES)
from ibidem.labels.mapping.edges import strip, trim
from ibidem.labels.mapping.names import build, inside, role_of
from ibidem.labels.mapping.parts import counts_pages, date_parts, identifier_parts, page_parts, volume_parts
from ibidem.labels.mapping.tables import TABLES, Context, Table, context_of
from ibidem.labels.mapping.tables_plain import PLAIN
from ibidem.labels.schema import UNKNOWN, WITH_PARTS
from ibidem.types import Annotation, Example

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
        return replace(example, annotations=tuple(_translate(example, PLAIN[set_name])))
    hard = set_name in LOOSE_EDGES
    drafts = _translate(example, TABLES[set_name])
    if set_name == "linkedbooks":
        drafts = _containers(drafts, example)
    divided = {role_of(draft.label) for draft in drafts if "/" in draft.label}  # their items say where these lists end
    refined: list[Annotation] = []
    for draft in drafts:
        refined += [draft] if draft.label in divided else _refine(draft, example.text, hard)
    named = build(sorted((m for m in refined if role_of(m.label)), key=_order), example.text, hard)
    fields = [annotation for annotation in refined if not role_of(annotation.label)]
    fields = _parents(fields, example.text, "date", _DATE_GAP)
    fields = _parents(fields, example.text, "pages", _PAGE_GAP)
    annotations = _settle(sorted([*named, *fields], key=_order), example.text)
    return Example(example.text, tuple(annotations), example.source, example.tokens, _opaque(annotations))


def _order(annotation: Annotation) -> tuple[int, int, int]:
    return annotation.start, -annotation.end, annotation.label.count("/")


def _translate(example: Example, table: Table) -> list[Annotation]:
    kind, labels = context_of(example)
    text = example.text
    drafts: list[Annotation] = []
    targets: dict[str, str] = {}
    for annotation in example.annotations:
        own, before, ancestors = _path(annotation.label)
        rule = table.get(own, UNKNOWN)
        target = (
            rule
            if isinstance(rule, str)
            else rule(Context(text[annotation.start : annotation.end], before, kind, labels))
        )
        if any(targets.get(path) in _CLOSED for path in ancestors):
            continue
        if target.startswith("~"):
            role = next((r for path in reversed(ancestors) if (r := role_of(targets.get(path, "")))), "author")
            target = role + target[1:]
        targets[annotation.label] = target
        if target:
            drafts.append(Annotation(target, annotation.start, annotation.end))
    return drafts


@lru_cache(4096)
def _path(label: str) -> tuple[str, str, tuple[str, ...]]:
    """The last component of a path, the one before it, and the paths above it from the top down."""
    parts = label.split("/")
    above = tuple("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return parts[-1], parts[-2] if above else "", above


def _containers(drafts: list[Annotation], example: Example) -> list[Annotation]:
    """LinkedBooks calls article and container `title`: in a meta-annotation the second, or a quoted tail, contains."""
    if not example.source.endswith(":meta-annotation"):
        return drafts
    titles = [annotation for annotation in drafts if annotation.label == "title"]
    done: list[Annotation] = []
    for annotation in drafts:
        if annotation.label != "title":
            done.append(annotation)
            continue
        tail = _QUOTED_TAIL.search(example.text, annotation.start, annotation.end)
        if len(titles) > 1:
            done.append(
                annotation
                if annotation is titles[0]
                else Annotation("journal|book|series", annotation.start, annotation.end)
            )
        elif tail:
            done += [
                Annotation("title", annotation.start, tail.start()),
                Annotation("journal|book", *tail.span("container")),
            ]
        else:
            done.append(Annotation(UNKNOWN, annotation.start, annotation.end))
    return done


def _refine(draft: Annotation, text: str, hard: bool) -> Iterable[Annotation]:
    """The draft with its true edges, and the parts of it that can be told."""
    label = draft.label
    if label == "pages" and counts_pages(text, *strip(text, draft.start, draft.end)):
        return [Annotation(UNKNOWN, *strip(text, draft.start, draft.end, False))]
    if label == "volume":
        annotations = volume_parts(text, *strip(text, draft.start, draft.end)) if hard else []
        if annotations and annotations[0].label == "issue":
            return annotations
    if label.endswith("/etal") and not hard:  # may be nothing but dots
        return [Annotation(label, *trim(text, draft.start, draft.end, UNKNOWN))]
    start, end = trim(text, draft.start, draft.end, label, hard or label in ("date", "pages"))
    if start >= end or not any(character.isalnum() for character in text[start:end]):
        return [Annotation(UNKNOWN, draft.start, draft.end)] if "/" not in label else []
    if label == "volume":
        return volume_parts(text, start, end) or [Annotation(UNKNOWN, start, end)]
    if label == "pages":
        return [Annotation(label, start, end), *page_parts(text, start, end)]
    if label == "date":
        return [Annotation(label, start, end), *date_parts(text, start, end)]
    if label in ("doi", "url"):
        return [identifier_parts(text, start, end, label)]
    return [Annotation(label, start, end)]


def _parents(fields: list[Annotation], text: str, whole: str, gap: re.Pattern[str]) -> list[Annotation]:
    """The fields with a `whole` around every part of one that has none, neighbours in one."""
    given = [annotation for annotation in fields if annotation.label == whole]
    parts = sorted((annotation for annotation in fields if annotation.label.startswith(whole + "/")), key=_order)
    rest = [annotation for annotation in fields if annotation.label.split("/")[0] != whole]
    divided = [outer for outer in given if any(inside(part, outer) for part in parts)]
    kept = [part for i, part in enumerate(parts) if not (i and part.start < parts[i - 1].end)]
    made: list[Annotation] = [outer for outer in given if outer not in divided]
    group: list[Annotation] = []
    for part in [*kept, None]:
        joins = (
            part and group and gap.match(text[group[-1].end : part.start]) and all(p.label != part.label for p in group)
        )
        if group and not joins:
            made += [Annotation(whole, group[0].start, group[-1].end), *group]
            group = []
        if part:
            group.append(part)
    return [*rest, *made]


def _settle(annotations: list[Annotation], text: str) -> list[Annotation]:
    """The marks without conflicts: a field with another field in it gives way, what is left of it is unknown."""
    tops = [annotation for annotation in annotations if "/" not in annotation.label]
    broken = {i for i, (top, after) in enumerate(pairwise(tops)) if after.start < top.end}
    kept: list[Annotation] = []
    newest: dict[str, Annotation] = {}
    number = -1
    for annotation in annotations:
        above = annotation.label.rpartition("/")[0]
        number += not above
        good = inside(annotation, newest[above]) if above in newest else not above and number not in broken
        if good:
            kept.append(annotation)
            newest[annotation.label] = annotation
        elif not above:
            newest.pop(annotation.label, None)
    for index in broken:
        kept += _leftovers(tops[index], [annotation for annotation in kept if "/" not in annotation.label], text)
    return sorted(kept, key=_order) if broken else kept


def _leftovers(outer: Annotation, tops: list[Annotation], text: str) -> list[Annotation]:
    """What of `outer` no field covers, blanks not counted, as unknown."""
    pieces, place = [], outer.start
    for top in [*sorted(tops, key=_order), Annotation("", outer.end, outer.end)]:
        if top.end >= place and top.start <= outer.end:
            pieces.append(Annotation(UNKNOWN, *trim(text, place, max(place, top.start), UNKNOWN)))
            place = max(place, top.end)
    return [piece for piece in pieces if piece.start < piece.end]


def _opaque(annotations: list[Annotation]) -> frozenset[str]:
    """The labels with parts of which some mark has none."""
    whole: dict[str, bool] = {}  # whether the newest mark of a label has parts
    partially_annotated: set[str] = set()
    for annotation in annotations:
        above = annotation.label.rpartition("/")[0]
        if above:
            whole[above] = True
        if annotation.label in WITH_PARTS:
            if whole.get(annotation.label) is False:
                partially_annotated.add(annotation.label)
            whole[annotation.label] = False
    return frozenset(partially_annotated | {label for label, divided in whole.items() if not divided})
