"""Capital and small letters as CSL asks for them; markers of labels are looked through."""

from __future__ import annotations

import re
from collections.abc import Callable

from ibidem.csl.markers import is_marker

# Words that a title in English leaves small, from the list in the CSL specification.
_SMALL = frozenset(
    """a according across afore after against ahead along alongside amid amidst among amongst an and anenst apropos apud
    around as aside astride at athwart atop barring before behind below beneath beside besides between beyond but by
    circa despite down during et except for forenenst from given in inside into lest like modulo near next nor
    notwithstanding of off on onto or out over per plus pro qua sans since so than that the thru than through throughout
    till to toward towards under underneath until unto up upon via vs. vs v v. versus when with within without
    yet""".split()
)
_WORD = re.compile(r"\S+")


# Little words that tell languages apart.
_ENGLISH = frozenset("a an and at by for from in into is of on or the to with".split())
_OTHERS = frozenset(
    """auf aus bei das dem den der des ein eine im ist mit nach und von vom zu zum zur über für au aux dans de du et la
    le les leur par pour sur un une del el en las los para por su una che da dal degli dei della delle di gli il lo nel
    nella dos uma een het naar van voor och på og d' l'""".split()
)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_TOKEN = re.compile(r"[^\W\d_]+'?")


def seems_english(text: str) -> bool:
    """Whether a text may be English: its letters are Latin, and it has not more little words of other languages.

    >>> [seems_english(text) for text in ("Codes before telegraphy", "Zeitschrift für Torfkunde", "О колоколах")]
    [True, False, False]
    >>> seems_english("The state of de novo design"), seems_english("Revue d'ethnologie")
    (True, False)
    """
    words = _TOKEN.findall(text[:400].lower().replace("’", "'"))
    foreign = sum(word in _OTHERS for word in words)
    if not foreign:
        return text.isascii() or not words or bool(_LATIN.match(_plain("".join(words))))
    return sum(word in _ENGLISH for word in words) >= foreign


def _first_up(word: str) -> str:
    place = next((place for place, character in enumerate(word) if character.isalnum()), len(word))
    return word[:place] + word[place : place + 1].upper() + word[place + 1 :]


def capitalise_first(text: str) -> str:
    """Capitalise the beginning of a text, unless its first word has capitals already.

    >>> capitalise_first("the pH of bogs"), capitalise_first("pH of bogs")
    ('The pH of bogs', 'pH of bogs')
    """
    word = _WORD.search(text)
    return text if not word or not _plain(word[0]).islower() else _first_up(text)


def _plain(word: str) -> str:
    return word if word.isascii() else "".join(character for character in word if not is_marker(character))


def capitalise_all(text: str) -> str:
    """Capitalise every word that has no capital."""
    return _WORD.sub(lambda word: _first_up(word[0]) if _plain(word[0]).islower() else word[0], text)


def sentence(text: str) -> str:
    """Put a text in sentence case: one all in capitals is lowered first."""
    return capitalise_first(text.lower() if _plain(text).isupper() else text)


def title(text: str) -> str:
    """Put a text in English title case: small words are capitalised only first, last and after a colon.

    >>> title("the price of reeds: a study")
    'The Price of Reeds: A Study'
    """
    words = list(_WORD.finditer(text))
    everything_loud = _plain(text).isupper()
    pieces, done, fresh = [], 0, True
    for number, word in enumerate(words):
        raw = word[0].lower() if everything_loud else word[0]
        plain = _plain(raw)
        stay = plain in _SMALL and not fresh and number + 1 < len(words)
        pieces += [text[done : word.start()], _first_up(raw) if plain.islower() and not stay else raw]
        done = word.end()
        fresh = plain.endswith((":", "?", "!", "."))
    return "".join(pieces) + text[done:]


CASES: dict[str, Callable[[str], str]] = {
    "lowercase": str.lower,
    "uppercase": str.upper,
    "capitalize-first": capitalise_first,
    "capitalize-all": capitalise_all,
    "sentence": sentence,
    "title": title,
}
