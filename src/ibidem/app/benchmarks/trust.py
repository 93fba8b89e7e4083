"""How far the confidence of a model that ships can be trusted on a kind of document that it was not calibrated on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ibidem.app.reproduce import Figure
from ibidem.models.cards import judged
from ibidem.models.parser import Parser
from ibidem.tasks.statistics import calibration
from ibidem.types import Example


def trust(name: str, parser: Parser, unseen: Sequence[Example]) -> list[Figure]:
    """The rows: how sure the model is of its fields on average, how often they are right, and the calibration error."""
    _, confidence, right = judged(parser, list(unseen))
    sure, correct = np.array(confidence), np.array(right)
    return [
        Figure(f"{name}, confidence on average", "per cent", None, 100 * float(sure.mean())),
        Figure(f"{name}, fields that are right", "per cent", None, 100 * float(correct.mean())),
        Figure(f"{name}, expected calibration error", "points", None, 100 * calibration(sure, correct).error),
    ]
