"""The network at work, beside parsers: it scores references, and what is on a path of its automaton are spans."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ibidem.inference import Paths
from ibidem.models.decoding import Decoder
from ibidem.models.encoder import Encoder, corpus_of
from ibidem.models.likelihood import encode
from ibidem.models.recurrent.net import Net, scores_of_tokens
from ibidem.types import Automaton, FloatArray, IntArray, Potentials, Reference, Span


class RecurrentReader:
    """Reads references with a network; one of the members that `ibidem.models.combined` puts together."""

    def __init__(self, labels: Sequence[str], automaton: Automaton, encoder: Encoder, net: Net) -> None:
        self.automaton = automaton
        self._decoder = Decoder(automaton, labels)
        self._encoder = encoder
        self._net = net

    def potentials(self, references: Sequence[Reference]) -> Potentials:
        """The scores that the network gives the labels of each reference's tokens."""
        encoder = self._encoder
        corpus = corpus_of([reference.tokens for reference in references], encoder.lexicons, encoder.task)
        anything = np.zeros((len(corpus.token), 0), np.uint8)
        encoded = encode(corpus, encoder, anything, 0, np.float32)
        return Potentials(scores_of_tokens(self._net, encoded)[:, None], self._net.rows.arc, corpus.lengths)

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each reference, in order of their start, parents before children."""
        return self._decoder.spans(paths.state, lengths)

    def only(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """The scores of one reference with nothing left but what these labels of its tokens use."""
        return self._decoder.only(potentials, labels)
