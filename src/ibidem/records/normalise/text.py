"""The text of a field cleaned: whitespace collapsed, punctuation stripped, words joined that a line break divided.

Case is never changed, and nothing inside a word is touched but a hyphen at a line break.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

Outcome = tuple[str, tuple[str, ...]]

_WHITESPACE = re.compile(r"\s+")
_HYPHEN = re.compile(r"(?<!\w)(\w{1,60})(?:-\s{1,9}|\u00ad\s{0,9})(\w{1,60})")
_LISTED = frozenset("and or und oder et ou e o y u en of to bis nor".split())  # pre- and post-war
_BEFORE = " \t\n,;:.\u00a0"
_AFTER = " \t\n,;:\u00a0"
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "(": ")", "[": "]", "‘": "’", "'": "'", "<": ">", "{": "}"}


def clean(text: str) -> str:
    """Return the text with single spaces and without commas, colons and embracing quotes or brackets at its edges.

    >>> clean(' “On  the drift of\\nbells,” ')
    'On the drift of bells'
    """
    plain = _WHITESPACE.sub(" ", text) if not text.isprintable() or "  " in text or "\u00a0" in text else text
    plain = plain.lstrip(_BEFORE).rstrip(_AFTER)
    if len(plain) > 2 and _PAIRS.get(plain[0]) == plain[-1]:
        inner = plain[1:-1]
        return clean(inner) if plain[0] not in inner and plain[-1] not in inner else plain
    return plain


def join_hyphenated(text: str, known: Callable[[str], bool]) -> Outcome:
    """Join words that a line break divided, as far as `known` words tell.

    A word that is known without the hyphen loses it; two known words keep it and lose the space; anything else stays
    as it is, with a warning.

    >>> known = {"recognition", "long", "term"}.__contains__
    >>> join_hyphenated("Recog- nition of long- term drift, pre- and post-war", known)
    ('Recognition of long-term drift, pre- and post-war', ())
    """
    if "- " not in text and "-\n" not in text and "\u00ad" not in text:
        return text, ()
    doubtful: list[str] = []

    def mend(found: re.Match[str]) -> str:
        head, tail = found.groups()
        if not tail[0].islower() or tail in _LISTED:
            return found.group() if "\u00ad" not in found.group() else head + tail
        if "\u00ad" in found.group() or known((head + tail).lower()):
            return head + tail
        if known(head.lower()) and known(tail.lower()):
            return f"{head}-{tail}"
        doubtful.append(found.group())
        return found.group()

    return _HYPHEN.sub(mend, text), tuple(f"{word!r} may be one word" for word in doubtful)


@lru_cache(1 << 12)
def is_known_word(word: str) -> bool:
    """Whether a word is in the lexicons of the default model; none is where no model is installed."""
    from ibidem.models.shipped import DEFAULT, parser
    from ibidem.text.fold import fold, hash32

    if not DEFAULT.exists():
        return False
    lexicons = parser(None).model.lexicons
    print_ = hash32(fold(word))
    return bool(lexicons.statistics.code(print_)) or any(print_ in words for words in lexicons.words.values())


def normalise_text(text: str) -> Outcome:
    """Return the text of any field cleaned, words joined that a line break divided.

    >>> normalise_text("The  grammar of bell signals,")
    ('The grammar of bell signals', ())
    """
    joined, warnings = join_hyphenated(text, is_known_word)
    return clean(joined), warnings
