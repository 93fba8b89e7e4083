"""A model with constraints answers within them where that is worth it, and everything it says still fits together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ibidem.models.chain import ChainModel
from ibidem.models.parser import Parser
from ibidem.models.storage import load, save

TEXTS = [
    "Reed, A. (1980). The drift of bells. Bog Review, 4, 11-15.",
    "",
    "Marsh, B., Quill, C. (1984). The drift of mires. River Review, 8, 14-24. 1985. Sedge, D.",
    "Reed, A. (1980). The drift of reeds. Ferry Review, 5, 12-22.",
]


def limited(tiny: ChainModel, **constraints: float) -> Parser:
    texts = {"one_author": "count(author) <= 1", "no_title": "count(title) <= 0", "volume": "count(volume) >= 1"}
    return Parser(replace(tiny, constraints={texts[name]: penalty for name, penalty in constraints.items()}))


def labels(parsed) -> list[str]:
    return [field.label for field in parsed.fields]


def test_a_penalty_that_outweighs_the_model_keeps_a_field_away(tiny, parser):
    assert "title" in labels(parser.parse(TEXTS[0]))
    assert "title" not in labels(limited(tiny, no_title=1000.0).parse(TEXTS[0]))


def test_a_penalty_that_is_small_changes_nothing_the_model_is_sure_of(tiny, parser):
    wanted, found = parser.parse(TEXTS[0]), limited(tiny, no_title=0.01, one_author=5.0).parse(TEXTS[0])
    assert labels(found) == labels(wanted)
    assert found.confidence == pytest.approx(wanted.confidence, abs=0.01)


def test_without_constraints_the_answer_is_the_models_own(tiny, parser):
    model = limited(tiny, no_title=1000.0).model
    assert list(Parser(model, constraints=False).parse_many(TEXTS)) == list(parser.parse_many(TEXTS))


def test_strings_that_break_nothing_are_answered_as_ever_whatever_stands_beside_them(tiny, parser):
    bound = limited(tiny, volume=1000.0)
    plain, found = list(parser.parse_many(TEXTS)), list(bound.parse_many(TEXTS))
    for one, other in zip(plain, found, strict=True):
        if "volume" in labels(one) or one.error:
            assert one == other
        else:
            assert "volume" in labels(other)
    alone = [bound.parse(text) for text in TEXTS]
    assert [labels(one) for one in alone] == [labels(one) for one in found]


def test_confidence_and_alternatives_are_those_under_the_prices(tiny):
    bound = limited(tiny, no_title=1000.0)
    parsed = bound.parse(TEXTS[0], alternatives=3)
    assert parsed.alternatives and all(other.confidence <= parsed.confidence for other in parsed.alternatives)
    assert all(0 <= field.confidence <= 1 for field in parsed.fields)
    [labelling] = bound.label_many([TEXTS[0]], confidence=False)
    assert [span.label for span in labelling.spans] == labels(parsed)


def test_constraints_are_saved_with_the_model(tiny, tmp_path):
    path = tmp_path / "limited.ibidem"
    model = limited(tiny, one_author=1.5).model
    save(model, path)
    assert load(path).constraints == {"count(author) <= 1": 1.5}
    assert Parser(load(path)).parse(TEXTS[0]).fields == Parser(model).parse(TEXTS[0]).fields


@pytest.mark.parametrize("count", [1, 40])
def test_every_string_of_a_batch_keeps_its_own_fields(tiny, count):
    bound = limited(tiny, no_title=1000.0)
    texts = TEXTS * count
    for text, parsed in zip(texts, bound.parse_many(texts), strict=True):
        assert all(field.text == text[field.start : field.end] for field in parsed.fields)
        assert np.all(np.diff([field.start for field in parsed.fields if "/" not in field.label]) > 0)
