"""What the models see of the author and affiliation lines of a header.

A token is a word, a mark or a line break. The attributes of a token alone are those of references, with gazetteers of
organisations, places and countries beside them; `CONTEXT` lists what needs the rest of the header: the line that a
token is in, what the line is made of, and what comes before and after. A new feature is a line in that list.
"""

from __future__ import annotations

from collections.abc import Sequence

from ibidem.features import neighbours, phrases, position
from ibidem.features.attributes import compute_attributes
from ibidem.features.author_headers import gazetteer, lines
from ibidem.features.batch import Batch, traits_of
from ibidem.features.lexicons import Lexicons
from ibidem.features.registry import Feature, FeatureFamily, FeatureList, FeatureSet
from ibidem.features.token_class import COUNT, strip_punctuation
from ibidem.text.fold import fold

_THREE = COUNT**3
_PAIR = 1 << neighbours.PAIR_BITS

# one line per feature of context: its name, its number of codes, the function of the batch that computes them
CONTEXT: FeatureList[Batch] = [
    Feature("location", 12, position.location),
    Feature("blanks", 4 * COUNT, position.spaces),
    Feature("kinds-around", _THREE, neighbours.classes_around),
    Feature("kinds-before", _THREE, neighbours.classes_before),
    Feature("kinds-after", _THREE, neighbours.classes_after),
    Feature("word-pair", _PAIR, neighbours.word_pair),
    Feature("word-pair-after", _PAIR, neighbours.word_pair_after),
    Feature("last-punctuation", 5 * COUNT, neighbours.last_punctuation),
    Feature("next-punctuation", 5 * COUNT, neighbours.next_punctuation),
    Feature("line", 8 * 8, lines.line_number),
    Feature("in-line", 5 * 5, lines.position_in_line),
    Feature("line-made-of", lines.MADE_OF, lines.made_of),
    Feature("line-before-made-of", lines.MADE_OF, lines.before_made_of),
    Feature("line-after-made-of", lines.MADE_OF, lines.after_made_of),
    Feature("line-begins", COUNT * COUNT, lines.begins),
    Feature("organisation-near", 3 * 3 * gazetteer.COUNT, lines.organisation_near),
    Feature("piece", lines.PIECE, lines.piece),
    Feature("symbol", gazetteer.SYMBOL, gazetteer.symbol),
    FeatureFamily("phrase/", phrases.sizes, phrases.compute),
]


def compute_author_header_attributes(texts: Sequence[str], lexicons: Lexicons) -> list[list[str]]:
    """Return the attributes of several tokens, as short strings; they depend on nothing but the token."""
    found = compute_attributes([text if text.strip() else "¶" for text in texts], lexicons)
    for text, attributes in zip(texts, found, strict=True):
        attributes += [f"g={name}" for name in gazetteer.classes_of(strip_punctuation(fold(text)))]
        attributes += gazetteer.attributes(text)
    return found


def traits_of_author_header(text: str, lexicons: Lexicons) -> tuple[int, ...]:
    """Return the traits of a token in the order of `TRAITS`; `statistics` is its class in the gazetteers."""
    if not text.strip():
        return (0, 0, 0, gazetteer.BREAK, 0, 0)
    token_class, head, tail, _, word, wordlike = traits_of(text, lexicons)
    return token_class, head, tail, gazetteer.class_of(strip_punctuation(fold(text))), word, wordlike


FEATURES = FeatureSet(compute_author_header_attributes, traits_of_author_header, CONTEXT)
