"""Trials: what is tried out on strings of one's own is what would be found in new ones."""

from __future__ import annotations

from model_cases import references

from ibidem.models.training import ChainConfig
from ibidem.models.trials import with_best_sigma
from ibidem.tasks.scoring import score_spans


def test_the_sigma_that_does_best_on_validation_strings_is_chosen():
    examples = references(16)
    told: list[str] = []
    config = with_best_sigma(
        examples[:12],
        examples[12:],
        ChainConfig(model="semi", iterations=15),
        lambda trial: score_spans(trial.gold, trial.predicted).micro.f1,
        told.append,
        sigmas=(1.0, 0.01),
    )
    assert config.l2 == 0.5  # a prior so narrow that nothing is learnt does worse
    assert [line.split(":")[0] for line in told if line.startswith("sigma")] == ["sigma 0.01", "sigma 1"]
