"""The model of pairs that ships: `python -m ibidem.coref.shipping` trains and writes it (`make pair-model`).

It learns from eLife's references, whose licence allows it; the works it is scored on have other first authors than
those it learnt from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ibidem.coref.blocking import candidates, recall
from ibidem.coref.elife import PARTS, Cited, cited
from ibidem.coref.linking import link_views
from ibidem.coref.model import WEIGHTS, PairModel
from ibidem.coref.table import Table
from ibidem.coref.training import numbered, train
from ibidem.coref.views import View, view_of
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from ibidem.tasks.partitions import score_partition

Say = Callable[[str], None]

DEV = (0,)
TRAIN = (1, 2, 3, 4)
THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
WORDS = 4_000  # of the background that are kept, the most frequent

CARD: dict[str, Any] = {
    "about": "Whether two references mean one work; logistic regression over measures of likeness",
    "trained on": "eLife's references (CC-BY / CC0) parsed by the model that ships, DOIs as the truth; DOIs, PubMed"
    " numbers and addresses taken out of the strings first",
    "parts": f"works divided by the first author's family name into {PARTS}: trained on {TRAIN}, scored on {DEV}",
    "by hand": "the weights of identifiers, which the strings it learnt from do not have",
    "command": "make pair-model",
}


def views_of(strings: Sequence[Cited]) -> list[View]:
    """The views of strings as the parser that ships reads them."""
    return [view_of(record_of(parsed)) for parsed in parser(None).parse_many(one.text for one in strings)]


def distinct(views: Sequence[View], works: Sequence[str]) -> tuple[list[View], list[str]]:
    """The views without repetitions, with their works."""
    kept = {view: work for view, work in zip(views, works, strict=True) if not view.bare}
    ordered = sorted(kept, key=repr)
    return ordered, [kept[view] for view in ordered]


def trained(strings: Sequence[Cited]) -> PairModel:
    """The model learnt from strings of known works, with the most frequent words as its background."""
    model = train(*distinct(views_of(strings), [one.work for one in strings]))
    frequent = sorted(model.background, key=lambda word: (-model.background[word], word))[:WORDS]
    return replace(model, background={word: model.background[word] for word in sorted(frequent)})


def blocked(views: Sequence[View], works: Sequence[str]) -> dict[str, float]:
    """The share of pairs of one work that blocking proposes, and how many pairs it proposes for each distinct view."""
    once, own = distinct(views, works)
    pairs = candidates(Table(once))
    share = recall(pairs, numbered(own))
    return {"blocking recall": round(share, 4), "candidates": round(len(pairs) / len(once), 2)}


def scored(model: PairModel, views: Sequence[View], works: Sequence[str]) -> list[dict[str, float]]:
    """Precision and recall of pairs at several thresholds, and the share of works found exactly."""
    rows = []
    for threshold in THRESHOLDS:
        node, _, _, _, label = link_views(views, model, threshold)
        found = [int(label[n]) if n >= 0 else -1 - place for place, n in enumerate(node.tolist())]
        score = score_partition(works, found)
        shares = (score.pairs.precision, score.pairs.recall, score.pairs.f1, score.clusters.recall)
        names = ("precision", "recall", "f1", "clusters")
        rows.append({"threshold": threshold} | {k: round(v, 4) for k, v in zip(names, shares, strict=True)})
    return rows


def main(target: Path = WEIGHTS) -> None:
    """Nothing: trains the model that ships and writes it with its scores."""

    def say(words: str) -> None:
        print(words, file=sys.stderr, flush=True)

    known = list(cited())
    learnt = [one for one in known if one.part in TRAIN]
    held = [one for one in known if one.part in DEV]
    say(f"{len(learnt):,} references of {len({one.work for one in learnt}):,} works to learn from")
    model = trained(learnt)
    views = views_of(held)
    works = [one.work for one in held]
    rows = scored(model, views, works)
    dev = {"references": len(held), "works": len(set(works)), **blocked(views, works), "thresholds": rows}
    card = {**CARD, "learnt from": len(learnt), "dev": dev}
    replace(model, card=card).save(target)
    say(f"blocking: recall {dev['blocking recall']}, candidates {dev['candidates']}")
    for row in rows:
        say("  ".join(f"{name} {value:g}" for name, value in row.items()))
    say(f"{len(model.weights):,} weights, {target.stat().st_size:,} bytes in {target}")


if __name__ == "__main__":
    main()
