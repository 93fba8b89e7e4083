"""The protocols of the benchmark of linking: every reference is scored once, by a model that did not see its work."""

from __future__ import annotations

import os

import numpy as np
import pytest

pytest.importorskip("scipy", reason="linking needs the extra `link`")
pytest.importorskip("rapidfuzz", reason="linking needs the extra `link`")

from ibidem.app.benchmarks import coreference
from ibidem.coref.views import view_of_text
from ibidem.tasks.readers.clusters import CORA_FILES, cluster_of, cora_file_of
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
VIEWS = [view_of_text(text) for text in TEXTS]
FILES = [CORA_FILES[work % 3] for work in WORKS.tolist()]


@pytest.mark.parametrize("protocol", ["within", "pool"])
def test_easy_works_are_told_apart(protocol):
    assert getattr(coreference, protocol)(VIEWS, WORKS, 0).pairs.f1 > 0.9


def test_easy_works_of_other_files_are_told_apart():
    assert coreference.section(VIEWS, WORKS, 0, FILES).pairs.f1 > 0.9


def test_works_are_dealt_out_whole(monkeypatch):
    seen = []

    def watch(views, works, learnt, held):
        seen.append((set(works[learnt].tolist()), set(works[held].tolist()), held))
        return list(range(len(held)))

    monkeypatch.setattr(coreference, "_tested", watch)
    coreference.within(VIEWS, WORKS, 1)
    assert all(not learnt & held for learnt, held, _ in seen)
    assert sorted(np.concatenate([held for _, _, held in seen]).tolist()) == list(range(len(VIEWS)))


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
