"""Train the default potentials between works and citations, and write them.

`python -m tools.weights.entities`, or `make entity-model`. They are trained on references of eLife, whose fields and
DOIs are known. The parser was trained on about one in six of them, so its confidence is a little higher there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.data import registry
from ibidem.linking.joint.entities import WEIGHTS, EntityModel, citation_of
from ibidem.metrics.significance import mcnemar
from ibidem.models.shipped import parser
from ibidem.text.tokens import tokenise
from ibidem.types import Example
from tools.weights.accuracy import correct_tokens, predicted_fields, top_fields
from tools.weights.elife_works import work_of
from tools.weights.entity_training import Known, train_entities

WAYS = 5
LOOKED_AT = 60_000
"""References among which those to one work are sought."""

CARD: dict[str, Any] = {
    "about": "How well the record of a work agrees with a labelling of one of its citations; log-linear",
    "trained on": "references of eLife (CC-BY / CC0), DOIs as gold works and the publisher's tags as gold fields; the"
    " parser was trained on about one in six of them",
    "command": "make entity-model",
}


def read_citations() -> list[tuple[Example, str]]:
    """Return the distinct references to works that several of them cite, in our labels, each with its work."""
    found: dict[str, tuple[Example, str]] = {}
    for example in islice(registry.load("elife", "train"), LOOKED_AT):
        if not isinstance(example, Example):
            continue
        dois = (example.text[m.start : m.end] for m in example.annotations if m.label == "pub-id:doi")
        work = next((work for doi in dois if (work := work_of(doi))), "")
        if work:
            found.setdefault(example.text, (example, work))
    counts: dict[str, int] = {}
    for _, work in found.values():
        counts[work] = counts.get(work, 0) + 1
    several = sorted((work, text) for text, (_, work) in found.items() if counts[work] > 1)
    return [(registry.dataset("elife").map_labels(found[text][0]), work) for work, text in several]


def label(given: Sequence[tuple[Example, str]]) -> tuple[list[Known], list[list[int]]]:
    """Return the citations with their n-best labellings, and the number of correct tokens of each labelling."""
    number = {work: place for place, work in enumerate(dict.fromkeys(work for _, work in given))}
    citations, right = [], []
    for (example, work), parsed in zip(
        given, parser(None).parse_many((example.text for example, _ in given), WAYS - 1), strict=True
    ):
        tokens = tokenise(example.text)
        gold = top_fields(tokens, example.annotations)
        parses = (parsed, *parsed.alternatives)[:WAYS]
        right.append([sum(correct_tokens(gold, predicted_fields(tokens, one))) for one in parses])
        citations.append(Known(citation_of(parses), number[work], int(np.argmax(right[-1]))))
    return citations, right


def score(model: EntityModel, held: Sequence[Known], right: Sequence[list[int]]) -> dict[str, float]:
    """Return the correct tokens before and after, and in how many references either is better."""
    works: dict[int, list[int]] = {}
    for place, one in enumerate(held):
        works.setdefault(one.work, []).append(place)
    before = after = 0
    better, worse = [], []
    for places in works.values():
        ways = model.attributes([held[place].citation for place in places]).chosen
        for place, way in zip(places, ways, strict=True):
            before, after = before + right[place][0], after + right[place][way]
            better.append(right[place][way] > right[place][0])
            worse.append(right[place][way] < right[place][0])
    best = sum(max(each) for each in right)
    return {
        "references": len(held),
        "tokens right before": before,
        "tokens right after": after,
        "tokens right at best": best,
        "references read better": sum(better),
        "references read worse": sum(worse),
        "p, McNemar": round(mcnemar(better, worse).p_value, 6),
    }


def main(target: Path = WEIGHTS) -> None:
    """Train the potentials on half of the works and write them with their scores on the others."""
    citations, right = label(read_citations())
    even = [place for place, one in enumerate(citations) if one.work % 2 == 0]
    odd = [place for place, one in enumerate(citations) if one.work % 2]
    model = train_entities([citations[place] for place in even])
    dev = score(model, [citations[place] for place in odd], [right[place] for place in odd])
    replace(model, card={**CARD, "learnt from": len(even), "ways to read": WAYS, "dev": dev}).save(target)
    for name, value in dev.items():
        print(f"{name}: {value:g}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
