"""The words of a collection of texts, numbered, counted and weighted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.comparison import YEAR
from ibidem.linking.pairs import number_words
from ibidem.linking.vectors import Floats, Ints, Numbers, Sparse, presence


class Vocabulary:
    """The words of a collection, in alphabetical order, with the number of texts each is in.

    How much a word weighs is told by the collection, or, where there is a `background` of counts in so many
    `documents`, by that alone: what two texts have in common then does not depend on which others there are. `given`
    are the rows of the collection itself, `figures` its words that are numbers, text by text in their order, and how
    many each text has.
    """

    def __init__(self, texts: Sequence[str], background: Mapping[str, int] | None = None, documents: int = 0) -> None:
        numbers, lengths, self.words = number_words(texts)
        there = presence(numbers, lengths, len(self.words))
        self.figures = _some(numbers, lengths, self.digits)
        del numbers
        self.here: Ints = np.bincount(there.indices, minlength=len(self.words))
        total, known = len(texts), self.here
        if background and documents:
            total, known = documents, np.array([background.get(word, 0) for word in self.words], dtype=np.int64)
        self.weight: Floats = np.log1p(total / (1.0 + known)).astype(np.float32)
        there.data = self.weight[there.indices]
        self.given: Sparse = there

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def initials(self) -> Numbers:
        """The first letter of each word, as a number."""
        return np.array([ord(word[0]) for word in self.words] or [0], dtype=np.int32)

    @cached_property
    def digits(self) -> NDArray[np.bool_]:
        """Whether each word is a number."""
        return np.array([word.isdigit() for word in self.words], dtype=np.bool_)

    @cached_property
    def years(self) -> NDArray[np.bool_]:
        """Whether each word is a number that can be a year."""
        return np.array([YEAR.fullmatch(word) is not None for word in self.words], dtype=np.bool_)

    def rows(self, texts: Sequence[str]) -> Sparse:
        """The weights of the known words of each text, every word once.  # [texts, words]"""
        numbers, lengths, words = number_words(texts)
        place = {word: number for number, word in enumerate(self.words)}
        known = np.array([place.get(word, -1) for word in words], dtype=np.int32)[numbers]
        left_out = known < 0
        if left_out.any():
            rows = np.repeat(np.arange(len(lengths)), lengths)
            known, lengths = known[~left_out], np.bincount(rows[~left_out], minlength=len(lengths))
        made = presence(known, lengths, len(self))
        made.data = self.weight[made.indices]
        return made


def _some(numbers: Numbers, lengths: Ints, wanted: NDArray[np.bool_]) -> tuple[Numbers, Ints]:
    """The numbers that are wanted, and how many of each row they are."""
    kept = wanted[numbers] if len(numbers) else np.zeros(0, np.bool_)
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int32)])
    return numbers[kept], np.diff(before[np.concatenate([[0], np.cumsum(lengths)])]).astype(np.int64)
