"""The model that ships, and parsing with several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from ibidem.errors import InputError, ModelError
from ibidem.models.constrained import checked, in_force, read_constraints
from ibidem.models.parser import Parser
from ibidem.models.storage import load
from ibidem.types import Parsed

WEIGHTS = Path(__file__).parent / "weights"
DEFAULT = WEIGHTS / "references.ibidem"
_CHUNK = 512


@dataclass(frozen=True, slots=True)
class Manner:
    """How to parse: with which model, and how much is to be said of each string."""

    model: Path | None = None
    alternatives: int = 0
    explain: bool = False
    constraints: bool | Path = True  # the model's own, none, or those of a TOML file beside the model's own

    def __post_init__(self) -> None:
        if self.alternatives < 0:
            raise InputError(f"alternatives is {self.alternatives}: give 0 or the number of labellings wanted")


@lru_cache(maxsize=2)
def _loaded(path: Path, constraints: bool | Path = True) -> Parser:
    model = load(path)
    if isinstance(constraints, Path):
        given = read_constraints(constraints, model.labels)
        model = replace(model, constraints=in_force(checked({**model.constraints, **given}, model.labels)))
    return Parser(model, constraints=bool(constraints))


def parser(path: Path | None, constraints: bool | Path = True) -> Parser:
    """The parser of a model file, or of the model that ships; kept for the next call."""
    if path is None and not DEFAULT.exists():
        raise ModelError("no model ships with this installation: train one with 'ibidem train' and pass its path")
    return _loaded(path or DEFAULT, constraints)


def _parse(texts: Iterable[str], manner: Manner) -> Iterator[Parsed]:
    return parser(manner.model, manner.constraints).parse_many(texts, manner.alternatives, manner.explain)


def _parse_chunk(texts: list[str], manner: Manner) -> list[Parsed]:
    return list(_parse(texts, manner))


def parse_in_parallel(texts: Iterable[str], manner: Manner, jobs: int) -> Iterator[Parsed]:
    """What comes of each string, in order, parsed by `jobs` processes that are never far ahead of the reader."""
    if jobs < 1:
        raise InputError(f"jobs is {jobs}: give the number of processes, 1 or more")
    if jobs == 1:
        return _parse(texts, manner)
    parser(manner.model, manner.constraints)  # a bad model is an error here, not in every process
    return _in_processes(texts, manner, jobs)


def _in_processes(texts: Iterable[str], manner: Manner, jobs: int) -> Iterator[Parsed]:
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
