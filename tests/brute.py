"""Enumeration oracles: everything that inference computes, by listing all paths of small cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from itertools import product as cartesian

import numpy as np

from ibidem.inference import Paths
from ibidem.types import Automaton, ExpectedCounts, Potentials


@dataclass(frozen=True)
class Path:
    """One path of one string: its score, its spans (begin, end, state) and its arcs."""

    score: float
    spans: tuple[tuple[int, int, int], ...]
    arcs: tuple[int, ...]

    def states(self) -> tuple[int, ...]:
        """The state of each token."""
        return tuple(s for begin, end, s in self.spans for _ in range(begin, end))

    def starts(self) -> tuple[bool, ...]:
        """Whether a span begins at each token."""
        return tuple(t == begin for begin, end, _ in self.spans for t in range(begin, end))


def strings(potentials: Potentials) -> Iterator[np.ndarray]:
    """The scores of each string in double precision."""
    for end, length in zip(np.cumsum(potentials.lengths), potentials.lengths, strict=True):
        yield potentials.span[end - length : end].astype(np.float64)


def paths(automaton: Automaton, span: np.ndarray, arc: np.ndarray) -> list[Path]:
    """All paths of finite score of one string, best first."""
    T, L, _ = span.shape
    if T == 0:
        return [Path(0.0, (), ())]
    found = []
    todo = [Path(0.0, (), ())]
    while todo:
        path = todo.pop()
        t, last = (path.spans[-1][1], path.spans[-1][2]) if path.spans else (0, -1)
        if t == T:
            if automaton.final[last]:
                found.append(path)
            continue
        for a in np.flatnonzero(automaton.src == last).tolist():
            s = int(automaton.dst[a])
            for d in range(1, min(L, T - t) + 1):
                score = path.score + float(arc[a]) + float(span[t, d - 1, automaton.label[s]])
                if score > -np.inf:
                    todo.append(Path(score, (*path.spans, (t, t + d, s)), (*path.arcs, a)))
    return sorted(found, key=lambda path: -path.score)


def path_counts(automaton: Automaton, potentials: Potentials, found: Paths) -> ExpectedCounts:
    """Count the spans [N, L, Y] and the arcs [A] of one path of each string; a path that there is not is an error."""
    counts = ExpectedCounts(np.zeros(potentials.span.shape), np.zeros(len(automaton.src)))
    number = {pair: a for a, pair in enumerate(zip(automaton.src.tolist(), automaton.dst.tolist(), strict=True))}
    for end, length in zip(np.cumsum(potentials.lengths).tolist(), potentials.lengths.tolist(), strict=True):
        starts = [t for t in range(end - length, end) if found.start[t]]
        assert not length or (starts[0] == end - length and automaton.final[found.state[end - 1]])
        before = -1
        for t, stop in pairwise([*starts, end]):
            state = int(found.state[t])
            assert (found.state[t:stop] == state).all()
            counts.span[t, stop - t - 1, automaton.label[state]] += 1
            counts.arc[number[before, state]] += 1
            before = state
    return counts


def log_total(scores: list[float]) -> float:
    """log Σ exp(score); -inf of nothing."""
    return float(np.logaddexp.reduce(scores)) if scores else -np.inf


def marginals(automaton: Automaton, potentials: Potentials) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The log-partitions [B], chances of spans [N, L, Y] and expected counts of arcs [A]."""
    log_z, spans, arcs = [], np.zeros(potentials.span.shape), np.zeros(len(potentials.arc))
    begin = 0
    for scores in strings(potentials):
        listed = paths(automaton, scores, potentials.arc)
        log_z.append(log_total([path.score for path in listed]))
        for path in listed:
            chance = np.exp(path.score - log_z[-1])
            for t, end, s in path.spans:
                spans[begin + t, end - t - 1, automaton.label[s]] += chance
            np.add.at(arcs, list(path.arcs), chance)
        begin += len(scores)
    return np.array(log_z), spans, arcs


def segment_mass(
    automaton: Automaton, potentials: Potentials, segments: np.ndarray, first: np.ndarray, inside: np.ndarray
) -> np.ndarray:
    """The log-probability of each segment [M]."""
    mass = []
    everything = [paths(automaton, scores, potentials.arc) for scores in strings(potentials)]
    for b, start, end, mask in segments:
        hits = []
        for path in everything[b]:
            states = path.states()
            good = first[mask, states[start]] and all(inside[mask, s] for s in states[start + 1 : end])
            if good and not (end < len(states) and inside[mask, states[end]]):
                hits.append(path.score)
        mass.append(log_total(hits) - log_total([path.score for path in everything[b]]) if hits else -np.inf)
    return np.array(mass)


def label_sequences(automaton: Automaton, length: int) -> list[tuple[int, ...]]:
    """The label sequences of that length that the automaton accepts, one for each path, sorted."""
    alive = [((int(automaton.label[s]),), int(s)) for s in automaton.dst[automaton.src < 0]]
    for _ in range(length - 1):
        alive = [
            ((*labels, int(automaton.label[s])), int(s))
            for labels, r in alive
            for s in automaton.dst[automaton.src == r]
        ]
    return sorted(labels for labels, s in alive if automaton.final[s])


def nested_bio_is_valid(labels: tuple[str, ...]) -> bool:
    """Whether a sequence of nested BIO labels can be read, token by token, as fields within fields."""
    open_fields: list[str] = []
    for label in labels:
        levels = [] if label == "O" else [level.split("-", 1) for level in label.split("/")]
        now: list[str] = []
        fresh = False
        for depth, (tag, name) in enumerate(levels):
            if tag == "I" and (fresh or depth >= len(open_fields) or open_fields[depth] != name):
                return False
            fresh = fresh or tag == "B"
            now.append(name)
        open_fields = now
    return True


def pattern_count(labels: tuple[int, ...], pattern: tuple[int, ...]) -> int:
    """How often the pattern stands in the labels."""
    return sum(labels[i : i + len(pattern)] == pattern for i in range(len(labels)))


def all_sequences(count: int, length: int) -> list[tuple[int, ...]]:
    """All sequences of `length` numbers below `count`."""
    return list(cartesian(range(count), repeat=length))


def best_partition(count: int, weight: dict[tuple[int, int], float], absent: float) -> float:
    """The highest worth of any partition of up to some ten references, over all subsets that hold the first."""
    from functools import lru_cache

    def within(members: tuple[int, ...]) -> float:
        return sum(weight.get((a, b), absent) for k, a in enumerate(members) for b in members[k + 1 :])

    @lru_cache(None)
    def best(rest: tuple[int, ...]) -> float:
        if not rest:
            return 0.0
        first, others = rest[0], rest[1:]
        found = []
        for chosen in range(1 << len(others)):
            part = (first, *(o for k, o in enumerate(others) if chosen >> k & 1))
            left = tuple(o for k, o in enumerate(others) if not chosen >> k & 1)
            found.append(within(part) + best(left))
        return max(found)

    return best(tuple(range(count)))
