"""What stands around a reference: words that lead to it, markers and bullets, links, page footers, another reference.

All of it is in no field, but for markers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ibidem.data.augmentation.editing import fields_of, surround
from ibidem.data.augmentation.phrases import (
    BULLETS,
    CLOSINGS,
    LEAD_INS,
    MARKERS,
    OPENINGS,
    SENTENCES,
    SUBJECTS,
    TRAILERS,
    select_for_training,
)
from ibidem.types import Example

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_TENS = ("", "x", "xx", "xxx", "xl", "l")
_WORD, _NUMBER = re.compile(r"(?<= )([^\W\d_A-Z]{4,64})(?=[ ,])"), re.compile(r"[0-9]+")
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxz"
_BETWEEN = (" ", " ", "; ", "\n", " / ", ". ")  # two references


def add_lead_in(example: Example, random: Random, phrases: Sequence[str] = select_for_training(LEAD_INS)) -> Example:
    """Put words before the reference that lead to it."""
    phrase = random.choice(phrases)
    kind = random.randrange(8)
    if kind < 2 and phrase[1:2].islower():
        phrase = phrase[:1].lower() + phrase[1:]
    elif kind == 2:
        phrase = phrase.rstrip(":,： ") + ":"
    elif kind == 3:
        return surround(example, f"({phrase} ", random.choice((")", ").")))
    glued = phrase[-1] in "参见参照见：阅自" and random.random() < 0.7
    return surround(example, phrase if glued else f"{phrase} ")


def add_opening(
    example: Example,
    random: Random,
    parts: Sequence[Sequence[str]] = (
        select_for_training(OPENINGS),
        select_for_training(SUBJECTS),
        select_for_training(CLOSINGS),
    ),
) -> Example:
    """Put the beginning of a sentence before the reference; half of them are about words of the reference itself."""
    opening, subject, closing = (random.choice(part) for part in parts)
    own = _WORD.findall(example.text)
    if own and random.random() < 0.5:
        subject = " ".join(random.choices(own, k=random.randint(1, 5)))
    return surround(example, f"{opening} {subject}{closing}")


def add_sentence(
    example: Example, random: Random, sentences: Sequence[tuple[str, str]] = select_for_training(SENTENCES)
) -> Example:
    """Put the reference into a sentence, with words before and after it."""
    before, after = random.choice(sentences)
    return surround(example, before, after)


def add_unknown_words(example: Example, random: Random) -> Example:
    """Put words of no language around the reference: those of the other functions with other letters."""
    changed = random.choice((add_lead_in, add_opening, add_sentence))(example, random)
    before, _, after = changed.text.partition(example.text)
    before, after = ("".join(_redraw_letter(letter, random) for letter in words) for words in (before, after))
    return surround(example, before, after)


def _redraw_letter(letter: str, random: Random) -> str:
    """Return another vowel for a vowel, another consonant for a consonant, in the same case."""
    if not letter.isascii() or not letter.isalpha():
        return letter
    drawn = random.choice(_VOWELS if letter.lower() in _VOWELS else _CONSONANTS)
    return drawn.upper() if letter.isupper() else drawn


def add_marker(
    example: Example, random: Random, markers: Sequence[tuple[str, str, str]] = select_for_training(MARKERS)
) -> Example:
    """Put a number or key before a reference that has none."""
    fields = fields_of(example)
    begins = example.text[: fields[0].start] if fields else example.text
    if any(one.label == "marker" for one in fields) or any(character.isalnum() for character in begins):
        return example
    before, marker, after = random.choice(markers)
    number = random.choice((random.randint(1, 9), random.randint(1, 59), random.randint(1, 300)))
    year = random.randint(1950, 2025)
    family = _family(example)
    marker = marker.format(
        n=number,
        roman=random.choice((str.upper, str.lower))(_roman(number)),
        sup=str(number).translate(_SUPERSCRIPTS),
        circle=chr(0x2460 + (number - 1) % 20),
        key=family[:3],
        cap=family[:2].upper(),
        family=family,
        year=year,
        y=f"{year % 100:02d}",
    )
    return surround(example, before + marker + after, marker=(len(before), len(before) + len(marker)))


def _family(example: Example) -> str:
    """Return the family name of the first author, or else the first word of the reference."""
    found = next((one for one in example.annotations if one.label.endswith("/family")), None)
    name = example.text[found.start : found.end] if found else example.text[:80]
    words = "".join(one if one.isalpha() else " " for one in name).split()
    return words[0][:20] if words else "Anon"


def _roman(number: int) -> str:
    """Return a number below 60 in Roman numerals, others by their last two digits.

    >>> _roman(4), _roman(59)
    ('iv', 'lix')
    """
    number = number % 60 or 1
    return _TENS[number // 10] + _UNITS[number % 10]


def add_bullet(example: Example, random: Random, bullets: Sequence[str] = select_for_training(BULLETS)) -> Example:
    """Put a bullet before the reference."""
    return surround(example, random.choice(bullets))


def add_trailer(example: Example, random: Random, trailers: Sequence[str] = select_for_training(TRAILERS)) -> Example:
    """Put the words of links, or of the foot of a page, after the reference."""
    drawn = [random.choice(trailers) for _ in range(random.choice((1, 1, 2, 3)))]
    numbers = {"n": random.randint(1, 999), "y": random.randint(1990, 2025)}
    text = random.choice((" ", " ", "\n")) + " ".join(one.format(**numbers) for one in drawn)
    return surround(example, after=text)


def add_reference(example: Example, random: Random) -> Example:
    """Let another reference in the same style follow, which is in no field.

    It is by the same authors: the longer small words of this one in another order, and other numbers.
    """
    pieces = _WORD.split(example.text)  # words and what stands between them, in turn
    drawn = pieces[1::2]
    random.shuffle(drawn)
    pieces[1::2] = drawn
    other = _NUMBER.sub(lambda found: _redraw(found.group(), random), "".join(pieces))
    return surround(example, after=random.choice(_BETWEEN) + other)


def _redraw(number: str, random: Random) -> str:
    """Return the number with other digits in its second half."""
    kept = len(number) // 2
    return number[:kept] + "".join(random.choice("123456789") for _ in number[kept:])
