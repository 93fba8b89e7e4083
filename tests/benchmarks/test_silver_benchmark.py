"""Silver labels from unsupervised segments: named where one tag dominates, left open where not."""

from __future__ import annotations

import pytest
from hard_cases import corpus, seven_elements, strings

from benchmarks.masada_2011.latent_permutations_silver import names_of, silver_of
from ibidem.kernels import compiled
from ibidem.models.training import labels_seen
from ibidem.types import Annotation, Example
from ibidem.unsupervised.blocked import BlockedConfig
from ibidem.unsupervised.segmenting import segment_citations

pytestmark = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")


def tagged(pieces) -> Example:
    """Return the citation with its gold annotations."""
    annotations, start = [], 0
    for text, name in pieces:
        if name:
            annotations.append(Annotation(name, start, start + len(text)))
        start += len(text)
    return Example("".join(text for text, _ in pieces), tuple(annotations), "")


def test_an_element_that_holds_several_names_is_left_open() -> None:
    made = corpus(200, seven_elements)
    found = segment_citations(strings(made), BlockedConfig(4, sample=100, restarts=1, sweeps=2))
    names = names_of(found, [tagged(pieces) for pieces in made[:10]])
    assert {"title", "?"} <= set(names)  # seven cannot be told apart by four
    silver = list(silver_of(found, names))
    assert len(silver) > 100
    assert not any("?" in label for label in labels_seen(silver))
    assert names_of(found, []) == ("?",) * 4
    assert not list(silver_of(found, ("?",) * 4))
