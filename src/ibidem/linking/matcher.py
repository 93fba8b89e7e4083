"""The pairwise matcher: the log-odds that two references cite the same work, by logistic regression.

Its features are the similarity features, their excess over some thresholds, and conjunctions of two of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.errors import ModelError
from ibidem.files import open_output
from ibidem.linking.blocking import Pairs
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.joint.nbest import NBest, average_by_pair, bounded_slices, expand_pairs
from ibidem.linking.similarity import similarity_features, similarity_features_of_nbest
from ibidem.linking.table import Table
from ibidem.linking.vectors import Doubles, Floats, check_weights

WEIGHTS = Path(__file__).parent / "weights" / "pairs.json"
FORMAT = "ibidem-pairs-1"
MAX_LOG_ODDS = 8.0
"""The bound on the absolute log-odds of a pair, so that no single pair decides on its own."""

FIXED_WEIGHTS: dict[str, float] = {"identifier.same": 8.0, "identifier.other": -4.0}
"""Weights set by hand: the training strings have no identifiers."""

_MAX_COUNT = 1 << 52

BLOCK = 20_000
"""Pairs whose features are held in memory at a time."""

_THRESHOLDS = (0.5, 0.75, 0.9)
_THRESHOLDED = (
    "whole.edit whole.set whole.words whole.within whole.grams title.edit title.soft title.within title.grams "
    "author.shared author.all author.order"
).split()
_CONJOINED = (
    "whole.words whole.within whole.numbers whole.year.same whole.year.other whole.first title.edit title.soft "
    "author.shared author.first author.initials venue.short year.same year.other first.same first.other volume.same "
    "volume.other kind.other"
).split()

_STEPS = [(name, threshold) for name in _THRESHOLDED for threshold in _THRESHOLDS]
_CONJUNCTIONS = list(combinations(_CONJOINED, 2))


def compute_features(table: Table, pairs: Pairs) -> tuple[list[str], Floats]:
    """Return the names of the features and their values, means over n-best labellings.  # [pairs, features]"""
    if table.nbest is None:
        return expand_features(dict(similarity_features(table, pairs.left, pairs.right)))
    labellings, begin, probability = table.nbest_table
    names: list[str] = []
    rows = []
    for part in bounded_slices(begin, pairs.left, pairs.right, BLOCK):
        pair, one, other = expand_pairs(begin, pairs.left[part], pairs.right[part])
        names, values = expand_features(dict(similarity_features_of_nbest(labellings, one, other)))
        rows.append(average_by_pair(values, probability[one] * probability[other], pair))
    if not rows:
        return expand_features(dict(similarity_features(labellings, pairs.left, pairs.right)))
    return names, np.concatenate(rows)


def expand_features(found: Mapping[str, Floats]) -> tuple[list[str], Floats]:
    """Return similarity features with their thresholded values and conjunctions.  # [pairs, features]"""
    steps = (f"{name}>{threshold}" for name, threshold in _STEPS)
    names = [*found, *steps, *(f"{one}*{other}" for one, other in _CONJUNCTIONS)]
    count = len(next(iter(found.values())))
    rows = np.empty((len(names), count), dtype=np.float32)  # feature after feature: written and read in order
    place = iter(rows)
    for values, row in zip(found.values(), place, strict=False):
        row[:] = values
    for (name, threshold), row in zip(_STEPS, place, strict=False):
        np.maximum(found[name] - np.float32(threshold), 0, out=row)
    for (one, other), row in zip(_CONJUNCTIONS, place, strict=True):
        np.multiply(found[one], found[other], out=row)
    return names, rows.T


def split_into_blocks(pairs: Pairs, size: int = BLOCK) -> Iterator[Pairs]:
    """Yield the pairs in blocks, in order."""
    for begin in range(0, len(pairs), size):
        yield Pairs(pairs.left[begin : begin + size], pairs.right[begin : begin + size])


@dataclass(frozen=True)
class PairwiseMatcher:
    """Weights by feature; `background` are document frequencies of common words in `documents` reference strings.

    Clusters are merged above the `threshold`; `confidence` are the weights of the cluster features.
    """

    weights: Mapping[str, float]
    bias: float
    background: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    card: Mapping[str, Any] = field(default_factory=dict)
    threshold: float = 0.5
    confidence: Mapping[str, float] = field(default_factory=dict)

    def table(self, rows: list[ComparisonFields], nbest: Sequence[NBest] | None = None) -> Table:
        """Return the table of references with the word weights of this matcher."""
        return Table(rows, self.background, self.documents, nbest)

    @cached_property
    def _all_weights(self) -> dict[str, float]:
        return {**self.weights, **FIXED_WEIGHTS}

    def vector(self, names: list[str]) -> Floats:
        """Return the weight of each feature."""
        return np.array([self._all_weights.get(name, 0.0) for name in names], dtype=np.float32)

    def score(self, table: Table, pairs: Pairs) -> Doubles:
        """Return the log-odds that the references of each pair cite the same work, bounded.  # [pairs]"""
        scores = []
        for block in split_into_blocks(pairs):
            names, values = compute_features(table, block)
            # rounded, so that the log-odds of a pair do not depend on the other pairs of its block
            scores.append(np.round(values.astype(np.float64) @ self.vector(names).astype(np.float64) + self.bias, 6))
        found = np.concatenate(scores) if scores else np.zeros(0)
        return np.clip(found, -MAX_LOG_ODDS, MAX_LOG_ODDS)

    def contributions(self, table: Table, pair: tuple[int, int]) -> list[tuple[str, float, float]]:
        """Return the nonzero features of a pair: name, value and contribution to the log-odds."""
        names, values = compute_features(table, Pairs(np.array([pair[0]]), np.array([pair[1]])))
        every = zip(names, values[0].tolist(), (values[0] * self.vector(names)).tolist(), strict=True)
        return [(name, value, part) for name, value, part in every if value]

    def save(self, path: Path) -> None:
        """Write the matcher as JSON."""
        stored = {"format": FORMAT, "card": self.card, "bias": self.bias, "weights": dict(self.weights)}
        stored |= {"threshold": self.threshold, "confidence": dict(self.confidence)}
        stored |= {"documents": self.documents, "background": dict(self.background)}
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_output(path) as stream:
            stream.write((json.dumps(stored, ensure_ascii=False, indent=0) + "\n").encode())


def load_matcher(path: str | Path | None = None) -> PairwiseMatcher:
    """Return the matcher in a file that `PairwiseMatcher.save` wrote, or the default matcher."""
    if path is None:
        return default_matcher()
    try:
        return _matcher_of(json.loads(Path(path).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ModelError(
            f"cannot read a pairwise matcher from {path}: {error}; give a file that `make pair-model` wrote"
        ) from error


def _matcher_of(found: Any) -> PairwiseMatcher:
    """Return the matcher of its JSON object."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"expected an object whose format is {FORMAT!r}")
    weights = {str(name): float(value) for name, value in found["weights"].items()}
    background = {str(word): int(count) for word, count in found["background"].items()}
    confidence = {str(name): float(value) for name, value in found.get("confidence", {}).items()}
    bias, threshold = float(found["bias"]), float(found.get("threshold", 0.5))
    documents, card = int(found["documents"]), dict(found["card"])
    check_weights([*weights.values(), *confidence.values(), bias])
    if not 0 < threshold < 1:
        raise ValueError("the threshold is not a probability")
    if not all(0 <= count <= _MAX_COUNT for count in (documents, *background.values())):
        raise ValueError("the number of documents or of those with a word is out of range")
    for row in card.get("dev", {}).get("thresholds", []):
        scores = [row[name] for name in ("precision", "recall", "clusters")]
        if not 0 < row["threshold"] < 1 or not all(0 <= score <= 1 for score in scores):
            raise ValueError("the scores on the dev set are not between 0 and 1")
    return PairwiseMatcher(weights, bias, background, documents, card, threshold, confidence)


@lru_cache(1)
def default_matcher() -> PairwiseMatcher:
    """Return the default matcher."""
    return load_matcher(WEIGHTS)
