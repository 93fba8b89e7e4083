"""The benchmarks of Masada 2011: which rows they measure, and what a choice is compared with."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest

from benchmarks.masada_2011 import latent_permutations as figures
from benchmarks.masada_2011 import latent_permutations_choices as choices
from benchmarks.masada_2011.synthetic_permutations import Elements
from benchmarks.registry import Result
from ibidem.errors import ConfigError
from ibidem.unsupervised.corpus import corpus_of
from ibidem.unsupervised.gibbs import GibbsConfig

ROOT = Path(__file__).parents[2]
SMALL = GibbsConfig(fields=3, sweeps=4, burn_in=0, thin=2)
PATTERN = "M50, paper's sampler, *, 60 citations, 1 run"


def invented(_letter: str = "D") -> Elements:
    """Sixty citations of three elements of two words, each word of one element alone."""
    generator = np.random.default_rng(0)
    citations = [[f"{e}-{generator.integers(5)}" for e in range(3) for _ in range(2)] for _ in range(60)]
    return Elements(corpus_of(citations), np.tile(np.repeat(np.arange(3, dtype=np.uint8), 2), 60), ("a", "b", "c"))


def first_elements(corpus, elements: int, seed: int):
    """A segmenter that is right but for as many tokens as the seed says."""
    found = np.tile(np.repeat(np.arange(elements, dtype=np.uint8), 2), corpus.size)
    found[:seed] = 1
    return found


@pytest.fixture
def methods(monkeypatch):
    """Two methods, one of them on a part of the citations."""
    monkeypatch.setattr(figures, "canonical", invented)
    monkeypatch.delenv(figures.RUNS, raising=False)
    return [
        figures.Method("ours", first_elements, runs=2, ours=True),
        figures.Method("paper's sampler, draws kept", first_elements, runs=1),
        figures.Method("paper's sampler, draws kept", first_elements, size=20, runs=3),
    ]


def test_only_the_rows_that_a_pattern_matches_are_measured(methods, monkeypatch):
    monkeypatch.delenv(figures.ONLY, raising=False)
    assert not figures.is_partial()
    _, every = figures._measure("M", "invented", methods)
    assert len({row.row for row in every}) == 3 * len(methods)
    monkeypatch.setenv(figures.ONLY, PATTERN)
    assert figures.is_partial()
    _, some = figures._measure("M", "invented", methods)
    assert {row.row for row in some} == {"M50, paper's sampler, draws kept, 60 citations, 1 run"}
    measured = [row for row in some if row.metric != "seconds per run"]
    assert all(row in every for row in measured) and len(measured) == len(figures.METRICS)


def test_a_pattern_that_matches_no_row_is_refused(methods, monkeypatch):
    monkeypatch.setenv(figures.ONLY, "M51, *")
    with pytest.raises(ConfigError, match="'M51, \\*', which matches nothing"):
        figures._measure("M", "invented", methods)


def test_a_choice_changes_what_it_names_and_nothing_else():
    for draws in choices._DRAWS:
        named = choices.variants(draws)
        usual, threads = named.pop("usual")
        assert (usual.draws, usual.order, usual.learn_beta, usual.sweeps, threads) == (draws, "mallows", True, 150, 1)
        changed = {
            name: {key for key, value in asdict(config).items() if value != getattr(usual, key)}
            | ({"threads"} if number != threads else set())
            for name, (config, number) in named.items()
        }
        assert changed == {
            "beta fixed at 0.05": {"learn_beta"},
            "4 topics": {"fields"},
            "6 topics": {"fields"},
            "8 threads": {"threads"},
            "300 iterations, every 20th": {"sweeps", "thin"},
            "1,000 iterations, every 50th": {"sweeps", "thin"},
        }


def test_differences_are_those_of_runs_with_the_same_seed(monkeypatch):
    settings = {"usual": (SMALL, 1), "one topic more": (replace(SMALL, fields=4), 1), "the same again": (SMALL, 1)}
    monkeypatch.setattr(choices, "variants", lambda _draws: settings)
    found = {(row.row, row.metric): row for row in choices._choices("D0", invented(), "kept", 3)}

    def value(choice: str, metric: str) -> float:
        return found[f"D0, {choice}", metric].ours

    for choice in ("one topic more", "last sample"):
        for metric in ("F", "boundary F1"):
            difference = value(choice, metric) - value("usual", metric)
            assert value(f"{choice}, against usual", f"{metric}, difference") == pytest.approx(difference)
        assert 0 < value(f"{choice}, against usual", "F, agreement") <= 100
    same = found["D0, the same again, against usual", "F, difference"]
    assert (same.ours, same.deviation) == (0, 0)
    assert value("the same again, against usual", "F, agreement") == 100


def test_a_choice_that_a_pattern_matches_is_measured_beside_the_usual_ones(monkeypatch):
    monkeypatch.setattr(choices, "variants", lambda _draws: {"usual": (SMALL, 1), "a": (SMALL, 1), "b": (SMALL, 1)})
    monkeypatch.setenv(figures.ONLY, "D0, draws kept, b*")
    rows = choices._choices("D0, draws kept", invented(), "kept", 2)
    assert {row.row.split(", ")[2] for row in rows} == {"usual", "last sample", "b"}
    assert not list(choices._choices("D20, draws kept", invented(), "kept", 2))
    assert not list(choices._ours("D0, ours", invented(), 2))


def test_our_sampler_is_scored_for_every_number_of_fields(monkeypatch):
    monkeypatch.setattr(choices, "blocked", lambda corpus, fields, seed: first_elements(corpus, 3, fields + seed))
    rows = list(choices._ours("D0, ours", invented(), 2))
    assert [row.row for row in rows[:: len(figures.METRICS)]] == [f"D0, ours, {fields} fields" for fields in (4, 5, 6)]
    assert all(isinstance(row, Result) and 90 < row.ours <= 100 and row.deviation is not None for row in rows)


def test_every_row_that_the_page_on_the_paper_cites_is_in_the_results():
    page = (ROOT / "docs/papers/masada-2011.md").read_text("utf-8")
    cited = re.findall(r"`(latent-permutations[a-z-]*)`: ((?:`[^`]+`(?:; )?)+)", page)  # NAME: ROWS; ROWS
    assert len(cited) > 15
    for name, patterns in cited:
        found = json.loads((ROOT / f"benchmarks/results/{name}.json").read_text("utf-8"))["rows"]
        for pattern in re.findall("`([^`]+)`", patterns):
            assert any(fnmatchcase(row["row"], pattern) for row in found), f"{name} has no row {pattern}"
