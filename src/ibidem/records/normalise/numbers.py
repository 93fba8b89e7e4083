"""Volume, issue and edition as numbers: digits, Roman numerals and ordinals of several languages; the text is kept."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import zip_longest

from ibidem.records.record import Number

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "première seconde",
    "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
    "primera segunda tercera cuarta quinta sexta séptima octava novena décima",
    "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
    "prima seconda terza quarta quinta sesta settima ottava nona decima",
    "primeira segunda terceira quarta quinta sexta sétima oitava nona décima",
    "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende",
    "первое второе третье четвертое пятое шестое седьмое восьмое девятое десятое",
)
_WORDS = {word: place for words in _ORDINALS for place, word in enumerate(words.split(), 1)}
_LEADING = r"(?:vols?|volumes?|bde?|band|t|tome?o?|nos?|nr|n°|nº|№|issues?|iss|heft|h|fasc|ed|v)\b\.?\s*"
_DIGITS = re.compile(
    rf"\W*(?:{_LEADING})?(\d{{1,6}})\s*(?:st|nd|rd|th|er|re|ère|e|è|ème|eme|ª|º|\.ª|\.º|de|te|ste|-?[ея]|-?ое|\.)?"
    r"(?:\W*(?:revised\s+|rev\.?\s+|enlarged\s+|überarb\.?\s+|erw\.?\s+)?"
    r"(?:ed(?:ition|n|s)?|auflage|aufl|edizione|edición|edição|édition|éd|uitgave|druk|изд|издание)?\W*)\Z",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"\W*(?=[IVXLCDM])(M{0,3})(CM|CD|D?C{0,4})(XC|XL|L?X{0,4})(IX|IV|V?I{0,4})\W*\Z", re.IGNORECASE)
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_WORD = re.compile(r"[^\W\d_]+")
_ENDINGS = frozenset("st nd rd th er re ère e è ème eme ª º te ste de".split())
_OFTEN = frozenset(
    "edition ed edn auflage aufl edizione edición edição édition uitgave druk издание изд la the die".split()
)


def roman(text: str) -> int | None:
    """Return the value of a Roman numeral, None where it is not one.

    >>> roman("XIV"), roman("xii"), roman("IXX"), roman("C."), roman("mix")
    (14, 12, None, 100, 1009)
    """
    found = _ROMAN.match(text)
    letters = "".join(found.groups()) if found else ""
    if not letters.isascii():  # whatever the case of other letters is folded to: the Turkish İ is no I
        return None
    values = [_VALUES[letter] for letter in letters.upper()]
    return sum(-one if one < after else one for one, after in zip_longest(values, values[1:], fillvalue=0)) or None


def ordinal(value: int) -> str:
    """Write a number as an English ordinal with a capital: in letters up to twelve.

    >>> ordinal(2), ordinal(21), ordinal(112)
    ('Second', '21st', '112th')
    """
    words = _ORDINALS[0].split()
    if 1 <= value <= len(words):
        return words[value - 1].capitalize()
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def is_bare(number: Number) -> bool:
    """Whether a number says nothing beyond its value: `2`, `2nd ed.`, `zweite Auflage`; not `2nd, revised`.

    >>> [is_bare(number_of(text)) for text in ("2", "2nd ed.", "zweite Auflage", "2nd rev. ed.", "12A")]
    [True, True, True, False, False]
    """
    if number.value is None:
        return False
    words = {word for word in _WORD.findall(number.text.lower()) if word not in _OFTEN and word not in _ENDINGS}
    return len(words) <= 1 and all(number_of(word).value == number.value for word in words)


@lru_cache(1 << 13)
def number_of(text: str) -> Number:
    """Return the number of a text, which is kept, with its value where it has one.

    >>> number_of("14"), number_of("3rd ed.").value, number_of("zweite").value, number_of("XIV").value
    (Number(text='14', value=14), 3, 2, 14)
    """
    if text.isascii() and text.isdigit() and len(text) <= 6:
        return Number(text, int(text))
    if len(text) > 60:
        return Number(text)
    found = _DIGITS.match(text)
    if found:
        return Number(text, int(found[1]))
    value = roman(text)
    if value is None:
        words = [word for word in _WORD.findall(text.lower()) if word not in _OFTEN]
        if len(words) == 1 and not any(character.isdigit() for character in text):
            value = _WORDS.get(words[0]) or _WORDS.get(words[0].removesuffix("r").removesuffix("n"))
    return Number(text, value)


_VERSION = re.compile(r"(?:version|versión|versão|versione|версия|ver|v)[. ]{0,2}(?=\d)", re.IGNORECASE)


def version_of(text: str) -> str:
    """Return a version without the word for it.

    >>> version_of("Version 3.3.070"), version_of("v2.1"), version_of("R2021a")
    ('3.3.070', '2.1', 'R2021a')
    """
    found = _VERSION.match(text)
    return text[found.end() :] if found else text
