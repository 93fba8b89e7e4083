"""The models that ship, one for each task, and parsing with several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from ibidem.errors import InputError, ModelError
from ibidem.models.parser import Parser
from ibidem.models.storage import load
from ibidem.tasks.task import REFERENCES, task_of
from ibidem.types import Parsed

WEIGHTS = Path(__file__).parent / "weights"
DEFAULT = WEIGHTS / "references.ibidem"
_CHUNK = 512


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Parser:
    return Parser(load(path))


def weights_of(task: str) -> Path:
    """Where the model that ships for a task lies."""
    return DEFAULT if task == REFERENCES.name else WEIGHTS / f"{task_of(task).name}.ibidem"


def parser(path: Path | None, task: str | None = None) -> Parser:
    """The parser of a model file, or of the model that ships for a task; kept for the next call.

    A file whose model labels something else than `task` is refused; without a task any model will do.
    """
    chosen = path or weights_of(task or REFERENCES.name)
    if path is None and not chosen.exists():
        raise ModelError("no model ships with this installation: train one with 'ibidem train' and pass its path")
    found = _loaded(chosen)
    if task is not None and found.task.name != task_of(task).name:
        raise ModelError(f"{chosen} is a model for {found.task.name}, not for {task}: give one for {task}")
    return found


def _parse_chunk(texts: list[str], path: Path | None, alternatives: int, task: str) -> list[Parsed]:
    return list(parser(path, task).parse_many(texts, alternatives))


def parse_in_parallel(
    texts: Iterable[str], path: Path | None, alternatives: int, jobs: int, task: str = REFERENCES.name
) -> Iterator[Parsed]:
    """What comes of each string, in order, parsed by `jobs` processes that are never far ahead of the reader."""
    if jobs < 1:
        raise InputError(f"jobs is {jobs}: give the number of processes, 1 or more")
    if alternatives < 0:
        raise InputError(f"alternatives is {alternatives}: give 0 or the number of labellings wanted")
    if jobs == 1:
        return parser(path, task).parse_many(texts, alternatives)
    parser(path, task)  # a bad model is an error here, not in every process
    return _in_processes(texts, path, alternatives, jobs, task)


def _in_processes(texts: Iterable[str], path: Path | None, alternatives: int, jobs: int, task: str) -> Iterator[Parsed]:
    from concurrent.futures import Future, ProcessPoolExecutor

    source = iter(texts)
    waiting: deque[Future[list[Parsed]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        while True:
            while len(waiting) < 2 * jobs and (chunk := list(islice(source, _CHUNK))):
                waiting.append(pool.submit(_parse_chunk, chunk, path, alternatives, task))
            if not waiting:
                return
            yield from waiting.popleft().result()
