"""A semi-CRF is the chain CRF where segments are tokens; otherwise it is what enumeration gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from itertools import product as cartesian

import brute
import numpy as np
import pytest
from model_cases import lexicons, random_weights, small_corpus

from ibidem import inference
from ibidem.models.likelihood import Weights, loss, scores
from ibidem.models.semi.lattice import SemiLattice
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.types import Potentials

SHAPES = pytest.mark.parametrize(
    ("order", "edges", "whole", "pattern_features"),
    [
        (1, False, False, 0),
        (1, True, True, 0),
        (2, True, False, 0),
        (2, True, True, 0),
        (3, False, True, 0),
        (1, True, True, 1),
        (2, False, False, 1),
        (2, True, True, 2),
        (3, True, True, 1),
    ],
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


def segment_by_hand(trainer: Trainer, weights: Weights) -> Callable[[int, int, tuple[int, ...]], float]:
    """The score of a segment after some labels: every feature computed anew, of every pattern that they end with."""
    lattice, encoded = trainer.lattice, trainer.encoded
    token = scores(encoded, weights).reshape(len(encoded.token), lattice.spans.roles, -1)

    def score(begin: int, end: int, labels: tuple[int, ...]) -> float:
        here = [c for c, pattern in enumerate(lattice.observed) if labels[-len(pattern) :] == pattern]
        total = token[begin:end, 0][:, here].sum()
        if lattice.spans.roles > 1:
            total += token[begin, 1, here].sum() + token[end - 1, 2, here].sum()
        if lattice.spans.lexicons is not None:
            [rows] = lattice.spans.rows_of(encoded.batch(), np.array([begin]), np.array([end]))
            total += weights.segment[rows][:, here].sum()
        return float(total)

    return lru_cache(None)(score)


@SHAPES
def test_the_log_partition_is_that_of_all_segmentations_scored_by_hand(order, edges, whole, pattern_features):
    """Patterns are looked for in the label sequence itself, without the automaton."""
    trainer = semi(order=order, edges=edges, whole=whole, pattern_features=pattern_features)
    lattice = trainer.lattice
    weights = random_weights(trainer, seed=3)
    by_hand = segment_by_hand(trainer, weights)
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
            score = sum(
                by_hand(int(begin), int(end), labels[max(0, n + 1 - order) : n + 2])
                for n, (begin, end) in enumerate(pairwise(places))
            )
            score += sum(
                w * brute.pattern_count(labels, pattern)
                for w, pattern in zip(weights.arc, lattice.patterns, strict=True)
            )
            totals.append(score)
        assert log_z[string] == pytest.approx(brute.log_total(totals), abs=1e-9)
        begin += length


@OPENNESS
@SHAPES
def test_the_loss_is_that_of_all_paths(order, edges, whole, pattern_features, partially_annotated):
    trainer = semi(partially_annotated, order=order, edges=edges, whole=whole, pattern_features=pattern_features)
    lattice, weights = trainer.lattice, random_weights(trainer, seed=5)
    span, arc = spans_of(trainer, weights), lattice.arc_scores(weights.arc)
    mask, label = trainer.encoded.mask(), lattice.spans.columns.label[lattice.automaton.label]
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
def test_the_gradient_is_the_slope_of_the_loss(order, edges, whole, pattern_features, partially_annotated):
    trainer = semi(partially_annotated, order=order, edges=edges, whole=whole, pattern_features=pattern_features)
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


def with_pattern_features(order: int, **settings: object) -> tuple[Trainer, Trainer]:
    """The same semi-CRF without and with features of the observation on longer patterns."""
    return semi(order=order, **settings), semi(order=order, pattern_features=1, **settings)


def extend(weights: Weights, trainer: Trainer, labels: int, rng: np.random.Generator | None) -> Weights:
    """Weights with columns for the patterns of a trainer: zero, or drawn where they are trained."""
    free, whole = trainer.objective().free, trainer.zero_weights()
    assert free is not None
    roles = trainer.lattice.spans.roles
    for part, old, moved in zip(whole.parts(), weights.parts(), free, strict=True):
        if part is whole.arc:
            part[:] = old
            continue
        if rng is not None:
            part[:] = np.where(moved, rng.normal(size=part.shape), 0)
        width = 1 if part is whole.segment else roles
        table = part.reshape(*part.shape[:-1], width, -1)
        table[..., :labels] = old.reshape(*old.shape[:-1], width, -1)
    return whole


@OPENNESS
@pytest.mark.parametrize("order", [1, 2, 3])
def test_pattern_features_without_weight_change_nothing(order, partially_annotated):
    plain, longer = with_pattern_features(order, partially_annotated=partially_annotated)
    labels = len(plain.lattice.vocabulary.labels)
    assert plain.lattice.patterns == longer.lattice.patterns
    assert len(longer.lattice.observed) > labels == len(plain.lattice.observed)
    assert 2 <= max(map(len, longer.lattice.observed)) <= order + 1
    weights = random_weights(plain, seed=8)
    same, other = (extend(weights, longer, labels, rng) for rng in (None, np.random.default_rng(9)))
    want = loss(plain.encoded, plain.lattice, weights, 1)[0]
    assert loss(longer.encoded, longer.lattice, same, 1)[0] == pytest.approx(want, abs=1e-9)
    assert loss(longer.encoded, longer.lattice, other, 1)[0] != pytest.approx(want, abs=1e-3)


@pytest.mark.parametrize("optimiser", ["lbfgs", "adagrad"])
def test_only_features_seen_with_a_pattern_have_weights_for_it(optimiser):
    trainer = semi(order=2, pattern_features=1, optimiser=optimiser, iterations=5)
    free, optional = trainer.objective().free, trainer.lattice.optional
    assert free is not None and optional.any() and not optional.all()
    weights = trainer.run(lambda *_: False)
    for part, moved in zip(weights.parts(), free, strict=True):
        assert part[moved].any() and not part[~moved].any()
    assert weights.attribute[..., optional].any() and weights.context[..., optional].any()
    assert free[0][..., ~optional].all() and not free[0][..., optional].all()


@OPENNESS
def test_a_pattern_ends_in_states_that_know_it(partially_annotated):
    """The column of every state on every path is that of the longest pattern that its labels end with."""
    lattice = semi(partially_annotated, order=2, pattern_features=2).lattice
    follows = lattice.vocabulary.follows
    for labels in cartesian(range(len(lattice.vocabulary.labels)), repeat=4):
        if not all(follows[x, y] for x, y in pairwise((-1, *labels))):
            continue
        state = -1
        for n, y in enumerate(labels):
            state = lattice.automaton.dst[lattice.step[state, y]]
            past = (-1, *labels[: n + 1])
            fitting = [pattern for pattern in lattice.observed if past[-len(pattern) :] == pattern]
            assert lattice.observed[lattice.automaton.label[state]] == max(fitting, key=len)
