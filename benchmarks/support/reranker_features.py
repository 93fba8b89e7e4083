"""Features of a whole labelling: which fields it has and how often, in what order, and the text between them.

The features of tokens see a few tokens and two labels. These see all fields of a labelling at once, so they are
computed only for candidates that a model has found already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ibidem.features.lexicons import (
    CONTAINER,
    FAMILY,
    GIVEN,
    LONGEST_PHRASE,
    PUBLISHER,
    TITLE,
    Lexicons,
    hash_phrase_runs,
    words_of,
)
from ibidem.text.fold import fold, hash32
from ibidem.types import IntArray, Reference, Span

BITS = 20
_MOST = 4  # number of fields of a label from which on counts are not distinguished
_BETWEEN = 12  # characters between two fields
_OUTLINE = 40  # characters at either end of a field whose outline is a feature
_WHOLE = 60  # characters of a field's text that is a feature as a whole
_WORD = re.compile(r"\w+|[^\w\s]")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


def labelling_codes(reference: Reference, labelling: Sequence[Span], lexicons: Lexicons) -> IntArray:
    """Return the codes of the features of a labelling, unique and sorted."""
    found = {hash32(name) & ((1 << BITS) - 1) for name in _names(reference, labelling, lexicons)}
    return np.array(sorted(found), dtype=np.int32)


def _names(reference: Reference, labelling: Sequence[Span], lexicons: Lexicons) -> Iterator[str]:
    text, tokens = reference.text, reference.tokens
    labels = [span.label for span in labelling]
    fields = [text[tokens[span.start].start : tokens[span.end - 1].end] for span in labelling]
    yield from _inventory(labels)
    yield from _order(labels)
    yield from _between(reference, labelling)
    for label, field in zip(labels, fields, strict=True):
        yield from _field(label, field)
        yield from _known(label, field, lexicons)


def _inventory(labels: Sequence[str]) -> Iterator[str]:
    counts = Counter(labels)
    names = sorted(counts)
    for name in names:
        yield f"count {name} {min(counts[name], _MOST)}"
    for one, other in combinations(names, 2):
        yield f"both {one} {other}"
    yield f"all {' '.join(names)}"


def _order(labels: Sequence[str]) -> Iterator[str]:
    row = ["^", *labels, "$"]
    for two in pairwise(row):
        yield f"two {' '.join(two)}"
    for place in range(len(row) - 2):
        yield f"three {' '.join(row[place : place + 3])}"
    yield f"row {' '.join(labels)}"


def _between(reference: Reference, labelling: Sequence[Span]) -> Iterator[str]:
    tokens = reference.tokens
    before, end = "^", 0
    for span in labelling:
        start = tokens[span.start].start
        gap = _gap(reference.text[end:start])
        yield f"between {before} {span.label} {gap}"
        yield f"ahead {span.label} {gap}"
        yield f"after {before} {gap}"
        before, end = span.label, tokens[span.end - 1].end
    yield f"between {before} $ {_gap(reference.text[end:])}"


def _gap(text: str) -> str:
    return re.sub(r"\d", "9", text[:_BETWEEN])


def _field(label: str, field: str) -> Iterator[str]:
    words = _WORD.findall(fold(field))
    yield f"length {label} {_bin(len(field.split()))}"
    if words:
        yield f"first {label} {words[0]}"
        yield f"opening {label} {' '.join(words[:2])}"
        yield f"last {label} {words[-1]}"
        yield f"whole {label} {' '.join(words)[:_WHOLE]}"
    if len(field) <= _OUTLINE:
        yield f"outline {label} {_outline(field)}"
    yield f"head {label} {_outline(field[:_OUTLINE])[:3]}"
    yield f"tail {label} {_outline(field[-_OUTLINE:])[-3:]}"


def _known(label: str, field: str, lexicons: Lexicons) -> Iterator[str]:
    """Yield whether the field as a whole is in a lexicon, and the share of its words that are."""
    words = np.array([hash32(word) for word in words_of(field)], dtype=np.uint64)
    if not len(words):
        return
    if len(words) <= LONGEST_PHRASE:
        for name, places in lexicons.phrases_among(hash_phrase_runs(words, len(words))).items():
            if len(places):
                yield f"known {label} {name}"
    prints = words.astype(np.uint32)
    for name, known in lexicons.words.items():
        yield f"words {label} {name} {_share(known.member(prints))}"
    usual = lexicons.statistics.codes_of(prints)
    for bit in (TITLE, CONTAINER, FAMILY, GIVEN, PUBLISHER):
        yield f"usual {label} {bit} {_share(usual & bit > 0)}"
    yield f"usual first {label} {usual[0]}"
    yield f"usual last {label} {usual[-1]}"


def _share(which: NDArray[np.bool_]) -> int:
    """Return the share of true values in quarters, rounded down."""
    return 4 * int(which.sum()) // len(which)


def _bin(count: int) -> int:
    """Return small numbers as they are, larger ones in ever wider bins.

    >>> [_bin(count) for count in (1, 5, 8, 9, 30, 300)]
    [1, 5, 16, 16, 19, 26]
    """
    return count if count < 6 else 10 + int(2 * np.log2(count))


def _outline(text: str) -> str:
    """Reduce words to their case and numbers to one digit.

    >>> _outline("Proc. IEEE 2nd, 12-19")
    'Aa. A 9a, 9-9'
    """
    outline = _LETTERS.sub(lambda word: "A" if word[0].isupper() else "a" if word[0].islower() else "Aa", text)
    return _DIGITS.sub("9", outline)
