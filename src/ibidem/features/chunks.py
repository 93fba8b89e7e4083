"""The rule-based segmenter of Anzaroot 2014, section 7: punctuation and telling words cut a string into chunks.

Two cuts are made: a fine one (every comma counts) and a coarse one (full stops, quotes, colons and telling words).
The models see where a chunk begins, which chunk it is, and what the chunk and its neighbours are made of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch, Codes, SegmentBatch, find_bins
from ibidem.features.lexicons import CONTAINER, FAMILY, GIVEN, TITLE, Lexicons
from ibidem.features.neighbours import hash_codes
from ibidem.features.token_class import NUMBER
from ibidem.types import IntArray

MAKEUP = 5 * 2 * 2 * 3
SEEN = 3**3
_CAPITALS = [NUMBER[name] for name in ("capitalised", "upper", "initial")]
_TELLING = [NUMBER[name] for name in ("in", "page", "volume", "issue", "editor", "work")]
_WORD_BITS = 15
_WORDS = 1 << _WORD_BITS
_SIZES = {
    "inside": 4 * 4,
    "rank": 10 * 5,
    "makeup": MAKEUP,
    "makeup-before": MAKEUP + 1,
    "makeup-after": MAKEUP + 1,
    "makeup-rank": MAKEUP * 6,
    "seen": SEEN,
    "seen-before": SEEN + 1,
    "seen-after": SEEN + 1,
    "seen-rank": SEEN * 6,
    "first-word": _WORDS,
    "last-word": _WORDS,
    "first-word-after": _WORDS,
}


def find_cuts(batch: Batch, coarse: bool) -> NDArray[np.bool_]:
    """Return which tokens begin a chunk.  # [N]"""
    tail = batch.shift(batch.tail, -1)
    two_before = batch.shift(batch.token_class, -2)
    one_before = batch.shift(batch.token_class, -1)
    # a full stop after an initial or glued to what follows ends no chunk
    initial = (two_before == NUMBER["initial"]) | (one_before == NUMBER["initial"])
    stop = (tail == NUMBER["stop"]) & ~initial & batch.space_before
    quote = ((batch.head == NUMBER["quote"]) & batch.space_before) | ((tail == NUMBER["quote"]) & batch.space_before)
    cut: NDArray[np.bool_] = (
        stop | quote | (tail == NUMBER["colon"]) | np.isin(batch.token_class, _TELLING) | (batch.position == 0)
    )
    if not coarse:
        marks = ("comma", "semicolon", "close")
        cut |= np.isin(tail, [NUMBER[name] for name in marks]) | (batch.head == NUMBER["open"])
    return cut


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of every string of a batch; a token's chunk is `of[token]`."""

    of: Codes  # [N]
    start: Codes  # [P] first token
    size: Codes  # [P]
    string: Codes  # [P]
    rank: Codes  # [P] number among the chunks of its string
    ranks: Codes  # [P] number of chunks of its string


def find_chunks(batch: Batch, coarse: bool) -> Chunks:
    """Return the chunks between the cuts."""
    cut = find_cuts(batch, coarse)
    start = np.flatnonzero(cut)
    of = np.cumsum(cut) - 1
    string = batch.string[start].astype(np.int64)
    counts = np.bincount(string, minlength=len(batch.lengths))
    rank = np.arange(len(start)) - (np.cumsum(counts) - counts)[string]
    return Chunks(of, start, np.diff(np.append(start, len(cut))), string, rank, counts[string])


def makeup(s: SegmentBatch) -> IntArray:
    """The number of words, whether there are numbers and initials, and the share of capitals, as one code."""
    classes = s.batch.token_class
    words = np.maximum(s.count(s.batch.wordlike), 1)
    capitals = s.count(np.isin(classes, _CAPITALS))
    digits = s.count((classes >= NUMBER["year"]) & (classes <= NUMBER["code"])) > 0
    initials = s.count(classes == NUMBER["initial"]) > 0
    share = (capitals * 100 >= words * 34).astype(np.int32) + (capitals * 10 >= words * 9)
    return np.asarray(((find_bins(words, (2, 3, 5, 9)) * 2 + digits) * 2 + initials) * 3 + share, dtype=np.int32)


def fields_seen(s: SegmentBatch) -> IntArray:
    """In which fields its words are usually seen: shares for titles, containers and names."""
    known = np.maximum(s.count(s.batch.statistics > 0), 1)
    code = np.zeros(len(known), dtype=np.int32)
    for bits in (TITLE, CONTAINER, FAMILY | GIVEN):
        share = s.count((s.batch.statistics & bits) > 0)
        code = code * 3 + (share * 4 >= known) + (share * 4 >= known * 3)
    return code


def _neighbour(values: IntArray | Codes, found: Chunks, offset: int, fill: int) -> Codes:
    index = np.arange(len(values)) + offset
    inside = (index >= 0) & (index < len(values))
    safe = np.where(inside, index, 0)
    inside &= found.string[safe] == found.string
    return np.where(inside, values[safe], fill)


def sizes(_lexicons: Lexicons) -> dict[str, int]:
    """Return the numbers of codes, by name."""
    return _SIZES


def compute_fine(batch: Batch, _lexicons: Lexicons) -> dict[str, Codes]:
    """Return the codes of the features of the fine chunks, by name.  # [N] each"""
    return _compute(batch, coarse=False)


def compute_coarse(batch: Batch, _lexicons: Lexicons) -> dict[str, Codes]:
    """Return the codes of the features of the coarse chunks, by name.  # [N] each"""
    return _compute(batch, coarse=True)


def _compute(batch: Batch, coarse: bool) -> dict[str, Codes]:
    found = find_chunks(batch, coarse)
    segments = SegmentBatch(batch, found.start, found.start + found.size)
    made, seen, rank = makeup(segments), fields_seen(segments), np.minimum(found.rank, 5)
    first = batch.word[found.start]
    end = found.start + found.size - 1
    before_end = np.maximum(end - 1, batch.first[found.string])  # never in the string before
    last = batch.word[np.where(batch.wordlike[end], end, before_end)]
    of_chunks = {
        "rank": np.minimum(found.rank, 9) * 5 + np.minimum(found.ranks - 1 - found.rank, 4),
        "makeup": made,
        "makeup-before": _neighbour(made, found, -1, MAKEUP),
        "makeup-after": _neighbour(made, found, 1, MAKEUP),
        "makeup-rank": made * 6 + rank,
        "seen": seen,
        "seen-before": _neighbour(seen, found, -1, SEEN),
        "seen-after": _neighbour(seen, found, 1, SEEN),
        "seen-rank": seen * 6 + rank,
        "first-word": hash_codes(first, bits=_WORD_BITS),
        "last-word": hash_codes(last, bits=_WORD_BITS),
        "first-word-after": hash_codes(_neighbour(first, found, 1, 0), bits=_WORD_BITS),
    }
    inside = np.arange(len(found.of)) - found.start[found.of]
    left = found.size[found.of] - 1 - inside
    of_tokens = {"inside": np.minimum(inside, 3) * 4 + np.minimum(left, 3)}
    return of_tokens | {name: codes[found.of] for name, codes in of_chunks.items()}
