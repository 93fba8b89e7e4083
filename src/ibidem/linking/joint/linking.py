"""Linking references that are read in several ways; each member carries the way that goes best with its work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ibidem.errors import ConfigError, InputError
from ibidem.linking.blocking import candidates
from ibidem.linking.clustering import ABSENT
from ibidem.linking.comparison import view_of, written_of
from ibidem.linking.inputs import Given, Parse
from ibidem.linking.joint.attributes import EntityModel
from ibidem.linking.joint.attributes import shipped as shipped_entities
from ibidem.linking.joint.model import Joint, Read, read, solve
from ibidem.linking.linking import Doubles, Linked, log_odds
from ibidem.linking.matcher import PairModel, shipped
from ibidem.linking.table import Table
from ibidem.linking.vectors import Ints
from ibidem.records.build import record_of
from ibidem.records.record import Record
from ibidem.types import Parsed

MOST = 20
"""Ways to read a reference that are looked at, at most: the pairs to compare grow with their square."""


def link_readings(
    references: Iterable[Given], parse: Parse, count: int, *, model: PairModel | None = None,
    entities: EntityModel | None = None, threshold: float | None = None,
) -> Linked:  # fmt: skip
    """What linking finds among references, up to `count` ways to read each; the records are as they are read at last.

    `parse` gives strings with their alternatives. What comes as a record has one reading.
    """
    if not 1 <= count <= MOST:
        raise ConfigError(f"readings is {count}: give a number of ways to read a reference, from 1 to {MOST}")
    chosen = model or shipped()
    chance = chosen.threshold if threshold is None else threshold
    shift = log_odds(chance)
    reads = _reads(list(references), parse, count)
    node, distinct = _nodes(reads)
    table = chosen.table([one.readings[0][0] for one in distinct], [one.readings for one in distinct])
    pairs = candidates(table)
    scores = chosen.score(table, pairs)

    def with_marginals(shown: Table) -> Doubles:
        """The weights of the pairs: integrated over all readings, or of the readings chosen."""
        return (scores if shown.readings else chosen.score(chosen.table(list(shown.views)), pairs)) - shift

    found = solve(distinct, pairs, with_marginals, entities or shipped_entities(), min(ABSENT - shift, -0.01))
    records = _records(reads, node, found)
    return Linked(records, node, table, pairs, scores, found.label, chosen, chance)


def _reads(held: Sequence[Given], parse: Parse, count: int) -> list[Read]:
    strings = [one for one in held if isinstance(one, str)]
    parsed = parse(strings) if strings else iter(())
    return [_read(next(parsed) if isinstance(one, str) else one, count) for one in held]


def _read(given: Parsed | Record, count: int) -> Read:
    if isinstance(given, Parsed):
        return read(given, count)
    if isinstance(given, Record):
        whole = given.origin or Parsed(" ".join(written_of(entry.value) for entry in given.entries))
        return Read((whole,), (view_of(given),), given)
    raise InputError(f"a reference is a string, a Parsed or a Record, not {type(given).__name__}")


def _nodes(reads: Sequence[Read]) -> tuple[Ints, list[Read]]:
    """The node of each reference, -1 where it says too little, and the nodes in an order that is not the input's."""
    first: dict[str, Read] = {}
    keys = [repr((one.readings, one.parses[0].text)) for one in reads]  # the same text is read in the same ways
    for key, one in zip(keys, reads, strict=True):
        if not one.views[0].bare:
            first.setdefault(key, one)
    ordered = sorted(first)
    place = {key: number for number, key in enumerate(ordered)}
    return np.array([place.get(key, -1) for key in keys], dtype=np.int64), [first[key] for key in ordered]


def _records(reads: Sequence[Read], node: Ints, found: Joint) -> list[Record]:
    """The record of each reference in the way that was chosen for it."""
    records = []
    for one, own in zip(reads, node.tolist(), strict=True):
        way = int(found.ways[own]) if own >= 0 else 0
        records.append(one.record or record_of(one.parses[way]))
    return records
