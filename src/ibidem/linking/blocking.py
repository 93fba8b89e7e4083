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

from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints, Numbers, Sparse, once, runs

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
_ROWS = 20_000  # whose words or characters are looked at a time
_PORTION = 1_000_000  # pairs, each as often as it shares keys, that are held at a time


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
    rarest = [_rarest(matrix, vocabulary.here, useful, most) for matrix, most in wanted]
    packed = once(np.concatenate(list(chain.from_iterable(rarest))))
    return ((packed % width).astype(np.uint64) << np.uint64(3)) | np.uint64(1), packed // width


def _rarest(matrix: Sparse, here: Ints, useful: NDArray[np.bool_], most: int) -> Iterator[Ints]:
    """The `most` rarest useful words of each row, of a long one some more; row and word packed into one number."""
    for begin in range(0, matrix.shape[0], _ROWS):
        ends = matrix.indptr[begin : begin + _ROWS + 1]
        lengths = np.diff(ends)
        columns = matrix.indices[ends[0] : ends[-1]].astype(np.int64)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        kept = useful[columns]
        rows, columns = rows[kept], columns[kept]
        order = np.lexsort((columns, here[columns], rows))
        rows, columns = rows[order], columns[order]
        longer = np.maximum(lengths - _LONG, 0) // _MORE
        few = np.arange(len(rows)) - np.searchsorted(rows, np.arange(len(lengths)))[rows] < most + longer[rows]
        yield (rows[few] + begin) * max(1, len(here)) + columns[few]


def _sketches(texts: list[str], bands: int, each: int) -> tuple[Keys, Ints]:
    """The bands of the sketches of texts that are not empty."""
    rows = np.array([row for row, text in enumerate(texts) if text], dtype=np.int64)
    salts = np.random.default_rng(1).integers(0, 1 << 32, dtype=np.uint32, size=bands * each)
    made = np.zeros((bands, len(rows)), dtype=np.uint64)
    for begin in range(0, len(rows), _ROWS):
        packed, lengths = runs([texts[row].replace(" ", "") for row in rows[begin : begin + _ROWS].tolist()])
        begins = np.cumsum(lengths) - lengths
        for band in range(bands):
            key = np.full(len(lengths), (band + 1) * each, dtype=np.uint64)
            for salt in salts[band * each : (band + 1) * each]:
                mixed = (packed ^ salt) * np.uint32(2246822519)
                mixed ^= mixed >> np.uint32(15)
                key = key * _MIX + np.minimum.reduceat(mixed * np.uint32(3266489917), begins)
            made[band, begin : begin + _ROWS] = key
    return made.ravel(), np.tile(rows, bands)


@dataclass(frozen=True, slots=True)
class _Blocks:
    """All keys in order: of each the row that has it, how many share it, and how many of those that follow it meets."""

    rows: Numbers
    sizes: Numbers
    partners: Numbers

    @staticmethod
    def joined(*parts: _Blocks) -> _Blocks:
        """All blocks, one after the other."""
        names = ("rows", "sizes", "partners")
        return _Blocks(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _paired(blocks: _Blocks, count: int, config: BlockingConfig) -> Pairs:
    """The pairs of rows that share keys; made of some rows at a time, so that what is held stays small."""
    made = np.cumsum(np.bincount(blocks.rows, blocks.partners, minlength=count)).astype(np.int64)
    ends = np.searchsorted(made, np.arange(_PORTION, made[-1] + _PORTION, _PORTION))
    cuts = np.unique(np.append(np.minimum(ends, count), [0, count]))
    kept: list[tuple[Ints, NDArray[np.bool_]]] = []
    every = 0
    for first, last in pairwise(cuts.tolist()):
        mine = blocks.rows < last if first == 0 else (blocks.rows >= first) & (blocks.rows < last)
        pairs, weight = _agreeing(blocks, np.flatnonzero(mine).astype(np.int32), count, config.sure)
        every += len(pairs)
        kept.append((pairs, weight >= 2))
        if every > config.free:
            kept = [(pairs[enough], enough[enough]) for pairs, enough in kept]
    found = np.concatenate([pairs for pairs, _ in kept])
    return Pairs(found // count, found % count)


def _blocks(kinds: Iterable[Kind], budget: int, tight: bool = False) -> _Blocks:
    """The keys in order; those that too many rows share make neighbours only. Tight keys count as if few had them."""
    # of a million references there are tens of millions of keys: one kind is put in order at a time
    parts = [_grouped(keys, rows) for _, keys, rows in kinds]
    rows, sizes = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    del parts
    largest = _largest(sizes.astype(np.int64), budget)
    after = np.repeat(np.cumsum(sizes, dtype=np.int32), sizes) - np.arange(1, len(rows) + 1, dtype=np.int32)
    size = np.repeat(sizes, sizes)
    partners = np.where(size <= largest, after, np.minimum(after, np.int32(WINDOW))).astype(np.int32)
    return _Blocks(rows, np.ones_like(size) if tight else size, partners)


def _grouped(keys: Keys, rows: Ints) -> tuple[Numbers, Numbers]:
    """The rows in the order of their keys, and how many share each key; rows ascend where a key is the same."""
    order = np.lexsort((rows, keys))
    keys = keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return rows[order].astype(np.int32), np.diff(np.append(first, len(keys))).astype(np.int32)


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
