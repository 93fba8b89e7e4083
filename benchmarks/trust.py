"""How far the confidence of a model that ships can be trusted on a kind of document that it was not calibrated on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.registry import Result
from ibidem.metrics.significance import calibration
from ibidem.models.cards import judge_fields
from ibidem.models.parser import Parser
from ibidem.types import Example


def trust(name: str, parser: Parser, unseen: Sequence[Example]) -> list[Result]:
    """The rows: how sure the model is of its fields on average, how often they are right, and the calibration error."""
    _, confidence, right = judge_fields(parser, list(unseen))
    sure, correct = np.array(confidence), np.array(right)
    return [
        Result(f"{name}, confidence on average", "per cent", None, 100 * float(sure.mean())),
        Result(f"{name}, fields that are right", "per cent", None, 100 * float(correct.mean())),
        Result(f"{name}, expected calibration error", "points", None, 100 * calibration(sure, correct).error),
    ]
