"""Explanations: why two references are in the same work, or are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ibidem.errors import ConfigError
from ibidem.linking.blocking import shared_keys
from ibidem.linking.clustering import ABSENT
from ibidem.linking.comparison import ComparisonFields
from ibidem.linking.confidence import probability
from ibidem.linking.matcher import MAX_LOG_ODDS
from ibidem.linking.works import Linked

_NUMBERS = {"volume": "volume", "issue": "issue", "first": "first page", "last": "last page", "number": "number"}
_EQUAL = 0.995  # a similarity that would be shown as 100 %


@dataclass(frozen=True, slots=True)
class Explanation:
    """The evidence for and against two references citing the same work.

    `evidence` has the features with their contributions to the log-odds, the strongest first; `keys` are the kinds of
    blocking keys they share; `fields` are the fields that were compared. `average` is the mean log-odds between their
    works, None where they are in the same one.
    """

    one: int
    other: int
    together: bool
    probability: float | None
    threshold: float
    reason: str
    keys: tuple[str, ...] = ()
    evidence: tuple[tuple[str, float, float], ...] = ()
    bias: float = 0.0
    average: float | None = None
    fields: tuple[ComparisonFields, ComparisonFields] | None = None


def explain(linked: Linked, one: int, other: int) -> Explanation:
    """Explain why the references at indices `one` and `other` are in the same work, or are not."""
    for place in (one, other):
        if not 0 <= place < len(linked.records):
            raise ConfigError(f"there is no reference {place + 1}; there are 1 to {len(linked.records)}")
    first, second = (int(linked.node[place]) for place in (one, other))
    if first < 0 or second < 0:
        which = one if first < 0 else other
        origin = linked.records[which].origin
        why = (
            f"cannot be compared ({origin.error})"
            if origin and origin.error
            else "has too little text to identify a work"
        )
        reason = f"reference {which + 1} {why}"
        return Explanation(one, other, one == other, None, linked.threshold, reason)
    if first == second:
        return Explanation(one, other, True, 1.0, linked.threshold, "they are identical after folding")
    found = linked.matcher.contributions(linked.table, (first, second))
    total = linked.matcher.bias + sum(part for _, _, part in found)
    matched = float(probability(np.array([np.clip(total, -MAX_LOG_ODDS, MAX_LOG_ODDS)]))[0])
    together = bool(linked.label[first] == linked.label[second])
    return Explanation(
        one, other, together, matched, linked.threshold,
        _reason(together, matched > linked.threshold, _was_compared(linked, first, second)),
        tuple(dict.fromkeys(shared_keys(linked.table, first, second))),
        tuple(sorted(found, key=lambda item: (-abs(item[2]), item[0]))),
        linked.matcher.bias,
        None if together else _average(linked, first, second),
        (linked.table.rows[first], linked.table.rows[second]),
    )  # fmt: skip


def _was_compared(linked: Linked, first: int, second: int) -> bool:
    low, high = sorted((first, second))
    return bool(((linked.pairs.left == low) & (linked.pairs.right == high)).any())


def _average(linked: Linked, first: int, second: int) -> float:
    """Return the mean log-odds of all pairs between two clusters, including those that were not compared."""
    label = linked.label
    one, other = label[linked.pairs.left], label[linked.pairs.right]
    low, high = label[first], label[second]
    between = ((one == low) & (other == high)) | ((one == high) & (other == low))
    count = int((label == low).sum()) * int((label == high).sum())
    return float((linked.scores[between].sum() + ABSENT * (count - int(between.sum()))) / count)


def _reason(together: bool, likely: bool, compared: bool) -> str:
    if not compared:
        if together:
            return "they were not compared, but other references of the work connect them"
        return "they were not compared, since they share no selective blocking key"
    if together:
        return "this pair is above the threshold" if likely else "other references of the work connect them"
    return "other references of their works outweigh this pair" if likely else "this pair is below the threshold"


def contributions_by_group(evidence: Sequence[tuple[str, float, float]]) -> list[tuple[str, float]]:
    """Return the contribution of each group of features to the log-odds, the strongest first.

    The contribution of a conjunction is split evenly between the groups of its two features.
    """
    sums: dict[str, float] = {}
    for name, _, part in evidence:
        features = name.split(">")[0].split("*")
        for feature in features:
            group = feature.partition(".")[0]
            group = "numbers" if group in _NUMBERS else group
            sums[group] = sums.get(group, 0.0) + part / len(features)
    return sorted(sums.items(), key=lambda item: (-abs(item[1]), item[0]))


def describe(found: Explanation) -> Iterator[str]:
    """Yield an explanation line by line, in sentences."""
    verdict = "refer to the same work" if found.together else "refer to different works"
    yield f"References {found.one + 1} and {found.other + 1} {verdict}: {found.reason}."
    if found.fields is None or found.probability is None:
        return
    yield f"Probability that these two refer to the same work: {found.probability:.4f} (threshold {found.threshold:g})."
    if found.average is not None:
        yield f"Mean log-odds between the works they are in: {found.average:+.2f}."
    yield f"Blocking keys they share: {', '.join(found.keys) or 'none'}."
    yield "log-odds"
    yield f"{found.bias:>+8.2f}  prior"
    values = {name: value for name, value, _ in found.evidence if "*" not in name and ">" not in name}
    for group, total in contributions_by_group(found.evidence):
        sentence = "; ".join(_phrases(group, values, *found.fields))
        yield f"{total:>+8.2f}  {sentence or group}"


def _alike(name: str, value: float) -> str:
    return f"same {name}" if value >= _EQUAL else f"{name}s {100 * value:.0f} % alike"


def _compare(name: str, one: str, other: str) -> str:
    return f"same {name} ({one})" if one == other else f"{name} differs ({one or 'none'} / {other or 'none'})"


def _phrases(group: str, values: Mapping[str, float], one: ComparisonFields, other: ComparisonFields) -> Iterator[str]:
    """Yield what a group of similarity features says of a pair, given those that are not zero."""
    match group:
        case "whole":
            yield _alike("whole string", values.get("whole.edit", 0.0))
            words = values.get("whole.words", 0.0)
            yield "same words" if words >= _EQUAL else f"words {100 * words:.0f} % alike"
            if "whole.numbers" in values:
                yield f"{100 * values['whole.numbers']:.0f} % of the numbers shared"
        case "title":
            yield _alike("title", values.get("title.edit", 0.0))
        case "author":
            yield _alike("first author", values.get("author.first", 0.0))
            shared = values.get("author.shared", 0.0)
            yield f"{'all' if shared >= _EQUAL else f'{100 * shared:.0f} %'} of the shorter author list shared"
            if "author.clash" in values:
                yield "initials differ"
        case "venue":
            if values.get("venue.short", 0.0) >= _EQUAL and one.venue != other.venue:
                yield "one venue name abbreviates the other"
            else:
                yield _alike("venue", values.get("venue.edit", 0.0))
        case "year":
            yield _compare("year", str(one.year or ""), str(other.year or ""))
        case "numbers":
            for field, name in _NUMBERS.items():
                mine, theirs = getattr(one, field), getattr(other, field)
                if mine and theirs:
                    yield _compare(name, mine, theirs)
        case "kind":
            yield _compare("type", one.kind, other.kind)
        case "identifier":
            same = [each for each in one.identifiers if each in other.identifiers]
            if same:
                yield f"same {same[0]}"
            elif "identifier.other" in values:
                yield f"identifiers differ ({', '.join(one.identifiers)} / {', '.join(other.identifiers)})"
