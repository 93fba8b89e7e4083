"""Strings of open sets and rendered records as flat UMass has its own: its labels, its tokens, and what it leaves out.

UMass cuts punctuation off, has a field for each person, and has lost what joins and introduces fields: "and", "In",
"et al.", "Eds." and every identifier are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from ibidem.app.benchmarks.synthesis import in_styles, rendered
from ibidem.app.benchmarks.timing import say
from ibidem.app.benchmarks.umass_records import STYLES, recast
from ibidem.models.parser import Parser
from ibidem.models.shipped import DEFAULT
from ibidem.models.storage import load
from ibidem.models.trials import references_of
from ibidem.tasks import registry
from ibidem.tasks.overlap import Blocklist
from ibidem.text.fold import fingerprint
from ibidem.types import Example, Labelling, Mark, Reference, Token

SETS: dict[str, int | None] = {"grobid-citation": None, "anystyle": None, "elife": 15_000}
RENDERED = (
    ("bibliographies", 20_000, ("all",)),
    ("bibliographies", 30_000, STYLES),
    ("dblp", 10_000, STYLES),
    ("medline", 8_000, STYLES),
)
RECAST = 80_000
_INSTITUTION = "institution|organization|school"
_LABELS = {
    "author/person": "author",
    "author/collaboration": "author",
    "editor/person": "editor",
    "editor/collaboration": "editor",
    "title": "title",
    "journal": "journal",
    "book": "booktitle",
    "series": "series",
    "volume": "volume",
    "issue": "number",
    "report-number": "number",
    "pages": "pages",
    "article-number": "pages",
    "edition": "edition",
    "chapter": "chapter",
    "date/year": "year",
    "date/month": "month",
    "publisher": "publisher",
    "place": "address",
    "institution": _INSTITUTION,
    "institution|publisher": f"{_INSTITUTION}|publisher",
    "publisher|institution": f"{_INSTITUTION}|publisher",
    "journal|book|archive": "journal|booktitle",
    "title|book|journal": "title|booktitle|journal",
    "book|title": "title|booktitle",
    "type": "type",
    "note": "note",
    "?": "?",
}
_LISTS = frozenset({"author", "editor"})
_LEFT_OUT = frozenset(
    "doi url arxiv pmid pmcid isbn issn accessed marker archive author/etal editor/etal date/day".split()
)
_KEPT = frozenset("pp vol no pages volume p number issue edition ed to appear submitted press nr v art".split())
_AND = frozenset("and und et y e i &".split())
_DRAWN = {"“": "``", "”": "``", '"': "``", "–": "--", "—": "--", "’": "'", "‘": "`"}
# UMass has two ways to cut: four strings in five keep "J." together, and "12-19", and "``".
_TOKEN = re.compile(r"(?<![^\W\d_])[A-Z]\.(?!\w)|\d+\.\d+|[\w/&](?:[\w/&'’+=*\-–]*[\w/&+])?|[^\w\s]")
_SMALL_TOKEN = re.compile(r"\w+|[^\w\s]")
_SMALL = 5  # one string in so many is cut the other way
_INITIAL = re.compile(r"[^\W\d_]\Z")
_YEAR = re.compile(r"\d{4}")
_BEFORE, _AFTER = frozenset(",;:.()`'") | {"``", "''"}, frozenset({",", ";", ":", "``", "''", "`"})
_FOREIGN = 0.1  # share of letters beyond Latin above which a string is left out


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token of the new string and the place in the old one that it comes from."""

    token: Token
    start: int
    end: int


def open_data(blocked: Blocklist) -> list[Example]:
    """Strings of the open sets and of rendered records, as UMass would have them, but for those that are blocked."""
    divide = Parser(load(DEFAULT))
    found: list[Example] = []
    for name, strings in _strings():
        examples = [one for one in strings if not blocked.contains(one.text)]
        found += _all_as_umass(examples, divide)
        say(f"{len(found):,} strings with {name}")
    return found


def _strings() -> Iterator[tuple[str, Iterable[Example]]]:
    for name, limit in SETS.items():
        yield name, islice((item for item in registry.load_unified(name) if isinstance(item, Example)), limit)
    for name, count, styles in RENDERED:
        yield f"rendered records of {name}", rendered(name, count, styles)
    yield "records recast", in_styles(recast(RECAST), RECAST, STYLES)


def _all_as_umass(examples: Sequence[Example], divide: Parser) -> Iterator[Example]:
    """The examples that can be shown so; lists of persons that a set does not divide, the parser divides."""
    whole = [number for number, example in enumerate(examples) if _LISTS & example.opaque]
    references = references_of([examples[number] for number in whole])
    labellings = divide.label(references)
    persons = dict(zip(whole, map(_persons, references, labellings), strict=True))
    for number, example in enumerate(examples):
        shown = as_umass(example, persons.get(number, ()))
        if shown is not None:
            yield shown


def _persons(reference: Reference, labelling: Labelling) -> list[Mark]:
    tokens = reference.tokens
    return [
        Mark(span.label, tokens[span.start].start, tokens[span.end - 1].end)
        for span in labelling.spans
        if span.label in ("author/person", "editor/person")
    ]


def as_umass(example: Example, persons: Sequence[Mark] = ()) -> Example | None:
    """The example as UMass has its strings; None where that cannot be said.

    `persons` are those of the lists that the example does not divide. An example with such a list and no person in it
    is left out, as are strings that are mostly in other scripts than Latin.
    """
    text = example.text
    fields = _fields(example, persons)
    if not fields or sum(c.isalpha() and c > "\u024f" for c in text) > _FOREIGN * len(text):
        return None
    pieces = _pieces(example, fields)
    marks = [mark for field in fields if (mark := _placed(field, pieces)) is not None]
    if not marks or any(one.end > other.start for one, other in pairwise(marks)):
        return None
    tokens = tuple(piece.token for piece in pieces)
    return Example(" ".join(token.text for token in tokens), tuple(marks), example.source, tokens)


def _fields(example: Example, persons: Sequence[Mark]) -> list[Mark]:
    """The fields in UMass's labels, in order; none where a list of persons stays undivided or a label is unknown."""
    found: list[Mark] = []
    for mark in example.marks:
        inside: list[Mark] = []
        if mark.label in _LISTS and mark.label in example.opaque:
            inside = [Mark(mark.label, p.start, p.end) for p in persons if mark.start <= p.start and p.end <= mark.end]
            if not inside:
                return []
        elif mark.label == "date" and "date" in example.opaque:
            year = _YEAR.search(example.text, mark.start, mark.end)
            inside = [Mark("year", *year.span())] if year else []
        elif mark.label in _LABELS:
            inside = [Mark(_LABELS[mark.label], mark.start, mark.end)]
        elif mark.label not in _LEFT_OUT | _LISTS | {"date"} and "/" not in mark.label:
            return []
        found += inside
    return sorted(found, key=lambda mark: mark.start)


def _pieces(example: Example, fields: Sequence[Mark]) -> list[_Piece]:
    """The tokens of the new string: those of fields, numbers and punctuation between them, and a few words."""
    text, last = example.text, max(field.end for field in fields)
    gone = [mark for mark in example.marks if mark.label in _LEFT_OUT]
    small = fingerprint(text) % _SMALL == 0
    found: list[_Piece] = []
    length = 0
    for match in (_SMALL_TOKEN if small else _TOKEN).finditer(text):
        word, (start, end) = match.group(), match.span()
        if any(mark.start <= start < mark.end for mark in gone):
            continue
        if not any(field.start <= start < field.end for field in fields):
            word = _between(word, found[-1].token.text if found else "", end > last)
        word = _DRAWN.get(word, word).replace("–", "--")
        for shown in word if small and not word[:1].isalnum() else [word] if word else []:
            token = Token(shown, length, length + len(shown))
            found.append(_Piece(token, start, end))
            length = token.end + 1
    return found


def _between(word: str, before: str, at_end: bool) -> str:
    """What UMass has for a word outside of fields, nothing where it has none; `before` is what it has before it."""
    if word.lower() in _AND and before != ",":
        return ","
    if word == "&" or (word[0].isalpha() and word.lower().rstrip(".") not in _KEPT):
        return ""
    once_more = before == word or (at_end and before in frozenset(",:;."))
    return "" if word in ",:;./<>" and once_more else word


def _placed(field: Mark, pieces: Sequence[_Piece]) -> Mark | None:
    """The field in the new string, without punctuation at its edges; the dot of a last initial belongs to a name."""
    inside = [place for place, piece in enumerate(pieces) if piece.start < field.end and piece.end > field.start]
    if not inside:
        return None
    first, last = inside[0], inside[-1]
    words = [piece.token.text for piece in pieces]
    if field.label in _LISTS and _INITIAL.match(words[last]) and words[last + 1 : last + 2] == ["."]:
        last += 1
    while first <= last and words[first] in _BEFORE:
        first += 1
    while first <= last and words[last] in _AFTER:
        last -= 1
    return Mark(field.label, pieces[first].token.start, pieces[last].token.end) if first <= last else None
