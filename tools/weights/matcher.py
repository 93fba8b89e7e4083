"""Train the default pairwise matcher and write it: `python -m tools.weights.matcher`, or `make pair-model`.

It is trained on eLife's references, whose licence allows it; the works it is scored on have other first authors than
those it is trained on.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.linking.blocking import Pairs, candidates, recall
from ibidem.linking.clustering import cluster
from ibidem.linking.comparison import ComparisonFields, comparison_fields
from ibidem.linking.confidence import CLUSTER_FEATURES, cluster_features
from ibidem.linking.matcher import WEIGHTS, PairwiseMatcher
from ibidem.linking.table import Table
from ibidem.linking.vectors import Doubles, Ints
from ibidem.linking.works import link_rows
from ibidem.metrics.clustering import score_partition
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from tools.weights.elife_works import PARTS, Cited, read_citations
from tools.weights.matcher_training import PairConfig, fit, number_works, train

Found = tuple[Ints, Table, Pairs, Doubles, Ints]
"""The result of `link_views`."""

DEV = (0,)
TRAIN = (1, 2, 3, 4)
THRESHOLDS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

CARD: dict[str, Any] = {
    "about": "Whether two references are to one work; logistic regression over similarity features",
    "trained on": "eLife's references (CC-BY / CC0) parsed by the default model, DOIs as gold standard; DOIs, PubMed"
    " numbers and URLs removed from the strings first",
    "parts": f"works split by the first author's family name into {PARTS}: trained on {TRAIN}, scored on {DEV}",
    "truth": "DOIs as given, corrected where the publisher's tags show an error (tools.weights.elife_works)",
    "threshold": "the one with the best mean of pair F1 and works found exactly on the works it is scored on",
    "confidence": "the probability that a work is exactly right, by a logistic regression fitted on the same works",
    "by hand": "the weights of identifiers, which the training strings do not have",
    "command": "make pair-model",
}


def views_of(strings: Sequence[Cited]) -> list[ComparisonFields]:
    """Return the views of strings as the default model parses them."""
    return [comparison_fields(record_of(parsed)) for parsed in parser(None).parse_many(one.text for one in strings)]


def distinct(views: Sequence[ComparisonFields], works: Sequence[str]) -> tuple[list[ComparisonFields], list[str]]:
    """Return the distinct views with their works."""
    kept = {view: work for view, work in zip(views, works, strict=True) if not view.bare}
    ordered = sorted(kept, key=repr)
    return ordered, [kept[view] for view in ordered]


def score_blocking(views: Sequence[ComparisonFields], works: Sequence[str]) -> dict[str, float]:
    """Return the pair recall of blocking and the number of candidate pairs per distinct view."""
    once, own = distinct(views, works)
    pairs = candidates(Table(once))
    share = recall(pairs, number_works(own))
    return {"blocking recall": round(share, 4), "candidates": round(len(pairs) / len(once), 2)}


def score_thresholds(found: Found, works: Sequence[str]) -> list[dict[str, float]]:
    """Return pair precision, recall and F1 at several thresholds, and the share of works found exactly."""
    rows = []
    for threshold in THRESHOLDS:
        score = score_partition(works, clusters_of(found[0], cluster(len(found[1]), *found[2:4], threshold)))
        shares = (score.pairs.precision, score.pairs.recall, score.pairs.f1, score.clusters.recall)
        names = ("precision", "recall", "f1", "clusters")
        rows.append({"threshold": threshold} | {k: round(v, 5) for k, v in zip(names, shares, strict=True)})
    return rows


def clusters_of(node: Ints, label: Ints) -> list[int]:
    """Return a number for the work of each reference."""
    return [int(label[n]) if n >= 0 else -1 - place for place, n in enumerate(node.tolist())]


def choose_threshold(rows: Sequence[Mapping[str, float]]) -> float:
    """Return the threshold with the best mean of pair F1, which few large works dominate, and works found exactly."""
    return max(rows, key=lambda row: (row["f1"] + row["clusters"], -abs(row["threshold"] - 0.5)))["threshold"]


def exactly_right(works: Sequence[str], clusters: Sequence[int]) -> dict[int, bool]:
    """Return whether each cluster is a work with all its references and no others."""
    true, mine = Counter(works), Counter(clusters)
    both = Counter(zip(works, clusters, strict=True))
    return {cluster: size == true[work] == mine[cluster] for (work, cluster), size in both.items()}


def fit_confidence(found: Found, works: Sequence[str], threshold: float) -> dict[str, float]:
    """Fit the weights of the confidence of a work to known works."""
    node, table, pairs, scores, _ = found
    label = cluster(len(table), pairs, scores, threshold)
    right = exactly_right(works, clusters_of(node, label))
    values = cluster_features(label, pairs, scores)
    truth = np.array([right[part] for part in range(len(values))], dtype=np.bool_)
    weights, bias = fit(values.astype(np.float32), truth, replace(PairConfig(), penalty=0.1))
    named = zip(CLUSTER_FEATURES, weights.tolist(), strict=True)
    return {name: round(value, 4) for name, value in named} | {"bias": round(bias, 4)}


def finish(model: PairwiseMatcher, views: Sequence[ComparisonFields], works: Sequence[str]) -> PairwiseMatcher:
    """Return the model with its threshold, confidence and scores, all by works that it was not trained on."""
    found = link_rows(views, model)
    rows = score_thresholds(found, works)
    threshold = choose_threshold(rows)
    dev = {"references": len(works), "works": len(set(works)), **score_blocking(views, works), "thresholds": rows}
    confidence = fit_confidence(found, works, threshold)
    return replace(
        model, threshold=threshold, confidence=confidence, card={**CARD, "learnt from": model.documents, "dev": dev}
    )


def main(target: Path = WEIGHTS) -> None:
    """Train the default matcher and write it with its scores."""

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    known = read_citations()
    training = [one for one in known if one.part in TRAIN]
    held = [one for one in known if one.part in DEV]
    say(f"{len(training):,} references of {len({one.work for one in training}):,} works to train on")
    model = train(*distinct(views_of(training), [one.work for one in training]))
    model = finish(model, views_of(held), [one.work for one in held])
    model.save(target)
    for row in model.card["dev"]["thresholds"]:
        say("  ".join(f"{name} {value:g}" for name, value in row.items()))
    say(f"blocking: recall {model.card['dev']['blocking recall']}, candidates {model.card['dev']['candidates']}")
    say(f"threshold {model.threshold:g}, {len(model.weights):,} weights, {target.stat().st_size:,} bytes in {target}")


if __name__ == "__main__":
    main()
