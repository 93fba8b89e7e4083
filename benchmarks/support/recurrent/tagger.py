"""Label references with one network, or with the mean of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.support.recurrent.network import Network, score_tokens
from ibidem.errors import ConfigError
from ibidem.inference import Paths
from ibidem.labels.tasks import Task, task_of
from ibidem.models.decoding import TokenDecoder
from ibidem.models.encoder import Encoder, corpus_of
from ibidem.models.likelihood import encode
from ibidem.types import Automaton, IntArray, Potentials, Reference, Span


@dataclass(frozen=True, slots=True)
class RecurrentTagger:
    """Scores references with one network, or with the mean of the scores of several."""

    labels: tuple[str, ...]
    automaton: Automaton
    encoder: Encoder
    networks: tuple[Network, ...]

    def __post_init__(self) -> None:
        if not self.networks:
            raise ConfigError("a tagger has no network: give one or more")

    @property
    def task(self) -> Task:
        """Return the task that it labels for."""
        return task_of(self.encoder.task)

    def potentials(self, references: Sequence[Reference]) -> Potentials:
        """Return the mean of the networks' scores of the labels of each token."""
        encoder = self.encoder
        corpus = corpus_of([reference.tokens for reference in references], encoder.lexicons, encoder.task)
        anything = np.zeros((len(corpus.token), 0), np.uint8)
        encoded = encode(corpus, encoder, anything, 0, np.float32)
        token = np.mean([score_tokens(network, encoded) for network in self.networks], axis=0)
        return Potentials(
            token[:, None], np.mean([network.embeddings.arc for network in self.networks], axis=0), corpus.lengths
        )

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """Return the spans on a path of each reference, in order of their start, parents before children."""
        return TokenDecoder(self.automaton, self.labels).spans(paths, lengths)
