"""Clocks, CPU affinity, and the model under test, for the benchmarks of speed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

from ibidem.errors import MissingExtra

MODEL = "IBIDEM_BENCH_MODEL"
STRINGS = "IBIDEM_BENCH_STRINGS"

say = partial(print, file=sys.stderr, flush=True)


def model_path() -> Path | None:
    """Return the model that the environment names, or None for the default model."""
    given = os.environ.get(MODEL)
    return Path(given) if given else None


def how_many(usual: int) -> int:
    """Return the number of strings to run on: the usual one, or what the environment says."""
    return int(os.environ.get(STRINGS) or usual)


def seconds(call: Callable[[], object]) -> float:
    """Return the wall time of a call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def alternate(calls: Sequence[Callable[[], object]], times: int) -> list[float]:
    """Return the median time of each of several calls, alternated so that a slow minute hits all alike."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(times):
        for place, call in enumerate(calls):
            taken[place].append(seconds(call))
    return [median(each) for each in taken]


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this process and its children to one core, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def require_crfsuite() -> None:
    """Raise `MissingExtra` where python-crfsuite, the baseline of speed, is not installed."""
    try:
        import pycrfsuite  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "the baseline of this benchmark, python-crfsuite, is not installed: pip install python-crfsuite"
        ) from None
