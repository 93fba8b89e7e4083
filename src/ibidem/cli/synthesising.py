"""What `ibidem synthesise` does: records in, labelled strings out, and a word about what was passed over."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ibidem.cli.outputs import open_output
from ibidem.csl.styles import dependent
from ibidem.data import writers
from ibidem.records.record import Record
from ibidem.synthesis import Plan, chosen, drawn, noise_of, synthesise, usable
from ibidem.synthesis.sources import PUBLIC, records_in, records_of
from ibidem.types import Example, Malformed

_SHOWN = 3  # problems that are told one by one


@dataclass(frozen=True, slots=True)
class SynthesisOptions:
    """The options of the command."""

    styles: tuple[str, ...]
    count: int | None
    noise: str
    locale: tuple[str, ...]
    journals: Path | None
    form: str | None
    seed: int
    jobs: int


def run(source: Path, output: Path, wishes: SynthesisOptions) -> None:
    """Nothing: writes the strings to `output`; what could not be read or written is told on standard error."""
    form = wishes.form or writers.format_of(output)
    paths, without = usable(chosen(wishes.styles))
    plan = Plan(paths, wishes.locale, noise_of(wishes.noise), wishes.seed, wishes.journals)
    problems: list[Malformed] = []
    records = _records(source, wishes, problems)
    made = synthesise(records, wishes.count or len(records), plan, wishes.jobs)
    counter = _Counter()
    with open_output(output) as stream:
        problems += writers.write(counter.counted(made), stream, form)
    _say(f"{counter.count:,} strings; records: {len(records):,}, styles: {len(paths):,}")
    if "all" in wishes.styles:
        others = len(dependent())
        _say(f"passed over: {without:,} styles without a bibliography, {others:,} that are other names for one")
    for problem in problems[:_SHOWN]:
        _say(f"{problem.source}: {problem.reason}")
    if len(problems) > _SHOWN:
        _say(f"and {len(problems) - _SHOWN:,} more that could not be read or written")


def _records(source: Path, wishes: SynthesisOptions, problems: list[Malformed]) -> list[Record]:
    """The records to render: all, or as many as there are to be strings, drawn at random."""

    def good(items: Iterator[Record | Malformed]) -> Iterator[Record]:
        for item in items:
            if isinstance(item, Malformed):
                problems.append(item)
            else:
                yield item

    items = records_of(str(source)) if str(source) in PUBLIC else records_in(source)
    found = good(items)
    return list(found) if wishes.count is None else drawn(found, wishes.count, wishes.seed)


class _Counter:
    """Counts what passes by."""

    def __init__(self) -> None:
        self.count = 0

    def counted(self, examples: Iterator[Example]) -> Iterator[Example]:
        for example in examples:
            self.count += 1
            yield example


def _say(line: str) -> None:
    print(f"ibidem: {line}", file=sys.stderr)
