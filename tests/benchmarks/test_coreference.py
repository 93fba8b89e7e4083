"""The protocols of the benchmark of linking: every reference is scored once, by a model not trained on its work."""

from __future__ import annotations

import os

import numpy as np
import pytest

from benchmarks.wellner_2004 import coreference
from benchmarks.wellner_2004.cases import cora_file_of, nbest_of_text
from benchmarks.wellner_2004.splits import PROTOCOLS, compare, fit_weights
from ibidem.data.sets.citation_matching import cluster_of
from ibidem.metrics.clustering import score_partition
from ibidem.types import Example

PLACES = "harbour delta lagoon estuary marsh canal jetty weir fjord strait".split()
TEXTS = [
    text
    for k, place in enumerate(PLACES)
    for text in (
        f"Reed{place} A. The slow drift of ferry bells across the {place}. Coast Letters {k}, 19{80 + k}.",
        f"A. Reed{place}, 19{80 + k}. The slow drift of ferry bells across the {place}, Coast Lett. {k}.",
        f"Reed{place}. Slow drift of ferry bells across {place}. In Coast Letters, 19{80 + k}.",
    )
]
WORKS = np.repeat(np.arange(len(PLACES)), 3)
EASY = compare([nbest_of_text(text) for text in TEXTS], WORKS, WORKS % 3)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_easy_works_are_told_apart(protocol):
    split = PROTOCOLS[protocol](EASY, 0)
    found = coreference.cluster_greedily(EASY, split, fit_weights(EASY, split))
    assert score_partition(WORKS.tolist(), found).pairs.f1 > 0.9


@pytest.mark.parametrize(
    ("number", "file"), [(1, "fahlman"), (529, "fahlman"), (530, "kibler"), (1123, "kibler"), (1124, "utgoff")]
)
def test_the_files_of_cora_are_told_by_number(number, file):
    assert cora_file_of(Example("", (), f"cora:{number}:8")) == file


@pytest.mark.skipif(not os.environ.get("IBIDEM_DATA"), reason="no datasets: IBIDEM_DATA is not set")
def test_no_work_of_cora_is_in_two_files():
    files: dict[str, set[str]] = {}
    for example in coreference.examples():
        files.setdefault(cluster_of(example), set()).add(cora_file_of(example))
    assert len(files) == 182 and all(len(found) == 1 for found in files.values())
