"""From tokens to numbers: which rows of the weights each token switches on.

A token type (a distinct token text) switches on the attributes of the token alone; all tokens of the type share them,
so a type's part of the scores is one row per place in the window (design: scores are rows cached per token type).
The context of a token switches on one code per feature of context. Conjunctions of those two, where a model has some,
have rows after those of the context.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ibidem.features import TRAITS, Batch, FeatureSet, Lexicons, batch_of, features_of
from ibidem.features.lexicons import find_hashes
from ibidem.models.induction.conjunctions import Conjunctions
from ibidem.text.fold import hash32, hash_all
from ibidem.types import IntArray, Token

UIntArray = NDArray[np.uint32]
_CHUNK = 1 << 16  # tokens whose context is computed at once
_GROUP = 1 << 12  # types whose attributes are


@dataclass(frozen=True, slots=True)
class Encoder:
    """The features of a model: attributes by hash, codes of context by feature."""

    lexicons: Lexicons
    attributes: UIntArray  # [K] sorted hashes; the index is the number of the attribute
    context: Mapping[str, IntArray]  # feature -> row of the table for each of its codes, -1 for codes not kept
    task: str = "references"
    induced: Conjunctions = field(default_factory=Conjunctions)

    @property
    def contexts(self) -> int:
        """Number of rows of the codes of context."""
        return sum(int((rows >= 0).sum()) for rows in self.context.values())

    @property
    def features(self) -> FeatureSet:
        """The features of the task."""
        return features_of(self.task)

    def numbers(self, text: str) -> NDArray[np.int64]:
        """The numbers of the attributes of a token type that the model knows."""
        [found] = self.numbers_of([text])
        return np.asarray(found[found >= 0], dtype=np.int64)

    def numbers_of(self, texts: Sequence[str]) -> IntArray:
        """The numbers of the attributes of several token types, those not known and those too many -1.  # [R, most]"""
        found = [hash_all(names) for names in self.features.attributes(texts, self.lexicons)]
        sizes = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        numbers = np.full((len(found), int(sizes.max(initial=0))), -1, dtype=np.int32)
        hashes = np.fromiter(chain.from_iterable(found), dtype=np.uint32, count=int(sizes.sum()))
        numbers[np.arange(numbers.shape[1]) < sizes[:, None]] = find_hashes(self.attributes, hashes)
        return numbers

    def rows_of_context(self, batch: Batch) -> IntArray:
        """Return the rows of the context table that each token switches on, -1 for none.  # [N, F]"""
        rows = np.empty((len(batch.position), len(self.context)), dtype=np.int32)
        self.fill_rows(rows, batch, self.context)
        return rows

    def fill_rows(self, rows: IntArray, batch: Batch, names: Collection[str]) -> None:
        """Write the rows of the features of these names into their columns of `rows`.  # [N, F]"""
        codes = self.features.compute(batch, self.lexicons, names)
        for column, (name, known) in enumerate(self.context.items()):
            if name in codes:
                rows[:, column] = known[codes[name]]


def spaces_before(tokens: Sequence[Token]) -> Iterator[bool]:
    """Yield for each token whether whitespace comes before it."""
    end = -1
    for token in tokens:
        yield token.start != end
        end = token.end


@dataclass(frozen=True, slots=True)
class Corpus:
    """Strings by number: the type of each token and the traits of each type; what encoders are built from."""

    types: tuple[str, ...]  # [R]
    traits: NDArray[np.int64]  # [R, len(TRAITS)]
    token: IntArray  # [N] type of each token
    space_before: NDArray[np.bool_]  # [N]
    lengths: IntArray  # [B]
    task: str = "references"

    def groups_of_types(self) -> Iterator[tuple[str, ...]]:
        """The types in groups, so that the attributes of all need not be held at once."""
        for first in range(0, len(self.types), _GROUP):
            yield self.types[first : first + _GROUP]

    def batches(self) -> Iterator[tuple[slice, Batch]]:
        """The corpus in pieces of whole strings, each with its place among the tokens."""
        ends = np.cumsum(self.lengths)
        first_string, first_token = 0, 0
        while first_string < len(self.lengths):
            last_string = max(int(np.searchsorted(ends, first_token + _CHUNK)), first_string + 1)
            last_token = int(ends[last_string - 1])
            piece = slice(first_token, last_token)
            yield (
                piece,
                batch_of(
                    self.lengths[first_string:last_string], self.space_before[piece], self.traits[self.token[piece]]
                ),
            )
            first_string, first_token = last_string, last_token


def corpus_of(strings: Iterable[Sequence[Token]], lexicons: Lexicons, task: str = "references") -> Corpus:
    """The corpus of tokenised strings, with the traits that the features of the task look at."""
    numbers: dict[str, int] = {}
    token: list[int] = []
    spaces: list[bool] = []
    lengths: list[int] = []
    for tokens in strings:
        token.extend(numbers.setdefault(piece.text, len(numbers)) for piece in tokens)
        spaces.extend(spaces_before(tokens))
        lengths.append(len(tokens))
    traits = np.array([features_of(task).traits(text, lexicons) for text in numbers], dtype=np.int64)
    return Corpus(
        tuple(numbers),
        traits.reshape(-1, len(TRAITS)),
        np.array(token, np.int32),
        np.array(spaces, np.bool_),
        np.array(lengths, np.int32),
        task,
    )


def fit(corpus: Corpus, lexicons: Lexicons, min_count: int, context_min_count: int | None) -> Encoder:
    """The encoder that keeps attributes and codes seen at least so often in the corpus; None keeps no code."""
    seen = np.bincount(corpus.token, minlength=len(corpus.types))
    counts: dict[int, int] = {}
    features = features_of(corpus.task)
    attributed = (names for types in corpus.groups_of_types() for names in features.attributes(types, lexicons))
    for names, count in zip(attributed, seen, strict=True):
        for name in names:
            value = hash32(name)
            counts[value] = counts.get(value, 0) + int(count)
    attributes = np.array(sorted(value for value, count in counts.items() if count >= min_count), dtype=np.uint32)
    context = {} if context_min_count is None else _context(corpus, lexicons, context_min_count)
    return Encoder(lexicons, attributes, context, corpus.task)


def _context(corpus: Corpus, lexicons: Lexicons, min_count: int) -> dict[str, IntArray]:
    features = features_of(corpus.task)
    sizes = features.sizes(lexicons)
    counts: dict[str, NDArray[np.int64]] = {}
    for _, batch in corpus.batches():
        for name, codes in features.compute(batch, lexicons).items():
            seen = np.bincount(codes, minlength=sizes[name])
            counts[name] = counts[name] + seen if name in counts else seen
    return number_codes({name: np.flatnonzero(seen >= min_count) for name, seen in counts.items()}, sizes)


def number_codes(kept: Mapping[str, NDArray[np.integer]], sizes: Mapping[str, int]) -> dict[str, IntArray]:
    """Return a row for every code that is kept of every feature, numbered from 0 on; -1 for all other codes."""
    context: dict[str, IntArray] = {}
    used = 0
    for name, codes in kept.items():
        context[name] = np.full(sizes[name], -1, dtype=np.int32)
        context[name][codes] = np.arange(used, used + len(codes))
        used += len(codes)
    return context
