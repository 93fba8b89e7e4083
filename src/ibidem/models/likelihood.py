"""The conditional likelihood of a labelled corpus under a chain CRF, and its gradient.

For a string x whose labelling is known to lie in a set G (one labelling when the annotation is complete, many when a
dataset says less than our labels do), the loss is log Z(x) - log Z(x | G). Its gradient is marginals minus marginals
within G: free credit minus gold credit. Scores are sums of rows of weights, so the gradient with respect to the
weights is the transpose of that sum applied to the credit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.models.encoder import Corpus, Encoder
from ibidem.types import Automaton, Credit, FloatArray, IntArray, Potentials

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of a chain CRF."""

    attribute: FloatArray  # [K, W, Y] an attribute of the token w - W//2 places further
    context: FloatArray  # [P, Y]
    arc: FloatArray  # [A]

    def flat(self) -> FloatArray:
        """All parameters in one vector."""
        return np.concatenate([self.attribute.ravel(), self.context.ravel(), self.arc])

    def filled(self, vector: FloatArray) -> Weights:
        """Weights of this shape with the numbers of `vector`."""
        one, two = self.attribute.size, self.attribute.size + self.context.size
        return Weights(
            vector[:one].reshape(self.attribute.shape), vector[one:two].reshape(self.context.shape), vector[two:]
        )


def zeros(attributes: int, window: int, contexts: int, labels: int, arcs: int, dtype: type = np.float64) -> Weights:
    """Weights that are all zero."""
    return Weights(
        np.zeros((attributes, window, labels), dtype), np.zeros((contexts, labels), dtype), np.zeros(arcs, dtype)
    )


@dataclass(frozen=True, slots=True)
class Encoded:
    """A labelled corpus in numbers, ready to be scored."""

    matrix: csr_matrix  # [R, K] attributes of each token type
    token: IntArray  # [N]
    context: IntArray  # [N, F]
    lengths: IntArray  # [B]
    allowed: NDArray[np.uint8]  # [N, ceil(Y / 8)] labels each token may have, as packed bits
    labels: int

    def strings(self, chosen: NDArray[np.int64]) -> Encoded:
        """The part of the corpus with the chosen strings, with the token types it needs only."""
        first = np.cumsum(self.lengths) - self.lengths
        lengths = self.lengths[chosen]
        offset = np.repeat(first[chosen] - (np.cumsum(lengths) - lengths), lengths)
        tokens = np.arange(lengths.sum()) + offset
        types, token = np.unique(self.token[tokens], return_inverse=True)
        return Encoded(
            self.matrix[types], token.astype(np.int32), self.context[tokens], lengths, self.allowed[tokens], self.labels
        )

    def mask(self) -> NDArray[np.bool_]:
        """Which labels each token may have.  # [N, Y]"""
        return np.unpackbits(self.allowed, axis=1, count=self.labels).astype(np.bool_)


def encode(
    corpus: Corpus, encoder: Encoder, allowed: NDArray[np.uint8], labels: int, dtype: type = np.float64
) -> Encoded:
    """The corpus in the numbers of an encoder; `allowed` are packed bits, [N, ceil(Y / 8)].

    Scores are computed in `dtype`.
    """
    from scipy.sparse import csr_matrix

    rows = [found[found >= 0] for types in corpus.groups_of_types() for found in encoder.numbers_of(types)]
    ends = np.cumsum([len(row) for row in rows])
    columns = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    matrix = csr_matrix(
        (np.ones(len(columns), dtype), columns, np.insert(ends, 0, 0)), shape=(len(rows), len(encoder.attributes))
    )
    context = np.empty((len(corpus.token), len(encoder.context)), dtype=np.int32)
    for piece, batch in corpus.batches():
        context[piece] = encoder.rows_of_context(batch)
    return Encoded(matrix, corpus.token, context, corpus.lengths, allowed, labels)


def scores(encoded: Encoded, weights: Weights) -> FloatArray:
    """The score of each label at each token.  # [N, Y]"""
    attributes, window, labels = weights.attribute.shape
    rows = encoded.matrix @ weights.attribute.reshape(attributes, window * labels)
    return inference.emissions(
        rows.reshape(-1, window, labels), encoded.token, encoded.lengths, weights.context, encoded.context
    )


def spread(encoded: Encoded, weights: Weights, credit: Credit) -> Weights:
    """The gradient of the weights that a credit of labels and arcs amounts to."""
    attributes, window, labels = weights.attribute.shape
    rows, context = inference.emissions_credit(
        credit.span[:, 0],
        encoded.token,
        encoded.lengths,
        encoded.matrix.shape[0],
        window,
        encoded.context,
        len(weights.context),
    )
    attribute = encoded.matrix.T @ rows.reshape(-1, window * labels)
    return Weights(attribute.reshape(attributes, window, labels), context, credit.arc)


def gold(
    encoded: Encoded, automaton: Automaton, span: FloatArray, arc: FloatArray, threads: int
) -> tuple[float, Credit]:
    """The log partition over the labellings that the annotation allows, and their credit."""
    within = np.where(encoded.mask(), span, span.dtype.type(-np.inf))
    log_z, credit = inference.marginals(automaton, Potentials(within[:, None], arc, encoded.lengths), threads)
    return float(log_z.sum()), credit


def possible(encoded: Encoded, automaton: Automaton) -> NDArray[np.bool_]:
    """Which strings have a path through the labels that their annotation allows.  # [B]"""
    span = np.where(encoded.mask(), np.float32(0), np.float32(-np.inf))
    arc = np.zeros(len(automaton.src), dtype=np.float32)
    log_z = inference.log_partition(automaton, Potentials(span[:, None], arc, encoded.lengths))
    return np.isfinite(log_z)


def loss(
    encoded: Encoded, automaton: Automaton, weights: Weights, threads: int, fixed: Credit | None = None
) -> tuple[float, Weights]:
    """The negative log likelihood of the corpus and its gradient.

    `fixed` is the gold credit where the annotation is complete: it does not change with the weights.
    """
    span = scores(encoded, weights)
    log_z, free = inference.marginals(automaton, Potentials(span[:, None], weights.arc, encoded.lengths), threads)
    if fixed is None:
        within, held = gold(encoded, automaton, span, weights.arc, threads)
    else:
        held = fixed
        within = float((fixed.span[:, 0] * span).sum() + fixed.arc @ weights.arc)
    difference = Credit(free.span - held.span, free.arc - held.arc)
    return float(log_z.sum()) - within, spread(encoded, weights, difference)
