"""An ensemble of parsers: of the n-best labellings of all, the one with the highest mean probability.

The mean is weighted. A model that is sure outweighs one that wavers; models of different kinds, a chain and a semi-CRF,
make different mistakes. A reranker may have the last word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.support.reranker import Candidates, Reranker, Spans
from ibidem.errors import ConfigError
from ibidem.inference import kbest, log_partition
from ibidem.inference.dual import select_strings
from ibidem.labels.bio import labels_of
from ibidem.models.parser import Parser
from ibidem.types import Annotation, Potentials, Reference

_LEAST = -200.0  # log-probability of a labelling that a model cannot represent
_REACH = 7.0  # nats below the best within which labellings are kept
_MOST = 12  # labellings that are kept


class Ensemble:
    """Labels references with several parsers; `several` is the number of labellings taken from each."""

    def __init__(self, parsers: Sequence[Parser], weights: Sequence[float], several: int = 12) -> None:
        sound = all(0 <= weight < np.inf for weight in weights) and any(weights)
        if len(parsers) != len(weights) or not sound or several < 1:
            raise ConfigError(
                f"{len(parsers)} parsers, {len(weights)} weights and {several} labellings of each: "
                "give a weight of 0 or more for each parser, not 0 for all, and at least 1 labelling"
            )
        self._parsers = tuple(parsers)
        self._weights = np.array(weights, dtype=np.float64)
        self._several = several

    def label(self, references: Sequence[Reference], reranker: Reranker | None = None) -> list[Spans]:
        """Return the spans of each reference, parents first: the most probable, or those that a reranker prefers."""
        found = self.candidates(references)
        return [reranker.best(one) if reranker else one.labellings[0] for one in found]

    def candidates(self, references: Sequence[Reference]) -> list[Candidates]:
        """Return the most probable labellings of each reference by all models together."""
        scored = [parser.potentials(references) for parser in self._parsers]
        return [
            self._candidates(reference, [select_strings(potentials, np.array([number])) for potentials in scored])
            for number, reference in enumerate(references)
        ]

    def _candidates(self, reference: Reference, scored: Sequence[Potentials]) -> Candidates:
        if not reference.tokens:
            return Candidates(reference, ((),), np.zeros(1))
        labellings: dict[Spans, None] = {}
        for parser, potentials in zip(self._parsers, scored, strict=True):
            paths = kbest(parser.automaton, potentials, self._several)
            for rank in range(int(paths.count[0])):
                labellings[tuple(parser.spans(paths.row(rank), potentials.lengths)[0])] = None
        found = list(labellings)
        given = [
            log_probabilities(parser, potentials, reference, found)
            for parser, potentials in zip(self._parsers, scored, strict=True)
        ]
        with np.errstate(divide="ignore"):  # the logarithm of a weight of 0
            shares = np.log(self._weights) - np.log(self._weights.sum())
            mean = np.logaddexp.reduce(shares[:, None] + np.array(given), axis=0)
        order = np.argsort(-mean, kind="stable")[:_MOST]
        order = order[mean[order] >= mean[order[0]] - _REACH]
        return Candidates(reference, tuple(found[place] for place in order), mean[order])


def log_probabilities(
    parser: Parser, potentials: Potentials, reference: Reference, labellings: Sequence[Spans]
) -> NDArray[np.float64]:
    """Return the log-probability of each labelling of one reference under a parser's model, bounded from below."""
    labels = [_labels(reference, labelling) for labelling in labellings]
    spans = np.concatenate([parser.restrict(potentials, each) for each in labels])
    lengths = np.full(len(labellings), len(reference.tokens), dtype=np.int32)
    within = log_partition(parser.automaton, Potentials(spans, potentials.arc, lengths))
    whole = log_partition(parser.automaton, potentials)[0]
    return np.asarray(np.maximum(within - whole, _LEAST), dtype=np.float64)


def _labels(reference: Reference, labelling: Spans) -> list[str]:
    """Return the nested BIO label of each token."""
    tokens = reference.tokens
    annotations = [Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in labelling]
    return labels_of(tokens, annotations)[0]
