"""Laws of the closed loop: the objective never falls, and every reference is in one work, read in one of its ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linking_cases import STRINGS, TRUE

import ibidem
from ibidem.linking.blocking import candidates
from ibidem.linking.clustering import ABSENT, objective
from ibidem.linking.joint.entities import EntityModel
from ibidem.linking.joint.loop import members_by_cluster, nbest_reference, solve, table_of
from ibidem.linking.matcher import default_matcher

REFERENCES = [nbest_reference(parsed, 4) for parsed in ibidem.parse_many(STRINGS, alternatives=3)]
PAIRS = candidates(table_of(REFERENCES))
WEIGHTS = st.fixed_dictionaries(
    {name: st.floats(-3, 3) for name in ("any.same", "any.edit", "any.missing", "any.extra", "words.together")}
    | {"chance": st.floats(0, 2)}
)


def score_pairs(table):
    return default_matcher().score(table, PAIRS)


@settings(max_examples=15, deadline=None)
@given(WEIGHTS, st.floats(-3, 3))
def test_the_objective_never_falls(weights, shift):
    found = solve(REFERENCES, PAIRS, lambda table: score_pairs(table) + shift, EntityModel(weights))
    rounds = [each.objective for each in found.rounds]
    assert rounds == sorted(rounds)
    assert found.rounds[-1].pairs == pytest.approx(objective(found.label, PAIRS, found.weights, ABSENT))
    assert all(0 <= chosen < len(one.parses) for chosen, one in zip(found.chosen.tolist(), REFERENCES, strict=True))


def test_the_invented_works_are_found_and_what_stands_alone_keeps_its_labelling():
    found = solve(REFERENCES, PAIRS, score_pairs, EntityModel({"any.same": 1.0, "chance": 1.0}))
    assert {frozenset(part) for _, part in members_by_cluster(found.label)} == {
        frozenset(k for k, work in enumerate(TRUE) if work == number) for number in set(TRUE)
    }
    alone = [k for k, size in enumerate(np.bincount(found.label)[found.label]) if size == 1]
    assert alone and all(found.chosen[k] == 0 for k in alone)
    assert set(found.attributes) == {part for part, members in members_by_cluster(found.label) if len(members) > 1}


def test_without_rounds_there_is_one_and_no_loop():
    assert len(solve(REFERENCES, PAIRS, score_pairs, EntityModel({"chance": 1.0}), rounds=0).rounds) == 1
