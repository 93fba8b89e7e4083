"""The protocol of scorers and their registry: everything the package asks of a model, whatever its kind.

A model is a frozen dataclass: what training gives and a file holds. Its scorer gives batches of strings `Potentials`
and decodes them. `chain` and `semi` are registered here; a model of another package is registered by decorating its
class with `register` before a recipe or a file names it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError
from ibidem.features import Lexicons
from ibidem.inference import Decoded, Paths
from ibidem.inference.dual import SoftDual
from ibidem.models.calibration import Map
from ibidem.text.tokens import TokenBatch
from ibidem.types import Automaton, FloatArray, IntArray, Potentials, Span

if TYPE_CHECKING:
    from ibidem.models.training import TrainingSet

Arrays = dict[str, NDArray[Any]]
Description = dict[str, Any]
Say = Callable[[str], None]


class UnknownFeature(Exception):
    """A model file uses a feature that is not registered here."""


class Scorer(Protocol):
    """Scores batches of tokenised strings and decodes the scores."""

    automaton: Automaton
    paths: tuple[str, ...]  # the labels that fields may have
    batch_characters: int  # characters of the strings that are scored at once

    def score(self, tokens: TokenBatch) -> Potentials:
        """Return the scores of labels and arcs."""

    def decode(
        self, potentials: Potentials, threads: int, with_marginals: bool, dual: SoftDual | None = None
    ) -> Decoded:
        """Return the fields on the best path of each string, with their log-probabilities if `with_marginals`.

        With a `dual`, the path is the best under its constraints.
        """

    def restrict(self, potentials: Potentials, labels: Sequence[str]) -> FloatArray:
        """Return the scores of one string with -inf for everything that these labels of its tokens do not use."""

    def spans(self, paths: Paths, lengths: IntArray) -> list[list[Span]]:
        """Return the spans on a path of each string, in order of their start, parents before children."""


class Config:
    """Settings of a training, the table `[training]` of a recipe: each scorer has its own frozen dataclass of them."""

    __slots__ = ()
    model: str  # name of the scorer in the registry
    seed: int

    @staticmethod
    def config_class(table: Mapping[str, object]) -> type[Config]:
        """Return the dataclass for a table: that of the scorer it names."""
        return model_class(str(table.get("model", "chain"))).config_class()


class Model(Protocol):
    """A trained model: a frozen dataclass with at least these members."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]  # its name in the registry, in recipes and in model files
    labels_tokens: ClassVar[bool]  # one label for each token (potentials with L = 1), not segments

    @property
    def labels(self) -> tuple[str, ...]:
        """Nested BIO labels that it scores.  # [Y]"""

    @property
    def task(self) -> str:
        """Name of the task whose strings it labels."""

    @property
    def lexicons(self) -> Lexicons:
        """Lexicons that it uses, `ibidem.features.lexicons.empty()` if none."""

    @property
    def calibration(self) -> Mapping[str, Map]:
        """Maps from marginals to confidences, by label."""

    @property
    def constraints(self) -> Mapping[str, float]:
        """Soft constraints with their penalties."""

    @property
    def card(self) -> Mapping[str, Any]:
        """Origin and scores of the model."""

    def scorer(self) -> Scorer:
        """Return a scorer with these weights."""

    def dump(self) -> tuple[Description, Arrays]:
        """Return what a file holds beside calibration, constraints and card: JSON values and arrays of one dimension.

        The description has the `labels`, and a `format` above 1 only if older versions must refuse the file.
        """

    @classmethod
    def load(cls, description: Description, arrays: Arrays) -> Model:
        """Return the model that `dump` described; a `ValueError` says what does not fit."""

    @classmethod
    def config_class(cls) -> type[Config]:
        """Return the dataclass of its table `[training]`."""

    @classmethod
    def train(
        cls, data: TrainingSet, lexicons: Lexicons, config: Any, score: Callable[[Model], float], say: Say
    ) -> Model:
        """Return a model of labelled strings; `score` is its accuracy on dev strings, `say` takes progress lines."""


_M = TypeVar("_M", bound=type[Model])
_BUILT_IN = {"chain": "ibidem.models.chain", "semi": "ibidem.models.semi.model"}  # imported when first asked for
_registered: dict[str, type[Model]] = {}


def register(cls: _M) -> _M:
    """Register a class of models under its `kind`; a decorator."""
    _registered[cls.kind] = cls
    return cls


def model_names() -> tuple[str, ...]:
    """Return the names of all scorers."""
    return tuple(dict.fromkeys((*_BUILT_IN, *_registered)))


def model_class(name: str) -> type[Model]:
    """Return the class of models that is registered under a name."""
    if name not in _registered and name in _BUILT_IN:
        importlib.import_module(_BUILT_IN[name])
    if name not in _registered:
        import difflib

        near = difflib.get_close_matches(name, model_names(), n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ConfigError(
            f"no scorer is called {name!r}{hint}; there are {', '.join(model_names())}, and one of another package "
            "must be registered with ibidem.models.scorer.register before it is used"
        )
    return _registered[name]


def take_array(arrays: Arrays, name: str, dtype: type) -> NDArray[Any]:
    """Return the array of that name; a `ValueError` if its numbers are not finite and of that type."""
    array = arrays[name]
    if array.dtype != dtype or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        raise ValueError(f"array {name} does not hold finite numbers of type {np.dtype(dtype)}")
    return array
