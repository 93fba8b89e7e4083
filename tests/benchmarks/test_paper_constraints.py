"""Constraints over full labels as Anzaroot 2014 counts them, and the printed algorithms of dual decomposition."""

from __future__ import annotations

import brute
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inference_cases import random_case

from benchmarks.anzaroot_2014.chains import FEATURES, SEGMENTER, features
from benchmarks.anzaroot_2014.paper_constraints import paper_candidates, rename_label
from benchmarks.anzaroot_2014.subgradient import descend
from ibidem.features import features_of
from ibidem.inference.constraints import CompiledConstraints, compile_constraints
from ibidem.models.penalties import count_segments

LABELS = ("O", "B-a/B-x", "I-a/B-x", "I-a/I-x", "I-a", "B-b")


def test_every_label_that_begins_something_is_counted_by_itself():
    renamed = [rename_label(label) for label in LABELS]
    made = paper_candidates(renamed)
    singles = ["count(B-a:B-x) <= 1", "count(B-b) <= 1", "count(I-a:B-x) <= 1"]
    assert [str(one) for one in made["only-one"]] == singles
    found = compile_constraints(made["only-one"], renamed)
    assert found.coefficient.tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0]]
    gold = [rename_label(label) for label in ("B-a/B-x", "I-a/I-x", "I-a/B-x", "B-b", "O")]
    assert count_segments([gold], ["B-a:B-x", "I-a:B-x", "B-b", "*/x", "*/a"]).tolist() == [[1, 1, 1, 2, 1]]


def test_the_templates_have_all_sums_and_differences_of_two_labels_with_bounds_up_to_three():
    made = paper_candidates([rename_label(label) for label in LABELS])
    meanings = {(frozenset(one.terms), one.bound) for one in made["pairwise"]}
    names = ("B-a:B-x", "B-b", "I-a:B-x")
    wanted = set()
    for i in names:
        for j in names:
            for bound in range(4) if i != j else ():
                for sign in (1, -1):
                    wanted |= {(frozenset({(i, 1), (j, sign)}), bound), (frozenset({(i, -1), (j, -sign)}), -bound)}
    assert meanings == wanted
    assert {str(one) for one in made["hierarchical"]} == {
        f"count(*/{i}) - count(*/{j}) {relation} 0"
        for i, j in (("a", "b"), ("a", "x"), ("b", "x"))
        for relation in ("<=", ">=")
    }


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.3, 1.0]), st.booleans())
def test_where_the_printed_algorithm_converges_its_path_is_the_best_of_all(seed, step, hard):
    case = random_case(seed, 3, 1, [4, 1, 3], 2.0, density=1.0, forbidden=0.0)
    if not case.automaton.final.any():
        return
    rng = np.random.default_rng(seed)
    Y = case.potentials.span.shape[2]
    terms = CompiledConstraints(rng.integers(-1, 2, (4, Y)).astype(np.float64), rng.integers(0, 3, 4).astype(float))
    penalty = np.full(4, np.inf) if hard else rng.exponential(2.0, 4)
    found = descend(case.automaton, case.potentials, terms, penalty, step, 40)
    assert (found.iterations[found.converged] <= 40).all() and (found.iterations[~found.converged] == 40).all()
    ends = np.cumsum(case.potentials.lengths)
    for b, span in enumerate(brute.strings(case.potentials)):
        values = {}
        for path in brute.paths(case.automaton, span, case.potentials.arc):
            over = np.maximum(
                terms.excess(np.bincount([case.automaton.label[s] for s in path.states()], minlength=Y)), 0
            )
            values[path.states()] = path.score - float((over[over > 0] * penalty[over > 0]).sum())
        if found.converged[b]:
            states = tuple(found.paths.state[ends[b] - len(span) : ends[b]].tolist())
            assert values[states] == pytest.approx(max(values.values()), abs=1e-4)


def test_features_are_there_again_after_an_ablation():
    context = features_of("references").context
    before = [one.name for one in context]
    kept = [name for name in before if name in FEATURES]
    with features(FEATURES, segmenter=False):
        assert [one.name for one in context] == kept
    with pytest.raises(RuntimeError), features(FEATURES, segmenter=True):
        assert [one.name for one in context] == [*kept, SEGMENTER]
        raise RuntimeError
    assert [one.name for one in context] == before
