"""What the model that ships knows by heart about names; it knows nothing where no model ships."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ibidem.features.lexicons import HashedSet


def known_given(word: str) -> bool:
    """Whether a word is a given name that is known."""
    return _known("given", word)


def known_family(word: str) -> bool:
    """Whether a word is a family name that is known."""
    return _known("family", word) or _known("family-common", word)


@lru_cache(1 << 13)
def _known(kind: str, word: str) -> bool:
    from ibidem.text.fold import fold, hash32

    words = _words(kind)
    return words is not None and all(hash32(fold(part)) in words for part in word.split("-"))


@cache
def _words(kind: str) -> HashedSet | None:
    from ibidem.models.shipped import DEFAULT, parser

    return parser(None).model.lexicons.words.get(kind) if DEFAULT.exists() else None
