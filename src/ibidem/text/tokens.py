"""Splitting a string into tokens, finely enough that a field can begin inside a compact form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ibidem.kernels import compiled
from ibidem.types import IntArray, Reference, Token

# Characters of scripts that put no spaces between words: each is a token.
_SINGLE = r"\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


def _any_case(word: str) -> str:
    """The pattern of a word in small letters or capitals, and in nothing else that Unicode would fold to them."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


_HTTP, _RESOLVER = rf"{_any_case('http')}[sS]?://", rf"(?:{_any_case('dx')}\.)?{_any_case('doi')}\.{_any_case('org')}/"
# One alternative per class of token, tried in order: first what is frequent and cannot begin an address or a DOI, then
# the rest. Every quantifier runs over a class that cannot match the next piece, so the time is linear in the text
# whatever the text is.
_PIECES = re.compile(
    rf"""
    [^\W\d_hHdDfF{_SINGLE}][^\W\d_]*(?:[\u0300-\u036f]+[^\W\d_]*)*    # letters with their accents
  | [^\w\s.-]                                             # a mark, by itself
  | \.+ | -+                                              # dots and dashes in runs
  | [02-9][0-9]*                                          # digits
  | (?:{_HTTP})?{_RESOLVER}                              # a resolver stands before a DOI, which is a token of its own
  | 10\.[0-9]{{4,9}}/[^\s<>"“”\[\]{{}}|,;]*[^\s<>"“”\[\]{{}}|,;.:)('’]    # a DOI, without the full stop after it
  | (?:{_HTTP}|{_any_case("ftp")}://)[^\s<>"“”\[\]{{}}|]*[^\s<>"“”\[\]{{}}|.,;:)('’]   # an address
  | [{_SINGLE}]
  | [^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*               # letters that an address might have begun with
  | [0-9]+ | \d+                                          # digits that a DOI might have begun with, any script's
  | \S                                                    # anything else, by itself
    """,
    re.VERBOSE,
)
# A line without the whitespace around it; nothing between its first and its last character breaks a line.
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_SUPERSCRIPT = re.compile("([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
# The classes of characters in the numbers of tokenise.hpp; what is none of these is a mark.
_CLASSES = {1: r"\s", 2: rf"[^\W\d_{_SINGLE}]", 3: rf"(?=[{_SINGLE}])[^\W\d_]", 4: r"\d"}
_MARK, _PAGE = 5, 256
# What Python calls space; the last entry stands for all characters that lie beyond.
_IS_SPACE = np.zeros(0x3002, dtype=np.bool_)
_IS_SPACE[[*range(9, 14), *range(28, 33), *range(0x2000, 0x200B)]] = True
_IS_SPACE[[0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]] = True


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """The tokens of several strings, one string after the other, without an object for each token."""

    texts: list[str]  # [N]
    start: NDArray[np.int64]  # [N] in its string
    end: NDArray[np.int64]  # [N]
    space_before: NDArray[np.bool_]  # [N] whether whitespace comes before the token; true for the first of a string
    lengths: IntArray  # [B] number of tokens


def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of `text`, in order, with nothing but whitespace between them.

    >>> [token.text for token in tokenise("J Clin 2019;14(3):153-60.")]
    ['J', 'Clin', '2019', ';', '14', '(', '3', ')', ':', '153', '-', '60', '.']
    """
    return tuple(Token(piece.group(), piece.start(), piece.end()) for piece in _PIECES.finditer(text))


def tokenise_lines(text: str) -> tuple[Token, ...]:
    """Return the lines of `text` that are not empty, each one token without the whitespace around it: headings.

    >>> [token.text for token in tokenise_lines("1 Introduction\\n\\n2  Related work ")]
    ['1 Introduction', '2  Related work']
    """
    return tuple(Token(piece.group(), piece.start(), piece.end()) for piece in _LINE.finditer(text))


def tokenise_with_breaks(text: str) -> tuple[Token, ...]:
    """Return the tokens of `text`, and one for every line break: the lines of a header.

    A superscript is a token by itself, as it is a symbol in a header.

    >>> [token.text for token in tokenise_with_breaks("Ann Reed1\\n1 Mill Lane")]
    ['Ann', 'Reed', '1', '\\n', '1', 'Mill', 'Lane']
    """
    tokens: list[Token] = []
    end = 0
    for token in tokenise(text):
        if tokens and (line := text.find("\n", end, token.start)) >= 0:
            tokens.append(Token("\n", line, line + 1))
        if token.text.isalnum() and not token.text.isascii() and _SUPERSCRIPT.search(token.text):
            pieces = _SUPERSCRIPT.split(token.text)
            ends = np.cumsum([len(piece) for piece in pieces]) + token.start
            tokens += [Token(one, int(end) - len(one), int(end)) for one, end in zip(pieces, ends, strict=True) if one]
        else:
            tokens.append(token)
        end = token.end
    return tuple(tokens)


def tokenise_batch(texts: Sequence[str]) -> TokenBatch:
    """Return the tokens that `tokenise` gives for each of several strings, as one batch.

    >>> tokenise_batch(["A b.", "c"]).texts
    ['A', 'b', '.', 'c']
    """
    if kernels := compiled():
        classes = _character_classes()
        while isinstance(found := kernels.tokenise(list(texts), classes), set):
            _add_character_classes(classes, found)
        return TokenBatch(found[0], found[1], found[2], found[3].view(np.bool_), found[4])
    joined = "\n".join(texts)
    pieces = _PIECES.findall(joined)
    characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    filled = np.flatnonzero(~_IS_SPACE[np.minimum(characters, len(_IS_SPACE) - 1)])  # every such one is in a token
    sizes = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
    last = np.cumsum(sizes)
    start, end = filled[last - sizes], filled[last - 1] + 1
    space_before = np.ones(len(pieces), dtype=np.bool_)
    space_before[1:] = start[1:] != end[:-1]
    widths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    origin = np.cumsum(widths) - widths
    string = np.searchsorted(origin, start, side="right") - 1
    lengths = np.bincount(string, minlength=len(texts)).astype(np.int32)
    return TokenBatch(pieces, start - origin[string], end - origin[string], space_before, lengths)


@lru_cache(1)
def _character_classes() -> NDArray[np.uint8]:
    """Return the class of every character, 0 for those whose page was not needed yet.  # [0x110000]"""
    return np.zeros(0x110000, dtype=np.uint8)


def _add_character_classes(classes: NDArray[np.uint8], pages: set[int]) -> None:
    """Add the classes of the characters on these pages to the table."""
    for first in (page * _PAGE for page in pages):
        characters = "".join(map(chr, range(first, first + _PAGE)))
        found = np.full(_PAGE, _MARK, dtype=np.uint8)
        for number, pattern in _CLASSES.items():
            found[[piece.start() for piece in re.finditer(pattern, characters)]] = number
        classes[first : first + _PAGE] = found  # at once: another thread may be reading the table


def batch_tokens(strings: Sequence[Sequence[Token]]) -> TokenBatch:
    """Return the batch of strings that are split into tokens already."""
    tokens = [token for string in strings for token in string]
    start = np.array([token.start for token in tokens], dtype=np.int64)
    end = np.array([token.end for token in tokens], dtype=np.int64)
    lengths = np.fromiter(map(len, strings), dtype=np.int32, count=len(strings))
    space_before = np.ones(len(tokens), dtype=np.bool_)
    space_before[1:] = start[1:] != end[:-1]
    space_before[(np.cumsum(lengths) - lengths)[lengths > 0]] = True
    return TokenBatch([token.text for token in tokens], start, end, space_before, lengths)


def reference_of(text: str, source: str = "") -> Reference:
    """Return the `Reference` of a string: its text as given and its tokens."""
    return Reference(text, tokenise(text), source)
