"""A scorer from outside the package is trained, saved, loaded and used by the public verbs, given only the protocol."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from model_cases import references

import ibidem
from ibidem.errors import ConfigError, ModelError
from ibidem.features import Lexicons
from ibidem.features.lexicons import empty
from ibidem.inference import nested_bio
from ibidem.models import scorer as registry
from ibidem.models.decoding import TokenDecoder
from ibidem.models.scorer import Config, model_class, model_names, register, take_array
from ibidem.models.storage import load, save
from ibidem.text.fold import hash32
from ibidem.types import Potentials

RECIPE = """
name = "toy"
about = "labels tokens by how often each was seen with each label"
output = "toy.ibidem"
label_min_count = 1
lexicons = []

[[data]]
file = "train.jsonl"

[[dev]]
file = "dev.jsonl"

[training]
model = "unigram"
smoothing = 0.5
"""


@dataclass(frozen=True, slots=True)
class UnigramConfig(Config):
    model: str = "unigram"
    smoothing: float = 1.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class UnigramModel:
    """Log-probabilities of the labels of each word."""

    kind: ClassVar[str] = "unigram"
    labels_tokens: ClassVar[bool] = True

    labels: tuple[str, ...]  # [Y]
    words: np.ndarray  # [R] sorted hashes
    table: np.ndarray  # [R + 1, Y]; the last row is for unknown words
    task: str = "references"
    lexicons: Lexicons = field(default_factory=empty)
    calibration: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    constraints: Mapping[str, float] = field(default_factory=dict)
    card: Mapping[str, Any] = field(default_factory=dict)

    def scorer(self):
        return UnigramScorer(self)

    def dump(self):
        return {"labels": self.labels}, {"words": self.words, "table": self.table.ravel()}

    @classmethod
    def load(cls, description, arrays):
        labels, words = tuple(description["labels"]), take_array(arrays, "words", np.uint32)
        table = take_array(arrays, "table", np.float32).reshape(-1, len(labels))
        if len(table) != len(words) + 1:
            raise ValueError("the numbers of words and of rows differ")
        return cls(labels, words, table, description.get("task", "references"))

    @classmethod
    def config_class(cls):
        return UnigramConfig

    @classmethod
    def train(cls, data, lexicons, config, score, say):
        allowed = np.unpackbits(data.allowed, axis=1, count=len(data.labels)).astype(np.float64)  # [N, Y]
        hashes = np.array([hash32(token.text) for string in data.strings for token in string], dtype=np.uint32)
        words, place = np.unique(hashes, return_inverse=True)
        counts = np.full((len(words) + 1, len(data.labels)), config.smoothing)
        np.add.at(counts, place, allowed)
        counts[-1] += allowed.sum(axis=0)
        table = np.log(counts / counts.sum(axis=1, keepdims=True)).astype(np.float32)
        model = cls(data.labels, words, table, data.task)
        say(f"{len(words)} words, dev {100 * score(model):.2f}")
        return model


class UnigramScorer(TokenDecoder):
    def __init__(self, model: UnigramModel) -> None:
        super().__init__(nested_bio(model.labels)[0], model.labels)
        self.model = model

    def score(self, tokens) -> Potentials:
        hashes = np.array([hash32(text) for text in tokens.texts], dtype=np.uint32)
        row = np.minimum(np.searchsorted(self.model.words, hashes), len(self.model.words) - 1)
        row = np.where(self.model.words[row] == hashes, row, len(self.model.words))
        return Potentials(
            self.model.table[row][:, None], np.zeros(len(self.automaton.src), dtype=np.float32), tokens.lengths
        )


@pytest.fixture(autouse=True)
def only_built_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test, or an example of the pages, registers is gone for the next."""
    known = {name: model_class(name) for name in registry._BUILT_IN}
    monkeypatch.setattr(registry, "_registered", known)


@pytest.fixture
def registered() -> type:
    return register(UnigramModel)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    for name, examples in {"train": references(20), "dev": references(24)[20:]}.items():
        rows = [
            {"text": one.text, "fields": [{"label": m.label, "start": m.start, "end": m.end} for m in one.annotations]}
            for one in examples
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "toy.toml").write_text(RECIPE, "utf-8")
    return tmp_path / "toy.toml"


def test_a_toy_scorer_is_trained_saved_loaded_and_parses(registered, recipe):
    said: list[str] = []
    path = ibidem.train(recipe, progress=said.append)
    assert any("words, dev" in line for line in said)
    model = load(path)
    assert isinstance(model, UnigramModel) and model.card["name"] == "toy" and model.calibration
    text = references(1)[0].text
    parsed = ibidem.parse(text, model=path, alternatives=2)
    assert parsed.error is None and "journal" in {found.label for found in parsed.fields}
    assert len(parsed.alternatives) == 2 and all(0 <= found.confidence <= 1 for found in parsed.fields)
    save(model, path.with_name("again.ibidem"))
    assert path.with_name("again.ibidem").read_bytes() == path.read_bytes()
    assert ibidem.evaluate(path, str(recipe.with_name("dev.jsonl"))).micro.f1 > 0.3


def test_the_settings_of_a_scorer_are_its_own(registered, recipe):
    recipe.write_text(RECIPE.replace("smoothing", "smoothin"), "utf-8")
    with pytest.raises(ConfigError, match=r"unknown key 'smoothin' .* did you mean 'smoothing'"):
        ibidem.train(recipe)
    recipe.write_text(RECIPE.replace("smoothing = 0.5", "window = 5"), "utf-8")
    with pytest.raises(ConfigError, match="unknown key 'window'"):
        ibidem.train(recipe)


def test_a_scorer_that_is_not_registered_is_refused_with_one_sentence(recipe, tmp_path):
    with pytest.raises(ConfigError, match="no scorer is called 'unigram'; there are chain, semi, and one of another"):
        ibidem.train(recipe)
    with pytest.raises(ConfigError, match="did you mean 'chain'"):
        model_class("chains")
    assert model_names() == ("chain", "semi")
    register(UnigramModel)
    path = ibidem.train(recipe, tmp_path / "toy.ibidem")
    del registry._registered["unigram"]
    with pytest.raises(ModelError, match="kind 'unigram', and there are chain, semi: upgrade Ibidem, or, if it is"):
        load(path)


def test_a_file_of_a_toy_scorer_whose_parts_do_not_fit_is_refused(registered, recipe):
    path = ibidem.train(recipe)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    description = json.loads(parts["model.json"])
    description["labels"] = description["labels"][:-1]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (parts | {"model.json": json.dumps(description).encode()}).items():
            archive.writestr(name, content)
    with pytest.raises(ModelError, match="do not fit together"):
        load(path)
