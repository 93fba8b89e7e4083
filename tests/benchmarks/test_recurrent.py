"""The recurrent network: its gradients are right, it learns, and several are averaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from model_cases import references, trainer_of

from benchmarks.support.experiments import best_spans, gold_spans, recurrent_maker, spans_on, truth_of
from benchmarks.support.recurrent.network import BiLSTM, Layers, Network, Size, initialise, score_tokens
from benchmarks.support.recurrent.tagger import RecurrentTagger
from benchmarks.support.recurrent.training import TrainingConfig, compute_gradients, train
from ibidem.errors import ConfigError
from ibidem.metrics.scoring import score_spans
from ibidem.models.constraints import ConstraintSet
from ibidem.models.likelihood import Weights, scores
from ibidem.models.optimisers import activate
from ibidem.models.penalties import PenaltyConfig, fit_constraints, references_of
from ibidem.models.training import CRFConfig, Trainer
from ibidem.types import Annotation, Example, Span

FEATURES = CRFConfig(optimiser="adagrad", min_count=1, context_min_count=1)
SMALL = Size(12, 10)
QUICK = TrainingConfig(epochs=12, batch=4, learning_rate=0.02)


def in_double(random: np.random.Generator, size: Size = SMALL, labels: int = 4) -> Layers:
    """Random layers in double precision."""
    shapes = [part.shape for part in initialise(size, 0, 0, labels, 0, random).layers.parts()]
    return Layers(*(0.5 * random.standard_normal(shape) for shape in shapes))


def blank_of(trainer: Trainer, seed: int = 1):
    encoder, random = trainer.encoder, np.random.default_rng(seed)
    counts = len(encoder.attributes), encoder.contexts, len(trainer.labels), trainer.lattice.arcs
    return initialise(SMALL, *counts, random)


def difference(value: Callable[[], float], array: np.ndarray, here: tuple[int, ...], step: float = 1e-5) -> float:
    """Return the central difference of a value by one number of an array."""
    kept = array[here]
    sides = []
    for moved in (kept + step, kept - step):
        array[here] = moved
        sides.append(value())
    array[here] = kept
    return (sides[0] - sides[1]) / (2 * step)


def wholes(trainer: Trainer):
    """Return the types of the parts of a network, and the parts of one."""
    blank = blank_of(trainer)
    return (Weights, blank.embeddings), (Layers, blank.layers)


@pytest.mark.parametrize("noisy", [False, True])
def test_gradients_agree_with_finite_differences(noisy):
    random = np.random.default_rng(3)
    layers, lengths = in_double(random), np.array([4, 1, 3])
    inputs, gradient = random.standard_normal((8, 12)), random.standard_normal((8, 4))
    dropout = (random.random((8, 12)), random.random((8, 20))) if noisy else (None, None)

    def value() -> float:
        return float((BiLSTM(layers, inputs, lengths, *dropout).token * gradient).sum())

    by_inputs, by_layers = BiLSTM(layers, inputs, lengths, *dropout).backward(gradient)
    names = [field.name for field in fields(Layers)]
    for name, array, found in [
        ("inputs", inputs, by_inputs),
        *zip(names, layers.parts(), by_layers.parts(), strict=True),
    ]:
        for place in random.choice(array.size, min(array.size, 30), replace=False):
            here = np.unravel_index(place, array.shape)
            assert found[here] == pytest.approx(difference(value, array, here), abs=1e-7), (name, here)


def test_gradients_of_the_loss_under_dropout_agree_with_finite_differences():
    trainer = trainer_of(references(6), replace(FEATURES, optimiser="lbfgs"))  # so that it is encoded in double
    rows, layers = (kind(*(np.asarray(x, np.float64) for x in part.parts())) for kind, part in wholes(trainer))
    network, config, part = Network(rows, layers), TrainingConfig(feature_dropout=0.5), trainer.encoded

    def gradients():
        return compute_gradients(network, part, trainer.lattice, config, np.random.default_rng(11))

    def mean_loss() -> float:
        return gradients().loss / len(part.lengths)

    found, random = gradients(), np.random.default_rng(12)
    wanted = [
        ("attribute", rows.attribute, found.active.attributes, found.embeddings.attribute),
        ("context", rows.context, found.active.contexts, found.embeddings.context),
        ("arc", rows.arc, np.arange(len(rows.arc)), found.embeddings.arc),
        ("output_weights", layers.output_weights, np.arange(len(layers.output_weights)), found.layers.output_weights),
    ]
    for name, array, places, by_place in wanted:
        for place in random.choice(len(places), min(len(places), 25), replace=False):
            inner = tuple(random.integers(size) for size in array.shape[1:])
            here = (places[place], *inner)
            wanted_here = pytest.approx(difference(mean_loss, array, here), rel=1e-6, abs=1e-7)
            assert by_place[(place, *inner)] == wanted_here, (name, here)


def test_feature_dropout_keeps_the_mean_of_the_inputs():
    trainer = trainer_of(references(3), FEATURES)
    rows, random = blank_of(trainer).embeddings, np.random.default_rng(13)
    drawn = [activate(trainer.encoded, rows, 0.5, random) for _ in range(4000)]
    inputs = np.mean([scores(on.part, on.rescaled()) for on in drawn], axis=0)
    np.testing.assert_allclose(inputs, scores(trainer.encoded, rows), atol=0.03)


def test_strings_of_a_batch_do_not_see_each_other():
    random = np.random.default_rng(5)
    layers, inputs = in_double(random), random.standard_normal((9, 12))
    together = BiLSTM(layers, inputs, np.array([5, 1, 3])).token
    alone = [BiLSTM(layers, part, np.array([len(part)])).token for part in np.split(inputs, [5, 6])]
    np.testing.assert_allclose(together, np.concatenate(alone), atol=1e-12)


def test_both_directions_are_read():
    random = np.random.default_rng(6)
    layers, inputs = in_double(random), random.standard_normal((5, 12))
    before = BiLSTM(layers, inputs, np.array([5])).token
    for changed, seen in ((0, 4), (4, 0)):
        other = inputs.copy()
        other[changed, 0] += 1
        assert not np.allclose(BiLSTM(layers, other, np.array([5])).token[seen], before[seen])


def test_a_network_learns_its_strings_and_the_same_seed_gives_the_same():
    trainer = trainer_of(references(12), FEATURES)
    losses: list[float] = []
    network, again = (
        train(blank_of(trainer), trainer.encoded, trainer.lattice, QUICK, lambda _, loss: losses.append(loss))
        for _ in range(2)
    )
    assert losses[11] < 0.1 * losses[0]
    assert all(np.array_equal(one, other) for one, other in zip(network.parts(), again.parts(), strict=True))


def test_training_leaves_the_original_network_unchanged():
    trainer = trainer_of(references(4), FEATURES)
    blank, same = blank_of(trainer), blank_of(trainer)
    train(blank, trainer.encoded, trainer.lattice, replace(QUICK, epochs=1), lambda *_: None)
    assert all(np.array_equal(one, other) for one, other in zip(blank.parts(), same.parts(), strict=True))


def test_ambiguous_labels_can_be_trained_on():
    examples = [
        replace(
            one,
            annotations=tuple(
                Annotation("title|journal", m.start, m.end) if m.label == "title" else m for m in one.annotations
            ),
        )
        for one in references(8)
    ]
    known = references(16)[8:]
    trainer = trainer_of([*known, *examples], FEATURES)
    losses: list[float] = []
    train(blank_of(trainer), trainer.encoded, trainer.lattice, QUICK, lambda _, loss: losses.append(loss))
    assert np.isfinite(losses).all() and losses[-1] < losses[0]


def label(tagger: RecurrentTagger, examples: list[Example]) -> tuple[tuple[Span, ...], ...]:
    """Return the spans that a tagger finds without constraints."""
    return best_spans(truth_of(tagger, examples))


def tagger_of(trainer: Trainer, *networks: Network) -> RecurrentTagger:
    return RecurrentTagger(tuple(trainer.labels), trainer.automaton, trainer.encoder, networks)


def test_a_tagger_decodes_what_its_network_scores():
    examples = references(20)
    training, test = examples[:16], examples[16:]
    trainer = trainer_of(training, FEATURES)
    network = train(blank_of(trainer), trainer.encoded, trainer.lattice, QUICK, lambda *_: None)
    tagger = tagger_of(trainer, network)
    known = tagger.potentials(references_of(training))
    np.testing.assert_allclose(known.span[:, 0], score_tokens(network, trainer.encoded), rtol=1e-5, atol=1e-5)
    assert np.array_equal(known.arc, network.embeddings.arc)
    assert score_spans(gold_spans(test), label(tagger, test)).micro.f1 > 0.8


def test_the_scores_of_several_networks_are_averaged():
    examples = references(6)
    trainer = trainer_of(examples, FEATURES)
    networks = [
        train(blank_of(trainer, seed), trainer.encoded, trainer.lattice, replace(QUICK, epochs=1), lambda *_: None)
        for seed in (1, 2)
    ]
    one, other, both = (
        tagger_of(trainer, *chosen).potentials(references_of(examples))
        for chosen in (networks[:1], networks[1:], networks)
    )
    assert not np.allclose(one.span, other.span) and not np.allclose(one.arc, other.arc)
    np.testing.assert_allclose(both.span, (one.span + other.span) / 2, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(both.arc, (one.arc + other.arc) / 2, rtol=1e-5, atol=1e-5)
    assert both.span.dtype == both.arc.dtype == np.float32


def test_no_references_give_no_scores_and_a_tagger_without_networks_is_refused():
    trainer = trainer_of(references(4), FEATURES)
    assert tagger_of(trainer, blank_of(trainer)).potentials([]).span.shape == (0, 1, len(trainer.labels))
    with pytest.raises(ConfigError, match="no network"):
        tagger_of(trainer)


def test_taggers_know_the_pretraining_strings_but_very_long_ones():
    examples = references(24)
    text = "Reed, A."
    few = [Example(text, (Annotation("author", 0, len(text)),), "made up")] * 2
    endless = Example("a " * 200, (Annotation("title", 0, 399),), "made up")
    messages: list[str] = []
    gentle = replace(QUICK, epochs=1, learning_rate=1e-4)
    make = recurrent_maker(few, FEATURES, SMALL, [*examples[:16], endless], QUICK, gentle, (1, 2), messages.append)
    tagger, test = make(np.array([0])), examples[16:]
    assert score_spans(gold_spans(test), label(tagger, test)).micro.f1 > 0.8
    for seed in (1, 2):
        assert sum(f"network {seed}, pretraining" in line for line in messages) == QUICK.epochs


def test_taggers_of_other_strings_differ_and_do_not_affect_each_other():
    examples = references(16)
    make = recurrent_maker(examples[:8], FEATURES, SMALL, examples[8:], replace(QUICK, epochs=1), QUICK, (1, 2), print)
    one, other, again = (make(np.array(places)) for places in ([0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 3]))
    for net in (0, 1):  # one for each seed
        parts = zip(*(tagger.networks[net].parts() for tagger in (one, other, again)), strict=True)
        same = [(np.array_equal(a, c), np.array_equal(a, b)) for a, b, c in parts if a.size]
        assert all(first for first, _ in same) and not any(second for _, second in same)
    assert not np.array_equal(one.networks[0].layers.input_weights, one.networks[1].layers.input_weights)


def test_constraints_are_fitted_on_the_scores_of_networks_as_on_those_of_a_parser():
    examples = references(12)
    trainer = trainer_of(examples, FEATURES)
    truth = truth_of(tagger_of(trainer, blank_of(trainer)), examples)  # untrained, so it violates many
    found = fit_constraints([truth], PenaltyConfig(passes=3))
    assert found.by_text
    limits = ConstraintSet(found.by_text, truth.labels)
    plain = best_spans(truth)
    limited = spans_on(truth, limits.dual(truth.automaton, truth.potentials))
    fewer, more = (
        sum(len(limits.explain(*pair)) for pair in zip(*both, strict=True))
        for both in ((plain, limited), (limited, plain))
    )
    assert fewer > more


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: TrainingConfig(epochs=0), "epochs"),
        (lambda: TrainingConfig(batch=0), "batch"),
        (lambda: TrainingConfig(learning_rate=float("nan")), "learning_rate"),
        (lambda: TrainingConfig(feature_dropout=1.0), "dropouts"),
        (lambda: TrainingConfig(recurrent_dropout=-0.1), "dropouts"),
        (lambda: Size(width=0), "width"),
    ],
)
def test_invalid_settings_are_refused(wrong, message):
    with pytest.raises(ConfigError, match=message):
        wrong()
