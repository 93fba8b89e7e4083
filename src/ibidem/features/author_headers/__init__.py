"""What the models see of the author and affiliation lines of a header.

A token is a word, a mark or a line break. The attributes of a token alone are those of references, with gazetteers of
organisations, places and countries beside them; `CONTEXT` is the list of what needs the rest of the header: the line a
token stands in, what the line is made of, and what stands before and after. Add a feature there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ibidem.features import neighbours, phrases
from ibidem.features import place as usual
from ibidem.features.author_headers import gazetteer, lines, symbols
from ibidem.features.batch import Batch, Codes, traits_of
from ibidem.features.kind import COUNT, core
from ibidem.features.lexicons import Lexicons
from ibidem.features.word import features_of_words
from ibidem.text.fold import fold

_ROW = COUNT**3

# name, number of codes, function of the batch: one line per feature of context
CONTEXT: list[tuple[str, int, Callable[[Batch], Codes]]] = [
    ("location", 12, usual.location),
    ("blanks", 4 * COUNT, usual.blanks),
    ("kinds-around", _ROW, neighbours.kinds_around),
    ("kinds-before", _ROW, neighbours.kinds_before),
    ("kinds-after", _ROW, neighbours.kinds_after),
    ("word-pair", 1 << neighbours.PAIR_BITS, neighbours.word_pair),
    ("word-pair-after", 1 << neighbours.PAIR_BITS, neighbours.word_pair_after),
    ("last-punctuation", 5 * COUNT, neighbours.last_punctuation),
    ("next-punctuation", 5 * COUNT, neighbours.next_punctuation),
    ("line", 8 * 8, lines.line_number),
    ("in-line", 5 * 5, lines.place_in_line),
    ("line-made-of", lines.MADE_OF, lines.made_of),
    ("line-before-made-of", lines.MADE_OF, lines.before_made_of),
    ("line-after-made-of", lines.MADE_OF, lines.after_made_of),
    ("line-begins", COUNT * COUNT, lines.begins),
    ("organisation-near", 3 * 3 * gazetteer.COUNT, lines.organisation_near),
    ("piece", lines.PIECE, lines.piece),
    ("symbol", symbols.SIZE, symbols.around),
]


def features_of_bylines(texts: Sequence[str], lexicons: Lexicons) -> list[list[str]]:
    """The attributes of several tokens, as short strings; they depend on nothing but the token."""
    found = features_of_words([text if text.strip() else "¶" for text in texts], lexicons)
    for text, attributes in zip(texts, found, strict=True):
        attributes += [f"g={name}" for name in gazetteer.classes_of(core(fold(text)))]
        attributes += symbols.attributes(text)
    return found


def traits_of_byline(text: str, lexicons: Lexicons) -> tuple[int, ...]:
    """The traits of a token in the order of `TRAITS`; `statistics` is its class in the gazetteers, 1 a line break."""
    if not text.strip():
        return (0, 0, 0, gazetteer.BREAK, 0, 0)
    kind, head, tail, _, word, wordlike = traits_of(text, lexicons)
    return kind, head, tail, gazetteer.class_of(core(fold(text))), word, wordlike


def byline_codes(batch: Batch, lexicons: Lexicons) -> dict[str, tuple[int, Codes]]:
    """The codes of every feature of context, by name, each with its number of codes."""
    found = {name: (size, compute(batch)) for name, size, compute in CONTEXT}
    return found | {f"phrase/{name}": value for name, value in phrases.phrase_features(batch, lexicons).items()}
