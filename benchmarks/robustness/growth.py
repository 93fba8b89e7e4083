"""Time against length: adversarial families at 5, 10 and 20 thousand characters through every step.

The exponent of growth is the slope of the least-squares line through the logarithms of length and median time: 1 is
linear, 2 quadratic. A step that ends at once whatever the length has no growth to speak of, and is left out. A step may
grow faster as long as it is quick at the greatest length, which is the longest that a reference string may have.
"""

from __future__ import annotations

import math
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from statistics import median

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.robustness.families import FAMILIES
from benchmarks.robustness.settings import read_settings
from benchmarks.robustness.watched import Hang, Report, describe, limit_seconds, run_watched
from benchmarks.support.timing import say
from ibidem.errors import IbidemError
from ibidem.records.fields import FIELDS
from ibidem.records.formats import FORMATS, read, write
from ibidem.records.normalise import normalise_field
from ibidem.records.normalise.name_lists import split_names
from ibidem.records.record import Entry, Record

LENGTHS = (5_000, 10_000, 20_000)
LIMIT = 1.15
MICROSECONDS = 25.0  # of processor time a character, at the greatest length: half a second for the longest string
_TIMES = 3
_TRIES = 3
_LEAST = 0.06  # seconds of processor time that are measured at least: some clocks tick every hundredth
_QUICK = 0.004  # seconds that the longest may take without being measured
_SLOWEST = "nanoseconds: "
_HANG = 30.0  # seconds of processor time for all measurements of a step
_WRAPPED: dict[str, str] = {
    "jsonl": '{{"type":"book","entries":[{{"field":"title","value":{json}}}]}}\n',
    "csl-json": '[{{"id":"a","type":"book","title":{json}}}]',
    "bibtex": "@book{{a, title = {{{text}}}}}\n",
    "ris": "TY  - BOOK\nTI  - {text}\nER  - \n",
    "tei": "<listBibl><biblStruct><monogr><title>{xml}</title></monogr></biblStruct></listBibl>",
    "jats": "<ref-list><ref><element-citation><article-title>{xml}</article-title></element-citation></ref></ref-list>",
}


def steps_of(text: str) -> dict[str, Callable[[], object]]:
    """Return every step that a string goes through, ready to be called."""
    parsed = ibidem.parse(text)
    record = parsed.record
    titled = Record("book", (Entry("title", text), Entry("author", text), Entry("note", text)))
    found: dict[str, Callable[[], object]] = {
        "parse": lambda: ibidem.parse(text),
        "record": lambda: parsed.record,
        "split_names": lambda: split_names(text),
    }
    found |= {f"normalise {field}": partial(normalise_field, field, text) for field in FIELDS}
    found |= {f"write {name}": partial(_write, name, [record, titled]) for name in FORMATS}
    for name, pattern in _WRAPPED.items():
        found[f"read {name}"] = partial(_read, name, _wrap(text, pattern))
        found[f"read {name} unwrapped"] = partial(_read, name, text.encode())
    return found


def _write(name: str, records: list[Record]) -> None:
    write(records, BytesIO(), name)


def _read(name: str, data: bytes) -> int:
    return sum(1 for _ in read(BytesIO(data), name))


def _wrap(text: str, pattern: str) -> bytes:
    import json
    from xml.sax.saxutils import escape

    return pattern.format(text=text, json=json.dumps(text), xml=escape(text)).encode()


def slope_of(lengths: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the exponent of growth: the least-squares slope on logarithmic scales.

    >>> round(slope_of((10, 20, 40), (1, 4, 16)), 3)
    2.0
    """
    x, y = [math.log(one) for one in lengths], [math.log(max(one, 1e-9)) for one in seconds]
    middle, height = sum(x) / len(x), sum(y) / len(y)
    return sum((a - middle) * (b - height) for a, b in zip(x, y, strict=True)) / sum((a - middle) ** 2 for a in x)


@dataclass(frozen=True, slots=True)
class GrowthCheck:
    """Times every step on one family."""

    names: tuple[str, ...]

    def __call__(self, case: int, report: Report) -> Counter[str]:
        """Report each step whose time grows too fast on a family."""
        family = self.names[case]
        counts: Counter[str] = Counter(families=1)
        try:
            with limit_seconds(_HANG):
                texts = [FAMILIES[family](length) for length in LENGTHS]
                steps = [steps_of(text) for text in texts]
        except (Exception, Hang) as error:
            report(f"{describe(error)} [{family}]", self.input_of(case), traceback.format_exc())
            return counts
        for name in steps[-1]:
            try:
                with limit_seconds(_HANG):
                    seconds, exponent = _measure([one[name] for one in steps])
            except (Exception, Hang) as error:
                report(f"{describe(error)} [{name}: {family}]", self.input_of(case), traceback.format_exc())
                continue
            counts["steps"] += 1
            counts["measured"] += exponent > 0
            micro = 1e6 * seconds / LENGTHS[-1]
            counts[f"{_SLOWEST}{name}: {family}"] = round(1000 * micro)
            if exponent > LIMIT:
                counts["bounded"] += micro <= MICROSECONDS
                what = f"grows with exponent {exponent:.2f}, {micro:.1f} µs a character [{name}: {family}]"
                report(what, self.input_of(case), "")
        return counts

    def input_of(self, case: int) -> bytes:
        """Return the beginning of a family."""
        return FAMILIES[self.names[case]](200).encode("utf-8", "surrogatepass")


def _measure(calls: Sequence[Callable[[], object]]) -> tuple[float, float]:
    """Return the median time at the greatest length, and the exponent of growth; 0 where it is too quick to tell.

    What seems to grow too fast is measured again, for other programs may have disturbed it.
    """
    if (quick := min(_wall_seconds(calls[-1]) for _ in range(2))) < _QUICK:
        return quick, 0.0
    best = (0.0, math.inf)
    for _ in range(_TRIES):
        medians = [median(_seconds(call) for _ in range(_TIMES)) for call in calls]
        best = min(best, (medians[-1], slope_of(LENGTHS, medians)), key=lambda one: one[1])
        if best[1] <= LIMIT:
            break
    return best


def _wall_seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    _answer(call)
    return time.perf_counter() - began


def _seconds(call: Callable[[], object]) -> float:
    """Return the processor time of a call, repeated until the clock can tell."""
    began, count = time.process_time(), 0
    while (taken := time.process_time() - began) < _LEAST:
        _answer(call)
        count += 1
    return taken / count


def _answer(call: Callable[[], object]) -> None:
    with suppress(IbidemError):  # a refusal is an answer
        call()


@benchmark(
    "torture-growth",
    "Steps whose time grows faster than length^1.15 on adversarial families, or beyond 25 µs a character",
    reference="the number of families asked for, and no fault",
)
def torture_growth() -> Outcome:
    """Run the part of adversarial lengths."""
    settings = read_settings()
    names = tuple(name for name in FAMILIES if settings.wants(name))
    outcome = run_watched(GrowthCheck(names), range(len(names)), settings, settings.minutes)
    outcome.save(settings.failures, "growth", settings.seed)
    counts = outcome.counts
    say(f"  growth: {counts['families']} families, {counts['steps']:,} steps, {counts['measured']:,} of them measured")
    slowest = max((one for one in counts if one.startswith(_SLOWEST)), key=counts.__getitem__)
    rows = [
        Result("families", "number", len(FAMILIES), counts["families"]),
        Result("steps timed", "number", None, counts["steps"]),
        Result(f"steps that grow faster than length^{LIMIT}", "number", None, len(outcome.times)),
        Result(
            f"… and take over {MICROSECONDS:g} µs a character, or fail",
            "number",
            0,
            len(outcome.times) - counts["bounded"],
        ),
        Result(f"slowest step, {slowest.removeprefix(_SLOWEST)}", "µs a character", None, counts[slowest] / 1000),
    ]
    lengths = " and ".join(f"{one:,}" for one in LENGTHS[1:])
    return f"adversarial strings of {LENGTHS[0]:,}, {lengths} characters, {settings.describe()}", rows
