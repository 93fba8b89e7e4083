"""What the models see of a heading: attributes of the heading alone, and codes of its place among the others.

A heading is one token of its paper. `features_of_headings` says what can be said of it alone; those attributes are
weighed at every place of a window, so that the headings before and after speak too. `CONTEXT` is the list of what needs
the whole paper. The features of Luong et al. 2010 are among them. Add a feature there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ibidem.features.batch import Batch, Codes
from ibidem.features.headings import place, roles, words
from ibidem.features.headings.numbering import divided
from ibidem.features.lexicons import Lexicons
from ibidem.text.fold import fold, hash32

# name, number of codes, function of the batch: one line per feature of context
CONTEXT: list[tuple[str, int, Callable[[Batch], Codes]]] = [
    ("location", 12, place.location),
    ("from-start", 16, place.from_start),
    ("from-end", 16, place.from_end),
    ("length", 8, place.length),
    ("roles-around", roles.COUNT**3, place.roles_around),
    ("role-before", roles.COUNT**2, place.role_before),
    ("role-after", roles.COUNT**2, place.role_after),
    ("between", roles.COUNT**2, place.between),
    ("since", 5 * roles.COUNT, place.since),
    ("until", 5 * roles.COUNT, place.until),
    ("announced", 1 << len(place.ANNOUNCED) + 1, place.announced),
    ("numbering", 5 * 5 * 6, place.numbering),
]


def features_of_headings(texts: Sequence[str], _lexicons: Lexicons) -> list[list[str]]:
    """The attributes of several headings, as short strings; they depend on nothing but the heading."""
    return [_attributes(text) for text in texts]


def _attributes(text: str) -> list[str]:
    number = divided(text)
    found = words.attributes(number.rest)
    found += [f"number={number.style}", f"depth={number.depth}"]
    found += roles.attributes(number.rest)
    return found


def traits_of_heading(text: str, _lexicons: Lexicons) -> tuple[int, ...]:
    """The traits of a heading in the order of `TRAITS`.

    `kind` is the role that its words speak of, `head` the style of its number, `tail` the depth of it, `statistics`
    what the number is, as far as it is small, `word` the fingerprint of the heading.
    """
    number = divided(text)
    return (
        roles.NUMBER[roles.role_of(number.rest)],
        number.code,
        min(number.depth, 4),
        min(number.first, 5),
        hash32(fold(number.rest[: words.LONGEST])),
        1,
    )


def heading_codes(batch: Batch, _lexicons: Lexicons) -> dict[str, tuple[int, Codes]]:
    """The codes of every feature of context, by name, each with its number of codes."""
    return {name: (size, compute(batch)) for name, size, compute in CONTEXT}
