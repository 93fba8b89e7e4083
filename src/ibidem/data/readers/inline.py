"""Text with inline tags, whether it is XML or only looks like it.

The scanner reads no DTD, no external entity and no other file. It never refuses a string: it repairs the nesting and
reports what it repaired. Offsets are those of the resulting text, with entities replaced.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ibidem.data.readers.files import NOT_UTF8, lines_of
from ibidem.types import Annotation, Example, Malformed, Token

# The begin of a comment or a processing instruction, or a tag: its slash, name and attributes.
_TAG = re.compile(r"<(?:!--|\?|(/?)([A-Za-z][A-Za-z0-9_:.-]*)(\s[^<>]*|/)?>)")
_ENDS = {"<!--": "-->", "<?": "?>"}
_DEEPEST = 100  # tags inside each other; what is deeper has the label of what is around it
_REPORTED = 5  # problems of a string, before the number of the others
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*(?:"([^"]*)"|'([^']*)')""")

_BREAK = frozenset({"br"})

Naming = Callable[[str, str], "str | None"]
"""From a tag's name and its unparsed attributes to a label, "" for a tag without a label, None for a `<...>` that is
text."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Text without its tags, the annotations (parents first), and what was wrong with the tags."""

    text: str
    annotations: tuple[Annotation, ...]
    problems: tuple[str, ...]


def attributes_of(text: str) -> dict[str, str]:
    """Parse the attributes of a tag."""
    return {name: html.unescape(one or other) for name, one, other in _ATTRIBUTE.findall(text)}


def naming(labels: frozenset[str], transparent: frozenset[str] = frozenset()) -> Naming:
    """Return a `Naming` in which the tags in `labels` are labels, those in `transparent` none, all others text."""

    def name(tag: str, _attributes: str) -> str | None:
        return tag if tag in labels else "" if tag in transparent else None

    return name


class _Builder:
    """Collects text and annotations tag by tag."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.annotations: list[tuple[int, int, int, str]] = []  # start, -end, depth, path
        self.problems: list[str] = []
        self.open: list[tuple[str, str, int]] = []  # tag, path, start
        self.count: Counter[str] = Counter()  # of the open tags

    def add(self, text: str) -> None:
        if text:
            plain = self._unescape(text) if "&" in text else text
            self.pieces.append(plain)
            self.length += len(plain)

    def _unescape(self, text: str) -> str:
        try:
            return html.unescape(text)
        except ValueError:  # the number of a character with thousands of digits
            self.problems.append("a character reference has too many digits")
            return text

    def begin(self, tag: str, label: str) -> None:
        parent = self.open[-1][1] if self.open else ""
        if len(self.open) == _DEEPEST:
            self.problems.append(f"tags are nested more than {_DEEPEST} deep")
        deep = len(self.open) >= _DEEPEST
        path = parent if not label or deep else f"{parent}/{label}" if parent else label
        self.open.append((tag, path, self.length))
        self.count[tag] += 1

    def end(self, tag: str) -> None:
        if not self.count[tag]:
            self.problems.append(f"</{tag:.40}> closes nothing")
            return
        while True:
            inner, path, start = self.open.pop()
            self.count[inner] -= 1
            above = self.open[-1][1] if self.open else ""
            if path != above and start < self.length:
                self.annotations.append((start, -self.length, len(self.open), path))
            if inner == tag:
                return
            self.problems.append(f"<{inner:.40}> is closed by </{tag:.40}>")

    def finish(self) -> Scan:
        while self.open:
            tag = self.open[-1][0]
            self.problems.append(f"<{tag:.40}> is never closed")
            self.end(tag)
        self.annotations.sort(key=lambda annotation: annotation[:3])
        annotations = tuple(Annotation(path, start, -end) for start, end, _, path in self.annotations)
        return Scan("".join(self.pieces), annotations, tuple(self.problems))


def scan(source: str, name: Naming, breaks: frozenset[str] = frozenset(), break_as: str = " ") -> Scan:
    """Return the text of `source` without tags, and an annotation for every element that has text in it.

    A tag in `breaks` (a line break) becomes `break_as` and needs no end tag. Labels of nested elements are paths.

    >>> found = scan("<a>x &amp; <b>y</b></a>.", naming(frozenset("ab")))
    >>> found.text, [(one.label, one.start, one.end) for one in found.annotations], found.problems
    ('x & y.', [('a', 0, 5), ('a/b', 4, 5)], ())
    """
    builder = _Builder()
    done = 0
    for tag, end in _find_tags(source):
        rest = tag[3] or ""
        label = "" if tag[2] is None else name(tag[2], rest.removesuffix("/"))
        if label is None:
            continue  # not a tag of this format, so text
        builder.add(source[done : tag.start()])
        done = end
        if tag[2] is None:  # a comment or a processing instruction
            continue
        if tag[2] in breaks:
            builder.add(break_as)
        elif tag[1]:
            builder.end(tag[2])
        elif not rest.endswith("/"):
            builder.begin(tag[2], label)
    builder.add(source[done:])
    return builder.finish()


def _find_tags(source: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the tags, comments and processing instructions, and where each ends; one without an end is text."""
    place, endless = 0, set()
    while found := _TAG.search(source, place):
        place = found.end()
        if (end := _ENDS.get(found[0])) is not None:
            close = -1 if end in endless else source.find(end, place)
            if close < 0:
                endless.add(end)  # none will be found further on either
                continue
            place = close + len(end)
        yield found, place


def collapse(found: Scan, lines: bool = False) -> Scan:
    """Collapse runs of whitespace into one space, and strip it from the ends of the text and of the annotations.

    With `lines`, a run that contains a line break becomes a line break.
    """
    place: list[int] = []  # offset in the new text of each character of the old one
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


def examples_of(found: Scan, source: str) -> Iterator[Example | Malformed]:
    """Yield a `Malformed` if something was wrong with the tags, and an `Example` if there is any text."""
    if found.problems:
        more = len(found.problems) - _REPORTED
        yield Malformed(source, "; ".join(found.problems[:_REPORTED]) + (f"; and {more:,} more" if more > 0 else ""))
    if found.text:
        yield Example(found.text, found.annotations, source)


def split_on_spaces(example: Example) -> Example:
    """Return the example with the tokens that its spaces separate; for datasets that come tokenised."""
    tokens, place = [], 0
    for piece in example.text.split(" "):
        if piece:
            tokens.append(Token(piece, place, place + len(piece)))
        place += len(piece) + 1
    return replace(example, tokens=tuple(tokens))


def read_tagged(
    path: Path, name: Naming, source: str, lines: Iterable[str] | None = None, keep_lines: str = ""
) -> Iterator[Example | Malformed]:
    """Read a file with one tagged string per line; empty lines are skipped.

    A line whose tags do not nest is reported, and given as far as it can be repaired. In a file of multi-line strings,
    `keep_lines` is what stands for a line break.
    """
    for number, line in enumerate(lines if lines is not None else lines_of(path, "replace"), 1):
        where = f"{source}:{number}"
        if "\ufffd" in line:
            yield Malformed(where, NOT_UTF8)
        if line.strip():
            text = line.replace(keep_lines, "\n") if keep_lines else line
            yield from examples_of(collapse(scan(text, name, _BREAK), lines=bool(keep_lines)), where)
