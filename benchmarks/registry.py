"""Benchmarks by name: each runs, sets its figures beside the published ones and keeps them as JSON.

A benchmark is a function without arguments that returns what it ran on and its rows:

    @benchmark("cora", "Field F1 on Cora, against Peng & McCallum 2006, table 2")
    def cora() -> Outcome:
        return "Cora, 350 / 150 references", [Figure("author", "field F1", reference=0.994, ours=0.996)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ibidem.cli.tables import align, show_rows
from ibidem.errors import ConfigError, InputError


@dataclass(frozen=True, slots=True)
class Result:
    """One row of a benchmark: the published value beside ours, and the ends of our interval where there is one.

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
    """What a benchmark compares, and the function that runs it."""

    name: str
    summary: str
    run: Callable[[], Outcome]


BENCHMARKS: dict[str, Benchmark] = {}

_ALWAYS = ("", "metric", "reference", "ours")
_HEAD = (*_ALWAYS, "difference", "95 % interval", "ratio", "wanted")
_PER_CENT = re.compile(r"%|F1|whole reference|accuracy|recall|precision")


def benchmark(name: str, summary: str) -> Callable[[Callable[[], Outcome]], Callable[[], Outcome]]:
    """A decorator that enters a function among the benchmarks."""

    def enter(function: Callable[[], Outcome]) -> Callable[[], Outcome]:
        BENCHMARKS[name] = Benchmark(name, summary, function)
        return function

    return enter


def run(name: str, folder: Path) -> None:
    """Nothing: runs one benchmark or `all`, prints its table and writes `folder/NAME.json`; `list` shows the names."""
    from benchmarks import import_all

    import_all()
    if name == "list":
        show_rows(("name", "what it compares"), [(one.name, one.summary) for one in BENCHMARKS.values()])
        return
    if name != "all" and name not in BENCHMARKS:
        raise ConfigError(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS) or 'none yet'} (or `all`)")
    for one in list(BENCHMARKS.values()) if name == "all" else [BENCHMARKS[name]]:
        data, rows = one.run()
        print(report(one.name, data, rows, folder))


def report(name: str, data: str, rows: Sequence[Result], folder: Path) -> str:
    """The table of a benchmark's figures, which are kept in `folder/NAME.json`."""
    import orjson

    found = {"name": name, "data": data, "rows": [_kept(row) for row in rows]}
    target = folder / f"{name}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror or error}") from error
    return f"{name} – {data}\n{align(*table_of(rows))}\n"


def _kept(row: Result) -> dict[str, object]:
    """A row as it is kept: without a ratio, a bar and a deviation where it has none."""
    spared = ("ratio", "bar", "deviation")
    return {name: value for name, value in asdict(row).items() if value is not None or name not in spared}


def table_of(rows: Sequence[Result]) -> tuple[list[str], list[list[str]]]:
    """The head of a table of figures and its lines; without the columns that no row has anything for.

    Times and sizes have a ratio, other figures a difference.
    """
    lines = [_cells(row) for row in rows]
    kept = [place for place, head in enumerate(_HEAD) if head in _ALWAYS or any(line[place] != "–" for line in lines)]
    return [_HEAD[place] for place in kept], [[line[place] for place in kept] for line in lines]


def _cells(figure: Result) -> list[str]:
    metric, reference, ours, ratio = figure.metric, figure.reference, figure.ours, figure.ratio
    spread = "" if figure.deviation is None else f" ± {figure.deviation:.2f}"
    difference = None if reference is None or ratio is not None else ours - reference
    ends = figure.low is not None and figure.high is not None
    return [
        figure.row,
        metric,
        _number(reference, metric),
        _number(ours, metric) + spread,
        _number(difference, metric, "+"),
        f"{_number(figure.low, metric)} to {_number(figure.high, metric)}" if ends else "–",
        _number(ratio, ""),
        _number(figure.bar, ""),
    ]


def _number(value: float | None, metric: str, sign: str = "") -> str:
    if value is None:
        return "–"
    if _PER_CENT.search(metric):
        return f"{value:{sign}.2f}"
    return f"{value:{sign},.0f}" if abs(value) >= 100 else f"{value:{sign}.3g}"
