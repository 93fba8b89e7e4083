from __future__ import annotations

from benchmarks.support.runs import RunSummary, summarise_runs


def test_runs_are_summarised_by_mean_and_sample_deviation():
    assert summarise_runs([1.0, 2.0, 3.0]) == RunSummary(mean=2.0, deviation=1.0)
    assert summarise_runs([5.0]) == RunSummary(mean=5.0, deviation=0.0)
