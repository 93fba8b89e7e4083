"""Text that a dataset leaves without a label: what introduces a field is outside, everything else is unknown.

Sets that were tagged by a program or in production leave out what they had no value for. `fill_gaps` is the `revise`
of their label tables: it keeps a model from learning that such text is outside all fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ibidem.labels.mapping.parts import is_month
from ibidem.labels.mapping.person_lists import ET_AL, role_of
from ibidem.labels.schema import UNKNOWN
from ibidem.types import Annotation, Example

_OUTSIDE = frozenset(
    """in im em en dans and und et y e i çev ed eds edd editor editors org orgs coord coords dir dirs hrsg hg comp comps
    edited by von par por da herausgegeben vol vols volume volumes bd band t tom tome tomo v no nos n nr num number
    issue heft fasc č pp p pg pages page pág págs s с т doi dx https http www org available from at online disponível
    disponible url last access accessed acesso retrieved cited on isbn issn pmid pmcid arxiv trans translated translator
    tr trad organizador organizadora organizadores organizadoras coordenador coordenadores""".split()
)
_WORD = re.compile(r"[^\W_]+")
_FOUND = re.compile(
    r"(?P<url>https?://(?!(?:dx\.)?doi\.org/?(?:\s|\Z))[^\s\]>)]+[^\s\]>).,;])|(?P<doi>10\.\d{4,9}/[^\s,;\])]+[^\s,;.\])])|"
    r"\b(?:accessed|access|retrieved|consulted|viewed|cited|citado|acess?o|acceso)(?:\s+(?:on|em|el|le))?\s*:?\s+"
    r"(?P<accessed>[\w./, -]{0,20}?(?<!\d)\d{4}(?!\d)(?:[-/. ](?:\d{1,2}|[^\W\d_]{3,9})\.?[-/. ]\d{1,2})?)",
    re.IGNORECASE,
)
_NUMBER_BEFORE = re.compile(r"\W*\d{1,4}\W*\Z")
_INITIALS = re.compile(r"[\s,.]*(?:[^\W\d_a-z]\.?[\s-]?){1,3}[.,;\s]*\Z")  # of a name that the list breaks off in
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_AFTER_YEAR = re.compile(rf"[\s,;.]{{1,3}}([^\W\d_]{{3,}})\.?(?:\s*[/–-]\s*([^\W\d_]{{3,}}))?\.?(?:\s+{_DAY})?(?![\w])")
_BEFORE_YEAR = re.compile(
    rf"(?:(?<!\w){_DAY}\.?\s+(?:de\s+)?)?(?<!\w)([^\W\d_]{{3,}})\.?(?:\s+{_DAY})?,?\s+(?:de\s+)?\Z"
)
_NUMERIC = re.compile(r"(?<!\d)\d{1,2}[./]\d{1,2}[./]\Z")


def fill_gaps(drafts: list[Annotation], example: Example) -> list[Annotation]:
    """Return the annotations with the gaps between them annotated, and dates extended to their months and days.

    A web address is a URL, "et al." after a person belongs to the list, and a number before everything is a marker.
    Words that introduce fields stay outside; any other text is "?". A list of people that breaks off in a name is "?".
    """
    text = example.text
    drafts = [_extend_date(draft, text, drafts) for draft in drafts]
    drafts = _close_lists(drafts, text)
    filled = list(drafts)
    for start, end in _gaps(drafts, len(text)):
        roles = [role for draft in drafts if draft.end == start and (role := role_of(draft.label))]
        filled += _fill(text, start, end, roles[0] if roles else "")
    return filled


def _gaps(drafts: list[Annotation], length: int) -> list[tuple[int, int]]:
    """Return the stretches of the text that no annotation covers."""
    found, place = [], 0
    for draft in sorted(drafts, key=lambda one: one.start):
        if draft.start > place:
            found.append((place, draft.start))
        place = max(place, draft.end)
    return [*found, (place, length)] if place < length else found


def _fill(text: str, start: int, end: int, role: str) -> Iterator[Annotation]:
    """Yield the annotations of a gap; `role` is the list of people that it follows directly, if any."""
    if start == 0 and _NUMBER_BEFORE.match(text[:end]):
        number = _WORD.search(text, 0, end)
        assert number is not None
        yield Annotation("marker", number.start(), number.end())
        return
    others = ET_AL.match(text, *_inside(text, start, end)) if role else None
    if others:
        yield Annotation(f"{role}/etal", others.start(), others.end())
        start = others.end()
    for found in _FOUND.finditer(text[:end], start):
        label = found.lastgroup or UNKNOWN
        yield from _unknown(text, start, found.start())
        yield Annotation(label, *found.span(label))
        start = found.end()
    yield from _unknown(text, start, end)


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range from the first word on."""
    word = _WORD.search(text, start, end)
    return (word.start() if word else end), end


def _unknown(text: str, start: int, end: int) -> Iterator[Annotation]:
    """Yield the stretch from the first to the last word, unless all of them only introduce fields."""
    words = list(_WORD.finditer(text, start, end))
    if any(word.group().casefold() not in _OUTSIDE for word in words):
        yield Annotation(UNKNOWN, words[0].start(), words[-1].end())


def _extend_date(draft: Annotation, text: str, drafts: list[Annotation]) -> Annotation:
    """Extend a year to the month and day beside it that have no label."""
    if draft.label not in ("date", "date/year"):
        return draft
    start, end = draft.start, draft.end
    floor = max((other.end for other in drafts if other.end <= start), default=0)
    ceiling = min((other.start for other in drafts if other.start >= end), default=len(text))
    after = _AFTER_YEAR.match(text, end, ceiling)
    if after and all(is_month(word) for word in after.groups() if word):
        end = after.end()
    else:
        before = _BEFORE_YEAR.search(text, floor, start)
        if before and is_month(before[1]):
            start = before.start()
        elif numeric := _NUMERIC.search(text, floor, start):
            start = numeric.start()
    return Annotation("date", start, end) if (start, end) != (draft.start, draft.end) else draft


def _close_lists(drafts: list[Annotation], text: str) -> list[Annotation]:
    """Return the annotations with "?" for a list that initials follow, and undivided lists up to their "et al."."""
    gaps = dict(_gaps(drafts, len(text)))
    closed: list[Annotation] = []
    broken: list[Annotation] = []
    for draft in drafts:
        if draft.label in ("author", "editor") and draft.end in gaps:
            after = gaps[draft.end]
            others = ET_AL.match(text, *_inside(text, draft.end, after))
            if _INITIALS.match(text[draft.end : after]):
                broken.append(draft)
            elif others and not any(_lies_in(one, draft) for one in drafts):
                draft = Annotation(draft.label, draft.start, min(others.end(), after))
        closed.append(draft)
    kept = [one for one in closed if one not in broken and not any(_lies_in(one, whole) for whole in broken)]
    return [*kept, *(Annotation(UNKNOWN, whole.start, whole.end) for whole in broken)]


def _lies_in(one: Annotation, whole: Annotation) -> bool:
    return one is not whole and whole.start <= one.start and one.end <= whole.end
