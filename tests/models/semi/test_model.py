"""A semi-CRF parses, is saved, is limited and is asked for alternatives as the chain is."""

from __future__ import annotations

from dataclasses import replace

import brute
import numpy as np
import pytest
from model_cases import references, trained

from ibidem.errors import ConfigError, ModelError
from ibidem.inference import best
from ibidem.labels.tasks import REFERENCES
from ibidem.models.parser import Parser
from ibidem.models.semi.decoding import SegmentDecoder
from ibidem.models.semi.model import SemiModel
from ibidem.models.storage import load, save
from ibidem.models.training import CRFConfig
from ibidem.text.tokens import tokenise_batch
from ibidem.types import Potentials


@pytest.fixture(scope="module", params=[(1, 0), (2, 0), (3, 0), (2, 3)])
def semi(request: pytest.FixtureRequest) -> SemiModel:
    """A semi-CRF of nested references, without and with features of tokens on patterns."""
    order, often = request.param
    model = trained(references(), CRFConfig(model="semi", order=order, pattern_features=often, iterations=30))
    assert isinstance(model, SemiModel)
    return model


@pytest.fixture(scope="module")
def patterned() -> SemiModel:
    """A semi-CRF with features of tokens on patterns."""
    model = trained(references(), CRFConfig(model="semi", order=2, pattern_features=3, iterations=5))
    assert isinstance(model, SemiModel)
    return model


def test_it_finds_the_fields_it_was_trained_on(semi, examples):
    parser = Parser(semi)
    for example, parsed in zip(examples, parser.parse_many(e.text for e in examples), strict=True):
        found = {(field.label, field.start, field.end) for field in parsed.fields}
        assert found == {(annotation.label, annotation.start, annotation.end) for annotation in example.annotations}
        assert all(0 <= field.confidence <= 1 for field in parsed.fields)


def test_a_saved_model_gives_the_same_answers(semi, examples, tmp_path):
    path = tmp_path / "semi.ibidem"
    save(semi, path)
    texts = [example.text for example in examples]
    again = load(path)
    assert isinstance(again, SemiModel)
    assert list(Parser(again).parse_many(texts, 2)) == list(Parser(semi).parse_many(texts, 2))


def test_a_damaged_model_is_refused(semi, tmp_path):
    path = tmp_path / "semi.ibidem"
    save(replace(semi, limits=semi.limits * 0), path)
    with pytest.raises(ModelError, match="limits"):
        load(path)
    save(replace(semi, roles=7), path)
    with pytest.raises(ModelError, match="roles"):
        load(path)


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("number", [-2, -1, 10**6, np.iinfo(np.int32).max])
def test_a_pattern_in_a_file_ends_with_a_shorter_one(patterned, place, number):
    description, arrays = patterned.dump()
    suffix = arrays["suffix"].copy()
    suffix[place] = number
    with pytest.raises(ValueError, match="out of order"):
        SemiModel.load(description, {**arrays, "suffix": suffix})
    with pytest.raises(ValueError, match="suffix"):
        SemiModel.load(description, {**arrays, "suffix": suffix.astype(np.float32)})


def test_a_file_with_more_patterns_than_columns_of_weights_is_refused(patterned):
    description, arrays = patterned.dump()
    with pytest.raises(ValueError, match="make no model"):
        SemiModel.load(description, {**arrays, "suffix": np.zeros(1 << 17, dtype=np.int32)})


def test_a_state_that_shows_a_pattern_not_in_the_file_is_refused(patterned, tmp_path):
    path, suffix = tmp_path / "semi.ibidem", patterned.columns.suffix[:-1]
    save(replace(patterned, columns=replace(patterned.columns, suffix=suffix)), path)
    with pytest.raises(ModelError, match="do not fit together"):
        load(path)


def test_a_model_without_pattern_features_has_the_format_that_older_versions_read(semi):
    description, arrays = semi.dump()
    assert ("suffix" in arrays) == (len(set(semi.labels)) < len(semi.labels)) == (description.get("format") == 3)


def test_strings_of_any_length_are_parsed_and_nothing_is_lost(semi):
    parser = Parser(semi)
    for text in ("Reed", "The drift of " * 500, ". " * 3000, "1 " * 4000, "x" * (REFERENCES.longest + 1)):
        parsed = parser.parse(text)
        assert (parsed.error is None) == (len(text) <= REFERENCES.longest)
        assert all(text[field.start : field.end] == field.text for field in parsed.fields)


def test_alternatives_come_best_first_and_differ(semi, examples):
    parsed = Parser(semi).parse(examples[3].text, 4)
    chances = [parsed.confidence, *(other.confidence for other in parsed.alternatives)]
    assert chances == sorted(chances, reverse=True)
    readings = [tuple((f.label, f.start, f.end) for f in one.fields) for one in (parsed, *parsed.alternatives)]
    assert len(set(readings)) == len(readings)


def test_constraints_hold_for_it(semi, examples):
    plain = Parser(semi).parse(examples[0].text)
    assert any(field.label == "title" for field in plain.fields)
    limited = Parser(replace(semi, constraints={"count(title) <= 0": 1e4})).parse(examples[0].text)
    assert not any(field.label == "title" for field in limited.fields)


def flat_case(seed: int, lengths: list[int], pattern_features: int) -> tuple[SegmentDecoder, Potentials, SemiModel]:
    config = CRFConfig(model="semi", order=2, pattern_features=pattern_features, iterations=3)
    model = trained(references(8), config)
    rng = np.random.default_rng(seed)
    longest = 3
    span = rng.normal(size=(sum(lengths), longest, len(model.labels)))
    span[:, np.arange(longest)[:, None] >= np.minimum(model.limits, longest)] = -np.inf
    decoder = SegmentDecoder(model.automaton, model.labels, model.limits)
    return decoder, Potentials(span, rng.normal(size=len(model.arc)), np.array(lengths, dtype=np.int32)), model


@pytest.mark.parametrize(("seed", "pattern_features"), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 4)])
def test_the_confidence_of_a_field_is_the_share_of_the_paths_that_have_it(seed, pattern_features):
    decoder, potentials, model = flat_case(seed, [3, 1, 2], pattern_features)
    decoded = decoder.decode(potentials)
    begin = 0
    for string, length in enumerate(potentials.lengths.tolist()):
        paths = brute.paths(model.automaton, potentials.span[begin : begin + length], potentials.arc)
        total = brute.log_total([path.score for path in paths])
        assert decoded.log_partition[string] == pytest.approx(total, abs=1e-9)
        for row, mass in zip(decoded.segments, decoded.mass, strict=True):
            if row[0] != string:
                continue
            wanted = (decoder.paths[row[3]], int(row[1]), int(row[2]))
            hits = [path.score for path in paths if wanted in fields(path, model)]
            assert mass == pytest.approx(brute.log_total(hits) - total, abs=1e-6)
        begin += length


def fields(path: brute.Path, model: SemiModel) -> set[tuple[str, int, int]]:
    from ibidem.labels.bio import spans_of
    from ibidem.models.semi.labels import continuation

    labels = []
    for start, end, s in path.spans:
        name = model.labels[model.automaton.label[s]]
        labels += [name] + [continuation(name)] * (end - start - 1)
    return {(span.label, span.start, span.end) for span in spans_of(labels)}


@pytest.mark.parametrize("pattern_features", [0, 1])
def test_a_field_longer_than_its_limit_is_one_field(pattern_features, examples):
    config = CRFConfig(model="semi", iterations=30, pattern_features=pattern_features)
    flat = trained([flattened(e) for e in examples], config)
    parser = Parser(flat)
    title = flat.labels.index("B-title")
    text = "Reed, A. (1981). " + "The drift of the reeds and bells of the mires and ferries " * 2 + ". River Review, 2."
    potentials = parser._scorer.score(tokenise_batch([text]))
    span = potentials.span.copy()
    span[:, :, [y for y, label in enumerate(flat.labels) if label != "B-title"]] = -np.inf
    decoded = parser._scorer.decode(Potentials(span, potentials.arc, potentials.lengths), 1, True)
    assert potentials.lengths[0] > 2 * flat.limits[title]
    assert np.isfinite(decoded.mass).all() and decoded.mass.max() <= 1e-9
    assert decoded.segments.tolist() == [[0, 0, int(potentials.lengths[0]), parser._scorer.paths.index("title")]]
    path = best(flat.automaton, Potentials(span, potentials.arc, potentials.lengths))
    assert brute.path_counts(flat.automaton, Potentials(span, potentials.arc, potentials.lengths), path).span.sum() > 1


def flattened(example):
    return replace(
        example, annotations=tuple(annotation for annotation in example.annotations if "/" not in annotation.label)
    )


@pytest.mark.parametrize("settings", [{"order": 0}, {"stretch": 0.5}, {"longest": -1}, {"pattern_features": -1}])
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(ConfigError, match="give"):
        CRFConfig(**settings)
    with pytest.raises(ConfigError, match="no scorer is called 'tree'"):
        CRFConfig(model="tree")
    with pytest.raises(ConfigError, match="label_history"):
        CRFConfig(model="semi", label_history=("title",))
