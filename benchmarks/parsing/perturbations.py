"""Whole references before and after what happens to strings on their way: words before them, markers, misprints.

Each perturbation of `ibidem.data.augmentation` is applied to the same strings. Of those with lists of words or signs
there are two rows: the half of the list that training may see, and the half that it never sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from statistics import fmean

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import how_many, model_path, say
from ibidem.data.augmentation import PERTURBATIONS, phrases, surroundings
from ibidem.data.augmentation.editing import Change
from ibidem.metrics.scoring import score_texts
from ibidem.metrics.significance import compare_accuracy
from ibidem.models.evaluation import comparable, examples_of
from ibidem.models.parser import Parser
from ibidem.types import Example

SETS = ("elife", "grobid-citation", "anystyle", "giant", "linkedbooks")
MAX_STRINGS = 1000  # of all sets together
# The points that each may cost, set before the first measurement; the others have no bar.
_BARS = {
    **dict.fromkeys("lead-in opening sentence marker bullet".split(), 1.0),
    **dict.fromkeys(
        "lost-marks doubled-marks other-marks split-marks glued-fields other-quotes other-dashes".split(), 5.0
    ),
    **dict.fromkeys("other-spaces typewriter misread mistyped line-breaks".split(), 5.0),
    "upper-case": 3.0,
    "lower-case": 15.0,
}
_HELD_OUT: dict[str, Change] = {
    "lead-in": partial(surroundings.add_lead_in, phrases=phrases.held_out(phrases.LEAD_INS)),
    "opening": partial(
        surroundings.add_opening,
        parts=[phrases.held_out(one) for one in (phrases.OPENINGS, phrases.SUBJECTS, phrases.CLOSINGS)],
    ),
    "sentence": partial(surroundings.add_sentence, sentences=phrases.held_out(phrases.SENTENCES)),
    "marker": partial(surroundings.add_marker, markers=phrases.held_out(phrases.MARKERS)),
    "bullet": partial(surroundings.add_bullet, bullets=phrases.held_out(phrases.BULLETS)),
    "trailer": partial(surroundings.add_trailer, trailers=phrases.held_out(phrases.TRAILERS)),
}


@benchmark(
    "perturbations",
    "Exact match before and after words, markers, misprints, other marks and capitals in the strings",
    reference="the same strings unperturbed, in the same run",
)
def perturbations() -> Outcome:
    """Parse the strings as they are and perturbed; the gold fields move with their characters."""
    parser = ibidem.load(model_path())
    examples = _sample(how_many(MAX_STRINGS))
    before = _parse(parser, examples)
    rows: list[Result] = []
    for name, change, bar in _changes():
        pairs = [(place, _apply(name, change, example, place)) for place, example in enumerate(examples)]
        changed = [(place, other) for place, other in pairs if other.text != examples[place].text]
        after = _parse(parser, [other for _, other in changed])
        row, same = f"{name}, {len(changed):,} strings", [before[place] for place, _ in changed]
        rows += _compare(row, same, after, bar)
        if name == "second-reference":  # no answer is right: what counts is that the confidence says so
            sure, less_sure = (100 * fmean(confidence for _, confidence in each) for each in (same, after))
            rows.append(Result(row, "% mean confidence", sure, less_sure))
    data = f"{len(examples):,} dev strings of {', '.join(SETS)}; each row has those that the perturbation changes"
    return data, rows


def _sample(count: int) -> list[Example]:
    """Return dev strings of all sets in equal numbers, spread evenly over each."""
    each = max(1, count // len(SETS))
    found: list[Example] = []
    for name in SETS:
        examples = examples_of(name, "dev")
        found += examples[:: max(1, len(examples) // each)][:each]
    return found


def _changes() -> Iterator[tuple[str, Change, float | None]]:
    """Yield the perturbations, both halves of those with lists, with what each may cost."""
    for name, one in PERTURBATIONS.items():
        if name in _HELD_OUT:
            yield f"{name}, held out", _HELD_OUT[name], _BARS.get(name)
            yield f"{name}, as in training", one.apply, _BARS.get(name)
        else:
            yield name, one.apply, _BARS.get(name)


def _apply(name: str, change: Change, example: Example, place: int) -> Example:
    return change(example, Random(f"{name}:{place}"))


def _parse(parser: Parser, examples: Sequence[Example]) -> list[tuple[bool, float]]:
    """Return for each example whether all its fields are right, and the confidence that they are."""
    parsed = list(parser.parse_many(example.text for example in examples))
    pairs = [comparable(*one, deep=False) for one in zip(examples, parsed, strict=True)]
    report = score_texts([gold for gold, _ in pairs], [found for _, found in pairs])
    return list(zip(report.exact_matches, (one.confidence for one in parsed), strict=True))


def _compare(
    row: str, before: Sequence[tuple[bool, float]], after: Sequence[tuple[bool, float]], bar: float | None
) -> Iterator[Result]:
    """Yield exact match before and after, and what that costs with its paired interval."""
    if not after:
        return
    was, now = ([right for right, _ in each] for each in (before, after))
    lost = compare_accuracy(was, now)
    say(f"{row}: {100 * fmean(was):.1f} to {100 * fmean(now):.1f}")
    yield Result(row, "exact match", 100 * fmean(was), 100 * fmean(now))
    yield Result(row, "exact match, cost", None, 100 * lost.value, 100 * lost.low, 100 * lost.high, bar=bar)
