"""Whether a record of DBLP and one of Google Scholar mean the same work, pair by pair, as learnt matchers are measured.

The pairs are given, so neither blocking nor the partition has a part in it: the measures of linking and a logistic
model learnt from the training pairs decide on each pair alone; the prior and the threshold are set on the validation
pairs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from ibidem.data import registry
from ibidem.data.readers.records import Pair
from ibidem.linking.blocking import Pairs
from ibidem.linking.comparison import Person, View, plain
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats
from ibidem.metrics.significance import f1_interval
from tools.weights.matcher_training import PairConfig, fit, matrix

Truth = NDArray[np.bool_]

_ENTITY = re.compile(r"&\s*#?\w+\s*;")  # & hellip ; is how Scholar cuts a long name short
_PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0)
_PUBLISHED = (("DeepMatcher", 94.7), ("Ditto", 95.6))
"""F1 on these test pairs as the papers of these learnt matchers have it (Mudgal et al. 2018, Li et al. 2020)."""


@dataclass(frozen=True, slots=True)
class Part:
    """The features of a split's pairs, and which of them are one work."""

    values: Floats
    same: Truth


def person(name: str) -> Person:
    """The family name and the first letter of a name written with the initials first.

    >>> person("h garcia-molina")
    ('garcia molina', 'h')
    """
    given, _, family = name.strip().rpartition(" ")
    return plain(family), plain(given)[:1]


def view(row: dict[str, str]) -> View:
    """What is compared of a record: title, authors, venue and year."""
    found = {name: _ENTITY.sub(" ", text) for name, text in row.items()}
    year = found.get("year", "").partition(".")[0]
    people = tuple(person(name) for name in found.get("authors", "").split(" , ") if name.strip())
    return View(
        plain(" ".join(found.get(name, "") for name in ("authors", "title", "venue")) + f" {year}"),
        plain(found.get("title", "")),
        plain(found.get("venue", "")),
        people,
        year=int(year) if year.isdigit() else 0,
    )


def best_threshold(same: Truth, scores: NDArray[np.float64]) -> tuple[float, float]:
    """The score above which pairs are best taken for one work, and the F1 with it."""
    order = np.argsort(-scores)
    true = np.cumsum(same[order])
    values = 200.0 * true / (np.arange(1, len(order) + 1) + same.sum())
    place = int(values.argmax())
    after = scores[order[place + 1]] if place + 1 < len(order) else scores[order[place]] - 1.0
    return float((scores[order[place]] + after) / 2), float(values[place])


def _parts(splits: Sequence[list[Pair]]) -> list[Part]:
    """The features of each split; how rare words are is counted over the records of all three."""
    views: dict[View, int] = {}
    sides = [[(view(pair.left), view(pair.right)) for pair in pairs] for pairs in splits]
    for pairs in sides:
        for both in pairs:
            for one in both:
                views.setdefault(one, len(views))
    table = Table(list(views))
    parts = []
    for pairs, split in zip(sides, splits, strict=True):
        left, right = (np.array([views[both[side]] for both in pairs], dtype=np.int64) for side in (0, 1))
        _, values = matrix(table, Pairs(left, right))
        parts.append(Part(values, np.array([pair.same for pair in split], dtype=np.bool_)))
    return parts


@benchmark("dblp-scholar", "Match or not on pairs of DBLP and Google Scholar, F1 (learnt matchers: 94 to 96)")
def dblp_scholar() -> Outcome:
    """F1 on the test pairs beside the published ones."""
    names = ("train", "dev", "test")
    splits = [[pair for pair in registry.load_records("matching", name) if isinstance(pair, Pair)] for name in names]
    train, dev, test = _parts(splits)
    tried = []
    for penalty in _PENALTIES:
        weights, bias = fit(train.values, train.same, replace(PairConfig(), penalty=penalty))
        threshold, value = best_threshold(dev.same, dev.values @ weights + bias)
        say(f"prior {penalty:g}: {value:.2f} on the validation pairs above {threshold:.2f}")
        tried.append((value, penalty, threshold, weights, bias))
    _, penalty, threshold, weights, bias = max(tried, key=lambda one: one[0])
    found = test.values @ weights + bias > threshold
    counts = np.column_stack([test.same & found, found, test.same])
    ours = f1_interval(counts)
    value, low, high = (100 * number for number in (ours.value, ours.low, ours.high))
    rows = [Result(f"test pairs, reference is {name}", "F1", known, value, low, high) for name, known in _PUBLISHED]
    data = (
        f"DBLP–Google Scholar, {len(test.same):,} test pairs; learnt from {len(train.same):,} pairs, the prior"
        f" ({penalty:g}) and the threshold set on {len(dev.same):,} others"
    )
    return data, rows
