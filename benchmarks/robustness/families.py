"""Adversarial families: strings of any length on which a careless parser takes time that grows with its square."""

from __future__ import annotations

from collections.abc import Callable

Family = Callable[[int], str]


def _repeat(piece: str, before: str = "", after: str = "") -> Family:
    return lambda length: before + (piece * (length // len(piece) + 1))[: max(length - len(before + after), 0)] + after


def _numbered(pattern: str) -> Family:
    def make(length: int) -> str:
        pieces: list[str] = []
        size = 0
        while size < length:
            pieces.append(pattern.format(len(pieces)))
            size += len(pieces[-1])
        return "".join(pieces)[:length]

    return make


_PIECES: dict[str, str] = {
    "one letter": "a",
    "one capital": "A",
    "one digit": "1",
    "spaces": " ",
    "words of one letter": "a ",
    "initials": "A. ",
    "initials without spaces": "A.",
    "full stops": ".",
    "spaced full stops": ". ",
    "commas": ",",
    "spaced commas": ", ",
    "semicolons": "; ",
    "hyphens": "-",
    "spaced hyphens": "- ",
    "dashes": "–",
    "slashes": "/",
    "colons": ":",
    "ampersands": " & ",
    "and": "and ",
    "et al.": "et al. ",
    "Jr.": "Jr., ",
    "particles": "van der ",
    "names": "Reed, A. B., ",
    "names with and": "Reed A and ",
    "round brackets": "(",
    "pairs of brackets": "()",
    "mixed brackets": "([{<",
    "braces": "{",
    "labels": "[1] ",
    "quotation marks": '"',
    "apostrophes": "'",
    "backslashes": "\\",
    "dollars": "$",
    "LaTeX accents": "\\'{e}",
    "markup": "<i>",
    "entities": "&amp;",
    "URL schemes": "http://",
    "path of a URL": "a/",
    "percent signs": "%20",
    "DOIs": "10.1/a ",
    "page ranges": "1-",
    "years": "1999 ",
    "year ranges": "1999-2000, ",
    "months": "March ",
    "roman numerals": "I",
    "roman numerals in words": "XIV ",
    "combining marks": "e\u0301",
    "only combining marks": "\u0301",
    "sharp s": "ß",
    "dotted capital I": "İ",
    "no-break spaces": "\xa0",
    "zero-width spaces": "\u200b",
    "ideographs": "本",
    "Arabic": "كتاب ",
    "emoji": "\U0001f468\u200d\U0001f469",
    "soft hyphens": "a\xad",
    "hyphens at line ends": "a-\n",
    "in": "In: ",
    "vol.": "vol. ",
    "@": "@a{b, ",
}
FAMILIES: dict[str, Family] = {name: _repeat(piece) for name, piece in _PIECES.items()}
FAMILIES |= {
    "URL without end": _repeat("a", "Reed, A. (1999). On things. http://a.b/"),
    "URL of full stops": _repeat(".", "Reed, A. (1999). On things. http://a"),
    "title without end": _repeat("word ", "Reed, A. (1999). ", ". River Letters, 3, 1-2."),
    "numbered names": _numbered("Reed{0}, A., "),
    "numbered words": _numbered("word{0} "),
    "numbered references": _numbered("[{0}] Reed, A. (1999). On things. River Letters, 3({0}), 1-2. "),
}
