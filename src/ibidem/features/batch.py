"""Strings in a row: what the features of context look at, as arrays over all tokens of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features.kind import core, kind_of, punctuation
from ibidem.features.lexicons import Lexicons
from ibidem.text.fold import fold, hash32
from ibidem.types import IntArray

Codes = NDArray[np.int64]
# One row of traits per token type; the columns are named here. Each task fills them with what its features look at.
TRAITS = ("kind", "head", "tail", "statistics", "word", "wordlike")


def traits_of(text: str, lexicons: Lexicons) -> tuple[int, ...]:
    """The traits of a token type, in the order of `TRAITS`; they depend on nothing but the token."""
    inner = core(fold(text))
    print_ = hash32(inner)
    wordlike = int(inner[:1].isalnum())  # nothing is left of a lone accent
    return (
        kind_of(text),
        punctuation(text[0]),
        punctuation(text[-1]),
        lexicons.statistics.code(print_),
        print_,
        wordlike,
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens of several strings, one string after the other, with the traits of each."""

    lengths: IntArray  # [B]
    string: IntArray  # [N] which string
    place: IntArray  # [N] which token of the string
    origin: IntArray  # [N] where the string begins
    blank: NDArray[np.bool_]  # [N] a blank stands before the token
    kind: NDArray[np.int64]  # [N]
    head: NDArray[np.int64]  # [N] kind of the first character if punctuation
    tail: NDArray[np.int64]  # [N] kind of the last character if punctuation
    statistics: NDArray[np.int64]  # [N]
    word: NDArray[np.int64]  # [N] fingerprint of the folded word
    wordlike: NDArray[np.bool_]  # [N] a word or a number, not punctuation

    @property
    def first(self) -> IntArray:
        """Where each string begins.  # [B]"""
        return (np.cumsum(self.lengths) - self.lengths).astype(np.int32)

    def shifted(self, values: NDArray[np.int64], offset: int, fill: int = 0) -> NDArray[np.int64]:
        """`values` of the token `offset` places further in the same string, `fill` outside it.  # [N]"""
        moved = np.full(len(values), fill, dtype=np.int64)
        if offset > 0:
            moved[:-offset] = values[offset:]
            outside = self.place + offset >= self.lengths[self.string]
        else:
            moved[-offset:] = values[:offset] if offset else values
            outside = self.place + offset < 0
        moved[outside] = fill
        return moved


def batch_of(lengths: Sequence[int] | IntArray, blank: NDArray[np.bool_], traits: NDArray[np.int64]) -> Batch:
    """The batch of strings with these lengths, blanks and traits of tokens.

    `traits` is [N, len(TRAITS)].
    """
    sizes = np.asarray(lengths, dtype=np.int32)
    string = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    first = np.cumsum(sizes) - sizes
    origin = first[string].astype(np.int32)
    place = np.arange(len(string), dtype=np.int32) - origin
    kind, head, tail, statistics, word, wordlike = (np.ascontiguousarray(traits[:, i]) for i in range(len(TRAITS)))
    return Batch(sizes, string, place, origin, blank, kind, head, tail, statistics, word, wordlike.astype(np.bool_))
