"""A check that fails in every way there is, to see that each failure is put down to its case."""

from __future__ import annotations

import os
import signal
from collections import Counter
from dataclasses import dataclass

from benchmarks.robustness.watched import Hang, describe, limit_seconds

CRASHES, RUNS_ON, BREAKS = 2, 5, 7


@dataclass(frozen=True)
class Drill:
    """Ends its process at one case, does not end another and reports a fault of a third."""

    def __call__(self, case: int, report) -> Counter[str]:
        if case == CRASHES:
            os.kill(os.getpid(), signal.SIGKILL)
        if case == RUNS_ON:
            try:
                with limit_seconds(0.2):
                    while True:
                        pass
            except Hang as error:
                report(describe(error), b"for ever", "")
        if case == BREAKS:
            report("law: broken", b"broken", "")
        return Counter(done=1)

    def input_of(self, case: int) -> bytes:
        return f"input {case}".encode()
