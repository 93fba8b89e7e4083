"""From labelled strings to a model: what is kept, what is left out, what is refused."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from model_cases import lexicons, references, small_corpus, trained, trainer_of

from ibidem.config import from_toml
from ibidem.errors import ConfigError, DataError
from ibidem.features import FEATURES
from ibidem.models.encoder import corpus_of, fit, spaces_before
from ibidem.models.parser import Parser
from ibidem.models.recipes import Recipe
from ibidem.models.training import CRFConfig, Monitor, complete_labels, labels_seen, training_set
from ibidem.text import tokenise
from ibidem.types import Annotation, Example, Token


def test_a_model_learns_what_it_is_shown(tiny, examples):
    parser = Parser(tiny)
    for example in examples:
        found = {(field.label, field.start, field.end) for field in parser.parse(example.text).fields}
        assert found == {(annotation.label, annotation.start, annotation.end) for annotation in example.annotations}


@pytest.mark.parametrize(
    "settings",
    [
        {"window": 1},
        {"remember": False},
        {"observed_only": True},
        {"optimiser": "adagrad", "epochs": 8},
        {"optimiser": "adagrad", "epochs": 8, "feature_dropout": 0.2},
        {"label_history": ("title",)},
        {"model": "semi"},
        {"model": "semi", "order": 2, "optimiser": "adagrad", "epochs": 8, "feature_dropout": 0.2},
        {"model": "semi", "order": 2, "edges": False, "whole": False},
        {"model": "semi", "longest": 3},
    ],
)
def test_every_way_of_training_learns_the_fields(examples, settings):
    parser = Parser(trained(examples, CRFConfig(iterations=30, **settings)))
    right = [
        {f.label: f.text for f in parser.parse(e.text).fields}
        == {m.label: e.text[m.start : m.end] for m in e.annotations}
        for e in examples
    ]
    assert sum(right) >= 0.9 * len(right)


@pytest.mark.parametrize("model", ["chain", "semi"])
def test_partial_marks_teach_what_they_say_and_leave_the_rest_open(model):
    whole = references(16)
    coarse = [
        Example(
            e.text,
            tuple(m for m in e.annotations if "/" not in m.label),
            "coarse",
            (),
            frozenset({"author", "date", "pages"}),
        )
        for e in references(24)[16:]
    ]
    trainer = trainer_of([*whole, *coarse], CRFConfig(model=model, iterations=30))
    assert not trainer.complete and trainer.skipped == 0
    fields = Parser(trainer.model(trainer.run(lambda *_: False))).parse(coarse[-1].text).fields
    assert {"author/person/family", "date/year", "pages/first"} <= {field.label for field in fields}


def test_weights_below_the_smallest_are_dropped(examples):
    many, few = (trained(examples, CRFConfig(iterations=10, prune_below=prune_below)) for prune_below in (0.0, 0.05))
    assert len(few.attribute.value) < len(many.attribute.value)
    assert Parser(few).parse(examples[0].text).fields


def test_a_model_without_any_attribute_still_answers(examples):
    model = trained(examples, CRFConfig(iterations=5, min_count=10**6))
    assert Parser(model).parse(examples[0].text).error is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"optimiser": "guess"}, "'guess'"), ({"window": 4}, "odd"), ({"window": 0}, "odd"), ({"window": -1}, "odd")],
)
def test_settings_that_make_no_sense_are_refused(settings, words):
    with pytest.raises(ConfigError, match=words):
        CRFConfig(**settings)


def test_a_window_too_wide_for_the_file_is_refused_before_the_training():
    with pytest.raises(ConfigError, match="narrow the window"):
        trainer_of(references(2), CRFConfig(window=10_001))


def test_nothing_to_train_on_is_an_error_in_words():
    with pytest.raises(DataError, match="nothing to train on"):
        training_set([], ("O",))
    with pytest.raises(DataError, match="nothing to train on"):
        training_set([(Example("", (), "empty"), False)], ("O",))


def test_the_labels_of_examples_come_with_outside_first_and_rare_ones_left_out():
    examples = small_corpus(False)
    assert labels_seen(examples) == ("O", "B-author", "B-title", "B-volume", "I-title")
    assert labels_seen(examples, min_count=2) == ("O", "B-author", "B-title")


def test_labels_left_open_are_not_counted():
    assert labels_seen(small_corpus(True)) == ("O", "B-author")
    partially_annotated = Example("Reed, A.", (Annotation("author", 0, 8),), "test", (), frozenset({"author"}))
    assert labels_seen([partially_annotated]) == ("O",)


def test_whatever_authors_have_editors_have():
    labels = complete_labels(("O", "B-editor/B-person", "I-editor/I-person", "B-title"))
    assert {"B-author/B-person", "I-author/I-person", "I-title"} <= set(labels)
    assert labels[0] == "O" and list(labels[1:]) == sorted(set(labels[1:]))
    assert complete_labels(labels) == labels


def test_an_example_that_comes_split_keeps_its_tokens():
    tokens = (Token("Reed 12", 0, 7), Token("bells", 8, 13))
    data = training_set(
        [(Example("Reed 12 bells", (Annotation("title", 0, 13),), "split", tokens), False)], ("O", "B-title", "I-title")
    )
    assert data.strings == (tokens,) and data.complete and data.cut == 0


def test_edges_that_cut_tokens_are_counted():
    data = training_set([(Example("Reed12", (Annotation("title", 0, 3),), "cut"), False)], ("O", "B-title"))
    assert data.cut == 1


def test_features_seen_too_seldom_are_left_out():
    corpus = corpus_of([tokenise(example.text) for example in references(6)], lexicons())
    sizes = [len(fit(corpus, lexicons(), min_count, 1).attributes) for min_count in (1, 2, 5)]
    assert sizes[0] > sizes[1] > sizes[2] > 0
    kept = [sum(int((rows >= 0).sum()) for rows in fit(corpus, lexicons(), 1, n).context.values()) for n in (1, 3)]
    assert kept[0] > kept[1] > 0
    encoder = fit(corpus, lexicons(), 1, 1)
    assert {name: len(rows) for name, rows in encoder.context.items()} == FEATURES.sizes(lexicons())
    rows = np.concatenate([rows[rows >= 0] for rows in encoder.context.values()])
    assert rows.tolist() == list(range(len(rows)))


def test_a_corpus_falls_into_batches_of_whole_strings(monkeypatch):
    from ibidem.models import encoder as module

    strings = [tokenise(example.text) for example in references(9)]
    corpus = corpus_of(strings, lexicons())
    monkeypatch.setattr(module, "_CHUNK", 50)
    pieces = list(corpus.batches())
    assert len(pieces) > 3
    assert [length for _, batch in pieces for length in batch.lengths] == [len(tokens) for tokens in strings]
    assert [piece.start for piece, _ in pieces[1:]] == [piece.stop for piece, _ in pieces[:-1]]


def test_blanks_are_told_from_tokens_that_touch():
    assert list(spaces_before(tokenise("a b-c  d"))) == [True, True, False, False, True]


def test_a_watch_keeps_the_best():
    from model_cases import small_trainer

    weights = small_trainer(False, False).zero_weights()
    said: list[str] = []
    scores = iter([0.1, 0.5, 0.4, 0.3, 0.2])
    monitor = Monitor(said.append, lambda _: next(scores), every=1)
    stops = [monitor(step, 100.0 - step, weights) for step in range(1, 5)]
    assert stops == [False] * 4
    assert monitor.best[0] == 0.5 and monitor.best[1] is weights
    assert "dev 50.00" in said[1]


def test_weighing_observed_pairs_alone_is_refused_where_it_cannot_be_done():
    with pytest.raises(ConfigError, match="observed_only"):
        CRFConfig(observed_only=True, optimiser="adagrad")


def test_recipes_are_read_with_the_former_names_of_keys(root):
    former = {
        "dev": "held_out", "exclude": "keep_out", "label_min_count": "label_at_least", "min_count": "at_least",
        "context_min_count": "context_at_least", "pattern_min_count": "pattern_at_least", "prune_below": "smallest",
        "label_history": "milestones", "learning_rate": "rate", "feature_dropout": "noise",
    }  # fmt: skip
    for path in sorted((root / "recipes").glob("*.toml")):
        new = path.read_text("utf-8")
        old = re.sub(r"^(\[\[)?(\w+)", lambda m: (m[1] or "") + former.get(m[2], m[2]), new, flags=re.MULTILINE)
        assert old != new
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            recipe = from_toml(Recipe, new)
        with pytest.warns(DeprecationWarning, match="is now called"):
            assert from_toml(Recipe, old) == recipe
