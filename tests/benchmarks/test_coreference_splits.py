"""The splits of the coreference benchmarks: no test data in training."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.wellner_2004.splits import PROTOCOLS, choose_by_oracle, compare, every_labelling
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.joint.nbest import merge_nbest

TITLES = ("drift of bells at sea", "salivary markers of pilots", "tides of the inner delta", "the grammar of signals")


def labellings(work, number):
    title = f"{TITLES[work % 4]} part {work}"
    text = f"reed {title} harbour notes {1980 + work} copy {number}"
    return merge_nbest(
        [ComparisonFields(text, title=title, year=1980 + work), ComparisonFields(text, title=title + " harbour")],
        [0.7, 0.3],
    )


WORKS = np.repeat(np.arange(24), 3)
FIXED_WEIGHTS = compare([labellings(w, k) for k, w in enumerate(WORKS.tolist())], WORKS, WORKS % 3)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("seed", [0, 1])
def test_no_model_is_trained_on_a_work_that_it_scores(protocol, seed):
    split = PROTOCOLS[protocol](FIXED_WEIGHTS, seed)
    for k, part in enumerate(split.part.tolist()):
        if part >= 0:
            training = set(FIXED_WEIGHTS.own[split.training[part]].tolist())
            assert not training & {
                int(FIXED_WEIGHTS.own[FIXED_WEIGHTS.pairs.left[k]]),
                int(FIXED_WEIGHTS.own[FIXED_WEIGHTS.pairs.right[k]]),
            }


def test_in_the_pool_every_pair_is_scored():
    assert (PROTOCOLS["pool"](FIXED_WEIGHTS, 0).part >= 0).all()


def test_an_oracle_takes_the_highest_of_one_work_and_the_lowest_of_two():
    pair = np.array([0, 0, 1, 1, 1])
    scores = np.array([1.0, 2.0, 3.0, -1.0, 0.0])
    assert choose_by_oracle(scores, pair, np.array([True, False])).tolist() == [2.0, -1.0]


def test_every_pair_of_labellings_is_there():
    pair, values = every_labelling(FIXED_WEIGHTS)
    assert len(pair) == len(values) == 4 * len(FIXED_WEIGHTS.pairs)
    weight = np.outer([0.7, 0.3], [0.7, 0.3]).ravel().astype(np.float32)
    np.testing.assert_allclose((values[:4] * weight[:, None]).sum(axis=0), FIXED_WEIGHTS.values[0], atol=1e-4)
