"""Which pairs are worth comparing: those that share a key of some kind. Memory grows with the references, not pairs.

Keys are made of rare words, of the first author with the year, of the first page with the volume, and of sketches of
the characters of the title, so that a slip in one of them leaves the others (several passes, as in Hernández & Stolfo
1995; sketches by min-hashing, Broder 1997). A key that very many references share makes pairs of neighbours only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from ibidem.coref.table import Table
from ibidem.coref.vectors import Ints, Numbers, Sparse, once, runs

Keys = NDArray[np.uint64]
Kind = tuple[str, Keys, Ints]
"""What a kind of keys is called, the keys, and the rows that have them."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
WINDOW = 5
"""Neighbours that a reference is paired with where too many share its key."""

_YEARS = 2  # of a text that are looked at
_NUMBERS = 8  # of a text that are looked at
_DIGITS = 4  # of two numbers together, for them to tell something
_LONG, _MORE = 40, 5  # words, above which there is a further rare one for every so many
_PORTION = 4_000_000  # pairs, each as often as it shares keys, that are held at a time


@dataclass(frozen=True, slots=True)
class BlockingConfig:
    """How many keys of each kind a reference has, and how many pairs may come of them."""

    rare_words: int = 6  # of the whole string, the rarest
    title_words: int = 4  # of the title, the rarest: in a long list of names no word of it may be among the others
    bands: int = 5  # of the sketch of the title
    rows: int = 2  # numbers that must agree in a band
    budget: int = 40  # pairs that a reference may bring, on average
    tight_budget: int = 20  # the same of tight keys, which hardly any but references of one work share
    free: int = 100_000  # pairs that are no matter: where there are no more, one key is enough
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
    sketches = _sketches(table.titles, chosen.bands, chosen.rows)
    blocks = _Blocks.joined(
        _blocks(_loose(table, chosen, sketches), chosen.free + chosen.budget * count),
        _blocks(_tight(table, sketches), chosen.free + chosen.tight_budget * count, tight=True),
    )
    return _paired(blocks, count, chosen)


def recall(pairs: Pairs, works: Ints) -> float:
    """The share of all pairs of rows of one work that are among `pairs`; of none, all are."""
    sizes = np.bincount(works)
    every = int((sizes * (sizes - 1) // 2).sum())
    return float((works[pairs.left] == works[pairs.right]).sum()) / every if every else 1.0


def shared_keys(table: Table, one: int, other: int, config: BlockingConfig | None = None) -> list[str]:
    """The kinds of keys that two rows share, a word each."""
    found = []
    chosen = config or BlockingConfig()
    sketches = _sketches(table.titles, chosen.bands, chosen.rows)
    for kind, keys, rows in chain(_loose(table, chosen, sketches), _tight(table, sketches)):
        if np.intersect1d(keys[rows == one], keys[rows == other]).size:
            found.append(kind)
    return found


def _loose(table: Table, config: BlockingConfig, sketches: tuple[Keys, Ints]) -> Iterator[Kind]:
    """The keys that many works may share."""
    yield "rare word", *_rare_words(table, config)
    yield "author and year", *_dated(table)
    yield "page and volume", *_paged(table)
    yield "identifier", *_many(4, (view.identifiers for view in table.views))
    yield "sketch", *sketches
    # a whole string has much that differs where the work is the same, so a single number of its sketch must do
    yield "sketch", *_sketches(["" if view.title else view.text for view in table.views], 2 * config.bands, 1)


def _tight(table: Table, sketches: tuple[Keys, Ints]) -> Iterator[Kind]:
    """The first author with a part of the sketch of the title: references of a work that is cited by hundreds have
    no key that few share, and this one they do not share with other works."""
    keys, rows = sketches
    names, place = _hashed(table.first_names)
    named = (names > 0)[place[rows]]
    yield "author and sketch", (keys * _MIX ^ names[place[rows]])[named], rows[named]


def _dated(table: Table) -> tuple[Keys, Ints]:
    """The first author with the year, by the fields and by the words: either may have gone wrong."""
    (names, name), (words, word) = _hashed(table.first_names), _hashed(table.first_words)
    vocabulary = table.vocabulary
    rows, figures = _leading(*vocabulary.figures, vocabulary.years, _YEARS)
    value = np.array([int(text) if year else 0 for text, year in zip(vocabulary.words, vocabulary.years, strict=True)])
    every = np.arange(len(table))
    return _joint(2, np.append(every, rows), np.append(names[name], words[word[rows]]),
                  np.append(table.year, value[figures] if len(figures) else figures))  # fmt: skip


def _paged(table: Table) -> tuple[Keys, Ints]:
    """The volume with the first page, and numbers of the text that follow each other: pages, or volume and page."""
    vocabulary = table.vocabulary
    rows, figures = _leading(*vocabulary.figures, vocabulary.digits & ~vocabulary.years, _NUMBERS)
    size = np.fromiter(map(len, vocabulary.words), dtype=np.int64, count=len(vocabulary))
    one, other = figures[:-1], figures[1:]
    good = (rows[:-1] == rows[1:]) & (size[one] + size[other] >= _DIGITS) if len(rows) else np.zeros(0, np.bool_)
    code = _hashes(vocabulary.words)
    volume, first = (_hashes([getattr(view, name) for view in table.views]) for name in ("volume", "first"))
    return _joint(3, np.append(np.arange(len(table)), rows[:-1][good]), np.append(volume, code[one[good]]),
                  np.append(first, code[other[good]]))  # fmt: skip


def _leading(columns: Numbers, lengths: Ints, wanted: NDArray[np.bool_], most: int) -> tuple[Ints, Numbers]:
    """Of columns that lie row after row the first `most` of each row that are wanted, and their rows."""
    rows = np.repeat(np.arange(len(lengths)), lengths)
    kept = wanted[columns] if len(columns) else np.zeros(0, np.bool_)
    rows, columns = rows[kept], columns[kept]
    few = np.arange(len(rows)) - np.searchsorted(rows, rows) < most
    return rows[few], columns[few]


def _joint(kind: int, rows: Ints, one: Ints | Keys, other: Ints | Keys) -> tuple[Keys, Ints]:
    """The keys that two numbers make together where neither is 0, each once for a row."""
    there = (one != 0) & (other != 0)
    rows = rows[there]
    keys = one[there].astype(np.uint64) * _MIX ^ other[there].astype(np.uint64)
    order = np.lexsort((keys, rows))
    rows, keys = rows[order], keys[order]
    new = np.append(True, (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1]))[: len(rows)]
    return (keys[new] << np.uint64(3)) | np.uint64(kind), rows[new]


def _hashed(texts: tuple[list[str], Numbers]) -> tuple[Keys, Numbers]:
    return _hashes(texts[0]), texts[1]


def _hashes(texts: Sequence[str]) -> Keys:
    """A number for each text, 0 for the empty one; compared within a process only."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts)).view(np.uint64)


def _many(kind: int, texts: Iterable[tuple[str, ...]]) -> tuple[Keys, Ints]:
    """The keys of texts: the hash of each with the number of its kind. Keys are compared within a process only."""
    lengths: list[int] = []

    def hashes() -> Iterator[int]:
        for each in texts:
            lengths.append(len(each))
            yield from map(hash, each)

    keys = np.fromiter(hashes(), dtype=np.int64).view(np.uint64)
    return (keys << np.uint64(3)) | np.uint64(kind), np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def _rare_words(table: Table, config: BlockingConfig) -> tuple[Keys, Ints]:
    """The rarest words of each string and of each title that are in another string too, every word once."""
    vocabulary = table.vocabulary
    long = np.fromiter(map(len, vocabulary.words), dtype=np.int64, count=len(vocabulary)) > 2
    useful = (vocabulary.here > 1) & long & ~vocabulary.digits
    wanted = ((table.words, config.rare_words), (table.title_words, config.title_words))
    width = max(1, len(vocabulary))
    packed = once(np.concatenate([_rarest(matrix, vocabulary.here, useful, most) for matrix, most in wanted]))
    return ((packed % width).astype(np.uint64) << np.uint64(3)) | np.uint64(1), packed // width


def _rarest(matrix: Sparse, here: Ints, useful: NDArray[np.bool_], most: int) -> Ints:
    """The `most` rarest useful words of each row, of a long one some more; row and word packed into one number."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    columns = matrix.indices.astype(np.int64)
    kept = useful[columns]
    rows, columns = rows[kept], columns[kept]
    order = np.lexsort((columns, here[columns], rows))
    rows, columns = rows[order], columns[order]
    begins = np.searchsorted(rows, np.arange(matrix.shape[0]))
    longer = np.maximum(np.diff(matrix.indptr) - _LONG, 0) // _MORE
    few = np.arange(len(rows)) - begins[rows] < most + longer[rows]
    packed: Ints = rows[few] * max(1, len(here)) + columns[few]
    return packed


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
            key = key * _MIX + least
        made.append(key)
    return np.concatenate(made), np.tile(rows, bands)


@dataclass(frozen=True, slots=True)
class _Blocks:
    """All keys in order: of each the row that has it, how many share it, and how many of those that follow it meets."""

    rows: NDArray[np.int32]
    sizes: NDArray[np.int32]
    partners: NDArray[np.int32]

    @staticmethod
    def joined(*parts: _Blocks) -> _Blocks:
        """All blocks, one after the other."""
        names = ("rows", "sizes", "partners")
        return _Blocks(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _paired(blocks: _Blocks, count: int, config: BlockingConfig) -> Pairs:
    """The pairs of rows that share keys; made of some rows at a time, so that what is held stays small."""
    by_row = np.argsort(blocks.rows, kind="stable").astype(np.int32)
    made = np.cumsum(blocks.partners[by_row], dtype=np.int64)
    every = int(made[-1]) if len(made) else 0
    if every <= _PORTION:
        found, weight = _agreeing(blocks, by_row, count, config.sure)
        if len(found) > config.free:
            found = found[weight >= 2]
    else:
        ends = np.searchsorted(made, np.arange(_PORTION, every + _PORTION, _PORTION))
        starts = np.append(np.searchsorted(blocks.rows[by_row], np.arange(count)), len(by_row))
        cuts = np.unique(np.append(starts[np.searchsorted(starts, ends[:-1])], [0, len(by_row)]))
        portions = (_agreeing(blocks, by_row[a:b], count, config.sure) for a, b in pairwise(cuts.tolist()))
        found = np.concatenate([pairs[weight >= 2] for pairs, weight in portions])
    return Pairs(found // count, found % count)


def _blocks(kinds: Iterable[Kind], budget: int, tight: bool = False) -> _Blocks:
    """The keys in order; those that too many rows share make neighbours only. Tight keys count as if few had them."""
    parts = [(keys, rows.astype(np.int32)) for _, keys, rows in kinds]
    keys, rows = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    del parts  # of a million references there are tens of millions of keys: none of this is held twice
    order = np.lexsort((rows, keys)).astype(np.int32)
    keys, rows = keys[order], rows[order]
    del order
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)]).astype(np.int32)
    del keys
    sizes: NDArray[np.int32] = np.diff(np.append(first, np.int32(len(rows)))).astype(np.int32)
    largest = _largest(sizes.astype(np.int64), budget)
    after = np.repeat(first + sizes - np.int32(1), sizes) - np.arange(len(rows), dtype=np.int32)
    size = np.repeat(sizes, sizes)
    partners = np.where(size <= largest, after, np.minimum(after, np.int32(WINDOW))).astype(np.int32)
    return _Blocks(rows, np.ones_like(size) if tight else size, partners)


def _agreeing(blocks: _Blocks, places: NDArray[np.int32], count: int, sure: int) -> tuple[Ints, Ints]:
    """The pairs that the keys at some places make, packed into one number, and how much speaks for each."""
    partners = blocks.partners[places]
    source = np.repeat(places, partners)
    step = np.arange(len(source)) - np.repeat(np.cumsum(partners) - partners, partners) + 1
    left, right = blocks.rows[source].astype(np.int64), blocks.rows[source + step].astype(np.int64)
    good = left != right
    packed = (np.minimum(left, right) * count + np.maximum(left, right))[good]
    enough = np.where(blocks.sizes[source] <= sure, 2, 1)[good]
    order = np.argsort(packed, kind="stable")
    packed = packed[order]
    first = np.flatnonzero(np.concatenate([[True], packed[1:] != packed[:-1]])) if len(packed) else packed
    return packed[first], np.add.reduceat(enough[order], first) if len(first) else first


def _largest(sizes: Ints, budget: int) -> int:
    """The size up to which blocks are paired throughout, so that no more than `budget` pairs come of them."""
    ordered = np.sort(sizes)
    spent = np.cumsum(ordered * (ordered - 1) // 2)
    place = int(np.searchsorted(spent, budget, side="right"))
    if place == len(ordered):
        return int(ordered[-1]) if len(ordered) else 0
    return int(ordered[place]) - 1  # the whole of a size, or none of it: the order of the input must not matter
