"""Cases run in watched processes: a crash or a hang is put down to the case that caused it, and the rest is run.

A worker notes in shared memory which case it is at. A case that takes too much processor time is interrupted in the
worker, so that its traceback shows where; a worker that neither answers nor ends is killed from outside.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Protocol

import ibidem
from benchmarks.robustness.settings import Settings
from benchmarks.support.timing import say

_PACKAGE = Path(ibidem.__file__).parent
_STUCK = 120.0  # seconds of wall time without a sign of life after which a worker is killed
_EXAMPLES = 3  # failing inputs that are kept of each distinct fault


@dataclass(frozen=True, slots=True)
class Fault:
    """A case that failed: what happened, in one line that is the same for the same fault, and the input."""

    case: int
    what: str
    input: bytes
    detail: str = ""


class Hang(BaseException):
    """Raised in the midst of a call that takes too much processor time; no guard of an item catches it."""


@contextmanager
def limit_seconds(seconds: float) -> Iterator[None]:
    """Raise `Hang` once the body has taken this much processor time."""

    def interrupt(_number: int, _frame: object) -> None:
        raise Hang

    signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def describe(error: BaseException) -> str:
    """Return an exception and the place in Ibidem where it was raised, in one line."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if Path(one.filename).is_relative_to(_PACKAGE)]
    place = f"{Path(frames[-1].filename).relative_to(_PACKAGE)}:{frames[-1].lineno}" if frames else "outside Ibidem"
    name = "takes too long" if isinstance(error, Hang) else type(error).__name__
    return f"{name} at {place}"


Report = Callable[[str, bytes, str], None]


class Check(Protocol):
    """Runs a case, reports its faults and returns what it counted; it can be sent to another process."""

    def __call__(self, case: int, report: Report) -> Counter[str]:
        """Run a case."""

    def input_of(self, case: int) -> bytes:
        """Return the input of a case, for one that ended its process."""


@dataclass(slots=True)
class Outcome:
    """What came of a run: what was counted, the faults by description, and the cases that were run."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    cases: int = 0

    def add(self, fault: Fault) -> None:
        """Count a fault, and keep the first of its kind."""
        self.times[fault.what] += 1
        kept = self.faults.setdefault(fault.what, [])
        if len(kept) < _EXAMPLES:
            kept.append(fault)

    def save(self, folder: Path, part: str, seed: int) -> None:
        """Write the inputs that failed, smallest first, and print each distinct fault."""
        for number, (what, kept) in enumerate(sorted(self.faults.items()), 1):
            folder.mkdir(parents=True, exist_ok=True)
            for place, fault in enumerate(sorted(kept, key=lambda one: len(one.input))):
                path = folder / f"{part}-{number:03d}-{'abc'[place]}"
                path.write_bytes(fault.input)
                about = f"{what}\nseed {seed}, case {fault.case}\n\n{fault.detail}"
                path.with_suffix(".txt").write_text(about, "utf-8", "backslashreplace")
            least = min(kept, key=lambda one: len(one.input))
            say(f"  {self.times[what]:,} × {part}: {what} (case {least.case}): {least.input[:120]!a}")


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    at: Any  # the number of the case and the time it began, in shared memory
    left: range = range(0)


def run_watched(check: Check, cases: range, settings: Settings, minutes: float, chunk: int = 1) -> Outcome:
    """Run cases, so many at a time in a process, until all are done or the time is up."""
    outcome, until = Outcome(), time.monotonic() + 60 * minutes
    waiting = (cases[place : place + chunk] for place in range(0, len(cases), chunk))
    workers = [_start(check) for _ in range(settings.jobs)]
    try:
        active = [one for one in workers if _assign(one, waiting, until)]
        while active:
            wait([one.pipe for one in active], timeout=1.0)
            for worker in list(active):
                finished, alive = _collect(worker, outcome), worker.process.is_alive()
                if not alive or (worker.left and time.monotonic() - worker.at[1] > _STUCK):
                    _blame(worker, outcome, check)  # of what it had left, if anything
                    _replace(worker, check)
                elif finished and not _assign(worker, waiting, until):
                    active.remove(worker)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()
    return outcome


def _start(check: Check) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    at = context.RawArray("d", [-1.0, time.monotonic()])
    process = context.Process(target=_work, args=(check, theirs, at), daemon=False)
    process.start()
    theirs.close()
    return _Worker(process, ours, at)


def _assign(worker: _Worker, waiting: Iterator[range], until: float) -> bool:
    """Give a worker its next cases; return False where there are none or the time is up."""
    worker.left = (
        (next(waiting, range(0)) if time.monotonic() < until else range(0)) if not worker.left else worker.left
    )
    if worker.left:
        worker.at[1] = time.monotonic()
        with suppress(OSError):  # it has just ended: the worker in its place is given the cases
            worker.pipe.send(worker.left)
    return bool(worker.left)


def _collect(worker: _Worker, outcome: Outcome) -> bool:
    """Take what a worker has sent; return whether it has finished its cases."""
    try:
        while worker.pipe.poll():
            message = worker.pipe.recv()
            if isinstance(message, Fault):
                outcome.add(message)
                continue
            case, counts = message
            outcome.counts += counts
            outcome.cases += 1
            worker.left = worker.left[worker.left.index(case) + 1 :]
    except (EOFError, OSError):
        return False
    return not worker.left


def _blame(worker: _Worker, outcome: Outcome, check: Check) -> None:
    """Put the end of a worker down to the case it was at, unless it has reported a fault of that case itself."""
    alive = worker.process.is_alive()
    worker.process.kill()
    worker.process.join()
    _collect(worker, outcome)
    case, code = int(worker.at[0]), worker.process.exitcode
    if code == _LEFT or not worker.left:
        return
    if case not in worker.left:  # it has not got to a case: the fault is ours
        raise RuntimeError(f"a worker ended with status {code} before its first case")
    what = f"no answer for {_STUCK:.0f} s" if alive else f"the process ended with status {code}"
    outcome.add(Fault(case, what, check.input_of(case)))
    worker.left = worker.left[worker.left.index(case) + 1 :]
    outcome.cases += 1


def _replace(worker: _Worker, check: Check) -> None:
    fresh = _start(check)
    worker.process, worker.pipe, worker.at = fresh.process, fresh.pipe, fresh.at
    if worker.left:
        worker.at[1] = time.monotonic()
        worker.pipe.send(worker.left)


_LEFT = 77  # the status of a worker that gives itself up after an interrupted call, whose state may be half made


def _work(check: Check, pipe: Connection, at: Any) -> None:
    """Run the cases that come through a pipe, until it is closed."""
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hung = False

    def report(what: str, data: bytes, detail: str) -> None:
        nonlocal hung
        hung = hung or what.startswith("takes too long")
        pipe.send(Fault(int(at[0]), what, data, detail))

    while True:
        try:
            cases = pipe.recv()
        except EOFError:
            return
        for case in cases:
            at[0], at[1] = case, time.monotonic()
            counts = check(case, report)
            pipe.send((case, counts))
            if hung:
                os._exit(_LEFT)
