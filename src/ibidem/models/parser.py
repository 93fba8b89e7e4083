"""A model at work: strings in, fields with confidence out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, repeat
from typing import TypeVar, cast

import numpy as np

from ibidem import inference
from ibidem.errors import InputError
from ibidem.inference import Decoded, Paths
from ibidem.labels.tasks import task_of
from ibidem.models.calibration import mapped, maps_of
from ibidem.models.constrained import ConstraintSet
from ibidem.models.scorer import Model, scorer_of
from ibidem.text.tokens import TokenBatch, batch_tokens, tokenise, tokenise_batch
from ibidem.types import Automaton, Change, Field, FloatArray, IntArray, Labelling, Parsed, Potentials, Reference, Span

_Item = TypeVar("_Item")
# Span(*values) and Field(*values) without a call of a Python function for each.
_span = cast(Callable[[tuple[str, int, int]], Span], partial(tuple.__new__, Span))
_field = cast(Callable[[tuple[str, str, int, int, float]], Field], partial(tuple.__new__, Field))
_STRINGS = 256  # a batch is closed when it has so many, or as many characters as the scorer takes at once


class Parser:
    """Parses strings with a model: references, or whatever the model's task labels.

    >>> import ibidem
    >>> parsed = ibidem.load().parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.")
    >>> [field.text for field in parsed.fields if field.label == "journal"]
    ['J Thing Res']
    """

    def __init__(self, model: Model, threads: int = 1, constraints: bool = True) -> None:
        self.model = model
        self.task = task_of(model.encoder.task)
        self._scorer = scorer_of(model)
        self._maps = maps_of(model.calibration, self._scorer.paths)  # [paths, 2]
        self._threads = threads
        self._limits = ConstraintSet(model.constraints, model.labels) if constraints and model.constraints else None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that its model scores."""
        return self.model.labels

    @property
    def automaton(self) -> Automaton:
        """Which label may follow which."""
        return self._scorer.automaton

    def parse(self, text: str, alternatives: int = 0, explain: bool = False) -> Parsed:
        """The fields of one reference string."""
        return next(self.parse_many([text], alternatives, explain))

    def parse_many(self, texts: Iterable[str], alternatives: int = 0, explain: bool = False) -> Iterator[Parsed]:
        """What comes of each string, in order; a string that cannot be parsed costs one entry with an error.

        With `explain`, an answer that constraints changed says what was found without them.
        """
        if alternatives < 0:
            raise InputError(f"alternatives is {alternatives}: give 0 or the number of labellings wanted")
        for batch in _batches(texts, self._scorer.characters):
            errors = [self.task.unfit(text) for text in batch]
            good = [text for text, error in zip(batch, errors, strict=True) if error is None]
            parsed = iter(self._parse_batch(good, alternatives, explain) if good else ())
            for text, error in zip(batch, errors, strict=True):
                yield next(parsed) if error is None else Parsed(text, error=error)

    def label_many(self, texts: Iterable[str], alternatives: int = 0, confidence: bool = True) -> Iterator[Labelling]:
        """The labelling of each string, in order: spans over the tokens that `ibidem.text.tokenise` gives.

        Without `confidence` only the best path is looked for, which is quicker, and no span has a confidence.
        """
        for batch in _batches(texts, self._scorer.characters):
            potentials = self._scorer.score(self._columns(batch))
            if confidence or alternatives:
                yield from self.label_potentials(potentials, alternatives)
                continue
            reading = self._read(potentials, self._limits, with_marginals=False)
            yield from map(Labelling, self._spans(reading), reading.score.tolist())

    def label(self, references: Sequence[Reference], alternatives: int = 0) -> list[Labelling]:
        """The labelling of each reference: spans over its tokens, parents first, with calibrated confidence."""
        return self.label_potentials(self.potentials(references), alternatives)

    def potentials(self, references: Sequence[Reference]) -> Potentials:
        """The scores that the model gives the labels of each reference's tokens."""
        return self._scorer.potentials([reference.tokens for reference in references])

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """The spans on a path of each string that was scored, in order of their start, parents before children."""
        return self._scorer.spans(paths, lengths)

    def only(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """The scores of one string with nothing left but what these labels of its tokens use."""
        return self._scorer.only(potentials, labels)

    def label_potentials(self, potentials: Potentials, alternatives: int = 0) -> list[Labelling]:
        """The labelling of each string that was scored."""
        reading = self._read(potentials, self._limits)
        spans, confidence = self._spans(reading), self._confidence(reading)
        others = self._others(potentials, reading, spans, alternatives)
        sure = iter(confidence)
        return [
            Labelling(found, score, tuple(islice(sure, len(found))), other)
            for found, score, other in zip(spans, reading.score.tolist(), others, strict=True)
        ]

    def _read(self, potentials: Potentials, limits: ConstraintSet | None, with_marginals: bool = True) -> Decoded:
        """The best reading of each string under the constraints."""
        return self._scorer.read(potentials, self._threads, with_marginals, limits.dual if limits else None)

    def _spans(self, reading: Decoded) -> list[tuple[Span, ...]]:
        string, start, end, path = reading.segments.T
        names = map(self._scorer.paths.__getitem__, path.tolist())
        spans = map(_span, zip(names, start.tolist(), end.tolist(), strict=True))
        return _by_string(tuple(spans), string, len(reading.score))

    def _confidence(self, reading: Decoded) -> list[float]:
        """How sure each segment is, in the order of the segments.  # [M]"""
        chance = np.exp(np.minimum(reading.mass, 0.0))
        if self.model.calibration:
            chance = mapped(self._maps[reading.segments[:, 3]], chance)
        sure: list[float] = chance.tolist()
        return sure

    def _others(
        self, potentials: Potentials, reading: Decoded, best: Sequence[tuple[Span, ...]], count: int
    ) -> list[tuple[Labelling, ...]]:
        """The labellings after the best, best first.

        The list is computed in double precision and may have another order than the best path where two are all but
        equal, so the best is taken out by what it is, not by its place.
        """
        if not count:
            return [()] * len(best)
        if self._limits:
            potentials = self._limits.dual.less(potentials, reading.price)
        paths = inference.kbest(self._scorer.automaton, potentials, count + 1, self._threads)
        log_z = reading.log_partition.tolist()
        found: list[list[Labelling]] = [[] for _ in best]
        for rank in range(count + 1):
            spans = self._scorer.spans(paths.row(rank), potentials.lengths)
            for string, chosen in enumerate(map(tuple, spans)):
                if rank < paths.count[string] and chosen != best[string]:
                    score = float(paths.score[rank, string])
                    likely = _chance(score, log_z[string])
                    found[string].append(Labelling(chosen, score, (likely,) * len(chosen)))
        return [tuple(each[:count]) for each in found]

    def _parse_batch(self, texts: list[str], alternatives: int, explain: bool) -> Iterator[Parsed]:
        tokens = self._columns(texts)
        potentials = self._scorer.score(tokens)
        reading = self._read(potentials, self._limits)
        fields = self._fields(texts, tokens, reading)
        log_z = reading.log_partition.tolist()
        more = self._alternatives(texts, tokens, potentials, reading, alternatives) if alternatives else repeat(())
        told = self._changes(texts, tokens, potentials, reading) if explain else repeat(None)
        rows = zip(texts, fields, reading.score.tolist(), log_z, more, told, strict=False)
        for text, found, score, whole, others, change in rows:
            parsed = Parsed(text, found, _chance(score, whole), others, None, change)
            yield self.task.finish(parsed) if self.task.finish else parsed

    def _changes(
        self, texts: list[str], tokens: TokenBatch, potentials: Potentials, reading: Decoded
    ) -> Iterator[Change | None]:
        """What constraints changed in the answer of each string."""
        plain = self._read(potentials, None)
        before, after = self._spans(plain), self._spans(reading)
        for fields, one, other in zip(self._fields(texts, tokens, plain), before, after, strict=True):
            yield Change(fields, self._limits.saved(one, other)) if self._limits and one != other else None

    def _columns(self, texts: Sequence[str]) -> TokenBatch:
        """The tokens of several strings, as the task splits them."""
        split = self.task.tokenise
        return tokenise_batch(texts) if split is tokenise else batch_tokens([split(text) for text in texts])

    def _alternatives(
        self, texts: list[str], tokens: TokenBatch, potentials: Potentials, reading: Decoded, count: int
    ) -> Iterator[tuple[Parsed, ...]]:
        """The next best readings of each string."""
        others = self._others(potentials, reading, self._spans(reading), count)
        begins = (np.cumsum(tokens.lengths) - tokens.lengths).tolist()
        for text, begin, whole, each in zip(texts, begins, reading.log_partition.tolist(), others, strict=True):
            yield tuple(
                Parsed(text, _fields(text, tokens, begin, other), _chance(other.score, whole)) for other in each
            )

    def _fields(self, texts: list[str], tokens: TokenBatch, reading: Decoded) -> list[tuple[Field, ...]]:
        """The fields of each string on its best path."""
        string, first, last, path = reading.segments.T
        begins = np.cumsum(tokens.lengths) - tokens.lengths
        start, end = tokens.start[begins[string] + first], tokens.end[begins[string] + last - 1]
        places = start.tolist(), end.tolist()
        names = map(self._scorer.paths.__getitem__, path.tolist())
        pieces = [texts[s][a:b] for s, a, b in zip(string.tolist(), *places, strict=True)]
        fields = map(_field, zip(names, pieces, *places, self._confidence(reading), strict=True))
        return _by_string(tuple(fields), string, len(texts))


def _by_string(items: tuple[_Item, ...], string: IntArray, count: int) -> list[tuple[_Item, ...]]:
    """The items of each string, given which string each belongs to; they come string by string."""
    last = np.cumsum(np.bincount(string, minlength=count)).tolist()
    return [items[begin:end] for begin, end in zip([0, *last], last, strict=False)]


def _batches(texts: Iterable[str], characters: int) -> Iterator[list[str]]:
    """The strings in batches of bounded size."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if len(batch) == _STRINGS or size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _chance(score: float, log_z: float) -> float:
    """The probability of a labelling with that score."""
    return math.exp(min(score - log_z, 0.0))


def _fields(text: str, tokens: TokenBatch, begin: int, labelling: Labelling) -> tuple[Field, ...]:
    found = []
    for span, confidence in zip(labelling.spans, labelling.confidence, strict=True):
        start, end = int(tokens.start[begin + span.start]), int(tokens.end[begin + span.end - 1])
        found.append(Field(span.label, text[start:end], start, end, confidence))
    return tuple(found)
