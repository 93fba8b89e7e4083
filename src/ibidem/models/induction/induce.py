"""The search for conjunctions of features by their gain in likelihood (McCallum 2003, as in Wellner et al. 2004).

In each round the weights are trained a little; features that hold together at tokens with an uncertain label are joined
in pairs; the pairs with the highest gain become features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ibidem.models.encoder import Encoder
from ibidem.models.induction import InductionConfig
from ibidem.models.induction.conjunctions import FARTHEST, Conjunctions
from ibidem.models.likelihood import Encoded, Weights, hits_in, scores, with_conjunctions
from ibidem.models.optimisers import Objective, lbfgs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Ints = NDArray[np.int64]
Doubles = NDArray[np.float64]
_UNCERTAIN = 0.1  # least difference between gold and model probability of a label at an uncertain token
_TRIED = 20  # pairs whose gain is computed for each that is added
_TOKENS = 1 << 18  # tokens that features are induced on at most
_LOOKED_AT = 1 << 14  # uncertain tokens that pairs are sought at, at most
_PAIRS = 1 << 22  # pairs of features that are counted at once
_SPAN = 2 * FARTHEST + 1
_NO_CODE = np.iinfo(np.int64).max
_LARGEST = 20.0  # size of a weight in the computation of gains
_LONGEST = 2.0  # Newton step there: far from the best weight the curve is flat
_STEPS = 14


@dataclass(frozen=True, slots=True)
class Found:
    """Conjunctions with the label for which each was proposed and its gain, the best first."""

    conjunctions: Conjunctions
    label: Ints
    gain: Doubles
    uncertain: int = 0  # number of uncertain tokens

    def only(self, kept: Ints) -> Found:
        """Return some of them."""
        return replace(self, conjunctions=self.conjunctions.only(kept), label=self.label[kept], gain=self.gain[kept])


def induce(
    objective: Objective,
    encoder: Encoder,
    start: Weights,
    config: InductionConfig,
    seed: int,
    say: Callable[[str], None],
) -> tuple[Encoder, Weights]:
    """Return the encoder with the conjunctions found in some rounds, and weights to continue the training with.

    `start` are the initial weights.
    """
    plain = _sample(objective.encoded, seed)
    weights = start
    for number in range(1, config.rounds + 1):
        objective = replace(objective, encoded=with_conjunctions(plain, encoder))
        weights = lbfgs(objective, weights, config.steps, lambda *_: False)
        found = search(objective, encoder, weights, config, seed)
        count = len(found.conjunctions)
        best = f", the first adds {found.gain[0]:.2f} and the last {found.gain[-1]:.2f}" if count else ""
        say(f"induction, round {number}: {found.uncertain:,} uncertain tokens, {count:,} conjunctions{best}")
        if not count:
            break
        encoder = replace(encoder, induced=encoder.induced.extend(found.conjunctions))
        new = np.zeros((count, weights.context.shape[1]))
        weights = replace(weights, context=np.concatenate([weights.context, new]))
    return encoder, weights


def _sample(encoded: Encoded, seed: int) -> Encoded:
    """Return the corpus, or a random part of its strings if it is large."""
    if len(encoded.token) <= _TOKENS:
        return encoded
    order = np.random.default_rng(seed).permutation(len(encoded.lengths))
    few = int(np.searchsorted(np.cumsum(encoded.lengths[order]), _TOKENS)) or 1
    return encoded.strings(np.sort(order[:few]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A corpus with gold and model probabilities of the labels of its tokens, and the penalty of weights."""

    encoded: Encoded
    gold: Doubles  # [N, Y]
    probability: Doubles  # [N, Y]
    l2: float

    @classmethod
    def under(cls, objective: Objective, weights: Weights) -> Evidence:
        """Return the evidence of a corpus under weights."""
        encoded, lattice, threads = objective.encoded, objective.lattice, objective.threads
        token = scores(encoded, weights)
        probability, gold = (
            count(encoded, token, weights, threads)[1].span[:, 0].astype(np.float64)
            for count in (lattice.expected, lattice.within)
        )
        return cls(encoded, gold, probability, objective.l2)


def search(objective: Objective, encoder: Encoder, weights: Weights, config: InductionConfig, seed: int) -> Found:
    """Return the conjunctions with the highest gain, given weights for what the corpus is encoded with."""
    seen = Evidence.under(objective, weights)
    uncertain = np.flatnonzero(np.abs(seen.gold - seen.probability).max(axis=1) > _UNCERTAIN)
    random = np.random.default_rng(seed)
    looked = uncertain
    if len(uncertain) > _LOOKED_AT:
        looked = np.sort(random.choice(uncertain, _LOOKED_AT, replace=False))
    columns = _columns(seen.encoded, encoder, looked, config, weights.attribute.shape[1] // 2)
    wanted = _TRIED * config.conjunctions
    left, right, label = _promising(columns, seen.gold[looked], seen.probability[looked], seen.l2, wanted)
    found = Found(_join(columns.standing, left, right), label, np.zeros(len(label)), len(uncertain))
    codes = random.integers(np.iinfo(np.int64).min, np.iinfo(np.int64).max, len(seen.encoded.token))
    return _best(found, seen, config, codes, _hashes(seen.encoded, codes, weights))


@dataclass(frozen=True, slots=True)
class Columns:
    """Which features hold at the tokens that are looked at, a column for each."""

    table: csr_matrix  # [tokens, columns]
    standing: Conjunctions  # what the columns are
    size: Ints  # [columns] parts of each
    fresh: NDArray[np.bool_]  # [columns] without weights so far: an attribute of a token beyond the window
    longest: int  # parts that two columns may have together

    def of(self, rows: Ints) -> tuple[Columns, Ints]:
        """Return some of the tokens, with the columns that can be joined at them, and the numbers of those columns."""
        table = self.table[rows]
        often = np.bincount(table.indices, minlength=table.shape[1]) > 1
        kept = np.flatnonzero(often & ((self.size < self.longest) | self.fresh))
        some = self.standing.only(kept), self.size[kept], self.fresh[kept]
        return Columns(table[:, kept], *some, self.longest), kept


def _columns(encoded: Encoded, encoder: Encoder, looked: Ints, config: InductionConfig, beside: int) -> Columns:
    """Return the attributes of tokens up to a few places away, the codes of context, and earlier conjunctions.

    Attributes up to `beside` places away have weights.
    """
    from scipy.sparse import csr_matrix, hstack, vstack

    count, numbers = encoded.matrix.shape[1], np.arange(encoded.matrix.shape[1])
    matrix = vstack([encoded.matrix, csr_matrix((1, count))]).tocsr()  # the last row is that of no token
    parts, tables, names = [], [], []
    for offset in range(-config.reach, config.reach + 1):
        tables.append(matrix[_types_at(encoded, offset)[looked]])
        names.append(np.full(count, offset))
        parts.append(numbers)
    context = encoded.context[looked]
    at, column = np.nonzero(context >= 0)
    rows = encoder.contexts + len(encoder.induced)
    ones = np.ones(len(at))
    tables.append(csr_matrix((ones, (at, context[at, column])), shape=(len(looked), rows)))
    parts.append(-2 - np.arange(encoder.contexts))
    names.append(np.zeros(encoder.contexts, dtype=np.int64))
    alone = Conjunctions(
        np.concatenate(parts)[:, None].astype(np.int32), np.concatenate(names)[:, None].astype(np.int8)
    )
    table = hstack(tables).tocsr()
    standing = alone.extend(encoder.induced)
    size = (standing.part != -1).sum(axis=1)
    fresh = (np.abs(standing.offset[:, 0].astype(np.int64)) > beside) & (size == 1)
    return Columns(table, standing, size, fresh, config.longest)


def _types_at(encoded: Encoded, offset: int) -> Ints:
    """Return the type of the token at an offset; the number of types where the string ends before.  # [N]"""
    lengths = encoded.lengths.astype(np.int64)
    string = np.repeat(np.arange(len(lengths)), lengths)
    first = (np.cumsum(lengths) - lengths)[string]
    there = np.arange(len(string)) + offset
    inside = (there >= first) & (there < first + lengths[string])
    return np.where(inside, encoded.token[np.where(inside, there, 0)], encoded.matrix.shape[0])


def _promising(
    columns: Columns, gold: Doubles, probability: Doubles, l2: float, wanted: int
) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of columns, with a label each, whose gain is highest by one Newton step."""
    nothing = np.zeros(0, dtype=np.int64)
    best = [(np.zeros(0), nothing, nothing, nothing)]
    for label in range(gold.shape[1]):
        gradient = gold[:, label] - probability[:, label]
        rows = np.flatnonzero(np.abs(gradient) > _UNCERTAIN)
        curvature = probability[rows, label] * (1 - probability[rows, label])
        for gain, left, right in _pairs(columns, rows, gradient[rows], curvature, l2):
            best.append((gain, left, right, np.full(len(gain), label)))
            if sum(len(piece[0]) for piece in best) > 4 * wanted:
                best = [_top(best, wanted)]
    return _top(best, wanted)[1:]


def _top(pieces: list[tuple[Doubles, Ints, Ints, Ints]], wanted: int) -> tuple[Doubles, Ints, Ints, Ints]:
    gain, left, right, label = (np.concatenate(each) for each in zip(*pieces, strict=True))
    order = np.lexsort((right, left, label, -gain))[:wanted]  # the same order whatever the blocks were
    return gain[order], left[order], right[order], label[order]


def _pairs(
    columns: Columns, rows: Ints, gradient: Doubles, curvature: Doubles, l2: float
) -> Iterator[tuple[Doubles, Ints, Ints]]:
    """Yield the gains of pairs of columns over some tokens, some columns at a time; a fresh one pairs with itself.

    A pair that holds at the same tokens as one of its two columns is left out: it adds nothing. Gradient and curvature
    of a pair are sums over the tokens at which both columns hold: one product, in complex numbers.
    """
    own, number = columns.of(rows)
    turned = own.table.T.tocsr()  # [columns, tokens]
    both = own.table.astype(np.complex128)
    both.data = np.repeat(gradient + 1j * curvature, np.diff(own.table.indptr))
    alone = turned @ (gradient + 1j * curvature)  # [columns]
    block = np.cumsum(turned @ np.diff(own.table.indptr).astype(np.float64)) // _PAIRS
    for each in np.unique(block).tolist():
        chosen = np.flatnonzero(block == each)
        product = (turned[chosen] @ both).tocoo()
        left, right, value = chosen[product.row], product.col.astype(np.int64), product.data
        fits = (left < right) & (own.size[left] + own.size[right] <= own.longest)
        fits &= (value != alone[left]) & (value != alone[right])
        kept = np.where(left == right, own.fresh[left], fits)
        gain = newton_gain(value.real[kept], value.imag[kept], l2)
        yield gain, number[left[kept]], number[right[kept]]


def _join(standing: Conjunctions, left: Ints, right: Ints) -> Conjunctions:
    """Return the conjunctions that pairs of columns make."""
    code = standing.part.astype(np.int64) * _SPAN + standing.offset + FARTHEST
    code[standing.part == -1] = _NO_CODE
    both = np.sort(np.concatenate([code[left], code[right]], axis=1), axis=1)
    both[:, 1:][both[:, 1:] == both[:, :-1]] = _NO_CODE  # a part that both have counts once
    both = np.sort(both, axis=1)
    nothing = both == _NO_CODE
    both, nothing = (table[:, : max(1, int((~nothing).sum(axis=1).max(initial=1)))] for table in (both, nothing))
    part = np.where(nothing, -1, both // _SPAN).astype(np.int32)
    return Conjunctions(part, np.where(nothing, 0, both % _SPAN - FARTHEST).astype(np.int8))


def _hashes(encoded: Encoded, codes: Ints, weights: Weights) -> Ints:
    """Return the sum of the codes of the tokens at which each feature with weights holds."""
    matrix, window = encoded.matrix.astype(np.int64), weights.attribute.shape[1]
    found = []
    for offset in range(-(window // 2), window // 2 + 1):
        sums = np.zeros(matrix.shape[0] + 1, dtype=np.int64)
        np.add.at(sums, _types_at(encoded, offset), codes)
        found.append(matrix.T @ sums[:-1])
    rows = np.zeros(len(weights.context) + 1, dtype=np.int64)  # the last entry stands for "no row"
    for column in encoded.context.T:
        np.add.at(rows, column, codes)
    return np.concatenate([*found, rows[:-1]])


def _best(found: Found, seen: Evidence, config: InductionConfig, codes: Ints, known: Ints) -> Found:
    """Return those with the highest gain over the whole corpus; of several that match at the same tokens the first.

    One that matches at the same tokens as a feature with weights would add nothing.
    """
    count = len(found.conjunctions)
    token, which = hits_in(seen.encoded, found.conjunctions)
    label = found.label[which]
    gain = gains(which, seen.gold[token, label], seen.probability[token, label], count, seen.l2)[1]
    hashes = np.zeros(count, dtype=np.int64)
    np.add.at(hashes, which, codes[token])
    good = (np.bincount(which, minlength=count) >= config.min_count) & (gain > 0) & ~np.isin(hashes, known)
    order = np.argsort(-gain, kind="stable")
    order = order[good[order]]
    first = np.sort(np.unique(hashes[order], return_index=True)[1])
    return replace(found, gain=gain).only(order[first][: config.conjunctions])


def gains(
    candidate: NDArray[np.int64], gold: Doubles, probability: Doubles, count: int, l2: float
) -> tuple[Doubles, Doubles]:
    """Return the best weight of each of `count` candidates, a feature with a label, and its gain in the objective.

    A candidate holds at several tokens: `candidate`, `gold` and `probability` have an entry for each of its tokens,
    with the probability that the token has the label by the annotation (0 or 1 where that is complete) and by the
    model. With independent tokens and all other weights fixed, a weight w adds

        Σ gold · w − log(1 + probability · (e^w − 1)) − l2 · w²

    which is concave: Newton's method, with bisection where a step would leave the interval.
    """
    low, high = np.full(count, -_LARGEST), np.full(count, _LARGEST)
    weight = np.zeros(count)
    for _ in range(_STEPS):
        grown = probability * np.exp(weight[candidate])
        tilted = grown / (1 - probability + grown)  # the probability under the new weight
        gradient = np.bincount(candidate, gold - tilted, count) - 2 * l2 * weight
        curvature = np.bincount(candidate, tilted * (1 - tilted), count) + 2 * l2
        low, high = np.where(gradient > 0, weight, low), np.where(gradient < 0, weight, high)
        step = weight + np.clip(gradient / np.maximum(curvature, 1e-12), -_LONGEST, _LONGEST)
        weight = np.where((step >= low) & (step <= high), step, (low + high) / 2)
    added = gold * weight[candidate] - np.log1p(probability * np.expm1(weight[candidate]))
    return weight, np.bincount(candidate, added, count) - l2 * weight * weight


def newton_gain(gradient: Doubles, curvature: Doubles, l2: float) -> Doubles:
    """Return the gain of the first step of Newton's method: gradient² / (2 (curvature + 2 l2))."""
    return gradient * gradient / (2 * (curvature + 2 * l2) + 1e-12)
