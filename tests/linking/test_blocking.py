"""Which pairs are proposed: all that matter, never too many."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from linking_cases import STRINGS, TRUE

from ibidem.linking.blocking import WINDOW, BlockingConfig, candidates
from ibidem.linking.comparison import ComparisonFields, comparison_fields_of_text
from ibidem.linking.table import Table

WORD = st.sampled_from("reed drift bells ferry pilots lantern drum signal 2019 1999 14".split())


def table_of(texts):
    return Table([comparison_fields_of_text(text) for text in texts])


def proposed(texts, config=None):
    pairs = candidates(table_of(texts), config)
    return {frozenset((texts[a], texts[b])) for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}


def test_references_of_one_work_are_proposed():
    pairs = candidates(table_of(STRINGS))
    found = set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    wanted = {(a, b) for a in range(len(TRUE)) for b in range(a + 1, len(TRUE)) if TRUE[a] == TRUE[b]}
    assert wanted <= found


@given(st.lists(st.lists(WORD, min_size=3, max_size=7).map(" ".join), unique=True, max_size=12), st.randoms())
def test_the_order_of_the_input_does_not_matter(texts, random):
    shuffled = random.sample(texts, len(texts))
    assert proposed(texts) == proposed(shuffled)


@given(st.lists(st.lists(WORD, min_size=1, max_size=7).map(" ".join), max_size=12))
def test_a_pair_is_proposed_once_and_never_with_itself(texts):
    pairs = candidates(table_of(texts))
    assert (pairs.left < pairs.right).all()
    assert len(set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))) == len(pairs)


def test_a_key_that_all_share_brings_neighbours_only():
    rows = [
        ComparisonFields(f"drift of bells number {k}", "drift of bells", people=(("reed", "a"),), year=2019)
        for k in range(3000)
    ]
    config = BlockingConfig(free=0, budget=10)
    pairs = candidates(Table(rows), config)
    keys = config.rare_words + config.bands + 2
    assert len(pairs) <= len(rows) * WINDOW * keys


def test_nothing_and_one_make_no_pairs():
    for texts in ([], ["Reed A. Drift of bells."], ["", ""]):
        assert len(candidates(table_of(texts))) == 0
        assert candidates(table_of(texts)).left.dtype == np.int64
