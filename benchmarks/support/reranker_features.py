"""What a reading says as a whole: which fields it has and how often, in what order, what stands between them.

The features of tokens see a few tokens and two labels. These see all fields of a reading at once, so they can be asked
only of readings that are there already: the best few that a model found.
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
    phrase_prints,
    words_of,
)
from ibidem.text.fold import fold, hash32
from ibidem.types import IntArray, Reference, Span

BITS = 20
_MOST = 4  # fields of a label that are told apart by number
_BETWEEN = 12  # characters between two fields
_OUTLINE = 40  # characters at either end of a field whose outline is drawn
_WHOLE = 60  # characters of a field that is known by heart
_WORD = re.compile(r"\w+|[^\w\s]")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


def reading_codes(reference: Reference, reading: Sequence[Span], lexicons: Lexicons) -> IntArray:
    """The codes of the features of a reading, each once, in order."""
    found = {hash32(name) & ((1 << BITS) - 1) for name in _names(reference, reading, lexicons)}
    return np.array(sorted(found), dtype=np.int32)


def _names(reference: Reference, reading: Sequence[Span], lexicons: Lexicons) -> Iterator[str]:
    text, tokens = reference.text, reference.tokens
    labels = [span.label for span in reading]
    fields = [text[tokens[span.start].start : tokens[span.end - 1].end] for span in reading]
    yield from _inventory(labels)
    yield from _order(labels)
    yield from _between(reference, reading)
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


def _between(reference: Reference, reading: Sequence[Span]) -> Iterator[str]:
    tokens = reference.tokens
    before, end = "^", 0
    for span in reading:
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
    """Whether the field as a whole is in a lexicon, and how many of its words are."""
    words = np.array([hash32(word) for word in words_of(field)], dtype=np.uint64)
    if not len(words):
        return
    if len(words) <= LONGEST_PHRASE:
        for name, places in lexicons.phrases_among(phrase_prints(words, len(words))).items():
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
    """How many are meant, in quarters of all, rounded down."""
    return 4 * int(which.sum()) // len(which)


def _bin(count: int) -> int:
    """The number itself while it is small, then ever wider bins.

    >>> [_bin(count) for count in (1, 5, 8, 9, 30, 300)]
    [1, 5, 16, 16, 19, 26]
    """
    return count if count < 6 else 10 + int(2 * np.log2(count))


def _outline(text: str) -> str:
    """Words by their case and numbers by one digit.

    >>> _outline("Proc. IEEE 2nd, 12-19")
    'Aa. A 9a, 9-9'
    """
    drawn = _LETTERS.sub(lambda word: "A" if word[0].isupper() else "a" if word[0].islower() else "Aa", text)
    return _DIGITS.sub("9", drawn)
