"""The figures that the sets' publishers give, on the data itself where it is at hand."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice, pairwise

import numpy as np
import pytest

from ibidem.data.catalogue import DATASETS
from ibidem.data.decontamination import Blocklist, hash_text, normalise
from ibidem.data.registry import BY_DOCUMENT, data_folder, load, load_unified
from ibidem.data.sets.citation_matching import cluster_of
from ibidem.data.verify import verify
from ibidem.labels.bio import labels_of
from ibidem.labels.tasks import known_only, task_of
from ibidem.text.tokens import tokenise
from ibidem.types import Example, Malformed
from tests.labels.test_bio import ALL, allowed_sets, has_a_path

pytestmark = pytest.mark.skipif(not os.environ.get("IBIDEM_DATA"), reason="IBIDEM_DATA names no folder with datasets")

LARGE = {"elife", "elife-sections", "elife-outlines", "elife-authors", "medline", "dblp", "bibliographies"} | {
    name for name, data in DATASETS.items() if any((file.expected or 0) > 10_000 for file in data.files)
}
KNOWN_TO_DIFFER = {("excite", "excite/de"), ("grobid-affiliation", "grobid/affiliation.tar.gz")}


@pytest.mark.parametrize("name", [name for name in DATASETS if name not in LARGE])
def test_the_counts_are_those_published(name):
    for report in verify([name]):
        assert report.state == "ok", report.path
        assert report.agrees is not False or (report.dataset, report.path) in KNOWN_TO_DIFFER, report


@pytest.mark.parametrize("name", sorted(LARGE))
def test_large_sets_have_countable_items(name):
    data = DATASETS[name]
    for file in data.files:
        if file.read:
            count = data.units()
            items = (item for item in file.read(data_folder() / file.path) if not isinstance(item, Malformed))
            assert sum(map(count, islice(items, 200))) > 0


@pytest.mark.parametrize("name", [name for name, data in DATASETS.items() if data.split_rule is BY_DOCUMENT])
def test_every_split_of_a_set_that_is_split_by_document_has_strings(name):
    choose = DATASETS[name].split_rule.choose
    counts = Counter(choose(0, example) for example in load(name) if isinstance(example, Example))
    assert all(0.02 < counts[split] / sum(counts.values()) < 0.1 for split in ("dev", "test")), counts


def test_umass_has_nineteen_malformed_lines():
    assert sum(report.malformed for report in verify(["umass-nested"])) == 19


def test_parscit_is_split_as_in_the_paper():
    assert [len(list(load("parscit", split))) for split in ("train", "test")] == [883, 501]


def test_cora_and_citeseer_clusters():
    sizes = Counter(cluster_of(example) for example in load("cora"))
    assert (len(sizes), max(sizes.values()), sum(size == 1 for size in sizes.values())) == (182, 238, 64)
    topics = Counter(example.source.split(":")[1] for example in load("citeseer"))
    assert sorted(topics.values()) == [295, 348, 406, 514]


@pytest.mark.parametrize(
    "name", [name for name, data in DATASETS.items() if data.unified and data.task == "references"]
)
def test_mapped_annotations_nest_and_leave_a_valid_path(name):
    data = DATASETS[name]
    for item in islice(load_unified(name), 300):
        if not isinstance(item, Example):
            continue
        tokens = item.tokens or tokenise(item.text)
        labels, _ = labels_of(tokens, item.annotations)
        allowed = allowed_sets(tokens, item, ALL, data.uncertain_boundaries)
        assert has_a_path(allowed), item
        known = np.array([label in ALL for label in labels])
        exact = [allowed[t, ALL.index(label)] for t, label in enumerate(labels) if known[t]]
        assert all(exact), item


@pytest.mark.parametrize("name", [name for name, data in DATASETS.items() if data.task != "references"])
def test_sets_of_other_tasks_have_the_labels_of_their_task(name):
    task = task_of(DATASETS[name].task)
    items = [item for item in islice(load_unified(name), 500) if isinstance(item, Example)]
    assert items and not known_only(items, task)[1]
    for item in items:
        tokens = item.tokens or task.tokenise(item.text)
        assert all(token.text == item.text[token.start : token.end] for token in tokens)
        assert all(before.end <= after.start for before, after in pairwise(item.annotations))


def test_the_pool_of_parscit_is_in_other_sets_too():
    blocked = Blocklist.from_examples(load("grobid-citation"))
    texts = [example.text for example in load("parscit-tagged") if isinstance(example, Example)]
    exact, near = (
        sum(hash_text(normalise(text)) in blocked.strings for text in texts),
        sum(map(blocked.contains, texts)),
    )
    assert 1000 <= exact <= near
