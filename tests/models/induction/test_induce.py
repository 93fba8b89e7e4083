"""Conjunctions that a chain grows: the gain is what training one weight gives, and what cannot do without is found."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from model_cases import lexicons, random_weights, references, small_corpus, trainer_of
from scipy.optimize import minimize_scalar

from ibidem.config import from_toml
from ibidem.errors import ConfigError
from ibidem.features.lexicons import empty
from ibidem.models.chain import ChainModel, ChainScorer
from ibidem.models.encoder import corpus_of
from ibidem.models.induction import InductionConfig
from ibidem.models.induction import induce as induction
from ibidem.models.induction.conjunctions import Conjunctions
from ibidem.models.induction.induce import Evidence, gains, newton_gain, search
from ibidem.models.likelihood import Weights, encode, hits_in, loss, scores, with_conjunctions
from ibidem.models.parser import Parser
from ibidem.models.recipes import Recipe
from ibidem.models.storage import load, save
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.text import tokenise
from ibidem.text.tokens import batch_tokens
from ibidem.types import Annotation, Example
from tests.models.test_storage import array, parts_of, refused, written

FEW = InductionConfig(rounds=2, conjunctions=20, min_count=2, steps=10)
PLAIN = CRFConfig(window=3, context=False, min_count=1, iterations=60)
GROWN = replace(PLAIN, induce=True, induction=FEW)
EARLY = replace(PLAIN, context=True, induce=True, induction=replace(FEW, steps=1))  # before all tokens are sure


def never(*_: object) -> bool:
    return False


def model_of(examples: list[Example], config: CRFConfig) -> ChainModel:
    trainer = trainer_of(examples, config)
    model = trainer.model(trainer.run(never), {"name": "grown"})
    assert isinstance(model, ChainModel)
    return model


def riddles() -> list[Example]:
    """Pairs of words of which neither alone tells what the first is: it is a title if both are old or both are new."""
    found = []
    for first, old in (("reed", True), ("marsh", False)):
        for second, also_old in (("bells", True), ("ferries", False)):
            text = f"{first} {second}"
            label = "title" if old == also_old else "journal"
            annotations = (Annotation(label, 0, len(first)), Annotation("note", len(first) + 1, len(text)))
            found += [Example(text, annotations, "riddle")] * 5
    return found


def answers(model: ChainModel, examples: list[Example]) -> list[bool]:
    parser = Parser(model)
    return [parser.parse(each.text).fields[0].label == each.annotations[0].label for each in examples]


def pairs_in(trainer: Trainer, count: int, once: bool) -> Conjunctions:
    """Pairs of attributes, one of the token and one of the next, that stand at one token a string at most, or more."""
    attributes = len(trainer.encoder.attributes)
    left, right = (grid.ravel() for grid in np.meshgrid(np.arange(attributes), np.arange(attributes)))
    part = np.stack([left, right], axis=1).astype(np.int32)
    offset = np.tile(np.array([[0, 1]], dtype=np.int8), (len(part), 1))
    found = Conjunctions(part, offset)
    token, which = hits_in(trainer.encoded, found)
    string = np.repeat(np.arange(len(trainer.encoded.lengths)), trainer.encoded.lengths)[token]
    times = np.zeros((len(found), len(trainer.encoded.lengths)), dtype=np.int64)
    np.add.at(times, (which, string), 1)
    fits = (times.sum(axis=1) > 0) & ((times.max(axis=1) == 1) if once else (times.max(axis=1) > 1))
    chosen = np.flatnonzero(fits)
    return found.only(chosen[:: max(1, len(chosen) // count)][:count])


def by_training(trainer: Trainer, weights: Weights, one: Conjunctions, label: int, l2: float) -> float:
    """How much lower the objective is with the best weight of one conjunction and one label, all others fixed."""
    encoder = replace(trainer.encoder, induced=one)
    encoded = with_conjunctions(trainer.encoded, encoder)

    def objective(weight: float) -> float:
        row = np.zeros((1, weights.context.shape[1]))
        row[0, label] = weight
        grown = replace(weights, context=np.concatenate([weights.context, row]))
        return loss(encoded, trainer.lattice, grown, 1)[0] + l2 * weight * weight

    return objective(0.0) - float(minimize_scalar(objective, bounds=(-20, 20), method="bounded").fun)


def gains_of(trainer: Trainer, weights: Weights, found: Conjunctions, label: int, l2: float) -> np.ndarray:
    seen = Evidence.under(replace(trainer.objective(), l2=l2), weights)
    token, which = hits_in(trainer.encoded, found)
    return gains(which, seen.gold[token, label], seen.probability[token, label], len(found), l2)[1]


@pytest.mark.parametrize("l2", [0.1, 1.0])
def test_the_gain_is_what_training_that_weight_alone_gives(l2):
    trainer = trainer_of(references(4), replace(PLAIN, min_count=4))
    weights = random_weights(trainer, seed=5, scale=0.2)
    found = pairs_in(trainer, 6, once=True)
    assert len(found) == 6
    for label in range(0, len(trainer.labels), 4):
        expected = [by_training(trainer, weights, found.only(np.array([k])), label, l2) for k in range(len(found))]
        np.testing.assert_allclose(gains_of(trainer, weights, found, label, l2), expected, atol=1e-4)


def test_where_a_conjunction_stands_often_in_a_string_the_gain_is_near_the_gold():
    trainer = trainer_of(references(4), replace(PLAIN, min_count=4))
    weights = random_weights(trainer, seed=5, scale=0.2)
    found = pairs_in(trainer, 6, once=False)
    label = trainer.labels.index("I-title")
    expected = [by_training(trainer, weights, found.only(np.array([k])), label, 0.1) for k in range(len(found))]
    near = gains_of(trainer, weights, found, label, 0.1)
    assert np.corrcoef(near, expected)[0, 1] > 0.9


def test_the_newton_gain_is_that_of_one_step_where_the_gradient_is_small():
    random = np.random.default_rng(1)
    probability = random.uniform(0.4, 0.6, 2000)
    gold = (random.random(2000) < 0.5).astype(np.float64)
    exact = gains(np.zeros(2000, dtype=np.int64), gold, probability, 1, 1.0)[1]
    quick = newton_gain(
        np.array([(gold - probability).sum()]), np.array([(probability * (1 - probability)).sum()]), 1.0
    )
    np.testing.assert_allclose(quick, exact, rtol=0.05)


def test_a_gain_is_never_negative_and_its_weight_stays_finite():
    certain = gains(np.array([0, 0, 1]), np.array([1.0, 1.0, 0.0]), np.array([1e-300, 0.5, 1.0]), 3, 0.0)
    assert np.isfinite(certain[0]).all() and np.isfinite(certain[1]).all() and (certain[1] >= -1e-9).all()


def test_what_only_two_words_together_tell_is_found():
    examples = riddles()
    assert sum(answers(model_of(examples, PLAIN), examples)) <= 15
    grown = model_of(examples, GROWN)
    assert all(answers(grown, examples))
    both = grown.encoder.induced
    assert len(both) and any(set(row) == {0, 1} for row in both.offset.tolist())


def test_conjunctions_grow_from_conjunctions():
    config = replace(EARLY, induction=replace(EARLY.induction, rounds=3, longest=3))
    trainer = trainer_of(references(), config)
    parts = (trainer.encoder.induced.part != -1).sum(axis=1)
    assert trainer.encoder.induced.part.shape[1] <= 3 and parts.max() == 3


def test_no_conjunction_stands_where_another_feature_does():
    trainer = trainer_of(references(), EARLY)
    encoded, encoder = trainer.encoded, trainer.encoder
    token, which = hits_in(encoded, encoder.induced)
    stands = np.zeros((len(encoder.induced), len(encoded.token)), dtype=np.bool_)
    stands[which, token] = True
    assert len({row.tobytes() for row in stands}) == len(stands) > 0
    others = {(encoded.context == row).any(axis=1).tobytes() for row in range(encoder.contexts)}
    assert not any(row.tobytes() in others for row in stands)
    assert (stands.sum(axis=1) >= FEW.min_count).all()


def test_the_best_come_first_and_no_more_than_were_asked_for():
    trainer = trainer_of(references(), PLAIN)
    found = search(trainer.objective(), trainer.encoder, trainer.zero_weights(), FEW, seed=1)
    assert len(found.conjunctions) == len(found.gain) == 20
    assert (np.diff(found.gain) <= 0).all() and found.gain[-1] > 0


def test_pairs_are_the_same_however_many_are_counted_at_once(monkeypatch):
    whole = trainer_of(references(), EARLY).encoder.induced
    monkeypatch.setattr(induction, "_PAIRS", 50)
    parts = trainer_of(references(), EARLY).encoder.induced
    np.testing.assert_array_equal(whole.part, parts.part)
    np.testing.assert_array_equal(whole.offset, parts.offset)


def test_a_large_corpus_is_induced_on_a_part_of_it(monkeypatch):
    monkeypatch.setattr(induction, "_TOKENS", 100)
    monkeypatch.setattr(induction, "_LOOKED_AT", 20)
    model = model_of(references(), EARLY)
    assert len(model.encoder.induced) and Parser(model).parse(references()[0].text).fields


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        save(model_of(references(), EARLY), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_marks_that_leave_labels_open_can_be_induced_on():
    data = training_set([(each, False) for each in small_corpus(True) * 3], labels_seen(small_corpus(False)))
    said: list[str] = []
    trainer = Trainer.prepare(data, lexicons(), GROWN, said.append)
    assert not trainer.complete and np.isfinite(trainer.run(never).flat()).all()
    assert said and all(line.startswith("induction, round") for line in said)


@pytest.fixture(scope="module", params=[0.0, 0.02], ids=["all weights", "small weights dropped"])
def grown(request: pytest.FixtureRequest) -> ChainModel:
    """A model with conjunctions of attributes and of codes of context."""
    return model_of(references(), replace(EARLY, prune_below=request.param))


@pytest.fixture(scope="module")
def grown_path(grown: ChainModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("grown") / "grown.ibidem"
    save(grown, path)
    return path


@pytest.mark.parametrize("kernels", ["", "numpy"])
def test_parsing_gives_tokens_the_scores_of_training(grown, kernels, monkeypatch):
    if kernels:
        monkeypatch.setenv("IBIDEM_KERNELS", kernels)
    strings = [tokenise(each.text) for each in references(30)] + [(), tokenise("Reed")]
    corpus = corpus_of(strings, grown.encoder.lexicons)
    allowed = np.full((len(corpus.token), -(-len(grown.labels) // 8)), 255, dtype=np.uint8)
    window = grown.attribute.width // len(grown.labels)
    weights = Weights(grown.attribute.dense().reshape(-1, window, len(grown.labels)), grown.context.dense(), grown.arc)
    encoded = encode(corpus, grown.encoder, allowed, len(grown.labels), np.float32)
    assert encoded.context.shape[1] > len(grown.encoder.context)  # conjunctions stand somewhere
    scorer = ChainScorer(grown)
    for _ in range(2):  # types new and types known
        found = scorer.score(batch_tokens(strings)).span[:, 0]
        np.testing.assert_allclose(found, scores(encoded, weights), atol=1e-4)


def test_a_model_with_conjunctions_comes_back_as_it_was(grown, grown_path, tmp_path):
    again = load(grown_path)
    np.testing.assert_array_equal(again.encoder.induced.part, grown.encoder.induced.part)
    np.testing.assert_array_equal(again.encoder.induced.offset, grown.encoder.induced.offset)
    texts = [each.text for each in references(30)]
    assert list(Parser(again).parse_many(texts, 2)) == list(Parser(grown).parse_many(texts, 2))
    save(again, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == grown_path.read_bytes()
    assert json.loads(parts_of(grown_path)["model.json"])["format"] == 3


def test_a_model_without_conjunctions_has_nothing_of_them_in_its_file(tiny_path, tmp_path):
    save(replace(load(tiny_path), calibration={}), tmp_path / "plain")
    parts = parts_of(tmp_path / "plain")
    description = json.loads(parts["model.json"])
    assert description["format"] == 1 and "induced" not in description
    assert not any(name.startswith("induced") for name in parts)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("part", lambda a: a[1:]),
        ("part", lambda a: a[:-2]),
        ("part", lambda a: a + np.int32(10**6)),
        ("part", lambda a: a - np.int32(10**6)),
        ("part", lambda a: np.full_like(a, -1)),
        ("part", lambda a: a.astype(np.int64)),
        ("offset", lambda a: a[1:]),
        ("offset", lambda a: a + np.int8(100)),
        ("offset", lambda a: a.astype(np.float32)),
    ],
)
def test_conjunctions_that_fit_nothing_are_refused(grown_path, tmp_path, name, make):
    parts = parts_of(grown_path)
    old = np.load(io.BytesIO(parts[f"induced/{name}.npy"]))
    refused(written(tmp_path / "changed", parts | {f"induced/{name}.npy": array(make(old))}))


@pytest.mark.parametrize("width", [-1, 3, 10**12, "two", None])
def test_a_wrong_number_of_parts_is_refused(grown_path, tmp_path, width):
    parts = parts_of(grown_path)
    description = json.loads(parts["model.json"]) | {"induced": width}
    refused(written(tmp_path / "changed", parts | {"model.json": json.dumps(description).encode()}))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "semi"}, "induce needs model = 'chain'"),
        ({"optimiser": "adagrad"}, "optimiser = 'lbfgs'"),
    ],
)
def test_induction_is_refused_where_it_cannot_be_done(settings, words):
    with pytest.raises(ConfigError, match=words):
        CRFConfig(induce=True, **settings)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rounds = 0", "rounds of induction is 0: give 1 or more"),
        ("conjunctions = -3", "conjunctions of induction is -3"),
        ("min_count = 0", "min_count of induction is 0"),
        ("steps = 0", "steps of induction is 0"),
        ("longest = 0", "longest of induction is 0"),
        ("reach = -1", "reach of induction is -1: give 0 to 16"),
        ("reach = 17", "reach of induction is 17"),
        ("round = 3", "did you mean 'rounds'"),
        ("rounds = 'many'", "expected a whole number"),
    ],
)
def test_settings_of_induction_that_make_no_sense_are_refused(line, words):
    recipe = "name = 'n'\nabout = 'a'\noutput = 'o'\ndata = []\ndev = []\n[training]\ninduce = true\n"
    assert from_toml(Recipe, recipe).training.induce
    with pytest.raises(ConfigError, match=words):
        from_toml(Recipe, f"{recipe}[training.induction]\n{line}\n")


def test_features_without_context_make_a_model_too(tmp_path):
    model = model_of(references(), replace(PLAIN, window=5))
    save(model, tmp_path / "plain")
    again = load(tmp_path / "plain")
    assert not again.encoder.context and again.encoder.lexicons.words.keys() != empty().words.keys()
    text = references()[3].text
    assert Parser(again).parse(text) == Parser(model).parse(text)
