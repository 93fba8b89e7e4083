"""What the models see of a heading: attributes of the heading alone, and codes of its position among the others.

A heading is one token of its paper. The attributes of a heading alone are weighed at every place of a window, so that
the headings before and after count too. `CONTEXT` lists what needs the whole paper; a new feature is a line in it. The
features of Luong et al. 2010 are among them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ibidem.features.batch import Batch
from ibidem.features.headings import position, roles, text
from ibidem.features.lexicons import Lexicons
from ibidem.features.position import location
from ibidem.features.registry import Feature, FeatureList, FeatureSet
from ibidem.text.fold import fold, hash32

# one line per feature of context: its name, its number of codes, the function of the batch that computes them
CONTEXT: FeatureList[Batch] = [
    Feature("location", 12, location),
    Feature("from-start", 16, position.from_start),
    Feature("from-end", 16, position.from_end),
    Feature("length", 8, position.length),
    Feature("roles-around", roles.COUNT**3, position.roles_around),
    Feature("role-before", roles.COUNT**2, position.role_before),
    Feature("role-after", roles.COUNT**2, position.role_after),
    Feature("between", roles.COUNT**2, position.between),
    Feature("since", 5 * roles.COUNT, position.since),
    Feature("until", 5 * roles.COUNT, position.until),
    Feature("announced", 1 << len(position.ANNOUNCED) + 1, position.announced),
    Feature("numbering", 5 * 5 * 6, position.numbering),
]


def compute_heading_attributes(headings: Sequence[str], _lexicons: Lexicons) -> list[list[str]]:
    """Return the attributes of several headings, as short strings; they depend on nothing but the heading."""
    return [_attributes(heading) for heading in headings]


def _attributes(heading: str) -> list[str]:
    number = text.split_number(heading)
    found = text.attributes(number.rest)
    found += [f"number={number.style}", f"depth={number.depth}"]
    found += roles.attributes(number.rest)
    return found


def traits_of_heading(heading: str, _lexicons: Lexicons) -> tuple[int, ...]:
    """Return the traits of a heading in the order of `TRAITS`.

    `token_class` is the role that its words point to, `head` the style of its number, `tail` the depth of it,
    `statistics` the first part of the number if small, `word` the hash of the heading.
    """
    number = text.split_number(heading)
    return (
        roles.NUMBER[roles.role_of(number.rest)],
        number.code,
        min(number.depth, 4),
        min(number.first, 5),
        hash32(fold(number.rest[: text.LONGEST])),
        1,
    )


FEATURES = FeatureSet(compute_heading_attributes, traits_of_heading, CONTEXT)
