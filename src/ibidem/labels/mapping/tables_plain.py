"""The tables of the sets of sections and of headers: a label for a label, and nothing inside a field."""

from __future__ import annotations

import re

from ibidem.labels.mapping.tables import Context, Table
from ibidem.labels.schema import AUTHOR_SCHEMA, SECTION_SCHEMA, UNKNOWN
from ibidem.text.fold import fold

# eLife gives a type to most sections of the first level. Where it gives none, a heading that says its role in so many
# words has that role; of all others nothing is known.
_SAYS = {
    "introduction": r"introduction\b.*",
    "evaluation": r"results?(?: (?:and|&) discussions?)?|findings",
    "discussion": r"(?:general |concluding )?discussions?|(?:study )?limitations?\b.*|(?:future|next)\b.*|outlook",
    "conclusions": r"conclusions?\b.*|concluding remarks|summary and (?:future|outlook|perspectives|conclu)\b.*",
    "discussion|conclusions": r"discussions? (?:and|&) conclusions?",
    "method": r"(?:star.?)?(?:materials?|methods?|methodology)(?:(?: and | & |, )(?:materials?|methods?))*|"
    r"(?:experimental|computational|statistical) (?:procedures?|methods?|section|details)|method details",
    "background": r"backgrounds?|preliminaries",
    "related-work": r"(?:related|previous|prior) (?:work|works|research)",
    "acknowledge": r"acknowledge?ments?",
    "declarations": r"(?:data|code|materials|resource)\b.*\bavailability\b.*|author contributions?|funding|"
    r"competing interests?\b.*|conflicts? of interests?\b.*|ethics\b.*|declarations?\b.*|consent\b.*",
    "references": r"references|bibliography",
    "supplement": r"(?:supplement|supporting|appendi)\w*(?: (?:information|materials?|figures|data))?",
}
_SAYS["acknowledgements"] = _SAYS.pop("acknowledge")
_RULES = [(role, re.compile(pattern)) for role, pattern in _SAYS.items()]


def role_said(heading: str) -> str:
    """The role that a heading says in so many words, "?" for all others.

    >>> role_said("Materials and Methods"), role_said("2. Results & Discussion"), role_said("Trained immunity")
    ('method', 'evaluation', '?')
    """
    plain = re.sub(r"^[\d.\s]+", "", fold(heading.strip())).rstrip(" .:")
    return next((role for role, rule in _RULES if rule.fullmatch(plain)), UNKNOWN)


def _said(context: Context) -> str:
    return role_said(context.text)


PLAIN: dict[str, Table] = {
    "sections-generic": {
        "abstract": "abstract",
        "categories-and-subject-descriptors": "categories",
        "general-terms": "general-terms",
        "keywords": "keywords",
        "introduction": "introduction",
        "background": "background",
        "related-works": "related-work",
        "method": "method",
        "evaluation": "evaluation",
        "discussions": "discussion",
        "conclusions": "conclusions",
        "acknowledgments": "acknowledgements",
        "references": "references",
    },
    "elife-sections": {
        "intro": "introduction",
        "introduction": "introduction",
        "results": "evaluation",
        "results|discussion": "evaluation",  # as in the generic set
        "discussion": "discussion",
        "discussions": "discussion",
        "materials|methods": "method",
        "methods|materials": "method",
        "material|methods": "method",
        "materials": "method",
        "methods": "method",
        "method": "method",
        "model": "method",
        "conclusion": "conclusions",
        "conclusions": "conclusions",
        "discussion|conclusion": "discussion|conclusions",
        "discussion|conclusions": "discussion|conclusions",
        "conclusions|discussion": "discussion|conclusions",
        "supplementary-material": "supplement",
        "data-availability": "declarations",
        "coi-statement": "declarations",
        "untyped": _said,
    },
    "sections": dict(zip(SECTION_SCHEMA, SECTION_SCHEMA, strict=True)),
    "authors": dict(zip(AUTHOR_SCHEMA, AUTHOR_SCHEMA, strict=True)),
}
"""Which label of a task each label of a set is, by the name of the table; what is not there is unknown."""
