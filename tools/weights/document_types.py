"""Train the default weights of the document types, a multinomial logistic regression, and write them.

`python -m tools.weights.document_types`, or `make record-types`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.records.document_type import WEIGHTS, Model, evidence
from tools.weights.document_type_data import (
    Sample,
    from_templates,
    invent,
    parse,
    read_bibliographies,
    read_elife,
    without_titles,
)
from tools.weights.logistic_regression import fit_multinomial

Say = Callable[[str], None]

MIN_COUNT = 15  # references that must have a feature
PENALTY = 2.0  # on the squares of the weights
PRUNE_BELOW = 0.2  # smaller weights are left out of the file
ARTICLES = 20_000  # of eLife, with all references of other types
ENTRIES = 1_500  # of each type of the BibTeX collections
INVENTED = 200  # of standards, and of patents
TEMPLATES = 12_000  # references made from templates

CARD: dict[str, str] = {
    "about": "Document types by the fields of a reference; multinomial logistic regression",
    "trained on": "eLife's references (CC-BY / CC0), gold and parsed; BibTeX collections (CC-BY, CC0, MIT);"
    " invented standards and patents; references made from templates",
    "command": "make record-types",
    "evidence": "which fields occur, which together, and their words; no text of the data is kept but single words",
}


def fit(samples: Sequence[Sample], *, min_count: int = MIN_COUNT, penalty: float = PENALTY) -> dict[str, Any]:
    """Fit weights to the samples and return them as they are stored."""
    found = [list(evidence(sample.fields)) for sample in samples]
    counts = Counter(name for names in found for name in names)
    names = sorted(name for name, count in counts.items() if count >= min_count)
    place = {name: number for number, name in enumerate(names)}
    types = sorted({sample.type for sample in samples})
    rows = [[place[name] for name in known if name in place] for known in found]
    classes = np.array([types.index(sample.type) for sample in samples])
    return as_stored(names, types, fit_multinomial(rows, len(names), classes, penalty))


def as_stored(names: Sequence[str], types: Sequence[str], weights: NDArray[np.float64]) -> dict[str, Any]:
    """Return the weights rounded, without small ones."""
    kept: dict[str, list[list[float]]] = {}
    for name, row in zip(names, weights, strict=True):
        large = [[number, round(float(value), 2)] for number, value in enumerate(row) if abs(value) >= PRUNE_BELOW]
        if large:
            kept[name] = large
    return {"card": CARD, "types": list(types), "weights": kept}


def predict(model: Model, samples: Sequence[Sample]) -> list[str]:
    """Return the most probable type of each sample."""
    return [model.types[int(np.argmax(model.scores(list(evidence(sample.fields)))))] for sample in samples]


def read_samples(split: str, say: Say) -> list[Sample]:
    """Read what the default weights are trained on: eLife gold and parsed, BibTeX collections, invented ones."""
    gold = list(read_elife(split, articles=ARTICLES))
    say(f"{len(gold):,} references of eLife's {split}")
    entries = list(read_bibliographies(ENTRIES))
    say(f"{len(entries):,} entries of the BibTeX collections")
    made = list(from_templates(TEMPLATES))
    say(f"{len(made):,} references made from templates")
    parsed = [replace(one, fields=without_titles(one.fields)) for one in parse(made)]
    return [*gold, *parse(gold), *entries, *invent(INVENTED), *made, *parsed]


def main(target: Path = WEIGHTS) -> None:
    """Train on eLife's training split and the collections, and write the weights."""

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    found = fit(read_samples("train", say))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    say(f"{len(found['weights']):,} features, {target.stat().st_size:,} bytes in {target}")


if __name__ == "__main__":
    main()
