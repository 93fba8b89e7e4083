"""Punctuation and spaces as other people and programs write them: lost, doubled, exchanged, split off, glued."""

from __future__ import annotations

from random import Random

from ibidem.data.augmentation.editing import between_fields, fields_of, identifiers_of, rebuild, some
from ibidem.types import Example

_MARKS = frozenset(",.;:")
_OTHERS = {",": ";.", ".": ",;", ";": ",.", ":": ",;."}
_QUOTES = (
    ('"', '"'),
    ("“", "”"),
    ("„", "“"),
    ("«", "»"),
    ("‘", "’"),
    ("'", "'"),
    ("“", "“"),
    ("``", "''"),
    ("「", "」"),
)
_QUOTED = frozenset('"“”„«»')
_APOSTROPHES = "'’‘ʼ´`"
_DASHES = frozenset("-‐‑‒–—−")
_OTHER_DASHES = ("-", "–", "—", "−", "--", "‐", "‑", "‒", " - ", " – ")
_SPACES = ("\u00a0", "\u2009", "\u202f", "\u2002", "\u3000", "  ", "   ", "\t")


def lose_marks(example: Example, random: Random) -> Example:
    """Leave out some of the commas, colons and full stops between fields."""
    text = list(example.text)
    for place in some(_marks_between(example), random):
        near = (example.text[place - 1 : place] + example.text[place + 1 : place + 2]).strip()
        text[place] = " " if len(near) == 2 and near.isalnum() else ""
    return rebuild(example, text)


def double_marks(example: Example, random: Random) -> Example:
    """Write some of the marks between fields twice."""
    text = list(example.text)
    for place in some(_marks_between(example), random):
        text[place] *= 2
    return rebuild(example, text)


def exchange_marks(example: Example, random: Random) -> Example:
    """Write other marks between fields: a semicolon for a comma, a comma for a full stop."""
    text = list(example.text)
    for place in some(_marks_between(example), random):
        text[place] = random.choice(_OTHERS[text[place]])
    return rebuild(example, text)


def _marks_between(example: Example) -> list[int]:
    """Return the places of marks between fields; some datasets have them inside, at the end of a field."""
    text, kept = example.text, identifiers_of(example)
    found = {place for place in between_fields(example) if text[place] in _MARKS}
    for field in fields_of(example)[:-1]:
        place = field.end - 1
        if place > field.start and text[place] in _MARKS and text[place - 1].isalnum() and not kept[place]:
            found.add(place)
    return sorted(found)


def split_marks(example: Example, _random: Random) -> Example:
    """Put spaces around every mark, as a tokeniser does: `Moe , A . ( 1999 ) .`"""
    kept = identifiers_of(example)
    text: list[str] = []
    space = True
    for character, keep in zip(example.text, kept, strict=True):
        if keep or character.isalnum() or character.isspace() or ord(character) > 0x2E7F:
            text.append(character)
            space = character.isspace()
        else:
            text.append(f"{character} " if space else f" {character} ")
            space = True
    for place, character in enumerate(example.text[1:], 1):  # one space, not two
        if character == " " and text[place - 1].endswith(" "):
            text[place] = ""
    return rebuild(example, text)


def glue_fields(example: Example, random: Random) -> Example:
    """Leave out some of the spaces between fields, but those between two letters."""
    text, whole = list(example.text), example.text
    spaces = [
        place
        for place in between_fields(example)
        if whole[place].isspace() and not (whole[place - 1].isalpha() and whole[place + 1].isalpha())
    ]
    for place in some(spaces, random):
        text[place] = ""
    return rebuild(example, text)


def change_quotes(example: Example, random: Random) -> Example:
    """Write other quotes and apostrophes: straight, curly, or those of another language."""
    text = list(example.text)
    opening, closing = random.choice(_QUOTES)
    apostrophe = random.choice("'’")
    for place, character in enumerate(example.text):
        if character in _QUOTED:
            opens = not example.text[place - 1 : place].strip(" ([—–")
            text[place] = opening if opens else closing
        elif character in _APOSTROPHES:
            text[place] = apostrophe
    return rebuild(example, text)


def change_dashes(example: Example, random: Random) -> Example:
    """Write another dash between numbers and between words."""
    text, whole = list(example.text), example.text
    dash = random.choice(_OTHER_DASHES)
    kept = identifiers_of(example)
    for place, character in enumerate(whole):
        if character in _DASHES and not kept[place]:
            before, after = whole[place - 1 : place], whole[place + 1 : place + 2]
            if not (before.isalpha() and after.isalpha()) and before not in _DASHES and after not in _DASHES:
                text[place] = dash.strip() if " " in (before, after) else dash
    return rebuild(example, text)


def change_spaces(example: Example, random: Random) -> Example:
    """Write some spaces as another kind, such as one that does not break, or as several."""
    text = list(example.text)
    kind = random.choice(_SPACES)
    for place in some([place for place, one in enumerate(example.text) if one == " "], random):
        text[place] = kind
    return rebuild(example, text)
