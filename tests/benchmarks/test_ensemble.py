"""Several models together: a likelihood is the model's own; the answer is the likeliest by the mean of all."""

from __future__ import annotations

import numpy as np
import pytest
from model_cases import references, trained

from benchmarks.ensemble import Combined, likelihoods
from ibidem.errors import ConfigError
from ibidem.models.parser import Parser
from ibidem.models.training import CRFConfig
from ibidem.text.tokens import read


@pytest.fixture(scope="module")
def parsers() -> list[Parser]:
    """A chain and a semi-CRF of nested references."""
    chain = CRFConfig(iterations=6)
    return [Parser(trained(references(), one)) for one in (chain, CRFConfig(model="semi", order=2, iterations=6))]


def test_the_likelihood_of_a_reading_is_the_probability_that_the_parser_gives_it(parsers):
    reference = read(references()[3].text)
    for parser in parsers:
        [labelling] = parser.label([reference], alternatives=3)
        potentials = parser.potentials([reference])
        readings = [labelling.spans, *(other.spans for other in labelling.alternatives)]
        found = np.exp(likelihoods(parser, potentials, reference, readings))
        chances = [parser.parse(reference.text).confidence, *(other.confidence[0] for other in labelling.alternatives)]
        np.testing.assert_allclose(found, chances, rtol=1e-3)


def test_the_weight_says_who_decides(parsers):
    strings = [read(example.text) for example in references(6)]
    for place, parser in enumerate(parsers):
        weights = [0.0, 0.0]
        weights[place] = 1.0
        assert Combined(parsers, weights).label(strings) == [labelling.spans for labelling in parser.label(strings)]


def test_together_they_find_what_they_were_trained_on(parsers):
    for example, spans in zip(
        references(6), Combined(parsers, [0.7, 0.3]).label([read(e.text) for e in references(6)]), strict=True
    ):
        assert {span.label for span in spans} == {annotation.label for annotation in example.annotations}


def test_weights_that_do_not_fit_are_refused(parsers):
    for weights, several in (
        ([1.0], 12),
        ([1.0, -1.0], 12),
        ([1.0, float("nan")], 12),
        ([0.0, 0.0], 12),
        ([1.0, 1.0], 0),
    ):
        with pytest.raises(ConfigError, match="weight"):
            Combined(parsers, weights, several)
