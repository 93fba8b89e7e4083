"""Several processes for one stream of work: started anew, ended together, none left behind.

They are spawned, not forked: a forked process inherits the locks that other threads of its parent hold at that moment,
and waits for them forever. A process ends with its parent, however that ends, and leaves signals to it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import connection, current_process, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from ibidem.errors import IbidemError, InputError

_Result = TypeVar("_Result")
_NAME = "ibidem-worker"
_UNGUARDED = 86  # exit status of a worker in which the script that started it begins anew
_MOST = 61 if sys.platform == "win32" else sys.maxsize


def map_in_processes(
    function: Callable[..., _Result], calls: Iterable[tuple[Any, ...]], jobs: int
) -> Iterator[_Result]:
    """Yield the result of each call, in order, made by `jobs` processes that are never far ahead of the reader.

    A single call is made here: it is not worth a process.
    """
    source = iter(calls)
    first = list(islice(source, 2))
    if len(first) < 2:
        yield from (function(*arguments) for arguments in first)
        return
    _check_start(jobs)
    owner, context = os.getpid(), _Context()
    pool = ProcessPoolExecutor(min(jobs, _MOST), mp_context=context)
    try:
        yield from _run(pool, function, chain(first, source), 2 * jobs)
    except BaseException as error:
        if os.getpid() == owner:  # and not a fork of it, whose workers these are not
            context.end()
            pool.shutdown(cancel_futures=True)
        if isinstance(error, BrokenProcessPool):
            raise IbidemError(_describe_end(context.started)) from None
        raise
    pool.shutdown()


def _run(
    pool: ProcessPoolExecutor, function: Callable[..., _Result], calls: Iterable[tuple[Any, ...]], most: int
) -> Iterator[_Result]:
    waiting: deque[Future[_Result]] = deque()
    for arguments in calls:
        try:
            waiting.append(pool.submit(function, *arguments))
        except OSError as error:
            raise InputError(f"cannot start a process: {error.strerror or error}; give fewer jobs") from error
        if len(waiting) == most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _check_start(jobs: int) -> None:
    """Raise `InputError` where no process can be started; end one that runs its parent's script anew."""
    process = current_process()
    if getattr(process, "_inheriting", False):  # it is still being started
        if process.name.startswith(_NAME):
            os._exit(_UNGUARDED)
        raise InputError(_guard_script())
    if process.daemon:
        raise InputError(f"jobs is {jobs} in a daemonic process, which may not start others; give jobs=1 there")


def _guard_script() -> str:
    return (
        "a script that uses several processes must do so under `if __name__ == '__main__':`, because every process "
        "imports it; add that line, or give jobs=1"
    )


def _describe_end(workers: list[_Worker]) -> str:
    """Return what to say of workers one of which ended early; the others were killed then."""
    codes = [worker.exitcode for worker in workers if worker.exitcode]
    if _UNGUARDED in codes:
        return _guard_script()
    code = next((code for code in codes if code != -9), -9)
    how = f"ended with status {code}" if code > 0 else f"was killed by signal {-code}"
    why = ", perhaps for lack of memory" if code == -9 else ""
    return f"one of {len(workers)} processes {how}{why}; run it again, with fewer jobs"


class _Context(SpawnContext):
    """Starts workers, and knows them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[_Worker] = []

    def Process(self, *args: Any, **options: Any) -> _Worker:  # type: ignore[override]  # noqa: N802
        worker = _Worker(*args, name=f"{_NAME}-{len(self.started)}", **options)
        self.started.append(worker)
        return worker

    def end(self) -> None:
        """Kill all workers, whatever they do."""
        for worker in self.started:
            with suppress(AttributeError, ValueError):  # not started yet, or closed
                worker.kill()


class _Worker(SpawnProcess):
    """A process that ends with its parent and works in the same folder; the parent's signals are not for it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._folder = os.path.realpath(os.curdir)

    def start(self) -> None:
        with _blocked_signals():
            super().start()

    def run(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_end_with_parent, daemon=True).start()
        with suppress(OSError):
            os.chdir(self._folder)
        super().run()

    def terminate(self) -> None:  # SIGTERM is blocked
        self.kill()


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block SIGINT and SIGTERM, also in the processes that are started meanwhile, for as long as they live."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:  # its sentinel is not enough: a fork of it may hold that open
        while not connection.wait([parent.sentinel], 1.0) and os.getppid() == parent.pid:
            pass
    os._exit(1)
