"""Anzaroot 2014 with chains that know less than ours: its baseline and features, its tables, and why ours differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.anzaroot_2014.chains import FEATURES, NO_MEMORY, PAPER, features
from benchmarks.anzaroot_2014.soft_tables import (
    METRIC,
    OURS,
    PAPERS,
    constrain,
    find_named_constraints,
    gains,
    report_on,
    significance,
    tables,
)
from benchmarks.anzaroot_2014.umass import examples_of, score_rows
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import best_spans, spans_on, train_parser, truth_of
from benchmarks.support.timing import say
from ibidem.models.penalties import FAMILIES, GoldStrings
from ibidem.models.shipped import default_lexicons
from ibidem.models.training import CRFConfig
from ibidem.types import Example


@benchmark(
    "soft-constraints-paper",
    "Anzaroot 2014 with the paper's chain, features and constraints, and with our chain without memory",
    reference="Anzaroot et al. 2014, Tables 1 to 3 and section 7 (pages 598 to 601), same strings",
)
def soft_constraints_paper() -> Outcome:
    """Train chains that know less than ours on train, fit constraints on dev and score test."""
    splits = [examples_of("umass-nested", split) for split in ("train", "dev", "test")]
    default_lexicons()  # its model is loaded while all features are there
    rows: list[Result] = []
    with features(FEATURES, segmenter=False):
        rows += _baseline("the paper's chain, without the segmenter's feature", 94.0, _truths(PAPER, splits))
    with features(FEATURES, segmenter=True):
        on_dev, on_test = _truths(PAPER, splits)
    rows += _baseline("the paper's chain, with the segmenter's feature", 94.44, (on_dev, on_test))
    rows += tables("the paper's chain and settings, ", PAPERS, on_dev, on_test)
    rows += _without_memory(*_truths(NO_MEMORY, splits))
    return "UMass nested: 1457 strings for the CRF, 660 for the penalties, 367 for testing; 1 seed", rows


def _truths(config: CRFConfig, splits: Sequence[Sequence[Example]]) -> tuple[GoldStrings, GoldStrings]:
    """Return the development and the test strings as a chain scores them that is trained on train."""
    train, dev, test = splits
    parser = train_parser(train, config, say, known=default_lexicons())
    return truth_of(parser, dev), truth_of(parser, test)


def _baseline(name: str, reference: float, truths: tuple[GoldStrings, GoldStrings]) -> Iterator[Result]:
    """Yield the scores of a chain without constraints, on dev and on test."""
    for where, truth in zip(("dev", "test"), truths, strict=True):
        report = report_on(truth, best_spans(truth))
        yield from score_rows(f"{name}, on {where}", report, reference if where == "test" else None, METRIC)


def _without_memory(on_dev: GoldStrings, on_test: GoldStrings) -> Iterator[Result]:
    """Yield what the same constraints gain where the chain knows nothing but the label before."""
    name = "our chain without memory, "
    fitted = OURS.fit(on_dev, FAMILIES)
    plain = report_on(on_test, best_spans(on_test))
    found = report_on(on_test, spans_on(on_test, constrain(fitted, on_test).decode().paths))
    yield from score_rows(f"{name}Table 1: baseline", plain, 94.44, METRIC)
    yield from score_rows(f"{name}Table 1: all", found, 95.39, METRIC)
    yield from significance(name, found, plain, "baseline")
    yield from gains(name, found, plain)
    yield from find_named_constraints(name, on_dev, fitted)
