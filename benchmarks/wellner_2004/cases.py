"""Labelled references of known works, Cora's and CiteSeer's, for benchmarks of extraction and linking together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ibidem.data import registry
from ibidem.data.sets.citation_matching import cluster_of
from ibidem.linking.comparison import YEAR, ComparisonFields, comparison_fields, comparison_fields_of_text, plain
from ibidem.linking.joint.loop import NBestReference
from ibidem.linking.joint.nbest import NBest
from ibidem.models.parser import Parser
from ibidem.models.training import CRFConfig
from ibidem.records.build import record_of
from ibidem.text.tokens import tokenise
from ibidem.types import Annotation, Example, Field, Parsed, Token
from tools.weights.accuracy import correct_tokens, predicted_fields, top_fields
from tools.weights.entity_training import Known
from tools.weights.matcher_training import number_works

CHAIN = CRFConfig(optimiser="lbfgs", l2=0.1, iterations=60, min_count=2, context_min_count=2)
"""The settings of the chains that label references."""

_CORA = {"year": "date", "month": "date", "type": "tech"}
_NO_FIELD = "O"
_SHORTEST_NAME = 3  # letters
CORA_FILES = ("fahlman", "kibler", "utgoff")
"""The three files that make up Cora, by the author that each is about; no work is in two of them."""

_CORA_ENDS = (529, 1_123)  # the last numbers of the first two files


def cora_file_of(example: Example) -> str:
    """Return the file of Cora that an example is from, by its number."""
    number = int(example.source.split(":")[1])
    return CORA_FILES[sum(number > end for end in _CORA_ENDS)]


@dataclass(frozen=True, slots=True)
class Case:
    """A reference, the number of its work, its section, and the gold field of each of its tokens."""

    example: Example
    tokens: tuple[Token, ...]
    gold: tuple[str, ...]
    work: int
    section: str

    @property
    def text(self) -> str:
        return self.example.text

    def labels(self, parsed: Parsed) -> tuple[str, ...]:
        """Return the predicted field of each token."""
        return predicted_fields(self.tokens, parsed)

    def right(self, parsed: Parsed) -> list[bool]:
        """Return whether each token is in its gold field; unannotated tokens are left out."""
        return correct_tokens(self.gold, self.labels(parsed))


def cora_cases() -> list[Case]:
    """Return Cora's distinct strings in thirteen fields: year and month are dates, types of reports are reports."""
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
    """Return CiteSeer's distinct strings with author, title and venue; their works are silver, inferred by rule."""
    found = [item for item in registry.load("citeseer") if isinstance(item, Example)]
    return cases_of(found, lambda example: example.source.split(":")[1])


def cases_of(examples: Sequence[Example], section: Callable[[Example], str]) -> list[Case]:
    """Return the distinct strings as cases, in order."""
    works = number_works([cluster_of(example) for example in examples])
    once: dict[str, Case] = {}
    for example, work in zip(examples, works.tolist(), strict=True):
        tokens = example.tokens or tokenise(example.text)
        gold = top_fields(tokens, example.annotations)
        once.setdefault(example.text, Case(example, tuple(tokens), gold, work, section(example)))
    return list(once.values())


def cora_view(parsed: Parsed) -> ComparisonFields:
    """Return the view of a reference labelled in Cora's own fields."""
    annotations = tuple(Annotation(field.label, field.start, field.end) for field in parsed.fields)
    ours = registry.dataset("cora").map_labels(Example(parsed.text, annotations, "cora:read")).annotations
    kept = [annotation for annotation in ours if not annotation.label.startswith("?")]
    fields = tuple(Field(m.label, parsed.text[m.start : m.end], m.start, m.end, 1.0) for m in kept)
    return comparison_fields(record_of(Parsed(parsed.text, fields, parsed.confidence)))


def citeseer_view(parsed: Parsed) -> ComparisonFields:
    """Return the view of a reference labelled as author, title and venue, without case and punctuation."""
    words = plain(parsed.text)
    texts = {label: " ".join(plain(f.text) for f in parsed.fields if f.label == label)
             for label in ("author", "title", "venue")}  # fmt: skip
    people = tuple((word, "") for word in texts["author"].split() if len(word) >= _SHORTEST_NAME and word != "and")
    years = YEAR.findall(words)
    return ComparisonFields(words, texts["title"], texts["venue"], people, year=int(years[0]) if years else 0)


def reads_of(
    parser: Parser, cases: Sequence[Case], count: int, view: Callable[[Parsed], ComparisonFields]
) -> list[NBestReference]:
    """Return the references with their `count` best labellings."""
    found = parser.parse_many((case.text for case in cases), count - 1)
    return [
        NBestReference(parses, tuple(map(view, parses)))
        for parses in ((parsed, *parsed.alternatives)[:count] for parsed in found)
    ]


def best_labelling(case: Case, read: NBestReference, count: int = 0) -> int:
    """Return the index of the most accurate of the `count` best labellings of a reference (0: of all)."""
    return int(np.argmax([sum(case.right(parsed)) for parsed in read.parses[: count or None]]))


def known_of(cases: Sequence[Case], reads: Sequence[NBestReference]) -> list[Known]:
    """Return the training data of the potentials between works and citations."""
    return [Known(one.citation, case.work, best_labelling(case, one)) for case, one in zip(cases, reads, strict=True)]


def nbest_of_text(text: str) -> NBest:
    """Return the comparison fields of an unlabelled string, with probability 1."""
    return ((comparison_fields_of_text(text), 1.0),)
