"""Splitting a string into tokens, finely enough that a field can begin inside a compact form."""

from __future__ import annotations

import re

from ibidem.types import Reference, Token

# One alternative per kind of token, tried in order. Every quantifier runs over a class that cannot match the next
# piece, so the time is linear in the text whatever the text is.
_PIECES = re.compile(
    r"""
    (?:https?://)?(?:dx\.)?doi\.org/                      # a resolver stands before a DOI, which is a token of its own
  | 10\.[0-9]{4,9}/[^\s<>"“”\[\]{}|,;]*[^\s<>"“”\[\]{}|,;.:)('’]    # a DOI, without the full stop after it
  | (?:https?|ftp)://[^\s<>"“”\[\]{}|]*[^\s<>"“”\[\]{}|.,;:)('’]   # an address
  | [\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]  # no blanks between words: one each
  | (?:[^\W\d_][\u0300-\u036f]*)+                         # letters with their accents
  | [0-9]+ | \d+                                          # digits
  | -{2,} | \.{2,}                                        # dashes and dots in runs
  | \S                                                    # anything else, by itself
    """,
    re.VERBOSE | re.IGNORECASE,
)


def tokenise(text: str) -> tuple[Token, ...]:
    """The tokens of `text`, in order, with nothing but blanks between them.

    >>> [token.text for token in tokenise("J Clin 2019;14(3):153-60.")]
    ['J', 'Clin', '2019', ';', '14', '(', '3', ')', ':', '153', '-', '60', '.']
    """
    return tuple(Token(piece.group(), piece.start(), piece.end()) for piece in _PIECES.finditer(text))


def read(text: str, source: str = "") -> Reference:
    """The `Reference` of a string: its text as given and its tokens."""
    return Reference(text, tokenise(text), source)
