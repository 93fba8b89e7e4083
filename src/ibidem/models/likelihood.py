"""The conditional likelihood of a labelled corpus under a CRF, and its gradient.

For a string x whose labelling is known to lie in a set G (one labelling where the annotation is complete, many where
a dataset has fewer labels than ours), the loss is log Z(x) - log Z(x | G). Its gradient is the difference of two
`ExpectedCounts`: those over all labellings less those over G. Scores are sums of rows of weights, so the gradient with
respect to the weights is the transpose of that sum applied to the difference. A `Lattice` is the set of labellings: one
label a token for the chain, segments for the semi-CRF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.errors import MissingExtra
from ibidem.features import Batch, batch_of
from ibidem.models.encoder import Corpus, Encoder
from ibidem.models.induction.conjunctions import Conjunctions, Hits, Matcher, ids_of
from ibidem.types import Automaton, ExpectedCounts, FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of a CRF. The columns C are the labels, or labels in each of several roles."""

    attribute: FloatArray  # [K, W, C] an attribute of the token w - W//2 places further
    context: FloatArray  # [P, C]
    arc: FloatArray  # [A] of arcs, or of patterns of labels
    segment: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))  # [Q, Y] of features of whole segments

    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return all parameters, in order."""
        return self.attribute, self.context, self.arc, self.segment

    def flat(self) -> FloatArray:
        """Return all parameters in one vector."""
        return np.concatenate([part.ravel() for part in self.parts()])

    def filled(self, vector: FloatArray) -> Weights:
        """Return weights of this shape with the numbers of `vector`."""
        places = np.cumsum([part.size for part in self.parts()])[:-1]
        pieces = np.split(vector, places)
        return Weights(*(piece.reshape(part.shape) for piece, part in zip(pieces, self.parts(), strict=True)))


Mask = tuple[NDArray[np.bool_], ...]
"""Which of the weights, in the order of `Weights.parts`."""


def zero_weights(
    attributes: int,
    window: int,
    contexts: int,
    columns: int,
    arcs: int,
    segments: tuple[int, int] = (0, 0),
    dtype: type = np.float64,
) -> Weights:
    """Return weights that are all zero."""
    shapes = (attributes, window, columns), (contexts, columns), (arcs,), segments
    return Weights(*(np.zeros(shape, dtype) for shape in shapes))


_SLICE = 1 << 18  # tokens


@dataclass(frozen=True, slots=True)
class Encoded:
    """A labelled corpus in numbers, ready to be scored."""

    matrix: csr_matrix  # [R, K] attributes of each token type
    token: IntArray  # [N]
    context: IntArray  # [N, F]
    lengths: IntArray  # [B]
    allowed: NDArray[np.uint8]  # [N, ceil(Y / 8)] labels each token may have, as packed bits
    labels: int
    traits: NDArray[np.int64] | None = None  # [R, traits] of each token type, for features of whole segments
    blank: NDArray[np.bool_] | None = None  # [N]

    def batch(self) -> Batch:
        """Return the strings as the features of stretches take them."""
        assert self.traits is not None and self.blank is not None
        return batch_of(self.lengths, self.blank, self.traits[self.token])

    def strings(self, chosen: NDArray[np.int64]) -> Encoded:
        """Return the chosen strings, with only the token types that they need."""
        first = np.cumsum(self.lengths) - self.lengths
        lengths = self.lengths[chosen]
        offset = np.repeat(first[chosen] - (np.cumsum(lengths) - lengths), lengths)
        tokens = np.arange(lengths.sum()) + offset
        types, token = np.unique(self.token[tokens], return_inverse=True)
        return Encoded(
            self.matrix[types],
            token.astype(np.int32),
            self.context[tokens],
            lengths,
            self.allowed[tokens],
            self.labels,
            None if self.traits is None else self.traits[types],
            None if self.blank is None else self.blank[tokens],
        )

    def slices(self) -> Iterator[Encoded]:
        """Yield the strings some thousand tokens at a time, as parts that share the arrays."""
        ends = np.insert(np.cumsum(self.lengths, dtype=np.int64), 0, 0)
        first = 0
        while first < len(self.lengths):
            last = max(int(np.searchsorted(ends, ends[first] + _SLICE)) - 1, first + 1)
            tokens = slice(int(ends[first]), int(ends[last]))
            blank = None if self.blank is None else self.blank[tokens]
            parts = self.token[tokens], self.context[tokens], self.lengths[first:last], self.allowed[tokens]
            yield Encoded(self.matrix, *parts, self.labels, self.traits, blank)
            first = last

    def keep(self, kept: NDArray[np.bool_]) -> Encoded:
        """Return the strings that are kept; their context takes the place of that of all, which is lost.

        It may be half of the memory that there is.
        """
        chosen = np.flatnonzero(np.repeat(kept, self.lengths))
        for first in range(0, len(chosen), _SLICE):
            places = chosen[first : first + _SLICE]  # none is before where it goes to
            self.context[first : first + len(places)] = self.context[places]
        blank = None if self.blank is None else self.blank[chosen]
        parts = self.token[chosen], self.context[: len(chosen)], self.lengths[kept], self.allowed[chosen]
        return Encoded(self.matrix, *parts, self.labels, self.traits, blank)

    def mask(self) -> NDArray[np.bool_]:
        """Return which labels each token may have.  # [N, Y]"""
        return np.unpackbits(self.allowed, axis=1, count=self.labels).astype(np.bool_)


def matrix_of(rows: Sequence[IntArray], columns: int, dtype: type = np.float64) -> csr_matrix:
    """Return the matrix with a one wherever a row has the number of a column.  # [R, columns]"""
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtra("training needs scipy, which is not installed: pip install 'ibidem[train]'") from None
    ends = np.cumsum([len(row) for row in rows])
    found = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    return csr_matrix((np.ones(len(found), dtype), found, np.insert(ends, 0, 0)), shape=(len(rows), columns))


def encode(
    corpus: Corpus, encoder: Encoder, allowed: NDArray[np.uint8], labels: int, dtype: type = np.float64
) -> Encoded:
    """Return the corpus in the numbers of an encoder; `allowed` are packed bits, [N, ceil(Y / 8)].

    Scores are computed in `dtype`.
    """
    rows = [found[found >= 0] for types in corpus.groups_of_types() for found in encoder.numbers_of(types)]
    matrix = matrix_of(rows, len(encoder.attributes), dtype)
    context = np.empty((len(corpus.token), len(encoder.context)), dtype=np.int32)
    for piece, batch in corpus.batches():
        context[piece] = encoder.rows_of_context(batch)
    plain = Encoded(matrix, corpus.token, context, corpus.lengths, allowed, labels, corpus.traits, corpus.space_before)
    return with_conjunctions(plain, encoder)


def with_conjunctions(encoded: Encoded, encoder: Encoder) -> Encoded:
    """Return a corpus that was encoded without conjunctions, with those of an encoder."""
    if not len(encoder.induced):
        return encoded
    ids = ids_of(hits_in(encoded, encoder.induced), len(encoded.token), encoder.contexts)
    return replace(encoded, context=np.concatenate([encoded.context, ids], axis=1))


def hits_in(encoded: Encoded, conjunctions: Conjunctions) -> Hits:
    """Return the tokens of a corpus at which conjunctions match."""
    matcher, matrix = Matcher(conjunctions), encoded.matrix
    sizes = np.diff(matrix.indptr)
    numbers = np.full((len(sizes), int(sizes.max(initial=0))), -1, dtype=np.int32)
    numbers[np.arange(numbers.shape[1]) < sizes[:, None]] = matrix.indices
    return matcher.hits(matcher.parts_of_types(numbers), encoded.token, encoded.context, encoded.lengths)


class Lattice(Protocol):
    """The labellings of strings, and how the scores of tokens, arcs and segments add up in them."""

    @property
    def automaton(self) -> Automaton:
        """Which label may follow which."""

    @property
    def columns(self) -> int:
        """Number of scores of a token."""

    @property
    def optional(self) -> NDArray[np.bool_]:
        """Columns that have weights only for features that are seen with them.  # [C]"""

    @property
    def arcs(self) -> int:
        """Number of weights of arcs."""

    @property
    def segments(self) -> tuple[int, int]:
        """Shape of the weights of segments."""

    def expected(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], ExpectedCounts]:
        """Return the log partition of each string, and the expected counts over all labellings."""

    def within(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], ExpectedCounts]:
        """Return the same over the labellings that the annotation allows."""


def scores(encoded: Encoded, weights: Weights) -> FloatArray:
    """Return the scores of each token.  # [N, C]"""
    attributes, window, columns = weights.attribute.shape
    rows = encoded.matrix @ weights.attribute.reshape(attributes, window * columns)
    return inference.emissions(
        rows.reshape(-1, window, columns), encoded.token, encoded.lengths, weights.context, encoded.context
    )


def gradient_of(encoded: Encoded, weights: Weights, counts: ExpectedCounts) -> Weights:
    """Return the gradient of the weights, given that of the scores (the transpose of scoring)."""
    attributes, window, columns = weights.attribute.shape
    rows, context = inference.emissions_gradient(
        counts.span.reshape(len(encoded.token), columns),
        encoded.token,
        encoded.lengths,
        encoded.matrix.shape[0],
        window,
        encoded.context,
        len(weights.context),
    )
    attribute = encoded.matrix.T @ rows.reshape(-1, window * columns)
    return Weights(attribute.reshape(attributes, window, columns), context, counts.arc, counts.segment)


def has_labelling(encoded: Encoded, lattice: Lattice) -> NDArray[np.bool_]:
    """Return which strings have a labelling that their annotation allows.  # [B]"""
    weights = zero_weights(0, 1, 0, lattice.columns, lattice.arcs, lattice.segments, np.float32)
    found = [
        np.isfinite(lattice.within(part, np.zeros((len(part.token), lattice.columns), np.float32), weights, 1)[0])
        for part in encoded.slices()
    ]
    return np.concatenate(found)


def count_features(encoded: Encoded, lattice: Lattice, nothing: Weights, threads: int) -> Weights:
    """Return how often the feature of each weight is seen; where annotations are partial, expected without weights."""
    token = np.zeros((len(encoded.token), lattice.columns), nothing.attribute.dtype)
    return gradient_of(encoded, nothing, lattice.within(encoded, token, nothing, threads)[1])


def seen_often(lattice: Lattice, counts: Weights, min_count: int, context_min_count: int) -> Mask:
    """Return which weights to train: in the optional columns those of features seen so often, all in the others."""
    every = ~lattice.optional
    return (
        every | (np.rint(counts.attribute) >= min_count),
        every | (np.rint(counts.context) >= context_min_count),
        np.ones(counts.arc.shape, dtype=np.bool_),
        every[: counts.segment.shape[1]] | (np.rint(counts.segment) >= min_count),
    )


def loss(
    encoded: Encoded, lattice: Lattice, weights: Weights, threads: int, fixed: ExpectedCounts | None = None
) -> tuple[float, Weights]:
    """Return the negative log likelihood of the corpus and its gradient.

    `fixed` are the counts of a complete annotation, which do not change with the weights.
    """
    token = scores(encoded, weights)
    log_z, free = lattice.expected(encoded, token, weights, threads)
    if fixed is None:
        log_within, held = lattice.within(encoded, token, weights, threads)
        within = float(log_within.sum())
    else:
        held, within = fixed, _score_counts(fixed, token, weights)
    return float(log_z.sum()) - within, gradient_of(encoded, weights, free - held)


def _score_counts(counts: ExpectedCounts, token: FloatArray, weights: Weights) -> float:
    """Return the score of everything that is counted, given the scores of tokens."""
    used = float((counts.span.reshape(token.shape) * token).sum() + counts.arc @ weights.arc)
    return used + float((counts.segment * weights.segment).sum()) if counts.segment.size else used
