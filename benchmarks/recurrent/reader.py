"""Networks at work: they score references, and what is on a path of their automaton are spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.recurrent.net import Net, scores_of_tokens
from ibidem.errors import ConfigError
from ibidem.inference import Paths
from ibidem.labels.tasks import Task, task_of
from ibidem.models.decoding import TokenDecoder
from ibidem.models.encoder import Encoder, corpus_of
from ibidem.models.likelihood import encode
from ibidem.types import Automaton, IntArray, Potentials, Reference, Span


@dataclass(frozen=True, slots=True)
class RecurrentReader:
    """Reads references with one network, or with several that learnt the same: by the mean of their scores."""

    labels: tuple[str, ...]
    automaton: Automaton
    encoder: Encoder
    nets: tuple[Net, ...]

    def __post_init__(self) -> None:
        if not self.nets:
            raise ConfigError("there is no network to read with: give one or more")

    @property
    def task(self) -> Task:
        """What it labels."""
        return task_of(self.encoder.task)

    def potentials(self, references: Sequence[Reference]) -> Potentials:
        """The scores that the networks give the labels of each reference's tokens, on average."""
        encoder = self.encoder
        corpus = corpus_of([reference.tokens for reference in references], encoder.lexicons, encoder.task)
        anything = np.zeros((len(corpus.token), 0), np.uint8)
        encoded = encode(corpus, encoder, anything, 0, np.float32)
        token = np.mean([scores_of_tokens(net, encoded) for net in self.nets], axis=0)
        return Potentials(token[:, None], np.mean([net.rows.arc for net in self.nets], axis=0), corpus.lengths)

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each reference, in order of their start, parents before children."""
        return TokenDecoder(self.automaton, self.labels).spans(paths, lengths)
