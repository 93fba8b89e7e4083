"""Features of a segment as a whole: its length, its make-up, its edges, whether a lexicon knows it.

They are for semi-Markov models, whose unit is the field and not the token. None of them is a sum over tokens, so they
are computed for every segment that a field might be. `SEGMENT` is the list; a new feature is a line in it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ibidem.features.batch import SegmentBatch, find_bins
from ibidem.features.chunks import MAKEUP, SEEN, fields_seen, find_cuts, makeup
from ibidem.features.lexicons import LONGEST_PHRASE, Lexicons
from ibidem.features.phrases import hash_runs_of_words
from ibidem.features.registry import Feature, FeatureFamily, FeatureList, compute_codes, compute_sizes
from ibidem.features.token_class import COUNT, NUMBER
from ibidem.types import IntArray

_LENGTHS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 23, 26, 30, 35, 40, 50, 65, 80)


def length(s: SegmentBatch) -> IntArray:
    """The number of tokens."""
    return find_bins(s.end - s.begin, _LENGTHS)


def brackets(s: SegmentBatch) -> IntArray:
    """No brackets, balanced ones, one not closed, one not opened; with whether brackets are at the edges."""
    opened, closed = s.count(s.batch.head == NUMBER["open"]), s.count(s.batch.tail == NUMBER["close"])
    balance = np.where(opened == closed, np.minimum(opened, 1), np.where(opened > closed, 2, 3))
    first, last = s.batch.head[s.begin] == NUMBER["open"], s.batch.tail[s.end - 1] == NUMBER["close"]
    return np.asarray((balance * 2 + first) * 2 + last, dtype=np.int32)


def quotes(s: SegmentBatch) -> IntArray:
    """No quotation marks, an even or an odd number of them; with whether they are at the edges."""
    head, tail = s.batch.head == NUMBER["quote"], s.batch.tail == NUMBER["quote"]
    count = s.count(head) + s.count(tail & (s.batch.token_class != NUMBER["quote"]))
    state = np.where(count == 0, 0, 1 + count % 2)
    return np.asarray((state * 2 + head[s.begin]) * 2 + tail[s.end - 1], dtype=np.int32)


def edges(s: SegmentBatch) -> IntArray:
    """The classes of its first and last tokens."""
    classes = s.batch.token_class.astype(np.int32)
    return np.asarray(classes[s.begin] * COUNT + classes[s.end - 1])


def surroundings(s: SegmentBatch) -> IntArray:
    """The classes of the tokens before and after it."""
    return np.asarray(s.before(s.batch.token_class) * COUNT + s.after(s.batch.token_class))


def junctions(s: SegmentBatch) -> IntArray:
    """The punctuation that ends the token before and the segment itself."""
    return np.asarray(s.before(s.batch.tail, COUNT - 1) * COUNT + s.batch.tail[s.end - 1], dtype=np.int32)


def _cuts(coarse: bool) -> Callable[[SegmentBatch], IntArray]:
    def code(s: SegmentBatch) -> IntArray:
        """Whether the rule-based segmenter cuts at its beginning and at its end, and how often inside."""
        cut = find_cuts(s.batch, coarse)
        begins, ends = cut[s.begin], s.after(cut.astype(np.int64), 1) > 0
        inside = np.minimum(s.count(cut) - begins, 3)
        return np.asarray((inside * 2 + begins) * 2 + ends, dtype=np.int32)

    return code


def position(s: SegmentBatch) -> IntArray:
    """Whether it begins or ends the string, and whether it begins in the first half."""
    where, total = s.batch.position[s.begin], s.batch.lengths[s.batch.string[s.begin]]
    ends = where + (s.end - s.begin) == total
    half = where * 2 < total
    return np.asarray((np.minimum(where, 1) * 2 + ends) * 2 + half, dtype=np.int32)


def numbers(s: SegmentBatch) -> IntArray:
    """The number of years, and the share of its words that are numbers."""
    classes = s.batch.token_class
    years = np.minimum(s.count(classes == NUMBER["year"]), 2)
    digits, words = s.count((classes >= NUMBER["year"]) & (classes <= NUMBER["code"])), s.count(s.batch.wordlike)
    share = (digits > 0).astype(np.int32) + (digits * 2 > words) + ((digits == words) & (words > 0))
    return np.asarray(years * 4 + share, dtype=np.int32)


def _phrases(s: SegmentBatch, lexicons: Lexicons) -> dict[str, IntArray]:
    """The number of words of a segment that a lexicon knows as a whole, punctuation aside; else 0."""
    words = np.flatnonzero(s.batch.wordlike)
    hashes, start, size = hash_runs_of_words(s.batch, words)
    before = np.zeros(len(s.batch.token_class) + 1, dtype=np.int32)
    np.cumsum(s.batch.wordlike, out=before[1:])
    first, count = before[s.begin], before[s.end] - before[s.begin]
    short = np.flatnonzero((count > 0) & (count <= LONGEST_PHRASE))
    found: dict[str, IntArray] = {}
    for name, known in lexicons.phrases_among(hashes).items():
        table = np.zeros((len(words) + 1, LONGEST_PHRASE + 1), dtype=np.bool_)
        table[start[known], size[known]] = True
        codes = np.zeros(len(first), dtype=np.int32)
        codes[short] = np.where(table[first[short], count[short]], count[short], 0)
        found[name] = codes
    return found


# one line per feature: its name, its number of codes, the function of the segments that computes them
SEGMENT: FeatureList[SegmentBatch] = [
    Feature("length", len(_LENGTHS) + 1, length),
    Feature("makeup", MAKEUP, makeup),
    Feature("seen", SEEN, fields_seen),
    Feature("brackets", 16, brackets),
    Feature("quotes", 12, quotes),
    Feature("edges", COUNT * COUNT, edges),
    Feature("surroundings", COUNT * COUNT, surroundings),
    Feature("junctions", COUNT * COUNT, junctions),
    Feature("fine-cuts", 16, _cuts(False)),
    Feature("coarse-cuts", 16, _cuts(True)),
    Feature("place", 8, position),
    Feature("numbers", 12, numbers),
    FeatureFamily("phrase/", lambda lexicons: dict.fromkeys(lexicons.phrases, LONGEST_PHRASE + 1), _phrases),
]


def segment_sizes(lexicons: Lexicons) -> dict[str, int]:
    """Return the number of codes of every feature of segments, by name."""
    return compute_sizes(SEGMENT, lexicons)


def segment_codes(segments: SegmentBatch, lexicons: Lexicons) -> IntArray:
    """Return the codes of every feature of each segment, in the order of `segment_sizes`.  # [M, F]"""
    found = compute_codes(SEGMENT, segments, len(segments.begin), lexicons)
    return np.stack(list(found.values()), axis=1).astype(np.int32, copy=False)
