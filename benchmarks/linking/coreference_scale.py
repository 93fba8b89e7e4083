"""Growth of the time and memory of linking, from ten thousand to a million references.

The references are records of the public sets of metadata as people cite them (see `citation_variants`), not
strings: what is measured is linking, from a file of records to a database of works and a file of them.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from itertools import chain, islice, pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from benchmarks.linking.citation_variants import cite
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.processes import measure
from benchmarks.support.timing import how_many, say
from ibidem.errors import ConfigError, MissingExtra
from ibidem.metrics.clustering import PartitionScore, score_partition
from ibidem.records.record import Record
from ibidem.synthesis import PRESETS
from ibidem.synthesis.sources import records_of

SIZES = (10_000, 100_000, 1_000_000)
_SETS = ("dblp", "medline")


class Run(NamedTuple):
    """Time, memory and quality of linking a number of references."""

    size: int
    seconds: float
    megabytes: float
    pairs: int
    score: PartitionScore


@benchmark("coreference-scale", "Linking 10,000, 100,000 and 1,000,000 references: seconds, memory, how they grow")
def coreference_scale() -> Outcome:
    """Measure every size up to what the environment allows."""
    sizes = [size for size in SIZES if size <= how_many(SIZES[-1])]
    if not sizes:
        raise ConfigError(f"IBIDEM_BENCH_STRINGS is below the smallest size, {SIZES[0]:,}: give at least that many")
    runs = [_run(size) for size in sizes]
    rows = [row for run in runs for row in _rows(run)]
    for one, other in pairwise(runs):
        growth = math.log(other.seconds / one.seconds) / math.log(other.size / one.size)
        rows.append(Result(f"growth, {one.size:,} to {other.size:,}", "exponent of seconds", None, growth, bar=1.2))
    data = (
        f"Records of {' and '.join(_SETS)} as they are cited, light noise, no identifiers; `ibidem link FILE.jsonl"
        " --db` in a process of its own, CPU seconds and peak memory until all works are written"
    )
    return data, rows


def _rows(run: Run) -> list[Result]:
    row = f"{run.size:,} references"
    return [
        Result(row, "seconds", None, run.seconds),
        Result(row, "MB", None, run.megabytes, bar=4_000 if run.size == SIZES[-1] else None),
        Result(row, "pairs per reference", None, run.pairs / run.size),
        Result(row, "pair F1", None, 100 * run.score.pairs.f1),
        Result(row, "works exactly right, %", None, 100 * run.score.clusters.recall),
    ]


def _citations() -> Iterator[Record]:
    """Yield citations of the records of all sets, alternating between the sets."""
    together = chain.from_iterable(zip_longest(*map(records_of, _SETS)))
    return cite((record for record in together if record is not None), PRESETS["light"])


def _run(size: int) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        source, database = Path(folder) / "citations.jsonl", Path(folder) / "works.duckdb"
        true = _write_citations(source, size)
        usage = measure("link", source, ["--db", str(database)], f"{size:,} references")
        found, pairs = _read_links(database)
    run = Run(size, usage.processor, usage.megabytes, pairs, score_partition(true, found))
    say(f"{size:,}: {run.seconds:.0f} s, {run.megabytes:.0f} MB, pair F1 {100 * run.score.pairs.f1:.2f}")
    return run


def _write_citations(path: Path, size: int) -> list[int]:
    """Write citations to a file and return their works."""
    import orjson

    from ibidem.records.formats.jsonl import as_object

    works = []
    with path.open("wb") as stream:
        for record in islice(_citations(), size):
            works.append(int(record.key))
            stream.write(orjson.dumps(as_object(record), option=orjson.OPT_APPEND_NEWLINE))
    return works


def _read_links(path: Path) -> tuple[list[int], int]:
    """Return the work of each citation of a database, and the number of pairs that were compared."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("a database of links needs duckdb: pip install 'ibidem[tables]'") from None
    with duckdb.connect(str(path), read_only=True) as database:
        works = [row[0] for row in database.execute("SELECT work FROM links ORDER BY citation").fetchall()]
        return works, int(database.execute("SELECT count(*) FROM comparisons").fetchall()[0][0])
