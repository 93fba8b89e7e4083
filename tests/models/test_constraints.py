"""A model with constraints answers within them where that is worth it, and everything it says still fits together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ibidem.config import from_toml
from ibidem.errors import ConfigError
from ibidem.models.chain import ChainModel
from ibidem.models.constraints import read_constraints, summarise_constraints
from ibidem.models.parser import Parser
from ibidem.models.recipes import Recipe
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


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('"count(title) <= 1" = "much"', "expected a number"),
        ('"count(title) <= 1" = nan', "the penalty of count\\(title\\) <= 1 is nan"),
        ('"count(title) <= 1" = -2.0', "is -2.0: give a number of 0 or more, or inf"),
        ('"count(titel) <= 1" = 1.0', "counts 'titel', which no label has; there are author"),
        ('"count(title) < 1" = 1.0', "breaks off at character 14"),
        ('"count(title) <= 1" = inf\n"count(title) >= 2" = inf', "cannot hold together"),
        ('"count(title) <= -1" = inf', "cannot hold together"),
    ],
)
def test_constraints_by_hand_that_mean_nothing_are_refused_before_any_work(tiny, tmp_path, toml, message):
    path = tmp_path / "mine.toml"
    path.write_text(f"[constraints]\n{toml}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        read_constraints(path, tiny.labels)


def test_constraints_by_hand_stand_beside_the_models_own_and_may_be_hard(tiny, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[constraints]\n"count(title) <= 0" = inf\n"count(title) >= 1" = 0.5\n', encoding="utf-8")
    given = read_constraints(path, tiny.labels)
    assert given == {"count(title) <= 0": np.inf, "count(title) >= 1": 0.5}
    assert "title" not in labels(Parser(replace(tiny, constraints=given)).parse(TEXTS[0]))


def test_an_explanation_tells_what_was_found_before_and_which_constraint_changed_it(tiny, parser):
    bound = limited(tiny, no_title=1000.0)
    parsed = bound.parse(TEXTS[0], explain=True)
    assert parsed.change is not None
    assert parsed.change.before == parser.parse(TEXTS[0]).fields
    assert [text for text, _ in parsed.change.because] == ["count(title) <= 0"]
    assert parsed.change.because[0][1] == pytest.approx(1000.0)
    unmoved = limited(tiny, one_author=5.0).parse(TEXTS[0], explain=True)
    assert unmoved.change is None and bound.parse(TEXTS[0]).change is None


def test_a_summary_has_the_constraints_in_words_with_an_example_each_changed(tiny):
    found = summarise_constraints(limited(tiny, no_title=1000.0, one_author=5.0), TEXTS)
    assert [belief.words for belief in found] == ["at most 0 title", "at most 1 author"]
    assert found[0].example is not None and found[0].example.change is not None
    assert found[1].importance is None  # it was not learnt


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('[by_hand]\n"count(title) <> 1" = 1.0', "breaks off at character 14"),
        ('[by_hand]\n"count(title) <= 1" = nan', "the penalty of count"),
        ('[constraints]\n[training]\nmodel = "semi"', "cannot be fitted for the scorer 'semi'"),
        ("[constraints]\nmethod = 'guess'", "method is 'guess'"),
    ],
)
def test_a_recipe_with_constraints_that_mean_nothing_is_refused_before_the_training(table, message):
    start = "name = 'x'\nabout = 'x'\noutput = 'x'\n[[data]]\nfile = 'x'\n[[dev]]\nfile = 'x'\n"
    with pytest.raises(ConfigError, match=message):
        from_toml(Recipe, start + table)
