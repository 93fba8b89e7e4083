"""Calibration of a model's confidence on documents of a kind that it was not calibrated on."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.registry import Result
from ibidem.metrics.calibration import measure_calibration
from ibidem.models.cards import judge_fields
from ibidem.models.parser import Parser
from ibidem.types import Example


def calibration_rows(name: str, parser: Parser, unseen: Sequence[Example]) -> list[Result]:
    """Return the mean confidence of the fields found, the share of them that is correct, and the calibration error."""
    _, confidence, correct, _ = judge_fields(parser, list(unseen))
    return [
        Result(f"{name}, mean confidence", "%", None, 100 * float(confidence.mean())),
        Result(f"{name}, correct fields", "%", None, 100 * float(correct.mean())),
        Result(
            f"{name}, expected calibration error", "points", None, 100 * measure_calibration(confidence, correct).error
        ),
    ]
