"""The attributes of a work, field by field, and how well they go with a way to read one of its citations.

The potential between the attributes of a work and a citation is log-linear in measures of each field: the same text,
the same first and last words, how many words are shared, and whether a word that belongs to the field stands in the
citation elsewhere (Wellner et al. 2004, sections 2 and 3). The attributes of a work are sought among the values that
the ways to read its citations suggest, such that

    Σ over citations of max over ways to read it of (weight · log-probability of the way + potential)

is highest, where a way to read a citation is also worth more if the other citations of the work are read alike, word
by word (`agreement.py`). Where there are few combinations all are tried; where there are many, a beam goes through the
fields and each is then chosen anew given the others until nothing changes, so that the sum never falls.
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
from numpy.typing import NDArray

from ibidem.errors import ConfigError, MissingExtra, ModelError
from ibidem.linking.comparison import plain
from ibidem.linking.joint.agreement import WORDS, Labelled, agreements
from ibidem.types import Parsed

Doubles = NDArray[np.float64]

MEASURES = ("same", "first", "last", "edit", "inside", "found", "beside", "missing", "written", "extra")
"""What is measured of a field's text beside the attribute's: see `likeness`."""

WEIGHTS = Path(__file__).parents[1] / "weights" / "entities.json"
FORMAT = "ibidem-entities-1"

CHANCE = "chance"
"""The feature that is the log-probability of the way to read a citation."""

ANY = "any"
"""The name under which a measure counts whatever the field is, beside its weight under the field's own name."""

_LEAST = -50.0  # of a log-probability


@dataclass(frozen=True, slots=True)
class Way:
    """A way to read a citation: the folded text of each field, its log-probability, and its words with their fields."""

    fields: Mapping[str, str]
    log_chance: float = 0.0
    words: Labelled = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """The folded text of a citation and the ways to read it, the likeliest first."""

    text: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How far attributes are sought."""

    values: int = 8  # of a field that are tried, the best supported; none at all is tried too
    combinations: int = 2_000  # up to which all are tried
    beam: int = 10


@dataclass(frozen=True, slots=True)
class Attributes:
    """The values of a work's fields, which way each citation is read, and what the whole is worth."""

    values: Mapping[str, str]
    ways: tuple[int, ...]
    score: float


def citation_of(parses: Sequence[Parsed]) -> Citation:
    """The citation of which these are the ways to read it, likeliest first; only whole fields are looked at."""
    if not parses:
        raise ConfigError("a citation needs a way to read it; there was none")
    total = sum(parsed.confidence for parsed in parses)
    ways = []
    for parsed in parses:
        words = _labelled(parsed)
        fields: dict[str, list[str]] = {}
        for word, label in words:
            if label:
                fields.setdefault(label, []).append(word)
        chance = parsed.confidence / total if total > 0 else 1 / len(parses)
        log_chance = max(_LEAST, math.log(chance)) if chance > 0 else _LEAST
        ways.append(Way({label: " ".join(each) for label, each in fields.items()}, log_chance, words))
    return Citation(plain(parses[0].text), tuple(ways))


def _labelled(parsed: Parsed) -> Labelled:
    """The folded words of a string, each with the whole field that it is in."""
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
    try:
        from rapidfuzz.fuzz import ratio
    except ImportError:
        raise MissingExtra("linking needs scipy and rapidfuzz: pip install 'ibidem[link]'") from None
    return ratio(one, other) / 100


@lru_cache(1 << 16)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def likeness(value: str, own: str, text: str) -> tuple[float, ...]:
    """The measures of a field whose attribute is `value` and that a citation, read in some way, has as `own`.

    Where both are there: equal, the same first word, the same last word, likeness by edits, the share of the
    citation's words that the attribute has, the share of the attribute's words that are in the citation's text and
    were put into this field, and the share that were not. Where one is there: that it is missing, how much of it is in
    the citation's text all the same, and that the citation has it and the work has not.

    >>> likeness("drift of reeds", "drift of", "a reed drift of reeds 1984")
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
    first, last = (
        value.split(maxsplit=1)[0] == own.split(maxsplit=1)[0],
        value.rsplit(maxsplit=1)[-1] == own.rsplit(maxsplit=1)[-1],
    )
    inside = len(mine & known) / len(mine)
    beside = 1.0 - found if written else 0.0
    return (float(value == own), float(first), float(last), _ratio(value, own), inside, found, beside, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class EntityModel:
    """Weights by feature: `title.same`, `any.same`, and `chance` of the log-probability of a way to read."""

    weights: Mapping[str, float]
    search: SearchConfig = field(default_factory=SearchConfig)
    card: Mapping[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Nothing: writes the weights as JSON."""
        stored = {"format": FORMAT, "card": self.card, "weights": dict(self.weights)}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(stored, ensure_ascii=False, indent=0) + "\n", "utf-8")

    def vector(self, label: str) -> Doubles:
        """The weights of the measures of a field."""
        if label not in self._vectors:
            known = self.weights
            found = [known.get(f"{label}.{m}", 0.0) + known.get(f"{ANY}.{m}", 0.0) for m in MEASURES]
            self._vectors[label] = np.array(found)
        return self._vectors[label]

    @cached_property
    def _vectors(self) -> dict[str, Doubles]:
        return {}

    def potential(self, values: Mapping[str, str], citation: Citation, way: int) -> float:
        """The potential between attributes and one way to read a citation, its probability not counted."""
        read = citation.ways[way].fields
        return sum(
            float(np.dot(self.vector(label), likeness(values.get(label, ""), read.get(label, ""), citation.text)))
            for label in sorted({*values, *read})
        )

    def bases(self, citations: Sequence[Citation]) -> list[Doubles]:
        """What each way to read each citation is worth whatever the values: its probability, and its agreement."""
        weights = np.array([self.weights.get(CHANCE, 1.0), *(self.weights.get(name, 0.0) for name in WORDS)])
        return [rows @ weights for rows in without_values(citations)]

    def attributes(self, citations: Sequence[Citation]) -> Attributes:
        """The best attributes of the work that these citations mean, and the way each is best read by them."""
        return _Search(self, citations).best()


def load(path: Path) -> EntityModel:
    """The model in a file that `EntityModel.save` wrote."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError(f"expected an object whose format is {FORMAT!r}")
        weights = {str(name): float(value) for name, value in found["weights"].items()}
        if not np.isfinite(list(weights.values())).all():
            raise ValueError("a weight is not a finite number")
        return EntityModel(weights, card=dict(found["card"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"cannot read potentials of works in {path}: {error}; give a file that `make entity-model` wrote"
        ) from error


@lru_cache(1)
def shipped() -> EntityModel:
    """The model that ships."""
    return load(WEIGHTS)


def without_values(citations: Sequence[Citation]) -> list[Doubles]:
    """The features of the ways to read citations that no value plays in: `chance` and `WORDS`.  # [ways, 3] each"""
    chances = [[way.log_chance for way in citation.ways] for citation in citations]
    agreed = agreements([[way.words for way in c.ways] for c in citations], [np.exp(each).tolist() for each in chances])
    return [np.column_stack([chance, words]) for chance, words in zip(chances, agreed, strict=True)]


def supported(citations: Sequence[Citation], most: int = 0) -> dict[str, list[str]]:
    """The values that ways to read suggest for each field, the best supported first; with `most`, so many of them."""
    support: dict[str, dict[str, float]] = {}
    for citation in citations:
        for way in citation.ways:
            for label, value in way.fields.items():
                if value:
                    each = support.setdefault(label, {})
                    each[value] = each.get(value, 0.0) + math.exp(way.log_chance)
    return {
        label: sorted(each, key=lambda value: (-each[value], -len(value), value))[: most or None]
        for label, each in sorted(support.items())
    }


def by_support(citations: Sequence[Citation]) -> dict[str, str]:
    """The best supported value of every field that half of the citations have at least, weighted by probability."""
    support: dict[str, float] = {}
    for citation in citations:
        for way in citation.ways:
            for label, value in way.fields.items():
                if value:
                    support[label] = support.get(label, 0.0) + math.exp(way.log_chance)
    best = supported(citations, 1)
    return {label: best[label][0] for label in best if support[label] >= 0.5 * len(citations)}


class _Search:
    """The tables of one work: what each value of each field is worth to each way to read each citation."""

    def __init__(self, model: EntityModel, citations: Sequence[Citation]) -> None:
        config = model.search
        self.config = config
        self.choices = {label: ["", *values] for label, values in supported(citations, config.values).items()}
        self.labels = list(self.choices)
        most = max(len(citation.ways) for citation in citations)
        self.base = np.full((len(citations), most), -np.inf)  # [citations, ways]
        for m, base in enumerate(model.bases(citations)):
            self.base[m, : len(base)] = base
        self.tables = [self._table(model, citations, label, most) for label in self.labels]  # [values, citations, ways]
        self.started = [self._place(label, by_support(citations).get(label, "")) for label in self.labels]

    def _place(self, label: str, value: str) -> int:
        return self.choices[label].index(value) if value in self.choices[label] else 0

    def _table(self, model: EntityModel, citations: Sequence[Citation], label: str, most: int) -> Doubles:
        values = self.choices[label]
        weights = model.vector(label)
        table = np.zeros((len(values), len(citations), most))
        for m, citation in enumerate(citations):
            known: dict[str, Doubles] = {}
            for n, way in enumerate(citation.ways):
                own = way.fields.get(label, "")
                if own not in known:
                    known[own] = np.array([likeness(value, own, citation.text) for value in values]) @ weights
                table[:, m, n] = known[own]
        return table

    def best(self) -> Attributes:
        count = math.prod(len(self.choices[label]) for label in self.labels)
        chosen = self._all() if count <= self.config.combinations else self._beam()
        total = self._total(chosen)
        values = {
            label: self.choices[label][place]
            for label, place in zip(self.labels, chosen, strict=True)
            if self.choices[label][place]
        }
        ways = tuple(int(way) for way in total.argmax(axis=1))
        return Attributes(values, ways, float(total.max(axis=1).sum()))

    def _total(self, chosen: Sequence[int]) -> Doubles:
        total = self.base.copy()
        for table, place in zip(self.tables, chosen, strict=False):
            total += table[place]
        return total

    def _all(self) -> list[int]:
        """The best of all combinations: sums over citations of the best way to read each."""
        sums = self.base[None]  # [combinations, citations, ways]
        for table in self.tables:
            sums = (sums[:, None] + table[None]).reshape(-1, *self.base.shape)
        best = int(sums.max(axis=2).sum(axis=1).argmax())
        chosen: list[int] = []
        for table in reversed(self.tables):
            best, place = divmod(best, len(table))
            chosen.append(place)
        return chosen[::-1]

    def _beam(self) -> list[int]:
        """The best of a beam and of what has the most support, each field then chosen anew until nothing changes."""
        held: list[tuple[list[int], Doubles]] = [([], self.base)]
        for table in self.tables:
            more = [([*chosen, place], sums + table[place]) for chosen, sums in held for place in range(len(table))]
            more.sort(key=lambda each: -float(each[1].max(axis=1).sum()))
            held = more[: self.config.beam]
        found = [self._improved(chosen) for chosen in (held[0][0], self.started)]
        return max(found, key=lambda chosen: float(self._total(chosen).max(axis=1).sum()))

    def _improved(self, chosen: Sequence[int]) -> list[int]:
        current = list(chosen)
        total = self._total(current)
        changed = True
        while changed:
            changed = False
            for k, table in enumerate(self.tables):
                others = total - table[current[k]]
                worth = (others[None] + table).max(axis=2).sum(axis=1)
                place = int(worth.argmax())
                if worth[place] > worth[current[k]] + 1e-9:
                    current[k], total, changed = place, others + table[place], True
        return current
