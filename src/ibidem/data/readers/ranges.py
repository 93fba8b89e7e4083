"""Labelled strings as JSON lines whose fields are ranges of characters that lie inside each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.data.readers.labelled import read_jsonl
from ibidem.types import Annotation, Example, Malformed

_NO_ORDER: Mapping[str, int] = {}


def read_ranges(path: Path, name: str, outermost: Mapping[str, int] = _NO_ORDER) -> Iterator[Example | Malformed]:
    """Read lines with `text`, `fields`, `doc` and perhaps `kind`; labels become paths by what lies inside what.

    Of ranges that are equal, the one with the smaller number in `outermost` is around the others. The source is
    `name:doc:kind`; a `/` in a label becomes `:`. Ranges that cross an earlier one are reported and left out.
    """
    crossing: list[Malformed] = []

    def arrange(example: Example, found: Any) -> Example:
        source = f"{name}:{found.get('doc', '')}:{found.get('kind') or ''}"
        kept, crossed = nest(example.annotations, outermost)
        if crossed:
            labels = ", ".join(sorted({one.label for one in crossed}))
            crossing.append(Malformed(source, f"fields overlap without one being inside the other: {labels:.80}"))
        return Example(example.text, kept, source)

    for item in read_jsonl(path, arrange=arrange):
        yield from crossing
        crossing.clear()
        yield item


def nest(
    fields: tuple[Annotation, ...], outermost: Mapping[str, int]
) -> tuple[tuple[Annotation, ...], list[Annotation]]:
    """Return the annotations with paths for labels, parents first, and those that cross another one."""
    last = len(outermost)
    kept: list[Annotation] = []
    crossed: list[Annotation] = []
    around: list[Annotation] = []  # that are open, outermost first
    for field in sorted(fields, key=lambda one: (one.start, -one.end, outermost.get(one.label, last))):
        while around and around[-1].end <= field.start:
            around.pop()
        if around and around[-1].end < field.end:
            crossed.append(field)
            continue
        label = field.label.replace("/", ":")
        found = Annotation(f"{around[-1].label}/{label}" if around else label, field.start, field.end)
        around.append(found)
        kept.append(found)
    return tuple(kept), crossed


_INITIALS = re.compile(r"[^\W\d_a-z]{1,4}\.?")
_INITIAL = re.compile(r"(?:\A|[\s.-])[^\W\d_]\Z")


def settle_initials(example: Example, given: str) -> Example:
    """Return the example in which the full stop after an initial belongs to it, unless other names have none.

    Programs that look for names in a text find "J. R" and leave the full stop, or take the one after the whole list.
    """
    text = example.text
    names = [one for one in example.annotations if one.label.rpartition("/")[2] == given]
    # Of one name alone, "Reed A." without a comma is in the style that has no full stops after initials.
    alone = len(names) == 1 and re.search(r"\w \Z", text[: names[0].start])
    without = bool(alone) or any(
        _INITIALS.fullmatch(text[one.start : one.end]) and "." not in text[one.end - 1 : one.end + 1] for one in names
    )
    changed: dict[Annotation, Annotation] = {}
    for one in names:
        name = text[one.start : one.end]
        if not without and _INITIAL.search(name) and text[one.end : one.end + 1] == ".":
            changed[one] = replace(one, end=one.end + 1)
        elif name.endswith(".") and _INITIALS.fullmatch(name) and (without or len(name) > 2):
            changed[one] = replace(one, end=one.end - 1)
    return replace(example, annotations=tuple(changed.get(one, one) for one in example.annotations))
