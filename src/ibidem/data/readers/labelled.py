"""Files of labelled strings: JSON Lines, CoNLL columns and AnyStyle's XML; silver data of `ibidem segment`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ibidem.data.readers.columns import join
from ibidem.data.readers.files import NOT_UTF8, lines_of, text_of
from ibidem.data.readers.inline import collapse, examples_of, scan
from ibidem.errors import DataError, InputError
from ibidem.labels.bio import spans_of
from ibidem.types import Annotation, Example, Malformed, Token

SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".conll": "conll",
    ".bio": "conll",
    ".xml": "anystyle",
}
"""Formats of labelled strings by file suffix, before a `.gz` or `.xz`."""


def format_of(path: Path) -> str:
    """Return the format of a file by its name.

    >>> format_of(Path("mine.conll.gz"))
    'conll'
    """
    suffixes = [suffix for suffix in path.suffixes if suffix not in (".gz", ".xz")]
    form = SUFFIXES.get(suffixes[-1].lower() if suffixes else "")
    if form is None:
        raise InputError(f"{path}: unknown format; name the file {', '.join(f'*{suffix}' for suffix in SUFFIXES)}")
    return form


def looks_like_file(name: str) -> bool:
    """Return whether a name is that of a file of labelled strings, not of a dataset."""
    return any(suffix in SUFFIXES for suffix in Path(name).suffixes)


def read_labelled(path: Path) -> Iterator[Example | Malformed]:
    """Yield the strings of a file in their own labels; annotations come sorted, parents first."""
    reader = READERS[format_of(path)]
    if not path.is_file():
        raise InputError(f"there is no file {path}; give a file of labelled strings")
    try:
        yield from reader(path)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def read_jsonl(path: Path, keep: Callable[[Any], bool] = lambda _found: True) -> Iterator[Example | Malformed]:
    """Read JSON Lines: an object per line with `text` and `fields`, as `ibidem parse` writes them."""
    for number, line in enumerate(lines_of(path, "replace"), 1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        try:
            found = json.loads(line)
            if keep(found):
                yield parse_object(found, where)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            yield Malformed(where, f"{type(error).__name__}: {error}")


def parse_object(found: Any, where: str) -> Example:
    """Return the example of a JSON object; raise a `ValueError` if its fields do not fit its text."""
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise ValueError("expected an object with a string `text` and a list `fields`")
    text = found["text"]
    annotations = []
    for field in found.get("fields", []):
        start, end = _check_range(field["start"], field["end"], text)
        if field.get("text", text[start:end]) != text[start:end]:
            raise ValueError(
                f"the text of the field {field['label']!r} is {field['text'][:40]!r}, but its offsets give "
                f"{text[start:end]!r}"
            )
        annotations.append(Annotation(str(field["label"]), start, end))
    ranges = [_check_range(start, end, text) for start, end in found.get("tokens", [])]
    tokens = tuple(Token(text[start:end], start, end) for start, end in ranges)
    return Example(
        text, tuple(annotations), str(found.get("source", where)), tokens, frozenset(map(str, found.get("opaque", [])))
    )


def _check_range(start: object, end: object, text: str) -> tuple[int, int]:
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        raise ValueError(f"{start!r} to {end!r} is not a range in a text of {len(text)} characters")
    return start, end


def read_silver(path: Path, min_confidence: float) -> Iterator[Example | Malformed]:
    """Read what `ibidem segment` wrote: strings whose fields all reach `min_confidence`, trimmed of punctuation.

    Citations with an error are skipped. The fields have no parts.
    """
    if not path.is_file():
        raise DataError(f"there is no file {path}; give what `ibidem segment` wrote")

    def keep(found: Any) -> bool:
        return "error" not in found and all(field["confidence"] >= min_confidence for field in found["fields"])

    for item in read_jsonl(path, keep):
        yield item if isinstance(item, Malformed) else trim_annotations(item)


def trim_annotations(example: Example) -> Example:
    """Trim each annotation to its first and last letter or digit; drop those without any.

    Neighbours with the same label are merged: two segments may have been given the same name.
    """
    annotations: list[Annotation] = []
    for annotation in example.annotations:
        inside = [place for place in range(annotation.start, annotation.end) if example.text[place].isalnum()]
        if (
            inside
            and annotations
            and annotations[-1].label == annotation.label
            and not any(map(str.isalnum, example.text[annotations[-1].end : inside[0]]))
        ):
            annotations[-1] = Annotation(annotation.label, annotations[-1].start, inside[-1] + 1)
        elif inside:
            annotations.append(Annotation(annotation.label, inside[0], inside[-1] + 1))
    return Example(example.text, tuple(annotations), example.source)


# No token has a space in it, so a comment cannot be a token and its label.
_COMMENT = re.compile(r"# (text|source|opaque|tokens) =(?: (.*))?\Z", re.DOTALL)
_ESCAPE = re.compile(r"\\([\\nr])")
_UNESCAPED = {"\\": "\\", "n": "\n", "r": "\r"}


def read_conll(path: Path) -> Iterator[Example | Malformed]:
    """Read columns: a token and its nested BIO label on every line, empty lines between strings.

    Comments before a string may say more: `# text` is the exact string, `# source` where it comes from, `# opaque` the
    partially annotated labels, `# tokens` the offsets of its own tokens. Without `# text`, tokens are joined by spaces.
    A string with an error in it is reported and skipped.
    """
    comments: dict[str, str] = {}
    rows: list[list[str]] = []
    first = 0
    for number, line in enumerate(lines_of(path, "replace"), 1):
        found = None if rows else _COMMENT.match(line)
        if found:
            comments[found[1]] = _ESCAPE.sub(lambda escape: _UNESCAPED[escape[1]], found[2] or "")
        elif line.strip():
            if not rows:
                first = number
            rows.append(line.split("\t") if "\t" in line else line.split())
        elif rows or comments:
            yield _parse_block(rows, comments, f"{path.name}:{first or number}")
            comments, rows, first = {}, [], 0
    if rows or comments:
        yield _parse_block(rows, comments, f"{path.name}:{first}")


def _parse_block(rows: list[list[str]], comments: dict[str, str], where: str) -> Example | Malformed:
    source = comments.get("source", where)
    if any(len(row) < 2 for row in rows):
        return Malformed(where, "a line has no label; expected a token, a tab and a label")
    if any("\ufffd" in row[0] for row in rows) and "\ufffd" not in comments.get("text", ""):
        return Malformed(where, NOT_UTF8)
    words, labels = [row[0] for row in rows], [row[-1] for row in rows]
    if "text" in comments:
        text = comments["text"]
        aligned = _align(words, text)
        if aligned is None:
            return Malformed(where, "the tokens are not those of the line `# text`")
        tokens = aligned
    else:
        text, tokens = join(words, tight=False)
    own = _parse_tokens(comments["tokens"], text) if "tokens" in comments else () if "text" in comments else tokens
    if own is None:
        return Malformed(where, "the line `# tokens` does not fit the text")
    return Example(text, annotations_of_bio(tokens, labels), source, own, frozenset(comments.get("opaque", "").split()))


def annotations_of_bio(tokens: Sequence[Token], labels: Sequence[str]) -> tuple[Annotation, ...]:
    """Return the annotations, parents first, of tokens with nested BIO labels."""
    return tuple(
        Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in spans_of(labels)
    )


def _align(words: Sequence[str], text: str) -> tuple[Token, ...] | None:
    """Return the tokens of a text with only whitespace between them; None if the words are not those of the text."""
    tokens: list[Token] = []
    place = 0
    for word in words:
        start = text.find(word, place) if word else -1
        if start < 0 or text[place:start].strip():
            return None
        place = start + len(word)
        tokens.append(Token(word, start, place))
    return None if text[place:].strip() else tuple(tokens)


def _parse_tokens(ranges: str, text: str) -> tuple[Token, ...] | None:
    tokens: list[Token] = []
    for one in ranges.split():
        start, dash, end = one.partition("-")
        if not dash or not (start.isdecimal() and end.isdecimal()) or not int(start) < int(end) <= len(text):
            return None
        tokens.append(Token(text[int(start) : int(end)], int(start), int(end)))
    return tuple(tokens)


_SEQUENCE = re.compile(r"<sequence>(.*?)(</sequence>|(?=<sequence>)|\Z)", re.DOTALL)


def read_anystyle(path: Path) -> Iterator[Example | Malformed]:
    """Read AnyStyle's XML: the elements of each sequence joined by one space, with the punctuation inside them."""
    for number, piece in enumerate(_SEQUENCE.finditer(text_of(path)), 1):
        source = f"anystyle:{path.stem}:{number}"
        if not piece[2]:
            yield Malformed(source, "the sequence is never closed")
        found = collapse(scan(piece[1], lambda tag, _attributes: tag))
        if not found.text:
            yield Malformed(source, "the sequence is empty")
        yield from examples_of(found, source)


READERS: dict[str, Callable[[Path], Iterator[Example | Malformed]]] = {
    "jsonl": read_jsonl,
    "conll": read_conll,
    "anystyle": read_anystyle,
}
"""Readers of labelled strings by format."""
