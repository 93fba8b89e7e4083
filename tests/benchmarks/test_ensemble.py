"""An ensemble of models: the answer has the highest mean probability."""

from __future__ import annotations

import numpy as np
import pytest
from model_cases import references, trained

from benchmarks.support.ensemble import Ensemble, log_probabilities
from ibidem.errors import ConfigError
from ibidem.models.parser import Parser
from ibidem.models.training import CRFConfig
from ibidem.text import reference_of


@pytest.fixture(scope="module")
def parsers() -> list[Parser]:
    """A chain and a semi-CRF of nested references."""
    chain = CRFConfig(iterations=6)
    return [Parser(trained(references(), one)) for one in (chain, CRFConfig(model="semi", order=2, iterations=6))]


def test_the_probability_of_a_labelling_is_the_one_that_the_parser_gives_it(parsers):
    reference = reference_of(references()[3].text)
    for parser in parsers:
        [labelling] = parser.label([reference], alternatives=3)
        potentials = parser.potentials([reference])
        labellings = [labelling.spans, *(other.spans for other in labelling.alternatives)]
        found = np.exp(log_probabilities(parser, potentials, reference, labellings))
        probabilities = [
            parser.parse(reference.text).confidence,
            *(other.confidence[0] for other in labelling.alternatives),
        ]
        np.testing.assert_allclose(found, probabilities, rtol=1e-3)


def test_the_parser_with_all_the_weight_decides(parsers):
    strings = [reference_of(example.text) for example in references(6)]
    for place, parser in enumerate(parsers):
        weights = [0.0, 0.0]
        weights[place] = 1.0
        assert Ensemble(parsers, weights).label(strings) == [labelling.spans for labelling in parser.label(strings)]


def test_together_they_find_what_they_were_trained_on(parsers):
    for example, spans in zip(
        references(6), Ensemble(parsers, [0.7, 0.3]).label([reference_of(e.text) for e in references(6)]), strict=True
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
            Ensemble(parsers, weights, several)
