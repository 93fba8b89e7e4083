"""What the benchmarks of speed share: a clock, one core, the model under test."""

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
    """The model under test: the one that the environment names, or None for the one that ships."""
    given = os.environ.get(MODEL)
    return Path(given) if given else None


def how_many(usual: int) -> int:
    """The number of strings to run on: the usual one, or what the environment says."""
    return int(os.environ.get(STRINGS) or usual)


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes by the clock on the wall."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def alternating(works: Sequence[Callable[[], object]], times: int) -> list[float]:
    """The median time of each of several works, run in turns so that a slow minute of the machine hits all alike."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for place, work in enumerate(works):
            taken[place].append(seconds(work))
    return [median(each) for each in taken]


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process and its children on one core, where the system lets it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def need_crfsuite() -> None:
    """Nothing, or a `MissingExtra` that says how to get the rival."""
    try:
        import pycrfsuite  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "python-crfsuite, the rival of this benchmark, is not installed: pip install 'ibidem[dev]'"
        ) from None
