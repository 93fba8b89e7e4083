"""Errors by uncertainty: of all references the usual pair F1, and of a third the pairs that one of it is in."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.wellner_2004.coreference_uncertain import misread, pair_errors, share_misread, thirds_by
from ibidem.metrics.clustering import score_partition
from ibidem.types import Annotation, Example

LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 1)), min_size=2, max_size=8)


@given(LABELS)
def test_the_error_is_that_of_the_pairs_with_a_reference_of_the_group(labels):
    works, parts, group = (list(each) for each in zip(*labels, strict=True))
    right, gold, found = [0.0] * 3, [0.0] * 3, [0.0] * 3
    for a, b in combinations(range(len(works)), 2):
        for number in (0, group[a] + 1, group[b] + 1):
            share = 1.0 if number == 0 else 0.5
            right[number] += share * (works[a] == works[b] and parts[a] == parts[b])
            gold[number] += share * (works[a] == works[b])
            found[number] += share * (parts[a] == parts[b])
    expected = [100 - 200 * r / (g + f) if g + f else 0.0 for r, g, f in zip(right, gold, found, strict=True)]
    errors = pair_errors(works, parts, np.array(group))
    assert errors == pytest.approx(expected[: len(errors)])
    score = score_partition(works, parts).pairs
    if gold[0] and found[0]:
        assert errors[0] == pytest.approx(100 - 100 * score.f1)


def test_thirds_go_from_the_most_confident_to_the_least():
    assert thirds_by(np.array([0.1, 0.9, 0.5, 0.8, 0.2, 0.6])).tolist() == [2, 0, 1, 0, 2, 1]


def test_misread_characters_are_few_and_the_same_at_every_call():
    text = "Reed A. The slow drift of ferry bells across the inner lagoon. Coast Letters 12, 1987. " * 5
    given = [Example(text, (Annotation("title", 8, 61),), f"toy:{number}:1") for number in range(40)]
    found = misread(given)
    assert found == misread(given)
    assert 0.01 < share_misread(given, found) < 0.04
    assert len({example.text for example in found}) == 40
