"""The rows of the weights of all spans of a batch, by the compiled kernel where it has the feature.

`ibidem.features.segments` defines every feature of segments. The kernel has them by name and gives the same codes; a
feature that it does not have is computed by its definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem import inference
from ibidem.features import Batch, Lexicons
from ibidem.features.batch import TRAITS, SegmentBatch
from ibidem.features.registry import compute_codes
from ibidem.features.segments import SEGMENT, segment_codes, segment_sizes
from ibidem.kernels import compiled
from ibidem.types import IntArray


@dataclass(frozen=True, slots=True)
class SegmentTables:
    """What the kernel looks things up in, and the features that it does not have."""

    phrases: tuple[NDArray[Any], ...]  # the filter, the hashes of all sets, and the first hash of each
    column: IntArray  # [kernel's features] the column of each, -1 for one that is not wanted
    first: IntArray  # [kernel's features] the row of its code 0
    columns: int
    others: dict[str, tuple[int, int]]  # features that the kernel does not have: column and row of code 0

    @classmethod
    def build(cls, kernels: Any, lexicons: Lexicons) -> SegmentTables:
        """Build the tables for the features of segments with these lexicons."""
        sizes = segment_sizes(lexicons)
        place = dict(zip(sizes, enumerate(accumulate(sizes.values(), initial=0)), strict=False))
        known = dict(kernels.segment_features(list(lexicons.phrases)))
        have = {name: place[name] for name, size in known.items() if sizes.get(name) == size}
        hashes = [each.hashes for each in lexicons.phrases.values()]
        begin = np.cumsum([0, *map(len, hashes)], dtype=np.int64)
        return cls(
            (lexicons.phrase_filter(), np.concatenate([np.zeros(0, dtype=np.uint32), *hashes]), begin),
            np.array([have[name][0] if name in have else -1 for name in known], dtype=np.int32),
            np.array([have[name][1] if name in have else 0 for name in known], dtype=np.int32),
            len(sizes),
            {name: each for name, each in place.items() if name not in have},
        )


def segment_rows(
    batch: Batch, lengths: IntArray, longest: int, lexicons: Lexicons, tables: list[SegmentTables]
) -> IntArray:
    """Return the rows of every span of up to `longest` tokens, in the order of `inference.spans_of`.  # [M, F]

    `tables` keeps those of the kernel from one call to the next.
    """
    kernels = compiled()
    if kernels is None:
        return rows_of_segments(SegmentBatch(batch, *inference.spans_of(lengths, longest)), lexicons)
    if not tables:
        tables.append(SegmentTables.build(kernels, lexicons))
    kept = tables[0]
    traits = np.stack([getattr(batch, name) for name in TRAITS], axis=1).astype(np.int64, copy=False)
    rows: IntArray = kernels.segment_rows(
        lengths.astype(np.int32, copy=False),
        batch.space_before,
        traits,
        *kept.phrases,
        kept.column,
        kept.first,
        kept.columns,
        longest,
    )
    if kept.others:
        segments = SegmentBatch(batch, *inference.spans_of(lengths, longest))
        for name, codes in compute_codes(SEGMENT, segments, len(rows), lexicons, kept.others).items():
            column, first = kept.others[name]
            rows[:, column] = codes + first
    return rows


def rows_of_segments(segments: SegmentBatch, lexicons: Lexicons) -> IntArray:
    """Return the rows of some segments, by the definitions of the features.  # [M, F]"""
    sizes = list(segment_sizes(lexicons).values())
    return segment_codes(segments, lexicons) + (np.cumsum(sizes) - sizes).astype(np.int32)
