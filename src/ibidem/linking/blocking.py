"""Blocking: candidate pairs are those that share a blocking key. Memory grows with the references, not with the pairs.

Keys are rare words, the first author with the year, the first page with the volume, identifiers, and min-hash sketches
of the characters of the title, so that an error in one of them leaves the others (multi-pass blocking, Hernández &
Stolfo 1995; sketches: Broder 1997). A key shared by very many references pairs each only with its next neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints, Numbers, Sparse, hash_ngrams, sort_unique

Keys = NDArray[np.uint64]
Kind = tuple[str, Keys, Ints]
"""The name of a kind of blocking keys, the keys, and the rows that have them."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
WINDOW = 5
"""Neighbours that a reference is paired with where too many references share its key."""

_YEARS = 2  # of a text that are used
_NUMBERS = 8  # of a text that are used
_DIGITS = 4  # that two numbers must have together to be informative
_LONG, _MORE = 40, 5  # a text of more than 40 words has a further rare word for every 5
_ROWS = 20_000  # processed at a time
_PORTION = 1_000_000  # pairs, with repetitions, held in memory at a time


@dataclass(frozen=True, slots=True)
class BlockingConfig:
    """The number of blocking keys of each kind, and of pairs they may generate."""

    rare_words: int = 6  # of the whole string, the rarest
    title_words: int = 4  # of the title, the rarest: in a long author list none may be among the others
    bands: int = 5  # of the sketch of the title
    rows: int = 2  # numbers that must agree in a band
    budget: int = 40  # pairs per reference, on average
    tight_budget: int = 20  # the same for tight keys, which references of different works hardly ever share
    free: int = 100_000  # pairs that cost nothing: up to so many, one shared key is enough
    sure: int = 3  # references that may share a key for it to be enough; otherwise two keys must agree


@dataclass(frozen=True, slots=True)
class Pairs:
    """Distinct pairs of rows, `left` < `right`, sorted."""

    left: Ints
    right: Ints

    def __len__(self) -> int:
        return len(self.left)


def candidates(table: Table, config: BlockingConfig | None = None) -> Pairs:
    """Return the candidate pairs."""
    chosen = config or BlockingConfig()
    count = len(table)
    if count < 2:
        return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    sketches = _sketches(table.titles, chosen.bands, chosen.rows)
    both = (
        _make_blocks(_loose_keys(table, chosen, sketches), chosen.free + chosen.budget * count),
        _make_blocks(_tight_keys(table, sketches), chosen.free + chosen.tight_budget * count, tight=True),
    )
    return _make_pairs(_Blocks(*map(np.concatenate, zip(*both, strict=True))), count, chosen)


def recall(pairs: Pairs, works: Ints) -> float:
    """Return the pair recall: the share of all pairs of rows of the same work that are among `pairs`."""
    sizes = np.bincount(works)
    every = int((sizes * (sizes - 1) // 2).sum())
    return float((works[pairs.left] == works[pairs.right]).sum()) / every if every else 1.0


def shared_keys(table: Table, one: int, other: int) -> list[str]:
    """Return the names of the kinds of blocking keys that two rows share."""
    config = BlockingConfig()
    sketches = _sketches(table.titles, config.bands, config.rows)
    every = chain(_loose_keys(table, config, sketches), _tight_keys(table, sketches))
    return [kind for kind, keys, rows in every if np.intersect1d(keys[rows == one], keys[rows == other]).size]


def _loose_keys(table: Table, config: BlockingConfig, sketches: tuple[Keys, Ints]) -> Iterator[Kind]:
    """Yield the keys that different works may share."""
    yield "rare word", *_rare_word_keys(table, config)
    yield "author and year", *_author_year_keys(table)
    yield "page and volume", *_volume_page_keys(table)
    yield "identifier", *_text_keys(4, (row.identifiers for row in table.rows))
    yield "sketch", *sketches
    # whole strings of one work differ in much, so that a single number of the sketch must be enough
    yield "sketch", *_sketches(["" if row.title else row.text for row in table.rows], 2 * config.bands, 1)


def _tight_keys(table: Table, sketches: tuple[Keys, Ints]) -> Iterator[Kind]:
    """Yield the first author with a band of the title's sketch.

    References of a work that is cited hundreds of times have no key that few share; other works do not share this one.
    """
    keys, rows = sketches
    names, place = _hash_texts(table.first_names[0]), table.first_names[1]
    named = (names > 0)[place[rows]]
    yield "author and sketch", (keys * _MIX ^ names[place[rows]])[named], rows[named]


def _author_year_keys(table: Table) -> tuple[Keys, Ints]:
    """Return the first author with the year, by the fields and by the words: either may be wrong."""
    (names, name), (words, word) = table.first_names, table.first_words
    name_hash, word_hash = _hash_texts(names), _hash_texts(words)
    vocabulary = table.vocabulary
    rows, figures = _first_wanted(*vocabulary.figures, vocabulary.years, _YEARS)
    value = np.array([int(text) if year else 0 for text, year in zip(vocabulary.words, vocabulary.years, strict=True)])
    every = np.arange(len(table))
    return _joint_keys(2, np.append(every, rows), np.append(name_hash[name], word_hash[word[rows]]),
                  np.append(table.year, value[figures] if len(figures) else figures))  # fmt: skip


def _volume_page_keys(table: Table) -> tuple[Keys, Ints]:
    """Return the volume with the first page, and consecutive numbers of the text: pages, or volume and page."""
    vocabulary = table.vocabulary
    rows, figures = _first_wanted(*vocabulary.figures, vocabulary.digits & ~vocabulary.years, _NUMBERS)
    size = np.fromiter(map(len, vocabulary.words), dtype=np.int64, count=len(vocabulary))
    one, other = figures[:-1], figures[1:]
    good = (rows[:-1] == rows[1:]) & (size[one] + size[other] >= _DIGITS) if len(rows) else np.zeros(0, np.bool_)
    code = _hash_texts(vocabulary.words)
    volume, first = (_hash_texts([getattr(row, name) for row in table.rows]) for name in ("volume", "first"))
    return _joint_keys(3, np.append(np.arange(len(table)), rows[:-1][good]), np.append(volume, code[one[good]]),
                  np.append(first, code[other[good]]))  # fmt: skip


def _first_wanted(columns: Numbers, lengths: Ints, wanted: NDArray[np.bool_], most: int) -> tuple[Ints, Numbers]:
    """Return the first `most` wanted columns of each of the concatenated rows, with their rows."""
    rows = np.repeat(np.arange(len(lengths)), lengths)
    kept = wanted[columns] if len(columns) else np.zeros(0, np.bool_)
    rows, columns = rows[kept], columns[kept]
    few = np.arange(len(rows)) - np.searchsorted(rows, rows) < most
    return rows[few], columns[few]


def _joint_keys(kind: int, rows: Ints, one: Ints | Keys, other: Ints | Keys) -> tuple[Keys, Ints]:
    """Return the keys of pairs of numbers where neither is 0, each once per row."""
    there = (one != 0) & (other != 0)
    rows = rows[there]
    keys = one[there].astype(np.uint64) * _MIX ^ other[there].astype(np.uint64)
    order = np.lexsort((keys, rows))
    rows, keys = rows[order], keys[order]
    new = np.append(True, (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1]))[: len(rows)]
    return (keys[new] << np.uint64(3)) | np.uint64(kind), rows[new]


def _hash_texts(texts: Sequence[str]) -> Keys:
    """Return the hash of each text, 0 for an empty one; comparable only within a process."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts)).view(np.uint64)


def _text_keys(kind: int, texts: Iterable[tuple[str, ...]]) -> tuple[Keys, Ints]:
    """Return the hash of each text with the number of its kind as keys; comparable only within a process."""
    lengths: list[int] = []

    def hashes() -> Iterator[int]:
        for each in texts:
            lengths.append(len(each))
            yield from map(hash, each)

    keys = np.fromiter(hashes(), dtype=np.int64).view(np.uint64)
    return (keys << np.uint64(3)) | np.uint64(kind), np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def _rare_word_keys(table: Table, config: BlockingConfig) -> tuple[Keys, Ints]:
    """Return the rarest words of each string and title that occur in another string too, each word once."""
    vocabulary = table.vocabulary
    long = np.fromiter(map(len, vocabulary.words), dtype=np.int64, count=len(vocabulary)) > 2
    useful = (vocabulary.frequency > 1) & long & ~vocabulary.digits
    wanted = ((table.words, config.rare_words), (table.title_words, config.title_words))
    width = max(1, len(vocabulary))
    rarest = [_rarest(matrix, vocabulary.frequency, useful, most) for matrix, most in wanted]
    packed = sort_unique(np.concatenate(list(chain.from_iterable(rarest))))
    return ((packed % width).astype(np.uint64) << np.uint64(3)) | np.uint64(1), packed // width


def _rarest(matrix: Sparse, frequency: Ints, useful: NDArray[np.bool_], most: int) -> Iterator[Ints]:
    """Yield the `most` rarest useful words of each row, more for a long one; row and word packed into one number."""
    for begin in range(0, len(matrix), _ROWS):
        ends = matrix.begin[begin : begin + _ROWS + 1]
        lengths = np.diff(ends)
        columns = matrix.columns[ends[0] : ends[-1]].astype(np.int64)
        rows = np.repeat(np.arange(len(lengths)), lengths)
        kept = useful[columns]
        rows, columns = rows[kept], columns[kept]
        order = np.lexsort((columns, frequency[columns], rows))
        rows, columns = rows[order], columns[order]
        longer = np.maximum(lengths - _LONG, 0) // _MORE
        few = np.arange(len(rows)) - np.searchsorted(rows, np.arange(len(lengths)))[rows] < most + longer[rows]
        yield (rows[few] + begin) * max(1, len(frequency)) + columns[few]


def _sketches(texts: list[str], bands: int, each: int) -> tuple[Keys, Ints]:
    """Return the bands of the min-hash sketches of the nonempty texts."""
    rows = np.array([row for row, text in enumerate(texts) if text], dtype=np.int64)
    salts = np.random.default_rng(1).integers(0, 1 << 32, dtype=np.uint32, size=bands * each)
    made = np.zeros((bands, len(rows)), dtype=np.uint64)
    for begin in range(0, len(rows), _ROWS):
        packed, lengths = hash_ngrams([texts[row].replace(" ", "") for row in rows[begin : begin + _ROWS].tolist()])
        begins = np.cumsum(lengths) - lengths
        for band in range(bands):
            key = np.full(len(lengths), (band + 1) * each, dtype=np.uint64)
            for salt in salts[band * each : (band + 1) * each]:
                mixed = (packed ^ salt) * np.uint32(2246822519)
                mixed ^= mixed >> np.uint32(15)
                key = key * _MIX + np.minimum.reduceat(mixed * np.uint32(3266489917), begins)
            made[band, begin : begin + _ROWS] = key
    return made.ravel(), np.tile(rows, bands)


class _Blocks(NamedTuple):
    """Sorted keys: for each its row, the number of rows that share it, and of following rows it is paired with."""

    rows: Numbers
    sizes: Numbers
    partners: Numbers


def _make_pairs(blocks: _Blocks, count: int, config: BlockingConfig) -> Pairs:
    """Return the pairs of rows that share keys, in portions to bound the memory."""
    made = np.cumsum(np.bincount(blocks.rows, blocks.partners, minlength=count)).astype(np.int64)
    ends = np.searchsorted(made, np.arange(_PORTION, made[-1] + _PORTION, _PORTION))
    cuts = np.unique(np.append(np.minimum(ends, count), [0, count]))
    kept: list[tuple[Ints, NDArray[np.bool_]]] = []
    every = 0
    for first, last in pairwise(cuts.tolist()):
        mine = blocks.rows < last if first == 0 else (blocks.rows >= first) & (blocks.rows < last)
        pairs, weight = _weigh_pairs(blocks, np.flatnonzero(mine).astype(np.int32), count, config.sure)
        every += len(pairs)
        kept.append((pairs, weight >= 2))
        if every > config.free:
            kept = [(pairs[enough], enough[enough]) for pairs, enough in kept]
    found = np.concatenate([pairs for pairs, _ in kept])
    return Pairs(found // count, found % count)


def _make_blocks(kinds: Iterable[Kind], budget: int, tight: bool = False) -> _Blocks:
    """Sort the keys; those shared by too many rows pair only neighbours. Tight keys count as if few shared them."""
    # a million references have tens of millions of keys: one kind is sorted at a time
    parts = [_group_by_key(keys, rows) for _, keys, rows in kinds]
    rows, sizes = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    del parts
    largest = _largest_block(sizes.astype(np.int64), budget)
    after = np.repeat(np.cumsum(sizes, dtype=np.int32), sizes) - np.arange(1, len(rows) + 1, dtype=np.int32)
    size = np.repeat(sizes, sizes)
    partners = np.where(size <= largest, after, np.minimum(after, np.int32(WINDOW))).astype(np.int32)
    return _Blocks(rows, np.ones_like(size) if tight else size, partners)


def _group_by_key(keys: Keys, rows: Ints) -> tuple[Numbers, Numbers]:
    """Return the rows sorted by key, then row, and the number of rows of each key."""
    order = np.lexsort((rows, keys))
    keys = keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return rows[order].astype(np.int32), np.diff(np.append(first, len(keys))).astype(np.int32)


def _weigh_pairs(blocks: _Blocks, places: NDArray[np.int32], count: int, sure: int) -> tuple[Ints, Ints]:
    """Return the pairs that some keys generate, packed into one number, and the evidence for each."""
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


def _largest_block(sizes: Ints, budget: int) -> int:
    """Return the size up to which all rows of a block are paired, within a `budget` of pairs."""
    ordered = np.sort(sizes)
    spent = np.cumsum(ordered * (ordered - 1) // 2)
    place = int(np.searchsorted(spent, budget, side="right"))
    if place == len(ordered):
        return int(ordered[-1]) if len(ordered) else 0
    return int(ordered[place]) - 1  # all blocks of a size or none: the order of the input must not matter
