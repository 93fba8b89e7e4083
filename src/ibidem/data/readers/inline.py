"""Reading text with tags in it, whether it is XML or only looks like it.

The scanner knows no DTD, no external entity and no file but the string it is given; it never refuses a string, it
repairs the nesting and says what it repaired. Characters that come out of an entity have the offsets they have in the
text that comes back.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from ibidem.types import Annotation

_TAG = re.compile(r"<(?:!--.*?-->|\?.*?\?>|(/?)([A-Za-z][A-Za-z0-9_:.-]*)((?:\s[^<>]*?)?)\s*(/?)>)", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")

Naming = Callable[[str, str], "str | None"]
"""From a tag's name and its attributes (as they stand) to the label, `""` for a tag that marks nothing, None for a
`<...>` that is no tag at all but text."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Text without its tags, what the tags marked (parents first), and what was wrong with them."""

    text: str
    annotations: tuple[Annotation, ...]
    problems: tuple[str, ...]


def attributes_of(text: str) -> dict[str, str]:
    """The attributes in the part of a tag after its name."""
    return {name: html.unescape(one or other) for name, one, other in _ATTRIBUTE.findall(text)}


def naming(labels: frozenset[str], transparent: frozenset[str] = frozenset()) -> Naming:
    """A `Naming` that keeps the tags of `labels` under their own names, passes through `transparent`, nothing else."""

    def name(tag: str, _attributes: str) -> str | None:
        return tag if tag in labels else "" if tag in transparent else None

    return name


class _Builder:
    """Gathers text and marks while the tags go by."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.annotations: list[tuple[int, int, int, str]] = []  # start, -end, depth, path
        self.problems: list[str] = []
        self.open: list[tuple[str, str, int]] = []  # tag, path, start

    def add(self, text: str) -> None:
        if text:
            plain = html.unescape(text) if "&" in text else text
            self.pieces.append(plain)
            self.length += len(plain)

    def begin(self, tag: str, label: str) -> None:
        parent = self.open[-1][1] if self.open else ""
        path = parent if not label else f"{parent}/{label}" if parent else label
        self.open.append((tag, path, self.length))

    def end(self, tag: str) -> None:
        if not any(entry[0] == tag for entry in self.open):
            self.problems.append(f"</{tag}> closes nothing")
            return
        while True:
            inner, path, start = self.open.pop()
            above = self.open[-1][1] if self.open else ""
            if path != above and start < self.length:
                self.annotations.append((start, -self.length, len(self.open), path))
            if inner == tag:
                return
            self.problems.append(f"<{inner}> is closed by </{tag}>")

    def finish(self) -> Scan:
        while self.open:
            tag = self.open[-1][0]
            self.problems.append(f"<{tag}> is never closed")
            self.end(tag)
        self.annotations.sort(key=lambda annotation: annotation[:3])
        annotations = tuple(Annotation(path, start, -end) for start, end, _, path in self.annotations)
        return Scan("".join(self.pieces), annotations, tuple(self.problems))


def scan(source: str, name: Naming, blank: frozenset[str] = frozenset(), blank_as: str = " ") -> Scan:
    """The text of `source` without tags, and a mark for every element that has any text in it.

    A tag in `blank` (a line break) stands for `blank_as` and needs no end. The labels of nested elements are joined to
    paths.

    >>> found = scan("<a>x &amp; <b>y</b></a>.", naming(frozenset("ab")))
    >>> found.text, [(one.label, one.start, one.end) for one in found.annotations], found.problems
    ('x & y.', [('a', 0, 5), ('a/b', 4, 5)], ())
    """
    builder = _Builder()
    done = 0
    for tag in _TAG.finditer(source):
        label = "" if tag[2] is None else name(tag[2], tag[3])
        if label is None:
            continue  # no tag of this format: stays text
        builder.add(source[done : tag.start()])
        done = tag.end()
        if tag[2] is None:  # a comment or a processing instruction
            continue
        if tag[2] in blank:
            builder.add(blank_as)
        elif tag[1]:
            builder.end(tag[2])
        elif not tag[4]:
            builder.begin(tag[2], label)
    builder.add(source[done:])
    return builder.finish()


def collapse(found: Scan, lines: bool = False) -> Scan:
    """The same with every run of blanks made one, none at the ends, and marks that neither begin nor end in a blank.

    With `lines`, a run with a line break in it becomes a line break.
    """
    place: list[int] = []  # where a character of the old text stands in the new one
    pieces: list[str] = []
    for character in found.text:
        place.append(len(pieces))
        if not character.isspace():
            pieces.append(character)
        elif lines and character == "\n" and pieces and pieces[-1] == " ":
            pieces[-1] = "\n"
        elif pieces and pieces[-1] not in " \n":
            pieces.append("\n" if lines and character == "\n" else " ")
    place.append(len(pieces))
    plain = "".join(pieces)
    annotations = []
    for annotation in found.annotations:
        start, end = place[annotation.start], place[annotation.end]
        while start < end and plain[start] in " \n":
            start += 1
        while start < end and plain[end - 1] in " \n":
            end -= 1
        if start < end:
            annotations.append(Annotation(annotation.label, start, end))
    return Scan(plain.rstrip(" \n"), tuple(annotations), found.problems)
