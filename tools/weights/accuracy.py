"""How much of a labelled reference a way to read it gets right, token by token."""

from __future__ import annotations

from collections.abc import Sequence

from ibidem.labels.bio import OUTSIDE, labels_of
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Parsed, Token


def whole_fields(tokens: Sequence[Token], annotations: Sequence[Annotation]) -> tuple[str, ...]:
    """The field at the top of each token, empty where it is in none.

    >>> tokens = [Token("12", 0, 2), Token("-", 2, 3), Token("4", 3, 4), Token(".", 4, 5)]
    >>> whole_fields(tokens, [Annotation("pages", 0, 4), Annotation("pages/first", 0, 2)])
    ('pages', 'pages', 'pages', '')
    """
    found = labels_of(tokens, [annotation for annotation in annotations if "/" not in annotation.label])[0]
    return tuple("" if label == OUTSIDE else label[2:] for label in found)


def fields_read(tokens: Sequence[Token], parsed: Parsed) -> tuple[str, ...]:
    """The field at the top of each token as it was read."""
    return whole_fields(tokens, [Annotation(field.label, field.start, field.end) for field in parsed.fields])


def right_tokens(gold: Sequence[str], read: Sequence[str]) -> list[bool]:
    """Whether each token is in its true field; tokens of which nothing is known are left out.

    >>> right_tokens(("title", "journal|book", "?", ""), ("title", "book", "date", "date"))
    [True, True, False]
    """
    told = zip(gold, read, strict=True)
    return [mine in true.split("|") for true, mine in told if UNKNOWN not in true.split("|")]
