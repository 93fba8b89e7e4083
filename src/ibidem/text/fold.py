"""Folded and hashed forms of words, which features compare; the text itself is never changed."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable
from functools import lru_cache

_SPECIAL = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


@lru_cache(maxsize=1 << 14)
def fold(word: str) -> str:
    """Return `word` without case, accents, ligatures and full-width forms.

    >>> fold("Ｍüller"), fold("ﬁeld"), fold("Œuvres")
    ('muller', 'field', 'oeuvres')
    """
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold().translate(_SPECIAL)


def hash32(text: str) -> int:
    """Return a 32-bit hash of `text` (CRC-32), the same on every machine and in every run."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def hash_all(texts: Iterable[str]) -> list[int]:
    """Return `hash32` of each text, in one loop.

    >>> hash_all(["a", "b"]) == [hash32("a"), hash32("b")]
    True
    """
    return [zlib.crc32(text.encode("utf-8", "surrogatepass")) for text in texts]
