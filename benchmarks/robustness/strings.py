"""A million hostile strings: parsed, made into records, written in every format and read back; every law is checked."""

from __future__ import annotations

import json
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.robustness.hostile import hostile_string
from benchmarks.robustness.laws import check_format, check_parsed, check_record
from benchmarks.robustness.settings import Settings, read_settings
from benchmarks.robustness.watched import Fault, Hang, Report, describe, limit_seconds, run_watched
from benchmarks.robustness.watched import Outcome as Watched
from benchmarks.support.timing import say
from ibidem.models.parser import Parser
from ibidem.records.formats import FORMATS
from ibidem.records.record import Record
from ibidem.types import Parsed

_STRINGS = 1_000_000
_BATCH = 200
_SAMPLE = 2_000  # strings on which the number of processes and threads is varied
_SLOW = ("duckdb", "markdown", "html", "text")  # each on every fourth batch
_GUILTY = 3
_HANG = 1.0  # seconds of processor time that a string may take in one step


@benchmark(
    "torture-strings",
    "Crashes, hangs and broken laws among 1,000,000 hostile strings (bar: none)",
    reference="the number of strings asked for, and no fault",
)
def torture_strings() -> Outcome:
    """Run the part of hostile strings."""
    settings = read_settings()
    cases = settings.cases_of(_STRINGS // _BATCH)
    began = time.monotonic()
    outcome = run_watched(StringCheck(settings.seed), cases, settings, settings.minutes)
    minutes = (time.monotonic() - began) / 60
    compare_runs(settings, outcome)
    outcome.save(settings.failures, "strings", settings.seed)
    counts = outcome.counts
    rate = counts["strings"] / max(minutes * 60 * settings.jobs, 1e-9)
    say(f"  strings: {counts['strings']:,} in {minutes:.1f} minutes, {rate:.0f} a second and process")
    rows = [
        Result("strings", "number", cases.stop * _BATCH, counts["strings"]),
        *(Result(f"written as {name}", "strings", None, counts[name]) for name in FORMATS),
        Result("strings on which jobs and threads were varied", "number", None, counts["varied"]),
        Result("crashes, hangs and broken laws", "number", 0, sum(outcome.times.values())),
        Result("distinct faults", "number", 0, len(outcome.times)),
    ]
    return f"hostile strings, {settings.describe()}", rows


def strings_of(seed: int, case: int) -> list[str]:
    """Return the strings of a batch."""
    random = Random(f"strings {seed} {case}")
    return [hostile_string(random) for _ in range(_BATCH)]


@dataclass(frozen=True, slots=True)
class StringCheck:
    """Sends batches of strings through everything."""

    seed: int

    def __call__(self, case: int, report: Report) -> Counter[str]:
        """Check a batch, and report every string that fails."""
        return _Batch(report).check(strings_of(self.seed, case), formats_of(case))

    def input_of(self, case: int) -> bytes:
        """Return the strings of a batch as JSON."""
        return json.dumps(strings_of(self.seed, case)).encode()


def formats_of(case: int) -> list[str]:
    """Return the formats that a batch is written in: all fast ones, and one of the slow ones in turn."""
    return [name for name in FORMATS if name not in _SLOW or _SLOW[case % len(_SLOW)] == name]


@dataclass(slots=True)
class _Batch:
    report: Report
    guilty: int = 0  # records found to fail in the format that is being written

    def check(self, texts: Sequence[str], formats: Sequence[str]) -> Counter[str]:
        """Return how many strings went through what."""
        counts = Counter(strings=len(texts))
        parsed = self._parse(texts)
        records: list[Record] = []
        for one in parsed:
            self._report(one.text, self._laws("parse", check_parsed, one.text, one))
            made: list[Record] = []
            broken = self._laws("record", _make_record, one, made)
            self._report(one.text, broken)
            records += made if one.error is None and not broken else []
        for name in formats:
            self.guilty = 0
            self._write(name, records)
            counts[name] = len(records)
        return counts

    def _parse(self, texts: Sequence[str]) -> list[Parsed]:
        """Return the answers; strings that fail are reported and left out."""
        found: list[Parsed] = []
        failed = self._laws("parse", _parse_all, texts, found)
        if not failed:
            return found
        if len(texts) == 1:
            self._report(texts[0], failed)
            return []
        middle = len(texts) // 2
        return self._parse(texts[:middle]) + self._parse(texts[middle:])

    def _write(self, name: str, records: Sequence[Record]) -> None:
        """Write and read records back; what fails is narrowed down to single records, a few of each batch."""
        failed = self._laws(f"as {name}", check_format, name, records) if self.guilty < _GUILTY else []
        if not failed:
            return
        if len(records) == 1:
            self.guilty += 1
            assert records[0].origin is not None
            self._report(records[0].origin.text, failed)
            return
        halves = records[: len(records) // 2], records[len(records) // 2 :]
        if not any(self._laws("", check_format, name, half) for half in halves):
            together = json.dumps([one.origin.text for one in records if one.origin])
            self._report(together, [(f"together only, {what}", detail) for what, detail in failed])
            return
        for half in halves:
            self._write(name, half)

    def _laws(self, step: str, laws: Callable[..., Iterator[str]], *given: object) -> list[tuple[str, str]]:
        """Return what is wrong, with details: laws that are broken, an exception, or too much time."""
        items = max((len(one) for one in given if isinstance(one, list)), default=1)
        try:
            with limit_seconds(_HANG * max(1.0, items / 20)):
                return [(f"{law} [{step}]", "") for law in dict.fromkeys(laws(*given))]
        except (Exception, Hang) as error:
            return [(f"{describe(error)} [{step}]", traceback.format_exc())]

    def _report(self, text: str, failed: Sequence[tuple[str, str]]) -> None:
        for what, detail in failed:
            self.report(what, text.encode("utf-8", "surrogatepass"), detail)


def _parse_all(texts: Sequence[str], found: list[Parsed]) -> Iterator[str]:
    found += ibidem.parse_many(texts)
    if len(found) != len(texts):
        yield "law: there are not as many answers as strings"


def _make_record(parsed: Parsed, made: list[Record]) -> Iterator[str]:
    made.append(parsed.record)
    yield from check_record(parsed, made[0])


def compare_runs(settings: Settings, outcome: Watched) -> None:
    """Check that answers are the same one by one, with several threads and with several processes."""
    texts = [text for case in range(_SAMPLE // _BATCH) for text in strings_of(settings.seed, case)]
    if settings.cases is not None:
        texts = texts[: max(_BATCH, len(settings.cases))]
    expected = _comparable(ibidem.parse_many(texts))
    threaded = Parser(ibidem.load().model, threads=4)
    ways = {
        "alone": (answer for text in texts for answer in ibidem.parse_many([text])),
        "with 2 jobs": ibidem.parse_many(texts, jobs=2),
        "with 4 threads": threaded.parse_many(texts),
        "in another order": iter(list(ibidem.parse_many(texts[::-1]))[::-1]),
    }
    for way, answers in ways.items():
        for case, (text, one, other) in enumerate(zip(texts, expected, _comparable(answers), strict=True)):
            if one != other:
                what = f"law: another answer {way}"
                outcome.add(Fault(case // _BATCH, what, text.encode("utf-8", "surrogatepass"), f"{one}\n{other}"))
    outcome.counts["varied"] += len(texts)


def _comparable(answers: Iterator[Parsed]) -> list[object]:
    return [replace(one, links=None).to_dict() | {"exact": one.fields} for one in islice(answers, None)]
