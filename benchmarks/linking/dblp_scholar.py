"""Pairwise matching of records of DBLP and Google Scholar, a benchmark of entity matching.

The pairs are given, so blocking and clustering play no part: a logistic regression over the similarity features of
linking, trained on the training pairs, decides on each pair alone. The prior and the threshold are chosen on the
validation pairs.
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
from ibidem.linking.comparison import ComparisonFields, Person, plain
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats
from ibidem.metrics.significance import bootstrap_f1
from tools.weights.matcher_training import PairConfig, feature_matrix, fit

GoldStrings = NDArray[np.bool_]

_ENTITY = re.compile(r"&\s*#?\w+\s*;")  # & hellip ; is how Scholar cuts a long name short
_PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0)
_PUBLISHED = (("DeepMatcher", 94.7), ("Ditto", 95.6))
"""F1 of neural matchers on these test pairs (SIGMOD 2018; PVLDB 14), which had more pairs to train on."""


@dataclass(frozen=True, slots=True)
class Part:
    """Features of the pairs of a split, and whether each is a match."""

    values: Floats
    same: GoldStrings


def person(name: str) -> Person:
    """Return the family name and the first initial of a name written with the initials first.

    >>> person("h garcia-molina")
    ('garcia molina', 'h')
    """
    given, _, family = name.strip().rpartition(" ")
    return plain(family), plain(given)[:1]


def view(row: dict[str, str]) -> ComparisonFields:
    """Return what is compared of a record: title, authors, venue and year."""
    found = {name: _ENTITY.sub(" ", text) for name, text in row.items()}
    year = found.get("year", "").partition(".")[0]
    people = tuple(person(name) for name in found.get("authors", "").split(" , ") if name.strip())
    return ComparisonFields(
        plain(" ".join(found.get(name, "") for name in ("authors", "title", "venue")) + f" {year}"),
        plain(found.get("title", "")),
        plain(found.get("venue", "")),
        people,
        year=int(year) if year.isdigit() else 0,
    )


def best_threshold(same: GoldStrings, scores: NDArray[np.float64]) -> tuple[float, float]:
    """Return the threshold with the highest F1, and that F1."""
    order = np.argsort(-scores)
    true = np.cumsum(same[order])
    values = 200.0 * true / (np.arange(1, len(order) + 1) + same.sum())
    place = int(values.argmax())
    after = scores[order[place + 1]] if place + 1 < len(order) else scores[order[place]] - 1.0
    return float((scores[order[place]] + after) / 2), float(values[place])


def _parts(splits: Sequence[list[Pair]]) -> list[Part]:
    """Return the features of each split; document frequencies are counted over the records of all three."""
    views: dict[ComparisonFields, int] = {}
    sides = [[(view(pair.left), view(pair.right)) for pair in pairs] for pairs in splits]
    for pairs in sides:
        for both in pairs:
            for one in both:
                views.setdefault(one, len(views))
    table = Table(list(views))
    parts = []
    for pairs, split in zip(sides, splits, strict=True):
        left, right = (np.array([views[both[side]] for both in pairs], dtype=np.int64) for side in (0, 1))
        _, values = feature_matrix(table, Pairs(left, right))
        parts.append(Part(values, np.array([pair.same for pair in split], dtype=np.bool_)))
    return parts


@benchmark(
    "dblp-scholar",
    "Matching of pairs of DBLP and Google Scholar, F1 (neural matchers: 94 to 96)",
    reference="Mudgal et al. 2018 (DeepMatcher), Li et al. 2020 (Ditto), on the same test pairs",
)
def dblp_scholar() -> Outcome:
    """Compare the F1 on the test pairs with the published ones."""
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
    ours = bootstrap_f1(counts)
    value, low, high = (100 * number for number in (ours.value, ours.low, ours.high))
    rows = [Result(f"test pairs, reference is {name}", "F1", known, value, low, high) for name, known in _PUBLISHED]
    data = (
        f"DBLP–Google Scholar, {len(test.same):,} test pairs; trained on {len(train.same):,} pairs, the prior"
        f" ({penalty:g}) and the threshold chosen on {len(dev.same):,} others"
    )
    return data, rows
