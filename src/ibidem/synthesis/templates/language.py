r"""The language of templates: text with fields of a record in braces, parsed without evaluating anything.

| in a template | means |
|---|---|
| `{title}`, `{volume:roman}` | a field of the record, with its label; after the colon how it is written |
| `{author:gost}`, `{author:gost|apa}` | names in one of the styles of `names.toml`, drawn at random |
| `{date:D MONTH YYYY}` | a date in a pattern of D, DD, M, MM, MON, MONTH, YY and YYYY |
| `{'pp. |p. |}` | one of several words, drawn at random, without a label; one may be empty |
| `{type='PhD thesis|Doctoral thesis}` | one of several words that has a label of the schema |
| `#1-99#`, `@surname@`, `@Surname@` | inside words: a number, a word of a list (capital: its first letter too) |
| `<, {volume}>` | a group, left out where a field in it has no value; groups may be nested |
| `\` | before a character that stands for itself |

A template can render a record that has all the fields outside its groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ibidem.errors import ConfigError
from ibidem.labels.schema import SCHEMA
from ibidem.records.fields import DATES, FIELDS, NAMES

DATE_PART = re.compile(r"YYYY|YY|MONTH|MON|MM|M|DD|D")
_NUMBER = r"(?P<low>\d{1,12})-(?P<high>\d{1,12})"
SLOT = re.compile(rf"#{_NUMBER}#|@(?P<list>[A-Za-z][A-Za-z-]*)@")
"""What is filled in inside words: a number between two others, or an entry of a list."""
_DEEPEST = 5  # groups inside groups
_PAGES = frozenset({"first", "range", "single", "short"})
_FORMS = {"number": {"ordinal", "roman", "ROMAN"}, "text": {"upper"}}


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the template itself, of which one is drawn; with a label, if any."""

    alternatives: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the record, written in one of several forms."""

    name: str
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that are shown together or not at all."""

    parts: tuple[Part, ...]


Part = Words | Field | Group


@dataclass(frozen=True, slots=True)
class Template:
    """A form of reference: its kind and language, the types of works that it is for, and its parts in order."""

    kind: str
    language: str
    types: tuple[str, ...]
    parts: tuple[Part, ...]
    where: str  # file and line

    def required(self) -> frozenset[str]:
        """Return the fields that a record must have."""
        return frozenset(part.name for part in self.parts if isinstance(part, Field))

    def fields(self) -> frozenset[str]:
        """Return all the fields that it can show."""
        return frozenset(part.name for part in walk(self.parts) if isinstance(part, Field))


@dataclass(frozen=True, slots=True)
class Known:
    """What templates may name: styles of names, and the lists of words of each language."""

    styles: Set[str]
    lists: Mapping[str, Set[str]]


def walk(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield all parts, those of groups included."""
    for part in parts:
        yield part
        if isinstance(part, Group):
            yield from walk(part.parts)


def parse_template(text: str, where: str) -> tuple[Part, ...]:
    """Return the parts of a template; what is wrong with one is an error that names its place.

    >>> parse_template("{title}<, {date}>.", "x:1")[1]
    Group(parts=(Words(alternatives=(', ',), label=''), Field(name='date', forms=())))
    """
    parts, end = _parse(text, 0, where, 0)
    if end < len(text):
        raise _error(where, end, "'>' closes no group; write \\> for the character")
    if not any(isinstance(part, Field) or (isinstance(part, Words) and part.label) for part in walk(parts)):
        raise _error(where, 0, "there is no field in the template; write one in braces, such as {title}")
    return parts


def _error(where: str, place: int, reason: str) -> ConfigError:
    return ConfigError(f"{where}, character {place + 1}: {reason}")


def _parse(text: str, place: int, where: str, depth: int) -> tuple[tuple[Part, ...], int]:
    """Parse up to the end or the `>` that closes the group; return the parts and where it stopped."""
    parts: list[Part] = []
    plain = ""
    while place < len(text) and text[place] != ">":
        character = text[place]
        if character in "{<" and plain:
            parts.append(Words((plain,)))
            plain = ""
        if character == "{":
            end = text.find("}", place)
            if end < 0:
                raise _error(where, place, "the brace is not closed")
            parts.append(_item(text[place + 1 : end], where, place))
            place = end + 1
        elif character == "<":
            if depth == _DEEPEST:
                raise _error(where, place, f"groups are nested more than {_DEEPEST} deep")
            inner, end = _parse(text, place + 1, where, depth + 1)
            if end == len(text):
                raise _error(where, place, "the group is not closed; write \\< for the character")
            parts.append(Group(inner))
            place = end + 1
        elif character == "}":
            raise _error(where, place, "'}' closes nothing")
        else:
            step = 2 if character == "\\" and place + 1 < len(text) else 1
            plain += text[place + step - 1]
            place += step
    return (*parts, Words((plain,))) if plain else tuple(parts), place


def _item(text: str, where: str, place: int) -> Part:
    """Parse what stands between braces: words to draw from, with or without a label, or a field."""
    before, quote, words = text.partition("'")
    if quote and (not before or before.endswith("=")):
        label = before[:-1]
        if label and label not in SCHEMA:
            raise _error(where, place, f"{label!r} is no label; see `ibidem.labels.schema`")
        alternatives = tuple(words.split("|"))
        if label and not all(alternatives):
            raise _error(where, place, "words with a label must not be empty; put them into two templates")
        return Words(alternatives, label)
    name, _, forms = text.partition(":")
    if name not in FIELDS:
        raise _error(where, place, f"{name!r} is no field of records; see the table in `ibidem.records.fields`")
    return Field(name, tuple(forms.split("|")) if forms else ())


def check(template: Template, known: Known) -> None:
    """Check the forms of fields and the lists that words name."""
    lists = known.lists.get(template.language)
    if lists is None:
        raise ConfigError(f"{template.where}: there are no words for the language {template.language!r}")
    for part in walk(template.parts):
        if isinstance(part, Field):
            for form in part.forms:
                _check_form(part.name, form, template.where, known.styles)
        elif isinstance(part, Words):
            for words in part.alternatives:
                check_slots(words, lists, template.where)


def check_slots(words: str, lists: Set[str], where: str) -> None:
    """Check that numbers in words go from the smaller to the larger, and that there are the lists they name."""
    for found in SLOT.finditer(words):
        if found["list"] and found["list"].lower() not in lists:
            raise ConfigError(f"{where}: there is no list {found['list'].lower()!r}; lists: {', '.join(sorted(lists))}")
        if found["low"] and int(found["low"]) > int(found["high"]):
            raise ConfigError(f"{where}: {found[0]} goes from the larger number to the smaller")
    if "@" in SLOT.sub("", words) or "#" in SLOT.sub("", words):
        raise ConfigError(f"{where}: {words!r} has a # or @ that is not closed, as in #1-99# or @surname@")


def _check_form(name: str, form: str, where: str, styles: Set[str]) -> None:
    if name in NAMES:
        if form not in styles:
            raise ConfigError(f"{where}: {form!r} is no style of names; there are {', '.join(sorted(styles))}")
    elif name in DATES:
        if not DATE_PART.search(form):
            raise ConfigError(f"{where}: {form!r} is no pattern of a date; write D, M, MONTH, YYYY and the like")
    elif FIELDS[name].type == "pages":
        if form.isalpha() and form not in _PAGES:
            raise ConfigError(f"{where}: {form!r} is no form of pages: give {', '.join(sorted(_PAGES))} or a dash")
    elif form not in _FORMS.get(FIELDS[name].type, _FORMS["text"]):
        raise ConfigError(f"{where}: {form!r} is no form of {name}")
