"""The conditional likelihood of a labelled corpus under a CRF, and its gradient.

For a string x whose labelling is known to lie in a set G (one labelling when the annotation is complete, many when a
dataset says less than our labels do), the loss is log Z(x) - log Z(x | G). Its gradient is marginals minus marginals
within G: free credit minus gold credit. Scores are sums of rows of weights, so the gradient with respect to the
weights is the transpose of that sum applied to the credit. A `Lattice` says what labellings there are: one label a
token for the chain, segments for the semi-CRF.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.features import Batch, batch_of
from ibidem.models.encoder import Corpus, Encoder
from ibidem.models.induction.conjunctions import Conjunctions, Hits, Matcher, ids_of
from ibidem.types import Automaton, FloatArray, IntArray, Potentials

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def _nothing() -> FloatArray:
    return np.zeros((0, 0))


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of a CRF. The columns C are the labels, or labels in each of several roles."""

    attribute: FloatArray  # [K, W, C] an attribute of the token w - W//2 places further
    context: FloatArray  # [P, C]
    arc: FloatArray  # [A] of arcs, or of patterns of labels
    segment: FloatArray = field(default_factory=_nothing)  # [Q, Y] of what is said of segments as a whole

    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """All parameters, in order."""
        return self.attribute, self.context, self.arc, self.segment

    def flat(self) -> FloatArray:
        """All parameters in one vector."""
        return np.concatenate([part.ravel() for part in self.parts()])

    def filled(self, vector: FloatArray) -> Weights:
        """Weights of this shape with the numbers of `vector`."""
        places = np.cumsum([part.size for part in self.parts()])[:-1]
        pieces = np.split(vector, places)
        return Weights(*(piece.reshape(part.shape) for piece, part in zip(pieces, self.parts(), strict=True)))


def zeros(
    attributes: int,
    window: int,
    contexts: int,
    columns: int,
    arcs: int,
    segments: tuple[int, int] = (0, 0),
    dtype: type = np.float64,
) -> Weights:
    """Weights that are all zero."""
    shapes = (attributes, window, columns), (contexts, columns), (arcs,), segments
    return Weights(*(np.zeros(shape, dtype) for shape in shapes))


@dataclass(frozen=True, slots=True)
class Encoded:
    """A labelled corpus in numbers, ready to be scored."""

    matrix: csr_matrix  # [R, K] attributes of each token type
    token: IntArray  # [N]
    context: IntArray  # [N, F]
    lengths: IntArray  # [B]
    allowed: NDArray[np.uint8]  # [N, ceil(Y / 8)] labels each token may have, as packed bits
    labels: int
    traits: NDArray[np.int64] | None = None  # [R, traits] of each token type, where segments are looked at as a whole
    blank: NDArray[np.bool_] | None = None  # [N]

    def batch(self) -> Batch:
        """The strings as the features of stretches look at them."""
        assert self.traits is not None and self.blank is not None
        return batch_of(self.lengths, self.blank, self.traits[self.token])

    def strings(self, chosen: NDArray[np.int64]) -> Encoded:
        """The part of the corpus with the chosen strings, with the token types it needs only."""
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

    def mask(self) -> NDArray[np.bool_]:
        """Which labels each token may have.  # [N, Y]"""
        return np.unpackbits(self.allowed, axis=1, count=self.labels).astype(np.bool_)


def matrix_of(rows: Sequence[IntArray], columns: int, dtype: type = np.float64) -> csr_matrix:
    """The matrix with a one wherever a row has the number of a column.  # [R, columns]"""
    from scipy.sparse import csr_matrix

    ends = np.cumsum([len(row) for row in rows])
    found = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    return csr_matrix((np.ones(len(found), dtype), found, np.insert(ends, 0, 0)), shape=(len(rows), columns))


def encode(
    corpus: Corpus, encoder: Encoder, allowed: NDArray[np.uint8], labels: int, dtype: type = np.float64
) -> Encoded:
    """The corpus in the numbers of an encoder; `allowed` are packed bits, [N, ceil(Y / 8)].

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
    """A corpus that was encoded without them, with the conjunctions of an encoder."""
    if not len(encoder.induced):
        return encoded
    ids = ids_of(hits_in(encoded, encoder.induced), len(encoded.token), encoder.contexts)
    return replace(encoded, context=np.concatenate([encoded.context, ids], axis=1))


def hits_in(encoded: Encoded, conjunctions: Conjunctions) -> Hits:
    """The tokens of a corpus at which conjunctions stand."""
    matcher, matrix = Matcher(conjunctions), encoded.matrix
    sizes = np.diff(matrix.indptr)
    numbers = np.full((len(sizes), int(sizes.max(initial=0))), -1, dtype=np.int32)
    numbers[np.arange(numbers.shape[1]) < sizes[:, None]] = matrix.indices
    return matcher.hits(matcher.parts_of_types(numbers), encoded.token, encoded.context, encoded.lengths)


@dataclass(frozen=True, slots=True)
class Tally:
    """How often, surely or on average, the scores of tokens, arcs or patterns, and features of segments are used."""

    token: FloatArray  # [N, C]
    arc: FloatArray  # [A]
    segment: FloatArray  # [Q, Y]

    def __sub__(self, other: Tally) -> Tally:
        return Tally(self.token - other.token, self.arc - other.arc, self.segment - other.segment)

    def score(self, token: FloatArray, weights: Weights) -> float:
        """The score of all that is used, given the scores of tokens."""
        used = float((self.token * token).sum() + self.arc @ weights.arc)
        return used + float((self.segment * weights.segment).sum()) if self.segment.size else used


class Lattice(Protocol):
    """What may be read into strings, and how scores of tokens, arcs and segments add up in it."""

    @property
    def automaton(self) -> Automaton:
        """Which label may follow which."""

    @property
    def columns(self) -> int:
        """How many scores a token has."""

    @property
    def arcs(self) -> int:
        """How many weights arcs have."""

    @property
    def segments(self) -> tuple[int, int]:
        """The shape of the weights of segments."""

    def expected(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], Tally]:
        """The log partition of each string, and what is used on average over all readings."""

    def within(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], Tally]:
        """The same over the readings that the annotation allows."""


@dataclass(frozen=True, slots=True)
class ChainLattice:
    """The lattice of a chain CRF: a label for every token."""

    automaton: Automaton
    columns: int  # labels

    @property
    def arcs(self) -> int:
        """How many weights arcs have: one each."""
        return len(self.automaton.src)

    @property
    def segments(self) -> tuple[int, int]:
        """The shape of the weights of segments: there are none."""
        return 0, 0

    def expected(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], Tally]:
        """The log partition of each string and the marginals."""
        log_z, credit = inference.marginals(
            self.automaton, Potentials(token[:, None], weights.arc, encoded.lengths), threads
        )
        return log_z, Tally(credit.span[:, 0], credit.arc, weights.segment[:0])

    def within(
        self, encoded: Encoded, token: FloatArray, weights: Weights, threads: int
    ) -> tuple[NDArray[np.float64], Tally]:
        """The same among the labels that the annotation allows."""
        allowed = np.where(encoded.mask(), token, token.dtype.type(-np.inf))
        return self.expected(encoded, allowed, weights, threads)


def scores(encoded: Encoded, weights: Weights) -> FloatArray:
    """The scores of each token.  # [N, C]"""
    attributes, window, columns = weights.attribute.shape
    rows = encoded.matrix @ weights.attribute.reshape(attributes, window * columns)
    return inference.emissions(
        rows.reshape(-1, window, columns), encoded.token, encoded.lengths, weights.context, encoded.context
    )


def spread(encoded: Encoded, weights: Weights, tally: Tally) -> Weights:
    """The gradient of the weights that a tally amounts to."""
    attributes, window, columns = weights.attribute.shape
    rows, context = inference.emissions_credit(
        tally.token,
        encoded.token,
        encoded.lengths,
        encoded.matrix.shape[0],
        window,
        encoded.context,
        len(weights.context),
    )
    attribute = encoded.matrix.T @ rows.reshape(-1, window * columns)
    return Weights(attribute.reshape(attributes, window, columns), context, tally.arc, tally.segment)


def possible(encoded: Encoded, lattice: Lattice) -> NDArray[np.bool_]:
    """Which strings have a path through the labels that their annotation allows.  # [B]"""
    weights = zeros(0, 1, 0, lattice.columns, lattice.arcs, lattice.segments, np.float32)
    token = np.zeros((len(encoded.token), lattice.columns), dtype=np.float32)
    return np.isfinite(lattice.within(encoded, token, weights, 1)[0])


def loss(
    encoded: Encoded, lattice: Lattice, weights: Weights, threads: int, fixed: Tally | None = None
) -> tuple[float, Weights]:
    """The negative log likelihood of the corpus and its gradient.

    `fixed` is what the annotation uses where it is complete: it does not change with the weights.
    """
    token = scores(encoded, weights)
    log_z, free = lattice.expected(encoded, token, weights, threads)
    if fixed is None:
        log_within, held = lattice.within(encoded, token, weights, threads)
        within = float(log_within.sum())
    else:
        held, within = fixed, fixed.score(token, weights)
    return float(log_z.sum()) - within, spread(encoded, weights, free - held)
