"""Peak memory of parsing a long list: a million strings beside ten thousand."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.processes import peak_of
from benchmarks.support.samples import texts, vary
from benchmarks.support.timing import how_many, model_path

_FEW = 10_000
_MANY = 1_000_000


@benchmark(
    "memory",
    "Peak memory of parsing 1,000,000 strings beside 10,000 (bar: at most 100 MB more)",
    reference="10,000 strings, measured in the same run",
)
def memory() -> Outcome:
    """Compare the peak resident memory of two runs of `ibidem parse FILE -o /dev/null`."""
    few, many = _FEW, how_many(_MANY)
    about, seeds = texts(2000)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "strings.txt"
        small, brief = _parse(source, seeds, few)
        large, long = _parse(source, seeds, many)
    rows = [
        Result(f"{many:,} strings, reference is {few:,}", "MB", small, large, ratio=large / small),
        Result("difference", "MB", None, large - small, bar=100),
        Result("time", "strings/s", few / brief, many / long),
    ]
    return f"{about}, with other numbers and some other words each time; peak resident memory", rows


def _parse(source: Path, seeds: list[str], count: int) -> tuple[float, float]:
    """Return the peak resident memory in MB and the wall time of a process that parses `count` strings."""
    with source.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{text}\n" for text in islice(vary(seeds), count))
    chosen = model_path()
    model = ["--model", str(chosen)] if chosen else []
    return peak_of("parse", source, model, f"{count:,} strings")
