"""From the labels of a dataset to ours: `map_labels` applies the dataset's `LabelTable`.

A table says what each label means. Then boundaries are corrected (`boundaries`), parts of fields found where the text
leaves no doubt (`parts`), and lists of people completed (`person_lists`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ibidem.labels.mapping.boundaries import strip, trim
from ibidem.labels.mapping.parts import counts_pages, date_parts, identifier_parts, page_parts, volume_parts
from ibidem.labels.mapping.person_lists import complete_lists, inside, role_of
from ibidem.labels.mapping.table import Context, LabelTable, Targets, identity_table
from ibidem.labels.schema import UNKNOWN, WITH_PARTS
from ibidem.types import Annotation, Example

__all__ = ["Context", "LabelTable", "identity_table", "map_labels"]

_CLOSED = frozenset({"accessed", "translator", UNKNOWN})  # annotations inside these, and inside "a|b", are ignored
_DATE_GAP = re.compile(r"[\s,./()-]{0,3}\Z")
_PAGE_GAP = re.compile(r"[\s\-–—−‐‑~]{1,4}\Z|\s*(?:to|bis)\s*\Z")


def map_labels(example: Example, table: LabelTable) -> Example:
    """Return the example in the labels of our schema.

    Every part of a field has its parents. Lists, dates and pages whose parts the dataset does not annotate are named in
    `partially_annotated`. Labels that the table does not have become "?".
    """
    if table.flat:
        return replace(example, annotations=tuple(_translate(example, table.targets)))
    uncertain = table.uncertain_boundaries
    drafts = _translate(example, table.targets)
    if table.revise:
        drafts = table.revise(drafts, example)
    with_items = {role_of(draft.label) for draft in drafts if "/" in draft.label}  # their items say where lists end
    refined: list[Annotation] = []
    for draft in drafts:
        refined += [draft] if draft.label in with_items else _refine(draft, example.text, uncertain)
    people = complete_lists(sorted((m for m in refined if role_of(m.label)), key=_order), example.text, uncertain)
    fields = [annotation for annotation in refined if not role_of(annotation.label)]
    fields = _add_parents(fields, example.text, "date", _DATE_GAP)
    fields = _add_parents(fields, example.text, "pages", _PAGE_GAP)
    annotations = _resolve_overlaps(sorted([*people, *fields], key=_order), example.text)
    return replace(example, annotations=tuple(annotations), partially_annotated=_without_parts(annotations))


def _order(annotation: Annotation) -> tuple[int, int, int]:
    return annotation.start, -annotation.end, annotation.label.count("/")


def _translate(example: Example, targets: Targets) -> list[Annotation]:
    kind = example.source.rpartition(":")[2]
    labels = frozenset(annotation.label.rpartition("/")[2] for annotation in example.annotations)
    text = example.text
    drafts: list[Annotation] = []
    mapped: dict[str, str] = {}
    for annotation in example.annotations:
        own, parent, ancestors = _path(annotation.label)
        rule = targets.get(own, UNKNOWN)
        if not isinstance(rule, str):
            rule = rule(Context(text[annotation.start : annotation.end], parent, kind, labels))
        target = rule
        if any((above := mapped.get(path, "")) in _CLOSED or "|" in above for path in ancestors):
            continue
        if target.startswith("~"):
            role = next((r for path in reversed(ancestors) if (r := role_of(mapped.get(path, "")))), "author")
            target = role + target[1:]
        mapped[annotation.label] = target
        if target:
            drafts.append(Annotation(target, annotation.start, annotation.end))
    return drafts


@lru_cache(4096)
def _path(label: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the last component of a path, the one before it, and the paths above it from the top down."""
    parts = label.split("/")
    above = tuple("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return parts[-1], parts[-2] if above else "", above


def _refine(draft: Annotation, text: str, uncertain: bool) -> Iterable[Annotation]:
    """Return the annotation with its boundaries corrected, and those of its parts that the text makes clear."""
    label = draft.label
    if label == "pages" and counts_pages(text, *strip(text, draft.start, draft.end)):
        return [Annotation(UNKNOWN, *strip(text, draft.start, draft.end, False))]
    if label == "volume":
        annotations = volume_parts(text, *strip(text, draft.start, draft.end)) if uncertain else []
        if annotations and annotations[0].label == "issue":
            return annotations
    if label.endswith("/etal") and not uncertain:  # may be nothing but dots
        return [Annotation(label, *trim(text, draft.start, draft.end, UNKNOWN))]
    start, end = trim(text, draft.start, draft.end, label, uncertain or label in ("date", "pages"))
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


def _add_parents(fields: list[Annotation], text: str, whole: str, gap: re.Pattern[str]) -> list[Annotation]:
    """Put a `whole` around every part that has none; neighbouring parts share one."""
    given = [annotation for annotation in fields if annotation.label == whole]
    parts = sorted((annotation for annotation in fields if annotation.label.startswith(whole + "/")), key=_order)
    rest = [annotation for annotation in fields if annotation.label.split("/")[0] != whole]
    with_parts = [outer for outer in given if any(inside(part, outer) for part in parts)]
    kept = [part for i, part in enumerate(parts) if not (i and part.start < parts[i - 1].end)]
    made: list[Annotation] = [outer for outer in given if outer not in with_parts]
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


def _resolve_overlaps(annotations: list[Annotation], text: str) -> list[Annotation]:
    """Drop a field that another field overlaps; what is left of it becomes unknown."""
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
    """Return what no field covers of `outer`, whitespace aside, as unknown."""
    pieces, place = [], outer.start
    for top in [*sorted(tops, key=_order), Annotation("", outer.end, outer.end)]:
        if top.end >= place and top.start <= outer.end:
            pieces.append(Annotation(UNKNOWN, *trim(text, place, max(place, top.start), UNKNOWN)))
            place = max(place, top.end)
    return [piece for piece in pieces if piece.start < piece.end]


def _without_parts(annotations: list[Annotation]) -> frozenset[str]:
    """Return the labels with parts of which at least one annotation has none."""
    complete: dict[str, bool] = {}  # whether the newest annotation of a label has parts
    incomplete: set[str] = set()
    for annotation in annotations:
        above = annotation.label.rpartition("/")[0]
        if above:
            complete[above] = True
        if annotation.label in WITH_PARTS:
            if complete.get(annotation.label) is False:
                incomplete.add(annotation.label)
            complete[annotation.label] = False
    return frozenset(incomplete | {label for label, has_parts in complete.items() if not has_parts})
