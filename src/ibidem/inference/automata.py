"""Builders of automata: nested BIO labels, products with hard constraints, and patterns of labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ibidem.errors import IbidemError
from ibidem.inference.constraints import beginnings
from ibidem.types import Automaton, BoolArray, IntArray

OUTSIDE = "O"
START = -1
"""The label before the first, in patterns."""


@dataclass(frozen=True, slots=True)
class Product:
    """The intersection of two automata, and where its states and arcs come from.

    Scores of the product are sums: `left_scores[product.arc[:, 0]] + right_scores[product.arc[:, 1]]`.
    """

    automaton: Automaton
    state: IntArray  # [S, 2]: the state of either factor
    arc: IntArray  # [A, 2]: the arc of either factor


@dataclass(frozen=True, slots=True)
class Patterns:
    """The automaton that remembers as much of the past labels as the patterns need.

    `history[s]` are the labels that state s remembers, the last of them the one it shows; `completed[a]` are the
    numbers of the patterns that arc a completes, so the weights of a model are spread by
    `[sum(weight[p] for p in ended) for ended in completed]`.
    """

    automaton: Automaton
    history: tuple[tuple[int, ...], ...]
    completed: tuple[tuple[int, ...], ...]


def nested_bio(labels: Sequence[str], remember: bool = False) -> tuple[Automaton, tuple[str, ...]]:
    """Return the automaton of the valid sequences of nested BIO labels, and the names of its states.

    A label is "O" or a path of levels such as "I-authors/B-person/B-first" (Anzaroot and others 2014); a token of a
    field outside all of its parts has the shorter path. I at a level continues what the token before has there, so
    the levels down to the deepest I must have the same names before; a new parent begins all its parts anew. With
    `remember`, "O" has one state for each top-level field it may follow and one for "nothing yet": all show the label
    "O", but the arcs out of them are separate.

    >>> automaton, names = nested_bio(["O", "B-title", "I-title"])
    >>> [(names[r] if r >= 0 else "", names[s]) for r, s in zip(automaton.src, automaton.dst) if names[s] == "I-title"]
    [('B-title', 'I-title'), ('I-title', 'I-title')]
    >>> nested_bio(["O", "B-title", "I-title"], remember=True)[1]
    ('O', 'O after title', 'B-title', 'I-title')
    """
    if len(set(labels)) != len(labels):
        raise IbidemError(
            f"the labels of an automaton must differ; got {sorted(x for x in labels if labels.count(x) > 1)}"
        )
    levels = [_levels(label) for label in labels]
    tops = list(dict.fromkeys(names[0] for names, _ in levels if names))
    states: list[tuple[int, str]] = []  # the label it shows, the field it remembers
    for y, (names, _) in enumerate(levels):
        states.append((y, ""))
        if not names and remember:
            states.extend((y, top) for top in tops)

    arcs = [(-1, s) for s, (y, memory) in enumerate(states) if not memory and levels[y][1] == 0]
    for r, (x, before) in enumerate(states):
        last = levels[x][0]
        for s, (y, memory) in enumerate(states):
            names, going_on = levels[y]
            if last[:going_on] != names[:going_on] or len(last) < going_on:
                continue
            if remember and not names and memory != (last[0] if last else before):
                continue
            arcs.append((r, s))
    names_of_states = tuple(f"{labels[y]} after {memory}" if memory else labels[y] for y, memory in states)
    return _automaton([y for y, _ in states], arcs, [True] * len(states)), names_of_states


def track_labels(labels: Sequence[str], fields: Sequence[str]) -> Automaton:
    """Return the automaton over `labels` that accepts everything and tracks whether one of the `fields` has begun.

    Its product with another automaton has separate arcs, and so separate weights, before and after: a list of persons
    after the title is more often one of editors.
    """
    count = len(labels)
    begins = [not set(beginnings(label)).isdisjoint(fields) for label in labels]
    after = range(count, 2 * count)
    arcs = [(-1, y + count * begins[y]) for y in range(count)]
    arcs += [(r, y + count * begins[y]) for r in range(count) if not begins[r] for y in range(count)]
    arcs += [(r, y) for r in after for y in after]
    return _automaton([*range(count), *range(count)], arcs, [True] * (2 * count))


def product(automaton: Automaton, constraint: Automaton) -> Product:
    """Return the automaton of the label sequences that both accept, without states that lie on no complete path.

    A state is a pair of states that show the same label. This is how a hard constraint on labels is imposed.
    """
    arcs_out: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for side, factor in enumerate((automaton, constraint)):
        for a, r in enumerate(factor.src.tolist()):
            arcs_out[side].setdefault(r, []).append(a)
    number: dict[tuple[int, int], int] = {}
    found: list[tuple[int, int, int, int]] = []  # source, target, arc of either factor
    queue = [(-1, (-1, -1))]
    for source, (r, q) in queue:  # grows while it is read
        for a in arcs_out[0].get(r, ()):
            for b in arcs_out[1].get(q, ()):
                pair = (int(automaton.dst[a]), int(constraint.dst[b]))
                if automaton.label[pair[0]] != constraint.label[pair[1]]:
                    continue
                if pair not in number:
                    number[pair] = len(number)
                    queue.append((number[pair], pair))
                found.append((source, number[pair], a, b))

    pairs = list(number)
    final = [bool(automaton.final[p] and constraint.final[q]) for p, q in pairs]
    kept = sorted(_reach_an_end(final, found))
    place = {s: i for i, s in enumerate(kept)} | {-1: -1}
    arcs = [(place[r], place[s], a, b) for r, s, a, b in found if r in place and s in place]
    return Product(
        _automaton(
            [int(automaton.label[pairs[s][0]]) for s in kept], [arc[:2] for arc in arcs], [final[s] for s in kept]
        ),
        np.array([pairs[s] for s in kept], dtype=np.int32).reshape(-1, 2),
        np.array([arc[2:] for arc in arcs], dtype=np.int32).reshape(-1, 2),
    )


def patterns(
    labels_count: int,
    patterns: Sequence[Sequence[int]],
    follows: BoolArray | None = None,
    remembered: Sequence[Sequence[int]] = (),
) -> Patterns:
    """Return the Aho-Corasick automaton of some patterns of labels (Ye and others 2009; Cuong and others 2014).

    One state for each label and for each beginning of a pattern that is not all of it: the longest of them that ends
    the labels so far. All label sequences are accepted, each by one path, and an arc completes the patterns that end
    with the label it leads to. A pattern may begin with `START`, which stands before the first label. Where `follows`
    [labels + 1, labels] is given, a label comes only after those that it may follow; its last row is for `START`. The
    label sequences that are `remembered` are histories of states too, so that a state knows whether one just ended.

    >>> built = patterns(2, [(0, 1, 0), (1,)])
    >>> built.history
    ((0,), (1,), (0, 1))
    >>> [built.completed[a] for a in range(len(built.completed)) if built.automaton.src[a] == 2]
    [(0,), (1,)]
    """
    wanted, whole = [tuple(pattern) for pattern in patterns], [tuple(pattern) for pattern in remembered]
    _check_patterns([*wanted, *whole], labels_count)
    prefixes = {pattern[:n] for pattern in wanted for n in range(1, len(pattern))}
    prefixes |= {pattern[:n] for pattern in whole for n in range(1, len(pattern) + 1)}
    prefixes.discard((START,))
    history = sorted(prefixes | {(y,) for y in range(labels_count)}, key=lambda labels: (len(labels), labels))
    number = {labels: s for s, labels in enumerate(history)}
    numbers_of: dict[tuple[int, ...], list[int]] = {}
    for p, pattern in enumerate(wanted):
        numbers_of.setdefault(pattern, []).append(p)

    def ends_of(labels: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [labels[i:] for i in range(len(labels))]

    arcs: list[tuple[int, int]] = []
    completed: list[tuple[int, ...]] = []
    for r, past in [(START, (START,)), *enumerate(history)]:
        for y in range(labels_count):
            if follows is None or follows[past[-1], y]:
                ends = ends_of((*past, y))
                arcs.append((r, next(number[labels] for labels in ends if labels in number)))
                completed.append(tuple(sorted(p for labels in ends for p in numbers_of.get(labels, ()))))
    automaton = _automaton([labels[-1] for labels in history], arcs, [True] * len(history))
    return Patterns(automaton, tuple(history), tuple(completed))


def _check_patterns(wanted: Iterable[tuple[int, ...]], labels_count: int) -> None:
    for pattern in wanted:
        plain = pattern[1:] if pattern[:1] == (START,) else pattern
        if not plain or not all(0 <= y < labels_count for y in plain):
            raise IbidemError(
                f"a pattern is one or more labels from 0 to {labels_count - 1}, after START or not; got {pattern}: "
                "leave it out or correct it"
            )


def _levels(label: str) -> tuple[tuple[str, ...], int]:
    """Return the names of a label's levels, and how many of them continue from the token before (I)."""
    if label == OUTSIDE:
        return (), 0
    tags, names = [], []
    for level in label.split("/"):
        tag, dash, name = level.partition("-")
        if tag not in ("B", "I") or not dash or not name:
            raise IbidemError(f'a level of a nested BIO label is "B-name" or "I-name"; got {level!r} in {label!r}')
        tags.append(tag)
        names.append(name)
    going_on = tags.count("I")
    if "B" in tags[:going_on]:
        raise IbidemError(f"a field that begins (B) has only parts that begin; got {label!r}, with I below B")
    return tuple(names), going_on


def _reach_an_end(final: Sequence[bool], arcs: Iterable[tuple[int, int, int, int]]) -> set[int]:
    """Return the states from which a final state can be reached."""
    before: dict[int, list[int]] = {}
    for r, s, _, _ in arcs:
        before.setdefault(s, []).append(r)
    alive = {s for s, ends in enumerate(final) if ends}
    queue = list(alive)
    while queue:
        fresh = [r for r in before.get(queue.pop(), ()) if r >= 0 and r not in alive]
        alive.update(fresh)
        queue.extend(fresh)
    return alive


def _automaton(label: Sequence[int], arcs: Sequence[tuple[int, int]], final: Sequence[bool]) -> Automaton:
    """Return the automaton with these states and arcs (source, target)."""
    ends = np.array(arcs, dtype=np.int32).reshape(-1, 2)
    return Automaton(
        np.array(label, dtype=np.int32),
        np.ascontiguousarray(ends[:, 0]),
        np.ascontiguousarray(ends[:, 1]),
        np.array(final, dtype=np.bool_),
    )
