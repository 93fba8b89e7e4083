"""Learning the weights of the types: multinomial logistic regression. `python -m tools.weights.document_types` writes
those that ship (`make record-types`)."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import MissingExtra
from ibidem.records.document_type import WEIGHTS, Model, evidence
from tools.weights.document_type_data import Sample, bibliographies, elife, invented, parsed

Say = Callable[[str], None]

AT_LEAST = 15  # references that a piece of evidence must be in
PENALTY = 2.0  # of the squares of the weights
SMALLEST = 0.2  # weights nearer to nothing are left out of the file
ARTICLES = 20_000  # of eLife: the others of its types are all taken
ENTRIES = 1_500  # of each type of the BibTeX collections
INVENTED = 200  # of standards, and of patents

CARD: dict[str, str] = {
    "about": "Types of works by the fields of a reference; multinomial logistic regression",
    "trained on": "eLife's references (CC-BY / CC0), gold and parsed; BibTeX collections (CC-BY, CC0, MIT);"
    " invented standards and patents",
    "command": "make record-types",
    "evidence": "which fields there are, which together, telling words in them; no text of the data is kept but words",
}


def fit(samples: Sequence[Sample], *, at_least: int = AT_LEAST, penalty: float = PENALTY) -> dict[str, Any]:
    """The weights that were learnt from the samples, as they are stored."""
    try:
        from scipy.optimize import minimize
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtra("training needs scipy: pip install 'ibidem[train]'") from None
    found = [list(evidence(sample.fields)) for sample in samples]
    counts = Counter(name for names in found for name in names)
    names = sorted(name for name, count in counts.items() if count >= at_least)
    place = {name: number for number, name in enumerate(names)}
    types = sorted({sample.type for sample in samples})
    rows = [[place[name] for name in known if name in place] for known in found]
    ends = np.cumsum([0, *map(len, rows)])
    x = csr_matrix((np.ones(ends[-1]), np.concatenate([np.array(row, dtype=np.int64) for row in rows]), ends))
    x.resize((len(rows), len(names)))
    y = np.array([types.index(sample.type) for sample in samples])

    def objective(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        w = flat.reshape(len(names), len(types))
        scores = x @ w
        scores -= scores.max(axis=1, keepdims=True)
        chance = np.exp(scores)
        whole = chance.sum(axis=1, keepdims=True)
        value = float(np.log(whole).sum() - scores[np.arange(len(y)), y].sum() + penalty / 2 * (w**2).sum())
        chance /= whole
        chance[np.arange(len(y)), y] -= 1
        return value, (x.T @ chance + penalty * w).ravel()

    start = np.zeros(len(names) * len(types))
    best = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 100, "maxcor": 10})
    return stored(names, types, best.x.reshape(len(names), len(types)))


def stored(names: Sequence[str], types: Sequence[str], weights: NDArray[np.float64]) -> dict[str, Any]:
    """The weights rounded, without those that are next to nothing."""
    kept: dict[str, list[list[float]]] = {}
    for name, row in zip(names, weights, strict=True):
        large = [[number, round(float(value), 2)] for number, value in enumerate(row) if abs(value) >= SMALLEST]
        if large:
            kept[name] = large
    return {"card": CARD, "types": list(types), "weights": kept}


def guesses(model: Model, samples: Sequence[Sample]) -> list[str]:
    """The most likely type of each sample."""
    return [model.types[int(np.argmax(model.scores(list(evidence(sample.fields)))))] for sample in samples]


def material(split: str, say: Say) -> list[Sample]:
    """Everything the model that ships is trained on: eLife gold and parsed, and the BibTeX collections."""
    gold = list(elife(split, articles=ARTICLES))
    say(f"{len(gold):,} references of eLife's {split}")
    entries = list(bibliographies(ENTRIES))
    say(f"{len(entries):,} entries of the BibTeX collections")
    return [*gold, *parsed(gold), *entries, *invented(INVENTED)]


def main(target: Path = WEIGHTS) -> None:
    """Nothing: trains on eLife's training split and the collections, and writes the weights."""

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    found = fit(material("train", say))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    say(f"{len(found['weights']):,} pieces of evidence, {target.stat().st_size:,} bytes in {target}")


if __name__ == "__main__":
    main()
