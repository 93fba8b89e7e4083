"""The rule-based segmenter of Anzaroot 2014, section 7: punctuation and telling words cut a string into pieces.

Two cuts are made: a fine one (every comma counts) and a coarse one (full stops, quotes, colons and telling words).
The models see where a piece begins, which piece it is, and what the piece and its neighbours are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch
from ibidem.features.kind import NUMBER
from ibidem.features.lexicons import CONTAINER, FAMILY, GIVEN, TITLE
from ibidem.features.neighbours import mixed

Codes = NDArray[np.int64]
MAKEUP = 5 * 2 * 2 * 3
_TELLING = [NUMBER[name] for name in ("in", "page", "volume", "issue", "editor", "work")]
_WORD_BITS = 15


def cuts(batch: Batch, coarse: bool) -> NDArray[np.bool_]:
    """Which tokens begin a piece.  # [N]"""
    tail = batch.shifted(batch.tail, -1)
    before_tail = batch.shifted(batch.kind, -2)
    kind_before = batch.shifted(batch.kind, -1)
    # a full stop after an initial or glued to what follows ends no piece
    initial = (before_tail == NUMBER["initial"]) | (kind_before == NUMBER["initial"])
    stop = (tail == NUMBER["stop"]) & ~initial & batch.blank
    quote = ((batch.head == NUMBER["quote"]) & batch.blank) | ((tail == NUMBER["quote"]) & batch.blank)
    cut: NDArray[np.bool_] = (
        stop | quote | (tail == NUMBER["colon"]) | np.isin(batch.kind, _TELLING) | (batch.place == 0)
    )
    if not coarse:
        marks = ("comma", "semicolon", "close")
        cut |= np.isin(tail, [NUMBER[name] for name in marks]) | (batch.head == NUMBER["open"])
    return cut


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of every string of a batch; a token's piece is `of[token]`."""

    of: Codes  # [N]
    start: Codes  # [P] first token
    size: Codes  # [P]
    string: Codes  # [P]
    rank: Codes  # [P] place among the pieces of its string
    ranks: Codes  # [P] number of pieces of its string


def pieces(batch: Batch, coarse: bool) -> Pieces:
    """The pieces between the cuts."""
    cut = cuts(batch, coarse)
    start = np.flatnonzero(cut)
    of = np.cumsum(cut) - 1
    string = batch.string[start].astype(np.int64)
    counts = np.bincount(string, minlength=len(batch.lengths))
    rank = np.arange(len(start)) - (np.cumsum(counts) - counts)[string]
    return Pieces(of, start, np.diff(np.append(start, len(cut))), string, rank, counts[string])


def _sum(values: NDArray[np.bool_], found: Pieces) -> Codes:
    return np.bincount(found.of, weights=values, minlength=len(found.start)).astype(np.int64)


def makeup(batch: Batch, found: Pieces) -> Codes:
    """What each piece is made of: its size, numbers, initials and share of capitals, as one code.  # [P]"""
    words = np.maximum(_sum(batch.wordlike, found), 1)
    capitals = _sum(np.isin(batch.kind, [NUMBER["capitalised"], NUMBER["upper"], NUMBER["initial"]]), found)
    digits = _sum((batch.kind >= NUMBER["year"]) & (batch.kind <= NUMBER["code"]), found) > 0
    initials = _sum(batch.kind == NUMBER["initial"], found) > 0
    size = np.digitize(words, (2, 3, 5, 9))
    share = np.digitize(capitals / words, (0.34, 0.9))
    return ((size * 2 + digits) * 2 + initials) * 3 + share


def fields_seen(batch: Batch, found: Pieces) -> Codes:
    """In which fields the words of a piece are usually seen: shares for titles, containers and names.  # [P]"""
    known = np.maximum(_sum(batch.statistics > 0, found), 1)
    code = np.zeros(len(found.start), dtype=np.int64)
    for bits in (TITLE, CONTAINER, FAMILY | GIVEN):
        share = _sum((batch.statistics & bits) > 0, found) / known
        code = code * 3 + np.digitize(share, (0.25, 0.75))
    return code


def _neighbour(values: Codes, found: Pieces, offset: int, fill: int) -> Codes:
    index = np.arange(len(values)) + offset
    inside = (index >= 0) & (index < len(values))
    safe = np.where(inside, index, 0)
    inside &= found.string[safe] == found.string
    return np.where(inside, values[safe], fill)


def segment_features(batch: Batch, coarse: bool) -> dict[str, tuple[int, Codes]]:
    """Codes of the features of one segmentation, by name, each with its number of codes."""
    found = pieces(batch, coarse)
    made, seen = makeup(batch, found), fields_seen(batch, found)
    inside = np.arange(len(found.of)) - found.start[found.of]
    left = found.size[found.of] - 1 - inside
    spread: Callable[[Codes], Codes] = lambda values: values[found.of]  # noqa: E731
    first = batch.word[found.start]
    end = found.start + found.size - 1
    before_end = np.maximum(end - 1, batch.first[found.string])  # never in the string before
    tail = batch.word[np.where(batch.wordlike[end], end, before_end)]
    return {
        "inside": (16, np.minimum(inside, 3) * 4 + np.minimum(left, 3)),
        "rank": (10 * 5, spread(np.minimum(found.rank, 9) * 5 + np.minimum(found.ranks - 1 - found.rank, 4))),
        "makeup": (MAKEUP, spread(made)),
        "makeup-before": (MAKEUP + 1, spread(_neighbour(made, found, -1, MAKEUP))),
        "makeup-after": (MAKEUP + 1, spread(_neighbour(made, found, 1, MAKEUP))),
        "makeup-rank": (MAKEUP * 6, spread(made * 6 + np.minimum(found.rank, 5))),
        "seen": (27, spread(seen)),
        "seen-before": (28, spread(_neighbour(seen, found, -1, 27))),
        "seen-after": (28, spread(_neighbour(seen, found, 1, 27))),
        "seen-rank": (27 * 6, spread(seen * 6 + np.minimum(found.rank, 5))),
        "first-word": (1 << _WORD_BITS, spread(mixed(first, bits=_WORD_BITS))),
        "last-word": (1 << _WORD_BITS, spread(mixed(tail, bits=_WORD_BITS))),
        "first-word-after": (
            1 << _WORD_BITS,
            spread(mixed(_neighbour(first, found, 1, 0), bits=_WORD_BITS)),
        ),
    }
