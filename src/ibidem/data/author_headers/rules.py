"""Lists of authors and affiliations divided by rule, for sets that mark a list as a whole.

Commas, semicolons and words such as "and" separate; small numbers, single letters and marks after a name or before an
affiliation are symbols; the rest are names. Names that nothing separates stay together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ibidem.text.fold import fold
from ibidem.text.tokens import tokenise_with_breaks
from ibidem.types import Annotation, Token

_SEPARATORS = frozenset(",;·•|&，；、") | {"and", "und", "et", "y", "e"}
_MARKS = frozenset("*†‡§¶#∗⁎‖∥✝¹²³⁴⁵⁶⁷⁸⁹⁰")
_TITLES = frozenset(
    """member ieee senior fellow student prof professor dr phd ph md acm jr sr msc bsc mph rn author authors by
    written presented advisor chairman supervisor""".split()
)
_OUTSIDE = frozenset("()[]{}:<>\"'“”")
_LETTER = re.compile(r"[a-z]\Z")


def is_symbol(token: Token) -> bool:
    """Whether a token looks like a symbol wherever it stands: a small number or a mark, also several in a row."""
    return _MARKS.issuperset(token.text) or (len(token.text) <= 2 and token.text.isdigit())


def _tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens between two places; a mark that is repeated is one token."""
    found: list[Token] = []
    for token in tokenise_with_breaks(text[start:end]):
        before = found[-1] if found else None
        if before and before.end == token.start + start and token.text in _MARKS and before.text[-1] == token.text:
            found[-1] = Token(before.text + token.text, before.start, token.end + start)
        else:
            found.append(Token(token.text, token.start + start, token.end + start))
    return found


def authors_in(text: str, start: int, end: int) -> Iterator[Annotation]:
    """The marks of the authors, symbols and separators between two places of a text."""
    tokens = _tokens(text, start, end)
    separated = sum(token.text in ",;" for token in tokens) > 1
    name: list[Token] = []
    for place, token in enumerate(tokens):
        kind = _kind(tokens, place, name)
        if kind == "name":
            name.append(token)
            continue
        if token.text == "\n" and separated and _unfinished(name):
            continue  # the line goes on
        yield from _closed(name)
        name = []
        if kind:
            yield Annotation(kind, token.start, token.end)
    yield from _closed(name)


def _kind(tokens: Sequence[Token], place: int, name: Sequence[Token]) -> str:
    """What a token of a list of authors is: "name", "symbol", "separator", or "" for none of these."""
    text = tokens[place].text
    after = tokens[place + 1].text if place + 1 < len(tokens) else "\n"
    if text == "\n" or text in _OUTSIDE:
        return ""
    if fold(text) in _SEPARATORS and (not text.isalpha() or text.islower() or (text.isupper() and len(text) > 2)):
        return "separator" if text not in ("e", "y") or not name or after[:1].isupper() else "symbol"
    if is_symbol(tokens[place]):
        return "symbol"
    if _LETTER.match(text) and name and (after in _SEPARATORS or after == "\n" or after in _MARKS):
        return "symbol"
    if fold(text).rstrip(".") in _TITLES:
        return ""
    if not any(letter.isalpha() for letter in text):
        return "name" if name and text in (".", "-", "–", "'", "’", "‐") else ""
    return "name"


def _unfinished(name: Sequence[Token]) -> bool:
    """Whether a name at the end of a line must go on in the next: nothing yet, one word, or initials alone."""
    words = [token.text for token in name if token.text[0].isalpha()]
    return bool(words) and (len(words) < 2 or len(words[-1]) == 1)


def _closed(name: Sequence[Token]) -> Iterator[Annotation]:
    if name:
        last = name if name[-1].text != "-" else name[:-1]
        if last and any(token.text[0].isalpha() for token in last):
            yield Annotation("author", last[0].start, last[-1].end)


def affiliation_in(text: str, start: int, end: int) -> Iterator[Annotation]:
    """The marks of one affiliation between two places: the symbol before it, itself, the separator after it.

    A symbol at the start of a later line begins another affiliation.
    """
    tokens = _tokens(text, start, end)
    pieces: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        if token.text == "\n" and place + 2 < len(tokens) and _leads(tokens[place + 1 :]):
            pieces.append([])
        else:
            pieces[-1].append(token)
    for piece in pieces:
        yield from _affiliation(piece)


def _leads(tokens: Sequence[Token]) -> bool:
    """Whether the first of these tokens is a symbol before an affiliation."""
    first, second = tokens[0].text, tokens[1].text if len(tokens) > 1 else ""
    upper = second[:1].isupper() or second in (".", ")", ",", ":")
    return (is_symbol(tokens[0]) or bool(_LETTER.match(first))) and upper


def _affiliation(tokens: Sequence[Token]) -> Iterator[Annotation]:
    rest = [token for token in tokens if token.text != "\n"]
    while rest and rest[0].text in "([" and len(rest) > 1 and is_symbol(rest[1]):
        rest = rest[1:]
    while len(rest) > 1 and _leads(rest):
        yield Annotation("symbol", rest[0].start, rest[0].end)
        rest = rest[1:]
        while rest and rest[0].text in ".):,]":
            rest = rest[1:]
    tail = []
    while rest and not any(letter.isalnum() for letter in rest[-1].text) and rest[-1].text not in (")", "]"):
        if not (rest[-1].text == "." and len(rest) > 1 and len(rest[-2].text) < 3):  # U.S.A.
            tail.append(rest[-1])
            rest = rest[:-1]
        else:
            break
    if rest:
        yield Annotation("affiliation", rest[0].start, rest[-1].end)
    yield from (Annotation("separator", token.start, token.end) for token in reversed(tail) if token.text in ",;")
