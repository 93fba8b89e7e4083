"""Several models that answer together: of the best readings of each, the one that is likeliest by all of them.

A reading's probability is the weighted mean of those that the models give it: a model that is sure outweighs one that
wavers. Models of different kinds, a chain and a semi-CRF, make different mistakes. A judge may have the last word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.reranker import Candidates, Decoded, Reranker
from ibidem.errors import ConfigError
from ibidem.inference import kbest, log_partition
from ibidem.inference.dual import select_strings
from ibidem.labels.bio import labels_of
from ibidem.models.parser import Parser
from ibidem.types import Annotation, Potentials, Reference

_LEAST = -200.0  # log-probability of what a model cannot read at all
_REACH = 7.0  # how much less likely than the best, in nats, a reading may be to be thought of
_MOST = 12  # readings that are thought of


class Combined:
    """Labels references with several parsers at once."""

    def __init__(self, parsers: Sequence[Parser], weights: Sequence[float], several: int = 12) -> None:
        sound = all(0 <= weight < np.inf for weight in weights) and any(weights)
        if len(parsers) != len(weights) or not sound or several < 1:
            raise ConfigError(
                f"{len(parsers)} parsers, {len(weights)} weights and {several} readings of each: "
                "give a weight of 0 or more for each parser, not 0 for all, and at least 1 reading"
            )
        self._parsers = tuple(parsers)
        self._weights = np.array(weights, dtype=np.float64)
        self._several = several

    def label(self, references: Sequence[Reference], judge: Reranker | None = None) -> list[Decoded]:
        """The spans of each reference, parents first: the likeliest reading, or the one that a judge prefers."""
        found = self.candidates(references)
        return [judge.best(one) if judge else one.readings[0] for one in found]

    def candidates(self, references: Sequence[Reference]) -> list[Candidates]:
        """The likeliest readings of each reference by all models together."""
        scored = [parser.potentials(references) for parser in self._parsers]
        return [
            self._candidates(reference, [select_strings(potentials, np.array([number])) for potentials in scored])
            for number, reference in enumerate(references)
        ]

    def _candidates(self, reference: Reference, scored: Sequence[Potentials]) -> Candidates:
        if not reference.tokens:
            return Candidates(reference, ((),), np.zeros(1))
        readings: dict[Decoded, None] = {}
        for parser, potentials in zip(self._parsers, scored, strict=True):
            paths = kbest(parser.automaton, potentials, self._several)
            for rank in range(int(paths.count[0])):
                readings[tuple(parser.spans(paths.row(rank), potentials.lengths)[0])] = None
        found = list(readings)
        given = [
            likelihoods(parser, potentials, reference, found)
            for parser, potentials in zip(self._parsers, scored, strict=True)
        ]
        with np.errstate(divide="ignore"):  # a model without weight has no say
            shares = np.log(self._weights) - np.log(self._weights.sum())
            chance = np.logaddexp.reduce(shares[:, None] + np.array(given), axis=0)
        order = np.argsort(-chance, kind="stable")[:_MOST]
        order = order[chance[order] >= chance[order[0]] - _REACH]
        return Candidates(reference, tuple(found[place] for place in order), chance[order])


def likelihoods(
    parser: Parser, potentials: Potentials, reference: Reference, readings: Sequence[Decoded]
) -> NDArray[np.float64]:
    """The log-probability of each reading of one reference under a parser's model, never below a least one."""
    labels = [_labels(reference, reading) for reading in readings]
    spans = np.concatenate([parser.restrict(potentials, each) for each in labels])
    lengths = np.full(len(readings), len(reference.tokens), dtype=np.int32)
    within = log_partition(parser.automaton, Potentials(spans, potentials.arc, lengths))
    whole = log_partition(parser.automaton, potentials)[0]
    return np.asarray(np.maximum(within - whole, _LEAST), dtype=np.float64)


def _labels(reference: Reference, reading: Decoded) -> list[str]:
    """The nested BIO label of each token."""
    tokens = reference.tokens
    annotations = [Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in reading]
    return labels_of(tokens, annotations)[0]
