"""Token accuracy of a labelling of a reference, by top-level field."""

from __future__ import annotations

from collections.abc import Sequence

from ibidem.labels.bio import OUTSIDE, labels_of
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Parsed, Token


def top_fields(tokens: Sequence[Token], annotations: Sequence[Annotation]) -> tuple[str, ...]:
    """Return the top-level field of each token, empty where it is in none.

    >>> tokens = [Token("12", 0, 2), Token("-", 2, 3), Token("4", 3, 4), Token(".", 4, 5)]
    >>> top_fields(tokens, [Annotation("pages", 0, 4), Annotation("pages/first", 0, 2)])
    ('pages', 'pages', 'pages', '')
    """
    found = labels_of(tokens, [annotation for annotation in annotations if "/" not in annotation.label])[0]
    return tuple("" if label == OUTSIDE else label[2:] for label in found)


def predicted_fields(tokens: Sequence[Token], parsed: Parsed) -> tuple[str, ...]:
    """Return the predicted top-level field of each token."""
    return top_fields(tokens, [Annotation(field.label, field.start, field.end) for field in parsed.fields])


def correct_tokens(gold: Sequence[str], predicted: Sequence[str]) -> list[bool]:
    """Return whether each token is in its gold field; unannotated tokens are left out.

    >>> correct_tokens(("title", "journal|book", "?", ""), ("title", "book", "date", "date"))
    [True, True, False]
    """
    pairs = zip(gold, predicted, strict=True)
    return [mine in true.split("|") for true, mine in pairs if UNKNOWN not in true.split("|")]
