"""Attributes of a work, and the potentials between them and the labellings of its citations.

The potential between the attributes of a work and a labelled citation is log-linear in features of each field: equal
text, equal first and last words, shared words, and whether a word of the field occurs elsewhere in the citation
(Wellner et al. 2004, sections 2 and 3). The attributes of a work are sought among the values that the labellings of its
citations suggest, so as to maximise

    Σ over citations of max over its labellings of (weight · log-probability of the labelling + potential)

where a labelling also scores higher if the other citations of the work are labelled alike, word by word
(`agreement.py`). All combinations are tried where there are few; otherwise a beam search over the fields is followed by
coordinate ascent, so that the sum never falls.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.errors import ConfigError, ModelError
from ibidem.files import open_output
from ibidem.linking.comparison import plain
from ibidem.linking.joint.agreement import AGREEMENT, LabelledWords, agreements
from ibidem.linking.vectors import Doubles, check_weights
from ibidem.types import Parsed

FIELD_FEATURES = ("same", "first", "last", "edit", "inside", "found", "beside", "missing", "written", "extra")
"""Features of a field's text against the attribute's: see `field_features`."""

WEIGHTS = Path(__file__).parents[1] / "weights" / "entities.json"
FORMAT = "ibidem-entities-1"

LOG_PROBABILITY = "chance"
"""The feature that is the log-probability of a labelling; the name is that of the weight files."""

ANY = "any"
"""The prefix of weights that apply to every field, added to those under the field's own name."""

_LOWEST = -50.0  # log-probability
_LONGEST = 10_000  # characters of a field that are compared


@dataclass(frozen=True, slots=True)
class Candidate:
    """A labelling of a citation: the folded text of each field, its log-probability, and its words with labels."""

    fields: Mapping[str, str]
    log_probability: float = 0.0
    words: LabelledWords = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """The folded text of a citation and its candidate labellings, most probable first."""

    text: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """Limits of the search for attributes."""

    values: int = 8  # tried for a field, the best supported ones, besides no value
    combinations: int = 2_000  # up to which the search is exhaustive
    beam: int = 10


@dataclass(frozen=True, slots=True)
class Attributes:
    """The values of a work's fields, the candidate chosen for each citation, and the objective."""

    values: Mapping[str, str]
    chosen: tuple[int, ...]
    score: float


def citation_of(parses: Sequence[Parsed]) -> Citation:
    """Return the citation with these labellings, most probable first; only top-level fields are used."""
    if not parses:
        raise ConfigError("a citation needs at least one labelling; none was given")
    total = sum(parsed.confidence for parsed in parses)
    candidates = []
    for parsed in parses:
        words = _label_words(parsed)
        fields: dict[str, list[str]] = {}
        for word, label in words:
            if label:
                fields.setdefault(label, []).append(word)
        probability = parsed.confidence / total if total > 0 else 1 / len(parses)
        log_probability = max(_LOWEST, math.log(probability)) if probability > 0 else _LOWEST
        texts = {label: " ".join(each) for label, each in fields.items()}
        candidates.append(Candidate(texts, log_probability, words))
    return Citation(plain(parses[0].text), tuple(candidates))


def _label_words(parsed: Parsed) -> LabelledWords:
    """Return the folded words of a string, each with the top-level field it is in."""
    words: list[tuple[str, str]] = []
    place = 0
    for found in parsed.fields:
        if "/" in found.label:
            continue
        words += [(word, "") for word in plain(parsed.text[place : found.start]).split()]
        words += [(word, found.label) for word in plain(found.text).split()]
        place = found.end
    return (*words, *((word, "") for word in plain(parsed.text[place:]).split()))


@lru_cache(1 << 17)
def _ratio(one: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    return ratio(one[:_LONGEST], other[:_LONGEST]) / 100


@lru_cache(1 << 16)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def field_features(value: str, own: str, text: str) -> tuple[float, ...]:
    """Return the features of a field whose attribute is `value` and that a labelled citation has as `own`.

    Where both are present: equal, same first word, same last word, edit similarity, the share of the citation's words
    that the attribute has, and of the attribute's words in the citation's text the share inside this field and the
    share outside it. Where one is present: the field is missing, the share of the attribute found in the citation's
    text nevertheless, and the citation has a field that the work lacks.

    >>> field_features("drift of reeds", "drift of", "a reed drift of reeds 1984")
    (0.0, 1.0, 0.0, 0.7272727272727273, 1.0, 0.6666666666666666, 0.33333333333333337, 0.0, 0.0, 0.0)
    """
    if not value:
        return (0.0,) * 9 + (1.0 if own else 0.0,)
    known = _words(value)
    written = known & _words(text)
    share = len(written) / len(known) if known else 0.0
    if not own:
        return (0.0,) * 7 + (1.0, share, 0.0)
    mine = _words(own)
    found = len(written & mine) / len(written) if written else 0.0
    first = value.split(maxsplit=1)[0] == own.split(maxsplit=1)[0]
    last = value.rsplit(maxsplit=1)[-1] == own.rsplit(maxsplit=1)[-1]
    inside = len(mine & known) / len(mine)
    beside = 1.0 - found if written else 0.0
    return (float(value == own), float(first), float(last), _ratio(value, own), inside, found, beside, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class EntityModel:
    """Weights by feature: `title.same`, `any.same`, and `chance` for the log-probability of a labelling."""

    weights: Mapping[str, float]
    search: SearchConfig = field(default_factory=SearchConfig)
    card: Mapping[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        stored = {"format": FORMAT, "card": self.card, "weights": dict(self.weights)}
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_output(path) as stream:
            stream.write((json.dumps(stored, ensure_ascii=False, indent=0) + "\n").encode())

    def vector(self, label: str) -> Doubles:
        """Return the weights of the features of a field."""
        if label not in self._vectors:
            known = self.weights
            found = [known.get(f"{label}.{m}", 0.0) + known.get(f"{ANY}.{m}", 0.0) for m in FIELD_FEATURES]
            self._vectors[label] = np.array(found)
        return self._vectors[label]

    @cached_property
    def _vectors(self) -> dict[str, Doubles]:
        return {}

    def potential(self, values: Mapping[str, str], citation: Citation, candidate: int) -> float:
        """Return the potential between attributes and a labelling of a citation, without its probability."""
        fields = citation.candidates[candidate].fields
        every = [(label, values.get(label, ""), fields.get(label, "")) for label in sorted({*values, *fields})]
        return sum(
            float(np.dot(self.vector(label), field_features(value, own, citation.text))) for label, value, own in every
        )

    def base_scores(self, citations: Sequence[Citation]) -> list[Doubles]:
        """Return the score of each labelling of each citation without values: log-probability and agreement."""
        names = [(LOG_PROBABILITY, 1.0), *((name, 0.0) for name in AGREEMENT)]
        weights = np.array([self.weights.get(name, default) for name, default in names])
        return [rows @ weights for rows in base_features(citations)]

    def attributes(self, citations: Sequence[Citation]) -> Attributes:
        """Return the best attributes of the work that these citations cite, and the best labelling of each."""
        return _AttributeSearch(self, citations).best()


def load_entity_model(path: Path) -> EntityModel:
    """Return the model in a file that `EntityModel.save` wrote."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError(f"expected an object whose format is {FORMAT!r}")
        weights = {str(name): float(value) for name, value in found["weights"].items()}
        check_weights(weights.values())
        return EntityModel(weights, card=dict(found["card"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ModelError(
            f"cannot read entity potentials from {path}: {error}; give a file that `make entity-model` wrote"
        ) from error


@lru_cache(1)
def default_entity_model() -> EntityModel:
    """Return the default model."""
    return load_entity_model(WEIGHTS)


def base_features(citations: Sequence[Citation]) -> list[Doubles]:
    """Return the features of labellings that involve no values: `LOG_PROBABILITY` and `AGREEMENT`.

    # [candidates, 3] each
    """
    logs = [[one.log_probability for one in citation.candidates] for citation in citations]
    words = [[one.words for one in citation.candidates] for citation in citations]
    agreed = agreements(words, [np.exp(each).tolist() for each in logs])
    return [np.column_stack([own, agreement]) for own, agreement in zip(logs, agreed, strict=True)]


def _support(citations: Sequence[Citation]) -> dict[str, dict[str, float]]:
    """Return the summed probability of the labellings that suggest each value of each field."""
    support: dict[str, dict[str, float]] = {}
    for citation in citations:
        for candidate in citation.candidates:
            for label, value in candidate.fields.items():
                if value:
                    each = support.setdefault(label, {})
                    each[value] = each.get(value, 0.0) + math.exp(candidate.log_probability)
    return support


def rank_values(citations: Sequence[Citation], most: int = 0) -> dict[str, list[str]]:
    """Return the values that labellings suggest for each field, the best supported first, at most `most` if given."""
    return {
        label: sorted(each, key=lambda value: (-each[value], -len(value), value))[: most or None]
        for label, each in sorted(_support(citations).items())
    }


def best_supported_values(citations: Sequence[Citation]) -> dict[str, str]:
    """Return the best supported value of each field that at least half of the citations have, by probability."""
    best, support = rank_values(citations, 1), _support(citations)
    return {label: best[label][0] for label in best if sum(support[label].values()) >= 0.5 * len(citations)}


class _AttributeSearch:
    """The score tables of one work: each value of each field against each labelling of each citation."""

    def __init__(self, model: EntityModel, citations: Sequence[Citation]) -> None:
        config = model.search
        self.config = config
        self.choices = {label: ["", *values] for label, values in rank_values(citations, config.values).items()}
        self.labels = list(self.choices)
        most = max(len(citation.candidates) for citation in citations)
        self.base = np.full((len(citations), most), -np.inf)  # [citations, candidates]
        for m, base in enumerate(model.base_scores(citations)):
            self.base[m, : len(base)] = base
        # [values, citations, candidates] each
        self.tables = [self._table(model, citations, label, most) for label in self.labels]
        supported = best_supported_values(citations)  # the best value of a field comes right after no value
        self.started = [int(label in supported) for label in self.labels]

    def _table(self, model: EntityModel, citations: Sequence[Citation], label: str, most: int) -> Doubles:
        values = self.choices[label]
        weights = model.vector(label)
        table = np.zeros((len(values), len(citations), most))
        for m, citation in enumerate(citations):
            known: dict[str, Doubles] = {}
            for n, candidate in enumerate(citation.candidates):
                own = candidate.fields.get(label, "")
                if own not in known:
                    known[own] = np.array([field_features(value, own, citation.text) for value in values]) @ weights
                table[:, m, n] = known[own]
        return table

    def best(self) -> Attributes:
        count = math.prod(len(self.choices[label]) for label in self.labels)
        chosen = self._search_all() if count <= self.config.combinations else self._search_beam()
        total = self._total(chosen)
        values = {label: self.choices[label][place] for label, place in zip(self.labels, chosen, strict=True) if place}
        return Attributes(values, tuple(total.argmax(axis=1).tolist()), float(total.max(axis=1).sum()))

    def _total(self, chosen: Sequence[int]) -> Doubles:
        total = self.base.copy()
        for table, place in zip(self.tables, chosen, strict=False):
            total += table[place]
        return total

    def _search_all(self) -> list[int]:
        """Return the best of all combinations by the sum over citations of the best labelling of each."""
        sums = self.base[None]  # [combinations, citations, candidates]
        for table in self.tables:
            sums = (sums[:, None] + table[None]).reshape(-1, *self.base.shape)
        best = int(sums.max(axis=2).sum(axis=1).argmax())
        chosen: list[int] = []
        for table in reversed(self.tables):
            best, place = divmod(best, len(table))
            chosen.append(place)
        return chosen[::-1]

    def _search_beam(self) -> list[int]:
        """Return the better of the beam's result and the best supported values, both after coordinate ascent."""
        held: list[tuple[list[int], Doubles]] = [([], self.base)]
        for table in self.tables:
            more = [([*chosen, place], sums + table[place]) for chosen, sums in held for place in range(len(table))]
            more.sort(key=lambda each: -float(each[1].max(axis=1).sum()))
            held = more[: self.config.beam]
        found = [self._ascend(chosen) for chosen in (held[0][0], self.started)]
        return max(found, key=lambda chosen: float(self._total(chosen).max(axis=1).sum()))

    def _ascend(self, chosen: Sequence[int]) -> list[int]:
        current = list(chosen)
        total = self._total(current)
        changed = True
        while changed:
            changed = False
            for k, table in enumerate(self.tables):
                others = total - table[current[k]]
                scores = (others[None] + table).max(axis=2).sum(axis=1)
                place = int(scores.argmax())
                if scores[place] > scores[current[k]] + 1e-9:
                    current[k], total, changed = place, others + table[place], True
        return current
