"""The models in the package, a default one for each task, and parsing with several processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, repeat
from pathlib import Path

from ibidem.errors import InputError, ModelError
from ibidem.features import Lexicons
from ibidem.labels.tasks import REFERENCES, task_of
from ibidem.models.constraints import check_constraints, drop_zero, read_constraints
from ibidem.models.parser import Parser
from ibidem.models.storage import load
from ibidem.types import Parsed

WEIGHTS = Path(__file__).parent / "weights"
DEFAULT = WEIGHTS / "references.ibidem"
_CHUNK = 512


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """Options of parsing: the model, and the amount of output for each string."""

    model: Path | None = None
    alternatives: int = 0
    explain: bool = False
    constraints: bool | Path = True  # the model's, none, or those of a TOML file beside the model's
    task: str | None = None

    def __post_init__(self) -> None:
        if self.alternatives < 0:
            raise InputError(f"alternatives is {self.alternatives}: give the number of further labellings, 0 or more")


@lru_cache(maxsize=4)
def _load(path: Path, constraints: bool | Path) -> Parser:
    model = load(path)
    if isinstance(constraints, Path):
        given = read_constraints(constraints, model.labels)
        model = replace(model, constraints=drop_zero(check_constraints({**model.constraints, **given}, model.labels)))
    # the package lies elsewhere in another installation
    place = path.relative_to(WEIGHTS) if path.is_relative_to(WEIGHTS) else path.absolute()
    limits = constraints.absolute().as_posix() if isinstance(constraints, Path) else constraints
    return Parser(model, constraints=bool(constraints), origin=(_restore, (place.as_posix(), limits)))


def _restore(place: str, constraints: bool | str) -> Parser:
    """Return the parser of a model, given by its path or by its file's name in the package."""
    return _load(WEIGHTS / place, Path(constraints) if isinstance(constraints, str) else constraints)


def weights_of(task: str) -> Path:
    """Return the path of the default model of a task."""
    return DEFAULT if task == REFERENCES.name else WEIGHTS / f"{task_of(task).name}.ibidem"


@lru_cache(maxsize=1)
def default_lexicons() -> Lexicons:
    """Return the lexicons of the default model, which are built from open lists and no benchmark."""
    return load(DEFAULT).lexicons


def parser(path: Path | None, task: str | None = None, constraints: bool | Path = True) -> Parser:
    """Return the parser of a model file, or of the default model of a task; it is kept for the next call.

    A file whose model is for another task than `task` is refused; without a task any model is accepted.
    """
    chosen = path or weights_of(task or REFERENCES.name)
    if path is None and not chosen.exists():
        raise ModelError(
            f"{chosen.name} is not part of this installation: train one with 'ibidem train' and pass its path"
        )
    found = _load(chosen, constraints)
    if task is not None and found.task.name != task_of(task).name:
        raise ModelError(f"{chosen} is a model for {found.task.name}, not for {task}: give one for {task}")
    return found


def _parser(options: ParseOptions) -> Parser:
    return parser(options.model, options.task, options.constraints)


def _parse_chunk(texts: list[str], options: ParseOptions) -> list[Parsed]:
    return list(_parser(options).parse_many(texts, options.alternatives, options.explain))


def parse_in_parallel(texts: Iterable[str], options: ParseOptions, jobs: int) -> Iterator[Parsed]:
    """Yield the result for each string, in order, parsed by `jobs` processes that are never far ahead of the reader."""
    if jobs < 1:
        raise InputError(f"jobs is {jobs}: give the number of processes, 1 or more")
    if jobs == 1:
        return _parser(options).parse_many(texts, options.alternatives, options.explain)
    _parser(options)  # a bad model is an error here, not in every process
    return _parse_in_processes(texts, options, jobs)


def _parse_in_processes(texts: Iterable[str], options: ParseOptions, jobs: int) -> Iterator[Parsed]:
    from ibidem.processes import map_in_processes

    source = iter(texts)
    chunks = iter(lambda: list(islice(source, _CHUNK)), [])
    for answers in map_in_processes(_parse_chunk, zip(chunks, repeat(options)), jobs):
        yield from answers
