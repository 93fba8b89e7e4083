"""The type of work of a reference: multinomial logistic regression over its labelled fields, with a probability.

The evidence is which fields there are, which stand together, and telling words in them. The weights are in
`weights/types.json`; `tools.weights.document_types` trains them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ibidem.errors import ModelError
from ibidem.types import Field

WEIGHTS = Path(__file__).parent / "weights" / "types.json"

_WORD = re.compile(r"[^\W\d_]+")
_FEW = 4  # telling words
_PREFIX = re.compile(r"10\.\d{4,9}")
_GROUPS = {
    "title": "title",
    "in": "journal book series",
    "publisher": "publisher institution archive",
    "note": "type note edition report-number",
    "url": "url",
    "doi": "doi",
}
_TELLING: dict[str, str] = {label: group for group, labels in _GROUPS.items() for label in labels.split()}
"""The labels in whose texts words are looked at, and the name under which they are counted."""


def evidence(fields: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield every piece of evidence in the labels and texts of a reference's fields, parts of fields left out.

    >>> sorted(evidence([("journal", "J. Reed Res."), ("doi", "10.1101/123")]))
    ['=', '=doi', '=doi journal', '=journal', 'doi:10.1101', 'in:j', 'in:reed', 'in:res']
    """
    labels = tuple(sorted({label for label, _ in fields}))
    yield from _together(labels)
    seen: set[str] = set()
    for label, text in fields:
        group = _TELLING.get(label)
        if group:
            seen.update(f"{group}:{word}" for word in words_of(label, text))
    yield from seen


@lru_cache(1 << 12)
def _together(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels that are there, alone and in pairs."""
    pairs = [f"={one} {other}" for place, one in enumerate(labels) for other in labels[place + 1 :]]
    return ("=", *(f"={label}" for label in labels), *pairs)


def words_of(label: str, text: str) -> list[str]:
    """Return the words that count in the text of a field: of a DOI its prefix, of others the words in lower case."""
    if label == "doi":
        found = _PREFIX.search(text)
        return [found.group()] if found else []
    return _WORD.findall(text.lower())


class Model:
    """Weights of a multinomial logistic regression: of every type for every piece of evidence."""

    def __init__(self, stored: dict[str, Any]) -> None:
        self.types: tuple[str, ...] = tuple(stored["types"])
        self.weights: dict[str, tuple[tuple[int, float], ...]] = {
            name: tuple((int(place), float(value)) for place, value in row) for name, row in stored["weights"].items()
        }
        self._words: dict[str, dict[str, str]] = {group: {} for group in _GROUPS}
        for name in self.weights:
            group, mark, word = name.partition(":")
            if mark and group in self._words:
                self._words[group][word] = name
        self._sums: Any = lru_cache(1 << 12)(lambda labels: self.scores(_together(labels)))
        self._cached: Any = lru_cache(1 << 12)(self._classify)

    def scores(self, found: Sequence[str]) -> list[float]:
        """Return the sum of the weights of what was found, by type."""
        total = [0.0] * len(self.types)
        for name in found:
            for place, value in self.weights.get(name, ()):
                total[place] += value
        return total

    def _classify(self, labels: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, float]:
        total = [one + other for one, other in zip(self._sums(labels), self.scores(words), strict=True)]
        best = max(total)
        place = total.index(best)
        return self.types[place], 1.0 / sum(math.exp(value - best) for value in total)

    def type_of(self, fields: Sequence[Field]) -> tuple[str, float]:
        """Return the most likely type and its probability."""
        labels: set[str] = set()
        telling: set[str] = set()
        for field in fields:
            label = field.label
            if "/" in label:
                continue
            labels.add(label)
            group = _TELLING.get(label)
            if group:
                known = self._words[group]
                words = known.keys() & words_of(label, field.text)
                telling.update([known[word] for word in words] if words else ())
        classify = self._cached if len(telling) < _FEW else self._classify  # longer sets of words hardly ever recur
        found: tuple[str, float] = classify(tuple(sorted(labels)), tuple(sorted(telling)))
        return found


@lru_cache(1)
def model() -> Model:
    """Load the default weights."""
    try:
        return Model(json.loads(WEIGHTS.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"cannot read the weights of the types in {WEIGHTS}: {error}; `make record-types` writes them"
        ) from error


def type_of(fields: Sequence[Field]) -> tuple[str, float]:
    """Return the most likely type of work for the fields of a reference, and its probability."""
    return model().type_of(fields)
