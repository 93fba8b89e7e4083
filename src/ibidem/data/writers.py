"""Writers of labelled strings: JSON Lines, CoNLL columns and AnyStyle's XML.

What a format cannot carry, its writer refuses with an `InputError` that says why; nothing is lost in silence.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, BinaryIO

from ibidem.data.readers.labelled import annotations_of_bio, format_of
from ibidem.errors import InputError
from ibidem.faults import describe_fault, trip
from ibidem.labels.bio import labels_of
from ibidem.text import tokenise
from ibidem.types import Annotation, Example, Malformed, Token

__all__ = ["FORMATS", "format_of", "write"]


def write(examples: Iterable[Example | Malformed], stream: BinaryIO, form: str) -> Iterator[Malformed]:
    """Write examples one by one; yield those that cannot be written, with the reason. Exhaust it to write them all."""
    if form not in _WRITERS:
        raise InputError(f"{form!r} is not a format of labelled strings; there are {', '.join(FORMATS)}")
    head, tail = (_HEAD, _TAIL) if form.startswith("anystyle") else ("", "")
    stream.write(head.encode())
    for example in examples:
        if isinstance(example, Malformed):
            yield example
            continue
        try:
            trip("label", example.text)
            text = _WRITERS[form](example).encode()
        except UnicodeEncodeError as error:
            yield Malformed(example.source, str(error))
            continue
        except Exception as error:
            yield Malformed(example.source, describe_fault(error, f"writing it as {form}"))
            continue
        stream.write(text)
    stream.write(tail.encode())


def to_jsonl(example: Example) -> str:
    """Return an example as a line of JSON, in the shape that `ibidem parse` writes; carries everything.

    >>> to_jsonl(Example("On things", (Annotation("title", 0, 9),), "mine:1"))
    '{"text": "On things", "fields": [{"label": "title", "text": "On things", "start": 0, "end": 9}], \
"source": "mine:1"}\\n'
    """
    made: dict[str, Any] = {
        "text": example.text,
        "fields": [
            {
                "label": annotation.label,
                "text": example.text[annotation.start : annotation.end],
                "start": annotation.start,
                "end": annotation.end,
            }
            for annotation in example.annotations
        ],
        "source": example.source,
    }
    if example.tokens:
        made["tokens"] = [[token.start, token.end] for token in example.tokens]
    if example.partially_annotated:
        made["opaque"] = sorted(example.partially_annotated)
    return json.dumps(made, ensure_ascii=False) + "\n"


_CONLL_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})


def to_conll(example: Example) -> str:
    """Return an example as comments with the exact text, then a token, a tab and its nested BIO label per line.

    A token that an annotation begins or ends in is written in two pieces, so that no boundary moves.

    >>> to_conll(Example("A 1990.", (Annotation("date", 2, 6),), "mine:1"))
    '# source = mine:1\\n# text = A 1990.\\nA\\tO\\n1990\\tB-date\\n.\\tO\\n\\n'
    """
    tokens = _split_tokens(example)
    labels, _ = labels_of(tokens, example.annotations)
    control = any(bad in label for label in labels for bad in "\t\n\r")
    if control or annotations_of_bio(tokens, labels) != example.annotations:
        raise InputError(
            "CoNLL cannot carry annotations that overlap, that have no parent around them, or that begin or end with "
            "whitespace; write JSON Lines instead"
        )
    lines = [f"# {key} = {value.translate(_CONLL_ESCAPES)}" for key, value in _comments(example)]
    lines += [f"{token.text}\t{label}" for token, label in zip(tokens, labels, strict=True)]
    return "\n".join(lines) + "\n\n"


def _comments(example: Example) -> Iterator[tuple[str, str]]:
    yield "source", example.source
    yield "text", example.text
    if example.partially_annotated:
        yield "opaque", " ".join(sorted(example.partially_annotated))
    if example.tokens:
        yield "tokens", " ".join(f"{token.start}-{token.end}" for token in example.tokens)


def _split_tokens(example: Example) -> tuple[Token, ...]:
    """Return the tokens of an example, split at annotation boundaries inside them."""
    cuts = sorted({cut for annotation in example.annotations for cut in (annotation.start, annotation.end)})
    pieces: list[Token] = []
    for token in example.tokens or tokenise(example.text):
        start = token.start
        for cut in (*cuts[bisect_right(cuts, token.start) : bisect_left(cuts, token.end)], token.end):
            pieces.append(Token(example.text[start:cut], start, cut))
            start = cut
    return tuple(pieces)


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<dataset>\n'
_TAIL = "</dataset>\n"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_XML_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def to_anystyle(example: Example) -> str:
    """Return an example as a sequence of AnyStyle's XML; what is in no field stands between the elements.

    Only the top level of labels is carried, whitespace is collapsed, and tokens and sources are lost.

    >>> to_anystyle(Example("A (1990).", (Annotation("author", 0, 1), Annotation("date", 3, 7)), "mine:1"))
    '  <sequence><author>A</author> (<date>1990</date>).</sequence>\\n'
    """
    text, pieces, done = example.text, ["  <sequence>"], 0
    if _CONTROL.search(text):
        raise InputError("XML cannot carry control characters; write JSON Lines instead")
    for annotation in _top_level(example):
        if annotation.start < done or not _NAME.match(annotation.label):
            raise InputError(
                f"AnyStyle's XML cannot carry fields that overlap, or a label such as {annotation.label!r}; "
                "write JSON Lines instead"
            )
        pieces += [
            text[done : annotation.start].translate(_XML_ESCAPES),
            f"<{annotation.label}>",
            text[annotation.start : annotation.end].translate(_XML_ESCAPES),
            f"</{annotation.label}>",
        ]
        done = annotation.end
    return "".join([*pieces, text[done:].translate(_XML_ESCAPES), "</sequence>\n"])


def to_covered_anystyle(example: Example) -> str:
    """Return an example as AnyStyle trains on it: what is in no field is put into the field before it.

    >>> to_covered_anystyle(Example("A (1990).", (Annotation("author", 0, 1), Annotation("date", 3, 7)), "mine:1"))
    '  <sequence><author>A (</author><date>1990).</date></sequence>\\n'
    """
    annotations, text = _top_level(example), example.text
    if not annotations:
        raise InputError("AnyStyle needs every word in a field, and this string has no field")
    starts = [0, *(annotation.start for annotation in annotations[1:]), len(text)]
    wide = [
        Annotation(annotation.label, start, start + len(text[start:end].rstrip()))
        for annotation, (start, end) in zip(annotations, pairwise(starts), strict=True)
    ]
    return to_anystyle(replace(example, annotations=tuple(wide)))


def _top_level(example: Example) -> list[Annotation]:
    return [annotation for annotation in example.annotations if "/" not in annotation.label]


_WRITERS: dict[str, Callable[[Example], str]] = {
    "jsonl": to_jsonl,
    "conll": to_conll,
    "anystyle": to_anystyle,
    "anystyle-covered": to_covered_anystyle,
}
FORMATS = tuple(_WRITERS)
"""Formats of labelled strings that can be written."""
