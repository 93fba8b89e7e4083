"""The parser: strings in, fields with confidence out, by any model of the registry."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, repeat
from typing import Any, TypeVar, cast

import numpy as np

from ibidem import inference
from ibidem.errors import InputError, ModelError
from ibidem.faults import describe_fault, trip
from ibidem.inference import Decoded, Paths
from ibidem.labels.tasks import task_of
from ibidem.models.calibration import WHOLE, apply_maps, doubt_of, maps_of
from ibidem.models.constraints import ConstraintSet
from ibidem.models.scorer import Model
from ibidem.text.tokens import TokenBatch, batch_tokens, tokenise, tokenise_batch
from ibidem.types import Automaton, Change, Field, FloatArray, IntArray, Labelling, Parsed, Potentials, Reference, Span

_Item = TypeVar("_Item")
# Span(*values) and Field(*values) without a call of a Python function for each.
_span = cast(Callable[[tuple[str, int, int]], Span], partial(tuple.__new__, Span))
_field = cast(Callable[[tuple[str, str, int, int, float]], Field], partial(tuple.__new__, Field))
_STRINGS = 256  # in a batch at most, if they have no more characters than the scorer takes at once


class Parser:
    """Parses strings with a model: references, or whatever the model's task labels.

    `origin` is the function that made it and its arguments, by which another process makes the same.

    >>> import ibidem
    >>> parsed = ibidem.load().parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.")
    >>> [field.text for field in parsed.fields if field.label == "journal"]
    ['J Thing Res']
    """

    def __init__(
        self, model: Model, threads: int = 1, constraints: bool = True, origin: tuple[Any, ...] | None = None
    ) -> None:
        self.model = model
        self._origin = origin
        self.task = task_of(model.task)
        self._scorer = model.scorer()
        self._maps = maps_of(model.calibration, self._scorer.paths)  # [paths, 3]
        self._whole = maps_of(model.calibration, [WHOLE]) if WHOLE in model.calibration else None
        self._threads = threads
        self._limits = ConstraintSet(model.constraints, model.labels) if constraints and model.constraints else None

    def __reduce__(self) -> tuple[Any, ...]:
        if self._origin is None:
            raise ModelError(
                "only a parser that ibidem.load made can be pickled: save its model with ibidem.models.storage.save, "
                "and load it from there"
            )
        return self._origin

    def __copy__(self) -> Parser:
        return self  # nothing of it changes but its caches

    def __deepcopy__(self, memo: object) -> Parser:
        return self

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that its model scores."""
        return self.model.labels

    @property
    def automaton(self) -> Automaton:
        """Which label may follow which."""
        return self._scorer.automaton

    def parse(self, text: str, alternatives: int = 0, explain: bool = False) -> Parsed:
        """Return the fields of one reference string."""
        return next(self.parse_many([text], alternatives, explain))

    def parse_many(self, texts: Iterable[str], alternatives: int = 0, explain: bool = False) -> Iterator[Parsed]:
        """Yield the result for each string, in order; a string that cannot be parsed gives one entry with an error.

        With `explain`, a result that constraints changed has the fields found without them.
        """
        if alternatives < 0:
            raise InputError(f"alternatives is {alternatives}: give the number of further labellings, 0 or more")
        for batch in _batches(texts, self._scorer.batch_characters):
            errors = [self.task.unfit(text) for text in batch]
            good = [text for text, error in zip(batch, errors, strict=True) if error is None]
            parsed = iter(self._parse_each(good, alternatives, explain) if good else ())
            for text, error in zip(batch, errors, strict=True):
                yield next(parsed) if error is None else Parsed(text, error=error)

    def label_many(self, texts: Iterable[str], alternatives: int = 0, confidence: bool = True) -> Iterator[Labelling]:
        """Yield the labelling of each string, in order: spans over the tokens that `ibidem.text.tokenise` gives.

        Without `confidence` only the best path is computed, which is faster, and no span has a confidence.
        """
        for batch in _batches(texts, self._scorer.batch_characters):
            potentials = self._scorer.score(self._columns(batch))
            if confidence or alternatives:
                yield from self.label_potentials(potentials, alternatives)
                continue
            decoded = self._decode(potentials, self._limits, with_marginals=False)
            yield from map(Labelling, self._spans(decoded), decoded.score.tolist())

    def label(self, references: Sequence[Reference], alternatives: int = 0) -> list[Labelling]:
        """Return the labelling of each reference: spans over its tokens, parents first, with calibrated confidence."""
        return self.label_potentials(self.potentials(references), alternatives)

    def potentials(self, references: Sequence[Reference]) -> Potentials:
        """Return the scores that the model gives the labels of each reference's tokens."""
        return self._scorer.score(batch_tokens([reference.tokens for reference in references]))

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """Return the spans on a path of each scored string, in order of their start, parents before children."""
        return self._scorer.spans(paths, lengths)

    def restrict(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """Return the scores of one string with -inf for everything that these labels of its tokens do not use."""
        return self._scorer.restrict(potentials, labels)

    def label_potentials(self, potentials: Potentials, alternatives: int = 0) -> list[Labelling]:
        """Return the labelling of each string that was scored."""
        decoded = self._decode(potentials, self._limits)
        spans, confidence = self._spans(decoded), self._confidence(decoded)
        others = self._others(potentials, decoded, spans, alternatives)
        sure = iter(confidence)
        return [
            Labelling(found, score, tuple(islice(sure, len(found))), other)
            for found, score, other in zip(spans, decoded.score.tolist(), others, strict=True)
        ]

    def _decode(self, potentials: Potentials, limits: ConstraintSet | None, with_marginals: bool = True) -> Decoded:
        """Return the best labelling of each string under the constraints."""
        return self._scorer.decode(potentials, self._threads, with_marginals, limits.dual if limits else None)

    def _spans(self, decoded: Decoded) -> list[tuple[Span, ...]]:
        string, start, end, path = decoded.segments.T
        names = map(self._scorer.paths.__getitem__, path.tolist())
        spans = map(_span, zip(names, start.tolist(), end.tolist(), strict=True))
        return _by_string(tuple(spans), string, len(decoded.score))

    def _confidence(self, decoded: Decoded) -> list[float]:
        """Return the confidence of each segment.  # [M]"""
        probability = np.exp(np.minimum(decoded.mass, 0.0))
        if self.model.calibration:
            doubt = doubt_of(decoded.score - decoded.log_partition)[decoded.segments[:, 0]]
            probability = apply_maps(self._maps[decoded.segments[:, 3]], probability, doubt)
        confidence: list[float] = probability.tolist()
        return confidence

    def _certainty(self, decoded: Decoded) -> tuple[list[float], list[float]]:
        """Return the confidence of the best labelling of each string, and what probabilities of others are scaled by.

        The others share what is left of certainty as they share what is left of probability.  # [B] each
        """
        probability = np.exp(np.minimum(decoded.score - decoded.log_partition, 0.0))
        if self._whole is None:
            return probability.tolist(), [1.0] * len(probability)
        confidence = apply_maps(self._whole, probability, np.zeros(len(probability)))
        left = np.maximum(1 - probability, np.finfo(np.float64).tiny)
        return confidence.tolist(), np.minimum((1 - confidence) / left, 1 / left).tolist()

    def _others(
        self, potentials: Potentials, decoded: Decoded, best: Sequence[tuple[Span, ...]], count: int
    ) -> list[tuple[Labelling, ...]]:
        """Return the n-best labellings without the best.

        They are computed in double precision and may have another order than the best path where two are nearly equal,
        so the best is removed by its spans, not by its rank.
        """
        if not count:
            return [()] * len(best)
        found: list[list[Labelling]] = [[] for _ in best]
        scale = self._certainty(decoded)[1]
        for strings, part in inference.split_potentials(potentials):
            if self._limits:
                part = self._limits.dual.subtract(part, decoded.multipliers[strings])
            paths = inference.kbest(self._scorer.automaton, part, count + 1, self._threads)
            for rank in range(count + 1):
                spans = self._scorer.spans(paths.row(rank), part.lengths)
                for place, (string, chosen) in enumerate(zip(strings.tolist(), map(tuple, spans), strict=True)):
                    if rank < paths.count[place] and chosen != best[string]:
                        score = float(paths.score[rank, place])
                        confidence = scale[string] * _probability(score, float(decoded.log_partition[string]))
                        found[string].append(Labelling(chosen, score, (min(confidence, 1.0),) * len(chosen)))
        return [tuple(each[:count]) for each in found]

    def _parse_each(self, texts: list[str], alternatives: int, explain: bool) -> list[Parsed]:
        """Return the result for each string; where something unforeseen befalls a batch, its halves are parsed."""
        try:
            return list(self._parse_batch(texts, alternatives, explain))
        except Exception as error:
            if len(texts) == 1:
                return [Parsed(texts[0], error=describe_fault(error, "parsing it"))]
        middle = len(texts) // 2
        parts = texts[:middle], texts[middle:]
        return [parsed for part in parts for parsed in self._parse_each(part, alternatives, explain)]

    def _parse_batch(self, texts: list[str], alternatives: int, explain: bool) -> Iterator[Parsed]:
        for text in texts:
            trip("parse", text)
        tokens = self._columns(texts)
        potentials = self._scorer.score(tokens)
        decoded = self._decode(potentials, self._limits)
        fields = self._fields(texts, tokens, decoded)
        certainty = self._certainty(decoded)[0]
        more = self._alternatives(texts, tokens, potentials, decoded, alternatives) if alternatives else repeat(())
        changes = self._changes(texts, tokens, potentials, decoded) if explain else repeat(None)
        for text, found, sure, others, change in zip(texts, fields, certainty, more, changes, strict=False):
            parsed = Parsed(text, found, sure, others, None, change)
            trip("finish", text)
            yield self.task.finish(parsed) if self.task.finish else parsed

    def _changes(
        self, texts: list[str], tokens: TokenBatch, potentials: Potentials, decoded: Decoded
    ) -> Iterator[Change | None]:
        """Yield what constraints changed in the labelling of each string."""
        plain = self._decode(potentials, None)
        before, after = self._spans(plain), self._spans(decoded)
        for fields, one, other in zip(self._fields(texts, tokens, plain), before, after, strict=True):
            yield Change(fields, self._limits.explain(one, other)) if self._limits and one != other else None

    def _columns(self, texts: Sequence[str]) -> TokenBatch:
        """Return the tokens of several strings, as the task splits them."""
        split = self.task.tokenise
        return tokenise_batch(texts) if split is tokenise else batch_tokens([split(text) for text in texts])

    def _alternatives(
        self, texts: list[str], tokens: TokenBatch, potentials: Potentials, decoded: Decoded, count: int
    ) -> Iterator[tuple[Parsed, ...]]:
        """Yield the next best labellings of each string."""
        others = self._others(potentials, decoded, self._spans(decoded), count)
        begins = (np.cumsum(tokens.lengths) - tokens.lengths).tolist()
        log_z, scale = decoded.log_partition.tolist(), self._certainty(decoded)[1]
        for text, begin, whole, factor, each in zip(texts, begins, log_z, scale, others, strict=True):
            yield tuple(
                Parsed(text, _fields(text, tokens, begin, other), min(factor * _probability(other.score, whole), 1.0))
                for other in each
            )

    def _fields(self, texts: list[str], tokens: TokenBatch, decoded: Decoded) -> list[tuple[Field, ...]]:
        """Return the fields of each string on its best path."""
        string, first, last, path = decoded.segments.T
        begins = np.cumsum(tokens.lengths) - tokens.lengths
        start, end = tokens.start[begins[string] + first], tokens.end[begins[string] + last - 1]
        places = start.tolist(), end.tolist()
        names = map(self._scorer.paths.__getitem__, path.tolist())
        pieces = [texts[s][a:b] for s, a, b in zip(string.tolist(), *places, strict=True)]
        fields = map(_field, zip(names, pieces, *places, self._confidence(decoded), strict=True))
        return _by_string(tuple(fields), string, len(texts))


def _by_string(items: tuple[_Item, ...], string: IntArray, count: int) -> list[tuple[_Item, ...]]:
    """Return the items of each string, given the string of each item; they are sorted by string."""
    last = np.cumsum(np.bincount(string, minlength=count)).tolist()
    return [items[begin:end] for begin, end in zip([0, *last], last, strict=False)]


def _batches(texts: Iterable[str], characters: int) -> Iterator[list[str]]:
    """Yield the strings in batches of bounded size."""
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


def _probability(score: float, log_z: float) -> float:
    """Return the probability of a labelling with that score."""
    return math.exp(min(score - log_z, 0.0))


def _fields(text: str, tokens: TokenBatch, begin: int, labelling: Labelling) -> tuple[Field, ...]:
    found = []
    for span, confidence in zip(labelling.spans, labelling.confidence, strict=True):
        start, end = int(tokens.start[begin + span.start]), int(tokens.end[begin + span.end - 1])
        found.append(Field(span.label, text[start:end], start, end, confidence))
    return tuple(found)
