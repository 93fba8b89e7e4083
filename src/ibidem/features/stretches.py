"""What can be said of a stretch of tokens as a whole: its length, its make-up, its edges, whether a lexicon knows it.

These features are for models whose unit is the field and not the token. None of them is a sum over tokens, so they are
worked out for every stretch that a field might be; `STRETCH` is the list. Add a feature there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.features.batch import Batch
from ibidem.features.kind import COUNT, NUMBER
from ibidem.features.lexicons import CONTAINER, FAMILY, GIVEN, LONGEST_PHRASE, TITLE, Lexicons
from ibidem.features.phrases import runs_of_words
from ibidem.features.segments import MAKEUP, cuts

Codes = NDArray[np.int32]
_LENGTHS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 23, 26, 30, 35, 40, 50, 65, 80)
_CAPITALS = [NUMBER[name] for name in ("capitalised", "upper", "initial")]


@dataclass(frozen=True, slots=True)
class Stretches:
    """Some stretches of the tokens of a batch, each within one string."""

    batch: Batch
    begin: NDArray[np.intp]  # [M] first token
    end: NDArray[np.intp]  # [M] last token + 1

    def count(self, flags: NDArray[np.bool_]) -> Codes:
        """How many flagged tokens each stretch has.  # [M]"""
        running = np.zeros(len(flags) + 1, dtype=np.int32)
        np.cumsum(flags, out=running[1:])
        found: Codes = running[self.end] - running[self.begin]
        return found

    def before(self, values: NDArray[np.int64], fill: int = 0) -> Codes:
        """What the token before each stretch has, `fill` at the start of a string.  # [M]"""
        found = np.concatenate([[fill], values]).astype(np.int32)[self.begin]
        return np.where(self.batch.place[self.begin] == 0, np.int32(fill), found)

    def after(self, values: NDArray[np.int64], fill: int = 0) -> Codes:
        """What the token after each stretch has, `fill` at the end of a string.  # [M]"""
        last = self.batch.origin[self.begin] + self.batch.lengths[self.batch.string[self.begin]]
        found = np.concatenate([values, [fill]]).astype(np.int32)[self.end]
        return np.where(self.end == last, np.int32(fill), found)


def _binned(values: NDArray[np.integer], edges: tuple[int, ...], most: int) -> Codes:
    """The bin of each value; a table is quicker than a search."""
    bins = np.digitize(np.arange(most + 1), edges).astype(np.int32)
    return np.asarray(bins[np.minimum(values, most)])


def length(s: Stretches) -> Codes:
    """How many tokens there are."""
    return _binned(s.end - s.begin, _LENGTHS, 80)


def makeup(s: Stretches) -> Codes:
    """How many words, whether there are numbers and initials, and the share of capitals."""
    kind = s.batch.kind
    words = np.maximum(s.count(s.batch.wordlike), 1)
    capitals = s.count(np.isin(kind, _CAPITALS))
    digits = s.count((kind >= NUMBER["year"]) & (kind <= NUMBER["code"])) > 0
    initials = s.count(kind == NUMBER["initial"]) > 0
    share = (capitals * 100 >= words * 34).astype(np.int32) + (capitals * 10 >= words * 9)
    return np.asarray(((_binned(words, (2, 3, 5, 9), 9) * 2 + digits) * 2 + initials) * 3 + share, dtype=np.int32)


def fields_seen(s: Stretches) -> Codes:
    """In which fields its words are usually seen: shares for titles, containers and names."""
    known = np.maximum(s.count(s.batch.statistics > 0), 1)
    code = np.zeros(len(known), dtype=np.int32)
    for bits in (TITLE, CONTAINER, FAMILY | GIVEN):
        share = s.count((s.batch.statistics & bits) > 0)
        code = code * 3 + (share * 4 >= known) + (share * 4 >= known * 3)
    return code


def brackets(s: Stretches) -> Codes:
    """No brackets, balanced ones, one that is not closed, one that is not opened; with what the edges are."""
    opened, closed = s.count(s.batch.head == NUMBER["open"]), s.count(s.batch.tail == NUMBER["close"])
    balance = np.where(opened == closed, np.minimum(opened, 1), np.where(opened > closed, 2, 3))
    first, last = s.batch.head[s.begin] == NUMBER["open"], s.batch.tail[s.end - 1] == NUMBER["close"]
    return np.asarray((balance * 2 + first) * 2 + last, dtype=np.int32)


def quotes(s: Stretches) -> Codes:
    """No quotation marks, an even or an odd number of them; with whether they stand at the edges."""
    head, tail = s.batch.head == NUMBER["quote"], s.batch.tail == NUMBER["quote"]
    many = s.count(head) + s.count(tail & (s.batch.kind != NUMBER["quote"]))
    state = np.where(many == 0, 0, 1 + many % 2)
    return np.asarray((state * 2 + head[s.begin]) * 2 + tail[s.end - 1], dtype=np.int32)


def edges(s: Stretches) -> Codes:
    """The kinds of its first and last tokens."""
    kind = s.batch.kind.astype(np.int32)
    return np.asarray(kind[s.begin] * COUNT + kind[s.end - 1])


def surroundings(s: Stretches) -> Codes:
    """The kinds of the tokens before and after it."""
    return np.asarray(s.before(s.batch.kind) * COUNT + s.after(s.batch.kind))


def junctions(s: Stretches) -> Codes:
    """What the token before ends with and what the stretch itself ends with."""
    return np.asarray(s.before(s.batch.tail, COUNT - 1) * COUNT + s.batch.tail[s.end - 1], dtype=np.int32)


def _cut(coarse: bool) -> Callable[[Stretches], Codes]:
    def code(s: Stretches) -> Codes:
        """Whether the rule-based segmenter cuts at its beginning and at its end, and how often inside."""
        cut = cuts(s.batch, coarse)
        begins, ends = cut[s.begin], s.after(cut.astype(np.int64), 1) > 0
        inside = np.minimum(s.count(cut) - begins, 3)
        return np.asarray((inside * 2 + begins) * 2 + ends, dtype=np.int32)

    return code


def place(s: Stretches) -> Codes:
    """Whether it begins or ends the string, and whether it stands in the first half of it."""
    where, total = s.batch.place[s.begin], s.batch.lengths[s.batch.string[s.begin]]
    ends = where + (s.end - s.begin) == total
    half = where * 2 < total
    return np.asarray((np.minimum(where, 1) * 2 + ends) * 2 + half, dtype=np.int32)


def numbers(s: Stretches) -> Codes:
    """How many years it has, and the share of its words that are numbers."""
    kind = s.batch.kind
    years = np.minimum(s.count(kind == NUMBER["year"]), 2)
    digits, words = s.count((kind >= NUMBER["year"]) & (kind <= NUMBER["code"])), s.count(s.batch.wordlike)
    share = (digits > 0).astype(np.int32) + (digits * 2 > words) + ((digits == words) & (words > 0))
    return np.asarray(years * 4 + share, dtype=np.int32)


# name, number of codes, function of the stretches: one line per feature
STRETCH: list[tuple[str, int, Callable[[Stretches], Codes]]] = [
    ("length", len(_LENGTHS) + 1, length),
    ("makeup", MAKEUP, makeup),
    ("seen", 27, fields_seen),
    ("brackets", 16, brackets),
    ("quotes", 12, quotes),
    ("edges", COUNT * COUNT, edges),
    ("surroundings", COUNT * COUNT, surroundings),
    ("junctions", COUNT * COUNT, junctions),
    ("fine-cuts", 16, _cut(False)),
    ("coarse-cuts", 16, _cut(True)),
    ("place", 8, place),
    ("numbers", 12, numbers),
]
_PHRASE = LONGEST_PHRASE + 1


def stretch_sizes(lexicons: Lexicons) -> dict[str, int]:
    """The number of codes of every feature of stretches, by name; those of the phrase lexicons come last."""
    return {name: size for name, size, _ in STRETCH} | {f"phrase/{name}": _PHRASE for name in lexicons.phrases}


def stretch_codes(stretches: Stretches, lexicons: Lexicons) -> Codes:
    """The codes of every feature of each stretch, in the order of `stretch_sizes`.  # [M, F]"""
    found = [compute(stretches) for _, _, compute in STRETCH]
    found += _phrases(stretches, lexicons)
    return np.stack(found, axis=1).astype(np.int32, copy=False)


def _phrases(s: Stretches, lexicons: Lexicons) -> list[Codes]:
    """For each lexicon the number of words where it knows the stretch as a whole, punctuation set aside; else 0."""
    words = np.flatnonzero(s.batch.wordlike)
    prints, start, size = runs_of_words(s.batch, words)
    before = np.zeros(len(s.batch.kind) + 1, dtype=np.int32)
    np.cumsum(s.batch.wordlike, out=before[1:])
    first, many = before[s.begin], before[s.end] - before[s.begin]
    short = np.flatnonzero((many > 0) & (many <= LONGEST_PHRASE))
    found = []
    for known in lexicons.phrases_among(prints).values():
        table = np.zeros((len(words) + 1, LONGEST_PHRASE + 1), dtype=np.bool_)
        table[start[known], size[known]] = True
        codes = np.zeros(len(first), dtype=np.int32)
        codes[short] = np.where(table[first[short], many[short]], many[short], 0)
        found.append(codes)
    return found
