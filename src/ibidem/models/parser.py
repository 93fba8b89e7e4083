"""A model at work: strings in, fields with confidence out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from ibidem import inference
from ibidem.errors import InputError
from ibidem.models.calibration import calibrated
from ibidem.models.chain import ChainModel, ChainScorer
from ibidem.models.decoding import Decoder
from ibidem.text import tokenise
from ibidem.types import Field, Labelling, Parsed, Potentials, Reference, Span, Token

LONGEST = 20_000
"""Characters beyond which a string is refused: a reference is seldom over 2,000, a whole list may be."""

_STRINGS, _TOKENS = 256, 1 << 14  # a batch is closed when it reaches either


class Parser:
    """Parses reference strings with a model.

    >>> import ibidem
    >>> parsed = ibidem.load().parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.")
    >>> [field.text for field in parsed.fields if field.label == "journal"]
    ['J Thing Res']
    """

    def __init__(self, model: ChainModel, threads: int = 1) -> None:
        self.model = model
        self._scorer = ChainScorer(model)
        self._decoder = Decoder(self._scorer.automaton, model.labels)
        self._threads = threads

    def parse(self, text: str, alternatives: int = 0) -> Parsed:
        """The fields of one reference string."""
        return next(self.parse_many([text], alternatives))

    def parse_many(self, texts: Iterable[str], alternatives: int = 0) -> Iterator[Parsed]:
        """What comes of each string, in order; a string that cannot be parsed costs one entry with an error."""
        if alternatives < 0:
            raise InputError(f"alternatives is {alternatives}: give 0 or the number of labellings wanted")
        batch: list[tuple[str, tuple[Token, ...], str | None]] = []
        size = 0
        for text in texts:
            error = unfit(text)
            tokens = () if error else tokenise(text)
            batch.append((text, tokens, error))
            size += len(tokens)
            if len(batch) == _STRINGS or size >= _TOKENS:
                yield from self._parse_batch(batch, alternatives)
                batch, size = [], 0
        if batch:
            yield from self._parse_batch(batch, alternatives)

    def label(self, references: Sequence[Reference], alternatives: int = 0) -> list[Labelling]:
        """The labelling of each reference: spans over its tokens, parents first, with calibrated confidence."""
        potentials = self._scorer.potentials([reference.tokens for reference in references])
        return self.label_potentials(potentials, alternatives)

    def label_potentials(self, potentials: Potentials, alternatives: int = 0) -> list[Labelling]:
        """The labelling of each string that was scored."""
        automaton, threads = self._scorer.automaton, self._threads
        best = inference.best(automaton, potentials, threads)
        spans = self._decoder.spans(best.state, potentials.lengths)
        confidence = self._confidence(potentials, spans)
        others: list[tuple[Labelling, ...]] = [()] * len(spans)
        if alternatives:
            others = self._others(potentials, spans, alternatives)
        sure = iter(confidence)
        return [
            Labelling(tuple(found), float(score), tuple(float(next(sure)) for _ in found), other)
            for found, score, other in zip(spans, best.score, others, strict=True)
        ]

    def _confidence(self, potentials: Potentials, spans: Sequence[Sequence[Span]]) -> Sequence[float]:
        segments = self._decoder.segments(spans)
        first, inside = self._decoder.masks
        mass = inference.segment_mass(self._scorer.automaton, potentials, segments, first, inside, self._threads)
        labels = [span.label for span in chain.from_iterable(spans)]
        return list(calibrated(self.model.calibration, labels, np.exp(np.minimum(mass.astype(np.float64), 0.0))))

    def _others(
        self, potentials: Potentials, best: Sequence[Sequence[Span]], count: int
    ) -> list[tuple[Labelling, ...]]:
        """The labellings after the best, best first.

        The list is computed in double precision and may have another order than the best path where two are all but
        equal, so the best is taken out by what it is, not by its place.
        """
        paths = inference.kbest(self._scorer.automaton, potentials, count + 1, self._threads)
        log_z = inference.log_partition(self._scorer.automaton, potentials, self._threads)
        found: list[list[Labelling]] = [[] for _ in potentials.lengths]
        for rank in range(count + 1):
            spans = self._decoder.spans(paths.state[rank], potentials.lengths)
            for string, chosen in enumerate(spans):
                if rank < paths.count[string] and chosen != best[string]:
                    score = float(paths.score[rank, string])
                    likely = _chance(score, float(log_z[string]))
                    found[string].append(Labelling(tuple(chosen), score, (likely,) * len(chosen)))
        return [tuple(each[:count]) for each in found]

    def _parse_batch(
        self, batch: list[tuple[str, tuple[Token, ...], str | None]], alternatives: int
    ) -> Iterator[Parsed]:
        good = [(text, tokens) for text, tokens, error in batch if error is None]
        if not good:
            yield from (Parsed(text, error=error) for text, _, error in batch)
            return
        potentials = self._scorer.potentials([tokens for _, tokens in good])
        labellings = self.label_potentials(potentials, alternatives)
        log_z = inference.log_partition(self._scorer.automaton, potentials, self._threads)
        answers = iter(zip(good, labellings, log_z.tolist(), strict=True))
        for text, _, error in batch:
            if error is not None:
                yield Parsed(text, error=error)
                continue
            (_, tokens), labelling, whole = next(answers)
            others = tuple(
                Parsed(text, _fields(text, tokens, other), _chance(other.score, whole))
                for other in labelling.alternatives
            )
            yield Parsed(text, _fields(text, tokens, labelling), _chance(labelling.score, whole), others)


def unfit(text: str) -> str | None:
    """Why a string cannot be parsed, or None when it can."""
    if not text.strip():
        return "empty: there is no reference here"
    if len(text) > LONGEST:
        return f"{len(text):,} characters, more than the {LONGEST:,} of the longest reference: split the list"
    return None


def _chance(score: float, log_z: float) -> float:
    """The probability of a labelling with that score."""
    return math.exp(min(score - log_z, 0.0))


def _fields(text: str, tokens: Sequence[Token], labelling: Labelling) -> tuple[Field, ...]:
    found = []
    for span, confidence in zip(labelling.spans, labelling.confidence, strict=True):
        start, end = tokens[span.start].start, tokens[span.end - 1].end
        found.append(Field(span.label, text[start:end], start, end, confidence))
    return tuple(found)
