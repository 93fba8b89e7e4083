"""Decoding under constraints: what is called the best is the best, and hard constraints are those of an automaton."""

from __future__ import annotations

import brute
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inference_cases import random_case

from ibidem.errors import ConfigError
from ibidem.inference import kbest, product
from ibidem.inference.constraints import (
    CompiledConstraints,
    at_least,
    at_most,
    beginnings,
    compile_constraints,
    contradictions,
    equalities,
    pairs,
    parse_constraint,
    singletons,
)
from ibidem.inference.dual import SoftDual, label_counts
from ibidem.types import Automaton, Potentials

pytestmark = pytest.mark.usefixtures("kernels")


def random_constraints(rng: np.random.Generator, Y: int, count: int) -> CompiledConstraints:
    """Constraints from above and, where the bound is negative, from below."""
    coefficient = rng.integers(-2, 3, (count, Y)).astype(np.float64)
    return CompiledConstraints(coefficient, rng.integers(-2, 3, count).astype(np.float64))


def counts_of(path: brute.Path, automaton, Y: int) -> np.ndarray:
    return np.bincount([automaton.label[state] for _, _, state in path.spans], minlength=Y)


def values(automaton, potentials, constraints: CompiledConstraints, penalty: np.ndarray) -> list[list[float]]:
    """The penalised scores of all paths of each string."""
    Y = potentials.span.shape[2]
    found = []
    for span in brute.strings(potentials):
        each = []
        for path in brute.paths(automaton, span, potentials.arc.astype(np.float64)):
            over = np.maximum(constraints.excess(counts_of(path, automaton, Y)), 0)
            each.append(path.score - float((over[over > 0] * penalty[over > 0]).sum()))
        found.append(each)
    return found


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 2), st.sampled_from([0.5, 3.0]), st.sampled_from(["float32", "float64"])
)
def test_what_is_called_optimal_is_the_best_of_all_paths(seed, L, scale, dtype):
    case = random_case(seed, 3, L, [4, 0, 3, 1], scale, density=1.0, dtype=dtype, forbidden=0.0)
    if not case.automaton.final.any():
        return
    rng = np.random.default_rng(seed)
    constraints = random_constraints(rng, case.potentials.span.shape[2], 4)
    penalty = rng.exponential(scale, 4)
    found = SoftDual(constraints, penalty).decode(case.automaton, case.potentials)
    for string, each in enumerate(values(case.automaton, case.potentials, constraints, penalty)):
        top = max(each)
        assert found.value[string] <= top + 1e-3
        assert found.value[string] + found.gap[string] >= top - 5e-3
        if found.optimal[string]:
            assert found.value[string] == pytest.approx(top, abs=5e-3)


@given(st.integers(0, 2**32 - 1))
def test_when_all_paths_are_looked_through_every_string_is_solved(seed):
    case = random_case(seed, 3, 1, [4, 3], 2.0, density=1.0, forbidden=0.0)
    if not case.automaton.final.any():
        return
    rng = np.random.default_rng(seed)
    Y = case.potentials.span.shape[2]
    constraints = random_constraints(rng, Y, 5)
    penalty = rng.exponential(2.0, 5)
    every = len(case.automaton.label) ** 4  # all the paths that there are
    found = SoftDual(constraints, penalty, several=every).decode(case.automaton, case.potentials)
    assert (found.multipliers >= 0).all() and (found.multipliers <= penalty + 1e-9).all()
    assert found.optimal.all() and (found.gap == 0).all()
    tops = [max(each) for each in values(case.automaton, case.potentials, constraints, penalty)]
    np.testing.assert_allclose(found.value, tops, atol=5e-3)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_the_score_is_that_of_the_path_and_the_value_less_what_it_breaks(seed, L):
    case = random_case(seed, 3, L, [5, 1, 4], 2.0, density=1.0, forbidden=0.0)
    if not case.automaton.final.any():
        return
    rng = np.random.default_rng(seed)
    constraints = random_constraints(rng, case.potentials.span.shape[2], 4)
    penalty = rng.exponential(2.0, 4)
    found = SoftDual(constraints, penalty).decode(case.automaton, case.potentials)
    used = brute.path_counts(case.automaton, case.potentials, found.paths)
    total = (used.span * case.potentials.span).sum() + (used.arc * case.potentials.arc).sum()
    assert found.paths.score.sum() == pytest.approx(float(total), abs=1e-3)
    over = np.maximum(constraints.excess(label_counts(case.automaton, case.potentials, found.paths)), 0)
    np.testing.assert_allclose(found.paths.score - over @ penalty, found.value, atol=1e-3)


@given(st.integers(0, 2**32 - 1))
def test_hard_constraints_hold_wherever_an_answer_is_called_optimal(seed):
    case = random_case(seed, 3, 1, [4, 3], 2.0, density=1.0, forbidden=0.0)
    if not case.automaton.final.any():
        return
    Y = case.potentials.span.shape[2]
    constraints = CompiledConstraints(np.eye(Y)[:1], np.ones(1))  # the first label at most once
    found = SoftDual(constraints, np.full(1, np.inf), iterations=200).decode(case.automaton, case.potentials)
    for string, each in enumerate(values(case.automaton, case.potentials, constraints, np.full(1, np.inf))):
        if found.optimal[string]:
            assert found.value[string] == pytest.approx(max(each), abs=5e-3)


def at_most_one(labels: int) -> Automaton:
    """The automaton of the label sequences in which label 0 appears at most once."""
    before, after = list(range(1, labels)), [labels + y for y in range(labels)]  # states before and from the one 0
    shown = [0, *range(1, labels), *range(labels)]
    arcs = [(-1, s) for s in [*before, after[0]]]
    arcs += [(r, s) for r in before for s in [*before, after[0]]] + [(r, s) for r in after for s in after[1:]]
    src, dst = np.array(arcs, dtype=np.int32).T
    return Automaton(np.array(shown, dtype=np.int32), src.copy(), dst.copy(), np.ones(2 * labels, dtype=np.bool_))


@given(st.integers(0, 2**32 - 1), st.sampled_from([1000.0, np.inf]))
def test_a_penalty_large_enough_is_the_product_with_the_automaton_of_the_constraint(seed, penalty):
    case = random_case(seed, 3, 1, [6, 1, 4], 2.0, density=1.0, forbidden=0.0)
    automaton, potentials = case.automaton, case.potentials
    Y = potentials.span.shape[2]
    if not automaton.final.any() or Y < 2:
        return
    both = product(automaton, at_most_one(Y))
    if not len(both.automaton.label):
        return
    arc = potentials.arc[both.arc[:, 0]]
    wanted = kbest(both.automaton, Potentials(potentials.span, arc, potentials.lengths), 1)
    found = SoftDual(CompiledConstraints(np.eye(Y)[:1], np.ones(1)), np.full(1, penalty), several=5000).decode(
        automaton, potentials
    )
    for string in np.flatnonzero(wanted.count):
        assert found.optimal[string]
        assert found.value[string] == pytest.approx(wanted.score[0, string], abs=5e-3)


def test_a_string_that_keeps_all_constraints_is_decoded_once():
    case = random_case(3, 3, 1, [5, 5], 2.0, density=1.0, forbidden=0.0)
    Y = case.potentials.span.shape[2]
    generous = CompiledConstraints(np.eye(Y), np.full(Y, 9.0))
    found = SoftDual(generous, np.ones(Y)).decode(case.automaton, case.potentials)
    assert found.optimal.all() and (found.iterations == 1).all() and not found.binding.any()


@pytest.mark.parametrize(
    "text",
    [
        "count(title) <= 1",
        "count(journal) - count(pages) <= 0",
        "2 * count(author) + count(*/person) >= 3",
        "-count(a) <= -1",
    ],
)
def test_a_constraint_reads_as_it_is_written(text):
    assert str(parse_constraint(text)) == text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("count(title) <> 1", 14),
        ("title <= 1", 1),
        ("count(title) <= one", 17),
        ("count(title) <= 1 or so", 19),
        ("count(title <= 1", 1),
        ("", 1),
        ("count(a) - count(a) <= 1", 25),
    ],
)
def test_an_error_points_at_the_character(text, place):
    with pytest.raises(ConfigError, match=f"character {place}:") as error:
        parse_constraint(text)
    assert "\n" not in str(error.value)  # the command line folds lines: a mark below would lose its place
    assert str(error.value).endswith(f"not `{text[place - 1 :]}`" if place <= len(text) else "not its end")


def test_constraints_that_cannot_hold_together_are_found():
    one, two, three = (parse_constraint(f"count(a) {rest}") for rest in ("<= 1", ">= 2", "<= 3"))
    assert contradictions([one, two, three]) in ([(one, two)], [(two, one)])
    assert contradictions([one, three]) == []
    assert contradictions([parse_constraint("count(a) <= -1")])


def test_labels_are_counted_at_every_level_where_a_segment_begins():
    labels = ["O", "B-a/B-x", "I-a/B-x", "I-a/I-x", "B-b/B-x"]
    assert beginnings("B-a/B-x") == ["a", "*/a", "a/x", "*/x"]
    found = compile_constraints(
        [parse_constraint("count(a/x) - count(a) <= 0"), parse_constraint("count(*/x) <= 2")], labels
    )
    assert found.coefficient.tolist() == [[0, 0, 1, 0, 0], [0, 1, 1, 0, 1]]
    with pytest.raises(ConfigError, match="'c', which no label has; there are a, a/x, b, b/x"):
        compile_constraints([parse_constraint("count(c) <= 1")], labels)


def test_templates_make_each_constraint_once():
    names = ["a", "b", "c"]
    made = [*singletons(names), *pairs(names), *equalities(["*/a", "*/b"])]
    meanings = {(frozenset(one.terms), one.bound) for one in made}
    assert len(meanings) == len(made) == 3 + 3 * (8 + 8 + 6) + 2
    assert at_most([("a", 1)], 1) in made
    assert at_least([("a", 1), ("b", 1)], 2) in made


@pytest.mark.parametrize("penalty", [[-1.0], [np.nan], [1.0, 2.0]])
def test_penalties_that_mean_nothing_are_refused(penalty):
    with pytest.raises(ConfigError, match="penalty"):
        SoftDual(CompiledConstraints(np.ones((1, 2)), np.ones(1)), np.array(penalty))
