"""Joint extraction and coreference: n-best labellings, works, attributes, and labellings revised by the works.

First the order of the paper (Wellner et al. 2004, section 2): pair weights integrated over the labellings of both, a
partition, the attributes of each work, and for each citation the labelling that fits its work best. Then what the paper
left for later, the closed loop: pairs are scored again with the chosen labellings, and so on. The objective

    Σ over pairs within works of their weight, both labelled as chosen
    + Σ over citations of (weighted log-probability and agreement of the chosen labelling + potential with the work)

must not fall: a round that would lower it is not taken, and the loop ends there, or where nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ibidem.linking.blocking import Pairs, candidates
from ibidem.linking.checks import ReferenceInput
from ibidem.linking.clustering import ABSENT, absent_weight, log_odds, objective, partition
from ibidem.linking.comparison import ComparisonFields, extract_fields, text_of
from ibidem.linking.inputs import Parse, build_record, parse_strings
from ibidem.linking.joint.entities import Attributes, Citation, EntityModel, citation_of, default_entity_model
from ibidem.linking.joint.nbest import NBest, merge_nbest
from ibidem.linking.matcher import PairwiseMatcher, default_matcher
from ibidem.linking.table import Table
from ibidem.linking.vectors import Doubles, Ints
from ibidem.linking.works import Linked
from ibidem.records.record import Record
from ibidem.types import Parsed

ScorePairs = Callable[[Table], Doubles]
"""From the table of references, with one labelling each or several, to the weights of the pairs."""

ModelOf = Callable[[Sequence[int]], EntityModel]
"""From the members of a work to the entity model to use for it."""

ROUNDS = 8
"""The maximum number of rounds of the loop."""


@dataclass(frozen=True)
class NBestReference:
    """A reference with its n-best labellings, most probable first, and the comparison fields of each."""

    parses: tuple[Parsed, ...]
    fields: tuple[ComparisonFields, ...]
    record: Record | None = None  # where it came as a record

    @cached_property
    def nbest(self) -> NBest:
        """The comparison fields with their probabilities, equal ones merged."""
        return merge_nbest(self.fields, [parsed.confidence for parsed in self.parses])

    @cached_property
    def citation(self) -> Citation:
        """The folded fields of each labelling."""
        return citation_of(self.parses)


def nbest_reference(reference: Parsed | Record, count: int) -> NBestReference:
    """Return a reference with its best `count` labellings, or as many as it has; a record has one.

    One that cannot be compared has no comparison fields, and its record says why.
    """
    if isinstance(reference, Parsed) and reference.error is None:
        parses = (reference, *reference.alternatives)[:count]
        extracted = [extract_fields(build_record(one)) for one in parses]
        good = [k for k, (record, _) in enumerate(extracted) if not (record.origin and record.origin.error)]
        if good:
            return NBestReference(tuple(parses[k] for k in good), tuple(extracted[k][1] for k in good))
        record, fields = extracted[0]
    else:
        record, fields = extract_fields(reference if isinstance(reference, Record) else build_record(reference))
    parsed = record.origin or Parsed(" ".join(text_of(entry.value) for entry in record.entries))
    return NBestReference((parsed,), (fields,), record)


def table_of(references: Sequence[NBestReference]) -> Table:
    """Return the table of references with all their labellings."""
    return Table([one.nbest[0][0] for one in references], nbest=[one.nbest for one in references])


@dataclass(frozen=True, slots=True)
class Round:
    """The two parts of the objective after a round, the number of works, and of labellings that were revised."""

    pairs: float
    entities: float
    works: int
    revised: int

    @property
    def objective(self) -> float:
        """The sum that must not fall."""
        return self.pairs + self.entities


@dataclass(frozen=True)
class JointResult:
    """The work and the chosen labelling of each reference, the attributes of works, and the rounds of the loop."""

    label: Ints  # [references]
    chosen: Ints  # [references]
    attributes: dict[int, Attributes]  # of each work with several references
    rounds: tuple[Round, ...]
    weights: Doubles = field(repr=False)  # [pairs], with the chosen labellings


def link_nbest(
    references: Iterable[ReferenceInput], parse: Parse, count: int, *, matcher: PairwiseMatcher | None = None,
    entities: EntityModel | None = None, threshold: float | None = None,
) -> Linked:  # fmt: skip
    """Link references with up to `count` labellings each; the resulting records have the labellings chosen at the end.

    `parse` returns parsed strings with their alternatives. A reference that comes as a record has one labelling.
    """
    chosen = matcher or default_matcher()
    limit = chosen.threshold if threshold is None else threshold
    shift = log_odds(limit)
    held = [nbest_reference(one, count) for one in parse_strings(references, parse)]
    node, distinct = _deduplicate(held)
    table = chosen.table([one.nbest[0][0] for one in distinct], [one.nbest for one in distinct])
    pairs = candidates(table)
    scores = chosen.score(table, pairs)

    def score_pairs(shown: Table) -> Doubles:
        """Return pair weights: integrated over all labellings, or with the chosen ones."""
        return (scores if shown.nbest else chosen.score(chosen.table(list(shown.rows)), pairs)) - shift

    found = solve(distinct, pairs, score_pairs, entities or default_entity_model(), absent_weight(shift))
    return Linked(_records(held, node, found), node, table, pairs, scores, found.label, chosen, limit)


def _deduplicate(references: Sequence[NBestReference]) -> tuple[Ints, list[NBestReference]]:
    """Return the node of each reference, -1 where it has too little text, and the nodes, whatever the input's order."""
    first: dict[str, NBestReference] = {}
    keys = [repr((one.nbest, one.parses[0].text)) for one in references]
    for key, one in zip(keys, references, strict=True):
        if not one.fields[0].bare:
            first.setdefault(key, one)
    ordered = sorted(first)
    place = {key: number for number, key in enumerate(ordered)}
    return np.array([place.get(key, -1) for key in keys], dtype=np.int64), [first[key] for key in ordered]


def _records(references: Sequence[NBestReference], node: Ints, found: JointResult) -> list[Record]:
    """Return the record of each reference with the labelling chosen for it."""
    chosen = [int(found.chosen[own]) if own >= 0 else 0 for own in node.tolist()]
    return [one.record or build_record(one.parses[k]) for one, k in zip(references, chosen, strict=True)]


def solve(
    references: Sequence[NBestReference], pairs: Pairs, score_pairs: ScorePairs, entities: EntityModel | ModelOf,
    absent: float = ABSENT, rounds: int = ROUNDS,
) -> JointResult:  # fmt: skip
    """Find works and the labelling of each reference; with `rounds` 0 in the paper's order, without the loop."""
    search = _EntitySearch(references, (lambda _: entities) if isinstance(entities, EntityModel) else entities)
    label = partition(len(references), pairs, score_pairs(table_of(references)), absent)
    best, current = _run_round(references, pairs, score_pairs, search, label, absent)
    history = [current]
    for _ in range(rounds):
        label = partition(len(references), pairs, best.weights, absent)
        if (label == best.label).all():
            break
        found, after = _run_round(references, pairs, score_pairs, search, label, absent)
        if after.objective <= current.objective:
            break
        best, current = found, after
        history.append(after)
    return JointResult(best.label, best.chosen, best.attributes, tuple(history), best.weights)


def _run_round(
    references: Sequence[NBestReference], pairs: Pairs, score_pairs: ScorePairs, search: _EntitySearch, label: Ints,
    absent: float,
) -> tuple[JointResult, Round]:  # fmt: skip
    chosen, attributes, score = search.choose(label)
    table = Table([one.fields[labelling] for one, labelling in zip(references, chosen.tolist(), strict=True)])
    weights = score_pairs(table)
    works, revised = int(label.max(initial=-1)) + 1, int((chosen > 0).sum())
    after = Round(objective(label, pairs, weights, absent), score, works, revised)
    return JointResult(label, chosen, attributes, (), weights), after


class _EntitySearch:
    """The attributes of works; each set of members is searched once."""

    def __init__(self, references: Sequence[NBestReference], model_of: ModelOf) -> None:
        self._citations = [one.citation for one in references]
        self._model_of = model_of
        self._known: dict[tuple[int, ...], Attributes] = {}

    def choose(self, label: Ints) -> tuple[Ints, dict[int, Attributes], float]:
        """Return the labelling of each reference, the attributes of works of several, and the entity objective."""
        chosen = np.zeros(len(label), dtype=np.int64)
        found: dict[int, Attributes] = {}
        total = 0.0
        for number, members in members_by_cluster(label):
            if len(members) > 1:
                found[number] = self._attributes(tuple(members))
                chosen[members] = found[number].chosen
                total += found[number].score
            else:
                total += self._single_score(members[0])
        return chosen, found, total

    def _attributes(self, members: tuple[int, ...]) -> Attributes:
        if members not in self._known:
            self._known[members] = self._model_of(members).attributes([self._citations[member] for member in members])
        return self._known[members]

    def _single_score(self, member: int) -> float:
        """Return the score of a single reference, which keeps its most probable labelling."""
        citation = self._citations[member]
        model = self._model_of((member,))
        return model.potential(citation.candidates[0].fields, citation, 0) + float(model.base_scores([citation])[0][0])


def members_by_cluster(label: Ints) -> list[tuple[int, list[int]]]:
    """Return the number and the members of each cluster."""
    order = np.argsort(label, kind="stable")
    cuts = np.flatnonzero(np.diff(label[order])) + 1
    return [(int(label[members[0]]), members.tolist()) for members in np.split(order, cuts) if len(members)]
