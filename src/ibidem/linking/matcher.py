"""The model of pairs: how likely two references are to mean the same work, by a logistic function of their features."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ModelError
from ibidem.linking.blocking import Pairs
from ibidem.linking.comparison import View
from ibidem.linking.features import features, in_blocks
from ibidem.linking.joint.nbest import Readings
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats

WEIGHTS = Path(__file__).parent / "weights" / "pairs.json"
FORMAT = "ibidem-pairs-1"
MOST = 8.0
"""The highest and, negated, the lowest weight of a pair, so that no single pair decides on its own."""

GIVEN: dict[str, float] = {"identifier.same": 8.0, "identifier.other": -4.0}
"""Weights that are set by hand: the strings that are learnt from have no identifiers."""

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class PairModel:
    """Weights by feature; `background` are the words that are frequent in references, counted in `documents` texts.

    Two works are joined above the `threshold`; `confidence` are the weights that tell how sure a work is.
    """

    weights: Mapping[str, float]
    bias: float
    background: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    card: Mapping[str, Any] = field(default_factory=dict)
    threshold: float = 0.5
    confidence: Mapping[str, float] = field(default_factory=dict)

    def table(self, views: list[View], readings: Sequence[Readings] | None = None) -> Table:
        """The table of views whose words are weighted as the model expects."""
        return Table(views, self.background, self.documents, readings)

    @cached_property
    def _all(self) -> dict[str, float]:
        return {**self.weights, **GIVEN}

    def vector(self, names: list[str]) -> Floats:
        """The weight of each feature."""
        return np.array([self._all.get(name, 0.0) for name in names], dtype=np.float32)

    def score(self, table: Table, pairs: Pairs, advance: Callable[[int], None] | None = None) -> Doubles:
        """The log-odds of each pair to mean one work, bounded.  # [pairs]"""
        scores = []
        for block in in_blocks(pairs):
            names, values = features(table, block)
            # rounded, so that a pair has the same log-odds whichever others it is worked out with
            scores.append(np.round(values.astype(np.float64) @ self.vector(names).astype(np.float64) + self.bias, 6))
            if advance:
                advance(len(block))
        found = np.concatenate(scores) if scores else np.zeros(0)
        return np.clip(found, -MOST, MOST)

    def evidence(self, table: Table, pair: tuple[int, int]) -> list[tuple[str, float, float]]:
        """Every feature of a pair that is not 0: its name, its value and what it adds to the log-odds."""
        names, values = features(table, Pairs(np.array([pair[0]]), np.array([pair[1]])))
        told = zip(names, values[0].tolist(), (values[0] * self.vector(names)).tolist(), strict=True)
        return [(name, value, part) for name, value, part in told if value]

    def save(self, path: Path) -> None:
        """Nothing: writes the model as JSON."""
        stored = {"format": FORMAT, "card": self.card, "bias": self.bias, "weights": dict(self.weights)}
        stored |= {"threshold": self.threshold, "confidence": dict(self.confidence)}
        stored |= {"documents": self.documents, "background": dict(self.background)}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(stored, ensure_ascii=False, indent=0) + "\n", "utf-8")


def load(path: Path) -> PairModel:
    """The model in a file that `PairModel.save` wrote."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError(f"expected an object whose format is {FORMAT!r}")
        weights = {str(name): float(value) for name, value in found["weights"].items()}
        background = {str(word): int(count) for word, count in found["background"].items()}
        sure = {str(name): float(value) for name, value in found.get("confidence", {}).items()}
        threshold = float(found.get("threshold", 0.5))
        numbers = [*weights.values(), *sure.values(), float(found["bias"])]
        if not np.isfinite(numbers).all() or not 0 < threshold < 1:
            raise ValueError("a weight is not a finite number, or the threshold no probability")
        bias, documents, card = float(found["bias"]), int(found["documents"]), dict(found["card"])
        return PairModel(weights, bias, background, documents, card, threshold, sure)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"cannot read a model of pairs in {path}: {error}; give a file that `make pair-model` wrote"
        ) from error


@lru_cache(1)
def shipped() -> PairModel:
    """The model that ships."""
    return load(WEIGHTS)
