"""The features of a pair: the measures, their steps above some heights, and conjunctions of two of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ibidem.coref.blocking import Pairs
from ibidem.coref.similarity import measures
from ibidem.coref.table import Table
from ibidem.coref.vectors import Floats

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


def features(table: Table, pairs: Pairs) -> tuple[list[str], Floats]:
    """The names of the features and their values.  # [pairs, features]"""
    found = dict(measures(table, pairs.left, pairs.right))
    names, columns = list(found), list(found.values())
    for name in _STEPPED:
        for height in _STEPS:
            names.append(f"{name}>{height}")
            columns.append(np.maximum(found[name] - np.float32(height), 0))
    for one, other in combinations(_JOINED, 2):
        names.append(f"{one}*{other}")
        columns.append(found[one] * found[other])
    return names, np.column_stack(columns).astype(np.float32)


def in_blocks(pairs: Pairs, size: int = BLOCK) -> Iterator[Pairs]:
    """The pairs in blocks, in order."""
    for begin in range(0, len(pairs), size):
        yield Pairs(pairs.left[begin : begin + size], pairs.right[begin : begin + size])
