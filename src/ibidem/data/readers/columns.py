"""Columns: a token and its label on every line, empty lines between strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ibidem.data.readers.files import NOT_UTF8, lines_of
from ibidem.types import Annotation, Example, Malformed, Token

Row = tuple[str, str]
"""A token and its label."""

_NO_SPACE_BEFORE = frozenset(".,;:)]")
_NO_SPACE_AFTER = frozenset("([")


def pieces_of(lines: Iterable[str]) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield the runs of lines between empty lines, split into columns, each with the number of its first line."""
    for filled, run in groupby(enumerate(lines, 1), key=lambda numbered: bool(numbered[1].strip())):
        if filled:
            rows = list(run)
            yield rows[0][0], [line.split() for _, line in rows]


def join(words: Sequence[str], tight: bool) -> tuple[str, tuple[Token, ...]]:
    """Join words to a text; return it and its tokens.

    Words are separated by one space; with `tight` there is none before closing punctuation or after an opening bracket.
    """
    pieces: list[str] = []
    tokens, place = [], 0
    for word in words:
        attached = tight and pieces and (word[0] in _NO_SPACE_BEFORE or pieces[-1][-1] in _NO_SPACE_AFTER)
        if pieces and not attached:
            pieces.append(" ")
            place += 1
        pieces.append(word)
        tokens.append(Token(word, place, place + len(word)))
        place += len(word)
    return "".join(pieces), tuple(tokens)


def annotations_of(
    tokens: Sequence[Token], labels: Sequence[str], outside: frozenset[str] = frozenset("O")
) -> tuple[Annotation, ...]:
    """Return the annotations of labelled tokens: by `B-` and `I-`, or else one for each run of a label.

    An `I-` that continues nothing begins an annotation.
    """
    annotations: list[Annotation] = []
    previous = ""
    for token, label in zip(tokens, labels, strict=True):
        kind, dash, name = label.partition("-")
        prefixed = bool(dash) and kind in ("B", "I")
        name = name if prefixed else label
        if label in outside:
            previous = ""
            continue
        if previous == name and not (prefixed and kind == "B"):
            annotations[-1] = Annotation(name, annotations[-1].start, token.end)
        else:
            annotations.append(Annotation(name, token.start, token.end))
        previous = name
    return tuple(annotations)


def example_of(
    rows: Sequence[Row], source: str, tight: bool = False, outside: frozenset[str] = frozenset("O")
) -> Example:
    """Make an example of tokens and labels."""
    text, tokens = join([token for token, _ in rows], tight)
    return Example(text, annotations_of(tokens, [label for _, label in rows], outside), source, () if tight else tokens)


def read_columns(path: Path, source: str, columns: int | None = 2) -> Iterator[Example | Malformed]:
    """Read a file whose lines are a token, perhaps attributes, and a label, with empty lines between strings.

    A string with a line that does not have `columns` columns (None: at least two) is reported and skipped.
    """
    for number, rows in pieces_of(lines_of(path, "replace")):
        where = f"{source}:{number}"
        wrong = [row for row in rows if (len(row) != columns if columns else len(row) < 2)]
        if wrong:
            expected = columns or "two or more"
            yield Malformed(where, f"{len(wrong)} lines do not have {expected} columns: {' '.join(wrong[0])}")
            continue
        if any("\ufffd" in row[0] for row in rows):
            yield Malformed(where, NOT_UTF8)
        yield example_of([(row[0], row[-1]) for row in rows], where)
