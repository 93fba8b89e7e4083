"""Roles of section headings: Table 3 of Cuong et al. 2015 on the 211 papers of Luong et al. 2010."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.calibration import calibration_rows
from benchmarks.support.experiments import predict, train_parser
from benchmarks.support.timing import say
from ibidem.data import registry
from ibidem.features.headings import roles
from ibidem.features.lexicons import empty
from ibidem.labels.tasks import SECTIONS
from ibidem.metrics.scoring import Report, Score, score_tokens, token_labels
from ibidem.metrics.significance import wilcoxon
from ibidem.models.parser import Parser
from ibidem.models.shipped import parser as shipped
from ibidem.models.training import CRFConfig
from ibidem.types import Annotation, Example

# The paper's F1 of its chain CRF and of its semi-CRFs of order 1, 2 and 3, on one split that is not published.
PAPER: dict[str, tuple[float, ...]] = {
    "abstract": (100.0, 100.0, 100.0, 100.0),
    "acknowledgements": (100.0, 94.92, 94.92, 93.10),
    "background": (80.0, 85.71, 94.12, 100.0),
    "categories": (99.01, 99.01, 99.01, 99.01),
    "conclusions": (92.98, 92.31, 94.74, 92.17),
    "discussion": (72.0, 50.0, 80.0, 50.0),
    "evaluation": (89.74, 81.08, 92.31, 83.95),
    "general-terms": (100.0, 100.0, 100.0, 100.0),
    "introduction": (97.67, 97.67, 97.67, 97.67),
    "method": (96.24, 93.96, 97.56, 95.70),
    "references": (100.0, 100.0, 100.0, 100.0),
    "related-work": (100.0, 94.74, 100.0, 100.0),
}
PAPER_MICRO = (96.63, 94.79, 97.39, 95.71)
PAPER_BEST = max(PAPER_MICRO)
MODELS = ("chain CRF", "1-SCRF", "2-SCRF", "3-SCRF")
SPLITS, TRAIN, VALIDATION = 10, 102, 44
# The penalty is chosen on the validation papers of each split, as in the paper; then both parts are trained on.
PENALTIES = (0.01, 0.1, 1.0, 10.0)
# Chosen on the validation papers of the first six splits, where nothing changes the mean micro F1 by much more than its
# deviation. Chain: 96.7 with a window of one, 96.6 of three; L-BFGS 96.6 at ten times the price. Semi-CRF of order 2:
# 96.8 with a window of one, 96.7 of three; without features of edges 96.3, with features of whole segments 96.3.
CONFIG = CRFConfig(
    window=1,
    min_count=1,
    context_min_count=1,
    optimiser="adagrad",
    epochs=15,
    batch=8,
    learning_rate=0.1,
    feature_dropout=0.5,
)
SEMI = replace(CONFIG, model="semi", whole=False)  # its segments are runs of headings of one role
BEST = 2  # the order that is also trained with eLife's headings, as in the paper
ORDERS = (1, 2, 3)
# Two-sided 95 % quantile of Student's t with one degree of freedom less than there are splits.
STUDENT = 2.262
MORE = 500  # eLife's papers added in the last rows; 100 and 1,500 are as good on the validation papers

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class System:
    """A system under test: its settings and further training papers."""

    name: str
    config: CRFConfig
    more: tuple[Example, ...] = ()

    @property
    def order(self) -> int:
        """The order of a semi-CRF, 0 for a chain."""
        return self.config.order if self.config.model == "semi" else 0


def splits(count: int) -> list[tuple[Numbers, Numbers, Numbers]]:
    """Return the indices of the training, validation and test papers of each split."""
    orders = [np.random.default_rng(seed).permutation(count) for seed in range(SPLITS)]
    ends = (TRAIN, TRAIN + VALIDATION)
    return [(order[: ends[0]], order[ends[0] : ends[1]], order[ends[1] :]) for order in orders]


def merge_runs(example: Example) -> Example:
    """Merge adjacent headings of one role into one annotation: the segments of a semi-CRF."""
    annotations: list[Annotation] = []
    for annotation in example.annotations:
        if annotations and annotations[-1].label == annotation.label:
            annotations[-1] = Annotation(annotation.label, annotations[-1].start, annotation.end)
        else:
            annotations.append(annotation)
    return replace(example, annotations=tuple(annotations))


def evaluate(parser: Parser, test: Sequence[Example]) -> Report:
    """Return the scores of the roles of headings."""
    found = predict(parser, test)
    sizes = [len(example.tokens) for example in test]
    gold = [token_labels(spans, size) for spans, size in zip(found.gold, sizes, strict=True)]
    predicted = [token_labels(spans, size) for spans, size in zip(found.predicted, sizes, strict=True)]
    return score_tokens(gold, predicted)


def cross_validate(one: System, papers: Sequence[Example]) -> list[Report]:
    """Return the report on the test papers of each split; the penalty is the best on its validation papers."""
    given, more = ([merge_runs(each) if one.order else each for each in some] for some in (papers, one.more))

    def train(numbers: Numbers, l2: float) -> Parser:
        chosen = [given[number] for number in numbers]
        return train_parser([*chosen, *more], replace(one.config, l2=l2), lambda _: None, SECTIONS, empty())

    reports = []
    for training, validation, test in splits(len(papers)):
        scores = {
            l2: evaluate(train(training, l2), [given[number] for number in validation]).micro.f1 for l2 in PENALTIES
        }
        best = max(scores, key=lambda l2: scores[l2])
        parser = train(np.concatenate([training, validation]), best)
        reports.append(evaluate(parser, [given[number] for number in test]))
        say(f"{one.name}, split {len(reports)}: l2 {best}, micro F1 {100 * reports[-1].micro.f1:.2f}")
    return reports


def micro(report: Report, labels: Callable[[str], bool]) -> float:
    """Return the micro F1 of the labels that are wanted, in percent."""
    return 100 * sum((score for label, score in report.labels.items() if labels(label)), Score()).f1


def rows_of(one: System, reports: Sequence[Report], each: bool) -> list[Result]:
    """Return the rows of one system: the mean over the splits, its deviation, and with `each` every label."""
    name, beside = one.name, f"beside the paper's {MODELS[one.order]}"
    in_paper = [micro(report, PAPER.__contains__) for report in reports]
    every = [micro(report, lambda _: True) for report in reports]
    mean, deviation = float(np.mean(in_paper)), float(np.std(in_paper, ddof=1))
    rows = [
        Result(f"{name}, micro, {beside}", "F1", PAPER_MICRO[one.order], mean, deviation=deviation),
        Result(f"{name}, micro, beside the paper's best, of order 2", "F1", PAPER_BEST, mean),
        Result(f"{name}, micro, keywords counted too", "F1", None, float(np.mean(every))),
    ]
    for label, published in PAPER.items() if each else ():
        values = [100 * report.labels[label].f1 for report in reports if label in report.labels]
        if values:
            rows.append(Result(f"{name}, {label}, {beside}", "F1", published[one.order], float(np.mean(values))))
    return rows


def against(name: str, ours: Sequence[Report], chain: Sequence[Report]) -> list[Result]:
    """Return the rows of a system against the chain on the same splits.

    The splits share papers, so the interval of the mean is that of the corrected resampled t-test (Nadeau 2003): the
    variance of the mean is that of the differences times 1 / splits + test papers / training papers.
    """
    pairs = [[micro(report, PAPER.__contains__) for report in reports] for reports in (ours, chain)]
    apart = np.subtract(pairs[0], pairs[1])
    share = 1 / len(apart) + (len(ours[0].counts) / (TRAIN + VALIDATION))
    mean, reach = float(apart.mean()), STUDENT * float(apart.std(ddof=1)) * share**0.5
    row = f"{name} minus chain CRF"
    return [
        Result(f"{row}, micro", "F1, difference", None, mean, mean - reach, mean + reach),
        Result(f"{name} against chain CRF, micro of each split", "p, Wilcoxon", None, wilcoxon(*pairs).p_value),
    ]


def papers_of(name: str, split: str | None = None, limit: int | None = None) -> list[Example]:
    """Read the papers of a set in our labels."""
    found = (item for item in registry.load_unified(name, split) if isinstance(item, Example))
    return list(islice(found, limit))


def systems(elife: Sequence[Example]) -> list[System]:
    """Return the chain and the semi-CRFs, and the chain and one semi-CRF with eLife's headings too."""
    semi = {order: replace(SEMI, order=order) for order in ORDERS}
    more = tuple(elife)
    return [
        System("chain CRF", CONFIG),
        *(System(f"semi-CRF of order {order}", config) for order, config in semi.items()),
        System("chain CRF, eLife's headings too", CONFIG, more),
        System(f"semi-CRF of order {BEST}, eLife's headings too", semi[BEST], more),
    ]


@benchmark(
    "sections",
    "Roles of section headings: Table 3 of Cuong 2015 on 211 papers, 10 splits (paper: 97.39 on one)",
    reference="Cuong et al. 2015, Table 3, one split of the same papers",
)
def sections() -> Outcome:
    """Score chain and semi-CRFs with and without eLife's headings, without word lists, and the default model."""
    papers = papers_of("sections-generic")
    rows: list[Result] = []
    differences: list[Result] = []
    chain: list[Report] = []
    for one in systems(papers_of("elife-sections", "train", MORE)):
        reports = cross_validate(one, papers)
        chain = chain or reports
        rows += rows_of(one, reports, each=not one.more)
        differences += against(one.name, reports, chain) if reports is not chain else []
    with patch.dict(roles.BY_STEM, clear=True):
        bare = System("chain CRF without word lists", CONFIG)
        rows += rows_of(bare, cross_validate(bare, papers), each=False)
    rows += differences
    ours = shipped(None, "sections")
    report = evaluate(ours, papers)
    rows.append(Result("the default model, not trained on any of them", "F1", None, micro(report, PAPER.__contains__)))
    rows += calibration_rows("the default model", ours, papers)
    about = f"{len(papers)} papers, {SPLITS} seeded splits into {TRAIN}, {VALIDATION} and 65; mean over the splits"
    return f"{about}; the paper's results are of one unpublished split and leave out keywords", rows
