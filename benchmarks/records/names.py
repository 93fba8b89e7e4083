"""Splitting of names into parts: GROBID's lists of cited names, and the persons of UMass one by one."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from benchmarks.registry import Outcome, Result, benchmark
from ibidem.data import registry
from ibidem.metrics.significance import bootstrap_accuracy
from ibidem.records.normalise.name_lists import split_names
from ibidem.records.normalise.names import name_of
from ibidem.records.record import Name
from ibidem.text.fold import fold
from ibidem.types import Annotation, Example

Key = tuple[str, str, str]
"""Family name with its particle, given names, suffix: letters and digits alone."""

Measured = tuple[list[bool], int, Counter[str], list[str]]
"""Whether each name is correct, the number of spurious names, the errors by kind, and the errors themselves."""

_PARTS = {"surname": 0, "forename": 1, "middlename": 1, "suffix": 2}
_UMASS = {"person-last": 0, "person-first": 1, "person-middle": 1, "person-affix": 2}
_BAR = 97.0


def letters(text: str) -> str:
    """Return the letters and digits of a text without case and accents."""
    return fold("".join(re.findall(r"[^\W_]+", text)))


def key_of(name: Name) -> Key:
    """Return what of a name is compared: particle and family name as one."""
    return letters(name.particle + name.family) or letters(name.literal), letters(name.given), letters(name.suffix)


def persons(example: Example) -> Iterator[Key]:
    """Yield the persons of a list of GROBID's: a new one begins with the second surname or forename.

    Two forenames with nothing but a full stop between them are of one person.
    """
    parts, seen, last = ["", "", ""], set[str](), Annotation("", 0, 0)
    for annotation in example.annotations:
        if annotation.label not in _PARTS:
            continue
        between = example.text[last.end : annotation.start].strip(" .-")
        continues = last.label == annotation.label == "forename" and not between
        if annotation.label in seen and annotation.label in ("surname", "forename") and not continues:
            yield _key(parts)
            parts, seen = ["", "", ""], set()
        seen.add(annotation.label)
        last = annotation
        parts[_PARTS[annotation.label]] += example.text[annotation.start : annotation.end]
    if any(parts):
        yield _key(parts)


def _key(parts: Sequence[str]) -> Key:
    return letters(parts[0]), letters(parts[1]), letters(parts[2])


def single_persons(example: Example) -> Iterator[tuple[str, Key]]:
    """Yield the text of every person of a UMass string and its annotated parts."""
    for person in example.annotations:
        if not person.label.endswith("/person") or any(_inside(other, person) for other in example.annotations):
            continue
        parts = ["", "", ""]
        for annotation in example.annotations:
            kind = annotation.label.rpartition("/")[2]
            if kind in _UMASS and person.start <= annotation.start and annotation.end <= person.end:
                parts[_UMASS[kind]] += example.text[annotation.start : annotation.end]
        if parts[0]:
            yield example.text[person.start : person.end], _key(parts)


def _inside(other: Annotation, person: Annotation) -> bool:
    return (
        other is not person
        and other.label.endswith("/person")
        and person.start <= other.start
        and other.end <= person.end
    )


def kind_of_error(gold: Key, ours: Sequence[Key]) -> str:
    """Return which part of a name is wrong."""
    if any(letters("".join(gold)) == letters("".join(key)) or set(gold) == set(key) for key in ours):
        return "parts swapped or split elsewhere"
    if any(gold[0] == key[0] and gold[2] == key[2] for key in ours):
        return "given names"
    if any(gold[:2] == key[:2] for key in ours):
        return "suffix"
    return "family name" if any(gold[1] == key[1] for key in ours) else "not found: list split elsewhere"


def measure_lists(split: str) -> Measured:
    """Measure the persons of GROBID's lists."""
    found = registry.load("grobid-name-citation", split)
    return measure((list(persons(example)), example.text) for example in found if isinstance(example, Example))


def measure(lists: Iterable[tuple[list[Key], str]]) -> Measured:
    """Measure lists of names, each given as its persons and its text."""
    right: list[bool] = []
    spurious, kinds, wrong = 0, Counter[str](), list[str]()
    for gold, text in lists:
        ours = [key_of(name) for _, _, name in split_names(text)[0]]
        left = Counter(ours)
        for key in gold:
            good = left[key] > 0
            left[key] -= good
            right.append(good)
            if not good:
                kinds[kind_of_error(key, ours)] += 1
                wrong.append(f"{key} not among {ours}: {text}")
        spurious += sum((left - Counter()).values())
    return right, spurious, kinds, wrong


def measure_authors(name: str) -> Measured:
    """Measure the lists of authors in the dev split of an open set, where they are split into persons."""

    def lists() -> Iterator[tuple[list[Key], str]]:
        for example in registry.load_unified(name, "dev"):
            if not isinstance(example, Example) or not example.partially_annotated.isdisjoint(
                {"author", "author/person"}
            ):
                continue
            annotations = [annotation for annotation in example.annotations if annotation.label.startswith("author")]
            for whole in annotations:
                if whole.label == "author":
                    inner = [
                        annotation
                        for annotation in annotations
                        if whole.start <= annotation.start and annotation.end <= whole.end
                    ]
                    yield list(_authors(inner, example.text)), example.text[whole.start : whole.end]

    return measure(lists())


def _authors(annotations: Sequence[Annotation], text: str) -> Iterator[Key]:
    places = {"family": 0, "given": 1, "suffix": 2}
    for person in annotations:
        if person.label != "author/person":
            continue
        parts = ["", "", ""]
        for annotation in annotations:
            kind = annotation.label.rpartition("/")[2]
            if kind in places and person.start <= annotation.start and annotation.end <= person.end:
                parts[places[kind]] += text[annotation.start : annotation.end]
        yield _key(parts)


def measure_persons(split: str) -> Measured:
    """Measure UMass's persons, each a string of its own."""
    right: list[bool] = []
    kinds, wrong = Counter[str](), list[str]()
    for example in registry.load("umass-nested", split):
        if not isinstance(example, Example):
            continue
        for text, key in single_persons(example):
            ours = key_of(name_of(text))
            right.append(ours == key)
            if ours != key:
                kinds[kind_of_error(key, [ours])] += 1
                wrong.append(f"{key} is not {ours}: {text}")
    return right, 0, kinds, wrong


@benchmark("names", "Names with all their parts correct: GROBID's cited names in lists, UMass's persons one by one")
def names() -> Outcome:
    """Measure each part; train and dev were seen while the rules were written, what is held out never."""
    rows: list[Result] = []
    parts: dict[str, tuple[Callable[[str], Measured], str]] = {
        "GROBID corpus": (measure_lists, "train"),
        "GROBID evaluation, held out": (measure_lists, "test"),
        "UMass train": (measure_persons, "train"),
        "UMass dev": (measure_persons, "dev"),
        "UMass test, held out": (measure_persons, "test"),
        "authors of eLife dev, held out": (measure_authors, "elife"),
        "authors of GIANT dev, held out": (measure_authors, "giant"),
    }
    for name, (function, split) in parts.items():
        right, spurious, kinds, wrong = function(split)
        found = bootstrap_accuracy(right)
        ends = (100 * found.value, 100 * found.low, 100 * found.high)
        rows.append(Result(f"{name}, {len(right):,} names", "exact accuracy", None, *ends, bar=_BAR))
        rows += [Result(f"{name}, wrong: {kind}", "names", None, count) for kind, count in kinds.most_common()]
        if spurious:
            rows.append(Result(f"{name}, spurious names", "names", None, spurious))
        if "held out" not in name:
            print(*wrong, sep="\n", file=sys.stderr)
    return "GROBID's citation names and lists of authors as they stand; UMass: the string of one person", rows
