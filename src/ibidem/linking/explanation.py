"""Why two references were taken to mean one work, or were not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.blocking import shared_keys
from ibidem.linking.clustering import ABSENT
from ibidem.linking.confidence import probability
from ibidem.linking.linking import Linked
from ibidem.linking.matcher import MOST

_NUMBERS = frozenset({"volume", "issue", "first", "last", "number"})


@dataclass(frozen=True, slots=True)
class Explanation:
    """What speaks for and against two references meaning one work.

    `evidence` has the features with what each adds to the log-odds, the strongest first; `keys` are the kinds of keys
    that made them candidates. `average` is the mean log-odds between their works, or between the two as they stand
    where they are in one.
    """

    one: int
    other: int
    together: bool
    probability: float | None
    threshold: float
    keys: tuple[str, ...] = ()
    evidence: tuple[tuple[str, float, float], ...] = ()
    bias: float = 0.0
    average: float | None = None
    reason: str = ""


def explain(linked: Linked, one: int, other: int) -> Explanation:
    """Why the references at places `one` and `other` are in one work, or are not."""
    for place in (one, other):
        if not 0 <= place < len(linked.records):
            raise ConfigError(f"there is no reference {place + 1}; there are 1 to {len(linked.records)}")
    first, second = (int(linked.node[place]) for place in (one, other))
    if first < 0 or second < 0:
        which = one if first < 0 else other
        reason = f"reference {which + 1} says too little to tell which work it means"
        return Explanation(one, other, one == other, None, linked.threshold, reason=reason)
    if first == second:
        return Explanation(one, other, True, 1.0, linked.threshold, reason="the two read the same")
    found = linked.model.evidence(linked.table, (first, second))
    total = linked.model.bias + sum(part for _, _, part in found)
    chance = float(probability(np.array([min(max(total, -MOST), MOST)]))[0])
    keys = tuple(dict.fromkeys(shared_keys(linked.table, first, second)))
    together = bool(linked.label[first] == linked.label[second])
    strongest = tuple(sorted(found, key=lambda item: (-abs(item[2]), item[0])))
    average = None if together else _average(linked, first, second)
    return Explanation(
        one, other, together, chance, linked.threshold, keys, strongest, linked.model.bias, average,
        _reason(linked, together, chance, compared=_compared(linked, first, second)),
    )  # fmt: skip


def _compared(linked: Linked, first: int, second: int) -> bool:
    low, high = sorted((first, second))
    return bool(((linked.pairs.left == low) & (linked.pairs.right == high)).any())


def _average(linked: Linked, first: int, second: int) -> float:
    """The mean log-odds of the pairs between two parts, those that were not compared included."""
    label = linked.label
    one, other = label[linked.pairs.left], label[linked.pairs.right]
    low, high = label[first], label[second]
    between = ((one == low) & (other == high)) | ((one == high) & (other == low))
    count = int((label == low).sum()) * int((label == high).sum())
    return float((linked.scores[between].sum() + ABSENT * (count - int(between.sum()))) / count)


def _reason(linked: Linked, together: bool, chance: float, compared: bool) -> str:
    likely = chance > linked.threshold
    if not compared:
        if together:
            return "the two were not compared; other references of the work join them"
        return "the two were not compared: they share no key that few references have"
    if together:
        return "the two are likely one work" if likely else "other references of the work join them"
    return "other references of their works speak against it" if likely else "the two are likely two works"


def groups_of(evidence: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, list[str]]]:
    """What each group of measures adds to the log-odds, the strongest first, with its measures that are not 0.

    What a conjunction adds is halved between the groups of its two measures.
    """
    sums: dict[str, float] = {}
    shown: dict[str, list[str]] = {}
    for name, value, part in evidence:
        measures = name.split(">")[0].split("*")
        for measure in measures:
            group = _group(measure)
            sums[group] = sums.get(group, 0.0) + part / len(measures)
        if measures == [name]:
            shown.setdefault(_group(name), []).append(_shown(name, value))
    return [
        (group, sums[group], sorted(shown.get(group, []))) for group in sorted(sums, key=lambda g: (-abs(sums[g]), g))
    ]


def _group(measure: str) -> str:
    group = measure.partition(".")[0]
    return "numbers" if group in _NUMBERS else group


def _shown(name: str, value: float) -> str:
    group, _, measure = name.partition(".")
    told = f"{group} {measure}" if group in _NUMBERS else measure.replace(".", " ")
    return told if value == 1.0 and measure.endswith(("same", "other", "both", "next")) else f"{told} {value:.2f}"


def in_words(found: Explanation) -> Iterator[str]:
    """The lines that tell a person about it."""
    verdict = "mean the same work" if found.together else "are taken for two works"
    yield f"References {found.one + 1} and {found.other + 1} {verdict}: {found.reason}."
    if not found.evidence or found.probability is None:
        return
    yield f"Probability that these two mean one work: {found.probability:.4f} (threshold {found.threshold:g})."
    if found.average is not None:
        yield f"Mean log-odds between the works they are in: {found.average:+.2f}."
    yield f"Keys they share: {', '.join(found.keys) or 'none'}."
    yield "log-odds"
    yield f"{found.bias:>+8.2f}  before anything is known of the two"
    for group, total, measures in groups_of(found.evidence):
        yield f"{total:>+8.2f}  {group}: {', '.join(measures)}"
