"""Given names and initials, and the repair of what typesetting does to names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WHITESPACE = re.compile(r"\s+")
_EDGES = ' \t\n,;:*†‡§¶·•()[]{}<>"“”„«»|/\\&+=~_'
_COMBINING = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "˚": "\u030a"}
_COMBINING |= {"˙": "\u0307", "·": "\u0307", "¸": "\u0327"}
_ACCENT = re.compile(r"\s?([´`¨ˆ˜ˇ˚˙])\s?([A-Za-zı])|(?<=[a-z])\s?(·)\s?([zZ])|([CcSsTt])\s?¸")
_BROKEN = re.compile(r"(?<=[a-zß-ÿ])- ([a-zß-ÿ])")
_DIGRAPHS = frozenset("Yu Ya Ye Yo Ch Sh Zh Kh Ts Dz Th Ph Iu Ia Ju Ja Eu St Chr Fr Gy Ll Sz Zs Ю Я".split())
_LETTERS = re.compile(r"[^\W\d_a-z][a-z]{0,2}")


def tidy_name(text: str) -> str:
    """Return the name with single spaces, and without punctuation at its edges that is no part of it.

    Accents before their letter, spaces before full stops and hyphens at line breaks are repaired.

    >>> tidy_name(" Calder´on , J. -P ."), tidy_name("Mont- roll"), tidy_name("Mayer- Kress")
    ('Calderón , J.-P.', 'Montroll', 'Mayer-Kress')
    """
    plain = _WHITESPACE.sub(" ", text)
    if not plain.isascii() and _ACCENT.search(plain):
        plain = _ACCENT.sub(_compose, plain)
    if " ." in plain or " -" in plain or "- " in plain:
        plain = plain.replace(" .", ".").replace(" -", "-")
        plain = _BROKEN.sub(r"\1", plain).replace("- ", "-")
    return plain.strip(_EDGES)


def _compose(found: re.Match[str]) -> str:
    accent, letter, dot, below, cedilla = found.groups()
    return unicodedata.normalize("NFC", (letter or below or cedilla) + _COMBINING[accent or dot or "¸"])


def is_initials(word: str) -> bool:
    """Whether a word is made of initials: `J.`, `JA`, `J.-P.`, `Yu.A.`.

    >>> [is_initials(word) for word in ("J.", "JA", "J.-P.", "Yu.", "Li", "II", "Z", "Smith")]
    [True, True, True, True, False, True, True, False]
    """
    bare = word.replace(".", "").replace("-", "").replace("‐", "").replace("’", "").replace("'", "")
    if not bare or not bare.isalpha():
        return False
    if bare.isupper():
        return len(bare) <= 6 if "." in word else len(bare) <= 4 and not is_pronounceable(bare)
    if bare[-1:].islower() and bare[-2:] in _DIGRAPHS and bare[:-1].isupper() and 3 <= len(bare) <= 5:  # MJTh
        return True
    pieces = [piece for piece in re.split(r"[.\-‐]", word) if piece]
    return "." in word and all(len(piece) == 1 or piece in _DIGRAPHS for piece in pieces)


def is_pronounceable(capitals: str) -> bool:
    """Whether capitals have two vowels or more, enough to be a word: IWAI, not JPKA."""
    return len(capitals) > 3 and sum(letter in "AEIOUYÄÖÜ" for letter in capitals) >= 2


@lru_cache(1 << 13)
def given_of(text: str, shouted: bool = False) -> str:
    """Write initials among given names as `J. A.`; names written out stay. `shouted`: all is in capitals anyway.

    >>> given_of("JS"), given_of("J.S."), given_of("J-P"), given_of("Jean-Paul M"), given_of("Yu. A.")
    ('J. S.', 'J. S.', 'J.-P.', 'Jean-Paul M.', 'Yu. A.')
    """
    words = tidy_name(text).replace("‐", "-").replace("‑", "-").replace("–", "-")
    if words.isalpha() and len(words) == 1:
        return words + "."
    done: list[str] = []
    for word in re.sub(r"\.(?=[^\W\d_])", ". ", words).replace(". -", ".-").replace(" - ", "-").split():
        bare = word.replace(".", "").replace("-", "")
        if not is_initials(word) or (shouted and len(bare) > 2 and "." not in word):
            done.append(word)
        elif "-" in word.strip("-"):
            done.append("-".join(_add_full_stops(piece) for piece in word.split("-") if piece))
        else:
            done.append(_add_full_stops(word))
    return " ".join(done).replace(". -", ".-")


def _add_full_stops(piece: str) -> str:
    bare = piece.strip(".")
    letters = _LETTERS.findall(bare)  # Yu and Th count as one
    return " ".join(f"{letter}." for letter in letters) if "".join(letters) == bare else f"{bare}."
