"""Field boundaries: punctuation and the words that introduce a field are cut off its ends."""

from __future__ import annotations

import re
from itertools import accumulate

_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENERS = frozenset(_PAIRS.values())
_PLAIN_QUOTES = frozenset('"“”„«»‟')
_SINGLE_QUOTES = frozenset("'‘’`´")
_SOFT = frozenset(",;:")
_ALL = _SOFT | frozenset(".·•–—-_|/\\&*=+†‡~") | _SINGLE_QUOTES

_NUMBER = r"(?:no?s?|nr|num(?:ber)?|n°|nº|№|issues?|iss|heft|h|fasc|fascicule|cahier)"
_BEFORE = {
    "volume": r"(?:volumes?|vols?|v|bde?|band|tomes?|tomo|t)\b\s*\.?\s*:?",
    "issue": rf"{_NUMBER}(?![a-z])\s*\.?\s*:?",
    "pages": r"(?:in\s+)?(?:pages?|pp?|pgs?|págs?|pagg?|seiten?|str|ss?|blz|с|стр)\b\s*\.?\s*:?",
    "book": r"in\b(?:\s+the)?\s*:?(?=\s)",
    "journal": r"in\b\s*:?(?=\s)",
    "series": r"(?:of|in|ser\s*\.|volume \S+ of)(?=\s)",
    "editor": r"(?:in\b\s*:?|(?:edited|éd(?:ité)?|ed(?:ited)?s?|editors?|herausgegeben|hrsg|hg|a\s+cura|a\s+c)\b\s*\.?"
    r"(?:\s*(?:by|von|v\s*\.|par|di))?)\s*:?",
    "translator": r"(?:\(?\s*(?:translated|transl?|tr|trad|traduit|übers(?:etzt)?)\b\s*\.?"
    r"(?:\s*(?:by|von|par|di))?)\s*:?",
    "doi": r"(?:doi\b\s*[:.=]?|https?://(?:dx\.)?doi\.org/|(?:dx\.)?doi\.org/)",
    "arxiv": r"arxiv\b(?:\s*\.\s*org)?\s*:?(?:\s*abs/)?",
    "pmid": r"(?:pubmed\s*)?(?:pmid|pmcid|pubmed)\b\s*:?",
    "pmcid": r"pmcid\b\s*:?",
    "isbn": r"isbn(?:-1[03])?\b\s*:?",
    "issn": r"e?-?issn\b\s*:?",
    "url": r"(?:url|available\s+(?:at|from)|retrieved\s+from|disponible\s+en|from|at)\b\s*:?(?=\s|\w*:|<)",
    "accessed": r"(?:(?:date|last|data)\s+)?(?:access(?:ed)?|consulted|retrieved|viewed|downloaded|cited|citado|"
    r"acess?o|acceso|consult[ée]e?)\b(?:\s*(?:on|em|le|at))?\s*:?(?=\W)",
    "chapter": r"(?:chapters?|chap|ch|kap(?:itel)?|cap)\b\s*\.?\s*:?",
}
_AFTER = {
    "editor": r"(?:[(\[]\s*)?\b(?:eds?|edd|editors?|éds?|dirs?|hrsg|hg|red|coords?|orgs?|comps?)\b\s*\.?(?:\s*[)\]])?",
    "translator": r"(?:[(\[]\s*)?\b(?:transl?|translators?|tr|trad|übers)\b\s*\.?(?:\s*[)\]])?",
}
_LEADING = {label: re.compile(pattern, re.IGNORECASE) for label, pattern in _BEFORE.items()}
_TRAILING = {label: re.compile(pattern + r"$", re.IGNORECASE) for label, pattern in _AFTER.items()}
_ADDRESS = _SOFT | frozenset(".")
_UNTOUCHED = frozenset({"marker", "?"})


def _wraps(inside: str) -> bool:
    """Return whether the first and the last character are a matching pair of brackets."""
    depths = accumulate((character == inside[0]) - (character == inside[-1]) for character in inside)
    return next((place for place, depth in enumerate(depths) if depth == 0), -1) == len(inside) - 1


def _count_quotes(inside: str) -> tuple[int, int]:
    """Return how many characters to cut off either end of a field that begins or ends with a double quote.

    A quote is cut if its counterpart is not in the field, or if the two enclose the whole field.
    """
    count = sum(character in _PLAIN_QUOTES for character in inside)
    first, last = inside[0] in _PLAIN_QUOTES, inside[-1] in _PLAIN_QUOTES
    if first and last and count == 2:
        return 1, 1
    if count % 2 == 0:
        return 0, 0
    return (1, 0) if first else (0, 1)


def strip(
    text: str, start: int, end: int, all_punctuation: bool = True, characters: frozenset[str] | None = None
) -> tuple[int, int]:
    """Strip whitespace and punctuation (or `characters`) from both ends of `start:end`.

    A bracket stays if its counterpart is in the field, unless the two enclose the whole field. Without
    `all_punctuation`, full stops, dashes and single quotes stay.
    """
    characters = characters or (_ALL if all_punctuation else _SOFT)
    while start < end:
        first, last = text[start], text[end - 1]
        if first.isalnum() and last.isalnum():
            break
        if first.isspace() or first in characters:
            start += 1
            continue
        if last.isspace() or last in characters:
            end -= 1
            continue
        left, right = _count_unpaired(text[start:end], first, last)
        if not left and not right:
            break
        start, end = start + left, end - right
    return start, end


def _count_unpaired(inside: str, first: str, last: str) -> tuple[int, int]:
    """Return how many characters to cut off either end of a field that begins or ends with a bracket or a quote."""
    if first in _PLAIN_QUOTES or last in _PLAIN_QUOTES:
        cut = _count_quotes(inside)
        if cut != (0, 0):
            return cut
    if first in _PAIRS:
        return 1, 0
    if last in _OPENERS:
        return 0, 1
    if _PAIRS.get(last) == first and _wraps(inside):
        return 1, 1
    if last in _PAIRS and inside.count(_PAIRS[last]) < inside.count(last):
        return 0, 1
    if first in _OPENERS and not any(closer in inside for closer, opener in _PAIRS.items() if opener == first):
        return 1, 0
    return 0, 0


def trim(text: str, start: int, end: int, label: str, all_punctuation: bool = True) -> tuple[int, int]:
    """Strip punctuation, and the words that introduce a field of this label or, for editors, follow it.

    Words stay where nothing but punctuation would remain.
    """
    label = label.split("|", maxsplit=1)[0]
    if label in _UNTOUCHED:
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        return start, end
    characters = _ADDRESS if label in ("url", "doi") else None
    start, end = strip(text, start, end, all_punctuation, characters)
    if label not in _LEADING and label not in _TRAILING:
        return start, end
    for _ in range(3):
        before = _LEADING[label].match(text, start, end) if label in _LEADING else None
        cut = (before.end(), end) if before and before.end() > start else (start, end)
        after = _TRAILING[label].search(text, cut[0], cut[1]) if label in _TRAILING else None
        cut = (cut[0], after.start()) if after else cut
        cut = strip(text, *cut, all_punctuation, characters)
        if cut == (start, end) or not any(character.isalnum() for character in text[slice(*cut)]):
            break
        start, end = cut
    return start, end
