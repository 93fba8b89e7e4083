"""What the models see of a reference: attributes of each token, and codes of its context.

The attributes of a token alone (`compute_attributes`) are weighed at every place of a window around each token.
`CONTEXT` lists everything that needs the rest of the string, `segments.SEGMENT` what is said of a whole segment. To add
a feature, write its function in a file of its own and add its line here; from outside the package, `register` it.
"""

from __future__ import annotations

from ibidem.features import chunks, neighbours, phrases, position, style
from ibidem.features.attributes import compute_attributes
from ibidem.features.batch import TRAITS, Batch, batch_of, traits_of
from ibidem.features.lexicons import Lexicons
from ibidem.features.registry import Feature, FeatureFamily, FeatureList, FeatureSet, features_of, register
from ibidem.features.token_class import COUNT

_THREE = COUNT**3
_PAIR = 1 << neighbours.PAIR_BITS

# one line per feature of context: its name, its number of codes, the function of the batch that computes them
CONTEXT: FeatureList[Batch] = [
    Feature("location", 12, position.location),
    Feature("from-edges", 30, position.from_edges),
    Feature("blanks", 4 * COUNT, position.spaces),
    Feature("brackets", 3 * COUNT, position.brackets),
    Feature("quotes", 4 * COUNT, position.quotes),
    Feature("years", 9 * COUNT, position.years),
    Feature("numbers", 20 * COUNT, position.numbers),
    Feature("kinds-around", _THREE, neighbours.classes_around),
    Feature("kinds-before", _THREE, neighbours.classes_before),
    Feature("kinds-after", _THREE, neighbours.classes_after),
    Feature("kinds-wide", 1 << 17, neighbours.classes_wide),
    Feature("word-pair", _PAIR, neighbours.word_pair),
    Feature("word-pair-after", _PAIR, neighbours.word_pair_after),
    Feature("word-and-kinds", _PAIR, neighbours.word_and_classes),
    Feature("last-punctuation", 5 * COUNT, neighbours.last_punctuation),
    Feature("next-punctuation", 5 * COUNT, neighbours.next_punctuation),
    FeatureFamily("fine/", chunks.sizes, chunks.compute_fine),
    FeatureFamily("coarse/", chunks.sizes, chunks.compute_coarse),
    FeatureFamily("style/", style.sizes, style.compute),
    FeatureFamily("phrase/", phrases.sizes, phrases.compute),
]
FEATURES = FeatureSet(compute_attributes, traits_of, CONTEXT)

__all__ = [
    "CONTEXT",
    "FEATURES",
    "TRAITS",
    "Batch",
    "Feature",
    "FeatureFamily",
    "FeatureSet",
    "Lexicons",
    "batch_of",
    "compute_attributes",
    "features_of",
    "register",
    "traits_of",
]
