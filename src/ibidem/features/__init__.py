"""What the models see of a reference: attributes of each token, and codes of its context.

`word_features` says what can be said of a token alone; those attributes are weighed at every place of a window around
each token. `CONTEXT` is the list of everything that needs the rest of the string. Add a feature there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ibidem.features import neighbours, phrases, place, segments, style
from ibidem.features.batch import TRAITS, Batch, batch_of, traits_of
from ibidem.features.kind import COUNT
from ibidem.features.lexicons import Lexicons
from ibidem.features.word import features_of_words, word_features

Codes = NDArray[np.int64]
_ROW = COUNT**3

# name, number of codes, function of the batch: one line per feature of context
CONTEXT: list[tuple[str, int, Callable[[Batch], Codes]]] = [
    ("location", 12, place.location),
    ("from-edges", 30, place.from_edges),
    ("blanks", 4 * COUNT, place.blanks),
    ("brackets", 3 * COUNT, place.brackets),
    ("quotes", 4 * COUNT, place.quotes),
    ("years", 9 * COUNT, place.years),
    ("numbers", 20 * COUNT, place.numbers),
    ("kinds-around", _ROW, neighbours.kinds_around),
    ("kinds-before", _ROW, neighbours.kinds_before),
    ("kinds-after", _ROW, neighbours.kinds_after),
    ("kinds-wide", 1 << 17, neighbours.kinds_wide),
    ("word-pair", 1 << neighbours.PAIR_BITS, neighbours.word_pair),
    ("word-pair-after", 1 << neighbours.PAIR_BITS, neighbours.word_pair_after),
    ("word-and-kinds", 1 << neighbours.PAIR_BITS, neighbours.word_and_kinds),
    ("last-punctuation", 5 * COUNT, neighbours.last_punctuation),
    ("next-punctuation", 5 * COUNT, neighbours.next_punctuation),
]


def context_codes(batch: Batch, lexicons: Lexicons) -> dict[str, tuple[int, Codes]]:
    """The codes of every feature of context, by name, each with its number of codes.

    Codes are numbers from 0; the features of segments, of style and of phrase lexicons come after those of `CONTEXT`.
    """
    found = {name: (size, compute(batch)) for name, size, compute in CONTEXT}
    for coarse in (False, True):
        prefix = "coarse" if coarse else "fine"
        for name, value in segments.segment_features(batch, coarse).items():
            found[f"{prefix}/{name}"] = value
    found |= {f"style/{name}": value for name, value in style.style_features(batch).items()}
    found |= {f"phrase/{name}": value for name, value in phrases.phrase_features(batch, lexicons).items()}
    return found


def context_sizes(lexicons: Lexicons) -> dict[str, int]:
    """The number of codes of every feature of context, by name."""
    batch = batch_of([1], np.ones(1, dtype=np.bool_), np.zeros((1, len(TRAITS)), dtype=np.int64))
    return {name: size for name, (size, _) in context_codes(batch, lexicons).items()}


__all__ = [
    "CONTEXT",
    "TRAITS",
    "Batch",
    "Lexicons",
    "batch_of",
    "context_codes",
    "context_sizes",
    "features_of_words",
    "traits_of",
    "word_features",
]
