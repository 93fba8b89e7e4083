"""Noise as references meet it on paper and on the way from it: fields left out, lines broken, letters misread.

Every step works on the characters of a string; annotations go with them, so labels stay where they belong.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from random import Random

from ibidem.config import from_mapping
from ibidem.errors import ConfigError
from ibidem.records.record import Record
from ibidem.types import Annotation, Example

Change = Callable[[list[str], int, Random], None]
"""A function that alters the character at a place."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The amount of each kind of noise, as shares from 0 to 1."""

    missing: float = 0.0  # of the fields of a record that are left out before it is rendered
    breaks: float = 0.0  # of the strings that are broken into lines of some width
    hyphens: float = 0.0  # of the line breaks that fall into a word and cut it with a hyphen
    ocr: float = 0.0  # of the characters that are misread as ones that look alike
    typing: float = 0.0  # of the characters that are dropped, doubled, swapped or hit beside
    diacritics: float = 0.0  # of the strings that lose their accents
    typewriter: float = 0.0  # of the strings with the dashes and quotes that a keyboard has
    spacing: float = 0.0  # of the spaces that are lost or doubled

    def __post_init__(self) -> None:
        for one in fields(self):
            if not 0 <= getattr(self, one.name) <= 1:
                raise ConfigError(f"{one.name} is {getattr(self, one.name)}: give a share from 0 to 1")


PRESETS: dict[str, Noise] = {
    "none": Noise(),
    "light": Noise(0.05, 0.1, 0.3, 0.0005, 0.0005, 0.05, 0.4, 0.002),
    "heavy": Noise(0.15, 0.5, 0.5, 0.01, 0.004, 0.2, 0.6, 0.01),
}
"""Amounts of noise by name."""

_DROPPABLE = frozenset(
    """date editor series volume issue pages article-number edition publisher place doi url isbn issn pmid pmcid note
    accessed genre""".split()
)
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


def noise_of(text: str) -> Noise:
    """Parse a description of noise: a preset, `name=share`, or a preset and changes to it.

    >>> noise_of("light,ocr=0.01") == replace(PRESETS["light"], ocr=0.01)
    True
    """
    found = PRESETS["none"]
    changes: dict[str, object] = {}
    for number, part in enumerate(part.strip() for part in text.split(",")):
        name, equals, share = part.partition("=")
        if not equals and number == 0 and name in PRESETS:
            found = PRESETS[name]
            continue
        try:
            changes[name.strip()] = float(share)
        except ValueError:
            raise ConfigError(
                f"{part!r} is no noise; give {', '.join(PRESETS)}, or name=share pairs such as ocr=0.01,breaks=0.5"
            ) from None
    whole = {one.name: getattr(found, one.name) for one in fields(found)}
    return from_mapping(Noise, {**whole, **changes}, "noise")


def drop_fields(record: Record, noise: Noise, random: Random) -> Record:
    """Leave out fields of a record at random; a title and a first author always stay."""
    if not noise.missing:
        return record
    gone = {name for name in sorted(_DROPPABLE) if random.random() < noise.missing}
    return replace(record, entries=tuple(entry for entry in record.entries if entry.field not in gone))


def add_noise(example: Example, noise: Noise, random: Random) -> Example:
    """Add noise to the text of an example, the annotations moved along; leave alone one that would lose its letters."""
    text = list(example.text)
    _whole_string(text, noise, random)
    if noise.ocr:
        _strike(text, noise.ocr, random, _misread)
    if noise.typing:
        _strike(text, noise.typing, random, _mistype)
    if noise.spacing:
        _strike(text, noise.spacing * 0.15, random, _respace)  # about one character in seven is a space
    if random.random() < noise.breaks:
        _break_lines(text, noise.hyphens, random)
    return _rebuild(example, text)


def _rebuild(example: Example, pieces: list[str]) -> Example:
    """Return the example whose characters have become `pieces`, one for each."""
    places = [0, *accumulate(map(len, pieces))]
    text = "".join(pieces)
    annotations = []
    for annotation in example.annotations:
        start, end = places[annotation.start], places[annotation.end]
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if start < end:
            annotations.append(Annotation(annotation.label, start, end))
        elif "/" not in annotation.label:
            return example  # a field would be gone from the text while its parts may remain
    return (
        Example(text, tuple(annotations), example.source, (), example.partially_annotated) if text.strip() else example
    )


def _whole_string(text: list[str], noise: Noise, random: Random) -> None:
    if random.random() < noise.typewriter:
        text[:] = [character.translate(_KEYS) for character in text]
    if random.random() < noise.diacritics:
        text[:] = [piece if piece.isascii() else _bare(piece) for piece in text]


def _bare(piece: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", piece) if not unicodedata.combining(one)) or piece


def _strike(text: list[str], share: float, random: Random, change: Change) -> None:
    """Let `change` alter about a `share` of the characters; the steps between them are drawn directly."""
    place = int(random.expovariate(share))
    while place < len(text):
        change(text, place, random)
        place += 1 + int(random.expovariate(share))


def _misread(text: list[str], place: int, random: Random) -> None:
    if text[place] in _ALIKE:
        text[place] = random.choice(_ALIKE[text[place]])


def _mistype(text: list[str], place: int, random: Random) -> None:
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


def _respace(text: list[str], place: int, random: Random) -> None:
    space = next((at for at in range(place, min(place + 12, len(text))) if text[at] == " "), -1)
    if space > 0:
        text[space] = random.choice(("", "  "))


def _break_lines(text: list[str], hyphens: float, random: Random) -> None:
    """Break a string into lines at its spaces, or inside a word with a hyphen."""
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
