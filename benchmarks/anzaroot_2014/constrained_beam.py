"""Soft-DD against the beam search of Chang et al. 2012, over the same chain and the same constraints."""

from __future__ import annotations

import os
from collections.abc import Iterator
from unittest.mock import patch

import numpy as np

from benchmarks.anzaroot_2014.beam_search import BeamPaths, BeamSearch
from benchmarks.anzaroot_2014.soft_tables import METRIC, OURS, Constrained, constrain, report_on
from benchmarks.anzaroot_2014.umass import NESTED, examples_of, score_rows
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import spans_on, train_parser, truth_of
from benchmarks.support.timing import alternate, say, seconds
from ibidem.inference.core import Paths
from ibidem.inference.dual import ConstrainedPaths
from ibidem.kernels import SWITCH
from ibidem.models.penalties import FAMILIES, GoldStrings

_TIME = "ms per string; reference: Soft-DD"
_WIDTHS = (1, 2, 5, 10, 20, 50, 100)
_EQUAL = 5e-3  # by which two values may differ and be called the same: twice what Soft-DD calls closed, and rounding


@benchmark(
    "constrained-beam-search",
    "Soft-DD against beam search over the same constraints, as Chang et al. 2012 decode (widths 1 to 100)",
    reference="Soft-DD with its certificates, in the same run",
)
def constrained_beam_search() -> Outcome:
    """Fit penalties on dev for a CRF trained on train, and decode test in both ways."""
    train, dev, test = (examples_of("umass-nested", split) for split in ("train", "dev", "test"))
    parser = train_parser(train, NESTED, say)
    on_test = truth_of(parser, test)
    under = constrain(OURS.fit(truth_of(parser, dev), FAMILIES), on_test).of_penalty()
    exact = under.decode(iterations=100, several=10_000)
    [taken] = alternate([under.decode], 9)
    with patch.dict(os.environ, {SWITCH: "numpy"}):
        in_numpy = seconds(under.decode)
    rows = list(_dual(under.decode(), on_test))
    count = len(under.truth.gold)
    row = "Soft-DD, reference implementation in NumPy"
    rows.append(Result(row, _TIME, 1000 * taken / count, 1000 * in_numpy / count, ratio=in_numpy / taken))
    for certain in (True, False):
        for width in _WIDTHS:
            rows += _beam(under, on_test, exact, width, certain, taken)
    used = len(under.penalty)
    return (
        f"UMass nested: {count} test strings, {used} constraints with penalties; optima as certified by Soft-DD",
        rows,
    )


def _dual(found: ConstrainedPaths, on_test: GoldStrings) -> Iterator[Result]:
    report = report_on(on_test, spans_on(on_test, found.paths))
    yield from score_rows("Soft-DD", report, None, METRIC)
    yield Result("Soft-DD", "% certified optimal", None, 100 * float(found.optimal.mean()))


def _beam(
    under: Constrained, on_test: GoldStrings, exact: ConstrainedPaths, width: int, certain: bool, dual: float
) -> Iterator[Result]:
    truth = under.truth
    search = BeamSearch(truth.automaton, under.terms, under.penalty, width, certain)
    found: list[BeamPaths] = []
    taken = seconds(lambda: found.append(search.decode(truth.potentials)))
    paths = Paths(
        found[0].state,
        np.ones(len(found[0].state), dtype=np.bool_),
        found[0].score,
        np.ones(len(exact.gap), dtype=np.int32),
    )
    row = f"beam of {width}, {'certain' if certain else 'current'} charges"
    say(f"{row}: {taken:.1f} s")
    report = report_on(on_test, spans_on(on_test, paths))
    yield from score_rows(row, report, None, METRIC)
    gap = np.maximum(exact.value - found[0].value, 0.0)[exact.optimal]
    yield Result(row, "gap to the certified optimum, mean", 0.0, float(gap.mean()))
    yield Result(row, "% of certified optima reached", 100.0, 100 * float((gap <= _EQUAL).mean()))
    strings = len(truth.gold)
    yield Result(row, _TIME, 1000 * dual / strings, 1000 * taken / strings, ratio=taken / dual)
