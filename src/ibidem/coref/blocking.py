"""Which pairs are worth comparing: those that share a key of some kind. Memory grows with the references, not pairs.

Keys are made of rare words, of the first author with the year, of the first page with the volume, and of sketches of
the characters of the title, so that a slip in one of them leaves the others (several passes, as in Hernández & Stolfo
1995; sketches by min-hashing, Broder 1997). A key that very many references share makes pairs of neighbours only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.coref.table import Table
from ibidem.coref.vectors import Ints, runs
from ibidem.text.fold import fingerprint

Keys = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class BlockingConfig:
    """How many keys of each kind a reference has, and how many pairs may come of them."""

    rare_words: int = 6  # of the whole string, the rarest
    bands: int = 5  # of the sketch of the title
    rows: int = 2  # numbers that must agree in a band
    budget: int = 40  # pairs that a reference may bring, on average
    free: int = 100_000  # pairs that are no matter: where there are no more, one key is enough
    window: int = 5  # neighbours that a reference is paired with where too many share its key
    sure: int = 3  # references that may share a key for that one key to be enough; of more, two must agree


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of rows, each once, `left` before `right`, in order."""

    left: Ints
    right: Ints

    def __len__(self) -> int:
        return len(self.left)


def candidates(table: Table, config: BlockingConfig | None = None) -> Pairs:
    """The pairs that are worth comparing."""
    chosen = config or BlockingConfig()
    count = len(table)
    if count < 2:
        return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    keys, rows = _every_key(table, chosen)
    return _paired(keys, rows, count, chosen)


def recall(pairs: Pairs, works: Ints) -> float:
    """The share of all pairs of rows of one work that are among `pairs`; of none, all are."""
    sizes = np.bincount(works)
    every = int((sizes * (sizes - 1) // 2).sum())
    return float((works[pairs.left] == works[pairs.right]).sum()) / every if every else 1.0


def shared_keys(table: Table, one: int, other: int, config: BlockingConfig | None = None) -> list[str]:
    """The kinds of keys that two rows share, a word each."""
    found = []
    for kind, keys, rows in _kinds(table, config or BlockingConfig()):
        if np.intersect1d(keys[rows == one], keys[rows == other]).size:
            found.append(kind)
    return found


def _every_key(table: Table, config: BlockingConfig) -> tuple[Keys, Ints]:
    found = list(_kinds(table, config))
    return np.concatenate([keys for _, keys, _ in found]), np.concatenate([rows for _, _, rows in found])


def _kinds(table: Table, config: BlockingConfig) -> Iterator[tuple[str, Keys, Ints]]:
    """The keys of every kind with the rows that have them."""
    yield "rare word", *_rare_words(table, config.rare_words)
    dated = [
        f"{name} {view.year}" if name and view.year else ""
        for name, view in zip(table.first_names, table.views, strict=True)
    ]
    yield "author and year", *_texts("y", dated)
    paged = [f"{view.first} {view.volume}" if view.first and view.volume else "" for view in table.views]
    yield "page and volume", *_texts("p", paged)
    yield "identifier", *_many("i", [view.identifiers for view in table.views])
    yield "sketch", *_sketches(table.titles, config.bands, config.rows)
    # a whole string has much that differs where the work is the same, so a single number of its sketch must do
    yield "sketch", *_sketches(["" if view.title else view.text for view in table.views], 2 * config.bands, 1)


def _texts(salt: str, texts: list[str]) -> tuple[Keys, Ints]:
    return _many(salt, [(text,) if text else () for text in texts])


def _many(salt: str, texts: list[tuple[str, ...]]) -> tuple[Keys, Ints]:
    found = [(_key(salt, text), row) for row, each in enumerate(texts) for text in each]
    keys = np.array([key for key, _ in found], dtype=np.uint64)
    return keys, np.array([row for _, row in found], dtype=np.int64)


def _key(salt: str, text: str) -> int:
    return (fingerprint(salt + text) << 32) | fingerprint(text + salt)


def _rare_words(table: Table, each: int) -> tuple[Keys, Ints]:
    """The rarest words of each string that are in another string too."""
    matrix, vocabulary = table.words, table.vocabulary
    rows = np.repeat(np.arange(len(table)), np.diff(matrix.indptr))
    columns = matrix.indices.astype(np.int64)
    letters = np.array([len(word) > 2 and not word.isdigit() for word in vocabulary.words], dtype=np.bool_)
    useful = (vocabulary.here[columns] > 1) & letters[columns]
    rows, columns = rows[useful], columns[useful]
    order = np.lexsort((columns, vocabulary.here[columns], rows))
    rows, columns = rows[order], columns[order]
    begins = np.searchsorted(rows, np.arange(len(table)))
    kept = np.arange(len(rows)) - begins[rows] < each
    return (columns[kept].astype(np.uint64) << np.uint64(3)) | np.uint64(1), rows[kept]


def _sketches(texts: list[str], bands: int, each: int) -> tuple[Keys, Ints]:
    """The bands of the sketches of texts that are not empty."""
    rows = np.array([row for row, text in enumerate(texts) if text], dtype=np.int64)
    if not len(rows):
        return np.zeros(0, np.uint64), rows
    packed, lengths = runs([texts[row].replace(" ", "") for row in rows.tolist()])
    begins = np.cumsum(lengths) - lengths
    generator = np.random.default_rng(1)
    made = []
    for band in range(bands):
        key = np.full(len(rows), (band + 1) * each, dtype=np.uint64)
        for _ in range(each):
            mixed = (packed ^ generator.integers(0, 1 << 32, dtype=np.uint32)) * np.uint32(2246822519)
            mixed ^= mixed >> np.uint32(15)
            least = np.minimum.reduceat(mixed * np.uint32(3266489917), begins)
            key = key * np.uint64(0x9E3779B97F4A7C15) + least
        made.append(key)
    return np.concatenate(made), np.tile(rows, bands)


def _paired(keys: Keys, rows: Ints, count: int, config: BlockingConfig) -> Pairs:
    """The pairs of rows that share keys."""
    order = np.lexsort((rows, keys))
    keys, rows = keys[order], rows[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
    sizes = np.diff(np.append(first, len(keys)))
    largest = _largest(sizes, config.free + config.budget * count)
    rank = np.arange(len(keys)) - np.repeat(first, sizes)
    size = np.repeat(sizes, sizes)
    partners = size - 1 - rank
    partners = np.where(size <= largest, partners, np.minimum(partners, config.window))
    source = np.repeat(np.arange(len(keys)), partners)
    step = np.arange(len(source)) - np.repeat(np.cumsum(partners) - partners, partners) + 1
    left, right = rows[source], rows[source + step]
    enough = np.where(size[source] <= config.sure, 2, 1)
    good = left != right
    packed = np.minimum(left, right)[good] * count + np.maximum(left, right)[good]
    found, place = np.unique(packed, return_inverse=True)
    if len(found) > config.free:
        found = found[np.bincount(place, weights=enough[good], minlength=len(found)) >= 2]
    return Pairs(found // count, found % count)


def _largest(sizes: Ints, budget: int) -> int:
    """The size up to which blocks are paired throughout, so that no more than `budget` pairs come of them."""
    ordered = np.sort(sizes)
    spent = np.cumsum(ordered * (ordered - 1) // 2)
    place = int(np.searchsorted(spent, budget, side="right"))
    if place == len(ordered):
        return int(ordered[-1]) if len(ordered) else 0
    return int(ordered[place]) - 1  # the whole of a size, or none of it: the order of the input must not matter
