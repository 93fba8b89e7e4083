"""Calls every compiled kernel with good and hostile arguments: `python tests/fuzz_kernels.py --calls N --seed S`.

Good arguments must give what the reference implementation gives, to 1e-6. Hostile ones must be answered or refused with
one of a few exceptions; where there is a reference implementation that checks its arguments, it must do the same. The
program is most telling under AddressSanitizer (`make sanitize`), where a wrong access of memory ends it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from ibidem.inference import core_numpy, spans_numpy
from ibidem.kernels import compiled
from ibidem.linking import pairs_numpy
from ibidem.text import tokenise
from ibidem.text.tokens import tokenise_batch
from ibidem.unsupervised import blocked_numpy, gibbs_numpy, mallows

Arguments = list[Any]
REFUSALS = (ValueError, TypeError, MemoryError, OverflowError)
NUMBERS = (-(2**31), -5, -1, 0, 1, 2, 3, 5, 7, 16, 17, 2**31, 2**63, 2**64, 0.5, float("nan"), None, "x")
VALUES = (-(2**31), -256, -3, -2, -1, 0, 1, 2, 3, 4, 5, 17, 255, 256, 2**31 - 1, 2**40)
REALS = (float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 1e308, -1e308, 1e-320)
STRINGS = (
    "",
    "a",
    "Reed A.",
    "x" * 300,
    "é" * 70,
    "\0",
    "\ud800",
    "\U0010ffff b",
    "10.1000/x http://a.b",
    " \t\n",
    "漢字",
)


class Kernel(NamedTuple):
    """A kernel: good arguments for it, its reference implementation, and whether that checks its arguments too.

    One that `subtracts` from counts meets negative probabilities where they are too low: any answer is a right one.
    One that `chooses` among equals may choose any; that comes first in its result, and is not compared.
    """

    make: Callable[[np.random.Generator], Arguments]
    reference: Callable[..., Any] | None = None
    checks: bool = False
    subtracts: bool = False
    chooses: bool = False


def fuzz(calls: int, seed: int) -> Counter[str]:
    """Make calls of kernels in turn; return how many were answered and refused. An AssertionError is a finding."""
    kernels, module = all_kernels(), compiled()
    untested = {name for name in dir(module) if not name.startswith("_")} - kernels.keys() - {"loops_in_use"}
    assert not untested, f"kernels without a line here: {untested}"
    outcomes: Counter[str] = Counter()
    for number in range(calls):
        name = list(kernels)[number % len(kernels)]
        rng = np.random.default_rng([seed, number])
        arguments = kernels[name].make(rng)
        hostile = rng.random() < 0.7
        if hostile:
            for _ in range(int(rng.integers(1, 3))):
                place = int(rng.integers(len(arguments)))
                arguments[place] = spoil(arguments[place], rng)
        try:
            outcomes[call(kernels[name], getattr(module, name), arguments, hostile)] += 1
        except Exception as error:
            raise AssertionError(f"call {number} of seed {seed}, {name}, hostile: {hostile}: {error!r}") from error
    return outcomes


def call(kernel: Kernel, compiled_kernel: Callable[..., Any], arguments: Arguments, hostile: bool) -> str:
    """Call a kernel and its reference implementation; return how it went."""
    own, other = deepcopy(arguments), deepcopy(arguments)
    try:
        found = compiled_kernel(*own)
    except REFUSALS as error:
        assert hostile, f"good arguments were refused: {error!r}"
        if kernel.reference and kernel.checks and type(error) is ValueError:
            try:
                kernel.reference(*other)
            except REFUSALS:
                return "refused, twice"
            raise AssertionError(f"only the compiled kernel refuses: {error}") from None
        return "refused"
    defined = kernel.checks and not kernel.subtracts and all(map(is_moderate, arguments))
    if kernel.reference and (defined or not hostile):
        with np.errstate(all="ignore"):
            wanted = kernel.reference(*other)
        if kernel.chooses:
            found, wanted = found[1:], wanted[1:]
        require_same((found, own), (wanted, other))
        return "answered, twice"
    return "answered"


def is_moderate(value: Any) -> bool:
    """Return whether the numbers of an argument are such that rounding does not decide about the result."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return not isinstance(value, float) or value > 1e-3
    return bool(((value == 0) | ((np.abs(value) > 1e-3) & (np.abs(value) < 1e6))).all())


def require_same(one: Any, other: Any) -> None:
    """Compare results, and arguments changed in place."""
    if isinstance(one, tuple | list):
        assert len(one) == len(other), (one, other)
        for mine, theirs in zip(one, other, strict=True):
            require_same(mine, theirs)
    elif isinstance(one, np.ndarray) and one.dtype.kind in "fiub":
        assert one.shape == other.shape, (one.shape, other.shape)
        wide = 1e-6 if one.dtype == np.float64 else 1e-4
        np.testing.assert_allclose(one.astype(np.float64), np.asarray(other, np.float64), rtol=wide, atol=wide)
    elif not isinstance(one, np.ndarray | float):
        assert one == other, (one, other)


def spoil(value: Any, rng: np.random.Generator) -> Any:
    """Return something else than a good argument."""
    if isinstance(value, np.ndarray):
        return spoil_array(value, rng)
    if isinstance(value, list):
        return [value, [], [*value, *value], [*value, None], value[1:], list(STRINGS), "text"][int(rng.integers(7))]
    return NUMBERS[int(rng.integers(len(NUMBERS)))]


def spoil_array(value: np.ndarray, rng: np.random.Generator) -> Any:
    """Return an array with a value, the size, the layout or the type changed, values most often."""
    if value.size and rng.random() < 0.6:
        return spoil_value(value.copy(), rng)
    types = (np.int8, np.uint8, np.int32, np.int64, np.float32, np.float64, np.bool_)
    ways: list[Callable[[], Any]] = [
        lambda: value[:0],
        lambda: value[:-1],
        lambda: np.concatenate([value, value]),
        value[..., :-1].copy,
        lambda: np.repeat(value, 2, axis=-1),
        lambda: np.repeat(value, 2, axis=-1)[..., ::2],
        lambda: np.array(value, order="F"),
        lambda: value[None],
        lambda: value[::-1],
        lambda: value.astype(types[int(rng.integers(len(types)))]),
        lambda: value.astype(object),
        lambda: np.zeros((0,) * value.ndim, value.dtype),
    ]
    with np.errstate(all="ignore"):
        return ways[int(rng.integers(len(ways)))]()


def spoil_value(value: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Replace one number of an array."""
    place = tuple(int(rng.integers(side)) for side in value.shape)
    choices: tuple[float, ...] = REALS if value.dtype.kind == "f" else VALUES
    with np.errstate(all="ignore"):
        value[place] = np.asarray(choices[int(rng.integers(len(choices)))]).astype(value.dtype)
    return value


def ints(rng: np.random.Generator, low: int, high: int, *shape: int, dtype: Any = np.int32) -> np.ndarray:
    return rng.integers(low, max(high, low + 1), shape).astype(dtype)


def make_batch(rng: np.random.Generator, longest: int = 3) -> Arguments:
    """Return an automaton, and scores of up to four strings of up to six tokens for it."""
    S, L, dtype = int(rng.integers(1, 6)), int(rng.integers(1, longest + 1)), rng.choice([np.float32, np.float64])
    Y = int(rng.integers(max(1, S - 2), S + 1))
    label = np.arange(S, dtype=np.int32) if Y == S else ints(rng, 0, Y, S)
    pairs = np.array([(r, s) for r in range(-1, S) for s in range(S) if rng.random() < 0.7], np.int32).reshape(-1, 2)
    pairs = rng.permutation(pairs)
    lengths = ints(rng, 0, 7, int(rng.integers(0, 5)))
    span = rng.normal(scale=2, size=(int(lengths.sum()), L, Y)).astype(dtype)
    span[rng.random(span.shape) < 0.1] = -np.inf
    arc = rng.normal(size=len(pairs)).astype(dtype)
    final = rng.random(S) < 0.8
    return [label, pairs[:, 0].copy(), pairs[:, 1].copy(), final, span, arc, lengths]


def make_limits(rng: np.random.Generator, labels: int) -> Arguments:
    C = int(rng.integers(0, 3))
    coefficient, bound = ints(rng, 0, 2, C, labels, dtype=np.float64), ints(rng, 0, 3, C, dtype=np.float64)
    return [coefficient, bound, rng.random(C) * 3, int(rng.integers(1, 20)), int(rng.integers(0, 30))]


def make_segments(rng: np.random.Generator) -> Arguments:
    batch = make_batch(rng, 1)
    S, lengths = len(batch[0]), batch[6]
    masks = int(rng.integers(1, 4))
    rows = []
    for string in np.flatnonzero(lengths).tolist():
        start = int(rng.integers(lengths[string]))
        end = int(rng.integers(start + 1, lengths[string] + 1))
        rows.append((string, start, end, int(rng.integers(masks))))
    segments = np.array(rows, np.int32).reshape(-1, 4)
    return [*batch, segments, rng.random((masks, S)) < 0.5, rng.random((masks, S)) < 0.5, threads(rng)]


def make_best_segments(rng: np.random.Generator) -> Arguments:
    batch = make_batch(rng, 1)
    S, masks = len(batch[0]), int(rng.integers(1, 4))
    first, inside = rng.random((masks, S)) < 0.5, rng.random((masks, S)) < 0.5
    return [*batch, first, inside, bool(rng.integers(2)), *make_limits(rng, batch[4].shape[2]), threads(rng)]


def make_tokens(rng: np.random.Generator, labels: int, F: int) -> Arguments:
    """Return rows, types, lengths, table and ids of emissions."""
    R, W, P = int(rng.integers(0, 5)), 1 + 2 * int(rng.integers(0, 3)), int(rng.integers(0, 6))
    lengths = ints(rng, 0, 7, int(rng.integers(0, 5)))
    N = int(lengths.sum())
    dtype = rng.choice([np.float32, np.float64])
    rows, table = (rng.normal(size=shape).astype(dtype) for shape in ((R, W, labels), (P, labels)))
    return [rows, ints(rng, -1, R, N), lengths, table, ints(rng, -1, P, N, F)]


def make_emissions(rng: np.random.Generator) -> Arguments:
    return [*make_tokens(rng, int(rng.integers(1, 20)), int(rng.integers(0, 5))), threads(rng)]


def make_packed(rng: np.random.Generator) -> Arguments:
    labels, F = int(rng.integers(1, 20)), int(rng.integers(0, 6))
    rows, types, lengths, table, ids = make_tokens(rng, labels, F)
    packed = ints(rng, -128, 128, len(table), labels + 4 + int(rng.integers(0, 60)), dtype=np.int8)
    packed[:, labels : labels + 4] = np.ones((len(table), 1), np.float32).view(np.int8)
    steady = np.sort(ints(rng, 0, F + 1, 2 * int(rng.integers(0, 3)))).reshape(-1, 2)
    return [rows, types, lengths, packed, ids, steady, threads(rng)]


def make_credit(rng: np.random.Generator) -> Arguments:
    rows, types, lengths, table, ids = make_tokens(rng, int(rng.integers(1, 70)), int(rng.integers(0, 5)))
    delta = rng.normal(size=(len(types), rows.shape[2])).astype(rows.dtype)
    return [delta, types, lengths, len(rows), rows.shape[1], ids, len(table), threads(rng)]


def make_spans(rng: np.random.Generator) -> Arguments:
    lengths, labels, roles = ints(rng, 0, 7, int(rng.integers(0, 4))), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    longest, P, F = int(rng.integers(1, 5)), int(rng.integers(0, 4)), int(rng.integers(0, 3))
    spans = sum(min(longest, left) for length in lengths.tolist() for left in range(length, 0, -1))
    dtype = rng.choice([np.float32, np.float64])
    token, table = (rng.normal(size=s).astype(dtype) for s in ((int(lengths.sum()), roles, labels), (P, labels)))
    return [token, lengths, ints(rng, 1, 6, labels), table, ints(rng, -1, P, spans, F), longest, threads(rng)]


def make_span_credit(rng: np.random.Generator) -> Arguments:
    token, lengths, limits, table, ids, longest, _ = make_spans(rng)
    counts = rng.normal(size=(len(token), longest, token.shape[2])).astype(token.dtype)
    return [counts, lengths, token.shape[1], limits, len(table), ids]


def make_spans_anew(rng: np.random.Generator) -> Arguments:
    labels, roles = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    tokens = make_tokens(rng, labels * roles, int(rng.integers(0, 3)))
    return [*tokens, roles, ints(rng, 1, 6, labels), int(rng.integers(1, 5)), threads(rng)]


def make_decode_spans(rng: np.random.Generator) -> Arguments:
    token, lengths, limits, table, ids, longest, _ = make_spans(rng)
    batch = make_batch(rng, 1)
    Y = token.shape[2]
    order = np.argsort(-limits, kind="stable").astype(np.int32)
    masks = [rng.random((2, Y)) < 0.4 for _ in range(3)]
    automaton = [ints(rng, 0, Y, len(batch[0])), *batch[1:4], batch[5].astype(token.dtype), lengths]
    rest = [rng.random(Y) < 0.5, bool(rng.integers(2)), threads(rng)]
    return [*automaton, token, limits, order, table, ids, longest, *masks, *rest]


def make_segment_rows(rng: np.random.Generator) -> Arguments:
    """Return tables of all features of segments, and tokens of a few strings."""
    features = compiled().segment_features(["places", "names"])
    lengths = ints(rng, 0, 9, int(rng.integers(0, 4)))
    N = int(lengths.sum())
    traits = np.stack([ints(rng, 0, high, N, dtype=np.int64) for high in (32, 32, 32, 16, 99, 2)], axis=1)
    first = np.cumsum([0, *(size for _, size in features[:-1])]).astype(np.int32)
    column = rng.permutation(len(features)).astype(np.int32)
    column[rng.random(len(column)) < 0.2] = -1
    hashes, bits = np.sort(rng.integers(2**32, size=20, dtype=np.uint32)), np.full(4, 255, np.uint8)
    own = [np.ascontiguousarray(traits), bits, hashes, np.array([0, 10, 20], np.int64), column, first]
    return [lengths, rng.random(N) < 0.5, *own, len(features), int(rng.integers(1, 9))]


def make_texts(rng: np.random.Generator) -> Arguments:
    return [[make_text(rng) for _ in range(int(rng.integers(0, 6)))], character_classes()]


def make_text(rng: np.random.Generator) -> str:
    pieces = [STRINGS[int(rng.integers(len(STRINGS)))] for _ in range(int(rng.integers(0, 4)))]
    return "".join(pieces) + "".join(map(chr, rng.integers(1, 0x3000, int(rng.integers(0, 8)))))


def character_classes() -> np.ndarray:
    from ibidem.text.tokens import _character_classes

    tokenise_batch([*STRINGS, "".join(map(chr, range(0x3000)))])
    return _character_classes()


def split_texts(texts: list[str], _classes: np.ndarray) -> tuple[Any, ...]:
    """Return what the compiled tokeniser does, by the regular expression."""
    tokens = [tokenise(text) for text in texts]
    every = [token for string in tokens for token in string]
    ends = [0 if place == 0 else string[place - 1].end for string in tokens for place in range(len(string))]
    spaces = [token.start == 0 or token.start != end for token, end in zip(every, ends, strict=True)]
    columns = ([token.start for token in every], [token.end for token in every], spaces, list(map(len, tokens)))
    return ([token.text for token in every], *(np.array(column, dtype=np.int64) for column in columns))


def make_context(rng: np.random.Generator) -> Arguments:
    """Return tables of all features of context, and tokens of a few strings."""
    features = compiled().context_features(["places", "names"])
    known_begin = np.cumsum([0, *(size for _, size in features)], dtype=np.int64)
    known = np.full(known_begin[-1], -1, np.int32)
    known[rng.integers(len(known), size=1000)] = ints(rng, -20, 20, 1000)
    types, lengths = int(rng.integers(1, 6)), ints(rng, 0, 9, int(rng.integers(0, 4)))
    traits = np.stack([ints(rng, 0, high, types, dtype=np.int64) for high in (32, 32, 32, 16, 99, 2)], axis=1)
    column = rng.permutation(len(features)).astype(np.int32)
    column[rng.random(len(column)) < 0.2] = -1
    hashes = np.sort(rng.integers(2**32, size=20, dtype=np.uint32))
    N, bits = int(lengths.sum()), np.full(1 << int(rng.integers(0, 5)), 255, np.uint8)
    begin = np.array([0, 10, 20], np.int64)
    space_before = rng.random(N) < 0.5
    own = [np.ascontiguousarray(traits), ints(rng, 0, types, N), bits, hashes, begin, known, known_begin, column]
    return [lengths, space_before, *own, len(features)]


def make_pairs(rng: np.random.Generator, rows: int) -> Arguments:
    P = int(rng.integers(0, 8)) if rows else 0
    return [ints(rng, 0, rows, P, dtype=np.int64), ints(rng, 0, rows, P, dtype=np.int64)]


def make_edits(rng: np.random.Generator) -> Arguments:
    texts = [make_text(rng) for _ in range(int(rng.integers(0, 6)))]
    return [texts, *make_pairs(rng, len(texts)), ints(rng, 0, 3, int(rng.integers(1, 4))), int(rng.integers(0, 400))]


def make_ngrams(rng: np.random.Generator) -> Arguments:
    texts = [make_text(rng) for _ in range(int(rng.integers(0, 6)))]
    return [texts, *make_pairs(rng, len(texts)), int(rng.integers(1, 400))]


def make_names(rng: np.random.Generator) -> Arguments:
    names = sorted(" ".join(make_text(rng).split()) for _ in range(int(rng.integers(0, 6))))
    return [names, *make_pairs(rng, len(names))]


def make_matrix(rng: np.random.Generator) -> Arguments:
    rows, width = int(rng.integers(0, 6)), int(rng.integers(1, 9))
    filled = [np.flatnonzero(rng.random(width) < 0.5) for _ in range(rows)]
    begin = np.cumsum([0, *map(len, filled)]).astype(np.int32)
    columns = np.concatenate([np.zeros(0, np.int32), *filled]).astype(np.int32)
    return [begin, columns, rng.random(len(columns)).astype(np.float32)]


def make_products(rng: np.random.Generator) -> Arguments:
    matrix = make_matrix(rng)
    return [*matrix, *make_pairs(rng, len(matrix[0]) - 1)]


def make_unshared(rng: np.random.Generator) -> Arguments:
    matrix = make_matrix(rng)
    return [*matrix, ints(rng, 0, 3, 9), *make_pairs(rng, len(matrix[0]) - 1), int(rng.integers(0, 5))]


def make_corpus(rng: np.random.Generator, most: int = 7) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the words of citations, where each begins, and the number of words."""
    lengths, W = ints(rng, 0, most, int(rng.integers(0, 5))), int(rng.integers(1, 6))
    return ints(rng, 0, W, int(lengths.sum())), np.cumsum([0, *lengths]).astype(np.int64), W


def make_blocked(rng: np.random.Generator) -> Arguments:
    """Return citations, and tables that count their elements where they have some."""
    (words, starts, W), K, C = make_corpus(rng), int(rng.integers(1, 4)), int(rng.integers(1, 3))
    L = max(int(np.diff(starts).max(initial=1)) - int(rng.integers(0, 2)), 1)
    word, length = np.full((W, K), 0.3), np.full((K, L + 1), 0.4)
    element = np.full(len(words), 255, np.uint8)
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        if begin < end and rng.random() < 0.5:
            element[begin:end] = np.sort(ints(rng, 0, K, end - begin))
            np.add.at(word, (words[begin:end], element[begin:end]), 1)
            sizes = np.minimum(np.bincount(element[begin:end], minlength=K), L)
            length[np.arange(K), sizes] += 1
    step = np.ascontiguousarray(mallows.next_probabilities(rng.random(K - 1)))
    gap = rng.random((C, K, 2)) + 0.1
    tables = [word, word.sum(axis=0), length, length.sum(axis=1), step, gap]
    return [words, ints(rng, 0, C, len(words)), starts, element, *tables]


def make_sampled(rng: np.random.Generator) -> Arguments:
    return [*make_blocked(rng), int(rng.integers(2**63)), int(rng.integers(9)), threads(rng)]


def make_decoded(rng: np.random.Generator) -> Arguments:
    return [*make_blocked(rng), threads(rng)]


def make_gibbs(rng: np.random.Generator) -> Arguments:
    (words, starts, W), K = make_corpus(rng), int(rng.integers(2, 5))
    draws = ints(rng, 0, K, len(words), dtype=np.uint8)
    most = np.arange(K - 1, 0, -1)
    inversions = np.stack([ints(rng, 0, int(v) + 1, len(starts) - 1, dtype=np.uint8) for v in most], axis=1)
    topics = gibbs_numpy.assign_all_topics(starts, draws, inversions)
    counts = np.zeros((W, 8), np.int32)
    np.add.at(counts, (words, topics), 1)
    state = [
        words,
        starts,
        draws,
        counts,
        counts.sum(axis=0, dtype=np.int64),
        gibbs_numpy.repeated_words(words, starts),
    ]
    alpha = float(rng.choice([np.inf, 0.5]))
    rest = [bool(rng.integers(2)), int(rng.integers(3)), bool(rng.integers(2)), int(rng.integers(2**63)), 3]
    return [*state, np.ascontiguousarray(inversions), rng.random(K - 1), alpha, 0.05, *rest, threads(rng)]


def make_lda(rng: np.random.Generator) -> Arguments:
    (words, starts, W), K = make_corpus(rng), int(rng.integers(2, 5))
    draws, counts = ints(rng, 0, K, len(words), dtype=np.uint8), np.zeros((W, 8), np.int32)
    np.add.at(counts, (words, draws), 1)
    return [words, starts, draws, counts, counts.sum(axis=0, dtype=np.int64), K, 0.5, 0.05, 7, 3, threads(rng)]


def make_topics(rng: np.random.Generator) -> Arguments:
    whole = make_gibbs(rng)
    return [whole[1], whole[2], whole[6]]


def make_repeated(rng: np.random.Generator) -> Arguments:
    return list(make_corpus(rng)[:2])


def threads(rng: np.random.Generator) -> int:
    return int(rng.integers(1, 4))


def all_kernels() -> dict[str, Kernel]:
    """Return every kernel of the module."""

    def over(*more: Callable[[np.random.Generator], Any]) -> Callable[[np.random.Generator], Arguments]:
        return lambda rng: [*make_batch(rng), *(each(rng) for each in more), threads(rng)]

    def soft(rng: np.random.Generator) -> Arguments:
        batch = make_batch(rng)
        return [*batch, *make_limits(rng, batch[4].shape[2]), threads(rng)]

    return {
        "log_partition": Kernel(over(), core_numpy.log_partition),
        "marginals": Kernel(over(), core_numpy.marginals),
        "best": Kernel(over(), core_numpy.best),
        "soft_best": Kernel(soft),
        "sample": Kernel(over(lambda rng: int(rng.integers(2**63)), threads)),
        "kbest": Kernel(over(threads), core_numpy.kbest, chooses=True),
        "segment_mass": Kernel(make_segments),
        "best_segments": Kernel(make_best_segments),
        "emissions": Kernel(make_emissions, core_numpy.emissions),
        "packed_emissions": Kernel(make_packed),
        "emissions_credit": Kernel(make_credit, core_numpy.emissions_credit),
        "span_scores": Kernel(make_spans, spans_numpy.span_scores),
        "span_credit": Kernel(make_span_credit, spans_numpy.span_credit),
        "spans_anew": Kernel(make_spans_anew, spans_numpy.spans_anew),
        "decode_spans": Kernel(make_decode_spans),
        "tokenise": Kernel(make_texts, split_texts),
        "context_features": Kernel(lambda _: [["places", "names"]]),
        "context_rows": Kernel(make_context),
        "segment_features": Kernel(lambda _: [["places", "names"]]),
        "segment_rows": Kernel(make_segment_rows),
        "edit_ratios": Kernel(make_edits, pairs_numpy.edit_ratios, True),
        "ngram_cosines": Kernel(make_ngrams, pairs_numpy.ngram_cosines, True),
        "abbreviations": Kernel(make_names, pairs_numpy.abbreviations, True),
        "number_words": Kernel(lambda rng: make_texts(rng)[:1], pairs_numpy.number_words),
        "row_products": Kernel(make_products, pairs_numpy.row_products, True),
        "unshared": Kernel(make_unshared, pairs_numpy.unshared, True),
        "sample_segmentations": Kernel(make_sampled, blocked_numpy.sample_segmentations, True, True),
        "decode_segmentations": Kernel(make_decoded, blocked_numpy.decode_segmentations, True, True),
        "gibbs_sweep": Kernel(make_gibbs, gibbs_numpy.gibbs_sweep, True, True),
        "lda_sweep": Kernel(make_lda, gibbs_numpy.lda_sweep, True, True),
        "assign_all_topics": Kernel(make_topics, gibbs_numpy.assign_all_topics, True),
        "repeated_words": Kernel(make_repeated, gibbs_numpy.repeated_words, True),
    }


def main() -> None:
    """Read the options, run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    if compiled() is None:
        sys.exit("there are no compiled kernels here")
    print(f"seed {options.seed}", flush=True)
    outcomes = fuzz(options.calls, options.seed)
    print(f"{options.calls:,} calls: " + ", ".join(f"{times:,} {how}" for how, times in sorted(outcomes.items())))


if __name__ == "__main__":
    main()
