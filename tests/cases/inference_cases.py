"""Small random automata and scores, for the laws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from ibidem.types import Automaton, Potentials


@dataclass(frozen=True)
class Case:
    """An automaton, and scores for it."""

    automaton: Automaton
    potentials: Potentials


def random_case(
    seed: int, S: int, L: int, lengths: list[int], scale: float = 2.0, density: float = 0.6, dtype: str = "float64",
    forbidden: float = 0.1,
) -> Case:  # fmt: skip
    """A case with dead states, several states of one label and forbidden spans and arcs."""
    rng = np.random.default_rng(seed)
    Y = int(rng.integers(max(1, S - 2), S + 1))
    pairs = [(r, s) for r in range(-1, S) for s in range(S) if rng.random() < density]
    rng.shuffle(pairs)
    ends = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    label = np.arange(S) if Y == S else rng.integers(0, Y, S)
    automaton = Automaton(
        label.astype(np.int32), ends[:, 0].copy(), ends[:, 1].copy(), np.asarray(rng.random(S) < 0.8, dtype=np.bool_)
    )
    span = rng.normal(scale=scale, size=(sum(lengths), L, Y)).astype(dtype)
    span[rng.random(span.shape) < forbidden] = -np.inf
    arc = rng.normal(scale=scale / 2, size=len(ends)).astype(dtype)
    arc[rng.random(arc.shape) < forbidden / 2] = -np.inf
    return Case(automaton, Potentials(span, arc, np.array(lengths, dtype=np.int32)))


def cases(longest: int = 3, scale: float = 2.0, dtype: str = "float64") -> st.SearchStrategy[Case]:
    """Batches of up to three strings of up to four tokens, up to four states."""
    return st.builds(
        random_case,
        seed=st.integers(0, 2**32 - 1),
        S=st.integers(1, 4),
        L=st.integers(1, longest),
        lengths=st.lists(st.integers(0, 4), min_size=0, max_size=3),
        scale=st.just(scale),
        density=st.sampled_from([0.3, 0.6, 1.0]),
        dtype=st.just(dtype),
        forbidden=st.sampled_from([0.0, 0.1, 0.3]),
    )
