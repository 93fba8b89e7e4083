"""Linking of eLife's references: strings in hundreds of styles, with DOIs as gold standard.

The pairwise matcher is the default one. The works scored here have other first authors than those it was trained on and
those its threshold and confidence were fitted on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import one_core, say
from ibidem.linking.blocking import recall
from ibidem.linking.comparison import ComparisonFields, comparison_fields
from ibidem.linking.confidence import cluster_confidence
from ibidem.linking.matcher import default_matcher
from ibidem.linking.works import link_rows
from ibidem.metrics.calibration import measure_calibration
from ibidem.metrics.clustering import score_partition
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from tools.weights.elife_works import Cited, read_citations
from tools.weights.matcher import DEV, TRAIN, clusters_of, exactly_right
from tools.weights.matcher_training import number_works

SAMPLE = 50_000
_MANY = 10_000  # strings that times are given for


@benchmark("coreference-elife", "Linking of eLife's references: pair F1, blocking and seconds, 50,000 strings and all")
def coreference_elife() -> Outcome:
    """Score 50,000 strings of works that were not used in training, and all such strings."""
    known = [one for one in read_citations() if one.part not in {*DEV, *TRAIN}]
    known.sort(key=lambda one: one.part)
    say(f"{len(known):,} strings to parse")
    views, seconds = compute_views(known)
    rows = [row for count in (SAMPLE, len(known)) for row in score_strings(known[:count], views[:count], seconds)]
    corrected = sum(one.given != one.work for one in known)
    works = len({one.work for one in known})
    data = (
        f"References of eLife, {len(known):,} strings of {works:,} works, DOIs as gold standard, removed from the"
        f" strings; {corrected:,} DOIs corrected by the publisher's tags; seconds on one core, from records to works"
    )
    return data, rows


def compute_views(known: Sequence[Cited]) -> tuple[list[ComparisonFields], float]:
    """Return the views of strings as the default model parses them, and the seconds per view."""
    views, elapsed = [], 0.0
    for number, parsed in enumerate(parser(None).parse_many(one.text for one in known), 1):
        record = record_of(parsed)
        began = time.process_time()
        views.append(comparison_fields(record))
        elapsed += time.process_time() - began
        if number % _MANY == 0:
            say(f"  {number:,} parsed")
    return views, elapsed / max(1, len(views))


def score_strings(known: Sequence[Cited], views: Sequence[ComparisonFields], view_seconds: float) -> list[Result]:
    """Score the linking of some strings; `view_seconds` is the time of one view, which is part of linking."""
    model = default_matcher()
    with one_core():
        began = time.process_time()
        node, table, pairs, scores, label = link_rows(views, model)
        confidence = cluster_confidence(label, pairs, scores, model.confidence)
        seconds = time.process_time() - began + view_seconds * len(views)
    clusters = clusters_of(node, label)
    works = [one.work for one in known]
    score, as_given = score_partition(works, clusters), score_partition([one.given for one in known], clusters)
    own = np.zeros(len(table), dtype=np.int64)
    own[node[node >= 0]] = number_works(works)[node >= 0]
    right = exactly_right(works, clusters)
    error = measure_calibration(confidence, [right[part] for part in range(len(confidence))]).error
    row = f"{len(known):,} strings"
    say(f"{row}: pair F1 {100 * score.pairs.f1:.2f}, {_MANY * seconds / len(known):.2f} s per {_MANY:,}")
    measured = (
        ("pair precision", 100 * score.pairs.precision, None),
        ("pair recall", 100 * score.pairs.recall, None),
        ("pair F1", 100 * score.pairs.f1, 99.0),
        ("pair F1, DOIs as given", 100 * as_given.pairs.f1, None),
        ("works exactly right, %", 100 * score.clusters.recall, None),
        ("B-cubed F1", 100 * score.b_cubed.f1, None),
        ("blocking: pair recall", 100 * recall(pairs, own), 99.5),
        ("blocking: candidates per string", len(pairs) / len(table), 5.0),
        ("calibration error of works", 100 * error, None),
        (f"seconds for {_MANY:,}", _MANY * seconds / len(known), 3.0),
    )
    return [Result(row, metric, None, value, bar=bar) for metric, value, bar in measured]
