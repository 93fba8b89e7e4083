"""Nested BIO: from annotations to one label per token, from labels to spans, from partial annotations to label sets.

The label of a token has a component for every level that it is in, joined by "/": `B-author/B-person/B-family`,
`I-author/I-person/B-given`, `I-author` for the comma between two persons, `O` outside all fields.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ibidem.labels.schema import UNKNOWN, WITH_PARTS
from ibidem.types import Annotation, BoolArray, Example, Span, Token

OUTSIDE = "O"
Levels = tuple[tuple[str, ...], int]  # the path of each level, and how many of the outermost continue
_Chain = list[tuple[bool, int]]  # for each level: whether the annotation begins here, and its index


def _find_chains(tokens: Sequence[Token], annotations: Sequence[Annotation]) -> tuple[list[_Chain], int]:
    """Return the annotations of every token, outermost first, and the number of tokens with a boundary inside them."""
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]
    chains: list[_Chain] = [[] for _ in tokens]
    cut: set[int] = set()
    for number, annotation in enumerate(annotations):
        first, last = bisect_right(ends, annotation.start), bisect_left(starts, annotation.end) - 1
        for outer in (first, last):
            if first <= outer <= last and not (annotation.start <= starts[outer] and ends[outer] <= annotation.end):
                cut.add(outer)
        first, last = _drop_minor(annotation, starts, ends, first, last)
        _claim(chains, annotations, number, first, last)
    return chains, len(cut)


def _drop_minor(annotation: Annotation, starts: list[int], ends: list[int], first: int, last: int) -> tuple[int, int]:
    """Drop a first or last token of which the annotation covers less than half."""

    def covered(index: int) -> bool:
        return (
            2 * (min(ends[index], annotation.end) - max(starts[index], annotation.start)) >= ends[index] - starts[index]
        )

    if first <= last and not covered(first):
        first += 1
    if first <= last and not covered(last):
        last -= 1
    return first, last


def _claim(chains: list[_Chain], annotations: Sequence[Annotation], number: int, first: int, last: int) -> None:
    """Add an annotation to the chains of its tokens, where its parent is the innermost so far."""
    above, _, _ = annotations[number].label.rpartition("/")
    depth = annotations[number].label.count("/")
    begun = False
    for index in range(first, last + 1):
        chain = chains[index]
        fits = len(chain) == depth and (not depth or annotations[chain[-1][1]].label == above)
        if fits and depth and begun and chain[-1][0]:
            fits = False  # the parent ended and another began
        if fits:
            chain.append((not begun, number))
            begun = True
        elif begun:
            return


def labels_of(tokens: Sequence[Token], annotations: Sequence[Annotation]) -> tuple[list[str], int]:
    """Return the nested BIO label of every token, and the number of tokens with an annotation boundary inside them.

    Annotations come parents first. A token belongs to an annotation that covers at least half of it.

    >>> tokens = [Token("12", 0, 2), Token("-", 2, 3), Token("4", 3, 4)]
    >>> labels_of(tokens, [Annotation("pages", 0, 4), Annotation("pages/first", 0, 2)])
    (['B-pages/B-first', 'I-pages', 'I-pages'], 0)
    """
    chains, cut = _find_chains(tokens, annotations)
    return [_join(chain, annotations) for chain in chains], cut


def _join(chain: _Chain, annotations: Sequence[Annotation]) -> str:
    parts = (f"{'B' if begins else 'I'}-{annotations[number].label.rpartition('/')[2]}" for begins, number in chain)
    return "/".join(parts) or OUTSIDE


@lru_cache(4096)
def levels_of(label: str) -> Levels:
    """Return the path of every level of a nested BIO label, and how many of the outermost continue a span.

    >>> levels_of("I-author/B-person/B-family")
    (('author', 'author/person', 'author/person/family'), 1)
    """
    parts = [] if label == OUTSIDE else label.split("/")
    names = [part[2:] for part in parts]
    begins = [part[0] == "B" for part in parts]
    continued = begins.index(True) if True in begins else len(parts)
    return tuple("/".join(names[:depth]) for depth in range(1, len(names) + 1)), continued


def spans_of(labels: Sequence[str]) -> tuple[Span, ...]:
    """Return the spans of nested BIO labels, parents first; an `I-` that continues nothing begins a span."""
    return tuple(spans_of_levels([levels_of(label) for label in labels]))


def spans_of_levels(tokens: Sequence[Levels]) -> list[Span]:
    """Return the spans, by start and parents first, of labels that `levels_of` has split into levels."""
    found: list[tuple[str, int]] = []  # path and start, in the order in which they begin
    ends: list[int] = []
    open_: list[int] = []  # indices into `found` of the open spans, outermost first
    before: Levels | None = None
    for index, token in enumerate(tokens):
        paths, continued = token
        if token is before and continued == len(paths):
            continue  # inside everything that was open: by far the most frequent case
        before = token
        depth = 0
        while depth < continued and depth < len(open_) and found[open_[depth]][0] == paths[depth]:
            depth += 1
        while len(open_) > depth:
            ends[open_.pop()] = index
        for path in paths[depth:]:
            open_.append(len(found))
            found.append((path, index))
            ends.append(len(tokens))
    return [Span(path, start, end) for (path, start), end in zip(found, ends, strict=True)]


class Compatibility:
    """Sets of a model's labels that tokens may have, given a partial annotation; each distinct set is computed once.

    A set is a union of patterns: a label; a label and `*` for it and everything below it; `?` for any label; `?B` for
    any label that does not continue a field.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        self._rows: dict[tuple[str, ...], int] = {}
        self._table = np.zeros((64, len(self.labels)), dtype=bool)  # [rows, Y]

    def rows(self, tokens: Sequence[Token], example: Example, uncertain_boundaries: bool = False) -> BoolArray:
        """Return which labels every token may have [T, Y], given a partial annotation.

        Where the example is definite there is one. Below a partially annotated field without parts everything that the
        schema has there is allowed, under "a|b" either, under "?" everything. With `uncertain_boundaries`, punctuation
        after a field may belong to it or not. If the label set is complete there is a valid path through the sets.
        """
        numbers = [self._row(patterns) for patterns in patterns_of(tokens, example, uncertain_boundaries)]
        result: BoolArray = self._table[np.array(numbers, dtype=np.intp)]
        return result

    def _row(self, patterns: tuple[str, ...]) -> int:
        found = self._rows.get(patterns)
        if found is None:
            found = self._rows[patterns] = len(self._rows)
            if found == len(self._table):
                self._table = np.concatenate([self._table, np.zeros_like(self._table)])
            for number in self._match(patterns):
                self._table[found, number] = True
        return found

    def _match(self, patterns: tuple[str, ...]) -> list[int]:
        """The labels that fit; where the model has none of them, those of the level above, in the end all."""
        while patterns:
            fitting = [number for number, label in enumerate(self.labels) if any(_fits(label, p) for p in patterns)]
            if fitting:
                return fitting
            patterns = tuple(p.rstrip("*").rpartition("/")[0] for p in patterns if "/" in p)
        return list(range(len(self.labels)))


def _fits(label: str, pattern: str) -> bool:
    if pattern == UNKNOWN:
        return True
    if pattern == "?B":
        return label[0] != "I"
    if not pattern.endswith("*"):
        return label == pattern
    stem = pattern[:-1]
    if label == stem:
        return True
    below = label[len(stem) :]
    begins = stem.rpartition("/")[2].startswith("B-")
    return label.startswith(stem + "/") and not (begins and "/I-" in below)


def patterns_of(tokens: Sequence[Token], example: Example, uncertain_boundaries: bool = False) -> list[tuple[str, ...]]:
    """Return the patterns of the labels that every token may have."""
    annotations = example.annotations
    chains, _ = _find_chains(tokens, annotations)
    parents = {annotation.label.rpartition("/")[0] for annotation in annotations}
    with_parts = _find_parents(annotations) if example.partially_annotated & parents else frozenset()
    result: list[tuple[str, ...]] = []
    tail: tuple[str, ...] = ()  # how punctuation may continue the field before it
    for index, (token, chain) in enumerate(zip(tokens, chains, strict=True)):
        own = _own_patterns(chain, annotations, example.partially_annotated, with_parts)
        uncertain = uncertain_boundaries and tail and not any(character.isalnum() for character in token.text)
        if uncertain and not any(begins for begins, _ in chain):
            extra = [p for p in tail if p.count("/") >= len(chain)]
            result.append(tuple(dict.fromkeys([*own, *extra])))
        else:
            result.append(own)
            tail = _continuations(own) if index + 1 < len(tokens) else ()
    return result


def _find_parents(annotations: Sequence[Annotation]) -> frozenset[int]:
    """Return the indices of the annotations with an annotation below them."""
    newest: dict[str, int] = {}
    found = set()
    for number, annotation in enumerate(annotations):
        above = annotation.label.rpartition("/")[0]
        if above in newest:
            found.add(newest[above])
        newest[annotation.label] = number
    return frozenset(found)


def _own_patterns(
    chain: _Chain, annotations: Sequence[Annotation], partially_annotated: frozenset[str], with_parts: frozenset[int]
) -> tuple[str, ...]:
    """Return the patterns of a token by its own annotations alone."""
    if not chain:
        return (OUTSIDE,)
    begins, number = chain[-1]
    label = annotations[number].label
    if label == UNKNOWN:
        return ("?B",) if begins else (UNKNOWN,)
    star = "*" if label in partially_annotated and number not in with_parts else ""
    if "|" not in label:
        return (_join(chain, annotations) + star,)
    prefix = "B-" if begins else "I-"
    return tuple(f"{prefix}{one}{'*' if one in WITH_PARTS else ''}" for one in label.split("|"))


def _continuations(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return how a field may continue after a token: every prefix of its label, all of it `I-`."""
    found: list[str] = []
    for pattern in patterns:
        if pattern in (OUTSIDE, UNKNOWN, "?B"):
            continue
        parts = ["I-" + part[2:] for part in pattern.split("/")]
        found += ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    return tuple(found)
