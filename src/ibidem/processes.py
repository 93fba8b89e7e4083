"""Several processes for one stream of work: started anew, ended together, none left behind.

They are spawned, not forked: a forked process inherits the locks that other threads of its parent hold at that moment,
and waits for them forever. Each has a pipe and a thread of its own in the parent, and shares nothing with the others:
one that is killed, even in the middle of an answer, is noticed by the end of its pipe. (In `ProcessPoolExecutor`, the
parent would wait for the rest of the answer.) A process ends with its parent, however that ends, and leaves signals to
it.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import Pipe, connection, current_process, parent_process
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from ibidem.errors import IbidemError, InputError

_Result = TypeVar("_Result")
_NAME = "ibidem-worker"
_UNGUARDED = 86  # exit status of a worker in which the script that started it begins anew


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
    workers, threads = _Workers(), ThreadPoolExecutor(jobs)
    waiting: deque[Future[_Result]] = deque()
    try:
        for arguments in chain(first, source):
            with _blocked_signals():
                waiting.append(threads.submit(workers.call, function, arguments))
            if len(waiting) == 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except _Lost:
        workers.end()
        raise IbidemError(workers.describe_end()) from None
    finally:
        if workers.owned():
            workers.end()
            threads.shutdown(cancel_futures=True)


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


class _Lost(Exception):
    """A worker has ended before it answered."""


class _Workers:
    """The workers of one stream of work, one for each thread that makes calls."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._started: list[_Worker] = []
        self._of_thread = threading.local()
        self._lock = threading.Lock()
        self._ended = False
        atexit.register(self.end)  # where the reader never comes back

    def owned(self) -> bool:
        """Return whether this process started the workers, and is not a fork of that one."""
        return os.getpid() == self._owner

    def call(self, function: Callable[..., _Result], arguments: tuple[Any, ...]) -> _Result:
        """Return what a worker makes of a call."""
        pipe = self._worker().pipe
        try:
            pipe.send((function, arguments))
            done, answer = pipe.recv()
        except (EOFError, OSError):
            raise _Lost from None
        if not done:
            raise answer
        result: _Result = answer
        return result

    def _worker(self) -> _Worker:
        """Return the worker of this thread."""
        if not hasattr(self._of_thread, "worker"):
            with self._lock:
                if self._ended:
                    raise _Lost
                worker = _Worker(f"{_NAME}-{len(self._started)}")
                try:
                    worker.start()
                except OSError as error:
                    raise InputError(f"cannot start a process: {error.strerror or error}; give fewer jobs") from error
                finally:
                    worker.theirs.close()
                self._started.append(worker)
                self._of_thread.worker = worker
        found: _Worker = self._of_thread.worker
        return found

    def end(self) -> None:
        """Kill all workers, whatever they do, and wait for their ends."""
        if not self.owned():
            return
        with self._lock:
            self._ended = True
            for worker in self._started:
                worker.kill()
            for worker in self._started:
                worker.join()
        atexit.unregister(self.end)

    def describe_end(self) -> str:
        """Return what to say when one of the workers ended early; the others were killed then."""
        codes = [worker.exitcode for worker in self._started if worker.exitcode]
        if _UNGUARDED in codes:
            return _guard_script()
        code = next((code for code in codes if code != -9), -9)
        how = f"ended with status {code}" if code > 0 else f"was killed by signal {-code}"
        why = ", perhaps for lack of memory" if code == -9 else ""
        return f"one of {len(self._started)} processes {how}{why}; run it again, with fewer jobs"


class _Worker(SpawnProcess):
    """A process that answers calls, works in its parent's folder and ends with its parent."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.pipe, self.theirs = Pipe()
        self._folder = os.path.realpath(os.curdir)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "pipe"}

    def run(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it is not blocked
        threading.Thread(target=_end_with_parent, daemon=True).start()
        with suppress(OSError):
            os.chdir(self._folder)
        with suppress(EOFError, OSError):  # the parent has gone
            while True:
                self._answer(*self.theirs.recv())

    def _answer(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            answer = True, function(*arguments)
        except Exception as error:
            error.add_note("".join(traceback.format_exception(error)))
            answer = False, error
        self.theirs.send(answer)


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block SIGINT and SIGTERM, also in the threads and processes that are started meanwhile, as long as they live."""
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
