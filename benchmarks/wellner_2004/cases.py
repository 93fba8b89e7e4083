"""Labelled references of known works, for the benchmarks that read and link them together: Cora's and CiteSeer's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ibidem.data import registry
from ibidem.data.readers.clusters import cluster_of
from ibidem.labels.label_mapping import unify
from ibidem.linking.comparison import YEAR, View, plain, view_of
from ibidem.linking.joint.model import Read
from ibidem.linking.joint.nbest import parses_of
from ibidem.models.parser import Parser
from ibidem.records.build import record_of
from ibidem.text.tokens import tokenise
from ibidem.types import Annotation, Example, Field, Parsed, Token
from tools.weights.accuracy import fields_read, right_tokens, whole_fields
from tools.weights.entity_training import Known
from tools.weights.matcher_training import numbered

_CORA = {"year": "date", "month": "date", "type": "tech"}
_NO_FIELD = "O"
_SHORTEST_NAME = 3  # letters


@dataclass(frozen=True, slots=True)
class Case:
    """A reference, the number of its work, its section, and the true field of each of its tokens."""

    example: Example
    tokens: tuple[Token, ...]
    gold: tuple[str, ...]
    work: int
    section: str

    @property
    def text(self) -> str:
        return self.example.text

    def labels(self, parsed: Parsed) -> tuple[str, ...]:
        """The field of each token as it was read."""
        return fields_read(self.tokens, parsed)

    def right(self, parsed: Parsed) -> list[bool]:
        """Whether each token is in its true field; one of which nothing is known is left out."""
        return right_tokens(self.gold, self.labels(parsed))


def cora_cases() -> list[Case]:
    """Cora's distinct strings in its own thirteen fields: year and month are dates, kinds of reports are reports."""
    found = []
    for example in registry.load("cora"):
        if isinstance(example, Example):
            kept = (annotation for annotation in example.annotations if annotation.label != _NO_FIELD)
            annotations = tuple(
                replace(annotation, label=_CORA.get(annotation.label, annotation.label)) for annotation in kept
            )
            found.append(replace(example, annotations=annotations))
    return cases_of(found, lambda _: "")


def citeseer_cases() -> list[Case]:
    """CiteSeer's distinct strings with author, title and venue; their works are silver, guessed by rule."""
    found = [item for item in registry.load("citeseer") if isinstance(item, Example)]
    return cases_of(found, lambda example: example.source.split(":")[1])


def cases_of(examples: Sequence[Example], section: Callable[[Example], str]) -> list[Case]:
    """The distinct strings as cases, in order."""
    works = numbered([cluster_of(example) for example in examples])
    once: dict[str, Case] = {}
    for example, work in zip(examples, works.tolist(), strict=True):
        tokens = example.tokens or tokenise(example.text)
        gold = whole_fields(tokens, example.annotations)
        once.setdefault(example.text, Case(example, tuple(tokens), gold, work, section(example)))
    return list(once.values())


def cora_view(parsed: Parsed) -> View:
    """The view of a reference read in Cora's own fields."""
    annotations = tuple(Annotation(field.label, field.start, field.end) for field in parsed.fields)
    ours = unify(Example(parsed.text, annotations, "cora:read"), "cora").annotations
    kept = [annotation for annotation in ours if not annotation.label.startswith("?")]
    fields = tuple(Field(m.label, parsed.text[m.start : m.end], m.start, m.end, 1.0) for m in kept)
    return view_of(record_of(Parsed(parsed.text, fields, parsed.confidence)))


def citeseer_view(parsed: Parsed) -> View:
    """The view of a reference read as author, title and venue; its words have neither capitals nor points."""
    words = plain(parsed.text)
    texts = {label: " ".join(plain(f.text) for f in parsed.fields if f.label == label)
             for label in ("author", "title", "venue")}  # fmt: skip
    people = tuple((word, "") for word in texts["author"].split() if len(word) >= _SHORTEST_NAME and word != "and")
    years = YEAR.findall(words)
    return View(words, texts["title"], texts["venue"], people, year=int(years[0]) if years else 0)


def reads_of(parser: Parser, cases: Sequence[Case], count: int, view: Callable[[Parsed], View]) -> list[Read]:
    """The references with the best `count` ways to read them."""
    found = parser.parse_many((case.text for case in cases), count - 1)
    return [Read(parses, tuple(map(view, parses))) for parses in (parses_of(parsed, count) for parsed in found)]


def best_way(case: Case, read: Read, count: int = 0) -> int:
    """The most accurate of the best `count` ways to read a reference (of all, where none is given)."""
    return int(np.argmax([sum(case.right(parsed)) for parsed in read.parses[: count or None]]))


def known_of(cases: Sequence[Case], reads: Sequence[Read]) -> list[Known]:
    """What potentials between works and citations are learnt from."""
    return [Known(one.citation, case.work, best_way(case, one)) for case, one in zip(cases, reads, strict=True)]
