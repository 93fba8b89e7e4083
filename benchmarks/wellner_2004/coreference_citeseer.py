"""CiteSeer's four sections, the data of Wellner et al. 2004: trained on three, tested on the fourth, works silver.

The gold works of this set are no longer public; silver works are inferred by a rule over titles and authors, so the
results measure agreement with that rule and not with the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import train_parser
from benchmarks.support.timing import say
from benchmarks.wellner_2004.cases import CHAIN, Case, citeseer_cases, citeseer_view, nbest_of_text, reads_of
from benchmarks.wellner_2004.phrase_matching import cluster_by_phrases
from benchmarks.wellner_2004.splits import Compared, Split, cluster, compare, fit_weights, score_rows
from ibidem.linking.joint.nbest import NBest, merge_nbest
from ibidem.linking.vectors import Ints
from ibidem.metrics.clustering import score_partition
from ibidem.types import Field, Parsed

BEST = (1, 3, 5, 7, 9)


def _true(case: Case) -> Parsed:
    annotations = case.example.annotations
    return Parsed(
        case.text, tuple(Field(m.label, case.text[m.start : m.end], m.start, m.end, 1.0) for m in annotations), 1.0
    )


def _label(cases: Sequence[Case], section: Ints) -> dict[str, list[NBest]]:
    """Return the n-best labellings of all references, each by a chain trained on the other sections."""
    found: dict[str, list[NBest]] = {f"N = {count}": [()] * len(cases) for count in BEST}
    for held in range(int(section.max()) + 1):
        training = [case.example for case, own in zip(cases, section.tolist(), strict=True) if own != held]
        places = np.flatnonzero(section == held).tolist()
        reads = reads_of(
            train_parser(training, CHAIN, lambda _: None), [cases[k] for k in places], max(BEST), citeseer_view
        )
        say(f"section {held + 1} labelled")
        for place, one in zip(places, reads, strict=True):
            confidences = [parsed.confidence for parsed in one.parses]
            for count in BEST:
                found[f"N = {count}"][place] = merge_nbest(one.fields[:count], confidences[:count])
    return found


def _split(given: Compared) -> Split:
    left, right = given.source[given.pairs.left], given.source[given.pairs.right]
    training = [given.source != k for k in range(int(given.source.max()) + 1)]
    return Split(given.source, training, np.where(left == right, left, -1))


@benchmark("coreference-citeseer", "Linking of CiteSeer's four sections, against silver works")
def coreference_citeseer() -> Outcome:
    """Score each section and segmentation."""
    cases = citeseer_cases()
    names, section = np.unique([case.section for case in cases], return_inverse=True)
    works = np.array([case.work for case in cases], dtype=np.int64)
    kinds: dict[str, list[NBest]] = {
        "no segmentation": [nbest_of_text(case.text) for case in cases],
        **_label(cases, section.astype(np.int64)),
        "true segmentation": [((citeseer_view(_true(case)), 1.0),) for case in cases],
    }
    rows: list[Result] = []
    for kind, readings in kinds.items():
        given = compare(readings, works, section.astype(np.int64))
        split = _split(given)
        found = {kind: cluster(given, split, score_rows(fit_weights(given, split), split, given.values))}
        if kind == "no segmentation":
            found["no segmentation, phrase matching"] = cluster_by_phrases(given, split)
        for (system, parts), (number, name) in product(found.items(), enumerate(names.tolist())):
            here = np.flatnonzero(section == number).tolist()
            score = score_partition([int(works[k]) for k in here], [parts[k] for k in here])
            row = f"{name} (silver), {system}"
            rows.append(Result(row, "pair F1", None, 100 * score.pairs.f1))
            rows.append(Result(row, "cluster recall", None, 100 * score.clusters.recall))
        say(f"{kind}: " + ", ".join(f"{row.ours:.2f}" for row in rows[-2 * len(names) * len(found) :]))
    data = (
        f"{len(cases):,} distinct strings of CiteSeer in four sections; works are silver: inferred by a rule, not"
        " annotated; pairwise matchers and chains trained on the three other sections"
    )
    return data, rows
