"""Benchmarks by name. Running one prints its results beside the published ones and writes them as JSON.

A benchmark is a function without arguments that returns a description of its data and its rows. One whose rows have a
reference says where that comes from: the table and page of a publication, or what was measured in the same run.

    @benchmark("cora", "Field F1 on Cora", reference="Peng and McCallum 2006, Table 2")
    def cora() -> Outcome:
        return "Cora, 350 / 150 references", [Result("author", "field F1", reference=0.994, ours=0.996)]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ibidem.cli.tables import align
from ibidem.errors import ConfigError, InputError, MissingExtra


@dataclass(frozen=True, slots=True)
class Result:
    """One row of a benchmark: the reference value (published, or of a baseline), ours, and our confidence interval.

    Where times or sizes are compared, `ratio` says how many times better or larger ours is and `bar` what is wanted.
    Where ours is a mean over several runs, `deviation` is their standard deviation.
    """

    row: str
    metric: str
    reference: float | None
    ours: float
    low: float | None = None
    high: float | None = None
    ratio: float | None = None
    bar: float | None = None
    deviation: float | None = None


Outcome = tuple[str, Sequence[Result]]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Name of a benchmark, what it compares, the function that runs it, and whether it is to run only in part.

    `reference` is the source of the reference values in its rows.
    """

    name: str
    summary: str
    run: Callable[[], Outcome]
    is_partial: Callable[[], bool] = lambda: False
    reference: str | None = None


BENCHMARKS: dict[str, Benchmark] = {}

# What to install where a package's name differs from that of its module.
_DISTRIBUTIONS = {"pycrfsuite": "python-crfsuite", "citeproc": "citeproc-py"}
_ALWAYS = ("", "metric", "reference", "ours")
_HEAD = (*_ALWAYS, "difference", "95 % interval", "ratio", "wanted")
_OPTIONAL = ("ratio", "bar", "deviation")
_PER_CENT = re.compile(r"%|F1|exact match|accuracy|recall|precision")


def benchmark(
    name: str, summary: str, is_partial: Callable[[], bool] = lambda: False, *, reference: str | None = None
) -> Callable[[Callable[[], Outcome]], Callable[[], Outcome]]:
    """Register the decorated function as a benchmark; the rows that a partial run lacks stay as they were measured."""

    def register(function: Callable[[], Outcome]) -> Callable[[], Outcome]:
        other = BENCHMARKS.get(name)
        if other and other.run.__module__ != function.__module__:
            raise ConfigError(f"two benchmarks are named {name!r}: in {other.run.__module__} and {function.__module__}")
        BENCHMARKS[name] = Benchmark(name, summary, function, is_partial, reference)
        return function

    return register


def list_benchmarks() -> None:
    """Print the names of all benchmarks with what each compares."""
    from benchmarks import import_all

    failed = import_all()
    print(align(("name", "what it compares"), [(one.name, one.summary) for one in in_order(BENCHMARKS.values())]))
    for module, reason in failed.items():
        print(f"benchmarks: {module} is not listed: {reason}", file=sys.stderr)


def in_order(benchmarks: Iterable[Benchmark]) -> list[Benchmark]:
    """Return the benchmarks sorted by name."""
    return sorted(benchmarks, key=lambda one: one.name)


def select(name: str) -> list[Benchmark]:
    """Return the benchmark of this name, or every one for `all`."""
    from benchmarks import import_all

    failed = import_all()
    if name == "all" and not failed:
        return in_order(BENCHMARKS.values())
    if name in BENCHMARKS:
        return [BENCHMARKS[name]]
    if failed:
        reasons = "; ".join(sorted(set(failed.values())))
        raise MissingExtra(f"{name!r} is not among the benchmarks that loaded, and {len(failed)} did not: {reasons}")
    raise ConfigError(f"there is no benchmark {name!r}; choose `all` or one of {', '.join(sorted(BENCHMARKS))}")


def run(one: Benchmark, folder: Path) -> str:
    """Run a benchmark, write its results to `folder/NAME.json` and return them as a table."""
    try:
        data, rows = one.run()
    except ModuleNotFoundError as error:
        package = _DISTRIBUTIONS.get(error.name or "", error.name)
        raise MissingExtra(f"{one.name} needs {package}, which is not installed: pip install {package}") from error
    save(one.name, data, rows, folder, one.is_partial())
    if not one.reference and any(row.reference is not None for row in rows):
        raise ConfigError(f"rows of {one.name} have a reference: give @benchmark a `reference` that says whose it is")
    source = f"reference: {one.reference}\n" if one.reference else ""
    return f"{one.name} – {data}\n{align(*table_of(rows))}\n{source}"


def save(name: str, data: str, rows: Sequence[Result], folder: Path, partial: bool = False) -> None:
    """Write the results of a benchmark to `folder/NAME.json`; those of a partial run replace their rows there."""
    import orjson

    target = folder / f"{name}.json"
    found = [_row_object(row) for row in rows]
    try:
        if partial and target.exists():
            new = {(row["row"], row["metric"]): row for row in found}
            old = orjson.loads(target.read_bytes())["rows"]
            found = [new.pop((row["row"], row["metric"]), row) for row in old] + list(new.values())
        content = {"name": name, "data": data, "rows": found}
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror or error}") from error


def _row_object(row: Result) -> dict[str, object]:
    """The row as a JSON object, without a ratio, a bar or a deviation where it has none."""
    return {name: value for name, value in asdict(row).items() if value is not None or name not in _OPTIONAL}


def table_of(rows: Sequence[Result]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the lines of a table of results, without the columns that are empty in every row.

    Times and sizes have a ratio, other results a difference.
    """
    lines = [_cells(row) for row in rows]
    kept = [place for place, head in enumerate(_HEAD) if head in _ALWAYS or any(line[place] != "–" for line in lines)]
    return [_HEAD[place] for place in kept], [[line[place] for place in kept] for line in lines]


def _cells(result: Result) -> list[str]:
    metric, reference, ours, ratio = result.metric, result.reference, result.ours, result.ratio
    spread = "" if result.deviation is None else f" ± {result.deviation:.2f}"
    difference = None if reference is None or ratio is not None else ours - reference
    has_interval = result.low is not None and result.high is not None
    return [
        result.row,
        metric,
        _number(reference, metric),
        _number(ours, metric) + spread,
        _number(difference, metric, "+"),
        f"{_number(result.low, metric)} to {_number(result.high, metric)}" if has_interval else "–",
        _number(ratio, ""),
        _number(result.bar, ""),
    ]


def _number(value: float | None, metric: str, sign: str = "") -> str:
    if value is None:
        return "–"
    if _PER_CENT.search(metric):
        return f"{value:{sign}.2f}"
    return f"{value:{sign},.0f}" if abs(value) >= 100 else f"{value:{sign}.3g}"
