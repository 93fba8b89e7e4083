"""What the kernel that makes no table of all spans finds is what the loops over all of them find."""

from __future__ import annotations

import brute
import numpy as np
import pytest
from feature_cases import batch as batch_of_texts
from feature_cases import lexicons, strings
from hypothesis import given, settings
from hypothesis import strategies as st
from model_cases import references, trained

from ibidem import inference
from ibidem.errors import IbidemError
from ibidem.features import segments as segment_features
from ibidem.features.batch import SegmentBatch
from ibidem.features.registry import Feature
from ibidem.inference import SpanPotentials, SpanWeights, decode_spans, split_potentials
from ibidem.kernels import SWITCH, _compiled
from ibidem.models.parser import Parser
from ibidem.models.semi.decoding import SegmentDecoder
from ibidem.models.semi.model import SemiModel
from ibidem.models.semi.segment_rows import rows_of_segments, segment_rows
from ibidem.models.training import CRFConfig
from ibidem.text.tokens import tokenise_batch
from ibidem.types import Automaton, Potentials

pytestmark = pytest.mark.skipif(_compiled is None, reason="the C++ kernels are not built")
_MODELS: dict[int, SemiModel] = {}


def model(order: int) -> SemiModel:
    if order not in _MODELS:
        found = trained(references(8), CRFConfig(model="semi", order=order, iterations=3))
        assert isinstance(found, SemiModel)
        _MODELS[order] = found
    return _MODELS[order]


def draw(
    seed: int, order: int, lengths: list[int], scale: float, longest: int, dtype: type = np.float32
) -> tuple[SegmentDecoder, SpanPotentials]:
    """A decoder with the automaton of a model of nested fields, and random scores of random strings."""
    automaton, labels = model(order).automaton, model(order).labels
    rng = np.random.default_rng(seed)
    limits = rng.integers(1, longest + 3, len(labels)).astype(np.int32)
    sizes = np.array(lengths, dtype=np.int32)
    token = rng.normal(scale=scale, size=(sum(lengths), 3, len(labels))).astype(dtype)
    table = rng.normal(scale=scale, size=(7, len(labels))).astype(dtype)
    ids = rng.integers(-1, 7, (len(inference.spans_of(sizes, longest)[0]), 2)).astype(np.int32)
    arc = rng.normal(scale=scale, size=len(automaton.src)).astype(dtype)
    return SegmentDecoder(automaton, labels, limits), SpanPotentials(
        token, SpanWeights(limits, table), ids, longest, arc, sizes
    )


def assert_same(decoder: SegmentDecoder, potentials: SpanPotentials, with_marginals: bool = True) -> None:
    found = decoder.decode(potentials, 2, with_marginals)
    whole = Potentials(potentials.span, potentials.arc, potentials.lengths)
    wanted = decoder.decode_exactly(whole, 1, with_marginals)
    np.testing.assert_array_equal(found.segments, wanted.segments)
    np.testing.assert_array_equal(found.score, wanted.score)
    np.testing.assert_allclose(found.log_partition, wanted.log_partition, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(np.exp(found.mass), np.exp(wanted.mass), atol=2e-9)


cases = st.tuples(
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 2, 3]),
    st.lists(st.integers(0, 12), max_size=4),
    st.sampled_from([0.1, 1.0, 5.0, 40.0]),
    st.integers(1, 9),
    st.sampled_from([np.float32, np.float64]),
)


@settings(max_examples=60, deadline=None)
@given(cases, st.booleans())
def test_the_fields_and_their_probabilities_are_those_of_the_loops_over_all_spans(case, with_marginals):
    assert_same(*draw(*case), with_marginals)


@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_the_reference_implementation(seed, monkeypatch):
    decoder, potentials = draw(seed, 2, [9, 4, 0, 7], 1.0, 5, np.float64)
    found = decoder.decode(potentials)
    monkeypatch.setenv(SWITCH, "numpy")
    wanted = decoder.decode(potentials)
    np.testing.assert_array_equal(found.segments, wanted.segments)
    np.testing.assert_allclose(found.score, wanted.score)
    np.testing.assert_allclose(found.log_partition, wanted.log_partition)
    np.testing.assert_allclose(np.exp(found.mass), np.exp(wanted.mass), atol=2e-9)


@pytest.mark.parametrize("seed", range(3))
def test_they_are_those_of_all_paths(seed):
    decoder, potentials = draw(seed, 1, [4, 1, 3], 1.0, 3, np.float64)
    decoded = decoder.decode(potentials)
    span, begin = potentials.span, 0
    for string, length in enumerate(potentials.lengths.tolist()):
        paths = brute.paths(decoder.automaton, span[begin : begin + length], potentials.arc)
        total = brute.log_total([path.score for path in paths])
        assert decoded.log_partition[string] == pytest.approx(total, abs=1e-9)
        assert decoded.score[string] == pytest.approx(max(path.score for path in paths), abs=1e-9)
        begin += length


def sure(decoder: SegmentDecoder, potentials: SpanPotentials) -> np.ndarray:
    found = decode_spans(decoder.automaton, potentials, decoder._masks, decoder._joins)
    assert found is not None
    return found[-1]


def test_it_is_sure_of_most_strings_and_of_none_where_paths_are_equal():
    decoder, potentials = draw(1, 2, [12, 12, 12, 12], 1.0, 8)
    assert sure(decoder, potentials).all()
    equal = SpanPotentials(
        potentials.token * 0,
        SpanWeights(potentials.weights.limits, potentials.weights.table * 0),
        potentials.ids,
        potentials.longest,
        potentials.arc * 0,
        potentials.lengths,
    )
    assert not sure(decoder, equal).any()
    assert_same(decoder, equal)


def far_behind(final: list[bool]) -> tuple[SegmentDecoder, SpanPotentials]:
    """Three labels that only follow themselves: two fall behind the third, as far as products can just not show.

    At the last token the one that is farthest behind comes to lead the other.
    """
    labels, tokens = ("B-title", "B-journal", "B-note"), 24
    chain = np.arange(3, dtype=np.int32)
    automaton = Automaton(np.arange(3), np.r_[np.full(3, -1), chain], np.r_[chain, chain], np.array(final))
    token = np.zeros((tokens, 1, 3))
    token[:, 0] = 0.0, -1.0, 30.0
    token[-1, 0] = 0.0, 40.0, 30.0
    weights = SpanWeights(np.ones(3, dtype=np.int32), np.zeros((0, 3)))
    parts = np.zeros((0, 0), dtype=np.int32), 1, np.zeros(6), np.array([tokens], dtype=np.int32)
    return SegmentDecoder(automaton, labels, np.ones(3, dtype=np.int32)), SpanPotentials(token, weights, *parts)


def test_it_is_not_sure_where_sums_that_vanish_beside_others_matter():
    decoder, potentials = far_behind([True, True, False])
    assert not sure(decoder, potentials).any()
    assert_same(decoder, potentials)
    decoder, potentials = far_behind([True, True, True])
    assert sure(decoder, potentials).all()
    assert_same(decoder, potentials)


def test_a_row_that_is_not_there_is_refused():
    decoder, potentials = draw(3, 1, [5], 1.0, 3)
    for wrong in (7, -2):
        ids = potentials.ids.copy()
        ids[4, 1] = wrong
        parts = potentials.token, potentials.weights, ids, potentials.longest, potentials.arc, potentials.lengths
        with pytest.raises(IbidemError, match="ids must be from -1"):
            decoder.decode(SpanPotentials(*parts))


def test_potentials_are_split_without_loss(monkeypatch):
    _, potentials = draw(4, 2, [5, 0, 9, 3, 8], 1.0, 4)
    monkeypatch.setattr(inference.spans, "_ROOM", 600)
    parts = list(split_potentials(potentials))
    assert len(parts) > 1
    assert np.concatenate([strings for strings, _ in parts]).tolist() == [0, 1, 2, 3, 4]
    assert np.concatenate([part.lengths for _, part in parts]).tolist() == [5, 0, 9, 3, 8]
    for begin, (_, part) in zip(np.cumsum([0, *(len(part.token) for _, part in parts)]), parts, strict=False):
        longest = part.span.shape[1]
        np.testing.assert_array_equal(part.span, potentials.span[begin : begin + len(part.span), :longest])


@settings(max_examples=40, deadline=None)
@given(st.lists(strings, min_size=1, max_size=3), st.integers(1, 30))
def test_the_rows_of_segments_are_those_of_the_definitions(texts, longest):
    known = lexicons()
    batch = batch_of_texts(texts, known)
    wanted = rows_of_segments(SegmentBatch(batch, *inference.spans_of(batch.lengths, longest)), known)
    np.testing.assert_array_equal(segment_rows(batch, batch.lengths, longest, known, []), wanted)


def test_a_feature_that_the_kernel_does_not_have_is_computed_by_its_definition(monkeypatch):
    toy = Feature("toy", 3, lambda s: (s.end - s.begin).astype(np.int32) % 3)
    listed = segment_features.SEGMENT
    monkeypatch.setattr(segment_features, "SEGMENT", [*listed[:3], toy, *listed[3:]])
    monkeypatch.setattr("ibidem.models.semi.segment_rows.SEGMENT", [*listed[:3], toy, *listed[3:]])
    known = lexicons()
    batch = batch_of_texts(["Reed, A. (1999). On bells. Bog Review 4.", "Marsh B."], known)
    wanted = rows_of_segments(SegmentBatch(batch, *inference.spans_of(batch.lengths, 6)), known)
    np.testing.assert_array_equal(segment_rows(batch, batch.lengths, 6, known, []), wanted)


@pytest.mark.parametrize("order", [1, 2])
def test_strings_like_real_ones_are_labelled_as_by_the_loops_over_all_spans(order):
    parser = Parser(trained(references(), CRFConfig(model="semi", order=order, iterations=20)))
    texts = [example.text for example in references(12)] + ["Reed " * 90, "A. B. (1999). " * 20, "Bog Review, 4, 1-9."]
    scorer = parser._scorer
    assert isinstance(scorer, SegmentDecoder)
    potentials = scorer.score(tokenise_batch(texts))  # type: ignore[attr-defined]
    assert sure(scorer, potentials).mean() > 0.8
    assert_same(scorer, potentials)
