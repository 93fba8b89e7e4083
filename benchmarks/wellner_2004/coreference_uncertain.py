"""Whether the N best labellings help where segmentation is uncertain: misread characters, and styles never trained on.

Table 1 of Wellner et al. 2004 once more, on Cora's distinct strings as they are and misread by OCR, labelled by the
default model and by a chain that was trained on eLife's references alone, which are articles in other styles. Errors
are given by how uncertain the best labelling of a reference is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import train_parser
from benchmarks.support.runs import summarise_runs
from benchmarks.support.timing import say
from benchmarks.wellner_2004.cases import CHAIN
from benchmarks.wellner_2004.coreference import SPLITS, annotated, examples, truncate
from benchmarks.wellner_2004.splits import FOLDS, cluster, compare, fit_weights, score_rows, within
from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.data.sets.citation_matching import cluster_of
from ibidem.linking.comparison import comparison_fields
from ibidem.linking.joint.loop import nbest_reference
from ibidem.linking.joint.nbest import NBest
from ibidem.linking.vectors import Doubles, Ints
from ibidem.metrics.clustering import score_partition
from ibidem.models.parser import Parser
from ibidem.models.shipped import parser
from ibidem.records.build import record_of
from ibidem.synthesis.noise import Noise, add_noise
from ibidem.types import Example
from tools.weights.matcher_training import number_works

BEST = (1, 3, 5, 9)
TRUE = "true segmentation"
THIRDS = ("certain third", "middle third", "uncertain third")
OCR = Noise(ocr=0.04)  # of the characters drawn, those that look like no other stay: about 2 % are misread
_STRINGS = 500  # of eLife
_EVERY = 40
_SEED = 1

Errors = dict[str, list[list[float]]]
"""The errors of each split by segmentation: of pairs and B-cubed of all references, of pairs of each third."""


def misread(given: Sequence[Example]) -> list[Example]:
    """Return the examples as OCR misreads them, the same at every call."""
    return [add_noise(example, OCR, Random(f"{_SEED} {example.source}")) for example in given]


def share_misread(before: Sequence[Example], after: Sequence[Example]) -> float:
    """Return the share of characters that were misread; one read as two counts as one, by the length of the rest."""
    from rapidfuzz.distance import Levenshtein

    distance = sum(Levenshtein.distance(a.text, b.text) for a, b in zip(before, after, strict=True))
    return distance / sum(len(example.text) for example in before)


def train_on_elife(tested: Sequence[Example]) -> Parser:
    """Return a chain trained on the fields, not their parts, of strings of eLife, none of which is tested."""
    blocked = Blocklist.from_examples(tested)
    table = registry.dataset("elife")
    found = (item for item in registry.load("elife", "train") if isinstance(item, Example))
    training = []
    for one in map(table.map_labels, islice(found, 0, _STRINGS * _EVERY, _EVERY)):
        fields = tuple(annotation for annotation in one.annotations if "/" not in annotation.label)
        if not blocked.contains(one.text):
            training.append(replace(one, annotations=fields, partially_annotated=frozenset()))
    return train_parser(training, CHAIN, say)


def thirds_by(confidence: Doubles) -> Ints:
    """Return the third of each reference by the confidence of its best labelling, 0 where that is highest."""
    rank = np.empty(len(confidence), dtype=np.int64)
    rank[np.argsort(-confidence, kind="stable")] = np.arange(len(confidence))
    return rank * len(THIRDS) // len(confidence)


def pair_errors(works: Sequence[object], parts: Sequence[object], group: Ints) -> list[float]:
    """Return 100 − pair F1 of all references and of each group, of the pairs of any reference with one of the group.

    A pair within a group is counted from both of its sides, so that all references together have the usual pair F1.
    """
    both = Counter(zip(works, parts, strict=True))
    gold, found = Counter(works), Counter(parts)
    counts = np.array(
        [(both[w, p] - 1, gold[w] + found[p] - 2) for w, p in zip(works, parts, strict=True)], dtype=np.float64
    )
    errors = []
    for mine in (np.ones(len(group), dtype=np.bool_), *(group == number for number in range(int(group.max()) + 1))):
        right, total = counts[mine].sum(axis=0).tolist()
        errors.append(100.0 - 200.0 * right / total if total else 0.0)
    return errors


def measure(kinds: dict[str, list[NBest]], works: Ints, group: Ints) -> Errors:
    """Return the errors of each segmentation in the splits of `coreference`, by matchers of the other folds."""
    errors: Errors = {}
    for name, readings in kinds.items():
        given = compare(readings, works, np.zeros(len(works), dtype=np.int64))
        errors[name] = []
        for seed in range(SPLITS):
            split = within(given, seed)
            scores = score_rows(fit_weights(given, split), split, given.values)
            parts = cluster(given, split, scores)
            whole, *thirds = pair_errors(works.tolist(), parts, group)
            b_cubed = 100 - 100 * score_partition(works.tolist(), parts).b_cubed.f1
            errors[name].append([whole, b_cubed, *thirds])
        say(f"  {name}: {np.mean(errors[name], axis=0).round(2).tolist()}")
    return errors


def rows_of(condition: str, errors: Errors) -> Iterator[Result]:
    """Yield the errors of a condition by third and segmentation, and the difference from N = 1, split by split."""
    columns = [("all references", "pair"), ("all references", "B-cubed"), *((third, "pair") for third in THIRDS)]
    for place, (which, kind) in enumerate(columns):
        first = np.array(errors["N = 1"])[:, place]
        for name, values in errors.items():
            here = np.array(values)[:, place]
            found, difference = summarise_runs(here), summarise_runs(here - first)
            row = f"{condition}, {which}, {name}"
            yield Result(row, f"{kind} error, %", None, found.mean, deviation=found.deviation)
            if name != "N = 1":
                yield Result(f"{row}; reference: N = 1", f"{kind} error, paired difference, %", None, difference.mean,
                             deviation=difference.deviation)  # fmt: skip


def _score(condition: str, given: Sequence[Example], labeller: Parser, works: Ints) -> list[Result]:
    """Return the rows of one condition."""
    parsed = list(labeller.parse_many((example.text for example in given), max(BEST) - 1))
    reads = [nbest_reference(one, max(BEST)) for one in parsed]
    kinds = {f"N = {count}": [truncate(one, count).nbest for one in reads] for count in BEST}
    kinds[TRUE] = [((comparison_fields(record_of(annotated(example))), 1.0),) for example in given]
    confidence = np.array([one.confidence for one in parsed])
    third = thirds_by(confidence)
    say(condition)
    rows = [Result(f"{condition}, {which}", "confidence of the best labelling, mean", None,
                   float(confidence[third == number].mean())) for number, which in enumerate(THIRDS)]  # fmt: skip
    return [*rows, *rows_of(condition, measure(kinds, works, third))]


@benchmark(
    "coreference-uncertain", "Linking by the N best labellings where segmentation is uncertain: OCR, other styles"
)
def coreference_uncertain() -> Outcome:
    """Score clean and misread strings, labelled by the default model and by a chain of other styles."""
    clean = list({example.text: example for example in examples()}.values())
    works = number_works([cluster_of(example) for example in clean])
    texts = {"as printed": clean, "misread": misread(clean)}
    labellers = {"default model": parser(None), "chain trained on eLife": train_on_elife(clean)}
    rows: list[Result] = []
    for text, given in texts.items():
        for name, labeller in labellers.items():
            rows += _score(f"{text}, {name}", given, labeller, works)
    data = (
        f"Cora's {len(clean):,} distinct strings of {int(works.max()) + 1} works, as printed and"
        f" with {100 * share_misread(clean, texts['misread']):.1f} % of their characters misread; {SPLITS} seeded"
        f" splits into {FOLDS} folds by work, each linked by a matcher trained on the others"
    )
    return data, rows
