"""Sets with a token and its label on every line: flat UMass, ParsCit's training file, HO-semi-CRF, LinkedBooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ibidem.data.readers.files import lines_of, text_of
from ibidem.types import Annotation, Example, Malformed, Token

Row = tuple[str, str]
"""A token and its label."""

_NO_BLANK_BEFORE = frozenset(".,;:)]")
_NO_BLANK_AFTER = frozenset("([")


def pieces_of(lines: Iterable[str]) -> Iterator[tuple[int, list[list[str]]]]:
    """The runs of lines between blank lines, each with the number of its first line and split at blanks."""
    rows: list[list[str]] = []
    first = 0
    for number, line in enumerate(lines, 1):
        columns = line.split()
        if columns:
            first = first if rows else number
            rows.append(columns)
        elif rows:
            yield first, rows
            rows = []
    if rows:
        yield first, rows


def join(tokens: Sequence[str], tight: bool) -> tuple[str, tuple[Token, ...]]:
    """The text of some tokens and the tokens with their places in it.

    One blank between two tokens; with `tight` none before a closing mark or after an opening bracket.
    """
    pieces: list[str] = []
    placed, place = [], 0
    for token in tokens:
        close = tight and pieces and (token[0] in _NO_BLANK_BEFORE or pieces[-1][-1] in _NO_BLANK_AFTER)
        if pieces and not close:
            pieces.append(" ")
            place += 1
        pieces.append(token)
        placed.append(Token(token, place, place + len(token)))
        place += len(token)
    return "".join(pieces), tuple(placed)


def marks_of(
    tokens: Sequence[Token], labels: Sequence[str], outside: frozenset[str] = frozenset("O")
) -> tuple[Annotation, ...]:
    """The marks that labels on tokens stand for: with `B-`/`I-` as they say, without a run of one label is one mark.

    An `I-` that continues nothing begins a mark of its own.
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
    """The example that tokens and labels make."""
    text, tokens = join([token for token, _ in rows], tight)
    return Example(text, marks_of(tokens, [label for _, label in rows], outside), source, () if tight else tokens)


def read_columns(path: Path, source: str, columns: int | None = 2) -> Iterator[Example | Malformed]:
    """The strings of a file whose lines are a token, perhaps attributes, and a label, with blank lines between strings.

    A line with another number of columns than `columns` (None: at least two) spoils its string, which is reported.
    """
    for number, rows in pieces_of(lines_of(path, "replace")):
        where = f"{source}:{number}"
        wrong = [row for row in rows if (len(row) != columns if columns else len(row) < 2)]
        if wrong:
            yield Malformed(
                where, f"{len(wrong)} lines do not have {columns or 'two or more'} columns: {' '.join(wrong[0])}"
            )
            continue
        if any("\ufffd" in row[0] for row in rows):
            yield Malformed(where, "not UTF-8: the bytes in question are shown as U+FFFD")
        yield example_of([(row[0], row[-1]) for row in rows], where)


def read_umass_flat(path: Path) -> Iterator[Example | Malformed]:
    """The strings of one file of the flattened UMass set (`token label`, BIO)."""
    yield from read_columns(path, f"umass-flat:{path.stem}")


def read_parscit(path: Path) -> Iterator[Example | Malformed]:
    """The strings of ParsCit's CRF++ training file, labels without BIO; `notes` is read as `note`."""
    for item in read_columns(path, "parscit", None):
        if isinstance(item, Example):
            annotations = tuple(
                Annotation("note", m.start, m.end) if m.label == "notes" else m for m in item.annotations
            )
            item = Example(item.text, annotations, item.source, item.tokens)
        yield item


def read_hosemicrf(path: Path) -> Iterator[Example | Malformed]:
    """The references of the higher-order semi-CRF program's own files (`token label`)."""
    yield from read_columns(path, f"hosemicrf:{path.suffix.removeprefix('.')}")


def read_linkedbooks(path: Path) -> Iterator[Example | Malformed]:
    """The references of a LinkedBooks file, each from a `b-r` to the next `b-r` or `o`; label `o` in one is no label.

    Lines end in a bare carriage return. The source ends in the kind of the reference: primary, secondary or
    meta-annotation. What has no beginning is reported and not given; what has no end, or goes on
    after an `e-r`, is reported and given.
    """
    source = f"linkedbooks:{path.name.removesuffix('.gz').removesuffix('.txt')}"
    rows: list[list[str]] = []
    first = 0
    for number, line in enumerate(text_of(path, "replace").split("\r"), 1):
        columns = line.split()
        if not columns or columns[0] == "-DOCSTART-":
            continue
        if len(columns) != 4:
            yield Malformed(f"{source}:{number}", f"{len(columns)} columns instead of 4: {line[:60]}")
            continue
        if rows and columns[3] in ("b-r", "o"):
            yield from _linkedbooks_reference(rows, f"{source}:{first}")
            rows = []
        if columns[3] != "o":
            first = first if rows else number
            rows.append(columns)
    if rows:
        yield from _linkedbooks_reference(rows, f"{source}:{first}")


def _linkedbooks_reference(rows: list[list[str]], source: str) -> Iterator[Example | Malformed]:
    places = [row[3] for row in rows]
    if places[0] != "b-r":
        yield Malformed(source, f"{len(rows)} tokens of a reference that never began (no b-r)")
        return
    if places[-1] != "e-r":
        yield Malformed(source, "the reference has no end (e-r)")
    if "e-r" in places[:-1]:
        yield Malformed(source, "the reference goes on after its end (e-r)")
    kind = rows[0][2].partition("-")[2]
    yield example_of([(row[0], row[1]) for row in rows], f"{source}:{kind}", True, frozenset("o"))
