"""Extraction and coreference together: references in several readings, works, attributes, and readings revised.

First the paper's order (Wellner et al. 2004, section 2): weights of pairs integrated over the ways to read both, a
partition, the attributes of each work, and for each citation the way to read it that goes best with its work. Then what
the paper left for later, the closed loop: pairs are weighed anew by the ways that were chosen, and so on. What must not
fall is

    Σ over pairs within works of their weight, both read as chosen
    + Σ over citations of (log-probability of the way chosen and its agreement, weighted, + potential with the work)

and a round that would lower it is not taken; the loop ends there, or where nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ibidem.linking.blocking import Pairs
from ibidem.linking.clustering import ABSENT, partition, worth
from ibidem.linking.comparison import View, view_of
from ibidem.linking.joint.attributes import Attributes, Citation, EntityModel, citation_of
from ibidem.linking.joint.nbest import Readings, parses_of, several
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.records.build import record_of
from ibidem.records.record import Record
from ibidem.types import Parsed

Doubles = NDArray[np.float64]
Weigh = Callable[[Table], Doubles]
"""From the references, read in one way or in several, to the weights of the pairs."""

ModelOf = Callable[[Sequence[int]], EntityModel]
"""From the members of a work to the model that is to be used for it."""

ROUNDS = 8
"""Rounds of the loop at most."""


@dataclass(frozen=True)
class Read:
    """A reference with the ways to read it, the likeliest first, and what linking looks at in each of them."""

    parses: tuple[Parsed, ...]
    views: tuple[View, ...]
    record: Record | None = None  # where it came as a record and is not to be read anew

    @cached_property
    def readings(self) -> Readings:
        """The views with their probabilities, those that are the same in one."""
        return several(self.views, [parsed.confidence for parsed in self.parses])

    @cached_property
    def citation(self) -> Citation:
        """The fields of each way."""
        return citation_of(self.parses)


def read(parsed: Parsed, count: int) -> Read:
    """A parsed reference with the best `count` ways to read it, as far as it has them."""
    parses = parses_of(parsed, count)
    return Read(parses, tuple(view_of(record_of(one)) for one in parses))


def table_of(reads: Sequence[Read]) -> Table:
    """The table of references with all their readings."""
    return Table([one.readings[0][0] for one in reads], readings=[one.readings for one in reads])


@dataclass(frozen=True, slots=True)
class Round:
    """What a round came to: the worth of the pairs and of the entities, how many works, and how many read anew."""

    pairs: float
    entities: float
    works: int
    revised: int

    @property
    def objective(self) -> float:
        """What must not fall."""
        return self.pairs + self.entities


@dataclass(frozen=True)
class Joint:
    """Works, the way to read each reference, the attributes of each work, and the rounds that led there."""

    label: Ints  # [references]
    ways: Ints  # [references]
    attributes: dict[int, Attributes]  # of each work of several references
    rounds: tuple[Round, ...]
    weights: Doubles = field(repr=False)  # [pairs], all read as chosen


def solve(
    reads: Sequence[Read], pairs: Pairs, with_marginals: Weigh, entities: EntityModel | ModelOf,
    absent: float = ABSENT, rounds: int = ROUNDS,
) -> Joint:  # fmt: skip
    """The works of references and how each is to be read; with `rounds` 0 the paper's order without the loop."""
    search = _Entities(reads, (lambda _: entities) if isinstance(entities, EntityModel) else entities)
    label = partition(len(reads), pairs, with_marginals(table_of(reads)), absent)
    current = _round(reads, pairs, with_marginals, search, label, absent)
    told = [current[1]]
    for _ in range(rounds):
        label = partition(len(reads), pairs, current[0].weights, absent)
        if (label == current[0].label).all():
            break
        found = _round(reads, pairs, with_marginals, search, label, absent)
        if found[1].objective <= current[1].objective:
            break
        current = found
        told.append(found[1])
    best = current[0]
    return Joint(best.label, best.ways, best.attributes, tuple(told), best.weights)


def _round(
    reads: Sequence[Read], pairs: Pairs, with_marginals: Weigh, search: _Entities, label: Ints, absent: float
) -> tuple[Joint, Round]:
    ways, attributes, score = search.of(label)
    chosen = Table([one.views[way] for one, way in zip(reads, ways.tolist(), strict=True)])
    weights = with_marginals(chosen)
    told = Round(worth(label, pairs, weights, absent), score, int(label.max(initial=-1)) + 1, int((ways > 0).sum()))
    return Joint(label, ways, attributes, (), weights), told


class _Entities:
    """The attributes of works, each set of members searched once."""

    def __init__(self, reads: Sequence[Read], model_of: ModelOf) -> None:
        self._citations = [one.citation for one in reads]
        self._model_of = model_of
        self._known: dict[tuple[int, ...], Attributes] = {}

    def of(self, label: Ints) -> tuple[Ints, dict[int, Attributes], float]:
        """The way to read each reference, the attributes of works of several, and the worth of all entities."""
        ways = np.zeros(len(label), dtype=np.int64)
        found: dict[int, Attributes] = {}
        total = 0.0
        for part, members in parts_of(label):
            if len(members) > 1:
                found[part] = self._searched(tuple(members))
                ways[members] = found[part].ways
                total += found[part].score
            else:
                total += self._alone(members[0])
        return ways, found, total

    def _searched(self, members: tuple[int, ...]) -> Attributes:
        if members not in self._known:
            self._known[members] = self._model_of(members).attributes([self._citations[member] for member in members])
        return self._known[members]

    def _alone(self, member: int) -> float:
        """What a reference that stands alone is worth: nothing speaks for another way than the likeliest."""
        citation = self._citations[member]
        model = self._model_of((member,))
        return model.potential(citation.ways[0].fields, citation, 0) + float(model.bases([citation])[0][0])


def parts_of(label: Ints) -> list[tuple[int, list[int]]]:
    """The number and the members of each part."""
    order = np.argsort(label, kind="stable")
    cuts = np.flatnonzero(np.diff(label[order])) + 1
    return [(int(label[members[0]]), members.tolist()) for members in np.split(order, cuts) if len(members)]
