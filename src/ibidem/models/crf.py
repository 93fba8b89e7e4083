"""What the chain CRF and the semi-CRF share: scores of tokens, pruning of weights, and their part of a model file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ibidem.features import Batch, Lexicons, batch_of
from ibidem.features.registry import features_of
from ibidem.inference import ROLES, packed_emissions
from ibidem.labels.tasks import REFERENCES, task_of
from ibidem.locks import make_lock
from ibidem.models.calibration import Map
from ibidem.models.context import ContextRows
from ibidem.models.encoder import Encoder, number_codes
from ibidem.models.induction.conjunctions import Conjunctions
from ibidem.models.likelihood import Weights
from ibidem.models.rows import WIDEST, EmissionCache, LazyRows, SparseRows, sparse_rows
from ibidem.models.scorer import Arrays, Config, Description, Model, Say, UnknownFeature, take_array
from ibidem.text.tokens import TokenBatch
from ibidem.types import Automaton, FloatArray, IntArray

if TYPE_CHECKING:
    from ibidem.models.training import CRFConfig, TrainingSet

_PARTS = {"start": np.uint32, "column": np.uint16, "value": np.int8, "scale": np.float32}


class TokenScorer:
    """Scores the tokens of batches of strings; keeps its caches between batches."""

    def __init__(self, encoder: Encoder, attribute: SparseRows, context: SparseRows, columns: int) -> None:
        self._lock = make_lock()
        self._table = LazyRows(context)
        self._context = ContextRows(encoder, self._table)
        self._types = EmissionCache(encoder, attribute, columns)
        if len(encoder.induced):  # few beside the codes of context, and any of them may match anywhere
            self._table.need(encoder.contexts + np.arange(len(encoder.induced), dtype=np.int32))

    def score(self, tokens: TokenBatch) -> FloatArray:
        """Return the scores of every token.  # [N, C]"""
        with self._lock:  # the caches change here
            slots, context = self._rows(tokens)
            return self._emissions(tokens, slots, context)

    def score_with_batch(self, tokens: TokenBatch) -> tuple[FloatArray, Batch]:
        """Return the scores of every token, and the tokens as segment features take them."""
        with self._lock:
            slots, context = self._rows(tokens)
            batch = batch_of(tokens.lengths, tokens.space_before, self._types.traits[slots])
            return self._emissions(tokens, slots, context), batch

    def _rows(self, tokens: TokenBatch) -> tuple[IntArray, IntArray]:
        slots = self._types.slots(tokens.texts)
        context = self._context.rows(tokens, self._types.traits, slots)
        induced = self._types.conjunctions(slots, context, tokens.lengths)
        return slots, context if induced is None else np.concatenate([context, induced], axis=1)

    def _emissions(self, tokens: TokenBatch, slots: IntArray, context: IntArray) -> FloatArray:
        return packed_emissions(
            self._types.rows, slots, tokens.lengths, self._table.table, context, steady=self._context.steady
        )


def prune(encoder: Encoder, weights: Weights, below: float) -> tuple[Encoder, SparseRows, SparseRows]:
    """Return the encoder without attributes, codes of context and conjunctions that have no weights, and the weights.

    Weights smaller than `below` are dropped.
    """
    count, window, columns = weights.attribute.shape
    attribute = sparse_rows(weights.attribute.reshape(count, window * columns), below)
    context = sparse_rows(weights.context, below)
    attributes, used, codes = attribute.used(), context.used(), encoder.contexts
    contexts, weighed = used[:codes], used[codes:]
    induced = encoder.induced.only(weighed)
    attributes[induced.attributes()] = True  # parts of conjunctions are needed even without weights of their own
    contexts[induced.contexts()] = True
    number = np.full(len(contexts) + 1, -1, dtype=np.int32)  # the last entry stands for "no row"
    number[:-1][contexts] = np.arange(contexts.sum())
    kept = replace(
        encoder,
        attributes=encoder.attributes[attributes],
        context={name: number[rows] for name, rows in encoder.context.items()},
        induced=induced.renumber(attributes, contexts),
    )
    return kept, attribute.only(attributes), context.only(np.concatenate([contexts, weighed]))


@dataclass(frozen=True, slots=True)
class CRF:
    """What the models of the two CRFs have in common."""

    labels: tuple[str, ...]  # [Y] of tokens or of segments
    automaton: Automaton
    encoder: Encoder
    attribute: SparseRows  # weights of attributes
    context: SparseRows  # weights of codes of context and of conjunctions
    arc: FloatArray  # [A]
    calibration: Mapping[str, Map] = field(default_factory=dict, kw_only=True)
    constraints: Mapping[str, float] = field(default_factory=dict, kw_only=True)  # constraint -> penalty
    card: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @property
    def task(self) -> str:
        """Name of the task whose strings it labels."""
        return self.encoder.task

    @property
    def lexicons(self) -> Lexicons:
        """Lexicons that its features look words up in."""
        return self.encoder.lexicons

    @classmethod
    def config_class(cls) -> type[Config]:
        """Return the dataclass of its table `[training]`."""
        from ibidem.models.training import CRFConfig

        return CRFConfig

    @classmethod
    def train(
        cls, data: TrainingSet, lexicons: Lexicons, config: CRFConfig, score: Callable[[Model], float], say: Say
    ) -> Model:
        """Return the model of the training step that scores best on dev strings."""
        from ibidem.models.training import train_crf

        return train_crf(data, lexicons, config, score, say)


def dump_crf(
    model: CRF, arrays: Mapping[str, Any] | None = None, tables: Mapping[str, SparseRows] | None = None
) -> tuple[Description, Arrays]:
    """Return the description and the arrays of a CRF, with further arrays and tables of weights of its own."""
    encoder = model.encoder
    description: Description = {
        "labels": model.labels,
        "window": model.attribute.width // model.context.width,
        "context": {name: len(rows) for name, rows in encoder.context.items()},
    }
    found: Arrays = {"arc": model.arc, "attributes": encoder.attributes, **(arrays or {})}
    for name, rows in {"attribute": model.attribute, "context": model.context, **(tables or {})}.items():
        found |= {f"{name}/{part}": getattr(rows, part) for part in _PARTS}
    found |= {f"known/{name}": np.flatnonzero(rows >= 0).astype(np.uint32) for name, rows in encoder.context.items()}
    parts = {name: getattr(model.automaton, name) for name in ("label", "src", "dst", "final")}
    found |= {f"automaton/{name}": array for name, array in parts.items()}
    found |= {f"lexicons/{name}": array for name, array in encoder.lexicons.arrays().items()}
    if len(encoder.induced):
        width, induced = encoder.induced.to_arrays()
        description |= {"format": 3, "induced": width}
        found |= {f"induced/{name}": array for name, array in induced.items()}
    return description, found


Common = tuple[tuple[str, ...], Automaton, Encoder, SparseRows, SparseRows, FloatArray]
"""The fields of `CRF`, in order."""


def load_crf(description: Description, arrays: Arrays, roles: int = 1) -> Common:
    """Return the fields of a CRF in a file; a `ValueError` says what does not fit together."""
    labels, window = tuple(map(str, description["labels"])), int(description["window"])
    if window < 1 or window % 2 == 0 or window * len(labels) > WIDEST:
        raise ValueError(f"{len(labels)} labels and a window of {window} make no model")
    if not 1 <= roles <= len(ROLES) or roles * window * len(labels) > WIDEST:
        raise ValueError(f"{roles} roles of tokens, {len(labels)} labels and a window of {window} make no model")
    lexicons = Lexicons.from_arrays(
        {name.removeprefix("lexicons/"): array for name, array in arrays.items() if name.startswith("lexicons/")}
    )
    task = task_of(str(description.get("task", REFERENCES.name))).name
    known, used = _load_context(description["context"], arrays, features_of(task).sizes(lexicons))
    attributes = take_array(arrays, "attributes", np.uint32)
    attribute = load_rows(arrays, "attribute", window * roles * len(labels))
    context = load_rows(arrays, "context", roles * len(labels))
    arc = take_array(arrays, "arc", np.float32)
    automaton = load_automaton(arrays, len(labels))
    width = int(description.get("induced", 0))
    parts = {name: take_array(arrays, f"induced/{name}", dtype) for name, dtype in Conjunctions.TYPES.items() if width}
    induced = Conjunctions.from_arrays(width, parts, len(attributes), used)
    if len(attribute.scale) != len(attributes) or len(context.scale) != used + len(induced):
        raise ValueError("the numbers of features and of weights differ")
    if len(arc) != len(automaton.src):
        raise ValueError("the numbers of arcs and of their weights differ")
    return labels, automaton, Encoder(lexicons, attributes, known, task, induced), attribute, context, arc


def load_automaton(arrays: Arrays, labels: int) -> Automaton:
    """Return the automaton in the arrays of a file, over so many labels."""
    label, src, dst = (take_array(arrays, f"automaton/{part}", np.int32) for part in ("label", "src", "dst"))
    final = take_array(arrays, "automaton/final", np.bool_)
    states = len(label)
    fits = states == len(final) and len(src) == len(dst) and states > 0
    inside = ((label, 0, labels), (src, -1, states), (dst, 0, states))
    if not fits or any(array.min() < low or array.max() >= high for array, low, high in inside):
        raise ValueError("the automaton is inconsistent")
    return Automaton(label, src, dst, final)


def load_rows(arrays: Arrays, name: str, width: int) -> SparseRows:
    """Return a table of weights in the arrays of a file."""
    start, column, value, scale = (take_array(arrays, f"{name}/{part}", dtype) for part, dtype in _PARTS.items())
    if len(start) != len(scale) + 1 or int(start[-1]) != len(column) or len(column) != len(value):
        raise ValueError(f"the rows of {name} are inconsistent")
    if start[0] or np.any(start[1:] < start[:-1]) or int(column.max(initial=0)) >= width:
        raise ValueError(f"the rows of {name} are out of order")
    return SparseRows(start, column, value, scale, width)


def _load_context(sizes: Any, arrays: Arrays, expected: Mapping[str, int]) -> tuple[dict[str, IntArray], int]:
    """Return the row of the table for every code of every feature of context, and the number of rows."""
    for name, size in sizes.items():
        if name not in expected:
            raise UnknownFeature(name)
        if expected[name] != size:
            raise ValueError(f"its feature {name!r} has {size} codes, here it has {expected[name]}")
    known = {name: take_array(arrays, f"known/{name}", np.uint32) for name in sizes}
    return number_codes(known, expected), sum(map(len, known.values()))
