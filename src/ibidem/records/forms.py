"""What is certain by form is decided before anything else: the type of a work, and fields that the rules find.

A rule overrules the parser where it labelled part of a number as pages or the like; what the parser said stands in a
warning beside the value, and in `origin`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ibidem.records.fields import NAMES
from ibidem.records.form_rules import MARKER, RULES, WORD, Rule, bracketed_genre, marked_type
from ibidem.records.names_of_containers import container_type
from ibidem.types import Field, Parsed

CERTAIN = 0.95
"""The probability of a type and the confidence of a field that a rule gives."""
_LONGEST = 2000  # characters of a reference that rules look at
_PLACED = frozenset({"volume", "issue", "pages", "article-number"})
_WORD = re.compile(r"[^\W_]")
_ACCESS = re.compile(
    r"(?<![A-Za-zÀ-ÿА-яё])(?:accessed|retrieved|visited|viewed|abgerufen|zugegriffen|zugriff|abruf|aufgerufen|consulté|consultado|consultato"
    r"|acessado|acesso|visitato|geraadpleegd|hämtad|besøgt|dostęp|erişim|обращения|просмотра|просмотрено|访问|查阅|引用"
    r"|アクセス|閲覧|접속)\W{0,3}(?:\w{0,8}\W{1,2}){0,2}\Z",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Revised:
    """The fields of a reference as the rules leave them, the type they give, and a remark by the start of a field.

    `years` are the dates of the parser that are now part of another field.
    """

    fields: list[Field]
    type: str = ""
    years: list[Field] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)


def revise(parsed: Parsed) -> Revised:
    """Return the fields of a parsed reference with what the rules find in its text.

    >>> revise(Parsed("Bells [Data set]. 1990", (Field("title", "Bells [Data set]", 0, 16, 0.9),), 0.9)).type
    'dataset'
    """
    text = parsed.text[:_LONGEST]
    made = Revised([_accessed(one, text) for one in parsed.fields])
    made.type = marked_type(text)
    if genre := bracketed_genre(text):
        made.type = made.type or genre[0]
        _place(made, text, "type", genre[1], genre[2], genre[1:])
    for rule in _to_try(text):
        found = _first(rule, text)
        if found is None or (rule.alone and _stands_in_journal(made.fields, *found.span())):
            continue
        made.type = made.type or rule.type
        # From the last to the first, so that each stands at the end of what the parser may have labelled as one field.
        for name in reversed(list(rule.pattern.groupindex)):
            start, end = found.span(name)
            # The words that say what a name is, (… Trans.), go out of the field with it.
            around = found.span() if name in NAMES else (start, end)
            if start >= 0:
                _place(made, text, name.replace("_", "-"), start, end, around)
        if rule.type in _DATED and not any(one.label == "date" for one in made.fields):
            years = list(_YEAR.finditer(text, *found.span()))
            made.years += (Field("date", one.group(), *one.span(), CERTAIN) for one in years[-1:])
    if made.type in ("", "chapter"):
        made.type = container_type(made.fields) or made.type
    return made


_DATED = frozenset({"legislation", "standard", "legal-case"})
"""The types whose title or number has the year where nothing else has."""
_WITH_YEAR = frozenset({"title", "report-number", "volume", "type"})
"""The fields whose text may hold the year of the work; four digits of an identifier are none."""
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?![\d/])")


def _to_try(text: str) -> list[Rule]:
    """Return the rules that may match, in their order: those of which a word or a piece stands in the text."""
    numbers = {number for word in _BY_WORD.keys() & set(WORD.findall(text)) for number in _BY_WORD[word]}
    numbers.update(number for piece, number in _BY_PIECE if piece in text)
    return [RULES[number] for number in sorted(numbers)]


_BY_WORD: dict[str, list[int]] = {}
for _number, _rule in enumerate(RULES):
    for _word in _rule.words:
        _BY_WORD.setdefault(_word, []).append(_number)
_BY_PIECE = [(piece, number) for number, rule in enumerate(RULES) for piece in rule.pieces]


def _first(rule: Rule, text: str) -> re.Match[str] | None:
    """Return the first match of a rule that stands after nothing that forbids it."""
    for found in rule.pattern.finditer(text):
        if rule.not_after is None or not rule.not_after.search(text, max(0, found.start() - 5), found.start()):
            return found
    return None


def _accessed(one: Field, text: str) -> Field:
    """Return a date as one of access where the words before it say so."""
    if one.label == "date" or one.label.startswith("date/"):
        before = text[max(0, one.start - 40) : one.start]
        marked = text[one.start - 1 : one.start] == "[" and "/OL]" in text[: one.start]  # as GB/T 7714 has it
        if marked or _ACCESS.search(before):
            return Field(one.label.replace("date", "accessed", 1), one.text, one.start, one.end, one.confidence)
    return one


def _stands_in_journal(fields: Sequence[Field], start: int, end: int) -> bool:
    """Whether the fields outside of a stretch of text are those of an article in a journal."""
    outside = {one.label for one in fields if one.end <= start or one.start >= end}
    return "journal" in outside and bool(outside & _PLACED)


def _place(made: Revised, text: str, label: str, start: int, end: int, around: tuple[int, int]) -> None:
    """Make a stretch of text a field, unless what is `around` it is the middle of another or part of a name."""
    tops = [one for one in made.fields if "/" not in one.label and one.start < around[1] and one.end > around[0]]
    if any(one.label == label and one.start <= start and end <= one.end for one in tops) or any(
        place in range(start, end) for place in made.remarks
    ):
        return
    if (label == "arxiv" and any(one.label == label for one in made.fields)) or (
        label == "date" and any(one.label == "accessed" for one in tops)
    ):
        return
    kept: list[Field] = []
    for one in tops:
        before, after = (bool(_WORD.search(text, *ends)) for ends in ((one.start, around[0]), (around[1], one.end)))
        after = after and not (before and one.label == "url" and label == "accessed")  # no address has words inside
        if (before and after) or (one.label in NAMES and (before or after)):
            return
        if before or after:
            left, right = (one.start, around[0]) if before else (around[1], one.end)
            kept.append(_cut(one, text, left, right))
    if len(tops) > len(kept) or kept:
        others = [one for one in made.fields if not any(_is_part(one, top) for top in tops)]
        swallowed = [one for one in tops if one.label != label and start <= one.start and one.end <= end]
        if swallowed:
            listed = ", ".join(f"{one.text!r} {one.label}" for one in swallowed)
            made.remarks[start] = f"by its form; the parser labelled {listed}"
            if label in _WITH_YEAR:
                made.years += (one for one in swallowed if one.label == "date")
        made.fields = others + kept
    made.fields.append(Field(label, text[start:end], start, end, CERTAIN))
    made.fields.sort(key=lambda one: (one.start, -one.end))


def _is_part(one: Field, top: Field) -> bool:
    return one.start >= top.start and one.end <= top.end and (one is top or one.label.startswith(top.label + "/"))


def _cut(one: Field, text: str, start: int, end: int) -> Field:
    """Return a field with a stretch of its text alone, without the brackets and spaces at the edge of it."""
    while end > start and text[end - 1] in " ([{":
        end -= 1
    while start < end and text[start] in " )]}.,;:":
        start += 1
    return Field(one.label, text[start:end], start, end, one.confidence)


def strip_marker(title: str) -> str:
    """Return a title without the marker of GB/T 7714 at its end, whose type the record has.

    >>> strip_marker("乡土中国[M]"), strip_marker("Bells [sic]")
    ('乡土中国', 'Bells [sic]')
    """
    found = MARKER.search(title, max(0, len(title) - 12))
    return title[: found.start()].rstrip() if found and found.end() == len(title) and found.start() else title
