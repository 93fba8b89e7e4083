"""The models that ship, one for each task and one more by name, and parsing with several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from ibidem.errors import InputError, ModelError
from ibidem.features import Lexicons
from ibidem.labels.tasks import REFERENCES, task_of
from ibidem.models.constrained import checked, in_force, read_constraints
from ibidem.models.parser import Parser
from ibidem.models.storage import load
from ibidem.types import Parsed

WEIGHTS = Path(__file__).parent / "weights"
DEFAULT = WEIGHTS / "references.ibidem"
NAMED = {"semi": WEIGHTS / "semi.ibidem"}
"""Models that ship beside the default one of their task, by the names that `--model` and `ibidem.load` know them by."""
_CHUNK = 512


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """How to parse: with which model, and how much is to be said of each string."""

    model: Path | None = None
    alternatives: int = 0
    explain: bool = False
    constraints: bool | Path = True  # the model's own, none, or those of a TOML file beside the model's own
    task: str | None = None

    def __post_init__(self) -> None:
        if self.alternatives < 0:
            raise InputError(f"alternatives is {self.alternatives}: give 0 or the number of labellings wanted")


@lru_cache(maxsize=4)
def _loaded(path: Path, constraints: bool | Path) -> Parser:
    model = load(path)
    if isinstance(constraints, Path):
        given = read_constraints(constraints, model.labels)
        model = replace(model, constraints=in_force(checked({**model.constraints, **given}, model.labels)))
    return Parser(model, constraints=bool(constraints))


def weights_of(task: str) -> Path:
    """Where the model that ships for a task lies."""
    return DEFAULT if task == REFERENCES.name else WEIGHTS / f"{task_of(task).name}.ibidem"


@lru_cache(maxsize=1)
def default_lexicons() -> Lexicons:
    """The lexicons of the model that ships: built from the open lists, they know no benchmark."""
    return load(DEFAULT).encoder.lexicons


def path_of(model: str | Path | None) -> Path | None:
    """The file of a model that ships under a name, or the path that was given; None stands for the default."""
    if isinstance(model, str):
        return NAMED.get(model, Path(model))
    return model


def parser(path: Path | None, task: str | None = None, constraints: bool | Path = True) -> Parser:
    """The parser of a model file, or of the model that ships for a task; kept for the next call.

    A file whose model labels something else than `task` is refused; without a task any model will do.
    """
    chosen = path or weights_of(task or REFERENCES.name)
    if (path is None or path in NAMED.values()) and not chosen.exists():
        raise ModelError(
            f"{chosen.name} does not ship with this installation: train one with 'ibidem train' and pass its path"
        )
    found = _loaded(chosen, constraints)
    if task is not None and found.task.name != task_of(task).name:
        raise ModelError(f"{chosen} is a model for {found.task.name}, not for {task}: give one for {task}")
    return found


def _parser(manner: ParseOptions) -> Parser:
    return parser(manner.model, manner.task, manner.constraints)


def _parse_chunk(texts: list[str], manner: ParseOptions) -> list[Parsed]:
    return list(_parser(manner).parse_many(texts, manner.alternatives, manner.explain))


def parse_in_parallel(texts: Iterable[str], manner: ParseOptions, jobs: int) -> Iterator[Parsed]:
    """What comes of each string, in order, parsed by `jobs` processes that are never far ahead of the reader."""
    if jobs < 1:
        raise InputError(f"jobs is {jobs}: give the number of processes, 1 or more")
    if jobs == 1:
        return _parser(manner).parse_many(texts, manner.alternatives, manner.explain)
    _parser(manner)  # a bad model is an error here, not in every process
    return _in_processes(texts, manner, jobs)


def _in_processes(texts: Iterable[str], manner: ParseOptions, jobs: int) -> Iterator[Parsed]:
    from concurrent.futures import Future, ProcessPoolExecutor

    source = iter(texts)
    waiting: deque[Future[list[Parsed]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        while True:
            while len(waiting) < 2 * jobs and (chunk := list(islice(source, _CHUNK))):
                waiting.append(pool.submit(_parse_chunk, chunk, manner))
            if not waiting:
                return
            yield from waiting.popleft().result()
