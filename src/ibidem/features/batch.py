"""Tokens as the features look at them: arrays over all tokens of a batch of strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features.lexicons import Lexicons
from ibidem.features.token_class import punctuation_class, strip_punctuation, token_class_of
from ibidem.text.fold import fold, hash32
from ibidem.types import IntArray

Codes = NDArray[np.int64]
# One row of traits per token type; the columns are named here. Each task fills them with what its features look at.
TRAITS = ("token_class", "head", "tail", "statistics", "word", "wordlike")


def traits_of(text: str, lexicons: Lexicons) -> tuple[int, ...]:
    """Return the traits of a token type, in the order of `TRAITS`; they depend on nothing but the token."""
    inner = strip_punctuation(fold(text))
    word = hash32(inner)
    wordlike = int(inner[:1].isalnum())  # nothing is left of a lone accent
    return (
        token_class_of(text),
        punctuation_class(text[0]),
        punctuation_class(text[-1]),
        lexicons.statistics.code(word),
        word,
        wordlike,
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens of several strings, one string after the other, with the traits of each."""

    lengths: IntArray  # [B]
    string: IntArray  # [N] number of its string
    position: IntArray  # [N] number of the token in its string
    origin: IntArray  # [N] first token of its string
    space_before: NDArray[np.bool_]  # [N]
    token_class: NDArray[np.int64]  # [N]
    head: NDArray[np.int64]  # [N] class of the first character if punctuation
    tail: NDArray[np.int64]  # [N] class of the last character if punctuation
    statistics: NDArray[np.int64]  # [N]
    word: NDArray[np.int64]  # [N] hash of the folded word
    wordlike: NDArray[np.bool_]  # [N] a word or a number, not punctuation

    @property
    def first(self) -> IntArray:
        """First token of each string.  # [B]"""
        return (np.cumsum(self.lengths) - self.lengths).astype(np.int32)

    def shift(self, values: NDArray[np.int64], offset: int, fill: int = 0) -> NDArray[np.int64]:
        """Return for each token the value of the token `offset` further in its string, `fill` outside it.  # [N]"""
        moved = np.full(len(values), fill, dtype=np.int64)
        if offset > 0:
            moved[:-offset] = values[offset:]
            outside = self.position + offset >= self.lengths[self.string]
        else:
            moved[-offset:] = values[:offset] if offset else values
            outside = self.position + offset < 0
        moved[outside] = fill
        return moved


def batch_of(lengths: Sequence[int] | IntArray, space_before: NDArray[np.bool_], traits: NDArray[np.int64]) -> Batch:
    """Return the batch of strings of these lengths.

    `space_before` is [N] and `traits` [N, len(TRAITS)], for the tokens of all strings.
    """
    sizes = np.asarray(lengths, dtype=np.int32)
    string = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    first = np.cumsum(sizes) - sizes
    origin = first[string].astype(np.int32)
    position = np.arange(len(string), dtype=np.int32) - origin
    token_class, head, tail, statistics, word, wordlike = (np.ascontiguousarray(column) for column in traits.T)
    places = (sizes, string, position, origin, space_before)
    return Batch(*places, token_class, head, tail, statistics, word, wordlike.astype(np.bool_))


@dataclass(frozen=True, slots=True)
class SegmentBatch:
    """Segments of the strings of a batch, each within one string."""

    batch: Batch
    begin: NDArray[np.intp]  # [M] first token
    end: NDArray[np.intp]  # [M] last token + 1

    def count(self, flags: NDArray[np.bool_]) -> IntArray:
        """Return the number of flagged tokens in each segment.  # [M]"""
        running = np.zeros(len(flags) + 1, dtype=np.int32)
        np.cumsum(flags, out=running[1:])
        return running[self.end] - running[self.begin]

    def before(self, values: NDArray[np.int64], fill: int = 0) -> IntArray:
        """Return the value of the token before each segment, `fill` at the start of a string.  # [M]"""
        found = np.concatenate([[fill], values]).astype(np.int32)[self.begin]
        return np.where(self.batch.position[self.begin] == 0, np.int32(fill), found)

    def after(self, values: NDArray[np.int64], fill: int = 0) -> IntArray:
        """Return the value of the token after each segment, `fill` at the end of a string.  # [M]"""
        last = self.batch.origin[self.begin] + self.batch.lengths[self.batch.string[self.begin]]
        found = np.concatenate([values, [fill]]).astype(np.int32)[self.end]
        return np.where(self.end == last, np.int32(fill), found)


def find_bins(values: NDArray[np.integer], edges: tuple[int, ...]) -> IntArray:
    """Return the bin of each value, given the lower edges of bins; a table is faster than a search."""
    bins = np.digitize(np.arange(edges[-1] + 1), edges).astype(np.int32)
    return np.asarray(bins[np.minimum(values, edges[-1])])
