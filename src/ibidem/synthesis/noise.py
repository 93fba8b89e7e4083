"""Noise as references meet it on paper and on the way from it: fields left out, lines broken, letters misread.

The misprints themselves are those of `ibidem.data.augmentation`; here are their amounts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from random import Random

from ibidem.config import from_mapping
from ibidem.data.augmentation.editing import rebuild
from ibidem.data.augmentation.misprints import break_lines, misread, mistype, remove_accents, respace, strike, use_keys
from ibidem.errors import ConfigError
from ibidem.records.record import Record
from ibidem.types import Example


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
    if random.random() < noise.typewriter:
        text = use_keys(text)
    if random.random() < noise.diacritics:
        text = remove_accents(text)
    if noise.ocr:
        strike(text, noise.ocr, random, misread)
    if noise.typing:
        strike(text, noise.typing, random, mistype)
    if noise.spacing:
        strike(text, noise.spacing * 0.15, random, respace)  # about one character in seven is a space
    if random.random() < noise.breaks:
        break_lines(text, noise.hyphens, random)
    return rebuild(example, text)
