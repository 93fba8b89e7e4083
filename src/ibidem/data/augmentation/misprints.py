"""Misprints: characters misread or mistyped, accents lost, lines broken.

Each function that alters characters works in place on the characters of a string; `ibidem.synthesis` adds the same
noise in amounts of its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from random import Random

from ibidem.data.augmentation.editing import rebuild
from ibidem.types import Example

Strike = Callable[[list[str], int, Random], None]
"""A function that alters the character at a place."""

_MISREAD, _MISTYPED = 0.01, 0.006  # of the characters of a string
_HYPHENS = 0.5  # of the line breaks that fall into a word
_ALIKE: dict[str, Sequence[str]] = {
    "l": "1I", "1": "lI", "I": "l1", "O": "0", "0": "O", "o": "0c", "e": "c", "c": "e", "h": "b", "b": "h", "S": "5",
    "5": "S", "B": "8", "8": "B3", "6": "b", "g": "q9", "n": "u", "u": "n", "f": "t", "t": "f", ",": ".", ".": ",",
    ":": ";", ";": ":", "m": ("rn",), "d": ("cl",), "w": ("vv",), "ü": ("ii", "u"), "ö": "o", "é": "e", "–": "-",
}  # fmt: skip
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890")
_BESIDE = {
    letter: [row[place + step] for step in (-1, 1) if 0 <= place + step < len(row)]
    for row in _ROWS
    for place, letter in enumerate(row)
}
_KEYS = str.maketrans({"–": "-", "—": "-", "−": "-", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "…": "..."})


def scan(example: Example, random: Random) -> Example:
    """Misread some characters as ones that look alike, as optical character recognition does."""
    return _struck(example, _MISREAD, random, misread)


def retype(example: Example, random: Random) -> Example:
    """Drop, double, swap or miss some characters, as a typist does."""
    return _struck(example, _MISTYPED, random, mistype)


def _struck(example: Example, share: float, random: Random, change: Strike) -> Example:
    text = list(example.text)
    strike(text, share, random, change)
    return rebuild(example, text)


def lose_accents(example: Example, _random: Random) -> Example:
    """Write letters without their accents."""
    return rebuild(example, remove_accents(example.text))


def use_typewriter(example: Example, _random: Random) -> Example:
    """Write the dashes and quotes that a keyboard has."""
    return rebuild(example, use_keys(example.text))


def break_into_lines(example: Example, random: Random) -> Example:
    """Break the string into lines of some width, some of the breaks inside a word with a hyphen."""
    text = list(example.text)
    break_lines(text, _HYPHENS, random)
    return rebuild(example, text)


def use_keys(text: Sequence[str]) -> list[str]:
    """Return the characters with the dashes and quotes that a keyboard has."""
    return [character.translate(_KEYS) for character in text]


def remove_accents(text: Sequence[str]) -> list[str]:
    """Return the characters without their accents."""
    return [piece if piece.isascii() else _bare(piece) for piece in text]


def _bare(piece: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", piece) if not unicodedata.combining(one)) or piece


def strike(text: list[str], share: float, random: Random, change: Strike) -> None:
    """Let `change` alter about a `share` of the characters; the steps between them are drawn directly."""
    place = int(random.expovariate(share))
    while place < len(text):
        change(text, place, random)
        place += 1 + int(random.expovariate(share))


def misread(text: list[str], place: int, random: Random) -> None:
    """Replace a character by one that looks alike."""
    if text[place] in _ALIKE:
        text[place] = random.choice(_ALIKE[text[place]])


def mistype(text: list[str], place: int, random: Random) -> None:
    """Drop, double or swap a letter or digit, or hit the key beside it."""
    character = text[place]
    if not character.isalnum():
        return
    kind = random.randrange(4)
    if kind == 0 and place and text[place - 1].isalnum():
        text[place] = ""
    elif kind == 1:
        text[place] = character * 2
    elif kind == 2 and place + 1 < len(text) and text[place + 1].isalnum():
        text[place], text[place + 1] = text[place + 1], character
    elif character.lower() in _BESIDE:
        beside = random.choice(_BESIDE[character.lower()])
        text[place] = beside.upper() if character.isupper() else beside


def respace(text: list[str], place: int, random: Random) -> None:
    """Drop or double the next space."""
    space = next((at for at in range(place, min(place + 12, len(text))) if text[at] == " "), -1)
    if space > 0:
        text[space] = random.choice(("", "  "))


def break_lines(text: list[str], hyphens: float, random: Random) -> None:
    """Break a string into lines at its spaces, or a share `hyphens` of them inside a word with a hyphen."""
    width = random.randint(35, 110)
    begin = 0
    while begin + width < len(text):
        at = begin + width
        if random.random() < hyphens and _inside_word(text, at):
            text[at] += "-\n"
        else:
            while at > begin and text[at] != " ":
                at -= 1
            if at == begin:
                return
            text[at] = "\n"
        begin = at + 1


def _inside_word(text: list[str], at: int) -> bool:
    near = text[max(0, at - 1) : at + 3]
    return len(near) == 4 and all(piece.isalpha() and piece.islower() for piece in near)
