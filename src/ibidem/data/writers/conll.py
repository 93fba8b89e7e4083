"""Labelled strings as CoNLL columns: comments with the exact text, then a token, a tab and its nested BIO label a line.

    # source = mine:1
    # text = Reed, A. (1990)
    Reed    B-author/B-person/B-family

Where the edge of a mark lies inside a token, the token is written in two pieces, so that no edge moves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ibidem.data.readers.conll import marks_of_labels
from ibidem.errors import InputError
from ibidem.labels.bio import labels_of
from ibidem.text import tokenise
from ibidem.types import Example, Token

_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})


def block(example: Example) -> str:
    """The lines of an example, the blank line after it included.

    >>> from ibidem.types import Annotation
    >>> block(Example("A 1990.", (Annotation("date", 2, 6),), "mine:1"))
    '# source = mine:1\\n# text = A 1990.\\nA\\tO\\n1990\\tB-date\\n.\\tO\\n\\n'
    """
    tokens = pieces_of(example)
    labels, _ = labels_of(tokens, example.annotations)
    if marks_of_labels(tokens, labels) != example.annotations or any(
        bad in label for label in labels for bad in "\t\n\r"
    ):
        raise InputError(
            "CoNLL cannot carry marks that overlap, that have no parent around them, or that begin or end in a blank; "
            "write JSON Lines instead"
        )
    lines = [f"# {key} = {value.translate(_ESCAPES)}" for key, value in _comments(example)]
    lines += [f"{token.text}\t{label}" for token, label in zip(tokens, labels, strict=True)]
    return "\n".join(lines) + "\n\n"


def _comments(example: Example) -> Iterator[tuple[str, str]]:
    yield "source", example.source
    yield "text", example.text
    if example.partially_annotated:
        yield "opaque", " ".join(sorted(example.partially_annotated))
    if example.tokens:
        yield "tokens", " ".join(f"{token.start}-{token.end}" for token in example.tokens)


def pieces_of(example: Example) -> tuple[Token, ...]:
    """The tokens of an example, cut where an edge of a mark lies inside one."""
    edges = sorted({edge for annotation in example.annotations for edge in (annotation.start, annotation.end)})
    pieces: list[Token] = []
    for token in example.tokens or tokenise(example.text):
        start = token.start
        for edge in (*edges[bisect_right(edges, token.start) : bisect_left(edges, token.end)], token.end):
            pieces.append(Token(example.text[start:edge], start, edge))
            start = edge
    return tuple(pieces)
