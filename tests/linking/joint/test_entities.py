"""Laws of attributes: the search is never below where it starts, exhaustive is the best, labellings are revised."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.errors import ConfigError, DataError
from ibidem.linking.joint.agreement import AGREEMENT
from ibidem.linking.joint.entities import (
    FIELD_FEATURES,
    Candidate,
    Citation,
    EntityModel,
    SearchConfig,
    best_supported_values,
    citation_of,
    field_features,
    rank_values,
)
from ibidem.types import Field, Parsed
from tools.weights.entity_training import EntityConfig, Known, train_entities

VALUES = ("drift", "drift of reeds", "reeds", "bells at sea")
WEIGHTS = {"any.same": 2.0, "any.edit": 1.0, "any.missing": -1.0, "any.extra": -0.7, "title.same": 0.5, "chance": 1.0}
WEIGHTS |= {"any.written": -0.5, "words.together": 0.1}


@st.composite
def citations(draw):
    candidates = []
    for _ in range(draw(st.integers(1, 3))):
        labels = draw(st.lists(st.sampled_from(("title", "venue", "date")), unique=True, max_size=3))
        fields = {label: draw(st.sampled_from(VALUES)) for label in labels}
        words = tuple((word, label) for label, text in fields.items() for word in text.split())
        candidates.append(Candidate(fields, draw(st.sampled_from((-0.1, -1.0, -3.0))), words))
    return Citation("a reed drift of reeds 1984", tuple(candidates))


def objective(model, members, values):
    bases = model.base_scores(members)
    return sum(
        max(base[n] + model.potential(values, citation, n) for n in range(len(citation.candidates)))
        for citation, base in zip(members, bases, strict=True)
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(citations(), min_size=1, max_size=4))
def test_where_all_combinations_are_tried_none_is_better(members):
    model = EntityModel(WEIGHTS, SearchConfig(combinations=10**6))
    found = model.attributes(members)
    choices = rank_values(members)
    for values in product(*(["", *each] for each in choices.values())):
        other = {label: value for label, value in zip(choices, values, strict=True) if value}
        assert objective(model, members, other) <= found.score + 1e-9
    assert found.score == pytest.approx(objective(model, members, found.values))


@settings(max_examples=40, deadline=None)
@given(st.lists(citations(), min_size=1, max_size=4))
def test_a_beam_is_never_worse_than_what_has_the_most_support(members):
    model = EntityModel(WEIGHTS, SearchConfig(combinations=0, beam=1))
    found = model.attributes(members)
    assert found.score >= objective(model, members, best_supported_values(members)) - 1e-9
    assert found.score <= EntityModel(WEIGHTS, SearchConfig(combinations=10**6)).attributes(members).score + 1e-9
    assert found.score == pytest.approx(objective(model, members, found.values))


@given(st.sampled_from(("", *VALUES)), st.sampled_from(("", *VALUES)))
def test_field_features_are_shares_and_say_who_has_the_field(value, own):
    found = dict(zip(FIELD_FEATURES, field_features(value, own, "a reed drift of reeds 1984"), strict=True))
    assert all(0.0 <= share <= 1.0 for share in found.values())
    assert found["missing"] == float(bool(value) and not own)
    assert found["extra"] == float(bool(own) and not value)
    assert found["same"] == float(value == own != "")


def cut(text, *fields, confidence=1.0):
    """A labelling of a text: fields as pairs of label and piece, in order."""
    place, found = 0, []
    for label, piece in fields:
        start = text.index(piece, place)
        place = start + len(piece)
        found.append(Field(label, piece, start, place, 1.0))
    return Parsed(text, tuple(found), confidence)


GOOD = "A. Reed. Drift of bells at sea. Harbour Notes, 1984."
RIGHT = cut(GOOD, ("author", "A. Reed"), ("title", "Drift of bells at sea"), ("venue", "Harbour Notes"),
            ("date", "1984"), confidence=0.4)  # fmt: skip
WRONG = cut(GOOD, ("author", "A. Reed"), ("title", "Drift of bells at sea. Harbour"), ("venue", "Notes"),
            ("date", "1984"), confidence=0.5)  # fmt: skip
OTHER = cut("Reed, A. (1984) Drift of bells at sea, Harbour Notes", ("author", "Reed, A"), ("date", "1984"),
            ("title", "Drift of bells at sea"), ("venue", "Harbour Notes"), confidence=0.9)  # fmt: skip
THIRD = cut("Reed A: Drift of bells at sea. Harbour Notes 1984", ("author", "Reed A"),
            ("title", "Drift of bells at sea"), ("venue", "Harbour Notes"), ("date", "1984"),
            confidence=0.9)  # fmt: skip


def test_a_citation_keeps_every_word_and_its_field():
    citation = citation_of([RIGHT, WRONG])
    assert " ".join(word for word, _ in citation.candidates[0].words) == citation.text
    assert citation.candidates[1].fields["title"] == "drift of bells at sea harbour"
    assert np.exp([one.log_probability for one in citation.candidates]).sum() == pytest.approx(1.0)


def test_a_citation_without_a_labelling_is_refused():
    with pytest.raises(ConfigError, match="at least one labelling"):
        citation_of([])


def test_the_labellings_of_others_revise_a_labelling():
    members = [citation_of([WRONG, RIGHT]), citation_of([OTHER]), citation_of([THIRD])]
    found = EntityModel(WEIGHTS).attributes(members)
    assert found.chosen == (1, 0, 0)
    assert found.values["title"] == "drift of bells at sea"
    assert EntityModel({"chance": 1.0}).attributes(members).chosen == (0, 0, 0)


def test_learning_makes_the_right_choices_likelier():
    members = [Known(citation_of([WRONG, RIGHT]), 0, 1), Known(citation_of([OTHER]), 0, 0)]
    members += [
        Known(citation_of([THIRD]), 0, 0),
        Known(citation_of([cut("B. Moss. Tides. 1999", ("title", "Tides"))]), 1, 0),
    ]
    model = train_entities(members, EntityConfig(penalty=0.1))
    assert model.attributes([one.citation for one in members[:3]]).chosen == (1, 0, 0)
    assert set(model.weights) <= {
        "chance",
        *AGREEMENT,
        *(f"{x}.{m}" for x in ("any", "author", "title", "venue", "date") for m in FIELD_FEATURES),
    }


def test_there_must_be_choices_to_learn_from():
    with pytest.raises(DataError, match="nothing to train on"):
        train_entities([Known(citation_of([OTHER]), 0, 0)])
