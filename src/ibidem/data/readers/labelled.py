"""Files of labelled strings: JSON Lines, CoNLL columns and AnyStyle's XML; silver data of `ibidem segment`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.data.readers.columns import join
from ibidem.data.readers.files import LONGEST_LINE, lines_of, text_of
from ibidem.data.readers.inline import collapse, examples_of, scan
from ibidem.errors import DataError, InputError
from ibidem.faults import describe_fault, trip
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
    return any(suffix.lower() in SUFFIXES for suffix in Path(name).suffixes)


def read_labelled(path: Path) -> Iterator[Example | Malformed]:
    """Yield the strings of a file in their own labels; annotations come sorted, parents first.

    A string that cannot be read is reported, and reading continues with the next.
    """
    reader = READERS[format_of(path)]
    if not path.is_file():
        raise InputError(f"there is no file {path}; give a file of labelled strings")
    try:
        yield from reader(path)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


_BYTES = re.compile("[\udc80-\udcff]")  # what undecodable bytes become


def _numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines_of(path, "surrogateescape"), 1):
        yield number, line.removeprefix("\ufeff") if number == 1 else line


def _read_safely(read: Callable[[], Iterator[Example | Malformed]], text: str, where: str) -> list[Example | Malformed]:
    """Return what is read of one string; whatever goes wrong costs that string."""
    try:
        trip("labelled", text)
        if _BYTES.search(text):
            raise ValueError("it is not UTF-8")
        return list(read())
    except json.JSONDecodeError as error:
        return [Malformed(where, f"it is not JSON: {error}")]
    except RecursionError:
        return [Malformed(where, "it is nested too deep")]
    except ValueError as error:
        return [Malformed(where, str(error))]
    except Exception as error:
        return [Malformed(where, describe_fault(error, "reading it"))]


def read_jsonl(
    path: Path,
    keep: Callable[[Any], bool] = lambda _found: True,
    arrange: Callable[[Example, Any], Example] = lambda example, _found: example,
) -> Iterator[Example | Malformed]:
    """Read JSON Lines: an object per line with `text` and `fields`, as `ibidem parse` writes them.

    `arrange` makes the example of what was read and the object itself.
    """

    def read(line: str, where: str) -> Iterator[Example]:
        found = json.loads(line)
        example = parse_object(found, where)
        if keep(found):
            yield arrange(example, found)

    for number, line in _numbered_lines(path):
        if line.strip():
            where = f"{path.name}:{number}"
            yield from _read_safely(partial(read, line, where), line, where)


def parse_object(found: Any, where: str) -> Example:
    """Return the example of a JSON object; raise a `ValueError` if its fields do not fit its text."""
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise ValueError("expected an object with a string `text` and a list `fields`")
    text = found["text"]
    annotations = []
    for field in _list_in(found, "fields"):
        if not isinstance(field, dict) or not isinstance(field.get("label"), str) or not field["label"]:
            raise ValueError(f"expected a field with `label`, `start` and `end`, not {field!r:.60}")
        start, end = _check_range([field.get("start"), field.get("end")], text)
        if field.get("text", text[start:end]) != text[start:end]:
            raise ValueError(
                f"the text of the field {field['label']!r:.40} is {field['text']!r:.40}, but its offsets give "
                f"{text[start:end]!r:.40}"
            )
        annotations.append(Annotation(field["label"], start, end))
    ranges = [_check_range(one, text) for one in _list_in(found, "tokens")]
    tokens = tuple(Token(text[start:end], start, end) for start, end in ranges)
    opaque = frozenset(map(str, _list_in(found, "opaque")))
    return Example(text, tuple(annotations), str(found.get("source", where)), tokens, opaque)


def _list_in(found: dict[str, Any], name: str) -> list[Any]:
    value = found.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"expected a list in `{name}`, not {value!r:.60}")
    return value


def _check_range(place: Any, text: str) -> tuple[int, int]:
    start, end = place if isinstance(place, list) and len(place) == 2 else (None, None)
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        raise ValueError(f"{start!r:.30} to {end!r:.30} is not a range in a text of {len(text)} characters")
    return start, end


def read_silver(path: Path, min_confidence: float) -> Iterator[Example | Malformed]:
    """Read what `ibidem segment` wrote: strings whose fields all reach `min_confidence`, trimmed of punctuation.

    Citations with an error are skipped. The fields have no parts.
    """
    if not path.is_file():
        raise DataError(f"there is no file {path}; give what `ibidem segment` wrote")

    def keep(found: Any) -> bool:
        if "error" in found:
            return False
        confidence = [field.get("confidence") for field in found.get("fields", [])]
        if not all(isinstance(one, float | int) for one in confidence):
            raise ValueError("a field has no `confidence`; give what `ibidem segment` wrote")
        return all(one >= min_confidence for one in confidence)

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
_LABEL = re.compile(r"O|[BI]-[^/]+(?:/[BI]-[^/]+){0,99}")
_UNESCAPED = {"\\": "\\", "n": "\n", "r": "\r"}


def read_conll(path: Path) -> Iterator[Example | Malformed]:
    """Read columns: a token and its nested BIO label on every line, empty lines between strings.

    Comments before a string may say more: `# text` is the exact string, `# source` where it comes from, `# opaque` the
    partially annotated labels, `# tokens` the offsets of its own tokens. Without `# text`, tokens are joined by spaces.
    A string with an error in it is reported and skipped.
    """
    block: list[str] = []
    first = size = 0
    for number, line in _numbered_lines(path):
        if line.strip():
            first, size = first or number, size + len(line)
            block.append(line)
            if size > LONGEST_LINE:
                raise InputError(f"the string at line {first} of {path} is too long: put empty lines between strings")
        elif block:
            yield from _read_block(block, f"{path.name}:{first}")
            block, first, size = [], 0, 0
    if block:
        yield from _read_block(block, f"{path.name}:{first}")


def _read_block(lines: list[str], where: str) -> list[Example | Malformed]:
    return _read_safely(lambda: iter([_parse_block(lines, where)]), "\n".join(lines), where)


def _parse_block(lines: list[str], where: str) -> Example:
    """Return the example of the lines of a string; raise a `ValueError` if they do not fit together."""
    comments: dict[str, str] = {}
    rows: list[list[str]] = []
    for line in lines:
        if not rows and (found := _COMMENT.match(line)):
            comments[found[1]] = _ESCAPE.sub(lambda escape: _UNESCAPED[escape[1]], found[2] or "")
        else:
            rows.append(line.split("\t") if "\t" in line else line.split())
    if any(len(row) < 2 or not row[0] for row in rows):
        raise ValueError("a line has no token or no label; expected a token, a tab and a label")
    words, labels = [row[0] for row in rows], [row[-1] for row in rows]
    if wrong := [label for label in labels if not _LABEL.fullmatch(label)]:
        raise ValueError(f"{wrong[0]!r:.60} is not a label; expected O, or B- or I- and a name, levels separated by /")
    if "text" in comments:
        text = comments["text"]
        tokens = _align(words, text)
    else:
        text, tokens = join(words, tight=False)
    own = _parse_tokens(comments["tokens"], text) if "tokens" in comments else () if "text" in comments else tokens
    opaque = frozenset(comments.get("opaque", "").split())
    return Example(text, annotations_of_bio(tokens, labels), comments.get("source", where), own, opaque)


def annotations_of_bio(tokens: Sequence[Token], labels: Sequence[str]) -> tuple[Annotation, ...]:
    """Return the annotations, parents first, of tokens with nested BIO labels."""
    return tuple(
        Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in spans_of(labels)
    )


def _align(words: Sequence[str], text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, which are these words with only whitespace between them."""
    tokens: list[Token] = []
    place = 0
    for word in words:
        while text[place : place + 1].isspace() and not text.startswith(word, place):
            place += 1
        if not word or not text.startswith(word, place):
            raise ValueError("the tokens are not those of the line `# text`")
        tokens.append(Token(word, place, place + len(word)))
        place += len(word)
    if text[place:].strip():
        raise ValueError("the tokens are not those of the line `# text`")
    return tuple(tokens)


_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def _parse_tokens(ranges: str, text: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    for one in ranges.split():
        found = _RANGE.fullmatch(one)
        start, end = (int(found[1]), int(found[2])) if found else (0, 0)
        if not start < end <= len(text):
            raise ValueError("the line `# tokens` does not fit the text")
        tokens.append(Token(text[start:end], start, end))
    return tuple(tokens)


_SEQUENCE = re.compile(r"<sequence>(.*?)(</sequence>|(?=<sequence>)|\Z)", re.DOTALL)


def read_anystyle(path: Path) -> Iterator[Example | Malformed]:
    """Read AnyStyle's XML: the elements of each sequence joined by one space, with the punctuation inside them."""

    def read(piece: re.Match[str], source: str) -> Iterator[Example | Malformed]:
        if not piece[2]:
            yield Malformed(source, "the sequence is never closed")
        found = collapse(scan(piece[1], lambda tag, _attributes: tag))
        if not found.text:
            yield Malformed(source, "the sequence is empty")
        yield from examples_of(found, source)

    for number, piece in enumerate(_SEQUENCE.finditer(text_of(path, "surrogateescape")), 1):
        source = f"anystyle:{path.stem}:{number}"
        yield from _read_safely(partial(read, piece, source), piece[1], source)


READERS: dict[str, Callable[[Path], Iterator[Example | Malformed]]] = {
    "jsonl": read_jsonl,
    "conll": read_conll,
    "anystyle": read_anystyle,
}
"""Readers of labelled strings by format."""
