"""The recurrent network: its slopes are those of its scores, it learns, and several read by their mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np
import pytest
from model_cases import references, trainer_of

from benchmarks.experiments import best_spans, gold_spans, recurrent, spans_on, truth_of
from benchmarks.recurrent.learning import TrainingConfig, learnt, slopes_of
from benchmarks.recurrent.net import BiLSTM, Layers, Net, Size, fresh, scores_of_tokens
from benchmarks.recurrent.reader import RecurrentReader
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
QUICK = TrainingConfig(epochs=12, batch=4, rate=0.02)


def in_double(random: np.random.Generator, size: Size = SMALL, labels: int = 4) -> Layers:
    """Random layers in double precision."""
    shapes = [part.shape for part in fresh(size, 0, 0, labels, 0, random).layers.parts()]
    return Layers(*(0.5 * random.standard_normal(shape) for shape in shapes))


def blank_of(trainer: Trainer, seed: int = 1):
    encoder, random = trainer.encoder, np.random.default_rng(seed)
    counts = len(encoder.attributes), encoder.contexts, len(trainer.labels), trainer.lattice.arcs
    return fresh(SMALL, *counts, random)


def difference(value: Callable[[], float], array: np.ndarray, here: tuple[int, ...], step: float = 1e-5) -> float:
    """The slope of a value by one number of an array, by moving that number a little to either side."""
    kept = array[here]
    sides = []
    for moved in (kept + step, kept - step):
        array[here] = moved
        sides.append(value())
    array[here] = kept
    return (sides[0] - sides[1]) / (2 * step)


def wholes(trainer: Trainer):
    """The kinds of parts of a network, and a network's."""
    blank = blank_of(trainer)
    return (Weights, blank.rows), (Layers, blank.layers)


@pytest.mark.parametrize("noisy", [False, True])
def test_slopes_are_those_of_small_differences(noisy):
    random = np.random.default_rng(3)
    layers, lengths = in_double(random), np.array([4, 1, 3])
    said, slope = random.standard_normal((8, 12)), random.standard_normal((8, 4))
    noise = (random.random((8, 12)), random.random((8, 20))) if noisy else (None, None)

    def value() -> float:
        return float((BiLSTM(layers, said, lengths, *noise).token * slope).sum())

    by_said, by_layers = BiLSTM(layers, said, lengths, *noise).back(slope)
    names = [field.name for field in fields(Layers)]
    for name, array, found in [("said", said, by_said), *zip(names, layers.parts(), by_layers.parts(), strict=True)]:
        for place in random.choice(array.size, min(array.size, 30), replace=False):
            here = np.unravel_index(place, array.shape)
            assert found[here] == pytest.approx(difference(value, array, here), abs=1e-7), (name, here)


def test_slopes_of_the_loss_under_noise_are_those_of_small_differences():
    trainer = trainer_of(references(6), replace(FEATURES, optimiser="lbfgs"))  # so that it is encoded in double
    rows, layers = (kind(*(np.asarray(x, np.float64) for x in part.parts())) for kind, part in wholes(trainer))
    net, how, part = Net(rows, layers), TrainingConfig(noise=0.5), trainer.encoded

    def slopes():
        return slopes_of(net, part, trainer.lattice, how, np.random.default_rng(11))

    def mean_loss() -> float:
        return slopes().loss / len(part.lengths)

    found, random = slopes(), np.random.default_rng(12)
    wanted = [
        ("attribute", rows.attribute, found.on.attributes, found.rows.attribute),
        ("context", rows.context, found.on.contexts, found.rows.context),
        ("arc", rows.arc, np.arange(len(rows.arc)), found.rows.arc),
        ("outward", layers.outward, np.arange(len(layers.outward)), found.layers.outward),
    ]
    for name, array, places, by_place in wanted:
        for place in random.choice(len(places), min(len(places), 25), replace=False):
            inner = tuple(random.integers(size) for size in array.shape[1:])
            here = (places[place], *inner)
            wanted_here = pytest.approx(difference(mean_loss, array, here), rel=1e-6, abs=1e-7)
            assert by_place[(place, *inner)] == wanted_here, (name, here)


def test_noise_leaves_what_is_said_of_a_token_as_it_is_on_average():
    trainer = trainer_of(references(3), FEATURES)
    rows, random = blank_of(trainer).rows, np.random.default_rng(13)
    drawn = [activate(trainer.encoded, rows, 0.5, random) for _ in range(4000)]
    said = np.mean([scores(on.part, on.rescaled()) for on in drawn], axis=0)
    np.testing.assert_allclose(said, scores(trainer.encoded, rows), atol=0.03)


def test_strings_of_a_batch_do_not_see_each_other():
    random = np.random.default_rng(5)
    layers, said = in_double(random), random.standard_normal((9, 12))
    together = BiLSTM(layers, said, np.array([5, 1, 3])).token
    alone = [BiLSTM(layers, part, np.array([len(part)])).token for part in np.split(said, [5, 6])]
    np.testing.assert_allclose(together, np.concatenate(alone), atol=1e-12)


def test_both_directions_are_read():
    random = np.random.default_rng(6)
    layers, said = in_double(random), random.standard_normal((5, 12))
    before = BiLSTM(layers, said, np.array([5])).token
    for changed, seen in ((0, 4), (4, 0)):
        other = said.copy()
        other[changed, 0] += 1
        assert not np.allclose(BiLSTM(layers, other, np.array([5])).token[seen], before[seen])


def test_a_network_learns_its_strings_and_the_same_seed_gives_the_same():
    trainer = trainer_of(references(12), FEATURES)
    losses: list[float] = []
    net, again = (
        learnt(blank_of(trainer), trainer.encoded, trainer.lattice, QUICK, lambda _, loss: losses.append(loss))
        for _ in range(2)
    )
    assert losses[11] < 0.1 * losses[0]
    assert all(np.array_equal(one, other) for one, other in zip(net.parts(), again.parts(), strict=True))


def test_what_is_learnt_leaves_the_network_it_began_with_alone():
    trainer = trainer_of(references(4), FEATURES)
    blank, same = blank_of(trainer), blank_of(trainer)
    learnt(blank, trainer.encoded, trainer.lattice, replace(QUICK, epochs=1), lambda *_: None)
    assert all(np.array_equal(one, other) for one, other in zip(blank.parts(), same.parts(), strict=True))


def test_the_loss_does_not_mind_labels_that_are_left_open():
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
    learnt(blank_of(trainer), trainer.encoded, trainer.lattice, QUICK, lambda _, loss: losses.append(loss))
    assert np.isfinite(losses).all() and losses[-1] < losses[0]


def read(reader: RecurrentReader, examples: list[Example]) -> tuple[tuple[Span, ...], ...]:
    """The spans that a reader finds without constraints."""
    return best_spans(truth_of(reader, examples))


def reader_of(trainer: Trainer, *nets: Net) -> RecurrentReader:
    return RecurrentReader(tuple(trainer.labels), trainer.automaton, trainer.encoder, nets)


def test_a_reader_reads_what_its_network_scores():
    examples = references(20)
    train, test = examples[:16], examples[16:]
    trainer = trainer_of(train, FEATURES)
    net = learnt(blank_of(trainer), trainer.encoded, trainer.lattice, QUICK, lambda *_: None)
    reader = reader_of(trainer, net)
    known = reader.potentials(references_of(train))
    np.testing.assert_allclose(known.span[:, 0], scores_of_tokens(net, trainer.encoded), rtol=1e-5, atol=1e-5)
    assert np.array_equal(known.arc, net.rows.arc)
    assert score_spans(gold_spans(test), read(reader, test)).micro.f1 > 0.8


def test_several_networks_read_by_the_mean_of_their_scores():
    examples = references(6)
    trainer = trainer_of(examples, FEATURES)
    nets = [
        learnt(blank_of(trainer, seed), trainer.encoded, trainer.lattice, replace(QUICK, epochs=1), lambda *_: None)
        for seed in (1, 2)
    ]
    one, other, both = (
        reader_of(trainer, *chosen).potentials(references_of(examples)) for chosen in (nets[:1], nets[1:], nets)
    )
    assert not np.allclose(one.span, other.span) and not np.allclose(one.arc, other.arc)
    np.testing.assert_allclose(both.span, (one.span + other.span) / 2, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(both.arc, (one.arc + other.arc) / 2, rtol=1e-5, atol=1e-5)
    assert both.span.dtype == both.arc.dtype == np.float32


def test_nothing_to_read_gives_nothing_and_nothing_to_read_with_is_refused():
    trainer = trainer_of(references(4), FEATURES)
    assert reader_of(trainer, blank_of(trainer)).potentials([]).span.shape == (0, 1, len(trainer.labels))
    with pytest.raises(ConfigError, match="no network"):
        reader_of(trainer)


def test_readers_of_some_places_know_what_other_strings_taught_but_very_long_ones():
    examples = references(24)
    text = "Reed, A."
    few = [Example(text, (Annotation("author", 0, len(text)),), "made up")] * 2
    endless = Example("a " * 200, (Annotation("title", 0, 399),), "made up")
    told: list[str] = []
    gentle = replace(QUICK, epochs=1, rate=1e-4)
    make = recurrent(few, FEATURES, SMALL, [*examples[:16], endless], QUICK, gentle, (1, 2), told.append)
    reader, test = make(np.array([0])), examples[16:]
    assert score_spans(gold_spans(test), read(reader, test)).micro.f1 > 0.8
    for seed in (1, 2):
        assert sum(f"network {seed}, other strings" in line for line in told) == QUICK.epochs


def test_readers_of_other_places_differ_and_do_not_disturb_each_other():
    examples = references(16)
    make = recurrent(examples[:8], FEATURES, SMALL, examples[8:], replace(QUICK, epochs=1), QUICK, (1, 2), print)
    one, other, again = (make(np.array(places)) for places in ([0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 3]))
    for net in (0, 1):  # one for each seed
        parts = zip(*(reader.nets[net].parts() for reader in (one, other, again)), strict=True)
        same = [(np.array_equal(a, c), np.array_equal(a, b)) for a, b, c in parts if a.size]
        assert all(first for first, _ in same) and not any(second for _, second in same)
    assert not np.array_equal(one.nets[0].layers.inward, one.nets[1].layers.inward)


def test_constraints_are_learnt_on_the_scores_of_networks_as_on_those_of_a_parser():
    examples = references(12)
    trainer = trainer_of(examples, FEATURES)
    truth = truth_of(reader_of(trainer, blank_of(trainer)), examples)  # which has learnt nothing, so it breaks many
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
    ("wrong", "said"),
    [
        (lambda: TrainingConfig(epochs=0), "epochs"),
        (lambda: TrainingConfig(batch=0), "batch"),
        (lambda: TrainingConfig(rate=float("nan")), "rate"),
        (lambda: TrainingConfig(noise=1.0), "shares"),
        (lambda: TrainingConfig(forgotten=-0.1), "shares"),
        (lambda: Size(width=0), "width"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, said):
    with pytest.raises(ConfigError, match=said):
        wrong()
