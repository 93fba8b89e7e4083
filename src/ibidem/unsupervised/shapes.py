"""Classes of words by their look: what stands in for a word that is too rare to have counts of its own."""

from __future__ import annotations

from functools import lru_cache

_LONGEST = 6  # signs of a shape that are told apart


@lru_cache(maxsize=1 << 16)
def shape_class(word: str) -> str:
    """The class of a word: kinds of characters with runs made short, and in coarse steps how long it is.

    Upper-case letters are X, lower-case x, digits 9, others themselves or, outside of ASCII, ·. A class begins with a
    blank, which no word holds, so that it cannot be taken for one.

    >>> shape_class("Bartlett"), shape_class("B."), shape_class("2001"), shape_class("2002-2009"), shape_class("of")
    (' Xx+', ' X.', ' 9999', ' 9-9', ' x')
    """
    kinds = [_kind(character) for character in word[:64]]
    runs = [kind for place, kind in enumerate(kinds) if place == 0 or kind != kinds[place - 1]]
    if runs == ["9"]:  # how many digits tells years from pages
        return " " + "9" * min(len(word), _LONGEST)
    shape = "".join(runs[:_LONGEST])
    letters = kinds.count("x")
    return f" {shape}+" if letters >= 4 else f" {shape}"


def _kind(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character if character.isascii() else "·"
