"""Nested BIO: marks on characters become one label per token, labels become spans, and partial marks become sets.

The label of a token has a component for every level it is in, joined by "/": `B-author/B-person/B-family`,
`I-author/I-person/B-given`, `I-author` for the comma between two persons, `O` outside everything.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ibidem.labels.schema import UNKNOWN, WITH_PARTS
from ibidem.types import Annotation, BoolArray, Example, Span, Token

OUTSIDE = "O"
Levels = tuple[tuple[str, ...], int]  # the path of each level, and how many of the outermost go on from before
_Chain = list[tuple[bool, int]]  # for each level: does the mark begin here, and which mark is it


def _chains(tokens: Sequence[Token], annotations: Sequence[Annotation]) -> tuple[list[_Chain], int]:
    """For every token the marks it is in, outermost first, and the number of tokens that a mark's edge cuts."""
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]
    chains: list[_Chain] = [[] for _ in tokens]
    cut: set[int] = set()
    for number, annotation in enumerate(annotations):
        first, last = bisect_right(ends, annotation.start), bisect_left(starts, annotation.end) - 1
        for edge in (first, last):
            if first <= edge <= last and not (annotation.start <= starts[edge] and ends[edge] <= annotation.end):
                cut.add(edge)
        first, last = _majority(annotation, starts, ends, first, last)
        _claim(chains, annotations, number, first, last)
    return chains, len(cut)


def _majority(annotation: Annotation, starts: list[int], ends: list[int], first: int, last: int) -> tuple[int, int]:
    """The range without a first or last token of which the mark covers less than half."""

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
    """Enter a mark into the chains of its tokens, where its parent is and nobody was before."""
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


def _name(annotation: Annotation) -> str:
    return annotation.label.rpartition("/")[2]


def labels_of(tokens: Sequence[Token], annotations: Sequence[Annotation]) -> tuple[list[str], int]:
    """The nested BIO label of every token, and how many tokens an edge of a mark cuts in two.

    Marks come parents first. A token belongs to a mark that covers at least half of it.

    >>> tokens = [Token("12", 0, 2), Token("-", 2, 3), Token("4", 3, 4)]
    >>> labels_of(tokens, [Annotation("pages", 0, 4), Annotation("pages/first", 0, 2)])
    (['B-pages/B-first', 'I-pages', 'I-pages'], 0)
    """
    chains, cut = _chains(tokens, annotations)
    return [_joined(chain, annotations) for chain in chains], cut


def _joined(chain: _Chain, annotations: Sequence[Annotation]) -> str:
    return "/".join(("B-" if begins else "I-") + _name(annotations[number]) for begins, number in chain) or OUTSIDE


@lru_cache(4096)
def levels_of(label: str) -> Levels:
    """The path of every level that a nested BIO label is in, and how many of the outermost go on from before.

    >>> levels_of("I-author/B-person/B-family")
    (('author', 'author/person', 'author/person/family'), 1)
    """
    parts = [] if label == OUTSIDE else label.split("/")
    names = [part[2:] for part in parts]
    begins = [part[0] == "B" for part in parts]
    going_on = begins.index(True) if True in begins else len(parts)
    return tuple("/".join(names[:depth]) for depth in range(1, len(names) + 1)), going_on


def spans_of(labels: Sequence[str]) -> tuple[Span, ...]:
    """The spans, parents first, that nested BIO labels stand for; an `I-` that continues nothing begins a span."""
    return tuple(spans_of_levels([levels_of(label) for label in labels]))


def spans_of_levels(tokens: Sequence[Levels]) -> list[Span]:
    """The spans, in order of their start and parents first, of tokens whose labels `levels_of` has taken apart."""
    found: list[tuple[str, int]] = []  # path and start, in the order in which they begin
    ends: list[int] = []
    open_: list[int] = []  # which of `found` are open, outermost first
    before: Levels | None = None
    for index, token in enumerate(tokens):
        paths, going_on = token
        if token is before and going_on == len(paths):
            continue  # inside everything that was open: by far the most frequent case
        before = token
        kept = 0
        while kept < going_on and kept < len(open_) and found[open_[kept]][0] == paths[kept]:
            kept += 1
        while len(open_) > kept:
            ends[open_.pop()] = index
        for path in paths[kept:]:
            open_.append(len(found))
            found.append((path, index))
            ends.append(len(tokens))
    return [Span(path, start, end) for (path, start), end in zip(found, ends, strict=True)]


class Compatibility:
    """Which of a model's labels a token may have, given what an example says about it; rows are kept once made.

    What a token may have is a set of patterns: a label itself; a label and `*` for it and whatever lies below it; `?`
    for anything; `?B` for anything that continues no field.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        self._index = {label: number for number, label in enumerate(self.labels)}
        self._rows: dict[tuple[str, ...], int] = {}
        self._table = np.zeros((64, len(self.labels)), dtype=bool)  # [rows, Y]

    def rows(self, tokens: Sequence[Token], example: Example, loose_edges: bool = False) -> BoolArray:
        """The table [T, Y] of what may be; see `allowed_sets`."""
        numbers = [self._row(patterns) for patterns in patterns_of(tokens, example, loose_edges)]
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


def patterns_of(tokens: Sequence[Token], example: Example, loose_edges: bool = False) -> list[tuple[str, ...]]:
    """For every token the patterns of the labels it may have."""
    annotations = example.annotations
    chains, _ = _chains(tokens, annotations)
    parents = {annotation.label.rpartition("/")[0] for annotation in annotations}
    divided = _divided(annotations) if example.partially_annotated & parents else frozenset()
    result: list[tuple[str, ...]] = []
    tail: tuple[str, ...] = ()  # what a loose token may go on with
    for index, (token, chain) in enumerate(zip(tokens, chains, strict=True)):
        own = _own(chain, annotations, example.partially_annotated, divided)
        loose = loose_edges and tail and not any(character.isalnum() for character in token.text)
        if loose and not any(begins for begins, _ in chain):
            extra = [p for p in tail if p.count("/") >= len(chain)]
            result.append(tuple(dict.fromkeys([*own, *extra])))
        else:
            result.append(own)
            tail = _tail(own) if index + 1 < len(tokens) else ()
    return result


def _divided(annotations: Sequence[Annotation]) -> frozenset[int]:
    """The numbers of the marks that have a mark below them."""
    newest: dict[str, int] = {}
    found = set()
    for number, annotation in enumerate(annotations):
        above = annotation.label.rpartition("/")[0]
        if above in newest:
            found.add(newest[above])
        newest[annotation.label] = number
    return frozenset(found)


def _own(
    chain: _Chain, annotations: Sequence[Annotation], partially_annotated: frozenset[str], divided: frozenset[int]
) -> tuple[str, ...]:
    """The patterns of a token from its own chain alone."""
    if not chain:
        return (OUTSIDE,)
    begins, number = chain[-1]
    label = annotations[number].label
    if label == UNKNOWN:
        return ("?B",) if begins else (UNKNOWN,)
    star = "*" if label in partially_annotated and number not in divided else ""
    if "|" not in label:
        return (_joined(chain, annotations) + star,)
    prefix = "B-" if begins else "I-"
    return tuple(f"{prefix}{one}{'*' if one in WITH_PARTS else ''}" for one in label.split("|"))


def _tail(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """How a field may go on after a token: every prefix of its label, all of it `I-`."""
    going: list[str] = []
    for pattern in patterns:
        if pattern in (OUTSIDE, UNKNOWN, "?B"):
            continue
        parts = ["I-" + part[2:] for part in pattern.split("/")]
        going += ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    return tuple(going)


@lru_cache(8)
def _compatibility(labels: tuple[str, ...]) -> Compatibility:
    return Compatibility(labels)


def allowed_sets(
    tokens: Sequence[Token], example: Example, labels: Sequence[str], loose_edges: bool = False
) -> BoolArray:
    """Which of `labels` every token may have [T, Y], given an example that need not say everything.

    Where the example is definite there is one. Below an opaque mark without parts anything the schema has there is
    allowed, under "a|b" either, under "?" everything. With `loose_edges`, punctuation after a field may belong to it
    or not. Wherever the labels are complete there is at least one valid path through the sets.
    """
    return _compatibility(tuple(labels)).rows(tokens, example, loose_edges)
