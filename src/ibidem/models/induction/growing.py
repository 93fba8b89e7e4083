"""Feature induction: conjunctions of features that a chain CRF grows by what each adds to the likelihood.

McCallum 2003, as Wellner et al. 2004 use it. In each round the weights are trained a little; features that stand
together at tokens whose label is not sure are joined in pairs; the pairs with the highest gain become features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.models.encoder import Encoder
from ibidem.models.induction.conjunctions import FARTHEST, Conjunctions
from ibidem.models.induction.gains import Doubles, gains, quick_gain
from ibidem.models.likelihood import Encoded, Weights, hits_in, scores, with_conjunctions
from ibidem.models.optimisers import Objective, lbfgs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Ints = NDArray[np.int64]
_UNSURE = 0.1  # how far the chance of a label must be from the truth for a token to be looked at
_TRIED = 20  # pairs whose gain is worked out for each that is taken
_TOKENS = 1 << 18  # tokens that features are induced on at most
_LOOKED_AT = 1 << 14  # unsure tokens that pairs are sought at, at most
_PAIRS = 1 << 22  # pairs of features that are counted at once
_SPAN = 2 * FARTHEST + 1
_NO_CODE = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class InductionConfig:
    """How conjunctions of features are induced."""

    rounds: int = 5  # times that conjunctions are sought, each after some training with those found before
    conjunctions: int = 200  # taken in a round at most
    at_least: int = 5  # tokens at which a conjunction must stand
    steps: int = 20  # of L-BFGS before each round
    reach: int = 1  # places away from a token that attributes in its conjunctions may be
    longest: int = 2  # features that a conjunction may join

    def __post_init__(self) -> None:
        for name in ("rounds", "conjunctions", "at_least", "steps", "longest"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} of induction is {getattr(self, name)}: give 1 or more")
        if not 0 <= self.reach <= FARTHEST:
            raise ConfigError(f"reach of induction is {self.reach}: give 0 to {FARTHEST}")


@dataclass(frozen=True, slots=True)
class Found:
    """Conjunctions with the label for which each was proposed and what it adds to the objective, the best first."""

    conjunctions: Conjunctions
    label: Ints
    gain: Doubles
    unsure: int = 0  # tokens that were not sure

    def only(self, kept: Ints) -> Found:
        """Some of them."""
        return replace(self, conjunctions=self.conjunctions.only(kept), label=self.label[kept], gain=self.gain[kept])


def induced(
    objective: Objective,
    encoder: Encoder,
    start: Weights,
    config: InductionConfig,
    seed: int,
    say: Callable[[str], None],
) -> tuple[Encoder, Weights]:
    """The encoder with the conjunctions that the rounds of induction found, and weights to go on from.

    `start` are the weights to begin with.
    """
    plain = _sample(objective.encoded, seed)
    weights = start
    for number in range(1, config.rounds + 1):
        objective = replace(objective, encoded=with_conjunctions(plain, encoder))
        weights = lbfgs(objective, weights, config.steps, lambda *_: False)
        found = search(objective, encoder, weights, config, seed)
        count = len(found.conjunctions)
        best = f", the first adds {found.gain[0]:.2f} and the last {found.gain[-1]:.2f}" if count else ""
        say(f"induction, round {number}: {found.unsure:,} tokens not sure, {count:,} conjunctions{best}")
        if not count:
            break
        encoder = replace(encoder, induced=encoder.induced.and_then(found.conjunctions))
        blank = np.zeros((count, weights.context.shape[1]))
        weights = replace(weights, context=np.concatenate([weights.context, blank]))
    return encoder, weights


def _sample(encoded: Encoded, seed: int) -> Encoded:
    """The corpus, or so many of its strings, drawn at random, as induction is to look at."""
    if len(encoded.token) <= _TOKENS:
        return encoded
    order = np.random.default_rng(seed).permutation(len(encoded.lengths))
    few = int(np.searchsorted(np.cumsum(encoded.lengths[order]), _TOKENS)) or 1
    return encoded.strings(np.sort(order[:few]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A corpus with the labels its tokens have, those that the model gives them, and the penalty of weights."""

    encoded: Encoded
    truth: Doubles  # [N, Y]
    chance: Doubles  # [N, Y]
    l2: float

    @classmethod
    def under(cls, objective: Objective, weights: Weights) -> Evidence:
        """The evidence of a corpus under weights."""
        encoded, lattice, threads = objective.encoded, objective.lattice, objective.threads
        token = scores(encoded, weights)
        chance, truth = (
            read(encoded, token, weights, threads)[1].token.astype(np.float64)
            for read in (lattice.expected, lattice.within)
        )
        return cls(encoded, truth, chance, objective.l2)


def search(objective: Objective, encoder: Encoder, weights: Weights, config: InductionConfig, seed: int) -> Found:
    """The conjunctions that add most to the objective, given weights for what the corpus is encoded with."""
    seen = Evidence.under(objective, weights)
    unsure = np.flatnonzero(np.abs(seen.truth - seen.chance).max(axis=1) > _UNSURE)
    random = np.random.default_rng(seed)
    looked = np.sort(random.choice(unsure, _LOOKED_AT, replace=False)) if len(unsure) > _LOOKED_AT else unsure
    columns = _columns(seen.encoded, encoder, looked, config, weights.attribute.shape[1] // 2)
    wanted = _TRIED * config.conjunctions
    left, right, label = _promising(columns, seen.truth[looked], seen.chance[looked], seen.l2, wanted)
    found = Found(_joined(columns.standing, left, right), label, np.zeros(len(label)), len(unsure))
    marks = random.integers(np.iinfo(np.int64).min, np.iinfo(np.int64).max, len(seen.encoded.token))
    return _best(found, seen, config, marks, _prints(seen.encoded, marks, weights))


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Which features stand at the tokens that are looked at, a column for each."""

    table: csr_matrix  # [tokens, columns]
    standing: Conjunctions  # what the columns are
    size: Ints  # [columns] parts of each
    fresh: NDArray[np.bool_]  # [columns] it has no weights yet: an attribute of a token beyond the window
    longest: int  # parts that two columns may have together

    def of(self, rows: Ints) -> tuple[TokenBatch, Ints]:
        """Some of the tokens, with the columns that can be joined at them, and which of the columns those are."""
        table = self.table[rows]
        often = np.bincount(table.indices, minlength=table.shape[1]) > 1
        kept = np.flatnonzero(often & ((self.size < self.longest) | self.fresh))
        some = self.standing.only(kept), self.size[kept], self.fresh[kept]
        return TokenBatch(table[:, kept], *some, self.longest), kept


def _columns(encoded: Encoded, encoder: Encoder, looked: Ints, config: InductionConfig, beside: int) -> TokenBatch:
    """The attributes of tokens up to a few places away, the codes of context, and what was induced before.

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
    standing = alone.and_then(encoder.induced)
    size = (standing.part != -1).sum(axis=1)
    fresh = (np.abs(standing.offset[:, 0].astype(np.int64)) > beside) & (size == 1)
    return TokenBatch(table, standing, size, fresh, config.longest)


def _types_at(encoded: Encoded, offset: int) -> Ints:
    """The type of the token so many places further; the number of types where the string ends before.  # [N]"""
    lengths = encoded.lengths.astype(np.int64)
    string = np.repeat(np.arange(len(lengths)), lengths)
    first = (np.cumsum(lengths) - lengths)[string]
    there = np.arange(len(string)) + offset
    inside = (there >= first) & (there < first + lengths[string])
    return np.where(inside, encoded.token[np.where(inside, there, 0)], encoded.matrix.shape[0])


def _promising(columns: TokenBatch, truth: Doubles, chance: Doubles, l2: float, wanted: int) -> tuple[Ints, Ints, Ints]:
    """Pairs of columns and a label for each, as many as wanted, that one step of Newton's method promises most for."""
    nothing = np.zeros(0, dtype=np.int64)
    best = [(np.zeros(0), nothing, nothing, nothing)]
    for label in range(truth.shape[1]):
        slope = truth[:, label] - chance[:, label]
        rows = np.flatnonzero(np.abs(slope) > _UNSURE)
        curve = chance[rows, label] * (1 - chance[rows, label])
        for gain, left, right in _pairs(columns, rows, slope[rows], curve, l2):
            best.append((gain, left, right, np.full(len(gain), label)))
            if sum(len(piece[0]) for piece in best) > 4 * wanted:
                best = [_top(best, wanted)]
    return _top(best, wanted)[1:]


def _top(pieces: list[tuple[Doubles, Ints, Ints, Ints]], wanted: int) -> tuple[Doubles, Ints, Ints, Ints]:
    gain, left, right, label = (np.concatenate(each) for each in zip(*pieces, strict=True))
    order = np.lexsort((right, left, label, -gain))[:wanted]  # the same order whatever the blocks were
    return gain[order], left[order], right[order], label[order]


def _pairs(
    columns: TokenBatch, rows: Ints, slope: Doubles, curve: Doubles, l2: float
) -> Iterator[tuple[Doubles, Ints, Ints]]:
    """Gains of pairs of columns over some tokens, some columns at a time; one that is fresh is a pair with itself.

    What stands at the same tokens as one of its two columns is left out: it tells nothing apart. Slope and curve of a
    pair are sums over the tokens at which both columns stand: one product, in complex numbers.
    """
    own, number = columns.of(rows)
    turned = own.table.T.tocsr()  # [columns, tokens]
    both = own.table.astype(np.complex128)
    both.data = np.repeat(slope + 1j * curve, np.diff(own.table.indptr))
    alone = turned @ (slope + 1j * curve)  # [columns]
    block = np.cumsum(turned @ np.diff(own.table.indptr).astype(np.float64)) // _PAIRS
    for each in np.unique(block).tolist():
        chosen = np.flatnonzero(block == each)
        product = (turned[chosen] @ both).tocoo()
        left, right, value = chosen[product.row], product.col.astype(np.int64), product.data
        fits = (left < right) & (own.size[left] + own.size[right] <= own.longest)
        fits &= (value != alone[left]) & (value != alone[right])
        kept = np.where(left == right, own.fresh[left], fits)
        gain = quick_gain(value.real[kept], value.imag[kept], l2)
        yield gain, number[left[kept]], number[right[kept]]


def _joined(standing: Conjunctions, left: Ints, right: Ints) -> Conjunctions:
    """The conjunctions that pairs of columns make."""
    code = standing.part.astype(np.int64) * _SPAN + standing.offset + FARTHEST
    code[standing.part == -1] = _NO_CODE
    both = np.sort(np.concatenate([code[left], code[right]], axis=1), axis=1)
    both[:, 1:][both[:, 1:] == both[:, :-1]] = _NO_CODE  # a part that both have counts once
    both = np.sort(both, axis=1)
    nothing = both == _NO_CODE
    both, nothing = (table[:, : max(1, int((~nothing).sum(axis=1).max(initial=1)))] for table in (both, nothing))
    part = np.where(nothing, -1, both // _SPAN).astype(np.int32)
    return Conjunctions(part, np.where(nothing, 0, both % _SPAN - FARTHEST).astype(np.int8))


def _prints(encoded: Encoded, marks: Ints, weights: Weights) -> Ints:
    """The sum of the marks of the tokens at which each feature stands that has weights already."""
    matrix, window = encoded.matrix.astype(np.int64), weights.attribute.shape[1]
    found = []
    for offset in range(-(window // 2), window // 2 + 1):
        sums = np.zeros(matrix.shape[0] + 1, dtype=np.int64)
        np.add.at(sums, _types_at(encoded, offset), marks)
        found.append(matrix.T @ sums[:-1])
    rows = np.zeros(len(weights.context) + 1, dtype=np.int64)  # the last entry stands for "no row"
    for column in encoded.context.T:
        np.add.at(rows, column, marks)
    return np.concatenate([*found, rows[:-1]])


def _best(found: Found, seen: Evidence, config: InductionConfig, marks: Ints, known: Ints) -> Found:
    """Those that add most, by their gain over the whole corpus; of several that stand at the same tokens the first.

    What stands at the same tokens as a feature that has weights already would add nothing.
    """
    count = len(found.conjunctions)
    token, which = hits_in(seen.encoded, found.conjunctions)
    label = found.label[which]
    gain = gains(which, seen.truth[token, label], seen.chance[token, label], count, seen.l2)[1]
    prints = np.zeros(count, dtype=np.int64)
    np.add.at(prints, which, marks[token])
    good = (np.bincount(which, minlength=count) >= config.at_least) & (gain > 0) & ~np.isin(prints, known)
    order = np.argsort(-gain, kind="stable")
    order = order[good[order]]
    first = np.sort(np.unique(prints[order], return_index=True)[1])
    return replace(found, gain=gain).only(order[first][: config.conjunctions])
