"""The features of a pair: the measures, their steps above some heights, and conjunctions of two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np

from ibidem.linking.blocking import Pairs
from ibidem.linking.joint.nbest import averaged, in_bounds, spread_out
from ibidem.linking.similarity import measures, measures_of_ways
from ibidem.linking.table import Table
from ibidem.linking.vectors import Floats

BLOCK = 20_000
"""Pairs whose features are held at a time."""

_STEPS = (0.5, 0.75, 0.9)
_STEPPED = (
    "whole.edit whole.set whole.words whole.within whole.grams title.edit title.soft title.within title.grams "
    "author.shared author.all author.order"
).split()
_JOINED = (
    "whole.words whole.within whole.numbers whole.year.same whole.year.other whole.first title.edit title.soft "
    "author.shared author.first author.initials venue.short year.same year.other first.same first.other volume.same "
    "volume.other kind.other"
).split()

_HEIGHTS = [(name, height) for name in _STEPPED for height in _STEPS]
_TWO = list(combinations(_JOINED, 2))


def features(table: Table, pairs: Pairs) -> tuple[list[str], Floats]:
    """The names of the features and their values, means over the readings.  # [pairs, features]"""
    if table.readings is None:
        return joined(dict(measures(table, pairs.left, pairs.right)))
    ways, begin, chance = table.every_reading
    names: list[str] = []
    rows = []
    for part in in_bounds(begin, pairs.left, pairs.right, BLOCK):
        pair, one, other = spread_out(begin, pairs.left[part], pairs.right[part])
        names, values = joined(dict(measures_of_ways(ways, one, other)))
        rows.append(averaged(values, chance[one] * chance[other], pair))
    return (names, np.concatenate(rows)) if rows else joined(dict(measures(ways, pairs.left, pairs.right)))


def joined(found: Mapping[str, Floats]) -> tuple[list[str], Floats]:
    """The features that measures make, and their values.  # [pairs, features]"""
    names = [*found, *(f"{name}>{height}" for name, height in _HEIGHTS), *(f"{one}*{other}" for one, other in _TWO)]
    count = len(next(iter(found.values())))
    rows = np.empty((len(names), count), dtype=np.float32)  # one feature after the other: written and read in order
    place = iter(rows)
    for values, row in zip(found.values(), place, strict=False):
        row[:] = values
    for (name, height), row in zip(_HEIGHTS, place, strict=False):
        np.maximum(found[name] - np.float32(height), 0, out=row)
    for (one, other), row in zip(_TWO, place, strict=True):
        np.multiply(found[one], found[other], out=row)
    return names, rows.T


def in_blocks(pairs: Pairs, size: int = BLOCK) -> Iterator[Pairs]:
    """The pairs in blocks, in order."""
    for begin in range(0, len(pairs), size):
        yield Pairs(pairs.left[begin : begin + size], pairs.right[begin : begin + size])
