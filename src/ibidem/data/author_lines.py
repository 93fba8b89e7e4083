"""Author and affiliation lines out of annotated headers, with lists split by rule.

Datasets of headers annotate a list of authors as one field. Commas, semicolons and words such as "and" separate; small
numbers, single letters and signs such as * after a name or before an affiliation are symbols; the rest are names. Names
without a separator between them stay together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ibidem.text.fold import fold
from ibidem.text.tokens import tokenise_with_breaks
from ibidem.types import Annotation, Example, Token

_SEPARATORS = frozenset(",;·•|&，；、") | {"and", "und", "et", "y", "e"}
_SIGNS = frozenset("*†‡§¶#∗⁎‖∥✝¹²³⁴⁵⁶⁷⁸⁹⁰")
_TITLES = frozenset(
    """member ieee senior fellow student prof professor dr phd ph md acm jr sr msc bsc mph rn author authors by
    written presented advisor chairman supervisor""".split()
)
_OUTSIDE = frozenset("()[]{}:<>\"'“”")
_LETTER = re.compile(r"[a-z]\Z")
_KINDS = {"docAuthor": "author"} | {name: name for name in ("author", "affiliation", "address", "email")}


def is_symbol(token: Token) -> bool:
    """Return whether a token looks like a symbol wherever it stands: a small number, or signs such as `*` or `††`."""
    return _SIGNS.issuperset(token.text) or (len(token.text) <= 2 and token.text.isdigit())


def _tokens(text: str, start: int, end: int) -> list[Token]:
    """Return the tokens of a range; a repeated sign is one token."""
    found: list[Token] = []
    for token in tokenise_with_breaks(text[start:end]):
        before = found[-1] if found else None
        if before and before.end == token.start + start and token.text in _SIGNS and before.text[-1] == token.text:
            found[-1] = Token(before.text + token.text, before.start, token.end + start)
        else:
            found.append(Token(token.text, token.start + start, token.end + start))
    return found


def split_authors(text: str, start: int, end: int) -> Iterator[Annotation]:
    """Yield the authors, symbols and separators in a range of a text."""
    tokens = _tokens(text, start, end)
    separated = sum(token.text in ",;" for token in tokens) > 1
    name: list[Token] = []
    for place, token in enumerate(tokens):
        kind = _classify(tokens, place, name)
        if kind == "name":
            name.append(token)
            continue
        if token.text == "\n" and separated and _unfinished(name):
            continue  # the name continues on the next line
        yield from _finish_name(name)
        name = []
        if kind:
            yield Annotation(kind, token.start, token.end)
    yield from _finish_name(name)


def _classify(tokens: Sequence[Token], place: int, name: Sequence[Token]) -> str:
    """Return "name", "symbol", "separator" or "" for a token of a list of authors."""
    text = tokens[place].text
    after = tokens[place + 1].text if place + 1 < len(tokens) else "\n"
    if text == "\n" or text in _OUTSIDE:
        return ""
    if fold(text) in _SEPARATORS and (not text.isalpha() or text.islower() or (text.isupper() and len(text) > 2)):
        return "separator" if text not in ("e", "y") or not name or after[:1].isupper() else "symbol"
    if is_symbol(tokens[place]):
        return "symbol"
    if _LETTER.match(text) and name and (after in _SEPARATORS or after == "\n" or after in _SIGNS):
        return "symbol"
    if fold(text).rstrip(".") in _TITLES:
        return ""
    if not any(letter.isalpha() for letter in text):
        return "name" if name and text in (".", "-", "–", "'", "’", "‐") else ""
    return "name"


def _unfinished(name: Sequence[Token]) -> bool:
    """Return whether a name at the end of a line continues on the next: one word so far, or an initial last."""
    words = [token.text for token in name if token.text[0].isalpha()]
    return bool(words) and (len(words) < 2 or len(words[-1]) == 1)


def _finish_name(name: Sequence[Token]) -> Iterator[Annotation]:
    if name:
        last = name if name[-1].text != "-" else name[:-1]
        if last and any(token.text[0].isalpha() for token in last):
            yield Annotation("author", last[0].start, last[-1].end)


def split_affiliations(text: str, start: int, end: int) -> Iterator[Annotation]:
    """Yield the affiliation in a range of a text, the symbol before it and the separator after it.

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
    """Return whether the first of these tokens is a symbol before an affiliation."""
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


def cut_author_lines(example: Example) -> Example | None:
    """Return the lines of a header with authors, affiliations, addresses or e-mail; None if it names no author.

    An address right after an affiliation belongs to it. Lists are split by rule; the rest of these lines has no label.
    """
    named = [(annotation.label.rpartition("/")[2], annotation) for annotation in example.annotations]
    annotations = [Annotation(_KINDS[name], one.start, one.end) for name, one in named if name in _KINDS]
    if not any(annotation.label == "author" for annotation in annotations):
        return None
    cut = _keep_lines(example.text, _merge_addresses(annotations, example.text))
    found = sorted(_split_lists(*cut), key=lambda annotation: annotation.start)
    return Example(cut[0], tuple(found), example.source)


def _merge_addresses(annotations: list[Annotation], text: str) -> list[Annotation]:
    """Merge an address into the affiliation before it, if nothing but punctuation stands between them."""
    found: list[Annotation] = []
    for annotation in sorted(annotations, key=lambda annotation: annotation.start):
        before = found[-1] if found else None
        if annotation.label != "address":
            found.append(annotation)
        elif (
            before and before.label == "affiliation" and not any(map(str.isalnum, text[before.end : annotation.start]))
        ):
            found[-1] = Annotation("affiliation", before.start, annotation.end)
        else:
            found.append(Annotation("affiliation", annotation.start, annotation.end))
    return found


def _keep_lines(text: str, annotations: list[Annotation]) -> tuple[str, list[Annotation]]:
    """Return the lines with an annotation in them, and the annotations at their new offsets."""
    kept: list[str] = []
    moved: list[Annotation] = []
    place = length = 0
    shift: dict[int, int] = {}  # from the start of a line to the distance it moves
    for line in text.split("\n"):
        end = place + len(line)
        if any(annotation.start < end and place < annotation.end for annotation in annotations):
            shift[place] = length - place
            kept.append(line)
            length += len(line) + 1
        place = end + 1
    starts = sorted(shift)
    for annotation in annotations:
        far = shift[starts[bisect_right(starts, annotation.start) - 1]]
        moved.append(Annotation(annotation.label, annotation.start + far, annotation.end + far))
    return "\n".join(kept), moved


def _split_lists(text: str, annotations: list[Annotation]) -> Iterator[Annotation]:
    split = {"author": split_authors, "affiliation": split_affiliations}
    for annotation in annotations:
        if annotation.label in split:
            yield from split[annotation.label](text, annotation.start, annotation.end)
        else:
            yield annotation
