"""A semi-CRF is the chain CRF where segments are tokens; otherwise it is what enumeration gives."""

from __future__ import annotations

from itertools import pairwise
from itertools import product as cartesian

import brute
import numpy as np
import pytest
from model_cases import lexicons, random_weights, small_corpus

from ibidem import inference
from ibidem.models.likelihood import loss, scores
from ibidem.models.semi.lattice import SemiLattice
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Potentials

SHAPES = pytest.mark.parametrize(
    ("order", "edges", "whole"),
    [(1, False, False), (1, True, True), (2, True, False), (2, True, True), (3, False, True)],
)
OPENNESS = pytest.mark.parametrize("partially_annotated", [False, True])


def semi(partially_annotated: bool = False, **settings: object) -> Trainer:
    """A semi-CRF over the small corpus, every feature kept."""
    config = CRFConfig(model="semi", window=3, min_count=1, context_min_count=2, remember=False, **settings)  # type: ignore[arg-type]
    data = training_set(
        [(example, False) for example in small_corpus(partially_annotated)], labels_seen(small_corpus(False))
    )
    return Trainer.prepare(data, lexicons(), config)


def chain(partially_annotated: bool) -> Trainer:
    config = CRFConfig(window=3, min_count=1, context_min_count=2, remember=False)
    data = training_set(
        [(example, False) for example in small_corpus(partially_annotated)], labels_seen(small_corpus(False))
    )
    return Trainer.prepare(data, lexicons(), config)


def spans_of(trainer: Trainer, weights) -> np.ndarray:
    """The scores of all spans of the corpus."""
    lattice, encoded = trainer.lattice, trainer.encoded
    assert isinstance(lattice, SemiLattice)
    longest = lattice.spans.longest(encoded.lengths)
    ids = lattice.spans.ids(encoded.batch(), encoded.lengths, longest)
    return lattice.spans.score(scores(encoded, weights), encoded.lengths, weights.segment, ids, longest)


@OPENNESS
def test_with_segments_of_one_token_and_order_one_it_is_the_chain(partially_annotated):
    one, other = semi(partially_annotated, longest=1, edges=False, whole=False), chain(partially_annotated)
    assert one.lattice.vocabulary.labels == other.labels
    names = {
        (r, s): a
        for a, (r, s) in enumerate(zip(other.automaton.src.tolist(), other.automaton.dst.tolist(), strict=True))
    }
    label = one.automaton.label.tolist()
    arcs = [
        names[label[r] if r >= 0 else -1, label[s]] for r, s in zip(one.automaton.src, one.automaton.dst, strict=True)
    ]
    assert sorted(arcs) == list(range(len(names)))
    of_pattern = np.empty(one.lattice.arcs, dtype=int)
    of_pattern[one.lattice.pattern_of] = np.array(arcs)[one.lattice.arc_of]
    theirs = random_weights(other, seed=4)
    ours = one.zero_weights().filled(
        np.concatenate([theirs.attribute.ravel(), theirs.context.ravel(), theirs.arc[of_pattern]])
    )
    value, slope = loss(one.encoded, one.lattice, ours, 1)
    want, wanted = loss(other.encoded, other.lattice, theirs, 1)
    assert value == pytest.approx(want, abs=1e-9)
    np.testing.assert_allclose(slope.attribute, wanted.attribute, atol=1e-9)
    np.testing.assert_allclose(slope.context, wanted.context, atol=1e-9)
    np.testing.assert_allclose(slope.arc, wanted.arc[of_pattern], atol=1e-9)
    span = scores(one.encoded, ours)[:, None]
    here = inference.best(one.automaton, Potentials(span, one.lattice.arc_scores(ours.arc), one.encoded.lengths))
    there = inference.best(other.automaton, Potentials(span, theirs.arc, other.encoded.lengths))
    np.testing.assert_array_equal(np.array(label)[here.state], other.automaton.label[there.state])
    np.testing.assert_allclose(here.score, there.score, atol=1e-9)


def segmentations(length: int, limits: list[int]):
    """Every way to cut so many tokens into labelled segments within the limits."""
    if length == 0:
        yield ()
    for y, limit in enumerate(limits):
        for d in range(1, min(limit, length) + 1):
            for rest in segmentations(length - d, limits):
                yield ((d, y), *rest)


@SHAPES
def test_the_log_partition_is_that_of_all_segmentations_scored_by_hand(order, edges, whole):
    """Patterns are counted in the label sequence itself, without the automaton."""
    trainer = semi(order=order, edges=edges, whole=whole)
    lattice = trainer.lattice
    weights = random_weights(trainer, seed=3)
    span = spans_of(trainer, weights)
    follows, limits = lattice.vocabulary.follows, lattice.vocabulary.limits.tolist()
    log_z, _ = lattice.expected(trainer.encoded, scores(trainer.encoded, weights), weights, 1)
    begin = 0
    for string, length in enumerate(trainer.encoded.lengths.tolist()):
        totals = []
        for segments in segmentations(length, limits):
            labels = (-1, *(y for _, y in segments))
            if not all(follows[x, y] for x, y in pairwise(labels)):
                continue
            places = begin + np.cumsum([0, *(d for d, _ in segments)])
            score = sum(span[t, d - 1, y] for t, (d, y) in zip(places, segments, strict=False))
            score += sum(
                w * brute.pattern_count(labels, pattern)
                for w, pattern in zip(weights.arc, lattice.patterns, strict=True)
            )
            totals.append(score)
        assert log_z[string] == pytest.approx(brute.log_total(totals), abs=1e-9)
        begin += length


@OPENNESS
@SHAPES
def test_the_loss_is_that_of_all_paths(order, edges, whole, partially_annotated):
    trainer = semi(partially_annotated, order=order, edges=edges, whole=whole)
    lattice, weights = trainer.lattice, random_weights(trainer, seed=5)
    span, arc = spans_of(trainer, weights), lattice.arc_scores(weights.arc)
    mask, label = trainer.encoded.mask(), lattice.automaton.label
    expected, begin = 0.0, 0
    for length in trainer.encoded.lengths.tolist():
        paths = brute.paths(lattice.automaton, span[begin : begin + length], arc)
        good = [path for path in paths if allowed(path, lattice, mask[begin : begin + length], label)]
        expected += brute.log_total([p.score for p in paths]) - brute.log_total([p.score for p in good])
        begin += length
    assert loss(trainer.encoded, lattice, weights, 1)[0] == pytest.approx(expected, abs=1e-8)


def allowed(path: brute.Path, lattice: SemiLattice, mask: np.ndarray, label: np.ndarray) -> bool:
    """Whether the annotation allows a path, and it reads no run of one segment as several."""
    before = -1
    for begin, end, s in path.spans:
        y = label[s]
        first, inside = lattice.vocabulary.first[y], lattice.vocabulary.inside[y]
        if not mask[begin, first] or not all(mask[t, inside] for t in range(begin + 1, end)):
            return False
        if y == before and first == inside:
            return False
        before = y
    return True


@OPENNESS
@SHAPES
def test_the_gradient_is_the_slope_of_the_loss(order, edges, whole, partially_annotated):
    trainer = semi(partially_annotated, order=order, edges=edges, whole=whole)
    start = random_weights(trainer, seed=6)
    theta, slope = start.flat(), loss(trainer.encoded, trainer.lattice, start, 1)[1].flat()
    rng = np.random.default_rng(0)
    axes = rng.choice(np.flatnonzero(slope), size=20, replace=False)
    for direction in [*rng.normal(size=(6, len(theta))), *(np.eye(1, len(theta), int(axis))[0] for axis in axes)]:
        values = [
            loss(trainer.encoded, trainer.lattice, start.filled(theta + sign * 1e-5 * direction), 1)[0]
            for sign in (1, -1)
        ]
        assert (values[0] - values[1]) / 2e-5 == pytest.approx(float(slope @ direction), rel=1e-5, abs=1e-6)


def test_a_labelling_of_tokens_is_one_sequence_of_segments():
    """Every valid labelling is walked by exactly one path, and the loss of what it says is finite."""
    trainer = semi(order=2)
    lattice = trainer.lattice
    for labels in cartesian(range(len(trainer.labels)), repeat=3):
        names = tuple(trainer.labels[y] for y in labels)
        token = np.array(labels, dtype=np.int32)
        found, named = lattice.cut(token, np.array([3], dtype=np.int32))
        if not brute.nested_bio_is_valid(names):
            continue
        assert found.length.sum() == 3
        assert (lattice._path(found, named) >= 0).all()
        again = [
            trainer.labels[lattice.vocabulary.first[y] if t == s else lattice.vocabulary.inside[y]]
            for s, d, y in zip(found.start, found.length, named, strict=True)
            for t in range(s, s + d)
        ]
        too_long = found.length >= lattice.vocabulary.limits[named]
        assert tuple(again) == names or too_long.any()
